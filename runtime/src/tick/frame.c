// SPDX-License-Identifier: MIT
#include "tick/frame.h"

#include <math.h>
#include <muster/runtime/frame.h>
#include <muster/runtime/schedule.h>
#include "observe/stats_module.h"
#include "observe/trace.h"
#include "record/record.h"
#include "tick/clock.h"
#include "tick/execute.h"
#include "tick/inbox.h"
#include "tick/steps.h"
#include "tick/work.h"
#include "tick/workers.h"

// ---- Schedules ----

// Those of other versions do not come again.
static rt_schedule_t *take_kept(rt_pipeline_t *pipeline) {
    rt_schedule_t *taken = NULL;
    for (int32_t i = 0; i < RT_SCHEDULES_KEPT; i++) {
        rt_schedule_t *kept = pipeline->kept[i];
        if (!kept) continue;
        if (rt__schedule_fits(kept, pipeline))
            taken = kept;
        else if (kept->version == pipeline->version)
            continue;
        else
            rt__schedule_free(kept);
        pipeline->kept[i] = NULL;
    }
    return taken;
}

// The oldest goes, unless there is room.
static void put_away(rt_pipeline_t *pipeline, rt_schedule_t *schedule) {
    for (int32_t i = 0; i < RT_SCHEDULES_KEPT && schedule; i++) {
        rt_schedule_t *next = pipeline->kept[i];
        pipeline->kept[i] = schedule;
        schedule = next;
    }
    if (schedule) rt__schedule_free(schedule);
}

static rt_schedule_t *make_schedule(const rt_pipeline_t *pipeline) {
    rt_schedule_t *schedule = ecs_os_calloc_t(rt_schedule_t);
    rt__schedule_build(schedule, pipeline);
    return schedule;
}

static void compile(rt_pipeline_t *pipeline) {
    rt_schedule_t *before = pipeline->schedule;
    if (before && before->version == pipeline->version)
        put_away(pipeline, before); /* it may be the one that is wanted: each list is kept once */
    else if (before)
        rt__schedule_free(before);
    rt_schedule_t *taken = take_kept(pipeline);
    pipeline->schedule = taken ? taken : make_schedule(pipeline);
    pipeline->schedule_free = rt__schedule_free;
    pipeline->block_first = 0;
    pipeline->partial = pipeline->rt->running != NULL;
    pipeline->rt->info->pipeline_build_count_total++;
}

void rt__pipeline_compile(rt_pipeline_t *pipeline) {
    bool stale = !rt__pipeline_is_current(pipeline) && rt__pipeline_update(pipeline);
    if (stale || pipeline->partial) compile(pipeline);
}

// So many stretches of the schedule are done. Who is in the block that runs is in it to its end; those behind are done with the step before.
static void note_done(const rt_pipeline_t *pipeline, int32_t done) {
    const rt_t *rt = pipeline->rt;
    const rt_schedule_t *schedule = pipeline->schedule;
    if (!schedule->stretch_count) return;
    const rt_stretch_t *block = rt->fixed_step ? &schedule->stretches[pipeline->block_first] : NULL;
    const int32_t end = block ? block->part_end : done;
    for (int32_t s = 0; s < end; s++) {
        const rt_stretch_t *stretch = &schedule->stretches[s];
        bool is_first_step = rt->run_number == rt->block_number;
        for (int32_t i = 0; i < stretch->count; i++) {
            rt_system_t *system = stretch->systems[i];
            if (block && stretch >= block) system->block = rt->block_number;
            if (s < done)
                system->done_in = rt->run_number;
            else if (!is_first_step)
                system->done_in = rt->run_number - 1;
        }
    }
}

// After a merge: if systems changed, make a schedule of those that are still to come.
static bool replace_rest(rt_pipeline_t *pipeline, int32_t done) {
    const rt_stretch_t *last = &pipeline->schedule->stretches[done - 1];
    note_done(pipeline, done);
    pipeline->ran_last = rt__pipeline_place(pipeline, last->systems[last->count - 1]);
    rt__pipeline_see(pipeline);
    if (!rt__pipeline_update(pipeline)) return false;
    rt__pipeline_meet(pipeline);
    compile(pipeline);
    return true;
}

