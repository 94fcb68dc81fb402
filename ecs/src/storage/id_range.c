// SPDX-License-Identifier: MIT
#include "storage/id_range.h"

#include <muster/ecs/os.h>

typedef struct range_t {
    ecs_entity_range_t public; /* first: handed out */
    ecs__id_pool_t pool;       /* while the range is not in the index */
} range_t;

typedef struct ecs__id_ranges_t {
    range_t **items;
    int32_t count;
    int32_t current; /* in the index; -1: an empty one for ids of no range */
} ranges_t;

// ---- which one is in the index ----

static void exchange(ecs__entity_index_t *index, int32_t next) {
    ranges_t *ranges = index->user_ranges;
    if (ranges->current >= 0) ranges->items[ranges->current]->pool = index->pool;
    index->pool = next >= 0 ? ranges->items[next]->pool : (ecs__id_pool_t){ 0 };
    ranges->current = next;
}

int32_t ecs__id_ranges_select(ecs__entity_index_t *index, int32_t at) {
    ranges_t *ranges = index->user_ranges;
    if (!ranges) return 0;
    int32_t before = ranges->current;
    if (at != before) exchange(index, at);
    return before;
}

static bool has_any(const ecs_entity_range_t *range, uint32_t min, uint32_t max) {
    return min <= (range->max ? range->max : UINT32_MAX) && range->min <= max;
}

static int32_t find(const ranges_t *ranges, uint32_t min, uint32_t max) {
    int32_t at = ranges->count - 1;
    while (at >= 0 && !has_any(&ranges->items[at]->public, min, max)) at--;
    return at;
}

int32_t ecs__id_ranges_enter(ecs__entity_index_t *index, uint32_t id) {
    const ranges_t *ranges = index->user_ranges;
    if (!ranges || has_any(&ranges->items[ranges->current]->public, id, id))
        return ranges ? ranges->current : 0;
    return ecs__id_ranges_select(index, find(ranges, id, id));
}

void ecs__id_ranges_leave(ecs__entity_index_t *index, int32_t active) {
    ecs__id_ranges_select(index, active);
}

int32_t ecs__id_ranges_count(const ecs__entity_index_t *index) {
    return index->user_ranges ? index->user_ranges->count : 1;
}

// ---- ranges ----

static range_t *add_range(ecs__entity_index_t *index, uint32_t min, uint32_t max) {
    ranges_t *ranges = index->user_ranges;
    ranges->items = ecs_os_realloc_n(ranges->items, range_t *, ranges->count + 1);
    range_t *range = ranges->items[ranges->count++] = ecs_os_calloc_t(range_t);
    uint32_t first = (uint32_t)ECS__FIRST_USER_ENTITY;
    range->public = (ecs_entity_range_t){ .min = min, .max = max, .cur = min - 1 };
    range->pool.high = min > first ? min : first;
    range->pool.limit = max && max != UINT32_MAX ? max + 1 : UINT32_MAX;
    return range;
}

// The ids issued so far become those of the first range, which stays in the index.
static range_t *add_first(ecs__entity_index_t *index, uint32_t max) {
    index->user_ranges = ecs_os_calloc_t(ranges_t);
    range_t *range = add_range(index, 1, max);
    index->pool.limit = range->pool.limit;
    return range;
}

const ecs_entity_range_t *ecs__id_range_new(
    ecs__entity_index_t *index, uint32_t min, uint32_t max) {
    if (!index->user_ranges && min == 1) return &add_first(index, max)->public;
    if (!index->user_ranges) add_first(index, min - 1);
    return &add_range(index, min, max)->public;
}

const ecs_entity_range_t *ecs__id_range_find(
    const ecs__entity_index_t *index, uint32_t min, uint32_t max) {
    int32_t at = index->user_ranges ? find(index->user_ranges, min, max) : -1;
    return at < 0 ? NULL : &index->user_ranges->items[at]->public;
}

static void bring_up_to_date(ecs__entity_index_t *index) {
    ecs_entity_range_t *range = &index->user_ranges->items[index->user_ranges->current]->public;
    uint32_t first = (uint32_t)ECS__FIRST_USER_ENTITY;
    range->cur = index->pool.high == first ? range->min - 1 : index->pool.high - 1;
    range->recycled = (ecs_vec_t){ .array = index->pool.free_ids,
        .count = index->pool.free_count,
        .size = index->pool.free_size };
}

void ecs__id_range_activate(ecs__entity_index_t *index, const ecs_entity_range_t *range) {
    bring_up_to_date(index);
    ecs__id_ranges_select(index, find(index->user_ranges, range->min, range->min));
    bring_up_to_date(index);
}

const ecs_entity_range_t *ecs__id_range_active(ecs__entity_index_t *index) {
    if (!index->user_ranges) return NULL;
    bring_up_to_date(index);
    return &index->user_ranges->items[index->user_ranges->current]->public;
}

uint32_t ecs__id_ranges_high(const ecs__entity_index_t *index) {
    const ranges_t *ranges = index->user_ranges;
    uint32_t high = index->pool.high;
    for (int32_t i = 0; ranges && i < ranges->count; i++) {
        const range_t *range = ranges->items[i];
        bool has_issued = i != ranges->current && range->pool.high > range->public.min;
        if (has_issued && range->pool.high > high) high = range->pool.high;
    }
    return high;
}

void ecs__id_ranges_fini(ecs__entity_index_t *index) {
    ranges_t *ranges = index->user_ranges;
    for (int32_t i = 0; ranges && i < ranges->count; i++) {
        range_t *range = ranges->items[i];
        if (i != ranges->current) {
            ecs_os_free(range->pool.free_ids);
            ecs_os_free(range->pool.ranges);
        }
        ecs_os_free(range);
    }
    if (ranges) ecs_os_free(ranges->items);
    ecs_os_free(ranges);
}
