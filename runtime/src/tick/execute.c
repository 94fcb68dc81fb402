// SPDX-License-Identifier: MIT
#include "tick/execute.h"

#include "observe/trace.h"
#include "schedule/schedule.h"
#include "tick/node.h"
#include "tick/times.h"
#include "tick/workers.h"

// Apart from what each stretch of a steady tick passes through, so that it needs few registers.
#define APART __attribute__((noinline))
#define RARELY(condition) __builtin_expect(!!(condition), 0)

// Does a system with a tick source run in this frame? It is not the system that asks.
static inline bool prepare_own_call(
    rt_t *rt, rt_system_t *system, const rt_run_t *run, rt_call_t *call) {
    *call = rt->call;
    ecs_stage_t *stage = rt->workers->list[0].stage;
    ecs_entity_t current = ecs_ext_stage_set_system(stage, 0);
    bool ticks = rt__run_ticks(run, rt->world, call);
    ecs_ext_stage_set_system(stage, current);
    if (!ticks) return false;
    system->pub.time_passed = call->system_time;
    system->pub.last_frame = rt->info->frame_count_total;
    return true;
}

// Returns how many systems will run.
static APART int32_t prepare_own_calls(rt_work_t *work) {
    int32_t count = work->system_count;
    for (int32_t i = 0; i < work->system_count; i++) {
        const rt_run_t *run = &work->runs[i];
        if (!run->tick_source) continue;
        rt_system_t *system = work->systems[i];
        work->ticks[i] = prepare_own_call(work->rt, system, run, &work->own_calls[i]);
        count -= !work->ticks[i];
    }
    return count;
}

static inline int32_t prepare_calls(rt_work_t *work) {
    return work->has_tick_sources ? prepare_own_calls(work) : work->system_count;
}

// ---- Merging ----

static inline uint64_t begin_merge(const rt_t *rt) {
    return RARELY(rt->trace || rt->measure_systems) ? ecs_os_now() : 0;
}

static APART void note_merge(rt_t *rt, const rt_stretch_t *stretch, uint64_t start) {
    uint64_t end = ecs_os_now();
    if (rt->measure_systems)
        rt__add_time(&rt->merge_time, &rt->info->merge_time_total, (int64_t)(end - start));
    if (rt->trace)
        rt__trace_add(rt->trace, 0, rt__trace_merge(rt->trace, &stretch->merge), -1, start, end);
}

static inline void end_merge(rt_t *rt, const rt_stretch_t *stretch, uint64_t start) {
    if (RARELY(start)) note_merge(rt, stretch, start);
}

// ---- Running ----

static void run_jobs(rt_work_t *work) {
    sched_pool_t *pool = work->rt->workers->pool;
    bool is_alone = work->runs_alone && !work->rt->schedule_seed;
    if (!pool || is_alone) {
        work->runs_alone -= is_alone;
        rt__nodes_run(work, 0, work->job_count, 0);
    } else {
        sched_pool_adopt(pool); /* whoever runs the tick is worker 0 */
        sched_plan_run(pool, work->plan);
        work->runs_alone = sched_plan_spare_runs(pool, work->plan);
    }
}

// Work out where the iterations of the stretch begin, once tables stayed as they are for a tick.
static APART void follow_starts(rt_stretch_t *stretch, uint64_t structure) {
    bool is_known = stretch->structure == structure;
    stretch->structure = structure;
    if (!is_known || stretch->prepared == structure) return;
    stretch->prepared = structure;
    for (int32_t i = 0; i < stretch->count; i++) {
        rt__run_prepare(&stretch->runs[i], &stretch->starts[i]);
    }
}

static APART void prepare_work(rt_t *rt, rt_stretch_t *stretch, uint64_t structure) {
    follow_starts(stretch, structure);
    rt__work_prepare(rt, stretch);
    stretch->workers = rt->workers->version;
}

// What merging asks for comes behind what any job did, whichever job this thread ran last.
static inline void merge_slots(rt_t *rt, const rt_work_t *work) {
    rt->workers->list[0].order = (uint64_t)work->number << 32 | UINT32_MAX;
    ecs_ext_slots_merge(rt->world, work->slots, rt->workers->pool ? &rt->workers->crew : NULL);
}

static APART void run_observed(rt_t *rt, const rt_stretch_t *stretch) {
    rt__times_begin(stretch->work);
    uint64_t start = ecs_os_now();
    run_jobs(stretch->work);
    rt__times_end(stretch->work, &stretch->graph, (int64_t)(ecs_os_now() - start));
    uint64_t merge_start = begin_merge(rt);
    merge_slots(rt, stretch->work);
    end_merge(rt, stretch, merge_start);
}

static APART void run_workers(rt_t *rt, rt_stretch_t *stretch) {
    uint64_t structure = *rt->structure;
    if (stretch->prepared != structure || stretch->workers != rt->workers->version)
        prepare_work(rt, stretch, structure);
    rt_work_t *work = stretch->work;
    work->number = rt->stretch_number;
    rt->info->systems_ran_total += prepare_calls(work);
    ecs_ext_slots_begin(rt->world, work->slots, work->slot_count);
    if (RARELY(rt->measure_systems || rt->takes_times)) {
        run_observed(rt, stretch);
    } else {
        run_jobs(work);
        merge_slots(rt, work);
    }
}

