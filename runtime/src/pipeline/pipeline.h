// SPDX-License-Identifier: MIT
// pipeline: which systems run, in which order, and whether that changed.
//
// The object behind a pipeline entity. The list is compared with the query only after the world
// changed, unless the query asks for more than tables tell; a steady tick looks at two stamps.
// Compiling and running the list is tick/'s part, which keeps its result here.
#ifndef RT_PIPELINE_PIPELINE_H
#define RT_PIPELINE_PIPELINE_H

#include <muster/runtime/pipeline.h>
#include "system/system.h"

struct rt_schedule_t;

/** So many schedules of other lists, or of what is left of them, are kept: systems that are switched on and off, between ticks or within them,
 * give the same ones again. */
#define RT_SCHEDULES_KEPT 7

/** A system with what it is ordered by, unless the query has an order of its own. */
typedef struct rt_place_t {
    int32_t depth; /* of the cascade term; negative if the deepest come first */
    ecs_entity_t id;
} rt_place_t;

/** A system with what a schedule depends on beside it. */
typedef struct rt_listed_t {
    rt_system_t *system;
    ecs_entity_t fixed_step; /* with which it steps; 0: with none */
    bool active;
    bool asks;    /* it depends on its tick source whether it runs */
    bool is_left; /* in schedules: to be run; false: it was before, in the run that goes on */
} rt_listed_t;

static inline bool rt__is_listed_as(const rt_listed_t *a, const rt_listed_t *b) {
    return a->system == b->system && a->fixed_step == b->fixed_step && a->active == b->active &&
           a->asks == b->asks && a->is_left == b->is_left;
}

/** A system as the query returned it, to notice changes. */
typedef struct rt_found_t {
    ecs_entity_t id;
    uint64_t table; /* number of its table, which says what it depends on */
} rt_found_t;

struct rt_pipeline_t {
    ecs_header_t hdr;
    rt_t *rt;
    ecs_entity_t id;
    ecs_query_t *query;      /* NULL: deleted while it runs */
    ecs_entity_t depth_over; /* relationship of the cascade term, 0 without one */
    bool deepest_first;      /* of that term */
    bool own_order;          /* the query has an order or groups: systems run as it returns them */
    bool is_fickle;          /* what the query returns may change while tables stay as they are */
    bool main_only;          /* EcsOnStart */

    /* made by rt__pipeline_update */
    rt_found_t *found; /* in the order of the query */
    int32_t found_count;
    rt_place_t *places;  /* in order */
    rt_listed_t *list;   /* in the order of places */
    int32_t count, size; /* of places, list */
    uint64_t structure;  /* ecs_ext_structure_stamp of the last look */
    uint64_t changes;    /* rt_t.changes of the last look, */
    uint64_t version;    /* and rt_t.systems_version */
    uint64_t query_stamp;

    /* tick/ */
    struct rt_schedule_t *schedule;
    struct rt_schedule_t *kept[RT_SCHEDULES_KEPT]; /* the newest first */
    bool partial;        /* made in the middle of a tick, from the systems that were left */
    int32_t block_first; /* stretch with which the block that runs begins */
    rt_place_t ran_last; /* of the system that ran last, which may be gone; all zero: before all */
    void (*schedule_free)(struct rt_schedule_t *schedule);
};

/** The pipeline object of an entity, NULL if it is none. */
rt_pipeline_t *rt__pipeline_of(const ecs_world_t *world, ecs_entity_t entity);
/** The same; for 0 the one that ecs_progress runs. */
rt_pipeline_t *rt__pipeline_find(const ecs_world_t *world, ecs_entity_t entity);

/** Free one that was deleted while it ran. */
void rt__pipeline_free(rt_pipeline_t *pipeline);

/** True if nothing can have changed since the last look. */
static inline bool rt__pipeline_is_current(const rt_pipeline_t *pipeline) {
    return pipeline->structure == *pipeline->rt->structure &&
           pipeline->changes == pipeline->rt->changes && !pipeline->is_fickle;
}

/** Bring the list up to date. True if the schedule has to be made anew. */
bool rt__pipeline_update(rt_pipeline_t *pipeline);
/** In a run, before an update: note which systems are to run, and after it: newcomers run if they stand behind the system that ran last. Others
 * do not miss their turn, wherever they are moved. */
void rt__pipeline_see(const rt_pipeline_t *pipeline);
void rt__pipeline_meet(const rt_pipeline_t *pipeline);
/** Place of a system that is in the list. */
rt_place_t rt__pipeline_place(const rt_pipeline_t *pipeline, const rt_system_t *system);

/** The builtin pipeline and that of EcsOnStart. */
void rt__pipelines_init(rt_t *rt, ecs_entity_t scope);

#endif
