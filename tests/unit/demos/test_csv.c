// SPDX-License-Identifier: MIT
// csv and bodies: tables that must be read, and files that must be refused with file, line and
// column.
#include "support/test.h"

#include <stdio.h>
#include <string.h>

// The readers belong to the demos, which need not be built for the tests to run.
#include "../../../demos/support/bodies.c"
#include "../../../demos/support/csv.c"
#include "../../../demos/support/input.c"

static void reads_fields_and_skips_comments(void **state) {
    (void)state;
    static const char text[] = "# a table\n\nname,mass\r\n Sun , 1.5e3 \n#x\n\nEarth,-2\n";
    char name[8];
    double mass;
    input_t input;
    input_from_text(&input, "t.csv", text, strlen(text));
    assert_true(csv_header(&input, "name,mass"));
    assert_true(csv_row(&input));
    assert_true(csv_text(&input, "name", name, sizeof name));
    assert_string_equal(name, "Sun");
    assert_true(csv_number(&input, "mass", &mass) && csv_end(&input));
    assert_true(mass == 1500);
    assert_true(csv_row(&input));
    assert_true(csv_text(&input, "name", name, sizeof name));
    assert_true(csv_number(&input, "mass", &mass) && csv_end(&input));
    assert_true(mass == -2);
    assert_false(csv_row(&input));
    assert_string_equal(input.error, "");
}

static void empty_fields_keep_their_place(void **state) {
    (void)state;
    static const char text[] = "a,b,c\n,,x\n,,\n";
    char a[4], b[4], c[4];
    input_t input;
    input_from_text(&input, "t.csv", text, strlen(text));
    assert_true(csv_header(&input, "a,b,c"));
    assert_true(csv_row(&input));
    assert_true(csv_text(&input, "a", a, 4) && csv_text(&input, "b", b, 4) &&
                csv_text(&input, "c", c, 4) && csv_end(&input));
    assert_string_equal(a, "");
    assert_string_equal(b, "");
    assert_string_equal(c, "x");
    assert_true(csv_row(&input));
    assert_true(
        csv_text(&input, "a", a, 4) && csv_text(&input, "b", b, 4) && csv_text(&input, "c", c, 4));
    assert_string_equal(c, "");
}

#define HEAD BODIES_COLUMNS "\n"
#define SUN "Sun,,1e11,0,0,0,0,0,0,0\n"
#define EARTH "Earth,Sun,4e5,1.5e8,0,0,0,30,0,365.25\n"

static void reads_a_family_of_bodies(void **state) {
    (void)state;
    static const char text[] = HEAD SUN EARTH "Moon,Earth,4903,0,4e5,0,-1,0,0,27.3\n";
    bodies_t bodies;
    input_t input;
    input_from_text(&input, "s.csv", text, strlen(text));
    assert_true(bodies_read(&input, &bodies));
    assert_int_equal(bodies.count, 3);
    assert_int_equal(bodies.at[0].parent, -1);
    assert_int_equal(bodies.at[1].parent, 0);
    assert_int_equal(bodies.at[2].parent, 1);
    assert_string_equal(bodies.at[2].name, "Moon");
    assert_true(bodies.at[2].position_km[1] == 4e5);
    assert_true(bodies.at[1].velocity_km_s[1] == 30);
}

static void the_root_is_put_where_the_centre_of_mass_rests(void **state) {
    (void)state;
    bodies_t bodies = { .count = 3,
        .at = { { .parent = -1, .gm_km3_s2 = 6 },
            { .parent = 0, .gm_km3_s2 = 3, .position_km = { 10 }, .velocity_km_s = { 0, 1 } },
            { .parent = 1, .gm_km3_s2 = 1, .position_km = { 0, 10 } } } };
    bodies_centre(&bodies);
    assert_true(fabs(bodies.at[0].position_km[0] + 4) < 1e-12);
    assert_true(fabs(bodies.at[0].position_km[1] + 1) < 1e-12);
    assert_true(fabs(bodies.at[0].velocity_km_s[1] + 0.4) < 1e-12);
}

typedef struct {
    const char *text, *error;
} fault_t;

