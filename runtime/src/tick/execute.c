// SPDX-License-Identifier: MIT
#include "tick/execute.h"

#include <muster/scheduler/graph.h>
#include "observe/trace.h"
#include "system/run.h"
#include "tick/chunk.h"
#include "tick/workers.h"

/* A group is fused when its rows do not fit an L2 cache, and stays fused until they are well
 * below. A constant, so that machines agree on the order; results do not depend on it. */
#define FUSE_BYTES (1024 * 1024)
#define UNFUSE_BYTES (FUSE_BYTES / 2)

/* Columns whose rows are fetched ahead of fused systems. */
#define AHEAD_COLUMNS 16
#define CACHE_LINE 64

/* Apart from what each stretch of a steady tick passes through, so that it needs few registers. */
#define APART __attribute__((noinline))
#define RARELY(condition) __builtin_expect(!!(condition), 0)

/** What a node of the plan is given. */
typedef struct rt_job_t {
    rt_work_t *work;
    const rt_layout_t *layout;
    int32_t group_first;  /* first system of the group */
    int32_t first, count; /* systems of the node */
    bool split;
    int32_t name; /* in the trace that is taken */
} rt_job_t;

/** What the quanta of a node took. */
typedef struct rt_job_time_t {
    int64_t sum_ns, longest_ns;
} rt_job_time_t;

struct rt_work_t {
    rt_t *rt;
    rt_system_t **systems;
    const rt_run_t *runs; /* per system */
    ecs_ext_start_t *starts;
    int32_t system_count;
    uint32_t number; /* of the stretch in the frame */

    /* of the present tables; see rt__work_prepare */
    rt_layout_t *layouts; /* per group */
    int32_t layout_count;
    int32_t *slots_before; /* per system: number of its first slot */
    int32_t slot_count;
    rt_job_t *jobs; /* per node */
    int32_t job_count;
    int32_t most_fused;       /* systems in one node */
    sched_plan_t *plan;       /* NULL until there is a pool */
    bool plan_is_current;     /* its ranges are those of the layouts */
    int32_t runs_alone;       /* to be done in order, without asking the scheduler */
    uint64_t structure;       /* ecs_ext_structure_stamp when it was made */
    uint64_t *match_versions; /* per system */
    ecs_ext_slots_t *slots;

    /* of the present run */
    rt_call_t call;       /* of systems without tick source */
    rt_call_t *own_calls; /* per system, of those with one */
    bool *ticks;          /* per system: runs in this frame */
    bool has_tick_sources;
    int64_t *spent_ns; /* per worker and system, while times are measured */
    int32_t spent_workers;

    /* while times are taken */
    rt_job_time_t *times; /* per worker, time_stride apart, and node */
    int32_t time_stride, time_size;
};

/* ---- One system on one quantum ---- */

/** A quantum, or a step of it. */
typedef struct rt_part_t {
    int32_t first_row, last_row; /* as in rt_quantum_t */
    int32_t before;              /* rows of the quantum in earlier steps */
} rt_part_t;

static void run_matches(const rt_run_t *run, ecs_ext_start_t *start, rt_worker_t *worker,
    const rt_call_t *call, const rt_cut_t *cut, const rt_part_t *part) {
    /* The end counts in the last table: it is that of the cut one only if there is no other. */
    int32_t first_row = cut->head ? part->first_row : 0, last = cut->first + cut->count - 1;
    int32_t last_row = cut->head == cut->count ? part->last_row : -1;
    ecs_ftime_t delta = call->delta_time, system_delta = call->system_time;
    ecs_iter_t *it = &worker->it;
    if (!run->run) {
        ecs_ext_rows_t rows = { cut->first, first_row, last, last_row, part->before };
        if (ecs_ext_start_run_rows(start, it, worker->world, delta, system_delta, &rows)) return;
    }
    if (ecs_ext_start_iter(start, it, worker->world, delta, system_delta)) {
        ecs_ext_iter_range(it, cut->first, first_row, last, last_row);
        it->frame_offset = part->before;
        rt__run_results(run, it);
    } else {
        ecs_iter_t fresh = ecs_query_iter(worker->world, run->query);
        ecs_ext_iter_range(&fresh, cut->first, first_row, last, last_row);
        fresh.frame_offset = part->before;
        rt__run_iter(run, &fresh, call);
    }
}

