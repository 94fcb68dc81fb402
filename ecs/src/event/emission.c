// SPDX-License-Identifier: MIT
#include "event/emission.h"

#include <muster/ecs/log.h>
#include "event/cover.h"
#include "event/match.h"
#include "event/results.h"
#include "event/turn.h"
#include "world/state.h"

// ---- begin and end ----

static const ecs__event_t *nonempty(const ecs__event_t *event) {
    return event && event->count ? event : NULL;
}

void ecs__emission_init(ecs__emission_t *emission, ecs_world_t *caller, ecs_entity_t event,
    ecs_table_t *table, const ecs_table_t *other, int32_t row, int32_t count) {
    ecs__events_t *events = &ecs__world_of(caller)->events;
    emission->events = events;
    emission->waiting[0] = nonempty(ecs__event_get(events, event));
    emission->waiting[1] = nonempty(&events->wildcard);
    emission->notice = (ecs__notice_t){
        .caller = caller, .event = event, .table = table, .other = other, .row = row, .count = count
    };
    emission->ids = NULL;
    emission->id_count = 0;
    emission->number = ++events->emitted;
    emission->asked_rel = 0;
    emission->heard.list = (ecs_vec_t){ .array = emission->inline_told, .size = ECS__HEARD_FEW };
}

bool ecs__emission_enter(ecs__emission_t *emission) {
    ecs__events_t *events = emission->events;
    if (events->depth >= ECS_MAX_RECURSION) {
        ecs_err_code(ECS_INVALID_OPERATION,
            "observers emit events inside each other, %d deep: event %u is dropped", events->depth,
            (uint32_t)emission->notice.event);
        return false;
    }
    ecs__events_enter(events);
    return true;
}

void ecs__emission_leave(ecs__emission_t *emission) {
    ecs__events_leave(emission->events);
    if (emission->heard.list.array == emission->inline_told) return;
    ecs__spare_give(&emission->events->heard, emission->heard.list);
    ecs__spare_give_map(&emission->events->heard_at, emission->heard.at);
}

// ---- who was told ----

int32_t ecs__emission_doomed_term(const ecs__observer_t *observer, const ecs_map_t *doomed) {
    const ecs_query_t *query = observer->pub.query;
    for (int32_t i = 0, scopes = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        const ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
        scopes += (first == Ecs__ScopeOpen) - (first == Ecs__ScopeClose);
        const bool must_hold = !scopes && term->oper == EcsAnd && !(term->flags_ & EcsTermIsOr);
        const bool is_constant = !(term->src.id & EcsIsVariable);
        if (must_hold && is_constant && ecs_map_get(doomed, ECS_TERM_REF_ID(&term->src))) return i;
    }
    return -1;
}

// Monitors that end, too, hear of others as these end. Without $this, what ends is what they ask for.
static bool is_doomed(
    const ecs__events_t *events, const ecs__observer_t *observer, ecs_entity_t entity) {
    const ecs_entity_t own = observer->pub.entity;
    if (own && ecs_map_get(events->doomed, own)) return false;
    return observer->pub.query->flags & EcsQueryMatchThis
               ? ecs_map_get(events->doomed, entity) != NULL
               : ecs__emission_doomed_term(observer, events->doomed) >= 0;
}

// Rows from the first one on of which monitors were not told before, as they end together with others.
static int32_t count_undoomed(
    const ecs__events_t *events, const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs_entity_t *entities = &notice->table->entities[notice->row];
    int32_t count = 0;
    while (count < notice->count && !is_doomed(events, observer, entities[count])) count++;
    return count;
}

static bool joins(const ecs__emission_t *emission) {
    return emission->events->joined == emission->notice.event;
}

// In this event; or in one inside it, of which there is no list here.
static bool was_told(const ecs__emission_t *emission, const ecs__observer_t *observer) {
    const ecs__events_t *events = emission->events;
    return observer->told >= (joins(emission) ? events->joined_from : emission->number);
}

static ecs__heard_t *heard_of(ecs__emission_t *emission) {
    return joins(emission) ? &emission->events->joint : &emission->heard;
}

// Rows from the first one on that were not told yet; 0 if that one was.
static int32_t count_news(
    ecs__emission_t *emission, const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs__events_t *events = emission->events;
    if (events->doomed && observer->hears_first) {
        const int32_t count = count_undoomed(events, observer, notice);
        if (count < notice->count) return count;
    }
    if (!was_told(emission, observer)) return notice->count;
    const ecs__heard_t *heard = heard_of(emission);
    const ecs__told_t *told;
    for (int32_t i = ecs__heard_last(heard, observer, NULL); i >= 0; i = told->before) {
        told = ecs__heard_get(heard, i);
        if (told->observer == observer && !told->table) return 0;
    }
    int32_t end = notice->row + notice->count;
    for (int32_t i = ecs__heard_last(heard, observer, notice->table); i >= 0; i = told->before) {
        told = ecs__heard_get(heard, i);
        if (told->observer != observer || told->table != notice->table) continue;
        if (told->end > notice->row && told->row < end) end = told->row;
    }
    return end > notice->row ? end - notice->row : 0;
}

