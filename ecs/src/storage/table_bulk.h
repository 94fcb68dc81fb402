// SPDX-License-Identifier: MIT
// table_bulk: many rows of plain values at once, column by column.
//
// The result is that of appending, moving and removing them one by one in the given order, to the row: what a table loses is filled
// from its end in that order. Values are plain in both tables, without toggles, and nobody watches. Threads: main thread only.
#ifndef ECS_STORAGE_TABLE_BULK_H
#define ECS_STORAGE_TABLE_BULK_H

#include "storage/table.h"

/** Columns that the caller writes himself, as a bit each; columns from 64 on have none. */
typedef uint64_t ecs__column_set_t;
static inline ecs__column_set_t ecs__column_bit(int32_t column) {
    return column < 64 ? 1ull << column : 0;
}

/** Append rows; columns are zeroed except for those of `given`. The caller writes table->entities before ecs__rows_settle.
 * Returns the first row. */
int32_t ecs__rows_append(ecs_table_t *table, int32_t count, ecs__column_set_t given);
/** Note in the records of `count` entities from `row` on where they are now. */
void ecs__rows_settle(ecs_table_t *table, int32_t row, int32_t count);
/** Move rows to the end of another table, where columns that are new are zeroed and those of `given` left alone. `rows` is
 * overwritten. Returns the first row. */
int32_t ecs__rows_move(
    ecs_table_t *dst, ecs_table_t *src, int32_t *rows, int32_t count, ecs__column_set_t given);
/** Remove the rows of `entities`, whose records still say so and are left alone. `rows` is overwritten. */
void ecs__rows_remove(
    ecs_table_t *table, const ecs_entity_t *entities, int32_t *rows, int32_t count);

/** Copy the plain values of some rows, in the order of `rows`. Any thread. */
void ecs__gather(char *dst, const char *src, size_t size, const int32_t *rows, int32_t count);
/** The same for rows that lie far from each other. */
void ecs__gather_far(char *dst, const char *src, size_t size, const int32_t *rows, int32_t count);

#endif
