// SPDX-License-Identifier: MIT
#include "schedule/graph.h"

static bool can_split(const rt_system_t *system) {
    return system->pub.multi_threaded && !system->pub.group_id_set && system->has_this &&
           system->matches.total >= 0 && !rt__conflicts_with_itself(system);
}

// A group holds something for each of its quanta and systems, so it does not grow with the square of all systems.
#define GROUP_MAX 64

// One behind the last of those that the system has to follow in the group; 0 if it cannot join. Shared quanta follow the numbers of
// tables, so each query has to list its tables in that order.
static int32_t find_level(const rt_group_t *group, const int32_t *levels, rt_system_t **systems,
    const rt_system_t *system) {
    if (!group->split || group->count == GROUP_MAX || !system->matches.sorted) return 0;
    int32_t level = 1;
    for (int32_t i = group->count - 1; i >= 0; i--) { /* mostly the nearest is the highest */
        const rt_system_t *member = systems[group->first + i];
        if (!member->matches.sorted) return 0;
        bool are_rows = member->matches.stays_in_rows && system->matches.stays_in_rows;
        if (are_rows && levels[i] < level) continue; /* a conflict would say nothing new */
        rt_conflict_kind_t kind = rt__conflict(member, system).kind;
        if (kind == RT_CONFLICT_FULL) return 0;
        if (kind == RT_CONFLICT_ROWS) level = ECS_MAX(level, levels[i] + 1);
    }
    return level;
}

void rt__graph_group(rt_graph_t *graph, rt_system_t **systems, int32_t count) {
    int32_t levels[GROUP_MAX]; /* of the last group */
    graph->group_count = 0;
    for (int32_t i = 0; i < count; i++) {
        bool split = can_split(systems[i]);
        rt_group_t *last = graph->group_count ? &graph->groups[graph->group_count - 1] : NULL;
        int32_t level = last && split ? find_level(last, levels, systems, systems[i]) : 0;
        if (!level) {
            RT_ROOM(graph->groups, graph->group_count, graph->group_size);
            last = &graph->groups[graph->group_count++];
            *last = (rt_group_t){ .first = i, .split = split };
            level = 1;
        }
        levels[last->count++] = level;
        last->depth = ECS_MAX(last->depth, level);
    }
}

// Others than before, place by place, are noted.
static void add_node(rt_graph_t *graph, rt_node_t node, int32_t before, bool *changed) {
    RT_ROOM(graph->nodes, graph->node_count, graph->node_size);
    rt_node_t *place = &graph->nodes[graph->node_count++];
    *changed |= graph->node_count > before || place->group != node.group ||
                place->first != node.first || place->count != node.count;
    *place = node;
}

static void add_edge(rt_graph_t *graph, const rt_edge_t *edge, int32_t before, bool *changed) {
    RT_ROOM(graph->edges, graph->edge_count, graph->edge_size);
    rt_edge_t *place = &graph->edges[graph->edge_count++];
    *changed |= graph->edge_count > before || place->from != edge->from || place->to != edge->to;
    *place = *edge;
}

