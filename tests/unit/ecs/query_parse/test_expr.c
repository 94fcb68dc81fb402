// SPDX-License-Identifier: MIT
// Does the parser read every spelling of the language as the same terms, and refuse the rest
// without a trace?
#include "support/test.h"

#include "id/builtin.h"
#include "query/parse/expr.h"
#include "support/abort.h"
#include "support/memory.h"

static ecs__terms_t parse(const char *text) {
    ecs__terms_t terms;
    if (!ecs__expr_parse(NULL, "test", text, false, false, &terms))
        fail_msg("'%s' does not parse", text);
    return terms;
}

// ---- Comparing terms ----

static const char *trav_of(const ecs__terms_t *terms, int32_t i) {
    if (terms->texts[i].trav) return terms->texts[i].trav;
    ecs_entity_t trav = terms->array[i].trav;
    return trav == Ecs__ChildOf ? "ChildOf" : trav == Ecs__IsA ? "IsA" : "";
}

static void assert_same_ref(const ecs_term_ref_t *a, const ecs_term_ref_t *b, const char *text) {
    if (a->id != b->id)
        fail_msg("'%s': ref %llx is not %llx", text, (unsigned long long)a->id,
            (unsigned long long)b->id);
    assert_string_equal(a->name ? a->name : "", b->name ? b->name : "");
}

static void assert_same_terms(const char *text, const char *expected) {
    ecs__terms_t a = parse(text), b = parse(expected);
    assert_int_equal(a.count, b.count);
    for (int32_t i = 0; i < a.count; i++) {
        assert_same_ref(&a.array[i].src, &b.array[i].src, text);
        assert_same_ref(&a.array[i].first, &b.array[i].first, text);
        assert_same_ref(&a.array[i].second, &b.array[i].second, text);
        assert_int_equal(a.array[i].oper, b.array[i].oper);
        assert_int_equal(a.array[i].inout, b.array[i].inout);
        assert_int_equal(a.array[i].min_depth, b.array[i].min_depth);
        assert_int_equal(a.array[i].max_depth, b.array[i].max_depth);
        assert_true(a.array[i].id == b.array[i].id);
        assert_string_equal(trav_of(&a, i), trav_of(&b, i));
    }
    ecs__terms_fini(&a);
    ecs__terms_fini(&b);
}

// QL-18
static void every_expression_of_the_seeds_parses(void **state) {
    (void)state;
    static const char *const texts[] = {
#define VALID(text) text,
#define OLD(text, today) text, today,
#include "expressions.def"
#undef VALID
#undef OLD
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ecs__terms_t terms = parse(texts[i]);
        assert_true(terms.count > 0);
        ecs__terms_fini(&terms);
    }
}

// QL-07, QL-08, QL-09, QL-10, QL-11, D-04..D-25
static void older_spellings_mean_what_todays_mean(void **state) {
    (void)state;
#define VALID(text)
#define OLD(text, today) assert_same_terms(text, today);
#include "expressions.def"
#undef VALID
#undef OLD
}

