// SPDX-License-Identifier: MIT
#include "system/system.h"

#include <muster/runtime/timer.h>

rt_system_t *rt__system_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_ext_poly_get(world, entity, EcsSystem);
}

const ecs_system_t *ecs_system_get(const ecs_world_t *world, ecs_entity_t entity) {
    rt_system_t *system = rt__system_of(world, entity);
    return system ? &system->pub : NULL;
}

static void free_system(rt_system_t *system) {
    ecs_system_t *pub = &system->pub;
    ecs_ext_ctx_free(pub->ctx, pub->ctx_free);
    ecs_ext_ctx_free(pub->callback_ctx, pub->callback_ctx_free);
    ecs_ext_ctx_free(pub->run_ctx, pub->run_ctx_free);
    ecs_os_free(ECS_CONST_CAST(char *, pub->name));
    rt__access_fini(&system->access);
    rt__matches_fini(&system->matches);
    ecs_os_free(system);
}

// True if the system itself changes the world now, not its commands.
static bool acts_now(const rt_system_t *system) {
    ecs_stage_t *stage = ecs_ext_stage(system->rt->world, 0);
    ecs_entity_t current = ecs_ext_stage_set_system(stage, 0);
    ecs_ext_stage_set_system(stage, current);
    return current == system->id && ecs_is_defer_suspended(system->rt->world);
}

// The entity lost its object. A system may delete itself by a command, or one that a schedule still names, so
// memory waits while a pipeline runs. Its query does not.
static void drop_system(ecs_poly_t *object) {
    rt_system_t *system = object;
    rt_t *rt = system->rt;
    const bool is_called = acts_now(system);
    rt__systems_changed(rt);
    ecs_ext_query_release(system->pub.query);
    if (!rt->running && !is_called) {
        free_system(system);
        return;
    }
    system->next_dead = rt->dead;
    rt->dead = system;
    ecs_assert(!is_called, ECS_INVALID_OPERATION,
        "system %u (%s) was ended while it runs: leave that to commands", (uint32_t)system->id,
        system->pub.name[0] ? system->pub.name : "without name");
}

void rt__systems_free_dead(rt_t *rt) {
    while (rt->dead) {
        rt_system_t *system = rt->dead;
        rt->dead = system->next_dead;
        free_system(system);
    }
}

void rt__systems_follow_types(rt_t *rt) {
    rt->seen_types = *rt->types;
    rt__systems_changed(rt);
    ecs_iter_t it = ecs_each_id(rt->world, EcsSystem);
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            rt_system_t *system = rt__system_of(rt->world, it.entities[i]);
            if (!system) continue;
            rt__matches_fini(&system->matches); /* it counts by items of access */
            rt__access_fini(&system->access);
            rt__access_init(&system->access, rt->world, system->pub.query);
        }
    }
}

bool rt__system_is_active(const rt_system_t *system) {
    return !system->has_this || ecs_ext_query_may_match(system->pub.query);
}

// Members of the descriptor that are not zero replace those of the system.
static void apply_desc(rt_system_t *system, const ecs_system_desc_t *desc) {
    ecs_system_t *pub = &system->pub;
    if (desc->callback || desc->run) {
        pub->action = desc->callback;
        pub->run = desc->run;
    }
    ecs_ext_ctx_replace(&pub->ctx, &pub->ctx_free, desc->ctx, desc->ctx_free);
    ecs_ext_ctx_replace(
        &pub->callback_ctx, &pub->callback_ctx_free, desc->callback_ctx, desc->callback_ctx_free);
    ecs_ext_ctx_replace(&pub->run_ctx, &pub->run_ctx_free, desc->run_ctx, desc->run_ctx_free);
    pub->multi_threaded |= desc->multi_threaded;
    pub->immediate |= desc->immediate;
    pub->any_thread |= desc->any_thread;
    if (desc->tick_source) pub->tick_source = desc->tick_source;
    rt__systems_changed(system->rt);
}

// What a rate of the system counts: the tick source that it has, or that its rate so far has.
static ecs_entity_t counted_source(const ecs_world_t *world, const rt_system_t *system) {
    if (system->pub.tick_source != system->id) return system->pub.tick_source;
    const EcsRateFilter *filter = ecs_get(world, system->id, EcsRateFilter);
    return filter ? filter->src : 0;
}

static void apply_timer(
    ecs_world_t *world, const rt_system_t *system, const ecs_system_desc_t *desc) {
    if (desc->interval != 0) ecs_set_interval(world, system->id, desc->interval);
    if (desc->rate) ecs_set_rate(world, system->id, desc->rate, counted_source(world, system));
}

