// SPDX-License-Identifier: MIT
// table_events: telling observers of tables as such: that they come and go, become empty or no longer are.
//
// Storage is listened to only while somebody waits for these events.
// Threads: the main thread.
#ifndef ECS_EVENT_TABLE_EVENTS_H
#define ECS_EVENT_TABLE_EVENTS_H

#include "event/events.h"

/** Start or stop listening to tables that come and go. */
void ecs__table_events_hear(ecs__events_t *events, bool hear);
/** The same for tables that become empty, or no longer are. */
void ecs__table_events_hear_counts(ecs__events_t *events, bool hear);
/** Tell of the tables that were noted since. */
void ecs__table_events_tell_counts(ecs_world_t *world);

#endif
