// SPDX-License-Identifier: MIT
// unsupported: see muster/ecs/unsupported.h. Threads: as the functions will be once their features exist.
#include <muster/ecs/unsupported.h>

#include "mutate/report.h"

static void refuse_for(const ecs_world_t *world, ecs_entity_t entity, const char *what) {
    ecs__refuse(ECS_UNSUPPORTED, "this version does not support %s: entity %s", what,
        ECS__TEXT(world, entity));
}

ecs_entity_t ecs_new_w_parent(ecs_world_t *world, ecs_entity_t parent, const char *name) {
    (void)name;
    refuse_for(world, parent, "children by the component Parent; use (ChildOf, parent)");
    return 0;
}