/* A cut table with several matches shows the same rows in each, so every match gets an iterator
 * of its own. */
static void run_cut(const rt_run_t *run, ecs_ext_start_t *start, rt_worker_t *worker,
    const rt_call_t *call, const rt_cut_t *cut, const rt_part_t *part) {
    if (cut->head <= 1) {
        run_matches(run, start, worker, call, cut, part);
        return;
    }
    for (int32_t i = 0; i < cut->head; i++) {
        run_matches(run, start, worker, call, &(rt_cut_t){ cut->first + i, 1, 1 }, part);
    }
    rt_cut_t rest = { cut->first + cut->head, cut->count - cut->head, 0 };
    if (rest.count) run_matches(run, start, worker, call, &rest, &(rt_part_t){ 0, -1, 0 });
}

/* The only quantum is the whole query, which needs no cutting. */
static void run_only_quantum(
    const rt_run_t *run, ecs_ext_start_t *start, rt_worker_t *worker, const rt_call_t *call) {
    ecs_ftime_t delta = call->delta_time, system_delta = call->system_time;
    ecs_iter_t *it = &worker->it;
    if (!run->run && ecs_ext_start_run(start, it, worker->world, delta, system_delta)) return;
    if (ecs_ext_start_iter(start, it, worker->world, delta, system_delta)) {
        it->flags |= EcsIterInstanced;
        rt__run_results(run, it);
    } else {
        ecs_iter_t fresh = ecs_query_iter(worker->world, run->query);
        fresh.flags |= EcsIterInstanced;
        rt__run_iter(run, &fresh, call);
    }
}

static void run_slot(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int32_t index,
    int64_t quantum, const rt_part_t *part) {
    const rt_layout_t *layout = job->layout;
    const rt_run_t *run = &work->runs[index];
    ecs_ext_start_t *start = &work->starts[index];
    const rt_call_t *call = run->tick_source ? &work->own_calls[index] : &work->call;
    const rt_cut_t *cut = rt__layout_get(layout, quantum, index - job->group_first);
    if (job->split && !cut->count) return;
    int32_t slot = work->slots_before[index] + (int32_t)quantum;
    rt__worker_begin(worker, (uint64_t)work->number << 32 | (uint32_t)slot);
    ecs_ext_slot_open(worker->stage, work->slots, slot, run->id);
    if (!job->split)
        rt__run_again(run, start, &worker->it, worker->world, call);
    else if (layout->quantum_count == 1)
        run_only_quantum(run, start, worker, call);
    else
        run_cut(run, start, worker, call, cut, part);
    ecs_ext_slot_close(worker->stage);
}

static void run_slot_measured(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job,
    int32_t index, int64_t quantum, const rt_part_t *part) {
    uint64_t start = ecs_os_now();
    run_slot(work, worker, job, index, quantum, part);
    int64_t row = (worker - work->rt->workers->list) * work->system_count;
    work->spent_ns[row + index] += (int64_t)(ecs_os_now() - start);
}

static void run_part(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int64_t quantum,
    const rt_part_t *part) {
    bool measure = work->rt->measure_systems;
    for (int32_t i = job->first; i < job->first + job->count; i++) {
        if (!work->ticks[i]) continue;
        if (measure)
            run_slot_measured(work, worker, job, i, quantum, part);
        else
            run_slot(work, worker, job, i, quantum, part);
    }
}

/* Each system of a fused node gets an iterator that shows the first rows of the quantum. False if
 * one needs more than that. */
static bool begin_steps(const rt_work_t *work, rt_worker_t *worker, const rt_job_t *job,
    int64_t number, const rt_quantum_t *quantum) {
    if (work->has_tick_sources || work->rt->measure_systems) return false;
    int32_t row = quantum->first_row, end = ECS_MIN(row + quantum->step, quantum->last_row);
    const rt_call_t *call = &work->call;
    for (int32_t i = 0; i < job->count; i++) {
        int32_t index = job->first + i;
        const rt_cut_t *cut = rt__layout_get(job->layout, number, index - job->group_first);
        if (cut->count != 1 || cut->head != 1 || !work->runs[index].is_plain) return false;
        if (!ecs_ext_start_show(&work->starts[index], &worker->its[i], worker->world,
                call->delta_time, call->system_time, cut->first, row, end))
            return false;
    }
    return true;
}

