// SPDX-License-Identifier: MIT
#include "query/cache/detect.h"

#include <muster/ecs/os.h>

#include "storage/watch.h"

// ---- lifecycle ----

ecs__detect_t *ecs__detect_new(
    const ecs_query_t *query, const ecs__plan_t *plan, ecs__store_t *store) {
    ecs__detect_t *detect = ecs_os_calloc_t(ecs__detect_t);
    detect->query = query;
    detect->plan = plan;
    detect->store = store;
    detect->tables = ecs_os_calloc_n(uint64_t, plan->field_count);
    return detect;
}

void ecs__detect_free(ecs__detect_t *detect) {
    if (!detect) return;
    ecs_os_free(detect->tables);
    ecs_os_free(detect);
}

// ---- what is watched ----

void ecs__cache_watch_match(const ecs__cache_t *cache, const ecs__match_t *match) {
    ecs__table_watch(match->table);
    if (match->details < 0) return;
    for (int32_t f = 0; f < cache->plan->field_count; f++) {
        const ecs__detail_t *detail = &cache->now.details[match->details + f];
        if (detail->source && detail->table)
            ecs__table_watch((ecs_table_t *)(uintptr_t)detail->table);
    }
}

void ecs__cache_detect(ecs__cache_t *cache, ecs__detect_t *detect) {
    cache->detect = detect;
    // It cannot be cut any more. Whoever did that has to see it, also where others watch the tables already.
    cache->stamp++;
    cache->store->structure_stamp++;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->table) ecs__cache_watch_match(cache, match);
    }
}

// What was never seen did not exist, or was empty, when the last iteration came to its end; 0: there was none.
static uint64_t last_look(const ecs__detect_t *detect, const ecs__match_t *match) {
    const uint64_t seen = ecs__load_64(&match->seen);
    return seen ? seen : ecs__load_64(&detect->ended);
}

static bool rows_changed(const ecs__detect_t *detect, const ecs__match_t *match) {
    const uint64_t last = last_look(detect, match);
    return last && ecs__watch_is_newer(&match->table->watch->rows, last);
}

void ecs__cache_lose(const ecs__cache_t *cache, const ecs__match_t *match) {
    bool had_results = match->seen && match->table->count;
    if (had_results || rows_changed(cache->detect, match))
        cache->detect->lost = cache->store->watch.now;
}

static bool is_watched(const ecs__cache_t *cache, const ecs__match_t *match) {
    if (!match->table) return false;
    if (match->table->watch) return true;
    for (int32_t f = 0; match->details >= 0 && f < cache->plan->field_count; f++) {
        const ecs__detail_t *detail = &cache->now.details[match->details + f];
        if (detail->source && detail->table && detail->table->watch) return true;
    }
    return false;
}

void ecs__cache_find_watched(ecs__cache_t *cache) {
    cache->watch_stamp = cache->store->watch.tables;
    cache->is_watched = false;
    for (int32_t i = 0; i < cache->now.count && !cache->is_watched; i++) {
        cache->is_watched = is_watched(cache, ecs__matches_at(cache, &cache->now, i));
    }
}

// ---- constants ----

// Table of the constant source of a field that is read, NULL if there is none.
static ecs_table_t *table_of_constant(const ecs__detect_t *detect, int32_t field) {
    const ecs_entity_t source = detect->plan->sources[field];
    bool is_read = source && detect->query->read_fields & FIELD_BIT(field);
    return is_read ? ecs__entity_table(&detect->store->entities, source) : NULL;
}

void ecs__detect_follow(ecs__detect_t *detect) {
    for (int32_t f = 0; f < detect->plan->field_count; f++) {
        ecs_table_t *table = table_of_constant(detect, f);
        if (table) ecs__table_watch(table);
        uint64_t number = table ? table->id : 0;
        if (number == detect->tables[f]) continue;
        detect->tables[f] = number;
        detect->moved = detect->store->watch.now;
    }
}

