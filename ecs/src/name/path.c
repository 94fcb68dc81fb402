// SPDX-License-Identifier: MIT
// path: writing the path of an entity, and making the entities along a path.
#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include "name/lookup.h"
#include "world/state.h"

// ---- Writing ----

// One name, with separators inside it protected, and with quotes protected when the text goes
// between quotes. In front of a path, what would not be read as a name is protected, and what looks
// protected anywhere.
static void append_name(
    ecs_strbuf_t *buf, const char *name, const char *sep, bool escape, bool in_front) {
    size_t slashes = ecs__protected_at(name, strlen(name));
    if (slashes != SIZE_MAX && (in_front || slashes))
        ecs_strbuf_appendstr(buf, escape ? "\\\\" : "\\");
    for (const char *ptr = name; *ptr; ptr++) {
        if (ecs__path_separator(ptr, sep)) {
            ecs_strbuf_appendstr(buf, escape ? "\\\\" : "\\");
        } else if (escape && (*ptr == '"' || *ptr == '\\')) {
            ecs_strbuf_appendch(buf, '\\');
        }
        ecs_strbuf_appendch(buf, *ptr);
    }
}

typedef struct path_style_t {
    ecs_entity_t stop; /* parent that is not written */
    const char *sep, *prefix;
    bool escape;
} path_style_t;

static void append_path(const ecs_world_t *world, ecs_entity_t entity, const path_style_t *style,
    ecs_strbuf_t *buf, int32_t depth) {
    const EcsIdentifier *identifier = ecs__identifier_get(world, entity, ECS__NAME);
    const char *name = identifier ? identifier->value : NULL;
    if (!name || depth > ECS_MAX_RECURSION) {
        ecs_strbuf_append(buf, "#%u", (uint32_t)entity);
        return;
    }
    ecs_entity_t parent = ecs__name_scope(world, entity);
    bool is_hidden = parent == Ecs__FlecsCore && !style->prefix;
    bool is_below = parent && parent != style->stop && !is_hidden;
    if (is_below) {
        append_path(world, parent, style, buf, depth + 1);
        ecs_strbuf_appendstr(buf, style->sep ? style->sep : ".");
    } else if (!parent && style->prefix) {
        ecs_strbuf_appendstr(buf, style->prefix);
    }
    bool in_front = !is_below && (parent || !style->prefix || !*style->prefix);
    append_name(buf, name, style->sep, style->escape, in_front);
}

void ecs_get_path_w_sep_buf(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child,
    const char *sep, const char *prefix, ecs_strbuf_t *buf, bool escape) {
    if (child == Ecs__Wildcard) {
        ecs_strbuf_appendch(buf, '*');
    } else if (child == Ecs__Any) {
        ecs_strbuf_appendch(buf, '_');
    } else if (child != parent || !child) {
        const path_style_t style = {
            .stop = parent, .sep = sep, .prefix = prefix, .escape = escape
        };
        append_path(world, child, &style, buf, 0);
    }
}

char *ecs_get_path_w_sep(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child,
    const char *sep, const char *prefix) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_get_path_w_sep_buf(world, parent, child, sep, prefix, &buf, false);
    char *path = ecs_strbuf_get(&buf);
    return path ? path : ecs_os_strdup("");
}

// ---- Making ----

static void place(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent, const char *name) {
    if (parent) ecs_add_id(world, entity, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
    ecs_set_name(world, entity, name);
    if (ecs_is_deferred(world)) ecs__names_announce(world, entity, ECS__NAME, parent, name);
}

ecs_entity_t ecs__place_path(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *path, const char *sep, ecs_vec_t *made) {
    while (path) {
        const char *rest;
        size_t length = ecs__path_element(path, sep, &rest);
        ecs_entity_t child = ecs__lookup_element(world, parent, path, length, sep);
        if (!child) {
            char *name = ecs__path_unescape(path, length, sep);
            child = rest || !entity ? ecs_new(world) : entity;
            if (made) *ecs_vec_append_t(NULL, made, ecs_entity_t) = child;
            place(world, child, parent, name);
            ecs_os_free(name);
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
    size_t root_length = prefix ? strlen(prefix) : 0;
    if (root_length && !strncmp(path, prefix, root_length)) {
        path += root_length;
        parent = 0;
    } else if (!parent) {
        parent = ecs_get_scope(world);
    }
    return ecs__place_path(world, entity, parent, path, sep, NULL);
error:
    return 0;
}

ecs_entity_t ecs_new_from_path_w_sep(ecs_world_t *world, ecs_entity_t parent, const char *path,
    const char *sep, const char *prefix) {
    return ecs_add_path_w_sep(world, 0, parent, path, sep, prefix);
}
