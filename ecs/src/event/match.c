// SPDX-License-Identifier: MIT
#include "event/match.h"

#include <muster/ecs/command.h>

#include "query/iter/result.h"
#include "query/parse/term.h"
#include "query/query.h"
#include "world/state.h"

static const ecs__plan_t *plan_of(const ecs__observer_t *observer) {
    return &ecs__query_program(observer->pub.query)->plan;
}

static bool has_goals(const ecs__observer_t *observer) {
    return ecs__query_program(observer->pub.query)->graph != NULL;
}

// ---- iterator ----

static bool next_once(ecs_iter_t *it) { return it->priv_.position++ == 0; }

static void begin(ecs_iter_t *it, const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs_query_t *query = observer->pub.query;
    ecs__iter_begin_bare(it, notice->caller, query->field_count);
    ecs__iter_make_arrays(it);
    it->query = query;
    it->table = notice->table;
    it->other_table = ECS_CONST_CAST(ecs_table_t *, notice->other);
    it->row_fields = query->row_fields;
    it->event = notice->event;
    it->event_id = notice->id;
    it->param = notice->param;
    it->next = next_once;
    it->flags = EcsIterIsValid | EcsIterInstanced;
}

static void set_rows(ecs_iter_t *it, int32_t row, int32_t count) {
    it->offset = row;
    it->count = count;
    it->entities = count ? &it->table->entities[row] : NULL;
}

// A value in a set is that of one row.
static void set_sparse(ecs_iter_t *it, int32_t f, const ecs_table_t *table, int32_t row) {
    const ecs__store_t *store = table->store;
    const ecs_component_record_t *record =
        store->has_sparse ? ecs__id_record_get(store, it->ids[f]) : NULL;
    if (!ecs__id_has_sparse_values(record)) return;
    it->row_fields |= FIELD_BIT(f);
    it->ref_fields |= FIELD_BIT(f);
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = record->type_info->size;
    it->ptrs[f] = ecs__sparse_get(record, table->entities[row]);
}

// Where a value is now; the entity may have moved since a match was made.
static void set_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source, int32_t row) {
    const ecs_table_t *table = it->table;
    it->ids[f] = id;
    it->sources[f] = source;
    it->set_fields |= FIELD_BIT(f);
    if (source) {
        const ecs__spot_t spot = ecs__entity_find(&it->real_world->store.entities, source);
        it->ref_fields |= FIELD_BIT(f);
        table = spot.table;
        row = spot.row;
    }
    int32_t column = table && !ecs__id_is_wildcard(id) ? ecs__table_column(table, id) : -1;
    ((int16_t *)(uintptr_t)it->columns)[f] = (int16_t)(source ? -1 : column);
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = column < 0 ? 0 : table->columns[column].size;
    it->ptrs[f] = column < 0 || !table->count ? NULL : ecs__table_cell(table, column, row);
    if (column < 0 && table && table->count) set_sparse(it, f, table, row);
}

static void unset_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source) {
    it->ids[f] = id;
    it->sources[f] = source;
    it->ptrs[f] = NULL;
    ((int16_t *)(uintptr_t)it->columns)[f] = -1;
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = it->query->sizes ? it->query->sizes[f] : 0;
}

// ---- call ----

static void invoke(const ecs__observer_t *observer, ecs_iter_t *it) {
    const ecs_observer_t *pub = &observer->pub;
    it->system = pub->entity;
    it->ctx = pub->ctx;
    it->callback_ctx = pub->callback_ctx;
    it->run_ctx = pub->run_ctx;
    it->callback = pub->callback;
    if (pub->run)
        pub->run(it);
    else
        pub->callback(it);
}

static void call(const ecs__observer_t *observer, ecs_iter_t *it) {
    ecs_stage_t *stage = ecs__stage_of(it->world);
    ecs__events_t *events = &it->real_world->events;
    int32_t defer = ecs__defer_hold(stage);
    events->calls++;
    invoke(observer, it);
    events->calls--;
    ecs__defer_release(stage, defer);
}

