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
