// SPDX-License-Identifier: MIT
// hello: the example of the README. A thousand ships fly; those that arrive are removed by the system
// itself, from several threads, with the same result each time.
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
        if (p[i].x > 110) ecs_delete(it->world, it->entities[i]); // applied at the sync point
    }
}

int main(void) {
    ecs_world_t *world = ecs_init();
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Velocity);
    ecs_system_desc_t move = { .callback = Move, .phase = EcsOnUpdate, .multi_threaded = true };
    move.query.expr = "Position, [in] Velocity";
    ecs_system_init(world, &move);

    for (int i = 0; i < 1000; i++) {
        ecs_entity_t ship = ecs_new(world);
        ecs_set(world, ship, Position, { 0, (float)i });
        ecs_set(world, ship, Velocity, { (float)(i % 10), 1 });
    }
    ecs_set_threads(world, 4); // results do not depend on this number
    for (int tick = 0; tick < 600; tick++) ecs_progress(world, 1 / 30.0f);

    printf("%d ships are still on their way, state %016llx\n", ecs_count(world, Position),
        (unsigned long long)ecs_world_hash(world));
    return ecs_fini(world);
}
