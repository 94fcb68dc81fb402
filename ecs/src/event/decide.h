// SPDX-License-Identifier: MIT
// decide: whether two tables decide that an observer with a query is told of rows that move between them, so that a route can say so.
#ifndef ECS_EVENT_DECIDE_H
#define ECS_EVENT_DECIDE_H

#include "event/notice.h"

/** What tables tell of a question. */
typedef enum ecs__answer_t {
    ECS__ANSWER_NO,
    ECS__ANSWER_YES,
    ECS__ANSWER_DEPENDS /* on more than the tables */
} ecs__answer_t;

/** What the answer depends on beside the two tables. */
#define ECS__BY_BASES (1u << 0) /* it holds as long as store->bases_stamp does, */
#define ECS__BY_ABOVE (1u << 1) /* or above_stamp */
/** Would an observer be told of any rows of the tables of a notice? If so, its iterator is prepared, but for the rows. Adds ECS__BY_* to
 * `by`. */
ecs__answer_t ecs__decide(
    ecs_iter_t *it, const ecs__waiter_t *waiter, const ecs__notice_t *notice, uint32_t *by);
/** Tell an observer whose iterator was prepared of rows; values of sources are where they are now. */
void ecs__decide_again(const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count);

#endif
