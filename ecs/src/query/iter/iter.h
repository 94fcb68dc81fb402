// SPDX-License-Identifier: MIT
// iter: what the files of this folder share.
#ifndef ECS_QUERY_ITER_ITER_H
#define ECS_QUERY_ITER_ITER_H

#include <muster/ecs/iter.h>
#include "base/apart.h"
#include "base/atomics.h"
#include "query/graph/solve.h"
#include "query/program.h"

/* Called once per table: begins with a cache line, wherever it is linked to. */
#define HOT __attribute__((aligned(64)))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define RARELY(condition) __builtin_expect(!!(condition), 0)

/** True while other threads may read the world: nothing shared is written then. */
bool ecs__iter_is_concurrent(const ecs_world_t *real_world);

/** Give an iterator its arrays for fields: its own, or memory of the stage if there are many. */
void ecs__iter_make_arrays(ecs_iter_t *it);
/** Make all of priv_ valid: what is needed for other than trivial results. */
void ecs__iter_open(ecs_iter_t *it);
/** Results no more come without ado. */
static inline void ecs__iter_leave_trivial(ecs_iter_t *it) {
    it->flags &= ~(EcsIterTrivialCached | EcsIterTrivialSearch);
    it->priv_.quick = 0;
}
/** No function sorts or groups results, or this query has other ones: the order that it is asked for is not there yet. [chk] */
bool ecs__check_may_ask(const ecs_query_t *query);
/** Begin for rows that will be bound: in steps that do not depend on the number of matches. */
void ecs__iter_begin_for_rows(ecs_iter_t *it, const ecs_query_t *query);
/** Go on in the general way, should results be copied. */
void ecs__iter_leave_copies(ecs_iter_t *it);
/** Memory of the stage, freed when the iterator ends. */
void *ecs__iter_alloc(ecs_iter_t *it, ecs_size_t size);
void ecs__iter_free(ecs_iter_t *it);
/** The solver of an iterator over a query with goals; made when first needed. */
ecs__solver_t *ecs__iter_solver(ecs_iter_t *it);
void ecs__iter_free_solver(ecs_iter_t *it);
/** Next result of such a query. */
bool ecs__iter_next_solution(ecs_iter_t *it);
/** Next result of any query but those that have a way of their own. */
bool ecs__iter_next_general(ecs_iter_t *it);
/** Next result with EcsIterTrivialSearch (plain.c). */
bool ecs__iter_search(ecs_iter_t *it);
/** The same in the middle of results, if no table changed. */
bool ecs__iter_next_plain(ecs_iter_t *it);
/** Lock the table of a result (debug builds) until the next one, and those through whose rows other variables may go. */
static inline void ecs__iter_lock(ecs_iter_t *it) {
#ifdef FLECS_DEBUG
    if (ecs__iter_is_concurrent(it->real_world)) return;
    if (it->flags & EcsIterGraph) ecs__solver_lock(it->priv_.eval, it->constrained_vars);
    if (!it->table) return;
    ecs__add_32((uint32_t *)&it->table->lock, 1);
    it->priv_.locked = it->table;
#else
    (void)it;
#endif
}
static inline void ecs__iter_unlock(ecs_iter_t *it) {
#ifdef FLECS_DEBUG
    if ((it->flags & (EcsIterGraph | EcsIterOpen)) == (EcsIterGraph | EcsIterOpen))
        ecs__solver_unlock(it->priv_.eval);
    if (!it->priv_.locked) return;
    ecs__add_32((uint32_t *)&it->priv_.locked->lock, UINT32_MAX);
    it->priv_.locked = NULL;
#else
    (void)it;
#endif
}
/** Rows of a range; negative if it begins outside its table. */
static inline int32_t ecs__range_count(const ecs_table_range_t *range) {
    if (range->count) return range->count;
    return range->offset < 0 ? -1 : range->table->count - range->offset;
}
/** $this stands for these rows only. */
void ecs__iter_bind_rows(ecs_iter_t *it, ecs_table_t *table, int32_t row, int32_t count);
/** Go through the matches of group priv_.group only. */
void ecs__iter_limit_to_group(ecs_iter_t *it);
/** True if there are tables or matches to which iterators of a program must tell something (changes.c). `cache` is the one that is used. */
bool ecs__iter_has_listeners(const ecs__program_t *program, ecs__cache_t *cache);
/** Tell of what was written in the present result, or that it was skipped. */
void ecs__iter_tell(ecs_iter_t *it);
/** Tell that the present match was seen. */
void ecs__iter_leave_match(ecs_iter_t *it);
/** Tell that all results were. */
void ecs__iter_tell_end(ecs_iter_t *it);
/** Begin an iterator without query. */
void ecs__iter_begin_bare(ecs_iter_t *it, const ecs_world_t *world, int8_t field_count);
/** The iterator has come to its end: release everything; returns false. */
bool ecs__iter_end(ecs_iter_t *it);
/** The same for trivial results: most need no memory of the stage. */
static inline bool ecs__iter_end_simple(ecs_iter_t *it) {
    if (it->flags & EcsIterOpen) return ecs__iter_end(it);
    ecs__iter_unlock(it);
    it->flags = (it->flags & ~(EcsIterTrivialCached | EcsIterTrivialSearch | EcsIterIsValid)) |
                EcsIterNoResults;
    /* Table, count and offset, in one store. */
    const size_t table = offsetof(ecs_iter_t, table);
    memset((char *)it + table, 0, offsetof(ecs_iter_t, ptrs) - table);
    return false;
}

#endif
