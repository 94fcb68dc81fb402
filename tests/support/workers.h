// SPDX-License-Identifier: MIT
// workers: the worker counts that results must not depend on.
//
//     for_each_worker_count(count) { ecs_set_threads(world, *count); … }
#ifndef TEST_WORKERS_H
#define TEST_WORKERS_H

#include <stdint.h>

/* One is the reference; then odd counts, powers of two, and more than any test machine has cores. */
static const int32_t worker_counts[] = { 1, 2, 3, 4, 7, 16, 32 };

#define for_each_worker_count(count)           \
    for (const int32_t *count = worker_counts; \
         count < worker_counts + sizeof worker_counts / sizeof *worker_counts; count++)

#endif
