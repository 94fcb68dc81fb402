// SPDX-License-Identifier: MIT
// bench_report: see bench_report.h. Names and phrases hold nothing that CSV or JSON must escape.
#include "bench_report.h"

#include "bench_table.h"

#include <muster.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef NDEBUG
#define CHECKS "checks off"
#else
#define CHECKS "checks on (figures mean little)"
#endif

#ifdef __OPTIMIZE__
#define OPTIMISED "optimised"
#else
#define OPTIMISED "not optimised"
#endif

#if defined(__AVX512F__)
#define VECTORS "AVX-512"
#elif defined(__AVX2__)
#define VECTORS "AVX2"
#elif defined(BENCH_WIDE_LOOPS)
#define VECTORS "SSE2, loops of fusion AVX2 if the processor has it"
#elif defined(__SSE2__)
#define VECTORS "SSE2"
#elif defined(__ARM_NEON)
#define VECTORS "NEON"
#else
#define VECTORS "no vectors"
#endif

#define FLAGS OPTIMISED ", " CHECKS ", " VECTORS

// ---- Where it runs ----

static void find_cpu_name(char *name, size_t size) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    snprintf(name, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n\"\\"), colon + 2);
            break;
        }
    }
    if (file) fclose(file);
}

static void print_workers(const int32_t *workers, int32_t count, const char *separator) {
    for (int32_t i = 0; i < count; i++) printf("%s%d", i ? separator : "", (int)workers[i]);
}

void bench_report_start(bench_report_t *report, const int32_t *workers, int32_t count) {
    char cpu[128];
    const char *compiler = ecs_get_build_info()->compiler;
    int repeat = report->options->repeat, usable = sched_usable_cpus();
    find_cpu_name(cpu, sizeof cpu);
    switch (report->options->format) {
    case FORMAT_TEXT:
        printf("%s, %s\n%s, %d usable processor(s); benchmarks with workers: ", compiler, FLAGS,
            cpu, usable);
        print_workers(workers, count, ", ");
        printf("\n%d repetitions after one for warm-up%s\n\n", repeat,
            report->options->quick ? "; sizes a tenth, goals not judged" : "");
        printf("%-30s %5s %7s %-12s %9s %9s %6s %9s %6s %9s %8s  %s\n", "name", "row", "workers",
            "unit", "min", "median", "spread", "limit", "ours/l", "base", "base/ours", "goal");
        break;
    case FORMAT_CSV:
        printf("# %s; %s; %s; %d usable processor(s); %d repetitions\n", compiler, FLAGS, cpu,
            usable, repeat);
        puts("name,row,workers,unit,min,median,spread,limit,ours_to_limit,base,base_to_ours,goal,"
             "verdict");
        break;
    case FORMAT_REPORT:
        printf("%s, %s; %s, %d usable processor(s); medians of %d repetitions%s.\n\n", compiler,
            FLAGS, cpu, usable, repeat,
            report->options->quick ? ", sizes a tenth, goals not judged" : "");
        break;
    case FORMAT_JSON:
        printf("{\"compiler\":\"%s\",\"flags\":\"%s\",\"cpu\":\"%s\",\"usable_processors\":%d,"
               "\"workers\":[",
            compiler, FLAGS, cpu, usable);
        print_workers(workers, count, ",");
        printf("],\"repeat\":%d,\"quick\":%s,\"results\":[", repeat,
            report->options->quick ? "true" : "false");
    }
    fflush(stdout);
}

// ---- Goals ----

static void describe_goal(const bench_t *bench, char *text, size_t size) {
    switch (bench->goal_kind) {
    case GOAL_NONE: snprintf(text, size, "-"); break;
    case GOAL_AT_MOST: snprintf(text, size, "<= %g", bench->goal); break;
    case GOAL_OF_LIMIT: snprintf(text, size, "<= %g x limit", bench->goal); break;
    case GOAL_SPEED_UP: snprintf(text, size, ">= %g x faster", bench->goal); break;
    case GOAL_OF_BASE: snprintf(text, size, "<= %g x base", bench->goal); break;
    case GOAL_OVER_BASE: snprintf(text, size, "<= base + %g", bench->goal); break;
    }
}

