// SPDX-License-Identifier: MIT
// app: the main loop, with two places where a host can put its own.
#include <muster/runtime/app.h>

#include <muster/runtime/frame.h>
#include <muster/runtime/pipeline.h>
#include <muster/runtime/stats.h>

#include "runtime.h"

// Set once per process, before worlds run.
static ecs_app_run_action_t run_action;
static ecs_app_frame_action_t frame_action;

static int run_frame(ecs_world_t *world, const ecs_app_desc_t *desc) {
    return !ecs_progress(world, desc->delta_time);
}

int ecs_app_run_frame(ecs_world_t *world, const ecs_app_desc_t *desc) {
    RT_GIVEN(world && desc);
    return (frame_action ? frame_action : run_frame)(world, desc);
}

static int run_loop(ecs_world_t *world, ecs_app_desc_t *desc) {
    int result = 0;
    for (int64_t frame = 0; !result && (desc->frames <= 0 || frame < desc->frames); frame++) {
        result = ecs_app_run_frame(world, desc);
    }
    ecs_quit(world);
    return result == 1 ? 0 : result; /* 1 is how ecs_quit ends the loop */
}

int ecs_app_run(ecs_world_t *world, ecs_app_desc_t *desc) {
    RT_GIVEN(world && desc);
    if (desc->enable_rest) ecs_warn("there is no REST server: the application runs without");
    if (desc->enable_stats) FlecsStatsImport(world); /* if there is no place, it runs without */
    if (desc->target_fps != 0) ecs_set_target_fps(world, desc->target_fps);
    if (desc->threads) ecs_set_threads(world, desc->threads);
    const int failure = desc->init ? desc->init(world) : 0;
    return failure ? failure : (run_action ? run_action : run_loop)(world, desc);
}

int ecs_app_set_run_action(ecs_app_run_action_t action) {
    if (run_action && run_action != action) return -1;
    run_action = action;
    return 0;
}

int ecs_app_set_frame_action(ecs_app_frame_action_t action) {
    if (frame_action && frame_action != action) return -1;
    frame_action = action;
    return 0;
}