/* Memory is idle while systems compute on rows in the L1 cache: those of the next step are fetched meanwhile, by each system a part. */
typedef struct rt_ahead_t {
    struct {
        const char *values; /* of the present step */
        ecs_size_t bytes;   /* of a step */
    } columns[AHEAD_COLUMNS];
    int32_t count;
} rt_ahead_t;

static void add_ahead(rt_ahead_t *ahead, const char *values, ecs_size_t bytes) {
    for (int32_t c = 0; c < ahead->count; c++) {
        if (ahead->columns[c].values == values) return;
    }
    if (!values || ahead->count == AHEAD_COLUMNS) return;
    ahead->columns[ahead->count].values = values;
    ahead->columns[ahead->count++].bytes = bytes;
}

static void begin_ahead(rt_ahead_t *ahead, const ecs_iter_t *its, int32_t count) {
    ahead->count = 0;
    for (int32_t i = 0; i < count; i++) {
        for (int32_t f = 0; f < its[i].field_count; f++)
            add_ahead(ahead, its[i].ptrs[f], its[i].sizes[f] * its[i].count);
    }
}

/* Also behind the last row: that is mostly where the next quantum begins, and a hint at worst. */
static inline void fetch_ahead(const rt_ahead_t *ahead, int32_t part, int32_t parts) {
    for (int32_t c = 0; c < ahead->count; c++) {
        ecs_size_t bytes = ahead->columns[c].bytes, share = bytes / parts + CACHE_LINE;
        uintptr_t at = (uintptr_t)ahead->columns[c].values + bytes + part * (share - CACHE_LINE);
        for (uintptr_t end = at + share; at < end; at += CACHE_LINE)
            __builtin_prefetch((const void *)at, 0, 2);
    }
}

static void advance_ahead(rt_ahead_t *ahead) {
    for (int32_t c = 0; c < ahead->count; c++) ahead->columns[c].values += ahead->columns[c].bytes;
}

static void take_turn(
    const rt_work_t *work, rt_worker_t *worker, int32_t slot, ecs_entity_t system) {
    rt__worker_begin(worker, (uint64_t)work->number << 32 | (uint32_t)slot);
    ecs_ext_slot_turn(worker->stage, work->slots, slot, system);
}

static void run_fast_steps(const rt_work_t *work, rt_worker_t *worker, const rt_job_t *job,
    int32_t number, const rt_quantum_t *quantum) {
    const int32_t *slots_before = &work->slots_before[job->first];
    rt_ahead_t ahead;
    begin_ahead(&ahead, worker->its, job->count);
    ecs_ext_slot_open(worker->stage, work->slots, slots_before[0] + number, 0);
    for (int32_t row = quantum->first_row; row < quantum->last_row; row += quantum->step) {
        int32_t next = ECS_MIN(quantum->step, quantum->last_row - row - quantum->step);
        for (int32_t i = 0; i < job->count; i++) {
            ecs_iter_t *it = &worker->its[i];
            take_turn(work, worker, slots_before[i] + number, it->system);
            fetch_ahead(&ahead, i, job->count);
            it->callback(it);
            if (next > 0) ecs_ext_iter_advance(it, next);
        }
        advance_ahead(&ahead);
    }
    ecs_ext_slot_close(worker->stage);
    for (int32_t i = 0; i < job->count; i++) {
        ecs_ext_slot_open(worker->stage, work->slots, slots_before[i] + number, 0);
        ecs_ext_slot_close(worker->stage);
    }
}

/* Fused systems follow each other while their rows are in the L1 cache. Each slot still sees its
 * rows in ascending order. */
