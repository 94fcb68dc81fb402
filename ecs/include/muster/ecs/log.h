// SPDX-License-Identifier: MIT
// log: messages, error codes and checks.
//
// A message has a level; it is shown when its level is at most the log level:
//   -4 fatal   -3 error   -2 warning   0 info (trace)   1, 2, 3 details (dbg)
// The default level -1 shows warnings and errors. Text may carry colour markers such as
// "#[red]…#[reset]"; names: grey red green yellow blue magenta cyan white bold normal reset. They
// become escape codes when colours are on and vanish when not.
//
// Three kinds of trouble:
//   misuse by the caller  ecs_check, ecs_assert, ecs_throw  debug builds; abort with a sentence
//   bad input             ecs_err_code, ecs_parser_error    logged; the caller gets an error value
//   a broken invariant    ecs_abort, ecs_always_assert      every build
// NULL for a pointer that is needed is misuse, whatever the function.
//
// |                              | debug            | release          | FLECS_SOFT_ASSERT     |
// | ecs_check, ecs_throw         | log, abort       | gone             | log, go to `error:`   |
// | ecs_assert, ecs_dbg_assert   | log, abort       | gone             | log, abort            |
// | ecs_abort, ecs_always_assert | log, abort       | log, abort       | log, abort            |
// | ecs_san_assert               | only with FLECS_SANITIZE                                    |
// FLECS_KEEP_ASSERT keeps ecs_assert, ecs_check and ecs_throw in release builds. Abort means
// ecs_os_api.abort_, which may leave by longjmp: the library holds no lock then. If it returns,
// ecs_check and ecs_throw go to `error:`; the others carry on behind the check.
//
// Threads: messages and the last error may come from any thread; each message is written in one
// piece. Levels, colours and indentation are set by one thread. A capture sees messages of its own
// thread.
#ifndef MUSTER_ECS_LOG_H
#define MUSTER_ECS_LOG_H

#include <muster/ecs/os.h>

ECS_BEGIN_DECLS

/* Error codes: number, name, and what is said of them where a check says nothing more. */
#define ECS_ERROR_LIST(X)                                                                  \
    X(1, INVALID_OPERATION, "this operation is not allowed here")                          \
    X(2, INVALID_PARAMETER, "a parameter has an invalid value")                            \
    X(3, CONSTRAINT_VIOLATED, "a constraint of a relationship or component is violated")   \
    X(4, OUT_OF_MEMORY, "out of memory")                                                   \
    X(5, OUT_OF_RANGE, "a value is out of range")                                          \
    X(6, UNSUPPORTED, "this combination of features is not supported")                     \
    X(7, INTERNAL_ERROR, "an invariant of the library is broken")                          \
    X(8, ALREADY_DEFINED, "already defined with other properties")                         \
    X(9, MISSING_OS_API, "a function of ecs_os_api is missing")                            \
    X(10, OPERATION_FAILED, "the operation failed")                                        \
    X(11, INVALID_CONVERSION, "the value cannot be converted to this type")                \
    X(13, CYCLE_DETECTED, "a relationship contains a cycle")                               \
    X(14, LEAK_DETECTED, "something was not released")                                     \
    X(15, DOUBLE_FREE, "something was released twice")                                     \
    X(20, INCONSISTENT_NAME, "an id is registered with another name")                      \
    X(21, NAME_IN_USE, "the name belongs to another entity")                               \
    X(23, INVALID_COMPONENT_SIZE, "the size differs from that of the component")           \
    X(24, INVALID_COMPONENT_ALIGNMENT, "the alignment differs from that of the component") \
    X(25, COMPONENT_NOT_REGISTERED, "the component is not registered")                     \
    X(26, INCONSISTENT_COMPONENT_ID, "the component is registered with another id")        \
    X(27, INCONSISTENT_COMPONENT_ACTION, "the component is registered with other hooks")   \
    X(28, MODULE_UNDEFINED, "the module is not defined")                                   \
    X(29, MISSING_SYMBOL, "a symbol is missing in a library")                              \
    X(30, ALREADY_IN_USE, "already in use")                                                \
    X(40, ACCESS_VIOLATION, "the thread or system may not access this")                    \
    X(41, COLUMN_INDEX_OUT_OF_RANGE, "there is no such column")                            \
    X(42, COLUMN_IS_NOT_SHARED, "the column is not shared")                                \
    X(43, COLUMN_IS_SHARED, "the column is shared")                                        \
    X(45, COLUMN_TYPE_MISMATCH, "the column has another type")                             \
    X(70, INVALID_WHILE_READONLY, "not allowed while the world is readonly")               \
    X(71, LOCKED_STORAGE, "the table is locked because it is being iterated")              \
    X(72, INVALID_FROM_WORKER, "not allowed on a worker thread")

