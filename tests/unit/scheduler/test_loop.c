// SPDX-License-Identifier: MIT
#include "support/test.h"

#include <muster/scheduler/pool.h>
#include <string.h>

typedef struct record_t {
    uint8_t ran[2000];
    int64_t count, grain;
    int wrong; /* parts that are empty, misaligned or outside */
} record_t;

static void mark(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    record_t *record = ctx;
    bool is_right = begin >= 0 && begin < end && end <= record->count && worker >= 0 &&
                    begin % record->grain == 0 &&
                    (end % record->grain == 0 || end == record->count);
    if (!is_right) __atomic_fetch_add(&record->wrong, 1, __ATOMIC_RELAXED);
    for (int64_t i = begin; i < end; i++) record->ran[i]++;
}

// THR-01
static void every_item_runs_once_in_aligned_parts(void **unused) {
    (void)unused;
    static record_t record;
    static const int64_t counts[] = { 0, 1, 2, 3, 63, 64, 65, 999, 2000 },
                         grains[] = { 1, 2, 7, 64, 5000 };
    for (int32_t workers = 1; workers <= 6; workers++) {
        sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = workers });
        for (uint64_t round = 0; round < 4 * 9 * 5; round++) {
            memset(&record, 0, sizeof record);
            record.count = counts[round % 9];
            record.grain = grains[round / 9 % 5];
            sched_pool_set_shuffle(pool, round / 45);
            sched_parallel_for(pool, record.count, record.grain, mark, &record);
            assert_int_equal(record.wrong, 0);
            for (int64_t i = 0; i < 2000; i++) assert_int_equal(record.ran[i], i < record.count);
            assert_null(sched_pool_verify(pool));
        }
        sched_pool_destroy(pool);
    }
}

static void count_calls(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end, (void)worker;
    __atomic_fetch_add((int *)ctx, 1, __ATOMIC_RELAXED);
}

static void tiny_loops_stay_on_the_caller_once_known(void **unused) {
    (void)unused;
    sched_pool_t *pool =
        sched_pool_create(&(sched_pool_desc_t){ .workers = 2, .inline_ns = 100000 });
    int calls = 0;
    for (int i = 0; i < 20; i++) sched_parallel_for(pool, 2, 1, count_calls, &calls); /* learn */
    int64_t wakes = sched_pool_stats(pool).wakes;
    calls = 0;
    for (int i = 0; i < 200; i++) sched_parallel_for(pool, 2, 1, count_calls, &calls);
    assert_in_range(
        calls, 200, 220); /* one call for both items; an interrupt may make it look slow once */
    assert_in_range(sched_pool_stats(pool).wakes - wakes, 0, 10);
    sched_pool_destroy(pool);
}

static void negative_counts_and_grains_are_harmless(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2 });
    int calls = 0;
    sched_parallel_for(pool, -1, 1, count_calls, &calls);
    sched_parallel_for(pool, INT64_MIN, 1, count_calls, &calls);
    assert_int_equal(calls, 0);
    static record_t record = { .count = 10, .grain = 1 };
    sched_parallel_for(pool, 10, -3, mark, &record);
    assert_int_equal(record.wrong, 0);
    sched_pool_destroy(pool);
}

typedef struct nested_t {
    sched_pool_t *pool;
    int *calls;
    int depth;
} nested_t;

static void begin_another(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const nested_t *nested = ctx;
    nested_t inner = { nested->pool, nested->calls, nested->depth - 1 };
    (void)worker;
    __atomic_fetch_add(nested->calls, (int)(end - begin), __ATOMIC_RELAXED);
    if (!begin && nested->depth) sched_parallel_for(nested->pool, 3, 1, begin_another, &inner);
}

// Where more loops run, one inside another, than the pool has slots the innermost are not shared.
static void loops_may_be_nested_deeply(void **unused) {
    (void)unused;
    for (int32_t workers = 1; workers <= 3; workers++) {
        sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = workers });
        sched_pool_set_shuffle(pool, (uint64_t)workers); /* all are shared */
        int calls = 0;
        nested_t outermost = { pool, &calls, 150 };
        sched_parallel_for(pool, 3, 1, begin_another, &outermost);
        assert_int_equal(calls, 3 * 151);
        assert_null(sched_pool_verify(pool));
        sched_pool_destroy(pool);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_runs_once_in_aligned_parts),
        cmocka_unit_test(tiny_loops_stay_on_the_caller_once_known),
        cmocka_unit_test(negative_counts_and_grains_are_harmless),
        cmocka_unit_test(loops_may_be_nested_deeply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
