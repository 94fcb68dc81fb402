// SPDX-License-Identifier: MIT
#include "query/check/suggest.h"

#include <string.h>

#include <muster/ecs/iter.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>

#include "name/lookup.h"

#define LONGEST 64

typedef struct suggestion_t {
    const char *name;
    size_t length;
    int32_t distance; /* best so far; one more than what is accepted at first */
    const char *best;
} suggestion_t;

static char lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

// Insertions, deletions and replacements that turn one word into the other; case does not count.
static int32_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    int32_t row[LONGEST + 1];
    for (size_t j = 0; j <= b_length; j++) row[j] = (int32_t)j;
    for (size_t i = 1; i <= a_length; i++) {
        int32_t diagonal = row[0];
        row[0] = (int32_t)i;
        for (size_t j = 1; j <= b_length; j++) {
            int32_t replace = diagonal + (lower(a[i - 1]) != lower(b[j - 1]));
            diagonal = row[j];
            row[j] = ECS_MIN(replace, ECS_MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[b_length];
}

// Of equally close names the first in the alphabet counts, so that the order of visits does not.
static void visit_candidate(void *ctx, ecs_entity_t entity, const char *name) {
    (void)entity;
    suggestion_t *suggestion = ctx;
    size_t length = strlen(name);
    if (length > LONGEST) return;
    int32_t distance = edit_distance(suggestion->name, suggestion->length, name, length);
    bool is_better =
        distance < suggestion->distance || (suggestion->best && distance == suggestion->distance &&
                                               strcmp(name, suggestion->best) < 0);
    if (!is_better) return;
    suggestion->distance = distance;
    suggestion->best = name;
}

// What modules make has a path, by which others name it. Of several, the first in the alphabet counts.
static char *find_in_modules(const ecs_world_t *world, const char *name) {
    char *best = NULL;
    ecs_iter_t it = ecs_each_id(world, EcsModule);
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            const ecs_entity_t found = ecs_lookup_child(world, it.entities[i], name);
            char *path = found ? ecs_get_path(world, found) : NULL;
            const bool is_better = path && (!best || strcmp(path, best) < 0);
            ecs_os_free(is_better ? best : path);
            if (is_better) best = path;
        }
    }
    return best;
}

char *ecs__suggest_name(const ecs_world_t *world, const char *name) {
    /* Only plain names: the beginning of a path would have to be right. */
    suggestion_t suggestion = { .name = name, .length = strlen(name) };
    if (suggestion.length < 3 || suggestion.length > LONGEST || strpbrk(name, ".:\\")) return NULL;
    char *in_module = find_in_modules(world, name);
    if (in_module) return in_module;
    suggestion.distance = suggestion.length < 6 ? 2 : 3;
    ecs_entity_t scope = ecs_get_scope(world);
    for (; scope; scope = ecs__name_scope(world, scope))
        ecs__names_each(world, scope, visit_candidate, &suggestion);
    ecs__names_each(world, 0, visit_candidate, &suggestion);
    for (const ecs_entity_t *path = ecs_get_lookup_path(world); *path; path++) {
        ecs__names_each(world, *path, visit_candidate, &suggestion);
    }
    return suggestion.best ? ecs_os_strdup(suggestion.best) : NULL;
}
