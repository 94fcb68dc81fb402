// SPDX-License-Identifier: MIT
// How caches stay current: listeners, holes, snapshots, rematching.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <muster/ecs/ecs.h>

#include "query/query.h"
#include "world/state.h"

static int setup(void **state) {
    *state = ecs_mini();
    return 0;
}

static int teardown(void **state) {
    assert_true(ecs__queries_verify(&((ecs_world_t *)*state)->queries));
    return ecs_fini(*state);
}

static ecs_query_t *cached(ecs_world_t *world, ecs_id_t a, ecs_id_t b) {
    return ecs_query_init(
        world, &(ecs_query_desc_t){ .terms = { { a }, { b } }, .cache_kind = EcsQueryCacheAuto });
}

static ecs__cache_t *cache_of(const ecs_query_t *query) { return ecs__query_of(query)->cache; }

static int32_t listeners(ecs_world_t *world, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(ecs__store_of(world), id);
    return record ? record->listeners.count : 0;
}

// Q-NEW-01
static void a_query_that_ends_takes_its_cache_and_listeners_along(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    ecs_query_t *q = cached(world, tag, 0);
    assert_non_null(cache_of(q));
    assert_int_equal(listeners(world, tag), 1);
    ecs_query_fini(q);
    assert_int_equal(listeners(world, tag), 0);
    ecs_add_id(world, e, ecs_new(world)); /* a new table nobody is told of */
    ecs_delete(world, tag);
}

// Q-OPT-05: the place of an optional value is part of the match
static void a_match_knows_the_column_of_an_optional_component(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_entity_t b = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_add_id(world, ecs_new_w_id(world, a), b);
    ecs_new_w_id(world, a);
    ecs_query_t *q =
        ecs_query_init(world, &(ecs_query_desc_t){ .terms = { { a }, { b, .oper = EcsOptional } },
                                  .cache_kind = EcsQueryCacheAuto });
    const ecs__cache_t *cache = cache_of(q);
    int32_t with = 0, without = 0;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = (const void *)(cache->now.array + i * cache->stride);
        int16_t column = match->columns[1];
        assert_int_equal(column, ecs_table_get_column_index(world, match->table, b));
        with += column >= 0;
        without += column < 0;
    }
    assert_true(with == 1 && without == 1);
}

// Q-CAC-05
static void queries_that_share_an_id_do_not_all_listen_to_it(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t shared = ecs_new(world);
    int32_t unkeyed = world->store.listeners.count;
    for (int i = 0; i < 100; i++) assert_non_null(cached(world, shared, ecs_new(world)));
    assert_true(listeners(world, shared) <= 1);
    assert_int_equal(world->store.listeners.count, unkeyed);
}

static void make_tables(ecs_world_t *world, ecs_id_t id, ecs_entity_t *out, int count) {
    for (int i = 0; i < count; i++) {
        out[i] = ecs_new_w_id(world, ecs_new(world));
        ecs_add_id(world, out[i], id);
    }
}

static void delete_tables(ecs_world_t *world, const ecs_entity_t *entities, int count) {
    for (int i = 0; i < count; i++) {
        ecs_table_t *table = ecs_get_table(world, entities[i]);
        ecs_delete(world, entities[i]);
        ecs__table_delete(table);
    }
}

static void holes_are_closed_when_there_are_many(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), entities[100];
    ecs_query_t *q = cached(world, tag, 0);
    make_tables(world, tag, entities, 100);
    assert_int_equal(cache_of(q)->now.count, 100);
    delete_tables(world, entities, 30);
    assert_int_equal(cache_of(q)->now.holes, 30);
    delete_tables(world, entities + 30, 50);
    assert_true(cache_of(q)->now.count < 60);
    assert_int_equal(cache_of(q)->now.count - cache_of(q)->now.holes, 20);
    assert_int_equal(ecs_query_count(q).entities, 20);
}

static void an_iterator_finds_its_place_when_matches_move(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), entities[100];
    ecs_query_t *q = cached(world, tag, 0);
    make_tables(world, tag, entities, 100);
    int seen = 0;
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        assert_true(it.entities[0] == entities[seen]);
        if (++seen == 90) delete_tables(world, entities, 80);
        if (seen == 95) make_tables(world, tag, entities, 70);
    }
    assert_int_equal(seen, 100);
}

static void a_snapshot_is_taken_when_nothing_changes_and_dropped_when_it_does(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), entities[3];
    ecs_query_t *q = cached(world, tag, 0);
    make_tables(world, tag, entities, 3);
    uint64_t *stamp = &world->store.structure_stamp;
    assert_int_equal(ecs_query_count(q).entities, 3);
    assert_true(cache_of(q)->snapshot != *stamp);
    assert_int_equal(ecs_query_count(q).entities, 3);
    assert_true(cache_of(q)->snapshot == *stamp);
    ecs_delete(world, entities[1]);
    assert_true(cache_of(q)->snapshot != *stamp);
    for (int i = 0; i < 3; i++) assert_int_equal(ecs_query_count(q).entities, 2);
    assert_true(cache_of(q)->snapshot == *stamp);
}

static void a_change_above_that_alters_nothing_moves_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), parent = ecs_new_w_id(world, tag), other = ecs_new(world);
    ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_query_t *q = ecs_query_init(
        world, &(ecs_query_desc_t){ .terms = { { tag, .src.id = EcsUp, .trav = EcsChildOf } },
                   .cache_kind = EcsQueryCacheAuto });
    assert_int_equal(ecs_query_count(q).entities, 1);
    uint64_t stamp = cache_of(q)->stamp, seen = cache_of(q)->seen;
    ecs_new_w_pair(world, EcsChildOf, other); /* `other` becomes a target: stamps rise */
    assert_int_equal(ecs_query_count(q).entities, 1);
    assert_true(cache_of(q)->seen != seen);
    assert_true(cache_of(q)->stamp == stamp);
    ecs_remove_id(world, parent, tag);
    assert_int_equal(ecs_query_count(q).entities, 0);
    assert_true(cache_of(q)->stamp != stamp);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            a_query_that_ends_takes_its_cache_and_listeners_along, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_match_knows_the_column_of_an_optional_component, setup, teardown),
        cmocka_unit_test_setup_teardown(
            queries_that_share_an_id_do_not_all_listen_to_it, setup, teardown),
        cmocka_unit_test_setup_teardown(holes_are_closed_when_there_are_many, setup, teardown),
        cmocka_unit_test_setup_teardown(
            an_iterator_finds_its_place_when_matches_move, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_snapshot_is_taken_when_nothing_changes_and_dropped_when_it_does, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_change_above_that_alters_nothing_moves_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
