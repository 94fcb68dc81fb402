// SPDX-License-Identifier: MIT
// Joins: goals that ask tables for single ids, run one after the other, inside each other, and while tables come and go.
#include <string.h>

#include "query_scene.h"

enum { PLACES = 12 };

typedef struct harbour_t {
    ecs_entity_t ship, planet, docked, places[PLACES];
} harbour_t;

// Two ships at each place, in the table of the place; each third place is no planet.
static harbour_t make_harbour(ecs_world_t *world) {
    harbour_t harbour = { .ship = make(world, "SpaceShip", NULL),
        .planet = make(world, "Planet", NULL),
        .docked = make(world, "DockedTo", NULL) };
    for (int i = 0; i < PLACES; i++) {
        ecs_entity_t place = harbour.places[i] = ecs_new(world);
        if (i % 3) ecs_add_id(world, place, harbour.planet);
        ecs_set(world, place, Position, { (float)i, 0 });
        for (int k = 0; k < 2; k++) {
            ecs_entity_t ship = ecs_new_w_id(world, harbour.ship);
            ecs_add_pair(world, ship, harbour.docked, place);
        }
    }
    return harbour;
}

// Q-VAR-09, Q-VAR-10
static void a_preset_variable_finds_the_same_in_any_order_of_terms(void **state) {
    scene_t *scene = *state;
    harbour_t harbour = make_harbour(scene->world);
    const char *exprs[] = { "SpaceShip, (DockedTo, $p), Planet($p)",
        "Planet($p), (DockedTo, $p), SpaceShip", "(DockedTo, $p), SpaceShip, Planet($p)" };
    for (int e = 0; e < 3; e++) {
        ecs_query_t *q = query_expr(scene, exprs[e]);
        int32_t var = ecs_query_find_var(q, "p");
        for (int i = 0; i < PLACES; i++) {
            ecs_iter_t it = ecs_query_iter(scene->world, q);
            ecs_iter_set_var(&it, var, harbour.places[i]);
            if (i % 3) {
                assert_true(ecs_query_next(&it));
                assert_int_equal(it.count, 2);
                assert_int_equal(ecs_iter_get_var(&it, var), harbour.places[i]);
                assert_true(
                    ecs_has_pair(scene->world, it.entities[1], harbour.docked, harbour.places[i]));
            }
            assert_false(ecs_query_next(&it));
        }
        ecs_query_fini(q);
    }
}

// Q-VAR-09: ids of one's own choice, far from all others
static void targets_may_have_any_index(void **state) {
    scene_t *scene = *state;
    const harbour_t harbour = make_harbour(scene->world);
    const ecs_entity_t far = 5000000;
    ecs_make_alive(scene->world, far);
    ecs_add_id(scene->world, far, harbour.planet);
    ecs_set(scene->world, far, Position, { 99, 0 });
    const ecs_entity_t ship = ecs_new_w_id(scene->world, harbour.ship);
    ecs_add_pair(scene->world, ship, harbour.docked, far);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), Planet($p), Position($p)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int found = 0;
    while (ecs_query_next(&it)) {
        if (ecs_iter_get_var(&it, ecs_query_find_var(q, "p")) != far) continue;
        assert_int_equal(it.entities[0], ship);
        assert_int_equal(ecs_field(&it, Position, 3)->x, 99);
        found++;
    }
    assert_int_equal(found, 1);
    ecs_query_fini(q);
}

static int count_ships(const scene_t *scene, const ecs_query_t *q, ecs_entity_t place) {
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, ecs_query_find_var(q, "p"), place);
    int count = 0;
    while (ecs_query_next(&it)) count += it.count;
    return count;
}

static void joins_run_inside_each_other(void **state) {
    scene_t *scene = *state;
    make_harbour(scene->world);
    ecs_query_t *places = query_expr(scene, "SpaceShip, (DockedTo, $p), Planet($p)");
    ecs_query_t *ships = query_expr(scene, "(DockedTo, $p), SpaceShip");
    int32_t var = ecs_query_find_var(places, "p");
    int results = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, places);
    while (ecs_query_next(&it)) {
        assert_int_equal(count_ships(scene, ships, ecs_iter_get_var(&it, var)), 2);
        results++;
    }
    assert_int_equal(results, 8);
    ecs_query_fini(ships);
    ecs_query_fini(places);
}

