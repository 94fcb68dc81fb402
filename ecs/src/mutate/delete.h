// SPDX-License-Identifier: MIT
// delete: removing rows for good. What refers to the entities is the business of cleanup.
#ifndef ECS_MUTATE_DELETE_H
#define ECS_MUTATE_DELETE_H

#include "storage/store.h"

/** Delete one living entity: on_remove hooks, destructors, id becomes free. */
void ecs__delete_row(ecs_world_t *world, ecs_entity_t entity);
/** The same for all entities of a table. */
void ecs__delete_rows(ecs_world_t *world, ecs_table_t *table);
/** The rows go with the world: hooks are called and observers are told, and that is all. */
void ecs__delete_announce(ecs_world_t *world, ecs_table_t *table);
/** Take away what the entities of such a table have beside it; nobody is told. */
void ecs__delete_aside(ecs_world_t *world, ecs_table_t *table);

#endif
