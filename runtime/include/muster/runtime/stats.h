// SPDX-License-Identifier: MIT
// stats: numbers about a world over time, for displays and logs. What a pipeline runs and where it merges; see schedule.h for why.
//
// A metric is a window of the last ECS_STAT_WINDOW samples. Each call of a _get function takes one sample of everything and makes
// `t` its place in all windows. Zero a struct before its first use.
//
//   ecs_world_stats_t stats = { 0 };
//   ecs_world_stats_get(world, &stats);
//   printf("%g entities\n", stats.entities.count.gauge.avg[stats.t]);
//
// The module FlecsStats takes samples by itself and keeps windows of a second up to a week.
// Threads: the one that owns the world, between ticks; functions on stats alone: any.
#ifndef MUSTER_RUNTIME_STATS_H
#define MUSTER_RUNTIME_STATS_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Samples in a window. */
#define ECS_STAT_WINDOW (60)

/** Something that goes up and down. A sample has one value; average, least and most differ where samples were reduced. */
typedef struct ecs_gauge_t {
    ecs_float_t avg[ECS_STAT_WINDOW];
    ecs_float_t min[ECS_STAT_WINDOW];
    ecs_float_t max[ECS_STAT_WINDOW];
} ecs_gauge_t;

/** Something that only goes up. */
typedef struct ecs_counter_t {
    ecs_gauge_t rate;              /**< what it went up by since the sample before */
    double value[ECS_STAT_WINDOW]; /**< the count */
} ecs_counter_t;

typedef union ecs_metric_t {
    ecs_gauge_t gauge;
    ecs_counter_t counter;
} ecs_metric_t;

/** Gauges unless said otherwise. */
typedef struct ecs_world_stats_t {
    int64_t first_;
    struct {
        ecs_metric_t count;           /**< living entities */
        ecs_metric_t not_alive_count; /**< ids that wait to be used again */
    } entities;
    struct {
        ecs_metric_t tag_count; /**< ids in use without values, with values, pairs */
        ecs_metric_t component_count;
        ecs_metric_t pair_count;
        ecs_metric_t type_count;   /**< registered components */
        ecs_metric_t create_count; /**< counters: entities made and deleted */
        ecs_metric_t delete_count;
    } components;
    struct {
        ecs_metric_t count;
        ecs_metric_t empty_count;
        ecs_metric_t create_count; /**< counters */
        ecs_metric_t delete_count;
    } tables;
    struct {
        ecs_metric_t query_count; /**< all of them, those of systems and observers included */
        ecs_metric_t observer_count;
        ecs_metric_t system_count;
    } queries;
    struct { /**< counters: commands that were applied, by kind */
        ecs_metric_t add_count;
        ecs_metric_t remove_count;
        ecs_metric_t delete_count;
        ecs_metric_t clear_count;
        ecs_metric_t set_count;
        ecs_metric_t ensure_count;
        ecs_metric_t modified_count;
        ecs_metric_t other_count;
        ecs_metric_t discard_count;
        ecs_metric_t batched_entity_count;
        ecs_metric_t batched_count;
    } commands;
    struct { /**< counters */
        ecs_metric_t frame_count;
        ecs_metric_t merge_count;
        ecs_metric_t rematch_count;
        ecs_metric_t pipeline_build_count;
        ecs_metric_t systems_ran;
        ecs_metric_t observers_ran;
        ecs_metric_t event_emit_count; /**< events of ecs_enqueue() that were sent */
    } frame;
    struct
    { /**< seconds; counters but for the last two. Most need ecs_measure_frame_time or ecs_measure_system_time */
        ecs_metric_t world_time_raw;
        ecs_metric_t world_time;
        ecs_metric_t frame_time;
        ecs_metric_t system_time;
        ecs_metric_t emit_time;
        ecs_metric_t merge_time;
        ecs_metric_t rematch_time;
        ecs_metric_t fps;        /**< gauge: frames per second, by the raw time of the last frame */
        ecs_metric_t delta_time; /**< gauge */
    } performance;
    struct { /**< counters of ecs_os_api, for the whole process; the last is a gauge */
        ecs_metric_t alloc_count;
        ecs_metric_t realloc_count;
        ecs_metric_t free_count;
        ecs_metric_t outstanding_alloc_count; /**< gauge */
    } memory;
    int64_t last_;
    int32_t t; /**< place of the newest sample */
} ecs_world_stats_t;

