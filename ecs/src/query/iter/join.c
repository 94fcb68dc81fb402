// SPDX-License-Identifier: MIT
#include "query/iter/join.h"

#include "query/iter/result.h"
#include "storage/search.h"

// ---- fields ----

static inline void put(ecs_termset_t *fields, int32_t field, bool is_in) {
    *fields = is_in ? *fields | FIELD_BIT(field) : *fields & (ecs_termset_t)~FIELD_BIT(field);
}

// The value of a row of another entity, or (row -1) where the array of the tables' own is.
static void show_values(ecs_iter_t *it, ecs__join_t *join, ecs__join_op_t *op,
    const ecs_table_t *table, int32_t index, int32_t row) {
    const int32_t f = op->field;
    const int16_t column = ecs__table_column_at(table, index);
    ecs_size_t size = it->query->sizes[f];
    if (!size && column >= 0) size = table->columns[column].size;
    op->has_shown = column >= 0;
    join->has_shown |= op->has_shown;
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = size;
    ((int16_t *)(uintptr_t)it->columns)[f] = row < 0 ? column : -1;
    it->ptrs[f] = row < 0 || column < 0 ? NULL : ecs__table_cell(table, column, row);
}

static inline int32_t row_of(const ecs__join_op_t *op) {
    return op->src == ECS__VAR_THIS ? -1 : op->source->row;
}

static inline void show(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op,
    const ecs_table_t *table, int32_t index) {
    if (!op->is_shown) return;
    if (op->second) it->ids[op->field] = table->type.array[index];
    if (op->src > 0) it->sources[op->field] = op->source->entity;
    if (op->has_values && (op->has_shown || table->column_count))
        show_values(it, solver->join, op, table, index, row_of(op));
}

// The same for what may be set in one result and not in another, own or inherited.
static void show_found(
    ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op, const ecs__found_t *found) {
    const int32_t f = op->field;
    const ecs_entity_t above = found->source;
    const ecs_entity_t self = op->src == ECS__VAR_THIS ? 0 : op->source->entity;
    if (!above && op->is_own) {
        show(it, solver, op, found->table, found->index);
        return;
    }
    op->is_own = !above;
    put(&it->set_fields, f, true);
    put(&it->up_fields, f, above);
    put(&it->ref_fields, f, above || self);
    it->ids[f] = found->table->type.array[found->index];
    it->sources[f] = above ? above : self;
    if (!op->has_values) return;
    int32_t row = row_of(op);
    if (above) row = ECS_RECORD_TO_ROW(ecs__entity_get(&solver->store->entities, above)->row);
    show_values(it, solver->join, op, found->table, found->index, row);
}

static inline void empty_field(ecs_iter_t *it, const ecs__plan_t *plan, int32_t f) {
    put(&it->set_fields, f, false);
    put(&it->up_fields, f, false);
    put(&it->ref_fields, f, plan->sources[f]);
    it->ids[f] = plan->ids[f];
    it->sources[f] = plan->sources[f];
    it->ptrs[f] = NULL;
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = it->query->sizes[f];
    ((int16_t *)(uintptr_t)it->columns)[f] = -1;
}

static inline void show_nothing(ecs_iter_t *it, const ecs__plan_t *plan, ecs__join_op_t *op) {
    op->is_own = op->has_shown = false;
    empty_field(it, plan, op->field);
}

// What stays as it is. A term without source is no operation, but has a field.
static void fill_fields(ecs_iter_t *it, const ecs__plan_t *plan, ecs__join_t *join) {
    it->set_fields = it->ref_fields = it->up_fields = 0;
    join->has_shown = false;
    for (int32_t f = 0; f < plan->field_count; f++) empty_field(it, plan, f);
    for (int32_t i = 0; i < join->count; i++) {
        ecs__join_op_t *op = &join->ops[i];
        const int32_t f = op->field;
        op->is_own = op->has_shown = false;
        if (!op->is_plain) continue;
        it->set_fields |= FIELD_BIT(f);
        if (op->src != ECS__VAR_THIS) it->ref_fields |= FIELD_BIT(f);
        it->ids[f] = op->id;
        it->sources[f] = op->constant.entity;
    }
}

