// SPDX-License-Identifier: MIT
#include "event/table_events.h"

#include <stdlib.h>

#include "event/emission.h"
#include "event/match.h"
#include "world/state.h"

static void list_those_of(ecs__events_t *events, const ecs__event_t *event, ecs_id_t key) {
    const ecs__wanted_t *wanted = ecs__event_wanted(event, key);
    const ecs_vec_t *waiters = wanted ? &wanted->lists[ECS__REACH_TABLES] : NULL;
    for (int32_t i = 0; waiters && i < waiters->count; i++)
        *ecs_vec_append_t(NULL, &events->due, ecs__observer_t *) =
            ecs_vec_get_t(waiters, ecs__waiter_t, i)->observer;
}

static int compare_numbers(const void *a, const void *b) {
    const uint64_t first = (*(ecs__observer_t *const *)a)->number,
                   second = (*(ecs__observer_t *const *)b)->number;
    return (first > second) - (first < second);
}

// Those whose queries the table may match, in order of creation; some more than once.
static void list_due(ecs__events_t *events, const ecs__event_t *event, const ecs_table_t *table) {
    const int32_t first = ecs_vec_count(&events->due);
    list_those_of(events, event, Ecs__Any);
    if (table->flags & EcsTableHasIsA)
        list_those_of(events, event, ECS__MAKE_PAIR(Ecs__IsA, Ecs__Wildcard));
    for (int32_t i = 0; i < table->type.count; i++)
        list_those_of(events, event, table->type.array[i]);
    const int32_t count = ecs_vec_count(&events->due) - first;
    ecs__observer_t **due = ecs_vec_first_t(&events->due, ecs__observer_t *);
    if (count > 1) qsort(due + first, (size_t)count, sizeof *due, compare_numbers);
}

// What they do may tell others of other tables.
static void tell_due(ecs__events_t *events, const ecs__notice_t *notice, int32_t first) {
    const ecs__observer_t *told = NULL;
    for (int32_t i = first; i < ecs_vec_count(&events->due); i++) {
        const ecs__observer_t *observer = *ecs_vec_get_t(&events->due, ecs__observer_t *, i);
        if (observer == told || observer->is_disabled || observer->is_dead) continue;
        if (ecs__match_table(observer, notice)) ++*events->ran;
        told = observer;
    }
    events->due.count = first;
}

// Tables are made in the middle of other changes, so that nothing may be applied before those are done.
static void tell_of_table(ecs__events_t *events, ecs_table_t *table, ecs_entity_t event) {
    ecs_world_t *world = events->world;
    ecs__emission_t emission;
    if (world->flags & EcsWorldFini) return;
    ecs__emission_init(&emission, world, event, table, NULL, 0, 0);
    if (!emission.waiting[0] || !ecs__emission_enter(&emission)) return;
    int32_t defer = world->stages[0]->defer, first = ecs_vec_count(&events->due);
    if (!defer) world->stages[0]->defer = 1;
    list_due(events, emission.waiting[0], table);
    tell_due(events, &emission.notice, first);
    world->stages[0]->defer = defer;
    ecs__emission_leave(&emission);
}

static void forget_count(ecs__events_t *events, const ecs_table_t *table) {
    ecs_table_t **counted = ecs_vec_first_t(&events->counted, ecs_table_t *);
    for (int32_t i = 0; i < ecs_vec_count(&events->counted); i++) {
        if (counted[i] == table) counted[i] = NULL;
    }
}

// Caches of queries know of it already: observers may make other tables.
static void on_table(ecs__store_t *store, ecs_table_t *table, bool is_new) {
    ecs__events_t *events = &((ecs_world_t *)store->owner)->events;
    if (!is_new) forget_count(events, table);
    tell_of_table(events, table, is_new ? Ecs__OnTableCreate : Ecs__OnTableDelete);
}

void ecs__table_events_hear(ecs__events_t *events, bool hear) {
    events->world->store.on_table = hear ? on_table : NULL;
}

// Rows are being moved when a table tells, so observers are told later: unless it is as before by then.
static void on_count(ecs__store_t *store, ecs_table_t *table) {
    ecs_world_t *world = store->owner;
    if (world->flags & EcsWorldFini) return;
    table->is_counted = !table->is_counted;
    if (!table->is_counted) return;
    if (!ecs_vec_count(&world->events.counted)) world->events.tell_later(world);
    *ecs_vec_append_t(NULL, &world->events.counted, ecs_table_t *) = table;
}

void ecs__table_events_tell_counts(ecs_world_t *world) {
    ecs__events_t *events = &world->events;
    for (int32_t i = 0; i < ecs_vec_count(&events->counted); i++) {
        ecs_table_t *table = *ecs_vec_get_t(&events->counted, ecs_table_t *, i);
        if (!table || !table->is_counted) continue;
        table->is_counted = false;
        tell_of_table(events, table, table->count ? Ecs__OnTableFill : Ecs__OnTableEmpty);
    }
    ecs_vec_clear(&events->counted);
}

// Nor are they looked after any more.
static void forget_counts(ecs__events_t *events) {
    for (int32_t i = 0; i < ecs_vec_count(&events->counted); i++) {
        ecs_table_t *table = *ecs_vec_get_t(&events->counted, ecs_table_t *, i);
        if (table) table->is_counted = false;
    }
    ecs_vec_clear(&events->counted);
}

void ecs__table_events_hear_counts(ecs__events_t *events, bool hear) {
    if (!hear) forget_counts(events);
    ecs__passages_end(&events->world->store);
    events->world->store.on_count = hear ? on_count : NULL;
}
