// SPDX-License-Identifier: MIT
// table_graph: edges between tables ("this table plus id X is that table").
//
// Edges are plain set arithmetic: what With, Exclusive or IsA add on top is decided in mutate/. Edges for ids below FLECS_HI_COMPONENT_ID use a
// direct index made when first needed, others a map. Threads: main thread only; workers never walk edges.
#ifndef ECS_STORAGE_TABLE_GRAPH_H
#define ECS_STORAGE_TABLE_GRAPH_H

#include <muster/ecs/ds/map.h>

#include "storage/table.h"

/** Plus and minus share one list: a table either has an id (its edge is a minus) or lacks it (a plus). */
typedef struct ecs__edge_t {
    ecs_id_t id;
    ecs_table_t *target;
    int32_t back;   /* position in the target's incoming list */
    int16_t column; /* of the id in the larger table, -1 for tags */
    bool adds;      /* plus */
    bool alone;     /* the tables differ in this id only */
} ecs__edge_t;

struct ecs__table_edges_t {
    ecs__edge_t *items;
    uint16_t *low; /* id -> 1 + position in items; as long as the highest low id needs */
    uint64_t low_size;
    struct ecs__incoming_t *incoming;
    ecs_map_t high; /* the same as `low` for ids at and above FLECS_HI_COMPONENT_ID */
    int32_t count, size;
    int32_t incoming_count, incoming_size;
};

/** The edge of a low id, or NULL if it was not walked yet. */
static inline const ecs__edge_t *ecs__table_edge(const ecs_table_t *table, ecs_id_t id) {
    const ecs__table_edges_t *edges = table->edges;
    if (!edges || id >= edges->low_size || !edges->low[id]) return NULL;
    return &edges->items[edges->low[id] - 1];
}

/** Table with `id` added; the same table if it has it. An exclusive pair replaces the pair of its relationship. */
ecs_table_t *ecs__table_plus(ecs_table_t *table, ecs_id_t id);
/** Table with `id` removed (wildcards remove everything covered); the same table if it lacks it. */
ecs_table_t *ecs__table_minus(ecs_table_t *table, ecs_id_t id);
/** Drop all edges from and to a table that is about to be deleted. */
void ecs__table_graph_remove(ecs_table_t *table);

#endif
