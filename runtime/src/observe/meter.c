// SPDX-License-Identifier: MIT
#include "observe/meter.h"

#include "runtime.h"
#include "tick/workers.h"

// Runs recorded after each call.
#define RUNS_PER_CALL 1024

static double predict(const ecs_work_span_t *figures, int32_t workers) {
    double work = figures->work_s, span = figures->span_s;
    return work / workers + span * (1 - 1.0 / workers) + figures->burden_s;
}

static ecs_work_span_t per_run(const rt_sums_t *sums, int32_t workers) {
    ecs_work_span_t figures = { 0 };
    if (!sums->runs) return figures;
    double seconds = 1e-9 / (double)sums->runs;
    figures.work_s = (double)sums->work_ns * seconds;
    figures.span_s = (double)sums->span_ns * seconds;
    double rest = (double)sums->wall_ns * seconds - predict(&figures, workers);
    figures.burden_s = rest > 0 ? rest : 0;
    return figures;
}

ecs_work_span_t ecs_work_span(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION,
        "ask for work and span between ticks, in a world made with ecs_init");
    rt_meter_t *meter = &rt->meter;
    if (meter->now.runs) meter->before = meter->now;
    ecs_work_span_t figures = per_run(&meter->now, rt->workers->count);
    meter->now = (rt_sums_t){ 0 };
    meter->runs_left = RUNS_PER_CALL;
    return figures;
error:
    return (ecs_work_span_t){ 0 };
}

double ecs_predict_tick(ecs_world_t *world, int32_t workers) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION,
        "ticks are predicted between ticks, in a world made with ecs_init");
    ecs_check(workers > 0, ECS_INVALID_PARAMETER, "a tick needs a worker, not %d", workers);
    rt_meter_t *meter = &rt->meter;
    if (meter->runs_left <= 0) meter->runs_left = RUNS_PER_CALL;
    const rt_sums_t *sums = meter->now.runs ? &meter->now : &meter->before;
    ecs_work_span_t figures = per_run(sums, rt->workers->count);
    return predict(&figures, workers);
error:
    return 0;
}
