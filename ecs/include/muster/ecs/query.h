// SPDX-License-Identifier: MIT
// query: which entities have which ids. Creating queries, asking them, and what a checked query
// looks like.
//
// A query is a list of terms, given as structs, as text, or both. Uncached queries search when they
// are iterated; cached ones keep the tables that match and follow every change. Both give the same
// results in the same order: tables by creation, rows ascending.
//
//   ecs_query_t *q = ecs_query_new(world, "Position, [in] Velocity");
//   ecs_iter_t it = ecs_query_iter(world, q);
//   while (ecs_query_next(&it)) { … it.count entities … }
//   ecs_query_fini(q);
//
// Threads: queries are made and ended by the thread that owns the world, while it is not
// multithreaded readonly. Reading and iterating them is safe from any thread while the world is
// readonly, each thread with its own stage.
#ifndef MUSTER_ECS_QUERY_H
#define MUSTER_ECS_QUERY_H

#include <muster/ecs/component.h>
#include <muster/ecs/ds/map.h>
#include <muster/ecs/table.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ecs_query_t ecs_query_t;

/** How a system or query uses the data of a field. */
typedef enum ecs_inout_kind_t {
    EcsInOutDefault, /**< InOut for what the entity owns, In for what it shares, None for tags */
    EcsInOutNone, /**< neither read nor written (schedules rely on it); fields show it all the same */
    EcsInOutFilter, /**< like None, and no event is wanted */
    EcsInOut,       /**< read and written */
    EcsIn,          /**< only read */
    EcsOut          /**< only written: what was there does not matter */
} ecs_inout_kind_t;

/** How a term takes part in the match. */
typedef enum ecs_oper_kind_t {
    EcsAnd,
    EcsOr, /**< this term or the next */
    EcsNot,
    EcsOptional,
    EcsAndFrom, /**< all ids of the entity given as id */
    EcsOrFrom,
    EcsNotFrom
} ecs_oper_kind_t;

typedef enum ecs_query_cache_kind_t {
    EcsQueryCacheDefault, /**< cached if it has an entity (see config.h) or needs a cache (cascade) */
    EcsQueryCacheAuto,    /**< cache what can be cached; so reads a query that has but a part */
    EcsQueryCacheAll,     /**< the same; so reads a query that is cached as a whole */
    EcsQueryCacheNone
} ecs_query_cache_kind_t;

/* Flags in ecs_term_ref_t.id. */
#define EcsSelf (1llu << 63) /**< the entity itself */
#define EcsUp (1llu << 62)   /**< targets of a relationship, nearest first */
#define EcsTrav (1llu << 61)
#define EcsCascade (1llu << 60) /**< like up, and results are ordered by depth */
#define EcsDesc (1llu << 59)    /**< deepest first */
#define EcsIsVariable (1llu << 58)
#define EcsIsEntity (1llu << 57)
#define EcsIsName (1llu << 56)
#define EcsDown (1llu << 55) /**< sources of a relationship */
#define EcsAll (1llu << 54)  /**< do not stop at the first match */
#define EcsTraverseFlags (EcsSelf | EcsUp | EcsTrav | EcsCascade | EcsDesc | EcsDown | EcsAll)
#define EcsTermRefFlags (EcsTraverseFlags | EcsIsVariable | EcsIsEntity | EcsIsName)
#define ECS_TERM_REF_FLAGS(ref) ((ref)->id & EcsTermRefFlags)
#define ECS_TERM_REF_ID(ref) ((ref)->id & ~EcsTermRefFlags)

/* ecs_query_desc_t.flags */
#define EcsQueryMatchPrefab (1u << 1)
#define EcsQueryMatchDisabled (1u << 2)
#define EcsQueryMatchEmptyTables (1u << 3)
#define EcsQueryAllowUnresolvedByName (1u << 6)
#define EcsQueryTableOnly (1u << 7)
#define EcsQueryDetectChanges (1u << 8) /**< see ecs_query_changed() */
#define EcsQuerySortLazily (1u << 5)    /**< rows of large tables may be moved later */
#define EcsQueryGroupByOrdered (1u << 9)
#define EcsQueryGroupByDesc (1u << 10)
/* ecs_query_t.flags: what the terms imply */
#define EcsQueryTrivialSparse (1u << 4)
#define EcsQueryMatchThis (1u << 11)
#define EcsQueryMatchOnlyThis (1u << 12)
#define EcsQueryMatchOnlySelf (1u << 13)
#define EcsQueryMatchWildcards (1u << 14)
#define EcsQueryMatchNothing (1u << 15)
#define EcsQueryHasCondSet (1u << 16)
#define EcsQueryHasPred (1u << 17)
#define EcsQueryHasScopes (1u << 18)
#define EcsQueryHasRefs (1u << 19)
#define EcsQueryHasOutTerms (1u << 20)
#define EcsQueryHasNonThisOutTerms (1u << 21)
#define EcsQueryHasChangeDetection (1u << 22)
#define EcsQueryIsTrivial (1u << 23)
#define EcsQueryHasCacheable (1u << 24)
#define EcsQueryIsCacheable (1u << 25)
#define EcsQueryHasTableThisVar (1u << 26)
#define EcsQueryCacheYieldEmptyTables (1u << 27)
#define EcsQueryTrivialCache (1u << 28)
#define EcsQueryNested (1u << 29)
#define EcsQueryCacheWithFilter (1u << 30)
#define EcsQueryValid (1u << 31)

