// SPDX-License-Identifier: MIT
// Sorting: features.md area Q-SRT, Q-GRP-09.
#include "sorting_scene.h"

static int by_entity(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    assert_null(v1);
    assert_null(v2);
    compared++;
    return (e1 > e2) - (e1 < e2);
}

/** Values of results in order; slices in brackets. */
#define assert_depths(q, expected) assert_depths_(q, expected, __FILE__, __LINE__)
static void assert_depths_(ecs_query_t *q, const char *expected, const char *file, int line) {
    char text[512];
    int length = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {
        const Depth *d = ecs_field(&it, Depth, 0);
        length += sprintf(text + length, length ? " |" : "");
        for (int i = 0; i < it.count; i++) {
            const Depth *value = ecs_field_is_self(&it, 0) ? &d[i] : d;
            length += sprintf(text + length, length ? " %d" : "%d", value->value);
        }
    }
    text[length] = 0;
    if (!strcmp(text, expected)) return;
    print_error("depths are  %s\nexpected    %s\n", text, expected);
    _fail(file, line);
}

// Q-SRT-01, Q-SRT-13
static void entities_come_in_the_order_of_the_callback(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_query_t *q = by_own_depth(scene);
    assert_depths(q, "");
    at(scene->world, 3, NULL), at(scene->world, 1, NULL), at(scene->world, 2, NULL);
    assert_depths(q, "1 2 3");
    at(scene->world, 0, NULL);
    assert_depths(q, "0 1 2 3");
    ecs_query_fini(q);
    q = sorted(scene,
        (ecs_query_desc_t){
            .expr = "Depth", .order_by = ecs_id(Depth), .order_by_callback = by_depth_descending });
    assert_depths(q, "3 2 1 0");
    ecs_query_fini(q);
}

// Q-SRT-02, E-12
static void tables_are_merged_by_slices(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_table_t *plain = ecs_get_table(world, at(world, 11, NULL)),
                *fast = ecs_get_table(world, at(world, 7, "Velocity")),
                *heavy = ecs_get_table(world, at(world, 8, "Mass"));
    at(world, 1, NULL), at(world, 10, NULL), at(world, 4, NULL), at(world, 3, NULL);
    at(world, 5, "Velocity");
    ecs_query_t *q = by_own_depth(scene);
    assert_depths(q, "1 3 4 | 5 7 | 8 | 10 11");
    const struct {
        ecs_table_t *table;
        int32_t offset, count;
    } slices[] = { { plain, 0, 3 }, { fast, 0, 2 }, { heavy, 0, 1 }, { plain, 3, 2 } };
    ecs_iter_t it = ecs_query_iter(world, q);
    for (int i = 0; ecs_query_next(&it); i++) {
        assert_ptr_equal(it.table, slices[i].table);
        assert_int_equal(it.offset, slices[i].offset);
        assert_int_equal(it.count, slices[i].count);
        assert_ptr_equal(it.entities, ecs_table_entities(it.table) + it.offset);
    }
    assert_int_equal(ecs_query_count(q).entities, 8);
    ecs_query_fini(q);
}

// Q-SRT-03, Q-SRT-08
static void rows_move_when_an_iterator_is_created(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_query_t *q = by_own_depth(scene), *plain = query_expr(scene, "[in] Depth");
    at(world, 3, NULL), at(world, 1, NULL), at(world, 2, NULL);
    assert_depths(plain, "3 1 2");
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_depths(plain, "1 2 3");
    ecs_iter_fini(&it);
    ecs_query_fini(plain);
    ecs_query_fini(q);
}

// Q-SRT-04, Q-CAC-06: such a table has no memory for values yet.
static void tables_that_never_had_rows_take_part(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t e = at(world, 3, NULL);
    at(world, 1, NULL);
    ecs_query_t *q = by_own_depth(scene);
    assert_depths(q, "1 3");
    assert_non_null(ecs_table_add_id(world, ecs_get_table(world, e), ecs_id(Velocity)));
    assert_depths(q, "1 3");
    ecs_set(world, e, Depth, { 0 });
    assert_depths(q, "0 1");
    ecs_add(world, e, Velocity);
    assert_depths(q, "0 | 1");
    ecs_query_fini(q);
}

