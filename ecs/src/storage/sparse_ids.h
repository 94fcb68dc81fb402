// SPDX-License-Identifier: MIT
// sparse_ids: what entities have beside their tables: values, tags and edges keyed by entity, at addresses that stay.
//
//   trait                       id in the type?                      value
//   Sparse                      yes                                  in the set of the id
//   DontFragment                no                                   in the set of the id
//   Union, (Relationship, Sparse)   no; instead R, the presence id,  in the set of the pair
//                               once for any number of targets
//
// The flags of an id record say which: EcsIdSparse (the value is in a set), EcsIdDontFragment (the id is in no type; all pairs of
// R alike), ECS__ID_PRESENCE (tables have R for entities with any (R, T); the record of R itself has only this flag of the three).
// Each such record owns a set of holders, dense, in an order that history alone decides. Of pairs, the record (R,*) is the home:
// its holders are the entities with any edge of R, and its slots lead from an entity to its edges, sorted by target. Plain ids
// are their own home. Memory is proportional to holders; nothing is per target but the id record.
//   (R,*) slots[e] -> { position of e among the holders of (R,*), edges: { record of (R,T), position among its holders } … }
// What walks all ids of an entity asks each home, or if there are many those that the entity is in, which the store then knows.
// Every concrete record with a holder is linked in the id index; the set of a record is NULL until something first has the id.
// Threads: read by anyone while nothing writes structure, values written by whoever the schedule allows; structure by the main thread.
#ifndef ECS_STORAGE_SPARSE_IDS_H
#define ECS_STORAGE_SPARSE_IDS_H

#include "base/pool.h"
#include "storage/entity_index.h"

/** Flag of id records: see above. */
#define ECS__ID_PRESENCE (1u << 28)

/** Flag of id records: some entities have the id in their types, others beside them (mutate/parent.h). */
#define ECS__ID_MIXED (1u << 29)

/** An entity with the id of a record, and its value: NULL for tags and in the sets of (R,*). */
typedef struct ecs__holder_t {
    ecs_entity_t entity;
    void *value;
} ecs__holder_t;

/** One id of an entity: where it is in the set of the id. Who only walks need not read the record. */
typedef struct ecs__sparse_edge_t {
    ecs_id_t id;
    ecs_component_record_t *record;
    int32_t position;
} ecs__sparse_edge_t;

#define ECS__LIST_SIZES 31 /* powers of two that lists of edges and of holders may have room for */

typedef struct ecs__sparse_slot_t {
    int32_t position; /* in the holders of the home, plus one; 0: the entity has nothing */
    int32_t count;    /* edges; `many` has room for the next power of two */
    union {
        ecs__sparse_edge_t one;
        ecs__sparse_edge_t *many;
    } edges;
} ecs__sparse_slot_t;

typedef struct ecs__sparse_set_t {
    ecs__holder_t *holders; /* iterate these: [0, count) */
    int32_t count, size;
    int32_t lock; /* > 0 while iterated: must not gain or lose holders (debug builds count) */
    ecs__pool_t values;
    ecs_component_record_t *home;
    ecs__sparse_slot_t *
        *pages; /* of a home: by entity index. Sets come and go with store->structure_stamp */
    int32_t page_count;
} ecs__sparse_set_t;

