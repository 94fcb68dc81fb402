// SPDX-License-Identifier: MIT
// execute: runs stretches of a schedule and merges behind each.
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

#include "pipeline/pipeline.h"

/** Run the stretches of a pipeline from `first` on, to the end of its part or until the systems may have changed; returns how many are
 * done then. */
int32_t rt__stretches_run(rt_pipeline_t *pipeline, int32_t first);

#endif
