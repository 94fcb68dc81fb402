// SPDX-License-Identifier: MIT
// command: deferring changes, readonly mode and stages.
//
// A change is applied at once, or recorded as a command and applied later. Changes are recorded between ecs_defer_begin and
// ecs_defer_end, inside systems and hooks, and on every stage while the world is readonly. Applying is called flushing (one stage) or
// merging (all stages). Commands of one entity are folded into one move between tables, values are moved into place, hooks run in
// the order the commands were given. Commands for entities that died meanwhile are dropped and their values destructed.
//
// Unless a function says otherwise, `world` may be a stage, and a stage belongs to one thread at a time.
#ifndef MUSTER_ECS_COMMAND_H
#define MUSTER_ECS_COMMAND_H

#include <muster/ecs/builtin.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Record changes from now on. Nests; only the outermost ecs_defer_end flushes. In systems on several threads with the stage (it->world) [chk].
 * @return True if this call switched deferring on; false when it was on already or is suspended. */
ECS_API bool ecs_defer_begin(ecs_world_t *world);

/** End an ecs_defer_begin. At the outermost one all commands of the stage are applied, and then those that hooks recorded meanwhile.
 * @return True if commands were flushed. In a stage of a readonly world nothing is flushed before the merge.
 * Errors: [chk] without a matching begin. Complexity: O(commands). */
ECS_API bool ecs_defer_end(ecs_world_t *world);

/** True while changes are recorded. */
ECS_API bool ecs_is_deferred(const ecs_world_t *world);

/** Apply changes at once although deferring is on; commands recorded so far stay queued. In a hook or observer, an entity that is an id or
 * a target, and what ecs_delete_with deletes, dies when the change that is told of is complete, since tables end with it. What dies while it
 * is told of is as dead already: it is not changed any more, and nobody gets it as an id or a target.
 * Errors: [chk] not deferred, or suspended already; a hook or observer that is told that an entity loses something moved it to another
 * table (LOCKED_STORAGE: it keeps what it would have lost), or that it dies, and it is changed, or given to others (INVALID_OPERATION,
 * INVALID_PARAMETER); a stage made with ecs_stage_new. */
ECS_API void ecs_defer_suspend(ecs_world_t *world);
/** Undo ecs_defer_suspend. Errors: [chk] not suspended. */
ECS_API void ecs_defer_resume(ecs_world_t *world);
/** True between the two. */
ECS_API bool ecs_is_defer_suspended(const ecs_world_t *world);

/** Make the world readonly: stages record, nobody writes structure.
 * @param world           The world itself.
 * @param multi_threaded  True if stages are used by several threads until ecs_readonly_end; then nothing that touches the world outside
 *                        a stage is allowed. With false, new ids and component registration still work at once.
 * @return                Whether the world was readonly before.
 * Errors: [chk] a stage is already deferred. */
ECS_API bool ecs_readonly_begin(ecs_world_t *world, bool multi_threaded);
/** Leave readonly mode and merge all stages, in order of their numbers. Errors: [chk] world is not readonly, or it is for systems that run. */
ECS_API void ecs_readonly_end(ecs_world_t *world);

/** Apply the commands of one stage now. The usual way to flush a stage made with ecs_stage_new.
 * Errors: [chk] the world is readonly or itself deferred, or commands are being applied (in hooks and observers of a merge). */
ECS_API void ecs_merge(ecs_world_t *stage);

/** Set the number of stages, at least 1. Commands of stages that go are applied first.
 * Errors: [chk] count < 1, the world is readonly, or fewer than worker threads use (ecs_set_threads). */
ECS_API void ecs_set_stage_count(ecs_world_t *world, int32_t count);
/** How many stages the world has; those of ecs_stage_new do not count. */
ECS_API int32_t ecs_get_stage_count(const ecs_world_t *world);
/** A stage as a world pointer that nearly every function accepts. It belongs to the world.
 * Errors: [chk] `world` is a stage, or there is no stage of this number. */
ECS_API ecs_world_t *ecs_get_stage(const ecs_world_t *world, int32_t stage_id);

/** A stage of your own: always deferred, never readonly, applied by ecs_merge. Free it with ecs_stage_free.
 * Threads: making and freeing belongs to the main thread, while no systems run on several threads [chk]. Recording belongs to whoever owns the stage, while nothing changes the
 * world: it looks there whether entities are alive. (A thread that does not wait for such times uses ecs_submit.) */
ECS_API ecs_world_t *ecs_stage_new(ecs_world_t *world);
/** Free a stage made by ecs_stage_new; commands not merged are dropped and their values destructed. Errors: [chk] a managed stage. */
ECS_API void ecs_stage_free(ecs_world_t *stage);

/** 0 for the world, the number of a stage, -1 for stages made by ecs_stage_new. */
ECS_API int32_t ecs_stage_get_id(const ecs_world_t *world);
/** Whether the pointer may not be written through now: the world while it is readonly, a managed stage while it is not. */
ECS_API bool ecs_stage_is_readonly(const ecs_world_t *world);

/** Where a world was when its readonly mode was suspended. */
typedef struct ecs_suspend_readonly_state_t {
    bool was_readonly, was_deferred;
} ecs_suspend_readonly_state_t;

/** Let changes through `world` (or a stage of it) take effect at once although it is readonly or deferred: for language bindings
 * that register a type when it is first used. What was recorded before stays queued.
 * @return  The world itself, to be used until flecs_resume_readonly.
 * Errors:  [chk] in multithreaded mode; in hooks and observers as for ecs_defer_suspend. */
ECS_API ecs_world_t *flecs_suspend_readonly(
    const ecs_world_t *world, ecs_suspend_readonly_state_t *state);
/** Be readonly and deferred again as `state` says. */
ECS_API void flecs_resume_readonly(ecs_world_t *world, ecs_suspend_readonly_state_t *state);

#ifdef __cplusplus
}
#endif

#endif
