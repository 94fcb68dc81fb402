// SPDX-License-Identifier: MIT
// instead: the world as it is but for one entity, which is taken as it was before a change, or will be after it.
//
// Monitors ask whether an entity would match then. Reads the store only. Searches up among entities (search.h) are here as well: they are
// those in which nobody is taken otherwise.
#ifndef ECS_STORAGE_INSTEAD_H
#define ECS_STORAGE_INSTEAD_H

#include "storage/search.h"
#include "storage/sparse_ids.h"

/** An entity as it would be: in this table (NULL: nowhere), without an id that it has beside it, with another; NULL: none. */
typedef struct ecs__instead_t {
    ecs_entity_t entity; /* 0: everything is as it is */
    const ecs_table_t *table;
    const ecs_component_record_t *without, *with;
    bool is_bare; /* nothing is beside the table */
} ecs__instead_t;

/** Walk the ids beside the table of an entity that match `id` (0: all). */
typedef struct ecs__held_t {
    const ecs__instead_t *instead; /* NULL: the holder is as it is */
    ecs__sparse_iter_t iter;
    ecs_id_t id;   /* that ecs__held_next came to */
    ecs_id_t with; /* to come; 0: none */
} ecs__held_t;

ecs__held_t ecs__held(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t holder, ecs_id_t id);
bool ecs__held_next(ecs__held_t *held);

/** The table of an entity, NULL if it has none. */
const ecs_table_t *ecs__instead_table(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity);
/** True if an entity itself has the id. */
bool ecs__instead_has(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity, ecs_id_t id);
/** The nearest entity above along `rel` that has or inherits the id, in its table or beside it, or 0. Depth 0 = no limit. */
ecs_entity_t ecs__instead_above(const ecs__store_t *store, const ecs__instead_t *instead,
    ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel, int32_t min_depth, int32_t max_depth);

#endif
