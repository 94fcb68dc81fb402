// SPDX-License-Identifier: MIT
// rle: reads Game of Life patterns in run-length encoding, the format of most pattern collections.
//
//   #C comment                     lines before the header that start with '#'
//   x = 3, y = 3, rule = B3/S23    header; the rule may be left out, no other rule is accepted
//   b2o$2o$bo!                     runs of dead (b) and live (o) cells, $ ends a row, ! all
#ifndef DEMO_RLE_H
#define DEMO_RLE_H

#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RLE_SIDE_LIMIT 1000000  // cells; a wider or higher pattern is refused
#define RLE_CELL_LIMIT 10000000 // live cells

typedef struct {
    int32_t x, y; // column and row, counted from 0 at the top left
} rle_cell_t;

typedef struct {
    int32_t width, height; // as the header says; every cell lies inside
    int32_t count;
    rle_cell_t *cells; // live cells, row by row; owned
} rle_pattern_t;

/** Read a pattern. On false the pattern is empty and `input->error` says what is wrong. */
bool rle_read(input_t *input, rle_pattern_t *pattern);

void rle_free(rle_pattern_t *pattern);

#ifdef __cplusplus
}
#endif
#endif
