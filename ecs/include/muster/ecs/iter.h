// SPDX-License-Identifier: MIT
// iter: going through results. One result is a range of rows of one table; each field of the query
// has an array or a value in it.
//
//   ecs_iter_t it = ecs_query_iter(world, q);
//   while (ecs_query_next(&it)) {
//       Position *p = ecs_field(&it, Position, 0);
//       for (int32_t i = 0; i < it.count; i++) p[i].x++;
//   }
//
// An iterator that returned false is finished. One that is left early must be ended with
// ecs_iter_fini: until then it keeps its table locked (debug builds) and its memory. A result that
// mixes arrays with single values (shared from another entity) comes one entity at a time, unless
// the query is instanced. Results stay valid until the next call; iterators may be copied only
// before the first one.
// Threads: an iterator is used by one thread. Several may iterate one query while the world is
// readonly, each through its own stage.
#ifndef MUSTER_ECS_ITER_H
#define MUSTER_ECS_ITER_H

#include <muster/ecs/query.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef bool (*ecs_iter_next_action_t)(ecs_iter_t *it);
typedef void (*ecs_iter_fini_action_t)(ecs_iter_t *it);

/* ecs_iter_t.flags */
#define EcsIterIsValid (1u << 0)
#define EcsIterNoData (1u << 1)
#define EcsIterNoResults (1u << 2)
#define EcsIterMatchEmptyTables (1u << 3)
#define EcsIterHasCondSet (1u << 6)
#define EcsIterProfile (1u << 7) /**< count what is run; may be set before the first result */
#define EcsIterTrivialSearch (1u << 8)
#define EcsIterTrivialSparse (1u << 9)
#define EcsIterTrivialTest (1u << 11)
#define EcsIterInstanced \
    (1u << 12) /**< results with shared values come per table; may be set before the first result */
#define EcsIterKept (1u << 13) /**< shown to observers again and again: its memory stays */
#define EcsIterTrivialCached (1u << 14)
#define EcsIterCached (1u << 15)
#define EcsIterSkip (1u << 18)
#define EcsIterTableOnly (1u << 20)
#define EcsIterCut \
    (1u << 21) /**< limited to some matches and rows, all of own values, or of a search */
#define EcsIterGraph (1u << 22)   /**< the query has goals over variables */
#define EcsIterInGroup (1u << 23) /**< limited to one group */
#define EcsIterSync (1u << 24)    /**< tells of writes, and of what was seen */
#define EcsIterOpen (1u << 25)    /**< all of `priv_` is valid */
#define EcsIterCopied (1u << 26)  /**< goes through copies of results with fields of their own */
#define EcsIterJoined (1u << 27) /**< goes through solutions that need no search but in the index */
#define EcsIterRowsAhead (1u << 28) /**< fetches rows of copies before it shows them */
#define EcsIterAsked (1u << 29) /**< a job asked it for changes before the query detected them */

/** Fields for which an iterator has room in itself; queries with more take memory from their
 * stage. */
#define ECS_ITER_INLINE_FIELDS 8

/** In ecs_iter_private_t.quick: not begun yet; not that quickly; goes on with a join, with rows
 * that one ends with. */
#define ECS_ITER_FRESH ((uint64_t)1 << 63)
#define ECS_ITER_SLOW ((uint64_t)1 << 62)
#define ECS_ITER_JOINED ((uint64_t)1 << 61)
#define ECS_ITER_SIFTED ((uint64_t)1 << 60)
/** Value of a stamp: positions are to be found. */
#define ECS_ITER_NOWHERE UINT64_MAX

/** Value of a variable: an entity, or rows of a table. */
typedef struct ecs_var_t {
    ecs_table_range_t range;
    ecs_entity_t entity;
} ecs_var_t;

