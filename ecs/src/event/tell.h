// SPDX-License-Identifier: MIT
// tell: showing rows to everyone on a route.
//
// What a change costs that somebody hears of is mostly this, so it is short, and inlined where changes are made one by one. Each event
// has one iterator, of which little differs from observer to observer, and only the rows from telling to telling.
// Threads: the main thread.
#ifndef ECS_EVENT_TELL_H
#define ECS_EVENT_TELL_H

#include "base/assert.h"
#include "event/route.h"

/** Show the id that triggers, where it is another than before. */
void ecs__tell_id(ecs_iter_t *it, const ecs__stop_t *stop);
/** Tell all of several. */
void ecs__tell_several(ecs__events_t *events, const ecs__route_t *route);

/** The value in a row. There is no data in column -1. */
static inline void *ecs__tell_value(
    const ecs__stop_t *stop, const ecs_table_t *table, int32_t row) {
    return ECS_OFFSET(table->data[stop->column], (size_t)stop->size * (size_t)row);
}

/** Show an observer; mostly the id is the same as before. */
static inline void ecs__tell_next(ecs_iter_t *it, const ecs__stop_t *stop) {
    if (it->event_id != stop->id) ecs__tell_id(it, stop);
    it->query = stop->query;
    it->ctx = stop->ctx;
    it->system = stop->system;
    it->callback_ctx = stop->callback_ctx;
    it->run_ctx = stop->run_ctx;
    it->callback = stop->callback;
}

static inline void ecs__tell_call(ecs_iter_t *it, const ecs__stop_t *stop) {
    it->flags = ECS__SHOWN | EcsIterKept;
    it->priv_.position = 0;
    stop->action(it);
}

/** Tell everyone on a route of rows of its table, while stage 0 defers; `value` is the first one. Who is on it alone is shown already,
 * and nothing but `events` has to outlast the call. */
static inline void ecs__tell(ecs__events_t *events, const ecs__route_t *route,
    const ecs_table_t *table, int32_t row, int32_t count, void *value) {
    ecs__assert(!events->depth, "nobody is told while others are");
    ecs_iter_t *it = route->teller;
    it->count = count;
    it->offset = row;
    it->entities = &table->entities[row];
    it->priv_.ptrs[0] = value;
    events->depth = 1;
    if (__builtin_expect(route->count > 1, 0)) {
        ecs__tell_several(events, route);
    } else {
        ecs__tell_call(it, route->stops);
        ++*events->ran;
    }
    events->depth = 0;
    if (events->dead) ecs__events_sweep(events);
}

/** The same, the value is that in the row. */
static inline void ecs__tell_row(ecs__events_t *events, const ecs__route_t *route,
    const ecs_table_t *table, int32_t row, int32_t count) {
    ecs__tell(events, route, table, row, count, ecs__tell_value(route->stops, table, row));
}

#endif