static void run_steps(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int64_t number,
    const rt_quantum_t *quantum) {
    if (begin_steps(work, worker, job, number, quantum)) {
        run_fast_steps(work, worker, job, (int32_t)number, quantum);
        return;
    }
    for (int32_t row = quantum->first_row; row < quantum->last_row; row += quantum->step) {
        int32_t end = ECS_MIN(row + quantum->step, quantum->last_row);
        rt_part_t part = { row, end, row - quantum->first_row };
        run_part(work, worker, job, number, &part);
    }
}

static inline void run_quantum(
    rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int64_t number) {
    const rt_quantum_t *quantum = &job->layout->quanta[number];
    if (job->count > 1 && quantum->step) {
        run_steps(work, worker, job, number, quantum);
    } else {
        rt_part_t part = { quantum->first_row, quantum->last_row, 0 };
        run_part(work, worker, job, number, &part);
    }
}

static void run_node_timed(const rt_job_t *job, int64_t begin, int64_t end, int32_t worker) {
    rt_work_t *work = job->work;
    rt_t *rt = work->rt;
    rt_job_time_t *time = &work->times[worker * work->time_stride + (job - work->jobs)];
    uint64_t start = ecs_os_now();
    for (int64_t number = begin; number < end; number++) {
        run_quantum(work, &rt->workers->list[worker], job, number);
        uint64_t now = ecs_os_now();
        int64_t spent = (int64_t)(now - start);
        time->sum_ns += spent;
        time->longest_ns = ECS_MAX(time->longest_ns, spent);
        if (rt->trace)
            rt__trace_add(rt->trace, worker, job->name, job->split ? number : -1, start, now);
        start = now;
    }
}

/* Threads: any worker. */
static void run_node(void *ctx, int64_t begin, int64_t end, int32_t worker_index) {
    const rt_job_t *job = ctx;
    rt_work_t *work = job->work;
    if (work->rt->takes_times) {
        run_node_timed(job, begin, end, worker_index);
        return;
    }
    rt_worker_t *worker = &work->rt->workers->list[worker_index];
    for (int64_t number = begin; number < end; number++) run_quantum(work, worker, job, number);
}

/* Nodes in the order of systems, on one worker. */
static void run_in_order(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const rt_work_t *work = ctx;
    for (int64_t i = begin; i < end; i++) {
        run_node(&work->jobs[i], 0, work->jobs[i].layout->quantum_count, worker);
    }
}

/* ---- What depends on tables ---- */

static APART rt_work_t *make_work(rt_t *rt, const rt_stretch_t *stretch) {
    rt_work_t *work = ecs_os_calloc_t(rt_work_t);
    int32_t count = stretch->count;
    work->rt = rt;
    work->systems = stretch->systems;
    work->runs = stretch->runs;
    work->starts = stretch->starts;
    work->system_count = count;
    work->slots_before = ecs_os_calloc_n(int32_t, count);
    work->match_versions = ecs_os_calloc_n(uint64_t, count);
    work->own_calls = ecs_os_calloc_n(rt_call_t, count);
    work->ticks = ecs_os_malloc_n(bool, count);
    for (int32_t i = 0; i < count; i++) {
        work->ticks[i] = true;
        work->has_tick_sources |= work->runs[i].tick_source != 0;
    }
    work->slots = ecs_ext_slots_new();
    return work;
}

static void free_layouts(rt_work_t *work) {
    for (int32_t i = 0; i < work->layout_count; i++) rt__layout_fini(&work->layouts[i]);
}

static void free_work(rt_work_t *work) {
    if (!work) return;
    free_layouts(work);
    sched_plan_destroy(work->plan);
    ecs_ext_slots_free(work->slots);
    ecs_os_free(work->layouts);
    ecs_os_free(work->slots_before);
    ecs_os_free(work->jobs);
    ecs_os_free(work->match_versions);
    ecs_os_free(work->own_calls);
    ecs_os_free(work->ticks);
    ecs_os_free(work->spent_ns);
    ecs_os_free(work->times);
    ecs_os_free(work);
}

static bool update_matches(rt_work_t *work) {
    bool changed = false;
    for (int32_t i = 0; i < work->system_count; i++) {
        rt_system_t *system = work->systems[i];
        if (!system->pub.query) continue;
        rt__matches_update(&system->matches, &system->access, system->pub.query);
        changed |= work->match_versions[i] != system->matches.version;
        work->match_versions[i] = system->matches.version;
    }
    return changed;
}

