// SPDX-License-Identifier: MIT
// Change detection: features.md area Q-CHG, PRF-07. D-31: a query detects from the first question on.
#include "query_scene.h"
#include "storage/watch.h"

static ecs_query_t *query(const scene_t *scene, const char *expr) {
    ecs_query_t *q = query_of(scene,
        (ecs_query_desc_t){ .expr = expr, .flags = EcsQueryDetectChanges, .instanced = true });
    assert_true(q->flags & EcsQueryHasChangeDetection);
    return q;
}

static void visit(ecs_query_t *q) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {}
}

static void visit_expr(ecs_world_t *world, const char *expr) {
    ecs_query_t *q = ecs_query_new(world, expr);
    visit(q);
    ecs_query_fini(q);
}

/** Was false, the statement makes it true, and an iteration makes it false again. */
#define assert_changes(q, ...)              \
    do {                                    \
        assert_false(ecs_query_changed(q)); \
        __VA_ARGS__;                        \
        assert_true(ecs_query_changed(q));  \
        visit(q);                           \
        assert_false(ecs_query_changed(q)); \
    } while (0)

#define assert_no_change(q, ...)            \
    do {                                    \
        assert_false(ecs_query_changed(q)); \
        __VA_ARGS__;                        \
        assert_false(ecs_query_changed(q)); \
    } while (0)

// Q-CHG-01, Q-CHG-12, Q-CHG-15
static void a_query_is_changed_until_it_was_iterated(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = query(scene, "[in] Position");
    assert_false(ecs_query_changed(q)); // nothing matches
    make(scene->world, "a", "Position");
    make(scene->world, "b", "Position, Velocity");
    assert_true(ecs_query_changed(q));
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
    // The first question is enough.
    q = query_expr(scene, "[in] Position");
    assert_false(q->flags & EcsQueryHasChangeDetection);
    visit(q);
    assert_true(ecs_query_changed(q));
    assert_int_equal(ecs_query_get_cache_query(q) == NULL, scene->kind == EcsQueryCacheNone);
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

static void set_while_deferred(ecs_world_t *world, ecs_entity_t e, bool twice) {
    ecs_defer_begin(world);
    ecs_set(world, e, Position, { 3, 4 });
    if (twice) ecs_set(world, e, Velocity, { 3, 4 });
    ecs_defer_end(world);
}

// Q-CHG-02, Q-CHG-03, Q-CHG-09
static void setting_and_modifying_are_changes(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position, Velocity");
    ecs_query_t *q = query(scene, "[in] Position");
    visit(q);
    assert_changes(q, ecs_set(world, a, Position, { 1, 2 }));
    assert_changes(q, ecs_modified(world, a, Position));
    assert_changes(q, set_while_deferred(world, a, false));
    assert_changes(q, set_while_deferred(world, a, true));
    assert_changes(
        q, *ecs_ensure(world, a, Position) = (Position){ 1, 1 }, ecs_modified(world, a, Position));
    assert_no_change(q, ecs_get_mut(world, a, Position)->x = 10);
    ecs_ref_t ref = ecs_ref_init(world, a, Position);
    assert_no_change(q, ecs_ref_get(world, &ref, Position)->x = 11);
    assert_no_change(q, ecs_set(world, a, Velocity, { 1, 2 }));
    assert_no_change(q, ecs_modified(world, a, Velocity));
    ecs_query_fini(q);
}

// Q-CHG-04, Q-CHG-05
static void entities_that_come_and_go_are_changes(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position"), b = make(world, "b", "Position, Velocity");
    ecs_query_t *q = query(scene, "[in] Position");
    visit(q);
    assert_changes(q, make(world, "c", "Position"));
    assert_changes(q, make(world, "d", "Position, Mass"));
    assert_changes(q, ecs_add(world, a, Velocity));
    assert_changes(q, ecs_remove(world, a, Velocity));
    assert_changes(q, ecs_remove(world, b, Position)); // and the table is empty now
    assert_no_change(q, ecs_set(world, b, Velocity, { 1, 1 }));
    assert_changes(q, ecs_delete(world, a));
    assert_changes(q, ecs_delete(world, ecs_lookup(world, "d")));
    assert_no_change(q, make(world, "e", "Velocity"));
    const ecs_delete_empty_tables_desc_t all = { .delete_generation = 1 };
    assert_no_change(q, ecs_delete_empty_tables(world, &all), ecs_delete_empty_tables(world, &all));
    assert_changes(q, ecs_delete_with(world, ecs_id(Position)));
    ecs_query_fini(q);
}

// Q-CHG-04, Q-CHG-09: switched off, entities leave the match, and come back switched on; who does not ask for it is not told.
static void what_is_switched_on_and_off_is_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Mass), EcsCanToggle);
    ecs_entity_t a = make(world, "a", "Position, Mass");
    ecs_enable_id(world, a, ecs_id(Mass), true);
    ecs_add_pair(world, make(world, "b", "Tag"), EcsChildOf, a);
    static const char *const exprs[] = { "[in] Mass", "[in] Position, !Mass",
        "[in] Position, [in] ?Mass", "[in] Mass, $this ~= \"\"",
        "[in] Position, [in] ?Mass, $this ~= \"\"", "Tag, [in] Mass(up)", "Tag, [in] ?Mass(up)",
        "Tag, !Mass(up)", "Tag, [in] Mass(a)", "Tag, [in] Mass($x), (ChildOf, $x)" };
    static const char *const others[] = { "[in] Position", "Tag, [in] Position(up)",
        "[in] Position, toggle|Mass", "[in] Position, $this ~= \"\"" };
    for (int i = 0; i < 4; i++) {
        ecs_query_t *q = query(scene, others[i]);
        visit(q);
        assert_no_change(q, ecs_enable_id(world, a, ecs_id(Mass), false));
        assert_no_change(q, ecs_enable_id(world, a, ecs_id(Mass), true));
        ecs_query_fini(q);
    }
    for (int i = 0; i < 10; i++) {
        ecs_query_t *q = query(scene, exprs[i]);
        visit(q);
        assert_changes(q, ecs_enable_id(world, a, ecs_id(Mass), false));
        assert_no_change(q, ecs_enable_id(world, a, ecs_id(Mass), false));
        assert_changes(q, ecs_enable_id(world, a, ecs_id(Mass), true));
        ecs_query_fini(q);
    }
}

