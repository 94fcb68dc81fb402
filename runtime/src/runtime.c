// SPDX-License-Identifier: MIT
// runtime: set-up of a world that ticks, and its end.
#include "runtime.h"

#include <muster/runtime/init.h>
#include "observe/trace.h"
#include "pipeline/phase.h"
#include "pipeline/pipeline.h"
#include "record/record.h"
#include "system/system.h"
#include "tick/background.h"
#include "tick/inbox.h"
#include "tick/timer.h"
#include "tick/workers.h"

// Before entities are deleted: workers are joined, so that hooks run on one thread.
static void end_runtime(ecs_world_t *world, void *runtime) {
    (void)world;
    rt__recording_end(runtime);
    rt__background_end(runtime);
    rt__workers_set(runtime, 1);
}

static void free_runtime(void *runtime) {
    rt_t *rt = runtime;
    rt__systems_free_dead(rt);
    if (rt->running) rt__pipeline_free(rt->running); /* a callback jumped out of its run */
    rt__inbox_take_late(rt);
    rt__workers_fini(rt);
    rt__background_end(rt); /* of what began while entities were deleted */
    rt__inbox_free(rt->inbox);
    rt__trace_free(rt->trace);
    ecs_os_free(rt);
}

static ecs_entity_t make_scope(ecs_world_t *world, const char *name) {
    return ecs_entity_init(
        world, &(ecs_entity_desc_t){ .parent = EcsFlecs, .name = name, .add = ecs_ids(EcsModule) });
}

bool rt__may_import(const ecs_world_t *world) {
    RT_CHECK_WRITER(world);
    ecs_check(!(ecs_world_get_flags(world) & (EcsWorldReadonly | EcsWorldFini)),
        ECS_INVALID_WHILE_READONLY,
        "parts of the runtime cannot be imported while the world is readonly or ends");
    ecs_check(world == ecs_get_world(world), ECS_INVALID_PARAMETER,
        "parts of the runtime are imported into a world, not into a stage");
    return ecs_ext_check_unlocked(world); /* any may be one that entities come to */
error:
    return false;
}

// Without the runtime its components are tags, which cannot get values while entities have them.
static bool ids_are_free(const ecs_world_t *world) {
    const ecs_entity_t ids[] = { ecs_id(EcsTickSource), ecs_id(EcsTimer), ecs_id(EcsRateFilter),
        ecs_id(EcsFixedStep) };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        const ecs_id_t id = ids[i];
        if (!ecs_count_id(world, id) && !ecs_count_id(world, ecs_pair(id, EcsWildcard)) &&
            !ecs_count_id(world, ecs_pair(EcsWildcard, id)))
            continue;
        ecs_err_code(ECS_ALREADY_IN_USE,
            "the runtime cannot be imported while entities have %s as a tag: import it earlier",
            ecs_get_name(world, id));
        return false;
    }
    return true;
}

bool rt__attach(ecs_world_t *world) {
    if (rt__of(world)) return true;
    if (!rt__may_import(world) || !ids_are_free(world)) return false;
    rt_t *rt = ecs_os_calloc_t(rt_t);
    rt->world = world;
    rt->info = ecs_ext_world_info(world);
    rt->structure = ecs_ext_structure_stamp(world);
    rt->types = ecs_ext_types_stamp(world);
    rt->inbox = rt__inbox_new();
    rt__systems_changed(rt);
    rt->info->time_scale = 1;
    rt->meter.runs_left = RT_METER_FIRST_RUNS;
    ecs_ext_set_runtime(world, rt, end_runtime, free_runtime);
    rt__workers_set(rt, 1);

    ecs_entity_t scope = ecs_set_scope(world, 0);
    ecs_id_t with = ecs_set_with(world, 0);
    const char *prefix = ecs_set_name_prefix(world, NULL);
    ecs_entity_t system = make_scope(world, "system"), pipeline = make_scope(world, "pipeline");
    ecs_add_id(world, EcsSystem, ecs_childof(system));
    ecs_add_id(world, EcsPhase, ecs_childof(pipeline));
    rt__phases_init(world, pipeline);
    rt__pipelines_init(rt, pipeline);
    rt__timers_init(rt, make_scope(world, "timer"));
    ecs_set_name_prefix(world, prefix);
    ecs_set_with(world, with);
    ecs_set_scope(world, scope);
    return true;
}

ecs_world_t *ecs_init(void) {
    ecs_world_t *world = ecs_mini();
    if (!world) return NULL;
    rt__attach(world);
#ifdef FLECS_META
    FlecsMetaImport(world);
    FlecsDocImport(world);
#endif
    return world;
}

ecs_world_t *ecs_init_w_args(int argc, char *argv[]) {
    ecs_world_t *world = ecs_init();
    if (!world || argc < 1 || !argv || !argv[0]) return world;
    const char *slash = strrchr(argv[0], '/');
    ecs_set_name(world, EcsWorld, slash ? slash + 1 : argv[0]);
    return world;
}

void FlecsSystemImport(ecs_world_t *world) { rt__attach(world); }
void FlecsPipelineImport(ecs_world_t *world) { rt__attach(world); }
void FlecsTimerImport(ecs_world_t *world) { rt__attach(world); }
