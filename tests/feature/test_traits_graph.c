// SPDX-License-Identifier: MIT
// Traits that rule the graph of relationships: features.md area GRT.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static ecs_entity_t relationship(ecs_world_t *world, const char *name, ecs_id_t trait) {
    ecs_entity_t r = ecs_entity(world, { .name = name });
    ecs_add_id(world, r, trait);
    return r;
}

// GRT-01, GRT-02
static void an_exclusive_relationship_has_one_target(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t married = relationship(world, "MarriedTo", EcsExclusive);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_entity_t rels[] = { EcsChildOf, married };
    for (int i = 0; i < 2; i++) {
        ecs_add_pair(world, e, rels[i], a);
        ecs_add_pair(world, e, rels[i], b);
        assert_id_equal(world, ecs_get_target(world, e, rels[i], 0), b);
        assert_int_equal(ecs_get_target(world, e, rels[i], 1), 0);
    }
}

// GRT-03, GRT-04
static void a_symmetric_relationship_holds_both_ways(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t knows = relationship(world, "Knows", EcsSymmetric);
    ecs_entity_t bob = ecs_new(world), alice = ecs_new(world), carol = ecs_new(world);
    ecs_add_pair(world, bob, knows, alice);
    ecs_add_pair(world, bob, knows, carol);
    ecs_add_pair(world, bob, knows, bob);
    ecs_entity_t likes = ecs_new(world), dora = ecs_new(world);
    ecs_add_pair(world, bob, likes, dora);
    ecs_add_id(world, bob, ecs_value_pair(knows, (uint32_t)dora)); /* a number is nobody */
    assert_type(world, dora, "");
    ecs_remove_id(world, bob, ecs_value_pair(knows, (uint32_t)dora));
    assert_true(ecs_has_pair(world, alice, knows, bob) && ecs_has_pair(world, carol, knows, bob));
    ecs_remove_pair(world, alice, knows, bob);
    assert_false(ecs_has_pair(world, bob, knows, alice));
    ecs_delete(world, carol);
    assert_true(ecs_has_pair(world, bob, knows, bob));
    assert_int_equal(ecs_get_target(world, bob, knows, 1), 0);
    ecs_entity_t dan = ecs_new_w_pair(world, knows, alice); /* made with the pair */
    assert_true(ecs_has_pair(world, alice, knows, dan));
    ecs_clear(world, dan);
    assert_false(ecs_has_pair(world, alice, knows, dan));
    const ecs_entity_t *many = ecs_bulk_new_w_id(world, ecs_pair(knows, alice), 3);
    for (int i = 0; i < 3; i++) assert_true(ecs_has_pair(world, alice, knows, many[i]));
    ecs_delete(world, knows);
    assert_type(world, alice, "");
    expect_abort(ECS_INVALID_OPERATION, ecs_entity_t r = ecs_new(world);
                 ecs_add_pair(world, bob, r, alice); ecs_add_id(world, r, EcsSymmetric));
}

// U-06
static void divorce_whom_it_must(ecs_world_t *world, ecs_entity_t storage) {
    ecs_entity_t married = ecs_new_w_id(world, EcsSymmetric);
    ecs_add_id(world, married, EcsExclusive);
    if (storage) ecs_add_id(world, married, storage);
    ecs_entity_t alice = ecs_new(world), bob = ecs_new(world), carol = ecs_new(world),
                 dan = ecs_new(world);
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        ecs_add_pair(world, bob, married, alice);
        ecs_add_pair(world, carol, married, dan);
        ecs_add_pair(world, bob, married, carol);
        if (deferred) ecs_defer_end(world);
        assert_false(ecs_has_pair(world, alice, married, EcsWildcard));
        assert_false(ecs_has_pair(world, dan, married, EcsWildcard));
        assert_id_equal(world, ecs_get_target(world, bob, married, 0), carol);
        assert_id_equal(world, ecs_get_target(world, carol, married, 0), bob);
        ecs_entity_t twin = ecs_clone(world, 0, carol, true); /* takes the partner over */
        assert_id_equal(world, ecs_get_target(world, bob, married, 0), twin);
        assert_id_equal(world, ecs_get_target(world, twin, married, 0), bob);
        assert_false(ecs_has_pair(world, carol, married, EcsWildcard));
        ecs_remove_pair(world, twin, married, EcsWildcard);
        assert_false(ecs_has_pair(world, bob, married, EcsWildcard));
    }
}

typedef struct couple_t {
    ecs_entity_t knows, likes, first, second;
    int heard, heard_last;
} couple_t;

