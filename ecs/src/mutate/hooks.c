// SPDX-License-Identifier: MIT
#include "mutate/hooks.h"

#include <muster/ecs/iter.h>
#include <muster/ecs/os.h>

#include "base/apart.h"
#include "event/emit.h"
#include "storage/watch.h"
#include "world/state.h"

// Arrays that an iterator with up to two fields points to.
typedef struct fields_t {
    void *ptrs[2];
    const ecs_table_record_t *trs[2];
    ecs_table_record_t records[2];
    int16_t columns[2];
    ecs_size_t sizes[2];
    ecs_id_t ids[2];
    ecs_entity_t sources[2];
} fields_t;

// Values that rows have themselves, in a column or in a set.
typedef struct values_t {
    ecs_table_t *table;
    ecs_id_t id;
    const ecs_type_info_t *type;
    int32_t column, row, count; /* column: -1: in the set of the id, of one row */
    void *first;
} values_t;

static values_t in_column(ecs_table_t *table, int32_t column, int32_t row, int32_t count) {
    return (values_t){ table, ecs__column_id(table, column), table->columns[column].type_info,
        column, row, count, ecs__table_cell(table, column, row) };
}

static values_t in_set(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    const ecs__spot_t at = ecs__entity_spot(&world->store.entities, entity);
    void *value = ecs__sparse_get(record, entity);
    return (values_t){ at.table, record->id, record->type_info, -1, at.row, 1, value };
}

// What is beside the table has no place in its type.
static void set_field(fields_t *fields, int32_t index, const values_t *values, void *value) {
    const ecs_table_t *table = values->table;
    const int32_t place = values->column < 0 ? ecs__table_search(table, values->id)
                                             : table->columns[values->column].type_index;
    fields->ptrs[index] = value;
    fields->sources[index] = 0;
    fields->trs[index] = place < 0 ? NULL : &fields->records[index];
    if (place >= 0) fields->records[index] = ecs__table_shown(table, &table->records[place]);
    fields->columns[index] = (int16_t)values->column;
    fields->sizes[index] = values->type->size;
    fields->ids[index] = values->id;
}

// Of one field, and of any rows.
static void begin_iter(ecs_iter_t *it, ecs_world_t *world, ecs_table_t *table, fields_t *fields) {
    *it = (ecs_iter_t){
        .world = world,
        .real_world = world,
        .ptrs = fields->ptrs,
        .trs = fields->trs,
        .columns = fields->columns,
        .sizes = fields->sizes,
        .table = table,
        .ids = fields->ids,
        .sources = fields->sources,
        .set_fields = 1,
        .event_id = fields->ids[0],
        .field_count = 1,
    };
}

static inline void set_rows(ecs_iter_t *it, const values_t *values) {
    const ecs_type_hooks_t *hooks = &values->type->hooks;
    it->offset = values->row;
    it->count = values->count;
    it->entities = &it->table->entities[values->row];
    it->ctx = hooks->ctx;
    it->callback_ctx = hooks->binding_ctx;
    it->flags = EcsIterIsValid;
}

static void run(ecs_world_t *world, ecs_iter_action_t hook, ecs_iter_t *it) {
    int32_t defer = ecs__defer_hold(world->stage);
    world->events.emitted++;
    world->events.calls++;
    hook(it);
    world->events.calls--;
    ecs__defer_release(world->stage, defer);
}

static bool is_valid(
    ecs_world_t *world, const ecs_type_hooks_t *hooks, ecs_entity_t entity, void *value) {
    int32_t defer = ecs__defer_hold(world->stage);
    bool valid = !hooks->on_validate || hooks->on_validate(world, entity, value);
    ecs__defer_release(world->stage, defer);
    return valid;
}

// What hooks are shown. Mostly it is the same component of the same table as before, and only rows and values are others.
typedef struct ecs__show_t {
    uint64_t table; // number
    ecs_id_t id;    // 0: none
    bool is_taken;  // by a hook that runs, and others inside it need another
    ecs_iter_t it;
    fields_t fields;
} ecs__show_t;

static ecs__show_t *take_show(ecs_world_t *world, ecs__show_t *other) {
    if (!world->hook_show) world->hook_show = ecs_os_calloc_t(ecs__show_t);
    ecs__show_t *show = world->hook_show;
    if (show->is_taken) {
        other->id = 0;
        show = other;
    }
    show->is_taken = true;
    return show;
}

// True if it shows the id of the table already; else the field is to be set, and then the iterator.
static bool is_shown(ecs__show_t *show, const ecs_table_t *table, ecs_id_t id) {
    if (show->id == id && show->table == table->id) return true;
    show->id = id;
    show->table = table->id;
    return false;
}

