// SPDX-License-Identifier: MIT
// Deep chains that are changed at random: queries up and by depth, and searches from one entity, find what a walk over a plain array
// of parents finds, whether parents are pairs, components or targets of another relationship, in tables or beside (Q-TRV-23, Q-TRV-24, Q-CAS-08).
// Instances of the last of a long chain of bases are what the nearest of these make them (ISA-02, ISA-04, TRT-07).
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
    if (random_below(&tree->random, 2))
        ecs_make_alive(tree->world, tree->nodes[node]); /* the same again, with nothing */
    else
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

// ---- bases ----

enum { LEVELS = 200 };

typedef struct bases_t {
    ecs_world_t *world;
    ecs_entity_t levels[LEVELS], shared, kept; /* components: passed on, and only where marked */
    ecs_query_t *query;
} bases_t;

// Few levels have something, mostly one, so that much is passed; few of these are marks.
static void change_base(bases_t *bases, random_t *random) {
    int32_t level = random_below(random, 5) * (LEVELS - 1) / 4;
    ecs_id_t id = random_below(random, 2) ? bases->shared : bases->kept;
    bool is_mark = random_below(random, 2), stays = !random_below(random, 4);
    if (is_mark) id |= ECS_AUTO_OVERRIDE;
    for (int32_t i = 0; i < LEVELS && random_below(random, 4 * LEVELS); i++)
        ecs_remove_id(bases->world, bases->levels[i], id);
    if (is_mark && stays)
        ecs_add_id(bases->world, bases->levels[level], id);
    else if (!is_mark)
        ecs_set_id(bases->world, bases->levels[level], id, sizeof(Position),
            &(Position){ (float)level, 1 });
}

static int32_t nearest(const bases_t *bases, ecs_id_t id, bool is_marked) {
    int32_t level = LEVELS - 1;
    for (; level >= 0; level--) {
        ecs_entity_t base = bases->levels[level];
        bool counts = !is_marked || ecs_owns_id(bases->world, base, id | ECS_AUTO_OVERRIDE);
        if (counts && ecs_owns_id(bases->world, base, id)) break;
    }
    return level;
}

static void check_start(const bases_t *bases, ecs_entity_t instance, ecs_id_t id, bool is_marked) {
    bool owns = nearest(bases, id | ECS_AUTO_OVERRIDE, false) >= 0;
    assert_int_equal(ecs_owns_id(bases->world, instance, id), owns);
    ecs_add_id(bases->world, instance, id);
    int32_t level = nearest(bases, id, is_marked);
    const Position *value = ecs_get_id(bases->world, instance, id);
    assert_float_equal(value->x, level < 0 ? 0 : (float)level, 0);
}

static ecs_entity_t new_instance(ecs_world_t *world, ecs_entity_t base) {
    ecs_entity_t instance = ecs_new_w_id(world, ecs_new(world)); /* of a table of its own */
    ecs_add_pair(world, instance, EcsIsA, base);
    return instance;
}

static bool is_among(ecs_world_t *world, const ecs_query_t *query, ecs_entity_t entity) {
    bool is_found = false;
    for (ecs_iter_t it = ecs_query_iter(world, query); ecs_query_next(&it);) {
        for (int32_t i = 0; i < it.count; i++) is_found |= it.entities[i] == entity;
    }
    return is_found;
}

static void check_instance(const bases_t *bases) {
    ecs_world_t *world = bases->world;
    ecs_entity_t instance = new_instance(world, bases->levels[LEVELS - 1]);
    bool has = ecs_has_id(world, instance, bases->shared);
    bool owns = ecs_owns_id(world, instance, bases->shared);
    assert_int_equal(has, owns || nearest(bases, bases->shared, false) >= 0);
    if (bases->query) assert_int_equal(is_among(world, bases->query, instance), has);
    check_start(bases, instance, bases->shared, false);
    check_start(bases, instance, bases->kept, true);
    ecs_delete(world, instance);
}

