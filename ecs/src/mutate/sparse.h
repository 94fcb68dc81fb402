// SPDX-License-Identifier: MIT
// sparse: changes of what entities have in sets (storage/sparse_ids.h).
//
// Values of ids in types come and go with the type: ecs__sparse_enter and _leave follow the rows of tables. Ids beside tables are
// added and removed one by one, never folded; the presence id of a relationship follows its first and last edge.
// The caller holds a defer bracket.
#ifndef ECS_MUTATE_SPARSE_H
#define ECS_MUTATE_SPARSE_H

#include "mutate/mutate.h"

// ---- ids in types ----

/** Rows came to `table`: make the values of sparse ids that `before` (NULL: none) lacks, from bases where they provide them.
 * Those with a raw value to come stay raw. */
void ecs__sparse_enter(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count, const ecs__pending_value_t *values, int32_t value_count);
/** Rows will leave `table`: destruct the values of sparse ids that `after` (NULL: none) lacks. Hooks ran. */
void ecs__sparse_leave(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *after,
    int32_t row, int32_t count);
/** The same for one value of one entity that no base provides. */
void ecs__sparse_begin(ecs_world_t *world, ecs_component_record_t *record, ecs_entity_t entity);
void ecs__sparse_end(ecs_world_t *world, ecs_component_record_t *record, ecs_entity_t entity);

// ---- ids beside tables ----

/** How the value of a new id begins. */
typedef enum ecs__sparse_start_t {
    ECS__START_VALUE, /* constructed, or copied from a base or the defaults of the relationship */
    ECS__START_QUIET, /* the same, and the caller tells of it */
    ECS__START_RAW,   /* raw, for the caller to construct */
    ECS__START_GIVEN  /* moved from that of ecs__aside_emplace */
} ecs__sparse_start_t;

/** Add an exclusive pair without value to an entity that has another one, beside its table too, if that is all and nobody hears of it.
 * False: nothing was done. `is_queued`: by a command. */
bool ecs__aside_swap_plainly(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool is_queued);
/** Add an id with what it implies; nothing if the entity has it. Returns its value: NULL for tags, and if it was refused. */
void *ecs__aside_add(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record,
    ecs__sparse_start_t start);
/** Add an id that the entity lacks with a value, which is in place when others are told, and destroyed if the id is refused. */
void ecs__aside_emplace(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record, void *value);
/** Ids that come in one change: of the values that bases provide is told when all have come. */
typedef struct ecs__arrivals_t {
    ecs_world_t *world;
    const ecs_table_t
        *before;    /* where the entities were, and may have seen them; NULL: they are new */
    ecs_vec_t list; /* begins zeroed */
} ecs__arrivals_t;
void ecs__aside_arrive(
    ecs__arrivals_t *arrivals, ecs_entity_t entity, ecs_component_record_t *record);
void ecs__arrivals_tell(ecs__arrivals_t *arrivals);
/** True if the entity leaves its table when it loses this edge: the presence id goes with the last one. */
bool ecs__aside_is_last(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record);
/** Remove what matches `id`, wildcards allowed. */
void ecs__aside_remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Remove everything beside the table of an entity that has nothing else, or will have nothing soon;
 * presence ids stay. In three steps: what will be removed is told, and noted as lost; it is removed; what
 * was lost is told. (ChildOf, *) goes with its component. */
void ecs__aside_removing(ecs_world_t *world, ecs_entity_t entity);
void ecs__aside_drop(ecs_world_t *world, ecs_entity_t entity);
void ecs__aside_removed(ecs_world_t *world);
/** Remove what matches `id` from all entities whose table has none of `skip_flags`, unless `skip` says so. */
typedef bool (*ecs__aside_skip_t)(void *ctx, ecs_entity_t entity);
void ecs__aside_remove_all(
    ecs_world_t *world, ecs_id_t id, ecs_flags32_t skip_flags, ecs__aside_skip_t skip, void *ctx);

/** An entity will lose presence ids that `dst` lacks: they go first, with their edges. Returns where it is then. */
ecs_table_t *ecs__aside_leave(
    ecs_world_t *world, ecs_entity_t entity, ecs_table_t *src, const ecs_table_t *dst);
/** An entity came to `dst` from `src` (NULL: it is new): add what its new ids bring and tables cannot hold, through With, before others
 * follow; */
void ecs__aside_imply(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, const ecs_table_t *dst);
/** and through IsA. */
void ecs__aside_follow(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, const ecs_table_t *dst);
/** The table without presence ids that `before` (NULL: nothing) lacks: where entities go that get their edges later. */
ecs_table_t *ecs__table_without_presence(ecs_table_t *table, const ecs_table_t *before);
/** Give `dst` what `src` has beside its table; ids that are not passed on only if `all`. They are listed for ecs__aside_copy_values, which
 * has to follow; the list begins zeroed. */
void ecs__aside_copy(
    ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool all, ecs_vec_t *list);
/** Copy the values of what was listed, or else only those that bases of `src` provide, and end the list. */
void ecs__aside_copy_values(
    ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool values, ecs_vec_t *list);
/** Give the entity what goes beside tables and `table` marks to be overridden, if it lacks it. */
void ecs__aside_add_marked(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table);

#endif
