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

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(an_entity_is_a_kind_of_itself),
        BOTH(the_trait_makes_a_relationship_reflexive), BOTH(known_ends_are_compared),
        BOTH(alternatives_that_all_fulfil_come_once) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
