// SPDX-License-Identifier: MIT
// join_ops: what operations of a join do; one function each for what is known when a join is made.
#include "base/bisect.h"
#include "query/graph/chain.h"
#include "query/graph/place.h"
#include "query/graph/steps.h"
#include "query/iter/join.h"
#include "query/iter/result.h"
#include "storage/search.h"

// ---- going on ----

static inline bool pass(ecs__join_t *join, ecs__join_op_t *op) { return op[1].begin(join, op + 1); }

static inline bool fail(ecs__join_t *join, ecs__join_op_t *op) {
    join->failed = op;
    return false;
}

// ---- fields ----

static inline void put(ecs_termset_t *fields, int32_t field, bool is_in) {
    *fields = is_in ? *fields | FIELD_BIT(field) : *fields & (ecs_termset_t)~FIELD_BIT(field);
}

// The value in a row, of which an array begins there if it is of the tables' own.
static inline void show_values(ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table,
    int32_t index, int32_t row, bool is_array) {
    ecs_iter_t *it = join->it;
    const int32_t f = op->field;
    const int16_t column = ecs__table_column_at(table, index);
    op->has_shown = column >= 0;
    if (!op->size)
        ((ecs_size_t *)(uintptr_t)it->sizes)[f] = column < 0 ? 0 : table->columns[column].size;
    ((int16_t *)(uintptr_t)it->columns)[f] = is_array ? column : -1;
    it->ptrs[f] = column < 0 ? NULL : ecs__table_cell(table, column, row);
    join->has_shown |= op->has_shown;
}

static ECS__APART bool pass_with_values(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t index) {
    show_values(join, op, table, index, op->source->row, op->src == ECS__VAR_THIS);
    return pass(join, op);
}

// The id is at this place in the source's table.
static inline bool pass_shown(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t index) {
    *op->id_at = table->type.array[index];
    *op->source_at = op->source->entity;
    if (op->shows_values && (table->column_count | op->has_shown))
        return pass_with_values(join, op, table, index);
    return pass(join, op);
}

// The same for what may be set in one result and not in another, own or inherited.

static inline void set_field(
    ecs__join_t *join, ecs__join_op_t *op, ecs_id_t id, ecs_entity_t above) {
    ecs_iter_t *it = join->it;
    const int32_t f = op->field;
    const ecs_entity_t self = op->src == ECS__VAR_THIS ? 0 : op->source->entity;
    op->is_own = !above;
    put(&it->set_fields, f, true);
    put(&it->up_fields, f, above);
    put(&it->ref_fields, f, above || self);
    it->ids[f] = id;
    it->sources[f] = above ? above : self;
}

static inline bool pass_own(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t index) {
    if (!op->is_own) set_field(join, op, table->type.array[index], 0);
    return pass_shown(join, op, table, index);
}

static bool pass_above(ecs__join_t *join, ecs__join_op_t *op, const ecs__found_t *found) {
    set_field(join, op, found->table->type.array[found->index], found->source);
    if (op->shows_values) {
        const ecs__spot_t spot = ecs__entity_spot(&join->store->entities, found->source);
        show_values(join, op, found->table, found->index, spot.row, false);
    }
    return pass(join, op);
}

static bool pass_without(ecs__join_t *join, ecs__join_op_t *op) {
    op->is_own = op->has_shown = false;
    ecs__join_empty_field(join->it, join->plan, op->field);
    return pass(join, op);
}

// ---- ids ----

// 0: the second element has no value.
static inline ecs_id_t id_of(const ecs__join_op_t *op) {
    if (!op->second) return op->id;
    ecs_entity_t second = op->second->entity;
    return second ? (op->id & ~(ecs_id_t)UINT32_MAX) | (uint32_t)second : 0;
}

static inline int32_t own_place(ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id) {
    const int32_t index = ecs__place_of(table, id, op->hint);
    if (index >= 0) op->hint = index;
    return index;
}

static ECS__APART bool search_own(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id) {
    const int32_t index = ecs__table_search(table, id);
    if (index < 0) return fail(join, op);
    op->hint = index;
    return pass_shown(join, op, table, index);
}

