// SPDX-License-Identifier: MIT
// create: new entities, one or many, in a table.
#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "mutate/traits.h"
#include "world/state.h"

ecs_entity_t ecs__create(ecs_world_t *world, ecs_table_t *table) {
    ecs_entity_t entity = ecs__entity_new(&world->store.entities);
    ecs__place(world, table ? table : world->store.root, &entity, 1);
    return entity;
}

// Values that bases provide; rows of one table inherit the same.
static void inherit_values(ecs_world_t *world, ecs_table_t *table, int32_t row, int32_t count) {
    ecs__found_t found;
    for (int32_t c = 0; c < table->column_count; c++) {
        ecs_id_t id = ecs__column_id(table, c);
        if (!ecs__search_up(table, id, Ecs__IsA, false, true, 0, 0, &found)) continue;
        int32_t column = found.table->column_map[found.index];
        if (column < 0) continue;
        const ecs_record_t *base = ecs__entity_get(&world->store.entities, found.source);
        const void *value = ecs__table_cell(found.table, column, ECS_RECORD_TO_ROW(base->row));
        for (int32_t i = row; i < row + count; i++) {
            ecs__value_copy(table->columns[c].type_info, ecs__table_cell(table, c, i), value, 1);
        }
    }
}

static int32_t place(
    ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities, int32_t count) {
    int32_t row = ecs__store_place(&world->store, table, entities, count);
    if (table->flags & EcsTableHasIsA) inherit_values(world, table, row, count);
    if (table->flags & ECS__TABLE_HAS_TRAITS) {
        for (int32_t i = 0; i < count; i++) ecs__traits_changed(world, entities[i]);
    }
    return row;
}

int32_t ecs__place(
    ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities, int32_t count) {
    int32_t row = place(world, table, entities, count);
    ecs__hooks_on_add(world, table, NULL, row, count);
    return row;
}

void ecs__create_reserved(ecs_world_t *world, ecs_entity_t entity) {
    ecs__entity_issue(&world->store.entities, entity);
    ecs__place(world, world->store.root, &entity, 1);
}

void ecs__create_exact(ecs_world_t *world, ecs_entity_t entity) {
    ecs__entity_claim(&world->store.entities, entity);
    ecs__place(world, world->store.root, &entity, 1);
}

static void move_data(ecs_table_t *table, int32_t row, int32_t count, void *const *data) {
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *column = &table->columns[c];
        void *values = data[column->type_index];
        if (values)
            ecs__value_move_dtor(column->type_info, ecs__table_cell(table, c, row), values, count);
    }
}

int32_t ecs__create_many(ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities,
    int32_t count, void *const *data) {
    ecs_entity_t *made = NULL;
    if (!entities) {
        made = ecs_os_malloc_n(ecs_entity_t, count);
        for (int32_t i = 0; i < count; i++) made[i] = ecs__entity_new(&world->store.entities);
    } else {
        for (int32_t i = 0; i < count; i++) ecs__entity_claim(&world->store.entities, entities[i]);
    }
    int32_t row = place(world, table, entities ? entities : made, count);
    ecs_os_free(made);
    if (data) move_data(table, row, count, data);
    ecs__hooks_on_add(world, table, NULL, row, count);
    for (int32_t c = 0; data && c < table->column_count; c++) {
        if (data[table->columns[c].type_index]) ecs__hooks_on_set(world, table, c, row, count);
    }
    return row;
}
