// SPDX-License-Identifier: MIT
// each: iteration without a query: all tables of one id, or all tables without a relationship.
//
// Results are tables in order of creation, prefabs and disabled ones too; for a wildcard one per id
// that it covers. What entities have beside their tables comes after that, entity by entity.
#include "query/iter/iter.h"

#include <muster/ecs/entity.h>

#include "base/assert.h"
#include "world/state.h"

void ecs__iter_begin_bare(ecs_iter_t *it, const ecs_world_t *world, int8_t field_count) {
    memset(it, 0, offsetof(ecs_iter_t, priv_.ptrs));
    it->world = (ecs_world_t *)(uintptr_t)world;
    it->real_world = ecs__world_of(world);
    it->field_count = field_count;
    it->flags = EcsIterOpen;
    it->priv_.table_limit = it->real_world->store.next_table_id;
    it->priv_.stamp = it->real_world->store.table_stamp;
}

// As an expression, so that compilers make it in the memory of the caller.
static inline ecs_iter_t begin_with(
    const ecs_world_t *world, const void *source, ecs_id_t id, ecs_iter_next_action_t next) {
    ecs_world_t *real_world = ecs__world_of(world);
    return (ecs_iter_t){ .world = (ecs_world_t *)(uintptr_t)world,
        .real_world = real_world,
        .field_count = 1,
        .flags = source ? EcsIterOpen : EcsIterNoResults,
        .event_id = id,
        .next = next,
        .priv_ = { .source = (void *)(uintptr_t)source,
            .table_limit = real_world->store.next_table_id,
            .stamp = real_world->store.table_stamp } };
}

// priv_.position: next table. priv_.row: next position in the type of the present one, 0 = next
// table.
static inline ecs_iter_t begin(const ecs_world_t *world, ecs_id_t id, ecs_iter_next_action_t next) {
    return begin_with(world, ecs__id_record_get(&ecs__world_of(world)->store, id),
        ecs__id_any_to_wildcard(id), next);
}

ecs_iter_t ecs_each_id(const ecs_world_t *world, ecs_id_t id) {
    ECS__CHECK(ecs__check_reader(world));
    return begin(world, id, ecs_each_next);
error:
    return begin_with(world, NULL, 0, ecs_each_next);
}

static void show_sparse(ecs_iter_t *it, const ecs_component_record_t *record) {
    bool has_values = ecs__id_has_sparse_values(record);
    it->row_fields = it->ref_fields = has_values;
    if (has_values) it->priv_.sizes[0] = record->type_info->size;
}

// Without values, at first.
static inline void show_field(ecs_iter_t *it, ecs_id_t id, int16_t column) {
    ecs_iter_private_t *priv = &it->priv_;
    it->ptrs = priv->ptrs;
    it->ids = priv->ids;
    it->sources = priv->sources;
    it->sizes = priv->sizes;
    it->columns = priv->columns;
    it->set_fields = 1;
    priv->ids[0] = id;
    priv->sources[0] = 0;
    priv->columns[0] = column;
    priv->ptrs[0] = NULL;
    priv->sizes[0] = 0;
    it->flags |= EcsIterIsValid;
}

static void show(ecs_iter_t *it, ecs_table_t *table, int32_t index, ecs_id_t id) {
    int16_t column = index < 0 ? (int16_t)-1 : ecs__table_column_at(table, index);
    it->frame_offset += it->count;
    it->table = table;
    it->count = table->count;
    it->entities = table->entities;
    show_field(it, id, column);
    if (column >= 0) {
        it->priv_.ptrs[0] = table->data[column];
        it->priv_.sizes[0] = table->columns[column].size;
    } else if (index >= 0) {
        show_sparse(it, ecs__table_cr(table, index));
    }
    it->priv_.table_number = table->id;
    ecs__iter_lock(it);
}

// Another id of the same table that the wildcard covers.
static bool next_id(ecs_iter_t *it) {
    if (!it->priv_.row) return false;
    int32_t index = ecs__type_match(&it->table->type, it->priv_.row, it->event_id);
    it->priv_.row = index + 1;
    if (index < 0) return false;
    it->frame_offset -= it->count;
    show(it, it->table, index, it->table->type.array[index]);
    return true;
}

