// SPDX-License-Identifier: MIT
// csv: see csv.h. The comma after a field is taken with the field.
#include "csv.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_LENGTH_LIMIT 64

static bool at_row_end(const input_t *input) {
    int c = input_peek(input);
    return c == '\n' || c == '\r' || c == INPUT_END;
}

static void skip_blanks(input_t *input) {
    while (input_peek(input) == ' ' || input_peek(input) == '\t') {
        input_next(input);
    }
}

bool csv_row(input_t *input) {
    while (!input->error[0] && input_peek(input) != INPUT_END) {
        int c = input_peek(input);
        if (c != '#' && c != '\n' && c != '\r') {
            return true;
        }
        input_skip_line(input);
    }
    return false;
}

// Whether the character before is a comma: then a field follows, even if it is empty.
static bool after_comma(const input_t *input) { return input->at[-1] == ','; }

static bool start_field(input_t *input, const char *column) {
    if (input->error[0]) {
        return false;
    }
    if (at_row_end(input) && !after_comma(input)) {
        return input_fail(input, "the row ends before the column %s", column);
    }
    skip_blanks(input);
    return true;
}

static bool take_field(input_t *input, const char *column, char *text, size_t size) {
    size_t length = 0;
    int32_t line = input->line, start = input->column;
    while (!at_row_end(input) && input_peek(input) != ',') {
        if (input_peek(input) == '\0') {
            return input_fail(input, "%s contains a zero byte", column);
        }
        if (length + 1 == size) {
            return input_fail_at(
                input, line, start, "%s is longer than %d characters", column, (int)size - 1);
        }
        text[length++] = (char)input_next(input);
    }
    while (length > 0 && isblank((unsigned char)text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    if (input_peek(input) == ',') {
        input_next(input);
    }
    return true;
}

bool csv_text(input_t *input, const char *column, char *text, size_t size) {
    return start_field(input, column) && take_field(input, column, text, size);
}

bool csv_number(input_t *input, const char *column, double *number) {
    char text[NUMBER_LENGTH_LIMIT];
    if (!start_field(input, column)) {
        return false;
    }
    int32_t line = input->line, start = input->column;
    if (!take_field(input, column, text, sizeof text)) {
        return false;
    }
    if (!text[0]) {
        return input_fail_at(input, line, start, "%s is empty; a number is needed", column);
    }
    char *rest;
    *number = strtod(text, &rest);
    // strtod also knows hexadecimal, infinities and "nan"; none of them is a measurement.
    if (*rest || strpbrk(text, "xXnN") || !isfinite(*number)) {
        return input_fail_at(input, line, start, "'%s' is not a number %s can have", text, column);
    }
    return true;
}

bool csv_end(input_t *input) {
    if (input->error[0]) {
        return false;
    }
    if (!at_row_end(input) || after_comma(input)) {
        return input_fail(input, "the row has more fields than the header");
    }
    input_skip_line(input);
    // Cut off within the last number, a row would still look whole.
    return input->column == 1 ||
           input_fail(input, "the file ends without a line end; it may have been cut off");
}

bool csv_header(input_t *input, const char *columns) {
    if (!csv_row(input)) {
        return input_fail(input, "the header row is missing; it must be %s", columns);
    }
    for (const char *c = columns; *c; c++) {
        if (input_peek(input) != (unsigned char)*c) {
            return input_fail(input, "the header row must be %s", columns);
        }
        input_next(input);
    }
    return at_row_end(input) ? csv_end(input)
                             : input_fail(input, "the header row must be %s", columns);
}
