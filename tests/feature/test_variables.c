// SPDX-License-Identifier: MIT
// Variables: Q-VAR-01 to Q-VAR-17.
#include <string.h>

#include "graph_scene.h"

static void make_ships(scene_t *scene) {
    make_all(scene->world, "SpaceShip Planet DockedTo Earth Mars Hub");
    make(scene->world, "Earth", "Planet");
    make(scene->world, "Mars", "Planet");
    make(scene->world, "s1", "SpaceShip, (DockedTo, Earth)");
    make(scene->world, "s2", "SpaceShip, (DockedTo, Mars)");
    make(scene->world, "s3", "SpaceShip, (DockedTo, Hub)");
    make(scene->world, "s4", "SpaceShip");
    make(scene->world, "s5", "SpaceShip, (DockedTo, Earth)");
}

static void make_food(scene_t *scene) {
    make_all(scene->world, "Pizza Salad Healthy Friend Enemy");
    make(scene->world, "Salad", "Healthy");
    make(scene->world, "Bob", "(Likes, Dogs), (Likes, Pizza), (Eats, Pizza), (Eats, Salad)");
    make(scene->world, "Carol", "(Likes, Salad), (Eats, Salad)");
}

// Q-VAR-01, Q-VAR-08
static void one_variable_in_two_terms_has_one_value(void **state) {
    scene_t *scene = *state;
    make_food(scene);
    assert_solutions(scene, "(Likes, $food), (Eats, $food)", "Bob food=Pizza | Carol food=Salad");
    assert_solutions(scene, "Tag, (Likes, $food), (Eats, $food)", "");
}

// Q-VAR-02, Q-VAR-13, Q-VAR-16, Q-SRC-11
static void a_variable_can_be_a_source(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "SpaceShip, (DockedTo, $planet), Planet($planet)",
        "s1 planet=Earth | s2 planet=Mars | s5 planet=Earth");
    assert_solutions(scene, "SpaceShip, (DockedTo, $place)",
        "s1 place=Earth | s2 place=Mars | s3 place=Hub | s5 place=Earth");
}

// Q-VAR-09
static void the_order_of_terms_does_not_matter(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    static const char *const orders[] = { "SpaceShip, (DockedTo, $p), Planet($p)",
        "SpaceShip, Planet($p), (DockedTo, $p)", "(DockedTo, $p), SpaceShip, Planet($p)",
        "(DockedTo, $p), Planet($p), SpaceShip", "Planet($p), SpaceShip, (DockedTo, $p)",
        "Planet($p), (DockedTo, $p), SpaceShip" };
    for (size_t i = 0; i < sizeof(orders) / sizeof(*orders); i++) {
        assert_solutions(scene, orders[i], "s1 p=Earth | s2 p=Mars | s5 p=Earth");
    }
}

// Q-ITR-14: the order of results does not hang on how many there are of what, in small worlds.
static void results_come_in_the_order_in_which_terms_are_written(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Ripe Fig Kiwi");
    make(scene->world, "a", "(Likes, Kiwi)");
    make(scene->world, "b", "(Likes, Fig), (Eats, Kiwi)");
    make(scene->world, "c", "(Likes, Kiwi), (Eats, Fig)");
    make(scene->world, "Fig", "Ripe");
    make(scene->world, "Kiwi", "Ripe");
    for (int32_t i = 0; i < 20; i++) {
        assert_query(scene, "Likes($this, $f), Ripe($f)",
            "a: (Likes,Kiwi), Ripe@Kiwi | b: (Likes,Fig), Ripe@Fig | c: (Likes,Kiwi), Ripe@Kiwi");
        assert_query(scene, "Eats($this, $f), Ripe($f)",
            "b: (Eats,Kiwi), Ripe@Kiwi | c: (Eats,Fig), Ripe@Fig");
        assert_query(scene, "Ripe($f), Eats($this, $f)",
            "c: Ripe@Fig, (Eats,Fig) | b: Ripe@Kiwi, (Eats,Kiwi)");
        char type[32]; // another table that had rows, and one more that has
        snprintf(type, sizeof type, "Ripe, #%d", 600 + i);
        ecs_make_alive(scene->world, (ecs_entity_t)(600 + i));
        ecs_delete(scene->world,
            make(scene->world, NULL, i % 2 ? "(Likes, Kiwi), Tag" : "(Likes, Fig), Npc"));
        if (i < 10) make(scene->world, NULL, type);
    }
}

// Q-VAR-03
static void a_variable_can_be_the_component(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Serializable A B C");
    make(scene->world, "A", "Serializable");
    make(scene->world, "B", "Serializable");
    make(scene->world, "x", "A, B, C");
    make(scene->world, "y", "B");
    make(scene->world, "z", "C");
    assert_solutions(scene, "Serializable($c), $c($this)", "x c=A | x c=B | y c=B");
}

// Q-VAR-04
static void a_not_term_tests_bound_variables(void **state) {
    scene_t *scene = *state;
    make_food(scene);
    assert_solutions(
        scene, "Eats($this, $food), !Likes($this, $food), Healthy($food)", "Bob food=Salad");
    assert_solutions(scene, "!Likes($this, $food), Eats($this, $food)", "Bob food=Salad");
}

