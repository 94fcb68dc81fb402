// SPDX-License-Identifier: MIT
// rematch: reaction to changes above tables: an ancestor gained, lost or moved what a table has
// through it.
//
// Tables that may match otherwise than before (stale.c) are searched again, and what was found takes
// the place of their matches, which leaves all others as they are. A table that matches no longer
// leaves holes, which wait for it; only if there is no place for a match, those behind it move. Equal
// results leave every position and stamp as it was.
#include <string.h>

#include "query/cache/cache.h"
#include "storage/watch.h"
#include "world/state.h"

static ecs_table_t *stale_table(const ecs__cache_t *cache, int32_t i) {
    return *ecs_vec_get_t(&cache->stale, ecs_table_t *, i);
}

static ecs__match_t *match_at(const ecs__cache_t *cache, int32_t i) {
    return ecs__matches_at(cache, &cache->now, i);
}

// Of the matches of one table, those with results come first, then holes.
static ecs__group_t *group_at(const ecs__cache_t *cache, int32_t i, const ecs_table_t *table) {
    return i < cache->now.count && match_at(cache, i)->table == table ? match_at(cache, i)->group
                                                                      : NULL;
}

// ---- searching ----

// Nothing leaves a group yet, so that one that is left and joined goes on.
static void find_group(ecs__cache_t *cache, int32_t at, ecs_table_t *table, int32_t first) {
    ecs__matches_t *fresh = &cache->spare;
    ecs__group_t *group = ecs__groups_of(cache->groups, table);
    if (group != group_at(cache, at, table)) ecs__group_join(group);
    for (int32_t i = first; i < fresh->count; i++) ecs__matches_at(cache, fresh, i)->group = group;
}

// Returns how many of the matches found have no place among the others.
static int32_t search_again(ecs__cache_t *cache) {
    const ecs__plan_t *plan = cache->plan;
    ecs__matches_t *fresh = &cache->spare;
    ecs__eval_t eval;
    ecs__eval_init(&eval, plan, cache->store, plan->scan, plan->count, NULL, true);
    fresh->count = fresh->detail_count = 0;
    int32_t missing = 0;
    for (int32_t i = 0, at = 0, end; i < ecs_vec_count(&cache->stale); i++, at = end) {
        ecs_table_t *table = stale_table(cache, i);
        int32_t first = fresh->count;
        ecs__eval_bind(&eval, table);
        while (ecs__eval_next(&eval)) ecs__cache_describe(cache, fresh, &eval);
        at = ecs__cache_seek(cache, at, table->id);
        end = ecs__cache_seek(cache, at, table->id + 1);
        missing += ECS_MAX(0, fresh->count - first - (end - at));
        if (cache->groups && fresh->count > first) find_group(cache, at, table, first);
    }
    return missing;
}

// ---- places ----

// Holes for matches without place; each match moves once, from the last on.
static void make_places(ecs__cache_t *cache, int32_t missing) {
    const ecs__matches_t *fresh = &cache->spare;
    int32_t end = cache->now.count, found = fresh->count, count = end + missing;
    ecs__cache_reserve(cache, &cache->now, missing);
    for (int32_t i = ecs_vec_count(&cache->stale) - 1; missing; i--) {
        uint64_t number = stale_table(cache, i)->id;
        int32_t at = ecs__cache_seek(cache, 0, number + 1), places = 0, matches = 0;
        while (at > places && match_at(cache, at - 1 - places)->number == number) places++;
        for (; found && ecs__matches_at(cache, fresh, found - 1)->number == number; found--)
            matches++;
        if (matches <= places) continue;
        memmove(match_at(cache, at + missing), match_at(cache, at),
            (size_t)(end - at) * (size_t)cache->stride);
        for (end = at; places < matches; places++) {
            ecs__match_t *hole = match_at(cache, at + --missing);
            memset(hole, 0, (size_t)cache->stride);
            hole->number = number;
            hole->details = -1;
            cache->now.holes++;
        }
    }
    cache->now.count = count;
}

// ---- replacing ----

static bool is_equal(
    const ecs__cache_t *cache, const ecs__match_t *now, const ecs__match_t *found) {
    size_t fields = (size_t)cache->plan->field_count;
    const ecs__detail_t *details = &cache->spare.details[found->details];
    if (now->set_fields != found->set_fields) return false;
    if (memcmp(now->columns, found->columns, fields * sizeof(int16_t))) return false;
    if (now->details < 0) return ecs__details_are_simple(cache->plan, details);
    return !memcmp(&cache->now.details[now->details], details, fields * sizeof(ecs__detail_t));
}

// True if the fields come from the same places, which may have moved.
static bool is_same_result(
    const ecs__cache_t *cache, const ecs__match_t *now, const ecs__match_t *found) {
    const ecs__detail_t *details = &cache->spare.details[found->details];
    if (now->set_fields != found->set_fields) return false;
    if (now->details < 0) return ecs__details_are_simple(cache->plan, details);
    for (int32_t f = 0; f < cache->plan->field_count; f++) {
        const ecs__detail_t *own = &cache->now.details[now->details + f];
        if (own->id != details[f].id || own->source != details[f].source) return false;
    }
    return true;
}

