// SPDX-License-Identifier: MIT
// Scopes: Q-SCP-01 to Q-SCP-15.
#include "graph_scene.h"

// Q-SCP-01, Q-SCP-02, Q-SCP-15
static void a_negated_scope_drops_what_it_holds_for(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Pos Vel Speed Wet Rot");
    make(scene->world, "a", "Pos");
    make(scene->world, "b", "Pos, Vel");
    make(scene->world, "c", "Pos, Speed");
    make(scene->world, "d", "Pos, Wet, Vel");
    make(scene->world, "e", "Pos, Wet, Vel, Rot");
    assert_solutions(scene, "Pos, !{ Vel || Speed }", "a");
    assert_solutions(scene, "Pos, !{ Wet, Vel || Speed, !Rot }", "a | b | c | e");
}

static void make_family(scene_t *scene) {
    make_all(scene->world, "Pos");
    make(scene->world, "p1", "Pos");
    make(scene->world, "p2", "Pos");
    make(scene->world, "p3", "Pos");
    make(scene->world, "c11", "(ChildOf, p1), Tag");
    make(scene->world, "c12", "(ChildOf, p1), Pos");
    make(scene->world, "c21", "(ChildOf, p2), Tag");
}

// Q-SCP-03, Q-SCP-04, Q-SCP-07
static void a_scope_asks_whether_there_is_something(void **state) {
    scene_t *scene = *state;
    make_family(scene);
    assert_solutions(scene, "Pos($this|self), !{ ChildOf($child, $this), Pos($child|self) }",
        "c12 child=- | p2 child=- | p3 child=-");
    assert_solutions(scene, "Pos($this|self), ChildOf($child, $this), !Pos($child|self)",
        "p1 child=c11 | p2 child=c21");
}

static void make_engines(scene_t *scene) {
    make_all(scene->world, "SpaceShip Engine Healthy e1 e2 e3");
    make(scene->world, "e1", "Healthy");
    make(scene->world, "good", "SpaceShip, (Engine, e1)");
    make(scene->world, "mixed", "SpaceShip, (Engine, e1), (Engine, e2)");
    make(scene->world, "bad", "SpaceShip, (Engine, e3)");
    make(scene->world, "none", "SpaceShip");
}

// Q-SCP-05, Q-SCP-06, Q-SCP-11
static void scopes_nest_conditions_on_variables(void **state) {
    scene_t *scene = *state;
    make_engines(scene);
    assert_solutions(scene, "SpaceShip, !{ (Engine, $engine), Healthy($engine) }",
        "bad engine=- | none engine=-");
    assert_solutions(scene, "SpaceShip, !{ (Engine, $engine), !Healthy($engine) }",
        "good engine=- | none engine=-");
    assert_solutions(scene, "SpaceShip, !{ !{ (Engine, $engine), Healthy($engine) } }",
        "good engine=- | mixed engine=-");
}

// Q-SCP-08
static void outer_variables_keep_their_value_inside(void **state) {
    scene_t *scene = *state;
    make_engines(scene);
    assert_solutions(scene, "SpaceShip, (Engine, $e), !{ Healthy($e) }", "bad e=e3 | mixed e=e2");
}

// Q-SCP-09
static void descriptors_open_and_close_scopes(void **state) {
    scene_t *scene = *state;
    make(scene->world, "a", "Tag");
    make(scene->world, "b", "Tag, Other");
    ecs_query_t *q = query_of(
        scene, (ecs_query_desc_t){
                   .terms = { { find(scene, "Tag") },
                       { EcsScopeOpen, .src.id = EcsIsEntity, .oper = EcsNot },
                       { find(scene, "Other") }, { EcsScopeClose, .src.id = EcsIsEntity } } });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "a");
    ecs_query_fini(q);
}

// Q-SCP-10
static void unbalanced_scopes_fail(void **state) {
    scene_t *scene = *state;
    static const char *const texts[] = { "Tag, { Other", "Tag, Other }", "Tag, { }", "!{ Tag } }" };
    int level = ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_null(ecs_query(scene->world, { .expr = texts[i] }));
    assert_null(ecs_query(scene->world,
        { .terms = { { EcsScopeOpen, .src.id = EcsIsEntity }, { find(scene, "Tag") } } }));
    ecs_log_set_level(level);
}

static void make_letters(scene_t *scene) {
    make_all(scene->world, "A B C D X");
    make(scene->world, "ab", "A, B, X");
    make(scene->world, "cd", "C, D, X");
    make(scene->world, "ac", "A, C, X");
    make(scene->world, "abcd", "A, B, C, D, X");
}

// Q-SCP-12
static void a_scope_may_come_first(void **state) {
    scene_t *scene = *state;
    make_letters(scene);
    assert_solutions(scene, "!{ A, B }, X", "ac | cd");
    assert_solutions(scene, "{ A, B }", "ab | abcd");
}

