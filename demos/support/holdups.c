// SPDX-License-Identifier: MIT
// holdups: see holdups.h.
#define _GNU_SOURCE // RUSAGE_THREAD
#include "holdups.h"

#include "demo.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

typedef struct {
    pthread_t thread;
    bool runs;
    double seconds, gap_s;
    int64_t count;
} watcher_t;

static long switches(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nivcsw;
}

static void *watch(void *arg) {
    watcher_t *watcher = arg;
    const double end = demo_now() + watcher->seconds;
    long seen = switches();
    for (double last = demo_now(), now; last < end; last = now) {
        now = demo_now();
        if (now - last < watcher->gap_s) continue;
        watcher->count += switches() == seen;
        seen = switches();
        now = demo_now();
    }
    return NULL;
}

int64_t holdups_count(int32_t threads, double seconds, double gap_s) {
    watcher_t *watchers = demo_alloc((size_t)threads, sizeof *watchers);
    int64_t count = 0;
    for (int32_t i = 0; i < threads; i++) {
        watcher_t *watcher = &watchers[i];
        *watcher = (watcher_t){ .seconds = seconds, .gap_s = gap_s };
        watcher->runs = !pthread_create(&watcher->thread, NULL, watch, watcher);
    }
    for (int32_t i = 0; i < threads; i++) {
        if (watchers[i].runs) pthread_join(watchers[i].thread, NULL);
        count += watchers[i].count;
    }
    free(watchers);
    return count;
}
