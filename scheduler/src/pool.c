// SPDX-License-Identifier: MIT
// pool: public lifecycle. Checks the descriptor, starts and stops workers, owns the root struct.
#define _GNU_SOURCE
#include "plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static double or_default(int32_t value, double fallback) {
    return value < 0 ? 0 : value == 0 ? fallback : value;
}

static void configure(
    sched_pool_t *pool, const sched_pool_desc_t *desc, const sched__host_t *host) {
    int32_t cpus = sched_usable_cpus();
    int32_t count = desc->workers ? desc->workers : cpus;
    pool->host = *host;
    pool->desc = *desc;
    snprintf(pool->name, sizeof pool->name, "%s", desc->name ? desc->name : "sched");
    pool->desc.name = pool->name;
    pool->count = (uint32_t)(count < SCHED_MAX_WORKERS ? count : SCHED_MAX_WORKERS);
    pool->helpers = (pool->count == 64 ? 0 : UINT64_C(1) << pool->count) - 2;
    pool->ns_per_tick = sched__clock_init();
    pool->inline_ns = or_default(desc->inline_ns, 1000);
    pool->wake_ns = or_default(desc->wake_ns, 40000);
    pool->spin_ticks = (uint64_t)(or_default(desc->spin_ns, 50000) / pool->ns_per_tick);
    pool->may_spin =
        pool->spin_ticks && (pool->count <= (uint32_t)cpus || desc->oversubscribe_spin);
    pool->owner = pthread_self();
}

static bool allocate(sched_pool_t *pool) {
    const sched__host_t *host = &pool->host;
    uint32_t count = pool->count;
    pool->workers =
        sched__host_calloc_lines(host, count, sizeof *pool->workers, &pool->raw_workers);
    pool->slots =
        sched__host_calloc_lines(host, SCHED__SLOTS, sizeof *pool->slots, &pool->raw_slots);
    pool->cells = sched__host_calloc_lines(
        host, (size_t)SCHED__SLOTS * count, sizeof *pool->cells, &pool->raw_cells);
    if (!pool->workers || !pool->slots || !pool->cells) return false;
    for (uint32_t i = 0; i < count; i++) {
        sched__worker_t *worker = &pool->workers[i];
        worker->pool = pool;
        worker->index = i;
        worker->bit = UINT64_C(1) << i;
        worker->slot = SCHED__NO_SLOT;
        sched__event_init(&worker->event);
    }
    for (uint32_t i = 0; i < SCHED__SLOTS; i++) {
        pool->slots[i].range.cells = &pool->cells[(size_t)i * count];
        pool->slots[i].parent = SCHED__NO_SLOT;
    }
    return true;
}

static void deallocate(sched_pool_t *pool) {
    sched__host_t host = pool->host;
    pthread_mutex_destroy(&pool->plans_lock);
    sched__host_free(&host, pool->raw_cells);
    sched__host_free(&host, pool->raw_slots);
    sched__host_free(&host, pool->raw_workers);
    sched__host_free(&host, pool->raw);
}

// Joins workers 1 to started - 1.
static void stop_workers(sched_pool_t *pool, uint32_t started) {
    sched__store_release_32(&pool->stop, 1);
    sched__fence(); /* pairs with the fence in sched__park: a worker sees stop, or we see its bit */
    for (uint32_t i = 1; i < started; i++) {
        sched__unpark(&pool->idle, pool->workers[i].bit, &pool->workers[i].event);
    }
    for (uint32_t i = 1; i < started; i++)
        pool->host.thread_join_fn(pool->workers[i].thread, pool->host.ctx);
}

static bool start_workers(sched_pool_t *pool) {
    uint32_t started = 1;
    for (; started < pool->count; started++) {
        sched__worker_t *worker = &pool->workers[started];
        worker->thread = sched__host_start(&pool->host, sched__worker_main, worker);
        if (!worker->thread) break;
    }
    if (started == pool->count) return true;
    sched__host_log(&pool->host, "worker %u of %u could not be started: %s", started, pool->count,
        strerror(errno));
    stop_workers(pool, started);
    return false;
}

