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

// CMP-08: it may only be on itself.
static void a_singleton_cannot_be_cloned(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ECS_COMPONENT(world, Clock);
    ecs_add_id(world, ecs_id(Clock), EcsSingleton);
    assert_true(ecs_clone(world, 0, ecs_id(Clock), false) != 0); /* not yet on itself */
    ecs_singleton_set(world, Clock, { 1 });
    ecs_entity_t single = ecs_new(world), dst = ecs_new(world);
    ecs_add_id(world, single, EcsSingleton);
    ecs_add_id(world, single, EcsDontFragment);
    ecs_add_pair(world, single, single, dst);
    for (int deferred = 0; deferred < 2; deferred++) {
        expect_abort_saying(
            ECS_CONSTRAINT_VIOLATED, "cannot clone Clock", if (deferred) ecs_defer_begin(world);
            ecs_clone(world, dst, ecs_id(Clock), true); if (deferred) ecs_defer_end(world));
    }
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "singleton", ecs_clone(world, 0, single, false));
}

// CMP-08: nor can others come to its table.
static void a_singleton_is_alone_in_its_table(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ECS_COMPONENT(world, Clock);
    ecs_add_id(world, ecs_id(Clock), EcsSingleton);
    ecs_singleton_set(world, Clock, { 1 });
    ecs_table_t *table = ecs_get_table(world, ecs_id(Clock));
    const ecs_bulk_desc_t desc = { .count = 1, .table = table };
    for (int deferred = 0; deferred < 2; deferred++) {
        expect_abort_saying(
            ECS_CONSTRAINT_VIOLATED, "singleton", if (deferred) ecs_defer_begin(world);
            ecs_new_w_table(world, table); if (deferred) ecs_defer_end(world));
        expect_abort_saying(
            ECS_CONSTRAINT_VIOLATED, "singleton", if (deferred) ecs_defer_begin(world);
            ecs_bulk_init(world, &desc); if (deferred) ecs_defer_end(world));
    }
    assert_int_equal(ecs_count_id(world, ecs_id(Clock)), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(a_singleton_is_a_single_value_beside_arrays),
        BOTH(the_sign_can_stand_for_the_target),
        BOTH(the_trait_makes_it_the_default_source),
        BOTH(a_singleton_cannot_be_cloned),
        BOTH(a_singleton_is_alone_in_its_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
