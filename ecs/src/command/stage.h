// SPDX-License-Identifier: MIT
// stage: what one thread needs to use a world: deferral, where commands and ids go, scope, iterator memory.
//
// Stage 0 is the world's own. A stage belongs to one thread at a time.
// `defer` counts nested brackets; while suspended it is the negative of that. Stages beside the main one have one always: they record
// whenever they may be used, so readonly mode begins and ends without a look at each.
#ifndef ECS_COMMAND_STAGE_H
#define ECS_COMMAND_STAGE_H

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/iter.h>

#include "base/arena.h"
#include "command/queue.h"
#include "command/tries.h"
#include "storage/id_reserve.h"

#define ECS__WORLD_TYPE ecs_world_t_magic /* first member of a world */
#define ECS__STAGE_TYPE ecs_stage_t_magic
#define ECS__QUERY_TYPE ecs_query_t_magic
#define ECS__OBSERVER_TYPE ecs_observer_t_magic

/** What applies to new entities, and to lookups. */
typedef struct ecs__scope_t {
    ecs_entity_t parent;
    ecs_id_t with;
    const ecs_entity_t *lookup_path; /* NULL: the default */
} ecs__scope_t;

struct ecs_stage_t {
    ecs_header_t hdr;
    ecs_world_t *world; /* these two as in a world: a pointer may be to either */
    ecs_stage_t *stage; /* itself */
    int32_t id;         /* 0..N-1, -1 for stages made by the user */
    int32_t defer;
    int32_t at_rest;            /* `defer` without brackets of the user */
    ecs__cmd_queue_t *queue;    /* where commands go now: own[] or a slot's */
    ecs__cmd_queue_t own[2];    /* one fills while the other is flushed */
    const ecs__id_slots_t *ids; /* where new ids come from while a slot is open */
    int32_t slot;
    bool in_slot;            /* a slot is open: the stage is used by a job */
    bool is_rescoped;        /* the job has changed `scope` */
    ecs_entity_t system;     /* system that runs, for messages */
    const ecs_iter_t *shown; /* what it looks at, for checks of access */
    ecs__scope_t scope;
    ecs__scope_t
        outer; /* that of the stage itself, during a stretch, see world/extend.c; else nothing */
    ecs__arena_t arena; /* iterators */
    void *solver;       /* in no use now; see query/iter/solver.c */
    ecs__tries_t tries; /* of mixed commands */
};

ecs_stage_t *ecs__stage_new(ecs_world_t *world, int32_t id);
/** Errors of this thread name the system that runs on this stage from now on; NULL: no more. */
void ecs__stage_note(const ecs_stage_t *stage);
/** The stage that was noted last for this thread, if it is one of this world; else stage 0. For who is given a world. */
const ecs_stage_t *ecs__stage_noted(const ecs_world_t *world);
/** Drop the stage with all commands it still holds. */
void ecs__stage_free(ecs_stage_t *stage);

/** True if changes on this stage are recorded now. */
static inline bool ecs__stage_defers(const ecs_stage_t *stage) { return stage->defer > 0; }

/** After so many rounds of callbacks recording what is applied next, the rest is dropped with an error. */
#define ECS__FLUSH_ROUNDS 1000000
/** Apply what the stage recorded, and what hooks recorded meanwhile, until nothing is left. The stage's bracket stays as it is. */
void ecs__stage_flush(ecs_stage_t *stage);

/** Bracket around a public change: what hooks issue while it is applied is recorded, and applied at the end of the outermost bracket.
 * @return True if the stage defers: record a command instead, without calling the end. Suspended stages apply everything at once. */
static inline bool ecs__defer_bracket_begin(ecs_stage_t *stage) {
    if (stage->defer > 0) return true;
    if (stage->defer == 0) stage->defer = 1;
    return false;
}
void ecs__defer_bracket_end(ecs_stage_t *stage);
/** Suspended stages defer all the same while observers and hooks run, since rows must not move under them: what these do is recorded, and
 * applied with what was recorded before. Between both; returns what is to be given back. */
static inline int32_t ecs__defer_hold(ecs_stage_t *stage) {
    int32_t defer = stage->defer;
    if (defer < 0) stage->defer = -defer;
    return defer;
}
static inline void ecs__defer_release(ecs_stage_t *stage, int32_t defer) {
    if (defer < 0) stage->defer = defer;
}

#endif
