// SPDX-License-Identifier: MIT
#include "observe/metric.h"

#include "runtime.h"

// ---- One metric ----

void rt__gauge_record(ecs_metric_t *metric, int32_t t, double value) {
    ecs_gauge_t *gauge = &metric->gauge;
    gauge->avg[t] = gauge->min[t] = gauge->max[t] = (ecs_float_t)value;
}

void rt__counter_record(ecs_metric_t *metric, int32_t t, double value) {
    int32_t before = (t + ECS_STAT_WINDOW - 1) % ECS_STAT_WINDOW;
    metric->counter.value[t] = value;
    rt__gauge_record(metric, t, value - metric->counter.value[before]);
}

void rt__metric_reduce(
    ecs_metric_t *dst, const ecs_metric_t *src, int32_t t_dst, int32_t t_src, int32_t samples) {
    double sum = 0;
    ecs_float_t min = src->gauge.min[t_src], max = src->gauge.max[t_src];
    for (int32_t i = 0; i < samples; i++) {
        int32_t t = (t_src + ECS_STAT_WINDOW - i) % ECS_STAT_WINDOW;
        sum += (double)src->gauge.avg[t];
        min = ECS_MIN(min, src->gauge.min[t]);
        max = ECS_MAX(max, src->gauge.max[t]);
    }
    dst->gauge.avg[t_dst] = (ecs_float_t)(sum / samples);
    dst->gauge.min[t_dst] = min;
    dst->gauge.max[t_dst] = max;
    dst->counter.value[t_dst] = src->counter.value[t_src];
}

void ecs_metric_reduce(ecs_metric_t *dst, const ecs_metric_t *src, int32_t t_dst, int32_t t_src) {
    RT_GIVEN(dst && src);
    rt__metric_reduce(dst, src, t_dst, t_src, ECS_STAT_WINDOW);
}

static void copy(ecs_metric_t *dst, const ecs_metric_t *src, int32_t t_dst, int32_t t_src) {
    rt__metric_reduce(dst, src, t_dst, t_src, 1);
}

void ecs_metric_copy(ecs_metric_t *metric, int32_t t_dst, int32_t t_src) {
    RT_GIVEN(metric);
    copy(metric, metric, t_dst, t_src);
}

static void reduce_last(
    ecs_metric_t *dst, const ecs_metric_t *src, int32_t t_dst, int32_t t_src, int32_t count) {
    ecs_gauge_t *to = &dst->gauge;
    const ecs_gauge_t *from = &src->gauge;
    double sum = (double)to->avg[t_dst] * count + (double)from->avg[t_src];
    to->avg[t_dst] = (ecs_float_t)(sum / ((double)count + 1));
    to->min[t_dst] = ECS_MIN(to->min[t_dst], from->min[t_src]);
    to->max[t_dst] = ECS_MAX(to->max[t_dst], from->max[t_src]);
    dst->counter.value[t_dst] = src->counter.value[t_src];
}

// ---- All of a struct ----

void rt__metrics_reduce(rt_metrics_t dst, rt_metrics_t src, int32_t samples) {
    *dst.t = rt__window_next(*dst.t);
    for (int32_t i = 0; i < dst.count; i++)
        rt__metric_reduce(&dst.list[i], &src.list[i], *dst.t, *src.t, samples);
}

static void reduce_all_last(rt_metrics_t dst, rt_metrics_t src, int32_t count) {
    for (int32_t i = 0; i < dst.count; i++)
        reduce_last(&dst.list[i], &src.list[i], *dst.t, *src.t, count);
}

static void repeat_all_last(rt_metrics_t metrics) {
    int32_t t = *metrics.t;
    *metrics.t = rt__window_next(t);
    for (int32_t i = 0; i < metrics.count; i++) ecs_metric_copy(&metrics.list[i], *metrics.t, t);
}

static void copy_all_last(rt_metrics_t dst, rt_metrics_t src) {
    for (int32_t i = 0; i < dst.count; i++) copy(&dst.list[i], &src.list[i], *dst.t, *src.t);
}

// ---- The structs ----

