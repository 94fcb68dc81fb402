// SPDX-License-Identifier: MIT
// copy: whole results of a cache, ready to be moved into iterators.
//
// A simple copy is the beginning of an iterator and one pointer per field. A detailed one also has what may differ from match to match:
//
//   entities … table count | ptrs[room] ids[room] sources[room] sizes[room] columns[room] | end
//
// Values of other entities are where they are now: if those move, rows of some table change, and no copy is good any more.
#include <string.h>

#include <muster/ecs/iter.h>
#include <muster/ecs/os.h>

#include "query/cache/cache.h"

static void copy_own(ecs__copy_t *copy, const ecs__match_t *match, int32_t field_count) {
    for (int32_t f = 0; f < field_count; f++) {
        int16_t column = match->columns[f];
        copy->ptrs[f] = column < 0 ? NULL : match->table->data[column];
    }
}

static void copy_details(const ecs__cache_t *cache, ecs__copy_t *copy, const ecs__match_t *match) {
    const ecs__plan_t *plan = cache->plan;
    int32_t room = ecs__copy_room(plan->field_count);
    ecs_size_t *sizes = ecs__copy_sizes(copy, room);
    int16_t *columns = ecs__copy_columns(copy, room);
    ecs__copy_end_t *end = ecs__copy_end(copy, room);
    for (int32_t f = 0; f < plan->field_count; f++) {
        const ecs__detail_t detail = ecs__match_detail(cache, match, f);
        int16_t column = match->columns[f];
        ecs__copy_ids(copy, room)[f] = detail.id;
        ecs__copy_sources(copy, room)[f] = detail.source;
        sizes[f] = cache->sizes[f];
        columns[f] = -1;
        if (detail.source) end->up_fields |= FIELD_BIT(f);
        if (column < 0) continue;
        sizes[f] = detail.table->columns[column].size;
        if (!detail.source) columns[f] = column;
        copy->ptrs[f] = detail.source ? ecs__value_now(cache->store, detail.source, detail.id,
                                            detail.table, column, UINT64_MAX, &sizes[f])
                                      : detail.table->data[column];
    }
    end->is_mixed = ecs__values_are_mixed(copy->ptrs, columns, plan->field_count);
}

// Holes have no rows; no table would be the end of the copies.
static ecs_table_t *table_of(const ecs__cache_t *cache, const ecs__match_t *match) {
    return match->table ? match->table : cache->store->root;
}

static void copy_match(const ecs__cache_t *cache, ecs__copy_t *copy, const ecs__match_t *match) {
    const ecs_table_t *table = match->table;
    copy->table = table_of(cache, match);
    copy->count = table ? table->count : 0;
    copy->set_fields = match->set_fields;
    if (!copy->count) return;
    copy->entities = table->entities;
    if (cache->is_detailed)
        copy_details(cache, copy, match);
    else
        copy_own(copy, match, cache->plan->field_count);
}

static int32_t stride_of(const ecs__cache_t *cache) {
    int32_t fields = cache->plan->field_count, room = ecs__copy_room(fields);
    if (!cache->is_detailed) return (int32_t)ecs__copy_bytes(fields);
    size_t detailed = (size_t)room * (sizeof(void *) + sizeof(ecs_id_t) + sizeof(ecs_entity_t) +
                                         sizeof(ecs_size_t) + sizeof(int16_t)) +
                      sizeof(ecs__copy_end_t);
    return (int32_t)ECS_ALIGN(sizeof(ecs__copy_t) + detailed, sizeof(void *));
}

static int32_t pointer_count(const ecs__cache_t *cache) {
    return ECS_MAX(cache->plan->field_count, ECS__COPY_FEW);
}

