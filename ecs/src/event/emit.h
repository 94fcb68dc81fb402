// SPDX-License-Identifier: MIT
// emit: delivering events for rows of a table.
//
// What mutate calls costs one test of `listened` when nobody waits. The caller holds a defer bracket, so rows stay where they are
// while observers run.
// Threads: the main thread.
#ifndef ECS_EVENT_EMIT_H
#define ECS_EVENT_EMIT_H

#include "event/match.h"

#define ECS__TOLD_INLINE 16

/** One event on its way to observers. */
typedef struct ecs__emission_t {
    ecs__events_t *events;
    const ecs__event_t *waiting[2]; /* for this event, for any event; NULL: nobody */
    ecs__notice_t notice;           /* id and source differ from call to call */
    const ecs_id_t *ids;            /* what happened to the rows */
    int32_t id_count;
    ecs__told_t inline_told[ECS__TOLD_INLINE], *told;
    int32_t told_count, told_size;
} ecs__emission_t;

/** Tell those who wait for `event` on `ids`, of the rows and, down traversable relationships, of what sees them. */
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
/** The target of pairs is about to be deleted: told of each pair to those who have it. */
void ecs__emit_on_delete_target(ecs_world_t *world, ecs_entity_t target);
/** An id beside the table of an entity was added (OnAdd), will be removed (OnRemove) or was set; inverted: the same of its absence. */
void ecs__emit_beside(
    ecs_world_t *world, ecs_entity_t event, ecs_entity_t entity, ecs_id_t id, bool is_inverted);

/** An id beside the table of an entity is gone: its absence was added, and that of a base may come into sight. */
void ecs__emit_beside_removed(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** Start or stop listening to tables that come and go. */
void ecs__emit_hear_tables(ecs__events_t *events, bool hear);
/** The same for tables that become empty, or no longer are. */
void ecs__emit_hear_counts(ecs__events_t *events, bool hear);
/** Tell of the tables that were noted since. */
void ecs__emit_counted(ecs_world_t *world);

/** Tell one term of one observer, if it has not been told of these rows. For propagate.c. */
void ecs__emission_tell(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice);

#endif
