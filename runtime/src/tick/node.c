// SPDX-License-Identifier: MIT
#include "tick/node.h"

#include "observe/trace.h"
#include "tick/work.h"
#include "tick/workers.h"

// Columns whose rows are fetched ahead of fused systems.
#define AHEAD_COLUMNS 16
#define CACHE_LINE 64

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
    if (!run->run) {
        ecs_ext_rows_t rows = { cut->first, first_row, last, last_row, part->before };
        if (ecs_ext_start_run_rows(
                start, &worker->it, worker->world, call->delta_time, call->system_time, &rows))
            return;
    }
    ecs_iter_t fresh, *it = &worker->it;
    if (!ecs_ext_start_iter(start, it, worker->world, call->delta_time, call->system_time)) {
        fresh = ecs_query_iter(worker->world, run->query);
        rt__run_context(run, &fresh, call);
        it = &fresh;
    }
    ecs_ext_iter_range(it, cut->first, first_row, last, last_row);
    it->frame_offset = part->before;
    rt__run_results(run, it);
}

// A cut table with several matches shows the same rows in each, so every match gets an iterator
// of its own.
static void run_cut(const rt_run_t *run, ecs_ext_start_t *start, rt_worker_t *worker,
    const rt_call_t *call, const rt_cut_t *cut, const rt_part_t *part) {
    if (cut->head <= 1) {
        run_matches(run, start, worker, call, cut, part);
        return;
    }
    for (int32_t i = 0; i < cut->head; i++) {
        rt__random_forget(&worker->random); /* same rows, other ids */
        run_matches(run, start, worker, call, &(rt_cut_t){ cut->first + i, 1, 1 }, part);
    }
    rt_cut_t rest = { cut->first + cut->head, cut->count - cut->head, 0 };
    if (rest.count) run_matches(run, start, worker, call, &rest, &(rt_part_t){ 0, -1, 0 });
}