static bool has_value(const ecs_iter_t *it, bool shared) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->ptrs[f] && (it->sources[f] != 0) == shared) return true;
    }
    return false;
}

// Arrays next to single values come row by row, unless the query says otherwise: an index that fits one is wrong for the other.
static void call_rows(const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count) {
    bool by_row = count > 1 && !ecs__query_of(it->query)->instanced && has_value(it, true) &&
                  has_value(it, false);
    int32_t step = by_row ? 1 : count;
    for (int32_t at = row; at < row + count; at += step) {
        it->priv_.position = 0;
        set_rows(it, at, step);
        call(observer, it);
        for (int32_t f = 0; by_row && f < it->field_count; f++) {
            if (it->columns[f] >= 0)
                it->ptrs[f] = ecs__table_cell(it->table, it->columns[f], at + step);
        }
    }
}

// ---- one term ----

bool ecs__match_simple(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    if (notice->table->flags & plan_of(observer)->skip) return false;
    ecs_iter_t it;
    begin(&it, observer, notice);
    set_field(&it, 0, notice->id, notice->source, notice->row);
    if (notice->source) it.up_fields = 1;
    call_rows(observer, &it, notice->row, notice->count);
    ecs__iter_free(&it);
    return true;
}

void ecs__match_begin_one(ecs_iter_t *it, ecs_world_t *world, ecs_entity_t event,
    ecs_table_t *table, const ecs_table_t *other) {
    if (it->field_count != 1) {
        ecs__iter_begin_bare(it, world, 1);
        ecs__iter_make_arrays(it);
        it->next = next_once;
        it->set_fields = 1;
        it->sources[0] = 0;
    }
    it->table = table;
    it->other_table = ECS_CONST_CAST(ecs_table_t *, other);
    it->event = event;
    it->event_id = 0;
    it->param = NULL;
}

// ---- several terms ----

static void fill(ecs_iter_t *it, const ecs__eval_t *eval, int32_t row) {
    for (int32_t f = 0; f < it->field_count; f++) {
        const ecs__field_found_t *found = &eval->fields[f];
        if (found->table)
            set_field(it, f, found->id, found->source, row);
        else
            unset_field(it, f, found->id, found->source);
    }
    it->set_fields = eval->set_fields;
    it->up_fields = eval->up_fields;
}

static void begin_eval(
    const ecs__observer_t *observer, ecs__eval_t *eval, const ecs_table_t *table) {
    const ecs__plan_t *plan = plan_of(observer);
    ecs__eval_init(eval, plan, &observer->pub.world->store, 0, plan->count,
        ECS_CONST_CAST(ecs_table_t *, table), true);
}

// Does a condition look above the table for what must not be on?
static bool excludes_above(const ecs__plan_t *plan) {
    bool found = false;
    for (int32_t i = 0; i < plan->count && !found; i++) {
        const ecs__op_t *op = &plan->ops[i];
        found = op->by_row && op->code == ECS__OP_WITHOUT && op->trav;
    }
    return found;
}

// Of a table that matches, some rows may not: ids are switched off, here or above.
static bool differs_by_row(const ecs__eval_t *eval) {
    if (!eval->plan->by_row) return false;
    return eval->table->toggles || eval->up_fields ||
           (eval->table->flags & EcsTableHasPairs && excludes_above(eval->plan));
}

// True if the first row of a notice matches, as part of another table.
static bool matches_in(
    const ecs__observer_t *observer, const ecs__notice_t *notice, const ecs_table_t *table) {
    ecs__eval_t eval;
    begin_eval(observer, &eval, table);
    bool found = false;
    while (!found && ecs__eval_next(&eval)) {
        if (!differs_by_row(&eval)) return true;
        ecs__rows_t rows;
        ecs__rows_begin_as(&rows, table, notice->table, notice->row, notice->row + 1);
        found = ecs__eval_add_rows(&eval, eval.plan, &rows) && ecs__rows_next(&rows);
    }
    return found;
}

