// SPDX-License-Identifier: MIT
#include "query/graph/instead.h"

#include "storage/forks.h"
#include "storage/store.h"

// ---- beside the table ----

ecs__held_t ecs__held(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t holder, ecs_id_t id) {
    bool is_other = instead->entity == holder;
    return (ecs__held_t){ is_other ? instead : NULL, ecs__sparse_iter(store, holder, id), false };
}

bool ecs__held_next(ecs__held_t *held) {
    const ecs__instead_t *instead = held->instead;
    if (instead && instead->is_bare) return false;
    const ecs_component_record_t *record = ecs__sparse_next(&held->iter);
    if (instead && record && record == instead->without) record = ecs__sparse_next(&held->iter);
    held->id = held->iter.last;
    if (record || !instead || held->is_done || !instead->with) return record != NULL;
    held->is_done = true;
    held->id = instead->with->id;
    return !held->iter.id || ecs_id_match(held->id, ecs__id_any_to_wildcard(held->iter.id));
}

// ---- up ----

// The n-th target of an entity; `any` is the record (rel, *) if its pairs may be beside tables, else NULL.
static ecs_entity_t instead_target(const ecs__store_t *store, const ecs__instead_t *instead,
    const ecs_component_record_t *any, ecs_entity_t rel, ecs_entity_t entity, int32_t n) {
    if (entity != instead->entity) return ecs__target_along(store, any, rel, entity, n);
    // A move to a table that has a parent ends the edge to another beside the table.
    ecs_entity_t target = 0;
    if (instead->table && !ecs__id_is_beside(any))
        target = ecs__table_target(instead->table, rel, n);
    if (target || !ecs__id_may_be_beside(any)) return target;
    ecs__held_t held = ecs__held(store, instead, entity, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    bool is_there = ecs__held_next(&held);
    for (int32_t i = 0; is_there && i < n; i++) is_there = ecs__held_next(&held);
    if (!is_there || ECS_IS_VALUE_PAIR(held.id)) return 0;
    return ecs__entity_alive_id(&store->entities, ecs__id_second(held.id));
}

const ecs_table_t *ecs__instead_table(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity) {
    if (entity == instead->entity) return instead->table;
    return ecs__entity_table(&store->entities, entity);
}

bool ecs__instead_has(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__entity_find(&store->entities, entity);
    if (entity != instead->entity) return spot.table && ecs__has_own(spot, id);
    ecs__held_t held = ecs__held(store, instead, entity, id);
    return (instead->table && ecs__table_has(instead->table, id)) || ecs__held_next(&held);
}

typedef struct climb_t {
    const ecs__store_t *store;
    const ecs__instead_t *instead;
    const ecs_component_record_t *any; /* (rel, *) */
    ecs_id_t id;
    ecs_entity_t rel;
    int32_t min_depth, max_depth;
    bool inherits; /* ancestors are also asked for what they inherit */
    ecs__visited_t visited;
    ecs__forks_t *forks;
} climb_t;

static ecs_entity_t target_of(const climb_t *climb, ecs_entity_t entity, int32_t n) {
    return instead_target(climb->store, climb->instead, climb->any, climb->rel, entity, n);
}

// What others see of it along a relationship: of all that a wildcard stands for, not what is not passed on.
static bool has(const climb_t *climb, ecs_entity_t entity, ecs_entity_t rel) {
    const ecs__store_t *store = climb->store;
    if (!ecs__id_is_wildcard(ecs__id_trait_owner(climb->id)))
        return ecs__instead_has(store, climb->instead, entity, climb->id);
    const ecs_table_t *table = ecs__instead_table(store, climb->instead, entity);
    for (int32_t i = 0; table && (i = ecs__type_match(&table->type, i, climb->id)) >= 0; i++)
        if (ecs__id_is_found_along(store, table->type.array[i], rel)) return true;
    ecs__held_t held = ecs__held(store, climb->instead, entity, climb->id);
    while (ecs__held_next(&held))
        if (ecs__id_is_found_along(store, held.id, rel)) return true;
    return false;
}

// Each base once. It may itself be the entity that has another table instead.
static ecs_entity_t base_with(const climb_t *climb, ecs_entity_t entity) {
    ecs__forks_t forks;
    ecs__fork_t at = { .entity = entity };
    ecs__visited_t visited = { 0 };
    ecs_entity_t found = 0;
    ecs__forks_init(&forks);
    do {
        const ecs_table_t *table = ecs__instead_table(climb->store, climb->instead, at.entity);
        const ecs_entity_t base = table ? ecs__table_target(table, Ecs__IsA, at.next++) : 0;
        if (!base) continue;
        ecs__forks_push(&forks, at);
        if (!ecs__visit(&visited, base, 1)) continue;
        if (has(climb, base, Ecs__IsA)) found = base;
        ecs__forks_push(&forks, (ecs__fork_t){ .entity = base });
    } while (!found && ecs__forks_pop(&forks, &at));
    ecs__visited_fini(&visited);
    ecs__forks_fini(&forks);
    return found;
}

static ecs_entity_t look_at(const climb_t *climb, ecs_entity_t entity, int32_t depth) {
    if (depth < climb->min_depth) return 0;
    if (has(climb, entity, climb->rel)) return entity;
    return climb->inherits ? base_with(climb, entity) : 0;
}

// Of several, those that count come once. at->next: of the one behind it, 0 if that was the last.
static ecs_entity_t next_target(climb_t *climb, ecs__fork_t *at) {
    ecs_entity_t target = target_of(climb, at->entity, at->next), next;
    for (; target; target = next) {
        next = target_of(climb, at->entity, ++at->next);
        const bool is_fork = next || at->next > 1;
        if (!next) at->next = 0;
        if (!is_fork || at->depth < climb->min_depth ||
            ecs__visit(&climb->visited, target, at->depth))
            return target;
    }
    return 0;
}

static ecs_entity_t climb_way(climb_t *climb, ecs__fork_t at) {
    const int32_t limit = climb->store->entities.alive_count, max = climb->max_depth;
    while (at.depth <= limit && (!max || at.depth <= max)) {
        const ecs_entity_t target = next_target(climb, &at);
        const ecs_entity_t found = target ? look_at(climb, target, at.depth) : 0;
        if (found || !target) return found;
        if (at.next) ecs__forks_push(climb->forks, at);
        at = (ecs__fork_t){ .entity = target, .depth = at.depth + 1 };
    }
    return 0;
}

static ecs_entity_t climb_up(climb_t *climb, ecs_entity_t entity) {
    ecs__forks_t forks;
    ecs__fork_t at = { .entity = entity, .depth = 1 };
    ecs_entity_t found;
    ecs__forks_init(&forks);
    climb->forks = &forks;
    do {
        found = climb_way(climb, at);
    } while (!found && ecs__forks_pop(&forks, &at));
    ecs__forks_fini(&forks);
    return found;
}

ecs_entity_t ecs__instead_above(const ecs__store_t *store, const ecs__instead_t *instead,
    ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel, int32_t min_depth, int32_t max_depth) {
    bool inherited = ecs__id_is_inherited(store, id);
    if (!inherited && !ecs__id_is_found_along(store, id, rel)) return 0;
    if (!instead->entity && min_depth <= 1 && !max_depth)
        return ecs__search_above(store, entity, id, rel);
    climb_t climb = {
        .store = store,
        .instead = instead,
        .any = ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard)),
        .id = id,
        .rel = rel,
        .min_depth = min_depth,
        .max_depth = max_depth,
        .inherits = inherited && rel != Ecs__IsA,
    };
    ecs_entity_t found = climb_up(&climb, entity);
    ecs__visited_fini(&climb.visited);
    return found;
}
