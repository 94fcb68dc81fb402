// SPDX-License-Identifier: MIT
// vec: growth, removal, copies and limits.
#include "support/test.h"

#include <muster/ecs/ds/vec.h>

#include "support/abort.h"

static ecs_vec_t numbers(int32_t count) {
    ecs_vec_t vec;
    ecs_vec_init_t(NULL, &vec, int32_t, 0);
    for (int32_t i = 0; i < count; i++) {
        *ecs_vec_append_t(NULL, &vec, int32_t) = i;
    }
    return vec;
}

static int32_t at(const ecs_vec_t *vec, int32_t index) {
    return *ecs_vec_get_t(vec, int32_t, index);
}

static void vec_appended_elements_keep_their_order(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(1000);
    assert_int_equal(ecs_vec_count(&vec), 1000);
    assert_true(ecs_vec_size(&vec) >= 1000);
    for (int32_t i = 0; i < 1000; i++) {
        assert_int_equal(at(&vec, i), i);
    }
    assert_int_equal(*ecs_vec_last_t(&vec, int32_t), 999);
    assert_ptr_equal(ecs_vec_first_t(&vec, int32_t), ecs_vec_get_t(&vec, int32_t, 0));
    ecs_vec_fini_t(NULL, &vec, int32_t);
    assert_null(vec.array);
}

