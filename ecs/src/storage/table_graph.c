// SPDX-License-Identifier: MIT
#include "storage/table_graph.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "storage/store.h"

// Each edge knows its place among the incoming edges of its target, so that deleting a table finds and drops all edges from and to
// it in constant time each. What only making and dropping edges needs lies in front of them: many tables never have any.

typedef struct incoming_t {
    ecs_table_t *source;
    ecs_id_t id;
} incoming_t;

typedef struct head_t {
    incoming_t *incoming;
    incoming_t first_incoming; /* room for one: most tables have no more */
    int32_t incoming_count, incoming_size;
    int32_t count; /* edges from the table */
} head_t;

typedef struct edges_t {
    head_t head;
    ecs__edge_t items[];
} edges_t;

// What tables without edges have.
static const struct {
    head_t head;
    ecs__edge_t items[1];
} none;

static edges_t *edges_of(const ecs_table_t *table) {
    return (edges_t *)(void *)((char *)table->edges - offsetof(edges_t, items));
}

static bool has_none(const ecs_table_t *table) { return table->edges == none.items; }

void ecs__table_graph_init(ecs_table_t *table) {
    table->edges = ECS_CONST_CAST(ecs__edge_t *, none.items);
    table->edge_mask = 0;
}

void ecs__hops_forget(ecs__store_t *store) { memset(store->hops, 0, sizeof store->hops); }

static ecs__edge_t *place_of(const ecs_table_t *table, ecs_id_t id) {
    uint32_t at = ecs__edge_hash(id) & table->edge_mask;
    while (table->edges[at].id && table->edges[at].id != id) at = (at + 1) & table->edge_mask;
    return &table->edges[at];
}

static size_t bytes_for(uint32_t size) { return sizeof(edges_t) + size * sizeof(ecs__edge_t); }

static void give_incoming(ecs__store_t *store, head_t *head) {
    if (head->incoming != &head->first_incoming)
        ecs__kept_give(
            &store->kept, head->incoming, (size_t)head->incoming_size * sizeof(incoming_t));
}

// Room for so many edges from the table. They are put anew, since their places depend on the size.
static void resize(ecs_table_t *table, uint32_t size) {
    ecs__hops_forget(table->store);
    edges_t *old = has_none(table) ? NULL : edges_of(table);
    const uint32_t old_size = old ? table->edge_mask + 1 : 0;
    edges_t *edges =
        memset(ecs__kept_take(&table->store->kept, bytes_for(size)), 0, bytes_for(size));
    if (old) edges->head = old->head;
    if (!old || old->head.incoming == &old->head.first_incoming) {
        edges->head.incoming = &edges->head.first_incoming;
        edges->head.incoming_size = 1;
    }
    table->edges = edges->items;
    table->edge_mask = size - 1;
    for (uint32_t i = 0; i < old_size; i++) {
        if (old->items[i].id) *place_of(table, old->items[i].id) = old->items[i];
    }
    ecs__kept_give(&table->store->kept, old, bytes_for(old_size));
}

// At most two of three places are taken, so that searches end.
static void make_room(ecs_table_t *table) {
    uint32_t size = table->edge_mask + 1;
    if (3 * ((uint32_t)edges_of(table)->head.count + 1) > 2 * size) resize(table, size * 2);
}

static void grow_incoming(ecs__store_t *store, head_t *head) {
    const size_t from = (size_t)head->incoming_size * sizeof(incoming_t);
    bool is_first = head->incoming == &head->first_incoming;
    head->incoming =
        ecs__kept_resize(&store->kept, is_first ? NULL : head->incoming, from, 2 * from);
    head->incoming_size *= 2;
    if (is_first) head->incoming[0] = head->first_incoming;
}

static int32_t add_incoming(ecs_table_t *target, ecs_table_t *source, ecs_id_t id) {
    if (has_none(target)) resize(target, 1);
    head_t *head = &edges_of(target)->head;
    if (head->incoming_count == head->incoming_size) grow_incoming(target->store, head);
    head->incoming[head->incoming_count] = (incoming_t){ source, id };
    return head->incoming_count++;
}

// Builtins, marks and wildcards have meanings of their own. That of Disabled is for those who look for entities, and what names mean is
// what hooks of their values do.
static bool is_single(ecs_id_t id) {
    if (ecs__id_marks(id) || ecs__id_is_wildcard(id)) return false;
    const ecs_entity_t first = ECS_IS_PAIR(id) ? ecs__id_first(id) : id;
    return id == Ecs__Disabled || first == Ecs__Identifier || !ecs__is_builtin(first);
}

// Of an id that the table has.
static bool is_in_set(const ecs_table_t *table, ecs_id_t id) {
    return ecs__id_has_sparse_values(ecs__table_cr(table, ecs__table_search(table, id)));
}