// Tables came or went: go on behind the present one.
static void find_place(ecs_iter_t *it, int32_t at) {
    ecs_iter_private_t *priv = &it->priv_;
    priv->stamp = it->real_world->store.table_stamp;
    if (priv->position) priv->position = at;
}

// The next concrete id among those beside tables; `last`, `source`, `position` and `row` say where: cover, record, holder, edge.
static ecs_component_record_t *next_holder(ecs_iter_t *it, ecs_entity_t *entity) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__store_t *store = &it->real_world->store;
    for (;;) {
        ecs_component_record_t *record = priv->source;
        if (priv->position >= ecs__sparse_count(record)) {
            priv->source = ecs__sparse_next_cover(store, it->event_id, &priv->last);
            priv->position = priv->row = 0;
            if (!priv->source) return NULL;
            continue;
        }
        *entity = ecs__sparse_holders(record)[priv->position].entity;
        if (ecs__id_is_wildcard(record->id)) {
            ecs__sparse_edges_t edges = ecs__sparse_edges(record, *entity);
            if (priv->row < edges.count) return edges.items[priv->row++].record;
            priv->row = 0;
        }
        priv->position++;
        if (!ecs__id_is_wildcard(record->id)) return record;
    }
}

static bool next_beside(ecs_iter_t *it) {
    ecs_entity_t entity;
    ecs_component_record_t *record = next_holder(it, &entity);
    if (!record) return ecs__iter_end(it);
    const ecs__spot_t at = ecs__entity_spot(&it->real_world->store.entities, entity);
    show(it, at.table, -1, record->id);
    it->offset = at.row;
    it->count = 1;
    it->entities = &at.table->entities[it->offset];
    it->priv_.ptrs[0] = ecs__sparse_get(record, entity);
    show_sparse(it, record);
    return true;
}

// Nothing is left in tables.
static bool begin_beside(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (!it->real_world->store.has_sparse) return ecs__iter_end(it);
    priv->source = NULL;
    priv->position = priv->row = priv->last = 0;
    priv->limit = 1; /* tables are done */
    return next_beside(it);
}

// With an id, or what is beside tables; not those without a relationship.
static inline bool goes_through_tables(const ecs_iter_t *it) {
    return it->next == ecs_each_next ||
           (it->next == ecs_children_next && (it->priv_.source || it->priv_.limit));
}

bool ecs_each_next(ecs_iter_t *it) {
    ECS__NEED_OR(it, false);
    if (it->flags & EcsIterNoResults) return false;
    ecs_check(goes_through_tables(it), ECS_INVALID_PARAMETER,
        "this iterator is none of ecs_each_id: results of queries are for ecs_query_next, others for ecs_iter_next");
    ecs__iter_unlock(it);
    if (it->priv_.limit) return next_beside(it);
    if (next_id(it)) return true;
    const ecs_component_record_t *record = it->priv_.source;
    if (it->priv_.stamp != it->real_world->store.table_stamp)
        find_place(it, ecs__id_record_seek(record, it->priv_.table_number + 1));
    ecs_table_t *table = ecs__id_record_next_table(record, &it->priv_.position, false);
    if (!table || table->id >= it->priv_.table_limit) return begin_beside(it);
    const int32_t first = ecs__table_search(table, record->id);
    show(it, table, first, table->type.array[first]);
    it->priv_.row = ecs__id_is_wildcard(record->id) ? first + 1 : 0;
    return true;
error:
    return false;
}

// ---- children ----

// Entities without the relationship: all tables that lack (R, *), which is event_id here.
static bool next_root(ecs_iter_t *it) {
    if (it->flags & EcsIterNoResults) return false;
    ecs__iter_unlock(it);
    const ecs__store_t *store = &it->real_world->store;
    if (it->priv_.stamp != store->table_stamp)
        find_place(it, ecs__store_seek(store, it->priv_.table_number + 1));
    while (it->priv_.position < store->table_count) {
        ecs_table_t *table = store->tables[it->priv_.position++];
        if (!table || !table->count || table->id >= it->priv_.table_limit) continue;
        if (ecs__table_has(table, it->event_id)) continue;
        bool is_hierarchy = it->event_id == ECS__MAKE_PAIR(Ecs__ChildOf, Ecs__Wildcard);
        if (is_hierarchy && table->flags & EcsTableHasParent) continue;
        show(it, table, -1, it->priv_.ids[1]);
        return true;
    }
    return ecs__iter_end(it);
}

