// SPDX-License-Identifier: MIT
// string: formatting, escaping and renaming of strings; declared in strbuf.h.
#include <ctype.h>
#include <muster/ecs/ds/strbuf.h>
#include "base/assert.h"

// Escapes with a letter of their own.
static const char escaped_chars[] = "\a\b\f\n\r\t\v\\\x1b";
static const char escape_letters[] = "abfnrtv\\e";

char *flecs_vasprintf(const char *fmt, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    char *result = NULL;
    if (length >= 0) {
        result = ecs_os_malloc(length + 1);
        vsnprintf(result, (size_t)length + 1, fmt, again);
    }
    va_end(again);
    return result;
}

char *flecs_asprintf(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *result = flecs_vasprintf(fmt, args);
    va_end(args);
    return result;
}

char *flecs_chresc(char *out, char in, char delimiter) {
    ECS__NEED_OR(out, NULL);
    const char *found = in ? strchr(escaped_chars, in) : NULL;
    if (found) {
        *out++ = '\\';
        *out++ = escape_letters[found - escaped_chars];
    } else if (delimiter && in == delimiter) {
        *out++ = '\\';
        *out++ = delimiter;
    } else if (in == '\0') {
        *out++ = '\\';
        *out++ = '0';
    } else if ((unsigned char)in < 0x20 || in == 0x7f) {
        *out++ = '\\';
        *out++ = 'x';
        *out++ = "0123456789abcdef"[in >> 4];
        *out++ = "0123456789abcdef"[in & 15];
    } else {
        *out++ = in;
    }
    *out = '\0';
    return out;
}

static int hex_digit(char ch) {
    const char *digits = "0123456789abcdef";
    const char *found = ch ? strchr(digits, tolower((unsigned char)ch)) : NULL;
    return found ? (int)(found - digits) : -1;
}

const char *flecs_chrparse(const char *in, char *out) {
    ECS__NEED_OR(in && out, NULL);
    if (*in != '\\') {
        *out = *in;
        return *in ? in + 1 : NULL;
    }
    char letter = in[1];
    const char *found = letter ? strchr(escape_letters, letter) : NULL;
    if (found) {
        *out = escaped_chars[found - escape_letters];
    } else if (letter == '"' || letter == '\'') {
        *out = letter;
    } else if (letter == '0') {
        *out = '\0';
    } else if (letter == 'x' && hex_digit(in[2]) >= 0 && hex_digit(in[3]) >= 0) {
        *out = (char)(hex_digit(in[2]) << 4 | hex_digit(in[3]));
        return in + 4;
    } else {
        return NULL;
    }
    return in + 2;
}

ecs_size_t flecs_stresc(char *out, ecs_size_t size, char delimiter, const char *in) {
    ECS__NEED_OR(in, 0);
    ecs_size_t written = 0;
    bool is_full = !out;
    if (out && size > 0) out[0] = '\0';
    for (; *in; in++) {
        char buf[8];
        ecs_size_t length = (ecs_size_t)(flecs_chresc(buf, *in, delimiter) - buf);
        is_full = is_full || written + length >= size;
        if (!is_full) {
            ecs_os_memcpy(out + written, buf, length);
            out[written + length] = '\0';
        }
        written += length;
    }
    return written;
}

char *flecs_astresc(char delimiter, const char *in) {
    if (!in) {
        return NULL;
    }
    ecs_size_t size = flecs_stresc(NULL, 0, delimiter, in) + 1;
    char *out = ecs_os_malloc(size);
    flecs_stresc(out, size, delimiter, in);
    return out;
}

// Lower case, with `separator` in front of every upper-case letter but the first.
static char *split_words(const char *str, char separator) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    for (const char *ch = str; *ch; ch++) {
        bool is_upper = isupper((unsigned char)*ch);
        if (is_upper && ch != str) {
            ecs_strbuf_appendch(&buf, separator);
        }
        ecs_strbuf_appendch(&buf, is_upper ? (char)tolower((unsigned char)*ch) : *ch);
    }
    char *result = ecs_strbuf_get(&buf);
    return result ? result : ecs_os_strdup("");
}

char *flecs_to_snake_case(const char *str) {
    ECS__NEED_OR(str, NULL);
    return split_words(str, '_');
}

char *flecs_module_path_from_c(const char *c_name) {
    ECS__NEED_OR(c_name, NULL);
    return split_words(c_name, '.');
}
