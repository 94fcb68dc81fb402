// SPDX-License-Identifier: MIT
// expressions: texts of queries: such as somebody thought of, terms put together, and words in any order.
#include <string.h>

#include "calls.h"

enum { LONGEST = 12, WORD = 32 };

#define ONE_OF(...) one_of((const char *const[]){ __VA_ARGS__, NULL })

static const char *one_of(const char *const *texts) {
    int count = 0;
    while (texts[count]) count++;
    return texts[input_below(count)];
}

static const char *fixed(void) {
    return ONE_OF("c0", "c1, c2", "t0 || t1", "!t0", "?c1", "(r0, *)", "(r0, $x)",
        "(r0, $x), t0($x)", "(r2, $x), (r2, $y)", "c0(up)", "c1(cascade)", "c0(self|up r4)",
        "(*, *)", "_", "*", "$this == a", "$this ~= \"a\"", "and | a", "c0, { t0 || t1 }",
        "!{ t0, t1 }", "[in] c0, [out] c1", "[none] c2", "c0(a)", "(ChildOf, a)",
        "(IsA, $b), c0($b)", "bogus", "c0(", "(", "$x", "c0, ", "", "c0(up(ChildOf, 2))",
        "t0(down)", "(r0, a)", "c3(self)", "t0, $x", "(r6, *)", "!(r6, *)", "c0($)", "c7(#300)",
        "Prefab", "?Disabled", "r0", "(r0, r1)", "?(c0, $x)", "t0($x), t1($x)", "(r0, $x), !t0($x)",
        "c0, [out] c1()", "[in] c7(up)", "(c0, *)");
}

static const char *word(void) {
    return ONE_OF("c0", "c1", "c2", "c3", "c5", "t0", "t1", "r0", "r2", "r3", "r4", "r5", "r6",
        "ChildOf", "IsA", "Prefab", "Disabled", "a", "b", "*", "_", "$x", "$y", "$this", "this",
        "up", "self", "cascade", "desc", "down", "trav", "in", "out", "inout", "none", "and", "or",
        "not", "(", ")", "[", "]", "{", "}", ",", "||", "!", "?", "|", "==", "!=", "~=", "\"a\"",
        "\"!a\"", "#300", "#", "1", "-1", "0", ":", ".", "$", "flecs.core.Name", "Identifier",
        "OneOf", "With", "\n", " ", "//x", "c0(", "(r0,", "c0(up", "x:", "99999999999999999999",
        "\"", "'");
}

static const char *small(void) {
    return ONE_OF("c0", "c1", "c2", "c3", "c5", "t0", "t1", "t2", "t3", "r0");
}

static const char *related(void) {
    return ONE_OF(
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "ChildOf", "IsA", "*", "_", "$r", "c0");
}

static const char *target(void) {
    return ONE_OF("*", "_", "$x", "$y", "a", "b", "$this", "t0", "c1");
}

static const char *source(void) {
    return ONE_OF("($x)", "($y)", "(a)", "(b)", "(up)", "(self|up)", "(cascade)", "(up r4)",
        "(self)", "(c0)", "(up IsA)", "(#300)", "(0)", "($this)", "(cascade r4)", "(up|desc)",
        "(down)", "(c0(up))");
}

static void add_pair(char *text, const char *begin, const char *first, const char *between) {
    strcat(strcat(strcat(text, begin), first), between);
    strcat(strcat(text, target()), ")");
}

static void add_term(char *text) {
    if (!input_below(3)) strcat(text, ONE_OF("!", "?", "[in] ", "[out] "));
    switch (input_below(4)) {
    case 0: strcat(text, small()); break;
    case 1: add_pair(text, "(", related(), ","); break;
    case 2: strcat(strcat(text, small()), source()); break;
    default: add_pair(text, related(), ONE_OF("($x", "($this", "(a", "($y"), ",");
    }
}

const char *draw_expr(void) {
    static _Thread_local char texts[DEEPEST + 1][LONGEST * WORD];
    char *text = texts[cast.depth];
    text[0] = '\0';
    switch (input_below(8)) {
    case 0:
        for (int i = input_below(LONGEST); i >= 0; i--) strcat(strcat(text, word()), " ");
        return text;
    case 1:
    case 2:
    case 3:
        for (int i = input_below(4); i >= 0; i--) {
            add_term(text);
            if (i) strcat(text, input_below(8) ? ", " : " || ");
        }
        return text;
    default: return fixed();
    }
}
