// SPDX-License-Identifier: MIT
// ticks: systems, pipelines, timers and frames, of worlds with a runtime and without.
#include "calls.h"

CALL(make_system) {
    ecs_system_desc_t desc = { .callback = call_back, .immediate = !input_below(5) };
    draw_query(&desc.query);
    if (!input_below(3)) desc.entity = call->entity;
    if (!input_below(4)) desc.run = call_back_all;
    desc.phase = input_below(3) ? EcsOnUpdate : draw_entity();
    if (!input_below(6)) desc.interval = (ecs_ftime_t)input_below(3) - 1;
    if (!input_below(6)) desc.rate = input_below(4) - 1;
    if (!input_below(8)) desc.tick_source = draw_entity();
    if (input_below(4))
        join(ecs_system_init(call->world, &desc));
    else
        ecs_system_update(call->world, call->entity, &desc);
}

CALL(run) {
    ecs_system_get(call->world, call->entity);
    ecs_run(call->world, call->entity, 1, NULL);
    ecs_run_worker(call->world, call->entity, input_below(3) - 1, input_below(3), 1, NULL);
}

CALL(progress) { ecs_progress(call->world, (ecs_ftime_t)input_below(4) - 1); }

CALL(frame) {
    ecs_frame_begin(call->world, 1);
    make_some(call->world);
    ecs_frame_end(call->world);
}

CALL(make_pipeline) {
    ecs_pipeline_desc_t desc = { .entity = input_flag() ? call->entity : 0 };
    draw_query(&desc.query);
    if (input_flag()) desc.query.terms[0] = (ecs_term_t){ .id = EcsSystem };
    if (input_flag())
        join(ecs_pipeline_init(call->world, &desc));
    else
        ecs_pipeline_update(call->world, call->entity, &desc);
}

CALL(use_pipeline) {
    if (input_flag()) ecs_set_pipeline(call->world, call->entity);
    ecs_run_pipeline(call->world, call->entity, 1);
    ecs_os_free(ecs_schedule_str(call->world, call->entity));
    ecs_os_free(ecs_schedule_dot(call->world, 0));
}

CALL(set_timer) {
    const ecs_ftime_t time = (ecs_ftime_t)input_below(3) - 1;
    switch (input_below(6)) {
    case 0: join(ecs_set_timeout(call->world, call->entity, time)); break;
    case 1: join(ecs_set_interval(call->world, call->entity, time)); break;
    case 2: join(ecs_set_rate(call->world, call->entity, input_below(4) - 1, call->other)); break;
    case 3: join(ecs_set_fixed_step(call->world, call->entity, time, input_below(3))); break;
    case 4: ecs_set_tick_source(call->world, call->entity, call->other); break;
    default: ecs_randomize_timers(call->world);
    }
}

CALL(use_timer) {
    ecs_start_timer(call->world, call->entity);
    if (input_flag()) ecs_stop_timer(call->world, call->entity);
    if (input_flag()) ecs_reset_timer(call->world, call->entity);
    ecs_get_timeout(call->world, call->entity);
    ecs_get_interval(call->world, call->entity);
    ecs_get_fixed_step(call->world, call->entity);
    ecs_fixed_step_fraction(call->world, call->entity);
}

static void do_later(ecs_world_t *world, void *ctx) {
    (void)ctx;
    make_some(world);
}

CALL(submit) {
    if (input_flag())
        ecs_submit(call->world, do_later, NULL, NULL);
    else
        ecs_run_post_frame(call->world, do_later, NULL);
}

CALL(set_up) {
    switch (input_below(3)) {
    case 0: ecs_set_threads(call->world, input_below(4)); break;
    case 1: ecs_set_access_checks(call->world, input_flag()); break;
    default: ecs_set_schedule_seed(call->world, (uint64_t)input_below(3));
    }
}

const call_kind_t tick_calls[] = { { "make_system", make_system }, { "make_system", make_system },
    { "run", run }, { "run", run }, { "progress", progress }, { "progress", progress },
    { "frame", frame }, { "make_pipeline", make_pipeline }, { "use_pipeline", use_pipeline },
    { "set_timer", set_timer }, { "set_timer", set_timer }, { "use_timer", use_timer },
    { "submit", submit }, { "set_up", set_up }, { 0 } };