// Neighbouring tables mostly have an id at the same place.
static inline bool ask_own(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id) {
    const int32_t hint = op->hint;
    bool is_there = hint < table->type.count && table->type.array[hint] == id;
    return is_there ? pass_shown(join, op, table, hint) : search_own(join, op, table, id);
}

// ---- above ----

static bool search_up(
    const ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id, ecs__found_t *found) {
    return ecs__search_up(table, id, op->trav, false, true, op->min_depth, op->max_depth, found);
}

// Where a table inherits an id, or NULL. Tables with one and the same target, and that only, find the same above.
static const ecs__found_t *look_above(
    const ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, ecs_id_t id) {
    if (!op->trav) return NULL;
    ecs__join_above_t *above = &op->above;
    const ecs_type_t *type = &table->type;
    const int32_t at = ecs__first_pair(table, ECS__MAKE_PAIR(op->trav, Ecs__Wildcard), above->hint);
    if (at < 0) return NULL;
    above->hint = at;
    const ecs_id_t pair = type->array[at];
    const bool is_only = at + 1 == type->count || ecs__pair_relationship(type->array[at + 1]) !=
                                                      ecs__pair_relationship(pair);
    const uint64_t now = join->store->structure_stamp;
    if (!is_only || above->pair != pair || above->id != id || above->structure != now) {
        above->pair = is_only ? pair : 0;
        above->id = id;
        above->structure = now;
        above->is_found = search_up(op, table, id, &above->found);
    }
    return above->is_found ? &above->found : NULL;
}

// ---- lists of tables ----

static inline bool is_skipped(const ecs__join_op_t *op, const ecs_table_t *table) {
    if (!table->count || table->flags & op->skip) return true;
    const uint64_t lacked = op->bloom & ~table->bloom;
    return lacked && (lacked & op->own_bloom || !(table->flags & EcsTableHasIsA));
}

// Of the 64 tables from `base` on, those that may have rows.
static inline uint64_t word_of(const ecs__join_list_t *list) {
    const int32_t count = list->end - list->base;
    const uint64_t word = list->non_empty[list->base >> 6];
    return count < 64 ? word & ((1ull << count) - 1) : word;
}

static inline ecs_table_t *take(const ecs__join_op_t *op, ecs__join_list_t *list) {
    for (uint64_t word = list->word;; word &= word - 1) {
        while (RARELY(!word)) {
            if (list->end - list->base <= 64) return NULL;
            list->base += 64;
            word = word_of(list);
        }
        ecs_table_t *table = list->all[list->tables[list->base + __builtin_ctzll(word)]];
        if (is_skipped(op, table)) continue;
        list->word = word & (word - 1);
        return table;
    }
}

static void find_list(const ecs__join_t *join, const ecs__join_op_t *op, ecs__join_list_t *list,
    const ecs_component_record_t *record, bool is_again) {
    const bool is_grown = join->store->next_table_id != join->table_limit;
    *list = (ecs__join_list_t){ 0 };
    if (!record) return;
    list->all = join->store->tables;
    list->tables = record->tables;
    list->non_empty = record->non_empty.words;
    list->end = is_grown ? ecs__id_record_seek(record, join->table_limit) : record->table_count;
    const int32_t first = is_again ? ecs__id_record_seek(record, op->number + 1) : 0;
    if (first >= list->end) return;
    list->base = first & ~63;
    list->word = word_of(list) & ~0ull << (first & 63);
    list->next = take(op, list);
}

// Begin lists, behind the table with the last number if there was one.
static void find_lists(const ecs__join_t *join, ecs__join_op_t *op, bool is_again) {
    const ecs__store_t *store = join->store;
    const ecs_component_record_t *own = ecs__id_record_get(store, op->wanted);
    const ecs_id_t heirs = op->trav && ecs__id_is_above_along(own, op->trav)
                               ? ECS__MAKE_PAIR(op->trav, Ecs__Wildcard)
                               : 0;
    find_list(join, op, &op->own, op->self ? own : NULL, is_again);
    find_list(join, op, &op->heirs, heirs ? ecs__id_record_get(store, heirs) : NULL, is_again);
}

static ECS__APART bool begin_lists(ecs__join_t *join, ecs__join_op_t *op) {
    op->table = NULL;
    op->row = -1;
    op->wanted = id_of(op);
    if (op->wanted) find_lists(join, op, false);
    return op->wanted ? op->again(join, op) : fail(join, op);
}

