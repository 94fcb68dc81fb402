// SPDX-License-Identifier: MIT
#include "tick/background.h"

#include <ck_pr.h>
#include <muster/runtime/background.h>
#include <muster/scheduler/background.h>
#include "tick/inbox.h"
#include "tick/workers.h"

enum { USUAL_THREADS = 2 };

struct rt_background_job_t {
    rt_background_job_t *next; /* on its shelf in rt->jobs, or in rt->kept_jobs */
    rt_t *rt;
    int64_t number;
    ecs_background_action_t work;
    ecs_submit_action_t done;
    void *ctx;
    ecs_ctx_free_t ctx_free;
    rt_item_t *item; /* that tells the inbox */
    uint32_t over;   /* set by the thread that worked, which puts the item */
    bool due;        /* will be done in this tick */
};

// ---- Its thread ----

static void run_job(void *arg) {
    rt_background_job_t *job = arg;
    rt_inbox_t *inbox = job->rt->inbox;
    rt_item_t *item = job->item;
    job->work(job->ctx);
    ck_pr_fence_release();
    ck_pr_store_32(&job->over, 1); /* from here on the job may be gone */
    rt__inbox_put(inbox, item);
}

bool ecs_background_is_ending(const ecs_world_t *world) {
    const rt_t *rt = rt__of(world);
    return rt->background && sched_background_is_ending(rt->background);
}

// ---- The thread of the world ----

static rt_background_job_t **shelf_of(rt_t *rt, int64_t number) {
    return &rt->jobs[(uint64_t)number & (RT_JOB_SHELVES - 1)];
}

static rt_background_job_t **find_job(rt_t *rt, int64_t number) {
    rt_background_job_t **at = shelf_of(rt, number);
    while (*at && (*at)->number != number) at = &(*at)->next;
    return at;
}

static bool is_over(const rt_background_job_t *job) {
    bool over = ck_pr_load_32(&job->over);
    ck_pr_fence_acquire();
    return over;
}

static void keep(rt_t *rt, rt_background_job_t *job) {
    job->next = rt->kept_jobs;
    rt->kept_jobs = job;
}

static void release(rt_t *rt, rt_background_job_t *job) {
    ecs_ext_ctx_free(job->ctx, job->ctx_free);
    keep(rt, job);
}

static rt_background_job_t *new_job(rt_t *rt) {
    rt_background_job_t *job = rt->kept_jobs;
    if (job) rt->kept_jobs = job->next;
    return job ? job : ecs_os_try_malloc(ECS_SIZEOF(rt_background_job_t));
}

bool rt__job_is_due(rt_t *rt, int64_t number) {
    rt_background_job_t *job = *find_job(rt, number);
    if (!job || job->due) return false;
    return job->due = true;
}

void rt__job_done(rt_t *rt, int64_t number) {
    rt_background_job_t **at = find_job(rt, number), *job = *at;
    *at = job->next;
    if (job->done) job->done(rt->world, job->ctx);
    release(rt, job);
}

bool rt__job_wait(rt_t *rt, int64_t number) {
    const rt_background_job_t *job = *find_job(rt, number);
    while (job && !is_over(job)) {
        if (ecs_os_api.sleep_) ecs_os_sleep(0, 100000);
    }
    return job;
}

static void put_again(rt_inbox_t *inbox, int64_t number) {
    rt_item_t *item = rt__inbox_new_job(inbox, number, false);
    if (!item) ecs_os_out_of_memory_(ECS_SIZEOF(void *));
    rt__inbox_put(inbox, item);
}

void rt__background_resume(rt_t *rt) {
    for (int32_t i = 0; i < RT_JOB_SHELVES; i++) {
        for (const rt_background_job_t *job = rt->jobs[i]; job; job = job->next)
            if (is_over(job)) put_again(rt->inbox, job->number);
    }
}

