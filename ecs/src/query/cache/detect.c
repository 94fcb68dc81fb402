// SPDX-License-Identifier: MIT
#include "query/cache/detect.h"

#include "base/hash.h"
#include "query/eval/rows.h"
#include "storage/watch.h"

// ---- what is watched ----

// Who decides about a condition on what may be switched off, if it is not the table itself.
static ecs_entity_t switch_of(
    const ecs__cache_t *cache, const ecs__match_t *match, const ecs__op_t *op) {
    if (op->code == ECS__OP_WITHOUT) return ecs__rows_excluded_by(match->table, op);
    return ecs__match_detail(cache, match, op->field).source;
}

static void watch_switches(const ecs__cache_t *cache, const ecs__match_t *match) {
    const ecs__plan_t *plan = cache->plan;
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs_entity_t source =
            plan->ops[i].by_row ? switch_of(cache, match, &plan->ops[i]) : 0;
        ecs_table_t *table = source ? ecs__entity_table(&cache->store->entities, source) : NULL;
        if (table) ecs__table_watch(table);
    }
}

void ecs__cache_watch_match(const ecs__cache_t *cache, const ecs__match_t *match) {
    const ecs__plan_t *plan = cache->plan;
    ecs__table_watch(match->table);
    if (plan->by_row) watch_switches(cache, match);
    for (int32_t f = 0; match->details >= 0 && f < plan->field_count; f++) {
        const ecs__detail_t detail = ecs__match_detail(cache, match, f);
        if (detail.source && detail.table) ecs__table_watch((ecs_table_t *)(uintptr_t)detail.table);
    }
}

void ecs__cache_detect(ecs__cache_t *cache, ecs__detect_t *detect) {
    cache->detect = detect;
    cache->stamp++; // it cannot be cut any more; whoever did that has to see it
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->table) ecs__cache_watch_match(cache, match);
    }
}

// Results are others only if a term can tell that the id was switched.
static bool asks_for(const ecs_query_t *query, ecs_id_t id) {
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        if (term->flags_ & EcsTermIsToggle && ecs_id_match(id, term->id)) return true;
    }
    return false;
}

static bool was_switched(const ecs_query_t *query, const ecs_table_t *table, uint64_t seen) {
    for (const ecs__toggle_t *toggle = table->toggles; toggle && toggle->id; toggle++) {
        if (toggle->changed > seen && asks_for(query, toggle->id & ~ECS__TOGGLE)) return true;
    }
    return false;
}

// What was never seen did not exist, or was empty, when the last iteration came to its end; 0: there was none.
static uint64_t last_look(const ecs__detect_t *detect, const ecs__match_t *match) {
    const uint64_t seen = ecs__load_64(&match->seen);
    return seen ? seen : ecs__load_64(&detect->ended);
}

static bool rows_changed(const ecs__detect_t *detect, const ecs__match_t *match) {
    const uint64_t last = last_look(detect, match);
    if (!last) return false;
    return ecs__watch_is_newer(&match->table->watch->rows, last) ||
           was_switched(detect->query, match->table, last);
}

void ecs__cache_lose(const ecs__cache_t *cache, const ecs__match_t *match) {
    const bool with_empty = cache->detect->query->flags & EcsQueryMatchEmptyTables;
    bool had_results = (match->seen || match->was_shown) && (match->table->count || with_empty);
    if (had_results || rows_changed(cache->detect, match))
        cache->detect->lost = cache->store->watch.now;
}

