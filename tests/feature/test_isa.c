// SPDX-License-Identifier: MIT
// Inheritance, overrides and prefabs: features.md areas ISA and TRT.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/workers.h"

typedef struct Speed {
    float value;
} Speed;
typedef struct Defense {
    float value;
} Defense;
typedef struct Text {
    char *value;
} Text;

static ECS_COMPONENT_DECLARE(Speed);
static ECS_COMPONENT_DECLARE(Defense);
static ECS_COMPONENT_DECLARE(Text);

static int texts, set_calls, add_calls;

static void construct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) ((Text *)ptr)[i].value = ecs_os_strdup("");
    texts += count;
}
static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) ecs_os_free(((Text *)ptr)[i].value);
    texts -= count;
}
static ECS_COPY(Text, dst, src, { ecs_os_strset(&dst->value, src->value); })
static ECS_MOVE(Text, dst, src, {
    char *value = dst->value;
    dst->value = src->value;
    src->value = value;
})

static void count_set(ecs_iter_t *it) { set_calls += it->count; }
static void count_add(ecs_iter_t *it) { add_calls += it->count; }

static void use(ecs_world_t *world) {
    ecs_id(Speed) = ecs_id(Defense) = ecs_id(Text) = 0;
    ECS_COMPONENT_DEFINE(world, Speed);
    ECS_COMPONENT_DEFINE(world, Defense);
    ECS_COMPONENT_DEFINE(world, Text);
    ecs_set_hooks(world, Text,
        { .ctor = construct,
            .dtor = destruct,
            .copy = ecs_copy(Text),
            .move = ecs_move(Text),
            .on_set = count_set,
            .on_add = count_add });
    texts = set_calls = add_calls = 0;
}

static ecs_entity_t prefab(ecs_world_t *world, const char *name, ecs_entity_t parent) {
    ecs_entity_t e = ecs_entity(world, { .name = name, .parent = parent });
    ecs_add_id(world, e, EcsPrefab);
    return e;
}

static ecs_entity_t kind(ecs_world_t *world, const char *name, ecs_entity_t policy) {
    ecs_entity_t e = ecs_entity(world, { .name = name });
    if (policy) ecs_add_pair(world, e, EcsOnInstantiate, policy);
    return e;
}

// ISA-01…05, ISA-13
static void values_are_shared_until_they_are_overridden(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t ship = ecs_new(world);
    ecs_set(world, ship, Speed, { 100 });
    ecs_set(world, ship, Defense, { 50 });
    ecs_entity_t frigate = ecs_new_w_pair(world, EcsIsA, ship);
    assert_true(ecs_has(world, frigate, Speed) && !ecs_owns(world, frigate, Speed));
    assert_ptr_equal(ecs_get(world, frigate, Speed), ecs_get(world, ship, Speed));
    assert_null(ecs_get_mut(world, frigate, Speed));
    ecs_set(world, frigate, Defense, { 75 });
    assert_near(ecs_get(world, frigate, Defense)->value, 75, 0);
    assert_near(ecs_get(world, ship, Defense)->value, 50, 0);
    ecs_entity_t fast = ecs_new_w_pair(world, EcsIsA, frigate);
    ecs_set(world, fast, Speed, { 200 });
    assert_near(ecs_get(world, fast, Defense)->value, 75, 0);
    assert_near(ecs_get(world, frigate, Speed)->value, 100, 0);
    ecs_set(world, ship, Speed, { 120 });
    assert_near(ecs_get(world, frigate, Speed)->value, 120, 0);
    assert_near(ecs_get(world, fast, Speed)->value, 200, 0);
    ecs_remove(world, fast, Speed);
    assert_near(ecs_get(world, fast, Speed)->value, 120, 0);
    assert_near(ecs_ensure(world, fast, Speed)->value, 120, 0);
    assert_true(ecs_owns(world, fast, Speed));
}

// ISA-02, CMP-11: on_set hears of values that come from a base, the more often an entity went this way, too; and of no others.
static void what_is_not_passed_on_sets_nothing(void **state) {
    ecs_world_t *world = *state;
    const ecs_type_info_t type = {
        .size = sizeof(int), .alignment = sizeof(int), .hooks = { .on_set = count_set }
    };
    ecs_entity_t own = ecs_component(world, { .type = type }), base = ecs_new(world);
    ecs_add_pair(world, own, EcsOnInstantiate, EcsDontInherit);
    ecs_set_id(world, base, own, sizeof(int), &(int){ 9 });
    for (int i = 0; i < 6; i++) {
        if (i == 3) ecs_auto_override_id(world, base, own);
        ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_remove_id(world, e, own);
        set_calls = 0;
        ecs_add_id(world, e, own);
        assert_int_equal(set_calls, i >= 3);
        assert_int_equal(*(const int *)ecs_get_id(world, e, own), i < 3 ? 0 : 9);
    }
}

// ISA-02, ISA-05: what was added to instances many times while nobody above had it, too.
static void what_a_base_gets_later_is_where_overrides_begin(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t oldest = ecs_new(world), base = ecs_new_w_pair(world, EcsIsA, oldest);
    ecs_entity_t es[3];
    for (int i = 0; i < 3; i++) es[i] = ecs_new_w_pair(world, EcsIsA, base);
    for (int round = 1; round < 4; round++) {
        for (int i = 0; i < 3; i++) ecs_add(world, es[i], Speed);
        for (int i = 0; i < 3; i++) ecs_remove(world, es[i], Speed);
        assert_false(ecs_has(world, es[0], Speed));
        ecs_entity_t above = round % 2 ? base : oldest;
        ecs_set(world, above, Speed, { (float)round });
        for (int i = 0; i < 3; i++) {
            ecs_add(world, es[i], Speed);
            assert_near(ecs_get(world, es[i], Speed)->value, round, 0);
        }
        for (int i = 0; i < 3; i++) ecs_remove(world, es[i], Speed);
        assert_ptr_equal(ecs_get(world, es[0], Speed), ecs_get(world, above, Speed));
        assert_true(ecs_world_verify(world));
        ecs_remove(world, above, Speed);
    }
}

