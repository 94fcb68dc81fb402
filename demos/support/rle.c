// SPDX-License-Identifier: MIT
// rle: see rle.h. One pass over the input; positions in messages point at the offending character.
#include "rle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    input_t *input;
    rle_pattern_t *pattern;
    int32_t room; // cells allocated
    int32_t x, y; // where the next run starts
} reader_t;

// "'q'" for what can be printed, "byte 7" for what cannot.
static const char *show(int c, char text[16]) {
    snprintf(text, 16, isprint(c) ? "'%c'" : "byte %d", c);
    return text;
}

static void skip_blanks(input_t *input) {
    while (input_peek(input) == ' ' || input_peek(input) == '\t' || input_peek(input) == '\r') {
        input_next(input);
    }
}

static void skip_space(input_t *input) {
    while (isspace(input_peek(input))) {
        input_next(input);
    }
}

// A number up to RLE_SIDE_LIMIT; the digits are checked one by one, so no run can overflow.
static bool read_count(input_t *input, const char *what, int32_t *count) {
    int32_t line = input->line, column = input->column;
    if (!isdigit(input_peek(input))) {
        return input_fail(input, "a number is missing for %s", what);
    }
    *count = 0;
    while (isdigit(input_peek(input))) {
        *count = 10 * *count + (input_next(input) - '0');
        if (*count > RLE_SIDE_LIMIT) {
            return input_fail_at(input, line, column, "%s is larger than %d", what, RLE_SIDE_LIMIT);
        }
    }
    return true;
}

static bool expect(input_t *input, int c) {
    skip_blanks(input);
    if (input_peek(input) != c) {
        return input_fail(
            input, "expected '%c'; a header looks like x = 3, y = 3, rule = B3/S23", c);
    }
    input_next(input);
    skip_blanks(input);
    return true;
}

static bool read_side(input_t *input, int name, int32_t *side) {
    char what[] = { (char)name, '\0' };
    int32_t line = input->line, column = input->column;
    if (!expect(input, name) || !expect(input, '=') || !read_count(input, what, side)) {
        return false;
    }
    return *side > 0 || input_fail_at(input, line, column, "%s must be at least 1", what);
}

static bool read_word(input_t *input, char *word, size_t size) {
    size_t length = 0;
    while (isalnum(input_peek(input)) || input_peek(input) == '/') {
        if (length + 1 == size) {
            return false;
        }
        word[length++] = (char)input_next(input);
    }
    word[length] = '\0';
    return true;
}

static bool read_rule(input_t *input) {
    char word[16];
    if (!read_word(input, word, sizeof word) || strcmp(word, "rule") != 0) {
        return input_fail(input, "expected the word rule");
    }
    if (!expect(input, '=')) {
        return false;
    }
    int32_t line = input->line, column = input->column;
    if (!read_word(input, word, sizeof word) ||
        (strcmp(word, "B3/S23") != 0 && strcmp(word, "b3/s23") != 0 && strcmp(word, "23/3") != 0)) {
        return input_fail_at(input, line, column, "only the rule B3/S23 is known here");
    }
    return true;
}

static bool read_header(input_t *input, rle_pattern_t *pattern) {
    for (skip_space(input); input_peek(input) == '#'; skip_space(input)) {
        input_skip_line(input);
    }
    if (!read_side(input, 'x', &pattern->width) || !expect(input, ',') ||
        !read_side(input, 'y', &pattern->height)) {
        return false;
    }
    skip_blanks(input);
    if (input_peek(input) == ',' && (!expect(input, ',') || !read_rule(input))) {
        return false;
    }
    skip_blanks(input);
    if (input_next(input) != '\n') {
        return input_fail(input, "the header line must end here");
    }
    return true;
}

static bool reserve(reader_t *reader, int32_t count) {
    rle_pattern_t *pattern = reader->pattern;
    if (count > RLE_CELL_LIMIT - pattern->count) {
        return input_fail(reader->input, "the pattern has more than %d live cells", RLE_CELL_LIMIT);
    }
    if (pattern->count + count > reader->room) {
        int32_t room = 2 * (pattern->count + count);
        rle_cell_t *cells = realloc(pattern->cells, (size_t)room * sizeof *cells);
        if (!cells) {
            return input_fail(reader->input, "there is not enough memory for the pattern");
        }
        pattern->cells = cells;
        reader->room = room;
    }
    return true;
}

// Dead cells are checked against the width too: a run that leaves the pattern is a sign of damage.
static bool add_run(reader_t *reader, int32_t count, bool live) {
    rle_pattern_t *pattern = reader->pattern;
    if (reader->y >= pattern->height) {
        return input_fail(reader->input, "there are more rows than y = %d", (int)pattern->height);
    }
    if (count > pattern->width - reader->x) {
        return input_fail(
            reader->input, "row %d is longer than x = %d", (int)reader->y + 1, (int)pattern->width);
    }
    if (live && !reserve(reader, count)) {
        return false;
    }
    for (int32_t i = 0; i < count && live; i++) {
        pattern->cells[pattern->count++] = (rle_cell_t){ reader->x + i, reader->y };
    }
    reader->x += count;
    return true;
}

static bool end_rows(reader_t *reader, int32_t count) {
    // A pattern may end its last row with '$'; only cells below it are an error (add_run).
    if (count > reader->pattern->height - reader->y) {
        return input_fail(
            reader->input, "there are more rows than y = %d", (int)reader->pattern->height);
    }
    reader->y += count;
    reader->x = 0;
    return true;
}

static bool read_runs(reader_t *reader) {
    input_t *input = reader->input;
    char shown[16];
    for (;;) {
        skip_space(input);
        int32_t count = 1;
        bool counted = isdigit(input_peek(input));
        if (counted && !read_count(input, "the run", &count)) {
            return false;
        }
        int c = input_peek(input);
        bool ok = true;
        if (c == 'b' || c == 'o') {
            ok = add_run(reader, count, c == 'o');
        } else if (c == '$') {
            ok = end_rows(reader, count);
        } else if (c == '!' && !counted) {
            return true;
        } else if (c == INPUT_END) {
            return input_fail(input, "the file ends before the '!' that ends the pattern");
        } else {
            return input_fail(
                input, "%s is not part of a pattern; use b, o, $, ! and numbers", show(c, shown));
        }
        if (!ok) {
            return false;
        }
        input_next(input);
    }
}

bool rle_read(input_t *input, rle_pattern_t *pattern) {
    *pattern = (rle_pattern_t){ 0 };
    reader_t reader = { .input = input, .pattern = pattern };
    if (read_header(input, pattern) && read_runs(&reader)) {
        return true;
    }
    rle_free(pattern);
    return false;
}

void rle_free(rle_pattern_t *pattern) {
    free(pattern->cells);
    *pattern = (rle_pattern_t){ 0 };
}
