// SPDX-License-Identifier: MIT
#include "event/table_events.h"

#include "event/emission.h"
#include "world/state.h"

// Tables are made in the middle of other changes, so that nothing may be applied before those are done.
static void tell_of_table(ecs__events_t *events, ecs_table_t *table, ecs_entity_t event) {
    ecs_world_t *world = events->world;
    ecs__emission_t emission;
    if (world->flags & EcsWorldFini) return;
    ecs__emission_init(&emission, world, event, table, NULL, 0, 0);
    if (!ecs__emission_enter(&emission)) return;
    int32_t defer = world->stages[0]->defer;
    if (!defer) world->stages[0]->defer = 1;
    for (int32_t w = 0; w < 2; w++) {
        if (!emission.waiting[w]) continue;
        const ecs__waiters_t *all = &emission.waiting[w]->all;
        int32_t count = all->count;
        for (int32_t i = 0; i < count; i++) {
            const ecs__observer_t *observer = all->items[i].observer;
            if (observer->is_disabled || observer->is_dead) continue;
            if (ecs__match_table(observer, &emission.notice)) ++*events->ran;
        }
    }
    world->stages[0]->defer = defer;
    ecs__emission_leave(&emission);
}

static ecs__events_t *events_of(ecs__table_listener_t *listener) {
    return (ecs__events_t *)(void *)((char *)listener - offsetof(ecs__events_t, table_listener));
}

static void on_create(ecs__table_listener_t *listener, ecs_table_t *table) {
    tell_of_table(events_of(listener), table, Ecs__OnTableCreate);
}

static void on_delete(ecs__table_listener_t *listener, ecs_table_t *table) {
    ecs__events_t *events = events_of(listener);
    ecs_table_t **counted = ecs_vec_first_t(&events->counted, ecs_table_t *);
    for (int32_t i = 0; i < ecs_vec_count(&events->counted); i++) {
        if (counted[i] == table) counted[i] = NULL;
    }
    tell_of_table(events, table, Ecs__OnTableDelete);
}

void ecs__table_events_hear(ecs__events_t *events, bool hear) {
    ecs__listener_list_t *listeners = &events->world->store.listeners;
    events->table_listener.on_create = on_create;
    events->table_listener.on_delete = on_delete;
    if (hear)
        ecs__listener_add(&events->world->store, listeners, &events->table_listener);
    else
        ecs__listener_remove(&events->world->store, listeners, &events->table_listener);
}

// Rows are being moved when a table tells, so observers are told later.
static void on_count(ecs__store_t *store, ecs_table_t *table) {
    ecs_world_t *world = store->owner;
    if (world->flags & EcsWorldFini) return;
    if (!ecs_vec_count(&world->events.counted)) world->events.tell_later(world);
    *ecs_vec_append_t(NULL, &world->events.counted, ecs_table_t *) = table;
}

void ecs__table_events_tell_counts(ecs_world_t *world) {
    ecs__events_t *events = &world->events;
    for (int32_t i = 0; i < ecs_vec_count(&events->counted); i++) {
        ecs_table_t *table = *ecs_vec_get_t(&events->counted, ecs_table_t *, i);
        if (!table) continue;
        tell_of_table(events, table, table->count ? Ecs__OnTableFill : Ecs__OnTableEmpty);
    }
    ecs_vec_clear(&events->counted);
}

void ecs__table_events_hear_counts(ecs__events_t *events, bool hear) {
    ecs__passages_end(&events->world->store);
    events->world->store.on_count = hear ? on_count : NULL;
}
