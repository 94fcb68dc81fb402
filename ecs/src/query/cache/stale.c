// SPDX-License-Identifier: MIT
// stale: tables for which something above may have changed since a cache was current.
//
// The store remembers the last targets that changed. From each of them paths lead down to the tables that can tell: first to what
// inherits from it, since a search up asks ancestors what they inherit, then along the relationship of the search. An edge that is no
// longer there needs no path: who had it changed as well.
// All candidates are stale if there were more changes than the store remembers, or if going down visits more than there are candidates,
// as it does where paths meet again and again; and all matches with them, if some may have been candidates before.
#include <stdlib.h>

#include "query/cache/cache.h"

typedef struct walk_t {
    const ecs__store_t *store;
    ecs_vec_t *tables;
    int64_t left; /* steps */
} walk_t;

static ecs_table_t *table_at(const ecs_vec_t *tables, int32_t i) {
    return *ecs_vec_get_t(tables, ecs_table_t *, i);
}

static void add(ecs_vec_t *tables, ecs_table_t *table) {
    *ecs_vec_append_t(NULL, tables, ecs_table_t *) = table;
}

// ---- going down ----

static void add_sources(walk_t *walk, ecs_entity_t rel, ecs_entity_t target) {
    const ecs_component_record_t *pair =
        ecs__id_record_get(walk->store, ECS__MAKE_PAIR(rel, target));
    ecs_table_t *table;
    for (int32_t at = 0; pair && walk->left > 0; walk->left--) {
        if (!(table = ecs__id_record_next_table(pair, &at, true))) break;
        add(walk->tables, table);
    }
}

// From the tables at `begin` and behind it, those that are added meanwhile included.
static void go_down(walk_t *walk, ecs_entity_t rel, int32_t begin) {
    for (int32_t i = begin; walk->left > 0 && i < ecs_vec_count(walk->tables); i++) {
        const ecs_table_t *table = table_at(walk->tables, i);
        int32_t targets = table->traversable_count;
        for (int32_t row = 0; targets && walk->left > 0; row++, walk->left--) {
            ecs_entity_t entity = table->entities[row];
            if (!(ecs__entity_marks(&walk->store->entities, entity) & EcsEntityIsTraversable))
                continue;
            add_sources(walk, rel, entity);
            targets--;
        }
    }
}

static void go_down_from(walk_t *walk, ecs_entity_t rel, ecs_entity_t entity) {
    int32_t begin = ecs_vec_count(walk->tables);
    if (rel != Ecs__IsA) {
        add_sources(walk, Ecs__IsA, entity);
        go_down(walk, Ecs__IsA, begin);
    }
    add_sources(walk, rel, entity);
    go_down(walk, rel, begin);
}

// ---- what changed ----

// Parents by component are no ids of tables, but entities below them have a depth.
#define PARENT_DEPTH ECS__MAKE_PAIR(Ecs__ParentDepth, Ecs__Wildcard)

static bool rose(const ecs_component_record_t *record, uint64_t seen) {
    return record && record->traverse_stamp > seen;
}

// Storage raises the stamps of all ids of a target that changes.
static bool is_affected(const ecs__cache_t *cache, const ecs__op_t *op) {
    // No table goes up this relationship (those that did are gone).
    if (!op->trav || !op->trav_record->table_live) return false;
    const ecs_component_record_t *isa =
        ecs__id_record_get(cache->store, ECS__MAKE_PAIR(Ecs__IsA, Ecs__Wildcard));
    const ecs_component_record_t *depth = ecs__id_record_get(cache->store, PARENT_DEPTH);
    return rose(op->record, cache->seen) || rose(op->trav_record, cache->seen) ||
           rose(isa, cache->seen) || (op->trav == Ecs__ChildOf && rose(depth, cache->seen));
}

// A cascade that is searched has a depth, but no operation.
static ecs__op_t depth_op(const ecs__cache_t *cache) {
    const ecs_entity_t trav = cache->plan->goal_fields ? cache->plan->cascade : 0;
    ecs_component_record_t *any =
        trav ? ecs__id_record_get(cache->store, ECS__MAKE_PAIR(trav, Ecs__Wildcard)) : NULL;
    return (ecs__op_t){
        .id = any ? any->id : 0, .record = any, .trav = any ? trav : 0, .trav_record = any
    };
}

static bool above_changed(const ecs__cache_t *cache) {
    const ecs__plan_t *plan = cache->plan;
    const ecs__op_t depth = depth_op(cache);
    if (is_affected(cache, &depth)) return true;
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        if (is_affected(cache, &plan->ops[i])) return true;
    }
    return false;
}

