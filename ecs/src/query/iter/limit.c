// SPDX-License-Identifier: MIT
// limit: iterations over some rows of $this, or over one group, and questions that need no more.
#include "query/iter/iter.h"
#include "query/iter/result.h"
#include "query/query.h"
#include "storage/search.h"
#include "world/state.h"

// ---- rows ----

// Rows of one table are in one group.
static bool is_in_group(const ecs_iter_t *it) {
    return !(it->flags & EcsIterInGroup) || ecs__cache_group_of(ecs__program_of(it)->cache,
                                                it->priv_.bound_table) == it->priv_.group;
}

void ecs__iter_bind_rows(ecs_iter_t *it, ecs_table_t *table, int32_t row, int32_t count) {
    ecs__iter_leave_copies(it);
    ecs__iter_open(it);
    it->priv_.bound_table = table;
    it->priv_.bound_row = row;
    bool is_outside = row < 0 || count < 0 || row > table->count || count > table->count - row;
    it->priv_.bound_end = is_outside ? row : row + count;
    it->constrained_vars |= 1;
    it->flags &= ~EcsIterCached;
    if (it->flags & EcsIterTrivialSearch) it->flags |= EcsIterTrivialTest;
    ecs__iter_leave_trivial(it);
    if (is_outside || !is_in_group(it)) ecs__iter_end(it);
}

// ---- groups ----

// Parts of results are of the program of the whole, events of the present one.
static const ecs__program_t *program_of(const ecs_iter_t *it) {
    while (it && it->chain_it) it = it->chain_it;
    if (!it || !it->query) return NULL;
    return ecs__program_of(it) ? ecs__program_of(it) : ecs__query_program(it->query);
}

static bool has_groups(const ecs_iter_t *it) {
    ECS__NEED_OR(it, false);
    const ecs__program_t *program = program_of(it);
    const ecs__cache_t *cache = program ? program->cache : NULL;
    ecs_check(
        cache && cache->groups, ECS_INVALID_PARAMETER, "the results of this query are not grouped");
    return true;
error:
    return false;
}

uint64_t ecs_iter_get_group(const ecs_iter_t *it) {
    ECS__NEED_OR(it, 0);
    const ecs__program_t *program = program_of(it);
    if (program && program->plan.entity_cascade && it->count)
        return (uint64_t)ecs__depth_from(
            &it->real_world->store, it->entities[0], program->plan.entity_cascade);
    if (!has_groups(it) || !it->table) return 0;
    return ecs__cache_group_of(program->cache, it->table);
}

void ecs_iter_set_group(ecs_iter_t *it, uint64_t group_id) {
    if (!has_groups(it)) return;
    ecs_check(!it->event && !it->chain_it, ECS_INVALID_OPERATION,
        "a group is set in the iterator that ecs_query_iter gave, not in a part of it");
    ecs_check(!(it->flags & EcsIterIsValid), ECS_INVALID_OPERATION,
        "the group of an iterator is set before the first result");
    if (it->flags & EcsIterNoResults) return;
    ecs__iter_leave_copies(it);
    ecs__iter_open(it);
    it->priv_.group = group_id;
    it->flags |= EcsIterInGroup;
    if (!it->priv_.bound_table)
        ecs__iter_limit_to_group(it);
    else if (!is_in_group(it))
        ecs__iter_end(it);
error:
    return;
}

// ---- questions ----

// A table that lacks an id is mostly known by its filter. Goals may find something else instead.
static bool may_match(const ecs_iter_t *it, const ecs_table_t *table) {
    return it->flags & EcsIterGraph || ecs__plan_may_match(&ecs__program_of(it)->plan, table);
}

// Some ids of the table itself are all that is asked for.
static bool asks_own_ids(
    const ecs__program_t *program, const ecs_iter_t *it, const ecs_table_t *table) {
    const ecs__plan_t *plan = &program->plan;
    const bool may_inherit = plan->isa && table->flags & EcsTableHasIsA;
    return program->is_small && plan->plain && !may_inherit &&
           plan->count == plan->field_count + 1 && !(it->flags & (EcsIterSync | EcsIterGraph));
}

