// SPDX-License-Identifier: MIT
// report: prints what a demo measured, as tables for people or as one JSON object for programs.
#ifndef DEMO_REPORT_H
#define DEMO_REPORT_H

#include "demo.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    bool json;
    int32_t scenes, runs; // printed so far; runs counts those of the current scene
    double first_seconds; // of the first run of the scene: what speed-up compares with
} report_t;

/** Print what was decided: build type, seed, worker counts. */
void report_start(report_t *report, const demo_t *demo, uint64_t seed, const int32_t *workers,
    int32_t count, int32_t cores);
void report_scene(report_t *report, const char *title, const demo_setup_t *setup);
void report_run(report_t *report, const demo_setup_t *setup, const demo_result_t *result);
void report_scene_end(report_t *report, const demo_result_t *result);
void report_end(report_t *report);

#ifdef __cplusplus
}
#endif
#endif
