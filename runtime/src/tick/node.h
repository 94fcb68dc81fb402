// SPDX-License-Identifier: MIT
// node: runs the systems of a node of the plan on its quanta, each into the slot of its own.
#ifndef RT_TICK_NODE_H
#define RT_TICK_NODE_H

#include <stdint.h>

/** Quanta `begin` to `end` of the rt_job_t `job`. Threads: any worker. */
void rt__node_run(void *job, int64_t begin, int64_t end, int32_t worker);
/** Jobs `begin` to `end` of the rt_work_t `work`, in the order of systems, on one worker. */
void rt__nodes_run(void *work, int64_t begin, int64_t end, int32_t worker);

#endif
