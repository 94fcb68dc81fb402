// SPDX-License-Identifier: MIT
// bench_compare: what changed since an earlier run.
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench_report.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_before_t bench_before_t;

/** Read a file made with --json. NULL, with a sentence, if it cannot be read. */
bench_before_t *bench_before_read(const char *file);
/** Print, on stderr, every benchmark whose median differs from that before by more than the spreads
 * of both. Frees `before`. */
void bench_compare(const bench_report_t *report, bench_before_t *before);

#ifdef __cplusplus
}
#endif
#endif
