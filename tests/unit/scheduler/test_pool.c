// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "support/test.h"

#include <muster/scheduler/pool.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static char said[600];

static void keep(const char *sentence, void *ctx) {
    (void)ctx;
    strncpy(said, sentence, sizeof said - 1);
}

static void count(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    __atomic_fetch_add((int64_t *)ctx, end - begin, __ATOMIC_RELAXED);
}

static void default_pool_has_a_worker_per_usable_processor(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(NULL);
    assert_in_range(sched_usable_cpus(), 1, 100000);
    int32_t cpus = sched_usable_cpus();
    assert_int_equal(sched_pool_worker_count(pool), cpus < 64 ? cpus : 64);
    sched_pool_destroy(pool);
}

static uintptr_t no_thread(void *(*main)(void *), void *arg, void *ctx) {
    (void)main, (void)arg, (void)ctx;
    return 0;
}

static void no_join(uintptr_t thread, void *ctx) { (void)thread, (void)ctx; }

static void threads_that_cannot_be_started_are_an_error(void **unused) {
    (void)unused;
    assert_null(sched_pool_create(&(sched_pool_desc_t){
        .workers = 3, .thread_new_fn = no_thread, .thread_join_fn = no_join, .log_fn = keep }));
    assert_memory_equal(said, "worker 1 of 3 could not be started", 34);
}

static void wrong_descriptors_are_refused_with_a_reason(void **unused) {
    (void)unused;
    assert_null(sched_pool_create(&(sched_pool_desc_t){ .workers = 65, .log_fn = keep }));
    assert_string_equal(said, "the pool was not created: workers must be 0 to 64");
    assert_null(sched_pool_create(&(sched_pool_desc_t){ .workers = -1, .log_fn = keep }));
    sched_pool_desc_t half = { .free_fn = (void (*)(void *, void *))(uintptr_t)1, .log_fn = keep };
    assert_null(sched_pool_create(&half));
    assert_string_equal(
        said, "the pool was not created: malloc_fn and free_fn must be set together");
    half = (sched_pool_desc_t){ .thread_new_fn = no_thread, .log_fn = keep };
    assert_null(sched_pool_create(&half));
    assert_string_equal(
        said, "the pool was not created: thread_new_fn and thread_join_fn must be set together");
}

static void *index_of(void *pool) { return (void *)(intptr_t)sched_worker_index(pool); }

static void *misuse(void *pool) {
    int64_t sum = 0;
    sched_parallel_for(pool, 10, 1, count, &sum);
    return (void *)(intptr_t)sum;
}

static void *adopt_and_use(void *pool) {
    sched_pool_adopt(pool);
    int64_t sum = 0;
    sched_parallel_for(pool, 10, 1, count, &sum);
    return (void *)(intptr_t)(sum * 100 + sched_worker_index(pool));
}

static intptr_t on_foreign_thread(void *(*body)(void *), sched_pool_t *pool) {
    pthread_t thread;
    void *result;
    assert_int_equal(pthread_create(&thread, NULL, body, pool), 0);
    pthread_join(thread, &result);
    return (intptr_t)result;
}

static void threads_know_their_index_and_foreign_ones_are_refused(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2, .abort_fn = keep });
    sched_pool_t *other = sched_pool_create(&(sched_pool_desc_t){ .workers = 1 });
    assert_int_equal(sched_worker_index(pool), 0);
    assert_int_equal(sched_worker_index(other), 0);
    assert_int_equal(on_foreign_thread(index_of, pool), -1);
    assert_int_equal(on_foreign_thread(misuse, pool), 0);
    assert_non_null(
        strstr(said, "sched_parallel_for was called on a thread that is not part of the pool"));
    assert_int_equal(on_foreign_thread(adopt_and_use, pool), 1000);
    assert_int_equal(sched_worker_index(pool), -1);
    sched_pool_adopt(pool);
    assert_int_equal(sched_worker_index(pool), 0);
    sched_pool_destroy(other);
    sched_pool_destroy(pool);
}

static int started[4], stopped[4];

static void note_start(int32_t worker, void *ctx) {
    (void)ctx;
    __atomic_fetch_add(&started[worker], 1, __ATOMIC_RELAXED);
}

static void note_stop(int32_t worker, void *ctx) {
    (void)ctx;
    __atomic_fetch_add(&stopped[worker], 1, __ATOMIC_RELAXED);
}

static void start_and_stop_run_once_per_thread(void **unused) {
    (void)unused;
    sched_pool_desc_t desc = { .workers = 4, .worker_start = note_start, .worker_stop = note_stop };
    sched_pool_destroy(sched_pool_create(&desc));
    for (int i = 0; i < 4; i++) {
        assert_int_equal(started[i], i > 0);
        assert_int_equal(stopped[i], i > 0);
    }
}

static int64_t cpu_us(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C(1000000) +
           usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

// THR-05
static void unused_pool_costs_no_processor_time(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2, .wake_ns = -1 });
    int64_t sum = 0;
    for (int i = 0; i < 3; i++) sched_parallel_for(pool, 100, 1, count, &sum);
    nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
    int64_t before = cpu_us();
    nanosleep(&(struct timespec){ 0, 300000000 }, NULL);
    assert_in_range(cpu_us() - before, 0, 30000); /* spinning would take 300 000 */
    char text[1000];
    sched_pool_dump(pool, text, sizeof text);
    assert_non_null(strstr(text, "worker 1: asleep"));
    sched_pool_destroy(pool);
}

static void dump_fits_any_buffer(void **unused) {
    (void)unused;
    sched_pool_t *pool = sched_pool_create(&(sched_pool_desc_t){ .workers = 2, .name = "physics" });
    char text[1000], part[20];
    size_t length = sched_pool_dump(pool, text, sizeof text);
    assert_in_range(length, 50, sizeof text - 1);
    assert_memory_equal(text, "pool physics: 2 workers", 23);
    assert_true(sched_pool_dump(pool, part, sizeof part) >= 50);
    assert_int_equal(strlen(part), sizeof part - 1);
    assert_true(sched_pool_dump(pool, NULL, 0) >= 50);
    assert_null(sched_pool_verify(pool));
    sched_pool_destroy(pool);
    sched_pool_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_pool_has_a_worker_per_usable_processor),
        cmocka_unit_test(threads_that_cannot_be_started_are_an_error),
        cmocka_unit_test(wrong_descriptors_are_refused_with_a_reason),
        cmocka_unit_test(threads_know_their_index_and_foreign_ones_are_refused),
        cmocka_unit_test(start_and_stop_run_once_per_thread),
        cmocka_unit_test(unused_pool_costs_no_processor_time),
        cmocka_unit_test(dump_fits_any_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
