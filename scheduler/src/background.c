// SPDX-License-Identifier: MIT
// background: a queue of jobs under one mutex, and threads that wait for it. It may be slow: what comes here takes long.
//
//     add                                            thread
//     lock; append                                   lock
//     more jobs wait than threads are idle,          while nothing waits and the end has not begun: idle + 1, sleep, idle - 1
//       and there may be more: start one             the end has begun? leave
//     signal; unlock                                 take the oldest job; unlock; run it; again
//
// Jobs that ran are used again. destroy sets `ending` under the lock and wakes all, so that no thread goes to sleep after looking in vain; then it joins them and
// frees what was not begun. Jobs read `ending` without the lock; they may see it late.
#define _GNU_SOURCE
#include <muster/scheduler/background.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif
#include "atomics.h"
#include "host.h"

enum { NICENESS = 10 };

typedef struct job_t {
    struct job_t *next;
    void (*run)(void *ctx);
    void *ctx;
} job_t;

struct sched_background_t {
    sched__host_t host;
    char name[16];
    int32_t most; /* threads */
    uint32_t ending;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    job_t *first, **last; /* that wait */
    job_t *kept;          /* memory of others */
    int32_t waiting, idle, started;
    uintptr_t threads[SCHED_MAX_WORKERS];
};

// ---- Threads ----

// On Linux a thread has a niceness of its own.
static void be_modest(const sched_background_t *background) {
#if defined(__linux__)
    pthread_setname_np(pthread_self(), background->name);
    setpriority(PRIO_PROCESS, 0, NICENESS);
#else
    (void)background;
#endif
}

// NULL when the end has begun. Under the lock.
static job_t *next_job(sched_background_t *background) {
    while (!background->first && !background->ending) {
        background->idle++;
        pthread_cond_wait(&background->changed, &background->lock);
        background->idle--;
    }
    job_t *job = background->ending ? NULL : background->first;
    if (!job) return NULL;
    background->first = job->next;
    if (!job->next) background->last = &background->first;
    background->waiting--;
    return job;
}

static void keep(sched_background_t *background, job_t *job) {
    job->next = background->kept;
    background->kept = job;
}

static void *run_jobs(void *arg) {
    sched_background_t *background = arg;
    be_modest(background);
    pthread_mutex_lock(&background->lock);
    for (job_t *job; (job = next_job(background));) {
        pthread_mutex_unlock(&background->lock);
        job->run(job->ctx);
        pthread_mutex_lock(&background->lock);
        keep(background, job);
    }
    pthread_mutex_unlock(&background->lock);
    return NULL;
}

// False if nobody is there to run jobs.
static bool have_thread(sched_background_t *background) {
    if (background->waiting <= background->idle || background->started == background->most)
        return true;
    uintptr_t thread = sched__host_start(&background->host, run_jobs, background);
    if (thread) background->threads[background->started++] = thread;
    return background->started > 0;
}

// ---- Jobs ----

// Under the lock.
static job_t *new_job(sched_background_t *background) {
    job_t *job = background->kept;
    if (!job) return sched__host_calloc(&background->host, 1, sizeof *job);
    background->kept = job->next;
    return job;
}

bool sched_background_add(sched_background_t *background, void (*run)(void *ctx), void *ctx) {
    pthread_mutex_lock(&background->lock);
    job_t *job = new_job(background);
    if (!job) {
        pthread_mutex_unlock(&background->lock);
        return false;
    }
    *job = (job_t){ NULL, run, ctx };
    *background->last = job;
    background->last = &job->next;
    background->waiting++;
    bool is_taken = have_thread(background);
    int error = errno;
    if (!is_taken) { /* without threads, it is the only one */
        background->first = NULL;
        background->last = &background->first;
        background->waiting = 0;
        keep(background, job);
    }
    pthread_cond_signal(&background->changed);
    pthread_mutex_unlock(&background->lock);
    if (is_taken) return true;
    sched__host_log(&background->host, "no thread for jobs could be started: %s", strerror(error));
    return false;
}

bool sched_background_is_ending(const sched_background_t *background) {
    return sched__load_32(&background->ending);
}

// ---- Begin and end ----

sched_background_t *sched_background_create(const sched_pool_desc_t *desc) {
    sched__host_t host = sched__host_of(desc);
    const char *wrong = sched__host_check(desc);
    if (wrong) {
        sched__host_log(&host, "there is nothing for jobs to run on: %s", wrong);
        return NULL;
    }
    sched_background_t *background = sched__host_calloc(&host, 1, sizeof *background);
    if (!background) return NULL;
    background->host = host;
    background->most = desc && desc->workers ? desc->workers : 1;
    background->last = &background->first;
    snprintf(background->name, sizeof background->name, "%.12s-bg",
        desc && desc->name ? desc->name : "sched");
    pthread_mutex_init(&background->lock, NULL);
    pthread_cond_init(&background->changed, NULL);
    return background;
}

static void free_jobs(const sched__host_t *host, job_t *job) {
    for (job_t *next; job; job = next) {
        next = job->next;
        sched__host_free(host, job);
    }
}

void sched_background_destroy(sched_background_t *background) {
    if (!background) return;
    sched__host_t host = background->host;
    pthread_mutex_lock(&background->lock);
    sched__store_32(&background->ending, 1);
    pthread_cond_broadcast(&background->changed);
    pthread_mutex_unlock(&background->lock);
    for (int32_t i = 0; i < background->started; i++)
        host.thread_join_fn(background->threads[i], host.ctx);
    free_jobs(&host, background->first);
    free_jobs(&host, background->kept);
    pthread_cond_destroy(&background->changed);
    pthread_mutex_destroy(&background->lock);
    sched__host_free(&host, background);
}
