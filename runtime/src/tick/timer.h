// SPDX-License-Identifier: MIT
// timer: tick sources and the systems that advance them.
#ifndef RT_TICK_TIMER_H
#define RT_TICK_TIMER_H

#include "runtime.h"

/** A part of a period: less time may be missing when it is due. Sums of rounded frame times would else be late for periods of the
 * same length, and what is left of a step could round to a whole one. */
#define RT_TIME_TOLERANCE 1e-6

/** Register the components, and make the three systems of EcsPreFrame. */
void rt__timers_init(rt_t *rt, ecs_entity_t scope);

#endif
