// SPDX-License-Identifier: MIT
// emission: one event on its way to observers: who waits for it, and who was told already.
//
// Which events there are, and what they are about, is for emit.c, below.c and above.c to know.
// Threads: the main thread.
#ifndef ECS_EVENT_EMISSION_H
#define ECS_EVENT_EMISSION_H

#include "event/notice.h"

typedef struct ecs__emission_t {
    ecs__events_t *events;
    const ecs__event_t *waiting[2]; /* for this event, for any event; NULL: nobody */
    ecs__notice_t notice;           /* id and source differ from call to call */
    const ecs_id_t *ids;            /* what happened to the rows */
    int32_t id_count;
    uint64_t number;        /* among all events */
    ecs_entity_t asked_rel; /* along which it was asked whether others are below the rows, */
    bool has_below;         /* and the answer */
    ecs__heard_t heard;
    ecs__told_t inline_told[ECS__HEARD_FEW]; /* what the list begins with */
} ecs__emission_t;

void ecs__emission_init(ecs__emission_t *emission, ecs_world_t *caller, ecs_entity_t event,
    ecs_table_t *table, const ecs_table_t *other, int32_t row, int32_t count);
/** Begin to tell. False, and logs, if too many events are emitted inside each other; else leave() ends it. */
bool ecs__emission_enter(ecs__emission_t *emission);
void ecs__emission_leave(ecs__emission_t *emission);
/** True if the event is about one row, of which an observer heard already, and hears no more. */
bool ecs__emission_is_told(ecs__emission_t *emission, const ecs__observer_t *observer);
/** The first term of an observer that asks for one of the doomed, without which its query cannot hold; -1: none. */
int32_t ecs__emission_doomed_term(const ecs__observer_t *observer, const ecs_map_t *doomed);
/** Tell all who wait for an id, or for its absence, of the rows. */
void ecs__emission_tell_id(ecs__emission_t *emission, ecs_id_t id);
/** Tell one term of one observer, if it has not been told of these rows. */
void ecs__emission_tell(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice);

#endif
