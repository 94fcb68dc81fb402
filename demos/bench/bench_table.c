// SPDX-License-Identifier: MIT
// bench_table: the table of goals, with what neighbours need for the same work.
//
// Figures of the neighbours and their limits were measured in one sitting on a 2-core virtual
// machine (Zen 5 class, 4.1 GHz), gcc 12 -O3 -march=native: nanoseconds per operation or entity
// unless stated. They are here for orientation; the limit that counts is measured beside ours.
#include "bench_table.h"

#include <stdint.h>
#include <string.h>

// clang-format off
const bench_row_t bench_table[BENCH_ROWS] = {
    { "1", "create + 2 components, memory warm",
      "66.8", "27.6", "465", "-", "<= 20" },
    { "2", "bulk create with data, warm",
      "6.8 (huge pages 2.3)", "17.5", "113", "~0.6", "<= 2.5" },
    { "3", "delete, 4 components: creation order / random",
      "17.8 / 240", "48 / 413", "521 / 744", "~5-13", "<= 12 / <= 60" },
    { "4", "add or remove a component, 1 other / 4 others",
      "23.7 / 38", "8.7 / 7.6", "117 / 131", "1.9 / ~4", "<= 8 / <= 11" },
    { "5", "same, random over 1 M, 4 others",
      "152", "7-11", "196", "12.9", "<= 35" },
    { "6", "get: 10 k shuffled / 1 M shuffled",
      "3.1 / 35.8", "3.5 / 20", "74 / 398", "- / 5.3", "<= 2 / <= 12" },
    { "7", "set: 10 k shuffled / 1 M shuffled",
      "9.5 / 72", "3.9 / 8.9", "115 / 321", "-", "<= 3.5 / <= 14" },
    { "8", "alive check, random 1 M",
      "29.6", "4.9", "49.8", "~3-5", "<= 5" },
    { "9", "iterate p += v: 1 table / 1 000 / 10 000 tables",
      "0.17 / 0.30 / 1.00", "2.47", "0.27 / 0.41 / 2.56", "0.17 / 0.17 / 0.21", "<= 1.03 x / 1.15 x / 1.5 x limit" },
    { "10", "per table of one entity with 2 fields: cached / uncached",
      "9.9 / 13.3", "-", "18.8 / 384", "3.2", "<= 4 / <= 6" },
    { "11", "begin + end of an iteration: cached / uncached",
      "31.9 / 54.7", "6.8", "290", "~1", "<= 6 / <= 20" },
    { "12", "create + destroy a cached query that matches nothing, 10 k tables",
      "43.6 us", "-", "82 us", "~1 us", "<= 1.5 us" },
    { "13", "create a table while 1 000 queries share an id, 1 matches / all match",
      "19 / 287 us", "-", "- / 232 us", "~1.2 us / -", "<= 2 / <= 60 us" },
    { "14", "100 k children of 1 000 parents: build / delete parents, per child",
      "80 / 13.5", "42 / 26", "161 / 1 335", "-", "<= 35 / <= 10" },
    { "15", "depth-8 trees, 109 k nodes, ChildOf: build per node / memory",
      "15 800 / 800 MB", "56", "4 110", "-", "<= 150 / <= 60 MB" },
    { "16", "transforms down those trees by cascade, per node",
      "87.8", "5.6", "145", "~1", "<= 8" },
    { "17", "ships docked at planets (variable join), per result",
      "80", "-", "-", "-", "<= 15" },
    { "18", "the same with the planet preset, per call",
      "15 900 or 184, by term order", "-", "-", "-", "<= 150 in any term order" },
    { "19", "first observer on add / on set; each further one",
      "+24 / +27; +3.7", "+0.8 / +0.8", "+246", "~1.5", "<= +6; <= +3" },
    { "20", "deferred, record + flush: add / set existing / set new / delete",
      "34.6 / 20.3 / 58 / 22.3", "-", "69 / 61", "~2.7 / 1.4", "<= 9 / <= 4 / <= 14 / <= 12" },
    { "21", "deferred new + 2 sets per entity",
      "166-336", "-", "23 165", "-", "<= 45" },
    { "22", "sort 1 M by int: first / after 1 % changed / after one changed",
      "347 / 138 / 56 ms", "278 / 123 / 7 ms", "24 750 ms", "5.4 / ~2 / ~0.3 ms", "<= 15 / <= 4 / <= 0.4 ms" },
    { "23", "empty tick / per trivial system (100 systems)",
      "230 / 62.9 (clang 32.8)", "-", "180 / 501", "~5", "<= 60 / <= 12" },
    { "24", "2 workers, one tiny multithreaded system, per tick",
      "34 us (serial 0.35)", "-", "1.1 us", "0.09 us", "<= serial + 0.1 us" },
    { "25", "2 workers, 1 000 tiny multithreaded systems, per tick",
      "201 us (serial 81)", "-", "44 700 us", "-", "<= serial x 1.02" },
    { "26", "2 workers, 100 systems x 10 k entities, speed-up",
      "0.91 x", "-", "0.17 x", "~2 x", ">= 1.85 x" },
    { "27", "2 workers, compute-bound 1 M: 1 table / 10 000 tables",
      "1.96 / 1.80 x", "-", "1.96 x", "1.95 x", ">= 1.95 / 1.95 x" },
    { "28", "2 workers, skewed: last 10 % cost 10 x / linear",
      "1.10 / 1.18 x", "-", "1.67 x", "1.96 / 1.92 x", ">= 1.93 / 1.90 x" },
    { "29", "2 workers, 20 000 tables of one heavy entity",
      "0.82 x", "-", "-", "~2 x", ">= 1.9 x" },
    { "30", "2 workers, 50 independent read-only systems, unsplit",
      "1.0 x", "-", "0.89 x", "~2 x", ">= 1.85 x" },
    { "31", "2 workers, a system recording 100 k sets",
      "1.09 x", "-", "-", "~2 x", ">= 1.7 x" },
    { "32", "sync point, nothing recorded: 1 worker / 2 workers",
      "0.20 / 49.8 us", "-", "-", "0.09 us", "<= 0.02 / <= 0.3 us" },
    { "33", "ten memory-bound systems over 4 M entities, one worker, against running them one after the other",
      "1 x", "-", "-", "3.9 x (chunks of 512 rows; 3.6 x at 2 048)", ">= 3.2 x" },
    { "34", "memory per entity with 2 x 8 bytes; per one-entity table",
      "48.4 B; 1 636 B", "40.4 B", "87.8 B; 9 329 B", "32 B", "<= 36 B; <= 500 B" },
    { "35", "world creation",
      "671 us (small 101)", "0.14 us", "89 us", "-", "<= 60 us" },
    { "36", "stripped shared library, everything in",
      "1 180 KB", "-", "-", "-", "<= 400 KB" },
};
// clang-format on

const bench_row_t *bench_table_find(const char *number) {
    for (int32_t i = 0; i < BENCH_ROWS; i++) {
        if (strcmp(bench_table[i].number, number) == 0) return &bench_table[i];
    }
    return NULL;
}
