// SPDX-License-Identifier: MIT
#include "storage/table_graph.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "storage/store.h"

// Each edge knows its place among the incoming edges of its target, so that deleting a table finds and drops all edges from and to
// it in constant time each.
// What tables without edges have.
static const ecs__edge_t no_edges[1];

void ecs__table_graph_init(ecs_table_t *table) {
    table->edges.items = ECS_CONST_CAST(ecs__edge_t *, no_edges);
    table->edges.incoming = &table->edges.first_incoming;
    table->edges.incoming_size = 1;
}

static ecs__edge_t *place_of(ecs__table_edges_t *edges, ecs_id_t id) {
    uint32_t at = ecs__edge_hash(id) & edges->mask;
    while (edges->items[at].id && edges->items[at].id != id) at = (at + 1) & edges->mask;
    return &edges->items[at];
}

// At most two of three places are taken, so that searches end.
static void make_room(ecs__table_edges_t *edges) {
    uint32_t size = edges->mask + 1;
    if (3 * ((uint32_t)edges->count + 1) <= 2 * size) return;
    ecs__table_edges_t old = *edges;
    edges->items = ecs_os_calloc_n(ecs__edge_t, (ecs_size_t)size * 2);
    edges->mask = size * 2 - 1;
    for (uint32_t i = 0; i < size; i++) {
        if (old.items[i].id) *place_of(edges, old.items[i].id) = old.items[i];
    }
    if (old.items != no_edges) ecs_os_free(old.items);
}

static void grow_incoming(ecs__table_edges_t *edges) {
    bool is_first = edges->incoming == &edges->first_incoming;
    edges->incoming_size *= 2;
    edges->incoming =
        ecs_os_realloc_n(is_first ? NULL : edges->incoming, ecs__incoming_t, edges->incoming_size);
    if (is_first) edges->incoming[0] = edges->first_incoming;
}

static int32_t add_incoming(ecs_table_t *target, ecs_table_t *source, ecs_id_t id) {
    ecs__table_edges_t *edges = &target->edges;
    if (edges->incoming_count == edges->incoming_size) grow_incoming(edges);
    edges->incoming[edges->incoming_count] = (ecs__incoming_t){ source, id };
    return edges->incoming_count++;
}

// Builtins, marks and wildcards have meanings of their own.
static bool is_single(ecs_id_t id) {
    if (ecs__id_marks(id) || ecs__id_is_wildcard(id)) return false;
    return !ecs__is_builtin(ECS_IS_PAIR(id) ? ecs__id_first(id) : id);
}

static ecs__edge_t make_edge(
    const ecs_table_t *table, ecs_id_t id, ecs_table_t *target, int32_t back) {
    bool adds = !ecs__table_has(table, id);
    int32_t more = target->type.count - table->type.count;
    int32_t column = ecs__table_column(adds ? target : table, id);
    bool alone = more == (adds ? 1 : -1) && is_single(id);
    return (ecs__edge_t){ id, target, 0, back, (int16_t)column, adds, alone };
}

static void set_edge(ecs_table_t *table, ecs_id_t id, ecs_table_t *target) {
    int32_t back = add_incoming(target, table, id);
    ecs__table_edges_t *edges = &table->edges;
    make_room(edges);
    *place_of(edges, id) = make_edge(table, id, target, back);
    edges->count++;
}

static void remove_incoming(const ecs__edge_t *edge) {
    ecs__table_edges_t *edges = &edge->target->edges;
    ecs__incoming_t last = edges->incoming[--edges->incoming_count];
    edges->incoming[edge->back] = last;
    place_of(&last.source->edges, last.id)->back = edge->back;
}

// Those behind it move up if they were put there because this place was taken.
static void remove_edge(ecs_table_t *table, ecs_id_t id) {
    ecs__table_edges_t *edges = &table->edges;
    ecs__edge_t *hole = place_of(edges, id);
    remove_incoming(hole);
    edges->count--;
    uint32_t mask = edges->mask, gap = (uint32_t)(hole - edges->items), at = gap;
    while (edges->items[at = (at + 1) & mask].id) {
        uint32_t home = ecs__edge_hash(edges->items[at].id);
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        edges->items[gap] = edges->items[at];
        gap = at;
    }
    edges->items[gap].id = 0;
}

// ---- plus ----

static ecs_table_t *with_id(ecs_table_t *table, ecs_id_t id, int32_t replaced) {
    int32_t count = table->type.count;
    ecs_id_t few[32], *ids = count < 32 ? few : ecs_os_malloc_n(ecs_id_t, count + 1);
    memcpy(ids, table->type.array, (size_t)count * sizeof(ecs_id_t));
    if (replaced >= 0) {
        count--;
        memmove(&ids[replaced], &ids[replaced + 1], (size_t)(count - replaced) * sizeof(ecs_id_t));
    }
    int32_t at = ecs__type_lower_bound(&(ecs_type_t){ .array = ids, .count = count }, id);
    memmove(&ids[at + 1], &ids[at], (size_t)(count - at) * sizeof(ecs_id_t));
    ids[at] = id;
    ecs_table_t *result = ecs__table_ensure(table->store, ids, count + 1);
    if (ids != few) ecs_os_free(ids);
    return result;
}

ecs_table_t *ecs__table_plus(ecs_table_t *table, ecs_id_t id) {
    const ecs__edge_t *edge = ecs__table_edge(table, id);
    if (edge) return edge->adds ? edge->target : table;
    if (ecs__table_has(table, id)) return table;
    int32_t replaced = -1;
    if (ECS_IS_PAIR(id) && ecs__id_record_ensure(table->store, id)->flags & EcsIdExclusive) {
        ecs_id_t any = (id & ~ECS_ENTITY_MASK & ECS_COMPONENT_MASK) | ECS__PAIR | Ecs__Wildcard;
        replaced = ecs__table_search(table, any);
    }
    uint64_t next_id = table->store->next_table_id;
    ecs_table_t *target = with_id(table, id, replaced);
    if (target->id < next_id) set_edge(table, id, target);
    return target;
}

// ---- minus ----

static ecs_table_t *without_matches(ecs_table_t *table, ecs_id_t pattern) {
    ecs_id_t *ids = ecs_os_malloc_n(ecs_id_t, table->type.count);
    int32_t count = 0;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        bool stands_for_pairs =
            pattern == Ecs__Wildcard && ecs__id_is_presence(table->records[i].cr);
        if (!ecs__id_covers(pattern, id) || stands_for_pairs) ids[count++] = id;
    }
    ecs_table_t *result = ecs__table_ensure(table->store, ids, count);
    ecs_os_free(ids);
    return result;
}

ecs_table_t *ecs__table_minus(ecs_table_t *table, ecs_id_t id) {
    if (!ecs__table_has(table, id)) return table;
    const ecs__edge_t *edge = ecs__table_edge(table, id);
    if (edge) return edge->target;
    ecs_table_t *target = without_matches(table, ecs__id_any_to_wildcard(id));
    if (target != table) set_edge(table, id, target);
    return target;
}

// ---- deletion ----

void ecs__table_graph_remove(ecs_table_t *table) {
    ecs__table_edges_t *edges = &table->edges;
    for (uint32_t i = 0; i <= edges->mask; i++) {
        if (edges->items[i].id) remove_incoming(&edges->items[i]);
    }
    while (edges->incoming_count) {
        ecs__incoming_t last = edges->incoming[edges->incoming_count - 1];
        remove_edge(last.source, last.id);
    }
    if (edges->items != no_edges) ecs_os_free(edges->items);
    if (edges->incoming != &edges->first_incoming) ecs_os_free(edges->incoming);
}
