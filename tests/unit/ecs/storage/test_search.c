// SPDX-License-Identifier: MIT
// storage/search.c: whether an id can be seen from below, which decides if all that might inherit it are looked at.
#include "storage/search.h"

#include "support/world.h"
#include "world/state.h"

static const ecs_component_record_t *record_of(ecs_world_t *world, ecs_id_t id) {
    return ecs__id_record_get(&ecs__world_of(world)->store, id);
}

// Instances with children of their own are walked along, though no base has what they have.
static void instances_with_children_are_no_bases(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), tag = ecs_new(world),
                       works = ecs_new(world), place = ecs_new(world);
    const ecs_id_t few = ecs_pair(works, place);
    for (int i = 0; i < 200; i++) {
        const ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, prefab);
        ecs_add_id(world, e, tag);
        if (i < 20) ecs_add_id(world, e, few);
        ecs_new_w_pair(world, EcsChildOf, e);
    }
    assert_true(ecs__id_is_above(record_of(world, few)));
    assert_false(ecs__id_is_above_along(record_of(world, few), EcsIsA));
    assert_false(
        ecs__id_is_above_along(record_of(world, tag), EcsIsA)); // of more than are looked at
    assert_true(ecs__id_is_above_along(record_of(world, tag), EcsChildOf));
    ecs_add_id(world, prefab, tag);
    assert_true(ecs__id_is_above_along(record_of(world, tag), EcsIsA));
    assert_false(ecs__id_is_above_along(record_of(world, few), EcsIsA));
    ecs_add_id(world, prefab, few);
    assert_true(ecs__id_is_above_along(record_of(world, few), EcsIsA));
}

// Children see what their parent inherits.
static void what_parents_inherit_is_above(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t base = ecs_new(world), tag = ecs_new(world);
    for (int i = 0; i < 100; i++) ecs_new_w_id(world, tag);
    ecs_new_w_pair(world, EcsChildOf, ecs_new_w_pair(world, EcsIsA, base));
    assert_false(ecs__id_is_above_along(record_of(world, tag), EcsChildOf));
    ecs_add_id(world, base, tag);
    assert_true(ecs__id_is_above_along(record_of(world, tag), EcsChildOf));
    assert_true(ecs__id_is_above_along(record_of(world, tag), EcsIsA));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(instances_with_children_are_no_bases),
        world_test(what_parents_inherit_is_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
