// SPDX-License-Identifier: MIT
// sparse: random operations against plain arrays, stable addresses, generations.
#include "support/test.h"

#include <muster/ecs/ds/sparse.h>
#include "base/hash.h"
#include "support/abort.h"

#define IDS 600
#define GENERATION(n) ((uint64_t)(n) << 32)

static uint64_t random_state;

static uint64_t next_random(void) { return ecs__hash_u64(++random_state); }

static void sparse_behaves_like_an_array_under_random_operations(void **state) {
    (void)state;
    random_state = 3;
    static uint64_t *elements[IDS];
    static uint64_t values[IDS];
    int32_t count = 0;
    ecs_sparse_t set;
    flecs_sparse_init_t(&set, NULL, NULL, uint64_t);
    for (int step = 0; step < 50000; step++) {
        uint64_t i = next_random() % IDS, id = 1 + i * 17;
        assert_ptr_equal(flecs_sparse_get_t(&set, uint64_t, id), elements[i]);
        if (elements[i]) {
            assert_int_equal(*elements[i], values[i]); /* it has not moved */
        }
        if (next_random() & 1) {
            bool is_new;
            uint64_t *element = flecs_sparse_ensure_t(&set, uint64_t, id, &is_new);
            assert_int_equal(is_new, !elements[i]);
            assert_int_equal(*element, is_new ? 0 : values[i]);
            count += is_new;
            elements[i] = element;
            *element = values[i] = next_random();
        } else {
            assert_int_equal(flecs_sparse_remove_t(&set, uint64_t, id), elements[i] != NULL);
            count -= elements[i] != NULL;
            elements[i] = NULL;
        }
        if (step % 9999 == 0) {
            flecs_sparse_shrink(&set);
        }
        assert_int_equal(flecs_sparse_count(&set), count);
    }
    for (int32_t d = 0; d < count; d++) {
        uint64_t id = flecs_sparse_ids(&set)[d];
        assert_ptr_equal(flecs_sparse_get_dense_t(&set, uint64_t, d), elements[(id - 1) / 17]);
    }
    flecs_sparse_fini(&set);
    memset(elements, 0, sizeof(elements));
}

static void sparse_issues_ids_from_one_and_reuses_removed_ones(void **state) {
    (void)state;
    ecs_sparse_t set;
    ecs_sparse_init_t(&set, int);
    assert_int_equal(ecs_sparse_last_id(&set), 0);
    *ecs_sparse_add_t(&set, int) = 10;
    assert_int_equal(ecs_sparse_last_id(&set), 1);
    assert_int_equal(flecs_sparse_new_id(&set), 2);
    *flecs_sparse_insert_t(&set, int, 100) = 1;
    assert_int_equal(flecs_sparse_new_id(&set), 101);
    assert_true(flecs_sparse_remove_t(&set, int, 2));
    assert_int_equal(flecs_sparse_new_id(&set), 2);
    assert_int_equal(ecs_sparse_count(&set), 4);
    assert_int_equal(*ecs_sparse_get_t(&set, int, 1), 10);
    assert_int_equal(*ecs_sparse_get_dense_t(&set, int, 0), 10);
    flecs_sparse_clear(&set);
    assert_int_equal(ecs_sparse_count(&set), 0);
    assert_null(ecs_sparse_get_t(&set, int, 1));
    assert_int_equal(flecs_sparse_new_id(&set), 1);
    flecs_sparse_fini(&set);
}

static void sparse_other_generations_are_not_alive(void **state) {
    (void)state;
    ecs_sparse_t set;
    ecs_sparse_init_t(&set, int);
    uint64_t id = flecs_sparse_new_id(&set);
    assert_true(flecs_sparse_remove_w_gen(&set, ECS_SIZEOF(int), id));
    assert_false(flecs_sparse_remove_w_gen(&set, ECS_SIZEOF(int), id));
    uint64_t next = flecs_sparse_new_id(&set);
    assert_int_equal(next, id | GENERATION(1));
    assert_false(flecs_sparse_is_alive(&set, id));
    assert_true(flecs_sparse_has(&set, next));
    assert_null(flecs_sparse_get_t(&set, int, id));
    assert_false(flecs_sparse_remove_t(&set, int, id));
    assert_null(flecs_sparse_insert_t(&set, int, id | GENERATION(5)));
    assert_non_null(flecs_sparse_ensure_t(&set, int, id | GENERATION(5), NULL));
    assert_true(flecs_sparse_is_alive(&set, id | GENERATION(5)));
    flecs_sparse_fini(&set);
}

static void sparse_generation_wraps_after_16_bits(void **state) {
    (void)state;
    ecs_sparse_t set;
    ecs_sparse_init_t(&set, int);
    flecs_sparse_insert_t(&set, int, 1 | GENERATION(0xFFFF));
    assert_true(flecs_sparse_remove_w_gen(&set, ECS_SIZEOF(int), 1 | GENERATION(0xFFFF)));
    assert_int_equal(flecs_sparse_new_id(&set), 1);
    flecs_sparse_fini(&set);
}

static void sparse_takes_the_highest_indices(void **state) {
    (void)state;
    ecs_sparse_t set;
    ecs_sparse_init_t(&set, int);
    *flecs_sparse_insert_t(&set, int, 50000000) = 3;
    *flecs_sparse_ensure_fast_t(&set, int, 49999999) = 4;
    assert_int_equal(*ecs_sparse_get_t(&set, int, 50000000), 3);
    assert_null(ecs_sparse_get_t(&set, int, 0xFFFFFFFFu));
    flecs_sparse_fini(&set);
}

static void sparse_elements_without_size_are_a_set_of_ids(void **state) {
    (void)state;
    ecs_sparse_t set;
    ecs_sparse_init(&set, 0);
    assert_non_null(flecs_sparse_insert(&set, 0, 5));
    assert_true(flecs_sparse_has(&set, 5));
    assert_false(flecs_sparse_has(&set, 6));
    flecs_sparse_fini(&set);
}

static void sparse_refuses_elements_of_another_size(void **state) {
    (void)state;
    ecs_sparse_t set;
    ecs_sparse_init_t(&set, int32_t);
    flecs_sparse_ensure_t(&set, int32_t, 5, NULL);
    expect_refused(ECS_INVALID_COMPONENT_SIZE, "4 bytes, not 8",
        assert_null(flecs_sparse_get_t(&set, int64_t, 5)));
    expect_refused(ECS_INVALID_COMPONENT_SIZE, "4 bytes, not 8",
        assert_false(flecs_sparse_remove_t(&set, int64_t, 5)));
    expect_refused(ECS_INVALID_COMPONENT_SIZE, "4 bytes, not 8",
        assert_null(flecs_sparse_add_t(&set, int64_t)));
    assert_int_equal(flecs_sparse_count(&set), 1);
    flecs_sparse_fini(&set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_behaves_like_an_array_under_random_operations),
        cmocka_unit_test(sparse_issues_ids_from_one_and_reuses_removed_ones),
        cmocka_unit_test(sparse_other_generations_are_not_alive),
        cmocka_unit_test(sparse_generation_wraps_after_16_bits),
        cmocka_unit_test(sparse_takes_the_highest_indices),
        cmocka_unit_test(sparse_elements_without_size_are_a_set_of_ids),
        cmocka_unit_test(sparse_refuses_elements_of_another_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
