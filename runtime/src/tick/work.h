// SPDX-License-Identifier: MIT
// work: what a stretch for workers holds beside its schedule: quanta, slots, jobs, plan. It follows the tables.
#ifndef RT_TICK_WORK_H
#define RT_TICK_WORK_H

#include <muster/scheduler/graph.h>
#include "schedule/schedule.h"
#include "system/run.h"
#include "tick/chunk.h"
#include "tick/workers.h"

/** What a node of the plan is given. */
typedef struct rt_job_t {
    rt_work_t *work;
    const rt_layout_t *layout;
    int32_t group_first;  /* first system of the group */
    int32_t first, count; /* systems of the node */
    bool split;
    bool is_whole; /* a plain system that is not cut at present */
    int32_t name;  /* in the trace that is taken */
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
    rt_layout_t *layouts;  /* per group, */
    int32_t layout_count;  /* and some more */
    int32_t *slots_before; /* per system: number of its first slot */
    int32_t slot_count;
    rt_job_t *jobs; /* per node */
    int32_t job_count;
    int32_t most_fused;                     /* systems in one node */
    sched_plan_t *plan;                     /* NULL until there is a pool */
    bool plan_is_current;                   /* its ranges are those of the layouts */
    int32_t runs_alone;                     /* to be done in order, without asking the scheduler */
    uint64_t structure;                     /* ecs_ext_structure_stamp when it was made */
    uint64_t *match_versions, *match_lists; /* per system: rt_matches_t.version and .listed */
    ecs_ext_slots_t *slots;

    /* of the present run */
    rt_call_t *own_calls; /* per system, of those with a tick source */
    bool *ticks;          /* per system: runs in this frame */
    bool has_tick_sources;
    int64_t *spent_ns; /* per worker and system, while times are measured */
    int32_t spent_workers;

    /* while times are taken */
    rt_job_time_t *times; /* per worker, time_stride apart, and node */
    int32_t time_stride, time_size;
};

/** Bring groups, quanta, graph and plan of a stretch for workers up to date. */
void rt__work_prepare(rt_t *rt, rt_stretch_t *stretch);
/** Free what the stretches of a schedule hold, then the schedule. */
void rt__schedule_free(rt_schedule_t *schedule);

#endif
