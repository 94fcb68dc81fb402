// SPDX-License-Identifier: MIT
// What pipelines tell about themselves, and small promises of systems.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

static int calls;
static void count(ecs_iter_t *it) {
    (void)it;
    calls++;
}

static ecs_entity_t new_system(ecs_world_t *world, const char *expr, bool immediate) {
    return ecs_system(
        world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                   .query.expr = expr,
                   .callback = count,
                   .immediate = immediate });
}

static void a_pipeline_tells_its_systems_and_merges(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Nobody);
    ecs_insert(world, ecs_value(Position, { 1, 2 }));
    ecs_entity_t a = new_system(world, "[inout] Position", false);
    ecs_entity_t b = new_system(world, NULL, true), c = new_system(world, "Position", false);
    new_system(world, "Nobody", false);
    ecs_pipeline_stats_t stats = { 0 };
    assert_true(ecs_pipeline_stats_get(world, ecs_get_pipeline(world), &stats));
    assert_false(ecs_pipeline_stats_get(world, a, &stats));
    assert_int_equal(stats.active_system_count, 3);
    const ecs_entity_t *ids = ecs_vec_first_t(&stats.systems, ecs_entity_t);
    ecs_entity_t expected[] = { a, 0, b, 0, c, 0 };
    assert_int_equal(ecs_vec_count(&stats.systems), 6);
    assert_memory_equal(ids, expected, sizeof expected);
    assert_int_equal(ecs_vec_count(&stats.sync_points), 3);
    const ecs_sync_stats_t *points = ecs_vec_first_t(&stats.sync_points, ecs_sync_stats_t);
    assert_true(points[1].immediate && points[1].system_count == 1 && !points[0].immediate);
    assert_true(ecs_pipeline_stats_get(world, 0, &stats)); /* again, with the same memory */
    assert_int_equal(ecs_vec_count(&stats.systems), 6);
    ecs_pipeline_stats_fini(&stats);
}

static void queries_without_matches_are_tagged_when_asked_for(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Nobody);
    ecs_entity_t system = new_system(world, "Nobody", false);
    ecs_run_aperiodic(world, 0);
    assert_false(ecs_has_id(world, system, EcsEmpty));
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries);
    assert_true(ecs_has_id(world, system, EcsEmpty));
    ecs_new_w(world, Nobody);
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries);
    assert_false(ecs_has_id(world, system, EcsEmpty));
}

static void parts_of_a_system_exist(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t task = ecs_system(world, { .callback = count, .multi_threaded = true });
    calls = 0;
    for (int i = 0; i < 3; i++) ecs_run_worker(world, task, i, 3, 0, NULL);
    assert_int_equal(calls, 1); /* nothing to share */
    expect_abort(ECS_OUT_OF_RANGE, ecs_run_worker(world, task, 3, 3, 0, NULL));
    ecs_iter_t it = ecs_each_id(world, EcsModule);
    assert_true(ecs_each_next(&it));
    expect_abort(ECS_INVALID_OPERATION, ecs_iter_random(&it, 0));
    ecs_iter_fini(&it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_pipeline_tells_its_systems_and_merges),
        world_test(queries_without_matches_are_tagged_when_asked_for),
        world_test(parts_of_a_system_exist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
