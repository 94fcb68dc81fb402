// SPDX-License-Identifier: MIT
// list: what From operators ask for: the ids of an entity, and of the lists that it has in turn (`AND|list`, `OR|list`).
//
// Ids that instances do not get do not count, nor does a list within itself. Reads the store only.
#ifndef ECS_QUERY_GRAPH_LIST_H
#define ECS_QUERY_GRAPH_LIST_H

#include "query/graph/instead.h"

/** Who is asked: a table; or, if an entity is not as it is, one of its own. */
typedef struct ecs__asked_t {
    const ecs_table_t *table;
    ecs_entity_t entity;
    const ecs__instead_t *instead;
} ecs__asked_t;

/** True if who is asked has or inherits all, or one, of the ids of a list, which is alive; *first becomes the first that it has. */
bool ecs__list_has(const ecs__asked_t *asked, ecs_entity_t list, bool is_all, ecs_id_t *first);
/** True if an id is one of those. */
bool ecs__list_names(const ecs__store_t *store, ecs_entity_t list, ecs_id_t id);

#endif
