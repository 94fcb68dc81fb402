// SPDX-License-Identifier: MIT
// strbuf: builds strings; see strbuf.h for the contract.
//
// Invariant: text lies in small_string while content is NULL, else in content (size bytes, heap),
// and is terminated once anything was appended. No pointer leads into the struct, so it may be
// copied.
#include <math.h>
#include <muster/ecs/ds/strbuf.h>
#include <stdlib.h>
#include "base/assert.h"
#include "base/number.h"

static char *text_of(ecs_strbuf_t *buf) { return buf->content ? buf->content : buf->small_string; }

// Room for `added` more bytes and the terminator; returns where they go.
static char *reserve(ecs_strbuf_t *buf, int32_t added) {
    int32_t capacity = buf->content ? buf->size : ECS_STRBUF_SMALL_STRING_SIZE;
    if (added >= capacity - buf->length) {
        ecs_always_assert(added < INT32_MAX / 2 - buf->length, ECS_OUT_OF_RANGE,
            "a string of %d bytes cannot grow by %d", buf->length, added);
        int32_t size = ECS_MAX(capacity * 2, buf->length + added + 1);
        char *content = ecs_os_realloc(buf->content, size);
        if (!buf->content) {
            ecs_os_memcpy(content, buf->small_string, buf->length);
        }
        buf->content = content;
        buf->size = size;
    }
    return text_of(buf) + buf->length;
}

void ecs_strbuf_appendstrn(ecs_strbuf_t *buf, const char *str, int32_t n) {
    ECS__NEED(buf && (str || !n));
    char *out = reserve(buf, n);
    if (n) { /* else str may be NULL */
        ecs_os_memcpy(out, str, n);
    }
    out[n] = '\0';
    buf->length += n;
}

void ecs_strbuf_appendstr(ecs_strbuf_t *buf, const char *str) {
    ECS__NEED(str);
    ecs_strbuf_appendstrn(buf, str, ecs_os_strlen(str));
}

void ecs_strbuf_appendch(ecs_strbuf_t *buf, char ch) {
    ECS__NEED(buf);
    char *out = reserve(buf, 1);
    out[0] = ch;
    out[1] = '\0';
    buf->length++;
}

void ecs_strbuf_vappend(ecs_strbuf_t *buf, const char *fmt, va_list args) {
    ECS__NEED(buf);
    va_list again;
    va_copy(again, args);
    int32_t capacity = buf->content ? buf->size : ECS_STRBUF_SMALL_STRING_SIZE;
    char *out = text_of(buf) + buf->length;
    int length = vsnprintf(out, (size_t)(capacity - buf->length), fmt, args);
    if (length >= capacity - buf->length) {
        out = reserve(buf, length);
        vsnprintf(out, (size_t)length + 1, fmt, again);
    }
    if (length > 0) {
        buf->length += length;
    }
    va_end(again);
}

void ecs_strbuf_append(ecs_strbuf_t *buf, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_strbuf_vappend(buf, fmt, args);
    va_end(args);
}

void ecs_strbuf_appendbool(ecs_strbuf_t *buf, bool v) {
    ecs_strbuf_appendstr(buf, v ? "true" : "false");
}

// Bring printf's form into ours: "1,5e+09" becomes "1.5e9".
static void normalize_float(char *str) {
    char *out = str;
    for (const char *in = str; *in; in++) {
        *out++ = *in == ',' ? '.' : *in; /* the decimal comma of a locale */
        if (*in == 'e') {
            if (in[1] == '-') {
                *out++ = '-';
            }
            in++;
            while (in[1] == '0' && in[2]) {
                in++;
            }
        }
    }
    *out = '\0';
}

// Shortest of 15, 16 or 17 digits that reads back as the same number.
static void print_float(char *out, size_t size, double v) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, size, "%.*g", digits, v);
        if (digits == 17 || strtod(out, NULL) == v) {
            break;
        }
    }
    normalize_float(out);
}

// Most numbers in data are whole: they need no search for digits.
static bool is_whole(double v) {
    return v > -1e15 && v < 1e15 && v == (double)(int64_t)v && (v != 0 || !signbit(v));
}

// From the last digit on. No point: -1 places behind it.
static void append_decimal(ecs_strbuf_t *buf, int64_t digits, int places) {
    char text[24], *at = text + sizeof text;
    uint64_t left = digits < 0 ? -(uint64_t)digits : (uint64_t)digits;
    for (int count = 0; !count || left || count <= places; count++, left /= 10) {
        if (count == places) *--at = '.';
        *--at = (char)('0' + left % 10);
    }
    if (digits < 0) *--at = '-';
    ecs_strbuf_appendstrn(buf, at, (int32_t)(text + sizeof text - at));
}

void ecs_strbuf_appendint(ecs_strbuf_t *buf, int64_t v) { append_decimal(buf, v, -1); }

