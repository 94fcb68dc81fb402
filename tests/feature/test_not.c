// SPDX-License-Identifier: MIT
// Not: features.md area Q-NOT.
#include "query_scene.h"

// Q-NOT-01, Q-NOT-02
static void entities_with_the_id_are_left_out(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    make(scene->world, "e2", "Position, Velocity");
    assert_query(scene, "Position, !Velocity", "e1: Position, -Velocity");
    ecs_query_t *q = query_expr(scene, "Position, !Velocity");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_false(ecs_field_is_set(&it, 1));
    assert_null(ecs_field(&it, Velocity, 1));
    assert_int_equal(ecs_field_column(&it, 1), -1);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-NOT-03
static void a_wildcard_excludes_any_match(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Tag");
    make(scene->world, "e2", "Tag, (Likes, Dogs)");
    make(scene->world, "e3", "Tag, (Eats, Apples)");
    assert_query(scene, "Tag, !(Likes, *)", "e1: Tag, -(Likes,*) | e3: Tag, -(Likes,*)");
    assert_query(scene, "Tag, !(*, Dogs)", "e1: Tag, -(*,Dogs) | e3: Tag, -(*,Dogs)");
    assert_query(scene, "Tag, !(Likes, _)", "e1: Tag, -(Likes,*) | e3: Tag, -(Likes,*)");
}

// Q-NOT-04
static void a_query_of_only_not_terms_returns_everything_else(void **state) {
    scene_t *scene = *state;
    ecs_entity_t bare = ecs_new(scene->world), with = make(scene->world, "with", "Position");
    ecs_query_t *q = query_expr(scene, "!Position");
    bool found_bare = false;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            assert_true(it.entities[i] != with);
            found_bare |= it.entities[i] == bare;
        }
    }
    assert_true(found_bare);
    ecs_query_fini(q);
}

// Q-NOT-05
static void not_combines_with_a_constant_source(void **state) {
    scene_t *scene = *state;
    ecs_entity_t game = make(scene->world, "Game", NULL);
    make(scene->world, "e1", "Position");
    assert_query(scene, "Position, !Tag(Game)", "e1: Position, -Tag@Game");
    ecs_add_id(scene->world, game, ecs_lookup(scene->world, "Tag"));
    assert_query(scene, "Position, !Tag(Game)", "");
}

static void roots_can_be_asked_for(void **state) {
    scene_t *scene = *state;
    make(scene->world, "parent", "Tag");
    make(scene->world, "parent.child", "Tag");
    assert_query(scene, "Tag, !(ChildOf, _)", "parent: Tag, (ChildOf,#0)");
    assert_query(scene, "Tag, (ChildOf, _)", "parent.child: Tag, (ChildOf,*)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(entities_with_the_id_are_left_out),
        BOTH(a_wildcard_excludes_any_match),
        BOTH(a_query_of_only_not_terms_returns_everything_else),
        BOTH(not_combines_with_a_constant_source),
        BOTH(roots_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
