// SPDX-License-Identifier: MIT
// trace: what ticks cost: a trace for viewers, and how much of a tick workers can share.
//
// Threads: the thread that owns the world, between ticks. Nothing is recorded, and nothing paid, unless asked for.
#ifndef MUSTER_RUNTIME_TRACE_H
#define MUSTER_RUNTIME_TRACE_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Write down from now on when which worker ran what: ticks, systems (fused ones together) by quantum, merges with their reason.
 * Costs two readings of the clock per quantum, and 32 bytes. A trace that was begun before is dropped. */
ECS_API void ecs_trace_begin(ecs_world_t *world);

/** End a trace and write it to a file in the JSON format of Chrome's tracing, which https://ui.perfetto.dev and chrome://tracing show.
 *
 * @param path  NULL: drop the trace.
 * @return      0; -1 with a logged sentence if none was begun or the file cannot be written. The trace is gone in any case.
 */
ECS_API int ecs_trace_end(ecs_world_t *world, const char *path);

/** A tick as a graph of pieces of work, in seconds.
 *
 *   tick with P workers = work / P + span * (1 - 1 / P) + burden
 *
 * The first two are what any greedy schedule needs at most; systems that are not split count in both, and so do merges but for what
 * workers share of them. */
typedef struct ecs_work_span_t {
    double work_s; /**< all pieces together: what one worker needs */
    /** The longest chain of pieces that wait for each other: what no number of workers goes below. */
    double span_s;
    /** How much longer ticks took than that: waking workers, waiting for memory, looking at the schedule. */
    double burden_s;
} ecs_work_span_t;

/** The average per run of a pipeline since the last call; zeros if nothing was recorded.
 *
 * Recorded are the first 8 ticks of a world, and the 1024 ticks after each call. Costs one reading of the clock per quantum. */
ECS_API ecs_work_span_t ecs_work_span(ecs_world_t *world);

/** Seconds a tick would take with so many workers, by the model of ecs_work_span_t and what was recorded last. Burden is taken to be
 * what it is with the present number of workers; that processors share caches and memory is not part of the model. 0 if nothing was
 * recorded. [chk] workers > 0 */
ECS_API double ecs_predict_tick(ecs_world_t *world, int32_t workers);

#ifdef __cplusplus
}
#endif

#endif
