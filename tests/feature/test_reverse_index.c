// SPDX-License-Identifier: MIT
// From targets to sources and up again, for dense and sparse relationships alike: features.md area RIX.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static bool sparse;

static ecs_entity_t make(ecs_world_t *world, bool exclusive, bool cascade) {
    return ecs_relationship(world, { .name = "In",
                                       .exclusive = exclusive,
                                       .sparse = sparse,
                                       .reverse_index = true,
                                       .cascade_delete = cascade });
}

typedef struct seen_t {
    ecs_entity_t ids[32];
    int32_t depths[32];
    int32_t count, stop;
    void *ctx;
} seen_t;

static void see(ecs_world_t *world, ecs_entity_t source, void *ctx) {
    (void)world;
    seen_t *seen = ctx;
    seen->ids[seen->count++] = source;
}

static bool see_ancestor(ecs_world_t *world, ecs_entity_t ancestor, int32_t depth, void *ctx) {
    seen_t *seen = ctx;
    seen->depths[seen->count] = depth;
    see(world, ancestor, ctx);
    return seen->count != seen->stop;
}

// RIX-01, RIX-02
static void sources_follow_every_change(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, true, false), a = ecs_new(world), b = ecs_new(world);
    seen_t seen = { 0 };
    assert_int_equal(ecs_each_source(world, a, in, see, &seen), 0);
    ecs_entity_t x = ecs_new_w_pair(world, in, a), y = ecs_new_w_pair(world, in, a);
    assert_int_equal(ecs_each_source(world, a, in, see, &seen), 2);
    assert_true(seen.ids[0] == x && seen.ids[1] == y);
    ecs_add_pair(world, x, in, b);
    ecs_delete(world, y);
    assert_int_equal(ecs_each_source(world, a, in, see, &seen), 0);
    assert_int_equal(ecs_each_source(world, b, in, see, &seen), 1);
    ecs_remove_pair(world, x, in, b);
    assert_int_equal(ecs_each_source(world, b, in, see, &seen), 0);
}

// RIX-03
static void subtrees_are_walked_depth_first(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, true, false), root = ecs_new(world);
    ecs_entity_t a = ecs_new_w_pair(world, in, root), aa = ecs_new_w_pair(world, in, a);
    ecs_entity_t b = ecs_new_w_pair(world, in, root), bb = ecs_new_w_pair(world, in, b);
    ecs_entity_t order[] = { root, a, aa, b, bb };
    int32_t depths[] = { 0, 1, 2, 1, 2 };
    ecs_traverse_t walk = ecs_traverse(world, root, in);
    for (int i = 0; i < 5; i++) {
        assert_true(ecs_traverse_next(&walk));
        assert_id_equal(world, walk.entity, order[i]);
        assert_int_equal(walk.depth, depths[i]);
    }
    assert_false(ecs_traverse_next(&walk));
    ecs_add_pair(world, root, in, aa); /* a cycle */
    walk = ecs_traverse(world, root, in);
    expect_error(ECS_CYCLE_DETECTED, "cycle", while (ecs_traverse_next(&walk)));
}

// RIX-04, RIX-05, RIX-06, RIX-07
static void ancestors_are_visited_from_the_nearest(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, false, false), other = ecs_new(world);
    ecs_entity_t chain[4] = { other };
    for (int i = 1; i < 4; i++) chain[i] = ecs_new_w_pair(world, in, chain[i - 1]);
    ecs_add_pair(world, chain[3], in, ecs_new(world)); /* a later target does not count */
    seen_t seen = { .stop = -1 };
    assert_int_equal(ecs_walk_up(world, chain[3], in, see_ancestor, &seen, 0), 3);
    for (int i = 0; i < 3; i++) {
        assert_id_equal(world, seen.ids[i], chain[2 - i]);
        assert_int_equal(seen.depths[i], i + 1);
    }
    seen = (seen_t){ .stop = -1 };
    ecs_add_id(world, chain[0], ecs_value_pair(in, (uint32_t)chain[2])); /* a number is nobody */
    assert_int_equal(ecs_walk_up(world, chain[3], in, see_ancestor, &seen, 0), 3);
    seen = (seen_t){ .stop = 2 };
    assert_int_equal(ecs_walk_up(world, chain[3], in, see_ancestor, &seen, 0), 2);
    assert_int_equal(seen.count, 2);
    seen = (seen_t){ .stop = -1 };
    expect_error(ECS_CYCLE_DETECTED, "levels",
        assert_int_equal(ecs_walk_up(world, chain[3], in, see_ancestor, &seen, 2), -1));
}