// What lies between first_ and last_.
#define METRICS_OF(T, stats)                                                                      \
    (ecs_metric_t *)(void *)((char *)(uintptr_t)(stats) + offsetof(T, first_) + sizeof(int64_t)), \
        (int32_t)((offsetof(T, last_) - offsetof(T, first_)) / sizeof(ecs_metric_t))

rt_metrics_t rt__world_metrics(const ecs_world_stats_t *stats) {
    RT_GIVEN(stats);
    return (rt_metrics_t){ METRICS_OF(ecs_world_stats_t, stats), (int32_t *)(uintptr_t)&stats->t };
}

rt_metrics_t rt__query_metrics(const ecs_query_stats_t *stats) {
    RT_GIVEN(stats);
    return (rt_metrics_t){ METRICS_OF(ecs_query_stats_t, stats), (int32_t *)(uintptr_t)&stats->t };
}

// Of a system without its query.
static rt_metrics_t system_metrics(const ecs_system_stats_t *stats) {
    return (rt_metrics_t){ METRICS_OF(ecs_system_stats_t, stats),
        (int32_t *)(uintptr_t)&stats->query.t };
}

void ecs_world_stats_reduce(ecs_world_stats_t *dst, const ecs_world_stats_t *src) {
    rt__metrics_reduce(rt__world_metrics(dst), rt__world_metrics(src), ECS_STAT_WINDOW);
}
void ecs_world_stats_reduce_last(
    ecs_world_stats_t *stats, const ecs_world_stats_t *src, int32_t count) {
    reduce_all_last(rt__world_metrics(stats), rt__world_metrics(src), count);
}
void ecs_world_stats_repeat_last(ecs_world_stats_t *stats) {
    repeat_all_last(rt__world_metrics(stats));
}
void ecs_world_stats_copy_last(ecs_world_stats_t *dst, const ecs_world_stats_t *src) {
    copy_all_last(rt__world_metrics(dst), rt__world_metrics(src));
}

void ecs_query_stats_reduce(ecs_query_stats_t *dst, const ecs_query_stats_t *src) {
    rt__metrics_reduce(rt__query_metrics(dst), rt__query_metrics(src), ECS_STAT_WINDOW);
}
void ecs_query_stats_reduce_last(
    ecs_query_stats_t *stats, const ecs_query_stats_t *src, int32_t count) {
    reduce_all_last(rt__query_metrics(stats), rt__query_metrics(src), count);
}
void ecs_query_stats_repeat_last(ecs_query_stats_t *stats) {
    repeat_all_last(rt__query_metrics(stats));
}
void ecs_query_stats_copy_last(ecs_query_stats_t *dst, const ecs_query_stats_t *src) {
    copy_all_last(rt__query_metrics(dst), rt__query_metrics(src));
}

// A system shares the place in its windows with its query, which moves it.
void ecs_system_stats_reduce(ecs_system_stats_t *dst, const ecs_system_stats_t *src) {
    RT_GIVEN(dst && src);
    ecs_query_stats_reduce(&dst->query, &src->query);
    ecs_metric_reduce(&dst->time_spent, &src->time_spent, dst->query.t, src->query.t);
    dst->task = src->task;
}
void ecs_system_stats_reduce_last(
    ecs_system_stats_t *stats, const ecs_system_stats_t *src, int32_t count) {
    RT_GIVEN(stats && src);
    ecs_query_stats_reduce_last(&stats->query, &src->query, count);
    reduce_all_last(system_metrics(stats), system_metrics(src), count);
}
void ecs_system_stats_repeat_last(ecs_system_stats_t *stats) {
    RT_GIVEN(stats);
    int32_t t = stats->query.t;
    ecs_query_stats_repeat_last(&stats->query);
    ecs_metric_copy(&stats->time_spent, stats->query.t, t);
}
void ecs_system_stats_copy_last(ecs_system_stats_t *dst, const ecs_system_stats_t *src) {
    RT_GIVEN(dst && src);
    ecs_query_stats_copy_last(&dst->query, &src->query);
    copy_all_last(system_metrics(dst), system_metrics(src));
    dst->task = src->task;
}
