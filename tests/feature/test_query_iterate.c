// SPDX-License-Identifier: MIT
// Iterating: features.md area Q-ITR, and locks during iteration, DEF-01 to DEF-05.
#include "query_scene.h"

static void make_movers(ecs_world_t *world, int count) {
    for (int i = 0; i < count; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Position, { (float)i, 0 });
        if (i % 2) ecs_set(world, e, Velocity, { 1, (float)i });
        if (i % 3 == 0) ecs_set(world, e, Mass, { i });
    }
}

// Q-ITR-01, Q-ITR-03, Q-ITR-04, Q-ITR-05, Q-ITR-09
static void a_loop_visits_each_entity_once(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 60);
    ecs_query_t *q = query_expr(scene, "Position, Velocity");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int visited = 0;
    while (ecs_query_next(&it)) {
        assert_int_equal(it.frame_offset, visited);
        Position *p = ecs_field(&it, Position, 0);
        const Velocity *v = ecs_field(&it, Velocity, 1);
        for (int i = it.count - 1; i >= 0; i--, visited++) {
            assert_float_equal(p[i].x, v[i].y, 0);
            assert_ptr_equal(&p[i], ecs_get(scene->world, it.entities[i], Position));
        }
    }
    assert_int_equal(visited, 30);
    ecs_query_fini(q);
}

// Q-ITR-01, Q-TRV-23: a base gets in the middle of the results what its instances are asked for
static void results_go_on_where_some_are_shared(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_entity_t base = make(world, "base", "Npc");
    ecs_set(world, make(world, "first", NULL), Position, { 1, 0 });
    ecs_set(world, make(world, "second", "Tag"), Position, { 2, 0 });
    ecs_add_pair(world, make(world, "instance", NULL), EcsIsA, base);
    ecs_set(world, make(world, "last", "Other"), Position, { 4, 0 });
    ecs_iter_t it = ecs_query_iter(world, q);
    float sum = 0;
    int results = 0;
    for (; ecs_query_next(&it); results++) {
        sum += ecs_field(&it, Position, 0)->x;
        if (results) continue;
        ecs_set(world, base, Position, { 3, 0 });
        assert_int_equal(ecs_query_count(q).entities, 5);
    }
    assert_int_equal(results,
        scene->kind != EcsQueryCacheNone ? 4 : 3); /* who searches decided in the beginning */
    assert_float_equal(sum, scene->kind != EcsQueryCacheNone ? 10 : 7, 0);
    ecs_query_fini(q);
}

// Q-ITR-02
static void the_generic_next_function_gives_the_same_results(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 10);
    ecs_query_t *q = query_expr(scene, "Position, ?Velocity, !Mass");
    ecs_iter_t a = ecs_query_iter(scene->world, q), b = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&a)) {
        assert_true(ecs_iter_next(&b));
        assert_ptr_equal(a.table, b.table);
    }
    assert_false(ecs_iter_next(&b));
    ecs_query_fini(q);
}

// STO-10: queries that are there follow
static void fields_have_the_size_that_their_type_has_now(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t type = ecs_new(world), e[2] = { ecs_new(world), ecs_new(world) };
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .terms = { { type } } });
    ecs_query_t *pairs =
        query_of(scene, (ecs_query_desc_t){ .terms = { { ecs_pair(type, e[0]) } } });
    assert_int_equal(q->data_fields, 0);
    for (int size = 8; size <= 16; size *= 2) {
        ecs_set(world, type, EcsComponent, { size, 4 });
        for (int i = 0; i < 2; i++)
            ecs_set_id(world, e[i], type, (size_t)size, (int[]){ 10 + i, 0, 0, 0 });
        ecs_iter_t it = ecs_query_iter(world, q), page = ecs_page_iter(&it, 1, 1);
        assert_true(ecs_page_next(&page));
        assert_int_equal(ecs_field_size(&page, 0), size);
        assert_int_equal(*(int *)ecs_field_w_size(&page, (size_t)size, 0), 11);
        assert_false(ecs_page_next(&page));
        ecs_add_pair(world, e[1], type, e[0]);
        it = ecs_query_iter(world, pairs);
        assert_true(ecs_query_next(&it));
        assert_int_equal(ecs_field_size(&it, 0), size);
        ecs_iter_fini(&it);
        assert_int_equal(q->data_fields & q->write_fields, 1);
        for (int i = 0; i < 2; i++) ecs_clear(world, e[i]);
    }
    ecs_query_fini(q);
    ecs_query_fini(pairs);
}