// Of alternatives, the first that holds is read; one with a wildcard may be one of several.
static bool constant_changed(
    const ecs__detect_t *detect, int32_t field, const ecs_table_t *table, uint64_t seen) {
    const ecs_query_t *query = detect->query;
    bool holds = false;
    for (int32_t t = 0; t < query->term_count && !holds; t++) {
        const ecs_term_t *term = &query->terms[t];
        if (term->field_index != field) continue;
        const ecs_id_t id = ecs__id_any_to_wildcard(term->id);
        for (int32_t i = 0; (i = ecs__type_match(&table->type, i, id)) >= 0; i++) {
            int32_t column = ecs__table_column(table, table->type.array[i]);
            if (column >= 0 && ecs__watch_is_newer(&table->watch->columns[column], seen))
                return true;
            holds |= !ecs__id_is_wildcard(id);
        }
    }
    return false;
}

static bool constants_changed(const ecs__detect_t *detect, uint64_t seen) {
    if (detect->moved > seen) return true;
    for (int32_t f = 0; f < detect->plan->field_count; f++) {
        const ecs_table_t *table = table_of_constant(detect, f);
        if (!table) continue;
        if (table->id != detect->tables[f] || !table->watch) return true;
        if (constant_changed(detect, f, table, seen)) return true;
    }
    return false;
}

static bool constants_hold(const ecs__detect_t *detect) {
    const ecs__plan_t *plan = detect->plan;
    if (!plan->scan) return true;
    ecs__eval_t eval;
    ecs__eval_init(&eval, plan, detect->store, 0, plan->scan, NULL, false);
    return ecs__eval_next(&eval);
}

// ---- matches ----

static bool shared_changed(const ecs__store_t *store, const ecs__detail_t *detail, uint64_t seen) {
    const ecs_table_t *table = ecs__entity_table(&store->entities, detail->source);
    if (!table) return false;
    int32_t column = ecs__table_column(table, detail->id);
    if (column < 0) return false;
    return !table->watch || ecs__watch_is_newer(&table->watch->columns[column], seen);
}

static bool values_changed(
    const ecs_query_t *query, const ecs__cache_t *cache, const ecs__match_t *match, uint64_t seen) {
    const ecs__watch_t *watch = match->table->watch;
    const int16_t *columns = match->columns;
    ecs_termset_t fields = query->read_fields & match->set_fields;
    for (int32_t f = 0; f < cache->plan->field_count; f++) {
        if (!(fields & FIELD_BIT(f)) || cache->plan->sources[f]) continue;
        const ecs__detail_t *detail =
            match->details < 0 ? NULL : &cache->now.details[match->details + f];
        if (detail && detail->source) {
            if (shared_changed(cache->store, detail, seen)) return true;
        } else if (columns[f] >= 0 && ecs__watch_is_newer(&watch->columns[columns[f]], seen)) {
            return true;
        }
    }
    return false;
}

bool ecs__detect_match_changed(
    const ecs__detect_t *detect, const ecs__cache_t *cache, const ecs__match_t *match) {
    uint64_t seen = ecs__load_64(&match->seen);
    bool with_empty = detect->query->flags & EcsQueryMatchEmptyTables;
    if (!match->table->watch || rows_changed(detect, match)) return true;
    if (!seen) return match->table->count || with_empty;
    if (!match->table->count && !with_empty) return false;
    return values_changed(detect->query, cache, match, seen) || constants_changed(detect, seen);
}

static bool any_match_changed(const ecs__detect_t *detect, const ecs__cache_t *cache) {
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->table && ecs__detect_match_changed(detect, cache, match)) return true;
    }
    return false;
}

bool ecs__detect_changed(const ecs__detect_t *detect, const ecs__cache_t *cache) {
    const uint64_t ended = ecs__load_64(&detect->ended);
    const bool held = ecs__load_32(&detect->held);
    if (!constants_hold(detect)) return held;
    if (!cache) return !held || constants_changed(detect, ended);
    return detect->lost > ended || any_match_changed(detect, cache);
}

void ecs__detect_end(
    ecs__detect_t *detect, ecs__cache_t *cache, uint64_t began, uint64_t table_limit) {
    ecs__store_64(&detect->ended, began);
    ecs__store_32(&detect->held, constants_hold(detect));
    for (int32_t i = 0; cache && i < cache->now.count; i++) {
        ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (ecs__load_64(&match->seen) > began || ecs__load_64(&match->kept) == began) continue;
        if (match->number >= table_limit) continue;
        ecs__store_64(&match->seen, began);
    }
}
