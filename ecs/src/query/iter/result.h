// SPDX-License-Identifier: MIT
// result: showing what was found: fields, then rows.
//
// Rows come run by run if conditions differ from row to row, and one by one if a result mixes arrays with single values and the query
// is not instanced.
#ifndef ECS_QUERY_ITER_RESULT_H
#define ECS_QUERY_ITER_RESULT_H

#include "query/iter/iter.h"

/** Show the id of a field, its source (0: the rows), and column `column` (-1: none) of a table, which may be NULL. */
void ecs__iter_set_field(ecs_iter_t *it, int32_t field, ecs_id_t id, ecs_entity_t source,
    const ecs_table_t *table, int16_t column);
/** A field that rows have beside their tables, as before, shows another pair of its relationship. */
void ecs__iter_set_beside(ecs_iter_t *it, int32_t field, const ecs__sparse_edge_t *edge);
/** Rows moved: find the values of other entities again. */
void ecs__iter_follow_values(ecs_iter_t *it);
/** Show some fields as an evaluation of a plan, or a match of a cache, has them. */
void ecs__iter_fill_from_eval(ecs_iter_t *it, const ecs__eval_t *eval, ecs_termset_t fields);
void ecs__iter_fill_from_match(
    ecs_iter_t *it, const ecs__cache_t *cache, const ecs__match_t *match, ecs_termset_t fields);
/** The other fields are not set, and have no sources. */
static inline void ecs__iter_keep_fields(ecs_iter_t *it, ecs_termset_t fields) {
    it->set_fields &= fields;
    it->ref_fields &= fields;
    it->up_fields &= fields;
}

/** Show rows [row, end) of the present table, or the first of them if fields want it so. Without table there are none. */
bool ecs__iter_show_run(ecs_iter_t *it, int32_t row, int32_t end);
/** Go to the next row of those. */
bool ecs__iter_show_row(ecs_iter_t *it);
static inline bool ecs__iter_next_row(ecs_iter_t *it) {
    return it->priv_.row < it->priv_.row_end && ecs__iter_show_row(it);
}
/** The same where conditions differ from row to row: the first run of them. False if there is none. */
bool ecs__iter_begin_runs(ecs_iter_t *it, const ecs__plan_t *plan, int32_t row, int32_t end);
static inline bool ecs__iter_show_rows(
    ecs_iter_t *it, const ecs__plan_t *plan, int32_t row, int32_t end) {
    return plan->by_row ? ecs__iter_begin_runs(it, plan, row, end)
                        : ecs__iter_show_run(it, row, end);
}
/** Show the next run. */
bool ecs__iter_next_run(ecs_iter_t *it);

#endif
