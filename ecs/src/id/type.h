// SPDX-License-Identifier: MIT
// type: sorted lists of ids. A type is what a table is; equal types mean the same table.
#ifndef ECS_ID_TYPE_H
#define ECS_ID_TYPE_H

#include "id/id.h"

/** Position of `id` in a sorted type, or the position where it belongs with the top bit flipped (~pos). O(log n). */
int32_t ecs__type_find(const ecs_type_t *type, ecs_id_t id);

/** First position whose id is >= `id`. */
int32_t ecs__type_lower_bound(const ecs_type_t *type, ecs_id_t id);

/** Next position at or after `from` that `pattern` (wildcards allowed) covers, or -1. */
int32_t ecs__type_match(const ecs_type_t *type, int32_t from, ecs_id_t pattern);

/** A 64-bit filter of a type: bit set for each id; a missing bit proves absence. */
static inline uint64_t ecs__id_bloom(ecs_id_t id) {
    return 1ull << (((id ^ (id >> 32)) * 0x9E3779B97F4A7C15ull) >> 58);
}

/** The bits of an id and of the wildcards that cover it. */
static inline uint64_t ecs__id_bloom_covers(ecs_id_t id) {
    uint64_t bits = ecs__id_bloom(id) | ecs__id_bloom(Ecs__Wildcard);
    if (!ECS_IS_PAIR(id)) return bits;
    return bits | ecs__id_bloom(ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard)) |
           ecs__id_bloom(ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard)) |
           ecs__id_bloom(ecs__id_any_first(id));
}

uint64_t ecs__type_hash(const ecs_id_t *ids, int32_t count);

#endif