// The first `limit` ones, 0: all.
static void write_depths(ecs_world_t *world, const char *expr, int32_t limit) {
    ecs_query_t *q = ecs_query_new(world, expr);
    ecs_iter_t it = ecs_query_iter(world, q), page = ecs_page_iter(&it, 0, limit);
    ecs_iter_t *results = limit ? &page : &it;
    while (ecs_iter_next(results)) {
        Depth *d = ecs_field(results, Depth, 0);
        for (int i = 0; i < results->count; i++) d[i].value = -d[i].value;
    }
    ecs_query_fini(q);
}

// Q-SRT-01, Q-SRT-04
static void every_kind_of_change_causes_a_sort(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t one = at(world, 1, NULL), two = at(world, 2, NULL), three = at(world, 3, NULL);
    ecs_query_t *q = by_own_depth(scene);
    assert_depths(q, "1 2 3");
    ecs_set(world, two, Depth, { 5 });
    assert_depths(q, "1 3 5");
    ecs_get_mut(world, one, Depth)->value = 4;
    ecs_modified(world, one, Depth);
    assert_depths(q, "3 4 5");
    ecs_add(world, three, Velocity);
    assert_depths(q, "3 | 4 5");
    ecs_remove(world, three, Velocity);
    assert_depths(q, "3 4 5");
    at(world, 0, "Mass");
    assert_depths(q, "0 | 3 4 5");
    ecs_delete(world, three);
    assert_depths(q, "0 | 4 5");
    ecs_remove(world, two, Depth);
    assert_depths(q, "0 | 4");
    at(world, 2, NULL);
    write_depths(world, "Depth", 0);
    assert_depths(q, "-4 -2 | 0");
    write_depths(world, "[out] Depth", 0);
    assert_depths(q, "0 | 2 4");
    ecs_defer_begin(world);
    ecs_set(world, one, Depth, { 1 });
    ecs_defer_end(world);
    assert_depths(q, "0 | 1 2");
    write_depths(world, "Depth", 2);
    assert_depths(q, "-2 -1 | 0");
    ecs_query_fini(q);
}

// Q-SRT-05, Q-SRT-11, PRF-08
static void nothing_is_compared_when_nothing_changed(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    for (int i = 0; i < 20; i++) at(world, i * 7 % 20, i & 1 ? "Velocity" : NULL);
    ecs_entity_t other = make(world, "other", "Velocity");
    ecs_query_t *q = by_own_depth(scene);
    assert_int_equal(ecs_query_count(q).entities, 20);
    compared = 0;
    for (int i = 0; i < 3; i++) assert_int_equal(ecs_query_count(q).entities, 20);
    assert_int_equal(compared, 0);
    ecs_set(world, other, Velocity, { 1, 1 });
    write_depths(world, "[in] Depth, Mass", 0);
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {}
    assert_int_equal(ecs_query_count(q).entities, 20);
    assert_int_equal(compared, 0);
    ecs_set(world, other, Depth, { 5 });
    assert_int_equal(ecs_query_count(q).entities, 21);
    assert_true(compared > 0);
    ecs_query_fini(q);
}

// Q-SRT-07
static void without_component_entities_are_compared(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t e[6];
    for (int i = 0; i < 6; i++) e[i] = at(world, 0, NULL);
    ecs_add(world, e[1], Velocity);
    ecs_add(world, e[4], Velocity);
    ecs_remove(world, e[4], Velocity);
    ecs_query_t *q =
        sorted(scene, (ecs_query_desc_t){ .expr = "Depth", .order_by_callback = by_entity });
    int n = 0;
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) assert_int_equal(it.entities[i], e[n++]);
    }
    assert_int_equal(n, 6);
    compared = 0;
    ecs_set(world, e[2], Depth, { 17 });
    assert_int_equal(ecs_query_count(q).entities, 6);
    assert_int_equal(compared, 0);
    ecs_query_fini(q);
}

