// SPDX-License-Identifier: MIT
// random: the hash behind ecs_iter_random.
#ifndef RT_TICK_RANDOM_H
#define RT_TICK_RANDOM_H

#include <stdint.h>

/** A number that looks unrelated to `x`, always the same for the same `x`. */
uint64_t rt__mix(uint64_t x);

#endif