/** True if entities have the id without their types telling. */
static inline bool ecs__id_is_beside(const ecs_component_record_t *record) {
    return record && record->flags & EcsIdDontFragment;
}
/** True if entities may have the id without their types telling. */
static inline bool ecs__id_may_be_beside(const ecs_component_record_t *record) {
    return record && record->flags & (EcsIdDontFragment | ECS__ID_MIXED);
}
/** Bit of store->beside for a plain id or a pair. */
static inline uint8_t ecs__beside_kind(ecs_id_t id) { return ECS_IS_PAIR(id) ? 2 : 1; }
/** Find out what kinds of ids are kept beside tables: what is kept apart, or its traits, changed. */
void ecs__sparse_note_kinds(ecs__store_t *store);
/** True if the id stands in types for pairs kept beside tables. */
static inline bool ecs__id_is_presence(const ecs_component_record_t *record) {
    return record->flags & ECS__ID_PRESENCE && !ECS_IS_PAIR(record->id);
}
/** True if the values of the id are in its set, be it in types or not. */
static inline bool ecs__id_is_sparse(const ecs_component_record_t *record) {
    return record && record->flags & EcsIdSparse;
}
/** The same of an id with values, which tags are without. */
static inline bool ecs__id_has_sparse_values(const ecs_component_record_t *record) {
    return ecs__id_is_sparse(record) && record->type_info;
}
/** The id of a relationship whose pairs are kept beside tables, as types have it: alive, with its generation. */
ecs_id_t ecs__presence_of(const ecs__store_t *store, uint32_t relationship);
/** The id that tables have instead of pairs kept beside them: R for Union and sparse relationships, else 0. */
static inline ecs_id_t ecs__id_presence(const ecs_component_record_t *record) {
    if (!ecs__id_is_beside(record) || !(record->flags & ECS__ID_PRESENCE)) return 0;
    return ecs__presence_of(record->store, ecs__id_first(record->id));
}
/** Number of entities in the set of the record, which may be a plain id, a pair or (R,*). */
static inline int32_t ecs__sparse_count(const ecs_component_record_t *record) {
    return record && record->sparse ? record->sparse->count : 0;
}
static inline const ecs__holder_t *ecs__sparse_holders(const ecs_component_record_t *record) {
    return record->sparse->holders;
}

#define ECS__SPARSE_PAGE_BITS 7 /* of entity indices */

/** The slot of an entity in the set of a home, or NULL. */
static inline ecs__sparse_slot_t *ecs__sparse_slot(
    const ecs__sparse_set_t *home, ecs_entity_t entity) {
    const uint32_t index = (uint32_t)entity, page = index >> ECS__SPARSE_PAGE_BITS;
    if (page >= (uint32_t)home->page_count || !home->pages[page]) return NULL;
    ecs__sparse_slot_t *slot = &home->pages[page][index & ((1u << ECS__SPARSE_PAGE_BITS) - 1)];
    return slot->position ? slot : NULL;
}

/** Have the slot of an entity that is asked for soon fetched: entities that follow each other have theirs anywhere. */
static inline void ecs__sparse_fetch(const ecs__sparse_set_t *home, ecs_entity_t entity) {
    const uint32_t index = (uint32_t)entity, page = index >> ECS__SPARSE_PAGE_BITS;
    if (page < (uint32_t)home->page_count && home->pages[page])
        __builtin_prefetch(&home->pages[page][index & ((1u << ECS__SPARSE_PAGE_BITS) - 1)]);
}

/** True if the entity is in the set of the record: a plain id, a pair or (R,*). O(1), pairs O(log targets of the entity). */
bool ecs__sparse_has(const ecs_component_record_t *record, ecs_entity_t entity);
/** The value, or NULL. Of (R,*), that of the first edge. Valid until the entity loses the id. */
void *ecs__sparse_get(const ecs_component_record_t *record, ecs_entity_t entity);

/** The value that the entity in a place itself has, in a column or in a set; NULL for tags and what it does not have. */
void *ecs__value_of(ecs__spot_t spot, ecs_id_t id);
/** True if the entity itself has the id (wildcards allowed), in its type or beside it. */
bool ecs__has_own(ecs__spot_t spot, ecs_id_t id);

