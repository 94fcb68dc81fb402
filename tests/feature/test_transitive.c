// SPDX-License-Identifier: MIT
// Transitive relationships: Q-TRN-01 to Q-TRN-09.
#include "graph_scene.h"

static void make_places(scene_t *scene, bool with_trait) {
    make_all(scene->world, "LocatedIn City NewYork Manhattan CentralPark");
    if (with_trait)
        ecs_add_id(scene->world, find(scene, "LocatedIn"), EcsTransitive);
    else
        ecs_add_id(scene->world, find(scene, "LocatedIn"), EcsTraversable);
    make(scene->world, "NewYork", "City");
    make(scene->world, "Manhattan", "(LocatedIn, NewYork)");
    make(scene->world, "CentralPark", "(LocatedIn, Manhattan)");
    make(scene->world, "Bob", "(LocatedIn, CentralPark)");
}

// Q-TRN-01, Q-TRN-04, Q-TRN-05
static void a_place_is_reached_from_everything_in_it(void **state) {
    scene_t *scene = *state;
    make_places(scene, true);
    assert_solutions(scene, "(LocatedIn, NewYork)", "Bob | CentralPark | Manhattan");
    assert_solutions(scene, "LocatedIn($this, NewYork|self)", "Manhattan");
    assert_solutions(scene, "LocatedIn(Bob, NewYork)", ".");
    assert_solutions(scene, "LocatedIn(NewYork, Bob)", "");
    assert_solutions(scene, "(LocatedIn, Manhattan), !(LocatedIn, CentralPark)", "CentralPark");
}

// Q-TRN-01, Q-TRV-19: who looks elsewhere takes pairs as they are there
static void what_is_below_is_in_the_place_that_it_names(void **state) {
    scene_t *scene = *state;
    make_places(scene, true);
    make(scene->world, "Walk", "(LocatedIn, Manhattan)");
    make(scene->world, "Tour", NULL);
    ecs_add_pair(scene->world, find(scene, "Walk"), EcsIsA, find(scene, "Tour"));
    assert_solutions(scene, "LocatedIn($this|down IsA, Manhattan)", "Tour");
    assert_solutions(
        scene, "LocatedIn($this|self|down IsA, Manhattan)", "CentralPark | Tour | Walk");
    assert_solutions(scene, "LocatedIn($this|down IsA, $place)", "Tour place=Manhattan");
    ecs_add_id(scene->world, make(scene->world, "Near", NULL), EcsReflexive);
    ecs_add_pair(scene->world, find(scene, "Walk"), find(scene, "Near"), find(scene, "Manhattan"));
    assert_solutions(scene, "Near($this|down IsA, Manhattan)", "Tour");
}

// Q-TRN-02, Q-TRN-03, Q-TRN-06
static void all_places_are_found_upwards(void **state) {
    scene_t *scene = *state;
    make_places(scene, true);
    assert_solutions(scene, "(LocatedIn, $place)",
        "Bob place=CentralPark | Bob place=Manhattan | Bob place=NewYork | CentralPark place=Manhattan | CentralPark place=NewYork | "
        "Manhattan place=NewYork");
    assert_solutions(scene, "(LocatedIn, $place), City($place)",
        "Bob place=NewYork | CentralPark place=NewYork | Manhattan place=NewYork");
    assert_solutions(scene, "LocatedIn(Bob, $place)",
        ". place=CentralPark | . place=Manhattan | . place=NewYork");
    ecs_query_t *q = query_expr(scene, "(LocatedIn, $place)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 0, find(scene, "Bob"));
    assert_lines(&it, "Bob place=CentralPark | Bob place=Manhattan | Bob place=NewYork");
    it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 1, find(scene, "Manhattan"));
    assert_lines(&it, "Bob place=Manhattan | CentralPark place=Manhattan");
    ecs_query_fini(q);
}

