// SPDX-License-Identifier: MIT
// map: random operations against a plain array, order of iteration, pointers as values.
#include "support/test.h"

#include <muster/ecs/ds/map.h>
#include "base/hash.h"
#include "support/abort.h"

#define KEYS 3000

static uint64_t random_state;

static uint64_t next_random(void) { return ecs__hash_u64(++random_state); }

// Key number i; several shapes, among them 0, pairs and keys that differ in high bits only.
static uint64_t key_of(uint64_t i) {
    switch (i % 4) {
    case 0: return i / 4;
    case 1: return (1ull << 63) | ((i / 40) << 32) | (i % 40);
    case 2: return (i << 48) | 7;
    default: return i * 4096;
    }
}

static void map_behaves_like_an_array_under_random_operations(void **state) {
    (void)state;
    random_state = 1;
    static uint64_t model[KEYS];
    static bool has[KEYS];
    int32_t count = 0;
    ecs_map_t map;
    ecs_map_init(&map, NULL);
    for (int step = 0; step < 200000; step++) {
        uint64_t i = next_random() % KEYS, key = key_of(i);
        switch (next_random() % 5) {
        case 0:
        case 1: {
            ecs_map_val_t *value = ecs_map_ensure(&map, key);
            assert_int_equal(*value, has[i] ? model[i] : 0);
            *value = model[i] = next_random();
            count += !has[i];
            has[i] = true;
            break;
        }
        case 2:
        case 3:
            assert_int_equal(ecs_map_remove(&map, key), has[i] ? model[i] : 0);
            count -= has[i];
            has[i] = false;
            break;
        default: {
            ecs_map_val_t *value = ecs_map_get(&map, key);
            assert_true(has[i] == (value != NULL));
            if (value) {
                assert_int_equal(*value, model[i]);
            }
        }
        }
        assert_int_equal(ecs_map_count(&map), count);
        if (step % 50000 == 0) {
            ecs_map_reclaim(&map);
        }
    }
    for (uint64_t i = 0; i < KEYS; i++) {
        assert_true(has[i] == (ecs_map_get(&map, key_of(i)) != NULL));
    }
    ecs_map_fini(&map);
}

static void map_iterates_in_insertion_order(void **state) {
    (void)state;
    ecs_map_t map = { 0 };
    for (uint64_t i = 0; i < 500; i++) {
        ecs_map_insert(&map, key_of(i), i);
    }
    uint64_t expected = 0;
    ecs_map_iter_t it = ecs_map_iter(&map);
    while (ecs_map_next(&it)) {
        assert_int_equal(ecs_map_key(&it), key_of(expected));
        assert_int_equal(ecs_map_value(&it), expected);
        expected++;
    }
    assert_int_equal(expected, 500);
    assert_false(ecs_map_next(&it));
    ecs_map_fini(&map);
}

static void map_current_key_may_be_removed_while_iterating(void **state) {
    (void)state;
    ecs_map_t map = { 0 };
    for (uint64_t i = 1; i <= 100; i++) {
        ecs_map_insert(&map, i, i);
    }
    uint64_t visited = 0, sum = 0;
    ecs_map_iter_t it = ecs_map_iter(&map);
    while (ecs_map_next(&it)) {
        uint64_t key = ecs_map_key(&it);
        visited++;
        sum += key;
        if (key % 3) {
            ecs_map_remove(&map, key);
        }
    }
    assert_int_equal(visited, 100);
    assert_int_equal(sum, 5050);
    assert_int_equal(ecs_map_count(&map), 33);
    it = ecs_map_iter(&map);
    while (ecs_map_next(&it)) {
        assert_int_equal(ecs_map_key(&it) % 3, 0);
        ecs_map_remove(&map, ecs_map_key(&it));
    }
    assert_int_equal(ecs_map_count(&map), 0);
    ecs_map_fini(&map);
}

static void map_order_depends_on_history_only(void **state) {
    (void)state;
    ecs_map_t small = { 0 }, large = { 0 };
    for (uint64_t i = 0; i < 100000; i++) { /* a different table size in between */
        ecs_map_insert(&large, 1000 + i, 0);
    }
    ecs_map_clear(&large);
    ecs_map_t *maps[] = { &small, &large };
    for (int m = 0; m < 2; m++) {
        for (uint64_t i = 0; i < 50; i++) {
            ecs_map_insert(maps[m], key_of(i), i);
        }
        for (uint64_t i = 0; i < 50; i += 7) {
            ecs_map_remove(maps[m], key_of(i));
        }
    }
    ecs_map_iter_t a = ecs_map_iter(&small), b = ecs_map_iter(&large);
    while (ecs_map_next(&a)) {
        assert_true(ecs_map_next(&b));
        assert_int_equal(ecs_map_key(&a), ecs_map_key(&b));
    }
    assert_false(ecs_map_next(&b));
    ecs_map_fini(&small);
    ecs_map_fini(&large);
}

