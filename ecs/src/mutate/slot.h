// SPDX-License-Identifier: MIT
// slot: children of prefabs that their instances know by a relationship: (SlotOf, prefab) on a child gives instances (child, copy).
#ifndef ECS_MUTATE_SLOT_H
#define ECS_MUTATE_SLOT_H

#include "mutate/prefab_plan.h"

/** Give owners the pairs that lead to the copies that were made for one instance. May move them to other tables. Logs which slots
 * cannot be filled. */
void ecs__slots_fill(const ecs__prefab_plan_t *plan);

#endif
