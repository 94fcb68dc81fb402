// SPDX-License-Identifier: MIT
// Cascade: features.md area Q-CAS. Q-CAS-08: uncached ones too.
#include "query_scene.h"

static ecs_entity_t child(
    ecs_world_t *world, ecs_entity_t relationship, ecs_entity_t parent, const char *name) {
    ecs_entity_t e = make(world, name, "Position");
    ecs_add_pair(world, e, relationship, parent);
    return e;
}

static ecs_query_t *cascade(const scene_t *scene, const char *expr) {
    ecs_query_t *q =
        ecs_query_init(scene->world, &(ecs_query_desc_t){ .expr = expr, .instanced = true });
    assert_non_null(q);
    return q;
}

// Deep entities are made before shallow ones, so that creation order is wrong.
static void make_tree(ecs_world_t *world) {
    ecs_entity_t a = make(world, "a", NULL), b = child(world, EcsChildOf, a, "b");
    child(world, EcsChildOf, b, "c");
    make(world, "z", "Position");
    ecs_add(world, a, Position);
}

// Q-CAS-01, Q-CAS-07
static void parents_come_before_their_children(void **state) {
    scene_t *scene = *state;
    make_tree(scene->world);
    ecs_query_t *q = cascade(scene, "Position, ?Position(cascade)");
    assert_results(
        q, "z a: Position, -Position | a.b: Position, Position@a | a.b.c: Position, Position@a.b");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    for (uint64_t depth = 0; ecs_query_next(&it); depth++)
        assert_int_equal(ecs_iter_get_group(&it), depth);
    ecs_query_fini(q);
}

// Q-CAS-02, Q-CAS-03
static void without_optional_roots_are_left_out_and_desc_reverses(void **state) {
    scene_t *scene = *state;
    make_tree(scene->world);
    ecs_query_t *q = cascade(scene, "Position, Position(cascade)");
    assert_results(q, "a.b: Position, Position@a | a.b.c: Position, Position@a.b");
    ecs_query_fini(q);
    q = cascade(scene, "Position, Position(cascade|desc)");
    assert_results(q, "a.b.c: Position, Position@a.b | a.b: Position, Position@a");
    ecs_query_fini(q);
}

// Q-CAS-04
static void older_spellings_mean_the_same(void **state) {
    scene_t *scene = *state;
    make_tree(scene->world);
    ecs_query_t *q = cascade(scene, "Position, ?Position(parent|cascade)");
    assert_results(
        q, "z a: Position, -Position | a.b: Position, Position@a | a.b.c: Position, Position@a.b");
    ecs_query_fini(q);
}

// Q-CAS-05
static void depth_counts_in_the_relationship_of_the_term(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t in = make(world, "In", NULL);
    ecs_add_id(world, in, EcsTraversable);
    ecs_entity_t e3 = make(world, "e3", "Position"), e2 = make(world, "e2", "Position"),
                 e1 = make(world, "e1", "Position");
    ecs_add_pair(world, e3, in, e2);
    ecs_add_pair(world, e2, in, e1);
    ecs_query_t *q = cascade(scene, "Position, ?Position(cascade In)");
    assert_results(
        q, "e1: Position, -Position | e2: Position, Position@e1 | e3: Position, Position@e2");
    ecs_query_fini(q);
}

// Q-CAS-06
static void a_subtree_that_moves_changes_its_place(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_tree(world);
    ecs_query_t *q = cascade(scene, "Position, Position(cascade)");
    assert_results(q, "a.b: Position, Position@a | a.b.c: Position, Position@a.b");
    ecs_entity_t b = ecs_lookup(world, "a.b");
    ecs_entity_t y = child(world, EcsChildOf, ecs_lookup(world, "z"), "y"),
                 x = child(world, EcsChildOf, y, "x");
    assert_results(q, "a.b: Position, Position@a | z.y: Position, Position@z | "
                      "a.b.c: Position, Position@a.b | z.y.x: Position, Position@z.y");
    ecs_add_pair(world, b, EcsChildOf, x);
    assert_results(q, "z.y: Position, Position@z | z.y.x: Position, Position@z.y | "
                      "z.y.x.b: Position, Position@z.y.x | z.y.x.b.c: Position, Position@z.y.x.b");
    ecs_delete(world, y);
    assert_results(q, "");
    ecs_query_fini(q);
}

static void a_cascade_and_group_by_exclude_each_other(void **state) {
    scene_t *scene = *state;
    expect_abort(ECS_INVALID_PARAMETER,
        ecs_query(scene->world, { .expr = "Position(cascade)", .group_by = EcsChildOf }));
}

