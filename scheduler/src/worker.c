// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "worker.h"
#include "plan.h"

#include <sched.h>

// A claim that takes less leaves its worker as good as idle.
#define BRIEF_NS 10000
// Sleepers that one worker wakes, which takes it some microseconds each; until they run it is ten
// times as long.
#define MOST_WOKEN 4
// While anything runs more work may come at any time: then idle workers look for so many times as
// long.
#define PATIENCE 10

static _Thread_local sched__worker_t *current; /* set on threads that pools started */

sched__worker_t *sched__worker_find(const sched_pool_t *pool) {
    if (current && current->pool == pool) return current;
    return pthread_equal(pool->owner, pthread_self()) ? &pool->workers[0] : NULL;
}

sched__worker_t *sched__worker_self(sched_pool_t *pool, const char *function) {
    sched__worker_t *worker = sched__worker_find(pool);
    if (!worker) {
        sched__host_abort(&pool->host,
            "%s was called on a thread that is not part of the pool; call it on the "
            "thread that created the pool, or call sched_pool_adopt first",
            function);
    }
    return worker;
}

static void count_one(uint64_t *counter) { sched__store_64(counter, sched__load_64(counter) + 1); }

// ---- slots ----

uint32_t sched__slot_take(sched__worker_t *worker, sched_plan_t *plan, bool may_wake) {
    sched_pool_t *pool = worker->pool;
    uint64_t open = sched__load_64(&pool->open);
    uint32_t index;
    do {
        if (!~open) return SCHED__NO_SLOT;
        index = sched__first_bit(~open);
    } while (!sched__cas_64(&pool->open, &open, open | UINT64_C(1) << index));
    sched__slot_t *slot = &pool->slots[index];
    sched__store_32(&slot->parent, worker->slot);
    sched__store_32(&slot->owner, worker->index);
    sched__store_32(&slot->may_wake, may_wake);
    sched__store_release_ptr(&slot->plan, plan);
    return index;
}

void sched__slot_release(sched_pool_t *pool, uint32_t index) {
    sched__store_release_ptr(&pool->slots[index].plan, NULL);
    sched__clear_bits_64(&pool->open, UINT64_C(1) << index);
}

// Was `slot` started by a job of `ancestor`, directly or not? The chain of parents is stable while
// the slot has unfinished units, which the caller proves by claiming one.
static bool is_below(const sched_pool_t *pool, uint32_t slot, uint32_t ancestor) {
    for (uint32_t steps = 0; steps < SCHED__SLOTS && slot != SCHED__NO_SLOT; steps++) {
        slot = sched__load_32(&pool->slots[slot].parent);
        if (slot == ancestor) return true;
    }
    return false;
}

// ---- waking ----

static bool wake(sched__worker_t *worker, uint64_t *mask, uint32_t index) {
    sched__worker_t *other = &worker->pool->workers[index];
    if (!sched__unpark(mask, other->bit, &other->event)) return false;
    count_one(&worker->wakes);
    return true;
}

bool sched__has_awake_helper(const sched_pool_t *pool) {
    return sched__load_32(&pool->spinning) > 0;
}

void sched__notify_owner(sched__worker_t *worker, uint32_t owner) {
    sched_pool_t *pool = worker->pool;
    sched__fence(); /* pairs with the fence in sched__park */
    if (sched__load_64(&pool->waiting) & pool->workers[owner].bit)
        wake(worker, &pool->waiting, owner);
}

// Owners that sleep above a slot may help with it.
static uint32_t wake_owners(sched__worker_t *worker, uint32_t slot, uint32_t wanted) {
    sched_pool_t *pool = worker->pool;
    uint32_t woken = 0;
    for (uint32_t steps = 0; steps < SCHED__SLOTS && slot != SCHED__NO_SLOT; steps++) {
        if (woken == wanted || !sched__load_64(&pool->waiting)) break;
        woken += wake(worker, &pool->waiting, sched__load_32(&pool->slots[slot].owner));
        slot = sched__load_32(&pool->slots[slot].parent);
    }
    return woken;
}

// A tree: some are woken here, each wakes more if there is more work (is_fresh).
void sched__notify(sched__worker_t *worker, uint32_t slot, uint32_t wanted) {
    sched_pool_t *pool = worker->pool;
    if (!wanted) return;
    sched__fence(); /* pairs with the fence in sched__park */
    if (wanted > MOST_WOKEN) wanted = MOST_WOKEN;
    if (sched__load_64(&pool->waiting)) wanted -= wake_owners(worker, slot, wanted);
    if (!sched__load_64(&pool->idle) || !sched__load_32(&pool->slots[slot].may_wake)) return;
    /* Whoever spins will come by itself, or sees the work in its last look before it sleeps. */
    for (uint32_t awake = sched__load_32(&pool->spinning); awake < wanted; wanted--) {
        uint64_t idle = sched__load_64(&pool->idle);
        if (!idle) return;
        wake(worker, &pool->idle, sched__first_bit(idle));
    }
}