static void make_layouts(rt_work_t *work, const rt_graph_t *graph) {
    if (work->layout_count != graph->group_count) {
        free_layouts(work);
        ecs_os_free(work->layouts);
        work->layouts = ecs_os_calloc_n(rt_layout_t, graph->group_count);
        work->layout_count = graph->group_count;
    }
    for (int32_t g = 0; g < graph->group_count; g++) {
        const rt_group_t *group = &graph->groups[g];
        rt_layout_t *layout = &work->layouts[g];
        if (!group->split)
            rt__layout_whole(layout);
        else
            rt__layout_list(layout, work->rt->world, &work->systems[group->first], group->count);
    }
}

/* Cut quanta, number slots, and decide which groups to fuse; true if that changed. */
static bool cut_layouts(rt_work_t *work, rt_graph_t *graph) {
    bool changed = false;
    work->slot_count = 0;
    for (int32_t g = 0; g < graph->group_count; g++) {
        rt_group_t *group = &graph->groups[g];
        rt_layout_t *layout = &work->layouts[g];
        if (group->split) rt__layout_cut(layout);
        int64_t limit = group->fused ? UNFUSE_BYTES : FUSE_BYTES;
        bool fused = group->count > 1 && layout->bytes > limit;
        changed |= fused != group->fused;
        group->fused = fused;
        group->quanta = layout->quantum_count;
        for (int32_t i = group->first; i < group->first + group->count; i++) {
            work->slots_before[i] = work->slot_count;
            work->slot_count += layout->quantum_count;
        }
    }
    return changed;
}

static void make_jobs(rt_work_t *work, const rt_graph_t *graph) {
    sched_plan_destroy(work->plan);
    work->plan = NULL;
    work->jobs = ecs_os_realloc_n(work->jobs, rt_job_t, ECS_MAX(graph->node_count, 1));
    work->job_count = graph->node_count;
    work->most_fused = 0;
    for (int32_t i = 0; i < graph->node_count; i++) {
        const rt_node_t *node = &graph->nodes[i];
        work->most_fused = ECS_MAX(work->most_fused, node->count);
        const rt_group_t *group = &graph->groups[node->group];
        work->jobs[i] = (rt_job_t){ work, &work->layouts[node->group], group->first, node->first,
            node->count, group->split, -1 };
    }
}

static void *plan_malloc(size_t size, void *ctx) {
    (void)ctx;
    return ecs_os_malloc((ecs_size_t)size);
}

static void plan_free(void *ptr, void *ctx) {
    (void)ctx;
    ecs_os_free(ptr);
}

static APART void make_plan(rt_work_t *work, const rt_graph_t *graph) {
    sched_graph_t *draft =
        sched_graph_create(&(sched_pool_desc_t){ .malloc_fn = plan_malloc, .free_fn = plan_free });
    for (int32_t i = 0; i < work->job_count; i++) {
        const rt_job_t *job = &work->jobs[i];
        sched_graph_node(draft, &(sched_node_desc_t){ .name = work->systems[job->first]->pub.name,
                                    .fn = run_node,
                                    .ctx = &work->jobs[i],
                                    .count = ECS_MAX(job->layout->quantum_count, 1),
                                    .grain = 1 });
    }
    for (int32_t i = 0; i < graph->edge_count; i++) {
        sched_graph_edge(draft, graph->edges[i].from, graph->edges[i].to);
    }
    work->plan = sched_graph_freeze(draft, NULL);
    sched_graph_destroy(draft);
    ecs_assert(work->plan, ECS_INTERNAL_ERROR, "edges lead forward, so there is no cycle");
    sched_plan_set_serial(work->plan, run_in_order, work);
}

static void set_ranges(rt_work_t *work) {
    for (int32_t i = 0; i < work->job_count; i++) {
        sched_plan_set_range(work->plan, i, work->jobs[i].layout->quantum_count, 1);
    }
}

