// SPDX-License-Identifier: MIT
// runtime: the root of this module in a world: workers, pipelines, clock. Found from any world or
// stage.
//
// Owned by the thread of the world. While a stretch runs on workers, they read it and write only
// their own rt_worker_t.
#ifndef RT_RUNTIME_H
#define RT_RUNTIME_H

#include <muster/ecs/ecs.h>
#include <muster/ecs/extend.h>
#include "observe/meter.h"

typedef struct rt_t rt_t;
typedef struct rt_system_t rt_system_t;
typedef struct rt_pipeline_t rt_pipeline_t;
typedef struct rt_workers_t rt_workers_t;
typedef struct rt_inbox_t rt_inbox_t;
typedef struct rt_background_job_t rt_background_job_t;

/** So many jobs in the background are kept apart; a power of two. */
#define RT_JOB_SHELVES 512

/** What one run of a system is given. */
typedef struct rt_call_t {
    ecs_ftime_t delta_time;  /* scaled */
    ecs_ftime_t system_time; /* since the system ran before */
    void *param;             /* NULL = the system's ctx */
} rt_call_t;

struct rt_t {
    ecs_world_t *world;
    ecs_world_info_t *info;
    const uint64_t *structure; /* see ecs_ext_structure_stamp */
    const uint64_t *types;     /* see ecs_ext_types_stamp */
    uint64_t seen_types;       /* those that systems know */

    rt_workers_t *workers;
    rt_inbox_t *inbox;                     /* with `background` all that other threads touch */
    struct rt_recording_t *recording;      /* NULL: nothing is recorded */
    bool replays;                          /* a log: the inbox listens to nobody else */
    struct sched_background_t *background; /* NULL before the first job */
    int64_t job_count;                     /* that ever began */
    int32_t background_threads;            /* 0: as many as usual */
    bool task_threads; /* workers are made by ecs_os_api.task_new_, for a frame each */

    rt_pipeline_t *pipeline; /* what ecs_progress runs; NULL when it was deleted */
    rt_pipeline_t *start;    /* systems of EcsOnStart; deleted after the first tick */
    rt_pipeline_t *running;  /* a pipeline runs; freed behind its run if it is deleted */
    int64_t run_began;       /* number of that run */
    int64_t run_number;      /* the same, or that of a step in it, which are numbered on */
    int64_t block_number;    /* that of the first step of the last block */
    uint64_t changes; /* counts what pipelines have to look at, if the structure tells nothing */
    uint64_t systems_version; /* the last one that made, deleted or changed a system */
    rt_system_t *dead;        /* deleted while a pipeline ran: freed when it ended */

    double frame_time, system_time,
        merge_time; /* seconds in all: those of info are too coarse to add to */

    bool measure_systems; /* copies of the world's flags that a tick needs often */
    bool measure_frames;
    bool takes_times; /* the pipeline that runs now is metered or traced */
    rt_meter_t meter;
    struct rt_trace_t *trace; /* NULL: none is taken */
    uint64_t traced_since_ns; /* when the frame began; 0: before the trace */
    bool samples_stats;       /* FlecsStats is there */
    bool frame_begun;
    bool takes_inbox;        /* what was submitted is done, with which the frame begins */
    uint32_t stretch_number; /* stretches of this frame that ended or run */
    rt_call_t call;          /* of systems that ask no tick source, in the run of a pipeline */
    ecs_entity_t fixed_step; /* of the block that runs; 0: none does */
    int64_t step;            /* its number, from 1 on */
    uint64_t stepless;       /* structure in which there are no fixed steps; 0: there may be some */
    uint64_t frame_start_ns; /* of the last frame; 0: it was not measured */

    uint64_t seed;
    uint64_t schedule_seed;
    bool randomize_timers;
    rt_background_job_t *jobs[RT_JOB_SHELVES]; /* not done yet, by their number */
    rt_background_job_t *kept_jobs;            /* memory of others */
};

/** The root, or NULL in a world without runtime. Accepts a stage. */
static inline rt_t *rt__of(const ecs_world_t *world) { return ecs_ext_get_runtime(world); }

/** Schedules made so far do not come again. */
static inline void rt__systems_changed(rt_t *rt) { rt->systems_version = ++rt->changes; }

/** Add to a time of which `shown` is what others see. After an hour little would be nothing for that. */
static inline void rt__add_time(double *sum, ecs_ftime_t *shown, int64_t ns) {
    *sum += (double)ns * 1e-9;
    *shown = (ecs_ftime_t)*sum;
}

/** Pointers that the caller has to give. [chk] */
#define RT_GIVEN(pointers) \
    ecs_assert(pointers, ECS_INVALID_PARAMETER, "NULL was given for a pointer that is needed")

/** The caller may change the world. For functions with the label `error`. [chk] */
#define RT_CHECK_WRITER(world)                        \
    do {                                              \
        if (!ecs_ext_check_writer(world)) goto error; \
    } while (0)

/** Changes made through the world, or this stage, wait, or would but for ecs_defer_suspend(): between the two something is being changed,
 * which no tick may come across. */
static inline bool rt__is_amid_changes(const ecs_world_t *world) {
    return ecs_is_deferred(world) || ecs_is_defer_suspended(world);
}

/** An entity in messages, for "%u (%s)". */
#define RT_CALLED(world, entity) (uint32_t)(entity), rt__called(world, entity)
static inline const char *rt__called(const ecs_world_t *world, ecs_entity_t entity) {
    const char *name = entity && ecs_is_alive(world, entity) ? ecs_get_name(world, entity) : NULL;
    return name ? name : "without name";
}

/** [chk] The caller may change the world, which is no stage, not readonly, and does not end. */
bool rt__may_import(const ecs_world_t *world);
/** Attach the runtime to a world and make its builtin entities. Nothing happens if it is there
 * already. False if it may not be imported. */
bool rt__attach(ecs_world_t *world);

/** A growing array of pointers or plain values: room for one more element. */
#define RT_ROOM(array, count, size)                                         \
    do {                                                                    \
        if ((count) == (size)) {                                            \
            (size) = (size) ? (size)*2 : 8;                                 \
            (array) = ecs_os_realloc((array), (size)*ECS_SIZEOF(*(array))); \
        }                                                                   \
    } while (0)

#endif
