// SPDX-License-Identifier: MIT
// Misuse of queries, iterators, observers, events and tables where failed checks come back: the call returns an error value, and the
// world is as before. And what users may do with iterators that others own.
#include "support/world.h"

#include "support/abort.h"

typedef struct Position {
    float x, y;
} Position;

// ---- iterators of another kind ----

static void iterators_of_one_kind_are_not_advanced_as_another(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_entity_t e = ecs_new_w(world, Tag);
    ecs_query_t *q = ecs_query(world, { .expr = "Tag" });
    ecs_iter_t of_query = ecs_query_iter(world, q), page = ecs_page_iter(&of_query, 0, 1);
    ecs_iter_t roots = ecs_children(world, 0), each = ecs_each_id(world, Tag);
    ecs_iter_t of_each = ecs_page_iter(&each, 0, 1);
    expect_refused(
        ECS_INVALID_PARAMETER, "none of ecs_each_id", assert_false(ecs_each_next(&of_query)));
    expect_refused(
        ECS_INVALID_PARAMETER, "none of ecs_each_id", assert_false(ecs_each_next(&roots)));
    expect_refused(
        ECS_INVALID_PARAMETER, "none of ecs_each_id", assert_false(ecs_each_next(&of_each)));
    expect_refused(ECS_INVALID_PARAMETER, "none of a query", assert_false(ecs_query_next(&page)));
    expect_refused(ECS_INVALID_PARAMETER, "no worker", assert_false(ecs_worker_next(&page)));
    assert_true(ecs_page_next(&page));
    assert_int_equal(page.entities[0], e);
    assert_false(ecs_page_next(&page));
    assert_int_equal(ecs_iter_first(&of_each), e);
    assert_true(ecs_iter_is_true(&roots));
    ecs_query_fini(q);
}

static void parts_that_cannot_be_have_no_results(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_new_w(world, Tag);
    ecs_query_t *q = ecs_query(world, { .expr = "Tag" });
    const int32_t parts[][2] = { { 0, 0 }, { 2, 2 }, { -1, 2 }, { 0, -1 } };
    for (int32_t i = 0; i < 4; i++) {
        ecs_iter_t it = ecs_query_iter(world, q), part = { 0 };
        expect_refused(ECS_INVALID_PARAMETER, "there is no part",
            part = ecs_worker_iter(&it, parts[i][0], parts[i][1]));
        assert_false(part.next && ecs_iter_next(&part));
    }
    for (int32_t i = 0; i < 2; i++) {
        ecs_iter_t it = ecs_query_iter(world, q), part = { 0 };
        expect_refused(
            ECS_INVALID_PARAMETER, "a page cannot", part = ecs_page_iter(&it, -i, i - 1));
        assert_false(part.next && ecs_iter_next(&part));
    }
    ecs_query_fini(q);
}

static void variables_and_groups_are_set_in_the_whole(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    ecs_entity_t e = ecs_new(world), tgt = ecs_new(world);
    ecs_add_pair(world, e, Likes, tgt);
    ecs_query_t *q = ecs_query(world, { .expr = "(Likes, $x)", .group_by = Likes });
    ecs_iter_t it = ecs_query_iter(world, q), page = ecs_page_iter(&it, 0, 1);
    const int32_t x = ecs_query_find_var(q, "x");
    expect_refused(ECS_INVALID_OPERATION, "not in a part", ecs_iter_set_var(&page, x, tgt));
    expect_refused(ECS_INVALID_OPERATION, "not in a part", ecs_iter_set_var(&page, 0, e));
    expect_refused(ECS_INVALID_OPERATION, "not in a part", ecs_iter_set_group(&page, tgt));
    ecs_query_t *other = ecs_query(world, { .expr = "(Likes, $x)" });
    expect_refused(ECS_INVALID_PARAMETER, "of another query",
        assert_null(ecs_query_args_parse(other, &it, "this: Likes")));
    ecs_query_fini(other);
    const int32_t none[] = { -1, 2, 64 };
    for (int32_t i = 0; i < 3; i++)
        expect_refused(ECS_OUT_OF_RANGE, "does not exist",
            assert_false(ecs_iter_var_is_constrained(&it, none[i])));
    assert_true(ecs_page_next(&page));
    assert_int_equal(page.entities[0], e);
    assert_false(ecs_page_next(&page));
    assert_null(ecs_iter_get_vars(&it)); /* it has ended, and keeps no memory */
    ecs_query_fini(q);
}

