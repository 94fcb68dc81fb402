// SPDX-License-Identifier: MIT
// White-box tests of ecs/src/storage/entity_index.c and id_reserve.c.
#include "support/test.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "storage/id_range.h"
#include "storage/id_reserve.h"
#include "storage/store.h"
#include "support/random.h"

static int setup(void **state) {
    static ecs__store_t store;
    ecs__store_init(&store, NULL, NULL);
    *state = &store;
    return 0;
}

static int teardown(void **state) {
    ecs__store_fini(*state);
    return 0;
}

static ecs_entity_t make(ecs__store_t *store) {
    ecs_entity_t entity = ecs__entity_new(&store->entities);
    ecs__store_place(store, store->root, &entity, 1);
    return entity;
}

static void destroy(ecs__store_t *store, ecs_entity_t entity) {
    const ecs__spot_t spot = ecs__entity_spot(&store->entities, entity);
    ecs__table_remove_row(spot.table, spot.row, true);
    ecs__entity_free(&store->entities, entity);
}

// ENT-01, ENT-02
static void new_ids_are_unique_and_above_the_component_range(void **state) {
    ecs__store_t *store = *state;
    ecs_entity_t previous = FLECS_HI_COMPONENT_ID;
    for (int i = 0; i < 10000; i++) {
        ecs_entity_t entity = make(store);
        assert_true(entity > previous);
        assert_true(ecs__entity_is_alive(&store->entities, entity));
        previous = entity;
    }
    assert_true(ecs__store_verify(store));
}

// ENT-12: those that were free before are, holes or not, and all of them afterwards.
static void ids_that_are_spared_are_not_recycled(void **state) {
    ecs__store_t *store = *state;
    ecs__entity_index_t *index = &store->entities;
    ecs_entity_t e[10];
    for (int i = 0; i < 10; i++) e[i] = make(store);
    for (int i = 0; i < 4; i++) destroy(store, e[i]);
    ecs__entity_claim(
        index, (ecs_entity_t)1 << 32 | e[3]); /* leaves a hole on top of the free ones */
    assert_true(ecs__entity_spare_begin(index));
    assert_false(ecs__entity_spare_begin(index));
    for (int i = 4; i < 8; i++) destroy(store, e[i]);
    ecs__entity_claim(index, (ecs_entity_t)1 << 32 | e[7]);
    assert_int_equal((uint32_t)make(store), e[2]);
    destroy(store, e[8]);
    assert_int_equal(ecs__entity_new_at(index, (uint32_t)e[8]), 0);
    assert_int_equal(ecs__entity_new_quick(index), 0);
    ecs_entity_t many[4];
    ecs__entity_new_many(index, many, 4);
    assert_int_equal((uint32_t)many[0], e[1]);
    assert_int_equal((uint32_t)many[1], e[0]);
    assert_true(many[2] > e[9] && many[3] > e[9]);
    for (int i = 0; i < 4; i++) ecs__entity_give_back(index, many[i]);
    ecs__entity_spare_end(index, false);
    assert_true(make(store) > e[9]);
    assert_true(ecs__entity_index_verify(index));
    ecs__entity_spare_end(index, true);
    bool is_used[10] = { false };
    for (int i = 0; i < 8; i++) {
        uint32_t id = (uint32_t)make(store);
        for (int k = 0; k < 10; k++) is_used[k] |= id == e[k];
    }
    for (int i = 4; i < 9; i++) assert_true(is_used[i] || i == 7);
    assert_true(ecs__store_verify(store));
}

// ENT-12
static void a_recycled_id_has_a_new_generation_and_the_stale_handle_stays_dead(void **state) {
    ecs__store_t *store = *state;
    ecs_entity_t first = make(store);
    destroy(store, first);
    assert_false(ecs__entity_is_alive(&store->entities, first));
    ecs_entity_t second = make(store);
    assert_int_equal((uint32_t)first, (uint32_t)second);
    assert_int_equal(ECS_GENERATION(second), 1);
    assert_false(ecs__entity_is_alive(&store->entities, first));
    assert_true(ecs__entity_is_alive(&store->entities, second));
    assert_true(ecs__entity_alive_id(&store->entities, (uint32_t)first) == second);
}

