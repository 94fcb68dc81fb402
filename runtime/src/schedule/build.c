// SPDX-License-Identifier: MIT
// build: ordered systems to stretches.
#include "schedule/schedule.h"

static rt_kind_t kind_of(const rt_system_t *system, bool main_only) {
    rt_kind_t kind = rt__system_kind(system);
    return main_only && kind == RT_KIND_WORKERS ? RT_KIND_MAIN : kind;
}

static void begin_stretch(rt_schedule_t *schedule, rt_kind_t kind, ecs_entity_t fixed_step) {
    RT_ROOM(schedule->stretches, schedule->stretch_count, schedule->stretch_size);
    schedule->stretches[schedule->stretch_count++] = (rt_stretch_t){
        .kind = kind,
        .fixed_step = fixed_step,
        .systems = &schedule->systems[schedule->count],
        .runs = &schedule->runs[schedule->count],
        .starts = &schedule->starts[schedule->count],
    };
}

static void find_parts(rt_schedule_t *schedule) {
    for (int32_t i = schedule->stretch_count - 1, end = i + 1; i >= 0; i--) {
        rt_stretch_t *stretch = &schedule->stretches[i];
        if (i + 1 < end && stretch[1].fixed_step != stretch->fixed_step) end = i + 1;
        stretch->part_end = end;
    }
}

// In the run that goes on behind a change: of the block that runs those that are left in the step, else all that are left.
static bool is_left(const rt_pipeline_t *pipeline, int32_t index) {
    const rt_t *rt = pipeline->rt;
    const rt_system_t *system = pipeline->list[index].system;
    if (!rt->running) return true;
    if (!rt->fixed_step) return system->done_in < rt->run_began;
    return rt__is_in_block(system) && pipeline->list[index].fixed_step == rt->fixed_step &&
           system->done_in < rt->run_number;
}

static void add_system(rt_schedule_t *schedule, const rt_listed_t *listed) {
    schedule->stretches[schedule->stretch_count - 1].count++;
    schedule->runs[schedule->count] = rt__run_of(listed->system, listed->asks);
    schedule->systems[schedule->count++] = listed->system;
}

static rt_listed_t listed_at(const rt_pipeline_t *pipeline, int32_t index) {
    rt_listed_t listed = pipeline->list[index];
    listed.is_left = is_left(pipeline, index);
    return listed;
}

static void note_list(rt_schedule_t *schedule, const rt_pipeline_t *pipeline) {
    schedule->version = pipeline->version;
    schedule->listed_count = pipeline->count;
    schedule->listed = ecs_os_malloc_n(rt_listed_t, ECS_MAX(pipeline->count, 1));
    for (int32_t i = 0; i < pipeline->count; i++) schedule->listed[i] = listed_at(pipeline, i);
}

bool rt__schedule_fits(const rt_schedule_t *schedule, const rt_pipeline_t *pipeline) {
    if (schedule->version != pipeline->version || schedule->listed_count != pipeline->count)
        return false;
    for (int32_t i = 0; i < pipeline->count; i++) {
        const rt_listed_t listed = listed_at(pipeline, i);
        if (!rt__is_listed_as(&listed, &schedule->listed[i])) return false;
    }
    return true;
}

void rt__schedule_build(rt_schedule_t *schedule, const rt_pipeline_t *pipeline) {
    int32_t most = ECS_MAX(pipeline->count, 1);
    *schedule = (rt_schedule_t){
        .systems = ecs_os_malloc_n(rt_system_t *, most),
        .runs = ecs_os_malloc_n(rt_run_t, most),
        .starts = ecs_os_calloc_n(ecs_ext_start_t, most),
    };
    note_list(schedule, pipeline);
    rt_sync_t sync = { 0 };
    bool open = false; /* the last stretch can take more systems */
    for (int32_t i = 0; i < pipeline->count; i++) {
        const rt_listed_t *listed = &schedule->listed[i];
        if (!listed->is_left) continue;
        rt_merge_t why;
        rt_kind_t kind = kind_of(listed->system, pipeline->main_only);
        if (rt__sync_next(&sync, listed->system, kind, listed->fixed_step, listed->active, &why)) {
            schedule->stretches[schedule->stretch_count - 1].merge = why;
            open = false;
        }
        if (!listed->active) continue;
        if (!open) begin_stretch(schedule, kind, listed->fixed_step);
        open = true;
        add_system(schedule, listed);
    }
    find_parts(schedule);
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
    ecs_os_free(schedule->listed);
    *schedule = (rt_schedule_t){ 0 };
}
