// SPDX-License-Identifier: MIT
// A sample of the shortest period is taken anew when it is due; a longer period gets its sample from the windows of the one before.
#include "observe/stats_module.h"

#include <muster/runtime/frame.h>
#include <muster/runtime/module.h>
#include <muster/runtime/pipeline.h>
#include "observe/metric.h"
#include "pipeline/pipeline.h"

// The highest of the low ids, so that they are the same in all worlds.
#define FIRST_ID (FLECS_HI_COMPONENT_ID - 10)
const ecs_entity_t ecs_id(FlecsStats) = FIRST_ID;
const ecs_entity_t ecs_id(EcsWorldStats) = FIRST_ID + 1;
const ecs_entity_t ecs_id(EcsWorldSummary) = FIRST_ID + 2;
const ecs_entity_t ecs_id(EcsSystemStats) = FIRST_ID + 3;
const ecs_entity_t ecs_id(EcsPipelineStats) = FIRST_ID + 4;
#define FIRST_PERIOD (FIRST_ID + 5)
const ecs_entity_t EcsPeriod1s = FIRST_PERIOD;
const ecs_entity_t EcsPeriod1m = FIRST_PERIOD + 1;
const ecs_entity_t EcsPeriod1h = FIRST_PERIOD + 2;
const ecs_entity_t EcsPeriod1d = FIRST_PERIOD + 3;
const ecs_entity_t EcsPeriod1w = FIRST_PERIOD + 4;

enum { PERIODS = 5 };
static const char *const period_names[PERIODS] = { "EcsPeriod1s", "EcsPeriod1m", "EcsPeriod1h",
    "EcsPeriod1d", "EcsPeriod1w" };
// Samples that make one of the next period.
static const int32_t samples_in[PERIODS] = { 60, 60, 60, 24, 0 };

#define SAMPLE_S ((ecs_float_t)1 / 60)

// ---- Lifecycle of the values ----

ECS_CTOR(EcsWorldStats, ptr, { ecs_os_zeromem(ptr); })
ECS_DTOR(EcsWorldStats, ptr, { ecs_os_free(ptr->stats); })
ECS_MOVE(EcsWorldStats, dst, src, {
    ecs_os_free(dst->stats);
    *dst = *src;
    src->stats = NULL;
})

static void free_all(ecs_map_t *stats) {
    ecs_map_iter_t it = ecs_map_iter(stats);
    while (ecs_map_next(&it)) ecs_os_free(ecs_map_ptr(&it));
    ecs_map_fini(stats);
}

static void move_all(ecs_map_t *dst, ecs_map_t *src) {
    ecs_map_t taken = *src;
    *src = (ecs_map_t){ 0 };
    free_all(dst);
    *dst = taken;
}

static void free_pipelines(ecs_map_t *stats) {
    ecs_map_iter_t it = ecs_map_iter(stats);
    while (ecs_map_next(&it)) ecs_pipeline_stats_fini(ecs_map_ptr(&it));
    free_all(stats);
}

ECS_CTOR(EcsSystemStats, ptr, { ecs_os_zeromem(ptr); })
ECS_DTOR(EcsSystemStats, ptr, { free_all(&ptr->stats); })
ECS_MOVE(EcsSystemStats, dst, src, {
    dst->hdr = src->hdr;
    move_all(&dst->stats, &src->stats);
})

ECS_CTOR(EcsPipelineStats, ptr, { ecs_os_zeromem(ptr); })
ECS_DTOR(EcsPipelineStats, ptr, { free_pipelines(&ptr->stats); })
ECS_MOVE(EcsPipelineStats, dst, src, {
    dst->hdr = src->hdr;
    free_pipelines(&dst->stats);
    move_all(&dst->stats, &src->stats);
})

// ---- Samples ----

static void *value_of(const rt_t *rt, ecs_entity_t component, int32_t period) {
    if (period < 0) return NULL;
    return ecs_get_mut_id(
        rt->world, EcsWorld, ecs_pair(component, FIRST_PERIOD + (ecs_entity_t)period));
}

static void sample_world(const rt_t *rt, int32_t period) {
    EcsWorldStats *value = value_of(rt, ecs_id(EcsWorldStats), period);
    const EcsWorldStats *before = value_of(rt, ecs_id(EcsWorldStats), period - 1);
    if (!value) return;
    if (!value->stats) value->stats = ecs_os_calloc_t(ecs_world_stats_t);
    if (!period)
        ecs_world_stats_get(rt->world, value->stats);
    else /* it was sampled just now */
        rt__metrics_reduce(rt__world_metrics(value->stats), rt__world_metrics(before->stats),
            samples_in[period - 1]);
}

static void reduce_system(ecs_system_stats_t *dst, const ecs_system_stats_t *src, int32_t samples) {
    rt__metrics_reduce(rt__query_metrics(&dst->query), rt__query_metrics(&src->query), samples);
    rt__metric_reduce(&dst->time_spent, &src->time_spent, dst->query.t, src->query.t, samples);
    dst->task = src->task;
}