static void generations_wrap_after_65536_lives(void **state) {
    ecs__store_t *store = *state;
    ecs_entity_t first = make(store);
    destroy(store, first);
    for (int i = 1; i < 65536; i++) destroy(store, make(store));
    assert_true(make(store) == first);
}

static void a_claimed_id_leaves_the_free_ids(void **state) {
    ecs__store_t *store = *state;
    ecs_entity_t entities[3];
    for (int i = 0; i < 3; i++) entities[i] = make(store);
    for (int i = 0; i < 3; i++) destroy(store, entities[i]);
    ecs_entity_t wanted = (uint32_t)entities[1] | (7ull << 32);
    ecs__entity_claim(&store->entities, wanted);
    ecs__store_place(store, store->root, &wanted, 1);
    assert_true(ecs__entity_is_alive(&store->entities, wanted));
    for (int i = 0; i < 10; i++) assert_int_not_equal((uint32_t)make(store), (uint32_t)wanted);
    assert_true(ecs__store_verify(store));
}

// ENT-12: the stack does not grow, and the others come in the order in which they would have.
static void holes_among_free_ids_are_closed(void **state) {
    ecs__store_t *store = *state;
    ecs__id_pool_t *pool = &store->entities.pool;
    ecs_entity_t kept[3], e = make(store);
    for (int i = 0; i < 3; i++) kept[i] = make(store);
    for (int i = 0; i < 3; i++) destroy(store, kept[i]);
    for (int i = 0; i < 1000; i++) {
        destroy(store, e);
        e = ecs__entity_new_at(&store->entities, (uint32_t)e);
        ecs__store_place(store, store->root, &e, 1);
        assert_true(pool->free_count - pool->free_holes == 3 && pool->free_count <= 8);
    }
    assert_true(ecs__store_verify(store));
    for (int i = 2; i >= 0; i--) assert_int_equal((uint32_t)make(store), kept[i]);
    for (int i = 0; i < 1000; i++) kept[i % 3] = make(store);
    ecs__entity_index_shrink(&store->entities);
    assert_true(pool->free_size == 1);
    destroy(store, e);
    assert_true(ecs__store_verify(store));
}

static void claiming_far_ahead_leaves_the_ids_between_usable(void **state) {
    ecs__store_t *store = *state;
    ecs_entity_t far = 100000;
    ecs__entity_claim(&store->entities, far);
    ecs__store_place(store, store->root, &far, 1);
    ecs_entity_t middle = 50000, behind = 100000000; /* nothing near it was made */
    assert_false(ecs__entity_is_alive(&store->entities, middle));
    assert_false(ecs__entity_is_alive(&store->entities, behind));
    assert_true(behind >= store->entities.made);
    ecs__entity_claim(&store->entities, middle);
    ecs__store_place(store, store->root, &middle, 1);
    for (ecs_entity_t id = ECS__FIRST_USER_ENTITY; id < 100001; id++) {
        if (id != middle && id != far) assert_true(make(store) == id);
    }
    assert_true(make(store) == 100001);
    assert_true(ecs__store_verify(store));
}

