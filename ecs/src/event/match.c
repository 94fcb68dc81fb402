// SPDX-License-Identifier: MIT
#include "event/match.h"

#include "event/show.h"
#include "event/turn.h"
#include "query/iter/result.h"
#include "query/query.h"
#include "world/state.h"

bool ecs__match_simple(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    if (notice->table->flags & ecs__observer_plan(observer)->skip) return false;
    ecs_iter_t it;
    ecs__show_begin(&it, observer, notice);
    ecs__show_field(&it, 0, notice->id, notice->source, notice->row);
    if (notice->source) it.up_fields = 1;
    ecs__show_call_rows(observer, &it, notice->row, notice->count);
    ecs__iter_free(&it);
    return true;
}

static bool match_bypassing(
    const ecs__observer_t *observer, const ecs__notice_t *notice, int32_t term_index) {
    ecs_iter_t it;
    ecs__show_begin(&it, observer, notice);
    for (int32_t f = 0; f < it.field_count; f++)
        ecs__show_no_field(&it, f, observer->pub.query->ids[f], 0);
    int8_t field = observer->pub.query->terms[term_index].field_index;
    it.term_index = field;
    ecs__show_field(&it, field, notice->id, notice->source, notice->row);
    ecs__show_call_rows(observer, &it, notice->row, notice->count);
    ecs__iter_free(&it);
    return true;
}

// ---- goals: variables, and what is beside tables ----

// The field is about the id that triggers, be there another that the term stands for.
static bool is_kind(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    return waiter->by_set && !waiter->in_scope && !notice->is_inverted && !ecs__is_from(term->oper);
}

static bool call_about(
    const ecs__waiter_t *waiter, const ecs__notice_t *notice, ecs_iter_t *result) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    bool found = false;
    while (!found && ecs_query_next(result))
        found = ecs__show_is_about(result->ids, notice, waiter);
    if (!found) return false;
    ecs__iter_unlock(result); /* as for other observers, which may make some */
    ecs_iter_t it = ecs__show_result(result, notice, term);
    it.other_table = ECS_CONST_CAST(ecs_table_t *, notice->other);
    bool is_open = term->flags_ & EcsTermMatchAny && ecs__id_is_wildcard(it.ids[term->field_index]);
    if ((notice->is_inverted && !waiter->is_unsaid) || is_open)
        it.ids[term->field_index] = notice->id;
    if (is_kind(waiter, notice))
        ecs__show_field(&it, term->field_index, notice->id, notice->source, notice->row);
    ecs__show_call(waiter->observer, &it);
    ecs__iter_free(&it);
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
        if (must_change && !ecs__turn_is(observer, &one, term)) continue;
        ecs_iter_t result = ecs_query_iter(notice->caller, observer->pub.query);
        ecs_table_range_t range = { .table = notice->table, .offset = one.row, .count = 1 };
        ecs_iter_set_var_as_range(&result, 0, &range);
        told |= call_about(waiter, &one, &result);
    }
    return told;
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
        ecs__show_eval(waiter->observer, eval, notice->table->store, table);
        while (ecs__eval_next(eval)) {
            ecs_id_t ids[FLECS_TERM_COUNT_MAX];
            for (int32_t f = 0; f < eval->plan->field_count; f++) ids[f] = eval->fields[f].id;
            if (!is_alternative && !ecs__show_is_about(ids, notice, waiter)) continue;
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
    ecs__show(&it, waiter, run, eval);
    for (int32_t f = 0; f < it.field_count; f++) {
        if (unset & FIELD_BIT(f)) ecs__show_no_field(&it, f, it.query->ids[f], 0);
    }
    ecs__iter_keep_fields(&it, (ecs_termset_t)~unset);
    ecs__show_call_rows(waiter->observer, &it, run->row, run->count);
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
        if (!is_monitor || ecs__turn_is(waiter->observer, &run, ecs__waiter_term(waiter))) {
            tell_run(waiter, &run, &eval, rows.unset);
            told = true;
        }
        run.row += run.count;
    }
    return told;
}

// ---- one notice ----

bool ecs__match_may_be(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs__plan_t *plan = ecs__observer_plan(observer);
    if (observer->bypasses_query) return true;
    if (!ecs__observer_has_goals(observer) && notice->table->flags & plan->skip) return false;
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
    if (ecs__observer_has_goals(observer)) return match_graph(waiter, notice);
    ecs__eval_t eval;
    ecs__show_eval(observer, &eval, notice->table->store, notice->table);
    if (!ecs__eval_next(&eval)) return false;
    if (ecs__turn_is_by_row(&eval)) return match_rows(waiter, notice);
    const ecs_term_t *term = &observer->pub.query->terms[term_index];
    if (observer->is_monitor && !ecs__turn_is(observer, notice, term)) return false;
    ecs_iter_t it;
    ecs__show(&it, waiter, notice, &eval);
    ecs__show_call_rows(observer, &it, notice->row, notice->count);
    ecs__iter_free(&it);
    return true;
}

bool ecs__match_table(const ecs__observer_t *observer, const ecs__notice_t *notice) {
    ecs__eval_t eval;
    ecs__show_eval(observer, &eval, notice->table->store, notice->table);
    if (!ecs__eval_next(&eval)) return false;
    ecs_iter_t it;
    ecs__show_begin(&it, observer, notice);
    ecs__show_found(&it, &eval, 0);
    for (int32_t f = 0; f < it.field_count; f++) {
        if (it.columns[f] >= 0) it.ptrs[f] = NULL;
    }
    it.event_id = it.ids[0];
    ecs__show_call(observer, &it);
    ecs__iter_free(&it);
    return true;
}
