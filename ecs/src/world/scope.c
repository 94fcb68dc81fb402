// SPDX-License-Identifier: MIT
// scope: what a stage applies to new entities (scope, with) and to lookups (scope, lookup path);
// the name prefix of the world.
//
// Threads: each stage has its own; a stage is used by one thread at a time. Jobs begin with those of the main stage, whoever runs them
// (extend.c).
#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>

#include "base/atomics.h"
#include "world/state.h"
#include "world/write.h"

// Stages of users take part in no stretch.
static void change(ecs_stage_t *stage, ecs__scope_t scope) {
    stage->scope = scope;
    if (stage->in_slot)
        stage->is_rescoped = true;
    else if (stage->id >= 0)
        ecs__store_32(&stage->world->is_scoped, true);
}

ecs_entity_t ecs_set_scope(ecs_world_t *world, ecs_entity_t scope) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs__scope_t now = stage->scope;
    ecs_entity_t previous = now.parent;
    ECS__CHECK(ecs__check_writer(world) && ecs__check_thread(world, "set the scope"));
    ecs_check(!scope || ecs_id_is_valid(world, ecs_childof(scope)), ECS_INVALID_PARAMETER,
        "cannot make entity %u the scope: it is not alive, or a wildcard", (uint32_t)scope);
    now.parent = scope;
    change(stage, now);
error:
    return previous;
}

// Through the world a job sees what all begin with, not what the one on the main stage has set.
static const ecs__scope_t *scope_of(const ecs_world_t *poly) {
    const ecs_stage_t *stage = ecs__stage_of(poly);
    return !ecs__is_stage(poly) && poly->in_slots ? &stage->outer : &stage->scope;
}

ecs_entity_t ecs_get_scope(const ecs_world_t *world) { return scope_of(world)->parent; }

bool ecs__check_scope(const ecs_world_t *poly) {
    const ecs_entity_t scope = ecs_get_scope(poly);
    (void)scope;
    ecs_check(!scope || ecs_is_alive(poly, scope), ECS_INVALID_PARAMETER,
        "cannot create an entity in scope %u: it is not alive", (uint32_t)scope);
    return true;
error:
    return false;
}

ecs_id_t ecs_set_with(ecs_world_t *world, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs__scope_t now = stage->scope;
    ecs_id_t previous = now.with;
    ECS__CHECK(ecs__check_writer(world) && ecs__check_thread(world, "set what new entities have"));
    ecs_check(!id || ecs_id_is_valid(world, id), ECS_INVALID_PARAMETER,
        "new entities cannot be given %s: the id is not valid", ECS__TEXT(world, id));
    now.with = id;
    change(stage, now);
error:
    return previous;
}

ecs_id_t ecs_get_with(const ecs_world_t *world) { return scope_of(world)->with; }

// Names of builtins are found without their scope.
static const ecs_entity_t default_lookup_path[] = { Ecs__FlecsCore, 0 };

ecs_entity_t *ecs_set_lookup_path(ecs_world_t *world, const ecs_entity_t *path) {
    ecs_entity_t *previous = ecs_get_lookup_path(world);
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs__scope_t now = stage->scope;
    ECS__CHECK(ecs__check_writer(world) && ecs__check_thread(world, "set the lookup path"));
    now.lookup_path = path;
    change(stage, now);
error:
    return previous;
}

ecs_entity_t *ecs_get_lookup_path(const ecs_world_t *world) {
    const ecs_entity_t *path = scope_of(world)->lookup_path;
    return ECS_CONST_CAST(ecs_entity_t *, path ? path : default_lookup_path);
}

const char *ecs_set_name_prefix(ecs_world_t *world, const char *prefix) {
    ecs_world_info_t *info = &ecs__world_of(world)->info;
    const char *previous = info->name_prefix;
    ECS__CHECK(ecs__check_alone(world, "set the prefix of names"));
    info->name_prefix = prefix;
error:
    return previous;
}
