// SPDX-License-Identifier: MIT
// table_order: rows of a table in another order. Records of the entities follow, values of components with lifecycle hooks are moved.
#ifndef ECS_STORAGE_TABLE_ORDER_H
#define ECS_STORAGE_TABLE_ORDER_H

#include "storage/table.h"

/** Memory that grows with need and is kept for the next time. A zeroed one is empty. */
typedef struct ecs__scratch_t {
    void *memory;
    size_t size;
} ecs__scratch_t;

/** At least `size` bytes, aligned for values of any type; what they held is lost if there were fewer. */
void *ecs__scratch_ensure(ecs__scratch_t *scratch, size_t size);
void ecs__scratch_fini(ecs__scratch_t *scratch);

/** Rows [row, row + count) that move together. */
typedef struct ecs__row_run_t {
    int32_t row, to, count;
} ecs__row_run_t;

/** Some rows go elsewhere; the others close up and make room, in the order they have. Lists name only rows that move. */
typedef struct ecs__row_moves_t {
    int32_t first, last; /* rows outside stay */
    int32_t count;
    int32_t *from, *to;   /* rows that go, and where to, ascending */
    ecs__row_run_t *runs; /* of the others, ascending */
    int32_t run_count;
} ecs__row_moves_t;

/** Move rows; records of the entities follow. */
void ecs__table_move_rows(
    ecs_table_t *table, const ecs__row_moves_t *moves, ecs__scratch_t *scratch);

/** Row `first + i` becomes what row `from[i]` was, for all i < count; `from` is a permutation of [first, first + count). */
void ecs__table_reorder(
    ecs_table_t *table, int32_t first, int32_t count, const int32_t *from, ecs__scratch_t *scratch);

#endif
