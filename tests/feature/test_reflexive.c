// SPDX-License-Identifier: MIT
// Reflexive relationships: Q-RFL-01 to Q-RFL-04.
#include "graph_scene.h"

// Q-RFL-01, Q-RFL-02, Q-RFL-04
static void an_entity_is_a_kind_of_itself(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Tree Plain");
    make(scene->world, "Oak", "(IsA, Tree)");
    make(scene->world, "MyOak", "(IsA, Oak)");
    assert_solutions(scene, "(IsA, Tree)", "MyOak | Oak | Tree");
    assert_solutions(scene, "IsA(Tree, Tree)", ".");
    assert_solutions(scene, "IsA(MyOak, Tree)", ".");
    assert_solutions(scene, "IsA(Tree, Oak)", "");
    assert_solutions(scene, "IsA(MyOak, $x)", ". x=MyOak | . x=Oak | . x=Tree");
    assert_solutions(scene, "IsA($this, Tree|self)", "Oak");
    ecs_add_id(scene->world, find(scene, "Tree"), find(scene, "Plain")); // a table made last
    assert_query(scene, "(IsA, Tree)", "Tree: (IsA,Tree) | Oak: (IsA,Tree) | MyOak: (IsA,Tree)");
    assert_query(scene, "IsA(Oak, $x)", ": (IsA,Oak)@Oak | : (IsA,Tree)@Oak");
}

// Q-RFL-02, Q-RFL-03
static void the_trait_makes_a_relationship_reflexive(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Near LocatedIn a b");
    ecs_add_id(scene->world, find(scene, "Near"), EcsReflexive);
    ecs_add_id(scene->world, find(scene, "LocatedIn"), EcsTransitive);
    make(scene->world, "b", "(Near, a)");
    make(scene->world, "c", "(Near, b)");
    assert_solutions(scene, "(Near, a)", "a | b");
    assert_solutions(scene, "Near(a, a)", ".");
    assert_solutions(scene, "LocatedIn(a, a)", "");
}

// Q-RFL-02, Q-RFL-03, Q-TRN-01: both ends are known when it is asked for.
static void known_ends_are_compared(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Near In Inside Sees a b c c.door");
    ecs_add_id(scene->world, find(scene, "Inside"), EcsTransitive);
    ecs_add_id(scene->world, find(scene, "Near"), EcsReflexive);
    ecs_add_id(scene->world, find(scene, "In"), EcsReflexive);
    ecs_add_id(scene->world, find(scene, "In"), EcsTransitive);
    make(scene->world, "b", "(Near, a), (In, a)");
    make(scene->world, "c", "(Near, b), (In, b), (Sees, a), (Sees, b), (Sees, c)");
    assert_solutions(scene, "Sees($this, $x), Near($this, $x)", "c x=b | c x=c");
    assert_solutions(scene, "Sees($this, $x), In($this, $x)", "c x=a | c x=b | c x=c");
    ecs_add_pair(
        scene->world, ecs_lookup(scene->world, "c.door"), find(scene, "Inside"), find(scene, "a"));
    assert_solutions(scene, "Sees($this, $x), Inside($x.door, a)", "c x=c");
    assert_solutions(scene, "Sees($this, $x), Inside($x, a)", "");
}

// Q-OR-07: who is found by a later alternative is asked for the earlier ones
static void alternatives_that_all_fulfil_come_once(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Near Ship Dock");
    ecs_add_id(scene->world, find(scene, "Near"), EcsReflexive);
    make(scene->world, "a", "Ship, Dock");
    make(scene->world, "b", "Ship");
    make(scene->world, "c", "Tag");
    assert_solutions(scene, "Tag, Near($x, $x) || Dock($x), Ship($x)", "c x=a | c x=b");
    assert_solutions(scene, "Tag, Dock($x) || Near($x, $x), Ship($x)", "c x=a | c x=b");
}

static int by_id(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)x, (void)y;
    return (a > b) - (a < b);
}

// Q-RFL-01, Q-RFL-04: the base is not needed for that, whatever else is asked for, and in which order
static void who_inherits_itself_is_its_own_source(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Near a base");
    ecs_add_id(scene->world, find(scene, "Near"), EcsReflexive);
    make(scene->world, "base", "(Near, a)");
    make(scene->world, "b", "(IsA, base), Tag");
    make(scene->world, "a", "(IsA, base), Tag");
    make(scene->world, "c", "(IsA, base), Tag");
    static const char *const exprs[] = { "(Near, a)", "(Near, a), Tag", "Tag, (Near, a)" };
    for (int i = 0; i < 6; i++) {
        ecs_query_t *q = query_of(scene,
            (ecs_query_desc_t){ .expr = exprs[i % 3], .order_by_callback = i < 3 ? NULL : by_id });
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        int count = 0;
        while (ecs_query_next(&it)) {
            const ecs_entity_t source = ecs_field_src(&it, i % 3 == 2);
            for (int row = 0; row < it.count; row++, count++) {
                const bool is_own =
                    it.entities[row] == find(scene, "a") || it.entities[row] == find(scene, "base");
                assert_int_equal(source, is_own ? 0 : find(scene, "base"));
            }
        }
        assert_int_equal(count, i % 3 ? 3 : 4);
        ecs_query_fini(q);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(an_entity_is_a_kind_of_itself),
        BOTH(the_trait_makes_a_relationship_reflexive), BOTH(known_ends_are_compared),
        BOTH(alternatives_that_all_fulfil_come_once), BOTH(who_inherits_itself_is_its_own_source) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
