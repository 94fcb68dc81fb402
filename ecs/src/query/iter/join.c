// SPDX-License-Identifier: MIT
#include "query/iter/join.h"

#include <muster/ecs/os.h>

#define FIELD_BIT(field) ((ecs_termset_t)((ecs_termset_t)1 << (field)))

// ---- from steps to operations ----

static ecs__join_op_t *add_op(
    ecs__join_t *join, ecs__solver_t *solver, ecs__join_kind_t kind, int32_t src) {
    if (join->count == ECS__JOIN_OPS_MAX) return NULL;
    ecs__join_op_t *op = &join->ops[join->count++];
    *op = (ecs__join_op_t){ .kind = (uint8_t)kind, .src = (int8_t)src, .has_values = true };
    op->source = src < 0 ? &op->constant : &solver->values[src];
    op->uses = src < 0 ? 0 : ECS__VAR_BIT(src);
    if (kind == ECS__JOIN_TABLES || kind == ECS__JOIN_ROWS) op->binds = op->uses;
    return op;
}

static bool is_tag(const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    return record && !record->type_info && !ecs__id_is_wildcard(id);
}

static bool add_plain(ecs__join_t *join, ecs__solver_t *solver, int32_t at, bool finds) {
    const ecs__op_t *from = &solver->plan->ops[at];
    ecs__join_op_t *op =
        add_op(join, solver, finds ? ECS__JOIN_TABLES : ECS__JOIN_HAS, ECS__VAR_THIS);
    if (!op) return false;
    op->id = from->id;
    op->field = from->field;
    op->has_values = !is_tag(solver->store, op->id);
    return true;
}

// The rarest id finds tables, the others are asked for.
static bool add_plan(ecs__join_t *join, ecs__solver_t *solver, bool finds) {
    const ecs__plan_t *plan = solver->plan;
    const int32_t rarest = ecs__plan_rarest(plan, false);
    if (finds && (rarest < 0 || !add_plain(join, solver, rarest, true))) return false;
    join->bloom = plan->bloom | plan->bloom_or_isa;
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        bool is_done = finds && i == rarest;
        if (!is_done && !add_plain(join, solver, i, false)) return false;
    }
    return true;
}

// Nothing that a table does not tell by itself.
static bool is_own_now(const ecs__store_t *store, const ecs_term_t *term) {
    if (term->min_depth) return false;
    if (!(term->src.id & EcsUp)) return true;
    const ecs_component_record_t *above =
        ecs__id_record_get(store, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard));
    return term->src.id & EcsSelf && (!above || !above->table_live);
}

static ecs__join_op_t *add_goal_op(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal, ecs__join_kind_t kind) {
    bool is_var = goal->second.kind == ECS__REF_VAR;
    ecs__join_op_t *op =
        add_op(join, solver, kind, goal->src.kind == ECS__REF_VAR ? goal->src.var : -1);
    if (!op) return NULL;
    op->constant.entity = goal->src.entity;
    op->second = is_var ? &solver->values[goal->second.var] : NULL;
    op->binds_this = is_var && goal->second.var == ECS__VAR_THIS;
    if (is_var) op->uses |= ECS__VAR_BIT(goal->second.var);
    if (is_var && kind == ECS__JOIN_TARGETS) op->binds = ECS__VAR_BIT(goal->second.var);
    op->field = goal->term->field_index;
    op->id = goal->id;
    op->has_values = is_var || !is_tag(solver->store, goal->id);
    return op;
}

// A source that is found by an open pair: its tables first, then its targets.
static bool add_find(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__step_t *step) {
    const bool is_this = goal->src.var == ECS__VAR_THIS;
    if (!is_this && step->is_open) return false;
    ecs__join_op_t *op =
        add_goal_op(join, solver, goal, is_this ? ECS__JOIN_TABLES : ECS__JOIN_ROWS);
    if (!op || !step->is_open) return op != NULL;
    op->second = NULL;
    op->uses = op->binds;
    op->has_values = false; // the next operation shows them
    return add_goal_op(join, solver, goal, ECS__JOIN_TARGETS) != NULL;
}

static bool add_step(ecs__join_t *join, ecs__solver_t *solver, const ecs__step_t *step) {
    if (step->kind == ECS__STEP_SCAN || step->kind == ECS__STEP_CHECK)
        return add_plan(join, solver, step->kind == ECS__STEP_SCAN);
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (!is_own_now(solver->store, goal->term)) return false;
    if (step->kind == ECS__STEP_FIND) return add_find(join, solver, goal, step);
    return add_goal_op(join, solver, goal, step->is_open ? ECS__JOIN_TARGETS : ECS__JOIN_HAS);
}

static void finish(ecs__join_t *join) {
    join->last = NULL;
    for (int32_t i = 0; i < join->count; i++) {
        ecs__join_op_t *op = &join->ops[i];
        op->back = join->last;
        if (op->kind != ECS__JOIN_HAS) join->last = op;
    }
}

