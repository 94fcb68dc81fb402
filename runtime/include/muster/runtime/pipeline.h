// SPDX-License-Identifier: MIT
// pipeline: which systems a tick runs, in which order, and on how many threads.
//
// A pipeline is a query over system entities. The builtin one takes all enabled systems with a
// phase, ordered by their depth along DependsOn and then by entity id. Its phases, in order:
//   EcsPreFrame EcsOnLoad EcsPostLoad EcsPreUpdate EcsOnUpdate
//   EcsOnValidate EcsPostUpdate EcsPreStore EcsOnStore EcsPostFrame
// and EcsOnStart, which runs once, before the first tick and without asking tick sources. A phase of one's own is an entity with
// EcsPhase and (DependsOn, phase). From the order and from what terms declare a schedule is made
// once and kept until systems change (see schedule.h).
// Threads: the thread that owns the world, between ticks.
#ifndef MUSTER_RUNTIME_PIPELINE_H
#define MUSTER_RUNTIME_PIPELINE_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ecs_pipeline_desc_t {
    ecs_entity_t entity;    /**< becomes the pipeline; 0 = a new entity */
    ecs_query_desc_t query; /**< over systems; the first term must be EcsSystem */
} ecs_pipeline_desc_t;

/** Make a pipeline. Systems run in the order of the query's groups (for a cascade term: by depth), in each by entity id if
 * the query has no order of its own. It ends with its entity; if that is deleted while it runs, with the merge that does so.
 *
 * @return         The pipeline; 0 with a logged sentence if the query is wrong. The entity is deleted then.
 * Errors:         [chk] the first term is not EcsSystem; the entity is a pipeline already; a system runs that is not immediate.
 */
ECS_API ecs_entity_t ecs_pipeline_init(ecs_world_t *world, const ecs_pipeline_desc_t *desc);
/** Give a pipeline another query; it keeps its own, and 0 is returned, if that is wrong. */
ECS_API ecs_entity_t ecs_pipeline_update(
    ecs_world_t *world, ecs_entity_t pipeline, const ecs_pipeline_desc_t *desc);
/** The pipeline that ecs_progress() runs. [chk] it is one. */
ECS_API void ecs_set_pipeline(ecs_world_t *world, ecs_entity_t pipeline);
/** That pipeline; 0 in a world without runtime. */
ECS_API ecs_entity_t ecs_get_pipeline(const ecs_world_t *world);
/** Run a pipeline (0 = the current one) without beginning and ending a frame. `delta_time` in
 * seconds, not scaled; outside of frames it is also what timers count. [chk] finite. */
ECS_API void ecs_run_pipeline(ecs_world_t *world, ecs_entity_t pipeline, ecs_ftime_t delta_time);

/** Use `threads` workers; the calling thread is one of them. 0 and 1 (and less): no further threads;
 * 64 is the most, larger numbers count as 64.
 *
 * Results do not depend on the number. Worker threads are made by ecs_os_api.thread_new_ and sleep between ticks. [chk] not while a
 * pipeline runs.
 */
ECS_API void ecs_set_threads(ecs_world_t *world, int32_t threads);
/** The same, with threads that ecs_os_api.task_new_ makes when a frame begins and that are joined when it ends. */
ECS_API void ecs_set_task_threads(ecs_world_t *world, int32_t threads);
/** True if the threads were set by ecs_set_task_threads(). */
ECS_API bool ecs_using_task_threads(ecs_world_t *world);

#define ecs_pipeline(world, ...) \
    ecs_pipeline_init(world, ECS_TEMP_(ecs_pipeline_desc_t, __VA_ARGS__))

#define ECS_PIPELINE_DECLARE(name) ecs_entity_t name, ecs_id(name)
/** Make a pipeline with a name; `...` is the text of its query. */
#define ECS_PIPELINE_DEFINE(world, name, ...) \
    ecs_id(name) = name = ecs_pipeline_define_(world, name, #name, #__VA_ARGS__)
#define ECS_PIPELINE(world, name, ...)             \
    ecs_entity_t name = 0, ecs_id(name) = 0;       \
    ECS_PIPELINE_DEFINE(world, name, __VA_ARGS__); \
    (void)name;                                    \
    (void)ecs_id(name)

/* Behind ECS_PIPELINE. Aborts if the query is wrong. */
ECS_API ecs_entity_t ecs_pipeline_define_(
    ecs_world_t *world, ecs_entity_t id, const char *name, const char *expr);

#ifdef __cplusplus
}
#endif

#endif
