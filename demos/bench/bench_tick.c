// SPDX-License-Identifier: MIT
// bench_tick: what a tick, a system and a sync point cost when there is nothing to do in them.
#include "bench.h"
#include "scene.h"
#include "team.h"

#include <stdlib.h>

// Two worlds: one with what is measured, one without. The cost of one piece is the difference.
typedef struct {
    ecs_world_t *with, *without;
    int64_t ticks_with, ticks_without;
    int32_t workers_with, workers_without;
    int32_t pieces;
    Counter hand; // counted by hand
    int64_t hand_calls;
} tick_t;

enum { SYSTEMS_IN_A_TICK = 100, SYSTEM_CALLS = 400000, SYNC_POINTS = 50 };

static void Count(ecs_iter_t *it) {
    Counter *counters = ecs_field(it, Counter, 0);
    for (int32_t i = 0; i < it->count; i++) counters[i].count++;
}

static tick_t *start(bench_run_t *run) {
    tick_t *state = run->state = bench_array(1, sizeof *state);
    *state = (tick_t){ .with = scene_world(),
        .without = scene_world(),
        .pieces = 1,
        .workers_with = 1,
        .workers_without = 1 };
    scene_add_counters(state->with, 1);
    scene_add_counters(state->without, 1);
    return state;
}

static void finish(bench_run_t *run, int32_t counts_with, int32_t counts_without) {
    tick_t *state = run->state;
    if (scene_count(state->with) != counts_with * state->ticks_with ||
        scene_count(state->without) != counts_without * state->ticks_without) {
        bench_wrong(run, "%d and %d systems counted %lld and %lld in %lld and %lld ticks",
            (int)counts_with, (int)counts_without, (long long)scene_count(state->with),
            (long long)scene_count(state->without), (long long)state->ticks_with,
            (long long)state->ticks_without);
    }
    ecs_fini(state->with);
    ecs_fini(state->without);
    free(state);
}

// ---- Systems ----

static void set_up_systems(bench_run_t *run) {
    tick_t *state = start(run);
    state->pieces = (int32_t)run->bench->size;
    for (int32_t i = 0; i < state->pieces; i++) {
        ecs_system(state->with,
            { .query.terms = { { ecs_id(Counter) } }, .callback = Count, .phase = EcsOnUpdate });
    }
}

static void tear_down_systems(bench_run_t *run) {
    const tick_t *state = run->state;
    if (state->hand.count != state->hand_calls) bench_wrong(run, "calls by hand were lost");
    finish(run, (int32_t)run->bench->size, 0);
}

static double empty_tick(bench_run_t *run) {
    tick_t *state = run->state;
    return scene_tick(state->with, 20000, &state->ticks_with);
}

// By hand a tick without systems adds up time.
typedef struct {
    void (*tick)(void *clock, float delta);
    double time;
    int64_t ticks;
} hand_clock_t;

static void tick_clock(void *ctx, float delta) {
    hand_clock_t *clock = ctx;
    clock->time += (double)delta;
    clock->ticks++;
}

static double empty_by_hand(bench_run_t *run) {
    hand_clock_t clock = { .tick = tick_clock };
    double begin = bench_now();
    for (int32_t i = 0; i < 20000; i++) {
        bench_keep((int64_t)(intptr_t)&clock); // called through the pointer, not inlined
        clock.tick(&clock, 1);
    }
    double time_ns = bench_now() - begin;
    if (clock.ticks != 20000 || clock.time != 20000) bench_wrong(run, "ticks by hand were lost");
    return time_ns / 20000;
}

static double per_system(bench_run_t *run) {
    tick_t *state = run->state;
    int32_t ticks = SYSTEM_CALLS / state->pieces;
    ticks = ticks > 20000 ? 20000 : ticks;
    double without = scene_tick(state->without, ticks, &state->ticks_without);
    double with = scene_tick(state->with, ticks, &state->ticks_with);
    return (with - without) / state->pieces;
}

typedef struct {
    void (*callback)(Counter *counters, int32_t count);
    Counter *counters;
    int32_t count;
} hand_system_t;

static void count_by_hand(Counter *counters, int32_t count) {
    for (int32_t i = 0; i < count; i++) counters[i].count++;
}

static double call_by_hand(bench_run_t *run) {
    tick_t *state = run->state;
    hand_system_t systems[SYSTEMS_IN_A_TICK];
    for (int32_t i = 0; i < SYSTEMS_IN_A_TICK; i++) {
        systems[i] = (hand_system_t){ count_by_hand, &state->hand, 1 };
        bench_keep((int64_t)(intptr_t)&systems[i]); // called through the pointer, not inlined
    }
    double begin = bench_now();
    for (int32_t tick = 0; tick < SYSTEM_CALLS / SYSTEMS_IN_A_TICK; tick++) {
        for (int32_t i = 0; i < SYSTEMS_IN_A_TICK; i++) {
            systems[i].callback(systems[i].counters, systems[i].count);
        }
        bench_keep(tick);
    }
    state->hand_calls += SYSTEM_CALLS;
    return (bench_now() - begin) / SYSTEM_CALLS;
}

