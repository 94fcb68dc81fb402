// SPDX-License-Identifier: MIT
// timer: tick sources that tell systems when to run: intervals, timeouts, rates and fixed steps.
//
// A tick source is an entity with EcsTickSource, made true for the ticks in which it fires. Timers
// count unscaled time: that of the frame, or of ecs_run_pipeline() outside of one. Tick sources advance
// at the start of the frame, in EcsPreFrame: timers, then rate filters, then plain sources, which fire
// each frame.
//
// A fixed step fires 0 to N times in a frame, as often as its step fits into the scaled time that passed; what is left counts
// for the next frame. Systems that have it as tick source and stand next to each other in the order, but for those that match
// nothing, are a block: it runs once per step as a whole, first to last system, and what they queue is merged before the next
// step. Other systems in between end the block, and those behind them are a block of their own; a phase of its own keeps
// systems together. In a step, delta_time and delta_system_time are the step. A rate filter on a fixed step joins the block, and fires
// in each n-th step since the fixed step was made; delta_system_time is n steps then. ecs_run() runs such a system once, if any step fell into the frame.
// Threads: setters as commands (see there); what is told is for the thread that owns the world, and for systems.
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
    int32_t fired_count;   /**< stays at INT32_MAX */
    bool active;
    bool single_shot;
    ecs_ftime_t rest; /**< part of `time` that is less than it can tell */
} EcsTimer;

typedef struct EcsRateFilter {
    ecs_entity_t src;         /**< tick source to count; 0 = frames */
    int32_t rate;             /**< fire each n-th time */
    int32_t tick_count;       /**< of the source; begins again, in the same turn, when it is full */
    ecs_ftime_t time_elapsed; /**< seconds since it fired */
    ecs_ftime_t rest;         /**< part of them that is less than it can tell */
} EcsRateFilter;

typedef struct EcsFixedStep {
    ecs_ftime_t step;  /**< seconds, more than 0 */
    int32_t max_steps; /**< most steps in one frame */
    int32_t steps;     /**< in this frame */
    int64_t count;     /**< of all steps up to the end of this frame */
    double time;       /**< seconds that passed and are not stepped yet */
    double dropped;    /**< seconds that max_steps left out */
} EcsFixedStep;

/* Each setter returns the tick source: the given entity, or a new one for 0. Of what is set for one entity the last counts, unless it
 * is a rate whose source is that entity. Given a system, the system becomes its own tick source. All that is set here is set by commands while the world defers, so any worker may do it:
 * what is set takes effect with the merge. */

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
/** Start from 0. [chk] a timer; for this and the next two: by the time it is done. */
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
/** Fire once for each `step` seconds of scaled time, several times in a frame if need be. If more than `max_steps` fall into one
 * frame, the time of those beyond is dropped, so that a slow frame does not make the next one slower. Time counts from the next frame
 * on. For a fixed step that exists: what passed and was not stepped yet is kept, and the step changes at once; between frames is
 * the time to do so. [chk] step above 0 and finite, max_steps at least 1. */
ECS_API ecs_entity_t ecs_set_fixed_step(
    ecs_world_t *world, ecs_entity_t tick_source, ecs_ftime_t step, int32_t max_steps);
/** Seconds of a step; 0 if it is no fixed step. */
ECS_API ecs_ftime_t ecs_get_fixed_step(const ecs_world_t *world, ecs_entity_t tick_source);
/** How much of the next step has passed, from 0 to less than 1: what is drawn lies so far between the state before the last step and
 * the present one. [chk] a fixed step. Threads: also inside systems, any worker. */
ECS_API ecs_ftime_t ecs_fixed_step_fraction(const ecs_world_t *world, ecs_entity_t tick_source);
/** Let a system run only when `tick_source` fires. [chk] a system, a tick source that is not 0. */
ECS_API void ecs_set_tick_source(ecs_world_t *world, ecs_entity_t system, ecs_entity_t tick_source);

#ifdef __cplusplus
}
#endif

#endif
