// SPDX-License-Identifier: MIT
// metric: windows of samples. Structs of the public header hold their metrics one after the other, so that what happens to all of
// them is a loop.
#ifndef RT_OBSERVE_METRIC_H
#define RT_OBSERVE_METRIC_H

#include <muster/runtime/stats.h>

/** Metrics that share a place in their windows. */
typedef struct rt_metrics_t {
    ecs_metric_t *list;
    int32_t count;
    int32_t *t;
} rt_metrics_t;

static inline int32_t rt__window_next(int32_t t) { return (t + 1) % ECS_STAT_WINDOW; }

void rt__gauge_record(ecs_metric_t *metric, int32_t t, double value);
void rt__counter_record(ecs_metric_t *metric, int32_t t, double value);

/** `samples` of `src` up to its `t_src` become one of `dst`. */
void rt__metric_reduce(
    ecs_metric_t *dst, const ecs_metric_t *src, int32_t t_dst, int32_t t_src, int32_t samples);

/** The newest `samples` of `src` become the next one of `dst`. */
void rt__metrics_reduce(rt_metrics_t dst, rt_metrics_t src, int32_t samples);

rt_metrics_t rt__world_metrics(const ecs_world_stats_t *stats);
rt_metrics_t rt__query_metrics(const ecs_query_stats_t *stats);

#endif
