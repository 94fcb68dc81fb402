// SPDX-License-Identifier: MIT
// Caches: features.md area Q-CAC, and iterating from several threads, Q-ITR-13.
#include <pthread.h>

#include <muster/ecs/extend.h>

#include "query_scene.h"

// Q-CAC-01, Q-CAC-02, Q-CAC-03
static void tables_enter_and_leave_the_cache(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "e1", "Position");
    ecs_query_t *q = query_expr(scene, "Position");
    assert_int_equal(ecs_ext_query_match_count(q), 1);
    assert_int_equal(ecs_query_match_count(q), 1);
    uint64_t stamp = ecs_ext_query_stamp(q);
    ecs_entity_t e2 = make(world, "e2", "Position, Velocity");
    assert_int_equal(ecs_ext_query_match_count(q), 2);
    assert_true(ecs_ext_query_stamp(q) != stamp);
    stamp = ecs_ext_query_stamp(q);
    make(world, "e3", "Position");
    ecs_new_w(world, Velocity);
    assert_true(ecs_ext_query_stamp(q) == stamp);
    ecs_delete(world, e2);
    while (ecs_delete_empty_tables(
        world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 })) {}
    while (ecs_delete_empty_tables(
        world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 })) {}
    ecs_ext_query_update(q);
    assert_int_equal(ecs_ext_query_match_count(q), 1);
    assert_int_equal(ecs_query_match_count(q), 3); // two came, one went
    assert_results(q, "e1 e3: Position");
    ecs_query_fini(q);
}

// Q-CAC-08
static void a_query_that_ended_hears_nothing(void **state) {
    scene_t *scene = *state;
    ecs_query_fini(query_expr(scene, "Position"));
    make(scene->world, "e1", "Position");
}

// Q-CAC-06
static void empty_tables_stay_but_are_not_visited(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = make(scene->world, "e1", "Position");
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_remove(scene->world, e, Position);
    for (int i = 0; i < 3; i++) assert_results(q, "");
    assert_int_equal(ecs_ext_query_match_count(q), 1);
    ecs_add(scene->world, e, Position);
    for (int i = 0; i < 3; i++) assert_results(q, "e1: Position");
    ecs_query_fini(q);
}

static void repeated_iterations_see_rows_come_and_go(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = query_expr(scene, "Position");
    for (int i = 0; i < 40; i++) {
        ecs_set(scene->world, ecs_new(scene->world), Position, { (float)i, 0 });
        for (int k = 0; k < i % 4; k++) {
            int n = 0;
            ecs_iter_t it = ecs_query_iter(scene->world, q);
            while (ecs_query_next(&it)) {
                const Position *p = ecs_field(&it, Position, 0);
                for (int r = 0; r < it.count; r++) assert_float_equal(p[r].x, n++, 0);
            }
            assert_int_equal(n, i + 1);
        }
    }
    ecs_query_fini(q);
}

// Q-CAC-07
static void what_cannot_be_cached_is_found_anew_each_time(void **state) {
    scene_t *scene = *state;
    ecs_entity_t game = make(scene->world, "Game", NULL);
    make(scene->world, "e1", "Position");
    ecs_query_t *q = query_expr(scene, "Position, ?Tag(Game), !Other(Game)");
    assert_results(q, "e1: Position, -Tag@Game, -Other@Game");
    ecs_add_id(scene->world, game, ecs_lookup(scene->world, "Tag"));
    assert_results(q, "e1: Position, Tag@Game, -Other@Game");
    ecs_query_fini(q);
}

static void check_cut_outs(const scene_t *scene, const char *expr) {
    ecs_world_t *world = scene->world;
    for (int i = 0; i < 30; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Position, { (float)i, 0 });
        if (i % 3 == 1) ecs_add(world, e, Velocity);
        if (i % 3 == 2) ecs_add(world, e, Mass);
    }
    ecs_query_t *q = query_expr(scene, expr);
    ecs_ext_query_update(q);
    assert_int_equal(ecs_ext_query_match_count(q), 3);
    struct {
        int first, first_row, last, last_row, count;
    } cuts[] = {
        { 0, 0, 0, 4, 4 },
        { 0, 4, 1, 3, 9 },
        { 1, 3, 1, -1, 7 },
        { 2, 0, 2, -1, 10 },
        { 0, 10, 2, 0, 10 },
    };
    for (int c = 0; c < 5; c++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_ext_iter_range(&it, cuts[c].first, cuts[c].first_row, cuts[c].last, cuts[c].last_row);
        int count = 0;
        while (ecs_query_next(&it)) {
            const Position *p = ecs_field(&it, Position, 0);
            for (int i = 0; i < it.count; i++, count++) {
                assert_ptr_equal(&p[i], ecs_get(world, it.entities[i], Position));
            }
        }
        assert_int_equal(count, cuts[c].count);
    }
    ecs_query_fini(q);
}

