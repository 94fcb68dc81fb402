// SPDX-License-Identifier: MIT
// plain_rows: single rows that appear, move and go in tables where that concerns nobody else.
//
// Values are plain bytes, there are no toggles, and nobody watches the tables: what table_rows.h does in general is one pass here.
#ifndef ECS_STORAGE_PLAIN_ROWS_H
#define ECS_STORAGE_PLAIN_ROWS_H

#include "storage/entity_index.h"
#include "storage/table_graph.h"

/** A new entity, with values that are zero. */
ecs_entity_t ecs__plain_row_new(ecs_table_t *table);
/** The same with an id that was issued; returns the row. */
int32_t ecs__plain_row_begin(ecs_table_t *table, ecs_entity_t entity);
/** The row of an entity moves along an edge that is no ECS__EDGE_MORE: to a table with one more id, or with another tag in the place of
 * one (add), or with one less (drop). The record, which is in the source, is updated. */
void ecs__plain_row_add(ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop);
void ecs__plain_row_drop(ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop);
/** Delete the entity with this record, which is near, in store->deleted_from, and not marked; its id becomes free. */
void ecs__plain_row_delete(ecs__store_t *store, ecs__record_t *record, ecs_entity_t entity);

#endif
