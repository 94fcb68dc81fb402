// SPDX-License-Identifier: MIT
// inside: a run seen from inside: a trace of some of its ticks, and how long they would take with other numbers of workers.
#ifndef DEMO_INSIDE_H
#define DEMO_INSIDE_H

#include <muster.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Begin a run of so many ticks: write a trace of up to ten in its middle to a file (NULL: no trace), predict others. */
void inside_begin(int32_t ticks, const char *trace, bool predict);
/** ecs_progress, seen from inside. */
void inside_progress(ecs_world_t *world, ecs_ftime_t delta_time);
/** End the run: print predictions. False if the trace could not be written; that was said already. */
bool inside_end(void);

#ifdef __cplusplus
}
#endif
#endif
