// SPDX-License-Identifier: MIT
#include "event/turn.h"

#include "event/show.h"
#include "query/graph/graph.h"
#include "query/iter/result.h"
#include "query/query.h"
#include "world/state.h"

// ---- rows ----

// Does a condition look above the table for what must not be on?
static bool excludes_above(const ecs__plan_t *plan) {
    bool found = false;
    for (int32_t i = 0; i < plan->count && !found; i++) {
        const ecs__op_t *op = &plan->ops[i];
        found = op->by_row && op->code == ECS__OP_WITHOUT && op->trav;
    }
    return found;
}

bool ecs__turn_asks_rows(const ecs__eval_t *eval) {
    return eval->table->toggles || eval->up_fields ||
           (eval->table->flags & EcsTableHasPairs && excludes_above(eval->plan));
}

// True if the first row of a notice matches, as part of another table.
static bool matches_in(
    const ecs__observer_t *observer, const ecs__notice_t *notice, const ecs_table_t *table) {
    ecs__eval_t eval;
    ecs__show_eval(observer, &eval, notice->table->store, table);
    bool found = false;
    while (!found && ecs__eval_next(&eval)) {
        if (!ecs__turn_is_by_row(&eval)) return true;
        ecs__rows_t rows;
        ecs__rows_begin_as(&rows, table, notice->table, notice->row, notice->row + 1);
        found = ecs__eval_add_rows(&eval, eval.plan, &rows) && ecs__rows_next(&rows);
    }
    return found;
}

// ---- the other side of a change ----

bool ecs__turn_minds_switch(const ecs_query_t *query, const ecs_term_t *term) {
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
        if (holder && (!ecs__turn_minds_switch(query, term) || ecs__id_is_on(store, holder, id)))
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
    return ecs__notice_instead(notice, entity);
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

// ---- asking ----

static bool is_goal(const ecs__observer_t *observer, const ecs_term_t *term) {
    const ecs__graph_t *graph = ecs__query_program(observer->pub.query)->graph;
    return graph && graph->goal_terms & FIELD_BIT(term - observer->pub.query->terms);
}

// An entity enters when it matches and did not before, and leaves when it will not afterwards.
bool ecs__turn_is(
    const ecs__observer_t *observer, const ecs__notice_t *notice, const ecs_term_t *term) {
    bool moves = notice->other && notice->other != notice->table;
    if (is_lost(notice) && observer->pub.world->events.dies) return true;
    /* What asks for nothing does not depend on bases, nor on what is beside tables. */
    bool is_beside = notice->source || notice->instead.entity;
    if (term->oper == EcsOptional && is_beside && !moves && !is_lost(notice)) return false;
    bool is_alone = notice->source ? !is_goal(observer, term) : !ecs__observer_has_goals(observer);
    if (is_alone && notice->instead.entity && !moves)
        return holds_otherwise(notice, &notice->instead, observer->pub.query, term) ==
               notice->is_inverted;
    if (ecs__observer_has_goals(observer) && (moves || notice->instead.entity))
        return !matches_otherwise(observer, notice, notice->table, notice->row);
    return !moves || !matches_in(observer, notice, notice->other);
}

// Values that are set, and events of users, leave everything where it is.
static bool may_change_matches(const ecs__notice_t *notice) {
    return notice->event == Ecs__OnAdd || notice->event == Ecs__OnRemove;
}

// Whoever matches now, and did not before, or will not afterwards.
bool ecs__turn_by_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs_table_t *table, int32_t row) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    const bool moves = notice->other && notice->other != notice->table;
    const bool must_change = observer->is_monitor || (waiter->in_not && may_change_matches(notice));
    if (!must_change || (!moves && !notice->instead.entity)) return true;
    if (ecs__observer_has_goals(observer) && (waiter->in_not || is_goal(observer, term)))
        return !matches_otherwise(observer, notice, table, row);
    const ecs__instead_t instead = otherwise(notice);
    return holds_otherwise(notice, &instead, observer->pub.query, term) == notice->is_inverted;
}
