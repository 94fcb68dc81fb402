// SPDX-License-Identifier: MIT
// random: reproducible random numbers for tests.
//
// The seed comes from the environment variable MUSTER_TEST_SEED, else it is fixed. It is printed when
// it is taken, so that a failure found with another seed can be repeated.
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

typedef struct {
    uint64_t state;
} random_t;

/** The seed of this run. Printed by each call. */
uint64_t random_seed(void);

/** How often to try: `count` times the environment variable MUSTER_TEST_SCALE (default 1), less often in
 * instrumented builds. */
int random_tries(int count);

static inline random_t random_init(uint64_t seed) { return (random_t){ seed }; }

/** Next 64 random bits (SplitMix64: a Weyl sequence through a mixer, good for any seed). */
static inline uint64_t random_next(random_t *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/** A number in [0, count). `count` is above 0. */
static inline int32_t random_below(random_t *random, int32_t count) {
    return (int32_t)(((random_next(random) >> 32) * (uint64_t)count) >> 32);
}

#endif