static bool compile(ecs__solver_t *solver) {
    if (!solver->join) solver->join = ecs_os_malloc_t(ecs__join_t);
    ecs__join_t *join = solver->join;
    join->count = 0;
    join->bloom = 0;
    bool is_possible = solver->is_direct && !solver->with_empty && !solver->plan->row_fields;
    for (int32_t i = solver->begin; i < solver->end && is_possible; i++)
        is_possible = add_step(join, solver, &solver->steps[i]);
    if (!is_possible) join->count = 0;
    finish(join);
    return is_possible;
}

// What stays as it is.
static void fill_fields(ecs_iter_t *it, ecs__join_t *join) {
    it->set_fields = it->ref_fields = it->up_fields = 0;
    join->has_shown = false;
    for (int32_t i = 0; i < join->count; i++) {
        ecs__join_op_t *op = &join->ops[i];
        const int32_t f = op->field;
        op->has_shown = false;
        it->set_fields |= FIELD_BIT(f);
        if (op->src != ECS__VAR_THIS) it->ref_fields |= FIELD_BIT(f);
        it->ids[f] = op->id;
        it->sources[f] = op->src < 0 ? op->constant.entity : 0;
        it->ptrs[f] = NULL;
        ((ecs_size_t *)(uintptr_t)it->sizes)[f] = it->query->sizes[f];
        ((int16_t *)(uintptr_t)it->columns)[f] = -1;
    }
}

bool ecs__join_begin(ecs_iter_t *it) {
    ecs__solver_t *solver = it->priv_.eval;
    if (solver->is_reordered) {
        solver->is_reordered = false;
        solver->is_joined = compile(solver);
    }
    if (!solver->is_joined) return false;
    fill_fields(it, solver->join);
    it->flags |= EcsIterJoined;
    return true;
}

// ---- fields ----

// The value of a row of another entity, or where the array of the tables' own is.
static void show_values(ecs_iter_t *it, ecs__join_t *join, ecs__join_op_t *op,
    const ecs_table_t *table, int32_t index) {
    const int32_t f = op->field;
    const int16_t column = ecs__table_column_at(table, index);
    ecs_size_t size = it->query->sizes[f];
    if (!size && column >= 0) size = table->columns[column].size;
    op->has_shown = column >= 0;
    join->has_shown |= op->has_shown;
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = size;
    if (op->src == ECS__VAR_THIS) {
        ((int16_t *)(uintptr_t)it->columns)[f] = column;
        it->ptrs[f] = NULL; // until rows are shown
    } else {
        it->ptrs[f] = column < 0 ? NULL : ecs__table_cell(table, column, op->source->row);
    }
}

static inline void show(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op,
    const ecs_table_t *table, int32_t index) {
    if (op->second) it->ids[op->field] = table->type.array[index];
    if (op->src > 0) it->sources[op->field] = op->source->entity;
    if (op->has_values && (op->has_shown || table->column_count))
        show_values(it, solver->join, op, table, index);
}

// ---- operations ----

static inline bool is_same_relationship(ecs_id_t a, ecs_id_t b) { return a >> 32 == b >> 32; }

// 0: the second element has no value.
static inline ecs_id_t id_of(const ecs__join_op_t *op) {
    if (!op->second) return op->id;
    ecs_entity_t second = op->second->entity;
    return second ? (op->id & ~(ecs_id_t)UINT32_MAX) | (uint32_t)second : 0;
}

// Tables came or went, and with them perhaps the record.
static void find_place(const ecs__solver_t *solver, ecs__join_op_t *op) {
    op->stamp = solver->store->table_stamp;
    op->position = 0;
    op->record = ecs__id_record_get(solver->store, op->record_id);
    const ecs_table_record_t *found;
    for (int32_t at = 0; op->record && (found = ecs__id_record_next_table(op->record, &at, true));
         op->position = at) {
        if (found->hdr.table->id > op->number) break;
    }
}

static inline ecs_table_t *next_table(const ecs__solver_t *solver, ecs__join_op_t *op) {
    if (op->stamp != solver->store->table_stamp) find_place(solver, op);
    if (!op->record) return NULL;
    const ecs_flags32_t skip = op->src == ECS__VAR_THIS ? solver->plan->skip : 0;
    const uint64_t bloom = op->src == ECS__VAR_THIS ? solver->join->bloom : 0;
    int32_t at = op->position;
    const uint64_t *words = op->record->non_empty.words;
    for (int32_t count = op->record->table_count, w = at >> 6; at < count; at = ++w << 6) {
        for (uint64_t word = words[w] >> (at & 63); word; word &= word - 1) {
            const int32_t found = at + __builtin_ctzll(word);
            const ecs_table_record_t *there = op->record->tables[found];
            ecs_table_t *table = there->hdr.table;
            if (table->id >= solver->table_limit) return NULL;
            if (!table->count || table->flags & skip || (table->bloom & bloom) != bloom) continue;
            op->position = found + 1;
            op->hint = there->index;
            op->number = table->id;
            return op->table = table;
        }
    }
    return NULL;
}

static inline bool begin_tables(const ecs__solver_t *solver, ecs__join_op_t *op) {
    const ecs_id_t id = id_of(op);
    op->record = id ? ecs__id_record_get(solver->store, id) : NULL;
    op->record_id = id;
    op->position = 0;
    op->number = 0;
    op->table = NULL;
    op->stamp = solver->store->table_stamp;
    return op->record;
}

