// SPDX-License-Identifier: MIT
// plan: a frozen graph between runs: ranges, expected costs, pool, printing, verifying.
//
// The estimate answers one question before each run: is it worth involving other workers? It
// compares the sum of all costs with the longest path through the graph, split nodes counted with
// their share and what sharing costs, and with what stays on the caller: its nodes, and cheap ones
// that nobody else gets to see. Times are expectations; what a plan does never depends on them,
// only where it runs.
#include "plan.h"

#include <sched.h>

// What a node that was never measured counts as, if it has several items: enough to share it.
#define UNKNOWN_NS 1e6

static sched__node_t *node_of(const sched_plan_t *plan, int32_t id) {
    if (id >= 0 && (uint32_t)id < plan->count) return &plan->nodes[plan->positions[id]];
    sched__host_abort(&plan->host, "node %d: the plan has nodes 0 to %d", id, (int)plan->count - 1);
    return NULL;
}

static double expect_ns(const sched__node_t *node) {
    if (!sched__node_has_work(node)) return 0;
    if (node->range.item_ns >= 0) return node->range.item_ns * (double)node->range.count;
    return node->range.count > 1 ? UNKNOWN_NS : 0;
}

// Small changes keep the estimate; a steady state costs nothing.
static void compare_with_estimate(sched_plan_t *plan, const sched__node_t *node) {
    double ns = expect_ns(node), before = node->expected_ns;
    if (ns > before * 1.25 + 50 || ns < before * 0.75 - 50) sched__store_32(&plan->is_stale, 1);
}

static void learn(sched_plan_t *plan, sched__node_t *node, double ns, bool is_exact) {
    double count = (double)node->range.count;
    double expected = node->range.item_ns < 0 ? -1 : node->range.item_ns * count;
    node->last_ns = ns;
    node->range.item_ns = (is_exact && ns < expected ? ns : sched__blend_ns(expected, ns)) / count;
    compare_with_estimate(plan, node);
}

void sched__node_learn(sched_plan_t *plan, sched__node_t *node, double ns) {
    learn(plan, node, ns, false);
}

void sched__node_learn_alone(sched_plan_t *plan, sched__node_t *node, double ns) {
    learn(plan, node, ns, true);
}

static double longest(double a, double b) { return a > b ? a : b; }

// How long the node takes if others help.
static double share_ns(sched__node_t *node, uint32_t workers, double inline_ns) {
    uint32_t units = sched__node_can_split(node) ? sched__range_measure(&node->range) : 1;
    return sched__range_share_ns(units, node->expected_ns, inline_ns, workers, &node->lanes);
}

void sched__plan_estimate(sched_plan_t *plan, uint32_t workers, double inline_ns) {
    if (!sched__load_32(&plan->is_stale) && plan->estimated_for == workers) return;
    sched__store_32(&plan->is_stale, 0);
    plan->estimated_for = workers;
    double total = 0, caller = 0, path = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->nodes[i].start_ns = 0;
        plan->nodes[i].stays = true;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        sched__node_t *node = &plan->nodes[i];
        double ns = node->expected_ns = expect_ns(node);
        node->is_cheap = ns < inline_ns;
        node->stays = node->flags & SCHED_NODE_CALLER || (node->is_cheap && node->stays);
        total += ns;
        if (node->stays) caller += ns;
        double end_ns = node->start_ns + share_ns(node, workers, inline_ns);
        path = longest(path, end_ns);
        for (uint32_t k = 0; k < node->successor_count; k++) {
            sched__node_t *next = &plan->nodes[node->successors[k]];
            next->start_ns = longest(next->start_ns, end_ns);
            next->stays = next->stays && node->stays;
        }
    }
    plan->total_ns = total;
    plan->saving_ns = total - longest(longest(path, caller), total / workers);
}

void sched_plan_set_range(sched_plan_t *plan, int32_t id, int64_t count, int64_t grain) {
    sched__node_t *node = node_of(plan, id);
    if (!node) return;
    node->range.count = count;
    if (sched__node_can_split(node)) node->range.grain = grain;
    compare_with_estimate(plan, node);
}

void sched_plan_set_cost(sched_plan_t *plan, int32_t id, double item_ns) {
    sched__node_t *node = node_of(plan, id);
    if (!node) return;
    node->range.item_ns = item_ns < 0 ? -1 : item_ns;
    compare_with_estimate(plan, node);
}

void sched_plan_set_serial(sched_plan_t *plan, sched_range_fn fn, void *ctx) {
    plan->serial = fn;
    plan->serial_ctx = ctx;
}

int64_t sched_plan_node_ns(const sched_plan_t *plan, int32_t id) {
    const sched__node_t *node = node_of(plan, id);
    return !node || node->last_ns < 0 ? -1 : (int64_t)node->last_ns;
}

int32_t sched_plan_node_count(const sched_plan_t *plan) { return (int32_t)plan->count; }

void sched_plan_cancel(sched_plan_t *plan) { sched__store_release_32(&plan->cancelled, 1); }

bool sched_plan_is_cancelled(const sched_plan_t *plan) {
    return sched__load_32(&plan->cancelled) != 0;
}

// ---- pool ----

// Wait until no idle worker looks into the plan. The plan is not in any slot; a worker announces
// its visit before it checks that (sched__help_plan), so after this fence we see each visit that
// may go on.
static void wait_for_visitors(const sched_plan_t *plan) {
    const sched_pool_t *pool = plan->pool;
    if (!pool) return;
    sched__fence();
    for (uint32_t i = 0; i < pool->count; i++) {
        while (sched__load_acquire_ptr(&pool->workers[i].visits) == plan) sched_yield();
    }
}

