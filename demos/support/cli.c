// SPDX-License-Identifier: MIT
// cli: see cli.h. A flag and its value may be two words or one: `--ticks 10`, `--ticks=10`.
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *program;
    char **at; // the word being read; the list ends with NULL
    cli_options_t *options;
    bool ok;
} parser_t;

static void print_help(const char *program, const char *about) {
    printf("%s: %s\n\n"
           "  --entities <n>     how many entities\n"
           "  --ticks <n>        how many ticks\n"
           "  --threads <n|a..b> worker counts to run with; default 1, 2, 4 ... usable cores\n"
           "  --seed <n>         seed of everything random; default 1\n"
           "  --input <file>     read this file instead of the one that comes with the demo\n"
           "  --check            run the scenes with a known result instead of the timed ones\n"
           "  --tail             print how long the slowest ticks take, and why\n"
           "  --noise            the same beside a thread that keeps the memory busy\n"
           "  --trace <file>     write ten ticks of the last run for chrome://tracing or Perfetto\n"
           "  --predict          print what ticks would take with other numbers of workers\n"
           "  --json             print one JSON object instead of tables\n"
           "  --help             print this\n\n"
           "Exit status: 0 all well, 1 a result is wrong, 2 bad arguments or input.\n",
        program, about);
}

static void complain(parser_t *parser, const char *flag, const char *problem) {
    if (parser->ok) {
        fprintf(stderr, "%s: %s %s; see --help\n", parser->program, flag, problem);
    }
    parser->ok = false;
}

// The value of `flag` if the current word is that flag, else NULL.
static const char *value_of(parser_t *parser, const char *flag) {
    size_t length = strlen(flag);
    const char *word = *parser->at;
    if (strncmp(word, flag, length) != 0) {
        return NULL;
    }
    if (word[length] == '=') {
        return word + length + 1;
    }
    if (word[length] != '\0') {
        return NULL;
    }
    if (!parser->at[1]) {
        complain(parser, flag, "needs a value");
        return "";
    }
    return *++parser->at;
}

// A decimal number in [1, limit] and what follows it; 0 if there is none.
static int32_t count_in(const char *text, int32_t limit, const char **rest) {
    int32_t count = 0;
    for (*rest = text; isdigit((unsigned char)**rest); ++*rest) {
        int32_t digit = **rest - '0';
        if (count > (limit - digit) / 10) {
            return 0;
        }
        count = 10 * count + digit;
    }
    return count;
}

static bool read_count(parser_t *parser, const char *flag, int32_t *count) {
    const char *rest, *value = value_of(parser, flag);
    if (!value) {
        return false;
    }
    *count = count_in(value, INT32_MAX, &rest);
    if (*count == 0 || *rest) {
        complain(parser, flag, "needs a whole number from 1 to 2147483647");
    }
    return true;
}

static bool read_workers(parser_t *parser) {
    const char *rest, *value = value_of(parser, "--threads");
    if (!value) {
        return false;
    }
    cli_options_t *options = parser->options;
    options->min_workers = options->max_workers = count_in(value, CLI_WORKERS_LIMIT, &rest);
    if (strncmp(rest, "..", 2) == 0) {
        options->max_workers = count_in(rest + 2, CLI_WORKERS_LIMIT, &rest);
    }
    if (*rest || options->min_workers == 0 || options->max_workers < options->min_workers) {
        complain(parser, "--threads", "needs n or a..b, with 1 <= a <= b <= 128");
    }
    return true;
}

static bool read_seed(parser_t *parser) {
    const char *value = value_of(parser, "--seed");
    if (!value) {
        return false;
    }
    char *rest;
    errno = 0;
    parser->options->seed = strtoull(value, &rest, 0);
    if (!isdigit((unsigned char)value[0]) || *rest || errno) {
        complain(parser, "--seed", "needs a whole number from 0 to 18446744073709551615");
    }
    return true;
}

static bool read_file_name(parser_t *parser, const char *flag, const char **name) {
    const char *value = value_of(parser, flag);
    if (!value) {
        return false;
    }
    *name = value;
    if (!*value) {
        complain(parser, flag, "needs the name of a file");
    }
    return true;
}

static bool read_switch(const parser_t *parser, const char *flag, bool *on) {
    bool found = strcmp(*parser->at, flag) == 0;
    *on = *on || found;
    return found;
}

static bool read_word(parser_t *parser) {
    cli_options_t *options = parser->options;
    return read_count(parser, "--entities", &options->entities) ||
           read_count(parser, "--ticks", &options->ticks) || read_workers(parser) ||
           read_seed(parser) || read_file_name(parser, "--input", &options->input) ||
           read_file_name(parser, "--trace", &options->trace) ||
           read_switch(parser, "--predict", &options->predict) ||
           read_switch(parser, "--check", &options->check) ||
           read_switch(parser, "--tail", &options->tail) ||
           read_switch(parser, "--noise", &options->noise) ||
           read_switch(parser, "--json", &options->json);
}

cli_outcome_t cli_parse(int argc, char **argv, const char *about, cli_options_t *options) {
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
    *options = (cli_options_t){ .seed = 1 };
    parser_t parser = { .program = slash      ? slash + 1
                                   : argc > 0 ? argv[0]
                                              : "demo",
        .options = options,
        .ok = true };
    if (argc < 2) {
        return CLI_RUN;
    }
    for (parser.at = argv + 1; *parser.at && parser.ok; parser.at++) {
        if (strcmp(*parser.at, "--help") == 0) {
            print_help(parser.program, about);
            return CLI_HELP;
        }
        if (!read_word(&parser)) {
            complain(&parser, *parser.at, "is not a flag of this program");
        }
    }
    if (options->check && (options->entities || options->ticks || options->input)) {
        complain(&parser, "--check",
            "runs fixed scenes, so it goes without --entities, --ticks "
            "and --input");
    }
    options->tail |= options->noise;
    if (options->tail && options->json) complain(&parser, "--tail", "does not go with --json");
    if (options->predict && options->json)
        complain(&parser, "--predict", "does not go with --json");
    return parser.ok ? CLI_RUN : CLI_BAD;
}
