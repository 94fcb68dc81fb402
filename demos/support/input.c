// SPDX-License-Identifier: MIT
// input: see input.h. Knows files and positions, nothing about formats.
#include "input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(input_t *input, const char *name, const char *text, size_t size) {
    *input = (input_t){ .name = name, .at = text, .end = text + size, .line = 1, .column = 1 };
}

static bool fail_whole(input_t *input, const char *problem) {
    snprintf(input->error, sizeof input->error, "%s: %s", input->name, problem);
    return false;
}

// Grows by doubling instead of asking for the size first: pipes and /proc files have none.
static bool read_all(input_t *input, FILE *file) {
    size_t size = 0, room = 0;
    do {
        if (size == room) {
            room = room ? 2 * room : 64 * 1024;
            char *more = realloc(input->text, room);
            if (!more) {
                return fail_whole(input, "there is not enough memory to read this file");
            }
            input->text = more;
        }
        size += fread(input->text + size, 1, room - size, file);
        if (size > INPUT_SIZE_LIMIT) {
            return fail_whole(input, "the file is larger than 64 MiB");
        }
    } while (size == room);
    if (ferror(file)) {
        return fail_whole(input, strerror(errno));
    }
    input->at = input->text;
    input->end = input->text + size;
    return true;
}

bool input_open(input_t *input, const char *name) {
    start(input, name, "", 0);
    FILE *file = fopen(name, "rb");
    if (!file) {
        return fail_whole(input, strerror(errno));
    }
    bool ok = read_all(input, file);
    fclose(file);
    return ok;
}

void input_from_text(input_t *input, const char *name, const char *text, size_t size) {
    start(input, name, text, size);
}

void input_close(input_t *input) {
    free(input->text);
    input->text = NULL;
    input->at = input->end = "";
}

int input_peek(const input_t *input) {
    return input->at < input->end ? (unsigned char)*input->at : INPUT_END;
}

int input_next(input_t *input) {
    int c = input_peek(input);
    if (c == INPUT_END) {
        return c;
    }
    input->at++;
    input->column++;
    if (c == '\n') {
        input->line++;
        input->column = 1;
    }
    return c;
}

void input_skip_line(input_t *input) {
    int c;
    do {
        c = input_next(input);
    } while (c != '\n' && c != INPUT_END);
}

static bool fail_with(
    input_t *input, int32_t line, int32_t column, const char *format, va_list args) {
    if (!input->error[0]) {
        int used = snprintf(
            input->error, sizeof input->error, "%s:%d:%d: ", input->name, (int)line, (int)column);
        if (used > 0 && (size_t)used < sizeof input->error) {
            vsnprintf(input->error + used, sizeof input->error - (size_t)used, format, args);
        }
    }
    return false;
}

bool input_fail(input_t *input, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_with(input, input->line, input->column, format, args);
    va_end(args);
    return false;
}

bool input_fail_at(input_t *input, int32_t line, int32_t column, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fail_with(input, line, column, format, args);
    va_end(args);
    return false;
}
