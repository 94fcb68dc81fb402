// SPDX-License-Identifier: MIT
// transition: an entity moves from one table to another, with everything that follows from it.
//
//   on_remove hooks → row moves (values kept, dropped, constructed)
//                   → inherited and pending values → on_add hooks
//
// Hooks only queue, so the row stays where it is until the end.
#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "mutate/traits.h"
#include "world/state.h"

// ---- values ----

static const ecs__pending_value_t *find_pending(
    const ecs__pending_value_t *values, int32_t count, ecs_id_t id) {
    for (int32_t i = 0; i < count; i++) {
        if (values[i].id == id) return &values[i];
    }
    return NULL;
}

static bool any_raw(const ecs__pending_value_t *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (values[i].construct) return true;
    }
    return false;
}

// A destination is raw only in a column that is new to the entity. No pointer: the caller
// constructs the value in place.
static void move_in(ecs_table_t *table, int32_t row, const ecs_table_t *before,
    const ecs__pending_value_t *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        int32_t column = ecs__table_column(table, values[i].id);
        if (column < 0 || !values[i].ptr) continue;
        const ecs_type_info_t *type = table->columns[column].type_info;
        void *cell = ecs__table_cell(table, column, row);
        bool is_raw = values[i].construct && !ecs__table_has(before, values[i].id);
        if (is_raw)
            ecs__value_ctor_move_dtor(type, cell, values[i].ptr, 1);
        else
            ecs__value_move_dtor(type, cell, values[i].ptr, 1);
    }
}

// Constructs what is new except values that are about to be moved into raw memory.
static void construct_new(ecs_table_t *table, int32_t row, const ecs_table_t *before,
    const ecs__pending_value_t *values, int32_t count) {
    for (int32_t c = 0; c < table->column_count; c++) {
        ecs_id_t id = ecs__column_id(table, c);
        if (!table->columns[c].has_hooks || ecs__table_has(before, id)) continue;
        const ecs__pending_value_t *value = find_pending(values, count, id);
        if (value && value->construct) continue;
        ecs__value_ctor(table->columns[c].type_info, ecs__table_cell(table, c, row), 1);
    }
}

// Where an IsA base has the value of a column, or NULL.
static const void *find_inherited(
    const ecs__store_t *store, const ecs_table_t *table, ecs_id_t id) {
    ecs__found_t found;
    if (!ecs__search_up(table, id, Ecs__IsA, false, true, 0, 0, &found)) return NULL;
    int32_t column = found.table->column_map[found.index];
    int32_t row = ECS_RECORD_TO_ROW(ecs__entity_get(&store->entities, found.source)->row);
    return column < 0 ? NULL : ecs__table_cell(found.table, column, row);
}

// New components that a base has start with the base's value; `notify` is the second pass, which
// tells on_set.
static void inherit_values(ecs_world_t *world, ecs_table_t *table, int32_t row,
    const ecs_table_t *before, const ecs__pending_value_t *values, int32_t count, bool notify) {
    if (!(table->flags & EcsTableHasIsA)) return;
    for (int32_t c = 0; c < table->column_count; c++) {
        ecs_id_t id = ecs__column_id(table, c);
        if (ecs__table_has(before, id) || find_pending(values, count, id)) continue;
        const void *inherited = find_inherited(&world->store, table, id);
        if (!inherited) continue;
        void *own = ecs__table_cell(table, c, row);
        if (notify && find_inherited(&world->store, before, id) == inherited)
            ecs__hooks_on_override(world, table, c, row);
        else if (notify)
            ecs__hooks_on_set(world, table, c, row, 1);
        else
            ecs__value_copy(table->columns[c].type_info, own, inherited, 1);
    }
}

static void drop_values(ecs_world_t *world, const ecs__pending_value_t *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t type = ecs__id_typeid(&world->store, values[i].id);
        if (type && values[i].ptr)
            ecs__value_dtor(ecs__type_info_get(&world->store, type), values[i].ptr, 1);
    }
}

// ---- the move ----

static int32_t move_row(ecs_world_t *world, ecs_record_t *record, ecs_table_t *src,
    ecs_table_t *dst, const ecs__pending_value_t *values, int32_t count) {
    bool raw = any_raw(values, count);
    bool is_traversable = record->row & EcsEntityIsTraversable;
    int32_t row = ecs__table_move_row(dst, src, ECS_RECORD_TO_ROW(record->row), !raw);
    if (raw) construct_new(dst, row, src, values, count);
    if (is_traversable) {
        src->traversable_count--;
        dst->traversable_count++;
        ecs__store_touch_traversable(&world->store, src, dst);
    }
    return row;
}

// The name of an entity is filed under its parent.
static void follow_parent(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, const ecs_table_t *dst) {
    if (!(src->flags & dst->flags & EcsTableHasName)) return;
    if (!((src->flags | dst->flags) & EcsTableHasChildOf)) return;
    ecs_entity_t before = ecs__table_target(src, Ecs__ChildOf, 0);
    if (before != ecs__table_target(dst, Ecs__ChildOf, 0)) ecs__names_on_reparent(world, entity);
}

void ecs__transition(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count) {
    ecs_record_t *record = ecs__entity_get(&world->store.entities, entity);
    ecs_table_t *src = record->table;
    int32_t row = ECS_RECORD_TO_ROW(record->row);
    if (src == dst) {
        move_in(dst, row, src, values, value_count);
        return;
    }
    if (!ecs__table_check_unlocked(src) || !ecs__table_check_unlocked(dst)) {
        drop_values(world, values, value_count);
        return;
    }
    ecs__hooks_on_remove(world, src, dst, row, 1);
    row = move_row(world, record, src, dst, values, value_count);
    inherit_values(world, dst, row, src, values, value_count, false);
    if (value_count) move_in(dst, row, src, values, value_count);
    follow_parent(world, entity, src, dst);
    if ((src->flags | dst->flags) & ECS__TABLE_HAS_TRAITS) ecs__traits_changed(world, entity);
    ecs__hooks_on_add(world, dst, src, row, 1);
    inherit_values(world, dst, row, src, values, value_count, true);
}
