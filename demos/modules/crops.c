// SPDX-License-Identifier: MIT
// crops: see crops.h. What a plot holds is known to others by its description only: no header tells of it.
#include "crops.h"

#include "weather.h"

typedef struct {
    int32_t thirst, water, grown; // litres: per day at most; in the soil; drunk so far
} Plot;

static ECS_COMPONENT_DECLARE(Plot);

static void Grow(ecs_iter_t *it) {
    Plot *plot = ecs_field(it, Plot, 0);
    const Weather *weather = ecs_field(it, Weather, 1);
    for (int32_t i = 0; i < it->count; i++) {
        plot[i].water += weather->rain;
        int32_t drunk = plot[i].thirst < plot[i].water ? plot[i].thirst : plot[i].water;
        plot[i].water -= drunk;
        plot[i].grown += drunk;
    }
}

static void make_kind(ecs_world_t *world, const char *name, int32_t thirst) {
    ecs_entity_t kind = ecs_entity(world, { .name = name, .add = ecs_ids(EcsPrefab) });
    ecs_set_override(world, kind, Plot, { .thirst = thirst });
}

void FarmCropsImport(ecs_world_t *world) {
    ECS_MODULE(world, FarmCrops);
    ECS_IMPORT(world, FarmWeather);
    ECS_COMPONENT_DEFINE(world, Plot);
    ecs_struct(world, { .entity = ecs_id(Plot),
                          .members = { { "thirst", ecs_id(ecs_i32_t) },
                              { "water", ecs_id(ecs_i32_t) }, { "grown", ecs_id(ecs_i32_t) } } });
    make_kind(world, "Cactus", 1);
    make_kind(world, "Wheat", 2);
    make_kind(world, "Rice", 3);
    ecs_system(world, { .entity = ecs_entity(world, { .name = "Grow" }),
                          .phase = EcsOnUpdate,
                          .query.expr = "Plot, [in] farm.weather.Weather",
                          .callback = Grow,
                          .multi_threaded = true });
}
