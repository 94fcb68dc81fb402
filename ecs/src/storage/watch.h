// SPDX-License-Identifier: MIT
// watch: when the rows and the values of a table changed last, for tables that somebody wants to know it of.
//
// Time is a clock of the store that stands still until somebody looks: a change gets the stamp of the present, a look (ecs__watch_look)
// lets time go on, so what changes afterwards has a greater stamp. Only tables of queries that detect changes or sort are watched; others
// pay a test of a pointer.
// Values that are read through others (up, variables) are asked for where their entity is now: it takes the stamps of its values along.
// A sorted query also wants to know which rows changed: it keeps a log of them in each of its tables.
// Threads: while jobs run, any of them may write values and look; stamps are single words, and what orders a write and a look is the
// schedule. Watching begins on the main thread.
#ifndef ECS_STORAGE_WATCH_H
#define ECS_STORAGE_WATCH_H

#include "base/atomics.h"
#include "storage/store.h"

/** In ecs_table_t.flags: rows do not move without a word. */
#define ECS__TABLE_IS_WATCHED (1u << 19)

/** Rows that are no longer what they were when the log was cleared, some of them several times. */
typedef struct ecs__row_log_t {
    const void *owner; /* who reads and clears it */
    int16_t column;    /* whose values matter; -1 = none */
    int32_t *rows;
    int32_t count, size;
    uint32_t is_lost; /* others changed, too */
} ecs__row_log_t;

typedef struct ecs__watch_t {
    uint64_t rows; /* rows came, went or changed places */
    ecs__row_log_t log;
    uint64_t columns[];
} ecs__watch_t;

/** Watch a table from now on; what it holds counts as changed just now. */
void ecs__table_watch(ecs_table_t *table);
void ecs__table_unwatch(ecs_table_t *table);
/** Keep a log of changed rows for `owner`, unless there is one for somebody else. It begins lost. */
void ecs__table_keep_log(ecs_table_t *table, const void *owner, int32_t column);
void ecs__table_drop_log(ecs_table_t *table, const void *owner);

static inline void ecs__watch_note(ecs__watch_clock_t *clock, uint64_t *stamp) {
    uint64_t now = ecs__load_64(&clock->now);
    if (ecs__load_64(stamp) == now) return; /* many may write to one line */
    ecs__store_64(stamp, now);
    if (ecs__load_64(&clock->noted) != now) ecs__store_64(&clock->noted, now);
}

void ecs__watch_note_rows(ecs_table_t *table, int32_t row, int32_t count);
void ecs__watch_note_values(ecs_table_t *table, int32_t column, int32_t row, int32_t count);
void ecs__watch_note_column(ecs_table_t *table, int32_t column);

/** Rows [row, row + count) hold other entities than before, or (count 0) only the last ones went. */
static inline void ecs__table_touch_rows(ecs_table_t *table, int32_t row, int32_t count) {
    if (table->watch) ecs__watch_note_rows(table, row, count);
}

void ecs__watch_carry(ecs_table_t *dst, const ecs_table_t *src);
/** A row of `src` comes to `dst`: what changed in it before is a change there. */
static inline void ecs__table_carry_stamps(ecs_table_t *dst, const ecs_table_t *src) {
    if (dst->watch) ecs__watch_carry(dst, src);
}

/** Rows [row, row + count) changed places: values that others get from these entities are elsewhere now. */
static inline void ecs__table_rows_moved(ecs_table_t *table, int32_t row, int32_t count) {
    if (table->traversable_count) table->store->structure_stamp++;
    ecs__table_touch_rows(table, row, count);
}

/** Values of a column changed in rows [row, row + count); count 0: anywhere, and any thread may say so. */
static inline void ecs__table_touch_values(
    ecs_table_t *table, int32_t column, int32_t row, int32_t count) {
    if (table->watch) ecs__watch_note_values(table, column, row, count);
}

/** Values of a column may have changed anywhere. */
static inline void ecs__table_touch_column(ecs_table_t *table, int32_t column) {
    if (table->watch) ecs__watch_note_column(table, column);
}

/** The stamp of what was last seen, if one looks now. */
static inline uint64_t ecs__watch_look(ecs__watch_clock_t *clock) {
    return ecs__faa_64(&clock->now, 1);
}

static inline bool ecs__watch_is_newer(const uint64_t *stamp, uint64_t seen) {
    return ecs__load_64(stamp) > seen;
}

#endif
