// SPDX-License-Identifier: MIT
// eval: runs a plan: finds the ways in which all conditions hold, one after the other.
//
// The machine goes forward while operations succeed and back to the one before when one fails,
// which then tries its next way. Conditions do not depend on each other: if there is no way at all in
// which one holds, no way of another before it is tried, but the next table. What an operation needs
// to go on lies in its state. Two registers are shared: the table that stands for $this, and per field
// what was found.
// Threads: reads the store only; each thread has its own ecs__eval_t.
#ifndef ECS_QUERY_EVAL_EVAL_H
#define ECS_QUERY_EVAL_EVAL_H

#include "query/eval/rows.h"
#include "query/eval/scan.h"

/** Where the id of a field was found. */
typedef struct ecs__field_found_t {
    ecs_id_t id;
    ecs_entity_t source;      /* 0 = $this */
    const ecs_table_t *table; /* table that has the id; NULL when not set */
    int32_t index;            /* position in its type */
} ecs__field_found_t;

typedef struct ecs__op_state_t {
    const ecs_table_t *table; /* whose ids are gone through */
    ecs_entity_t source;
    int32_t cursor; /* next position in its type */
    int16_t alternative;
    bool is_above; /* found by going up */
    bool is_unset; /* OPTIONAL gave its unset result */
} ecs__op_state_t;

typedef struct ecs__eval_t {
    const ecs__plan_t *plan;
    const ecs__store_t *store;
    ecs__tally_t *tallies; /* per operation, NULL: nobody asks */
    ecs_table_t *table;    /* $this */
    ecs_table_t *bound;    /* the only table $this may be, or NULL */
    int32_t begin, end;    /* part of the plan to run */
    int32_t at;            /* operation to go on with; below begin: finished */
    bool redo;
    bool with_empty;
    ecs_termset_t set_fields;
    ecs_termset_t up_fields;
    ecs__scan_t scan;
    ecs__field_found_t fields[FLECS_TERM_COUNT_MAX];
    ecs__op_state_t states[ECS__PLAN_OPS_MAX];
} ecs__eval_t;

/** Column of a found field in its table; -1 for tags, and for `_`, which names no particular id. */
static inline int16_t ecs__field_column(const ecs__field_found_t *found) {
    if (!found->table || found->index < 0 || ecs__id_is_wildcard(found->id)) return -1;
    return ecs__table_column_at(found->table, found->index);
}

/** True if an entity that was in table `then`, which may be gone, still is. `limit`: tables from this number on, made since, may be in
 * the place of one that was deleted. */
static inline bool ecs__table_is_same(
    const ecs_table_t *now, const ecs_table_t *then, uint64_t limit) {
    return now == then && now && now->id < limit;
}

/** Where another entity has the id of a field by now. */
static inline void ecs__found_follow(
    const ecs__store_t *store, ecs__field_found_t *found, uint64_t limit) {
    if (!found->source || !found->table) return;
    const ecs_table_t *now = ecs__entity_table(&store->entities, found->source);
    if (ecs__table_is_same(now, found->table, limit)) return;
    found->table = now;
    found->index = now ? ecs__table_search(now, found->id) : -1;
}

/** The value of another entity, which was in table `then` when its column there was found and may have moved since; NULL: none. */
static inline void *ecs__value_now(const ecs__store_t *store, ecs_entity_t source, ecs_id_t id,
    const ecs_table_t *then, int32_t column, uint64_t limit, ecs_size_t *size) {
    const ecs__spot_t spot = ecs__entity_find(&store->entities, source);
    if (!spot.table) return NULL;
    int32_t now =
        ecs__table_is_same(spot.table, then, limit) ? column : ecs__table_column(spot.table, id);
    if (now < 0) return NULL;
    *size = spot.table->columns[now].size;
    return ecs__table_cell(spot.table, now, spot.row);
}

/** Arrays of several values next to single ones: an index that fits one is wrong for the other. */
static inline bool ecs__values_are_mixed(
    void *const *ptrs, const int16_t *columns, int32_t field_count) {
    bool has_array = false, has_value = false;
    for (int32_t f = 0; f < field_count; f++) {
        has_array |= columns[f] >= 0;
        has_value |= columns[f] < 0 && ptrs[f];
    }
    return has_array && has_value;
}

static inline bool ecs__table_is_root(const ecs_table_t *table) {
    return !(table->flags & (EcsTableHasChildOf | EcsTableHasParent));
}

/** A field was found there, by going up or not; or is as in results without it. */
static inline void ecs__eval_set(
    ecs__eval_t *eval, int32_t field, ecs__field_found_t found, bool is_above) {
    const ecs_termset_t bit = FIELD_BIT(field);
    eval->fields[field] = found;
    eval->set_fields |= bit;
    eval->up_fields = (ecs_termset_t)((eval->up_fields & ~bit) | (is_above ? bit : 0));
}
static inline void ecs__eval_unset(ecs__eval_t *eval, int32_t field) {
    const ecs__plan_t *plan = eval->plan;
    eval->fields[field] = (ecs__field_found_t){ plan->ids[field], plan->sources[field], NULL, -1 };
    eval->set_fields &= (ecs_termset_t)~FIELD_BIT(field);
    eval->up_fields &= (ecs_termset_t)~FIELD_BIT(field);
}

/** Prepare to run operations [begin, end) of a plan. `bound` limits $this to one table. */
void ecs__eval_init(ecs__eval_t *eval, const ecs__plan_t *plan, const ecs__store_t *store,
    int32_t begin, int32_t end, ecs_table_t *bound, bool with_empty);
/** Begin again with another table. */
static inline void ecs__eval_bind(ecs__eval_t *eval, ecs_table_t *table) {
    eval->bound = table;
    eval->at = eval->begin;
    eval->redo = false;
}
/** Find the next result; false when there is none. */
bool ecs__eval_next(ecs__eval_t *eval);
/** Add the conditions of a plan that differ from row to row to those of rows of a result. False if one fails for all rows. */
bool ecs__eval_add_rows(const ecs__eval_t *eval, const ecs__plan_t *plan, ecs__rows_t *rows);

#endif
