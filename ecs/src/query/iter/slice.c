// SPDX-License-Identifier: MIT
// slice: parts of results: pages, shares of workers, $this limited to some rows, and cut-outs of
// cached queries for the runtime.
#include <muster/ecs/extend.h>

#include "base/assert.h"
#include "query/iter/iter.h"
#include "query/query.h"
#include "storage/search.h"
#include "world/state.h"

// ---- iterators over the results of another ----

static void end_chain(ecs_iter_t *it) { ecs_iter_fini(it->chain_it); }

static ecs_iter_t chain(
    const ecs_iter_t *source, ecs_iter_next_action_t next, int32_t a, int32_t b) {
    ecs_iter_t it;
    ecs__iter_begin_bare(&it, source->world, source->field_count);
    it.query = source->query;
    it.ctx = source->ctx;
    it.binding_ctx = source->binding_ctx;
    it.chain_it = (ecs_iter_t *)(uintptr_t)source;
    it.next = next;
    it.fini = end_chain;
    it.priv_.offset = a;
    it.priv_.limit = b;
    return it;
}

static bool end(ecs_iter_t *it) {
    ecs_iter_fini(it->chain_it);
    return ecs__iter_end(it);
}

// Show rows [first, first + count) of the source's result.
static bool show_part(ecs_iter_t *it, int32_t first, int32_t count) {
    const ecs_iter_t *source = it->chain_it;
    if (!it->ptrs) ecs__iter_make_arrays(it);
    it->frame_offset += it->count;
    it->table = source->table;
    it->offset = source->offset + first;
    it->count = count;
    it->entities = source->entities ? source->entities + first : NULL;
    it->ids = source->ids;
    it->sources = source->sources;
    it->sizes = source->sizes;
    it->columns = source->columns;
    it->set_fields = source->set_fields;
    it->ref_fields = source->ref_fields;
    it->row_fields = source->row_fields;
    it->up_fields = source->up_fields;
    it->flags |= EcsIterIsValid;
    for (int32_t f = 0; f < it->field_count; f++) {
        char *ptr = source->ptrs[f];
        bool is_array = ptr && !(source->ref_fields >> f & 1);
        it->ptrs[f] = is_array ? ptr + (size_t)source->sizes[f] * (size_t)first : ptr;
    }
    return true;
}

ecs_iter_t ecs_page_iter(const ecs_iter_t *it, int32_t offset, int32_t limit) {
    return chain(it, ecs_page_next, offset, limit ? limit : INT32_MAX);
}

bool ecs_page_next(ecs_iter_t *it) {
    if (it->flags & EcsIterNoResults) return false;
    ecs_check(it->chain_it != NULL && it->next == ecs_page_next, ECS_INVALID_PARAMETER,
        "this is no page iterator");
    ecs_iter_private_t *priv = &it->priv_;
    while (priv->limit && ecs_iter_next(it->chain_it)) {
        int32_t count = it->chain_it->count, skipped = ECS_MIN(priv->offset, count);
        priv->offset -= skipped;
        if (!count) return show_part(it, 0, 0);
        if (skipped == count) continue;
        count = ECS_MIN(count - skipped, priv->limit);
        if (priv->limit != INT32_MAX) priv->limit -= count;
        return show_part(it, skipped, count);
    }
    return end(it);
error:
    return false;
}

ecs_iter_t ecs_worker_iter(const ecs_iter_t *it, int32_t index, int32_t count) {
    ecs_assert(count > 0 && index >= 0 && index < count, ECS_INVALID_PARAMETER,
        "there is no part %d of %d", index, count);
    return chain(it, ecs_worker_next, index, count);
}

bool ecs_worker_next(ecs_iter_t *it) {
    if (it->flags & EcsIterNoResults) return false;
    ecs_check(it->chain_it != NULL && it->next == ecs_worker_next, ECS_INVALID_PARAMETER,
        "this is no worker iterator");
    int32_t index = it->priv_.offset, parts = it->priv_.limit;
    while (ecs_iter_next(it->chain_it)) {
        int32_t count = it->chain_it->count, each = count / parts, longer = count % parts;
        int32_t part = each + (index < longer);
        if (!count && !index) return show_part(it, 0, 0);
        if (part) return show_part(it, each * index + ECS_MIN(index, longer), part);
    }
    return end(it);
error:
    return false;
}

// ---- $this limited to rows ----

static bool may_set_var(const ecs_iter_t *it, int32_t var) {
    ecs_check(it->query && var >= 0 && var < it->query->var_count, ECS_OUT_OF_RANGE,
        "variable %d does not exist in this query", var);
    ecs_check(var || it->query->flags & EcsQueryMatchThis, ECS_INVALID_PARAMETER,
        "no term of this query is about $this");
    ecs_check(!(it->flags & EcsIterIsValid) && !(it->constrained_vars >> var & 1),
        ECS_INVALID_OPERATION, "variables are set once, before the first result");
    return true;
error:
    return false;
}

