// SPDX-License-Identifier: MIT
// bench_options: see bench_options.h. A flag and its value may be two words or one.
#include "bench_options.h"

#include <muster.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 1000 };

static void print_help(void) {
    puts("bench: what things cost, beside the same work written by hand\n\n"
         "  bench [flags] [name ...]   run the benchmarks whose name contains one of the words\n\n"
         "  --list             print names, rows of the table of goals, and what is measured\n"
         "  --threads <n|a..b> worker counts for benchmarks with workers; default 2, 4, 8 ...\n"
         "                     usable processors\n"
         "  --growth           instead measure how costs grow with the size of the world\n"
         "  --repeat <n>       counted repetitions; default 10, with --quick 3\n"
         "  --quick            a tenth of the size; goals are not judged\n"
         "  --csv              print comma-separated values\n"
         "  --json             print one JSON object\n"
         "  --report           print the table of goals with what neighbours need, as Markdown\n"
         "  --compare <file>   afterwards print what changed beyond noise since a file made with\n"
         "                     --json\n"
         "  --help             print this\n\n"
         "Columns: ours (minimum, median, spread = (90th - 10th percentile) / median), the limit\n"
         "(median of the same work written by hand) and ours / limit, the base (ours in another\n"
         "way, see --list; with workers: one worker) and base / ours. Ratios are medians over\n"
         "repetitions in which all were measured in turn.\n\n"
         "Exit status: 0 all well, 1 a result is wrong, 2 bad arguments.");
}

static int complain(const char *flag, const char *problem) {
    fprintf(stderr, "bench: %s %s; see --help\n", flag, problem);
    return 2;
}

// The value of `flag` if the word at `*at` is that flag, else NULL; "" if the value is missing.
static const char *value_of(char **argv, int *at, const char *flag) {
    size_t length = strlen(flag);
    const char *word = argv[*at];
    if (strncmp(word, flag, length) != 0) return NULL;
    if (word[length] == '=') return word + length + 1;
    if (word[length] != '\0') return NULL;
    return argv[*at + 1] ? argv[++*at] : "";
}

static int32_t read_count(const char *text, int32_t most, char **rest) {
    long count = *text >= '0' && *text <= '9' ? strtol(text, rest, 10) : 0;
    return count >= 1 && count <= most ? (int32_t)count : 0;
}

static int read_workers(const char *text, bench_options_t *options) {
    char *rest = "";
    options->min_workers = options->max_workers = read_count(text, SCHED_MAX_WORKERS, &rest);
    if (options->min_workers && strncmp(rest, "..", 2) == 0) {
        options->max_workers = read_count(rest + 2, SCHED_MAX_WORKERS, &rest);
    }
    bool good = options->min_workers && options->max_workers >= options->min_workers && !*rest;
    return good ? -1 : complain("--threads", "needs n or a..b, with 1 <= a <= b <= 64");
}

static int read_repeat(const char *text, bench_options_t *options) {
    char *rest = "";
    options->repeat = read_count(text, MOST_REPEATS, &rest);
    return options->repeat && !*rest ? -1 : complain("--repeat", "needs a number from 1 to 1000");
}

static bool read_switch(const char *word, bench_options_t *options) {
    if (strcmp(word, "--list") == 0) return options->list = true;
    if (strcmp(word, "--growth") == 0) return options->growth = true;
    if (strcmp(word, "--quick") == 0) return options->quick = true;
    if (strcmp(word, "--csv") == 0) return options->format = FORMAT_CSV, true;
    if (strcmp(word, "--json") == 0) return options->format = FORMAT_JSON, true;
    if (strcmp(word, "--report") == 0) return options->format = FORMAT_REPORT, true;
    return false;
}

static int read_compare(const char *file, bench_options_t *options) {
    options->compare = file;
    return *file ? -1 : complain("--compare", "needs a file made with --json");
}

static int read_word(char **argv, int *at, bench_options_t *options) {
    const char *value;
    if (strcmp(argv[*at], "--help") == 0) return print_help(), 0;
    if (read_switch(argv[*at], options)) return -1;
    if ((value = value_of(argv, at, "--threads"))) return read_workers(value, options);
    if ((value = value_of(argv, at, "--repeat"))) return read_repeat(value, options);
    if ((value = value_of(argv, at, "--compare"))) return read_compare(value, options);
    if (argv[*at][0] == '-') return complain(argv[*at], "is not a flag of this program");
    options->filters[options->filter_count++] = argv[*at];
    return -1;
}

int bench_options_parse(int argc, char **argv, bench_options_t *options) {
    *options = (bench_options_t){ .filters = argv + 1 }; // filters move to the front
    for (int at = 1; at < argc; at++) {
        int status = read_word(argv, &at, options);
        if (status >= 0) return status;
    }
    if (!options->repeat) options->repeat = options->quick ? 3 : 10;
    return -1;
}

bool bench_options_match(const bench_options_t *options, const char *name) {
    for (int32_t i = 0; i < options->filter_count; i++) {
        if (strstr(name, options->filters[i])) return true;
    }
    return options->filter_count == 0;
}
