// SPDX-License-Identifier: MIT
// record: one function per kind of command. Nothing is looked up that a worker may not read.
//
// Callers have checked entity and id. `stage` is deferred. Threads: the owner of the stage.
#ifndef ECS_COMMAND_RECORD_H
#define ECS_COMMAND_RECORD_H

#include "command/stage.h"

/** An id taken from the slot's reservation becomes an entity at the merge. Only while stage->in_slot. */
ecs_entity_t ecs__record_new(ecs_stage_t *stage);
/** The same for `count` ids, which all get `id` (0 = none). The array lives until the merge. */
const ecs_entity_t *ecs__record_new_many(ecs_stage_t *stage, ecs_id_t id, int32_t count);
void ecs__record_add(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id);
/** The same for an id that a text names: that traits forbid it is bad input. */
void ecs__record_add_input(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id);
void ecs__record_remove(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id);
/** Memory for a plain value that the caller writes at once: no more is needed than to move it into place at the flush. */
void *ecs__record_plain(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *type_info);
/** The same for an id of which such a value was recorded lately; NULL: it was not, or this one may be different. */
static inline void *ecs__record_plain_again(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, size_t size) {
    ecs__cmd_queue_t *queue = stage->queue;
    const ecs__cmd_what_t *said = ecs__queue_recent(queue, ECS__CMD_SET, id);
    bool is_said = said && (uint16_t)said->form == ecs__cmd_form(ECS__CMD_SET, true, 0, 0) &&
                   said->id == id && said->system == stage->system &&
                   (size_t)said->as.type_info->size == size &&
                   ecs__type_is_plain(said->as.type_info) && ecs__queue_has_room(queue, said);
    return is_said ? ecs__queue_append(queue, said, ECS__CMD_SET, entity) + 1 : NULL;
}
/** The value is copied now (copy_ctor) and moved into place at the flush. */
void ecs__record_set(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const void *value,
    const ecs_type_info_t *type_info);
/** The value was set now, where it was already; its OnSet follows at the flush. */
void ecs__record_written(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id);
/** A value constructed now (or copied from `initial`, e.g. what a base provides), which the caller may write until the flush. */
void *ecs__record_ensure(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const void *initial,
    const ecs_type_info_t *type_info);
/** Raw zeroed memory for a value that the caller constructs. */
void *ecs__record_emplace(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *type_info);
void ecs__record_modified(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id);
void ecs__record_clone(ecs_stage_t *stage, ecs_entity_t dst, ecs_entity_t src, bool copy_value);
void ecs__record_delete(ecs_stage_t *stage, ecs_entity_t entity);
void ecs__record_clear(ecs_stage_t *stage, ecs_entity_t entity);
void ecs__record_enable(ecs_stage_t *stage, ecs_entity_t entity, bool enable);
void ecs__record_delete_with(ecs_stage_t *stage, ecs_id_t id);
void ecs__record_remove_all(ecs_stage_t *stage, ecs_id_t id);
/** Anything else: `call` runs at the flush with the payload of `size` bytes that this returns for filling in. It runs even if the
 * entity is 0; if the entity died, with discard = true. */
void *ecs__record_call(
    ecs_stage_t *stage, ecs_entity_t entity, ecs__cmd_call_t call, ecs_size_t size);
/** The same, if what it does is to tell of an event. */
void *ecs__record_event(
    ecs_stage_t *stage, ecs_entity_t entity, ecs__cmd_call_t call, ecs_size_t size);

#endif
