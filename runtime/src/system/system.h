// SPDX-License-Identifier: MIT
// system: the object behind a system entity.
//
// Bound to (EcsPoly, EcsSystem) of its entity and freed with it; while a pipeline runs, freeing
// waits until the pipeline ended. Everything that a schedule depends on is told by rt__systems_changed
// when it changes.
#ifndef RT_SYSTEM_SYSTEM_H
#define RT_SYSTEM_SYSTEM_H

#include <muster/runtime/system.h>
#include "system/access.h"
#include "system/matches.h"

/** Who runs a system; neighbours of different kinds are separated by a merge. */
typedef enum rt_kind_t {
    RT_KIND_MAIN,     /* the thread of the world */
    RT_KIND_WORKERS,  /* any worker, recording into slots */
    RT_KIND_IMMEDIATE /* the thread of the world, world writable */
} rt_kind_t;

struct rt_system_t {
    ecs_system_t pub; /* first: what ecs_system_get returns */
    rt_t *rt;
    ecs_entity_t id;
    rt_access_t access;
    rt_matches_t matches; /* kept by tick/work, for systems that workers run */
    double time_spent;    /* that of pub, which is too coarse to add to */
    ecs_entity_t phase;   /* that it was given last, if it was */
    /* kept while a pipeline runs, if systems changed */
    int64_t done_in; /* number of the run or step that is done with it */
    int64_t block;   /* number of the block that it was in last */
    int64_t seen;    /* number of the schedule before which it was among those to run */
    bool has_this;   /* some term is about $this; otherwise there are no rows to split */
    rt_system_t *next_dead;
};

/** A run, or a part of one, took some time. */
static inline void rt__system_took(rt_system_t *system, int64_t ns) {
    rt_t *rt = system->rt;
    rt__add_time(&system->time_spent, &system->pub.time_spent, ns);
    rt__add_time(&rt->system_time, &rt->info->system_time_total, ns);
}

/** The system object of an entity, NULL if it is none. */
rt_system_t *rt__system_of(const ecs_world_t *world, ecs_entity_t entity);

static inline rt_kind_t rt__system_kind(const rt_system_t *system) {
    if (system->pub.immediate) return RT_KIND_IMMEDIATE;
    return system->pub.multi_threaded || system->pub.any_thread ? RT_KIND_WORKERS : RT_KIND_MAIN;
}

/** It takes part in the block that runs. */
static inline bool rt__is_in_block(const rt_system_t *system) {
    return system->block == system->rt->block_number;
}

/** False if the query matches no table at present. Brings the query up to date. */
bool rt__system_is_active(const rt_system_t *system);

/** Tags became components, or the other way round: what systems access follows from that. */
void rt__systems_follow_types(rt_t *rt);

/** Free what was deleted while a pipeline ran. */
void rt__systems_free_dead(rt_t *rt);

#endif