/** State of an iterator; not for users. */
typedef struct ecs_iter_private_t {
    /* structure stamp of the world for which copies with few fields, or the place in a trivial
     * search, are right; other copies: with ECS_ITER_SLOW; else 0 */
    uint64_t quick;
    const char *copy;     /* next result ready to be copied, or NULL; see also plain.c */
    void *source;         /* what results come from: program of a query, id record, … */
    uint64_t table_limit; /* tables made later are not visited */
    /* what follows is only valid with EcsIterOpen, or written by those who read it */
    ecs_table_t *locked;  /* table of the present result, in debug builds */
    const char *copy_end; /* behind the last copy */
    uint64_t copied; /* structure stamp for which places in lists, or of shared values, are right */
    uint64_t stamp;  /* of the positions, or ECS_ITER_NOWHERE */
    uint64_t table_number;    /* of the present match, to find the place again when matches moved */
    uint64_t began;           /* with EcsIterSync: stamp of the beginning */
    int32_t stride;           /* bytes from copy to copy */
    int32_t position;         /* present match */
    int32_t last;             /* last match */
    int32_t first_row;        /* where the first match begins */
    int32_t last_row;         /* where the last match ends; -1 = at its end */
    int32_t row, row_end;     /* rows of the present match that are still to come, one by one */
    ecs_flags32_t skip;       /* a trivial search passes tables with one of these flags */
    void *eval;               /* state of a running program, in memory of the stage */
    ecs_var_t *vars;          /* what ecs_iter_get_vars returned */
    void *rows;               /* which rows of the present match satisfy the query */
    void *heap;               /* or blocks of the heap */
    void *cursor;             /* gives that memory back */
    ecs_table_t *bound_table; /* $this is limited to rows of this table */
    int32_t bound_row, bound_end;
    int32_t begin, begin_row; /* match and row to go back to for each way in which constants hold */
    const struct ecs_component_record_t *lead; /* the id of `listed` */
    int32_t offset, limit; /* page: entities to skip, to return; worker: index, count */
    uint64_t looked;       /* with EcsIterSync: stamp of the present step */
    uint64_t group;        /* of the present match; with EcsIterInGroup of all */
    const struct ecs__listed_t *listed; /* next place in the tables of an id */
    void *ptrs[ECS_ITER_INLINE_FIELDS];
    __extension__ union { /* C99 has no unions without name */
        ecs_id_t ids[ECS_ITER_INLINE_FIELDS];
        intptr_t beside[ECS_ITER_INLINE_FIELDS]; /* from there, bytes to that of a field */
    };
    ecs_entity_t sources[ECS_ITER_INLINE_FIELDS];
    ecs_size_t sizes[ECS_ITER_INLINE_FIELDS];
    int16_t columns[ECS_ITER_INLINE_FIELDS];
} ecs_iter_private_t;

/** An iterator with its present result. Arrays have field_count elements; sets have a bit per
 * field. */
struct ecs_iter_t {
    const ecs_entity_t *entities; /**< entities of the rows */
    ecs_termset_t set_fields;     /**< fields with a match */
    int32_t frame_offset;         /**< number of entities in earlier results */
    ecs_table_t *table;           /**< NULL if no term is about $this */
    int32_t count;                /**< number of entities; 0 if no term is about $this */
    int32_t offset;               /**< first row of the result in its table */
    void **ptrs;                  /**< first value per field; NULL for tags and what is not set */
    ecs_flags32_t flags;          /**< EcsIter* */
    int8_t field_count;
    int8_t term_index;
    const ecs_query_t *query; /**< the one that was asked; NULL for iterators without query */
    ecs_world_t *real_world;  /**< never a stage */
    ecs_id_t *ids;            /**< the id that matched */
    ecs_entity_t *sources;    /**< entity that has it; 0 = the entities of the result */
    const ecs_size_t *sizes;  /**< bytes of one value, 0 for tags */
    void *ctx;
    void *binding_ctx;
    ecs_iter_next_action_t next;
    ecs_termset_t row_fields; /**< fields to be read with ecs_field_at */
    ecs_termset_t ref_fields; /**< fields with one value instead of an array */
    ecs_termset_t up_fields;  /**< fields matched by traversal */
    int32_t event_cur;
    const int16_t *columns;         /**< column per owned field, else -1; or NULL */
    const ecs_table_record_t **trs; /**< where the field was found, or NULL */
    ecs_table_t *other_table;       /**< previous or next table, in hooks and observers */
    ecs_flags64_t constrained_vars;
    ecs_entity_t system;
    ecs_entity_t event;
    ecs_id_t event_id;
    void *param;
    void *callback_ctx;
    void *run_ctx;
    ecs_ftime_t delta_time;
    ecs_ftime_t delta_system_time;
    ecs_entity_t interrupted_by; /**< set by systems: ecs_run() returns it */
    ecs_iter_action_t callback;
    ecs_iter_fini_action_t fini;
    ecs_world_t *world;   /**< world or stage given by the caller */
    ecs_iter_t *chain_it; /**< iterator that this one cuts up */
    ecs_iter_private_t priv_;
};

/** An iterator over a query.
 *
 * @param world    The world of the query, or a stage of it: that of the calling thread in systems.
 * Errors:         [chk] query is not NULL and belongs to this world.
 * Deferred:       tables and rows must not change while iterated: use ecs_defer_begin around the
 *                 loop to change what is iterated.
 */