static void cut_outs_cover_every_row_once(void **state) { check_cut_outs(*state, "Position"); }

static void cut_outs_may_have_constant_terms_and_unset_fields(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Game", "Tag");
    check_cut_outs(scene, "Position, ?Velocity, Tag(Game)");
}

typedef struct reader_t {
    ecs_world_t *stage;
    ecs_query_t *queries[4];
    int counts[4];
} reader_t;

static void *read_all(void *arg) {
    reader_t *reader = arg;
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 4; i++) {
            reader->counts[i] = 0;
            ecs_iter_t it = ecs_query_iter(reader->stage, reader->queries[i]);
            while (ecs_query_next(&it)) {
                reader->counts[i] += it.count;
                ecs_iter_t test;
                if (it.count && ecs_query_has(reader->queries[i], it.entities[0], &test)) {
                    ecs_iter_fini(&test);
                }
            }
        }
    }
    return NULL;
}

// Q-ITR-13
static void several_threads_can_iterate_a_readonly_world(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t parent = make(world, "parent", "Mass"), tag = ecs_lookup(world, "Tag");
    make(world, "Game", "Mass");
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w(world, Position);
        if (i % 2) ecs_add_id(world, e, tag);
        if (i % 5 == 0) ecs_add_pair(world, e, EcsChildOf, parent);
    }
    static const char *const texts[] = { "Position", "Position, ?Tag, !Velocity",
        "Position, Mass(up)", "Position, Mass(Game)" };
    reader_t readers[3];
    pthread_t threads[3];
    ecs_set_stage_count(world, 3);
    for (int i = 0; i < 4; i++)
        readers[0].queries[i] = query_of(scene,
            (ecs_query_desc_t){ .expr = texts[i], .flags = i % 2 ? EcsQueryDetectChanges : 0 });
    ecs_add(world, parent, Velocity); /* the caches have something to catch up with */
    ecs_readonly_begin(world, true);
    for (int t = 0; t < 3; t++) {
        if (t) readers[t] = readers[0];
        readers[t].stage = ecs_get_stage(world, t);
    }
    for (int t = 0; t < 3; t++) pthread_create(&threads[t], NULL, read_all, &readers[t]);
    for (int t = 0; t < 3; t++) pthread_join(threads[t], NULL);
    ecs_readonly_end(world);
    int expected[] = { 100, 100, 20, 100 };
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < 4; i++) assert_int_equal(readers[t].counts[i], expected[i]);
    }
    for (int i = 0; i < 4; i++) ecs_query_fini(readers[0].queries[i]);
}

// Q-ITR-13: nor does the world have to be told, and queries may be new. Then it goes on as before.
static void several_threads_can_iterate_a_world_that_nobody_writes(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t parent = make(world, "parent", "Mass"), last = 0;
    for (int i = 0; i < 40; i++) {
        last = ecs_new_w(world, Position);
        if (i % 5 == 0) ecs_add_pair(world, last, EcsChildOf, parent);
    }
    static const char *const texts[] = { "Position", "Position, ?Tag, !Velocity",
        "Position, Mass(up)", "ChildOf($this, $p), Mass($p)" };
    const int expected[] = { 40, 40, 8, 8 };
    for (int round = 0; round < 10; round++) {
        reader_t readers[3] = { { .stage = world } };
        for (int i = 0; i < 4; i++) readers[0].queries[i] = query_expr(scene, texts[i]);
        readers[1] = readers[2] = readers[0];
        pthread_t threads[3];
        for (int t = 0; t < 3; t++) pthread_create(&threads[t], NULL, read_all, &readers[t]);
        for (int t = 0; t < 3; t++) pthread_join(threads[t], NULL);
        for (int i = 0; i < 12; i++)
            assert_int_equal(readers[i / 4].counts[i % 4], expected[i % 4]);
        ecs_add(world, last, Velocity);
        ecs_remove(world, last, Velocity);
        for (int i = 0; i < 4; i++) ecs_query_fini(readers[0].queries[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ONE(tables_enter_and_leave_the_cache, cached),
        BOTH(a_query_that_ended_hears_nothing),
        ONE(empty_tables_stay_but_are_not_visited, cached),
        BOTH(repeated_iterations_see_rows_come_and_go),
        BOTH(what_cannot_be_cached_is_found_anew_each_time),
        ONE(cut_outs_cover_every_row_once, cached),
        ONE(cut_outs_may_have_constant_terms_and_unset_fields, cached),
        BOTH(several_threads_can_iterate_a_readonly_world),
        BOTH(several_threads_can_iterate_a_world_that_nobody_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
