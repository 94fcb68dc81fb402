// SPDX-License-Identifier: MIT
// csv: reads comma-separated tables field by field.
//
// A table is one header row and data rows. Blank lines and lines that start with '#' are skipped.
// Fields are trimmed; quotes have no meaning, so no field can hold a comma.
//
//     if (!csv_header(&input, "name,mass")) { ... }
//     while (csv_row(&input)) {
//         if (!csv_text(&input, "name", name, sizeof name) || !csv_number(&input, "mass", &mass)
//             || !csv_end(&input)) { ... }
//     }
//
// Every function returns false after the first problem; `input->error` says what and where.
#ifndef DEMO_CSV_H
#define DEMO_CSV_H

#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Take the header row, which must be exactly `columns` (names separated by commas, no spaces). */
bool csv_header(input_t *input, const char *columns);

/** Go to the next data row. False at the end of the file (and after an error). */
bool csv_row(input_t *input);

/** Take a field as text. It must fit into `size` bytes with its terminator; it may be empty. */
bool csv_text(input_t *input, const char *column, char *text, size_t size);

/** Take a field as a finite decimal number. */
bool csv_number(input_t *input, const char *column, double *number);

/** The row must end here, with a line end even if it is the last one. */
bool csv_end(input_t *input);

#ifdef __cplusplus
}
#endif
#endif