// The only result; whoever goes on finds no rows left.
static bool show_own_ids(ecs_iter_t *it, const ecs__plan_t *plan, const ecs_table_t *table) {
    ecs__iter_make_arrays(it);
    for (int32_t i = 1; i < plan->count; i++) {
        const ecs__op_t *op = &plan->ops[i];
        const int32_t column = ecs__table_column(table, op->id);
        if (column < 0 && !ecs__table_has(table, op->id)) return ecs__iter_end(it);
        ecs__iter_set_field(it, op->field, op->id, 0, table, (int16_t)column);
    }
    const int32_t row = it->priv_.bound_row, end = it->priv_.bound_end;
    it->table = it->priv_.bound_table;
    it->set_fields = plan->plain_fields;
    it->priv_.bound_row = end;
    return ecs__iter_show_run(it, row, end);
}

static bool has_rows(
    const ecs_query_t *query, ecs_table_t *table, int32_t row, int32_t count, ecs_iter_t *it) {
    ecs__iter_begin_for_rows(it, query);
    it->flags |= EcsIterInstanced;
    if (it->flags & EcsIterNoResults || !may_match(it, table)) return ecs__iter_end_simple(it);
    ecs__iter_bind_rows(it, table, row, count);
    const ecs__program_t *program = ecs__program_of(it);
    const bool is_simple = count > 0 && !(it->flags & EcsIterNoResults);
    if (is_simple && asks_own_ids(program, it, table))
        return show_own_ids(it, &program->plan, table);
    return ecs_query_next(it);
}

bool ecs_query_has(const ecs_query_t *query, ecs_entity_t entity, ecs_iter_t *it) {
    ECS__NEED_OR(query && it, false);
    ecs_check(query->flags & EcsQueryMatchThis, ECS_INVALID_PARAMETER,
        "ecs_query_has: no term of the query is about $this");
    const ecs__spot_t spot = ecs__entity_find(&query->real_world->store.entities, entity);
    ecs_check(spot.table != NULL, ECS_INVALID_PARAMETER, "ecs_query_has: entity %u is not alive",
        (uint32_t)entity);
    return spot.table && has_rows(query, spot.table, spot.row, 1, it);
error:
    return false;
}

bool ecs_query_has_table(const ecs_query_t *query, ecs_table_t *table, ecs_iter_t *it) {
    ECS__NEED_OR(query, false);
    ecs_check(query->flags & EcsQueryMatchThis, ECS_INVALID_PARAMETER,
        "ecs_query_has_table: no term of the query is about $this");
    return ecs_query_has_range(query, &(ecs_table_range_t){ .table = table }, it);
error:
    return false;
}

bool ecs_query_has_range(const ecs_query_t *query, ecs_table_range_t *range, ecs_iter_t *it) {
    ECS__NEED_OR(query && range && range->table && it, false);
    return has_rows(query, range->table, range->offset, ecs__range_count(range), it);
}

ecs_query_count_t ecs_query_count(const ecs_query_t *query) {
    ECS__NEED_OR(query, (ecs_query_count_t){ 0 });
    ecs_query_count_t count = { 0 };
    const ecs_table_t *previous = NULL;
    ecs_iter_t it = ecs_query_iter(query->world, query);
    it.flags &= ~EcsIterSync; // counting is not using
    while (ecs_query_next(&it)) {
        count.results++;
        count.entities += it.count;
        count.tables += it.table && it.table != previous;
        previous = it.table;
    }
    return count;
}

bool ecs_query_is_true(const ecs_query_t *query) {
    ECS__NEED_OR(query, false);
    ecs_iter_t it = ecs_query_iter(query->world, query);
    return ecs_iter_is_true(&it);
}
