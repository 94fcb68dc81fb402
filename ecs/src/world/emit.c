// SPDX-License-Identifier: MIT
// emit: events of the user, told at once or queued among commands.
#include <muster/ecs/observer.h>

#include "event/emit.h"
#include "id/type_info.h"
#include "world/state.h"
#include "world/write.h"

static const ecs_id_t any_id = Ecs__Any;

// ---- whom it is about ----

typedef struct rows_t {
    ecs_table_t *table;
    int32_t row, count;
} rows_t;

static rows_t rows_of_entity(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs_record_t *record = ecs__entity_get(&world->store.entities, entity);
    return (rows_t){ record->table, ECS_RECORD_TO_ROW(record->row), 1 };
}

static rows_t rows_of(const ecs_world_t *world, const ecs_event_desc_t *desc) {
    if (desc->entity) return rows_of_entity(world, desc->entity);
    int32_t rest = desc->table->count - desc->offset;
    return (rows_t){ desc->table, desc->offset, desc->count ? desc->count : rest };
}

static bool is_on_table(const ecs_table_t *table, ecs_id_t id) {
    if (id == Ecs__Any || ecs__table_has(table, id)) return true;
    return ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__ChildOf;
}

// ---- at once ----

#define IDS_AT_ONCE 32

static void emit_some(ecs_world_t *world, const ecs_event_desc_t *desc, const rows_t *rows,
    const ecs_id_t *ids, int32_t count) {
    ecs_id_t present[IDS_AT_ONCE];
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (is_on_table(rows->table, ids[i])) present[kept++] = ids[i];
    }
    void *param = desc->param ? desc->param : ECS_CONST_CAST(void *, desc->const_param);
    ecs__emit(world, desc->event, present, kept, rows->table, desc->other_table, rows->row,
        rows->count, param);
}

static void emit(ecs_world_t *world, const ecs_event_desc_t *desc) {
    rows_t rows = rows_of(ecs__world_of(world), desc);
    const ecs_id_t *ids = desc->ids && desc->ids->count ? desc->ids->array : &any_id;
    int32_t count = desc->ids && desc->ids->count ? desc->ids->count : 1;
    for (int32_t i = 0; i < count; i += IDS_AT_ONCE) {
        emit_some(world, desc, &rows, ids + i, ECS_MIN(IDS_AT_ONCE, count - i));
    }
}

static bool is_valid_range(const ecs_event_desc_t *desc) {
    const ecs_table_t *table = desc->table;
    return !table ||
           (desc->offset >= 0 && desc->count >= 0 && desc->offset + desc->count <= table->count);
}

static bool check_event(const ecs_world_t *poly, const ecs_event_desc_t *desc) {
    ecs_check(desc != NULL, ECS_INVALID_PARAMETER, "an event needs a descriptor");
    ecs_check(desc->event != 0, ECS_INVALID_PARAMETER, "an event must be named: event is 0");
    ecs_check(desc->event != EcsWildcard, ECS_INVALID_PARAMETER,
        "`*` is any event; it cannot be emitted");
    ecs_check(!desc->param || !desc->const_param, ECS_INVALID_PARAMETER,
        "an event has param or const_param, not both");
    ecs_check(!desc->entity != !desc->table, ECS_INVALID_PARAMETER,
        "an event is about an entity or a table");
    ecs_check(!desc->entity || ecs__stage_is_alive(ecs__stage_of(poly), desc->entity),
        ECS_INVALID_PARAMETER, "cannot emit an event for entity %u: it is not alive",
        (uint32_t)desc->entity);
    ecs_check(is_valid_range(desc), ECS_OUT_OF_RANGE, "rows %d to %d are not in the table",
        desc->offset, desc->offset + desc->count);
    (void)poly;
    return true;
error:
    return false;
}

// An entity that a job made has no place before the merge.
static bool has_place(const ecs_world_t *world, const ecs_event_desc_t *desc) {
    return !desc->entity || ecs__entity_try(&world->store.entities, desc->entity);
}

void ecs_emit(ecs_world_t *world, ecs_event_desc_t *desc) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!check_event(world, desc) || !has_place(stage->world, desc)) return;
    bool deferred = ecs__defer_bracket_begin(stage);
    emit(world, desc);
    if (!deferred) ecs__defer_bracket_end(stage);
}

// ---- queued ----

// Followed by the value of the parameter (aligned to 16 bytes), then by the ids.
typedef struct queued_t {
    ecs_event_desc_t desc;
    const ecs_type_info_t *type; /* of the parameter, or NULL */
    ecs_size_t ids_at;
    int32_t id_count;
} queued_t;

#define PARAM_AT ECS_ALIGN(ECS_SIZEOF(queued_t), 16)

static void run_queued(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    queued_t *queued = payload;
    void *param = queued->type ? ECS_OFFSET(payload, PARAM_AT) : NULL;
    ecs_type_t ids = { ECS_OFFSET(payload, queued->ids_at), queued->id_count };
    if (!discard) {
        ecs_event_desc_t desc = queued->desc;
        desc.entity = entity;
        desc.ids = &ids;
        desc.param = param;
        emit(world, &desc);
    }
    if (param) ecs__value_dtor(queued->type, param, 1);
}

static void record(ecs_stage_t *stage, const ecs_event_desc_t *desc, const ecs_type_info_t *type) {
    int32_t id_count = desc->ids ? desc->ids->count : 0;
    ecs_size_t ids_at = PARAM_AT + (type ? ECS_ALIGN(type->size, 16) : 0);
    queued_t *queued =
        ecs__record_call(stage, desc->entity, run_queued, ids_at + id_count * ECS_SIZEOF(ecs_id_t));
    *queued = (queued_t){ *desc, type, ids_at, id_count };
    queued->desc.param = NULL;
    queued->desc.const_param = NULL;
    if (id_count)
        memcpy(ECS_OFFSET(queued, ids_at), desc->ids->array, (size_t)id_count * sizeof(ecs_id_t));
    void *value = ECS_OFFSET(queued, PARAM_AT);
    if (desc->param) {
        ecs__value_ctor(type, value, 1);
        ecs__value_move(type, value, desc->param, 1);
    } else if (desc->const_param) {
        ecs__value_copy_ctor(type, value, desc->const_param, 1);
    }
}

void ecs_enqueue(ecs_world_t *world, ecs_event_desc_t *desc) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!check_event(world, desc)) return;
    if (!ecs__stage_defers(stage)) {
        ecs_emit(world, desc);
        return;
    }
    const ecs_type_info_t *type = NULL;
    bool has_param = desc->param || desc->const_param;
    if (has_param) type = ecs__type_info_get(&stage->world->store, desc->event);
    ecs_check(!desc->table, ECS_INVALID_PARAMETER,
        "rows of a table may move before a queued event is told: use entities");
    ecs_check(!has_param || (type && type->size), ECS_INVALID_PARAMETER,
        "cannot queue %s with a param: it is no component", ECS__TEXT(world, desc->event));
    record(stage, desc, type);
error:
    return;
}

// ---- tables that become empty, or no longer are ----

static void tell_of_counts(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    (void)entity;
    (void)payload;
    (void)discard;
    ecs__emit_counted(world);
}

void ecs__emit_later(ecs_world_t *world) {
    ecs__record_call(world->stages[0], 0, tell_of_counts, 0);
}
