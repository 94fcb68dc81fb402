// SPDX-License-Identifier: MIT
// instantiate: children of prefabs, and the tag EcsPrefab.
//
// An instance of a prefab gets copies of the prefab's children, and of theirs, group by group of its plan. Copies have all ids of the
// original except those that are not passed on; they keep its name. Slots are filled when all are made. The caller holds a defer
// bracket.
#ifndef ECS_MUTATE_INSTANTIATE_H
#define ECS_MUTATE_INSTANTIATE_H

#include "mutate/mutate.h"

/** Entities came to `table`, from `before` (NULL: they are new): make the children that prefabs
 * among their new bases have, and fill in slots. May move the entities to other tables. */
void ecs__instantiate(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    const ecs_entity_t *entities, int32_t count);

/** True if an entity without ids that gets the pair (IsA, base) gets nothing else, and nobody hears of it, or of what is seen in the base. */
bool ecs__instance_is_plain(const ecs_world_t *world, ecs_id_t is_a);

/** An entity became a prefab: so do its children, and theirs. */
void ecs__prefab_tag_children(ecs_world_t *world, ecs_entity_t entity);

#endif
