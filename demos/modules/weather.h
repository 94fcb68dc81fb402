// SPDX-License-Identifier: MIT
// weather: the module farm.weather: what the sky does today.
#ifndef DEMO_WEATHER_H
#define DEMO_WEATHER_H

#include <muster.h>

#ifdef __cplusplus
extern "C" {
#endif

// A singleton.
typedef struct {
    int32_t day, rain; // litres per plot
} Weather;

extern ECS_COMPONENT_DECLARE(Weather);

/** ECS_IMPORT(world, FarmWeather), or ecs_import_from_library(world, "farm.weather", NULL). */
void FarmWeatherImport(ecs_world_t *world);

#ifdef __cplusplus
}
#endif
#endif
