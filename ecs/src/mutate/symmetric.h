// SPDX-License-Identifier: MIT
// symmetric: relationships that hold both ways. (R, Y) on X and (R, X) on Y come and go together.
#ifndef ECS_MUTATE_SYMMETRIC_H
#define ECS_MUTATE_SYMMETRIC_H

#include "mutate/mutate.h"

/** Checked builds: false, with a sentence, if another end of pairs that come and go between two tables must not move now. */
bool ecs__symmetric_check(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *before, const ecs_table_t *after);
/** An entity went from `before` to `after` (NULL: none): mirror the symmetric pairs that came and
 * went on the other entities. */
void ecs__symmetric_follow(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *before, const ecs_table_t *after);
/** The other end of a pair that went loses it, too, unless it is about to be deleted with its table, which it must not leave. */
void ecs__symmetric_unlink(ecs_world_t *world, ecs_entity_t end, ecs_id_t id);

#endif
