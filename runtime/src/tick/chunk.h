// SPDX-License-Identifier: MIT
// chunk: the tables that a group of systems matches, cut into quanta.
//
// A quantum is a range of rows of one table, or a run of small tables. Its bounds depend on tables,
// their row counts and the columns that the group touches, and on nothing else: they key command
// slots, ids and random numbers. All systems of a group share quanta; what a quantum means for the
// query of one system is a cut. Fused systems take a quantum in steps, all of them one step after the
// other; slots, ids and random numbers know nothing of steps.
//
//   rows      | table 3: 0..1023 | 1024..1500 + tables 4, 5, 6 | table 9: 0..1023 | …
//   quantum   |        0         |              1              |        2         |
//
// Two steps: the list of tables when matches change, quanta when row counts change.
#ifndef RT_TICK_CHUNK_H
#define RT_TICK_CHUNK_H

#include "schedule/schedule.h"

/** Rows of a quantum are a power of two, at most so many. */
#define RT_QUANTUM_MAX_ROWS 4096

/** About an L2 cache. Groups with more rows than fit take quanta in steps. */
#define RT_CACHE_BYTES (1024 * 1024)

/** Matches of one query in one quantum. Only the first table of a quantum may be cut; `head`
 * matches are in it. */
typedef struct rt_cut_t {
    int32_t first, count; /* matches; count 0 = the system has nothing to do here */
    int32_t head;         /* of these, matches in a table that is cut; 0 = all tables are whole */
} rt_cut_t;

typedef struct rt_quantum_t {
    int32_t first_row; /* of the first table */
    int32_t last_row;  /* end in the first table; -1 = its end */
    int32_t step;      /* part of one table, out of memory: rows that fit an L1 cache; else 0 */
} rt_quantum_t;

/** A table of the group. */
typedef struct rt_chunk_table_t {
    ecs_table_t *table;
    uint64_t number;
    ecs_size_t bytes; /* per row, in columns that the group touches */
    int32_t max_rows; /* of a quantum */
    int32_t step;     /* rows that fit a part of the L1 cache */
    int32_t rows;     /* when quanta were made */
    int32_t first_span, span_count;
} rt_chunk_table_t;

/** Matches of one system in one table. */
typedef struct rt_span_t {
    int32_t system, first, count;
} rt_span_t;

/** Where a system is while tables are listed. */
typedef struct rt_next_t {
    uint64_t number; /* of its next table */
    int32_t system, match;
} rt_next_t;

/** An id that the group touches in rows. */
typedef struct rt_touched_t {
    ecs_id_t id;
    ecs_size_t size;
    bool is_wide; /* a wildcard */
} rt_touched_t;

typedef struct rt_layout_t {
    rt_system_t *const *systems;
    int32_t system_count;
    rt_next_t *next; /* heap, while tables are listed */
    int32_t next_count, next_size;
    rt_touched_t *touched;
    int32_t touched_count, touched_size;
    rt_chunk_table_t *tables;
    int32_t table_count, table_size;
    rt_span_t *spans; /* table by table, in the order of systems */
    int32_t span_count, span_size;
    bool yield_empty; /* a query wants tables without rows */

    rt_quantum_t *quanta;
    int32_t quantum_count, quantum_size;
    rt_cut_t *cuts; /* per quantum and system */
    int32_t cut_size;
    int64_t bytes; /* of all rows */
} rt_layout_t;

/** List the tables. Matches of the systems are up to date. */
void rt__layout_list(
    rt_layout_t *layout, const ecs_world_t *world, rt_system_t *const *systems, int32_t count);
/** Cut them by their present row counts. */
void rt__layout_cut(rt_layout_t *layout);
/** One quantum for a system that is not split. */
void rt__layout_whole(rt_layout_t *layout);
void rt__layout_fini(rt_layout_t *layout);

static inline const rt_cut_t *rt__layout_get(
    const rt_layout_t *layout, int64_t quantum, int32_t system) {
    return &layout->cuts[quantum * layout->system_count + system];
}

#endif
