// SPDX-License-Identifier: MIT
// manual: runs one system now, outside of pipelines.
#include <muster/runtime/system.h>
#include "system/run.h"
#include "tick/random.h"

ecs_entity_t ecs_run_worker(ecs_world_t *world, ecs_entity_t entity, int32_t index, int32_t count,
    ecs_ftime_t delta_time, void *param) {
    rt_system_t *system = rt__system_of(world, entity);
    ecs_check(system, ECS_INVALID_PARAMETER, "cannot run entity %u (%s): it is no system",
        RT_CALLED(world, entity));
    RT_CHECK_WRITER(world);
    ecs_check(world != system->rt->world || !(ecs_world_get_flags(world) & EcsWorldMultiThreaded),
        ECS_INVALID_WHILE_READONLY,
        "cannot run a system through the world while systems run on several threads; use the stage (it->world in systems)");
    ecs_check(
        index >= 0 && index < count, ECS_OUT_OF_RANGE, "there is no part %d of %d", index, count);
    bool is_shared = count > 1 && system->pub.multi_threaded;
    if (is_shared && !system->has_this && index) return 0; /* without rows all is part 0 */
    rt_run_t run = rt__run_of(system, true);
    rt_call_t call = { .delta_time = delta_time, .param = param };
    if (!rt__run_ticks(&run, world, &call)) return 0;
    const rt_t *rt = system->rt;
    /* Stages of the user have no number by which the world would know them. */
    ecs_stage_t *stage =
        world == rt->world ? ecs_ext_stage(world, 0) : (ecs_stage_t *)(void *)world;
    ecs_entity_t previous = ecs_ext_stage_set_system(stage, entity);
    rt_own_random_t outer = rt__random_begin(rt, world);
    ecs_defer_begin(world);
    ecs_entity_t interrupted = is_shared && system->has_this
                                   ? rt__run_share(&run, world, &call, index, count)
                                   : rt__run_whole(&run, world, &call);
    rt__random_end(rt, world, outer);
    ecs_ext_stage_set_system(stage, previous);
    ecs_defer_end(world);
    return interrupted;
error:
    return 0;
}

ecs_entity_t ecs_run(ecs_world_t *world, ecs_entity_t system, ecs_ftime_t delta_time, void *param) {
    return ecs_run_worker(world, system, 0, 1, delta_time, param);
}
