// SPDX-License-Identifier: MIT
// pool: a fixed set of workers that run jobs over ranges.
//
// The thread that creates a pool is its worker 0 and works like the others while it waits. Workers
// sleep when there is nothing to do; a pool that is not used costs no processor time. Nothing here
// allocates memory except sched_pool_create.
//
// Threads: unless stated otherwise, call from worker 0 while no job of the pool runs.
#ifndef MUSTER_SCHEDULER_POOL_H
#define MUSTER_SCHEDULER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef SCHED_API
#if defined(_WIN32)
#define SCHED_API
#else
#define SCHED_API __attribute__((visibility("default")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Most workers a pool can have, the caller included. */
#define SCHED_MAX_WORKERS 64

typedef struct sched_pool_t sched_pool_t;

/** What a job does with a part of its range.
 *
 * Called with disjoint parts that together cover the range exactly once, in no particular order and
 * possibly at the same time on several workers. `begin` is a multiple of the grain; `end` is one
 * too or is the end of the range. How the range is cut changes from run to run. Parts may not wait
 * for each other: one worker may run all of them.
 *
 * @param ctx     As given with the range.
 * @param begin   First item.
 * @param end     One past the last item.
 * @param worker  Index of the worker that runs this part, 0 to workers - 1.
 */
typedef void (*sched_range_fn)(void *ctx, int64_t begin, int64_t end, int32_t worker);

/** How to create a pool. All zero is a good pool: one worker per usable processor. */
typedef struct sched_pool_desc_t {
    /** Workers, the caller included: 1 to SCHED_MAX_WORKERS. 0: as many as sched_usable_cpus(). */
    int32_t workers;
    /** Prefix of thread names, as shown by debuggers; copied. NULL: "sched". */
    const char *name;

    /** Handed to the callbacks below. */
    void *ctx;
    /** Memory, aligned like malloc's. NULL: malloc and free. Set both or none. */
    void *(*malloc_fn)(size_t size, void *ctx);
    void (*free_fn)(void *ptr, void *ctx);
    /** Start a thread that calls `main(arg)`, 0 if that cannot be; wait for its end. NULL: pthreads. Set both or none. */
    uintptr_t (*thread_new_fn)(void *(*main)(void *), void *arg, void *ctx);
    void (*thread_join_fn)(uintptr_t thread, void *ctx);
    /** Told one sentence when a call fails. NULL: stderr. */
    void (*log_fn)(const char *sentence, void *ctx);
    /** Told one sentence when the API is misused; should not return. NULL: stderr, then abort(). */
    void (*abort_fn)(const char *sentence, void *ctx);
    /** First and last action of each worker thread (not of worker 0). May be NULL. */
    void (*worker_start)(int32_t worker, void *ctx);
    void (*worker_stop)(int32_t worker, void *ctx);

    /** How long an idle worker looks for work before it sleeps; ten times as long while anything runs. 0: 50 000.
     * Negative: not at all. */
    int32_t spin_ns;
    /** A job expected to take less runs where it is, unsplit. 0: 1 000. Negative: never. */
    int32_t inline_ns;
    /** Sleepers are woken if that is expected to save this much. 0: 40 000. Negative: always. */
    int32_t wake_ns;
    /** Spin even with more workers than usable processors. For tests; slow. */
    bool oversubscribe_spin;
} sched_pool_desc_t;

/** Create a pool and start its threads.
 *
 * @param desc  NULL or all zero for defaults.
 * @return      NULL if the descriptor is wrong, memory is short or a thread cannot be started; the
 *              reason is logged and nothing remains.
 */
SCHED_API sched_pool_t *sched_pool_create(const sched_pool_desc_t *desc);

/** Stop and join all workers, free the pool. NULL is allowed. Plans may outlive it. */
SCHED_API void sched_pool_destroy(sched_pool_t *pool);

/** Number of workers, the caller included. Threads: any. */
SCHED_API int32_t sched_pool_worker_count(const sched_pool_t *pool);

/** Index of the calling thread: 0 on the creating one, -1 on foreign threads. Threads: any. */
SCHED_API int32_t sched_worker_index(const sched_pool_t *pool);

/** Make the calling thread worker 0, for pools created on one thread and used on another. */
SCHED_API void sched_pool_adopt(sched_pool_t *pool);

/** Processors this process may use: affinity mask and cgroup quota, at least 1. Threads: any. */
SCHED_API int32_t sched_usable_cpus(void);

/** Run fn over [0, count) on all workers and return when every part is done.
 *
 * Each worker starts with the same part of the range every time and helps others when it is done. A
 * range that is expected to take very little, judged by earlier calls with the same fn, runs on the
 * caller. While the caller waits it only helps with this range and with ranges started inside it.
 *
 * @param count  Number of items; 0 or less does nothing.
 * @param grain  Parts begin at multiples of it; less than 1 counts as 1. Small grains are cheap: a
 *               worker takes several at once, about 30 microseconds' worth.
 *
 * Threads: worker 0, and workers inside a job (nested).
 */
SCHED_API void sched_parallel_for(
    sched_pool_t *pool, int64_t count, int64_t grain, sched_range_fn fn, void *ctx);

/** For tests: shuffle which job is picked, how much is claimed and where workers start.
 *
 * No job is run inline while it is on, so that tiny jobs take the same paths as large ones.
 *
 * @param seed  0 turns it off.
 */
SCHED_API void sched_pool_set_shuffle(sched_pool_t *pool, uint64_t seed);

/** What happened since the pool was created; sums over all workers. */
typedef struct sched_pool_stats_t {
    int64_t claims; /* parts handed to callbacks of split jobs */
    int64_t wakes;  /* sleeping workers that were woken */
    int64_t parks;  /* times a worker went to sleep */
} sched_pool_stats_t;

/** Read the counters. Threads: any; values of running workers may be a moment old. */
SCHED_API sched_pool_stats_t sched_pool_stats(const sched_pool_t *pool);

/** Check all invariants of a pool without running jobs. Returns NULL or the first broken one. */
SCHED_API const char *sched_pool_verify(const sched_pool_t *pool);

/** Describe a pool as text: workers, who sleeps, jobs in progress.
 *
 * Like snprintf: writes at most `size` bytes with the final 0, returns the length of the full text.
 *
 * Threads: any; a snapshot, for people.
 */
SCHED_API size_t sched_pool_dump(const sched_pool_t *pool, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