// What was known of systems, or pipelines, that are none any more.
static void drop_gone(ecs_map_t *stats, const ecs_world_t *world, ecs_entity_t kind) {
    ecs_map_iter_t it = ecs_map_iter(stats);
    while (ecs_map_next(&it)) {
        ecs_entity_t key = ecs_map_key(&it);
        if (ecs_ext_poly_get(world, key, kind)) continue;
        if (kind == ecs_id(EcsPipeline)) ecs_pipeline_stats_fini(ecs_map_ptr(&it));
        ecs_map_remove_free(stats, key);
    }
}

static void sample_systems(const rt_t *rt, int32_t period) {
    EcsSystemStats *value = value_of(rt, ecs_id(EcsSystemStats), period);
    const EcsSystemStats *before = value_of(rt, ecs_id(EcsSystemStats), period - 1);
    if (!value || (period && !before)) return;
    ecs_map_init_if(&value->stats, NULL);
    drop_gone(&value->stats, rt->world, EcsSystem);
    ecs_iter_t it = ecs_each_id(rt->world, EcsSystem);
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            ecs_entity_t system = it.entities[i];
            if (!rt__system_of(rt->world, system)) continue; /* the tag alone makes no system */
            ecs_system_stats_t *stats =
                ecs_map_ensure_alloc_t(&value->stats, ecs_system_stats_t, system);
            const ecs_system_stats_t *src =
                period ? ecs_map_get_deref(&before->stats, ecs_system_stats_t, system) : NULL;
            if (!period)
                ecs_system_stats_get(rt->world, system, stats);
            else if (src)
                reduce_system(stats, src, samples_in[period - 1]);
        }
    }
}

// Only the newest sample of these is kept, so there is nothing to reduce.
static void sample_pipeline(const rt_t *rt, int32_t period) {
    EcsPipelineStats *value = value_of(rt, ecs_id(EcsPipelineStats), period);
    if (!value) return;
    ecs_map_init_if(&value->stats, NULL);
    drop_gone(&value->stats, rt->world, ecs_id(EcsPipeline));
    if (!rt->pipeline) return;
    ecs_pipeline_stats_get(rt->world, 0,
        ecs_map_ensure_alloc_t(&value->stats, ecs_pipeline_stats_t, rt->pipeline->id));
}

static void sample(const rt_t *rt, int32_t period) {
    sample_world(rt, period);
    sample_systems(rt, period);
    sample_pipeline(rt, period);
    EcsWorldStats *value = value_of(rt, ecs_id(EcsWorldStats), period);
    if (!value || ++value->hdr.reduce_count < samples_in[period] || period + 1 == PERIODS) return;
    value->hdr.reduce_count = 0;
    sample(rt, period + 1);
}

static void sum_up(const rt_t *rt) {
    EcsWorldSummary *sum = ecs_get_mut_id(rt->world, EcsWorld, ecs_id(EcsWorldSummary));
    const ecs_world_info_t *info = rt->info;
    if (!sum) return;
#define TOTAL(member, value)                          \
    sum->member##_last = (value)-sum->member##_total; \
    sum->member##_total = (value);
    TOTAL(frame_time, (double)info->frame_time_total)
    TOTAL(system_time, (double)info->system_time_total)
    TOTAL(merge_time, (double)info->merge_time_total)
    TOTAL(systems_ran, info->systems_ran_total)
    TOTAL(observers_ran, info->observers_ran_total)
#undef TOTAL
    ecs_ext_counts_t counts = ecs_ext_counts(rt->world);
    sum->target_fps = (double)info->target_fps;
    sum->time_scale = (double)info->time_scale;
    sum->fps = info->delta_time_raw > 0 ? 1 / (double)info->delta_time_raw : 0;
    sum->entity_count = counts.entities;
    sum->table_count = counts.tables;
    sum->frame_count = info->frame_count_total;
    sum->merge_count = info->merge_count_total;
    sum->command_count = info->cmd.add_count + info->cmd.remove_count + info->cmd.delete_count +
                         info->cmd.clear_count + info->cmd.set_count + info->cmd.ensure_count +
                         info->cmd.modified_count + info->cmd.event_count + info->cmd.other_count;
    sum->build_info = *ecs_get_build_info();
}

void rt__stats_sample(rt_t *rt) {
    rt->samples_stats = ecs_is_alive(rt->world, ecs_id(FlecsStats)); /* else it was deleted */
    if (!rt->samples_stats) return;
    sum_up(rt);
    EcsWorldStats *newest = value_of(rt, ecs_id(EcsWorldStats), 0);
    if (!newest) return;
    newest->hdr.elapsed += (ecs_float_t)rt->info->delta_time_raw;
    /* A frame that is not simulated 60 times a second stands for several samples, but for no more than a second. */
    for (int32_t i = 0; i < samples_in[0] && newest->hdr.elapsed > SAMPLE_S * 0.99f; i++) {
        newest->hdr.elapsed -= SAMPLE_S;
        sample(rt, 0);
    }
    newest->hdr.elapsed = ECS_MIN(newest->hdr.elapsed, SAMPLE_S);
}

// ---- The module ----

