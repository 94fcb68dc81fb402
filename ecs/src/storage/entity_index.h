// SPDX-License-Identifier: MIT
// entity_index: entity id -> where the entity is, in one 8-byte record of an array.
//
// A record holds the generation, whether the entity is near, whether it is marked, the line of its table, and the row. Tables lie below the
// records, their hot lines at multiples of 64 bytes, so that a table is found by counting down and no address has to be read.
// Near: alive, and in a table with a line. Places that do not fit, as that table found no room there or has too many rows, are in `shown`,
// which has memory once it is needed. Marked: `marks` holds flags of the entity (EcsEntity*), which most have none of.
// Alive means a table (entities without ids sit in the root table) and equal generations. A record that is not near has line 0; if it is not
// alive, the generation that its id gets next, and as row the position in the free stack. Line 0 is that of a table without ids and rows:
// who looks for a plain value there finds none, and need not ask first.
// Free ids: a stack of recycled ids (0 = hole, taken out by make_alive; closed when there are more of them than ids) and, below `high`, ranges never used. While commands are applied,
// ids of what died since are at the top of the stack and not used: pairs do not name generations, so a command that is still to come
// would mean whoever got the id.
// With ranges of ids chosen by the user all of these are those of the active range, see id_range.h.
// Workers take ids through id_reserve.h. Addresses for the records of all ids are reserved at once, and get memory as ids are issued: the
// array never moves, and a record is found without a directory. Most of it lies in huge pages: one random access costs one cache line and
// seldom a page table walk.
// Threads: any thread may read while nothing writes structure; only the main thread writes, but for what ecs__entity_show fills in.
#ifndef ECS_STORAGE_ENTITY_INDEX_H
#define ECS_STORAGE_ENTITY_INDEX_H

#include "storage/id_gaps.h"
#include "storage/table.h"

/** Where an entity is. */
typedef struct ecs__spot_t {
    ecs_table_t *table; /* NULL: nowhere, it is not alive, */
    int32_t row;        /* and 0 */
} ecs__spot_t;

/** generation 0 … 15, near 16, marked 17, line 18 … 38, row 39 … 63 */
typedef struct ecs__record_t {
    uint64_t bits;
} ecs__record_t;

#define ECS__RECORD_NEAR ((uint64_t)1 << 16) /* alive, and the rest says where */
#define ECS__RECORD_MARKED ((uint64_t)1 << 17)
#define ECS__RECORD_LINE 18
#define ECS__RECORD_LINES ((uint64_t)1 << 21)
/** In place of the row: the place did not fit, see `shown`. */
#define ECS__ROW_FAR (((uint32_t)1 << 25) - 1)

/** Marks beside the flags of entities (EcsEntity*): who looks at `shown` sees where the entity is; */
#define ECS__ENTITY_SHOWN ((uint32_t)1)
/** observers are below it, or were, however far. */
#define ECS__ENTITY_OVERSEES ((uint32_t)2)
/** A term names it, and its kinds with it. */
#define ECS__ENTITY_IS_ASKED ((uint32_t)4)
#define ECS__ENTITY_MARKS (ECS__ENTITY_SHOWN | ECS__ENTITY_OVERSEES | ECS__ENTITY_IS_ASKED)

/** In place of the position in the free stack: it is not there, */
#define ECS__ROW_NOWHERE (ECS__ROW_FAR - 2)
/** and is not to be used. */
#define ECS__ROW_HELD (ECS__ROW_FAR - 1)

/** What new ids are taken from. */
typedef struct ecs__id_pool_t {
    uint64_t *free_ids; /* recycled ids with their next generation, a stack; 0 = hole */
    int32_t free_count, free_size;
    int32_t free_holes;
    ecs__id_gaps_t gaps; /* never-issued ids below high */
    /* no id at or above was ever issued (as long as there are no ranges of the user) */
    uint32_t high;
    uint32_t limit; /* ids at and above belong to another range */
} ecs__id_pool_t;

