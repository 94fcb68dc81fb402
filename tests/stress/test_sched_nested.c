// SPDX-License-Identifier: MIT
// Parallel-fors inside parallel-fors inside plan nodes: exact coverage at each level, no deadlock
// with any number of workers, waiters help only with what they wait for, and more loops than slots.
#include "support/test.h"

#include <muster/scheduler/scheduler.h>
#include <sched.h>
#include <string.h>

static sched_pool_t *pool;
static int failures; /* jobs run on threads that cmocka does not know */

static void expect(bool holds) {
    if (!holds) __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static int64_t add(int64_t *sum, int64_t value) {
    return __atomic_fetch_add(sum, value, __ATOMIC_RELAXED);
}

typedef struct level_t {
    int depth, width;
    int64_t leaves;
} level_t;

static void descend(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    level_t *level = ctx;
    for (int64_t i = begin; i < end; i++) {
        level_t below = { level->depth - 1, level->width, 0 };
        if (below.depth) {
            sched_parallel_for(pool, level->width, 1, descend, &below);
        } else {
            below.leaves = 1;
        }
        add(&level->leaves, below.leaves);
    }
    expect(worker == sched_worker_index(pool));
}

static int64_t power(int64_t base, int exponent) {
    return exponent ? base * power(base, exponent - 1) : 1;
}

static void check_depth(int depth, int width) {
    level_t top = { depth, width, 0 };
    sched_parallel_for(pool, width, 1, descend, &top);
    assert_int_equal(top.leaves, power(width, depth));
    assert_int_equal(failures, 0);
    assert_null(sched_pool_verify(pool));
}

static void with_pools(void (*body)(void)) {
    static const int32_t workers[] = { 1, 2, 3, 8 };
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            pool = sched_pool_create(&(sched_pool_desc_t){ .workers = workers[i], .wake_ns = -1 });
            sched_pool_set_shuffle(pool, seed);
            body();
            sched_pool_destroy(pool);
        }
    }
}

static void deep_and_wide(void) {
    check_depth(1, 100);
    check_depth(2, 20);
    check_depth(4, 5);
    check_depth(8, 2);
}

static void nested_loops_cover_every_leaf_once(void **unused) {
    (void)unused;
    with_pools(deep_and_wide);
}

// One path that nests deeper than there are slots: the rest runs where it is.
static void chain_of_loops(void) {
    check_depth(100, 1);
    static const int depth = 80;
    int64_t sum = 0;
    level_t top = { depth, 1, 0 };
    sched_parallel_for(pool, 4, 1, descend, &top);
    sum = top.leaves;
    assert_int_equal(sum, 4);
}

static void loops_nest_deeper_than_there_are_slots(void **unused) {
    (void)unused;
    with_pools(chain_of_loops);
}

// A job must never be entered again on the same stack by an unrelated job: the waiter inside
// `outer` may only run `inner`s of its own.
typedef struct frame_t {
    int64_t inside[SCHED_MAX_WORKERS]; /* which outer item each worker is in; -1: none */
    int64_t inner_count;
} frame_t;

typedef struct inner_t {
    frame_t *frame;
    int64_t item;
} inner_t;

static void inner(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    inner_t *self = ctx;
    int64_t in = self->frame->inside[worker];
    expect(in == -1 || in == self->item);
    add(&self->frame->inner_count, end - begin);
}

static void outer(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    frame_t *frame = ctx;
    for (int64_t i = begin; i < end; i++) {
        expect(frame->inside[worker] == -1);
        frame->inside[worker] = i;
        inner_t self = { frame, i };
        sched_parallel_for(pool, 50, 1, inner, &self);
        frame->inside[worker] = -1;
    }
}

static void outer_and_inner(void) {
    for (int repeat = 0; repeat < 5; repeat++) {
        frame_t frame = { .inner_count = 0 };
        memset(frame.inside, 0xff, sizeof frame.inside);
        sched_parallel_for(pool, 40, 1, outer, &frame);
        assert_int_equal(frame.inner_count, 40 * 50);
        assert_int_equal(failures, 0);
    }
}

