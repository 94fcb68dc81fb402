// SPDX-License-Identifier: MIT
// override: what an instance owns because of its bases, and the values it starts with.
//
// An instance owns an id of a base if the policy of the id is EcsOverride or if the base has the id
// marked with ECS_AUTO_OVERRIDE. Bases of bases count. The nearest base wins: depth first, in id
// order.
#ifndef ECS_MUTATE_OVERRIDE_H
#define ECS_MUTATE_OVERRIDE_H

#include "mutate/mutate.h"

/** `table`, which has (IsA, base), with what instances of the base own. Ids it has stay, and so do
 * its pairs of exclusive relationships. */
ecs_table_t *ecs__table_plus_overrides(ecs_world_t *world, ecs_table_t *table, ecs_entity_t base);

/** True if instances of a base in `of_base` own something because of it, or of its bases. */
bool ecs__override_is_due(const ecs_table_t *of_base);

/** Copy the values of bases into `count` rows whose ids are new since `before` (NULL: all are).
 * Ids with a pending value are left out. */
void ecs__override_copy(ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count,
    const ecs__pending_value_t *values, int32_t value_count);
/** Call on_set for what ecs__override_copy copied. */
void ecs__override_notify(ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count, const ecs__pending_value_t *values, int32_t value_count);

/** Give an instance the value of its base again, if a base has one for `id`. */
void ecs__override_reset(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** True if copies of an entity in `table` get what it has of `component`: its policy, or a mark that overrides it. */
bool ecs__is_passed_on(const ecs_table_t *table, const ecs_component_record_t *component);

/** The value of a base that rows of a table start with, or NULL. */
const void *ecs__override_value(const ecs_table_t *table, const ecs_component_record_t *component);

/** The nearest base that has an id (wildcards allowed) beside its table and passes it on, or NULL. */
const ecs_component_record_t *ecs__find_inherited(
    const ecs_table_t *table, ecs_id_t id, ecs_entity_t *base);

#endif
