// SPDX-License-Identifier: MIT
// graph: building graphs, checking them, freezing them to plans.
//
// A graph is a list of nodes and a list of edges in the order they were added. Freezing sorts the
// nodes topologically, always taking the lowest index that is possible, lays out one block of
// memory and fills it. The graph itself is not changed.
#include "plan.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge_t {
    uint32_t from, to;
} edge_t;

struct sched_graph_t {
    sched__host_t host;
    sched_node_desc_t *nodes; /* names are copies */
    edge_t *edges;
    uint32_t node_count, node_capacity, edge_count, edge_capacity;
    char error[1024];
};

sched_graph_t *sched_graph_create(const sched_pool_desc_t *desc) {
    sched__host_t host = sched__host_of(desc);
    sched_graph_t *graph = sched__host_calloc(&host, 1, sizeof *graph);
    if (graph) graph->host = host;
    return graph;
}

void sched_graph_destroy(sched_graph_t *graph) {
    if (!graph) return;
    sched__host_t host = graph->host;
    for (uint32_t i = 0; i < graph->node_count; i++) {
        sched__host_free(&host, (void *)(uintptr_t)graph->nodes[i].name);
    }
    sched__host_free(&host, graph->nodes);
    sched__host_free(&host, graph->edges);
    sched__host_free(&host, graph);
}

// Makes room for one more element; doubles when full.
static bool grow(
    const sched__host_t *host, void **array, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) return true;
    if (count > INT32_MAX / 2) return false;
    uint32_t larger = count ? count * 2 : 16;
    void *grown = sched__host_calloc(host, larger, size);
    if (!grown) return false;
    if (count) memcpy(grown, *array, count * size);
    sched__host_free(host, *array);
    *array = grown;
    *capacity = larger;
    return true;
}

static char *copy_name(const sched__host_t *host, const char *name) {
    size_t size = strlen(name) + 1;
    char *copy = sched__host_calloc(host, 1, size);
    return copy ? memcpy(copy, name, size) : NULL;
}

int32_t sched_graph_node(sched_graph_t *graph, const sched_node_desc_t *desc) {
    void *nodes = graph->nodes;
    bool has_room =
        grow(&graph->host, &nodes, graph->node_count, &graph->node_capacity, sizeof *graph->nodes);
    graph->nodes = nodes;
    if (!has_room) return -1;
    sched_node_desc_t *node = &graph->nodes[graph->node_count];
    *node = *desc;
    if (desc->name && !(node->name = copy_name(&graph->host, desc->name))) return -1;
    if (!node->count) node->count = 1;
    return (int32_t)graph->node_count++;
}

int sched_graph_edge(sched_graph_t *graph, int32_t from, int32_t to) {
    int64_t count = graph->node_count;
    if (from < 0 || to < 0 || from >= count || to >= count) {
        sched__host_log(&graph->host, "edge %d -> %d: the graph has nodes 0 to %lld", from, to,
            (long long)count - 1);
        return -1;
    }
    void *edges = graph->edges;
    bool has_room =
        grow(&graph->host, &edges, graph->edge_count, &graph->edge_capacity, sizeof *graph->edges);
    graph->edges = edges;
    if (!has_room) return -1;
    graph->edges[graph->edge_count++] = (edge_t){ (uint32_t)from, (uint32_t)to };
    return 0;
}

// ---- freezing ----

// Scratch memory of one freeze, and what it finds out.
typedef struct sorting_t {
    edge_t *edges;       /* by (from, to), without doubles */
    uint32_t *first;     /* id → its first edge; one more entry at the end */
    uint32_t *in_degree; /* id → predecessors not yet placed */
    uint32_t *order;     /* position → id */
    uint32_t *positions; /* id → position */
    uint64_t *possible;  /* ids without unplaced predecessors */
    uint32_t edge_count, placed;
} sorting_t;

