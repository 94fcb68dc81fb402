// SPDX-License-Identifier: MIT
// bench_growth: how the cost of operations grows with the size of the world.
#ifndef BENCH_GROWTH_H
#define BENCH_GROWTH_H

#include "bench_options.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Measure each operation that the filters choose at growing sizes, and print its cost and the
 * exponent by which it grows. False if one grows faster than documented. */
bool bench_growth(const bench_options_t *options);

#ifdef __cplusplus
}
#endif
#endif