// ---- rows ----

static void ranges_outside_a_table_match_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_table_t *table = ecs_get_table(world, ecs_new_w(world, Tag));
    ecs_query_t *q = ecs_query(world, { .expr = "Tag" });
    const int32_t rows[][2] = { { 1, INT32_MAX }, { INT32_MAX, 1 }, { INT32_MIN, 0 },
        { INT32_MIN, INT32_MIN }, { -1, 1 }, { 2, 0 } };
    ecs_event_desc_t desc = { .event = Tag, .ids = ecs_table_get_type(table), .table = table };
    for (int32_t i = 0; i < 6; i++) {
        ecs_iter_t it;
        desc.offset = rows[i][0];
        desc.count = rows[i][1];
        assert_false(
            ecs_query_has_range(q, &(ecs_table_range_t){ table, desc.offset, desc.count }, &it));
        expect_refused(ECS_OUT_OF_RANGE, "are not in the table", ecs_emit(world, &desc));
        expect_refused(ECS_OUT_OF_RANGE, "are not in the table", ecs_enqueue(world, &desc));
    }
    const int32_t offsets[] = { -1, INT32_MIN, 2, INT32_MAX };
    for (int32_t i = 0; i < 4; i++)
        expect_refused(ECS_OUT_OF_RANGE, "cannot begin at",
            assert_int_equal(
                ecs_search_offset(world, table, offsets[i], ecs_pair(Tag, EcsWildcard), NULL), -1));
    assert_int_equal(ecs_search_offset(world, table, 1, Tag, NULL), -1);
    ecs_query_fini(q);
}

// ---- entities that cannot hold what is made ----

static int32_t freed;
static void Free(void *ctx) {
    (void)ctx;
    freed++;
}
static void Nothing(ecs_iter_t *it) { (void)it; }

static void what_an_entity_in_a_locked_table_cannot_hold_is_not_made(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_entity_t e = ecs_new_w(world, Tag);
    ecs_table_t *table = ecs_get_table(world, e);
    int ctx = 0;
    ecs_query_desc_t desc = { .expr = "Tag",
        .entity = e,
        .group_by = Tag,
        .group_by_ctx = &ctx,
        .group_by_ctx_free = Free,
        .ctx = &ctx,
        .ctx_free = Free };
    freed = 0;
    ecs_table_lock(world, table);
    expect_refused(ECS_LOCKED_STORAGE, "", assert_null(ecs_query_init(world, &desc)));
    expect_refused(ECS_LOCKED_STORAGE, "",
        assert_int_equal(ecs_observer(world, { .entity = e,
                                                 .query.expr = "Tag",
                                                 .query.ctx = &ctx,
                                                 .query.ctx_free = Free,
                                                 .events = { EcsOnAdd },
                                                 .callback = Nothing,
                                                 .ctx = &ctx,
                                                 .ctx_free = Free }),
            0));
    ecs_table_unlock(world, table);
    assert_int_equal(freed, 0);
    assert_null(ecs_query_get(world, e));
    assert_null(ecs_observer_get(world, e));
    assert_true(ecs_world_verify(world));
    assert_non_null(ecs_query_init(world, &desc));
    ecs_delete(world, e);
    assert_int_equal(freed, 2);
}

// The table that it is to move to would go with the type.
static void a_component_does_not_become_a_tag_on_the_way_to_a_table_with_it(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_table_t *table = ecs_table_add_id(world, NULL, ecs_id(Position));
    expect_refused(ECS_ALREADY_IN_USE, "cannot remove Component",
        ecs_commit(world, ecs_id(Position), NULL, table, NULL, NULL));
    assert_true(ecs_has(world, ecs_id(Position), EcsComponent));
    assert_int_equal(ecs_get_type_info(world, ecs_id(Position))->size, sizeof(Position));
}

