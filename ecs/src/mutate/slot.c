// SPDX-License-Identifier: MIT
#include "mutate/slot.h"

#include <string.h>

#include "mutate/report.h"
#include "world/state.h"

static bool is_instance(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t base) {
    ecs__found_t found;
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, entity);
    return spot.table && ecs__search_up(spot.table, ECS__MAKE_PAIR(Ecs__IsA, base), Ecs__IsA, true,
                             true, 0, 0, &found);
}

// The child of `base` that is at the same place below it as `slot` is below `owner`.
static ecs_entity_t counterpart(
    ecs_world_t *world, ecs_entity_t base, ecs_entity_t owner, ecs_entity_t slot) {
    ecs_entity_t parent = ecs__parent_of(&world->store, slot);
    if (parent != owner) base = parent ? counterpart(world, base, owner, parent) : 0;
    const EcsIdentifier *name = ecs__identifier_get(world, slot, ECS__NAME);
    if (!base || !name || !name->value) return 0;
    return ecs__names_find(world, ECS__NAME, base, name->value, (size_t)name->length);
}

static bool has_same_name(const ecs_world_t *world, ecs_entity_t a, ecs_entity_t b) {
    const EcsIdentifier *left = ecs__identifier_get(world, a, ECS__NAME),
                        *right = ecs__identifier_get(world, b, ECS__NAME);
    return left && right && left->value && right->value && !strcmp(left->value, right->value);
}

// An instance; or what has its name at the same place below an instance of what it is below: copies of children are no instances.
static bool stands_for(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t original) {
    for (int32_t level = 0; level < FLECS_DAG_DEPTH_MAX; level++) {
        if (is_instance(world, entity, original)) return true;
        if (!has_same_name(world, entity, original)) return false;
        entity = ecs__parent_of(&world->store, entity);
        original = ecs__parent_of(&world->store, original);
    }
    return false;
}

// Where the slot that node `index` fills belongs, and the relationship that leads to it. A slot of
// an entity of the plan belongs to its copy, others to the nearest that stands for that entity.
static ecs_entity_t find_slot(const ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group,
    int32_t index, ecs_entity_t *relationship) {
    for (int32_t i = 0; i <= group->parent; i++) {
        if (*ecs__prefab_node(plan, i) != group->slot_of) continue;
        *relationship = *ecs__prefab_node(plan, index);
        return plan->made[i];
    }
    ecs_world_t *world = plan->world;
    ecs_entity_t owner = plan->made[group->parent];
    int32_t levels = FLECS_DAG_DEPTH_MAX; /* of names on the way back down */
    while (owner && levels-- && !stands_for(world, owner, group->slot_of)) {
        owner = ecs__parent_of(&world->store, owner);
    }
    if (owner && levels >= 0)
        *relationship = counterpart(world, group->slot_of, owner, plan->made[index]);
    return levels >= 0 ? owner : 0;
}

static void fill_slot(
    const ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group, int32_t index) {
    ecs_world_t *world = plan->world;
    ecs_entity_t relationship = 0, owner = find_slot(plan, group, index, &relationship);
    if (!owner || !relationship) {
        ecs__refuse(world, ECS_INVALID_OPERATION, "cannot fill the slot %s of %s: %s",
            ECS__TEXT(world, *ecs__prefab_node(plan, index)), ECS__TEXT(world, group->slot_of),
            owner ? "slots of nested prefabs need names that lead to them"
                  : "no parent of the instance is an instance of it");
        return;
    }
    ecs__add(world, owner, ECS__MAKE_PAIR(relationship, plan->made[index]));
}

void ecs__slots_fill(const ecs__prefab_plan_t *plan) {
    if (!plan->has_slots || plan->for_prefab) return;
    for (int32_t g = 0; g < ecs_vec_count(&plan->groups); g++) {
        const ecs__prefab_group_t *group = ecs__prefab_group(plan, g);
        if (!group->slot_of) continue;
        for (int32_t i = group->first; i < group->first + group->count; i++) {
            if (plan->made[i]) fill_slot(plan, group, i);
        }
    }
}
