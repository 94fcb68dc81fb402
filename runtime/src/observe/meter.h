// SPDX-License-Identifier: MIT
// meter: sums up work and span of the stretches that ran; see muster/runtime/trace.h for the model.
//
// Written by the thread of the world only. What workers measure is gathered by tick/times.
#ifndef RT_OBSERVE_METER_H
#define RT_OBSERVE_METER_H

#include <muster/runtime/trace.h>

/** Sums over runs of pipelines. */
typedef struct rt_sums_t {
    int64_t runs;
    int64_t work_ns, span_ns;
    int64_t wall_ns; /* what the runs took */
} rt_sums_t;

typedef struct rt_meter_t {
    rt_sums_t now;     /* since the last call of ecs_work_span */
    rt_sums_t before;  /* what that call reported */
    int32_t runs_left; /* to be recorded */
} rt_meter_t;

/** Runs that are recorded although nobody asked yet. */
#define RT_METER_FIRST_RUNS 8

static inline void rt__meter_add(rt_meter_t *meter, int64_t work_ns, int64_t span_ns) {
    meter->now.work_ns += work_ns;
    meter->now.span_ns += span_ns;
}
/** A run ended. */
static inline void rt__meter_end_run(rt_meter_t *meter, int64_t wall_ns) {
    meter->now.wall_ns += wall_ns;
    meter->now.runs++;
    meter->runs_left--;
}

#endif