static ECS__APART void begin_show(ecs_world_t *world, ecs__show_t *show, values_t values) {
    set_field(&show->fields, 0, &values, values.first);
    begin_iter(&show->it, world, values.table, &show->fields);
    if (values.column < 0) show->it.row_fields = show->it.ref_fields = 1;
}

static inline __attribute__((always_inline)) void call(ecs_world_t *world, values_t values,
    const ecs_table_t *other, ecs_entity_t event, ecs_iter_action_t hook) {
    ecs__show_t room, *show = take_show(world, &room);
    if (!is_shown(show, values.table, values.id)) begin_show(world, show, values);
    set_rows(&show->it, &values);
    show->fields.ptrs[0] = values.first;
    show->it.event = event;
    show->it.other_table = ECS_CONST_CAST(ecs_table_t *, other);
    run(world, hook, &show->it);
    show->is_taken = false;
}

// Of the columns that `other` lacks. Whoever hears of one may move rows.
static void call_columns(ecs_world_t *world, ecs_table_t *table, const ecs_table_t *other,
    int32_t row, int32_t count, ecs_entity_t event) {
    for (int32_t c = 0; c < table->column_count && row + count <= table->count; c++) {
        const ecs_type_hooks_t *hooks = &table->columns[c].type_info->hooks;
        ecs_iter_action_t hook = event == Ecs__OnAdd ? hooks->on_add : hooks->on_remove;
        if (!hook || (other && ecs__table_has(other, ecs__column_id(table, c)))) continue;
        call(world, in_column(table, c, row, count), other, event, hook);
    }
}

typedef void (*sparse_call_t)(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record);

// Values in sets come one by one; whoever hears of one may move others.
static void call_sparse(ecs_world_t *world, ecs_table_t *table, const ecs_table_t *other,
    int32_t row, int32_t count, sparse_call_t call_one) {
    for (int32_t i = 0; i < table->type.count; i++) {
        const ecs_component_record_t *record = ecs__table_cr(table, i);
        if (!ecs__id_has_sparse_values(record)) continue;
        if (other && ecs__table_has(other, record->id)) continue;
        for (int32_t at = row; at < ECS_MIN(row + count, table->count); at++) {
            call_one(world, table->entities[at], record);
        }
    }
}

// A hook that suspends deferring may take rows away.
void ecs__hooks_on_add(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count) {
    if (table->flags & EcsTableHasOnAdd) call_columns(world, table, before, row, count, Ecs__OnAdd);
    if (table->flags & EcsTableHasSparse)
        call_sparse(world, table, before, row, count, ecs__hooks_sparse_added);
    if (world->events.listened && row + count <= table->count)
        ecs__emit_on_add(world, table, before, row, count);
}

void ecs__hooks_on_remove(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *after, int32_t row, int32_t count) {
    if (!count) return;
    if (world->events.listened) ecs__emit_on_remove(world, table, after, row, count);
    if (table->flags & EcsTableHasOnRemove) {
        ecs__cmd_queue_t *queue = world->stage->queue;
        uint32_t kinds = ecs__queue_lose(queue);
        call_columns(world, table, after, row, count, Ecs__OnRemove);
        ecs__queue_have_lost(queue, kinds);
    }
    if (table->flags & EcsTableHasSparse)
        call_sparse(world, table, after, row, count, ecs__hooks_sparse_removing);
}

static void call_on_set(ecs_world_t *world, ecs_table_t *table, int32_t column, int32_t row,
    int32_t count, bool emits) {
    ecs_iter_action_t hook = table->columns[column].type_info->hooks.on_set;
    if (hook) call(world, in_column(table, column, row, count), NULL, Ecs__OnSet, hook);
    ecs_id_t id = ecs__column_id(table, column);
    if (emits && ecs__events_may_hear_set(&world->events, id))
        ecs__emit_on_set(world, table, id, row, count);
}

static ECS__APART void notify_on_set(ecs_world_t *world, ecs_table_t *table, int32_t column,
    int32_t row, int32_t count, bool emits) {
    const ecs_type_hooks_t *hooks = &table->columns[column].type_info->hooks;
    if (!hooks->on_validate) {
        call_on_set(world, table, column, row, count, emits);
        return;
    }
    for (int32_t i = row; i < row + count; i++) {
        void *value = ecs__table_cell(table, column, i);
        if (is_valid(world, hooks, table->entities[i], value))
            call_on_set(world, table, column, i, 1, emits);
    }
}

void ecs__hooks_on_set(
    ecs_world_t *world, ecs_table_t *table, int32_t column, int32_t row, int32_t count) {
    if (!ecs__hooks_may_hear_set(world, table, column)) return;
    ecs__table_touch_values(table, column, row, count);
    notify_on_set(world, table, column, row, count, true);
}

