// SPDX-License-Identifier: MIT
// term: what follows from a term alone.
#ifndef ECS_QUERY_PARSE_TERM_H
#define ECS_QUERY_PARSE_TERM_H

#include <muster/ecs/query.h>
#include "id/builtin.h"

#define FIELD_BIT(field) ((ecs_termset_t)((ecs_termset_t)1 << (field)))
/** The lowest of some. */
#define FIRST_FIELD(fields) __builtin_ctzll(fields)

/** In ecs_term_t.flags_: "@*", any number as target of a value pair. */
#define ECS__TERM_IS_VALUE (1u << 15)

/** True if instances get the id of a resolved term from their bases, so that it is looked for up
 * IsA unless the term says otherwise. Traits are read from the entity: there may be no record of
 * the id yet. */
bool ecs__term_is_inheritable(const ecs_world_t *world, const ecs_term_t *term);

/** True if pairs of a relationship are kept beside tables (storage/sparse_ids.h). */
bool ecs__relationship_is_beside(const ecs_world_t *world, ecs_entity_t relationship);
/** The id that tables have wherever a term about any, or no, target of such a relationship asks for
 * one; 0 if there is none. */
ecs_id_t ecs__term_presence(const ecs_world_t *world, const ecs_term_t *term);

/** True if an entity has a tag or pair itself; false for dead entities. */
bool ecs__has_trait(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t trait);

static inline bool ecs__is_from(int16_t oper) {
    return oper == EcsAndFrom || oper == EcsOrFrom || oper == EcsNotFrom;
}
/** True if terms of this id are scopes, or comparisons. */
static inline bool ecs__is_scope_id(ecs_entity_t first) {
    return first == Ecs__ScopeOpen || first == Ecs__ScopeClose;
}
static inline bool ecs__is_comparison_id(ecs_entity_t first) {
    return first == Ecs__PredEq || first == Ecs__PredNeq || first == Ecs__PredMatch ||
           first == Ecs__PredLookup;
}

/** How many of `count` terms are one Or chain that begins with the first of them: all but its last have EcsOr, and all share a field. */
static inline int32_t ecs__chain_length(const ecs_term_t *terms, int32_t count) {
    int32_t length = 1;
    while (length < count && terms[length - 1].oper == EcsOr) length++;
    return length;
}

#endif