// Q-CHG-04: who has it switched off comes into another table.
static void what_is_switched_off_may_move(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Mass), EcsCanToggle);
    ecs_entity_t a = make(world, "a", "Mass");
    ecs_add_pair(world, make(world, "b", "Tag"), EcsChildOf, a);
    ecs_query_t *q = query(scene, "Tag, !Mass(up)");
    ecs_enable_id(world, a, ecs_id(Mass), false);
    visit(q);
    ecs_add_id(world, a, ecs_lookup(world, "Other"));
    visit(q);
    assert_changes(q, ecs_enable_id(world, a, ecs_id(Mass), true));
    ecs_query_fini(q);
}

// Also if nothing of it is left at the next look. Q-CHG-04, Q-CHG-05
static void what_came_and_went_between_two_looks_is_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t tags[2] = { make(world, "A", NULL), make(world, "B", NULL) };
    const ecs_id_t *both = ecs_ids(ecs_id(Position), tags[0]);
    ecs_query_t *q = query(scene, "[in] Position");
    ecs_delete(world, ecs_entity(world, { .add = both }));
    assert_false(ecs_query_changed(q)); // never iterated, and nothing matches
    visit(q);
    assert_changes(q, ecs_delete(world, ecs_entity(world, { .add = both })));
    both = ecs_ids(ecs_id(Position), tags[1]);
    assert_changes(q, ecs_delete(world, ecs_entity(world, { .add = both })));
    assert_no_change(q, ecs_table_add_id(world, ecs_get_table(world, tags[0]), ecs_id(Position)));
    assert_changes(q,
        ecs_delete(
            world, ecs_entity(world, { .add = ecs_ids(ecs_id(Position), tags[0], tags[1]) })),
        ecs_delete(world, tags[0])); // and the table
    ecs_query_fini(q);
}

// Entities without names take shorter ways.
static void plain_entities_are_noticed_as_well(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t tag = ecs_new_low_id(world), a = ecs_new_w(world, Position);
    ecs_add_id(world, ecs_new_w(world, Position), tag);
    ecs_query_t *q = query(scene, "[in] Position");
    visit(q);
    assert_changes(q, ecs_set(world, a, Position, { 1, 2 }));
    assert_changes(q, ecs_new_w(world, Position));
    assert_changes(q, ecs_add_id(world, a, tag));
    assert_changes(q, ecs_remove_id(world, a, tag));
    assert_changes(q, ecs_remove(world, a, Position));
    assert_changes(q, ecs_add(world, a, Position));
    assert_changes(q, ecs_delete(world, a));
    assert_changes(q, ecs_bulk_new(world, Position, 3));
    assert_changes(q, ecs_clear(world, ecs_new_w(world, Position)));
    ecs_query_fini(q);
    q = query(scene, "[in] !Position, !Npc");
    visit(q);
    assert_changes(q, a = ecs_new(world));
    assert_changes(q, ecs_delete(world, a));
    ecs_query_fini(q);
}

// A match that goes with its table before the query noticed that it was empty.
static void a_match_that_vanished_is_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position, Tag");
    make(world, "b", "Position");
    ecs_query_t *q = query(scene, "[in] Position");
    visit(q);
    const ecs_delete_empty_tables_desc_t all = { .delete_generation = 1 };
    assert_changes(q, ecs_delete(world, a), ecs_delete_empty_tables(world, &all),
        ecs_delete_empty_tables(world, &all));
    ecs_query_fini(q);
}

// Q-CHG-01: tables without rows are results of a query that asks for them.
static void an_empty_match_that_vanished_is_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_delete(world, make(world, "e1", "Tag, Position"));
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .expr = "[in] Position, Tag",
                            .flags = EcsQueryMatchEmptyTables | EcsQueryDetectChanges });
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// A table that loses its rows and gets another result before the query looks again.
static void rows_that_go_from_a_match_that_changes_are_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t parent = make(world, "parent", NULL), tag = make(world, "Tag", NULL);
    ecs_entity_t a = make(world, "a", "(ChildOf, parent), Tag");
    ecs_query_t *q = query(scene, "Tag, [in] ?Position(up)");
    visit(q);
    assert_changes(q, ecs_remove_id(world, a, tag), ecs_set(world, parent, Position, { 1, 2 }));
    ecs_query_fini(q);
}

// Q-CHG-04, Q-CHG-11: a result that was seen, then has another source, and is gone before it is seen again.
static void a_result_that_changes_and_vanishes_is_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t g = make(world, "g", NULL), p = make(world, "g.p", "Position");
    make(world, "g.p.c", "Tag");
    ecs_query_t *q = query(scene, "Tag, [in] Position(up)");
    for (int passed = 0; passed < 2; passed++) {
        visit(q);
        assert_false(ecs_query_changed(q));
        ecs_remove(world, p, Position);
        ecs_set(world, g, Position, { 1, 2 });
        assert_true(ecs_query_changed(q));
        if (passed) visit(q);
        assert_int_equal(ecs_query_changed(q), !passed);
        ecs_remove(world, g, Position);
        assert_true(ecs_query_changed(q));
        visit(q);
        assert_no_change(q, ecs_set(world, p, Position, { 1, 2 }), ecs_query_changed(q),
            ecs_remove(world, p, Position)); // it was not seen
        ecs_set(world, p, Position, { 1, 2 });
    }
    ecs_query_fini(q);
}

