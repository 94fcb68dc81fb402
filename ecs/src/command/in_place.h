// SPDX-License-Identifier: MIT
// in_place: values that overwrite values which are there already, applied ahead of all else and by many threads.
//
// Systems mostly record sets of components that entities have. Where nobody is told of them (plain bytes, no hooks, no observers), such
// commands commute with each other and with other commands, unless these concern the same entity or look at other entities. So:
//
//   look    every queue, in parallel: find the place of each value; claim its entity for this queue. Other commands claim theirs
//           for nobody. A command that might look at other entities, or tell somebody, ends the attempt: nothing has changed yet.
//   write   every queue, in parallel: move the values whose entity was claimed by this queue alone
//
// What is left is linked and applied in order (flush.h). The result is that of applying everything in order, on any number of threads.
// Claims are kept where linking keeps the ends of chains. Where entities rise from the first queue to the last, each has one command, and
// nobody claims any.
#ifndef ECS_COMMAND_IN_PLACE_H
#define ECS_COMMAND_IN_PLACE_H

#include "command/flush.h"

/** Apply what can be applied in place; such commands get ECS__CMD_AHEAD. Threads: main thread, world writable, the queues are not
 * linked. */
void ecs__flush_in_place(ecs_world_t *world, ecs__cmd_queue_t *queues, int32_t count);

#endif
