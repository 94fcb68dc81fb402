// SPDX-License-Identifier: MIT
// strbuf: growth, formats, lists and ownership.
#include "support/test.h"

#include <math.h>
#include <muster/ecs/ds/strbuf.h>

static void expect(ecs_strbuf_t *buf, const char *text) {
    assert_string_equal(ecs_strbuf_str(buf), text);
    char *result = ecs_strbuf_get(buf);
    assert_string_equal(result, text);
    ecs_os_free(result);
}

static void strbuf_appends_all_kinds(void **state) {
    (void)state;
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_strbuf_append(&buf, "%s-%d", "a", 1);
    ecs_strbuf_appendstr(&buf, " str");
    ecs_strbuf_appendstrn(&buf, " cutoff", 4);
    ecs_strbuf_appendch(&buf, '!');
    ecs_strbuf_appendint(&buf, INT64_MIN);
    ecs_strbuf_appendbool(&buf, true);
    ecs_strbuf_appendbool(&buf, false);
    ecs_strbuf_appendlit(&buf, " lit");
    expect(&buf, "a-1 str cut!-9223372036854775808truefalse lit");
}

static void strbuf_grows_beyond_the_small_string(void **state) {
    (void)state;
    for (int piece = 1; piece < 700; piece += 37) { /* cross the limit at many offsets */
        ecs_strbuf_t buf = ECS_STRBUF_INIT;
        int length = 0;
        while (length < 3000) {
            ecs_strbuf_append(&buf, "%*d", piece, length % 10);
            length += piece;
            ecs_strbuf_appendch(&buf, 'x');
            length++;
            assert_int_equal(ecs_strbuf_written(&buf), length);
        }
        char *text = ecs_strbuf_get(&buf);
        assert_int_equal(strlen(text), length);
        assert_int_equal(text[length - 1], 'x');
        ecs_os_free(text);
    }
}

static void strbuf_empty_gives_null(void **state) {
    (void)state;
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    assert_null(ecs_strbuf_get(&buf));
    assert_string_equal(ecs_strbuf_str(&buf), "");
    ecs_strbuf_appendstr(&buf, "gone");
    ecs_strbuf_reset(&buf);
    assert_null(ecs_strbuf_get(&buf));
    ecs_strbuf_appendstr(&buf, "again");
    assert_string_equal(ecs_strbuf_get_small(&buf), "again");
    assert_int_equal(ecs_strbuf_written(&buf), 0);
}

static void expect_float(double v, const char *text) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_strbuf_appendflt(&buf, v, '"');
    expect(&buf, text);
}

static void strbuf_floats_are_short_and_exact(void **state) {
    (void)state;
    expect_float(10, "10");
    expect_float(10.5, "10.5");
    expect_float(-0.1, "-0.1");
    expect_float(0, "0");
    expect_float(1.0 / 3, "0.3333333333333333");
    expect_float(0.1 + 0.2, "0.30000000000000004");
    expect_float(5e-324, "\"4.94065645841247e-324\"");
    expect_float(1e15, "\"1e15\"");
    expect_float(1.98855e30, "\"1.98855e30\"");
    expect_float(1e-7, "\"1e-7\"");
    expect_float(1e100, "\"1e100\"");
    expect_float(NAN, "\"NaN\"");
    expect_float(INFINITY, "\"Inf\"");
    expect_float(-INFINITY, "\"-Inf\"");
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_strbuf_appendflt(&buf, NAN, 0);
    expect(&buf, "NaN");
}

static void strbuf_lists_nest(void **state) {
    (void)state;
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_strbuf_list_push(&buf, "[", ", ");
    ecs_strbuf_list_append(&buf, "%d", 1);
    ecs_strbuf_list_next(&buf);
    ecs_strbuf_list_push(&buf, "{", ";");
    ecs_strbuf_list_appendstr(&buf, "a");
    ecs_strbuf_list_appendstrn(&buf, "bcd", 1);
    ecs_strbuf_list_pop(&buf, "}");
    ecs_strbuf_list_appendch(&buf, 'z');
    ecs_strbuf_list_appendlit(&buf, "end");
    ecs_strbuf_list_pop(&buf, "]");
    expect(&buf, "[1, {a;b}, z, end]");
}

static void strbuf_merge_moves_the_text(void **state) {
    (void)state;
    ecs_strbuf_t a = ECS_STRBUF_INIT, b = ECS_STRBUF_INIT;
    ecs_strbuf_appendstr(&a, "one ");
    ecs_strbuf_append(&b, "%600d", 2);
    ecs_strbuf_mergebuff(&a, &b);
    assert_int_equal(ecs_strbuf_written(&b), 0);
    assert_int_equal(ecs_strbuf_written(&a), 604);
    ecs_strbuf_mergebuff(&a, &b);
    assert_int_equal(ecs_strbuf_written(&a), 604);
    ecs_strbuf_reset(&a);
}

static void strbuf_does_not_leak(void **state) {
    (void)state;
    int64_t live = ecs_os_api_malloc_count + ecs_os_api_calloc_count - ecs_os_api_free_count;
    strbuf_grows_beyond_the_small_string(state);
    strbuf_merge_moves_the_text(state);
    assert_int_equal(
        ecs_os_api_malloc_count + ecs_os_api_calloc_count - ecs_os_api_free_count, live);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strbuf_appends_all_kinds),
        cmocka_unit_test(strbuf_grows_beyond_the_small_string),
        cmocka_unit_test(strbuf_empty_gives_null),
        cmocka_unit_test(strbuf_floats_are_short_and_exact),
        cmocka_unit_test(strbuf_lists_nest),
        cmocka_unit_test(strbuf_merge_moves_the_text),
        cmocka_unit_test(strbuf_does_not_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
