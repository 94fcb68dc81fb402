// SPDX-License-Identifier: MIT
// path: writing the path of an entity, and making the entities along a path.
#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>

#include "name/lookup.h"
#include "world/state.h"

// ---- Writing ----

// The end of a name and the beginning of the separator behind it would be read as a separator.
static bool runs_into(const char *end, const char *sep) {
    if (!sep || *end != *sep) return false;
    const size_t length = strlen(sep), part = strlen(end);
    return part < length && !strncmp(end, sep, part) && !strncmp(sep, sep + part, length - part);
}

// Also what a backslash in front of it, which is part of the name, would be taken to protect.
static bool needs_slash(const char *name, const char *at, const char *sep, bool leads_on) {
    if (ecs__path_separator(at, sep) || (leads_on && runs_into(at, sep))) return true;
    return at > name && at[-1] == '\\' && ecs__path_is_escaped(*at, sep);
}

typedef struct path_style_t {
    ecs_entity_t stop; /* parent that is not written */
    const char *sep, *prefix;
    bool escape;
    bool exact; /* leads to nobody else */
} path_style_t;

// One name, with separators inside it protected, and with quotes protected when the text goes
// between quotes. In front of a path, what would not be read as a name is protected, and what looks
// protected anywhere.
static void append_name(
    ecs_strbuf_t *buf, const char *name, const path_style_t *style, bool in_front, bool leads_on) {
    const bool escape = style->escape;
    size_t slashes = ecs__protected_at(name, strlen(name));
    if (slashes != SIZE_MAX && (in_front || slashes))
        ecs_strbuf_appendstr(buf, escape ? "\\\\" : "\\");
    for (const char *ptr = name; *ptr; ptr++) {
        if (needs_slash(name, ptr, style->sep, leads_on)) {
            ecs_strbuf_appendstr(buf, escape ? "\\\\" : "\\");
        } else if (escape && (*ptr == '"' || *ptr == '\\')) {
            ecs_strbuf_appendch(buf, '\\');
        }
        ecs_strbuf_appendch(buf, *ptr);
    }
}

// A backslash, or a bracket that is open, at the end would protect the separator behind it.
static bool ends_in_itself(const char *name) {
    for (const char *at = strchr(name, '<'); at; at = strchr(at + 1, '<')) {
        if (!ecs__bracket_length(at)) return false;
    }
    return name[strlen(name) - 1] != '\\';
}

// A sibling may have the same name, or another entity an alias.
static bool is_found(const ecs_world_t *world, ecs_entity_t entity, const EcsIdentifier *name) {
    const ecs_entity_t scope = ecs__name_scope(world, entity);
    const size_t length = (size_t)name->length;
    const ecs_entity_t alias =
        scope ? 0 : ecs__names_find(world, ECS__ALIAS, 0, name->value, length);
    return (!alias || alias == entity) &&
           ecs__names_find(world, ECS__NAME, scope, name->value, length) == entity;
}

// NULL if no path can name it, or lead on from it.
static const char *name_of(
    const ecs_world_t *world, ecs_entity_t entity, const path_style_t *style, bool leads_on) {
    const EcsIdentifier *name = ecs__identifier_get(world, entity, ECS__NAME);
    const char *text = name ? name->value : NULL;
    if (!text || !*text || (leads_on && !ends_in_itself(text))) return NULL;
    return !style->exact || is_found(world, entity, name) ? text : NULL;
}

// The parent whose path comes first, or 0. Numbers stand for themselves.
static ecs_entity_t parent_in_path(
    const ecs_world_t *world, ecs_entity_t entity, const path_style_t *style, bool leads_on) {
    if (!name_of(world, entity, style, leads_on)) return 0;
    ecs_entity_t parent = ecs__name_scope(world, entity);
    bool is_hidden = parent == style->stop || (parent == Ecs__FlecsCore && !style->prefix);
    return is_hidden ? 0 : parent;
}

static void append_one(const ecs_world_t *world, ecs_entity_t entity, const path_style_t *style,
    bool is_first, bool leads_on, ecs_strbuf_t *buf) {
    const char *name = name_of(world, entity, style, leads_on);
    if (!name) {
        ecs_strbuf_append(buf, "#%u", (uint32_t)entity);
        return;
    }
    bool has_prefix = is_first && style->prefix && !ecs__name_scope(world, entity);
    if (has_prefix) ecs_strbuf_appendstr(buf, style->prefix);
    bool in_front = is_first && !(has_prefix && *style->prefix);
    append_name(buf, name, style, in_front, leads_on);
}

static bool is_among(const ecs_entity_t *entities, int32_t count, ecs_entity_t entity) {
    for (int32_t i = 0; i < count; i++) {
        if (entities[i] == entity) return true;
    }
    return false;
}

