// SPDX-License-Identifier: MIT
// frame: one tick from begin to end, and its clock.
//
// Times are in seconds. Threads: the thread that owns the world, between ticks; ecs_quit() and
// ecs_run_post_frame() also inside systems, with their stage.
#ifndef MUSTER_RUNTIME_FRAME_H
#define MUSTER_RUNTIME_FRAME_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Run one tick: begin a frame, run the current pipeline, end the frame. The first call also runs
 * EcsOnStart.
 *
 * @param delta_time  Time this tick simulates; 0 = the time measured since the previous tick, if that was measured as well: else that of
 *                    the target rate, or 1/60. [chk] finite
 * @return            False after ecs_quit().
 * Complexity:        a tick in which nothing structural changes allocates nothing.
 */
ECS_API bool ecs_progress(ecs_world_t *world, ecs_ftime_t delta_time);

/** Begin a frame without running a pipeline: measures time if needed, waits for the target rate.
 * Returns the scaled time. Time is what ecs_os_api.get_time_ tells. [chk] not readonly, nor deferred, suspended or not; no frame
 * begun; get_time_ is there if time is to be measured. */
ECS_API ecs_ftime_t ecs_frame_begin(ecs_world_t *world, ecs_ftime_t delta_time);
/** End the frame: counts it and runs the actions of ecs_run_post_frame(). [chk] a frame was
 * begun, and all that was submitted is done. */
ECS_API void ecs_frame_end(ecs_world_t *world);
/** Call `action` once when the current frame has ended. [chk] inside a frame. */
ECS_API void ecs_run_post_frame(ecs_world_t *world, ecs_fini_action_t action, void *ctx);

/** What a submission does: called at the start of a tick, with the world not readonly. */
typedef void (*ecs_submit_action_t)(ecs_world_t *world, void *ctx);
/** Have `action` called at the start of the next tick, before any system. Submissions of one thread are done in its order, threads in
 * the order of their first submission; what they change is there when systems run. What systems on several threads submit with their
 * stage is submitted by the thread of the world when the frame ends, in the order of their rows.
 *
 * @param ctx_free  Releases `ctx` when the action is done, or when the world ends without it; may be NULL.
 * @return          0, or -1 if the world has no runtime or `action` is NULL ([chk]).
 * Threads:         any, while the world is not being ended. Lock-free; allocates a small block.
 */
ECS_API int ecs_submit(
    ecs_world_t *world, ecs_submit_action_t action, void *ctx, ecs_ctx_free_t ctx_free);

/** Have an event emitted at the start of the next tick, in its place among the submissions: input as data, which can be recorded and
 * replayed (record.h). Nobody is told if the entity or the event is no longer alive then.
 *
 * @param desc        Event, entity, ids and param, as ecs_emit() takes them; all is copied. No table.
 * @param param_size  Bytes of the param; 0 without one. The event must be its component. Other threads cannot look at the world, so the
 *                    tick checks the size, and that the bytes are all there is to a value: with hooks that copy, move or end values, or
 *                    with another size, the event is dropped with a logged sentence.
 * @return            0; -1 if there is no memory, the world has no runtime or the event is not complete ([chk]).
 * Threads:           any, while the world is not being ended. Lock-free; allocates a small block.
 */
ECS_API int ecs_submit_event(ecs_world_t *world, const ecs_event_desc_t *desc, size_t param_size);

/** Let ecs_progress() return false from now on; called by a worker, from the end of the frame, or of ecs_run_pipeline() outside of one. */
ECS_API void ecs_quit(ecs_world_t *world);
/** True after ecs_quit(). Also inside systems. */
ECS_API bool ecs_should_quit(const ecs_world_t *world);

/** Multiply the time given to systems; 0 stands still. [chk] not readonly, finite, not negative. */
ECS_API void ecs_set_time_scale(ecs_world_t *world, ecs_ftime_t scale);
/** Set the totals of simulated time to 0. */
ECS_API void ecs_reset_clock(ecs_world_t *world);
/** Frames per second that ecs_progress() keeps by waiting; 0 = no waiting. Switches measuring of
 * frames on. [chk] finite, not negative; get_time_ and sleep_ are there. */
ECS_API void ecs_set_target_fps(ecs_world_t *world, ecs_ftime_t fps);
/** Sum up frame_time_total and world_time_total_raw. */
ECS_API void ecs_measure_frame_time(ecs_world_t *world, bool enable);
/** Sum up the time of each system, of merges, of observers and of matching again. Costs two readings of the clock each. */
ECS_API void ecs_measure_system_time(ecs_world_t *world, bool enable);

#ifdef __cplusplus
}
#endif

#endif
