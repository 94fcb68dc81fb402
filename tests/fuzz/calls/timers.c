// SPDX-License-Identifier: MIT
// timers: tick sources, set by functions and by values of their components.
#include "calls.h"

static ecs_entity_t some_source(void) {
    return input_flag() ? draw_part(TIMERS) : draw_part(SYSTEMS);
}

CALL(set_timer) {
    const ecs_entity_t source = input_flag() ? some_source() : 0;
    ecs_world_t *world = call->world;
    switch (input_below(4)) {
    case 0: join_as(TIMERS, ecs_set_timeout(world, source, draw_time())); break;
    case 1: join_as(TIMERS, ecs_set_interval(world, source, draw_time())); break;
    case 2: join_as(TIMERS, ecs_set_rate(world, source, draw_number(), some_source())); break;
    default: join_as(TIMERS, ecs_set_fixed_step(world, source, draw_time(), draw_number()));
    }
}

CALL(choose_source) { ecs_set_tick_source(call->world, draw_part(SYSTEMS), some_source()); }

CALL(use_timer) {
    switch (input_below(4)) {
    case 0: ecs_start_timer(call->world, some_source()); break;
    case 1: ecs_stop_timer(call->world, some_source()); break;
    case 2: ecs_reset_timer(call->world, some_source()); break;
    default: ecs_randomize_timers(call->world);
    }
}

CALL(ask_timer) {
    const ecs_entity_t source = some_source();
    ecs_get_timeout(call->world, source);
    ecs_get_interval(call->world, source);
    ecs_get_fixed_step(call->world, source);
    ecs_fixed_step_fraction(call->world, source);
}

CALL(set_value) {
    const ecs_entity_t source = some_source();
    switch (input_below(4)) {
    case 0:
        ecs_set(call->world, source, EcsTimer,
            { .timeout = draw_time(),
                .time = draw_time(),
                .overshoot = draw_time(),
                .fired_count = draw_number(),
                .active = input_flag(),
                .single_shot = input_flag() });
        break;
    case 1:
        ecs_set(call->world, source, EcsRateFilter,
            { .src = some_source(),
                .rate = draw_number(),
                .tick_count = draw_number(),
                .time_elapsed = draw_time() });
        break;
    case 2:
        ecs_set(call->world, source, EcsFixedStep,
            { .step = draw_time(),
                .max_steps = draw_number(),
                .steps = draw_number(),
                .count = draw_number(),
                .time = (double)draw_time(),
                .dropped = (double)draw_time() });
        break;
    default:
        ecs_set(call->world, source, EcsTickSource,
            { .tick = input_flag(), .time_elapsed = draw_time() });
    }
}

CALL(change_timer) {
    switch (input_below(3)) {
    case 0: ecs_delete(call->world, draw_part(TIMERS)); break;
    case 1: ecs_clear(call->world, draw_part(TIMERS)); break;
    default: ecs_remove_id(call->world, draw_part(TIMERS), draw_builtin());
    }
}

const call_kind_t timer_calls[] = { { "set_timer", set_timer }, { "set_timer", set_timer },
    { "choose_source", choose_source }, { "use_timer", use_timer }, { "ask_timer", ask_timer },
    { "set_value", set_value }, { "change_timer", change_timer }, { 0 } };
