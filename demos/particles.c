// SPDX-License-Identifier: MIT
// particles: emitters throw up particles that fall and expire, all from multithreaded systems.
//
// Shows churn: each tick thousands of entities are created by workers, and as many deleted.
// Row order and ids stay the same for any number of workers, and so do the random directions: they
// come from ecs_iter_random, which knows the emitter and the tick but no thread.
//
//     OnLoad   Emit                new particles, queued
//              -- merge: the new ones take part in this tick --
//     OnUpdate Fall, Move, Age     each particle by itself: one pass through the cache
//              -- merge: expired ones disappear --
//
// Verified: the number of particles, which is known in advance; each particle's height against the
// formula of a throw; the total momentum against what gravity must have added.
#include <muster.h>

#include "support/checksum.h"
#include "support/demo.h"
#include "support/system.h"
#include "support/tail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

typedef struct {
    float x, y, z; // metres, y up
} Position;

typedef struct {
    float x, y, z; // metres per second
} Velocity;

typedef struct {
    int32_t ticks; // since it was emitted
    int32_t limit; // ticks it is shown
} Lifetime;

typedef struct {
    int32_t per_tick; // particles
    int32_t limit;    // lifetime of each, in ticks
} Emitter;

ECS_COMPONENT_DECLARE(Position);
ECS_COMPONENT_DECLARE(Velocity);
ECS_COMPONENT_DECLARE(Lifetime);
ECS_COMPONENT_DECLARE(Emitter);

#define TICK_S (1.0f / 64) // a power of two, so that sums of it are exact
#define GRAVITY 9.81f
#define UP_SPEED 20.0f // mean vertical speed at the start
#define SPREAD 4.0f    // every component differs from its mean by at most this

enum { PER_TICK = 2 };                          // particles per emitter and tick
static const int32_t limits[] = { 30, 60, 90 }; // lifetimes; emitters take them in turns
enum { KINDS = 3, MEAN_LIMIT = 60 };

// ---- Systems ----

// From -SPREAD to SPREAD, exactly representable steps.
static float scatter(const ecs_iter_t *it, int32_t row) {
    uint64_t random = ecs_iter_random(it, row);
    return SPREAD * ((float)(random >> 40) * (2.0f / (1 << 24)) - 1.0f);
}

static void Emit(ecs_iter_t *it) {
    const Emitter *emitters = ecs_field(it, Emitter, 0);
    const Position *places = ecs_field(it, Position, 1);
    for (int32_t i = 0; i < it->count; i++) {
        for (int32_t n = 0; n < emitters[i].per_tick; n++) {
            ecs_entity_t particle = ecs_new(it->world);
            Velocity start = { scatter(it, i), UP_SPEED + scatter(it, i), scatter(it, i) };
            ecs_set_ptr(it->world, particle, Position, &places[i]);
            ecs_set_ptr(it->world, particle, Velocity, &start);
            ecs_set(it->world, particle, Lifetime, { 0, emitters[i].limit });
        }
    }
}

static void Fall(ecs_iter_t *it) {
    Velocity *velocities = ecs_field(it, Velocity, 0);
    for (int32_t i = 0; i < it->count; i++) {
        velocities[i].y -= GRAVITY * it->delta_time;
    }
}

static void Move(ecs_iter_t *it) {
    Position *positions = ecs_field(it, Position, 0);
    const Velocity *velocities = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        positions[i].x += velocities[i].x * it->delta_time;
        positions[i].y += velocities[i].y * it->delta_time;
        positions[i].z += velocities[i].z * it->delta_time;
    }
}

static void Age(ecs_iter_t *it) {
    Lifetime *lifetimes = ecs_field(it, Lifetime, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (++lifetimes[i].ticks > lifetimes[i].limit) {
            ecs_delete(it->world, it->entities[i]);
        }
    }
}

static ecs_world_t *make_world(const demo_setup_t *setup) {
    ecs_world_t *world = ecs_init();
    ecs_set_threads(world, setup->workers);
    ecs_set_seed(world, setup->seed);
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Lifetime);
    ECS_COMPONENT_DEFINE(world, Emitter);
    // Terms without a source say what is queued: here components of entities made or deleted.
    demo_system(world, "Emit", EcsOnLoad, Emit,
        "[in] Emitter, [in] Position, [out] Position(), [out] Velocity(), [out] Lifetime()", NULL);
    demo_system(world, "Fall", EcsOnUpdate, Fall, "Velocity", NULL);
    demo_system(world, "Move", EcsOnUpdate, Move, "Position, [in] Velocity", NULL);
    demo_system(world, "Age", EcsOnUpdate, Age,
        "Lifetime, [out] Position(), [out] Velocity(), [out] Lifetime()", NULL);
    return world;
}

