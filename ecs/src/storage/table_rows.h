// SPDX-License-Identifier: MIT
// table_rows: appending, removing, swapping and moving rows in all columns of a table.
//
// Constructors, moves and destructors of the components run here; hooks and events are mutate's job. Entity records are kept right.
#ifndef ECS_STORAGE_TABLE_ROWS_H
#define ECS_STORAGE_TABLE_ROWS_H

#include "storage/table_graph.h"

/** Append rows for entities, whose records are set. Values are zeroed, then constructed. Returns the first row. */
int32_t ecs__table_append(ecs_table_t *table, const ecs_entity_t *entities, int32_t count);

/** Append rows for as many new entities, which `ids`, unless it is NULL, gets. Plain values are copied from data[position in the type] where
 * that is given, else zero; others are constructed. Returns the first row. */
int32_t ecs__table_append_new(
    ecs_table_t *table, int32_t count, void *const *data, ecs_entity_t *ids);

/** Remove a row by moving the last one into it. Values are destructed when `destruct`, else they are taken to be raw already. */
void ecs__table_remove_row(ecs_table_t *table, int32_t row, bool destruct);

/** Remove all rows; records of the entities are not touched. */
void ecs__table_clear_rows(ecs_table_t *table);

void ecs__table_swap_rows(ecs_table_t *table, int32_t a, int32_t b);

/** Make room for at least `size` rows in all. */
void ecs__table_reserve(ecs_table_t *table, int32_t size);
/** Free the memory of a table without rows. */
void ecs__table_free_rows(ecs_table_t *table);
/** The same, with room to spare: costs of growing are constant per row. */
void ecs__table_make_room(ecs_table_t *table, int32_t count);
/** The table has this many rows from now on; id records and watchers are told, values and entities are the caller's business. */
void ecs__table_set_count(ecs_table_t *table, int32_t count);

/** Move a living entity from its row in `src` to a new row of `dst`: shared columns are moved, columns only in `src` are
 * destructed, columns only in `dst` are zeroed and, if `construct`, constructed. The record is updated. Returns the row in dst. */
int32_t ecs__table_move_row(ecs_table_t *dst, ecs_table_t *src, int32_t src_row, bool construct);

#endif
