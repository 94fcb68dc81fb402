// SPDX-License-Identifier: MIT
// background: jobs that take long, on few threads of low priority that nobody waits for.
//
//   sched_background_t *background = sched_background_create(&(sched_pool_desc_t){ .workers = 2 });
//   sched_background_add(background, find_path, request);
//   …
//   sched_background_destroy(background);
//
// Threads start with the jobs. Jobs begin in the order in which they were added. How their results get back is up to them.
#ifndef MUSTER_SCHEDULER_BACKGROUND_H
#define MUSTER_SCHEDULER_BACKGROUND_H

#include <muster/scheduler/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sched_background_t sched_background_t;

/** Make one without threads.
 *
 * @param desc  As for a pool; `workers` is the most threads (0: 1). Memory, threads, log and name are used, nothing else.
 * @return      NULL if the descriptor is wrong or memory is short; the reason is logged.
 */
SCHED_API sched_background_t *sched_background_create(const sched_pool_desc_t *desc);

/** Have `run(ctx)` called by a thread of low priority (on Linux; elsewhere of the usual one). False if memory is short or no thread can be
 * started; the reason is logged. Threads: any. */
SCHED_API bool sched_background_add(
    sched_background_t *background, void (*run)(void *ctx), void *ctx);

/** True once the end has begun: jobs that take long ask, and return early. Threads: any. */
SCHED_API bool sched_background_is_ending(const sched_background_t *background);

/** Wait for the jobs that run, forget those that have not begun, and free everything. NULL is allowed. Nobody else adds jobs any more. */
SCHED_API void sched_background_destroy(sched_background_t *background);

#ifdef __cplusplus
}
#endif
#endif