// Q-SRT-09. Where some entity has a parent by component, terms about parents are searched.
static void a_value_from_above_orders_tables_of_a_search(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_set(world, make(world, "loose", NULL), EcsParent, { make(world, "p", NULL) });
    const int32_t depths[] = { 7, 3, 5 };
    for (int i = 0; i < 3; i++)
        ecs_add_pair(world, make(world, NULL, "Tag"), EcsChildOf, at(world, depths[i], NULL));
    at(world, 4, "Tag"), at(world, 6, "Tag");
    static const char *const exprs[] = { "Depth(up), Tag", "Depth(self|up), Tag" };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q =
            sorted(scene, (ecs_query_desc_t){ .expr = exprs[i], .order_by = ecs_id(Depth) });
        ecs_iter_t it = ecs_query_iter(world, q);
        int32_t last = 0, count = 0;
        for (; ecs_query_next(&it); count += it.count) {
            const Depth *depth = ecs_field(&it, Depth, 0);
            for (int k = 0; k < it.count; last = depth[k++].value)
                assert_true(depth[k].value >= last);
        }
        assert_int_equal(count, i ? 5 : 3);
        ecs_query_fini(q);
    }
}

// Q-SRT-09
static void a_value_from_above_orders_whole_tables(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t parents[3];
    const int32_t depths[] = { 2, 3, 1 };
    for (int i = 0; i < 3; i++) {
        parents[i] = at(world, depths[i], NULL);
        for (int k = 0; k < 2; k++)
            ecs_add_pair(world, make(world, NULL, "Tag"), EcsChildOf, parents[i]);
    }
    ecs_query_t *q =
        sorted(scene, (ecs_query_desc_t){
                          .expr = "Depth(up), Tag", .order_by = ecs_id(Depth), .instanced = true });
    assert_depths(q, "1 1 | 2 2 | 3 3");
    ecs_set(world, parents[2], Depth, { 9 });
    assert_depths(q, "2 2 | 3 3 | 9 9");
    ecs_add(world, parents[0], Velocity);
    ecs_set(world, parents[0], Depth, { 4 });
    assert_depths(q, "3 3 | 4 4 | 9 9");
    ecs_query_fini(q);
    // Inherited and own values mix.
    ecs_entity_t base = make(world, "base", "Prefab");
    ecs_set(world, base, Depth, { 5 });
    ecs_entity_t a = make(world, "a", "Mass"), b = make(world, "b", "Mass");
    ecs_add_pair(world, a, EcsIsA, base);
    ecs_add_pair(world, b, EcsIsA, base);
    at(world, 4, "Mass"), at(world, 6, "Mass");
    q = sorted(scene,
        (ecs_query_desc_t){ .expr = "Depth, Mass", .order_by = ecs_id(Depth), .instanced = true });
    assert_depths(q, "4 | 5 5 | 6");
    ecs_set(world, base, Depth, { 7 });
    assert_depths(q, "4 6 | 7 7");
    ecs_query_fini(q);
}

// Q-SRT-10
static void queries_with_different_orders_take_turns(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    for (int i = 0; i < 5; i++) at(world, i * 3 % 5, NULL);
    ecs_query_t *up = by_own_depth(scene),
                *down = sorted(scene, (ecs_query_desc_t){ .expr = "[in] Depth",
                                          .order_by = ecs_id(Depth),
                                          .order_by_callback = by_depth_descending });
    for (int i = 0; i < 3; i++) {
        assert_depths(up, "0 1 2 3 4");
        assert_depths(down, "4 3 2 1 0");
    }
    ecs_query_fini(up);
    at(world, 7, NULL);
    assert_depths(down, "7 4 3 2 1 0");
    ecs_query_fini(down);
}

// Q-SRT-12
static void handles_find_their_own_values(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t e[300];
    ecs_query_t *q = by_own_depth(scene);
    for (int i = 0; i < 300; i++) {
        e[i] = at(world, i * 37 % 300, NULL);
        char name[16];
        sprintf(name, "n%d", i);
        ecs_set_name(world, e[i], name); // a value with hooks
        ecs_set(world, e[i], Mass, { i });
    }
    for (int round = 0; round < 3; round++) {
        assert_int_equal(ecs_query_count(q).entities, 300);
        assert_true(ecs_world_verify(world));
        for (int i = 0; i < 300; i++) {
            char name[16];
            sprintf(name, "n%d", i);
            assert_string_equal(ecs_get_name(world, e[i]), name);
            assert_int_equal(ecs_lookup(world, name), e[i]);
            assert_int_equal(ecs_get(world, e[i], Mass)->value, i);
        }
        for (int i = 0; i < (round ? 3 : 300); i++)
            ecs_set(world, e[i], Depth, { (i * 31 + round) % 300 });
    }
    ecs_query_fini(q);
}

