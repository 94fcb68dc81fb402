// SPDX-License-Identifier: MIT
// Plans as made by query/plan/compile.c: what is recognised as simple, and which id a cache listens
// to.
#include "support/test.h"

#include <muster/ecs/ecs.h>

#include "query/query.h"
#include "world/state.h"

typedef struct scene_t {
    ecs_world_t *world;
    ecs_query_t *query;
} scene_t;

static int setup(void **state) {
    static scene_t scene;
    scene.world = ecs_mini();
    static const char *const names[] = { "A", "B", "C", "Likes" };
    for (int i = 0; i < 4; i++)
        ecs_entity_init(scene.world, &(ecs_entity_desc_t){ .name = names[i] });
    *state = &scene;
    return 0;
}

static int teardown(void **state) { return ecs_fini(((scene_t *)*state)->world); }

static const ecs__plan_t *plan_of(scene_t *scene, const char *expr) {
    scene->query = ecs_query_init(
        scene->world, &(ecs_query_desc_t){ .expr = expr, .cache_kind = EcsQueryCacheNone });
    assert_non_null(scene->query);
    return &ecs__query_of(scene->query)->program->plan;
}

static void conditions_on_constants_come_first(void **state) {
    scene_t *scene = *state;
    const ecs__plan_t *plan = plan_of(scene, "A, B(C), !A(C), ?B");
    assert_int_equal(plan->scan, 2);
    assert_int_equal(plan->count, 5);
    assert_int_equal(plan->ops[0].code, ECS__OP_WITH);
    assert_int_equal(plan->ops[1].code, ECS__OP_WITHOUT);
    assert_int_equal(plan->ops[2].code, ECS__OP_SCAN);
    assert_int_equal(plan->ops[4].code, ECS__OP_OPTIONAL);
    ecs_query_fini(scene->query);
}

static void alternatives_lie_behind_their_operation(void **state) {
    scene_t *scene = *state;
    const ecs__plan_t *plan = plan_of(scene, "A || B || C, Likes");
    assert_int_equal(plan->ops[1].code, ECS__OP_EITHER);
    assert_int_equal(plan->ops[1].count, 3);
    assert_int_equal(plan->ops[1].next, 5);
    assert_int_equal(plan->ops[5].previous, 1);
    assert_int_equal(plan->ops[5].next, plan->count);
    ecs_query_fini(scene->query);
}

static void a_plan_of_own_ids_is_plain(void **state) {
    scene_t *scene = *state;
    struct {
        const char *expr;
        bool plain, own;
    } cases[] = {
        { "A, B", true, false }, /* inheritance by default goes up */
        { "A($this|self), B($this|self)", true, true },
        { "A, !B", false, false },
        { "(Likes, *)", false, false },
        { "A(up ChildOf)", false, false },
        { "A, B(C)", false, false },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const ecs__plan_t *plan = plan_of(scene, cases[i].expr);
        assert_int_equal(plan->plain, cases[i].plain);
        assert_int_equal(plan->own, cases[i].own);
        ecs_query_fini(scene->query);
    }
}

static void bases_matter_only_once_something_inherits(void **state) {
    scene_t *scene = *state;
    const ecs__plan_t *plan = plan_of(scene, "A, B");
    assert_true(ecs__plan_is_plain_now(plan));
    ecs_entity_t base = ecs_new(scene->world), a = ecs_lookup(scene->world, "A");
    ecs_add_pair(scene->world, ecs_new(scene->world), EcsIsA, base);
    assert_true(ecs__plan_is_plain_now(plan)); /* nothing of this */
    ecs_add_id(scene->world, base, a);
    assert_false(ecs__plan_is_plain_now(plan));
    ecs_remove_id(scene->world, base, a);
    ecs_new_w_pair(
        scene->world, EcsChildOf, ecs_new_w_id(scene->world, a)); /* above, but no base */
    ecs_add_id(scene->world, ecs_new_w_id(scene->world, a), ecs_lookup(scene->world, "B"));
    assert_true(ecs__plan_is_plain_now(plan));
    ecs_query_fini(scene->query);
}

static void the_rarest_id_is_the_key(void **state) {
    scene_t *scene = *state;
    ecs_entity_t a = ecs_lookup(scene->world, "A"), b = ecs_lookup(scene->world, "B");
    ecs_add_id(scene->world, ecs_new_w_id(scene->world, a), b);
    const ecs__plan_t *plan = plan_of(scene, "A, B");
    int32_t key = ecs__plan_rarest(plan, true);
    assert_true(plan->ops[key].id == b);
    ecs_query_fini(scene->query);
    plan = plan_of(scene, "!A, ?B, A || B");
    assert_int_equal(plan->ops[ecs__plan_rarest(plan, true)].code, ECS__OP_EITHER);
    ecs_query_fini(scene->query);
    plan = plan_of(scene, "!A, ?B, A || B(self|up ChildOf)");
    assert_int_equal(ecs__plan_rarest(plan, true), -1);
    assert_int_equal(plan->ops[ecs__plan_rarest(plan, false)].code, ECS__OP_EITHER);
    ecs_query_fini(scene->query);
    plan = plan_of(scene, "A(up ChildOf)");
    assert_true(ecs__op_key(&plan->ops[ecs__plan_rarest(plan, true)])->id ==
                ecs_pair(EcsChildOf, EcsWildcard));
    ecs_query_fini(scene->query);
}

static void records_are_held_as_long_as_the_plan_lives(void **state) {
    scene_t *scene = *state;
    ecs__store_t *store = ecs__store_of(scene->world);
    ecs_id_t pair = ecs_pair(ecs_lookup(scene->world, "Likes"), ecs_lookup(scene->world, "C"));
    assert_null(ecs__id_record_get(store, pair));
    plan_of(scene, "(Likes, C)");
    assert_int_equal(ecs__id_record_get(store, pair)->query_count, 1);
    ecs_query_fini(scene->query);
    assert_null(ecs__id_record_get(store, pair));
    assert_null(
        ecs__id_record_get(store, ecs_pair(ecs_lookup(scene->world, "Likes"), EcsWildcard)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(conditions_on_constants_come_first, setup, teardown),
        cmocka_unit_test_setup_teardown(alternatives_lie_behind_their_operation, setup, teardown),
        cmocka_unit_test_setup_teardown(a_plan_of_own_ids_is_plain, setup, teardown),
        cmocka_unit_test_setup_teardown(bases_matter_only_once_something_inherits, setup, teardown),
        cmocka_unit_test_setup_teardown(the_rarest_id_is_the_key, setup, teardown),
        cmocka_unit_test_setup_teardown(
            records_are_held_as_long_as_the_plan_lives, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