static int compare_edges(const void *a, const void *b) {
    const edge_t *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void free_sorting(const sched_graph_t *graph, sorting_t *sorting) {
    sched__host_free(&graph->host, sorting->edges);
    sched__host_free(&graph->host, sorting->first);
    sched__host_free(&graph->host, sorting->in_degree);
    sched__host_free(&graph->host, sorting->order);
    sched__host_free(&graph->host, sorting->positions);
    sched__host_free(&graph->host, sorting->possible);
}

static bool allocate_sorting(const sched_graph_t *graph, sorting_t *sorting) {
    const sched__host_t *host = &graph->host;
    size_t count = graph->node_count;
    *sorting = (sorting_t){ 0 };
    sorting->edges = sched__host_calloc(host, graph->edge_count, sizeof(edge_t));
    sorting->first = sched__host_calloc(host, count + 1, sizeof(uint32_t));
    sorting->in_degree = sched__host_calloc(host, count, sizeof(uint32_t));
    sorting->order = sched__host_calloc(host, count, sizeof(uint32_t));
    sorting->positions = sched__host_calloc(host, count, sizeof(uint32_t));
    sorting->possible = sched__host_calloc(host, count / 64 + 1, sizeof(uint64_t));
    return sorting->edges && sorting->first && sorting->in_degree && sorting->order &&
           sorting->positions && sorting->possible;
}

static void collect_edges(const sched_graph_t *graph, sorting_t *sorting) {
    if (graph->edge_count) memcpy(sorting->edges, graph->edges, graph->edge_count * sizeof(edge_t));
    qsort(sorting->edges, graph->edge_count, sizeof(edge_t), compare_edges);
    for (uint32_t i = 0; i < graph->edge_count; i++) {
        edge_t edge = sorting->edges[i];
        if (i && !compare_edges(&edge, &sorting->edges[sorting->edge_count - 1])) continue;
        sorting->edges[sorting->edge_count++] = edge;
        sorting->first[edge.from + 1]++;
        sorting->in_degree[edge.to]++;
    }
    for (uint32_t i = 0; i < graph->node_count; i++) sorting->first[i + 1] += sorting->first[i];
}

static void place_nodes(const sched_graph_t *graph, sorting_t *sorting) {
    uint32_t words = graph->node_count / 64 + 1, word = 0;
    for (uint32_t id = 0; id < graph->node_count; id++) {
        if (!sorting->in_degree[id]) sorting->possible[id / 64] |= UINT64_C(1) << id % 64;
    }
    while (word < words) {
        if (!sorting->possible[word]) {
            word++;
            continue;
        }
        uint32_t id = word * 64 + sched__first_bit(sorting->possible[word]);
        sorting->possible[word] &= sorting->possible[word] - 1;
        sorting->positions[id] = sorting->placed;
        sorting->order[sorting->placed++] = id;
        for (uint32_t i = sorting->first[id]; i < sorting->first[id + 1]; i++) {
            uint32_t to = sorting->edges[i].to;
            if (--sorting->in_degree[to]) continue;
            sorting->possible[to / 64] |= UINT64_C(1) << to % 64;
            if (to / 64 < word) word = to / 64;
        }
    }
}

static uint32_t unplaced_predecessor(const sorting_t *sorting, uint32_t id) {
    for (uint32_t i = 0; i < sorting->edge_count; i++) {
        edge_t edge = sorting->edges[i];
        if (edge.to == id && sorting->in_degree[edge.from]) return edge.from;
    }
    return id; /* not reached: in_degree counts unplaced predecessors */
}

// Every unplaced node has an unplaced predecessor, so walking backwards must come round.
static void spell_cycle(sched_graph_t *graph, const sorting_t *sorting) {
    uint32_t start = 0, length = 0, *seen = sorting->order; /* order is of no use any more */
    while (!sorting->in_degree[start]) start++;
    memset(seen, 0, graph->node_count * sizeof *seen);
    for (; !seen[start]; start = unplaced_predecessor(sorting, start)) seen[start] = 1;

    uint32_t *cycle = sorting->positions, id = start;
    do {
        cycle[length++] = id;
        id = unplaced_predecessor(sorting, id);
    } while (id != start);
    sched__text_t text = { graph->error, sizeof graph->error, 0 };
    sched__text_add(&text, "the graph has a cycle, so none of its nodes can start first: ");
    sched__text_name(&text, graph->nodes[start].name, start);
    while (length--) {
        sched__text_add(&text, " -> ");
        sched__text_name(&text, graph->nodes[cycle[length]].name, cycle[length]);
    }
}

// The block: plan, nodes, successors, positions, roots, two bit sets, names.
static sched_plan_t *allocate_plan(sched_graph_t *graph, const sorting_t *sorting) {
    size_t count = graph->node_count, words = (count + 63) / 64, names = 0;
    for (size_t i = 0; i < count; i++) {
        if (graph->nodes[i].name) names += strlen(graph->nodes[i].name) + 1;
    }
    size_t size = sizeof(sched_plan_t) + count * sizeof(sched__node_t) +
                  2 * words * sizeof(uint64_t) +
                  (sorting->edge_count + 2 * count) * sizeof(uint32_t) + names;
    void *raw;
    sched_plan_t *plan = sched__host_calloc_lines(&graph->host, 1, size, &raw);
    if (!plan) return NULL;
    plan->host = graph->host;
    plan->raw = raw;
    plan->count = (uint32_t)count;
    plan->edge_count = sorting->edge_count;
    plan->words = (uint32_t)words;
    plan->nodes = (sched__node_t *)(plan + 1);
    plan->ready = (uint64_t *)(plan->nodes + count);
    plan->caller_ready = plan->ready + words;
    return plan;
}

static void fill_node(
    sched__node_t *node, const sched_node_desc_t *desc, uint32_t id, char **names) {
    node->id = id;
    node->flags = desc->flags;
    node->last_ns = -1;
    if (desc->name) {
        size_t size = strlen(desc->name) + 1;
        node->name = memcpy(*names, desc->name, size);
        *names += size;
    }
    node->range.fn = desc->fn;
    node->range.ctx = desc->ctx;
    node->range.count = desc->count;
    node->range.grain = sched__node_can_split(node) ? desc->grain : INT64_MAX;
    node->range.item_ns = -1;
}

static void fill_plan(const sched_graph_t *graph, const sorting_t *sorting, sched_plan_t *plan) {
    uint32_t count = plan->count;
    uint32_t *successors = (uint32_t *)(plan->caller_ready + plan->words);
    uint32_t *positions = successors + plan->edge_count, *roots = positions + count;
    char *names = (char *)(roots + count);
    plan->positions = positions;
    plan->roots = roots;
    plan->is_stale = 1;
    if (count) memcpy(positions, sorting->positions, count * sizeof *positions);
    for (uint32_t position = 0; position < count; position++) {
        sched__node_t *node = &plan->nodes[position];
        uint32_t id = sorting->order[position];
        fill_node(node, &graph->nodes[id], id, &names);
        node->successors = successors;
        node->successor_count = sorting->first[id + 1] - sorting->first[id];
        for (uint32_t i = sorting->first[id]; i < sorting->first[id + 1]; i++) {
            *successors = positions[sorting->edges[i].to];
            plan->nodes[*successors++].in_degree++;
        }
        plan->sink_count += !node->successor_count;
    }
    for (uint32_t position = 0; position < count; position++) {
        sched__node_t *node = &plan->nodes[position];
        node->pending = node->in_degree;
        if (!node->in_degree) roots[plan->root_count++] = position;
    }
}

sched_plan_t *sched_graph_freeze(sched_graph_t *graph, const char **error) {
    sorting_t sorting;
    sched_plan_t *plan = NULL;
    strcpy(graph->error, "out of memory");
    if (allocate_sorting(graph, &sorting)) {
        collect_edges(graph, &sorting);
        place_nodes(graph, &sorting);
        if (sorting.placed < graph->node_count) {
            spell_cycle(graph, &sorting);
        } else if ((plan = allocate_plan(graph, &sorting))) {
            fill_plan(graph, &sorting, plan);
        }
    }
    free_sorting(graph, &sorting);
    if (error) {
        *error = plan ? NULL : graph->error;
    } else if (!plan) {
        sched__host_log(&graph->host, "%s", graph->error);
    }
    return plan;
}
