// SPDX-License-Identifier: MIT
// lookup: taking paths apart and finding entities by them.
#include "name/lookup.h"

#include <ctype.h>

#include <muster/ecs/entity.h>

#include "base/assert.h"
#include "world/state.h"

// ---- Elements of a path ----

size_t ecs__path_separator(const char *text, const char *sep) {
    if (!sep) return text[0] == '.' ? 1 : text[0] == ':' && text[1] == ':' ? 2 : 0;
    size_t length = strlen(sep);
    return length && !strncmp(text, sep, length) ? length : 0;
}

bool ecs__path_is_escaped(char c, const char *sep) {
    return c && (sep ? c == sep[0] : c == '.' || c == ':');
}

size_t ecs__protected_at(const char *text, size_t length) {
    size_t slashes = 0;
    while (slashes < length && text[slashes] == '\\') slashes++;
    if (length - slashes > 1 && text[slashes] == '#' && isdigit((unsigned char)text[slashes + 1]))
        return slashes;
    return length - slashes == 1 && strchr("*_$", text[slashes]) ? slashes : SIZE_MAX;
}

size_t ecs__bracket_length(const char *text) {
    int32_t depth = 0;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '<') depth++;
        if (text[i] == '>' && --depth == 0) return i + 1;
    }
    return 0;
}

// Most characters mean nothing else.
static inline bool is_plain(char c, const char *sep) {
    return c && c != '\\' && c != '<' && (sep ? c != sep[0] : c != '.' && c != ':');
}

size_t ecs__path_element(const char *path, const char *sep, const char **rest) {
    bool may_close = true; /* a bracket: there is one that could do it */
    size_t i = 0;
    for (;;) {
        while (is_plain(path[i], sep)) i++;
        if (!path[i]) break;
        if (path[i] == '\\' && ecs__path_is_escaped(path[i + 1], sep)) {
            i += 2;
            continue;
        }
        if (path[i] == '<' && may_close) {
            const size_t skip = ecs__bracket_length(path + i);
            may_close = skip || strchr(path + i, '>');
            i += skip;
            if (skip) continue;
        }
        size_t separator = ecs__path_separator(path + i, sep);
        if (separator) {
            *rest = path + i + separator;
            return i;
        }
        i++;
    }
    *rest = NULL;
    return i;
}

char *ecs__path_unescape(const char *element, size_t length, const char *sep) {
    char *text = ecs_os_malloc((ecs_size_t)length + 1);
    size_t out = 0, slashes = ecs__protected_at(element, length);
    for (size_t i = slashes && slashes != SIZE_MAX; i < length; i++) {
        if (element[i] == '\\' && i + 1 < length && ecs__path_is_escaped(element[i + 1], sep)) i++;
        text[out++] = element[i];
    }
    text[out] = '\0';
    return text;
}

bool ecs__parse_hash_id(const char *text, size_t length, ecs_entity_t *out) {
    if (length < 2 || text[0] != '#') return false;
    ecs_entity_t value = 0;
    for (size_t i = 1; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || value > (UINT64_MAX - 9) / 10) return false;
        value = value * 10 + (ecs_entity_t)(text[i] - '0');
    }
    *out = value;
    return true;
}

// ---- Finding ----

ecs_entity_t ecs__alive_entity(const ecs_world_t *poly, ecs_entity_t id) {
    const ecs__entity_index_t *entities = &ecs__world_of(poly)->store.entities;
    if (id >> 32) return ecs__entity_is_alive(entities, id) ? id : 0;
    return ecs__entity_alive_id(entities, (uint32_t)id);
}

// What the stage itself is about to name counts; in jobs the world is the stage of nobody, as the main one belongs to one of them.
static ecs_entity_t find(const ecs_world_t *world, ecs__name_kind_t kind, ecs_entity_t parent,
    const char *text, size_t length) {
    ecs_entity_t found = ecs__names_find(world, kind, parent, text, length);
    if (found || (!ecs__is_stage(world) && world->flags & EcsWorldMultiThreaded)) return found;
    return ecs__names_noted(ecs__stage_of(world)->queue->named, kind, parent, text, length);
}

static ecs_entity_t find_name(
    const ecs_world_t *world, ecs_entity_t parent, const char *name, size_t length) {
    return find(world, ECS__NAME, parent, name, length);
}

ecs_entity_t ecs__lookup_element(const ecs_world_t *world, ecs_entity_t parent, const char *element,
    size_t length, const char *sep) {
    if (!memchr(element, '\\', length)) return find_name(world, parent, element, length);
    char *name = ecs__path_unescape(element, length, sep);
    ecs_entity_t found = find_name(world, parent, name, strlen(name));
    ecs_os_free(name);
    return found;
}

ecs_entity_t ecs__lookup_below(
    const ecs_world_t *world, ecs_entity_t parent, const char *path, const char *sep) {
    ecs_entity_t entity = parent;
    if (path && !*path) return parent;
    while (path) {
        const char *rest;
        size_t length = ecs__path_element(path, sep, &rest);
        if (!length) return 0;
        entity = ecs__lookup_element(world, entity, path, length, sep);
        if (!entity) return 0;
        path = rest;
    }
    return entity;
}

static ecs_entity_t lookup_special(const ecs_world_t *world, const char *path) {
    if (path[0] && !path[1]) {
        switch (path[0]) {
        case '.': return Ecs__This;
        case '*': return Ecs__Wildcard;
        case '_': return Ecs__Any;
        case '$': return Ecs__Variable;
        default: break;
        }
    }
    return ecs__names_find(world, ECS__ALIAS, 0, path, strlen(path));
}

