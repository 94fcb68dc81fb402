// SPDX-License-Identifier: MIT
#include "query/graph/sift.h"

#include <string.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/bisect.h"
#include "query/graph/steps.h"
#include "query/graph/ways.h"
#include "storage/bases.h"

// ---- making ----

static bool is_about_this(const ecs__goal_t *goal) {
    return goal->is_own_beside && ecs__ref_bit(&goal->src) == ECS__THIS_BIT;
}

// It asks $this for one id beside its table, and no more.
bool ecs__sift_can_ask(const ecs__goal_t *goal) {
    const ecs__ref_t *second = &goal->second;
    if (!is_about_this(goal)) return false;
    if (!(goal->term->id & ECS__PAIR)) return true;
    return second->kind == ECS__REF_ENTITY ? second->entity : second->kind != ECS__REF_VAR;
}

// The same with a variable that takes the targets that it has there.
static bool takes_targets(const ecs__goal_t *goal, uint64_t binds) {
    const ecs__ref_t *second = &goal->second;
    if (!is_about_this(goal) || goal->term->oper != EcsAnd) return false;
    return goal->term->id & ECS__PAIR && second->kind == ECS__REF_VAR &&
           binds == ECS__VAR_BIT(second->var);
}

static bool asks(const ecs__solver_t *solver, const ecs__step_t *step, uint64_t binds) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    return !step->maybe && (binds ? takes_targets(goal, binds) : ecs__sift_can_ask(goal));
}

static bool is_test(const ecs__solver_t *solver, const ecs__step_t *step) {
    const uint8_t kind = step->kind;
    if (kind != ECS__STEP_GOAL && kind != ECS__STEP_NOT && kind != ECS__STEP_OPTIONAL) return false;
    return !(step->binds & ECS__THIS_BIT) && asks(solver, step, step->binds);
}

static ecs_id_t id_of(const ecs__goal_t *goal) {
    const ecs_id_t id = goal->term->id;
    if (!(id & ECS__PAIR)) return id;
    const bool is_one = goal->second.kind == ECS__REF_ENTITY;
    return ECS__MAKE_PAIR(
        ecs__id_first(id), is_one ? (uint32_t)goal->second.entity : Ecs__Wildcard);
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
    const bool is_pair = goal->term->id & ECS__PAIR,
               has_var = is_pair && goal->second.kind == ECS__REF_VAR;
    *test = (ecs__sift_test_t){ .id = id_of(goal),
        .field = goal->term->field_index,
        .oper = (uint8_t)goal->term->oper,
        .has_star = has_var || (is_pair && goal->second.kind == ECS__REF_STAR),
        .var = has_var ? (int8_t)goal->second.var : -1 };
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
static void move_in(ecs__solver_t *solver, int32_t first, int32_t end) {
    ecs__step_t outer[ECS__STEPS_MAX], *steps = solver->steps;
    const int32_t begin = solver->begin, inside = end - first;
    int32_t count = 0;
    uint64_t binds = 0;
    for (int32_t at = first; at < end; at++) binds |= steps[at].binds;
    for (int32_t at = begin; at < first; at++) outer[count++] = steps[at];
    outer[count++] = (ecs__step_t){ .kind = ECS__STEP_SIFT,
        .begin = (int16_t)begin,
        .end = (int16_t)(begin + inside),
        .uses = solver->sift.is_listed ? 0 : ECS__THIS_BIT,
        .binds = binds };
    for (int32_t at = end; at < solver->end; at++) outer[count++] = steps[at];
    memmove(&steps[begin], &steps[first], (size_t)inside * sizeof *steps);
    solver->begin += inside;
    solver->step_count = solver->end = solver->begin + count;
    ecs__assert(solver->end <= ECS__STEPS_MAX, "there is room for the steps of a search");
    memcpy(&steps[solver->begin], outer, (size_t)count * sizeof *steps);
}

// It finds those who have an id themselves.
static bool may_list(const ecs__solver_t *solver, const ecs__step_t *step) {
    if (step->kind != ECS__STEP_GOAL || !(step->binds & ECS__THIS_BIT)) return false;
    if (solver->profile || ecs__plan_finds_tables(solver->plan)) return false;
    if (!asks(solver, step, step->binds & ~ECS__THIS_BIT)) return false;
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    const ecs_id_t id = id_of(goal);
    const ecs_component_record_t *record = ecs__id_record_get(solver->store, id);
    return record && !record->table_live && !ecs__way_may_be_above(solver->store, goal->term, id);
}

// The step that gives $this to those that only ask for it; behind the last one if there is none.
static int32_t find_first(ecs__solver_t *solver) {
    int32_t at = solver->begin;
    for (; at < solver->end && solver->steps[at].kind != ECS__STEP_EACH; at++) {
        solver->sift.is_listed = may_list(solver, &solver->steps[at]);
        if (solver->sift.is_listed) break;
    }
    return at;
}

void ecs__sift_make(ecs__solver_t *solver) {
    if (solver->instead.entity) return;
    ecs__sift_t *sift = &solver->sift;
    sift->is_listed = false;
    const int32_t first = find_first(solver);
    int32_t end = first + 1;
    while (end < solver->end && is_test(solver, &solver->steps[end])) end++;
    if (end - first < 2 && !sift->is_listed) return;
    sift->structure = UINT64_MAX;
    sift->count = 0;
    sift->optional = sift->found = 0;
    sift->has_star = sift->goes_up = false;
    add_tests(solver, sift->is_listed ? first : first + 1, end, false);
    sift->must = sift->count;
    add_tests(solver, first + 1, end, true);
    move_in(solver, first, end);
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
        test->record = ECS_IS_PAIR(test->id) && !ecs__id_is_wildcard(test->id) ? record : NULL;
    }
}