// A wildcard could match several ids; what counts is the one that triggers.
static void show_trigger(ecs_iter_t *it, const ecs__notice_t *notice, int32_t term_index) {
    const ecs_term_t *term = &it->query->terms[term_index];
    it->term_index = term->field_index;
    if (notice->is_inverted) {
        const bool is_parent = notice->id == Ecs__Parent; /* it stands for a pair */
        it->ids[term->field_index] = it->event_id = is_parent ? term->id : notice->id;
    } else if (ecs__id_is_wildcard(term->id)) {
        set_field(it, term->field_index, notice->id, notice->source, notice->row);
    }
}

// Alternatives do not ask. What is in a list may be in others later.
bool ecs__match_minds_switch(const ecs_query_t *query, const ecs_term_t *term) {
    if (query->flags & EcsQueryTableOnly) return false;
    if (ecs__is_from(term->oper)) return term->oper != EcsOrFrom;
    return term->flags_ & EcsTermIsToggle && !(term->flags_ & EcsTermIsOr);
}

// Of a root, to have a parent is what counts; tables tell.
static bool has_otherwise(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity, ecs_id_t id) {
    if (id != ECS__MAKE_PAIR(Ecs__ChildOf, 0)) return ecs__instead_has(store, instead, entity, id);
    const ecs_table_t *table = ecs__instead_table(store, instead, entity);
    return table && !ecs__table_is_root(table);
}

// Does the id that is seen above, or another term of its Or chain, hold before or after the change? If that is one of a constant,
// alternatives about $this are left out: they differ from entity to entity.
static bool holds_otherwise(const ecs__notice_t *notice, const ecs__instead_t *instead,
    const ecs_query_t *query, const ecs_term_t *term) {
    const ecs__store_t *store = notice->table->store;
    const ecs_entity_t subject =
        ecs_term_match_this(term) ? notice->table->entities[notice->row] : 0;
    while (term > query->terms && term[-1].oper == EcsOr) term--;
    for (;; term++) {
        bool up = term->src.id & EcsUp, self = ecs__term_asks_self(term) || !up;
        const ecs_entity_t entity =
            ecs_term_match_this(term) ? subject : ECS_TERM_REF_ID(&term->src);
        if (!entity) up = self = false;
        const ecs_id_t id = ecs__id_any_to_wildcard(term->id);
        ecs_entity_t holder = self && has_otherwise(store, instead, entity, id) ? entity : 0;
        if (!holder && up)
            holder = ecs__instead_above(
                store, instead, entity, id, term->trav, term->min_depth, term->max_depth);
        if (holder && (!ecs__match_minds_switch(query, term) || ecs__id_is_on(store, holder, id)))
            return true;
        if (term->oper != EcsOr) return false;
    }
}

// The rows lose all they have.
static bool is_lost(const ecs__notice_t *notice) {
    const ecs__events_t *events = &ecs__world_of(notice->caller)->events;
    return events->losing == notice->table && notice->event == Ecs__OnRemove &&
           !notice->is_inverted && !notice->source;
}

// The entity of the rows as it was before, or will be after, the change.
static ecs__instead_t otherwise(const ecs__notice_t *notice) {
    const ecs_entity_t entity = notice->table->entities[notice->row];
    if (is_lost(notice))
        return (ecs__instead_t){ entity, notice->table->store->root, .is_bare = true };
    return notice->instead.entity ? notice->instead : (ecs__instead_t){ entity, notice->other };
}