bool ecs__join_begin(ecs_iter_t *it) {
    ecs__solver_t *solver = it->priv_.eval;
    if (solver->is_reordered) {
        solver->is_reordered = false;
        solver->is_joined = ecs__join_compile(solver);
    }
    if (!solver->is_joined) return false;
    fill_fields(it, solver->plan, solver->join);
    it->flags |= EcsIterJoined;
    return true;
}

// ---- ids ----

static inline bool is_same_relationship(ecs_id_t a, ecs_id_t b) { return a >> 32 == b >> 32; }

// 0: the second element has no value.
static inline ecs_id_t id_of(const ecs__join_op_t *op) {
    if (!op->second) return op->id;
    ecs_entity_t second = op->second->entity;
    return second ? (op->id & ~(ecs_id_t)UINT32_MAX) | (uint32_t)second : 0;
}

static inline int32_t own_place(const ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id) {
    const int32_t index = op->hint;
    bool is_there = index < table->type.count && table->type.array[index] == id;
    return is_there ? index : ecs__table_search(table, id);
}

// First place of a pair with the relationship of (R, *); in the last table it was `hint`, too.
static inline int32_t first_pair(const ecs_table_t *table, ecs_id_t any, int32_t hint) {
    const ecs_type_t *type = &table->type;
    if (hint < type->count && is_same_relationship(type->array[hint], any) &&
        (!hint || !is_same_relationship(type->array[hint - 1], any)))
        return hint;
    if (!(table->bloom & ecs__id_bloom(any))) return -1;
    return ecs__type_match(type, 0, any);
}

static bool search_up(
    const ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id, ecs__found_t *found) {
    return ecs__search_up(table, id, op->trav, false, true, op->min_depth, op->max_depth, found);
}

// Tables with one and the same target, and that only, find the same above.
static bool look_above(const ecs__solver_t *solver, ecs__join_op_t *op, const ecs_table_t *table,
    ecs_id_t id, ecs__found_t *found) {
    ecs__join_above_t *above = &op->above;
    const ecs_type_t *type = &table->type;
    const int32_t at = first_pair(table, ECS__MAKE_PAIR(op->trav, Ecs__Wildcard), above->hint);
    if (at < 0) return false;
    above->hint = at;
    const ecs_id_t pair = type->array[at];
    if (at + 1 < type->count && is_same_relationship(type->array[at + 1], pair))
        return search_up(op, table, id, found);
    const uint64_t now = solver->store->structure_stamp;
    if (above->pair != pair || above->id != id || above->structure != now) {
        above->pair = pair;
        above->id = id;
        above->structure = now;
        above->is_found = search_up(op, table, id, &above->found);
    }
    *found = above->found;
    return above->is_found;
}

// Where a table has or inherits the id of an operation that is not plain.
static bool look(const ecs__solver_t *solver, ecs__join_op_t *op, const ecs_table_t *table,
    ecs_id_t id, ecs__found_t *found) {
    const int32_t index = op->self ? own_place(op, table, id) : -1;
    if (index >= 0) {
        op->hint = index;
        *found = (ecs__found_t){ .table = table, .index = index };
        return true;
    }
    return op->trav && look_above(solver, op, table, id, found);
}

// ---- tables ----

static int32_t behind(const ecs_component_record_t *record, uint64_t number) {
    int32_t position = 0;
    const ecs_table_t *found;
    for (int32_t at = 0; record && (found = ecs__id_record_next_table(record, &at, true));
         position = at) {
        if (found->id > number) break;
    }
    return position;
}

static inline bool is_skipped(const ecs__join_op_t *op, const ecs_table_t *table) {
    if (!table->count || table->flags & op->skip) return true;
    const uint64_t lacked = op->bloom & ~table->bloom;
    return lacked && (lacked & op->own_bloom || !(table->flags & EcsTableHasIsA));
}

static inline ecs_table_t *take(
    const ecs__solver_t *solver, const ecs__join_op_t *op, ecs__join_list_t *list) {
    if (!list->record) return NULL;
    int32_t at = list->position;
    const uint64_t *words = list->record->non_empty.words;
    for (int32_t count = list->record->table_count, w = at >> 6; at < count; at = ++w << 6) {
        for (uint64_t word = words[w] >> (at & 63); word; word &= word - 1) {
            const int32_t found = at + __builtin_ctzll(word);
            ecs_table_t *table = list->record->tables[found];
            if (table->id >= solver->table_limit) return NULL;
            if (is_skipped(op, table)) continue;
            list->position = found + 1;
            return table;
        }
    }
    return NULL;
}

