// SPDX-License-Identifier: MIT
// steps: what the kinds of steps share, and how each is run.
//
// A step is run anew, or again (`redo`) for its next way; true if it holds. What it gave to variables is taken back first.
#ifndef ECS_QUERY_GRAPH_STEPS_H
#define ECS_QUERY_GRAPH_STEPS_H

#include "query/graph/solve.h"

// ---- values ----

static inline ecs__value_t ecs__value_of_rows(ecs_table_t *table, int32_t row, int32_t count) {
    ecs_entity_t entity = count == 1 && row < table->count ? table->entities[row] : 0;
    return (ecs__value_t){ entity, table, row, count };
}

/** The target of a pair that is kept beside tables becomes a value; false if it is none, or in a table with one of these flags. */
static inline bool ecs__take_target(
    const ecs__store_t *store, ecs_id_t pair, ecs_flags32_t skip, ecs__value_t *value) {
    if (ECS_IS_VALUE_PAIR(pair)) return false;
    const ecs_entity_t target = ecs__entity_alive_id(&store->entities, ecs__id_second(pair));
    const ecs__spot_t spot = ecs__entity_find(&store->entities, target);
    if (!spot.table || spot.table->flags & skip) return false;
    *value = (ecs__value_t){ target, spot.table, spot.row, 1 };
    return true;
}

/** True if a variable has, or now gets, this value. */
static inline bool ecs__step_bind(
    ecs__solver_t *solver, ecs__step_state_t *state, int32_t var, ecs__value_t value) {
    ecs__value_t *own = &solver->values[var];
    if (own->table) return value.entity && own->entity == value.entity;
    if (value.table->flags & ecs__solver_skip(solver, var)) return false;
    *own = value;
    state->mask |= ECS__VAR_BIT(var);
    return true;
}

/** Take back the values that a step gave. */
static inline void ecs__step_unbind(ecs__solver_t *solver, ecs__step_state_t *state) {
    for (; state->mask; state->mask &= state->mask - 1) {
        solver->values[__builtin_ctzll(state->mask)] = (ecs__value_t){ 0 };
    }
}

/** Those of the variables that have a value. */
static inline uint64_t ecs__solver_bound(const ecs__solver_t *solver, uint64_t vars) {
    uint64_t bound = 0;
    for (; vars; vars &= vars - 1) {
        if (ecs__solver_has(solver, __builtin_ctzll(vars))) bound |= vars & -vars;
    }
    return bound;
}

/** True if one of the variables has no value. */
static inline bool ecs__solver_lacks(const ecs__solver_t *solver, uint64_t vars) {
    return ecs__solver_bound(solver, vars) != vars;
}

// ---- fields ----

static inline void ecs__solver_unset(ecs__solver_t *solver, int32_t field) {
    ecs__eval_unset(&solver->result, field);
    solver->changed |= FIELD_BIT(field);
}

/** The field of a goal; what is in a scope has none. */
static inline void ecs__goal_unset(ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (!goal->in_scope) ecs__solver_unset(solver, goal->term->field_index);
}

// ---- kinds ----

/** Run the step at a position, whatever its kind (solve.c). */
bool ecs__step_run(ecs__solver_t *solver, int32_t at, bool redo);
/** It is not tried again: take back what it gave. */
void ecs__step_cancel(ecs__solver_t *solver, int32_t at);
/** That it fills. */
ecs_termset_t ecs__step_fields(const ecs__solver_t *solver, const ecs__step_t *step);

/** Plain terms about constants, and about $this (tables.c). */
bool ecs__step_fixed(ecs__solver_t *solver, bool redo);
bool ecs__step_plan(ecs__solver_t *solver, ecs__step_state_t *state, bool redo);
/** A variable takes all values; $this goes through its rows. */
bool ecs__step_all(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo);
bool ecs__step_each(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo);
/** What they took apart, or found, is $this as it was. */
static inline void ecs__step_give_back(ecs__solver_t *solver, const ecs__step_state_t *state) {
    solver->values[ECS__VAR_THIS] = state->rows;
}

/** The same, and asks each what it has beside its table (sift.c). */
bool ecs__step_sift(ecs__solver_t *solver, const ecs__step_t *step, bool redo);
/** Its variables have no values. */
static inline void ecs__sift_give_back(ecs__solver_t *solver) {
    for (int32_t t = 0; t < solver->sift.must; t++) {
        const int8_t var = solver->sift.tests[t].var;
        if (var >= 0) solver->values[var] = (ecs__value_t){ 0 };
    }
}

/** The table of a source is asked for one id (direct.c). */
bool ecs__step_ask(ecs__solver_t *solver, const ecs__step_t *step, bool redo);
/** Tables changed: find again where the present source has the id; state->in: NULL if nowhere. */
void ecs__step_follow(ecs__solver_t *solver, const ecs__step_t *step);

/** All ways in which a goal holds; once more without, if there are none; one test that there are none (goals.c). */
bool ecs__step_goal(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo);
bool ecs__step_optional(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo);
bool ecs__step_not(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo);

/** Steps that hold in the same ways whatever comes before them (part.c). */
bool ecs__step_part(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo);

#endif
