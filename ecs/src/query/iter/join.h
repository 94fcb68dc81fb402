// SPDX-License-Identifier: MIT
// join: results of goals that only ask tables for single ids, without a detour.
//
// Where all that a solver would run is in graph/direct.c, and nothing is inherited now, its steps become a short list of operations
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
    ECS__JOIN_TARGETS, /* `second` for one target after the other of a source's relationship */
    ECS__JOIN_HAS      /* a source has the id */
} ecs__join_kind_t;

typedef struct ecs__join_op_t ecs__join_op_t;
struct ecs__join_op_t {
    uint8_t kind; /* ecs__join_kind_t */
    int8_t src;   /* variable; -1: constant */
    int8_t field;
    bool binds_this; /* TARGETS: `second` is $this */
    bool has_values; /* the field may have */
    bool has_shown;  /* and it had in the last result */
    int32_t hint;    /* place of the id in the last table */
    int32_t row;     /* ROWS: present one; TARGETS: place of the present one */
    ecs_id_t id;
    ecs__value_t *source;
    ecs__value_t *second;           /* NULL: `id` is all */
    ecs__join_op_t *back;           /* to try again if this one fails; NULL: none */
    uint64_t uses, binds, conflict; /* as in steps */
    bool is_solved;
    /* TABLES, ROWS: */
    const ecs_component_record_t *record; /* of the id that is looked for now, */
    ecs_id_t record_id;                   /* which is this one */
    int32_t position;                     /* of the next table in its list */
    ecs_table_t *table;                   /* the present one, */
    uint64_t number;                      /* and its number */
    uint64_t stamp;                       /* store->table_stamp for which the position is right */
    ecs__value_t constant;
};

struct ecs__join_t {
    int32_t count;
    bool has_shown;       /* some result had values */
    uint64_t bloom;       /* of plain terms about $this */
    ecs__join_op_t *last; /* that gives the next solution; NULL: there is one only */
    ecs__join_op_t ops[ECS__JOIN_OPS_MAX];
};

/** Begin an iteration whose solver has started; false if its steps need more than that. */
bool ecs__join_begin(ecs_iter_t *it);
/** Go to the next result, or, without `redo`, to the first one. */
bool ecs__join_next(ecs_iter_t *it, bool redo);

#endif
