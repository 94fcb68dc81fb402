// SPDX-License-Identifier: MIT
// cli: the command line that all demos share.
#ifndef DEMO_CLI_H
#define DEMO_CLI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLI_WORKERS_LIMIT 128

typedef struct {
    int32_t entities;                 // 0: as the demo decides
    int32_t ticks;                    // 0: as the demo decides
    int32_t min_workers, max_workers; // 0: as the demo decides
    uint64_t seed;
    const char *input; // NULL: as the demo decides; borrowed from argv
    const char *trace; // NULL: none; the same
    bool check, json, tail, noise, predict;
} cli_options_t;

typedef enum {
    CLI_RUN,  // options are filled in
    CLI_HELP, // the help text was printed; exit with 0
    CLI_BAD   // a sentence was printed; exit with 2
} cli_outcome_t;

/** Parse the command line; `about` is the first line of the help text. */
cli_outcome_t cli_parse(int argc, char **argv, const char *about, cli_options_t *options);

#ifdef __cplusplus
}
#endif
#endif