// From the root, however deep the entity is.
static void append_path(
    const ecs_world_t *world, ecs_entity_t entity, const path_style_t *style, ecs_strbuf_t *buf) {
    enum { FEW = 32 };
    ecs_entity_t few[FEW], *way = few;
    int32_t levels = 0, size = FEW;
    do {
        if (levels == size) {
            if (is_among(way, levels, entity)) break; /* a cycle, to be undone */
            ecs_entity_t *longer = ecs_os_malloc_n(ecs_entity_t, size *= 2);
            ecs_os_memcpy_n(longer, way, ecs_entity_t, levels);
            if (way != few) ecs_os_free(way);
            way = longer;
        }
        way[levels++] = entity;
    } while ((entity = parent_in_path(world, entity, style, levels > 1)));
    for (int32_t i = levels - 1; i >= 0; i--) {
        append_one(world, way[i], style, i == levels - 1, i > 0, buf);
        if (i) ecs_strbuf_appendstr(buf, style->sep ? style->sep : ".");
    }
    if (way != few) ecs_os_free(way);
}

static void append(
    const ecs_world_t *world, ecs_entity_t entity, const path_style_t *style, ecs_strbuf_t *buf) {
    if (entity == Ecs__Wildcard)
        ecs_strbuf_appendch(buf, '*');
    else if (entity == Ecs__Any)
        ecs_strbuf_appendch(buf, '_');
    else if (entity != style->stop || !entity)
        append_path(world, entity, style, buf);
}

void ecs_get_path_w_sep_buf(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child,
    const char *sep, const char *prefix, ecs_strbuf_t *buf, bool escape) {
    const path_style_t style = { .stop = parent, .sep = sep, .prefix = prefix, .escape = escape };
    append(world, child, &style, buf);
}

void ecs__path_exact(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t entity,
    const char *sep, ecs_strbuf_t *buf) {
    const path_style_t style = { .stop = parent, .sep = sep, .prefix = "", .exact = true };
    append(world, entity, &style, buf);
}

char *ecs_get_path_w_sep(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child,
    const char *sep, const char *prefix) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_get_path_w_sep_buf(world, parent, child, sep, prefix, &buf, false);
    char *path = ecs_strbuf_get(&buf);
    return path ? path : ecs_os_strdup("");
}

// ---- Making ----

static void set_parent(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent) {
    const ecs_entity_t old = ecs_get_parent(world, entity);
    if (parent == old) return; /* however it is its child */
    if (parent)
        ecs_add_id(world, entity, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
    else
        ecs_remove_id(world, entity, ECS__MAKE_PAIR(Ecs__ChildOf, old));
}

static void set_parent_later(ecs_world_t *world, ecs_entity_t entity, uint64_t parent) {
    if (parent && !ecs_is_alive(world, parent))
        ecs_delete(world, entity); /* as it takes along who was to be its child */
    else
        set_parent(world, entity, parent);
}

// Whoever is in its place now may be on the way to another, which only the queue knows.
static void move_to(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent) {
    const bool may_stay = !parent || parent == ecs_get_parent(world, entity);
    if (may_stay)
        ecs_ext_act(world, entity, set_parent_later, parent);
    else
        set_parent(world, entity, parent);
}

static void place(
    ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent, bool moves, const char *name) {
    if (moves)
        move_to(world, entity, parent);
    else
        set_parent(world, entity, parent);
    if (!ecs_is_alive(world, entity)) return; /* an observer deleted it */
    ecs_set_name(world, entity, name);
    if (ecs_is_deferred(world)) ecs__names_announce(world, entity, ECS__NAME, parent, name);
}

ecs_entity_t ecs__place_path(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *path, const char *sep, bool moves, ecs_vec_t *made) {
    while (path) {
        const char *rest;
        size_t length = ecs__path_element(path, sep, &rest);
        ecs_entity_t child = ecs__lookup_element(world, parent, path, length, sep);
        if (!child) {
            char *name = ecs__path_unescape(path, length, sep);
            child = rest || !entity ? ecs_new(world) : entity;
            if (made) *ecs_vec_append_t(NULL, made, ecs_entity_t) = child;
            place(world, child, parent, moves && child == entity, name);
            ecs_os_free(name);
            if (!ecs_is_alive(world, child)) return child;
        }
        parent = child;
        path = rest;
    }
    return parent;
}

ecs_entity_t ecs_add_path_w_sep(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *path, const char *sep, const char *prefix) {
    ecs_check(!parent || ecs_is_alive(world, parent), ECS_INVALID_PARAMETER,
        "cannot put an entity below entity %u: it is not alive", (uint32_t)parent);
    if (!path) {
        if (!entity) entity = ecs_new(world);
        if (parent) ecs_add_id(world, entity, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
        return entity;
    }
    if (!ecs__path_check(path, sep, prefix)) return 0;
    if (!parent) parent = ecs_get_scope(world);
    parent = ecs__path_start(world, parent, &path, sep, prefix);
    return ecs__place_path(world, entity, parent, path, sep, true, NULL);
error:
    return 0;
}

ecs_entity_t ecs_new_from_path_w_sep(ecs_world_t *world, ecs_entity_t parent, const char *path,
    const char *sep, const char *prefix) {
    return ecs_add_path_w_sep(world, 0, parent, path, sep, prefix);
}
