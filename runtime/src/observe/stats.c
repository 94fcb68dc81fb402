// SPDX-License-Identifier: MIT
// stats: takes samples; see muster/runtime/stats.h.
#include "observe/metric.h"
#include "pipeline/pipeline.h"
#include "schedule/schedule.h"
#include "tick/frame.h"

// ---- Worlds ----

void ecs_world_stats_get(const ecs_world_t *world, ecs_world_stats_t *stats) {
    RT_GIVEN(stats);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    ecs_ext_counts_t counts = ecs_ext_counts(world);
    int32_t t = stats->t = rt__window_next(stats->t);
#define GAUGE(group, member, number, text) \
    rt__gauge_record(&stats->group.member, t, (double)(number));
#define COUNTER(group, member, number, text) \
    rt__counter_record(&stats->group.member, t, (double)(number));
#include "observe/world_stats.def"
#undef GAUGE
#undef COUNTER
}

void ecs_world_stats_log(const ecs_world_t *world, const ecs_world_stats_t *stats) {
    RT_GIVEN(stats);
    int32_t t = stats->t;
    (void)world;
#define GAUGE(group, member, number, text) \
    ecs_print(0, "%-36s %14.6g", text, (double)stats->group.member.gauge.avg[t]);
#define COUNTER(group, member, number, text)                                         \
    ecs_print(0, "%-36s %14.6g  + %.6g", text, stats->group.member.counter.value[t], \
        (double)stats->group.member.counter.rate.avg[t]);
#include "observe/world_stats.def"
#undef GAUGE
#undef COUNTER
}

// ---- Queries and systems ----

void ecs_query_stats_get(
    const ecs_world_t *world, const ecs_query_t *query, ecs_query_stats_t *stats) {
    RT_GIVEN(stats);
    (void)world;
    ecs_query_count_t found = { 0 };
    if (query) found = ecs_query_count(query);
    int32_t t = stats->t = rt__window_next(stats->t);
    rt__gauge_record(&stats->result_count, t, found.results);
    rt__gauge_record(&stats->matched_table_count, t, found.tables);
    rt__gauge_record(&stats->matched_entity_count, t, found.entities);
}

bool ecs_system_stats_get(
    const ecs_world_t *world, ecs_entity_t entity, ecs_system_stats_t *stats) {
    RT_GIVEN(stats);
    const rt_system_t *system = rt__system_of(world, entity);
    if (!system) return false;
    ecs_query_stats_get(world, system->pub.query, &stats->query);
    rt__counter_record(&stats->time_spent, stats->query.t, system->time_spent);
    stats->task = !system->has_this;
    return true;
}

// ---- Pipelines ----

static void add_stretch(ecs_pipeline_stats_t *stats, const rt_stretch_t *stretch) {
    for (int32_t i = 0; i < stretch->count; i++)
        *ecs_vec_append_t(NULL, &stats->systems, ecs_entity_t) = stretch->systems[i]->id;
    *ecs_vec_append_t(NULL, &stats->systems, ecs_entity_t) = 0;
    *ecs_vec_append_t(NULL, &stats->sync_points, ecs_sync_stats_t) =
        (ecs_sync_stats_t){ .system_count = stretch->count,
            .multi_threaded = stretch->kind == RT_KIND_WORKERS,
            .immediate = stretch->kind == RT_KIND_IMMEDIATE };
}

bool ecs_pipeline_stats_get(ecs_world_t *world, ecs_entity_t entity, ecs_pipeline_stats_t *stats) {
    RT_GIVEN(stats);
    rt_pipeline_t *pipeline = rt__pipeline_find(world, entity);
    if (!pipeline || pipeline->rt->running) return false;
    rt__pipeline_compile(pipeline);
    ecs_vec_init_if_t(&stats->systems, ecs_entity_t);
    ecs_vec_init_if_t(&stats->sync_points, ecs_sync_stats_t);
    ecs_vec_clear(&stats->systems);
    ecs_vec_clear(&stats->sync_points);
    for (int32_t i = 0; i < pipeline->schedule->stretch_count; i++)
        add_stretch(stats, &pipeline->schedule->stretches[i]);
    stats->t = rt__window_next(stats->t);
    stats->system_count = pipeline->count;
    stats->active_system_count = pipeline->schedule->count;
    stats->rebuild_count = (int32_t)pipeline->rt->info->pipeline_build_count_total;
    return true;
}

void ecs_pipeline_stats_fini(ecs_pipeline_stats_t *stats) {
    RT_GIVEN(stats);
    ecs_vec_fini_t(NULL, &stats->systems, ecs_entity_t);
    ecs_vec_fini_t(NULL, &stats->sync_points, ecs_sync_stats_t);
}
