// SPDX-License-Identifier: MIT
// create: new entities, one or many, in a table.
#include "id/type_info.h"
#include "mutate/edge.h"
#include "mutate/hooks.h"
#include "mutate/instantiate.h"
#include "mutate/mutate.h"
#include "mutate/override.h"
#include "mutate/parent.h"
#include "mutate/plain.h"
#include "mutate/sparse.h"
#include "mutate/symmetric.h"
#include "mutate/traits.h"
#include "world/state.h"

// Whether observers hear of a new row, perhaps of what it has through others.
static bool is_heard(const ecs_world_t *world, const ecs_table_t *table) {
    for (int32_t i = 0; world->events.listened && i < table->type.count; i++) {
        const ecs_component_record_t *id = ecs__table_cr(table, i);
        if (id->flags & EcsIdTraversable || ecs__events_hear(&world->events, id, true)) return true;
    }
    return false;
}

// An id may bring others, through With, that are not in tables.
static bool may_imply(const ecs_world_t *world, const ecs_table_t *table) {
    for (int32_t i = 0; world->store.has_sparse && i < table->type.count; i++) {
        if (ecs__table_cr(table, i)->flags & EcsIdWith) return true;
    }
    return false;
}

// Bases provide values of its columns, or perhaps something beside tables.
static bool starts_with_more(const ecs_world_t *world, const ecs_table_t *table) {
    if (!(table->flags & EcsTableHasIsA)) return false;
    bool provides = world->store.has_sparse;
    for (int32_t c = 0; c < table->column_count && !provides; c++)
        provides = ecs__override_value(table, ecs__table_cr(table, table->columns[c].type_index));
    return provides;
}

bool ecs__create_is_plain(const ecs_world_t *world, const ecs_table_t *table) {
    const ecs_flags32_t more = ECS__TABLE_BEGINS_MORE & ~(ecs_flags32_t)EcsTableHasIsA;
    return !(table->flags & more) && !is_heard(world, table) && !may_imply(world, table) &&
           !starts_with_more(world, table);
}

ecs_entity_t ecs__create_plain(ecs_world_t *world, ecs_table_t *table) {
    ecs_entity_t entity = ecs__plain_row_new(table);
    if (table->flags & EcsTableHasIsA) ecs__instantiate(world, table, NULL, &entity, 1);
    return entity;
}

ecs_entity_t ecs__create(ecs_world_t *world, ecs_table_t *table) {
    if (table && ecs__create_is_plain(world, table)) return ecs__create_plain(world, table);
    ecs_entity_t entity = ecs__entity_new(&world->store.entities);
    ecs__place(world, table ? table : world->store.root, &entity, 1);
    return entity;
}

// What the new rows mean for others; they may move to other tables.
static void follow(
    ecs_world_t *world, const ecs_table_t *table, const ecs_entity_t *entities, int32_t count) {
    for (int32_t i = 0; world->store.has_sparse && i < count; i++) {
        ecs__aside_imply(world, entities[i], NULL, table);
    }
    for (int32_t i = 0; table->flags & ECS__TABLE_HAS_SYMMETRIC && i < count; i++) {
        ecs__symmetric_follow(world, entities[i], NULL, table);
    }
    if (table->flags & EcsTableHasIsA) ecs__instantiate(world, table, NULL, entities, count);
    for (int32_t i = 0; table->flags & EcsTableHasParent && i < count; i++) {
        ecs__parent_tag(world, entities[i]);
    }
    for (int32_t i = 0; world->store.has_sparse && i < count; i++) {
        ecs__aside_follow(world, entities[i], NULL, table);
    }
}

// Without entities new ones are made, straight into the table together with plain values; `ids` gets them.
static int32_t place(ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities,
    int32_t count, void *const *data, ecs_entity_t *ids) {
    int32_t row = entities ? ecs__store_place(&world->store, table, entities, count)
                           : ecs__table_append_new(table, count, data, ids);
    if (!entities) entities = &table->entities[row];
    if (table->flags & EcsTableHasSparse)
        ecs__sparse_enter(world, table, NULL, row, count, NULL, 0);
    ecs__override_copy(table, NULL, row, count, NULL, 0);
    if (table->flags & EcsTableHasOrderedChildren)
        ecs__children_follow(NULL, table, entities, count);
    if (table->flags & ECS__TABLE_HAS_TRAITS) {
        for (int32_t i = 0; i < count; i++) ecs__traits_changed(world, entities[i]);
    }
    return row;
}

// Edges with init hooks are judged one by one, so the entities start without them.
static int32_t place_with_edges(ecs_world_t *world, ecs_table_t *table,
    const ecs_entity_t *entities, int32_t count, void *const *data) {
    ecs__place(world, ecs__edges_without(world, table), entities, count);
    for (int32_t i = 0; i < count; i++) ecs__transition(world, entities[i], table, NULL, 0);
    for (int32_t t = 0; data && t < table->type.count; t++) {
        const ecs_type_info_t *type = ecs__table_cr(table, t)->type_info;
        char *values = data[t];
        for (int32_t i = 0; values && i < count; i++)
            ecs__set_given(world, entities[i], table->type.array[t], type, values + i * type->size);
    }
    return ecs__entity_spot(&world->store.entities, entities[0]).row;
}

int32_t ecs__place(
    ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities, int32_t count) {
    if (table->flags & ECS__TABLE_HAS_EDGES)
        return place_with_edges(world, table, entities, count, NULL);
    int32_t row = place(world, table, entities, count, NULL, NULL);
    ecs__hooks_on_add(world, table, NULL, row, count);
    ecs__override_notify(world, table, NULL, row, count, NULL, 0);
    follow(world, table, entities, count);
    return row;
}

