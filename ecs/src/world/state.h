// SPDX-License-Identifier: MIT
// state: the struct of the world: the roots of the lower layers, the stages and the mode flags. Plain data.
#ifndef ECS_WORLD_STATE_H
#define ECS_WORLD_STATE_H

#include <muster/ecs/extend.h>
#include <muster/ecs/world.h>
#include "base/spare.h"
#include "command/stage.h"
#include "event/events.h"
#include "mutate/check.h"
#include "mutate/cleanup.h"
#include "name/names.h"
#include "query/queries.h"
#include "storage/store.h"

#define ECS__RECIPES 64
#define ECS__RECIPE_IDS 13
/** Where entities that are made with a list of ids begin, see world/make.c. */
typedef struct ecs__recipe_t {
    uint64_t stamp;
    ecs_table_t *table;
    int32_t count; /* 0: nothing */
    bool is_plain; /* a row that begins there concerns nobody else, */
    bool is_row;   /* and that is all */
    ecs_id_t ids[ECS__RECIPE_IDS];
} ecs__recipe_t;

struct ecs_world_t {
    ecs_header_t hdr;   /* type = ECS__WORLD_TYPE */
    ecs_world_t *world; /* itself; it and its stage are found like those of a stage */
    ecs_stage_t *stage; /* stages[0] */
    ecs__store_t store;
    ecs__names_t names;
    ecs__queries_t queries;
    ecs__events_t events;
    ecs_stage_t **stages; /* stages[0] is the world's own */
    int32_t stage_count;
    int32_t stages_held; /* fewer there cannot be: threads use them */
    ecs_flags32_t flags; /* EcsWorld* */
    bool in_slots;       /* between ecs_ext_slots_begin and _merge */
    /* something was recorded since slots began; set by jobs, read when they are joined */
    uint32_t recorded;
    /* a stage may have a scope; set by threads that use stages by hand, read when slots begin (extend.c) */
    uint32_t is_scoped;
    ecs_world_info_t info;
    ecs_defaults_t defaults;
    struct ecs__flush_t *flush; /* scratch memory of flushing, see world/mode.h */
    void *runtime;              /* see extend.h */
    const struct ecs_ext_reflection_t *reflection; /* NULL: types have no members */
    void (*runtime_fini)(ecs_world_t *world, void *runtime);
    void (*runtime_free)(void *runtime);
    const ecs_ext_access_t *access; /* judges what systems access; NULL: nobody does */
    void *ctx, *binding_ctx;
    ecs_ctx_free_t ctx_free, binding_ctx_free;
    ecs_vec_t fini_actions;
    ecs_flags32_t default_query_flags;
    uint64_t owner_thread; /* exclusive access; 0 = anybody */
    const char *owner_name;
    ecs__table_listener_t table_marker; /* see mutate/traits.h */
    /* ecs__suspect_t: adds to be judged when a flush is done, see mutate/check.h */
    ecs_vec_t suspects;
    ecs__suspect_t judged;         /* the one being judged; errors name it */
    ecs_vec_t component_ids;       /* ecs_entity_t, see flecs_component_ids_set */
    ecs_map_t edge_kinds;          /* of relationships with defaults or init, see mutate/edge.h */
    struct ecs__show_t *hook_show; /* see mutate/hooks.c; made when first needed */
    struct ecs__prefab_plan_t *spare_plan; /* memory for the next one; NULL: in use, or none yet */
    ecs__cleanup_spare_t spare_cleanup;
    ecs__recipe_t recipes[ECS__RECIPES];
    uint32_t aborts;        /* ecs__log_aborts() when it was made */
    int32_t deleting;       /* > 0: rows are being deleted with what refers to them */
    int32_t leaving;        /* > 0: others are told of entities that are about to be deleted */
    int32_t flushing;       /* > 0: the commands of a stage are being applied */
    bool has_queued_depths; /* commands still to be applied tell children how deep they are */
    /* Behind what is in use all the time. */
    /* raised when ids that queries ask for got values, or of another size, or what is an id becomes a kind of another */
    uint64_t types_stamp;
    double emit_time, rematch_time; /* sums behind those of info */
    /* ecs_entity_t: made in bulk last, for the caller; see world/bulk.c. */
    ecs_vec_t bulk_ids;
    ecs__spare_t beside;         /* ecs_component_record_t *: what clones and instances get */
    ecs__spare_t below;          /* of those who come to be deeper, see mutate/parent.c */
    const ecs__ending_t *ending; /* checked builds: who is told of as about to be deleted */
};