// Q-CHG-06, Q-CHG-08
static void iterations_that_may_write_are_changes(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "a", "Position, Velocity");
    ecs_query_t *q = query(scene, "[in] Position");
    visit(q);
    assert_changes(q, visit_expr(world, "Position"));
    assert_changes(q, visit_expr(world, "[inout] Position"));
    assert_changes(q, visit_expr(world, "[out] Position"));
    assert_changes(q, visit_expr(world, "Velocity, [in] ?Mass, ?Position"));
    assert_changes(q, visit_expr(world, "Position, $this == a"));
    assert_no_change(q, visit_expr(world, "[in] Position"));
    assert_no_change(q, visit_expr(world, "[none] Position"));
    assert_no_change(q, visit_expr(world, "[filter] Position, Velocity"));
    ecs_query_t *cached = ecs_query(world, { .expr = "Position", .cache_kind = EcsQueryCacheAuto });
    assert_changes(q, visit(cached));
    assert_changes(q, visit(cached));
    assert_no_change(q, ecs_query_count(cached));
    assert_no_change(q, ecs_query_is_true(cached));
    ecs_query_fini(cached);
    ecs_query_fini(q);
}

// Q-CHG-02, Q-CHG-06, Q-OR-09
static void alternatives_of_different_types_have_values(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "a", "Position");
    make(world, "b", "Velocity");
    ecs_query_t *in = query(scene, "[in] Position"), *either = query(scene, "[in] Tag || Position");
    visit(in);
    visit(either);
    assert_changes(in, visit_expr(world, "Position || Velocity"));
    assert_changes(in, visit_expr(world, "Tag || Position"));
    assert_no_change(in, visit_expr(world, "[in] Tag || Position"));
    visit(either);
    assert_changes(either, ecs_set(world, ecs_lookup(world, "a"), Position, { 1, 2 }));
    assert_no_change(either, ecs_set(world, ecs_lookup(world, "b"), Velocity, { 1, 2 }));
    ecs_query_fini(either);
    ecs_query_fini(in);
}

// Q-CHG-07
static void results_that_are_skipped_are_not_written(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "a", "Position");
    make(world, "b", "Position, Velocity");
    ecs_query_t *q = query(scene, "[in] Position"), *other = query_expr(scene, "Position");
    visit(q);
    ecs_iter_t it = ecs_query_iter(world, other);
    while (ecs_query_next(&it)) ecs_iter_skip(&it);
    assert_false(ecs_query_changed(q));
    it = ecs_query_iter(world, other);
    ecs_iter_t page = ecs_page_iter(&it, 0, 10);
    while (ecs_page_next(&page)) ecs_iter_skip(&page);
    assert_false(ecs_query_changed(q));
    it = ecs_query_iter(world, other);
    assert_true(ecs_query_next(&it));
    ecs_iter_skip(&it);
    while (ecs_query_next(&it)) {}
    it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_false(ecs_iter_changed(&it));
    assert_true(ecs_query_next(&it));
    assert_true(ecs_iter_changed(&it));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(other);
    ecs_query_fini(q);
}

static const char *changed_names(ecs_query_t *q) {
    static char names[64];
    int length = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {
        if (ecs_iter_changed(&it)) names[length++] = ecs_get_name(q->world, it.entities[0])[0];
    }
    names[length] = 0;
    return names;
}

// Q-CHG-10, Q-CHG-14
static void each_table_can_be_asked(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position");
    make(world, "b", "Position");
    ecs_entity_t c = make(world, "c", "Position, Velocity");
    ecs_query_t *q = query_expr(scene, "[in] Position"); // detects from the first question on
    assert_string_equal(changed_names(q), "ac");
    assert_string_equal(changed_names(q), "");
    ecs_set(world, c, Position, { 1, 1 });
    assert_string_equal(changed_names(q), "c");
    ecs_set(world, a, Position, { 1, 1 });
    assert_string_equal(changed_names(q), "a");
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// Q-CHG-11
static void a_table_stays_changed_until_its_query_passes_it(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position");
    make(world, "b", "Position, Velocity");
    ecs_query_t *q = query(scene, "[in] Position"), *other = query(scene, "[in] Position");
    visit(q);
    visit(other);
    ecs_set(world, a, Position, { 1, 1 });
    visit(other);
    assert_false(ecs_query_changed(other));
    assert_true(ecs_query_changed(q));
    // Only what was passed counts as seen.
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    ecs_iter_fini(&it);
    assert_true(ecs_query_changed(q));
    it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it) && ecs_query_next(&it));
    ecs_iter_fini(&it);
    assert_false(ecs_query_changed(q));
    // What is skipped stays changed.
    ecs_set(world, a, Position, { 1, 1 });
    it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        if (ecs_iter_changed(&it)) ecs_iter_skip(&it);
    }
    assert_true(ecs_query_changed(q));
    assert_string_equal(changed_names(q), "a");
    assert_string_equal(changed_names(q), "");
    ecs_query_fini(other);
    ecs_query_fini(q);
}

static void visit_page(ecs_query_t *q, int32_t offset, int32_t limit) {
    ecs_iter_t it = ecs_query_iter(q->world, q), page = ecs_page_iter(&it, offset, limit);
    while (ecs_page_next(&page)) {}
}

static void visit_share(ecs_query_t *q, int32_t index, int32_t count) {
    ecs_iter_t it = ecs_query_iter(q->world, q), share = ecs_worker_iter(&it, index, count);
    while (ecs_worker_next(&share)) {}
}

// Two tables of two entities, whose first ones are a and c.
static ecs_entity_t make_two_tables(ecs_world_t *world) {
    ecs_entity_t a = make(world, "a", "Position");
    make(world, "b", "Position");
    make(world, "c", "Position, Velocity");
    make(world, "d", "Position, Velocity");
    return a;
}

