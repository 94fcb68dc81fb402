// SPDX-License-Identifier: MIT
// The protocol and its proof are in park.h. Events are ck_ec32 in multi-producer mode: any worker
// may wake any other. Spinning is decided by worker.c, so events themselves go to sleep at once.
#define _GNU_SOURCE
#include "park.h"
#include "atomics.h"

#include <limits.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>

static void sleep_while(const uint32_t *at, uint32_t expected, const struct timespec *deadline) {
    /* WAIT_BITSET, unlike WAIT, takes an absolute deadline on the monotonic clock. */
    syscall(
        SYS_futex, at, FUTEX_WAIT_BITSET_PRIVATE, expected, deadline, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake_all(const uint32_t *at) {
    syscall(SYS_futex, at, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
#else
#include <pthread.h>

// One lock for all events: correct everywhere, fast enough where no futex exists.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void sleep_while(const uint32_t *at, uint32_t expected, const struct timespec *deadline) {
    (void)deadline; /* sleeping longer than asked is allowed: only a changed counter ends a wait */
    pthread_mutex_lock(&lock);
    while (sched__load_32(at) == expected) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void wake_all(const uint32_t *at) {
    (void)at;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}
#endif

#if defined(MUSTER_TSAN_CK_PR)
// The library's own wait would do its atomics out of the sanitizer's sight: the same algorithm
// here.
#define SLEEPER 0x80000000u

void sched__event_init(sched__event_t *event) { sched__store_32(&event->counter, 0); }

static uint32_t event_value(sched__event_t *event) {
    return sched__load_acquire_32(&event->counter) & ~SLEEPER;
}

static void event_wait(sched__event_t *event, uint32_t key) {
    while (event_value(event) == key) {
        uint32_t found;
        if (!ck_pr_cas_32_value(&event->counter, key, key | SLEEPER, &found) &&
            found != (key | SLEEPER)) {
            continue;
        }
        sleep_while(&event->counter, key | SLEEPER, NULL);
    }
}

static void event_wake(sched__event_t *event) {
    uint32_t before = sched__load_32(&event->counter), after;
    do {
        after = (before + 1) & ~SLEEPER;
    } while (!ck_pr_cas_32_value(&event->counter, before, after, &before));
    if (before & SLEEPER) wake_all(&event->counter);
}
#else
#include <ck_ec.h>

_Static_assert(sizeof(sched__event_t) == sizeof(struct ck_ec32), "an event is a ck_ec32");

static int ec_gettime(const struct ck_ec_ops *ops, struct timespec *now) {
    (void)ops;
    return clock_gettime(CLOCK_MONOTONIC, now);
}

static void ec_wait(const struct ck_ec_wait_state *state, const uint32_t *at, uint32_t expected,
    const struct timespec *deadline) {
    (void)state;
    sleep_while(at, expected, deadline);
}

static void ec_wake(const struct ck_ec_ops *ops, const uint32_t *at) {
    (void)ops;
    wake_all(at);
}

static const struct ck_ec_ops ec_ops = {
    .gettime = ec_gettime,
    .wait32 = ec_wait,
    .wake32 = ec_wake,
    .busy_loop_iter = 1,          /* worker.c has spun already */
    .initial_wait_ns = 999999999, /* no deadline is needed with locked increments */
};
static const struct ck_ec_mode ec_mode = { .ops = &ec_ops, .single_producer = false };

static struct ck_ec32 *ec_of(sched__event_t *event) { return (struct ck_ec32 *)(void *)event; }

void sched__event_init(sched__event_t *event) { ck_ec32_init(ec_of(event), 0); }

static uint32_t event_value(sched__event_t *event) { return ck_ec32_value(ec_of(event)); }

static void event_wait(sched__event_t *event, uint32_t key) {
    ck_ec32_wait(ec_of(event), &ec_mode, key, NULL);
}

static void event_wake(sched__event_t *event) { ck_ec32_inc(ec_of(event), &ec_mode); }
#endif

bool sched__park(
    uint64_t *mask, uint64_t bit, sched__event_t *event, bool (*stay_awake)(void *ctx), void *ctx) {
    uint32_t key = event_value(event);
    sched__set_bits_64(mask, bit);
    sched__fence(); /* pairs with the fence of whoever publishes work */
    bool sleeps = !stay_awake(ctx);
    if (sleeps) event_wait(event, key);
    sched__clear_bits_64(mask, bit);
    return sleeps;
}

bool sched__unpark(uint64_t *mask, uint64_t bit, sched__event_t *event) {
    if (!(sched__load_64(mask) & bit)) return false;
    if (!(sched__take_bits_64(mask, bit) & bit)) return false; /* somebody else wakes it */
    event_wake(event);
    return true;
}
