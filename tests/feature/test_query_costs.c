// SPDX-License-Identifier: MIT
// What queries cost, counted in steps instead of time: PRF-01 to PRF-05, PRF-09, PRF-12, PRF-13, Q-CAC-04, TRT-06.
#include <stdlib.h>
#include <string.h>

#include "graph_scene.h"

#include "check.h"

enum { MANY = 500 };

// One table each, without any of the ids that tests look for.
static void make_tables(ecs_world_t *world, int count) {
    for (int i = 0; i < count; i++) ecs_new_w_id(world, ecs_new(world));
}

static int64_t tries(const scene_t *scene, const char *expr) {
    ecs_query_t *q = query_expr(scene, expr);
    int32_t results;
    int64_t count = tries_of(q, &results);
    ecs_query_fini(q);
    return count;
}

// PRF-02, PRF-03: tables that do not match cost nothing, others the same each.
static void finding_tables_costs_as_much_as_there_are(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    for (int i = 0; i < 10; i++) {
        ecs_entity_t e = ecs_new_w_id(world, ecs_new(world));
        ecs_add(world, e, Position);
        ecs_add_pair(world, e, find(scene, "Likes"), find(scene, "Apples"));
    }
    static const char *const texts[] = { "Position", "(Likes, Apples)", "(Likes, *)",
        "(*, Apples)" };
    int64_t before[4];
    for (int i = 0; i < 4; i++) before[i] = tries(scene, texts[i]);
    make_tables(world, MANY);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tries(scene, texts[i]), before[i]);
        assert_true(before[i] <= 10 * 5 + 5);
    }
}

// PRF-03: what wildcards stand for does not matter to other conditions of the same table.
static void a_condition_that_fails_is_asked_once_per_table(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t e = make(world, "e", "Tag"), likes = find(scene, "Likes");
    for (int i = 0; i < 10; i++) ecs_add_pair(world, e, likes, ecs_new(world));
    make(world, "f", "Tag, (Likes, Apples)");
    static const char *const texts[] = { "(Likes, *), (Likes, *), (Likes, *), !Tag",
        "(Likes, *), (Likes, *), (Likes, *), Npc || Other",
        "(Likes, *), (Likes, *), (Likes, *), Likes($this, $x), Eats($x, $y)" };
    for (int i = 0; i < 3; i++) assert_true(tries(scene, texts[i]) <= 50);
    assert_query(scene, "(Likes, *), (Likes, *), Likes($this, $x), Apples($x)", "");
    ecs_add_id(world, find(scene, "Apples"), find(scene, "Apples"));
    assert_query(scene, "(Likes, *), (Likes, *), Likes($this, $x), Apples($x)",
        "f: (Likes,Apples), (Likes,Apples), (Likes,Apples), Apples@Apples");
}

// PRF-04, PRF-12, Q-CAC-04: a cache answers without running anything.
static void caches_run_no_operation(void **state) {
    scene_t *scene = *state;
    if (scene->kind != EcsQueryCacheAuto) return;
    ecs_world_t *world = scene->world;
    make(world, "p", "Tag, Npc");
    for (int i = 0; i < 20; i++) {
        ecs_entity_t e = ecs_new_w_id(world, ecs_new(world));
        ecs_add(world, e, Position);
        ecs_add(world, e, Velocity);
        ecs_add_pair(world, e, EcsChildOf, find(scene, "p"));
    }
    make_tables(world, MANY);
    static const char *const texts[] = { "Position", "Position, Velocity, !Mass, ?Other",
        "Position, Tag(up), Npc(up), !Other(up)", "Position || Mass, (ChildOf, *)" };
    for (int i = 0; i < 4; i++) {
        ecs_query_t *q = query_expr(scene, texts[i]);
        int32_t results;
        assert_int_equal(tries_of(q, &results), 0);
        assert_int_equal(results, 20);
        ecs_query_fini(q);
    }
}

static int64_t allocations(void) {
    return ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count;
}

static void ask(ecs_world_t *world, ecs_entity_t e, ecs_id_t id) {
    ecs_entity_t relationship = ECS_PAIR_FIRST(id);
    assert_true(ecs_has_id(world, e, id));
    assert_true(ecs_has_pair(world, e, relationship, EcsWildcard));
    assert_true(ecs_get_target(world, e, relationship, 0) != 0);
}