// Q-CHG-06, Q-CHG-14: pages and shares write the tables of which they show something, and no other.
static void parts_of_results_write_what_they_show(void **state) {
    scene_t *scene = *state;
    make_two_tables(scene->world);
    static const char *const writing[] = { "[inout] Position", "Position, $this ~= \"\"" };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query(scene, "[in] Position"), *writer = query_expr(scene, writing[i]);
        visit(q);
        assert_changes(q, visit_page(writer, 0, i ? 1 : 2));
        visit_page(writer, 0, 2);
        assert_string_equal(changed_names(q), "a");
        visit_page(writer, 2, 0);
        assert_string_equal(changed_names(q), "c");
        visit_page(writer, 2, 1);
        assert_string_equal(changed_names(q), "c");
        assert_no_change(q, visit_page(writer, 4, 0), visit_share(writer, 2, 3));
        assert_changes(q, visit_share(writer, 0, 3));
        ecs_query_fini(writer);
        ecs_query_fini(q);
    }
}

// Q-CHG-11: what no page or share shows stays changed.
static void parts_of_results_see_what_they_show(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make_two_tables(world);
    static const char *const exprs[] = { "[in] Position", "[in] Position, $this ~= \"\"" };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query(scene, exprs[i]);
        visit(q);
        ecs_set(world, a, Position, { 1, 2 });
        visit_page(q, 2, 0);
        assert_true(ecs_query_changed(q));
        visit_share(q, 2, 3);
        assert_true(ecs_query_changed(q));
        assert_int_equal(changed_names(q)[0], 'a');
        assert_changes(q, ecs_set(world, a, Position, { 1, 2 }));
        ecs_set(world, a, Position, { 1, 2 });
        visit_page(q, 0, 2);
        assert_false(ecs_query_changed(q));
        ecs_query_fini(q);
    }
    ecs_query_t *game = query(scene, "[in] Mass(Mass)");
    ecs_singleton_set(world, Mass, { 1 });
    visit(game);
    assert_no_change(game, visit_share(game, 1, 2));
    ecs_singleton_set(world, Mass, { 2 });
    visit_share(game, 1, 2); // results without entities go to the first share
    assert_true(ecs_query_changed(game));
    visit_share(game, 0, 2);
    assert_false(ecs_query_changed(game));
    ecs_query_fini(game);
}

// Q-CHG-13
static void a_query_that_writes_what_it_reads_changes_itself(void **state) {
    scene_t *scene = *state;
    make(scene->world, "a", "Position");
    ecs_query_t *q = query(scene, "Position");
    visit(q);
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_true(ecs_query_changed(q));
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) ecs_iter_skip(&it);
    assert_true(ecs_query_changed(q));
    ecs_query_fini(q);
    // What is only written is not read.
    q = query(scene, "[out] Position");
    visit(q);
    assert_no_change(q, visit_expr(scene->world, "Position"));
    ecs_query_fini(q);
}

static void tags_and_filters_are_not_values(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position, Tag");
    ecs_query_t *q = query(scene, "[none] Position, Tag");
    visit(q);
    assert_no_change(q, ecs_set(world, a, Position, { 1, 1 }));
    assert_changes(q, make(world, "b", "Position, Tag"));
    ecs_query_fini(q);
}

static void shared_values_are_read_where_they_are(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t p = make(world, "p", "Position"), e = make(world, "e", "Tag");
    ecs_add_pair(world, e, EcsChildOf, p);
    ecs_entity_t f = make(world, "f", "Other");
    ecs_add_pair(world, f, EcsChildOf, p);
    ecs_query_t *q = query(scene, "Tag, [in] Position(up)");
    visit(q);
    assert_changes(q, ecs_set(world, p, Position, { 1, 2 }));
    assert_changes(q, ecs_modified(world, p, Position));
    assert_changes(q, visit_expr(world, "Position"));
    assert_changes(q, visit_expr(world, "Other, [inout] Position(up)"));
    assert_no_change(q, visit_expr(world, "Other, Position(up)")); // shared: read by default
    assert_no_change(q, ecs_set(world, f, Mass, { 1 }));
    assert_changes(q, ecs_remove(world, p, Position));
    assert_changes(q, ecs_set(world, p, Position, { 1, 2 }));
    ecs_query_fini(q);
}

static void inherited_values_are_read_where_they_are(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t base = make(world, "base", "Position, Prefab"), e = make(world, "e", "Tag");
    ecs_add_pair(world, e, EcsIsA, base);
    make(world, "x", "Tag, Position");
    ecs_query_t *q = query(scene, "Tag, [in] Position");
    visit(q);
    ecs_set(world, base, Position, { 1, 2 });
    assert_string_equal(changed_names(q), "e");
    assert_no_change(q, visit_expr(world, "Velocity"));
    ecs_set(world, e, Position, { 1, 2 }); // overrides
    assert_string_equal(changed_names(q), "e");
    assert_no_change(q, ecs_set(world, base, Position, { 1, 2 }));
    ecs_query_fini(q);
}

static void move_to_and_fro(ecs_world_t *world, ecs_entity_t e, ecs_query_t *q) {
    visit(q);
    ecs_add_id(world, e, ecs_lookup(world, "Other"));
    visit(q);
    ecs_remove_id(world, e, ecs_lookup(world, "Other"));
    visit(q);
}