static void detach(sched_plan_t *plan) {
    sched_pool_t *pool = plan->pool;
    if (!pool) return;
    wait_for_visitors(plan);
    pthread_mutex_lock(&pool->plans_lock);
    *(plan->prev ? &plan->prev->next : &pool->plans) = plan->next;
    if (plan->next) plan->next->prev = plan->prev;
    pthread_mutex_unlock(&pool->plans_lock);
    plan->pool = NULL;
    plan->prev = plan->next = NULL;
}

static bool make_cells(sched_plan_t *plan, uint32_t lanes) {
    size_t cells = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        cells += sched__node_can_split(&plan->nodes[i]) ? lanes : 1;
    }
    void *raw;
    sched__cell_t *cell = sched__host_calloc_lines(&plan->host, cells, sizeof *cell, &raw);
    if (!cell) return false;
    sched__host_free(&plan->host, plan->raw_cells);
    plan->raw_cells = raw;
    plan->lanes = lanes;
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->nodes[i].range.cells = cell;
        plan->nodes[i].range.lanes = 0;
        cell += sched__node_can_split(&plan->nodes[i]) ? lanes : 1;
    }
    return true;
}

bool sched__plan_attach(sched_plan_t *plan, sched_pool_t *pool) {
    if (plan->pool == pool) return true;
    detach(plan);
    if (plan->lanes < pool->count && !make_cells(plan, pool->count)) return false;
    pthread_mutex_lock(&pool->plans_lock);
    plan->pool = pool;
    plan->next = pool->plans;
    if (plan->next) plan->next->prev = plan;
    pool->plans = plan;
    pthread_mutex_unlock(&pool->plans_lock);
    return true;
}

void sched__plans_detach(sched_pool_t *pool) {
    while (pool->plans) detach(pool->plans);
}

void sched_plan_destroy(sched_plan_t *plan) {
    if (!plan) return;
    detach(plan);
    sched__host_t host = plan->host;
    sched__host_free(&host, plan->raw_cells);
    sched__host_free(&host, plan->raw);
}

// ---- looking at it ----

static const char *verify_node(const sched_plan_t *plan, uint32_t position) {
    const sched__node_t *node = &plan->nodes[position];
    if (node->id >= plan->count || plan->positions[node->id] != position) {
        return "positions and ids do not map to each other";
    }
    if (sched__load_32(&node->pending) != node->in_degree) return "a node was left half released";
    for (uint32_t i = 0; i < node->successor_count; i++) {
        if (node->successors[i] >= plan->count) return "an edge leads out of the plan";
        if (node->successors[i] <= position) return "an edge points backwards";
    }
    if (!plan->lanes) return NULL;
    return sched__range_verify(&node->range, sched__node_can_split(node) ? plan->lanes : 1);
}

const char *sched_plan_verify(const sched_plan_t *plan) {
    uint64_t in_degrees = 0, successors = 0, roots = 0, sinks = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        const char *wrong = verify_node(plan, i);
        if (wrong) return wrong;
        in_degrees += plan->nodes[i].in_degree;
        successors += plan->nodes[i].successor_count;
        roots += !plan->nodes[i].in_degree;
        sinks += !plan->nodes[i].successor_count;
    }
    if (in_degrees != plan->edge_count || successors != plan->edge_count)
        return "edges do not add up";
    if (roots != plan->root_count || sinks != plan->sink_count)
        return "roots or sinks do not add up";
    for (uint32_t i = 0; i < plan->words; i++) {
        if (sched__load_64(&plan->ready[i])) return "a node is announced though nothing runs";
        if (sched__load_64(&plan->caller_ready[i]))
            return "a node waits for the caller though nothing runs";
    }
    if (sched__load_32(&plan->sinks_left)) return "a run left sinks incomplete";
    return NULL;
}

static void add_node(sched__text_t *text, const sched_plan_t *plan, const sched__node_t *node) {
    sched__text_add(text, "  ");
    sched__text_name(text, node->name, node->id);
    sched__text_add(text, ": %lld items", (long long)node->range.count);
    if (node->flags & SCHED_NODE_CALLER) {
        sched__text_add(text, ", on the caller");
    } else if (node->flags & SCHED_NODE_WHOLE) {
        sched__text_add(text, ", whole");
    } else {
        sched__text_add(text, ", grain %lld", (long long)node->range.grain);
    }
    sched__text_add(text, node->is_cheap ? ", inline" : "");
    if (node->last_ns >= 0) sched__text_add(text, ", last %.0f ns", node->last_ns);
    for (uint32_t i = 0; i < node->successor_count; i++) {
        const sched__node_t *next = &plan->nodes[node->successors[i]];
        sched__text_add(text, i ? ", " : " -> ");
        sched__text_name(text, next->name, next->id);
    }
    sched__text_add(text, "\n");
}

size_t sched_plan_dump(const sched_plan_t *plan, char *buffer, size_t size) {
    sched__text_t text = { buffer, size, 0 };
    if (size) *buffer = 0;
    sched__text_add(&text, "plan: %u nodes, %u edges", plan->count, plan->edge_count);
    if (plan->estimated_for) {
        sched__text_add(&text, "; expected %.0f ns, %u workers save up to %.0f ns", plan->total_ns,
            plan->estimated_for, plan->saving_ns);
    }
    sched__text_add(&text, "\n");
    for (uint32_t i = 0; i < plan->count; i++) add_node(&text, plan, &plan->nodes[i]);
    return text.length;
}