static bool is_reached(const bench_t *bench, const bench_result_t *result) {
    switch (bench->goal_kind) {
    case GOAL_NONE: return true;
    case GOAL_AT_MOST: return result->median <= bench->goal;
    case GOAL_OF_LIMIT: return result->of_limit <= bench->goal;
    case GOAL_SPEED_UP: return result->speed_up >= bench->goal;
    case GOAL_OF_BASE: return 1 <= bench->goal * result->speed_up;
    case GOAL_OVER_BASE: return result->median <= result->base + bench->goal;
    }
    return false;
}

// Goals were set for full sizes, and those of speed for two workers that have a processor each.
static bench_verdict_t judge(
    const bench_report_t *report, const bench_t *bench, const bench_result_t *result) {
    bool crowded = result->workers > sched_usable_cpus();
    bool other_count = bench->goal_kind == GOAL_SPEED_UP && result->workers > 2;
    if (bench->goal_kind == GOAL_NONE || report->options->quick || crowded || other_count) {
        return VERDICT_NONE;
    }
    return is_reached(bench, result) ? VERDICT_REACHED : VERDICT_MISSED;
}

static void note(bench_report_t *report, const bench_t *bench, const bench_result_t *result,
    bench_verdict_t verdict) {
    report->done = realloc(report->done, (size_t)(report->done_count + 1) * sizeof *report->done);
    if (!report->done) abort();
    report->done[report->done_count++] = (bench_done_t){ bench, *result, verdict };
    report->judged += verdict != VERDICT_NONE;
    report->reached += verdict == VERDICT_REACHED;
    double of_base = result->speed_up > 0 ? 1 / result->speed_up : 0;
    if (bench->goal_kind == GOAL_OF_BASE && of_base > report->worst_of_base) {
        report->worst_of_base = of_base;
        report->worst_name = bench->name;
    }
}

// ---- Results ----

// Three or four digits that count, in `width` columns; a dash for what was not measured.
static void print_number(double value, int width) {
    double size = value < 0 ? -value : value;
    int digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
    if (value == 0) {
        printf(" %*s", width, "-");
    } else {
        printf(" %*.*f", width, digits, value);
    }
}

static void print_text(
    const bench_t *bench, const bench_result_t *result, const char *goal, bench_verdict_t verdict) {
    static const char *const words[] = { "", ": reached", ": MISSED" };
    printf("%-30s %5s", bench->name, bench->row);
    if (result->workers) {
        printf(" %7d", (int)result->workers);
    } else {
        printf(" %7s", "-");
    }
    printf(" %-12s", bench->unit);
    print_number(result->min, 9);
    print_number(result->median, 9);
    printf(" %4.0f %%", 100 * result->spread);
    print_number(result->limit, 9);
    print_number(result->of_limit, 6);
    print_number(result->base, 9);
    print_number(result->speed_up, 9);
    printf("  %s%s\n", goal, words[verdict]);
}

static void print_data(const bench_report_t *report, const bench_t *bench,
    const bench_result_t *result, const char *goal, bench_verdict_t verdict) {
    static const char *const words[] = { "", "reached", "missed" };
    const char *format =
        report->options->format == FORMAT_CSV
            ? "%s%s,%s,%d,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%s,%s\n"
            : "%s{\"name\":\"%s\",\"row\":\"%s\",\"workers\":%d,\"unit\":\"%s\",\"min\":%.4f,"
              "\"median\":%.4f,\"spread\":%.4f,\"limit\":%.4f,\"ours_to_limit\":%.4f,"
              "\"base\":%.4f,\"base_to_ours\":%.4f,\"goal\":\"%s\",\"verdict\":\"%s\"}";
    const char *separator = report->options->format == FORMAT_JSON && report->done_count ? "," : "";
    printf(format, separator, bench->name, bench->row, (int)result->workers, bench->unit,
        result->min, result->median, result->spread, result->limit, result->of_limit, result->base,
        result->speed_up, goal, words[verdict]);
}

