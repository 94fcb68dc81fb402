// SPDX-License-Identifier: MIT
// inbox: what other threads hand to the world, done at the start of a tick: functions, events as data, and what follows from jobs in the
// background.
//
// Any thread pushes onto a lock-free stack; the thread of the world takes all of it at once. What one
// thread submitted comes in its order, and threads come in the order in which they submitted for the
// first time, so that when things arrive only decides in which tick they are done. What systems submit on workers is kept with what
// they want done after the frame, in the order that one worker would have given, and submitted then by the thread of the world.
// All of a tick is written down by a recording, if there is one, before any of it is done. While a log is
// replayed, its events take the place of those that are submitted meanwhile.
// Pairing: the push in rt__inbox_put publishes an item, the batch pop in take acquires it.
#ifndef RT_TICK_INBOX_H
#define RT_TICK_INBOX_H

#include "runtime.h"

typedef struct rt_item_t rt_item_t;

rt_inbox_t *rt__inbox_new(void);
/** Releases what was never done. No thread submits any more. */
void rt__inbox_free(rt_inbox_t *inbox);
/** Submit what waits for the end of a frame that will not come: it is released with the rest. Main thread, workers idle. */
void rt__inbox_take_late(rt_t *rt);
/** Do all that was submitted so far. Main thread, world not readonly. */
void rt__inbox_run(rt_t *rt);

/** Submit an event, of the user with this world or stage, or of the log that is replayed. Copies ids and the `size` bytes of the param. -1, with a sentence, if
 * there is no memory. Any thread. */
int rt__inbox_put_event(
    const ecs_world_t *stage, const ecs_event_desc_t *event, size_t size, bool from_log);
/** What tells, once it is put, that the work of a job in the background is over, or that a log says so. NULL if there is no memory. Main thread. */
rt_item_t *rt__inbox_new_job(rt_inbox_t *inbox, int64_t number, bool from_log);
/** Any thread. */
void rt__inbox_put(rt_inbox_t *inbox, rt_item_t *item);
/** Release one that was not put, or is done. Main thread. */
void rt__inbox_drop(rt_inbox_t *inbox, rt_item_t *item);
/** The type of an event's params; NULL, with a sentence, if it has none or they are not plain bytes. Main thread. */
const ecs_type_info_t *rt__event_type(const ecs_world_t *world, ecs_entity_t event);

#endif
