// SPDX-License-Identifier: MIT
// Pairs: features.md area PAIR.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Eats {
    int amount;
} Eats;
typedef struct Likes {
    int much;
} Likes;

// PAIR-01, PAIR-02, PAIR-03
static void a_pair_packs_two_ids(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t r = ecs_new(world), t = ecs_new(world);
    ecs_id_t pair = ecs_pair(r, t);
    assert_true(ECS_IS_PAIR(pair) && !ECS_IS_PAIR(r) && !ECS_IS_PAIR(ecs_id(EcsComponent)));
    assert_id_equal(world, ecs_pair_first(world, pair), r);
    assert_id_equal(world, ecs_pair_second(world, pair), t);
    assert_true(pair > FLECS_HI_COMPONENT_ID);
    ecs_delete(world, t);
    ecs_entity_t again = ecs_new(world);
    assert_int_equal((uint32_t)again, (uint32_t)t);
    assert_id_equal(world, ecs_pair_second(world, ecs_pair(r, again)), again); /* with generation */
}

// PAIR-04, PAIR-05
static void a_pair_comes_and_goes(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t bob = ecs_new(world), likes = ecs_new(world), alice = ecs_new(world);
    ecs_add_pair(world, bob, likes, alice);
    ecs_add_id(world, bob, ecs_pair(likes, alice));
    assert_int_equal(ecs_get_type(world, bob)->count, 1);
    assert_true(ecs_has_pair(world, bob, likes, alice));
    ecs_remove_pair(world, bob, likes, alice);
    assert_false(ecs_has_pair(world, bob, likes, alice));
}

// PAIR-06, PAIR-07, PAIR-08
static void a_relationship_can_have_several_targets(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t eats = ecs_new(world), apples = ecs_new(world), pears = ecs_new(world);
    ecs_entity_t bob = ecs_new(world);
    assert_false(ecs_has_pair(world, bob, eats, EcsWildcard));
    ecs_add_pair(world, bob, eats, pears);
    assert_true(ecs_has_pair(world, bob, eats, EcsWildcard));
    ecs_add_pair(world, bob, eats, apples);
    assert_true(ecs_has_pair(world, bob, eats, apples) && ecs_has_pair(world, bob, eats, pears));
    assert_true(ecs_has_pair(world, bob, EcsWildcard, apples));
    assert_true(ecs_has_pair(world, bob, EcsWildcard, EcsWildcard));
    assert_false(ecs_has_pair(world, bob, EcsWildcard, eats));
    assert_id_equal(world, ecs_get_target(world, bob, eats, 0), apples);
    assert_id_equal(world, ecs_get_target(world, bob, eats, 1), pears);
    assert_int_equal(ecs_get_target(world, bob, eats, 2), 0);
    assert_int_equal(ecs_get_target(world, bob, eats, -1), 0);
    ecs_remove_pair(world, bob, eats, EcsWildcard);
    assert_type(world, bob, "");
}

static void note_target(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)edge;
    *(ecs_entity_t *)ctx = *(ecs_entity_t *)ctx * 10 + target;
}

// Pairs with numbers stand behind all other pairs in a type, those of other relationships between. PAIR-08
static void numbers_come_after_targets(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_new(world), other = ecs_new(world), e = ecs_new(world), sum = 0;
    ecs_add_id(world, e, ecs_value_pair(likes, 7));
    ecs_add_id(world, e, ecs_value_pair(likes, 9));
    ecs_add_pair(world, e, likes, ecs_id(EcsParent)); /* 4 */
    ecs_add_pair(world, e, other, likes);
    assert_int_equal(ecs_get_target(world, e, likes, 0), ecs_id(EcsParent));
    assert_int_equal(ecs_get_target(world, e, likes, 1), 7);
    assert_int_equal(ecs_table_get_target(world, ecs_get_table(world, e), likes, 2), 9);
    assert_int_equal(ecs_get_target(world, e, likes, 3), 0);
    assert_int_equal(ecs_each_edge(world, e, likes, note_target, &sum), 3);
    assert_int_equal(sum, 479);
}

// A number leads to no entity.
static void numbers_are_not_traversed(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), above = ecs_new_w_id(world, tag), e = ecs_new(world);
    ecs_entity_t in = ecs_entity(world, { .add = ecs_ids(EcsTraversable) });
    ecs_add_id(world, e, ecs_value_pair(in, 700000));
    ecs_query_t *q = ecs_query(world, { .terms = { { tag, .src.id = EcsUp, .trav = in } } });
    assert_false(ecs_query_is_true(q));
    assert_int_equal(ecs_get_depth(world, e, in), 0);
    ecs_add_pair(world, e, in, above);
    assert_int_equal(ecs_query_count(q).entities, 1);
    assert_int_equal(ecs_get_depth(world, e, in), 1);
    ecs_query_fini(q);
}

