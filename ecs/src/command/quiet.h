// SPDX-License-Identifier: MIT
// quiet: ids whose coming, going and values concern nobody but the entity that has them.
//
// Commands about such ids may be applied together with others, or ahead of them (in_place.h, run.h). What observers want to know is
// for the caller to ask. Threads: any, while nothing writes structure.
#ifndef ECS_COMMAND_QUIET_H
#define ECS_COMMAND_QUIET_H

#include "mutate/mutate.h"

/** True for ids without traits that say more about their holders than the caller looks after. */
bool ecs__id_is_harmless(const ecs_world_t *world, ecs_id_t id, ecs_flags32_t looked_after);
/** True if no hook is called when a value comes, goes or changes. */
bool ecs__hooks_tell_nobody(const ecs_type_hooks_t *hooks);
/** True for those of them without hooks on changes. */
bool ecs__id_is_quiet(const ecs_world_t *world, ecs_id_t id);
/** True if no relationship is symmetric: what others do brings an entity no pairs that a clear would take. */
bool ecs__clear_is_quiet(const ecs_world_t *world);

#endif