static const fault_t faults[] = {
    // Truncated.
    { "", "s.csv:1:1: the header row is missing; it must be " BODIES_COLUMNS },
    { "# nothing\n", "s.csv:2:1: the header row is missing; it must be " BODIES_COLUMNS },
    { "name,parent,gm", "s.csv:1:15: the header row must be " BODIES_COLUMNS },
    { BODIES_COLUMNS, "s.csv:1:70: the file ends without a line end; it may have been cut off" },
    { BODIES_COLUMNS ",more\n", "s.csv:1:70: the header row must be " BODIES_COLUMNS },
    { HEAD, "s.csv:2:1: there is no body in this file" },
    { HEAD "Sun", "s.csv:2:4: the row ends before the column parent" },
    { HEAD "Sun,,1e11,0,0,0,0\n", "s.csv:2:18: the row ends before the column vy_km_s" },
    { HEAD "Sun,,1e11,0,0,0,0,\n", "s.csv:2:19: vy_km_s is empty; a number is needed" },
    { HEAD "Sun,,1e11,0,0,0,0,0,0,0,0\n", "s.csv:2:25: the row has more fields than the header" },
    { HEAD "Sun,,1e11,0,0,0,0,0,0,0,\n", "s.csv:2:25: the row has more fields than the header" },
    { HEAD "Sun,,1e11,0,0,0,0,0,0,36",
        "s.csv:2:25: the file ends without a line end; it may have been cut off" },
    // Numbers.
    { HEAD SUN "Earth,Sun,4e5,1.5e8,0,zero,0,30,0,0\n",
        "s.csv:3:23: 'zero' is not a number z_km can have" },
    { HEAD "Sun,,12x,0,0,0,0,0,0,0\n", "s.csv:2:6: '12x' is not a number gm_km3_s2 can have" },
    { HEAD "Sun,,0x10,0,0,0,0,0,0,0\n", "s.csv:2:6: '0x10' is not a number gm_km3_s2 can have" },
    { HEAD "Sun,,nan,0,0,0,0,0,0,0\n", "s.csv:2:6: 'nan' is not a number gm_km3_s2 can have" },
    { HEAD "Sun,,inf,0,0,0,0,0,0,0\n", "s.csv:2:6: 'inf' is not a number gm_km3_s2 can have" },
    { HEAD "Sun,,1e999,0,0,0,0,0,0,0\n", "s.csv:2:6: '1e999' is not a number gm_km3_s2 can have" },
    { HEAD "Sun,,1 2,0,0,0,0,0,0,0\n", "s.csv:2:6: '1 2' is not a number gm_km3_s2 can have" },
    { HEAD "Sun,,111111111111111111111111111111111111111111111111111111111111111111,0\n",
        "s.csv:2:6: gm_km3_s2 is longer than 63 characters" },
    // Meaning.
    { HEAD ",,1e11,0,0,0,0,0,0,0\n", "s.csv:2:1: : the name is empty" },
    { HEAD SUN SUN, "s.csv:3:1: Sun: there is a body of this name already" },
    { HEAD SUN "Two,,1e11,0,0,0,0,0,0,0\n",
        "s.csv:3:1: Two: only the first body can be without a parent" },
    { HEAD EARTH, "s.csv:2:1: Earth: the parent is not among the rows above" },
    { HEAD SUN EARTH "M,Earth,1,1,1,1,1,1,1,0\nN,M,1,1,1,1,1,1,1,0\n",
        "s.csv:5:1: N: moons have no moons here" },
    { HEAD "Sun,,-1,0,0,0,0,0,0,0\n",
        "s.csv:2:1: Sun: gm_km3_s2 must be positive and period_d not negative" },
    { HEAD SUN "Earth,Sun,4e5,0,0,0,0,30,0,0\n",
        "s.csv:3:1: Earth: the body lies in the centre of its parent" },
    { HEAD "A name that is much too long for us,,1,0,0,0,0,0,0,0\n",
        "s.csv:2:1: name is longer than 31 characters" },
};

static void a_malformed_table_is_refused_with_line_and_column(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        bodies_t bodies;
        input_t input;
        input_from_text(&input, "s.csv", faults[i].text, strlen(faults[i].text));
        assert_false(bodies_read(&input, &bodies));
        assert_string_equal(input.error, faults[i].error);
    }
}

static void a_zero_byte_is_refused(void **state) {
    (void)state;
    static const char text[] = HEAD "Sun,,1\0,0,0,0,0,0,0,0\n";
    bodies_t bodies;
    input_t input;
    input_from_text(&input, "s.csv", text, sizeof text - 1);
    assert_false(bodies_read(&input, &bodies));
    assert_string_equal(input.error, "s.csv:2:7: gm_km3_s2 contains a zero byte");
}

static void too_many_bodies_are_refused(void **state) {
    (void)state;
    char text[BODIES_LIMIT * 40 + 200] = HEAD SUN;
    for (int32_t i = 1; i <= BODIES_LIMIT; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "P%d,Sun,1,%d,0,0,0,1,0,0\n", (int)i, (int)i);
    }
    bodies_t bodies;
    input_t input;
    input_from_text(&input, "s.csv", text, strlen(text));
    assert_false(bodies_read(&input, &bodies));
    assert_string_equal(input.error, "s.csv:66:1: there are more than 64 bodies");
}

static void only_whole_lines_make_a_table(void **state) {
    (void)state;
    static const char text[] = "# x\n" HEAD SUN EARTH;
    for (size_t size = 0; size < sizeof text - 1; size++) {
        bodies_t bodies;
        input_t input;
        input_from_text(&input, "s.csv", text, size);
        bool has_sun = size >= strlen("# x\n" HEAD SUN);
        bool is_whole = has_sun && text[size - 1] == '\n';
        assert_int_equal(bodies_read(&input, &bodies), is_whole);
        assert_int_equal(input.error[0] == '\0', is_whole);
    }
}

static void a_missing_file_is_refused(void **state) {
    (void)state;
    input_t input;
    assert_false(input_open(&input, "no/such/file.csv"));
    assert_string_equal(input.error, "no/such/file.csv: No such file or directory");
    input_close(&input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_fields_and_skips_comments),
        cmocka_unit_test(empty_fields_keep_their_place),
        cmocka_unit_test(reads_a_family_of_bodies),
        cmocka_unit_test(the_root_is_put_where_the_centre_of_mass_rests),
        cmocka_unit_test(a_malformed_table_is_refused_with_line_and_column),
        cmocka_unit_test(a_zero_byte_is_refused),
        cmocka_unit_test(too_many_bodies_are_refused),
        cmocka_unit_test(only_whole_lines_make_a_table),
        cmocka_unit_test(a_missing_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
