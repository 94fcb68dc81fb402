// SPDX-License-Identifier: MIT
// match: whether an observer is to be told of a notice, and telling it.
//
// Simple observers (one term) are told what triggered them as it is. Others have their query evaluated on the table of the rows, each
// time, or once for a route (decide.h).
// Threads: whoever emits; nothing shared is written but counters.
#ifndef ECS_EVENT_MATCH_H
#define ECS_EVENT_MATCH_H

#include "event/notice.h"

/** False if the table lacks something that the query of an observer asks for. */
bool ecs__match_may_be(const ecs__observer_t *observer, const ecs__notice_t *notice);
/** Tell an observer with several terms, or one not about $this: evaluates its query. False if it does not match. */
bool ecs__match_query(const ecs__waiter_t *waiter, const ecs__notice_t *notice);
/** Tell an observer with one term. False if rows of this table are not for it. */
bool ecs__match_simple(const ecs__observer_t *observer, const ecs__notice_t *notice);
/** Tell an observer of a table as such, without rows. */
bool ecs__match_table(const ecs__observer_t *observer, const ecs__notice_t *notice);

#endif
