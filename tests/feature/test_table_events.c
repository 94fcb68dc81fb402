// SPDX-License-Identifier: MIT
// Events of tables: features.md area OBS.
#include "observer_scene.h"

static void log_table(ecs_iter_t *it) {
    assert_int_equal(it->count, 0);
    char *type = ecs_table_str(it->world, it->table);
    log_write("%s %s", ecs_get_name(it->world, it->event), type);
    ecs_os_free(type);
}
static void tables_that_match_are_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node, Foo",
                            .events = { EcsOnTableCreate, EcsOnTableDelete },
                            .callback = log_table });
    ecs_entity_t e = ecs_new_w(world, Node);
    assert_log("");
    ecs_add(world, e, Foo);
    assert_log("OnTableCreate Node, Foo");
    ecs_delete(world, e);
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    assert_log("OnTableDelete Node, Foo");
}

static void tables_with_a_pair_or_a_mark_are_told(void **state) {
    ecs_world_t *world = begin(state);
    const ecs_id_t ids[] = { ecs_pair(Rel, Foo), ECS_AUTO_OVERRIDE | ecs_id(Node) };
    for (int i = 0; i < 2; i++)
        ecs_observer(world, { .query.terms = { { ids[i] } },
                                .events = { EcsOnTableCreate },
                                .callback = log_table });
    ecs_new_w_id(world, ids[0]);
    assert_log("OnTableCreate (Rel,Foo)");
    ecs_new_w_id(world, ecs_pair(Rel, Bar));
    ecs_new_w(world, Node);
    assert_log("");
    ecs_new_w_id(world, ids[1]);
    assert_log("OnTableCreate AUTO_OVERRIDE|Node");
}

static void tables_that_fill_and_empty_are_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnTableFill, EcsOnTableEmpty },
                            .callback = log_table });
    ecs_entity_t a = ecs_new_w(world, Node);
    assert_log("OnTableFill Node");
    ecs_entity_t b = ecs_new_w(world, Node);
    ecs_delete(world, a);
    assert_log("");
    ecs_add(world, b, Foo);
    assert_log("OnTableFill Node, Foo; OnTableEmpty Node");
    ecs_defer_begin(world);
    ecs_remove(world, b, Foo);
    ecs_defer_end(world);
    assert_log("OnTableFill Node; OnTableEmpty Node, Foo");
    ecs_delete(world, Foo);
    ecs_delete(world, b);
    assert_log("OnTableEmpty Node");
}

static void tables_that_are_as_before_are_not_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t a = ecs_new_w(world, Node), b = ecs_new_w(world, Size);
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnTableFill, EcsOnTableEmpty },
                            .callback = log_table });
    for (int i = 0; i < 2; i++) {
        ecs_defer_begin(world);
        ecs_remove(world, a, Node);
        ecs_add(world, b, Node);
        ecs_remove(world, b, Size);
        ecs_defer_end(world);
        assert_log("");
        ecs_defer_begin(world);
        ecs_add(world, b, Size);
        ecs_add(world, a, Node);
        ecs_defer_end(world);
        assert_log("OnTableFill Node, Size");
        ecs_remove(world, b, Node);
        assert_log("OnTableEmpty Node, Size");
    }
}

// It is gone when it could be told of.
static void a_table_that_empties_and_dies_is_not_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t target = ecs_new(world), e = ecs_new_w(world, Foo);
    ecs_add_pair(world, e, Rel, target);
    ecs_observer(world, { .query.expr = "Foo",
                            .events = { EcsOnTableFill, EcsOnTableEmpty },
                            .callback = log_table });
    ecs_delete(world, target);
    assert_log("OnTableFill Foo");
}

// Also those that entities passed through before somebody heard of it.
// Nor when nobody waits for that any more before it dies.
static void a_table_dies_after_its_observer(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    ecs_entity_t observer = ecs_observer(world,
        { .query.terms = { { .id = tag } }, .events = { EcsOnTableEmpty }, .callback = log_table });
    ecs_defer_begin(world);
    ecs_delete(world, e);
    ecs_delete(world, observer);
    ecs_delete(world, tag);
    ecs_defer_end(world);
    assert_log("");
}