void ecs__join_follow_lists(ecs__join_t *join) {
    for (int32_t i = 0; i < join->count; i++) {
        ecs__join_op_t *op = &join->ops[i];
        bool has_lists = op->kind == ECS__JOIN_TABLES || op->kind == ECS__JOIN_ROWS;
        if (!has_lists) continue;
        find_lists(join, op, true);
        if (!ecs__store_table(join->store, op->number)) op->table = NULL; // it is gone
    }
}

static inline void take_rows(ecs__join_op_t *op, ecs_table_t *table) {
    const int32_t count = table->count;
    *op->source = (ecs__value_t){ count == 1 ? table->entities[0] : 0, table, 0, count };
}

// ---- sources that are looked for: those that have the id in their types ----

// The one after it is looked for now: what is found out about this one need not wait for where it is. As long as no rows come or go, it
// stays the next one.
static inline ecs_table_t *take_next(ecs__join_op_t *op) {
    ecs_table_t *table = op->own.next;
    if (!table) return NULL;
    op->own.next = take(op, &op->own);
    op->number = table->id;
    return table;
}

static bool next_owners(ecs__join_t *join, ecs__join_op_t *op) {
    ecs_table_t *table = take_next(op);
    if (!table) return fail(join, op);
    take_rows(op, table);
    return op->is_silent ? pass(join, op) : ask_own(join, op, table, op->wanted);
}

static bool next_owner(ecs__join_t *join, ecs__join_op_t *op) {
    while (!op->table || ++op->row >= op->table->count) {
        op->table = take_next(op);
        op->row = -1;
        if (!op->table) return fail(join, op);
    }
    ecs_table_t *table = op->table;
    *op->source = (ecs__value_t){ table->entities[op->row], table, op->row, 1 };
    return op->is_silent ? pass(join, op) : ask_own(join, op, table, op->wanted);
}

// ---- the same for those that have or inherit it ----

// Where the id is: own, or op->found.
static inline bool find_place(
    const ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table) {
    op->found = NULL;
    if (op->self && own_place(op, table, op->wanted) >= 0) return true;
    op->found = look_above(join, op, table, op->wanted);
    return op->found;
}

// Both lists are in order of numbers.
static ecs_table_t *next_of_both(const ecs__join_t *join, ecs__join_op_t *op) {
    ecs_table_t *table;
    do {
        ecs_table_t *own = op->own.next, *heir = op->heirs.next;
        table = own && (!heir || own->id <= heir->id) ? own : heir;
        if (!table) return NULL;
        if (table == own) op->own.next = take(op, &op->own);
        if (table == heir) op->heirs.next = take(op, &op->heirs);
        op->number = table->id;
    } while (!table->count || !find_place(join, op, table));
    return table;
}

static inline bool pass_found(ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table) {
    return op->found ? pass_above(join, op, op->found) : pass_own(join, op, table, op->hint);
}

static bool next_heirs(ecs__join_t *join, ecs__join_op_t *op) {
    ecs_table_t *table = next_of_both(join, op);
    if (!table) return fail(join, op);
    take_rows(op, table);
    return pass_found(join, op, table);
}

static bool next_heir(ecs__join_t *join, ecs__join_op_t *op) {
    while (!op->table || ++op->row >= op->table->count || !find_place(join, op, op->table)) {
        op->table = next_of_both(join, op);
        op->row = -1;
        if (!op->table) return fail(join, op);
    }
    ecs_table_t *table = op->table;
    *op->source = (ecs__value_t){ table->entities[op->row], table, op->row, 1 };
    return pass_found(join, op, table);
}

// ---- sources of which the tables are known ----

// The operation before found the place of the id.
static bool next_each(ecs__join_t *join, ecs__join_op_t *op) {
    ecs_table_t *table = op->source->table;
    const int32_t row = ++op->row;
    if (row >= table->count) return fail(join, op);
    *op->source = (ecs__value_t){ table->entities[row], table, row, 1 };
    return pass_shown(join, op, table, op[-1].row);
}

static bool begin_each(ecs__join_t *join, ecs__join_op_t *op) {
    op->row = -1;
    return next_each(join, op);
}

// ---- sources that are known ----