bool ecs__emission_is_told(ecs__emission_t *emission, const ecs__observer_t *observer) {
    const ecs__notice_t *notice = &emission->notice;
    return notice->count == 1 && !count_news(emission, observer, notice);
}

static void leave_inline(ecs__emission_t *emission) {
    ecs_vec_t list = ecs__spare_take(&emission->events->heard);
    ecs_vec_set_size_t(NULL, &list, ecs__told_t, ECS_MAX(list.size, 2 * ECS__HEARD_FEW));
    ecs_vec_set_count_t(NULL, &list, ecs__told_t, ECS__HEARD_FEW);
    memcpy(list.array, emission->inline_told, sizeof emission->inline_told);
    emission->heard = (ecs__heard_t){ list, ecs__spare_take_map(&emission->events->heard_at) };
}

static void make_room(ecs__emission_t *emission, ecs__heard_t *heard) {
    ecs_vec_t *list = &heard->list;
    if (list->count < list->size) return;
    if (list->array == emission->inline_told)
        leave_inline(emission);
    else
        ecs_vec_set_size_t(NULL, list, ecs__told_t, ECS_MAX(2 * list->count, ECS__HEARD_FEW));
}

static void remember(ecs__emission_t *emission, ecs__observer_t *observer, ecs__told_t told) {
    ecs__heard_t *heard = heard_of(emission);
    observer->told = emission->events->emitted;
    make_room(emission, heard);
    ecs__heard_add(heard, told);
}

// ---- telling ----

// The part of a notice that is about one entity. False if none is.
static bool narrow(ecs__notice_t *notice, ecs_entity_t entity) {
    const ecs__spot_t spot = ecs__entity_find(&notice->table->store->entities, entity);
    const int32_t end = notice->row + notice->count;
    if (spot.table != notice->table || spot.row < notice->row || spot.row >= end) return false;
    notice->row = spot.row;
    notice->count = 1;
    return true;
}

// `_` on one entity is about whatever happens to it, also if that is an event without ids.
static bool is_any_of_entity(const ecs_query_t *query) {
    const ecs_term_t *term = &query->terms[0];
    return query->term_count == 1 && term->id == Ecs__Any && term->oper == EcsAnd;
}

static bool tell_of_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs_query_t *query = waiter->observer->pub.query;
    ecs_entity_t source = ecs__waiter_source(waiter);
    ecs__notice_t one = *notice;
    if (!narrow(&one, source)) return false;
    return is_any_of_entity(query) ? ecs__results_any_of(waiter->observer, &one, source)
                                   : ecs__results_of_constant(waiter, &one);
}

static bool tell_rows(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    ecs__observer_t *observer = waiter->observer;
    if (ecs__waiter_source(waiter)) {
        if (!tell_of_constant(waiter, notice)) return false;
        remember(emission, observer, (ecs__told_t){ .observer = observer });
    } else {
        if (!ecs__match_query(waiter, notice)) return false;
        const int32_t end = notice->row + notice->count;
        remember(
            emission, observer, (ecs__told_t){ observer, notice->table, notice->row, end, -1 });
    }
    return true;
}

// Consecutive rows of a table that one entity changes for an observer.
typedef struct run_t {
    ecs__emission_t *emission;
    const ecs__waiter_t *waiter;
    const ecs__notice_t *notice;
    ecs__spot_t first;
    int32_t count;
} run_t;

static void tell_run(const run_t *run) {
    ecs__observer_t *observer = run->waiter->observer;
    const ecs__spot_t first = run->first;
    if (!run->count) return;
    remember(run->emission, observer,
        (ecs__told_t){ observer, first.table, first.row, first.row + run->count, -1 });
    ecs__results_tell_rows(run->waiter, run->notice, first.table, first.row, run->count);
    ++*run->emission->events->ran;
}

static bool is_news(const run_t *run, ecs__spot_t spot) {
    ecs__notice_t notice = *run->notice;
    const int32_t place = spot.row - run->first.row;
    if (spot.table == run->first.table && place >= 0 && place < run->count) return false;
    notice.table = spot.table;
    notice.row = spot.row;
    if (ecs__events_end_alone(run->emission->events, spot.table)) return false;
    if (!count_news(run->emission, run->waiter->observer, &notice)) return false;
    return ecs__turn_by_constant(run->waiter, run->notice, spot.table, spot.row);
}

