// SPDX-License-Identifier: MIT
// rows: runs of rows of a matching table that satisfy the conditions which differ from row to row.
//
// A plan decides about tables. Operations with `by_row` go on here: components that are switched on
// and off per entity (storage/toggle.h). Bits are read when a run is looked for, 64 rows at a time.
//
//   ecs__rows_begin ─ ecs__rows_add_all ─▶ ecs__rows_next ─▶ row, row_end, unset ─▶ …
//
// Threads: reads the store only; each iteration has its own ecs__rows_t.
#ifndef ECS_QUERY_EVAL_ROWS_H
#define ECS_QUERY_EVAL_ROWS_H

#include "query/plan/plan.h"
#include "storage/toggle.h"

typedef struct ecs__row_test_t {
    const ecs__toggle_t *toggle; /* NULL: all ids of the table that `id` covers */
    ecs_id_t id;
    uint8_t code; /* of the operation */
    int8_t field;
} ecs__row_test_t;

typedef struct ecs__rows_t {
    const ecs_table_t *table; /* whose ids are asked */
    const ecs_table_t *home;  /* where the rows are, and their bits; mostly the same */
    int32_t next, end;        /* still to look at */
    int32_t row, row_end;     /* the present run */
    ecs_termset_t absent;     /* fields that the whole match lacks, though its table has the ids */
    ecs_termset_t unset;      /* fields that the present run lacks, those included */
    int32_t count;
    ecs__row_test_t tests[FLECS_TERM_COUNT_MAX];
} ecs__rows_t;

/** Begin with rows [row, end) of a table. */
void ecs__rows_begin(ecs__rows_t *rows, const ecs_table_t *table, int32_t row, int32_t end);
/** Begin with rows of `home` as if they were in `table`: what can be switched in both is as it is, all else is on. */
void ecs__rows_begin_as(
    ecs__rows_t *rows, const ecs_table_t *table, const ecs_table_t *home, int32_t row, int32_t end);
/** Add the conditions of a plan; fields have these ids and sources in the match. False if one fails
 * for all rows. */
bool ecs__rows_add_all(
    ecs__rows_t *rows, const ecs__plan_t *plan, const ecs_id_t *ids, const ecs_entity_t *sources);
/** Find the next run: rows that all satisfy all conditions, and lack the same optional fields. */
bool ecs__rows_next(ecs__rows_t *rows);

/** Who above a table decides about an ECS__OP_WITHOUT, as its id may be switched off there; 0 = nobody. */
ecs_entity_t ecs__rows_excluded_by(const ecs_table_t *table, const ecs__op_t *op);
/** True unless an id of an entity is switched off. */
bool ecs__id_is_on(const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id);

#endif