// Q-VAR-05, Q-VAR-06
static void a_variable_can_be_the_relationship(void **state) {
    scene_t *scene = *state;
    make_food(scene);
    make_all(scene->world, "Timer");
    assert_solutions(scene, "(Likes, $x), ($r, $x)",
        "Bob x=Dogs r=Likes | Bob x=Pizza r=Eats | Bob x=Pizza r=Likes | Carol x=Salad r=Eats | Carol x=Salad r=Likes");
    make(scene->world, "e", "(Timer, Tag), (Timer, Other), Tag");
    assert_solutions(scene, "(Timer, $c), $c", "e c=Tag");
}

// Q-VAR-07
static void chains_across_entities_work(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Enemy a b c d");
    make(scene->world, "b", "(Likes, c), (Likes, d)");
    make(scene->world, "a", "(Likes, b), (Enemy, c)");
    assert_solutions(
        scene, "(Likes, $friend), Likes($friend, $enemy), (Enemy, $enemy)", "a friend=b enemy=c");
}

// Q-VAR-10, Q-VAR-11, Q-VAR-12
static void variables_can_be_set_before_iteration(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $planet), Planet($planet)");
    int32_t planet = ecs_query_find_var(q, "planet");
    assert_true(planet > 0);
    assert_int_equal(ecs_query_find_var(q, "nothing"), -1);
    assert_int_equal(ecs_query_find_var(q, "this"), 0);
    assert_string_equal(ecs_query_var_name(q, planet), "planet");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, planet, find(scene, "Earth"));
    assert_true(ecs_iter_var_is_constrained(&it, planet));
    assert_lines(&it, "s1 planet=Earth | s5 planet=Earth");
    it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 0, find(scene, "s2"));
    assert_lines(&it, "s2 planet=Mars");
    it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 0, find(scene, "s2"));
    ecs_iter_set_var(&it, planet, find(scene, "Earth"));
    assert_lines(&it, "");
    it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var_as_table(&it, 0, ecs_get_table(scene->world, find(scene, "s1")));
    assert_lines(&it, "s1 planet=Earth | s5 planet=Earth");
    assert_true(ecs_query_has(q, find(scene, "s5"), &it));
    assert_int_equal(ecs_iter_get_var(&it, planet), find(scene, "Earth"));
    ecs_iter_fini(&it);
    assert_false(ecs_query_has(q, find(scene, "s4"), &it));
    it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, planet, find(scene, "Earth"));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-VAR-14
static void anonymous_variables_have_no_index(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $_p), Planet($_p)");
    assert_int_equal(ecs_query_find_var(q, "_p"), -1);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "s1 | s2 | s5");
    ecs_query_fini(q);
}

// They constrain like others, but what they stand for makes no results of its own. Q-VAR-14
static void anonymous_variables_make_no_results_of_their_own(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Planet Visits");
    make(scene->world, "Earth", "Planet");
    make(scene->world, "Mars", "Planet, (Likes, Earth)");
    make(scene->world, "Moon", "(Likes, Earth), (Likes, Mars)");
    make(scene->world, "s1", "Tag, (Visits, Mars), (Visits, Moon)");
    make(scene->world, "s2", "Tag, (Visits, Earth), (Visits, Mars)");
    make(scene->world, "s3", "Tag, (Visits, Moon)");
    assert_solutions(scene, "(Visits, $_p)", "s1 | s2 | s3"); /* as `_` */
    assert_solutions(scene, "Visits($_s, $p)", ". p=Earth | . p=Mars | . p=Moon");
    assert_solutions(scene, "Visits($_s, $_p)", ".");
    assert_solutions(scene, "(Visits, $_p), Planet($_p)", "s1 | s2");
    assert_solutions(scene, "Visits($_s, $p), Tag($_s)", ". p=Earth | . p=Mars | . p=Moon");
    assert_solutions(scene, "(Visits, $_p), Likes($_p, $x)",
        "s1 x=Earth | s1 x=Mars | s2 x=Earth | s3 x=Earth | s3 x=Mars");
    assert_solutions(scene, "(Visits, $_p), Likes($_p, $_x), Planet($_x)", "s1 | s2 | s3");
    assert_solutions(scene, "(Visits, $_p), Likes($_p, *)", "s1 | s1 | s2 | s3 | s3");
    assert_solutions(scene, "Tag, !{ (Visits, $_p), Planet($_p) }", "s3");
    assert_solutions(scene, "(Visits, $_p), $_p != Earth", "s1 | s2 | s3");
    assert_solutions(scene, "[none] Position($_s), (Visits, $_s)", "");
    expect_error(ECS_INVALID_PARAMETER, "nobody can read",
        assert_null(ecs_query_new(scene->world, "Position($_s), (Visits, $_s)")));
}

