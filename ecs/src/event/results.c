// SPDX-License-Identifier: MIT
#include "event/results.h"

#include <muster/ecs/command.h>

#include "event/show.h"
#include "event/turn.h"
#include "query/iter/result.h"
#include "query/query.h"
#include "world/state.h"

// ---- who matches ----

void ecs__results_list(const ecs__observer_t *observer, ecs_entity_t entity, ecs_vec_t *out) {
    ecs_world_t *world = observer->pub.world;
    const bool is_subject = observer->pub.query->flags & EcsQueryMatchThis;
    ecs_iter_t it = ecs_query_iter(world, observer->pub.query);
    if (entity) {
        const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
        const ecs_table_range_t range = { .table = spot.table, .offset = spot.row, .count = 1 };
        ecs_iter_set_var_as_range(&it, 0, &range);
    }
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < it.count; i++)
            *ecs_vec_append_t(NULL, out, ecs_entity_t) = it.entities[i];
        if (is_subject) continue;
        *ecs_vec_append_t(NULL, out, ecs_entity_t) = 0;
        ecs_iter_fini(&it);
        return;
    }
}

// Monitors care for entities, each once, in whatever ways it matches: results are about the same rows then.
static bool is_news(const ecs__observer_t *observer, const ecs_iter_t *result, ecs_map_t *told) {
    if (!observer->is_monitor) return true;
    if (ecs_map_get(told, result->count ? result->entities[0] : 0)) return false;
    if (!result->count) *ecs_map_ensure(told, 0) = true;
    for (int32_t i = 0; i < result->count; i++) *ecs_map_ensure(told, result->entities[i]) = true;
    return true;
}

// ---- because of a constant ----

// Whoever is told may make others of the same event.
static void tell_result(
    const ecs__waiter_t *waiter, const ecs__notice_t *notice, ecs_iter_t *result) {
    ecs__iter_unlock(result);
    ecs_iter_t it = ecs__show_result(result, notice, ecs__waiter_term(waiter));
    ecs__show_call(waiter->observer, &it);
    ecs__iter_free(&it);
}

void ecs__results_tell_rows(const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    ecs_table_t *table, int32_t row, int32_t count) {
    const ecs__observer_t *observer = waiter->observer;
    const ecs_table_range_t range = { .table = table, .offset = row, .count = count };
    ecs_map_t *spare = &observer->pub.world->events.matched, told = ecs__spare_take_map(spare);
    ecs_iter_t result = ecs_query_iter(notice->caller, observer->pub.query);
    ecs_iter_set_var_as_range(&result, 0, &range);
    while (ecs_query_next(&result)) {
        if (!observer->is_monitor && !ecs__show_is_about(result.ids, notice, waiter)) continue;
        if (!is_news(observer, &result, &told)) continue;
        tell_result(waiter, notice, &result);
    }
    ecs__spare_give_map(spare, told);
}

// All results are about what happened to the constant.
static bool match_constant_graph(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs__observer_t *observer = waiter->observer;
    bool found = false;
    ecs_iter_t result = ecs_query_iter(notice->caller, observer->pub.query);
    while (!(found && observer->is_monitor) && ecs_query_next(&result)) {
        if (!observer->is_monitor && !ecs__show_is_about(result.ids, notice, waiter)) continue;
        if (!ecs__turn_by_constant(waiter, notice, NULL, 0)) continue;
        found = true;
        tell_result(waiter, notice, &result);
    }
    if (observer->is_monitor) ecs_iter_fini(&result);
    return found;
}

bool ecs__results_of_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    if (ecs__observer_has_goals(waiter->observer) || ecs__observer_plan(waiter->observer)->by_row)
        return match_constant_graph(waiter, notice);
    const ecs__observer_t *observer = waiter->observer;
    const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
    const bool is_open = ecs__id_is_wildcard(term->id) && term->oper == EcsAnd &&
                         !(term->flags_ & EcsTermMatchAny) && !notice->is_inverted;
    if (!ecs__turn_by_constant(waiter, notice, NULL, 0)) return false;
    ecs__eval_t eval;
    ecs__show_eval(observer, &eval, &observer->pub.world->store, NULL);
    bool found = false;
    while (ecs__eval_next(&eval)) {
        if (eval.table && !eval.table->count) continue;
        if (is_open && eval.fields[term->field_index].id != notice->id) continue;
        found = true;
        ecs_iter_t it;
        ecs__show_begin(&it, observer, notice);
        it.table = eval.table;
        it.other_table = NULL;
        it.term_index = term->field_index;
        ecs__show_found(&it, &eval, 0);
        if (eval.table) {
            ecs__show_call_rows(observer, &it, 0, eval.table->count);
        } else {
            ecs__show_call(observer, &it);
        }
        ecs__iter_free(&it);
        if (!eval.table) break;
    }
    return found;
}

bool ecs__results_any_of(
    const ecs__observer_t *observer, const ecs__notice_t *notice, ecs_entity_t source) {
    ecs_iter_t it;
    ecs__show_begin(&it, observer, notice);
    it.table = NULL;
    ecs__show_field(&it, 0, notice->id, source, 0);
    ecs__show_rows(&it, 0, 0);
    ecs__show_call(observer, &it);
    ecs__iter_free(&it);
    return true;
}

// ---- what is there already ----

static void call_result(
    const ecs__observer_t *observer, const ecs_iter_t *result, ecs_entity_t event) {
    ecs_iter_t it = ecs__show_copy(result, event, result->ids[0]);
    ecs__show_call(observer, &it);
    ecs__iter_free(&it);
}

void ecs__results_tell_all(const ecs__observer_t *observer, ecs_entity_t event) {
    ecs_world_t *world = observer->pub.world;
    ecs_map_t told;
    ecs_map_init(&told, NULL);
    ecs_defer_begin(world);
    ecs__events_enter(&world->events);
    ecs_iter_t it = ecs_query_iter(world, observer->pub.query);
    while (ecs_query_next(&it)) {
        if (is_news(observer, &it, &told)) call_result(observer, &it, event);
    }
    ecs__events_leave(&world->events);
    ecs_defer_end(world);
    ecs_map_fini(&told);
}