// After a claim: no longer idle, and the one to fetch others. Who is back in a moment is as good as
// idle and does not tell: all workers would write to one line in each range.
static void leave_idle(sched__worker_t *worker, const sched__visit_t *visit, uint32_t slot) {
    bool is_brief = visit->unit_ns >= 0 && visit->unit_ns * (visit->end - visit->begin) < BRIEF_NS;
    if (worker->is_idle && !is_brief) {
        worker->is_idle = false;
        sched__add_32(&worker->pool->spinning, UINT32_MAX);
    }
    if (worker->is_fresh) {
        worker->is_fresh = false;
        const sched__slot_t *from = &worker->pool->slots[slot];
        sched__notify(
            worker, slot, sched__load_32(&visit->range->unclaimed) + sched__load_32(&from->work));
    }
}

// ---- running parts of ranges ----

uint64_t *sched__worker_rng(sched__worker_t *worker) {
    uint64_t seed = sched__load_64(&worker->pool->seed);
    if (!seed) return NULL;
    if (worker->rng_seed != seed) {
        worker->rng_seed = seed;
        worker->rng = seed + worker->index * UINT64_C(0x9e3779b97f4a7c15);
    }
    return &worker->rng;
}

// Nothing is left to claim: idle workers need not look here any more.
static void retract(sched__worker_t *worker, const sched__job_t *job, uint32_t slot) {
    if (job->plan) {
        sched__clear_bits_64(
            &job->plan->ready[job->position / 64], UINT64_C(1) << job->position % 64);
    }
    sched__add_32(&worker->pool->slots[slot].work, UINT32_MAX);
}

static void run_claim(sched__worker_t *worker, const sched__visit_t *visit) {
    const sched__range_t *range = visit->range;
    int64_t begin = visit->begin * range->unit, end = visit->end * range->unit;
    range->fn(range->ctx, begin, end < range->count ? end : range->count, (int32_t)worker->index);
    count_one(&worker->claims);
}

sched__outcome_t sched__work(sched__worker_t *worker, const sched__job_t *job) {
    sched__range_t *range = job->range;
    sched__visit_t visit =
        sched__visit_begin(range, job->generation, worker->index, sched__worker_rng(worker));
    uint32_t slot = SCHED__NO_SLOT, outer = worker->slot;
    uint64_t last = 0;
    while (sched__visit_claim(&visit)) {
        if (slot == SCHED__NO_SLOT) {
            slot = job->plan ? sched__load_32(&job->plan->slot) : job->slot;
            if (range->item_ns >= 0) visit.unit_ns = range->item_ns * (double)range->unit;
            worker->slot = slot;
            last = sched__ticks();
        }
        leave_idle(worker, &visit, slot);
        if (visit.exhausted) retract(worker, job, slot);
        visit.all = job->plan && sched_plan_is_cancelled(job->plan);
        if (visit.all) continue;
        run_claim(worker, &visit);
        uint64_t now = sched__ticks();
        visit.ticks += now - last;
        sched__visit_learn(&visit, (double)(now - last) * worker->pool->ns_per_tick);
        last = now;
    }
    if (slot == SCHED__NO_SLOT) return SCHED__NOTHING;
    worker->slot = outer;
    return visit.finished ? SCHED__FINISHED : SCHED__WORKED;
}

bool sched__help_loop(sched__worker_t *worker, uint32_t index, uint32_t generation) {
    sched__slot_t *slot = &worker->pool->slots[index];
    /* Stable if we finish the loop, and read before we do: afterwards the slot may be somebody
     * else's. */
    uint32_t owner = sched__load_32(&slot->owner);
    sched__job_t job = { .range = &slot->range, .slot = index, .generation = generation };
    sched__outcome_t outcome = sched__work(worker, &job);
    if (outcome == SCHED__FINISHED && owner != worker->index) sched__notify_owner(worker, owner);
    return outcome != SCHED__NOTHING;
}

// ---- finding work ----

bool sched__help_below(sched__worker_t *worker, uint32_t ancestor) {
    sched_pool_t *pool = worker->pool;
    for (uint64_t open = sched__load_64(&pool->open); open; open &= open - 1) {
        uint32_t index = sched__first_bit(open);
        sched__slot_t *slot = &pool->slots[index];
        if (index == ancestor || !sched__load_32(&slot->work)) continue;
        uint32_t generation = sched__range_generation(&slot->range);
        if (sched__load_acquire_ptr(&slot->plan) || !is_below(pool, index, ancestor)) continue;
        if (sched__help_loop(worker, index, generation)) return true;
    }
    return false;
}