// How a plain query is gone through (api/03, iterator flags).
static void flags_tell_which_way_an_iterator_takes(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 4);
    ecs_entity_t e = ecs_new_w(scene->world, Position);
    ecs_query_t *q = query_expr(scene, "Position(self), Velocity(self)");
    const bool is_cached = scene->kind == EcsQueryCacheAuto;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_int_equal(!!(it.flags & EcsIterTrivialSearch), !is_cached);
    assert_int_equal(!!(it.flags & EcsIterTrivialCached), is_cached);
    assert_int_equal(!!(it.flags & EcsIterCached), is_cached);
    ecs_iter_set_var(&it, 0, e);
    assert_false(it.flags & (EcsIterTrivialSearch | EcsIterTrivialCached));
    assert_int_equal(!!(it.flags & EcsIterTrivialTest), !is_cached);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-ITR-06
static void a_type_of_another_size_is_refused(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 1);
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    expect_abort(ECS_INVALID_PARAMETER, (void)ecs_field(&it, Position, 0));
    assert_true(ecs_query_next(&it));
    expect_abort(ECS_COLUMN_TYPE_MISMATCH, ecs_field_w_size(&it, 4, 0));
    expect_abort(ECS_COLUMN_INDEX_OUT_OF_RANGE, (void)ecs_field(&it, Position, 1));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-ITR-07
static void fields_can_be_read_without_knowing_types(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, Tag, Mass");
    ecs_query_t *q = query_expr(scene, "Position, Tag, Mass");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    size_t sizes[] = { sizeof(Position), 0, sizeof(Mass) };
    assert_true(ecs_query_next(&it));
    for (int8_t f = 0; f < it.field_count; f++) {
        assert_int_equal(ecs_field_size(&it, f), sizes[f]);
        assert_true((ecs_field_w_size(&it, 0, f) != NULL) == (sizes[f] != 0));
        ecs_id_t id = ecs_get_type(scene->world, it.entities[0])->array[ecs_field_column(&it, f)];
        assert_true(id == ecs_field_id(&it, f));
    }
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-ITR-10
static void empty_tables_are_not_returned_unless_asked_for(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = make(scene->world, "e1", "Position");
    ecs_delete(scene->world, e);
    assert_query(scene, "Position", "");
    ecs_query_t *q = query_of(
        scene, (ecs_query_desc_t){ .expr = "Position", .flags = EcsQueryMatchEmptyTables });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.count, 0);
    assert_non_null(it.table);
    ecs_table_t *empty = it.table;
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    static const char *const exprs[] = { "Position", "Position, ?Velocity", "Position, !Velocity",
        "Position, ?(Likes, $x)", "Position, !{ Velocity }" };
    for (size_t i = 0; i < 2 * (sizeof(exprs) / sizeof(exprs[0])); i++) { // Q-VAR-12
        q = query_of(scene, (ecs_query_desc_t){ .expr = exprs[i / 2],
                                .flags = i % 2 ? EcsQueryMatchEmptyTables : 0 });
        it = ecs_query_iter(scene->world, q);
        ecs_iter_set_var_as_table(&it, 0, empty);
        bool found = ecs_query_next(&it);
        assert_int_equal(found, i % 2);
        if (found) assert_true(it.table == empty && !it.count && !ecs_query_next(&it));
        ecs_query_fini(q);
    }
}

