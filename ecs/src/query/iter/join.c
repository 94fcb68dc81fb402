// SPDX-License-Identifier: MIT
#include "query/iter/join.h"

#include "query/graph/steps.h"
#include "query/iter/result.h"

// ---- beginning ----

static inline void leave(ecs_termset_t *fields, int32_t field) {
    *fields &= (ecs_termset_t)~FIELD_BIT(field);
}

void ecs__join_empty_field(ecs_iter_t *it, const ecs__plan_t *plan, int32_t f) {
    leave(&it->set_fields, f);
    leave(&it->up_fields, f);
    leave(&it->ref_fields, f);
    if (plan->sources[f]) it->ref_fields |= FIELD_BIT(f);
    it->ids[f] = plan->ids[f];
    it->sources[f] = plan->sources[f];
    it->ptrs[f] = NULL;
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = it->query->sizes[f];
    ((int16_t *)(uintptr_t)it->columns)[f] = -1;
}

// What stays as it is. A term without source is no operation, but has a field.
static void fill_fields(ecs_iter_t *it, ecs__join_t *join) {
    it->set_fields = it->ref_fields = it->up_fields = 0;
    join->has_shown = false;
    for (int32_t f = 0; f < join->plan->field_count; f++) ecs__join_empty_field(it, join->plan, f);
    for (int32_t i = 0; i < join->count; i++) {
        ecs__join_op_t *op = &join->ops[i];
        const int32_t f = op->field;
        op->is_own = op->has_shown = op->is_over = false;
        op->size = it->query->sizes[f];
        op->id_at = op->shows_id ? &it->ids[f] : &join->unseen;
        op->source_at = op->shows_source ? &it->sources[f] : &join->unseen;
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
        if (!solver->is_joined) ecs__parts_make(solver);
    }
    if (!solver->is_joined) return false;
    ecs__join_t *join = solver->join;
    join->store = solver->store;
    join->plan = solver->plan;
    join->table_limit = solver->table_limit;
    join->structure = solver->store->structure_stamp;
    join->is_stale = false;
    join->self = &solver->values[ECS__VAR_THIS];
    fill_fields(it, join);
    if (join->has_steps) ecs__solver_clear_states(solver);
    it->flags |= EcsIterJoined;
    return true;
}

// ---- search ----

// As step_back in graph/solve.c.
static inline ecs__join_op_t *jump_back(const ecs__join_t *join, const ecs__join_op_t *failed) {
    ecs__join_op_t *back = failed->back;
    if (failed->solutions != join->solutions) return back;
    for (; back && !(back->binds & failed->conflict); back = back->back)
        if (back->kind >= ECS__JOIN_STEP && back->kind < ECS__JOIN_HAS)
            ecs__step_cancel(join->it->priv_.eval, back->step);
    if (back) back->conflict |= failed->conflict & ~back->binds;
    return back;
}

// From an operation on that is tried again.
static ECS__APART bool go_on_jumping(ecs__join_t *join, ecs__join_op_t *op) {
    while (op) {
        const ecs__join_op_t *failed = op;
        if (!op->is_over) {
            if (op->again(join, op)) return true;
            failed = join->failed;
        }
        op = jump_back(join, failed);
    }
    return ecs__iter_end(join->it);
}

static inline bool go_on(ecs__join_t *join, ecs__join_op_t *op) {
    if (RARELY(join->jumps)) return go_on_jumping(join, op);
    while (op) {
        if (op->is_over) {
            op = op->back;
            continue;
        }
        if (op->again(join, op)) return true;
        op = join->failed->back;
    }
    return ecs__iter_end(join->it);
}

// Rows came or went.
static ECS__APART void follow_rows(ecs__join_t *join) {
    join->is_stale = true;
    join->structure = join->store->structure_stamp;
    ecs__solver_follow(join->it->priv_.eval);
    ecs__join_follow_lists(join);
}

// As long as no rows come or go, and nobody has to be told of results, the next ones come from ecs__join_next at once. They leave flags as
// they are.
static inline void be_quick(ecs_iter_t *it, const ecs__join_t *join) {
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    const uint64_t how = join->ends_with_rows ? ECS_ITER_SIFTED : ECS_ITER_JOINED;
    if (!(it->flags & EcsIterSync)) it->priv_.quick = join->structure | how;
}

HOT bool ecs__join_next(ecs_iter_t *it) {
    if (RARELY(it->priv_.row < it->priv_.row_end)) return ecs__iter_show_row(it);
    ecs__iter_unlock(it);
    ecs__join_t *join = ((ecs__solver_t *)it->priv_.eval)->join;
    join->it = it;
    return go_on(join, join->last);
}

bool ecs__join_follow(ecs_iter_t *it) {
    if (it->priv_.row < it->priv_.row_end) return ecs__iter_show_row(it);
    ecs__join_t *join = ((ecs__solver_t *)it->priv_.eval)->join;
    join->it = it;
    if (join->structure != join->store->structure_stamp) follow_rows(join);
    be_quick(it, join);
    return ecs__join_next(it);
}

bool ecs__join_first(ecs_iter_t *it) {
    ecs__join_t *join = ((ecs__solver_t *)it->priv_.eval)->join;
    join->it = it;
    bool is_empty = join->self->table && !join->self->count; // it was given, and has no rows
    if (is_empty) return ecs__iter_end(it);
    be_quick(it, join);
    if (join->ops->begin(join, join->ops)) return true;
    return go_on(join, join->jumps ? jump_back(join, join->failed) : join->failed->back);
}
