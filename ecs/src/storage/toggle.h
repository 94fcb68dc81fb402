// SPDX-License-Identifier: MIT
// toggle: one bit per row for each id marked with ECS_TOGGLE, beside the columns of a table.
//
// A set bit means switched off, so new rows need nothing. Bits behind the last row are clear. The
// bits follow their rows: table_rows calls the functions below for tables with EcsTableHasToggle.
#ifndef ECS_STORAGE_TOGGLE_H
#define ECS_STORAGE_TOGGLE_H

#include "storage/table.h"

typedef struct ecs__toggle_t {
    ecs_id_t id; /* with ECS_TOGGLE */
    ecs__bitset_t off;
    uint64_t changed; /* when a bit did, or a row came; of watched tables (watch.h) */
} ecs__toggle_t;

void ecs__toggles_init(ecs_table_t *table);
void ecs__toggles_fini(ecs_table_t *table);

/** The bits of `id` (with or without ECS_TOGGLE), or NULL if the table has none. */
ecs__toggle_t *ecs__toggle_get(const ecs_table_t *table, ecs_id_t id);
/** Switch an id of one row; the table has the marked id. */
void ecs__toggle_put(ecs_table_t *table, ecs_id_t id, int32_t row, bool enabled);

/** Somebody watches the table from now on. */
void ecs__toggles_watch(ecs_table_t *table);
/** A row is removed: the last one takes its place. */
void ecs__toggles_remove(ecs_table_t *table, int32_t row, int32_t last);
void ecs__toggles_clear(ecs_table_t *table);
void ecs__toggles_swap(ecs_table_t *table, int32_t a, int32_t b);
/** What row `first + i` has goes to row `to[i]`, a permutation; `off` has room for `count`. */
void ecs__toggles_reorder(
    ecs_table_t *table, int32_t first, int32_t count, const int32_t *to, bool *off);
/** Rows of `dst` get the bits of rows of `src` where both have them. */
void ecs__toggles_copy(
    ecs_table_t *dst, int32_t dst_row, const ecs_table_t *src, int32_t src_row, int32_t count);

#endif
