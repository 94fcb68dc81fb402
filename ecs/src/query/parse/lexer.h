// SPDX-License-Identifier: MIT
// lexer: query text to tokens.
//
// A token is a piece of the text; nothing is copied. Spaces and `//` comments separate tokens and
// vanish, but a token knows whether a line break came before it, because a line break may stand for
// a comma. Paths ("a.b", "a::b", "Vec<int, 3>.x"), "#12" and "$name" are one token each. Bad
// characters give a token of kind ECS__TOK_ERROR with a sentence.
#ifndef ECS_QUERY_PARSE_LEXER_H
#define ECS_QUERY_PARSE_LEXER_H

#include <muster/ecs/base.h>

typedef enum ecs__token_kind_t {
    ECS__TOK_END,
    ECS__TOK_ERROR,
    ECS__TOK_NAME,     /* path, "#12", "*" or "_" */
    ECS__TOK_VARIABLE, /* "$name", without the $; empty for a lone "$" */
    ECS__TOK_NUMBER,
    ECS__TOK_STRING, /* with its quotes */
    ECS__TOK_COMMA,
    ECS__TOK_OR,  /* || */
    ECS__TOK_BAR, /* | */
    ECS__TOK_NOT,
    ECS__TOK_OPTIONAL,
    ECS__TOK_OPEN,
    ECS__TOK_CLOSE,
    ECS__TOK_OPEN_ACCESS,
    ECS__TOK_CLOSE_ACCESS,
    ECS__TOK_OPEN_SCOPE,
    ECS__TOK_CLOSE_SCOPE,
    ECS__TOK_EQ,    /* == */
    ECS__TOK_NEQ,   /* != */
    ECS__TOK_MATCH, /* ~= */
    ECS__TOK_VALUE, /* @ */
    ECS__TOK_COLON
} ecs__token_kind_t;

typedef struct ecs__token_t {
    ecs__token_kind_t kind;
    const char *start; /* where the token's text begins */
    int32_t length;
    bool after_newline;
    const char *error; /* what is wrong, for ECS__TOK_ERROR */
} ecs__token_t;

/** The token at or after `text`. */
ecs__token_t ecs__lex(const char *text);

/** Letters, digits and '_', whatever the locale; bytes of UTF-8 sequences count as letters. */
bool ecs__is_name_char(char c);

/** Where to go on after a token. */
static inline const char *ecs__token_end(const ecs__token_t *token) {
    return token->start + token->length;
}

/** True if the token is a name spelled like `word`, in lower or upper case throughout. */
bool ecs__token_is(const ecs__token_t *token, const char *word);

#endif
