// SPDX-License-Identifier: MIT
// muster: everything in one include: the database (ecs), the worker pool (scheduler) and the ticks
// (runtime).
//
//     ecs_world_t *world = ecs_init();
//     ECS_COMPONENT(world, Position);
//     ECS_COMPONENT(world, Velocity);
//     ECS_SYSTEM(world, Move, EcsOnUpdate, Position, [in] Velocity);
//     while (ecs_progress(world, 0)) {}
//     return ecs_fini(world);
#ifndef MUSTER_H
#define MUSTER_H

#include <muster/ecs/ecs.h>
#include <muster/runtime/runtime.h>
#include <muster/scheduler/scheduler.h>

#endif