// True if a row, if there is one, matches then.
static bool matches_otherwise(const ecs__observer_t *observer, const ecs__notice_t *notice,
    const ecs_table_t *table, int32_t row) {
    const ecs__instead_t instead = otherwise(notice);
    const ecs_entity_t entity = table ? table->entities[row] : 0;
    if (entity && entity == instead.entity) table = instead.table;
    if (entity && !table) return false;
    ecs_iter_t it = ecs_query_iter(notice->caller, observer->pub.query);
    ecs__solver_t *solver = ecs__iter_solver(&it);
    solver->instead = instead;
    if (entity)
        solver->values[ECS__VAR_THIS] =
            (ecs__value_t){ entity, ECS_CONST_CAST(ecs_table_t *, table), row, 1 };
    bool found = ecs__solver_next(solver);
    ecs_iter_fini(&it);
    return found;
}

static bool is_goal(const ecs__observer_t *observer, const ecs_term_t *term) {
    const ecs__graph_t *graph = ecs__query_program(observer->pub.query)->graph;
    return graph && graph->goal_terms & FIELD_BIT(term - observer->pub.query->terms);
}

// An entity enters when it matches and did not before, and leaves when it will not afterwards.
static bool is_transition(
    const ecs__observer_t *observer, const ecs__notice_t *notice, const ecs_term_t *term) {
    bool moves = notice->other && notice->other != notice->table;
    if (is_lost(notice) && observer->pub.world->events.dies) return true;
    /* What asks for nothing does not depend on bases, nor on what is beside tables. */
    bool is_beside = notice->source || notice->instead.entity;
    if (term->oper == EcsOptional && is_beside && !moves && !is_lost(notice)) return false;
    bool is_alone = notice->source ? !is_goal(observer, term) : !has_goals(observer);
    if (is_alone && notice->instead.entity && !moves)
        return holds_otherwise(notice, &notice->instead, observer->pub.query, term) ==
               notice->is_inverted;
    if (has_goals(observer) && (moves || notice->instead.entity))
        return !matches_otherwise(observer, notice, notice->table, notice->row);
    return !moves || !matches_in(observer, notice, notice->other);
}

static bool match_bypassing(
    const ecs__observer_t *observer, const ecs__notice_t *notice, int32_t term_index) {
    ecs_iter_t it;
    begin(&it, observer, notice);
    for (int32_t f = 0; f < it.field_count; f++)
        unset_field(&it, f, observer->pub.query->ids[f], 0);
    int8_t field = observer->pub.query->terms[term_index].field_index;
    it.term_index = field;
    set_field(&it, field, notice->id, notice->source, notice->row);
    call_rows(observer, &it, notice->row, notice->count);
    ecs__iter_free(&it);
    return true;
}

// ---- goals: variables, and what is beside tables ----

// Of the results for an entity, the one about what triggered counts. `ids`: those of its fields.
static bool is_about(
    const ecs_id_t *ids, const ecs__notice_t *notice, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    bool is_open = term->second.id & EcsIsVariable || ecs__id_is_wildcard(term->id);
    if (term->flags_ & (EcsTermIsMember | EcsTermMatchAny)) return true;
    if (waiter->by_set || waiter->in_scope || !is_open || notice->source || notice->is_inverted)
        return true;
    return ids[term->field_index] == notice->id;
}

// The field is about the id that triggers, be there another that the term stands for.
static bool is_kind(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    return waiter->by_set && !waiter->in_scope && !notice->is_inverted && !ecs__is_from(term->oper);
}

// A result, as it is shown to who waits for the term.
static ecs_iter_t as_event(
    const ecs_iter_t *result, const ecs__notice_t *notice, const ecs_term_t *term) {
    ecs_iter_t it = *result;
    it.event = notice->event;
    it.event_id = notice->id;
    it.param = notice->param;
    it.term_index = term->field_index;
    it.next = next_once;
    it.priv_.position = 0;
    return it;
}

