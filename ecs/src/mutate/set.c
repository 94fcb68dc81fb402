// SPDX-License-Identifier: MIT
// set: assigning values.
#include <muster/ecs/hierarchy.h>

#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "mutate/parent.h"
#include "mutate/sparse.h"
#include "world/state.h"

// Where a value is. Found again after hooks ran, since what they do at once may move the rows of a table, or end the entity.
typedef struct place_t {
    ecs_table_t *table;
    int32_t column, row;
} place_t;

static bool find_place(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, place_t *out) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    *out = (place_t){ spot.table, spot.table ? ecs__table_column(spot.table, id) : -1, spot.row };
    return out->column >= 0;
}

static bool ensure_place(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value, place_t *out) {
    if (find_place(world, entity, id, out)) return true;
    if (!out->table) return false; /* it has ended */
    if (id == Ecs__Parent)
        ecs__parent_add(world, entity, ((const EcsParent *)value)->value);
    else
        ecs__add(world, entity, id);
    return find_place(world, entity, id, out);
}

static bool gives_parent(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value) {
    return id == Ecs__Parent && ecs__parent_give(world, entity, ((const EcsParent *)value)->value);
}

static void *cell(const place_t *at) { return ecs__table_cell(at->table, at->column, at->row); }
static const ecs_type_info_t *type_of(const place_t *at) {
    return at->table->columns[at->column].type_info;
}

static void tell(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const place_t *at) {
    ecs__hooks_on_set(world, at->table, at->column, at->row, 1);
    if (id == Ecs__Parent) ecs__parent_tag(world, entity);
}

// The place for another value; false if there is none.
static bool begin_set(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value, place_t *at) {
    if (!ensure_place(world, entity, id, value, at)) return false;
    if (!type_of(at)->hooks.on_replace) return true;
    ecs__hooks_on_replace(world, at->table, at->column, at->row, ECS_CONST_CAST(void *, value));
    return find_place(world, entity, id, at);
}

void ecs__emplace(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    place_t at;
    ecs_component_record_t *sparse = ecs__store_sparse(&world->store, id);
    if (sparse) {
        ecs__sparse_ensure(world, entity, sparse, ECS__START_RAW);
    } else if (!find_place(world, entity, id, &at)) {
        ecs__pending_value_t raw = { .id = id, .construct = true };
        ecs__transition(world, entity, ecs__table_after_add(world, at.table, id), &raw, 1);
    }
}

void ecs__set_copy(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value) {
    place_t at;
    ecs_component_record_t *sparse = ecs__store_sparse(&world->store, id);
    if (sparse) {
        ecs__sparse_set(world, entity, sparse, value);
        return;
    }
    if (gives_parent(world, entity, id, value)) return;
    if (!begin_set(world, entity, id, value, &at)) return;
    const ecs__column_t *column = &at.table->columns[at.column];
    if (column->has_hooks)
        ecs__value_copy(column->type_info, cell(&at), value, 1);
    else
        memcpy(cell(&at), value, (size_t)column->size);
    tell(world, entity, id, &at);
}

void ecs__set_move(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, void *value, bool notify) {
    place_t at;
    ecs_component_record_t *sparse = ecs__store_sparse(&world->store, id);
    if (sparse) {
        ecs__sparse_set_move(world, entity, sparse, value, notify);
        return;
    }
    if (notify && gives_parent(world, entity, id, value)) return;
    if (!begin_set(world, entity, id, value, &at)) {
        ecs__value_dtor(
            ecs__type_info_get(&world->store, ecs__id_typeid(&world->store, id)), value, 1);
        return;
    }
    ecs__value_move_dtor(type_of(&at), cell(&at), value, 1);
    if (notify) tell(world, entity, id, &at);
}

void ecs__set_given(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    const ecs_type_info_t *type, void *value) {
    ecs__set_move(world, entity, id, value, true);
    if (type->hooks.move) ecs__value_ctor(type, value, 1);
}

void ecs__modified(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    place_t at;
    const ecs_component_record_t *sparse = ecs__store_sparse(&world->store, id);
    if (find_place(world, entity, id, &at))
        tell(world, entity, id, &at);
    else if (ecs__sparse_get(sparse, entity))
        ecs__hooks_sparse_set(world, entity, sparse, true);
}
