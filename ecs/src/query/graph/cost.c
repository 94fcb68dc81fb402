// SPDX-License-Identifier: MIT
#include "query/graph/cost.h"

#include "storage/search.h"
#include "storage/sparse_ids.h"

// Entities with an id in tables, of which no more than `most` are asked; `enough` of them need not be told exactly.
static int64_t count_rows(const ecs_component_record_t *record, int32_t most, int64_t enough) {
    const ecs_table_t *found;
    int64_t rows = 0;
    int32_t at = 0, tables = 0;
    while (
        tables++ < most && rows < enough && (found = ecs__id_record_next_table(record, &at, false)))
        rows += found->count;
    return rows;
}

#define FEW 64

int64_t ecs__cost_beyond_few(int64_t candidates) { return candidates > FEW ? candidates : 0; }

int64_t ecs__cost_of_tables(const ecs__solver_t *solver) {
    const bool is_limited = ecs__plan_rarest(solver->plan, false) >= 0;
    return is_limited ? ecs__plan_candidates(solver->plan, solver->store) : 1000000;
}

// Where entities compete with tables, rows are what counts: those of the id with the fewest, which need not be the one in the fewest
// tables. Who inherits is in no list: where that may be, what is in the fewest tables has to do.
int64_t ecs__cost_of_rows(const ecs__solver_t *solver) {
    const ecs__plan_t *plan = solver->plan;
    const int32_t rarest = ecs__plan_rarest(plan, false);
    const ecs_component_record_t *record = rarest < 0 ? NULL : plan->ops[rarest].record;
    int64_t least = record ? count_rows(record, INT32_MAX, INT64_MAX) : INT32_MAX;
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_WITH || i == rarest || ecs__op_may_find_above(op)) continue;
        least = ECS_MIN(least, count_rows(op->record, INT32_MAX, least));
    }
    return least;
}

static int64_t count_holders(const ecs__solver_t *solver, const ecs__goal_t *goal) {
    const ecs__store_t *store = solver->store;
    const ecs_term_t *term = goal->term;
    const ecs_component_record_t *above = NULL;
    if (term->src.id & EcsUp)
        above = ecs__id_record_get(store, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard));
    return ecs__sparse_count(ecs__id_record_get(store, ecs__id_any_to_wildcard(term->id))) +
           ecs__sparse_count(above);
}

// Kinds, and what `*` stands for, may be above if the id itself is not.
static bool may_be_above(const ecs__goal_t *goal, const ecs_component_record_t *record) {
    if (!(goal->term->src.id & EcsUp)) return false;
    if (goal->first.kind != ECS__REF_ENTITY || goal->first.trav || goal->second.trav) return true;
    return record && (record->sparse || ecs__id_is_above_along(record, goal->term->trav));
}

static int64_t id_tables(const ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (goal->term->src.id & EcsDown) return INT32_MAX; // everyone is asked
    if (goal->is_beside) return count_holders(solver, goal);
    const ecs__store_t *store = solver->store;
    ecs_id_t id = goal->component ? goal->component : ecs__id_any_to_wildcard(goal->term->id);
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    int64_t tables = record ? record->table_live : 0;
    if (may_be_above(goal, record)) {
        const ecs_component_record_t *above =
            ecs__id_record_get(store, ECS__MAKE_PAIR(goal->term->trav, Ecs__Wildcard));
        tables += above ? above->table_live : 0;
    }
    return tables;
}

#define TABLES_LOOKED_AT 8

// About so many entities have the id of a goal: tables beyond those that are looked at are taken to be as full, since what the rows of
// the plain terms are compared with should not seem less because it is spread over many tables.
static int64_t id_rows(const ecs__solver_t *solver, const ecs__goal_t *goal) {
    const ecs_component_record_t *record =
        goal->is_direct ? ecs__id_record_get(solver->store, goal->id) : NULL;
    if (!record) return 0;
    const int64_t rows = count_rows(record, TABLES_LOOKED_AT, INT64_MAX);
    return record->table_live > TABLES_LOOKED_AT ? rows * record->table_live / TABLES_LOOKED_AT
                                                 : rows;
}

// $this comes table by table. The others come entity by entity, each of which has to be looked up in turn.
int64_t ecs__cost_of_sources(const ecs__solver_t *solver, const ecs__goal_t *goal) {
    int64_t tables = id_tables(solver, goal);
    int64_t rows = goal->src.var == ECS__VAR_THIS ? 0 : 2 * id_rows(solver, goal);
    return ECS_MAX(tables, rows);
}

#define TARGETS_COUNTED 64

// With more targets than are counted, each is taken to have few. All who have a place may be in any, in some number of steps.
int64_t ecs__cost_of_target(const ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (goal->transitive) return ecs__cost_of_sources(solver, goal);
    const bool is_pair = goal->is_direct && ECS_IS_PAIR(goal->id);
    if (!is_pair || ecs__id_second(goal->id) != Ecs__Wildcard) return 0;
    const ecs_component_record_t *all = ecs__id_record_get(solver->store, goal->id), *pair = NULL;
    const int64_t sources = ecs__cost_of_sources(solver, goal),
                  most = ECS_MIN(sources / FEW, TARGETS_COUNTED);
    int64_t targets = 0;
    while (all && targets <= most && (pair = ecs__id_record_next_first(all, pair))) targets++;
    return targets && targets <= most ? sources / targets : 0;
}