// What a search needs it keeps, and its stage keeps it for the next.
static void searches_allocate_nothing_when_repeated(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, find(scene, "Likes"), EcsTransitive);
    ecs_add_id(world, find(scene, "Likes"), EcsTraversable);
    make(world, "top", "Tag, (Eats, Pears)");
    ecs_entity_t below = find(scene, "top");
    for (int i = 0; i < 40; i++) {
        ecs_entity_t e = ecs_new_w_pair(world, find(scene, "Likes"), below);
        ecs_add_pair(world, e, EcsChildOf, below);
        ecs_set(world, e, Position, { (float)i, 0 });
        if (i % 3 == 0) ecs_add_pair(world, e, find(scene, "Eats"), find(scene, "Apples"));
        if (i % 4 == 0) below = e;
    }
    static const struct {
        const char *expr;
        int32_t results;
    } cases[] = { { "Position, (Likes, $x), Tag($x)", 21 }, { "Position, Tag($this|all|up)", 21 },
        { "Position, (Likes, top)", 21 }, { "Position, Eats($this|self|up, $x)", 42 },
        { "Tag, Eats($this|all|down, Apples)", 14 }, { "Position, Eats($this|up IsA, $x)", 0 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ecs_query_t *q = query_expr(scene, cases[i].expr);
        for (int again = 0; again < 3; again++)
            assert_int_equal(ecs_query_count(q).results, cases[i].results);
        const int64_t before = allocations();
        assert_int_equal(ecs_query_count(q).results, cases[i].results);
        assert_int_equal(allocations(), before);
        ecs_query_fini(q);
    }
}

// Results of the first query of `depth` that are asked for by each result of the next, and so on.
static int32_t search_within(const scene_t *scene, ecs_query_t *const *queries, int32_t depth) {
    ecs_iter_t it = ecs_query_iter(scene->world, queries[depth]);
    int32_t results = 0;
    while (ecs_query_next(&it)) results += depth ? search_within(scene, queries, depth - 1) : 1;
    return results;
}

// The same for searches that are asked while others show their results.
static void searches_within_searches_allocate_nothing(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    for (int i = 0; i < 4; i++) {
        ecs_entity_t e = ecs_new_w_pair(world, find(scene, "Likes"), find(scene, "Apples"));
        ecs_set(world, e, Position, { (float)i, 0 });
        ecs_add_id(world, e, ecs_new(world)); // a table each
    }
    make(world, "Apples", "Tag");
    ecs_query_t *queries[] = { query_expr(scene, "Position, (Likes, $x), Tag($x)"),
        query_expr(scene, "Tag($x), (Likes, $x)"), query_expr(scene, "Likes($this, $x), Tag($x)") };
    for (int again = 0; again < 3; again++)
        assert_int_equal(search_within(scene, queries, 2), 4 * 4 * 4);
    const int64_t before = allocations();
    assert_int_equal(search_within(scene, queries, 2), 4 * 4 * 4);
    assert_int_equal(allocations(), before);
    for (int i = 0; i < 3; i++) ecs_query_fini(queries[i]);
}

// PRF-12, Q-CAS-01: each move ends some depths and begins others.
static void depths_that_come_and_go_allocate_nothing(void **state) {
    const scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_query_t *q = query_expr(scene, "Position, ?Position(cascade)");
    ecs_entity_t e[30] = { 0 };
    for (int i = 0; i < 30; i++) {
        e[i] = ecs_insert(world, ecs_value(Position, { 0, 0 }));
        if (i) ecs_add_pair(world, e[i], EcsChildOf, e[i - 1]);
    }
    int64_t before = 0;
    for (int move = 0; move < 40; move++) {
        if (move == 20) before = allocations();
        ecs_add_pair(world, e[12], EcsChildOf, e[move % 2 ? 3 : 11]);
        assert_int_equal(ecs_query_count(q).entities, 30);
    }
    assert_int_equal(allocations(), before);
    ecs_query_fini(q);
}

static void toggle_id(ecs_world_t *world, ecs_entity_t e, ecs_id_t id) {
    ecs_add_id(world, e, id);
    ecs_remove_id(world, e, id);
}

// PRF-01; tests/budget counts the instructions in a small and in a large world.
static void questions_about_pairs_allocate_nothing_in_any_world(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_id_t id = ecs_pair(find(scene, "Likes"), find(scene, "Apples"));
    ecs_entity_t e = ecs_new_w_id(world, id);
    for (int i = 0; i < 4 * MANY; i++) {
        ecs_entity_t other = ecs_new_w_pair(world, find(scene, "Likes"), ecs_new(world));
        ecs_add_pair(world, other, ecs_new(world), find(scene, "Apples"));
    }
    int64_t before = allocations();
    for (int i = 0; i < 100; i++) ask(world, e, id);
    assert_int_equal(allocations(), before);
}

