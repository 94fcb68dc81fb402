// SPDX-License-Identifier: MIT
// stats: what a pipeline runs, and where it merges. See schedule.h for why.
#ifndef MUSTER_RUNTIME_STATS_H
#define MUSTER_RUNTIME_STATS_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The systems between two merges. */
typedef struct ecs_sync_stats_t {
    int32_t system_count;
    bool multi_threaded; /**< workers take part */
    bool immediate;      /**< one system that changes the world directly */
} ecs_sync_stats_t;

/** Zero it before the first use. */
typedef struct ecs_pipeline_stats_t {
    ecs_vec_t systems;           /**< ecs_entity_t: active systems in order, 0 at each merge */
    ecs_vec_t sync_points;       /**< ecs_sync_stats_t, one per merge */
    int32_t t;                   /**< how often it was filled in */
    int32_t system_count;        /**< enabled systems */
    int32_t active_system_count; /**< of those, systems that match something */
    int32_t rebuild_count;       /**< schedules made so far, of all pipelines of the world */
} ecs_pipeline_stats_t;

/** Fill in what a pipeline (0 = the current one) runs at present. False if it is none, or runs.
 * Ownership: the vectors grow as needed; end them with ecs_pipeline_stats_fini(). Threads: the one that owns the world. */
ECS_API bool ecs_pipeline_stats_get(
    ecs_world_t *world, ecs_entity_t pipeline, ecs_pipeline_stats_t *stats);
ECS_API void ecs_pipeline_stats_fini(ecs_pipeline_stats_t *stats);

#ifdef __cplusplus
}
#endif

#endif
