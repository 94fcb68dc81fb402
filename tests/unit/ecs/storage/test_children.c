// SPDX-License-Identifier: MIT
// White-box tests of ecs/src/storage/children.c.
#include "storage/children.h"

#include <string.h>

#include "support/random.h"
#include "support/world.h"
#include "world/state.h"

enum { MANY = 40, ROUNDS = 2000 };

static ecs_entity_t model[ROUNDS * MANY];
static int32_t model_count;

static ecs_entity_t take_from_model(int32_t at) {
    const ecs_entity_t child = model[at];
    model_count--;
    memmove(&model[at], &model[at + 1], sizeof(ecs_entity_t) * (size_t)(model_count - at));
    return child;
}

static void check_order(ecs_world_t *world, ecs_entity_t parent) {
    const ecs_entities_t list = ecs_get_ordered_children(world, parent);
    assert_int_equal(list.count, model_count);
    for (int32_t i = 0; i < model_count; i++) assert_true(list.ids[i] == model[i]);
}

static void add_child(ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child, bool by_value) {
    if (by_value)
        ecs_set(world, child, EcsParent, { parent });
    else
        ecs_add_pair(world, child, EcsChildOf, parent);
    model[model_count++] = child;
}

// Leaves for ever, for a while, or gets another generation.
static void change_some(ecs_world_t *world, ecs_entity_t parent, random_t *random, bool by_value) {
    const int32_t what = random_below(random, 4), at = random_below(random, model_count);
    const ecs_entity_t child = what == 3 ? model[at] : take_from_model(at);
    switch (what) {
    case 0: ecs_delete(world, child); break;
    case 3:
        model[at] = ECS_GENERATION_INC(child);
        ecs_set_version(world, model[at]);
        break;
    default:
        if (by_value)
            ecs_remove(world, child, EcsParent);
        else
            ecs_remove_pair(world, child, EcsChildOf, parent);
        if (what == 1) add_child(world, parent, child, by_value);
    }
}

static void whoever_leaves_is_dropped_once(void **state) {
    random_t random = random_init(random_seed());
    ecs_world_t *world = *state;
    for (int by_value = 0; by_value < 2; by_value++) {
        const ecs_entity_t parent = ecs_new_w_id(world, EcsOrderedChildren);
        model_count = 0;
        for (int32_t round = 0; round < ROUNDS; round++) {
            while (model_count < MANY) add_child(world, parent, ecs_new(world), by_value);
            for (int32_t i = random_below(&random, 14); i >= 0; i--) {
                change_some(world, parent, &random, by_value);
                if (round % 100 == 0) assert_true(ecs_world_verify(world));
            }
            check_order(world, parent);
        }
    }
}

// Reading the list after a few left does not ask all others whether they are children still.
static void a_few_that_leave_are_noted(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t parent = ecs_new_w_id(world, EcsOrderedChildren);
    model_count = 0;
    for (int32_t i = 0; i < MANY; i++) add_child(world, parent, ecs_new(world), false);
    const ecs__children_t *list = ecs__children_get(&world->store, parent);
    for (int32_t i = 0; i < ECS__CHILDREN_FEW; i++) {
        ecs_delete(world, take_from_model(3));
        assert_true(!list->stale && list->lost_count == i + 1);
    }
    check_order(world, parent);
    assert_int_equal(list->lost_count, 0);
    for (int32_t i = 0; i <= ECS__CHILDREN_FEW; i++) ecs_delete(world, take_from_model(1));
    assert_true(list->stale);
    check_order(world, parent);
    assert_false(list->stale);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(whoever_leaves_is_dropped_once),
        mini_world_test(a_few_that_leave_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
