// SPDX-License-Identifier: MIT
// join: results of goals and plain terms that mostly ask tables for single ids, without a detour.
//
// Goals with is_direct (graph/graph.h), and plain terms without `*` and alternatives, become a short list of operations
// that hold their state and fill the iterator themselves. Other steps are run as they are, in their place among those.
// Solutions and their order are those of the steps.
//
//   SpaceShip, (DockedTo, $planet), Planet($planet)
//      TABLES  $this: tables with SpaceShip ─▶ TARGETS  $planet: each (DockedTo, *) ─▶ HAS  Planet, in the table of $planet
//   Position, (Targets, $t), Position($t)        (Targets: DontFragment)
//      TABLES  $this: tables with Position ─▶ SIFT  $this: its rows; $t: what they target ─▶ HAS  Position, in the table of $t
//
// Operations are threaded: which functions one runs is decided when it is made, and each that holds calls the next one itself, up to
// the last, which shows the result (join_ops.c). Only when one fails the search comes back here, and has the one before it try again.
// A result so costs what its operations do: what one shows is written once, and what stays is not touched.
// A solver keeps its list for the next iterator with the same order of steps.
// Threads: as the iterator's.
#ifndef ECS_QUERY_ITER_JOIN_H
#define ECS_QUERY_ITER_JOIN_H

#include "query/iter/iter.h"

#define ECS__JOIN_OPS_MAX 16

typedef enum ecs__join_kind_t {
    ECS__JOIN_TABLES,  /* $this stands for one table after the other that has the id */
    ECS__JOIN_ROWS,    /* another variable for one entity after the other */
    ECS__JOIN_EACH,    /* the same, of the table for which it stands */
    ECS__JOIN_TARGETS, /* `second` for one target after the other of a source's relationship */
    ECS__JOIN_STEP,    /* a step of the search, with all its ways; */
    ECS__JOIN_SIFT,    /* one that takes $this row by row, for what rows have beside their table */
    /* a source, which is one entity, or the nearest above has the id, or (oper) has not; all ways if that takes a search */
    ECS__JOIN_NEAREST,
    ECS__JOIN_HAS, /* a source has the id, or (oper) has not, or may have */
    ECS__JOIN_REACHES, /* a source has `second` above it along a transitive relationship, or (oper) has not */
    ECS__JOIN_EQUAL, /* a source is `second`, or (oper) is not */
    ECS__JOIN_RESULT /* the last one */
} ecs__join_kind_t;

typedef struct ecs__join_op_t ecs__join_op_t;
/** Holds for the present values, in its first or next way, and so do all behind it: there is a result. If not, join->failed is who
 * does not hold. */
typedef bool (*ecs__join_run_t)(ecs__join_t *join, ecs__join_op_t *op);

/** What was found above the last table that was asked: the same as above all tables with its target. */
typedef struct ecs__join_above_t {
    ecs_id_t pair, id;  /* (trav, target), and what was looked for */
    uint64_t structure; /* store->structure_stamp then */
    int32_t hint;       /* place of the pair in the last table */
    bool is_found;
    ecs__found_t found;
} ecs__join_above_t;

/** Goes through the tables of an id record, as it is while no table comes or goes. */
typedef struct ecs__join_list_t {
    ecs_table_t *const *all;   /* tables of the store, */
    const int32_t *tables;     /* and positions of those of the record among them */
    const uint64_t *non_empty; /* a bit for each, */
    uint64_t word;             /* and of 64 of them from `base` on, those that are still to come */
    int32_t base, end;         /* `end`: behind the last one */
    ecs_table_t *next;
} ecs__join_list_t;