// Q-TRN-07
static void several_paths_give_one_result(void **state) {
    scene_t *scene = *state;
    make_places(scene, true);
    make(scene->world, "Eve", "(LocatedIn, CentralPark), (LocatedIn, Manhattan)");
    assert_solutions(scene, "(LocatedIn, NewYork)", "Bob | CentralPark | Eve | Manhattan");
    assert_solutions(scene, "LocatedIn(Eve, $place)",
        ". place=CentralPark | . place=Manhattan | . place=NewYork");
}

// Q-TRN-08
static void the_explicit_form_needs_no_trait(void **state) {
    scene_t *scene = *state;
    make_places(scene, false);
    assert_solutions(scene, "(LocatedIn, NewYork)", "Manhattan");
    assert_solutions(
        scene, "(LocatedIn, NewYork|self|down LocatedIn)", "Bob | CentralPark | Manhattan");
    assert_solutions(
        scene, "(LocatedIn, NewYork[self|sub(LocatedIn)])", "Bob | CentralPark | Manhattan");
}

// Q-TRN-09
static void changes_of_the_chain_are_followed(void **state) {
    scene_t *scene = *state;
    make_places(scene, true);
    ecs_query_t *q = query_expr(scene, "(LocatedIn, NewYork)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "Bob | CentralPark | Manhattan");
    ecs_remove_pair(scene->world, find(scene, "CentralPark"), find(scene, "LocatedIn"),
        find(scene, "Manhattan"));
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "Manhattan");
    ecs_query_fini(q);
}

// GRT-13
static void cycles_end_and_give_each_pair_once(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t near = make(world, "Near", NULL);
    ecs_add_id(world, near, EcsTransitive);
    ecs_remove_id(world, near, EcsAcyclic);
    make_all(world, "a b c d");
    make(world, "a", "(Near, b)");
    make(world, "b", "(Near, c)");
    make(world, "c", "(Near, a), (Near, d), Npc");
    assert_solutions(scene, "(Near, $x)",
        "a x=a | a x=b | a x=c | a x=d | b x=a | b x=b | b x=c | b x=d | c x=a | c x=b | c x=c | c x=d");
    assert_solutions(scene, "(Near, a)", "a | b | c");
    assert_solutions(scene, "(Near, d), Npc", "c");
    assert_solutions(scene, "Npc(up Near)", "a | b | c"); /* c is above itself */
    ecs_delete(world, ecs_lookup(world, "b"));
    assert_solutions(scene, "(Near, $x)", "c x=a | c x=d");
}

// GRT-13: around a cycle all are as deep, whoever is asked first, so a cascade loses nobody.
static void cascades_go_around_cycles(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    enum { COUNT = 16 };
    const ecs_id_t kinds[] = { EcsTraversable, EcsDontFragment, EcsUnion };
    for (int k = 0; k < 3; k++) {
        ecs_entity_t tag = ecs_new(world), above = ecs_new(world), near = ecs_new(world);
        ecs_add_id(world, near, kinds[k]);
        ecs_add_id(world, near, EcsTraversable);
        ecs_remove_id(world, near, EcsAcyclic);
        ecs_query_t *q = ecs_query(
            world, { .terms = { { tag },
                         { above, .src.id = EcsCascade, .trav = near, .oper = EcsOptional } },
                       .cache_kind = EcsQueryCacheAuto });
        ecs_entity_t all[COUNT];
        for (int i = 0; i < COUNT; i++) all[i] = ecs_new_w_id(world, tag);
        for (uint32_t i = 0, r = 1; i < 1500; i++) {
            r = r * 1664525 + 1013904223;
            ecs_entity_t e = all[(r >> 8) % COUNT], other = all[(r >> 16) % COUNT];
            switch ((r >> 24) % 6) {
            case 0: ecs_remove_pair(world, e, near, EcsWildcard); break;
            case 1: ecs_add_id(world, e, above); break;
            case 2: ecs_remove_id(world, e, above); break;
            default: ecs_add_pair(world, e, near, other);
            }
            assert_int_equal(ecs_query_count(q).entities, COUNT);
        }
        ecs_query_fini(q);
    }
}

