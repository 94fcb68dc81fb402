// SPDX-License-Identifier: MIT
// Data on pairs: features.md areas PDT and TRT-01…03, STO-10.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Eats {
    int amount;
} Eats;

// PDT-01
static void a_pair_of_tags_has_no_data(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    ECS_TAG(world, Apples);
    ecs_entity_t e = ecs_new_w_pair(world, Likes, Apples);
    assert_true(ecs_id_is_tag(world, ecs_pair(Likes, Apples)));
    assert_int_equal(ecs_get_typeid(world, ecs_pair(Likes, Apples)), 0);
    assert_null(ecs_get_id(world, e, ecs_pair(Likes, Apples)));
    assert_int_equal(ecs_table_column_count(ecs_get_table(world, e)), 0);
}

// PDT-02, TRT-01, TRT-02
static void a_relationship_marked_as_tag_never_has_data(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Other);
    ECS_TAG(world, Serializable);
    ecs_add_id(world, Serializable, EcsPairIsTag);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { 10, 20 });
    ecs_add_pair(world, e, EcsChildOf, ecs_id(Position));
    assert_null(ecs_get_id(world, e, ecs_childof(ecs_id(Position))));
    ecs_set_pair_second(world, e, Other, Position, { 1, 2 });
    assert_near(ecs_get_pair_second(world, e, Other, Position)->x, 1, 0);
    ecs_add_pair(world, e, Serializable, ecs_id(Position));
    assert_null(ecs_get_pair_second(world, e, Serializable, Position)); /* PDT-08 */
    assert_near(ecs_get(world, e, Position)->x, 10, 0);
}

// TRT-03
static void the_tag_trait_does_not_count_on_targets(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Eats);
    ECS_TAG(world, Apples);
    ecs_add_id(world, Apples, EcsPairIsTag);
    ecs_entity_t e = ecs_new(world);
    ecs_set_pair(world, e, Eats, Apples, { 3 });
    assert_int_equal(ecs_get_pair(world, e, Eats, Apples)->amount, 3);
}

// PDT-03, PDT-05, PDT-06
static void the_first_typed_element_decides(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Eats);
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Apples);
    ecs_entity_t e = ecs_new(world);
    ecs_set_pair(world, e, Eats, Apples, { .amount = 1 });
    assert_int_equal(ecs_get_pair(world, e, Eats, Apples)->amount, 1);
    ecs_set_pair(world, e, Eats, ecs_id(Position), { 2 });
    assert_int_equal(ecs_get_pair(world, e, Eats, ecs_id(Position))->amount, 2);
    assert_id_equal(world, ecs_get_typeid(world, ecs_pair_t(Eats, ecs_id(Position))), ecs_id(Eats));
    assert_int_equal(
        ecs_get_type_info(world, ecs_pair_t(Eats, ecs_id(Position)))->size, sizeof(Eats));
}

// PDT-04, PDT-07
static void one_component_can_be_held_many_times(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Begin);
    ECS_TAG(world, End);
    ecs_entity_t e = ecs_new(world);
    ecs_set_pair_second(world, e, Begin, Position, { 0, 1 });
    ecs_set_pair_second(world, e, End, Position, { 10, 20 });
    assert_near(ecs_get_pair_second(world, e, Begin, Position)->y, 1, 0);
    assert_near(ecs_get_pair_second(world, e, End, Position)->y, 20, 0);
    ecs_entity_t slots[3];
    for (int i = 0; i < 3; i++) {
        slots[i] = ecs_new(world);
        ecs_set_pair(world, e, Position, slots[i], { (float)i, 0 });
    }
    for (int i = 0; i < 3; i++) assert_near(ecs_get_pair(world, e, Position, slots[i])->x, i, 0);
    ecs_modified_pair(world, e, ecs_id(Position), slots[0]);
    ecs_ensure_pair(world, e, Position, slots[1])->x = 9;
    assert_near(ecs_get_mut_pair(world, e, Position, slots[1])->x, 9, 0);
}

