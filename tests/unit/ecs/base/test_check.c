// SPDX-License-Identifier: MIT
// Checks that are kept: they log, abort through the hook, and never go on behind a failure.
#include "support/test.h"
#define FLECS_KEEP_ASSERT
#undef FLECS_SOFT_ASSERT
#include <muster/ecs/log.h>

static jmp_buf after_abort;
static int abort_count;

static void leave(void) { longjmp(after_abort, 1); }

static void come_back(void) { abort_count++; }

static int setup(void **state) {
    (void)state;
    abort_count = 0;
    ecs_log_last_error();
    ecs_os_set_api_defaults();
    ecs_os_api_t api = ecs_os_get_api();
    api.abort_ = leave;
    ecs_os_set_api(&api);
    ecs_log_start_capture(true);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    ecs_os_free(ecs_log_stop_capture());
    return 0;
}

static int checked(int value) {
    ecs_check(value > 0, ECS_INVALID_PARAMETER, "value %d is not positive", value);
    return value;
error:
    return -1;
}

static int thrown(void) {
    ecs_throw(ECS_UNSUPPORTED, NULL);
error:
    return -2;
}

static void check_passes_silently(void **state) {
    (void)state;
    assert_int_equal(checked(5), 5);
    ecs_assert(true, ECS_INTERNAL_ERROR, NULL);
    ecs_always_assert(true, ECS_INTERNAL_ERROR, NULL);
    assert_null(ecs_log_stop_capture());
}

static void check_failure_leaves_through_the_abort_hook(void **state) {
    (void)state;
    if (!setjmp(after_abort)) {
        checked(-3);
        fail();
    }
    assert_int_equal(ecs_log_last_error(), ECS_INVALID_PARAMETER);
    char *text = ecs_log_stop_capture();
    assert_non_null(strstr(text, "fatal: test_check.c: "));
    assert_non_null(
        strstr(text, ": value -3 is not positive (INVALID_PARAMETER, failed check: value > 0)\n"));
    ecs_os_free(text);
}

static void check_goes_to_error_if_the_hook_returns(void **state) {
    (void)state;
    ecs_os_api.abort_ = come_back;
    assert_int_equal(checked(0), -1);
    assert_int_equal(thrown(), -2);
    assert_int_equal(abort_count, 2);
    assert_int_equal(ecs_log_last_error(), ECS_UNSUPPORTED);
}

static void check_assert_and_abort_use_the_hook(void **state) {
    (void)state;
    ecs_os_api.abort_ = come_back;
    ecs_assert(1 > 2, ECS_OUT_OF_RANGE, NULL);
    assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_RANGE);
    ecs_always_assert(1 > 2, ECS_CYCLE_DETECTED, "%d", 1);
    assert_int_equal(ecs_log_last_error(), ECS_CYCLE_DETECTED);
    ecs_abort(ECS_INTERNAL_ERROR, "always");
    assert_int_equal(ecs_log_last_error(), ECS_INTERNAL_ERROR);
    assert_int_equal(abort_count, 3);
    char *text = ecs_log_stop_capture();
    assert_non_null(strstr(text, "a value is out of range (OUT_OF_RANGE, failed check: 1 > 2)"));
    assert_non_null(strstr(text, "always (INTERNAL_ERROR)\n"));
    ecs_os_free(text);
}

static void check_aborts_even_if_nothing_is_shown(void **state) {
    (void)state;
    ecs_os_free(ecs_log_stop_capture());
    int previous = ecs_log_set_level(-5);
    ecs_os_api.abort_ = come_back;
    assert_int_equal(checked(0), -1);
    assert_int_equal(abort_count, 1);
    ecs_log_set_level(previous);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(check_passes_silently, setup, teardown),
        cmocka_unit_test_setup_teardown(
            check_failure_leaves_through_the_abort_hook, setup, teardown),
        cmocka_unit_test_setup_teardown(check_goes_to_error_if_the_hook_returns, setup, teardown),
        cmocka_unit_test_setup_teardown(check_assert_and_abort_use_the_hook, setup, teardown),
        cmocka_unit_test_setup_teardown(check_aborts_even_if_nothing_is_shown, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