static bool call_about(
    const ecs__waiter_t *waiter, const ecs__notice_t *notice, ecs_iter_t *result) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    bool found = false;
    while (!found && ecs_query_next(result)) found = is_about(result->ids, notice, waiter);
    if (!found) return false;
    ecs__iter_unlock(result); /* as for other observers, which may make some */
    ecs_iter_t it = as_event(result, notice, term);
    it.other_table = ECS_CONST_CAST(ecs_table_t *, notice->other);
    bool is_open = term->flags_ & EcsTermMatchAny && ecs__id_is_wildcard(it.ids[term->field_index]);
    if ((notice->is_inverted && !waiter->is_unsaid) || is_open)
        it.ids[term->field_index] = notice->id;
    if (is_kind(waiter, notice))
        set_field(&it, term->field_index, notice->id, notice->source, notice->row);
    call(waiter->observer, &it);
    ecs_iter_fini(result);
    return true;
}

// A glance beside the table of one row, which inherits nothing.
static bool lacks_beside(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs_table_t *table = notice->table;
    const ecs__graph_t *graph = ecs__query_program(observer->pub.query)->graph;
    return !(table->flags & EcsTableHasIsA) &&
           ecs__sift_lacks(graph, table->store, table->entities[notice->row]);
}

static bool match_graph(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    ecs__notice_t one = *notice;
    one.count = 1;
    bool told = false;
    for (; one.row < notice->row + notice->count; one.row++) {
        if (lacks_beside(observer, &one)) continue;
        bool must_change = observer->is_monitor || waiter->in_not;
        if (must_change && !is_transition(observer, &one, term)) continue;
        ecs_iter_t result = ecs_query_iter(notice->caller, observer->pub.query);
        ecs_table_range_t range = { .table = notice->table, .offset = one.row, .count = 1 };
        ecs_iter_set_var_as_range(&result, 0, &range);
        told |= call_about(waiter, &one, &result);
    }
    return told;
}

static void show(ecs_iter_t *it, const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs__eval_t *eval) {
    begin(it, waiter->observer, notice);
    fill(it, eval, notice->row);
    if (!waiter->is_unsaid) show_trigger(it, notice, waiter->term);
}

// ---- rows that differ ----

// The next run of rows of a notice that match in one way: that which begins first.
static bool find_run(const ecs__waiter_t *waiter, const ecs__notice_t *notice, ecs__eval_t *eval,
    ecs__rows_t *rows) {
    const ecs_table_t *table = notice->table;
    const int32_t end = ECS_MIN(notice->row + notice->count, table->count);
    bool is_alternative = ecs__waiter_term(waiter)->flags_ & EcsTermIsOr;
    for (int32_t row = notice->row, nearest; row < end; row = nearest) {
        nearest = end;
        begin_eval(waiter->observer, eval, table);
        while (ecs__eval_next(eval)) {
            ecs_id_t ids[FLECS_TERM_COUNT_MAX];
            for (int32_t f = 0; f < eval->plan->field_count; f++) ids[f] = eval->fields[f].id;
            if (!is_alternative && !is_about(ids, notice, waiter)) continue;
            ecs__rows_begin(rows, table, row, end);
            if (!ecs__eval_add_rows(eval, eval->plan, rows) || !ecs__rows_next(rows)) continue;
            if (rows->row == row) return true;
            nearest = ECS_MIN(nearest, rows->row);
        }
    }
    return false;
}

static void tell_run(const ecs__waiter_t *waiter, const ecs__notice_t *run, const ecs__eval_t *eval,
    ecs_termset_t unset) {
    ecs_iter_t it;
    show(&it, waiter, run, eval);
    for (int32_t f = 0; f < it.field_count; f++) {
        if (unset & FIELD_BIT(f)) unset_field(&it, f, it.query->ids[f], 0);
    }
    ecs__iter_keep_fields(&it, (ecs_termset_t)~unset);
    call_rows(waiter->observer, &it, run->row, run->count);
    ecs__iter_free(&it);
}

