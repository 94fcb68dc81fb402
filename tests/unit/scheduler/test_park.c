// SPDX-License-Identifier: MIT
#include "support/test.h"

#include "atomics.h"
#include "park.h"

#include <pthread.h>
#include <sched.h>

enum { ROUNDS = 20000 };

typedef struct side_t {
    sched__event_t event;
    uint64_t mask;
    uint64_t work, done, sleeps;
} side_t;

static bool sees_work(void *ctx) {
    side_t *side = ctx;
    return sched__load_acquire_64(&side->work) != side->done;
}

static bool always(void *ctx) {
    (void)ctx;
    return true;
}

static void publish(side_t *side) {
    sched__store_release_64(&side->work, sched__load_64(&side->work) + 1);
    sched__fence();
    sched__unpark(&side->mask, 1, &side->event);
}

static void await(side_t *side) {
    while (!sees_work(side))
        side->sleeps += sched__park(&side->mask, 1, &side->event, sees_work, side);
    side->done++;
}

typedef struct pair_t {
    side_t here, there;
} pair_t;

static void *echo(void *ctx) {
    pair_t *pair = ctx;
    for (int i = 0; i < ROUNDS; i++) {
        await(&pair->there);
        publish(&pair->here);
    }
    return NULL;
}

// One lost wake-up and this never ends.
static void no_wake_up_is_lost_between_two_threads(void **unused) {
    (void)unused;
    static pair_t pair;
    pthread_t thread;
    sched__event_init(&pair.here.event);
    sched__event_init(&pair.there.event);
    assert_int_equal(pthread_create(&thread, NULL, echo, &pair), 0);
    for (int i = 0; i < ROUNDS; i++) {
        publish(&pair.there);
        if (i % 3) sched_yield();
        await(&pair.here);
    }
    pthread_join(thread, NULL);
    assert_int_equal(pair.here.done, ROUNDS);
    assert_int_equal(pair.there.done, ROUNDS);
    assert_int_equal(pair.here.mask | pair.there.mask, 0);
}

static void worker_that_sees_work_does_not_sleep(void **unused) {
    (void)unused;
    side_t side = { .work = 1 };
    sched__event_init(&side.event);
    assert_false(sched__park(&side.mask, 1, &side.event, always, NULL));
    assert_int_equal(side.mask, 0);
}

static void only_one_waker_takes_a_sleeper(void **unused) {
    (void)unused;
    side_t side = { .mask = 5 };
    sched__event_init(&side.event);
    assert_true(sched__unpark(&side.mask, 4, &side.event));
    assert_false(sched__unpark(&side.mask, 4, &side.event));
    assert_int_equal(side.mask, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_wake_up_is_lost_between_two_threads),
        cmocka_unit_test(worker_that_sees_work_does_not_sleep),
        cmocka_unit_test(only_one_waker_takes_a_sleeper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
