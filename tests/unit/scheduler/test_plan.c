// SPDX-License-Identifier: MIT
#include "support/test.h"

#include "plan.h"

#include <string.h>

static void nothing(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)ctx, (void)begin, (void)end, (void)worker;
}

static sched_plan_t *freeze(sched_graph_t *graph) {
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);
    assert_null(sched_plan_verify(plan));
    return plan;
}

// Saving expected with 4 workers, in ns.
static int64_t saving(sched_plan_t *plan) {
    sched__plan_estimate(plan, 4, 1000);
    return (int64_t)plan->saving_ns;
}

static sched_plan_t *nodes(
    int32_t count, bool chained, uint32_t flags, double item_ns, int64_t items) {
    sched_graph_t *graph = sched_graph_create(NULL);
    for (int32_t i = 0; i < count; i++) {
        sched_graph_node(
            graph, &(sched_node_desc_t){ .fn = nothing, .count = items, .flags = flags });
        if (i && chained) sched_graph_edge(graph, i - 1, i);
    }
    sched_plan_t *plan = freeze(graph);
    for (int32_t i = 0; i < count; i++) sched_plan_set_cost(plan, i, item_ns);
    return plan;
}

static void check_saving(sched_plan_t *plan, int64_t expected) {
    assert_int_equal(saving(plan), expected);
    sched_plan_destroy(plan);
}

static void estimate_knows_what_can_be_shared(void **unused) {
    (void)unused;
    check_saving(nodes(0, false, 0, 0, 1), 0);
    check_saving(nodes(8, false, 0, 100, 1000), 600000); /* eight split nodes of 100 us */
    check_saving(nodes(8, true, 0, 100, 1000), 586666);  /* one by one, handed over each time */
    check_saving(
        nodes(8, false, SCHED_NODE_WHOLE, 100, 1000), 600000); /* eight whole ones side by side */
    check_saving(nodes(8, true, SCHED_NODE_WHOLE, 100, 1000), 0);   /* a chain of whole ones */
    check_saving(nodes(8, false, SCHED_NODE_CALLER, 100, 1000), 0); /* all on the caller */
    check_saving(nodes(1000, true, 0, 50, 10), 0);                  /* a chain of cheap ones */
    check_saving(nodes(1000, false, 0, 50, 10), 0);   /* the same side by side: nobody is told */
    check_saving(nodes(1, false, 0, 1e6, 2), 998333); /* two items: two workers */
    check_saving(nodes(8, true, 0, 3, 1000), 0);      /* a chain: handing over costs as much */
    check_saving(
        nodes(1, false, 0, 6, 1000), 2833); /* worth it: 1.5 us, and 1.7 us for handing over */
}

// performance.md row 25: all workers that are awake come to look, so handing over takes longer.
static void more_workers_take_longer_to_share_little(void **unused) {
    (void)unused;
    sched_plan_t *plan = nodes(8, true, 0, 4.8, 1000);
    sched__plan_estimate(plan, 2, 1000);
    assert_in_range((int64_t)plan->saving_ns, 8000, 9000);
    sched__plan_estimate(plan, 16, 1000);
    assert_int_equal((int64_t)plan->saving_ns, 0);
    sched_plan_destroy(plan);
}

static void costs_that_were_never_measured_are_guessed_by_count(void **unused) {
    (void)unused;
    check_saving(nodes(4, false, 0, -1, 1), 0);
    sched_plan_t *plan = nodes(4, false, 0, -1, 1000);
    assert_true(saving(plan) > 1000000);
    sched_plan_destroy(plan);
}

static void estimate_follows_ranges(void **unused) {
    (void)unused;
    sched_plan_t *plan = nodes(2, true, 0, 100, 1000);
    assert_int_equal(saving(plan), 146666);
    sched_plan_set_range(plan, 0, 0, 1);
    assert_int_equal(saving(plan), 73333);
    sched_plan_set_range(plan, 1, 20000, 64);
    assert_int_equal(saving(plan), 1498333);
    sched_plan_destroy(plan);
}

static char said[200];

static void keep(const char *sentence, void *ctx) {
    (void)ctx;
    strncpy(said, sentence, sizeof said - 1);
}

static void wrong_nodes_are_named(void **unused) {
    (void)unused;
    sched_graph_t *graph = sched_graph_create(&(sched_pool_desc_t){ .abort_fn = keep });
    sched_graph_node(graph, &(sched_node_desc_t){ .fn = nothing });
    sched_plan_t *plan = freeze(graph);
    sched_plan_set_range(plan, 1, 5, 1);
    assert_string_equal(said, "node 1: the plan has nodes 0 to 0");
    assert_int_equal(sched_plan_node_ns(plan, -1), -1);
    sched_plan_destroy(plan);
}

static void dump_names_nodes_costs_and_successors(void **unused) {
    (void)unused;
    sched_graph_t *graph = sched_graph_create(NULL);
    sched_graph_node(
        graph, &(sched_node_desc_t){ .name = "move", .fn = nothing, .count = 500, .grain = 16 });
    sched_graph_node(graph, &(sched_node_desc_t){ .flags = SCHED_NODE_WHOLE });
    sched_graph_node(graph, &(sched_node_desc_t){ .name = "draw", .flags = SCHED_NODE_CALLER });
    sched_graph_edge(graph, 0, 1);
    sched_graph_edge(graph, 0, 2);
    sched_plan_t *plan = freeze(graph);
    char text[1000];
    sched_plan_dump(plan, text, sizeof text);
    assert_string_equal(text, "plan: 3 nodes, 2 edges\n"
                              "  move: 500 items, grain 16 -> #1, draw\n"
                              "  #1: 1 items, whole\n"
                              "  draw: 1 items, on the caller\n");
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2 });
    for (int i = 0; i < 3; i++) sched_plan_run(pool, plan);
    assert_true(sched_plan_node_ns(plan, 0) >= 0);
    sched_plan_dump(plan, text, sizeof text);
    assert_non_null(strstr(text, " ns, 2 workers save up to "));
    assert_non_null(strstr(text, "draw: 1 items, on the caller, inline\n"));
    assert_non_null(strstr(text, "grain 16, "));
    sched_pool_destroy(pool);
    sched_plan_destroy(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimate_knows_what_can_be_shared),
        cmocka_unit_test(more_workers_take_longer_to_share_little),
        cmocka_unit_test(costs_that_were_never_measured_are_guessed_by_count),
        cmocka_unit_test(estimate_follows_ranges),
        cmocka_unit_test(wrong_nodes_are_named),
        cmocka_unit_test(dump_names_nodes_costs_and_successors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
