// SPDX-License-Identifier: MIT
// boids: a hundred thousand birds that fly with their neighbours (Reynolds 1987), on a torus.
//
// Shows a spatial grid rebuilt each tick by a counting sort spread over systems and phases:
//
//     PreUpdate   Count    boids    how many are in each bucket
//                 LayOut   task     where each bucket starts in the array of copies
//                 Fill     boids    copy position and velocity into the bucket
//                 Sort     buckets  bring the copies of a bucket into the order of ids
//     OnUpdate    Steer    boids    look at the copies in nine buckets, choose an acceleration
//     PostUpdate  Fly      boids    change velocity and position
//
// Boids arrive in a bucket in the order in which workers happen to run, and floating point sums
// depend on order. Sort takes that accident out; everything else that workers share is integer
// counts, where order does not matter. So the flock is the same, bit for bit, for any number of
// workers.
//
// The arrays of the grid are plain memory (.ctx). Access to them is declared through the singleton
// Grid, so the schedule keeps systems that write and read them apart.
#include <muster.h>

#include "support/checksum.h"
#include "support/demo.h"
#include "support/system.h"
#include "support/tail.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float x, y;
} Position;

typedef struct {
    float x, y; // units per second
} Velocity;

typedef struct {
    float x, y; // units per second squared
} Steering;

// One square of the grid, so that systems can be run over squares, too.
typedef struct {
    int32_t index;
} Bucket;

// Singleton. Stands for the arrays below when systems declare what they access.
typedef struct {
    int32_t side; // buckets per row and column
    float width;  // of the world and of one bucket
    float bucket_width;
} Grid;

ECS_COMPONENT_DECLARE(Position);
ECS_COMPONENT_DECLARE(Velocity);
ECS_COMPONENT_DECLARE(Steering);
ECS_COMPONENT_DECLARE(Bucket);
ECS_COMPONENT_DECLARE(Grid);

#define TICK_S 0.05f
#define SIGHT 1.0f // how far a boid sees; buckets are at least that wide
#define PERSONAL_SPACE 0.3f
#define BOIDS_PER_SQUARE 3.0f // density
#define MIN_SPEED 1.0f
#define MAX_SPEED 3.0f
#define MAX_STEERING 6.0f
#define ALIGN 2.0f // weights of the three rules
#define GATHER 0.6f
#define AVOID 3.0f

enum {
    FEWEST_BOIDS = 48,  // with fewer, a boid would meet a bucket twice on its way around
    TICKS_TO_FLOCK = 50 // after these, order must have risen
};

typedef struct {
    Position position;
    Velocity velocity;
    ecs_entity_t boid;
} copy_t;

typedef struct {
    Grid shape;
    _Atomic int32_t *fill; // per bucket: how many boids, later where the next copy goes
    int32_t *start;        // per bucket, and one more: where its copies start
    copy_t *copies;
} grid_t;

// ---- The grid ----

static int32_t bucket_at(const Grid *grid, float x, float y) {
    int32_t column = (int32_t)(x / grid->bucket_width), row = (int32_t)(y / grid->bucket_width);
    column = column < grid->side ? column : grid->side - 1; // x / width may round up
    row = row < grid->side ? row : grid->side - 1;
    return row * grid->side + column;
}

static void Count(ecs_iter_t *it) {
    grid_t *grid = it->ctx;
    const Position *positions = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        int32_t bucket = bucket_at(&grid->shape, positions[i].x, positions[i].y);
        atomic_fetch_add_explicit(&grid->fill[bucket], 1, memory_order_relaxed);
    }
}

static void LayOut(ecs_iter_t *it) {
    grid_t *grid = it->ctx;
    int32_t buckets = grid->shape.side * grid->shape.side, start = 0;
    for (int32_t i = 0; i < buckets; i++) {
        int32_t count = atomic_load_explicit(&grid->fill[i], memory_order_relaxed);
        grid->start[i] = start;
        atomic_store_explicit(&grid->fill[i], start, memory_order_relaxed);
        start += count;
    }
    grid->start[buckets] = start;
}

