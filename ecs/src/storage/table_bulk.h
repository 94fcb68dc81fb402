// SPDX-License-Identifier: MIT
// table_bulk: many rows of plain values at once, column by column.
//
// The result is that of appending, moving and removing them one by one in the given order, to the row: what a table loses is filled
// from its end in that order. Which row ends up in which hole is found from the numbers of rows alone; then every row is copied once, and
// parts of the whole may be done in any order, by any threads. Values are plain in both tables, without toggles, and nobody watches.
// Threads: main thread only, except where noted.
#ifndef ECS_STORAGE_TABLE_BULK_H
#define ECS_STORAGE_TABLE_BULK_H

#include "storage/table.h"

/** Columns that the caller writes himself, as a bit each; columns from 64 on have none. */
typedef uint64_t ecs__column_set_t;
static inline ecs__column_set_t ecs__column_bit(int32_t column) {
    return column < 64 ? 1ull << column : 0;
}

/** Between rows that go: the next one of those at the end of src, which were put there before, came now. */
#define ECS__BULK_COMES INT32_MAX

/** Rows that move to the end of another table, or begin there (no src), or end (no dst). */
typedef struct ecs__bulk_t {
    ecs_table_t *src, *dst;
    ecs__column_set_t
        given;     /* columns of dst that are left alone; others that are new are zeroed */
    int32_t *rows; /* in src, in the order in which they go; or ECS__BULK_COMES */
    int32_t *
        fillers; /* room for three times as many: first rows of src that take their place, -1: none; else scratch */
    int32_t count, to; /* rows; the first in dst */
    int32_t
        comers; /* of those who go, without dst: there are so many ECS__BULK_COMES among `rows` */
    int32_t
        kept; /* places that begin where the rows behind them are taken from, of which fillers say more */
    bool has_holes;   /* some row takes the place of another */
    bool leaves_rows; /* src keeps its rows: another bulk without dst takes them from it */
} ecs__bulk_t;

/** Make rows in dst, and find `to` and fillers. */
void ecs__bulk_begin(ecs__bulk_t *bulk);
/** Move rows [begin, end) of `rows`, and the records of their entities. Those of rows that begin, which dst->entities holds by then, are
 * issued; those of rows that end are left alone. Any thread. */
void ecs__bulk_part(const ecs__bulk_t *bulk, int32_t begin, int32_t end);
/** Take the rows from src. */
void ecs__bulk_end(ecs__bulk_t *bulk);

/** Copy the plain values of rows that lie far from each other, in the order of `rows`. Any thread. */
void ecs__gather_far(char *dst, const char *src, size_t size, const int32_t *rows, int32_t count);

#endif
