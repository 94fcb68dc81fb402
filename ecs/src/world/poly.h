// SPDX-License-Identifier: MIT
// poly: objects that live on entities (queries, systems, …), as values of pairs (EcsPoly, tag).
//
// The value owns the object: its destructor ends the object, whatever removes the pair. Values cannot be copied.
#ifndef ECS_WORLD_POLY_H
#define ECS_WORLD_POLY_H

#include <muster/ecs/component.h>

/** Fill in the type info of EcsPoly; called by the bootstrap before the first object is bound. */
void ecs__poly_bootstrap(ecs_world_t *world);
/** Set (EcsPoly, tag) at once, also while deferred; an object bound before is ended. */
void ecs__poly_bind(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t tag, ecs_poly_t *object,
    void (*dtor)(ecs_poly_t *object));
ecs_poly_t *ecs__poly_get(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t tag);

#endif
