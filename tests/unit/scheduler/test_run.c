// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "support/test.h"

#include <muster/scheduler/scheduler.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void count(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    __atomic_fetch_add((int64_t *)ctx, end - begin, __ATOMIC_RELAXED);
}

static sched_plan_t *chain(int32_t nodes, sched_range_fn fn, void *ctx, int64_t items) {
    sched_graph_t *graph = sched_graph_create(NULL);
    for (int32_t i = 0; i < nodes; i++) {
        sched_graph_node(graph, &(sched_node_desc_t){ .fn = fn, .ctx = ctx, .count = items });
        if (i) sched_graph_edge(graph, i - 1, i);
    }
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    return plan;
}

static void empty_plans_and_empty_nodes_complete(void **unused) {
    (void)unused;
    int64_t sum = 0;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 3 });
    for (uint64_t seed = 0; seed < 3; seed++) {
        sched_pool_set_shuffle(pool, seed);
        sched_plan_t *plan = chain(0, NULL, NULL, 0);
        assert_int_equal(sched_plan_run(pool, plan), 0);
        sched_plan_destroy(plan);
        plan = chain(5, count, &sum, 10);
        sched_plan_set_range(plan, 1, 0, 1);
        sched_plan_set_range(plan, 4, -7, 0);
        sum = 0;
        assert_int_equal(sched_plan_run(pool, plan), 0);
        assert_int_equal(sum, 30);
        sched_plan_destroy(plan);
        plan = chain(5, NULL, NULL, 10);
        assert_int_equal(sched_plan_run(pool, plan), 0);
        sched_plan_destroy(plan);
    }
    sched_pool_destroy(pool);
}

// performance.md row 25: nobody is woken for a plan of tiny nodes.
static void chain_of_tiny_nodes_wakes_nobody(void **unused) {
    (void)unused;
    int64_t sum = 0;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2 });
    sched_plan_t *plan = chain(1000, count, &sum, 1);
    for (int i = 0; i < 100; i++) assert_int_equal(sched_plan_run(pool, plan), 0);
    assert_int_equal(sum, 100000);
    assert_int_equal(sched_pool_stats(pool).wakes, 0);
    assert_int_equal(sched_pool_stats(pool).claims, 0);
    assert_true(sched_plan_node_ns(plan, 500) >= 0);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

// What a serial run of `chain(nodes, count, …)` may do in one call.
typedef struct whole_t {
    int64_t sum, items, calls;
} whole_t;

static void count_nodes(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    whole_t *whole = ctx;
    assert_int_equal(begin, 0);
    assert_int_equal(worker, 0);
    whole->sum += (end - begin) * whole->items;
    whole->calls++;
}

static void serial_runs_use_one_call_and_shuffled_runs_do_not(void **unused) {
    (void)unused;
    whole_t whole = { .items = 3 };
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2 });
    sched_plan_t *plan = chain(20, count, &whole.sum, 3);
    sched_plan_set_serial(plan, count_nodes, &whole);
    for (int i = 0; i < 300; i++) assert_int_equal(sched_plan_run(pool, plan), 0);
    assert_int_equal(whole.sum, 300 * 60);
    assert_in_range(whole.calls, 1, 299); /* in some runs nodes are measured */
    int64_t calls = whole.calls;
    sched_pool_set_shuffle(pool, 1);
    for (int i = 0; i < 10; i++) assert_int_equal(sched_plan_run(pool, plan), 0);
    assert_int_equal(whole.sum, 310 * 60);
    assert_int_equal(whole.calls, calls);
    assert_int_equal(sched_plan_spare_runs(pool, plan), 0);
    sched_pool_set_shuffle(pool, 0);
    sched_plan_set_serial(plan, NULL, NULL);
    assert_int_equal(sched_plan_run(pool, plan), 0);
    assert_int_equal(whole.sum, 311 * 60);
    assert_int_equal(whole.calls, calls);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

