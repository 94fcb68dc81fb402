// SPDX-License-Identifier: MIT
#include "event/cover.h"

#include "query/graph/graph.h"
#include "query/graph/list.h"
#include "query/parse/term.h"
#include "query/query.h"
#include "world/state.h"

// What the element, or the source, of a term says of kinds is in its goal.
static const ecs__goal_t *goal_of(const ecs__observer_t *observer, int32_t term) {
    const ecs__graph_t *graph = ecs__query_program(observer->pub.query)->graph;
    const ecs__goal_t *goal = graph ? &graph->goals[term] : NULL;
    return goal && goal->kind == ECS__GOAL_ID ? goal : NULL;
}

static bool may_have_kinds(const ecs__observer_t *observer, const ecs_term_ref_t *ref) {
    if (!(ref->id & EcsIsEntity) || ref->id & EcsSelf) return false;
    const ecs__entity_index_t *entities = &observer->pub.world->store.entities;
    const ecs__spot_t spot = ecs__entity_find(entities, ECS_TERM_REF_ID(ref));
    return spot.table && ecs__table_has(spot.table, Ecs__Inheritable);
}

ecs_id_t ecs__cover_key(const ecs__observer_t *observer, const ecs_term_t *term) {
    const ecs_query_t *query = observer->pub.query;
    const ecs__goal_t *goal = goal_of(observer, (int32_t)(term - query->terms));
    ecs_id_t key = ecs__id_any_to_wildcard(term->id);
    bool by_first = may_have_kinds(observer, &term->first) || (goal && goal->first.trav);
    bool by_second = goal && (goal->second.trav || goal->transitive);
    if (key & ECS_ID_FLAGS_MASK & ~ECS__PAIR) return key;
    if (!ECS_IS_PAIR(key)) return by_first ? Ecs__Wildcard : key;
    uint32_t first = (uint32_t)ecs__id_first(key), second = (uint32_t)ecs__id_second(key);
    return ECS__MAKE_PAIR(by_first ? Ecs__Wildcard : first, by_second ? Ecs__Wildcard : second);
}

bool ecs__cover_is_key(const ecs__observer_t *observer, const ecs_term_t *term) {
    return ecs__cover_key(observer, term) == ecs__id_any_to_wildcard(term->id) &&
           !(term->flags_ & ECS__TERM_IS_VALUE);
}

// ---- kinds ----

// Memory of lists of ids.
static ecs__spare_t *spare_of(const ecs__store_t *store) {
    ecs_world_t *world = store->owner;
    return &world->events.ids;
}

static void push(ecs_vec_t *ids, ecs_id_t id) { *ecs_vec_append_t(NULL, ids, ecs_id_t) = id; }

static bool is_listed(const ecs_vec_t *ids, ecs_id_t id) {
    for (int32_t i = 0; i < ecs_vec_count(ids); i++) {
        if (*ecs_vec_get_t(ids, ecs_id_t, i) == id) return true;
    }
    return false;
}

// The element, and what is a kind of it.
static void list_kinds(const ecs__store_t *store, ecs_entity_t element, ecs_vec_t *out) {
    push(out, element);
    for (int32_t i = 0; i < ecs_vec_count(out); i++) {
        ecs_id_t kinds = ECS__MAKE_PAIR(Ecs__IsA, *ecs_vec_get_t(out, ecs_id_t, i));
        const ecs_component_record_t *record = ecs__id_record_get(store, kinds);
        const ecs_table_t *table;
        int32_t from = 0;
        while (record && (table = ecs__id_record_next_table(record, &from, false))) {
            for (int32_t row = 0; row < table->count; row++) {
                if (!is_listed(out, table->entities[row])) push(out, table->entities[row]);
            }
        }
    }
}

static void push_targets(
    const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel, ecs_vec_t *places) {
    ecs_entity_t target;
    for (int32_t n = 0; (target = ecs__target_of(store, entity, rel, n)); n++)
        if (!is_listed(places, target)) push(places, target);
}

// Along a relationship and its kinds.
static bool reaches_by_kinds(
    const ecs__store_t *store, ecs_entity_t from, ecs_entity_t to, ecs_entity_t rel) {
    ecs_vec_t kinds = ecs__spare_take(spare_of(store)), places = ecs__spare_take(spare_of(store));
    list_kinds(store, rel, &kinds);
    push(&places, from);
    for (int32_t i = 0; i < ecs_vec_count(&places) && !is_listed(&places, to); i++) {
        const ecs_entity_t place = *ecs_vec_get_t(&places, ecs_id_t, i);
        for (int32_t k = 0; k < ecs_vec_count(&kinds); k++)
            push_targets(store, place, *ecs_vec_get_t(&kinds, ecs_id_t, k), &places);
    }
    const bool found = is_listed(&places, to);
    ecs__spare_give(spare_of(store), places);
    ecs__spare_give(spare_of(store), kinds);
    return found;
}

// ---- ids ----

static bool reaches(
    const ecs__store_t *store, ecs_entity_t from, ecs_entity_t to, ecs_entity_t rel) {
    return ecs__entity_is_alive(&store->entities, from) &&
           ecs__search_from(store, from, ECS__MAKE_PAIR(rel, to), rel);
}

