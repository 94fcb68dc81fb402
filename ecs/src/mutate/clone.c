// SPDX-License-Identifier: MIT
// clone: an entity gets what another one has.
#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "storage/toggle.h"
#include "world/state.h"

// Names, symbols and aliases belong to one entity only.
static ecs_table_t *table_without_names(ecs_world_t *world, ecs_table_t *table) {
    static const ecs_id_t kinds[] = { Ecs__Name, Ecs__Symbol, Ecs__Alias };
    for (int32_t i = 0; i < 3; i++) {
        table = ecs__table_after_remove(world, table, ECS__MAKE_PAIR(Ecs__Identifier, kinds[i]));
    }
    return table;
}

static void copy_value_of(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, ecs_id_t id) {
    const ecs__entity_index_t *entities = &world->store.entities;
    const ecs_record_t *from = ecs__entity_get(entities, src), *to = ecs__entity_get(entities, dst);
    int32_t column = ecs__table_column(to->table, id), row = ECS_RECORD_TO_ROW(to->row);
    int32_t src_column = ecs__table_column(from->table, id);
    if (column < 0 || src_column < 0) return;
    const void *value = ecs__table_cell(from->table, src_column, ECS_RECORD_TO_ROW(from->row));
    ecs__value_copy(
        to->table->columns[column].type_info, ecs__table_cell(to->table, column, row), value, 1);
    ecs__hooks_on_set(world, to->table, column, row, 1);
}

static void copy_toggles(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src) {
    const ecs__entity_index_t *entities = &world->store.entities;
    const ecs_record_t *from = ecs__entity_get(entities, src), *to = ecs__entity_get(entities, dst);
    ecs__toggles_copy(
        to->table, ECS_RECORD_TO_ROW(to->row), from->table, ECS_RECORD_TO_ROW(from->row), 1);
}

// An instance gets children and slots of its own, which may move it to another table.
void ecs__clone(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value) {
    ecs__entity_index_t *entities = &world->store.entities;
    ecs_table_t *table = table_without_names(world, ecs__entity_get(entities, src)->table);
    ecs__transition(world, dst, table, NULL, 0);
    if (copy_value) copy_toggles(world, dst, src);
    for (int32_t c = 0; copy_value && c < table->column_count; c++) {
        copy_value_of(world, dst, src, ecs__column_id(table, c));
    }
}
