// SPDX-License-Identifier: MIT
// mutate/traits.c: marks on entities, flags of ids, and what traits forbid.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "world/state.h"

static uint32_t marks(ecs_world_t *world, ecs_entity_t e) {
    return ECS_RECORD_TO_ROW_FLAGS(ecs_record_find(world, e)->row);
}

static void entities_used_in_types_are_marked(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), rel = ecs_new(world), target = ecs_new(world),
                 parent = ecs_new(world);
    assert_int_equal(marks(world, tag), 0);
    ecs_entity_t e = ecs_new_w_id(world, tag);
    ecs_add_pair(world, e, rel, target);
    ecs_add_pair(world, e, EcsChildOf, parent);
    assert_int_equal(marks(world, tag), EcsEntityIsId);
    assert_int_equal(marks(world, rel), EcsEntityIsId);
    assert_int_equal(marks(world, target), EcsEntityIsTarget);
    assert_int_equal(marks(world, parent), EcsEntityIsTarget | EcsEntityIsTraversable);
    ecs_add_id(world, parent, tag); /* marks follow the entity */
    assert_int_equal(marks(world, parent), EcsEntityIsTarget | EcsEntityIsTraversable);
    ecs_delete(world, target);
    assert_int_equal(marks(world, ecs_new(world)), 0); /* and end with it */
}

static void flags_of_an_id_follow_its_traits(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), target = ecs_new(world);
    assert_false(ecs_id_get_flags(world, ecs_pair(rel, target)) &
                 (EcsIdExclusive | EcsIdOnDeleteTargetDelete));
    ecs_add_id(world, rel, EcsExclusive);
    ecs_add_pair(world, rel, EcsOnDeleteTarget, EcsDelete);
    ecs_flags32_t flags = ecs_id_get_flags(world, ecs_pair(rel, target));
    assert_true(flags & EcsIdExclusive && flags & EcsIdOnDeleteTargetDelete);
    assert_true(ECS_ID_ON_DELETE_TARGET(flags) == EcsDelete);
    ecs_add_pair(world, rel, EcsOnDeleteTarget, EcsRemove); /* exclusive: replaces */
    assert_true(
        ECS_ID_ON_DELETE_TARGET(ecs_id_get_flags(world, ecs_pair(rel, target))) == EcsRemove);
    ecs_remove_pair(world, rel, EcsOnDeleteTarget, EcsWildcard);
    assert_false(ecs_id_get_flags(world, ecs_pair(rel, target)) & EcsIdOnDeleteTargetRemove);
}

static void with_brings_other_ids(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t power = ecs_new(world), electric = ecs_new(world), wired = ecs_new(world),
                 x = ecs_new(world);
    ecs_add_pair(world, power, EcsWith, electric);
    ecs_add_pair(world, electric, EcsWith, wired);
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, wired, EcsWith, power));
    ecs_entity_t e = ecs_new_w_id(world, power), f = ecs_new_w_pair(world, power, x);
    assert_true(ecs_has_id(world, e, electric) && ecs_has_id(world, e, wired));
    assert_true(ecs_has_pair(world, f, electric, x) && ecs_has_pair(world, f, wired, x));
    ecs_remove_id(world, e, power);
    assert_true(ecs_has_id(world, e, electric));
}

static void one_of_limits_targets_to_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t food = ecs_new(world), apple = ecs_new_w_pair(world, EcsChildOf, food),
                 stone = ecs_new(world);
    ecs_entity_t eats = ecs_new(world), e = ecs_new(world);
    ecs_add_id(world, food, EcsOneOf);
    ecs_add_pair(world, eats, EcsOneOf, food);
    ecs_add_pair(world, e, food, apple);
    ecs_add_pair(world, e, eats, apple);
    expect_abort_saying(
        ECS_CONSTRAINT_VIOLATED, "not a child", ecs_add_pair(world, e, food, stone));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, eats, stone));
}

