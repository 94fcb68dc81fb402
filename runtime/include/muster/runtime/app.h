// SPDX-License-Identifier: MIT
// app: a main loop for executables. For the thread that owns the world.
#ifndef MUSTER_RUNTIME_APP_H
#define MUSTER_RUNTIME_APP_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int (*ecs_app_init_action_t)(ecs_world_t *world);

typedef struct ecs_app_desc_t {
    ecs_ftime_t target_fps; /**< 0 = as fast as possible */
    ecs_ftime_t delta_time; /**< per frame; 0 = measured */
    int32_t threads;
    int32_t frames;             /**< stop after so many; 0 and less: until ecs_quit() */
    bool enable_rest;           /**< not supported: a warning says so */
    bool enable_stats;          /**< FlecsStatsImport; goes without if refused */
    uint16_t port;              /**< not used */
    ecs_app_init_action_t init; /**< called once before the first frame; non-zero stops */
    void *ctx;
} ecs_app_desc_t;

typedef int (*ecs_app_run_action_t)(ecs_world_t *world, ecs_app_desc_t *desc);
typedef int (*ecs_app_frame_action_t)(ecs_world_t *world, const ecs_app_desc_t *desc);

/** Run frames until told to stop. The world is left to the caller.
 * @return  0 at a normal end, else the code of `init` or of the frame action. */
ECS_API int ecs_app_run(ecs_world_t *world, ecs_app_desc_t *desc);
/** Run one frame. Non-zero: stop; 1 is the normal end. */
ECS_API int ecs_app_run_frame(ecs_world_t *world, const ecs_app_desc_t *desc);
/** Replace the loop, or the frame, for all worlds of the process; what ecs_app_run does before the first frame is done then. -1 if
 * another one was set before. */
ECS_API int ecs_app_set_run_action(ecs_app_run_action_t action);
ECS_API int ecs_app_set_frame_action(ecs_app_frame_action_t action);

#ifdef __cplusplus
}
#endif

#endif
