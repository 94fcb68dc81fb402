// SPDX-License-Identifier: MIT
// extend: the seam for sibling libraries (the runtime). Not for applications.
//
// It offers what running systems on many threads needs from the database and nothing else: a place in the world, slots that
// record commands and entity ids independently of who runs them, merging in slot order, and cut-outs of cached queries.
//
// A stretch of the schedule runs like this:
//
//   main thread   ecs_ext_slots_begin(world, slots, n)           world becomes readonly, ids are reserved per slot
//   any worker    ecs_ext_slot_open(stage, slots, i, system)     commands and new ids of this stage go to slot i
//                 … ecs_query_iter, ecs_ext_iter_range, user code …
//                 ecs_ext_slot_close(stage)
//   main thread   ecs_ext_slots_merge(world, slots, crew)        readonly ends, ids go back, commands run in slot order
//
// Slots are written by one worker at a time; slot numbers, not workers or time, decide order and ids.
#ifndef MUSTER_ECS_EXTEND_H
#define MUSTER_ECS_EXTEND_H

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/iter.h>
#include <muster/ecs/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ecs_ext_slots_t ecs_ext_slots_t;

/** Attach the runtime's root to a world. `fini` runs at the start of ecs_fini, before any entity is deleted, with the world still
 * usable; `free` runs at its very end. Either may be NULL. */
ECS_API void ecs_ext_set_runtime(ecs_world_t *world, void *runtime,
    void (*fini)(ecs_world_t *world, void *runtime), void (*free)(void *runtime));
/** The attached root, or NULL. Accepts a stage. */
ECS_API void *ecs_ext_get_runtime(const ecs_world_t *world);

/** The world's counters, for the runtime to keep its own. */
ECS_API ecs_world_info_t *ecs_ext_world_info(ecs_world_t *world);
/** What a world holds. O(number of tables). */
typedef struct ecs_ext_counts_t {
    int32_t entities; /**< alive */
    int32_t free_ids; /**< to be used again */
    int32_t tables, empty_tables;
    int32_t types; /**< of components */
    int32_t queries;
} ecs_ext_counts_t;
ECS_API ecs_ext_counts_t ecs_ext_counts(const ecs_world_t *world);
/** False, and an error, if a table is being iterated, or locked. O(number of tables). */
ECS_API bool ecs_ext_check_unlocked(const ecs_world_t *world);
#ifdef FLECS_EXCLUSIVE_ACCESS
/** False, and an error, if the caller may not change the world, see ecs_exclusive_access_begin(). */
ECS_API bool ecs_ext_check_writer(const ecs_world_t *world);
#else
#define ecs_ext_check_writer(world) true
#endif
/** Set and clear EcsWorld* flags that belong to the runtime: Quit, FrameInProgress, Measure*. */
ECS_API void ecs_ext_world_flags(ecs_world_t *world, ecs_flags32_t set, ecs_flags32_t clear);

/** Give an entity an object: the pair (EcsPoly, tag) is set at once, deferred or not. When the pair leaves the entity, for whatever
 * reason, `dtor(object)` is called once; false if that was so already: the entity cannot have it, or lost it when others were told.
 * Main thread, world not readonly. */
ECS_API bool ecs_ext_poly_bind(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t tag,
    ecs_poly_t *object, void (*dtor)(ecs_poly_t *object));
/** The object bound with this tag, or NULL. */
ECS_API ecs_poly_t *ecs_ext_poly_get(
    const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t tag);

/** Free a context of such an object, if it has one, and somebody who frees it. */
ECS_API void ecs_ext_ctx_free(void *ctx, ecs_ctx_free_t ctx_free);
/** Another context takes its place, another function frees it from now on; each unless it is NULL. What was there before is freed as it
 * was meant to be. */
ECS_API void ecs_ext_ctx_replace(
    void **ctx, ecs_ctx_free_t *ctx_free, void *new_ctx, ecs_ctx_free_t new_free);

/** What the header of such an object may point to, so that ecs_get_world and ecs_get_entity know it: where it has a pointer to the query
 * of its entity. */
