// SPDX-License-Identifier: MIT
// Queries that are iterated again and again: caches then hold whole results, which have to be what a first iteration gives.
// Q-ITR-01, Q-ITR-04, Q-CAC-01, Q-CAC-04.
#include <string.h>

#include "query_scene.h"

enum { AGAIN = 4 };

// A tree, a base, pairs: all kinds of fields, in tables of one and of several rows.
static void make_world_of_all_kinds(ecs_world_t *world) {
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab), likes = ecs_lookup(world, "Likes");
    ecs_set(world, base, Mass, { 7 });
    ecs_entity_t parents[4] = { make(world, "p0", "Position") };
    for (int i = 1; i < 4; i++) {
        parents[i] = make(world, NULL, i == 2 ? NULL : "Position");
        ecs_add_pair(world, parents[i], EcsChildOf, parents[i - 1]);
    }
    for (int i = 0; i < 24; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Velocity, { (float)i, 1 });
        if (i % 2) ecs_add_pair(world, e, EcsChildOf, parents[i / 2 % 4]);
        if (i % 3 == 0) ecs_add_pair(world, e, EcsIsA, base);
        if (i % 4 == 0) ecs_set(world, e, Position, { (float)i, 2 });
        if (i % 5 == 0) ecs_add_pair(world, e, likes, parents[i % 4]);
        if (i % 6 == 0) ecs_add_pair(world, e, likes, parents[(i + 1) % 4]);
    }
}

// Everything that results say. Before the first one, or after that of the given number, a row comes into another table.
static char *text_of(ecs_world_t *world, const ecs_query_t *q, int create_at) {
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    ecs_iter_t it = ecs_query_iter(world, q);
    if (create_at == 0) ecs_add(world, ecs_new(world), Mass);
    for (int at = 1; ecs_query_next(&it); at++) {
        ecs_strbuf_append(
            &out, "%d+%d of %p behind %d:", it.offset, it.count, (void *)it.table, it.frame_offset);
        for (int i = 0; i < it.count; i++)
            ecs_strbuf_append(&out, " %llu", (unsigned long long)it.entities[i]);
        for (int8_t f = 0; f < it.field_count; f++) {
            ecs_strbuf_append(&out, " | %d %llx from %llx %p size %d%s%s", ecs_field_is_set(&it, f),
                (unsigned long long)ecs_field_id(&it, f), (unsigned long long)ecs_field_src(&it, f),
                it.ptrs[f], (int)ecs_field_size(&it, f), it.ref_fields >> f & 1 ? " ref" : "",
                it.up_fields >> f & 1 ? " up" : "");
        }
        ecs_strbuf_appendstr(&out, "\n");
        if (at % 3 == 0) ecs_iter_skip(&it);
        if (at == create_at) ecs_add(world, ecs_new(world), Mass);
    }
    assert_false(ecs_query_next(&it));
    assert_true(!it.table && !it.count);
    return ecs_strbuf_get(&out);
}

static void assert_same(char *expected, char *actual, const char *expr) {
    const char *wanted = expected ? expected : "", *found = actual ? actual : "";
    if (strcmp(wanted, found)) fail_msg("%s\n%s\nis not\n%s", expr, found, wanted);
    ecs_os_free(actual);
}

static const char *const expressions[] = { "Velocity", "Velocity, Position", "Velocity, ?Position",
    "Velocity, Position(up)", "Velocity, ?Position(up)", "Velocity, Position(self|up)",
    "Velocity, ?Position(cascade)", "Velocity, Mass(up IsA)", "Velocity, (Likes, *)",
    "Velocity, ?(Likes, *), Position(up)", "Velocity, (ChildOf, *)", "Velocity, !Position",
    "Velocity || Position, ?Mass", "Velocity, ?Position(up), ?Mass, ?(Likes, _), ?(ChildOf, *)" };

