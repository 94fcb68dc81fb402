// SPDX-License-Identifier: MIT
#include "storage/entity_index.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/atomics.h"
#include "base/bisect.h"
#include "base/os_posix.h"
#include "storage/id_range.h"

#define PAGE_BYTES (sizeof(ecs_record_t) << FLECS_ENTITY_PAGE_BITS)

// Bytes of addresses that the worlds of this process have; a hint, so that nothing pairs with it.
static uint64_t reserved_by_all;

// For all ids, 64 GB, or for fewer in a process that has hundreds of worlds or not so many addresses: worlds of each size take this part
// of the 128 TB that there mostly are, and none takes more than an eighth of what is left in one piece. All sizes are whole pages.
#define ADDRESS_SHARE ((uint64_t)16 << 40)

static void reserve_records(ecs__entity_index_t *index) {
    size_t size = sizeof(ecs_record_t) << 32;
    uint64_t limit = ADDRESS_SHARE;
    for (; size >= 2 * PAGE_BYTES && !index->records; size /= 8, limit += ADDRESS_SHARE) {
        if (ecs__load_64(&reserved_by_all) + size > limit) continue;
        index->records = ecs__os_reserve(8 * size);
        index->reserved = size;
    }
    if (!index->records) ecs_os_out_of_memory_((ecs_size_t)PAGE_BYTES);
    ecs__os_release((char *)index->records + index->reserved, 7 * index->reserved);
    ecs__add_64(&reserved_by_all, index->reserved);
}

void ecs__entity_index_init(ecs__entity_index_t *index) {
    ecs_os_zeromem(index);
    reserve_records(index);
    index->pool.high = (uint32_t)ECS__FIRST_USER_ENTITY;
    index->pool.limit = UINT32_MAX;
    index->last_low_id = ECS__FIRST_USER_COMPONENT - 1;
}

void ecs__entity_index_fini(ecs__entity_index_t *index) {
    ecs__os_release(index->records, index->reserved);
    ecs__add_64(&reserved_by_all, -(uint64_t)index->reserved);
    ecs__id_ranges_fini(index);
    ecs_os_free(index->pool.free_ids);
    ecs_os_free(index->pool.ranges);
    ecs_os_free(index->list);
    ecs_os_zeromem(index);
}

static uint32_t grown(uint32_t size, uint32_t wanted) {
    uint32_t next = size ? size * 2 : 16;
    return next < wanted ? wanted : next;
}

// Only while nobody else runs: `made` is read without synchronisation.
static ECS__APART void make_records(ecs__entity_index_t *index, uint32_t id) {
    uint64_t most = ECS_MIN(index->reserved / sizeof(ecs_record_t), UINT32_MAX); /* see `limit` */
    if (id >= most) {
        ecs_abort(ECS_OUT_OF_RANGE,
            "entity id %u is too high: this process has addresses for ids up to %u", id,
            (uint32_t)(most - 1));
    }
    uintptr_t begin = (uintptr_t)index->records;
    size_t size = ECS_ALIGN(begin + sizeof(ecs_record_t) * (id + 1ull), PAGE_BYTES) - begin;
    size = ECS_MIN(size, index->reserved);
    if (!ecs__os_commit(index->records, size)) ecs_os_out_of_memory_((ecs_size_t)PAGE_BYTES);
    if (index->made) ecs__os_advise_huge(index->records, size); /* small worlds do without */
    index->made = ECS_MIN(size / sizeof(ecs_record_t), most);
}

static ecs_record_t *ensure_slot(ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->made) make_records(index, id);
    return &index->records[id];
}

ecs_entity_t ecs__entity_alive_id(const ecs__entity_index_t *index, uint32_t id) {
    const ecs_record_t *record = ecs__entity_living(index, id);
    return record ? (uint64_t)record->generation << 32 | id : 0;
}

// ---- free ids ----

static void grow_free(ecs__entity_index_t *index) {
    index->pool.free_size = (int32_t)grown((uint32_t)index->pool.free_size, 64);
    index->pool.free_ids = ecs_os_realloc_n(index->pool.free_ids, uint64_t, index->pool.free_size);
}

static void push_free(ecs__entity_index_t *index, ecs_record_t *record, ecs_entity_t entity) {
    if (index->pool.free_count == index->pool.free_size) grow_free(index);
    record->row = (uint32_t)index->pool.free_count;
    index->pool.free_ids[index->pool.free_count++] = entity;
}

