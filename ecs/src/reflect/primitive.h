// SPDX-License-Identifier: MIT
// primitive: types without parts.
#ifndef ECS_REFLECT_PRIMITIVE_H
#define ECS_REFLECT_PRIMITIVE_H

#include "reflect/type.h"

/** Describe ecs_value_t. */
void ecs__value_type_init(ecs_world_t *world);

#endif
