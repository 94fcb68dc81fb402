// SPDX-License-Identifier: MIT
// check: what traits forbid, and other reasons to refuse a change. Each function says why in a sentence.
#ifndef ECS_MUTATE_CHECK_H
#define ECS_MUTATE_CHECK_H

#include "storage/store.h"

/** Refuse what traits forbid (OneOf, Final, cycles of acyclic relationships, …) with a sentence;
 * true if the add is allowed. */
bool ecs__check_add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Whether a new entity may have what others in a table have. */
bool ecs__check_table(ecs_world_t *world, const ecs_table_t *table);
/** Whether `dst` (0: a new one), which must have nothing yet, may get all that `src` has, with copies of its values. */
bool ecs__check_clone(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value);
/** The same for a command. Folding applies the commands of an entity together, ahead of others, so
 * what depends on other entities is judged when the flush is done: adds that make cycles or break
 * constraints are undone then, with a sentence, and an exclusive pair that was in their place comes back. `table`: of the entity as
 * far as it is folded; NULL: the one it is in. */
bool ecs__check_add_queued(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const ecs_table_t *table);
/** The same of a pair beside tables that has no traits which could forbid it, and was allowed to others: all there is to remember. */
void ecs__check_swap_queued(ecs_world_t *world, ecs_entity_t entity,
    const ecs_component_record_t *record, ecs_id_t replaced);
/** Judge what was put off. True if something was undone, whose hooks may have queued more. */
bool ecs__check_suspects(ecs_world_t *world);
/** An add that was applied from a queue, to be judged when the flush is done. */
typedef struct ecs__suspect_t {
    ecs_entity_t entity;
    ecs_id_t id;
    ecs_id_t replaced;   /* the exclusive pair in its place before, or 0 */
    ecs_entity_t system; /* who recorded it */
    bool is_first;       /* nobody had the id before */
    bool is_input;       /* of a text */
    bool is_undone;
} ecs__suspect_t;
/** Take back what is being judged, if anything: what hears of a refusal may not return. */
void ecs__check_undo(ecs_world_t *world);

/** False if the id cannot be removed by itself: only with all that the entity has. */
bool ecs__check_remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** False if the entity (0: a new one) cannot get this parent: it is a builtin, and these stay in flecs. */
bool ecs__check_place(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent);
/** True if entities of the table have no instances. Final is what typed components are by default; one declared inheritable means the
 * opposite. */
bool ecs__table_is_final(const ecs_table_t *table);
/** `dst` with the traits that an entity of `src` may not lose. */
ecs_table_t *ecs__check_loss(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, ecs_table_t *dst);
/** True if a table has the id or a pair with it as first element. Says nothing. */
bool ecs__id_has_tables(const ecs_world_t *world, ecs_entity_t id);
/** True if a query asks for the id or a pair with it as first element. */
bool ecs__is_queried(const ecs_world_t *world, ecs_entity_t id);

#endif
