// SPDX-License-Identifier: MIT
// results: telling an observer of what its query finds: everything, or all that a change of a constant concerns.
#ifndef ECS_EVENT_RESULTS_H
#define ECS_EVENT_RESULTS_H

#include "event/notice.h"

/** Append all entities that match now, or one (0: all) if it does: ecs_entity_t, some of them more than once. Of a query without $this
 * that holds, 0. */
void ecs__results_list(const ecs__observer_t *observer, ecs_entity_t entity, ecs_vec_t *out);
/** Tell an observer of everything that matches now. */
void ecs__results_tell_all(const ecs__observer_t *observer, ecs_entity_t event);

/** The first row of a notice is a constant: tell of every result of the whole query. False if there is none. */
bool ecs__results_of_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice);
/** Tell of rows that match because of it, or no longer. */
void ecs__results_tell_rows(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    ecs_table_t *table, int32_t row, int32_t count);
/** Tell an observer of `_` on one entity; the event may be about no id. */
bool ecs__results_any_of(
    const ecs__observer_t *observer, const ecs__notice_t *notice, ecs_entity_t source);

#endif
