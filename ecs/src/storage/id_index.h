// SPDX-License-Identifier: MIT
// id_index: id -> record with the tables that have it. Query matching, cleanup and hooks start here.
//
// A table with (Likes, Apples) is registered under (Likes,Apples), (Likes,*), (*,Apples) and (*,*); one with a plain id X under X and `*`.
// Most targets have one pair only, as parents have: then the pair stands for (*,Apples) too, since the same tables have both. A record of
// (*,Apples) is made when somebody ensures it, or with a second pair.
// The tables of a record stay in creation order; a bitset tells those that may have rows (passage.h), so iterating skips empty tables 64 at a time
// and the order never depends on which table filled first. Removed tables leave holes (NULL) until the list is compacted.
// Threads: read by anyone while the world is readonly, written by the main thread.
#ifndef ECS_STORAGE_ID_INDEX_H
#define ECS_STORAGE_ID_INDEX_H

#include <muster/ecs/component.h>
#include <muster/ecs/ds/map.h>
#include <muster/ecs/table.h>
#include "base/bitset.h"
#include "base/chunks.h"
#include "id/id.h"

typedef struct ecs__store_t ecs__store_t;

/** Someone who wants to know when a table with an id comes or goes; embedded in its owner. */
typedef struct ecs__table_listener_t {
    void (*on_create)(struct ecs__table_listener_t *listener, ecs_table_t *table);
    void (*on_delete)(struct ecs__table_listener_t *listener, ecs_table_t *table);
    int32_t position; /* in the list that holds it */
} ecs__table_listener_t;

typedef struct ecs__listener_list_t {
    ecs__table_listener_t **items;
    int32_t count, size;
    int32_t place; /* in store->listened, while somebody listens */
} ecs__listener_list_t;

void ecs__listener_add(
    ecs__store_t *store, ecs__listener_list_t *list, ecs__table_listener_t *listener);
void ecs__listener_remove(
    ecs__store_t *store, ecs__listener_list_t *list, ecs__table_listener_t *listener);

/** Flag of id records, beside EcsId*: pairs are mirrored (mutate/symmetric.h). */
#define ECS__ID_SYMMETRIC (1u << 27)

/** A table that has an id: what a search that goes through the lists of several ids side by side has to know. */
typedef struct ecs__listed_t {
    ecs_table_t *table; /* one without rows: it was deleted, or behind the end */
    /* number of the table, and in the low 16 bits the column of the id; see below */
    uint64_t place;
} ecs__listed_t;

/** So many entries behind the end of a list may be read. */
#define ECS__LISTED_AHEAD 16

/** Rises along a list; behind its end it is above all. */
static inline uint64_t ecs__listed_number(const ecs__listed_t *listed) {
    return listed->place >> 16;
}
/** -1: the id has no column, or there is no table. */
static inline int16_t ecs__listed_column(const ecs__listed_t *listed) {
    return (int16_t)(uint16_t)listed->place;
}

struct ecs_component_record_t {
    ecs_id_t id;
    uint64_t bloom;                   /* ecs__id_bloom_covers */
    const ecs_type_info_t *type_info; /* NULL for tags and wildcards */
    const ecs__store_t *store;
    int32_t *tables;                 /* positions in store->tables, in creation order; -1: hole */
    int32_t table_count, table_size; /* including holes */
    int32_t table_live;              /* without holes */
    ecs_flags32_t flags;             /* EcsId*: traits resolved once */
    /* bit per position in `tables`; some without rows may be among them: see passage.h */
    ecs__bitset_t non_empty;
    ecs__listed_t *listed;          /* as `tables`, with an end; NULL until a query needs it */
    ecs__listener_list_t listeners; /* queries keyed on this id */
    int32_t query_count;            /* live queries with a term for it ("in use by queries") */
    int32_t observer_count; /* of those, queries of observers, which do not keep the id alive */
    uint64_t heard;         /* which events somebody waits for; see event/events.h */
    struct ecs__sparse_set_t *sparse; /* who has it beside tables; see storage/sparse_ids.h */
    /* raised when a traversable target gains, loses or changes this id's place */
    uint64_t traverse_stamp;
    uint32_t number;          /* in ids.all */
    int32_t first_table;      /* room for the first tables, */
    uint64_t first_non_empty; /* and whether they have rows: most pairs have one */
    /* pairs of one relationship, and pairs with one target, as rings through their wildcard records */
    ecs_component_record_t *first_next, *first_prev;
    ecs_component_record_t *second_next, *second_prev;
};

/** True if a target that is walked along has the id in its table, or had: others may see it from below. */
static inline bool ecs__id_is_above(const ecs_component_record_t *record) {
    return record && record->table_live && record->traverse_stamp;
}

#define ECS__IDS_RECENT 64u

