// SPDX-License-Identifier: MIT
// changes: what iterators tell of: values that were written, matches that were seen.
//
// An iterator with EcsIterSync tells when it goes on behind a result: write fields are noted in the tables that have the values, and a
// match of a query that detects changes is noted as seen once its last result was passed. ecs_iter_skip keeps both from happening.
// Iterators that have nobody to tell are not slowed down: they lack the flag.
#include "query/asked.h"
#include "query/iter/iter.h"
#include "query/iter/seen.h"
#include "query/query.h"
#include "storage/watch.h"
#include "world/state.h"

bool ecs__iter_has_listeners(const ecs__program_t *program, ecs__cache_t *cache) {
    const ecs_query_t *base = &program->query->base;
    if (program->detect && (cache || program->graph)) return true;
    if (program->detect && program->plan.scan == program->plan.count) return true;
    if (!base->write_fields) return false;
    bool writes_elsewhere = program->graph || base->write_fields & base->fixed_fields;
    if (!cache || writes_elsewhere) return true;
    if (!ecs__iter_is_concurrent(base->real_world)) ecs__cache_follow_watches(cache);
    return cache->is_watched;
}

// ---- writes ----

static void tell_shared(const ecs_iter_t *it, int32_t field) {
    ecs_table_t *table = ecs__entity_table(&it->real_world->store.entities, it->sources[field]);
    int32_t column = table ? ecs__table_column(table, it->ids[field]) : -1;
    if (column >= 0) ecs__table_touch_column(table, column);
}

static void tell_own(const ecs_iter_t *it, int32_t field) {
    int32_t column =
        it->columns ? it->columns[field] : ecs__table_column(it->table, it->ids[field]);
    if (column >= 0) ecs__table_touch_column(it->table, column);
}

static void tell_writes(const ecs_iter_t *it) {
    const ecs_query_t *query = it->query;
    ecs_termset_t fields = query->write_fields & it->set_fields;
    for (; fields; fields &= fields - 1) {
        int32_t field = FIRST_FIELD(fields);
        bool is_shared = it->sources[field] != 0;
        if (is_shared && query->shared_readonly_fields & FIELD_BIT(field)) continue;
        if (is_shared)
            tell_shared(it, field);
        else if (it->table && it->table->watch)
            tell_own(it, field);
    }
}

// ---- what was seen ----

// The match of the present result, unless matches moved meanwhile.
static ecs__match_t *present_match(const ecs_iter_t *it) {
    const ecs__cache_t *cache = ecs__cache_of(it);
    if (!cache || !(it->flags & EcsIterOpen) || !it->table) return NULL;
    int32_t position = it->priv_.position;
    if (position < 0 || position >= ecs__cache_count(cache)) return NULL;
    ecs__match_t *match = ecs__cache_at(cache, position);
    return match->table == it->table ? match : NULL;
}

void ecs__iter_leave_match(ecs_iter_t *it) {
    const ecs__program_t *program = ecs__program_of(it);
    ecs__match_t *match = program->detect && it->flags & EcsIterIsValid ? present_match(it) : NULL;
    if (!match || ecs__load_64(&match->kept) == it->priv_.began) return;
    // Other slices, or other ways in which constants hold, may follow: it is seen when all were.
    if (program->cache->sort || program->plan.holds_in_ways) return;
    ecs__store_64(&match->seen, it->priv_.looked);
}

// Without tables there is one result: if it is skipped, nothing was seen.
static void skip_match(ecs_iter_t *it) {
    const ecs__program_t *program = ecs__program_of(it);
    if (program->graph) return;
    ecs__match_t *match = program->detect ? present_match(it) : NULL;
    if (match) ecs__store_64(&match->kept, it->priv_.began);
    if (!program->cache) it->priv_.began = 0;
}

// What the query writes itself comes after the look: it changes what it reads.
void ecs__iter_tell(ecs_iter_t *it) {
    if (!(it->flags & EcsIterIsValid)) return;
    const ecs__detect_t *detect = ecs__program_of(it)->detect;
    if (detect && detect->seen)
        ecs__seen_note(it);
    else if (detect)
        it->priv_.looked = ecs__watch_look(&it->real_world->store.watch);
    if (it->flags & EcsIterSkip)
        skip_match(it);
    else if (!(it->flags & EcsIterNoData))
        tell_writes(it);
}