// Constants may be gone: NULL.
static const ecs_table_t *find_constant(const ecs__join_t *join, ecs__join_op_t *op) {
    const ecs__spot_t spot = ecs__entity_find(&join->store->entities, op->constant.entity);
    op->constant.table = spot.table;
    op->constant.row = spot.row;
    return op->constant.table;
}

// Variables have a value by now.
static inline const ecs_table_t *table_of(const ecs__join_t *join, ecs__join_op_t *op) {
    return op->src < 0 ? find_constant(join, op) : op->source->table;
}

static bool has_own(ecs__join_t *join, ecs__join_op_t *op) {
    return ask_own(join, op, op->source->table, op->id);
}

static bool has_own_pair(ecs__join_t *join, ecs__join_op_t *op) {
    const ecs_id_t id = id_of(op);
    return id ? ask_own(join, op, op->source->table, id) : fail(join, op);
}

static bool constant_has_own(ecs__join_t *join, ecs__join_op_t *op) {
    return find_constant(join, op) ? has_own_pair(join, op) : fail(join, op);
}

static bool has(ecs__join_t *join, ecs__join_op_t *op) {
    const ecs_table_t *table = table_of(join, op);
    op->wanted = id_of(op);
    if (table && op->wanted && find_place(join, op, table)) return pass_found(join, op, table);
    return op->oper == EcsOptional ? pass_without(join, op) : fail(join, op);
}

static bool has_not(ecs__join_t *join, ecs__join_op_t *op) {
    const ecs_table_t *table = table_of(join, op);
    op->wanted = id_of(op);
    bool is_there = table && op->wanted && find_place(join, op, table);
    return is_there ? fail(join, op) : pass(join, op);
}

static bool is_equal(ecs__join_t *join, ecs__join_op_t *op) {
    bool holds = (op->source->entity == op->second->entity) == (op->oper != EcsNot);
    return holds ? pass(join, op) : fail(join, op);
}

// ---- targets ----

static bool take_target(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t row);

static ECS__APART bool pass_over(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t row) {
    return op->is_over ? fail(join, op) : take_target(join, op, table, row + 1);
}

static ECS__APART bool take_far_target(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t row) {
    const uint32_t target = ecs__id_second(table->type.array[row]);
    const ecs__entity_index_t *index = &join->store->entities;
    const ecs__spot_t spot = ecs__entity_living(index, target);
    if (!spot.table || spot.table->flags & op->skip) return pass_over(join, op, table, row);
    op->row = row;
    *op->second = (ecs__value_t){ ecs__entity_alive_id(index, target), spot.table, spot.row, 1 };
    return pass_shown(join, op, table, row);
}

// The first target from a place on that is alive becomes the value of `second`. Apart: there are too few registers for all at once.
static ECS__APART bool take_target(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table, int32_t row) {
    const ecs_id_t *id = &table->type.array[row];
    op->is_over = row + 1 == table->type.count ||
                  ecs__pair_relationship(id[1]) != ecs__pair_relationship(op->id);
    const uint32_t target = ecs__id_second(*id);
    const ecs__entity_index_t *index = &join->store->entities;
    if (RARELY(target >= index->made || !ecs__record_is_near(ecs__record_of(index, target))))
        return take_far_target(join, op, table, row);
    const ecs__record_t *record = ecs__record_of(index, target);
    ecs_table_t *of_target = ecs__record_near(index, record);
    if (RARELY(of_target->flags & op->skip)) return pass_over(join, op, table, row);
    op->row = row;
    const uint64_t generation = ecs__record_generation(record);
    *op->second = (ecs__value_t){ generation << 32 | target, of_target,
        (int32_t)ecs__record_near_row(record), 1 };
    return pass_shown(join, op, table, row);
}

static bool next_target(ecs__join_t *join, ecs__join_op_t *op) {
    return take_target(join, op, op->source->table, op->row + 1);
}

static ECS__APART bool search_targets(
    ecs__join_t *join, ecs__join_op_t *op, const ecs_table_t *table) {
    const int32_t index = ecs__first_pair(table, op->id, op->hint);
    if (index < 0) return fail(join, op);
    op->hint = index;
    return take_target(join, op, table, index);
}

