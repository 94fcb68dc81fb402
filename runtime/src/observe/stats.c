// SPDX-License-Identifier: MIT
// stats: see muster/runtime/stats.h.
#include <muster/runtime/stats.h>

#include "pipeline/pipeline.h"
#include "schedule/schedule.h"
#include "tick/frame.h"

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
    rt_t *rt = rt__of(world);
    rt_pipeline_t *pipeline = !rt ? NULL : entity ? rt__pipeline_of(world, entity) : rt->pipeline;
    if (!pipeline || rt->running) return false;
    rt__pipeline_compile(pipeline);
    ecs_vec_init_if_t(&stats->systems, ecs_entity_t);
    ecs_vec_init_if_t(&stats->sync_points, ecs_sync_stats_t);
    ecs_vec_clear(&stats->systems);
    ecs_vec_clear(&stats->sync_points);
    for (int32_t i = 0; i < pipeline->schedule->stretch_count; i++)
        add_stretch(stats, &pipeline->schedule->stretches[i]);
    stats->t++;
    stats->system_count = pipeline->count;
    stats->active_system_count = pipeline->schedule->count;
    stats->rebuild_count = (int32_t)rt->info->pipeline_build_count_total;
    return true;
}

void ecs_pipeline_stats_fini(ecs_pipeline_stats_t *stats) {
    ecs_vec_fini_t(NULL, &stats->systems, ecs_entity_t);
    ecs_vec_fini_t(NULL, &stats->sync_points, ecs_sync_stats_t);
}
