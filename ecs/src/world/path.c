// SPDX-License-Identifier: MIT
// path: making the entities along a path.
#include "world/path.h"

#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>

#include "mutate/check.h"
#include "name/lookup.h"
#include "world/make.h"
#include "world/state.h"

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

// An element that ends the text, and protects nothing, is a name as it is; `copy` is to be freed.
static const char *name_in(const char *element, size_t length, const char *sep, char **copy) {
    const bool is_name = !element[length] && !memchr(element, '\\', length);
    *copy = is_name ? NULL : ecs__path_unescape(element, length, sep);
    return is_name ? element : *copy;
}

ecs_entity_t ecs__make_element(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *element, size_t length, const char *sep, const ecs_id_t *ids, int32_t count) {
    char *copy;
    const char *name = name_in(element, length, sep, &copy);
    entity = ecs__make_named(world, entity, parent, name, ids, count);
    ecs_os_free(copy);
    return entity;
}

// A given entity, or a new one if all of that has to wait.
static ecs_entity_t place_element(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *element, size_t length, const char *sep, bool moves) {
    char *copy;
    const char *name = name_in(element, length, sep, &copy);
    if (!entity) entity = ecs_new(world);
    place(world, entity, parent, moves, name);
    ecs_os_free(copy);
    return entity;
}

static ecs_entity_t make(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *element, size_t length, const char *sep) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    if (ecs__stage_defers(stage))
        return place_element(world, entity, parent, element, length, sep, false);
    if (parent && !ecs__check_add(stage->world, entity, ECS__MAKE_PAIR(Ecs__ChildOf, parent)))
        return 0;
    return ecs__make_element(world, entity, parent, element, length, sep, NULL, 0);
}

// It gets its name and its place in one step.
static bool is_bare(const ecs_world_t *world, ecs_entity_t entity) {
    return !entity || (!ecs_is_deferred(world) && !ecs_get_type(world, entity)->count);
}

static void tell(ecs_vec_t *made, ecs_entity_t entity) {
    if (made && entity) *ecs_vec_append_t(NULL, made, ecs_entity_t) = entity;
}

bool ecs__make_way(
    ecs_world_t *world, ecs_entity_t *parent, const char **path, const char *sep, ecs_vec_t *made) {
    const char *rest;
    size_t length;
    while (length = ecs__path_element(*path, sep, &rest), rest) {
        ecs_entity_t child = ecs__lookup_element(world, *parent, *path, length, sep);
        if (!child) tell(made, child = make(world, 0, *parent, *path, length, sep));
        *parent = child;
        *path = rest;
        if (!child || !ecs_is_alive(world, child)) return false;
    }
    return true;
}

ecs_entity_t ecs__place_path(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *path, const char *sep, bool moves, ecs_vec_t *made) {
    if (!path) return parent;
    if (!ecs__make_way(world, &parent, &path, sep, made)) return 0;
    if (entity && !ecs_is_alive(world, entity)) return 0; /* whoever heard of the way deleted it */
    const size_t length = strlen(path);
    ecs_entity_t child = ecs__lookup_element(world, parent, path, length, sep);
    if (child) return child;
    child = is_bare(world, entity) ? make(world, entity, parent, path, length, sep)
                                   : place_element(world, entity, parent, path, length, sep, moves);
    tell(made, child);
    return child;
}

ecs_entity_t ecs_add_path_w_sep(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *path, const char *sep, const char *prefix) {
    ecs_check(!parent || ecs_id_is_valid(world, ecs_childof(parent)), ECS_INVALID_PARAMETER,
        "cannot put an entity below entity %u: it is not alive, or a wildcard", (uint32_t)parent);
    ecs_check(!entity || ecs_is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot name entity %u: it is not alive", (uint32_t)entity);
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
