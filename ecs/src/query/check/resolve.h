// SPDX-License-Identifier: MIT
// resolve: names in terms to ids.
#ifndef ECS_QUERY_CHECK_RESOLVE_H
#define ECS_QUERY_CHECK_RESOLVE_H

#include "query/check/checker.h"

/** Replace the names of a term by ids: sources, elements and the relationship to traverse. Names of
 * variables other than `$this` and texts to compare with stay. Refs end up as entity (EcsIsEntity)
 * or variable (EcsIsVariable), or unset. */
bool ecs__resolve_term(const ecs__checker_t *checker, int32_t term);

/** Replace the name of one part of a term; targets as in the whole term. */
bool ecs__resolve_ref(const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref);

/** Where the target of a OneOf relationship has to be: below the named parent, or below the
 * relationship itself; 0 for other relationships. */
ecs_entity_t ecs__oneof_parent(const ecs__checker_t *checker, ecs_entity_t relationship);

/** The entity that a name in a term means, 0 if there is none. */
ecs_entity_t ecs__resolve_name(const ecs_world_t *world, const char *name);

/** The terms are refused: entities of members that were made as they were named go again, and so do tables that
 * were made for them. */
void ecs__resolve_undo(const ecs_world_t *world, const ecs__terms_t *terms);

#endif
