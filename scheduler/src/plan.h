// SPDX-License-Identifier: MIT
// plan: the frozen form of a graph. Made by graph.c, estimated and printed by plan.c, run by run.c.
//
// Nodes lie in serial order: by index, except where edges demand otherwise. That is the order in
// which one worker runs them, and the order in which ready nodes are picked. "Position" counts in
// it, "node" or "id" in the order of creation. All memory but the cells is one block.
#ifndef SCHED_PLAN_H
#define SCHED_PLAN_H

#include "worker.h"

typedef struct sched__node_t {
    sched__range_t range; /* first line: all that a serial run reads */

    /* Constant. */
    _Alignas(SCHED_CACHE_LINE) const char *name; /* NULL: none */
    uint32_t id, flags, in_degree, successor_count;
    const uint32_t *successors; /* positions */

    /* Written by the plan's user between runs, or by who completes the node. */
    double expected_ns; /* as of the last estimate */
    double start_ns;    /* earliest, as of the last estimate */
    double last_ns;     /* as last measured; negative: never */
    uint32_t lanes;     /* among how many workers to divide it, as of the last estimate */
    bool is_cheap;
    bool stays;    /* all before it runs on the caller, as of the last estimate */
    uint32_t next; /* in the list of nodes some worker is about to run inline */

    /* Shared. */
    uint32_t pending; /* predecessors not complete; starts each run at in_degree */
} sched__node_t;

struct sched_plan_t {
    /* Constant. */
    sched__host_t host;
    void *raw;
    uint32_t count, edge_count, root_count, sink_count, words;
    sched__node_t *nodes;      /* by position */
    const uint32_t *positions; /* by id */
    const uint32_t *roots;     /* positions of nodes without predecessors */

    /* The pool it ran on last; links in pool->plans, guarded by pool->plans_lock. */
    sched_pool_t *pool;
    sched_plan_t *prev, *next;
    void *raw_cells;
    uint32_t lanes; /* cells per node that can be split; 0: none yet */

    /* Written by the thread that runs the plan, while it does not run. */
    double total_ns, saving_ns; /* expected for one worker; how much less it could be for all */
    uint32_t estimated_for;     /* workers */
    uint32_t runs_to_sample, sample_interval;
    bool is_running, offers_all, samples;
    sched_range_fn serial; /* what runs all nodes at once on one worker, or NULL */
    void *serial_ctx;

    /* Shared. */
    _Alignas(SCHED_CACHE_LINE) uint32_t cancelled;
    uint32_t is_stale;    /* estimates are out of date */
    uint32_t slot, owner; /* of the run in progress */
    _Alignas(SCHED_CACHE_LINE) uint32_t sinks_left;
    uint64_t *ready;        /* bit per position: announced and not exhausted */
    uint64_t *caller_ready; /* the same for nodes that wait for the owner */
};

/* Does the node call anything? */
static inline bool sched__node_has_work(const sched__node_t *node) {
    return node->range.fn && node->range.count > 0;
}

/* Can the node be split among workers? */
static inline bool sched__node_can_split(const sched__node_t *node) {
    return !(node->flags & (SCHED_NODE_CALLER | SCHED_NODE_WHOLE));
}

/* A measurement of a node: keep it, and mark the estimates stale if it is a surprise. */
void sched__node_learn(sched_plan_t *plan, sched__node_t *node, double ns);

/* The same for a run on one worker: that takes too long if anything, so less holds at once. */
void sched__node_learn_alone(sched_plan_t *plan, sched__node_t *node, double ns);

/* Bring estimates up to date for `workers` workers. O(nodes + edges) if anything changed, else
 * O(1). */
void sched__plan_estimate(sched_plan_t *plan, uint32_t workers, double inline_ns);

/* Prepare a plan to run on `pool`. Returns false if memory for that is short. */
bool sched__plan_attach(sched_plan_t *plan, sched_pool_t *pool);

/* Forget all plans that ran on a pool that is about to go. */
void sched__plans_detach(sched_pool_t *pool);

/* Help with the plan that runs in a slot, if it still does; for idle workers. See run.c. */
bool sched__help_plan(sched__worker_t *worker, uint32_t slot);

#endif