static int by_entity(ecs_entity_t a, const void *a_value, ecs_entity_t b, const void *b_value) {
    (void)a_value, (void)b_value;
    return (a > b) - (a < b);
}

// Q-ITR-10, Q-VAR-09: an order leaves no result out. The table without rows holds in two ways.
static void sorted_results_have_empty_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "e1", "Tag, (Likes, Apples)");
    ecs_delete(world, make(world, "e2", "Tag, (Likes, Apples), (Likes, Pears)"));
    static const char *const exprs[] = { "(Likes, *)", "(Likes, $x)", "Tag, (Likes, $x)",
        "(Likes, $x), (Likes, $y)" };
    for (size_t i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++) {
        ecs_query_desc_t desc = { .expr = exprs[i], .flags = EcsQueryMatchEmptyTables };
        ecs_query_t *plain = query_of(scene, desc);
        desc.order_by_callback = by_entity;
        ecs_query_t *sorted = query_of(scene, desc);
        const ecs_query_count_t all = ecs_query_count(plain), some = ecs_query_count(sorted);
        assert_int_equal(all.results, i < 3 ? 3 : 5);
        assert_int_equal(some.results, all.results);
        ecs_query_fini(plain);
        ecs_query_fini(sorted);
    }
}

// Q-ITR-11
static void iterations_of_one_query_can_be_nested(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 12);
    ecs_query_t *q = query_expr(scene, "Position");
    int outer = 0, inner = 0;
    ecs_iter_t a = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&a)) {
        outer++;
        ecs_iter_t b = ecs_query_iter(scene->world, q);
        while (ecs_query_next(&b)) inner++;
    }
    assert_int_equal(inner, outer * outer);
    ecs_query_fini(q);
}

#ifdef FLECS_DEBUG
// DEF-01, DEF-04, DEF-05, U-04, Q-ITR-12
static void a_table_is_locked_while_it_is_iterated(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = make(scene->world, "e1", "Position");
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    expect_abort_saying(
        ECS_LOCKED_STORAGE, "e1 cannot come to, or leave", ecs_add(scene->world, e, Velocity));
    ecs_set(scene->world, e, Position, { 1, 2 });
    ecs_iter_fini(&it);
    ecs_add(scene->world, e, Velocity);
    it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_false(ecs_query_next(&it));
    ecs_remove(scene->world, e, Velocity);
    ecs_query_fini(q);
}

// DEF-01, DEF-04: rows that a variable goes through would hide others, where they come to be in their places
static void so_are_those_that_variables_may_go_through(void **state) {
    scene_t *scene = *state;
    static const char *const about[] = { "Mass($x), Likes($this, $x)", "Likes($this, $x), Mass($x)",
        "Mass($x)", "Mass($x), !Likes($this, $x), Position" };
    const ecs_entity_t a = make(scene->world, "a", "Mass"), b = make(scene->world, "b", "Mass");
    make(scene->world, "c", "Position, (Likes, a), (Likes, b)");
    make(scene->world, "d", "Velocity, (Likes, a)");
    make(scene->world, "e", "Position");
    for (size_t i = 0; i < sizeof about / sizeof *about; i++) {
        ecs_query_t *q = query_expr(scene, about[i]);
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        for (int n = 0; ecs_query_next(&it); n++) {
            expect_abort(ECS_LOCKED_STORAGE, ecs_add(scene->world, a, Velocity));
            expect_abort(ECS_LOCKED_STORAGE, ecs_delete(scene->world, n ? a : b));
        }
        ecs_add(scene->world, a, Velocity);
        ecs_remove(scene->world, a, Velocity);
        it = ecs_query_iter(scene->world, q);
        ecs_iter_set_var(&it, ecs_query_find_var(q, "x"), a);
        assert_true(ecs_query_next(&it));
        ecs_add(scene->world, a, Velocity);
        ecs_iter_fini(&it);
        ecs_remove(scene->world, a, Velocity);
        ecs_query_fini(q);
    }
    ecs_query_t *q = query_expr(scene, "Likes($this, $x)"); /* who is only a target is looked up */
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) ecs_add(scene->world, a, Velocity);
    ecs_query_fini(q);
}
#endif

