// SPDX-License-Identifier: MIT
// consumer: a C program that uses Muster as its users do: one system, ten ticks, one query; and one of as many terms as there may be.
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

// The last of all fields is written.
static bool tells_of_last_field(ecs_world_t *world, ecs_entity_t ship, ecs_entity_t last) {
    ecs_query_desc_t desc = { 0 };
    for (int i = 0; i < FLECS_TERM_COUNT_MAX - 1; i++)
        ecs_add_id(world, ship, desc.terms[i].id = ecs_new(world));
    desc.terms[FLECS_TERM_COUNT_MAX - 1].id = last;
    ecs_query_t *writer = ecs_query_init(world, &desc);
    ecs_query_t *reader =
        ecs_query(world, { .terms = { { last, .inout = EcsIn } }, .flags = EcsQueryDetectChanges });
    for (ecs_iter_t it = ecs_query_iter(world, reader); ecs_query_next(&it);) {}
    bool told = !ecs_query_changed(reader);
    for (ecs_iter_t it = ecs_query_iter(world, writer); ecs_query_next(&it);) {}
    told = told && ecs_query_changed(reader);
    ecs_query_fini(writer);
    ecs_query_fini(reader);
    return told;
}

int main(void) {
    ecs_world_t *world = ecs_init();
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Velocity);
    ecs_system(
        world, { .query.terms = { { ecs_id(Position) }, { ecs_id(Velocity), .inout = EcsIn } },
                   .callback = Move,
                   .phase = EcsOnUpdate });

    ECS_ENTITY(world, Ship);
    ecs_entity_t ship = Ship;
    ecs_set(world, ship, Position, { 0, 0 });
    ecs_set(world, ship, Velocity, { 1, 2 });
    for (int tick = 0; tick < 10; tick++) ecs_progress(world, 0.5f);

    Position reached = *ecs_get(world, ship, Position);
    printf("%s is at %g, %g\n", ecs_get_name(world, ship), reached.x, reached.y);
    bool told = tells_of_last_field(world, ship, ecs_id(Position));
    return ecs_fini(world) || !ship || !told || reached.x != 5 || reached.y != 10;
}