// Nor does it lead to a parent, a base, or a type of values.
static void numbers_mean_nothing_to_builtin_relationships(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Eats);
    ECS_COMPONENT(world, Likes);
    ecs_entity_t owned = ecs_new(world), base = ecs_new_w_id(world, EcsPrefab), e = ecs_new(world);
    ecs_add_pair(world, owned, EcsOnInstantiate, EcsOverride);
    ecs_add_id(world, base, owned);
    ecs_add_id(world, e, ecs_value_pair(EcsChildOf, (uint32_t)base));
    ecs_add_id(world, e, ecs_value_pair(EcsIsA, (uint32_t)base));
    assert_false(ecs_has_id(world, e, EcsPrefab) || ecs_has_id(world, e, owned));
    ecs_add_id(world, e, ecs_value_pair(EcsIsA, (uint32_t)ecs_id(Eats))); /* which is final */
    ecs_add_pair(world, e, ecs_id(Likes), ecs_id(Eats));
    ecs_add_id(world, e, ecs_value_pair(base, (uint32_t)ecs_id(Eats)));
    ecs_set_hooks(world, Eats, { .ctor = flecs_default_ctor }); /* nobody has values */
}

static bool refuse_all(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)source, (void)target, (void)edge, (void)ctx;
    return false;
}

// GRT-01, TCS-07: what an exclusive pair would have replaced stays where that is refused, at once or in the end, also if it is a number.
static void refused_pairs_give_numbers_back(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsDontFragment };
    ecs_entity(world, { .name = "Bad", .add = ecs_ids(EcsRelationship) });
    ecs_entity_t good = ecs_new(world), e = ecs_new(world), f = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        ecs_entity_t is = ecs_entity(world, { .name = i ? "Is" : "Was" });
        ecs_add_id(world, is, EcsExclusive);
        if (storages[i]) ecs_add_id(world, is, storages[i]);
        const ecs_id_t number = ecs_value_pair(is, (uint32_t)good);
        const char *text = i ? "(Is, Bad)" : "(Was, Bad)";
        ecs_add_id(world, e, number);
        ecs_add_id(world, f, number);
        ecs_defer_begin(world);
        ecs_entity(world, { .id = e, .add_expr = text });
        ecs_entity(world, { .id = f, .add_expr = text });
        ecs_add_pair(world, f, is, good);
        expect_error(ECS_CONSTRAINT_VIOLATED, "relationship", ecs_defer_end(world));
        assert_true(ecs_has_id(world, e, number) && !ecs_has_pair(world, e, is, good));
        assert_true(ecs_has_pair(world, f, is, good) && !ecs_has_id(world, f, number));
        assert_true(ecs_world_verify(world));
    }
    ECS_COMPONENT(world, Eats);
    ecs_entity_t eats = ecs_relationship(
        world, { .name = "E", .type = ecs_id(Eats), .init = refuse_all, .exclusive = true });
    ecs_add_id(world, e, ecs_value_pair(eats, 3));
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused", ecs_add_pair(world, e, eats, good));
    assert_int_equal(ecs_get_target(world, e, eats, 0), 3);
    assert_true(ecs_has_id(world, e, ecs_value_pair(eats, 3)));
}

// PAIR-09
static void components_can_be_either_element(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Eats);
    ECS_COMPONENT(world, Likes);
    ecs_entity_t e = ecs_new(world), apples = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Eats), apples);
    ecs_add_pair(world, e, ecs_id(Likes), ecs_id(Eats));
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_pair(ecs_id(Likes), ecs_id(Eats)) } } });
    assert_int_equal(ecs_query_count(q).entities, 1);
    ecs_query_fini(q);
}

// PAIR-10
static void short_forms_equal_their_pairs(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t x = ecs_new(world);
    assert_true(ecs_isa(x) == ecs_pair(EcsIsA, x));
    assert_true(ecs_childof(x) == ecs_pair(EcsChildOf, x));
    assert_true(ecs_dependson(x) == ecs_pair(EcsDependsOn, x));
}