// PRF-05; tests/budget counts the instructions.
static void pairs_are_added_like_components(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t e = ecs_new_w(world, Position);
    ecs_id_t pair = ecs_pair(find(scene, "Likes"), find(scene, "Apples"));
    for (int i = 0; i < 2; i++) { /* the first walk makes tables, the second edges */
        toggle_id(world, e, pair);
        toggle_id(world, e, ecs_id(Velocity));
    }
    int64_t before = allocations();
    for (int i = 0; i < 100; i++) {
        toggle_id(world, e, pair);
        toggle_id(world, e, ecs_id(Velocity));
    }
    assert_int_equal(allocations(), before);
}

// PRF-09, PRF-13: one result, and one pointer, per table instead of one per entity.
static void instanced_results_are_whole_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t base = make(world, "base", "Mass");
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_set(world, e, Position, { 1, 2 });
        if (i % 2) ecs_set(world, e, Velocity, { 1, 2 });
    }
    for (int instanced = 0; instanced < 2; instanced++) {
        ecs_query_t *q = query_of(scene,
            (ecs_query_desc_t){ .expr = "Position, Mass, ?Velocity", .instanced = instanced });
        int32_t results = 0, entities = 0;
        ecs_iter_t it = ecs_query_iter(world, q);
        for (; ecs_query_next(&it); results++) {
            entities += it.count;
            const Velocity *v = ecs_field(&it, Velocity, 2);
            assert_ptr_equal(v, ecs_get(world, it.entities[0], Velocity));
        }
        assert_int_equal(entities, 100);
        assert_int_equal(results, instanced ? 2 : 100);
        ecs_query_fini(q);
    }
}

// TRT-06
static void final_ids_are_looked_up_alone(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, make(world, "Sealed", NULL), EcsFinal);
    make(world, "Open", NULL);
    make(world, "Kind", "(IsA, Open)");
    make(world, "s", "Sealed");
    make(world, "k", "Kind");
    ecs_query_t *sealed = query_expr(scene, "Sealed"), *open = query_expr(scene, "Open");
    char *of_sealed = ecs_query_plan(sealed), *of_open = ecs_query_plan(open);
    assert_non_null(strstr(of_sealed, "with"));
    assert_null(strstr(of_sealed, "goal"));
    assert_non_null(strstr(of_open, "goal"));
    ecs_os_free(of_sealed);
    ecs_os_free(of_open);
    assert_results(sealed, "s: Sealed");
    assert_results(open, "k: Kind");
    ecs_query_fini(sealed);
    ecs_query_fini(open);
}

// TRT-09
static void what_is_not_passed_on_is_not_found_above(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_pair(world, ecs_id(Position), EcsOnInstantiate, EcsDontInherit);
    make(world, "p", "Position, Velocity");
    make(world, "p.c", "Tag");
    make(world, "p.c.g", "Tag");
    assert_query(scene, "Position(up ChildOf)", "");
    assert_query(scene, "Position(self|up), Velocity", "p: Position, Velocity");
    assert_query(scene, "Velocity(up ChildOf)", "p.c: Velocity@p | p.c.g: Velocity@p");
    assert_query(scene, "Tag, !Position(up)", "p.c: Tag, -Position | p.c.g: Tag, -Position");
    assert_query(scene, "Position(all|up ChildOf)", "");
}

// TRT-10
static void what_is_inherited_is_looked_for_up_IsA(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ecs_set_defaults(world, &(ecs_defaults_t){ .on_instantiate = EcsOverride, .instanced = true });
    ecs_entity_t shared = make(world, "Shared", "(OnInstantiate, Inherit)"),
                 copied = make(world, "Copied", NULL);
    make(world, "base", "Prefab, Shared, Copied");
    make(world, "inst", "(IsA, base)");
    ecs_query_t *q = ecs_query(world, { .terms = { { shared }, { copied } } });
    char *text = ecs_query_str(q);
    assert_string_equal(text, "Shared($this|self|up IsA), Copied($this)");
    ecs_os_free(text);
    assert_results(q, "inst: Shared@base, Copied");
    ecs_query_t *written = ecs_query(world, { .expr = "Shared(self|up IsA), Copied(self)" });
    assert_results(written, "inst: Shared@base, Copied");
    ecs_query_fini(q);
    ecs_query_fini(written);
    ecs_fini(world);
}

// PRF-04: all have the one target, but nobody shares the other.
static void who_has_a_rare_target_is_found_by_that(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    for (int i = 0; i < MANY; i++) {
        const ecs_entity_t e = ecs_new_w_pair(world, find(scene, "Likes"), find(scene, "Apples"));
        ecs_add_pair(world, e, find(scene, "Eats"), ecs_new(world));
    }
    static const char *const texts[] = {
        "Likes($this, $h), Eats($this, $b), Likes($x, $h), Eats($x, $b)",
        "Likes($this, $h), Eats($this, $b), Eats($x, $b), Likes($x, $h)"
    };
    for (int i = 0; i < 2; i++) assert_true(tries(scene, texts[i]) <= 10 * MANY);
}

