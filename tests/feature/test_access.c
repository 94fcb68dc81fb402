// SPDX-License-Identifier: MIT
// Access modifiers: features.md area Q-ACC.
#include "query_scene.h"

static bool is_readonly(const scene_t *scene, const char *expr, int8_t field) {
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    bool result = ecs_field_is_readonly(&it, field);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    return result;
}

// Q-ACC-01, Q-ACC-02, Q-ACC-06, Q-ACC-09
static void modifiers_decide_what_may_be_written(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, Velocity");
    assert_false(is_readonly(scene, "Position", 0));
    assert_true(is_readonly(scene, "[in] Position", 0));
    assert_false(is_readonly(scene, "[inout] Position", 0));
    assert_false(is_readonly(scene, "[out] Position", 0));
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .terms = { { ecs_id(Position), .inout = EcsIn },
                                                { ecs_id(Velocity), .inout = EcsOut } } });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_true(ecs_field_is_writeonly(&it, 1));
    assert_non_null(ecs_field_mut_w_size(&it, sizeof(Velocity), 1));
    expect_abort(ECS_ACCESS_VIOLATION, ecs_field_mut_w_size(&it, sizeof(Position), 0));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-ACC-03, Q-ACC-06, Q-SRC-09
static void values_of_constants_are_read_by_default(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Game", "Mass");
    make(scene->world, "e1", "Position");
    assert_true(is_readonly(scene, "Position, Mass(Game)", 1));
    assert_false(is_readonly(scene, "Position, [inout] Mass(Game)", 1));
}

// Q-ACC-04
static void values_found_above_are_read_by_default(void **state) {
    scene_t *scene = *state;
    make(scene->world, "parent", "Mass");
    make(scene->world, "parent.child", "Position");
    assert_true(is_readonly(scene, "Position, Mass(up)", 1));
    assert_false(is_readonly(scene, "Position, [inout] Mass(up)", 1));
}

// Q-ACC-05
static void default_access_depends_on_who_owns_the_value(void **state) {
    scene_t *scene = *state;
    ecs_entity_t base = make(scene->world, "base", "Mass");
    ecs_add_pair(scene->world, make(scene->world, "inst", "Tag"), EcsIsA, base);
    make(scene->world, "own", "Tag, Mass");
    ecs_query_t *q = query_expr(scene, "Tag, Mass");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int seen = 0;
    while (ecs_query_next(&it)) {
        assert_true(ecs_field_is_readonly(&it, 1) == !ecs_field_is_self(&it, 1));
        seen += 1 + ecs_field_is_self(&it, 1);
    }
    assert_int_equal(seen, 3);
    ecs_query_fini(q);
}

// Q-ACC-07
static void what_has_no_value_is_neither_read_nor_written(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, Tag, (Likes, Dogs)");
    ecs_query_t *q = query_expr(scene, "Position, Tag, (Likes, Dogs)");
    assert_int_equal(q->data_fields, 1);
    assert_int_equal(q->read_fields, 1);
    assert_int_equal(q->write_fields, 1);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    for (int8_t field = 1; field < 3; field++) {
        assert_int_equal(ecs_field_size(&it, field), 0);
        assert_null(ecs_field_w_size(&it, 0, field));
    }
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    static const char *const all[] = { "*", "_", "(*, *)", "(_, _)", "(*, _)", "(_, *)" };
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        q = query_expr(scene, all[i]);
        assert_int_equal(q->data_fields, 0);
        ecs_query_fini(q);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(modifiers_decide_what_may_be_written),
        BOTH(values_of_constants_are_read_by_default),
        BOTH(values_found_above_are_read_by_default),
        BOTH(default_access_depends_on_who_owns_the_value),
        BOTH(what_has_no_value_is_neither_read_nor_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