static void waiters_help_only_with_what_they_wait_for(void **unused) {
    (void)unused;
    with_pools(outer_and_inner);
}

// Who waits for a loop runs what that loop began meanwhile: an item of a nested loop waits, for a while, until another worker has
// taken the other one.
typedef struct meeting_t {
    int inside; /* outer items that were begun */
    int met;    /* inner items that were begun */
} meeting_t;

static void wait_for(int *count) {
    for (int i = 0; i < 1000000 && __atomic_load_n(count, __ATOMIC_SEQ_CST) < 2; i++) sched_yield();
}

static void meet(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    meeting_t *meeting = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++) {
        __atomic_fetch_add(&meeting->met, 1, __ATOMIC_SEQ_CST);
        wait_for(&meeting->met);
        expect(__atomic_load_n(&meeting->met, __ATOMIC_SEQ_CST) == 2);
    }
}

static void begin_late(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    meeting_t *meeting = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++) {
        bool is_first = __atomic_fetch_add(&meeting->inside, 1, __ATOMIC_SEQ_CST) == 0;
        wait_for(&meeting->inside);
        if (is_first) continue; // and its worker waits for the other one
        for (int t = 0; t < 100; t++) sched_yield();
        sched_parallel_for(pool, 2, 1, meet, meeting);
    }
}

static void waiters_help_with_loops_that_begin_late(void **unused) {
    (void)unused;
    pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2, .inline_ns = -1, .wake_ns = -1 });
    for (int repeat = 0; repeat < 20; repeat++) {
        meeting_t meeting = { 0 };
        sched_parallel_for(pool, 2, 1, begin_late, &meeting);
        assert_int_equal(meeting.met, 2);
        assert_int_equal(failures, 0);
    }
    assert_null(sched_pool_verify(pool));
    sched_pool_destroy(pool);
}

// Plans whose nodes run loops, and loops whose items run plans.
static void loop_node(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end, (void)worker;
    level_t top = { 2, 8, 0 };
    sched_parallel_for(pool, top.width, 1, descend, &top);
    add(ctx, top.leaves);
}

static sched_plan_t *build_plan(int64_t *sum) {
    sched_graph_t *graph = sched_graph_create(NULL);
    for (int32_t i = 0; i < 12; i++) {
        uint32_t flags = i % 3 == 0 ? SCHED_NODE_CALLER : 0;
        sched_graph_node(
            graph, &(sched_node_desc_t){ .fn = loop_node, .ctx = sum, .flags = flags });
        if (i > 2) sched_graph_edge(graph, i - 3, i);
    }
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    return plan;
}

static void run_plans(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    for (int64_t i = begin; i < end; i++) {
        sched_plan_t *plan = build_plan(ctx);
        expect(sched_plan_run(pool, plan) == 0);
        expect(sched_plan_verify(plan) == NULL);
        sched_plan_destroy(plan);
    }
}

static void plans_and_loops(void) {
    int64_t sum = 0;
    run_plans(&sum, 0, 3, 0);
    assert_int_equal(sum, 3 * 12 * 64);
    sum = 0;
    sched_parallel_for(pool, 10, 1, run_plans, &sum);
    assert_int_equal(sum, 10 * 12 * 64);
    assert_int_equal(failures, 0);
    assert_null(sched_pool_verify(pool));
}

static void plans_run_loops_and_loops_run_plans(void **unused) {
    (void)unused;
    with_pools(plans_and_loops);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nested_loops_cover_every_leaf_once),
        cmocka_unit_test(loops_nest_deeper_than_there_are_slots),
        cmocka_unit_test(waiters_help_only_with_what_they_wait_for),
        cmocka_unit_test(waiters_help_with_loops_that_begin_late),
        cmocka_unit_test(plans_run_loops_and_loops_run_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
