// SPDX-License-Identifier: MIT
// path: writing the path of an entity.
#include <muster/ecs/entity.h>

#include "name/lookup.h"
#include "world/state.h"

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
