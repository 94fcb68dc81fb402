// SPDX-License-Identifier: MIT
// table: looking at tables. A table holds all entities that have exactly the same ids, one array
// per component.
//
// Rows change whenever entities are created, deleted or moved, so row numbers and column pointers
// are valid until the next structural change of the table. Reading is safe from any thread while
// the world is readonly.
#ifndef MUSTER_ECS_TABLE_H
#define MUSTER_ECS_TABLE_H

#include <muster/ecs/builtin.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Head of a table record: which id record, which table. */
typedef struct ecs_table_cache_hdr_t {
    ecs_component_record_t *cr;
    ecs_table_t *table;
} ecs_table_cache_hdr_t;

/** Where an id (or what a wildcard covers) is found in a table. */
typedef struct ecs_table_record_t {
    ecs_table_cache_hdr_t hdr;
    int16_t index;  /**< first position in the table type */
    int16_t count;  /**< number of ids covered; 1 for ids without wildcard */
    int16_t column; /**< column of the first position, -1 for tags */
} ecs_table_record_t;

/** All records of a table: its ids in the order of the type, then the wildcards that cover them. */
typedef struct ecs_table_records_t {
    const ecs_table_record_t *array;
    int32_t count;
} ecs_table_records_t;

/** Children of one parent in a table that children by component of several parents share. */
typedef struct ecs_parent_record_t {
    uint32_t entity; /**< the child without generation if there is only one, else 0 */
    int32_t count;
} ecs_parent_record_t;

/** Where an entity is stored. */
typedef struct ecs_record_t {
    ecs_table_t *table;  /**< NULL when not alive */
    uint32_t row;        /**< row in the table; the top bits are flags, see ECS_RECORD_TO_ROW */
    uint32_t generation; /**< generation of the living entity, or the one the id gets next */
} ecs_record_t;

/** A range of rows of a table; count 0 means the whole table where an API says so. */
typedef struct ecs_table_range_t {
    ecs_table_t *table;
    int32_t offset;
    int32_t count;
} ecs_table_range_t;

#define ECS_ROW_MASK (0x0FFFFFFFu)
#define ECS_ROW_FLAGS_MASK (~ECS_ROW_MASK)
#define ECS_RECORD_TO_ROW(v) (ECS_CAST(int32_t, (v)&ECS_ROW_MASK))
#define ECS_RECORD_TO_ROW_FLAGS(v) ((v)&ECS_ROW_FLAGS_MASK)
#define EcsEntityIsId (1u << 31)          /**< used as an id, or as first element of a pair */
#define EcsEntityIsTarget (1u << 30)      /**< used as second element of a pair */
#define EcsEntityIsTraversable (1u << 29) /**< used as target of a traversable relationship */
#define EcsEntityHasDontFragment (1u << 28)

#define EcsTableHasBuiltins (1u << 0)
#define EcsTableIsPrefab (1u << 1)
#define EcsTableHasIsA (1u << 2)
#define EcsTableHasMultiIsA (1u << 3)
#define EcsTableHasChildOf (1u << 4)
#define EcsTableHasParent (1u << 5)
#define EcsTableHasName (1u << 6)
#define EcsTableHasPairs (1u << 7)
#define EcsTableHasModule (1u << 8)
#define EcsTableIsDisabled (1u << 9)
#define EcsTableNotQueryable (1u << 10)
#define EcsTableHasCtors (1u << 11)
#define EcsTableHasDtors (1u << 12)
#define EcsTableHasCopy (1u << 13)
#define EcsTableHasMove (1u << 14)
#define EcsTableHasToggle (1u << 15)
#define EcsTableHasOnAdd (1u << 16)
#define EcsTableHasOnRemove (1u << 17)
#define EcsTableHasOnSet (1u << 18)
#define EcsTableHasSparse (1u << 21)
#define EcsTableHasDontFragment (1u << 22)
#define EcsTableHasOrderedChildren (1u << 24)
#define EcsTableHasOverrides (1u << 25)
#define EcsTableEmpty (1u << 26)
#define EcsTableHasTraversable (1u << 27)
#define EcsTableMarkedForDelete (1u << 29)
#define EcsTableNotEmpty (1u << 30)