static inline bool next_tables(
    ecs_iter_t *it, ecs__solver_t *solver, ecs__join_op_t *op, bool redo) {
    ecs_table_t *table = redo || begin_tables(solver, op) ? next_table(solver, op) : NULL;
    if (!table) return false;
    const int32_t count = table->count;
    *op->source = (ecs__value_t){ count == 1 ? table->entities[0] : 0, table, 0, count };
    if (op->has_values || op->second) show(it, solver, op, table, op->hint);
    return true;
}

static inline bool next_rows(ecs_iter_t *it, ecs__solver_t *solver, ecs__join_op_t *op, bool redo) {
    if (!redo && !begin_tables(solver, op)) return false;
    op->row++;
    while (!op->table || op->row >= op->table->count) {
        op->row = 0;
        if (!next_table(solver, op)) return false;
    }
    *op->source = (ecs__value_t){ op->table->entities[op->row], op->table, op->row, 1 };
    show(it, solver, op, op->table, op->hint);
    return true;
}

// Variables have a value by now, constants may be gone: NULL.
static inline const ecs_table_t *table_of(const ecs__solver_t *solver, ecs__join_op_t *op) {
    if (op->src >= 0) return op->source->table;
    const ecs_record_t *record = ecs__entity_try(&solver->store->entities, op->constant.entity);
    if (!record) return NULL;
    op->constant.table = record->table;
    op->constant.row = ECS_RECORD_TO_ROW(record->row);
    return record->table;
}

static inline bool has(ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op) {
    const ecs_table_t *table = table_of(solver, op);
    const ecs_id_t id = id_of(op);
    if (!table || !id) return false;
    int32_t index = op->hint;
    if (index >= table->type.count || table->type.array[index] != id)
        index = ecs__table_search(table, id);
    if (index < 0) return false;
    op->hint = index;
    show(it, solver, op, table, index);
    return true;
}

// First place of a pair with the relationship; in the last table it was one, too.
static inline int32_t first_target(const ecs__join_op_t *op, const ecs_table_t *table) {
    const ecs_type_t *type = &table->type;
    int32_t index = op->hint;
    if (index < type->count && is_same_relationship(type->array[index], op->id) &&
        (!index || !is_same_relationship(type->array[index - 1], op->id)))
        return index;
    if (!(table->bloom & ecs__id_bloom(op->id))) return -1;
    return ecs__type_match(type, 0, op->id);
}

// The target at op->row becomes the value of `second`. False if it is not alive.
static inline bool take_target(
    ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op, const ecs_table_t *table) {
    const uint32_t target = ecs__id_second(table->type.array[op->row]);
    const ecs_record_t *record = ecs__entity_slot(&solver->store->entities, target);
    if (!record || !record->table) return false;
    if (op->binds_this && record->table->flags & solver->plan->skip) return false;
    *op->second = (ecs__value_t){ (uint64_t)record->generation << 32 | target, record->table,
        ECS_RECORD_TO_ROW(record->row), 1 };
    show(it, solver, op, table, op->row);
    return true;
}

static inline bool next_target(
    ecs_iter_t *it, const ecs__solver_t *solver, ecs__join_op_t *op, bool redo) {
    const ecs_table_t *table = redo ? op->source->table : table_of(solver, op);
    if (!table) return false;
    const ecs_type_t *type = &table->type;
    int32_t index = op->row + 1;
    if (!redo) {
        index = first_target(op, table);
        if (index < 0) return false;
        op->hint = index;
    }
    for (; index < type->count && is_same_relationship(type->array[index], op->id); index++) {
        op->row = index;
        if (take_target(it, solver, op, table)) return true;
    }
    return false;
}

// ---- results ----

// As step_back in graph/solve.c.
static inline ecs__join_op_t *op_back(const ecs__join_op_t *op) {
    ecs__join_op_t *back = op->back;
    if (op->is_solved) return back;
    while (back && !(back->binds & op->conflict)) back = back->back;
    if (back) back->conflict |= op->conflict & ~back->binds;
    return back;
}

static inline bool find(ecs_iter_t *it, ecs__solver_t *solver, bool redo) {
    ecs__join_t *join = solver->join;
    ecs__join_op_t *op = redo ? join->last : join->ops, *end = join->ops + join->count;
    while (op && op < end) {
        bool held = false;
        if (!redo) {
            op->conflict = op->uses;
            op->is_solved = false;
        }
        switch ((ecs__join_kind_t)op->kind) {
        case ECS__JOIN_TABLES: held = next_tables(it, solver, op, redo); break;
        case ECS__JOIN_ROWS: held = next_rows(it, solver, op, redo); break;
        case ECS__JOIN_TARGETS: held = next_target(it, solver, op, redo); break;
        case ECS__JOIN_HAS: held = has(it, solver, op); break;
        }
        redo = !held;
        op = held ? op + 1 : op_back(op);
    }
    if (!op) return false;
    for (op = join->last; op; op = op->back) op->is_solved = true;
    return true;
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
