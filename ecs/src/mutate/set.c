// SPDX-License-Identifier: MIT
// set: assigning values.
#include <muster/ecs/hierarchy.h>

#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "mutate/parent.h"
#include "mutate/sparse.h"
#include "world/state.h"

// The value that an entity has, in its row or in a set. Found again after hooks ran, since what they do at once may move rows, or end the
// entity.
typedef struct own_t {
    ecs__spot_t spot;
    int32_t column;                       /* of the value, or -1 */
    const ecs_component_record_t *sparse; /* in whose set it is; NULL: in rows */
    void *value;
    const ecs_type_info_t *type;
} own_t;

static bool find(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, own_t *own) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    *own = (own_t){ .spot = spot, .column = -1, .sparse = ecs__store_sparse(&world->store, id) };
    if (own->sparse) {
        own->value = ecs__sparse_get(own->sparse, entity);
        own->type = own->sparse->type_info;
    } else if (spot.table && (own->column = ecs__table_column(spot.table, id)) >= 0) {
        own->value = ecs__table_cell(spot.table, own->column, spot.row);
        own->type = spot.table->columns[own->column].type_info;
    }
    return own->value;
}

static bool gives_parent(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value) {
    return id == Ecs__Parent && ecs__parent_give(world, entity, ((const EcsParent *)value)->value);
}

// The place for another value; false if there is none.
static bool begin_set(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value, own_t *own) {
    bool has = find(world, entity, id, own);
    if (!has && own->spot.table) { /* else it has ended */
        if (id == Ecs__Parent)
            ecs__parent_add(world, entity, ((const EcsParent *)value)->value);
        else
            ecs__add(world, entity, id);
        has = find(world, entity, id, own);
    }
    if (!has || !own->type->hooks.on_replace) return has;
    ecs__hooks_on_replace(world, entity, id, ECS_CONST_CAST(void *, value));
    return find(world, entity, id, own);
}

static void tell(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const own_t *own) {
    if (own->sparse)
        ecs__hooks_sparse_set(world, entity, own->sparse, true);
    else
        ecs__hooks_on_set(world, own->spot.table, own->column, own->spot.row, 1);
    if (id == Ecs__Parent) ecs__parent_tag(world, entity);
}

void ecs__emplace(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    own_t own;
    ecs_component_record_t *beside = ecs__store_beside(&world->store, id);
    if (beside) {
        ecs__aside_add(world, entity, beside, ECS__START_RAW);
    } else if (!find(world, entity, id, &own)) {
        ecs__pending_value_t raw = { .id = id, .construct = true };
        ecs__transition(world, entity, ecs__table_after_add(world, own.spot.table, id), &raw, 1);
    }
}

void ecs__set_copy(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value) {
    own_t own;
    if (gives_parent(world, entity, id, value)) return;
    if (!begin_set(world, entity, id, value, &own)) return;
    ecs__value_copy(own.type, own.value, value, 1);
    tell(world, entity, id, &own);
}

void ecs__set_move(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, void *value, bool notify) {
    own_t own;
    if (notify && gives_parent(world, entity, id, value)) return;
    if (!begin_set(world, entity, id, value, &own)) {
        ecs__value_dtor(
            ecs__type_info_get(&world->store, ecs__id_typeid(&world->store, id)), value, 1);
        return;
    }
    ecs__value_move_dtor(own.type, own.value, value, 1);
    if (notify) tell(world, entity, id, &own);
}

void ecs__set_given(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    const ecs_type_info_t *type, void *value) {
    ecs__set_move(world, entity, id, value, true);
    if (type->hooks.move) ecs__value_ctor(type, value, 1);
}

void ecs__modified(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    own_t own;
    if (find(world, entity, id, &own)) tell(world, entity, id, &own);
}