static void check_expressions(const scene_t *scene, bool instanced, bool moves) {
    ecs_world_t *world = scene->world;
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        const char *expr = expressions[i];
        ecs_query_t *q =
            ecs_query(world, { .expr = expr, .cache_kind = scene->kind, .instanced = instanced });
        assert_non_null(q);
        char *first = text_of(world, q, -1);
        for (int again = 0; again < AGAIN; again++) assert_same(first, text_of(world, q, -1), expr);
        for (int at = 0; moves && at < 12; at++) {
            assert_same(first, text_of(world, q, at), expr);
            for (int again = 0; again < AGAIN; again++)
                assert_same(first, text_of(world, q, -1), expr);
        }
        ecs_os_free(first);
        ecs_query_fini(q);
    }
}

static void each_iteration_gives_the_same(void **state) {
    scene_t *scene = *state;
    make_world_of_all_kinds(scene->world);
    check_expressions(scene, false, false);
    check_expressions(scene, true, false);
}

static void tables_may_change_between_results(void **state) {
    scene_t *scene = *state;
    make_world_of_all_kinds(scene->world);
    check_expressions(scene, false, true);
    check_expressions(scene, true, true);
}

static void shared_values_are_where_their_entity_is(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t parent = make(world, "parent", "Position"), tag = ecs_new(world);
    ecs_entity_t child = make(world, "child", "Velocity");
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_query_t *q = query_expr(scene, "Velocity, Position(up)");
    for (int i = 0; i < 3 * AGAIN; i++) {
        if (i % AGAIN == AGAIN - 1) ecs_add_id(world, parent, i / AGAIN % 2 ? ecs_new(world) : tag);
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_true(ecs_query_next(&it));
        assert_ptr_equal(ecs_field(&it, Position, 1), ecs_get(world, parent, Position));
        assert_true(ecs_field_src(&it, 1) == parent);
        assert_int_equal(
            ecs_field_column(&it, 0), ecs_table_get_type_index(world, it.table, ecs_id(Velocity)));
        assert_false(ecs_query_next(&it));
    }
    ecs_query_fini(q);
}

// One goes through results while another begins, and tables change in between.
static void nested_iterations_do_not_disturb_each_other(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_world_of_all_kinds(world);
    ecs_query_t *q = query_expr(scene, "Velocity, ?Position(up), ?(Likes, *)");
    for (int again = 0; again < AGAIN; again++) ecs_query_count(q);
    int expected = ecs_query_count(q).results, outer = 0;
    ecs_iter_t it = ecs_query_iter(world, q);
    for (; ecs_query_next(&it); outer++) {
        ecs_id_t id = ecs_field_id(&it, 2);
        ecs_add(world, ecs_new(world), Mass);
        for (int again = 0; again < AGAIN; again++)
            assert_int_equal(ecs_query_count(q).results, expected);
        assert_true(ecs_field_id(&it, 2) == id);
    }
    assert_int_equal(outer, expected);
    ecs_query_fini(q);
}

// ---- between results ----

static void delete_empty_tables(ecs_world_t *world) {
    for (int i = 0; i < 3; i++) {
        ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    }
}

enum { GUESTS = 8 };

typedef struct party_t {
    ecs_entity_t guests[GUESTS], dishes[GUESTS];
} party_t;

// Each guest is in a table of its own, and so is each dish: what is deleted takes its table along.
static party_t make_party(ecs_world_t *world) {
    party_t party;
    const ecs_entity_t likes = ecs_lookup(world, "Likes"), eats = ecs_lookup(world, "Eats"),
                       kind = make(world, "Kind", NULL), heir = make(world, "Heir", "(IsA, Kind)"),
                       near = make(world, "Near", "Reflexive"),
                       rides = make(world, "Rides", "Union"),
                       knows = make(world, "Knows", "DontFragment");
    for (int i = 0; i < GUESTS; i++) {
        party.guests[i] = ecs_new(world);
        party.dishes[i] = ecs_new_w_id(world, ecs_new(world));
        ecs_add(world, party.dishes[i], Mass);
    }
    for (int i = 0; i < GUESTS; i++) {
        const ecs_entity_t guest = party.guests[i], dish = party.dishes[i];
        ecs_add_pair(world, guest, likes, dish);
        ecs_add_pair(world, guest, eats, dish);
        ecs_add_pair(world, guest, near, dish);
        ecs_add_pair(world, guest, rides, dish);
        ecs_add_pair(world, guest, knows, dish);
        ecs_add_id(world, guest, i % 2 ? kind : heir);
    }
    return party;
}