// ISA-06, ISA-07, ISA-14
static void tags_and_pairs_are_inherited_one_way(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t npc = ecs_new(world), likes = ecs_new(world), alice = ecs_new(world);
    ecs_entity_t base = ecs_new_w_id(world, npc);
    ecs_add_pair(world, base, likes, alice);
    ecs_entity_t inst = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_has_id(world, inst, npc) && ecs_has_pair(world, inst, likes, alice));
    assert_id_equal(world, ecs_get_target(world, inst, likes, 0), alice);
    assert_true(ecs_has_pair(world, inst, EcsIsA, base));
    assert_false(ecs_has_pair(world, base, EcsIsA, inst));
    ecs_entity_t second = ecs_new_w_pair(world, EcsIsA, inst);
    assert_true(ecs_has_pair(world, second, EcsIsA, base));
}

static void expect_targets(
    ecs_world_t *world, ecs_entity_t e, ecs_entity_t rel, const ecs_entity_t *expected) {
    int32_t n = 0;
    for (; expected[n]; n++) assert_id_equal(world, ecs_get_target(world, e, rel, n), expected[n]);
    assert_int_equal(ecs_get_target(world, e, rel, n), 0);
}

// PAIR-08, ISA-14: bases that have a base in common pass on its targets once; and so do those that have one in common with the instance.
static void each_target_is_inherited_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t x = ecs_new(world), y = ecs_new(world), z = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        ecs_entity_t likes = ecs_new(world), unit = ecs_new(world);
        if (i) ecs_add_id(world, likes, EcsDontFragment);
        ecs_entity_t orc = ecs_new_w_pair(world, EcsIsA, unit);
        ecs_entity_t warrior = ecs_new_w_pair(world, EcsIsA, unit);
        ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, orc);
        ecs_add_pair(world, e, EcsIsA, warrior);
        ecs_add_pair(world, unit, likes, x);
        ecs_add_pair(world, unit, likes, y);
        expect_targets(world, e, likes, (ecs_entity_t[]){ x, y, 0 });
        ecs_add_pair(world, warrior, likes, z);
        expect_targets(world, e, likes, (ecs_entity_t[]){ x, y, z, 0 });
        ecs_add_pair(world, e, likes, y);
        expect_targets(world, e, likes, (ecs_entity_t[]){ y, x, z, 0 });
    }
}

// TRT-07, D-19
static void policies_decide_what_an_instance_owns(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_pair(world, ecs_id(Text), EcsOnInstantiate, EcsOverride);
    ecs_add_pair(world, ecs_id(Defense), EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t tag = kind(world, "Owned", EcsOverride), rel = kind(world, "Rel", EcsOverride);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_add_id(world, rel, EcsExclusive);
    ecs_entity_t base = ecs_new_w_id(world, tag);
    ecs_set(world, base, Speed, { 1 });
    ecs_set(world, base, Defense, { 2 });
    ecs_set(world, base, Text, { "three" });
    ecs_add_pair(world, base, rel, a);
    ecs_entity_t between = ecs_new_w_pair(world, EcsIsA, base);
    ecs_entity_t inst = ecs_new_w_pair(world, rel, b);
    set_calls = add_calls = 0;
    ecs_add_pair(world, inst, EcsIsA, between); /* overrides of bases of bases count */
    assert_int_equal(set_calls, 1);
    assert_int_equal(add_calls, 1);
    assert_true(ecs_owns_id(world, inst, tag) && ecs_owns(world, inst, Text));
    assert_string_equal(ecs_get(world, inst, Text)->value, "three");
    assert_ptr_not_equal(ecs_get(world, inst, Text), ecs_get(world, between, Text));
    assert_true(ecs_has(world, inst, Speed) && !ecs_owns(world, inst, Speed));
    assert_false(ecs_has(world, inst, Defense));
    assert_null(ecs_get(world, inst, Defense));
    assert_id_equal(world, ecs_get_target(world, inst, rel, 0), b); /* its own comes first */
    assert_false(ecs_has_pair(world, inst, rel, a));
    ecs_add(world, inst, Defense);
    assert_near(ecs_get(world, inst, Defense)->value, 0, 0); /* not copied */
    ecs_remove_pair(world, inst, EcsIsA, between);
    assert_true(ecs_owns(world, inst, Text) && !ecs_has(world, inst, Speed));
}

// Macros that ask or change twice take their arguments once.
static void arguments_are_evaluated_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t ids[4] = { ecs_new(world), ecs_new(world), ecs_new(world) };
    ecs_entity_t *at = ids;
    true ? ecs_set_override(world, *at++, Speed, { 5 }) : (void)0;
    assert_ptr_equal(at, &ids[1]);
    assert_true(ecs_owns(world, ids[0], Speed) && !ecs_owns(world, ids[1], Speed));
    assert_true(ecs_owns_id(world, ids[0], ECS_AUTO_OVERRIDE | ecs_id(Speed)));
    ecs_set(world, ids[0], Defense, { 1 });
    ecs_add_pair(world, ids[1], EcsIsA, ids[0]);
    assert_true(ecs_shares(world, *at++, Defense));
    assert_ptr_equal(at, &ids[2]);
}

static void the_flag_makes_instances_own_copies(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t tag = ecs_new(world), likes = ecs_entity(world, { .name = "Likes" });
    ecs_entity_t pear = ecs_entity(world, { .name = "Pear" }), base = ecs_new(world);
    ecs_set_override(world, base, Speed, { 5 });
    ecs_auto_override_id(world, base, tag);
    ecs_auto_override_pair(world, base, likes, pear);
    ecs_auto_override(world, base, Text);
    assert_false(ecs_has_id(world, base, tag) || ecs_has(world, base, Text));
    ecs_entity_t inst = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_owns(world, inst, Speed) && ecs_owns_id(world, inst, tag));
    assert_true(ecs_owns_pair(world, inst, likes, pear));
    assert_near(ecs_get(world, inst, Speed)->value, 5, 0);
    assert_string_equal(ecs_get(world, inst, Text)->value, "");
    ecs_delete(world, pear); /* marked ids go with what they name */
    assert_false(ecs_has_id(world, base, ECS_AUTO_OVERRIDE | ecs_pair(likes, EcsWildcard)));
    ecs_delete(world, tag);
    ecs_entity_t later = ecs_new_w_pair(world, EcsIsA, base);
    assert_false(ecs_has_pair(world, later, likes, EcsWildcard));
    assert_int_equal(ecs_get_type(world, later)->count, 3);
}