// GRT-13: everybody is next to everybody; and above everybody who came later.
static void many_ways_around_are_no_matter(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    enum { COUNT = 40 };
    for (int beside = 0; beside < 2; beside++) {
        const char *relationship = beside ? "Beside" : "Near", *up = beside ? "Below" : "Under";
        ecs_entity_t near = make(world, relationship, NULL), under = make(world, up, NULL);
        if (beside) ecs_add_id(world, near, EcsDontFragment);
        if (beside) ecs_add_id(world, under, EcsDontFragment);
        ecs_add_id(world, near, EcsTransitive);
        ecs_remove_id(world, near, EcsAcyclic);
        ecs_remove_id(world, near, EcsTraversable);
        ecs_add_id(world, under, EcsTraversable);
        ecs_entity_t all[COUNT];
        for (int i = 0; i < COUNT; i++) all[i] = ecs_new(world);
        for (int i = 0; i < COUNT * COUNT; i++) {
            int from = i / COUNT, to = i % COUNT;
            ecs_add_pair(world, all[from], near, all[to]);
            if (to < from) ecs_add_pair(world, all[from], under, all[to]);
        }
        char text[64];
        snprintf(text, sizeof(text), "(%s, $x)", relationship);
        ecs_query_t *q = query_expr(scene, text);
        assert_int_equal(ecs_query_count(q).entities, COUNT * COUNT);
        ecs_query_fini(q);
        snprintf(text, sizeof(text), "Tag(up %s)", up);
        q = query_expr(scene, text);
        assert_int_equal(ecs_query_count(q).entities, 0);
        ecs_add_id(world, all[0], find(scene, "Tag"));
        assert_int_equal(ecs_query_count(q).entities, COUNT - 1);
        ecs_query_fini(q);
        if (beside) continue;
        q = query_expr(scene, "Tag(cascade Under)");
        ecs_iter_t it = ecs_query_iter(world, q);
        for (int i = 1; i < COUNT; i++) {
            assert_true(ecs_query_next(&it));
            assert_int_equal(it.entities[0], all[i]); // each is one deeper than the one before
        }
        ecs_iter_fini(&it);
        ecs_query_fini(q);
    }
}

// An own pair is nearer than one of a base, and a near base than its own base, wherever they lead.
static void the_nearest_pair_tells_the_source(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "LocatedIn", "Transitive");
    make_all(world, "Usa Base");
    make(world, "Texas", "(LocatedIn, Usa)");
    make(world, "Base", "(LocatedIn, Usa)");
    make(world, "Near", "(IsA, Base), (LocatedIn, Texas)");
    make(world, "Far", "(IsA, Near)");
    static const char *const sources[][2] = { { "Near", "Near" }, { "Far", "Near" } };
    ecs_query_t *q = query_expr(scene, "LocatedIn($this, Usa)");
    for (int alone = 0; alone < 2; alone++) {
        for (int i = 0; i < 2; i++) {
            ecs_entity_t e = find(scene, sources[i][0]), source = find(scene, sources[i][1]);
            ecs_iter_t it = ecs_query_iter(world, q);
            if (alone) ecs_iter_set_var(&it, 0, e);
            do assert_true(ecs_query_next(&it));
            while (it.entities[0] != e);
            assert_int_equal(ecs_field_src(&it, 0), source == e ? 0 : source);
            ecs_iter_fini(&it);
        }
    }
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(a_place_is_reached_from_everything_in_it),
        BOTH(what_is_below_is_in_the_place_that_it_names), BOTH(all_places_are_found_upwards),
        BOTH(several_paths_give_one_result), BOTH(the_explicit_form_needs_no_trait),
        BOTH(changes_of_the_chain_are_followed), BOTH(the_nearest_pair_tells_the_source),
        BOTH(cycles_end_and_give_each_pair_once), BOTH(cascades_go_around_cycles),
        BOTH(many_ways_around_are_no_matter) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
