// SPDX-License-Identifier: MIT
// make: new entities that begin with a list of ids.
#ifndef ECS_WORLD_MAKE_H
#define ECS_WORLD_MAKE_H

#include "command/stage.h"

/** A new entity that has these ids, at least one, at once, while the stage does not defer. An exclusive pair takes the place of one
 * before it. 0 if traits forbid one of them. */
ecs_entity_t ecs__make(ecs_stage_t *stage, const ecs_id_t *ids, int32_t count);

/** An entity that has nothing yet (0: a new one) gets these ids and a name below `parent` (0: the root), all of which it may have, in one
 * step but for ids that come apart, while the stage does not defer. Whoever hears of it finds it by its name, and may delete it. */
ecs_entity_t ecs__make_named(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *name, const ecs_id_t *ids, int32_t count);

/** An entity gets these ids, all of which it may have, at once, while something defers: in one step but for ids that are beside tables, or
 * may be refused as they come. */
void ecs__give(ecs_world_t *world, ecs_entity_t entity, const ecs_id_t *ids, int32_t count);

#endif
