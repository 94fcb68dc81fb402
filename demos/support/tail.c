// SPDX-License-Identifier: MIT
// tail: see tail.h.
#define _GNU_SOURCE // RUSAGE_THREAD
#include "tail.h"

#include "demo.h"
#include "holdups.h"
#include "inside.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { NOISE_BYTES = 64 << 20 };

#define SLOW 2.0 // times the median
#define MOST_LOOKING_S 3.0

typedef struct {
    double seconds;
    bool allocated, made_table, interrupted;
} tick_t;

static struct {
    tick_t *ticks;
    int32_t count, size, workers;
    pthread_t noise_thread;
    bool noise;
    atomic_bool stop; // tail_end sets it, make_noise reads it
} tail;

// ---- A noisy neighbour ----

static void *make_noise(void *memory) {
    for (int value = 0; !atomic_load(&tail.stop); value++) memset(memory, value, NOISE_BYTES);
    return memory;
}

// ---- Noting ----

static int64_t allocations(void) { return ecs_os_api_malloc_count + ecs_os_api_realloc_count; }

static int64_t interruptions(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nivcsw;
}

void tail_begin(int32_t ticks, bool noise) {
    tail.ticks = demo_alloc((size_t)ticks, sizeof *tail.ticks);
    tail.count = 0;
    tail.size = ticks;
    tail.noise = noise;
    atomic_store(&tail.stop, false);
    if (noise && pthread_create(&tail.noise_thread, NULL, make_noise, demo_alloc(1, NOISE_BYTES)))
        tail.noise = false;
}

void tail_progress(ecs_world_t *world, ecs_ftime_t delta_time) {
    if (tail.count == tail.size) {
        inside_progress(world, delta_time);
        return;
    }
    const ecs_world_info_t *info = ecs_get_world_info(world);
    int64_t tables = info->table_create_total, memory = allocations(), taken = interruptions();
    tail.workers = ecs_get_stage_count(world);
    double start = demo_now();
    inside_progress(world, delta_time);
    tail.ticks[tail.count++] = (tick_t){ demo_now() - start, allocations() != memory,
        info->table_create_total != tables, interruptions() != taken };
}

// ---- Printing ----

static int compare_ticks(const void *a, const void *b) {
    double x = ((const tick_t *)a)->seconds, y = ((const tick_t *)b)->seconds;
    return (x > y) - (x < y);
}

static double percentile_ms(double part) {
    return 1e3 * tail.ticks[(int32_t)(part * (tail.count - 1))].seconds;
}

// A gap of a median makes the tick around it a slow one.
static void print_holdups(double gap_s) {
    double seconds = 0;
    for (int32_t i = 0; i < tail.count; i++) seconds += tail.ticks[i].seconds;
    if (seconds > MOST_LOOKING_S) seconds = MOST_LOOKING_S;
    int64_t count = holdups_count(tail.workers, seconds, gap_s);
    printf(
        "           loops that did nothing (%d) saw the machine stop for %.3f ms or more %d times "
        "in %.1f s\n",
        (int)tail.workers, 1e3 * gap_s, (int)count, seconds);
}

static void print_slow(void) {
    double limit = SLOW * percentile_ms(0.5) / 1e3;
    int32_t slow = 0, allocated = 0, made_table = 0, interrupted = 0, unexplained = 0;
    for (int32_t i = 0; i < tail.count; i++) {
        const tick_t *tick = &tail.ticks[i];
        if (tick->seconds <= limit) continue;
        slow++;
        allocated += tick->allocated;
        made_table += tick->made_table;
        interrupted += tick->interrupted;
        unexplained += !tick->allocated && !tick->made_table && !tick->interrupted;
    }
    printf("           over %g x the median: %d; of those %d allocated memory, %d made a table, %d "
           "were interrupted; %d not explained\n",
        SLOW, (int)slow, (int)allocated, (int)made_table, (int)interrupted, (int)unexplained);
    if (unexplained) print_holdups(limit / SLOW);
}

void tail_end(void) {
    if (tail.noise) {
        void *memory;
        atomic_store(&tail.stop, true);
        pthread_join(tail.noise_thread, &memory);
        free(memory);
    }
    if (tail.count) {
        qsort(tail.ticks, (size_t)tail.count, sizeof *tail.ticks, compare_ticks);
        printf("    ticks%s: p50 %.3f ms, p99 %.3f, p99.9 %.3f, worst %.3f\n",
            tail.noise ? " beside a noisy neighbour" : "", percentile_ms(0.5), percentile_ms(0.99),
            percentile_ms(0.999), percentile_ms(1));
        print_slow();
    }
    free(tail.ticks);
    tail.ticks = NULL;
    tail.count = tail.size = 0;
}
