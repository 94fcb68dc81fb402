// SPDX-License-Identifier: MIT
// slots: open-addressing index shared by the hash maps, from a hash tag to a position in a dense
// array.
//
// A slot is {tag:32, position + 1:32}; 0 is empty. The home of a tag is its top bits. Probing is
// linear, the table is at most three quarters full, and deletion shifts followers back, so there
// are no tombstones and a map of steady size never allocates. Which positions exist is the owner's
// business.
#ifndef ECS_BASE_SLOTS_H
#define ECS_BASE_SLOTS_H

#include <muster/ecs/ds/map.h>
#include "base/assert.h"

#define ECS__SLOTS_MIN_BITS 3

/** Entries that fit a table of `slot_count` slots. */
static inline int32_t ecs__slots_limit(uint32_t slot_count) {
    return (int32_t)(slot_count - slot_count / 4);
}

/** Bits of a slot count whose limit is at least `count`. */
static inline uint32_t ecs__slots_bits(int32_t count) {
    uint32_t bits = ECS__SLOTS_MIN_BITS;
    while (ecs__slots_limit(1u << bits) < count) {
        bits++;
    }
    return bits;
}

/** Use a zeroed array of 2^bits slots. */
static inline void ecs__slots_use(ecs_map_slots_t *slots, uint64_t *array, uint32_t bits) {
    slots->array = array;
    slots->mask = (1u << bits) - 1;
    slots->shift = 32 - bits;
}

/** Add a position that is not in the table yet; there must be room. */
static inline void ecs__slots_add(ecs_map_slots_t *slots, uint32_t tag, int32_t position) {
    uint32_t i = tag >> slots->shift;
    while (slots->array[i]) {
        i = (i + 1) & slots->mask;
    }
    slots->array[i] = ((uint64_t)tag << 32) | (uint32_t)(position + 1);
}

/** The slot that holds a position which was added with this tag. */
static inline uint32_t ecs__slots_find(
    const ecs_map_slots_t *slots, uint32_t tag, int32_t position) {
    uint64_t wanted = ((uint64_t)tag << 32) | (uint32_t)(position + 1);
    uint32_t i = tag >> slots->shift;
    while (slots->array[i] != wanted) {
        ecs__assert(slots->array[i], "position %d is missing in the slots", position);
        i = (i + 1) & slots->mask;
    }
    return i;
}

/** Empty slot `i` and close the gap. */
static inline void ecs__slots_remove(ecs_map_slots_t *slots, uint32_t i) {
    for (uint32_t next = i;;) {
        next = (next + 1) & slots->mask;
        uint64_t slot = slots->array[next];
        if (!slot) {
            break;
        }
        uint32_t home = (uint32_t)(slot >> 32) >> slots->shift;
        if (((next - home) & slots->mask) >= ((next - i) & slots->mask)) {
            slots->array[i] = slot; /* its home is not behind the gap */
            i = next;
        }
    }
    slots->array[i] = 0;
}

/** The entry added with `tag` at position `from` has moved to `to`. */
static inline void ecs__slots_move(ecs_map_slots_t *slots, uint32_t tag, int32_t from, int32_t to) {
    slots->array[ecs__slots_find(slots, tag, from)] = ((uint64_t)tag << 32) | (uint32_t)(to + 1);
}

/** Add everything in `src` to the empty and larger `dst`. Tags are kept, so keys are not needed. */
static inline void ecs__slots_rehash(ecs_map_slots_t *dst, const ecs_map_slots_t *src) {
    for (uint32_t i = 0; src->array && i <= src->mask; i++) {
        if (src->array[i]) {
            ecs__slots_add(dst, (uint32_t)(src->array[i] >> 32), (int32_t)src->array[i] - 1);
        }
    }
}

#endif