// Others may be issued by number in any order, as a loader or a server says: what is left is found, and is the same as if nobody had looked.
static void gaps_are_kept_in_any_order(void **state) {
    ecs__store_t *store = *state;
    ecs__entity_index_t *index = &store->entities;
    enum { BEGIN = 20000, COUNT = 20000 };
    static bool is_issued[COUNT];
    memset(is_issued, 0, sizeof is_issued);
    random_t random = random_init(random_seed());
    ecs__entity_claim(index, BEGIN + COUNT);
    for (int tries = 0; tries < COUNT; tries++) {
        uint32_t at = (uint32_t)random_below(&random, COUNT);
        if (tries == COUNT / 2) ecs__entity_mark_issued(index, ECS__FIRST_USER_ENTITY, BEGIN);
        if (!is_issued[at]) ecs__entity_claim(index, BEGIN + at);
        is_issued[at] = true;
        if (tries % 1000 == 0)
            assert_true(ecs__id_gaps_verify(&index->pool.gaps, index->pool.high));
    }
    assert_true(index->pool.gaps.count > 4000);
    assert_true(ecs__id_gaps_bytes(&index->pool.gaps) > 4000 * 8);
    for (uint32_t at = 0; at < COUNT; at++) {
        if (is_issued[at]) assert_int_equal(ecs__id_ranges_next(index, BEGIN + at), BEGIN + at);
        const ecs__id_gap_t gap = ecs__id_gaps_find(&index->pool.gaps, BEGIN + at);
        assert_true((gap.end && gap.begin <= BEGIN + at) != is_issued[at]);
    }
    uint32_t run = 0, longest = 0, first = 0;
    for (uint32_t at = 0; at < COUNT; at++) {
        run = is_issued[at] ? 0 : run + 1;
        if (run > longest) longest = run, first = BEGIN + at + 1 - run;
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(ecs__id_gaps_find_long(&index->pool.gaps, longest + 1).end, 0);
        assert_int_equal(ecs__id_gaps_find_long(&index->pool.gaps, longest).begin, first);
    }
    for (uint32_t at = 0; at < COUNT; at++) {
        if (!is_issued[at]) assert_int_equal(ecs__entity_new(index), BEGIN + at);
    }
    assert_int_equal(index->pool.gaps.count, 0);
    assert_int_equal(ecs__entity_new(index), BEGIN + COUNT + 1);
}

// ENT-11: the list has the living first, then the recyclable.
static void the_list_of_ids_has_the_living_first(void **state) {
    ecs__store_t *store = *state;
    ecs_entity_t entities[5];
    for (int i = 0; i < 5; i++) entities[i] = make(store);
    destroy(store, entities[2]);
    int32_t count, alive;
    const ecs_entity_t *list = ecs__entity_list(&store->entities, &count, &alive);
    assert_int_equal(alive, 4);
    assert_int_equal(count, 5);
    for (int i = 0; i < 4; i++) assert_true(ecs__entity_is_alive(&store->entities, list[i]));
    assert_int_equal((uint32_t)list[4], (uint32_t)entities[2]);
}

// All ids have 100 GB of addresses; the process may have 512 MB more than it uses.
static void fewer_addresses_are_enough_for_fewer_ids(void **state) {
    ecs__store_t *store = *state;
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (!file || fscanf(file, "%lu", &pages) != 1) skip();
    fclose(file);
    pages -= store->entities.reserved_size / (size_t)sysconf(_SC_PAGESIZE);
    struct rlimit before;
    getrlimit(RLIMIT_AS, &before);
    struct rlimit limit = before;
    limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ((rlim_t)512 << 20);
    ecs__store_fini(store);
    setrlimit(RLIMIT_AS, &limit);
    for (int i = 0; i < 100; i++) { // nothing stays taken
        ecs__entity_index_t index;
        ecs__entity_index_init(&index);
        ecs__entity_index_fini(&index);
    }
    ecs__store_init(store, NULL, NULL);
    setrlimit(RLIMIT_AS, &before);
    assert_true(store->entities.reserved_size < (size_t)512 << 20);
    for (int i = 0; i < 200000; i++) assert_true(make(store));
    assert_true(ecs__store_verify(store));
}

// More than could have addresses for all ids.
static void thousands_of_worlds_have_addresses(void **state) {
    (void)state;
    enum { WORLDS = 3000, FAR = 100000 };
    static ecs__entity_index_t indices[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        ecs__entity_index_init(&indices[i]);
        ecs__entity_claim(&indices[i], FAR);
        assert_true(FAR < indices[i].made);
    }
    for (int i = 0; i < WORLDS; i++) ecs__entity_index_fini(&indices[i]);
    ecs__entity_index_init(&indices[0]);
    assert_true(indices[0].reserved_ids > UINT32_MAX);
    ecs__entity_claim(&indices[0], UINT32_MAX - 1);
    assert_true(indices[0].made == UINT32_MAX);
    ecs__entity_index_fini(&indices[0]);
}

