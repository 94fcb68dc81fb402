// SPDX-License-Identifier: MIT
// ways: a search for the ways in which one goal holds; what ways.c and beside.c share.
#ifndef ECS_QUERY_GRAPH_WAYS_H
#define ECS_QUERY_GRAPH_WAYS_H

#include "query/graph/solve.h"

typedef struct ecs__search_t {
    ecs__solver_t *solver;
    const ecs__goal_t *goal;
    const ecs_term_t *term;
    ecs__step_state_t *state;
    bool once;           /* sets and `_`: one way per source is enough */
    bool is_one;         /* `_` as source: so is one way in all */
    bool by_entity;      /* ids or targets beside tables count: sources are asked one by one */
    ecs_table_t *table;  /* of a candidate, NULL: the source is known */
    ecs_entity_t entity; /* the source, if it is one that is known */
} ecs__search_t;

ecs__way_t *ecs__way_push(const ecs__search_t *search);
/** Values of the elements for an id that was found. False if one that is needed is dead. */
bool ecs__way_set_elements(const ecs__search_t *search, ecs__way_t *way, ecs_id_t id);
/** False for ids that are switched off or not passed on. */
bool ecs__way_counts(const ecs__search_t *search, ecs_id_t id, ecs_entity_t source, bool inherited);
/** Tables whose entities are no sources. */
static inline ecs_flags32_t ecs__way_skip(const ecs__search_t *search) {
    const ecs__ref_t *src = &search->goal->src;
    return ecs__solver_skip(search->solver, src->kind == ECS__REF_VAR ? src->var : -1);
}
/** False for tables that the source may not be of, and those made since the search began. */
bool ecs__way_is_candidate(const ecs__search_t *search, const ecs_table_t *table);
/** Add the ways in which one entity satisfies the goal. */
void ecs__ways_of_entity(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity);
/** Put the tables of the ids to look for, and of (trav, *), in solver->tables. */
void ecs__ways_list_tables(const ecs__search_t *search);

/** The same for a transitive or reflexive relationship (places.c): with what can be reached from the entities of a table (one of
 * them, or 0), */
void ecs__places_of_entity(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity);
/** and with all who can reach the place that is asked for. */
void ecs__places_collect(ecs__search_t *search);

/** Add the ids beside its table that an entity has; source 0: the source itself. */
bool ecs__beside_add(const ecs__search_t *search, ecs_entity_t holder, ecs_entity_t source,
    bool is_above, ecs_id_t id);
/** The nearest entity above that has an id, in its table or beside it, or 0. */
ecs_entity_t ecs__beside_above(const ecs__search_t *search, ecs_entity_t entity, ecs_id_t id);
/** Add the ways of all entities that may satisfy the goal. */
void ecs__beside_collect(ecs__search_t *search);

/** Add the ways in which a member of the source's value is the entity that is asked for. */
void ecs__member_collect(ecs__search_t *search);

#endif