static void access_to_the_table_of_who_is_deleted_has_ended(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_entity_t e = ecs_new_w(world, Tag), moved = ecs_new_w(world, Tag);
    const ecs_record_t *read = ecs_read_begin(world, e);
    ecs_delete(world, e);
    ecs_read_end(read);
    read = ecs_read_begin(world, moved);
    ecs_remove_id(world, moved, Tag);
    expect_refused(ECS_ACCESS_VIOLATION, "without a matching", ecs_read_end(read));
    expect_refused(
        ECS_ACCESS_VIOLATION, "without a matching", ecs_write_end(ecs_record_find(world, moved)));
    ecs_record_t *written = ecs_write_begin(world, moved);
    assert_non_null(written);
    ecs_write_end(written);
}

// ---- iterators that observers and systems are shown ----

static int32_t shown;
static bool ends_early;

static void Ask(ecs_iter_t *it) {
    const ecs_var_t *vars = ecs_iter_get_vars(it);
    shown += it->count;
    if (vars && it->count == 1) assert_int_equal(vars[0].entity, it->entities[0]);
    expect_refused(ECS_INVALID_PARAMETER, "none of a query", assert_false(ecs_query_next(it)));
    if (ends_early) ecs_iter_fini(it);
}

static void AskAll(ecs_iter_t *it) {
    const ecs_var_t *vars = NULL;
    while (ecs_iter_next(it)) {
        vars = ecs_iter_get_vars(it);
        shown += it->count;
        if (ends_early) break;
    }
    (void)vars;
    ecs_iter_fini(it);
    assert_false(ecs_iter_next(it));
}

// OBS-01, OBS-03
static void observers_ask_for_variables_and_end_their_iterator(void **state) {
    ecs_world_t *world = *state;
    const char *exprs[] = { "Tag", "Tag, ?Position(up)", "(ChildOf, $x), Tag", "Tag, Position($x)",
        "Tag, ?A, ?B, ?C, ?D, ?E, ?F, ?G, ?H, ?I", "Tag(Alice)", "Tag, Position, Position(Alice)" };
    ECS_TAG(world, Tag);
    ECS_COMPONENT(world, Position);
    for (char name[] = "A"; name[0] <= 'I'; name[0]++) ecs_entity(world, { .name = name });
    ecs_entity_t alice = ecs_entity(world, { .name = "Alice" });
    ecs_set(world, alice, Position, { 1, 2 });
    for (int32_t i = 0; i < 28; i++) {
        ends_early = i / 14;
        ecs_iter_action_t action = i / 7 % 2 ? AskAll : Ask;
        ecs_entity_t existing = ecs_new_w_pair(world, EcsChildOf, alice);
        ecs_set(world, existing, Position, { 1, 2 });
        ecs_add_id(world, existing, Tag);
        ecs_add_id(world, alice, Tag);
        shown = 0;
        ecs_entity_t o = ecs_observer(world, { .query.expr = exprs[i % 7],
                                                 .events = { EcsOnAdd },
                                                 .callback = action == Ask ? Ask : NULL,
                                                 .run = action == AskAll ? AskAll : NULL,
                                                 .yield_existing = true });
        for (int32_t k = 0; k < 3; k++) {
            ecs_entity_t *e = ecs_os_memdup_n(
                ecs_bulk_new_w_id(world, ecs_pair(EcsChildOf, alice), 2), ecs_entity_t, 2);
            ecs_set(world, e[0], Position, { 1, 2 });
            ecs_add_id(world, e[0], Tag);
            ecs_add_id(world, e[1], Tag);
            ecs_remove_id(world, alice, Tag);
            ecs_add_id(world, alice, Tag);
            ecs_bulk_new_w_id(world, Tag, 2);
            ecs_os_free(e);
        }
        assert_true(i % 7 == 5 || shown > 0);
        ecs_delete(world, o);
        ecs_delete_with(world, Tag);
        alice = ecs_entity(world, { .name = "Alice" });
        ecs_set(world, alice, Position, { 1, 2 });
    }
}

static void EndHook(ecs_iter_t *it) {
    assert_null(ecs_iter_get_vars(it));
    assert_int_equal(ecs_field_id(it, 0), it->event_id);
    ecs_iter_fini(it);
    shown++;
}

