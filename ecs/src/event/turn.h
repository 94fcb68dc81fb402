// SPDX-License-Identifier: MIT
// turn: whether entities begin, or cease, to match with a change.
//
// Monitors, and terms in negated scopes, are told of nothing else. The entity that changes is taken as it was before, or will be after, the
// change (storage/instead.h), and the query is asked again; or just the term, if that is all that can be other.
#ifndef ECS_EVENT_TURN_H
#define ECS_EVENT_TURN_H

#include "event/notice.h"
#include "query/query.h"

/** True if a term may ask whether what it names is switched on. Alternatives do not; what is in a list may be in others later. */
bool ecs__turn_minds_switch(const ecs_query_t *query, const ecs_term_t *term);
bool ecs__turn_asks_rows(const ecs__eval_t *eval);
/** Of a table that matches, some rows may not: ids are switched off, here or above. */
static inline bool ecs__turn_is_by_row(const ecs__eval_t *eval) {
    return eval->plan->by_row && ecs__turn_asks_rows(eval);
}
/** An entity, the first row, that matches now: it enters if it did not before, and leaves if it will not afterwards. */
bool ecs__turn_is(
    const ecs__observer_t *observer, const ecs__notice_t *notice, const ecs_term_t *term);
/** The same by what happens to a constant, of a row that matches (table NULL: there is none); true for all who are told of more. */
bool ecs__turn_by_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs_table_t *table, int32_t row);

#endif
