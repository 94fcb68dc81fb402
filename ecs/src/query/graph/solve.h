// SPDX-License-Identifier: MIT
// solve: finds values for the variables of a graph with which all goals hold, one solution after the other.
//
// Steps run forward while they succeed and backward when one fails, which then takes its next way. What led nowhere is not tried again
// with other values of variables that have nothing to do with it. When a search begins, order.c
// puts the goals in the order in which they are cheapest, given what is bound already; so the order of terms in the query does not matter.
//
//   goal ─(values bound so far)─▶ ways, ways.c ─▶ first way: bind, go on ─▶ … ─▶ back: unbind, next way
//
// $this stands for rows of a table until a goal needs one entity (STEP_EACH takes them apart). Variables that only an Optional or an
// alternative binds may have no value: goals that mention one without value are skipped, and their field is not set.
// Scopes and alternatives are sequences of their own, behind those that run them.
// Threads: reads the store only; each thread has its own solver.
#ifndef ECS_QUERY_GRAPH_SOLVE_H
#define ECS_QUERY_GRAPH_SOLVE_H

#include <muster/ecs/ds/map.h>
#include "query/cache/cache.h"
#include "query/eval/rows.h"
#include "query/graph/graph.h"
#include "storage/instead.h"
#include "query/graph/sift.h"

typedef enum ecs__step_kind_t {
    ECS__STEP_FIXED, /* plain terms about constants */
    ECS__STEP_PLAN,  /* plain terms about $this */
    ECS__STEP_ALL,   /* a variable takes all values */
    ECS__STEP_EACH,  /* $this goes through its rows */
    ECS__STEP_SIFT,  /* the same, and each is asked for what is beside its table */
    ECS__STEP_PART,  /* steps that depend on none before */
    ECS__STEP_GOAL,
    ECS__STEP_ASK, /* a goal with is_direct whose source is known */
    ECS__STEP_NOT,
    ECS__STEP_OPTIONAL,
    ECS__STEP_SCOPE,
    ECS__STEP_CHAIN
} ecs__step_kind_t;

typedef struct ecs__step_t {
    uint8_t kind; /* ecs__step_kind_t */
    int8_t var;   /* ALL */
    int16_t goal;
    int16_t begin, end; /* SCOPE, PART, SIFT: steps inside; CHAIN: one SCOPE step per alternative */
    uint64_t maybe;     /* mentioned variables that may have no value */
    uint64_t uses, binds; /* variables on which it depends, and to which it gives a value */
    /* what a join (iter/join.h) may do in its own way: */
    bool is_plain;        /* PLAN: just own ids, and not as the cache has them */
    bool is_asked;        /* a goal with is_direct: its source is known, */
    bool is_found;        /* or looked for, if it has to hold; */
    bool is_open;         /* second is a variable without value */
    bool is_test;         /* holds once at most */
    ecs_termset_t fields; /* PART: that it fills */
    bool is_settled;      /* behind a solution, its other ways tell nothing new */
    bool with_empty;      /* EACH: a table without rows stands for itself */
} ecs__step_t;

/** One way in which a goal holds. */
typedef struct ecs__way_t {
    ecs_table_t *table; /* values of the source; NULL if it was known */
    int32_t row, count;
    ecs_entity_t first, second; /* values of the elements */
    ecs_id_t id;                /* for the field: what was found, … */
    ecs_entity_t source;        /* where: above or below; 0 = the source itself */
    const ecs_table_t *in;
    int32_t index;
    bool is_row; /* the source is one row, whatever its table has */
    /* what may be gone when the way is tried: the entity of that row, else the number of the table */
    uint64_t origin;
} ecs__way_t;

typedef struct ecs__step_state_t {
    ecs__way_t *ways;
    int32_t count, size;
    int32_t cursor, row; /* present way, and next row of its source */
    int32_t alternative;
    uint64_t mask;     /* variables bound here */
    ecs__value_t rows; /* EACH: what it takes apart; PLAN: $this, if it was bound before */
    bool done;
    uint64_t conflict; /* variables whose values are why the present one leads nowhere */
    bool is_solved;    /* it led to a solution */
    /* ASK: */
    ecs_id_t id;           /* that is looked for */
    const ecs_table_t *in; /* where it is, */
    ecs_entity_t source;   /* of whom; 0: the source itself */
    int32_t index;         /* place in the type */
    int32_t hint;          /* where it was in the last table */
    bool is_fresh;         /* the field was not shown */
    uint64_t
        stamp; /* PART: store->structure_stamp when it was begun; GOAL: for which ways are the same each time */
    uint64_t found; /* GOAL, ASK: for which tables and places are right */
} ecs__step_state_t;

typedef struct ecs__ids_t {
    uint64_t *array;
    int32_t count, size;
} ecs__ids_t;

/** Entities that a walk along a relationship reached. */
typedef struct ecs__reached_t {
    ecs__ids_t list;
    ecs_map_t seen; /* if there are many */
} ecs__reached_t;

/** What an iteration with EcsIterProfile counts. */
typedef struct ecs__profile_t {
    ecs__tally_t ops[ECS__PLAN_OPS_MAX];
    ecs__tally_t goals[FLECS_TERM_COUNT_MAX]; /* by term */
} ecs__profile_t;

