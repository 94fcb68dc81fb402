// SPDX-License-Identifier: MIT
// Queries for components that are switched on and off per entity: results are runs of rows.
#include "query_scene.h"

#include <muster/runtime/runtime.h>

#include "check.h"

enum { ROWS = 5 };

static ecs_entity_t make_toggled(ecs_world_t *world, ecs_entity_t *rows) {
    ecs_add_id(world, ecs_lookup(world, "Tag"), EcsCanToggle);
    ecs_add_id(world, ecs_lookup(world, "Likes"), EcsCanToggle);
    ecs_add_id(world, ecs_id(Velocity), EcsCanToggle);
    ecs_entity_t tag = ecs_lookup(world, "Tag");
    for (int i = 0; i < ROWS; i++) {
        char name[16];
        snprintf(name, sizeof(name), "e%d", i);
        rows[i] = make(world, name, "Position, Tag");
        ecs_enable_id(world, rows[i], tag, true); /* all in one table */
    }
    return tag;
}

static void And_returns_runs_of_rows_that_are_switched_on(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e[ROWS], tag = make_toggled(scene->world, e);
    ecs_query_t *q = query_expr(scene, "Tag, Position");
    assert_results(q, "e0 e1 e2 e3 e4: Tag, Position");
    ecs_enable_id(scene->world, e[1], tag, false);
    ecs_enable_id(scene->world, e[2], tag, false);
    assert_results(q, "e0: Tag, Position | e3 e4: Tag, Position");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it) && it.offset == 0 && it.count == 1);
    assert_true(ecs_query_next(&it) && it.offset == 3 && it.count == 2 && it.frame_offset == 1);
    assert_ptr_equal(ecs_field(&it, Position, 1), ecs_get(scene->world, e[3], Position));
    ecs_iter_fini(&it);
    it = ecs_query_iter(scene->world, q);
    assert_int_equal(ecs_iter_count(&it), 3);
    assert_false(ecs_query_has(q, e[1], &it));
    assert_true(ecs_query_has(q, e[4], &it) && it.offset == 4 && it.count == 1);
    ecs_iter_fini(&it);
    ecs_table_range_t range = { ecs_get_table(scene->world, e[0]), 1, 3 };
    assert_true(ecs_query_has_range(q, &range, &it) && it.offset == 3 && it.count == 1);
    ecs_iter_fini(&it);
    for (int i = 0; i < ROWS; i++) ecs_enable_id(scene->world, e[i], tag, false);
    assert_results(q, "");
    assert_false(ecs_query_is_true(q));
    ecs_query_fini(q);
}

static void Not_returns_rows_that_are_switched_off_or_lack_it(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e[ROWS], tag = make_toggled(scene->world, e);
    make(scene->world, "without", "Position");
    ecs_enable_id(scene->world, make(scene->world, "bit_only", "Position"), tag, false);
    ecs_enable_id(scene->world, e[1], tag, false);
    ecs_enable_id(scene->world, e[2], tag, false);
    assert_query(scene, "Position, !Tag",
        "without: Position, -Tag | e1 e2: Position, -Tag | bit_only: Position, -Tag");
}

static void Optional_is_set_run_by_run(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e[ROWS], tag = make_toggled(scene->world, e);
    for (int i = 0; i < ROWS; i++) {
        ecs_set(scene->world, e[i], Velocity, { (float)i, 0 });
        ecs_enable_component(scene->world, e[i], Velocity, true);
    }
    ecs_enable_component(scene->world, e[0], Velocity, false);
    ecs_enable_component(scene->world, e[1], Velocity, false);
    ecs_enable_id(scene->world, e[3], tag, false);
    ecs_query_t *q = query_expr(scene, "Position, ?Velocity, Tag");
    assert_results(q, "e0 e1: Position, -Velocity, Tag | e2: Position, Velocity, Tag | "
                      "e4: Position, Velocity, Tag");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it) && !ecs_field(&it, Velocity, 1) && ecs_field(&it, Position, 0));
    assert_true(ecs_query_next(&it));
    assert_near(ecs_field(&it, Velocity, 1)->x, 2, 0);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

static void Or_does_not_look_at_switches(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e[ROWS], tag = make_toggled(scene->world, e);
    ecs_enable_id(scene->world, e[1], tag, false);
    assert_query(scene, "Tag || Velocity", "e0 e1 e2 e3 e4: Tag");
}

