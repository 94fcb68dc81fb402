// SPDX-License-Identifier: MIT
#include "command/quiet.h"

#include "world/state.h"

#define HARMLESS_TRAITS                                                                          \
    (EcsIdOnDeleteRemove | EcsIdOnDeleteDelete | EcsIdOnDeletePanic | EcsIdInheritable |         \
        EcsIdOnInstantiateOverride | EcsIdOnInstantiateInherit | EcsIdOnInstantiateDontInherit | \
        EcsIdCanToggle | EcsIdPairIsTag)

bool ecs__hooks_tell_nobody(const ecs_type_hooks_t *hooks) {
    return !hooks->on_add && !hooks->on_remove && !hooks->on_set && !hooks->on_replace &&
           !hooks->on_validate;
}

static bool is_alive(const ecs__entity_index_t *index, ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) return !ecs__is_builtin(id) && ecs__entity_is_alive(index, id);
    return !ECS_IS_VALUE_PAIR(id) && !ecs__is_builtin(ecs__id_first(id)) &&
           ecs__entity_alive_id(index, ecs__id_first(id)) &&
           ecs__entity_alive_id(index, ecs__id_second(id));
}

bool ecs__id_is_harmless(const ecs_world_t *world, ecs_id_t id, ecs_flags32_t looked_after) {
    if (id & ECS_ID_FLAGS_MASK & ~ECS__PAIR || ecs__id_is_wildcard(id)) return false;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    if (!record || record->flags & ~(HARMLESS_TRAITS | looked_after)) return false;
    return is_alive(&world->store.entities, id);
}

bool ecs__id_is_quiet(const ecs_world_t *world, ecs_id_t id) {
    if (!ecs__id_is_harmless(world, id, 0)) return false;
    const ecs_type_info_t *type = ecs__id_record_get(&world->store, id)->type_info;
    return !type || ecs__hooks_tell_nobody(&type->hooks);
}

bool ecs__clear_is_quiet(const ecs_world_t *world) {
    const ecs_component_record_t *symmetric = ecs__id_record_get(&world->store, Ecs__Symmetric);
    return !symmetric || !symmetric->table_live;
}
