// SPDX-License-Identifier: MIT
// direct: steps that ask the table of a known source for one id.
//
// Nothing is collected. If the second element is a variable without value, each pair of the relationship is a way. Where a table is the
// one of the time before, so is the place of the id in it. Fields are not filled here: states tell where they are (is_fresh).
#include "query/graph/place.h"
#include "query/graph/steps.h"
#include "storage/search.h"

// ---- ids ----

// What is looked for now; 0: the second element has no value.
static inline ecs_id_t id_of(
    const ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__step_t *step) {
    if (goal->second.kind != ECS__REF_VAR) return goal->id;
    ecs_id_t first = goal->id & ~(ecs_id_t)UINT32_MAX;
    if (step->is_open) return first | Ecs__Wildcard;
    ecs_entity_t second = solver->values[goal->second.var].entity;
    return second ? first | (uint32_t)second : 0;
}

static inline int32_t place_of(
    const ecs__step_t *step, const ecs__step_state_t *state, const ecs_table_t *table) {
    return step->is_open ? ecs__first_pair(table, state->id, state->hint)
                         : ecs__place_of(table, state->id, state->hint);
}

// Where a table has or inherits the id: state->in, source, index.
static bool look(ecs__step_state_t *state, const ecs__step_t *step, const ecs_term_t *term,
    const ecs_table_t *table) {
    const bool self = term->src.id & EcsSelf && !term->min_depth;
    const int32_t index = self ? place_of(step, state, table) : -1;
    state->source = 0;
    state->in = table;
    state->index = index;
    if (index >= 0) {
        state->hint = index;
        return true;
    }
    ecs__found_t found;
    if (!(term->src.id & EcsUp) || !ecs__search_up(table, state->id, term->trav, false, true,
                                       term->min_depth, term->max_depth, &found))
        return false;
    state->source = found.source;
    state->in = found.table;
    state->index = found.index;
    return true;
}

// ---- values ----

static bool bind_second(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    const ecs_id_t id = state->in->type.array[state->index];
    const ecs__entity_index_t *index = &solver->store->entities;
    const ecs__spot_t spot = ecs__entity_living(index, (uint32_t)ecs__id_second(id));
    if (!spot.table) return false;
    const int32_t var = goal->second.var;
    if (spot.table->flags & ecs__solver_skip(solver, var)) return false;
    if (state->source && goal->term->trav == Ecs__IsA && !ecs__id_is_inherited(solver->store, id))
        return false;
    solver->values[var] = (ecs__value_t){ ecs__entity_alive_id(index, (uint32_t)ecs__id_second(id)),
        spot.table, spot.row, 1 };
    state->mask |= ECS__VAR_BIT(var);
    return true;
}

// From state->index on, the next id that gives the second element a value.
static bool accept(ecs__solver_t *solver, const ecs__step_t *step, const ecs__goal_t *goal,
    ecs__step_state_t *state) {
    if (!step->is_open) return true;
    const ecs_type_t *type = &state->in->type;
    for (; state->index < type->count; state->index++) {
        const ecs_id_t id = type->array[state->index];
        if (ecs__pair_relationship(id) != ecs__pair_relationship(state->id)) break;
        if (bind_second(solver, goal, state)) return true;
    }
    return false;
}

static inline bool accept_next(ecs__solver_t *solver, const ecs__step_t *step,
    const ecs__goal_t *goal, ecs__step_state_t *state) {
    if (!step->is_open) return false;
    state->index++;
    return accept(solver, step, goal, state);
}

// Tables changed since the id was found: where the source has it now; of pairs, the one that gave the second element its value.
static bool look_again(ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state,
    const ecs_table_t *table) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (!table || !look(state, step, goal->term, table)) {
        state->in = NULL;
        return false;
    }
    if (!step->is_open) return true;
    const uint32_t second = (uint32_t)solver->values[goal->second.var].entity;
    state->index = ecs__table_search(state->in, (state->id & ~(ecs_id_t)UINT32_MAX) | second);
    if (state->index < 0) state->in = NULL;
    return state->in;
}

// ---- asking ----

static const ecs_table_t *table_of_source(const ecs__solver_t *solver, const ecs__ref_t *src) {
    if (src->kind == ECS__REF_VAR) return solver->values[src->var].table;
    return ecs__entity_table(&solver->store->entities, src->entity);
}

static bool ask_first(ecs__solver_t *solver, const ecs__step_t *step, const ecs__goal_t *goal,
    ecs__step_state_t *state) {
    const ecs_table_t *table = table_of_source(solver, &goal->src);
    const ecs_id_t id = id_of(solver, goal, step);
    if (!table || !id) return false;
    state->id = id;
    state->found = solver->store->structure_stamp;
    return look(state, step, goal->term, table) && accept(solver, step, goal, state);
}

static bool ask_next(ecs__solver_t *solver, const ecs__step_t *step, const ecs__goal_t *goal,
    ecs__step_state_t *state) {
    if (!step->is_open) return false;
    const bool is_old = state->found != solver->store->structure_stamp;
    state->found = solver->store->structure_stamp;
    if (is_old && !look_again(solver, step, state, table_of_source(solver, &goal->src)))
        return false;
    return accept_next(solver, step, goal, state);
}

void ecs__step_follow(ecs__solver_t *solver, const ecs__step_t *step) {
    ecs__step_state_t *state = &solver->states[step - solver->steps];
    const ecs__ref_t *src = &solver->graph->goals[step->goal].src;
    if (state->found == solver->store->structure_stamp) return;
    look_again(solver, step, state, table_of_source(solver, src));
}

bool ecs__step_ask(ecs__solver_t *solver, const ecs__step_t *step, bool redo) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    ecs__step_state_t *state = &solver->states[step - solver->steps];
    bool found = redo ? ask_next(solver, step, goal, state) : ask_first(solver, step, goal, state);
    state->is_fresh = true;
    if (!found) ecs__step_unbind(solver, state);
    return found;
}
