// SPDX-License-Identifier: MIT
// loop: sched_parallel_for. Takes a slot, opens its range, helps until all of it is done.
//
// Whether a loop is worth sharing is judged by what earlier calls with the same callback took, kept
// by each worker in a small table. A wrong guess costs time, never correctness.
#include "worker.h"

static sched__cost_t *cost_of(sched__worker_t *worker, sched_range_fn fn) {
    uint64_t key = (uint64_t)(uintptr_t)fn * UINT64_C(0x9e3779b97f4a7c15);
    sched__cost_t *cost = &worker->costs[key >> 60];
    if (cost->fn != fn) *cost = (sched__cost_t){ .fn = fn, .item_ns = -1 };
    return cost;
}

static void learn(sched__cost_t *cost, double ns, int64_t count) {
    double expected = cost->item_ns < 0 ? -1 : cost->item_ns * (double)count;
    cost->item_ns = sched__blend_ns(expected, ns) / (double)count;
}

static void run_serial(sched__worker_t *worker, sched__cost_t *cost, const sched__range_t *range) {
    uint64_t start = sched__ticks();
    range->fn(range->ctx, 0, range->count, (int32_t)worker->index);
    uint64_t ticks = sched__ticks() - start;
    /* Nested calls may have given the entry to another callback. */
    if (cost->fn == range->fn) learn(cost, (double)ticks * worker->pool->ns_per_tick, range->count);
}

typedef enum { ALONE, WITH_AWAKE, WITH_ALL } company_t;

// Also sets the range's lanes.
static company_t choose_company(sched__worker_t *worker, double item_ns, sched__range_t *range) {
    const sched_pool_t *pool = worker->pool;
    uint32_t units = sched__range_measure(range);
    range->lanes = pool->count;
    if (units == 1) return ALONE;
    if (sched__worker_rng(worker)) return WITH_ALL;
    if (pool->count == 1) return ALONE;
    if (item_ns < 0) return WITH_ALL;
    double total = item_ns * (double)range->count;
    double share = sched__range_share_ns(units, total, pool->inline_ns, pool->count, &range->lanes);
    if (range->lanes == 1) return ALONE;
    if (total - share >= pool->wake_ns) return WITH_ALL;
    return sched__has_awake_helper(pool) ? WITH_AWAKE : ALONE;
}

static bool loop_is_done(void *range) { return sched__range_is_done(range); }

static void run_shared(
    sched__worker_t *worker, sched__cost_t *cost, const sched__range_t *wanted, uint32_t index) {
    sched_pool_t *pool = worker->pool;
    sched__slot_t *slot = &pool->slots[index];
    sched__range_t *range = &slot->range;
    range->fn = wanted->fn;
    range->ctx = wanted->ctx;
    range->count = wanted->count;
    range->grain = wanted->grain;
    range->item_ns = cost->item_ns;
    sched__range_prepare(range, wanted->lanes);
    sched__add_32(&slot->work, 1);
    sched__range_fill(range);
    sched__notify(worker, index, range->lanes - 1);

    sched__help_loop(worker, index, sched__range_generation(range));
    for (sched__search_t search = { 0 }; !loop_is_done(range);) {
        if (sched__help_below(worker, index)) {
            search = (sched__search_t){ 0 };
        } else {
            sched__wait_step(worker, index, &search, loop_is_done, range);
        }
    }
    double ns = (double)sched__range_spent(range) * pool->ns_per_tick;
    sched__slot_release(pool, index);
    if (cost->fn == wanted->fn) learn(cost, ns, wanted->count);
}

void sched_parallel_for(
    sched_pool_t *pool, int64_t count, int64_t grain, sched_range_fn fn, void *ctx) {
    sched__worker_t *worker = sched__worker_self(pool, "sched_parallel_for");
    if (!worker || count <= 0) return;
    sched__cost_t *cost = cost_of(worker, fn);
    sched__range_t range = { .fn = fn, .ctx = ctx, .count = count, .grain = grain };
    company_t company = choose_company(worker, cost->item_ns, &range);
    uint32_t slot = SCHED__NO_SLOT;
    if (company != ALONE) slot = sched__slot_take(worker, NULL, company == WITH_ALL);
    if (slot == SCHED__NO_SLOT) {
        run_serial(worker, cost, &range);
    } else {
        run_shared(worker, cost, &range, slot);
    }
}
