// SPDX-License-Identifier: MIT
// report: see report.h. Titles and verdicts come from the demos and contain nothing JSON must
// escape.
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#ifdef NDEBUG
#define BUILD "release"
#else
#define BUILD "debug"
#endif

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor) TEXT_OF(major) "." TEXT_OF(minor)

#if defined(__clang__)
#define COMPILER "clang " VERSION_TEXT(__clang_major__, __clang_minor__)
#elif defined(__GNUC__)
#define COMPILER "gcc " VERSION_TEXT(__GNUC__, __GNUC_MINOR__)
#else
#define COMPILER "an unknown compiler"
#endif

void report_start(report_t *report, const demo_t *demo, uint64_t seed, const int32_t *workers,
    int32_t count, int32_t cores) {
    printf(report->json ? "{\"demo\":\"%s\",\"build\":\"" BUILD "\",\"compiler\":\"" COMPILER "\""
                          ",\"seed\":%" PRIu64 ",\"cores\":%d,\"scenes\":["
                        : "%s: " BUILD " build by " COMPILER ", seed %" PRIu64
                          ", %d usable core(s), workers",
        demo->name, seed, (int)cores);
    if (!report->json) {
        for (int32_t i = 0; i < count; i++) {
            printf(" %d", (int)workers[i]);
        }
        printf("\n");
    }
}

void report_scene(report_t *report, const char *title, const demo_setup_t *setup) {
    if (report->json) {
        printf("%s{\"title\":\"%s\",\"ticks\":%d,\"runs\":[", report->scenes ? "," : "", title,
            (int)setup->ticks);
    } else {
        printf("\n%s, %d ticks%s%s\n", title, (int)setup->ticks, setup->input ? ", " : "",
            setup->input ? setup->input : "");
        printf("%8s %12s %12s %16s %9s  %s\n", "workers", "entities", "ticks/s", "ns/entity/tick",
            "speed-up", "checksum");
    }
    report->scenes++;
    report->runs = 0;
    fflush(stdout);
}

void report_run(report_t *report, const demo_setup_t *setup, const demo_result_t *result) {
    if (report->runs == 0) {
        report->first_seconds = result->seconds;
    }
    double seconds = result->seconds > 0 ? result->seconds : 1e-9;
    double updates = result->entity_ticks > 0 ? (double)result->entity_ticks : 1;
    double ticks_per_s = setup->ticks / seconds;
    double cost_ns = seconds * 1e9 / updates;
    double speed_up = report->first_seconds / seconds;
    if (report->json) {
        printf("%s{\"workers\":%d,\"entities\":%" PRId64 ",\"ticks_per_s\":%.3f"
               ",\"ns_per_entity_tick\":%.3f,\"speed_up\":%.3f,\"checksum\":\"%016" PRIx64 "\"}",
            report->runs ? "," : "", (int)setup->workers, result->entities, ticks_per_s, cost_ns,
            speed_up, result->checksum);
    } else {
        printf("%8d %12" PRId64 " %12.1f %16.2f %9.2f  %016" PRIx64 "\n", (int)setup->workers,
            result->entities, ticks_per_s, cost_ns, speed_up, result->checksum);
    }
    report->runs++;
    fflush(stdout);
}

void report_scene_end(report_t *report, const demo_result_t *result) {
    printf(report->json ? "],\"verdict\":\"%s\"}" : "right: %s\n", result->verdict);
}

void report_end(report_t *report) {
    if (report->json) {
        printf("]}\n");
    }
}