struct ecs_mixins_t {
    ecs_size_t query_at;
};

/** A part of some work. */
typedef void (*ecs_ext_part_t)(void *ctx, int64_t begin, int64_t end, int32_t worker);
/** Threads that help: `share` calls part(ctx, …) for all parts of [0, count), each once, and returns when all are done. */
typedef struct ecs_ext_crew_t {
    void (*share)(void *arg, int64_t count, ecs_ext_part_t part, void *ctx);
    void *arg;
} ecs_ext_crew_t;

/** Where a member is that holds an entity. */
typedef struct ecs_ext_member_t {
    ecs_entity_t component; /**< 0: the member holds something else */
    ecs_size_t offset;
} ecs_ext_member_t;

/** What the database asks reflection, if there is any. */
typedef struct ecs_ext_reflection_t {
    /** Make the entity of "Component.member"; 0 if there is no such member, or it has one. */
    ecs_entity_t (*make_member)(ecs_world_t *world, const char *path);
    /** Delete an entity that `make_member` made, and which nobody has seen. */
    void (*drop_member)(ecs_world_t *world, ecs_entity_t member);
    /** False if the entity is no member. */
    bool (*get_member)(const ecs_world_t *world, ecs_entity_t entity, ecs_ext_member_t *out);
    /** The value of an enum constant; false if the entity is none. */
    bool (*get_constant)(const ecs_world_t *world, ecs_entity_t entity, int64_t *value);
    /** Describe a component that has values of the type of another one, if that is described. */
    void (*describe_like)(ecs_world_t *world, ecs_entity_t component, ecs_entity_t like);
    /** Hash what a value is made of into *hash; false if its type does not tell all of it. */
    bool (*hash_value)(
        const ecs_world_t *world, ecs_entity_t type, const void *value, uint64_t *hash);
    /** False if a description tells that values of the component have another size or alignment. */
    bool (*may_resize)(
        const ecs_world_t *world, ecs_entity_t component, ecs_size_t size, ecs_size_t alignment);
} ecs_ext_reflection_t;

/** Set what the database asks; NULL: it does without. Borrowed as long as the world lasts. */
ECS_API void ecs_ext_set_reflection(ecs_world_t *world, const ecs_ext_reflection_t *reflection);
/** Put all ids that an entity has itself into `ids` (of ecs_id_t), sorted: those of its type, and those kept beside its table instead
 * of what stands for them in the type. */
ECS_API void ecs_ext_entity_ids(const ecs_world_t *world, ecs_entity_t entity, ecs_vec_t *ids);

/** Change what the runtime knows of an entity. */
typedef void (*ecs_ext_action_t)(ecs_world_t *world, ecs_entity_t entity, uint64_t value);
/** Call `action`: now, or, while `world` (or this stage) defers, among its commands, unless the entity (0: none) is dead by then. */
ECS_API void ecs_ext_act(
    ecs_world_t *world, ecs_entity_t entity, ecs_ext_action_t action, uint64_t value);

/** True if an id can be added to an entity; false after a sentence, without a failed check: for text that users wrote. */
ECS_API bool ecs_ext_may_add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** A set of slots; memory is kept between stretches. */
ECS_API ecs_ext_slots_t *ecs_ext_slots_new(void);
ECS_API void ecs_ext_slots_free(ecs_ext_slots_t *slots);
/** Enter multithreaded readonly mode with `count` slots. O(count), O(1) if nothing was recorded the last time. Allocates only beyond the largest count so far. */
ECS_API void ecs_ext_slots_begin(ecs_world_t *world, ecs_ext_slots_t *slots, int32_t count);
ECS_API void ecs_ext_slot_open(
    ecs_stage_t *stage, ecs_ext_slots_t *slots, int32_t index, ecs_entity_t system);
ECS_API void ecs_ext_slot_close(ecs_stage_t *stage);
/** Let another slot take the place of the open one for a while. Each slot that had a turn is opened and closed once afterwards. */
ECS_API void ecs_ext_slot_turn(
    ecs_stage_t *stage, ecs_ext_slots_t *slots, int32_t index, ecs_entity_t system);