// Iterators also prefetch what the copies behind the last one point to, which must be mapped: to look for pages that are not takes
// longer than a small system. They also read whole blocks. The first of those copies has no rows. False if there is no such room:
// then matches are gone through.
static bool make_room(ecs__cache_t *cache, int32_t count) {
    int64_t bytes = (int64_t)cache->copy_stride * (count + ECS__CACHE_AHEAD) +
                    ECS_ITER_INLINE_FIELDS * ECS_SIZEOF(void *);
    if (bytes > INT32_MAX) return false;
    if (bytes > cache->copy_bytes) {
        cache->copy_bytes = (ecs_size_t)ECS_MIN(bytes + bytes / 2, INT32_MAX);
        ecs_os_free(cache->copies);
        cache->copies = ecs_os_malloc(cache->copy_bytes);
    }
    for (int32_t i = 0; i < ECS__CACHE_AHEAD; i++) {
        ecs__copy_t *copy = ecs__copies_at(cache, count + i);
        copy->table = NULL;
        copy->count = 0;
        for (int32_t f = 0; f < pointer_count(cache); f++) copy->ptrs[f] = cache->copies;
    }
    return true;
}

// Processors fetch rows of a table ahead, but at its end go on to what lies behind it, not to the next table. Going through a hundred
// rows can take three times as long for that, if all rows are more than stay in cache from one iteration to the next. So these are
// asked for. Not where tables are smaller: asking takes as long; nor larger: they wait seldom.
enum { FAR_ROWS = 64 << 10, FAR_LEAST = 64, FAR_MOST = 256, FAR_BYTES = 16 * 64 };

static bool are_far(int32_t rows, int32_t tables) {
    return rows >= FAR_ROWS && rows / tables >= FAR_LEAST && rows / tables <= FAR_MOST;
}

void ecs__copy_prefetch_rows(
    const ecs__copy_t *copy, const ecs_size_t *sizes, int32_t field_count) {
    for (int32_t f = 0; f < field_count; f++) {
        const char *values = copy->ptrs[f];
        const int64_t bytes = values ? (int64_t)sizes[f] * copy->count : 0;
        for (int64_t at = 0; at < bytes && at < FAR_BYTES; at += 64)
            __builtin_prefetch(values + at);
    }
}

// Holes become copies without rows: other threads may be in the middle of these matches, which therefore stay where they are.
void ecs__cache_copy(ecs__cache_t *cache) {
    const uint64_t now = cache->store->structure_stamp;
    const int32_t count = ecs__cache_count(cache);
    const uint32_t walked = cache->visited == now ? ecs__load_32(&cache->walked) : 0;
    cache->visited = now;
    ecs__store_32(&cache->walked, walked + 1);
    if (walked < (uint32_t)count || !ecs__cache_can_copy(cache)) return;
    cache->is_detailed = !ecs__cache_is_simple(cache);
    cache->copy_stride = stride_of(cache);
    int32_t rows = 0;
    if (!make_room(cache, count)) return;
    for (int32_t i = 0; i < count; i++) {
        ecs__copy_t *copy = ecs__copies_at(cache, i);
        memset(copy, 0, (size_t)cache->copy_stride);
        copy_match(cache, copy, ecs__cache_at(cache, i));
        copy->frame_offset = rows;
        rows += copy->count;
    }
    cache->rows_ahead = are_far(rows, count);
    cache->snapshot = now;
}

// ---- verify ----

static bool is_right(
    const ecs__cache_t *cache, const ecs__copy_t *copy, const ecs__match_t *match) {
    const ecs_table_t *table = match->table;
    if (copy->table != table_of(cache, match) || copy->count != (table ? table->count : 0))
        return false;
    for (int32_t f = 0; copy->count && f < cache->plan->field_count; f++) {
        bool is_own = match->columns[f] >= 0 && !ecs__match_detail(cache, match, f).source;
        if (is_own && copy->ptrs[f] != table->data[match->columns[f]]) return false;
    }
    return !copy->count || copy->entities == table->entities;
}

static bool can_prefetch(const ecs__cache_t *cache, const ecs__copy_t *copy) {
    for (int32_t f = 0; f < pointer_count(cache); f++) {
        if (copy->ptrs[f] != cache->copies) return false;
    }
    return true;
}

bool ecs__copies_verify(const ecs__cache_t *cache) {
    if (!ecs__cache_has_copies(cache)) return true;
    for (int32_t i = 0; i < ECS__CACHE_AHEAD; i++) {
        if (!can_prefetch(cache, ecs__copies_at(cache, ecs__cache_count(cache) + i))) return false;
    }
    for (int32_t i = 0; i < ecs__cache_count(cache); i++) {
        if (!is_right(cache, ecs__copies_at(cache, i), ecs__cache_at(cache, i))) return false;
    }
    return true;
}