// Q-GRP-09
static void groups_come_first(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t likes = ecs_lookup(world, "Likes"), apples = ecs_lookup(world, "Apples"),
                 pears = ecs_lookup(world, "Pears");
    const char *const kinds[] = { NULL, "Velocity", "Mass" };
    for (int i = 0; i < 12; i++) {
        ecs_entity_t e = at(world, i * 5 % 12, kinds[i % 3]);
        if (i % 4) ecs_add_pair(world, e, likes, i & 1 ? pears : apples);
    }
    ecs_query_t *q = sorted(scene,
        (ecs_query_desc_t){ .expr = "[in] Depth", .order_by = ecs_id(Depth), .group_by = likes });
    assert_depths(q, "0 | 4 | 8 | 2 | 6 | 10 | 1 | 3 | 5 | 7 | 9 | 11");
    ecs_iter_t it = ecs_query_iter(world, q);
    ecs_iter_set_group(&it, pears);
    int32_t last = -1, count = 0;
    for (; ecs_query_next(&it); count += it.count) {
        for (int i = 0; i < it.count; i++) {
            assert_true(ecs_field(&it, Depth, 0)[i].value > last);
            last = ecs_field(&it, Depth, 0)[i].value;
        }
        assert_int_equal(ecs_iter_get_group(&it), pears);
    }
    assert_int_equal(count, 6);
    ecs_query_fini(q);
}

static int by_major(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Pair *a = v1, *b = v2;
    (void)e1, (void)e2;
    return (a->major > b->major) - (a->major < b->major);
}

static void equal_values_stay_in_order(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t e[500];
    for (int i = 0; i < 500; i++) {
        e[i] = ecs_new(world);
        ecs_set(world, e[i], Pair, { i * 17 % 7, i });
    }
    ecs_query_t *q = sorted(
        scene, (ecs_query_desc_t){
                   .expr = "[in] Pair", .order_by = ecs_id(Pair), .order_by_callback = by_major });
    for (int round = 0; round < 2; round++) {
        Pair last = { -1, -1 };
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            const Pair *p = ecs_field(&it, Pair, 0);
            for (int i = 0; i < it.count; i++) {
                assert_true(p[i].major > last.major ||
                            (p[i].major == last.major && (round || p[i].minor > last.minor)));
                last = p[i];
            }
        }
        for (int i = 0; i < 500; i += 50) ecs_set(world, e[i], Pair, { 3, i });
    }
    ecs_query_fini(q);
}

static void a_function_of_the_user_may_sort_tables(void **state);

static void joins_come_sorted(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t likes = ecs_lookup(world, "Likes");
    for (int i = 0; i < 6; i++) {
        ecs_entity_t e = at(world, i * 5 % 6, i & 1 ? "Velocity" : NULL);
        ecs_add_pair(world, e, likes, ecs_lookup(world, i < 3 ? "Apples" : "Pears"));
    }
    ecs_query_t *q = sorted(scene,
        (ecs_query_desc_t){ .expr = "[in] Depth, Likes($this, $x)", .order_by = ecs_id(Depth) });
    assert_depths(q, "0 | 1 | 2 | 3 | 4 | 5");
    ecs_query_fini(q);
    for (int i = 6; i < 9; i++)
        ecs_add_pair(world, at(world, i, NULL), EcsChildOf, ecs_lookup(world, "Apples"));
    q = sorted(scene,
        (ecs_query_desc_t){ .expr = "[in] Depth, ChildOf($this, $x)", .order_by = ecs_id(Depth) });
    assert_depths(q, "6 7 8"); /* each has one parent: slices stay whole */
    ecs_query_fini(q);
}

