// SPDX-License-Identifier: MIT
// demo: see demo.h.
#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "demo.h"

#include "cli.h"
#include "inside.h"
#include "report.h"
#include "tail.h"

#include <inttypes.h>
#include <muster/scheduler/pool.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Where the build found demos/data; without it demos are started at the root of the repository.
#ifndef DEMO_DATA_DIR
#define DEMO_DATA_DIR "demos/data"
#endif

static const char *program = "demo"; // for messages; set once by demo_main

typedef struct {
    int32_t counts[CLI_WORKERS_LIMIT];
    int32_t count;
    int32_t cores;
} workers_t;

double demo_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// splitmix64: every state is good, so seeds need no preparation.
double demo_random(uint64_t *state) {
    uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

void *demo_alloc(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fprintf(
            stderr, "%s: there is not enough memory for %zu x %zu bytes\n", program, count, size);
        exit(1);
    }
    return memory;
}

static void say(const char *kind, const char *format, va_list args) {
    fflush(stdout);
    fprintf(stderr, "%s: %s", program, kind);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

int demo_wrong(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("wrong result: ", format, args);
    va_end(args);
    return 1;
}

int demo_bad_input(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    return 2;
}

static void add_count(workers_t *workers, int32_t count) {
    if (workers->count < CLI_WORKERS_LIMIT) {
        workers->counts[workers->count++] = count;
    }
}

// Without --threads: powers of two up to the number of cores, and that number itself. Up to 4 even
// on smaller machines: nothing gets faster there, but the checksum must still be the same.
static workers_t choose_workers(const cli_options_t *options) {
    workers_t workers = { .cores = sched_usable_cpus() };
    if (options->min_workers) {
        for (int32_t n = options->min_workers; n <= options->max_workers; n++) {
            add_count(&workers, n);
        }
        return workers;
    }
    int32_t most = workers.cores < 4 ? 4 : workers.cores;
    for (int32_t n = 1; n <= most; n *= 2) {
        add_count(&workers, n);
    }
    if (workers.counts[workers.count - 1] < most) {
        add_count(&workers, most);
    }
    return workers;
}

static demo_setup_t setup_for(
    const demo_scene_t *scene, const cli_options_t *options, char *data, size_t size) {
    snprintf(data, size, "%s/%s", DEMO_DATA_DIR, scene->data ? scene->data : "");
    return (demo_setup_t){ .entities = options->entities ? options->entities : scene->entities,
        .ticks = options->ticks ? options->ticks : scene->ticks,
        .seed = options->seed,
        .input = options->input,
        .data = scene->data ? data : NULL };
}

static int run_scene(report_t *report, const demo_scene_t *scene, const cli_options_t *options,
    const workers_t *workers) {
    char data[4096];
    demo_setup_t setup = setup_for(scene, options, data, sizeof data);
    uint64_t checksum = 0;
    demo_result_t result = { 0 };
    report_scene(report, scene->title, &setup);
    for (int32_t i = 0; i < workers->count; i++) {
        setup.workers = workers->counts[i];
        result = (demo_result_t){ 0 };
        if (options->tail) tail_begin(setup.ticks, options->noise);
        inside_begin(setup.ticks, options->trace, options->predict);
        int status = scene->run(&setup, &result);
        if (status) {
            return status;
        }
        report_run(report, &setup, &result);
        if (!inside_end()) return 2;
        if (options->tail) tail_end();
        if (i > 0 && result.checksum != checksum) {
            return demo_wrong("the checksum is %016" PRIx64 " with %d workers and %016" PRIx64
                              " with %d",
                result.checksum, (int)setup.workers, checksum, (int)workers->counts[0]);
        }
        checksum = result.checksum;
    }
    report_scene_end(report, &result);
    return 0;
}

int demo_main(const demo_t *demo, int argc, char **argv) {
    cli_options_t options;
    program = demo->name;
    cli_outcome_t outcome = cli_parse(argc, argv, demo->about, &options);
    if (outcome != CLI_RUN) {
        return outcome == CLI_HELP ? 0 : 2;
    }
    if (options.input && !demo->takes_input) {
        return demo_bad_input("this demo reads no file, so --input has no meaning");
    }
    workers_t workers = choose_workers(&options);
    report_t report = { .json = options.json };
    report_start(&report, demo, options.seed, workers.counts, workers.count, workers.cores);
    const demo_scene_t *scene = options.check ? demo->checks : demo->scenes;
    for (; scene->title; scene++) {
        int status = run_scene(&report, scene, &options, &workers);
        if (status) {
            return status;
        }
    }
    report_end(&report);
    return 0;
}