// Q-CAS-01: other terms may have variables.
static void results_of_joins_come_by_depth(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_tree(world);
    ecs_entity_t apples = ecs_lookup(world, "Apples");
    ecs_add_pair(world, ecs_lookup(world, "a.b.c"), ecs_lookup(world, "Likes"), apples);
    ecs_add_pair(world, ecs_lookup(world, "a.b"), ecs_lookup(world, "Likes"), apples);
    ecs_query_t *q = cascade(scene, "Likes($this, $what), Position(cascade)");
    assert_results(q, "a.b: (Likes,Apples), Position@a | a.b.c: (Likes,Apples), Position@a.b");
    ecs_query_fini(q);
}

// Q-CAS-05, UNI-12: where pairs are kept beside tables, entities of one table differ in depth
static void depth_is_counted_in_relationships_beside_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    static const char *const traits[] = { "EcsUnion", "EcsDontFragment, EcsExclusive",
        "EcsDontFragment" };
    for (size_t i = 0; i < sizeof traits / sizeof *traits; i++) {
        char names[4][8], expr[64];
        ecs_entity_t in = make(world, i == 0 ? "In0" : i == 1 ? "In1" : "In2", traits[i]), e[4];
        ecs_add_id(world, in, EcsTraversable);
        for (int k = 0; k < 4; k++) {
            snprintf(names[k], sizeof names[k], "%c%d", "dcba"[k], (int)i);
            e[k] = make(world, names[k], "Tag");
        }
        for (int k = 0; k < 3; k++) ecs_add_pair(world, e[k], in, e[k + 1]);
        snprintf(expr, sizeof expr, "Tag, ?Tag(cascade In%d)", (int)i);
        ecs_query_t *q = query_expr(scene, expr);
        for (int again = 0; again < 2; again++) {
            ecs_iter_t it = ecs_query_iter(world, q);
            for (int k = 3; k >= 0; k--) {
                assert_true(ecs_query_next(&it));
                assert_int_equal(it.entities[0], e[k]);
                assert_int_equal(ecs_field_is_set(&it, 1), k < 3);
                assert_int_equal(ecs_iter_get_group(&it), 3 - k);
            }
            assert_false(ecs_query_next(&it));
        }
        ecs_query_fini(q);
        snprintf(expr, sizeof expr, "Tag, Tag(cascade|desc In%d)", (int)i);
        q = query_expr(scene, expr);
        ecs_remove_pair(world, e[1], in, e[2]);
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_true(ecs_query_next(&it)); // two of depth 1, none deeper
        assert_int_equal(ecs_iter_get_group(&it), 1);
        assert_int_equal(1 + ecs_iter_count(&it), 2);
        ecs_query_fini(q);
        for (int k = 0; k < 4; k++) ecs_delete(world, e[k]);
    }
}

// Q-CAS-06. Where some entity has a parent by component, the term is searched.
static void depths_of_a_search_follow_parents(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t root = make(world, "root", "Position"), top = make(world, "top", NULL),
                 loose = make(world, "loose", NULL);
    ecs_entity_t low = make(world, "low", NULL);
    ecs_add_pair(world, low, EcsChildOf, top);
    for (int by_component = 0; by_component < 2; by_component++) {
        ecs_query_t *q = cascade(scene, "Position(cascade)");
        ecs_set(world, loose, EcsParent, { make(world, "elsewhere", NULL) });
        assert_results(q, "");
        if (by_component)
            ecs_set(world, top, EcsParent, { root });
        else
            ecs_add_pair(world, top, EcsChildOf, root);
        ecs_iter_t it = ecs_query_iter(world, q);
        for (uint64_t depth = 1; ecs_query_next(&it); depth++) {
            assert_int_equal(it.entities[0], depth == 1 ? top : low);
            assert_int_equal(ecs_iter_get_group(&it), depth);
            assert_int_equal(it.count, 1);
        }
        ecs_query_fini(q);
        ecs_remove_pair(world, top, EcsChildOf, root);
        ecs_remove(world, top, EcsParent);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(depth_is_counted_in_relationships_beside_tables),
        BOTH(parents_come_before_their_children),
        BOTH(without_optional_roots_are_left_out_and_desc_reverses),
        BOTH(older_spellings_mean_the_same),
        BOTH(depth_counts_in_the_relationship_of_the_term),
        BOTH(a_subtree_that_moves_changes_its_place),
        BOTH(depths_of_a_search_follow_parents),
        BOTH(results_of_joins_come_by_depth),
        ONE(a_cascade_and_group_by_exclude_each_other, cached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
