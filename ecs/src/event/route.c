// SPDX-License-Identifier: MIT
#include "event/route.h"

#include <muster/ecs/os.h>

#include "query/query.h"
#include "world/state.h"

#define NO_TABLE UINT64_MAX

// ---- working out ----

typedef struct builder_t {
    ecs__route_t *route;
    const ecs__event_t *waiting[2]; /* for this event, for any event */
    const ecs_table_t *table;
} builder_t;

static void add_stop(const builder_t *builder, const ecs__observer_t *observer, ecs_id_t id) {
    ecs__route_t *route = builder->route;
    const ecs__plan_t *plan = &ecs__query_of(observer->pub.query)->plan;
    if (observer->is_dead || builder->table->flags & plan->skip) return;
    if (!observer->is_simple) {
        route->kind = ECS__ROUTE_GENERAL;
        return;
    }
    if (route->count == route->size) {
        route->size = route->size ? route->size * 2 : 4;
        route->stops = ecs_os_realloc_n(route->stops, ecs__stop_t, route->size);
    }
    route->stops[route->count++] =
        (ecs__stop_t){ observer, id, ecs__table_column(builder->table, id) };
    if (route->kind == ECS__ROUTE_NONE) route->kind = ECS__ROUTE_SIMPLE;
}

static void add_list(const builder_t *builder, const ecs__waiters_t *list, ecs_id_t id) {
    for (int32_t i = 0; i < list->count; i++) add_stop(builder, list->items[i].observer, id);
}

static const ecs__wanted_t *wanted_by(const ecs__event_t *event, ecs_id_t key) {
    return event->count ? ecs__event_wanted(event, key) : NULL;
}

static void add_key(const builder_t *builder, ecs_id_t key, ecs_id_t id) {
    const ecs__wanted_t *wanted[2] = { wanted_by(builder->waiting[0], key),
        wanted_by(builder->waiting[1], key) };
    for (int32_t reach = ECS__REACH_SELF; reach <= ECS__REACH_SELF_UP; reach++) {
        for (int32_t w = 0; w < 2; w++) {
            if (wanted[w]) add_list(builder, &wanted[w]->lists[reach], id);
        }
    }
}

static void add_id(const builder_t *builder, ecs_id_t id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t k = 0; k < count; k++) add_key(builder, keys[k], id);
}

static bool wants_opposite(const builder_t *builder, ecs_id_t id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t i = 0; i < 2 * count; i++) {
        const ecs__wanted_t *wanted = wanted_by(builder->waiting[i & 1], keys[i / 2]);
        if (!wanted) continue;
        if (wanted->lists[ECS__REACH_NOT].count + wanted->lists[ECS__REACH_NOT_SELF_UP].count)
            return true;
    }
    return false;
}

static bool looks_above(const builder_t *builder) {
    int32_t count = 0;
    for (int32_t i = 0; i < 4; i++) count += builder->waiting[i / 2]->above[i % 2].count;
    return count != 0;
}

// Ids that only one of the tables has. What a pair, or the loss of an own value, brings into sight
// is for the general way.
static void add_move(const builder_t *builder, const ecs_table_t *other, bool inherits) {
    static const ecs_type_t nothing;
    const ecs_type_t *own = &builder->table->type, *others = other ? &other->type : &nothing;
    bool has_pairs = false, is_general = false;
    for (int32_t i = 0; i < own->count; i++) {
        if (other && ecs__table_has(other, own->array[i])) continue;
        has_pairs |= ECS_IS_PAIR(own->array[i]);
        add_id(builder, own->array[i]);
    }
    for (int32_t i = 0; i < others->count; i++) {
        if (ecs__table_has(builder->table, others->array[i])) continue;
        has_pairs |= ECS_IS_PAIR(others->array[i]);
        is_general |= inherits || wants_opposite(builder, others->array[i]);
    }
    is_general |= has_pairs && (inherits || looks_above(builder));
    if (is_general) builder->route->kind = ECS__ROUTE_GENERAL;
}

