// SPDX-License-Identifier: MIT
// plan: a checked query as a small program, and the id records it works with.
//
// Layout of the operations:
//
//   [ conditions on constant sources | scan | conditions on $this ]
//     0 …                              scan   scan + 1 …            count
//
// Run from 0 it finds all results. The part before `scan` alone tells whether (and in how many
// ways) the constant sources match; the part from `scan` on tells it for tables, which is what a
// cache keeps. Results come in the same order either way.
// A plan holds the records of all its ids ("in use by queries"), so pointers to them stay valid as
// long as it lives.
// Threads: constant after compilation.
#ifndef ECS_QUERY_PLAN_PLAN_H
#define ECS_QUERY_PLAN_PLAN_H

#include <muster/ecs/ds/strbuf.h>
#include "query/parse/term.h"
#include "storage/store.h"

typedef enum ecs__op_code_t {
#define OP(code, name) ECS__OP_##code,
#include "query/plan/op.def"
#undef OP
} ecs__op_code_t;

typedef struct ecs__op_t {
    ecs_id_t id;                         /* what is looked for; EcsAny is EcsWildcard with `once` */
    ecs_entity_t source;                 /* a constant, or 0 for $this */
    ecs_entity_t trav;                   /* relationship to go up, or 0 */
    ecs_component_record_t *record;      /* of id */
    ecs_id_t shown;                      /* to report if `once` */
    ecs_component_record_t *trav_record; /* of (trav, *), or NULL */
    int32_t min_depth, max_depth;
    int16_t next, previous; /* where to go on success, and to try again on failure */
    int16_t count;          /* EITHER: number of alternatives; they lie behind it */
    uint8_t code;           /* ecs__op_code_t */
    int8_t field;
    bool self;     /* ids of the source itself count */
    bool wildcard; /* may match in several ways */
    bool once;     /* but is asked for one only */
    bool by_row;   /* rows of a table that matches may differ: the id can be switched off */
} ecs__op_t;

#define ECS__PLAN_OPS_MAX (2 * FLECS_TERM_COUNT_MAX + 1)

typedef struct ecs__plan_t {
    ecs__op_t *ops;
    int16_t count;
    int16_t scan; /* position of SCAN; `count` when no term is about $this */
    int8_t field_count;
    bool nothing;   /* no term is matched at all: no results */
    bool stands_in; /* no plain term is about $this: what is here is for those who need tables */
    bool plain;     /* $this has some concrete ids, itself or (see isa) through IsA; that is all */
    ecs_termset_t plain_fields;  /* fields that are set in each match of a plain plan */
    ecs_termset_t goal_fields;   /* fields of terms that the plan leaves to the search */
    ecs_termset_t row_fields;    /* fields whose values may be stored apart from tables */
    bool own;                    /* no term about $this looks above it */
    bool by_row;                 /* an operation about $this is: see eval/rows.h */
    bool in_ways;                /* a table may match in several */
    bool holds_in_ways;          /* constants may; all tables come for each of them */
    ecs_flags32_t skip;          /* tables with one of these flags are not for this query */
    uint64_t bloom;              /* of the ids $this must have itself */
    uint64_t bloom_or_isa;       /* and of those it must have, or inherit */
    ecs_component_record_t *isa; /* record of (IsA, *) if a term goes up IsA, else NULL */
    ecs_entity_t cascade;        /* relationship by whose depth results are ordered, 0 = none */
    ecs_entity_t entity_cascade; /* the same where each entity of a table has its own depth */
    bool descending;
    ecs_id_t *ids;         /* per field: id to report when the result does not decide it */
    ecs_entity_t *sources; /* per field: constant source or 0 */
    ecs_component_record_t **held;
    int32_t held_count;
    bool is_loose; /* what is held may be deleted all the same */
} ecs__plan_t;

/** Terms, a bit each, that are goals but also tell about tables: where no plain term is about $this
 * they stand in for one, so that results have an order by tables, or can be parted. */
typedef struct ecs__stand_ins_t {
    ecs_termset_t terms;
    bool is_needed; /* if no term can stand in, all tables do */
} ecs__stand_ins_t;

