// SPDX-License-Identifier: MIT
// builtin: defines the public constants for fixed ids and id flags from builtin.def.
#include "id/builtin.h"

#define BUILTIN(name, value, text) const ecs_entity_t Ecs##name = (value);
#define BUILTIN_COMPONENT(name, value) const ecs_entity_t ecs_id(Ecs##name) = (value);
#include "id/builtin.def"
#undef BUILTIN
#undef BUILTIN_COMPONENT

// Older spellings of the same ids.
const ecs_entity_t EcsTag = Ecs__PairIsTag;
const ecs_entity_t EcsThrow = Ecs__Panic;

const ecs_id_t ECS_PAIR = ECS__PAIR;
const ecs_id_t ECS_AUTO_OVERRIDE = ECS__AUTO_OVERRIDE;
const ecs_id_t ECS_TOGGLE = ECS__TOGGLE;
const ecs_id_t ECS_VALUE_PAIR = ECS__VALUE_PAIR;
const ecs_id_t ECS_AND = ECS__AND;
const ecs_id_t ECS_OR = ECS__OR;
