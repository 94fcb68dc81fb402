// SPDX-License-Identifier: MIT
// And, Or: features.md area Q-OR.
#include "query_scene.h"

static void make_entities(ecs_world_t *world) {
    make(world, "e1", "Position");
    make(world, "e2", "Velocity");
    make(world, "e3", "Mass");
    make(world, "e4", "Position, Velocity");
    make(world, "e5", "Position, Mass");
}

// Q-OR-01
static void terms_without_operator_are_and(void **state) {
    scene_t *scene = *state;
    make_entities(scene->world);
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .terms = { { ecs_id(Position), .oper = EcsAnd },
                                                { ecs_id(Velocity), .oper = EcsAnd } } });
    assert_results(q, "e4: Position, Velocity");
    ecs_query_fini(q);
    assert_query(scene, "Position, Velocity", "e4: Position, Velocity");
}

// Q-OR-02, Q-OR-06, Q-OR-07
static void the_first_alternative_that_holds_is_reported_once(void **state) {
    scene_t *scene = *state;
    make_entities(scene->world);
    assert_query(
        scene, "Position || Velocity", "e1: Position | e2: Velocity | e4: Position | e5: Position");
    assert_query(
        scene, "Velocity || Position", "e1: Position | e2: Velocity | e4: Velocity | e5: Position");
}

// Q-OR-07, Q-EQ-06: also if they share a table with others.
static void an_entity_that_is_named_is_reported_once(void **state) {
    scene_t *scene = *state;
    for (int i = 0; i < 3; i++)
        make(scene->world, (const char *[]){ "a", "b", "c" }[i], "Tag, Position");
    make(scene->world, "d", "Other");
    static const struct {
        const char *expr;
        int count;
    } rows[] = { { "$this == b || Tag", 3 }, { "$this == \"b\" || Position", 3 },
        { "$this == b || $this == c || Tag", 3 }, { "$this == d || Tag", 4 },
        { "$this == d || $this == a || Tag || Other", 4 }, { "Tag || $this == d", 4 },
        { "Tag, $this == b || Position", 3 }, { "$this == b || Tag, !Other", 3 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ecs_query_t *q = query_expr(scene, rows[i].expr);
        if (ecs_query_count(q).entities != rows[i].count) fail_msg("%s", rows[i].expr);
        ecs_query_fini(q);
    }
}

// Q-OR-03
static void two_chains_need_one_of_each(void **state) {
    scene_t *scene = *state;
    make_entities(scene->world);
    assert_query(scene, "Position || Velocity, Mass || Velocity",
        "e2: Velocity, Velocity | e4: Position, Velocity | e5: Position, Mass");
}

// Q-OR-04, Q-OR-05
static void a_chain_is_one_field_among_others(void **state) {
    scene_t *scene = *state;
    make_entities(scene->world);
    assert_query(
        scene, "Position, Velocity || Mass", "e4: Position, Velocity | e5: Position, Mass");
    ecs_query_t *q = query_expr(scene, "Position, Velocity || Mass, Npc");
    assert_int_equal(q->term_count, 4);
    assert_int_equal(q->field_count, 3);
    assert_int_equal(q->terms[1].field_index, 1);
    assert_int_equal(q->terms[2].field_index, 1);
    assert_int_equal(q->terms[3].field_index, 2);
    ecs_query_fini(q);
}

// Q-OR-08, D-23
static void an_or_on_the_last_term_ends_the_chain(void **state) {
    scene_t *scene = *state;
    make_entities(scene->world);
    ecs_query_t *q = query_of(scene,
        (ecs_query_desc_t){
            .terms = { { ecs_id(Velocity), .oper = EcsOr }, { ecs_id(Mass), .oper = EcsOr } } });
    assert_results(q, "e2: Velocity | e3: Mass | e4: Velocity | e5: Mass");
    ecs_query_fini(q);
}

// Q-OR-09
static void alternatives_of_one_type_share_an_array(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = ecs_lookup(world, "Dogs"), b = ecs_lookup(world, "Cats");
    ecs_set_pair(world, make(world, "e1", NULL), Position, a, { 1, 0 });
    ecs_set_pair(world, make(world, "e2", NULL), Position, b, { 2, 0 });
    ecs_query_t *q = query_expr(scene, "(Position, Dogs) || (Position, Cats)");
    ecs_iter_t it = ecs_query_iter(world, q);
    for (float x = 1; ecs_query_next(&it); x++)
        assert_float_equal(ecs_field(&it, Position, 0)->x, x, 0);
    ecs_query_fini(q);
}

static void a_chain_can_be_about_a_constant(void **state) {
    scene_t *scene = *state;
    ecs_entity_t game = make(scene->world, "Game", "Velocity");
    make(scene->world, "e1", "Tag");
    assert_query(scene, "Tag, Mass(Game) || Velocity(Game)", "e1: Tag, Velocity@Game");
    ecs_remove(scene->world, game, Velocity);
    assert_query(scene, "Tag, Mass(Game) || Velocity(Game)", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(terms_without_operator_are_and),
        BOTH(the_first_alternative_that_holds_is_reported_once),
        BOTH(an_entity_that_is_named_is_reported_once),
        BOTH(two_chains_need_one_of_each),
        BOTH(a_chain_is_one_field_among_others),
        BOTH(an_or_on_the_last_term_ends_the_chain),
        BOTH(alternatives_of_one_type_share_an_array),
        BOTH(a_chain_can_be_about_a_constant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