// Rows of one table are in one group.
static bool is_in_group(const ecs_iter_t *it) {
    return !(it->flags & EcsIterInGroup) || ecs__cache_group_of(ecs__query_of(it->query)->cache,
                                                it->priv_.bound_table) == it->priv_.group;
}

static void bind_rows(ecs_iter_t *it, ecs_table_t *table, int32_t row, int32_t count) {
    ecs__iter_leave_copies(it);
    ecs__iter_open(it);
    it->priv_.bound_table = table;
    it->priv_.bound_row = row;
    it->priv_.bound_end = row + count;
    it->constrained_vars |= 1;
    it->priv_.source = NULL;
    it->flags &= ~EcsIterCached;
    if (it->flags & EcsIterTrivialSearch) it->flags |= EcsIterTrivialTest;
    ecs__iter_leave_trivial(it);
    bool is_outside = row < 0 || count < 0 || (count && row + count > table->count);
    if (is_outside || !is_in_group(it)) ecs__iter_end(it);
}

// The others stand for one entity.
static void bind_var(ecs_iter_t *it, int32_t var, ecs_table_t *table, int32_t row, int32_t count) {
    if (var == 0) {
        bind_rows(it, table, row, count);
        return;
    }
    ecs_check(count == 1 && row >= 0 && row < table->count, ECS_INVALID_PARAMETER,
        "variable %d stands for one entity", var);
    it->constrained_vars |= ECS__VAR_BIT(var);
    if (!(it->flags & EcsIterNoResults))
        ecs__solver_bind(ecs__iter_solver(it), var, table, row, count);
error:
    return;
}

void ecs_iter_set_var(ecs_iter_t *it, int32_t var, ecs_entity_t entity) {
    if (!may_set_var(it, var)) return;
    const ecs_record_t *record = ecs__entity_try(&it->real_world->store.entities, entity);
    ecs_check(record != NULL, ECS_INVALID_PARAMETER, "entity %u is not alive", (uint32_t)entity);
    bind_var(it, var, record->table, ECS_RECORD_TO_ROW(record->row), 1);
error:
    return;
}

void ecs_iter_set_var_as_range(ecs_iter_t *it, int32_t var, const ecs_table_range_t *range) {
    if (!may_set_var(it, var)) return;
    ecs_check(
        range != NULL && range->table != NULL, ECS_INVALID_PARAMETER, "a range needs a table");
    int32_t count = range->count ? range->count : range->table->count - range->offset;
    bind_var(it, var, range->table, range->offset, count);
error:
    return;
}

void ecs_iter_set_var_as_table(ecs_iter_t *it, int32_t var, const ecs_table_t *table) {
    ecs_iter_set_var_as_range(
        it, var, &(ecs_table_range_t){ .table = (ecs_table_t *)(uintptr_t)table });
}

static bool has_var(const ecs_iter_t *it, int32_t var) {
    ecs_check(it->query && var >= 0 && var < it->query->var_count, ECS_OUT_OF_RANGE,
        "variable %d does not exist in this query", var);
    return true;
error:
    return false;
}

// A part of a result has the values of the whole.
static ecs__value_t value_of(const ecs_iter_t *it, int32_t var) {
    while (it->chain_it) it = it->chain_it;
    const ecs_flags32_t has_solver = EcsIterGraph | EcsIterOpen;
    const ecs__solver_t *solver = (it->flags & has_solver) == has_solver ? it->priv_.eval : NULL;
    return solver ? solver->values[var] : (ecs__value_t){ 0 };
}

ecs_entity_t ecs_iter_get_var(ecs_iter_t *it, int32_t var) {
    if (!has_var(it, var)) return 0;
    return var ? value_of(it, var).entity : it->count == 1 ? it->entities[0] : 0;
}

ecs_table_range_t ecs_iter_get_var_as_range(ecs_iter_t *it, int32_t var) {
    if (!has_var(it, var)) return (ecs_table_range_t){ 0 };
    if (!var) return (ecs_table_range_t){ it->table, it->offset, it->count };
    ecs__value_t value = value_of(it, var);
    return (ecs_table_range_t){ value.table, value.row, value.count };
}

ecs_table_t *ecs_iter_get_var_as_table(ecs_iter_t *it, int32_t var) {
    ecs_table_range_t range = ecs_iter_get_var_as_range(it, var);
    return range.table && range.count == range.table->count ? range.table : NULL;
}

bool ecs_iter_var_is_constrained(ecs_iter_t *it, int32_t var) {
    return it->constrained_vars >> var & 1;
}

int32_t ecs_iter_get_var_count(const ecs_iter_t *it) {
    if (!it->query) return 0;
    return it->query->var_count > 1 || it->query->flags & EcsQueryMatchThis ? it->query->var_count
                                                                            : 0;
}

const char *ecs_iter_get_var_name(const ecs_iter_t *it, int32_t var) {
    return it->query ? ecs_query_var_name(it->query, var) : NULL;
}

// ---- groups ----

static bool has_groups(const ecs_iter_t *it) {
    const ecs__cache_t *cache = it->query ? ecs__query_of(it->query)->cache : NULL;
    ecs_check(
        cache && cache->groups, ECS_INVALID_PARAMETER, "the results of this query are not grouped");
    return true;
error:
    return false;
}

