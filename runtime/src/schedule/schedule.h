// SPDX-License-Identifier: MIT
// schedule: a pipeline compiled into stretches with a merge after each.
//
// Made from an ordered list of systems, of which those that match something (active ones) are run.
// The list of stretches stays until systems change; graphs inside stretches for workers follow the
// tables that match (tick/work keeps them current). Neighbouring stretches with one fixed step are a block, which
// is run as a whole in each step.
#ifndef RT_SCHEDULE_SCHEDULE_H
#define RT_SCHEDULE_SCHEDULE_H

#include "pipeline/pipeline.h"
#include "schedule/graph.h"
#include "schedule/sync.h"
#include "system/run.h"

/** What tick/work keeps for a stretch of workers. */
typedef struct rt_work_t rt_work_t;

typedef struct rt_stretch_t {
    rt_kind_t kind;
    rt_system_t **systems; /* part of rt_schedule_t.systems */
    rt_run_t *runs;        /* part of rt_schedule_t.runs */
    ecs_ext_start_t *starts;
    int32_t count;
    int32_t part_end;        /* first stretch behind it of another fixed step */
    ecs_entity_t fixed_step; /* of all its systems; 0: none */
    uint64_t structure;      /* ecs_ext_structure_stamp in the last tick */
    uint64_t prepared;       /* the one for which starts of runs are prepared */
    uint32_t workers;        /* rt_workers_t.version in the last tick; RT_KIND_WORKERS */
    rt_merge_t merge;        /* why there is a merge behind it */
    rt_graph_t graph;        /* RT_KIND_WORKERS */
    rt_work_t *work;         /* RT_KIND_WORKERS: made, and freed, by tick/work */
} rt_stretch_t;

typedef struct rt_schedule_t {
    rt_system_t **systems;   /* active ones in order */
    rt_run_t *runs;          /* of the same */
    ecs_ext_start_t *starts; /* of the same: how their iterations begin */
    int32_t count;
    rt_stretch_t *stretches;
    int32_t stretch_count, stretch_size;
    rt_listed_t *listed; /* the list it was made of; */
    int32_t listed_count;
    uint64_t version; /* and rt_pipeline_t.version then */
} rt_schedule_t;

/** Compile the systems of a pipeline. While it runs those that are left: in the step of the block that runs, else in all. */
void rt__schedule_build(rt_schedule_t *schedule, const rt_pipeline_t *pipeline);
/** True if building would give the same. */
bool rt__schedule_fits(const rt_schedule_t *schedule, const rt_pipeline_t *pipeline);
void rt__schedule_fini(rt_schedule_t *schedule);

/** Text and Graphviz forms of the schedule of a pipeline; the caller frees them. The text tells, too, which systems do not run, and why. */
char *rt__schedule_str(const rt_pipeline_t *pipeline, const char *title);
char *rt__schedule_dot(const rt_pipeline_t *pipeline, const char *title);
/** If the id is of pairs that may have no values, but count as if, as any target may be a component: how to say that they have none. */
void rt__append_hint_of_pairs(ecs_strbuf_t *text, const ecs_world_t *world, ecs_id_t id);
/** Why there is a merge. */
char *rt__merge_str(const rt_merge_t *merge, const ecs_world_t *world);

#endif
