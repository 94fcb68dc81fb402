// SPDX-License-Identifier: MIT
// table: an archetype. All entities with exactly the ids of `type`, one array per component.
//
// The rows live in one block (blocks.h): entity ids first, then the columns, so that growing is one allocation. They are 64-byte aligned
// and padded, so that loops vectorise without peeling, unless they are so short that 16 or 8 do. `data[c]` points to column c. Column
// descriptions, type, records and places of low ids lie before the header, in one allocation with it. Mostly this is memory next to the
// records of entities, which then name the table by the line of memory that is its hottest; see entity_index.h.
// Invariants: columns are in type order; every row of every column below `count` is constructed; entities[row] has a record that
// says {table, row}.
// Threads: rows are written in place by whoever the schedule allows; structure is written by the main thread only.
#ifndef ECS_STORAGE_TABLE_H
#define ECS_STORAGE_TABLE_H

#include "storage/blocks.h"
#include "storage/id_index.h"
#include "id/type.h"

typedef struct ecs__column_t {
    const ecs_type_info_t *type_info;
    ecs_size_t size;
    int16_t type_index; /* position of the id in the type */
    bool has_hooks;     /* lifecycle hooks: not plain bytes */
} ecs__column_t;

/** Where a table has an id below FLECS_HI_COMPONENT_ID, in two bytes. */
#if FLECS_HI_COMPONENT_ID <= 256
typedef uint8_t ecs__low_place_t;
#else
typedef uint16_t ecs__low_place_t;
#endif
#define ECS__NO_PLACE ((ecs__low_place_t)-1)
typedef struct ecs__low_t {
    /* column if there is a size, else position in the type; ECS__NO_PLACE: absent */
    ecs__low_place_t place;
    uint8_t size; /* of plain values that nobody hears of when they are set, if it fits; else 0 */
} ecs__low_t;

/** An id that a table has, or a wildcard that covers some of its ids. */
typedef struct ecs__table_record_t {
    uint32_t number;  /* of the id record, see ecs__table_cr */
    int32_t position; /* of the table in the list of the id record */
    union {
        int16_t column; /* of an id, -1 for tags */
        int16_t first;  /* of a wildcard: first position in the type */
    };
    int16_t count; /* ids covered */
} ecs__table_record_t;

/** Records of a table as users see them, and those they saw when there were fewer. */
typedef struct ecs__shown_t {
    struct ecs__shown_t *before;
    ecs_table_record_t records[];
} ecs__shown_t;

typedef struct ecs__edge_t ecs__edge_t;
typedef struct ecs__toggle_t ecs__toggle_t;
typedef struct ecs__watch_t ecs__watch_t;

struct ecs_table_t {
    ecs_type_t type;
    ecs__column_t *columns;
    ecs__watch_t *watch;    /* see storage/watch.h; NULL: nobody wants to know of changes */
    ecs__toggle_t *toggles; /* see storage/toggle.h; NULL: none */
    uint64_t bloom;         /* ecs__id_bloom of every id and of the wildcards that cover it */
    uint64_t unheard;       /* events->stamp for which nobody wants to hear that rows go */
    /* ids in type order, then wildcards in id order; behind the type, or with one more in memory of their own, so nobody keeps their address */
    ecs__table_record_t *records;
    ecs__shown_t *shown; /* what ecs__table_show gave; NULL: nobody asked */
    ecs__store_t *store;
    ecs__edge_t *edges; /* by hash; see storage/table_graph.h */
    uint64_t id;
    uint32_t edge_mask; /* places for edges - 1 */
    int32_t lock;       /* > 0 while iterated: structure must not change (debug builds count) */
    int32_t access;     /* readers, or -1 while written: see ecs_read_begin; debug builds */
    int32_t traversable_count; /* rows that are targets of traversable relationships */
    int32_t index;             /* position in store->tables */
    uint16_t generation;       /* passes as an empty table, for ecs_delete_empty_tables */
    bool has_marks;            /* some row is, or was, of an entity with flags */
    bool has_words : 1;        /* all columns are of 8 bytes */
    bool moves_as_bytes : 1;   /* no value has a hook for moving on to another row */
    bool is_counted : 1;       /* it filled or emptied, which store->on_count told of last */
    int16_t column_count, record_count;
    int32_t size; /* rows allocated */
    /* Here begins a line of memory: what gets, sets and searches read. */
    uint64_t low_end;       /* behind the last low id */
    uint64_t low_least;     /* minus the number of their places; see ecs__table_low */
    ecs_flags32_t flags;    /* EcsTable* */
    int32_t count;          /* rows used */
    int64_t line;           /* what records say of the table; see below */
    ecs_entity_t *entities; /* start of the row block */
    void *no_data;          /* NULL: what tags, of column -1, have for data */
    void *data[];           /* column arrays */
};