static int index_of(const ecs_entity_t *list, ecs_entity_t entity) {
    int at = 0;
    while (at < GUESTS && list[at] != entity) at++;
    return at;
}

// Guest 0 is among the first results. 3 and 4 go with all they have, 5 goes to another table. Nobody is shown where they no longer are, and
// whom that does not concern is found as often as ever.
static void check_party(const scene_t *scene, const char *expr) {
    ecs_world_t *world = scene->world;
    const party_t party = make_party(world);
    int found[GUESTS + 1] = { 0 }, results = 0;
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            assert_true(ecs_is_alive(world, it.entities[i]));
            assert_ptr_equal(ecs_get_table(world, it.entities[i]), it.table);
            found[index_of(party.guests, it.entities[i])]++;
        }
        for (int v = 1; v < q->var_count; v++) {
            ecs_entity_t value = ecs_iter_get_var(&it, v);
            assert_true(!value || ecs_is_alive(world, value));
            if (!it.count) found[index_of(party.dishes, value)]++;
        }
        if (results++) continue;
        ecs_delete(world, party.guests[3]);
        ecs_delete(world, party.dishes[3]);
        ecs_delete(world, party.dishes[4]);
        ecs_delete(world, party.guests[4]);
        ecs_add(world, party.guests[5], Velocity);
        ecs_add(world, party.dishes[5], Velocity);
        delete_empty_tables(world);
    }
    ecs_query_fini(q);
    const int unmoved[] = { 0, 1, 2, 6, 7 };
    for (int i = 1; i < 5; i++) assert_int_equal(found[unmoved[i]], found[unmoved[0]]);
    assert_true(found[0] > 0 && found[3] <= 1 && found[4] <= 1);
    for (int i = 0; i < GUESTS; i++) ecs_delete(world, party.guests[i]);
    for (int i = 0; i < GUESTS; i++) ecs_delete(world, party.dishes[i]);
    static const char *const made[] = { "Kind", "Heir", "Near", "Rides", "Knows" };
    for (int i = 0; i < 5; i++) ecs_delete(world, ecs_lookup(world, made[i]));
}

// Only the table of the present result is locked. Q-ITR-01, Q-VAR-09, CLN-16
static void what_goes_between_results_is_not_found(void **state) {
    static const char *const about[] = { "Likes($this, $dish)",
        "Likes($this, $d) || Eats($this, $d)", "*, Likes($this, $dish)", "Kind",
        "Rides($this, $dish)", "Knows($this, $dish)", "Likes($this, $dish), Mass($dish)",
        "Likes($this, $dish), Eats($this, $dish), Kind", "Mass($dish)",
        "Mass($dish), Likes($_guest, $dish)", "Near($this, $dish), Mass($dish)",
        "Likes($this, $dish), !{ Position($dish), Npc }", "Kind, ?Knows($this, $dish)" };
    for (size_t i = 0; i < sizeof about / sizeof *about; i++) check_party(*state, about[i]);
}

// All ways of a table come, where the matches of a cache move in between. Q-ITR-01
static void tables_that_come_hide_no_way_of_the_present_one(void **state) {
    static const char *const about[] = { "(Likes, *)", "(Likes, *), ?Mass(up)",
        "(Likes, *), Eats($this, $dish)" };
    const scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "e", "Position, (Likes, Apples), (Likes, Pears), (Likes, Dogs), (Eats, Apples)");
    const ecs_entity_t likes = ecs_lookup(world, "Likes"), pears = ecs_lookup(world, "Pears");
    for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
        ecs_query_t *q = query_expr(scene, about[i]);
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_id_t last = 0;
        int results = 0;
        for (; ecs_query_next(&it); last = ecs_field_id(&it, 0), results++) {
            assert_true(ecs_field_id(&it, 0) > last); /* none twice */
            for (int n = 0; n < 20; n++) {
                ecs_entity_t other = ecs_new_w_id(world, ecs_new(world));
                ecs_add_pair(world, other, likes, pears);
                ecs_add_pair(world, other, ecs_lookup(world, "Eats"), pears);
                ecs_add(world, other, Position);
            }
        }
        assert_int_equal(results, 3);
        ecs_query_fini(q);
        ecs_delete_with(world, ecs_pair(likes, pears));
        make(
            world, "e", "Position, (Likes, Apples), (Likes, Pears), (Likes, Dogs), (Eats, Apples)");
    }
}