// DEF-02, DEF-03
static void deferred_changes_do_not_disturb_the_iteration(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 40);
    ecs_query_t *q = query_expr(scene, "Position");
    int visited = 0;
    ecs_defer_begin(scene->world);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++, visited++)
            ecs_add_id(scene->world, it.entities[i], ecs_lookup(scene->world, "Tag"));
    }
    ecs_defer_end(scene->world);
    assert_int_equal(visited, 40);
    assert_int_equal(ecs_count_id(scene->world, ecs_lookup(scene->world, "Tag")), 40);
    ecs_query_fini(q);
}

static void tables_made_during_an_iteration_wait_for_the_next(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 12);
    ecs_query_t *q = query_expr(scene, "Position");
    int before = ecs_query_count(q).entities, visited = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        visited += it.count;
        ecs_add(scene->world, ecs_new_w_id(scene->world, ecs_new(scene->world)), Position);
    }
    assert_int_equal(visited, before);
    ecs_query_fini(q);
}

static void iterators_can_be_counted_tested_and_asked_for_the_first(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = query_expr(scene, "Position");
    assert_false(ecs_query_is_true(q));
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_iter_first(&it) == 0);
    make_movers(scene->world, 10);
    ecs_entity_t e = make(scene->world, "named", "Tag");
    ecs_query_t *tagged = query_expr(scene, "Tag");
    it = ecs_query_iter(scene->world, tagged);
    assert_true(ecs_iter_first(&it) == e);
    it = ecs_query_iter(scene->world, q);
    assert_int_equal(ecs_iter_count(&it), 10);
    it = ecs_query_iter(scene->world, q);
    assert_true(ecs_iter_is_true(&it));
    ecs_query_count_t count = ecs_query_count(q);
    assert_int_equal(count.entities, 10);
    assert_int_equal(count.tables, 4);
    assert_int_equal(count.results, 4);
    ecs_query_fini(q);
    ecs_query_fini(tagged);
}

static void a_page_returns_part_of_the_entities(void **state) {
    scene_t *scene = *state;
    make_movers(scene->world, 20);
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_entity_t all[20];
    int count = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) all[count++] = it.entities[i];
    }
    for (int offset = 0; offset <= 20; offset += 3) {
        for (int limit = 0; limit <= 20; limit += 5) {
            ecs_iter_t source = ecs_query_iter(scene->world, q),
                       page = ecs_page_iter(&source, offset, limit);
            int at = offset, end = limit && offset + limit < 20 ? offset + limit : 20;
            while (ecs_page_next(&page)) {
                const Position *p = ecs_field(&page, Position, 0);
                for (int i = 0; i < page.count; i++, at++) {
                    assert_true(page.entities[i] == all[at]);
                    assert_ptr_equal(&p[i], ecs_get(scene->world, all[at], Position));
                }
            }
            assert_int_equal(at, offset > end ? offset : end);
        }
    }
    ecs_query_fini(q);
}

static void workers_share_results_evenly(void **state) {
    scene_t *scene = *state;
    for (int i = 0; i < 10; i++)
        ecs_set(scene->world, ecs_new(scene->world), Position, { (float)i, 0 });
    ecs_query_t *q = query_expr(scene, "Position");
    int shares[] = { 4, 3, 3 }, seen = 0;
    for (int w = 0; w < 3; w++) {
        ecs_iter_t source = ecs_query_iter(scene->world, q), it = ecs_worker_iter(&source, w, 3);
        assert_true(ecs_worker_next(&it));
        assert_int_equal(it.count, shares[w]);
        assert_float_equal(ecs_field(&it, Position, 0)->x, seen, 0);
        seen += it.count;
        assert_false(ecs_worker_next(&it));
    }
    ecs_query_fini(q);
}