// A variable's values come with it; where only some tables have values, the others give none.
static void fields_of_variables_have_their_values(void **state) {
    scene_t *scene = *state;
    harbour_t harbour = make_harbour(scene->world);
    ecs_entity_t ship = ecs_new_w_id(scene->world, harbour.ship);
    ecs_set_id(
        scene->world, ship, ecs_pair(harbour.docked, ecs_id(Mass)), sizeof(Mass), &(Mass){ 7 });
    ecs_set(scene->world, ecs_id(Mass), Position, { 99, 0 });
    ecs_query_t *q = query_of(scene,
        (ecs_query_desc_t){ .expr = "SpaceShip, (DockedTo, $p), Position($p)", .instanced = true });
    int32_t var = ecs_query_find_var(q, "p");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int results = 0;
    for (; ecs_query_next(&it); results++) {
        const Position *at = ecs_field(&it, Position, 2);
        ecs_entity_t place = ecs_iter_get_var(&it, var);
        assert_ptr_equal(at, ecs_get(scene->world, place, Position));
        assert_int_equal(ecs_field_src(&it, 2), place);
        const Mass *mass = ecs_field_w_size(&it, 0, 1);
        if (place != ecs_id(Mass)) assert_null(mass);
        if (place == ecs_id(Mass)) assert_true(mass && mass->value == 7);
    }
    assert_int_equal(results, PLACES + 1);
    ecs_query_fini(q);
}

// Tables that are made meanwhile do not come; places in lists are found again.
static void tables_may_come_and_go_between_results(void **state) {
    scene_t *scene = *state;
    harbour_t harbour = make_harbour(scene->world);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), Planet($p)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int results = 0;
    while (ecs_query_next(&it)) {
        assert_true(ecs_has_id(scene->world, it.entities[0], harbour.ship));
        ecs_entity_t place = ecs_new_w_id(scene->world, harbour.planet);
        ecs_entity_t ship = ecs_new_w_id(scene->world, harbour.ship);
        ecs_add_pair(scene->world, ship, harbour.docked, place);
        if (results == 2) { // what was passed, and what is still to come
            ecs_delete_with(scene->world, ecs_pair(harbour.docked, harbour.places[1]));
            ecs_delete_with(scene->world, ecs_pair(harbour.docked, harbour.places[7]));
            ecs_delete_empty_tables(
                scene->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
            ecs_delete_empty_tables(
                scene->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        }
        results++;
    }
    assert_int_equal(results, 7);
    ecs_query_fini(q);
}

// The next table is another one when rows came to one before it, or it has none any more.
static void rows_may_come_and_go_between_results(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    harbour_t harbour = make_harbour(world);
    const int expected[] = { 1, 2, 4, 7, 8, 10, 11 };
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), Planet($p)");
    int32_t var = ecs_query_find_var(q, "p");
    ecs_delete_with(world, ecs_pair(harbour.docked, harbour.places[2]));
    ecs_iter_t it = ecs_query_iter(world, q);
    int results = 0;
    for (; ecs_query_next(&it); results++) {
        assert_int_equal(ecs_iter_get_var(&it, var), harbour.places[expected[results]]);
        if (results == 0)
            ecs_add_pair(
                world, ecs_new_w_id(world, harbour.ship), harbour.docked, harbour.places[2]);
        if (results == 2) ecs_delete_with(world, ecs_pair(harbour.docked, harbour.places[5]));
    }
    assert_int_equal(results, 7);
    ecs_query_fini(q);
}

enum { BERTHS = 200 };

