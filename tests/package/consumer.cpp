// SPDX-License-Identifier: MIT
// consumer: the program of consumer.c in C++17.
#include <muster.h>

#include <cstdio>

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};

static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        p[i].x += v[i].x * it->delta_time;
        p[i].y += v[i].y * it->delta_time;
    }
}

int main() {
    ecs_world_t *world = ecs_init();
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Velocity);
#ifdef FLECS_QUERY_DSL
    ECS_SYSTEM(world, Move, EcsOnUpdate, Position, [in] Velocity);
#else
    ecs_system_desc_t desc = {};
    desc.query.terms[0].id = ecs_id(Position);
    desc.query.terms[1].id = ecs_id(Velocity);
    desc.callback = Move;
    desc.phase = EcsOnUpdate;
    ecs_system_init(world, &desc);
#endif

    ecs_entity_t ship = ecs_new(world);
    ecs_set_name(world, ship, "Ship");
    ecs_set(world, ship, Position, { 0, 0 });
    ecs_set(world, ship, Velocity, { 1, 2 });
    for (int tick = 0; tick < 10; tick++) ecs_progress(world, 0.5f);

    const Position reached = *ecs_get(world, ship, Position);
    std::printf("%s is at %g, %g\n", ecs_get_name(world, ship), reached.x, reached.y);
    return ecs_fini(world) || reached.x != 5 || reached.y != 10;
}
