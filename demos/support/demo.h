// SPDX-License-Identifier: MIT
// demo: runs the scenes of a demo with several worker counts, compares and reports.
//
// A demo is a list of scenes. A scene is a function that builds a world, ticks it with a given
// number of workers, verifies what came out, and fills in a result. demo_main does everything
// around that: command line, worker counts, the table of results, and the comparison of checksums,
// which must not depend on the worker count.
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a scene is asked to do in one run. */
typedef struct {
    int32_t entities, ticks, workers;
    uint64_t seed;
    const char *input; // the file the user named, or NULL
    const char *data;  // the file that comes with the demo, or NULL
} demo_setup_t;

/** What came out of one run. */
typedef struct {
    int64_t entities;     // alive at the end
    int64_t entity_ticks; // entities summed over all ticks
    double seconds;       // spent ticking
    uint64_t checksum;    // of the world and of what was measured in it
    char verdict[256];    // one sentence: what was compared with a known result
} demo_result_t;

typedef struct {
    const char *title;
    /** Returns 0, or what demo_wrong or demo_bad_input returned. */
    int (*run)(const demo_setup_t *setup, demo_result_t *result);
    int32_t entities, ticks; // used unless the command line says otherwise
    const char *data;        // name of a file in demos/data, or NULL
} demo_scene_t;

typedef struct {
    const char *name, *about;
    const demo_scene_t *scenes; // timed; the list ends with a scene without title
    const demo_scene_t *checks; // for --check: short, with results known in advance
    bool takes_input;           // whether --input means anything
} demo_t;

/** Run everything and print it; the exit status of the program. */
int demo_main(const demo_t *demo, int argc, char **argv);

/** Say that a result is wrong. Always 1. */
int demo_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Say that arguments or input are bad. Always 2. */
int demo_bad_input(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Seconds on a clock that only goes forward. */
double demo_now(void);

/** A number in [0, 1) and the next state; for scenes that are set up before systems run. */
double demo_random(uint64_t *state);

/** Zeroed memory; ends the program with a sentence if there is none. Release with free. */
void *demo_alloc(size_t count, size_t size);

#ifdef __cplusplus
}
#endif
#endif
