// SPDX-License-Identifier: MIT
// hooks: calling the on_* hooks of components for rows of a table, and the observers next to them:
// observers come after the hooks of an add or set, and before those of a remove.
//
// Hooks get an iterator with one field (on_replace: two, old and new value) that has no query. The
// caller holds a defer bracket.
#ifndef ECS_MUTATE_HOOKS_H
#define ECS_MUTATE_HOOKS_H

#include "world/state.h"

/** on_add for `count` rows from `row` on, for components that `before` (NULL: empty) lacks. */
void ecs__hooks_on_add(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count);
/** on_remove for components that `after` (NULL: empty) lacks. */
void ecs__hooks_on_remove(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *after, int32_t row, int32_t count);
/** Whether a value that is set concerns a hook, an observer or a watch of its table. */
static inline bool ecs__hooks_may_hear_set(
    const ecs_world_t *world, const ecs_table_t *table, int32_t column) {
    const ecs_type_hooks_t *hooks = &table->columns[column].type_info->hooks;
    return world->events.listened & ECS__LISTEN_SET || hooks->on_set || hooks->on_validate ||
           table->watch;
}
/** on_validate, then on_set for the rows that passed. */
void ecs__hooks_on_set(
    ecs_world_t *world, ecs_table_t *table, int32_t column, int32_t row, int32_t count);
/** The same for values of the id at a position of the type, wherever they are; nothing if it has none, or rows were taken away. Without
 * `is_news` the entities saw the values in their base before: observers heard of them then. */
void ecs__hooks_on_set_at(ecs_world_t *world, ecs_table_t *table, int32_t index, int32_t row,
    int32_t count, bool is_news);
/** on_replace with the value that an entity has as field 0 and `value` as field 1. */
void ecs__hooks_on_replace(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, void *value);

/** False if nobody waits for what is beside tables in the set of the record, and nothing is seen along it. */
bool ecs__beside_is_told(const ecs_world_t *world, const ecs_component_record_t *record);
/** Hooks and observers of an id kept in a set, for one entity that has it. Added: on_add, and OnAdd if the id is beside its table;
 * observers of ids in types are told with those of the table. The others likewise. */
void ecs__hooks_sparse_added(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record);
void ecs__hooks_sparse_removing(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record);
/** Tells observers that wait for the opposite: the id is about to come (OnRemove of its absence), or is gone. */
void ecs__hooks_beside_adding(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record);
void ecs__hooks_beside_removed(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record);
/** on_validate, on_set, OnSet; without `emits` no OnSet. */
void ecs__hooks_sparse_set(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record, bool emits);

static inline ecs_id_t ecs__column_id(const ecs_table_t *table, int32_t column) {
    return table->type.array[table->columns[column].type_index];
}

#endif