static bool begin_targets(ecs__join_t *join, ecs__join_op_t *op) {
    const ecs_table_t *table = op->source->table;
    const int32_t hint = op->hint;
    return ecs__is_first_pair(table, op->id, hint) ? take_target(join, op, table, hint)
                                                   : search_targets(join, op, table);
}

static bool begin_targets_of_constant(ecs__join_t *join, ecs__join_op_t *op) {
    return find_constant(join, op) ? begin_targets(join, op) : fail(join, op);
}

// ---- steps of the search ----

// Arrays begin at the present row of $this.
static inline void follow_row(ecs_iter_t *it, const ecs__value_t *self, ecs_termset_t arrays) {
    for (; arrays; arrays &= arrays - 1) {
        const int32_t f = FIRST_FIELD(arrays);
        const int16_t column = it->columns[f];
        if (column >= 0) it->ptrs[f] = ecs__table_cell(self->table, column, self->row);
    }
}

// What it found, as results without join show it.
static bool pass_step(ecs__join_t *join, ecs__join_op_t *op, const ecs__solver_t *solver) {
    ecs_iter_t *it = join->it;
    ecs__iter_keep_fields(it, (ecs_termset_t)~op->fields);
    if (op->fields) ecs__iter_fill_from_eval(it, &solver->result, op->fields);
    follow_row(it, join->self, op->fields | op->before);
    for (ecs_termset_t left = op->fields; left; left &= left - 1)
        join->has_shown |= it->ptrs[FIRST_FIELD(left)] != NULL;
    return pass(join, op);
}

// Tables without rows are no results.
static bool try_step(ecs__join_t *join, ecs__join_op_t *op, ecs__solver_t *solver, bool held) {
    const ecs__value_t *self = join->self;
    while (held && self->table && !self->count) held = ecs__step_run(solver, op->step, true);
    return held ? pass_step(join, op, solver) : fail(join, op);
}

static bool begin_step(ecs__join_t *join, ecs__join_op_t *op) {
    ecs__solver_t *solver = join->it->priv_.eval;
    uint64_t *conflict = &solver->states[op->step].conflict;
    *conflict = op->uses;
    op->number = join->solutions;
    const bool held = ecs__step_run(solver, op->step, false);
    op->conflict = *conflict; // a scope knows more
    return try_step(join, op, solver, held);
}

static bool next_step(ecs__join_t *join, ecs__join_op_t *op) {
    ecs__solver_t *solver = join->it->priv_.eval;
    solver->is_futile = join->jumps && op->number == join->solutions;
    op->number = join->solutions;
    return try_step(join, op, solver, ecs__step_run(solver, op->step, true));
}

// ---- what rows have beside their table ----

static ECS__APART void show_stars(ecs_iter_t *it, const ecs__sift_t *sift) {
    for (int32_t t = 0; t < sift->count; t++) {
        const ecs__sift_test_t *test = &sift->tests[t];
        if (!test->has_star) continue;
        if (ecs__sift_found(sift, test))
            ecs__iter_set_beside(it, test->field, ecs__sift_edge(sift, test));
        else
            ecs__iter_set_field(it, test->field, test->id, 0, NULL, -1);
    }
}

static inline void show_row(ecs_iter_t *it, const ecs__solver_t *solver, const ecs__join_op_t *op) {
    const ecs__sift_t *sift = &solver->sift;
    it->set_fields = (it->set_fields & (ecs_termset_t)~sift->optional) | sift->found;
    follow_row(it, &solver->values[ECS__VAR_THIS], op->before);
}

static ECS__APART bool take_stars(ecs_iter_t *it, ecs__solver_t *solver, int32_t row) {
    const bool is_taken = ecs__sift_take(solver);
    if (is_taken)
        show_stars(it, &solver->sift);
    else
        solver->sift.row = row; // once more, in the steps inside
    return is_taken;
}

static ECS__APART bool take_turn(ecs_iter_t *it, ecs__solver_t *solver) {
    if (!ecs__sift_turn(solver)) return false;
    show_stars(it, &solver->sift);
    return true;
}

static ECS__APART bool take_listed(ecs_iter_t *it, ecs__solver_t *solver) {
    if (!ecs__sift_next_listed(solver)) return false;
    if (solver->sift.has_star) show_stars(it, &solver->sift);
    return true;
}

