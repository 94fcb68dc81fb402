// SPDX-License-Identifier: MIT
// rematch: reaction to changes above tables: an ancestor gained, lost or moved what a table has
// through it.
//
// Storage raises the stamps of all ids of a traversable target that changes. A term that looks for
// id I along R can be affected only by a target that has or had I, or that has or had a target of R
// itself. If one of these stamps rose, the search is repeated as a whole; it costs about as much as
// one uncached iteration. Equal results leave every position and stamp as it was.
#include <string.h>

#include "query/cache/cache.h"

static bool rose(const ecs_component_record_t *record, uint64_t seen) {
    return record && record->traverse_stamp > seen;
}

static bool is_affected(
    const ecs__cache_t *cache, const ecs__op_t *op, const ecs_component_record_t *isa) {
    // No table goes up this relationship (those that did are gone).
    if (!op->trav || !op->trav_record->table_live) return false;
    return rose(op->record, cache->seen) || rose(op->trav_record, cache->seen) ||
           rose(isa, cache->seen);
}

static bool above_changed(const ecs__cache_t *cache) {
    const ecs__plan_t *plan = cache->plan;
    const ecs_component_record_t *isa =
        ecs__id_record_get(cache->store, ECS__MAKE_PAIR(Ecs__IsA, Ecs__Wildcard));
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        if (is_affected(cache, &plan->ops[i], isa)) return true;
    }
    return false;
}

static void search_again(ecs__cache_t *cache) {
    const ecs__plan_t *plan = cache->plan;
    ecs__eval_t eval;
    ecs__eval_init(&eval, plan, cache->store, plan->scan, plan->count, NULL, true);
    cache->now.count = cache->now.detail_count = cache->now.holes = 0;
    ecs__cache_append(cache, &eval);
}

static bool is_equal_match(const ecs__match_t *a, const ecs__match_t *b, int32_t field_count) {
    size_t column_bytes = (size_t)field_count * sizeof(int16_t);
    return a->table == b->table && a->set_fields == b->set_fields && a->details == b->details &&
           a->group == b->group && !memcmp(a->columns, b->columns, column_bytes);
}

static bool is_equal(const ecs__cache_t *cache, const ecs__matches_t *a, const ecs__matches_t *b) {
    if (a->count != b->count || a->detail_count != b->detail_count) return false;
    for (int32_t i = 0; i < a->count; i++) {
        const ecs__match_t *in_a = ecs__matches_at(cache, a, i),
                           *in_b = ecs__matches_at(cache, b, i);
        if (!is_equal_match(in_a, in_b, cache->plan->field_count)) return false;
    }
    size_t detail_bytes = (size_t)a->detail_count * sizeof(ecs__detail_t);
    return !detail_bytes || !memcmp(a->details, b->details, detail_bytes);
}

// Tables that are in only one of two lists of matches.
static int32_t count_changes(
    const ecs__cache_t *cache, const ecs__matches_t *a, const ecs__matches_t *b) {
    int32_t changes = 0, i = 0, k = 0;
    while (i < a->count || k < b->count) {
        uint64_t in_a = i < a->count ? ecs__matches_at(cache, a, i)->number : UINT64_MAX;
        uint64_t in_b = k < b->count ? ecs__matches_at(cache, b, k)->number : UINT64_MAX;
        uint64_t first = ECS_MIN(in_a, in_b);
        changes += in_a != in_b;
        while (i < a->count && ecs__matches_at(cache, a, i)->number == first) i++;
        while (k < b->count && ecs__matches_at(cache, b, k)->number == first) k++;
    }
    return changes;
}

// True if the fields of two matches of one table come from the same places.
static bool is_same_result(
    const ecs__cache_t *cache, const ecs__match_t *a, const ecs__match_t *b) {
    if (a->set_fields != b->set_fields || (a->details < 0) != (b->details < 0)) return false;
    for (int32_t f = 0; a->details >= 0 && f < cache->plan->field_count; f++) {
        const ecs__detail_t *in_a = &cache->spare.details[a->details + f],
                            *in_b = &cache->now.details[b->details + f];
        if (in_a->id != in_b->id || in_a->source != in_b->source) return false;
    }
    return true;
}

// What was seen of a match is known of the match that replaces it.
static void keep_seen(ecs__cache_t *cache) {
    const ecs__matches_t *before = &cache->spare, *now = &cache->now;
    int32_t k = 0;
    for (int32_t i = 0; i < before->count; i++) {
        const ecs__match_t *old = ecs__matches_at(cache, before, i);
        while (k < now->count && ecs__matches_at(cache, now, k)->number < old->number) k++;
        ecs__match_t *match = k < now->count ? ecs__matches_at(cache, now, k) : NULL;
        if (!match || match->number != old->number) {
            ecs__cache_lose(cache, old);
            continue;
        }
        k++;
        if (!is_same_result(cache, old, match)) continue;
        match->seen = old->seen;
        match->kept = old->kept;
    }
}

void ecs__cache_rematch(ecs__cache_t *cache) {
    bool has_changed = above_changed(cache);
    cache->seen = cache->store->traverse_stamp;
    if (!has_changed) return;
    ecs__cache_compact(cache);
    ecs__matches_t before = cache->now;
    bool order_was_stale = cache->order_is_stale;
    cache->now = cache->spare;
    if (cache->groups) ecs__groups_reset(cache->groups);
    search_again(cache);
    cache->spare = before;
    ecs__cache_drop_copies(cache);
    cache->moved++;
    if (cache->detect) keep_seen(cache);
    if (is_equal(cache, &cache->now, &cache->spare)) {
        cache->order_is_stale = order_was_stale;
        return;
    }
    if (cache->groups) ecs__groups_prune(cache->groups);
    cache->order_is_stale = cache->groups || cache->sort;
    cache->match_count += count_changes(cache, &cache->spare, &cache->now);
    cache->stamp++;
}