// TRT-07, D-19: the mark wins over the policy, for children as for bases, and of variants, too.
static void marked_values_come_with_copies_of_children(void **state) {
    const ecs_entity_t storages[] = { 0, EcsSparse, EcsDontFragment };
    ecs_world_t *world = *state;
    for (int i = 0; i < 3; i++) {
        ecs_entity_t value = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        if (storages[i]) ecs_add_id(world, value, storages[i]);
        ecs_add_pair(world, value, EcsOnInstantiate, EcsDontInherit);
        ecs_entity_t base = prefab(world, NULL, 0), variant = prefab(world, NULL, 0);
        ecs_entity_t child = ecs_entity(world, { .name = "Child", .parent = base });
        ecs_set_id(world, child, value, sizeof(int), &(int){ 7 });
        ecs_add_id(world, child, ECS_AUTO_OVERRIDE | value);
        ecs_add_pair(world, variant, EcsIsA, base);
        const ecs_entity_t bases[] = { base, variant };
        for (int k = 0; k < 2; k++) {
            ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, bases[k]);
            ecs_entity_t copy = ecs_lookup_child(world, instance, "Child");
            assert_true(ecs_owns_id(world, copy, value));
            assert_int_equal(*(const int *)ecs_get_id(world, copy, value), 7);
            assert_false(ecs_owns_id(world, copy, ECS_AUTO_OVERRIDE | value));
        }
    }
}

static void the_world_can_make_override_the_default(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ecs_set_defaults(world, &(ecs_defaults_t){ .on_instantiate = EcsOverride });
    use(world);
    ecs_add_pair(world, ecs_id(Defense), EcsOnInstantiate, EcsInherit);
    ecs_entity_t base = prefab(world, "base", 0), tag = ecs_new_w_id(world, 0);
    ecs_set(world, base, Speed, { 1 });
    ecs_set(world, base, Defense, { 2 });
    ecs_add_id(world, base, tag);
    ecs_entity_t inst = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_owns(world, inst, Speed) && ecs_owns_id(world, inst, tag));
    assert_false(ecs_owns(world, inst, Defense) || ecs_has_id(world, inst, EcsPrefab));
    assert_near(ecs_get(world, inst, Defense)->value, 2, 0);
    assert_null(ecs_get_name(world, inst));
    ecs_fini(world);
}

static ecs_entity_t make_tank(ecs_world_t *world) {
    ecs_entity_t tank = prefab(world, "Tank", 0);
    ecs_set(world, tank, Speed, { 10 });
    ecs_entity_t turret = ecs_entity(world, { .name = "Turret", .parent = tank });
    ecs_entity_t barrel = ecs_entity(world, { .name = "Barrel", .parent = turret });
    ecs_entity_t tracks = ecs_entity(world, { .name = "Tracks", .parent = tank });
    ecs_set(world, turret, Text, { "turret" });
    ecs_set(world, barrel, Text, { "barrel" });
    ecs_set_override(world, tracks, Defense, { 7 });
    ecs_add_pair(world, turret, EcsSlotOf, tank);
    ecs_add_pair(world, barrel, EcsSlotOf, tank);
    return tank;
}

static void check_tank(ecs_world_t *world, ecs_entity_t i, ecs_entity_t tank) {
    ecs_entity_t turret = ecs_lookup_child(world, i, "Turret");
    ecs_entity_t tracks = ecs_lookup_child(world, i, "Tracks");
    assert_true(turret && tracks && !ecs_has_id(world, turret, EcsPrefab));
    ecs_entity_t barrel = ecs_lookup_child(world, turret, "Barrel");
    assert_string_equal(ecs_get(world, turret, Text)->value, "turret");
    assert_string_equal(ecs_get(world, barrel, Text)->value, "barrel");
    assert_near(ecs_get(world, tracks, Defense)->value, 7, 0);
    assert_false(ecs_has_id(world, tracks, ECS_AUTO_OVERRIDE | ecs_id(Defense)));
    assert_false(ecs_has_pair(world, turret, EcsSlotOf, EcsWildcard));
    ecs_entity_t slot = ecs_lookup_child(world, tank, "Turret");
    assert_id_equal(world, ecs_get_target(world, i, slot, 0), turret);
    assert_id_equal(
        world, ecs_get_target(world, i, ecs_lookup_child(world, slot, "Barrel"), 0), barrel);
}

static void many_instances_are_told_of_what_they_own(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t p = prefab(world, "p", 0);
    ecs_set(world, p, Text, { "text" });
    ecs_auto_override(world, p, Text);
    set_calls = add_calls = 0;
    ecs_bulk_new_w_id(world, ecs_isa(p), 10);
    assert_int_equal(set_calls, 10);
    assert_int_equal(add_calls, 10);
}

static void of_the_children_of_a_variant_slots_alone_are_relationships(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = prefab(world, "p", 0), slot = prefab(world, "slot", p);
    prefab(world, "part", p);
    ecs_add_pair(world, slot, EcsSlotOf, p);
    ecs_entity_t variant = prefab(world, "variant", 0);
    ecs_add_pair(world, variant, EcsIsA, p);
    assert_true(ecs_has_id(world, ecs_lookup(world, "variant.slot"), EcsExclusive));
    assert_false(ecs_has_id(world, ecs_lookup(world, "variant.part"), EcsExclusive));
}

// What is in types already stays there, and what comes is put there, too.
static void a_relationship_in_use_becomes_a_slot(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = prefab(world, "p", 0), slot = prefab(world, "slot", p);
    ecs_entity_t a = ecs_new(world), e = ecs_new_w_pair(world, slot, a);
    ecs_add_pair(world, slot, EcsSlotOf, p);
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, p);
    ecs_entity_t filled = ecs_lookup_child(world, i, "slot");
    assert_id_equal(world, ecs_get_target(world, i, slot, 0), filled);
    assert_true(ecs_has_pair(world, e, slot, a));
    assert_true(ecs_search(world, ecs_get_table(world, i), ecs_pair(slot, filled), NULL) >= 0);
    ecs_add_pair(world, e, slot, filled);
    assert_false(ecs_has_pair(world, e, slot, a));
    assert_true(ecs_world_verify(world));
}

