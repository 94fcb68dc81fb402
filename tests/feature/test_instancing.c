// SPDX-License-Identifier: MIT
// Results that mix own and shared values: features.md area Q-INS, D-30.
#include "query_scene.h"

static void make_instances(ecs_world_t *world) {
    ecs_entity_t base = make(world, "base", "Prefab");
    ecs_set(world, base, Mass, { 10 });
    const char *names[] = { "inst_1", "inst_2", "ent_1", "ent_2" };
    for (int i = 0; i < 4; i++) {
        ecs_entity_t e = make(world, names[i], NULL);
        if (i < 2) ecs_add_pair(world, e, EcsIsA, base);
        ecs_set(world, e, Position, { (float)i, 0 });
        if (i >= 2) ecs_set(world, e, Mass, { i * 10 });
    }
}

// Q-INS-01, Q-INS-02, Q-INS-05, Q-INS-06
static void shared_values_come_entity_by_entity(void **state) {
    scene_t *scene = *state;
    make_instances(scene->world);
    ecs_query_t *q = query_expr(scene, "Position, Mass");
    assert_results(q,
        "inst_1: Position, Mass@base | inst_2: Position, Mass@base | ent_1 ent_2: Position, Mass");
    double expected[] = { 10, 10, 20, 30 };
    int n = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    while (ecs_query_next(&it)) {
        const Position *p = ecs_field(&it, Position, 0);
        const Mass *m = ecs_field(&it, Mass, 1);
        for (int i = 0; i < it.count; i++, n++) {
            assert_float_equal(m[i].value, expected[n], 0);
            assert_float_equal(p[i].x, n, 0);
        }
    }
    assert_int_equal(n, 4);
    ecs_query_fini(q);
}

// Q-INS-03, Q-INS-04, Q-INS-07
static void instanced_results_come_per_table(void **state) {
    scene_t *scene = *state;
    make_instances(scene->world);
    const char *expected = "inst_1 inst_2: Position, Mass@base | ent_1 ent_2: Position, Mass";
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .expr = "Position, Mass", .instanced = true });
    assert_results(q, expected);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_false(ecs_field_is_self(&it, 1));
    assert_true(ecs_query_next(&it));
    assert_true(ecs_field_is_self(&it, 1));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    q = query_expr(scene, "Position, Mass");
    it = ecs_query_iter(scene->world, q);
    it.flags |= EcsIterInstanced;
    assert_iter(&it, expected);
    ecs_query_fini(q);
}

static void the_world_can_make_all_queries_instanced(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = ecs_mini();
    ecs_set_defaults(world, &(ecs_defaults_t){ .on_instantiate = EcsInherit, .instanced = true });
    ecs_id(Position) = ecs_id(Mass) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Mass);
    make_instances(world);
    scene_t inner = { world, scene->kind };
    ecs_query_t *q = query_expr(&inner, "Position, Mass");
    assert_results(q, "inst_1 inst_2: Position, Mass@base | ent_1 ent_2: Position, Mass");
    ecs_query_fini(q);
    ecs_fini(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(shared_values_come_entity_by_entity),
        BOTH(instanced_results_come_per_table),
        BOTH(the_world_can_make_all_queries_instanced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
