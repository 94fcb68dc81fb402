// SPDX-License-Identifier: MIT
// swap: an edge beside the table of an entity comes, goes, or takes the place of another, maybe together with a move to another table.
//
// It is one change: observers see the entity before it and after it, never in between, and are told once, be it by the edge or by the
// table. So come the first edge of a relationship and the id that stands for it in tables, and so they go.
#ifndef ECS_MUTATE_SWAP_H
#define ECS_MUTATE_SWAP_H

#include "event/events.h"

/** An edge that comes or goes with a move of its entity. */
typedef struct ecs__edge_swap_t {
    ecs__swap_t edges;
    void (*make)(ecs_world_t *world, struct ecs__edge_swap_t *swap); /* as the row has moved */
} ecs__edge_swap_t;

/** Tell of the edge that will go, and of the absence of the one that will come. False if whoever was told suspended deferring and took
 * the edge, or ended one of its ends: then the swap is none. */
bool ecs__swap_begin(ecs_world_t *world, const ecs__swap_t *swap);
/** Whoever was told may have made other swaps: this one is under way again, and done. */
void ecs__swap_make(ecs_world_t *world, ecs__edge_swap_t *swap);
/** Tell of the absence of the edge that went, and of the one that came. */
void ecs__swap_end(ecs_world_t *world, const ecs__swap_t *swap);

/** Move an entity to `dst` together with an edge. Nothing is done if whoever is told moves the entity elsewhere. */
void ecs__transition_with_edge(
    ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst, ecs__edge_swap_t *swap);

#endif
