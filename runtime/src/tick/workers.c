// SPDX-License-Identifier: MIT
#include "tick/workers.h"

#include <muster/runtime/pipeline.h>
#include <muster/runtime/schedule.h>
#include <stdlib.h>
#include "tick/chunk.h"
#include "tick/times.h"

static void *pool_malloc(size_t size, void *ctx) {
    (void)ctx;
    return ecs_os_malloc((ecs_size_t)size);
}

static void pool_free(void *ptr, void *ctx) {
    (void)ctx;
    ecs_os_free(ptr);
}

static void pool_log(const char *sentence, void *ctx) {
    (void)ctx;
    ecs_err("%s", sentence);
}

static void pool_abort(const char *sentence, void *ctx) {
    (void)ctx;
    ecs_abort(ECS_INTERNAL_ERROR, "%s", sentence);
}

static uintptr_t pool_thread_new(void *(*main)(void *), void *arg, void *ctx) {
    const rt_t *rt = ctx;
    return rt->task_threads ? ecs_os_task_new(main, arg) : ecs_os_thread_new(main, arg);
}

static void pool_thread_join(uintptr_t thread, void *ctx) {
    const rt_t *rt = ctx;
    if (rt->task_threads)
        ecs_os_task_join(thread);
    else
        ecs_os_thread_join(thread);
}

static void start_worker(int32_t worker, void *ctx) {
    const rt_t *rt = ctx;
    ecs_ext_thread_stage(rt->workers->list[worker].stage);
}

sched_pool_desc_t rt__pool_desc(rt_t *rt) {
    return (sched_pool_desc_t){ .workers = rt->workers->count,
        .name = "muster",
        .worker_start = start_worker,
        .ctx = rt,
        .malloc_fn = pool_malloc,
        .free_fn = pool_free,
        .thread_new_fn = pool_thread_new,
        .thread_join_fn = pool_thread_join,
        .log_fn = pool_log,
        .abort_fn = pool_abort };
}

static void share_out(void *arg, int64_t count, ecs_ext_part_t part, void *ctx) {
    rt_t *rt = arg;
    sched_pool_adopt(rt->workers->pool);
    if (rt->takes_times)
        rt__times_share(rt, count, part, ctx);
    else
        sched_parallel_for(rt->workers->pool, count, 1, part, ctx);
}

static void end_pool(rt_workers_t *workers) {
    sched_pool_destroy(workers->pool);
    workers->pool = NULL;
}

void rt__workers_update_pool(rt_t *rt) {
    rt_workers_t *workers = rt->workers;
    workers->version++;
    bool wanted = workers->count > 1 || rt->schedule_seed;
    if (rt->task_threads) wanted = rt->frame_begun;
    if (!wanted) end_pool(workers);
    if (wanted && !workers->pool) {
        const sched_pool_desc_t desc = rt__pool_desc(rt);
        workers->pool = sched_pool_create(&desc);
        /* Without threads there is still the thread of the world; results are the same. */
        if (!workers->pool) ecs_err("worker threads cannot be started: systems run on one thread");
    }
    workers->crew = (ecs_ext_crew_t){ share_out, rt };
    if (workers->pool) sched_pool_set_shuffle(workers->pool, rt->schedule_seed);
}

// Equal orders come from one quantum, hence from one worker.
static int compare_actions(const void *a, const void *b) {
    const rt_post_action_t *x = a, *y = b;
    if (x->order != y->order) return x->order < y->order ? -1 : 1;
    return (x->turn > y->turn) - (x->turn < y->turn);
}

// Who runs what is left to chance: each of them may be asked for all of it the next time.
static void make_room(rt_workers_t *workers, int32_t size) {
    for (int32_t i = 0; i < workers->count; i++) {
        rt_post_actions_t *own = &workers->list[i].post;
        if (own->size >= size) continue;
        own->size = size;
        own->items = ecs_os_realloc_n(own->items, rt_post_action_t, size);
    }
}

// All that workers were asked to do after the frame, in order.
static rt_post_actions_t take_actions(rt_workers_t *workers) {
    rt_post_actions_t all = workers->spare;
    workers->spare = (rt_post_actions_t){ 0 };
    all.count = 0;
    for (int32_t i = 0; i < workers->count; i++) {
        rt_post_actions_t *own = &workers->list[i].post;
        for (int32_t k = 0; k < own->count; k++) {
            RT_ROOM(all.items, all.count, all.size);
            all.items[all.count++] = own->items[k];
        }
        own->count = 0;
    }
    make_room(workers, all.size);
    if (all.count) qsort(all.items, (size_t)all.count, sizeof *all.items, compare_actions);
    return all;
}

// The number of workers may change in the middle of a frame; what is asked for next comes behind what is kept.
static void keep_actions(rt_t *rt, rt_post_actions_t actions) {
    rt_workers_t *workers = rt->workers;
    rt_worker_t *first = &workers->list[0];
    first->order = (uint64_t)rt->stretch_number << 32 | UINT32_MAX;
    for (int32_t i = 0; i < actions.count; i++) actions.items[i].turn = i;
    first->post = actions;
}

static void free_memory(rt_worker_t *worker) {
    for (int32_t i = 0; i < worker->spare_count; i++) ecs_os_free(worker->spare_randoms[i].asked);
    ecs_os_free(worker->spare_randoms);
    ecs_os_free(worker->random.asked);
    ecs_os_free(worker->post.items);
    ecs_os_free(worker->its);
}

static void free_list(rt_workers_t *workers) {
    for (int32_t i = 0; i < workers->count; i++) free_memory(&workers->list[i]);
    ecs_os_free(workers->memory);
    workers->list = NULL;
    workers->memory = NULL;
    workers->count = 0;
}

