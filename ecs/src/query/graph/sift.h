// SPDX-License-Identifier: MIT
// sift: rows of a table are asked for ids that are kept beside it, straight from the sets, without a search for each.
//
//   Position, !Frozen, ?Shield        (Frozen, Shield: DontFragment)
//      PLAN $this ─▶ SIFT { EACH $this ─▶ NOT Frozen ─▶ OPTIONAL Shield }
//   Shield, !Frozen
//      SIFT { GOAL Shield ─▶ NOT Frozen }
//
// An entity comes once for each edge that a `*`, or a variable, stands for; of several the last one turns first.
// Where no step before gives rows, those who have the first id are listed when the search begins, in the order of their set.
// Only sets decide of tables whose bases have nothing beside theirs; of others the steps inside do. Rows are asked when they come, so that
// what changes beside a table in between is seen. A join (iter/join.h) takes rows of the list, or the table, itself.
#ifndef ECS_QUERY_GRAPH_SIFT_H
#define ECS_QUERY_GRAPH_SIFT_H

#include "query/plan/plan.h"
#include "storage/sparse_ids.h"

typedef struct ecs__value_t {
    ecs_entity_t entity; /* 0: rows of a table, or no value */
    ecs_table_t *table;  /* NULL: no value */
    int32_t row, count;
} ecs__value_t;

typedef struct ecs__sift_test_t {
    const ecs__sparse_set_t *home;        /* whoever has the id has a slot there, */
    const ecs_component_record_t *record; /* with an edge of this one; NULL: that is all */
    ecs_id_t id;
    int8_t field;
    uint8_t oper;                   /* EcsAnd, EcsNot, EcsOptional */
    bool has_star;                  /* (R, *): what it stands for is shown, */
    int8_t var;                     /* and is the value of this variable; -1: of none */
    const ecs__sparse_slot_t *slot; /* of the one asked last */
    ecs__sparse_edge_t edge;        /* of several there, what the `*` stands for now */
} ecs__sift_test_t;

typedef struct ecs__sift_t {
    ecs__value_t all;      /* $this as it was before; if listed, only the last table */
    int32_t row, end;      /* next row, or position in the list, and behind the last one */
    uint64_t structure;    /* store->structure_stamp for which the sets are right */
    bool is_left_to_steps; /* of this table the steps inside decide */
    bool is_listed;        /* solver->listed instead of rows */
    bool is_skipped;       /* listed: nobody of this table counts */
    bool is_inside;        /* the present solution is one that the steps inside have for $this */
    uint64_t above;        /* store->above_stamp for which that was decided */
    /* some `*` has several edges: the present entity may come again. Nobody else does before: */
    bool may_turn;
    int32_t last;           /* `end` is 0, and will be this */
    bool has_star, goes_up; /* a test has, or may be met by what is inherited */
    ecs_termset_t optional; /* fields that a row may lack */
    ecs_termset_t found;    /* of these, what the present row has */
    int32_t count, must;    /* tests; the first ones must hold */
    ecs__sift_test_t tests[FLECS_TERM_COUNT_MAX];
} ecs__sift_t;

static inline bool ecs__sift_has(ecs__sift_test_t *test, ecs_entity_t entity) {
    const ecs__sparse_slot_t *slot = test->slot = ecs__sparse_slot(test->home, entity);
    if (!slot || !test->record) return slot;
    if (slot->count == 1) return slot->edges.one.record == test->record;
    return ecs__sparse_has(test->record, entity);
}

#define ECS__SIFT_AHEAD 16 /* rows */

/** The first row that one test lets pass. */
static inline int32_t ecs__sift_pass(const ecs__sift_t *sift, ecs__sift_test_t *test, int32_t row) {
    const ecs_entity_t *entities = sift->all.table->entities;
    const int32_t end = sift->end;
    const bool has = test->oper == EcsAnd;
    for (; row < end; row++) {
        if (row + ECS__SIFT_AHEAD < end)
            ecs__sparse_fetch(test->home, entities[row + ECS__SIFT_AHEAD]);
        if (ecs__sift_has(test, entities[row]) == has) break;
    }
    return row;
}
/** The first row that all of several do. */
int32_t ecs__sift_pass_all(ecs__sift_t *sift, int32_t row);

/** What an entity has of the fields that it may lack. */
static inline void ecs__sift_find(ecs__sift_t *sift, ecs_entity_t entity) {
    ecs_termset_t found = 0;
    for (int32_t t = sift->must; t < sift->count; t++) {
        ecs__sift_test_t *test = &sift->tests[t];
        if (ecs__sift_has(test, entity)) found |= FIELD_BIT(test->field);
    }
    sift->found = found;
}

/** Find the next row, while no table changes: sift->found is about it. -1: there is none. */
static inline int32_t ecs__sift_next(ecs__sift_t *sift) {
    int32_t row = sift->row;
    if (sift->must == 1)
        row = ecs__sift_pass(sift, sift->tests, row);
    else if (sift->must)
        row = ecs__sift_pass_all(sift, row);
    sift->row = row + 1;
    if (row >= sift->end) return -1;
    ecs__sift_find(sift, sift->all.table->entities[row]);
    return row;
}

/** Of all tests. */
static inline ecs_termset_t ecs__sift_fields(const ecs__sift_t *sift) {
    ecs_termset_t fields = 0;
    for (int32_t t = 0; t < sift->count; t++) fields |= FIELD_BIT(sift->tests[t].field);
    return fields;
}

/** True if the present row has the id of a test. */
static inline bool ecs__sift_found(const ecs__sift_t *sift, const ecs__sift_test_t *test) {
    return test->oper == EcsAnd || sift->found & FIELD_BIT(test->field);
}

/** What the `*` of a test that holds stands for. */
static inline const ecs__sparse_edge_t *ecs__sift_edge(
    const ecs__sift_t *sift, const ecs__sift_test_t *test) {
    return sift->may_turn ? &test->edge : &test->slot->edges.one;
}

/** That, or what was asked for. */
static inline ecs_id_t ecs__sift_id(const ecs__sift_t *sift, const ecs__sift_test_t *test) {
    return test->has_star ? ecs__sift_edge(sift, test)->id : test->id;
}

/** True if a base of the table has something beside its own. */
bool ecs__bases_hold_beside(const ecs_table_t *table);

#endif
