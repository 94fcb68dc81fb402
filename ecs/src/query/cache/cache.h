// SPDX-License-Identifier: MIT
// cache: the tables that match the $this part of a query, kept current.
//
// Matches lie in one flat array in order of table creation; deleted tables leave holes until they
// are closed:
//
//   matches   | table number set_fields … columns[fields] | table number …
//   copies    | entities … table count ptrs[fields]       | entities … table
//   one every `stride` and `copy_stride` bytes
//
// A match whose fields are all ids of the table itself, as written in the query, needs no more than
// that ("simple"). Others have a row of `details`: ids that wildcards stand for, sources and their
// tables.
// A copy is a whole result, laid out like the beginning of an iterator, so that iterating reads one
// array instead of scattered tables and writes a result in a few large moves. Copies are taken when
// an iteration begins, no table changed since others did, and these went through as many matches as there
// are: those that end early do not pay for all. They are good while
// `snapshot` equals store->structure_stamp: what makes them wrong in another way raises that stamp.
// If matches are not all simple, or have an order, copies also hold what differs: "detailed".
// New tables come through a listener on the record of the rarest required id, deleted ones too. Where
// one of several ids is required, there is one on the record of each.
// What lies above tables is watched by stamps: tables below a change are matched again (stale.c,
// rematch.c). Grouped (group.h): `order` lists the
// matches by group, then creation; a few new ones are put in their places. Sorted (sort.h): it lists slices of them.
// Whatever changes positions or addresses of matches raises `moved`, and iterators find their place
// again.
// Threads: changed by the main thread while the world is not readonly; read by anyone.
#ifndef ECS_QUERY_CACHE_CACHE_H
#define ECS_QUERY_CACHE_CACHE_H

#include <muster/ecs/ds/vec.h>
#include "base/atomics.h"
#include "query/cache/group.h"
#include "query/cache/sort.h"
#include "query/eval/eval.h"

/** Iterators look this many copies ahead; there are as many behind the last one. */
#define ECS__CACHE_AHEAD 8

struct ecs__match_t {
    ecs_table_t *table; /* NULL: deleted */
    uint64_t number;    /* of the table in order of creation */
    ecs_termset_t set_fields;
    int32_t details;      /* first of field_count, -1: simple */
    ecs__group_t *group;  /* NULL: deleted, or the query is not grouped */
    bool was_shown;       /* as another result, which was seen: `seen` is of this one */
    bool is_sorted;       /* the rows of the table were, at the last sort, */
    int32_t sorted_count; /* so many; */
    /* of them some changed since and were not moved, but have their place in the order */
    int32_t waiting;
    uint64_t seen;     /* when the query looked at it; 0 = never (detect.h) */
    uint64_t kept;     /* beginning of the iteration that skipped it */
    int16_t columns[]; /* per field: in the table that has it, or -1 */
};

/** The result that a simple match gives; as in ecs_iter_t up to `ptrs`. */
typedef struct ecs__copy_t {
    const ecs_entity_t *entities;
    ecs_termset_t set_fields;
    int32_t frame_offset;
    ecs_table_t *table; /* NULL behind the last copy */
    int32_t count;      /* 0: nothing to show */
    int32_t offset;
    void *ptrs[];
} ecs__copy_t;

/** Simple copies have room for so many pointers at least; those of few fields have the same size. */
#define ECS__COPY_FEW 2
#define ECS__COPY_FEW_BYTES (ecs__copy_bytes(ECS__COPY_FEW))

/** Bytes of a simple one. */
static inline intptr_t ecs__copy_bytes(int32_t field_count) {
    return (intptr_t)sizeof(ecs__copy_t) +
           ECS_MAX(field_count, ECS__COPY_FEW) * (intptr_t)sizeof(void *);
}

/** The next simple copy with rows, or the one behind the last. */
static inline const char *ecs__copies_with_rows(const char *at, intptr_t bytes) {
    const ecs__copy_t *copy;
    for (; copy = (const ecs__copy_t *)(const void *)at, copy->table && !copy->count; at += bytes) {
    }
    return at;
}

/** Soon it will be shown. */
static inline void ecs__copy_prefetch(const ecs__copy_t *copy, int32_t field_count) {
    __builtin_prefetch(copy->ptrs[0]);
    __builtin_prefetch(copy->ptrs[1]);
    for (int32_t f = 2; f < field_count; f++) __builtin_prefetch(copy->ptrs[f]);
}