static void Fill(ecs_iter_t *it) {
    grid_t *grid = it->ctx;
    const Position *positions = ecs_field(it, Position, 0);
    const Velocity *velocities = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        int32_t bucket = bucket_at(&grid->shape, positions[i].x, positions[i].y);
        int32_t slot = atomic_fetch_add_explicit(&grid->fill[bucket], 1, memory_order_relaxed);
        grid->copies[slot] = (copy_t){ positions[i], velocities[i], it->entities[i] };
    }
}

static void sort_copies(copy_t *copies, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        copy_t copy = copies[i];
        int32_t at = i;
        for (; at > 0 && copies[at - 1].boid > copy.boid; at--) {
            copies[at] = copies[at - 1];
        }
        copies[at] = copy;
    }
}

static void Sort(ecs_iter_t *it) {
    grid_t *grid = it->ctx;
    const Bucket *buckets = ecs_field(it, Bucket, 0);
    for (int32_t i = 0; i < it->count; i++) {
        int32_t bucket = buckets[i].index;
        int32_t start = grid->start[bucket];
        sort_copies(&grid->copies[start], grid->start[bucket + 1] - start);
        atomic_store_explicit(&grid->fill[bucket], 0, memory_order_relaxed); // for the next tick
    }
}

// ---- Steering ----

// What a boid sees: sums over its neighbours, relative to itself.
typedef struct {
    float offset_x, offset_y, velocity_x, velocity_y, away_x, away_y;
    int32_t count;
} sight_t;

// The shorter way around the torus.
static float shortest(float distance, float width) {
    return distance > 0.5f * width    ? distance - width
           : distance < -0.5f * width ? distance + width
                                      : distance;
}

static void look_at(sight_t *sight, const copy_t *other, const Grid *grid, Position me) {
    float x = shortest(other->position.x - me.x, grid->width);
    float y = shortest(other->position.y - me.y, grid->width);
    float squared = x * x + y * y;
    if (squared > SIGHT * SIGHT) {
        return;
    }
    sight->offset_x += x;
    sight->offset_y += y;
    sight->velocity_x += other->velocity.x;
    sight->velocity_y += other->velocity.y;
    sight->count++;
    if (squared < PERSONAL_SPACE * PERSONAL_SPACE) {
        float push = 1.0f / (squared + 0.01f);
        sight->away_x -= x * push;
        sight->away_y -= y * push;
    }
}

static sight_t look_around(const grid_t *grid, ecs_entity_t boid, Position me) {
    sight_t sight = { 0 };
    int32_t side = grid->shape.side, home = bucket_at(&grid->shape, me.x, me.y);
    for (int32_t k = 0; k < 9; k++) {
        int32_t row = (home / side + k / 3 - 1 + side) % side;
        int32_t column = (home % side + k % 3 - 1 + side) % side;
        int32_t bucket = row * side + column;
        for (int32_t i = grid->start[bucket]; i < grid->start[bucket + 1]; i++) {
            if (grid->copies[i].boid != boid) {
                look_at(&sight, &grid->copies[i], &grid->shape, me);
            }
        }
    }
    return sight;
}

// Heading and place are the mean of what it sees; those who are too close push with the sum of their nearness, so that a flock has room
// for everyone however long it flies.
static Steering steer(const sight_t *sight, Velocity velocity) {
    if (sight->count == 0) {
        return (Steering){ 0, 0 };
    }
    float n = (float)sight->count;
    float x = ALIGN * (sight->velocity_x / n - velocity.x) + GATHER * sight->offset_x / n +
              AVOID * sight->away_x;
    float y = ALIGN * (sight->velocity_y / n - velocity.y) + GATHER * sight->offset_y / n +
              AVOID * sight->away_y;
    float length = sqrtf(x * x + y * y);
    float scale = length > MAX_STEERING ? MAX_STEERING / length : 1.0f;
    return (Steering){ x * scale, y * scale };
}