static void make_list(rt_t *rt, int32_t count) {
    rt_workers_t *workers = rt->workers;
    ecs_size_t size = count * ECS_SIZEOF(rt_worker_t);
    workers->memory = ecs_os_calloc(size + 64);
    workers->list = (rt_worker_t *)(((uintptr_t)workers->memory + 63) & ~(uintptr_t)63);
    workers->count = count;
    for (int32_t i = 0; i < count; i++) {
        workers->list[i].world = ecs_get_stage(rt->world, i);
        workers->list[i].stage = ecs_ext_stage(rt->world, i);
        rt__random_forget(&workers->list[i].random);
        /* Any worker may be the first to need it in a tick that must not allocate. */
        if (count > 1) rt__random_reserve(&workers->list[i].random, RT_QUANTUM_MAX_ROWS);
    }
}

void rt__workers_set(rt_t *rt, int32_t count) {
    count = ECS_MIN(ECS_MAX(count, 1), SCHED_MAX_WORKERS);
    if (!rt->workers) rt->workers = ecs_os_calloc_t(rt_workers_t);
    if (rt->workers->count != count) {
        end_pool(rt->workers); /* its threads may still be about to look at stages */
        const rt_post_actions_t actions = take_actions(rt->workers);
        free_list(rt->workers);
        ecs_ext_stages_hold(rt->world, count);
        make_list(rt, count);
        keep_actions(rt, actions);
    }
    rt__workers_update_pool(rt);
}

void rt__workers_reserve(rt_workers_t *workers, int32_t its) {
    for (int32_t i = 0; i < workers->count; i++) {
        rt_worker_t *worker = &workers->list[i];
        if (worker->it_count >= its) continue;
        ecs_os_free(worker->its);
        worker->its = ecs_os_calloc_n(ecs_iter_t, its);
        worker->it_count = its;
    }
}

void rt__workers_fini(rt_t *rt) {
    if (!rt->workers) return;
    end_pool(rt->workers);
    free_list(rt->workers);
    ecs_os_free(rt->workers->spare.items);
    ecs_os_free(rt->workers);
    rt->workers = NULL;
}

// Other threads come with the world, or with stages of their own; they must not look at more than that.
bool rt__workers_is_own(const rt_t *rt, const ecs_world_t *stage) {
    if (stage == rt->world || ecs_stage_get_id(stage) < 0) return false;
    return rt__worker_of(rt, stage)->world == stage;
}

bool rt__workers_in_job(const rt_t *rt, const ecs_world_t *stage) {
    return rt__workers_is_own(rt, stage) && rt->running &&
           ecs_world_get_flags(rt->world) & EcsWorldMultiThreaded;
}

static void set_threads(ecs_world_t *world, int32_t threads, bool task_threads) {
    rt_t *rt = rt__of(world);
    ecs_check(rt, ECS_INVALID_OPERATION, "threads need a world made with ecs_init");
    RT_CHECK_WRITER(world);
    ecs_check(!rt->running && !(ecs_world_get_flags(world) & EcsWorldReadonly),
        ECS_INVALID_OPERATION, "the number of threads cannot change while systems run");
    ecs_check(threads <= 1 || ecs_os_has_threading(), ECS_MISSING_OS_API,
        "ecs_os_api has no functions for threads");
    ecs_check(threads <= 1 || !task_threads || ecs_os_has_task_support(), ECS_MISSING_OS_API,
        "ecs_os_api has no functions for tasks");
    task_threads = task_threads && threads > 1;
    if (task_threads != rt->task_threads) end_pool(rt->workers); /* joined by who made them */
    rt->task_threads = task_threads;
    rt__workers_set(rt, threads);
error:
    return;
}

void ecs_set_threads(ecs_world_t *world, int32_t threads) { set_threads(world, threads, false); }

void ecs_set_task_threads(ecs_world_t *world, int32_t threads) {
    set_threads(world, threads, true);
}

bool ecs_using_task_threads(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    return rt && rt->task_threads;
}

void ecs_set_schedule_seed(ecs_world_t *world, uint64_t seed) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION, "set the schedule seed between ticks");
    rt->schedule_seed = seed;
    rt__workers_update_pool(rt);
error:
    return;
}

void rt__workers_add_post(rt_t *rt, const ecs_world_t *stage, ecs_fini_action_t action, void *ctx) {
    rt_worker_t *worker = rt__worker_of(rt, stage);
    rt_post_actions_t *post = &worker->post;
    RT_ROOM(post->items, post->count, post->size);
    int32_t turn = post->count++;
    post->items[turn] = (rt_post_action_t){ action, ctx, worker->order, turn };
}

void ecs_run_post_frame(ecs_world_t *world, ecs_fini_action_t action, void *ctx) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && rt->frame_begun, ECS_INVALID_OPERATION,
        "ecs_run_post_frame works inside a frame: between ecs_frame_begin and ecs_frame_end");
    ecs_check(action, ECS_INVALID_PARAMETER, "ecs_run_post_frame needs an action");
    rt__workers_add_post(rt, world, action, ctx);
error:
    return;
}

void rt__workers_run_post(rt_t *rt) {
    const rt_post_actions_t actions = take_actions(rt->workers);
    for (int32_t i = 0; i < actions.count; i++)
        actions.items[i].action(rt->world, actions.items[i].ctx);
    if (!actions.items) return;
    ecs_os_free(rt->workers->spare.items); /* of a run inside this one */
    rt->workers->spare = actions;
}