static void children_of_prefabs_come_with_instances(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t tank = make_tank(world);
    set_calls = add_calls = 0;
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, tank);
    assert_int_equal(set_calls, 2);
    assert_int_equal(add_calls, 2);
    check_tank(world, i, tank);
    ecs_delete(world, ecs_lookup_child(world, i, "Turret"));
    assert_int_equal(ecs_get_target(world, i, ecs_lookup_child(world, tank, "Turret"), 0), 0);
    const ecs_entity_t *many = ecs_bulk_new_w_id(world, ecs_isa(tank), 10);
    ecs_entity_t ids[10];
    memcpy(ids, many, sizeof ids);
    for (int k = 0; k < 10; k++) check_tank(world, ids[k], tank);
    for (int k = 0; k < 10; k++) ecs_delete(world, ids[k]);
    ecs_delete(world, i);
    assert_int_equal(texts, 2);
    ecs_entity_t clone_of = ecs_new_w_pair(world, EcsIsA, tank);
    check_tank(world, ecs_clone(world, 0, clone_of, true), tank);
    ecs_delete(world, tank); /* instances stay, with their children */
    assert_true(ecs_lookup_child(world, clone_of, "Turret") != 0);
    assert_false(ecs_has_pair(world, clone_of, EcsIsA, EcsWildcard));
}

// Instances are made once: what a prefab gets or loses later below it is for later instances.
static void instances_keep_the_children_they_were_made_with(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t p = prefab(world, "p", 0), first = ecs_entity(world, { .name = "a", .parent = p });
    ecs_entity_t early = ecs_new_w_pair(world, EcsIsA, p);
    ecs_entity_t grandchild = ecs_entity(world, { .name = "b", .parent = first });
    ecs_entity(world, { .name = "c", .parent = p });
    ecs_entity_t late = ecs_new_w_pair(world, EcsIsA, p);
    assert_int_equal(ecs_count_id(world, ecs_childof(early)), 1);
    assert_int_equal(ecs_count_id(world, ecs_childof(ecs_lookup_child(world, early, "a"))), 0);
    assert_int_equal(ecs_count_id(world, ecs_childof(late)), 2);
    assert_int_equal(ecs_count_id(world, ecs_childof(ecs_lookup_child(world, late, "a"))), 1);
    ecs_delete(world, grandchild);
    ecs_delete(world, first);
    assert_true(ecs_lookup(world, "p.a") == 0);
    assert_int_equal(ecs_count_id(world, ecs_childof(early)), 1);
    assert_int_equal(ecs_count_id(world, ecs_childof(late)), 2);
    ecs_add_pair(world, early, EcsIsA, p); /* has it: nothing happens */
    assert_int_equal(ecs_count_id(world, ecs_childof(early)), 1);
    ecs_remove_pair(world, early, EcsIsA, p);
    assert_int_equal(ecs_count_id(world, ecs_childof(early)), 1);
    ecs_add_pair(world, early, EcsIsA, p); /* an instance once more, of the prefab as it is now */
    assert_int_equal(ecs_count_id(world, ecs_childof(early)), 2);
    assert_true(ecs_lookup_child(world, early, "c") != 0);
}

// Slots are beside tables: instances share one, whatever their slots are.
static void slots_make_no_tables(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = prefab(world, "p", 0), slots[20];
    for (int k = 0; k < 20; k++) {
        slots[k] = ecs_new_w_pair(world, EcsChildOf, p);
        ecs_add_pair(world, slots[k], EcsSlotOf, p);
    }
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, p);
    int32_t tables = ecs_get_world_info(world)->table_count;
    ecs_entity_t j = ecs_new_w_pair(world, EcsIsA, p);
    assert_int_equal(ecs_get_world_info(world)->table_count, tables + 1); /* of the children of j */
    assert_ptr_equal(ecs_get_table(world, i), ecs_get_table(world, j));
    for (int k = 0; k < 20; k++) {
        ecs_entity_t of_i = ecs_get_target(world, i, slots[k], 0);
        ecs_entity_t of_j = ecs_get_target(world, j, slots[k], 0);
        assert_id_equal(world, ecs_get_parent(world, of_i), i);
        assert_id_equal(world, ecs_get_parent(world, of_j), j);
    }
}

static void plain_bases_keep_their_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t base = ecs_new(world);
    ecs_entity_t child = ecs_entity(world, { .name = "child", .parent = base });
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, base);
    assert_int_equal(ecs_lookup_child(world, i, "child"), 0);
    assert_false(ecs_has_id(world, child, EcsPrefab));
    ecs_entity_t deep = ecs_new_w_pair(world, EcsChildOf, child);
    ecs_add_id(world, base, EcsPrefab); /* tags those that are there, too */
    assert_true(ecs_has_id(world, child, EcsPrefab) && ecs_has_id(world, deep, EcsPrefab));
    assert_true(ecs_lookup_child(world, ecs_new_w_pair(world, EcsIsA, base), "child") != 0);
}

static void variants_have_the_children_of_both(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t tank = make_tank(world), heavy = prefab(world, "Heavy", 0);
    ecs_add_pair(world, heavy, EcsIsA, tank);
    ecs_entity_t own = ecs_entity(world, { .name = "Cannon", .parent = heavy });
    ecs_add_pair(world, own, EcsSlotOf, heavy);
    ecs_entity_t turret = ecs_lookup_child(world, heavy, "Turret");
    assert_true(
        ecs_has_id(world, turret, EcsPrefab) && ecs_has_pair(world, turret, EcsSlotOf, tank));
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, heavy);
    check_tank(world, i, tank);
    assert_id_equal(world, ecs_get_target(world, i, own, 0), ecs_lookup_child(world, i, "Cannon"));
    ecs_query_t *q = ecs_query(world, { .expr = "Text" });
    assert_int_equal(ecs_query_count(q).entities, 2);
    ecs_query_fini(q);
}

static void nested_prefabs_fill_their_own_slots(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t tank = make_tank(world), squad = prefab(world, "Squad", 0);
    ecs_entity_t leader = ecs_entity(world, { .name = "Leader", .parent = squad });
    ecs_add_pair(world, leader, EcsIsA, tank);
    ecs_add_pair(world, leader, EcsSlotOf, squad);
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, squad);
    ecs_entity_t copy = ecs_get_target(world, i, leader, 0);
    assert_id_equal(world, copy, ecs_lookup_child(world, i, "Leader"));
    assert_true(ecs_has_pair(world, copy, EcsIsA, tank));
    check_tank(world, copy, tank);
}

