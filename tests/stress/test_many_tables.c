// SPDX-License-Identifier: MIT
// A world of very many tables ticks like any other. (PRF-11)
#include "support/world.h"

#if defined(NDEBUG)
enum { TABLES = 300000 };
#else
enum { TABLES = 100000 };
#endif
enum { ROWS = 10, TICKS = 3 };

typedef struct Count {
    int32_t value;
} Count;

static ECS_COMPONENT_DECLARE(Count);

static void Add(ecs_iter_t *it) {
    Count *counts = ecs_field(it, Count, 0);
    for (int i = 0; i < it->count; i++) counts[i].value++;
}

// PRF-11
static void hundreds_of_thousands_of_tables_tick(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Count) = 0;
    ECS_COMPONENT_DEFINE(world, Count);
    for (int i = 0; i < TABLES; i++) {
        ecs_bulk_init(
            world, &(ecs_bulk_desc_t){ .count = ROWS, .ids = { ecs_id(Count), ecs_new(world) } });
    }
    ecs_system(world, { .query.terms = { { ecs_id(Count) } },
                          .callback = Add,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    for (int workers = 1; workers <= 2; workers++) {
        ecs_set_threads(world, workers);
        for (int i = 0; i < TICKS; i++) ecs_progress(world, 1);
    }
    int64_t sum = 0;
    int tables = 0;
    ecs_iter_t it = ecs_each(world, Count);
    while (ecs_each_next(&it)) {
        const Count *counts = ecs_field(&it, Count, 0);
        for (int i = 0; i < it.count; i++) sum += counts[i].value;
        tables++;
    }
    assert_int_equal(tables, TABLES);
    assert_true(sum == (int64_t)TABLES * ROWS * 2 * TICKS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(hundreds_of_thousands_of_tables_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
