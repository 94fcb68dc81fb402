// SPDX-License-Identifier: MIT
// describe: how entities become described types, whether a descriptor says so or a component that is set on them by hand.
#ifndef ECS_REFLECT_DESCRIBE_H
#define ECS_REFLECT_DESCRIBE_H

#include "reflect/type.h"

// ---- While types are made, changes apply at once ----

typedef struct ecs__immediate_t {
    ecs_world_t *world; /* never a stage */
    ecs_entity_t scope;
    ecs_id_t with;
    const char *prefix;
    bool resume;
} ecs__immediate_t;

/** Leave deferring, scope, `with` and name prefix until ecs__immediate_end. */
ecs__immediate_t ecs__immediate_begin(ecs_world_t *world);
void ecs__immediate_end(const ecs__immediate_t *state);

/** What a descriptor is to make: a type, or a unit. */
typedef struct ecs__describe_t {
    ecs_world_t *world;  /* never a stage */
    ecs_entity_t entity; /* that the descriptor gives, else a new one */
    bool is_new;         /* it was not alive before */
    ecs__immediate_t immediate;
} ecs__describe_t;

/** False, with a sentence, if what these ids are to be cannot be made now. */
bool ecs__may_import(const ecs_world_t *world, const ecs_entity_t *ids, int32_t count);
/** False, with a sentence, if nothing can be described now. */
bool ecs__may_describe(const ecs_world_t *world);
/** False, with a sentence, if that is so, or the entity that is given cannot be alive: then there is nothing to end. */
bool ecs__describe_begin(ecs__describe_t *describe, ecs_world_t *world, ecs_entity_t given);
/** The entity; 0, and a new one is deleted, without success. */
ecs_entity_t ecs__describe_end(const ecs__describe_t *describe, bool success);

// ---- Types that one component describes ----

/** Make what the value of such a component describes, and set it. */
ecs_entity_t ecs__describe_by(
    ecs_world_t *world, ecs_entity_t given, ecs_entity_t component, const void *value);
/** From now on entities on which such a component is set become types. */
void ecs__describe_by_hand(ecs_world_t *world);

/* Make a type of the value of EcsPrimitive, EcsEnum, … False, with a sentence, if it describes none. */
bool ecs__primitive_define(ecs_world_t *world, ecs_entity_t type, const void *primitive);
bool ecs__enum_define(ecs_world_t *world, ecs_entity_t type, const void *enumeration);
bool ecs__bitmask_define(ecs_world_t *world, ecs_entity_t type, const void *bitmask);
bool ecs__array_define(ecs_world_t *world, ecs_entity_t type, const void *array);
bool ecs__vector_define(ecs_world_t *world, ecs_entity_t type, const void *vector);
bool ecs__map_define(ecs_world_t *world, ecs_entity_t type, const void *map);
bool ecs__opaque_define(ecs_world_t *world, ecs_entity_t type, const void *opaque);

#endif