// So that walking ids costs what is there.
static void stretches_without_ids_are_passed(void **state) {
    ecs__entity_index_t *index = &((ecs__store_t *)*state)->entities;
    uint32_t high = index->pool.high;
    ecs__entity_claim(index, 4000000000);
    assert_int_equal(ecs__id_ranges_next(index, high - 1), high - 1);
    assert_int_equal(ecs__id_ranges_next(index, high), 4000000000);
    ecs__id_range_new(index, 4000001000, 4000002000);
    assert_int_equal(ecs__id_ranges_next(index, high), 4000000000);
    assert_int_equal(ecs__id_ranges_next(index, 4000000001), 4000001000);
    assert_int_equal(ecs__id_ranges_next(index, 4000001000), 4000002001);
    assert_int_equal(ecs__id_ranges_next(index, 4000002001), UINT32_MAX);
}

// ---- reservation ----

#define SLOTS 7

// What a stretch takes: slot i takes wanted[i] ids, in any interleaving.
static void take(ecs__store_t *store, ecs__id_slots_t *slots, const int *wanted, bool backwards,
    ecs_entity_t taken[SLOTS][600]) {
    ecs__id_reserve_begin(slots, &store->entities, SLOTS);
    for (int n = 0; n < SLOTS; n++) {
        int s = backwards ? SLOTS - 1 - n : n;
        for (int i = 0; i < wanted[s]; i++) {
            taken[s][i] = ecs__id_reserve_take(slots, s);
        }
    }
    ecs__id_reserve_end(slots, true);
    for (int s = 0; s < SLOTS; s++) {
        for (int i = 0; i < wanted[s]; i++) {
            ecs__entity_issue(&store->entities, taken[s][i]);
            ecs__store_place(store, store->root, &taken[s][i], 1);
        }
    }
}

static void churn(ecs__store_t *store, bool backwards, ecs_entity_t *log, int *log_count) {
    static ecs_entity_t taken[SLOTS][600];
    ecs__id_slot_t array[SLOTS] = { 0 };
    ecs__id_slots_t slots = { .array = array };
    random_t random = random_init(random_seed());
    for (int tick = 0; tick < 60; tick++) {
        int wanted[SLOTS];
        for (int s = 0; s < SLOTS; s++) {
            wanted[s] = tick % 20 == 7 ? 500 : random_below(&random, 40);
        }
        take(store, &slots, wanted, backwards, taken);
        assert_true(ecs__store_verify(store));
        for (int s = 0; s < SLOTS; s++) {
            for (int i = 0; i < wanted[s]; i++) {
                log[(*log_count)++] = taken[s][i];
                if (i % 3) destroy(store, taken[s][i]);
            }
        }
    }
}

// THR-08 and the determinism contract: ids are distinct (place asserts it) and do not depend on the order in which slots run.
static void reserved_ids_are_distinct_and_independent_of_who_runs_first(void **state) {
    static ecs_entity_t logs[2][100000];
    int counts[2] = { 0 };
    churn(*state, false, logs[0], &counts[0]);
    ecs__store_t other;
    ecs__store_init(&other, NULL, NULL);
    churn(&other, true, logs[1], &counts[1]);
    ecs__store_fini(&other);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(logs[0], logs[1], (size_t)counts[0] * sizeof(ecs_entity_t));
}

static void a_steady_need_is_served_from_recycled_ids(void **state) {
    ecs__store_t *store = *state;
    static ecs_entity_t taken[SLOTS][600];
    ecs__id_slot_t array[SLOTS] = { 0 };
    ecs__id_slots_t slots = { .array = array };
    int wanted[SLOTS] = { 10, 0, 300, 5, 0, 0, 80 };
    uint32_t high = 0;
    for (int tick = 0; tick < 200; tick++) {
        take(store, &slots, wanted, false, taken);
        for (int s = 0; s < SLOTS; s++) {
            for (int i = 0; i < wanted[s]; i++) destroy(store, taken[s][i]);
        }
        if (tick == 5) high = store->entities.pool.high;
    }
    assert_int_equal(store->entities.pool.high, high);
}

