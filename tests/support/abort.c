// SPDX-License-Identifier: MIT
// abort: see abort.h.
//
// The child replaces the log and abort hooks. Its abort hook sends the error code and the last message
// through a pipe and ends the child without running exit handlers; so does a statement that returns.
#define _GNU_SOURCE
#include "support/abort.h"

#include "support/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_LIMIT_S = 60 };

typedef struct {
    int32_t code;
    bool aborted;
    char message[1024];
} report_t;

static report_t report; // filled in by the child
static int to_parent;

#ifdef MUSTER_COVERAGE
void __gcov_dump(void);
#endif

static void send_report(void) {
#ifdef MUSTER_COVERAGE
    __gcov_dump(); // what only such children reach is reached, too
#endif
    ssize_t written = write(to_parent, &report, sizeof report);
    _exit(written == (ssize_t)sizeof report ? 0 : 1);
}

static void on_log(int32_t level, const char *file, int32_t line, const char *message) {
    (void)file, (void)line;
    if (level <= -3) snprintf(report.message, sizeof report.message, "%s", message);
}

static void on_abort(void) {
    report.aborted = true;
    report.code = ecs_log_last_error();
    send_report();
}

bool abort_enter_child_(int *pipe_out) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL); // or the child would print it again
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(ends[0]);
        to_parent = ends[1];
        ecs_os_api.log_ = on_log;
        ecs_os_api.abort_ = on_abort;
        ecs_log_set_level(-4);
        ecs_log_last_error();
        alarm(CHILD_LIMIT_S);
        return true;
    }
    close(ends[1]);
    *pipe_out = ends[0];
    return false;
}

void abort_survived_(void) {
    send_report();
    _exit(1); // not reached
}

void abort_examine_child_(int from_child, int32_t code, const char *text, const char *statement,
    const char *file, int line) {
    report_t got;
    ssize_t size = read(from_child, &got, sizeof got);
    close(from_child);
    int status = 0;
    wait(&status);

    if (size != (ssize_t)sizeof got) {
        print_error(
            "%s: ended with status 0x%x instead of a checked abort\n", statement, (unsigned)status);
    } else if (!got.aborted) {
        print_error(
            "%s: expected abort with \"%s\", but it went through\n", statement, ecs_strerror(code));
    } else if (got.code != code) {
        print_error("%s: expected \"%s\" (%d), got \"%s\" (%d): %s\n", statement,
            ecs_strerror(code), code, ecs_strerror(got.code), got.code, got.message);
    } else if (!strstr(got.message, text)) {
        print_error("%s: expected \"%s\" in the message: %s\n", statement, text, got.message);
    } else {
        return;
    }
    _fail(file, line);
}

void abort_not_(void) {}

void error_examine_(char *messages, int32_t code, const char *text, const char *statement,
    const char *file, int line) {
    int32_t got = ecs_log_last_error();
    bool as_expected = got == code && strstr(messages ? messages : "", text);
    if (!as_expected) {
        print_error("%s: expected \"%s\" (%d) saying \"%s\", got \"%s\" (%d): %s\n", statement,
            ecs_strerror(code), code, text, ecs_strerror(got), got,
            messages ? messages : "nothing");
    }
    ecs_os_free(messages);
    if (!as_expected) _fail(file, line);
}
