// SPDX-License-Identifier: MIT
// A build without the query parser (-DFLECS_NO_QUERY_DSL): the file that decides it is compiled here and takes the place of the one in
// the library.
#define FLECS_NO_QUERY_DSL
#include "query/parse/expr.c"

#include "support/world.h"

#include "support/abort.h"

typedef struct Position {
    float x, y;
} Position;

static int calls;

static void count(ecs_iter_t *it) { calls += it->count; }

// WLD-03
static void text_is_refused_by_an_error_that_names_the_parser(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    expect_error(
        ECS_UNSUPPORTED, "no query parser", assert_null(ecs_query(world, { .expr = "Position" })));
    ecs_entity_t system = ecs_new(world);
    expect_error(ECS_UNSUPPORTED, "no query parser",
        assert_int_equal(
            ecs_system(world, { .entity = system, .query.expr = "Position", .callback = count }),
            0));
    expect_error(ECS_UNSUPPORTED, "no query parser",
        assert_int_equal(
            ecs_observer(
                world, { .query.expr = "Position", .events = { EcsOnAdd }, .callback = count }),
            0));
    expect_error(ECS_UNSUPPORTED, "no query parser",
        assert_int_equal(ecs_load_expr(world, "Position(Bob)"), -1));
    expect_error(ECS_UNSUPPORTED, "no query parser",
        assert_int_equal(ecs_entity(world, { .add_expr = "Position" }), 0));
    assert_true(ecs_id_from_str(world, "Position") == ecs_id(Position)); /* a name */
    assert_int_equal(ecs_id_from_str(world, "Position($this)"), 0);
}

// WLD-03
static void descriptors_work_without_the_parser(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 1, 2 }));
    ecs_query_t *q =
        ecs_query(world, { .terms = { { ecs_id(Position) } }, .cache_kind = EcsQueryCacheAuto });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it) && it.entities[0] == e);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    ecs_system(world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.terms = { { ecs_id(Position) } },
                          .callback = count });
    calls = 0;
    ecs_progress(world, 1);
    assert_int_equal(calls, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(text_is_refused_by_an_error_that_names_the_parser),
        world_test(descriptors_work_without_the_parser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
