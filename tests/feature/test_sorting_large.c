// SPDX-License-Identifier: MIT
// Sorting of large tables, where few rows change: Q-SRT-04, Q-SRT-08, Q-SRT-10, Q-SRT-12.
#include "sorting_scene.h"
#include "support/random.h"

#include <muster.h>

#include <stdlib.h>

enum { MANY = 40000 };

static random_t random_state;
static int32_t next_random(int32_t limit) { return random_below(&random_state, limit); }

static void check_many(const scene_t *scene, ecs_query_t *q, int32_t expected) {
    int32_t count = 0, last = INT32_MIN;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        const Depth *depths = ecs_field(&it, Depth, 0);
        for (int32_t i = 0; i < it.count; i++, count++) {
            assert_true(depths[i].value >= last);
            assert_ptr_equal(&depths[i], ecs_get(scene->world, it.entities[i], Depth));
            last = depths[i].value;
        }
    }
    assert_int_equal(count, expected);
}

/** Rows in a query without order that are not in order. */
static int32_t count_falls_in(ecs_iter_t it) {
    int32_t falls = 0, last = INT32_MIN;
    while (ecs_iter_next(&it)) {
        const Depth *depths = ecs_field(&it, Depth, 0);
        for (int32_t i = 0; i < it.count; i++) {
            falls += depths[i].value < last;
            last = depths[i].value;
        }
    }
    return falls;
}

static int32_t count_falls(const scene_t *scene) {
    ecs_query_t *plain = query_expr(scene, "[in] Depth, !Tag");
    int32_t falls = count_falls_in(ecs_query_iter(scene->world, plain));
    ecs_query_fini(plain);
    return falls;
}

static ecs_query_t *lazily(const scene_t *scene) {
    return sorted(
        scene, (ecs_query_desc_t){
                   .expr = "[in] Depth", .order_by = ecs_id(Depth), .flags = EcsQuerySortLazily });
}

// Q-SRT-04, Q-SRT-12, PRF-08: a few rows wait to be moved, in results they are in order; they do not wait for ever.
static void rows_of_large_tables_may_wait(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ecs_entity_t *e = ecs_os_malloc_n(ecs_entity_t, 2 * MANY);
    int32_t count = 0;
    random_state = random_init(random_seed());
    for (; count < MANY + MANY / 2; count++)
        e[count] = at(world, next_random(MANY), count < MANY ? NULL : "Tag");
    ecs_query_t *q = lazily(scene);
    check_many(scene, q, count);
    bool has_waited = false;
    for (int round = 0; round < 60; round++) {
        int32_t edits = next_random(3) ? 1 + next_random(4) : next_random(800);
        for (int32_t i = 0; i < edits; i++) {
            int32_t index = next_random(count), kind = next_random(20);
            if (kind == 0) {
                ecs_delete(world, e[index]);
                e[index] = e[--count];
            } else if (kind == 1) {
                e[count++] = at(world, next_random(MANY), next_random(2) ? NULL : "Tag");
            } else {
                ecs_set(world, e[index], Depth, { next_random(MANY) });
            }
        }
        check_many(scene, q, count);
        has_waited |= count_falls(scene) != 0; // as asked for
    }
    assert_true(has_waited);
    ecs_set(world, e[0], Depth, { -1 });
    ecs_set(world, e[1], Depth, { MANY });
    ecs_set(world, e[2], Depth, { 7 });
    check_many(scene, q, count);
    for (int i = 0; i < MANY; i++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_iter_fini(&it);
    }
    assert_int_equal(count_falls(scene), 0);
    check_many(scene, q, count);
    assert_true(ecs_world_verify(world));
    ecs_query_fini(q);
    ecs_os_free(e);
}

