// SPDX-License-Identifier: MIT
// sort: matches of a query in the order of a callback over all their rows.
//
// Rows of each table are brought into order (sort_rows.h), then the tables are merged: the order of the cache is a list of slices, each
// the longest run of rows of one table before a row of another comes. Where a match shares the value with others (an ancestor's), its
// table has one key and rows stay; without value it comes last. Equal rows: older tables first, then as they were.
// Tables are watched (storage/watch.h), so a sort happens only if rows or values changed, and looks at the tables where they did. If
// it is known which rows, the order is corrected instead (sort_update.c).
// Groups come first: each is sorted by itself.
#ifndef ECS_QUERY_CACHE_SORT_H
#define ECS_QUERY_CACHE_SORT_H

#include "query/cache/sort_rows.h"

typedef struct ecs__cache_t ecs__cache_t;
typedef struct ecs__match_t ecs__match_t;
typedef struct ecs__place_t ecs__place_t;

/** Rows of a match that are not in the order yet. */
typedef struct ecs__sort_run_t {
    int32_t match; /* equal rows: smaller first */
    int32_t row, count;
    uint64_t *changed;            /* bits of rows that changed; NULL: none */
    const ecs_entity_t *entities; /* NULL: without value */
    const char *values;           /* NULL: by entity */
    size_t size;                  /* 0: one value */
} ecs__sort_run_t;

typedef struct ecs__sort_t {
    ecs__sorter_t sorter;
    ecs_sort_table_action_t sort_table; /* NULL: sort_rows.h */
    bool is_lazy;                       /* rows may wait */
    ecs_world_t *world;
    ecs_term_t term;       /* its way to them: flags of src, trav and depths */
    int8_t field;          /* that has the values; -1: by entity */
    uint64_t at;           /* stamp of the last sort; 0 = never */
    ecs__sort_run_t *runs; /* memory for merging */
    int32_t run_size;
    ecs__place_t *spare; /* memory for an order */
    int32_t spare_size;
    ecs__scratch_t places, matches;
    /* tables with rows that wait to be moved: */
    int64_t waiting; /* these, */
    int64_t rows;    /* all of their rows, */
    int64_t debt;    /* and how often one of those that wait was passed as a slice of its own */
    int64_t frame;   /* when that was counted last */
} ecs__sort_t;

/** The value of a row, or NULL. */
static inline const void *ecs__sort_value(const ecs__sort_run_t *run, int32_t row) {
    return run->values ? run->values + run->size * (size_t)row : NULL;
}

/** Rows have waited long enough. */
static inline bool ecs__sort_is_due(const ecs__sort_t *sort) {
    return sort->waiting && (!sort->is_lazy || sort->debt > sort->rows / 2);
}

/** How a descriptor wants its results sorted; NULL if it does not. */
ecs__sort_t *ecs__sort_new(
    ecs_world_t *world, const ecs_query_desc_t *desc, const ecs_query_t *query);
/** The same order for another cache. */
ecs__sort_t *ecs__sort_copy(const ecs__sort_t *sort);
void ecs__sort_free(ecs__sort_t *sort);
/** False if rows or values changed since the last sort. Main thread. */
bool ecs__sort_is_current(const ecs__cache_t *cache);
/** Sort tables that changed, and work out the order. Matches have no holes. */
void ecs__sort_run(ecs__cache_t *cache);
/** The same if matches are what they were and it is known which rows changed; else false. */
bool ecs__sort_update(ecs__cache_t *cache);
/** A frame passes in which rows may wait. */
void ecs__sort_wait(ecs__cache_t *cache, int64_t frame);
/** All matches, those of a group together (group->first, group->behind); good until the next call. */
const ecs__place_t *ecs__sort_list(const ecs__cache_t *cache);
/** Room for one run per match. */
ecs__sort_run_t *ecs__sort_runs(ecs__sort_t *sort, int32_t count);
/** The rows of a match as a run; whether they share one value, and whether they changed. */
void ecs__sort_look(const ecs__cache_t *cache, int32_t match, ecs__sort_run_t *run, bool *is_shared,
    bool *has_changed);
/** Count what waits. */
void ecs__sort_count_waiting(ecs__cache_t *cache);
/** Watch the table of a match, and log its rows. */
void ecs__sort_watch(ecs__cache_t *cache, const ecs__match_t *match);
/** The query ends, or another cache takes over: nobody reads the logs. */
void ecs__sort_unwatch(ecs__cache_t *cache);

#endif
