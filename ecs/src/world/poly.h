// SPDX-License-Identifier: MIT
// poly: objects that live on entities (queries, systems, …), as values of pairs (EcsPoly, tag).
//
// The value owns the object: its destructor ends the object, whatever removes the pair. Values cannot be copied.
// ecs_ext_poly_bind and _get (<muster/ecs/extend.h>) set and read it.
#ifndef ECS_WORLD_POLY_H
#define ECS_WORLD_POLY_H

#include <muster/ecs/component.h>

/** Fill in the type info of EcsPoly; called by the bootstrap before the first object is bound. */
void ecs__poly_bootstrap(ecs_world_t *world);

#endif
