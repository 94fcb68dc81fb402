// SPDX-License-Identifier: MIT
#include "support/test.h"

#include <muster/scheduler/graph.h>
#include <stdlib.h>
#include <string.h>

static char logged[600];

static void keep_log(const char *sentence, void *ctx) {
    (void)ctx;
    strncpy(logged, sentence, sizeof logged - 1);
}

static const sched_pool_desc_t quiet = { .log_fn = keep_log };

typedef struct trail_t {
    int32_t ids[200], count;
} trail_t;

typedef struct step_t {
    trail_t *trail;
    int32_t id;
} step_t;

static void leave_mark(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end, (void)worker;
    step_t *step = ctx;
    step->trail->ids[step->trail->count++] = step->id;
}

static sched_graph_t *graph_with(int32_t nodes, step_t *steps, trail_t *trail) {
    static const char *const names[] = { "a", "b", "c", "d", "e" };
    sched_graph_t *graph = sched_graph_create(&quiet);
    for (int32_t i = 0; i < nodes; i++) {
        if (steps) steps[i] = (step_t){ trail, i };
        sched_node_desc_t desc = { .name = i < 5 ? names[i] : NULL,
            .fn = steps ? leave_mark : NULL,
            .ctx = steps ? &steps[i] : NULL };
        assert_int_equal(sched_graph_node(graph, &desc), i);
    }
    return graph;
}

static void check_order(sched_graph_t *graph, const trail_t *trail, const char *expected) {
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 1 });
    char order[64] = "";
    assert_int_equal(sched_plan_run(pool, plan), 0);
    for (int32_t i = 0; i < trail->count; i++) order[i] = (char)('0' + trail->ids[i]);
    assert_string_equal(order, expected);
    assert_null(sched_plan_verify(plan));
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
    sched_graph_destroy(graph);
}

static void serial_order_is_the_order_of_creation(void **unused) {
    (void)unused;
    trail_t trail = { .count = 0 };
    step_t steps[5];
    check_order(graph_with(5, steps, &trail), &trail, "01234");
}

static void serial_order_moves_a_node_only_as_far_as_edges_demand(void **unused) {
    (void)unused;
    trail_t trail = { .count = 0 };
    step_t steps[5];
    sched_graph_t *graph = graph_with(5, steps, &trail);
    sched_graph_edge(graph, 3, 0);
    sched_graph_edge(graph, 3, 0); /* edges may repeat */
    sched_graph_edge(graph, 0, 2);
    check_order(graph, &trail, "13024");
}

// Also where sets of nodes take several words.
static void edges_may_lead_far_back(void **unused) {
    (void)unused;
    static trail_t trail;
    step_t steps[200];
    trail.count = 0;
    sched_graph_t *graph = graph_with(200, steps, &trail);
    sched_graph_edge(graph, 199, 0);
    sched_graph_edge(graph, 130, 70);
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 1 });
    sched_plan_run(pool, plan);
    assert_int_equal(trail.count, 200);
    int32_t at = 0;
    for (int32_t id = 1; id < 200; id++) {
        if (id != 70) assert_int_equal(trail.ids[at++], id);
        if (id == 130) assert_int_equal(trail.ids[at++], 70);
    }
    assert_int_equal(trail.ids[at], 0);
    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
    sched_graph_destroy(graph);
}

static void check_cycle(int32_t nodes, const int32_t (*edges)[2], int count, const char *expected) {
    sched_graph_t *graph = graph_with(nodes, NULL, NULL);
    for (int i = 0; i < count; i++) sched_graph_edge(graph, edges[i][0], edges[i][1]);
    const char *error = NULL;
    assert_null(sched_graph_freeze(graph, &error));
    assert_non_null(strstr(error, expected));
    logged[0] = 0;
    assert_null(sched_graph_freeze(graph, NULL));
    assert_non_null(strstr(logged, expected));
    sched_graph_destroy(graph);
}

