// SPDX-License-Identifier: MIT
// bench_fusion: ten systems that do little with many rows. Memory is touched once if rows go through
// all ten systems while they are in cache, and ten times if the systems run one after the other.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

enum { SYSTEMS = 10, MOVERS = 4000000, CHUNK = 512 };

typedef void (*move_fn)(Position *positions, const Velocity *velocities, int32_t count);

typedef struct {
    ecs_world_t *world;
    ecs_entity_t systems[SYSTEMS];
    int32_t rows, workers;
    int64_t steps, ticks, hand_ticks; // steps: by ecs_run alone
    Position *positions;              // the same by hand
    Velocity *velocities;
    move_fn moves[SYSTEMS];
} fusion_t;

static void Move(ecs_iter_t *it) {
    scene_move_many(ecs_field(it, Position, 0), ecs_field(it, Velocity, 1), it->count);
}

static void set_up(bench_run_t *run) {
    fusion_t *state = run->state = bench_array(1, sizeof *state);
    *state = (fusion_t){ .world = scene_world(), .rows = bench_scale(run, MOVERS), .workers = 1 };
    for (int32_t i = 0; i < SYSTEMS; i++) {
        state->systems[i] = ecs_system(state->world, { .query.expr = "Position, [in] Velocity",
                                                         .callback = Move,
                                                         .phase = EcsOnUpdate,
                                                         .multi_threaded = true });
        state->moves[i] = scene_move_many;
    }
    scene_add_movers(state->world, 1, state->rows);
    state->positions = bench_array((size_t)state->rows, sizeof(Position));
    state->velocities = bench_array((size_t)state->rows, sizeof(Velocity));
    for (int32_t i = 0; i < state->rows; i++) state->velocities[i] = (Velocity){ 1, 2 };
}

static void tear_down(bench_run_t *run) {
    fusion_t *state = run->state;
    scene_check_movers(run, state->world, state->rows, state->steps + SYSTEMS * state->ticks);
    if (state->positions[state->rows - 1].x != (float)(SYSTEMS * state->hand_ticks)) {
        bench_wrong(run, "the loop by hand lost steps");
    }
    ecs_fini(state->world);
    free(state->positions);
    free(state->velocities);
    free(state);
}

static double pipeline(bench_run_t *run) {
    fusion_t *state = run->state;
    scene_set_workers(state->world, run->workers, &state->workers, &state->ticks);
    return scene_tick(state->world, 2, &state->ticks) * 1e-6;
}

static double one_after_the_other(bench_run_t *run) {
    fusion_t *state = run->state;
    double start = bench_now();
    for (int32_t i = 0; i < SYSTEMS; i++) ecs_run(state->world, state->systems[i], 1, NULL);
    state->steps += SYSTEMS;
    return (bench_now() - start) * 1e-6;
}

static double chunks_by_hand(bench_run_t *run) {
    fusion_t *state = run->state;
    double start = bench_now();
    for (int32_t row = 0; row < state->rows; row += CHUNK) {
        int32_t rest = state->rows - row, count = rest < CHUNK ? rest : CHUNK;
        for (int32_t i = 0; i < SYSTEMS; i++) {
            bench_keep(i); // each is a function of its own
            state->moves[i](state->positions + row, state->velocities + row, count);
        }
    }
    state->hand_ticks++;
    return (bench_now() - start) * 1e-6;
}

const bench_t bench_fusion[] = {
    { .name = "fusion/one_worker",
        .row = "33",
        .unit = "ms/tick",
        .about = "ten memory-bound multithreaded systems over 4 000 000 entities in a pipeline",
        .limit_is = "chunks of 512 rows through ten functions",
        .base_is = "ecs_run of each system in turn",
        .goal_kind = GOAL_SPEED_UP,
        .goal = 3.2,
        .setup = set_up,
        .ours = pipeline,
        .limit = chunks_by_hand,
        .base = one_after_the_other,
        .teardown = tear_down },
    { .name = "fusion/workers",
        .row = "",
        .unit = "ms/tick",
        .about = "the same with workers",
        .base_is = "ecs_run of each system in turn, one worker",
        .setup = set_up,
        .ours = pipeline,
        .base = one_after_the_other,
        .teardown = tear_down,
        .with_workers = true },
    { 0 },
};
