// SPDX-License-Identifier: MIT
// search: finding an id in a table or, up a relationship, in the tables of its targets.
#ifndef ECS_STORAGE_SEARCH_H
#define ECS_STORAGE_SEARCH_H

#include "storage/table.h"

typedef struct ecs__found_t {
    const ecs_table_t *table; /* table that has the id */
    ecs_entity_t source;      /* entity that has it; 0 when it is the searched table itself */
    int32_t index;            /* position in table->type */
    int32_t depth;            /* 0 = the table itself, 1 = direct target, … */
    ecs_id_t id;              /* concrete id */
} ecs__found_t;

/** What a walk along a relationship has visited. Walks of few steps keep no list; from then on, each
 * entity is visited once, or again at a smaller depth, so that branches that meet again, and cycles,
 * cost no more than there are entities. A zeroed one is ready. */
typedef struct ecs__visited_t {
    int32_t steps;
    ecs_map_t depths; /* by entity */
} ecs__visited_t;
/** False if there is no need to visit an entity again; depths begin with 1. */
bool ecs__visit(ecs__visited_t *visited, ecs_entity_t entity, int32_t depth);
void ecs__visited_fini(ecs__visited_t *visited);

/** Search a table for `id` (wildcards allowed), then, if `up`, its targets of relationship `rel`, nearest first, depth-first in id
 * order; an ancestor is also asked for what it inherits through IsA. `self` decides whether the table itself counts. Levels outside
 * [min_depth, max_depth] do not count (0 = no limit). Ids that may not be inherited are skipped when rel is IsA. False if not found.
 * Cycles end the search. */
bool ecs__search_up(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel, bool self, bool up,
    int32_t min_depth, int32_t max_depth, ecs__found_t *out);

/** True if a search for `id` (0: none) along `rel` must look beside tables: it is entities then that have ids and targets. */
bool ecs__sparse_matters(const ecs__store_t *store, ecs_id_t id, ecs_entity_t rel);
/** The nearest entity that has `id`, from `entity` itself up along `rel`, depth first, each before its bases; 0 if none. In instead.c. */
ecs_entity_t ecs__search_from(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel);
/** The same above an entity, or above the entities of a table, which do not count themselves. */
ecs_entity_t ecs__search_above(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel);
ecs_entity_t ecs__search_above_table(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel);
/** The depth of what is around, or below, a cycle of single targets. */
#define ECS__ENDLESS (1 << 30)
/** As ecs__table_depth for one entity. */
int32_t ecs__depth_from(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel);
/** n-th target that an entity itself has, with generation, or 0; wherever its pairs are kept. */
ecs_entity_t ecs__target_along(const ecs__store_t *store, const ecs_component_record_t *any,
    ecs_entity_t rel, ecs_entity_t entity, int32_t n);
ecs_entity_t ecs__target_of(
    const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel, int32_t n);

/** True if nobody has several targets of a relationship. */
bool ecs__has_one_target(const ecs__store_t *store, ecs_entity_t rel);
/** True if some pair of a relationship names an entity. */
bool ecs__is_target(const ecs__store_t *store, ecs_entity_t rel, ecs_entity_t entity);
/** False if nobody who has an id in a table is seen from below along a relationship, or from an instance that is; if many have it and
 * there are many targets, true. */
bool ecs__id_is_above_along(const ecs_component_record_t *record, ecs_entity_t rel);

/** True if it is certain that ways up from an entity end, as there is one and it does. */
bool ecs__ends_above(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel);

/** The parent of an entity, by pair or by component, or 0. */
static inline ecs_entity_t ecs__parent_of(const ecs__store_t *store, ecs_entity_t entity) {
    return ecs__target_of(store, entity, Ecs__ChildOf, 0);
}
/** True if the entity is `ancestor` or below it in the hierarchy. */
bool ecs__is_inside(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t ancestor);

/** Hops from the table's entities to a root of `rel` (longest over several targets). 0 for roots. */
int32_t ecs__table_depth(const ecs_table_t *table, ecs_entity_t rel);

/** Position in the type of the n-th pair of a relationship, whose record this is; n < record->count. */
int32_t ecs__table_nth(const ecs_table_t *table, const ecs__table_record_t *record, int32_t n);
/** n-th target of a relationship in the table itself, with generation, or 0. One that died, while it is deleted, gives way to the next. */
ecs_entity_t ecs__table_target(const ecs_table_t *table, ecs_entity_t rel, int32_t n);

/** True if `id` is passed on to instances (world default and OnInstantiate of the component or relationship). */
bool ecs__id_is_inherited(const ecs__store_t *store, ecs_id_t id);
/** True if going up a relationship may find `id`: not along IsA if it is not inherited, and along none
 * if it was declared DontInherit; but Disabled and other builtin tags are. */
bool ecs__id_is_found_along(const ecs__store_t *store, ecs_id_t id, ecs_entity_t rel);

#endif
