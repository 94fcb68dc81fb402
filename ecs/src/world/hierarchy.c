// SPDX-License-Identifier: MIT
// hierarchy: see muster/ecs/hierarchy.h.
#include <muster/ecs/hierarchy.h>

#include <muster/ecs/name.h>

#include "mutate/parent.h"
#include "world/write.h"

static EcsIdentifier identifier(const char *name) {
    return (EcsIdentifier){ .value = ECS_CONST_CAST(char *, name), .length = ecs_os_strlen(name) };
}

// Like every new id, at once; the name too.
static ecs_entity_t new_child(ecs_world_t *world, ecs_entity_t parent, const char *name) {
    const ecs__at_once_t at_once = ecs__at_once_begin(world);
    ecs_entity_t child = ecs__parent_new_child(world, parent, name != NULL);
    if (child && name) {
        EcsIdentifier value = identifier(name);
        ecs__set_copy(world, child, ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name), &value);
    }
    ecs__at_once_end(world, at_once);
    return child;
}

// The parent may be about to go, with the children it has had so far: the child joins it, or goes too, when that is done.
static ecs_entity_t new_child_later(ecs_world_t *world, ecs_entity_t parent, const char *name) {
    ecs_entity_t child = ecs_new(world);
    EcsParent above = { parent };
    ecs_set_id(world, child, Ecs__Parent, sizeof above, &above);
    if (name) {
        EcsIdentifier value = identifier(name);
        ecs_set_id(world, child, ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name), sizeof value, &value);
    }
    return child;
}

ecs_entity_t ecs_new_w_parent(ecs_world_t *poly, ecs_entity_t parent, const char *name) {
    ecs_world_t *world = ecs__world_of(poly);
    ECS__CHECK(ecs__check_writer(poly));
    ecs_check(!(world->flags & EcsWorldMultiThreaded) && !world->in_slots,
        ECS_INVALID_WHILE_READONLY, "cannot create children by the component Parent in a job");
    if (!ecs__parent_check(world, 0, parent)) return 0;
    ecs_entity_t found = name ? ecs_lookup_child(poly, parent, name) : 0;
    if (found) return found;
    return world->leaving ? new_child_later(world, parent, name) : new_child(world, parent, name);
error:
    return 0;
}

static const ecs__children_t *ordered_children(ecs_world_t *world, ecs_entity_t parent) {
    bool is_alive = ecs__entity_is_alive(&world->store.entities, parent);
    return is_alive ? ecs__children_get(&world->store, parent) : NULL;
}

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
    ECS__GIVEN(children || !count);
    ECS__CHECK(ecs__check_writer(poly));
    ecs_check(!(world->flags & EcsWorldMultiThreaded) && !world->in_slots,
        ECS_INVALID_WHILE_READONLY, "cannot change the order of children of %s in a job",
        ECS__TEXT(world, parent));
    const ecs__children_t *list = ordered_children(world, parent);
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
    ECS__CHECK(ecs__check_reader(poly));
    const ecs__children_t *list = ordered_children(world, parent);
    ecs_check(list != NULL, ECS_INVALID_OPERATION,
        "%s keeps no order of children: it does not have the trait OrderedChildren",
        ECS__TEXT(world, parent));
    if (list) return (ecs_entities_t){ list->ids, list->count, list->count };
error:
    return (ecs_entities_t){ 0 };
}
