// SPDX-License-Identifier: MIT
// weather: see weather.h. It rains on each third day.
#include "weather.h"

ECS_COMPONENT_DECLARE(Weather);

static void Dawn(ecs_iter_t *it) {
    Weather *weather = ecs_field(it, Weather, 0);
    weather->rain = weather->day % 3 ? 0 : 6;
    weather->day++;
}

void FarmWeatherImport(ecs_world_t *world) {
    ECS_MODULE(world, FarmWeather);
    ECS_COMPONENT_DEFINE(world, Weather);
    ecs_struct(
        world, { .entity = ecs_id(Weather),
                   .members = { { "day", ecs_id(ecs_i32_t) }, { "rain", ecs_id(ecs_i32_t) } } });
    ecs_add_id(world, ecs_id(Weather), EcsSingleton);
    ecs_singleton_set(world, Weather, { 0 });
    ECS_SYSTEM(world, Dawn, EcsOnLoad, Weather);
}
