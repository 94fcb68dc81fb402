// SPDX-License-Identifier: MIT
// AndFrom, OrFrom, NotFrom: Q-FRM-01 to Q-FRM-07, Q-FRM-09 to Q-FRM-11.
#include <stdlib.h>
#include <string.h>

#include "graph_scene.h"

static void make_lists(scene_t *scene) {
    make_all(scene->world, "Pos Vel Wet Speed");
    make(scene->world, "MyType", "Prefab, Vel, Wet");
    make(scene->world, "a", "Pos");
    make(scene->world, "b", "Pos, Vel");
    make(scene->world, "c", "Pos, Vel, Wet");
}

// Q-FRM-01, Q-FRM-02, Q-FRM-03, Q-FRM-05, Q-FRM-09
static void a_list_stands_for_its_ids(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    assert_solutions(scene, "Pos, and|MyType", "c");
    assert_solutions(scene, "Pos, or|MyType", "b | c");
    assert_solutions(scene, "Pos, not|MyType", "a");
    assert_solutions(scene, "Pos, AND | MyType", "c");
    assert_solutions(scene, "Pos, OR | MyType", "b | c");
    assert_solutions(scene, "Pos, NOT | MyType", "a");
    assert_solutions(scene, "and|MyType", "c");
}

// Q-FRM-04, Q-FRM-06, Q-ACC-08
static void descriptors_have_from_operators(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .terms = { { find(scene, "Pos") },
                                                { find(scene, "MyType"), .oper = EcsOrFrom },
                                                { find(scene, "MyType"), .oper = EcsAndFrom } } });
    assert_int_equal(q->terms[1].inout, EcsInOutNone);
    assert_int_equal(q->data_fields & ~(ecs_termset_t)1, 0);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.entities[0], find(scene, "c"));
    assert_int_equal(ecs_field_size(&it, 1), 0);
    assert_int_equal(ecs_field_id(&it, 1), find(scene, "Vel"));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-FRM-07
static void access_of_a_list_fails(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    int level = ecs_log_set_level(-4);
    assert_null(ecs_query(scene->world, { .expr = "Pos, [in] and|MyType" }));
    ecs_log_set_level(level);
}

// Q-FRM-10, Q-FRM-11
static void lists_work_beside_variables_and_are_followed(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    make(scene->world, "d", "Vel, Wet, (Likes, c)");
    ecs_query_t *q = query_expr(scene, "Pos, and|MyType");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "c");
    assert_solutions(scene, "(Likes, $x), and|MyType, and|MyType($x)", "d x=c");
    ecs_add_id(scene->world, find(scene, "MyType"), find(scene, "Speed"));
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "");
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(a_list_stands_for_its_ids),
        BOTH(descriptors_have_from_operators), BOTH(access_of_a_list_fails),
        BOTH(lists_work_beside_variables_and_are_followed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