sched_pool_t *sched_pool_create(const sched_pool_desc_t *desc) {
    static const sched_pool_desc_t defaults;
    sched__host_t host = sched__host_of(desc);
    if (!desc) desc = &defaults;
    const char *wrong = sched__host_check(desc);
    if (wrong) {
        sched__host_log(&host, "the pool was not created: %s", wrong);
        return NULL;
    }
    void *raw;
    sched_pool_t *pool = sched__host_calloc_lines(&host, 1, sizeof *pool, &raw);
    if (!pool) return NULL;
    pool->raw = raw;
    configure(pool, desc, &host);
    pthread_mutex_init(&pool->plans_lock, NULL);
    if (allocate(pool) && start_workers(pool)) return pool;
    deallocate(pool);
    return NULL;
}

void sched_pool_destroy(sched_pool_t *pool) {
    if (!pool) return;
    stop_workers(pool, pool->count);
    sched__plans_detach(pool);
    deallocate(pool);
}

int32_t sched_pool_worker_count(const sched_pool_t *pool) { return (int32_t)pool->count; }

int32_t sched_worker_index(const sched_pool_t *pool) {
    const sched__worker_t *worker = sched__worker_find(pool);
    return worker ? (int32_t)worker->index : -1;
}

// Workers that spin read what lies beside it: it is only written when it changes.
void sched_pool_adopt(sched_pool_t *pool) {
    pthread_t self = pthread_self();
    if (!pthread_equal(pool->owner, self)) pool->owner = self;
}

void sched_pool_set_shuffle(sched_pool_t *pool, uint64_t seed) {
    sched__store_64(&pool->seed, seed);
}

sched_pool_stats_t sched_pool_stats(const sched_pool_t *pool) {
    sched_pool_stats_t stats = { 0, 0, 0 };
    for (uint32_t i = 0; i < pool->count; i++) {
        stats.claims += (int64_t)sched__load_64(&pool->workers[i].claims);
        stats.wakes += (int64_t)sched__load_64(&pool->workers[i].wakes);
        stats.parks += (int64_t)sched__load_64(&pool->workers[i].parks);
    }
    return stats;
}

const char *sched_pool_verify(const sched_pool_t *pool) {
    if (sched__load_64(&pool->open)) return "a slot is in use though nothing runs";
    if (sched__load_64(&pool->waiting)) return "a worker waits though nothing runs";
    if (sched__load_64(&pool->idle) & ~pool->helpers)
        return "a bit of the idle mask is no helper's";
    if (sched__load_32(&pool->spinning) >= pool->count)
        return "more workers spin than there are helpers";
    for (uint32_t i = 0; i < SCHED__SLOTS; i++) {
        const sched__slot_t *slot = &pool->slots[i];
        if (sched__load_32(&slot->work)) return "a free slot announces work";
        if (sched__load_32(&slot->caller_work)) return "a free slot announces work for its owner";
        const char *wrong = sched__range_verify(&slot->range, pool->count);
        if (wrong) return wrong;
    }
    return NULL;
}

static const char *state_of(const sched_pool_t *pool, const sched__worker_t *worker) {
    if (sched__load_64(&pool->idle) & worker->bit) return "asleep";
    if (sched__load_64(&pool->waiting) & worker->bit) return "asleep, waiting for its job";
    return "awake";
}

size_t sched_pool_dump(const sched_pool_t *pool, char *buffer, size_t size) {
    sched__text_t text = { buffer, size, 0 };
    if (size) *buffer = 0;
    sched__text_add(&text, "pool %s: %u workers, %s, %u looking for work\n", pool->name,
        pool->count, pool->may_spin ? "spin before they sleep" : "never spin",
        sched__load_32(&pool->spinning));
    for (uint32_t i = 0; i < pool->count; i++) {
        const sched__worker_t *worker = &pool->workers[i];
        sched__text_add(&text, "  worker %u: %s, %llu claims, woke %llu, slept %llu times\n", i,
            state_of(pool, worker), (unsigned long long)sched__load_64(&worker->claims),
            (unsigned long long)sched__load_64(&worker->wakes),
            (unsigned long long)sched__load_64(&worker->parks));
    }
    for (uint64_t open = sched__load_64(&pool->open); open; open &= open - 1) {
        uint32_t index = sched__first_bit(open);
        const sched__slot_t *slot = &pool->slots[index];
        sched__text_add(&text, "  slot %u: %s of worker %u, %u ranges to claim from\n", index,
            sched__load_ptr(&slot->plan) ? "plan" : "loop", sched__load_32(&slot->owner),
            sched__load_32(&slot->work));
    }
    return text.length;
}
