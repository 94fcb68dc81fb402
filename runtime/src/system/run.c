// SPDX-License-Identifier: MIT
#include "system/run.h"

#include <muster/runtime/timer.h>

static bool no_more(ecs_iter_t *it) {
    it->flags &= ~(ecs_flags32_t)EcsIterIsValid;
    return false;
}

// What a run function without rows to go over gets: one empty result.
static bool once(ecs_iter_t *it) {
    it->flags |= EcsIterIsValid;
    it->next = no_more;
    return true;
}

static bool has_source(const ecs_query_t *query) {
    for (int32_t i = 0; i < query->term_count; i++) {
        if (!ecs_term_match_0(&query->terms[i])) return true;
    }
    return false;
}

bool rt__system_is_called(const rt_system_t *system) {
    const ecs_system_t *pub = &system->pub;
    return pub->run || !pub->query->term_count || has_source(pub->query);
}

rt_run_t rt__run_of(const rt_system_t *system, bool asks) {
    const ecs_system_t *pub = &system->pub;
    bool iterates = has_source(pub->query);
    rt_run_t run = {
        .query = iterates ? pub->query : NULL,
        .action = pub->action,
        .run = pub->run,
        .ctx = pub->ctx,
        .callback_ctx = pub->callback_ctx,
        .run_ctx = pub->run_ctx,
        .id = system->id,
        .tick_source = asks ? pub->tick_source : 0,
        .group = pub->group_id_set ? &pub->group_id : NULL,
        .instanced = pub->multi_threaded,
    };
    if (!rt__system_is_called(system)) run.action = NULL;
    run.is_plain = run.action && !run.run && !run.tick_source;
    return run;
}

void rt__run_context(const rt_run_t *run, ecs_iter_t *it, const rt_call_t *call) {
    it->system = run->id;
    it->delta_time = call->delta_time;
    it->delta_system_time = call->system_time;
    it->param = call->param ? call->param : run->ctx;
    it->ctx = run->ctx;
    it->callback_ctx = run->callback_ctx;
    it->run_ctx = run->run_ctx;
    it->callback = run->action;
    if (run->instanced) it->flags |= EcsIterInstanced;
}

// `next` is a constant, so that this is compiled for each. A system may be run by another one, which goes on then.
static inline ecs_entity_t run_results(
    const rt_run_t *run, ecs_iter_t *it, ecs_iter_next_action_t next) {
#ifdef ECS_CHECK_LEVEL_
    const ecs_iter_t *previous = ecs_ext_stage_show(it->world, it);
#endif
    if (run->run) {
        run->run(it);
    } else {
        while (next(it)) ecs_ext_iter_show(it);
    }
#ifdef ECS_CHECK_LEVEL_
    ecs_ext_stage_show(it->world, previous);
#endif
    return it->interrupted_by;
}

ecs_entity_t rt__run_results(const rt_run_t *run, ecs_iter_t *it) {
    return run_results(run, it, ecs_query_next);
}

// Nothing to iterate: the function is called once, with an empty result.
static ecs_entity_t run_task(const rt_run_t *run, ecs_world_t *stage, const rt_call_t *call) {
    ecs_iter_t it = {
        .world = stage,
        .real_world = ECS_CONST_CAST(ecs_world_t *, ecs_get_world(stage)),
        .next = once,
    };
    rt__run_context(run, &it, call);
    if (run->run) {
        run->run(&it);
    } else if (run->action) {
        it.flags |= EcsIterIsValid;
        run->action(&it);
    }
    return it.interrupted_by;
}

static void limit(const rt_run_t *run, ecs_iter_t *it) {
    if (run->group) ecs_iter_set_group(it, *run->group);
}

ecs_entity_t rt__run_whole(const rt_run_t *run, ecs_world_t *stage, const rt_call_t *call) {
    if (!run->query) return run_task(run, stage, call);
    ecs_iter_t it = ecs_query_iter(stage, run->query);
    limit(run, &it);
    rt__run_context(run, &it, call);
    return rt__run_results(run, &it);
}

ecs_entity_t rt__run_share(
    const rt_run_t *run, ecs_world_t *stage, const rt_call_t *call, int32_t index, int32_t count) {
    ecs_iter_t whole = ecs_query_iter(stage, run->query);
    limit(run, &whole);
    rt__run_context(run, &whole, call); /* how it shows results */
    ecs_iter_t share = ecs_worker_iter(&whole, index, count);
    rt__run_context(run, &share, call);
    return run_results(run, &share, ecs_worker_next);
}

void rt__run_prepare(const rt_run_t *run, ecs_ext_start_t *start) {
    if (!run->query || run->group) return;
    ecs_ext_query_update(run->query);
    ecs_iter_t it = ecs_query_iter(run->query->real_world, run->query);
    rt__run_context(run, &it, &(rt_call_t){ 0 });
    ecs_ext_start_prepare(start, &it);
}

void rt__run_again(const rt_run_t *run, ecs_ext_start_t *start, ecs_iter_t *spare,
    ecs_world_t *stage, const rt_call_t *call) {
    if (!run->run && ecs_ext_start_run(start, spare, stage, call->delta_time, call->system_time))
        return;
    ecs_ext_stage_set_system((ecs_stage_t *)(void *)stage, run->id);
    if (ecs_ext_start_iter(start, spare, stage, call->delta_time, call->system_time))
        rt__run_results(run, spare);
    else
        rt__run_whole(run, stage, call);
}

const EcsTickSource *rt__ticked(const ecs_world_t *world, ecs_entity_t entity) {
    if (!ecs_is_alive(world, entity)) return NULL;
    const EcsTickSource *source = ecs_get(world, entity, EcsTickSource);
    if (!source || !source->tick || ecs_has_id(world, entity, EcsDisabled)) return NULL;
    return source;
}

ecs_entity_t rt__fixed_step_of(const ecs_world_t *world, ecs_entity_t source, int64_t *every) {
    *every = 1;
    for (int32_t i = 0; i < RT_MOST_RATES && source; i++) {
        if (!ecs_is_alive(world, source) || ecs_has_id(world, source, EcsDisabled)) return 0;
        const EcsRateFilter *filter = ecs_get(world, source, EcsRateFilter);
        if (filter) *every = ECS_MIN(*every, INT32_MAX) * ECS_MAX(filter->rate, 1);
        if (ecs_has(world, source, EcsFixedStep)) return source; /* its rate counts its steps */
        if (!filter) return 0;
        source = filter->src;
    }
    return 0;
}

bool rt__run_ticks(const rt_run_t *run, const ecs_world_t *world, rt_call_t *call) {
    call->system_time = call->delta_time;
    if (!run->tick_source) return true;
    const rt_t *rt = rt__of(world);
    int64_t every;
    if (rt->fixed_step && rt__fixed_step_of(world, run->tick_source, &every) == rt->fixed_step) {
        call->system_time *= (ecs_ftime_t)every;
        return rt->step % every == 0;
    }
    const EcsTickSource *source = rt__ticked(world, run->tick_source);
    if (!source) return false;
    call->system_time = source->time_elapsed;
    return true;
}
