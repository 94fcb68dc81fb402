// SPDX-License-Identifier: MIT
// solver: results of a query with goals. An iterator owns a solver; when it ends its stage keeps it for the next. A search whose results
// are asked about by other searches, as in a system, needs several: the stage keeps some, the one that ended last first, so that each
// search finds the solver that it had before.
#include "query/iter/join.h"
#include "query/iter/result.h"
#include "query/iter/seen.h"
#include "query/query.h"
#include "world/state.h"

#define SPARE_MOST 4

// Threads without a stage of their own share the spare solvers of stage 0.
static void **spare_of(const ecs_iter_t *it) { return &ecs__stage_of(it->world)->solver; }

// All of them at once, so that nobody else takes one that is looked at.
static ecs__solver_t *take_all(void **spare) {
    ecs__solver_t *solver = ecs__load_ptr(spare);
    return solver && ecs__cas_ptr(spare, solver, NULL) ? solver : NULL;
}

static void give_all(void **spare, ecs__solver_t *solver) {
    if (solver && !ecs__cas_ptr(spare, NULL, solver)) ecs__solver_free(solver);
}

static ecs__solver_t *take_solver(const ecs_iter_t *it) {
    void **spare = spare_of(it);
    ecs__solver_t *solver = take_all(spare);
    if (!solver) return ecs__solver_new();
    give_all(spare, solver->others);
    solver->others = NULL;
    return solver;
}

ecs__solver_t *ecs__iter_solver(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__program_t *program = ecs__program_of(it);
    ecs__iter_open(it);
    if (!priv->eval) {
        priv->eval = take_solver(it);
        ecs__solver_begin(priv->eval, it->world, &it->real_world->store, program->graph,
            &program->plan, ecs__cache_of(it), it->flags & EcsIterMatchEmptyTables);
    }
    ecs__solver_t *solver = priv->eval;
    if (it->flags & EcsIterCut && !solver->is_cut) {
        solver->is_cut = true;
        solver->first = priv->position + 1;
        solver->first_row = priv->first_row;
        solver->last = priv->last;
        solver->last_row = priv->last_row;
    }
    if (it->flags & EcsIterProfile && !solver->profile) solver->profile = ecs__query_profile(it);
    if (it->flags & EcsIterInGroup && !solver->in_group) {
        solver->in_group = true;
        solver->group = priv->group;
    }
    if (priv->bound_table && !ecs__solver_has(solver, ECS__VAR_THIS)) {
        ecs__solver_bind(solver, ECS__VAR_THIS, priv->bound_table, priv->bound_row,
            priv->bound_end - priv->bound_row);
    }
    return solver;
}

static void give_solver(const ecs_iter_t *it, ecs__solver_t *solver) {
    void **spare = spare_of(it);
    ecs__solver_t *others = take_all(spare);
    const int32_t count = others ? others->spare_count : 0;
    if (count >= SPARE_MOST) {
        give_all(spare, others);
        ecs__solver_free(solver);
        return;
    }
    solver->others = others;
    solver->spare_count = count + 1;
    give_all(spare, solver);
}

void ecs__iter_free_solver(ecs_iter_t *it) {
    if (it->priv_.eval) give_solver(it, it->priv_.eval);
    it->priv_.eval = NULL;
    it->flags &= ~EcsIterGraph;
}

// ---- results ----

static void fill_from_way(ecs_iter_t *it, const ecs__solver_t *solver, const ecs__step_t *step,
    const ecs__step_state_t *state) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    const int32_t f = goal->term->field_index;
    ecs_entity_t source = state->source;
    if (!source && goal->src.kind == ECS__REF_ENTITY) source = goal->src.entity;
    if (!source && goal->src.kind == ECS__REF_VAR && goal->src.var != ECS__VAR_THIS)
        source = solver->values[goal->src.var].entity;
    it->ref_fields &= ~FIELD_BIT(f);
    it->up_fields &= ~FIELD_BIT(f);
    if (state->source) it->up_fields |= FIELD_BIT(f);
    it->set_fields |= FIELD_BIT(f);
    if (!state->in) // the source lost it since it was found
        ecs__iter_set_field(it, f, state->id, source, NULL, -1);
    else
        ecs__iter_set_field(it, f, state->in->type.array[state->index], source, state->in,
            ecs__table_column_at(state->in, state->index));
}

// What the steps of graph/direct.c found.
static void fill_from_steps(ecs_iter_t *it, ecs__solver_t *solver) {
    for (int32_t i = solver->begin; i < solver->end; i++) {
        const ecs__step_t *step = &solver->steps[i];
        ecs__step_state_t *state = &solver->states[i];
        if (step->kind != ECS__STEP_ASK || !state->is_fresh) continue;
        state->is_fresh = false;
        fill_from_way(it, solver, step, state);
    }
}

// Results that differ in hidden variables only come once.
static bool was_said(const ecs_iter_t *it, ecs__solver_t *solver) {
    return solver->graph->hidden && (*ecs_map_ensure(&solver->said, ecs__result_key(it)))++;
}

bool ecs__iter_next_solution(ecs_iter_t *it) {
    ecs__solver_t *solver = it->priv_.eval;
    if (!solver || !solver->has_run) solver = ecs__iter_solver(it);
    if (!solver->has_begun && !ecs__solver_start(solver)) return false;
    if (!solver->has_run && ecs__join_begin(it)) return ecs__join_first(it);
    while (ecs__solver_next(solver)) {
        const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
        bool with_empty = it->flags & EcsIterMatchEmptyTables;
        if (self->table && !self->count && !with_empty) continue;
        it->table = self->table;
        ecs_termset_t changed = ecs__solver_take_changed(solver);
        if (changed) {
            ecs__iter_keep_fields(it, ~changed);
            ecs__iter_fill_from_eval(it, &solver->result, changed);
        }
        fill_from_steps(it, solver);
        if (was_said(it, solver)) continue;
        return ecs__iter_show_run(it, self->row, self->row + self->count);
    }
    return false;
}
