// SPDX-License-Identifier: MIT
// list: what From operators ask for: the ids of an entity, and of the lists that it has in turn (`AND|list`, `OR|list`).
//
// Ids that instances do not get do not count, nor does a list within itself. Reads the store only.
#ifndef ECS_QUERY_GRAPH_LIST_H
#define ECS_QUERY_GRAPH_LIST_H

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/query.h>

#include "storage/instead.h"
#include "storage/sparse_ids.h"

/** Who is asked, for each of the ids as the term says: a table; or one of its entities, if these are not as they are, or what they
 * have, or is above them, is told beside tables or can be switched off. */
typedef struct ecs__asked_t {
    const ecs_table_t *table;
    ecs_entity_t entity;
    const ecs__instead_t *instead;
    const ecs_term_t *term;
    bool by_entity;
    bool by_row; /* what is switched off does not count */
} ecs__asked_t;

/** True if some of them are beside tables, or (by_row) can be switched off, so that entities have to be asked. */
bool ecs__list_is_by_entity(const ecs__store_t *store, ecs_entity_t list, bool by_row);

typedef struct ecs__list_found_t {
    ecs_id_t id;
    ecs_entity_t source; /* above who is asked; 0 = that one itself */
} ecs__list_found_t;

/** True if who is asked has all, or one, of the ids of a list, which is alive; *first becomes the first that it has. */
bool ecs__list_has(
    const ecs__asked_t *asked, ecs_entity_t list, bool is_all, ecs__list_found_t *first);
/** True if an id is one of those. */
bool ecs__list_names(const ecs__store_t *store, ecs_entity_t list, ecs_id_t id);
/** Add all of those (ecs_id_t), some of them more than once. */
void ecs__list_each(const ecs__store_t *store, ecs_entity_t list, ecs_vec_t *out);
/** True if the ids of an entity are among those of a list: it is the list, or one within it. */
bool ecs__list_takes(const ecs__store_t *store, ecs_entity_t list, ecs_entity_t inner);

#endif
