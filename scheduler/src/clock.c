// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "clock.h"

#include <pthread.h>
#include <time.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

bool sched__clock_is_counter;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static double ns_per_tick = 1.0;

uint64_t sched__clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Does the counter run at one rate on all cores, whatever their frequency or sleep state?
static bool has_constant_counter(void) {
#if defined(__x86_64__) || defined(__i386__)
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
#elif defined(__aarch64__)
    return true;
#else
    return false;
#endif
}

// The counter, and when it was read: again if the thread was interrupted between the two.
static uint64_t read_at(uint64_t *ns) {
    uint64_t ticks;
    int tries = 0;
    do {
        *ns = sched__clock_ns();
        ticks = sched__ticks();
    } while (sched__clock_ns() - *ns > 1000 && ++tries < 10);
    return ticks;
}

static void calibrate(void) {
    if (!has_constant_counter()) return;
    sched__clock_is_counter = true;
    uint64_t start_ns, now_ns, start = read_at(&start_ns), ticks;
    do {
        ticks = read_at(&now_ns) - start;
    } while (now_ns - start_ns < 50000);
    if (ticks) ns_per_tick = (double)(now_ns - start_ns) / (double)ticks;
}

double sched__clock_init(void) {
    pthread_once(&once, calibrate);
    return ns_per_tick;
}