// Q-SRT-04, Q-SRT-09: a change above tables makes new matches of them, whose rows wait all the same.
static void rows_wait_while_what_is_above_changes(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    const ecs_entity_t parent = make(world, "parent", "Mass");
    ecs_entity_t *e = ecs_os_malloc_n(ecs_entity_t, MANY);
    for (int32_t i = 0; i < MANY; i++) {
        e[i] = ecs_new_w_pair(world, EcsChildOf, parent);
        ecs_set(world, e[i], Depth, { i });
    }
    ecs_query_t *q = sorted(scene, (ecs_query_desc_t){ .expr = "[in] Depth, ?Mass(up)",
                                       .order_by = ecs_id(Depth),
                                       .flags = EcsQuerySortLazily });
    check_many(scene, q, MANY);
    for (int32_t i = 0; i < 5; i++) ecs_set(world, e[1000 * i], Depth, { 30000 + i });
    check_many(scene, q, MANY);
    assert_int_not_equal(count_falls(scene), 0);
    ecs_remove(world, parent, Mass);
    ecs_set(world, e[7], Depth, { 20000 });
    check_many(scene, q, MANY);
    assert_true(ecs_world_verify(world));
    ecs_query_fini(q);
    ecs_os_free(e);
}

// Rows of a result that are not in order.
static void look(ecs_iter_t *it) {
    const Depth *depths = ecs_field(it, Depth, 0);
    for (int32_t i = 1; i < it->count; i++) {
        if (depths[i].value < depths[i - 1].value) ecs_os_ainc(it->ctx);
    }
}

static void look_from_systems(ecs_world_t *world, int32_t *falls) {
    for (int i = 0; i < 2; i++) {
        ecs_system_init(world, &(ecs_system_desc_t){ .query.expr = "[in] Depth",
                                   .callback = look,
                                   .ctx = falls,
                                   .phase = EcsOnUpdate,
                                   .multi_threaded = i });
    }
}

// Q-SRT-08: however large the table, all who look at it see the new order of rows.
static void others_see_the_order_of_large_tables(void **state) {
    scene_t own = { .world = ecs_init(), .kind = ((scene_t *)*state)->kind }, *scene = &own;
    make_vocabulary(scene->world);
    use(scene);
    ecs_world_t *world = scene->world;
    random_state = random_init(random_seed());
    ecs_entity_t *e = ecs_os_malloc_n(ecs_entity_t, MANY);
    for (int32_t i = 0; i < MANY; i++) e[i] = at(world, next_random(MANY), NULL);
    ecs_query_t *q = by_own_depth(scene);
    ecs_query_t *cached =
        ecs_query(world, { .expr = "[in] Depth", .cache_kind = EcsQueryCacheAuto });
    int32_t falls = 0;
    look_from_systems(world, &falls);
    for (int32_t round = 0; round < 8; round++) {
        if (round == 2) ecs_set_threads(world, 2);
        ecs_set(world, e[next_random(MANY)], Depth, { next_random(MANY) });
        if (round % 2) ecs_delete(world, e[round]), e[round] = at(world, MANY / 2, NULL);
        if (round >= 4) { // a tick sorts before systems look
            assert_true(ecs_progress(world, 1));
            assert_int_equal(falls, 0);
        }
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_iter_fini(&it);
        assert_int_equal(count_falls_in(ecs_query_iter(world, cached)), 0);
        assert_int_equal(count_falls(scene), 0);
        assert_int_equal(count_falls_in(ecs_each_id(world, ecs_id(Depth))), 0);
        const ecs_table_t *table = ecs_get_table(world, e[0]);
        const Depth *depths = ecs_table_get_id(world, table, ecs_id(Depth), 0);
        for (int32_t i = 1; i < MANY; i++) assert_true(depths[i - 1].value <= depths[i].value);
        check_many(scene, q, MANY);
    }
    assert_true(ecs_world_verify(world));
    ecs_query_fini(q);
    ecs_query_fini(cached);
    ecs_os_free(e);
    ecs_fini(world);
}

// Q-SRT-10 with rows in another order each time; what a lazy query leaves waiting does not disturb others.
static void large_tables_follow_the_last_order(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    random_state = random_init(random_seed());
    ecs_entity_t *e = ecs_os_malloc_n(ecs_entity_t, MANY);
    for (int32_t i = 0; i < MANY; i++) e[i] = at(world, next_random(MANY), NULL);
    ecs_query_t *up = by_own_depth(scene), *lazy = lazily(scene),
                *down = sorted(scene, (ecs_query_desc_t){ .expr = "[in] Depth",
                                          .order_by = ecs_id(Depth),
                                          .order_by_callback = by_depth_descending });
    for (int32_t round = 0; round < 12; round++) {
        ecs_set(world, e[next_random(MANY)], Depth, { next_random(MANY) });
        if (round % 3 == 1) check_many(scene, lazy, MANY);
        if (round % 3 == 2) assert_int_equal(ecs_query_count(down).entities, MANY);
        check_many(scene, up, MANY);
        assert_int_equal(count_falls(scene), 0);
    }
    assert_true(ecs_world_verify(world));
    ecs_query_fini(down);
    ecs_query_fini(lazy);
    ecs_query_fini(up);
    ecs_os_free(e);
}

