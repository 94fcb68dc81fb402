// SPDX-License-Identifier: MIT
// rle: patterns that must be read, and files that must be refused with file, line and column.
#include "support/test.h"

#include <string.h>

// The readers belong to the demos, which need not be built for the tests to run.
#include "../../../demos/support/input.c"
#include "../../../demos/support/rle.c"

static bool read_text(const char *text, size_t size, rle_pattern_t *pattern, input_t *input) {
    input_from_text(input, "p.rle", text, size);
    return rle_read(input, pattern);
}

static void assert_cells(const char *text, const rle_cell_t *cells, int32_t count) {
    rle_pattern_t pattern;
    input_t input;
    if (!read_text(text, strlen(text), &pattern, &input)) {
        fail_msg("%s", input.error);
    }
    assert_int_equal(pattern.count, count);
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(pattern.cells[i].x, cells[i].x);
        assert_int_equal(pattern.cells[i].y, cells[i].y);
    }
    rle_free(&pattern);
}

static void reads_runs_rows_and_comments(void **state) {
    (void)state;
    static const rle_cell_t r_pentomino[] = { { 1, 0 }, { 2, 0 }, { 0, 1 }, { 1, 1 }, { 1, 2 } };
    assert_cells("#N R-pentomino\n#C x\nx = 3, y = 3, rule = B3/S23\nb2o$2o$bo!\n", r_pentomino, 5);
    assert_cells("x=3,y=3\nb2o$\n2o$b\no!", r_pentomino, 5);
    assert_cells("\r\nx = 3, y = 3\r\nb2o$2o$bo!\r\n", r_pentomino, 5);
    assert_cells(
        "x = 3, y = 3, rule = 23/3\nb2o$2ob$bo$! what follows is no pattern", r_pentomino, 5);
}

static void skips_rows_with_a_counted_dollar(void **state) {
    (void)state;
    static const rle_cell_t cells[] = { { 0, 0 }, { 11, 4 } };
    assert_cells("x = 12, y = 5\no4$11bo!", cells, 2);
}

static void a_pattern_without_live_cells_is_empty(void **state) {
    (void)state;
    assert_cells("x = 3, y = 1\n3b!", NULL, 0);
}

typedef struct {
    const char *text, *error;
} fault_t;

static const fault_t faults[] = {
    // Truncated.
    { "", "p.rle:1:1: expected 'x'; a header looks like x = 3, y = 3, rule = B3/S23" },
    { "#C only a comment",
        "p.rle:1:18: expected 'x'; a header looks like x = 3, y = 3, rule = B3/S23" },
    { "x = 3", "p.rle:1:6: expected ','; a header looks like x = 3, y = 3, rule = B3/S23" },
    { "x = 3, y = ", "p.rle:1:12: a number is missing for y" },
    { "x = 3, y = 3", "p.rle:1:13: the header line must end here" },
    { "x = 3, y = 3\nb2o$2", "p.rle:2:6: the file ends before the '!' that ends the pattern" },
    { "x = 3, y = 3\nb2o\n", "p.rle:3:1: the file ends before the '!' that ends the pattern" },
    // Characters and numbers.
    { "x = 3, y = 3\nb2o$2q$bo!",
        "p.rle:2:6: 'q' is not part of a pattern; use b, o, $, ! and numbers" },
    { "x = 3, y = 3\nb\001!",
        "p.rle:2:2: byte 1 is not part of a pattern; use b, o, $, ! and numbers" },
    { "x = 3, y = 3\nb3!", "p.rle:2:3: '!' is not part of a pattern; use b, o, $, ! and numbers" },
    { "x = -3, y = 3\n!", "p.rle:1:5: a number is missing for x" },
    { "x = three, y = 3\n!", "p.rle:1:5: a number is missing for x" },
    { "x = 0, y = 3\n!", "p.rle:1:1: x must be at least 1" },
    { "x = 3, z = 3\n!",
        "p.rle:1:8: expected 'y'; a header looks like x = 3, y = 3, rule = B3/S23" },
    { "x = 3, y = 3, rule = B36/S23\n!", "p.rle:1:22: only the rule B3/S23 is known here" },
    { "x = 3, y = 3, rule = B3456789012345678\n!",
        "p.rle:1:22: only the rule B3/S23 is known here" },
    { "x = 3, y = 3, role = B3/S23\n!", "p.rle:1:19: expected the word rule" },
    // More than was announced, and more than fits.
    { "x = 3, y = 3\nb2o$4o!", "p.rle:2:6: row 2 is longer than x = 3" },
    { "x = 3, y = 3\nb2ob!", "p.rle:2:4: row 1 is longer than x = 3" },
    { "x = 3, y = 1\n3o$o!", "p.rle:2:4: there are more rows than y = 1" },
    { "x = 3, y = 2\n9$!", "p.rle:2:2: there are more rows than y = 2" },
    { "x = 1000001, y = 3\n!", "p.rle:1:5: x is larger than 1000000" },
    { "x = 99999999999999999999, y = 3\n!", "p.rle:1:5: x is larger than 1000000" },
    { "x = 3, y = 3\n4294967299o!", "p.rle:2:1: the run is larger than 1000000" },
};

static void a_malformed_pattern_is_refused_with_line_and_column(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        rle_pattern_t pattern;
        input_t input;
        assert_false(read_text(faults[i].text, strlen(faults[i].text), &pattern, &input));
        assert_string_equal(input.error, faults[i].error);
        assert_null(pattern.cells);
    }
}

static void a_pattern_with_too_many_cells_is_refused(void **state) {
    (void)state;
    char text[512] = "x = 1000000, y = 20\n";
    for (int32_t i = 0; i < 11; i++) {
        strcat(text, "1000000o$");
    }
    rle_pattern_t pattern;
    input_t input;
    assert_false(read_text(text, strlen(text), &pattern, &input));
    assert_string_equal(input.error, "p.rle:2:98: the pattern has more than 10000000 live cells");
}

static void every_prefix_of_a_pattern_is_refused(void **state) {
    (void)state;
    static const char text[] = "x = 3, y = 3, rule = B3/S23\nb2o$2o$bo!";
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        rle_pattern_t pattern;
        input_t input;
        bool whole = text[size] == '\0';
        assert_int_equal(read_text(text, size, &pattern, &input), whole);
        rle_free(&pattern);
    }
}

static void a_missing_file_is_refused(void **state) {
    (void)state;
    input_t input;
    assert_false(input_open(&input, "no/such/file.rle"));
    assert_string_equal(input.error, "no/such/file.rle: No such file or directory");
    input_close(&input);
}

static void a_folder_is_refused(void **state) {
    (void)state;
    input_t input;
    assert_false(input_open(&input, "."));
    assert_string_equal(input.error, ".: Is a directory");
    input_close(&input);
}

static void a_huge_file_is_refused(void **state) {
    (void)state;
    input_t input;
    assert_false(input_open(&input, "/dev/zero"));
    assert_string_equal(input.error, "/dev/zero: the file is larger than 64 MiB");
    input_close(&input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_runs_rows_and_comments),
        cmocka_unit_test(skips_rows_with_a_counted_dollar),
        cmocka_unit_test(a_pattern_without_live_cells_is_empty),
        cmocka_unit_test(a_malformed_pattern_is_refused_with_line_and_column),
        cmocka_unit_test(a_pattern_with_too_many_cells_is_refused),
        cmocka_unit_test(every_prefix_of_a_pattern_is_refused),
        cmocka_unit_test(a_missing_file_is_refused),
        cmocka_unit_test(a_folder_is_refused),
        cmocka_unit_test(a_huge_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