// Q-CHG-02, Q-CHG-11: a shared value that changed stays so when its source moves to a table that is watched already.
static void changed_values_move_with_their_source(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t other = ecs_lookup(world, "Other");
    static const char *const exprs[] = { "Tag, [in] Position(up)", "Tag, [in] ?Position(up)",
        "Tag, [in] Position(cascade)", "Tag, [in] Position(up IsA)", "Tag, [in] Position",
        "Tag, [in] Position($x), (ChildOf, $x)", "Tag, [in] Position(*)" };
    for (int i = 0; i < 7; i++) {
        const bool is_base = i == 3 || i == 4;
        ecs_entity_t p = make(world, NULL, is_base ? "Position, Prefab" : "Position");
        ecs_entity_t c = make(world, NULL, "Tag");
        ecs_add_pair(world, c, is_base ? EcsIsA : EcsChildOf, p);
        ecs_query_t *q = query(scene, exprs[i]);
        move_to_and_fro(world, p, q);
        assert_no_change(q, ecs_add_id(world, p, other), ecs_remove_id(world, p, other));
        assert_changes(q, ecs_set(world, p, Position, { 1, 2 }), ecs_add_id(world, p, other));
        assert_changes(q, ecs_set(world, p, Position, { 1, 2 }), ecs_remove_id(world, p, other));
        assert_changes(q, ecs_set(world, p, Position, { 1, 2 }), ecs_defer_begin(world),
            ecs_add_id(world, p, other), ecs_defer_end(world));
        ecs_set(world, p, Position, { 1, 2 });
        ecs_remove_id(world, p, other);
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) assert_true(ecs_iter_changed(&it));
        assert_no_change(q, ecs_set(world, p, Velocity, { 1, 1 }); visit(q));
        assert_changes(q, ecs_remove(world, p, Position), ecs_add(world, p, Position));
        ecs_query_fini(q);
        ecs_delete(world, c);
        ecs_delete(world, p);
    }
}

static void constants_are_read_where_they_are(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t game = make(world, "Game", "Mass");
    make(world, "a", "Position");
    ecs_query_t *both = query(scene, "[in] Position, [in] Mass(Game)"),
                *alone = query(scene, "[in] Mass(Game)");
    assert_true(ecs_query_changed(both));
    assert_true(ecs_query_changed(alone));
    visit(both);
    visit(alone);
    assert_changes(both, ecs_set(world, game, Mass, { 1 }));
    assert_true(ecs_query_changed(alone));
    visit(alone);
    assert_false(ecs_query_changed(alone));
    assert_changes(both, visit_expr(world, "Mass"));
    visit(alone);
    assert_changes(alone, visit_expr(world, "[out] Mass(Game)"));
    visit(both);
    assert_no_change(alone, visit_expr(world, "[in] Mass"));
    assert_changes(alone, ecs_remove(world, game, Mass));
    visit(both);
    assert_no_change(both, make(world, "b", "Position")); // no results
    assert_changes(alone, ecs_set(world, game, Mass, { 1 }));
    assert_true(ecs_query_changed(both));
    ecs_iter_t it = ecs_query_iter(world, alone);
    ecs_set(world, game, Mass, { 2 });
    while (ecs_query_next(&it)) {
        assert_true(ecs_iter_changed(&it));
        ecs_iter_skip(&it);
    }
    assert_true(ecs_query_changed(alone));
    ecs_query_fini(both);
    ecs_query_fini(alone);
}

// Alternatives of different types, and each of several pairs. Q-CHG-09: only what the result shows counts.
static void constants_may_be_one_of_several(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t game = make(world, "Game", "Mass, Velocity"), a = make(world, "a", "Position");
    ecs_add_pair(world, game, ecs_id(Mass), a);
    ecs_add_pair(world, game, ecs_id(Mass), game);
    ecs_query_t *either = query(scene, "[none] Position, [in] Mass(Game) || Velocity(Game)"),
                *pairs = query(scene, "[none] Position, [in] Mass(Game, *)");
    visit(either);
    visit(pairs);
    assert_changes(either, ecs_set(world, game, Mass, { 1 }));
    assert_no_change(either, ecs_set(world, game, Velocity, { 1, 2 }));
    assert_changes(either, ecs_remove(world, game, Mass));
    assert_changes(either, ecs_set(world, game, Velocity, { 3, 4 }));
    visit(pairs);
    assert_changes(pairs, ecs_set_pair(world, game, Mass, a, { 1 }));
    assert_changes(pairs, ecs_set_pair(world, game, Mass, game, { 1 }));
    assert_no_change(pairs, ecs_set(world, game, Velocity, { 5, 6 }));
    ecs_query_fini(either);
    ecs_query_fini(pairs);
}

// Q-CHG-10, Q-CHG-11: a table comes once for each of them, and was seen when it came for all.
static void tables_that_come_again_are_still_changed(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "bob", "(Likes, Apples), (Likes, Pears)");
    ecs_entity_t e = make(world, NULL, "Position");
    ecs_query_t *q = query(scene, "[in] Position, Likes(bob, *)");
    for (int round = 0; round < 5; round++) {
        if (round == 2) ecs_set(world, e, Position, { 1, 1 });
        ecs_iter_t it = ecs_query_iter(world, q);
        for (int way = 0; way < 2; way++) {
            assert_true(ecs_query_next(&it));
            assert_int_equal(ecs_iter_changed(&it), round != 1 && round != 4);
        }
        if (round == 2)
            ecs_iter_fini(&it);
        else
            assert_false(ecs_query_next(&it));
        assert_int_equal(ecs_query_changed(q), round == 2);
    }
    ecs_query_fini(q);
}

// Q-CHG-10: it need not be asked whether anything changed before it is seen.
static void constants_may_move_between_iterations(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t game = make(world, "Game", "Mass");
    make(world, "a", "Position");
    static const char *const exprs[] = { "[in] Position, [in] Mass(Game)", "[in] Mass(Game)" };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query(scene, exprs[i]);
        assert_true(ecs_query_changed(q));
        visit(q);
        ecs_add_id(world, game, make(world, NULL, NULL)); // to another table
        for (int round = 0; round < 2; round++) {
            ecs_iter_t it = ecs_query_iter(world, q);
            assert_true(ecs_query_next(&it));
            assert_int_equal(ecs_iter_changed(&it), round == 0);
            assert_false(ecs_query_next(&it));
        }
        assert_no_change(q, ecs_add_id(world, game, make(world, NULL, NULL)); visit(q));
        assert_changes(q, ecs_set(world, game, Mass, { (float)i }));
        ecs_query_fini(q);
    }
}

