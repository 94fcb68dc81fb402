// SPDX-License-Identifier: MIT
// modes: when changes take effect, and what concerns the whole world.
#include "calls.h"

CALL(defer) {
    ecs_defer_begin(call->world);
    make_some(call->world);
    make_some(call->world);
    ecs_defer_end(call->world);
}

/* Whoever suspends deferring amid a change, or in a loop, may end the tables, or the query, in use: no function can see that. */
CALL(suspend) {
    if (cast.told) return;
    const bool was = ecs_is_defer_suspended(call->world);
    ecs_defer_suspend(call->world);
    if (was || !ecs_is_defer_suspended(call->world)) return; /* it was refused */
    make_some(call->world);
    ecs_defer_resume(call->world);
}

CALL(suspend_readonly) {
    ecs_suspend_readonly_state_t state;
    if (cast.told) return;
    ecs_world_t *world = flecs_suspend_readonly(call->world, &state);
    if (!world) return;
    make_some(world);
    flecs_resume_readonly(world, &state);
}

// What has not begun cannot end.
CALL(end_nothing) {
    if (!ecs_is_deferred(call->world)) ecs_defer_end(call->world);
    if (!ecs_is_defer_suspended(call->world)) ecs_defer_resume(call->world);
    if (!(ecs_world_get_flags(call->world) & EcsWorldReadonly)) ecs_readonly_end(call->world);
}

CALL(read_only) {
    (void)call;
    if (cast.depth || ecs_is_deferred(cast.world)) return;
    ecs_readonly_begin(cast.world, input_flag());
    make_some(cast.world);
    make_some(ecs_get_stage(cast.world, 0));
    ecs_readonly_end(cast.world);
}

CALL(use_stage) {
    if (!cast.stage)
        cast.stage = ecs_stage_new(call->world);
    else
        ecs_merge(
            input_flag() || cast.depth ? cast.stage : call->world); /* systems may end with it */
}

CALL(end_stage) {
    (void)call;
    if (cast.depth || !cast.stage) return;
    ecs_stage_free(cast.stage);
    cast.stage = NULL;
}

CALL(count_stages) {
    if (!cast.depth) ecs_set_stage_count(call->world, input_below(4));
    ecs_get_stage(call->world, input_below(4) - 1);
    ecs_get_stage_count(call->world);
    ecs_stage_get_id(call->world);
    ecs_stage_is_readonly(call->world);
}

CALL(tidy) {
    ecs_delete_empty_tables(
        call->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_run_aperiodic(call->world, (ecs_flags32_t)input_below(8));
    if (!cast.depth) ecs_shrink(call->world);
}

CALL(count) {
    static ecs_world_stats_t stats;
    stats = (ecs_world_stats_t){ 0 };
    ecs_world_stats_get(call->world, &stats);
    ecs_get_entities(call->world);
    ecs_get_max_id(call->world);
    ecs_memory_get(call->world);
    ecs_world_hash(call->world);
}

const call_kind_t mode_calls[] = { { "defer", defer }, { "defer", defer }, { "defer", defer },
    { "suspend", suspend }, { "suspend_readonly", suspend_readonly },
    { "end_nothing", end_nothing }, { "read_only", read_only }, { "use_stage", use_stage },
    { "end_stage", end_stage }, { "count_stages", count_stages }, { "tidy", tidy },
    { "count", count }, { 0 } };