static ecs_entity_t pop_free(ecs__entity_index_t *index) {
    while (index->pool.free_count) {
        ecs_entity_t entity = index->pool.free_ids[--index->pool.free_count];
        if (entity) return entity;
        index->pool.free_holes--;
    }
    return 0;
}

static void insert_range(ecs__entity_index_t *index, int32_t at, ecs__id_range_t range) {
    if (range.begin >= range.end) return;
    if (index->pool.range_count == index->pool.range_size) {
        index->pool.range_size = (int32_t)grown((uint32_t)index->pool.range_size, 8);
        index->pool.ranges =
            ecs_os_realloc_n(index->pool.ranges, ecs__id_range_t, index->pool.range_size);
    }
    ecs_os_memmove(&index->pool.ranges[at + 1], &index->pool.ranges[at],
        ECS_SIZEOF(ecs__id_range_t) * (index->pool.range_count - at));
    index->pool.ranges[at] = range;
    index->pool.range_count++;
}

static void remove_range(ecs__entity_index_t *index, int32_t at) {
    index->pool.range_count--;
    ecs_os_memmove(&index->pool.ranges[at], &index->pool.ranges[at + 1],
        ECS_SIZEOF(ecs__id_range_t) * (index->pool.range_count - at));
}

// First range that ends behind `id`.
static int32_t find_range(const ecs__id_pool_t *pool, uint32_t id) {
    ecs__bisect_t search = ecs__bisect(0, pool->range_count);
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(&search, pool->ranges[search.at].end <= id);
    return search.low;
}

uint32_t ecs__id_pool_next(const ecs__id_pool_t *pool, uint32_t id) {
    if (id >= pool->high) return pool->limit;
    int32_t at = find_range(pool, id);
    bool was_issued = at == pool->range_count || pool->ranges[at].begin > id;
    return was_issued ? id : pool->ranges[at].end;
}

static ecs_entity_t take_never_issued(ecs__entity_index_t *index) {
    if (!index->pool.range_count) {
        if (index->pool.high >= index->pool.limit) {
            ecs_abort(
                ECS_OUT_OF_RANGE, "all entity ids up to %u are in use", index->pool.limit - 1);
        }
        return index->pool.high++;
    }
    ecs__id_range_t *range = &index->pool.ranges[0];
    ecs_entity_t id = range->begin++;
    if (range->begin == range->end) remove_range(index, 0);
    return id;
}

static ECS__APART ecs_entity_t issue_new(ecs__entity_index_t *index) {
    ecs_entity_t entity = take_never_issued(index);
    ensure_slot(index, (uint32_t)entity);
    return entity;
}

ecs_entity_t ecs__entity_new(ecs__entity_index_t *index) {
    ecs_entity_t entity = pop_free(index);
    return entity ? entity : issue_new(index);
}

void ecs__entity_new_many(ecs__entity_index_t *index, ecs_entity_t *out, int32_t count) {
    int32_t i = 0, free_count = index->pool.free_count;
    int32_t popped = index->pool.free_holes ? 0 : ECS_MIN(count, free_count);
    for (; i < popped; i++) out[i] = index->pool.free_ids[free_count - 1 - i];
    index->pool.free_count -= popped;
    for (; i < count; i++) out[i] = ecs__entity_new(index);
}

ecs_entity_t ecs__entity_new_low(ecs__entity_index_t *index) {
    while (index->last_low_id + 1 < FLECS_HI_COMPONENT_ID) {
        ecs_entity_t id = ++index->last_low_id;
        ecs_record_t *record = ensure_slot(index, (uint32_t)id);
        if (!record->table && !record->generation) return id;
    }
    return 0;
}

void ecs__entity_mark_issued(ecs__entity_index_t *index, uint32_t begin, uint32_t end) {
    if (begin >= index->pool.high) {
        insert_range(index, index->pool.range_count, (ecs__id_range_t){ index->pool.high, begin });
        index->pool.high = end;
        return;
    }
    int32_t at = find_range(&index->pool, begin);
    if (at == index->pool.range_count || index->pool.ranges[at].begin > begin) return;
    uint32_t range_end = index->pool.ranges[at].end;
    index->pool.ranges[at].end = begin;
    if (index->pool.ranges[at].begin == begin) remove_range(index, at--);
    insert_range(index, at + 1, (ecs__id_range_t){ end, range_end });
}

