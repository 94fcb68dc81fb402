// SPDX-License-Identifier: MIT
// tail: how long the slowest ticks of a run take, and why.
//
// A tick is explained if something happened in it that is not part of a steady tick: memory was
// allocated (a column grew), a table was made, or the system took the processor away. If any is left,
// the machine is asked how often it stops a processor without telling the system (holdups.h).
#ifndef DEMO_TAIL_H
#define DEMO_TAIL_H

#include <muster.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Begin to note ticks; with `noise` a thread keeps the memory of the machine busy meanwhile. */
void tail_begin(int32_t ticks, bool noise);
/** ecs_progress, noted between tail_begin and tail_end. */
void tail_progress(ecs_world_t *world, ecs_ftime_t delta_time);
/** Print percentiles of the ticks that were noted, and how many slow ones are not explained. */
void tail_end(void);

#ifdef __cplusplus
}
#endif
#endif
