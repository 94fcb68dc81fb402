// SPDX-License-Identifier: MIT
// Equality and name matching: Q-EQ-01 to Q-EQ-12.
#include "graph_scene.h"

static void make_ships(scene_t *scene) {
    make_all(scene->world, "SpaceShip PoweredBy");
    make(scene->world, "UssEnterprise", "SpaceShip");
    make(scene->world, "UssVoyager", "SpaceShip");
    make(scene->world, "Rocinante", "SpaceShip, Tag");
}

// Q-EQ-01, Q-EQ-03, Q-EQ-08, Q-EQ-11
static void this_can_be_compared_with_an_entity(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "SpaceShip($this), $this == UssVoyager", "UssVoyager");
    assert_solutions(scene, "$this == UssVoyager", "UssVoyager");
    assert_solutions(scene, "$this == Tag, SpaceShip", "");
    assert_solutions(scene, "SpaceShip($this), $this != UssVoyager", "Rocinante | UssEnterprise");
    ecs_query_t *q = query_expr(scene, "SpaceShip($this), $this == UssVoyager");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_false(ecs_field_is_set(&it, 1));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-EQ-02, Q-EQ-03
static void this_can_be_compared_with_a_name(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "$this == \"Nostromo\", SpaceShip($this)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "");
    make(scene->world, "Nostromo", "SpaceShip");
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "Nostromo");
    ecs_query_fini(q);
    assert_solutions(
        scene, "SpaceShip($this), $this != \"Rocinante\"", "Nostromo | UssEnterprise | UssVoyager");
}

// Q-EQ-04, Q-EQ-05
static void names_can_be_matched_by_a_part(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "SpaceShip($this), $this ~= \"Uss\"", "UssEnterprise | UssVoyager");
    assert_solutions(scene, "SpaceShip($this), $this ~= \"!Uss\"", "Rocinante");
}

// Q-EQ-06
static void comparisons_combine_with_or(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    assert_solutions(scene, "SpaceShip($this), $this == UssEnterprise || $this == Rocinante",
        "Rocinante | UssEnterprise");
    assert_solutions(
        scene, "$this == UssEnterprise || $this == Rocinante", "Rocinante | UssEnterprise");
}

// Q-OR-06: the field has no data, but tells which alternative holds
static void alternatives_that_compare_are_told_by_their_ids(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_query_t *q = query_expr(scene, "$this == UssEnterprise || $this == Rocinante");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int32_t count = 0;
    for (; ecs_query_next(&it); count++) {
        assert_true(ecs_field_id(&it, 0) == ecs_pair(EcsPredEq, it.entities[0]));
        assert_false(ecs_field_is_set(&it, 0));
    }
    assert_int_equal(count, 2);
    ecs_query_fini(q);
}

// Q-EQ-07
static void two_variables_can_be_compared(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_entity_t by = find(scene, "PoweredBy"), uss = find(scene, "UssVoyager");
    ecs_add_pair(scene->world, uss, by, uss);
    ecs_add_pair(scene->world, find(scene, "Rocinante"), by, uss);
    assert_solutions(
        scene, "PoweredBy($this, $source), $this != $source", "Rocinante source=UssVoyager");
    assert_solutions(
        scene, "PoweredBy($this, $source), $this == $source", "UssVoyager source=UssVoyager");
}

// Q-EQ-09
static void descriptors_can_compare(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_entity_t ship = find(scene, "SpaceShip");
    const struct {
        ecs_term_t term;
        const char *expected;
    } rows[] = {
        { { .first.id = EcsPredEq, .src.id = EcsThis, .second.id = find(scene, "Rocinante") },
            "Rocinante" },
        { { .first.id = EcsPredEq, .second.id = find(scene, "Rocinante"), .oper = EcsNot },
            "UssEnterprise | UssVoyager" },
        { { .first.id = EcsPredNeq, .second.id = find(scene, "Rocinante") },
            "UssEnterprise | UssVoyager" },
        { { .first.id = EcsPredNeq, .second.id = find(scene, "Rocinante"), .oper = EcsNot },
            "Rocinante" },
        { { .first.id = EcsPredEq, .second = { .id = EcsIsName, .name = "Rocinante" } },
            "Rocinante" },
        { { .first.id = EcsPredLookup, .second = { .id = EcsIsName, .name = "Rocinante" } },
            "Rocinante" },
        { { .first.id = EcsPredLookup, .second.name = "Rocinante", .oper = EcsNot },
            "UssEnterprise | UssVoyager" },
        { { .first.id = EcsPredMatch, .second = { .id = EcsIsName, .name = "Uss" } },
            "UssEnterprise | UssVoyager" },
        { { .first.id = EcsPredMatch,
              .second = { .id = EcsIsName, .name = "Uss" },
              .oper = EcsNot },
            "Rocinante" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .terms = { { ship }, rows[i].term } });
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        assert_lines(&it, rows[i].expected);
        ecs_query_fini(q);
    }
}

