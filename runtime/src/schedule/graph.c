// SPDX-License-Identifier: MIT
#include "schedule/graph.h"

static bool can_split(const rt_system_t *system) {
    return system->pub.multi_threaded && !system->pub.group_id_set && system->has_this &&
           system->matches.total >= 0 && !rt__conflicts_with_itself(system);
}

// Shared quanta follow the numbers of tables, so each query has to list its tables in that
// order.
static bool joins(const rt_group_t *group, rt_system_t **systems, const rt_system_t *system) {
    if (!group->split || !system->matches.sorted) return false;
    for (int32_t i = 0; i < group->count; i++) {
        const rt_system_t *member = systems[group->first + i];
        if (!member->matches.sorted) return false;
        if (rt__conflict(member, system).kind == RT_CONFLICT_FULL) return false;
    }
    return true;
}

void rt__graph_group(rt_graph_t *graph, rt_system_t **systems, int32_t count) {
    graph->group_count = 0;
    for (int32_t i = 0; i < count; i++) {
        bool split = can_split(systems[i]);
        rt_group_t *last = graph->group_count ? &graph->groups[graph->group_count - 1] : NULL;
        if (last && split && joins(last, systems, systems[i])) {
            last->count++;
            continue;
        }
        RT_ROOM(graph->groups, graph->group_count, graph->group_size);
        graph->groups[graph->group_count++] =
            (rt_group_t){ .first = i, .count = 1, .split = split };
    }
}

static void add_node(rt_graph_t *graph, int32_t group, int32_t first, int32_t count) {
    RT_ROOM(graph->nodes, graph->node_count, graph->node_size);
    graph->nodes[graph->node_count++] = (rt_node_t){ group, first, count };
}

static void make_nodes(rt_graph_t *graph) {
    graph->node_count = 0;
    for (int32_t g = 0; g < graph->group_count; g++) {
        const rt_group_t *group = &graph->groups[g];
        int32_t step = group->fused ? group->count : 1;
        for (int32_t i = 0; i < group->count; i += step) add_node(graph, g, group->first + i, step);
    }
}

// The strongest conflict of two nodes: it is the reason that is shown.
static bool find_conflict(
    rt_system_t **systems, const rt_node_t *from, const rt_node_t *to, rt_edge_t *edge) {
    edge->conflict.kind = RT_CONFLICT_NONE;
    for (int32_t i = from->first; i < from->first + from->count; i++) {
        for (int32_t k = to->first; k < to->first + to->count; k++) {
            rt_conflict_t conflict = rt__conflict(systems[i], systems[k]);
            if (conflict.kind <= edge->conflict.kind) continue;
            edge->conflict = conflict;
            edge->from_system = i;
            edge->to_system = k;
            if (conflict.kind == RT_CONFLICT_FULL) return true;
        }
    }
    return edge->conflict.kind != RT_CONFLICT_NONE;
}

// Nodes that come before a node by way of edges, as one row of bits per node.
typedef struct rt_before_t {
    uint64_t *bits;
    int32_t words;
} rt_before_t;

static bool comes_before(const rt_before_t *before, int32_t node, int32_t other) {
    return (before->bits[node * before->words + other / 64] >> (other % 64)) & 1;
}

static void add_before(const rt_before_t *before, int32_t node, int32_t other) {
    uint64_t *row = &before->bits[node * before->words];
    const uint64_t *more = &before->bits[other * before->words];
    for (int32_t w = 0; w < before->words; w++) row[w] |= more[w];
    row[other / 64] |= 1ull << (other % 64);
}

void rt__graph_connect(rt_graph_t *graph, rt_system_t **systems) {
    make_nodes(graph);
    graph->edge_count = 0;
    rt_before_t before = { .words = (graph->node_count + 63) / 64 };
    before.bits = ecs_os_calloc_n(uint64_t, ECS_MAX(graph->node_count * before.words, 1));
    for (int32_t to = 1; to < graph->node_count; to++) {
        /* From the nearest backwards: what comes before a predecessor needs no edge of its own. */
        for (int32_t from = to - 1; from >= 0; from--) {
            if (comes_before(&before, to, from)) continue;
            rt_edge_t edge = { .from = from, .to = to };
            if (!find_conflict(systems, &graph->nodes[from], &graph->nodes[to], &edge)) continue;
            RT_ROOM(graph->edges, graph->edge_count, graph->edge_size);
            graph->edges[graph->edge_count++] = edge;
            add_before(&before, to, from);
        }
    }
    ecs_os_free(before.bits);
}

void rt__graph_fini(rt_graph_t *graph) {
    ecs_os_free(graph->groups);
    ecs_os_free(graph->nodes);
    ecs_os_free(graph->edges);
    *graph = (rt_graph_t){ 0 };
}
