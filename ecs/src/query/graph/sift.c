// SPDX-License-Identifier: MIT
#include "query/graph/sift.h"

#include <string.h>

#include "base/assert.h"
#include "query/graph/steps.h"
#include "storage/bases.h"

#define THIS_BIT ECS__VAR_BIT(ECS__VAR_THIS)

// ---- making ----

// It asks $this for one id beside its table, and no more.
bool ecs__sift_can_ask(const ecs__goal_t *goal) {
    const ecs__ref_t *second = &goal->second;
    if (!goal->is_own_beside) return false;
    if (goal->src.kind != ECS__REF_VAR || goal->src.var != ECS__VAR_THIS) return false;
    return !(goal->term->id & ECS__PAIR) || second->kind == ECS__REF_STAR ||
           (second->kind == ECS__REF_ENTITY && second->entity);
}

static bool is_test(const ecs__solver_t *solver, const ecs__step_t *step) {
    if (step->kind != ECS__STEP_GOAL && step->kind != ECS__STEP_NOT &&
        step->kind != ECS__STEP_OPTIONAL)
        return false;
    return !step->maybe && !step->binds && ecs__sift_can_ask(&solver->graph->goals[step->goal]);
}

static ecs_id_t id_of(const ecs__goal_t *goal) {
    const ecs_id_t id = goal->term->id;
    if (!(id & ECS__PAIR)) return id;
    const bool has_star = goal->second.kind == ECS__REF_STAR;
    return ECS__MAKE_PAIR(
        ecs__id_first(id), has_star ? Ecs__Wildcard : (uint32_t)goal->second.entity);
}

bool ecs__sift_lacks(const ecs__graph_t *graph, const ecs__store_t *store, ecs_entity_t entity) {
    for (int32_t i = 0; graph->has_beside && i < graph->count; i++) {
        const ecs__goal_t *goal = &graph->goals[i];
        if (!ecs__sift_can_ask(goal) || goal->in_scope) continue;
        if (goal->term->oper != EcsAnd || goal->term->flags_ & EcsTermIsOr) continue;
        if (!ecs__sparse_find(store, entity, id_of(goal))) return true;
    }
    return false;
}

static void add_test(ecs__sift_t *sift, const ecs__goal_t *goal) {
    ecs__sift_test_t *test = &sift->tests[sift->count++];
    *test = (ecs__sift_test_t){
        .id = id_of(goal), .field = goal->term->field_index, .oper = (uint8_t)goal->term->oper
    };
    test->has_star = ecs__id_is_wildcard(test->id);
    sift->has_star |= test->has_star;
    sift->goes_up |= (goal->term->src.id & EcsUp) != 0;
}

static void add_tests(ecs__solver_t *solver, int32_t begin, int32_t end, bool are_optional) {
    for (int32_t at = begin; at < end; at++) {
        const ecs__goal_t *goal = &solver->graph->goals[solver->steps[at].goal];
        const bool is_optional = goal->term->oper == EcsOptional;
        if (is_optional != are_optional) continue;
        add_test(&solver->sift, goal);
        if (is_optional) solver->sift.optional |= FIELD_BIT(goal->term->field_index);
    }
}

// The steps inside move before the outermost sequence.
static void move_in(ecs__solver_t *solver, int32_t each, int32_t end) {
    ecs__step_t outer[ECS__STEPS_MAX], *steps = solver->steps;
    const int32_t begin = solver->begin, inside = end - each;
    int32_t count = 0;
    for (int32_t at = begin; at < each; at++) outer[count++] = steps[at];
    outer[count++] = (ecs__step_t){ .kind = ECS__STEP_SIFT,
        .begin = (int16_t)begin,
        .end = (int16_t)(begin + inside),
        .uses = THIS_BIT,
        .binds = THIS_BIT };
    for (int32_t at = end; at < solver->end; at++) outer[count++] = steps[at];
    memmove(&steps[begin], &steps[each], (size_t)inside * sizeof *steps);
    solver->begin += inside;
    solver->step_count = solver->end = solver->begin + count;
    ecs__assert(solver->end <= ECS__STEPS_MAX, "there is room for the steps of a search");
    memcpy(&steps[solver->begin], outer, (size_t)count * sizeof *steps);
}