// Slots whose need jumps take what lies idle before they take new ids.
// What was wanted at the last volley is forgotten by the next one, and who shoots is another: ids that wait are used all the same.
static void volleys_use_up_idle_ids_before_new_ones(void **state) {
    ecs__store_t *store = *state;
    static ecs_entity_t taken[SLOTS][600];
    ecs__id_slot_t array[SLOTS] = { 0 };
    ecs__id_slots_t slots = { .array = array };
    uint32_t high = 0;
    random_t random = random_init(random_seed());
    for (int tick = 0; tick < 6000; tick++) {
        int wanted[SLOTS] = { 0 };
        for (int n = 0; tick % 100 == 0 && n < 3; n++) wanted[random_below(&random, SLOTS)] = 300;
        take(store, &slots, wanted, false, taken);
        for (int s = 0; s < SLOTS; s++) {
            for (int i = 0; i < wanted[s]; i++) destroy(store, taken[s][i]);
        }
        if (tick % 100 == 0) assert_true(ecs__store_verify(store));
        if (tick == 4000) high = store->entities.pool.high;
    }
    assert_int_equal(store->entities.pool.high, high);
}

static void spikes_use_up_idle_ids_before_new_ones(void **state) {
    ecs__store_t *store = *state;
    static ecs_entity_t taken[SLOTS][600];
    ecs__id_slot_t array[SLOTS] = { 0 };
    ecs__id_slots_t slots = { .array = array };
    uint32_t high = 0;
    random_t random = random_init(random_seed());
    for (int tick = 0; tick < 3000; tick++) {
        int wanted[SLOTS] = { 0 };
        wanted[random_below(&random, SLOTS)] = 5;
        take(store, &slots, wanted, false, taken);
        for (int s = 0; s < SLOTS; s++) {
            for (int i = 0; i < wanted[s]; i++) destroy(store, taken[s][i]);
        }
        if (tick == 2000) high = store->entities.pool.high;
    }
    assert_int_equal(store->entities.pool.high, high);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            new_ids_are_unique_and_above_the_component_range, setup, teardown),
        cmocka_unit_test_setup_teardown(ids_that_are_spared_are_not_recycled, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_recycled_id_has_a_new_generation_and_the_stale_handle_stays_dead, setup, teardown),
        cmocka_unit_test_setup_teardown(generations_wrap_after_65536_lives, setup, teardown),
        cmocka_unit_test_setup_teardown(a_claimed_id_leaves_the_free_ids, setup, teardown),
        cmocka_unit_test_setup_teardown(holes_among_free_ids_are_closed, setup, teardown),
        cmocka_unit_test_setup_teardown(
            claiming_far_ahead_leaves_the_ids_between_usable, setup, teardown),
        cmocka_unit_test_setup_teardown(gaps_are_kept_in_any_order, setup, teardown),
        cmocka_unit_test_setup_teardown(the_list_of_ids_has_the_living_first, setup, teardown),
        cmocka_unit_test_setup_teardown(fewer_addresses_are_enough_for_fewer_ids, setup, teardown),
        cmocka_unit_test_setup_teardown(thousands_of_worlds_have_addresses, setup, teardown),
        cmocka_unit_test_setup_teardown(stretches_without_ids_are_passed, setup, teardown),
        cmocka_unit_test_setup_teardown(
            reserved_ids_are_distinct_and_independent_of_who_runs_first, setup, teardown),
        cmocka_unit_test_setup_teardown(spikes_use_up_idle_ids_before_new_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(volleys_use_up_idle_ids_before_new_ones, setup, teardown),
        cmocka_unit_test_setup_teardown(a_steady_need_is_served_from_recycled_ids, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
