// SPDX-License-Identifier: MIT
#include "mutate/swap.h"

#include "mutate/hooks.h"
#include "world/state.h"

static bool is_there(const ecs_world_t *world, const ecs_component_record_t *record, ecs_id_t id) {
    return !id || ecs__id_record_get(&world->store, id) == record;
}

bool ecs__swap_begin(ecs_world_t *world, const ecs__swap_t *swap) {
    const ecs_id_t from = swap->from ? swap->from->id : 0, to = swap->to ? swap->to->id : 0;
    ecs__events_begin_swap(&world->events, *swap);
    const uint64_t emitted = world->events.emitted;
    if (from) ecs__hooks_sparse_removing(world, swap->entity, swap->from);
    if (to) ecs__hooks_beside_adding(world, swap->entity, swap->to);
    if (world->events.emitted == emitted) return true; /* nobody was told */
    bool stays = ecs__entity_table(&world->store.entities, swap->entity) &&
                 is_there(world, swap->from, from) && is_there(world, swap->to, to) &&
                 (!from || ecs__sparse_has(swap->from, swap->entity));
    if (!stays) ecs__events_end_swap(&world->events);
    return stays;
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
