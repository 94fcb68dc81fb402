// SPDX-License-Identifier: MIT
#include "tick/steps.h"

#include <float.h>
#include <math.h>
#include "system/run.h"
#include "tick/timer.h"

// Time that remains is less than a step and counted in double, so it does not grow inexact over time.
static void advance(EcsFixedStep *fixed, EcsTickSource *source, double passed) {
    double step = (double)fixed->step;
    fixed->time += passed;
    double due = step > 0 ? floor(fixed->time / step + RT_TIME_TOLERANCE) : 0;
    double steps = ECS_MAX(ECS_MIN(due, (double)fixed->max_steps), 0);
    if (due > 0) fixed->time -= due * step;
    bool is_known = due <= 0 || fabs(fixed->time) < step;
    if (!is_known) fixed->time = 0; /* of so much time no digit is left for a part of a step */
    fixed->dropped += (due - steps) * step;
    fixed->steps = (int32_t)steps;
    fixed->count += fixed->steps;
    source->tick = fixed->steps > 0;
    source->time_elapsed = (ecs_ftime_t)(steps * step);
}

// What fell into the frame before is over, also if it is switched on in this one.
static void stand_still(EcsFixedStep *fixed, EcsTickSource *source) {
    fixed->steps = 0;
    source->tick = false;
}

void rt__steps_advance(rt_t *rt, ecs_ftime_t passed) {
    if (rt->stepless == *rt->structure) return;
    rt->stepless = *rt->structure;
    ecs_iter_t it = ecs_each_id(rt->world, ecs_id(EcsFixedStep));
    while (ecs_each_next(&it)) {
        rt->stepless = 0;
        EcsFixedStep *fixed = ecs_field(&it, EcsFixedStep, 0);
        for (int32_t i = 0; i < it.count; i++) {
            EcsTickSource *source = ecs_get_mut(rt->world, it.entities[i], EcsTickSource);
            if (!source) continue;
            if (ecs_has_id(rt->world, it.entities[i], EcsDisabled))
                stand_still(&fixed[i], source);
            else
                advance(&fixed[i], source, (double)passed);
        }
    }
}

bool rt__step_begin(rt_t *rt, ecs_entity_t entity, int32_t index) {
    if (!rt__ticked(rt->world, entity)) return false;
    const EcsFixedStep *fixed = ecs_get(rt->world, entity, EcsFixedStep);
    if (!fixed || index >= fixed->steps) return false;
    rt->fixed_step = entity;
    rt->step = fixed->count - fixed->steps + index + 1;
    rt->call.delta_time = rt->call.system_time = fixed->step;
    return true;
}

ecs_entity_t ecs_set_fixed_step(
    ecs_world_t *world, ecs_entity_t entity, ecs_ftime_t step, int32_t max_steps) {
    ecs_check(rt__of(world), ECS_INVALID_OPERATION, "fixed steps need a world made with ecs_init");
    ecs_check(step > 0 && step <= FLT_MAX, ECS_INVALID_PARAMETER,
        "the step of %u (%s) is no time above 0", RT_CALLED(world, entity));
    ecs_check(max_steps > 0, ECS_INVALID_PARAMETER,
        "%u (%s) is to take no step in a frame: at least 1", RT_CALLED(world, entity));
    if (!entity) entity = ecs_entity_init(world, &(ecs_entity_desc_t){ 0 });
    const EcsFixedStep *old = ecs_get(world, entity, EcsFixedStep);
    EcsFixedStep fixed;
    ecs_os_zeromem(&fixed); /* padding, too */
    if (old) fixed = *old;
    fixed.step = step;
    fixed.max_steps = max_steps;
    ecs_set_ptr(world, entity, EcsFixedStep, &fixed);
    return entity;
error:
    return 0;
}

ecs_ftime_t ecs_get_fixed_step(const ecs_world_t *world, ecs_entity_t entity) {
    const EcsFixedStep *fixed = ecs_get(world, entity, EcsFixedStep);
    return fixed ? fixed->step : 0;
}

ecs_ftime_t ecs_fixed_step_fraction(const ecs_world_t *world, ecs_entity_t entity) {
    const EcsFixedStep *fixed = ecs_get(world, entity, EcsFixedStep);
    ecs_check(fixed, ECS_INVALID_PARAMETER,
        "entity %u (%s) is no fixed step: ecs_set_fixed_step makes it one",
        RT_CALLED(world, entity));
    double fraction = fixed->time / (double)fixed->step;
    return (ecs_ftime_t)ECS_MAX(ECS_MIN(fraction, 1 - RT_TIME_TOLERANCE), 0);
error:
    return 0;
}