// The next row, or the present one with another edge, if sets decide of it.
static inline bool take_row(ecs_iter_t *it, ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    if (RARELY(sift->may_turn) && take_turn(it, solver)) return true;
    if (RARELY(sift->is_listed)) return take_listed(it, solver);
    const int32_t row = ecs__sift_next(sift);
    if (RARELY(row < 0) || (RARELY(sift->has_star) && !take_stars(it, solver, row))) return false;
    ecs_table_t *table = sift->all.table;
    solver->values[ECS__VAR_THIS] = (ecs__value_t){ table->entities[row], table, row, 1 };
    return true;
}

static inline bool goes_by_row(const ecs__sift_t *sift, const ecs__store_t *store) {
    return LIKELY(sift->above == store->above_stamp) && LIKELY(!sift->is_inside);
}

// Where sets do not decide of it a step finds it, and all of it is shown.
static bool next_row(ecs__join_t *join, ecs__join_op_t *op) {
    ecs_iter_t *it = join->it;
    ecs__solver_t *solver = it->priv_.eval;
    const ecs__sift_t *sift = &solver->sift;
    const bool is_same = LIKELY(sift->structure == join->store->structure_stamp);
    if (!is_same || !goes_by_row(sift, join->store) || !take_row(it, solver))
        return next_step(join, op);
    show_row(it, solver, op);
    return pass(join, op);
}

HOT bool ecs__join_next_row(ecs_iter_t *it) {
    ecs__solver_t *solver = it->priv_.eval;
    const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    if (!goes_by_row(&solver->sift, solver->store) || !take_row(it, solver))
        return ecs__join_next(it);
    ecs__iter_unlock(it);
    show_row(it, solver, solver->join->last);
    it->table = self->table;
    it->frame_offset++; // the last one was a row, too
    it->offset = self->row;
    it->entities = self->table->entities + self->row;
    ecs__iter_lock(it);
    return true;
}

// ---- the nearest who has an id ----

#define FAR 64 /* steps up: beyond, a search is faster */

static ECS__APART void follow_sets(const ecs__join_t *join, ecs__join_op_t *op) {
    static const ecs__sparse_set_t nobody;
    const ecs_component_record_t *record = ecs__id_record_get(join->store, op->id);
    op->home = record && record->sparse ? record->sparse->home->sparse : &nobody;
    op->edges = ecs__id_record_get(join->store, ECS__MAKE_PAIR(Ecs__ChildOf, Ecs__Wildcard));
    op->structure = join->store->structure_stamp;
}

static bool has_edge(const ecs__sparse_set_t *home, ecs_entity_t entity, ecs_id_t id) {
    const ecs__sparse_slot_t *slot = ecs__sparse_slot(home, entity);
    if (!slot || !ECS_IS_PAIR(id)) return slot;
    const ecs__sparse_edges_t edges = ecs__sparse_slot_edges(slot);
    ecs__bisect_t search = ecs__bisect(0, edges.count);
    while (ecs__bisect_asks(&search)) ecs__bisect_answer(&search, edges.items[search.at].id < id);
    return search.low < edges.count && edges.items[search.low].id == id;
}

static void show_beside(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source) {
    put(&it->ref_fields, f, false);
    put(&it->up_fields, f, false);
    put(&it->set_fields, f, true);
    ecs__iter_set_field(it, f, id, source, NULL, -1);
}

static inline ecs_entity_t parent_of(
    const ecs__join_t *join, const ecs__join_op_t *op, ecs_entity_t entity) {
    return ecs__target_along(join->store, op->edges, Ecs__ChildOf, entity, 0);
}

// It is the value of what is open from now on; `*` takes none.
static bool take_second(const ecs__join_t *join, ecs__join_op_t *op, ecs_id_t id) {
    return op->second ? ecs__take_target(join->store, id, op->skip, op->second)
                      : !ECS_IS_VALUE_PAIR(id);
}