/* ecs_term_t.flags_, set when the query is made: traits that count for the term, and how it is answered */
#define EcsTermMatchAny (1u << 0)
#define EcsTermMatchAnySrc (1u << 1)
#define EcsTermTransitive (1u << 2)
#define EcsTermReflexive (1u << 3)
#define EcsTermIdInherited (1u << 4)
#define EcsTermIsTrivial (1u << 5)
#define EcsTermIsCacheable (1u << 6)
#define EcsTermIsScope (1u << 7)
#define EcsTermIsMember (1u << 8)
#define EcsTermIsToggle (1u << 9)
#define EcsTermIsSparse (1u << 10)
#define EcsTermIsOr (1u << 11)
#define EcsTermDontFragment (1u << 12)
#define EcsTermNonFragmentingChildOf (1u << 13)

/** One part of a term: an id or a name, with flags. */
typedef struct ecs_term_ref_t {
    ecs_entity_t id;  /**< entity, OR-ed with EcsSelf … EcsAll */
    const char *name; /**< looked up when the query is made; "$x" is a variable */
} ecs_term_ref_t;

/** One condition: an id, on a source. `{ ecs_id(Position) }` is a complete term. */
typedef struct ecs_term_t {
    ecs_id_t id;        /**< component, tag or pair; or use first and second */
    ecs_term_ref_t src; /**< whose ids; default EcsThis, the matched entity */
    ecs_term_ref_t first;
    ecs_term_ref_t second;
    ecs_entity_t trav; /**< relationship for up and cascade; default EcsChildOf */
    int16_t min_depth; /**< nearest level along trav that counts; 1 = direct target, 0 = no limit */
    int16_t max_depth; /**< farthest level that counts, 0 = no limit */
    int16_t inout;     /**< ecs_inout_kind_t */
    int16_t oper;      /**< ecs_oper_kind_t */
    int8_t field_index;   /**< set when the query is made */
    ecs_flags16_t flags_; /**< EcsTerm*, set when the query is made */
} ecs_term_t;

/** Memory for one query object, provided by the caller (ecs_query_desc_t.storage). */
typedef struct ecs_query_storage_t {
    uint64_t memory[128];
} ecs_query_storage_t;

/** Is the first entity to come before (negative), behind (positive) or beside (0) the second?
 *
 * Sorting happens when an iterator is created and something changed since the last time: rows came or went, values were set, reported
 * with ecs_modified or passed by an iteration that may write them. Rows of the tables are really moved; tables are merged by returning
 * slices of them. The sort is stable. Values that a table shares with others (up, IsA) order the table as a whole. Nothing is moved
 * while the world is readonly: sorted queries are sorted before. Pointers are NULL when entities are compared.
 * This and the next two may look at the world, and ask queries whose results are neither sorted nor grouped, but change nothing [chk]. */
typedef int (*ecs_order_by_action_t)(
    ecs_entity_t e1, const void *ptr1, ecs_entity_t e2, const void *ptr2);
/** Sort rows [lo, hi] of a table, with ecs_table_swap_rows; `ptr` is the column of `size` bytes per value. */
typedef void (*ecs_sort_table_action_t)(ecs_world_t *world, ecs_table_t *table,
    ecs_entity_t *entities, void *ptr, int32_t size, int32_t lo, int32_t hi,
    ecs_order_by_action_t order_by);
/** The group of a table. */
typedef uint64_t (*ecs_group_by_action_t)(
    ecs_world_t *world, ecs_table_t *table, ecs_id_t group_by, void *ctx);
/** A group is made; what is returned becomes its context. This and the next may do anything but end the query itself. */
typedef void *(*ecs_group_create_action_t)(
    ecs_world_t *world, uint64_t group_id, void *group_by_ctx);
/** A group has gone, with its context. */
typedef void (*ecs_group_delete_action_t)(
    ecs_world_t *world, uint64_t group_id, void *group_ctx, void *group_by_ctx);

