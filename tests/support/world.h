// SPDX-License-Identifier: MIT
// world: fixtures that give each test a world of its own and check what it leaves behind.
//
//     static void adding_twice_is_adding_once(void **state) { ecs_world_t *world = *state; … }
//     const struct CMUnitTest tests[] = { world_test(adding_twice_is_adding_once) };
//
// world_test gives a world with the runtime (ecs_init), mini_world_test one without (ecs_mini). The
// teardown verifies the invariants of the world and that every block of memory was given back.
// Functions are inline so that tests of the database alone need not link the runtime.
#ifndef TEST_WORLD_H
#define TEST_WORLD_H

#include "support/test.h"

#include <muster.h>

#include "support/memory.h"

#define world_test(f) cmocka_unit_test_setup_teardown(f, world_setup_, world_teardown_)
#define mini_world_test(f) cmocka_unit_test_setup_teardown(f, mini_world_setup_, world_teardown_)

static int64_t world_live_before_;

static inline int world_setup_(void **state) {
    world_live_before_ = memory_live();
    *state = ecs_init();
    return *state ? 0 : -1;
}

static inline int mini_world_setup_(void **state) {
    world_live_before_ = memory_live();
    *state = ecs_mini();
    return *state ? 0 : -1;
}

static inline int world_teardown_(void **state) {
    ecs_world_t *world = *state;
    if (!ecs_world_verify(world)) return -1;
    if (ecs_fini(world)) return -1;
    int64_t left = memory_live() - world_live_before_;
    if (left) print_error("%lld blocks of memory were not given back\n", (long long)left);
    return left ? -1 : 0;
}

#endif
