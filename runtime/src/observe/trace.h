// SPDX-License-Identifier: MIT
// trace: spans of time, one log per worker, and their export for viewers.
//
// A span names what ran by a number; the texts are made on the thread of the world before workers need them, since systems may be
// gone when the trace is written. Logs grow while they are written, up to a limit; what comes then is counted only.
// Threads: rt__trace_add by any worker to its own log; all else by the thread of the world, while no worker runs.
#ifndef RT_OBSERVE_TRACE_H
#define RT_OBSERVE_TRACE_H

#include "schedule/schedule.h"

typedef struct rt_trace_t rt_trace_t;

/** A log for each of `workers` workers. */
void rt__trace_reserve(rt_trace_t *trace, int32_t workers);
void rt__trace_free(rt_trace_t *trace);

/** Number of the joint name of some systems, and of a merge. */
int32_t rt__trace_name(rt_trace_t *trace, rt_system_t *const *systems, int32_t count);
int32_t rt__trace_merge(rt_trace_t *trace, const rt_merge_t *merge);

/** A span of a worker; quantum -1: not a part of something. */
void rt__trace_add(rt_trace_t *trace, int32_t worker, int32_t name, int64_t quantum,
    uint64_t start_ns, uint64_t end_ns);
/** The tick, or a step of a fixed step, that ends now. */
void rt__trace_tick(rt_trace_t *trace, uint64_t start_ns);
void rt__trace_step(rt_trace_t *trace, ecs_entity_t fixed_step, uint64_t start_ns);

#endif