static bool stands_for(const ecs__store_t *store, const ecs__ref_t *ref, uint32_t element) {
    ecs_entity_t entity = ecs__entity_alive_id(&store->entities, element);
    if (ref->kind != ECS__REF_ENTITY || !ref->entity) return true;
    if ((uint32_t)ref->entity == element) return ref->with_self;
    return (ref->with_down && reaches(store, entity, ref->entity, ref->trav)) ||
           (ref->with_up && reaches(store, ref->entity, entity, ref->trav));
}

static bool leads_to(const ecs__store_t *store, const ecs__goal_t *goal, uint32_t element) {
    const ecs_entity_t target = ecs__entity_alive_id(&store->entities, element);
    const ecs_entity_t rel = goal->first.entity, place = goal->second.entity;
    if (!goal->first.trav) return reaches(store, target, place, rel);
    return target && reaches_by_kinds(store, target, place, rel);
}

static bool covers(const ecs__store_t *store, const ecs__goal_t *goal, ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) return stands_for(store, &goal->first, (uint32_t)id);
    if (goal->term->flags_ & ECS__TERM_IS_VALUE && !ECS_IS_VALUE_PAIR(id)) return false;
    return stands_for(store, &goal->first, (uint32_t)ecs__id_first(id)) &&
           (stands_for(store, &goal->second, (uint32_t)ecs__id_second(id)) ||
               (goal->transitive && leads_to(store, goal, (uint32_t)ecs__id_second(id))));
}

bool ecs__cover_has(const ecs__observer_t *observer, int32_t index, ecs_id_t id) {
    const ecs_term_t *term = &observer->pub.query->terms[index];
    const ecs__store_t *store = &observer->pub.world->store;
    if (ecs__is_from(term->oper)) {
        return !(term->first.id & EcsIsEntity) ||
               ecs__list_names(store, ECS_TERM_REF_ID(&term->first), id);
    }
    const ecs__goal_t *goal = goal_of(observer, index);
    return goal ? covers(store, goal, id) : ecs_id_match(id, ecs__id_any_to_wildcard(term->id));
}

bool ecs__cover_is_open(const ecs__observer_t *observer, int32_t term) {
    const ecs__goal_t *goal = goal_of(observer, term);
    return goal && (goal->first.trav || goal->second.trav || goal->transitive || goal->reflexive);
}

bool ecs__cover_follows(const ecs__observer_t *observer, int32_t term, uint32_t rel) {
    const ecs__goal_t *goal = goal_of(observer, term);
    if (!goal) return false;
    if ((uint32_t)goal->first.trav == rel || (uint32_t)goal->second.trav == rel) return true;
    return (goal->transitive || goal->reflexive) &&
           stands_for(&observer->pub.world->store, &goal->first, rel);
}

bool ecs__cover_lists(const ecs__observer_t *observer, int32_t index, ecs_entity_t list) {
    const ecs_term_t *term = &observer->pub.query->terms[index];
    return ecs__is_from(term->oper) && term->first.id & EcsIsEntity &&
           ecs__list_takes(&observer->pub.world->store, ECS_TERM_REF_ID(&term->first), list);
}

bool ecs__cover_is_reflexive(const ecs__observer_t *observer, int32_t term, ecs_entity_t target) {
    const ecs__goal_t *goal = goal_of(observer, term);
    return goal && goal->reflexive && goal->second.entity == target;
}

// ---- one by one ----

static void list_pairs(
    const ecs__observer_t *observer, int32_t term, ecs_id_t first, ecs_vec_t *out) {
    const ecs__store_t *store = &observer->pub.world->store;
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(first, Ecs__Wildcard));
    const ecs_component_record_t *pair = any ? ecs__id_record_next_first(any, NULL) : NULL;
    for (; pair; pair = ecs__id_record_next_first(any, pair)) {
        if (ecs__cover_has(observer, term, pair->id)) push(out, pair->id);
    }
}

void ecs__cover_ids(const ecs__observer_t *observer, int32_t index, ecs_vec_t *out) {
    const ecs_term_t *term = &observer->pub.query->terms[index];
    const ecs__store_t *store = &observer->pub.world->store;
    *out = ecs__spare_take(spare_of(store));
    if (ecs__is_from(term->oper)) {
        ecs__list_each(store, ECS_TERM_REF_ID(&term->first), out);
        return;
    }
    ecs_id_t key = ecs__cover_key(observer, term);
    bool is_pair = ECS_IS_PAIR(key);
    ecs_vec_t firsts = ecs__spare_take(spare_of(store));
    list_kinds(store, ECS_TERM_REF_ID(&term->first), is_pair ? &firsts : out);
    for (int32_t i = 0; i < ecs_vec_count(&firsts); i++) {
        ecs_id_t first = (uint32_t)*ecs_vec_get_t(&firsts, ecs_id_t, i);
        list_pairs(observer, index, first, out);
    }
    ecs__spare_give(spare_of(store), firsts);
}