struct ecs__join_op_t {
    ecs__join_run_t begin, again; /* again: NULL if it holds once at most */
    ecs__join_run_t noted;        /* what `begin` goes on with, if it takes notes for jumps */
    ecs_id_t *id_at;              /* where the id is shown, */
    ecs_entity_t *source_at;      /* and its source */
    ecs__value_t *source;
    ecs__value_t *second; /* NULL: `id` is all */
    ecs_id_t id;
    ecs__join_op_t *back; /* to try again if this one fails; NULL: none */
    int32_t hint;         /* place of the id in the last table */
    int32_t row;          /* ROWS, EACH: present one; TARGETS: place of the present one */
    ecs_flags32_t skip;   /* what it finds is not in tables with these flags, */
    uint8_t kind;         /* ecs__join_kind_t */
    int8_t src;           /* variable; -1: constant */
    int8_t field;
    int16_t step;         /* STEP, SIFT: its position, */
    ecs_termset_t fields; /* what it fills, */
    ecs_termset_t before; /* and if it takes rows apart, what was filled before */
    uint8_t oper;         /* EcsAnd, EcsNot, EcsOptional */
    bool shows_id, shows_source, shows_values; /* what of its field differs from result to result */
    bool self;                                 /* the source's own ids count */
    bool is_plain;  /* and that is all: the field is always set, and from there */
    bool is_silent; /* nothing of its field differs, or another operation shows it */
    bool has_shown; /* the field had values in the last result */
    bool is_over;   /* there are no more ways, and `again` need not be asked */
    bool is_own;    /* and was set from the source itself */
    /* NEAREST: it is not in tables; it is the pair with the parent; its second element is open */
    bool is_beside, is_parent, is_open;
    ecs_size_t size; /* of those values; 0: not known */
    int32_t min_depth, max_depth;
    ecs_entity_t trav;         /* to go up along; 0: none */
    uint64_t bloom, own_bloom; /* nor (TABLES) in those without these ids, the latter their own */
    uint64_t uses, binds, conflict; /* as in steps */
    uint64_t solutions;             /* there were so many when it was begun */
    /* TABLES, ROWS: */
    ecs__join_list_t own, heirs; /* tables that have it, and those that may inherit it: (trav, *) */
    uint64_t number;             /* of the present table; STEP: as `solutions`, at its last way */
    ecs_table_t *table;          /* ROWS: that one */
    ecs_id_t wanted;             /* the id that is looked for now */
    const ecs__found_t *found;   /* from where its entities inherit the id; NULL: it is their own */
    ecs__join_above_t above;
    /* NEAREST: */
    const ecs__sparse_set_t *home;       /* whoever has such an id beside tables has a slot there */
    const ecs_component_record_t *edges; /* (ChildOf, *) */
    uint64_t structure;                  /* store->structure_stamp for which both are right */
    ecs__value_t constant;
};

struct ecs__join_t {
    ecs_iter_t *it; /* whose next result is looked for */
    const ecs__store_t *store;
    const ecs__plan_t *plan;
    const ecs__value_t *self; /* $this */
    uint64_t unseen;          /* what the iterator does not show is written here */
    ecs__join_op_t *failed;
    ecs__join_op_t *last; /* that gives the next solution; NULL: there is one only */
    bool has_shown;       /* some result had values */
    bool is_stale;        /* rows came or went since the last result */
    bool jumps;           /* who failed may have no reason in the one before: notes are taken */
    bool has_steps;
    bool ends_with_rows;  /* the last operation before RESULT is a SIFT */
    int32_t count;        /* of operations before RESULT */
    uint64_t table_limit; /* tables from this number on were made meanwhile */
    uint64_t structure;   /* store->structure_stamp for which values and fields are right */
    uint64_t solutions;   /* so far */
    ecs__join_op_t ops[ECS__JOIN_OPS_MAX + 1];
};

/** Make the operations of a solver whose steps are in order; false if they need more than that. */
bool ecs__join_compile(ecs__solver_t *solver);
/** Choose the functions of an operation that is described. */
void ecs__join_choose(ecs__join_op_t *op, bool takes_notes);
/** Tables or rows came or went: those that lists of operations come to next may be others. */
void ecs__join_follow_lists(ecs__join_t *join);
/** Begin an iteration whose solver has started; false if there is no join. */
bool ecs__join_begin(ecs_iter_t *it);
/** Go to the first result, and to the next one. */
bool ecs__join_first(ecs_iter_t *it);
bool ecs__join_follow(ecs_iter_t *it);
/** The same, if no table changed and nobody is told of the last result. */
bool ecs__join_next(ecs_iter_t *it);
/** The same, if it ends with rows. */
bool ecs__join_next_row(ecs_iter_t *it);

/** The field is as in results without it. */
void ecs__join_empty_field(ecs_iter_t *it, const ecs__plan_t *plan, int32_t field);

#endif
