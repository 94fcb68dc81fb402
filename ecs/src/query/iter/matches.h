// SPDX-License-Identifier: MIT
// matches: results from the matches that a cache keeps, in their tables as they are now.
//
// Simple ones only have own values of a table. Should matches move between results, iterations go on behind the present table.
#ifndef ECS_QUERY_ITER_MATCHES_H
#define ECS_QUERY_ITER_MATCHES_H

#include "query/iter/iter.h"

/** Where the rows of the present match end, of which it has `count`: the last one may be cut off. */
static inline int32_t ecs__matches_end_row(const ecs_iter_t *it, int32_t count) {
    bool is_cut = it->priv_.position == it->priv_.last && it->priv_.last_row >= 0;
    return is_cut ? ECS_MIN(it->priv_.last_row, count) : count;
}

/** Next result where all matches are simple. */
bool ecs__matches_next_simple(ecs_iter_t *it);
/** Next result of any matches; what the query says of constants is shown already. */
bool ecs__matches_next(ecs_iter_t *it, const ecs__cache_t *cache);
/** Show rows [row, end) of a simple match, but for pointers. */
void ecs__matches_show_simple(
    ecs_iter_t *it, ecs_table_t *table, ecs_termset_t set_fields, int32_t row, int32_t end);
/** The same where others are not simple: what the query knows need not be copied. */
void ecs__matches_show_own(ecs_iter_t *it, const ecs__plan_t *plan, ecs_table_t *table,
    ecs_termset_t set_fields, int32_t row, int32_t end);

#endif
