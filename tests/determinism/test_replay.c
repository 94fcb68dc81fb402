// SPDX-License-Identifier: MIT
// A game whose input comes from other threads at random, and from jobs in the background, is recorded, then replayed with other numbers
// of workers and other legal orders of work: the hash of the world after every tick is the same.
#include "support/world.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "support/check.h"
#include "support/random.h"

enum { PLAYERS = 4, SHIPS = 500, TICKS = 150 };

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Steer { /* events; this one is described */
    float x, y;
    ecs_entity_t ship;
} Steer;
typedef struct Shoot {
    int32_t shots, pad;
} Shoot;
typedef struct Shot {
    int32_t left;
} Shot;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Steer);
static ECS_COMPONENT_DECLARE(Shoot);
static ECS_COMPONENT_DECLARE(Shot);
static ecs_entity_t player[PLAYERS], ship[SHIPS];

static uint64_t hashes[TICKS + 1];
static int32_t ticks, inputs, jobs;

// ---- The game ----

static void on_steer(ecs_iter_t *it) {
    const Steer *steer = it->param;
    inputs++;
    Velocity *v = ecs_get_mut(it->world, steer->ship, Velocity);
    if (v) *v = (Velocity){ v->y + steer->x, steer->y };
}

// Takes a time of its own in each run; what it finds does not depend on that.
typedef struct aim_t {
    ecs_entity_t shooter;
    uint64_t result;
} aim_t;

static atomic_uint nap;

static void aim(void *ctx) {
    aim_t *job = ctx;
    random_t random = random_init(job->shooter);
    for (int i = 0; i < 100; i++) job->result += random_next(&random);
    ecs_os_sleep(0, (int32_t)(atomic_fetch_add(&nap, 777777u) % 2000000u));
}

static void fire(ecs_world_t *world, void *ctx) {
    const aim_t *job = ctx;
    ecs_entity_t target = ship[job->result % SHIPS];
    jobs++;
    ecs_get_mut(world, target, Velocity)->x *= 0.5f;
    ecs_set(world, ecs_new(world), Shot, { 5 });
}

static void on_shoot(ecs_iter_t *it) {
    const Shoot *shoot = it->param;
    aim_t job = { it->entities[0], (uint64_t)ticks };
    ecs_run_in_background(
        it->real_world, aim, fire, ecs_os_memdup_t(&job, aim_t), ecs_os_api.free_);
    for (int32_t i = 0; i < shoot->shots; i++) {
        ecs_entity_t shot = ecs_new_w_pair(it->world, EcsChildOf, it->entities[0]);
        ecs_set(it->world, shot, Shot, { 1 + i });
    }
}

static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        p[i].x += v[i].x * it->delta_time;
        p[i].y += v[i].y * it->delta_time;
        if (ecs_iter_random(it, i) % 64 == 0) ecs_set(it->world, ecs_new(it->world), Shot, { 2 });
    }
}

static void Burn(ecs_iter_t *it) {
    Shot *shot = ecs_field(it, Shot, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (!shot[i].left--) ecs_delete(it->world, it->entities[i]);
    }
}

static void note_hash(ecs_world_t *world, void *ctx) {
    uint64_t hash = ecs_world_hash(world);
    (void)ctx;
    if (!hashes[ticks]) hashes[ticks] = hash;
    assert_hash_equal(hash, hashes[ticks]);
    ticks++;
}

static void Sample(ecs_iter_t *it) { ecs_run_post_frame(it->world, note_hash, NULL); }

