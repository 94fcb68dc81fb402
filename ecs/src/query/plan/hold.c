// SPDX-License-Identifier: MIT
// hold: the id records that a plan works with stay as long as the plan lives, and so do ids that it names.
#include "query/plan/plan.h"

// Who is named cannot be deleted as one whom nobody knows.
static void mark(ecs__store_t *store, uint32_t element, uint32_t flag) {
    if (ecs__entity_living_table(&store->entities, element))
        ecs__entity_mark(&store->entities, element, flag);
}

ecs_component_record_t *ecs__plan_hold(ecs__plan_t *plan, ecs__store_t *store, ecs_id_t id) {
    ecs_component_record_t *record = ecs__id_record_ensure(store, id);
    if (!record->query_count++) {
        const bool is_pair = ECS_IS_PAIR(id);
        mark(store, ecs__id_trait_owner(id), EcsEntityIsId);
        if (is_pair) mark(store, ecs__id_second(id), EcsEntityIsTarget);
    }
    plan->held[plan->held_count++] = record;
    return record;
}

// Children by component and the like are no tables, but holders of a set.
static bool is_used(const ecs_component_record_t *record) {
    return record->query_count || record->table_live || record->listeners.count || record->sparse;
}

static void delete_if_unused(ecs__store_t *store, ecs_id_t id) {
    ecs_component_record_t *record = ecs__id_record_get(store, id);
    if (!record || is_used(record)) return;
    if (record->first_next == record && record->second_next == record)
        ecs__id_record_delete(store, record);
}

// An id that was deleted meanwhile can be used again once no query names it.
static void let_go(ecs__store_t *store, uint32_t element) {
    if (!ecs__entity_is_held(&store->entities, element)) return;
    bool is_named = ecs__id_record_get(store, element) ||
                    ecs__id_record_get(store, ECS__MAKE_PAIR(element, Ecs__Wildcard)) ||
                    ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__Wildcard, element));
    if (!is_named) ecs__entity_let_go(&store->entities, element);
}

// A pair's record hangs in the rings of its wildcards, which came with it and go with it.
static void release(ecs__store_t *store, ecs_component_record_t *record) {
    record->query_count--;
    if (is_used(record)) return;
    ecs_id_t id = record->id;
    const bool is_pair = ECS_IS_PAIR(id);
    if (is_pair && !ecs__id_is_wildcard(id)) {
        ecs__id_record_delete(store, record);
        delete_if_unused(store, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
        delete_if_unused(store, ECS__MAKE_PAIR(Ecs__Wildcard, ecs__id_second(id)));
    } else
        delete_if_unused(store, id);
    let_go(store, ecs__id_trait_owner(id));
    if (is_pair) let_go(store, ecs__id_second(id));
}

void ecs__plan_release(ecs__plan_t *plan, ecs__store_t *store) {
    for (int32_t i = 0; i < plan->held_count; i++) release(store, plan->held[i]);
}
