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
    int32_t current;        /* in the index; -1: `outside` */
    ecs__id_pool_t outside; /* ids of no range */
} ranges_t;

// ---- which one is in the index ----

static ecs__id_pool_t *pool_at(ranges_t *ranges, int32_t at) {
    return at < 0 ? &ranges->outside : &ranges->items[at]->pool;
}

// The same, also of the range that is in the index.
static const ecs__id_pool_t *pool_of(const ecs__entity_index_t *index, int32_t at) {
    return at == index->user_ranges->current ? &index->pool : pool_at(index->user_ranges, at);
}

static void exchange(ecs__entity_index_t *index, int32_t next) {
    ranges_t *ranges = index->user_ranges;
    *pool_at(ranges, ranges->current) = index->pool;
    index->pool = *pool_at(ranges, next);
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

uint32_t ecs__id_ranges_next(const ecs__entity_index_t *index, uint32_t id) {
    const ranges_t *ranges = index->user_ranges;
    if (!ranges) return ecs__id_pool_next(&index->pool, id);
    uint32_t next = ecs__id_pool_next(pool_of(index, find(ranges, id, id)), id);
    for (int32_t i = 0; i < ranges->count; i++) {
        uint32_t begin = ranges->items[i]->public.min;
        if (begin > id && begin < next) next = begin;
    }
    return next;
}

bool ecs__id_ranges_issued_outside(const ecs__entity_index_t *index, uint32_t min, uint32_t max) {
    const ranges_t *ranges = index->user_ranges;
    return ranges && min < ranges->outside.high && ecs__id_pool_next(&ranges->outside, min) <= max;
}

static bool has_dead(const ecs__id_pool_t *pool) { return pool->free_count != pool->free_holes; }

bool ecs__id_ranges_have_dead(const ecs__entity_index_t *index) {
    const ranges_t *ranges = index->user_ranges;
    bool found = has_dead(&index->pool);
    for (int32_t i = 0; ranges && i < ranges->count && !found; i++)
        found = has_dead(pool_of(index, i));
    return found;
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
    index->user_ranges->outside =
        (ecs__id_pool_t){ .high = (uint32_t)ECS__FIRST_USER_ENTITY, .limit = UINT32_MAX };
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
    if (!ranges) return index->pool.high;
    uint32_t high = ranges->outside.high;
    for (int32_t i = 0; i < ranges->count; i++) {
        const ecs__id_pool_t *pool = pool_of(index, i);
        bool has_issued = pool->high > ranges->items[i]->public.min;
        if (has_issued && pool->high > high) high = pool->high;
    }
    return high;
}

static void free_pool(ecs__id_pool_t *pool) {
    ecs_os_free(pool->free_ids);
    ecs__id_gaps_fini(&pool->gaps);
}

void ecs__id_ranges_fini(ecs__entity_index_t *index) {
    ranges_t *ranges = index->user_ranges;
    if (!ranges) return;
    for (int32_t i = 0; i < ranges->count; i++) {
        if (i != ranges->current) free_pool(&ranges->items[i]->pool);
        ecs_os_free(ranges->items[i]);
    }
    free_pool(&ranges->outside);
    ecs_os_free(ranges->items);
    ecs_os_free(ranges);
}