// RIX-10, RIX-11, RIX-12, RIX-15
static void cascades_reach_grandchildren_but_not_the_moved(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, true, true), root = ecs_new(world), other = ecs_new(world);
    ecs_entity_t child = ecs_new_w_pair(world, in, root), moved = ecs_new_w_pair(world, in, root);
    ecs_entity_t grandchild = ecs_new_w_pair(world, in, child);
    ecs_entity_t freed = ecs_new_w_pair(world, in, root);
    ecs_add_pair(world, moved, in, other);
    ecs_remove_pair(world, freed, in, root);
    ecs_defer_begin(world);
    ecs_delete(world, root);
    assert_true(ecs_is_alive(world, child));
    ecs_defer_end(world);
    assert_false(ecs_is_alive(world, child) || ecs_is_alive(world, grandchild));
    assert_true(ecs_is_alive(world, moved) && ecs_is_alive(world, freed));
    ecs_entity_t cycle = ecs_new_w_pair(world, in, moved);
    ecs_add_pair(world, other, in, cycle);
    ecs_delete(world, moved);
    assert_false(ecs_is_alive(world, cycle) || ecs_is_alive(world, other));
    assert_true(ecs_is_alive(world, freed));
}

// RIX-14, RIX-15
static void any_target_takes_its_sources_along(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, false, false);
    ecs_add_pair(world, in, EcsOnDeleteTarget, EcsDelete);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new_w_pair(world, in, a);
    ecs_add_pair(world, e, in, b);
    ecs_delete(world, b);
    assert_false(ecs_is_alive(world, e));
    assert_true(ecs_is_alive(world, a));
}

// RIX-10: a long chain, without recursion
static void deep_cascades_end(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, true, true), root = ecs_new(world), last = root;
    for (int i = 0; i < 3000; i++) last = ecs_new_w_pair(world, in, last);
    int64_t alive = ecs_get_entities(world).alive_count;
    ecs_delete(world, root);
    assert_int_equal(ecs_get_entities(world).alive_count, alive - 3001);
}

// RIX-08
static void sparse_relationships_need_the_index(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = ecs_relationship(world, { .name = "In", .sparse = true });
    ecs_entity_t a = ecs_new(world), e = ecs_new_w_pair(world, in, a);
    seen_t seen = { .stop = -1 };
    expect_error(ECS_INVALID_OPERATION, "reverse_index",
        assert_int_equal(ecs_each_source(world, a, in, see, &seen), -1));
    expect_error(ECS_INVALID_OPERATION, "reverse_index",
        assert_int_equal(ecs_walk_up(world, e, in, see_ancestor, &seen, 0), -1));
    ecs_traverse_t walk = { 0 };
    expect_error(ECS_INVALID_OPERATION, "reverse_index", walk = ecs_traverse(world, a, in));
    assert_false(ecs_traverse_next(&walk));
    assert_int_equal(seen.count, 0);
    expect_error(ECS_INVALID_PARAMETER, "cascade",
        assert_int_equal(
            ecs_relationship(
                world, { .name = "X", .sparse = true, .exclusive = true, .cascade_delete = true }),
            0)); /* RIX-13 */
}

