// SPDX-License-Identifier: MIT
#include "command/record.h"

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/atomics.h"
#include "mutate/report.h"
#include "world/state.h"

// The first command of a queue comes by here, so that a merge need not look into slots if there is none.
static ECS__APART ecs__cmd_t *push_new(
    ecs_stage_t *stage, uint64_t form, ecs_entity_t entity, ecs_id_t id, uint64_t as) {
    uint32_t *recorded = &stage->world->recorded;
    if (!ecs__load_32(recorded)) ecs__store_32(recorded, true);
    return ecs__queue_push(stage->queue, form, id, as, stage->system, entity);
}

static inline ecs__cmd_t *push_sized(
    ecs_stage_t *stage, uint64_t form, ecs_entity_t entity, ecs_id_t id, uint64_t as) {
    ecs__cmd_queue_t *queue = stage->queue;
    const ecs__cmd_what_t *said = ecs__queue_said(queue, form, id, as, stage->system);
    if (!said) return push_new(stage, form, entity, id, as);
    return ecs__queue_append(queue, said, (ecs__cmd_kind_t)(uint8_t)form, entity);
}

// Without payload.
static inline void push(
    ecs_stage_t *stage, ecs__cmd_kind_t kind, ecs_entity_t entity, ecs_id_t id) {
    push_sized(stage, ecs__cmd_form(kind, false, 8, sizeof(ecs__cmd_t)), entity, id, 0);
}

static ecs_entity_t take_id(ecs_stage_t *stage) {
    ecs__assert(stage->in_slot, "ids are reserved for slots only");
    return ecs__id_reserve_take(stage->ids, stage->slot);
}

ecs_entity_t ecs__record_new(ecs_stage_t *stage) {
    ecs_entity_t entity = take_id(stage);
    push(stage, ECS__CMD_NEW, entity, 0);
    return entity;
}

const ecs_entity_t *ecs__record_new_many(ecs_stage_t *stage, ecs_id_t id, int32_t count) {
    uint64_t size = ecs__cmd_size(count * ECS_SIZEOF(ecs_entity_t), 8);
    uint64_t form = ecs__cmd_form(ECS__CMD_NEW_MANY, false, 8, size);
    ecs_entity_t *entities = ecs__cmd_value(push_sized(stage, form, 0, id, (uint64_t)count), 8);
    for (int32_t i = 0; i < count; i++) entities[i] = take_id(stage);
    return entities;
}

void ecs__record_add(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    push(stage, ECS__CMD_ADD, entity, id);
}

void ecs__record_add_input(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    const uint64_t form = ecs__cmd_form(ECS__CMD_ADD, ECS__CMD_INPUT, 8, sizeof(ecs__cmd_t));
    push_sized(stage, form, entity, id, 0);
}

void ecs__record_remove(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    push(stage, ECS__CMD_REMOVE, entity, id);
}

// Values that a text gives come by the functions of the API.
static uint32_t input(void) { return ecs__refuses_input() ? ECS__CMD_INPUT : 0; }

// Memory for a value.
static void *push_value(ecs_stage_t *stage, ecs__cmd_kind_t kind, uint32_t bits,
    ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *type_info) {
    uint64_t align = type_info->alignment > 8 ? (uint64_t)type_info->alignment : 8;
    uint64_t form = ecs__cmd_form(kind, bits, align, ecs__cmd_size(type_info->size, align));
    ecs__cmd_t *cmd = push_sized(stage, form, entity, id, (uintptr_t)type_info);
    return ecs__cmd_value(cmd, (uintptr_t)align);
}

void *ecs__record_plain(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *type_info) {
    return push_value(stage, ECS__CMD_SET, type_info->alignment <= 8, entity, id, type_info);
}

void ecs__record_set(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const void *value,
    const ecs_type_info_t *type_info) {
    void *payload = push_value(stage, ECS__CMD_SET, input(), entity, id, type_info);
    ecs__value_copy_ctor(type_info, payload, value, 1);
}

void ecs__record_written(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    push(stage, ECS__CMD_WRITTEN, entity, id);
}

void *ecs__record_ensure(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const void *initial,
    const ecs_type_info_t *type_info) {
    void *payload = push_value(stage, ECS__CMD_ENSURE, input(), entity, id, type_info);
    if (initial)
        ecs__value_copy_ctor(type_info, payload, initial, 1);
    else
        ecs__value_ctor(type_info, payload, 1);
    return payload;
}

void *ecs__record_emplace(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *type_info) {
    void *payload = push_value(stage, ECS__CMD_EMPLACE, false, entity, id, type_info);
    return ecs_os_memset(payload, 0, type_info->size);
}

void ecs__record_modified(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    push(stage, ECS__CMD_MODIFIED, entity, id);
}

void ecs__record_clone(ecs_stage_t *stage, ecs_entity_t dst, ecs_entity_t src, bool copy_value) {
    uint64_t form = ecs__cmd_form(ECS__CMD_CLONE, copy_value, 8, sizeof(ecs__cmd_t));
    push_sized(stage, form, dst, 0, src);
}

void ecs__record_delete(ecs_stage_t *stage, ecs_entity_t entity) {
    push(stage, ECS__CMD_DELETE, entity, 0);
}

void ecs__record_clear(ecs_stage_t *stage, ecs_entity_t entity) {
    push(stage, ECS__CMD_CLEAR, entity, 0);
}

void ecs__record_enable(ecs_stage_t *stage, ecs_entity_t entity, bool enable) {
    uint64_t form = ecs__cmd_form(ECS__CMD_ENABLE, enable, 8, sizeof(ecs__cmd_t));
    push_sized(stage, form, entity, 0, 0);
}

void ecs__record_delete_with(ecs_stage_t *stage, ecs_id_t id) {
    push(stage, ECS__CMD_DELETE_WITH, 0, id);
}

void ecs__record_remove_all(ecs_stage_t *stage, ecs_id_t id) {
    push(stage, ECS__CMD_REMOVE_ALL, 0, id);
}

static void *push_call(
    ecs_stage_t *stage, ecs_entity_t entity, ecs__cmd_call_t call, bool is_event, ecs_size_t size) {
    uint64_t form = ecs__cmd_form(ECS__CMD_CALL, is_event, 16, ecs__cmd_size(size, 16));
    return ecs__cmd_value(push_sized(stage, form, entity, 0, (uintptr_t)call), 16);
}

void *ecs__record_call(
    ecs_stage_t *stage, ecs_entity_t entity, ecs__cmd_call_t call, ecs_size_t size) {
    return push_call(stage, entity, call, false, size);
}

void *ecs__record_event(
    ecs_stage_t *stage, ecs_entity_t entity, ecs__cmd_call_t call, ecs_size_t size) {
    return push_call(stage, entity, call, true, size);
}