ECS_API ecs_iter_t ecs_query_iter(const ecs_world_t *world, const ecs_query_t *query);
/** Go to the next result; false when there is none, and the iterator is finished. [chk] it is one of a query, no page or part of one. */
ECS_API bool ecs_query_next(ecs_iter_t *it);
/** The same for an iterator of any kind. One that was interrupted (`interrupted_by`) is finished. */
ECS_API bool ecs_iter_next(ecs_iter_t *it);
/** End an iterator before it returned false: unlocks its table and frees its memory. */
ECS_API void ecs_iter_fini(ecs_iter_t *it);
/** Number of entities in the remaining results; ends the iterator. */
ECS_API int32_t ecs_iter_count(ecs_iter_t *it);
/** True if there is a result; ends the iterator. */
ECS_API bool ecs_iter_is_true(ecs_iter_t *it);
/** First entity of the results, 0 if there is none; ends the iterator. */
ECS_API ecs_entity_t ecs_iter_first(ecs_iter_t *it);
/** The present result counts as not visited: its writes are not reported, and its changes stay changes. */
ECS_API void ecs_iter_skip(ecs_iter_t *it);
/** The program of a query with how often each operation was tried and held, in the last iteration
 * that had EcsIterProfile in its flags before its first result. What a cache answers is not run.
 * The caller frees the text with ecs_os_free. */
ECS_API char *ecs_query_plan_w_profile(const ecs_query_t *query, const ecs_iter_t *it);
/** True if the table of the present result changed since the query passed it: rows came or went, or values that the query reads were
 * set or written. See ecs_query_changed. [chk] there is a result. */
ECS_API bool ecs_iter_changed(ecs_iter_t *it);
/** The present result as text; the caller frees it with ecs_os_free. */
ECS_API char *ecs_iter_str(const ecs_iter_t *it);

/** Limit a variable ($this is 0) to one entity. [chk] before the first result, in no page or part of another iterator, entity is alive,
 * the variable exists. */
ECS_API void ecs_iter_set_var(ecs_iter_t *it, int32_t var, ecs_entity_t entity);
/** Limit a variable to entities of a table, or of some of its rows (count 0: to the end). Only $this may stand for several [chk]. */
ECS_API void ecs_iter_set_var_as_table(ecs_iter_t *it, int32_t var, const ecs_table_t *table);
ECS_API void ecs_iter_set_var_as_range(ecs_iter_t *it, int32_t var, const ecs_table_range_t *range);
/** The entity a variable has in this result; 0 if it stands for several. */
ECS_API ecs_entity_t ecs_iter_get_var(ecs_iter_t *it, int32_t var);
/** The table a variable stands for as a whole, else NULL. */
ECS_API ecs_table_t *ecs_iter_get_var_as_table(ecs_iter_t *it, int32_t var);
/** The rows a variable stands for; all zero if it has no value. */
ECS_API ecs_table_range_t ecs_iter_get_var_as_range(ecs_iter_t *it, int32_t var);
/** True if the variable was limited before the first result. [chk] the variable exists. */
ECS_API bool ecs_iter_var_is_constrained(ecs_iter_t *it, int32_t var);
/** Number of variables, $this included; 0 if the query has none. */
ECS_API int32_t ecs_iter_get_var_count(const ecs_iter_t *it);
/** Name of a variable, or NULL. */
ECS_API const char *ecs_iter_get_var_name(const ecs_iter_t *it, int32_t var);
/** Values of all variables in this result, by number; those without value are zero. NULL if there
 * are no variables, or no more results. Valid until the next result. */
ECS_API ecs_var_t *ecs_iter_get_vars(const ecs_iter_t *it);
/** Limit variables by a text: "x: Bob, y: Alice", in parentheses or not. Before the first result. [chk] of an iterator of the query.
 *
 * @return Where the text ends; NULL after one logged sentence if a variable or an entity does not
 *         exist, a variable has a value already or the text has more than 512 characters.
 */
ECS_API const char *ecs_query_args_parse(ecs_query_t *query, ecs_iter_t *it, const char *expr);
/** Group of the present result; of a cascade, its depth. [chk] the query has groups. */
ECS_API uint64_t ecs_iter_get_group(const ecs_iter_t *it);
/** Visit one group only: no results if there is none of this id. [chk] the query has groups, before the first result, in no page or part
 * of another iterator. */
ECS_API void ecs_iter_set_group(ecs_iter_t *it, uint64_t group_id);

/** Skip `offset` entities, then return at most `limit` (0 = no limit). `it` must live as long;
 * results without entities pass. Results of which nothing is returned count as skipped (ecs_iter_skip).
 * [chk] neither is negative. */
