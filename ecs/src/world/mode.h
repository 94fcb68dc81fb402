// SPDX-License-Identifier: MIT
// mode: deferred and readonly modes of a world: who may write when, and when commands are applied.
//
//                      world pointer            managed stage            slot of a stage (jobs)    stage of the user
//   normal             applies at once          may not be used          –                         records
//   deferred           records on stage 0       may not be used          –                         records
//   readonly           may not be written       records                  –                         records
//   readonly, threads  may not be used          records (merge by stage) records (merge by slot)   records
#ifndef ECS_WORLD_MODE_H
#define ECS_WORLD_MODE_H

#include "world/state.h"

/** Make stage 0 and what flushing needs. */
void ecs__mode_init(ecs_world_t *world);
/** Drop all stages with their commands. */
void ecs__mode_fini(ecs_world_t *world);
/** The abort hook may have jumped away from whatever ran: nothing is deferred, readonly, locked or told any more, so that the world can
 * end. What was recorded is dropped. */
void ecs__mode_give_up(ecs_world_t *world);

/** Part of the below: where it is far, or reserved in the present stretch, and not placed yet. */
bool ecs__has_far(const ecs_world_t *poly, ecs_entity_t entity);
/** Alive as far as a stage can know: ids reserved in the present stretch count. In jobs the world is the stage of nobody. */
static inline bool ecs__is_alive(const ecs_world_t *poly, ecs_entity_t entity) {
    return ecs__entity_near(&ecs__world_of(poly)->store.entities, entity) ||
           ecs__has_far(poly, entity);
}

#endif
