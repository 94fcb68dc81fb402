// SPDX-License-Identifier: MIT
// bench_compare: what changed since an earlier run.
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench_report.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Print, on stderr, every benchmark whose median differs from that in a file made with --json by
 * more than the spreads of both. False, with a sentence, if the file cannot be read. */
bool bench_compare(const bench_report_t *report, const char *file);

#ifdef __cplusplus
}
#endif
#endif
