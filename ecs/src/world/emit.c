// SPDX-License-Identifier: MIT
// emit: events of the user, told at once or queued among commands.
#include <muster/ecs/observer.h>

#include "event/emit.h"
#include "event/table_events.h"
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
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    return (rows_t){ spot.table, spot.row, 1 };
}

static rows_t rows_of(const ecs_world_t *world, const ecs_event_desc_t *desc) {
    if (desc->entity) return rows_of_entity(world, desc->entity);
    int32_t rest = desc->table->count - desc->offset;
    return (rows_t){ desc->table, desc->offset, desc->count ? desc->count : rest };
}

// Whether rows have what is kept beside tables is not asked.
static bool may_be_on_table(const ecs_table_t *table, ecs_id_t id) {
    if (id == Ecs__Any || ecs__table_has(table, id)) return true;
    if (ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__ChildOf) return true;
    return ecs__id_may_be_beside(ecs__id_record_get(table->store, id));
}

static void *param_of(const ecs_event_desc_t *desc) {
    return desc->param ? desc->param : ECS_CONST_CAST(void *, desc->const_param);
}

// ---- at once ----

#define FEW_IDS 32

static void emit(ecs_world_t *world, const ecs_event_desc_t *desc, const rows_t *rows) {
    ecs__events_t *events = &ecs__world_of(world)->events;
    if (!ecs__event_is_awaited(events, desc->event)) return;
    const ecs_id_t *ids = desc->ids && desc->ids->count ? desc->ids->array : &any_id;
    const int32_t count = desc->ids && desc->ids->count ? desc->ids->count : 1;
    ecs_id_t few[FEW_IDS], *present = few;
    ecs_vec_t many = { 0 };
    if (count > FEW_IDS) {
        many = ecs__spare_take(&events->ids);
        ecs_vec_set_min_size_t(NULL, &many, ecs_id_t, count);
        present = many.array;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (may_be_on_table(rows->table, ids[i])) present[kept++] = ids[i];
    }
    ecs__emit(world, desc->event, present, kept, rows->table, desc->other_table, rows->row,
        rows->count, param_of(desc));
    ecs__spare_give(&events->ids, many);
}

static bool is_valid_range(const ecs_event_desc_t *desc) {
    const ecs_table_t *table = desc->table;
    return !table || (desc->offset >= 0 && desc->count >= 0 && desc->offset <= table->count &&
                         desc->count <= table->count - desc->offset);
}

static bool check_event(const ecs_world_t *poly, const ecs_event_desc_t *desc) {
    ECS__CHECK(ecs__check_writer(poly) && ecs__check_thread(poly, "emit an event"));
    ecs_check(desc != NULL, ECS_INVALID_PARAMETER, "an event needs a descriptor");
    ecs_check(desc->event != 0, ECS_INVALID_PARAMETER, "an event must be named: event is 0");
    ecs_check(desc->event != EcsWildcard, ECS_INVALID_PARAMETER,
        "`*` is any event; it cannot be emitted");
    ecs_check(!desc->param || !desc->const_param, ECS_INVALID_PARAMETER,
        "an event has param or const_param, not both");
    ecs_check(!desc->entity != !desc->table, ECS_INVALID_PARAMETER,
        "an event is about an entity or a table");
    ecs_check(!desc->entity || ecs__is_alive(poly, desc->entity), ECS_INVALID_PARAMETER,
        "cannot emit an event for entity %u: it is not alive", (uint32_t)desc->entity);
    ecs_check(is_valid_range(desc), ECS_OUT_OF_RANGE, "%d rows from row %d on are not in the table",
        desc->count, desc->offset);
    (void)poly;
    return true;
error:
    return false;
}

// ---- queued ----

// Followed by the value of the parameter (aligned to 16 bytes), the ids, the ids of the other table, and whom it is about.
typedef struct queued_t {
    ecs_entity_t event;
    ecs_flags32_t flags;
    const ecs_type_info_t *type; /* of the parameter, or NULL */
    ecs_size_t ids_at, other_at, entities_at;
    int32_t id_count, other_count, entity_count;
    bool has_other;
} queued_t;

#define PARAM_AT ECS_ALIGN(ECS_SIZEOF(queued_t), 16)

static bool follows(const ecs_world_t *world, const rows_t *rows, ecs_entity_t entity) {
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, entity);
    return spot.table == rows->table && spot.row == rows->row + rows->count;
}

// Rows that are still neighbours are told together.
static void emit_for(
    ecs_world_t *world, const ecs_event_desc_t *desc, const ecs_entity_t *entities, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!ecs__entity_is_alive(&world->store.entities, entities[i])) continue;
        rows_t rows = rows_of_entity(world, entities[i]);
        for (; i + 1 < count && follows(world, &rows, entities[i + 1]); i++) rows.count++;
        emit(world, desc, &rows);
    }
}

