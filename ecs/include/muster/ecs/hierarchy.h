// SPDX-License-Identifier: MIT
// hierarchy: parents that keep the order of their children. See iter.h for ecs_children, entity.h for ecs_get_parent.
//
// The trait EcsOrderedChildren on a parent makes it remember the order in which children came; it may be added and removed at any
// time. ecs_children() then returns them in one result, in this order. Children that change their parent go to the end of its
// order; instances of a prefab have the order of the prefab. Threads: see world.h.
#ifndef MUSTER_ECS_HIERARCHY_H
#define MUSTER_ECS_HIERARCHY_H

#include <muster/ecs/entity.h>
#include <muster/ecs/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Another way to have a parent: children by component share tables with children of other parents, so
 * that many parents with few children each make few tables.
 *
 *   ecs_set(world, child, EcsParent, { parent });
 *
 * Setting it replaces a pair (EcsChildOf, p), and adding such a pair replaces it; removing it makes
 * the child a root. The type of the child has EcsParent and (EcsParentDepth, @n), n levels below a
 * root, and no pair with EcsChildOf; apart from types and ecs_search, everything finds the child as
 * if it had the pair: ecs_get_parent, ecs_has_pair, names and paths, ecs_children (in order),
 * deletion with the parent, events of (EcsChildOf, parent).
 * [chk] the parent is alive, not the child and not below it. A parent that dies before a deferred
 * set is applied takes the child along. */
typedef struct EcsParent {
    ecs_entity_t value;
} EcsParent;

/** A new child by component, or the child of this name (may be NULL) if there is one. At once, also
 * while deferred; but in hooks and observers of deletions only the id is made at once. [chk] not in
 * jobs, the parent is alive, no table of children without other components is being iterated. */
ECS_API ecs_entity_t ecs_new_w_parent(ecs_world_t *world, ecs_entity_t parent, const char *name);

/** Put the children of a parent into another order.
 *
 * @param children   All present children of the parent, each once.
 * Errors:           [chk] the parent has EcsOrderedChildren; `children` are its children.
 * Complexity:       O(count).
 * Threads:          not in jobs [chk].
 * Deferred:         never; applied at once. */
ECS_API void ecs_set_child_order(
    ecs_world_t *world, ecs_entity_t parent, const ecs_entity_t *children, int32_t count);

/** The children of a parent in order; valid until they change. [chk] the parent has
 * EcsOrderedChildren. */
ECS_API ecs_entities_t ecs_get_ordered_children(const ecs_world_t *world, ecs_entity_t parent);

#ifdef __cplusplus
}
#endif

#endif
