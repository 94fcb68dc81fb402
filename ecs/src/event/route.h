// SPDX-License-Identifier: MIT
// route: who is to be told when rows move between two tables, when a value of a table is set, or of an event of the user about one id.
//
// Nearly all events concern a few pairs of tables and observers of one term. Who they are depends on
// the tables and on who waits, so it is worked out once and kept in a small cache, keyed by table
// numbers (never reused) and by events->stamp (advances when waiters come or go). Whether observers of several terms match is worked out
// once, too, where the tables decide that; of terms that look up, as long as no base, or nothing above anything, changes
// (store->bases_stamp, above_stamp), unless that is too often. Rows that others look through take the general way only if such others
// are there. So does what depends on more than that, such as variables and values beside tables, and do events inside others.
// Mostly an event is of the kind it was last time: each keeps the route it showed, and the iterator that shows it.
// Threads: the main thread while the world is not readonly.
#ifndef ECS_EVENT_ROUTE_H
#define ECS_EVENT_ROUTE_H

#include <muster/ecs/iter.h>
#include "event/notice.h"

typedef enum ecs__route_kind_t {
    ECS__ROUTE_NONE,   /* nobody is to be told */
    ECS__ROUTE_SIMPLE, /* only observers of one term, about the rows themselves */
    ECS__ROUTE_MIXED,  /* some have a query that the tables decide */
    ECS__ROUTE_GENERAL
} ecs__route_kind_t;

/** One observer on a route; all that its iterator shows lies here, next to that of the others. */
typedef struct ecs__stop_t {
    const ecs__observer_t *observer;
    ecs_iter_action_t action; /* run or callback */
    ecs_id_t id;              /* that triggers */
    int32_t column;           /* -1: without value */
    ecs_size_t size;
    const ecs_query_t *query;
    void *ctx;
    ecs_entity_t system;
    void *callback_ctx, *run_ctx;
    ecs_iter_action_t callback;
    ecs_iter_t *of_query; /* NULL: one term; else shows all but the rows, as tables decide */
} ecs__stop_t;

struct ecs__route_t {
    ecs__event_t *event;
    uint64_t table, other; /* numbers of tables; or an id, for events that are no moves */
    uint64_t stamp;
    uint64_t kinds; /* of the store: queries may ask otherwise since */
    uint64_t above,
        bases; /* stamps of the store, if it depends on what is above, or inherited; else 0 */
    /* Queries were asked, which is dear: so many events for which it is not right take the general way before another is worked out
     * in its place, and more each time that one was of no use. */
    bool is_dear, is_used;
    int32_t waits, patience;
    ecs__route_kind_t kind;
    /* along which those below may have to be told, as for ecs__below_any: rows that have any take the general way */
    uint64_t down;
    /* of moves: all there is to tell; nobody waits for the absence of what comes or goes */
    bool is_alone;
    int32_t count, size;
    ecs_iter_t *teller;       /* of the event */
    ecs__stop_t *stops, *end; /* in the order in which they are told */
};

#define ECS__ROUTES 256

struct ecs__routes_t {
    ecs__route_t slots[ECS__ROUTES];
    ecs_vec_t iters; /* ecs_iter_t*: of queries that are on no route any more */
};

/** Leads nowhere. */
extern const ecs__route_t ecs__no_route;

static inline uint64_t ecs__route_number(const ecs_table_t *other) {
    return other ? other->id : UINT64_MAX;
}

/** The route that was told last, if it is the one that is asked for and may be told now; else NULL. No observer runs. */
static inline const ecs__route_t *ecs__route_again(
    const ecs__event_t *event, const ecs_table_t *table, uint64_t other) {
    const ecs__route_t *route = event->shown;
    bool is_open = route->table == table->id && route->other == other &&
                   !(route->down && table->traversable_count);
    return is_open ? route : NULL;
}
/** No event is told along the route it was told last without it being looked for: who waits is another, the world is suspended, or ends. */
void ecs__routes_close(ecs__events_t *events);
/** An observer has other functions and contexts from now on, also for events that it is about to be told of. */
void ecs__routes_update(ecs__events_t *events, const ecs__observer_t *observer);
/** Tell everyone on the route of rows that are in `table` and come from, or go to, `other` (NULL: nothing), while stage 0 defers.
 * False, and nobody is told, if that takes the general way. */
bool ecs__route_tell_move(ecs__events_t *events, ecs__event_t *event, ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count);
/** The same for values of one id that were set. */
bool ecs__route_tell_set(
    ecs__events_t *events, ecs_table_t *table, ecs_id_t id, int32_t row, int32_t count);
/** The same for an event of the user about one id. */
bool ecs__route_tell_custom(ecs__events_t *events, ecs_entity_t event, ecs_table_t *table,
    ecs_id_t id, int32_t row, int32_t count, void *param);

/** An event ends. */
void ecs__routes_forget(ecs__routes_t *routes, const ecs__event_t *event);
void ecs__routes_free(ecs__routes_t *routes);
/** Routes that are shown are what they would be now. */
ECS_COLD bool ecs__routes_verify(const ecs__events_t *events);

#endif
