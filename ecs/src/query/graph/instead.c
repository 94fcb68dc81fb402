// SPDX-License-Identifier: MIT
#include "query/graph/instead.h"

#include "storage/store.h"

// ---- beside the table ----

ecs__held_t ecs__held(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t holder, ecs_id_t id) {
    bool is_other = instead->entity == holder;
    return (ecs__held_t){ is_other ? instead : NULL, ecs__sparse_iter(store, holder, id), false };
}

const ecs_component_record_t *ecs__held_next(ecs__held_t *held) {
    const ecs__instead_t *instead = held->instead;
    if (instead && instead->is_bare) return NULL;
    const ecs_component_record_t *record = ecs__sparse_next(&held->iter);
    if (!instead) return record;
    if (record && record == instead->without) record = ecs__sparse_next(&held->iter);
    if (record || held->is_done || !instead->with) return record;
    held->is_done = true;
    bool is_covered = ecs_id_match(instead->with->id, ecs__id_any_to_wildcard(held->iter.id));
    return is_covered ? instead->with : NULL;
}

// ---- up ----

ecs_entity_t ecs__instead_target(const ecs__store_t *store, const ecs__instead_t *instead,
    const ecs_component_record_t *any, ecs_entity_t rel, ecs_entity_t entity, int32_t n) {
    if (entity != instead->entity) return ecs__target_along(store, any, rel, entity, n);
    if (ecs__id_may_be_beside(any)) {
        ecs__held_t held = ecs__held(store, instead, entity, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
        const ecs_component_record_t *record = ecs__held_next(&held);
        for (int32_t i = 0; record && i < n; i++) record = ecs__held_next(&held);
        if (record) return ecs__entity_alive_id(&store->entities, ecs__id_second(record->id));
        if (ecs__id_is_beside(any)) return 0;
    }
    return instead->table ? ecs__table_target(instead->table, rel, n) : 0;
}

bool ecs__instead_has(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity, ecs_id_t id) {
    const ecs_record_t *record = ecs__entity_try(&store->entities, entity);
    if (entity != instead->entity) return record && ecs__has_own(store, record, id);
    ecs__held_t held = ecs__held(store, instead, entity, id);
    return (instead->table && ecs__table_has(instead->table, id)) || ecs__held_next(&held);
}

typedef struct climb_t {
    const ecs__store_t *store;
    const ecs__instead_t *instead;
    const ecs_component_record_t *any;
    ecs_id_t id;
    ecs_entity_t rel;
    ecs__visited_t visited;
} climb_t;

static bool inherits(const climb_t *climb, ecs_entity_t entity) {
    return climb->rel != Ecs__IsA && ecs__id_is_inherited(climb->store, climb->id) &&
           ecs__instead_sees(climb->store, climb->instead, entity, climb->id, Ecs__IsA);
}

static bool sees(climb_t *climb, ecs_entity_t entity, int32_t depth) {
    ecs_entity_t target;
    for (int32_t n = 0; depth < ECS_MAX_RECURSION; n++) {
        target =
            ecs__instead_target(climb->store, climb->instead, climb->any, climb->rel, entity, n);
        if (!target) return false;
        if (!ecs__visit(&climb->visited, target, depth)) continue;
        if (ecs__instead_has(climb->store, climb->instead, target, climb->id)) return true;
        if (inherits(climb, target) || sees(climb, target, depth + 1)) return true;
    }
    return false;
}

bool ecs__instead_sees(const ecs__store_t *store, const ecs__instead_t *instead,
    ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    climb_t climb = { store, instead, any, id, rel, { 0 } };
    bool found = sees(&climb, entity, 1);
    ecs__visited_fini(&climb.visited);
    return found;
}
