// SPDX-License-Identifier: MIT
// Sources: features.md area Q-SRC, and Q-TRM-08, Q-TRM-09.
#include "query_scene.h"

// Q-SRC-01, Q-TRM-08
static void this_is_the_default_source(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, (Likes, Dogs)");
    assert_query(scene, "Position($this), Likes($this, Dogs)", "e1: Position, (Likes,Dogs)");
    assert_query(scene, "Position, (Likes, Dogs)", "e1: Position, (Likes,Dogs)");
}

// Q-SRC-02, Q-SRC-04, Q-SRC-05, Q-SRC-08
static void a_constant_source_is_read_for_every_result(void **state) {
    scene_t *scene = *state;
    ecs_entity_t game = make(scene->world, "Game", NULL);
    make(scene->world, "e1", "Position");
    make(scene->world, "e2", "Position, Velocity");
    ecs_query_desc_t descs[] = {
        { .expr = "Position, Mass(Game)", .instanced = true },
        { .terms = { { ecs_id(Position) }, { ecs_id(Mass), .src.id = game } }, .instanced = true },
        { .terms = { { ecs_id(Position) }, { ecs_id(Mass), .src.name = "Game" } },
            .instanced = true },
    };
    for (int i = 0; i < 3; i++) {
        ecs_query_t *q = query_of(scene, descs[i]);
        assert_results(q, "");
        ecs_set(scene->world, game, Mass, { 7 });
        assert_results(q, "e1: Position, Mass@Game | e2: Position, Mass@Game");
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        while (ecs_query_next(&it)) {
            assert_true(ecs_field_src(&it, 0) == 0);
            assert_true(ecs_field_src(&it, 1) == game);
            assert_float_equal(ecs_field(&it, Mass, 1)->value, 7, 0);
        }
        ecs_remove(scene->world, game, Mass);
        assert_results(q, "");
        ecs_query_fini(q);
    }
}

// Q-SRC-03
static void pairs_can_have_a_constant_source(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Game", "(Eats, Apples)");
    make(scene->world, "e1", "(Likes, Dogs)");
    assert_query(
        scene, "(Likes, Dogs), Eats(Game, Apples)", "e1: (Likes,Dogs), (Eats,Apples)@Game");
    assert_query(scene, "(Likes, Dogs), Eats(Game, Pears)", "");
}

// Q-SRC-06, Q-SRC-07, Q-TRM-09
static void a_query_about_constants_only_has_one_result_without_entities(void **state) {
    scene_t *scene = *state;
    ecs_entity_t bob = make(scene->world, "Bob", NULL);
    ecs_query_t *q = query_expr(scene, "Position(Bob), Likes(Bob, Dogs)");
    assert_false(ecs_query_is_true(q));
    ecs_set(scene->world, bob, Position, { 8, 9 });
    ecs_add_pair(
        scene->world, bob, ecs_lookup(scene->world, "Likes"), ecs_lookup(scene->world, "Dogs"));
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.count, 0);
    assert_null(it.entities);
    assert_null(it.table);
    assert_float_equal(ecs_field(&it, Position, 0)->y, 9, 0);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
    ecs_add_pair(
        scene->world, bob, ecs_lookup(scene->world, "Likes"), ecs_lookup(scene->world, "Cats"));
    assert_query(scene, "Likes(Bob, *)", ": (Likes,Dogs)@Bob | : (Likes,Cats)@Bob");
}

// Q-SRC-10
static void arrays_next_to_a_constant_come_entity_by_entity(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Game", "Mass");
    ecs_set(scene->world, make(scene->world, "e1", NULL), Position, { 1, 0 });
    ecs_set(scene->world, make(scene->world, "e2", NULL), Position, { 2, 0 });
    ecs_query_t *q = query_expr(scene, "Position, Mass(Game)");
    assert_results(q, "e1: Position, Mass@Game | e2: Position, Mass@Game");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    for (int i = 0; ecs_query_next(&it); i++) {
        assert_int_equal(it.offset, i);
        assert_int_equal(it.frame_offset, i);
        assert_float_equal(ecs_field(&it, Position, 0)->x, i + 1, 0);
    }
    ecs_query_fini(q);
}

static void wildcards_of_a_constant_multiply_results(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Game", "(Likes, Dogs), (Likes, Cats)");
    make(scene->world, "e1", "Tag");
    make(scene->world, "e2", "Tag, Other");
    assert_query(scene, "Tag, Likes(Game, *)",
        "e1: Tag, (Likes,Dogs)@Game | e2: Tag, (Likes,Dogs)@Game | "
        "e1: Tag, (Likes,Cats)@Game | e2: Tag, (Likes,Cats)@Game");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(this_is_the_default_source),
        BOTH(a_constant_source_is_read_for_every_result),
        BOTH(pairs_can_have_a_constant_source),
        BOTH(a_query_about_constants_only_has_one_result_without_entities),
        BOTH(arrays_next_to_a_constant_come_entity_by_entity),
        BOTH(wildcards_of_a_constant_multiply_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
