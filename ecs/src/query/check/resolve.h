// SPDX-License-Identifier: MIT
// resolve: names in terms to ids.
#ifndef ECS_QUERY_CHECK_RESOLVE_H
#define ECS_QUERY_CHECK_RESOLVE_H

#include "query/check/checker.h"

/** Replace the names of a term by ids: sources, elements and the relationship to traverse. Names of
 * variables other than `$this` and texts to compare with stay. Refs end up as entity (EcsIsEntity)
 * or variable (EcsIsVariable), or unset. */
bool ecs__resolve_term(const ecs__checker_t *checker, int32_t term);

/** The name in reach that looks most like `name`, in memory of the caller; NULL if nothing is
 * close. */
char *ecs__suggest_name(const ecs_world_t *world, const char *name);

#endif
