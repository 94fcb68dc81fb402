// SPDX-License-Identifier: MIT
// How caches stay current: listeners, holes, snapshots, rematching.
#include "support/random.h"
#include "support/world.h"

#include "query/query.h"
#include "world/state.h"

static ecs_query_t *cached(ecs_world_t *world, ecs_id_t a, ecs_id_t b) {
    return ecs_query_init(
        world, &(ecs_query_desc_t){ .terms = { { a }, { b } }, .cache_kind = EcsQueryCacheAuto });
}

static ecs__cache_t *cache_of(const ecs_query_t *query) {
    return ecs__query_of(query)->program->cache;
}

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

// Q-CAC-05
static void alternatives_are_listened_to_one_by_one(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), c = ecs_new(world);
    int32_t unkeyed = world->store.listeners.count;
    ecs_query_t *q = ecs_query_init(world,
        &(ecs_query_desc_t){
            .terms = { { a, .oper = EcsOr }, { b, .oper = EcsOr }, { a, .oper = EcsOr }, { c } },
            .cache_kind = EcsQueryCacheAuto });
    assert_int_equal(world->store.listeners.count, unkeyed);
    assert_true(listeners(world, a) == 1 && listeners(world, b) == 1 && listeners(world, c) == 1);
    const ecs_entity_t both = ecs_new_w_id(world, c);
    ecs_add_id(world, both, b);
    ecs_new_w_id(world, a);
    ecs_add_id(world, ecs_new_w_pair(world, EcsIsA, both), ecs_new(world));
    assert_int_equal(cache_of(q)->now.count, 5); /* each table once */
    assert_true(ecs__cache_verify(cache_of(q)));
    ecs_delete(world, both);
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_query_fini(q);
    assert_true(listeners(world, a) == 0 && listeners(world, b) == 0 && listeners(world, c) == 0);
    ecs_new_w_id(world, ecs_new(world)); /* a new table nobody is told of */
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

// PRF-06: who looks at little does not pay for copies of everything
static void iterations_that_end_early_take_no_snapshot(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), entities[20], rel = ecs_new(world);
    make_tables(world, tag, entities, 20);
    ecs_query_t *q = cached(world, tag, 0);
    ecs_query_t *groups = ecs_query(world, { .terms = { { tag } }, .group_by = rel });
    const uint64_t *stamp = &world->store.structure_stamp;
    for (int i = 0; i < 4; i++) {
        ecs_iter_t it;
        assert_true(ecs_query_has(q, entities[i], &it));
        ecs_iter_fini(&it);
        assert_true(ecs_query_is_true(q));
        it = ecs_query_iter(world, q);
        ecs_iter_set_var(&it, 0, entities[i]);
        while (ecs_query_next(&it)) {}
        it = ecs_query_iter(world, groups);
        ecs_iter_set_group(&it, 0);
        while (ecs_query_next(&it)) {}
    }
    assert_true(cache_of(q)->snapshot != *stamp);
    assert_true(cache_of(groups)->snapshot != *stamp);
    for (int i = 0; i < 20; i++) assert_true(ecs_query_is_true(q));
    assert_true(cache_of(q)->snapshot == *stamp); /* by now it is worth while */
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

enum { PARENTS = 40, CHILDREN = 5 };

// Each child has a table of its own.
static void make_children(ecs_world_t *world, ecs_id_t id, ecs_entity_t *parents) {
    for (int p = 0; p < PARENTS; p++) {
        parents[p] = ecs_new_w_id(world, id);
        for (int c = 0; c < CHILDREN; c++)
            ecs_add_pair(world, ecs_new_w_id(world, ecs_new(world)), EcsChildOf, parents[p]);
    }
}

static int32_t matched_again(ecs_query_t *q) {
    ecs_query_count(q);
    return ecs_vec_count(&cache_of(q)->stale);
}

