// SPDX-License-Identifier: MIT
// Queries for the children of a parent that keeps their order (api/02 5, api/03 16).
#include "query_scene.h"

static void results_follow_the_order_of_children(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t p = make(world, "p", "OrderedChildren");
    ecs_entity_t c[4];
    static const char *const names[] = { "p.a", "p.b", "p.c", "p.d" };
    for (int i = 0; i < 4; i++) c[i] = make(world, names[i], i == 2 ? "Position, Tag" : "Position");
    ecs_query_t *q = query_expr(scene, "(ChildOf, p)"),
                *with = query_expr(scene, "Position, (ChildOf, p), !Tag");
    assert_results(q, "p.a p.b: (ChildOf,p) | p.c: (ChildOf,p) | p.d: (ChildOf,p)");
    assert_results(with, "p.a p.b: Position, (ChildOf,p), -Tag | p.d: Position, (ChildOf,p), -Tag");
    ecs_set_child_order(world, p, (ecs_entity_t[]){ c[3], c[2], c[0], c[1] }, 4);
    assert_results(q, "p.d: (ChildOf,p) | p.c: (ChildOf,p) | p.a p.b: (ChildOf,p)");
    assert_results(with, "p.d: Position, (ChildOf,p), -Tag | p.a p.b: Position, (ChildOf,p), -Tag");
    ecs_delete(world, c[2]);
    make(world, "p.e", "Prefab");
    assert_results(q, "p.d: (ChildOf,p) | p.a p.b: (ChildOf,p)");
    ecs_iter_t it;
    assert_true(ecs_query_has(with, c[3], &it));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    ecs_query_fini(with);
}

static void the_order_may_begin_after_the_query(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t p = make(world, "p", NULL), a = make(world, "p.a", "Tag"),
                 b = make(world, "p.b", "Npc");
    ecs_query_t *q = query_expr(scene, "(ChildOf, p)");
    assert_results(q, "p.a: (ChildOf,p) | p.b: (ChildOf,p)");
    ecs_add_id(world, p, EcsOrderedChildren);
    ecs_set_child_order(world, p, (ecs_entity_t[]){ b, a }, 2);
    assert_results(q, "p.b: (ChildOf,p) | p.a: (ChildOf,p)");
    ecs_remove_id(world, p, EcsOrderedChildren);
    assert_results(q, "p.a: (ChildOf,p) | p.b: (ChildOf,p)");
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(results_follow_the_order_of_children),
        BOTH(the_order_may_begin_after_the_query) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
