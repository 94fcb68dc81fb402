// SPDX-License-Identifier: MIT
// clock: how much time a frame simulates, and waiting for the target rate.
#ifndef RT_TICK_CLOCK_H
#define RT_TICK_CLOCK_H

#include "runtime.h"

/** Begin a frame that simulates `delta_time` seconds (0 = as many as passed). Returns them
 * scaled. */
ecs_ftime_t rt__clock_begin(rt_t *rt, ecs_ftime_t delta_time);
/** Add up the time the frame took, if that is wanted. */
void rt__clock_end(rt_t *rt);

#endif