// Q-TRV-23, PRF-12
static void only_what_hangs_below_a_change_is_matched_again(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), other = ecs_new(world), parents[PARENTS];
    make_children(world, tag, parents);
    ecs_query_t *q = ecs_query_init(
        world, &(ecs_query_desc_t){ .terms = { { tag, .src.id = EcsUp, .trav = EcsChildOf } },
                   .cache_kind = EcsQueryCacheAuto });
    assert_int_equal(ecs_query_count(q).entities, PARENTS * CHILDREN);
    ecs_remove_id(world, parents[3], tag);
    assert_int_equal(matched_again(q), CHILDREN);
    assert_int_equal(cache_of(q)->now.holes, CHILDREN);
    ecs_add_id(world, parents[3], tag); /* the places are still there */
    assert_int_equal(matched_again(q), CHILDREN);
    assert_int_equal(cache_of(q)->now.holes, 0);
    assert_int_equal(ecs_query_count(q).entities, PARENTS * CHILDREN);
    ecs_add_id(world, parents[5], other); /* and again, what the first is below */
    ecs_add_pair(world, parents[3], EcsChildOf, parents[5]);
    assert_int_equal(matched_again(q), 2 * CHILDREN + 1);
    ecs_remove_id(world, parents[5], tag);
    assert_int_equal(matched_again(q), 2 * CHILDREN + 1);
    assert_int_equal(ecs_query_count(q).entities, (PARENTS - 1) * CHILDREN);
    ecs_entity_t fresh =
        ecs_new_w_id(world, tag); /* tables that are made are matched by themselves */
    ecs_new_w_pair(world, EcsChildOf, fresh);
    assert_int_equal(matched_again(q), 0);
    assert_int_equal(ecs_query_count(q).entities, (PARENTS - 1) * CHILDREN + 1);
    for (int i = 0; i < ECS__TOUCHED_MAX; i++) { /* more changes than are remembered */
        ecs_add_id(world, parents[7], other);
        ecs_remove_id(world, parents[7], other);
    }
    assert_true(matched_again(q) > PARENTS * CHILDREN);
}

// What inherits from a base is a source for what is below it.
static void a_change_of_a_base_reaches_below_its_instances(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), base = ecs_new(world), parents[PARENTS];
    ecs_add_pair(world, tag, EcsOnInstantiate, EcsInherit);
    make_children(world, ecs_new(world), parents);
    ecs_query_t *q = ecs_query_init(
        world, &(ecs_query_desc_t){ .terms = { { tag, .src.id = EcsUp, .trav = EcsChildOf } },
                   .cache_kind = EcsQueryCacheAuto });
    for (int i = 0; i < 3; i++) ecs_add_pair(world, parents[i], EcsIsA, base);
    assert_int_equal(ecs_query_count(q).entities, 0);
    ecs_add_id(world, base, tag);
    assert_int_equal(ecs_query_count(q).entities, 3 * CHILDREN);
    assert_true(matched_again(q) < PARENTS);
    ecs_remove_id(world, base, tag);
    assert_int_equal(ecs_query_count(q).entities, 0);
}

// More matches of a table than there were need more room in the middle.
static void matches_make_room_for_others(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), parents[PARENTS];
    make_children(world, ecs_pair(rel, ecs_new(world)), parents);
    ecs_query_t *q = ecs_query_init(
        world, &(ecs_query_desc_t){
                   .terms = { { ecs_pair(rel, EcsWildcard), .src.id = EcsUp, .trav = EcsChildOf } },
                   .cache_kind = EcsQueryCacheAuto });
    int32_t matches = PARENTS * CHILDREN;
    assert_int_equal(ecs_query_count(q).entities, matches);
    for (int p = PARENTS - 2; p > 0; p -= 7) {
        ecs_add_pair(world, parents[p], rel, ecs_new(world));
        ecs_add_pair(world, parents[p - 1], rel, ecs_new(world));
        matches += 2 * CHILDREN;
        assert_int_equal(matched_again(q), 2 * CHILDREN);
        assert_int_equal(ecs_query_count(q).entities, matches);
        assert_true(ecs__cache_verify(cache_of(q)));
    }
    ecs_remove_pair(world, parents[1], rel, EcsWildcard);
    assert_int_equal(ecs_query_count(q).entities, matches - CHILDREN);
}