/** Compile the plain terms of a checked query: all but `goals`, a bit each (graph/graph.h). */
void ecs__plan_compile(ecs__plan_t *plan, ecs__store_t *store, const ecs_query_t *query,
    ecs_termset_t goals, ecs__stand_ins_t stand_ins);
/** Let go of the records and free the plan. */
void ecs__plan_fini(ecs__plan_t *plan, ecs__store_t *store);
/** The record of an id, held until all are released (hold.c). */
ecs_component_record_t *ecs__plan_hold(ecs__plan_t *plan, ecs__store_t *store, ecs_id_t id);
void ecs__plan_release(ecs__plan_t *plan, ecs__store_t *store);
/** From now on the plan does not keep the ids that it names from being deleted. */
void ecs__plan_loosen(ecs__plan_t *plan);

/** How often an operation or a goal was tried, and held. */
typedef struct ecs__tally_t {
    int64_t tried, held;
} ecs__tally_t;

static inline void ecs__tally(ecs__tally_t *tally, bool held) {
    tally->tried++;
    tally->held += held;
}
void ecs__tally_str(const ecs__tally_t *tally, ecs_strbuf_t *out);

/** One operation per line, with its tally unless `tallies` is NULL. */
void ecs__plan_str(const ecs__plan_t *plan, const ecs__tally_t *tallies, const ecs_world_t *world,
    ecs_strbuf_t *out);

/** True if a source has the id itself or inherits it. */
static inline bool ecs__op_is_own_or_isa(const ecs__op_t *op) {
    return op->self && (!op->trav || op->trav == Ecs__IsA);
}

/** The record whose listeners hear of every new table that can meet an operation (if
 * ecs__plan_rarest allows a key); of EITHER, each alternative has its own. */
static inline ecs_component_record_t *ecs__op_key(const ecs__op_t *op) {
    return op->self ? op->record : op->trav_record;
}

/** False if nobody above any table has the id now, so that going up finds nothing. */
static inline bool ecs__op_may_find_above(const ecs__op_t *op) {
    const ecs_id_t first = ECS_IS_PAIR(op->id) ? ecs__id_first(op->id) : op->id;
    return op->trav_record &&
           (first == Ecs__Wildcard || op->record->sparse || ecs__id_is_above(op->record));
}

/** True if plain terms are about $this. */
static inline bool ecs__plan_finds_tables(const ecs__plan_t *plan) {
    return plan->scan < plan->count && !plan->stands_in;
}

/** True if some base has an id of a plain plan; if it takes longer to find out than to look at each table, true. */
bool ecs__plan_may_inherit(const ecs__plan_t *plan);
/** True if tables cannot inherit anything now, so that a plain plan needs no look at bases. */
static inline bool ecs__plan_is_plain_now(const ecs__plan_t *plan) {
    return plan->plain && (!plan->isa || !plan->isa->table_live || !ecs__plan_may_inherit(plan));
}

/** Have ids list where their tables have them. False unless each field of the plan is such an id, operation f + 1 about field f. */
bool ecs__plan_list(const ecs__plan_t *plan);

/** False if a table certainly lacks something that the plain terms ask for. */
static inline bool ecs__plan_may_have(const ecs__plan_t *plan, const ecs_table_t *table) {
    uint64_t bloom = plan->bloom;
    if (!(table->flags & EcsTableHasIsA)) bloom |= plan->bloom_or_isa;
    return (table->bloom & bloom) == bloom;
}
/** False if a look at the table as a whole shows that it cannot match. */
static inline bool ecs__plan_may_match(const ecs__plan_t *plan, const ecs_table_t *table) {
    return !(table->flags & plan->skip) && ecs__plan_may_have(plan, table);
}

/** The operation about $this that limits tables the most: its candidates are those of its record
 * and, if it goes up, of its trav_record. -1 if every table is a candidate. With `key`, one
 * that a single listener covers, or one for each of its alternatives. */
int32_t ecs__plan_rarest(const ecs__plan_t *plan, bool key);
/** Tables that a search looks at. */
int64_t ecs__plan_candidates(const ecs__plan_t *plan, const ecs__store_t *store);

#endif