// A child of a prefab owns a slot, and a variant brings both.
static void variants_fill_slots_of_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tank = prefab(world, "Tank", 0), heavy = prefab(world, "Heavy", 0);
    ecs_entity_t turret = ecs_entity(world, { .name = "Turret", .parent = tank });
    ecs_entity_t sight = ecs_entity(world, { .name = "Sight", .parent = turret });
    ecs_add_pair(world, sight, EcsSlotOf, turret);
    ecs_add_pair(world, heavy, EcsIsA, tank);
    const ecs_entity_t bases[] = { tank, heavy };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, bases[i]);
        ecs_entity_t copy = ecs_lookup_child(world, instance, "Turret");
        ecs_entity_t seen = ecs_get_target(world, copy, sight, 0);
        assert_id_equal(world, seen, ecs_lookup_child(world, copy, "Sight"));
        assert_int_equal(ecs_get_target(world, instance, sight, 0), 0);
    }
}

static void copies_keep_their_distance_in_ids_if_they_can(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), children[4];
    static const char *const names[] = { "a", "b", "c", "d" };
    for (int i = 0; i < 4; i++)
        children[i] = ecs_entity(world, { .name = names[i], .parent = prefab });
    ecs_entity_t tag = ecs_new(world);
    ecs_add_id(world, children[0], tag); /* tables in another order than ids */
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, prefab);
    for (int i = 0; i < 4; i++) {
        ecs_entity_t copy = ecs_lookup_child(world, instance, names[i]);
        assert_int_equal((int64_t)(copy - instance), (int64_t)(children[i] - prefab));
    }
    ecs_entity_t second = ecs_new(world); /* the id behind the copies */
    ecs_make_alive(world, second + (children[1] - prefab));
    ecs_add_pair(world, second, EcsIsA, prefab);
    for (int i = 0; i < 4; i++) {
        ecs_entity_t copy = ecs_lookup_child(world, second, names[i]);
        assert_true(ecs_is_alive(world, copy));
        assert_true((copy - second == children[i] - prefab) == (i != 1));
    }
    ecs_delete(world, second);
    ecs_make_alive(
        world, second + (7ull << 32)); /* deleted ids come back with the next generation */
    ecs_add_pair(world, second + (7ull << 32), EcsIsA, prefab);
    ecs_entity_t copy = ecs_lookup_child(world, second + (7ull << 32), "a");
    assert_int_equal((uint32_t)copy, (uint32_t)(second + (children[0] - prefab)));
    assert_int_equal(ecs_get_version(copy), 1);
}

static ecs_entity_t come_and_go_prefab;

static void come_and_go(ecs_world_t *world) {
    ecs_entity_t e[20];
    for (int i = 0; i < 20; i++) e[i] = ecs_new_w_pair(world, EcsIsA, come_and_go_prefab);
    for (int i = 0; i < 20; i++) ecs_delete(world, e[i * 7 % 20]);
}

static void ComeAndGo(ecs_iter_t *it) { come_and_go(it->world); }

// ENT-12: however long they do so, from outside and from systems, ids do not go on, nor does memory for free ones.
static void instances_that_come_and_go_leave_few_ids(void **state) {
    ecs_world_t *world = *state;
    use(world);
    const ecs_entity_t prefab = come_and_go_prefab = ecs_new_w_id(world, EcsPrefab);
    for (int i = 0; i < 3; i++) ecs_new_w_pair(world, EcsChildOf, prefab);
    ecs_new_w(world, Speed);
    ecs_system(world, { .query.terms = { { ecs_id(Speed) } },
                          .phase = EcsOnUpdate,
                          .callback = ComeAndGo,
                          .multi_threaded = true });
    int32_t issued = 0;
    int64_t memory = 0;
    for (int round = 0; round < 2000; round++) {
        if (round % 2)
            come_and_go(world);
        else
            ecs_progress(world, 0);
        if (round != 1000) continue;
        issued = ecs_get_entities(world).count;
        memory = ecs_world_memory_get(world).entities;
    }
    assert_true(ecs_get_entities(world).count <= issued + issued / 8);
    assert_true(ecs_world_memory_get(world).entities < 2 * memory);
}

static void a_prefab_cannot_contain_itself(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = prefab(world, "p", 0);
    ecs_entity_t c = ecs_new_w_pair(world, EcsChildOf, p), d = ecs_new_w_pair(world, EcsChildOf, c);
    expect_abort_saying(ECS_CYCLE_DETECTED, "contain itself", ecs_add_pair(world, d, EcsIsA, p));
    expect_abort(ECS_CYCLE_DETECTED, ecs_defer_begin(world); ecs_add_pair(world, d, EcsIsA, p);
                 ecs_defer_end(world));
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, p, EcsIsA, p));
    /* Nor by what comes behind in the same queue. */
    ecs_entity_t e = ecs_new(world);
    expect_abort(ECS_CYCLE_DETECTED, ecs_defer_begin(world); ecs_add_pair(world, e, EcsIsA, p);
                 ecs_add_pair(world, e, EcsChildOf, c); ecs_defer_end(world));
}

// Depth is no matter: nothing recurses over children or chains of bases.
static void deep_trees_and_long_chains_are_instantiated(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t root = prefab(world, "root", 0), last = root;
    for (int k = 0; k < 5000; k++) last = ecs_new_w_pair(world, EcsChildOf, last);
    ecs_set(world, last, Speed, { 3 });
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, root);
    assert_int_equal(ecs_count_id(world, ecs_id(Speed)), 2);
    ecs_delete(world, i);
    assert_int_equal(ecs_count_id(world, ecs_id(Speed)), 1);
    ecs_entity_t base = ecs_new(world);
    ecs_set_override(world, base, Defense, { 4 });
    for (int k = 0; k < 2000; k++) base = ecs_new_w_pair(world, EcsIsA, base);
    assert_near(ecs_get(world, base, Defense)->value, 4, 0);
    /* Nor do bases cost much that have nothing beside their tables, though some entities do (ISA-03). */
    ecs_entity_t beside = ecs_new_w_id(world, EcsDontFragment);
    ecs_add_id(world, ecs_new(world), beside);
    base = ecs_new_w_id(world, beside);
    for (int k = 0; k < 40000; k++) base = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_has_id(world, base, beside));
}

