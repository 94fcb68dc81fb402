// SPDX-License-Identifier: MIT
#include "storage/table_graph.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "storage/store.h"

// Each edge knows its place among the incoming edges of its target, so that deleting a table finds and drops all edges from and to
// it in constant time each.
typedef struct ecs__incoming_t {
    ecs_table_t *source;
    ecs_id_t id;
} incoming_t;

static ecs__table_edges_t *ensure_edges(ecs_table_t *table) {
    if (!table->edges) table->edges = ecs_os_calloc_t(ecs__table_edges_t);
    return table->edges;
}

// 1 + position of the edge, 0 if there is none.
static int32_t find_position(const ecs__table_edges_t *edges, ecs_id_t id) {
    if (id < FLECS_HI_COMPONENT_ID) return id < edges->low_size ? edges->low[id] : 0;
    if (!ecs_map_is_init(&edges->high)) return 0;
    const ecs_map_val_t *position = ecs_map_get(&edges->high, id);
    return position ? (int32_t)*position : 0;
}

static void set_position(ecs__table_edges_t *edges, ecs_id_t id, int32_t position) {
    if (id >= FLECS_HI_COMPONENT_ID) {
        ecs_map_init_if(&edges->high, NULL);
        if (position)
            *ecs_map_ensure(&edges->high, id) = (ecs_map_val_t)position;
        else
            ecs_map_remove(&edges->high, id);
        return;
    }
    if (id >= edges->low_size) {
        uint64_t size = (id + 16) & ~15ull;
        edges->low = ecs_os_realloc_n(edges->low, uint16_t, (ecs_size_t)size);
        memset(&edges->low[edges->low_size], 0, sizeof(uint16_t) * (size - edges->low_size));
        edges->low_size = size;
    }
    edges->low[id] = (uint16_t)position;
}

static const ecs__edge_t *find_edge(const ecs_table_t *table, ecs_id_t id) {
    if (!table->edges) return NULL;
    int32_t position = find_position(table->edges, id);
    return position ? &table->edges->items[position - 1] : NULL;
}

static int32_t add_incoming(ecs_table_t *target, ecs_table_t *source, ecs_id_t id) {
    ecs__table_edges_t *edges = ensure_edges(target);
    if (edges->incoming_count == edges->incoming_size) {
        edges->incoming_size = edges->incoming_size ? edges->incoming_size * 2 : 2;
        edges->incoming = ecs_os_realloc_n(edges->incoming, incoming_t, edges->incoming_size);
    }
    edges->incoming[edges->incoming_count] = (incoming_t){ source, id };
    return edges->incoming_count++;
}

static ecs__edge_t make_edge(
    const ecs_table_t *table, ecs_id_t id, ecs_table_t *target, int32_t back) {
    bool adds = !ecs__table_has(table, id);
    int32_t more = target->type.count - table->type.count;
    int32_t column = ecs__table_column(adds ? target : table, id);
    return (ecs__edge_t){ id, target, back, (int16_t)column, adds, more == (adds ? 1 : -1) };
}

static void set_edge(ecs_table_t *table, ecs_id_t id, ecs_table_t *target) {
    int32_t back = add_incoming(target, table, id);
    ecs__table_edges_t *edges = ensure_edges(table);
    if (edges->count == edges->size) {
        edges->size = edges->size ? edges->size * 2 : 2;
        edges->items = ecs_os_realloc_n(edges->items, ecs__edge_t, edges->size);
    }
    edges->items[edges->count++] = make_edge(table, id, target, back);
    set_position(edges, id, edges->count);
}

static void remove_incoming(const ecs__edge_t *edge) {
    ecs__table_edges_t *edges = edge->target->edges;
    incoming_t last = edges->incoming[--edges->incoming_count];
    edges->incoming[edge->back] = last;
    ecs__table_edges_t *source = last.source->edges;
    source->items[find_position(source, last.id) - 1].back = edge->back;
}

static void remove_edge(ecs_table_t *table, ecs_id_t id) {
    ecs__table_edges_t *edges = table->edges;
    int32_t position = find_position(edges, id);
    remove_incoming(&edges->items[position - 1]);
    set_position(edges, id, 0);
    ecs__edge_t last = edges->items[--edges->count];
    if (last.id == id) return;
    edges->items[position - 1] = last;
    set_position(edges, last.id, position);
}

// ---- plus ----

static ecs_table_t *with_id(ecs_table_t *table, ecs_id_t id, int32_t replaced) {
    int32_t count = table->type.count;
    ecs_id_t *ids = ecs_os_malloc_n(ecs_id_t, count + 1);
    memcpy(ids, table->type.array, (size_t)count * sizeof(ecs_id_t));
    if (replaced >= 0) {
        count--;
        memmove(&ids[replaced], &ids[replaced + 1], (size_t)(count - replaced) * sizeof(ecs_id_t));
    }
    int32_t at = ecs__type_lower_bound(&(ecs_type_t){ .array = ids, .count = count }, id);
    memmove(&ids[at + 1], &ids[at], (size_t)(count - at) * sizeof(ecs_id_t));
    ids[at] = id;
    ecs_table_t *result = ecs__table_ensure(table->store, ids, count + 1);
    ecs_os_free(ids);
    return result;
}

ecs_table_t *ecs__table_plus(ecs_table_t *table, ecs_id_t id) {
    const ecs__edge_t *edge = find_edge(table, id);
    if (edge) return edge->adds ? edge->target : table;
    if (ecs__table_has(table, id)) return table;
    int32_t replaced = -1;
    if (ECS_IS_PAIR(id) && ecs__id_record_ensure(table->store, id)->flags & EcsIdExclusive) {
        ecs_id_t any = (id & ~ECS_ENTITY_MASK & ECS_COMPONENT_MASK) | ECS__PAIR | Ecs__Wildcard;
        replaced = ecs__table_search(table, any);
    }
    ecs_table_t *target = with_id(table, id, replaced);
    set_edge(table, id, target);
    return target;
}

// ---- minus ----

static ecs_table_t *without_matches(ecs_table_t *table, ecs_id_t pattern) {
    ecs_id_t *ids = ecs_os_malloc_n(ecs_id_t, table->type.count);
    int32_t count = 0;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        bool stands_for_pairs =
            pattern == Ecs__Wildcard && ecs__id_is_presence(table->records[i].hdr.cr);
        if (!ecs__id_covers(pattern, id) || stands_for_pairs) ids[count++] = id;
    }
    ecs_table_t *result = ecs__table_ensure(table->store, ids, count);
    ecs_os_free(ids);
    return result;
}

ecs_table_t *ecs__table_minus(ecs_table_t *table, ecs_id_t id) {
    if (!ecs__table_has(table, id)) return table;
    const ecs__edge_t *edge = find_edge(table, id);
    if (edge) return edge->target;
    ecs_table_t *target = without_matches(table, ecs__id_any_to_wildcard(id));
    if (target != table) set_edge(table, id, target);
    return target;
}

// ---- deletion ----

void ecs__table_graph_remove(ecs_table_t *table) {
    ecs__table_edges_t *edges = table->edges;
    if (!edges) return;
    while (edges->count) remove_edge(table, edges->items[edges->count - 1].id);
    while (edges->incoming_count) {
        incoming_t last = edges->incoming[edges->incoming_count - 1];
        remove_edge(last.source, last.id);
    }
    ecs_os_free(edges->items);
    ecs_os_free(edges->incoming);
    ecs_os_free(edges->low);
    if (ecs_map_is_init(&edges->high)) ecs_map_fini(&edges->high);
    ecs_os_free(edges);
    table->edges = NULL;
}
