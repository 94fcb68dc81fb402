// SPDX-License-Identifier: MIT
// log: formats messages, filters them by level, and hands them to a capture or to ecs_os_api.log_.
//
// A message passes four steps: level filter, printf, colour markers, then the thread's capture if
// there is one, else log_. Failed checks come through here too and end in abort_ (see log.h).
// Threads: any; the only shared state written here is the last error and the time of the last
// message.
#include "base/log.h"

#include <muster/ecs/ds/strbuf.h>
#include <time.h>
#include "base/atomics.h"

#define CARET_LINE_MAX 100 /* characters of user text shown around an error */

typedef struct ecs__log_capture_t {
    ecs_strbuf_t text;
    bool is_greedy; /* also take what the level would drop */
} ecs__log_capture_t;

static _Thread_local ecs__log_capture_t *capture;
static _Thread_local ecs__log_note_t current_note;
static uint32_t aborts;

static const struct {
    const char *marker;
    const char *code;
} colors[] = {
    { "#[grey]", ECS_GREY },
    { "#[red]", ECS_RED },
    { "#[green]", ECS_GREEN },
    { "#[yellow]", ECS_YELLOW },
    { "#[blue]", ECS_BLUE },
    { "#[magenta]", ECS_MAGENTA },
    { "#[cyan]", ECS_CYAN },
    { "#[white]", ECS_WHITE },
    { "#[bold]", ECS_BOLD },
    { "#[black]", ECS_BLACK },
    { "#[normal]", ECS_NORMAL },
    { "#[reset]", ECS_NORMAL },
};

const char *ecs_strerror(int32_t error_code) {
    switch (error_code) {
    case 0: return "no error";
#define ERROR_NAME(code, name, text) \
    case ECS_##name: return #name;
        ECS_ERROR_LIST(ERROR_NAME)
#undef ERROR_NAME
    default: return "unknown error code";
    }
}

static const char *error_text(int32_t error_code) {
    switch (error_code) {
#define ERROR_TEXT(code, name, text) \
    case ECS_##name: return text;
        ECS_ERROR_LIST(ERROR_TEXT)
#undef ERROR_TEXT
    default: return "unknown error code";
    }
}

// ---- Settings ----

int ecs_log_set_level(int level) {
    int previous = ecs_os_api.log_level_;
    ecs_os_api.log_level_ = level;
    return previous;
}

int ecs_log_get_level(void) { return ecs_os_api.log_level_; }

static bool set_flag(ecs_flags32_t flag, bool enabled) {
    bool previous = ECS_BIT_IS_SET(ecs_os_api.flags_, flag);
    ECS_BIT_COND(ecs_os_api.flags_, flag, enabled);
    return previous;
}

bool ecs_log_enable_colors(bool enabled) { return set_flag(EcsOsApiLogWithColors, enabled); }

bool ecs_log_enable_timestamp(bool enabled) { return set_flag(EcsOsApiLogWithTimeStamp, enabled); }

bool ecs_log_enable_timedelta(bool enabled) { return set_flag(EcsOsApiLogWithTimeDelta, enabled); }

void ecs__log_set_last_error(int32_t code) {
    ecs__store_32((uint32_t *)&ecs_os_api.log_last_error_, (uint32_t)code);
}

int ecs_log_last_error(void) {
    int code = (int)ecs__load_32((const uint32_t *)&ecs_os_api.log_last_error_);
    ecs__log_set_last_error(0);
    return code;
}

bool ecs_should_log(int32_t level) {
    return level <= ecs_os_api.log_level_ || (capture && capture->is_greedy);
}

void ecs_log_push_(int32_t level) {
    if (level <= ecs_os_api.log_level_) {
        ecs_os_api.log_indent_++;
    }
}

void ecs_log_pop_(int32_t level) {
    if (level <= ecs_os_api.log_level_ && ecs_os_api.log_indent_ > 0) {
        ecs_os_api.log_indent_--;
    }
}

// ---- Output ----

static const char *level_name(int32_t level) {
    return level >= -1 ? "info" : level == -2 ? "warning" : level == -3 ? "error" : "fatal";
}

static const char *level_color(int32_t level) {
    return level >= -1 ? ECS_MAGENTA : level == -2 ? ECS_YELLOW : ECS_RED;
}

static void append_source(ecs_strbuf_t *buf, int32_t level, const char *file, int32_t line) {
    if (file && level <= -2) {
        const char *slash = strrchr(file, '/');
        ecs_strbuf_append(buf, "%s: %d: ", slash ? slash + 1 : file, line);
    }
}

