// SPDX-License-Identifier: MIT
// Ranges of entity ids that the user chooses.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static void new_ids_come_from_the_active_range(void **state) {
    ecs_world_t *world = *state;
    assert_null(ecs_entity_range_get(world));
    const ecs_entity_range_t *a = ecs_entity_range_new(world, 5000, 5999);
    const ecs_entity_range_t *b = ecs_entity_range_new(world, 10000, 0);
    assert_int_equal(a->min, 5000);
    assert_int_equal(a->max, 5999);
    const ecs_entity_range_t *first = ecs_entity_range_get(world);
    assert_int_equal(first->min, 1);
    assert_int_equal(first->max, 4999);
    ecs_entity_t before = ecs_new(world);
    assert_true(before < 5000);
    ecs_entity_range_set(world, a);
    assert_ptr_equal(ecs_entity_range_get(world), a);
    assert_int_equal(ecs_new(world), 5000);
    assert_int_equal(ecs_entity(world, { .name = "named" }), 5001);
    assert_int_equal(ecs_entity_range_get(world)->cur, 5001);
    ecs_new(world);
    ecs_entity_range_set(world, b);
    assert_int_equal(a->cur, 5002); /* as it was left */
    const ecs_entity_t *many = ecs_bulk_new_w_id(world, 0, 100);
    assert_int_equal(many[0], 10000);
    assert_int_equal(many[99], 10099);
    ecs_entity_range_set(world, first);
    assert_int_equal(ecs_new(world), before + 1);
    assert_int_equal(ecs_get_max_id(world), 10099);
    ecs_entities_t all = ecs_get_entities(world);
    assert_int_equal(all.ids[all.alive_count - 1], 10099);
}

static void a_deleted_id_goes_back_to_its_range(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_range_t *a = ecs_entity_range_new(world, 5000, 5999);
    const ecs_entity_range_t *b = ecs_entity_range_new(world, 6000, 6999);
    const ecs_entity_range_t *first = ecs_entity_range_get(world);
    ecs_entity_range_set(world, a);
    ecs_entity_t e = ecs_new(world), kept = ecs_new(world);
    ecs_entity_range_set(world, b);
    ecs_delete(world, e);
    assert_int_equal(ecs_new(world), 6000);
    ecs_entities_t all = ecs_get_entities(world);
    assert_int_equal(all.count, all.alive_count + 1);
    ecs_entity_range_set(world, a);
    assert_int_equal(ecs_entity_range_get(world)->recycled.count, 1);
    assert_int_equal(ecs_new(world), 5000 | 1ull << 32);
    assert_int_equal(ecs_new(world), kept + 1);
    ecs_entity_range_set(world, first);
    ecs_make_alive(world, 6500);
    ecs_make_alive(world, 5003);
    ecs_make_alive(world, 20000); /* in no range */
    ecs_delete(world, 20000);
    ecs_entity_range_set(world, a);
    assert_int_equal(ecs_new(world), 5004);
    assert_true(ecs_world_verify(world));
    ecs_delete(world, kept);
    ecs_delete(world, 6500);
    ecs_entity_range_set(world, b);
    assert_int_equal(ecs_new(world), 6500 | 1ull << 32);
    assert_int_equal(ecs_new(world), 6001);
}

static void ranges_are_made_in_time_and_do_not_overlap(void **state) {
    ecs_world_t *world = *state;
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 0, 100));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 5000, 4000));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 1, 300)); /* used ones above */
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 300, 0));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_set(world, NULL));
    ecs_delete(world, ecs_new(world));
    expect_abort(ECS_INVALID_OPERATION, ecs_entity_range_new(world, 5000, 0));
    ecs_new(world);
    const ecs_entity_range_t *first = ecs_entity_range_new(world, 1, 9999);
    assert_ptr_equal(ecs_entity_range_get(world), first);
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 9999, 20000));
    const ecs_entity_range_t *second = ecs_entity_range_new(world, 10000, 10002);
    assert_non_null(second);
    ecs_entity_t e = ecs_new(world);
    ecs_entity_range_set(world, second);
    ecs_delete(world, e); /* of a range that is not active */
    expect_abort(ECS_INVALID_OPERATION, ecs_entity_range_new(world, 20000, 0));
    ecs_readonly_begin(world, false);
    expect_abort(ECS_INVALID_WHILE_READONLY, ecs_entity_range_set(world, first));
    ecs_readonly_end(world);
}

// Ids of no range are not given to a new one, where they would be issued again.
static void ids_outside_of_all_ranges_stay_there(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_range_new(world, 1, 1000);
    ecs_make_alive(world, 5000);
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 4000, 6000));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 5000, 0));
    ecs_delete(world, 5000);
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_range_new(world, 5000, 5000));
    assert_non_null(ecs_entity_range_new(world, 4000, 4999));
    ecs_entity_range_set(world, ecs_entity_range_new(world, 5001, 6000));
    ecs_make_alive(world, 5000 | 1ull << 32);
    assert_int_equal(ecs_new(world), 5001);
    assert_true(ecs_world_verify(world));
}