// DEF-07, DEF-10: what went with a clear begins with the value of the new base, as without deferral.
static void a_cleared_entity_begins_with_the_values_of_its_base(void **state) {
    ecs_world_t *world = *state;
    const ecs_type_info_t type = { .size = sizeof(int), .alignment = sizeof(int) };
    const ecs_entity_t storages[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 6; i++) {
        ecs_entity_t base = ecs_new(world), e = ecs_new(world), tag = ecs_new(world);
        ecs_entity_t own = ecs_component(world, { .type = type });
        if (i % 3) ecs_add_id(world, own, storages[i % 3]);
        ecs_add_pair(world, own, EcsOnInstantiate, EcsOverride);
        ecs_set_id(world, base, own, sizeof(int), &(int){ 9 });
        ecs_set_id(world, e, own, sizeof(int), &(int){ 5 });
        if (i >= 3) ecs_defer_begin(world);
        ecs_clear(world, e);
        ecs_add_pair(world, e, EcsIsA, base);
        ecs_add_id(world, e, tag);
        if (i >= 3) ecs_defer_end(world);
        assert_true(ecs_owns_id(world, e, own));
        assert_int_equal(*(const int *)ecs_get_id(world, e, own), 9);
    }
}

// ISA-06, GRT-01: what an instance has of an exclusive relationship stays, be it a number or an entity, whatever a base brings.
static void an_own_exclusive_pair_hides_that_of_a_base(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 12; i++) {
        ecs_entity_t rel = ecs_new_w_id(world, EcsExclusive), a = ecs_new(world);
        ecs_add_pair(world, rel, EcsOnInstantiate, EcsOverride);
        if (i % 3) ecs_add_id(world, rel, storages[i % 3]);
        const bool is_number = i / 3 % 2;
        const ecs_id_t of_base = is_number ? ecs_value_pair(rel, 3) : ecs_pair(rel, a),
                       own = is_number ? ecs_value_pair(rel, 5) : ecs_pair(rel, rel);
        ecs_entity_t base = ecs_new_w_id(world, of_base), e = ecs_new(world);
        if (i >= 6) ecs_defer_begin(world);
        ecs_add_id(world, e, own);
        ecs_add_pair(world, e, EcsIsA, base);
        if (i >= 6) ecs_defer_end(world);
        assert_true(ecs_owns_id(world, e, own) && !ecs_owns_id(world, e, of_base));
        ecs_remove_id(world, e, own);
        ecs_remove_pair(world, e, EcsIsA, base);
        ecs_add_pair(world, e, EcsIsA, base);
        assert_true(ecs_owns_id(world, e, of_base));
    }
}

// ISA-03, ISA-13: 2^60 ways lead through bases that meet again, none of which is gone twice.
static void bases_that_meet_again_are_looked_at_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t beside = ecs_new(world), likes = ecs_new(world), seen = ecs_new(world);
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_add_pair(world, beside, EcsOnInstantiate, EcsInherit);
    ecs_add_pair(world, likes, EcsOnInstantiate, EcsInherit);
    ecs_entity_t root = ecs_new(world), left = root, right = root;
    ecs_set_override(world, root, Defense, { 4 });
    for (int k = 0; k < 60; k++) {
        ecs_entity_t next[2] = { ecs_new(world), ecs_new(world) };
        for (int i = 0; i < 2; i++) {
            ecs_add_pair(world, next[i], EcsIsA, left);
            if (left != right) ecs_add_pair(world, next[i], EcsIsA, right);
        }
        left = next[0], right = next[1];
    }
    assert_near(ecs_get(world, left, Defense)->value, 4, 0);
    ecs_entity_t parent = ecs_new_w_pair(world, EcsIsA, left);
    ecs_add_pair(world, parent, EcsIsA, right);
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, parent);
    assert_false(ecs_has_id(world, parent, beside));
    assert_int_equal(ecs_get_target(world, parent, likes, 0), 0);
    ecs_query_t *q = ecs_query(world, { .terms = { { seen, .src.id = EcsUp } } });
    ecs_query_t *r = ecs_query(world, { .terms = { { beside, .src.id = EcsSelf | EcsUp } } });
    assert_false(ecs_query_is_true(q) || ecs_query_is_true(r));
    ecs_add_id(world, root, seen);
    ecs_add_id(world, root, beside);
    ecs_add_pair(world, root, likes, child);
    assert_int_equal(ecs_query_count(q).entities, 1); /* the child */
    assert_int_equal(ecs_query_count(r).entities, 2); /* and the root */
    assert_true(ecs_has_id(world, parent, beside));
    assert_id_equal(world, ecs_get_target(world, parent, likes, 0), child);
    ecs_query_fini(q);
    ecs_query_fini(r);
}

static void deferred_instancing_is_the_same(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t tank = make_tank(world);
    ecs_defer_begin(world);
    ecs_entity_t i = ecs_new_w_pair(world, EcsIsA, tank), j = ecs_new(world);
    ecs_add_pair(world, j, EcsIsA, tank);
    ecs_remove_pair(world, j, EcsIsA, tank); /* children were made and stay */
    ecs_set(world, i, Speed, { 20 });
    ecs_defer_end(world);
    check_tank(world, i, tank);
    assert_near(ecs_get(world, i, Speed)->value, 20, 0);
    assert_true(ecs_lookup_child(world, j, "Turret") != 0);
}

static ecs_entity_t spawned;
static void Spawn(ecs_iter_t *it) {
    for (int32_t k = 0; k < it->count; k++) ecs_new_w_pair(it->world, EcsIsA, spawned);
}

static uint64_t hash_after_spawning(int32_t workers) {
    ecs_world_t *world = ecs_init();
    use(world);
    spawned = make_tank(world);
    ecs_remove(world, ecs_lookup(world, "Tank.Turret"), Text); /* hashes see the address in it */
    ecs_remove(world, ecs_lookup(world, "Tank.Turret.Barrel"), Text);
    ECS_TAG(world, Spawner);
    ecs_bulk_new_w_id(world, Spawner, 300);
    ecs_set_threads(world, workers);
    ecs_system(world, { .query.expr = "Spawner",
                          .phase = EcsOnUpdate,
                          .callback = Spawn,
                          .multi_threaded = true });
    for (int k = 0; k < 2; k++) ecs_progress(world, 1);
    assert_int_equal(ecs_count_id(world, ecs_isa(spawned)), 600);
    ecs_query_t *q = ecs_query(world, { .expr = "Defense" });
    assert_int_equal(ecs_query_count(q).entities, 600);
    ecs_query_fini(q);
    assert_true(ecs_world_verify(world));
    uint64_t hash = ecs_world_hash(world);
    ecs_fini(world);
    return hash;
}