static void check_first(ecs_iter_t *it) {
    couple_t *couple = it->ctx;
    if (it->entities[0] != couple->second) return;
    couple->heard++;
    couple->heard_last += ecs_has_pair(it->world, couple->first, couple->knows, couple->second) &&
                          ecs_has_pair(it->world, couple->first, couple->likes, couple->second);
}

// GRT-03, GRT-06: the other end comes when the first has all that its pair brings, however these are stored.
static void the_other_end_of_a_symmetric_pair_comes_last(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsDontFragment, EcsUnion };
    for (int i = 0; i < 18; i++) {
        couple_t couple = { ecs_new_w_id(world, EcsSymmetric), ecs_new(world), ecs_new(world),
            ecs_new(world), 0, 0 };
        if (i % 3) ecs_add_id(world, couple.knows, storages[i % 3]);
        if (i / 3 % 3) ecs_add_id(world, couple.likes, storages[i / 3 % 3]);
        ecs_add_pair(world, couple.knows, EcsWith, couple.likes);
        ecs_entity_t observer =
            ecs_observer(world, { .query.terms = { { ecs_pair(couple.knows, EcsWildcard) } },
                                    .events = { EcsOnAdd },
                                    .callback = check_first,
                                    .ctx = &couple });
        if (i >= 9) ecs_defer_begin(world);
        ecs_add_pair(world, couple.first, couple.knows, couple.second);
        if (i >= 9) ecs_defer_end(world);
        assert_int_equal(couple.heard, 1);
        assert_int_equal(couple.heard_last, 1);
        ecs_delete(world, observer);
    }
}

// GRT-03: the clone of who is a partner of its own is a partner of the original, which keeps itself only where there may be several.
static void clones_of_who_is_its_own_partner_are_its_partners(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { EcsDontFragment, EcsExclusive, EcsUnion };
    for (int i = 0; i < 8; i++) {
        ecs_entity_t knows = ecs_new_w_id(world, EcsSymmetric), likes = ecs_new(world);
        for (int t = 0; t < 3; t++) {
            if (i >> t & 1) ecs_add_id(world, knows, traits[t]);
        }
        ecs_add_pair(world, knows, EcsWith, likes);
        const bool is_exclusive = i & 6;
        ecs_entity_t e = ecs_new_w_pair(world, knows, ecs_new(world));
        ecs_add_pair(world, e, knows, e);
        ecs_entity_t twin = ecs_clone(world, 0, e, true);
        assert_true(ecs_has_pair(world, twin, knows, e) && ecs_has_pair(world, e, knows, twin));
        assert_true(ecs_has_pair(world, twin, likes, e) && ecs_has_pair(world, e, likes, twin));
        assert_false(
            ecs_has_pair(world, twin, knows, twin) || ecs_has_pair(world, twin, likes, twin));
        assert_int_equal(ecs_has_pair(world, e, knows, e), !is_exclusive);
    }
}

// The other end cannot move while its table is iterated: neither end changes.
static void a_symmetric_pair_is_refused_at_both_ends(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t knows = relationship(world, "Knows", EcsSymmetric), tag = ecs_new(world);
    ecs_entity_t a = ecs_new(world), b = ecs_new_w_id(world, tag);
    ecs_query_t *q = ecs_query(world, { .terms = { { tag } } });
    for (int has = 0; has < 2; has++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_true(ecs_query_next(&it));
        if (has)
            expect_abort(ECS_LOCKED_STORAGE, ecs_remove_pair(world, a, knows, b));
        else
            expect_abort(ECS_LOCKED_STORAGE, ecs_add_pair(world, a, knows, b));
        assert_int_equal(ecs_has_pair(world, a, knows, b), has);
        assert_int_equal(ecs_has_pair(world, b, knows, a), has);
        ecs_iter_fini(&it);
        ecs_add_pair(world, a, knows, b);
        assert_true(ecs_has_pair(world, b, knows, a));
    }
    ecs_query_fini(q);
}

static void symmetric_and_exclusive_divorces_whom_it_must(void **state) {
    const ecs_entity_t storages[] = { 0, EcsUnion, EcsDontFragment };
    for (int i = 0; i < 3; i++) divorce_whom_it_must(*state, storages[i]);
}

// GRT-06: with the same number, too.
static void a_number_brings_a_number(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t loves = ecs_new(world), likes = ecs_new(world), e = ecs_new(world);
        if (i) ecs_add_id(world, loves, storages[i]);
        if (i) ecs_add_id(world, likes, storages[i]);
        ecs_add_pair(world, loves, EcsWith, likes);
        ecs_add_id(world, e, ecs_value_pair(loves, (uint32_t)e));
        assert_true(ecs_has_id(world, e, ecs_value_pair(likes, (uint32_t)e)));
        assert_false(ecs_has_pair(world, e, likes, e));
    }
}