void ecs__hooks_on_replace(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, void *value) {
    const ecs__spot_t at = ecs__entity_spot(&world->store.entities, entity);
    const int32_t column = ecs__table_column(at.table, id);
    const values_t own = column < 0 ? in_set(world, entity, ecs__id_record_get(&world->store, id))
                                    : in_column(at.table, column, at.row, 1);
    fields_t fields;
    ecs_iter_t it;
    set_field(&fields, 0, &own, own.first);
    set_field(&fields, 1, &own, value);
    begin_iter(&it, world, at.table, &fields);
    set_rows(&it, &own);
    it.field_count = 2;
    it.set_fields = 3;
    if (column < 0) it.row_fields = it.ref_fields = 3;
    run(world, own.type->hooks.on_replace, &it);
}

void ecs__hooks_on_set_at(ecs_world_t *world, ecs_table_t *table, int32_t index, int32_t row,
    int32_t count, bool is_news) {
    const int32_t column = ecs__table_column_at(table, index);
    const ecs_component_record_t *record = ecs__table_cr(table, index);
    if (row + count > table->count) return;
    if (column >= 0) {
        if (is_news && !ecs__hooks_may_hear_set(world, table, column)) return;
        ecs__table_touch_values(table, column, row, count);
        notify_on_set(world, table, column, row, count, is_news);
    } else if (ecs__id_has_sparse_values(record)) {
        for (int32_t r = row; r < ECS_MIN(row + count, table->count); r++)
            ecs__hooks_sparse_set(world, table->entities[r], record, is_news);
    }
}

// ---- values in sets ----

// Whoever was called before may have ended it, or what it has.
static bool is_there(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    return ecs__entity_is_alive(&world->store.entities, entity) && ecs__sparse_has(record, entity);
}

static void call_for_one(ecs_world_t *world, ecs_entity_t entity,
    const ecs_component_record_t *record, ecs_entity_t event, ecs_iter_action_t hook) {
    if (hook && is_there(world, entity, record))
        call(world, in_set(world, entity, record), NULL, event, hook);
}

bool ecs__beside_is_told(const ecs_world_t *world, const ecs_component_record_t *record) {
    const ecs__events_t *events = &world->events;
    if (!events->listened || !ecs__id_may_be_beside(record)) return false;
    return (record->flags & EcsIdTraversable && ecs_vec_count(&events->rels)) ||
           ecs__events_heard(events, record, ECS__HEARD_ADD | ECS__HEARD_REMOVE | ECS__HEARD_SET);
}

static void tell(ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record,
    ecs_entity_t event, bool is_inverted) {
    if (ecs__beside_is_told(world, record) && ecs__entity_is_alive(&world->store.entities, entity))
        ecs__emit_beside(world, event, entity, record->id, is_inverted);
}

void ecs__hooks_sparse_added(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    if (record->type_info)
        call_for_one(world, entity, record, Ecs__OnAdd, record->type_info->hooks.on_add);
    tell(world, entity, record, Ecs__OnAdd, false);
}

void ecs__hooks_sparse_removing(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    ecs__cmd_queue_t *queue = world->stage->queue;
    uint32_t kinds = ecs__queue_lose(queue);
    tell(world, entity, record, Ecs__OnRemove, false);
    if (record->type_info)
        call_for_one(world, entity, record, Ecs__OnRemove, record->type_info->hooks.on_remove);
    ecs__queue_have_lost(queue, kinds);
}

void ecs__hooks_beside_adding(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    tell(world, entity, record, Ecs__OnRemove, true);
}

void ecs__hooks_beside_removed(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    if (ecs__beside_is_told(world, record) && ecs__entity_is_alive(&world->store.entities, entity))
        ecs__emit_beside_removed(world, entity, record->id);
}

void ecs__hooks_sparse_set(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record, bool emits) {
    const ecs_type_hooks_t *hooks = &record->type_info->hooks;
    if (!is_there(world, entity, record)) return;
    if (!is_valid(world, hooks, entity, ecs__sparse_get(record, entity))) return;
    call_for_one(world, entity, record, Ecs__OnSet, hooks->on_set);
    if (!emits || !(world->events.listened & ECS__LISTEN_SET)) return;
    if (!is_there(world, entity, record)) return;
    const ecs__spot_t at = ecs__entity_spot(&world->store.entities, entity);
    if (ecs__id_is_beside(record))
        ecs__emit_beside(world, Ecs__OnSet, entity, record->id, false);
    else
        ecs__emit_on_set(world, at.table, record->id, at.row, 1);
}
