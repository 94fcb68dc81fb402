// SPDX-License-Identifier: MIT
// memory: counting heap calls of the library, and making one of them fail.
//
// Counting uses the library's own counters, which only move with the default heap. A fault replaces
// the heap functions of ecs_os_api for a while, on top of whatever is there. Threads: counters are
// exact while no other thread allocates; faults count calls from all threads.
#ifndef TEST_MEMORY_H
#define TEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/** Blocks allocated and not freed yet. */
int64_t memory_live(void);

/** Allocations and reallocations so far; equal before and after means none happened between. */
int64_t memory_calls(void);

/** From now on the n-th allocation (1 = the next) returns NULL, once. */
void memory_fault_begin(int64_t n);

/** Put the heap back. True if the fault happened. */
bool memory_fault_end(void);

/** Call `attempt` with the 1st, 2nd, 3rd … allocation failing, until it needs no more.
 *
 * `attempt` checks by itself that it reported the failure and left nothing behind; blocks that stay
 * allocated fail the test here. Only for code that reports lack of memory: everything else aborts.
 *
 * @param limit  More allocations than this in one attempt fail the test.
 * @return       Number of allocations of an attempt without fault.
 */
int64_t memory_fault_sweep(void (*attempt)(void *ctx, bool will_fail), void *ctx, int64_t limit);

#endif