static builder_t begin(ecs__events_t *events, ecs__route_t *route, const ecs__event_t *event,
    const ecs_table_t *table, uint64_t other) {
    ecs__stop_t *stops = route->stops;
    builder_t builder = { route, { event, &events->wildcard }, table };
    *route = (ecs__route_t){ .event = event,
        .table = table->id,
        .other = other,
        .stamp = events->stamp,
        .size = route->size,
        .stops = stops };
    route->looks_down = looks_above(&builder);
    return builder;
}

static const ecs__route_t *build_move(ecs__events_t *events, ecs__route_t *route,
    const ecs__event_t *event, const ecs_table_t *table, const ecs_table_t *other) {
    builder_t builder = begin(events, route, event, table, other ? other->id : NO_TABLE);
    bool inherits = event == &events->on_add && table->flags & EcsTableHasIsA &&
                    events->listened & ECS__LISTEN_INHERITED;
    add_move(&builder, other, inherits);
    return route;
}

static const ecs__route_t *build_set(
    ecs__events_t *events, ecs__route_t *route, const ecs_table_t *table, ecs_id_t id) {
    builder_t builder = begin(events, route, &events->on_set, table, id);
    add_id(&builder, id);
    return route;
}

// ---- finding ----

static ecs__route_t *slot_of(
    ecs__events_t *events, const ecs__event_t *event, uint64_t table, uint64_t other) {
    if (!events->routes) events->routes = ecs_os_calloc_t(ecs__routes_t);
    uint64_t key = table * 31 + other * 7 + event->id;
    return &events->routes->slots[(key ^ key >> 8 ^ key >> 32) % ECS__ROUTES];
}

// For those whose place is taken by a route that is being told.
static const ecs__route_t general = { .kind = ECS__ROUTE_GENERAL };

static bool is_known(const ecs__events_t *events, const ecs__route_t *route,
    const ecs__event_t *event, uint64_t table, uint64_t other) {
    return route->event == event && route->table == table && route->other == other &&
           route->stamp == events->stamp;
}

const ecs__route_t *ecs__route_of_move(ecs__events_t *events, const ecs__event_t *event,
    const ecs_table_t *table, const ecs_table_t *other) {
    uint64_t number = other ? other->id : NO_TABLE;
    ecs__route_t *route = slot_of(events, event, table->id, number);
    if (is_known(events, route, event, table->id, number)) return route;
    if (route->busy) return &general;
    return build_move(events, route, event, table, other);
}

const ecs__route_t *ecs__route_of_set(
    ecs__events_t *events, const ecs_table_t *table, ecs_id_t id) {
    ecs__route_t *route = slot_of(events, &events->on_set, table->id, id);
    if (is_known(events, route, &events->on_set, table->id, id)) return route;
    if (route->busy) return &general;
    return build_set(events, route, table, id);
}

void ecs__routes_free(ecs__routes_t *routes) {
    for (int32_t i = 0; routes && i < ECS__ROUTES; i++) ecs_os_free(routes->slots[i].stops);
    ecs_os_free(routes);
}

// ---- telling ----

static int64_t tell(ecs_iter_t *it, const ecs__route_t *route, const ecs__notice_t *notice) {
    int64_t told = 0;
    ecs__match_rows(it, notice);
    for (int32_t i = 0; i < route->count; i++) {
        const ecs__stop_t *stop = &route->stops[i];
        if (stop->observer->is_disabled || stop->observer->is_dead) continue;
        ecs__match_stop(it, stop->observer, stop->id, stop->column);
        told++;
    }
    return told;
}

static int64_t tell_inside(const ecs__route_t *route, const ecs__notice_t *notice) {
    ecs_iter_t it = { 0 };
    return tell(&it, route, notice);
}

void ecs__route_tell(
    ecs__events_t *events, const ecs__route_t *route, const ecs__notice_t *notice) {
    ecs__routes_t *routes = events->routes;
    ecs__route_t *busy = ECS_CONST_CAST(ecs__route_t *, route);
    ecs_stage_t *stage = events->world->stages[0];
    int32_t defer = ecs__match_defer(stage);
    int64_t told;
    busy->busy++;
    if (routes->is_telling) {
        told = tell_inside(route, notice);
    } else {
        routes->is_telling = true;
        told = tell(&routes->it, route, notice);
        routes->is_telling = false;
    }
    busy->busy--;
    if (defer < 0) stage->defer = defer;
    events->world->info.observers_ran_total += told;
}
