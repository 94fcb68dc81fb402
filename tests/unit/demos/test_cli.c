// SPDX-License-Identifier: MIT
// cli: the flags of the demos, and the command lines that are refused.
#include "support/test.h"

#include <stdio.h>

// The flags belong to the demos, which need not be built for the tests to run.
#include "../../../demos/support/cli.c"

#define WORDS_LIMIT 12

// Split a command line at single spaces and parse it.
static cli_outcome_t parse(const char *line, cli_options_t *options) {
    static char text[256];
    char *words[WORDS_LIMIT + 1] = { 0 };
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word && count < WORDS_LIMIT; word = strtok(NULL, " ")) {
        words[count++] = word;
    }
    return cli_parse(count, words, "a test", options);
}

static void without_flags_everything_is_up_to_the_demo(void **state) {
    (void)state;
    cli_options_t options;
    assert_int_equal(parse("bin/life", &options), CLI_RUN);
    assert_int_equal(options.entities, 0);
    assert_int_equal(options.ticks, 0);
    assert_int_equal(options.min_workers, 0);
    assert_int_equal(options.seed, 1);
    assert_null(options.input);
    assert_false(options.check || options.json);
}

static void flags_take_values_as_next_word_or_after_an_equals_sign(void **state) {
    (void)state;
    cli_options_t options;
    assert_int_equal(parse("life --entities 12 --ticks=7 --threads 2..8 --seed=0x10 --input a.rle "
                           "--json",
                         &options),
        CLI_RUN);
    assert_int_equal(options.entities, 12);
    assert_int_equal(options.ticks, 7);
    assert_int_equal(options.min_workers, 2);
    assert_int_equal(options.max_workers, 8);
    assert_int_equal(options.seed, 16);
    assert_string_equal(options.input, "a.rle");
    assert_true(options.json);
    assert_int_equal(parse("life --check --threads 3", &options), CLI_RUN);
    assert_true(options.check);
    assert_int_equal(parse("life --trace=t.json --predict", &options), CLI_RUN);
    assert_string_equal(options.trace, "t.json");
    assert_true(options.predict);
    assert_int_equal(parse("life --check --threads 3", &options), CLI_RUN);
    assert_int_equal(options.min_workers, 3);
    assert_int_equal(options.max_workers, 3);
}

static void help_wins(void **state) {
    (void)state;
    cli_options_t options;
    assert_int_equal(parse("life --ticks 3 --help --bogus", &options), CLI_HELP);
}

static void malformed_command_lines_are_refused(void **state) {
    (void)state;
    static const char *const lines[] = {
        "life bogus",
        "life --bogus",
        "life --ticksy 3",
        "life --ticks",
        "life --ticks=",
        "life --ticks 0",
        "life --ticks -1",
        "life --ticks 3x",
        "life --ticks 2147483648",
        "life --ticks 99999999999999999999",
        "life --entities many",
        "life --threads 0",
        "life --threads 4..2",
        "life --threads 1..",
        "life --threads ..3",
        "life --threads 1..2..3",
        "life --threads 129",
        "life --seed x",
        "life --seed -1",
        "life --seed 18446744073709551616",
        "life --input",
        "life --input=",
        "life --trace=",
        "life --predict --json",
        "life --check --ticks 5",
        "life --check=yes",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        cli_options_t options;
        cli_outcome_t outcome = parse(lines[i], &options);
        if (outcome != CLI_BAD) {
            fail_msg("'%s' was accepted", lines[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_flags_everything_is_up_to_the_demo),
        cmocka_unit_test(flags_take_values_as_next_word_or_after_an_equals_sign),
        cmocka_unit_test(help_wins),
        cmocka_unit_test(malformed_command_lines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
