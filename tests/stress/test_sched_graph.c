// SPDX-License-Identifier: MIT
// Random graphs against a serial reference: each item of each node runs exactly once, after
// everything the node depends on, whatever the worker count, the shuffle seed and the ranges.
#include "support/test.h"

#include <muster/scheduler/scheduler.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

#define MAX_NODES 120
#define MAX_ITEMS 400

static random_t random_state;
static int32_t below(int32_t limit) { return random_below(&random_state, limit); }

// Plain memory on purpose: the scheduler has to order every access.
typedef struct scene_t scene_t;
typedef struct work_t {
    scene_t *scene;
    int32_t id, count;
    uint32_t flags;
    int32_t predecessors[8], predecessor_count;
    uint8_t ran[MAX_ITEMS];
    uint32_t value[MAX_ITEMS]; /* depends on all values of all predecessors */
} work_t;

struct scene_t {
    sched_pool_t *pool;
    int32_t node_count;
    work_t nodes[MAX_NODES];
};

static uint32_t digest(const work_t *work) {
    uint32_t hash = (uint32_t)work->id * 2654435761u;
    for (int32_t i = 0; i < work->count; i++) hash = (hash ^ work->value[i]) * 16777619u;
    return hash;
}

static uint32_t expected_value(const work_t *work, int64_t item) {
    uint32_t value = (uint32_t)item + 1;
    for (int32_t i = 0; i < work->predecessor_count; i++) {
        value = value * 31 + digest(&work->scene->nodes[work->predecessors[i]]);
    }
    return value;
}

// Jobs run on threads that cmocka does not know, so they count what the test then asserts.
static int failures;

static void expect(bool holds) {
    if (!holds) __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

static void run_node(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    work_t *work = ctx;
    if (work->flags & SCHED_NODE_CALLER) expect(worker == 0);
    if (work->flags) expect(begin == 0 && end == work->count);
    expect(worker == sched_worker_index(work->scene->pool));
    for (int64_t i = begin; i < end; i++) {
        work->ran[i]++;
        work->value[i] = expected_value(work, i);
    }
}

static sched_plan_t *build(scene_t *scene) {
    sched_graph_t *graph = sched_graph_create(NULL);
    scene->node_count = 1 + below(MAX_NODES);
    for (int32_t i = 0; i < scene->node_count; i++) {
        work_t *work = &scene->nodes[i];
        memset(work, 0, sizeof *work);
        work->scene = scene;
        work->id = i;
        int32_t kind = below(8);
        work->flags = kind == 0 ? SCHED_NODE_CALLER : kind == 1 ? SCHED_NODE_WHOLE : 0;
        sched_node_desc_t desc = { .fn = run_node, .ctx = work, .flags = work->flags };
        assert_int_equal(sched_graph_node(graph, &desc), i);
        int32_t edges = i ? below(4) : 0;
        for (int32_t k = 0; k < edges; k++) {
            /* mostly near neighbours, so that there are long chains */
            int32_t from = i - 1 - below(i < 6 ? i : 6);
            work->predecessors[work->predecessor_count++] = from;
            assert_int_equal(sched_graph_edge(graph, from, i), 0);
        }
    }
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    assert_non_null(plan);
    sched_graph_destroy(graph);
    return plan;
}

static void run_and_check(scene_t *scene, sched_plan_t *plan) {
    for (int32_t i = 0; i < scene->node_count; i++) {
        work_t *work = &scene->nodes[i];
        work->count = below(3) ? below(MAX_ITEMS) : below(3);
        memset(work->ran, 0, sizeof work->ran);
        sched_plan_set_range(plan, i, work->count, 1 + below(20));
        if (!below(8)) sched_plan_set_cost(plan, i, below(100000));
    }
    assert_int_equal(sched_plan_run(scene->pool, plan), 0);
    assert_int_equal(failures, 0);
    for (int32_t i = 0; i < scene->node_count; i++) {
        work_t *work = &scene->nodes[i];
        for (int32_t k = 0; k < work->count; k++) {
            assert_int_equal(work->ran[k], 1);
            assert_int_equal(work->value[k], expected_value(work, k));
        }
    }
    assert_null(sched_plan_verify(plan));
    assert_null(sched_pool_verify(scene->pool));
}

static void random_graphs(int32_t workers, bool spins, uint64_t seed, int graphs) {
    scene_t *scene = calloc(1, sizeof *scene);
    scene->pool = sched_pool_create(
        &(sched_pool_desc_t){ .workers = workers, .oversubscribe_spin = spins, .wake_ns = -1 });
    assert_non_null(scene->pool);
    random_state = random_init(random_seed() + seed);
    for (int i = 0; i < graphs; i++) {
        sched_plan_t *plan = build(scene);
        for (int run = 0; run < 4; run++) {
            sched_pool_set_shuffle(scene->pool, run ? seed + (uint64_t)i : 0);
            run_and_check(scene, plan);
        }
        sched_plan_destroy(plan);
    }
    sched_pool_destroy(scene->pool);
    free(scene);
}

static void graph_runs_in_order_on_one_worker(void **unused) {
    (void)unused;
    random_graphs(1, false, 7, 20);
}

static void graph_runs_in_order_on_two_workers(void **unused) {
    (void)unused;
    random_graphs(2, false, 11, 40);
}

static void graph_runs_in_order_on_four_spinning_workers(void **unused) {
    (void)unused;
    random_graphs(4, true, 13, 10);
}

static void graph_runs_in_order_when_oversubscribed(void **unused) {
    (void)unused;
    random_graphs(3, false, 17, 15);
    random_graphs(8, false, 19, 10);
    random_graphs(32, false, 23, 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graph_runs_in_order_on_one_worker),
        cmocka_unit_test(graph_runs_in_order_on_two_workers),
        cmocka_unit_test(graph_runs_in_order_on_four_spinning_workers),
        cmocka_unit_test(graph_runs_in_order_when_oversubscribed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