// The only one that an entity has beside its table, or its parent.
static ecs_id_t only_id(
    const ecs__join_t *join, const ecs__join_op_t *op, ecs_entity_t entity, bool *has_many) {
    if (op->is_parent) {
        const ecs_entity_t parent = parent_of(join, op, entity);
        return parent ? ECS__MAKE_PAIR(Ecs__ChildOf, (uint32_t)parent) : 0;
    }
    const ecs__sparse_slot_t *slot = ecs__sparse_slot(op->home, entity);
    *has_many = slot && slot->count > 1;
    return slot && !*has_many ? slot->edges.one.id : 0;
}

static bool may_inherit(const ecs__join_op_t *op, const ecs_table_t *table) {
    return table->flags & EcsTableHasIsA && (!op->is_beside || ecs__bases_hold_beside(table));
}

// 0: it has none. `*is_unsure`: or there may be several, or one that is inherited.
static ecs_id_t id_at(ecs__join_t *join, ecs__join_op_t *op, ecs_entity_t entity,
    ecs__found_t *found, bool *is_unsure) {
    const ecs_table_t *table = found->table = ecs__entity_table(&join->store->entities, entity);
    const ecs_id_t wanted = op->is_open ? 0 : id_of(op);
    ecs_id_t id = 0;
    if (!table) return 0; // it died
    if (!op->is_beside) {
        found->index = wanted ? own_place(op, table, wanted) : -1;
        id = found->index < 0 ? 0 : wanted;
    } else if (op->is_open) {
        id = only_id(join, op, entity, is_unsure);
        *is_unsure |= id && !take_second(join, op, id);
    } else if (wanted) {
        const bool has = op->is_parent ? only_id(join, op, entity, is_unsure) == wanted
                                       : has_edge(op->home, entity, wanted);
        id = has ? wanted : 0;
    }
    if ((!id || op->is_open) && !op->is_parent) *is_unsure |= may_inherit(op, table);
    return *is_unsure ? 0 : id;
}

// What is open may stand for what others above have, too.
static bool has_others_above(const ecs__join_t *join, const ecs__join_op_t *op,
    const ecs__found_t *found, ecs_entity_t entity) {
    if (!op->is_open || !op->second) return false;
    for (int32_t depth = found->depth; depth < op->max_depth; depth++) {
        if (!(entity = parent_of(join, op, entity))) return false;
        const ecs_table_t *table = ecs__entity_table(&join->store->entities, entity);
        if (depth == FAR || ecs__sparse_slot(op->home, entity) || may_inherit(op, table))
            return true;
    }
    return false;
}

// From the source on, or from who is above it.
static ecs_id_t find_nearest(
    ecs__join_t *join, ecs__join_op_t *op, ecs__found_t *found, bool *is_unsure) {
    ecs_entity_t entity = op->source->entity;
    *found = (ecs__found_t){ .source = op->src == ECS__VAR_THIS ? 0 : entity };
    for (;; found->depth++) {
        if (found->depth) found->source = entity = parent_of(join, op, entity);
        if (!entity) return 0;
        const bool counts = found->depth >= op->min_depth;
        const ecs_id_t id = counts ? id_at(join, op, entity, found, is_unsure) : 0;
        *is_unsure |= found->depth == FAR || (id && has_others_above(join, op, found, entity));
        if (id || *is_unsure || found->depth == op->max_depth) return id;
    }
}

static void show_nearest(
    ecs__join_t *join, ecs__join_op_t *op, const ecs__found_t *found, ecs_id_t id) {
    if (op->is_beside) {
        show_beside(join->it, op->field, id, found->source);
        put(&join->it->up_fields, op->field, found->depth);
        return;
    }
    const ecs__spot_t spot = ecs__entity_spot(&join->store->entities, found->source);
    set_field(join, op, id, found->source);
    show_values(join, op, found->table, found->index, spot.row, false);
}

static ECS__APART bool search_nearest(ecs__join_t *join, ecs__join_op_t *op) {
    if (op->is_open && op->second) *op->second = (ecs__value_t){ 0 };
    op->is_over = false;
    return begin_step(join, op);
}

static bool begin_nearest(ecs__join_t *join, ecs__join_op_t *op) {
    if (RARELY(op->structure != join->store->structure_stamp)) follow_sets(join, op);
    ecs__found_t found;
    bool is_unsure = false;
    const ecs_id_t id = find_nearest(join, op, &found, &is_unsure);
    if (is_unsure || (!id && op->oper == EcsOptional)) return search_nearest(join, op);
    op->is_over = true;
    if (!id == (op->oper != EcsNot)) return fail(join, op);
    if (id) show_nearest(join, op, &found, id);
    return pass(join, op);
}