// Only targets count that have or had the id, or something above.
static bool concerns(uint64_t bloom, const ecs__op_t *op) {
    const ecs_id_t ids[] = { op->id, op->trav_record->id, ECS__MAKE_PAIR(Ecs__IsA, Ecs__Wildcard),
        PARENT_DEPTH };
    for (int32_t i = 0; i < 4; i++) {
        uint64_t bits = ecs__id_bloom(ids[i]);
        if ((bloom & bits) == bits) return true;
    }
    return false;
}

// An entity that changes often in a row counts once.
static void add_below(walk_t *walk, const ecs__cache_t *cache, const ecs__op_t *op) {
    const ecs__touched_t *ring = walk->store->touched;
    uint64_t now = walk->store->traverse_stamp, bloom = 0;
    for (uint64_t stamp = cache->seen + 1; stamp <= now && walk->left > 0; stamp++) {
        const ecs__touched_t *touched = &ring[stamp % ECS__TOUCHED_MAX];
        const ecs__touched_t *next = &ring[(stamp + 1) % ECS__TOUCHED_MAX];
        bloom |= touched->bloom;
        if (stamp < now && next->entity == touched->entity) continue;
        if (touched->entity && concerns(bloom, op)) go_down_from(walk, op->trav, touched->entity);
        bloom = 0;
    }
}

// False if all candidates are to be asked.
static bool find_below(ecs__cache_t *cache) {
    const ecs__plan_t *plan = cache->plan;
    walk_t walk = { cache->store, &cache->stale, ecs__plan_candidates(plan, cache->store) };
    if (cache->store->traverse_stamp - cache->seen > ECS__TOUCHED_MAX) return false;
    const ecs__op_t depth = depth_op(cache);
    if (is_affected(cache, &depth)) add_below(&walk, cache, &depth);
    for (int32_t i = plan->scan + 1; i < plan->count && walk.left > 0; i++) {
        if (is_affected(cache, &plan->ops[i])) add_below(&walk, cache, &plan->ops[i]);
    }
    return walk.left > 0;
}

// ---- the list ----

static void add_candidates(ecs__cache_t *cache) {
    ecs__scan_t scan;
    ecs_table_t *table;
    scan.limit = cache->store->next_table_id;
    ecs__scan_init(&scan, cache->store, cache->plan, true);
    ecs_vec_clear(&cache->stale);
    while ((table = ecs__scan_next(&scan))) add(&cache->stale, table);
}

// What nobody above has any more is no reason to look at those below, but they may have had it from there.
static bool may_have_lost(const ecs__plan_t *plan) {
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        if (plan->ops[i].trav && !ecs__op_may_find_above(&plan->ops[i])) return true;
    }
    return false;
}

static void add_matches(ecs__cache_t *cache) {
    for (int32_t i = 0; i < cache->now.count; i++) {
        ecs_table_t *table = ecs__matches_at(cache, &cache->now, i)->table;
        if (table) add(&cache->stale, table);
    }
}

static int by_age(const void *a, const void *b) {
    const ecs_table_t *const *table_a = a, *const *table_b = b;
    return ((*table_a)->id > (*table_b)->id) - ((*table_a)->id < (*table_b)->id);
}

// Once each, and only those that may match.
static void keep_matching(const ecs__cache_t *cache, ecs_vec_t *tables) {
    int32_t kept = 0;
    for (int32_t i = 0; i < ecs_vec_count(tables); i++) {
        ecs_table_t *table = table_at(tables, i);
        bool is_known = kept && table_at(tables, kept - 1) == table;
        if (is_known || !ecs__plan_may_match(cache->plan, table)) continue;
        *ecs_vec_get_t(tables, ecs_table_t *, kept++) = table;
    }
    ecs_vec_set_count_t(NULL, tables, ecs_table_t *, kept);
}

void ecs__cache_find_stale(ecs__cache_t *cache) {
    ecs_vec_t *tables = &cache->stale;
    ecs_vec_clear(tables);
    if (!above_changed(cache)) return;
    bool is_sorted = !find_below(cache);
    if (is_sorted) {
        add_candidates(cache);
        is_sorted = !may_have_lost(cache->plan);
        if (!is_sorted) add_matches(cache);
    }
    if (!is_sorted && ecs_vec_count(tables) > 1)
        qsort(tables->array, (size_t)ecs_vec_count(tables), sizeof(ecs_table_t *), by_age);
    keep_matching(cache, tables);
}
