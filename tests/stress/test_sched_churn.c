// SPDX-License-Identifier: MIT
// Pools, plans and cancellation under churn: shutdown at any moment, plans that die right after a
// run while workers still look into them, plans that move between pools, cancel from anywhere.
#define _GNU_SOURCE
#include "support/test.h"

#include <muster/scheduler/scheduler.h>
#include <pthread.h>
#include <time.h>

static void wait_us(long us) { nanosleep(&(struct timespec){ 0, us * 1000 }, NULL); }

static void count(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    __atomic_fetch_add((int64_t *)ctx, end - begin, __ATOMIC_RELAXED);
}

static sched_plan_t *build(int nodes, sched_range_fn fn, void *ctx, int64_t items) {
    sched_graph_t *graph = sched_graph_create(NULL);
    for (int32_t i = 0; i < nodes; i++) {
        sched_graph_node(graph, &(sched_node_desc_t){ .fn = fn, .ctx = ctx, .count = items });
        if (i > 1) sched_graph_edge(graph, i - 2, i);
    }
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    return plan;
}

static void pools_stop_while_workers_start_spin_or_sleep(void **unused) {
    (void)unused;
    int64_t sum = 0;
    for (int i = 0; i < 120; i++) {
        sched_pool_desc_t desc = {
            .workers = 1 + i % 9, .wake_ns = -1, .oversubscribe_spin = i % 2
        };
        sched_pool_t *pool = sched_pool_create(&desc);
        assert_non_null(pool);
        sched_pool_set_shuffle(pool, (uint64_t)(i % 3));
        if (i % 4 > 0) sched_parallel_for(pool, 100, 1, count, &sum);
        if (i % 4 > 1) sched_parallel_for(pool, 100, 1, count, &sum);
        if (i % 4 > 2) wait_us(i % 8 * 20);
        sched_pool_destroy(pool);
    }
    assert_int_equal(sum, 30 * 100 * (1 + 2 + 2));
}

static void plans_are_freed_while_workers_still_look(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){
        .workers = 4, .wake_ns = -1, .inline_ns = -1, .oversubscribe_spin = true });
    for (int i = 0; i < 300; i++) {
        int64_t sum = 0;
        sched_plan_t *plan = build(1 + i % 5, count, &sum, 1 + i % 7);
        for (int run = 0; run <= i % 3; run++) assert_int_equal(sched_plan_run(pool, plan), 0);
        assert_int_equal(sum, (1 + i % 3) * (1 + i % 5) * (1 + i % 7));
        sched_plan_destroy(plan);
    }
    sched_pool_destroy(pool);
}

static void plans_move_between_pools_and_outlive_them(void **unused) {
    (void)unused;
    int64_t sum = 0;
    sched_plan_t *plan = build(6, count, &sum, 40);
    for (int i = 0; i < 40; i++) {
        sched_pool_t *pools[2];
        for (int k = 0; k < 2; k++) {
            pools[k] = sched_pool_create(&(sched_pool_desc_t){ .workers = 1 + (i * 2 + k) % 6 });
            sched_pool_set_shuffle(pools[k], 5);
        }
        sched_plan_t *other = build(3, count, &sum, 10);
        for (int run = 0; run < 4; run++) {
            assert_int_equal(sched_plan_run(pools[run % 2], plan), 0);
            assert_int_equal(sched_plan_run(pools[0], other), 0);
        }
        assert_null(sched_plan_verify(plan));
        sched_pool_destroy(pools[i % 2]);
        sched_plan_destroy(other);
        sched_pool_destroy(pools[1 - i % 2]);
    }
    sched_plan_destroy(plan);
    assert_int_equal(sum, 40 * 4 * (240 + 30));
}

typedef struct cancel_t {
    sched_plan_t *plan;
    int64_t limit, done;
} cancel_t;

static void cancel_after_limit(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    cancel_t *cancel = ctx;
    int64_t items = end - begin;
    int64_t before = __atomic_fetch_add(&cancel->done, items, __ATOMIC_RELAXED);
    if (before < cancel->limit && before + items >= cancel->limit) sched_plan_cancel(cancel->plan);
}

