// SPDX-License-Identifier: MIT
// scene: components and worlds that several benchmarks share.
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include "bench.h"

#include <muster.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    float x, y;
} Position;

typedef struct {
    float x, y;
} Velocity;

/** Something to compute: `rounds` dependent multiplications per step. */
typedef struct {
    uint64_t value;
    int32_t rounds;
    int32_t steps; // taken so far
} Work;

/** How often something was done. */
typedef struct {
    int64_t count;
} Counter;

extern ecs_entity_t ecs_id(Position), ecs_id(Velocity), ecs_id(Work), ecs_id(Counter);

/** Components of 8 bytes without a purpose of their own. */
#define SCENE_EXTRAS 4
extern ecs_entity_t scene_extras[SCENE_EXTRAS];

/** A world in which all of them are registered. */
ecs_world_t *scene_world(void);

/** `count` entities with Position 0 and Velocity (1, 2) in each of `tables` tables. */
void scene_add_movers(ecs_world_t *world, int32_t tables, int32_t count);

/** The query `Position, [in] Velocity`. */
ecs_query_t *scene_movers(ecs_world_t *world, bool cached);

/** Every mover took so many steps, or the run is wrong. `movers` is how many there must be. */
void scene_check_movers(bench_run_t *run, ecs_world_t *world, int32_t movers, int64_t steps);

/** `count` entities with Counter 0 in one table; returns the last. */
ecs_entity_t scene_add_counters(ecs_world_t *world, int32_t count);

/** The sum of all counters. */
int64_t scene_count(ecs_world_t *world);

/** Use so many workers from now on. Ticks until schedule and measured costs have settled.
 * `current` is where the caller keeps the number. */
void scene_set_workers(ecs_world_t *world, int32_t workers, int32_t *current, int64_t *ticks);

/** Tick `count` times; nanoseconds per tick. Adds to `ticks`. */
double scene_tick(ecs_world_t *world, int32_t count, int64_t *ticks);

// Loops used by our systems and by hand alike. Functions of their own, so that all run the same
// machine code: where a loop lies relative to cache lines can double the time it takes.

/** The step all movers take. */
void scene_move(Position *restrict positions, const Velocity *restrict velocities, int32_t count);
// The same with the widest vectors: better for many, worse for few.
void scene_move_many(
    Position *restrict positions, const Velocity *restrict velocities, int32_t count);

/** One step of work. */
void scene_work(Work *work, int32_t count);

#ifdef __cplusplus
}
#endif
#endif