static ecs_world_t *make_game(int32_t workers, uint64_t schedule_seed) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Steer) = ecs_id(Shoot) = ecs_id(Shot) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Steer);
    ECS_COMPONENT_DEFINE(world, Shoot);
    ECS_COMPONENT_DEFINE(world, Shot);
    ecs_struct(world, { .entity = ecs_id(Steer),
                          .members = { { "x", ecs_id(ecs_f32_t) }, { "y", ecs_id(ecs_f32_t) },
                              { "ship", ecs_id(ecs_entity_t) } } });
    for (int32_t i = 0; i < PLAYERS; i++) player[i] = ecs_new(world);
    for (int32_t i = 0; i < SHIPS; i++)
        ship[i] = ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 1, 1 }));
    ecs_observer(world,
        { .query.terms = { { EcsAny } }, .events = { ecs_id(Steer) }, .callback = on_steer });
    ecs_observer(world,
        { .query.terms = { { EcsAny } }, .events = { ecs_id(Shoot) }, .callback = on_shoot });
    ecs_system(world, { .query.expr = "Position, [in] Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Move,
                          .multi_threaded = true });
    ecs_system(world,
        { .query.expr = "Shot", .phase = EcsOnUpdate, .callback = Burn, .multi_threaded = true });
    ecs_system(world, { .phase = EcsOnStore, .callback = Sample });
    ecs_set_threads(world, workers);
    ecs_set_schedule_seed(world, schedule_seed);
    ticks = 0;
    return world;
}

// ---- Players ----

typedef struct input_t {
    ecs_world_t *world;
    int32_t number;
    uint64_t seed;
} input_t;

static atomic_int now; /* the tick of the game; -1: it is over */

static void submit_one(const input_t *input, random_t *random) {
    Steer steer = { (float)random_below(random, 1000) / 7, 1, ship[random_below(random, SHIPS)] };
    Shoot shoot = { random_below(random, 4), 0 };
    bool steers = random_below(random, 3);
    ecs_event_desc_t event = { .entity = player[input->number] };
    event.event = steers ? ecs_id(Steer) : ecs_id(Shoot);
    event.const_param = steers ? (const void *)&steer : &shoot;
    ecs_submit_event(input->world, &event, steers ? sizeof steer : sizeof shoot);
}

// At any time, but only so often per tick: a slow machine should not have more and more to do.
static void *play(void *arg) {
    const input_t *input = arg;
    random_t random = random_init(input->seed + (uint64_t)input->number);
    for (int tick = 0, seen = 0, left = 0; tick >= 0; tick = atomic_load(&now)) {
        if (tick != seen) left = random_below(&random, 5);
        seen = tick;
        if (left-- > 0) submit_one(input, &random);
        ecs_os_sleep(0, random_below(&random, 100000));
    }
    return NULL;
}

static void record(const char *path) {
    ecs_world_t *world = make_game(4, 0);
    pthread_t threads[PLAYERS];
    input_t players[PLAYERS];
    uint64_t seed = random_seed();
    assert_int_equal(ecs_recording_begin(world, path), 0);
    for (int32_t i = 0; i < PLAYERS; i++) {
        players[i] = (input_t){ world, i, seed };
        pthread_create(&threads[i], NULL, play, &players[i]);
    }
    for (int32_t tick = 0; tick < TICKS; tick++) {
        atomic_store(&now, tick);
        /* Until somebody has played and a job has ended other threads get time to. */
        if (!inputs || !jobs) ecs_os_sleep(0, 10000000);
        ecs_progress(world, 0);
    }
    atomic_store(&now, -1);
    for (int32_t i = 0; i < PLAYERS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(ecs_recording_end(world), 0);
    assert_int_equal(ticks, TICKS);
    assert_true(inputs > 0 && jobs > 0);
    ecs_fini(world);
}

static void a_recorded_game_is_replayed_by_any_number_of_workers(void **state) {
    static const char path[] = "test_replay.log";
    static const int32_t workers[] = { 1, 2, 7 };
    (void)state;
    record(path);
    for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
        for (uint64_t seed = 0; seed < 3; seed++) {
            ecs_world_t *world = make_game(workers[i], seed);
            assert_int_equal(ecs_replay(world, path), TICKS);
            assert_int_equal(ticks, TICKS);
            assert_true(ecs_world_verify(world));
            hashes[TICKS] = 0;
            ecs_progress(world, 1); /* the log does not know of it */
            ecs_fini(world);
        }
    }
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recorded_game_is_replayed_by_any_number_of_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
