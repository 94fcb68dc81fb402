// SPDX-License-Identifier: MIT
// bitset: growable array of bits, in words of 64.
//
// A zeroed ecs__bitset_t is a valid empty set. Bits behind `count` in the last word are zero.
#ifndef ECS_BASE_BITSET_H
#define ECS_BASE_BITSET_H

#include "base/assert.h"

typedef struct ecs__bitset_t {
    uint64_t *words;
    int32_t count;    /* bits */
    int32_t capacity; /* words that fit */
} ecs__bitset_t;

void ecs__bitset_fini(ecs__bitset_t *bits);
/** Make the set at least `count` bits long; new bits are clear. */
void ecs__bitset_ensure(ecs__bitset_t *bits, int32_t count);
/** Make the set exactly `count` bits long; new bits are clear. */
void ecs__bitset_resize(ecs__bitset_t *bits, int32_t count);
/** First set bit at or behind `from`; -1 if there is none. */
int32_t ecs__bitset_next(const ecs__bitset_t *bits, int32_t from);

/** Whether a bit is set; bits behind the end are not. */
static inline bool ecs__bitset_get(const ecs__bitset_t *bits, int32_t index) {
    return index < bits->count && ((bits->words[index >> 6] >> (index & 63)) & 1);
}

static inline void ecs__bitset_set(ecs__bitset_t *bits, int32_t index) {
    ecs__assert(index >= 0 && index < bits->count, "bit %d of %d", index, bits->count);
    bits->words[index >> 6] |= 1ull << (index & 63);
}

static inline void ecs__bitset_clear(ecs__bitset_t *bits, int32_t index) {
    ecs__assert(index >= 0 && index < bits->count, "bit %d of %d", index, bits->count);
    bits->words[index >> 6] &= ~(1ull << (index & 63));
}

static inline void ecs__bitset_put(ecs__bitset_t *bits, int32_t index, bool value) {
    if (value) {
        ecs__bitset_set(bits, index);
    } else {
        ecs__bitset_clear(bits, index);
    }
}

#endif
