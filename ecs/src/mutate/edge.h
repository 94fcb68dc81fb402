// SPDX-License-Identifier: MIT
// edge: what relationships made from a descriptor do for new edges: default values and init hooks.
//
// An init hook judges an edge before anything changes: its value is made aside, and moved into the
// row if the hook agrees.
#ifndef ECS_MUTATE_EDGE_H
#define ECS_MUTATE_EDGE_H

#include <muster/ecs/relationship.h>

#include "mutate/mutate.h"

/** Table flag: the type has a pair of a relationship with defaults or init hook. */
#define ECS__TABLE_HAS_EDGES (1u << 31)

/** Remember defaults, hook and context of a relationship, instead of those it had. Takes over `ctx`. */
void ecs__edge_kind_set(ecs_world_t *world, ecs_entity_t rel, const ecs_relationship_desc_t *desc);
void ecs__edge_kind_delete(ecs_world_t *world, ecs_entity_t rel);
void ecs__edge_kinds_fini(ecs_world_t *world);
/** True if pairs of the relationship have defaults or an init hook. */
bool ecs__edge_is_known(const ecs_world_t *world, ecs_id_t id);

/** True if an init hook may refuse new edges of the relationship. */
bool ecs__edge_is_judged(const ecs_world_t *world, ecs_id_t id);
/** True if one that is refused would have replaced another in the table: what becomes of such edges depends on each, in order. */
bool ecs__edge_goes_alone(ecs_world_t *world, ecs_id_t id);
/** Add those ids of a list that go alone, one after the other. */
void ecs__edges_add_alone(
    ecs_world_t *world, ecs_entity_t entity, const ecs_id_t *ids, int32_t count);

/** What new edges of the relationship start with; NULL if they have no defaults. */
const void *ecs__edge_defaults(const ecs_world_t *world, ecs_id_t id);

/** The value of a new edge by itself, in memory to be freed: that of a base of `table`, in which the entity is or will be, else the default.
 * NULL if the relationship has no say, or the edge is a tag. False if it is refused. */
bool ecs__edge_make(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table, ecs_id_t id, void **value);

/** Values of new edges of one entity. */
typedef struct ecs__edges_t {
    ecs__pending_value_t *values;
    int32_t count;
} ecs__edges_t;

/** Make the values of the edges that `dst` has beyond `src`. Returns `dst` without those refused;
 * an exclusive edge that a refused one would replace stays. */
ecs_table_t *ecs__edges_begin(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src,
    ecs_table_t *dst, ecs__edges_t *out);
/** Move the values into the row (`table` NULL: there is none) and release them. Cells for which one of the `others` is constructed stay
 * raw. */
void ecs__edges_end(ecs_world_t *world, ecs_table_t *table, int32_t row, ecs__edges_t *edges,
    const ecs__pending_value_t *others, int32_t other_count);

/** The table without edges that ecs__edges_begin would make: where new entities start. */
ecs_table_t *ecs__edges_without(ecs_world_t *world, ecs_table_t *table);

#endif
