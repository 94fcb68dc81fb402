// SPDX-License-Identifier: MIT
// iter: from matches to results.
//
// Results come from one of
//   copies in the cache  copied.c: whole results, while no table changes
//   matches in a cache   matches.c; here for each way in which terms about constants hold
//   the plan             here: uncached, or $this is limited to given rows
//   id records           plain.c: uncached, and the query only asks for own ids
//   a search             join.c, solver.c: the query has variables and the like
// and are shown by result.c. How iterators begin and end is in begin.c. While other threads may read the world an iterator writes to
// itself and its stage only.
#include "base/atomics.h"
#include "query/graph/place.h"
#include "query/iter/copied.h"
#include "query/iter/join.h"
#include "query/iter/matches.h"
#include "query/iter/result.h"
#include "query/query.h"
#include "world/state.h"

// ---- from the plan ----

// Of the operations below `end`.
static inline ecs__eval_t *begin_eval(ecs_iter_t *it, int32_t end) {
    ecs__eval_t *eval = ecs__iter_alloc(it, ECS_SIZEOF(ecs__eval_t));
    bool with_empty = it->flags & EcsIterMatchEmptyTables;
    ecs__eval_init(eval, &ecs__program_of(it)->plan, &it->real_world->store, 0, end,
        it->priv_.bound_table, with_empty);
    ecs__profile_t *profile = ecs__query_profile(it);
    eval->tallies = profile ? profile->ops : NULL;
    it->priv_.eval = eval;
    return eval;
}

// Terms about constants are no part of the cache: all matches come for each way in which those
// hold.
static bool next_cached(ecs_iter_t *it) {
    const ecs__plan_t *plan = &ecs__program_of(it)->plan;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    if (!plan->scan) return ecs__matches_next(it, cache);
    ecs__eval_t *eval = it->priv_.eval;
    if (eval && ecs__matches_next(it, cache)) return true;
    if (!eval) eval = begin_eval(it, plan->scan);
    while (ecs__eval_next(eval)) {
        ecs__iter_keep_fields(it, 0);
        ecs__iter_fill_from_eval(it, eval, it->query->fixed_fields);
        it->priv_.position = it->priv_.begin;
        it->priv_.first_row = it->priv_.begin_row;
        if (ecs__matches_next(it, cache)) return true;
    }
    return false;
}

static bool bound_rows(const ecs_iter_t *it, int32_t *row, int32_t *end) {
    const ecs_iter_private_t *priv = &it->priv_;
    *row = 0;
    *end = it->table->count;
    bool is_empty = !*end;
    if (priv->bound_table) {
        *row = priv->bound_row;
        *end = ECS_MIN(priv->bound_end, *end);
    }
    return *row < *end || (is_empty && it->flags & EcsIterMatchEmptyTables);
}

static bool next_evaluated(ecs_iter_t *it) {
    const ecs__plan_t *plan = &ecs__program_of(it)->plan;
    ecs__eval_t *eval = it->priv_.eval;
    if (!eval) eval = begin_eval(it, plan->count);
    while (ecs__eval_next(eval)) {
        int32_t row = 0, end = 0;
        it->table = eval->table;
        if (it->table && !bound_rows(it, &row, &end)) continue;
        ecs__iter_keep_fields(it, 0);
        ecs__iter_fill_from_eval(it, eval, (ecs_termset_t) ~(ecs_termset_t)0);
        if (it->table ? ecs__iter_show_rows(it, plan, row, end) : ecs__iter_show_run(it, 0, 0))
            return true;
    }
    return false;
}

// Tables mostly have all ids themselves, although some base has one: then nobody else is asked. States of operations know where the
// last one had them.
static bool has_own(ecs_iter_t *it, ecs__eval_t *eval, const ecs_table_t *table) {
    const ecs__plan_t *plan = eval->plan;
    for (int32_t i = 1; i < plan->count; i++) {
        int32_t *hint = &eval->states[i].cursor;
        const int32_t index = ecs__place_of(table, plan->ops[i].id, *hint);
        if (index < 0) return false;
        *hint = index;
        const int32_t column = ecs__table_column_at(table, index);
        it->priv_.ptrs[plan->ops[i].field] = column < 0 ? NULL : table->data[column];
    }
    return true;
}

// Evaluations that have begun go on in their way: no others begin behind the operation that finds tables.
static bool may_be_own(const ecs_iter_t *it) {
    const ecs__plan_t *plan = &ecs__program_of(it)->plan;
    const ecs__eval_t *eval = it->priv_.eval;
    if (eval) return eval->begin > 0;
    return plan->plain && !plan->row_fields && it->field_count <= ECS_ITER_INLINE_FIELDS &&
           !(it->flags & (EcsIterProfile | EcsIterMatchEmptyTables)) && !it->priv_.bound_table;
}

static ecs__eval_t *begin_own_or_inherited(ecs_iter_t *it, const ecs__plan_t *plan) {
    ecs__eval_t *eval = begin_eval(it, plan->count);
    ecs__scan_init(&eval->scan, eval->store, plan, false);
    eval->begin = 1;
    for (int32_t i = 1; i < plan->count; i++) eval->states[i].cursor = 0;
    for (int32_t f = 0; f < it->field_count; f++) it->priv_.ptrs[f] = NULL;
    return eval;
}