/** Leave readonly mode and apply all commands in slot order, parts of it by the crew (NULL: none). O(1) if there are none. */
ECS_API void ecs_ext_slots_merge(
    ecs_world_t *world, ecs_ext_slots_t *slots, const ecs_ext_crew_t *crew);

/** What was known of a component that may have been deleted since: values of it may be left. */
ECS_API const ecs_type_info_t *ecs_ext_kept_type_info(
    const ecs_world_t *world, ecs_entity_t component);
/** True if a component may get this size, and these hooks; or an entity, which becomes one. Entities that have it keep what they have. */
ECS_API bool ecs_ext_may_store(
    const ecs_world_t *world, ecs_entity_t component, const ecs_type_info_t *as);
/** Have so many stages, and no fewer until the next call. Not while the world is readonly. */
ECS_API void ecs_ext_stages_hold(ecs_world_t *world, int32_t count);
/** The stage struct behind ecs_get_stage(world, index). */
ECS_API ecs_stage_t *ecs_ext_stage(const ecs_world_t *world, int32_t index);
/** Which system runs on a stage, for messages and commands; returns the previous one. */
ECS_API ecs_entity_t ecs_ext_stage_set_system(ecs_stage_t *stage, ecs_entity_t system);

/** Judges what a system accesses beside its own iterator while the world is readonly; reports what it refuses. Debug builds only. */
typedef struct ecs_ext_access_t {
    /** `call` reads or writes the value of an id of an entity; `shown` is the result that the system looks at, or NULL. */
    bool (*value)(const ecs_world_t *world, ecs_entity_t system, const ecs_iter_t *shown,
        ecs_entity_t entity, ecs_id_t id, bool writes, const char *call);
    /** A query is iterated. */
    bool (*query)(const ecs_world_t *world, ecs_entity_t system, const ecs_iter_t *shown,
        const ecs_query_t *query);
} ecs_ext_access_t;
/** Judge accesses from now on; NULL: no more. Main thread, between ticks. */
ECS_API void ecs_ext_set_access(ecs_world_t *world, const ecs_ext_access_t *access);
/** The iterator whose results the system on a stage looks at; returns the previous one. */
ECS_API const ecs_iter_t *ecs_ext_stage_show(ecs_world_t *stage, const ecs_iter_t *it);

/** Errors that this thread logs from now on name the system that runs on a stage; NULL: no more. */
ECS_API void ecs_ext_thread_stage(const ecs_stage_t *stage);

/** Where a stamp is that is raised whenever any table gains or loses rows, or is made or deleted. Equal stamps: all row counts are equal. */
ECS_API const uint64_t *ecs_ext_structure_stamp(const ecs_world_t *world);
/** The same for what ids that queries ask for hold: raised, with the structure stamp, when one gets values, or of another size, and when
 * an id becomes a kind of something (IsA). */
ECS_API const uint64_t *ecs_ext_types_stamp(const ecs_world_t *world);

/** A query that belongs to something else, which lives on the same entity: it cannot be replaced by ecs_query_update, and if its entity
 * loses it, it ends when it is released. */
ECS_API void ecs_ext_query_keep(ecs_query_t *query);
ECS_API void ecs_ext_query_release(ecs_query_t *query);
/** Bring the cache of a query up to date (main thread, not readonly). Cheap when nothing changed. No rows are moved: those of sorted
 * queries, whose matches are not counted, when they are asked. */
