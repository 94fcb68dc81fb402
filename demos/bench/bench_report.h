// SPDX-License-Identifier: MIT
// bench_report: prints what was measured, for people or as CSV or JSON.
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench.h"
#include "bench_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of one benchmark with one worker count; 0 where nothing was measured. */
typedef struct {
    int32_t workers; // 0: the benchmark has nothing to do with them
    double min, median, spread;
    double limit, of_limit; // median of the limit; of ours / limit
    double base, speed_up;  // median of the base; of base / ours
} bench_result_t;

typedef enum { VERDICT_NONE, VERDICT_REACHED, VERDICT_MISSED } bench_verdict_t;

/** A benchmark that was run. */
typedef struct {
    const bench_t *bench;
    bench_result_t result;
    bench_verdict_t verdict;
} bench_done_t;

typedef struct {
    const bench_options_t *options;
    bench_done_t *done; // in the order in which they were run
    int32_t done_count, judged, reached;
    double worst_of_base; // of the benchmarks with a goal relative to one worker
    const char *worst_name;
} bench_report_t;

/** Print compiler, build, processor, worker counts. */
void bench_report_start(bench_report_t *report, const int32_t *workers, int32_t count);
void bench_report_result(
    bench_report_t *report, const bench_t *bench, const bench_result_t *result);
/** Print what the format prints at the end: how many goals were reached, and the largest cost of workers in worlds too small for them. */
void bench_report_end(bench_report_t *report);
/** Print what a benchmark measures. */
void bench_report_about(const bench_t *bench);

#ifdef __cplusplus
}
#endif
#endif