enum {
#define ECS_ERROR_ENUM_(code, name, text) ECS_##name = code,
    ECS_ERROR_LIST(ECS_ERROR_ENUM_)
#undef ECS_ERROR_ENUM_
};

/** An error code as text: "INVALID_PARAMETER"; "no error" for 0, "unknown error code" for other numbers. */
ECS_API const char *ecs_strerror(int32_t error_code);

/* Terminal escape codes. */
#define ECS_BLACK "\033[1;30m"
#define ECS_RED "\033[0;31m"
#define ECS_GREEN "\033[0;32m"
#define ECS_YELLOW "\033[0;33m"
#define ECS_BLUE "\033[0;34m"
#define ECS_MAGENTA "\033[0;35m"
#define ECS_CYAN "\033[0;36m"
#define ECS_WHITE "\033[1;37m"
#define ECS_GREY "\033[0;37m"
#define ECS_BOLD "\033[1;49m"
#define ECS_NORMAL "\033[0;49m"

/** Set the level; returns the previous one. */
ECS_API int ecs_log_set_level(int level);
ECS_API int ecs_log_get_level(void);
/** Switch colours; returns whether they were on. Off by default. */
ECS_API bool ecs_log_enable_colors(bool enabled);
/** Put the wall clock in seconds in front of messages; returns whether it was on. */
ECS_API bool ecs_log_enable_timestamp(bool enabled);
/** Put the seconds since the previous message in front; returns whether it was on. */
ECS_API bool ecs_log_enable_timedelta(bool enabled);
/** The code of the last logged error, 0 if there was none; clears it. */
ECS_API int ecs_log_last_error(void);

/** Collect messages of this thread instead of showing them.
 *
 * @param capture_try  Also collect messages that the log level would drop.
 */
ECS_API void ecs_log_start_capture(bool capture_try);
/** End the capture; returns the messages, one per line, or NULL if there were none.
 * The caller frees the string. */
ECS_API char *ecs_log_stop_capture(void);

/** True when a message of this level would be shown or captured. */
ECS_API bool ecs_should_log(int32_t level);

/* Functions behind the macros. */
ECS_API ECS_COLD void ecs_log_(int32_t level, const char *file, int32_t line, const char *fmt, ...)
    ECS_PRINTF_LIKE(4, 5);
ECS_API ECS_COLD void ecs_logv_(int32_t level, const char *file, int32_t line, const char *fmt,
    va_list args) ECS_PRINTF_LIKE(4, 0);
ECS_API ECS_COLD void ecs_err_code_(
    int32_t code, const char *file, int32_t line, const char *fmt, ...) ECS_PRINTF_LIKE(4, 5);
ECS_API void ecs_log_push_(int32_t level);
ECS_API void ecs_log_pop_(int32_t level);
ECS_API ECS_COLD void ecs_assert_failed_(int32_t level, int32_t code, const char *condition,
    const char *file, int32_t line, const char *fmt, ...) ECS_PRINTF_LIKE(6, 7);

/* Messages. ecs_print leaves out the source position. */
#define ecs_log(level, ...) ecs_log_(level, __FILE__, __LINE__, __VA_ARGS__)
#define ecs_logv(level, fmt, args) ecs_logv_(level, __FILE__, __LINE__, fmt, args)
#define ecs_print(level, ...) ecs_log_(level, NULL, 0, __VA_ARGS__)
#define ecs_printv(level, fmt, args) ecs_logv_(level, NULL, 0, fmt, args)
#define ecs_trace(...) ecs_log(0, __VA_ARGS__)
#define ecs_warn(...) ecs_log(-2, __VA_ARGS__)
/** Sets the last error to ECS_OPERATION_FAILED. */
#define ecs_err(...) ecs_err_code(ECS_OPERATION_FAILED, __VA_ARGS__)
/** An error with a code for ecs_log_last_error, which is set even if the message is not shown. */
#define ecs_err_code(code, ...) ecs_err_code_(code, __FILE__, __LINE__, __VA_ARGS__)
#define ecs_fatal(...) ecs_log(-4, __VA_ARGS__)
#define ecs_dbg(...) ecs_dbg_1(__VA_ARGS__)
#define ecs_dbg_1(...) ecs_log(1, __VA_ARGS__)
#define ecs_dbg_2(...) ecs_log(2, __VA_ARGS__)
#define ecs_dbg_3(...) ecs_log(3, __VA_ARGS__)

