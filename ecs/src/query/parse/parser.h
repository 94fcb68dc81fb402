// SPDX-License-Identifier: MIT
// parser: the state shared by the sources that turn tokens into terms (expr.c, ref.c).
//
// Functions return false after the first error, which has been reported then; callers return false
// in turn.
#ifndef ECS_QUERY_PARSE_PARSER_H
#define ECS_QUERY_PARSE_PARSER_H

#include "query/parse/expr.h"
#include "query/parse/lexer.h"

typedef struct ecs__parser_t {
    const ecs_world_t *world; /* NULL: no entity is known */
    const char *name, *expr;  /* for messages */
    ecs__token_t token;       /* the next one to be read */
    ecs__terms_t *terms;
    int32_t scope_depth;
    int32_t open; /* parentheses */
    bool silent;
    bool facts;    /* text as data: sources behind pairs */
    bool is_query; /* there are not more terms than a query may have */
} ecs__parser_t;

/** A term being read. */
typedef struct ecs__draft_t {
    ecs_term_t term;
    ecs__term_text_t text;
} ecs__draft_t;

bool ecs__parser_fail(const ecs__parser_t *parser, const char *at, const char *fmt, ...)
    ECS_PRINTF_LIKE(3, 4);
/** The next token is not what was expected. */
bool ecs__parser_expected(const ecs__parser_t *parser, const char *what);
void ecs__parser_next(ecs__parser_t *parser);
/** Read the next token if it is of this kind. */
bool ecs__parser_take(ecs__parser_t *parser, ecs__token_kind_t kind);
bool ecs__parser_need(ecs__parser_t *parser, ecs__token_kind_t kind, const char *what);
/** A copy of a text that lives as long as the terms; NULL when there is no memory (reported). */
char *ecs__parser_keep(const ecs__parser_t *parser, const char *text, int32_t length);

/** True if a backslash at `ptr` stays in a name that is read: it protects a separator from lookup, or the
 * first character from being taken for the mark of a number, variable or value. */
bool ecs__keeps_backslash(const char *name, const char *ptr);
/** What to look up for the name of a ref: without the backslash that protects a '$' or '@' in front. */
const char *ecs__name_in_ref(const char *name);

/** Whole numbers from 0 to `max`, in base 10, 16 (0x) or 2 (0b). */
bool ecs__read_integer(const char *digits, uint64_t max, uint64_t *out);
/** ref = name | "$name" | number | "*" | "_" */
bool ecs__parse_ref(ecs__parser_t *parser, ecs_term_ref_t *out);
/** True for a word of traversal: self, up, cascade, … */
bool ecs__is_walk(const ecs__token_t *token);
/** True for a word that means something in front of a '|': and, toggle, … */
bool ecs__is_mark(const ecs__token_t *token);
/** words = word { "|" word } [ relationship ]; flags go to `ref`, the relationship and depths to
 * the draft. */
bool ecs__parse_traversal(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *ref);
/** [ "|" words | "[" words "]" ] behind a ref */
bool ecs__parse_ref_flags(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *ref);
/** Text of a string token, without quotes and escapes. */
bool ecs__parse_string(ecs__parser_t *parser, const char **out);

#endif