// False if the id is not on the stack.
static bool take_from_stack(ecs__entity_index_t *index, const ecs_record_t *record, uint32_t id) {
    uint32_t at = record->row;
    if (at >= (uint32_t)index->pool.free_count || (uint32_t)index->pool.free_ids[at] != id || !id)
        return false;
    index->pool.free_ids[at] = 0;
    index->pool.free_holes++;
    return true;
}

void ecs__entity_hold(ecs__entity_index_t *index, uint32_t id) {
    ecs_record_t *record = ecs__entity_slot(index, id);
    int32_t active = ecs__id_ranges_enter(index, id);
    if (!record->table && take_from_stack(index, record, id)) record->row = ECS__ENTITY_HELD;
    ecs__id_ranges_leave(index, active);
}

void ecs__entity_let_go(ecs__entity_index_t *index, uint32_t id) {
    ecs_record_t *record = ecs__entity_slot(index, id);
    int32_t active = ecs__id_ranges_enter(index, id);
    push_free(index, record, (uint64_t)record->generation << 32 | id);
    ecs__id_ranges_leave(index, active);
}

ecs_record_t *ecs__entity_claim(ecs__entity_index_t *index, ecs_entity_t entity) {
    uint32_t id = (uint32_t)entity;
    ecs_record_t *record = ensure_slot(index, id);
    ecs__assert(!record->table, "an id that is alive cannot be claimed");
    int32_t active = ecs__id_ranges_enter(index, id);
    bool was_free = take_from_stack(index, record, id);
    if (!was_free && id >= ECS__FIRST_USER_ENTITY && id < index->pool.limit)
        ecs__entity_mark_issued(index, id, id + 1);
    ecs__id_ranges_leave(index, active);
    record->row = 0;
    record->generation = (uint32_t)ECS_GENERATION(entity);
    return record;
}

// Ids that jobs took and that are not placed yet are neither free nor never issued.
static bool is_free(const ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->pool.high) return id < index->pool.limit;
    const ecs_record_t *record = ecs__entity_slot(index, id);
    if (record && record->table) return false;
    uint32_t at = record ? record->row : UINT32_MAX;
    if (at < (uint32_t)index->pool.free_count && (uint32_t)index->pool.free_ids[at] == id)
        return true;
    int32_t range = find_range(&index->pool, id);
    return range < index->pool.range_count && index->pool.ranges[range].begin <= id;
}

ecs_entity_t ecs__entity_new_at(ecs__entity_index_t *index, uint32_t id) {
    if (id < ECS__FIRST_USER_ENTITY || !is_free(index, id)) return 0;
    uint64_t generation = ensure_slot(index, id)->generation;
    ecs_entity_t entity = generation << 32 | id;
    ecs__entity_claim(index, entity);
    return entity;
}

void ecs__entity_give_back(ecs__entity_index_t *index, ecs_entity_t entity) {
    index->alive_count++;
    ecs__entity_free(index, entity);
}

// Returns the entity that its id stands for next.
static inline ecs_entity_t retire(ecs_record_t *record, ecs_entity_t entity) {
    record->table = NULL;
    record->row = UINT32_MAX;
    record->generation = (record->generation + 1) & 0xFFFF;
    return ((uint64_t)record->generation << 32) | (uint32_t)entity;
}

void ecs__entity_free(ecs__entity_index_t *index, ecs_entity_t entity) {
    ecs_record_t *record = ecs__entity_get(index, entity);
    ecs_entity_t next = retire(record, entity);
    index->alive_count--;
    if ((uint32_t)entity < ECS__FIRST_USER_ENTITY) return;
    if (!index->user_ranges) {
        push_free(index, record, next);
        return;
    }
    int32_t active = ecs__id_ranges_enter(index, (uint32_t)entity);
    push_free(index, record, next);
    ecs__id_ranges_leave(index, active);
}