// Whoever is told of a change may have ended the system.
static bool is_there(const ecs_world_t *world, ecs_entity_t entity, const rt_system_t *system) {
    return rt__system_of(world, entity) == system;
}

static void add_phase(ecs_world_t *world, rt_system_t *system, ecs_entity_t phase) {
    const ecs_entity_t entity = system->id;
    system->phase = phase;
    ecs_add_id(world, entity, phase);
    if (is_there(world, entity, system)) ecs_add_id(world, entity, ecs_dependson(phase));
}

static void remove_phase(ecs_world_t *world, const rt_system_t *system, ecs_entity_t phase) {
    if (!phase || !ecs_is_alive(world, phase) || !ecs_has_id(world, phase, EcsPhase)) return;
    ecs_remove_id(world, system->id, phase);
    ecs_remove_pair(world, system->id, EcsDependsOn, phase);
}

// What else it depends on stays. The phase that it was given last may still wait in a queue. From the last target on, so that those
// before keep their places where the world does not defer at all.
static void replace_phase(ecs_world_t *world, rt_system_t *system, ecs_entity_t phase) {
    int32_t count = 0;
    while (ecs_get_target(world, system->id, EcsDependsOn, count)) count++;
    ecs_defer_begin(world);
    for (int32_t i = count - 1; i >= 0; i--)
        remove_phase(world, system, ecs_get_target(world, system->id, EcsDependsOn, i));
    remove_phase(world, system, system->phase);
    add_phase(world, system, phase);
    ecs_defer_end(world);
}

// Tasks have a query without terms, which is written "0".
static ecs_query_t *make_query(
    ecs_world_t *world, ecs_entity_t entity, const ecs_system_desc_t *desc) {
    ecs_query_desc_t query_desc = desc->query;
    if (!query_desc.expr || !query_desc.expr[0]) query_desc.expr = "0";
    query_desc.entity = entity;
    query_desc.instanced |= desc->multi_threaded;
    if (query_desc.cache_kind == EcsQueryCacheDefault) query_desc.cache_kind = EcsQueryCacheAuto;
    return ecs_query_init(world, &query_desc);
}

// A term on the system itself is a place for values of the system: it gets what it asks for. Where it may be one thing or another, or is
// to fulfil a condition, the system does not choose.
static void add_own_terms(ecs_world_t *world, ecs_entity_t entity, const rt_system_t *system) {
    const ecs_query_t *query = system->pub.query;
    int32_t depth = 0; /* terms in scopes are conditions */
    bool is_choice = false;
    for (int32_t i = 0; is_there(world, entity, system) && i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        const ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
        depth += (first == EcsScopeOpen) - (first == EcsScopeClose);
        const bool is_own = term->src.id & EcsIsEntity && ECS_TERM_REF_ID(&term->src) == entity;
        const bool is_wanted = term->oper == EcsAnd && !is_choice && !depth;
        is_choice = term->oper == EcsOr;
        if (is_own && is_wanted && !ecs_id_is_wildcard(term->id) &&
            !(term->flags_ & EcsTermIsMember))
            ecs_add_id(world, entity, term->id);
    }
}

// NULL if the entity cannot have it.
static rt_system_t *make_system(rt_t *rt, ecs_entity_t entity, ecs_query_t *query) {
    static ecs_mixins_t mixins = { (ecs_size_t)offsetof(ecs_system_t, query) };
    rt_system_t *system = ecs_os_calloc_t(rt_system_t);
    system->pub.hdr = (ecs_header_t){ ecs_system_t_magic, 1, &mixins };
    const char *name = ecs_get_name(rt->world, entity);
    system->rt = rt;
    system->id = entity;
    system->pub.query = query;
    system->pub.name = ecs_os_strdup(name ? name : "");
    system->pub.dtor = drop_system;
    system->has_this = query->flags & EcsQueryMatchThis;
    ecs_ext_query_keep(query);
    rt__access_init(&system->access, rt->world, query);
    return ecs_ext_poly_bind(rt->world, entity, EcsSystem, system, drop_system) ? system : NULL;
}

