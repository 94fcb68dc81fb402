// SPDX-License-Identifier: MIT
// children: who has a parent, and the order of the children of parents that keep one (trait
// EcsOrderedChildren, and parents of children by component).
//
// A list holds children in the order in which they came. Of children that leave a few are noted, and found when the list is read next;
// more only mark the list stale: those that are no children any more are dropped then, so that deleting many costs one pass. A child that
// left and came back before that stands at its last place.
// Threads: lists are settled before the world becomes readonly, so that readers write nothing then.
#ifndef ECS_STORAGE_CHILDREN_H
#define ECS_STORAGE_CHILDREN_H

#include "storage/table.h"

/** Holds ids, or held them: whoever goes over a list that grows meanwhile still reads it. */
typedef struct ecs__children_block_t {
    struct ecs__children_block_t *before;
    int32_t size;
    ecs_entity_t ids[];
} ecs__children_block_t;

#define ECS__CHILDREN_FEW 8

typedef struct ecs__children_t {
    ecs_entity_t parent;
    ecs_entity_t *ids;
    ecs__children_block_t *blocks; /* the last one holds the ids */
    int32_t count;
    ecs_entity_t lost[ECS__CHILDREN_FEW]; /* of each, the first place in the list is nobody's */
    int32_t lost_count;
    bool stale;   /* some others, too, are no children any more */
    bool doubled; /* children came since some left: they may be listed twice */
} ecs__children_t;

/** The record of (ChildOf, parent), or NULL. */
ecs_component_record_t *ecs__children_record(const ecs__store_t *store, ecs_entity_t parent);
/** True if an entity has the parent, by pair or by component. */
bool ecs__has_children(const ecs__store_t *store, ecs_entity_t parent);

/** The list of a parent, settled; NULL if the parent keeps no order. */
const ecs__children_t *ecs__children_get(ecs__store_t *store, ecs_entity_t parent);
/** Begin a list with the present children in table order, or end it. Nothing if it is so already. */
void ecs__children_begin(ecs__store_t *store, ecs_entity_t parent);
void ecs__children_end(ecs__store_t *store, ecs_entity_t parent);

/** A table was made: see whether its parent keeps an order (EcsTableHasOrderedChildren). */
void ecs__children_mark_table(ecs_table_t *table);
/** `count` entities went from `before` to `after` (NULL: none), one of which has the flag. */
void ecs__children_follow(const ecs_table_t *before, const ecs_table_t *after,
    const ecs_entity_t *entities, int32_t count);
/** A child came, or left, whose table does not tell (mutate/parent.h). */
void ecs__children_append(ecs__store_t *store, ecs_entity_t parent, ecs_entity_t child);
void ecs__children_lose(ecs__store_t *store, ecs_entity_t parent, ecs_entity_t child);
/** The entity has another generation now. O(children of its parent). */
void ecs__children_rename(ecs__store_t *store, ecs_entity_t before, ecs_entity_t after);

/** Put the children from position `first` on into another order; the same entities. */
void ecs__children_reorder(
    ecs__store_t *store, ecs_entity_t parent, int32_t first, const ecs_entity_t *ids);

/** Settle all lists, if store->children_stale. */
void ecs__children_settle(ecs__store_t *store);
void ecs__children_fini(ecs__store_t *store);
bool ecs__children_verify(const ecs__store_t *store);

#endif