// Q-VAR-15
static void descriptors_name_variables(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_of(scene,
        (ecs_query_desc_t){
            .terms = { { find(scene, "SpaceShip") },
                { .first.name = "DockedTo", .second = { .id = EcsIsVariable, .name = "planet" } },
                { find(scene, "Planet"), .src.name = "$planet" } } });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "s1 planet=Earth | s2 planet=Mars | s5 planet=Earth");
    ecs_query_fini(q);
}

// Q-VAR-12: $this as target
static void this_can_be_a_target(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(
        scene, "Planet, DockedTo($ship, $this)", "Earth ship=s1 | Earth ship=s5 | Mars ship=s2");
    assert_solutions(scene, "DockedTo(s3, $this)", "Hub");
    assert_solutions(scene, "Planet, !DockedTo($ship, $this)", "");
    make(scene->world, "Venus", "Planet");
    make(scene->world, "Venus", "(DockedTo, Venus)");
    assert_solutions(scene, "DockedTo($this, $this)", "Venus");
}

static void values_of_variable_sources_can_be_read(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_set(scene->world, find(scene, "Earth"), Position, { 1, 2 });
    ecs_set(scene->world, find(scene, "s1"), Mass, { 10 });
    ecs_query_t *q = query_expr(scene, "Mass, (DockedTo, $p), Position($p)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.count, 1);
    assert_float_equal(ecs_field(&it, Mass, 0)->value, 10, 0);
    assert_float_equal(ecs_field(&it, Position, 2)->y, 2, 0);
    assert_int_equal(ecs_field_src(&it, 2), find(scene, "Earth"));
    assert_int_equal(ecs_field_id(&it, 1), ecs_pair(find(scene, "DockedTo"), find(scene, "Earth")));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

static void wildcards_can_be_sources(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "Planet(*)", ". | .");
    assert_solutions(scene, "Planet(_)", ".");
    assert_solutions(scene, "Tag(_)", "");
}

// Q-VAR-17
static void cached_queries_follow_changes(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), Planet($p)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "s1 p=Earth | s2 p=Mars | s5 p=Earth");
    ecs_add_id(scene->world, find(scene, "Hub"), find(scene, "Planet"));
    ecs_add_pair(scene->world, find(scene, "s4"), find(scene, "DockedTo"), find(scene, "Hub"));
    ecs_delete(scene->world, find(scene, "Mars"));
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "s1 p=Earth | s3 p=Hub | s4 p=Hub | s5 p=Earth");
    ecs_query_fini(q);
}

// api/00 §3: the second element of a pair with a number is no entity, even if there is one with this index.
static void numbers_of_pairs_are_no_values_of_variables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Ripe Nope Near Fig Kiwi V");
    ecs_add_id(world, find(scene, "Near"), EcsReflexive);
    make(world, "Fig", "Ripe");
    ecs_entity_t fig = find(scene, "Fig"), v = find(scene, "V");
    ecs_add_id(world, v, find(scene, "Ripe"));
    ecs_add_id(world, v, ecs_value_pair(find(scene, "Likes"), (uint32_t)fig));
    ecs_add_id(world, v, ecs_value_pair(find(scene, "Near"), (uint32_t)fig));
    assert_solutions(scene, "(Likes, $x)", "");
    assert_solutions(scene, "(Likes, $x), Ripe($x)", "");
    assert_solutions(scene, "?Nope(up), (Likes, $x), Ripe", "");
    assert_solutions(scene, "Likes(V, $x)", "");
    make(world, "Heir", "(IsA, V)");
    assert_solutions(scene, "(Likes, $x)", "");
    assert_solutions(scene, "(Likes, *)", "Heir | V");
    assert_solutions(scene, "Near(V, $x)", ". x=V");
    assert_solutions(scene, "Near(V, Fig)", "");
    assert_solutions(scene, "(Near, Fig)", "Fig");
    ecs_add_pair(world, v, find(scene, "Likes"), find(scene, "Kiwi"));
    assert_solutions(scene, "(Likes, $x)", "Heir x=Kiwi | V x=Kiwi");
}

static void a_plan_shows_goals(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), !{ Planet($p) }");
    char *text = ecs_query_plan(q);
    assert_non_null(strstr(text, "DockedTo($this"));
    assert_non_null(strstr(text, "scope of 1 terms"));
    ecs_os_free(text);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(one_variable_in_two_terms_has_one_value),
        BOTH(a_variable_can_be_a_source), BOTH(the_order_of_terms_does_not_matter),
        BOTH(results_come_in_the_order_in_which_terms_are_written),
        BOTH(a_variable_can_be_the_component), BOTH(a_not_term_tests_bound_variables),
        BOTH(a_variable_can_be_the_relationship), BOTH(chains_across_entities_work),
        BOTH(variables_can_be_set_before_iteration), BOTH(anonymous_variables_have_no_index),
        BOTH(anonymous_variables_make_no_results_of_their_own), BOTH(descriptors_name_variables),
        BOTH(this_can_be_a_target), BOTH(values_of_variable_sources_can_be_read),
        BOTH(wildcards_can_be_sources), BOTH(cached_queries_follow_changes),
        BOTH(numbers_of_pairs_are_no_values_of_variables), BOTH(a_plan_shows_goals) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