_Static_assert(offsetof(ecs_world_t, world) == offsetof(ecs_stage_t, world) &&
                   offsetof(ecs_world_t, stage) == offsetof(ecs_stage_t, stage),
    "worlds and stages begin alike");

static inline ecs__store_t *ecs__store_of(const ecs_world_t *world) {
    ECS__GIVEN(world);
    return &((ecs_world_t *)(uintptr_t)world)->store;
}
static inline bool ecs__is_stage(const void *world) {
    ECS__GIVEN(world);
    return ((const ecs_header_t *)world)->type == ECS__STAGE_TYPE;
}
/** The real world behind a world or stage pointer. */
static inline ecs_world_t *ecs__world_of(const ecs_world_t *world) {
    ECS__GIVEN(world);
    return world->world;
}
/** The stage to use: the given stage, or stage 0 of a world. */
static inline ecs_stage_t *ecs__stage_of(const ecs_world_t *world) {
    ECS__GIVEN(world);
    return world->stage;
}

/** Where an entity is; nowhere if it is not alive, or was made by a job and is in no table yet. */
static inline ecs__spot_t ecs__spot_of(const ecs_world_t *poly, ecs_entity_t entity) {
    return ecs__entity_find(&ecs__world_of(poly)->store.entities, entity);
}
/** Its table, or NULL. */
static inline ecs_table_t *ecs__table_of(const ecs_world_t *poly, ecs_entity_t entity) {
    return ecs__spot_of(poly, entity).table;
}

/** Through what a world is changed: while one thread reads it, its main stage stands for it. */
static inline ecs_world_t *ecs__writer_of(ecs_world_t *poly) {
    ecs_world_t *world = ecs__world_of(poly);
    bool is_readonly =
        (world->flags & (EcsWorldReadonly | EcsWorldMultiThreaded)) == EcsWorldReadonly;
    return is_readonly && !ecs__is_stage(poly) ? (ecs_world_t *)(void *)world->stages[0] : poly;
}

/** Readings of the clock for statistics; none unless ecs_measure_system_time() asked for them. */
static inline uint64_t ecs__measure_begin(const ecs_world_t *world) {
    return world->flags & EcsWorldMeasureSystemTime ? ecs_os_now() : 0;
}
// `total` is what others see of the sum: after an hour little would be nothing for it.
static inline void ecs__measure_end(uint64_t begin, double *sum, ecs_ftime_t *total) {
    if (!begin) return;
    *sum += (double)(ecs_os_now() - begin) * 1e-9;
    *total = (ecs_ftime_t)*sum;
}

#define ECS__OWNED_BY_NOBODY UINT64_MAX /* nobody may write until the next begin, all may read */

/** May this thread read, may it write? Exclusive access only; stages are handed to threads by the schedule. [chk] */
bool ecs__check_reader(const ecs_world_t *poly);
bool ecs__check_writer(const ecs_world_t *poly);
/** May it write what belongs to a stage? Not through the world where systems run on several threads: the main stage, for which it stands,
 * is in use by one of them. `what` completes "cannot …". [chk] */
bool ecs__check_thread(const ecs_world_t *poly, const char *what);
/** May it write what belongs to the world? Nobody where systems run on several threads. [chk] */
bool ecs__check_alone(const ecs_world_t *poly, const char *what);

/** From now on this thread asks a function of the world's user how to sort or group results; NULL: no more. Returns what was before. What
 * such a function changed would be missed, or be missing. */
const ecs_world_t *ecs__ask(const ecs_world_t *world);
bool ecs__asks(const ecs_world_t *poly);
/** It does not. [chk] */
bool ecs__check_not_asked(const ecs_world_t *poly);

/** May the system that runs on this stage do this? True outside of systems. [chk] */
static inline bool ecs__may_access(
    const ecs_world_t *poly, ecs_entity_t entity, ecs_id_t id, bool writes, const char *call) {
    const ecs_world_t *world = ecs__world_of(poly);
    const ecs_stage_t *stage = ecs__stage_of(poly);
    if (!world->access || !stage->system || !(world->flags & EcsWorldReadonly)) return true;
    return world->access->value(world, stage->system, stage->shown, entity, id, writes, call);
}
static inline bool ecs__may_query(const ecs_world_t *poly, const ecs_query_t *query) {
    const ecs_world_t *world = poly->world;
    if (!world->access || !poly->stage->system || !(world->flags & EcsWorldReadonly)) return true;
    return world->access->query(world, poly->stage->system, poly->stage->shown, query);
}

#endif
