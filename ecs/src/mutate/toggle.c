// SPDX-License-Identifier: MIT
// toggle: switching components of an entity on and off. The component stays; queries skip the
// entity.
#include "storage/toggle.h"

#include "event/switch.h"
#include "mutate/mutate.h"
#include "world/state.h"

bool ecs__enable_again(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    bool is_known = ecs__toggle_get(spot.table, id) && !ecs__switch_is_heard(world, id);
    if (is_known) ecs__toggle_put(spot.table, id, spot.row, enabled);
    return is_known;
}

void ecs__enable_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled) {
    ecs__add(world, entity, id | ECS__TOGGLE);
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    /* Locked, which was reported; or whoever was told ended it. */
    if (!spot.table || !ecs__table_has(spot.table, id | ECS__TOGGLE)) return;
    ecs__switch(world, entity, id, enabled);
}

static void set_disabled(ecs_world_t *world, ecs_entity_t entity, bool disabled) {
    if (disabled)
        ecs__add(world, entity, Ecs__Disabled);
    else
        ecs__remove(world, entity, Ecs__Disabled);
}

// A prefab stands for the ids it passes on.
void ecs__enable(ecs_world_t *world, ecs_entity_t entity, bool enable) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, entity).table;
    if (!(table->flags & EcsTableIsPrefab)) {
        set_disabled(world, entity, !enable);
        return;
    }
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        bool is_passed_on = !(ecs__table_cr(table, i)->flags & EcsIdOnInstantiateDontInherit);
        if (!(id & ECS_ID_FLAGS_MASK) && is_passed_on) set_disabled(world, id, !enable);
    }
}
