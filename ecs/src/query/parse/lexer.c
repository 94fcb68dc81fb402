// SPDX-License-Identifier: MIT
// lexer: query text to tokens.
#include "query/parse/lexer.h"

// <ctype.h> follows the locale of the program; the language does not.
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
bool ecs__is_name_char(char c) { return is_letter(c) || is_digit(c); }
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static ecs__token_t make_token(ecs__token_kind_t kind, const char *start, size_t length) {
    return (ecs__token_t){ .kind = kind, .start = start, .length = (int32_t)length };
}

static ecs__token_t make_error(const char *at, const char *sentence) {
    return (ecs__token_t){ .kind = ECS__TOK_ERROR, .start = at, .error = sentence };
}

static ecs__token_t finish(ecs__token_kind_t kind, const char *start, const char *end) {
    if (end - start >= ECS_MAX_TOKEN_SIZE)
        return make_error(start, "this token is longer than 255 bytes");
    return make_token(kind, start, (size_t)(end - start));
}

// End of a balanced <…>, NULL if it never closes.
static const char *skip_brackets(const char *ptr) {
    for (int32_t depth = 0; *ptr; ptr++) {
        if (*ptr == '<') depth++;
        if (*ptr == '>' && --depth == 0) return ptr + 1;
    }
    return NULL;
}

// A separator belongs to a path only when something follows it: "a..b" and "a." end behind the
// a.
static bool continues_path(const char *after) {
    return ecs__is_name_char(*after) || *after == '\\' || *after == '*';
}

static ecs__token_t lex_name(const char *start) {
    const char *ptr = start;
    for (;;) {
        if (ecs__is_name_char(*ptr)) {
            ptr++;
        } else if (*ptr == '\\') {
            if (!ptr[1]) return make_error(ptr, "a backslash needs a character behind it");
            ptr += 2;
        } else if (*ptr == '<') {
            const char *end = skip_brackets(ptr);
            if (!end) return make_error(ptr, "this '<' has no matching '>'");
            ptr = end;
        } else if (*ptr == '.' && ptr[1] == '*') {
            ptr += 2;
            break;
        } else if (*ptr == '.' && continues_path(ptr + 1)) {
            ptr++;
        } else if (*ptr == ':' && ptr[1] == ':' && continues_path(ptr + 2)) {
            ptr += 2;
        } else {
            break;
        }
    }
    return finish(ECS__TOK_NAME, start, ptr);
}

static ecs__token_t lex_hash_id(const char *start) {
    const char *ptr = start + 1;
    if (!is_digit(*ptr)) return make_error(start, "digits are missing after '#'");
    while (is_digit(*ptr)) ptr++;
    if (*ptr == '.' && continues_path(ptr + 1)) {
        ecs__token_t rest = lex_name(ptr + 1);
        if (rest.kind == ECS__TOK_ERROR) return rest;
        ptr = ecs__token_end(&rest);
    }
    return finish(ECS__TOK_NAME, start, ptr);
}

static ecs__token_t lex_variable(const char *start) {
    const char *ptr = start + 1;
    if (*ptr == '.') return make_error(start, "a variable name cannot start with '.'");
    while (ecs__is_name_char(*ptr) || *ptr == '.') {
        if (*ptr == '.' && !ecs__is_name_char(ptr[1])) {
            return make_error(start, "a variable name cannot end with '.' or contain '..'");
        }
        ptr++;
    }
    return finish(ECS__TOK_VARIABLE, start + 1, ptr);
}

