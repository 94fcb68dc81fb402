// SPDX-License-Identifier: MIT
// Optional: features.md area Q-OPT.
#include "query_scene.h"

// Q-OPT-01, Q-OPT-02, Q-OPT-03
static void the_field_is_set_where_the_table_has_the_id(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_set(scene->world, make(scene->world, "e2", "Position"), Velocity, { 5, 6 });
    assert_query(scene, "Position, ?Velocity", "e1: Position, -Velocity | e2: Position, Velocity");
    ecs_query_t *q = query_expr(scene, "Position, ?Velocity");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_null(ecs_field(&it, Velocity, 1));
    assert_true(ecs_field_id(&it, 1) == ecs_id(Velocity));
    assert_true(ecs_query_next(&it));
    assert_float_equal(ecs_field(&it, Velocity, 1)->x, 5, 0);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-OPT-04
static void a_query_of_only_optional_terms_returns_every_entity(void **state) {
    scene_t *scene = *state;
    ecs_entity_t bare = ecs_new(scene->world), with = make(scene->world, "with", "Position");
    ecs_query_t *q = query_expr(scene, "?Position");
    int found = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            if (it.entities[i] != bare && it.entities[i] != with) continue;
            assert_true(ecs_field_is_set(&it, 0) == (it.entities[i] == with));
            found++;
        }
    }
    assert_int_equal(found, 2);
    ecs_query_fini(q);
}

// Q-OPT-06
static void an_optional_wildcard_gives_each_match_or_one_unset_result(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    make(scene->world, "e2", "Position, (Likes, Dogs), (Likes, Cats)");
    assert_query(scene, "Position, ?(Likes, *)",
        "e1: Position, -(Likes,*) | e2: Position, (Likes,Dogs) | e2: Position, (Likes,Cats)");
    assert_query(
        scene, "Position, ?(Likes, _)", "e1: Position, -(Likes,*) | e2: Position, (Likes,*)");
}

static void optional_terms_can_have_a_constant_source(void **state) {
    scene_t *scene = *state;
    ecs_entity_t game = make(scene->world, "Game", NULL);
    make(scene->world, "e1", "Position");
    assert_query(scene, "Position, ?Mass(Game)", "e1: Position, -Mass@Game");
    ecs_set(scene->world, game, Mass, { 3 });
    assert_query(scene, "Position, ?Mass(Game)", "e1: Position, Mass@Game");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(the_field_is_set_where_the_table_has_the_id),
        BOTH(a_query_of_only_optional_terms_returns_every_entity),
        BOTH(an_optional_wildcard_gives_each_match_or_one_unset_result),
        BOTH(optional_terms_can_have_a_constant_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