/** The same of its rows, not only the first line of each field; */
void ecs__copy_prefetch_rows(const ecs__copy_t *copy, const ecs_size_t *sizes, int32_t field_count);
/** so many copies ahead. */
#define ECS__CACHE_ROWS_AHEAD 6

/** What a detailed copy holds behind its arrays. */
typedef struct ecs__copy_end_t {
    ecs_termset_t up_fields; /* those of other entities */
    bool is_mixed;           /* arrays of values beside single ones */
} ecs__copy_end_t;

/** A field of a match that is not simple. */
typedef struct ecs__detail_t {
    ecs_id_t id;
    ecs_entity_t source;      /* above, or a constant; 0 = the table itself */
    const ecs_table_t *table; /* of the source when it was matched */
} ecs__detail_t;

typedef struct ecs__matches_t {
    char *array;
    int32_t count, size; /* holes included */
    int32_t holes;
    ecs__detail_t *details;
    int32_t detail_count, detail_size;
} ecs__matches_t;

/** Rows of a match. */
typedef struct ecs__place_t {
    int32_t match;
    int32_t row, count; /* INT32_MAX: all rows from `row` on */
} ecs__place_t;

typedef struct ecs__detect_t ecs__detect_t;

/** Hears of the tables of one more id for a cache, see ecs__op_key. */
typedef struct ecs__ear_t {
    ecs__table_listener_t listener; /* first member */
    ecs__cache_t *cache;
    ecs__listener_list_t *list; /* that holds it */
} ecs__ear_t;

typedef struct ecs__cache_t {
    /* What new tables need comes first, in two lines of memory: there may be a thousand caches to tell of them. */
    ecs__table_listener_t listener; /* first member */
    int32_t stride;                 /* bytes from match to match */
    int32_t match_count;            /* how often a table came or went */
    const ecs__plan_t *plan;
    ecs__matches_t now;
    ecs__groups_t *groups; /* NULL: not grouped */
    ecs__sort_t *sort;     /* NULL: not sorted */
    ecs__detect_t *detect; /* NULL: changes are not detected. Belongs to the query */
    uint64_t stamp;        /* matches came, went or moved */
    bool order_is_stale;
    bool is_watched;            /* someone wants to know of changes of a matched table */
    bool is_detailed;           /* the copies are */
    bool rows_ahead;            /* rows of copies are to be fetched before they are shown */
    bool may_copy;              /* copies are of use to the query */
    bool is_followed;           /* by another, which new tables are for */
    ecs__listener_list_t *list; /* that holds the listener */
    ecs__ear_t *ears;           /* behind it, if new tables may have one of several ids */
    int32_t ear_count;
    ecs__store_t *store;
    int32_t copy_stride;
    ecs_size_t copy_bytes; /* allocated */
    char *copies;
    const ecs_size_t *sizes; /* per field, if it is not set */
    ecs__matches_t spare;    /* what a rematch finds; memory */
    ecs_vec_t stale;         /* ecs_table_t*: to be matched again; memory */
    ecs__place_t *order;     /* NULL: matches come as they lie */
    int32_t order_count, order_size;
    int32_t placed;       /* grouped: so many matches are in order; 0: all are to be ordered anew */
    uint64_t watch_stamp; /* store->watch.tables when `is_watched` was found */
    uint64_t moved;       /* positions or addresses of matches changed */
    uint64_t snapshot;    /* store->structure_stamp of the copies, 0 = none */
    uint64_t visited;     /* store->structure_stamp at the last iteration */
    uint32_t walked;      /* matches that iterations went through since, each one at least */
    uint64_t seen;        /* store->traverse_stamp when last in agreement with what is above */
    ecs_entity_t entity;  /* of the query: it has EcsEmpty until something matches; or 0 */
} ecs__cache_t;

/** Takes over `groups` and `sort`, which may be NULL. */
ecs__cache_t *ecs__cache_new(
    const ecs__plan_t *plan, ecs__store_t *store, ecs__groups_t *groups, ecs__sort_t *sort);
void ecs__cache_free(ecs__cache_t *cache);
ECS_COLD bool ecs__cache_verify(const ecs__cache_t *cache);