static void run_slot(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int32_t index,
    int64_t quantum, const rt_part_t *part) {
    const rt_layout_t *layout = job->layout;
    const rt_run_t *run = &work->runs[index];
    ecs_ext_start_t *start = &work->starts[index];
    const rt_call_t *call = run->tick_source ? &work->own_calls[index] : &work->rt->call;
    const rt_cut_t *cut = rt__layout_get(layout, quantum, index - job->group_first);
    if (job->split && !cut->count) return;
    int32_t slot = work->slots_before[index] + (int32_t)quantum;
    rt__worker_begin(worker, (uint64_t)work->number << 32 | (uint32_t)slot);
    ecs_ext_slot_open(worker->stage, work->slots, slot, run->id);
    if (!job->split || layout->quantum_count == 1) /* the whole query needs no cutting */
        rt__run_again(run, start, &worker->it, worker->world, call);
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

static void run_system(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int32_t index,
    int64_t quantum, const rt_part_t *part) {
    if (!work->ticks[index]) return;
    if (work->rt->measure_systems)
        run_slot_measured(work, worker, job, index, quantum, part);
    else
        run_slot(work, worker, job, index, quantum, part);
}

static void run_part(rt_work_t *work, rt_worker_t *worker, const rt_job_t *job, int64_t quantum,
    const rt_part_t *part) {
    for (int32_t i = job->first; i < job->first + job->count; i++) {
        run_system(work, worker, job, i, quantum, part);
    }
}

// Each system of a fused node gets an iterator that shows the first rows of the quantum. False if
// one needs more than that.
static bool begin_steps(const rt_work_t *work, rt_worker_t *worker, const rt_job_t *job,
    int64_t number, const rt_quantum_t *quantum) {
    if (work->has_tick_sources || work->rt->measure_systems) return false;
    int32_t row = quantum->first_row, end = ECS_MIN(row + quantum->step, quantum->last_row);
    const rt_call_t *call = &work->rt->call;
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

// Memory is idle while systems compute on rows in the L1 cache: those of the next step are fetched meanwhile, by each system a share.
typedef struct rt_ahead_t {
    struct {
        const char *next, *end;
        ecs_size_t share; /* whole cache lines */
    } columns[AHEAD_COLUMNS];
    int32_t count;
} rt_ahead_t;

// Also behind the last row: that is mostly where the next quantum begins, and a hint at worst.
static void add_ahead(
    rt_ahead_t *ahead, const char *values, ecs_size_t bytes, int32_t steps, int32_t systems) {
    if (!values || ahead->count == AHEAD_COLUMNS) return;
    const char *next = values + bytes;
    for (int32_t c = 0; c < ahead->count; c++) {
        if (ahead->columns[c].next == next) return;
    }
    ahead->columns[ahead->count].next = next;
    ahead->columns[ahead->count].end = next + (intptr_t)bytes * steps;
    ahead->columns[ahead->count++].share = ECS_ALIGN(bytes / systems + 1, CACHE_LINE);
}

static void begin_ahead(
    rt_ahead_t *ahead, const ecs_iter_t *its, int32_t systems, const rt_quantum_t *quantum) {
    int32_t steps = (quantum->last_row - quantum->first_row) / quantum->step;
    ahead->count = 0;
    for (int32_t i = 0; i < systems; i++) {
        for (int32_t f = 0; f < its[i].field_count; f++)
            add_ahead(ahead, its[i].ptrs[f], its[i].sizes[f] * its[i].count, steps, systems);
    }
}

static inline void fetch_ahead(rt_ahead_t *ahead) {
    for (int32_t c = 0; c < ahead->count; c++) {
        const char *at = ahead->columns[c].next, *end = at + ahead->columns[c].share;
        if (at >= ahead->columns[c].end) continue;
        ahead->columns[c].next = end;
        for (; at < end; at += CACHE_LINE) __builtin_prefetch(at, 0, 3);
    }
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
    begin_ahead(&ahead, worker->its, job->count, quantum);
    ecs_ext_slot_open(worker->stage, work->slots, slots_before[0] + number, 0);
    for (int32_t row = quantum->first_row; row < quantum->last_row; row += quantum->step) {
        int32_t next = ECS_MIN(quantum->step, quantum->last_row - row - quantum->step);
        for (int32_t i = 0; i < job->count; i++) {
            ecs_iter_t *it = &worker->its[i];
            take_turn(work, worker, slots_before[i] + number, it->system);
            fetch_ahead(&ahead);
            it->callback(it);
            if (next > 0) ecs_ext_iter_advance(it, next);
        }
    }
    for (int32_t i = 0; i < job->count; i++) ecs_ext_iter_leave(&worker->its[i]);
    ecs_ext_slot_close(worker->stage);
}

// Fused systems follow each other while their rows are in the L1 cache. Each slot still sees its
// rows in ascending order.
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

void rt__node_run(void *ctx, int64_t begin, int64_t end, int32_t worker_index) {
    const rt_job_t *job = ctx;
    rt_work_t *work = job->work;
    if (work->rt->takes_times) {
        run_node_timed(job, begin, end, worker_index);
        return;
    }
    rt_worker_t *worker = &work->rt->workers->list[worker_index];
    for (int64_t number = begin; number < end; number++) run_quantum(work, worker, job, number);
}

// A system that is not cut, while nobody else runs: it goes on with the iterator of its start.
static inline bool run_alone(const rt_work_t *work, rt_worker_t *worker, int32_t index) {
    const rt_call_t *call = &work->rt->call;
    int32_t slot = work->slots_before[index];
    rt__worker_begin(worker, (uint64_t)work->number << 32 | (uint32_t)slot);
    ecs_ext_slot_open(worker->stage, work->slots, slot, work->runs[index].id);
    bool ran = ecs_ext_start_run(
        &work->starts[index], NULL, worker->world, call->delta_time, call->system_time);
    ecs_ext_slot_close(worker->stage);
    return ran;
}

void rt__nodes_run(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const rt_work_t *work = ctx;
    const rt_t *rt = work->rt;
    bool is_observed = rt->takes_times || rt->measure_systems;
    for (int64_t i = begin; i < end; i++) {
        rt_job_t *job = &work->jobs[i];
        bool may_call = job->is_whole && !is_observed;
        if (!may_call || !run_alone(work, &rt->workers->list[worker], job->first))
            rt__node_run(job, 0, job->layout->quantum_count, worker);
    }
}
