// SPDX-License-Identifier: MIT
// random: see random.h.
#include "support/random.h"

#include "support/test.h"

#include <stdlib.h>

uint64_t random_seed(void) {
    const char *text = getenv("MUSTER_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : 20260101;
    print_message("seed %llu (MUSTER_TEST_SEED)\n", (unsigned long long)seed);
    return seed;
}

int random_tries(int count) {
    const char *text = getenv("MUSTER_TEST_SCALE");
    int scale = text ? atoi(text) : 1;
    return (scale > 1 ? count * scale : count) / (is_instrumented() ? 5 : 1);
}
