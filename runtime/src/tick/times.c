// SPDX-License-Identifier: MIT
#include "tick/times.h"

#include "observe/trace.h"
#include "tick/workers.h"

static void begin_measure(rt_work_t *work) {
    int32_t workers = work->rt->workers->count;
    if (work->spent_workers < workers) {
        work->spent_ns = ecs_os_realloc_n(work->spent_ns, int64_t, workers * work->system_count);
        work->spent_workers = workers;
    }
    ecs_os_memset(work->spent_ns, 0, workers * work->system_count * ECS_SIZEOF(int64_t));
}

static void end_measure(rt_work_t *work) {
    for (int32_t w = 0; w < work->rt->workers->count; w++) {
        for (int32_t i = 0; i < work->system_count; i++)
            rt__system_took(work->systems[i], work->spent_ns[w * work->system_count + i]);
    }
}

static void begin_times(rt_work_t *work) {
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

// Into the times of worker 0: what all workers needed for a node, and its longest quantum.
static void gather_times(rt_work_t *work) {
    for (int32_t w = 1; w < work->rt->workers->count; w++) {
        const rt_job_time_t *row = &work->times[w * work->time_stride];
        for (int32_t i = 0; i < work->job_count; i++) {
            work->times[i].sum_ns += row[i].sum_ns;
            work->times[i].longest_ns = ECS_MAX(work->times[i].longest_ns, row[i].longest_ns);
        }
    }
}

// Length of the longest chain of quanta. Edges are in the order of the nodes they lead to.
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

// The meter counts a stretch as what it took. Nodes took `wall_ns`; their work is the sum of all quanta, their span the longest chain.
static void end_times(rt_work_t *work, const rt_graph_t *graph, int64_t wall_ns) {
    gather_times(work);
    int64_t sum = 0;
    for (int32_t i = 0; i < work->job_count; i++) sum += work->times[i].sum_ns;
    int64_t chain = find_longest_chain(work->times, work->job_count, graph);
    rt__meter_add(&work->rt->meter, sum - wall_ns, chain - wall_ns);
}

void rt__times_begin(rt_work_t *work) {
    if (work->rt->measure_systems) begin_measure(work);
    if (work->rt->takes_times) begin_times(work);
}

void rt__times_end(rt_work_t *work, const rt_graph_t *graph, int64_t wall_ns) {
    if (work->rt->takes_times) end_times(work, graph, wall_ns);
    if (work->rt->measure_systems) end_measure(work);
}

typedef struct timed_t {
    rt_workers_t *workers;
    ecs_ext_part_t part;
    void *ctx;
} timed_t;

static void run_timed(void *arg, int64_t begin, int64_t end, int32_t worker) {
    const timed_t *timed = arg;
    uint64_t start = ecs_os_now();
    timed->part(timed->ctx, begin, end, worker);
    timed->workers->list[worker].shared_ns += (int64_t)(ecs_os_now() - start);
}

// The meter counts a merge as what it took. Parts are of one size, so that the span is one of them.
void rt__times_share(rt_t *rt, int64_t count, ecs_ext_part_t part, void *ctx) {
    rt_workers_t *workers = rt->workers;
    timed_t timed = { workers, part, ctx };
    for (int32_t w = 0; w < workers->count; w++) workers->list[w].shared_ns = 0;
    uint64_t start = ecs_os_now();
    sched_parallel_for(workers->pool, count, 1, run_timed, &timed);
    int64_t wall_ns = (int64_t)(ecs_os_now() - start), sum_ns = 0;
    for (int32_t w = 0; w < workers->count; w++) sum_ns += workers->list[w].shared_ns;
    if (count) rt__meter_add(&rt->meter, sum_ns - wall_ns, sum_ns / count - wall_ns);
}
