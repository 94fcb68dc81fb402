// SPDX-License-Identifier: MIT
// host: what a pool or graph gets from whoever embeds it: memory, threads, log, abort; and text for dumps.
#ifndef SCHED_HOST_H
#define SCHED_HOST_H

#include <muster/scheduler/pool.h>

typedef struct sched__host_t {
    void *ctx;
    void *(*malloc_fn)(size_t size, void *ctx);
    void (*free_fn)(void *ptr, void *ctx);
    void (*log_fn)(const char *sentence, void *ctx);
    void (*abort_fn)(const char *sentence, void *ctx);
    uintptr_t (*thread_new_fn)(void *(*main)(void *), void *arg, void *ctx);
    void (*thread_join_fn)(uintptr_t thread, void *ctx);
} sched__host_t;

/* Callbacks of a descriptor (may be NULL), with libc in place of what is missing. */
sched__host_t sched__host_of(const sched_pool_desc_t *desc);

/* What is wrong with the parts of a descriptor that all who start threads share, or NULL. */
const char *sched__host_check(const sched_pool_desc_t *desc);

/* Start a thread that leaves signals to the program's own threads. 0 if that cannot be; errno may tell why. */
uintptr_t sched__host_start(const sched__host_t *host, void *(*main)(void *), void *arg);

/* Memory set to zero, or NULL after logging that it is short. */
void *sched__host_calloc(const sched__host_t *host, size_t count, size_t size);

/* Like calloc, aligned to a cache line. *raw is what to free. */
void *sched__host_calloc_lines(const sched__host_t *host, size_t count, size_t size, void **raw);

void sched__host_free(const sched__host_t *host, void *ptr);

__attribute__((format(printf, 2, 3))) void sched__host_log(
    const sched__host_t *host, const char *format, ...);

/* For misuse of the API: does not return unless the abort callback does. */
__attribute__((format(printf, 2, 3))) void sched__host_abort(
    const sched__host_t *host, const char *format, ...);

/* Text written into a buffer of fixed size; length also counts what did not fit. */
typedef struct sched__text_t {
    char *buffer;
    size_t size, length;
} sched__text_t;

__attribute__((format(printf, 2, 3))) void sched__text_add(
    sched__text_t *text, const char *format, ...);

/* What a node is called: "#3" without a name. */
void sched__text_name(sched__text_t *text, const char *name, uint32_t id);

#endif
