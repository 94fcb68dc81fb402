// SPDX-License-Identifier: MIT
// Deep chains that are changed at random: queries up and by depth, and searches from one entity, find what a walk over a plain array
// of parents finds, whether parents are pairs, components or targets of another relationship, in tables or beside (Q-TRV-23, Q-TRV-24, Q-CAS-08).
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

enum { NODES = 300, STEPS = 40, MOST_MOVES = 8, NONE = -1 };

typedef struct Position {
    float x, y;
} Position;

static ECS_COMPONENT_DECLARE(Position);

typedef enum edge_t { BY_PAIR, BY_COMPONENT, BY_OTHER, BESIDE_TABLES, EDGES } edge_t;

typedef struct tree_t {
    ecs_world_t *world;
    random_t random;
    edge_t edge;
    ecs_entity_t rel, base; /* of which some nodes are instances */
    ecs_entity_t nodes[NODES];
    int32_t parents[NODES];
    bool has_own[NODES], has_base[NODES];
    ecs_query_t *up[2], *cascade[2]; /* uncached, cached */
} tree_t;

// ---- the plain array ----

static bool is_below(const tree_t *tree, int32_t node, int32_t other) {
    while (node != other && node != NONE) node = tree->parents[node];
    return node == other;
}

static int32_t depth_of(const tree_t *tree, int32_t node) {
    int32_t depth = 0;
    while ((node = tree->parents[node]) != NONE) depth++;
    return depth;
}

static ecs_entity_t source_above(const tree_t *tree, int32_t node) {
    while ((node = tree->parents[node]) != NONE) {
        if (tree->has_own[node]) return tree->nodes[node];
        if (tree->has_base[node]) return tree->base;
    }
    return 0;
}

static int32_t node_of(const tree_t *tree, ecs_entity_t entity) {
    int32_t node = 0;
    while (node < NODES && tree->nodes[node] != entity) node++;
    return node < NODES ? node : NONE;
}

// ---- changes ----

static void set_parent(tree_t *tree, int32_t node, int32_t parent) {
    ecs_entity_t child = tree->nodes[node];
    tree->parents[node] = parent;
    if (parent == NONE) {
        if (tree->edge == BY_COMPONENT) ecs_remove(tree->world, child, EcsParent);
        ecs_remove_pair(tree->world, child, tree->rel, EcsWildcard);
    } else if (tree->edge == BY_COMPONENT && random_below(&tree->random, 4)) {
        ecs_set(tree->world, child, EcsParent, { tree->nodes[parent] });
    } else {
        ecs_add_pair(tree->world, child, tree->rel, tree->nodes[parent]);
    }
}

// Two chains, between which most moves change, so that they stay long, and many keep the depth.
static void move(tree_t *tree) {
    int32_t node = random_below(&tree->random, NODES);
    int32_t parent = random_below(&tree->random, 8)
                         ? ECS_MAX(node - 1 - random_below(&tree->random, 2), NONE)
                         : random_below(&tree->random, NODES + 1) - 1;
    if (parent != NONE && is_below(tree, parent, node)) return;
    set_parent(tree, node, parent);
}

static void change_ids(tree_t *tree) {
    int32_t node = random_below(&tree->random, NODES);
    ecs_entity_t entity = tree->nodes[node];
    if (random_below(&tree->random, 3)) {
        if ((tree->has_own[node] = !tree->has_own[node]))
            ecs_set(tree->world, entity, Position, { 1, 2 });
        else
            ecs_remove(tree->world, entity, Position);
    } else {
        if ((tree->has_base[node] = !tree->has_base[node]))
            ecs_add_pair(tree->world, entity, EcsIsA, tree->base);
        else
            ecs_remove_pair(tree->world, entity, EcsIsA, tree->base);
    }
}

// Together, what is recorded must not depend on what comes of it.
static void change(tree_t *tree) {
    bool is_deferred = random_below(&tree->random, 2);
    if (is_deferred) ecs_defer_begin(tree->world);
    for (int32_t i = random_below(&tree->random, MOST_MOVES); i >= 0; i--) {
        if (random_below(&tree->random, 3))
            move(tree);
        else
            change_ids(tree);
    }
    if (is_deferred) ecs_defer_end(tree->world);
}

// A node without children becomes another entity.
static void replace_leaf(tree_t *tree) {
    int32_t node = random_below(&tree->random, NODES), parent = tree->parents[node];
    for (int32_t i = 0; i < NODES; i++) {
        if (tree->parents[i] == node) return;
    }
    ecs_delete(tree->world, tree->nodes[node]);
    tree->nodes[node] = ecs_new(tree->world);
    tree->has_own[node] = tree->has_base[node] = false;
    set_parent(tree, node, parent);
}

// ---- checks ----

static void check_up(tree_t *tree, const ecs_query_t *query) {
    int32_t found = 0, expected = 0;
    for (ecs_iter_t it = ecs_query_iter(tree->world, query); ecs_query_next(&it);) {
        for (int32_t i = 0; i < it.count; i++) {
            int32_t node = node_of(tree, it.entities[i]);
            if (node == NONE) continue;
            assert_id_equal(tree->world, ecs_field_src(&it, 0), source_above(tree, node));
            found++;
        }
    }
    for (int32_t i = 0; i < NODES; i++) expected += source_above(tree, i) != 0;
    assert_int_equal(found, expected);
}

