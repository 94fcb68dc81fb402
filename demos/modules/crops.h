// SPDX-License-Identifier: MIT
// crops: the module farm.crops: plots, and prefabs of them: farm.crops.Cactus, Wheat and Rice. Brings farm.weather.
#ifndef DEMO_CROPS_H
#define DEMO_CROPS_H

#include <muster.h>

#ifdef __cplusplus
extern "C" {
#endif

/** ECS_IMPORT(world, FarmCrops), or ecs_import_from_library(world, "farm.crops", NULL). */
void FarmCropsImport(ecs_world_t *world);

#ifdef __cplusplus
}
#endif
#endif
