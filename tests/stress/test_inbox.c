// SPDX-License-Identifier: MIT
// Submissions from many threads while the world ticks: all are done once, each thread's in order.
#include "support/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "support/abort.h"

enum { THREADS = 4, EACH = 500 };

typedef struct message_t {
    int thread, number;
} message_t;

static int last[THREADS], done, freed;
static atomic_int running;

static void receive(ecs_world_t *world, void *ctx) {
    const message_t *message = ctx;
    assert_int_equal(message->number, last[message->thread] + 1);
    assert_false(ecs_is_deferred(world));
    last[message->thread] = message->number;
    ecs_new(world);
    done++;
}

static void release(void *ctx) {
    freed++;
    free(ctx);
}

typedef struct sender_t {
    ecs_world_t *world;
    int thread;
} sender_t;

static void *send(void *arg) {
    const sender_t *sender = arg;
    for (int i = 1; i <= EACH; i++) {
        message_t *message = malloc(sizeof *message);
        *message = (message_t){ sender->thread, i };
        if (ecs_submit(sender->world, receive, message, release)) abort();
    }
    atomic_fetch_sub(&running, 1);
    return NULL;
}

static void Look(ecs_iter_t *it) { (void)it; }

static void everything_submitted_is_done_once_and_in_order(void **state) {
    ecs_world_t *world = *state;
    pthread_t threads[THREADS];
    sender_t senders[THREADS];
    ecs_entity_t tag = ecs_new(world);
    ecs_new_w_id(world, tag);
    ecs_system(world, { .query.terms = { { tag } },
                          .callback = Look,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    ecs_set_threads(world, 2);
    atomic_store(&running, THREADS);
    for (int i = 0; i < THREADS; i++) {
        senders[i] = (sender_t){ world, i };
        pthread_create(&threads[i], NULL, send, &senders[i]);
    }
    while (atomic_load(&running)) ecs_progress(world, 0.01f);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    ecs_progress(world, 0.01f);
    assert_int_equal(done, THREADS * EACH);
    assert_int_equal(freed, THREADS * EACH);
}

static void submit_again(ecs_world_t *world, void *ctx) {
    int *count = ctx;
    if (++*count < 3) ecs_submit(world, submit_again, count, NULL);
}

static void what_a_submission_submits_waits_for_the_next_tick(void **state) {
    ecs_world_t *world = *state;
    int count = 0;
    ecs_submit(world, submit_again, &count, NULL);
    for (int tick = 1; tick <= 4; tick++) {
        ecs_progress(world, 1);
        assert_int_equal(count, tick < 3 ? tick : 3);
    }
}

static void mark(void *ctx) { ++*(int *)ctx; }

static void what_was_never_done_is_released(void **state) {
    (void)state;
    int released = 0;
    ecs_world_t *world = ecs_init();
    ecs_submit(world, submit_again, &released, mark);
    expect_abort(ECS_INVALID_PARAMETER, ecs_submit(world, NULL, NULL, NULL));
    ecs_fini(world);
    assert_int_equal(released, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(everything_submitted_is_done_once_and_in_order),
        world_test(what_a_submission_submits_waits_for_the_next_tick),
        cmocka_unit_test(what_was_never_done_is_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