// PAIR-11
static void plain_ids_come_before_pairs_in_a_type(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ecs_entity_t likes = ecs_entity(world, { .name = "Likes" }),
                 eats = ecs_entity(world, { .name = "Eats" });
    const char *names[] = { "Apples", "Pears", "Bananas" };
    ecs_entity_t fruit[3], e = ecs_new(world);
    for (int i = 0; i < 3; i++) fruit[i] = ecs_entity(world, { .name = names[i] });
    ecs_add_pair(world, e, eats, fruit[1]);
    ecs_add_pair(world, e, eats, fruit[0]);
    for (int i = 2; i >= 0; i--) ecs_add_pair(world, e, likes, fruit[i]);
    ecs_add(world, e, Npc);
    assert_type(world, e,
        "Npc, (Likes,Apples), (Likes,Pears), (Likes,Bananas), (Eats,Apples), (Eats,Pears)");
}

static void an_exclusive_relationship_has_one_target(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = ecs_new(world), a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_add_id(world, in, EcsExclusive);
    ecs_add_pair(world, e, in, a);
    ecs_add_pair(world, e, in, b);
    assert_int_equal(ecs_get_type(world, e)->count, 1);
    assert_id_equal(world, ecs_get_target(world, e, in, 0), b);
    ecs_add_pair(world, e, EcsChildOf, a);
    ecs_add_pair(world, e, EcsChildOf, b);
    assert_id_equal(world, ecs_get_parent(world, e), b);
}

static void targets_continue_into_bases(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t eats = ecs_new(world), apples = ecs_new(world), pears = ecs_new(world);
    ecs_entity_t base = ecs_new(world), e = ecs_new_w_pair(world, EcsIsA, base);
    ecs_add_pair(world, base, eats, apples);
    ecs_add_pair(world, e, eats, pears);
    assert_id_equal(world, ecs_get_target(world, e, eats, 0), pears);
    assert_id_equal(world, ecs_get_target(world, e, eats, 1), apples);
    assert_int_equal(ecs_get_target(world, e, eats, 2), 0);
    assert_true(ecs_has_pair(world, e, eats, apples) && !ecs_owns_pair(world, e, eats, apples));
    assert_true(ecs_shares_pair(world, e, eats, apples));
    assert_id_equal(world, ecs_get_target_for_id(world, e, EcsIsA, ecs_pair(eats, apples)), base);
    assert_id_equal(world, ecs_get_target_for_id(world, e, EcsIsA, ecs_pair(eats, pears)), e);
}

static void a_count_with_wildcards_counts_each_pair(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t eats = ecs_new(world), a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, eats, a);
    ecs_add_pair(world, e, eats, b);
    ecs_new_w_pair(world, eats, a);
    assert_int_equal(ecs_count_id(world, ecs_pair(eats, EcsWildcard)), 3);
    assert_int_equal(ecs_count_id(world, ecs_pair(EcsWildcard, a)), 2);
    assert_int_equal(ecs_count_id(world, 0), 0);
}

static void depth_counts_steps_to_the_root(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), e = root, likes = ecs_new(world);
    assert_int_equal(ecs_get_depth(world, root, EcsChildOf), 0);
    for (int i = 1; i <= 1000; i++) {
        e = ecs_new_w_pair(world, EcsChildOf, e);
        assert_int_equal(ecs_get_depth(world, e, EcsChildOf), i);
    }
    expect_abort(ECS_INVALID_PARAMETER, ecs_get_depth(world, e, likes));
}

static void cycles_are_refused_and_change_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new_w_pair(world, EcsChildOf, a);
    ecs_entity_t c = ecs_new_w_pair(world, EcsChildOf, b);
    expect_abort_saying(
        ECS_CYCLE_DETECTED, "would make a cycle", ecs_add_pair(world, a, EcsChildOf, c));
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, a, EcsChildOf, a));
    expect_abort(ECS_CYCLE_DETECTED, {
        ecs_add_pair(world, b, EcsIsA, c);
        ecs_add_pair(world, c, EcsIsA, b);
    });
    ecs_add_pair(world, c, EcsChildOf, a); /* no cycle: c only moves up */
    assert_id_equal(world, ecs_get_parent(world, c), a);
}

