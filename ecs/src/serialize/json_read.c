// SPDX-License-Identifier: MIT
#include "serialize/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"

enum { MAX_DEPTH = 256 };

bool ecs__json_fail(ecs__json_t *json, const char *fmt, ...) {
    if (json->failed) return false;
    va_list args;
    va_start(args, fmt);
    ecs_parser_errorv(json->name, json->text, json->at - json->text, fmt, args);
    va_end(args);
    json->failed = true;
    return false;
}

char ecs__json_peek(ecs__json_t *json) {
    while (*json->at == ' ' || *json->at == '\n' || *json->at == '\r' || *json->at == '\t')
        json->at++;
    return json->failed ? '\0' : *json->at;
}

bool ecs__json_accept(ecs__json_t *json, char ch) {
    if (!ch || ecs__json_peek(json) != ch) return false;
    json->at++;
    return true;
}

bool ecs__json_expect(ecs__json_t *json, char ch) {
    return ecs__json_accept(json, ch) || ecs__json_fail(json, "'%c' expected", ch);
}

bool ecs__json_accept_word(ecs__json_t *json, const char *word) {
    if (ecs__json_peek(json) != *word) return false;
    size_t length = strlen(word);
    if (strncmp(json->at, word, length) != 0) return false;
    json->at += length;
    return true;
}

// ---- Strings ----

// Memory for a text, or NULL after a sentence.
static char *allocate(ecs__json_t *json, size_t length) {
    char *text = length < INT32_MAX ? ecs_os_try_malloc((ecs_size_t)length + 1) : NULL;
    if (text) return text;
    ecs_err_code(ECS_OUT_OF_MEMORY, "out of memory while reading JSON");
    json->failed = true;
    return NULL;
}

static int32_t hex_digit(char ch) {
    if (ch >= '0' && ch <= '9') return ch - '0';
    ch = (char)(ch | 0x20);
    return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : -1;
}

// The four digits of \u; -1 if they are none.
static int32_t read_code(ecs__json_t *json) {
    int32_t code = 0;
    for (int32_t i = 0; i < 4; i++) {
        int32_t digit = hex_digit(json->at[i]);
        if (digit < 0) return -1;
        code = code * 16 + digit;
    }
    json->at += 4;
    return code;
}

static void append_utf8(char **out, uint32_t code) {
    static const uint8_t lead[] = { 0x00, 0xC0, 0xE0, 0xF0 };
    int32_t more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    *(*out)++ = (char)(lead[more] | (code >> (6 * more)));
    while (more--) *(*out)++ = (char)(0x80 | ((code >> (6 * more)) & 0x3F));
}

// After "\u". Codes beyond 16 bits come as two.
static bool read_unicode(ecs__json_t *json, char **out) {
    int32_t code = read_code(json);
    if (code < 0) return ecs__json_fail(json, "four hexadecimal digits expected");
    if (code >= 0xD800 && code < 0xDC00) {
        bool has_second = json->at[0] == '\\' && json->at[1] == 'u';
        if (has_second) json->at += 2;
        int32_t low = has_second ? read_code(json) : -1;
        if (low < 0xDC00 || low > 0xDFFF) return ecs__json_fail(json, "half a character");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
        return ecs__json_fail(json, "half a character");
    }
    if (!code) return ecs__json_fail(json, "a text cannot contain the character 0");
    append_utf8(out, (uint32_t)code);
    return true;
}

static bool read_escape(ecs__json_t *json, char **out) {
    static const char escapes[] = "\"\"\\\\//b\bf\fn\nr\rt\t";
    char ch = *json->at;
    if (ch == 'u') {
        json->at++;
        return read_unicode(json, out);
    }
    for (const char *escape = escapes; ch && *escape; escape += 2) {
        if (*escape != ch) continue;
        *(*out)++ = escape[1];
        json->at++;
        return true;
    }
    return ecs__json_fail(json, "unknown escape sequence");
}

// From the opening quote to the closing one, or to the end of the text.
static size_t escaped_length(const char *at) {
    size_t length = 0;
    while (at[length] && at[length] != '"') length += at[length] == '\\' && at[length + 1] ? 2 : 1;
    return length;
}

// Behind the opening quote; some characters are escaped, and longer so.
static char *read_escaped(ecs__json_t *json) {
    char *text = allocate(json, escaped_length(json->at)), *out = text;
    if (!text) return NULL;
    bool success = true;
    while (success && *json->at != '"') {
        size_t plain = strcspn(json->at, "\"\\");
        memcpy(out, json->at, plain);
        out += plain;
        json->at += plain;
        if (!*json->at) success = ecs__json_fail(json, "the string has no end");
        if (*json->at != '\\') continue;
        json->at++;
        success = read_escape(json, &out);
    }
    if (!success) {
        ecs_os_free(text);
        return NULL;
    }
    json->at++;
    *out = '\0';
    return text;
}

