// SPDX-License-Identifier: MIT
#include "event/route.h"

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "event/below.h"
#include "event/decide.h"
#include "event/match.h"
#include "event/observer.h"
#include "event/outlook.h"
#include "event/show.h"
#include "event/tell.h"
#include "query/iter/iter.h"
#include "query/query.h"
#include "world/state.h"

// ---- working out ----

typedef struct builder_t {
    ecs_world_t *world;
    ecs__route_t *route;
    const ecs__event_t *waiting[2]; /* for this event, for any event */
    ecs_table_t *table;
    const ecs_table_t *other;
} builder_t;

// Those that were taken before are taken again.
static ecs_iter_t *take_iter(ecs__routes_t *routes) {
    if (!ecs_vec_count(&routes->iters)) return ecs_os_calloc_t(ecs_iter_t);
    ecs_iter_t *it = *ecs_vec_last_t(&routes->iters, ecs_iter_t *);
    ecs_vec_remove_last(&routes->iters);
    return it;
}

static void give_iter(ecs__routes_t *routes, ecs_iter_t *it) {
    if (!it) return;
    ecs__iter_free(it);
    *ecs_vec_append_t(NULL, &routes->iters, ecs_iter_t *) = it;
}

static void end_stops(ecs__routes_t *routes, ecs__route_t *route) {
    for (int32_t i = 0; i < route->count; i++) give_iter(routes, route->stops[i].of_query);
    route->count = 0;
}

static void show_observer(ecs__stop_t *stop) {
    const ecs_observer_t *pub = &stop->observer->pub;
    stop->action = pub->run ? pub->run : pub->callback;
    stop->ctx = pub->ctx;
    stop->callback_ctx = pub->callback_ctx;
    stop->run_ctx = pub->run_ctx;
    stop->callback = pub->callback;
}

static ecs__stop_t *add_stop(const builder_t *builder, const ecs__observer_t *observer, ecs_id_t id,
    ecs__route_kind_t kind) {
    ecs__route_t *route = builder->route;
    if (route->count == route->size) {
        route->size = route->size ? route->size * 2 : 4;
        route->stops = ecs_os_realloc_n(route->stops, ecs__stop_t, route->size);
    }
    int32_t column = ecs__table_column(builder->table, id);
    ecs_size_t size = column < 0 ? 0 : builder->table->columns[column].size;
    ecs__stop_t *stop = &route->stops[route->count++];
    *stop = (ecs__stop_t){ .observer = observer,
        .id = id,
        .column = column,
        .size = size,
        .query = observer->pub.query,
        .system = observer->pub.entity };
    show_observer(stop);
    route->end = &route->stops[route->count];
    route->kind = ECS_MAX(route->kind, kind);
    return stop;
}

static bool is_told(const ecs__route_t *route, const ecs__observer_t *observer) {
    for (int32_t i = 0; i < route->count; i++) {
        if (route->stops[i].observer == observer) return true;
    }
    return false;
}

static void depend(const builder_t *builder, uint32_t by) {
    ecs__store_t *store = &builder->world->store;
    if (by & ECS__BY_ABOVE) builder->route->above = ecs__store_keep_above(store);
    if (by & ECS__BY_BASES) builder->route->bases = ecs__store_keep_bases(store);
}

static ecs__answer_t ask(
    const builder_t *builder, const ecs__waiter_t *waiter, ecs_id_t id, ecs_iter_t *it) {
    const ecs__notice_t notice = { .caller = builder->world,
        .event = builder->route->event->id,
        .id = id,
        .table = builder->table,
        .other = builder->other };
    uint32_t by = 0;
    builder->route->is_dear = true;
    ecs__answer_t answer = ecs__decide(it, waiter, &notice, &by);
    depend(builder, by);
    return answer;
}

// A glance at the table; changes of constants may be news for others.
static bool may_match(const builder_t *builder, const ecs__waiter_t *waiter) {
    return ecs__waiter_source(waiter) ||
           ecs__match_may_be(waiter->observer, &(ecs__notice_t){ .table = builder->table });
}

// Of all the ids that come or go its terms ask for, the first tells it.
static void add_query(const builder_t *builder, const ecs__waiter_t *waiter, ecs_id_t id) {
    if (is_told(builder->route, waiter->observer)) return;
    if (!may_match(builder, waiter)) return;
    ecs__routes_t *routes = builder->world->events.routes;
    ecs_iter_t *it = take_iter(routes);
    ecs__answer_t answer = ask(builder, waiter, id, it);
    if (answer == ECS__ANSWER_YES) {
        ecs__stop_t *stop = add_stop(builder, waiter->observer, id, ECS__ROUTE_MIXED);
        ecs__tell_next(it, stop);
        stop->of_query = it;
        return;
    }
    if (answer == ECS__ANSWER_DEPENDS) builder->route->kind = ECS__ROUTE_GENERAL;
    give_iter(routes, it);
}