static bool holds_beside(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    (void)ctx;
    return ecs__entity_marks(&table->store->entities, base) & EcsEntityHasDontFragment;
}

bool ecs__bases_hold_beside(const ecs_table_t *table) {
    return ecs__bases_beside(table, holds_beside, NULL);
}

// What it may inherit the steps inside go through; and each is counted if someone asks how often.
static bool is_left_to_steps(const ecs__solver_t *solver, const ecs_table_t *table) {
    return solver->profile || (solver->sift.goes_up && ecs__bases_hold_beside(table));
}

static void begin(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    sift->all = solver->values[ECS__VAR_THIS];
    sift->row = sift->all.row;
    sift->above = solver->store->above_stamp;
    sift->is_left_to_steps = is_left_to_steps(solver, sift->all.table);
    sift->is_inside = sift->may_turn = false;
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

static void show_fields(ecs__solver_t *solver) {
    const ecs__sift_t *sift = &solver->sift;
    for (int32_t t = 0; t < sift->count; t++) {
        const ecs__sift_test_t *test = &sift->tests[t];
        ecs__solver_unset(solver, test->field);
        if (!ecs__sift_found(sift, test)) continue;
        const ecs__field_found_t found = { ecs__sift_id(sift, test), 0, NULL, -1 };
        ecs__eval_set(&solver->result, test->field, found, false);
    }
}

// ---- what stars stand for ----

static ECS__APART bool bind_target(ecs__solver_t *solver, int32_t var, ecs_id_t id) {
    return ecs__take_target(solver->store, id, ecs__solver_skip(solver, var), &solver->values[var]);
}

static bool takes_edges(const ecs__sift_test_t *test) {
    return test->has_star && test->oper != EcsNot;
}

// The first edge of a test from an id on that gives its variable a value.
static bool take_edge(ecs__solver_t *solver, ecs__sift_test_t *test, ecs_id_t from) {
    if (!test->slot) return false;
    const ecs__sparse_edges_t edges = ecs__sparse_slot_edges(test->slot);
    ecs__bisect_t search = ecs__bisect(0, edges.count);
    while (ecs__bisect_asks(&search)) ecs__bisect_answer(&search, edges.items[search.at].id < from);
    for (int32_t i = search.low; i < edges.count; i++) {
        if (test->var >= 0 && !bind_target(solver, test->var, edges.items[i].id)) continue;
        test->edge = edges.items[i];
        return true;
    }
    return false;
}

static ECS__APART bool take_several(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    for (int32_t t = 0; t < sift->count; t++) {
        ecs__sift_test_t *test = &sift->tests[t];
        if (!takes_edges(test) || !test->slot) continue;
        if (!take_edge(solver, test, 0) || (t >= sift->must && test->slot->count > 1)) return false;
    }
    sift->may_turn = true;
    sift->last = sift->end;
    sift->end = 0;
    return true;
}

bool ecs__sift_take(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    for (int32_t t = 0; t < sift->count; t++) {
        const ecs__sift_test_t *test = &sift->tests[t];
        if (!takes_edges(test)) continue;
        const ecs__sparse_slot_t *slot = test->slot;
        if (!slot) continue; // it may lack it
        if (slot->count > 1) return take_several(solver);
        if (test->var >= 0 && !bind_target(solver, test->var, slot->edges.one.id)) return false;
    }
    return true;
}

// Tables changed: a row is done with if another entity came there.
static bool follow_entity(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    const ecs__spot_t spot = ecs__entity_find(&solver->store->entities, self->entity);
    const bool is_there = spot.table == self->table && spot.row == self->row;
    find_sets(sift, solver->store);
    if (!spot.table || !(is_there || sift->is_listed)) return false;
    *self = (ecs__value_t){ self->entity, spot.table, spot.row, 1 };
    return true;
}

static bool turn(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    if (sift->structure != solver->store->structure_stamp && !follow_entity(solver)) return false;
    const ecs_entity_t entity = solver->values[ECS__VAR_THIS].entity;
    for (int32_t t = 0; t < sift->count; t++)
        sift->tests[t].slot = ecs__sparse_slot(sift->tests[t].home, entity);
    for (int32_t t = sift->must - 1; t >= 0; t--) {
        ecs__sift_test_t *test = &sift->tests[t];
        if (!takes_edges(test) || !take_edge(solver, test, test->edge.id + 1)) continue;
        bool has_all = true;
        for (int32_t i = t + 1; i < sift->must && has_all; i++)
            has_all = !takes_edges(&sift->tests[i]) || take_edge(solver, &sift->tests[i], 0);
        return has_all;
    }
    return false;
}

bool ecs__sift_turn(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    if (!sift->may_turn || turn(solver)) return sift->may_turn;
    sift->may_turn = false;
    sift->end = sift->last;
    if (!sift->is_listed) sift->row = solver->values[ECS__VAR_THIS].row + 1;
    return false;
}

// ---- rows ----

ECS__APART int32_t ecs__sift_pass_all(ecs__sift_t *sift, int32_t row) {
    for (int32_t t = 0, agreed = 0; agreed < sift->must; t = t + 1 < sift->must ? t + 1 : 0) {
        const int32_t passed = ecs__sift_pass(sift, &sift->tests[t], row);
        agreed = passed == row ? agreed + 1 : 1;
        row = passed;
    }
    return row;
}

// ---- a list ----

static void begin_list(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    const ecs_component_record_t *record = ecs__id_record_get(solver->store, sift->tests[0].id);
    const int32_t count = ecs__sparse_count(record);
    ecs__ids_resize(&solver->listed, count);
    for (int32_t i = 0; i < count; i++)
        solver->listed.array[i] = ecs__sparse_holders(record)[i].entity;
    sift->row = 0;
    sift->end = count;
    sift->all.table = NULL;
    sift->is_inside = sift->may_turn = false;
}

static void enter_table(ecs__solver_t *solver, ecs_table_t *table) {
    ecs__sift_t *sift = &solver->sift;
    sift->all.table = table;
    sift->above = solver->store->above_stamp;
    sift->is_skipped =
        table->id >= solver->table_limit || table->flags & ecs__solver_skip(solver, ECS__VAR_THIS);
    sift->is_left_to_steps = !sift->is_skipped && is_left_to_steps(solver, table);
}

static inline bool passes(ecs__sift_t *sift, ecs_entity_t entity) {
    for (int32_t t = 0; t < sift->must; t++) {
        ecs__sift_test_t *test = &sift->tests[t];
        if (ecs__sift_has(test, entity) != (test->oper == EcsAnd)) return false;
    }
    return true;
}

bool ecs__sift_next_listed(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    for (; sift->row < sift->end; sift->row++) {
        const ecs_entity_t entity = solver->listed.array[sift->row];
        const ecs__spot_t spot = ecs__entity_find(&solver->store->entities, entity);
        if (!spot.table) continue;
        if (spot.table != sift->all.table || sift->above != solver->store->above_stamp)
            enter_table(solver, spot.table);
        if (sift->is_left_to_steps) return false;
        if (sift->is_skipped || !passes(sift, entity)) continue;
        ecs__sift_find(sift, entity);
        if (sift->has_star && !ecs__sift_take(solver)) return false;
        solver->values[ECS__VAR_THIS] = (ecs__value_t){ entity, spot.table, spot.row, 1 };
        sift->row++;
        return true;
    }
    return false;
}

static bool run_inside(ecs__solver_t *solver, const ecs__step_t *step) {
    ecs__sift_give_back(solver);
    solver->sift.is_inside = ecs__solver_run(solver, step->begin, step->end, false);
    return solver->sift.is_inside;
}

// The steps inside decide of the next one.
static bool run_next(ecs__solver_t *solver, const ecs__step_t *step) {
    const ecs_entity_t entity = solver->listed.array[solver->sift.row++];
    const ecs__spot_t spot = ecs__entity_spot(&solver->store->entities, entity);
    ecs__solver_bind(solver, ECS__VAR_THIS, spot.table, spot.row, 1);
    return run_inside(solver, step);
}

static void follow_list(ecs__solver_t *solver) {
    ecs__sift_t *sift = &solver->sift;
    if (sift->structure == solver->store->structure_stamp) return;
    find_sets(sift, solver->store);
    sift->all.table = NULL; // it may be gone
}

static bool next_of_list(ecs__solver_t *solver, const ecs__step_t *step) {
    ecs__sift_t *sift = &solver->sift;
    follow_list(solver);
    while (sift->row < sift->end) {
        if (ecs__sift_next_listed(solver)) {
            show_fields(solver);
            return true;
        }
        if (sift->row < sift->end && run_next(solver, step)) return true;
    }
    solver->values[ECS__VAR_THIS] = (ecs__value_t){ 0 };
    return false;
}

// ---- rows of one table ----

static bool next_of_rows(ecs__solver_t *solver, const ecs__step_t *step) {
    ecs__sift_t *sift = &solver->sift;
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    follow_rows(sift, solver->store);
    for (int32_t row; (row = ecs__sift_next(sift)) >= 0;) {
        *self = ecs__value_of_rows(sift->all.table, row, 1);
        const bool is_shown = !sift->has_star || ecs__sift_take(solver);
        if (is_shown) show_fields(solver);
        if (is_shown || run_inside(solver, step)) return true;
    }
    *self = sift->all;
    return false;
}

// The table may have come to an end in another way.
static bool begin_rows(ecs__solver_t *solver, bool redo) {
    ecs__sift_t *sift = &solver->sift;
    const bool is_old =
        redo && !sift->is_left_to_steps && sift->above != solver->store->above_stamp;
    if (!redo) begin(solver);
    if (is_old) begin_again(solver);
    return !redo || is_old;
}

bool ecs__step_sift(ecs__solver_t *solver, const ecs__step_t *step, bool redo) {
    ecs__sift_t *sift = &solver->sift;
    if (redo && sift->is_inside && ecs__solver_run(solver, step->begin, step->end, true))
        return true;
    if (redo && ecs__sift_turn(solver)) {
        show_fields(solver);
        return true;
    }
    sift->is_inside = false;
    ecs__sift_give_back(solver);
    if (sift->is_listed) {
        if (!redo) begin_list(solver);
        return next_of_list(solver, step);
    }
    const bool is_first = begin_rows(solver, redo);
    if (sift->is_left_to_steps) return is_first && run_inside(solver, step);
    return next_of_rows(solver, step);
}
