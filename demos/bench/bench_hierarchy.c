// SPDX-License-Identifier: MIT
// bench_hierarchy: instances of prefabs with children, and walks through trees.
//
// `size` of a benchmark is the number of instances or leaves, `variant` the number of children per parent.
#include "bench.h"
#include "by_hand_tree.h"
#include "scene.h"

#include <stdlib.h>

enum { INSTANCES = 1000, CHILDREN = 100, LEAVES = 100000, BRANCHES = 10 };

typedef struct {
    ecs_world_t *world;
    ecs_entity_t root;
    int32_t count; // instances
    int32_t nodes;
    hand_tree_t *hand;
    hand_entity_t hand_root;
} hierarchy_t;

static hierarchy_t *start(bench_run_t *run) {
    hierarchy_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    state->count = bench_scale(run, (int32_t)run->bench->size);
    state->hand = hand_tree_create();
    return state;
}

static void tear_down(bench_run_t *run) {
    hierarchy_t *state = run->state;
    ecs_fini(state->world);
    hand_tree_free(state->hand);
    free(state);
}

// ---- Prefabs ----

static void set_up_prefab(bench_run_t *run) {
    hierarchy_t *state = start(run);
    state->root = ecs_new_w_id(state->world, EcsPrefab);
    for (int32_t i = 0; i < run->bench->variant; i++) {
        ecs_entity_t child = ecs_new_w_pair(state->world, EcsChildOf, state->root);
        ecs_set(state->world, child, Position, { 1, 2 });
        ecs_set(state->world, child, Velocity, { 3, 4 });
    }
}

static void check_children(bench_run_t *run, int64_t expected) {
    const hierarchy_t *state = run->state;
    ecs_query_t *q = ecs_query(state->world, { .terms = { { ecs_id(Position) } } });
    double sum = 0;
    for (ecs_iter_t it = ecs_query_iter(state->world, q); ecs_query_next(&it);) {
        const Position *positions = ecs_field(&it, Position, 0);
        for (int32_t i = 0; i < it.count; i++) sum += (double)positions[i].y;
    }
    ecs_query_fini(q);
    if (sum != 2.0 * (double)expected) bench_wrong(run, "children of instances are missing");
}

// Per child. Instances go before the clock stops twice, so that each run begins alike.
static double instantiate(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    int64_t children = state->count * run->bench->variant;
    double begin = bench_now();
    ecs_bulk_new_w_id(state->world, ecs_isa(state->root), state->count);
    double time_ns = bench_now() - begin;
    check_children(run, children);
    ecs_delete_with(state->world, ecs_isa(state->root));
    return time_ns / (double)children;
}

static double instantiate_singly(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    int64_t children = state->count * run->bench->variant;
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++) ecs_new_w_pair(state->world, EcsIsA, state->root);
    double time_ns = bench_now() - begin;
    check_children(run, children);
    ecs_delete_with(state->world, ecs_isa(state->root));
    return time_ns / (double)children;
}

// What the values of the children cost without instances: as many entities in one table.
static double make_plainly(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    int32_t children = state->count * (int32_t)run->bench->variant;
    Position *positions = bench_array((size_t)children, sizeof(Position));
    Velocity *velocities = bench_array((size_t)children, sizeof(Velocity));
    double begin = bench_now();
    ecs_bulk_init(state->world, &(ecs_bulk_desc_t){ .count = children,
                                    .ids = { ecs_id(Position), ecs_id(Velocity), ecs_id(Counter) },
                                    .data = (void *[]){ positions, velocities, NULL } });
    double time_ns = bench_now() - begin;
    ecs_delete_with(state->world, ecs_id(Counter));
    free(positions);
    free(velocities);
    return time_ns / children;
}

// ---- Few children each ----

static void set_up_families(bench_run_t *run) { start(run); }

// Makes parents with `variant` children each, and deletes them again.
static double make_families(bench_run_t *run, bool by_component) {
    const hierarchy_t *state = run->state;
    int32_t children = (int32_t)run->bench->variant;
    ecs_entity_t *parents = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++) {
        parents[i] = ecs_new_w(state->world, Counter);
        for (int32_t k = 0; k < children; k++) {
            if (by_component)
                ecs_new_w_parent(state->world, parents[i], NULL);
            else
                ecs_new_w_pair(state->world, EcsChildOf, parents[i]);
        }
    }
    if (ecs_count_id(state->world, ecs_childof(parents[state->count - 1])) != children)
        bench_wrong(run, "children are missing");
    for (int32_t i = 0; i < state->count; i++) ecs_delete(state->world, parents[i]);
    double time_ns = bench_now() - begin;
    free(parents);
    return time_ns / state->count / children;
}

