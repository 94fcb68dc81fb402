// SPDX-License-Identifier: MIT
// world: the life of a world, its context, counters, defaults and memory.
//
// A world holds entities, their components and the queries over them. Worlds are independent of
// each other. Unless a function says otherwise it is called from the thread that owns the world,
// while no system runs; functions that take a `const ecs_world_t *` also accept a stage and may be
// called from any thread while the world is readonly.
#ifndef MUSTER_ECS_WORLD_H
#define MUSTER_ECS_WORLD_H

#include <muster/ecs/component.h>
#include <muster/ecs/ds/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EcsWorldQuitWorkers (1u << 0)
#define EcsWorldReadonly (1u << 1)
#define EcsWorldInit (1u << 2)
#define EcsWorldQuit (1u << 3)
#define EcsWorldFini (1u << 4)
#define EcsWorldMeasureFrameTime (1u << 5)
#define EcsWorldMeasureSystemTime (1u << 6)
#define EcsWorldMultiThreaded (1u << 7)
#define EcsWorldFrameInProgress (1u << 8)

/** Counters and times of a world; kept current, read at any time. Times are in seconds. */
typedef struct ecs_world_info_t {
    ecs_entity_t last_component_id; /**< highest low component id issued */
    ecs_ftime_t delta_time_raw;     /**< time passed to the frame, not scaled */
    ecs_ftime_t delta_time;         /**< scaled time of the frame */
    ecs_ftime_t time_scale;
    ecs_ftime_t target_fps;
    ecs_ftime_t frame_time_total;
    ecs_ftime_t system_time_total;
    ecs_ftime_t emit_time_total; /**< in observers of what happened */
    ecs_ftime_t merge_time_total;
    ecs_ftime_t rematch_time_total;
    double world_time_total; /**< simulation time */
    double world_time_total_raw;
    int64_t frame_count_total;
    int64_t merge_count_total;
    int64_t eval_comp_monitors_total; /**< 0: there are no such monitors */
    int64_t rematch_count_total;      /**< caches that looked again at tables below a change */
    int64_t id_create_total;
    int64_t id_delete_total;
    int64_t table_create_total;
    int64_t table_delete_total;
    int64_t pipeline_build_count_total;
    int64_t systems_ran_total;
    int64_t observers_ran_total;
    int64_t queries_ran_total; /**< iterations begun, but those of systems and their jobs */
    int32_t tag_id_count;
    int32_t component_id_count;
    int32_t pair_id_count;
    int32_t table_count;
    uint32_t creation_time; /**< seconds of the system clock */
    struct {
        int64_t add_count;
        int64_t remove_count;
        int64_t delete_count;
        int64_t clear_count;
        int64_t set_count;
        int64_t ensure_count;
        int64_t modified_count;
        int64_t discard_count;
        int64_t event_count;
        int64_t other_count;
        int64_t batched_entity_count;
        int64_t batched_command_count;
    } cmd; /**< commands applied by flushes */
    const char *name_prefix;
} ecs_world_info_t;

/** What the library was built with. The arrays end with NULL. */
typedef struct ecs_build_info_t {
    const char *compiler;
    const char **addons;
    const char **flags;
    const char *version;
    int16_t version_major;
    int16_t version_minor;
    int16_t version_patch;
    bool debug;
    bool sanitize;
    bool perf_trace;
} ecs_build_info_t;

/** How a world treats what a trait or descriptor leaves open. */
typedef struct ecs_defaults_t {
    ecs_entity_t on_instantiate; /**< EcsInherit (built-in), EcsDontInherit or EcsOverride */
    bool instanced;              /**< results that mix own and shared fields arrive per table */
} ecs_defaults_t;

/** Entity ids; valid until entities are created or deleted. */
typedef struct ecs_entities_t {
    const ecs_entity_t *ids; /**< living ids first, then ids that may be recycled */
    int32_t count;
    int32_t alive_count;
} ecs_entities_t;

typedef struct ecs_delete_empty_tables_desc_t {
    uint16_t clear_generation;  /**< passes after which rows of empty tables are freed; 0 = never */
    uint16_t delete_generation; /**< passes after which empty tables are deleted; 0 = never */
    double time_budget_seconds; /**< stop after this time; 0 = no limit */
    int32_t offset;             /**< where to start: what the previous call returned */
} ecs_delete_empty_tables_desc_t;