/** A group of results. */
typedef struct ecs_query_group_info_t {
    uint64_t id;
    int32_t match_count; /**< how often a table came or went */
    int32_t table_count; /**< tables in the group, empty ones included */
    void *ctx;           /**< what on_group_create returned */
} ecs_query_group_info_t;

/** What ecs_query_init() is to make. Everything is copied. Contexts are freed when the query ends, if they are not NULL. */
typedef struct ecs_query_desc_t {
    int32_t _canary;
    ecs_term_t terms[FLECS_TERM_COUNT_MAX]; /**< ended by the first empty one */
    const char *expr;                       /**< terms as text, after those of the array */
    ecs_query_cache_kind_t cache_kind;
    ecs_flags32_t flags; /**< EcsQuery* */
    bool instanced; /**< results that mix own and shared fields come per table, not per entity */
    /** Where to put the query object; NULL = heap. Must outlive the query. */
    ecs_query_storage_t *storage;
    ecs_order_by_action_t order_by_callback; /**< order of results; see ecs_order_by_action_t */
    ecs_sort_table_action_t order_by_table_callback; /**< sorts rows instead of the engine */
    ecs_entity_t order_by; /**< component of a term about $this or an entity, whose values are
                                compared; 0 = entities are */
    ecs_id_t
        group_by; /**< relationship, not kept beside tables, whose target is the group of a table (0 without), or what
                            the callback makes of it */
    /** Called once when a table is matched, and again when the query begins to look for kinds of what it names. */
    ecs_group_by_action_t group_by_callback;
    ecs_group_create_action_t on_group_create; /**< when the first table joined a group */
    ecs_group_delete_action_t on_group_delete; /**< after the last one left */
    void *group_by_ctx;
    ecs_ctx_free_t group_by_ctx_free;
    void *ctx;
    void *binding_ctx;
    ecs_ctx_free_t ctx_free;
    ecs_ctx_free_t binding_ctx_free;
    ecs_entity_t entity; /**< entity that owns the query and ends it when deleted; 0 = none */
} ecs_query_desc_t;

/** A checked query. Read only. Arrays have term_count or field_count elements; sets have a bit
 * per field. */
struct ecs_query_t {
    ecs_header_t hdr;
    ecs_term_t *terms;
    int32_t *sizes; /**< bytes of one value per field, 0 for tags */
    ecs_id_t *ids;  /**< per field; 0 for an Or chain of different types */
    uint64_t bloom_filter;
    ecs_flags32_t flags; /**< EcsQuery* */
    int8_t var_count;
    int8_t term_count;
    int8_t field_count;
    ecs_termset_t fixed_fields;     /**< constant source */
    ecs_termset_t var_fields;       /**< source is a variable other than $this */
    ecs_termset_t static_id_fields; /**< id is the same in each result: no Or, no wildcard */
    ecs_termset_t data_fields;      /**< have values that are read or written */
    ecs_termset_t write_fields;
    ecs_termset_t read_fields;
    ecs_termset_t row_fields; /**< values are reached per row, with ecs_field_at */
    /** Default access: not written where the value is shared. */
    ecs_termset_t shared_readonly_fields;
    ecs_termset_t set_fields; /**< may be set */
    ecs_query_cache_kind_t cache_kind;
    char **vars;
    void *ctx;
    void *binding_ctx;
    ecs_entity_t entity;
    ecs_world_t *real_world;
    ecs_world_t *world; /**< or the stage that it was made with, while there is one */
    int32_t eval_count; /**< iterations outside of jobs, roughly where several threads begin some */
};

/** What ecs_query_count() found. */
typedef struct ecs_query_count_t {
    int32_t results;
    int32_t entities;
    int32_t tables;
} ecs_query_count_t;

/** Make a query.
 *
 * @return         The query, or NULL with a logged sentence: bad text, terms that contradict each
 *                 other, no terms, a feature that is not supported (ECS_UNSUPPORTED), no memory for the text, the terms, the
 *                 query itself or its fields (for its plan and cache: see os.h). A failure leaves the world unchanged.
 * Ownership:      ended by ecs_query_fini, by deleting its entity, or by ecs_fini. Copies
 *                 everything in `desc`.
 * Errors:         [chk] canary; cache_kind; `desc->entity` is alive and holds no query; no cascade together with
 *                 group_by; order_by is no wildcard; not while multithreaded readonly.
 * Complexity:     O(terms); cached: plus the tables of its rarest required id.
 */
ECS_API ecs_query_t *ecs_query_init(ecs_world_t *world, const ecs_query_desc_t *desc);
/** Shorthand for a query from text alone; NULL on error. */
ECS_API ecs_query_t *ecs_query_new(ecs_world_t *world, const char *expr);
/** Replace the query of an entity. A context that both have goes on, others of the old one are freed. On failure the old one stays.
 * [chk] It is not that of a system or pipeline, nor in the storage of the new one. */