static void hooks_end_their_iterator(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_set_hooks(world, Position, { .on_add = EndHook, .on_set = EndHook });
    shown = 0;
    for (int32_t i = 0; i < 3; i++) ecs_insert(world, ecs_value(Position, { 1, 2 }));
    assert_int_equal(shown, 6);
}

static void Variables(ecs_iter_t *it) {
    const ecs_var_t *vars = ecs_iter_get_vars(it);
    assert_non_null(vars);
    assert_ptr_equal(vars[0].range.table, it->table);
    assert_int_equal(vars[0].range.count, it->count);
    shown += it->count;
}

// The world keeps no memory for them, or it could not end.
static void systems_ask_for_variables(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ECS_COMPONENT(world, Position);
    ecs_set_threads(world, 2);
    for (int32_t i = 0; i < 3; i++) {
        ecs_system(world, { .phase = EcsOnUpdate,
                              .query.expr = i ? "Position" : "Tag, ?Position",
                              .callback = Variables,
                              .multi_threaded = false });
    }
    ecs_bulk_new_w_id(world, ecs_id(Position), 20000);
    ecs_bulk_new_w_id(world, Tag, 20000);
    shown = 0;
    for (int32_t i = 0; i < 3; i++) ecs_progress(world, 1);
    assert_int_equal(shown, 3 * 3 * 20000);
}

// ---- the end ----

static void GroupDeleted(ecs_world_t *world, uint64_t group, void *ctx, void *group_by_ctx) {
    (void)group, (void)ctx, (void)group_by_ctx;
    assert_true(ecs_is_fini(world));
    assert_false(ecs_is_alive(world, 5000));
    ecs_new(world);
    shown++;
}

// They find a world that answers, also as the last of its queries end.
static void callbacks_of_queries_that_end_with_the_world_ask_it(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ECS_TAG(world, Likes);
    ecs_add_pair(world, ecs_new(world), Likes, ecs_new(world));
    ecs_query_desc_t desc = { .expr = "(Likes, *)",
        .group_by = Likes,
        .on_group_delete = GroupDeleted,
        .cache_kind = EcsQueryCacheAuto };
    assert_non_null(ecs_query_init(world, &desc));
    ecs_observer(world,
        { .global_observer = true, .query = desc, .events = { EcsOnAdd }, .callback = Nothing });
    shown = 0;
    ecs_fini(world);
    assert_true(shown > 0);
}

// ---- groups ----

static ecs_entity_t likes;
static void *MakeTable(ecs_world_t *world, uint64_t group, void *ctx) {
    (void)group, (void)ctx;
    if (shown++) return NULL;
    ecs_add_id(world, ecs_new_w_id(world, likes), ecs_new(world));
    return NULL;
}

static uint64_t GroupOfItsOwn(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)world, (void)id, (void)ctx;
    return flecs_table_id(table);
}

// Some hear of the second table first: it comes last all the same.
static void who_hears_of_a_group_makes_tables_that_others_match(void **state) {
    ecs_world_t *world = *state;
    likes = ecs_new(world);
    ecs_query_desc_t desc = { .terms = { { likes } }, .cache_kind = EcsQueryCacheAuto };
    ecs_query_t *q[4];
    for (int32_t i = 0; i < 4; i++) {
        desc.group_by = i == 2 || i == 1 ? likes : 0;
        desc.group_by_callback = desc.group_by ? GroupOfItsOwn : NULL;
        desc.on_group_create = i == 2 ? MakeTable : NULL;
        q[i] = ecs_query_init(world, &desc);
    }
    shown = 0;
    ecs_new_w_id(world, likes);
    assert_int_equal(shown, 2);
    assert_true(ecs_world_verify(world));
    for (int32_t i = 0; i < 4; i++) {
        uint64_t previous = 0;
        int32_t count = 0;
        ecs_iter_t it = ecs_query_iter(world, q[i]);
        for (; ecs_query_next(&it); count++, previous = flecs_table_id(it.table))
            assert_true(flecs_table_id(it.table) > previous);
        assert_int_equal(count, 2);
        assert_int_equal(ecs_query_match_count(q[i]), 2);
        ecs_query_fini(q[i]);
    }
}

// ---- functions that sort and group ----

static ecs_query_t *ordered, *plain;
static ecs_entity_t known;
static int32_t asked;