static void systems_of_many_threads_make_the_same_instances(void **state) {
    (void)state;
    uint64_t expected = hash_after_spawning(1);
    for_each_worker_count(workers) {
        if (*workers > 4) break;
        assert_hash_equal(hash_after_spawning(*workers), expected);
    }
}

static void enabling_a_prefab_means_its_ids(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t systems = ecs_new_w_id(world, EcsPrefab), a = ecs_new(world), b = ecs_new(world);
    ecs_entity_t own = kind(world, "Own", EcsDontInherit), target = ecs_new(world);
    ecs_add_id(world, systems, a);
    ecs_add_id(world, systems, b);
    ecs_add_id(world, systems, own);
    ecs_add_pair(world, systems, a, target);
    ecs_enable(world, systems, false);
    assert_true(ecs_has_id(world, a, EcsDisabled) && ecs_has_id(world, b, EcsDisabled));
    assert_false(ecs_has_id(world, systems, EcsDisabled));
    const ecs_entity_t others[] = { EcsPrefab, own, target };
    for (int i = 0; i < 3; i++) assert_false(ecs_has_id(world, others[i], EcsDisabled));
    ecs_enable(world, systems, true);
    assert_false(ecs_has_id(world, a, EcsDisabled) || ecs_has_id(world, b, EcsDisabled));
}

// ISA-08…12
static void queries_see_what_is_inherited(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t base = prefab(world, "base", 0);
    ecs_set(world, base, Speed, { 1 });
    ecs_entity_t inst = ecs_new_w_pair(world, EcsIsA, base);
    ecs_set(world, inst, Defense, { 2 });
    ecs_query_t *q = ecs_query(world, { .expr = "Speed, Defense" });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_id_equal(world, it.entities[0], inst);
    assert_id_equal(world, ecs_field_src(&it, 0), base);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// TRT-07, TRT-08, PAIR-07
// ISA-01: what a base gets, and loses, between two iterations of the same query.
static void queries_see_when_a_base_begins_to_provide(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), other = ecs_new(world);
    ecs_entity_t oldest = ecs_new(world), base = ecs_new_w_pair(world, EcsIsA, oldest);
    for (int i = 0; i < 8; i++) {
        ecs_entity_t own = ecs_new_w_id(world, tag), e = ecs_new_w_id(world, other);
        ecs_add_id(world, own, ecs_new(world));
        ecs_add_id(world, own, other);
        ecs_add_id(world, e, ecs_new(world));
        ecs_add_pair(world, e, EcsIsA, base);
        ecs_new_w_pair(world, EcsChildOf, own);
    }
    for (int cached = 0; cached < 2; cached++) {
        ecs_query_t *q =
            ecs_query(world, { .terms = { { tag }, { other } },
                                 .cache_kind = cached ? EcsQueryCacheAuto : EcsQueryCacheNone });
        assert_int_equal(ecs_query_count(q).entities, 8);
        ecs_add_id(world, oldest, tag);
        assert_int_equal(ecs_query_count(q).entities, 16);
        ecs_remove_id(world, oldest, tag);
        assert_int_equal(ecs_query_count(q).entities, 8);
        ecs_remove_pair(world, base, EcsIsA, oldest);
        ecs_add_id(world, oldest, tag);
        assert_int_equal(ecs_query_count(q).entities, 8);
        ecs_add_pair(world, base, EcsIsA, oldest);
        assert_int_equal(ecs_query_count(q).entities, 16);
        ecs_remove_id(world, oldest, tag);
        ecs_query_fini(q);
    }
}

static void wildcards_find_only_what_is_passed_on(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    ECS_TAG(world, Hates);
    ECS_TAG(world, Quiet);
    ecs_add_pair(world, Hates, EcsOnInstantiate, EcsDontInherit);
    ecs_add_pair(world, Quiet, EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t parent = ecs_new(world), alice = ecs_new(world), joe = ecs_new(world);
    ecs_entity_t base = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_add_pair(world, base, Likes, alice);
    ecs_add_pair(world, base, Hates, alice);
    ecs_add_pair(world, base, Hates, joe);
    ecs_add_id(world, base, Quiet);
    ecs_entity_t inst = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_has_pair(world, inst, EcsWildcard, alice));
    assert_false(ecs_has_pair(world, inst, EcsWildcard, joe));
    assert_false(ecs_has_pair(world, inst, EcsWildcard, parent));
    assert_false(ecs_has_id(world, inst, EcsWildcard));
    assert_int_equal(ecs_get_target_for_id(world, inst, EcsIsA, ecs_pair(EcsWildcard, joe)), 0);
}

// TRT-05
static void typed_components_are_final_unless_inheritable(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t kind_of = ecs_new(world);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_pair(world, kind_of, EcsIsA, ecs_id(Speed)));
    ecs_add_id(world, ecs_id(Defense), EcsInheritable);
    ecs_add_pair(world, kind_of, EcsIsA, ecs_id(Defense));
    ecs_remove_id(world, ecs_id(Speed), EcsFinal);
    ecs_add_pair(world, kind_of, EcsIsA, ecs_id(Speed));
}

static void copy_apart(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    assert_ptr_not_equal(dst, src);
    memcpy(dst, src, (size_t)(count * type->size));
}

// DEF-07, GRT-12: for a while the entity is below itself, and what it starts with is looked for above it.
static void base_and_instance_may_swap_in_one_batch(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_set_hooks(world, Speed, { .copy = copy_apart });
    ecs_entity_t e = ecs_new(world), other = ecs_new(world);
    for (int was_there = 0; was_there < 2; was_there++) {
        ecs_add_id(world, other, ECS_AUTO_OVERRIDE | ecs_id(Speed));
        ecs_add_pair(world, other, EcsIsA, e);
        ecs_defer_begin(world);
        if (was_there) ecs_remove(world, e, Speed);
        ecs_add_pair(world, e, EcsIsA, other);
        ecs_remove_pair(world, other, EcsIsA, e);
        ecs_defer_end(world);
        assert_true(ecs_owns(world, e, Speed));
        assert_true(ecs_has_pair(world, e, EcsIsA, other));
        ecs_remove_pair(world, e, EcsIsA, other);
    }
}

