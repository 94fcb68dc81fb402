// SPDX-License-Identifier: MIT
// execute: runs one stretch of a schedule and merges behind it.
//
//   main thread   world readonly, systems in order, commands in the queue of stage 0, merge
//   immediate     one system, world writable, its commands deferred
//   workers       world readonly with a slot per (system, quantum); the graph runs on the pool;
//                 slots merge in order
//
// Slots are numbered by system, then by quantum: the same for one worker as for many, fused or not,
// shuffled or not. With one worker nodes simply run in order.
#ifndef RT_TICK_EXECUTE_H
#define RT_TICK_EXECUTE_H

#include "schedule/schedule.h"

/** Run a stretch. `number` is its number in the frame. */
void rt__stretch_run(rt_t *rt, rt_stretch_t *stretch, uint32_t number);

#endif