void ecs_strbuf_appendflt(ecs_strbuf_t *buf, double v, char nan_delim) {
    int64_t digits;
    int places;
    if (is_whole(v)) {
        ecs_strbuf_appendint(buf, (int64_t)v);
        return;
    }
    if (ecs__number_decimal(v, &digits, &places)) {
        append_decimal(buf, digits, places);
        return;
    }
    char number[40];
    const char *text = number;
    if (isnan(v)) {
        text = "NaN";
    } else if (isinf(v)) {
        text = v < 0 ? "-Inf" : "Inf";
    } else {
        print_float(number, sizeof(number), v);
    }
    bool is_delimited = nan_delim && strpbrk(text, "NIe");
    if (is_delimited) {
        ecs_strbuf_appendch(buf, nan_delim);
    }
    ecs_strbuf_appendstr(buf, text);
    if (is_delimited) {
        ecs_strbuf_appendch(buf, nan_delim);
    }
}

void ecs_strbuf_mergebuff(ecs_strbuf_t *buf, ecs_strbuf_t *src) {
    ECS__NEED(src);
    ecs_strbuf_appendstrn(buf, text_of(src), src->length);
    ecs_strbuf_reset(src);
}

void ecs_strbuf_list_push(ecs_strbuf_t *buf, const char *list_open, const char *separator) {
    ECS__NEED(buf);
    ecs_check(buf->list_sp < ECS_STRBUF_MAX_LIST_DEPTH, ECS_OUT_OF_RANGE,
        "lists are nested deeper than %d", ECS_STRBUF_MAX_LIST_DEPTH);
    buf->list_stack[++buf->list_sp] = (ecs_strbuf_list_elem){ .separator = separator };
    if (list_open) {
        ecs_strbuf_appendstr(buf, list_open);
    }
error:
    return;
}

void ecs_strbuf_list_pop(ecs_strbuf_t *buf, const char *list_close) {
    ECS__NEED(buf);
    ecs_check(buf->list_sp > 0, ECS_INVALID_OPERATION, "no list is open");
    buf->list_sp--;
    if (list_close) {
        ecs_strbuf_appendstr(buf, list_close);
    }
error:
    return;
}

void ecs_strbuf_list_next(ecs_strbuf_t *buf) {
    ECS__NEED(buf);
    ecs_strbuf_list_elem *list = &buf->list_stack[buf->list_sp];
    if (list->count++ && list->separator) {
        ecs_strbuf_appendstr(buf, list->separator);
    }
}

void ecs_strbuf_list_append(ecs_strbuf_t *buf, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_strbuf_list_next(buf);
    ecs_strbuf_vappend(buf, fmt, args);
    va_end(args);
}

void ecs_strbuf_list_appendstr(ecs_strbuf_t *buf, const char *str) {
    ecs_strbuf_list_next(buf);
    ecs_strbuf_appendstr(buf, str);
}

void ecs_strbuf_list_appendstrn(ecs_strbuf_t *buf, const char *str, int32_t n) {
    ecs_strbuf_list_next(buf);
    ecs_strbuf_appendstrn(buf, str, n);
}

void ecs_strbuf_list_appendch(ecs_strbuf_t *buf, char ch) {
    ecs_strbuf_list_next(buf);
    ecs_strbuf_appendch(buf, ch);
}

// Forget the text without freeing it.
static void forget(ecs_strbuf_t *buf) {
    buf->content = NULL;
    buf->length = buf->size = 0;
    buf->list_sp = 0;
    buf->list_stack[0] = (ecs_strbuf_list_elem){ .count = 0 };
}

char *ecs_strbuf_get(ecs_strbuf_t *buf) {
    ECS__NEED_OR(buf, NULL);
    char *result = buf->content;
    if (!result && buf->length) {
        result = ecs_os_memdup(buf->small_string, buf->length + 1);
    }
    forget(buf);
    return result;
}

char *ecs_strbuf_get_small(ecs_strbuf_t *buf) {
    ECS__NEED_OR(buf, NULL);
    ecs_check(!buf->content, ECS_OUT_OF_RANGE,
        "the string is longer than %d bytes; use ecs_strbuf_get", ECS_STRBUF_SMALL_STRING_SIZE);
    buf->small_string[buf->length] = '\0';
    forget(buf);
    return buf->small_string;
error:
    return NULL;
}

void ecs_strbuf_reset(ecs_strbuf_t *buf) {
    ECS__NEED(buf);
    ecs_os_free(buf->content);
    forget(buf);
}

int32_t ecs_strbuf_written(const ecs_strbuf_t *buf) {
    ECS__NEED_OR(buf, 0);
    return buf->length;
}

const char *ecs_strbuf_str(const ecs_strbuf_t *buf) {
    ECS__NEED_OR(buf, NULL);
    return !buf->length ? "" : buf->content ? buf->content : buf->small_string;
}