// Of those that match, monitors are told one by one, as they may have matched before.
static bool match_rows(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const bool is_monitor = waiter->observer->is_monitor;
    const int32_t end = notice->row + notice->count;
    ecs__notice_t run = *notice;
    ecs__eval_t eval;
    ecs__rows_t rows;
    bool told = false;
    while (run.count = end - run.row, find_run(waiter, &run, &eval, &rows)) {
        run.row = rows.row;
        run.count = is_monitor ? 1 : rows.row_end - rows.row;
        if (!is_monitor || is_transition(waiter->observer, &run, ecs__waiter_term(waiter))) {
            tell_run(waiter, &run, &eval, rows.unset);
            told = true;
        }
        run.row += run.count;
    }
    return told;
}

// ---- one notice ----

bool ecs__match_may_be(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs__plan_t *plan = plan_of(observer);
    if (observer->bypasses_query) return true;
    if (!has_goals(observer) && notice->table->flags & plan->skip) return false;
    return ecs__plan_may_have(plan, notice->table) && !(plan->bloom_or_isa & notice->lacks);
}

bool ecs__match_query(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs__observer_t *observer = waiter->observer;
    const int32_t term_index = waiter->term;
    /* Tables tell who has no parent. */
    bool is_root = observer->pub.query->terms[term_index].id == ECS__MAKE_PAIR(Ecs__ChildOf, 0);
    if (is_root && notice->instead.entity && !notice->other && !notice->source) return false;
    if (observer->bypasses_query) return match_bypassing(observer, notice, term_index);
    if (!ecs__match_may_be(observer, notice)) return false;
    if (has_goals(observer)) return match_graph(waiter, notice);
    ecs__eval_t eval;
    begin_eval(observer, &eval, notice->table);
    if (!ecs__eval_next(&eval)) return false;
    if (differs_by_row(&eval)) return match_rows(waiter, notice);
    const ecs_term_t *term = &observer->pub.query->terms[term_index];
    if (observer->is_monitor && !is_transition(observer, notice, term)) return false;
    ecs_iter_t it;
    show(&it, waiter, notice, &eval);
    call_rows(observer, &it, notice->row, notice->count);
    ecs__iter_free(&it);
    return true;
}

// ---- what tables decide ----

static bool asks_tables(const ecs__observer_t *observer) {
    const ecs__plan_t *plan = plan_of(observer);
    if (has_goals(observer) || observer->bypasses_query || plan->row_fields) return false;
    return !plan->scan && plan->count && plan->field_count <= ECS_ITER_INLINE_FIELDS;
}

static bool walks_up(const ecs__observer_t *observer) {
    const ecs__plan_t *plan = plan_of(observer);
    for (int32_t i = 1; i < plan->count; i++) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_EITHER && op->trav && op->trav != Ecs__IsA) return true;
    }
    return false;
}

// What a table without base has it has itself, and what has all that is asked for does not ask its base.
static ecs__answer_t ask_table(
    const ecs__observer_t *observer, ecs__eval_t *eval, const ecs_table_t *table, uint32_t *by) {
    begin_eval(observer, eval, table);
    bool found = ecs__eval_next(eval), is_all_own = found && !eval->up_fields;
    const ecs__plan_t *plan = eval->plan;
    if (walks_up(observer)) *by |= ECS__BY_ABOVE;
    if (!plan->own && table->flags & EcsTableHasIsA && !(plan->plain && is_all_own))
        *by |= ECS__BY_BASES;
    if (!found) return ECS__ANSWER_NO;
    return differs_by_row(eval) ? ECS__ANSWER_DEPENDS : ECS__ANSWER_YES;
}