// Q-EQ-11, Q-OR-06
static void alternatives_that_compare_fill_no_field(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    ecs_entity_t docked = make(scene->world, "DockedTo", NULL),
                 dock = make(scene->world, "Dock", NULL);
    ecs_add_pair(scene->world, find(scene, "UssEnterprise"), docked, dock);
    ecs_add_pair(scene->world, find(scene, "UssVoyager"), docked, dock);
    ecs_query_t *q = query_expr(scene, "SpaceShip, $this == $x || DockedTo($this, $x)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int32_t x = ecs_query_find_var(q, "x"), results = 0;
    while (ecs_query_next(&it)) {
        assert_int_equal(ecs_field_is_set(&it, 1), ecs_iter_get_var(&it, x) == dock);
        results++;
    }
    assert_int_equal(results, 5);
    ecs_query_fini(q);
}

// Q-EQ-01, Q-EQ-10
static void wrong_comparisons_fail(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    static const char *const texts[] = { "$this == Nobody", "Rocinante == UssVoyager",
        "$this ~= Rocinante", "$this == $this", "$this == *", "$this != _" };
    int level = ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        assert_null(ecs_query(scene->world, { .expr = texts[i] }));
    const ecs_entity_t ship = find(scene, "Rocinante");
    const ecs_term_t terms[] = { { .first.id = EcsPredEq, .second.id = EcsIsName },
        { .first.id = EcsPredEq, .second.id = EcsIsName | ship },
        { .first.id = EcsPredMatch, .second.id = EcsIsName | ship } };
    for (size_t i = 0; i < sizeof(terms) / sizeof(*terms); i++)
        assert_null(ecs_query(scene->world, { .terms = { terms[i] } }));
    ecs_log_set_level(level);
}

// api/03 3: what nothing else gives a value would be everyone in the world
static void nothing_is_compared_with_a_variable_that_nobody_finds(void **state) {
    scene_t *scene = *state;
    make_ships(scene);
    static const char *const wrong[] = { "SpaceShip, $this == $x", "SpaceShip, $this != $x",
        "$x == $y", "$x == $y, $y == $x", "SpaceShip, $x != $y", "SpaceShip, $this == $x.cockpit",
        "SpaceShip, !PoweredBy($this, $x), $this != $x", "{ Tag($x) }, SpaceShip, $this == $x",
        "SpaceShip, !{ $this == $x }" };
    int level = ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        assert_null(ecs_query(scene->world, { .expr = wrong[i] }));
    ecs_log_set_level(level);
    assert_solutions(scene, "Tag, $x == $this", "Rocinante x=Rocinante");
    assert_solutions(scene, "$this == $x, Tag($x)", "Rocinante x=Rocinante");
    assert_solutions(scene, "$this == $x, $x == $y, $y == Tag", "Tag x=Tag y=Tag");
    assert_solutions(scene, "Tag, !{ SpaceShip($x), $this != $x }", "");
    assert_solutions(scene, "SpaceShip, !{ Tag($x), $this != $x }", "Rocinante x=-");
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(this_can_be_compared_with_an_entity),
        BOTH(this_can_be_compared_with_a_name), BOTH(names_can_be_matched_by_a_part),
        BOTH(comparisons_combine_with_or), BOTH(alternatives_that_compare_are_told_by_their_ids),
        BOTH(two_variables_can_be_compared), BOTH(descriptors_can_compare),
        BOTH(alternatives_that_compare_fill_no_field), BOTH(wrong_comparisons_fail),
        BOTH(nothing_is_compared_with_a_variable_that_nobody_finds) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