typedef struct ecs__entity_index_t {
    ecs__record_t *records; /* by index of the id; below them is memory for tables */
    uint64_t made;          /* so many of them have memory; it begins as zeros */
    uint8_t *marks;         /* of marked entities, by index: upper half of their flags */
    uint64_t marks_made;
    ecs_record_t *shown; /* records as users see them, by index, and places that do not fit */
    uint64_t shown_made;
    uint32_t showing;   /* 1: a thread fills one in */
    uint32_t near_rows; /* rows, and positions in the free stack, from this on are in `shown` */
    void *reserved;     /* addresses of all of these, */
    size_t reserved_size;
    uint64_t reserved_ids;         /* for so many ids, */
    size_t lines_size, lines_made; /* bytes below `records`: addresses, those with memory, */
    size_t lines_used;             /* and those that are taken */
    int32_t alive_count;
    int32_t spared;      /* INT32_MAX while ids of what dies are not used; else 0, */
    int32_t usable;      /* and in the former case ids on the stack that are */
    ecs__id_pool_t pool; /* of the active range */
    struct ecs__id_ranges_t *user_ranges; /* NULL if there are none */
    ecs_entity_t last_low_id;             /* highest low component id given out */
    ecs_entity_t *list; /* what ecs_get_entities returned last; rebuilt on demand */
    int32_t list_size;
} ecs__entity_index_t;

void ecs__entity_index_init(ecs__entity_index_t *index);
void ecs__entity_index_fini(ecs__entity_index_t *index);

/** Memory for tables, with a line in it that records can name; NULL if there is no more. For the life of the index. */
void *ecs__entity_index_take(ecs__entity_index_t *index, size_t size);
/** What records say of a table in such memory, see ecs__record; 0 for other tables. */
int64_t ecs__entity_index_line(const ecs__entity_index_t *index, const ecs_table_t *table);

// ---- records ----

/** The table in a line: of line 0 one that has nothing. */
static inline ecs_table_t *ecs__record_near(
    const ecs__entity_index_t *index, const ecs__record_t *record) {
    const uint64_t down = (record->bits >> (ECS__RECORD_LINE - 6)) & ((ECS__RECORD_LINES - 1) << 6);
    const char *first = (const char *)index->records - 64 - offsetof(ecs_table_t, low_end);
    return (ecs_table_t *)(void *)(first - down);
}

/** The same number for all records of a short table, if their entities are those of the present generation and not marked. */
static inline uint64_t ecs__record_key(const ecs__record_t *record, ecs_entity_t entity) {
    return (record->bits ^ entity >> 32) << (64 - ECS__RECORD_ROW);
}

/** True if the record says where the entity is. */
static inline bool ecs__record_is_near(const ecs__record_t *record) {
    return record->bits & ECS__RECORD_NEAR;
}
static inline uint32_t ecs__record_near_row(const ecs__record_t *record) {
    return (uint32_t)(record->bits >> ECS__RECORD_ROW);
}

static inline ecs__record_t *ecs__record_of(const ecs__entity_index_t *index, ecs_entity_t entity) {
    return &index->records[(uint32_t)entity];
}

/** The place of a record that is not near. */
ecs__spot_t ecs__record_far_spot(const ecs__entity_index_t *index, const ecs__record_t *record);

static inline ecs__spot_t ecs__record_spot(
    const ecs__entity_index_t *index, const ecs__record_t *record) {
    if (__builtin_expect(!ecs__record_is_near(record), 0))
        return ecs__record_far_spot(index, record);
    return (ecs__spot_t){ ecs__record_near(index, record), (int32_t)ecs__record_near_row(record) };
}

/** The generation of the living entity, or the one that the id gets next. */
static inline uint32_t ecs__record_generation(const ecs__record_t *record) {
    return (uint16_t)record->bits;
}

/** The entity is in a row of a table that is short. What is known not to be marked is not read. */
static inline void ecs__record_write(ecs__record_t *record, ecs_entity_t entity,
    const ecs_table_t *table, uint32_t row, bool may_be_marked) {
    uint64_t bits = entity >> 32 | (uint64_t)table->line | (uint64_t)row << ECS__RECORD_ROW;
    if (may_be_marked) bits |= record->bits & ECS__RECORD_MARKED;
    record->bits = bits;
}

// ---- entities ----

/** Place of an entity that must be alive. */
static inline ecs__spot_t ecs__entity_spot(const ecs__entity_index_t *index, ecs_entity_t entity) {
    return ecs__record_spot(index, ecs__record_of(index, entity));
}

/** Record of an entity that is alive with this generation, if it is near, else NULL. */
static inline ecs__record_t *ecs__entity_near(
    const ecs__entity_index_t *index, ecs_entity_t entity) {
    if ((uint32_t)entity >= index->made) return NULL;
    ecs__record_t *record = ecs__record_of(index, entity);
    const uint64_t wanted = (entity >> 32) + ECS__RECORD_NEAR; /* flags do not fit into a sum */
    return (record->bits & (0xFFFF | ECS__RECORD_NEAR)) == wanted ? record : NULL;
}

/** The same where that is not so. */
ecs__spot_t ecs__entity_find_far(const ecs__entity_index_t *index, ecs_entity_t entity);