static APART void follow_tables(rt_work_t *work, rt_graph_t *graph) {
    bool regroup = update_matches(work) || !work->jobs;
    if (regroup) {
        rt__graph_group(graph, work->systems, work->system_count);
        make_layouts(work, graph);
    }
    if (cut_layouts(work, graph) || regroup) {
        rt__graph_connect(graph, work->systems);
        make_jobs(work, graph);
    }
    work->plan_is_current = false;
}

/* There may be no pool now, and one again in the next tick. */
static APART void follow_pool(rt_work_t *work, const rt_graph_t *graph) {
    if (!work->plan) make_plan(work, graph);
    set_ranges(work);
    work->runs_alone = 0;
    work->plan_is_current = true;
}

void rt__work_prepare(rt_t *rt, rt_stretch_t *stretch) {
    if (!stretch->work) stretch->work = make_work(rt, stretch);
    rt_work_t *work = stretch->work;
    uint64_t structure = ecs_ext_structure_stamp(rt->world);
    if (work->structure != structure || !work->jobs) {
        follow_tables(work, &stretch->graph);
        work->structure = structure;
    }
    if (work->most_fused > 1) rt__workers_reserve(rt->workers, work->most_fused);
    if (!work->plan_is_current && rt->workers->pool) follow_pool(work, &stretch->graph);
}

void rt__schedule_free(rt_schedule_t *schedule) {
    for (int32_t i = 0; i < schedule->stretch_count; i++) free_work(schedule->stretches[i].work);
    rt__schedule_fini(schedule);
    ecs_os_free(schedule);
}

/* ---- Before and after a run ---- */

/* Does a system with a tick source run in this frame? It is not the system that asks. */
static bool prepare_own_call(rt_t *rt, rt_system_t *system, const rt_run_t *run, rt_call_t *call) {
    *call = (rt_call_t){ rt->delta_time, rt->delta_time, NULL };
    ecs_stage_t *stage = rt->workers->list[0].stage;
    ecs_entity_t current = ecs_ext_stage_set_system(stage, 0);
    bool ticks = rt__run_ticks(run, rt->world, call);
    ecs_ext_stage_set_system(stage, current);
    if (!ticks) return false;
    system->pub.time_passed = call->system_time;
    system->pub.last_frame = rt->info->frame_count_total;
    return true;
}

/* Returns how many systems will run. */
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
    work->call = (rt_call_t){ work->rt->delta_time, work->rt->delta_time, NULL };
    return work->has_tick_sources ? prepare_own_calls(work) : work->system_count;
}

static APART void begin_measure(rt_work_t *work) {
    int32_t workers = work->rt->workers->count;
    if (work->spent_workers < workers) {
        work->spent_ns = ecs_os_realloc_n(work->spent_ns, int64_t, workers * work->system_count);
        work->spent_workers = workers;
    }
    ecs_os_memset(work->spent_ns, 0, workers * work->system_count * ECS_SIZEOF(int64_t));
}

static APART void end_measure(rt_work_t *work) {
    for (int32_t w = 0; w < work->rt->workers->count; w++) {
        for (int32_t i = 0; i < work->system_count; i++) {
            ecs_ftime_t spent = (ecs_ftime_t)work->spent_ns[w * work->system_count + i] * 1e-9f;
            work->systems[i]->pub.time_spent += spent;
            work->rt->info->system_time_total += spent;
        }
    }
}

/* ---- Taking times ---- */

static APART void begin_times(rt_work_t *work) {
    rt_t *rt = work->rt;
    work->time_stride = (work->job_count + 3) & ~3; /* whole cache lines */
    int32_t count = rt->workers->count * work->time_stride;
    if (work->time_size < count) {
        work->times = ecs_os_realloc_n(work->times, rt_job_time_t, count);
        work->time_size = count;
    }
    ecs_os_memset_n(work->times, 0, rt_job_time_t, count);
    for (int32_t i = 0; rt->trace && i < work->job_count; i++) {
        rt_job_t *job = &work->jobs[i];
        job->name = rt__trace_name(rt->trace, &work->systems[job->first], job->count);
    }
}

/* Into the times of worker 0: what all workers needed for a node, and its longest quantum. */
static void gather_times(rt_work_t *work) {
    for (int32_t w = 1; w < work->rt->workers->count; w++) {
        const rt_job_time_t *row = &work->times[w * work->time_stride];
        for (int32_t i = 0; i < work->job_count; i++) {
            work->times[i].sum_ns += row[i].sum_ns;
            work->times[i].longest_ns = ECS_MAX(work->times[i].longest_ns, row[i].longest_ns);
        }
    }
}

