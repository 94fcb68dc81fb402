// SPDX-License-Identifier: MIT
// steps: fixed steps as tick sources: how many of them a frame takes, and which one runs.
#ifndef RT_TICK_STEPS_H
#define RT_TICK_STEPS_H

#include "runtime.h"

/** Time passes for all fixed steps: work out how often each steps now. */
void rt__steps_advance(rt_t *rt, ecs_ftime_t passed);
/** Begin step number `index`, from 0 on, of those that a fixed step takes in this frame; false if it takes no more. */
bool rt__step_begin(rt_t *rt, ecs_entity_t fixed_step, int32_t index);

#endif