static void freezing_a_cycle_spells_it(void **unused) {
    (void)unused;
    check_cycle(1, (const int32_t[][2]){ { 0, 0 } }, 1, "first: a -> a");
    check_cycle(2, (const int32_t[][2]){ { 0, 1 }, { 1, 0 } }, 2, "a -> b -> a");
    /* a leads into the cycle b c d, which leads to e */
    check_cycle(5, (const int32_t[][2]){ { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 4 } }, 5,
        "b -> c -> d -> b");
    check_cycle(7, (const int32_t[][2]){ { 5, 6 }, { 6, 5 } }, 2, "#5 -> #6 -> #5");
}

static void a_graph_can_be_mended_and_frozen_again(void **unused) {
    (void)unused;
    sched_graph_t *graph = graph_with(2, NULL, NULL);
    sched_graph_edge(graph, 0, 1);
    const char *error = "";
    sched_plan_t *plan = sched_graph_freeze(graph, &error);
    assert_null(error);
    assert_int_equal(sched_plan_node_count(plan), 2);
    sched_graph_node(graph, &(sched_node_desc_t){ .name = "later" });
    sched_graph_edge(graph, 1, 2);
    sched_plan_t *larger = sched_graph_freeze(graph, &error);
    sched_graph_destroy(graph);
    assert_int_equal(sched_plan_node_count(plan), 2);
    assert_int_equal(sched_plan_node_count(larger), 3);
    sched_plan_destroy(plan);
    sched_plan_destroy(larger);
}

static void edges_of_unknown_nodes_are_refused(void **unused) {
    (void)unused;
    sched_graph_t *graph = graph_with(2, NULL, NULL);
    assert_int_equal(sched_graph_edge(graph, 0, 2), -1);
    assert_string_equal(logged, "edge 0 -> 2: the graph has nodes 0 to 1");
    assert_int_equal(sched_graph_edge(graph, -1, 0), -1);
    sched_graph_destroy(graph);
}

// Fails the n-th allocation; counts what is not freed.
typedef struct memory_t {
    int until_failure, live;
} memory_t;

static void *scarce_malloc(size_t size, void *ctx) {
    memory_t *memory = ctx;
    if (memory->until_failure-- == 0) return NULL;
    memory->live++;
    return malloc(size);
}

static void scarce_free(void *ptr, void *ctx) {
    ((memory_t *)ctx)->live--;
    free(ptr);
}

static bool build_all(memory_t *memory) {
    sched_pool_desc_t desc = { .ctx = memory,
        .malloc_fn = scarce_malloc,
        .free_fn = scarce_free,
        .log_fn = keep_log,
        .workers = 2 };
    bool is_complete = true;
    sched_pool_t *pool = sched_pool_create(&desc);
    sched_graph_t *graph = pool ? sched_graph_create(&desc) : NULL;
    for (int32_t i = 0; graph && i < 40; i++) {
        is_complete &= sched_graph_node(graph, &(sched_node_desc_t){ .name = "x" }) >= 0;
        if (i && is_complete) is_complete &= sched_graph_edge(graph, i - 1, i) == 0;
    }
    sched_plan_t *plan = graph ? sched_graph_freeze(graph, NULL) : NULL;
    if (plan) sched_pool_set_shuffle(pool, 1);
    if (plan && is_complete) assert_int_equal(sched_plan_run(pool, plan), 0);
    is_complete &= plan != NULL;
    sched_plan_destroy(plan);
    sched_graph_destroy(graph);
    sched_pool_destroy(pool);
    return is_complete;
}

static void any_allocation_may_fail(void **unused) {
    (void)unused;
    memory_t memory = { 0, 0 };
    int n = 0;
    do {
        memory.until_failure = n++;
    } while ((!build_all(&memory) || memory.until_failure < 0) && n < 1000);
    assert_int_equal(memory.live, 0);
    assert_in_range(n, 40, 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serial_order_is_the_order_of_creation),
        cmocka_unit_test(serial_order_moves_a_node_only_as_far_as_edges_demand),
        cmocka_unit_test(edges_may_lead_far_back),
        cmocka_unit_test(freezing_a_cycle_spells_it),
        cmocka_unit_test(a_graph_can_be_mended_and_frozen_again),
        cmocka_unit_test(edges_of_unknown_nodes_are_refused),
        cmocka_unit_test(any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
