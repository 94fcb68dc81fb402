// SPDX-License-Identifier: MIT
// match: from an event on rows of a table to the iterator an observer sees, and the call.
//
// Simple observers (one term) are told what triggered them as it is. Others have their query evaluated on the table of the rows, each
// time, or once for a route (route.h).
// Threads: whoever emits; nothing shared is written but counters.
#ifndef ECS_EVENT_MATCH_H
#define ECS_EVENT_MATCH_H

#include "event/observer.h"
#include "query/graph/solve.h"

/** Something that happened, as one observer is to be told. */
typedef struct ecs__notice_t {
    ecs_world_t *caller; /* world or stage that callbacks get */
    ecs_entity_t event;
    ecs_id_t id; /* concrete id that triggers */
    ecs_table_t *table;
    const ecs_table_t *other; /* where the rows were before, or go */
    int32_t row, count;
    ecs_entity_t source;    /* who has the id; 0 = the rows themselves */
    bool is_inverted;       /* the id is the one of a Not term */
    ecs__instead_t instead; /* who changes, beside the table, as before or after the change */
    void *param;
    uint64_t lacks; /* bloom of what the table certainly neither has nor inherits */
} ecs__notice_t;

/** What tables tell of a question. */
typedef enum ecs__answer_t {
    ECS__ANSWER_NO,
    ECS__ANSWER_YES,
    ECS__ANSWER_DEPENDS /* on more than the tables */
} ecs__answer_t;

/** The only entity that it is about; 0: there are several, or none. */
static inline ecs_entity_t ecs__notice_entity(const ecs__notice_t *notice) {
    return notice->count == 1 ? notice->table->entities[notice->row] : 0;
}

/** False if the table lacks something that the query of an observer asks for. */
bool ecs__match_may_be(const ecs__observer_t *observer, const ecs__notice_t *notice);
/** Tell an observer with several terms, or one not about $this: evaluates its query. False if it does not match. */
bool ecs__match_query(const ecs__waiter_t *waiter, const ecs__notice_t *notice);
/** Tell an observer with one term. False if rows of this table are not for it. */
bool ecs__match_simple(const ecs__observer_t *observer, const ecs__notice_t *notice);
/** What the answer depends on beside the two tables. */
#define ECS__BY_BASES (1u << 0) /* it holds as long as store->bases_stamp does, */
#define ECS__BY_ABOVE (1u << 1) /* or above_stamp */
/** Would an observer be told of any rows of the tables of a notice? If so, its iterator is prepared, but for the rows. Adds ECS__BY_* to
 * `by`. */
ecs__answer_t ecs__match_by_tables(
    ecs_iter_t *it, const ecs__waiter_t *waiter, const ecs__notice_t *notice, uint32_t *by);
/** Tell an observer whose iterator was prepared of rows; values of sources are where they are now. */
void ecs__match_again(const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count);
/** Prepare an iterator, zeroed or used for this before, for observers of one term. */
void ecs__match_begin_one(ecs_iter_t *it, ecs_world_t *world, ecs_entity_t event,
    ecs_table_t *table, const ecs_table_t *other);
/** The same for a source that is a constant, the first row: every result of the whole query. */
bool ecs__match_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice);
/** The same of rows, where a monitor asks about $this, too, or the term is in a negated scope: false if they do not enter or leave by
 * what happens to the constant; */
bool ecs__match_changes(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs_table_t *table, int32_t row);
/** tell an observer of rows that match because of it, or no longer. */
void ecs__match_changed(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    ecs_table_t *table, int32_t row, int32_t count);
/** Append all entities that match now, or one (0: all) if it does: ecs_entity_t, some of them more than once. Of a query without $this
 * that holds, 0. */
void ecs__match_list(const ecs__observer_t *observer, ecs_entity_t entity, ecs_vec_t *out);
/** True if a term may ask whether what it names is switched on. */
bool ecs__match_minds_switch(const ecs_query_t *query, const ecs_term_t *term);
/** Tell an observer of `_` on one entity; the event may be about no id. */
bool ecs__match_any_of(
    const ecs__observer_t *observer, const ecs__notice_t *notice, ecs_entity_t source);
/** Tell an observer of a table as such, without rows. */
bool ecs__match_table(const ecs__observer_t *observer, const ecs__notice_t *notice);
/** Tell an observer of everything that matches now. */
void ecs__match_existing(const ecs__observer_t *observer, ecs_entity_t event);

#endif
