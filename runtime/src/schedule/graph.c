// SPDX-License-Identifier: MIT
#include "schedule/graph.h"

static bool can_split(const rt_system_t *system) {
    return system->pub.multi_threaded && !system->pub.group_id_set && system->has_this &&
           system->matches.total >= 0 && !rt__conflicts_with_itself(system);
}

// A group holds something for each of its quanta and systems, so it does not grow with the square of all systems.
#define GROUP_MAX 64

// Shared quanta follow the numbers of tables, so each query has to list its tables in that
// order.
static bool joins(const rt_group_t *group, rt_system_t **systems, const rt_system_t *system) {
    if (!group->split || group->count == GROUP_MAX || !system->matches.sorted) return false;
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

// Sets of nodes: rows of bits.
typedef struct rt_rows_t {
    uint64_t *bits;
    int32_t words;
} rt_rows_t;

static rt_rows_t make_rows(int32_t count, int32_t node_count) {
    int32_t words = node_count / 64 + 1;
    return (rt_rows_t){ ecs_os_calloc_n(uint64_t, (count + 1) * words), words };
}

static uint64_t *row_of(const rt_rows_t *rows, int32_t row) {
    return &rows->bits[row * rows->words];
}

static void put(const rt_rows_t *rows, int32_t row, int32_t node) {
    row_of(rows, row)[node / 64] |= 1ull << (node % 64);
}

static void unite(uint64_t *row, const uint64_t *more, int32_t words) {
    for (int32_t w = 0; w < words; w++) row[w] |= more[w];
}

// What is known of the nodes so far.
typedef struct rt_known_t {
    rt_rows_t before;           /* per node: those that come before it by way of edges */
    rt_rows_t readers, writers; /* per bit of access */
    uint64_t *near;             /* those that may conflict with the node at hand */
} rt_known_t;

static void find_near(const rt_known_t *known, const rt_access_t *access) {
    const int32_t words = known->before.words;
    ecs_os_memset(known->near, 0, words * ECS_SIZEOF(uint64_t));
    for (uint64_t left = access->writes; left; left &= left - 1)
        unite(known->near, row_of(&known->readers, __builtin_ctzll(left)), words);
    for (uint64_t left = access->reads; left; left &= left - 1)
        unite(known->near, row_of(&known->writers, __builtin_ctzll(left)), words);
}

static void note(const rt_known_t *known, const rt_access_t *access, int32_t node) {
    for (uint64_t left = access->writes; left; left &= left - 1)
        put(&known->writers, __builtin_ctzll(left), node);
    for (uint64_t left = access->reads; left; left &= left - 1)
        put(&known->readers, __builtin_ctzll(left), node);
}

static rt_access_t access_of(const rt_node_t *node, rt_system_t **systems) {
    rt_access_t access = { 0 };
    for (int32_t i = node->first; i < node->first + node->count; i++) {
        access.reads |= systems[i]->access.reads;
        access.writes |= systems[i]->access.writes;
    }
    return access;
}

// From the nearest backwards: what comes before a predecessor needs no edge of its own.
static void connect(rt_graph_t *graph, rt_system_t **systems, const rt_known_t *known, int32_t to) {
    uint64_t *before = row_of(&known->before, to), left;
    for (int32_t w = to / 64; w >= 0; w--) {
        while ((left = known->near[w] & ~before[w])) {
            int32_t bit = 63 - __builtin_clzll(left), from = w * 64 + bit;
            known->near[w] &= ~(1ull << bit);
            rt_edge_t edge = { .from = from, .to = to };
            if (!find_conflict(systems, &graph->nodes[from], &graph->nodes[to], &edge)) continue;
            RT_ROOM(graph->edges, graph->edge_count, graph->edge_size);
            graph->edges[graph->edge_count++] = edge;
            unite(before, row_of(&known->before, from), known->before.words);
            put(&known->before, to, from);
        }
    }
}

void rt__graph_connect(rt_graph_t *graph, rt_system_t **systems) {
    make_nodes(graph);
    graph->edge_count = 0;
    const int32_t count = graph->node_count;
    rt_known_t known = { make_rows(count, count), make_rows(64, count), make_rows(64, count),
        NULL };
    known.near = row_of(&known.before, count);
    for (int32_t to = 0; to < count; to++) {
        rt_access_t access = access_of(&graph->nodes[to], systems);
        find_near(&known, &access);
        connect(graph, systems, &known, to);
        note(&known, &access, to);
    }
    ecs_os_free(known.before.bits);
    ecs_os_free(known.readers.bits);
    ecs_os_free(known.writers.bits);
}

void rt__graph_fini(rt_graph_t *graph) {
    ecs_os_free(graph->groups);
    ecs_os_free(graph->nodes);
    ecs_os_free(graph->edges);
    *graph = (rt_graph_t){ 0 };
}
