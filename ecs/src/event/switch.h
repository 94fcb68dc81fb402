// SPDX-License-Identifier: MIT
// switch: monitors hear of those that begin, or cease, to match as an id of an entity is switched on or off.
//
// That is no event of its own, and nobody else hears of it. Whoever is below the entity may be concerned: then all whom a monitor's query
// finds are asked, before and after.
// Threads: the main thread.
#ifndef ECS_EVENT_SWITCH_H
#define ECS_EVENT_SWITCH_H

#include "event/notice.h"

/** True if monitors may care whether an id is switched on. */
bool ecs__switch_is_heard(ecs_world_t *world, ecs_id_t id);
/** Switch an id of an entity in whose table it can be, and tell monitors. */
void ecs__switch(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled);

#endif
