// SPDX-License-Identifier: MIT
// workers: the pool, one stage per worker, and what a worker needs while it runs systems.
//
// Worker 0 is the thread of the world. A pool exists only with more than one worker, or to shuffle
// orders for tests; with none, stretches are simply run in order. The number of workers decides
// nothing but speed.
#ifndef RT_TICK_WORKERS_H
#define RT_TICK_WORKERS_H

#include <muster/runtime/frame.h>
#include <muster/scheduler/pool.h>
#include "runtime.h"
#include "tick/random.h"

typedef struct rt_post_action_t {
    ecs_fini_action_t action;
    void *ctx;
    uint64_t order; /* of the quantum that asked for it */
    int32_t turn;   /* among those of one worker */
} rt_post_action_t;

typedef struct rt_post_actions_t {
    rt_post_action_t *items;
    int32_t count, size;
} rt_post_actions_t;

typedef struct rt_worker_t {
    _Alignas(64) ecs_world_t *world; /* its stage */
    ecs_stage_t *stage;
    uint64_t order; /* of what runs now: number of the stretch in the frame, slot */
    rt_random_t random;
    ecs_iter_t it;   /* of system after system; no job of a worker runs inside another */
    ecs_iter_t *its; /* of fused systems that take turns */
    int32_t it_count;
    int64_t shared_ns;          /* in parts of a merge; see tick/times.h */
    rt_post_actions_t post;     /* for after the frame */
    rt_random_t *spare_randoms; /* memory for systems that are run by hand, one inside another */
    int32_t spare_count, spare_size;
} rt_worker_t;

struct rt_workers_t {
    sched_pool_t *pool;
    ecs_ext_crew_t crew; /* the same for merges */
    uint32_t version;    /* raised when the pool or the number of workers may have changed */
    rt_worker_t *list;
    void *memory; /* of list, before alignment */
    int32_t count;
    rt_post_actions_t spare; /* memory for those of a frame */
};

/** Make `count` workers (at least 1), with a pool if there is use for it. */
void rt__workers_set(rt_t *rt, int32_t count);
void rt__workers_fini(rt_t *rt);
/** How pools and graphs get memory and threads, and tell what is wrong. */
sched_pool_desc_t rt__pool_desc(rt_t *rt);
/** Make or end the pool as it is wanted now; with task threads there is one inside of frames only. */
void rt__workers_update_pool(rt_t *rt);
/** Room for the iterators of so many fused systems. */
void rt__workers_reserve(rt_workers_t *workers, int32_t its);

/** The worker whose stage this is; worker 0 for the world and stages of the user. */
static inline rt_worker_t *rt__worker_of(const rt_t *rt, const ecs_world_t *stage) {
    int32_t id = ecs_stage_get_id(stage);
    return &rt->workers->list[id > 0 && id < rt->workers->count ? id : 0];
}
/** Tell a worker that another system or quantum begins. */
static inline void rt__worker_begin(rt_worker_t *worker, uint64_t order) {
    worker->order = order;
    rt__random_forget(&worker->random);
}

/** True for the stage of a worker: nobody else uses it. Threads: any. */
bool rt__workers_is_own(const rt_t *rt, const ecs_world_t *stage);
/** True for the stage of a worker in a stretch of systems that workers run. Threads: any. */
bool rt__workers_in_job(const rt_t *rt, const ecs_world_t *stage);
/** Note an action for after the frame. Threads: any worker, with its stage. */
void rt__workers_add_post(rt_t *rt, const ecs_world_t *stage, ecs_fini_action_t action, void *ctx);
/** Run these actions, in the order in which one worker would have given them. */
void rt__workers_run_post(rt_t *rt);

#endif