// Each entity comes as often as a variable, or `*`, has values, and is followed by no smaller one. Q-SRT-01, Q-GRP-01
static void entities_come_together_that_hold_in_several_ways(void **state) {
    scene_t *scene = *state;
    use(scene);
    make(scene->world, "Sun", "Tag");
    make(scene->world, "Moon", "Tag, (Likes, Tag), (Likes, Sun)");
    for (int i = 4; i-- > 0;) at(scene->world, i, i % 2 ? "(Likes, Tag)" : NULL);
    static const char *const exprs[] = { "[in] Depth, Tag($x)", "[in] Depth, Tag(*)",
        "[in] Depth, Likes(Moon, *)", "[in] Depth, ?Likes(Moon, *)", "[in] Depth, Likes(Moon, $x)",
        "[in] Depth, Tag(Moon), Likes(Moon, *) || Tag(Moon), $x == Sun" };
    for (int i = 0; i < 6; i++) {
        ecs_query_t *q =
            sorted(scene, (ecs_query_desc_t){ .expr = exprs[i], .order_by = ecs_id(Depth) });
        assert_depths(q, i == 5 ? "0 | 0 | 0 | 1 | 1 | 1 | 2 | 2 | 2 | 3 | 3 | 3"
                                : "0 | 0 | 1 | 1 | 2 | 2 | 3 | 3");
        ecs_query_fini(q);
    }
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .expr = "[in] Depth, Likes(Moon, *)",
                                         .group_by = ecs_lookup(scene->world, "Likes") });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    for (uint64_t group = 0; ecs_query_next(&it); group = ecs_iter_get_group(&it))
        assert_true(ecs_iter_get_group(&it) >= group);
    ecs_query_fini(q);
}

static void tables_without_value_come_last(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t none = make(world, "none", "Tag");
    at(world, 2, "Tag"), at(world, 1, "Tag, Mass");
    ecs_query_t *q =
        sorted(scene, (ecs_query_desc_t){ .expr = "[in] ?Depth, Tag", .order_by = ecs_id(Depth) });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it) && ecs_field(&it, Depth, 0)->value == 1);
    assert_true(ecs_query_next(&it) && ecs_field(&it, Depth, 0)->value == 2);
    assert_true(ecs_query_next(&it) && !ecs_field(&it, Depth, 0) && it.entities[0] == none);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Terms that have no value, or the value of another entity, do not decide, in whatever order they are written.
static void entities_are_sorted_by_their_own_value(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    const ecs_entity_t last = at(world, 3, "Mass"), first = at(world, 1, "Velocity"),
                       second = at(world, 2, NULL);
    make(world, "other", NULL);
    ecs_set(world, ecs_lookup(world, "other"), Depth, { 4 });
    static const char *const exprs[] = { "Depth, ?Depth(none)", "?Depth(none), Depth",
        "!Depth(none), Depth", "Depth(other), Depth, !Depth(none)", "!{ Depth, Tag }, Depth" };
    make(world, "none", NULL);
    for (size_t i = 0; i < sizeof exprs / sizeof exprs[0]; i++) {
        ecs_query_t *q =
            sorted(scene, (ecs_query_desc_t){ .expr = exprs[i], .order_by = ecs_id(Depth) });
        const ecs_entity_t expected[] = { first, second, last, ecs_lookup(world, "other") };
        int32_t count = 0;
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            for (int32_t k = 0; k < it.count; k++)
                assert_int_equal(it.entities[k], expected[count++]);
        }
        assert_int_equal(count, 4);
        ecs_query_fini(q);
    }
}

static void sorting_waits_until_the_world_can_be_written(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t e = at(world, 1, NULL);
    at(world, 2, NULL), at(world, 3, NULL);
    ecs_query_t *q = by_own_depth(scene);
    assert_depths(q, "1 2 3");
    ecs_set(world, e, Depth, { 9 });
    ecs_readonly_begin(world, true);
    ecs_world_t *stage = ecs_get_stage(world, 0);
    ecs_set(stage, e, Depth, { 0 }); // applied later
    ecs_iter_t it = ecs_query_iter(stage, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field(&it, Depth, 0)[2].value, 9); // sorted before
    assert_false(ecs_query_next(&it));
    ecs_readonly_end(world);
    assert_depths(q, "0 2 3");
    ecs_defer_begin(world);
    ecs_get_mut(world, e, Depth)->value = 10;
    ecs_modified(world, e, Depth);
    ecs_defer_end(world);
    assert_depths(q, "2 3 10");
    ecs_query_fini(q);
}