char *ecs__json_string(ecs__json_t *json) {
    if (ecs__json_peek(json) != '"') {
        ecs__json_fail(json, "string expected");
        return NULL;
    }
    const char *text = ++json->at;
    const size_t plain = strcspn(text, "\"\\");
    if (text[plain] != '"') return read_escaped(json);
    char *copy = allocate(json, plain);
    if (!copy) return NULL;
    json->at += plain + 1;
    memcpy(copy, text, plain);
    copy[plain] = '\0';
    return copy;
}

// ---- Numbers ----

static const char *skip_digits(const char *at) {
    while (*at >= '0' && *at <= '9') at++;
    return at;
}

// Goes behind it.
static bool skip_number(ecs__json_t *json, bool *is_integer) {
    ecs__json_peek(json);
    const char *digits = json->at + (*json->at == '-');
    const char *end = skip_digits(digits);
    if (json->failed || end == digits) return ecs__json_fail(json, "value expected");
    *is_integer = *end != '.' && (*end | 0x20) != 'e';
    if (*end == '.') end = skip_digits(end + 1);
    if ((*end | 0x20) == 'e') {
        const char *exponent = end + 1 + (end[1] == '-' || end[1] == '+');
        end = skip_digits(exponent);
        if (end == exponent) return ecs__json_fail(json, "the number has no exponent");
    }
    json->at = end;
    return true;
}

bool ecs__json_number(ecs__json_t *json, ecs__json_number_t *number) {
    bool is_integer;
    ecs__json_peek(json);
    const char *begin = json->at;
    if (!skip_number(json, &is_integer)) return false;
    errno = 0;
    if (is_integer && *begin == '-') {
        *number = (ecs__json_number_t){ ECS__JSON_INT, { .i = strtoll(begin, NULL, 10) } };
        if (!number->as.i) is_integer = false; /* -0 */
    } else if (is_integer) {
        *number = (ecs__json_number_t){ ECS__JSON_UINT, { .u = strtoull(begin, NULL, 10) } };
    }
    if (!is_integer || errno) {
        const char *stop;
        *number = (ecs__json_number_t){ errno ? ECS__JSON_BIG : ECS__JSON_FLOAT,
            { .f = ecs__number_parse(begin, &stop) } };
        if (!isinf(number->as.f)) return true;
        json->at = begin;
        return ecs__json_fail(json, "the number is too large");
    }
    return true;
}

// ---- Objects and arrays ----

char *ecs__json_member(ecs__json_t *json, bool first) {
    if (ecs__json_accept(json, '}')) return NULL;
    if (!first && !ecs__json_expect(json, ',')) return NULL;
    char *name = ecs__json_string(json);
    if (!name || ecs__json_expect(json, ':')) return name;
    ecs_os_free(name);
    return NULL;
}

bool ecs__json_element(ecs__json_t *json, bool first) {
    if (ecs__json_accept(json, ']')) return false;
    if (first) return !json->failed;
    return ecs__json_expect(json, ',');
}

// Escapes of text that nobody reads are not looked into.
static bool skip_string(ecs__json_t *json) {
    if (!ecs__json_accept(json, '"')) return ecs__json_fail(json, "string expected");
    for (; *json->at != '"'; json->at++) {
        if (*json->at == '\\') json->at++;
        if (!*json->at) return ecs__json_fail(json, "the string has no end");
    }
    json->at++;
    return true;
}

static bool skip(ecs__json_t *json, int32_t depth);

static bool skip_object(ecs__json_t *json, int32_t depth) {
    for (bool first = true; !ecs__json_accept(json, '}'); first = false) {
        if (!first && !ecs__json_expect(json, ',')) return false;
        if (!skip_string(json) || !ecs__json_expect(json, ':')) return false;
        if (!skip(json, depth + 1)) return false;
    }
    return true;
}

static bool skip_array(ecs__json_t *json, int32_t depth) {
    for (bool first = true; ecs__json_element(json, first); first = false) {
        if (!skip(json, depth + 1)) return false;
    }
    return !json->failed;
}

static bool skip(ecs__json_t *json, int32_t depth) {
    if (depth > MAX_DEPTH) return ecs__json_fail(json, "values are nested too deeply");
    if (ecs__json_accept(json, '{')) return skip_object(json, depth);
    if (ecs__json_accept(json, '[')) return skip_array(json, depth);
    if (ecs__json_peek(json) == '"') return skip_string(json);
    bool is_integer;
    return ecs__json_accept_word(json, "true") || ecs__json_accept_word(json, "false") ||
           ecs__json_accept_word(json, "null") || skip_number(json, &is_integer);
}

bool ecs__json_skip(ecs__json_t *json) { return skip(json, 0); }