/** The edges of an entity by relationship, sorted by target; `any` is the record (R,*). Valid until one comes or goes. */
typedef struct ecs__sparse_edges_t {
    const ecs__sparse_edge_t *items;
    int32_t count;
} ecs__sparse_edges_t;
static inline ecs__sparse_edges_t ecs__sparse_slot_edges(const ecs__sparse_slot_t *slot) {
    const ecs__sparse_edge_t *items = slot->count > 1 ? slot->edges.many : &slot->edges.one;
    return (ecs__sparse_edges_t){ items, slot->count };
}
ecs__sparse_edges_t ecs__sparse_edges(const ecs_component_record_t *any, ecs_entity_t entity);
static inline void *ecs__sparse_edge_value(const ecs__sparse_edge_t *edge) {
    return edge->record->sparse->holders[edge->position].value;
}
/** Target of an edge with its generation; the number of a value pair. */
ecs_entity_t ecs__sparse_edge_target(const ecs__store_t *store, const ecs__sparse_edge_t *edge);
/** The n-th target of a relationship kept beside tables, or 0. `any` may be NULL. */
ecs_entity_t ecs__sparse_target(
    const ecs__store_t *store, const ecs_component_record_t *any, ecs_entity_t entity, int32_t n);

/** True if edges of a relationship lead from an entity (by index) to another, in any number of steps. */
bool ecs__sparse_reaches(const ecs_component_record_t *any, uint32_t from, ecs_entity_t to);

/** Walk the ids beside tables of one entity that match `id`: a concrete id or any wildcard, 0 = all. In the order of the plain id
 * or relationship, then of the target. What comes or goes meanwhile does no harm. */
typedef struct ecs__sparse_iter_t {
    const ecs__store_t *store;
    ecs_entity_t entity;
    ecs_id_t id;
    ecs_id_t home, last; /* where the walk is; 0: at the start */
} ecs__sparse_iter_t;
ecs__sparse_iter_t ecs__sparse_iter(const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id);
/** Concrete record of the next id, which is iter->last then, or NULL. */
ecs_component_record_t *ecs__sparse_next(ecs__sparse_iter_t *iter);
/** The first match of `id`, or NULL: "does the entity have it beside its table". One flag test for entities without such ids. */
ecs_component_record_t *ecs__sparse_find(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id);

/** Records kept beside tables that `id` covers, one per call, NULL at the end: itself, (R,*) for a pair with any target; for other
 * wildcards all plain ids, all (R,*), or all pairs with the target. Who has any of them is among their holders. *at starts at 0. */
ecs_component_record_t *ecs__sparse_next_cover(const ecs__store_t *store, ecs_id_t id, int32_t *at);

/** Home number `index`, in id order: plain ids, and (R,*) of relationships; NULL behind the last. Ids in types are among them. */
ecs_component_record_t *ecs__sparse_home(const ecs__store_t *store, int32_t index);

/** An entity is about to get the id of a record beside its table: queries look there from now on. */
void ecs__sparse_expect(ecs__store_t *store, ecs_component_record_t *record);
/** Give an entity the id of a concrete record; it must not have it. Returns the value, zeroed and raw, or NULL for tags. */
void *ecs__sparse_add(ecs__store_t *store, ecs_component_record_t *record, ecs_entity_t entity);
/** Take it away; the value is raw already. */
void ecs__sparse_remove(ecs__store_t *store, ecs_component_record_t *record, ecs_entity_t entity);
/** The entity's only edge of a relationship gets another target; the value keeps its address. */
void ecs__sparse_retarget(ecs__store_t *store, ecs_component_record_t *from,
    ecs_component_record_t *to, ecs_entity_t entity);

/** The entity goes on with another generation. */
void ecs__sparse_rename(ecs__store_t *store, ecs_entity_t from, ecs_entity_t to);
/** Free memory of lists that is not in use. */
void ecs__sparse_shrink(ecs__store_t *store);
/** Release all sets. */
void ecs__sparse_sets_fini(ecs__store_t *store);
/** Release the set of a record; values left are destructed. */
void ecs__sparse_set_fini(ecs__store_t *store, ecs_component_record_t *record);
ECS_COLD bool ecs__sparse_verify(const ecs__store_t *store);
ECS_COLD bool ecs__sparse_set_verify(
    const ecs__store_t *store, const ecs_component_record_t *record);

#endif