// What is beside tables is shown row by row, in the general way.
static void add_waiter(const builder_t *builder, const ecs__waiter_t *waiter, ecs_id_t id) {
    const ecs__observer_t *observer = waiter->observer;
    if (observer->is_dead || observer->is_disabled) return;
    bool is_skipped =
        builder->table->flags & ecs__query_of(observer->pub.query)->program->plan.skip;
    if (is_skipped && !ecs__waiter_source(waiter)) return;
    const ecs_component_record_t *record = ecs__id_record_get(builder->table->store, id);
    bool is_by_row = observer->pub.query->row_fields || ecs__id_has_sparse_values(record);
    if (is_by_row || waiter->by_set)
        builder->route->kind = ECS__ROUTE_GENERAL;
    else if (observer->is_simple)
        add_stop(builder, observer, id, ECS__ROUTE_SIMPLE);
    else
        add_query(builder, waiter, id);
}

static void add_wanted(
    const builder_t *builder, const ecs__wanted_t *wanted, ecs__reach_t reach, ecs_id_t id) {
    ecs__asking_t asking = ecs__wanted_ask(wanted, reach, 0);
    ecs__waiter_t waiter;
    while (ecs__asking_next(&asking, &waiter)) add_waiter(builder, &waiter, id);
}

static inline const ecs__wanted_t *wanted_by(const ecs__event_t *event, ecs_id_t key) {
    return event->count ? ecs__event_wanted(event, key) : NULL;
}

static void add_key(const builder_t *builder, ecs_id_t key, ecs_id_t id) {
    const ecs__wanted_t *wanted[2] = { wanted_by(builder->waiting[0], key),
        wanted_by(builder->waiting[1], key) };
    for (int32_t reach = ECS__REACH_SELF; reach <= ECS__REACH_SELF_UP; reach++) {
        for (int32_t w = 0; w < 2; w++) {
            if (wanted[w]) add_wanted(builder, wanted[w], (ecs__reach_t)reach, id);
        }
    }
}

static uint64_t rel_bit(const ecs__events_t *events, ecs_entity_t rel) {
    int32_t r = 0;
    while (*ecs_vec_get_t(&events->rels, ecs_entity_t, r) != rel) r++;
    return 1ull << ECS_MIN(r, ECS__BELOW_RELS - 1);
}

static void look_down_for(
    const builder_t *builder, const ecs__wanted_t *wanted, ecs__reach_t reach) {
    ecs__asking_t asking = ecs__wanted_ask(wanted, reach, 0);
    ecs__waiter_t waiter;
    while (ecs__asking_next(&asking, &waiter)) {
        if (waiter.observer->is_dead) continue;
        const ecs_entity_t rel = ecs__waiter_term(&waiter)->trav;
        builder->route->down |= rel_bit(&builder->world->events, rel);
    }
}

// Those below see that the id, or its absence, is above them.
static void look_down(const builder_t *builder, ecs_id_t id) {
    static const ecs__reach_t up[] = { ECS__REACH_UP, ECS__REACH_SELF_UP, ECS__REACH_NOT_UP,
        ECS__REACH_NOT_SELF_UP };
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t i = 0; i < 2 * count; i++) {
        const ecs__wanted_t *wanted = wanted_by(builder->waiting[i & 1], keys[i / 2]);
        for (int32_t u = 0; wanted && u < 4; u++) look_down_for(builder, wanted, up[u]);
    }
}

// Instances see the value of another base instead of one that is lost, which is told as OnSet.
static void look_down_for_value(const builder_t *builder, ecs_id_t id) {
    const ecs__events_t *events = &builder->world->events;
    builder_t of_values = *builder;
    of_values.waiting[0] = &events->on_set;
    if (builder->route->event == &events->on_add) look_down(&of_values, id);
}

static void add_id(const builder_t *builder, ecs_id_t id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t k = 0; k < count; k++) add_key(builder, keys[k], id);
    look_down(builder, id);
}