// Lists of tables are gone through 64 at a time. Of these some have no rows, have them again when their turn comes, or are new; a result
// that is skipped is one like others. Q-VAR-09
static void long_lists_are_gone_through_to_their_end(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    const ecs_entity_t ship = make(world, "SpaceShip", NULL),
                       docked = make(world, "DockedTo", NULL);
    ecs_entity_t places[BERTHS], ships[BERTHS];
    for (int i = 0; i < BERTHS; i++) {
        places[i] = ecs_new_w_id(world, ship); // a table of no place is the first one
        ships[i] = ecs_new_w_id(world, ship);
        ecs_add_pair(world, ships[i], docked, places[i]);
    }
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p)");
    int32_t var = ecs_query_find_var(q, "p");
    for (int i = 60; i < 195; i++) ecs_delete(world, ships[i]);
    ecs_iter_t it = ecs_query_iter(world, q);
    int next = 0;
    for (; ecs_query_next(&it); next++) {
        if (next == 60) next = 130;
        if (next == 131) next = 195;
        assert_int_equal(it.count, 1);
        assert_int_equal(ecs_iter_get_var(&it, var), places[next]);
        assert_true(it.flags & EcsIterIsValid);
        assert_false(it.flags & EcsIterSkip);
        if (next % 3 == 0) ecs_iter_skip(&it);
        if (next == 20) ecs_add_pair(world, ecs_new_w_id(world, ship), docked, places[130]);
        if (next == 130) ecs_add_pair(world, ecs_new_w_id(world, ship), docked, ecs_new(world));
    }
    assert_int_equal(next, BERTHS);
    ecs_query_fini(q);
}

// What prefabs bring is found through them, before and after there are any.
static void joins_see_what_is_inherited(void **state) {
    scene_t *scene = *state;
    harbour_t harbour = make_harbour(scene->world);
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), Planet($p)");
    assert_int_equal(ecs_query_count(q).entities, 16);
    ecs_entity_t base = ecs_new_w_id(scene->world, EcsPrefab);
    ecs_add_id(scene->world, base, harbour.planet);
    ecs_add_pair(scene->world, harbour.places[0], EcsIsA, base);
    assert_int_equal(ecs_query_count(q).entities, 18);
    ecs_remove_pair(scene->world, harbour.places[0], EcsIsA, base);
    assert_int_equal(ecs_query_count(q).entities, 16);
    ecs_query_fini(q);
}

// What cannot be fulfilled is not tried with all values of variables that have nothing to do with it.
static void unrelated_variables_do_not_multiply_failures(void **state) {
    scene_t *scene = *state;
    char expr[512] = "";
    for (int v = 0; v < 12; v++) { // twelve variables with twenty values each
        char name[16], term[32];
        snprintf(name, sizeof(name), "Set%c", 'A' + v);
        ecs_entity_t set = make(scene->world, name, NULL);
        for (int i = 0; i < 20; i++) ecs_new_w_id(scene->world, set);
        snprintf(term, sizeof(term), "%s($%c), ", name, 'a' + v);
        strcat(expr, term);
    }
    make(scene->world, "x", "(Likes, Dogs), (Eats, Cats)");
    strcat(expr, "Likes($p, $q), Eats($p, $q)"); // each has a value, never the same
    ecs_query_t *q = query_expr(scene, expr);
    assert_false(ecs_query_is_true(q));
    ecs_query_fini(q);
    strcat(expr, ", !{ Likes($r, $s), Eats($r, $s) }");
    q = query_expr(scene, expr);
    assert_false(ecs_query_is_true(q));
    ecs_query_fini(q);
}

// Which values a scope fails for is known from within it.
static void a_scope_that_fails_takes_no_combinations_of_the_rest(void **state) {
    scene_t *scene = *state;
    make(scene->world, "x", "(Likes, Dogs), (Eats, Cats), Other");
    make(scene->world, "Dogs", "Other");
    make(scene->world, "Cats", "Other");
    ecs_entity_t other = ecs_lookup(scene->world, "Other");
    for (int i = 0; i < 100; i++) ecs_new_w_id(scene->world, other);
    const char *all = "$a == $g, $b == $h, $c == $i, $d == $j, $e == $k, $f == $l, "
                      "Other($g), Other($h), Other($i), Other($j), Other($k), Other($l)";
    const char *some = "Likes($a, $b), Eats($c, $d), Likes($e, $f)";
    static const char *const scopes[] = { "%s, { %s, Likes($f, $a) }", "%s, { %s }",
        "%s, !{ !{ %s, Likes($f, $a) } }", "%s, !{ !{ %s } }" };
    for (int i = 0; i < 4; i++) {
        char expr[512];
        snprintf(expr, sizeof(expr), scopes[i], all, some);
        ecs_query_t *q = query_expr(scene, expr);
        assert_int_equal(ecs_query_count(q).results, i % 2);
        ecs_query_fini(q);
    }
}

