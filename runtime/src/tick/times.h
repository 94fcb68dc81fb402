// SPDX-License-Identifier: MIT
// times: what systems and nodes of a stretch took on all workers; for statistics, meter and trace.
#ifndef RT_TICK_TIMES_H
#define RT_TICK_TIMES_H

#include "tick/work.h"

/** Before nodes run, if the runtime measures systems or takes times. */
void rt__times_begin(rt_work_t *work);
/** After they ran, for `wall_ns`. */
void rt__times_end(rt_work_t *work, const rt_graph_t *graph, int64_t wall_ns);

/** Have the parts of a merge done by the pool, while the runtime takes times. */
void rt__times_share(rt_t *rt, int64_t count, ecs_ext_part_t part, void *ctx);

#endif
