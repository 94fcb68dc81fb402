// SPDX-License-Identifier: MIT
#include "name/from_string.h"

#include <stdlib.h>
#include <string.h>

#include <muster/ecs/os.h>

#include "id/id.h"
#include "name/names.h"

// What stands for something else in queries is part of no id.
static ecs_entity_t read_element(const ecs_world_t *world, const char *text) {
    ecs_entity_t entity = *text ? ecs_lookup(world, text) : 0;
    return entity == Ecs__This || entity == Ecs__Variable ? 0 : entity;
}

static bool read_number(const char *text, uint32_t *number) {
    if (text[0] != '@' || text[1] < '0' || text[1] > '9') return false;
    char *end;
    unsigned long long value = strtoull(text + 1, &end, 10);
    *number = (uint32_t)value;
    return !*end && value <= UINT32_MAX;
}

static ecs_id_t read_parts(const ecs_world_t *world, const char *first, const char *second) {
    ecs_entity_t rel = read_element(world, first);
    uint32_t number;
    if (!rel) return 0;
    if (read_number(second, &number)) return ECS__VALUE_PAIR | ECS__MAKE_PAIR(rel, number);
    ecs_entity_t target = read_element(world, second);
    return target ? ECS__MAKE_PAIR(rel, target) : 0;
}

// Commas may be parts of names, too, which are no longer than those that there are.
static ecs_id_t read_pair(const ecs_world_t *world, const char *text, size_t length) {
    ecs_id_t id = 0;
    char *parts = ecs_os_try_malloc((ecs_size_t)length + 1);
    if (!parts) return 0;
    memcpy(parts, text, length);
    parts[length] = '\0';
    const ptrdiff_t longest = 2 * (ptrdiff_t)ecs__names_longest(world) + 1; /* with backslashes */
    for (char *at = parts, *name = parts; *at && !id && at - name <= longest; at++) {
        const bool is_protected = at > parts && at[-1] == '\\';
        if (!is_protected && (*at == '.' || *at == ':')) name = at + 1;
        if (*at != ',') continue;
        *at = '\0';
        id = read_parts(world, parts, at + 1);
        *at = ',';
    }
    ecs_os_free(parts);
    return id;
}

static const struct {
    const char *text;
    ecs_id_t flag;
} flags[] = { { "AUTO_OVERRIDE|", ECS__AUTO_OVERRIDE }, { "TOGGLE|", ECS__TOGGLE } };

ecs_id_t ecs__id_read(const ecs_world_t *world, const char *text) {
    const size_t length = strlen(text);
    ecs_id_t id = 0, marks = 0;
    const char *bare = text;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strncmp(bare, flags[i].text, strlen(flags[i].text)) != 0) continue;
        bare += strlen(flags[i].text);
        marks |= flags[i].flag;
    }
    if (bare[0] == '(' && text[length - 1] == ')')
        id = read_pair(world, bare + 1, strlen(bare) - 2);
    if (!id) id = read_element(world, bare);
    return id || !marks ? id | marks : read_element(world, text);
}
