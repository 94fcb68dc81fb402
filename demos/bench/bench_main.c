// SPDX-License-Identifier: MIT
// bench_main: runs benchmarks and makes numbers of their repetitions. See bench.h for the scheme.
#include "bench.h"

#include "bench_compare.h"
#include "bench_growth.h"
#include "bench_options.h"
#include "bench_report.h"

#include <muster.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_RIVALS = 3 }; // ours, limit, base

static const bench_t *const subjects[] = { bench_iterate, bench_queries, bench_tick, bench_tiny,
    bench_scaling, bench_fusion, bench_pool, bench_commands, bench_entities, bench_observers,
    bench_lifetimes, bench_hierarchy, bench_joins, bench_beside, bench_sort, bench_worlds,
    bench_size };

// ---- Repetitions ----

typedef struct {
    bench_measure_t measure[MOST_RIVALS];
    int32_t workers[MOST_RIVALS];
    double *values[MOST_RIVALS]; // one per repetition
} rivals_t;

static rivals_t list_rivals(const bench_t *bench, int32_t workers, int32_t repeat) {
    bool compares = bench->with_workers && !bench->base;
    rivals_t rivals = { .measure = { bench->ours, bench->limit,
                            compares ? bench->ours : bench->base },
        .workers = { workers, workers, compares ? 1 : workers } };
    for (int32_t i = 0; i < MOST_RIVALS; i++) {
        rivals.values[i] = bench_array((size_t)repeat, sizeof(double));
    }
    return rivals;
}

static void repeat_once(bench_run_t *run, const rivals_t *rivals, int32_t repetition) {
    for (int32_t k = 0; k < MOST_RIVALS; k++) {
        int32_t i = repetition % 2 ? MOST_RIVALS - 1 - k : k; // none is always the first
        if (!rivals->measure[i]) continue;
        run->workers = rivals->workers[i];
        double value = rivals->measure[i](run);
        if (repetition > 0) rivals->values[i][repetition - 1] = value;
    }
}

// Repetition by repetition: what disturbs a whole repetition does not disturb its ratio.
static double median_ratio(const double *above, const double *below, int32_t count) {
    double *ratios = bench_array((size_t)count, sizeof(double));
    for (int32_t i = 0; i < count; i++) ratios[i] = below[i] != 0 ? above[i] / below[i] : 0;
    double median = bench_median(ratios, count);
    free(ratios);
    return median;
}

static bench_result_t evaluate(const rivals_t *rivals, int32_t repeat) {
    double *ours = rivals->values[0], *limit = rivals->values[1], *base = rivals->values[2];
    bench_result_t result = { 0 };
    if (rivals->measure[1]) result.of_limit = median_ratio(ours, limit, repeat);
    if (rivals->measure[2]) result.speed_up = median_ratio(base, ours, repeat);
    result.limit = bench_median(limit, repeat);
    result.base = bench_median(base, repeat);
    result.median = bench_median(ours, repeat);
    result.min = ours[0];
    result.spread =
        (bench_percentile(ours, repeat, 0.9) - bench_percentile(ours, repeat, 0.1)) / result.median;
    return result;
}

static bool run_case(bench_report_t *report, const bench_t *bench, int32_t workers) {
    bench_run_t run = { .bench = bench, .quick = report->options->quick, .workers = workers };
    int32_t repeat = report->options->repeat * (bench->more ? bench->more : 1);
    rivals_t rivals = list_rivals(bench, workers, repeat);
    if (bench->setup) bench->setup(&run);
    for (int32_t i = 0; i <= repeat && !run.problem[0]; i++) repeat_once(&run, &rivals, i);
    if (bench->teardown) bench->teardown(&run);
    if (run.problem[0]) {
        fflush(stdout);
        fprintf(stderr, "bench: wrong result in %s with %d worker(s): %s\n", bench->name,
            (int)workers, run.problem);
    } else {
        bench_result_t result = evaluate(&rivals, repeat);
        result.workers = bench->with_workers ? workers : 0;
        bench_report_result(report, bench, &result);
    }
    for (int32_t i = 0; i < MOST_RIVALS; i++) free(rivals.values[i]);
    return !run.problem[0];
}

// ---- All of them ----

typedef struct {
    int32_t counts[SCHED_MAX_WORKERS];
    int32_t count;
} workers_t;

static workers_t choose_workers(const bench_options_t *options) {
    workers_t workers = { .count = 0 };
    int32_t usable = sched_usable_cpus();
    if (options->min_workers) {
        for (int32_t n = options->min_workers; n <= options->max_workers; n++) {
            workers.counts[workers.count++] = n;
        }
        return workers;
    }
    for (int32_t n = 2; n <= (usable > 2 ? usable : 2) && n <= SCHED_MAX_WORKERS; n *= 2) {
        workers.counts[workers.count++] = n;
    }
    return workers;
}

static bool run_bench(bench_report_t *report, const bench_t *bench, const workers_t *workers) {
    bool all_well = true;
    for (int32_t i = 0; i < (bench->with_workers ? workers->count : 1); i++) {
        int32_t count = bench->with_workers ? workers->counts[i] : 1;
        all_well &= run_case(report, bench, count);
    }
    return all_well;
}

int main(int argc, char **argv) {
    bench_options_t options;
    int status = bench_options_parse(argc, argv, &options);
    if (status >= 0) return status;
    if (options.growth) return bench_growth(&options) ? 0 : 1;
    bench_before_t *before = options.compare ? bench_before_read(options.compare) : NULL;
    if (options.compare && !before) return 2;
    bench_report_t report = { .options = &options };
    workers_t workers = choose_workers(&options);
    int32_t found = 0;
    bool all_well = true;
    for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
        for (const bench_t *bench = subjects[s]; bench->name; bench++) {
            if (!bench_options_match(&options, bench->name)) continue;
            if (!found++ && !options.list) {
                bench_report_start(&report, workers.counts, workers.count);
            }
            if (options.list) {
                bench_report_about(bench);
            } else {
                all_well &= run_bench(&report, bench, &workers);
            }
        }
    }
    if (!found) {
        fprintf(stderr, "bench: no benchmark has such a name; see --list\n");
        return 2;
    }
    if (!options.list) bench_report_end(&report);
    if (before) bench_compare(&report, before);
    free(report.done);
    return all_well ? 0 : 1;
}
