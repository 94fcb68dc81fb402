// SPDX-License-Identifier: MIT
// Dependent variables: Q-DEP-01 to Q-DEP-05, U-03, U-08.
#include "graph_scene.h"

static void make_ships(scene_t *scene) {
    make_all(scene->world, "SpaceShip Planet Npc DockedTo Earth Hub");
    make(scene->world, "Earth", "Planet");
    make(scene->world, "s1", "SpaceShip, (DockedTo, Earth)");
    make(scene->world, "s2", "SpaceShip, (DockedTo, Hub)");
    make(scene->world, "s3", "SpaceShip");
}

// Q-DEP-01, Q-DEP-02, Q-DEP-05
static void terms_are_skipped_where_an_optional_found_nothing(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(
        scene, "SpaceShip, ?(DockedTo, $object), Planet($object)", "s1 object=Earth | s3 object=-");
    ecs_query_t *q = query_expr(scene, "SpaceShip, ?(DockedTo, $object), Planet($object)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 0, find(scene, "s3"));
    assert_true(ecs_query_next(&it));
    assert_false(ecs_field_is_set(&it, 1));
    assert_false(ecs_field_is_set(&it, 2));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-NEW-15, Q-VAR-12: what binds its variables itself holds, whatever else mentions them is skipped
static void only_what_depends_on_a_variable_is_skipped(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "T S R Rf");
    ecs_entity_t e = make(scene->world, "e", "T");
    static const char *exprs[] = { "T || (R, $x), S($y), Rf($x, $y)",
        "T, ?(R, $x), S($y), Rf($x, $y)", "T(e) || R(e, $x), S($y), Rf($x, $y)",
        "?R(e, $x), S($y), Rf($x, $y)" };
    static const char *expected[] = { "e x=- y=s", "e x=- y=s", ". x=- y=s", ". x=- y=s" };
    for (int i = 0; i < 4; i++) assert_solutions(scene, exprs[i], "");
    ecs_query_t *q = query_expr(scene, exprs[0]);
    ecs_iter_t it;
    assert_false(ecs_query_has(q, e, &it));
    ecs_query_fini(q);
    make(scene->world, "s", "S");
    for (int i = 0; i < 4; i++) assert_solutions(scene, exprs[i], expected[i]);
}

// Q-OPT-01: what must hold and is written before them does, for each of its values.
static void terms_are_not_skipped_that_come_first(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "Planet($object), ?(DockedTo, $object), SpaceShip",
        "s1 object=Earth | s2 object=Earth | s3 object=Earth");
    assert_solutions(scene, "SpaceShip, Npc($x), ?Planet($x)", "");
    assert_solutions(scene, "SpaceShip, {SpaceShip, Npc($x)}, ?Planet($x)", "");
    assert_solutions(scene, "SpaceShip, DockedTo($y, $x), ?Planet($y), Npc($y)", "");
    assert_solutions(scene, "SpaceShip, Planet($x), (DockedTo, $x) || SpaceShip",
        "s1 x=Earth | s2 x=Earth | s3 x=Earth");
    assert_solutions(scene, "SpaceShip, !{Planet($x), (DockedTo, $x) || SpaceShip}", "");
    make(scene->world, "Luna", "Planet");
    assert_solutions(
        scene, "(DockedTo, Earth), Planet($x), ?(DockedTo, $x)", "s1 x=Earth | s1 x=Luna");
}

// Q-DEP-01, Q-DEP-02: alternatives behind an optional term depend on it as terms do, those before it do not
static void alternatives_depend_on_optionals_before_them(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    make(scene->world, "Moon", NULL);
    make(scene->world, "Luna", "Moon");
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), Planet($object) || Moon($object)",
        "s1 object=Earth | s3 object=-");
    assert_solutions(scene, "SpaceShip, Planet($object) || Moon($object), ?(DockedTo, $object)",
        "s1 object=Earth | s1 object=Luna | s2 object=Earth | s2 object=Luna | "
        "s3 object=Earth | s3 object=Luna");
    assert_solutions(scene,
        "SpaceShip, ?(DockedTo, $object), ?Npc($object), Planet($object) || Moon($object)",
        "s1 object=Earth | s3 object=-");
}

