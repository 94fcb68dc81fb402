// SPDX-License-Identifier: MIT
// id_gaps: ids that were never issued, below some that were.
//
// Whoever loads a world, or is told ids by a server, makes them in any order, and each may divide a gap. So gaps lie in blocks: a change
// moves what is in one of them, and finding is O(log gaps).
#ifndef ECS_STORAGE_ID_GAPS_H
#define ECS_STORAGE_ID_GAPS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ecs__id_gap_t {
    uint32_t begin, end; /* [begin, end) */
} ecs__id_gap_t;

typedef struct ecs__id_gaps_t {
    struct ecs__id_gap_block_t *blocks; /* ascending */
    int32_t count, block_count;
} ecs__id_gaps_t;

void ecs__id_gaps_fini(ecs__id_gaps_t *gaps);

/** The first gap that ends behind an id; an empty one if there is none. */
ecs__id_gap_t ecs__id_gaps_find(const ecs__id_gaps_t *gaps, uint32_t id);
/** The first one that has so many ids; an empty one if there is none. O(gaps), mostly O(blocks of them). */
ecs__id_gap_t ecs__id_gaps_find_long(const ecs__id_gaps_t *gaps, uint64_t length);

/** Ids [begin, end), behind all gaps, become one; nothing if there are none. */
void ecs__id_gaps_append(ecs__id_gaps_t *gaps, uint32_t begin, uint32_t end);
/** Ids [begin, end) are no more in the gap that has the first of them, if there is one. */
void ecs__id_gaps_cut(ecs__id_gaps_t *gaps, uint32_t begin, uint32_t end);
/** The lowest id, which is in no gap then. There must be one. */
uint32_t ecs__id_gaps_take(ecs__id_gaps_t *gaps);

int64_t ecs__id_gaps_bytes(const ecs__id_gaps_t *gaps);
bool ecs__id_gaps_verify(const ecs__id_gaps_t *gaps, uint32_t high);

#endif