// What they may do, and may not.
static void ask_and_change(ecs_world_t *world) {
    if (asked++) return;
    assert_true(ecs_is_alive(world, known));
    assert_int_equal(ecs_query_count(plain).entities, 3);
    const uint64_t before = ecs_world_hash(world);
    expect_refused(ECS_INVALID_OPERATION, "look at the world", assert_int_equal(ecs_new(world), 0));
    expect_refused(ECS_INVALID_OPERATION, "look at the world", ecs_add_id(world, known, likes));
    expect_refused(ECS_INVALID_OPERATION, "look at the world", ecs_delete(world, known));
    expect_refused(ECS_INVALID_OPERATION, "look at the world", ecs_defer_begin(world));
    expect_refused(ECS_INVALID_OPERATION, "look at the world", ecs_readonly_begin(world, true));
    expect_refused(
        ECS_INVALID_OPERATION, "look at the world", assert_null(ecs_table_find(world, &likes, 1)));
    expect_refused(
        ECS_INVALID_OPERATION, "look at the world", assert_null(ecs_query_new(world, "Position")));
    expect_refused(ECS_INVALID_OPERATION, "look at the world",
        assert_int_equal(ecs_component_init(world, &(ecs_component_desc_t){ .entity = known }), 0));
    assert_true(ecs_world_hash(world) == before);
    if (!ordered) return; /* it is being made */
    ecs_iter_t it = { 0 };
    expect_refused(ECS_INVALID_OPERATION, "whose results are neither",
        assert_false(ecs_query_is_true(ordered)));
    expect_refused(ECS_INVALID_OPERATION, "whose results are neither",
        assert_false(ecs_query_has(ordered, known, &it)));
    expect_refused(ECS_INVALID_OPERATION, "look at the world", ecs_query_changed(ordered));
}

static int CompareAndChange(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)x, (void)y;
    ask_and_change(ECS_CONST_CAST(ecs_world_t *, ecs_get_world(plain)));
    return (a > b) - (a < b);
}

static uint64_t GroupAndChange(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)table, (void)id, (void)ctx;
    ask_and_change(world);
    return 1;
}

static void functions_that_sort_and_group_change_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    likes = ecs_new(world);
    plain = ecs_query(world, { .expr = "Position", .cache_kind = EcsQueryCacheAuto });
    const ecs_query_desc_t descs[] = { { .order_by_callback = CompareAndChange },
        { .group_by_callback = GroupAndChange }, { .group_by_callback = GroupAndChange } };
    for (int32_t i = 0; i < 3; i++) {
        for (int32_t k = 0; k < 3; k++) known = ecs_new_w(world, Position);
        ecs_query_desc_t desc = descs[i];
        desc.expr = "Position";
        desc.cache_kind = EcsQueryCacheAuto;
        ordered = NULL;
        asked = i == 2; /* not before the next table */
        ordered = ecs_query_init(world, &desc);
        if (i == 2) {
            asked = 0;
            ecs_add_id(world, known, ecs_new(world));
        }
        assert_int_equal(ecs_query_count(ordered).entities, 3);
        assert_true(asked > 0);
        assert_true(ecs_world_verify(world));
        ecs_query_fini(ordered);
        ecs_delete_with(world, ecs_id(Position));
    }
    ecs_query_fini(plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(iterators_of_one_kind_are_not_advanced_as_another),
        world_test(parts_that_cannot_be_have_no_results),
        world_test(variables_and_groups_are_set_in_the_whole),
        world_test(ranges_outside_a_table_match_nothing),
        world_test(what_an_entity_in_a_locked_table_cannot_hold_is_not_made),
        world_test(a_component_does_not_become_a_tag_on_the_way_to_a_table_with_it),
        world_test(access_to_the_table_of_who_is_deleted_has_ended),
        world_test(observers_ask_for_variables_and_end_their_iterator),
        world_test(hooks_end_their_iterator),
        world_test(systems_ask_for_variables),
        world_test(functions_that_sort_and_group_change_nothing),
        world_test(who_hears_of_a_group_makes_tables_that_others_match),
        cmocka_unit_test(callbacks_of_queries_that_end_with_the_world_ask_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