static void pairs_have_switches_of_their_own(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t rows[ROWS];
    make_toggled(world, rows);
    ecs_entity_t e = make(world, "a", "(Likes, Apples), (Likes, Pears)"),
                 likes = ecs_lookup(world, "Likes"), apples = ecs_lookup(world, "Apples");
    make(world, "b", "(Likes, Apples)");
    ecs_enable_id(world, e, ecs_pair(likes, apples), false);
    assert_query(scene, "(Likes, *)", "b: (Likes,Apples) | a: (Likes,Pears)");
    assert_query(scene, "(Likes, Apples)", "b: (Likes,Apples)");
    assert_query(scene, "(Likes, _)", "b: (Likes,*) | a: (Likes,*)");
    assert_query(scene, "Likes($this, $x)", "b: (Likes,Apples) | a: (Likes,Pears)");
    assert_query(scene, "Likes($x, Apples)", ": (Likes,Apples)@b");
    assert_query(scene, "?(Likes, *), !Position, (Likes, _)",
        "b: (Likes,Apples), -Position, (Likes,*) | a: (Likes,Pears), -Position, (Likes,*)");
    ecs_enable_id(world, e, ecs_pair(likes, ecs_lookup(world, "Pears")), false);
    assert_query(scene, "(Likes, _)", "b: (Likes,*)");
    assert_query(scene, "!(Likes, *), (Likes, _) || (Eats, *)", "a: -(Likes,*), (Likes,*)");
    assert_query(scene, "?(Likes, *), (Likes, _) || (Eats, *)",
        "b: (Likes,Apples), (Likes,*) | a: -(Likes,*), (Likes,*)");
}

static void other_sources_are_asked_for_their_switch(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t rows[ROWS], tag = make_toggled(world, rows);
    ecs_entity_t parent = make(world, "p", "Tag"),
                 child = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_set_name(world, child, "c");
    ecs_query_t *up = query_expr(scene, "Tag(up)"), *not_up = query_expr(scene, "!Tag(up), Npc"),
                *fixed = query_expr(scene, "Tag(p)"),
                *optional = query_expr(scene, "?Tag(up), Npc");
    assert_results(up, "p.c: Tag@p");
    assert_results(fixed, ": Tag@p");
    make(world, "p.c", "Npc");
    assert_results(not_up, "");
    ecs_enable_id(world, parent, tag, false);
    assert_results(up, "");
    assert_results(fixed, "");
    assert_results(not_up, "p.c: -Tag, Npc");
    assert_results(optional, "p.c: -Tag, Npc");
    ecs_enable_id(world, parent, tag, true);
    assert_results(up, "p.c: Tag@p");
    assert_results(optional, "p.c: Tag@p, Npc");
    ecs_query_fini(up);
    ecs_query_fini(not_up);
    ecs_query_fini(fixed);
    ecs_query_fini(optional);
}

static void goals_and_runs_go_together(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t e[ROWS], tag = make_toggled(world, e);
    ecs_entity_t eats = ecs_lookup(world, "Eats"), apples = ecs_lookup(world, "Apples");
    for (int i = 0; i < ROWS; i++) ecs_add_pair(world, e[i], eats, apples);
    ecs_enable_id(world, e[2], tag, false);
    ecs_query_t *q = query_expr(scene, "Eats($this, $x), Tag");
    assert_results(q, "e0 e1: (Eats,Apples), Tag | e3 e4: (Eats,Apples), Tag");
    ecs_iter_t it = ecs_query_iter(world, q);
    ecs_iter_set_var(&it, ecs_query_find_var(q, "x"), apples);
    assert_iter(&it, "e0 e1: (Eats,Apples), Tag | e3 e4: (Eats,Apples), Tag");
    assert_false(ecs_query_has(q, e[2], &it));
    assert_true(ecs_query_has(q, e[3], &it));
    ecs_iter_fini(&it);
    assert_query(
        scene, "Eats($this, $x), !{ Tag }", "e2: (Eats,Apples), -ScopeOpen, -Tag, -ScopeClose");
    ecs_query_fini(q);
}