static void pages_and_shares_can_be_left_early(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = make(scene->world, "e1", "Position");
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_iter_t source = ecs_query_iter(scene->world, q), page = ecs_page_iter(&source, 0, 1);
    assert_true(ecs_page_next(&page));
    ecs_iter_fini(&page);
    ecs_add(scene->world, e, Velocity); /* not locked */
    ecs_query_fini(q);
}

static void each_visits_all_entities_with_an_id(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "e1", "Position");
    ecs_add_id(world, make(world, "e2", "Position"), EcsPrefab);
    ecs_set(world, make(world, "e3", "(Likes, Dogs), (Likes, Cats)"), Position, { 5, 6 });
    ecs_iter_t it = ecs_each(world, Position);
    assert_iter(&it, "e1: Position | e2: Position | e3: Position");
    it = ecs_each_pair(world, ecs_lookup(world, "Likes"), EcsWildcard);
    assert_iter(&it, "e3: (Likes,Dogs) | e3: (Likes,Cats)");
    it = ecs_each(world, Mass);
    assert_false(ecs_each_next(&it));
    it = ecs_each(world, Position);
    assert_true(ecs_each_next(&it));
    ecs_iter_fini(&it);
    ecs_query_t *q = ecs_query(world, { .expr = "Position" });
    it = ecs_query_iter(world, q);
    expect_abort_saying(ECS_INVALID_PARAMETER, "ecs_query_next", ecs_each_next(&it));
    ecs_iter_fini(&it);
    it = ecs_each(world, Position);
    expect_abort_saying(ECS_INVALID_PARAMETER, "ecs_iter_next", ecs_query_next(&it));
    it = ecs_query_iter(world, q);
    ecs_iter_t page = ecs_page_iter(&it, 1, 1);
    expect_abort_saying(ECS_INVALID_PARAMETER, "ecs_iter_next", ecs_query_next(&page));
    ecs_iter_fini(&page);
    it = ecs_query_iter(world, q);
    expect_abort_saying(ECS_INVALID_PARAMETER, "skip -1", ecs_page_iter(&it, -1, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "return -1", ecs_page_iter(&it, 0, -1));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

static void children_visits_the_children_of_a_parent(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t parent = make(world, "parent", NULL);
    make(world, "parent.a", NULL);
    make(world, "parent.b", "Position");
    ecs_iter_t it = ecs_children(world, parent);
    int count = 0;
    while (ecs_children_next(&it)) {
        for (int i = 0; i < it.count; i++, count++)
            assert_true(ecs_get_parent(world, it.entities[i]) == parent);
    }
    assert_int_equal(count, 2);
    bool found = false;
    it = ecs_children(world, 0);
    while (ecs_children_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            assert_true(ecs_get_parent(world, it.entities[i]) == 0);
            found |= it.entities[i] == parent;
        }
    }
    assert_true(found);
}

// What is shown is locked; other tables may come and go.
static void loops_without_query_go_on_where_tables_come_and_go(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    enum { COUNT = 40, LOOPS = 4 };
    const ecs_entity_t tag = ecs_new(world), rel = ecs_new(world), any = ecs_new(world),
                       beside = ecs_new_w_id(world, EcsDontFragment);
    for (int loop = 0; loop < LOOPS; loop++) {
        ecs_entity_t mine[COUNT];
        for (int i = 0; i < COUNT; i++) {
            mine[i] = ecs_new_w_id(world, ecs_new(world));
            ecs_add_id(world, mine[i], tag);
            ecs_add_pair(world, mine[i], rel, any);
        }
        ecs_iter_t its[LOOPS] = { ecs_each_id(world, tag), ecs_children_w_rel(world, rel, any),
            ecs_children(world, 0), ecs_children_w_rel(world, beside, 0) };
        ecs_iter_t it = its[loop];
        int found = 0;
        while (ecs_iter_next(&it)) {
            bool is_mine = ecs_has_id(world, it.entities[0], tag);
            found += is_mine * it.count;
            if (is_mine && found > 1) ecs_delete(world, mine[found - 2]); /* shown before */
            ecs_new_w_id(world, ecs_new(world));
            ecs_shrink(world);
        }
        assert_int_equal(found, COUNT);
        ecs_remove_all(world, tag);
        ecs_remove_all(world, ecs_pair(rel, any));
    }
}