// GRT-05, GRT-06, U-05
static void with_brings_another_id(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t duty = ecs_new(world), likes = ecs_new(world), pears = ecs_new(world);
    ecs_entity_t power = relationship(world, "Power", ecs_with(duty));
    ecs_entity_t loves = relationship(world, "Loves", ecs_with(likes));
    ecs_entity_t e = ecs_new_w_id(world, power);
    assert_true(ecs_has_id(world, e, duty));
    ecs_remove_id(world, e, power);
    assert_true(ecs_has_id(world, e, duty));
    ecs_add_pair(world, e, loves, pears);
    assert_true(ecs_has_pair(world, e, likes, pears));
    ecs_entity_t lone = ecs_new_w_id(world, EcsSingleton), food = ecs_new_w_id(world, EcsOneOf);
    ecs_entity_t bad = ecs_new_w_pair(world, EcsWith, lone), eats = ecs_new(world);
    ecs_add_pair(world, eats, EcsWith, food); /* what it brings must be allowed */
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, bad));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_defer_begin(world); ecs_add_id(world, e, bad);
                 ecs_defer_end(world));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, eats, pears));
    ecs_add_pair(world, e, eats, ecs_new_w_pair(world, EcsChildOf, food));
    assert_true(ecs_has_pair(world, e, food, EcsWildcard));
}

// GRT-07, GRT-08
static void one_of_takes_children_only(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t food = relationship(world, "Food", EcsOneOf);
    ecs_entity_t eats = relationship(world, "Eats", ecs_pair(EcsOneOf, food));
    ecs_entity_t apples = ecs_new_w_pair(world, EcsChildOf, food), fork = ecs_new(world);
    ecs_entity_t e = ecs_new(world);
    ecs_add_pair(world, e, food, apples);
    ecs_add_pair(world, e, eats, apples);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, food, fork));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, eats, fork));
    assert_false(ecs_has_pair(world, e, food, fork));
    ecs_entity_t pears =
        ecs_new_w_parent(world, food, "Pears"); /* a child by component is one, too */
    ecs_add_pair(world, e, food, pears);
    assert_true(ecs_has_pair(world, e, food, pears));
    ecs_query_t *q = ecs_query(world, { .expr = "(Eats, Pears)" });
    assert_non_null(q);
    ecs_query_fini(q);
}

// GRT-11, GRT-12
static void acyclic_relationships_refuse_cycles(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t part_of = relationship(world, "PartOf", EcsAcyclic);
    ecs_entity_t rels[] = { EcsChildOf, EcsIsA, part_of };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t a = ecs_new(world), b = ecs_new(world), c = ecs_new(world);
        expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, a, rels[i], a));
        ecs_add_pair(world, a, rels[i], b);
        ecs_add_pair(world, b, rels[i], c);
        expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, c, rels[i], a));
        expect_abort(ECS_CYCLE_DETECTED, ecs_defer_begin(world); ecs_add_pair(world, c, rels[i], a);
                     ecs_defer_end(world));
        assert_false(ecs_has_pair(world, c, rels[i], a));
    }
}

static void clone_in_a_queue(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src) {
    ecs_defer_begin(world);
    ecs_clone(world, dst, src, true);
    ecs_defer_end(world);
}

// GRT-11, GRT-12: nor by a clone onto what is above, directly or further up.
static void clones_make_no_cycles(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t part_of = relationship(world, "PartOf", EcsAcyclic);
    ecs_entity_t beside = relationship(world, "Beside", EcsAcyclic);
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_entity_t rels[] = { EcsChildOf, EcsIsA, part_of, beside };
    for (int i = 0; i < 5; i++) {
        ecs_entity_t top = ecs_new(world), middle = ecs_new(world), low = ecs_new(world);
        if (i < 4) ecs_add_pair(world, middle, rels[i], top);
        if (i < 4) ecs_add_pair(world, low, rels[i], middle);
        if (i == 4) ecs_set(world, middle, EcsParent, { top });
        if (i == 4) ecs_set(world, low, EcsParent, { middle });
        expect_abort(ECS_CYCLE_DETECTED, ecs_clone(world, top, middle, true));
        expect_abort(ECS_CYCLE_DETECTED, ecs_clone(world, top, low, false));
        expect_abort(ECS_CYCLE_DETECTED, clone_in_a_queue(world, top, low));
        ecs_entity_t other = ecs_new(world);
        if (i < 4) ecs_add_pair(world, ecs_new(world), rels[i], other);
        assert_true(ecs_clone(world, other, low, true) == other);
    }
}

