// SPDX-License-Identifier: MIT
#include "serialize/json_names.h"

#include <ctype.h>
#include <stdlib.h>

#include <muster/ecs/ds/map.h>
#include <muster/ecs/name.h>

#include "name/lookup.h"
#include "reflect/text.h"
#include "serialize/json_entity.h"

bool ecs__json_is_unnamed(const char *name) {
    return name[0] == '#' && isdigit((unsigned char)name[1]);
}

void ecs__json_note_number(ecs__json_names_t *names, uint64_t number, ecs_entity_t entity) {
    if (number && names->numbers) *ecs_map_ensure(names->numbers, number) = entity;
}

// A name of '*' or '_' with a backslash is none of the wildcards'.
ecs_entity_t ecs__json_lookup(const ecs_world_t *world, const char *path) {
    ecs_entity_t found = ecs_lookup_path_w_sep(world, 0, path, NULL, NULL, false);
    if (found || !*path) return found;
    found = ecs__lookup_below(world, EcsFlecsCore, path, NULL);
    return *path == '\\' && (found == EcsWildcard || found == EcsAny) ? 0 : found;
}

static ecs_entity_t make_named(ecs__json_names_t *names, const char *path) {
    if (names->dry) return ecs__path_check(path, NULL, NULL) ? EcsAny : 0;
    return ecs_add_path_w_sep(names->world, 0, 0, path, NULL, NULL);
}

ecs_entity_t ecs__json_find_number(ecs__json_names_t *names, uint64_t number) {
    if (!number) return 0;
    if (!names->numbers) {
        ecs_entity_t alive = ecs_get_alive(names->world, number);
        return alive || names->dry ? (alive ? alive : EcsAny) : ecs_new(names->world);
    }
    // A builtin, or a type made in the same order as in the world that was written.
    if (number < EcsFirstUserEntityId) {
        ecs_entity_t alive = ecs_get_alive(names->world, number);
        if (alive && !ecs_get_name(names->world, alive)) return alive;
    }
    if (names->dry) {
        if (!ecs_map_get(names->numbers, number)) *ecs_map_ensure(&names->ahead, number) = 1;
        return EcsAny;
    }
    ecs_map_val_t *entity = ecs_map_ensure(names->numbers, number);
    if (!*entity) *entity = ecs_new(names->world);
    return *entity;
}

// What no object of the text is, nor lives in this world, was dead already; it must not be taken for another.
static bool is_dead(const ecs__json_names_t *names, uint64_t number) {
    if (names->numbers && ecs_map_get(names->numbers, number)) return false;
    bool is_known = !names->numbers || number < EcsFirstUserEntityId;
    return !is_known || !ecs_get_alive(names->world, number);
}

// In front of a path "#4" and "*" are no names; behind "#123." they are.
static char *put_in_front(const char *path) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    const char *rest;
    bool is_bare = ecs__protected_at(path, ecs__path_element(path, NULL, &rest)) == 0;
    ecs_strbuf_append(&buf, "%s%s", is_bare ? "\\" : "", path);
    return ecs_strbuf_get(&buf);
}

// "#123", "#123.child"
static ecs_entity_t find_unnamed(ecs__json_names_t *names, const char *name) {
    char *child;
    ecs_entity_t entity = ecs__json_find_number(names, strtoull(name + 1, &child, 10));
    if (*child != '.' || !entity || entity == EcsAny) return entity;
    if (!ecs_is_alive(names->world, entity))
        return entity; /* by an observer: what is below is gone, too */
    char *path = put_in_front(child + 1);
    ecs_entity_t found = ecs_lookup_path_w_sep(names->world, entity, path, NULL, NULL, false);
    if (!found)
        found = names->dry ? EcsAny : ecs_add_path_w_sep(names->world, 0, entity, path, NULL, NULL);
    ecs_os_free(path);
    return found;
}

static ecs_entity_t find(ecs__json_names_t *names, const char *name) {
    if (ecs__json_is_unnamed(name)) return find_unnamed(names, name);
    if (names->desc->lookup_action)
        return names->desc->lookup_action(names->world, name, names->desc->lookup_ctx);
    ecs_entity_t entity = ecs__json_lookup(names->world, name);
    return entity ? entity : make_named(names, name);
}

ecs_entity_t ecs__json_find(ecs_world_t *world, const char *name, void *ctx) {
    (void)world;
    const ecs__json_names_t *names = ctx;
    uint64_t number = ecs__json_is_unnamed(name) ? strtoull(name + 1, NULL, 10) : 0;
    if (!number || names->dry || strchr(name, '.') || !is_dead(names, number))
        return find(ctx, name);
    return (uint32_t)number | ECS_GENERATION_MASK;
}

// "*" and "_", without backslash. What will be made looks like the latter.
static bool is_wildcard(const ecs__json_names_t *names, const char *name, ecs_entity_t entity) {
    if ((entity != EcsAny && entity != EcsWildcard) || name[0] == '\\') return false;
    if (entity == EcsWildcard || names->desc->lookup_action) return true;
    return ecs__json_is_unnamed(name) ? strtoull(name + 1, NULL, 10) == EcsAny
                                      : ecs__json_lookup(names->world, name) == EcsAny;
}

bool ecs__json_resolve(ecs__json_names_t *names, const char *name, ecs_entity_t *entity) {
    *entity = *name ? find(names, name) : 0;
    if (!*entity) return ecs__json_fail(names->json, "there is no entity '%s'", name);
    return !is_wildcard(names, name, *entity) ||
           ecs__json_fail(names->json, "'%s' matches ids and is part of none", name);
}

// A name whose marks have a backslash in front. Changes the text.
static bool resolve_part(
    ecs__json_names_t *names, char *text, const char *marks, ecs_entity_t *entity) {
    ecs__text_unprotect(text, marks);
    return ecs__json_resolve(names, text, entity);
}

bool ecs__json_resolve_pair(
    ecs__json_names_t *names, ecs_entity_t first, char *second, const char *marks, ecs_id_t *id) {
    uint32_t value;
    if (second[0] == '@' && isdigit((unsigned char)second[1])) {
        if (!ecs__text_read_value(second, &value))
            return ecs__json_fail(names->json, "'%s' is no number of 32 bits", second);
        *id = ecs_value_pair(first, value);
        return true;
    }
    ecs_entity_t target;
    if (!resolve_part(names, second, marks, &target)) return false;
    *id = ecs_pair(first, target);
    return true;
}

// The comma between the parts of a pair.
static char *find_comma(char *text) {
    char *comma = strchr(text, ',');
    while (comma && comma[-1] == '\\') comma = strchr(comma + 1, ',');
    return comma;
}

bool ecs__json_resolve_id(ecs__json_names_t *names, char *text, ecs_id_t *id) {
    if (text[0] != '(') return resolve_part(names, text, ECS__JSON_ID, id);
    char *comma = find_comma(text), *end = text + strlen(text) - 1;
    if (!comma || *end != ')') return ecs__json_fail(names->json, "'%s' is no pair", text);
    *comma = *end = '\0';
    ecs_entity_t first;
    char *second = comma + 1 + strspn(comma + 1, " ");
    return resolve_part(names, text + 1, ECS__JSON_FIRST, &first) &&
           ecs__json_resolve_pair(names, first, second, ECS__JSON_SECOND, id);
}