static bool is_watched(const ecs__cache_t *cache, const ecs__match_t *match) {
    if (!match->table) return false;
    if (match->table->watch) return true;
    for (int32_t f = 0; match->details >= 0 && f < cache->plan->field_count; f++) {
        const ecs__detail_t detail = ecs__match_detail(cache, match, f);
        if (detail.source && detail.table && detail.table->watch) return true;
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

typedef struct constants_t {
    bool hold;
    uint64_t state;   // who has what: a hash of all ways in which they hold
    uint64_t changed; // when a value that is read was, as far as that is watched
} constants_t;

static void add_field(const ecs__detect_t *detect, constants_t *constants, int32_t field,
    const ecs__field_found_t *found) {
    const ecs_table_t *table = found->table;
    const bool is_read = table && detect->query->read_fields & FIELD_BIT(field);
    const int32_t column = is_read ? ecs__table_column(table, found->id) : -1;
    const uint64_t has[] = { (uint64_t)field, table ? found->id : 0, table ? found->source : 0,
        is_read ? table->id : 0 };
    constants->state = ecs__hash_bytes(has, sizeof has, constants->state);
    if (column < 0) return;
    const uint64_t changed =
        table->watch ? ecs__load_64(&table->watch->columns[column]) : UINT64_MAX;
    constants->changed = ECS_MAX(constants->changed, changed);
}

// `watches`: values are watched from now on; on the main thread.
static constants_t look_at_constants(const ecs__detect_t *detect, bool watches) {
    const ecs__plan_t *plan = detect->plan;
    constants_t constants = { .hold = !plan->scan };
    if (!plan->scan) return constants;
    ecs__eval_t eval;
    ecs__eval_init(&eval, plan, detect->store, 0, plan->scan, NULL, false);
    while (ecs__eval_next(&eval)) {
        constants.hold = true;
        for (int32_t f = 0; f < plan->field_count; f++) {
            if (!plan->sources[f]) continue;
            ecs_table_t *table = ECS_CONST_CAST(ecs_table_t *, eval.fields[f].table);
            if (table && watches) ecs__table_watch(table);
            add_field(detect, &constants, f, &eval.fields[f]);
        }
    }
    return constants;
}

void ecs__detect_follow(ecs__detect_t *detect) {
    const uint64_t state = look_at_constants(detect, true).state;
    if (state == detect->state) return;
    detect->state = state;
    detect->moved = detect->store->watch.now;
}

static uint64_t last_change(const ecs__detect_t *detect, const constants_t *constants) {
    if (constants->state != detect->state) return UINT64_MAX;
    return ECS_MAX(constants->changed, detect->moved);
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
        if (!(fields & FIELD_BIT(f))) continue;
        const ecs__detail_t detail = ecs__match_detail(cache, match, f);
        if (detail.source) {
            if (shared_changed(cache->store, &detail, seen)) return true;
        } else if (columns[f] >= 0 && ecs__watch_is_newer(&watch->columns[columns[f]], seen)) {
            return true;
        }
    }
    return false;
}

// What a source has switched off is not there, though its table has it.
static bool source_was_switched(
    const ecs_query_t *query, const ecs__cache_t *cache, const ecs__match_t *match, uint64_t seen) {
    const ecs__plan_t *plan = cache->plan;
    for (int32_t i = plan->scan + 1; plan->by_row && i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        const ecs_entity_t source = op->by_row ? switch_of(cache, match, op) : 0;
        const ecs_table_t *table =
            source ? ecs__entity_table(&cache->store->entities, source) : NULL;
        if (table && (!table->watch || was_switched(query, table, seen))) return true;
    }
    return false;
}

static bool match_changed(const ecs__detect_t *detect, const ecs__cache_t *cache,
    const ecs__match_t *match, uint64_t of_constants) {
    uint64_t seen = ecs__load_64(&match->seen);
    bool with_empty = detect->query->flags & EcsQueryMatchEmptyTables;
    if (rows_changed(detect, match)) return true;
    if (!seen) return match->table->count || with_empty;
    if (!match->table->count && !with_empty) return false;
    return of_constants > seen || values_changed(detect->query, cache, match, seen) ||
           source_was_switched(detect->query, cache, match, seen);
}

bool ecs__detect_match_changed(
    const ecs__detect_t *detect, const ecs__cache_t *cache, const ecs__match_t *match) {
    const constants_t constants = look_at_constants(detect, false);
    return match_changed(detect, cache, match, last_change(detect, &constants));
}

static bool any_match_changed(
    const ecs__detect_t *detect, const ecs__cache_t *cache, uint64_t of_constants) {
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->table && match_changed(detect, cache, match, of_constants)) return true;
    }
    return false;
}

bool ecs__detect_changed(const ecs__detect_t *detect, const ecs__cache_t *cache) {
    const uint64_t ended = ecs__load_64(&detect->ended);
    const bool held = ecs__load_32(&detect->held);
    const constants_t constants = look_at_constants(detect, false);
    const uint64_t of_constants = last_change(detect, &constants);
    if (!constants.hold) return held;
    if (!cache) return !held || of_constants > ended;
    return detect->lost > ended || any_match_changed(detect, cache, of_constants);
}

void ecs__detect_end(
    ecs__detect_t *detect, ecs__cache_t *cache, uint64_t began, uint64_t table_limit) {
    ecs__store_64(&detect->ended, began);
    ecs__store_32(&detect->held, look_at_constants(detect, false).hold);
    for (int32_t i = 0; cache && i < cache->now.count; i++) {
        ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (ecs__load_64(&match->seen) > began || ecs__load_64(&match->kept) == began) continue;
        if (match->number >= table_limit) continue;
        ecs__store_64(&match->seen, began);
    }
}
