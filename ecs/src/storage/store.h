// SPDX-License-Identifier: MIT
// store: root of rank 2: entities, ids, tables, type infos. No events, no names, no world.
//
// Embedded in the world; unit tests create one alone. Verified by ecs__store_verify.
#ifndef ECS_STORAGE_STORE_H
#define ECS_STORAGE_STORE_H

#include <muster/ecs/ds/vec.h>

#include "base/kept.h"
#include "storage/children.h"
#include "storage/entity_index.h"
#include "storage/id_index.h"
#include "storage/blocks.h"
#include "storage/passage.h"
#include "storage/search.h"
#include "storage/sparse_ids.h"
#include "storage/table.h"
#include "storage/table_graph.h"
#include "storage/table_rows.h"

typedef struct ecs_world_info_t ecs_world_info_t;

/** See storage/watch.h. */
typedef struct ecs__watch_clock_t {
    uint64_t now;    /* raised by looks */
    uint64_t noted;  /* stamp of the last change of any watched table */
    uint64_t tables; /* raised when a table becomes watched */
    /* sorted queries that have rows still to be moved (query/cache/sort_update.c) */
    int32_t waiting;
} ecs__watch_clock_t;

/** A traversable target that changed, and what it has or had. */
typedef struct ecs__touched_t {
    ecs_entity_t entity; /* 0: nothing above a table changed */
    uint64_t bloom;
} ecs__touched_t;

/** So many are remembered. */
#define ECS__TOUCHED_MAX 512

struct ecs__store_t {
    ecs__entity_index_t entities;
    ecs__id_index_t ids;
    ecs_table_t **tables; /* creation order; deleted ones leave NULL until compacted */
    int32_t table_count, table_size, table_live;
    ecs_map_slots_t table_slots; /* hash of type -> position in `tables` */
    ecs_table_t *root;           /* the table without ids, */
    ecs_vec_t outgrown;          /* and its former arrays */
    ecs__passages_t passages;
    ecs__blocks_t table_blocks, row_blocks; /* apart, since a query reads many of one kind */
    ecs__kept_t kept;                       /* small lists of ids, tables and children */
    ecs_map_t type_infos;                   /* component -> ecs_type_info_t* */
    /* of deleted components: values in command queues may still need them */
    ecs_type_info_t **retired;
    int32_t retired_count, retired_size;
    ecs_component_record_t **homes; /* of ids kept beside tables, in id order: sparse_ids.h */
    int32_t home_count, home_size;
    ecs__pool_t sparse_sets;
    /* lists of such sets that are not in use, by binary logarithm of how many fit */
    void *spare_edges[ECS__LIST_SIZES], *spare_holders[ECS__LIST_SIZES];
    struct ecs__sparse_set_t *joined; /* entity -> its homes; NULL while there are few */
    uint8_t beside;   /* kinds of ids of which some are in no types: ecs__beside_kind */
    bool has_parents; /* some entity has had a parent by component, see mutate/parent.h */
    bool has_sparse;  /* some id is kept in sets: spares look-ups in worlds without */
    /* queries that no single id can key: they hear of every table */
    ecs__listener_list_t listeners;
    ecs_vec_t listened;  /* ecs__listener_list_t*: all that are not empty */
    ecs_map_t children;  /* parent -> ecs__children_t*, of parents that keep an order */
    bool children_stale; /* some list may be stale */
    bool above_is_kept;  /* somebody relies on one of these stamps, also when entities end */
    ecs_entity_t on_instantiate; /* world default: EcsInherit, EcsOverride or EcsDontInherit */
    uint64_t next_table_id;
    /* raised when any table gains, loses or reallocates rows, is created or deleted */
    uint64_t structure_stamp;
    void *beginner; /* the thread that brings queries up to date, see query/iter/begin.c */
    /* raised when an entity that terms name becomes the base of another, one keeps its children's order, or something is beside tables */
    uint64_t kinds_stamp;
    uint64_t traverse_stamp; /* raised when a traversable target changes ids or table */
    ecs__touched_t *touched; /* ring of ECS__TOUCHED_MAX: what raised it, by stamp */
    uint64_t above_stamp; /* raised when what is above something may be another, beginning with 1 */
    struct ecs__ascents_t *ascents; /* see storage/ascent.h; NULL until a chain is long */
    uint32_t ascending;             /* 1: a thread uses them */
    uint64_t table_stamp;           /* raised when a table is created or deleted */
    ecs__hop_t hops[ECS__HOPS];     /* found last for ids of equal remainder */
    /* Raised by ECS__PLAIN_STEP when changes may concern others from now on: by traits, hooks or watches of what exists, what bases have,
     * or by those who listen. */
    uint64_t plain_stamp;
    uint64_t bases_stamp;      /* as above_stamp, raised by what is inherited alone */
    ecs_table_t *deleted_from; /* the last time an entity was deleted alone */
    ecs__watch_clock_t watch;
    void (*on_count)(ecs__store_t *store, ecs_table_t *table); /* first row, no row left; or NULL */
    void (*on_table)(
        ecs__store_t *store, ecs_table_t *table, bool is_new); /* behind listeners, or NULL */
    void (*on_kinds)(ecs__store_t *store);                     /* kinds_stamp rose; or NULL */
    ecs_world_info_t *info; /* counters to keep; NULL in unit tests */
    void *owner;            /* the world; NULL in unit tests */
};