// The pair takes the place of the one that the table has of its relationship, and neither has a value, which may be in a set.
static bool swaps_tags(const ecs_table_t *table, ecs_id_t id, const ecs_table_t *target) {
    return ECS_IS_PAIR(id) && table->column_count == target->column_count &&
           !is_in_set(target, id) &&
           !is_in_set(table, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
}

static ecs__edge_t make_edge(
    const ecs_table_t *table, ecs_id_t id, ecs_table_t *target, int32_t back) {
    bool adds = !ecs__table_has(table, id);
    int32_t more = target->type.count - table->type.count;
    int32_t column = ecs__table_column(adds ? target : table, id);
    bool alone = more == (adds ? 1 : -1);
    bool swaps = adds && !more && column < 0 && swaps_tags(table, id, target);
    uint8_t kind = alone ? ECS__EDGE_ALONE : swaps ? ECS__EDGE_SWAP : ECS__EDGE_MORE;
    if (!is_single(id)) kind = ECS__EDGE_MORE;
    return (ecs__edge_t){ id, target, 0, back, (int16_t)column, adds, kind };
}

static void set_edge(ecs_table_t *table, ecs_id_t id, ecs_table_t *target) {
    int32_t back = add_incoming(target, table, id);
    make_room(table);
    *place_of(table, id) = make_edge(table, id, target, back);
    edges_of(table)->head.count++;
}

static void remove_incoming(const ecs__edge_t *edge) {
    head_t *head = &edges_of(edge->target)->head;
    incoming_t last = head->incoming[--head->incoming_count];
    head->incoming[edge->back] = last;
    place_of(last.source, last.id)->back = edge->back;
}

// Those behind it move up if they were put there because this place was taken.
static void remove_edge(ecs_table_t *table, ecs_id_t id) {
    ecs__edge_t *items = table->edges, *hole = place_of(table, id);
    ecs__hops_forget(table->store);
    remove_incoming(hole);
    edges_of(table)->head.count--;
    uint32_t mask = table->edge_mask, gap = (uint32_t)(hole - items), at = gap;
    while (items[at = (at + 1) & mask].id) {
        uint32_t home = ecs__edge_hash(items[at].id);
        if (((at - home) & mask) < ((at - gap) & mask)) continue;
        items[gap] = items[at];
        gap = at;
    }
    items[gap].id = 0;
}

const ecs__hop_t *ecs__hop_find(ecs_table_t *table, ecs_id_t id) {
    const ecs__edge_t *edge = ecs__table_edge(table, id);
    if (!edge) return NULL;
    ecs__hop_t *hop = &table->store->hops[id % ECS__HOPS];
    *hop = (ecs__hop_t){ table, id, edge, ecs__table_key(table) };
    return hop;
}

bool ecs__hops_verify(const ecs__store_t *store) {
    for (int32_t i = 0; i < ECS__HOPS; i++) {
        const ecs__hop_t *hop = &store->hops[i];
        if (hop->source && ecs__table_edge(hop->source, hop->id) != hop->edge) return false;
    }
    return true;
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

// The root table has no edges for ids like (ChildOf, T), of which there may be as many as entities: their records know.
static ecs_table_t *table_of_one(ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_ensure(store, id);
    ecs_table_t *first = record->table_count ? ecs__id_record_table(record, 0) : NULL;
    return first && first->type.count == 1 ? first : ecs__table_ensure(store, &id, 1);
}

ecs_table_t *ecs__table_plus(ecs_table_t *table, ecs_id_t id) {
    if (!table->type.count && !is_single(id)) return table_of_one(table->store, id);
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
    ecs_id_t few[32],
        *ids = table->type.count <= 32 ? few : ecs_os_malloc_n(ecs_id_t, table->type.count);
    int32_t count = 0;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        bool stands_for_pairs =
            pattern == Ecs__Wildcard && ecs__id_is_presence(ecs__table_cr(table, i));
        if (!ecs__id_covers(pattern, id) || stands_for_pairs) ids[count++] = id;
    }
    ecs_table_t *result = ecs__table_ensure(table->store, ids, count);
    if (ids != few) ecs_os_free(ids);
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
    if (has_none(table)) return;
    ecs__hops_forget(table->store);
    for (uint32_t i = 0; i <= table->edge_mask; i++) {
        if (table->edges[i].id) remove_incoming(&table->edges[i]);
    }
    edges_t *edges = edges_of(table);
    while (edges->head.incoming_count) {
        incoming_t last = edges->head.incoming[edges->head.incoming_count - 1];
        remove_edge(last.source, last.id);
    }
    give_incoming(table->store, &edges->head);
    ecs__kept_give(&table->store->kept, edges, bytes_for(table->edge_mask + 1));
}