// Q-CHG-02, Q-CHG-05: what constants have or lack, and what they see above.
static void what_constants_have_decides_results(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t root = make(world, "Root", "Other"), base = make(world, "Base", "Mass");
    ecs_entity_t game = make(world, "Game", "Other"), unit = make(world, "Unit", "Other");
    make(world, "a", "Position");
    ecs_add_pair(world, game, EcsChildOf, root);
    ecs_add_pair(world, unit, EcsIsA, base);
    static const char *const about_tags[] = { "[in] Position, Tag(Root.Game)",
        "[in] Position, ?Tag(Root.Game)", "[in] Position, !Tag(Root.Game)", "Tag(Root.Game)",
        "?Tag(Root.Game)" };
    for (int i = 0; i < 5; i++) {
        ecs_query_t *q = query(scene, about_tags[i]);
        visit(q);
        assert_changes(q, ecs_add_id(world, game, ecs_lookup(world, "Tag")));
        if (i) assert_no_change(q, ecs_add_id(world, game, make(world, NULL, NULL)));
        assert_changes(q, ecs_remove_id(world, game, ecs_lookup(world, "Tag")));
        ecs_query_fini(q);
    }
    ecs_query_t *above = query(scene, "[in] Position, [in] Mass(Root.Game|up)");
    visit(above);
    assert_changes(above, ecs_set(world, root, Mass, { 1 }));
    assert_changes(above, ecs_set(world, root, Mass, { 2 }));
    assert_changes(above, ecs_remove_pair(world, game, EcsChildOf, root));
    ecs_query_t *of_base = query(scene, "[in] Position, [in] Mass(Unit)");
    visit(of_base);
    assert_changes(of_base, ecs_set(world, base, Mass, { 1 }));
    assert_changes(of_base, ecs_set(world, unit, Mass, { 1 }));
    assert_no_change(of_base, ecs_set(world, base, Mass, { 2 }));
    ecs_query_fini(above);
    ecs_query_fini(of_base);
}

static int count_changed(ecs_query_t *q, int skipped) {
    int results = 0, changed = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    for (; ecs_query_next(&it); results++) {
        changed += ecs_iter_changed(&it);
        if (results == skipped) ecs_iter_skip(&it);
    }
    assert_int_equal(results, 3);
    return changed;
}

// Q-CHG-07, Q-CHG-10, Q-CHG-11, Q-INS-01: rows that come one by one were seen when all of them were.
static void results_of_one_entity_are_one_table(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t p = make(world, "p", "Mass"), e = 0;
    for (int i = 0; i < 3; i++) {
        e = make(world, NULL, "Position, (Likes, p)");
        ecs_add_pair(world, e, EcsChildOf, p);
    }
    const char *const exprs[] = { "[in] Position, [in] Mass(up)",
        "[in] Position, (Likes, $x), [in] Mass($x)" };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query_expr(scene, exprs[i]);
        ecs_query_changed(q);
        assert_int_equal(count_changed(q, -1), 3);
        assert_int_equal(count_changed(q, -1), 0);
        ecs_set(world, e, Position, { 1, 1 });
        for (int skipped = 0; skipped < 3; skipped++) {
            assert_int_equal(count_changed(q, skipped), 3);
            assert_true(ecs_query_changed(q));
        }
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_true(ecs_query_next(&it) && ecs_query_next(&it)); // and is left there
        ecs_iter_fini(&it);
        assert_int_equal(count_changed(q, -1), 3);
        assert_false(ecs_query_changed(q));
        ecs_query_fini(q);
    }
}