// Help wherever there is work; for workers that wait for nothing.
static bool help_any(sched__worker_t *worker) {
    sched_pool_t *pool = worker->pool;
    bool has_run = false;
    for (uint64_t open = sched__load_64(&pool->open); open; open &= open - 1) {
        uint32_t index = sched__first_bit(open);
        sched__slot_t *slot = &pool->slots[index];
        if (!sched__load_32(&slot->work)) continue;
        uint32_t generation = sched__range_generation(&slot->range);
        if (sched__load_acquire_ptr(&slot->plan)) {
            has_run |= sched__help_plan(worker, index);
        } else {
            has_run |= sched__help_loop(worker, index, generation);
        }
    }
    return has_run;
}

static bool has_any_work(const sched_pool_t *pool) {
    for (uint64_t open = sched__load_64(&pool->open); open; open &= open - 1) {
        if (sched__load_32(&pool->slots[sched__first_bit(open)].work)) return true;
    }
    return false;
}

// ---- waiting ----

// Returns whether it is still worth looking. Where spinning is not allowed the processor is offered
// to others instead: what we saw announced but could not claim needs its worker to run.
static bool spin(const sched__worker_t *worker, sched__search_t *search) {
    const sched_pool_t *pool = worker->pool;
    if (!pool->may_spin) return false;
    uint64_t now = sched__ticks();
    if (!search->since) search->since = search->offered = now;
    if (sched__load_64(&pool->open)) search->last_open = now;
    uint64_t quiet_since = search->last_open ? search->last_open : search->since;
    if (now - quiet_since > pool->spin_ticks) return false;
    if (now - search->since > PATIENCE * pool->spin_ticks) return false;
    /* It may be the processor of the one who will have work, or still does some. */
    if (worker->is_idle && now - search->offered > pool->spin_ticks) {
        search->offered = now;
        sched_yield();
    } else {
        sched__stall();
    }
    return true;
}

typedef struct wait_t {
    sched__worker_t *worker;
    uint32_t slot;
    bool (*is_done)(void *ctx);
    void *ctx;
} wait_t;

static bool stays_waiting_awake(void *ctx) {
    wait_t *wait = ctx;
    sched_pool_t *pool = wait->worker->pool;
    const sched__slot_t *own = &pool->slots[wait->slot];
    if (wait->is_done(wait->ctx) || sched__load_32(&own->work) ||
        sched__load_32(&own->caller_work)) {
        return true;
    }
    for (uint64_t open = sched__load_64(&pool->open); open; open &= open - 1) {
        uint32_t index = sched__first_bit(open);
        const sched__slot_t *slot = &pool->slots[index];
        if (sched__load_32(&slot->work) && !sched__load_ptr(&slot->plan) &&
            is_below(pool, index, wait->slot)) {
            return true;
        }
    }
    return false;
}

void sched__wait_step(sched__worker_t *worker, uint32_t slot, sched__search_t *search,
    bool (*is_done)(void *ctx), void *ctx) {
    if (spin(worker, search)) return;
    wait_t wait = { worker, slot, is_done, ctx };
    if (sched__park(
            &worker->pool->waiting, worker->bit, &worker->event, stays_waiting_awake, &wait)) {
        count_one(&worker->parks);
    } else {
        sched_yield();
    }
    *search = (sched__search_t){ 0 };
}

static bool stays_idle_awake(void *ctx) {
    sched__worker_t *worker = ctx;
    sched_pool_t *pool = worker->pool;
    /* After the own bit is set in pool->idle, so that at any time publishers see one of the two. */
    worker->is_idle = false;
    sched__add_32(&pool->spinning, UINT32_MAX);
    sched__fence();
    return sched__load_acquire_32(&pool->stop) || has_any_work(pool);
}

static void idle_step(sched__worker_t *worker, sched__search_t *search) {
    sched_pool_t *pool = worker->pool;
    worker->is_fresh = true;
    if (!worker->is_idle) {
        worker->is_idle = true;
        sched__add_32(&pool->spinning, 1);
    }
    if (spin(worker, search)) return;
    if (sched__park(&pool->idle, worker->bit, &worker->event, stays_idle_awake, worker)) {
        count_one(&worker->parks);
    } else {
        sched_yield();
    }
    *search = (sched__search_t){ 0 };
}

static void name_thread(const sched__worker_t *worker) {
#if defined(__linux__)
    char name[16];
    sched__text_t text = { name, sizeof name, 0 };
    sched__text_add(&text, "%s-%u", worker->pool->name, worker->index);
    pthread_setname_np(pthread_self(), name);
#else
    (void)worker;
#endif
}

void *sched__worker_main(void *arg) {
    sched__worker_t *worker = arg;
    sched_pool_t *pool = worker->pool;
    sched__search_t search = { 0 };
    current = worker;
    name_thread(worker);
    if (pool->desc.worker_start) pool->desc.worker_start((int32_t)worker->index, pool->desc.ctx);
    while (!sched__load_acquire_32(&pool->stop)) {
        if (help_any(worker)) {
            search = (sched__search_t){ 0 };
        } else {
            idle_step(worker, &search);
        }
    }
    if (pool->desc.worker_stop) pool->desc.worker_stop((int32_t)worker->index, pool->desc.ctx);
    return NULL;
}
