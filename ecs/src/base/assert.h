// SPDX-License-Identifier: MIT
// assert: checks of the library's own invariants. Misuse by the caller is ecs_check in log.h.
//
//   ecs__assert(condition, "sentence", …)     cheap; debug builds
//   ecs__expensive(condition, "sentence", …)  may walk a structure; builds with FLECS_SANITIZE
#ifndef ECS_BASE_ASSERT_H
#define ECS_BASE_ASSERT_H

#include <muster/ecs/log.h>

#define ecs__assert(condition, ...) ecs_dbg_assert(condition, ECS_INTERNAL_ERROR, __VA_ARGS__)
#define ecs__expensive(condition, ...) ecs_san_assert(condition, ECS_INTERNAL_ERROR, __VA_ARGS__)

#endif
