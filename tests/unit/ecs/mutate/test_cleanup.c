// SPDX-License-Identifier: MIT
// The walk of mutate/cleanup.c: depth, order, marks and what is left of dead ids.
#include "support/world.h"

#include "mutate/cleanup.h"
#include "mutate/mutate.h"
#include "support/abort.h"
#include "support/check.h"
#include "world/state.h"

static void depth_needs_no_recursion(void **state) {
    ecs_world_t *world = *state;
    int32_t tables = world->store.table_live, ids = ecs_map_count(&world->store.ids.high);
    ecs_entity_t root = ecs_new(world), e = root;
    for (int i = 0; i < 50000; i++) e = ecs_new_w_pair(world, EcsChildOf, e);
    assert_int_equal(ecs_get_depth(world, e, EcsChildOf), 50000);
    ecs_delete(world, root);
    assert_false(ecs_is_alive(world, e));
    assert_int_equal(world->store.table_live, tables); /* tables of dead parents are gone */
    assert_int_equal(ecs_map_count(&world->store.ids.high), ids);
}

static ecs_entity_t order[8];
static int count;
static void note(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) order[count++] = it->entities[i];
}

// Whichever table is found first: what depends on a row goes before it.
static void dependents_go_first_in_any_order_of_tables(void **state) {
    ecs_world_t *world = *state;
    for (int child_first = 0; child_first < 2; child_first++) {
        ecs_entity_t c = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .on_remove = note });
        ecs_entity_t rel = ecs_new(world), top = ecs_new(world), parent = ecs_new(world),
                     child = ecs_new(world);
        ecs_add_pair(world, rel, EcsOnDeleteTarget, EcsDelete);
        ecs_entity_t both[] = { child_first ? child : parent, child_first ? parent : child };
        for (int i = 0; i < 2; i++) {
            if (both[i] == child) ecs_add_pair(world, child, EcsChildOf, parent);
            ecs_add_pair(world, both[i], rel, top);
            ecs_add_id(world, both[i], c);
        }
        ecs_add_id(world, top, c);
        count = 0;
        ecs_delete(world, top);
        assert_int_equal(count, 3);
        assert_id_equal(world, order[0], child);
        assert_id_equal(world, order[1], parent);
        assert_id_equal(world, order[2], top);
    }
}

static bool any_marked(const ecs_world_t *world) {
    for (int32_t i = 0; i < world->store.table_count; i++) {
        const ecs_table_t *table = world->store.tables[i];
        if (table && table->flags & EcsTableMarkedForDelete) return true;
    }
    return false;
}

#ifdef FLECS_DEBUG
static void go_on(void) {}

static void delete_refused(ecs_world_t *world, ecs_entity_t entity, int32_t why) {
    uint64_t hash = ecs_world_hash(world);
    int level = ecs_log_set_level(-5);
    ecs_os_api_abort_t before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    ecs_log_last_error();
    ecs_delete(world, entity);
    assert_int_equal(ecs_log_last_error(), why);
    ecs_os_api.abort_ = before;
    ecs_log_set_level(level);
    assert_true(ecs_world_hash(world) == hash);
    assert_false(any_marked(world));
}

// DEF-01: nothing is half done when one of the tables concerned is being iterated.
static void what_would_change_iterated_tables_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ECS_TAG(world, Likes);
    ecs_entity_t parent = ecs_new(world), first = ecs_new_w_pair(world, EcsChildOf, parent),
                 child = ecs_new_w_pair(world, EcsChildOf, parent), fan = ecs_new(world);
    ecs_new_w_pair(world, EcsChildOf, first);
    ecs_add_id(world, child, Tag);
    ecs_add_pair(world, fan, Likes, first);
    ecs_table_t *tables[] = { ecs_get_table(world, child), ecs_get_table(world, fan),
        ecs_get_table(world, parent) };
    for (int i = 0; i < 3; i++) {
        ecs_table_lock(world, tables[i]);
        delete_refused(world, parent, ECS_LOCKED_STORAGE);
        ecs_table_unlock(world, tables[i]);
    }
    ecs_delete(world, parent);
    assert_false(ecs_is_alive(world, child));
    assert_false(ecs_has_pair(world, fan, Likes, EcsWildcard));
}

// What protects is found late, when tables on the way to it are marked already.
static void what_is_protected_deep_below_can_be_deleted_later(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t top = ecs_new(world), e = top;
    for (int i = 0; i < 3; i++) e = ecs_new_w_pair(world, EcsChildOf, e);
    ecs_add_pair(world, e, EcsOnDelete, EcsPanic);
    delete_refused(world, top, ECS_CONSTRAINT_VIOLATED);
    ecs_remove_pair(world, e, EcsOnDelete, EcsPanic);
    ecs_delete(world, top);
    assert_false(ecs_is_alive(world, e));
}
#endif

static void a_check_leaves_no_trace(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = ecs_new(world), child = ecs_new_w_pair(world, EcsChildOf, p);
    ecs_new_w_pair(world, EcsChildOf, child);
    assert_true(ecs__check_delete(world, p));
    assert_false(any_marked(world));
    ecs_add_pair(world, child, EcsOnDelete, EcsPanic);
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "(OnDelete,Panic)", ecs__check_delete(world, p));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_delete(world, p));
    assert_true(ecs_is_alive(world, child));
}

static void records_of_dead_ids_are_dropped_unless_queries_hold_them(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    ecs_id_t pair_a = ecs_pair(rel, a), pair_b = ecs_pair(rel, b);
    ecs_new_w_id(world, pair_a);
    ecs_new_w_id(world, pair_b);
    ecs_query_t *q = ecs_query(world, { .terms = { { pair_b } }, .cache_kind = EcsQueryCacheAuto });
    ecs_delete(world, a);
    assert_null(ecs__id_record_get(&world->store, pair_a));
    assert_non_null(ecs__id_record_get(&world->store, ecs_pair(rel, EcsWildcard)));
    ecs_delete(world, rel);
    assert_true(ecs_world_verify(world));
    assert_int_equal(ecs_query_count(q).entities, 0);
    ecs_query_fini(q);
}

static void removing_an_id_moves_each_row_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), other = ecs_new(world);
    for (int i = 0; i < 100; i++) ecs_add_id(world, ecs_new_w_id(world, tag), other);
    ecs__remove_from_tables(world, tag, 0);
    assert_int_equal(ecs_count_id(world, tag), 0);
    assert_int_equal(ecs_count_id(world, other), 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef FLECS_DEBUG
        mini_world_test(what_would_change_iterated_tables_changes_nothing),
        mini_world_test(what_is_protected_deep_below_can_be_deleted_later),
#endif
        mini_world_test(depth_needs_no_recursion),
        mini_world_test(dependents_go_first_in_any_order_of_tables),
        mini_world_test(a_check_leaves_no_trace),
        mini_world_test(records_of_dead_ids_are_dropped_unless_queries_hold_them),
        mini_world_test(removing_an_id_moves_each_row_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