static bool wants_opposite(const builder_t *builder, ecs_id_t id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t i = 0; i < 2 * count; i++) {
        const ecs__wanted_t *wanted = wanted_by(builder->waiting[i & 1], keys[i / 2]);
        if (wanted && ecs__wanted_count(wanted, true)) return true;
    }
    return false;
}

// Nothing of what comes into sight is a value that somebody waits for.
static bool shows_no_values(const ecs__events_t *events, const ecs__outlook_t *outlook) {
    for (int32_t i = 0; i < 2; i++) {
        const ecs_vec_t *above = i ? &events->wildcard.above[0] : &events->on_set.above[0];
        for (int32_t k = 0; k < ecs_vec_count(above); k++) {
            if (ecs__outlook_inherits(outlook, ecs_vec_get_t(above, ecs__looker_t, k)))
                return false;
        }
    }
    return true;
}

static bool tells_lookers_of(
    const builder_t *builder, const ecs_vec_t *lookers, const ecs__outlook_t *outlook) {
    ecs_iter_t it;
    for (int32_t i = 0; i < ecs_vec_count(lookers); i++) {
        const ecs__looker_t *looker = ecs_vec_get_t(lookers, ecs__looker_t, i);
        const ecs__waiter_t *waiter = &looker->waiter;
        if (!ecs__outlook_shows(outlook, looker)) continue;
        if (waiter->observer->is_dead || is_told(builder->route, waiter->observer)) continue;
        if (!may_match(builder, waiter)) continue;
        const ecs_id_t id = ecs__waiter_term(waiter)->id;
        if (ask(builder, waiter, id, &it) != ECS__ANSWER_NO) return false;
    }
    return true;
}

// All who look up are told of something else, or of nothing at all: what comes into sight through pairs is no news to them.
static bool tells_lookers(const builder_t *builder, const ecs__outlook_t *outlook) {
    bool tells = true;
    for (int32_t i = 0; i < 4; i++)
        tells = tells && tells_lookers_of(builder, &builder->waiting[i / 2]->above[i % 2], outlook);
    return tells;
}

// What is above, along what differs, may change.
static bool is_all_seen(const builder_t *builder, bool has_pairs, bool inherits) {
    const ecs__events_t *events = &builder->world->events;
    if (!ecs_vec_count(&events->rels)) return true;
    const ecs__outlook_t outlook = ecs__outlook(events, builder->table, builder->other);
    depend(builder, ecs__outlook_by(&outlook));
    const bool may_show = has_pairs && outlook.rel_count;
    return (!may_show || tells_lookers(builder, &outlook)) &&
           (!inherits || shows_no_values(events, &outlook));
}

// Ids that only one of the tables has. What the loss of an own value brings into sight is for the general way.
static void add_move(const builder_t *builder, bool inherits) {
    static const ecs_type_t nothing;
    const ecs_table_t *other = builder->other;
    const ecs_type_t *own = &builder->table->type, *others = other ? &other->type : &nothing;
    bool has_pairs = false, is_general = false, loses = false;
    for (int32_t i = 0; i < own->count; i++) {
        if (other && ecs__table_has(other, own->array[i])) continue;
        has_pairs |= ECS_IS_PAIR(own->array[i]);
        add_id(builder, own->array[i]);
    }
    for (int32_t i = 0; i < others->count; i++) {
        if (ecs__table_has(builder->table, others->array[i])) continue;
        has_pairs |= ECS_IS_PAIR(others->array[i]);
        is_general |= wants_opposite(builder, others->array[i]);
        look_down(builder, others->array[i]);
        look_down_for_value(builder, others->array[i]);
        loses = true;
    }
    if (has_pairs) builder->route->down = UINT64_MAX;
    if (!is_general && (has_pairs || (loses && inherits)))
        is_general = !is_all_seen(builder, has_pairs, inherits);
    if (is_general) builder->route->kind = ECS__ROUTE_GENERAL;
}

static builder_t begin(ecs__events_t *events, ecs__route_t *route, ecs__event_t *event,
    ecs_table_t *table, uint64_t other) {
    end_stops(events->routes, route);
    ecs__stop_t *stops = route->stops;
    builder_t builder = { events->world, route, { event, &events->wildcard }, table, NULL };
    if (route->event && route->event->shown == route) route->event->shown = &ecs__no_route;
    *route = (ecs__route_t){ .event = event,
        .table = table->id,
        .other = other,
        .stamp = events->stamp,
        .kinds = events->world->store.kinds_stamp,
        .patience = route->patience,
        .size = route->size,
        .stops = stops,
        .end = stops };
    return builder;
}