static void relationships_and_targets_keep_their_place(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), target = ecs_new(world), e = ecs_new(world),
                 x = ecs_new(world);
    ecs_add_id(world, rel, EcsRelationship);
    ecs_add_id(world, target, EcsTarget);
    ecs_add_pair(world, e, rel, target);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, rel));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, target));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, target, x));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, x, rel));
    ecs_add_id(world, x, EcsTrait);
    ecs_add_pair(world, e, x, rel); /* traits may talk about relationships */
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, EcsDependsOn));
}

// api/02 §2: to be a trait as well changes only what may be a target.
static void relationships_that_are_traits_need_targets_too(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t rels[] = { EcsChildOf, EcsIsA, EcsWith, EcsOnDelete, EcsOnInstantiate };
    for (size_t i = 0; i < sizeof rels / sizeof *rels; i++) {
        ecs_entity_t e = ecs_new(world);
        expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, rels[i]));
    }
}

static void traits_come_before_use(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), used = ecs_new(world), queried = ecs_new(world);
    ecs_new_w_pair(world, used, rel);
    expect_abort_saying(
        ECS_INVALID_OPERATION, "already in use", ecs_add_id(world, used, EcsExclusive));
    ecs_add_id(world, used, EcsFinal); /* decides nothing about storage */
    ecs_query_t *q = ecs_query(world, { .terms = { { queried } } });
    expect_abort_saying(ECS_INVALID_OPERATION, "already queried",
        ecs_add_pair(world, queried, EcsOnInstantiate, EcsDontInherit));
    ecs_query_fini(q);
    ecs_add_pair(world, queried, EcsOnInstantiate, EcsDontInherit);
}

// TRT-07, TRT-08
static void what_is_not_inherited_stays_with_the_base(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag_a = ecs_new(world), tag_b = ecs_new(world);
    ecs_add_pair(world, tag_b, EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t parent = ecs_new(world),
                 base = ecs_entity(world, { .name = "base", .parent = parent });
    ecs_add_id(world, base, tag_a);
    ecs_add_id(world, base, tag_b);
    ecs_add_id(world, base, EcsPrefab);
    ecs_add_id(world, base, EcsDisabled);
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_has_id(world, e, tag_a));
    assert_false(ecs_has_id(world, e, tag_b));
    assert_false(ecs_has_id(world, e, EcsPrefab) || ecs_has_id(world, e, EcsDisabled));
    assert_false(ecs_has_pair(world, e, EcsChildOf, EcsWildcard));
    assert_null(ecs_get_name(world, e));
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, base);
    assert_true(ecs_has_id(world, child, EcsPrefab)); /* children of prefabs are prefabs */
    expect_abort_saying(
        ECS_CYCLE_DETECTED, "contain itself", ecs_add_pair(world, child, EcsIsA, base));
}

// Commands of one entity are applied together, ahead of those of others.
static void folding_makes_no_cycle_where_the_commands_make_none(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), x = ecs_new(world), y = ecs_new_w_pair(world, EcsChildOf, x);
    ecs_defer_begin(world);
    ecs_add_id(world, x, tag);
    ecs_remove_pair(world, y, EcsChildOf, x);
    ecs_add_id(world, y, tag);
    ecs_add_pair(world, x, EcsChildOf, y);
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_parent(world, x), y);
    assert_int_equal(ecs_get_parent(world, y), 0);
    expect_abort_saying(ECS_CYCLE_DETECTED, "cycle of ChildOf", {
        ecs_defer_begin(world);
        ecs_add_pair(world, y, EcsChildOf, x);
        ecs_defer_end(world);
    });
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "final", {
        ecs_add_id(world, tag, EcsFinal);
        ecs_defer_begin(world);
        ecs_add_pair(world, x, EcsIsA, tag);
        ecs_defer_end(world);
    });
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(entities_used_in_types_are_marked),
        mini_world_test(flags_of_an_id_follow_its_traits),
        mini_world_test(with_brings_other_ids),
        mini_world_test(one_of_limits_targets_to_children),
        mini_world_test(relationships_and_targets_keep_their_place),
        mini_world_test(relationships_that_are_traits_need_targets_too),
        mini_world_test(traits_come_before_use),
        mini_world_test(folding_makes_no_cycle_where_the_commands_make_none),
        mini_world_test(what_is_not_inherited_stays_with_the_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