static void wildcards_are_matches_of_their_own(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = ecs_lookup(world, "Apples"), b = ecs_lookup(world, "Pears");
    ecs_entity_t e = ecs_new(world);
    ecs_set_pair_second(world, e, a, Position, { 1, 1 });
    ecs_set_pair_second(world, e, b, Position, { 1, 1 });
    ecs_query_t *q = query(scene, "[in] (*, Position)");
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_set_pair_second(world, e, b, Position, { 2, 1 });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_false(ecs_iter_changed(&it));
    assert_true(ecs_query_next(&it));
    assert_true(ecs_iter_changed(&it));
    assert_false(ecs_query_next(&it));
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

static void grouped_queries_detect_changes(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t likes = ecs_lookup(world, "Likes"), pears = ecs_lookup(world, "Pears");
    ecs_entity_t a = make(world, "a", "Position"), b = make(world, "b", "Position");
    ecs_add_pair(world, a, likes, pears);
    ecs_query_t *q = query_of(
        scene, (ecs_query_desc_t){
                   .expr = "[in] Position", .group_by = likes, .flags = EcsQueryDetectChanges });
    visit(q);
    assert_changes(q, ecs_set(world, b, Position, { 1, 1 }));
    ecs_set(world, a, Position, { 1, 1 });
    ecs_iter_t it = ecs_query_iter(world, q);
    ecs_iter_set_group(&it, 0);
    while (ecs_query_next(&it)) {}
    assert_true(ecs_query_changed(q));
    it = ecs_query_iter(world, q);
    ecs_iter_set_group(&it, pears);
    while (ecs_query_next(&it)) {}
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// Q-CHG-12, PRF-07
static void other_tables_carry_no_counters(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position"), b = make(world, "b", "Velocity");
    ecs_query_t *q = query_expr(scene, "[in] Position");
    visit(q);
    assert_null(ecs_get_table(world, a)->watch);
    assert_true(ecs_query_changed(q));
    assert_non_null(ecs_get_table(world, a)->watch);
    assert_null(ecs_get_table(world, b)->watch);
    ecs_add(world, b, Position);
    assert_non_null(ecs_get_table(world, b)->watch);
    ecs_query_fini(q);
}

static void what_is_iterated_while_the_world_is_readonly_counts(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position");
    ecs_query_t *q = query(scene, "[in] Position"), *late = query_expr(scene, "[in] Position"),
                *writes = query_expr(scene, "Position");
    visit(q);
    ecs_readonly_begin(world, false);
    ecs_world_t *stage = ecs_get_stage(world, 0);
    assert_true(ecs_query_changed(late)); // watching begins later
    ecs_iter_t it = ecs_query_iter(stage, writes);
    while (ecs_query_next(&it)) {}
    ecs_readonly_end(world);
    ecs_readonly_begin(world, false);
    assert_true(ecs_query_changed(q));
    assert_true(ecs_query_changed(late));
    it = ecs_query_iter(stage, q);
    while (ecs_query_next(&it)) {}
    it = ecs_query_iter(stage, late);
    while (ecs_query_next(&it)) {}
    ecs_readonly_end(world);
    assert_changes(q, ecs_set(world, a, Position, { 1, 1 }));
    visit(late);
    assert_false(ecs_query_changed(late));
    ecs_query_fini(q);
    ecs_query_fini(late);
    ecs_query_fini(writes);
}

// Q-CHG-12, Q-CIN-01: a query that looks for kinds by now, and was iterated before it is asked.
static void detection_may_begin_when_kinds_came(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_query_t *q = query_expr(scene, "[in] Tag");
    make(world, "a", "Tag");
    make(world, "Kind", "(IsA, Tag)");
    make(world, "b", "Kind");
    visit(q);
    visit(q);
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// What jobs hear that ask and look in one frame after the other: the first begins the detection, the second sees all for the first time.
static void assert_jobs_may_begin(ecs_world_t *world, ecs_query_t *q) {
    ecs_readonly_begin(world, false); // the query is known
    ecs_readonly_end(world);
    for (int i = 0; i < 4; i++) {
        ecs_readonly_begin(world, false);
        const bool has_changed = ecs_query_changed(q);
        ecs_iter_t it = ecs_query_iter(ecs_get_stage(world, 0), q);
        while (ecs_query_next(&it)) {}
        ecs_readonly_end(world);
        assert_true(has_changed == (i < 2));
    }
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// Q-CHG-12
static void jobs_may_begin_to_ask(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "a", "Tag, (Likes, Apples)");
    assert_jobs_may_begin(world, query_expr(scene, "[in] Tag, Likes($this, $x)"));
    assert_jobs_may_begin(world, query_expr(scene, "[in] Tag"));
    // Q-CIN-01: when it looks for kinds by now
    ecs_query_t *q = query_expr(scene, "[in] Other");
    make(world, "b", "Other");
    visit(q);
    make(world, "Kind", "(IsA, Other)");
    make(world, "c", "Kind");
    visit(q);
    assert_jobs_may_begin(world, q);
}

static void changes_after_the_visit_of_a_table_are_not_lost(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position");
    make(world, "b", "Position, Velocity");
    ecs_query_t *q = query(scene, "[in] Position");
    visit(q);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it) && ecs_query_next(&it));
    ecs_set(world, a, Position, { 1, 1 });
    assert_false(ecs_query_next(&it));
    assert_true(ecs_query_changed(q));
    assert_string_equal(changed_names(q), "a");
    // Nor are those of tables that were empty when they were passed.
    ecs_entity_t c = make(world, "c", "Position, Mass");
    ecs_delete(world, c);
    visit(q);
    it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it) && ecs_query_next(&it));
    make(world, "d", "Position, Mass");
    while (ecs_query_next(&it)) {}
    make(world, "x", "Velocity");
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// Q-CHG-15, Q-VAR-17: what a search gives
static void changes_of_joins_are_noticed(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_query_t *q = query(scene, "[in] Position, (Likes, $x), [in] Mass($x)");
    ecs_entity_t a = make(world, "a", "Position, (Likes, Apples)"),
                 b = make(world, "b", "Mass, Tag");
    assert_false(ecs_query_changed(q));
    ecs_add_pair(world, a, ecs_lookup(world, "Likes"), b);
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_changes(q, ecs_set(world, a, Position, { 1, 2 }));
    assert_changes(q, ecs_set(world, b, Mass, { 3 }));
    ecs_entity_t c = make(world, "c", "Mass, Other");
    assert_no_change(q, ecs_set(world, c, Mass, { 5 }));
    assert_no_change(q, make(world, "d", "Position, (Likes, Pears)"));
    assert_changes(q, ecs_add_pair(world, a, ecs_lookup(world, "Likes"), c));
    assert_changes(q, ecs_remove_id(world, c, ecs_id(Mass)));
    assert_changes(q, ecs_delete(world, a));
    assert_no_change(q, visit_expr(world, "Mass"));
    ecs_query_fini(q);
}

// Q-CHG-10, Q-CHG-11, Q-CHG-06: single results of a search
static void results_of_joins_can_be_asked(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "x", "Mass");
    ecs_entity_t a = make(world, "a", "Position, (Likes, x)");
    ecs_entity_t b = make(world, "b", "Position, Tag, (Likes, x)");
    ecs_query_t *q = query(scene, "[in] Position, (Likes, $x), Mass($x)");
    visit(q);
    ecs_set(world, b, Position, { 1, 2 });
    for (int skip = 1; skip >= 0; skip--) {
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            assert_int_equal(ecs_iter_changed(&it), it.entities[0] == b);
            if (skip) ecs_iter_skip(&it);
        }
        assert_int_equal(ecs_query_changed(q), skip);
    }
    assert_changes(q, visit_expr(world, "Position, Tag"));
    assert_no_change(q, visit_expr(world, "[in] Position"));
    ecs_iter_t it;
    assert_true(ecs_query_has(q, a, &it)); // is no visit, and no result of its own
    ecs_iter_fini(&it);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