/** What a query finds; gauges. */
typedef struct ecs_query_stats_t {
    int64_t first_;
    ecs_metric_t result_count;
    ecs_metric_t matched_table_count;
    ecs_metric_t matched_entity_count;
    int64_t last_;
    int32_t t;
} ecs_query_stats_t;

typedef struct ecs_system_stats_t {
    int64_t first_;
    ecs_metric_t time_spent; /**< counter, seconds; see ecs_measure_system_time */
    int64_t last_;
    bool task;               /**< it has no entities to go over */
    ecs_query_stats_t query; /**< its `t` is that of the system too */
} ecs_system_stats_t;

/** The systems between two merges. */
typedef struct ecs_sync_stats_t {
    int32_t system_count;
    bool multi_threaded; /**< workers take part */
    bool immediate;      /**< one system that changes the world directly */
} ecs_sync_stats_t;

typedef struct ecs_pipeline_stats_t {
    ecs_vec_t systems;           /**< ecs_entity_t: active systems in order, 0 at each merge */
    ecs_vec_t sync_points;       /**< ecs_sync_stats_t, one per merge */
    int32_t t;                   /**< as in the others, though only the newest sample is kept */
    int32_t system_count;        /**< enabled systems */
    int32_t active_system_count; /**< of those, systems that match something */
    int32_t rebuild_count;       /**< schedules made so far, of all pipelines of the world */
} ecs_pipeline_stats_t;

/** Take a sample. O(number of tables). */
ECS_API void ecs_world_stats_get(const ecs_world_t *world, ecs_world_stats_t *stats);
/** Take a sample: goes over all results of the query. */
ECS_API void ecs_query_stats_get(
    const ecs_world_t *world, const ecs_query_t *query, ecs_query_stats_t *stats);
/** Take a sample. False if the entity is no system. */
ECS_API bool ecs_system_stats_get(
    const ecs_world_t *world, ecs_entity_t system, ecs_system_stats_t *stats);
/** Fill in what a pipeline (0 = the current one) runs at present. False if it is none, or runs.
 * Ownership: the vectors grow as needed; end them with ecs_pipeline_stats_fini(). */
ECS_API bool ecs_pipeline_stats_get(
    ecs_world_t *world, ecs_entity_t pipeline, ecs_pipeline_stats_t *stats);
/** Free what ecs_pipeline_stats_get() filled in. */
ECS_API void ecs_pipeline_stats_fini(ecs_pipeline_stats_t *stats);

/** Print the newest sample, one line per number, at log level 0. */
ECS_API void ecs_world_stats_log(const ecs_world_t *world, const ecs_world_stats_t *stats);

/* Making longer windows of shorter ones. A whole window of `src` becomes one sample of `dst`, the next one: the average of averages,
 * the least, the most, and the newest count of counters. */
ECS_API void ecs_world_stats_reduce(ecs_world_stats_t *dst, const ecs_world_stats_t *src);
ECS_API void ecs_query_stats_reduce(ecs_query_stats_t *dst, const ecs_query_stats_t *src);
ECS_API void ecs_system_stats_reduce(ecs_system_stats_t *dst, const ecs_system_stats_t *src);
ECS_API void ecs_metric_reduce(
    ecs_metric_t *dst, const ecs_metric_t *src, int32_t t_dst, int32_t t_src);
/* The newest sample of `src` is one of `count` + 1 that make up the newest one of `stats`. */
ECS_API void ecs_world_stats_reduce_last(
    ecs_world_stats_t *stats, const ecs_world_stats_t *src, int32_t count);
ECS_API void ecs_query_stats_reduce_last(
    ecs_query_stats_t *stats, const ecs_query_stats_t *src, int32_t count);