// Each that matches because of a constant, or no longer, is told once, be it the constant itself.
static void tell_of_others(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    ecs__notice_t one = *notice;
    run_t run = { emission, waiter, &one };
    if (!narrow(&one, ecs__waiter_source(waiter))) return;
    ecs_vec_t found = ecs__spare_take(&emission->events->found);
    ecs__results_list(waiter->observer, 0, &found);
    for (int32_t i = 0; i < ecs_vec_count(&found); i++) {
        const ecs__spot_t spot = ecs__entity_find(
            &emission->events->world->store.entities, *ecs_vec_get_t(&found, ecs_entity_t, i));
        if (!spot.table || !is_news(&run, spot)) continue;
        bool goes_on = spot.table == run.first.table && spot.row == run.first.row + run.count;
        if (!goes_on) {
            tell_run(&run);
            run.first = spot;
            run.count = 0;
        }
        run.count++;
    }
    tell_run(&run);
    ecs__spare_give(&emission->events->found, found);
}

// Of who matches because of a constant, not all may be told: monitors care for entities, negated scopes for
// what changes, and some of them may have heard already.
static bool is_about_others(const ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs__observer_t *observer = waiter->observer;
    return (observer->is_monitor || waiter->in_not || was_told(emission, observer)) &&
           ecs__waiter_source(waiter) && observer->pub.query->flags & EcsQueryMatchThis;
}

// Of rows that die together, some may have been told alone, of what they lost beside their table.
static bool tell_news(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    ecs__notice_t rows = *notice;
    bool told = false;
    for (int32_t end = notice->row + notice->count; rows.row < end; rows.row += rows.count) {
        rows.count = end - rows.row;
        const int32_t count = count_news(emission, waiter->observer, &rows);
        rows.count = count ? count : 1;
        if (count) told |= tell_rows(emission, waiter, &rows);
    }
    return told;
}

void ecs__emission_tell(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    ecs__observer_t *observer = waiter->observer;
    if (observer->is_disabled || observer->is_dead) return;
    bool told = false;
    if (observer->is_simple) {
        told = ecs__match_simple(observer, notice);
    } else if (waiter->by_set && !ecs__cover_has(observer, waiter->term, notice->id)) {
        return;
    } else if (is_about_others(emission, waiter)) {
        tell_of_others(emission, waiter, notice);
    } else {
        const bool is_new = count_news(emission, observer, notice) == notice->count;
        told = is_new ? tell_rows(emission, waiter, notice) : tell_news(emission, waiter, notice);
    }
    if (told) ++*emission->events->ran;
}

static void tell_wanted(ecs__emission_t *emission, const ecs__wanted_t *wanted, int32_t reach,
    const ecs__notice_t *notice) {
    ecs__asking_t asking = ecs__wanted_ask(wanted, (ecs__reach_t)reach, ecs__notice_entity(notice));
    ecs__waiter_t waiter;
    while (ecs__asking_next(&asking, &waiter)) ecs__emission_tell(emission, &waiter, notice);
}

// Waiters for a key in the order of `reach`es; the bloom filter spares most look-ups.
static void tell_key(ecs__emission_t *emission, ecs_id_t key, ecs__reach_t from, ecs__reach_t to,
    const ecs__notice_t *notice) {
    const ecs__wanted_t *wanted[2] = { NULL, NULL };
    for (int32_t w = 0; w < 2; w++) {
        const ecs__event_t *event = emission->waiting[w];
        if (!event || !((event->bloom | event->bloom_not) & ecs__id_bloom(key))) continue;
        wanted[w] = ecs__event_wanted(event, key);
    }
    if (!wanted[0] && !wanted[1]) return;
    for (int32_t reach = from; reach <= (int32_t)to; reach++) {
        for (int32_t w = 0; w < 2; w++) {
            if (wanted[w]) tell_wanted(emission, wanted[w], reach, notice);
        }
    }
}

// No bit of the id, or of what covers it, is one of somebody who waits.
static bool is_for_nobody(const ecs__emission_t *emission, ecs_id_t id) {
    uint64_t wanted = 0;
    for (int32_t w = 0; w < 2; w++) {
        const ecs__event_t *event = emission->waiting[w];
        if (event) wanted |= event->bloom | event->bloom_not;
    }
    return !(wanted & ecs__id_bloom_covers(id));
}

void ecs__emission_tell_id(ecs__emission_t *emission, ecs_id_t id) {
    if (is_for_nobody(emission, id)) return;
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    ecs__notice_t notice = emission->notice;
    ecs__reach_t from = notice.is_inverted ? ECS__REACH_NOT : ECS__REACH_SELF;
    ecs__reach_t to = notice.is_inverted ? ECS__REACH_NOT_SELF_UP : ECS__REACH_SELF_UP;
    notice.id = id;
    for (int32_t k = 0; k < count; k++) tell_key(emission, keys[k], from, to, &notice);
}
