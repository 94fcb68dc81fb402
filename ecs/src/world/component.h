// SPDX-License-Identifier: MIT
// component: registering types. What makes an entity a component is its EcsComponent value, whose
// hooks keep the type infos right.
#ifndef ECS_WORLD_COMPONENT_H
#define ECS_WORLD_COMPONENT_H

#include <muster/ecs/component.h>

/** Fill in the type info of EcsComponent; before the first component gets its value. */
void ecs__component_bootstrap(ecs_world_t *world);

/** Whether this can be said of an entity; else false, with a sentence. */
bool ecs__component_check(ecs_world_t *world, ecs_entity_t entity, const EcsComponent *wanted);

#endif