ecs__answer_t ecs__match_by_tables(
    ecs_iter_t *it, const ecs__waiter_t *waiter, const ecs__notice_t *notice, uint32_t *by) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_table_t *other = notice->other;
    bool may_be_old = observer->is_monitor && other && other != notice->table;
    ecs__eval_t eval;
    if (!asks_tables(observer)) return ECS__ANSWER_DEPENDS;
    const ecs__answer_t of_other =
        may_be_old ? ask_table(observer, &eval, other, by) : ECS__ANSWER_NO;
    if (of_other == ECS__ANSWER_YES) return ECS__ANSWER_NO;
    const ecs__answer_t answer = ask_table(observer, &eval, notice->table, by);
    if (answer == ECS__ANSWER_NO) return ECS__ANSWER_NO;
    if (of_other == ECS__ANSWER_DEPENDS || answer == ECS__ANSWER_DEPENDS)
        return ECS__ANSWER_DEPENDS;
    show(it, waiter, notice, &eval);
    return ECS__ANSWER_YES;
}

void ecs__match_again(const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->set_fields & FIELD_BIT(f)) set_field(it, f, it->ids[f], it->sources[f], row);
    }
    it->flags = EcsIterIsValid | EcsIterInstanced;
    call_rows(observer, it, row, count);
}

// Monitors care for entities, each once, in whatever ways it matches: results are about the same rows then.
static bool is_news(const ecs__observer_t *observer, const ecs_iter_t *result, ecs_map_t *told) {
    if (!observer->is_monitor) return true;
    if (ecs_map_get(told, result->count ? result->entities[0] : 0)) return false;
    if (!result->count) *ecs_map_ensure(told, 0) = true;
    for (int32_t i = 0; i < result->count; i++) *ecs_map_ensure(told, result->entities[i]) = true;
    return true;
}

// Values that are set, and events of users, leave everything where it is.
static bool may_change_matches(const ecs__notice_t *notice) {
    return notice->event == Ecs__OnAdd || notice->event == Ecs__OnRemove;
}

// Whoever matches now, and did not before, or will not afterwards.
bool ecs__match_changes(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs_table_t *table, int32_t row) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    const bool moves = notice->other && notice->other != notice->table;
    const bool must_change = observer->is_monitor || (waiter->in_not && may_change_matches(notice));
    if (!must_change || (!moves && !notice->instead.entity)) return true;
    if (has_goals(observer) && (waiter->in_not || is_goal(observer, term)))
        return !matches_otherwise(observer, notice, table, row);
    const ecs__instead_t instead = otherwise(notice);
    return holds_otherwise(notice, &instead, observer->pub.query, term) == notice->is_inverted;
}

void ecs__match_list(const ecs__observer_t *observer, ecs_entity_t entity, ecs_vec_t *out) {
    ecs_world_t *world = observer->pub.world;
    const bool is_subject = observer->pub.query->flags & EcsQueryMatchThis;
    ecs_iter_t it = ecs_query_iter(world, observer->pub.query);
    if (entity && is_subject) {
        const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
        const ecs_table_range_t range = { .table = spot.table, .offset = spot.row, .count = 1 };
        ecs_iter_set_var_as_range(&it, 0, &range);
    }
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < it.count; i++)
            *ecs_vec_append_t(NULL, out, ecs_entity_t) = it.entities[i];
        if (is_subject) continue;
        *ecs_vec_append_t(NULL, out, ecs_entity_t) = 0;
        ecs_iter_fini(&it);
        return;
    }
}

void ecs__match_changed(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    ecs_table_t *table, int32_t row, int32_t count) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    const ecs_table_range_t range = { .table = table, .offset = row, .count = count };
    ecs_map_t *spare = &observer->pub.world->events.matched, told = ecs__spare_take_map(spare);
    ecs_iter_t result = ecs_query_iter(notice->caller, observer->pub.query);
    ecs_iter_set_var_as_range(&result, 0, &range);
    while (ecs_query_next(&result)) {
        if (!observer->is_monitor && !is_about(result.ids, notice, waiter)) continue;
        if (!is_news(observer, &result, &told)) continue;
        ecs__iter_unlock(&result); /* as above */
        ecs_iter_t it = as_event(&result, notice, term);
        call(observer, &it);
    }
    ecs__spare_give_map(spare, told);
}