// PDT-09
static void a_field_of_a_wildcard_is_the_array_of_the_match(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Eats);
    ECS_TAG(world, Apples);
    ECS_TAG(world, Pears);
    ecs_entity_t e = ecs_new(world);
    ecs_set_pair(world, e, Eats, Apples, { 1 });
    ecs_set_pair(world, e, Eats, Pears, { 2 });
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_pair_t(Eats, EcsWildcard) } } });
    ecs_iter_t it = ecs_query_iter(world, q);
    for (int i = 1; i <= 2; i++) {
        assert_true(ecs_query_next(&it));
        assert_id_equal(
            world, ecs_pair_second(world, ecs_field_id(&it, 0)), i == 1 ? Apples : Pears);
        assert_int_equal(ecs_field(&it, Eats, 0)->amount, i);
    }
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// PDT-02, PDT-05, PDT-09, Q-ITR-07
static void a_field_of_any_relationship_has_the_type_of_the_match(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Eats);
    ECS_TAG(world, Begin);
    const ecs_id_t pairs[] = { ecs_pair_t(Eats, ecs_id(Position)),
        ecs_pair(Begin, ecs_id(Position)), ecs_childof(ecs_id(Position)) };
    const size_t sizes[] = { sizeof(Eats), sizeof(Position), 0 };
    for (int k = 0; k < 3; k++) ecs_bulk_new_w_id(world, pairs[k], 3);
    for (int cached = 0; cached < 2; cached++) {
        ecs_query_t *q =
            ecs_query(world, { .expr = "(*, Position)",
                                 .cache_kind = cached ? EcsQueryCacheAll : EcsQueryCacheNone });
        ecs_iter_t it = ecs_query_iter(world, q), part = ecs_page_iter(&it, 1, 8);
        for (int k = 0; k < 3; k++) {
            assert_true(ecs_page_next(&part));
            assert_id_equal(world, ecs_field_id(&part, 0), pairs[k]);
            assert_int_equal(ecs_field_size(&part, 0), sizes[k]);
            assert_ptr_equal(ecs_field_w_size(&part, sizes[k], 0),
                sizes[k] ? ecs_get_id(world, part.entities[0], pairs[k]) : NULL);
        }
        assert_false(ecs_page_next(&part));
        ecs_query_fini(q);
    }
}

// STO-10
static void pairs_follow_when_a_tag_becomes_a_component(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), target = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, tag, target);
    ecs_add_pair(world, e, target, tag);
    assert_true(ecs_id_is_tag(world, ecs_pair(tag, target)));
    expect_abort(ECS_ALREADY_IN_USE,
        ecs_component(world, { .entity = tag, .type = { .size = 4, .alignment = 4 } }));
    ecs_clear(world, e); /* empty tables with the old layout are left */
    ecs_component(world, { .entity = tag, .type = { .size = 4, .alignment = 4 } });
    assert_id_equal(world, ecs_get_typeid(world, ecs_pair(tag, target)), tag);
    assert_id_equal(world, ecs_get_typeid(world, ecs_pair(target, tag)), tag);
    int value = 7;
    ecs_set_id(world, e, ecs_pair(tag, target), sizeof(int), &value);
    ecs_set_id(world, e, ecs_pair(target, tag), sizeof(int), &value);
    assert_int_equal(*(const int *)ecs_get_id(world, e, ecs_pair(target, tag)), 7);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_pair_of_tags_has_no_data),
        mini_world_test(a_relationship_marked_as_tag_never_has_data),
        mini_world_test(the_tag_trait_does_not_count_on_targets),
        mini_world_test(the_first_typed_element_decides),
        mini_world_test(one_component_can_be_held_many_times),
        mini_world_test(a_field_of_a_wildcard_is_the_array_of_the_match),
        mini_world_test(pairs_follow_when_a_tag_becomes_a_component),
        mini_world_test(a_field_of_any_relationship_has_the_type_of_the_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