static void append_time(ecs_strbuf_t *buf) {
    if (!(ecs_os_api.flags_ & (EcsOsApiLogWithTimeStamp | EcsOsApiLogWithTimeDelta))) {
        return;
    }
    int64_t now = (int64_t)time(NULL);
    uint64_t *last = (uint64_t *)&ecs_os_api.log_last_timestamp_;
    int64_t previous = (int64_t)ecs__load_64(last);
    ecs__store_64(last, (uint64_t)now);
    if (ecs_os_api.flags_ & EcsOsApiLogWithTimeDelta) {
        ecs_strbuf_append(buf, "[+%02d] ", previous ? (int)(now - previous) : 0);
    }
    if (ecs_os_api.flags_ & EcsOsApiLogWithTimeStamp) {
        ecs_strbuf_append(buf, "[%lld] ", (long long)now);
    }
}

void ecs__log_write(int32_t level, const char *file, int32_t line, const char *msg) {
    bool has_colors = ECS_BIT_IS_SET(ecs_os_api.flags_, EcsOsApiLogWithColors);
    ecs_strbuf_t prefix = ECS_STRBUF_INIT;
    append_time(&prefix);
    if (has_colors) {
        ecs_strbuf_appendstr(&prefix, level_color(level));
    }
    ecs_strbuf_append(&prefix, "%s%s: ", level_name(level), has_colors ? ECS_NORMAL : "");
    for (int32_t i = 0; i < ecs_os_api.log_indent_; i++) {
        ecs_strbuf_appendlit(&prefix, "| ");
    }
    append_source(&prefix, level, file, line);
    FILE *out = ecs_os_api.log_out_ ? (FILE *)ecs_os_api.log_out_ : level >= 0 ? stdout : stderr;
    fprintf(out, "%s%s\n", ecs_strbuf_str(&prefix), msg); /* one call: threads do not mix */
    ecs_strbuf_reset(&prefix);
}

// Replace "#[red]" and so on by escape codes, or drop them. Other text in #[] stays.
static void append_colored(ecs_strbuf_t *buf, const char *msg, bool has_colors) {
    while (*msg) {
        const char *mark = strstr(msg, "#[");
        if (!mark) {
            break;
        }
        ecs_strbuf_appendstrn(buf, msg, (int32_t)(mark - msg));
        msg = mark;
        for (size_t i = 0; i < sizeof(colors) / sizeof(colors[0]); i++) {
            size_t length = strlen(colors[i].marker);
            if (!strncmp(mark, colors[i].marker, length)) {
                ecs_strbuf_appendstr(buf, has_colors ? colors[i].code : "");
                msg += length;
                break;
            }
        }
        if (msg == mark) {
            ecs_strbuf_appendch(buf, *msg++);
        }
    }
    ecs_strbuf_appendstr(buf, msg);
}

static void deliver(int32_t level, const char *file, int32_t line, const char *msg) {
    if (!capture) {
        if (ecs_os_api.log_) ecs_os_api.log_(level, file, line, msg);
        return;
    }
    ecs_strbuf_append(&capture->text, "%s: ", level_name(level));
    append_source(&capture->text, level, file, line);
    ecs_strbuf_appendstr(&capture->text, msg);
    ecs_strbuf_appendch(&capture->text, '\n');
}

ecs__log_note_t ecs__log_note(ecs__log_note_t note) {
    ecs__log_note_t previous = current_note;
    current_note = note;
    return previous;
}

ecs__log_note_t ecs__log_noted(void) { return current_note; }

// Writing a note may log, too.
static void append_note(ecs_strbuf_t *text) {
    ecs__log_note_t note = ecs__log_note((ecs__log_note_t){ NULL });
    if (note.write) note.write(note.who, text);
    ecs__log_note(note);
}

void ecs_logv_(int32_t level, const char *file, int32_t line, const char *fmt, va_list args) {
    if (!ecs_should_log(level)) {
        return;
    }
    ecs_strbuf_t raw = ECS_STRBUF_INIT, colored = ECS_STRBUF_INIT;
    if (fmt) {
        ecs_strbuf_vappend(&raw, fmt, args);
    }
    if (level <= -3) append_note(&raw);
    append_colored(&colored, ecs_strbuf_str(&raw),
        !capture && ECS_BIT_IS_SET(ecs_os_api.flags_, EcsOsApiLogWithColors));
    deliver(level, file, line, ecs_strbuf_str(&colored));
    ecs_strbuf_reset(&raw);
    ecs_strbuf_reset(&colored);
}

void ecs_log_(int32_t level, const char *file, int32_t line, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_logv_(level, file, line, fmt, args);
    va_end(args);
}