void ecs__entity_free_many(
    ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count) {
    if (index->user_ranges) {
        for (int32_t i = 0; i < count; i++) ecs__entity_free(index, entities[i]);
        return;
    }
    while (index->pool.free_size - index->pool.free_count < count) grow_free(index);
    ecs_entity_t *free_ids = index->pool.free_ids;
    int32_t at = index->pool.free_count;
    for (int32_t i = 0; i < count; i++) {
        ecs_record_t *record = ecs__entity_get(index, entities[i]);
        ecs_entity_t next = retire(record, entities[i]);
        if ((uint32_t)next < ECS__FIRST_USER_ENTITY) continue;
        record->row = (uint32_t)at;
        free_ids[at++] = next;
    }
    index->pool.free_count = at;
    index->alive_count -= count;
}

ecs_record_t *ecs__entity_issue(ecs__entity_index_t *index, ecs_entity_t entity) {
    ecs_record_t *record = ensure_slot(index, (uint32_t)entity);
    record->generation = (uint32_t)ECS_GENERATION(entity);
    return record;
}

void ecs__entity_fill_free(ecs__entity_index_t *index, int32_t wanted, int32_t hoped) {
    if (index->pool.free_holes) {
        int32_t kept = 0;
        for (int32_t i = 0; i < index->pool.free_count; i++) {
            ecs_entity_t entity = index->pool.free_ids[i];
            if (!entity) continue;
            ecs__entity_get(index, entity)->row = (uint32_t)kept;
            index->pool.free_ids[kept++] = entity;
        }
        index->pool.free_count = kept;
        index->pool.free_holes = 0;
    }
    while (index->pool.free_count < wanted ||
           (index->pool.free_count < hoped && index->pool.range_count)) {
        ecs_entity_t entity = take_never_issued(index);
        push_free(index, ensure_slot(index, (uint32_t)entity), entity);
    }
}

static int32_t list_free(const ecs__entity_index_t *index, ecs_entity_t *out) {
    int32_t count = 0;
    for (int32_t i = index->pool.free_count - 1; i >= 0; i--) {
        if (index->pool.free_ids[i]) out[count++] = index->pool.free_ids[i];
    }
    return count;
}

const ecs_entity_t *ecs__entity_list(
    ecs__entity_index_t *index, int32_t *count, int32_t *alive_count) {
    int32_t ranges = ecs__id_ranges_count(index), wanted = index->alive_count;
    for (int32_t i = 0; i < ranges; i++) {
        int32_t active = ecs__id_ranges_select(index, i);
        wanted += index->pool.free_count;
        ecs__id_ranges_leave(index, active);
    }
    if (wanted > index->list_size) {
        index->list = ecs_os_realloc_n(index->list, ecs_entity_t, wanted);
        index->list_size = wanted;
    }
    int32_t alive = 0;
    for (uint32_t id = 0; id < ecs__id_ranges_high(index); id++) {
        ecs_entity_t entity = ecs__entity_alive_id(index, id);
        if (entity)
            index->list[alive++] = entity;
        else
            id = ecs__id_ranges_next(index, id + 1) - 1;
    }
    ecs__assert(alive == index->alive_count, "every living entity has a record");
    *alive_count = alive;
    for (int32_t i = 0; i < ranges; i++) {
        int32_t active = ecs__id_ranges_select(index, i);
        alive += list_free(index, &index->list[alive]);
        ecs__id_ranges_leave(index, active);
    }
    *count = alive;
    return index->list;
}

bool ecs__entity_index_verify(const ecs__entity_index_t *index) {
    int32_t alive = 0, holes = 0;
    for (uint32_t id = 0; id < ecs__id_ranges_high(index); id++) {
        bool is_alive = ecs__entity_living(index, id);
        alive += is_alive;
        if (!is_alive) id = ecs__id_ranges_next(index, id + 1) - 1;
    }
    for (int32_t i = 0; i < index->pool.free_count; i++) {
        ecs_entity_t entity = index->pool.free_ids[i];
        holes += !entity;
        if (!entity) continue;
        const ecs_record_t *record = ecs__entity_slot(index, (uint32_t)entity);
        if (!record || record->table || record->row != (uint32_t)i) return false;
        if (record->generation != ECS_GENERATION(entity)) return false;
    }
    for (int32_t i = 0; i < index->pool.range_count; i++) {
        ecs__id_range_t range = index->pool.ranges[i];
        if (range.begin >= range.end || range.end > index->pool.high) return false;
        if (i && index->pool.ranges[i - 1].end > range.begin) return false;
    }
    return alive == index->alive_count && holes == index->pool.free_holes;
}
