// SPDX-License-Identifier: MIT
// scene: see scene.h.
#include "scene.h"

#include <stdlib.h>

ECS_COMPONENT_DECLARE(Position);
ECS_COMPONENT_DECLARE(Velocity);
ECS_COMPONENT_DECLARE(Work);
ECS_COMPONENT_DECLARE(Counter);
ecs_entity_t scene_extras[SCENE_EXTRAS];

ecs_world_t *scene_world(void) {
    ecs_world_t *world = ecs_init();
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Work);
    ECS_COMPONENT_DEFINE(world, Counter);
    for (int32_t i = 0; i < SCENE_EXTRAS; i++) {
        scene_extras[i] = ecs_component(world, { .type = { .size = 8, .alignment = 8 } });
    }
    return world;
}

void scene_add_movers(ecs_world_t *world, int32_t tables, int32_t count) {
    Position *positions = bench_array((size_t)count, sizeof(Position));
    Velocity *velocities = bench_array((size_t)count, sizeof(Velocity));
    for (int32_t i = 0; i < count; i++) velocities[i] = (Velocity){ 1, 2 };
    for (int32_t t = 0; t < tables; t++) {
        ecs_entity_t tag = ecs_new(world);
        ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = count,
                                 .ids = { ecs_id(Position), ecs_id(Velocity), tag },
                                 .data = (void *[]){ positions, velocities, NULL } });
    }
    free(positions);
    free(velocities);
}

ecs_query_t *scene_movers(ecs_world_t *world, bool cached) {
    return ecs_query(
        world, { .terms = { { ecs_id(Position) }, { ecs_id(Velocity), .inout = EcsIn } },
                   .cache_kind = cached ? EcsQueryCacheAuto : EcsQueryCacheNone });
}

void scene_check_movers(bench_run_t *run, ecs_world_t *world, int32_t movers, int64_t steps) {
    int32_t found = 0;
    ecs_iter_t it = ecs_each(world, Position);
    while (ecs_each_next(&it)) {
        const Position *p = ecs_field(&it, Position, 0);
        for (int32_t i = 0; i < it.count; i++) {
            if (p[i].x != (float)steps || p[i].y != 2 * (float)steps) {
                bench_wrong(run, "a mover is at (%g, %g) after %lld steps of (1, 2)",
                    (double)p[i].x, (double)p[i].y, (long long)steps);
            }
        }
        found += it.count;
    }
    if (found != movers) {
        bench_wrong(run, "there are %d movers instead of %d", (int)found, (int)movers);
    }
}

ecs_entity_t scene_add_counters(ecs_world_t *world, int32_t count) {
    return ecs_bulk_new(world, Counter, count)[count - 1];
}

int64_t scene_count(ecs_world_t *world) {
    int64_t sum = 0;
    ecs_iter_t it = ecs_each(world, Counter);
    while (ecs_each_next(&it)) {
        const Counter *counters = ecs_field(&it, Counter, 0);
        for (int32_t i = 0; i < it.count; i++) sum += counters[i].count;
    }
    return sum;
}

double scene_tick(ecs_world_t *world, int32_t count, int64_t *ticks) {
    double start = bench_now();
    for (int32_t i = 0; i < count; i++) ecs_progress(world, 1);
    *ticks += count;
    return (bench_now() - start) / count;
}

void scene_set_workers(ecs_world_t *world, int32_t workers, int32_t *current, int64_t *ticks) {
    if (workers != *current) ecs_set_threads(world, workers);
    *current = workers;
    double start = bench_now();
    for (int32_t i = 0; i < 3 || (bench_now() - start < 1e6 && i < 1000); i++) {
        scene_tick(world, 1, ticks);
    }
}

#define MOVE_ALL                           \
    for (int32_t i = 0; i < count; i++) {  \
        positions[i].x += velocities[i].x; \
        positions[i].y += velocities[i].y; \
    }

__attribute__((aligned(64), noinline)) void scene_move(
    Position *restrict positions, const Velocity *restrict velocities, int32_t count){ MOVE_ALL }

BENCH_WIDE __attribute__((aligned(64), noinline)) void scene_move_many(
    Position *restrict positions, const Velocity *restrict velocities, int32_t count) {
    MOVE_ALL
}

__attribute__((aligned(64), noinline)) void scene_work(Work *work, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        uint64_t value = work[i].value;
        for (int32_t k = work[i].rounds; k > 0; k--) {
            value = (value ^ value >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
        }
        work[i].value = value;
        work[i].steps++;
    }
}