void ecs_err_code_(int32_t code, const char *file, int32_t line, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_logv_(-3, file, line, fmt, args);
    va_end(args);
    ecs__log_set_last_error(code);
}

void ecs_log_start_capture(bool capture_try) {
    if (!capture) {
        capture = ecs_os_calloc_t(ecs__log_capture_t);
    }
    capture->is_greedy = capture_try;
}

char *ecs_log_stop_capture(void) {
    ecs__log_capture_t *finished = capture;
    if (!finished) {
        return NULL;
    }
    capture = NULL;
    char *text = ecs_strbuf_get(&finished->text);
    ecs_os_free(finished);
    return text;
}

// ---- Checks ----

void ecs_assert_failed_(int32_t level, int32_t code, const char *condition, const char *file,
    int32_t line, const char *fmt, ...) {
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    if (fmt) {
        va_list args;
        va_start(args, fmt);
        ecs_strbuf_vappend(&text, fmt, args);
        va_end(args);
    } else {
        ecs_strbuf_appendstr(&text, error_text(code));
    }
    ecs_strbuf_append(&text, " (%s", ecs_strerror(code));
    if (condition) {
        ecs_strbuf_append(&text, ", failed check: %s", condition);
    }
    ecs_strbuf_appendch(&text, ')');
    ecs_log_(level, file, line, "%s", ecs_strbuf_str(&text));
    ecs_strbuf_reset(&text);
    ecs__log_set_last_error(code);
    if (level <= -4) {
        ecs__add_32(&aborts, 1);
        ecs__log_note_t note = ecs__log_note((ecs__log_note_t){ NULL });
        ecs_os_abort(); // what is noted may be gone if it does not return
        ecs__log_note(note);
    }
}

uint32_t ecs__log_aborts(void) { return ecs__load_32(&aborts); }

// ---- Errors in text ----

// The line of `expr` that contains byte `column`, with a caret below it.
static void append_caret(ecs_strbuf_t *buf, const char *expr, size_t column) {
    const char *at = expr + column, *first = at, *end = at;
    while (first > expr && first[-1] != '\n' && at - first < CARET_LINE_MAX / 2) {
        first--;
    }
    while (*end && *end != '\n' && end - at < CARET_LINE_MAX / 2) {
        end++;
    }
    ecs_strbuf_appendlit(buf, "\n    ");
    ecs_strbuf_appendstrn(buf, first, (int32_t)(end - first));
    ecs_strbuf_appendlit(buf, "\n    ");
    for (; first < at; first++) {
        if (((unsigned char)*first & 0xC0) != 0x80) { /* not the inside of a UTF-8 character */
            ecs_strbuf_appendch(buf, *first == '\t' ? '\t' : ' ');
        }
    }
    ecs_strbuf_appendch(buf, '^');
}

static void append_position(ecs_strbuf_t *buf, const char *expr, size_t column) {
    int32_t line = 1;
    size_t line_start = 0;
    for (size_t i = 0; i < column; i++) {
        if (expr[i] == '\n') {
            line++;
            line_start = i + 1;
        }
    }
    if (strchr(expr, '\n')) {
        ecs_strbuf_append(buf, "line %d, ", line);
    }
    ecs_strbuf_append(buf, "column %d: ", (int)(column - line_start) + 1);
}

static void report_text(int32_t level, const char *name, const char *expr, int64_t column,
    const char *fmt, va_list args) {
    if (!ecs_should_log(-2)) {
        return; /* errors in text go silent together with warnings */
    }
    bool has_position = expr && column >= 0 && (uint64_t)column <= strlen(expr);
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    if (name) {
        ecs_strbuf_append(&text, "%s: ", name);
    }
    if (has_position) {
        append_position(&text, expr, (size_t)column);
    }
    ecs_strbuf_vappend(&text, fmt, args);
    if (has_position) {
        append_caret(&text, expr, (size_t)column);
    }
    deliver(level, NULL, 0, ecs_strbuf_str(&text));
    ecs_strbuf_reset(&text);
}

void ecs_parser_errorv(
    const char *name, const char *expr, int64_t column, const char *fmt, va_list args) {
    report_text(-3, name, expr, column, fmt, args);
    ecs__log_set_last_error(ECS_INVALID_PARAMETER);
}

void ecs_parser_error(const char *name, const char *expr, int64_t column, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_parser_errorv(name, expr, column, fmt, args);
    va_end(args);
}

void ecs_parser_warningv(
    const char *name, const char *expr, int64_t column, const char *fmt, va_list args) {
    report_text(-2, name, expr, column, fmt, args);
}

void ecs_parser_warning(const char *name, const char *expr, int64_t column, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_parser_warningv(name, expr, column, fmt, args);
    va_end(args);
}
