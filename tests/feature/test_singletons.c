// SPDX-License-Identifier: MIT
// Singletons: features.md area Q-SNG.
#include "query_scene.h"

typedef struct Clock {
    int hour;
} Clock;

// Q-SNG-01, Q-SNG-03, Q-SNG-04
static void a_singleton_is_a_single_value_beside_arrays(void **state) {
    scene_t *scene = *state;
    ECS_COMPONENT(scene->world, Clock);
    ecs_singleton_set(scene->world, Clock, { 12 });
    make(scene->world, "e1", "Position");
    assert_query(scene, "Position, Clock($)", "e1: Position, Clock@Clock");
    assert_query(scene, "Position, Clock(Clock)", "e1: Position, Clock@Clock");
    ecs_query_t *q = query_of(
        scene, (ecs_query_desc_t){
                   .terms = { { ecs_id(Position) }, { ecs_id(Clock), .src.id = ecs_id(Clock) } } });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field(&it, Clock, 1)->hour, 12);
    assert_true(ecs_field_src(&it, 1) == ecs_id(Clock));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-SNG-02
static void the_sign_can_stand_for_the_target(void **state) {
    scene_t *scene = *state;
    ecs_entity_t tag = ecs_lookup(scene->world, "Tag");
    ecs_add_pair(scene->world, make(scene->world, "e1", NULL), tag, tag);
    assert_query(scene, "Tag($this, $)", "e1: (Tag,Tag)");
}

static void the_trait_makes_it_the_default_source(void **state) {
    scene_t *scene = *state;
    ECS_COMPONENT(scene->world, Clock);
    ecs_add_id(scene->world, ecs_id(Clock), EcsSingleton);
    make(scene->world, "e1", "Position");
    assert_query(scene, "Position, Clock", "");
    ecs_singleton_set(scene->world, Clock, { 1 });
    assert_query(scene, "Position, Clock", "e1: Position, Clock@Clock");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(a_singleton_is_a_single_value_beside_arrays),
        BOTH(the_sign_can_stand_for_the_target),
        BOTH(the_trait_makes_it_the_default_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
