// SPDX-License-Identifier: MIT
// ticks: frames, what comes to them from outside, and applications, of worlds with a runtime and without.
#include <pthread.h>

#include "calls.h"

CALL(progress) { ecs_progress(call->world, draw_time()); }

// Whatever calls before have left open.
CALL(tick) {
    if (cast.depth) return;
    if (ecs_world_get_flags(call->world) & EcsWorldFrameInProgress) ecs_frame_end(call->world);
    ecs_progress(call->world, input_flag() ? 1 : 0.3f);
}

CALL(frame) {
    ecs_frame_begin(call->world, draw_time());
    make_some(call->world);
    if (!is_odd()) ecs_frame_end(call->world);
}

CALL(end_frame) { ecs_frame_end(call->world); }

// ---- what comes from outside ----

static void act(ecs_world_t *world, void *ctx) {
    (void)ctx;
    make_some(world);
}

CALL(submit) {
    ecs_submit(
        call->world, is_odd() ? NULL : act, input_flag() ? draw_context() : NULL, free_context);
}

CALL(run_post_frame) { ecs_run_post_frame(call->world, is_odd() ? NULL : act, NULL); }

static void *submit_there(void *world) {
    ecs_submit(world, act, NULL, NULL);
    ecs_submit_event(world, &(ecs_event_desc_t){ .event = EcsOnAdd, .entity = EcsWorld }, 0);
    return NULL;
}

CALL(submit_elsewhere) {
    pthread_t thread;
    if (cast.is_worker || pthread_create(&thread, NULL, submit_there, call->world)) return;
    pthread_join(thread, NULL);
}

static void work(void *ctx) { (void)ctx; }

// In which tick it is done depends on time, so nothing is done then.
CALL(work_in_background) {
    void *ctx = draw_context();
    ecs_run_in_background(
        call->world, is_odd() ? NULL : work, NULL, ctx, ctx ? free_context : NULL);
}

CALL(allow_background) { ecs_set_background_threads(call->world, draw_number()); }

// ---- clocks ----

CALL(set_clock) {
    switch (input_below(5)) {
    case 0: ecs_set_time_scale(call->world, draw_time()); break;
    case 1: ecs_reset_clock(call->world); break;
    case 2: ecs_set_target_fps(call->world, is_odd() ? draw_time() : 60); break;
    case 3: ecs_measure_frame_time(call->world, input_flag()); break;
    default: ecs_measure_system_time(call->world, input_flag());
    }
}

CALL(quit) {
    if (is_odd()) ecs_quit(call->world);
    ecs_should_quit(call->world);
}

// ---- applications ----

static int begin(ecs_world_t *world) {
    make_some(world);
    return input_below(4) ? 0 : 3;
}

CALL(run_app) {
    ecs_app_desc_t desc = { .frames = 1 + input_below(2),
        .delta_time = draw_time(),
        .threads = input_below(3) - 1,
        .enable_stats = !input_below(4),
        .enable_rest = !input_below(4),
        .init = input_flag() ? begin : NULL };
    if (input_flag())
        ecs_app_run(call->world, &desc);
    else
        ecs_app_run_frame(call->world, &desc);
}

const call_kind_t tick_calls[] = { { "progress", progress }, { "tick", tick }, { "tick", tick },
    { "tick", tick }, { "frame", frame }, { "frame", frame }, { "end_frame", end_frame },
    { "submit", submit }, { "run_post_frame", run_post_frame },
    { "submit_elsewhere", submit_elsewhere }, { "work_in_background", work_in_background },
    { "allow_background", allow_background }, { "set_clock", set_clock }, { "quit", quit },
    { "run_app", run_app }, { 0 } };

// ---- jobs ----

CALL(run_in_job) { ecs_run(call->world, draw_part(SYSTEMS), draw_time(), NULL); }
CALL(set_timer_in_job) { ecs_set_interval(call->world, draw_part(TIMERS), draw_time()); }
CALL(progress_in_job) { ecs_progress(call->world, 1); }
CALL(make_query_in_job) { ecs_query_new(call->world, "c0"); }
CALL(emit_in_job) {
    ecs_type_t ids = { (ecs_id_t[]){ call->id }, 1 };
    ecs_event_desc_t desc = { .event = call->id, .ids = &ids, .entity = call->entity };
    if (input_flag())
        ecs_emit(call->world, &desc);
    else
        ecs_enqueue(call->world, &desc);
}

const call_kind_t job_calls[] = { { "run", run_in_job }, { "submit", submit },
    { "run_post_frame", run_post_frame }, { "set_timer", set_timer_in_job }, { "quit", quit },
    { "progress", progress_in_job }, { "make_query", make_query_in_job }, { "emit", emit_in_job },
    { "work_in_background", work_in_background }, { 0 } };
