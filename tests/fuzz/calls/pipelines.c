// SPDX-License-Identifier: MIT
// pipelines: which systems run, in which order, and the entities that the runtime makes of itself.
#include "calls.h"

static void draw_pipeline(ecs_pipeline_desc_t *desc) {
    *desc = (ecs_pipeline_desc_t){ 0 };
    switch (input_below(6)) {
    case 0: draw_query(&desc->query); break;
    case 1: desc->query.expr = "flecs.system.System, Phase(cascade DependsOn)"; break;
    case 2: desc->query.expr = "flecs.system.System"; break;
    default: {
        ecs_term_t *terms = desc->query.terms;
        terms[0].id = EcsSystem;
        if (input_flag())
            terms[1] =
                (ecs_term_t){ .id = EcsPhase, .src.id = EcsCascade | EcsUp, .trav = EcsDependsOn };
        else if (input_flag())
            terms[1] = (ecs_term_t){ .id = draw_id(), .oper = (int16_t)input_below(5) };
    }
    }
    if (is_odd()) desc->query.group_by = draw_id();
    if (is_odd()) desc->query.flags = 1u << input_below(12);
    if (is_odd()) desc->query.entity = draw_entity();
    if (!input_below(5)) desc->query.cache_kind = (ecs_query_cache_kind_t)input_below(4);
    if (!input_below(3)) desc->entity = input_flag() ? draw_entity() : draw_part(PIPELINES);
}

CALL(make_pipeline) {
    ecs_pipeline_desc_t desc;
    draw_pipeline(&desc);
    join_as(PIPELINES, ecs_pipeline_init(call->world, &desc));
}

static ecs_entity_t some_pipeline(void) {
    return input_flag() ? draw_part(PIPELINES) : ecs_get_pipeline(cast.world);
}

CALL(update_pipeline) {
    ecs_pipeline_desc_t desc;
    draw_pipeline(&desc);
    ecs_pipeline_update(call->world, some_pipeline(), &desc);
}

CALL(choose_pipeline) { ecs_set_pipeline(call->world, some_pipeline()); }
CALL(run_pipeline) {
    ecs_run_pipeline(call->world, input_flag() ? some_pipeline() : 0, draw_time());
}

CALL(print_schedule) {
    const ecs_entity_t pipeline = input_flag() ? some_pipeline() : 0;
    ecs_os_free(ecs_schedule_str(call->world, pipeline));
    ecs_os_free(ecs_schedule_dot(call->world, pipeline));
}

CALL(use_threads) {
    const int32_t count = is_odd() ? draw_number() : 1 + 2 * input_below(2);
    if (count > 64) return; /* as many as 64, which takes long */
    if (input_below(4))
        ecs_set_threads(call->world, count);
    else
        ecs_set_task_threads(call->world, count);
    ecs_using_task_threads(call->world);
}

CALL(set_up) {
    switch (input_below(3)) {
    case 0: ecs_set_access_checks(call->world, input_flag()); break;
    case 1: ecs_set_schedule_seed(call->world, (uint64_t)input_below(3)); break;
    default: ecs_set_seed(call->world, (uint64_t)input_below(3));
    }
}

// Phases of one's own, and edges between all of them.
CALL(make_phase) {
    const ecs_entity_t phase = is_odd() ? draw_builtin() : ecs_new(call->world);
    ecs_add_id(call->world, phase, EcsPhase);
    ecs_add_pair(call->world, phase, EcsDependsOn, draw_builtin());
    ecs_add_pair(call->world, draw_part(SYSTEMS), EcsDependsOn, phase);
    join(phase);
}

CALL(change_builtin) {
    const ecs_entity_t builtin = draw_builtin(), other = input_flag() ? draw_builtin() : call->id;
    if (!is_odd()) return;
    switch (input_below(8)) {
    case 0: ecs_delete(call->world, builtin); break;
    case 1: ecs_clear(call->world, builtin); break;
    case 2: ecs_delete_with(call->world, builtin); break;
    case 3: ecs_remove_all(call->world, builtin); break;
    case 4: ecs_add_id(call->world, builtin, other); break;
    case 5: ecs_remove_id(call->world, builtin, other); break;
    case 6: ecs_add_pair(call->world, call->entity, builtin, other); break;
    default: ecs_add_id(call->world, call->entity, builtin);
    }
}

CALL(change_pipeline) {
    const ecs_entity_t pipeline = some_pipeline();
    switch (input_below(3)) {
    case 0: ecs_delete(call->world, pipeline); break;
    case 1: ecs_clear(call->world, pipeline); break;
    default: ecs_remove_pair(call->world, pipeline, ecs_id(EcsPoly), ecs_id(EcsPipeline));
    }
}

const call_kind_t pipeline_calls[] = { { "make_pipeline", make_pipeline },
    { "make_pipeline", make_pipeline }, { "update_pipeline", update_pipeline },
    { "choose_pipeline", choose_pipeline }, { "run_pipeline", run_pipeline },
    { "run_pipeline", run_pipeline }, { "print_schedule", print_schedule },
    { "use_threads", use_threads }, { "set_up", set_up }, { "make_phase", make_phase },
    { "change_builtin", change_builtin }, { "change_pipeline", change_pipeline }, { 0 } };