// ---- the same with and without a join ----

// Ships at places, of which some have parents that are planets; some ships and places are instances of prefabs.
static void make_fleet(ecs_world_t *world) {
    harbour_t harbour = make_harbour(world);
    ecs_entity_t hull = make(world, "hull", "Prefab, SpaceShip, Npc, (Eats, Apples)");
    ecs_entity_t rock = make(world, "rock", "Prefab, Planet, Other");
    ecs_set(world, rock, Position, { -1, -1 });
    ecs_entity_t sun = make(world, "Sun", "Tag, (Likes, Cats)");
    ecs_set(world, sun, Mass, { 9 });
    for (int i = 0; i < PLACES; i++) {
        ecs_entity_t place = ecs_new_w_pair(world, EcsIsA, rock);
        if (i & 1) ecs_remove(world, place, Position);
        ecs_entity_t ship = ecs_new_w_pair(world, EcsIsA, hull);
        ecs_add_pair(world, ship, harbour.docked, place);
        if (i & 2) ecs_add_pair(world, ship, harbour.docked, harbour.places[i]);
        if (i & 4) ecs_set(world, ship, Velocity, { (float)i, 1 });
        if (i == 5) ecs_add_id(world, ship, harbour.ship);
        ecs_entity_t mate = ecs_new_w_pair(world, EcsChildOf, ship);
        if (i % 3) ecs_set(world, mate, Velocity, { 2, (float)i });
    }
}

static void assert_same_field(const ecs_iter_t *a, const ecs_iter_t *b, int8_t f) {
    assert_int_equal(ecs_field_is_set(a, f), ecs_field_is_set(b, f));
    assert_int_equal(ecs_field_id(a, f), ecs_field_id(b, f));
    assert_int_equal(ecs_field_src(a, f), ecs_field_src(b, f));
    assert_int_equal(ecs_field_size(a, f), ecs_field_size(b, f));
    assert_int_equal(ecs_field_is_self(a, f), ecs_field_is_self(b, f));
    assert_ptr_equal(ecs_field_w_size(a, 0, f), ecs_field_w_size(b, 0, f));
}

// An iteration that counts goes step by step. `change`: what happens in the world after each result.
static int compare_with_steps(
    const scene_t *scene, const ecs_query_t *q, void (*change)(ecs_world_t *world, int result)) {
    ecs_iter_t joined = ecs_query_iter(scene->world, q), stepped = ecs_query_iter(scene->world, q);
    stepped.flags |= EcsIterProfile;
    int results = 0;
    for (; ecs_query_next(&joined); results++) {
        assert_true(ecs_query_next(&stepped));
        assert_int_equal(joined.count, stepped.count);
        assert_int_equal(joined.offset, stepped.offset);
        assert_ptr_equal(joined.table, stepped.table);
        assert_ptr_equal(joined.entities, stepped.entities);
        assert_int_equal(joined.set_fields, stepped.set_fields);
        assert_int_equal(joined.ref_fields, stepped.ref_fields);
        assert_int_equal(joined.up_fields, stepped.up_fields);
        for (int32_t v = 1; v < q->var_count; v++)
            assert_int_equal(ecs_iter_get_var(&joined, v), ecs_iter_get_var(&stepped, v));
        for (int8_t f = 0; f < q->field_count; f++) assert_same_field(&joined, &stepped, f);
        if (change) change(scene->world, results);
    }
    assert_false(ecs_query_next(&stepped));
    return results;
}