typedef void (*ecs_fini_action_t)(ecs_world_t *world, void *ctx);

/** A world with only the database: entities, components, queries, commands; no systems. */
ECS_API ecs_world_t *ecs_mini(void);

/** End a world.
 *
 * Deletes root entities that have children, with their cleanup policies (children before parents),
 * runs ecs_atfini actions, then ends all that is left without policies: ordinary entities before
 * modules, components and queries. on_remove hooks run for every value; what they change is
 * dropped. Each of these two parts runs all its hooks before the first of its entities goes: hooks of
 * ordinary entities find everything that is left; those of modules, components and queries find ordinary
 * entities dead, and with them tags and targets that these have. Then frees all memory.
 *
 * @return         0.
 * Errors:         [chk] `world` is a stage, readonly, deferred or already ending. Once a check has failed, worlds that are
 * readonly or deferred end, too: the abort hook may have jumped out of a system or callback.
 */
ECS_API int ecs_fini(ecs_world_t *world);
/** True while ecs_fini runs. */
ECS_API bool ecs_is_fini(const ecs_world_t *world);
/** Call `action` during ecs_fini, after ordinary entities are gone, in order of registration. Refused when that is over: by what hears
 * of the end of all that is left. */
ECS_API void ecs_atfini(ecs_world_t *world, ecs_fini_action_t action, void *ctx);

/** Attach a pointer; `ctx_free` (may be NULL) is called for it at the end of ecs_fini. The previous
 * one is not freed. */
ECS_API void ecs_set_ctx(ecs_world_t *world, void *ctx, ecs_ctx_free_t ctx_free);
/** The pointer, or NULL. */
ECS_API void *ecs_get_ctx(const ecs_world_t *world);
/** A second slot, for language bindings. */
ECS_API void ecs_set_binding_ctx(ecs_world_t *world, void *ctx, ecs_ctx_free_t ctx_free);
/** The pointer in it, or NULL. */
ECS_API void *ecs_get_binding_ctx(const ecs_world_t *world);

/** The world of a world, stage, query, observer or system. */
ECS_API const ecs_world_t *ecs_get_world(const ecs_poly_t *poly);
/** The entity of a query, observer or system; 0 when it has none, and for worlds and stages. */
ECS_API ecs_entity_t ecs_get_entity(const ecs_poly_t *poly);

/** How the library was built: compiler, version, parts. Constant; any thread. */
ECS_API const ecs_build_info_t *ecs_get_build_info(void);
/** Counters and times. Valid as long as the world, and current whenever they are read. */
ECS_API const ecs_world_info_t *ecs_get_world_info(const ecs_world_t *world);
/** EcsWorld* bits. */
ECS_API ecs_flags32_t ecs_world_get_flags(const ecs_world_t *world);

/** Change the defaults of a world. [chk] Only before the first component of the user is
 * registered. */
ECS_API void ecs_set_defaults(ecs_world_t *world, const ecs_defaults_t *defaults);
/** The defaults in force; they belong to the world. */
ECS_API const ecs_defaults_t *ecs_get_defaults(const ecs_world_t *world);
/** Flags that are OR-ed into each query made from now on. */
ECS_API void ecs_set_default_query_flags(ecs_world_t *world, ecs_flags32_t flags);

/** Hash of all living entities but those of the library, their ids and values: what described types are made of (see
 * reflect.h), the bytes of others, and of those that are described in part: an address behind ECS_PRIVATE makes the hashes of two runs
 * differ. A type with addresses can be opaque, with `serialize`: then what that writes counts.
 *
 * Equal for equal states, whatever tables, rows, threads or history produced them. Bytes between
 * the members of a struct count: values are zeroed before they are constructed, so they are zero
 * unless user code wrote them. O(all values). */
ECS_API uint64_t ecs_world_hash(const ecs_world_t *world);

/** Make room for `entity_count` entities without ids. */
ECS_API void ecs_dim(ecs_world_t *world, int32_t entity_count);
/** Delete empty tables, and what is known of pairs that nothing has or asks for, and return memory that is not in use. [chk] not
 * deferred, nor in a hook or observer. */
ECS_API void ecs_shrink(ecs_world_t *world);
/** Age empty tables and free those that stayed empty for long. [chk] as ecs_shrink.
 * @return  0 when the list of tables was gone through, else the offset with which to go on. */
