// SPDX-License-Identifier: MIT
// toggle: switching components of an entity on and off. The component stays; queries skip the
// entity.
#include "storage/toggle.h"

#include "mutate/mutate.h"
#include "world/state.h"

void ecs__enable_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled) {
    ecs__add(world, entity, id | ECS__TOGGLE);
    const ecs_record_t *record = ecs__entity_get(&world->store.entities, entity);
    if (!ecs__table_has(record->table, id | ECS__TOGGLE)) return; /* locked, which was reported */
    ecs__toggle_put(record->table, id, ECS_RECORD_TO_ROW(record->row), enabled);
}

void ecs__enable(ecs_world_t *world, ecs_entity_t entity, bool enable) {
    if (enable)
        ecs__remove(world, entity, Ecs__Disabled);
    else
        ecs__add(world, entity, Ecs__Disabled);
}