// Q-VAR-02, Q-VAR-07, Q-VAR-08, Q-TRV-06, Q-TRV-16, Q-SRC-02, Q-SRC-11, Q-OPT-02
static void joins_give_what_steps_give(void **state) {
    scene_t *scene = *state;
    make_fleet(scene->world);
    static const struct {
        const char *expr;
        int results;
    } cases[] = {
        { "SpaceShip, (DockedTo, $p), Planet($p)", 24 },
        { "SpaceShip, (DockedTo, $p), Position($p), Other($p)", 12 },
        { "SpaceShip, Velocity, (DockedTo, $p), !Other($p)", 2 },
        { "SpaceShip, ?Velocity, !Tag, (DockedTo, $p), ?Position($p), ?Other($p)", 30 },
        { "SpaceShip(self), (DockedTo, $p), Planet($p|self)", 8 },
        { "Npc(up IsA), (DockedTo, $p), Position($p|up IsA)", 12 },
        { "SpaceShip(up), Velocity, (ChildOf, $s), DockedTo($s, $p), Planet($p)", 12 },
        { "Velocity, SpaceShip(up(ChildOf, 1)), (ChildOf, $s), ?Velocity($s), !Npc($s|self)", 8 },
        { "Mass(Sun), ?Position(Sun), !Other(Sun), SpaceShip, (DockedTo, $p), Planet($p)", 24 },
        { "Tag(Sun), !Tag(Sun), SpaceShip, (DockedTo, $p)", 0 },
        { "Planet($p), DockedTo($s, $p), Velocity($s), Eats($s, Apples)", 5 },
        { "DockedTo($s, $p), !Velocity($s), Likes(Sun, $c)", 36 },
        { "(DockedTo, $p), (DockedTo, $q), Other($p), !Other($q), $p != $q", 6 },
        { "Velocity, Velocity($this|up), (ChildOf, $s)", 3 },
        { "SpaceShip($s), DockedTo($s, $p), DockedTo($s, $q), $p != $q", 12 },
        { "SpaceShip, (DockedTo, $p), $p != Sun, (DockedTo, $q), $q == $p", 30 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int instanced = 0; instanced < 2; instanced++) {
            ecs_query_t *q = query_of(
                scene, (ecs_query_desc_t){ .expr = cases[i].expr, .instanced = instanced });
            assert_int_equal(compare_with_steps(scene, q, NULL), cases[i].results);
            ecs_query_fini(q);
        }
    }
}

// What was found above one table holds for the next only while nothing changes. A cache says what held in the beginning. Q-TRV-23
static void what_is_above_may_change_between_results(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_fleet(world);
    ecs_entity_t hull = ecs_lookup(world, "hull"), npc = ecs_lookup(world, "Npc");
    ecs_query_t *q = query_expr(scene, "Npc(up IsA), (DockedTo, $p), ?Tag(up IsA)");
    ecs_iter_t joined = ecs_query_iter(world, q), stepped = ecs_query_iter(world, q);
    stepped.flags |= EcsIterProfile;
    int results = 0;
    for (; ecs_query_next(&joined); results++) {
        assert_true(ecs_query_next(&stepped));
        assert_ptr_equal(joined.table, stepped.table);
        assert_int_equal(ecs_field_is_set(&joined, 2), results > 3);
        for (int8_t f = 0; f < 3; f++) assert_same_field(&joined, &stepped, f);
        if (results == 3) ecs_add_id(world, hull, ecs_lookup(world, "Tag"));
        if (results == 6) ecs_remove_id(world, hull, npc);
    }
    assert_false(ecs_query_next(&stepped));
    assert_int_equal(results, 7);
    ecs_query_fini(q);
}