static void several_spellings_are_one_term(void **state) {
    (void)state;
    static const struct {
        const char *text, *same;
    } rows[] = {
        { "Position,Velocity,", "Position, Velocity" }, /* QL-01: trailing separator */
        { "Position\nVelocity", "Position, Velocity" }, /* a line break separates */
        { "Position ,\n\n Velocity", "Position, Velocity" }, { "A\n|| B", "A || B" },
        { "A(self|up\nChildOf)\nB(cascade\n)", "A(self|up ChildOf), B(cascade)" },
        { "100, 0x64, 0b1100100", "#100, #100, #100" }, /* QL-15 */
        { "R(A, B, C)", "R(A, B), R(B, C)" },
        { "Likes($this, A || B)", "Likes($this, A) || Likes($this, B)" },
        { "(Likes, A || B), C", "(Likes, A) || (Likes, B), C" },
        { "TimeOfDay($)", "TimeOfDay(TimeOfDay)" },               /* Q-SNG-01 */
        { "TimeOfDay($this, $)", "TimeOfDay($this, TimeOfDay)" }, /* Q-SNG-02 */
        { "Position(subset)", "Position(down IsA)" },             /* QL-10 */
        { "Position(superset|self)", "Position(self|up IsA)" },
        { "Position(cascade)", "Position(up|cascade ChildOf)" },
        { "Position(Bob[up(ChildOf, 2)])", "Position(Bob|up(ChildOf, 2))" },
        { "toggle|Position", "TOGGLE | Position" }, { "and|(T, U)", "AND|(T, U)" },
        { "!{ A, B } C", "!{ A, B }, C" }, { "a\\ b", "a\\ b" }, { "__x", "$_x" }, /* D-09 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_same_terms(rows[i].text, rows[i].same);
}

// ---- Terms in detail ----

static void a_term_holds_its_access_operator_source_and_elements(void **state) {
    (void)state;
    ecs__terms_t terms = parse("[in] ?Likes(Bob|self|up Owns, $x), [out] Velocity()");
    const ecs_term_t *term = &terms.array[0];
    assert_int_equal(terms.count, 2);
    assert_int_equal(term->inout, EcsIn);
    assert_int_equal(term->oper, EcsOptional);
    assert_string_equal(term->src.name, "Bob");
    assert_true(term->src.id == (EcsSelf | EcsUp));
    assert_string_equal(terms.texts[0].trav, "Owns");
    assert_string_equal(term->first.name, "Likes");
    assert_string_equal(term->second.name, "x");
    assert_true(term->second.id == EcsIsVariable);
    assert_true(terms.array[1].src.id == EcsIsEntity); /* QL-06: no source */
    assert_int_equal(terms.array[1].inout, EcsOut);
    ecs__terms_fini(&terms);
    terms = parse("[out] (Likes, *)(), Velocity");
    assert_int_equal(terms.count, 2);
    assert_true(terms.array[0].src.id == EcsIsEntity);
    assert_true(terms.array[0].second.id == EcsWildcard);
    ecs__terms_fini(&terms);
}

// QL-12
static void comparisons_have_the_variable_as_source(void **state) {
    (void)state;
    ecs__terms_t terms = parse("$this == Foo, $x != \"a\\\"b\", $x ~= \"!sub\" || $y == $z");
    assert_true(terms.array[0].first.id == Ecs__PredEq);
    assert_true(terms.array[0].src.id == (Ecs__This | EcsIsVariable));
    assert_string_equal(terms.array[0].second.name, "Foo");
    assert_int_equal(terms.array[1].oper, EcsNot);
    assert_string_equal(terms.array[1].second.name, "a\"b");
    assert_true(terms.array[1].second.id == EcsIsName);
    assert_true(terms.array[2].first.id == Ecs__PredMatch);
    assert_int_equal(terms.array[2].oper, EcsOr);
    assert_true(terms.array[3].second.id == EcsIsVariable);
    ecs__terms_fini(&terms);
}

// QL-13
static void scopes_are_terms_that_open_and_close(void **state) {
    (void)state;
    ecs__terms_t terms = parse("Aa, !{ Bb, { Cc || Dd } }");
    static const ecs_entity_t ids[] = { 0, Ecs__ScopeOpen, 0, Ecs__ScopeOpen, 0, 0, Ecs__ScopeClose,
        Ecs__ScopeClose };
    assert_int_equal(terms.count, 8);
    for (int i = 0; i < 8; i++) assert_true(terms.array[i].first.id == ids[i]);
    assert_int_equal(terms.array[1].oper, EcsNot);
    assert_int_equal(terms.array[4].oper, EcsOr);
    ecs__terms_fini(&terms);
}

static void no_text_and_zero_are_no_terms(void **state) {
    (void)state;
    static const char *const texts[] = { "", "  ", "0", " 0\n", "// nothing" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ecs__terms_t terms = parse(texts[i]);
        assert_int_equal(terms.count, 0);
        ecs__terms_fini(&terms);
    }
    ecs__terms_t terms;
    assert_true(ecs__expr_parse(NULL, NULL, NULL, false, false, &terms));
    assert_int_equal(terms.count, 0);
}

static void names_may_hold_any_character_behind_a_backslash(void **state) {
    (void)state;
    ecs__terms_t terms = parse("my\\ name.a\\.b, \\1st(\\up)");
    assert_string_equal(terms.array[0].first.name, "my name.a\\.b");
    assert_string_equal(terms.array[1].first.name, "1st");
    assert_string_equal(terms.array[1].src.name, "up");
    ecs__terms_fini(&terms);
}

// Q-NEW-05
static void terms_of_the_array_come_before_those_of_the_text(void **state) {
    (void)state;
    char name[] = "Mass";
    ecs_query_desc_t desc = { .terms = { { .id = 20 }, { .first.name = name } },
        .expr = "Position" };
    ecs__terms_t terms;
    assert_true(ecs__query_parse(NULL, &desc, &terms));
    name[0] = '?'; /* the name was copied */
    assert_int_equal(terms.count, 3);
    assert_true(terms.array[0].id == 20);
    assert_string_equal(terms.array[1].first.name, "Mass");
    assert_int_equal(terms.texts[1].position, -1);
    assert_string_equal(terms.array[2].first.name, "Position");
    assert_int_equal(terms.texts[2].position, 0);
    ecs__terms_fini(&terms);
}

static void reading_may_end_after_the_first_term(void **state) {
    (void)state;
    ecs__terms_t terms;
    assert_true(
        ecs__expr_parse(NULL, NULL, "(Likes, Apples), and ( then { nonsense", true, false, &terms));
    assert_int_equal(terms.count, 1);
    ecs__terms_fini(&terms);
}

// ---- Errors ----

// api/04 §4 and QL-03, QL-17, Q-SCP-10
static const struct {
    const char *text;
    int32_t column;
} bad[] = {
    { "Position(", 9 },
    { "Position,, Velocity", 9 },
    { ",Position", 0 },
    { "Position Velocity", 9 },
    { "Position)", 8 },
    { "(Likes)", 6 },
    { "(Likes,)", 7 },
    { "(Likes, Apples", 14 },
    { "Likes(Bob Apples)", 10 },
    { "\"abc\"", 0 },
    { "$this == \"abc", 9 },
    { "Vec<int", 3 },
    { "Position %", 9 },
    { "#x", 0 },
    { "A || B ||", 9 },
    { "A || ", 5 },
    { "|| A", 0 },
    { "A | | B", 4 },
    { "!A || B", 3 },
    { "A || !B", 5 },
    { "A || ?B", 5 },
    { "?A || B", 3 },
    { "!?A", 1 },
    { "!!A", 1 },
    { "!and|A", 1 },
    { "A || and|B", 5 },
    { "AND |", 5 },
    { "OR |", 4 },
    { "!$this == Foo", 7 },
    { "Foo == Bar", 4 },
    { "$this ~= Foo", 9 },
    { "$this ==", 8 },
    { "$this != A || B", 11 },
    { "R(A, B || C, D)", 11 },
    { "R(A, B, C || D)", 10 },
    { "!R(A, B, C)", 7 },
    { "!R(A, B || C)", 8 },
    { "(R, A)(Bob)", 7 },
    { "Position(cascade|cascade)", 17 },
    { "[in Position", 4 },
    { "[read] Position", 1 },
    { "[] Position", 1 },
    { "[in] [out] Position", 5 },
    { "[in] { A }", 5 },
    { "}", 0 },
    { "A, }", 3 },
    { "{ A", 3 },
    { "!{ }", 3 },
    { "!{", 2 },
    { "{ ... }", 2 },
    { "{{{{{{{{A}}}}}}}}", 7 },
    { "$", 0 },
    { "$ == A", 0 },
    { "($, A)", 1 },
    { "Position($x..y)", 9 },
    { "Position($.x)", 9 },
    { "Position(up(ChildOf, 0))", 21 },
    { "Position(up(ChildOf, x))", 21 },
    { "Position(up(ChildOf, 4, 2))", 24 },
    { "Position(up(ChildOf, 99999))", 21 },
    { "Position(up())", 12 },
    { "Position(self|", 14 },
    { "Position(self|Foo)", 14 },
    { "Position(Bob|up A, X|up B)", 24 },
    { "Position[up", 11 },
    { "Position(Bob[up)", 15 },
    { "1.5", 0 },
    { "-1", 0 },
    { "(R, @)", 5 },
    { "(R, @\"x\")", 5 },
    { "12abc", 0 },
    { "A..B", 1 },
    { "A\\", 1 },
    { "$x == \"\\q\"", 6 },
};

static void bad_text_is_refused_with_position_and_nothing_stays(void **state) {
    (void)state;
    int64_t before = memory_live();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ecs__terms_t terms = { .count = 7 };
        ecs_log_last_error();
        ecs_log_start_capture(true);
        bool ok = ecs__expr_parse(NULL, "test", bad[i].text, false, false, &terms);
        char *messages = ecs_log_stop_capture();
        if (ok) fail_msg("'%s' parses", bad[i].text);
        assert_int_equal(ecs_log_last_error(), ECS_INVALID_PARAMETER);
        assert_int_equal(terms.count, 0);
        assert_null(terms.array);
        const char *caret = strrchr(messages, '^'), *line = caret;
        while (line > messages && line[-1] != '\n') line--;
        const char *text = line;
        while (strncmp(text, bad[i].text, strlen(bad[i].text)) != 0) text--;
        assert_int_equal(text[-1], ' ');
        if (caret - line - 4 != bad[i].column) { /* the text is indented by 4 */
            fail_msg("'%s': expected the caret at %d:\n%s", bad[i].text, bad[i].column, messages);
        }
        ecs_os_free(messages);
    }
    assert_int_equal(memory_live(), before);
}

