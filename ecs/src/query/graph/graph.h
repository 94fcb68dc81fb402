// SPDX-License-Identifier: MIT
// graph: the terms of a query that the plan cannot run, as goals over variables.
//
// The plan (plan/, eval/) asks tables about constants. What needs more is a goal here: variables, comparisons, scopes, From operators,
// sets of ids (kinds, transitive targets, traversal of elements), going down, going on after the first ancestor. A query without such
// terms has no graph. Plain terms stay in the plan, which takes part in the search as one goal (solve.h), cached or not.
// Variable 0 is $this; the others stand for one entity each.
// Threads: constant after creation.
#ifndef ECS_QUERY_GRAPH_GRAPH_H
#define ECS_QUERY_GRAPH_GRAPH_H

#include <muster/ecs/ds/strbuf.h>
#include <muster/ecs/query.h>
#include "query/plan/plan.h"

#define ECS__VARS_MAX FLECS_QUERY_VARIABLE_COUNT_MAX /* a bit each */
#define ECS__VAR_THIS 0
#define ECS__VAR_BIT(var) (1ull << (var))
#define ECS__THIS_BIT ECS__VAR_BIT(ECS__VAR_THIS)

typedef enum ecs__ref_kind_t {
    ECS__REF_NONE, /* no second element, no source */
    ECS__REF_ENTITY,
    ECS__REF_VAR,
    ECS__REF_STAR, /* all, one result each */
    ECS__REF_ANY   /* some */
} ecs__ref_kind_t;

typedef struct ecs__ref_t {
    uint8_t kind; /* ecs__ref_kind_t */
    int8_t var;
    bool with_self;               /* the entity itself is in the set of entities meant */
    bool with_up, with_down;      /* so are its targets, its sources along `trav` */
    int16_t min_depth, max_depth; /* that count along `trav`; 0 = no limit */
    ecs_entity_t entity;
    ecs_entity_t trav;
    const char *path; /* "$var.path": the child of the variable's value; ENTITY without entity: its
                         name, which is looked up each time */
} ecs__ref_t;

/** The variable that it is. */
static inline uint64_t ecs__ref_bit(const ecs__ref_t *ref) {
    return ref->kind == ECS__REF_VAR ? ECS__VAR_BIT(ref->var) : 0;
}

typedef enum ecs__goal_kind_t {
    ECS__GOAL_NONE,   /* plain term, or the end of a scope */
    ECS__GOAL_ID,     /* source has id */
    ECS__GOAL_MEMBER, /* a member of the source's value is an entity */
    ECS__GOAL_EQUAL,
    ECS__GOAL_MATCH, /* name contains */
    ECS__GOAL_FROM,
    ECS__GOAL_SCOPE
} ecs__goal_kind_t;

typedef struct ecs__goal_t {
    const ecs_term_t *term;
    ecs__ref_t src, first, second;
    uint64_t vars;               /* mentioned, those of a scope included */
    uint64_t entities;           /* mentioned in a way that needs one entity */
    uint64_t sources;            /* can be found by the goal */
    uint64_t lookups;            /* have to be known, to look up children by name */
    uint8_t kind;                /* ecs__goal_kind_t */
    ecs_entity_t component;      /* MEMBER: whose member, */
    ecs_size_t offset;           /* and where */
    const ecs_type_info_t *base; /* what kinds of the id are read as, or NULL */
    bool transitive, reflexive;
    bool is_root;   /* the source has no parent */
    bool by_row;    /* the id can be switched off for single entities */
    bool is_beside; /* ids, or targets of the relationship walked along, are kept beside tables */
    bool is_own_beside;    /* just an id that a source has there, or not, if it inherits nothing */
    bool is_above;         /* just an id of the table of who is above, */
    bool is_above_beside;  /* or of what that has beside it */
    bool is_parent;        /* just (ChildOf, x), where some have their parents by component */
    bool is_ordered;       /* children in the order that their parent keeps */
    uint8_t may_be_beside; /* ids of this kind may match, those too: ecs__beside_kind; else 0 */
    bool in_scope;         /* fills no field */
    bool is_direct;        /* just an id that tables tell of */
    ecs_id_t id;           /* that one; (R, *) if its second element is a variable */
    int8_t end;            /* scope: its closing term */
    int8_t chain; /* last term of the Or chain that begins here; its own position without chain */
} ecs__goal_t;

/** True if it holds in several ways by nature. */
static inline bool ecs__goal_has_star(const ecs__goal_t *goal) {
    return goal->first.kind == ECS__REF_STAR || goal->second.kind == ECS__REF_STAR;
}

/** The same, or because each that is above or below counts. */
static inline bool ecs__goal_has_ways(const ecs__goal_t *goal) {
    return ecs__goal_has_star(goal) || goal->term->src.id & EcsAll;
}

typedef struct ecs__graph_t {
    uint64_t number;    /* of the graphs of the world */
    ecs__goal_t *goals; /* one per term of the query */
    int32_t count;
    int32_t var_count;
    char *names[ECS__VARS_MAX]; /* NULL for `*` and `_` as sources */
    /* variables that are anonymous: they tell no results apart, nor do fields of goals that mention them, and (if not of `*` or
     * alternatives) the ids of these */
    uint64_t hidden;
    ecs_termset_t hidden_fields, hidden_ids;
    /* variables that terms are about, but $this: rows may be gone through for them */
    uint64_t walked;
    bool has_beside;  /* some goal has is_beside */
    bool has_ordered; /* or is_ordered */
    ecs_termset_t
        goal_terms; /* all that the plan leaves to the search, ends of scopes too, and of them those */
    /* that hold for all rows of a table, or for none, see ecs__stand_ins_t */
    ecs_termset_t table_goals;
    ecs_termset_t plan_fields;  /* fields the plan fills: about $this, */
    ecs_termset_t fixed_fields; /* about constants */
} ecs__graph_t;

/** Where terms name something that has kinds, or had some, or is not told by tables alone: some bits for each. */
typedef struct ecs__kinds_t {
    uint8_t terms[FLECS_TERM_COUNT_MAX];
    bool has_any;
} ecs__kinds_t;
/** True if they do so in places that were not noted; they are from now on, whatever becomes of the kinds: it happens a few times at most. */
bool ecs__graph_note_kinds(const ecs_world_t *world, const ecs_query_t *query, ecs__kinds_t *kinds);
/** Find the goals among checked terms, and name the variables in query->vars. Results that have an order are gone through once. *out is NULL if there are no goals. False after one logged sentence. */
bool ecs__graph_new(const ecs_world_t *world, ecs_query_t *query, const ecs__kinds_t *kinds,
    bool is_ordered, ecs__graph_t **out);
void ecs__graph_free(ecs__graph_t *graph);
/** One goal per line, in the order of the query: which comes first is decided when an iteration begins. */
void ecs__graph_str(const ecs__graph_t *graph, const ecs__tally_t *tallies,
    const ecs_world_t *world, ecs_strbuf_t *out);

#endif
