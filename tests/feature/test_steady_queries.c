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

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(each_iteration_gives_the_same),
        BOTH(tables_may_change_between_results),
        BOTH(shared_values_are_where_their_entity_is),
        BOTH(nested_iterations_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
