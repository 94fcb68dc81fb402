// SPDX-License-Identifier: MIT
// goals: steps that try the ways in which a goal holds, one after the other.
#include "query/graph/steps.h"
#include "query/graph/ways.h"

// ---- one way ----

static void set_field(ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__way_t *way) {
    if (goal->in_scope) return;
    if (goal->kind == ECS__GOAL_EQUAL || goal->kind == ECS__GOAL_MATCH ||
        goal->term->oper == EcsNotFrom) {
        ecs__goal_unset(solver, goal);
        solver->result.fields[goal->term->field_index].id = goal->term->id; // which alternative
        return;
    }
    int32_t field = goal->term->field_index;
    const ecs__ref_t *src = &goal->src;
    const bool is_this = ecs__ref_bit(src) == ECS__THIS_BIT && !src->path;
    ecs_entity_t source = way->source;
    if (!source && src->kind == ECS__REF_ANY) source = way->table->entities[way->row];
    if (!source && !is_this) source = ecs__ref_entity(solver, src);
    const ecs__field_found_t found = { way->id, source, way->in, way->index };
    ecs__eval_set(&solver->result, field, found, way->source != 0);
    solver->changed |= FIELD_BIT(field);
}

static bool bind_entity(
    ecs__solver_t *solver, ecs__step_state_t *state, const ecs__ref_t *ref, ecs_entity_t entity) {
    if (ref->kind != ECS__REF_VAR || ref->path || ref->trav) return true; // found around its value
    const ecs__spot_t spot = ecs__entity_find(&solver->store->entities, entity);
    return spot.table &&
           ecs__step_bind(solver, state, ref->var, ecs__value_of_rows(spot.table, spot.row, 1));
}

static bool binds_rows(const ecs__goal_t *goal) {
    return ecs__ref_bit(&goal->src) == ECS__THIS_BIT && !(goal->entities & ECS__THIS_BIT);
}

// One row of a way's sources, or for $this all of them at once.
static bool try_way(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state,
    const ecs__way_t *way, int32_t row) {
    if (way->table && goal->src.kind == ECS__REF_VAR) {
        bool is_whole = binds_rows(goal);
        int32_t first = is_whole ? way->row : way->row + row, count = is_whole ? way->count : 1;
        if (goal->by_row && !way->source &&
            !ecs__id_is_on(solver->store, way->table->entities[first], way->id))
            return false;
        if (!ecs__step_bind(
                solver, state, goal->src.var, ecs__value_of_rows(way->table, first, count)))
            return false;
    }
    if (goal->kind == ECS__GOAL_ID && !bind_entity(solver, state, &goal->first, way->first))
        return false;
    bool has_second = goal->kind == ECS__GOAL_ID && goal->term->id & ECS__PAIR;
    if (goal->kind == ECS__GOAL_MEMBER) has_second = true;
    if (goal->kind == ECS__GOAL_EQUAL && way->second) has_second = true;
    return !has_second || bind_entity(solver, state, &goal->second, way->second);
}

static int32_t rows_of(const ecs__goal_t *goal, const ecs__way_t *way) {
    bool is_single = !way->table || goal->src.kind != ECS__REF_VAR || binds_rows(goal);
    return is_single ? 1 : way->count;
}

static bool next_way(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    const bool is_old = state->found != solver->store->structure_stamp; // tables may be gone
    ecs__step_unbind(solver, state);
    for (; state->cursor < state->count; state->cursor++, state->row = 0) {
        ecs__way_t *way = &state->ways[state->cursor];
        if (is_old && !ecs__way_follow(solver, goal, way)) continue;
        while (state->row < rows_of(goal, way)) {
            if (try_way(solver, goal, state, way, state->row++)) {
                set_field(solver, goal, way);
                return true;
            }
            ecs__step_unbind(solver, state);
        }
    }
    return false;
}

// Nothing is known yet of what the goal mentions: it holds in the same ways each time, until rows move.
static bool is_alone(ecs__solver_t *solver, const ecs__goal_t *goal) {
    bool is_known = ecs__goal_is_by_entity(solver, goal); // by what is beside tables
    for (uint64_t vars = goal->vars; vars && !is_known; vars &= vars - 1)
        is_known = ecs__solver_has(solver, __builtin_ctzll(vars));
    return !is_known;
}

static bool first_way(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    const bool is_lost = ecs__places_lack(solver, goal);
    const uint64_t now = !is_lost && is_alone(solver, goal) ? solver->store->structure_stamp : 0;
    if (is_lost)
        state->count = 0;
    else if (!now || state->stamp != now)
        ecs__ways_collect(solver, goal, state);
    state->stamp = now;
    state->found = solver->store->structure_stamp;
    state->cursor = state->row = 0;
    return next_way(solver, goal, state);
}

// A goal whose variable has no value is skipped: it holds once.
static bool skip(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    state->count = state->cursor = 0;
    state->stamp = 0;
    state->done = true;
    ecs__goal_unset(solver, goal);
    return true;
}

bool ecs__step_goal(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (redo) return next_way(solver, goal, state);
    return ecs__solver_lacks(solver, step->maybe) ? skip(solver, goal, state)
                                                  : first_way(solver, goal, state);
}

bool ecs__step_optional(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (redo) return !state->done && next_way(solver, goal, state);
    state->done = false;
    if (ecs__solver_lacks(solver, step->maybe)) return skip(solver, goal, state);
    return first_way(solver, goal, state) || skip(solver, goal, state);
}

bool ecs__step_not(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    if (redo) return false;
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (ecs__solver_lacks(solver, step->maybe)) return true;
    bool found =
        step->is_asked ? ecs__step_ask(solver, step, false) : first_way(solver, goal, state);
    ecs__step_unbind(solver, state);
    ecs__goal_unset(solver, goal);
    // A From operator is a Not of its own (ways.c).
    return !found;
}