/** Place of a living entity; nowhere if it is not alive with this generation. */
static inline ecs__spot_t ecs__entity_find(const ecs__entity_index_t *index, ecs_entity_t entity) {
    const ecs__record_t *record = ecs__entity_near(index, entity);
    if (!record) return ecs__entity_find_far(index, entity);
    return (ecs__spot_t){ ecs__record_near(index, record), (int32_t)ecs__record_near_row(record) };
}

/** Its table, or NULL. */
static inline ecs_table_t *ecs__entity_table(
    const ecs__entity_index_t *index, ecs_entity_t entity) {
    return ecs__entity_find(index, entity).table;
}

static inline bool ecs__entity_is_alive(const ecs__entity_index_t *index, ecs_entity_t entity) {
    return ecs__entity_near(index, entity) || ecs__entity_find_far(index, entity).table;
}

/** Place of the living entity with this index, whatever its generation. */
static inline ecs__spot_t ecs__entity_living(const ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->made) return (ecs__spot_t){ NULL, 0 };
    return ecs__record_spot(index, &index->records[id]);
}

/** Its table, or NULL. */
static inline ecs_table_t *ecs__entity_living_table(const ecs__entity_index_t *index, uint32_t id) {
    return ecs__entity_living(index, id).table;
}

/** Why nobody who is not alive can be given this id, for users; NULL if that can be. */
ECS_COLD const char *ecs__entity_refusal(const ecs__entity_index_t *index, ecs_entity_t entity);

/** Flags of an entity that must be alive (EcsEntity*), and ECS__ENTITY_MARKS. */
static inline uint32_t ecs__entity_marks(const ecs__entity_index_t *index, ecs_entity_t entity) {
    if (!(ecs__record_of(index, entity)->bits & ECS__RECORD_MARKED)) return 0;
    const uint8_t marks = index->marks[(uint32_t)entity];
    return (uint32_t)(marks >> 4) << 28 | (marks & ECS__ENTITY_MARKS);
}
/** Set some of the flags of the living entity with this index. */
void ecs__entity_mark(ecs__entity_index_t *index, uint32_t id, uint32_t marks);

/** An entity, which may be marked, is in a row of any table from now on, and has its generation. */
void ecs__entity_put(
    ecs__entity_index_t *index, ecs_entity_t entity, ecs_table_t *table, int32_t row);

/** Memory for all that may be in `shown`, so that any thread may write some. */
void ecs__entity_make_shown(ecs__entity_index_t *index);
/** The record of a living entity as users see it: its spot, now and as long as it is marked (`keep`; only the main thread may). Other
 * threads may do the same. */
ecs_record_t *ecs__entity_show(ecs__entity_index_t *index, ecs_entity_t entity, bool keep);

/** The living entity with this index (generation restored), or 0. */
ecs_entity_t ecs__entity_alive_id(const ecs__entity_index_t *index, uint32_t id);
/** The living entity that a pair leads to, or 0: a number is nobody. */
static inline ecs_entity_t ecs__pair_target(const ecs__entity_index_t *index, ecs_id_t pair) {
    return ECS_IS_VALUE_PAIR(pair) ? 0 : ecs__entity_alive_id(index, ecs__id_second(pair));
}

/** Take a free id (recycled, never used, or new). Its record exists; the caller places it in a table. */
ecs_entity_t ecs__entity_new(ecs__entity_index_t *index);
/** The same `count` times. */
void ecs__entity_new_many(ecs__entity_index_t *index, ecs_entity_t *out, int32_t count);

/** The next id, if that is a recycled one or the first behind all that were issued, and its record exists; else 0. */
static inline ecs_entity_t ecs__entity_new_quick(ecs__entity_index_t *index) {
    if (index->pool.free_count > index->spared) {
        ecs_entity_t entity = index->pool.free_ids[index->pool.free_count - 1];
        if (entity) index->pool.free_count--;
        return entity;
    }
    if (index->spared) return 0;
    bool is_next = !index->pool.gaps.count && index->pool.high < index->pool.limit;
    return is_next && index->pool.high < index->made ? index->pool.high++ : 0;
}

/** Take the next unused id below FLECS_HI_COMPONENT_ID, or 0 when they are used up. Never recycled. */
ecs_entity_t ecs__entity_new_low(ecs__entity_index_t *index);

/** Make a given id the one to be placed next: takes it out of the free ids and sets its generation.
 * The record must not be alive. */
void ecs__entity_claim(ecs__entity_index_t *index, ecs_entity_t entity);