static bool ids_are_free(const ecs_world_t *world) {
    for (ecs_entity_t id = FIRST_ID; id < FIRST_PERIOD + PERIODS; id++) {
        if (!ecs_get_alive(world, id)) continue;
        ecs_err_code(ECS_ALREADY_IN_USE,
            "FlecsStats needs the ids %d to %d, which this world has given out: import it earlier",
            FIRST_ID, FIRST_PERIOD + PERIODS - 1);
        return false;
    }
    return true;
}

static void name(ecs_world_t *world, ecs_entity_t id, const char *text, const char *symbol) {
    ecs_make_alive(world, id);
    ecs_entity(world, { .id = id, .parent = ecs_id(FlecsStats), .name = text, .symbol = symbol });
}

#define MAKE(world, T)                \
    name(world, ecs_id(T), #T, #T);   \
    ecs_component(                    \
        world, { .entity = ecs_id(T), \
                   .type = { .size = ECS_SIZEOF(T), .alignment = (ecs_size_t)ECS_ALIGNOF(T) } })
#define SET_HOOKS(world, T)      \
    ecs_set_hooks(world, T,      \
        { .ctor = ecs_ctor(T),   \
            .dtor = ecs_dtor(T), \
            .move = ecs_move(T), \
            .flags = ECS_TYPE_HOOK_COPY_ILLEGAL })

static void make_entities(ecs_world_t *world) {
    ecs_make_alive(world, ecs_id(FlecsStats));
    ecs_entity(world, { .id = ecs_id(FlecsStats),
                          .parent = EcsFlecs,
                          .name = "stats",
                          .symbol = "flecs.stats",
                          .add = ecs_ids(EcsModule) });
    MAKE(world, EcsWorldStats);
    MAKE(world, EcsSystemStats);
    MAKE(world, EcsPipelineStats);
    MAKE(world, EcsWorldSummary);
    SET_HOOKS(world, EcsWorldStats);
    SET_HOOKS(world, EcsSystemStats);
    SET_HOOKS(world, EcsPipelineStats);
    for (int32_t i = 0; i < PERIODS; i++)
        name(world, FIRST_PERIOD + (ecs_entity_t)i, period_names[i], period_names[i]);
}

#ifdef FLECS_META
// The figures are read by tools, too.
static void describe_summary(ecs_world_t *world) {
#define MEMBER(member, T)                                                                \
    {                                                                                    \
        .name = #member, .type = ecs_id(T), .offset = offsetof(EcsWorldSummary, member), \
        .use_offset = true                                                               \
    }
    if (!ecs_exists(world, ecs_id(EcsStruct))) return; /* a world without reflection */
    ecs_struct(world,
        { .entity = ecs_id(EcsWorldSummary),
            .members = { MEMBER(target_fps, ecs_f64_t), MEMBER(time_scale, ecs_f64_t),
                MEMBER(fps, ecs_f64_t), MEMBER(frame_time_total, ecs_f64_t),
                MEMBER(frame_time_last, ecs_f64_t), MEMBER(system_time_total, ecs_f64_t),
                MEMBER(system_time_last, ecs_f64_t), MEMBER(merge_time_total, ecs_f64_t),
                MEMBER(merge_time_last, ecs_f64_t), MEMBER(entity_count, ecs_i64_t),
                MEMBER(table_count, ecs_i64_t), MEMBER(frame_count, ecs_i64_t),
                MEMBER(command_count, ecs_i64_t), MEMBER(merge_count, ecs_i64_t),
                MEMBER(systems_ran_total, ecs_i64_t), MEMBER(systems_ran_last, ecs_i64_t),
                MEMBER(observers_ran_total, ecs_i64_t), MEMBER(observers_ran_last, ecs_i64_t) } });
#undef MEMBER
}
#else
static void describe_summary(ecs_world_t *world) { (void)world; }
#endif

static void make_values(ecs_world_t *world) {
    const ecs_entity_t kinds[] = { ecs_id(EcsWorldStats), ecs_id(EcsSystemStats),
        ecs_id(EcsPipelineStats) };
    for (int32_t k = 0; k < 3; k++) {
        for (int32_t i = 0; i < PERIODS; i++)
            ecs_add_pair(world, EcsWorld, kinds[k], FIRST_PERIOD + (ecs_entity_t)i);
    }
    ecs_set(world, EcsWorld, EcsWorldSummary, { 0 });
}

void FlecsStatsImport(ecs_world_t *world) {
    if (!rt__attach(world)) return;
    if (ecs_is_alive(world, ecs_id(FlecsStats)) && ecs_has_id(world, ecs_id(FlecsStats), EcsModule))
        return;
    if (!rt__may_import(world) || !ids_are_free(world)) return;
    ecs_entity_t scope = ecs_set_scope(world, 0);
    ecs_id_t with = ecs_set_with(world, 0);
    const char *prefix = ecs_set_name_prefix(world, NULL);
    make_entities(world);
    describe_summary(world);
    make_values(world);
    ecs_set_name_prefix(world, prefix);
    ecs_set_with(world, with);
    ecs_set_scope(world, scope);
    ecs_measure_frame_time(world, true);
    ecs_measure_system_time(world, true);
    rt__of(world)->samples_stats = true;
}
