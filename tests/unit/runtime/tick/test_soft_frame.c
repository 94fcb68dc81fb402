// SPDX-License-Identifier: MIT
// Frames where failed checks do not abort: nothing runs in a frame that was refused.
#ifndef FLECS_SOFT_ASSERT
#define FLECS_SOFT_ASSERT
#endif
#include "support/world.h"

#include "support/abort.h"
#include "tick/frame.c"

static int32_t calls;
static void Count(ecs_iter_t *it) { calls += it->delta_time > 0 ? 1 : 100; }

static void systems_do_not_run_in_a_refused_frame(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnStart, .callback = Count });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Count });
    calls = 0;
    expect_error(ECS_INVALID_PARAMETER, "not nan", assert_false(ecs_progress(world, NAN)));
    ecs_defer_begin(world);
    expect_error(ECS_INVALID_OPERATION, "defer", assert_false(ecs_progress(world, 1)));
    ecs_defer_end(world);
    assert_int_equal(calls, 0);
    assert_true(ecs_progress(world, 1));
    assert_int_equal(calls, 101); /* OnStart has no time */
}

int main(void) {
    const struct CMUnitTest tests[] = { world_test(systems_do_not_run_in_a_refused_frame) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