static bool next_own_or_inherited(ecs_iter_t *it) {
    const ecs__plan_t *plan = &ecs__program_of(it)->plan;
    ecs__eval_t *eval = it->priv_.eval;
    ecs_table_t *table;
    if (!eval) eval = begin_own_or_inherited(it, plan);
    while ((table = ecs__scan_next(&eval->scan))) {
        if (!table->count || !ecs__plan_may_match(plan, table)) continue;
        if (has_own(it, eval, table)) {
            ecs__matches_show_own(it, plan, table, plan->plain_fields, 0, table->count);
            return true;
        }
        eval->table = it->table = table;
        ecs__eval_bind(eval, NULL);
        if (!(table->flags & EcsTableHasIsA) || !ecs__eval_next(eval)) continue;
        if (!it->columns) ecs__iter_make_arrays(it);
        ecs__iter_keep_fields(it, 0);
        ecs__iter_fill_from_eval(it, eval, (ecs_termset_t) ~(ecs_termset_t)0);
        return ecs__iter_show_run(it, 0, table->count);
    }
    return false;
}

// ---- next ----

ECS__APART bool ecs__iter_next_general(ecs_iter_t *it) {
    ecs__iter_open(it);
    if (ecs__iter_next_row(it)) return true;
    ecs__iter_unlock(it);
    if (ecs__iter_next_run(it)) return true;
    if (!it->ptrs) ecs__iter_make_arrays(it);
    bool found;
    if (it->flags & EcsIterGraph)
        found = ecs__iter_next_solution(it);
    else if (it->flags & EcsIterCached)
        found = next_cached(it);
    else
        found = may_be_own(it) ? next_own_or_inherited(it) : next_evaluated(it);
    return found || ecs__iter_end(it);
}

static inline bool next_any(ecs_iter_t *it) {
    if (it->flags & EcsIterJoined) return ecs__join_follow(it);
    if (it->flags & EcsIterCopied) return ecs__copied_next(it);
    if (it->flags & EcsIterTrivialSearch) return ecs__iter_search(it);
    if ((it->flags & (EcsIterCut | EcsIterGraph)) == EcsIterCut) return ecs__copied_next_cut(it);
    return ecs__iter_next_general(it);
}

static ECS__APART bool next_told_or_none(ecs_iter_t *it) {
    if (it->flags & EcsIterNoResults) {
        ecs_check(!(it->flags & EcsIterIsValid), ECS_INVALID_OPERATION,
            "the callback of system %u is called once per result and cannot go on to the next one: "
            "functions that do are given as .run",
            (uint32_t)it->system);
        return false;
    }
    ecs__iter_open(it);
    ecs__iter_tell(it);
    if (next_any(it)) return true;
    ecs__iter_tell_end(it);
error:
    return false;
}

static ECS__APART bool next_other(ecs_iter_t *it) {
    return it->flags & (EcsIterNoResults | EcsIterSync) ? next_told_or_none(it) : next_any(it);
}

static ECS__APART bool next_slow(ecs_iter_t *it) {
    return it->flags & EcsIterTrivialCached ? ecs__copied_next_simple(it) : next_other(it);
}

// What most systems run: copies with few fields. Nothing here that a result does not need: what is read and written is what it costs,
// and in a tick of many systems, cache lines: the cache is not even looked at. Each jump costs as much as some reads, so the first
// result and the end are here too; what they read is read again, or compilers would keep it in registers on the way that is gone most.
HOT bool ecs_query_next(ecs_iter_t *it) {
    ECS__NEED_OR(it, false);
    ecs_check(it->query && !it->event && !it->chain_it, ECS_INVALID_PARAMETER,
        "this iterator is none of a query: use ecs_iter_next");
    ecs_iter_private_t *priv = &it->priv_;
    const uint64_t structure = it->real_world->store.structure_stamp;
    if (LIKELY(priv->quick == structure)) {
        const char *at = priv->copy;
        if (!at) return ecs__iter_next_plain(it);
        ecs__iter_unlock(it);
        if (LIKELY(ecs__copy_at(at)->count)) {
            ecs__copied_show(it, at, true, false);
            return true;
        }
        if (LIKELY(!ecs__copy_at(at)->table)) return ecs__iter_end_simple(it);
    } else if (ecs__load_64(&priv->quick) == (structure | ECS_ITER_FRESH)) {
        const char *at = ecs__load_ptr((void **)(uintptr_t)&priv->copy);
        if (RARELY(!ecs__copy_at(at)->count)) return ecs__iter_end_simple(it);
        priv->quick = structure;
        it->flags |= EcsIterIsValid;
        it->ptrs = priv->ptrs;
        ecs__copied_show(it, at, true, true);
        return true;
    } else if (priv->quick == (structure | ECS_ITER_JOINED)) {
        return ecs__join_next(it);
    } else if (priv->quick == (structure | ECS_ITER_SIFTED)) {
        return ecs__join_next_row(it);
    }
    return next_slow(it);
error:
    return false;
}

bool ecs_iter_next(ecs_iter_t *it) {
    ecs_check(it != NULL && it->next != NULL, ECS_INVALID_PARAMETER,
        "ecs_iter_next: this is no iterator");
    if (!it->interrupted_by) return it->next(it);
    ecs_iter_fini(it);
error:
    return false;
}

int32_t ecs_iter_count(ecs_iter_t *it) {
    ECS__NEED_OR(it, 0);
    int32_t count = 0;
    it->flags |= EcsIterInstanced | EcsIterNoData;
    while (ecs_iter_next(it)) count += it->count;
    return count;
}

bool ecs_iter_is_true(ecs_iter_t *it) {
    bool result = ecs_iter_next(it);
    if (result) ecs_iter_fini(it);
    return result;
}

ecs_entity_t ecs_iter_first(ecs_iter_t *it) {
    while (ecs_iter_next(it)) {
        if (!it->count) continue;
        ecs_entity_t first = it->entities[0];
        ecs_iter_fini(it);
        return first;
    }
    return 0;
}
