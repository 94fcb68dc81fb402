// SPDX-License-Identifier: MIT
// assert: cheap checks of the library's own invariants, in debug builds. Misuse by the caller is ecs_check in log.h; whole structures are
// walked by what is called verify.
#ifndef ECS_BASE_ASSERT_H
#define ECS_BASE_ASSERT_H

#include <muster/ecs/log.h>

#define ecs__assert(condition, ...) ecs_dbg_assert(condition, ECS_INTERNAL_ERROR, __VA_ARGS__)

#endif