void ecs__create_reserved(ecs_world_t *world, ecs_entity_t entity) {
    ecs__entity_issue(&world->store.entities, entity);
    ecs__place(world, world->store.root, &entity, 1);
}

// An id may come to life again, and what is remembered of it is of its former life. Terms that still name it wait for its kinds anew.
static void claim(ecs__store_t *store, ecs_entity_t entity) {
    const bool is_named = ecs__entity_is_held(&store->entities, (uint32_t)entity);
    ecs__entity_claim(&store->entities, entity);
    ecs__store_raise_above(store, true);
    if (is_named) ecs__store_raise_kinds(store);
}

void ecs__create_exact(ecs_world_t *world, ecs_entity_t entity) {
    claim(&world->store, entity);
    ecs__place(world, world->store.root, &entity, 1);
}

static void move_sparse(
    const ecs_table_t *table, int32_t index, int32_t row, int32_t count, char *values) {
    const ecs_component_record_t *record = ecs__table_cr(table, index);
    for (int32_t i = 0; i < count; i++) {
        void *value = ecs__sparse_get(record, table->entities[row + i]);
        ecs__value_take(record->type_info, value, values + i * record->type_info->size, 1);
    }
}

static void move_data(
    ecs_table_t *table, int32_t row, int32_t count, void *const *data, bool has_plain) {
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *column = &table->columns[c];
        void *values = data[column->type_index];
        if (values && (column->has_hooks || !has_plain))
            ecs__value_take(column->type_info, ecs__table_cell(table, c, row), values, count);
    }
    for (int32_t i = 0; table->flags & EcsTableHasSparse && i < table->type.count; i++) {
        if (data[i] && ecs__table_column_at(table, i) < 0)
            move_sparse(table, i, row, count, data[i]);
    }
}

// Tells on_set of given values and of those that bases provide.
static void tell_values(
    ecs_world_t *world, ecs_table_t *table, int32_t row, int32_t count, void *const *data) {
    for (int32_t i = 0; i < table->type.count; i++) {
        const bool is_given = data && data[i];
        if (is_given || ecs__override_value(table, ecs__table_cr(table, i)))
            ecs__hooks_on_set_at(world, table, i, row, count, true);
    }
}

// Whoever is told of the id finds the value.
static void give_value(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record, void *value) {
    if (ecs__sparse_has(record, entity))
        ecs__set_move(world, entity, record->id, value, false);
    else
        ecs__aside_emplace(world, entity, record, value);
    if (record->type_info->hooks.move) ecs__value_ctor(record->type_info, value, 1);
}

// Before bases would bring the same.
static void give_beside(
    ecs_world_t *world, const ecs_entity_t *entities, int32_t count, const ecs__given_t *beside) {
    ecs__arrivals_t arrivals = { .world = world };
    for (const ecs__given_t *given = beside; given->record; given++) {
        for (int32_t i = 0; i < count; i++) {
            if (given->values)
                give_value(world, entities[i], given->record,
                    ECS_ELEM(given->values, given->record->type_info->size, i));
            else
                ecs__aside_arrive(&arrivals, entities[i], given->record);
        }
    }
    ecs__arrivals_tell(&arrivals);
    for (const ecs__given_t *given = beside; given->record; given++) {
        for (int32_t i = 0; given->values && i < count; i++)
            ecs__modified(world, entities[i], given->record->id);
    }
}

static void place_many(ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities,
    int32_t count, void *const *data, const ecs__given_t *beside, ecs_entity_t *ids) {
    int32_t row = place(world, table, entities, count, data, ids);
    if (data) move_data(table, row, count, data, !entities);
    ecs__hooks_on_add(world, table, NULL, row, count);
    tell_values(world, table, row, count, data);
    give_beside(world, entities, count, beside);
    follow(world, table, entities, count);
}

// Entities that may move on while they are made: their ids are known from the beginning.
static bool may_move_on(const ecs_world_t *world, const ecs_table_t *table) {
    return world->store.has_sparse ||
           table->flags & (EcsTableHasIsA | EcsTableHasParent | ECS__TABLE_HAS_EDGES |
                              ECS__TABLE_HAS_SYMMETRIC);
}

// The memory of the list of the world, with room for new ids, or none: hooks may make others in bulk.
static ecs_vec_t take_list(ecs_world_t *world, int32_t count) {
    // More than a table has room for.
    if (count > INT32_MAX / ECS_SIZEOF(ecs_entity_t)) ecs_os_out_of_memory_(-1);
    ecs_vec_t list = world->bulk_ids;
    world->bulk_ids = (ecs_vec_t){ 0 };
    ecs_vec_set_count_t(NULL, &list, ecs_entity_t, count);
    return list;
}

const ecs_entity_t *ecs__create_many(ecs_world_t *world, ecs_table_t *table,
    const ecs_entity_t *entities, int32_t count, void *const *data, const ecs__given_t *beside) {
    for (int32_t i = 0; entities && i < count; i++) claim(&world->store, entities[i]);
    ecs_vec_t list = take_list(world, entities ? 0 : count);
    const ecs_entity_t *result = entities ? entities : list.array;
    if (!entities && may_move_on(world, table)) {
        ecs__entity_new_many(&world->store.entities, list.array, count);
        entities = result;
    }
    if (table->flags & ECS__TABLE_HAS_EDGES) {
        place_with_edges(world, table, entities, count, data);
        give_beside(world, entities, count, beside);
    } else {
        place_many(world, table, entities, count, data, beside, list.array);
    }
    ecs_vec_fini_t(NULL, &world->bulk_ids, ecs_entity_t);
    world->bulk_ids = list;
    return result;
}
