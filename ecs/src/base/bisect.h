// SPDX-License-Identifier: MIT
// bisect: finds the first position for which something no longer holds, in a range where it holds up to there.
//
//   ecs__bisect_t search = ecs__bisect(0, count);
//   while (ecs__bisect_asks(&search)) ecs__bisect_answer(&search, array[search.at] < value);
//   search.low is the first that is not less, or count
//
// A gallop asks near the beginning first, and further on by steps that double: O(log of the distance).
#ifndef ECS_BASE_BISECT_H
#define ECS_BASE_BISECT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ecs__bisect_t {
    int32_t low, high; /* it holds below low, and not from high on */
    int32_t at;        /* what is asked for */
    int32_t step;      /* of a gallop that has not passed the position yet; else 0 */
} ecs__bisect_t;

static inline ecs__bisect_t ecs__bisect(int32_t low, int32_t high) {
    return (ecs__bisect_t){ .low = low, .high = high };
}

static inline ecs__bisect_t ecs__gallop(int32_t low, int32_t high) {
    return (ecs__bisect_t){ .low = low, .high = high, .step = 1 };
}

static inline bool ecs__bisect_asks(ecs__bisect_t *search) {
    const int32_t left = search->high - search->low;
    bool is_step = search->step && search->step <= left;
    search->at = search->low + (is_step ? search->step - 1 : left / 2);
    return left > 0;
}

static inline void ecs__bisect_answer(ecs__bisect_t *search, bool holds) {
    search->low = holds ? search->at + 1 : search->low;
    search->high = holds ? search->high : search->at;
    search->step = holds && search->step < 1 << 29 ? 2 * search->step : 0;
}

#endif