// Walks lock what they walk.
static void remove_edge(ecs_world_t *world, ecs_entity_t source, void *ctx) {
    ecs_remove_pair(world, source, *(ecs_entity_t *)ctx, EcsWildcard);
}
static void edges_change_after_a_walk(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, true, false), a = ecs_new(world);
    for (int i = 0; i < 5; i++) ecs_new_w_pair(world, in, a);
    expect_abort(ECS_LOCKED_STORAGE, ecs_each_source(world, a, in, remove_edge, &in));
    ecs_defer_begin(world);
    assert_int_equal(ecs_each_source(world, a, in, remove_edge, &in), 5);
    ecs_defer_end(world);
    assert_int_equal(ecs_count_id(world, ecs_pair(in, a)), 0);
}

static void point_at(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    (void)edge;
    seen_t *seen = ctx;
    seen->ids[seen->count++] = target;
    ecs_new_w_pair(world, *(ecs_entity_t *)seen->ctx, target);
}

// Targets get pairs of another relationship meanwhile.
static void edges_are_walked_while_others_point_at_the_same(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = make(world, false, false), at = ecs_new(world), e = ecs_new(world);
    ecs_entity_t targets[4];
    for (int i = 0; i < 4; i++) ecs_add_pair(world, e, in, targets[i] = ecs_new(world));
    ecs_new_w_pair(world, at, targets[0]);
    seen_t seen = { .ctx = &at };
    assert_int_equal(ecs_each_edge(world, e, in, point_at, &seen), 4);
    for (int i = 0; i < 4; i++) {
        assert_true(seen.ids[i] == targets[i]);
        assert_int_equal(ecs_count_id(world, ecs_pair(EcsWildcard, targets[i])), i ? 2 : 3);
    }
    assert_true(ecs_world_verify(world));
}

// RIX-03: sources whose values are apart are in tables all the same.
static void each_source_is_walked_once(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { EcsTraversable, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t in = ecs_component(world, { .type = { sizeof(int), _Alignof(int) } });
        ecs_add_id(world, in, traits[i]);
        ecs_entity_t root = ecs_new(world), a = ecs_new(world), aa = ecs_new(world);
        ecs_set_id(world, a, ecs_pair(in, root), sizeof(int), &(int){ 1 });
        ecs_set_id(world, aa, ecs_pair(in, a), sizeof(int), &(int){ 2 });
        const ecs_entity_t order[] = { root, a, aa };
        ecs_traverse_t walk = ecs_traverse(world, root, in);
        for (int at = 0; at < 3; at++) {
            assert_true(ecs_traverse_next(&walk));
            assert_id_equal(world, walk.entity, order[at]);
        }
        assert_false(ecs_traverse_next(&walk));
    }
}

#define both(f)                            \
    static void f##_dense(void **state) {  \
        sparse = false;                    \
        f(state);                          \
    }                                      \
    static void f##_sparse(void **state) { \
        sparse = true;                     \
        f(state);                          \
    }

both(sources_follow_every_change) both(subtrees_are_walked_depth_first) both(
    ancestors_are_visited_from_the_nearest) both(cascades_reach_grandchildren_but_not_the_moved)
    both(any_target_takes_its_sources_along) both(deep_cascades_end) both(edges_change_after_a_walk)
        both(edges_are_walked_while_others_point_at_the_same)
#define both_tests(f) mini_world_test(f##_dense), mini_world_test(f##_sparse)

            int main(void) {
    const struct CMUnitTest tests[] = {
        both_tests(sources_follow_every_change),
        both_tests(subtrees_are_walked_depth_first),
        both_tests(ancestors_are_visited_from_the_nearest),
        both_tests(cascades_reach_grandchildren_but_not_the_moved),
        both_tests(any_target_takes_its_sources_along),
        both_tests(deep_cascades_end),
        both_tests(edges_change_after_a_walk),
        both_tests(edges_are_walked_while_others_point_at_the_same),
        mini_world_test(sparse_relationships_need_the_index),
        mini_world_test(each_source_is_walked_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
