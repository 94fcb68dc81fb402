// SPDX-License-Identifier: MIT
// bench: what a benchmark is, and what the harness offers to it.
//
// A benchmark is a row of a table. It measures one thing of ours, and in the same repetitions up to
// two others to compare with: the limit (the same work written by hand) and the base (ours in
// another way: with one worker, without queries, ...). The harness interleaves them, so that a
// change of the machine's mood meets all of them:
//
//     setup   ours limit base   base limit ours   ours limit base ...   teardown
//             dropped: warm-up
//
// Measuring functions return the cost per operation in the unit of the benchmark and take the time
// themselves, so they can prepare what is not to be timed. They verify what they did, or leave that
// to teardown: bench_wrong() makes the program fail.
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Inner loops over many values, by hand and in systems alike, exist twice and take what the processor has, so that they show what a
// machine can do in a build for all machines. Needs help from the loader, and sanitizers cannot start so early.
#if defined(__OPTIMIZE__) && defined(__x86_64__) && defined(__gnu_linux__) &&      \
    !defined(__AVX2__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BENCH_WIDE __attribute__((target_clones("avx2", "default")))
#define BENCH_WIDE_LOOPS
#else
#define BENCH_WIDE
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_t bench_t;

typedef struct {
    const bench_t *bench;
    bool quick;      // sizes are a tenth
    int32_t workers; // to be used now, the caller included
    void *state;     // belongs to the benchmark
    char problem[256];
} bench_run_t;

typedef double (*bench_measure_t)(bench_run_t *run);

typedef enum {
    GOAL_NONE,
    GOAL_AT_MOST,   // units
    GOAL_OF_LIMIT,  // times the limit
    GOAL_SPEED_UP,  // base / ours, at least; with workers: for two of them
    GOAL_OF_BASE,   // times the base
    GOAL_OVER_BASE, // units more than the base
} bench_goal_kind_t;

struct bench_t {
    const char *name;     // subject/case, what the filter looks at
    const char *row;      // of the project's table of goals; "" if none
    const char *unit;     // of what is measured, per operation; smaller is better
    const char *about;    // one sentence
    const char *limit_is; // what `limit` and `base` do, one phrase each
    const char *base_is;
    bench_goal_kind_t goal_kind;
    double goal;
    void (*setup)(bench_run_t *run); // or NULL
    bench_measure_t ours;
    bench_measure_t limit; // or NULL
    bench_measure_t base;  // or NULL; then benchmarks with workers compare with one worker
    void (*teardown)(bench_run_t *run); // or NULL
    bool with_workers;                  // measured with each worker count of --threads
    int32_t
        more; // times as many repetitions, where few are short beside what disturbs them; 0 is 1
    int64_t size, variant; // for the benchmark itself
};

/** The benchmarks of a subject; each list ends with one without name. */
extern const bench_t bench_iterate[], bench_queries[], bench_tick[], bench_tiny[], bench_scaling[],
    bench_fusion[], bench_pool[], bench_commands[], bench_entities[], bench_observers[],
    bench_lifetimes[], bench_hierarchy[], bench_joins[], bench_beside[], bench_sort[],
    bench_worlds[], bench_size[];

/** Nanoseconds on a clock that only goes forward. */
double bench_now(void);

/** A size, or a tenth of it with --quick. */
int32_t bench_scale(const bench_run_t *run, int32_t size);

/** Say that a result is wrong; the first sentence of a run is kept. */
void bench_wrong(bench_run_t *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Zeroed memory at a cache line, in huge pages if it is large, like the columns of tables; all
 * pages are present. Ends the program with a sentence if there is none. Release with free. */
void *bench_array(size_t count, size_t size);

/** The numbers 0 ... count - 1 in a random order that is always the same. Release with free. */
int32_t *bench_shuffled(int32_t count);

/** Of sorted values, between two of them if need be; `part` 0 to 1. */
double bench_percentile(const double *values, int32_t count, double part);
/** The same at 0.5; sorts the values. */
double bench_median(double *values, int32_t count);

/** Let the compiler believe that a value is used. */
static inline void bench_keep(int64_t value) { __asm__ volatile("" : : "r"(value) : "memory"); }

#ifdef __cplusplus
}
#endif
#endif
