// SPDX-License-Identifier: MIT
// What systems access without declaring it is named (debug builds).
#include "support/world.h"

#include "support/abort.h"

typedef struct Position {
    float x;
} Position;
typedef struct Velocity {
    float x;
} Velocity;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ecs_entity_t other;
static ecs_query_t *others;

enum action { GET_OWN, GET_OTHER, GET_MUT_OWN, REF_OTHER, QUERY, SET_OTHER };

static void act(ecs_iter_t *it) {
    enum action action = *(enum action *)it->ctx;
    ecs_entity_t own = it->entities[0];
    if (action == GET_OWN) ecs_get(it->world, own, Velocity);
    if (action == GET_OTHER) ecs_get(it->world, other, Velocity);
    if (action == GET_MUT_OWN) ecs_get_mut(it->world, own, Velocity);
    if (action == REF_OTHER) {
        ecs_ref_t ref = ecs_ref_init(it->world, other, Velocity);
        ecs_ref_get(it->world, &ref, Velocity);
    }
    if (action == QUERY) {
        ecs_iter_t inner = ecs_query_iter(it->world, others);
        while (ecs_query_next(&inner)) {}
    }
    if (action == SET_OTHER) ecs_set(it->world, other, Velocity, { 2 });
}

// One tick with a system Move that has these terms and does this.
static void tick(const char *terms, enum action action) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    other = ecs_entity(world, { .name = "Other" });
    ecs_set(world, other, Velocity, { 1 });
    ecs_entity_t own = ecs_entity(world, { .name = "Own" });
    ecs_set(world, own, Position, { 1 });
    ecs_set(world, own, Velocity, { 1 });
    others = ecs_query(world, { .expr = "[in] Velocity" });
    ecs_system(world, { .entity = ecs_entity(
                            world, { .name = "Move", .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.expr = terms,
                          .callback = act,
                          .ctx = &action,
                          .multi_threaded = true });
    ecs_set_access_checks(world, true);
    ecs_progress(world, 1);
    ecs_set_access_checks(world, false);
    ecs_progress(world, 1);
    ecs_fini(world);
}

static void declared_access_is_fine(void **state) {
    (void)state;
    tick("Position, [in] Velocity", GET_OWN);
    tick("Position, Velocity", GET_MUT_OWN);
    tick("Position, [in] Velocity()", GET_OTHER);
    tick("Position, [in] Velocity(Other)", GET_OTHER);
    tick("Position, [inout] Velocity(Other)", REF_OTHER);
    tick("Position, [in] Velocity()", QUERY);
    tick("Position", SET_OTHER); /* a command */
}

static void undeclared_access_names_system_component_and_call(void **state) {
    (void)state;
    expect_abort_saying(ECS_ACCESS_VIOLATION, "system Move reads Velocity of Own with ecs_get",
        tick("Position", GET_OWN));
    expect_abort_saying(ECS_ACCESS_VIOLATION, "system Move writes Velocity of Own with ecs_get_mut",
        tick("Position, [in] Velocity", GET_MUT_OWN));
    expect_abort_saying(ECS_ACCESS_VIOLATION, "add the term [in] Velocity()",
        tick("Position, [in] Velocity", GET_OTHER));
    expect_abort_saying(ECS_ACCESS_VIOLATION, "writes Velocity of Other with ecs_ref_get",
        tick("Position, [in] Velocity(Other)", REF_OTHER));
    expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity with a query of its own",
        tick("Position, [in] Velocity", QUERY));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_access_is_fine),
        cmocka_unit_test(undeclared_access_names_system_component_and_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