enum { LEAST_PATIENCE = 2, MOST_PATIENCE = 64 };

// Where time is measured, it is in the general way.
static void finish(const builder_t *builder, const ecs__events_t *events) {
    ecs__route_t *route = builder->route;
    if (route->patience < LEAST_PATIENCE) route->patience = LEAST_PATIENCE;
    if (route->patience > MOST_PATIENCE) route->patience = MOST_PATIENCE;
    route->waits = route->is_dear ? route->patience : 0;
    if (route->kind != ECS__ROUTE_NONE && events->world->flags & EcsWorldMeasureSystemTime)
        route->kind = ECS__ROUTE_GENERAL;
}

// What becomes of observers is told to themselves, too.
static void build_move(ecs__events_t *events, ecs__route_t *route, ecs__event_t *event,
    ecs_table_t *table, const ecs_table_t *other) {
    builder_t builder = begin(events, route, event, table, ecs__route_number(other));
    bool inherits = event == &events->on_add && table->flags & EcsTableHasIsA &&
                    events->listened & ECS__LISTEN_INHERITED;
    builder.other = other;
    add_move(&builder, inherits);
    finish(&builder, events);
    const ecs__event_t *opposite = event == &events->on_add ? &events->on_remove : &events->on_add;
    ecs_flags32_t changed = table->flags ^ (other ? other->flags : 0);
    route->is_alone = !(opposite->concerned_not & table->bloom) &&
                      !ecs__table_may_hold_observers(table) && !(changed & EcsTableIsDisabled);
}

static void build_one(ecs__events_t *events, ecs__route_t *route, ecs__event_t *event,
    ecs_table_t *table, ecs_id_t id) {
    builder_t builder = begin(events, route, event, table, id);
    route->is_alone = true;
    add_id(&builder, id);
    finish(&builder, events);
}

const ecs__route_t ecs__no_route = { .table = UINT64_MAX };

void ecs__routes_close(ecs__events_t *events) {
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) events->builtin[i].shown = &ecs__no_route;
    ecs_map_iter_t it = ecs_map_iter(&events->custom);
    while (ecs_map_next(&it)) ((ecs__event_t *)ecs_map_ptr(&it))->shown = &ecs__no_route;
}

static ecs_table_t *table_of(const ecs__store_t *store, uint64_t number) {
    for (int32_t i = 0; i < store->table_count; i++) {
        if (store->tables[i] && store->tables[i]->id == number) return store->tables[i];
    }
    return NULL;
}

static bool is_shown(const ecs__route_t *route, const ecs_table_t *table) {
    const ecs_iter_t *it = route->teller;
    if (it != route->event->teller || it->table != table || it->event != route->event->id)
        return false;
    return route->count > 1 ||
           (it->query == route->stops->query && it->event_id == route->stops->id);
}

// Would it be worked out like this again? Of tables that are gone nobody asks.
static bool verify_route(ecs__events_t *events, const ecs__route_t *route) {
    const ecs__store_t *store = &events->world->store;
    ecs_table_t *table = table_of(store, route->table);
    const ecs_table_t *other = table_of(store, route->other);
    bool is_set = route->event == &events->on_set;
    if (!table || (!is_set && !other && route->other != UINT64_MAX)) return true;
    if (route->kinds != store->kinds_stamp) return true; /* it is not taken any more */
    ecs__route_t again = { 0 };
    if (is_set)
        build_one(events, &again, route->event, table, route->other);
    else
        build_move(events, &again, route->event, table, other);
    bool is_same = route->stamp == again.stamp && again.is_alone && !again.above && !again.bases &&
                   again.down == route->down && again.kind == ECS__ROUTE_SIMPLE &&
                   again.count == route->count &&
                   !memcmp(again.stops, route->stops, (size_t)again.count * sizeof *again.stops);
    end_stops(events->routes, &again);
    ecs_os_free(again.stops);
    return is_same && is_shown(route, table);
}

bool ecs__routes_verify(const ecs__events_t *events) {
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) {
        const ecs__route_t *route = events->builtin[i].shown;
        if (route != &ecs__no_route && !verify_route(&events->world->events, route)) return false;
    }
    return true;
}

void ecs__routes_forget(ecs__routes_t *routes, const ecs__event_t *event) {
    for (int32_t i = 0; routes && i < ECS__ROUTES; i++) {
        if (routes->slots[i].event == event) routes->slots[i].event = NULL;
    }
}