static double make_families_by_hand(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    hand_tree_t *tree = state->hand;
    int32_t children = (int32_t)run->bench->variant;
    uint32_t before = tree->hand->tables[0].count;
    hand_entity_t *parents = bench_array((size_t)state->count, sizeof(hand_entity_t));
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++) {
        parents[i] = hand_tree_add(tree, 0);
        for (int32_t k = 0; k < children; k++) hand_tree_add(tree, parents[i]);
    }
    if (hand_tree_walk(tree, (uint32_t)parents[state->count - 1]) != children)
        bench_wrong(run, "children by hand are missing");
    for (int32_t i = 0; i < state->count; i++) hand_tree_delete(tree, parents[i]);
    double time_ns = bench_now() - begin;
    if (tree->hand->tables[0].count != before) bench_wrong(run, "children by hand live on");
    free(parents);
    return time_ns / state->count / children;
}

static double families_by_component(bench_run_t *run) { return make_families(run, true); }
static double families_by_pair(bench_run_t *run) { return make_families(run, false); }

// ---- Trees ----

// Breadth first: every node but the leaves has `variant` children.
static void set_up_tree(bench_run_t *run) {
    hierarchy_t *state = start(run);
    int32_t branches = (int32_t)run->bench->variant, nodes = 1, leaves = 1;
    while (leaves < state->count) nodes += leaves *= branches;
    ecs_entity_t *entities = bench_array((size_t)nodes, sizeof(ecs_entity_t));
    hand_entity_t *by_hand = bench_array((size_t)nodes, sizeof(hand_entity_t));
    state->nodes = nodes;
    for (int32_t i = 0; i < nodes; i++) {
        int32_t parent = (i - 1) / branches;
        entities[i] = ecs_new(state->world);
        ecs_set(state->world, entities[i], Position, { 1, 0 });
        if (i) ecs_add_pair(state->world, entities[i], EcsChildOf, entities[parent]);
        by_hand[i] = hand_tree_add(state->hand, i ? by_hand[parent] : 0);
    }
    state->root = entities[0];
    state->hand_root = by_hand[0];
    free(entities);
    free(by_hand);
}

static int64_t visit(const ecs_world_t *world, ecs_entity_t parent) {
    int64_t count = 0;
    ecs_iter_t it = ecs_children(world, parent);
    while (ecs_children_next(&it)) {
        count += it.count;
        for (int32_t i = 0; i < it.count; i++) count += visit(world, it.entities[i]);
    }
    return count;
}

static double walk_down(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    double begin = bench_now();
    int64_t count = 1 + visit(state->world, state->root);
    double time_ns = bench_now() - begin;
    if (count != state->nodes) bench_wrong(run, "the walk missed some nodes");
    return time_ns / state->nodes;
}

static double walk_by_hand(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    double begin = bench_now();
    int64_t count = 1 + hand_tree_walk(state->hand, (uint32_t)state->hand_root);
    double time_ns = bench_now() - begin;
    if (count != state->nodes) bench_wrong(run, "the walk by hand missed some nodes");
    return time_ns / state->nodes;
}

static double walk_traverse(bench_run_t *run) {
    const hierarchy_t *state = run->state;
    int64_t count = 0;
    double begin = bench_now();
    ecs_traverse_t walk = ecs_traverse(state->world, state->root, EcsChildOf);
    while (ecs_traverse_next(&walk)) count++;
    double time_ns = bench_now() - begin;
    if (count != state->nodes) bench_wrong(run, "the walk missed some nodes");
    return time_ns / state->nodes;
}

#define HIERARCHY(name_, unit_, about_, set_up_, ours_, limit_, limit_is_, size_, variant_) \
    {                                                                                       \
        .name = "hierarchy/" name_, .row = "", .unit = unit_, .about = about_,              \
        .limit_is = limit_is_, .setup = set_up_, .ours = ours_, .limit = limit_,            \
        .teardown = tear_down, .size = size_, .variant = variant_                           \
    }

const bench_t bench_hierarchy[] = {
    HIERARCHY("instances", "ns/child", "1 000 instances of a prefab with 100 children in one call",
        set_up_prefab, instantiate, make_plainly, "as many entities with the values in one table",
        INSTANCES, CHILDREN),
    HIERARCHY("instances_singly", "ns/child", "the same instances one by one", set_up_prefab,
        instantiate_singly, make_plainly, "as many entities with the values in one table",
        INSTANCES, CHILDREN),
    HIERARCHY("instances_small", "ns/child", "10 000 instances of a prefab with 2 children",
        set_up_prefab, instantiate, make_plainly, "as many entities with the values in one table",
        10 * INSTANCES, 2),
    { .name = "hierarchy/families",
        .row = "",
        .unit = "ns/child",
        .about = "10 000 parents with 3 children by component: making and deleting",
        .limit_is = "links between records",
        .base_is = "children by pair",
        .setup = set_up_families,
        .ours = families_by_component,
        .limit = make_families_by_hand,
        .base = families_by_pair,
        .teardown = tear_down,
        .size = 10 * INSTANCES,
        .variant = 3 },
    HIERARCHY("walk", "ns/node", "ecs_children from the root down a tree of 111 111 nodes",
        set_up_tree, walk_down, walk_by_hand, "first child and next sibling", LEAVES, BRANCHES),
    HIERARCHY("traverse", "ns/node", "ecs_traverse through the same tree", set_up_tree,
        walk_traverse, walk_by_hand, "first child and next sibling", LEAVES, BRANCHES),
    { 0 },
};
