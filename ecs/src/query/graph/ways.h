// SPDX-License-Identifier: MIT
// ways: a search for the ways in which one goal holds; what the files that collect them share.
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

static inline bool ecs__ref_is_known(const ecs__solver_t *solver, const ecs__ref_t *ref) {
    if (ref->kind == ECS__REF_VAR) return ecs__solver_has(solver, ref->var);
    return ref->kind == ECS__REF_ENTITY;
}
/** True for variables without value. */
static inline bool ecs__ref_is_open(const ecs__solver_t *solver, const ecs__ref_t *ref) {
    return ref->kind == ECS__REF_VAR && !ecs__ref_is_known(solver, ref);
}
/** True if an element of the id is such a variable. */
static inline bool ecs__way_is_open(const ecs__search_t *search) {
    return ecs__ref_is_open(search->solver, &search->goal->first) ||
           ecs__ref_is_open(search->solver, &search->goal->second);
}

ecs__way_t *ecs__way_push(const ecs__search_t *search);
/** One row of the candidate's table is the source. */
void ecs__way_take_row(ecs__way_t *way, int32_t row);
/** Tables changed since a way was found: false if it is gone with its source, or what the source had. */
bool ecs__way_follow(const ecs__solver_t *solver, const ecs__goal_t *goal, ecs__way_t *way);
/** Add the way of an id that was found by a pattern; source 0: the source itself. NULL if an element whose value is needed is dead. */
ecs__way_t *ecs__way_add(
    const ecs__search_t *search, ecs_id_t id, ecs_id_t pattern, ecs_entity_t source);
/** True if a value of this type (NULL: none) can be read as the component that the goal names. */
bool ecs__way_fits(const ecs__search_t *search, const ecs_type_info_t *type);
/** False for ids that are switched off or not passed on. */
bool ecs__way_counts(const ecs__search_t *search, ecs_id_t id, ecs_entity_t source, bool inherited);
/** Tables whose entities are no sources. */
static inline ecs_flags32_t ecs__way_skip(const ecs__search_t *search) {
    const ecs__ref_t *src = &search->goal->src;
    return ecs__solver_skip(search->solver, src->kind == ECS__REF_VAR ? src->var : -1);
}
/** False for tables that the source may not be of, and those made since the search began. */
bool ecs__way_is_candidate(const ecs__search_t *search, const ecs_table_t *table);
/** The table of an entity that is asked, NULL if it is dead. */
static inline const ecs_table_t *ecs__way_table_of(
    const ecs__search_t *search, ecs_entity_t entity) {
    return ecs__instead_table(search->solver->store, &search->solver->instead, entity);
}
/** Add the ids of a table that match; source 0: the source itself. True if there are any. */
bool ecs__way_add_matches(
    const ecs__search_t *search, const ecs_table_t *in, ecs_entity_t source, ecs_id_t id);
/** Add the ways in which one entity satisfies the goal. */
void ecs__ways_of_entity(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity);
/** Add the ways of each entity there is. */
void ecs__ways_collect_everyone(ecs__search_t *search);
/** False if nobody has an id from above: no target that the term walks along has it, or had. */
bool ecs__way_may_be_above(const ecs__store_t *store, const ecs_term_t *term, ecs_id_t id);
/** The same for all ids to look for. */
bool ecs__ways_may_be_above(const ecs__search_t *search);
/** Put the tables of the ids to look for, and if need be of (trav, *), in solver->tables. */
void ecs__ways_list_tables(const ecs__search_t *search);
/** Put the places of all entities that may have the ids to look for, beside tables or in them, in solver->places (beside.c): the index of
 * the table and, in the lower half, the row. */
void ecs__ways_list_places(const ecs__search_t *search);
static inline ecs_table_t *ecs__ways_table(const ecs__solver_t *solver, int32_t i) {
    return solver->store->tables[solver->tables.array[i] >> 32];
}
/** The number of the first of the ids that the table has itself; how many there are, if none. */
static inline int32_t ecs__ways_first(const ecs__solver_t *solver, int32_t i) {
    return (int32_t)(uint32_t)solver->tables.array[i];
}

/** Add the ways through what is around a source: the nearest that has an id (around.c), or for `all` each that has one of several, … */
bool ecs__around_add(const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity,
    const uint64_t *ids, int32_t count);
/** … or, if a variable is to take all values, all ids of a pattern that the ways from `first` on do not have. `hides`: nor the
 * source itself. */
bool ecs__around_takes_all(const ecs__search_t *search, ecs_id_t id);
void ecs__around_add_all(const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity,
    ecs_id_t pattern, int32_t first, bool hides);
/** The position of the id, of those to look for, that is nearest above; 0 if there is none. */
int32_t ecs__around_nearest(const ecs__search_t *search, const ecs_table_t *table);

/** The same for a transitive or reflexive relationship (places.c): with what can be reached from the entities of a table (one of
 * them, or 0), */
void ecs__places_of_entity(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity);
/** True if it is known who is asked for which place, and found at once that the source does not reach it; */
bool ecs__places_lack(ecs__solver_t *solver, const ecs__goal_t *goal);
/** and with all who can reach the place that is asked for. */
void ecs__places_collect(ecs__search_t *search);

/** Add the ids beside its table that an entity has; source 0: the source itself. */
bool ecs__beside_add(
    const ecs__search_t *search, ecs_entity_t holder, ecs_entity_t source, ecs_id_t id);
/** True if that is all that is asked of the source, search->entity. */
static inline bool ecs__way_is_own_beside(const ecs__search_t *search, const ecs_table_t *table) {
    return search->goal->is_own_beside && search->entity && !search->solver->instead.entity &&
           !(table->flags & EcsTableHasIsA);
}
/** Add what it has there then. */
void ecs__beside_ask(const ecs__search_t *search);
/** True if the first above the source, search->entity, has all that is asked for, which is added: else there is more to ask. */
bool ecs__way_add_first(const ecs__search_t *search);
/** Add the ways of all entities that may satisfy the goal. */
void ecs__beside_collect(ecs__search_t *search);

/** Add the ways in which the source is, or has the name of, what it is compared with (compare.c). */
void ecs__equal_collect(ecs__search_t *search);
/** The same for a part of the name, or `!` and a part that it may not have. */
void ecs__named_like_collect(ecs__search_t *search);

/** Add the ways in which a member of the source's value is the entity that is asked for. */
void ecs__member_collect(ecs__search_t *search);

#endif