// ---- Runs ----

// The fixed step of the stretch that is next after `done` others; 0: none.
static ecs_entity_t next_fixed_step(const rt_pipeline_t *pipeline, int32_t done) {
    const rt_schedule_t *schedule = pipeline->schedule;
    return done < schedule->stretch_count ? schedule->stretches[done].fixed_step : 0;
}

// Run on, at most to the end of the part; returns how many stretches are done of the schedule there is then.
static int32_t run_part(rt_pipeline_t *pipeline, int32_t done) {
    done = rt__stretches_run(pipeline, done);
    return !rt__pipeline_is_current(pipeline) && replace_rest(pipeline, done) ? 0 : done;
}

// What systems without a tick source that is asked tell of their last run.
static void note_runs(const rt_pipeline_t *pipeline, int32_t first) {
    const rt_t *rt = pipeline->rt;
    const rt_stretch_t *stretch = &pipeline->schedule->stretches[first];
    const rt_stretch_t *end = &pipeline->schedule->stretches[stretch->part_end];
    for (; stretch < end; stretch++) {
        for (int32_t i = 0; i < stretch->count; i++) {
            if (stretch->runs[i].tick_source) continue;
            stretch->systems[i]->pub.time_passed = rt->call.system_time;
            stretch->systems[i]->pub.last_frame = rt->info->frame_count_total;
        }
    }
}

static int32_t run_step(rt_pipeline_t *pipeline, int32_t done, ecs_entity_t fixed_step) {
    rt_t *rt = pipeline->rt;
    uint64_t start = rt->trace ? ecs_os_now() : 0;
    while (next_fixed_step(pipeline, done) == fixed_step) done = run_part(pipeline, done);
    if (start) rt__trace_step(rt->trace, fixed_step, start);
    return done;
}

// The stretches of one fixed step from `first` on, all of them in each step of this frame. Returns as run_part.
static int32_t run_block(rt_pipeline_t *pipeline, int32_t first) {
    rt_t *rt = pipeline->rt;
    const rt_call_t call = rt->call;
    const ecs_entity_t fixed_step = pipeline->schedule->stretches[first].fixed_step;
    int32_t done = pipeline->schedule->stretches[first].part_end;
    int64_t compiled = rt->info->pipeline_build_count_total, last = compiled;
    pipeline->block_first = first;
    rt->block_number = rt->run_number + 1;
    for (int32_t i = 0; rt__step_begin(rt, fixed_step, i); i++) {
        rt->run_number++;
        if (last != rt->info->pipeline_build_count_total) {
            compile(pipeline); /* what is left is that of the step before */
            last = rt->info->pipeline_build_count_total;
            first = 0;
        }
        if (!i) note_runs(pipeline, first);
        done = run_step(pipeline, first, fixed_step);
    }
    rt->fixed_step = 0;
    rt->call = call;
    if (compiled == rt->info->pipeline_build_count_total) return done;
    note_done(pipeline, pipeline->schedule->stretch_count);
    compile(pipeline);
    return 0;
}

static void run_stretches(rt_pipeline_t *pipeline) {
    rt_t *rt = pipeline->rt;
    int64_t merges = rt->info->merge_count_total;
    for (int32_t done = 0; done < pipeline->schedule->stretch_count;) {
        if (next_fixed_step(pipeline, done))
            done = run_block(pipeline, done);
        else
            done = run_part(pipeline, done);
    }
    /* A run ends with a merge, also if nobody ran and recorded; systems of EcsOnStart are no run of their own. */
    rt->info->merge_count_total += merges == rt->info->merge_count_total && !pipeline->main_only;
}

