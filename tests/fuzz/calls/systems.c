// SPDX-License-Identifier: MIT
// systems: making, changing and running them.
#include "calls.h"

// ---- what they do ----

// Other threads have no input: which rows come decides what is done, at any number of workers the same.
static bool did_as_job(ecs_iter_t *it) {
    if (!(ecs_world_get_flags(it->real_world) & EcsWorldMultiThreaded)) return false;
    const uint64_t row = it->count && it->table ? it->entities[0] : 5;
    make_some_in_job(it->world, (it->system * 77 + row) * 31 + (uint64_t)it->frame_offset);
    return true;
}

static void act(ecs_iter_t *it) {
    if (did_as_job(it)) return;
    call_back(it);
    if (is_odd()) it->interrupted_by = draw_entity();
}

static void act_on_all(ecs_iter_t *it) {
    if (ecs_world_get_flags(it->real_world) & EcsWorldMultiThreaded)
        while (ecs_iter_next(it)) did_as_job(it);
    else
        call_back_all(it);
}

// ---- descriptors ----

static void draw_times(ecs_system_desc_t *desc) {
    if (!input_below(5)) desc->interval = draw_time();
    if (!input_below(5)) desc->rate = draw_number();
    if (!input_below(5)) desc->tick_source = draw_part(TIMERS);
}

static void draw_contexts(ecs_system_desc_t *desc) {
    if (!input_below(4)) desc->ctx = draw_context();
    if (!input_below(6)) desc->callback_ctx = draw_context();
    if (!input_below(6)) desc->run_ctx = draw_context();
    desc->ctx_free = desc->callback_ctx_free = desc->run_ctx_free = free_context;
}

static ecs_entity_t draw_phase(void) {
    static const ecs_entity_t *const phases[] = { &EcsOnUpdate, &EcsOnUpdate, &EcsPreFrame,
        &EcsOnLoad, &EcsPostUpdate, &EcsOnStore, &EcsPostFrame, &EcsOnStart };
    if (is_odd()) return draw_entity();
    return input_below(8) ? *phases[input_below(8)] : 0;
}

static void draw_system(ecs_system_desc_t *desc) {
    static const char *const usual[] = { "c0", "c1, c4", "c0, !t0", "[in] c0, [out] c1",
        "[out] c0()", "c2, [inout] c1()", "(r0, *)", "?c5, c4", "t0 || t1", "c0(up)", NULL };
    *desc = (ecs_system_desc_t){ .callback = act, .phase = draw_phase() };
    if (input_flag())
        desc->query.expr = usual[input_below(11)];
    else
        draw_query(&desc->query);
    if (!input_below(3)) desc->run = act_on_all;
    if (desc->run || is_odd()) desc->callback = input_flag() ? act : NULL;
    desc->multi_threaded = !input_below(4);
    desc->any_thread = !input_below(6);
    desc->immediate = !input_below(5);
    draw_times(desc);
    draw_contexts(desc);
    if (is_odd()) desc->query.entity = draw_entity();
    if (is_odd()) desc->_canary = input_below(2);
}

// ---- calls ----

CALL(make_system) {
    ecs_system_desc_t desc;
    draw_system(&desc);
    if (!input_below(4)) desc.entity = input_flag() ? call->entity : draw_part(SYSTEMS);
    say("  %s%s%s", desc.query.expr ? desc.query.expr : "-", desc.multi_threaded ? " multi" : "",
        desc.any_thread ? " any" : "");
    join_as(SYSTEMS, ecs_system_init(call->world, &desc));
}

CALL(update_system) {
    ecs_system_desc_t desc;
    draw_system(&desc);
    if (!input_below(3)) desc.phase = 0;
    join_as(SYSTEMS, ecs_system_update(call->world, draw_part(SYSTEMS), &desc));
}

CALL(ask_system) {
    const ecs_system_t *system = ecs_system_get(call->world, draw_part(SYSTEMS));
    if (system && system->query) ecs_os_free(ecs_query_str(system->query));
}

CALL(run) {
    const ecs_entity_t system = draw_part(SYSTEMS);
    void *param = input_flag() ? ECS_CONST_CAST(void *, draw_value(0)) : NULL;
    if (input_flag())
        ecs_run(call->world, system, draw_time(), param);
    else
        ecs_run_worker(
            call->world, system, draw_number(), 1 + draw_number() % 4, draw_time(), param);
}

CALL(choose_group) {
    ecs_system_set_group(call->world, draw_part(SYSTEMS), (uint64_t)input_below(4));
}

CALL(change_system) {
    const ecs_entity_t system = draw_part(SYSTEMS), builtin = draw_builtin();
    switch (input_below(8)) {
    case 0: ecs_delete(call->world, system); break;
    case 1: ecs_clear(call->world, system); break;
    case 2: ecs_enable(call->world, system, input_flag()); break;
    case 3: ecs_add_id(call->world, system, builtin); break;
    case 4: ecs_remove_id(call->world, system, builtin); break;
    case 5: ecs_add_pair(call->world, system, EcsDependsOn, builtin); break;
    case 6: ecs_remove_pair(call->world, system, draw_builtin(), builtin); break;
    default: ecs_remove_pair(call->world, system, ecs_id(EcsPoly), EcsSystem);
    }
}

const call_kind_t system_calls[] = { { "make_system", make_system }, { "make_system", make_system },
    { "make_system", make_system }, { "update_system", update_system },
    { "ask_system", ask_system }, { "run", run }, { "run", run }, { "choose_group", choose_group },
    { "change_system", change_system }, { 0 } };