static void Steer(ecs_iter_t *it) {
    const grid_t *grid = it->ctx;
    const Position *positions = ecs_field(it, Position, 0);
    const Velocity *velocities = ecs_field(it, Velocity, 1);
    Steering *steerings = ecs_field(it, Steering, 2);
    for (int32_t i = 0; i < it->count; i++) {
        sight_t sight = look_around(grid, it->entities[i], positions[i]);
        steerings[i] = steer(&sight, velocities[i]);
    }
}

static float wrap(float x, float width) {
    x = x < 0 ? x + width : x;
    return x >= width ? x - width : x;
}

static void Fly(ecs_iter_t *it) {
    Position *positions = ecs_field(it, Position, 0);
    Velocity *velocities = ecs_field(it, Velocity, 1);
    const Steering *steerings = ecs_field(it, Steering, 2);
    const Grid *grid = ecs_field(it, Grid, 3);
    for (int32_t i = 0; i < it->count; i++) {
        float x = velocities[i].x + steerings[i].x * TICK_S;
        float y = velocities[i].y + steerings[i].y * TICK_S;
        float speed = sqrtf(x * x + y * y) + 1e-9f;
        float scale = fminf(fmaxf(speed, MIN_SPEED), MAX_SPEED) / speed;
        velocities[i] = (Velocity){ x * scale, y * scale };
        positions[i].x = wrap(positions[i].x + velocities[i].x * TICK_S, grid->width);
        positions[i].y = wrap(positions[i].y + velocities[i].y * TICK_S, grid->width);
    }
}

// ---- Set-up ----

static ecs_world_t *make_world(const demo_setup_t *setup, grid_t *grid) {
    ecs_world_t *world = ecs_init();
    ecs_set_threads(world, setup->workers);
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Steering);
    ECS_COMPONENT_DEFINE(world, Bucket);
    ECS_COMPONENT_DEFINE(world, Grid);
    ecs_singleton_set_ptr(world, Grid, &grid->shape);
    demo_system(world, "Count", EcsPreUpdate, Count, "[in] Position, [inout] Grid(Grid)", grid);
    demo_system(world, "LayOut", EcsPreUpdate, LayOut, "[inout] Grid(Grid)", grid);
    demo_system(world, "Fill", EcsPreUpdate, Fill,
        "[in] Position, [in] Velocity, [inout] Grid(Grid)", grid);
    demo_system(world, "Sort", EcsPreUpdate, Sort, "[in] Bucket, [inout] Grid(Grid)", grid);
    demo_system(world, "Steer", EcsOnUpdate, Steer,
        "[in] Position, [in] Velocity, [out] Steering, [in] Grid(Grid)", grid);
    demo_system(world, "Fly", EcsPostUpdate, Fly,
        "Position, Velocity, [in] Steering, [in] Grid(Grid)", grid);
    return world;
}

static grid_t make_grid(int32_t boids) {
    float width = sqrtf((float)boids / BOIDS_PER_SQUARE);
    int32_t side = (int32_t)(width / SIGHT);
    size_t buckets = (size_t)side * (size_t)side;
    return (grid_t){ .shape = { .side = side, .width = width, .bucket_width = width / (float)side },
        .fill = demo_alloc(buckets, sizeof(_Atomic int32_t)),
        .start = demo_alloc(buckets + 1, sizeof(int32_t)),
        .copies = demo_alloc((size_t)boids, sizeof(copy_t)) };
}

static void free_grid(grid_t *grid) {
    free((void *)grid->fill);
    free(grid->start);
    free(grid->copies);
}

static float random_below(float limit, uint64_t *state) {
    return wrap(limit * (float)demo_random(state), limit); // rounding may reach the limit
}