// ---- places ----

static ECS__APART bool reaches_far(const ecs__join_t *join, const ecs__join_op_t *op) {
    const ecs__value_t *source = op->source;
    return ecs__expand_finds(join->it->priv_.eval, source->table, source->entity,
        ECS__ONE_ID(ecs__id_first(op->id)), false, op->second->entity);
}

// Who may inherit the first of the pairs takes a longer search.
static bool reaches(ecs__join_t *join, ecs__join_op_t *op) {
    const ecs_table_t *table = op->source->table;
    if (RARELY(table->flags & EcsTableHasIsA)) return begin_step(join, op);
    const uint32_t place = (uint32_t)op->second->entity;
    const ecs__chain_t chain =
        ecs__follow_chain(join->store, table, op->id, false, place, &op->hint);
    const bool found =
        chain == ECS__CHAIN_FORKS ? reaches_far(join, op) : chain == ECS__CHAIN_FINDS;
    if (found == (op->oper == EcsNot)) return fail(join, op);
    if (found) set_field(join, op, ECS__MAKE_PAIR(ecs__id_first(op->id), place), 0);
    return pass(join, op);
}

// ---- results ----

static ECS__APART bool show_run(ecs__join_t *join) {
    const ecs__value_t *self = join->self;
    if (join->is_stale) ecs__iter_follow_values(join->it);
    join->is_stale = false;
    return ecs__iter_show_run(join->it, self->row, self->row + self->count);
}

static bool show_result(ecs__join_t *join, ecs__join_op_t *op) {
    (void)op;
    ecs_iter_t *it = join->it;
    const ecs__value_t *self = join->self;
    ecs_table_t *table = it->table = self->table;
    int32_t row = self->row;
    const int32_t count = self->count;
    /* keeps compilers from reading both in one, which would wait until they are in memory */
    __asm__("" : "+r"(row));
    if (RARELY(join->is_stale) || !table || (count > 1 && join->has_shown)) return show_run(join);
    it->frame_offset += it->count;
    it->count = count;
    it->offset = row;
    it->entities = table->entities + row;
    ecs__iter_lock(it);
    return true;
}

// ---- choosing ----

// In case it fails, see jump_back in join.c.
static bool begin_noted(ecs__join_t *join, ecs__join_op_t *op) {
    if (op->kind == ECS__JOIN_RESULT) join->solutions++;
    op->conflict = op->uses;
    op->solutions = join->solutions;
    return op->noted(join, op);
}

void ecs__join_choose(ecs__join_op_t *op, bool takes_notes) {
    static const ecs__join_run_t runs[][2][2] = {
        [ECS__JOIN_TABLES] = { { begin_lists, next_heirs }, { begin_lists, next_owners } },
        [ECS__JOIN_ROWS] = { { begin_lists, next_heir }, { begin_lists, next_owner } },
        [ECS__JOIN_EACH] = { { NULL }, { begin_each, next_each } },
        [ECS__JOIN_TARGETS] = { { NULL }, { begin_targets, next_target } },
        [ECS__JOIN_STEP] = { { begin_step, next_step } },
        [ECS__JOIN_SIFT] = { { begin_step, next_row } },
        [ECS__JOIN_HAS] = { { has }, { has_own } },
        [ECS__JOIN_NEAREST] = { { begin_nearest, next_step } },
        [ECS__JOIN_REACHES] = { { reaches } },
        [ECS__JOIN_EQUAL] = { { is_equal } },
        [ECS__JOIN_RESULT] = { { show_result } },
    };
    op->noted = runs[op->kind][op->is_plain][0];
    op->again = runs[op->kind][op->is_plain][1];
    if (op->second && op->noted == has_own) op->noted = has_own_pair;
    if (op->src < 0 && (op->noted == has_own || op->noted == has_own_pair))
        op->noted = constant_has_own;
    if (op->src < 0 && op->noted == begin_targets) op->noted = begin_targets_of_constant;
    if (op->oper == EcsNot && op->noted == has) op->noted = has_not;
    op->begin = takes_notes ? begin_noted : op->noted;
}
