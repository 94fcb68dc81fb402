// SPDX-License-Identifier: MIT
// watch: when the rows and the values of a table changed last, for tables that somebody wants to know it of.
//
// Time is a clock of the store that stands still until somebody looks: a change gets the stamp of the present, a look (ecs__watch_look)
// lets time go on, so what changes afterwards has a greater stamp. Only tables of queries that detect changes or sort are watched; others
// pay a test of a pointer.
// Threads: while jobs run, any of them may write values and look; stamps are single words, and what orders a write and a look is the
// schedule. Watching begins on the main thread.
#ifndef ECS_STORAGE_WATCH_H
#define ECS_STORAGE_WATCH_H

#include "base/atomics.h"
#include "storage/store.h"

typedef struct ecs__watch_t {
    uint64_t rows; /* rows came, went or changed places */
    uint64_t columns[];
} ecs__watch_t;

/** Watch a table from now on; what it holds counts as changed just now. */
void ecs__table_watch(ecs_table_t *table);
void ecs__table_unwatch(ecs_table_t *table);

static inline void ecs__watch_note(ecs__watch_clock_t *clock, uint64_t *stamp) {
    uint64_t now = ecs__load_64(&clock->now);
    if (ecs__load_64(stamp) == now) return; /* many may write to one line */
    ecs__store_64(stamp, now);
    if (ecs__load_64(&clock->noted) != now) ecs__store_64(&clock->noted, now);
}

/** Rows came, went or changed places. */
static inline void ecs__table_touch_rows(ecs_table_t *table) {
    if (table->watch) ecs__watch_note(&table->store->watch, &table->watch->rows);
}

/** Values of a column changed. */
static inline void ecs__table_touch_column(ecs_table_t *table, int32_t column) {
    if (table->watch) ecs__watch_note(&table->store->watch, &table->watch->columns[column]);
}

/** The stamp of what was last seen, if one looks now. */
static inline uint64_t ecs__watch_look(ecs__watch_clock_t *clock) {
    return ecs__faa_64(&clock->now, 1);
}

static inline bool ecs__watch_is_newer(const uint64_t *stamp, uint64_t seen) {
    return ecs__load_64(stamp) > seen;
}

#endif
