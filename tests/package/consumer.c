// SPDX-License-Identifier: MIT
// consumer: a C program that uses Muster as its users do: one system, ten ticks, one query.
#include <muster.h>
#include <stdio.h>

typedef struct {
    float x, y;
} Position, Velocity;

static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        p[i].x += v[i].x * it->delta_time;
        p[i].y += v[i].y * it->delta_time;
    }
}

int main(void) {
    ecs_world_t *world = ecs_init();
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Velocity);
    ECS_SYSTEM(world, Move, EcsOnUpdate, Position, [in] Velocity);

    ecs_entity_t ship = ecs_entity(world, { .name = "Ship" });
    ecs_set(world, ship, Position, { 0, 0 });
    ecs_set(world, ship, Velocity, { 1, 2 });
    for (int tick = 0; tick < 10; tick++) ecs_progress(world, 0.5f);

    Position reached = *ecs_get(world, ship, Position);
    printf("%s is at %g, %g\n", ecs_get_name(world, ship), reached.x, reached.y);
    return ecs_fini(world) || reached.x != 5 || reached.y != 10;
}
