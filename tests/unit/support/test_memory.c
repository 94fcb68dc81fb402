// SPDX-License-Identifier: MIT
// Does a fault hit exactly the allocation it names, and does the sweep try each one?
#include "support/test.h"

#include <muster/ecs/os.h>

#include "support/memory.h"

static void the_nth_allocation_fails_once(void **state) {
    (void)state;
    memory_fault_begin(2);
    void *first = ecs_os_try_malloc(8), *second = ecs_os_try_calloc(8),
         *third = ecs_os_try_malloc(8);
    assert_true(memory_fault_end());
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    ecs_os_free(first);
    ecs_os_free(third);
}

static void a_fault_that_is_not_reached_is_told(void **state) {
    (void)state;
    memory_fault_begin(2);
    void *only = ecs_os_try_malloc(8);
    assert_false(memory_fault_end());
    ecs_os_free(only);
}

static void allocate_three(void *ctx, bool will_fail) {
    void *blocks[3];
    int failures = 0;
    for (int i = 0; i < 3; i++) failures += !(blocks[i] = ecs_os_try_malloc(16));
    for (int i = 0; i < 3; i++) ecs_os_free(blocks[i]);
    assert_int_equal(failures, will_fail);
    ++*(int *)ctx;
}

static void a_sweep_fails_each_allocation_in_turn(void **state) {
    (void)state;
    int attempts = 0;
    int64_t live = memory_live();
    assert_int_equal(memory_fault_sweep(allocate_three, &attempts, 100), 3);
    assert_int_equal(attempts, 4);
    assert_int_equal(memory_live(), live);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_allocation_fails_once),
        cmocka_unit_test(a_fault_that_is_not_reached_is_told),
        cmocka_unit_test(a_sweep_fails_each_allocation_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
