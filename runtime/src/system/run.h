// SPDX-License-Identifier: MIT
// run: calls the function of a system over its whole query or over a part of it. Nobody else calls
// user functions.
//
// Threads: whichever worker has the stage.
#ifndef RT_SYSTEM_RUN_H
#define RT_SYSTEM_RUN_H

#include <muster/runtime/timer.h>
#include "system/system.h"

/** A copy of what a run needs of a system, in few cache lines: a tick over many small systems
 * mostly waits for memory. Schedules hold one per system; they are made anew when a system
 * changes. */
typedef struct rt_run_t {
    const ecs_query_t *query; /* NULL if there is nothing to iterate: see rt__run_whole */
    ecs_iter_action_t action;
    ecs_run_action_t run; /* instead of action, if not NULL */
    void *ctx, *callback_ctx, *run_ctx;
    ecs_entity_t id;
    ecs_entity_t tick_source; /* to ask whether it runs; 0: it does */
    bool is_plain;            /* a callback for results, whenever its stretch runs */
    bool instanced;           /* results are whole tables: it is for many threads */
    const uint64_t *group;    /* of the query, where the system has it: it may change; NULL: all */
} rt_run_t;

/** False for a callback whose terms all lack a source: they announce access and give no results. (A run function is called.) */
bool rt__system_is_called(const rt_system_t *system);
/** `asks`: it depends on its tick source whether it runs. */
rt_run_t rt__run_of(const rt_system_t *system, bool asks);

/** Over the whole query. Returns it->interrupted_by. */
ecs_entity_t rt__run_whole(const rt_run_t *run, ecs_world_t *stage, const rt_call_t *call);
/** Over share `index` of `count` of each result. */
ecs_entity_t rt__run_share(
    const rt_run_t *run, ecs_world_t *stage, const rt_call_t *call, int32_t index, int32_t count);
/** Note how a run over the whole query begins; main thread, world not readonly. `start` is zeroed or
 * was prepared before. */
void rt__run_prepare(const rt_run_t *run, ecs_ext_start_t *start);
/** A run over the whole query as it was prepared, while the world is readonly: `spare` is an iterator
 * in no use. The stage learns which system runs. */
void rt__run_again(const rt_run_t *run, ecs_ext_start_t *start, ecs_iter_t *spare,
    ecs_world_t *stage, const rt_call_t *call);
/** Set what iterators of systems have: it->system, contexts, times. */
void rt__run_context(const rt_run_t *run, ecs_iter_t *it, const rt_call_t *call);
/** Over an iterator of its query that has this and has not started. Returns it->interrupted_by. */
ecs_entity_t rt__run_results(const rt_run_t *run, ecs_iter_t *it);

/** The tick source that an entity is, if it fired in this frame. Disabled ones keep what they had
 * before, which does not count. */
const EcsTickSource *rt__ticked(const ecs_world_t *world, ecs_entity_t entity);
/** Rate filters in a row; more of them are a circle. */
#define RT_MOST_RATES 16
/** The fixed step that a tick source is, or of which it counts steps by rate filters: it fires in each step whose number `every` divides.
 * 0 if there is none, or if one of them is disabled. */
ecs_entity_t rt__fixed_step_of(const ecs_world_t *world, ecs_entity_t source, int64_t *every);
/** False if the tick source of the system did not fire in this frame, or step. Sets call->system_time. */
bool rt__run_ticks(const rt_run_t *run, const ecs_world_t *world, rt_call_t *call);

#endif
