// SPDX-License-Identifier: MIT
// stats: samples of what worlds, systems, queries and pipelines do, and windows made of them.
#include "calls.h"

CALL(sample_world) {
    static ecs_world_stats_t stats, other;
    stats = other = (ecs_world_stats_t){ 0 };
    ecs_world_stats_get(call->world, &stats);
    if (is_odd()) ecs_world_stats_log(call->world, &stats);
    ecs_world_stats_reduce(&other, &stats);
    ecs_world_stats_reduce_last(&other, &stats, draw_number());
    ecs_world_stats_repeat_last(&other);
    ecs_world_stats_copy_last(&other, &stats);
}

CALL(sample_system) {
    static ecs_system_stats_t stats, other;
    stats = other = (ecs_system_stats_t){ 0 };
    if (!ecs_system_stats_get(call->world, draw_part(SYSTEMS), &stats)) return;
    ecs_system_stats_reduce(&other, &stats);
    ecs_system_stats_reduce_last(&other, &stats, draw_number());
    ecs_system_stats_repeat_last(&other);
    ecs_system_stats_copy_last(&other, &stats);
}

CALL(sample_query) {
    static ecs_query_stats_t stats, other;
    stats = other = (ecs_query_stats_t){ 0 };
    const ecs_query_t *query = cast.queries[input_below(QUERIES)];
    if (!query) return;
    ecs_query_stats_get(call->world, query, &stats);
    ecs_query_stats_reduce(&other, &stats);
    ecs_query_stats_reduce_last(&other, &stats, draw_number());
    ecs_query_stats_repeat_last(&other);
    ecs_query_stats_copy_last(&other, &stats);
}

CALL(sample_pipeline) {
    ecs_pipeline_stats_t stats = { 0 };
    if (ecs_pipeline_stats_get(call->world, draw_part(PIPELINES), &stats))
        ecs_pipeline_stats_get(call->world, 0, &stats);
    ecs_pipeline_stats_fini(&stats);
}

const call_kind_t stats_calls[] = { { "sample_world", sample_world },
    { "sample_system", sample_system }, { "sample_query", sample_query },
    { "sample_pipeline", sample_pipeline }, { 0 } };
