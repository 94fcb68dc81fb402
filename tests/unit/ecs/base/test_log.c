// SPDX-License-Identifier: MIT
// log: levels, capture, colours, positions in text, the last error.
#include "support/test.h"

#include <muster/ecs/log.h>
#include <stdio.h>

static struct {
    int32_t level, line;
    const char *file;
    char msg[256];
    int count;
} seen;

static void see(int32_t level, const char *file, int32_t line, const char *msg) {
    seen.level = level;
    seen.file = file;
    seen.line = line;
    snprintf(seen.msg, sizeof(seen.msg), "%s", msg);
    seen.count++;
}

static int setup(void **state) {
    (void)state;
    memset(&seen, 0, sizeof(seen));
    ecs_log_set_level(-1);
    ecs_log_last_error();
    ecs_os_set_api_defaults();
    ecs_os_api.log_ = see;
    return 0;
}

static void expect_capture(const char *text) {
    char *captured = ecs_log_stop_capture();
    assert_string_equal(captured, text);
    ecs_os_free(captured);
}

static void log_shows_messages_up_to_its_level(void **state) {
    (void)state;
    assert_int_equal(ecs_log_set_level(-1), -1);
    ecs_trace("hidden");
    ecs_dbg("hidden");
    assert_int_equal(seen.count, 0);
    ecs_warn("a %s", "warning");
    assert_int_equal(seen.level, -2);
    assert_string_equal(seen.msg, "a warning");
    assert_int_equal(seen.line, __LINE__ - 3);
    ecs_err("an error");
    assert_int_equal(seen.level, -3);
    assert_int_equal(ecs_log_set_level(-4), -1);
    ecs_err("hidden");
    ecs_fatal("fatal");
    assert_int_equal(seen.count, 3);
    ecs_log_set_level(2);
    assert_int_equal(ecs_log_get_level(), 2);
    assert_true(ecs_should_log(2));
    assert_false(ecs_should_log(3));
    ecs_trace("0");
    ecs_dbg_2("2");
    ecs_dbg_3("3");
    ecs_print(1, "without position");
    assert_null(seen.file);
    assert_int_equal(seen.count, 6);
}

static void log_last_error_is_kept_until_read(void **state) {
    (void)state;
    ecs_log_set_level(-4);
    assert_int_equal(ecs_log_last_error(), 0);
    ecs_err_code(ECS_UNSUPPORTED, "not shown, but remembered");
    ecs_warn("does not matter");
    assert_int_equal(ecs_log_last_error(), ECS_UNSUPPORTED);
    assert_int_equal(ecs_log_last_error(), 0);
    ecs_err("without code");
    assert_int_equal(ecs_log_last_error(), ECS_OPERATION_FAILED);
    ecs_parser_error("x", "y", 0, "bad");
    assert_int_equal(ecs_log_last_error(), ECS_INVALID_PARAMETER);
}

static void log_every_code_has_a_text(void **state) {
    (void)state;
    assert_int_equal(ECS_INVALID_OPERATION, 1);
    assert_int_equal(ECS_CYCLE_DETECTED, 13);
    assert_int_equal(ECS_INVALID_COMPONENT_SIZE, 23);
    assert_int_equal(ECS_INVALID_FROM_WORKER, 72);
    assert_string_equal(ecs_strerror(ECS_OUT_OF_MEMORY), "OUT_OF_MEMORY");
    assert_string_equal(ecs_strerror(0), "no error");
    assert_string_equal(ecs_strerror(12), "unknown error code");
}

static void log_capture_collects_what_would_be_shown(void **state) {
    (void)state;
    ecs_log_start_capture(false);
    ecs_print(0, "hidden");
    ecs_print(-2, "#[red]one#[reset]");
    ecs_print(-3, "two");
    expect_capture("warning: one\nerror: two\n");
    assert_int_equal(seen.count, 0);
    ecs_log_start_capture(false);
    assert_null(ecs_log_stop_capture());
    assert_null(ecs_log_stop_capture());
}

static void log_capture_can_take_everything(void **state) {
    (void)state;
    ecs_log_set_level(-4);
    ecs_log_start_capture(true);
    ecs_print(3, "detail");
    ecs_parser_error(NULL, NULL, -1, "bad");
    expect_capture("info: detail\nerror: bad\n");
}

static void log_colours_become_codes_or_vanish(void **state) {
    (void)state;
    ecs_warn("#[green]go#[normal] #[what] #");
    assert_string_equal(seen.msg, "go #[what] #");
    assert_false(ecs_log_enable_colors(true));
    ecs_warn("#[green]go#[normal]");
    assert_string_equal(seen.msg, ECS_GREEN "go" ECS_NORMAL);
    assert_true(ecs_log_enable_colors(false));
}

