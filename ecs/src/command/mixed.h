// SPDX-License-Identifier: MIT
// mixed: queues of which each entity changes in one of a few ways, applied without looking at their commands one after the other.
//
// Systems decide row by row: most are left alone, some get a tag, some end, some make others. Where that is all that a merge brings, and
// concerns nobody else, what is said of each entity (its chain of commands) is one of few ways to change. As in whole.h no entity may be in
// two places, which is so if the rows of each table rise from the first queue to the last. Then
//
//   scan      each queue by itself: the way of each chain, and the row of its entity. Ways are found by the main thread, in order;
//   sort      each queue by itself: chains go to those of their way; who leaves a table, or comes to it, to those who pass there;
//   change    way after way, by parts (change.h): values that stay are written, then rows are copied to the ends of other tables;
//   leave     table after table, by parts: other rows take the places of those that left, as if all had passed one after the other.
//
// The result is that of one command after the other, on any number of threads. Threads: main thread, world writable.
#ifndef ECS_COMMAND_MIXED_H
#define ECS_COMMAND_MIXED_H

#include "command/queue.h"
#include "command/tries.h"

/** More ways than these are no few. */
#define ECS__MIXED_WAYS 16

typedef struct ecs__mixed_queue_t ecs__mixed_queue_t;

/** Scratch memory; per chain of commands, in order, but for the last two. */
typedef struct ecs__mixed_t {
    ecs__cmd_t **heads;
    int32_t *rows;
    uint8_t *ways;
    int32_t *passing; /* rows that leave, and ECS__BULK_COMES, table by table: */
    int32_t *fillers; /* two per chain, and three for each of these, see storage/table_bulk.h */
    int32_t size;
    ecs__mixed_queue_t *queues;
    int32_t queues_size;
    int64_t total; /* flushes that were mixed so far */
} ecs__mixed_t;

void ecs__mixed_fini(ecs__mixed_t *mixed);
/** Apply all commands of the queues, if they are all of this kind; else nothing, and false. They are not linked. `looked` is how many
 * chains were looked at. */
bool ecs__flush_mixed(ecs_world_t *world, const ecs__cmd_queue_t *queues, int32_t count,
    int64_t commands, int32_t *looked);
/** The same with the commands of a stage, if some of them show that they are no run (run.h). */
bool ecs__flush_varied(ecs_world_t *world, ecs__tries_t *tries, const ecs__cmd_queue_t *queue);

#endif