static void update_stop(ecs__stop_t *stop) {
    show_observer(stop);
    if (stop->of_query) ecs__tell_next(stop->of_query, stop);
}

void ecs__routes_update(ecs__events_t *events, const ecs__observer_t *observer) {
    ecs__routes_close(events);
    for (int32_t i = 0; events->routes && i < ECS__ROUTES; i++) {
        ecs__route_t *route = &events->routes->slots[i];
        for (int32_t s = 0; s < route->count; s++)
            if (route->stops[s].observer == observer) update_stop(&route->stops[s]);
    }
}

void ecs__routes_free(ecs__routes_t *routes) {
    if (!routes) return;
    for (int32_t i = 0; i < ECS__ROUTES; i++) {
        end_stops(routes, &routes->slots[i]);
        ecs_os_free(routes->slots[i].stops);
    }
    while (routes->iters.count) ecs_os_free(take_iter(routes));
    ecs_vec_fini_t(NULL, &routes->iters, ecs_iter_t *);
    ecs_os_free(routes);
}

// ---- telling ----

static bool is_silent(const ecs__stop_t *stop) {
    return stop->observer->is_dead || stop->observer->is_disabled;
}

void ecs__tell_id(ecs_iter_t *it, const ecs__stop_t *stop) {
    it->event_id = it->priv_.ids[0] = stop->id;
    it->priv_.columns[0] = (int16_t)stop->column;
    it->priv_.sizes[0] = stop->size;
    it->priv_.ptrs[0] = ecs__tell_value(stop, it->table, it->offset);
}

// Whoever was told last may have made entities in the table: it has another `size` then, and lies elsewhere.
static inline int32_t tell_another(ecs_iter_t *it, const ecs__stop_t *stop, int32_t size) {
    if (it->table->size != size) {
        it->entities = &it->table->entities[it->offset];
        it->priv_.ptrs[0] = ecs__tell_value(stop, it->table, it->offset);
        size = it->table->size;
    }
    ecs__tell_next(it, stop);
    ecs__tell_call(it, stop);
    return size;
}

// Those who are left after observers came or went; who died, or is disabled, is passed over.
static void tell_rest(
    ecs__events_t *events, const ecs__route_t *route, const ecs__stop_t *stop, int32_t size) {
    for (; stop != route->end; stop++) {
        if (is_silent(stop))
            --*events->ran;
        else
            size = tell_another(route->teller, stop, size);
    }
}

void ecs__tell_several(ecs__events_t *events, const ecs__route_t *route) {
    const ecs__stop_t *stop = route->stops;
    int32_t size = route->teller->table->size;
    do {
        size = tell_another(route->teller, stop, size);
    } while (++stop != route->end && events->stamp == route->stamp);
    *events->ran += route->count;
    tell_rest(events, route, stop, size);
}

static void tell_query(const ecs__stop_t *stop, int32_t row, int32_t count, void *param) {
    ecs_iter_t *it = stop->of_query;
    it->param = param;
    if (it->up_fields) {
        ecs__decide_again(stop->observer, it, row, count);
        return;
    }
    it->count = count;
    it->offset = row;
    it->entities = &it->table->entities[row];
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->columns[f] >= 0) it->ptrs[f] = ecs__table_cell(it->table, it->columns[f], row);
    }
    ecs__tell_call(it, stop);
}

// As ecs__tell does; where rows and values are is looked up for each, since whoever is told may make entities.
static void tell_mixed(
    ecs__events_t *events, const ecs__route_t *route, int32_t row, int32_t count, void *param) {
    const ecs__stop_t *stop = route->stops;
    route->teller->count = count;
    route->teller->offset = row;
    events->depth = 1;
    for (; stop != route->end; stop++) {
        if (is_silent(stop)) continue;
        if (stop->of_query)
            tell_query(stop, row, count, param);
        else
            tell_another(route->teller, stop, -1);
        ++*events->ran;
    }
    events->depth = 0;
    if (events->dead) ecs__events_sweep(events);
}

// Suspended worlds, and those that end, tell of events with more care.
static bool is_calm(const ecs_world_t *world) {
    return world->stage->defer >= 0 && !(world->flags & EcsWorldFini);
}