// ISA-02, DEF-07
static void what_comes_before_the_base_begins_without_it(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t base = ecs_new(world);
    ecs_set(world, base, Speed, { 7 });
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t before = ecs_new(world), after = ecs_new(world);
        if (deferred) ecs_defer_begin(world);
        ecs_add(world, before, Speed);
        ecs_add_pair(world, before, EcsIsA, base);
        ecs_set(world, before, Defense, { 1 });
        ecs_add_pair(world, after, EcsIsA, base);
        ecs_add(world, after, Speed);
        if (deferred) ecs_defer_end(world);
        assert_true(ecs_get(world, before, Speed)->value == 0);
        assert_true(ecs_get(world, before, Defense)->value == 1);
        assert_true(ecs_get(world, after, Speed)->value == 7);
    }
}

// ISA-02, DEF-07: the base got the component when it had the instance already; whatever the policy, where the value is, and when.
static void ensured_values_begin_as_those_that_are_added(void **state) {
    (void)state;
    const ecs_entity_t policies[] = { EcsOverride, EcsInherit, EcsDontInherit };
    for (int way = 0; way < 3 * 3 * 2; way++) {
        ecs_world_t *world = ecs_mini();
        ECS_COMPONENT_DEFINE(world, Speed);
        const ecs_entity_t policy = policies[way % 3], storage = way / 3 % 3;
        if (storage) ecs_add_id(world, ecs_id(Speed), storage == 1 ? EcsSparse : EcsDontFragment);
        ecs_add_pair(world, ecs_id(Speed), EcsOnInstantiate, policy);
        ecs_entity_t base = ecs_new(world), added = ecs_new_w_pair(world, EcsIsA, base);
        ecs_entity_t ensured = ecs_new_w_pair(world, EcsIsA, base);
        ecs_set(world, base, Speed, { 7 });
        if (way >= 9) ecs_defer_begin(world);
        ecs_add(world, added, Speed);
        const float seen = ecs_ensure(world, ensured, Speed)->value;
        if (way >= 9) ecs_defer_end(world);
        assert_true(ecs_owns(world, added, Speed) && ecs_owns(world, ensured, Speed));
        assert_near(ecs_get(world, ensured, Speed)->value, ecs_get(world, added, Speed)->value, 0);
        assert_near(seen, ecs_get(world, added, Speed)->value, 0);
        assert_near(seen, policy == EcsDontInherit ? 0 : 7, 0);
        ecs_fini(world);
    }
}

static float speed_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_get(world, entity, Speed)->value;
}

// ISA-02, DEF-10: ids that come together override what the base has, in whatever order they are listed, also by commands.
static void ids_that_come_with_a_base_begin_with_its_values(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT_DEFINE(world, Speed);
    ecs_entity_t base = ecs_insert(world, ecs_value(Speed, { 7 }));
    ecs_table_t *table = ecs_table_add_id(world, NULL, ecs_id(Speed));
    table = ecs_table_add_id(world, table, ecs_isa(base));
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        ecs_entity_t one = ecs_entity(world, { .add = ecs_ids(ecs_id(Speed), ecs_isa(base)) });
        ecs_entity_t two = ecs_new_w_table(world, table);
        ecs_entity_t three = *ecs_bulk_init(
            world, &(ecs_bulk_desc_t){ .count = 1, .ids = { ecs_id(Speed), ecs_isa(base) } });
        ecs_entity_t four = *ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = 1, .table = table });
        if (deferred) ecs_defer_end(world);
        assert_true(speed_of(world, one) == 7 && speed_of(world, two) == 7);
        assert_true(speed_of(world, three) == 7 && speed_of(world, four) == 7);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ensured_values_begin_as_those_that_are_added),
        mini_world_test(values_are_shared_until_they_are_overridden),
        mini_world_test(what_is_not_passed_on_sets_nothing),
        mini_world_test(what_a_base_gets_later_is_where_overrides_begin),
        mini_world_test(tags_and_pairs_are_inherited_one_way),
        mini_world_test(each_target_is_inherited_once),
        mini_world_test(policies_decide_what_an_instance_owns),
        mini_world_test(arguments_are_evaluated_once),
        mini_world_test(the_flag_makes_instances_own_copies),
        mini_world_test(marked_values_come_with_copies_of_children),
        cmocka_unit_test(the_world_can_make_override_the_default),
        mini_world_test(a_relationship_in_use_becomes_a_slot),
        mini_world_test(children_of_prefabs_come_with_instances),
        mini_world_test(many_instances_are_told_of_what_they_own),
        mini_world_test(of_the_children_of_a_variant_slots_alone_are_relationships),
        mini_world_test(instances_keep_the_children_they_were_made_with),
        mini_world_test(slots_make_no_tables),
        mini_world_test(plain_bases_keep_their_children),
        mini_world_test(variants_have_the_children_of_both),
        mini_world_test(nested_prefabs_fill_their_own_slots),
        mini_world_test(variants_fill_slots_of_children),
        mini_world_test(copies_keep_their_distance_in_ids_if_they_can),
        world_test(instances_that_come_and_go_leave_few_ids),
        mini_world_test(a_prefab_cannot_contain_itself),
        mini_world_test(deep_trees_and_long_chains_are_instantiated),
        mini_world_test(a_cleared_entity_begins_with_the_values_of_its_base),
        mini_world_test(an_own_exclusive_pair_hides_that_of_a_base),
        mini_world_test(bases_that_meet_again_are_looked_at_once),
        mini_world_test(deferred_instancing_is_the_same),
        mini_world_test(base_and_instance_may_swap_in_one_batch),
        mini_world_test(what_comes_before_the_base_begins_without_it),
        mini_world_test(ids_that_come_with_a_base_begin_with_its_values),
        cmocka_unit_test(systems_of_many_threads_make_the_same_instances),
        mini_world_test(enabling_a_prefab_means_its_ids),
        mini_world_test(queries_see_what_is_inherited),
        mini_world_test(queries_see_when_a_base_begins_to_provide),
        mini_world_test(typed_components_are_final_unless_inheritable),
        mini_world_test(wildcards_find_only_what_is_passed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