/** Raise kinds_stamp. */
static inline void ecs__store_raise_kinds(ecs__store_t *store) {
    store->kinds_stamp++;
    if (store->on_kinds) store->on_kinds(store);
}

/** What was found last for ids like this one: to be compared before use. */
static inline const ecs__hop_t *ecs__hop_last(const ecs__store_t *store, ecs_id_t id) {
    return &store->hops[id % ECS__HOPS];
}

/** Id record of a record of a table. */
static inline ecs_component_record_t *ecs__table_cr(const ecs_table_t *table, int32_t record) {
    return table->store->ids.all[table->records[record].number];
}

/** An entity is in this row from now on, and was in the same table. The record, mostly far away, is read only if it may have marks: else
 * nothing waits for it. */
static inline void ecs__record_shift(ecs_table_t *table, ecs_entity_t entity, uint32_t row) {
    ecs__entity_index_t *index = &table->store->entities;
    if (__builtin_expect(!ecs__table_is_short(table), 0))
        ecs__entity_put(index, entity, table, (int32_t)row);
    else
        ecs__record_write(ecs__record_of(index, entity), entity, table, row, table->has_marks);
}
/** The same for an entity that was elsewhere. */
static inline void ecs__record_move(ecs_table_t *table, ecs_entity_t entity, uint32_t row) {
    ecs__entity_index_t *index = &table->store->entities;
    ecs__record_t *record = ecs__record_of(index, entity);
    if (__builtin_expect(ecs__table_is_short(table) && !(record->bits & ECS__RECORD_MARKED), 1))
        ecs__record_write(record, entity, table, row, false);
    else
        ecs__entity_put(index, entity, table, (int32_t)row);
}

/** The stamp until whose next raise the caller relies on what is above things. */
static inline uint64_t ecs__store_keep_above(ecs__store_t *store) {
    store->above_is_kept = true;
    return store->above_stamp;
}
static inline uint64_t ecs__store_keep_bases(ecs__store_t *store) {
    store->above_is_kept = true;
    return store->bases_stamp;
}
/** Something that others may look up to changed; what is inherited, too, if it may be a base. */
static inline void ecs__store_raise_above(ecs__store_t *store, bool may_be_base) {
    store->above_stamp++;
    store->bases_stamp += may_be_base;
}

void ecs__store_init(ecs__store_t *store, ecs_world_info_t *info, void *owner);
void ecs__store_fini(ecs__store_t *store);

/** Record of an id whose values, or the id itself, are kept in sets; else NULL. */
static inline ecs_component_record_t *ecs__store_sparse(ecs__store_t *store, ecs_id_t id) {
    if (!store->has_sparse) return NULL;
    ecs_component_record_t *record = ecs__id_record_ensure(store, id);
    return record->flags & EcsIdSparse ? record : NULL;
}
/** The same for ids that are in no type. */
static inline ecs_component_record_t *ecs__store_beside(ecs__store_t *store, ecs_id_t id) {
    ecs_component_record_t *record = ecs__store_sparse(store, id);
    return ecs__id_is_beside(record) ? record : NULL;
}
bool ecs__store_verify(const ecs__store_t *store);

/** Type info of a component, or NULL; `declare` makes one, or changes it. Freed with the store or by `delete`. */
ecs_type_info_t *ecs__type_info_get(const ecs__store_t *store, ecs_entity_t component);
ecs_type_info_t *ecs__type_info_declare(
    ecs__store_t *store, ecs_entity_t component, ecs_size_t size, ecs_size_t alignment);
#define ecs__type_info_declare_t(store, component, T) \
    ecs__type_info_declare(store, component, ECS_SIZEOF(T), (ecs_size_t)ECS_ALIGNOF(T))
void ecs__type_info_delete(ecs__store_t *store, ecs_entity_t component);

/** Bring ids to life as new rows of a table; returns the first row. The root table makes empty entities. */
int32_t ecs__store_place(
    ecs__store_t *store, ecs_table_t *table, const ecs_entity_t *entities, int32_t count);

/** A traversable target moved to another table: stamps of all ids of both tables and of its relationships go up. */
void ecs__store_move_traversable(
    ecs__store_t *store, ecs_entity_t entity, ecs_table_t *before, ecs_table_t *after);
/** One is deleted from a table. What goes from its leaves up was above nothing in the end, and searches from what is left keep answers. */
void ecs__store_delete_traversable(
    ecs__store_t *store, ecs_entity_t entity, const ecs_table_t *table);
/** What an entity has above it changed, but not what its table has. */
void ecs__store_touch_edge(ecs__store_t *store, ecs_entity_t entity);
/** An entity of a table became a traversable target, with no one below it yet. */
void ecs__store_add_traversable(ecs__store_t *store, ecs_table_t *table);

/** First position of a table with at least this number; table_count if there is none. */
int32_t ecs__store_seek(const ecs__store_t *store, uint64_t number);
/** The table with this number, NULL if it is gone. */
static inline ecs_table_t *ecs__store_table(const ecs__store_t *store, uint64_t number) {
    const int32_t at = ecs__store_seek(store, number);
    ecs_table_t *table = at < store->table_count ? store->tables[at] : NULL;
    return table && table->id == number ? table : NULL;
}

#endif
