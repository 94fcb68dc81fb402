// SPDX-License-Identifier: MIT
// Traversal: features.md area Q-TRV, and inheritance in queries (ISA, TRT-07, TRT-08).
#include "query_scene.h"

static ecs_entity_t child(
    ecs_world_t *world, ecs_entity_t parent, const char *name, const char *ids) {
    ecs_entity_t e = make(world, name, ids);
    ecs_add_pair(world, e, EcsChildOf, parent);
    return e;
}

// Q-TRV-01, Q-TRV-03, Q-TRV-07, Q-SRC-05
static void up_finds_the_value_of_the_parent(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t parent = make(world, "parent", NULL);
    ecs_set(world, parent, Position, { 1, 2 });
    child(world, parent, "kid", "Position");
    assert_query(scene, "Position, Position(up)", "parent.kid: Position, Position@parent");
    ecs_query_t *q = query_expr(scene, "Position, Position(up ChildOf)");
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_float_equal(ecs_field(&it, Position, 1)->y, 2, 0);
    assert_true(it.up_fields == 2 && it.ref_fields == 2);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-TRV-02, Q-TRV-14
static void spellings_of_up_are_the_same_term(void **state) {
    scene_t *scene = *state;
    ecs_entity_t parent = make(scene->world, "parent", "Mass");
    child(scene->world, parent, "kid", "Tag");
    static const char *const texts[] = { "Tag, Mass($this|up ChildOf)", "Tag, Mass(up ChildOf)",
        "Tag, Mass(up)", "Tag, Mass(parent)" };
    for (int i = 0; i < 4; i++) assert_query(scene, texts[i], "parent.kid: Tag, Mass@parent");
    ecs_query_t *q = query_of(
        scene, (ecs_query_desc_t){ .terms = { { ecs_lookup(scene->world, "Tag") },
                                       { ecs_id(Mass), .src.id = EcsUp, .trav = EcsChildOf } } });
    assert_results(q, "parent.kid: Tag, Mass@parent");
    ecs_query_fini(q);
}

// Q-TRV-04, Q-TRV-06, Q-TRV-10, D-19
static void values_of_bases_are_found_by_default(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t base = make(world, "base", "Mass");
    ecs_entity_t inst = make(world, "inst", NULL);
    ecs_add_pair(world, inst, EcsIsA, base);
    assert_query(scene, "Mass", "base: Mass | inst: Mass@base");
    assert_query(scene, "Mass(self|up IsA)", "base: Mass | inst: Mass@base");
    assert_query(scene, "Mass(self)", "base: Mass");
    assert_query(scene, "Mass(up IsA)", "inst: Mass@base");
    child(world, inst, "kid", "Tag");
    assert_query(scene, "Tag, Mass(up ChildOf)", "inst.kid: Tag, Mass@base");
}

// TRT-07, TRT-08, ISA-12
static void what_is_not_inherited_is_not_found(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t own = make(world, "Own", NULL);
    ecs_add_pair(world, own, EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t base = make(world, "base", "Tag, Own, Prefab"), inst = make(world, "inst", NULL);
    ecs_add_pair(world, inst, EcsIsA, base);
    assert_query(scene, "Tag", "inst: Tag@base");
    assert_query(scene, "Own", "");
}

// Q-TRV-05, Q-TRV-08
static void self_or_up_stops_at_the_nearest(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Mass"), b = child(world, a, "b", "Tag"),
                 c = child(world, b, "c", "Tag");
    child(world, c, "d", "Tag, Mass");
    assert_query(scene, "Tag, Mass(self|up ChildOf)",
        "a.b: Tag, Mass@a | a.b.c: Tag, Mass@a | a.b.c.d: Tag, Mass");
    ecs_add(world, b, Mass);
    assert_query(
        scene, "Tag, Mass(up)", "a.b.c: Tag, Mass@a.b | a.b.c.d: Tag, Mass@a.b | a.b: Tag, Mass@a");
}

// Q-TRV-09, Q-TRV-15
static void the_chain_of_the_first_target_comes_before_the_second(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t in = make(world, "In", NULL);
    ecs_add_id(world, in, EcsTraversable);
    ecs_entity_t first = make(world, "first", NULL), second = make(world, "second", "Mass"),
                 above = make(world, "above", "Mass");
    ecs_add_pair(world, first, in, above);
    ecs_entity_t e = make(world, "e", NULL);
    ecs_add_pair(world, e, in, first);
    ecs_add_pair(world, e, in, second);
    assert_query(scene, "(In, *), Mass(up In)",
        "first: (In,above), Mass@above | e: (In,first), Mass@above | e: (In,second), Mass@above");
}

// Q-TRV-11
static void optional_up_keeps_the_roots(void **state) {
    scene_t *scene = *state;
    ecs_entity_t parent = make(scene->world, "parent", "Position");
    child(scene->world, parent, "kid", "Position");
    assert_query(scene, "Position, ?Position(up)",
        "parent: Position, -Position | parent.kid: Position, Position@parent");
    assert_query(scene, "Position, !Position(up)", "parent: Position, -Position");
}

// Q-TRV-12
static void going_up_can_start_at_a_constant(void **state) {
    scene_t *scene = *state;
    ecs_entity_t window = make(scene->world, "window", NULL);
    child(scene->world, window, "widget", NULL);
    make(scene->world, "e1", "Tag");
    assert_query(scene, "Tag, Mass(window.widget|up ChildOf)", "");
    ecs_add(scene->world, window, Mass);
    assert_query(scene, "Tag, Mass(window.widget|up ChildOf)", "e1: Tag, Mass@window");
}

// Q-TRV-13
static void a_relationship_that_is_not_traversable_is_refused(void **state) {
    scene_t *scene = *state;
    expect_error(ECS_INVALID_PARAMETER, "",
        assert_null(ecs_query_init(scene->world,
            &(ecs_query_desc_t){ .expr = "Mass(up Likes)", .cache_kind = scene->kind })));
}

typedef struct {
    int16_t min, max;
    const char *expected;
} limited_t;

static void expect_limited(scene_t *scene, ecs_entity_t rel, const limited_t *cases, int count) {
    for (int i = 0; i < count; i++) {
        ecs_query_t *q = query_of(scene,
            (ecs_query_desc_t){ .terms = { { ecs_lookup(scene->world, "Tag"), .src.id = EcsSelf },
                                    { ecs_id(Mass), .src.id = EcsUp, .trav = rel,
                                        .min_depth = cases[i].min, .max_depth = cases[i].max } } });
        assert_results(q, cases[i].expected);
        ecs_query_fini(q);
    }
}

// Q-TRV-16, Q-TRV-17
static void depth_can_be_limited(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t at = make(world, "a", "Mass");
    for (int i = 0; i < 4; i++)
        at = child(world, at, (const char *[]){ "b", "c", "d", "e" }[i], "Tag");
    const limited_t cases[] = {
        { 0, 2, "a.b: Tag, Mass@a | a.b.c: Tag, Mass@a" },
        { 2, 3, "a.b.c: Tag, Mass@a | a.b.c.d: Tag, Mass@a" },
        { 4, 0, "a.b.c.d.e: Tag, Mass@a" },
    };
    expect_limited(scene, EcsChildOf, cases, 3);
}

// Q-TRV-16, Q-TRV-17
static void depth_of_bases_can_be_limited(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t at = make(world, "a", "Mass");
    for (int i = 0; i < 4; i++) {
        ecs_entity_t base = at;
        at = make(world, (const char *[]){ "b", "c", "d", "e" }[i], "Tag");
        ecs_add_pair(world, at, EcsIsA, base);
    }
    const limited_t cases[] = {
        { 0, 2, "b: Tag, Mass@a | c: Tag, Mass@a" },
        { 2, 3, "c: Tag, Mass@a | d: Tag, Mass@a" },
        { 4, 0, "e: Tag, Mass@a" },
        { 0, 0, "b: Tag, Mass@a | c: Tag, Mass@a | d: Tag, Mass@a | e: Tag, Mass@a" },
    };
    expect_limited(scene, EcsIsA, cases, 4);
}

// Q-TRV-23
static void changes_of_ancestors_are_followed(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Mass"), b = make(world, "b", NULL),
                 c = child(world, b, "c", NULL);
    ecs_entity_t kid = child(world, a, "kid", "Tag");
    ecs_query_t *q = query_expr(scene, "Tag, Mass(up)");
    assert_results(q, "a.kid: Tag, Mass@a");
    ecs_remove(world, a, Mass);
    assert_results(q, "");
    ecs_add(world, a, Mass);
    assert_results(q, "a.kid: Tag, Mass@a");
    ecs_add_pair(world, kid, EcsChildOf, c);
    assert_results(q, "");
    ecs_add(world, b, Mass);
    assert_results(q, "b.c.kid: Tag, Mass@b");
    ecs_remove_pair(world, c, EcsChildOf, b);
    assert_results(q, "");
    ecs_add_pair(world, c, EcsChildOf, a);
    assert_results(q, "a.c.kid: Tag, Mass@a");
    ecs_query_fini(q);
}

// Q-TRV-24
static void the_value_is_right_after_the_ancestor_moved(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t first = make(world, "first", NULL), parent = make(world, "parent", NULL);
    ecs_set(world, first, Mass, { 1 });
    ecs_set(world, parent, Mass, { 2 });
    child(world, parent, "kid", "Tag");
    ecs_query_t *q = query_expr(scene, "Tag, Mass(up)");
    for (int i = 0; i < 3; i++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_true(ecs_query_next(&it));
        assert_float_equal(ecs_field(&it, Mass, 1)->value, 2, 0);
        assert_false(ecs_query_next(&it));
        if (i == 0) ecs_add(world, parent, Velocity); /* another table */
        if (i == 0) ecs_delete(world, first);
        if (i == 1) ecs_set(world, make(world, "x", "Mass, Velocity"), Mass, { 9 });
    }
    ecs_query_fini(q);
}

static void inherited_values_follow_their_bases(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t base = make(world, "base", "Prefab"), inst = make(world, "inst", "Tag");
    ecs_add_pair(world, inst, EcsIsA, base);
    ecs_query_t *q = query_expr(scene, "Mass");
    assert_results(q, "");
    ecs_set(world, base, Mass, { 4 });
    assert_results(q, "inst: Mass@base");
    ecs_entity_t derived = make(world, "derived", "Prefab");
    ecs_add_pair(world, derived, EcsIsA, base);
    ecs_add_pair(world, make(world, "second", NULL), EcsIsA, derived);
    assert_results(q, "inst: Mass@base | second: Mass@base");
    ecs_set(world, inst, Mass, { 5 });
    assert_results(q, "second: Mass@base | inst: Mass");
    ecs_remove(world, base, Mass);
    assert_results(q, "inst: Mass");
    ecs_query_fini(q);
}

// Q-TRV-25
static void deep_chains_are_no_problem(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t at = ecs_new_w(world, Mass), tag = ecs_lookup(world, "Tag");
    for (int i = 0; i < 300; i++) {
        ecs_entity_t below = ecs_new_w_id(world, tag);
        ecs_add_pair(world, below, EcsChildOf, at);
        at = below;
    }
    ecs_query_t *q = query_expr(scene, "Tag, Mass(up)");
    assert_int_equal(ecs_query_count(q).entities, 300);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(up_finds_the_value_of_the_parent),
        BOTH(spellings_of_up_are_the_same_term),
        BOTH(values_of_bases_are_found_by_default),
        BOTH(what_is_not_inherited_is_not_found),
        BOTH(self_or_up_stops_at_the_nearest),
        BOTH(the_chain_of_the_first_target_comes_before_the_second),
        BOTH(optional_up_keeps_the_roots),
        BOTH(going_up_can_start_at_a_constant),
        BOTH(a_relationship_that_is_not_traversable_is_refused),
        BOTH(depth_can_be_limited),
        BOTH(depth_of_bases_can_be_limited),
        BOTH(changes_of_ancestors_are_followed),
        BOTH(the_value_is_right_after_the_ancestor_moved),
        BOTH(inherited_values_follow_their_bases),
        BOTH(deep_chains_are_no_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