// performance.md row 25: where deciding costs more than running, runs may do without.
static void small_plans_may_be_run_without_asking(void **unused) {
    (void)unused;
    int64_t sum = 0;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2 });
    sched_plan_t *plan = chain(2, count, &sum, 1);
    assert_int_equal(sched_plan_spare_runs(pool, plan), 0); /* nothing is known yet */
    for (int i = 0; i < 1000 && !sched_plan_spare_runs(pool, plan); i++) {
        assert_int_equal(sched_plan_run(pool, plan), 0);
    }
    assert_true(sched_plan_spare_runs(pool, plan) > 0);
    sched_plan_set_range(plan, 1, 1000000, 1);
    assert_int_equal(sched_plan_spare_runs(pool, plan), 0);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

// Parts take far longer than the whole, as with data that must first come from another worker.
static void slow_in_parts(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    struct timespec start, now;
    if (end - begin == *(int64_t *)ctx) return;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 3000);
}

// performance.md row 25: what sharing costs must not count as what nodes take.
static void plans_that_only_seem_worth_sharing_are_found_out(void **unused) {
    (void)unused;
    int64_t items = 16, claims = -1;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2, .wake_ns = -1 });
    sched_plan_t *plan = chain(1, slow_in_parts, &items, items);
    for (int i = 0; i < 100 && claims != sched_pool_stats(pool).claims; i++) {
        claims = sched_pool_stats(pool).claims;
        for (int k = 0; k < 50; k++) assert_int_equal(sched_plan_run(pool, plan), 0);
    }
    assert_true(claims > 0);
    assert_int_equal(sched_pool_stats(pool).claims, claims);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

static void take_part(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end;
    __atomic_fetch_or((uint64_t *)ctx, UINT64_C(1) << worker, __ATOMIC_RELAXED);
    nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
}

// performance.md row 30: whoever was woken for a node of its own wakes others for the nodes beside it.
static void all_sleepers_are_woken_for_nodes_side_by_side(void **unused) {
    (void)unused;
    uint64_t workers = 0;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 12 });
    sched_graph_t *graph = sched_graph_create(NULL);
    for (int i = 0; i < 60; i++) {
        sched_graph_node(
            graph, &(sched_node_desc_t){
                       .fn = take_part, .ctx = &workers, .count = 1, .flags = SCHED_NODE_WHOLE });
    }
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    for (int i = 0; i < 60; i++) sched_plan_set_cost(plan, i, 2e7);
    nanosleep(&(struct timespec){ 0, 20000000 }, NULL); /* until all are asleep */
    assert_int_equal(sched_plan_run(pool, plan), 0);
    assert_int_equal(workers, 0xfff);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

typedef struct counted_t {
    int64_t allocations;
} counted_t;

static void *counting_malloc(size_t size, void *ctx) {
    ((counted_t *)ctx)->allocations++;
    return malloc(size);
}

static void counting_free(void *ptr, void *ctx) {
    (void)ctx;
    free(ptr);
}

static void running_again_allocates_nothing(void **unused) {
    (void)unused;
    int64_t sum = 0;
    counted_t counted = { 0 };
    sched_pool_desc_t desc = {
        .workers = 2, .ctx = &counted, .malloc_fn = counting_malloc, .free_fn = counting_free
    };
    sched_pool_t *pool = sched_pool_create(&desc);
    sched_pool_set_shuffle(pool, 3);
    sched_graph_t *graph = sched_graph_create(&desc);
    for (int i = 0; i < 50; i++) {
        sched_graph_node(graph, &(sched_node_desc_t){ .fn = count, .ctx = &sum, .count = 100 });
    }
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    assert_int_equal(sched_plan_run(pool, plan), 0);
    int64_t before = counted.allocations;
    for (int i = 0; i < 50; i++) {
        sched_plan_set_range(plan, i, 100 + i, 3);
        assert_int_equal(sched_plan_run(pool, plan), 0);
        sched_parallel_for(pool, 100, 1, count, &sum);
    }
    assert_int_equal(counted.allocations, before);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

// Both nodes take part in one rendezvous, which only works if they overlap.
typedef struct meeting_t {
    int arrived, gave_up;
} meeting_t;

static void meet(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end, (void)worker;
    meeting_t *meeting = ctx;
    __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 5000; i++) {
        if (__atomic_load_n(&meeting->arrived, __ATOMIC_RELAXED) == 2) return;
        nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    }
    meeting->gave_up = 1;
}

