// SPDX-License-Identifier: MIT
// Systems with sorted and grouped queries, for any number of workers. Q-SRT-04.
#include "support/world.h"

typedef struct Depth {
    int32_t value;
} Depth;

static ECS_COMPONENT_DECLARE(Depth);

#define COUNT 2000

static int by_depth(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Depth *a = v1, *b = v2;
    (void)e1, (void)e2;
    return (a->value > b->value) - (a->value < b->value);
}

static void shuffle(ecs_iter_t *it) {
    Depth *d = ecs_field(it, Depth, 0);
    for (int i = 0; i < it->count; i++) d[i].value = d[i].value * 7 % 2003;
}

typedef struct seen_t {
    int32_t last, count;
} seen_t;

static void expect_order(ecs_iter_t *it) {
    seen_t *seen = it->ctx;
    const Depth *d = ecs_field(it, Depth, 0);
    for (int i = 0; i < it->count; i++) {
        assert_true(d[i].value >= seen->last);
        seen->last = d[i].value;
    }
    seen->count += it->count;
}

static void set_some(ecs_iter_t *it) {
    const Depth *d = ecs_field(it, Depth, 0);
    for (int i = 0; i < it->count; i += 100)
        ecs_set(it->world, it->entities[i], Depth, { d[i].value * 3 % 2003 });
}

static void run(int workers, bool multi_threaded) {
    ecs_world_t *world = ecs_init();
    ecs_id(Depth) = 0;
    ECS_COMPONENT_DEFINE(world, Depth);
    ecs_entity_t tags[] = { ecs_new(world), ecs_new(world), ecs_new(world) };
    for (int i = 0; i < COUNT; i++) {
        ecs_entity_t e = ecs_insert(world, ecs_value(Depth, { i * 37 % 2003 }));
        ecs_add_id(world, e, tags[i % 3]);
    }
    if (workers) ecs_set_threads(world, workers);
    seen_t seen[2];
    ecs_system(world, { .query.expr = "Depth",
                          .phase = EcsOnUpdate,
                          .callback = shuffle,
                          .multi_threaded = true });
    for (int i = 0; i < 2; i++) {
        ecs_system(world, { .query = { .expr = "[in] Depth",
                                .order_by = ecs_id(Depth),
                                .order_by_callback = by_depth },
                              .phase = EcsOnUpdate,
                              .callback = expect_order,
                              .ctx = &seen[i],
                              .multi_threaded = multi_threaded });
        ecs_system(world, { .query.expr = "[in] Depth",
                              .phase = EcsOnUpdate,
                              .callback = set_some,
                              .multi_threaded = true });
    }
    for (int tick = 0; tick < 5; tick++) {
        seen[0] = seen[1] = (seen_t){ -1, 0 };
        ecs_progress(world, 1);
        assert_int_equal(seen[0].count, COUNT);
        assert_int_equal(seen[1].count, COUNT);
    }
    char *text = ecs_schedule_str(world, 0);
    bool whole = strstr(text, "not split: the results of its query cannot be cut\n") != NULL;
    assert_int_equal(whole, multi_threaded);
    ecs_os_free(text);
    ecs_fini(world);
}

static int comparisons;

static int count_comparisons(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    comparisons++;
    return by_depth(e1, v1, e2, v2);
}

// A game that prints its schedule stays in step with one that does not.
static void looking_at_a_schedule_sorts_nothing(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_id(Depth) = 0;
    ECS_COMPONENT_DEFINE(world, Depth);
    seen_t seen = { -1, 0 };
    ecs_system(world, { .query = { .expr = "[in] Depth",
                            .order_by = ecs_id(Depth),
                            .order_by_callback = count_comparisons },
                          .phase = EcsOnUpdate,
                          .callback = expect_order,
                          .ctx = &seen });
    comparisons = 0;
    for (int i = 10; i > 0; i--) ecs_insert(world, ecs_value(Depth, { i }));
    const uint64_t hash = ecs_world_hash(world);
    ecs_os_free(ecs_schedule_str(world, 0));
    assert_true(ecs_world_hash(world) == hash);
    assert_int_equal(comparisons, 0);
    ecs_progress(world, 1);
    assert_int_equal(seen.count, 10);
    assert_true(comparisons > 0);
    ecs_fini(world);
}

static void systems_see_sorted_results(void **state) {
    (void)state;
    for (int workers = 0; workers <= 3; workers++) {
        run(workers, false);
        run(workers, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(systems_see_sorted_results),
        cmocka_unit_test(looking_at_a_schedule_sorts_nothing) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
