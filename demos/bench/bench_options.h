// SPDX-License-Identifier: MIT
// bench_options: the command line of the benchmarks.
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_REPORT } bench_format_t;

typedef struct {
    bench_format_t format;
    bool list, quick, growth;
    const char *compare;              // a file made with --json, or NULL; borrowed from argv
    int32_t repeat;                   // counted repetitions
    int32_t min_workers, max_workers; // 0: 2, 4, 8 ... usable processors
    char **filters;                   // borrowed from argv
    int32_t filter_count;
} bench_options_t;

/** Parse the command line. Returns -1 to go on, or the exit status. */
int bench_options_parse(int argc, char **argv, bench_options_t *options);

/** True if a name contains one of the filters, or there are none. */
bool bench_options_match(const bench_options_t *options, const char *name);

#ifdef __cplusplus
}
#endif
#endif