// Q-CHG-15, Q-SCP-15, Q-EQ-12
static void changes_of_other_searches_are_noticed(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t a = make(world, "a", "Position, Tag");
    ecs_query_t *scope = query(scene, "[in] Position, !{ Tag, Other }"),
                *name = query(scene, "[in] Position, $this ~= \"a\"");
    visit(scope);
    visit(name);
    assert_changes(scope, ecs_add_id(world, a, ecs_lookup(world, "Other")));
    assert_no_change(scope, ecs_set(world, a, Position, { 1, 1 }));
    visit(name); // the entity is in another table
    assert_changes(name, ecs_set_name(world, a, "b"));
    assert_changes(name, make(world, "another", "Position"));
    ecs_query_fini(scope);
    ecs_query_fini(name);
}

// Q-CHG-15, Q-CIN-09
static void kinds_that_come_later_are_changes(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "Unit", NULL);
    make(world, "u", "Unit");
    ecs_query_t *q = query(scene, "Unit");
    visit(q);
    assert_false(ecs_query_changed(q));
    make(world, "Melee", "(IsA, Unit)");
    ecs_entity_t m = make(world, "m", "Melee");
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_changes(q, ecs_delete(world, m));
    ecs_query_fini(q);
}

// Q-CHG-04, Q-CHG-15
static void what_was_lost_while_a_query_was_planned_again_is_a_change(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    static const char *const exprs[] = { "[in] Position, [in] _", "[in] Position, Tag || _",
        "_(a)" };
    ecs_entity_t loose = make(world, "Loose", "DontFragment");
    ecs_query_t *queries[3];
    ecs_entity_t a = make(world, "a", "Position");
    for (int i = 0; i < 3; i++) {
        queries[i] = query(scene, exprs[i]);
        visit(queries[i]);
        assert_false(ecs_query_changed(queries[i]));
    }
    ecs_add_id(world, make(world, "Tag", NULL), loose);
    ecs_clear(world, a);
    for (int i = 0; i < 3; i++) {
        assert_true(ecs_query_changed(queries[i]));
        visit(queries[i]);
        assert_false(ecs_query_changed(queries[i]));
        ecs_query_fini(queries[i]);
    }
}

// Q-CHG-15, Q-CAC-07
static void any_number_of_wildcards_can_be_watched(void **state) {
    scene_t *scene = *state;
    ecs_entity_t a = make(scene->world, "a", "Position");
    static const char *const exprs[] = { "[in] *, [in] *, [in] Position",
        "[in] *, [in] *, [in] *, [in] *, [in] *, [in] Position" };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query(scene, exprs[i]);
        visit(q);
        assert_false(ecs_query_changed(q));
        assert_changes(q, ecs_set(scene->world, a, Position, { 1, 2 }));
        ecs_query_fini(q);
    }
}

// Q-CHG-12: tables of sources may be gone since the query was made.
static void the_first_question_finds_what_went_before(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t tag = ecs_new(world), likes = ecs_new(world), target = ecs_new(world);
    ecs_entity_t parent = ecs_new_w_id(world, tag);
    ecs_add_pair(world, parent, likes, target);
    ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_query_t *q = query_of(scene,
        (ecs_query_desc_t){ .terms = { { .id = tag, .src.id = EcsUp, .trav = EcsChildOf } } });
    visit(q);
    ecs_delete(world, target);
    assert_true(ecs_query_changed(q));
    visit(q);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(a_query_is_changed_until_it_was_iterated),
        BOTH(setting_and_modifying_are_changes),
        BOTH(entities_that_come_and_go_are_changes),
        BOTH(what_is_switched_on_and_off_is_a_change),
        BOTH(what_is_switched_off_may_move),
        BOTH(what_came_and_went_between_two_looks_is_a_change),
        BOTH(plain_entities_are_noticed_as_well),
        BOTH(a_match_that_vanished_is_a_change),
        BOTH(an_empty_match_that_vanished_is_a_change),
        BOTH(rows_that_go_from_a_match_that_changes_are_a_change),
        BOTH(a_result_that_changes_and_vanishes_is_a_change),
        BOTH(iterations_that_may_write_are_changes),
        BOTH(alternatives_of_different_types_have_values),
        BOTH(results_that_are_skipped_are_not_written),
        BOTH(each_table_can_be_asked),
        BOTH(a_table_stays_changed_until_its_query_passes_it),
        BOTH(parts_of_results_write_what_they_show),
        BOTH(parts_of_results_see_what_they_show),
        BOTH(a_query_that_writes_what_it_reads_changes_itself),
        BOTH(tags_and_filters_are_not_values),
        BOTH(shared_values_are_read_where_they_are),
        BOTH(inherited_values_are_read_where_they_are),
        BOTH(changed_values_move_with_their_source),
        BOTH(constants_are_read_where_they_are),
        BOTH(constants_may_be_one_of_several),
        BOTH(tables_that_come_again_are_still_changed),
        BOTH(constants_may_move_between_iterations),
        BOTH(what_constants_have_decides_results),
        BOTH(results_of_one_entity_are_one_table),
        BOTH(wildcards_are_matches_of_their_own),
        BOTH(grouped_queries_detect_changes),
        BOTH(other_tables_carry_no_counters),
        BOTH(what_is_iterated_while_the_world_is_readonly_counts),
        BOTH(detection_may_begin_when_kinds_came),
        BOTH(jobs_may_begin_to_ask),
        BOTH(changes_after_the_visit_of_a_table_are_not_lost),
        BOTH(changes_of_joins_are_noticed),
        BOTH(results_of_joins_can_be_asked),
        BOTH(changes_of_other_searches_are_noticed),
        BOTH(kinds_that_come_later_are_changes),
        BOTH(what_was_lost_while_a_query_was_planned_again_is_a_change),
        BOTH(any_number_of_wildcards_can_be_watched),
        BOTH(the_first_question_finds_what_went_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
