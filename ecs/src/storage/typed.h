// SPDX-License-Identifier: MIT
// typed: where values of a component are, or would be: under its id, and under pairs that get their type from it.
#ifndef ECS_STORAGE_TYPED_H
#define ECS_STORAGE_TYPED_H

#include "storage/store.h"

/** Visit the tables that have, or would have, columns of such values; they may be deleted meanwhile. */
void ecs__each_table_of_type(ecs__store_t *store, ecs_entity_t component,
    void (*visit)(ecs_table_t *table, void *ctx), void *ctx);
/** True if some entity has such a value, in its table or beside it, or a table that could have some is locked. */
bool ecs__has_values(ecs__store_t *store, ecs_entity_t component);

#endif