// Whoever is somewhere along a transitive relationship may be in the one place that is asked for.
static void who_is_somewhere_is_found_by_what_is_rarer(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "In", "Transitive");
    const ecs_entity_t place = ecs_new(world);
    ecs_entity_t food[8];
    for (int i = 0; i < 8; i++) food[i] = ecs_new(world);
    for (int i = 0; i < MANY; i++) {
        const ecs_entity_t e = ecs_new_w_pair(world, find(scene, "Eats"), food[i % 8]);
        ecs_add_pair(world, e, find(scene, "In"), place);
        ecs_add_id(world, e, ecs_new(world)); // a table each
    }
    static const char *const texts[] = { "Eats($this, $f), In($this, $p), Eats($x, $f), In($x, $p)",
        "Eats($this, $f), In($this, $p), In($x, $p), Eats($x, $f)" };
    for (int i = 0; i < 2; i++) assert_true(tries(scene, texts[i]) <= MANY * MANY / 2);
}

// Each of the first entities knows the eight behind it; what they know is kept beside tables.
static void make_acquaintances(ecs_world_t *world, const ecs_entity_t *entities, int count) {
    const ecs_entity_t knows = ecs_entity(world, { .name = "Knows" });
    ecs_add_id(world, knows, EcsDontFragment);
    for (int i = 0; i < count; i++) {
        for (int k = 1; k <= 8; k++)
            ecs_add_pair(world, entities[i], knows, entities[(i + k) % count]);
    }
}

// How often results come to another entity than the one before.
static int turns_of(const scene_t *scene, const char *expr) {
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_entity_t last = 0;
    int turns = 0;
    while (ecs_query_next(&it)) {
        turns += it.entities[0] != last;
        last = it.entities[0];
    }
    ecs_query_fini(q);
    return turns;
}

// Rows that terms find are compared with those of another term: neither seems less because it is spread over many tables.
static void where_a_search_begins_does_not_depend_on_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t entities[160], places[32];
    for (int i = 0; i < 32; i++) places[i] = ecs_new(world);
    for (int i = 0; i < 160; i++) {
        entities[i] = ecs_new_w_id(world, find(scene, "Npc"));
        ecs_add_id(world, entities[i], places[i % 32]);
    }
    make_acquaintances(world, entities, 160);
    assert_int_equal(turns_of(scene, "Npc, Knows($this, $o), Npc($o)"), 160);
}

// What few entities have limits a search more than what is in few tables.
static void searches_begin_with_what_few_have(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_bulk_new_w_id(world, find(scene, "Npc"), 1000);
    ecs_entity_t entities[100];
    for (int i = 0; i < 100; i++) {
        entities[i] = ecs_new_w_id(world, find(scene, "Tag"));
        ecs_add_id(world, entities[i], find(scene, "Npc"));
    }
    for (int i = 0; i < 40; i++) { // tables that are empty by now
        const ecs_entity_t e = ecs_new_w_id(world, find(scene, "Tag"));
        ecs_add_id(world, e, ecs_new(world));
        ecs_delete(world, e);
    }
    make_acquaintances(world, entities, 100);
    // One per entity and three per pair; two more per pair where pairs come first.
    assert_true(tries(scene, "Npc, Tag, Knows($this, $o), Npc($o)") <= 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(finding_tables_costs_as_much_as_there_are),
        BOTH(a_condition_that_fails_is_asked_once_per_table),
        BOTH(caches_run_no_operation),
        BOTH(questions_about_pairs_allocate_nothing_in_any_world),
        BOTH(searches_allocate_nothing_when_repeated),
        BOTH(searches_within_searches_allocate_nothing),
        ONE(depths_that_come_and_go_allocate_nothing, cached),
        BOTH(pairs_are_added_like_components),
        BOTH(who_has_a_rare_target_is_found_by_that),
        BOTH(who_is_somewhere_is_found_by_what_is_rarer),
        BOTH(where_a_search_begins_does_not_depend_on_tables),
        BOTH(searches_begin_with_what_few_have),
        BOTH(instanced_results_are_whole_tables),
        BOTH(final_ids_are_looked_up_alone),
        BOTH(what_is_not_passed_on_is_not_found_above),
        cmocka_unit_test(what_is_inherited_is_looked_for_up_IsA),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