static bool make_nodes(rt_graph_t *graph) {
    const int32_t before = graph->node_count;
    bool changed = false;
    graph->node_count = 0;
    for (int32_t g = 0; g < graph->group_count; g++) {
        const rt_group_t *group = &graph->groups[g];
        int32_t step = group->fused ? group->count : 1;
        for (int32_t i = 0; i < group->count; i += step)
            add_node(graph, (rt_node_t){ g, group->first + i, step }, before, &changed);
    }
    return changed || graph->node_count != before;
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

// Takes them from the front of zeroed memory.
static rt_rows_t make_rows(uint64_t **memory, int32_t count, int32_t words) {
    rt_rows_t rows = { *memory, words };
    *memory += count * words;
    return rows;
}

static uint64_t *row_of(const rt_rows_t *rows, int32_t row) {
    return &rows->bits[row * rows->words];
}

static void put(uint64_t *row, int32_t node) { row[node / 64] |= 1ull << (node % 64); }

static void unite(uint64_t *row, const uint64_t *more, int32_t words) {
    for (int32_t w = 0; w < words; w++) row[w] |= more[w];
}

// Who accesses what: a row of nodes per id (several may share one), one of those that access any id, and one of all.
typedef struct rt_users_t {
    rt_rows_t rows;
    int32_t by_id; /* rows, a power of two */
} rt_users_t;

// More rows for more nodes, so that few of those that share one have nothing to do with each other.
static int32_t rows_by_id(int32_t node_count) {
    int32_t by_id = 64;
    while (by_id < node_count && by_id < 4096) by_id *= 2;
    return by_id;
}

static uint64_t *users_of_any(const rt_users_t *users) {
    return row_of(&users->rows, users->by_id);
}

static uint64_t *all_users(const rt_users_t *users) {
    return row_of(&users->rows, users->by_id + 1);
}

static uint64_t *users_of(const rt_users_t *users, ecs_id_t id) {
    uint64_t hash = (id * 0x9E3779B97F4A7C15ull) >> 32;
    return row_of(&users->rows, (int32_t)(hash & (uint64_t)(users->by_id - 1)));
}

// What is known of the nodes so far.
typedef struct rt_known_t {
    rt_rows_t before; /* per node: those that come before it by way of edges */
    rt_users_t readers, writers;
    uint64_t *near; /* those that may conflict with the node at hand */
} rt_known_t;

static rt_known_t begin_known(rt_graph_t *graph) {
    const int32_t count = graph->node_count, words = count / 64 + 1, by_id = rows_by_id(count);
    const int32_t size = (count + 1 + 2 * (by_id + 2)) * words;
    if (size > graph->memory_size) {
        ecs_os_free(graph->memory);
        graph->memory = ecs_os_malloc_n(uint64_t, size);
        graph->memory_size = size;
    }
    uint64_t *memory = graph->memory;
    ecs_os_memset_n(memory, 0, uint64_t, size);
    return (rt_known_t){ .near = make_rows(&memory, 1, words).bits,
        .before = make_rows(&memory, count, words),
        .readers = { make_rows(&memory, by_id + 2, words), by_id },
        .writers = { make_rows(&memory, by_id + 2, words), by_id } };
}

static void add_near(
    const rt_known_t *known, const rt_users_t *users, const rt_access_item_t *item) {
    const int32_t words = known->before.words;
    if (rt__item_is_wide(item)) {
        unite(known->near, all_users(users), words);
    } else {
        unite(known->near, users_of(users, item->id), words);
        unite(known->near, users_of_any(users), words);
    }
}

static void find_near(const rt_known_t *known, const rt_system_t *system) {
    for (int32_t i = 0; i < system->access.count; i++) {
        const rt_access_item_t *item = &system->access.items[i];
        add_near(known, &known->writers, item);
        if (item->write) add_near(known, &known->readers, item);
    }
}

static void note_item(const rt_users_t *users, const rt_access_item_t *item, int32_t node) {
    put(rt__item_is_wide(item) ? users_of_any(users) : users_of(users, item->id), node);
    put(all_users(users), node);
}

static void note(const rt_known_t *known, const rt_system_t *system, int32_t node) {
    for (int32_t i = 0; i < system->access.count; i++) {
        const rt_access_item_t *item = &system->access.items[i];
        note_item(&known->readers, item, node);
        if (item->write) note_item(&known->writers, item, node);
    }
}

// From the nearest backwards: what comes before a predecessor needs no edge of its own.
static void connect(rt_graph_t *graph, rt_system_t **systems, const rt_known_t *known, int32_t to,
    int32_t edges_before, bool *changed) {
    uint64_t *before = row_of(&known->before, to), left;
    for (int32_t w = to / 64; w >= 0; w--) {
        while ((left = known->near[w] & ~before[w])) {
            int32_t bit = 63 - __builtin_clzll(left), from = w * 64 + bit;
            known->near[w] &= ~(1ull << bit);
            rt_edge_t edge = { .from = from, .to = to };
            if (!find_conflict(systems, &graph->nodes[from], &graph->nodes[to], &edge)) continue;
            add_edge(graph, &edge, edges_before, changed);
            unite(before, row_of(&known->before, from), known->before.words);
            put(before, from);
        }
    }
}

bool rt__graph_connect(rt_graph_t *graph, rt_system_t **systems) {
    const int32_t edges_before = graph->edge_count;
    bool changed = make_nodes(graph);
    graph->edge_count = 0;
    const rt_known_t known = begin_known(graph);
    for (int32_t to = 0; to < graph->node_count; to++) {
        const rt_node_t *node = &graph->nodes[to];
        ecs_os_memset_n(known.near, 0, uint64_t, known.before.words);
        for (int32_t i = 0; i < node->count; i++) find_near(&known, systems[node->first + i]);
        connect(graph, systems, &known, to, edges_before, &changed);
        for (int32_t i = 0; i < node->count; i++) note(&known, systems[node->first + i], to);
    }
    return changed || graph->edge_count != edges_before;
}

void rt__graph_fini(rt_graph_t *graph) {
    ecs_os_free(graph->groups);
    ecs_os_free(graph->nodes);
    ecs_os_free(graph->edges);
    ecs_os_free(graph->memory);
    *graph = (rt_graph_t){ 0 };
}
