// SPDX-License-Identifier: MIT
// join: results of goals and plain terms that only ask tables for single ids, without a detour.
//
// Steps that do no more than graph/direct.c, and plain terms without `*` and alternatives, become a short list of operations
// that hold their state and fill the iterator themselves. Solutions and their order are those of the steps.
//
//   SpaceShip, (DockedTo, $planet), Planet($planet)
//      TABLES  $this: tables with SpaceShip ─▶ TARGETS  $planet: each (DockedTo, *) ─▶ HAS  Planet, in the table of $planet
//
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
    ECS__JOIN_HAS,     /* a source has the id, or (oper) has not, or may have */
    ECS__JOIN_EQUAL    /* a source is `second`, or (oper) is not */
} ecs__join_kind_t;

/** What was found above the last table that was asked: the same as above all tables with its target. */
typedef struct ecs__join_above_t {
    ecs_id_t pair, id;  /* (trav, target), and what was looked for */
    uint64_t structure; /* store->structure_stamp then */
    int32_t hint;       /* place of the pair in the last table */
    bool is_found;
    ecs__found_t found;
} ecs__join_above_t;

/** Goes through the tables of an id record. */
typedef struct ecs__join_list_t {
    const ecs_component_record_t *record; /* NULL: none */
    ecs_table_t *next;                    /* unless is_plain */
    int32_t position;                     /* of the table behind the one that was taken last */
} ecs__join_list_t;

typedef struct ecs__join_op_t ecs__join_op_t;
struct ecs__join_op_t {
    uint8_t kind; /* ecs__join_kind_t */
    int8_t src;   /* variable; -1: constant */
    int8_t field;
    uint8_t oper;    /* EcsAnd, EcsNot, EcsOptional */
    bool self;       /* the source's own ids count */
    bool is_plain;   /* and that is all: the field is always set, and from there */
    bool is_silent;  /* another operation shows the field */
    bool is_shown;   /* the field differs from result to result */
    bool has_values; /* it may have values */
    bool has_shown;  /* and had in the last result */
    bool is_own;     /* the field was set from the source itself in the last result */
    int32_t hint;    /* place of the id in the last table */
    int32_t row;     /* ROWS, EACH: present one; TARGETS: place of the present one */
    ecs_id_t id;
    ecs__value_t *source;
    ecs__value_t *second;           /* NULL: `id` is all */
    ecs__join_op_t *back;           /* to try again if this one fails; NULL: none */
    uint64_t uses, binds, conflict; /* as in steps */
    uint64_t solutions;             /* there were so many when it was begun */
    ecs_flags32_t skip;             /* what it finds is not in tables with these flags, */
    uint64_t bloom, own_bloom; /* nor (TABLES) in those without these ids, the latter their own */
    ecs_entity_t trav;         /* to go up along; 0: none */
    int32_t min_depth, max_depth;
    ecs__join_above_t above;
    /* TABLES, ROWS: */
    ecs_id_t wanted;             /* the id that is looked for now */
    ecs__join_list_t own, heirs; /* tables that have it, and those that may inherit it: (trav, *) */
    ecs_table_t *table;          /* the present one, */
    uint64_t number;             /* and its number */
    uint64_t stamp;              /* store->table_stamp for which the lists are right */
    ecs__found_t found;          /* where it has the id, unless is_plain */
    ecs__value_t constant;
};

struct ecs__join_t {
    int32_t count;
    bool has_shown;       /* some result had values */
    uint64_t solutions;   /* so far */
    ecs__join_op_t *last; /* that gives the next solution; NULL: there is one only */
    ecs__join_op_t ops[ECS__JOIN_OPS_MAX];
};

/** Make the operations of a solver whose steps are in order; false if they need more than that. */
bool ecs__join_compile(ecs__solver_t *solver);
/** Begin an iteration whose solver has started; false if there is no join. */
bool ecs__join_begin(ecs_iter_t *it);
/** Go to the next result, or, without `redo`, to the first one. */
bool ecs__join_next(ecs_iter_t *it, bool redo);

#endif
