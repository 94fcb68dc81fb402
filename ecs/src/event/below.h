// SPDX-License-Identifier: MIT
// below: events on an entity reach those below that see its ids through it, unless one in between has the id itself.
//
// One walk down all relationships along which observers look up, breadth first.
// Threads: the main thread.
#ifndef ECS_EVENT_BELOW_H
#define ECS_EVENT_BELOW_H

#include "event/emission.h"

/** Tell those below the rows of an emission of its ids. */
void ecs__below_tell(ecs__emission_t *emission);
/** Tell one term of those below the rows of a notice, who see its source at `depth` from the rows; 0: it is a base of theirs.
 * `is_revealed`: the rows hid it until now. */
void ecs__below_tell_one(ecs__emission_t *emission, const ecs__waiter_t *waiter,
    const ecs__notice_t *notice, int32_t depth, bool is_revealed);
/** The same of instances of the rows, and those below them, alone: others below the rows see it above these with and without the base. */
void ecs__below_tell_heirs(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice);
/** Rows lost an id, and see none above them: tell one term of those below of what they see along other targets of theirs instead. Terms
 * with limits of depth, or that stand for several ids, are left out. */
void ecs__below_tell_besides(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice);
/** False if no entity is below rows of a table, along some relationships: bits of positions in events->rels, the last for all others. */
bool ecs__below_any(const ecs__events_t *events, uint64_t rels, const ecs_table_t *table,
    int32_t row, int32_t count);
#define ECS__BELOW_RELS 64
/** The base from which rows of a table, which may be NULL, show an id to those below instead of what is above them, or 0. */
ecs_entity_t ecs__below_shown_base(const ecs_table_t *table, ecs_id_t id);

#endif