#define ECS__STEPS_MAX (6 * FLECS_TERM_COUNT_MAX + 32)

/** What the order of steps depends on. */
typedef struct ecs__order_key_t {
    uint64_t graph;     /* its number; 0: none */
    uint64_t structure; /* store->structure_stamp */
    uint64_t bound;     /* variables with values, */
    uint64_t rows;      /* of these, those that stand for several entities */
    uint64_t mode;      /* how the cache is used; bits */
} ecs__order_key_t;

typedef struct ecs__join_t ecs__join_t;

typedef struct ecs__solver_t {
    const ecs__graph_t *graph;
    const ecs__plan_t *plan;
    const ecs__cache_t *cache; /* NULL: none, or not to be used */
    const ecs_world_t *world;
    const ecs__store_t *store;
    ecs__profile_t *profile; /* NULL: nobody asks */
    bool has_begun, has_run, with_empty;
    int32_t depth, next_depth; /* of entities to show now, and then; see plan->entity_cascade */
    uint64_t table_limit;      /* tables from this number on were made meanwhile */
    int32_t position;          /* in the cache */
    uint64_t moved, number, group;
    bool in_group; /* only matches of `group` */
    bool is_cut;   /* only matches [first, last], without some rows at both ends */
    int32_t first, first_row, last, last_row; /* last_row -1: to the end */
    int32_t row, row_end;                     /* rows of the present match */
    bool is_futile; /* the step tried again led to no solution, and will not with the same values */
    uint64_t reason; /* variables whose values are why the last sequence failed */
    ecs__instead_t instead;
    ecs__value_t values[ECS__VARS_MAX];
    ecs__eval_t fixed, own; /* the two parts of the plan */
    ecs__rows_t runs;       /* of the present table of the plan */
    ecs__eval_t result;     /* fields of the present solution */
    ecs_termset_t changed;  /* those that may differ from what was shown last */
    uint64_t shown;         /* store->structure_stamp then */
    ecs__step_t steps[ECS__STEPS_MAX];
    /* the order of steps stays from task to task, as long as nothing changed that it depends on */
    ecs__order_key_t key;
    int32_t step_count;
    int32_t begin, end; /* the outermost sequence */
    bool is_reordered;  /* `join` is from before */
    bool is_joined;     /* `join` does the same (iter/join.h) */
    /* alternatives are put in order: they also run with values that they could bind */
    bool in_chain;
    ecs__join_t *join;
    ecs__sift_t sift; /* of the SIFT step, if there is one */
    /* memory stays, too */
    ecs__ids_t firsts, seconds, ids, tables; /* for collecting ways */
    ecs__ids_t places;                       /* the same; see beside.c */
    ecs__ids_t around;                       /* the same: what is above or below a source */
    ecs__ids_t along;                        /* the relationship of places, and its kinds */
    ecs__ids_t listed;                       /* entities that a sift goes through */
    ecs__reached_t reached;                  /* the same; see expand.c */
    ecs_map_t said, noted; /* keys of results, and of what parts found, if variables are hidden */
    struct ecs__solver_t *others; /* while in no use: the next one of the stage that is in none */
    int32_t spare_count;          /* with those behind it */
#ifdef FLECS_DEBUG
    ecs_table_t *locked[ECS__VARS_MAX]; /* for the present result */
    int32_t locked_count;
#endif
    int32_t state_count; /* that were in use */
    ecs__step_state_t states[ECS__STEPS_MAX];
} ecs__solver_t;

/** A solver that can be given tasks, one after the other. */
ecs__solver_t *ecs__solver_new(void);
void ecs__solver_begin(ecs__solver_t *solver, const ecs_world_t *world, const ecs__store_t *store,
    const ecs__graph_t *graph, const ecs__plan_t *plan, const ecs__cache_t *cache, bool with_empty);
void ecs__solver_free(ecs__solver_t *solver);
/** Put steps in order, before the first solution. False if there are no solutions. */
bool ecs__solver_start(ecs__solver_t *solver);
/** No step has been run yet; lists of ways keep their memory. */
void ecs__solver_clear_states(ecs__solver_t *solver);
/** Find the next solution: solver->values and solver->result. */
bool ecs__solver_next(ecs__solver_t *solver);
/** Fields that have to be shown again, which counts as done now. */
ecs_termset_t ecs__solver_take_changed(ecs__solver_t *solver);
/** Rows moved: find the entities again that variables other than $this stand for; those that died have nothing. */
void ecs__solver_follow(ecs__solver_t *solver);
#ifdef FLECS_DEBUG
/** Lock the tables of values of graph->walked, but for variables that were given theirs, if others of them may be to come. */
void ecs__solver_lock(ecs__solver_t *solver, uint64_t given);
/** Unlock them. NULL: there is no solver yet. */
void ecs__solver_unlock(ecs__solver_t *solver);
#endif
/** Give a variable a value before the first solution. */
void ecs__solver_bind(
    ecs__solver_t *solver, int32_t var, ecs_table_t *table, int32_t row, int32_t count);

