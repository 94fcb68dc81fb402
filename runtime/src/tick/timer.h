// SPDX-License-Identifier: MIT
// timer: tick sources and the systems that advance them.
#ifndef RT_TICK_TIMER_H
#define RT_TICK_TIMER_H

#include "runtime.h"

/** Register the components, and make the three systems of EcsPreFrame. */
void rt__timers_init(rt_t *rt, ecs_entity_t scope);

#endif
