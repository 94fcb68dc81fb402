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

/** Alive as far as this stage can know: ids reserved in the present stretch count. */
bool ecs__stage_is_alive(const ecs_stage_t *stage, ecs_entity_t entity);

#endif
