// SPDX-License-Identifier: MIT
// ref: remembered places of components, and records of entities.
//
// A ref holds the column in one table. Table numbers are never used again, so a ref that names
// another table is out of date, whatever happened to the old one.
#include <muster/ecs/component.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>

#include "world/state.h"
#include "world/write.h"

// ---- refs ----

static inline void update(ecs_ref_t *ref, const ecs_table_t *table) {
    if (table->id == ref->table_id) return;
    ref->table_id = table->id;
    ref->column = ecs__table_column(table, ref->id);
}

ecs_ref_t ecs_ref_init_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(ecs_is_valid(world, entity), ECS_INVALID_PARAMETER,
        "cannot make a reference to entity %u: it is not alive", (uint32_t)entity);
    ecs_ref_t ref = { .entity = entity, .id = id, .column = -1 };
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    if (spot.table) update(&ref, spot.table);
    return ref;
error:
    return (ecs_ref_t){ .column = -1 };
}

void ecs_ref_update(const ecs_world_t *world, ecs_ref_t *ref, ecs_id_t id) {
    ECS__NEED(ref);
    ecs_check(ref->id == id, ECS_INVALID_PARAMETER, "the reference is to %s, not to %s",
        ECS__TEXT(world, ref->id), ECS__TEXT(world, id));
    const ecs__spot_t spot = ecs__spot_of(world, ref->entity);
    if (spot.table) update(ref, spot.table);
error:
    return;
}

void *ecs_ref_get_id(const ecs_world_t *world, ecs_ref_t *ref, ecs_id_t id) {
    ECS__NEED_OR(ref, NULL);
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(
        ref->entity, ECS_INVALID_PARAMETER, "the reference is not initialised; use ecs_ref_init");
    ecs_check(ref->id == id, ECS_INVALID_PARAMETER, "the reference is to %s, not to %s",
        ECS__TEXT(world, ref->id), ECS__TEXT(world, id));
    ECS__CHECK(ecs__may_access(world, ref->entity, id, true, "ecs_ref_get"));
    const ecs__spot_t spot = ecs__spot_of(world, ref->entity);
    if (!spot.table) return NULL;
    update(ref, spot.table);
    if (ref->column < 0) return ecs__value_of(spot, id);
    return ecs__table_cell(spot.table, ref->column, spot.row);
error:
    return NULL;
}

// ---- records ----

// While others may read, records are filled in, but not marked to follow.
ecs_record_t *ecs_record_find(const ecs_world_t *world, ecs_entity_t entity) {
    ecs_world_t *real = ECS_CONST_CAST(ecs_world_t *, ecs__world_of(world));
    ecs__entity_index_t *index = &real->store.entities;
    if (!ecs__entity_is_alive(index, entity)) return NULL;
    return ecs__entity_show(index, entity, !(real->flags & EcsWorldReadonly));
}

// NULL for ids the entity lacks, and for records of the dead.
static void *shown_value(const ecs_record_t *record, ecs_id_t id) {
    const ecs__spot_t spot = { record->table, ECS_RECORD_TO_ROW(record->row) };
    return spot.table ? ecs__value_of(spot, id) : NULL;
}

ecs_entity_t ecs_record_get_entity(const ecs_record_t *record) {
    ECS__NEED_OR(record, 0);
    return record->table ? record->table->entities[ECS_RECORD_TO_ROW(record->row)] : 0;
}

void *ecs_record_get_by_column(const ecs_record_t *record, int32_t column, size_t size) {
    ECS__NEED_OR(record, NULL);
    const ecs_table_t *table = record->table;
    if (!table) return NULL;
    ecs_check(column >= 0 && column < table->column_count, ECS_COLUMN_INDEX_OUT_OF_RANGE,
        "the table has %d columns, there is no column %d", table->column_count, column);
    ecs_check(!size || (size_t)table->columns[column].size == size, ECS_COLUMN_TYPE_MISMATCH,
        "values of column %d have %d bytes, not %d", column, table->columns[column].size,
        (int32_t)size);
    return ecs__table_cell(table, column, ECS_RECORD_TO_ROW(record->row));
error:
    return NULL;
}

static bool may_access(const ecs_world_t *world, const ecs_record_t *record, ecs_id_t id,
    bool writes, const char *call) {
    return !record->table ||
           ecs__may_access(world, ecs_record_get_entity(record), id, writes, call);
}

void *ecs_record_ensure_id(ecs_world_t *world, ecs_record_t *record, ecs_id_t id) {
    ECS__NEED_OR(record, NULL);
    ECS__CHECK(may_access(world, record, id, true, "ecs_record_ensure"));
    return shown_value(record, id);
error:
    return NULL;
}

const void *ecs_record_get_id(const ecs_world_t *world, const ecs_record_t *record, ecs_id_t id) {
    ECS__NEED_OR(record, NULL);
    ECS__CHECK(may_access(world, record, id, false, "ecs_record_get"));
    return shown_value(record, id);
error:
    return NULL;
}

bool ecs_record_has_id(ecs_world_t *world, const ecs_record_t *record, ecs_id_t id) {
    ECS__NEED_OR(record, false);
    (void)world;
    const ecs__spot_t spot = { record->table, ECS_RECORD_TO_ROW(record->row) };
    return spot.table && ecs__has_own(spot, id);
}
