// SPDX-License-Identifier: MIT
// hierarchy: see muster/ecs/hierarchy.h.
#include <muster/ecs/hierarchy.h>

#include "world/write.h"

// True if both hold the same ids, each once.
static bool is_permutation(const ecs_entity_t *a, const ecs_entity_t *b, int32_t count) {
    ecs_map_t ids;
    ecs_map_init(&ids, NULL);
    for (int32_t i = 0; i < count; i++) *ecs_map_ensure(&ids, a[i]) = 1;
    for (int32_t i = 0; i < count; i++) ecs_map_remove(&ids, b[i]);
    bool same = !ecs_map_count(&ids);
    ecs_map_fini(&ids);
    return same;
}

void ecs_set_child_order(
    ecs_world_t *poly, ecs_entity_t parent, const ecs_entity_t *children, int32_t count) {
    ecs_world_t *world = ecs__world_of(poly);
    ECS__CHECK(ecs__check_writer(poly));
    ecs_check(!(world->flags & EcsWorldMultiThreaded) && !world->in_slots,
        ECS_INVALID_WHILE_READONLY, "cannot change the order of children of %s in a job",
        ECS__TEXT(world, parent));
    const ecs__children_t *list = ecs__children_get(&world->store, parent);
    ecs_check(list != NULL, ECS_INVALID_OPERATION,
        "cannot order the children of %s: it does not have the trait OrderedChildren",
        ECS__TEXT(world, parent));
    if (!list) return;
    ecs_check(count == list->count, ECS_INVALID_PARAMETER,
        "cannot order the children of %s: %d entities are given, but it has %d children",
        ECS__TEXT(world, parent), count, list->count);
    ecs_check(is_permutation(list->ids, children, count), ECS_INVALID_PARAMETER,
        "cannot order the children of %s: the entities given are not its children, each once",
        ECS__TEXT(world, parent));
    if (count == list->count) ecs__children_reorder(&world->store, parent, 0, children);
error:
    return;
}

ecs_entities_t ecs_get_ordered_children(const ecs_world_t *poly, ecs_entity_t parent) {
    ecs_world_t *world = ecs__world_of(poly);
    const ecs__children_t *list = ecs__children_get(&world->store, parent);
    ecs_check(list != NULL, ECS_INVALID_OPERATION,
        "%s keeps no order of children: it does not have the trait OrderedChildren",
        ECS__TEXT(world, parent));
    if (list) return (ecs_entities_t){ list->ids, list->count, list->count };
error:
    return (ecs_entities_t){ 0 };
}