static bool is_digit_of(char c, int base) {
    if (base == 2) return c == '0' || c == '1';
    return is_digit(c) || (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

static const char *skip_decimal(const char *ptr) {
    while (is_digit(*ptr)) ptr++;
    if (*ptr == '.' && is_digit(ptr[1])) {
        for (ptr++; is_digit(*ptr);) ptr++;
    }
    if (*ptr != 'e' && *ptr != 'E') return ptr;
    const char *digits = ptr + 1 + (ptr[1] == '-' || ptr[1] == '+');
    if (!is_digit(*digits)) return ptr;
    while (is_digit(*digits)) digits++;
    return digits;
}

static ecs__token_t lex_number(const char *start) {
    const char *ptr = start + (*start == '-');
    if (!is_digit(*ptr)) return make_error(start, "digits are missing after '-'");
    int base = ptr[0] != '0' ? 10 : ptr[1] == 'x' ? 16 : ptr[1] == 'b' ? 2 : 10;
    if (base == 10) {
        ptr = skip_decimal(ptr);
    } else {
        ptr += 2;
        if (!is_digit_of(*ptr, base)) return make_error(start, "digits are missing in this number");
        while (is_digit_of(*ptr, base)) ptr++;
    }
    if (ecs__is_name_char(*ptr)) return make_error(start, "this is neither a number nor a name");
    return finish(ECS__TOK_NUMBER, start, ptr);
}

// Its length counts as it is meant, an escape as one character: what is printed with escapes must be
// short enough to be read again.
static ecs__token_t lex_string(const char *start) {
    const char *ptr = start + 1;
    int32_t length = 0;
    for (; *ptr && *ptr != '"'; length++) {
        if (*ptr != '\\' || !ptr[1])
            ptr++;
        else
            ptr += ptr[1] == 'x' && ptr[2] && ptr[3] && ptr[2] != '"' && ptr[3] != '"' ? 4 : 2;
    }
    if (!*ptr) return make_error(start, "this string has no closing quote");
    if (length >= ECS_MAX_TOKEN_SIZE)
        return make_error(start, "this string is longer than 255 bytes");
    return make_token(ECS__TOK_STRING, start, (size_t)(ptr + 1 - start));
}

// Two-character symbols come before the one-character symbols they begin with.
static const struct {
    char text[3];
    uint8_t length;
    ecs__token_kind_t kind;
} symbols[] = {
    { "||", 2, ECS__TOK_OR },
    { "==", 2, ECS__TOK_EQ },
    { "!=", 2, ECS__TOK_NEQ },
    { "~=", 2, ECS__TOK_MATCH },
    { "|", 1, ECS__TOK_BAR },
    { ",", 1, ECS__TOK_COMMA },
    { "!", 1, ECS__TOK_NOT },
    { "?", 1, ECS__TOK_OPTIONAL },
    { "(", 1, ECS__TOK_OPEN },
    { ")", 1, ECS__TOK_CLOSE },
    { "[", 1, ECS__TOK_OPEN_ACCESS },
    { "]", 1, ECS__TOK_CLOSE_ACCESS },
    { "{", 1, ECS__TOK_OPEN_SCOPE },
    { "}", 1, ECS__TOK_CLOSE_SCOPE },
    { "@", 1, ECS__TOK_VALUE },
    { ":", 1, ECS__TOK_COLON },
    { "*", 1, ECS__TOK_NAME },
};

static ecs__token_t lex_symbol(const char *start) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (!strncmp(start, symbols[i].text, symbols[i].length)) {
            return make_token(symbols[i].kind, start, symbols[i].length);
        }
    }
    return make_error(start, "this character has no meaning here");
}

static const char *skip_blanks(const char *text, bool *newline) {
    *newline = false;
    for (;; text++) {
        if (text[0] == '/' && text[1] == '/') {
            while (*text && *text != '\n') text++;
        }
        if (!is_space(*text)) return text;
        if (*text == '\n') *newline = true;
    }
}

static ecs__token_t lex_at(const char *start) {
    if (!*start) return make_token(ECS__TOK_END, start, 0);
    if (is_letter(*start) || *start == '\\') return lex_name(start);
    if (*start == '#') return lex_hash_id(start);
    if (*start == '$') return lex_variable(start);
    if (is_digit(*start) || *start == '-') return lex_number(start);
    if (*start == '"') return lex_string(start);
    return lex_symbol(start);
}

ecs__token_t ecs__lex(const char *text) {
    bool newline;
    const char *start = skip_blanks(text, &newline);
    ecs__token_t token = lex_at(start);
    token.after_newline = newline;
    return token;
}

bool ecs__token_is(const ecs__token_t *token, const char *word) {
    size_t length = strlen(word);
    if (token->kind != ECS__TOK_NAME || (size_t)token->length != length) return false;
    if (!strncmp(token->start, word, length)) return true;
    for (size_t i = 0; i < length; i++) {
        char upper = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 'a' + 'A' : word[i]);
        if (token->start[i] != upper) return false;
    }
    return true;
}
