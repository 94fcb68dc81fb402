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

/* ---- Change detection ---- */

ECS_API bool ecs_query_changed(ecs_query_t *query);
ECS_API bool ecs_iter_changed(ecs_iter_t *it);

/* ---- Groups of results, other than the depths of a cascade ---- */

typedef struct ecs_query_group_info_t {
    uint64_t id;
    int32_t match_count;
    int32_t table_count;
    void *ctx;
} ecs_query_group_info_t;

ECS_API const ecs_query_group_info_t *ecs_query_get_group_info(
    const ecs_query_t *query, uint64_t group_id);
ECS_API void *ecs_query_get_group_ctx(const ecs_query_t *query, uint64_t group_id);
ECS_API const ecs_map_t *ecs_query_get_groups(const ecs_query_t *query);
ECS_API void ecs_iter_set_group(ecs_iter_t *it, uint64_t group_id);

/* ---- Variables other than $this, profiles ---- */

ECS_API const char *ecs_query_args_parse(ecs_query_t *query, ecs_iter_t *it, const char *expr);
ECS_API ecs_var_t *ecs_iter_get_vars(const ecs_iter_t *it);
ECS_API char *ecs_query_plan_w_profile(const ecs_query_t *query, const ecs_iter_t *it);

#ifdef __cplusplus
}
#endif

#endif
