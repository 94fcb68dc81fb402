// SPDX-License-Identifier: MIT
// background: order, number of threads, priority, ending at any time, lack of memory and threads.
#define _GNU_SOURCE
#include "support/test.h"

#include <muster/scheduler/background.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

static atomic_int done, running, most_running, order[100];
static atomic_bool gate; /* jobs wait until it is open */

static int setup(void **state) {
    (void)state;
    atomic_store(&done, 0);
    atomic_store(&running, 0);
    atomic_store(&most_running, 0);
    atomic_store(&gate, false);
    return 0;
}

static void wait_for(atomic_int *value, int at_least) {
    while (atomic_load(value) < at_least) usleep(100);
}

static void note(void *ctx) { atomic_store(&order[atomic_fetch_add(&done, 1)], *(int *)ctx); }

static void one_thread_runs_jobs_in_their_order(void **state) {
    (void)state;
    static int numbers[100];
    sched_background_t *background = sched_background_create(NULL);
    for (int i = 0; i < 100; i++) {
        numbers[i] = i;
        assert_true(sched_background_add(background, note, &numbers[i]));
    }
    wait_for(&done, 100);
    for (int i = 0; i < 100; i++) assert_int_equal(atomic_load(&order[i]), i);
    assert_false(sched_background_is_ending(background));
    sched_background_destroy(background);
    sched_background_destroy(NULL);
}

static void wait_at_gate(void *ctx) {
    int now = atomic_fetch_add(&running, 1) + 1;
    (void)ctx;
    if (now > atomic_load(&most_running)) atomic_store(&most_running, now);
    while (!atomic_load(&gate)) usleep(100);
    atomic_fetch_sub(&running, 1);
    atomic_fetch_add(&done, 1);
}

static void as_many_threads_as_there_is_work_for(void **state) {
    (void)state;
    sched_background_t *background =
        sched_background_create(&(sched_pool_desc_t){ .workers = 3, .name = "test" });
    for (int i = 1; i <= 10; i++) {
        assert_true(sched_background_add(background, wait_at_gate, NULL));
        if (i <= 3) wait_for(&running, i);
    }
    usleep(2000);
    assert_int_equal(atomic_load(&running), 3);
    atomic_store(&gate, true);
    wait_for(&done, 10);
    assert_int_equal(atomic_load(&most_running), 3);
    sched_background_destroy(background);
}

static sched_background_t *asked;

static void work_until_the_end(void *ctx) {
    (void)ctx;
    atomic_fetch_add(&running, 1);
    while (!sched_background_is_ending(asked)) usleep(100);
    atomic_fetch_add(&done, 1);
}

static void the_end_waits_for_jobs_that_run_and_forgets_the_others(void **state) {
    (void)state;
    asked = sched_background_create(&(sched_pool_desc_t){ .workers = 2 });
    for (int i = 0; i < 50; i++) sched_background_add(asked, work_until_the_end, NULL);
    wait_for(&running, 2);
    sched_background_destroy(asked);
    assert_int_equal(atomic_load(&done), 2);
    for (int i = 0; i < 50; i++) { /* at once: threads have hardly begun */
        int number = 0;
        atomic_store(&done, 0);
        asked = sched_background_create(&(sched_pool_desc_t){ .workers = 4 });
        for (int k = 0; k < i % 5; k++) sched_background_add(asked, note, &number);
        sched_background_destroy(asked);
        assert_true(atomic_load(&done) <= i % 5);
    }
}

static void *add_many(void *arg) {
    static int number;
    for (int i = 0; i < 25; i++) assert_true(sched_background_add(arg, note, &number));
    return NULL;
}

static void any_thread_adds_jobs(void **state) {
    (void)state;
    pthread_t threads[4];
    sched_background_t *background = sched_background_create(&(sched_pool_desc_t){ .workers = 2 });
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, add_many, background);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    wait_for(&done, 100);
    sched_background_destroy(background);
}

#if defined(__linux__)
static void look_at_priority(void *ctx) {
    *(int *)ctx = getpriority(PRIO_PROCESS, 0);
    atomic_fetch_add(&done, 1);
}

static void jobs_have_a_low_priority(void **state) {
    (void)state;
    int niceness = 0, own = getpriority(PRIO_PROCESS, 0);
    sched_background_t *background = sched_background_create(NULL);
    sched_background_add(background, look_at_priority, &niceness);
    wait_for(&done, 1);
    assert_true(niceness > own || own >= 10);
    assert_int_equal(getpriority(PRIO_PROCESS, 0), own);
    sched_background_destroy(background);
}
#endif

// ---- What embeds it ----

static int64_t live;
static int refused_after; /* allocations */
static char sentence[256];

static void *count_malloc(size_t size, void *ctx) {
    (void)ctx;
    if (!refused_after--) return NULL;
    live++;
    return malloc(size);
}

static void count_free(void *ptr, void *ctx) {
    (void)ctx;
    live--;
    free(ptr);
}

static uintptr_t no_thread(void *(*main)(void *), void *arg, void *ctx) {
    (void)main, (void)arg, (void)ctx;
    return 0;
}

static void no_join(uintptr_t thread, void *ctx) { (void)thread, (void)ctx; }

static void keep_sentence(const char *text, void *ctx) {
    (void)ctx;
    snprintf(sentence, sizeof sentence, "%s", text);
}

static void lack_of_memory_and_threads_is_told(void **state) {
    (void)state;
    sched_pool_desc_t desc = { .malloc_fn = count_malloc,
        .free_fn = count_free,
        .thread_new_fn = no_thread,
        .thread_join_fn = no_join,
        .log_fn = keep_sentence };
    refused_after = 0;
    assert_null(sched_background_create(&desc));
    assert_non_null(strstr(sentence, "out of memory"));
    refused_after = 1;
    sched_background_t *background = sched_background_create(&desc);
    assert_false(sched_background_add(background, note, NULL));
    assert_non_null(strstr(sentence, "out of memory"));
    refused_after = -1;
    for (int i = 0; i < 3; i++) {
        assert_false(sched_background_add(background, note, NULL));
        assert_non_null(strstr(sentence, "no thread"));
    }
    sched_background_destroy(background);
    assert_int_equal(live, 0);
    desc.workers = 65;
    assert_null(sched_background_create(&desc));
    assert_non_null(strstr(sentence, "workers must be 0 to 64"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(one_thread_runs_jobs_in_their_order, setup),
        cmocka_unit_test_setup(as_many_threads_as_there_is_work_for, setup),
        cmocka_unit_test_setup(the_end_waits_for_jobs_that_run_and_forgets_the_others, setup),
        cmocka_unit_test_setup(any_thread_adds_jobs, setup),
#if defined(__linux__)
        cmocka_unit_test_setup(jobs_have_a_low_priority, setup),
#endif
        cmocka_unit_test_setup(lack_of_memory_and_threads_is_told, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
