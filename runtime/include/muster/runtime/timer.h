// SPDX-License-Identifier: MIT
// timer: tick sources that tell systems when to run: intervals, timeouts and rates.
//
// A tick source is an entity with EcsTickSource, made true for the ticks in which it fires. Timers
// count unscaled time. Tick sources advance at the start of the frame, in EcsPreFrame: timers, then
// rate filters, then plain sources, which fire each frame.
// Threads: the thread that owns the world, between ticks.
#ifndef MUSTER_RUNTIME_TIMER_H
#define MUSTER_RUNTIME_TIMER_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EcsTickSource {
    bool tick;                /**< fired in this frame */
    ecs_ftime_t time_elapsed; /**< seconds since it fired before */
} EcsTickSource;

typedef struct EcsTimer {
    ecs_ftime_t timeout;   /**< seconds from start to fire */
    ecs_ftime_t time;      /**< seconds since the start */
    ecs_ftime_t overshoot; /**< seconds carried over from the last time it fired */
    int32_t fired_count;
    bool active;
    bool single_shot;
} EcsTimer;

typedef struct EcsRateFilter {
    ecs_entity_t src; /**< tick source to count; 0 = frames */
    int32_t rate;     /**< fire each n-th time */
    int32_t tick_count;
    ecs_ftime_t time_elapsed;
} EcsRateFilter;

/* Each setter returns the tick source: the given entity, or a new one for 0. Given a system, the
 * system becomes its own tick source. */

/** Fire once, after `timeout` seconds. */
ECS_API ecs_entity_t ecs_set_timeout(
    ecs_world_t *world, ecs_entity_t tick_source, ecs_ftime_t timeout);
/** Timeout of a one-shot timer, fired or not; 0 if it is none. */
ECS_API ecs_ftime_t ecs_get_timeout(const ecs_world_t *world, ecs_entity_t tick_source);
/** Fire each `interval` seconds. */
ECS_API ecs_entity_t ecs_set_interval(
    ecs_world_t *world, ecs_entity_t tick_source, ecs_ftime_t interval);
/** Interval of a timer; 0 if there is none. */
ECS_API ecs_ftime_t ecs_get_interval(const ecs_world_t *world, ecs_entity_t tick_source);
/** Start from 0. */
ECS_API void ecs_start_timer(ecs_world_t *world, ecs_entity_t tick_source);
/** Stop; the time passed is kept. */
ECS_API void ecs_stop_timer(ecs_world_t *world, ecs_entity_t tick_source);
/** Set the elapsed time to 0; running or not stays. */
ECS_API void ecs_reset_timer(ecs_world_t *world, ecs_entity_t tick_source);
/** Give all timers, also those made later, a random time to start from (drawn from the seed of
 * the world). */
ECS_API void ecs_randomize_timers(ecs_world_t *world);
/** Fire each `rate`-th time that `source` (0 = frames) fires. */
ECS_API ecs_entity_t ecs_set_rate(
    ecs_world_t *world, ecs_entity_t tick_source, int32_t rate, ecs_entity_t source);
/** Let a system run only when `tick_source` fires. [chk] a system, a tick source that is not 0. */
ECS_API void ecs_set_tick_source(ecs_world_t *world, ecs_entity_t system, ecs_entity_t tick_source);

#ifdef __cplusplus
}
#endif

#endif