// Q-ITR-13: others may be in the middle of them.
static void matches_stay_where_they_are_while_nothing_changes(void **state) {
    ecs_world_t *world = *state;
    enum { TABLES = 32 };
    ecs_entity_t tag = ecs_new(world), made[TABLES];
    make_tables(world, tag, made, TABLES);
    ecs_query_t *q = cached(world, tag, 0);
    for (int lost = 1; lost <= 17; lost += 16) {
        const int holes = lost == 1 ? 1 : 18;
        delete_tables(world, &made[lost == 1 ? 2 : 3], lost);
        ecs_iter_t first = ecs_query_iter(world, q);
        const uint64_t moved = cache_of(q)->moved;
        assert_int_equal(cache_of(q)->now.holes, holes);
        assert_true(ecs_query_next(&first));
        for (int i = 0; i < 3; i++) assert_int_equal(ecs_query_count(q).tables, TABLES - holes);
        assert_true(ecs__cache_has_copies(cache_of(q)));
        assert_int_equal(cache_of(q)->moved, moved);
        ecs_iter_fini(&first);
    }
    ecs_query_fini(q);
}

// Also of a query that has fewer fields than a copy has pointers.
static void pointers_behind_the_last_copy_can_be_prefetched(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    ecs_new_w_id(world, tag);
    ecs_query_t *q = cached(world, tag, 0);
    for (int i = 0; i < 3; i++) assert_int_equal(ecs_query_count(q).tables, 1);
    assert_true(ecs__cache_has_copies(cache_of(q)));
    assert_true(ecs__cache_verify(cache_of(q)));
}

enum { FAR_TABLES = 512, FAR_ROWS = 128 };

static void count_far_rows(const ecs_query_t *q, int32_t tables, int32_t change_at) {
    ecs_iter_t it = ecs_query_iter(q->real_world, q);
    int32_t found = 0;
    for (; ecs_query_next(&it); found++) {
        const int32_t *values = ecs_field(&it, int32_t, 0);
        assert_int_equal(it.count, FAR_ROWS);
        assert_int_equal(it.frame_offset, found * FAR_ROWS);
        for (int32_t i = 0; i < it.count; i++) assert_int_equal(values[i], i);
        if (found == change_at) ecs_new_w_id(it.real_world, it.table->type.array[1]);
    }
    assert_int_equal(found, tables);
}

// That is a matter of speed: results are the same, also if something changes on the way.
static void rows_of_many_tables_that_are_not_small_are_fetched_ahead(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t component = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    int32_t values[FAR_ROWS];
    for (int32_t i = 0; i < FAR_ROWS; i++) values[i] = i;
    ecs_query_t *q = cached(world, component, 0);
    ecs_entity_t tags[FAR_TABLES];
    for (int32_t t = 0; t < FAR_TABLES; t++) {
        tags[t] = ecs_new(world);
        ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = FAR_ROWS,
                                 .ids = { component, tags[t] },
                                 .data = (void *[]){ values, NULL } });
    }
    for (int i = 0; i < 3; i++) count_far_rows(q, FAR_TABLES, -1);
    assert_true(cache_of(q)->rows_ahead);
    count_far_rows(q, FAR_TABLES, 7);
    ecs_delete_with(world, tags[FAR_TABLES / 2]); /* one has no rows, or goes */
    for (int i = 0; i < 3; i++) count_far_rows(q, FAR_TABLES - 1, -1);
    assert_false(cache_of(q)->rows_ahead);
}