ECS_API void ecs_ext_query_update(const ecs_query_t *query);
/** The same, without getting ready for an iteration. False if there are no matches. */
ECS_API bool ecs_ext_query_may_match(const ecs_query_t *query);
/** Raised when the list of matches of a cached query changes (tables added, removed, reordered). */
ECS_API uint64_t ecs_ext_query_stamp(const ecs_query_t *query);
/** Number of matches in iteration order, empty tables included; -1 if the query is not wholly cached and cannot be cut. */
ECS_API int32_t ecs_ext_query_match_count(const ecs_query_t *query);
/** True if results are sorted: that happens when the world becomes readonly, or an iteration begins outside of that. */
ECS_API bool ecs_ext_query_is_sorted(const ecs_query_t *query);
/** Table of a match; the same table may appear several times in a row (wildcards). NULL for matches without `$this`. */
ECS_API ecs_table_t *ecs_ext_query_match_table(const ecs_query_t *query, int32_t match);
/** Unique, ever rising number of a table in creation order. */
ECS_API uint64_t ecs_ext_table_number(const ecs_table_t *table);

/** Restrict a fresh iterator of a wholly cached query to matches [first, last], the first from row `first_row`, the last up to
 * but without `last_row` (or to its end when -1). Results are instanced. */
ECS_API void ecs_ext_iter_range(
    ecs_iter_t *it, int32_t first, int32_t first_row, int32_t last, int32_t last_row);

/** An iteration of a query, worked out ahead. Not for users. */
typedef struct ecs_ext_start_t {
    const void *cache;            /* NULL: begin with ecs_query_iter */
    uint64_t structure, traverse; /* stamps of the world; what follows holds while they do */
    const char *copies, *copies_end;
    intptr_t stride;
    ecs_iter_t it; /* as it begins */
} ecs_ext_start_t;

/** Rows of some matches, in the words of ecs_ext_iter_range. */
typedef struct ecs_ext_rows_t {
    int32_t first, first_row, last, last_row;
    int32_t before; /* frame_offset of the first result */
} ecs_ext_rows_t;

/** Note how `it`, fresh from ecs_query_iter, begins: with it the members that systems set, times excepted. Bring the query up to
 * date before, so that its cache copies row counts and addresses. Holds until the structure stamp changes, so it is worth its cost
 * when tables stay as they are. Main thread, not readonly. */
ECS_API void ecs_ext_start_prepare(ecs_ext_start_t *start, const ecs_iter_t *it);
/** Make `it`, zeroed or used before but in no use now, the iterator that was prepared. False if the start does not hold (any more).
 * While the world is readonly. */
ECS_API bool ecs_ext_start_iter(const ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time);
/** The same, and call its callback for every result; the stage learns which system runs. `it` is in no use afterwards. NULL: the
 * start's own iterator, while nobody else uses the start. */
ECS_API bool ecs_ext_start_run(ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time);
/** The same for a part of the results. */
ECS_API bool ecs_ext_start_run_rows(const ecs_ext_start_t *start, ecs_iter_t *it,
    ecs_world_t *stage, ecs_ftime_t delta_time, ecs_ftime_t delta_system_time,
    const ecs_ext_rows_t *rows);

/** Call `it->callback` for the present result. While it runs, the iterator has no further results, as above. */
ECS_API void ecs_ext_iter_show(ecs_iter_t *it);
/** Make `it` the result that rows [row, end) of a match are, ready for its callback; until ecs_ext_iter_leave. */
ECS_API bool ecs_ext_start_show(const ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time, int32_t match, int32_t row, int32_t end);
/** Give back what callbacks asked for, as the values of variables, when all rows were shown. */
ECS_API void ecs_ext_iter_release(ecs_iter_t *it);
static inline void ecs_ext_iter_leave(ecs_iter_t *it) {
    if (it->flags & EcsIterOpen) ecs_ext_iter_release(it);
}
/** Go on to the `count` rows behind those that `it` shows since ecs_ext_start_show. */
static inline void ecs_ext_iter_advance(ecs_iter_t *it, int32_t count) {
    int32_t by = it->count;
    it->entities += by;
    it->offset += by;
    it->frame_offset += by;
    it->count = count;
    for (int8_t f = 0; f < it->field_count; f++) {
        char *ptr = ECS_CAST(char *, it->ptrs[f]);
        if (ptr) it->ptrs[f] = ptr + ECS_CAST(intptr_t, it->sizes[f]) * by;
    }
}

#ifdef __cplusplus
}
#endif

#endif
