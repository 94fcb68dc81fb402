// SPDX-License-Identifier: MIT
// input: a text file in memory, read character by character with line and column known.
//
// Readers (rle, csv) take an input_t and return false after the first problem; `error` then holds
// one sentence that starts with file, line and column. The error stays until the input is closed.
// Threads: one reader per input.
#ifndef DEMO_INPUT_H
#define DEMO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define INPUT_END (-1)                      // what peek and next return after the last character
#define INPUT_SIZE_LIMIT (64 * 1024 * 1024) // bytes; more than that is no input of ours

typedef struct {
    const char *name; // for messages; borrowed
    char *text;       // owned; NULL after input_from_text
    const char *at;   // next character
    const char *end;
    int32_t line, column; // of *at, counted from 1
    char error[512];      // empty while all is well
} input_t;

/** Read a whole file. False with `error` set if it cannot be read or exceeds INPUT_SIZE_LIMIT. */
bool input_open(input_t *input, const char *file);

/** Read from memory instead of from a file; `text` is borrowed until input_close. */
void input_from_text(input_t *input, const char *name, const char *text, size_t size);

void input_close(input_t *input);

/** The next character without taking it, or INPUT_END. */
int input_peek(const input_t *input);

/** Take the next character, or INPUT_END. */
int input_next(input_t *input);

/** Take everything up to and including the end of the line. */
void input_skip_line(input_t *input);

/** Note a problem at the next character; always false, so that readers can return it. */
bool input_fail(input_t *input, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Note a problem at an earlier position. */
bool input_fail_at(input_t *input, int32_t line, int32_t column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif
#endif