static void make_instances(ecs_world_t *world, bool is_beside) {
    bases_t bases = { .world = world };
    random_t random = random_init(random_seed());
    const ecs_type_info_t type = { .size = sizeof(Position), .alignment = sizeof(float) };
    bases.shared = ecs_component(bases.world, { .type = type });
    bases.kept = ecs_component(bases.world, { .type = type });
    ecs_add_pair(bases.world, bases.kept, EcsOnInstantiate, EcsDontInherit);
    if (is_beside) ecs_add_id(bases.world, bases.shared, EcsDontFragment);
    if (is_beside) ecs_add_id(bases.world, bases.kept, EcsDontFragment);
    for (int32_t i = 1; i < LEVELS; i++) {
        bases.levels[i] = ecs_new(bases.world);
        if (i > 1) ecs_add_pair(bases.world, bases.levels[i], EcsIsA, bases.levels[i - 1]);
    }
    bases.levels[0] = ecs_new(bases.world);
    ecs_add_pair(bases.world, bases.levels[1], EcsIsA, bases.levels[0]);
    for (int32_t i = 0; i < 10 * STEPS; i++) {
        if (i == 5 * STEPS) { /* a second base half way up, which is visited last */
            ecs_remove_pair(bases.world, bases.levels[1], EcsIsA, bases.levels[0]);
            ecs_add_pair(bases.world, bases.levels[LEVELS / 2], EcsIsA, bases.levels[0]);
            ecs_remove_id(bases.world, bases.levels[LEVELS / 2], bases.shared); /* if marked */
            ecs_remove_id(bases.world, bases.levels[LEVELS / 2], bases.kept);
        }
        if (i % 4 == 0)
            bases.query = ecs_query(
                bases.world, { .terms = { { bases.shared } }, .cache_kind = EcsQueryCacheAuto });
        if (random_below(&random, 2)) change_base(&bases, &random);
        check_instance(&bases);
        if (i % 4 != 3) continue;
        ecs_query_fini(bases.query);
        bases.query = NULL;
        check_instance(&bases);
    }
}

static void instances_of_long_chains(void **state) { make_instances(*state, false); }
static void instances_of_long_chains_beside_tables(void **state) { make_instances(*state, true); }

static void queries_hear_of_instances_though_nobody_did_before(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT_DEFINE(world, Position);
    ecs_entity_t base = ecs_new(world);
    ecs_set(world, base, Position, { 1, 2 });
    for (int32_t i = 0; i < LEVELS; i++) base = ecs_new_w_pair(world, EcsIsA, base);
    for (int32_t i = 0; i < 3; i++) {
        ecs_query_t *query = ecs_query(
            world, { .terms = { { ecs_id(Position) } }, .cache_kind = EcsQueryCacheAuto });
        assert_true(is_among(world, query, new_instance(world, base)));
        ecs_query_fini(query);
        new_instance(world, base);
    }
}

static float value_above(ecs_world_t *world, ecs_entity_t last) {
    const Position *found = NULL;
    ecs_entity_t source = ecs_get_target_for_id(world, last, EcsChildOf, ecs_id(Position));
    if (source) found = ecs_get(world, source, Position);
    return found ? found->x : 0;
}

// A chain is deleted, and its ids are made another one.
static void ids_that_live_again(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT_DEFINE(world, Position);
    ecs_entity_t nodes[NODES];
    for (int32_t i = 0; i < NODES; i++) nodes[i] = ecs_new(world);
    for (int32_t turn = 1; turn <= 4; turn++) {
        for (int32_t i = 1; i < NODES; i++) ecs_add_pair(world, nodes[i], EcsChildOf, nodes[i - 1]);
        ecs_set(world, nodes[0], Position, { (float)turn, 0 });
        if (turn & 1) ecs_set(world, nodes[NODES / 2], Position, { (float)-turn, 0 });
        assert_float_equal(
            value_above(world, nodes[NODES - 1]), (float)(turn & 1 ? -turn : turn), 0);
        assert_int_equal(ecs_get_depth(world, nodes[NODES - 1], EcsChildOf), NODES - 1);
        ecs_delete(world, nodes[0]);
        for (int32_t i = 0; i < NODES; i++) ecs_make_alive(world, nodes[i]);
    }
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

// What leads back is not the first target.
static void cycles_through_branches_are_refused(void **state) {
    ecs_world_t *world = *state;
    for (int beside = 0; beside < 2; beside++) {
        ecs_entity_t rel = ecs_new_w_id(world, EcsAcyclic), e[5];
        if (beside) ecs_add_id(world, rel, EcsDontFragment);
        for (int i = 0; i < 5; i++) e[i] = ecs_new(world);
        for (int i = 1; i < 4; i++) ecs_add_pair(world, e[0], rel, e[i]);
        for (int i = 1; i < 4; i++)
            ecs_add_pair(world, e[i], rel, e[4]); /* many ways are no cycle */
        expect_abort_saying(
            ECS_CYCLE_DETECTED, "would make a cycle", ecs_add_pair(world, e[4], rel, e[0]));
        expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, e[3], rel, e[0]));
        ecs_add_pair(world, e[0], rel, e[4]);
        assert_true(ecs_has_pair(world, e[0], rel, e[4]));
    }
}

// ---- branches ----