#define EcsIdOnDeleteRemove (1u << 0)
#define EcsIdOnDeleteDelete (1u << 1)
#define EcsIdOnDeletePanic (1u << 2)
#define EcsIdOnDeleteTargetRemove (1u << 3)
#define EcsIdOnDeleteTargetDelete (1u << 4)
#define EcsIdOnDeleteTargetPanic (1u << 5)
#define EcsIdOnInstantiateOverride (1u << 6)
#define EcsIdOnInstantiateInherit (1u << 7)
#define EcsIdOnInstantiateDontInherit (1u << 8)
#define EcsIdExclusive (1u << 9)
#define EcsIdTraversable (1u << 10)
#define EcsIdPairIsTag (1u << 11)
#define EcsIdWith (1u << 12)
#define EcsIdCanToggle (1u << 13)
#define EcsIdIsTransitive (1u << 14)
#define EcsIdInheritable (1u << 15)
#define EcsIdHasOnAdd (1u << 16)
#define EcsIdHasOnRemove (1u << 17)
#define EcsIdHasOnSet (1u << 18)
#define EcsIdHasOnTableCreate (1u << 19)
#define EcsIdHasOnTableDelete (1u << 20)
#define EcsIdSparse (1u << 21)
#define EcsIdDontFragment (1u << 22)
#define EcsIdMatchDontFragment (1u << 23)
#define EcsIdOrderedChildren (1u << 24)
#define EcsIdSingleton (1u << 25)
#define EcsIdPrefabChildren (1u << 26)
#define EcsIdMarkedForDelete (1u << 30)

/** The EcsIdOnDelete* bit of a policy: EcsRemove, EcsDelete or EcsPanic; 0 for other ids. */
#define ECS_ID_ON_DELETE_FLAG(id)                 \
    ((id) == EcsRemove      ? EcsIdOnDeleteRemove \
        : (id) == EcsDelete ? EcsIdOnDeleteDelete \
        : (id) == EcsPanic  ? EcsIdOnDeletePanic  \
                            : 0u)
#define ECS_ID_ON_DELETE_TARGET_FLAG(id) (ECS_ID_ON_DELETE_FLAG(id) << 3)

#define ECS_ID_ON_DELETE(flags)                     \
    (((flags)&EcsIdOnDeleteRemove)      ? EcsRemove \
        : ((flags)&EcsIdOnDeleteDelete) ? EcsDelete \
        : ((flags)&EcsIdOnDeletePanic)  ? EcsPanic  \
                                        : 0)
#define ECS_ID_ON_DELETE_TARGET(flags)                    \
    (((flags)&EcsIdOnDeleteTargetRemove)      ? EcsRemove \
        : ((flags)&EcsIdOnDeleteTargetDelete) ? EcsDelete \
        : ((flags)&EcsIdOnDeleteTargetPanic)  ? EcsPanic  \
                                              : 0)

/* The table itself. Columns are arrays of values; tags have none. */
/** Its ids, sorted. Valid as long as the table. */
ECS_API const ecs_type_t *ecs_table_get_type(const ecs_table_t *table);
/** Number of entities. */
ECS_API int32_t ecs_table_count(const ecs_table_t *table);
/** Number of entities there is room for. */
ECS_API int32_t ecs_table_size(const ecs_table_t *table);
/** Entities by row. */
ECS_API const ecs_entity_t *ecs_table_entities(const ecs_table_t *table);
/** Number of columns: ids with values that are not kept beside the table. */
ECS_API int32_t ecs_table_column_count(const ecs_table_t *table);
/** Position of an id (wildcards allowed) in the type, or -1. */
ECS_API int32_t ecs_table_get_type_index(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id);
/** Column of an id, or -1 for tags and ids the table lacks. */
ECS_API int32_t ecs_table_get_column_index(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id);
/** Column at a position of the type, or -1 for tags. */
ECS_API int32_t ecs_table_type_to_column_index(const ecs_table_t *table, int32_t index);
/** Position in the type of a column. */
ECS_API int32_t ecs_table_column_to_type_index(const ecs_table_t *table, int32_t index);
/** Address of the value at row `offset` of a column; NULL if the table is empty. [chk] there is such a column; the row is not
 * checked. */
ECS_API void *ecs_table_get_column(const ecs_table_t *table, int32_t index, int32_t offset);
/** Bytes per value of a column. */
ECS_API size_t ecs_table_get_column_size(const ecs_table_t *table, int32_t column);
/** Address of the value of an id at row `offset`; NULL for tags, ids the table lacks, and if it is empty. */
ECS_API void *ecs_table_get_id(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id, int32_t offset);
/** True if the table has the id (wildcards allowed). */
ECS_API bool ecs_table_has_id(const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id);
/** Target number `index` of a relationship, or 0. */
ECS_API ecs_entity_t ecs_table_get_target(
    const ecs_world_t *world, const ecs_table_t *table, ecs_entity_t rel, int32_t index);
