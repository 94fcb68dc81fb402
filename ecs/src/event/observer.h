// SPDX-License-Identifier: MIT
// observer: the object behind ecs_observer_t: its query, its place among the waiters, its life on an entity.
//
// The object belongs to the pair (EcsPoly, EcsObserver) of its entity, or to the world if it is global.
// Threads: main thread, world not readonly.
#ifndef ECS_EVENT_OBSERVER_H
#define ECS_EVENT_OBSERVER_H

#include <muster/ecs/observer.h>
#include "event/events.h"
#include "query/graph/graph.h"

struct ecs__observer_t {
    ecs_observer_t pub;               /* first member; what users see */
    ecs__observer_t *next, *previous; /* all observers, in order of creation */
    uint64_t number;                  /* in order of creation */
    uint64_t told;                    /* events->emitted when it was last told of one */
    bool is_simple; /* one term on the entity itself: needs no query to be evaluated */
    bool is_monitor;
    bool looks_around;   /* a monitor, as event/around.c has found out, */
    bool hears_switches; /* and one that event/switch.h is about */
    bool is_disabled;    /* it, or something above it, has EcsDisabled */
    bool bypasses_query;
    bool yields_on_create, yields_on_delete;
    bool is_dead;     /* told of nothing any more */
    bool hears_first; /* a monitor, of those that end together; see ecs__emit_doom */
    ecs__kinds_t kinds;
};

static inline const ecs_term_t *ecs__waiter_term(const ecs__waiter_t *waiter) {
    return &waiter->observer->pub.query->terms[waiter->term];
}

/** False if no row of a table is an observer; rarely true although none is. */
static inline bool ecs__table_may_hold_observers(const ecs_table_t *table) {
    return table->bloom & ecs__id_bloom(ECS__MAKE_PAIR(Ecs__Poly, Ecs__Observer));
}

/** Take an observer out of the world; ended when no observer runs, or at the end of the world. */
void ecs__observer_end(ecs__observer_t *observer);
/** End what an observer owns that is out of the world already. */
void ecs__observer_release(ecs__observer_t *observer);

/** Rows came to a table: observers among them, or below them, may have been enabled, disabled or moved. */
void ecs__observers_follow(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count);
/** The same for an entity that has another parent in the component Parent now, or none. */
void ecs__observers_follow_parent(ecs_world_t *world, ecs_entity_t entity);
/** Something may be a kind of something else now: terms about that wait for it, too. */
void ecs__observers_follow_kinds(ecs_world_t *world);
/** Observers among rows that are about to lose their pair tell of what they still match. */
void ecs__observers_leave(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *after,
    int32_t row, int32_t count);
/** The world ends: observers that yield on deletion tell of everything, once, and stop. */
void ecs__observers_yield_all(ecs_world_t *world);

#endif
