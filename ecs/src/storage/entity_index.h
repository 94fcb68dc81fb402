// SPDX-License-Identifier: MIT
// entity_index: entity id -> record {table, row, generation} in one 16-byte slot of an array.
//
// Alive means record.table != NULL (entities without ids sit in the root table) and equal generations. A record that is not
// alive keeps in `generation` the generation its id gets next and in `row` its position in the free stack.
// Free ids: a stack of recycled ids (0 = hole, taken out by make_alive) and, below `high`, ranges never used.
// With ranges of ids chosen by the user all of these are those of the active range, see id_range.h.
// Workers take ids through id_reserve.h. Addresses for the records of all ids are reserved at once, and get memory as ids are issued: the
// array never moves, so record pointers stay valid for the life of the world, and a record is found without a directory. Most of it
// lies in huge pages: one random access costs one cache line and seldom a page table walk.
// Threads: any thread may read while nothing writes structure; only the main thread writes.
#ifndef ECS_STORAGE_ENTITY_INDEX_H
#define ECS_STORAGE_ENTITY_INDEX_H

#include <muster/ecs/table.h>
#include "id/id.h"

typedef struct ecs__id_range_t {
    uint32_t begin, end; /* [begin, end): never issued */
} ecs__id_range_t;

/** What new ids are taken from. */
typedef struct ecs__id_pool_t {
    uint64_t *free_ids; /* recycled ids with their next generation, a stack; 0 = hole */
    int32_t free_count, free_size;
    int32_t free_holes;
    int32_t range_count, range_size;
    ecs__id_range_t *ranges; /* never-issued ids below high, ascending */
    /* no id at or above was ever issued (as long as there are no ranges of the user) */
    uint32_t high;
    uint32_t limit; /* ids at and above belong to another range */
} ecs__id_pool_t;

typedef struct ecs__entity_index_t {
    ecs_record_t *records; /* by index of the id */
    uint64_t made;         /* so many of them have memory; it begins as zeros */
    size_t reserved;       /* bytes of addresses */
    int32_t alive_count;
    ecs__id_pool_t pool;                  /* of the active range */
    struct ecs__id_ranges_t *user_ranges; /* NULL if there are none */
    ecs_entity_t last_low_id;             /* highest low component id given out */
    ecs_entity_t *list; /* what ecs_get_entities returned last; rebuilt on demand */
    int32_t list_size;
} ecs__entity_index_t;

void ecs__entity_index_init(ecs__entity_index_t *index);
void ecs__entity_index_fini(ecs__entity_index_t *index);

/** Record of an entity that must be alive, or of an id below `made`. */
static inline ecs_record_t *ecs__entity_get(const ecs__entity_index_t *index, ecs_entity_t entity) {
    return &index->records[(uint32_t)entity];
}

/** Record of an id whatever its generation, or NULL if it was not made. */
static inline ecs_record_t *ecs__entity_slot(const ecs__entity_index_t *index, uint32_t id) {
    return id < index->made ? &index->records[id] : NULL;
}

/** Record of the living entity with this index, or NULL. */
static inline ecs_record_t *ecs__entity_living(const ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->made) return NULL;
    ecs_record_t *record = &index->records[id];
    return record->table ? record : NULL;
}

/** Its table, or NULL. */
static inline ecs_table_t *ecs__entity_living_table(const ecs__entity_index_t *index, uint32_t id) {
    const ecs_record_t *record = ecs__entity_living(index, id);
    return record ? record->table : NULL;
}

/** Record of a living entity, or NULL if it is not alive with this generation. */
static inline ecs_record_t *ecs__entity_try(const ecs__entity_index_t *index, ecs_entity_t entity) {
    ecs_record_t *record = ecs__entity_living(index, (uint32_t)entity);
    return record && record->generation == (uint32_t)(entity >> 32) ? record : NULL;
}

/** Its table, or NULL. */
static inline ecs_table_t *ecs__entity_table(
    const ecs__entity_index_t *index, ecs_entity_t entity) {
    const ecs_record_t *record = ecs__entity_try(index, entity);
    return record ? record->table : NULL;
}

static inline bool ecs__entity_is_alive(const ecs__entity_index_t *index, ecs_entity_t entity) {
    return ecs__entity_try(index, entity) != NULL;
}