static void a_table_that_is_iterated_cannot_be_sorted(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    at(world, 2, NULL);
    ecs_entity_t e = at(world, 1, NULL);
    ecs_query_t *q = by_own_depth(scene), *plain = query_expr(scene, "[in] Depth");
    ecs_iter_t it = ecs_query_iter(world, plain);
    assert_true(ecs_query_next(&it));
    expect_abort(ECS_LOCKED_STORAGE, ecs_query_count(q));
    ecs_iter_fini(&it);
    assert_depths(q, "1 2");
    it = ecs_query_iter(world, plain);
    assert_true(ecs_query_next(&it));
    assert_depths(q, "1 2"); // nothing to do
    ecs_iter_fini(&it);
    ecs_entity_t other = at(world, 3, "Tag");
    assert_depths(q, "1 2 | 3");
    it = ecs_query_iter(world, plain);
    assert_true(ecs_query_next(&it));
    ecs_set(world, e, Depth, { 9 }); // it is known what changed
    ecs_set(world, other, Depth, { 0 });
    expect_abort(ECS_LOCKED_STORAGE, ecs_query_count(q));
    ecs_iter_fini(&it);
    assert_depths(q, "0 | 2 9");
    ecs_query_fini(q);
    ecs_query_fini(plain);
}

static void bad_orders_are_refused(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Mass), EcsSparse);
    const struct {
        ecs_query_desc_t desc;
        const char *text;
        bool is_missing; /* WLD-02 */
    } rows[] = {
        { { .expr = "Position", .order_by = ecs_id(Depth), .order_by_callback = by_depth },
            "in a term" },
        { { .expr = "Tag, Depth($x)", .order_by = ecs_id(Depth), .order_by_callback = by_depth },
            "in a term" },
        { { .expr = "[none] Mass", .order_by = ecs_id(Mass), .order_by_callback = by_depth },
            "sparse", true },
        { { .expr = "Tag, { Mass }", .order_by = ecs_id(Mass), .order_by_callback = by_depth },
            "sparse", true },
        { { .expr = "Position", .order_by = ecs_id(Position) }, "order_by_callback" },
        { { .expr = "Tag", .order_by = ecs_lookup(world, "Tag"), .order_by_callback = by_depth },
            "tag" },
        { { .expr = "Depth",
              .order_by = ecs_id(Depth),
              .order_by_callback = by_depth,
              .flags = EcsQueryDetectChanges },
            "DetectChanges", true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ecs_query_t *q = NULL;
        expect_error(rows[i].is_missing ? ECS_UNSUPPORTED : ECS_INVALID_PARAMETER, rows[i].text,
            q = ecs_query_init(world, &rows[i].desc));
        assert_null(q);
    }
    expect_abort(ECS_INVALID_PARAMETER,
        ecs_query(world, { .expr = "*", .order_by = EcsWildcard, .order_by_callback = by_depth }));
}

static void sorted_queries_tell_of_changes(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t e = at(world, 2, NULL);
    at(world, 1, NULL), at(world, 3, "Mass"), at(world, 4, NULL);
    ecs_query_t *q = by_own_depth(scene);
    assert_true(ecs_query_changed(q));
    assert_depths(q, "1 2 | 3 | 4");
    assert_false(ecs_query_changed(q));
    ecs_set(world, e, Depth, { 0 });
    assert_true(ecs_query_changed(q));
    ecs_iter_t it = ecs_query_iter(world, q);
    int changed = 0;
    while (ecs_query_next(&it)) changed += ecs_iter_changed(&it);
    assert_int_equal(changed, 2); // slices of one table
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

int by_callback_calls;

static ECS_COMPARE(Depth,
    {
        by_callback_calls++;
        return (ptr1->value > ptr2->value) - (ptr1->value < ptr2->value);
    }) ECS_SORT_TABLE(Depth, static)

    static void a_function_of_the_user_may_sort_tables(void **state) {
    scene_t *scene = *state;
    use(scene);
    for (int i = 0; i < 100; i++) at(scene->world, i * 37 % 100, i & 1 ? "Mass" : NULL);
    ecs_query_t *q = sorted(scene, (ecs_query_desc_t){ .expr = "[in] Depth",
                                       .order_by = ecs_id(Depth),
                                       .order_by_callback = ecs_compare(Depth),
                                       .order_by_table_callback = ecs_sort_table(Depth) });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int32_t next = 0;
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++)
            assert_int_equal(ecs_field(&it, Depth, 0)[i].value, next++);
    }
    assert_int_equal(next, 100);
    by_callback_calls = 0;
    assert_int_equal(ecs_query_count(q).entities, 100);
    assert_int_equal(by_callback_calls, 0);
    at(scene->world, -1, NULL);
    it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field(&it, Depth, 0)->value, -1);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-SRT-12: also for queries that show the values of others, and were iterated often enough to know where those are.