/** Table of a sorted, duplicate-free list of ids; made if it does not exist. */
ecs_table_t *ecs__table_ensure(ecs__store_t *store, const ecs_id_t *ids, int32_t count);
/** The same, NULL if it does not exist. */
ecs_table_t *ecs__table_find(const ecs__store_t *store, const ecs_id_t *ids, int32_t count);
/** Remove an empty table: listeners first, then records and memory. */
void ecs__table_delete(ecs_table_t *table);

/** Places for low ids: from the first that the table has to the last, or one for none. */
static inline uint64_t ecs__table_low_count(const ecs_table_t *table) { return -table->low_least; }

/** Where the table has a low id, or NULL if the id is not low or outside of what the table has. They end where the header begins, so that
 * no address has to be read. */
static inline const ecs__low_t *ecs__table_low(const ecs_table_t *table, ecs_id_t id) {
    uint64_t at = id - table->low_end;
    return at >= table->low_least ? (const ecs__low_t *)(const void *)table + (int64_t)at : NULL;
}

/** Position of an id (wildcards allowed) in the table type, or -1. Low ids are looked up, others pass a bloom filter and a binary
 * search. */
int32_t ecs__table_search(const ecs_table_t *table, ecs_id_t id);
static inline bool ecs__table_has(const ecs_table_t *table, ecs_id_t id) {
    return ecs__table_search(table, id) != -1;
}
/** The first id of the table that matches, or 0. */
static inline ecs_id_t ecs__table_id_like(const ecs_table_t *table, ecs_id_t pattern) {
    const int32_t at = ecs__table_search(table, pattern);
    return at < 0 ? 0 : table->type.array[at];
}
/** Column of position `index` in the type, or -1 for a tag. */
static inline int16_t ecs__table_column_at(const ecs_table_t *table, int32_t index) {
    return table->records[index].column;
}
/** Column of an id, or -1 for tags and absent ids. */
static inline int32_t ecs__table_column(const ecs_table_t *table, ecs_id_t id) {
    const ecs__low_t *low = ecs__table_low(table, id);
    if (low && low->size) return low->place;
    int32_t index = ecs__table_search(table, id);
    return index == -1 ? -1 : ecs__table_column_at(table, index);
}
/** The table is covered by a wildcard, which was not registered yet, because of this one id. */
void ecs__table_add_wildcard(ecs_table_t *table, ecs_component_record_t *wildcard, ecs_id_t id);
/** Record of an id or wildcard in the table, or NULL. That of the id may stand for (*, T). */
const ecs__table_record_t *ecs__table_record(const ecs_table_t *table, ecs_id_t id);
/** First position in the type of what a record of the table covers. */
static inline int32_t ecs__table_first(
    const ecs_table_t *table, const ecs__table_record_t *record) {
    int32_t at = (int32_t)(record - table->records);
    return at < table->type.count ? at : record->first;
}
/** A record as users see it. */
ecs_table_record_t ecs__table_shown(const ecs_table_t *table, const ecs__table_record_t *record);
/** All of them, which live as long as the table. Any thread. */
const ecs_table_record_t *ecs__table_show(const ecs_table_t *table);

static inline void *ecs__table_cell(const ecs_table_t *table, int32_t column, int32_t row) {
    return (char *)table->data[column] + (size_t)table->columns[column].size * (size_t)row;
}

/** Bits of records that name the table; 0: it has no line, and its entities are in `shown`. */
static inline uint64_t ecs__table_line(const ecs_table_t *table) {
    return (uint64_t)table->line & INT64_MAX;
}
/** Records are all that tells where entities of the table are: it has a line, and none is, or was, shown to users; else `line` has this bit. */
#define ECS__LINE_SHOWN INT64_MIN
static inline bool ecs__table_is_short(const ecs_table_t *table) { return table->line > 0; }
/** Records have the row from this bit on. */
#define ECS__RECORD_ROW 39
/** What ecs__record_key is for its records; of a table that is not short, what it is for none. */
static inline uint64_t ecs__table_key(const ecs_table_t *table) {
    return ecs__table_is_short(table) ? (uint64_t)table->line << (64 - ECS__RECORD_ROW) : 1;
}
/** It is not any more: give it that bit, or no line. */
void ecs__table_lengthen(ecs_table_t *table, int64_t line);

/** Own value of a low id with plain, unheard values of `size` bytes (0: any) in a row; NULL: ask in another way. */
static inline void *ecs__table_plain_cell(
    const ecs_table_t *table, ecs_id_t id, size_t size, int32_t row) {
    const ecs__low_t *low = ecs__table_low(table, id);
    size_t own = low ? low->size : 0;
    if (size ? own != size : !own) return NULL;
    char *cell = (char *)table->data[low->place] + own * (size_t)row;
    if (!cell) __builtin_unreachable(); /* callers need not ask again */
    return cell;
}

/** The hooks of a component changed: update what the table remembers about them. */
void ecs__table_refresh_hooks(ecs_table_t *table);

/** Debug check, called by every structural change: a locked table is an error (ECS_LOCKED_STORAGE). False if locked. */
bool ecs__table_check_unlocked(const ecs_table_t *table);

ECS_COLD bool ecs__table_verify(const ecs_table_t *table);

#endif
