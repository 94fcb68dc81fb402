// SPDX-License-Identifier: MIT
#include "event/decide.h"

#include "event/show.h"
#include "event/turn.h"

static bool asks_tables(const ecs__observer_t *observer) {
    const ecs__plan_t *plan = ecs__observer_plan(observer);
    if (ecs__observer_has_goals(observer) || observer->bypasses_query || plan->row_fields)
        return false;
    return !plan->scan && plan->count && plan->field_count <= ECS_ITER_INLINE_FIELDS;
}

static bool walks_up(const ecs__observer_t *observer) {
    const ecs__plan_t *plan = ecs__observer_plan(observer);
    for (int32_t i = 1; i < plan->count; i++) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_EITHER && op->trav && op->trav != Ecs__IsA) return true;
    }
    return false;
}

// What a table without base has it has itself, and what has all that is asked for does not ask its base.
static ecs__answer_t ask_table(
    const ecs__observer_t *observer, ecs__eval_t *eval, const ecs_table_t *table, uint32_t *by) {
    ecs__show_eval(observer, eval, table->store, table);
    bool found = ecs__eval_next(eval), is_all_own = found && !eval->up_fields;
    const ecs__plan_t *plan = eval->plan;
    if (walks_up(observer)) *by |= ECS__BY_ABOVE;
    if (!plan->own && table->flags & EcsTableHasIsA && !(plan->plain && is_all_own))
        *by |= ECS__BY_BASES;
    if (!found) return ECS__ANSWER_NO;
    return ecs__turn_is_by_row(eval) ? ECS__ANSWER_DEPENDS : ECS__ANSWER_YES;
}

ecs__answer_t ecs__decide(
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
    ecs__show(it, waiter, notice, &eval);
    return ECS__ANSWER_YES;
}

void ecs__decide_again(
    const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->set_fields & FIELD_BIT(f)) ecs__show_field(it, f, it->ids[f], it->sources[f], row);
    }
    it->flags = ECS__SHOWN | EcsIterKept;
    ecs__show_call_rows(observer, it, row, count);
}
