// SPDX-License-Identifier: MIT
// show: the iterator that an observer sees, and the call.
#ifndef ECS_EVENT_SHOW_H
#define ECS_EVENT_SHOW_H

#include <muster/ecs/iter.h>
#include "event/notice.h"
#include "query/query.h"

static inline const ecs__plan_t *ecs__observer_plan(const ecs__observer_t *observer) {
    return &ecs__query_program(observer->pub.query)->plan;
}

static inline bool ecs__observer_has_goals(const ecs__observer_t *observer) {
    return ecs__query_program(observer->pub.query)->graph != NULL;
}

/** ecs_iter_t.next of what is shown: there is one result. */
bool ecs__show_once(ecs_iter_t *it);
/** Begin an iterator for a notice; then its rows, and its fields, which have values where they are now: entities may have moved since a
 * match was made. */
void ecs__show_begin(ecs_iter_t *it, const ecs__observer_t *observer, const ecs__notice_t *notice);
void ecs__show_rows(ecs_iter_t *it, int32_t row, int32_t count);
void ecs__show_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source, int32_t row);
void ecs__show_no_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source);
/** Prepare an iterator, zeroed or used for this before, for observers of one term. */
void ecs__show_begin_one(ecs_iter_t *it, ecs_world_t *world, ecs_entity_t event, ecs_table_t *table,
    const ecs_table_t *other);

/** Begin to evaluate the plan of an observer for a table (NULL: its constants), */
static inline void ecs__show_eval(const ecs__observer_t *observer, ecs__eval_t *eval,
    const ecs__store_t *store, const ecs_table_t *table) {
    const ecs__plan_t *plan = ecs__observer_plan(observer);
    ecs__eval_init(eval, plan, store, 0, plan->count, ECS_CONST_CAST(ecs_table_t *, table), true);
}
/** show the fields of what was found, */
void ecs__show_found(ecs_iter_t *it, const ecs__eval_t *eval, int32_t row);
/** or the whole of it: of what a wildcard could match, the id that triggers counts. */
void ecs__show(ecs_iter_t *it, const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs__eval_t *eval);
/** Of the results for an entity, the one about what triggered counts. `ids`: those of its fields. */
bool ecs__show_is_about(
    const ecs_id_t *ids, const ecs__notice_t *notice, const ecs__waiter_t *waiter);
/** A result, as it is shown while the iterator it is of waits: to be released with ecs__iter_free(); */
ecs_iter_t ecs__show_copy(const ecs_iter_t *result, ecs_entity_t event, ecs_id_t id);
/** the same for who waits for the term. */
ecs_iter_t ecs__show_result(
    const ecs_iter_t *result, const ecs__notice_t *notice, const ecs_term_t *term);

void ecs__show_call(const ecs__observer_t *observer, ecs_iter_t *it);
/** The same for rows. Arrays next to single values come row by row, unless the query says otherwise: an index that fits one is wrong for
 * the other. */
void ecs__show_call_rows(
    const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count);

#endif
