// SPDX-License-Identifier: MIT
// bench_compare: see bench_compare.h. Needs jansson; a build without it says so.
#include "bench_compare.h"

#include <stdio.h>
#include <string.h>

#ifdef BENCH_WITH_JANSSON
#include <jansson.h>

#define LEAST_CHANGE 0.03 // of the median: less is the machine's mood

static const json_t *find_old(const json_t *results, const bench_done_t *done) {
    size_t i;
    const json_t *old;
    json_array_foreach(results, i, old) {
        const char *name = json_string_value(json_object_get(old, "name"));
        int64_t workers = json_integer_value(json_object_get(old, "workers"));
        if (name && strcmp(name, done->bench->name) == 0 && workers == done->result.workers)
            return old;
    }
    return NULL;
}

// True if it was printed.
static bool print_change(const bench_done_t *done, const json_t *old) {
    double before = json_number_value(json_object_get(old, "median"));
    double spread = json_number_value(json_object_get(old, "spread"));
    double change = before > 0 ? done->result.median / before - 1 : 0;
    double noise = (spread + done->result.spread) / 2;
    if (noise < LEAST_CHANGE) noise = LEAST_CHANGE;
    if (change <= noise && change >= -noise) return false;
    fprintf(stderr, "%-30s %7d %-12s %10.4g -> %10.4g  %+6.1f %%  (noise %.1f %%)\n",
        done->bench->name, (int)done->result.workers, done->bench->unit, before,
        done->result.median, 100 * change, 100 * noise);
    return true;
}

// `before` is the whole document.
void bench_compare(const bench_report_t *report, bench_before_t *before) {
    json_t *document = (json_t *)before;
    const json_t *results = json_object_get(document, "results");
    int32_t compared = 0, changed = 0;
    for (int32_t i = 0; i < report->done_count; i++) {
        const json_t *old = find_old(results, &report->done[i]);
        compared += old != NULL;
        changed += old && print_change(&report->done[i], old);
    }
    fprintf(stderr, "%d of %d benchmarks changed beyond noise\n", (int)changed, (int)compared);
    json_decref(document);
}

bench_before_t *bench_before_read(const char *file) {
    json_error_t error;
    json_t *document = json_load_file(file, 0, &error);
    if (json_is_array(json_object_get(document, "results"))) return (bench_before_t *)document;
    if (!document)
        fprintf(stderr, "bench: %s: line %d, column %d: %s\n", file, error.line, error.column,
            error.text);
    else
        fprintf(stderr, "bench: %s was not made with --json: it has no results\n", file);
    json_decref(document);
    return NULL;
}

#else

bench_before_t *bench_before_read(const char *file) {
    fprintf(stderr, "bench: cannot read %s: this build has no jansson (libjansson-dev)\n", file);
    return NULL;
}

void bench_compare(const bench_report_t *report, bench_before_t *before) {
    (void)report;
    (void)before;
}

#endif