/** Indent what follows, if messages of the level are shown. Push and pop at the same log level. */
#define ecs_log_push() ecs_log_push_(0)
#define ecs_log_pop() ecs_log_pop_(0)
#define ecs_log_push_1() ecs_log_push_(1)
#define ecs_log_pop_1() ecs_log_pop_(1)
#define ecs_log_push_2() ecs_log_push_(2)
#define ecs_log_pop_2() ecs_log_pop_(2)
#define ecs_log_push_3() ecs_log_push_(3)
#define ecs_log_pop_3() ecs_log_pop_(3)

/** Report an error in text given by the user; shown when the log level is at least -2.
 *
 * Shows the line of the text with a caret below the position, and sets the last error to
 * ECS_INVALID_PARAMETER even if nothing is shown.
 *
 * @param name    Where the text comes from (a file, an entity), or NULL.
 * @param expr    The whole text, or NULL.
 * @param column  Byte offset into `expr`, or -1 if unknown.
 */
ECS_API ECS_COLD void ecs_parser_error(
    const char *name, const char *expr, int64_t column, const char *fmt, ...) ECS_PRINTF_LIKE(4, 5);
ECS_API ECS_COLD void ecs_parser_errorv(const char *name, const char *expr, int64_t column,
    const char *fmt, va_list args) ECS_PRINTF_LIKE(4, 0);
/** The same as a warning, which leaves the last error alone. */
ECS_API ECS_COLD void ecs_parser_warning(
    const char *name, const char *expr, int64_t column, const char *fmt, ...) ECS_PRINTF_LIKE(4, 5);
ECS_API ECS_COLD void ecs_parser_warningv(const char *name, const char *expr, int64_t column,
    const char *fmt, va_list args) ECS_PRINTF_LIKE(4, 0);

/* Checks: ecs_check(condition, CODE, "sentence", …); the sentence may be NULL. */
#define ECS_ASSERT_FAILED_(level, code, condition, ...) \
    ecs_assert_failed_(level, code, condition, __FILE__, __LINE__, __VA_ARGS__)

#define ecs_abort(error_code, ...) ECS_ASSERT_FAILED_(-4, error_code, NULL, __VA_ARGS__)
#define ecs_always_assert(condition, error_code, ...)                    \
    do {                                                                 \
        if (!(condition)) {                                              \
            ECS_ASSERT_FAILED_(-4, error_code, #condition, __VA_ARGS__); \
        }                                                                \
    } while (false)
/* Not evaluated, but still compiled, so that release builds neither rot nor warn. */
#define ECS_UNCHECKED_(condition) \
    do {                          \
        if (false) {              \
            (void)(condition);    \
        }                         \
    } while (false)

#if defined(FLECS_DEBUG) || defined(FLECS_KEEP_ASSERT) || defined(FLECS_SOFT_ASSERT)
#define ecs_assert(condition, error_code, ...) ecs_always_assert(condition, error_code, __VA_ARGS__)
#ifdef FLECS_SOFT_ASSERT
#define ECS_CHECK_LEVEL_ (-3)
#else
#define ECS_CHECK_LEVEL_ (-4)
#endif
#define ecs_check(condition, error_code, ...)                                          \
    do {                                                                               \
        if (!(condition)) {                                                            \
            ECS_ASSERT_FAILED_(ECS_CHECK_LEVEL_, error_code, #condition, __VA_ARGS__); \
            goto error;                                                                \
        }                                                                              \
    } while (false)
#define ecs_throw(error_code, ...)                                           \
    do {                                                                     \
        ECS_ASSERT_FAILED_(ECS_CHECK_LEVEL_, error_code, NULL, __VA_ARGS__); \
        goto error;                                                          \
    } while (false)
#else
#define ecs_assert(condition, error_code, ...) ECS_UNCHECKED_(condition)
#define ecs_check(condition, error_code, ...) \
    do {                                      \
        if (false) {                          \
            (void)(condition);                \
            goto error;                       \
        }                                     \
    } while (false)
#define ecs_throw(error_code, ...) \
    do {                           \
        if (false) {               \
            goto error;            \
        }                          \
    } while (false)
#endif

#ifdef FLECS_DEBUG
#define ecs_dbg_assert(condition, error_code, ...) ecs_assert(condition, error_code, __VA_ARGS__)
#else
#define ecs_dbg_assert(condition, error_code, ...) ECS_UNCHECKED_(condition)
#endif
#ifdef FLECS_SANITIZE
#define ecs_san_assert(condition, error_code, ...) ecs_assert(condition, error_code, __VA_ARGS__)
#else
#define ecs_san_assert(condition, error_code, ...) ECS_UNCHECKED_(condition)
#endif

ECS_END_DECLS

#endif