static void tables_that_come_and_go_leave_the_others_in_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), entities[40], rel = ecs_new(world), group = ecs_new(world);
    make_tables(world, tag, entities, 40);
    ecs_query_t *q = ecs_query(
        world, { .terms = { { tag } }, .group_by = rel, .cache_kind = EcsQueryCacheAuto });
    assert_true(ecs_query_is_true(q));
    delete_tables(world, &entities[3], 1);
    assert_true(ecs__cache_is_current(cache_of(q)));
    for (int i = 0; i < 9; i++) ecs_add_pair(world, entities[10 + i % 5], rel, group);
    assert_false(ecs__cache_is_current(cache_of(q)));
    assert_true(ecs_query_is_true(q));
    assert_int_equal(cache_of(q)->now.holes, 1);
    assert_int_equal(cache_of(q)->order_count, 45);
    assert_true(ecs__cache_verify(cache_of(q)));
    make_tables(world, tag, entities, 20); /* many are not placed one by one */
    assert_true(ecs_query_is_true(q));
    assert_int_equal(cache_of(q)->now.holes, 0);
    assert_int_equal(cache_of(q)->order_count, 64);
}

// Whatever matches comes in the order of one who looks for the first time.
static void assert_same_order(const ecs_query_t *cached, const ecs_query_t *uncached) {
    ecs_iter_t a = ecs_query_iter(cached->world, cached),
               b = ecs_query_iter(uncached->world, uncached);
    while (ecs_query_next(&b)) {
        assert_true(ecs_query_next(&a));
        assert_ptr_equal(a.table, b.table);
        assert_int_equal(ecs_iter_get_group(&a), ecs_iter_get_group(&b));
    }
    assert_false(ecs_query_next(&a));
    assert_true(ecs__cache_verify(cache_of(cached)));
}

// Q-GRP-01, Q-GRP-02
static void groups_are_in_order_whatever_comes_and_goes(void **state) {
    ecs_world_t *world = *state;
    random_t random = random_init(random_seed());
    ecs_entity_t tag = ecs_new(world), rel = ecs_new(world), groups[12];
    for (int i = 0; i < 12; i++) groups[i] = ecs_new(world);
    ecs_query_desc_t desc = { .terms = { { tag } }, .group_by = rel };
    ecs_query_t *uncached = ecs_query_init(world, &desc);
    desc.cache_kind = EcsQueryCacheAuto;
    ecs_query_t *q = ecs_query_init(world, &desc);
    ecs_entity_t entities[60] = { 0 };
    for (int i = 0, tries = random_tries(3000); i < tries; i++) {
        ecs_entity_t *at = &entities[random_below(&random, 60)];
        const ecs_entity_t group = groups[random_below(&random, 12)];
        const int what = random_below(&random, 6);
        if (!*at) {
            make_tables(world, tag, at, 1);
            if (what) ecs_add_pair(world, *at, rel, group);
        } else if (what < 2) {
            delete_tables(world, at, 1);
            *at = 0;
        } else if (what < 4) {
            ecs_remove_pair(world, *at, rel, EcsWildcard);
            ecs_add_pair(world, *at, rel, group);
        }
        if (what != 5) assert_same_order(q, uncached);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(tables_that_come_and_go_leave_the_others_in_order),
        mini_world_test(groups_are_in_order_whatever_comes_and_goes),
        mini_world_test(a_query_that_ends_takes_its_cache_and_listeners_along),
        mini_world_test(a_match_knows_the_column_of_an_optional_component),
        mini_world_test(queries_that_share_an_id_do_not_all_listen_to_it),
        mini_world_test(alternatives_are_listened_to_one_by_one),
        mini_world_test(holes_are_closed_when_there_are_many),
        mini_world_test(an_iterator_finds_its_place_when_matches_move),
        mini_world_test(a_snapshot_is_taken_when_nothing_changes_and_dropped_when_it_does),
        mini_world_test(iterations_that_end_early_take_no_snapshot),
        mini_world_test(a_change_above_that_alters_nothing_moves_nothing),
        mini_world_test(only_what_hangs_below_a_change_is_matched_again),
        mini_world_test(a_change_of_a_base_reaches_below_its_instances),
        mini_world_test(matches_make_room_for_others),
        mini_world_test(matches_stay_where_they_are_while_nothing_changes),
        mini_world_test(pointers_behind_the_last_copy_can_be_prefetched),
        mini_world_test(rows_of_many_tables_that_are_not_small_are_fetched_ahead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