/** Number of steps up a relationship to a root. */
ECS_API int32_t ecs_table_get_depth(
    const ecs_world_t *world, const ecs_table_t *table, ecs_entity_t rel);
/** True if all given EcsTable* bits are set. */
ECS_API bool ecs_table_has_flags(ecs_table_t *table, ecs_flags32_t flags);
/** True if a row of the table is the target of a traversable relationship. */
ECS_API bool ecs_table_has_traversable(const ecs_table_t *table);
/** Unique number of a table, rising with creation; never used again. */
ECS_API uint64_t flecs_table_id(const ecs_table_t *table);
/** EcsTable* bits. */
ECS_API ecs_flags32_t flecs_table_flags(const ecs_table_t *table);
/** Number of entities in the table that are targets of traversable relationships. */
ECS_API int32_t flecs_table_observed_count(const ecs_table_t *table);
/** Where the ids of a table are; valid as long as the table. */
ECS_API ecs_table_records_t flecs_table_records(const ecs_table_t *table);

/** The table with one id more (`table` NULL: only that id); the same table if it has the id, or
 * if that is kept beside tables. Made if needed. */
ECS_API ecs_table_t *ecs_table_add_id(ecs_world_t *world, ecs_table_t *table, ecs_id_t id);
/** The table with one id less; the same table if it lacks the id. Made if needed. */
ECS_API ecs_table_t *ecs_table_remove_id(ecs_world_t *world, ecs_table_t *table, ecs_id_t id);
/** The table with exactly these ids (`ids` sorted, without duplicates). Made if needed. NULL, and an error, if one of them is kept
 * beside tables (DontFragment), or two are pairs of one exclusive relationship. [chk] a number of ids. */
ECS_API ecs_table_t *ecs_table_find(ecs_world_t *world, const ecs_id_t *ids, int32_t id_count);
/** Move an entity to a table, with hooks. `added` and `removed` are what the caller expects to
 * change and may be NULL. True if the entity moved. What may not be added to it is refused, as by ecs_add_id. [chk] not
 * deferred. */
ECS_API bool ecs_commit(ecs_world_t *world, ecs_entity_t entity, ecs_record_t *record,
    ecs_table_t *table, const ecs_type_t *added, const ecs_type_t *removed);

/** Until the matching unlock, changing the structure of the table is an error [chk]. Nothing
 * happens with a stage. */
ECS_API void ecs_table_lock(ecs_world_t *world, ecs_table_t *table);
/** Undo one ecs_table_lock. [chk] it is locked. */
ECS_API void ecs_table_unlock(ecs_world_t *world, ecs_table_t *table);
/** Exchange two rows. At once, also while deferred. [chk] there are such rows, the table is not locked. */
ECS_API void ecs_table_swap_rows(
    ecs_world_t *world, ecs_table_t *table, int32_t row_1, int32_t row_2);
/** Delete all entities of a table, as by ecs_delete; its memory stays. [chk] not deferred. */
ECS_API void ecs_table_clear_entities(ecs_world_t *world, ecs_table_t *table);

/** Position of the first id that matches `id`, or -1; `id_out` (may be NULL) gets it. */
ECS_API int32_t ecs_search(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id, ecs_id_t *id_out);
/** The same from position `offset` on. [chk] there is such a position, or it is behind the last one. */
ECS_API int32_t ecs_search_offset(const ecs_world_t *world, const ecs_table_t *table,
    int32_t offset, ecs_id_t id, ecs_id_t *id_out);
/** Search a table and, up `rel`, the tables of its targets.
 *
 * @param offset     Where to start in the type of the table.
 * @param flags      EcsSelf and/or EcsUp; 0 means both.
 * @param tgt_out    Entity that has the id; set to 0 if the table itself has it. May be NULL, like
 *                   the next two.
 * @return           Position in the type of the table where the id was found, or -1.
 */
ECS_API int32_t ecs_search_relation(const ecs_world_t *world, const ecs_table_t *table,
    int32_t offset, ecs_id_t id, ecs_entity_t rel, ecs_flags64_t flags, ecs_entity_t *tgt_out,
    ecs_id_t *id_out, struct ecs_table_record_t **tr_out);