static void every_beginning_of_a_text_parses_or_fails_cleanly(void **state) {
    (void)state;
    static const char text[] =
        "[in] Position($this|self|up(IsA, 1, 3)), !{ Likes(Bob[self|up], A || B) }, $x.y == \"a\\n\", ?(R, @10), and|T, "
        "Vec<int, 3>(cascade|desc ChildOf), parent.A::b\\.c($), #12(#0, *) // end\n 0x1f";
    int64_t before = memory_live();
    for (size_t length = 0; length < sizeof text; length++) {
        char copy[sizeof text];
        memcpy(copy, text, length);
        copy[length] = '\0';
        ecs__terms_t terms;
        if (ecs__expr_parse(NULL, NULL, copy, false, true, &terms)) ecs__terms_fini(&terms);
        assert_int_equal(memory_live(), before);
    }
}

static void too_many_terms_and_arguments_are_refused(void **state) {
    (void)state;
    char text[512] = "";
    for (int i = 0; i < FLECS_TERM_COUNT_MAX; i++) strcat(text, "A,");
    ecs__terms_t terms = parse(text);
    assert_int_equal(terms.count, FLECS_TERM_COUNT_MAX);
    ecs__terms_fini(&terms);
    strcat(text, "A");
    terms = parse(text); /* as ids: any number */
    assert_int_equal(terms.count, FLECS_TERM_COUNT_MAX + 1);
    ecs__terms_fini(&terms);
    expect_error(ECS_INVALID_PARAMETER, "at most 32 terms",
        ecs__query_parse(NULL, &(ecs_query_desc_t){ .expr = text }, &terms));

    strcpy(text, "R(A");
    for (int i = 0; i < FLECS_TERM_ARG_COUNT_MAX + 2; i++) strcat(text, ", A");
    strcat(text, ")");
    expect_error(ECS_INVALID_PARAMETER, "at most 18 arguments",
        ecs__expr_parse(NULL, NULL, text, false, false, &terms));
}