// Entities that variables and terms stand for may move between results: values are where they are now. Q-VAR-09
static void values_are_found_where_their_entities_are_now(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    harbour_t harbour = make_harbour(world);
    const ecs_entity_t place = harbour.places[1], tag = make(world, "Tag", NULL);
    ecs_set_name(world, place, "Here");
    for (int i = 0; i < 3; i++) { // four tables of ships at that place
        ecs_entity_t ship = ecs_new_w_id(world, harbour.ship);
        ecs_add_id(world, ship, ecs_new(world));
        ecs_add_pair(world, ship, harbour.docked, place);
    }
    ecs_query_t *q = query_expr(scene, "SpaceShip, (DockedTo, $p), Position($p), Position(Here)");
    for (int stepped = 0; stepped < 2; stepped++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_iter_set_var(&it, ecs_query_find_var(q, "p"), place);
        if (stepped) it.flags |= EcsIterProfile;
        int results = 0;
        for (; ecs_query_next(&it); results++) {
            const Position *now = ecs_get(world, place, Position);
            assert_ptr_equal(ecs_field_w_size(&it, 0, 2), now);
            assert_ptr_equal(ecs_field_w_size(&it, 0, 3), now);
            if (results == 0) ecs_add_id(world, place, tag);
            if (results == 1) ecs_remove_id(world, place, tag);
            ecs_delete_empty_tables(
                world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        }
        assert_int_equal(results, 4);
    }
    ecs_query_fini(q);
}

// What was on the stack before is no field of an iterator.
static __attribute__((noinline)) void dirty_stack(void) {
    volatile unsigned char bytes[32768];
    for (size_t i = 0; i < sizeof(bytes); i++) bytes[i] = 0xA5;
}

static void terms_without_source_have_empty_fields(void **state) {
    scene_t *scene = *state;
    make(scene->world, "x", "Tag, (Likes, Dogs)");
    make(scene->world, "y", "Tag, (Likes, Dogs)");
    ecs_query_t *q = query_expr(scene, "Position(), (Likes, $o), Tag");
    for (int i = 0; i < 3; i++) {
        dirty_stack();
        assert_results(q, "x y: -Position, (Likes,Dogs), Tag");
    }
    ecs_query_fini(q);
}

// Q-VAR-07, Q-SRC-05: whatever else inherits something
static void pairs_between_two_variables_fill_their_field(void **state) {
    scene_t *scene = *state;
    ecs_entity_t a = make(scene->world, "a", "(Likes, Dogs)");
    make(scene->world, "base", NULL);
    make(scene->world, "other", "(IsA, base)");
    ecs_query_t *q = query_expr(scene, "Likes($x, $y)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_true(ecs_field_is_set(&it, 0));
    assert_true(ecs_id_in_use(scene->world, ecs_field_id(&it, 0)));
    assert_true(
        ecs_pair_second(scene->world, ecs_field_id(&it, 0)) == ecs_lookup(scene->world, "Dogs"));
    assert_true(ecs_field_src(&it, 0) == a);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// ---- goals that are more than a question to a table ----

// Things in rooms in houses, one of them in two houses, another in a long row of boxes; some are instances of who is in a room.
static void make_places(ecs_world_t *world) {
    make(world, "In", "Transitive, PairIsTag");
    make(world, "House", NULL);
    make(world, "Box", NULL);
    make(world, "h1", "House, Tag");
    make(world, "h2", "House");
    make(world, "r1", "(In, h1)");
    make(world, "r2", "(In, h2)");
    make(world, "door", "(In, h1), (In, h2), Other");
    make(world, "lamp", "Prefab, (In, r1), Npc");
    const ecs_entity_t in = ecs_lookup(world, "In"), house = ecs_lookup(world, "House");
    ecs_entity_t box = ecs_lookup(world, "r2");
    for (int i = 0; i < 40; i++) {
        ecs_entity_t outer = box;
        box = make(world, NULL, "Box");
        ecs_add_pair(world, box, in, outer);
    }
    const ecs_entity_t places[] = { ecs_lookup(world, "r1"), ecs_lookup(world, "r2"),
        ecs_lookup(world, "door"), ecs_lookup(world, "h1"), house, box };
    const ecs_entity_t npc = ecs_lookup(world, "Npc"), likes = ecs_lookup(world, "Likes");
    for (int i = 0; i < 24; i++) {
        ecs_entity_t thing = ecs_new_w_id(world, npc);
        ecs_add_pair(world, thing, in, places[i % 6]);
        if (i % 5) ecs_add_pair(world, thing, likes, places[(i + 1) % 4]);
        if (i % 7 == 3) ecs_add_pair(world, thing, EcsIsA, ecs_lookup(world, "lamp"));
        if (i % 4 == 1) ecs_set(world, thing, Position, { (float)i, 0 });
    }
}

// Q-TRN-02, Q-TRN-03, Q-TRN-07: along a transitive relationship, too, and with scopes and Optionals beside it
static void joins_with_goals_give_what_steps_give(void **state) {
    scene_t *scene = *state;
    make_places(scene->world);
    static const struct {
        const char *expr;
        int results;
    } cases[] = { { "Npc, In($this, $h), House($h)", 19 }, { "Npc, In($this, h1)", 11 },
        { "Npc, Likes($this, $p), In($this, $h), In($p, $h), House($h)", 6 },
        { "Npc, Likes($this, $p), In($this, $h), House($h), !In($p, $h)", 7 },
        { "Npc, ?Position, Likes($this, $p), ?In($p, $h), In($this, $o), House($o)", 17 },
        { "Npc, Likes($this, $p), In($this, $h), House($h), !{ In($p, $h), Tag($h) }", 10 },
        { "Npc, Likes($this, $p), { In($p, $h) || House($p) }, In($this, $q), Tag($q)", 7 },
        { "Box, In($this, $h), Tag($h) || House($h), $h != h1", 40 },
        { "In($x, $y), In($y, $z), House($z), $x != door", 1004 },
        { "Position, In($this, $p), Likes($q, $p), Npc($q), In($q, $h), Tag($h)", 15 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ecs_query_t *q = query_expr(scene, cases[i].expr);
        assert_non_null(q);
        const int results = compare_with_steps(scene, q, NULL);
        if (results != cases[i].results) fail_msg("%s: %d results", cases[i].expr, results);
        ecs_query_fini(q);
    }
}

// Rows move, and tables come and go, among places.
static void move_house(ecs_world_t *world, int result) {
    const ecs_entity_t in = ecs_lookup(world, "In");
    const ecs_entity_t room = ecs_lookup(world, result & 1 ? "r1" : "r2");
    const ecs_entity_t guest = ecs_new_w_id(world, ecs_new(world)); // in a table of its own
    ecs_add_pair(world, guest, in, result % 3 ? room : ecs_new(world));
    ecs_set(world, room, Position, { (float)result, 1 });
    if (result % 4 == 3) ecs_add_pair(world, room, in, ecs_lookup(world, "h1"));
    if (result == 5) ecs_remove_pair(world, ecs_lookup(world, "h2"), in, EcsWildcard);
    if (result == 7) ecs_add_pair(world, ecs_lookup(world, "h2"), in, ecs_lookup(world, "h1"));
    if (result == 6) ecs_remove(world, room, Position);
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
}

static void goals_follow_what_comes_and_goes_between_results(void **state) {
    scene_t *scene = *state;
    make_places(scene->world);
    static const char *const exprs[] = { "Npc, In($this, $h), House($h)",
        "Npc, Likes($this, $p), ?Position($p), In($this, $h), !In($p, $h), House($h)",
        "Npc, In($this, $p), Position($p), ?In($p, $h), !{ Tag($h), Box($this) }",
        "In($x, $y), In($y, $z), House($z), ?Position($y)" };
    for (size_t i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++) {
        ecs_query_t *q = query_expr(scene, exprs[i]);
        assert_true(compare_with_steps(scene, q, move_house) > 3);
        assert_true(ecs_world_verify(scene->world));
        ecs_query_fini(q);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(targets_may_have_any_index),
        BOTH(a_preset_variable_finds_the_same_in_any_order_of_terms),
        BOTH(pairs_between_two_variables_fill_their_field), BOTH(joins_run_inside_each_other),
        BOTH(fields_of_variables_have_their_values), BOTH(tables_may_come_and_go_between_results),
        BOTH(rows_may_come_and_go_between_results), BOTH(long_lists_are_gone_through_to_their_end),
        BOTH(joins_see_what_is_inherited), BOTH(joins_give_what_steps_give),
        BOTH(joins_with_goals_give_what_steps_give),
        BOTH(goals_follow_what_comes_and_goes_between_results),
        ONE(what_is_above_may_change_between_results, uncached),
        BOTH(values_are_found_where_their_entities_are_now),
        BOTH(unrelated_variables_do_not_multiply_failures),
        BOTH(a_scope_that_fails_takes_no_combinations_of_the_rest),
        BOTH(terms_without_source_have_empty_fields) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
