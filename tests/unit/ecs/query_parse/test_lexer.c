// SPDX-License-Identifier: MIT
// Does the lexer cut query text where the language says, and say what is wrong with what it cannot
// read?
#include "support/test.h"

#include <string.h>
#include <stdio.h>

#include "query/parse/lexer.h"

// Tokens of a text joined by spaces; the kind's number in front of each.
static void assert_tokens(const char *text, const char *expected) {
    char seen[512] = "";
    int length = 0;
    for (ecs__token_t token = ecs__lex(text); token.kind != ECS__TOK_END;
         token = ecs__lex(ecs__token_end(&token))) {
        assert_int_not_equal(token.kind, ECS__TOK_ERROR);
        length += snprintf(seen + length, sizeof seen - (size_t)length, "%s%.*s", length ? " " : "",
            token.length, token.start);
    }
    assert_string_equal(seen, expected);
}

static void text_is_cut_into_tokens(void **state) {
    (void)state;
    assert_tokens("", "");
    assert_tokens(" \t\r\n", "");
    assert_tokens("Position,Velocity", "Position , Velocity");
    assert_tokens("a.b::c(up)", "a.b::c ( up )");
    assert_tokens("parent:my_widget", "parent : my_widget");
    assert_tokens("A||!B|self", "A || ! B | self");
    assert_tokens("$x==$y.z,$!=\"a b\"", "x == y.z ,  != \"a b\"");
    assert_tokens("Vec<Pair<a, b>>.x.*, *", "Vec<Pair<a, b>>.x.* , *");
    assert_tokens("a\\.b\\ c#12", "a\\.b\\ c #12");
    assert_tokens("#12.child @-1.5e3 0x1F 0b10 7", "#12.child @ -1.5e3 0x1F 0b10 7");
    assert_tokens("\xc3\xa4\xc3\xb6", "\xc3\xa4\xc3\xb6");
}

// QL-02
static void comments_are_ignored_up_to_the_end_of_their_line(void **state) {
    (void)state;
    assert_tokens("A // , B\n, C // D", "A , C");
    assert_tokens("// only this", "");
}

static void a_dot_without_a_name_behind_it_ends_the_path(void **state) {
    (void)state;
    ecs__token_t token = ecs__lex("a..b");
    assert_int_equal(token.length, 1);
    token = ecs__lex(ecs__token_end(&token));
    assert_int_equal(token.kind, ECS__TOK_ERROR);
}

static void a_token_knows_whether_a_line_break_came_before_it(void **state) {
    (void)state;
    assert_false(ecs__lex("  A").after_newline);
    assert_true(ecs__lex(" \n A").after_newline);
    assert_true(ecs__lex("// c\nA").after_newline);
}

static void bad_characters_are_errors_with_a_sentence(void **state) {
    (void)state;
    static const char *const bad[] = {
        "\"abc",
        "\"abc\\",
        "Vec<int",
        "#",
        "#x",
        "$.x",
        "$x.",
        "$x..y",
        "0x",
        "0bz",
        "-",
        "12abc",
        "\\",
        "%",
        "&",
        "=",
        "~",
        ".",
        "\x01",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ecs__token_t token = ecs__lex(bad[i]);
        if (token.kind != ECS__TOK_ERROR) fail_msg("'%s' is no error", bad[i]);
        assert_non_null(token.error);
    }
}

// Found by fuzzing: what is printed with escapes must be short enough to be read again.
static void escapes_count_as_the_characters_they_mean(void **state) {
    (void)state;
    char text[4 * 255 + 3] = "\"";
    for (int i = 0; i < 255; i++) strcat(text, "\\x18");
    strcat(text, "\"");
    assert_int_equal(ecs__lex(text).kind, ECS__TOK_STRING);
    assert_int_equal(ecs__lex(text).length, 4 * 255 + 2);
}

static void a_token_of_256_bytes_is_too_long(void **state) {
    (void)state;
    char text[300];
    memset(text, 'a', sizeof text);
    text[255] = '\0';
    assert_int_equal(ecs__lex(text).length, 255);
    text[255] = 'a';
    text[256] = '\0';
    assert_int_equal(ecs__lex(text).kind, ECS__TOK_ERROR);
}

static void words_are_recognised_in_lower_and_upper_case(void **state) {
    (void)state;
    ecs__token_t lower = ecs__lex("and"), upper = ecs__lex("AND"), mixed = ecs__lex("And"),
                 longer = ecs__lex("andy");
    assert_true(ecs__token_is(&lower, "and"));
    assert_true(ecs__token_is(&upper, "and"));
    assert_false(ecs__token_is(&mixed, "and"));
    assert_false(ecs__token_is(&longer, "and"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_cut_into_tokens),
        cmocka_unit_test(comments_are_ignored_up_to_the_end_of_their_line),
        cmocka_unit_test(a_dot_without_a_name_behind_it_ends_the_path),
        cmocka_unit_test(a_token_knows_whether_a_line_break_came_before_it),
        cmocka_unit_test(bad_characters_are_errors_with_a_sentence),
        cmocka_unit_test(escapes_count_as_the_characters_they_mean),
        cmocka_unit_test(a_token_of_256_bytes_is_too_long),
        cmocka_unit_test(words_are_recognised_in_lower_and_upper_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