static ecs_entity_t create_system(ecs_world_t *world, const ecs_system_desc_t *desc) {
    ecs_entity_t entity = desc->entity;
    if (!entity) entity = ecs_entity_init(world, &(ecs_entity_desc_t){ 0 });
    if (!entity) return 0;
    if (desc->interval != 0 && desc->rate) {
        ecs_err_code(ECS_INVALID_PARAMETER,
            "a system cannot have both an interval and a rate: use a tick source for one of them");
        ecs_delete(world, entity);
        return 0;
    }
    ecs_query_t *query = make_query(world, entity, desc);
    rt_system_t *system = query ? make_system(rt__of(world), entity, query) : NULL;
    if (!system) {
        ecs_delete(world, entity); /* unless it ended already */
        return 0;
    }
    apply_desc(system, desc);
    add_own_terms(world, entity, system);
    if (desc->phase && is_there(world, entity, system)) add_phase(world, system, desc->phase);
    if (!is_there(world, entity, system)) return 0;
    apply_timer(world, system, desc);
    return entity;
}

#define RT_CHECK_CANARY(desc)                              \
    ecs_check((desc)->_canary == 0, ECS_INVALID_PARAMETER, \
        "the system descriptor is not initialised: start from { 0 }")

ecs_entity_t ecs_system_init(ecs_world_t *world, const ecs_system_desc_t *desc) {
    ecs_check(world && desc && rt__of(world), ECS_INVALID_PARAMETER,
        "a system needs a descriptor and a world made with ecs_init");
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "systems cannot be made while systems run, except by immediate systems");
    ecs_check(world == rt__of(world)->world, ECS_INVALID_PARAMETER,
        "systems are made in a world, not in a stage");
    RT_CHECK_WRITER(world);
    RT_CHECK_CANARY(desc);
    ecs_check(desc->callback || desc->run, ECS_INVALID_PARAMETER,
        "system %u (%s) needs a callback or a run function", RT_CALLED(world, desc->entity));
    ecs_check(!desc->entity || !rt__system_of(world, desc->entity), ECS_INVALID_PARAMETER,
        "entity %u (%s) is a system already: use ecs_system_update",
        RT_CALLED(world, desc->entity));
    /* A system must be whole when this returns, also where changes are deferred. */
    world = rt__of(world)->world;
    bool suspend = ecs_is_deferred(world) && !ecs_is_defer_suspended(world);
    if (suspend) ecs_defer_suspend(world);
    ecs_entity_t result = create_system(world, desc);
    if (suspend) ecs_defer_resume(world);
    return result;
error:
    return 0;
}

ecs_entity_t ecs_system_update(
    ecs_world_t *world, ecs_entity_t entity, const ecs_system_desc_t *desc) {
    rt_system_t *system = rt__system_of(world, entity);
    ecs_check(system && desc, ECS_INVALID_PARAMETER, "entity %u (%s) is no system",
        RT_CALLED(world, entity));
    RT_CHECK_CANARY(desc);
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "system %u (%s) cannot be changed while systems run, except by immediate systems",
        RT_CALLED(world, entity));
    ecs_check(desc->interval == 0 || !desc->rate, ECS_INVALID_PARAMETER,
        "a system cannot have both an interval and a rate");
    apply_desc(system, desc);
    if (desc->phase) replace_phase(world, system, desc->phase);
    apply_timer(world, system, desc);
    return entity;
error:
    return 0;
}

static void use_group(ecs_world_t *world, ecs_entity_t entity, uint64_t group_id) {
    rt_system_t *system = rt__system_of(world, entity);
    if (!system) return;
    if (!system->pub.group_id_set)
        rt__systems_changed(system->rt); /* schedules ask only whether it has one */
    system->pub.group_id = group_id;
    system->pub.group_id_set = true;
}

void ecs_system_set_group(ecs_world_t *world, ecs_entity_t entity, uint64_t group_id) {
    rt_system_t *system = rt__system_of(world, entity);
    ecs_check(
        system, ECS_INVALID_PARAMETER, "entity %u (%s) is no system", RT_CALLED(world, entity));
    ecs_check(ecs_query_get_groups(system->pub.query), ECS_INVALID_PARAMETER,
        "the query of system %u (%s) has no groups", RT_CALLED(world, entity));
    ecs_ext_act(world, entity, use_group, group_id);
error:
    return;
}

ecs_entity_t ecs_system_define_(ecs_world_t *world, ecs_entity_t id, const char *name,
    ecs_iter_action_t callback, ecs_entity_t phase, const char *expr) {
    ecs_entity_t entity = ecs_entity_init(world, &(ecs_entity_desc_t){ .id = id, .name = name });
    ecs_system_desc_t desc = {
        .entity = entity, .query.expr = expr, .phase = phase, .callback = callback
    };
    entity = ecs_system_init(world, &desc);
    ecs_always_assert(entity, ECS_INVALID_PARAMETER, "system '%s' is not valid", name);
    return entity;
}