// Names are found by the index of their parent, which another entity may have since: who died is no scope any more.
static ecs_entity_t living(const ecs_world_t *world, ecs_entity_t scope) {
    return scope && ecs_is_alive(world, scope) ? scope : 0;
}

// Outwards from `start` to the root, then through the lookup path.
static ecs_entity_t walk_outwards(
    const ecs_world_t *world, ecs_entity_t start, const char *path, const char *sep) {
    for (ecs_entity_t scope = start; scope;) {
        scope = ecs__name_scope(world, scope);
        ecs_entity_t found = ecs__lookup_below(world, scope, path, sep);
        if (found) return found;
    }
    const ecs_entity_t *scopes = ecs_get_lookup_path(world);
    int32_t count = 0;
    while (scopes[count]) count++;
    while (count--) {
        const ecs_entity_t scope = living(world, scopes[count]);
        ecs_entity_t found = scope ? ecs__lookup_below(world, scope, path, sep) : 0;
        if (found) return found;
    }
    return 0;
}

// Skips what makes a path start at the root (without prefix "::", with the default separator); NULL if there is no such thing.
static const char *skip_root(const char *path, const char *sep, const char *prefix) {
    if (!prefix) return !sep && !strncmp(path, "::", 2) ? path + 2 : NULL;
    size_t length = strlen(prefix);
    return length && !strncmp(path, prefix, length) ? path + length : NULL;
}

int32_t ecs__path_check(const char *path, const char *sep, const char *prefix) {
    const char *at = skip_root(path, sep, prefix), *rest = NULL;
    if (!at) at = path;
    for (int32_t parts = 1; ecs__path_element(at, sep, &rest); parts++) {
        if (!rest) return parts;
        at = rest;
    }
    ecs_err_code(
        ECS_INVALID_PARAMETER, "no entity can be named \"%s\": it has an empty part", path);
    return 0;
}

// "#id" in front of a path, and who has it: 0 if nobody does.
static bool take_number(
    const ecs_world_t *world, const char **path, const char *sep, ecs_entity_t *entity) {
    const char *rest;
    if ((*path)[0] != '#' ||
        !ecs__parse_hash_id(*path, ecs__path_element(*path, sep, &rest), entity))
        return false;
    *entity = ecs__alive_entity(world, *entity);
    *path = rest;
    return true;
}

ecs_entity_t ecs__path_start(const ecs_world_t *world, ecs_entity_t parent, const char **path,
    const char *sep, const char *prefix) {
    const char *rest = skip_root(*path, sep, prefix);
    ecs_entity_t start = 0;
    if (!rest) {
        rest = *path;
        if (!take_number(world, &rest, sep, &start) || !start) return parent;
    }
    *path = rest;
    return start;
}

#define CHECK_SCOPE(world, scope)                                            \
    ecs_check(!(scope) || ecs_is_alive(world, scope), ECS_INVALID_PARAMETER, \
        "cannot look up names in entity %u: it is not alive", (uint32_t)(scope))

ecs_entity_t ecs_lookup_path_w_sep(const ecs_world_t *world, ecs_entity_t parent, const char *path,
    const char *sep, const char *prefix, bool recursive) {
    if (!path) return 0;
    ECS__CHECK(ecs__check_reader(world));
    CHECK_SCOPE(world, parent);
    ecs_entity_t special = lookup_special(world, path);
    if (special) return special;

    const char *absolute = skip_root(path, sep, prefix);
    if (absolute) return ecs__lookup_below(world, 0, absolute, sep);
    ecs_entity_t start;
    if (take_number(world, &path, sep, &start))
        return start ? ecs__lookup_below(world, start, path, sep) : 0;
    if (!parent) parent = living(world, ecs_get_scope(world));
    ecs_entity_t found = ecs__lookup_below(world, parent, path, sep);
    return found || !recursive || !*path ? found : walk_outwards(world, parent, path, sep);
error:
    return 0;
}

ecs_entity_t ecs_lookup(const ecs_world_t *world, const char *path) {
    return ecs_lookup_path_w_sep(world, 0, path, NULL, NULL, true);
}

ecs_entity_t ecs_lookup_child(const ecs_world_t *world, ecs_entity_t parent, const char *name) {
    ECS__NEED_OR(name, 0);
    ecs_entity_t id;
    ECS__CHECK(ecs__check_reader(world));
    CHECK_SCOPE(world, parent);
    if (!ecs__parse_hash_id(name, strlen(name), &id))
        return find_name(world, parent, name, strlen(name));
    id = ecs__alive_entity(world, id);
    return !parent || (id && ecs__parent_of(&ecs__world_of(world)->store, id) == parent) ? id : 0;
error:
    return 0;
}

// "EcsPrefab": builtins are called like their constants without keeping these names.
static ecs_entity_t find_builtin(const ecs_world_t *world, const char *symbol) {
    if (strncmp(symbol, "Ecs", 3) != 0) return 0;
    return ecs__names_find(world, ECS__NAME, Ecs__FlecsCore, symbol + 3, strlen(symbol + 3));
}

ecs_entity_t ecs_lookup_symbol(
    const ecs_world_t *world, const char *symbol, bool lookup_as_path, bool recursive) {
    ECS__CHECK(ecs__check_reader(world));
    if (!symbol) return 0;
    ecs_entity_t found = find(world, ECS__SYMBOL, 0, symbol, strlen(symbol));
    if (!found) found = find_builtin(world, symbol);
    if (found || !lookup_as_path) return found;
    return ecs_lookup_path_w_sep(world, 0, symbol, NULL, NULL, recursive);
error:
    return 0;
}
