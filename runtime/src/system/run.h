// SPDX-License-Identifier: MIT
// run: calls the function of a system over its whole query or over a part of it. Nobody else calls user functions.
//
// Threads: whichever worker has the stage.
#ifndef RT_SYSTEM_RUN_H
#define RT_SYSTEM_RUN_H

#include "system/system.h"

/** What a run is given. */
typedef struct rt_call_t {
    ecs_ftime_t delta_time;
    ecs_ftime_t system_time; /* since the system ran before */
    void *param;             /* NULL = the system's ctx */
} rt_call_t;

/** Over the whole query. Returns it->interrupted_by. */
ecs_entity_t rt__run_whole(rt_system_t *system, ecs_world_t *stage, const rt_call_t *call);
/** Over an iterator of its query that has not started. */
ecs_entity_t rt__run_iter(rt_system_t *system, ecs_iter_t *it, const rt_call_t *call);

/** False if the tick source of the system did not fire in this frame. Sets call->system_time. */
bool rt__system_ticks(const rt_system_t *system, rt_call_t *call);

#endif