ECS_API ecs_iter_t ecs_page_iter(const ecs_iter_t *it, int32_t offset, int32_t limit);
/** Next result of the page; false at its end, which also ends `it`. */
ECS_API bool ecs_page_next(ecs_iter_t *it);
/** Return part `index` of `count` parts of each result; the first parts are one entity longer
 * when it does not divide. Results without entities go to part 0. `it` must live as long. Results of which the part has nothing count as
 * skipped. [chk] there is such a part. */
ECS_API ecs_iter_t ecs_worker_iter(const ecs_iter_t *it, int32_t index, int32_t count);
/** Next result of this part; false at its end, which also ends `it`. */
ECS_API bool ecs_worker_next(ecs_iter_t *it);

/** All entities with an id (wildcards allowed), prefabs and disabled ones included. One field.
 * Needs no query. Goes through them with ecs_each_next or ecs_iter_next. */
ECS_API ecs_iter_t ecs_each_id(const ecs_world_t *world, ecs_id_t id);
/** Next table, or holder of an id that is kept beside tables; false at the end. [chk] the iterator is one of ecs_each_id. */
ECS_API bool ecs_each_next(ecs_iter_t *it);
/** Entities with `(EcsChildOf, parent)`; parent 0 = entities without parent. */
ECS_API ecs_iter_t ecs_children(const ecs_world_t *world, ecs_entity_t parent);
/** Entities with `(relationship, parent)`; parent 0 = entities without this relationship. */
ECS_API ecs_iter_t ecs_children_w_rel(
    const ecs_world_t *world, ecs_entity_t relationship, ecs_entity_t parent);
/** Next children; false at the end. */
ECS_API bool ecs_children_next(ecs_iter_t *it);

/* What ecs_field() calls: the checking function, or in release builds the pointer itself. */
#if defined(FLECS_DEBUG) || defined(FLECS_KEEP_ASSERT) || defined(FLECS_SOFT_ASSERT)
#define ECS_FIELD_PTR_(it, size, index) ecs_field_w_size(it, size, index)
#else
#define ECS_FIELD_PTR_(it, size, index) ((it)->ptrs[index])
#endif

/** Values of a field: an array of `it->count`, or one value if it is shared (see
 * ecs_field_is_self). NULL for tags and fields that are not set. [chk] result is valid, index
 * in range, `size` is the size of the field's type in bytes, no row field. */
ECS_API void *ecs_field_w_size(const ecs_iter_t *it, size_t size, int8_t index);
/** The same for writing; [chk] the field is not read-only in this result. */
ECS_API void *ecs_field_mut_w_size(const ecs_iter_t *it, size_t size, int8_t index);
/** The same for owned values. [chk] the field is not shared. */
ECS_API void *ecs_field_self_w_size(const ecs_iter_t *it, size_t size, int8_t index);
/** One value of a field that is stored apart from its table. [chk] row field. */
ECS_API void *ecs_field_at_w_size(const ecs_iter_t *it, size_t size, int8_t index, int32_t row);
/** True if the term matched: optional terms, and all but one of an Or chain, may not have. */
ECS_API bool ecs_field_is_set(const ecs_iter_t *it, int8_t index);
/** The id that matched; the queried id if the field is not set. `(R, _)` gives `(R, *)`. */
ECS_API ecs_id_t ecs_field_id(const ecs_iter_t *it, int8_t index);
/** The entity whose value it is; 0 = the entities of the result. */
ECS_API ecs_entity_t ecs_field_src(const ecs_iter_t *it, int8_t index);
/** True if the field belongs to the entities of the result: an array. False: one value, of ecs_field_src. */
ECS_API bool ecs_field_is_self(const ecs_iter_t *it, int8_t index);
/** Bytes of one value; 0 for tags. */
ECS_API size_t ecs_field_size(const ecs_iter_t *it, int8_t index);
/** Position of the id in the type of the table that has it; -1 if the field is not set. */
ECS_API int32_t ecs_field_column(const ecs_iter_t *it, int8_t index);
/** True if the values may only be read: `in`, or default access to a value of another entity. */
ECS_API bool ecs_field_is_readonly(const ecs_iter_t *it, int8_t index);
/** True if the values may only be written. */
ECS_API bool ecs_field_is_writeonly(const ecs_iter_t *it, int8_t index);
/** Target of the pair in this field for one row of the result; 0 if it is no pair. */
ECS_API ecs_entity_t ecs_field_target(const ecs_iter_t *it, int8_t index, int32_t row);

#ifdef __cplusplus
}
#endif

#endif
