// SPDX-License-Identifier: MIT
// sort_rows: the rows of one table in the order of a callback: stable, and cheap where little changed.
//
//   rows that changed are known, and few      those are taken out, sorted and merged in
//   they are not known                        one pass finds what is out of order; then the same
//   little is in order                        sort all rows: by a key, if one can be found, else by comparing
//
// A key is a number in the component by which the callback seems to compare: candidates are tried on a few pairs of rows, rows are sorted
// by the best one, and the callback has the last word: it is asked about each pair of neighbours. So a wrong guess costs time only.
#ifndef ECS_QUERY_CACHE_SORT_ROWS_H
#define ECS_QUERY_CACHE_SORT_ROWS_H

#include <muster/ecs/query.h>
#include "storage/table_order.h"

/** What is compared, and memory for it. */
typedef struct ecs__sorter_t {
    ecs_order_by_action_t compare;
    bool has_no_key; /* a key was tried and was wrong */
    ecs__scratch_t rows, more, lists, values;
    /* the present table */
    const ecs_entity_t *entities;
    const char *data; /* NULL: by entity alone */
    size_t size;
} ecs__sorter_t;

/** Sort the rows of a table by a column (-1: by entity). `changed` lists the rows that may be out of place, NULL: any. */
void ecs__sort_rows(ecs__sorter_t *sorter, ecs_table_t *table, int32_t column,
    const int32_t *changed, int32_t changed_count);
void ecs__sorter_fini(ecs__sorter_t *sorter);

/** Sort `count` row numbers by comparing them; equal ones stay in order. `spare` has room for as many. */
void ecs__sort_by_comparing(
    const ecs__sorter_t *sorter, int32_t *rows, int32_t *spare, int32_t count);
/** Sort row numbers, which ascend, by a key; false if none is found: they are as they were then. */
bool ecs__sort_by_key(ecs__sorter_t *sorter, int32_t *rows, int32_t count);

static inline const void *ecs__sorter_value(const ecs__sorter_t *sorter, int32_t row) {
    return sorter->data ? sorter->data + sorter->size * (size_t)row : NULL;
}

static inline int ecs__compare_rows(const ecs__sorter_t *sorter, int32_t a, int32_t b) {
    return sorter->compare(sorter->entities[a], ecs__sorter_value(sorter, a), sorter->entities[b],
        ecs__sorter_value(sorter, b));
}

#endif