static void a_target_is_found_by_what_an_id_has(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t marked = ecs_new(world), mark = ecs_new(world), other = ecs_new(world);
    ecs_entity_t e = ecs_new_w_id(world, other);
    ecs_add_id(world, marked, mark);
    assert_int_equal(ecs_get_target_for_id(world, e, 0, mark), 0);
    ecs_add_id(world, e, marked);
    assert_id_equal(world, ecs_get_target_for_id(world, e, 0, mark), marked);
    ecs_entity_t beside = ecs_new_w_id(world, EcsDontFragment);
    assert_int_equal(ecs_get_target_for_id(world, e, 0, beside), 0);
    ecs_add_id(world, marked, beside);
    assert_id_equal(world, ecs_get_target_for_id(world, e, 0, beside), marked);
}

// Wherever ids and parents are kept: what an entity inherits itself is none of its own, and above nobody, but what its parent inherits is.
static void what_an_entity_inherits_is_not_found_above_it(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { 0, EcsSparse, EcsDontFragment, 0 };
    for (int i = 0; i < 4; i++) {
        ecs_entity_t id = ecs_component(world, { .type = { sizeof(int), _Alignof(int) } });
        if (traits[i]) ecs_add_id(world, id, traits[i]);
        ecs_add_pair(world, id, EcsOnInstantiate, EcsInherit);
        ecs_entity_t base = ecs_new_w_id(world, id), e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_entity_t child = ecs_new(world);
        if (i == 3)
            ecs_set(world, child, EcsParent, { e });
        else
            ecs_add_pair(world, child, EcsChildOf, e);
        assert_int_equal(ecs_get_target_for_id(world, e, EcsChildOf, id), 0);
        assert_id_equal(world, ecs_get_target_for_id(world, child, EcsChildOf, id), base);
        assert_id_equal(world, ecs_get_target_for_id(world, e, EcsIsA, id), base);
        ecs_add_id(world, e, id);
        assert_id_equal(world, ecs_get_target_for_id(world, e, EcsChildOf, id), e);
        assert_id_equal(world, ecs_get_target_for_id(world, child, EcsChildOf, id), e);
    }
}

// Without a refusal: branches, several steps, and a target that is reached twice.
static void steps_of_sparse_relationships_are_counted_and_searched(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = ecs_entity(
        world, { .name = "In", .add = ecs_ids(EcsAcyclic, EcsTraversable, EcsDontFragment) });
    ecs_entity_t e[6];
    for (int i = 0; i < 6; i++) e[i] = ecs_new(world);
    const int edges[][2] = { { 0, 1 }, { 0, 2 }, { 1, 3 }, { 2, 3 }, { 3, 4 } };
    for (int i = 0; i < 5; i++) ecs_add_pair(world, e[edges[i][0]], in, e[edges[i][1]]);
    assert_int_equal(ecs_get_depth(world, e[0], in), 3);
    assert_int_equal(ecs_get_depth(world, e[4], in), 0);
    ecs_add_pair(world, e[5], in, e[0]);
    ecs_add_pair(world, e[4], in, ecs_new(world));
    assert_int_equal(ecs_get_depth(world, e[5], in), 5);
    ecs_add_id(world, e[4], EcsModule);
    assert_id_equal(world, ecs_get_target_for_id(world, e[5], in, EcsModule), e[4]);
    ecs_entity_t chain[60]; /* more ways than could be gone one by one */
    for (int i = 0; i < 60; i++) {
        chain[i] = ecs_new(world);
        for (int above = i - 1; above >= 0 && above >= i - 2; above--)
            ecs_add_pair(world, chain[i], in, chain[above]);
    }
    assert_int_equal(ecs_get_depth(world, chain[59], in), 59);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_pair_packs_two_ids),
        mini_world_test(a_pair_comes_and_goes),
        mini_world_test(a_relationship_can_have_several_targets),
        mini_world_test(numbers_come_after_targets),
        mini_world_test(numbers_are_not_traversed),
        mini_world_test(numbers_mean_nothing_to_builtin_relationships),
        mini_world_test(refused_pairs_give_numbers_back),
        mini_world_test(components_can_be_either_element),
        mini_world_test(short_forms_equal_their_pairs),
        mini_world_test(plain_ids_come_before_pairs_in_a_type),
        mini_world_test(an_exclusive_relationship_has_one_target),
        mini_world_test(targets_continue_into_bases),
        mini_world_test(a_count_with_wildcards_counts_each_pair),
        mini_world_test(depth_counts_steps_to_the_root),
        mini_world_test(cycles_are_refused_and_change_nothing),
        mini_world_test(a_target_is_found_by_what_an_id_has),
        mini_world_test(what_an_entity_inherits_is_not_found_above_it),
        mini_world_test(steps_of_sparse_relationships_are_counted_and_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