static void meet_check(uint32_t first, uint32_t second) {
    meeting_t meeting = { 0, 0 };
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2 });
    sched_graph_t *graph = sched_graph_create(NULL);
    sched_graph_node(graph, &(sched_node_desc_t){ .fn = meet, .ctx = &meeting, .flags = first });
    sched_graph_node(graph, &(sched_node_desc_t){ .fn = meet, .ctx = &meeting, .flags = second });
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    sched_plan_set_cost(plan, 0, 1e6);
    sched_plan_set_cost(plan, 1, 1e6);
    assert_int_equal(sched_plan_run(pool, plan), 0);
    assert_int_equal(meeting.gave_up, 0);
    /* Measured, if only as 0: whoever comes second leaves at once. */
    assert_int_not_equal(sched_plan_node_ns(plan, 0), -1);
    assert_int_not_equal(sched_plan_node_ns(plan, 1), -1);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
}

// THR-06
static void independent_nodes_overlap(void **unused) {
    (void)unused;
    meet_check(0, 0);
    meet_check(SCHED_NODE_WHOLE, SCHED_NODE_WHOLE);
    meet_check(SCHED_NODE_CALLER, SCHED_NODE_WHOLE);
    meet_check(0, SCHED_NODE_CALLER);
}

static void cancelling_before_a_run_cancels_that_run_only(void **unused) {
    (void)unused;
    int64_t sum = 0;
    sched_plan_t *plan = chain(3, count, &sum, 10);
    for (int32_t workers = 1; workers <= 2; workers++) {
        sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = workers });
        sched_plan_cancel(plan);
        assert_true(sched_plan_is_cancelled(plan));
        sum = 0;
        assert_int_equal(sched_plan_run(pool, plan), -1);
        assert_int_equal(sum, 0);
        assert_int_equal(sched_plan_run(pool, plan), 0);
        assert_int_equal(sum, 30);
        sched_pool_destroy(pool);
    }
    sched_plan_destroy(plan);
}

typedef struct again_t {
    sched_pool_t *pool;
    sched_plan_t *plan;
    int result;
} again_t;

static char said[200];

static void keep(const char *sentence, void *ctx) {
    (void)ctx;
    strncpy(said, sentence, sizeof said - 1);
}

static void run_again(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end, (void)worker;
    again_t *again = ctx;
    again->result = sched_plan_run(again->pool, again->plan);
}

static void a_plan_cannot_run_inside_itself(void **unused) {
    (void)unused;
    again_t again = { .result = 0 };
    again.pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 1, .abort_fn = keep });
    again.plan = chain(1, run_again, &again, 1);
    assert_int_equal(sched_plan_run(again.pool, again.plan), 0);
    assert_int_equal(again.result, -1);
    assert_string_equal(said, "sched_plan_run: the plan is running already");
    sched_plan_destroy(again.plan);
    sched_pool_destroy(again.pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_plans_and_empty_nodes_complete),
        cmocka_unit_test(chain_of_tiny_nodes_wakes_nobody),
        cmocka_unit_test(serial_runs_use_one_call_and_shuffled_runs_do_not),
        cmocka_unit_test(small_plans_may_be_run_without_asking),
        cmocka_unit_test(plans_that_only_seem_worth_sharing_are_found_out),
        cmocka_unit_test(all_sleepers_are_woken_for_nodes_side_by_side),
        cmocka_unit_test(running_again_allocates_nothing),
        cmocka_unit_test(independent_nodes_overlap),
        cmocka_unit_test(cancelling_before_a_run_cancels_that_run_only),
        cmocka_unit_test(a_plan_cannot_run_inside_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
