// SPDX-License-Identifier: MIT
// inside: see inside.h.
#include "inside.h"

#include <stdio.h>

enum { TRACED = 10, SIZES = 7 }; // 1, 2, 4 … 64 workers

static struct {
    const char *trace;
    bool predict, failed;
    int32_t tick, trace_from, trace_to, last;
    ecs_work_span_t figures;
    double seconds[SIZES];
} inside;

void inside_begin(int32_t ticks, const char *trace, bool predict) {
    inside.trace = trace;
    inside.predict = predict;
    inside.failed = false;
    inside.tick = 0;
    inside.last = ticks - 1;
    inside.trace_from = ticks > TRACED ? (ticks - TRACED) / 2 : 0;
    inside.trace_to = ticks > TRACED ? inside.trace_from + TRACED - 1 : inside.last;
}

static void predict(ecs_world_t *world) {
    inside.figures = ecs_work_span(world);
    for (int32_t i = 0; i < SIZES; i++) inside.seconds[i] = ecs_predict_tick(world, 1 << i);
}

void inside_progress(ecs_world_t *world, ecs_ftime_t delta_time) {
    if (inside.trace && inside.tick == inside.trace_from) ecs_trace_begin(world);
    if (inside.predict && !inside.tick) ecs_work_span(world);
    ecs_progress(world, delta_time);
    if (inside.trace && inside.tick == inside.trace_to)
        inside.failed = ecs_trace_end(world, inside.trace) != 0;
    if (inside.predict && inside.tick == inside.last) predict(world);
    inside.tick++;
}

static void print_predictions(void) {
    printf("    a tick: work %.3f ms, span %.3f, burden %.3f; predicted",
        1e3 * inside.figures.work_s, 1e3 * inside.figures.span_s, 1e3 * inside.figures.burden_s);
    for (int32_t i = 0; i < SIZES; i++)
        printf("%s %d: %.3f", i ? "," : "", 1 << i, 1e3 * inside.seconds[i]);
    printf("\n");
}

bool inside_end(void) {
    if (inside.predict) print_predictions();
    return !inside.failed;
}