static inline bool ecs__cache_is_empty(const ecs__cache_t *cache) {
    return cache->now.count == cache->now.holes;
}
/** It was empty: if it no longer is, its entity loses EcsEmpty when the present change is done. */
void ecs__cache_tell_matched(const ecs__cache_t *cache);
/** True if the cache says what matches now. If it is sorted, only for the main thread. */
static inline bool ecs__cache_is_current(const ecs__cache_t *cache) {
    return (cache->plan->own || cache->seen == cache->store->traverse_stamp) &&
           !cache->order_is_stale && (!cache->sort || ecs__sort_is_current(cache));
}
/** Make it current: match again if something above changed, and put matches in order. Cheap when
 * nothing did. */
void ecs__cache_update(ecs__cache_t *cache);
/** Positions of matches change although no table does: copies are no more good. */
static inline void ecs__cache_drop_copies(ecs__cache_t *cache) {
    if (cache->snapshot == cache->store->structure_stamp) cache->store->structure_stamp++;
    cache->snapshot = 0;
}
/** True if results come as matches lie and differ in nothing but their table. */
static inline bool ecs__cache_is_simple(const ecs__cache_t *cache) {
    return !cache->now.detail_count && !cache->order;
}
/** True if copies can be taken: not of values beside tables, nor of parts of tables that sorting makes. */
static inline bool ecs__cache_can_copy(const ecs__cache_t *cache) {
    bool is_whole = !cache->plan->row_fields && !cache->sort;
    return cache->may_copy && (is_whole || ecs__cache_is_simple(cache));
}
/** True if there are copies that are good. Not those that were taken while others heard of a table that this cache had not heard of. */
static inline bool ecs__cache_has_copies(const ecs__cache_t *cache) {
    return cache->snapshot == cache->store->structure_stamp &&
           cache->is_detailed == !ecs__cache_is_simple(cache);
}
/** An iteration begins and there are no good copies: take them, if it is time. */
void ecs__cache_copy(ecs__cache_t *cache);
ECS_COLD bool ecs__copies_verify(const ecs__cache_t *cache);
/** An iteration begins. */
static inline void ecs__cache_visit(ecs__cache_t *cache) {
    if (cache->sort) cache->sort->debt += cache->sort->waiting;
    if (cache->snapshot != cache->store->structure_stamp) ecs__cache_copy(cache);
}
/** Close holes. If there is an order, ecs__cache_update must follow. */
void ecs__cache_compact(ecs__cache_t *cache);
/** Positions of matches, or their groups, are others. */
static inline void ecs__cache_reorder(ecs__cache_t *cache) {
    cache->order_is_stale = true;
    cache->placed = 0;
}

/** Find out whether tables are watched. */
void ecs__cache_find_watched(ecs__cache_t *cache);
static inline void ecs__cache_follow_watches(ecs__cache_t *cache) {
    if (cache->watch_stamp != cache->store->watch.tables) ecs__cache_find_watched(cache);
}
/** A match goes: that is a change, unless it was without rows when the query looked last. */
void ecs__cache_lose(const ecs__cache_t *cache, const ecs__match_t *match);
/** Watch the tables of a match. */
void ecs__cache_watch_match(const ecs__cache_t *cache, const ecs__match_t *match);

/** A table that is older than the last match: its matches, if any, come before those of later ones. */
void ecs__cache_insert(ecs__cache_t *cache, ecs_table_t *table);
/** Match tables again that may match otherwise than before. */
void ecs__cache_rematch(ecs__cache_t *cache);
/** List these in `stale`, in order of creation. */
void ecs__cache_find_stale(ecs__cache_t *cache);
/** Append the result of a program with all its details. */
ecs__match_t *ecs__cache_describe(
    ecs__cache_t *cache, ecs__matches_t *matches, const ecs__eval_t *eval);
/** Room for the details of one more match. */
ecs__detail_t *ecs__matches_add_details(ecs__matches_t *matches, int32_t field_count);
/** True if the fields are ids of the table itself, as written in the query. */
bool ecs__details_are_simple(const ecs__plan_t *plan, const ecs__detail_t *details);
/** What the wishes of a query make of a match that came or changed. */
void ecs__cache_welcome(ecs__cache_t *cache, ecs__match_t *match);
/** A table matches no longer, or goes: the match becomes a hole. It leaves its group last. */
void ecs__cache_retire(ecs__cache_t *cache, ecs__match_t *match);
/** Close holes, or have it done, if there are many. */
void ecs__cache_trim(ecs__cache_t *cache);
/** Room for `count` more matches. */
void ecs__cache_reserve(ecs__cache_t *cache, ecs__matches_t *matches, int32_t count);
/** First match, not before `from`, of a table with at least this number. O(log distance). */
int32_t ecs__cache_seek(const ecs__cache_t *cache, int32_t from, uint64_t number);