static void tables_that_entities_pass_through_are_told(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 0; i < 3; i++) ecs_add(world, ecs_new_w(world, Node), Foo);
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnTableFill, EcsOnTableEmpty },
                            .callback = log_table });
    for (int i = 0; i < 3; i++) {
        ecs_entity_t e = ecs_new_w(world, Node);
        assert_log("OnTableFill Node");
        ecs_add(world, e, Foo);
        assert_log("OnTableEmpty Node");
    }
}

static void log_expr(ecs_iter_t *it) { log_write("%s", (const char *)it->ctx); }

static void observe_tables(ecs_world_t *world, const char *expr) {
    ecs_observer(world, { .query.expr = expr,
                            .events = { EcsOnTableCreate },
                            .callback = log_expr,
                            .ctx = (void *)expr });
}

// Whichever id of the table they were found by, each once, in order of creation.
static void observers_of_tables_are_told_in_order(void **state) {
    ecs_world_t *world = begin(state);
    static const char *const exprs[] = { "Bar", "Foo, Bar", "!Node", "Foo || Node", "(Rel, *)",
        "Foo", "Node" };
    for (int i = 0; i < 7; i++) observe_tables(world, exprs[i]);
    ecs_entity_t e = ecs_new_w(world, Foo);
    assert_log("!Node; Foo || Node; Foo");
    ecs_add(world, e, Bar);
    assert_log("Bar; Foo, Bar; !Node; Foo || Node; Foo");
}

static void make_another(ecs_iter_t *it) {
    const ecs_id_t ids[] = { Foo, Bar };
    ecs_table_find(it->world, ids, 2);
}

// Caches know of a table before observers do, who may make others meanwhile.
static void observers_of_tables_make_tables(void **state) {
    ecs_world_t *world = begin(state);
    ecs_query(world, { .entity = ecs_new(world), .expr = "!Node" });
    ecs_observer(
        world, { .query.expr = "Foo", .events = { EcsOnTableCreate }, .callback = make_another });
    ecs_new_w(world, Foo);
    assert_true(ecs_world_verify(world));
}

static ecs_query_t *late;

static void make_query(ecs_iter_t *it) {
    if (late) return;
    ecs_query_desc_t desc = { .terms = { { EcsAny } }, .flags = EcsQueryMatchEmptyTables };
    desc.cache_kind = EcsQueryCacheAuto;
    late = ecs_query_init(it->world, &desc);
}

// The table is still there when its end is told.
static void queries_that_come_as_tables_go_do_not_keep_them(void **state) {
    ecs_world_t *world = begin(state);
    late = NULL;
    ecs_observer(world,
        { .query.expr = "Node, Foo", .events = { EcsOnTableDelete }, .callback = make_query });
    ecs_entity_t e = ecs_new_w(world, Node);
    ecs_add(world, e, Foo);
    ecs_delete(world, e);
    for (int i = 0; i < 2; i++)
        ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    assert_non_null(late);
    assert_true(ecs_world_verify(world));
    assert_true(ecs_query_is_true(late));
    ecs_query_fini(late);
}

static void tables_that_inherit_are_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t base = ecs_new_w(world, Foo);
    observe_tables(world, "Foo");
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    assert_log("Foo");
    ecs_add(world, e, Foo);
    assert_log("Foo");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(tables_that_match_are_told),
        mini_world_test(tables_with_a_pair_or_a_mark_are_told),
        mini_world_test(tables_that_fill_and_empty_are_told),
        mini_world_test(tables_that_are_as_before_are_not_told),
        mini_world_test(a_table_that_empties_and_dies_is_not_told),
        mini_world_test(a_table_dies_after_its_observer),
        mini_world_test(tables_that_entities_pass_through_are_told),
        mini_world_test(observers_of_tables_are_told_in_order),
        mini_world_test(observers_of_tables_make_tables),
        mini_world_test(queries_that_come_as_tables_go_do_not_keep_them),
        mini_world_test(tables_that_inherit_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