static void cancelled_runs_end_and_later_ones_are_complete(void **unused) {
    (void)unused;
    for (int32_t workers = 1; workers <= 5; workers++) {
        sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = workers });
        cancel_t cancel = { 0 };
        cancel.plan = build(30, cancel_after_limit, &cancel, 50);
        for (int i = 0; i < 100; i++) {
            sched_pool_set_shuffle(pool, (uint64_t)i);
            cancel.limit = 1 + i * 13;
            cancel.done = 0;
            assert_int_equal(sched_plan_run(pool, cancel.plan), -1);
            assert_in_range(cancel.done, cancel.limit, 1500);
            assert_null(sched_plan_verify(cancel.plan));
            assert_null(sched_pool_verify(pool));
            cancel.limit = INT64_MAX;
            cancel.done = 0;
            assert_int_equal(sched_plan_run(pool, cancel.plan), 0);
            assert_int_equal(cancel.done, 1500);
        }
        sched_plan_destroy(cancel.plan);
        sched_pool_destroy(pool);
    }
}

typedef struct canceller_t {
    sched_plan_t *plan;
    int stop;
} canceller_t;

static void *cancel_now_and_then(void *ctx) {
    canceller_t *self = ctx;
    for (long i = 0; !__atomic_load_n(&self->stop, __ATOMIC_ACQUIRE); i++) {
        wait_us(10 + i % 90);
        sched_plan_cancel(self->plan);
    }
    return NULL;
}

static void another_thread_cancels_at_any_moment(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 3 });
    int64_t sum = 0;
    canceller_t self = { build(40, count, &sum, 30), 0 };
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_now_and_then, &self), 0);
    for (int i = 0; i < 1000; i++) {
        sched_pool_set_shuffle(pool, (uint64_t)(i % 4));
        sum = 0;
        int result = sched_plan_run(pool, self.plan);
        if (result == 0) assert_int_equal(sum, 40 * 30);
        assert_in_range(sum, 0, 40 * 30);
        assert_null(sched_plan_verify(self.plan));
    }
    __atomic_store_n(&self.stop, 1, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    sched_plan_destroy(self.plan);
    sched_pool_destroy(pool);
}

static void many_workers_share_two_processors(void **unused) {
    (void)unused;
    for (int32_t workers = 1; workers <= 32; workers += workers < 8 ? 1 : 8) {
        sched_pool_t *pool =
            sched_pool_create(&(sched_pool_desc_t){ .workers = workers, .wake_ns = -1 });
        sched_pool_set_shuffle(pool, 1);
        int64_t sum = 0;
        for (int i = 0; i < 20; i++) sched_parallel_for(pool, 1000, 3, count, &sum);
        assert_int_equal(sum, 20 * 1000);
        assert_null(sched_pool_verify(pool));
        sched_pool_destroy(pool);
    }
}

// Runs far enough apart that every worker has gone to sleep: each needs its wake-up.
static void workers_come_back_from_sleep(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(
        &(sched_pool_desc_t){ .workers = 4, .wake_ns = -1, .inline_ns = -1, .spin_ns = -1 });
    int64_t sum = 0, runs = 0;
    /* Where processors are busy elsewhere, workers begin late. */
    for (; runs < 300 || (runs < 30000 && sched_pool_stats(pool).parks < 3); runs++) {
        sched_parallel_for(pool, 8, 1, count, &sum);
        if (runs % 3 == 0) wait_us(runs < 300 ? runs : 1000);
    }
    assert_int_equal(sum, runs * 8);
    assert_true(sched_pool_stats(pool).parks >= 3);
    assert_true(sched_pool_stats(pool).wakes > 0);
    sched_pool_destroy(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pools_stop_while_workers_start_spin_or_sleep),
        cmocka_unit_test(plans_are_freed_while_workers_still_look),
        cmocka_unit_test(plans_move_between_pools_and_outlive_them),
        cmocka_unit_test(cancelled_runs_end_and_later_ones_are_complete),
        cmocka_unit_test(another_thread_cancels_at_any_moment),
        cmocka_unit_test(many_workers_share_two_processors),
        cmocka_unit_test(workers_come_back_from_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