static inline bool ecs__solver_has(const ecs__solver_t *solver, int32_t var) {
    return solver->values[var].table != NULL;
}

/** Tables whose entities are no values of a variable: of others than $this, those that queries never find (`*` and `_` are such). */
static inline ecs_flags32_t ecs__solver_skip(const ecs__solver_t *solver, int32_t var) {
    return var == ECS__VAR_THIS ? solver->plan->skip : EcsTableNotQueryable;
}

/** True if results have to come as the tables of the cache do. */
static inline bool ecs__solver_goes_by_table(const ecs__solver_t *solver) {
    return solver->is_cut || (solver->cache && solver->cache->order);
}

/** True if some of the ids that the first element of a goal stands for may be beside tables, as others of their kind are, or those of a
 * list switched off (ways.c). */
bool ecs__goal_looks_beside(ecs__solver_t *solver, const ecs__goal_t *goal);

/** True if a goal has to ask entities one by one, as what they have beside tables counts, or what of a list, or of kinds, is switched
 * off. */
static inline bool ecs__goal_is_by_entity(ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (goal->is_beside || (goal->by_row && (goal->first.trav || goal->second.trav))) return true;
    const bool may_be = goal->may_be_beside & solver->store->beside || goal->kind == ECS__GOAL_FROM;
    return may_be && ecs__goal_looks_beside(solver, goal);
}

/** Put goals [first, last] in order, given what is bound; appends their steps (order.c). */
void ecs__solver_order(ecs__solver_t *solver, int32_t first, int32_t last, uint64_t bound,
    uint64_t maybe, uint64_t rows, int16_t *begin, int16_t *end);

/** True if a goal that only asks can be part of a sift. */
bool ecs__sift_can_ask(const ecs__goal_t *goal);
/** True if an entity, as $this, lacks something that it must have beside its table, where that inherits nothing. */
bool ecs__sift_lacks(const ecs__graph_t *graph, const ecs__store_t *store, ecs_entity_t entity);
/** Make one step of what finds $this, row by row or beside tables, and what asks for ids beside these, if that is in order (sift.c). */
void ecs__sift_make(ecs__solver_t *solver);
/** Variables take the first of what the `*` of tests that the present entity passes stand for. False if that is nothing for a variable, or several
 * for one who may have none: the steps inside decide. */
bool ecs__sift_take(ecs__solver_t *solver);
/** Take the next of these. False if it was the last one, or what the entity has was taken from it. */
bool ecs__sift_turn(ecs__solver_t *solver);
/** Find the next one of the list of a sift, while no table changes: $this, and sift->found. False: there is none, or the steps inside
 * decide of the one that is next. */
bool ecs__sift_next_listed(ecs__solver_t *solver);
/** True if there are parts to make. */
bool ecs__parts_exist(const ecs__solver_t *solver);
/** Make parts of steps that are in order, before the first of them is run (part.c). */
void ecs__parts_make(ecs__solver_t *solver);
/** Find the first, or (redo) the next way in which all steps of a sequence hold. */
bool ecs__solver_run(ecs__solver_t *solver, int32_t begin, int32_t end, bool redo);

/** The one entity a reference stands for; 0: none, or not known. */
ecs_entity_t ecs__ref_entity(const ecs__solver_t *solver, const ecs__ref_t *ref);

/** What an element stands for; an empty list means `*`. False if that is nothing. */
bool ecs__ref_list(ecs__solver_t *solver, const ecs__ref_t *ref, ecs__ids_t *out);

/** Find all ways in which a goal holds with the values bound now (ways.c). */
void ecs__ways_collect(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state);

/** Room for one more; what it holds is for the caller to write. */
ecs__way_t *ecs__step_add_way(ecs__step_state_t *state);
void ecs__ids_push(ecs__ids_t *ids, uint64_t id);
/** Room for `count` ids, which are to be written. */
void ecs__ids_resize(ecs__ids_t *ids, int32_t count);
void ecs__ids_sort(ecs__ids_t *ids);
#define ECS__ONE_ID(id) (&(ecs__ids_t){ .array = (uint64_t[]){ id }, .count = 1 })
/** Append what is reached along some relationships from the targets of a table (and of an entity of it, or 0), or from the sources of
 * an entity; each entity once, nearest first. Depth 0 = no limit. */
void ecs__expand_up(ecs__solver_t *solver, const ecs_table_t *table, ecs_entity_t entity,
    const ecs__ids_t *along, int32_t min, int32_t max, ecs__ids_t *out);
void ecs__expand_down(ecs__solver_t *solver, ecs_entity_t root, const ecs__ids_t *along,
    int32_t min, int32_t max, ecs__ids_t *out);
/** True if an entity is reached from those targets, in any number of steps or in one. */
bool ecs__expand_finds(ecs__solver_t *solver, const ecs_table_t *table, ecs_entity_t entity,
    const ecs__ids_t *along, bool in_one_step, ecs_entity_t wanted);
/** True if the last of these reached an entity, given by its index. */
bool ecs__is_reached(const ecs__reached_t *reached, uint32_t entity);

#endif
