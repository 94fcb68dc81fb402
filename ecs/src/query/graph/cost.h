// SPDX-License-Identifier: MIT
// cost: how many candidates the index lists, for those who put goals in order.
#ifndef ECS_QUERY_GRAPH_COST_H
#define ECS_QUERY_GRAPH_COST_H

#include "query/graph/solve.h"

/** Tables, or entities in them, that the plain terms would go through. */
int64_t ecs__cost_of_tables(const ecs__solver_t *solver);
int64_t ecs__cost_of_rows(const ecs__solver_t *solver);
/** What it takes to find the sources of a goal. */
int64_t ecs__cost_of_sources(const ecs__solver_t *solver, const ecs__goal_t *goal);

#endif