/** The living entity with this index (generation restored), or 0. */
ecs_entity_t ecs__entity_alive_id(const ecs__entity_index_t *index, uint32_t id);

/** Take a free id (recycled, never used, or new). Its record exists; the caller places it in a table. */
ecs_entity_t ecs__entity_new(ecs__entity_index_t *index);
/** The same `count` times. */
void ecs__entity_new_many(ecs__entity_index_t *index, ecs_entity_t *out, int32_t count);

/** The next id, if that is a recycled one or the first behind all that were issued, and its record exists; else 0. */
static inline ecs_entity_t ecs__entity_new_quick(ecs__entity_index_t *index) {
    if (index->pool.free_count) {
        ecs_entity_t entity = index->pool.free_ids[index->pool.free_count - 1];
        if (entity) index->pool.free_count--;
        return entity;
    }
    bool is_next = !index->pool.range_count && index->pool.high < index->pool.limit;
    return is_next && ecs__entity_slot(index, index->pool.high) ? index->pool.high++ : 0;
}

/** Take the next unused id below FLECS_HI_COMPONENT_ID, or 0 when they are used up. Never recycled. */
ecs_entity_t ecs__entity_new_low(ecs__entity_index_t *index);

/** Make a given id the one to be placed next: takes it out of the free ids and sets its generation.
 * The record must not be alive. */
ecs_record_t *ecs__entity_claim(ecs__entity_index_t *index, ecs_entity_t entity);

/** Take the id with this index if nobody has it and it is of the active range; 0 if not. */
ecs_entity_t ecs__entity_new_at(ecs__entity_index_t *index, uint32_t id);

/** Take back an id that was taken and not placed. */
void ecs__entity_give_back(ecs__entity_index_t *index, ecs_entity_t entity);

/** The entity left its table: its next generation becomes free. Low component ids are not recycled. */
void ecs__entity_free(ecs__entity_index_t *index, ecs_entity_t entity);
void ecs__entity_free_many(ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count);

/** The same where there is little to it, else nothing and false. */
static inline bool ecs__entity_free_quick(
    ecs__entity_index_t *index, ecs_record_t *record, ecs_entity_t entity) {
    int32_t at = index->pool.free_count;
    if (at == index->pool.free_size || index->user_ranges) return false;
    if ((uint32_t)entity < ECS__FIRST_USER_ENTITY) return false;
    uint32_t generation = (record->generation + 1) & 0xFFFF;
    record->table = NULL;
    record->row = (uint32_t)at;
    record->generation = generation;
    index->pool.free_ids[at] = (uint64_t)generation << 32 | (uint32_t)entity;
    index->pool.free_count = at + 1;
    index->alive_count--;
    return true;
}

/** A free id is not used again until it is let go: queries name it, and must not find whoever would get it. */
void ecs__entity_hold(ecs__entity_index_t *index, uint32_t id);
#define ECS__ENTITY_HELD (UINT32_MAX - 1) /* `row` of such an id */
static inline bool ecs__entity_is_held(const ecs__entity_index_t *index, uint32_t id) {
    const ecs_record_t *record = ecs__entity_slot(index, id);
    return record && !record->table && record->row == ECS__ENTITY_HELD;
}
void ecs__entity_let_go(ecs__entity_index_t *index, uint32_t id);

/** An id that a worker took from a reservation is placed now: its record is made and gets the generation. */
ecs_record_t *ecs__entity_issue(ecs__entity_index_t *index, ecs_entity_t entity);

/** Ids [begin, end) below or behind `high` count as issued from now on. */
void ecs__entity_mark_issued(ecs__entity_index_t *index, uint32_t begin, uint32_t end);

/** Make the free stack hold at least `wanted` ids without holes, taking never-issued ones; and up to `hoped` as far as there are
 * never-issued ids below the end of the id space. */
void ecs__entity_fill_free(ecs__entity_index_t *index, int32_t wanted, int32_t hoped);

/** The first id from `id` on that was issued; the pool's limit if there is none. */
uint32_t ecs__id_pool_next(const ecs__id_pool_t *pool, uint32_t id);

/** All ids: the living first, then the recyclable ones. Valid until the next change. O(ids that were issued). */
const ecs_entity_t *ecs__entity_list(
    ecs__entity_index_t *index, int32_t *count, int32_t *alive_count);

ECS_COLD bool ecs__entity_index_verify(const ecs__entity_index_t *index);

#endif
