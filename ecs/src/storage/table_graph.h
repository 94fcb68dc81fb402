// SPDX-License-Identifier: MIT
// table_graph: edges between tables ("this table plus id X is that table").
//
// Edges are plain set arithmetic: what With, Exclusive or IsA add on top is decided in mutate/. Each table has its edges in a hash table with
// open addressing: one that was walked before is found in a line or two, whatever its id. A walk that makes its table leaves no edge, since
// many tables are entered once, as that of a pair with a target of its own. Threads: main thread only; workers never walk edges.
#ifndef ECS_STORAGE_TABLE_GRAPH_H
#define ECS_STORAGE_TABLE_GRAPH_H

#include "storage/table.h"

/** There is room for so much between two values of store->plain_stamp. */
#define ECS__PLAIN_STEP 128u

/** In what else tables differ. */
typedef enum ecs__edge_kind_t {
    ECS__EDGE_MORE,  /* in more, or the id means more by itself */
    ECS__EDGE_ALONE, /* in nothing */
    ECS__EDGE_SWAP   /* in the pair whose place the id takes; both without values */
} ecs__edge_kind_t;

/** Plus and minus share one list: a table either has an id (its edge is a minus) or lacks it (a plus). */
struct ecs__edge_t {
    ecs_id_t id; /* 0: no edge is in this place */
    ecs_table_t *target;
    uint64_t plain; /* what mutate/plain.h found out, and store->plain_stamp then; 0: nothing */
    int32_t back;   /* position in the target's incoming list */
    int16_t column; /* of the id in the larger table, -1 for tags */
    bool adds;      /* plus */
    uint8_t kind;   /* ecs__edge_kind_t */
};

/** An edge that was walked, with where it begins. With the last ones at hand, it takes only a comparison to know where an entity goes, and
 * nothing that follows waits for its record: half of the time of changes in random order. */
typedef struct ecs__hop_t {
    ecs_table_t *source; /* NULL: none */
    ecs_id_t id;
    const ecs__edge_t *edge;
    uint64_t key; /* of the source, see ecs__record_key */
} ecs__hop_t;
/** So many are remembered, by id: entities that change one after the other mostly do the same. */
#define ECS__HOPS 32

/** Where the search for the edge of an id begins. */
static inline uint32_t ecs__edge_hash(ecs_id_t id) {
    return (uint32_t)((id * 0x9E3779B97F4A7C15ull) >> 32);
}

/** The edge of an id, or NULL if it was not walked yet. */
static inline const ecs__edge_t *ecs__table_edge(const ecs_table_t *table, ecs_id_t id) {
    for (uint32_t at = ecs__edge_hash(id);; at++) {
        const ecs__edge_t *edge = &table->edges[at & table->edge_mask];
        if (__builtin_expect(edge->id == id, 1)) return edge;
        if (!edge->id) return NULL;
    }
}

/** The edge of an id, remembered in store->hops, or NULL if it was not walked yet. Valid until the next search, and until edges come
 * and go. */
const ecs__hop_t *ecs__hop_find(ecs_table_t *table, ecs_id_t id);
/** Edges are looked for again: they have moved, or whoever walks should notice that rows may have. */
void ecs__hops_forget(ecs__store_t *store);
ECS_COLD bool ecs__hops_verify(const ecs__store_t *store);

/** A table has no edges yet. */
void ecs__table_graph_init(ecs_table_t *table);
/** Drop all edges from and to a table that is about to be deleted. */
void ecs__table_graph_remove(ecs_table_t *table);

/** Table with `id` added; the same table if it has it. An exclusive pair replaces the pair of its relationship. */
ecs_table_t *ecs__table_plus(ecs_table_t *table, ecs_id_t id);
/** Table with `id` removed (wildcards remove everything covered); the same table if it lacks it. */
ecs_table_t *ecs__table_minus(ecs_table_t *table, ecs_id_t id);

#endif