void ecs__iter_tell_end(ecs_iter_t *it) {
    const ecs__program_t *program = ecs__program_of(it);
    ecs__detect_t *detect = program->detect;
    bool is_limited = it->flags & EcsIterInGroup || it->constrained_vars;
    if (!detect || !it->priv_.began || is_limited) return;
    if (detect->seen)
        ecs__seen_end(detect->seen, it->priv_.began);
    else
        ecs__detect_end(detect, program->cache, it->priv_.began, it->priv_.table_limit);
}

// ---- asking ----

// Detection begins with the first question. In a job it has to wait until all jobs are done.
static bool is_detecting(ecs__program_t *program) {
    if (program->detect) return true;
    ecs_world_t *world = program->query->base.real_world;
    if (!ecs__iter_is_concurrent(world)) {
        ecs__program_detect(program);
        return true;
    }
    ecs__store_32(&program->wants_detect, 1);
    ecs__store_32(&world->queries.wants_detect, 1);
    return false;
}

bool ecs_query_changed(ecs_query_t *base) {
    ecs_check(base != NULL && base->hdr.type == ECS__QUERY_TYPE, ECS_INVALID_PARAMETER,
        "ecs_query_changed: this is no query, or it has ended");
    ECS__CHECK(ecs__check_not_asked(base->real_world)); /* it watches from now on */
    ecs__program_t *program = ecs__query_program(base);
    if (program->plan.nothing || !is_detecting(program)) return !program->plan.nothing;
    if (program->detect->seen) return ecs__seen_any_changed(base, program->detect->seen);
    if (!ecs__iter_is_concurrent(base->real_world)) {
        if (program->cache) ecs__cache_update(program->cache);
        ecs__detect_follow(program->detect);
    }
    return ecs__detect_changed(program->detect, program->cache);
error:
    return false;
}

// An iteration in which the first question is asked counts as one that detects, if it goes through tables one by one.
static void join_iteration(ecs_iter_t *it, const ecs__cache_t *cache) {
    bool is_unopened = it->flags & EcsIterCached && !(it->flags & EcsIterOpen); /* in a callback */
    bool is_simple = is_unopened || it->flags & (EcsIterTrivialCached | EcsIterTrivialSearch);
    ecs__iter_open(it);
    it->priv_.began = ecs__watch_look(&it->real_world->store.watch);
    if (it->flags & EcsIterGraph || !(is_simple || it->flags & EcsIterCached)) return;
    it->flags |= EcsIterSync;
    ecs__iter_leave_copies(it);
    if (!is_simple) return;
    ecs__iter_leave_trivial(it);
    it->flags |= EcsIterCached;
    it->priv_.stamp = cache->moved;
    it->priv_.position = ecs__cache_from(cache, it->table->id, 0);
    it->priv_.begin = -1;
    it->priv_.last = ecs__cache_count(cache) - 1;
}

bool ecs_iter_changed(ecs_iter_t *it) {
    ecs_check(it != NULL && it->flags & EcsIterIsValid && it->query, ECS_INVALID_PARAMETER,
        "ecs_iter_changed: the iterator has no result, or no query");
    while (it->chain_it) it = it->chain_it;
    ecs__program_t *program = ecs__program_of(it);
    if (!program) return true; /* events tell of changes */
    if (!program->detect) {
        if (is_detecting(program))
            join_iteration(it, program->cache);
        else
            ecs__asked_note(it);
        return true;
    }
    if (program->detect->seen) return ecs__seen_is_changed(it);
    const ecs__cache_t *cache = program->cache;
    if (!cache) return ecs__detect_changed(program->detect, NULL);
    const ecs__match_t *match = present_match(it);
    if (!match && it->table) match = ecs__cache_find(cache, it->table);
    return !match || ecs__detect_match_changed(program->detect, cache, match);
error:
    return false;
}

void ecs_iter_skip(ecs_iter_t *it) {
    ECS__NEED(it);
    ecs_check(it->flags & EcsIterIsValid, ECS_INVALID_PARAMETER,
        "ecs_iter_skip: the iterator has no result");
    for (; it; it = it->chain_it) {
        it->flags |= EcsIterSkip;
        if (it->priv_.quick) it->priv_.quick |= ECS_ITER_SLOW;
        if (it->flags & EcsIterAsked) ecs__asked_note(it);
    }
error:
    return;
}
