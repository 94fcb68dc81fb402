// SPDX-License-Identifier: MIT
// string helpers: formatting, escapes and names.
#include "support/test.h"

#include <muster/ecs/ds/strbuf.h>

static void expect(char *result, const char *text) {
    assert_string_equal(result, text);
    ecs_os_free(result);
}

static void string_asprintf_formats_any_length(void **state) {
    (void)state;
    expect(flecs_asprintf("%s %d", "x", 5), "x 5");
    expect(flecs_asprintf("%s", ""), "");
    char *text = flecs_asprintf("%5000d", 1);
    assert_int_equal(strlen(text), 5000);
    ecs_os_free(text);
}

static void string_names_are_converted(void **state) {
    (void)state;
    expect(flecs_to_snake_case("MyModule"), "my_module");
    expect(flecs_to_snake_case("x"), "x");
    expect(flecs_to_snake_case(""), "");
    expect(flecs_module_path_from_c("MyModule"), "my.module");
    expect(flecs_module_path_from_c("MyGreatModule"), "my.great.module");
}

static void string_escapes_round_trip(void **state) {
    (void)state;
    for (int ch = 1; ch < 256; ch++) {
        char in[2] = { (char)ch, 0 }, parsed;
        char *escaped = flecs_astresc('"', in);
        const char *end = flecs_chrparse(escaped, &parsed);
        assert_non_null(end);
        assert_int_equal(*end, 0);
        assert_int_equal(parsed, in[0]);
        ecs_os_free(escaped);
    }
    expect(flecs_astresc('"', "a\"b'c\n\\"), "a\\\"b'c\\n\\\\");
    assert_null(flecs_astresc('"', NULL));
    char zero[3], parsed = 'x'; /* is no part of a string, but of a character */
    assert_ptr_equal(flecs_chresc(zero, '\0', '"'), zero + 2);
    assert_string_equal(zero, "\\0");
    assert_non_null(flecs_chrparse(zero, &parsed));
    assert_int_equal(parsed, 0);
}

static void string_invalid_escapes_are_refused(void **state) {
    (void)state;
    char ch;
    assert_null(flecs_chrparse("\\q", &ch));
    assert_null(flecs_chrparse("\\", &ch));
    assert_null(flecs_chrparse("\\x1", &ch));
    assert_null(flecs_chrparse("\\xg0", &ch));
    assert_null(flecs_chrparse("", &ch));
}

static void string_escape_stops_at_the_end_of_the_buffer(void **state) {
    (void)state;
    char out[6];
    assert_int_equal(flecs_stresc(out, 6, '"', "ab\ncdef"), 8);
    assert_string_equal(out, "ab\\nc");
    assert_int_equal(flecs_stresc(out, 4, '"', "ab\ncdef"), 8);
    assert_string_equal(out, "ab"); /* an escape is not cut in half */
    assert_int_equal(flecs_stresc(out, 1, '"', "a"), 1);
    assert_string_equal(out, "");
    assert_int_equal(flecs_stresc(out, 6, '"', ""), 0);
    assert_string_equal(out, "");
    assert_int_equal(flecs_stresc(NULL, 0, '"', "\""), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(string_asprintf_formats_any_length),
        cmocka_unit_test(string_names_are_converted),
        cmocka_unit_test(string_escapes_round_trip),
        cmocka_unit_test(string_invalid_escapes_are_refused),
        cmocka_unit_test(string_escape_stops_at_the_end_of_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
