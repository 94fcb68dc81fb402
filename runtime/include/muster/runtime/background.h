// SPDX-License-Identifier: MIT
// background: work that takes longer than a tick: finding paths, generating terrain, reading files.
//
// It runs on threads of its own with low priority, which no tick waits for, and cannot look at the world; what follows from it is done
// at the start of a later tick. In which one depends on time: a recording (record.h) keeps it, and a replay does it in the same one.
#ifndef MUSTER_RUNTIME_BACKGROUND_H
#define MUSTER_RUNTIME_BACKGROUND_H

#include <muster/runtime/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a job does, on a thread of its own. */
typedef void (*ecs_background_action_t)(void *ctx);

/** Have `work(ctx)` called on another thread and then, at the start of a tick, `done(world, ctx)`.
 *
 * @param done      May be NULL.
 * @param ctx_free  Releases `ctx` behind `done`, or when the world ends before, on the thread of the world; may be NULL.
 * @return          0; -1 with a logged sentence if no thread can be started or there is no memory: `ctx` is the caller's then.
 * Errors:          [chk] `work` is NULL, the world has no runtime or is ending.
 * Threads:         the one that owns the world, also in systems that run there; [chk] not in systems on many threads, which can call
 *                  ecs_run_post_frame().
 */
ECS_API int ecs_run_in_background(ecs_world_t *world, ecs_background_action_t work,
    ecs_submit_action_t done, void *ctx, ecs_ctx_free_t ctx_free);

/** True once the world is being ended, which waits for jobs that run and drops those that have not begun: long ones ask, and return
 * early. Threads: those of jobs. */
ECS_API bool ecs_background_is_ending(const ecs_world_t *world);

/** How many jobs may run at the same time: 1 to 64, 2 unless set. [chk] before the first job. */
ECS_API void ecs_set_background_threads(ecs_world_t *world, int32_t threads);

#ifdef __cplusplus
}
#endif

#endif
