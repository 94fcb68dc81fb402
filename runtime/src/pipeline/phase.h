// SPDX-License-Identifier: MIT
// phase: the builtin phases.
#ifndef RT_PIPELINE_PHASE_H
#define RT_PIPELINE_PHASE_H

#include "runtime.h"

/** Make the builtin phases. Each depends on an anonymous phase of its own, and these depend on
 * each other; so disabling a phase does not disable those behind it. */
void rt__phases_init(ecs_world_t *world, ecs_entity_t scope);

#endif