static void check_cascade(tree_t *tree, const ecs_query_t *query) {
    int32_t found = 0, expected = 0, depth = 0;
    for (ecs_iter_t it = ecs_query_iter(tree->world, query); ecs_query_next(&it);) {
        for (int32_t i = 0; i < it.count; i++) {
            int32_t node = node_of(tree, it.entities[i]), at = depth_of(tree, node);
            assert_true(at >= depth);
            depth = at;
            found++;
        }
    }
    for (int32_t i = 0; i < NODES; i++) expected += source_above(tree, i) != 0;
    assert_int_equal(found, expected);
}

// Everything below a node, along a transitive relationship.
static void check_below(tree_t *tree) {
    int32_t root = random_below(&tree->random, NODES / 2), found = 0, expected = 0;
    ecs_query_t *query =
        ecs_query(tree->world, { .terms = { { ecs_pair(tree->rel, tree->nodes[root]) } } });
    for (ecs_iter_t it = ecs_query_iter(tree->world, query); ecs_query_next(&it);) {
        for (int32_t i = 0; i < it.count; i++) {
            int32_t node = node_of(tree, it.entities[i]);
            assert_true(node != root && is_below(tree, node, root));
            found++;
        }
    }
    for (int32_t i = 0; i < NODES; i++) expected += i != root && is_below(tree, i, root);
    assert_int_equal(found, expected);
    ecs_query_fini(query);
}

static void check(tree_t *tree) {
    if (tree->edge == BY_OTHER) check_below(tree);
    for (int32_t i = 0; i < 2; i++) {
        check_up(tree, tree->up[i]);
        if (tree->cascade[i]) check_cascade(tree, tree->cascade[i]);
    }
    for (int32_t i = 0; i < NODES; i += 1 + random_below(&tree->random, 8)) {
        ecs_entity_t entity = tree->nodes[i], source = source_above(tree, i);
        assert_int_equal(ecs_get_depth(tree->world, entity, tree->rel), depth_of(tree, i));
        if (tree->has_own[i]) source = entity;
        if (tree->has_own[i] || tree->has_base[i]) continue;
        ecs_entity_t found =
            ecs_get_target_for_id(tree->world, entity, tree->rel, ecs_id(Position));
        assert_true(!found == !source);
    }
}

// ---- the tests ----

static void ask(tree_t *tree) {
    const ecs_term_t up = { ecs_id(Position), .src.id = EcsUp, .trav = tree->rel };
    const ecs_term_t cascade = { ecs_id(Position), .src.id = EcsCascade, .trav = tree->rel };
    for (int32_t i = 0; i < 2; i++) {
        ecs_query_cache_kind_t kind = i ? EcsQueryCacheAuto : EcsQueryCacheNone;
        tree->up[i] = ecs_query(tree->world, { .terms = { up }, .cache_kind = kind });
        if (tree->edge == BESIDE_TABLES) continue; /* searches once per depth */
        tree->cascade[i] = ecs_query(tree->world, { .terms = { cascade }, .cache_kind = kind });
    }
}

static void change_tree(edge_t edge, uint64_t seed) {
    tree_t tree = { .world = ecs_init(), .random = random_init(seed), .edge = edge };
    ECS_COMPONENT_DEFINE(tree.world, Position);
    tree.rel = EcsChildOf;
    if (edge == BY_OTHER || edge == BESIDE_TABLES) {
        tree.rel = ecs_new(tree.world);
        if (edge == BESIDE_TABLES) ecs_add_id(tree.world, tree.rel, EcsDontFragment);
        ecs_add_id(tree.world, tree.rel, EcsTraversable);
        if (edge == BY_OTHER) ecs_add_id(tree.world, tree.rel, EcsTransitive);
        ecs_add_id(tree.world, tree.rel, EcsExclusive);
    }
    tree.base = ecs_new_w_id(tree.world, EcsPrefab);
    ecs_set(tree.world, tree.base, Position, { 3, 4 });
    for (int32_t i = 0; i < NODES; i++) {
        tree.nodes[i] = ecs_new(tree.world);
        set_parent(&tree, i, ECS_MAX(i - 2, NONE));
    }
    ask(&tree);
    for (int32_t i = 0; i < STEPS; i++) {
        change(&tree);
        if (!random_below(&tree.random, 4)) replace_leaf(&tree);
        check(&tree);
        if (random_below(&tree.random, 2)) check(&tree);
    }
    ecs_fini(tree.world);
}

static void random_changes(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (int i = 0, tries = random_tries(3); i < tries * EDGES; i++)
        change_tree((edge_t)(i % EDGES), seed + (uint64_t)i);
}

static void close_chain(ecs_world_t *world, const ecs_entity_t *nodes, ecs_entity_t rel) {
    ecs_defer_begin(world);
    for (int32_t i = NODES - 1; i > 0; i--) ecs_add_pair(world, nodes[i], rel, nodes[i - 1]);
    ecs_add_pair(world, nodes[0], rel, nodes[NODES - 1]);
    ecs_defer_end(world);
}

static void long_cycles_are_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t nodes[NODES], rels[] = { EcsChildOf, EcsIsA, ecs_new_w_id(world, EcsAcyclic) };
    for (int32_t i = 0; i < NODES; i++) nodes[i] = ecs_new(world);
    for (int32_t i = 0; i < 3; i++)
        expect_abort_saying(
            ECS_CYCLE_DETECTED, "would make a cycle", close_chain(world, nodes, rels[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_changes),
        mini_world_test(long_cycles_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