// Q-SCP-13
static void scopes_combine_with_or(void **state) {
    scene_t *scene = *state;
    make_letters(scene);
    assert_solutions(scene, "X, { A, B } || { C, D }", "ab | abcd | cd");
    assert_solutions(scene, "{ A, B } || { C, D }", "ab | abcd | cd");
    assert_solutions(scene, "X, D || { A, !B }", "abcd | ac | cd");
    assert_solutions(scene, "X, { A, !B } || D", "abcd | ac | cd");
}

// Q-SCP-13, Q-OR-06: what other rows and alternatives left behind is gone.
static void alternatives_show_their_own_fields(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "A B X Likes Pears");
    make(scene->world, "b", "B, X");
    make(scene->world, "ab", "A, B, X");
    make(scene->world, "p", "A, (Likes, Pears), X");
    assert_query(scene, "X, { A } || B",
        "b: X, -ScopeOpen, -A, B | ab: X, ScopeOpen, -A, -ScopeClose | p: X, ScopeOpen, -A, -ScopeClose");
    assert_query(scene, "X, (Likes, $x) || { A }",
        "ab: X, ScopeOpen, -A, -ScopeClose | p: X, (Likes,Pears), -A, -ScopeClose | "
        "p: X, ScopeOpen, -A, -ScopeClose");
    assert_query(scene, "X, B || { A }",
        "b: X, B, -A, -ScopeClose | ab: X, B, -A, -ScopeClose | p: X, ScopeOpen, -A, -ScopeClose");
}

// Q-SCP-14
static void scopes_combine_with_and_and_optional(void **state) {
    scene_t *scene = *state;
    make_letters(scene);
    assert_solutions(scene, "X, { A, C }", "abcd | ac");
    assert_solutions(scene, "X, ?{ A, C }", "ab | abcd | ac | cd");
    assert_query(scene, "A, ?{ C, D }",
        "ab: A, -ScopeOpen, -C, -D, -ScopeClose | ac: A, -ScopeOpen, -C, -D, -ScopeClose | "
        "abcd: A, ScopeOpen, -C, -D, -ScopeClose"); // the field of the bracket tells
}

// Q-SCP-09, Q-SCP-10: alternatives do not reach over the brackets
static void alternatives_end_with_their_scope(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "A B");
    ecs_entity_t a = find(scene, "A"), b = find(scene, "B");
    int level = ecs_log_set_level(-5);
    assert_null(ecs_query(
        scene->world, { .terms = { { EcsScopeOpen, .src.id = EcsIsEntity }, { a, .oper = EcsOr },
                            { EcsScopeClose, .src.id = EcsIsEntity } } }));
    ecs_log_set_level(level);
    ecs_query_t *q = query_of(scene,
        (ecs_query_desc_t){ .terms = { { EcsScopeOpen, .src.id = EcsIsEntity }, { a },
                                { EcsScopeClose, .src.id = EcsIsEntity, .oper = EcsOr }, { b } } });
    make(scene->world, "e", "B");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "e");
    ecs_query_fini(q);
}

// Q-SCP-13: an Or on the bracket that opens is the same as one on that which closes
static void descriptors_combine_scopes_with_or(void **state) {
    scene_t *scene = *state;
    make_letters(scene);
    ecs_id_t a = find(scene, "A"), b = find(scene, "B"), c = find(scene, "C"), d = find(scene, "D");
    const ecs_term_t close = { EcsScopeClose, .src.id = EcsIsEntity };
    for (int32_t is_at_end = 0; is_at_end < 2; is_at_end++) {
        ecs_query_desc_t desc = { .terms = { { EcsScopeOpen, .src.id = EcsIsEntity }, { a },
                                      { EcsScopeOpen, .src.id = EcsIsEntity }, { b }, close, close,
                                      { EcsScopeOpen, .src.id = EcsIsEntity }, { c }, { d },
                                      close } };
        desc.terms[is_at_end ? 5 : 0].oper = EcsOr;
        ecs_query_t *q = query_of(scene, desc);
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        assert_lines(&it, "ab | abcd | cd");
        ecs_query_fini(q);
    }
}

// A sheet wants eight levels refused.
static void scopes_nest_less_than_eight_deep(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Pos");
    make(scene->world, "e", "Pos");
    assert_solutions(scene, "{{{{{{{ Pos }}}}}}}", "e");
    expect_error(ECS_INVALID_PARAMETER, "nest less than 8 deep",
        assert_null(ecs_query_new(scene->world, "{{{{{{{{ Pos }}}}}}}}")));
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(a_negated_scope_drops_what_it_holds_for),
        BOTH(a_scope_asks_whether_there_is_something), BOTH(scopes_nest_conditions_on_variables),
        BOTH(outer_variables_keep_their_value_inside), BOTH(descriptors_open_and_close_scopes),
        BOTH(unbalanced_scopes_fail), BOTH(a_scope_may_come_first), BOTH(scopes_combine_with_or),
        BOTH(alternatives_end_with_their_scope), BOTH(alternatives_show_their_own_fields),
        BOTH(descriptors_combine_scopes_with_or), BOTH(scopes_nest_less_than_eight_deep),
        BOTH(scopes_combine_with_and_and_optional) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