typedef struct Name {
    char *text; // of the number of its entity
} Name;

static void make_name(void *ptr, int32_t count, const ecs_type_info_t *info) {
    (void)info;
    for (int32_t i = 0; i < count; i++) ((Name *)ptr)[i].text = NULL;
}
static void free_name(void *ptr, int32_t count, const ecs_type_info_t *info) {
    (void)info;
    for (int32_t i = 0; i < count; i++) ecs_os_free(((Name *)ptr)[i].text);
}
static void move_name(void *dst, void *src, int32_t count, const ecs_type_info_t *info) {
    free_name(dst, count, info);
    for (int32_t i = 0; i < count; i++) {
        ((Name *)dst)[i] = ((Name *)src)[i];
        ((Name *)src)[i].text = NULL;
    }
}

enum { SOME = 6000 };

// Each entity has the values it was given; others are where they were.
static void check_values(ecs_world_t *world, const ecs_entity_t *e, const int32_t *depths,
    ecs_id_t name, ecs_id_t toggled) {
    for (int32_t i = 0; i < SOME; i++) {
        assert_int_equal(ecs_get(world, e[i], Depth)->value, depths[i]);
        assert_int_equal(atoi(((const Name *)ecs_get_id(world, e[i], name))->text), i);
        if (toggled) assert_int_equal(ecs_is_enabled_id(world, e[i], toggled), depths[i] % 2);
    }
    assert_true(ecs_world_verify(world));
}

// Q-SRT-12: few rows or many, bits of rows, values with hooks; most entities are in the table, or few of all.
static void entities_keep_their_values(void **state) {
    scene_t *scene = *state;
    use(scene);
    ecs_world_t *world = scene->world;
    ECS_COMPONENT(world, Name);
    ecs_set_hooks(world, Name, { .ctor = make_name, .dtor = free_name, .move = move_name });
    ecs_entity_t toggled = ecs_new_w_id(world, EcsCanToggle), other = ecs_new(world), e[SOME];
    int32_t depths[SOME];
    random_state = random_init(random_seed());
    for (int32_t i = 0; i < SOME; i++) {
        e[i] = at(world, depths[i] = next_random(SOME), NULL);
        ecs_ensure(world, e[i], Name)->text = flecs_asprintf("%d", i);
        if (i % 50 == 0) ecs_add_id(world, ecs_new(world), other);
        if (i % 70 == 0) ecs_delete(world, ecs_new(world));
    }
    ecs_query_t *q = by_own_depth(scene);
    for (int32_t round = 0; round < 60; round++) {
        if (round == 20) ecs_bulk_new_w_id(world, other, 10 * SOME); // few are in the table now
        for (int32_t i = 0; round == 40 && i < SOME; i++) {
            ecs_add_id(world, e[i], toggled);
            ecs_enable_id(world, e[i], toggled, depths[i] % 2);
        }
        static const int32_t edits[] = { 1, 2, 20, 200, SOME };
        for (int32_t i = 0; i < edits[round % 5]; i++) {
            int32_t at = next_random(SOME);
            depths[at] = next_random(SOME);
            ecs_set(world, e[at], Depth, { depths[at] });
            if (round >= 40) ecs_enable_id(world, e[at], toggled, depths[at] % 2);
        }
        check_many(scene, q, SOME);
        check_values(world, e, depths, ecs_id(Name), round < 40 ? 0 : toggled);
    }
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(rows_of_large_tables_may_wait),
        BOTH(rows_wait_while_what_is_above_changes),
        BOTH(others_see_the_order_of_large_tables),
        BOTH(large_tables_follow_the_last_order),
        BOTH(entities_keep_their_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