static void silent_failures_log_nothing(void **state) {
    (void)state;
    ecs__terms_t terms;
    ecs_log_start_capture(true);
    assert_false(ecs__expr_parse(NULL, NULL, "A,,B", false, true, &terms));
    assert_null(ecs_log_stop_capture());
}

static void parse_under_fault(void *ctx, bool will_fail) {
    (void)ctx;
    ecs__terms_t terms;
    const ecs_query_desc_t desc = { .terms = { { .first.name = "Mass" } },
        .expr = "Position, A.b($this|up Owns), !{ $x == \"text\" }, (A, B), C, D, E, F, G, H" };
    int level = ecs_log_set_level(-4);
    bool ok = ecs__query_parse(NULL, &desc, &terms);
    ecs_log_set_level(level);
    assert_true(ok == !will_fail);
    if (ok)
        ecs__terms_fini(&terms);
    else
        assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_MEMORY);
}

static void lack_of_memory_is_reported_like_bad_input(void **state) {
    (void)state;
    assert_true(memory_fault_sweep(parse_under_fault, NULL, 200) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_expression_of_the_seeds_parses),
        cmocka_unit_test(older_spellings_mean_what_todays_mean),
        cmocka_unit_test(several_spellings_are_one_term),
        cmocka_unit_test(a_term_holds_its_access_operator_source_and_elements),
        cmocka_unit_test(comparisons_have_the_variable_as_source),
        cmocka_unit_test(scopes_are_terms_that_open_and_close),
        cmocka_unit_test(no_text_and_zero_are_no_terms),
        cmocka_unit_test(names_may_hold_any_character_behind_a_backslash),
        cmocka_unit_test(terms_of_the_array_come_before_those_of_the_text),
        cmocka_unit_test(reading_may_end_after_the_first_term),
        cmocka_unit_test(bad_text_is_refused_with_position_and_nothing_stays),
        cmocka_unit_test(every_beginning_of_a_text_parses_or_fails_cleanly),
        cmocka_unit_test(too_many_terms_and_arguments_are_refused),
        cmocka_unit_test(silent_failures_log_nothing),
        cmocka_unit_test(lack_of_memory_is_reported_like_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
