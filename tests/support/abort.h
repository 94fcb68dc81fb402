// SPDX-License-Identifier: MIT
// abort: expecting that a statement is refused, by an abort or by a logged error.
//
//     expect_abort(ECS_INVALID_PARAMETER, ecs_add_id(world, e, 0));
//     expect_abort_saying(ECS_LOCKED_STORAGE, "being iterated", ecs_delete(world, e));
//     expect_error(ECS_INVALID_PARAMETER, "unknown identifier", q = ecs_query(world, {.expr = "X"}));
//     expect_refused(ECS_INVALID_PARAMETER, "not alive", ecs_add(world, dead, Tag));
//
// The statement of expect_abort runs in a child process, so the world of the test is as it was and its
// teardown can still check for leaks. What the statement assigns is lost. Worker threads do not exist
// in the child: a statement that needs them makes its own world. Checks of misuse exist in debug
// builds only, elsewhere expect_abort does not run its statement.
#ifndef TEST_ABORT_H
#define TEST_ABORT_H

#include <stdbool.h>
#include <stdint.h>

#include <muster/ecs/log.h>

#ifdef FLECS_DEBUG
#define expect_abort_saying(code, text, ...)                                             \
    do {                                                                                 \
        int abort_pipe_ = -1;                                                            \
        if (abort_enter_child_(&abort_pipe_)) {                                          \
            __VA_ARGS__;                                                                 \
            abort_survived_();                                                           \
        }                                                                                \
        abort_examine_child_(abort_pipe_, code, text, #__VA_ARGS__, __FILE__, __LINE__); \
    } while (0)
#else
#define expect_abort_saying(code, text, ...) \
    do {                                     \
        if (false) {                         \
            __VA_ARGS__;                     \
        }                                    \
    } while (0)
#endif

/** The statement aborts, and the last error is `code`. */
#define expect_abort(code, ...) expect_abort_saying(code, "", __VA_ARGS__)

/** The statement goes through, but logs an error with this code, and `text` is part of the messages. */
#define expect_error(code, text, ...)                                                         \
    do {                                                                                      \
        ecs_log_last_error();                                                                 \
        ecs_log_start_capture(true);                                                          \
        __VA_ARGS__;                                                                          \
        error_examine_(ecs_log_stop_capture(), code, text, #__VA_ARGS__, __FILE__, __LINE__); \
    } while (0)

/** The statement fails a check, and goes on behind it as with FLECS_SOFT_ASSERT; for debug builds, as above. */
#ifdef FLECS_DEBUG
#define expect_refused(code, text, ...)                       \
    do {                                                      \
        const ecs_os_api_abort_t before_ = ecs_os_api.abort_; \
        ecs_os_api.abort_ = abort_not_;                       \
        expect_error(code, text, __VA_ARGS__);                \
        ecs_os_api.abort_ = before_;                          \
    } while (0)
#else
#define expect_refused(code, text, ...) expect_abort_saying(code, text, __VA_ARGS__)
#endif

/* Behind the macros. */
void abort_not_(void);
bool abort_enter_child_(int *pipe_out);
_Noreturn void abort_survived_(void);
void abort_examine_child_(int from_child, int32_t code, const char *text, const char *statement,
    const char *file, int line);
void error_examine_(char *messages, int32_t code, const char *text, const char *statement,
    const char *file, int line);

#endif
