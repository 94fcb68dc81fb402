// SPDX-License-Identifier: MIT
#include "storage/id_gaps.h"

#include <muster/ecs/os.h>

#include "base/bisect.h"

#define MOST 256 /* gaps of a block */

typedef struct ecs__id_gap_block_t {
    ecs__id_gap_t *gaps; /* ascending, at least one, and room for MOST */
    int32_t count;
    uint32_t longest; /* none is longer */
} block_t;

typedef struct place_t {
    int32_t block, at;
} place_t;

void ecs__id_gaps_fini(ecs__id_gaps_t *gaps) {
    for (int32_t i = 0; i < gaps->block_count; i++) ecs_os_free(gaps->blocks[i].gaps);
    ecs_os_free(gaps->blocks);
    *gaps = (ecs__id_gaps_t){ 0 };
}

// ---- find ----

static uint32_t length_of(ecs__id_gap_t gap) { return gap.end - gap.begin; }

static uint32_t end_of(const block_t *block) { return block->gaps[block->count - 1].end; }

// Of the first gap that ends behind `id`; behind the last block if there is none.
static place_t find(const ecs__id_gaps_t *gaps, uint32_t id) {
    ecs__bisect_t search = ecs__bisect(0, gaps->block_count);
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(&search, end_of(&gaps->blocks[search.at]) <= id);
    const int32_t number = search.low;
    if (number == gaps->block_count) return (place_t){ number, 0 };
    const block_t *block = &gaps->blocks[number];
    search = ecs__bisect(0, block->count);
    while (ecs__bisect_asks(&search)) ecs__bisect_answer(&search, block->gaps[search.at].end <= id);
    return (place_t){ number, search.low };
}

ecs__id_gap_t ecs__id_gaps_find(const ecs__id_gaps_t *gaps, uint32_t id) {
    const place_t place = find(gaps, id);
    if (place.block == gaps->block_count) return (ecs__id_gap_t){ 0 };
    return gaps->blocks[place.block].gaps[place.at];
}

// What was said of the longest is brought up to date where it is in vain.
static ecs__id_gap_t find_long(block_t *block, uint64_t length) {
    uint32_t longest = 0;
    for (int32_t i = 0; i < block->count; i++) {
        const uint32_t present = length_of(block->gaps[i]);
        if (present >= length) return block->gaps[i];
        longest = ECS_MAX(longest, present);
    }
    block->longest = longest;
    return (ecs__id_gap_t){ 0 };
}

ecs__id_gap_t ecs__id_gaps_find_long(const ecs__id_gaps_t *gaps, uint64_t length) {
    ecs__id_gap_t found = { 0 };
    for (int32_t i = 0; i < gaps->block_count && !found.end; i++) {
        if (gaps->blocks[i].longest >= length) found = find_long(&gaps->blocks[i], length);
    }
    return found;
}

// ---- change ----

// There is room for a power of two.
static block_t *add_block(ecs__id_gaps_t *gaps, int32_t at) {
    const int32_t count = gaps->block_count++;
    if (!(count & (count - 1)))
        gaps->blocks = ecs_os_realloc_n(gaps->blocks, block_t, ECS_MAX(1, 2 * count));
    block_t *block = &gaps->blocks[at];
    const int32_t behind = count - at;
    ecs_os_memmove(block + 1, block, ECS_SIZEOF(block_t) * behind);
    *block = (block_t){ .gaps = ecs_os_malloc_n(ecs__id_gap_t, MOST) };
    return block;
}

static void remove_block(ecs__id_gaps_t *gaps, int32_t at) {
    block_t *block = &gaps->blocks[at];
    ecs_os_free(block->gaps);
    const int32_t behind = --gaps->block_count - at;
    ecs_os_memmove(block, block + 1, ECS_SIZEOF(block_t) * behind);
}

// The upper half of a block gets its own.
static void split(ecs__id_gaps_t *gaps, int32_t at) {
    block_t *upper = add_block(gaps, at + 1), *full = upper - 1;
    full->count = upper->count = MOST / 2;
    upper->longest = full->longest;
    ecs_os_memcpy(upper->gaps, full->gaps + MOST / 2, ECS_SIZEOF(ecs__id_gap_t) * (MOST / 2));
}

static void insert(ecs__id_gaps_t *gaps, place_t place, ecs__id_gap_t gap) {
    if (gaps->blocks[place.block].count == MOST) {
        split(gaps, place.block);
        if (place.at > MOST / 2) place = (place_t){ place.block + 1, place.at - MOST / 2 };
    }
    block_t *block = &gaps->blocks[place.block];
    ecs__id_gap_t *new = &block->gaps[place.at];
    ecs_os_memmove(new + 1, new, ECS_SIZEOF(ecs__id_gap_t) * (block->count - place.at));
    *new = gap;
    block->longest = ECS_MAX(block->longest, length_of(gap));
    block->count++;
    gaps->count++;
}

static void remove_gap(ecs__id_gaps_t *gaps, place_t place) {
    block_t *block = &gaps->blocks[place.block];
    ecs__id_gap_t *gone = &block->gaps[place.at];
    ecs_os_memmove(gone, gone + 1, ECS_SIZEOF(ecs__id_gap_t) * (--block->count - place.at));
    gaps->count--;
    if (!block->count) remove_block(gaps, place.block);
}

void ecs__id_gaps_append(ecs__id_gaps_t *gaps, uint32_t begin, uint32_t end) {
    if (begin >= end) return;
    int32_t last = gaps->block_count - 1;
    if (last < 0 || gaps->blocks[last].count == MOST) add_block(gaps, ++last);
    insert(gaps, (place_t){ last, gaps->blocks[last].count }, (ecs__id_gap_t){ begin, end });
}

void ecs__id_gaps_cut(ecs__id_gaps_t *gaps, uint32_t begin, uint32_t end) {
    const place_t place = find(gaps, begin);
    if (place.block == gaps->block_count) return;
    ecs__id_gap_t *gap = &gaps->blocks[place.block].gaps[place.at];
    if (gap->begin > begin) return;
    const ecs__id_gap_t rest = { end, gap->end };
    gap->end = begin;
    const bool is_kept = gap->begin < gap->end, has_rest = rest.begin < rest.end;
    if (is_kept && has_rest) insert(gaps, (place_t){ place.block, place.at + 1 }, rest);
    if (!is_kept && has_rest) *gap = rest;
    if (!is_kept && !has_rest) remove_gap(gaps, place);
}

uint32_t ecs__id_gaps_take(ecs__id_gaps_t *gaps) {
    ecs__id_gap_t *gap = &gaps->blocks[0].gaps[0];
    const uint32_t id = gap->begin++;
    if (gap->begin == gap->end) remove_gap(gaps, (place_t){ 0 });
    return id;
}

int64_t ecs__id_gaps_bytes(const ecs__id_gaps_t *gaps) {
    return gaps->block_count * (int64_t)(sizeof(block_t) + MOST * sizeof(ecs__id_gap_t));
}

bool ecs__id_gaps_verify(const ecs__id_gaps_t *gaps, uint32_t high) {
    int32_t count = 0;
    uint32_t end = 0;
    for (int32_t i = 0; i < gaps->block_count; i++) {
        const block_t *block = &gaps->blocks[i];
        if (block->count < 1 || block->count > MOST) return false;
        for (int32_t k = 0; k < block->count; k++, count++) {
            const ecs__id_gap_t gap = block->gaps[k];
            if (gap.begin >= gap.end || gap.begin < end || gap.end > high) return false;
            if (length_of(gap) > block->longest) return false;
            end = gap.end;
        }
    }
    return count == gaps->count;
}