// ---- Sync points ----
// Pairs of systems of which the first says that it sets Mark through commands, and the second that it
// reads Mark, so that a merge is needed between them; and the same pairs when both only read.

static void add_pairs(ecs_world_t *world, bool synced) {
    ecs_component(world,
        { .entity = ecs_entity(world, { .name = "Mark" }), .type = { .size = 4, .alignment = 4 } });
    for (int32_t i = 0; i < 2 * SYNC_POINTS; i++) {
        bool writes = synced && i % 2 == 0;
        ecs_system(world, { .query.expr = writes ? "Counter, [out] Mark()" : "Counter, [in] Mark()",
                              .callback = Count,
                              .phase = EcsOnUpdate,
                              .multi_threaded = true });
    }
}

static void set_up_sync(bench_run_t *run) {
    tick_t *state = start(run);
    add_pairs(state->with, true);
    add_pairs(state->without, false);
    state->pieces = SYNC_POINTS;
}

static void tear_down_sync(bench_run_t *run) {
    const tick_t *state = run->state;
    int64_t extra = ecs_get_world_info(state->with)->merge_count_total / state->ticks_with -
                    ecs_get_world_info(state->without)->merge_count_total / state->ticks_without;
    if (extra < SYNC_POINTS - 1) { // the first pair may meet the merge at the begin of the tick
        bench_wrong(run, "a tick has %d sync points instead of %d", (int)extra, (int)SYNC_POINTS);
    }
    finish(run, 2 * SYNC_POINTS, 2 * SYNC_POINTS);
}

static double per_sync_point(bench_run_t *run) {
    tick_t *state = run->state;
    scene_set_workers(state->with, run->workers, &state->workers_with, &state->ticks_with);
    scene_set_workers(state->without, run->workers, &state->workers_without, &state->ticks_without);
    double without = scene_tick(state->without, 1000, &state->ticks_without);
    double with = scene_tick(state->with, 1000, &state->ticks_with);
    return (with - without) / state->pieces;
}

// By hand a queue is asked whether there is anything in it.
static double ask_queues(bench_run_t *run) {
    struct {
        void *first;
        int32_t count;
    } queues[SYNC_POINTS] = { { NULL, 0 } };
    int64_t found = 0;
    double begin = bench_now();
    for (int32_t tick = 0; tick < 1000; tick++) {
        bench_keep((int64_t)(intptr_t)queues);
        for (int32_t i = 0; i < SYNC_POINTS; i++) found += queues[i].count ? 1 : 0;
    }
    double time_ns = bench_now() - begin;
    if (found) bench_wrong(run, "a queue by hand is not empty");
    return time_ns / 1000 / SYNC_POINTS;
}

static void do_nothing(void *ctx, int32_t member) { (void)ctx, (void)member; }

static double per_barrier(bench_run_t *run) {
    double best = 1e9; // of some batches: a thread that loses its processor is no cost of a barrier
    team_t *team = team_create(run->workers, true);
    for (int32_t batch = 0; batch < 20; batch++) {
        double begin = bench_now();
        for (int32_t i = 0; i < 500; i++) team_run(team, do_nothing, NULL);
        double time_ns = (bench_now() - begin) / 500;
        best = time_ns < best ? time_ns : best;
    }
    team_destroy(team);
    return best;
}

#define SYSTEMS(name_, count_)                                                                 \
    {                                                                                          \
        .name = "tick/systems_" name_, .row = "23", .unit = "ns/system",                       \
        .about =                                                                               \
            "a system over one entity, " name_ " of them, without the cost of the empty tick", \
        .limit_is = "calls through an array of function pointers", .goal_kind = GOAL_AT_MOST,  \
        .goal = 12, .setup = set_up_systems, .ours = per_system, .limit = call_by_hand,        \
        .teardown = tear_down_systems, .size = count_                                          \
    }

const bench_t bench_tick[] = {
    { .name = "tick/empty",
        .row = "23",
        .unit = "ns/tick",
        .about = "a tick without systems",
        .goal_kind = GOAL_AT_MOST,
        .goal = 60,
        .setup = set_up_systems,
        .limit_is = "a call that adds up time",
        .ours = empty_tick,
        .limit = empty_by_hand,
        .teardown = tear_down_systems },
    SYSTEMS("1", 1),
    SYSTEMS("100", 100),
    SYSTEMS("1000", 1000),
    { .name = "tick/sync_point",
        .row = "32",
        .unit = "ns/sync",
        .about = "a sync point at which nothing was recorded, one worker",
        .goal_kind = GOAL_AT_MOST,
        .goal = 20,
        .setup = set_up_sync,
        .limit_is = "asking whether a queue is empty",
        .ours = per_sync_point,
        .limit = ask_queues,
        .teardown = tear_down_sync },
    { .name = "tick/sync_point_workers",
        .row = "32",
        .unit = "ns/sync",
        .about = "a sync point at which nothing was recorded",
        .limit_is = "a barrier of threads that spin on atomics",
        .goal_kind = GOAL_AT_MOST,
        .goal = 300,
        .setup = set_up_sync,
        .ours = per_sync_point,
        .limit = per_barrier,
        .teardown = tear_down_sync,
        .with_workers = true },
    { 0 },
};