/** ecs_search_relation from an entity, for the relationship of `rel`, a pair `(R, *)`. `cr` may be NULL. */
ECS_API int32_t ecs_search_relation_for_entity(const ecs_world_t *world, ecs_entity_t entity,
    ecs_id_t id, ecs_id_t rel, bool self, ecs_component_record_t *cr, ecs_entity_t *tgt_out,
    ecs_id_t *id_out, struct ecs_table_record_t **tr_out);

/* Id records: for each id in use, and each wildcard that covers one, the tables that have it. */
/** The record of an id, or NULL if no table and no query uses it. O(1). */
ECS_API ecs_component_record_t *flecs_components_get(const ecs_world_t *world, ecs_id_t id);
/** The same, made if needed. [chk] not readonly. */
ECS_API ecs_component_record_t *flecs_components_ensure(ecs_world_t *world, ecs_id_t id);
/** The id a record is about. */
ECS_API ecs_id_t flecs_component_get_id(const ecs_component_record_t *cr);
/** Type info of the values; NULL for tags and wildcards. */
ECS_API const struct ecs_type_info_t *flecs_component_get_type_info(
    const ecs_component_record_t *cr);
/** Where the id is in a table, or NULL. */
ECS_API const ecs_table_record_t *flecs_component_get_table(
    const ecs_component_record_t *cr, const ecs_table_t *table);

/** For (EcsChildOf, parent): the children by component (EcsParent) in a table; NULL if there are none. What is returned is a copy,
 * valid for the next seven calls on this thread. O(children of the parent). */
ECS_API ecs_parent_record_t *flecs_component_get_parent_record(
    const ecs_component_record_t *cr, const ecs_table_t *table);

/** State of going through the tables of an id record. */
typedef struct ecs_table_cache_iter_t {
    const ecs_component_record_t *cr;
    int32_t position;
    bool with_empty;
} ecs_table_cache_iter_t;

/** Go through the tables that have entities, in order of creation. False if the record is NULL or has no table. */
ECS_API bool flecs_component_iter(const ecs_component_record_t *cr, ecs_table_cache_iter_t *it);
/** The next table; NULL at the end. */
ECS_API const ecs_table_record_t *flecs_component_next(ecs_table_cache_iter_t *it);

/* Records: where an entity is stored. Valid as long as the world; contents change with the entity, until it is deleted: then its record
 * has nothing. Those found while the world is readonly, as in jobs, do so until it is not. */
/** The record of a living entity, or NULL. Any thread. Moves of the entity take a little longer afterwards. */
ECS_API ecs_record_t *ecs_record_find(const ecs_world_t *world, ecs_entity_t entity);
/** The entity a record belongs to; 0 if it is not alive. */
ECS_API ecs_entity_t ecs_record_get_entity(const ecs_record_t *record);
/** Read access to the table of an entity until ecs_read_end; writers are refused meanwhile (checked
 * in debug builds). Any thread. */
ECS_API const ecs_record_t *ecs_read_begin(ecs_world_t *world, ecs_entity_t entity);
/** End of ecs_read_begin, unless the entity was deleted. [chk] it is in the same table. */
ECS_API void ecs_read_end(const ecs_record_t *record);
/** Sole access to the table of an entity until ecs_write_end (checked in debug builds). Any
 * thread. */
ECS_API ecs_record_t *ecs_write_begin(ecs_world_t *world, ecs_entity_t entity);
/** End of ecs_write_begin, as above. */
ECS_API void ecs_write_end(ecs_record_t *record);
/** Owned value of an id, or NULL. */
ECS_API const void *ecs_record_get_id(
    const ecs_world_t *world, const ecs_record_t *record, ecs_id_t id);
/** Owned value of an id for writing, or NULL; nothing is added. */
ECS_API void *ecs_record_ensure_id(ecs_world_t *world, ecs_record_t *record, ecs_id_t id);
/** True if the entity itself has the id (wildcards allowed). */
ECS_API bool ecs_record_has_id(ecs_world_t *world, const ecs_record_t *record, ecs_id_t id);
/** Value in a known column. [chk] `size` is the size of its values, unless 0. */
ECS_API void *ecs_record_get_by_column(const ecs_record_t *record, int32_t column, size_t size);

#ifdef __cplusplus
}
#endif

#endif