// Begin lists, behind the table with the last number if there was one.
static void find_lists(const ecs__solver_t *solver, ecs__join_op_t *op, bool is_again) {
    const ecs__store_t *store = solver->store;
    op->stamp = store->table_stamp;
    op->own.record = op->self ? ecs__id_record_get(store, op->wanted) : NULL;
    op->own.position = is_again ? behind(op->own.record, op->number) : 0;
    if (op->is_plain) return;
    op->heirs.record =
        op->trav ? ecs__id_record_get(store, ECS__MAKE_PAIR(op->trav, Ecs__Wildcard)) : NULL;
    op->heirs.position = is_again ? behind(op->heirs.record, op->number) : 0;
    op->own.next = take(solver, op, &op->own);
    op->heirs.next = take(solver, op, &op->heirs);
}

// Both lists are in order of numbers.
static ecs_table_t *next_inheriting(const ecs__solver_t *solver, ecs__join_op_t *op) {
    for (;;) {
        ecs_table_t *own = op->own.next, *heir = op->heirs.next;
        ecs_table_t *table = own && (!heir || own->id <= heir->id) ? own : heir;
        if (!table) return NULL;
        if (table == own) op->own.next = take(solver, op, &op->own);
        if (table == heir) op->heirs.next = take(solver, op, &op->heirs);
        op->number = table->id;
        if (table->count && look(solver, op, table, op->wanted, &op->found))
            return op->table = table;
    }
}

static inline ecs_table_t *next_table(const ecs__solver_t *solver, ecs__join_op_t *op) {
    // Tables that came or went may be in the lists, and with them records.
    if (op->stamp != solver->store->table_stamp) find_lists(solver, op, true);
    if (!op->is_plain) return next_inheriting(solver, op);
    ecs_table_t *table = take(solver, op, &op->own);
    if (!table) return NULL;
    if (op->is_shown) op->hint = own_place(op, table, op->wanted);
    op->number = table->id;
    return op->table = table;
}

static bool begin_tables(const ecs__solver_t *solver, ecs__join_op_t *op) {
    op->wanted = id_of(op);
    if (!op->wanted) return false;
    find_lists(solver, op, false);
    op->table = NULL;
    return true;
}

static inline void show_table(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    if (op->is_plain)
        show(it, solver, op, op->table, op->hint);
    else
        show_found(it, solver, op, &op->found);
}

static inline bool next_tables(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    ecs_table_t *table = next_table(solver, op);
    if (!table) return false;
    const int32_t count = table->count;
    *op->source = (ecs__value_t){ count == 1 ? table->entities[0] : 0, table, 0, count };
    show_table(it, solver, op);
    return true;
}

static inline bool next_rows(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    op->row++;
    while (!op->table || op->row >= op->table->count) {
        op->row = 0;
        if (!next_table(solver, op)) return false;
    }
    *op->source = (ecs__value_t){ op->table->entities[op->row], op->table, op->row, 1 };
    show_table(it, solver, op);
    return true;
}

// The operation before found the place of the id.
static inline bool next_each(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    ecs_table_t *table = op->source->table;
    const int32_t row = ++op->row;
    if (row >= table->count) return false;
    *op->source = (ecs__value_t){ table->entities[row], table, row, 1 };
    show(it, solver, op, table, op[-1].row);
    return true;
}

// ---- sources that are known ----

// Variables have a value by now, constants may be gone: NULL.
static inline const ecs_table_t *table_of(const ecs__solver_t *solver, ecs__join_op_t *op) {
    if (op->src >= 0) return op->source->table;
    const ecs_record_t *record = ecs__entity_try(&solver->store->entities, op->constant.entity);
    if (!record) return NULL;
    op->constant.table = record->table;
    op->constant.row = ECS_RECORD_TO_ROW(record->row);
    return record->table;
}

static bool has_in_some_way(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op,
    const ecs_table_t *table, ecs_id_t id) {
    ecs__found_t found;
    bool is_there = table && id && look(solver, op, table, id, &found);
    if (op->oper == EcsNot) return !is_there;
    if (is_there)
        show_found(it, solver, op, &found);
    else if (op->oper == EcsOptional)
        show_nothing(it, solver->plan, op);
    return is_there || op->oper == EcsOptional;
}

