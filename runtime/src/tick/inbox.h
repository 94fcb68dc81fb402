// SPDX-License-Identifier: MIT
// inbox: work that other threads hand to the world, done at the start of a tick.
//
// Any thread pushes onto a lock-free stack; the thread of the world takes all of it at once. What one
// thread submitted comes in its order, and threads come in the order in which they submitted for the
// first time, so that when things arrive only decides in which tick they are done.
// Pairing: the push in ecs_submit publishes an item, the batch pop in rt__inbox_run acquires it.
#ifndef RT_TICK_INBOX_H
#define RT_TICK_INBOX_H

#include "runtime.h"

rt_inbox_t *rt__inbox_new(void);
/** Releases what was never done. No thread submits any more. */
void rt__inbox_free(rt_inbox_t *inbox);
/** Do all that was submitted so far. Main thread, world not readonly. */
void rt__inbox_run(rt_inbox_t *inbox, ecs_world_t *world);

#endif
