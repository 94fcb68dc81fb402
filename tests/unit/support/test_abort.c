// SPDX-License-Identifier: MIT
// Do expect_abort and expect_error see what they should, and does the test go on unharmed?
#include "support/test.h"

#include "support/abort.h"

static int touched;

static void refuse(int32_t code) {
    touched++;
    ecs_abort(code, "number %d is refused", touched);
}

static void an_abort_in_the_statement_leaves_the_test_alone(void **state) {
    (void)state;
    touched = 0;
    expect_abort(ECS_INVALID_PARAMETER, refuse(ECS_INVALID_PARAMETER));
    expect_abort_saying(ECS_LOCKED_STORAGE, "number 1 is refused", refuse(ECS_LOCKED_STORAGE));
    assert_int_equal(touched, 0);
}

static void a_logged_error_is_recognised_by_code_and_text(void **state) {
    (void)state;
    expect_error(ECS_INVALID_PARAMETER, "no such thing",
        ecs_err_code(ECS_INVALID_PARAMETER, "no such thing as %d", 3));
    assert_int_equal(ecs_log_last_error(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_abort_in_the_statement_leaves_the_test_alone),
        cmocka_unit_test(a_logged_error_is_recognised_by_code_and_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