// GRT-11, GRT-12: what ids bring is asked when the next one is added, so cycles of With do not wait for the end of the queue.
static void ids_that_bring_each_other_are_refused_in_a_queue(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    expect_abort(ECS_CYCLE_DETECTED, ecs_defer_begin(world); ecs_add_pair(world, a, EcsWith, b);
                 ecs_add_pair(world, b, EcsWith, a); ecs_add_id(world, e, a); ecs_defer_end(world));
}

// GRT-09, GRT-10, GRT-14, GRT-15
static void traits_about_meaning_are_accepted(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = relationship(world, "LocatedIn", EcsTransitive);
    assert_true(ecs_has_id(world, in, EcsTraversable) && ecs_has_id(world, in, EcsAcyclic));
    ecs_entity_t same = relationship(world, "SameAs", EcsReflexive);
    ecs_entity_t usa = ecs_new(world), ny = ecs_new_w_pair(world, in, usa);
    ecs_entity_t block = ecs_new_w_pair(world, in, ny);
    assert_false(ecs_has_pair(world, block, in, usa)); /* has asks for what is there */
    assert_false(ecs_has_pair(world, usa, same, usa));
    const ecs_entity_t traversable[] = { EcsChildOf, EcsIsA, EcsDependsOn };
    for (int i = 0; i < 3; i++) assert_true(ecs_has_id(world, traversable[i], EcsTraversable));
    ecs_entity_t likes = ecs_entity(world, { .name = "Likes" });
    ecs_log_set_level(-4);
    assert_null(ecs_query(world, { .terms = { { .id = usa, .src.id = EcsUp, .trav = likes } } }));
    ecs_log_set_level(-1);
}

// GRT-05, TRT-05: also of pairs that nobody has, and where nothing can be made for the answer.
static void traits_are_known_of_ids_that_nobody_has(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t one = relationship(world, "One", EcsExclusive), x = ecs_new(world);
    ecs_entity_t in = relationship(world, "In", EcsAcyclic);
    ecs_entity_t tag = relationship(world, "Is", EcsPairIsTag);
    for (int reads = 1; reads >= 0; reads--) {
        if (reads) ecs_readonly_begin(world, false);
        assert_true(ecs_id_get_flags(world, ecs_pair(one, x)) & EcsIdExclusive);
        assert_true(ecs_id_get_flags(world, ecs_pair(one, EcsAny)) & EcsIdExclusive);
        assert_false(ecs_id_get_flags(world, ecs_pair(EcsWildcard, x)) & EcsIdExclusive);
        assert_true(ecs_id_is_tag(world, ecs_pair(tag, EcsWildcard)));
        assert_false(ecs_id_is_tag(world, ecs_pair(EcsAny, tag)));
        assert_int_equal(ecs_get_depth(world, x, in), 0);
        assert_int_equal(ecs_table_get_depth(world, ecs_get_table(world, x), in), 0);
        assert_int_equal(ecs_id_get_flags(world, 0), 0);
        if (reads) ecs_readonly_end(world);
    }
    assert_null(flecs_components_get(world, ecs_pair(one, x)));
}

static void constraints_say_where_an_id_belongs(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = relationship(world, "Rel", EcsRelationship);
    ecs_entity_t target = relationship(world, "Target", EcsTarget), e = ecs_new(world);
    ecs_add_pair(world, e, rel, target);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, rel));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, target));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, target, e));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, e, e, rel));
}

// Each of them decides how ids that exist are stored or found.
static void traits_of_ids_in_use_stay(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { EcsExclusive, EcsUnion, EcsDontFragment, EcsSymmetric,
        EcsPairIsTag, EcsTransitive, EcsReflexive, EcsInheritable };
    for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++) {
        ecs_entity_t rel = relationship(world, NULL, traits[i]), e = ecs_new(world);
        ecs_remove_id(world, rel, traits[i]); /* nobody uses it yet */
        ecs_add_id(world, rel, traits[i]);
        ecs_add_pair(world, e, rel, ecs_new(world));
        expect_abort_saying(ECS_INVALID_OPERATION, "in use", ecs_remove_id(world, rel, traits[i]));
        expect_abort(ECS_INVALID_OPERATION, ecs_clear(world, rel));
        expect_abort(ECS_INVALID_OPERATION, ecs_remove_all(world, traits[i]));
        expect_abort_saying(ECS_INVALID_OPERATION, "recorded", ecs_defer_begin(world),
            ecs_remove_id(world, rel, traits[i]), ecs_add_id(world, rel, e), ecs_defer_end(world));
        ecs_defer_begin(world);
        ecs_remove_id(world, rel, traits[i]);
        ecs_add_id(world, rel, traits[i]); /* nothing changes */
        ecs_defer_end(world);
        ecs_delete(world, e);
        ecs_delete(world, rel);
    }
    expect_abort(ECS_INVALID_OPERATION, ecs_remove_id(world, EcsIsA, EcsPairIsTag));
}