typedef struct ecs__id_index_t {
    ecs_component_record_t **low; /* ids below FLECS_HI_ID_RECORD_ID */
    ecs_map_t high; /* id -> record; (*, T) -> the only pair with T, if there is one */
    /* Some that were ensured lately: tables that are made one after the other have ids in common. */
    ecs_component_record_t *recent[ECS__IDS_RECENT];
    ecs_component_record_t **all; /* by number, freed ones too: tables remember numbers */
    uint32_t all_count, all_size;
    ecs_component_record_t *free; /* chain by first_next */
    ecs__chunks_t chunks;         /* memory of all records */
    bool has_marked; /* some id with marks has had a record: spares look-ups in worlds without */
} ecs__id_index_t;

void ecs__id_index_init(ecs__store_t *store);
void ecs__id_index_fini(ecs__store_t *store);

/** Record of an id, or NULL. EcsAny counts as EcsWildcard. That of (*, T) may be the only pair with T: it has the same tables, but flags
 * of its own. O(1). */
ecs_component_record_t *ecs__id_record_get(const ecs__store_t *store, ecs_id_t id);

/** The same, but the record of the id itself. */
static inline const ecs_component_record_t *ecs__id_record_itself(
    const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    bool stands_for_target = record && ecs__id_is_wildcard(id) && !ecs__id_is_wildcard(record->id);
    return stands_for_target ? NULL : record;
}

/** Traits of an id, or of the relationship of a pair, whether or not it has a record. */
ecs_flags32_t ecs__id_flags(const ecs__store_t *store, ecs_id_t id);

/** Record of an id itself, made if needed together with that of (R, *); resolves traits and type. */
ecs_component_record_t *ecs__id_record_ensure(ecs__store_t *store, ecs_id_t id);

/** Drop a record that no table and no query uses any more. */
void ecs__id_record_delete(ecs__store_t *store, ecs_component_record_t *record);
/** The same, unless something uses it, for a pair with the wildcards that cover it alone. False if it is used. */
bool ecs__id_record_drop(ecs__store_t *store, ecs_component_record_t *record);
/** For all pairs. */
void ecs__id_records_drop_pairs(ecs__store_t *store);

/** Resolve trait flags and type info again, for the id itself or all pairs of a relationship (a trait was added in time). */
void ecs__id_record_refresh(ecs__store_t *store, ecs_component_record_t *record);

/** Type that the data of an id has (rules PDT-01..05), or 0 for a tag. */
ecs_entity_t ecs__id_typeid(const ecs__store_t *store, ecs_id_t id);

/** Table of the record at a position, NULL for a hole. */
ecs_table_t *ecs__id_record_table(const ecs_component_record_t *record, int32_t position);
/** Next table of the record at or after position `from`; *from becomes the position after it. NULL at the end. */
ecs_table_t *ecs__id_record_next_table(
    const ecs_component_record_t *record, int32_t *from, bool with_empty);

/** First position of a table with at least this number; table_count if there is none. O(log tables) where there are no holes. */
int32_t ecs__id_record_seek(const ecs_component_record_t *record, uint64_t number);

/** Next pair record with the relationship of `(R,*)` after `previous` (NULL = first). */
ecs_component_record_t *ecs__id_record_next_first(
    const ecs_component_record_t *wildcard, const ecs_component_record_t *previous);
/** Next pair record with the target of `(*,T)`, as ecs__id_record_get gave it, after `previous` (NULL = first). */
ecs_component_record_t *ecs__id_record_next_second(
    const ecs_component_record_t *wildcard, const ecs_component_record_t *previous);
/** What stands for the target of a pair with a number: the number, or 0 along what is traversed, where nothing is. */
static inline ecs_entity_t ecs__target_number(const ecs_component_record_t *record, ecs_id_t pair) {
    return record->flags & EcsIdTraversable ? 0 : ecs__id_second(pair);
}
/** True of a pair that is the only one with its target: there is no record of (*, T). */
static inline bool ecs__id_record_is_only(const ecs_component_record_t *pair) {
    return pair->second_next == pair;
}
/** Next record of an id that is not low, NULL at the end. */
ecs_component_record_t *ecs__id_record_next_high(ecs_map_iter_t *it);

/** List a table that has the id in a column (-1: none); returns its position, which the table remembers. */
int32_t ecs__id_record_add_table(
    ecs_component_record_t *record, ecs_table_t *table, int16_t column);
void ecs__id_record_remove_table(ecs_component_record_t *record, int32_t position);
/** Make `listed`, and keep it. Not for wildcards. */
void ecs__id_record_list(ecs_component_record_t *record);
/** First position, not before `from`, in `listed` with at least this number; table_count if there is none. O(log distance). */
int32_t ecs__id_record_find(const ecs_component_record_t *record, int32_t from, uint64_t number);
/** The table at a position got its first row or lost its last one. */
static inline void ecs__id_record_set_empty(
    ecs_component_record_t *record, int32_t position, bool empty) {
    ecs__bitset_put(&record->non_empty, position, !empty);
}

ECS_COLD bool ecs__id_index_verify(const ecs__store_t *store);

#endif