static void run_queued(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    const queued_t *queued = payload;
    void *param = queued->type ? ECS_OFFSET(payload, PARAM_AT) : NULL;
    ecs_type_t ids = { ECS_OFFSET(payload, queued->ids_at), queued->id_count };
    ecs_event_desc_t desc = {
        .event = queued->event, .ids = &ids, .param = param, .flags = queued->flags
    };
    if (queued->has_other) /* it may be gone */
        desc.other_table = ecs__table_find(
            &world->store, ECS_OFFSET(payload, queued->other_at), queued->other_count);
    (void)entity;
    if (!discard && ecs__entity_is_alive(&world->store.entities, queued->event))
        emit_for(world, &desc, ECS_OFFSET(payload, queued->entities_at), queued->entity_count);
    if (param) ecs__value_dtor(queued->type, param, 1);
}

static void put_ids(queued_t *queued, ecs_size_t at, const ecs_id_t *ids, int32_t count) {
    if (count) memcpy(ECS_OFFSET(queued, at), ids, (size_t)count * sizeof(ecs_id_t));
}

static queued_t *record_call(
    ecs_stage_t *stage, const ecs_event_desc_t *desc, const ecs_type_info_t *type) {
    queued_t layout = { desc->event, desc->flags, type,
        .id_count = desc->ids ? desc->ids->count : 0, .has_other = desc->other_table != NULL,
        .other_count = desc->other_table ? desc->other_table->type.count : 0,
        .entity_count = desc->entity ? 1 : rows_of(stage->world, desc).count };
    layout.ids_at = PARAM_AT + (type ? ECS_ALIGN(type->size, 16) : 0);
    layout.other_at = layout.ids_at + layout.id_count * ECS_SIZEOF(ecs_id_t);
    layout.entities_at = layout.other_at + layout.other_count * ECS_SIZEOF(ecs_id_t);
    ecs_size_t size = layout.entities_at + layout.entity_count * ECS_SIZEOF(ecs_entity_t);
    queued_t *queued = ecs__record_event(stage, desc->entity, run_queued, size);
    *queued = layout;
    return queued;
}

static void record(ecs_stage_t *stage, const ecs_event_desc_t *desc, const ecs_type_info_t *type,
    bool takes_param) {
    queued_t *queued = record_call(stage, desc, type);
    const ecs_type_t *other = queued->has_other ? &desc->other_table->type : NULL;
    put_ids(queued, queued->ids_at, desc->ids ? desc->ids->array : NULL, queued->id_count);
    put_ids(queued, queued->other_at, other ? other->array : NULL, queued->other_count);
    put_ids(queued, queued->entities_at,
        desc->entity ? &desc->entity : &desc->table->entities[desc->offset], queued->entity_count);
    void *value = ECS_OFFSET(queued, PARAM_AT);
    if (type && desc->param && takes_param) {
        ecs__value_ctor(type, value, 1);
        ecs__value_move(type, value, desc->param, 1);
    } else if (type) {
        ecs__value_copy_ctor(type, value, param_of(desc), 1);
    }
}

static void enqueue(ecs_stage_t *stage, const ecs_event_desc_t *desc, bool takes_param) {
    const ecs_type_info_t *type = NULL;
    bool has_param = param_of(desc) != NULL;
    if (has_param) type = ecs__type_info_get(&stage->world->store, desc->event);
    ecs_check(!has_param || (type && type->size), ECS_INVALID_PARAMETER,
        "%s with a param cannot wait among the commands: as the event is no component, the size of "
        "the param is not known",
        ECS__TEXT(stage->world, desc->event));
    record(stage, desc, type, takes_param);
error:
    return;
}

// ---- public ----

// Other threads may use the world now, too: observers wait for the merge, whose order is the same for
// any number of them.
static bool is_shared(const ecs_stage_t *stage) {
    return stage->id < 0 || stage->world->flags & EcsWorldMultiThreaded;
}

void ecs_emit(ecs_world_t *world, ecs_event_desc_t *desc) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!check_event(world, desc)) return;
    if (is_shared(stage)) {
        enqueue(stage, desc, false);
        return;
    }
    rows_t rows = rows_of(stage->world, desc);
    bool deferred = ecs__defer_bracket_begin(stage);
    emit(world, desc, &rows);
    if (!deferred) ecs__defer_bracket_end(stage);
}

void ecs_enqueue(ecs_world_t *world, ecs_event_desc_t *desc) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!check_event(world, desc)) return;
    if (ecs__stage_defers(stage))
        enqueue(stage, desc, true);
    else
        ecs_emit(world, desc);
}

// ---- tables that become empty, or no longer are ----

static void tell_of_counts(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    (void)entity;
    (void)payload;
    (void)discard;
    ecs__table_events_tell_counts(world);
}

void ecs__emit_later(ecs_world_t *world) {
    ecs__record_call(world->stages[0], 0, tell_of_counts, 0);
}