// Traversal and With included; an entity that dies takes its (With, O) along.
static void traits_of_the_graph_leave_unused_relationships_only(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t r = ecs_new(world), o = ecs_new(world), t = ecs_new(world), e = ecs_new(world);
    ecs_id_t traits[] = { EcsTraversable, EcsAcyclic, EcsTransitive, ecs_pair(EcsWith, o) };
    for (int i = 0; i < 4; i++) {
        ecs_add_id(world, r, traits[i]);
        ecs_remove_id(world, r, traits[i]);
        assert_false(ecs_has_id(world, r, traits[i]));
    }
    for (int i = 0; i < 4; i++) ecs_add_id(world, r, traits[i]);
    ecs_add_pair(world, e, r, t);
    for (int i = 0; i < 4; i++) {
        expect_abort_saying(
            ECS_INVALID_OPERATION, "it is in use", ecs_remove_id(world, r, traits[i]));
        expect_abort(ECS_INVALID_OPERATION, ecs_defer_begin(world),
            ecs_remove_id(world, r, traits[i]), ecs_defer_end(world));
    }
    expect_abort(ECS_INVALID_OPERATION, ecs_clear(world, r));
    ecs_delete(world, o);
    assert_int_equal(ecs_get_type(world, r)->count, 3);
    assert_true(ecs_has_pair(world, e, r, t));
    ecs_delete(world, r);
    assert_type(world, e, "");
}

static void a_trait_that_holders_break_already_is_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t base = ecs_new(world), lone = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, EcsIsA, base);
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, base, EcsFinal));
    ecs_add_id(world, lone, lone);
    ecs_add_id(world, lone, EcsSingleton); /* only it has itself */
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, lone));
    ecs_add_id(world, base, e);
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, e, EcsSingleton));
    ecs_query_t *q = ecs_query(world, { .terms = { { lone } } });
    ecs_add_pair(world, lone, EcsOnDelete, EcsDelete);
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, lone, EcsExclusive));
    ecs_query_fini(q);
    ecs_entity_t queried = ecs_new(world);
    q = ecs_query(world, { .terms = { { queried } } });
    ecs_add_pair(world, queried, EcsWith, base); /* the one that queries do not ask about */
    ecs_add_id(world, e, queried);
    assert_true(ecs_has_id(world, e, base));
    ecs_query_fini(q);
}

// GRT-03
static void children_of_instances_are_mirrored(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t knows = relationship(world, "Knows", EcsSymmetric), friend = ecs_new(world);
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t child = ecs_entity(world, { .parent = prefab, .name = "child" });
    ecs_add_pair(world, child, knows, friend);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, prefab);
    ecs_entity_t copy = ecs_lookup_child(world, instance, "child");
    assert_true(ecs_has_pair(world, copy, knows, friend));
    assert_true(ecs_has_pair(world, friend, knows, copy));
    assert_true(ecs_has_pair(world, friend, knows, child));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(an_exclusive_relationship_has_one_target),
        mini_world_test(a_symmetric_relationship_holds_both_ways),
        mini_world_test(the_other_end_of_a_symmetric_pair_comes_last),
        mini_world_test(clones_of_who_is_its_own_partner_are_its_partners),
        mini_world_test(a_symmetric_pair_is_refused_at_both_ends),
        mini_world_test(symmetric_and_exclusive_divorces_whom_it_must),
        mini_world_test(a_number_brings_a_number),
        mini_world_test(with_brings_another_id),
        mini_world_test(one_of_takes_children_only),
        mini_world_test(acyclic_relationships_refuse_cycles),
        mini_world_test(clones_make_no_cycles),
        mini_world_test(ids_that_bring_each_other_are_refused_in_a_queue),
        mini_world_test(traits_about_meaning_are_accepted),
        mini_world_test(traits_are_known_of_ids_that_nobody_has),
        mini_world_test(constraints_say_where_an_id_belongs),
        mini_world_test(traits_of_ids_in_use_stay),
        mini_world_test(traits_of_the_graph_leave_unused_relationships_only),
        mini_world_test(a_trait_that_holders_break_already_is_refused),
        mini_world_test(children_of_instances_are_mirrored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
