// SPDX-License-Identifier: MIT
// Components that are switched on and off per entity: the trait EcsCanToggle.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
static ECS_COMPONENT_DECLARE(Position);

static ecs_entity_t Tag, Likes, Pear;

static void use(ecs_world_t *world) {
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    Tag = ecs_new(world);
    Likes = ecs_new(world);
    Pear = ecs_new(world);
    ecs_add_id(world, ecs_id(Position), EcsCanToggle);
    ecs_add_id(world, Tag, EcsCanToggle);
    ecs_add_id(world, Likes, EcsCanToggle);
}

static void a_switched_off_component_stays(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { 1, 2 });
    assert_true(ecs_is_enabled(world, e, Position));
    uint64_t hash = ecs_world_hash(world);
    ecs_enable_component(world, e, Position, false);
    assert_false(ecs_is_enabled(world, e, Position));
    assert_true(ecs_has(world, e, Position) && ecs_world_hash(world) != hash);
    assert_near(ecs_get(world, e, Position)->y, 2, 0);
    hash = ecs_world_hash(world);
    ecs_enable_component(world, e, Position, true);
    assert_true(ecs_is_enabled(world, e, Position) && ecs_world_hash(world) != hash);
    ecs_enable_id(world, e, Tag, false); /* need not be there */
    assert_false(ecs_is_enabled_id(world, e, Tag) || ecs_has_id(world, e, Tag));
    ecs_add_id(world, e, Tag);
    assert_false(ecs_is_enabled_id(world, e, Tag));
    ecs_enable_id(world, e, ecs_pair(Likes, Pear), false);
    assert_false(ecs_is_enabled_id(world, e, ecs_pair(Likes, Pear)));
    ecs_delete(world, Pear); /* the marked pair goes with it */
    assert_false(ecs_has_id(world, e, ECS_TOGGLE | ecs_pair(Likes, EcsWildcard)));
    assert_false(ecs_is_enabled_id(world, e, Tag));
}

static void bits_follow_their_rows(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t other = ecs_new(world), es[200];
    for (int i = 0; i < 200; i++) {
        es[i] = ecs_new(world);
        ecs_set(world, es[i], Position, { (float)i, 0 });
        ecs_enable_component(world, es[i], Position, i % 3 != 0);
    }
    for (int i = 0; i < 200; i += 2) ecs_add_id(world, es[i], other);
    for (int i = 0; i < 200; i += 5) ecs_delete(world, es[i]);
    for (int i = 0; i < 200; i += 4) {
        if (i % 5) ecs_remove_id(world, es[i], other);
    }
    ecs_table_t *table = ecs_get_table(world, es[1]);
    int32_t last = ecs_table_count(table) - 1;
    for (int32_t row = 0; row < 20; row++) ecs_table_swap_rows(world, table, row, last - row);
    for (int i = 0; i < 200; i++) {
        if (i % 5) assert_int_equal(ecs_is_enabled(world, es[i], Position), i % 3 != 0);
    }
    ecs_entity_t copy = ecs_clone(world, 0, es[3], true);
    assert_false(ecs_is_enabled(world, copy, Position));
    ecs_entity_t fresh = ecs_new_w_table(world, table);
    assert_true(ecs_is_enabled(world, fresh, Position));
    ecs_enable_component(world, ecs_table_entities(table)[0], Position, false);
    ecs_delete_with(world, ecs_id(Position));
    fresh = ecs_new_w_table(world, table);
    assert_true(ecs_is_enabled(world, fresh, Position));
}

static void switching_can_be_deferred(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world), dying = ecs_new(world);
    ecs_add_id(world, dying, EcsCanToggle);
    ecs_defer_begin(world);
    ecs_enable_component(world, e, Position, false);
    ecs_set(world, e, Position, { 1, 2 });
    ecs_enable_id(world, e, dying, false);
    assert_false(ecs_has(world, e, Position));
    ecs_delete(world, dying);
    ecs_defer_end(world);
    assert_true(ecs_has(world, e, Position));
    assert_false(ecs_is_enabled(world, e, Position));
    ecs_entity_t rel = ecs_new_w_id(world, EcsCanToggle), target = ecs_new(world);
    const ecs_id_t pairs[] = { ecs_pair(rel, target), ecs_value_pair(rel, 7) };
    for (int i = 0; i < 2; i++) {
        ecs_add_id(world, e, pairs[i]);
        ecs_defer_begin(world);
        ecs_enable_id(world, e, pairs[i], false);
        ecs_defer_end(world);
        assert_false(ecs_is_enabled_id(world, e, pairs[i]));
    }
    for (int i = 0; i < 2; i++) { /* who dies is not switched any more */
        ecs_defer_begin(world);
        ecs_delete(world, i ? rel : target);
        for (int k = i; k < 2; k++) ecs_enable_id(world, e, pairs[k], true);
        ecs_defer_end(world);
        assert_false(ecs_is_enabled_id(world, e, pairs[i]));
        assert_int_equal(ecs_has_id(world, e, pairs[1]), i == 0);
    }
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t child = ecs_entity(world, { .name = "child", .parent = prefab });
    ecs_add_id(world, child, Tag);
    ecs_enable_id(world, child, Tag, false);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, prefab);
    assert_false(ecs_is_enabled_id(world, ecs_lookup_child(world, instance, "child"), Tag));
}

static void what_has_no_trait_cannot_be_switched(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    expect_abort_saying(ECS_INVALID_OPERATION, "CanToggle", ecs_enable_id(world, e, tag, false));
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, tag, EcsCanToggle)); /* too late */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_switched_off_component_stays),
        mini_world_test(bits_follow_their_rows),
        mini_world_test(switching_can_be_deferred),
        mini_world_test(what_has_no_trait_cannot_be_switched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