/* Length of the longest chain of quanta. Edges are in the order of the nodes they lead to. */
static int64_t find_longest_chain(rt_job_time_t *times, int32_t count, const rt_graph_t *graph) {
    int64_t longest = 0;
    int32_t e = 0;
    for (int32_t i = 0; i < count; i++) {
        int64_t before = 0;
        for (; e < graph->edge_count && graph->edges[e].to == i; e++)
            before = ECS_MAX(before, times[graph->edges[e].from].longest_ns);
        times[i].longest_ns += before;
        longest = ECS_MAX(longest, times[i].longest_ns);
    }
    return longest;
}

/* The meter counts a stretch as what it took. Nodes took `wall_ns`; their work is the sum of all quanta, their span the longest chain. */
static APART void end_times(rt_work_t *work, const rt_graph_t *graph, int64_t wall_ns) {
    gather_times(work);
    int64_t sum = 0;
    for (int32_t i = 0; i < work->job_count; i++) sum += work->times[i].sum_ns;
    int64_t chain = find_longest_chain(work->times, work->job_count, graph);
    rt__meter_add(&work->rt->meter, sum - wall_ns, chain - wall_ns);
}

static inline uint64_t begin_merge(const rt_t *rt) {
    return RARELY(rt->trace || rt->measure_systems) ? ecs_os_now() : 0;
}

static APART void note_merge(rt_t *rt, const rt_stretch_t *stretch, uint64_t start) {
    uint64_t end = ecs_os_now();
    if (rt->measure_systems)
        rt->info->merge_time_total += (ecs_ftime_t)((double)(end - start) * 1e-9);
    if (rt->trace)
        rt__trace_add(rt->trace, 0, rt__trace_merge(rt->trace, &stretch->merge), -1, start, end);
}

static inline void end_merge(rt_t *rt, const rt_stretch_t *stretch, uint64_t start) {
    if (RARELY(start)) note_merge(rt, stretch, start);
}

/* ---- Running ---- */

static void run_jobs(rt_work_t *work) {
    sched_pool_t *pool = work->rt->workers->pool;
    bool is_alone = work->runs_alone && !work->rt->schedule_seed;
    if (!pool || is_alone) {
        work->runs_alone -= is_alone;
        run_in_order(work, 0, work->job_count, 0);
    } else {
        sched_plan_run(pool, work->plan);
        work->runs_alone = sched_plan_spare_runs(pool, work->plan);
    }
}

/* Work out where the iterations of the stretch begin, once tables stayed as they are for a tick. */
static APART void follow_starts(rt_stretch_t *stretch, uint64_t structure) {
    bool is_known = stretch->structure == structure;
    stretch->structure = structure;
    stretch->is_steady = is_known;
    for (int32_t i = 0; is_known && i < stretch->count; i++) {
        rt__run_prepare(&stretch->runs[i], &stretch->starts[i]);
    }
}

static inline void prepare_starts(rt_t *rt, rt_stretch_t *stretch) {
    uint64_t structure = ecs_ext_structure_stamp(rt->world);
    if (stretch->structure != structure || !stretch->is_steady) follow_starts(stretch, structure);
}

/* Lets the workers help with a merge. */
static void share_out(void *pool, int64_t count, ecs_ext_part_t part, void *ctx) {
    sched_parallel_for(pool, count, 1, part, ctx);
}

static void run_slots(rt_t *rt, rt_work_t *work) {
    rt->workers_run = true;
    run_jobs(work);
    rt->workers_run = false;
}

static APART void run_slots_observed(rt_t *rt, rt_work_t *work, const rt_graph_t *graph) {
    if (rt->measure_systems) begin_measure(work);
    if (rt->takes_times) begin_times(work);
    uint64_t start = rt->takes_times ? ecs_os_now() : 0;
    run_slots(rt, work);
    if (rt->takes_times) end_times(work, graph, (int64_t)(ecs_os_now() - start));
    if (rt->measure_systems) end_measure(work);
}