static void vec_zeroed_is_valid_and_empty(void **state) {
    (void)state;
    ecs_vec_t vec = { 0 };
    ecs_vec_init_if_t(&vec, int32_t);
    assert_null(ecs_vec_last_t(&vec, int32_t));
    *ecs_vec_append_t(NULL, &vec, int32_t) = 7;
    ecs_vec_init_if_t(&vec, int32_t);
    assert_int_equal(ecs_vec_count(&vec), 1);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void vec_remove_moves_the_last_element_into_the_gap(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(4);
    ecs_vec_remove_t(&vec, int32_t, 1);
    assert_int_equal(at(&vec, 1), 3);
    ecs_vec_remove_t(&vec, int32_t, 2);
    assert_int_equal(ecs_vec_count(&vec), 2);
    ecs_vec_remove_last(&vec);
    assert_int_equal(ecs_vec_count(&vec), 1);
    assert_int_equal(at(&vec, 0), 0);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void vec_remove_ordered_keeps_the_order(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(5);
    ecs_vec_remove_ordered_t(&vec, int32_t, 1);
    ecs_vec_remove_ordered_t(&vec, int32_t, 3);
    int32_t expect[] = { 0, 2, 3 };
    assert_int_equal(ecs_vec_count(&vec), 3);
    assert_memory_equal(vec.array, expect, sizeof(expect));
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void vec_set_size_is_exact_but_never_below_the_count(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(10);
    ecs_vec_set_size_t(NULL, &vec, int32_t, 100);
    assert_int_equal(ecs_vec_size(&vec), 100);
    ecs_vec_set_size_t(NULL, &vec, int32_t, 3);
    assert_int_equal(ecs_vec_size(&vec), 10);
    ecs_vec_set_size_t(NULL, &vec, int32_t, 50);
    ecs_vec_reclaim_t(NULL, &vec, int32_t);
    assert_int_equal(ecs_vec_size(&vec), 10);
    assert_int_equal(at(&vec, 9), 9);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void vec_set_min_size_grows_geometrically(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(0);
    int64_t before = ecs_os_api_realloc_count;
    for (int32_t i = 1; i <= 10000; i++) {
        ecs_vec_set_min_size_t(NULL, &vec, int32_t, i);
    }
    assert_true(ecs_os_api_realloc_count - before < 20);
    assert_int_equal(ecs_vec_count(&vec), 0);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void vec_set_count_and_grow_add_elements(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(2);
    ecs_vec_set_min_count_zeromem_t(NULL, &vec, int32_t, 5);
    assert_int_equal(ecs_vec_count(&vec), 5);
    assert_int_equal(at(&vec, 1), 1);
    assert_int_equal(at(&vec, 4), 0);
    ecs_vec_set_min_count_t(NULL, &vec, int32_t, 3);
    assert_int_equal(ecs_vec_count(&vec), 5);
    ecs_vec_set_min_count_t(NULL, &vec, int32_t, 7);
    assert_int_equal(ecs_vec_count(&vec), 7);
    assert_int_equal(at(&vec, 1), 1);
    ecs_vec_set_count_t(NULL, &vec, int32_t, 5);
    int32_t *added = ecs_vec_grow_t(NULL, &vec, int32_t, 3);
    assert_ptr_equal(added, ecs_vec_get_t(&vec, int32_t, 5));
    ecs_vec_set_count_t(NULL, &vec, int32_t, 1);
    assert_int_equal(ecs_vec_count(&vec), 1);
    ecs_vec_clear(&vec);
    assert_ptr_equal(ecs_vec_reset_t(NULL, &vec, int32_t), &vec);
    assert_int_equal(ecs_vec_count(&vec), 0);
    assert_true(ecs_vec_size(&vec) >= 8);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void vec_copies_are_independent(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(3);
    ecs_vec_set_size_t(NULL, &vec, int32_t, 20);
    ecs_vec_t copy = ecs_vec_copy_t(NULL, &vec, int32_t);
    ecs_vec_t tight = ecs_vec_copy_shrink_t(NULL, &vec, int32_t);
    *ecs_vec_get_t(&vec, int32_t, 0) = 99;
    assert_int_equal(at(&copy, 0), 0);
    assert_int_equal(ecs_vec_size(&copy), 20);
    assert_int_equal(at(&tight, 2), 2);
    assert_int_equal(ecs_vec_size(&tight), 3);
    ecs_vec_fini_t(NULL, &vec, int32_t);
    ecs_vec_fini_t(NULL, &copy, int32_t);
    ecs_vec_fini_t(NULL, &tight, int32_t);
}

static void vec_elements_without_size_take_no_memory(void **state) {
    (void)state;
    ecs_vec_t vec = { 0 };
    ecs_vec_set_count(NULL, &vec, 0, 1000);
    assert_int_equal(ecs_vec_count(&vec), 1000);
    assert_null(vec.array);
    ecs_vec_fini(NULL, &vec, 0);
}

static void vec_refuses_what_it_does_not_have(void **state) {
    (void)state;
    ecs_vec_t vec = numbers(2);
    for (int32_t index = -1; index < 3; index += 3) {
        expect_refused(ECS_OUT_OF_RANGE, "not in 0..1", ecs_vec_remove_t(&vec, int32_t, index));
        expect_refused(
            ECS_OUT_OF_RANGE, "not in 0..1", ecs_vec_remove_ordered_t(&vec, int32_t, index));
    }
    expect_refused(ECS_OUT_OF_RANGE, "-1", ecs_vec_set_count_t(NULL, &vec, int32_t, -1));
    expect_refused(ECS_OUT_OF_RANGE, "-2", assert_null(ecs_vec_grow_t(NULL, &vec, int32_t, -2)));
    assert_int_equal(vec.count, 2);
    ecs_vec_clear(&vec);
    expect_refused(ECS_OUT_OF_RANGE, "empty", ecs_vec_remove_last(&vec));
    assert_int_equal(vec.count, 0);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vec_appended_elements_keep_their_order),
        cmocka_unit_test(vec_zeroed_is_valid_and_empty),
        cmocka_unit_test(vec_remove_moves_the_last_element_into_the_gap),
        cmocka_unit_test(vec_remove_ordered_keeps_the_order),
        cmocka_unit_test(vec_set_size_is_exact_but_never_below_the_count),
        cmocka_unit_test(vec_set_min_size_grows_geometrically),
        cmocka_unit_test(vec_set_count_and_grow_add_elements),
        cmocka_unit_test(vec_copies_are_independent),
        cmocka_unit_test(vec_elements_without_size_take_no_memory),
        cmocka_unit_test(vec_refuses_what_it_does_not_have),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