// Q-DEP-05: what is skipped sets no variables, and what uses those is skipped as well
static void what_is_first_used_in_a_skipped_term_depends_on_it(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    make(scene->world, "Luna", "Planet");
    make(scene->world, "Earth", "(Likes, Luna), (Likes, Npc)");
    make(scene->world, "Hub", "(Likes, Npc)");
    static const char *all = "s1 object=Earth z=Luna | s3 object=- z=-";
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), Likes($object, $z), Planet($z)", all);
    assert_solutions(scene,
        "SpaceShip, ?(DockedTo, $object), Likes($object, $z), Planet($z) || SpaceShip($z)", all);
    assert_solutions(scene,
        "SpaceShip, ?(DockedTo, $object), Likes($object, $z) || Eats($object, $z), Planet($z)",
        all);
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), Likes($object, $z), !Planet($z)",
        "s1 object=Earth z=Npc | s2 object=Hub z=Npc | s3 object=- z=-");
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), Likes($object, $z), !{Planet($z)}",
        "s1 object=Earth z=Npc | s2 object=Hub z=Npc | s3 object=- z=-");
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), Likes($object, $z), ?Planet($z)",
        "s1 object=Earth z=Luna | s1 object=Earth z=Npc | s2 object=Hub z=Npc | s3 object=- z=-");
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), $z == $object, Planet($z)",
        "s1 object=Earth z=Earth | s3 object=- z=-");
    ecs_query_t *q =
        query_expr(scene, "SpaceShip, ?(DockedTo, $object), Likes($object, $z), Planet($z)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 0, find(scene, "s3"));
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.set_fields, 1);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-DEP-03, Q-DEP-04, U-03
static void alternatives_may_bind_different_variables(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Friendly Healthy Salad Burger");
    make(scene->world, "Dogs", "Friendly");
    make(scene->world, "Salad", "Healthy");
    make(scene->world, "a", "(Likes, Dogs), (Eats, Burger)");
    make(scene->world, "b", "(Likes, Cats), (Eats, Salad)");
    make(scene->world, "c", "(Likes, Dogs), (Eats, Salad)");
    make(scene->world, "d", "(Likes, Cats)");
    assert_solutions(scene, "(Likes, $animal) || (Eats, $food), Friendly($animal), Healthy($food)",
        "a animal=Dogs food=- | b animal=- food=Salad | c animal=- food=Salad | c animal=Dogs food=-");
}

static void alternatives_may_bind_one_variable(void **state) {
    scene_t *scene = *state;
    make(scene->world, "a", "(Likes, Dogs), (Eats, Dogs), (Eats, Cats)");
    assert_solutions(scene, "(Likes, $x) || (Eats, $x)", "a x=Cats | a x=Dogs");
}

// U-08
static void a_not_term_is_skipped_where_its_variable_has_no_value(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(
        scene, "SpaceShip, ?(DockedTo, $object), !Planet($object)", "s2 object=Hub | s3 object=-");
}

// Q-DEP-05, U-08: so is a scope
static void a_scope_is_skipped_where_its_variable_has_no_value(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), !{Planet($object)}",
        "s2 object=Hub | s3 object=-");
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), !{SpaceShip, !{Planet($object)}}",
        "s1 object=Earth | s3 object=-");
    assert_solutions(scene, "SpaceShip, ?(DockedTo, $object), !{(DockedTo, $o), Planet($object)}",
        "s2 object=Hub o=- | s3 object=- o=-");
    ecs_query_t *q = query_expr(scene, "SpaceShip, ?(DockedTo, $object), {Planet($object)}");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int results = 0;
    for (; ecs_query_next(&it); results++) {
        assert_int_equal(ecs_field_is_set(&it, 2), it.entities[0] == find(scene, "s1"));
        assert_false(it.entities[0] == find(scene, "s2"));
    }
    assert_int_equal(results, 2);
    ecs_query_fini(q);
}

static void optionals_test_variables_that_others_bind(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $object), ?Planet($object)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int results = 0;
    while (ecs_query_next(&it)) {
        assert_int_equal(ecs_field_is_set(&it, 2), it.entities[0] == find(scene, "s1"));
        results++;
    }
    assert_int_equal(results, 2);
    ecs_query_fini(q);
}

// Q-VAR-09: what shares no variables with a term, and is about $this or a constant, does not make it depend on anything.
static void terms_apart_are_not_made_dependent(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "A B M");
    make(scene->world, "a", "A");
    make(scene->world, "b", "A, B");
    make(scene->world, "c", "M");
    static const char *const of_this[] = { "?B($x), A($x), M", "?B($x), M, A($x)",
        "M, ?B($x), A($x)", "M, A($x), ?B($x)", "M, ?B($x), A($x), !M(a)" };
    for (size_t i = 0; i < sizeof of_this / sizeof *of_this; i++)
        assert_solutions(scene, of_this[i], "c x=a | c x=b");
    assert_solutions(scene, "?B($x), A($x)", ". x=a | . x=b");
    assert_solutions(scene, "?B($x), A($x), M(c)", ". x=a | . x=b");
    assert_solutions(scene, "M($y), ?B($x), A($x)", ". y=c x=a | . y=c x=b");
    assert_solutions(scene, "?B($x), M($y), A($x)", ". x=a y=c | . x=b y=c");
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(terms_are_skipped_where_an_optional_found_nothing),
        BOTH(terms_are_not_skipped_that_come_first),
        BOTH(only_what_depends_on_a_variable_is_skipped),
        BOTH(alternatives_depend_on_optionals_before_them),
        BOTH(what_is_first_used_in_a_skipped_term_depends_on_it),
        BOTH(alternatives_may_bind_different_variables), BOTH(alternatives_may_bind_one_variable),
        BOTH(a_not_term_is_skipped_where_its_variable_has_no_value),
        BOTH(a_scope_is_skipped_where_its_variable_has_no_value),
        BOTH(optionals_test_variables_that_others_bind), BOTH(terms_apart_are_not_made_dependent) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