static void more_than_eight_fields_are_no_problem(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1",
        "Position, Velocity, Mass, Tag, Other, Npc, (Likes, Dogs), (Eats, Apples), (Eats, Pears)");
    const char *text =
        "Position, Velocity, Mass, Tag, Other, Npc, (Likes,Dogs), (Eats,Apples), (Eats,Pears)";
    char expected[256];
    snprintf(expected, sizeof(expected), "e1: %s", text);
    assert_query(scene, text, expected);
    ecs_query_t *q = query_expr(scene, text);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_non_null(ecs_field(&it, Mass, 2));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

static void a_result_can_be_printed(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_query_t *q = query_expr(scene, "Position, ?Velocity");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    char *text = ecs_iter_str(&it);
    assert_string_equal(
        text, "id:  Position,Velocity\nsrc: 0,0\nset: true,false\nthis:\n    - e1\n");
    ecs_os_free(text);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

static void this_can_be_limited_before_the_first_result(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_entity_t e2 = make(scene->world, "e2", "Position");
    ecs_query_t *q = query_expr(scene, "Position");
    assert_int_equal(ecs_query_find_var(q, "this"), 0);
    assert_int_equal(ecs_query_find_var(q, "x"), -1);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, 0, e2);
    assert_true(ecs_iter_var_is_constrained(&it, 0));
    assert_true(ecs_query_next(&it));
    assert_true(ecs_iter_get_var(&it, 0) == e2);
    assert_false(ecs_query_next(&it));
    it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var_as_table(&it, 0, ecs_get_table(scene->world, e2));
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.count, 2);
    assert_ptr_equal(ecs_iter_get_var_as_table(&it, 0), it.table);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(flags_tell_which_way_an_iterator_takes),
        BOTH(fields_have_the_size_that_their_type_has_now),
        BOTH(a_loop_visits_each_entity_once),
        BOTH(results_go_on_where_some_are_shared),
        BOTH(the_generic_next_function_gives_the_same_results),
        BOTH(a_type_of_another_size_is_refused),
        BOTH(fields_can_be_read_without_knowing_types),
        BOTH(empty_tables_are_not_returned_unless_asked_for),
        BOTH(sorted_results_have_empty_tables),
        BOTH(iterations_of_one_query_can_be_nested),
#ifdef FLECS_DEBUG
        BOTH(a_table_is_locked_while_it_is_iterated),
        BOTH(so_are_those_that_variables_may_go_through),
#endif
        BOTH(deferred_changes_do_not_disturb_the_iteration),
        BOTH(tables_made_during_an_iteration_wait_for_the_next),
        BOTH(iterators_can_be_counted_tested_and_asked_for_the_first),
        BOTH(a_page_returns_part_of_the_entities),
        BOTH(workers_share_results_evenly),
        BOTH(pages_and_shares_can_be_left_early),
        BOTH(each_visits_all_entities_with_an_id),
        BOTH(children_visits_the_children_of_a_parent),
        BOTH(loops_without_query_go_on_where_tables_come_and_go),
        BOTH(more_than_eight_fields_are_no_problem),
        BOTH(a_result_can_be_printed),
        BOTH(this_can_be_limited_before_the_first_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