static void map_values_can_be_pointers(void **state) {
    (void)state;
    ecs_map_t map;
    ecs_map_init(&map, NULL);
    int *a = ecs_map_insert_alloc_t(&map, int, 1);
    assert_int_equal(*a, 0);
    *a = 10;
    assert_ptr_equal(ecs_map_ensure_alloc_t(&map, int, 1), a);
    assert_ptr_equal(ecs_map_get_deref(&map, int, 1), a);
    assert_ptr_equal(ecs_map_get_ptr(&map, 1), a);
    assert_null(ecs_map_get_deref(&map, int, 2));
    int **ref = ecs_map_ensure_ref(&map, int, 3);
    assert_null(*ref);
    int own = 5;
    *ref = &own;
    assert_ptr_equal(ecs_map_get_deref(&map, int, 3), &own);
    assert_ptr_equal(*ecs_map_get_ref(&map, int, 3), &own);
    ecs_map_insert_ptr(&map, 4, &own);
    assert_ptr_equal(ecs_map_remove_ptr(&map, 4), &own);
    ecs_map_remove_ptr(&map, 4); /* the value may be left alone */
    ecs_map_iter_t it = ecs_map_iter(&map);
    assert_true(ecs_map_next(&it));
    assert_ptr_equal(ecs_map_ptr(&it), a);
    assert_ptr_equal(*ecs_map_ref(&it, int), a);
    ecs_map_remove_free(&map, 1);
    ecs_map_remove_free(&map, 99);
    assert_int_equal(ecs_map_count(&map), 1);
    ecs_map_fini(&map);
}

static void map_copy_holds_the_same_in_the_same_order(void **state) {
    (void)state;
    ecs_map_t map, copy = { 0 };
    ecs_map_init(&map, NULL);
    for (uint64_t i = 0; i < 1000; i++) {
        ecs_map_insert(&map, key_of(i), i);
    }
    for (uint64_t i = 0; i < 900; i++) {
        ecs_map_remove(&map, key_of(i));
    }
    ecs_map_insert(&copy, 12345678, 1);
    ecs_map_copy(&copy, &map);
    assert_int_equal(ecs_map_count(&copy), 100);
    assert_null(ecs_map_get(&copy, 12345678));
    ecs_map_iter_t a = ecs_map_iter(&map), b = ecs_map_iter(&copy);
    while (ecs_map_next(&a)) {
        assert_true(ecs_map_next(&b));
        assert_int_equal(ecs_map_key(&a), ecs_map_key(&b));
        assert_int_equal(*ecs_map_get(&copy, ecs_map_key(&a)), ecs_map_value(&a));
    }
    ecs_map_fini(&map);
    ecs_map_fini(&copy);
}

static void map_of_steady_size_does_not_allocate(void **state) {
    (void)state;
    ecs_map_t map = { 0 };
    for (uint64_t i = 0; i < 100; i++) {
        ecs_map_insert(&map, i, i);
    }
    int64_t before = ecs_os_api_malloc_count + ecs_os_api_calloc_count;
    for (uint64_t i = 0; i < 10000; i++) {
        ecs_map_remove(&map, i);
        ecs_map_insert(&map, i + 100, i);
    }
    assert_int_equal(ecs_os_api_malloc_count + ecs_os_api_calloc_count, before);
    ecs_map_fini(&map);
}

static void map_knows_whether_it_is_initialised(void **state) {
    (void)state;
    ecs_map_t map = { 0 };
    assert_false(ecs_map_is_init(&map));
    assert_int_equal(ecs_map_count((ecs_map_t *)NULL), 0);
    ecs_map_init_if(&map, NULL);
    assert_true(ecs_map_is_init(&map));
    ecs_map_insert(&map, 0, 1);
    ecs_map_init_if(&map, NULL);
    assert_int_equal(ecs_map_count(&map), 1);
    ecs_map_clear(&map);
    assert_null(ecs_map_get(&map, 0));
    ecs_map_reclaim(&map);
    assert_true(ecs_map_is_init(&map));
    ecs_map_iter_t none = ecs_map_iter(NULL);
    assert_false(ecs_map_iter_valid(&none));
    assert_false(ecs_map_next(&none));
    ecs_map_fini(&map);
    assert_false(ecs_map_is_init(&map));
}

static void map_refuses_keys_twice_and_changes_while_iterated(void **state) {
    (void)state;
    ecs_map_t map = { 0 };
    int32_t *first = ecs_map_insert_alloc_t(&map, int32_t, 1);
    expect_refused(ECS_ALREADY_IN_USE, "in the map already",
        assert_null(ecs_map_insert_alloc_t(&map, int32_t, 1)));
    expect_refused(ECS_ALREADY_IN_USE, "in the map already", ecs_map_insert(&map, 1, 2));
    assert_ptr_equal(ecs_map_get_deref(&map, int32_t, 1), first);
    ecs_map_iter_t it = ecs_map_iter(&map);
    assert_true(ecs_map_next(&it));
    ecs_map_ensure(&map, 2);
    expect_refused(ECS_INVALID_OPERATION, "changed while", assert_false(ecs_map_next(&it)));
#ifdef FLECS_DEBUG
    assert_false(ecs_map_next(&it));
#endif
    ecs_map_remove_free(&map, 1);
    ecs_map_fini(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_behaves_like_an_array_under_random_operations),
        cmocka_unit_test(map_iterates_in_insertion_order),
        cmocka_unit_test(map_current_key_may_be_removed_while_iterating),
        cmocka_unit_test(map_order_depends_on_history_only),
        cmocka_unit_test(map_values_can_be_pointers),
        cmocka_unit_test(map_copy_holds_the_same_in_the_same_order),
        cmocka_unit_test(map_of_steady_size_does_not_allocate),
        cmocka_unit_test(map_knows_whether_it_is_initialised),
        cmocka_unit_test(map_refuses_keys_twice_and_changes_while_iterated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
