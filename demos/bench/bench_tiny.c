// SPDX-License-Identifier: MIT
// bench_tiny: worlds with so little to do that workers cannot help. They must not harm either.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

typedef struct {
    ecs_world_t *world;
    int32_t systems, entities; // per tick; each system counts in each entity
    int32_t workers, ticks;
    int64_t ticked, hand_ticked;
    Counter *hand; // the same entities by hand
} tiny_t;

static void Count(ecs_iter_t *it) {
    Counter *counters = ecs_field(it, Counter, 0);
    for (int32_t i = 0; i < it->count; i++) counters[i].count++;
}

static void CountAll(ecs_iter_t *it) { // a run callback, for any_thread
    while (ecs_iter_next(it)) Count(it);
}

// Of a mix, each third system is multithreaded, runs anywhere, or runs on the main thread.
static void add_system(ecs_world_t *world, int32_t kind) {
    ecs_system_desc_t system = { .query.terms = { { ecs_id(Counter) } }, .phase = EcsOnUpdate };
    system.multi_threaded = kind == 0;
    system.any_thread = kind == 1;
    if (kind == 1) {
        system.run = CountAll;
    } else {
        system.callback = Count;
    }
    ecs_system_init(world, &system);
}

static void set_up(bench_run_t *run) {
    tiny_t *state = run->state = bench_array(1, sizeof *state);
    *state = (tiny_t){ .world = scene_world(), .workers = 1 };
    state->systems = (int32_t)(run->bench->size >> 32);
    state->entities = (int32_t)run->bench->size;
    state->ticks = 20000000 / (state->systems * (40 + state->entities / 2)) + 1;
    scene_add_counters(state->world, state->entities);
    state->hand = bench_array((size_t)state->entities, sizeof(Counter));
    for (int32_t i = 0; i < state->systems; i++) {
        add_system(state->world, run->bench->variant ? i % 3 : 0);
    }
}

static void tear_down(bench_run_t *run) {
    tiny_t *state = run->state;
    int64_t expected = state->ticked * state->systems * state->entities;
    if (scene_count(state->world) != expected) {
        bench_wrong(run, "%d systems counted to %lld instead of %lld", (int)state->systems,
            (long long)scene_count(state->world), (long long)expected);
    }
    if (state->hand[state->entities - 1].count != state->hand_ticked * state->systems)
        bench_wrong(run, "calls by hand were lost");
    ecs_fini(state->world);
    free(state->hand);
    free(state);
}

static double per_tick(bench_run_t *run) {
    tiny_t *state = run->state;
    scene_set_workers(state->world, run->workers, &state->workers, &state->ticked);
    return scene_tick(state->world, state->ticks, &state->ticked);
}

static __attribute__((noinline)) void count_by_hand(Counter *counters, int32_t count) {
    for (int32_t i = 0; i < count; i++) counters[i].count++;
    bench_keep((int64_t)(intptr_t)counters);
}

// One thread, since it is too little for more.
static double per_tick_by_hand(bench_run_t *run) {
    tiny_t *state = run->state;
    double begin = bench_now();
    for (int32_t tick = 0; tick < state->ticks; tick++) {
        for (int32_t i = 0; i < state->systems; i++) count_by_hand(state->hand, state->entities);
    }
    state->hand_ticked += state->ticks;
    return (bench_now() - begin) / state->ticks;
}

#define TINY(name_, row_, about_, systems_, entities_, mixed_, kind_, goal_)                 \
    {                                                                                        \
        .name = "tiny/" name_, .row = row_, .unit = "ns/tick", .about = about_,              \
        .goal_kind = kind_, .goal = goal_, .limit_is = "calls of functions by one thread",   \
        .setup = set_up, .ours = per_tick, .limit = per_tick_by_hand, .teardown = tear_down, \
        .with_workers = true, .more = 4, .size = (int64_t)(systems_) << 32 | (entities_),    \
        .variant = mixed_                                                                    \
    }

const bench_t bench_tiny[] = {
    TINY("one_system", "24", "a multithreaded system over 10 entities", 1, 10, false,
        GOAL_OVER_BASE, 100),
    TINY("1000_systems", "25", "1 000 multithreaded systems over 10 entities", 1000, 10, false,
        GOAL_OF_BASE, 1.02),
    TINY("one_entity", "", "10 multithreaded systems over one entity", 10, 1, false, GOAL_OF_BASE,
        1.02),
    TINY("hundred_entities", "", "10 multithreaded systems over 100 entities", 10, 100, false,
        GOAL_OF_BASE, 1.02),
    TINY("thousand_entities", "", "3 multithreaded systems over 1 000 entities", 3, 1000, false,
        GOAL_OF_BASE, 1.02),
    TINY("mixed", "", "30 systems of all three kinds over 100 entities", 30, 100, true,
        GOAL_OF_BASE, 1.02),
    { 0 },
};