// Emitters in a square, as many as keep about `particles` in the air.
static int32_t place_emitters(ecs_world_t *world, int32_t particles) {
    int32_t of_a_kind = particles / (PER_TICK * MEAN_LIMIT * KINDS);
    int32_t count = KINDS * (of_a_kind > 0 ? of_a_kind : 1);
    int32_t side = (int32_t)ceil(sqrt(count));
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t emitter = ecs_new(world);
        ecs_set(world, emitter, Emitter, { PER_TICK, limits[i % KINDS] });
        ecs_set(world, emitter, Position, { (float)(i % side), 0, (float)(i / side) });
    }
    return count;
}

// ---- What must come out ----

static int64_t expected_count(int32_t emitters, int32_t ticks) {
    int64_t count = 0;
    for (int32_t kind = 0; kind < KINDS; kind++) {
        count += PER_TICK * (ticks < limits[kind] ? ticks : limits[kind]);
    }
    return count * (emitters / KINDS);
}

typedef struct {
    double momentum[3];    // sum of velocities
    double fallen;         // seconds of falling, summed over particles
    double worst_height;   // metres off the formula
    int64_t count, strays; // strays have a speed no emitter gives
} census_t;

// One particle. Speed and age tell the speed at the start, and that the height after n steps.
static void count_one(census_t *census, const Position *p, const Velocity *v, int32_t ticks) {
    double t = ticks * (double)TICK_S, step = TICK_S;
    double start = v->y + (double)GRAVITY * t;
    double height = start * t - 0.5 * (double)GRAVITY * t * (t + step);
    double off = fabs((double)p->y - height);
    census->worst_height = off <= census->worst_height ? census->worst_height : off;
    census->strays += !(fabsf(v->x) <= SPREAD && fabsf(v->z) <= SPREAD &&
                        fabs(start - (double)UP_SPEED) <= (double)SPREAD + 1e-3);
    census->momentum[0] += v->x;
    census->momentum[1] += v->y;
    census->momentum[2] += v->z;
    census->fallen += t;
    census->count++;
}

static census_t take_census(ecs_world_t *world) {
    census_t census = { 0 };
    ecs_query_t *query =
        ecs_query(world, { .expr = "[in] Position, [in] Velocity, [in] Lifetime" });
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        const Position *positions = ecs_field(&it, Position, 0);
        const Velocity *velocities = ecs_field(&it, Velocity, 1);
        const Lifetime *lifetimes = ecs_field(&it, Lifetime, 2);
        for (int32_t i = 0; i < it.count; i++) {
            count_one(&census, &positions[i], &velocities[i], lifetimes[i].ticks);
        }
    }
    ecs_query_fini(query);
    return census;
}

static int verify(const census_t *census, int64_t expected) {
    double n = (double)(expected > 0 ? expected : 1);
    if (census->count != expected) {
        return demo_wrong(
            "%" PRId64 " particles are alive where %" PRId64 " must be", census->count, expected);
    }
    if (census->strays) {
        return demo_wrong("%" PRId64 " particles have a speed no emitter gives", census->strays);
    }
    if (!(census->worst_height < 0.01)) {
        return demo_wrong("a particle is %g m off the height it must have", census->worst_height);
    }
    // Start speeds are uniform around their mean: five standard errors of the mean are allowed.
    double allowed = 5 * (double)SPREAD / sqrt(3 * n);
    double gained = census->momentum[1] + (double)GRAVITY * census->fallen - (double)UP_SPEED * n;
    if (!(fabs(gained) < allowed * n) || !(fabs(census->momentum[0]) < allowed * n) ||
        !(fabs(census->momentum[2]) < allowed * n)) {
        return demo_wrong("the total momentum is off by (%g, %g, %g) m/s per particle",
            census->momentum[0] / n, gained / n, census->momentum[2] / n);
    }
    return 0;
}

static int run_particles(const demo_setup_t *setup, demo_result_t *result) {
    ecs_world_t *world = make_world(setup);
    int32_t emitters = place_emitters(world, setup->entities);
    double start = demo_now();
    for (int32_t tick = 0; tick < setup->ticks; tick++) {
        tail_progress(world, TICK_S);
    }
    result->seconds = demo_now() - start;
    for (int32_t tick = 1; tick <= setup->ticks; tick++) {
        result->entity_ticks += expected_count(emitters, tick);
    }
    census_t census = take_census(world);
    int status = verify(&census, expected_count(emitters, setup->ticks));
    result->entities = census.count;
    result->checksum = checksum_add(ecs_world_hash(world), census.momentum, sizeof census.momentum);
    snprintf(result->verdict, sizeof result->verdict,
        "%" PRId64 " particles as emitted x lived, %.0f made and expired per second, "
        "heights within %.1e m, momentum as gravity gives it",
        census.count, (double)PER_TICK * emitters * setup->ticks / result->seconds,
        census.worst_height);
    ecs_fini(world);
    return status;
}

static const demo_scene_t scenes[] = {
    { "Fountains", run_particles, 300000, 600, NULL },
    { 0 },
};

static const demo_scene_t checks[] = {
    { "Fountains filling up", run_particles, 20000, 45, NULL },
    { "Fountains in balance", run_particles, 20000, 200, NULL },
    { 0 },
};

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "particles",
        .about = "emitters spawn and expire entities from multithreaded systems",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