// All results are about what happened to the constant.
static bool match_constant_graph(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    bool found = false;
    ecs_iter_t result = ecs_query_iter(notice->caller, observer->pub.query);
    while (!(found && observer->is_monitor) && ecs_query_next(&result)) {
        if (!observer->is_monitor && !is_about(result.ids, notice, waiter)) continue;
        if (!ecs__match_changes(waiter, notice, NULL, 0)) continue;
        found = true;
        ecs__iter_unlock(&result); /* as above */
        ecs_iter_t it = as_event(&result, notice, term);
        call(observer, &it);
    }
    if (observer->is_monitor) ecs_iter_fini(&result);
    return found;
}

bool ecs__match_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    if (has_goals(waiter->observer) || plan_of(waiter->observer)->by_row)
        return match_constant_graph(waiter, notice);
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    const bool is_open = ecs__id_is_wildcard(term->id) && term->oper == EcsAnd &&
                         !(term->flags_ & EcsTermMatchAny) && !notice->is_inverted;
    if (!ecs__match_changes(waiter, notice, NULL, 0)) return false;
    ecs__eval_t eval;
    begin_eval(observer, &eval, NULL);
    bool found = false;
    while (ecs__eval_next(&eval)) {
        if (eval.table && !eval.table->count) continue;
        if (is_open && eval.fields[term->field_index].id != notice->id) continue;
        found = true;
        ecs_iter_t it;
        begin(&it, observer, notice);
        it.table = eval.table;
        it.other_table = NULL;
        it.term_index = term->field_index;
        fill(&it, &eval, 0);
        if (eval.table) {
            call_rows(observer, &it, 0, eval.table->count);
        } else {
            call(observer, &it);
        }
        ecs__iter_free(&it);
        if (!eval.table) break;
    }
    return found;
}

bool ecs__match_any_of(
    const ecs__observer_t *observer, const ecs__notice_t *notice, ecs_entity_t source) {
    ecs_iter_t it;
    begin(&it, observer, notice);
    it.table = NULL;
    set_field(&it, 0, notice->id, source, 0);
    set_rows(&it, 0, 0);
    call(observer, &it);
    ecs__iter_free(&it);
    return true;
}

bool ecs__match_table(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    ecs__eval_t eval;
    begin_eval(observer, &eval, notice->table);
    if (!ecs__eval_next(&eval)) return false;
    ecs_iter_t it;
    begin(&it, observer, notice);
    fill(&it, &eval, 0);
    for (int32_t f = 0; f < it.field_count; f++) {
        if (it.columns[f] >= 0) it.ptrs[f] = NULL;
    }
    it.event_id = it.field_count ? it.ids[0] : 0;
    call(observer, &it);
    ecs__iter_free(&it);
    return true;
}

// ---- what is there already ----

static void call_result(
    const ecs__observer_t *observer, const ecs_iter_t *result, ecs_entity_t event) {
    ecs_iter_t it = *result;
    it.event = event;
    it.event_id = it.field_count ? it.ids[0] : 0;
    it.next = next_once;
    it.priv_.position = 0;
    call(observer, &it);
}

void ecs__match_existing(const ecs__observer_t *observer, ecs_entity_t event) {
    ecs_world_t *world = observer->pub.world;
    ecs_map_t told;
    ecs_map_init(&told, NULL);
    ecs_defer_begin(world);
    ecs__events_enter(&world->events);
    ecs_iter_t it = ecs_query_iter(world, observer->pub.query);
    while (ecs_query_next(&it)) {
        if (is_news(observer, &it, &told)) call_result(observer, &it, event);
    }
    ecs__events_leave(&world->events);
    ecs_defer_end(world);
    ecs_map_fini(&told);
}
