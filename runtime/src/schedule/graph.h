// SPDX-License-Identifier: MIT
// graph: which systems of a stretch for workers wait for which others.
//
// A group is a run of neighbouring systems whose conflicts are all row-wise; they share quanta, and
// may be fused into one node that takes each quantum through all of them. A node is a system or a
// fused group. Edges lead from earlier to later nodes that conflict; those that other edges imply
// are left out.
#ifndef RT_SCHEDULE_GRAPH_H
#define RT_SCHEDULE_GRAPH_H

#include "schedule/conflict.h"

typedef struct rt_group_t {
    int32_t first, count; /* systems of the stretch */
    bool split;           /* cut into quanta; otherwise one system that runs as a whole */
    int32_t depth;        /* most systems of which each has to follow the one before */
    bool fused;           /* wanted: one node for all systems */
    int32_t quanta;       /* as last cut by tick/work */
} rt_group_t;

typedef struct rt_node_t {
    int32_t group;
    int32_t first, count; /* systems of the stretch */
} rt_node_t;

typedef struct rt_edge_t {
    int32_t from, to; /* nodes */
    int32_t from_system, to_system;
    rt_conflict_t conflict;
} rt_edge_t;

typedef struct rt_graph_t {
    rt_group_t *groups;
    int32_t group_count, group_size;
    rt_node_t *nodes;
    int32_t node_count, node_size;
    rt_edge_t *edges;
    int32_t edge_count, edge_size;
    uint64_t *memory; /* while it is connected */
    int32_t memory_size;
} rt_graph_t;

/** Form groups. Depends on terms and matches; none is fused yet. */
void rt__graph_group(rt_graph_t *graph, rt_system_t **systems, int32_t count);
/** Make nodes and edges from the groups and their `fused`; true if they are others than before. Systems that access no id in common cost a
 * bit of each other; O(systems²) at worst. */
bool rt__graph_connect(rt_graph_t *graph, rt_system_t **systems);
void rt__graph_fini(rt_graph_t *graph);

#endif