// Tables came or went: go on in the present one, if it is there.
static void follow_table(ecs_iter_t *it, const ecs__store_t *store) {
    ecs_iter_private_t *priv = &it->priv_;
    priv->stamp = store->table_stamp;
    priv->position = ecs__store_seek(store, priv->table_number);
    if (!ecs__store_table(store, priv->table_number)) priv->row = 0;
}

// The same where tables do not tell: row by row. priv_.position: present table.
static bool next_root_beside(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__store_t *store = &it->real_world->store;
    const ecs_component_record_t *any = ecs__id_record_get(store, it->event_id);
    if (it->flags & EcsIterNoResults) return false;
    ecs__iter_unlock(it);
    if (priv->stamp != store->table_stamp) follow_table(it, store);
    for (; priv->position < store->table_count; priv->position++, priv->row = 0) {
        ecs_table_t *table = store->tables[priv->position];
        while (table && table->id < priv->table_limit && priv->row < table->count) {
            int32_t row = priv->row++;
            if (ecs__sparse_has(any, table->entities[row])) continue;
            show(it, table, -1, priv->ids[1]);
            it->offset = row;
            it->count = 1;
            it->entities = &table->entities[row];
            return true;
        }
    }
    return ecs__iter_end(it);
}

// All children of a parent that keeps their order in one result, which has no table.
static bool next_ordered(ecs_iter_t *it) {
    const ecs__children_t *list = it->priv_.source;
    if (it->priv_.row++ || !list->count) return ecs__iter_end(it);
    it->count = list->count;
    it->entities = list->ids;
    show_field(it, it->event_id, -1);
    return true;
}

static ecs_iter_t begin_roots(const ecs_world_t *world, ecs_entity_t relationship) {
    ecs_iter_t it;
    ecs__iter_begin_bare(&it, world, 1);
    it.event_id = ECS__MAKE_PAIR(relationship, Ecs__Wildcard);
    it.priv_.ids[1] = ECS__MAKE_PAIR(relationship, 0);
    const ecs_component_record_t *any = ecs__id_record_get(&it.real_world->store, it.event_id);
    ecs_id_t presence = ecs__id_presence(any);
    if (presence) it.event_id = presence;
    it.next = ecs__id_is_beside(any) && !presence ? next_root_beside : ecs_children_next;
    return it;
}

ecs_iter_t ecs_children_w_rel(
    const ecs_world_t *world, ecs_entity_t relationship, ecs_entity_t parent) {
    ECS__CHECK(ecs__check_reader(world));
    if (!parent) return begin_roots(world, relationship);
    ecs_check(ecs_is_alive(world, parent), ECS_INVALID_PARAMETER,
        "cannot iterate the children of entity %u: it is not alive", (uint32_t)parent);
    const ecs_id_t id = ECS__MAKE_PAIR(relationship, parent);
    const ecs__children_t *list = relationship == Ecs__ChildOf
                                      ? ecs__children_get(&ecs__world_of(world)->store, parent)
                                      : NULL;
    return list ? begin_with(world, list, id, next_ordered) : begin(world, id, ecs_children_next);
error:
    return begin_with(world, NULL, 0, ecs_children_next);
}

ecs_iter_t ecs_children(const ecs_world_t *world, ecs_entity_t parent) {
    return ecs_children_w_rel(world, Ecs__ChildOf, parent);
}

bool ecs_children_next(ecs_iter_t *it) {
    ECS__NEED_OR(it, false);
    if (it->next != ecs_children_next) return it->next(it);
    return it->priv_.source || it->priv_.limit ? ecs_each_next(it) : next_root(it);
}