ECS_API int32_t ecs_delete_empty_tables(
    ecs_world_t *world, const ecs_delete_empty_tables_desc_t *desc);
#define EcsAperiodicComponentMonitors (1u << 2)
#define EcsAperiodicEmptyQueries (1u << 4)
/** Caches are always up to date, as queries follow each change when they are iterated. Entities
 * of cached queries (systems too) have the tag EcsEmpty from the start until a first table matches; those that match none any more
 * get it again with EcsAperiodicEmptyQueries. */
ECS_API void ecs_run_aperiodic(ecs_world_t *world, ecs_flags32_t flags);
/** Highest entity index issued so far. */
ECS_API ecs_entity_t ecs_get_max_id(const ecs_world_t *world);
/** All ids. O(ids issued so far). The array belongs to the world and is made by the call: one thread at a time. */
ECS_API ecs_entities_t ecs_get_entities(const ecs_world_t *world);

/** A range of entity ids. New ids come from the active range, and ids of deleted entities go back
 * to the range that contains them: a server gives each client ids of its own. Explicit ids
 * (ecs_make_alive, ecs_entity_desc_t.id) may lie anywhere. */
typedef struct ecs_entity_range_t {
    uint32_t min, max;  /**< first and last id; max 0 = as high as there are ids */
    uint32_t cur;       /**< highest id issued, min - 1 if there is none */
    ecs_vec_t recycled; /**< ecs_entity_t: ids to be issued again, last one first; 0 = taken */
} ecs_entity_range_t;

/** Make a range of ids `min` … `max`; `cur` and `recycled` are brought up to date by
 * ecs_entity_range_get and _set.
 *
 * The first range covers what was issued so far if it begins at 1, and is active at once; else the
 * ids below it become a range of their own, which is active. Ranges live as long as the world.
 *
 * Errors:   [chk] 0 < min <= max; no id is in two ranges, or was made alive outside of all; no entity was deleted before.
 * Deferred: never; applied at once. Not while the world is readonly [chk]. */
ECS_API const ecs_entity_range_t *ecs_entity_range_new(
    ecs_world_t *world, uint32_t min, uint32_t max);
/** New ids come from this range. When they are used up, the next new entity ends the program with
 * ECS_OUT_OF_RANGE; jobs that create entities need some 16 ids of room per job. */
ECS_API void ecs_entity_range_set(ecs_world_t *world, const ecs_entity_range_t *range);
/** The active range, or NULL. */
ECS_API const ecs_entity_range_t *ecs_entity_range_get(const ecs_world_t *world);

/** Bytes that the parts of a world occupy which grow with what is in it. What component values own elsewhere, names, caches of
 * queries and commands in flight are not counted. */
typedef struct ecs_world_memory_t {
    int64_t entities;  /**< where each entity is, and ids to be used again */
    int64_t rows;      /**< room for entities and values in tables */
    int64_t rows_used; /**< of that, in use */
    int64_t tables;    /**< what tables are besides: types, columns, where ids are */
    int64_t ids;       /**< id records with their lists of tables */
    int64_t sparse;    /**< values, tags and edges beside tables */
} ecs_world_memory_t;

/** O(number of tables and ids). */
ECS_API ecs_world_memory_t ecs_world_memory_get(const ecs_world_t *world);
/** The sum, without counting rows twice. */
ECS_API int64_t ecs_memory_get(const ecs_world_t *world);
/** Rows and the rest of one table. */
ECS_API int64_t ecs_table_memory_get(const ecs_table_t *table);

/** Only the calling thread may use the world from now on (checked in debug builds). `thread_name`
 * is borrowed. An error, and nothing else, where ecs_os_api has no thread_self_. */
ECS_API void ecs_exclusive_access_begin(ecs_world_t *world, const char *thread_name);
/** End exclusive access; with `lock_world` nobody may write until the next begin. [chk] caller is
 * the owner. */
ECS_API void ecs_exclusive_access_end(ecs_world_t *world, bool lock_world);

/** Check all invariants of a world. False, and a message, if one is broken. O(size of the world);
 * for tests. */
ECS_API bool ecs_world_verify(const ecs_world_t *world);

#ifdef __cplusplus
}
#endif

#endif