// When the run began, or 0 if nobody wants to know.
static uint64_t begin_times(const rt_pipeline_t *pipeline) {
    rt_t *rt = pipeline->rt;
    const bool meters = rt->meter.runs_left > 0 && !pipeline->main_only && ecs_os_api.now_;
    rt->takes_times = rt->trace || meters;
    if (!rt->takes_times) return 0;
    if (rt->trace) rt__trace_reserve(rt->trace, rt->workers->count);
    return ecs_os_now();
}

// Runs all stretches; systems that appear behind the one that ran last still run.
static void run_pipeline(rt_pipeline_t *pipeline, ecs_ftime_t delta_time) {
    rt_t *rt = pipeline->rt;
    rt->call = (rt_call_t){ delta_time, delta_time, NULL };
    rt__pipeline_compile(pipeline);
    rt->running = pipeline;
    rt->run_began = ++rt->run_number;
    ecs_ext_thread_stage(ecs_ext_stage(rt->world, 0));
    uint64_t start = begin_times(pipeline);
    run_stretches(pipeline);
    if (start) rt__meter_end_run(&rt->meter, (int64_t)(ecs_os_now() - start));
    ecs_ext_thread_stage(NULL);
    rt->running = NULL;
    if (rt->dead) rt__systems_free_dead(rt);
    if (!pipeline->query) rt__pipeline_free(pipeline);
}

void ecs_run_pipeline(ecs_world_t *world, ecs_entity_t entity, ecs_ftime_t delta_time) {
    rt_t *rt = rt__of(world);
    rt_pipeline_t *pipeline = rt__pipeline_find(world, entity);
    ecs_check(pipeline, ECS_INVALID_PARAMETER, "entity %u (%s) is no pipeline to run",
        RT_CALLED(world, entity));
    RT_CHECK_WRITER(world);
    ecs_check(!rt->running && !rt__is_amid_changes(world), ECS_INVALID_OPERATION,
        "a pipeline cannot be run by a system or while changes are deferred");
    ecs_check(isfinite(delta_time), ECS_INVALID_PARAMETER,
        "a pipeline is run for a number of seconds, not %g", (double)delta_time);
    if (!rt->frame_begun) rt__steps_advance(rt, delta_time);
    run_pipeline(pipeline, delta_time);
    if (!rt->frame_begun) rt__workers_run_post(rt);
error:
    return;
}

// ---- Frames ----

// Systems of EcsOnStart run once, on one thread, without time passing. The entity stays: a system that gets an id which was used
// before runs behind those that are made later.
static void run_start(rt_t *rt) {
    rt_pipeline_t *start = rt->start;
    const ecs_entity_t id = start->id;
    rt->start = NULL;
    run_pipeline(start, 0);
    if (ecs_is_alive(rt->world, id)) ecs_remove_pair(rt->world, id, ecs_id(EcsPoly), EcsWildcard);
}

ecs_ftime_t ecs_frame_begin(ecs_world_t *world, ecs_ftime_t delta_time) {
    rt_t *rt = rt__of(world);
    ecs_check(rt, ECS_INVALID_OPERATION, "frames need a world made with ecs_init");
    RT_CHECK_WRITER(world);
    ecs_check(!rt->frame_begun, ECS_INVALID_OPERATION, "the frame before was not ended");
    ecs_check(
        !rt->running, ECS_INVALID_OPERATION, "a frame cannot begin in systems of ecs_run_pipeline");
    ecs_check(isfinite(delta_time), ECS_INVALID_PARAMETER,
        "the time of a frame is a number of seconds, not %g", (double)delta_time);
    ecs_check(delta_time != 0 || ecs_os_api.get_time_, ECS_MISSING_OS_API,
        "the time of a frame cannot be measured: ecs_os_api has no get_time_");
    ecs_check(!rt__is_amid_changes(rt->world), ECS_INVALID_OPERATION,
        "a frame cannot begin in the middle of ecs_defer_begin or of a readonly world");
    rt->frame_begun = true;
    rt->stretch_number = 0;
    rt->workers->list[0].order = 0; /* before any stretch */
    if (rt->task_threads) rt__workers_update_pool(rt);
    ecs_ext_world_flags(rt->world, EcsWorldFrameInProgress, 0);
    if (rt->recording) rt__recording_tick(rt->recording);
    rt->takes_inbox = true;
    rt__inbox_run(rt);
    rt->takes_inbox = false;
    ecs_ftime_t scaled = rt__clock_begin(rt, delta_time);
    if (rt->recording) rt__recording_delta(rt->recording);
    rt__steps_advance(rt, scaled);
    rt->traced_since_ns = rt->trace ? ecs_os_now() : 0;
    return scaled;
error:
    return 0;
}

