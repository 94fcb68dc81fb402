// SPDX-License-Identifier: MIT
// bootstrap: makes the builtin entities with their names and traits. Once per world, before
// anything else.
#ifndef ECS_WORLD_BOOTSTRAP_H
#define ECS_WORLD_BOOTSTRAP_H

#include <muster/ecs/world.h>

void ecs__bootstrap(ecs_world_t *world);

#endif
