// SPDX-License-Identifier: MIT
// Checks with FLECS_SOFT_ASSERT: a failed check is an error value, an assert still aborts.
#include "support/test.h"
#ifndef FLECS_SOFT_ASSERT
#define FLECS_SOFT_ASSERT
#endif
#include <muster/ecs/log.h>

static int abort_count;

static void count_abort(void) { abort_count++; }

static int checked(int value) {
    ecs_check(value > 0, ECS_INVALID_PARAMETER, "value %d is not positive", value);
    return value;
error:
    return -1;
}

static int thrown(void) {
    ecs_throw(ECS_UNSUPPORTED, "never");
error:
    return -2;
}

static void check_soft_failure_returns_the_error_value(void **state) {
    (void)state;
    ecs_os_api.abort_ = count_abort;
    ecs_log_start_capture(false);
    assert_int_equal(checked(1), 1);
    assert_int_equal(checked(-3), -1);
    assert_int_equal(ecs_log_last_error(), ECS_INVALID_PARAMETER);
    assert_int_equal(thrown(), -2);
    assert_int_equal(ecs_log_last_error(), ECS_UNSUPPORTED);
    assert_int_equal(abort_count, 0);
    char *text = ecs_log_stop_capture();
    assert_non_null(strstr(text, "error: test_check_soft.c: "));
    ecs_os_free(text);
}

static void check_soft_assert_still_aborts(void **state) {
    (void)state;
    ecs_os_api.abort_ = count_abort;
    ecs_log_start_capture(false);
    ecs_assert(false, ECS_INTERNAL_ERROR, "broken");
    assert_int_equal(abort_count, 1);
    ecs_os_free(ecs_log_stop_capture());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_soft_failure_returns_the_error_value),
        cmocka_unit_test(check_soft_assert_still_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