ECS_API ecs_query_t *ecs_query_update(
    ecs_world_t *world, ecs_entity_t query, const ecs_query_desc_t *desc);
/** End a query; deletes its entity if it has one. NULL is allowed. */
ECS_API void ecs_query_fini(ecs_query_t *query);
/** The query of an entity, or NULL. */
ECS_API const ecs_query_t *ecs_query_get(const ecs_world_t *world, ecs_entity_t query);
/** The query itself if results come from its cache, else NULL. */
ECS_API const ecs_query_t *ecs_query_get_cache_query(const ecs_query_t *query);
/** How often the cache gained or lost a table, those it began with included; 0 when uncached. */
ECS_API int32_t ecs_query_match_count(const ecs_query_t *query);

/** Group of this id, NULL if no table is in it. [chk] the query has groups. */
ECS_API const ecs_query_group_info_t *ecs_query_get_group_info(
    const ecs_query_t *query, uint64_t group_id);
/** Its context, or NULL. */
ECS_API void *ecs_query_get_group_ctx(const ecs_query_t *query, uint64_t group_id);
/** All groups: keys are their ids. [chk] the query has groups. */
ECS_API const ecs_map_t *ecs_query_get_groups(const ecs_query_t *query);

/** True if anything this query matches changed since it was iterated.
 *
 * Changes are: a table that matches or no longer does; rows that come, go or change places; values of fields the query reads that are
 * set, reported with ecs_modified, or passed by another iteration that may write them. They are noted per table. A result that is
 * passed counts as seen, one that is skipped (ecs_iter_skip) does not. A query that may write what it reads always changes itself.
 *
 * The first call (or EcsQueryDetectChanges) begins to watch the tables of the query and says true if anything matches; in a job it
 * says true and watching begins after the jobs. Results that a job asked about with ecs_iter_changed count as seen then, unless a
 * query may have written to them meanwhile, or reads values of other entities.
 *
 * Complexity:  O(matches).
 * Threads:     like an iteration of the query.
 */
ECS_API bool ecs_query_changed(ecs_query_t *query);

/** Index of a variable, -1 if there is none of this name. "this" is 0. */
ECS_API int32_t ecs_query_find_var(const ecs_query_t *query, const char *name);
/** Name of a variable, NULL if it has none. */
ECS_API const char *ecs_query_var_name(const ecs_query_t *query, int32_t var);
/** True for variables that stand for one entity at a time: all but $this. */
ECS_API bool ecs_query_var_is_entity(const ecs_query_t *query, int32_t var);

/** True if the entity matches. Then `it` holds its first result, and the caller must
 * ecs_iter_fini it. [chk] the query has a $this term. */
ECS_API bool ecs_query_has(const ecs_query_t *query, ecs_entity_t entity, ecs_iter_t *it);
/** True if an entity of a table matches; `it` may hold some of its rows only. See ecs_query_has. */
ECS_API bool ecs_query_has_table(const ecs_query_t *query, ecs_table_t *table, ecs_iter_t *it);
/** The same for a range of rows; count 0 = the whole table. A range beyond the table's rows
 * does not match. Without a $this term the range decides nothing else. */
ECS_API bool ecs_query_has_range(
    const ecs_query_t *query, ecs_table_range_t *range, ecs_iter_t *it);

/** Results, entities and non-empty tables of the query. Where results of tables come by turns, as of sorted rows, a table counts each time. */
ECS_API ecs_query_count_t ecs_query_count(const ecs_query_t *query);
/** True if there is at least one result. */
ECS_API bool ecs_query_is_true(const ecs_query_t *query);

/** The terms as text that parses to an equal query. The caller frees it with ecs_os_free. */
ECS_API char *ecs_query_str(const ecs_query_t *query);
/** One term as text; the caller frees it. */
ECS_API char *ecs_term_str(const ecs_world_t *world, const ecs_term_t *term);
/** The program that finds results, one operation per line; the caller frees it. */
ECS_API char *ecs_query_plan(const ecs_query_t *query);
/** The program, and that of the cache if there is one; the caller frees it. */
ECS_API char *ecs_query_plans(const ecs_query_t *query);

/** True if any part of a term is filled in. */
ECS_API bool ecs_term_is_initialized(const ecs_term_t *term);
/** True if it names or is something. */
ECS_API bool ecs_term_ref_is_set(const ecs_term_ref_t *ref);
/** True if the source of a checked term is $this. */
ECS_API bool ecs_term_match_this(const ecs_term_t *term);
/** True if the term has no source: it is not matched, it only provides an id. */
ECS_API bool ecs_term_match_0(const ecs_term_t *term);

#ifdef __cplusplus
}
#endif

#endif
