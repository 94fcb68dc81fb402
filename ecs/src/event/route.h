// SPDX-License-Identifier: MIT
// route: who is to be told when rows move between two tables, or when a value of a table is set.
//
// Nearly all events concern a few pairs of tables and observers of one term. Who they are depends on
// the tables and on who waits, so it is worked out once and kept in a small cache, keyed by table
// numbers (never reused) and by events->stamp (advances when waiters come or go). What depends on
// more than that, such as queries and propagation, takes the general way.
// Threads: the main thread while the world is not readonly.
#ifndef ECS_EVENT_ROUTE_H
#define ECS_EVENT_ROUTE_H

#include <muster/ecs/iter.h>
#include "event/match.h"

typedef enum ecs__route_kind_t {
    ECS__ROUTE_NONE,   /* nobody is to be told */
    ECS__ROUTE_SIMPLE, /* only observers of one term, about the rows themselves */
    ECS__ROUTE_GENERAL
} ecs__route_kind_t;

typedef struct ecs__stop_t {
    const ecs__observer_t *observer;
    ecs_id_t id; /* that triggers */
    int32_t column;
} ecs__stop_t;

typedef struct ecs__route_t {
    const ecs__event_t *event;
    uint64_t table, other; /* numbers of tables, or an id for OnSet */
    uint64_t stamp;
    ecs__route_kind_t kind;
    bool looks_down; /* rows that are targets of relationships take the general way */
    int32_t busy;    /* > 0 while told: may not be replaced */
    int32_t count, size;
    ecs__stop_t *stops; /* in the order in which they are told */
} ecs__route_t;

#define ECS__ROUTES 256

typedef struct ecs__routes_t {
    ecs_iter_t it;   /* what observers see; kept, since most of it is always the same */
    bool is_telling; /* it is in use: observers in observers get another */
    ecs__route_t slots[ECS__ROUTES];
} ecs__routes_t;

/** The route of rows that are in `table` and come from, or go to, `other` (NULL: from or to nothing). */
const ecs__route_t *ecs__route_of_move(ecs__events_t *events, const ecs__event_t *event,
    const ecs_table_t *table, const ecs_table_t *other);
/** The route of values of one id of a table. */
const ecs__route_t *ecs__route_of_set(ecs__events_t *events, const ecs_table_t *table, ecs_id_t id);
/** Tell everyone on a simple route. */
void ecs__route_tell(ecs__events_t *events, const ecs__route_t *route, const ecs__notice_t *notice);

void ecs__routes_free(ecs__routes_t *routes);

#endif
