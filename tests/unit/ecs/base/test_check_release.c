// SPDX-License-Identifier: MIT
// Checks in a release build: they are gone and do not evaluate their condition.
#include "support/test.h"
#undef FLECS_DEBUG
#undef FLECS_SANITIZE
#undef FLECS_KEEP_ASSERT
#undef FLECS_SOFT_ASSERT
#define FLECS_NDEBUG
#include <muster/ecs/log.h>

static int evaluations;
static int abort_count;

static bool evaluate(void) {
    evaluations++;
    return false;
}

static void count_abort(void) { abort_count++; }

static int checked(void) {
    ecs_check(evaluate(), ECS_INVALID_PARAMETER, NULL);
    ecs_throw(ECS_INVALID_PARAMETER, NULL);
    return 1;
error:
    return -1;
}

static void check_release_omits_checks(void **state) {
    (void)state;
    ecs_os_api.abort_ = count_abort;
    assert_int_equal(checked(), 1);
    ecs_assert(evaluate(), ECS_INTERNAL_ERROR, NULL);
    ecs_dbg_assert(evaluate(), ECS_INTERNAL_ERROR, NULL);
    ecs_san_assert(evaluate(), ECS_INTERNAL_ERROR, NULL);
    assert_int_equal(evaluations, 0);
    assert_int_equal(abort_count, 0);
}

static void check_release_keeps_what_is_always_active(void **state) {
    (void)state;
    ecs_os_api.abort_ = count_abort;
    ecs_log_start_capture(false);
    ecs_always_assert(evaluate(), ECS_INTERNAL_ERROR, NULL);
    ecs_abort(ECS_INTERNAL_ERROR, NULL);
    assert_int_equal(evaluations, 1);
    assert_int_equal(abort_count, 2);
    ecs_os_free(ecs_log_stop_capture());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_release_omits_checks),
        cmocka_unit_test(check_release_keeps_what_is_always_active),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
