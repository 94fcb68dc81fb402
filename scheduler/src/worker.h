// SPDX-License-Identifier: MIT
// worker: the pool's root struct, what workers do when they have no job, and visits to ranges.
//
// Work is found through slots. A slot is taken by a running plan or by a parallel-for (a loop); it
// says who started it, inside which other slot, and how many of its ranges have units to claim.
// Idle workers read nothing but slots, which live as long as the pool, so nobody waits for them
// when a run ends.
//
// Liveness: whoever opens a range claims from it until nothing is left, whether or not others come.
// So waking workers is a matter of speed, except for two cases that are announced to one sleeping
// worker: the end of what it waits for, and nodes that only it may run.
//
// Waiting inside a job: only ranges of the slot one waits for and of slots below it (by `parent`)
// are helped with. So what runs on top of a waiting job is part of it, nothing a job waits for can
// be buried under it, and no unrelated long job delays it.
#ifndef SCHED_WORKER_H
#define SCHED_WORKER_H

#include "atomics.h"
#include "claim.h"
#include "clock.h"
#include "host.h"
#include "park.h"

#include <muster/scheduler/graph.h>
#include <pthread.h>

#define SCHED__SLOTS 64
#define SCHED__NO_SLOT UINT32_MAX
#define SCHED__COST_ENTRIES 16

/* How long calls of one callback take, learned by one worker for its own parallel-fors. */
typedef struct sched__cost_t {
    sched_range_fn fn;
    double item_ns;
} sched__cost_t;

typedef struct sched__worker_t {
    /* Constant after creation. */
    _Alignas(SCHED_CACHE_LINE) sched_pool_t *pool;
    uint64_t bit;
    uint32_t index;
    uintptr_t thread; /* not for worker 0 */

    /* The worker's own. */
    uint32_t slot;          /* what the job it runs belongs to */
    bool is_idle;           /* counted in pool->spinning; also while it runs something brief */
    bool is_fresh;          /* was idle or asleep: wakes others when it finds work for them, too */
    uint64_t rng, rng_seed; /* state of the shuffle, and the seed it started from */
    sched__cost_t costs[SCHED__COST_ENTRIES];

    /* Counters written by the worker, read by anybody. */
    uint64_t claims, wakes, parks;

    /* Shared. `visits` is the plan an idle worker looks into: it will not be freed (see run.c). */
    _Alignas(SCHED_CACHE_LINE) sched__event_t event;
    sched_plan_t *visits;
} sched__worker_t;

typedef struct sched__slot_t {
    sched__range_t range; /* of a loop; its cells are the pool's */
    /* Shared; all of it may be read by late workers, who prove afterwards that it was current. */
    _Alignas(SCHED_CACHE_LINE) uint32_t work; /* ranges announced and not exhausted */
    uint32_t caller_work;                     /* nodes that wait for the owner */
    uint32_t parent;                          /* slot of the job that started this, or NO_SLOT */
    uint32_t owner;                           /* worker that waits for this */
    uint32_t may_wake;                        /* large enough to wake sleeping workers */
    sched_plan_t *plan;                       /* NULL: a loop */
} sched__slot_t;

/* Root of the module. Created and verified in pool.c. */
struct sched_pool_t {
    /* Constant after creation. */
    sched__host_t host;
    sched_pool_desc_t desc;
    char name[12];
    void *raw, *raw_workers, *raw_slots, *raw_cells; /* what to free */
    sched__worker_t *workers;
    sched__slot_t *slots;
    sched__cell_t *cells;
    uint32_t count;
    uint64_t helpers; /* bits of all workers but 0 */
    bool may_spin;
    double ns_per_tick, inline_ns, wake_ns;
    uint64_t spin_ticks;

    pthread_t owner; /* worker 0; changed by sched_pool_adopt */

    /* Plans that ran here last, so that either may be destroyed first. */
    pthread_mutex_t plans_lock; /* guards plans and the links in them */
    sched_plan_t *plans;

    /* Shared. */
    _Alignas(SCHED_CACHE_LINE) uint64_t open; /* slots in use */
    uint64_t seed;                            /* of the shuffle; 0: off */
    uint32_t stop;
    _Alignas(SCHED_CACHE_LINE) uint64_t idle; /* workers asleep for want of any work */
    uint64_t waiting;                         /* workers asleep until what they wait for goes on */
    uint32_t spinning;                        /* workers awake and looking for any work */
};

/* The calling thread in `pool`; if it is not part of it, aborts through the hook, returns NULL. */
sched__worker_t *sched__worker_self(sched_pool_t *pool, const char *function);

/* Same, NULL for foreign threads. */
sched__worker_t *sched__worker_find(const sched_pool_t *pool);

/* Thread body of workers other than 0. */
void *sched__worker_main(void *worker);

/* Take a free slot; NO_SLOT if there is none. `plan` is NULL for loops. */
uint32_t sched__slot_take(sched__worker_t *worker, sched_plan_t *plan, bool may_wake);
void sched__slot_release(sched_pool_t *pool, uint32_t slot);

/* Is any helper awake and free, so that it joins without being woken? */
bool sched__has_awake_helper(const sched_pool_t *pool);

/* Something to claim has been published in `slot`: tell up to `wanted` workers who sleep. */
void sched__notify(sched__worker_t *worker, uint32_t slot, uint32_t wanted);

/* The worker that waits for a slot can go on. Read the owner before what lets it go on. */
void sched__notify_owner(sched__worker_t *worker, uint32_t owner);

/* State of the worker's shuffle; NULL if it is off. */
uint64_t *sched__worker_rng(sched__worker_t *worker);

/* A range somebody may claim from: a loop, or the node at `position` of a plan. */
typedef struct sched__job_t {
    sched__range_t *range;
    sched_plan_t *plan; /* NULL: a loop */
    uint32_t position;
    uint32_t slot; /* of a loop; for a node it is read from the plan once a claim protects it */
    uint32_t generation;
} sched__job_t;

typedef enum { SCHED__NOTHING, SCHED__WORKED, SCHED__FINISHED } sched__outcome_t;

/* Claim and run units until there are none to claim. FINISHED: this call finished the last units,
 * and what comes after the range is for the caller to do. */
sched__outcome_t sched__work(sched__worker_t *worker, const sched__job_t *job);

/* The same for a loop, including what comes after. Returns whether it ran any units. */
bool sched__help_loop(sched__worker_t *worker, uint32_t slot, uint32_t generation);

/* Help with one loop below `ancestor`, if there is any. */
bool sched__help_below(sched__worker_t *worker, uint32_t ancestor);

/* Since when a worker has found nothing to do, in ticks; 0 at first and after each success. */
typedef struct sched__search_t {
    uint64_t since, last_open; /* last_open: a slot was in use */
    uint64_t offered;          /* when the processor was offered to others */
} sched__search_t;

/* One step of waiting for `slot` when there was nothing to help with: spin, or sleep if the search
 * takes long. is_done(ctx) says whether the wait is over. */
void sched__wait_step(sched__worker_t *worker, uint32_t slot, sched__search_t *search,
    bool (*is_done)(void *ctx), void *ctx);

#endif
