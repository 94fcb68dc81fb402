// SPDX-License-Identifier: MIT
// table_graph: edges between tables ("this table plus id X is that table").
//
// Edges are plain set arithmetic: what With, Exclusive or IsA add on top is decided in mutate/. Edges for ids below FLECS_HI_COMPONENT_ID use a
// direct index made when first needed, others a map. Threads: main thread only; workers never walk edges.
#ifndef ECS_STORAGE_TABLE_GRAPH_H
#define ECS_STORAGE_TABLE_GRAPH_H

#include "storage/table.h"

/** Table with `id` added; the same table if it has it. An exclusive pair replaces the pair of its relationship. */
ecs_table_t *ecs__table_plus(ecs_table_t *table, ecs_id_t id);
/** Table with `id` removed (wildcards remove everything covered); the same table if it lacks it. */
ecs_table_t *ecs__table_minus(ecs_table_t *table, ecs_id_t id);
/** Drop all edges from and to a table that is about to be deleted. */
void ecs__table_graph_remove(ecs_table_t *table);

#endif
