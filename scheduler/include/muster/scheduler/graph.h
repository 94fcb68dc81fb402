// SPDX-License-Identifier: MIT
// graph: jobs with dependencies, built once, frozen to a plan, run many times.
//
//     sched_graph_t *graph = sched_graph_create(NULL);
//     int32_t move = sched_graph_node(graph, &(sched_node_desc_t){ .name = "move", .fn = move_rows,
//                                                                  .ctx = &rows, .count = 10000 });
//     int32_t draw = sched_graph_node(graph, &(sched_node_desc_t){ .name = "draw", .fn = draw_rows,
//                                                                  .flags = SCHED_NODE_CALLER });
//     sched_graph_edge(graph, move, draw); // draw starts when all of move is done
//     sched_plan_t *plan = sched_graph_freeze(graph, NULL);
//     sched_graph_destroy(graph);
//     while (running) sched_plan_run(pool, plan);
//     sched_plan_destroy(plan);
//
// Graphs belong to the thread that builds them. A plan is used by one thread at a time, except for
// sched_plan_cancel. Running a plan allocates nothing, except the first time on a larger pool.
#ifndef MUSTER_SCHEDULER_GRAPH_H
#define MUSTER_SCHEDULER_GRAPH_H

#include <muster/scheduler/pool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sched_graph_t sched_graph_t;
typedef struct sched_plan_t sched_plan_t;

enum {
    /** Runs as a whole, on the thread that calls sched_plan_run. */
    SCHED_NODE_CALLER = 1 << 0,
    /** Runs as a whole, on any worker: fn is called once with the full range. */
    SCHED_NODE_WHOLE = 1 << 1
};

/** A job of a graph. */
typedef struct sched_node_desc_t {
    const char *name;  /* for dumps and error sentences; copied; may be NULL */
    sched_range_fn fn; /* NULL: does nothing, only joins edges */
    void *ctx;         /* given to fn */
    int64_t count;     /* items; 0 counts as 1, a task. See sched_plan_set_range for empty ranges */
    int64_t grain;     /* parts begin at multiples of it; 0 counts as 1 */
    uint32_t flags;    /* SCHED_NODE_* */
} sched_node_desc_t;

/** Start a graph. Of `desc` (may be NULL) only ctx, memory, log and abort callbacks are used. */
SCHED_API sched_graph_t *sched_graph_create(const sched_pool_desc_t *desc);

/** Free a graph. Plans made from it live on. NULL is allowed. */
SCHED_API void sched_graph_destroy(sched_graph_t *graph);

/** Add a node. Returns its index: 0, 1, 2 … in the order of the calls; -1 if memory is short. */
SCHED_API int32_t sched_graph_node(sched_graph_t *graph, const sched_node_desc_t *desc);

/** `to` starts only when all of `from` is done, and sees what it wrote. Edges may repeat.
 *
 * @return  0, or -1 with a logged sentence if an index is wrong or memory is short.
 */
SCHED_API int sched_graph_edge(sched_graph_t *graph, int32_t from, int32_t to);

/** Turn a graph into a plan. The graph stays as it is and can be extended and frozen again.
 *
 * Among nodes without order between them, those with lower index are started first.
 *
 * @param error  Receives NULL, or a sentence that says what is wrong; a cycle is spelled
 *               out ("a -> b -> a"). Owned by the graph, valid until its next call. May be NULL:
 *               then the sentence is logged.
 * @return       NULL on error.
 */
SCHED_API sched_plan_t *sched_graph_freeze(sched_graph_t *graph, const char **error);

/** Free a plan that is not running. NULL is allowed. The pools it ran on may be gone already. */
SCHED_API void sched_plan_destroy(sched_plan_t *plan);

/** Change the range of a node between runs. A count of 0 or less: the node is done at once. */
SCHED_API void sched_plan_set_range(sched_plan_t *plan, int32_t node, int64_t count, int64_t grain);

/** Tell how long a node's items are expected to take, in nanoseconds each.
 *
 * Only a first guess: measured times replace it. A node expected to be cheap runs at once on the
 * worker that finished its last predecessor; a plan in which threads would save little runs on the
 * caller. Without a guess a node with one item counts as cheap, any other as expensive, until it
 * has run.
 */
SCHED_API void sched_plan_set_cost(sched_plan_t *plan, int32_t node, double item_ns);

/** Give the plan a way to run on one thread without a call per node: fn(ctx, 0, number of nodes,
 * worker), which does what all nodes would do, in an order that respects the edges.
 *
 * Used in most runs in which the estimate says that other workers would not help. NULL takes it
 * back. When a range changes, fn must know.
 */
SCHED_API void sched_plan_set_serial(sched_plan_t *plan, sched_range_fn fn, void *ctx);

/** Run every node once, in an order that respects the edges, and return when all are done.
 *
 * @return  0; or -1 if it was cancelled: then some nodes have run only in part or not at all.
 *
 * Threads: worker 0, and workers inside a job (nested), for a plan that is not running already. The
 * calling thread runs the nodes marked SCHED_NODE_CALLER, and helps with this plan only.
 */
SCHED_API int sched_plan_run(sched_pool_t *pool, sched_plan_t *plan);

/** After a run: how often in a row may the same be done without sched_plan_run?
 *
 * More than 0 for plans so small that to ask who runs them shows. Their user may call by himself,
 * as often as this says, what the nodes would call, in an order that respects the edges.
 */
SCHED_API int32_t sched_plan_spare_runs(const sched_pool_t *pool, const sched_plan_t *plan);

/** Stop the run in progress: callbacks that have started finish, no other starts.
 *
 * If the plan is not running, its next run is cancelled. Threads: any, callbacks included.
 */
SCHED_API void sched_plan_cancel(sched_plan_t *plan);

/** Has the run in progress been cancelled? For long callbacks. Threads: any. */
SCHED_API bool sched_plan_is_cancelled(const sched_plan_t *plan);

/** Time a node took when last measured, summed over workers, in nanoseconds; -1 if never.
 *
 * Nodes that are split or offered to other workers are measured in every run, small ones in some.
 */
SCHED_API int64_t sched_plan_node_ns(const sched_plan_t *plan, int32_t node);

/** Number of nodes. */
SCHED_API int32_t sched_plan_node_count(const sched_plan_t *plan);

/** Check all invariants of a plan that is not running. Returns NULL or the first broken one. */
SCHED_API const char *sched_plan_verify(const sched_plan_t *plan);

/** Describe a plan as text: nodes in serial order, costs, successors. Like sched_pool_dump. */
SCHED_API size_t sched_plan_dump(const sched_plan_t *plan, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
