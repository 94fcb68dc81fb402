// SPDX-License-Identifier: MIT
// builtin: the fixed ids as compile-time constants.
//
// The public constants (EcsChildOf, …) are objects, so that user code links against them; inside the library the
// enumerators below are used instead, because a compiler can fold them.
#ifndef ECS_ID_BUILTIN_H
#define ECS_ID_BUILTIN_H

#include <muster/ecs/builtin.h>

/** Id flag bits as integer constant expressions (the public ECS_PAIR, … are objects). */
#define ECS__PAIR (1ull << 63)
#define ECS__AUTO_OVERRIDE (1ull << 62)
#define ECS__TOGGLE (1ull << 61)
#define ECS__VALUE_PAIR ((1ull << 63) | (1ull << 60))
#define ECS__AND (1ull << 60)
#define ECS__OR ((1ull << 60) | (1ull << 59))

enum {
#define BUILTIN(name, value, text) Ecs__##name = (value),
#define BUILTIN_COMPONENT(name, value) Ecs__##name = (value),
#include "id/builtin.def"
#undef BUILTIN
#undef BUILTIN_COMPONENT
};

/** Largest id of a builtin; user ids above the component range start behind it. */
#define ECS__FIRST_USER_ENTITY ((ecs_entity_t)FLECS_HI_COMPONENT_ID + 128)
#define ECS__FIRST_USER_COMPONENT ((ecs_entity_t)8)
static inline bool ecs__is_builtin(ecs_entity_t entity) {
    return entity < ECS__FIRST_USER_COMPONENT ||
           (entity >= FLECS_HI_COMPONENT_ID && entity < ECS__FIRST_USER_ENTITY);
}

/** The pair id of two ids given as constants or variables. */
#define ECS__MAKE_PAIR(first, second) \
    (ECS__PAIR | (((uint64_t)(first)&0x0FFFFFFFull) << 32) | (uint32_t)(second))

#endif
