// SPDX-License-Identifier: MIT
#include "system/run.h"

#include <muster/runtime/timer.h>

static bool no_more(ecs_iter_t *it) {
    it->flags &= ~(ecs_flags32_t)EcsIterIsValid;
    return false;
}

/* What a run function without rows to go over gets: one empty result. */
static bool once(ecs_iter_t *it) {
    it->flags |= EcsIterIsValid;
    it->next = no_more;
    return true;
}

static ecs_iter_t task_iter(const rt_system_t *system, ecs_world_t *stage) {
    return (ecs_iter_t){
        .world = stage,
        .real_world = system->rt->world,
        .query = system->pub.query,
        .field_count = system->pub.query ? system->pub.query->field_count : 0,
        .next = once,
    };
}

static inline void set_context(
    const rt_system_t *system, ecs_iter_t *it, const rt_call_t *call) {
    const ecs_system_t *pub = &system->pub;
    it->system = system->id;
    it->delta_time = call->delta_time;
    it->delta_system_time = call->system_time;
    it->param = call->param ? call->param : pub->ctx;
    it->ctx = pub->ctx;
    it->callback_ctx = pub->callback_ctx;
    it->run_ctx = pub->run_ctx;
    it->callback = pub->action;
}

ecs_entity_t rt__run_iter(rt_system_t *system, ecs_iter_t *it, const rt_call_t *call) {
    set_context(system, it, call);
    if (system->pub.run) {
        system->pub.run(it);
    } else {
        ecs_iter_action_t action = system->pub.action;
        while (ecs_query_next(it)) action(it);
    }
    return it->interrupted_by;
}

/* No term is matched: a run function is called once; a callback only if there are no terms at all. */
static ecs_entity_t run_task(rt_system_t *system, ecs_world_t *stage, const rt_call_t *call) {
    ecs_iter_t it = task_iter(system, stage);
    if (system->pub.run) return rt__run_iter(system, &it, call);
    if (system->pub.query) return 0;
    it.flags |= EcsIterIsValid;
    set_context(system, &it, call);
    system->pub.action(&it);
    return it.interrupted_by;
}

static bool is_task(const ecs_query_t *query) {
    if (!query) return true;
    for (int32_t i = 0; i < query->term_count; i++) {
        if (!ecs_term_match_0(&query->terms[i])) return false;
    }
    return true;
}

ecs_entity_t rt__run_whole(rt_system_t *system, ecs_world_t *stage, const rt_call_t *call) {
    if (!system->has_this && is_task(system->pub.query)) return run_task(system, stage, call);
    ecs_iter_t it = ecs_query_iter(stage, system->pub.query);
    return rt__run_iter(system, &it, call);
}

bool rt__system_ticks(const rt_system_t *system, rt_call_t *call) {
    ecs_entity_t entity = system->pub.tick_source;
    call->system_time = call->delta_time;
    if (!entity) return true;
    const ecs_world_t *world = system->rt->world;
    if (!ecs_is_alive(world, entity)) return false;
    const EcsTickSource *source = ecs_get_id(world, entity, ecs_id(EcsTickSource));
    if (!source || !source->tick) return false;
    call->system_time = source->time_elapsed;
    return true;
}

/* Share `index` of each result. */
static ecs_entity_t run_share(rt_system_t *system, ecs_world_t *stage, const rt_call_t *call,
    int32_t index, int32_t count) {
    ecs_iter_t whole = ecs_query_iter(stage, system->pub.query);
    ecs_iter_t share = ecs_worker_iter(&whole, index, count);
    set_context(system, &share, call);
    if (system->pub.run) {
        system->pub.run(&share);
    } else {
        while (ecs_worker_next(&share)) system->pub.action(&share);
    }
    return share.interrupted_by;
}

ecs_entity_t ecs_run_worker(ecs_world_t *world, ecs_entity_t entity, int32_t index, int32_t count,
    ecs_ftime_t delta_time, void *param) {
    rt_system_t *system = rt__system_of(world, entity);
    ecs_check(system, ECS_INVALID_PARAMETER, "the entity to run is no system");
    rt_call_t call = {.delta_time = delta_time, .param = param};
    if (!rt__system_ticks(system, &call)) return 0;
    ecs_stage_t *stage = ecs_ext_stage(system->rt->world, ECS_MAX(ecs_stage_get_id(world), 0));
    ecs_entity_t previous = ecs_ext_stage_set_system(stage, entity);
    ecs_defer_begin(world);
    ecs_entity_t interrupted =
        count > 1 && system->pub.multi_threaded && system->has_this
        ? run_share(system, world, &call, index, count)
        : rt__run_whole(system, world, &call);
    ecs_ext_stage_set_system(stage, previous);
    ecs_defer_end(world);
    return interrupted;
error:
    return 0;
}

ecs_entity_t ecs_run(
    ecs_world_t *world, ecs_entity_t system, ecs_ftime_t delta_time, void *param) {
    return ecs_run_worker(world, system, 0, 1, delta_time, param);
}
