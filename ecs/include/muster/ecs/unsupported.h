// SPDX-License-Identifier: MIT
// unsupported: functions of the C vocabulary whose features this version does not have, so that code that names them compiles and links.
//
// Each reports one sentence with ECS_UNSUPPORTED (a failed check in debug builds, a logged error in others), changes nothing and
// returns 0, NULL or false. A function leaves this file when its feature arrives.
#ifndef MUSTER_ECS_UNSUPPORTED_H
#define MUSTER_ECS_UNSUPPORTED_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/iter.h>
#include <muster/ecs/query.h>
#include <muster/ecs/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Children by the component EcsParent ---- */

ECS_API ecs_entity_t ecs_new_w_parent(ecs_world_t *world, ecs_entity_t parent, const char *name);

/* ---- Sparse storage ---- */

ECS_API void *ecs_get_sparse_id(
    const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size);

/* ---- Variables other than $this, profiles ---- */

ECS_API const char *ecs_query_args_parse(ecs_query_t *query, ecs_iter_t *it, const char *expr);
ECS_API ecs_var_t *ecs_iter_get_vars(const ecs_iter_t *it);
ECS_API char *ecs_query_plan_w_profile(const ecs_query_t *query, const ecs_iter_t *it);

#ifdef __cplusplus
}
#endif

#endif