void rt__background_end(rt_t *rt) {
    sched_background_destroy(rt->background);
    rt->background = NULL;
    for (int32_t i = 0; i < RT_JOB_SHELVES; i++) {
        for (rt_background_job_t *job; (job = rt->jobs[i]);) {
            rt->jobs[i] = job->next;
            if (!is_over(job)) rt__inbox_drop(rt->inbox, job->item);
            release(rt, job);
        }
    }
    for (rt_background_job_t *job; (job = rt->kept_jobs);) {
        rt->kept_jobs = job->next;
        ecs_os_free(job);
    }
}

static void *try_malloc(size_t size, void *ctx) {
    (void)ctx;
    return ecs_os_try_malloc((ecs_size_t)size);
}

static uintptr_t start_thread(void *(*main)(void *), void *arg, void *ctx) {
    (void)ctx;
    return ecs_os_thread_new(main, arg);
}

static void join_thread(uintptr_t thread, void *ctx) {
    (void)ctx;
    ecs_os_thread_join(thread);
}

// Its threads are threads, also where those of the pool are tasks.
static bool have_background(rt_t *rt) {
    if (rt->background) return true;
    sched_pool_desc_t desc = rt__pool_desc(rt);
    desc.workers = rt->background_threads ? rt->background_threads : USUAL_THREADS;
    desc.malloc_fn = try_malloc; /* a job that cannot begin is told of */
    desc.thread_new_fn = start_thread;
    desc.thread_join_fn = join_thread;
    return (rt->background = sched_background_create(&desc)) != NULL;
}

static rt_t *rt_of_background(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    ecs_check(rt, ECS_INVALID_OPERATION, "jobs in the background need a world made with ecs_init");
    ecs_check(
        ecs_os_has_threading(), ECS_MISSING_OS_API, "ecs_os_api has no functions for threads");
    ecs_check(!(ecs_world_get_flags(rt->world) & (EcsWorldMultiThreaded | EcsWorldFini)),
        ECS_INVALID_OPERATION,
        "jobs in the background begin on the thread of the world, until it ends: systems on many "
        "threads can ask for one with ecs_run_post_frame");
    return rt;
error:
    return NULL;
}

int ecs_run_in_background(ecs_world_t *world, ecs_background_action_t work,
    ecs_submit_action_t done, void *ctx, ecs_ctx_free_t ctx_free) {
    rt_t *rt = rt_of_background(world);
    ecs_check(work, ECS_INVALID_PARAMETER, "there is nothing to run: the function is NULL");
    if (!rt || !have_background(rt)) return -1;
    rt_background_job_t *job = new_job(rt);
    rt_item_t *item = job ? rt__inbox_new_job(rt->inbox, rt->job_count + 1, false) : NULL;
    if (!item) {
        if (job) keep(rt, job);
        ecs_err_code(ECS_OUT_OF_MEMORY, "there is no memory for a job in the background");
        return -1;
    }
    rt_background_job_t **shelf = shelf_of(rt, rt->job_count + 1);
    *job = (rt_background_job_t){ *shelf, rt, rt->job_count + 1, work, done, ctx, ctx_free, item, 0,
        false };
    if (!sched_background_add(rt->background, run_job, job)) {
        rt__inbox_drop(rt->inbox, item);
        keep(rt, job);
        return -1;
    }
    rt->job_count++;
    *shelf = job;
    return 0;
error:
    return -1;
}

void ecs_set_background_threads(ecs_world_t *world, int32_t threads) {
    rt_t *rt = rt_of_background(world);
    ecs_check(threads >= 1 && threads <= SCHED_MAX_WORKERS, ECS_INVALID_PARAMETER,
        "jobs in the background have 1 to %d threads", SCHED_MAX_WORKERS);
    ecs_check(!rt || !rt->background, ECS_INVALID_OPERATION,
        "the number of threads in the background cannot change after the first job");
    if (rt) rt->background_threads = threads;
error:
    return;
}
