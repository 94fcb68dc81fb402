// SPDX-License-Identifier: MIT
// clock: a time stamp that costs a few nanoseconds, for measuring jobs.
//
// Ticks come from the processor's constant-rate counter where there is one (10 ns to read in a
// virtual machine, against 24 for clock_gettime). They only feed estimates; nothing depends on
// their being exact.
#ifndef SCHED_CLOCK_H
#define SCHED_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Set once by sched__clock_init, constant afterwards. */
extern bool sched__clock_is_counter;

/* Monotonic time from the system, in nanoseconds. */
uint64_t sched__clock_ns(void);

/* Measures the counter against the system clock the first time it is called, for about 50
 * microseconds. Returns nanoseconds per tick. Threads: any. */
double sched__clock_init(void);

static inline uint64_t sched__ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
    if (sched__clock_is_counter) return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    if (sched__clock_is_counter) {
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
    }
#endif
    return sched__clock_ns();
}

#endif