static inline ecs__copy_t *ecs__copies_at(const ecs__cache_t *cache, int32_t position) {
    return (ecs__copy_t *)(void *)(cache->copies + (size_t)cache->copy_stride * (size_t)position);
}
/** Detailed copies have room for this many fields: ptrs, ids, sources, sizes, columns, end. */
static inline int32_t ecs__copy_room(int32_t field_count) { return field_count <= 4 ? 4 : 8; }
static inline ecs_id_t *ecs__copy_ids(const ecs__copy_t *copy, int32_t room) {
    return (ecs_id_t *)(uintptr_t)(copy->ptrs + room);
}
static inline ecs_entity_t *ecs__copy_sources(const ecs__copy_t *copy, int32_t room) {
    return ecs__copy_ids(copy, room) + room;
}
static inline ecs_size_t *ecs__copy_sizes(const ecs__copy_t *copy, int32_t room) {
    return (ecs_size_t *)(void *)(ecs__copy_sources(copy, room) + room);
}
static inline int16_t *ecs__copy_columns(const ecs__copy_t *copy, int32_t room) {
    return (int16_t *)(void *)(ecs__copy_sizes(copy, room) + room);
}
static inline ecs__copy_end_t *ecs__copy_end(const ecs__copy_t *copy, int32_t room) {
    return (ecs__copy_end_t *)(void *)(ecs__copy_columns(copy, room) + room);
}
static inline ecs__match_t *ecs__matches_at(
    const ecs__cache_t *cache, const ecs__matches_t *matches, int32_t index) {
    return (ecs__match_t *)(void *)(matches->array + (size_t)cache->stride * (size_t)index);
}
/** What a match has in a field. */
static inline ecs__detail_t ecs__match_detail(
    const ecs__cache_t *cache, const ecs__match_t *match, int32_t field) {
    if (match->details >= 0) return cache->now.details[match->details + field];
    return (ecs__detail_t){ cache->plan->ids[field], 0, match->table };
}
/** Place number `index` in order of iteration. */
static inline ecs__place_t ecs__cache_place(const ecs__cache_t *cache, int32_t index) {
    return cache->order ? cache->order[index] : (ecs__place_t){ index, 0, INT32_MAX };
}
/** Row behind the last one. */
static inline int32_t ecs__place_end(const ecs__place_t *place, const ecs_table_t *table) {
    return place->count < table->count - place->row ? place->row + place->count : table->count;
}
/** Its match; the table may be NULL. */
static inline ecs__match_t *ecs__cache_at(const ecs__cache_t *cache, int32_t index) {
    return ecs__matches_at(cache, &cache->now, ecs__cache_place(cache, index).match);
}
static inline int32_t ecs__cache_count(const ecs__cache_t *cache) {
    return cache->order ? cache->order_count : cache->now.count;
}
/** An iteration went through all matches. Threads: any; read by ecs__cache_copy. */
static inline void ecs__cache_end_visit(const ecs__cache_t *cache) {
    ecs__store_32((uint32_t *)(uintptr_t)&cache->walked, (uint32_t)ecs__cache_count(cache));
}
/** Position of the first match, in order of iteration, of a table with at least this number (and, if grouped, group). */
int32_t ecs__cache_from(const ecs__cache_t *cache, uint64_t number, uint64_t group);
/** Position behind the match of a table that has these ids in these fields, or behind all of its matches. */
int32_t ecs__cache_behind(const ecs__cache_t *cache, uint64_t number, uint64_t group,
    const ecs_id_t *ids, ecs_termset_t fields);
/** First match of a table, NULL if there is none. */
ecs__match_t *ecs__cache_find(const ecs__cache_t *cache, const ecs_table_t *table);
/** List all matches, which have no holes, by group, and in order of creation within one. */
void ecs__cache_list_by_group(const ecs__cache_t *cache, ecs__place_t *list);
/** Group of a matched table. */
uint64_t ecs__cache_group_of(const ecs__cache_t *cache, const ecs_table_t *table);
static inline uint64_t ecs__match_group(const ecs__match_t *match) {
    return match->group ? match->group->info.id : 0;
}

#endif
