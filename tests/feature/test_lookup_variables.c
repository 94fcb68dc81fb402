// SPDX-License-Identifier: MIT
// Lookup variables: Q-LKP-01 to Q-LKP-05.
#include "graph_scene.h"

static ecs_entity_t make_child(scene_t *scene, ecs_entity_t parent, const char *name) {
    return ecs_entity_init(scene->world, &(ecs_entity_desc_t){ .parent = parent, .name = name });
}

static void make_ships(scene_t *scene) {
    make_all(scene->world, "SpaceShip Powered Orbits");
    make(scene->world, "s1", "SpaceShip");
    make(scene->world, "s2", "SpaceShip");
    make(scene->world, "s3", "SpaceShip");
    ecs_add_id(
        scene->world, make_child(scene, find(scene, "s1"), "cockpit"), find(scene, "Powered"));
    make_child(scene, find(scene, "s2"), "cockpit");
}

// Q-LKP-01, Q-LKP-02, Q-LKP-03, Q-LKP-04
static void children_are_looked_up_per_entity(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "SpaceShip($this), Powered($this.cockpit)", "s1");
    assert_solutions(scene, "SpaceShip($this), !Powered($this.cockpit)", "s2 | s3");
}

// Q-LKP-05
static void any_variable_and_nested_names_are_looked_up(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    make_all(scene->world, "earth mars");
    ecs_entity_t station = make_child(scene, find(scene, "earth"), "station");
    ecs_add_id(scene->world, make_child(scene, station, "dock"), find(scene, "Powered"));
    make(scene->world, "s1", "(Orbits, earth)");
    make(scene->world, "s2", "(Orbits, mars)");
    assert_solutions(
        scene, "SpaceShip, (Orbits, $planet), Powered($planet.station.dock)", "s1 planet=earth");
    assert_solutions(
        scene, "SpaceShip, (Orbits, $planet), !Powered($planet.station.dock)", "s2 planet=mars");
}

// Nobody else names the variable: nobody's child of that name may have the id. Others may have no value, which skips the term.
static void not_asks_children_of_everyone(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    make_all(scene->world, "Broken Docked");
    make(scene->world, "s1.cockpit", "(Docked, s2)");
    assert_solutions(scene, "SpaceShip, !Powered($x.cockpit)", "");
    assert_solutions(scene, "SpaceShip, !Broken($x.cockpit)", "s1 x=- | s2 x=- | s3 x=-");
    assert_solutions(scene, "SpaceShip, !Docked($x.cockpit, $this)", "s1 x=- | s3 x=-");
    assert_solutions(scene, "SpaceShip, !Docked($x.cockpit, $y)", "");
    assert_solutions(scene, "SpaceShip, !{ !Broken($x.cockpit) }", "");
    assert_solutions(scene, "SpaceShip, ?Broken($y), !Docked($x.cockpit, $y)",
        "s1 y=- x=- | s2 y=- x=- | s3 y=- x=-");
}

// Q-SRC-05, Q-SRC-07
static void the_child_is_the_source(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_entity_t cockpit = ecs_lookup(scene->world, "s2.cockpit");
    ecs_set(scene->world, cockpit, Mass, { 7 });
    ecs_query_t *q = query_expr(scene, "SpaceShip, Mass($this.cockpit)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.entities[0], find(scene, "s2"));
    assert_int_equal(ecs_field_src(&it, 1), cockpit);
    assert_false(ecs_field_is_self(&it, 1));
    assert_true(ecs_field_is_readonly(&it, 1));
    assert_float_equal(ecs_field(&it, Mass, 1)->value, 7, 0);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(children_are_looked_up_per_entity),
        BOTH(any_variable_and_nested_names_are_looked_up), BOTH(not_asks_children_of_everyone),
        BOTH(the_child_is_the_source) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
