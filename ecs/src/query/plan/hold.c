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

// An id that was deleted meanwhile can be used again once no query names it.
static void let_go(ecs__store_t *store, uint32_t element) {
    if (!ecs__entity_is_held(&store->entities, element)) return;
    bool is_named = ecs__id_record_get(store, element) ||
                    ecs__id_record_get(store, ECS__MAKE_PAIR(element, Ecs__Wildcard)) ||
                    ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__Wildcard, element));
    if (!is_named) ecs__entity_let_go(&store->entities, element);
}

static void release(ecs__store_t *store, ecs_component_record_t *record) {
    const ecs_id_t id = record->id;
    record->query_count--;
    if (!ecs__id_record_drop(store, record)) return;
    let_go(store, ecs__id_trait_owner(id));
    if (ECS_IS_PAIR(id)) let_go(store, ecs__id_second(id));
}

void ecs__plan_release(ecs__plan_t *plan, ecs__store_t *store) {
    for (int32_t i = 0; i < plan->held_count; i++) {
        if (plan->is_loose) plan->held[i]->observer_count--;
        release(store, plan->held[i]);
    }
}

void ecs__plan_loosen(ecs__plan_t *plan) {
    plan->is_loose = true;
    for (int32_t i = 0; i < plan->held_count; i++) plan->held[i]->observer_count++;
}
