// SPDX-License-Identifier: MIT
// compared: a comparison with a variable needs another term to give that one a value.
#ifndef ECS_QUERY_GRAPH_COMPARED_H
#define ECS_QUERY_GRAPH_COMPARED_H

#include "query/graph/graph.h"

/** False, after one logged sentence, if nothing gives a value to a variable on the right side of a comparison. */
bool ecs__graph_check_compared(const ecs_world_t *world, const ecs__graph_t *graph);

#endif