// Only systems in a readonly world begin as the stretch says.
static inline void run_now(rt_t *rt, const rt_stretch_t *stretch, int32_t index, ecs_world_t *world,
    const rt_call_t *call) {
    const rt_run_t *run = &stretch->runs[index];
    if (world == rt->world)
        rt__run_whole(run, world, call);
    else
        rt__run_again(run, &stretch->starts[index], &rt->workers->list[0].it, world, call);
}

static APART void run_measured(rt_t *rt, const rt_stretch_t *stretch, int32_t index,
    ecs_world_t *world, const rt_call_t *call) {
    int32_t name = rt->trace ? rt__trace_name(rt->trace, &stretch->systems[index], 1) : 0;
    uint64_t start = ecs_os_now();
    run_now(rt, stretch, index, world, call);
    uint64_t end = ecs_os_now();
    if (rt->trace) rt__trace_add(rt->trace, 0, name, -1, start, end);
    if (rt->measure_systems) rt__system_took(stretch->systems[index], (int64_t)(end - start));
}

static APART void run_one(rt_t *rt, rt_worker_t *worker, const rt_stretch_t *stretch, int32_t index,
    ecs_world_t *world, const rt_call_t *call) {
    const rt_run_t *run = &stretch->runs[index];
    rt_call_t own;
    if (run->tick_source) {
        if (!prepare_own_call(rt, stretch->systems[index], run, &own)) return;
        call = &own;
    }
    rt__worker_begin(worker, worker->order);
    rt->info->systems_ran_total++;
    if (rt->measure_systems || rt->trace)
        run_measured(rt, stretch, index, world, call);
    else
        run_now(rt, stretch, index, world, call);
}

// Stays in registers from system to system: a tick may have a thousand that do next to nothing.
static APART void run_main(rt_t *rt, rt_stretch_t *stretch) {
    uint64_t structure = *rt->structure;
    if (stretch->prepared != structure) follow_starts(stretch, structure);
    rt_worker_t *worker = &rt->workers->list[0];
    worker->order = (uint64_t)rt->stretch_number << 32;
    const rt_call_t *call = &rt->call;
    bool may_call = stretch->prepared == structure && !rt->measure_systems && !rt->trace;
    int32_t called = 0;
    ecs_readonly_begin(rt->world, false);
    for (int32_t i = 0; i < stretch->count; i++) {
        rt__worker_begin(worker, worker->order);
        if (may_call && stretch->runs[i].is_plain &&
            ecs_ext_start_run(
                &stretch->starts[i], NULL, worker->world, call->delta_time, call->system_time))
            called++;
        else
            run_one(rt, worker, stretch, i, worker->world, call);
    }
    rt->info->systems_ran_total += called;
    ecs_ext_stage_set_system(worker->stage, 0);
    uint64_t merge_start = begin_merge(rt);
    ecs_readonly_end(rt->world);
    end_merge(rt, stretch, merge_start);
}

static APART void run_immediate(rt_t *rt, const rt_stretch_t *stretch) {
    rt_worker_t *worker = &rt->workers->list[0];
    worker->order = (uint64_t)rt->stretch_number << 32;
    ecs_defer_begin(rt->world);
    ecs_ext_stage_set_system(worker->stage, stretch->runs[0].id);
    run_one(rt, worker, stretch, 0, rt->world, &rt->call);
    ecs_ext_stage_set_system(worker->stage, 0);
    uint64_t merge_start = begin_merge(rt);
    ecs_defer_end(rt->world);
    end_merge(rt, stretch, merge_start);
    rt->info->merge_count_total++;
}

static void run_stretch(rt_t *rt, rt_stretch_t *stretch) {
    rt->stretch_number++;
    if (stretch->kind == RT_KIND_WORKERS)
        run_workers(rt, stretch);
    else if (stretch->kind == RT_KIND_MAIN)
        run_main(rt, stretch);
    else
        run_immediate(rt, stretch);
}

static APART void run_stretch_timed(rt_t *rt, rt_stretch_t *stretch) {
    uint64_t start = ecs_os_now();
    run_stretch(rt, stretch);
    int64_t wall = (int64_t)(ecs_os_now() - start);
    rt__meter_add(&rt->meter, wall, wall);
}

int32_t rt__stretches_run(rt_pipeline_t *pipeline, int32_t first) {
    rt_t *rt = pipeline->rt;
    const rt_schedule_t *schedule = pipeline->schedule;
    rt_stretch_t *next = &schedule->stretches[first];
    const rt_stretch_t *end = &schedule->stretches[next->part_end];
    do {
        if (RARELY(rt->takes_times))
            run_stretch_timed(rt, next);
        else
            run_stretch(rt, next);
    } while (++next < end && rt__pipeline_is_current(pipeline));
    return (int32_t)(next - schedule->stretches);
}
