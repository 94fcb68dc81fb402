// SPDX-License-Identifier: MIT
// table_rows: appending, removing, swapping and moving rows in all columns of a table.
//
// Constructors, moves and destructors of the components run here; hooks and events are mutate's job. Entity records are kept right.
#ifndef ECS_STORAGE_TABLE_ROWS_H
#define ECS_STORAGE_TABLE_ROWS_H

#include "storage/table.h"

/** Append `count` rows for entities (NULL: ids are filled in by the caller before anything else happens).
 * Values are zeroed, then constructed. Records of the given entities are set. Returns the first row. */
int32_t ecs__table_append(
    ecs_table_t *table, const ecs_entity_t *entities, int32_t count, bool construct);

/** Remove a row by moving the last one into it. Values are destructed when `destruct`, else they are taken to be raw already. */
void ecs__table_remove_row(ecs_table_t *table, int32_t row, bool destruct);

/** Remove all rows; records of the entities are not touched. */
void ecs__table_clear_rows(ecs_table_t *table);

void ecs__table_swap_rows(ecs_table_t *table, int32_t a, int32_t b);

/** Make room for at least `size` rows in all. */
void ecs__table_reserve(ecs_table_t *table, int32_t size);

/** Move a living entity from its row in `src` to a new row of `dst`: shared columns are moved, columns only in `src` are
 * destructed, columns only in `dst` are zeroed and, if `construct`, constructed. The record is updated. Returns the row in dst. */
int32_t ecs__table_move_row(ecs_table_t *dst, ecs_table_t *src, int32_t src_row, bool construct);

/** Append a row to a table without columns. */
void ecs__table_append_empty(ecs_table_t *table, ecs_record_t *record, ecs_entity_t entity);
/** The row of an entity moves to `dst`, which has one id more or less: the low id `id`. Values are plain bytes in both tables, and
 * there are no toggles. The record is updated. */
void ecs__table_move_plain(ecs_table_t *dst, ecs_record_t *record, ecs_id_t id, bool adds);
/** Remove a row of plain values without toggles. */
void ecs__table_remove_plain(ecs_table_t *table, int32_t row);

#endif