static void log_parser_error_points_at_the_position(void **state) {
    (void)state;
    ecs_log_start_capture(false);
    ecs_parser_error("my_query", "Position, [inn] Velocity", 11, "unknown access '%s'", "inn");
    expect_capture("error: my_query: column 12: unknown access 'inn'\n"
                   "    Position, [inn] Velocity\n"
                   "               ^\n");
    ecs_log_start_capture(false);
    ecs_parser_warning(NULL, "a,\n\tb c\nd", 6, "odd");
    expect_capture("warning: line 2, column 4: odd\n"
                   "    \tb c\n"
                   "    \t  ^\n");
    ecs_log_start_capture(false);
    ecs_parser_error(NULL, "\xc3\xa4\xc3\xb6 x", 5, "after two umlauts");
    expect_capture("error: column 6: after two umlauts\n"
                   "    \xc3\xa4\xc3\xb6 x\n"
                   "       ^\n");
}

static void log_parser_error_survives_odd_positions(void **state) {
    (void)state;
    ecs_log_start_capture(false);
    ecs_parser_error(NULL, "ab", 2, "at the end");
    ecs_parser_error(NULL, "ab", 3, "behind");
    ecs_parser_error(NULL, "ab", -1, "unknown");
    ecs_parser_error(NULL, NULL, 7, "no text");
    ecs_parser_error(NULL, "", 0, "empty");
    expect_capture("error: column 3: at the end\n    ab\n      ^\n"
                   "error: behind\nerror: unknown\nerror: no text\n"
                   "error: column 1: empty\n    \n    ^\n");
    char long_text[5001];
    memset(long_text, 'x', 5000);
    long_text[5000] = '\0';
    ecs_log_start_capture(false);
    ecs_parser_error(NULL, long_text, 2500, "only a part is shown");
    char *captured = ecs_log_stop_capture();
    assert_true(strlen(captured) < 300);
    ecs_os_free(captured);
}

static void log_parser_messages_need_level_minus_two(void **state) {
    (void)state;
    ecs_log_set_level(-3);
    ecs_parser_error("x", "y", 0, "hidden");
    assert_int_equal(seen.count, 0);
    ecs_log_set_level(-2);
    ecs_parser_error("x", "y", 0, "shown");
    ecs_parser_warning("x", "y", 0, "shown");
    assert_int_equal(seen.count, 2);
}

static void log_long_messages_are_complete(void **state) {
    (void)state;
    ecs_log_start_capture(false);
    ecs_print(-2, "%5000d", 1);
    char *captured = ecs_log_stop_capture();
    assert_int_equal(strlen(captured), strlen("warning: ") + 5000 + 1);
    ecs_os_free(captured);
}

static void log_writes_lines_with_indentation(void **state) {
    (void)state;
    ecs_os_set_api_defaults();
    FILE *out = tmpfile();
    ecs_os_api.log_out_ = out;
    ecs_log_set_level(0);
    ecs_trace("outer");
    ecs_log_push();
    ecs_trace("inner");
    ecs_log_push_1();
    ecs_os_err("some/where/file.c", 12, "failed");
    ecs_log_pop_1();
    ecs_log_pop();
    ecs_log_pop();
    ecs_os_warn(NULL, 0, "no place");
    ecs_os_api.log_out_ = NULL;
    char text[256] = { 0 };
    rewind(out);
    assert_true(fread(text, 1, sizeof(text) - 1, out) > 0);
    fclose(out);
    assert_string_equal(
        text, "info: outer\ninfo: | inner\nerror: | file.c: 12: failed\nwarning: no place\n");
}

static void log_timestamps_can_be_switched_on(void **state) {
    (void)state;
    ecs_os_set_api_defaults();
    FILE *out = tmpfile();
    ecs_os_api.log_out_ = out;
    assert_false(ecs_log_enable_timestamp(true));
    assert_false(ecs_log_enable_timedelta(true));
    ecs_print(-2, "x");
    assert_true(ecs_log_enable_timestamp(false));
    assert_true(ecs_log_enable_timedelta(false));
    ecs_os_api.log_out_ = NULL;
    int delta = -1;
    long long stamp = 0;
    rewind(out);
    assert_int_equal(fscanf(out, "[+%d] [%lld] warning: x", &delta, &stamp), 2);
    fclose(out);
    assert_true(delta >= 0 && stamp > 1600000000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(log_shows_messages_up_to_its_level, setup),
        cmocka_unit_test_setup(log_last_error_is_kept_until_read, setup),
        cmocka_unit_test_setup(log_every_code_has_a_text, setup),
        cmocka_unit_test_setup(log_capture_collects_what_would_be_shown, setup),
        cmocka_unit_test_setup(log_capture_can_take_everything, setup),
        cmocka_unit_test_setup(log_colours_become_codes_or_vanish, setup),
        cmocka_unit_test_setup(log_parser_error_points_at_the_position, setup),
        cmocka_unit_test_setup(log_parser_error_survives_odd_positions, setup),
        cmocka_unit_test_setup(log_parser_messages_need_level_minus_two, setup),
        cmocka_unit_test_setup(log_long_messages_are_complete, setup),
        cmocka_unit_test_setup(log_writes_lines_with_indentation, setup),
        cmocka_unit_test_setup(log_timestamps_can_be_switched_on, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