static inline bool has(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    const ecs_table_t *table = table_of(solver, op);
    const ecs_id_t id = id_of(op);
    if (!op->is_plain) return has_in_some_way(it, solver, op, table, id);
    const int32_t index = table && id ? own_place(op, table, id) : -1;
    if (index < 0) return false;
    op->hint = index;
    show(it, solver, op, table, index);
    return true;
}

// The target at op->row becomes the value of `second`. False if it is not alive.
static inline bool take_target(
    ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op, const ecs_table_t *table) {
    const uint32_t target = ecs__id_second(table->type.array[op->row]);
    const ecs_record_t *record = ecs__entity_slot(&solver->store->entities, target);
    if (!record || !record->table) return false;
    if (record->table->flags & op->skip) return false;
    *op->second = (ecs__value_t){ (uint64_t)record->generation << 32 | target, record->table,
        ECS_RECORD_TO_ROW(record->row), 1 };
    show(it, solver, op, table, op->row);
    return true;
}

// That behind op->row, which is one.
static inline bool next_target(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    const ecs_table_t *table = op->source->table;
    const ecs_type_t *type = &table->type;
    while (++op->row < type->count && is_same_relationship(type->array[op->row], op->id)) {
        if (take_target(it, solver, op, table)) return true;
    }
    return false;
}

static inline bool begin_targets(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    const ecs_table_t *table = table_of(solver, op);
    const int32_t index = table ? first_pair(table, op->id, op->hint) : -1;
    if (index < 0) return false;
    op->hint = op->row = index;
    return take_target(it, solver, op, table) || next_target(it, solver, op);
}

// ---- results ----

// As step_back in graph/solve.c.
static inline ecs__join_op_t *op_back(
    const ecs__join_t *join, const ecs__join_op_t *op, uint64_t conflict) {
    ecs__join_op_t *back = op->back;
    if (op->solutions != join->solutions) return back;
    while (back && !(back->binds & conflict)) back = back->back;
    if (back) back->conflict |= conflict & ~back->binds;
    return back;
}

static inline bool begin(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    op->conflict = op->uses;
    op->solutions = solver->join->solutions;
    if (op->kind == ECS__JOIN_HAS) return has(it, solver, op);
    if (op->kind == ECS__JOIN_EQUAL)
        return (op->source->entity == op->second->entity) == (op->oper != EcsNot);
    if (op->kind == ECS__JOIN_TARGETS) return begin_targets(it, solver, op);
    if (op->kind == ECS__JOIN_EACH) {
        op->row = -1;
        return next_each(it, solver, op);
    }
    if (!begin_tables(solver, op)) return false;
    return op->kind == ECS__JOIN_TABLES ? next_tables(it, solver, op) : next_rows(it, solver, op);
}

static inline bool go_on(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    if (op->kind == ECS__JOIN_TARGETS) return next_target(it, solver, op);
    if (op->kind == ECS__JOIN_EACH) return next_each(it, solver, op);
    return op->kind == ECS__JOIN_TABLES ? next_tables(it, solver, op) : next_rows(it, solver, op);
}

static inline bool find(ecs_iter_t *it, const ecs__solver_t *solver, bool redo) {
    ecs__join_t *join = solver->join;
    ecs__join_op_t *op = redo ? join->last : join->ops;
    const ecs__join_op_t *end = join->ops + join->count;
    while (op) {
        const bool held = redo ? go_on(it, solver, op) : begin(it, solver, op);
        redo = !held;
        if (redo) {
            op = op_back(join, op, op->conflict);
        } else if (++op == end) {
            join->solutions++;
            return true;
        }
    }
    return false;
}

bool ecs__join_next(ecs_iter_t *it, bool redo) {
    ecs__solver_t *solver = it->priv_.eval;
    const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    if (ecs__iter_next_row(it)) return true;
    ecs__iter_unlock(it);
    do {
        if (!find(it, solver, redo)) return ecs__iter_end(it);
        redo = true;
    } while (self->table && !self->count); // it was given, and has no rows
    it->table = self->table;
    if (solver->join->has_shown || !it->table)
        return ecs__iter_show_run(it, self->row, self->row + self->count);
    it->frame_offset += it->count;
    it->count = self->count;
    it->offset = self->row;
    it->entities = self->table->entities + self->row;
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    ecs__iter_lock(it);
    return true;
}
