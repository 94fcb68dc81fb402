// SPDX-License-Identifier: MIT
#include "mutate/swap.h"

#include "mutate/hooks.h"
#include "world/state.h"

void ecs__swap_begin(ecs_world_t *world, const ecs__swap_t *swap) {
    ecs__events_begin_swap(&world->events, *swap);
    if (swap->from) ecs__hooks_sparse_removing(world, swap->entity, swap->from);
    if (swap->to) ecs__hooks_beside_adding(world, swap->entity, swap->to);
}

void ecs__swap_make(ecs_world_t *world, ecs__edge_swap_t *swap) {
    world->events.swap = swap->edges;
    ecs__events_have_lost(&world->events);
    swap->make(world, swap);
}

void ecs__swap_end(ecs_world_t *world, const ecs__swap_t *swap) {
    if (swap->from) ecs__hooks_beside_removed(world, swap->entity, swap->from);
    if (swap->to) ecs__hooks_sparse_added(world, swap->entity, swap->to);
    ecs__events_end_swap(&world->events);
}