// True if the route has done all there is to do.
static bool tell_first(ecs__events_t *events, ecs__route_t *route, ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count, void *param) {
    ecs__event_t *event = route->event;
    if (route->kind == ECS__ROUTE_GENERAL || !is_calm(events->world)) return false;
    if (ecs__below_any(events, route->down, table, row, count)) return false;
    if (route->kind == ECS__ROUTE_NONE) return true;
    if (!event->teller) event->teller = ecs_os_calloc_t(ecs_iter_t);
    ecs__show_begin_one(event->teller, events->world, event->id, table, other);
    event->teller->param = param;
    route->teller = event->teller;
    const bool stays =
        route->is_alone && route->kind == ECS__ROUTE_SIMPLE && !route->above && !route->bases;
    event->shown = stays ? route : &ecs__no_route;
    if (route->kind == ECS__ROUTE_MIXED) {
        tell_mixed(events, route, row, count, param);
        return true;
    }
    ecs__tell_next(event->teller, route->stops);
    ecs__tell_row(events, route, table, row, count);
    return true;
}

// ---- finding ----

static inline ecs__route_t *slot_of(
    ecs__events_t *events, const ecs__event_t *event, uint64_t table, uint64_t other) {
    if (!events->routes) events->routes = ecs_os_calloc_t(ecs__routes_t);
    uint64_t key = table * 31 + other * 7 + event->id;
    return &events->routes->slots[(key ^ key >> 8 ^ key >> 32) % ECS__ROUTES];
}

static bool is_for(const ecs__events_t *events, const ecs__route_t *route,
    const ecs__event_t *event, uint64_t table, uint64_t other) {
    const ecs__store_t *store = &events->world->store;
    return route->event == event && route->table == table && route->other == other &&
           route->stamp == events->stamp && route->kinds == store->kinds_stamp &&
           (!route->above || route->above == store->above_stamp) &&
           (!route->bases || route->bases == store->bases_stamp);
}

// True if it is worth while to work out another in this place.
static bool gives_way(ecs__route_t *route) {
    if (route->waits-- > 0) return false;
    route->patience = route->is_used ? 0 : route->patience * 2;
    return true;
}

// NULL: this takes the general way. `is_new`: the route is to be worked out.
static ecs__route_t *find(ecs__events_t *events, const ecs__event_t *event, uint64_t table,
    uint64_t other, bool *is_new) {
    ecs__route_t *route = slot_of(events, event, table, other);
    *is_new = !is_for(events, route, event, table, other);
    if (*is_new) return gives_way(route) ? route : NULL;
    route->is_used = true;
    route->waits = route->is_dear ? route->patience : 0;
    return route;
}

static ECS__APART bool tell_move(ecs__events_t *events, ecs__event_t *event, ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count) {
    bool is_new;
    ecs__route_t *route = find(events, event, table->id, ecs__route_number(other), &is_new);
    if (!route) return false;
    if (is_new) build_move(events, route, event, table, other);
    return tell_first(events, route, table, other, row, count, NULL);
}

static ECS__APART bool tell_one(ecs__events_t *events, ecs__event_t *event, ecs_table_t *table,
    ecs_id_t id, int32_t row, int32_t count, void *param) {
    bool is_new;
    ecs__route_t *route = find(events, event, table->id, id, &is_new);
    if (!route) return false;
    if (is_new) build_one(events, route, event, table, id);
    return tell_first(events, route, table, NULL, row, count, param);
}

// Often it is the route that was told last.
bool ecs__route_tell_move(ecs__events_t *events, ecs__event_t *event, ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count) {
    if (events->depth) return false;
    const ecs__route_t *route = ecs__route_again(event, table, ecs__route_number(other));
    if (!route) return tell_move(events, event, table, other, row, count);
    ecs__tell_row(events, route, table, row, count);
    return true;
}

static inline bool tell_id(ecs__events_t *events, ecs__event_t *event, ecs_table_t *table,
    ecs_id_t id, int32_t row, int32_t count, void *param) {
    if (events->depth) return false;
    const ecs__route_t *route = ecs__route_again(event, table, id);
    if (!route) return tell_one(events, event, table, id, row, count, param);
    route->teller->param = param;
    ecs__tell_row(events, route, table, row, count);
    return true;
}

bool ecs__route_tell_set(
    ecs__events_t *events, ecs_table_t *table, ecs_id_t id, int32_t row, int32_t count) {
    return tell_id(events, &events->on_set, table, id, row, count, NULL);
}

bool ecs__route_tell_custom(ecs__events_t *events, ecs_entity_t event, ecs_table_t *table,
    ecs_id_t id, int32_t row, int32_t count, void *param) {
    ecs__event_t *custom = ecs_map_get_deref(&events->custom, ecs__event_t, event);
    return custom && tell_id(events, custom, table, id, row, count, param);
}
