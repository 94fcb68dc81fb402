// SPDX-License-Identifier: MIT
// answers: what the database asks reflection.
#ifndef ECS_REFLECT_ANSWERS_H
#define ECS_REFLECT_ANSWERS_H

#include <muster/ecs/extend.h>

extern const ecs_ext_reflection_t ecs__reflection;

#endif