// A place that has details keeps them.
static int32_t take_details(ecs__cache_t *cache, int32_t place, const ecs__match_t *found) {
    int32_t fields = cache->plan->field_count;
    const ecs__detail_t *details = &cache->spare.details[found->details];
    if (place < 0 && ecs__details_are_simple(cache->plan, details)) return -1;
    if (place < 0) {
        place = cache->now.detail_count;
        ecs__matches_add_details(&cache->now, fields);
    }
    memcpy(&cache->now.details[place], details, (size_t)fields * sizeof(ecs__detail_t));
    return place;
}

// What was seen of a match is known of the one that replaces it, or at least that something was: should that go, the query has to tell.
static bool replace(ecs__cache_t *cache, ecs__match_t *match, const ecs__match_t *found) {
    if (match->table && is_equal(cache, match, found)) {
        if (cache->detect) ecs__cache_watch_match(cache, match); // what it lacks may be elsewhere
        return false;
    }
    bool is_known = match->table && is_same_result(cache, match, found);
    uint64_t seen = is_known ? match->seen : 0, kept = is_known ? match->kept : 0;
    const bool was_shown = match->table && (match->seen || match->was_shown);
    if (match->table && !is_known && cache->detect && !match->table->count)
        ecs__cache_lose(cache, match); // no row is left to tell
    if (!match->table) {
        cache->now.holes--;
        if (cache->groups) ecs__cache_reorder(cache);
    }
    const int32_t details = take_details(cache, match->details, found), waiting = match->waiting;
    memcpy(match, found, (size_t)cache->stride);
    match->details = details;
    match->seen = seen;
    match->kept = kept;
    match->was_shown = was_shown;
    match->waiting = waiting;
    ecs__cache_welcome(cache, match);
    return true;
}

static bool retire(ecs__cache_t *cache, ecs__match_t *match) {
    if (!match->table) return false;
    ecs__cache_retire(cache, match);
    if (cache->groups || cache->sort) ecs__cache_reorder(cache);
    return true;
}

// The matches of a table from `at` on; `found` is the first of those that take their place. Returns whether anything changed.
static bool replace_all(ecs__cache_t *cache, int32_t at, ecs_table_t *table, int32_t *found) {
    const ecs__matches_t *fresh = &cache->spare;
    ecs__group_t *before = group_at(cache, at, table), *now = NULL;
    bool has_changed = false, did_match = false, matches = false;
    for (; at < cache->now.count && match_at(cache, at)->number == table->id; at++) {
        ecs__match_t *match = match_at(cache, at);
        const ecs__match_t *other =
            *found < fresh->count ? ecs__matches_at(cache, fresh, *found) : NULL;
        bool is_found = other && other->table == table;
        did_match |= match->table != NULL;
        matches |= is_found;
        has_changed |= is_found ? replace(cache, match, other) : retire(cache, match);
        if (!is_found) continue;
        match->group = now = other->group;
        ++*found;
    }
    cache->match_count += did_match != matches;
    if (cache->sort && did_match && !matches) ecs__table_drop_log(table, cache);
    if (before != now) ecs__cache_reorder(cache);
    if (before && before != now) ecs__group_leave(cache->groups, before);
    return has_changed || before != now;
}

static void match_stale(ecs__cache_t *cache) {
    int32_t missing = search_again(cache);
    bool has_changed = missing > 0;
    if (missing) make_places(cache, missing);
    for (int32_t i = 0, at = 0, found = 0; i < ecs_vec_count(&cache->stale); i++) {
        ecs_table_t *table = stale_table(cache, i);
        at = ecs__cache_seek(cache, at, table->id);
        has_changed |= replace_all(cache, at, table, &found);
    }
    if (!has_changed) return;
    ecs__cache_drop_copies(cache);
    cache->moved++;
    cache->stamp++;
    ecs__cache_trim(cache);
}

void ecs__cache_insert(ecs__cache_t *cache, ecs_table_t *table) {
    ecs_vec_clear(&cache->stale);
    *ecs_vec_append_t(NULL, &cache->stale, ecs_table_t *) = table;
    match_stale(cache);
}

void ecs__cache_rematch(ecs__cache_t *cache) {
    ecs__cache_find_stale(cache);
    cache->seen = cache->store->traverse_stamp;
    if (!ecs_vec_count(&cache->stale)) return;
    ecs_world_t *world = cache->store->owner;
    ecs_world_info_t *info = cache->store->info;
    const uint64_t begin = ecs__measure_begin(world);
    bool was_empty = ecs__cache_is_empty(cache);
    match_stale(cache);
    if (was_empty) ecs__cache_tell_matched(cache);
    info->rematch_count_total++;
    ecs__measure_end(begin, &world->rematch_time, &info->rematch_time_total);
}