void bench_report_result(
    bench_report_t *report, const bench_t *bench, const bench_result_t *result) {
    char goal[64];
    bench_verdict_t verdict = judge(report, bench, result);
    describe_goal(bench, goal, sizeof goal);
    if (report->options->format == FORMAT_TEXT) {
        print_text(bench, result, goal, verdict);
    } else if (report->options->format != FORMAT_REPORT) {
        print_data(report, bench, result, goal, verdict);
    }
    note(report, bench, result, verdict);
    fflush(stdout);
}

// ---- The table of goals ----

static void print_cell(double value, const char *unit) {
    if (value == 0) {
        printf(" -");
    } else {
        print_number(value, 0);
        printf("%s", unit);
    }
    printf(" |");
}

static void print_done(const bench_done_t *done) {
    static const char *const words[] = { "-", "pass", "short" };
    const bench_result_t *result = &done->result;
    char goal[64];
    describe_goal(done->bench, goal, sizeof goal);
    printf("| | `%s`", done->bench->name);
    if (result->workers) printf(", %d workers", (int)result->workers);
    printf(" (%s) | | | |", done->bench->unit);
    print_cell(result->limit, "");
    print_cell(result->median, "");
    print_cell(result->of_limit, "");
    print_cell(result->speed_up, "");
    printf(" %s | %s |\n", goal, words[done->verdict]);
}

static void print_row(const bench_report_t *report, const bench_row_t *row) {
    bool has_any = false;
    for (int32_t i = 0; i < report->done_count; i++) {
        const bench_done_t *done = &report->done[i];
        if (strcmp(done->bench->row, row ? row->number : "") != 0) continue;
        if (!has_any && row) {
            printf("| %s | **%s** | %s | %s | %s | %s | | | | %s | |\n", row->number, row->work,
                row->flecs, row->entt, row->gaia, row->limit, row->goal);
        } else if (!has_any) {
            puts("| | **more** | | | | | | | | | |");
        }
        has_any = true;
        print_done(done);
    }
}

static void print_table(const bench_report_t *report) {
    puts("| row | work | Flecs 4.1.6 | EnTT 4.0 | gaia 0.9 | limit | ours | ours / limit | base / "
         "ours | goal | |\n|---|---|---|---|---|---|---|---|---|---|---|");
    for (int32_t i = 0; i < BENCH_ROWS; i++) print_row(report, &bench_table[i]);
    print_row(report, NULL);
    printf(
        "\nBold lines: the table's own figures, measured on another machine (demos/bench/bench_table.c)."
        " Others: this run. ");
}

void bench_report_end(bench_report_t *report) {
    if (report->options->format == FORMAT_JSON) puts("]}");
    if (report->options->format == FORMAT_REPORT) print_table(report);
    if (report->options->format == FORMAT_CSV || report->options->format == FORMAT_JSON) return;
    if (report->worst_name) {
        printf("\nworlds too small for workers: with workers at most %.3f x the time of one (%s)\n",
            report->worst_of_base, report->worst_name);
    }
    if (report->judged) {
        printf("%d of %d goals reached\n", (int)report->reached, (int)report->judged);
    }
}

void bench_report_about(const bench_t *bench) {
    char goal[64];
    describe_goal(bench, goal, sizeof goal);
    printf("%-30s %5s  %s [%s%s]\n", bench->name, bench->row, bench->about, bench->unit,
        bench->with_workers ? ", with workers" : "");
    const char *base_is = bench->base_is        ? bench->base_is
                          : bench->with_workers ? "one worker"
                                                : "-";
    printf("%37s limit: %s; base: %s; goal: %s\n", "", bench->limit_is ? bench->limit_is : "-",
        base_is, goal);
}