void ecs__sift_make(ecs__solver_t *solver) {
    if (solver->instead.entity) return;
    int32_t each = solver->begin;
    while (each < solver->end && solver->steps[each].kind != ECS__STEP_EACH) each++;
    int32_t end = each + 1;
    while (end < solver->end && is_test(solver, &solver->steps[end])) end++;
    if (end - each < 2) return;
    ecs__sift_t *sift = &solver->sift;
    sift->structure = UINT64_MAX;
    sift->count = 0;
    sift->optional = 0;
    sift->has_star = sift->goes_up = false;
    add_tests(solver, each + 1, end, false);
    sift->must = sift->count;
    add_tests(solver, each + 1, end, true);
    move_in(solver, each, end);
}

// ---- one table ----

static void find_sets(ecs__sift_t *sift, const ecs__store_t *store) {
    static const ecs__sparse_set_t nobody;
    sift->structure = store->structure_stamp;
    for (int32_t t = 0; t < sift->count; t++) {
        ecs__sift_test_t *test = &sift->tests[t];
        const ecs_component_record_t *record = ecs__id_record_get(store, test->id);
        const ecs__sparse_set_t *set = record ? record->sparse : NULL;
        test->home = set ? set->home->sparse : &nobody;
        test->record = ECS_IS_PAIR(test->id) && !test->has_star ? record : NULL;
    }
}

static bool holds_beside(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    (void)ctx;
    return ecs__entity_marks(&table->store->entities, base) & EcsEntityHasDontFragment;
}

// What it may inherit, and several targets, the steps inside go through; and each is counted if someone asks how often.
static bool is_left_to_steps(const ecs__solver_t *solver, const ecs_table_t *table) {
    const ecs__sift_t *sift = &solver->sift;
    if (solver->profile || (sift->goes_up && ecs__bases_beside(table, holds_beside, NULL)))
        return true;
    for (int32_t t = 0; t < sift->count; t++) {
        const ecs__sift_test_t *test = &sift->tests[t];
        if (!test->has_star || test->oper == EcsNot) continue;
        const ecs_component_record_t *any = ecs__id_record_get(solver->store, test->id);
        if (!any || !(any->flags & EcsIdExclusive)) return true;
    }
    return false;
}

static void begin(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    sift->all = solver->values[ECS__VAR_THIS];
    sift->row = sift->all.row;
    sift->above = solver->store->above_stamp;
    sift->is_left_to_steps = is_left_to_steps(solver, sift->all.table);
}

// Rows may have gone since.
static void follow_rows(ecs__sift_t *sift, const ecs__store_t *store) {
    if (sift->structure != store->structure_stamp) find_sets(sift, store);
    sift->end = ECS_MIN(sift->all.row + sift->all.count, sift->all.table->count);
}

// What is above the table may be another: of its rows that are left is decided anew.
static void begin_again(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    follow_rows(sift, solver->store);
    const int32_t left = ECS_MAX(sift->end - sift->row, 0);
    solver->values[ECS__VAR_THIS] = ecs__value_of_rows(sift->all.table, sift->row, left);
    begin(solver);
}

static void show_fields(ecs__solver_t *solver, ecs_entity_t entity) {
    const ecs__sift_t *sift = &solver->sift;
    for (int32_t t = 0; t < sift->count; t++) {
        const ecs__sift_test_t *test = &sift->tests[t];
        ecs__solver_unset(solver, test->field);
        if (!ecs__sift_found(sift, test)) continue;
        const ecs__field_found_t found = { ecs__sift_id(test, entity), 0, NULL, -1 };
        ecs__eval_set(&solver->result, test->field, found, false);
    }
}

bool ecs__step_sift(ecs__solver_t *solver, const ecs__step_t *step, bool redo) {
    ecs__sift_t *sift = &solver->sift;
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    const bool is_old =
        redo && !sift->is_left_to_steps && sift->above != solver->store->above_stamp;
    if (!redo) begin(solver);
    if (is_old) begin_again(solver);
    if (sift->is_left_to_steps)
        return ecs__solver_run(solver, step->begin, step->end, redo && !is_old);
    follow_rows(sift, solver->store);
    const int32_t row = ecs__sift_next(sift);
    *self = row < 0 ? sift->all : ecs__value_of_rows(sift->all.table, row, 1);
    if (row >= 0) show_fields(solver, self->entity);
    return row >= 0;
}
