// SPDX-License-Identifier: MIT
// system: functions that run over the results of a query, each tick or on demand.
//
// A system is an entity with the tag EcsSystem. Its query is cached and belongs to the same entity.
// While systems run the world is readonly: values are read and written in place through fields,
// everything else is queued on `it->world` and applied at the next sync point. Functions here are
// called from the thread that owns the world, between ticks, unless they say otherwise.
//
// Three kinds of systems, by what may happen at the same time:
//   neither flag       runs alone on the calling thread
//   .multi_threaded    split into ranges of rows that workers take (without `$this` not split, and on
//                      the calling thread); overlaps with what it does not conflict with
//   .any_thread        not split, but overlaps like a multithreaded one
// What a multithreaded system may touch is what its terms declare. Results are the same for any
// number of workers.
#ifndef MUSTER_RUNTIME_SYSTEM_H
#define MUSTER_RUNTIME_SYSTEM_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*flecs_poly_dtor_t)(ecs_poly_t *poly);

/** What ecs_system_init() is to make. */
typedef struct ecs_system_desc_t {
    int32_t _canary;
    ecs_entity_t entity;    /**< becomes the system; 0 = a new entity */
    ecs_query_desc_t query; /**< no terms: a task, called once per run */
    ecs_entity_t phase; /**< adds the phase and (DependsOn, phase); 0 = runs by ecs_run() only */
    ecs_iter_action_t
        callback; /**< once per result, which it cannot advance [chk]; never if all terms are without source */
    ecs_run_action_t run; /**< instead of callback: once per run (per range when multithreaded) */
    void *ctx;            /**< it->ctx; it->param when ecs_run() gives none */
    ecs_ctx_free_t ctx_free;
    void *callback_ctx;
    ecs_ctx_free_t callback_ctx_free;
    void *run_ctx;
    ecs_ctx_free_t run_ctx_free;
    ecs_ftime_t interval;     /**< seconds between runs; excludes rate */
    int32_t rate;             /**< run each n-th tick of the tick source, or each n-th frame */
    ecs_entity_t tick_source; /**< entity with EcsTickSource that says when to run */
    bool multi_threaded;
    bool immediate; /**< runs alone with a writable world, whose commands are still deferred */
    bool any_thread;
} ecs_system_desc_t;

/** A system, as ecs_system_get() shows it. Read only. */
typedef struct ecs_system_t {
    ecs_header_t hdr;
    ecs_run_action_t run;
    ecs_iter_action_t action;
    ecs_query_t *query; /**< that of a task has no terms */
    uint64_t group_id;  /**< 0: see ecs_system_set_group() */
    bool group_id_set;
    ecs_entity_t tick_source;
    bool multi_threaded;
    bool immediate;
    bool any_thread;
    const char *name; /**< for messages and traces; owned by the system */
    void *ctx;
    void *callback_ctx;
    void *run_ctx;
    ecs_ctx_free_t ctx_free;
    ecs_ctx_free_t callback_ctx_free;
    ecs_ctx_free_t run_ctx_free;
    /** Seconds, counted while ecs_measure_system_time() is on; summed over workers. */
    ecs_ftime_t time_spent;
    /** With a tick source: seconds of simulation between its last two runs. */
    ecs_ftime_t time_passed;
    int64_t last_frame; /**< with a tick source: frame of the last run */
    flecs_poly_dtor_t dtor;
} ecs_system_t;

/** Make a system.
 *
 * @return         The system, or 0 with a logged sentence: bad query, interval and rate both given.
 *                 The entity is deleted then.
 * Errors:         [chk] a stage; readonly world; neither callback nor run; the entity is a system already.
 * Ownership:      the descriptor is copied; contexts belong to the system from now on.
 */
ECS_API ecs_entity_t ecs_system_init(ecs_world_t *world, const ecs_system_desc_t *desc);
/** Change what is not zero in `desc`; the query stays. Giving only one of run and callback
 * removes the other. Flags can only be switched on. Returns the system. [chk] canary; not readonly: among systems only immediate ones
 * do this. */
ECS_API ecs_entity_t ecs_system_update(
    ecs_world_t *world, ecs_entity_t system, const ecs_system_desc_t *desc);
/** The system object, valid until the system is deleted; NULL if the entity is no system. */
ECS_API const ecs_system_t *ecs_system_get(const ecs_world_t *world, ecs_entity_t system);

/** Restrict a system to one group of its query, which need not exist yet. It is not split among
 * workers then. [chk] the query has groups. Threads: any worker; a command while the world defers. */
ECS_API void ecs_system_set_group(ecs_world_t *world, ecs_entity_t system, uint64_t group_id);

/** Run a system now, whatever its phase, disabled or not.
 *
 * Commands are applied before it returns, unless the world was deferred. A tick source is
 * respected: if it did not tick, nothing runs. Multithreaded systems run on the calling thread.
 *
 * @param delta_time  Given to the iterator, seconds.
 * @param param       it->param; NULL = the system's ctx.
 * @return            it->interrupted_by when the system ended, else 0. A callback goes over all results even so; a run function gets no
 *                    more from ecs_iter_next().
 * Threads:           inside a system, with its stage.
 */
ECS_API ecs_entity_t ecs_run(
    ecs_world_t *world, ecs_entity_t system, ecs_ftime_t delta_time, void *param);
/** Run share `index` of `count` of a multithreaded system; others run whole. [chk] 0 <= index < count. */
ECS_API ecs_entity_t ecs_run_worker(ecs_world_t *world, ecs_entity_t system, int32_t index,
    int32_t count, ecs_ftime_t delta_time, void *param);

/** ecs_system(world, { .query.terms = {{ ecs_id(Position) }}, .callback = Move, .phase = EcsOnUpdate }) */
#define ecs_system(world, ...) ecs_system_init(world, ECS_TEMP_(ecs_system_desc_t, __VA_ARGS__))

/** Declare the variable of a system made with ECS_SYSTEM_DEFINE; use it as ecs_id(fn). */
#define ECS_SYSTEM_DECLARE(fn) ecs_entity_t ecs_id(fn)
/** Make a system named as its function; `...` is the text of its query, 0 for a task. */
#define ECS_SYSTEM_DEFINE(world, fn, phase_, ...) \
    ecs_id(fn) = ecs_system_define_(world, ecs_id(fn), #fn, fn, phase_, #__VA_ARGS__)
#define ECS_SYSTEM(world, fn, phase_, ...)             \
    ecs_entity_t ecs_id(fn) = 0;                       \
    ECS_SYSTEM_DEFINE(world, fn, phase_, __VA_ARGS__); \
    (void)ecs_id(fn)

/* Behind ECS_SYSTEM. Aborts if the query is wrong, as a declaration cannot be undone. */
ECS_API ecs_entity_t ecs_system_define_(ecs_world_t *world, ecs_entity_t id, const char *name,
    ecs_iter_action_t callback, ecs_entity_t phase, const char *expr);

#ifdef __cplusplus
}
#endif

#endif
