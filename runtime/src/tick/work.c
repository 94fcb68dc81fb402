// SPDX-License-Identifier: MIT
#include "tick/work.h"

#include "tick/node.h"

// A group is fused when its rows do not fit an L2 cache, and stays fused until they are well below. Where few of its systems could run
// at the same time, on average, it is fused as soon as there are rows to share: workers need not wait for each other after each system
// then. Constants, so that machines agree on the order; results do not depend on it.
#define FUSE_CHAIN_BYTES (64 * 1024)
#define FEW_AT_A_TIME 4 /* less than that */

static bool should_fuse(const rt_group_t *group, int64_t bytes) {
    bool is_narrow = FEW_AT_A_TIME * group->depth > group->count;
    int64_t limit = is_narrow ? FUSE_CHAIN_BYTES : RT_CACHE_BYTES;
    return group->count > 1 && bytes > (group->fused ? limit / 2 : limit);
}

static rt_work_t *make_work(rt_t *rt, const rt_stretch_t *stretch) {
    rt_work_t *work = ecs_os_calloc_t(rt_work_t);
    int32_t count = stretch->count;
    work->rt = rt;
    work->systems = stretch->systems;
    work->runs = stretch->runs;
    work->starts = stretch->starts;
    work->system_count = count;
    work->slots_before = ecs_os_calloc_n(int32_t, count);
    work->match_versions = ecs_os_calloc_n(uint64_t, count);
    work->match_lists = ecs_os_calloc_n(uint64_t, count);
    work->own_calls = ecs_os_calloc_n(rt_call_t, count);
    work->ticks = ecs_os_malloc_n(bool, count);
    work->jobs = ecs_os_malloc_n(rt_job_t, count); /* at most as many as systems */
    for (int32_t i = 0; i < count; i++) {
        work->ticks[i] = true;
        work->has_tick_sources |= work->runs[i].tick_source != 0;
    }
    work->slots = ecs_ext_slots_new();
    return work;
}

static void free_work(rt_work_t *work) {
    if (!work) return;
    for (int32_t i = 0; i < work->layout_count; i++) rt__layout_fini(&work->layouts[i]);
    sched_plan_destroy(work->plan);
    ecs_ext_slots_free(work->slots);
    ecs_os_free(work->layouts);
    ecs_os_free(work->slots_before);
    ecs_os_free(work->jobs);
    ecs_os_free(work->match_versions);
    ecs_os_free(work->match_lists);
    ecs_os_free(work->own_calls);
    ecs_os_free(work->ticks);
    ecs_os_free(work->spent_ns);
    ecs_os_free(work->times);
    ecs_os_free(work);
}

static bool follow(uint64_t *known, uint64_t now) {
    const bool changed = *known != now;
    *known = now;
    return changed;
}

// What was planned holds as long as the systems match the same tables; *relist: but not the layouts.
static bool update_matches(rt_work_t *work, bool *relist) {
    bool changed = false;
    for (int32_t i = 0; i < work->system_count; i++) {
        rt_system_t *system = work->systems[i];
        rt__matches_update(&system->matches, &system->access, system->pub.query);
        changed |= follow(&work->match_versions[i], system->matches.version);
        *relist |= follow(&work->match_lists[i], system->matches.listed);
    }
    return changed;
}

// Those that are too many now keep their memory.
static void reserve_layouts(rt_work_t *work, int32_t count) {
    if (count <= work->layout_count) return;
    work->layouts = ecs_os_realloc_n(work->layouts, rt_layout_t, count);
    ecs_os_memset_n(work->layouts + work->layout_count, 0, rt_layout_t, count - work->layout_count);
    work->layout_count = count;
}

static void make_layouts(rt_work_t *work, const rt_graph_t *graph) {
    reserve_layouts(work, graph->group_count);
    for (int32_t g = 0; g < graph->group_count; g++) {
        const rt_group_t *group = &graph->groups[g];
        rt_layout_t *layout = &work->layouts[g];
        if (!group->split)
            rt__layout_whole(layout);
        else
            rt__layout_list(layout, work->rt->world, &work->systems[group->first], group->count);
    }
}

