// SPDX-License-Identifier: MIT
// solver: how an iterator owns the solver of a query with goals. When the iterator ends its stage keeps one for the next.
#include "query/iter/iter.h"
#include "query/query.h"
#include "world/state.h"

// Without a stage of its own a thread may not touch stage 0 while others run.
static ecs__solver_t **spare_of(const ecs_iter_t *it) {
    if (ecs__iter_is_concurrent(it->real_world) && !ecs__is_stage(it->world)) return NULL;
    return &ecs__stage_of(it->world)->solver;
}

static ecs__solver_t *take_solver(const ecs_iter_t *it) {
    ecs__solver_t **spare = spare_of(it);
    if (!spare || !*spare) return ecs__solver_new();
    ecs__solver_t *solver = *spare;
    *spare = NULL;
    return solver;
}

ecs__solver_t *ecs__iter_solver(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__query_t *query = ecs__query_of(it->query);
    ecs__iter_open(it);
    if (!priv->eval) {
        priv->eval = take_solver(it);
        ecs__solver_begin(priv->eval, it->world, &it->real_world->store, query->graph, &query->plan,
            priv->source, it->flags & EcsIterMatchEmptyTables);
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

void ecs__iter_free_solver(ecs_iter_t *it) {
    ecs__solver_t **spare = spare_of(it);
    if (spare && !*spare)
        *spare = it->priv_.eval;
    else
        ecs__solver_free(it->priv_.eval);
    it->priv_.eval = NULL;
    it->flags &= ~EcsIterGraph;
}
