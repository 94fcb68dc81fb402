// SPDX-License-Identifier: MIT
// write: what every public change begins with: may this caller write, is what it names alive and
// valid.
//
//   ECS__CHECK(ecs__check_change(world, entity, "delete"))   -- says its own sentence
//   if (ecs__defer_bracket_begin(stage)) { ecs__record_…; return; }
//   … mutate …
//   ecs__defer_bracket_end(stage);
#ifndef ECS_WORLD_WRITE_H
#define ECS_WORLD_WRITE_H

#include <muster/ecs/command.h>

#include "base/assert.h"
#include "command/record.h"
#include "mutate/check.h"
#include "mutate/mutate.h"
#include "mutate/report.h"
#include "world/mode.h"

/** May a change be made or recorded through this world or stage? `what` completes "cannot …".
 * [chk] */
bool ecs__check_caller(const ecs_world_t *poly, const char *what);
/** The same for rows of a table, which functions that sort exchange. */
bool ecs__check_swap(const ecs_world_t *poly);
/** The same, and the entity is alive. [chk] */
bool ecs__check_change(const ecs_world_t *poly, ecs_entity_t entity, const char *what);
/** The same, and the id can be added to it. [chk] */
bool ecs__check_change_id(
    const ecs_world_t *poly, ecs_entity_t entity, ecs_id_t id, const char *what);
/** May structure be changed right now, without recording: not readonly, not in a job? [chk] */
bool ecs__check_immediate(const ecs_world_t *poly, const char *what);
/** Is the scope, if any, alive, so that entities can be made in it? [chk] */
bool ecs__check_scope(const ecs_world_t *poly);

/** A change that is made at once, deferred or not; what its hooks and observers issue waits if the main stage defers. They are given the
 * world, which therefore is not readonly meanwhile: the one thread that reads it is this one. */
typedef struct ecs__at_once_t {
    ecs_flags32_t readonly;
    bool deferred;
} ecs__at_once_t;
static inline ecs__at_once_t ecs__at_once_begin(ecs_world_t *world) {
    const ecs_flags32_t readonly = world->flags & EcsWorldReadonly;
    world->flags &= ~(ecs_flags32_t)EcsWorldReadonly;
    return (ecs__at_once_t){ readonly, ecs__defer_bracket_begin(world->stages[0]) };
}
static inline void ecs__at_once_end(ecs_world_t *world, ecs__at_once_t at_once) {
    if (!at_once.deferred) ecs__defer_bracket_end(world->stages[0]);
    world->flags |= at_once.readonly;
}

/** True if this is the main stage and it does not defer. Then no observer runs, and nothing is suspended. */
static inline bool ecs__stage_is_idle(const ecs_stage_t *stage) {
    return !(stage->id | stage->defer);
}
/** As ecs__defer_bracket_end, for brackets of a stage that was idle, in which mostly nothing is recorded. */
static inline void ecs__bracket_end(ecs_stage_t *stage) {
    ecs__assert(!ecs_vec_count(&stage->world->suspects), "each flush judges what it doubts");
    if (stage->queue->count)
        ecs__defer_bracket_end(stage);
    else
        stage->defer = 0;
}

/** Record that ecs__table_events_tell_counts is to be called. */
void ecs__emit_later(ecs_world_t *world);
/** Record that an entity with a query loses EcsEmpty. */
void ecs__matched_later(ecs_world_t *world, ecs_entity_t entity);

#endif
