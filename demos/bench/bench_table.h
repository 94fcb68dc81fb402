// SPDX-License-Identifier: MIT
// bench_table: the table of goals, with what neighbours need for the same work.
#ifndef BENCH_TABLE_H
#define BENCH_TABLE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BENCH_ROWS = 36 };

typedef struct {
    const char *number, *work;
    const char *flecs, *entt, *gaia; // 4.1.6, 4.0, 0.9
    const char *limit, *goal;        // by hand, on that machine
} bench_row_t;

extern const bench_row_t bench_table[BENCH_ROWS];

#ifdef __cplusplus
}
#endif
#endif
