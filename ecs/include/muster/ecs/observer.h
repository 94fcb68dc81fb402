// SPDX-License-Identifier: MIT
// observer: functions that are told about changes: ids added, set and removed, entities that start and stop matching a query,
// tables made and deleted, and events of one's own.
//
//   ecs_observer(world, { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnSet }, .callback = on_position });
//
// Observers run at once, on the thread that makes the change; for commands of systems that is the merge, in the order of the
// commands whatever the number of workers. What a callback changes is recorded, and applied before the outermost change returns.
// For one id the observers of `_` come first, then those of the id itself, of (*, T), (R, *), (*, *), and of `*`; those whose
// terms only look at the entity itself before those that also look up; otherwise they run in the order they were made.
// docs/events.md says what hooks and observers see, operation by operation.
// Threads: observers are made, changed and deleted by the thread that owns the world, while it is not readonly.
#ifndef MUSTER_ECS_OBSERVER_H
#define MUSTER_ECS_OBSERVER_H

#include <muster/ecs/iter.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Runs a whole system or observer: advance `it` with ecs_iter_next() to the end. */
typedef void (*ecs_run_action_t)(ecs_iter_t *it);
/** Where observers are kept; not for users. */
typedef struct ecs_observable_t ecs_observable_t;

/* ecs_observer_desc_t.flags_ */
#define EcsObserverMatchPrefab (1u << 1)   /**< tell of prefabs too, like a term on EcsPrefab */
#define EcsObserverMatchDisabled (1u << 2) /**< tell of disabled entities too */
#define EcsObserverBypassQuery \
    (1u << 7) /**< call for each event on an id, whatever the other terms say */
#define EcsObserverYieldOnCreate \
    (1u << 8) /**< half of yield_existing: events other than EcsOnRemove */
#define EcsObserverYieldOnDelete \
    (1u << 9) /**< the other half: EcsOnRemove when the observer goes */

/* ecs_event_desc_t.flags */
#define EcsEventNoOnSet (1u << 16)
#define EcsEventTableOnly (1u << 20)

/** What ecs_observer_init() is to make. */
typedef struct ecs_observer_desc_t {
    int32_t _canary;
    ecs_entity_t entity;    /**< becomes the observer; 0 = a new entity */
    ecs_query_desc_t query; /**< what is observed */
    ecs_entity_t events
        [FLECS_EVENT_DESC_MAX]; /**< ended by 0; EcsMonitor stands alone; EcsWildcard = any event but those of tables */
    /** Also told of what matches when the observer is made, and (EcsOnRemove) when it is deleted. */
    bool yield_existing;
    bool global_observer;       /**< has no entity and lives as long as the world */
    ecs_iter_action_t callback; /**< once per change */
    ecs_run_action_t run;       /**< instead of callback */
    void *ctx;                  /**< it->ctx */
    ecs_ctx_free_t ctx_free;
    void *callback_ctx;
    ecs_ctx_free_t callback_ctx_free;
    void *run_ctx;
    ecs_ctx_free_t run_ctx_free;
    int32_t *last_event_id; /**< not used */
    int8_t term_index_;     /**< not used */
    ecs_flags32_t flags_;   /**< EcsObserver* */
} ecs_observer_desc_t;

/** An observer, as ecs_observer_get() shows it. Read only. */
typedef struct ecs_observer_t {
    ecs_header_t hdr;
    ecs_query_t *query;
    ecs_entity_t events[FLECS_EVENT_DESC_MAX];
    int32_t event_count;
    ecs_iter_action_t callback;
    ecs_run_action_t run;
    void *ctx;
    void *callback_ctx;
    void *run_ctx;
    ecs_ctx_free_t ctx_free;
    ecs_ctx_free_t callback_ctx_free;
    ecs_ctx_free_t run_ctx_free;
    ecs_observable_t *observable;
    ecs_world_t *world;
    ecs_entity_t entity; /**< 0 for global observers */
} ecs_observer_t;

/** An event to emit: what happened (event, ids) to whom (entity, or rows of a table). */
typedef struct ecs_event_desc_t {
    ecs_entity_t event;
    const ecs_type_t *ids; /**< NULL: only observers of `_` are told */
    ecs_table_t *table;    /**< rows [offset, offset + count) of a table, or … */
    ecs_table_t *other_table;
    int32_t offset;
    int32_t count;       /**< 0 = to the end of the table */
    ecs_entity_t entity; /**< … one entity */
    void *param;         /**< it->param */
    const void *const_param;
    void *set_ptr;          /**< not used */
    ecs_poly_t *observable; /**< not used */
    ecs_flags32_t flags;    /**< EcsEvent* */
} ecs_event_desc_t;

/** Make an observer.
 *
 * @return         The observer's entity; 0 for a global one, if someone who heard of the entity deleted it, and with a logged sentence if
 *                 the query is not valid.
 * Errors:         [chk] a stage; the world is readonly or ending; no callback, event or term; EcsMonitor among other events; the
 *                 entity is an observer already; yield_existing together with EcsObserverYieldOnCreate or -OnDelete.
 * Ownership:      the descriptor is copied; contexts belong to the observer from now on.
 */
ECS_API ecs_entity_t ecs_observer_init(ecs_world_t *world, const ecs_observer_desc_t *desc);
/** Change functions and contexts that are not zero in `desc`; query and events stay. Giving only one of run and callback removes
 * the other. Returns the observer. [chk] canary. */
ECS_API ecs_entity_t ecs_observer_update(
    ecs_world_t *world, ecs_entity_t observer, const ecs_observer_desc_t *desc);
/** The observer object, valid until the observer is deleted; NULL if the entity is none. */
ECS_API const ecs_observer_t *ecs_observer_get(const ecs_world_t *world, ecs_entity_t observer);

/** Tell observers now. Ids that the entity does not have itself are passed over (except EcsAny, ChildOf pairs and what is kept
 * beside tables).
 * Errors:         [chk] no event, or EcsWildcard; both params; neither a living entity nor a table; a range outside the table.
 * Deferred:       observers run at once all the same; what they do is recorded.
 * Threads:        inside any system, with its stage. Where several threads may use the world (multithreaded systems, any_thread
 *                 systems, stages made with ecs_stage_new) observers run at the merge instead, on the main thread, and the event
 *                 takes its place among the commands, as with ecs_enqueue: one order for any number of workers. The param is
 *                 copied then; [chk] the event must be its component.
 */
ECS_API void ecs_emit(ecs_world_t *world, ecs_event_desc_t *desc);
/** The same, but while deferred the event takes its place among the commands. `param` is moved from and const_param copied: the
 * event must then be their component. Rows of a table are remembered as entities, of which those that still live are told.
 * Errors:         see ecs_emit; [chk] while deferred, a param and an event that is no component. */
ECS_API void ecs_enqueue(ecs_world_t *world, ecs_event_desc_t *desc);

/* Behind ECS_OBSERVER. Aborts if the query is wrong, as a declaration cannot be undone. */
ECS_API ecs_entity_t ecs_observer_define_(ecs_world_t *world, ecs_entity_t id, const char *name,
    ecs_iter_action_t callback, ecs_entity_t event, const char *expr);

#ifdef __cplusplus
}
#endif

#endif