// Who comes to a table whose turn it was not yet is found, and none else. Q-ITR-01, Q-OR-02
static void who_comes_to_later_tables_is_found(void **state) {
    static const char *const about[] = { "Tag || Npc", "Tag", "Tag || Npc, ?Mass(up)",
        "Tag || Npc || Other", "{ Tag || Npc }, $this != Apples" };
    const scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
        const ecs_entity_t first = make(world, "first", "Npc, Tag"), e = make(world, "e", "Tag"),
                           last = make(world, "last", "Tag, Position");
        ecs_entity_t late = make(world, "late", NULL);
        ecs_query_t *q = query_expr(scene, about[i]);
        ecs_add_id(world, e, ecs_lookup(world, "Eats")); /* its table is empty now */
        int found = 0, is_late = 0;
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            if (!found) {
                ecs_remove_id(world, e, ecs_lookup(world, "Eats"));
                ecs_add_id(world, late, ecs_lookup(world, "Tag"));
            }
            found += it.count;
            for (int k = 0; k < it.count; k++) is_late += it.entities[k] == late;
        }
        assert_int_equal(is_late, 1);
        assert_int_equal(found, 4);
        ecs_query_fini(q);
        const ecs_entity_t all[] = { first, e, last, late };
        for (int k = 0; k < 4; k++) ecs_delete(world, all[k]);
    }
}

static void check_values(const scene_t *scene, const char *expr, bool instanced) {
    ecs_world_t *world = scene->world;
    ecs_entity_t base = make(world, "Base", "Mass, Tag"), likes = ecs_lookup(world, "Likes");
    for (int i = 0; i < 6; i++) {
        ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_add_pair(world, e, EcsChildOf, base);
        ecs_add_pair(world, e, likes, base);
        ecs_add(world, e, Position);
        if (i % 2) ecs_add_id(world, e, ecs_lookup(world, "Npc"));
    }
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .expr = expr, .instanced = instanced });
    int results = 0;
    ecs_iter_t it = ecs_query_iter(world, q);
    for (; ecs_query_next(&it); results++) {
        assert_true(ecs_field_src(&it, 0) == base);
        assert_ptr_equal(ecs_field(&it, Mass, 0), ecs_get(world, base, Mass));
        ecs_add_id(world, base, ecs_new(world));
        delete_empty_tables(world);
    }
    assert_int_equal(results, instanced ? 2 : 6);
    ecs_query_fini(q);
    ecs_delete(world, base);
    ecs_delete_with(world, ecs_id(Position));
}

// Q-TRV-24, Q-SRC-02, Q-INS-02
static void shared_values_may_move_between_results(void **state) {
    static const char *const about[] = { "Mass(up IsA), Position", "Mass(up), Position",
        "Mass(Base), Position", "Mass(Base), Tag(Base), Position", "?Mass(Base), Position",
        "Mass($x), Likes($this, $x), Position", "Mass(up), Likes($this, $x), Position" };
    for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
        check_values(*state, about[i], false);
        check_values(*state, about[i], true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(what_goes_between_results_is_not_found),
        BOTH(tables_that_come_hide_no_way_of_the_present_one),
        BOTH(who_comes_to_later_tables_is_found),
        BOTH(shared_values_may_move_between_results),
        BOTH(each_iteration_gives_the_same),
        BOTH(tables_may_change_between_results),
        BOTH(shared_values_are_where_their_entity_is),
        BOTH(nested_iterations_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