/* The thread that runs a tick is worker 0: it need not be the one that set up the world. */
static APART void run_workers(rt_t *rt, rt_stretch_t *stretch, uint32_t number) {
    if (rt->workers->pool) sched_pool_adopt(rt->workers->pool);
    prepare_starts(rt, stretch);
    rt__work_prepare(rt, stretch);
    rt_work_t *work = stretch->work;
    work->number = number;
    rt->info->systems_ran_total += prepare_calls(work);
    ecs_ext_slots_begin(rt->world, work->slots, work->slot_count);
    if (RARELY(rt->measure_systems || rt->takes_times))
        run_slots_observed(rt, work, &stretch->graph);
    else
        run_slots(rt, work);
    const ecs_ext_crew_t crew = { share_out, rt->workers->pool };
    uint64_t merge_start = begin_merge(rt);
    ecs_ext_slots_merge(rt->world, work->slots, rt->workers->pool ? &crew : NULL);
    end_merge(rt, stretch, merge_start);
}

/* Only systems in a readonly world begin as the stretch says. */
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
    if (!rt->measure_systems) return;
    ecs_ftime_t spent = (ecs_ftime_t)(end - start) * 1e-9f;
    stretch->systems[index]->pub.time_spent += spent;
    rt->info->system_time_total += spent;
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

/* Stays in registers from system to system: a tick may have a thousand that do next to nothing. */
static APART void run_main(rt_t *rt, rt_stretch_t *stretch) {
    prepare_starts(rt, stretch);
    rt_worker_t *worker = &rt->workers->list[0];
    const rt_call_t call = { rt->delta_time, rt->delta_time, NULL };
    bool may_call = stretch->is_steady && !rt->measure_systems && !rt->trace;
    int32_t called = 0;
    ecs_readonly_begin(rt->world, false);
    for (int32_t i = 0; i < stretch->count; i++) {
        rt__worker_begin(worker, worker->order);
        if (may_call && stretch->runs[i].is_plain &&
            ecs_ext_start_run(
                &stretch->starts[i], NULL, worker->world, call.delta_time, call.system_time))
            called++;
        else
            run_one(rt, worker, stretch, i, worker->world, &call);
    }
    rt->info->systems_ran_total += called;
    ecs_ext_stage_set_system(worker->stage, 0);
    uint64_t merge_start = begin_merge(rt);
    ecs_readonly_end(rt->world);
    end_merge(rt, stretch, merge_start);
}

static APART void run_immediate(rt_t *rt, const rt_stretch_t *stretch) {
    rt_worker_t *worker = &rt->workers->list[0];
    const rt_call_t call = { rt->delta_time, rt->delta_time, NULL };
    ecs_defer_begin(rt->world);
    ecs_ext_stage_set_system(worker->stage, stretch->runs[0].id);
    run_one(rt, worker, stretch, 0, rt->world, &call);
    ecs_ext_stage_set_system(worker->stage, 0);
    uint64_t merge_start = begin_merge(rt);
    ecs_defer_end(rt->world);
    end_merge(rt, stretch, merge_start);
    rt->info->merge_count_total++;
}

static void run_stretch(rt_t *rt, rt_stretch_t *stretch, uint32_t number) {
    switch (stretch->kind) {
    case RT_KIND_MAIN: run_main(rt, stretch); break;
    case RT_KIND_IMMEDIATE: run_immediate(rt, stretch); break;
    case RT_KIND_WORKERS: run_workers(rt, stretch, number); break;
    }
}

static APART void run_stretch_timed(rt_t *rt, rt_stretch_t *stretch, uint32_t number) {
    uint64_t start = ecs_os_now();
    run_stretch(rt, stretch, number);
    int64_t wall = (int64_t)(ecs_os_now() - start);
    rt__meter_add(&rt->meter, wall, wall);
}

void rt__stretch_run(rt_t *rt, rt_stretch_t *stretch, uint32_t number) {
    rt->workers->list[0].order = (uint64_t)number << 32;
    if (rt->takes_times)
        run_stretch_timed(rt, stretch, number);
    else
        run_stretch(rt, stretch, number);
}