// The goal finds all rows of its table, of which the plain term leaves some.
static void rows_that_a_goal_finds_are_cut_by_switches(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t e[ROWS], tag = make_toggled(world, e), eats = make(world, "Eats", NULL),
                          other = ecs_new(world), food = ecs_new_w_pair(world, eats, other);
    for (int i = 0; i < 100; i++) ecs_add_id(world, ecs_new_w_id(world, ecs_new(world)), tag);
    for (int i = 0; i < 100; i++)
        ecs_add_pair(world, ecs_new_w_id(world, ecs_new(world)), eats, e[0]);
    for (int i = 0; i < ROWS; i++) {
        ecs_set_pair(world, e[i], Position, other, { 0, 0 });
        ecs_set_pair(world, e[i], Position, food, { (float)i, 0 });
        ecs_enable_id(world, e[i], tag, i == 1 || i == 3);
    }
    ecs_query_t *q = query_expr(scene, "Tag, (Position, $x), Eats($x, _)");
    ecs_iter_t it = ecs_query_iter(world, q);
    for (int i = 1; i <= 3; i += 2) {
        assert_true(ecs_query_next(&it) && it.count == 1);
        assert_int_equal(ecs_field(&it, Position, 1)->x, i);
    }
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

static void a_query_can_ask_for_whole_tables(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e[ROWS], tag = make_toggled(scene->world, e);
    ecs_enable_id(scene->world, e[1], tag, false);
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .expr = "Tag", .flags = EcsQueryTableOnly });
    assert_results(q, "e0 e1 e2 e3 e4: Tag");
    ecs_query_fini(q);
}

static void marks_of_ids_are_ids_too(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t rows[ROWS], tag = make_toggled(world, rows);
    make(world, "plain", "Tag");
    ecs_enable_id(world, make(world, "bit", NULL), tag, false);
    ecs_add_id(world, make(world, "p", NULL), ECS_AUTO_OVERRIDE | tag);
    ecs_query_t *q = query_expr(scene, "toggle|Tag");
    assert_results(q, "e0 e1 e2 e3 e4: TOGGLE|Tag | bit: TOGGLE|Tag");
    char *text = ecs_query_str(q);
    assert_string_equal(text, "TOGGLE|Tag($this)");
    ecs_os_free(text);
    ecs_query_fini(q);
    assert_query(scene, "auto_override|Tag", "p: AUTO_OVERRIDE|Tag");
}

// ---- systems ----

static void visit(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) p[i].x += 1;
}

// Quanta are ranges of rows; runs end with them.
static void systems_visit_rows_that_are_switched_on(void **state) {
    (void)state;
    for (int32_t threads = 1; threads <= 3; threads++) {
        ecs_world_t *world = ecs_init();
        ecs_id(Position) = 0;
        ECS_COMPONENT_DEFINE(world, Position);
        ecs_add_id(world, ecs_id(Position), EcsCanToggle);
        ecs_system(
            world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                       .query.terms = { { ecs_id(Position) } },
                       .callback = visit,
                       .multi_threaded = true });
        enum { COUNT = 20000 };
        ecs_entity_t *all = ecs_os_malloc_n(ecs_entity_t, COUNT);
        for (int i = 0; i < COUNT; i++) {
            all[i] = ecs_new(world);
            ecs_set(world, all[i], Position, { 0, 0 });
            ecs_enable_component(world, all[i], Position, i % 7 && (i / 100) % 3);
        }
        ecs_set_threads(world, threads);
        for (int tick = 0; tick < 3; tick++) ecs_progress(world, 0);
        for (int i = 0; i < COUNT; i++) {
            assert_near(ecs_get(world, all[i], Position)->x, i % 7 && (i / 100) % 3 ? 3 : 0, 0);
        }
        ecs_os_free(all);
        ecs_fini(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(And_returns_runs_of_rows_that_are_switched_on),
        BOTH(Not_returns_rows_that_are_switched_off_or_lack_it),
        BOTH(Optional_is_set_run_by_run),
        BOTH(Or_does_not_look_at_switches),
        BOTH(pairs_have_switches_of_their_own),
        BOTH(other_sources_are_asked_for_their_switch),
        BOTH(goals_and_runs_go_together),
        BOTH(rows_that_a_goal_finds_are_cut_by_switches),
        BOTH(a_query_can_ask_for_whole_tables),
        BOTH(marks_of_ids_are_ids_too),
        cmocka_unit_test(systems_visit_rows_that_are_switched_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
