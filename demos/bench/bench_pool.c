// SPDX-License-Identifier: MIT
// bench_pool: how long the worker pool takes to share work out and to notice that it is done, beside
// threads with condition variables and threads that spin on atomics.
//
// Each worker gets one piece, so that a pool in which one worker does everything does not look good;
// what is reported is the median time of a call beyond that of one piece.
#define _GNU_SOURCE // nanosleep
#include "bench.h"
#include "scene.h"
#include "team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    Work pieces[SCHED_MAX_WORKERS]; // only read
    sched_pool_t *pool;
    team_t *sleepers;
    _Atomic int64_t done;
    int64_t expected;
    int32_t workers;
    bool pauses; // before each call, so long that workers fall asleep
} pool_t;

// What the pool is asked to do, `variant` of a benchmark.
enum {
    SHARE_ALL,  // pieces of a few microseconds, shared out whether it pays or not
    SHARE_LONG, // pieces worth waking somebody for, about 400 microseconds; after a pause
    SHARE_TINY  // pieces not worth anything
};

enum {
    SHORT_ROUNDS = 2000,
    LONG_ROUNDS = 300000,
    CALLS = 500,
    PARKED_CALLS = 30,
    TINY_CALLS = 100000
};

static void set_up(bench_run_t *run) {
    pool_t *state = run->state = bench_array(1, sizeof *state);
    int32_t always = run->bench->variant == SHARE_ALL ? -1 : 0;
    state->workers = run->bench->with_workers ? run->workers : 2;
    state->pauses = run->bench->variant == SHARE_LONG;
    state->pool = sched_pool_create(
        &(sched_pool_desc_t){ .workers = state->workers, .inline_ns = always, .wake_ns = always });
    state->sleepers = team_create(state->workers, false);
    for (int32_t i = 0; i < SCHED_MAX_WORKERS; i++) {
        state->pieces[i].rounds = state->pauses ? LONG_ROUNDS : SHORT_ROUNDS;
    }
}

static void tear_down(bench_run_t *run) {
    pool_t *state = run->state;
    if (atomic_load(&state->done) != state->expected) {
        bench_wrong(run, "%lld pieces were done instead of %lld",
            (long long)atomic_load(&state->done), (long long)state->expected);
    }
    team_destroy(state->sleepers);
    sched_pool_destroy(state->pool);
    free(state);
}

static void do_piece(pool_t *state, int32_t index) {
    Work piece = state->pieces[index];
    scene_work(&piece, 1);
    bench_keep((int64_t)piece.value);
    atomic_fetch_add_explicit(&state->done, 1, memory_order_relaxed);
}

static void do_range(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    for (int64_t i = begin; i < end; i++) do_piece(ctx, (int32_t)i);
}

static void do_share(void *ctx, int32_t member) { do_piece(ctx, member); }

static double piece_ns(pool_t *state, double *times, int32_t calls) {
    for (int32_t i = 0; i < calls; i++) {
        double start = bench_now();
        do_piece(state, 0);
        times[i] = bench_now() - start;
    }
    state->expected += calls;
    return bench_median(times, calls);
}

// `team` NULL: by the pool.
static double fork_join(pool_t *state, team_t *team) {
    double times[CALLS];
    int32_t calls = state->pauses ? PARKED_CALLS : CALLS;
    for (int32_t i = 0; i < calls; i++) {
        if (state->pauses) nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
        double start = bench_now();
        if (team) {
            team_run(team, do_share, state);
        } else {
            sched_parallel_for(state->pool, state->workers, 1, do_range, state);
        }
        times[i] = bench_now() - start;
    }
    state->expected += (int64_t)calls * state->workers;
    double call_ns = bench_median(times, calls);
    return call_ns - piece_ns(state, times, calls);
}

static double by_pool(bench_run_t *run) { return fork_join(run->state, NULL); }

static double by_sleepers(bench_run_t *run) {
    pool_t *state = run->state;
    return fork_join(state, state->sleepers);
}

static double by_spinners(bench_run_t *run) {
    pool_t *state = run->state;
    team_t *spinners = team_create(state->workers, true);
    double cost = fork_join(state, spinners);
    team_destroy(spinners);
    return cost;
}

// ---- Jobs not worth sharing ----

static void do_little(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    *(int64_t *)ctx += end - begin;
}

static double tiny_jobs(bench_run_t *run) {
    pool_t *state = run->state;
    int64_t done = 0;
    double start = bench_now();
    for (int32_t i = 0; i < TINY_CALLS; i++)
        sched_parallel_for(state->pool, 8, 1, do_little, &done);
    double time_ns = bench_now() - start;
    if (done != 8 * TINY_CALLS) bench_wrong(run, "tiny jobs were split or lost");
    return time_ns / TINY_CALLS;
}

static double tiny_calls(bench_run_t *run) {
    int64_t done = 0;
    double start = bench_now();
    for (int32_t i = 0; i < TINY_CALLS; i++) {
        sched_range_fn fn = do_little;
        __asm__ volatile("" : "+r"(fn)); // called through the pointer, not inlined
        fn(&done, 0, 8, 0);
    }
    double time_ns = bench_now() - start;
    if (done != 8 * TINY_CALLS) bench_wrong(run, "calls were lost");
    return time_ns / TINY_CALLS;
}

const bench_t bench_pool[] = {
    { .name = "pool/fork_join",
        .row = "",
        .unit = "ns/call",
        .about = "sharing out a piece of 3 microseconds for each worker, again and again",
        .limit_is = "threads that spin on atomics",
        .base_is = "threads with condition variables",
        .setup = set_up,
        .ours = by_pool,
        .limit = by_spinners,
        .base = by_sleepers,
        .teardown = tear_down,
        .with_workers = true,
        .variant = SHARE_ALL },
    { .name = "pool/fork_join_parked",
        .row = "",
        .unit = "ns/call",
        .about = "pieces of 400 microseconds, after a pause in which workers went to sleep",
        .limit_is = "threads that spin on atomics",
        .base_is = "threads with condition variables",
        .setup = set_up,
        .ours = by_pool,
        .limit = by_spinners,
        .base = by_sleepers,
        .teardown = tear_down,
        .with_workers = true,
        .variant = SHARE_LONG },
    { .name = "pool/tiny_job",
        .row = "",
        .unit = "ns/call",
        .about = "a job of eight items that is not worth sharing",
        .limit_is = "a call through a function pointer",
        .setup = set_up,
        .ours = tiny_jobs,
        .limit = tiny_calls,
        .teardown = tear_down,
        .variant = SHARE_TINY },
    { 0 },
};