ECS_API void ecs_system_stats_reduce_last(
    ecs_system_stats_t *stats, const ecs_system_stats_t *src, int32_t count);
/* The newest sample once more: nothing was measured meanwhile. */
ECS_API void ecs_world_stats_repeat_last(ecs_world_stats_t *stats);
ECS_API void ecs_query_stats_repeat_last(ecs_query_stats_t *stats);
ECS_API void ecs_system_stats_repeat_last(ecs_system_stats_t *stats);
/* The newest sample of `src` replaces that of `dst`. */
ECS_API void ecs_world_stats_copy_last(ecs_world_stats_t *dst, const ecs_world_stats_t *src);
ECS_API void ecs_query_stats_copy_last(ecs_query_stats_t *dst, const ecs_query_stats_t *src);
ECS_API void ecs_system_stats_copy_last(ecs_system_stats_t *dst, const ecs_system_stats_t *src);
ECS_API void ecs_metric_copy(ecs_metric_t *metric, int32_t t_dst, int32_t t_src);

/* ---- The module FlecsStats ----
 *
 * ECS_IMPORT(world, FlecsStats) puts values on EcsWorld: (EcsWorldStats, EcsPeriod1s), … and those of EcsSystemStats and
 * EcsPipelineStats with every period, and EcsWorldSummary. At the end of frames samples are taken for every 1/60 s that passed,
 * not scaled; a second of them is one sample of EcsPeriod1m, a minute one of EcsPeriod1h, an hour one of EcsPeriod1d, a day one of
 * EcsPeriod1w. It switches measuring of frames and systems on. Values go with their removal; windows hold addresses, so read them
 * with ecs_get_pair() in the frame in which they are used. */

/** Begin of the components with windows. */
typedef struct EcsStatsHeader {
    ecs_float_t elapsed;  /**< seconds since the newest sample, of EcsPeriod1s */
    int32_t reduce_count; /**< samples that are not part of one of the next period yet */
} EcsStatsHeader;

typedef struct EcsWorldStats {
    EcsStatsHeader hdr;
    ecs_world_stats_t *stats; /**< owned by the value */
} EcsWorldStats;

typedef struct EcsSystemStats {
    EcsStatsHeader hdr;
    ecs_map_t stats; /**< system -> ecs_system_stats_t*; owned by the value */
} EcsSystemStats;

typedef struct EcsPipelineStats {
    EcsStatsHeader hdr;
    ecs_map_t stats; /**< pipeline -> ecs_pipeline_stats_t*; owned by the value */
} EcsPipelineStats;

/** The present figures: totals, and what the last frame added to them. Times in seconds. */
typedef struct EcsWorldSummary {
    double target_fps;
    double time_scale;
    double fps;
    double frame_time_total, frame_time_last;
    double system_time_total, system_time_last;
    double merge_time_total, merge_time_last;
    int64_t entity_count;
    int64_t table_count;
    int64_t frame_count;
    int64_t command_count;
    int64_t merge_count;
    int64_t systems_ran_total, systems_ran_last;
    int64_t observers_ran_total, observers_ran_last;
    ecs_build_info_t build_info;
} EcsWorldSummary;

ECS_API extern const ecs_entity_t ecs_id(FlecsStats);
ECS_API extern const ecs_entity_t ecs_id(EcsWorldStats);
ECS_API extern const ecs_entity_t ecs_id(EcsWorldSummary);
ECS_API extern const ecs_entity_t ecs_id(EcsSystemStats);
ECS_API extern const ecs_entity_t ecs_id(EcsPipelineStats);
ECS_API extern const ecs_entity_t EcsPeriod1s;
ECS_API extern const ecs_entity_t EcsPeriod1m;
ECS_API extern const ecs_entity_t EcsPeriod1h;
ECS_API extern const ecs_entity_t EcsPeriod1d;
ECS_API extern const ecs_entity_t EcsPeriod1w;

/** What ECS_IMPORT(world, FlecsStats) calls. */
ECS_API void FlecsStatsImport(ecs_world_t *world);

#ifdef __cplusplus
}
#endif

#endif