static void values_from_above_are_found_where_rows_went(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t first = at(world, 1, NULL), second = at(world, 2, NULL);
    make(world, "Tag", NULL);
    ecs_add_id(world, ecs_new_w_pair(world, EcsChildOf, first), ecs_lookup(world, "Tag"));
    ecs_query_t *q = by_own_depth(scene), *above = query_expr(scene, "Tag, [in] Depth(up)");
    for (int32_t round = 0; round < 6; round++) {
        ecs_set(world, first, Depth, { 10 * round + 1 });
        ecs_set(world, second, Depth, { 10 * round + (round % 2 ? 0 : 2) });
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_iter_fini(&it);
        if (round == 4) ecs_table_swap_rows(world, ecs_get_table(world, first), 0, 1);
        for (int32_t i = 0; i < 3; i++) {
            it = ecs_query_iter(world, above);
            while (ecs_query_next(&it))
                assert_ptr_equal(ecs_field(&it, Depth, 1), ecs_get(world, first, Depth));
        }
    }
    ecs_query_fini(above);
    ecs_query_fini(q);
}

// Q-SRT-01: what is switched off stays with its entity.
static void toggles_follow_their_rows(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t tag = ecs_entity(world, { .add = ecs_ids(EcsCanToggle) }), e[40];
    for (int i = 0; i < 40; i++) {
        e[i] = at(world, (i * 23) % 40, NULL);
        ecs_add_id(world, e[i], tag);
        ecs_enable_id(world, e[i], tag, i % 3 != 0);
    }
    ecs_query_t *q = by_own_depth(scene);
    for (int pass = 0; pass < 3; pass++) {
        int32_t count = 0, before = INT32_MIN;
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            const Depth *depths = ecs_field(&it, Depth, 0);
            for (int i = 0; i < it.count; i++, count++) {
                assert_true(before <= depths[i].value);
                before = depths[i].value;
            }
        }
        assert_int_equal(count, 40);
        for (int i = 0; i < 40; i++)
            assert_int_equal(ecs_is_enabled_id(world, e[i], tag), i % 3 != 0);
        ecs_set(world, e[pass], Depth, { 41 - 20 * pass });
    }
    ecs_query_fini(q);
}

static int32_t count_sorted(ecs_query_t *q) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    int32_t count = 0;
    ecs_entity_t last = 0;
    for (; ecs_query_next(&it); count += it.count) {
        for (int i = 0; i < it.count; i++) {
            assert_true(it.entities[i] >= last);
            last = it.entities[i];
        }
    }
    return count;
}

// Q-SRT-04: what changed of a table is told to each of its matches.
static void tables_with_several_matches_gain_rows(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t likes = ecs_new(world), e = ecs_new_w_pair(world, likes, ecs_new(world));
    ecs_add_pair(world, e, likes, ecs_new(world));
    ecs_query_t *q =
        sorted(scene, (ecs_query_desc_t){ .terms = { { ecs_pair(likes, EcsWildcard) } },
                          .order_by_callback = by_entity });
    assert_int_equal(count_sorted(q), 2);
    ecs_new_w_table(world, ecs_get_table(world, e));
    assert_int_equal(count_sorted(q), 4);
    ecs_query_fini(q);
}

