// SPDX-License-Identifier: MIT
// bench: what bench.h offers to benchmarks.
#define _GNU_SOURCE // madvise, clock_gettime
#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { HUGE_PAGE = 2 << 20 };

double bench_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

int32_t bench_scale(const bench_run_t *run, int32_t size) {
    return run->quick && size >= 100 ? size / 10 : size;
}

void bench_wrong(bench_run_t *run, const char *format, ...) {
    if (run->problem[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(run->problem, sizeof run->problem, format, args);
    va_end(args);
}

void *bench_array(size_t count, size_t size) {
    size_t bytes = count * size, alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : 64;
    size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void *memory = aligned_alloc(alignment, whole);
    if (!memory) {
        fprintf(stderr, "bench: there is not enough memory for %zu bytes\n", bytes);
        exit(1);
    }
    if (alignment == HUGE_PAGE) madvise(memory, whole, MADV_HUGEPAGE);
    return memset(memory, 0, whole);
}

int32_t *bench_shuffled(int32_t count) {
    int32_t *order = bench_array((size_t)count, sizeof(int32_t));
    uint64_t random = 88172645463325252u;
    for (int32_t i = 0; i < count; i++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        int32_t other = (int32_t)(random % (uint64_t)(i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    return order;
}

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_percentile(const double *values, int32_t count, double part) {
    double at = part * (count - 1);
    int32_t low = (int32_t)at, high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - low) * (values[high] - values[low]);
}

double bench_median(double *values, int32_t count) {
    qsort(values, (size_t)count, sizeof *values, compare_numbers);
    return bench_percentile(values, count, 0.5);
}