static int32_t entered, left;
static void count_events(ecs_iter_t *it) {
    *(it->event == EcsOnAdd ? &entered : &left) += it->count;
}

static void check_query(ecs_world_t *world, ecs_query_desc_t desc, int32_t expected) {
    for (int32_t kind = 0; kind < 2; kind++) {
        desc.cache_kind = kind ? EcsQueryCacheAuto : EcsQueryCacheNone;
        ecs_query_t *query = ecs_query_init(world, &desc);
        assert_int_equal(ecs_query_count(query).entities, expected);
        ecs_query_fini(query);
    }
}

static void check_top(ecs_world_t *world, ecs_entity_t rel, ecs_entity_t last, ecs_entity_t top) {
    assert_id_equal(world, ecs_get_target_for_id(world, last, rel, ecs_id(Position)), top);
    ecs_entity_t found = 0;
    if (rel == EcsIsA) {
        assert_float_equal(ecs_get(world, last, Position)->x, 7, 0);
        ecs_search_relation(
            world, ecs_get_table(world, last), 0, ecs_id(Position), rel, 0, &found, NULL, NULL);
        assert_id_equal(world, found, top);
    }
    ECS_TAG(world, Leaf);
    ECS_TAG(world, Mark);
    ecs_add(world, last, Leaf);
    const ecs_term_t leaf = { .id = Leaf, .src.id = EcsSelf },
                     up = { .id = ecs_id(Position), .src.id = EcsUp, .trav = rel },
                     mark = { .id = Mark, .src.id = EcsUp, .trav = rel };
    check_query(world, (ecs_query_desc_t){ .terms = { leaf, up } }, 1);
    ecs_term_t not_up = up;
    not_up.oper = EcsNot;
    check_query(world, (ecs_query_desc_t){ .terms = { leaf, not_up } }, 0);
    entered = left = 0;
    ecs_observer(world,
        { .query.terms = { leaf, mark }, .events = { EcsMonitor }, .callback = count_events });
    ecs_add(world, top, Mark);
    ecs_remove(world, last, Leaf);
    ecs_add(world, last, Leaf);
    ecs_remove(world, top, Mark);
    assert_int_equal(entered, 2);
    assert_int_equal(left, 2);
}

// Each level has two targets, of which the one that leads on comes first or last.
static void branch(bool is_beside, bool is_isa, bool leads_first) {
    enum { BRANCHES = ECS_MAX_RECURSION + 100 };
    ecs_world_t *world = ecs_mini();
    ECS_COMPONENT_DEFINE(world, Position);
    ecs_entity_t rel = is_isa ? EcsIsA : ecs_new_w_id(world, EcsTraversable);
    if (is_beside) ecs_add_id(world, rel, EcsDontFragment);
    if (!is_isa) ecs_add_id(world, rel, EcsAcyclic);
    ecs_entity_t side = ecs_new(world), top = ecs_insert(world, ecs_value(Position, { 7, 0 })),
                 last = top;
    for (int32_t i = 0; i < BRANCHES; i++) {
        ecs_entity_t above = last;
        last = ecs_new_w_pair(world, rel, above);
        ecs_add_pair(world, last, rel, leads_first ? ecs_new(world) : side);
    }
    assert_int_equal(ecs_get_depth(world, last, rel), BRANCHES);
    check_top(world, rel, last, top);
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static void branches_go_as_deep_as_chains(void **state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) branch(i / 2 == 2, i / 2 == 0, i & 1);
}

// api/00: what the library keeps below its scope does not count, however deep, and what users have does.
static void hashes_of_long_chains(void **state) {
    ecs_world_t *world = *state;
    enum { DEPTH = 5000 }; /* of which each asks only for its parent */
    const ecs_entity_t roots[] = { EcsFlecs, ecs_entity(world, { .name = "root" }) };
    const uint64_t before = ecs_world_hash(world);
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        ecs_entity_t parent = roots[i];
        for (int depth = 0; depth < DEPTH; depth++)
            parent = ecs_new_w_pair(world, EcsChildOf, parent);
        hashes[i] = ecs_world_hash(world);
    }
    assert_true(hashes[0] == before);
    assert_true(hashes[1] != before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_changes),
        mini_world_test(instances_of_long_chains),
        mini_world_test(instances_of_long_chains_beside_tables),
        mini_world_test(queries_hear_of_instances_though_nobody_did_before),
        mini_world_test(ids_that_live_again),
        mini_world_test(long_cycles_are_refused),
        mini_world_test(cycles_through_branches_are_refused),
        mini_world_test(hashes_of_long_chains),
        cmocka_unit_test(branches_go_as_deep_as_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
