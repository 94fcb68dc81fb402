// SPDX-License-Identifier: MIT
// ranges: ranges of ids, who may use a world, and what is attached to it.
#include "calls.h"

enum { WIDE = 1 << 20 }; /* an exhausted range ends the program */

CALL(make_range) {
    const uint32_t max_id = (uint32_t)ecs_get_max_id(cast.world);
    uint32_t min = input_below(4) ? max_id + (1u + input_byte()) * WIDE / 64 : input_byte();
    const uint32_t max = input_below(4) ? min + WIDE : input_below(3) ? 0 : min - 1;
    const ecs_entity_range_t *range = ecs_entity_range_new(call->world, min, max);
    if (range && input_flag()) ecs_entity_range_set(call->world, range);
    ecs_entity_range_get(call->world);
}

CALL(own_world) {
    if (cast.depth || ecs_is_deferred(cast.world)) return;
    ecs_exclusive_access_begin(cast.world, "me");
    make_some(call->world);
    ecs_exclusive_access_end(cast.world, input_flag());
    make_some(call->world);
    ecs_exclusive_access_begin(cast.world, "me again");
    ecs_exclusive_access_end(cast.world, false);
}

CALL(disown_world) { ecs_exclusive_access_end(call->world, false); }

static void at_end(ecs_world_t *world, void *ctx) {
    (void)ctx;
    ecs_new(world);
}

CALL(attach) {
    ecs_defaults_t defaults = { input_flag() ? EcsOverride : call->entity, input_flag() };
    ecs_set_ctx(call->world, NULL, NULL);
    ecs_set_binding_ctx(call->world, NULL, NULL);
    if (!input_below(4)) ecs_atfini(call->world, at_end, NULL);
    ecs_set_defaults(call->world, &defaults);
    ecs_get_defaults(call->world);
    ecs_dim(call->world, input_byte());
    if (!input_below(4)) ecs_set_default_query_flags(call->world, 1u << input_below(12));
}

CALL(look_around) {
    ecs_get_world_info(call->world);
    ecs_world_memory_get(call->world);
    const ecs_table_t *table = draw_table();
    if (table) ecs_table_memory_get(table);
    ecs_get_build_info();
    ecs_get_world(call->world);
    ecs_get_entity(call->world);
    ecs_get_ctx(call->world);
    ecs_get_binding_ctx(call->world);
    ecs_is_fini(call->world);
}

CALL(suspend_readonly) {
    ecs_suspend_readonly_state_t state = { false };
    const bool deferred = ecs_is_deferred(call->world);
    ecs_world_t *world = flecs_suspend_readonly(call->world, &state);
    if (!world || ecs_is_deferred(world)) return;
    if (deferred) make_some(world);
    flecs_resume_readonly(world, &state);
}

const call_kind_t range_calls[] = { { "make_range", make_range }, { "own_world", own_world },
    { "disown_world", disown_world }, { "attach", attach }, { "look_around", look_around },
    { "suspend_readonly", suspend_readonly }, { 0 } };
