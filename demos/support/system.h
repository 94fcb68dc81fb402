// SPDX-License-Identifier: MIT
// system: systems as most demos make them.
#ifndef DEMO_SYSTEM_H
#define DEMO_SYSTEM_H

#include <muster.h>

/** A system whose rows workers share; `name` is what schedules and traces show. */
static inline ecs_entity_t demo_system(ecs_world_t *world, const char *name, ecs_entity_t phase,
    ecs_iter_action_t callback, const char *terms, void *ctx) {
    return ecs_system(world, { .entity = ecs_entity(world, { .name = name }),
                                 .query.expr = terms,
                                 .phase = phase,
                                 .callback = callback,
                                 .ctx = ctx,
                                 .multi_threaded = true });
}

#endif
