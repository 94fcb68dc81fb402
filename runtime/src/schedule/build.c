// SPDX-License-Identifier: MIT
// build: ordered systems to stretches.
#include "schedule/schedule.h"

static rt_kind_t kind_of(const rt_system_t *system, bool main_only) {
    rt_kind_t kind = rt__system_kind(system);
    return main_only && kind == RT_KIND_WORKERS ? RT_KIND_MAIN : kind;
}

static void begin_stretch(rt_schedule_t *schedule, rt_kind_t kind) {
    RT_ROOM(schedule->stretches, schedule->stretch_count, schedule->stretch_size);
    schedule->stretches[schedule->stretch_count++] = (rt_stretch_t){
        .kind = kind,
        .systems = &schedule->systems[schedule->count],
        .runs = &schedule->runs[schedule->count],
        .starts = &schedule->starts[schedule->count],
    };
}

void rt__schedule_build(rt_schedule_t *schedule, rt_system_t **systems, const bool *active,
    int32_t count, bool main_only) {
    *schedule = (rt_schedule_t){
        .systems = ecs_os_malloc_n(rt_system_t *, ECS_MAX(count, 1)),
        .runs = ecs_os_malloc_n(rt_run_t, ECS_MAX(count, 1)),
        .starts = ecs_os_calloc_n(ecs_ext_start_t, ECS_MAX(count, 1)),
    };
    rt_sync_t sync = { 0 };
    bool open = false; /* the last stretch can take more systems */
    for (int32_t i = 0; i < count; i++) {
        rt_merge_t why;
        rt_kind_t kind = kind_of(systems[i], main_only);
        if (rt__sync_next(&sync, systems[i], kind, active[i], &why) && open) {
            schedule->stretches[schedule->stretch_count - 1].merge = why;
            open = false;
        }
        if (!active[i]) continue;
        if (!open) begin_stretch(schedule, kind);
        open = true;
        rt_stretch_t *stretch = &schedule->stretches[schedule->stretch_count - 1];
        stretch->count++;
        schedule->runs[schedule->count] = rt__run_of(systems[i]);
        schedule->systems[schedule->count++] = systems[i];
    }
    rt__sync_fini(&sync);
}

void rt__schedule_fini(rt_schedule_t *schedule) {
    for (int32_t i = 0; i < schedule->stretch_count; i++) {
        rt__graph_fini(&schedule->stretches[i].graph);
    }
    ecs_os_free(schedule->stretches);
    ecs_os_free(schedule->systems);
    ecs_os_free(schedule->runs);
    ecs_os_free(schedule->starts);
    *schedule = (rt_schedule_t){ 0 };
}
