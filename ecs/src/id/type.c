// SPDX-License-Identifier: MIT
#include "id/type.h"

#include "base/hash.h"

int32_t ecs__type_lower_bound(const ecs_type_t *type, ecs_id_t id) {
    const ecs_id_t *ids = type->array;
    int32_t low = 0, count = type->count;
    while (count > 0) {
        int32_t half = count / 2;
        if (ids[low + half] < id) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

int32_t ecs__type_find(const ecs_type_t *type, ecs_id_t id) {
    int32_t at = ecs__type_lower_bound(type, id);
    return at < type->count && type->array[at] == id ? at : ~at;
}

// Pairs with a fixed relationship are contiguous, so (R,*) starts at a lower bound and ends at the first mismatch. Its value pairs are
// so, too, behind all other pairs.
static int32_t match_first(const ecs_type_t *type, int32_t from, ecs_id_t pattern) {
    int32_t at = ecs__type_lower_bound(type, pattern & ~ECS_ENTITY_MASK);
    if (at < from) at = from;
    if (at < type->count && ecs_id_match(type->array[at], pattern)) return at;
    bool has_values = type->count && type->array[type->count - 1] >= ECS__VALUE_PAIR;
    if (!has_values || ecs__id_second(pattern) != Ecs__Wildcard) return -1;
    at = ecs__type_lower_bound(type, (pattern | ECS__VALUE_PAIR) & ~ECS_ENTITY_MASK);
    if (at < from) at = from;
    return at < type->count && ecs__id_covers(pattern, type->array[at]) ? at : -1;
}

int32_t ecs__type_match(const ecs_type_t *type, int32_t from, ecs_id_t pattern) {
    pattern = ecs__id_any_to_wildcard(pattern);
    if (!ecs__id_is_wildcard(pattern)) {
        int32_t at = ecs__type_find(type, pattern);
        return at >= from ? at : -1;
    }
    if (ECS_IS_PAIR(pattern) && ecs__id_first(pattern) != Ecs__Wildcard) {
        return match_first(type, from, pattern);
    }
    for (int32_t i = from; i < type->count; i++) {
        if (ecs__id_covers(pattern, type->array[i])) return i;
    }
    return -1;
}

uint64_t ecs__type_hash(const ecs_id_t *ids, int32_t count) {
    return ecs__hash_bytes(ids, (size_t)count * sizeof(ecs_id_t), 0);
}