// Q-SRT-04: the order of entities depends on their generation.
static void a_new_generation_has_another_place(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t tag = ecs_new(world), first = ecs_new_w_id(world, tag);
    for (int i = 0; i < 5; i++) {
        ecs_entity_t e = ecs_new_w_id(world, tag);
        if (i & 1) ecs_add(world, e, Position);
    }
    ecs_query_t *q =
        sorted(scene, (ecs_query_desc_t){ .terms = { { tag } }, .order_by_callback = by_entity });
    assert_int_equal(count_sorted(q), 6);
    ecs_set_version(world, (uint32_t)first | 5ull << 32);
    assert_int_equal(count_sorted(q), 6);
    ecs_query_fini(q);
}

// Q-SRT-04, PRF-08: a query that is planned again, as parents are kept beside tables by now, goes on to look at what changed only.
static void a_change_costs_as_little_once_parents_are_beside_tables(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    enum { COUNT = 2000 };
    const ecs_entity_t parent = ecs_new(world);
    ecs_entity_t e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ecs_new_w_pair(world, EcsChildOf, parent);
        if (i % 2) ecs_add(world, e[i], Velocity);
        ecs_set(world, e[i], Depth, { i });
    }
    ecs_query_t *q = sorted(scene, (ecs_query_desc_t){ .terms = { { ecs_id(Depth), .inout = EcsIn },
                                                           { ecs_pair(EcsChildOf, parent) } },
                                       .order_by = ecs_id(Depth) });
    assert_int_equal(ecs_query_count(q).entities, COUNT);
    const ecs_entity_t child = ecs_new(world);
    ecs_set(world, child, EcsParent, { parent });
    ecs_set(world, child, Depth, { 7 });
    assert_int_equal(ecs_query_count(q).entities, COUNT + 1);
    ecs_set(world, e[5], Depth, { 700 });
    assert_int_equal(ecs_query_count(q).entities, COUNT + 1);
    ecs_set(world, e[5], Depth, { 900 });
    compared = 0;
    assert_int_equal(ecs_query_count(q).entities, COUNT + 1);
    assert_in_range(compared, 1, 100);
    ecs_query_fini(q);
    assert_true(ecs_world_verify(world));
}

// Q-SRT-01: as the header says
static void tables_whose_rows_come_by_turns_count_each_time(void **state) {
    scene_t *scene = *state;
    use(scene);
    for (int32_t i = 0; i < 6; i++) at(scene->world, i, i % 2 ? "Npc" : "Tag");
    ecs_query_t *q =
        sorted(scene, (ecs_query_desc_t){ .expr = "Depth", .order_by = ecs_id(Depth) });
    ecs_query_count_t count = ecs_query_count(q);
    assert_true(count.entities == 6 && count.results == 6 && count.tables == 6);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(tables_whose_rows_come_by_turns_count_each_time),
        BOTH(entities_come_in_the_order_of_the_callback),
        BOTH(tables_are_merged_by_slices),
        BOTH(rows_move_when_an_iterator_is_created),
        BOTH(tables_that_never_had_rows_take_part),
        BOTH(every_kind_of_change_causes_a_sort),
        BOTH(nothing_is_compared_when_nothing_changed),
        BOTH(a_change_costs_as_little_once_parents_are_beside_tables),
        BOTH(without_component_entities_are_compared),
        BOTH(a_value_from_above_orders_whole_tables),
        BOTH(queries_with_different_orders_take_turns),
        BOTH(handles_find_their_own_values),
        BOTH(values_from_above_are_found_where_rows_went),
        BOTH(groups_come_first),
        BOTH(equal_values_stay_in_order),
        BOTH(a_function_of_the_user_may_sort_tables),
        BOTH(joins_come_sorted),
        BOTH(entities_come_together_that_hold_in_several_ways),
        BOTH(a_value_from_above_orders_tables_of_a_search),
        BOTH(tables_without_value_come_last),
        BOTH(entities_are_sorted_by_their_own_value),
        BOTH(sorting_waits_until_the_world_can_be_written),
        BOTH(a_table_that_is_iterated_cannot_be_sorted),
        BOTH(bad_orders_are_refused),
        BOTH(sorted_queries_tell_of_changes),
        BOTH(toggles_follow_their_rows),
        BOTH(tables_with_several_matches_gain_rows),
        BOTH(a_new_generation_has_another_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
