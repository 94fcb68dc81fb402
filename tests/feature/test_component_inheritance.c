// SPDX-License-Identifier: MIT
// Component inheritance: Q-CIN-01 to Q-CIN-06, Q-CIN-08.
#include <stdlib.h>
#include <string.h>

#include "graph_scene.h"

static void make_units(scene_t *scene) {
    make_all(scene->world, "Unit");
    make(scene->world, "Melee", "(IsA, Unit)");
    make(scene->world, "Ranged", "(IsA, Unit)");
    make(scene->world, "Archer", "(IsA, Ranged)");
    make(scene->world, "u", "Unit");
    make(scene->world, "m", "Melee");
    make(scene->world, "a", "Archer");
    make(scene->world, "t", "Tag");
}

// Q-CIN-01, Q-CIN-02, Q-CIN-05
static void kinds_count_as_what_they_are_kinds_of(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    assert_solutions(scene, "Unit", "a | m | u");
    assert_solutions(scene, "Ranged", "a");
    assert_solutions(scene, "Unit|self", "u");
    assert_solutions(scene, "Unit|self($this)", "u");
    assert_solutions(scene, "Tag || Unit", "a | m | t | u");
    assert_solutions(scene, "!Unit, Tag", "t");
}

// Q-CIN-03
static void what_is_a_kind_is_another_question(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    assert_solutions(scene, "(IsA, Unit)", "Archer | Melee | Ranged | Unit");
}

// Q-CIN-04
static void the_field_names_the_kind(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    ecs_query_t *q = query_expr(scene, "Unit");
    ecs_iter_t it;
    assert_true(ecs_query_has(q, find(scene, "a"), &it));
    assert_int_equal(ecs_field_id(&it, 0), find(scene, "Archer"));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-CIN-08
static void kinds_count_in_pairs_too(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    make(scene->world, "x", "(Likes, Archer)");
    make(scene->world, "Loves", "(IsA, Likes)");
    make(scene->world, "y", "(Loves, Melee)");
    assert_solutions(scene, "(Likes, Unit)", "x | y");
    assert_solutions(scene, "Likes|self($this, Unit)", "x");
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(kinds_count_as_what_they_are_kinds_of),
        BOTH(what_is_a_kind_is_another_question), BOTH(the_field_names_the_kind),
        BOTH(kinds_count_in_pairs_too) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
