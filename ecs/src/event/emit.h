// SPDX-License-Identifier: MIT
// emit: delivering events for rows of a table.
//
// What mutate calls costs one test of `listened` when nobody waits. The caller holds a defer bracket, so rows stay where they are
// while observers run.
// Threads: the main thread.
#ifndef ECS_EVENT_EMIT_H
#define ECS_EVENT_EMIT_H

#include "event/events.h"

/** Tell those who wait for `event` on `ids`, of the rows and, down traversable relationships, of what sees them. `caller`: world or stage
 * that callbacks get. */
void ecs__emit(ecs_world_t *caller, ecs_entity_t event, const ecs_id_t *ids, int32_t id_count,
    ecs_table_t *table, const ecs_table_t *other, int32_t row, int32_t count, void *param);

/** Ids that `table` has and `before` (NULL: nothing) lacks were added; those it lacks were removed. */
void ecs__emit_on_add(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count);
/** Ids that `after` (NULL: nothing) lacks will be removed. */
void ecs__emit_on_remove(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *after, int32_t row, int32_t count);
void ecs__emit_on_set(
    ecs_world_t *world, ecs_table_t *table, ecs_id_t id, int32_t row, int32_t count);

/** Whether it is unknown that nobody wants to hear that rows of a table are deleted. */
static inline bool ecs__emit_may_concern_delete(
    const ecs__events_t *events, const ecs_table_t *table) {
    return events->listened && ecs__load_64(&table->unheard) != events->stamp;
}
bool ecs__emit_ask_delete(const ecs__events_t *events, const ecs_table_t *table);
/** True if somebody may want to hear of it; if not, that is known from now on. Threads: any, while nobody comes or goes. */
static inline bool ecs__emit_concerns_delete(
    const ecs__events_t *events, const ecs_table_t *table) {
    return ecs__emit_may_concern_delete(events, table) && ecs__emit_ask_delete(events, table);
}
/** The same of rows that lose all they have; their absence is heard, too. */
static inline bool ecs__emit_concerns_loss(const ecs__events_t *events, const ecs_table_t *table) {
    return ecs__emit_concerns_delete(events, table) || events->on_add.concerned_not & table->bloom;
}
/** Rows are about to be deleted, whatever the reason. */
void ecs__emit_on_delete(ecs_world_t *world, ecs_table_t *table, int32_t row, int32_t count);
/** True if some monitor has to hear of entities that end together before the first of them does: whether one of them matches depends on
 * more than its own ids, and that may end before it. */
bool ecs__emit_may_doom(ecs_world_t *world);
/** Such entities are about to be deleted: those monitors hear now of each that leaves, and of no change that the others make until
 * ecs__emit_end_doom. `doomed` is a set of them; it has to live until then. */
void ecs__emit_doom(
    ecs_world_t *world, const ecs_entity_t *entities, int32_t count, const ecs_map_t *doomed);
void ecs__emit_end_doom(ecs_world_t *world);
/** The target of pairs is about to be deleted: told of each pair to those who have it. */
void ecs__emit_on_delete_target(ecs_world_t *world, ecs_entity_t target);
/** An id beside the table of an entity was added (OnAdd), will be removed (OnRemove) or was set; inverted: the same of its absence. */
void ecs__emit_beside(
    ecs_world_t *world, ecs_entity_t event, ecs_entity_t entity, ecs_id_t id, bool is_inverted);

/** An id beside the table of an entity is gone: its absence was added, and that of a base may come into sight. */
void ecs__emit_beside_removed(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

#endif
