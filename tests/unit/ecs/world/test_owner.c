// SPDX-License-Identifier: MIT
// world/owner.c: exclusive access, readonly worlds, read and write access of entities.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static ecs_entity_t tag;

static void *add_from_thread(void *world) {
    ecs_add_id(world, tag, tag);
    return NULL;
}
static void *read_from_thread(void *world) {
    return (void *)(uintptr_t)ecs_has_id(world, tag, tag);
}

static ecs_query_t *query;
static void *iterate_from_thread(void *world) {
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {}
    return NULL;
}

static void run_on_thread(ecs_os_thread_callback_t callback, ecs_world_t *world) {
    ecs_os_thread_join(ecs_os_thread_new(callback, world));
}

static void exclusive_access_binds_to_a_thread(void **state) {
    ecs_world_t *world = *state;
    tag = ecs_new(world);
    query = ecs_query(world, { .terms = { { .id = tag } } });
    ecs_exclusive_access_begin(world, "main");
    ecs_add_id(world, ecs_new(world), tag);
    expect_abort_saying(ECS_ACCESS_VIOLATION, "main", run_on_thread(add_from_thread, world));
    expect_abort(ECS_ACCESS_VIOLATION, run_on_thread(read_from_thread, world));
    expect_abort_saying(ECS_ACCESS_VIOLATION, "main", run_on_thread(iterate_from_thread, world));
    expect_abort(ECS_ACCESS_VIOLATION, ecs_exclusive_access_begin(world, "again"));
    ecs_exclusive_access_end(world, true);
    expect_abort_saying(ECS_ACCESS_VIOLATION, "locked", ecs_add_id(world, tag, tag));
    run_on_thread(read_from_thread, world); /* reading is allowed */
    run_on_thread(iterate_from_thread, world);
    ecs_exclusive_access_begin(ecs_get_stage(world, 0), "stage"); /* the world of the stage */
    expect_abort_saying(ECS_ACCESS_VIOLATION, "stage", run_on_thread(add_from_thread, world));
    ecs_exclusive_access_end(ecs_get_stage(world, 0), false);
    run_on_thread(add_from_thread, world);
    assert_true(ecs_has_id(world, tag, tag));
    ecs_query_fini(query);
}

// What becomes of ECS_COMPONENT_DECLARE without ECS_COMPONENT_DEFINE.
static void the_id_0_is_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_entity(world, { .name = "Ship" });
    expect_abort_saying(ECS_INVALID_PARAMETER,
        "cannot set a value of entity Ship: the id is 0; components are registered",
        ecs_set_id(world, e, 0, 4, &(int32_t){ 1 }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "the id is 0", ecs_add_id(world, e, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "the id is 0", ecs_get_id(world, e, 0));
}

static void a_readonly_world_is_not_written(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_entity(world, { .name = "Ship" });
    ecs_readonly_begin(world, false);
    expect_abort_saying(ECS_INVALID_WHILE_READONLY,
        "cannot add an id to Ship through the world while it is readonly", ecs_add_id(world, e, e));
    expect_abort(ECS_INVALID_WHILE_READONLY, ecs_delete(world, e));
    ecs_world_t *stage = ecs_get_stage(world, 0);
    ecs_add_id(stage, e, e);
    assert_false(ecs_has_id(stage, e, e));
    expect_abort_saying(ECS_INVALID_WHILE_READONLY, "without a matching", ecs_defer_end(stage));
    assert_true(ecs_is_alive(world, ecs_new(stage))); /* ids can be made */
    ecs_readonly_end(world);
    assert_true(ecs_has_id(world, e, e));
    expect_abort_saying(ECS_INVALID_OPERATION, "use the world", ecs_add_id(stage, e, e));
    ecs_readonly_begin(world, true);
    expect_abort_saying(ECS_INVALID_WHILE_READONLY, "multithreaded", ecs_new(stage));
    expect_abort(ECS_INVALID_WHILE_READONLY,
        ecs_component(stage, { .type = { .size = 4, .alignment = 4 } }));
    ecs_readonly_end(world);
}

static void readers_and_writers_of_a_table_exclude_each_other(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    const ecs_record_t *read = ecs_read_begin(world, a), *read_too = ecs_read_begin(world, b);
    assert_id_equal(world, ecs_record_get_entity(read_too), b);
    expect_abort(ECS_ACCESS_VIOLATION, ecs_write_begin(world, a));
    ecs_read_end(read);
    ecs_read_end(read_too);
    ecs_record_t *write = ecs_write_begin(world, a);
    expect_abort(ECS_ACCESS_VIOLATION, ecs_read_begin(world, b));
    expect_abort(ECS_ACCESS_VIOLATION, ecs_write_begin(world, b));
    ecs_write_end(write);
    ecs_write_end(ecs_write_begin(world, b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(exclusive_access_binds_to_a_thread),
        mini_world_test(the_id_0_is_refused),
        mini_world_test(a_readonly_world_is_not_written),
        mini_world_test(readers_and_writers_of_a_table_exclude_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