// Cut quanta, number slots, and decide which groups to fuse; true if that changed.
static bool cut_layouts(rt_work_t *work, rt_graph_t *graph) {
    bool changed = false;
    work->slot_count = 0;
    for (int32_t g = 0; g < graph->group_count; g++) {
        rt_group_t *group = &graph->groups[g];
        rt_layout_t *layout = &work->layouts[g];
        if (group->split) rt__layout_cut(layout);
        bool fused = should_fuse(group, layout->bytes);
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
    work->job_count = graph->node_count;
    work->most_fused = 0;
    for (int32_t i = 0; i < graph->node_count; i++) {
        const rt_node_t *node = &graph->nodes[i];
        work->most_fused = ECS_MAX(work->most_fused, node->count);
        const rt_group_t *group = &graph->groups[node->group];
        work->jobs[i] = (rt_job_t){ work, &work->layouts[node->group], group->first, node->first,
            node->count, group->split, false, -1 };
    }
}

static void find_whole(rt_work_t *work) {
    for (int32_t i = 0; i < work->job_count; i++) {
        rt_job_t *job = &work->jobs[i];
        job->is_whole =
            job->count == 1 && job->layout->quantum_count == 1 && work->runs[job->first].is_plain;
    }
}

// What goes over no entities stays on the calling thread, unless it may run on any.
static uint32_t node_flags(const rt_system_t *system) {
    return system->has_this || system->pub.any_thread ? 0 : SCHED_NODE_CALLER;
}

static void make_plan(rt_work_t *work, const rt_graph_t *graph) {
    const sched_pool_desc_t host = rt__pool_desc(work->rt);
    sched_graph_t *draft = sched_graph_create(&host);
    for (int32_t i = 0; i < work->job_count; i++) {
        const rt_job_t *job = &work->jobs[i];
        sched_graph_node(draft, &(sched_node_desc_t){ .name = work->systems[job->first]->pub.name,
                                    .fn = rt__node_run,
                                    .ctx = &work->jobs[i],
                                    .count = ECS_MAX(job->layout->quantum_count, 1),
                                    .grain = 1,
                                    .flags = node_flags(work->systems[job->first]) });
    }
    for (int32_t i = 0; i < graph->edge_count; i++) {
        sched_graph_edge(draft, graph->edges[i].from, graph->edges[i].to);
    }
    work->plan = sched_graph_freeze(draft, NULL);
    sched_graph_destroy(draft);
    ecs_assert(work->plan, ECS_INTERNAL_ERROR, "edges lead forward, so there is no cycle");
    sched_plan_set_serial(work->plan, rt__nodes_run, work);
}

static void set_ranges(rt_work_t *work) {
    for (int32_t i = 0; i < work->job_count; i++) {
        sched_plan_set_range(work->plan, i, work->jobs[i].layout->quantum_count, 1);
    }
}

static void forget_plan(rt_work_t *work) {
    sched_plan_destroy(work->plan);
    work->plan = NULL;
}

static void follow_tables(rt_work_t *work, rt_graph_t *graph) {
    bool relist = false, regroup = update_matches(work, &relist); /* both at first */
    if (regroup) rt__graph_group(graph, work->systems, work->system_count);
    if (regroup || relist) make_layouts(work, graph);
    if (cut_layouts(work, graph) || regroup) {
        if (rt__graph_connect(graph, work->systems)) forget_plan(work);
        make_jobs(work, graph);
    }
    find_whole(work);
    work->plan_is_current = false;
}

// There may be no pool now, and one again in the next tick.
static void follow_pool(rt_work_t *work, const rt_graph_t *graph) {
    if (!work->plan) make_plan(work, graph);
    set_ranges(work);
    work->runs_alone = 0;
    work->plan_is_current = true;
}

void rt__work_prepare(rt_t *rt, rt_stretch_t *stretch) {
    if (!stretch->work) stretch->work = make_work(rt, stretch);
    rt_work_t *work = stretch->work;
    uint64_t structure = *rt->structure;
    if (work->structure != structure) {
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
