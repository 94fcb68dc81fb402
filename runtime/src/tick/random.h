// SPDX-License-Identifier: MIT
// random: what is behind ecs_iter_random: a hash, and how often rows asked.
//
// Workers count for the systems of a stretch. A system that is run by hand counts on its own: others may be run at the same time on
// stages of the user, and who runs it from a system goes on counting.
#ifndef RT_TICK_RANDOM_H
#define RT_TICK_RANDOM_H

#include <muster/ecs/ecs.h>
#include "runtime.h"

/** How often the rows of the present result asked for random numbers; see ecs_iter_random. */
typedef struct rt_random_t {
    const ecs_query_t *query; /* these four tell results apart; entities NULL = none yet */
    const ecs_entity_t *entities;
    int32_t count, frame_offset; /* count -1: another system begins */
    uint64_t key;                /* of everything but row and turn */
    /* What it was made of last, as results mostly have the same ids, and may have one row each. */
    uint64_t system_key; /* of seed, time and system */
    ecs_entity_t system;
    int32_t id_count; /* -1: not known */
    ecs_id_t ids[FLECS_TERM_COUNT_MAX];
    uint32_t *asked; /* per row */
    int32_t size;
} rt_random_t;

/** Counters of a thread that runs a system by hand; of no world if it does not. */
typedef struct rt_own_random_t {
    const rt_t *rt;
    rt_random_t random;
} rt_own_random_t;

/** Room for results of so many rows. */
void rt__random_reserve(rt_random_t *random, int32_t rows);
/** Another system begins to ask, behind none of its results. */
static inline void rt__random_forget(rt_random_t *random) {
    random->entities = NULL;
    random->count = -1;
}
/** This thread runs a system of this world by hand, with the world or a stage; rt__random_end() gets what is returned. */
rt_own_random_t rt__random_begin(const rt_t *rt, const ecs_world_t *stage);
void rt__random_end(const rt_t *rt, const ecs_world_t *stage, rt_own_random_t outer);

/** A number that looks unrelated to `x`, always the same for the same `x`. */
uint64_t rt__mix(uint64_t x);

#endif