uint64_t ecs_iter_get_group(const ecs_iter_t *it) {
    const ecs__query_t *query = it->query ? ecs__query_of(it->query) : NULL;
    if (query && query->plan.entity_cascade && it->count)
        return (uint64_t)ecs__depth_from(
            &it->real_world->store, it->entities[0], query->plan.entity_cascade);
    if (!has_groups(it) || !it->table) return 0;
    return ecs__cache_group_of(ecs__query_of(it->query)->cache, it->table);
}

void ecs_iter_set_group(ecs_iter_t *it, uint64_t group_id) {
    if (!has_groups(it)) return;
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

// ---- has ----

static bool has_rows(
    const ecs_query_t *query, ecs_table_t *table, int32_t row, int32_t count, ecs_iter_t *it) {
    *it = ecs_query_iter(query->world, query);
    it->flags |= EcsIterInstanced;
    if (!(it->flags & EcsIterNoResults)) bind_rows(it, table, row, count);
    return ecs_query_next(it);
}

bool ecs_query_has(const ecs_query_t *query, ecs_entity_t entity, ecs_iter_t *it) {
    ecs_check(query->flags & EcsQueryMatchThis, ECS_INVALID_PARAMETER,
        "ecs_query_has: no term of the query is about $this");
    const ecs_record_t *record = ecs__entity_try(&query->real_world->store.entities, entity);
    ecs_check(record != NULL, ECS_INVALID_PARAMETER, "ecs_query_has: entity %u is not alive",
        (uint32_t)entity);
    return record && has_rows(query, record->table, ECS_RECORD_TO_ROW(record->row), 1, it);
error:
    return false;
}

bool ecs_query_has_table(const ecs_query_t *query, ecs_table_t *table, ecs_iter_t *it) {
    return ecs_query_has_range(query, &(ecs_table_range_t){ .table = table }, it);
}

bool ecs_query_has_range(const ecs_query_t *query, ecs_table_range_t *range, ecs_iter_t *it) {
    ecs_check(query->flags & EcsQueryMatchThis, ECS_INVALID_PARAMETER,
        "ecs_query_has_range: no term of the query is about $this");
    int32_t count = range->count ? range->count : range->table->count - range->offset;
    return has_rows(query, range->table, range->offset, count, it);
error:
    return false;
}

ecs_query_count_t ecs_query_count(const ecs_query_t *query) {
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
    ecs_iter_t it = ecs_query_iter(query->world, query);
    return ecs_iter_is_true(&it);
}

// ---- cut-outs ----

void ecs_ext_query_update(const ecs_query_t *query) {
    ecs__cache_t *cache = ecs__query_now(query)->cache;
    if (!cache) return;
    ecs__cache_compact(cache);
    if (!ecs__cache_is_current(cache)) ecs__cache_update(cache);
    ecs__cache_visit(cache);
}

uint64_t ecs_ext_query_stamp(const ecs_query_t *query) {
    const ecs__query_t *now = ecs__query_now(query), *of = ecs__query_of(query);
    uint64_t stamp = of->cache ? of->cache->stamp : 0;
    return now == of ? stamp : 1 + stamp + (now->cache ? now->cache->stamp : 0);
}

int32_t ecs_ext_query_match_count(const ecs_query_t *query) {
    const ecs__query_t *of = ecs__query_now(query);
    // Sorted slices, and matches that are looked at for changes, come one after the other, and so do
    // children in the order of their parent, and entities by their depth.
    bool can_cut = of->cache && !of->detect && !of->cache->sort && !of->plan.entity_cascade &&
                   !(of->graph && of->graph->has_ordered);
    return can_cut ? ecs__cache_count(of->cache) : -1;
}

bool ecs_ext_query_is_sorted(const ecs_query_t *query) {
    const ecs__cache_t *cache = ecs__query_of(query)->cache;
    return cache && cache->sort;
}

ecs_table_t *ecs_ext_query_match_table(const ecs_query_t *query, int32_t match) {
    return ecs__cache_at(ecs__query_now(query)->cache, match)->table;
}

void ecs_ext_iter_range(
    ecs_iter_t *it, int32_t first, int32_t first_row, int32_t last, int32_t last_row) {
    ecs__assert(it->priv_.source && it->flags & (EcsIterCached | EcsIterGraph),
        "only cached queries can be cut");
    const ecs__cache_t *cache = it->priv_.source;
    ecs__iter_leave_copies(it);
    bool has_cut = it->flags & (EcsIterTrivialCached | EcsIterGraph);
    it->flags |= EcsIterInstanced | (has_cut ? EcsIterCut : 0);
    it->flags &= ~EcsIterTrivialCached;
    if (it->priv_.quick) it->priv_.quick |= ECS_ITER_SLOW;
    ecs__iter_open(it);
    it->priv_.stamp = cache ? cache->moved : 0;
    it->priv_.position = it->priv_.begin = first - 1;
    it->priv_.first_row = it->priv_.begin_row = first_row;
    it->priv_.last = last;
    it->priv_.last_row = last_row;
}