void ecs_frame_end(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && rt->frame_begun && !rt->running, ECS_INVALID_OPERATION,
        "there is no frame to end, or systems still run in it");
    ecs_check(!rt->takes_inbox, ECS_INVALID_OPERATION,
        "a frame cannot end before all that was submitted is done");
    rt->frame_begun = false;
    if (rt->task_threads) rt__workers_update_pool(rt);
    if (rt->trace && rt->traced_since_ns) rt__trace_tick(rt->trace, rt->traced_since_ns);
    rt->info->frame_count_total++;
    ecs_ext_world_flags(rt->world, 0, EcsWorldFrameInProgress);
    rt__workers_run_post(rt);
    rt__clock_end(rt);
    if (rt->samples_stats) rt__stats_sample(rt);
error:
    return;
}

bool ecs_progress(ecs_world_t *world, ecs_ftime_t delta_time) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->frame_begun, ECS_INVALID_OPERATION,
        "ecs_progress needs a world made with ecs_init, and no frame in progress");
    ecs_ftime_t scaled = ecs_frame_begin(world, delta_time);
    if (!rt->frame_begun) return false; /* it was refused */
    if (rt->start) run_start(rt);
    if (rt->pipeline) run_pipeline(rt->pipeline, scaled);
    ecs_frame_end(world);
    return !ecs_should_quit(world);
error:
    return false;
}

static void set_quit(ecs_world_t *world, void *ctx) {
    (void)ctx;
    ecs_ext_world_flags(world, EcsWorldQuit, 0);
}

// While workers run, the flags of the world are not to be written.
void ecs_quit(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    if (rt && ecs_world_get_flags(rt->world) & EcsWorldMultiThreaded)
        rt__workers_add_post(rt, world, set_quit, NULL);
    else
        set_quit(rt ? rt->world : world, NULL);
}

bool ecs_should_quit(const ecs_world_t *world) {
    return (ecs_world_get_flags(world) & EcsWorldQuit) != 0;
}

// ---- Looking at schedules ----

static char *dump(
    ecs_world_t *world, ecs_entity_t entity, char *(*print)(const rt_pipeline_t *, const char *)) {
    rt_pipeline_t *pipeline = rt__pipeline_find(world, entity);
    if (!pipeline) {
        ecs_err_code(ECS_INVALID_PARAMETER, "entity %u (%s) is no pipeline to look at",
            RT_CALLED(world, entity));
        return NULL;
    }
    ecs_check(!pipeline->rt->running, ECS_INVALID_OPERATION, "look at schedules between ticks");
    rt__pipeline_compile(pipeline);
    for (int32_t i = 0; i < pipeline->schedule->stretch_count; i++) {
        rt_stretch_t *stretch = &pipeline->schedule->stretches[i];
        if (stretch->kind == RT_KIND_WORKERS) rt__work_prepare(pipeline->rt, stretch);
    }
    char *title = ecs_get_path(world, pipeline->id);
    char *text = print(pipeline, title);
    ecs_os_free(title);
    return text;
error:
    return NULL;
}

char *ecs_schedule_str(ecs_world_t *world, ecs_entity_t pipeline) {
    return dump(world, pipeline, rt__schedule_str);
}

char *ecs_schedule_dot(ecs_world_t *world, ecs_entity_t pipeline) {
    return dump(world, pipeline, rt__schedule_dot);
}