/** Take the id with this index if nobody has it and it is of the active range; 0 if not, or if it was never issued and many others wait
 * to be used again. */
ecs_entity_t ecs__entity_new_at(ecs__entity_index_t *index, uint32_t id);

/** Take back an id that was taken and not placed. */
void ecs__entity_give_back(ecs__entity_index_t *index, ecs_entity_t entity);

/** The entity left its table: its next generation becomes free. Low component ids are not recycled. */
void ecs__entity_free(ecs__entity_index_t *index, ecs_entity_t entity);
void ecs__entity_free_many(ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count);
/** A free id is at another position of the stack. */
void ecs__entity_set_free(ecs__entity_index_t *index, ecs_entity_t entity, uint32_t position);
/** The same by parts: take a place on the stack for each, from the returned one on; -1, and nothing is done, if that is not all. */
int32_t ecs__entity_free_begin(
    ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count);
/** Free some of these entities; `at` is the place of the first of them. Any thread. */
void ecs__entity_free_part(
    ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count, int32_t at);

/** The same where there is little to it, else nothing and false. The entity is not marked. */
static inline bool ecs__entity_free_quick(ecs__entity_index_t *index, ecs_entity_t entity) {
    uint32_t at = (uint32_t)index->pool.free_count;
    if (at == (uint32_t)index->pool.free_size || at >= index->near_rows) return false;
    if (index->user_ranges || (uint32_t)entity < ECS__FIRST_USER_ENTITY) return false;
    uint64_t generation = (uint16_t)((entity >> 32) + 1);
    ecs__record_of(index, entity)->bits = generation | (uint64_t)at << ECS__RECORD_ROW;
    index->pool.free_ids[at] = generation << 32 | (uint32_t)entity;
    index->pool.free_count = (int32_t)at + 1;
    index->alive_count--;
    return true;
}

/** From now on ids of what dies are not used, until the end. Returns whether that is new; the end is told. */
static inline bool ecs__entity_spare_begin(ecs__entity_index_t *index) {
    if (index->spared) return false;
    index->spared = INT32_MAX;
    index->usable = index->pool.free_count;
    return true;
}
static inline void ecs__entity_spare_end(ecs__entity_index_t *index, bool began) {
    if (began) index->spared = 0;
}

/** A free id is not used again until it is let go: queries name it, and must not find whoever would get it. */
void ecs__entity_hold(ecs__entity_index_t *index, uint32_t id);
bool ecs__entity_is_held(const ecs__entity_index_t *index, uint32_t id);
void ecs__entity_let_go(ecs__entity_index_t *index, uint32_t id);

/** Ids from this one on can be nobody's, as there are no addresses for their records. */
static inline uint32_t ecs__entity_most_ids(const ecs__entity_index_t *index) {
    return (uint32_t)ECS_MIN(index->reserved_ids, UINT32_MAX); /* see `limit` */
}
/** Memory for the records of all ids up to this one. */
void ecs__entity_make_records(ecs__entity_index_t *index, uint32_t id);
/** An id, maybe taken from a reservation by a worker, is placed now: its record is made. */
static inline void ecs__entity_issue(ecs__entity_index_t *index, ecs_entity_t entity) {
    if ((uint32_t)entity >= index->made) ecs__entity_make_records(index, (uint32_t)entity);
}

/** The generation of the living entity, or the one that the id gets next; 0 if it was not made. */
uint32_t ecs__entity_generation(const ecs__entity_index_t *index, uint32_t id);
/** Make the records of all such ids, so that any thread may issue some. */
void ecs__entity_make_issued(ecs__entity_index_t *index);

/** Ids [begin, end) below or behind `high` count as issued from now on. */
void ecs__entity_mark_issued(ecs__entity_index_t *index, uint32_t begin, uint32_t end);

/** Make the free stack hold at least `wanted` ids without holes, taking never-issued ones; and up to `hoped` as far as there are
 * never-issued ids below the end of the id space. */
void ecs__entity_fill_free(ecs__entity_index_t *index, int32_t wanted, int32_t hoped);

/** Give back memory for free ids that are no more. */
void ecs__entity_index_shrink(ecs__entity_index_t *index);

/** The first id from `id` on that was issued; the pool's limit if there is none. */
uint32_t ecs__id_pool_next(const ecs__id_pool_t *pool, uint32_t id);

/** All ids: the living first, then the recyclable ones. Valid until the next change. O(ids that were issued). */
const ecs_entity_t *ecs__entity_list(
    ecs__entity_index_t *index, int32_t *count, int32_t *alive_count);

ECS_COLD bool ecs__entity_index_verify(const ecs__entity_index_t *index);

#endif
