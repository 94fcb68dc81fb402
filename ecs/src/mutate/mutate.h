// SPDX-License-Identifier: MIT
// mutate: changes with their consequences, applied now.
//
// Entry points shared by the public functions (immediate mode) and by command/ (flush); there is no
// second implementation. The caller holds a defer bracket on stage 0 (ecs__defer_bracket_begin), so
// whatever hooks issue is queued and applied when the outermost change is done. Entities given here
// are alive, ids valid and pairs resolved; callers check. Threads: main thread, world not readonly.
#ifndef ECS_MUTATE_MUTATE_H
#define ECS_MUTATE_MUTATE_H

#include <muster/ecs/world.h>
#include "storage/store.h"

/** A value waiting to be moved into a row; `ptr` is raw memory afterwards. */
typedef struct ecs__pending_value_t {
    ecs_id_t id;
    void *ptr;      /* NULL with `construct`: leave the destination raw (zeroed) for the caller */
    bool construct; /* destination is raw (emplace) instead of constructed */
} ecs__pending_value_t;

/** The value that waits for an id, or NULL. */
static inline const ecs__pending_value_t *ecs__pending_find(
    const ecs__pending_value_t *values, int32_t count, ecs_id_t id) {
    for (int32_t i = 0; i < count; i++) {
        if (values[i].id == id) return &values[i];
    }
    return NULL;
}

/** Move an entity to `dst`: on_remove hooks for ids that leave, row move, `values` moved in, on_add
 * hooks for ids that are new. Exclusive, cleanup and tree bookkeeping for pairs included. dst may
 * equal the current table (then only values are moved). */
void ecs__transition(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count);
/** The same as it is cleared, which began to lose all that is beside its table (ecs__events_begin_loss). */
void ecs__transition_cleared(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst);
/** The same for a copy, which gets nothing beside its table that new ids would bring. */
void ecs__transition_exactly(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count);

/** Add a plain id or pair that brings nothing else: no ids that others need, and of a base neither ids nor children. */
void ecs__add_exactly(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** Table reached from `table` by adding one id with everything the id's traits imply; same table if
 * it changes nothing, as for ids kept beside tables. */
ecs_table_t *ecs__table_after_add(ecs_world_t *world, ecs_table_t *table, ecs_id_t id);
ecs_table_t *ecs__table_after_remove(ecs_table_t *table, ecs_id_t id);

/** Add an id that the entity may lack; a value is constructed, or copied from an IsA base that provides it. */
void ecs__add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
void ecs__remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** Like add, but the value that is added is not constructed. */
void ecs__emplace(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Assign by copy: add, on_replace, copy, then modified. */
void ecs__set_copy(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const void *value);
/** Assign by move; the source is destructed. Calls on_set when `notify`. */
void ecs__set_move(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, void *value, bool notify);
/** The same for a value that stays the caller's: where it could be moved, a new one is left in its place. Calls on_set. */
void ecs__set_given(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *type, void *value);
/** A value was written: on_validate, on_set, change stamps. */
void ecs__modified(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** A new entity with its own id in the root table, or directly in `table`. */
ecs_entity_t ecs__create(ecs_world_t *world, ecs_table_t *table);
/** Whether a row that begins concerns nobody else, but for copies of children of bases. So it is as long as store->plain_stamp is what it
 * is; then ecs__create_plain does the same. */
bool ecs__create_is_plain(const ecs_world_t *world, const ecs_table_t *table);
ecs_entity_t ecs__create_plain(ecs_world_t *world, ecs_table_t *table);
/** Bring ids to life as rows of a table, with hooks; returns the first row. */
int32_t ecs__place(
    ecs_world_t *world, ecs_table_t *table, const ecs_entity_t *entities, int32_t count);
/** An id beside tables for many entities, and its values, one after the other; NULL: none. */
typedef struct ecs__given_t {
    ecs_component_record_t *record;
    char *values;
} ecs__given_t;
/** Many new entities (`entities` NULL: new ids) in one table. `data[i]` (may be NULL) holds the
 * values for position i of the type; they are moved from, as are those of what is given beside the table, which ends with a zeroed one.
 * Returns the ids; new ones are listed in world->bulk_ids until the next call. */
const ecs_entity_t *ecs__create_many(ecs_world_t *world, ecs_table_t *table,
    const ecs_entity_t *entities, int32_t count, void *const *data, const ecs__given_t *beside);
/** Place an id that a worker reserved (its record is not alive yet). */
void ecs__create_reserved(ecs_world_t *world, ecs_entity_t entity);
/** Make exactly this id alive; it must not be. */
void ecs__create_exact(ecs_world_t *world, ecs_entity_t entity);
/** Delete with cleanup policies. Refused with a sentence, and nothing deleted, if a policy is
 * EcsPanic. */
void ecs__delete(ecs_world_t *world, ecs_entity_t entity);
/** Whether more than its own row goes with an entity: it is an id or a target, or may not be deleted. */
bool ecs__delete_means_more(const ecs_world_t *world, ecs_entity_t entity);
void ecs__clear(ecs_world_t *world, ecs_entity_t entity);
void ecs__delete_with(ecs_world_t *world, ecs_id_t id);
void ecs__remove_all(ecs_world_t *world, ecs_id_t id);
void ecs__clone(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value);
void ecs__enable(ecs_world_t *world, ecs_entity_t entity, bool enable);
/** Switch an id on or off for one entity, whether it has the id or not. */
void ecs__enable_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled);
/** The same if that was done before and nobody hears of it; else nothing, and false. */
bool ecs__enable_again(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled);

/** False, with a sentence, if a policy forbids deleting the entity. For checks before a bracket is
 * opened; costs as much as marking. */
bool ecs__check_delete(ecs_world_t *world, ecs_entity_t entity);

#endif