static void place_boids(ecs_world_t *world, const demo_setup_t *setup, const Grid *grid) {
    uint64_t state = setup->seed;
    for (int32_t i = 0; i < setup->entities; i++) {
        float angle = random_below(6.2831853f, &state);
        float speed = MIN_SPEED + random_below(MAX_SPEED - MIN_SPEED, &state);
        float x = random_below(grid->width, &state), y = random_below(grid->width, &state);
        ecs_entity_t boid = ecs_new(world);
        ecs_set(world, boid, Position, { x, y });
        ecs_set(world, boid, Velocity, { speed * cosf(angle), speed * sinf(angle) });
        ecs_set(world, boid, Steering, { 0, 0 });
    }
    for (int32_t i = 0; i < grid->side * grid->side; i++) {
        ecs_entity_t bucket = ecs_new(world);
        ecs_set(world, bucket, Bucket, { i });
    }
}

// ---- What must come out ----

// How well boids fly with those around them: mean cosine between the heading of a boid and that of
// its neighbours; 0 for strangers, 1 for perfect flocks. Uses the copies made in the last tick.
static double order_of(const grid_t *grid, int32_t boids) {
    double sum = 0;
    for (int32_t i = 0; i < boids; i++) {
        const copy_t *me = &grid->copies[i];
        sight_t sight = look_around(grid, me->boid, me->position);
        double dot =
            (double)(sight.velocity_x * me->velocity.x + sight.velocity_y * me->velocity.y);
        double length = hypot((double)sight.velocity_x, (double)sight.velocity_y) *
                        hypot((double)me->velocity.x, (double)me->velocity.y);
        sum += length > 0 ? dot / length : 0;
    }
    return sum / boids;
}

static int verify(const demo_setup_t *setup, const grid_t *grid, double before, double after) {
    int32_t boids = setup->entities;
    int32_t found = grid->start[grid->shape.side * grid->shape.side];
    if (found != boids) {
        return demo_wrong("%d of %d boids are in the grid", found, boids);
    }
    for (int32_t i = 0; i < boids; i++) {
        const copy_t *copy = &grid->copies[i];
        float speed = hypotf(copy->velocity.x, copy->velocity.y);
        if (!(copy->position.x >= 0 && copy->position.x < grid->shape.width &&
                copy->position.y >= 0 && copy->position.y < grid->shape.width)) {
            return demo_wrong("a boid left the world at (%g, %g)", (double)copy->position.x,
                (double)copy->position.y);
        }
        if (!(speed > 0.999f * MIN_SPEED && speed < 1.001f * MAX_SPEED)) {
            return demo_wrong("a boid flies at %g units per second", (double)speed);
        }
    }
    if (setup->ticks >= TICKS_TO_FLOCK && !(after > before + 0.2 && after > 0.5)) {
        return demo_wrong("the flocks did not form: order went from %.3f to %.3f", before, after);
    }
    return 0;
}

static int run_boids(const demo_setup_t *setup, demo_result_t *result) {
    if (setup->entities < FEWEST_BOIDS) {
        return demo_bad_input("this demo needs at least %d entities", FEWEST_BOIDS);
    }
    grid_t grid = make_grid(setup->entities);
    ecs_world_t *world = make_world(setup, &grid);
    place_boids(world, setup, &grid.shape);
    ecs_progress(world, TICK_S); // fills the grid; not timed
    double before = order_of(&grid, setup->entities);
    double start = demo_now();
    for (int32_t tick = 0; tick < setup->ticks; tick++) {
        tail_progress(world, TICK_S);
    }
    result->seconds = demo_now() - start;
    double after = order_of(&grid, setup->entities);
    int status = verify(setup, &grid, before, after);
    result->entities = ecs_count(world, Position);
    result->entity_ticks = result->entities * setup->ticks;
    result->checksum = checksum_add(ecs_world_hash(world), &after, sizeof after);
    snprintf(result->verdict, sizeof result->verdict,
        "all in bounds and within the speed limits; order rose from %.3f to %.3f", before, after);
    ecs_fini(world);
    free_grid(&grid);
    return status;
}

static const demo_scene_t scenes[] = {
    { "Flocks", run_boids, 100000, 60, NULL },
    { 0 },
};

static const demo_scene_t checks[] = {
    { "Small flocks", run_boids, 5000, 100, NULL },
    { 0 },
};

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "boids",
        .about = "flocking birds on a spatial grid that is rebuilt each tick",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
