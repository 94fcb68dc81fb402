// SPDX-License-Identifier: MIT
// parent: children by the component EcsParent, which share tables with the children of other parents.
//
// The component's hooks keep (ChildOf, parent) as an edge beside the child's table (storage/sparse_ids.h), so that lookups, queries,
// cleanup and events find these children like others; the records of such pairs have ECS__ID_MIXED. The type tells the depth,
// (ParentDepth, @n). Parents list their children in order (storage/children.h).
// An entity has one parent: the component and a pair (ChildOf, p) replace each other.
#ifndef ECS_MUTATE_PARENT_H
#define ECS_MUTATE_PARENT_H

#include "event/events.h"
#include "mutate/mutate.h"
#include "mutate/swap.h"

/** Fill in the type info of EcsParent. */
void ecs__parent_bootstrap(ecs_world_t *world);

/** Refuse what cannot be a parent of `child` (0: of a new entity) with a sentence; true if it can. */
bool ecs__parent_check(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent);
/** A new child, at once, to which the caller gives a name, if it is to have one; 0 if one of its tables is being iterated. The caller holds
 * a defer bracket; the parent was checked. */
ecs_entity_t ecs__parent_new_child(ecs_world_t *world, ecs_entity_t parent, bool is_named);

/** Give an entity, which lacks it, the component with its value, which takes the place of a pair if there is one. One that cannot be its
 * parent then changes nothing. */
void ecs__parent_add(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent);
/** Set the value for an entity that lacks the component and has no children, if nobody waits for it; false if it is still to be set, since
 * that is not so, or whoever heard of the component did more. */
bool ecs__parent_give(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent);
/** Put who is in a table with the component, and its depth, below its first parent, as a set does; false if somebody waits for the value,
 * or whoever heard of the component did more: then it is still to be set. */
bool ecs__parent_link(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent);
/** A child will move between tables and lose the component, or gain it: true if an edge comes or goes with the move. */
bool ecs__parent_moves(ecs_world_t *world, ecs_entity_t child, const ecs_table_t *src,
    const ecs_table_t *dst, const ecs__pending_value_t *values, int32_t count,
    ecs__edge_swap_t *swap);

/** The parent of an entity was set: if that is a prefab, its child is one, too. Hooks cannot move rows, so whoever told them goes on with
 * this. */
void ecs__parent_tag(ecs_world_t *world, ecs_entity_t child);

/** A table that has the component, and the depth that comes with a parent, so that a child moves once. */
ecs_table_t *ecs__table_plus_depth(ecs_world_t *world, ecs_table_t *table, ecs_entity_t parent);
/** The table without a parent by pair; and without one by component, and its depth. */
ecs_table_t *ecs__table_without_pair_parent(ecs_table_t *table);
ecs_table_t *ecs__table_without_parent(ecs_table_t *table);

/** An entity has another parent by pair: the depths below it follow. */
void ecs__parent_follow_depth(ecs_world_t *world, ecs_entity_t entity);

/** A parent has another generation now, which its children say. */
void ecs__parent_rename(ecs_world_t *world, ecs_entity_t parent);

#endif
