// SPDX-License-Identifier: MIT
// cleanup: deleting entities that others refer to.
#ifndef ECS_MUTATE_CLEANUP_H
#define ECS_MUTATE_CLEANUP_H

#include "base/assert.h"
#include "base/spare.h"
#include "storage/store.h"

/** Memory of a deletion, for the next one. */
typedef struct ecs__cleanup_spare_t {
    ecs__spare_t stack, victims, dying, doomed;
    ecs_map_t marked, doomed_set;
} ecs__cleanup_spare_t;

/** Free it. */
void ecs__cleanup_shrink(ecs_world_t *world);

/** Delete an entity and everything its policies say. False, with a sentence and nothing changed, if
 * one says EcsPanic. */
bool ecs__cleanup_entity(ecs_world_t *world, ecs_entity_t entity);
/** Delete all entities with an id, prefabs excepted. */
bool ecs__cleanup_holders(ecs_world_t *world, ecs_id_t id);
/** True if ecs__cleanup_entity would do it. */
bool ecs__cleanup_check(ecs_world_t *world, ecs_entity_t entity);

/** Checked builds: what dies while others are told of it, inside other such changes. One entity, or all of a cleanup. */
typedef struct ecs__ending_t {
    const struct ecs__ending_t *outer;
    ecs_entity_t entity;
    const struct cleanup_t *cleanup;
} ecs__ending_t;
bool ecs__is_told_of_end(const ecs_world_t *poly, ecs_entity_t entity);
/** True if a living entity is about to die, of which somebody is told who has suspended deferring: it is as dead. */
static inline bool ecs__is_ending(const ecs_world_t *poly, ecs_entity_t entity) {
    return ECS__CHECKS && ecs__is_told_of_end(poly, entity);
}

/** Remove an id (wildcards allowed) from all entities in tables without any of `skip_flags`. */
void ecs__remove_from_tables(ecs_world_t *world, ecs_id_t id, ecs_flags32_t skip_flags);
/** Delete the empty tables with an id (wildcards allowed). */
void ecs__drop_tables(ecs_world_t *world, ecs_id_t id);

#endif