static void assert_last(const ecs_world_t *world, const ecs_entity_t *last, int count) {
    ecs_entities_t all = ecs_get_entities(world);
    for (int i = 0; i < count; i++) assert_int_equal(all.ids[all.alive_count - count + i], last[i]);
    assert_int_equal(ecs_get_max_id(world), last[count - 1]);
    assert_true(ecs_world_verify(world));
}

// What is between ids is passed, whether it is of a range or not.
static void far_ids_are_listed_in_their_order(void **state) {
    ecs_world_t *world = *state;
    ecs_make_alive(world, 70000);
    ecs_entity_range_t const *far = ecs_entity_range_new(world, 3000000000, 3000000010);
    ecs_entity_range_new(world, 3500000000, 0);
    ecs_make_alive(world, 4000000000);
    ecs_make_alive(world, UINT32_MAX - 1);
    ecs_make_alive(world, 3400000000);
    ecs_entity_range_set(world, far);
    ecs_new(world);
    assert_last(
        world, (ecs_entity_t[]){ 70000, 3000000000, 3400000000, 4000000000, UINT32_MAX - 1 }, 5);
    expect_abort(ECS_OUT_OF_RANGE, ecs_make_alive(world, UINT32_MAX));
    ecs_delete(world, 3400000000);
    assert_last(world, (ecs_entity_t[]){ 3000000000, 4000000000, UINT32_MAX - 1 }, 3);
}

static void a_used_up_range_is_an_error(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_range_t *range = ecs_entity_range_new(world, 5000, 5002);
    ecs_entity_range_set(world, range);
    ecs_entity_t last = 0;
    for (int i = 0; i < 3; i++) last = ecs_new(world);
    assert_int_equal(last, 5002);
    expect_abort(ECS_OUT_OF_RANGE, ecs_new(world));
    ecs_delete(world, 5001);
    assert_int_equal(ecs_new(world), 5001 | 1ull << 32);
}

typedef struct Counter {
    int32_t value;
} Counter;

static void spawn(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_new_w_id(it->world, EcsModule);
}

// Jobs take ids of the active range, the same ones for any number of workers.
static void jobs_take_ids_of_the_active_range(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int threads = 1; threads <= 2; threads++) {
        ecs_world_t *world = ecs_init();
        ECS_COMPONENT(world, Counter);
        for (int i = 0; i < 3000; i++) ecs_set(world, ecs_new(world), Counter, { i });
        ecs_system(
            world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                       .query.terms = { { ecs_id(Counter) } },
                       .callback = spawn,
                       .multi_threaded = true });
        ecs_entity_range_set(world, ecs_entity_range_new(world, 1000000, 2000000));
        ecs_set_threads(world, threads);
        ecs_progress(world, 1);
        ecs_progress(world, 1);
        ecs_iter_t it = ecs_each_id(world, EcsModule);
        int32_t found = 0;
        while (ecs_each_next(&it)) {
            for (int32_t i = 0; i < it.count; i++) found += it.entities[i] >= 1000000;
        }
        assert_int_equal(found, 6000);
        hashes[threads - 1] = ecs_world_hash(world);
        assert_true(ecs_world_verify(world));
        ecs_fini(world);
    }
    assert_hash_equal(hashes[1], hashes[0]);
}

static void entities_deleted_together_go_back_to_their_ranges(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), mixed[40];
    const ecs_entity_range_t *ranges[] = { ecs_entity_range_new(world, 5000, 5999),
        ecs_entity_range_new(world, 10000, 0) };
    for (int i = 0; i < 40; i++) {
        ecs_entity_range_set(world, ranges[i % 2]);
        mixed[i] = ecs_new_w_id(world, tag);
    }
    for (int how = 0; how < 2; how++) {
        ecs_defer_begin(world); /* a run of deletes is one change */
        for (int i = 0; i < 40 && how; i++) ecs_delete(world, mixed[i]);
        if (!how) ecs_delete_with(world, tag);
        ecs_defer_end(world);
        for (int i = 0; i < 40; i++) {
            ecs_entity_range_set(world, ranges[i % 2]);
            ecs_entity_t again = ecs_new_w_id(world, tag);
            assert_true(i % 2 ? (uint32_t)again >= 10000 && (uint32_t)again < 10020
                              : (uint32_t)again >= 5000 && (uint32_t)again < 5020);
            assert_false(ecs_is_alive(world, mixed[i]));
            mixed[i] = again;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(new_ids_come_from_the_active_range),
        world_test(a_deleted_id_goes_back_to_its_range),
        world_test(ranges_are_made_in_time_and_do_not_overlap),
        world_test(ids_outside_of_all_ranges_stay_there),
        world_test(far_ids_are_listed_in_their_order),
        world_test(a_used_up_range_is_an_error),
        cmocka_unit_test(jobs_take_ids_of_the_active_range),
        world_test(entities_deleted_together_go_back_to_their_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
