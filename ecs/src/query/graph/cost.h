// SPDX-License-Identifier: MIT
// cost: how many candidates the index lists, for those who put goals in order.
#ifndef ECS_QUERY_GRAPH_COST_H
#define ECS_QUERY_GRAPH_COST_H

#include "query/graph/solve.h"

/** Tables, or entities in them, that the plain terms would go through. */
int64_t ecs__cost_of_tables(const ecs__solver_t *solver);
int64_t ecs__cost_of_rows(const ecs__solver_t *solver);
/** Sources of a goal, and what it takes to go from one to the next. */
int64_t ecs__cost_of_sources(const ecs__solver_t *solver, const ecs__goal_t *goal);
/** Sources that have one of the targets of a goal, on average, or of a transitive one all; 0: few, or not known. */
int64_t ecs__cost_of_target(const ecs__solver_t *solver, const ecs__goal_t *goal);
/** Few candidates are as good as none: then goals come as they are written, lest the order of results hangs on what small worlds
 * happen to have. */
int64_t ecs__cost_beyond_few(int64_t candidates);

#endif
