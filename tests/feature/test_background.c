// SPDX-License-Identifier: MIT
// Jobs in the background: work beside ticks, and what follows from it in a later one. tests/determinism/test_replay.c records and replays
// them.
#include "support/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "support/abort.h"

static atomic_int worked, released;
static atomic_bool gate; /* jobs wait until it is open */
static int done;
static pthread_t main_thread;

typedef struct job_t {
    ecs_world_t *world;
    int value;
} job_t;

static job_t *new_job(ecs_world_t *world) {
    job_t *job = malloc(sizeof *job);
    *job = (job_t){ world, 1 };
    return job;
}

static void work(void *ctx) {
    assert_false(pthread_equal(pthread_self(), main_thread));
    ((job_t *)ctx)->value = 2;
    atomic_fetch_add(&worked, 1);
}

static void work_at_gate(void *ctx) {
    const job_t *job = ctx;
    while (!atomic_load(&gate) && !ecs_background_is_ending(job->world)) ecs_os_sleep(0, 100000);
    work(ctx);
}

static void finish(ecs_world_t *world, void *ctx) {
    const job_t *job = ctx;
    assert_true(pthread_equal(pthread_self(), main_thread));
    assert_int_equal(job->value, 2);
    assert_ptr_equal(job->world, world);
    assert_false(ecs_is_deferred(world));
    ecs_new(world);
    done++;
}

static void release(void *ctx) {
    assert_true(pthread_equal(pthread_self(), main_thread));
    atomic_fetch_add(&released, 1);
    free(ctx);
}

static int run(ecs_world_t *world, ecs_background_action_t action) {
    ecs_world_t *real = ECS_CONST_CAST(ecs_world_t *, ecs_get_world(world));
    return ecs_run_in_background(world, action, finish, new_job(real), release);
}

static int set_up(void **state) {
    atomic_store(&worked, 0);
    atomic_store(&released, 0);
    atomic_store(&gate, false);
    done = 0;
    main_thread = pthread_self();
    return world_setup_(state);
}

#define job_test(f) cmocka_unit_test_setup_teardown(f, set_up, world_teardown_)

static void what_follows_is_done_when_a_later_tick_begins(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 10; i++) assert_int_equal(run(world, work_at_gate), 0);
    for (int i = 0; i < 3; i++) ecs_progress(world, 1); /* no tick waits */
    assert_int_equal(done, 0);
    atomic_store(&gate, true);
    while (atomic_load(&worked) < 10) ecs_os_sleep(0, 100000);
    assert_int_equal(done, 0);
    while (done < 10) ecs_progress(world, 1);
    assert_int_equal(atomic_load(&released), 10);
    assert_int_equal(ecs_run_in_background(world, work, NULL, new_job(world), release), 0);
    while (atomic_load(&released) < 11) ecs_progress(world, 1);
    assert_int_equal(done, 10);
}

static void Ask(ecs_iter_t *it) {
    if (done + atomic_load(&worked) == 0) run(it->world, work);
}

static void again(ecs_world_t *world, void *ctx) {
    finish(world, ctx);
    if (done < 5) ecs_run_in_background(world, work, again, new_job(world), release);
}

// Whoever looks for one job among all that are left takes minutes here.
static void any_number_of_jobs_may_be_left(void **state) {
    ecs_world_t *world = *state;
    const int count = 100000;
    for (int i = 0; i < count; i++) assert_int_equal(run(world, work), 0);
    while (atomic_load(&worked) < count) ecs_os_sleep(0, 1000000);
    while (done < count) ecs_progress(world, 1);
    ecs_progress(world, 1);
    assert_int_equal(done, count);
    assert_int_equal(atomic_load(&released), count);
    assert_int_equal(run(world, work_at_gate), 0);
    assert_int_equal(run(world, work), 0); /* these end with the world */
}

static void systems_and_what_follows_begin_jobs(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Ask });
    while (!done) ecs_progress(world, 1);
    ecs_run_in_background(world, work, again, new_job(world), release);
    while (done < 5) ecs_progress(world, 1);
}

static void begin(ecs_world_t *world, void *ctx) {
    (void)ctx;
    run(world, work);
}

static void AskLater(ecs_iter_t *it) { ecs_run_post_frame(it->world, begin, NULL); }
static void AskNow(ecs_iter_t *it) { run(it->world, work); }

static ecs_world_t *with_threads(ecs_iter_action_t callback) {
    ecs_world_t *world = ecs_init();
    ecs_entity_t tag = ecs_new(world);
    ecs_new_w_id(world, tag);
    ecs_system(world, { .query.terms = { { tag } },
                          .phase = EcsOnUpdate,
                          .callback = callback,
                          .multi_threaded = true });
    ecs_set_threads(world, 2);
    return world;
}

static void systems_on_many_threads_begin_jobs_behind_the_frame(void **state) {
    (void)state;
    ecs_world_t *world = with_threads(AskLater);
    while (!done) ecs_progress(world, 1);
    ecs_fini(world);
    expect_abort_saying(
        ECS_INVALID_OPERATION, "ecs_run_post_frame", ecs_progress(with_threads(AskNow), 1));
}

// Jobs that wait, that run, and whose work is over.
static void a_world_may_end_at_any_time(void **state) {
    (void)state;
    for (int i = 0; i < 60; i++) {
        atomic_store(&released, 0);
        atomic_store(&gate, i % 2);
        ecs_world_t *world = ecs_init();
        ecs_set_background_threads(world, 1 + i % 3);
        for (int k = 0; k < i % 7; k++) assert_int_equal(run(world, work_at_gate), 0);
        for (int k = 0; k < i % 4; k++) ecs_progress(world, 1);
        ecs_fini(world);
        assert_int_equal(atomic_load(&released), i % 7);
    }
}

static void mistakes_are_told(void **state) {
    ecs_world_t *world = *state, *mini = ecs_mini();
    expect_abort(ECS_INVALID_OPERATION, ecs_run_in_background(mini, work, NULL, NULL, NULL));
    expect_abort(ECS_INVALID_PARAMETER, ecs_run_in_background(world, NULL, finish, NULL, NULL));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_background_threads(world, 0));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_background_threads(world, 65));
    ecs_fini(mini);
    job_t job = { world, 1 };
    ecs_log_set_level(-5);
    for (int n = 0; n < 3; n++) { /* the queue, a job, its place in the queue: no thread runs yet */
        memory_fault_begin(n ? 2 : 1);
        assert_int_equal(ecs_run_in_background(world, work, NULL, &job, NULL), -1);
        assert_true(memory_fault_end());
    }
    ecs_log_set_level(-1);
    assert_int_equal(ecs_run_in_background(world, work, NULL, &job, NULL), 0);
    expect_abort_saying(ECS_INVALID_OPERATION, "cannot change after the first job",
        ecs_set_background_threads(world, 3));
    while (!atomic_load(&worked)) ecs_os_sleep(0, 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        job_test(what_follows_is_done_when_a_later_tick_begins),
        job_test(any_number_of_jobs_may_be_left),
        job_test(systems_and_what_follows_begin_jobs),
        job_test(systems_on_many_threads_begin_jobs_behind_the_frame),
        job_test(a_world_may_end_at_any_time),
        job_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
