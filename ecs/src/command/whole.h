// SPDX-License-Identifier: MIT
// whole: queues that are runs (run.h) from end to end, applied without looking at their commands one after the other.
//
// Most that a multithreaded system records says the same in every slot: new entities with their values, or what becomes of rows that it was
// shown. Where all of a merge is of this kind, and no entity can be in two places, its commands need no links, each slot is collected by
// itself, and large changes (change.h) are done by parts; both by many threads. No entity is in two places
//
//   if it is new: whoever has its id made it, in this slot, and all that is said of it there comes at once;
//   if it is in a row: rows rise from slot to slot, and the next group of slots is about another table.
//
// The result is that of one command after the other, on any number of threads. Threads: main thread, world writable.
#ifndef ECS_COMMAND_WHOLE_H
#define ECS_COMMAND_WHOLE_H

#include "command/queue.h"
#include "command/tries.h"

/** What a queue is part of. */
typedef struct ecs__whole_queue_t {
    int32_t group;        /* queues that say the same of entities of one table */
    int32_t begin, count; /* its entities among all */
} ecs__whole_queue_t;

/** Scratch memory. */
typedef struct ecs__whole_t {
    ecs__whole_queue_t *queues;
    int32_t size;
    int64_t total; /* flushes that were whole so far */
} ecs__whole_t;

void ecs__whole_fini(ecs__whole_t *whole);
/** Apply all commands of the queues, if they are all of this kind, or mixed (mixed.h); else nothing, and false. They are not linked. */
bool ecs__flush_whole(
    ecs_world_t *world, ecs__tries_t *tries, const ecs__cmd_queue_t *queues, int32_t count);

#endif
