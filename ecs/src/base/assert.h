// SPDX-License-Identifier: MIT
// assert: cheap checks of the library's own invariants, in debug builds. Misuse by the caller is ecs_check in log.h; whole structures are
// walked by what is called verify.
#ifndef ECS_BASE_ASSERT_H
#define ECS_BASE_ASSERT_H

#include <muster/ecs/log.h>

#define ecs__assert(condition, ...) ecs_dbg_assert(condition, ECS_INTERNAL_ERROR, __VA_ARGS__)

/** Pointers that the caller has to give. [chk] */
#define ECS__GIVEN(pointers) \
    ecs_assert(pointers, ECS_INVALID_PARAMETER, "NULL was given for a pointer that is needed")
/* The same, where the function can return: as it is, or with a result. */
#define ECS__NEED(pointers)                    \
    do {                                       \
        if (ECS__IS_MISSING(pointers)) return; \
    } while (0)
#define ECS__NEED_OR(pointers, result)                \
    do {                                              \
        if (ECS__IS_MISSING(pointers)) return result; \
    } while (0)
#ifdef ECS_CHECK_LEVEL_
#define ECS__IS_MISSING(pointers)                                                           \
    (!(pointers) && (ECS_ASSERT_FAILED_(ECS_CHECK_LEVEL_, ECS_INVALID_PARAMETER, #pointers, \
                         "NULL was given for a pointer that is needed"),                    \
                        true))
#else
#define ECS__IS_MISSING(pointers) (false && (pointers))
#endif

/** Checks of misuse: evaluated where ecs_check is. */
#define ECS__CHECK(condition)                        \
    do {                                             \
        if (ECS__CHECKS && !(condition)) goto error; \
    } while (0)
#ifdef ECS_CHECK_LEVEL_
#define ECS__CHECKS true
#else
#define ECS__CHECKS false
#endif

#endif
