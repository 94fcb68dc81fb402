// SPDX-License-Identifier: MIT
// watchers: observers that keep a list of who came and did not leave. It must be who matches.
#include <string.h>

#include "scene.h"

enum { WATCHERS = 8, MEMBERS = 256 };

typedef enum watched_t {
    WATCH_EVENTS,  /* any events of any terms; only makes changes */
    WATCH_MATCHES, /* a monitor */
    WATCH_OWNERS,  /* adds and removes of an id */
} watched_t;

typedef struct watcher_t {
    ecs_entity_t observer; /* 0: free */
    watched_t watched;
    bool has_lost_count; /* more members than there is room for */
    uint8_t reaction;
    ecs_query_t *query; /* who matches; not for events */
    int count;
    ecs_entity_t members[MEMBERS];
} watcher_t;

static watcher_t watchers[WATCHERS];

static int find(const watcher_t *watcher, ecs_entity_t entity) {
    int i = watcher->count - 1;
    while (i >= 0 && watcher->members[i] != entity) i--;
    return i;
}

static _Noreturn void fail_of(const watcher_t *watcher, const char *what, ecs_entity_t entity) {
    char *query = watcher->query ? ecs_query_str(watcher->query) : NULL;
    char *text = ecs_is_alive(scene.world, entity) ? ecs_entity_str(scene.world, entity) : NULL;
    fail("observer %d of %s: #%u %s %s", (int)(watcher - watchers), query ? query : "?",
        (unsigned)entity, text ? text : "(dead)", what);
}

static void enter(watcher_t *watcher, ecs_entity_t entity) {
    if (find(watcher, entity) >= 0) fail_of(watcher, "enters twice", entity);
    if (watcher->count == MEMBERS) {
        watcher->has_lost_count = true;
    } else {
        watcher->members[watcher->count++] = entity;
    }
}

static void leave(watcher_t *watcher, ecs_entity_t entity) {
    int i = find(watcher, entity);
    if (i < 0) fail_of(watcher, "leaves, and has not come", entity);
    watcher->members[i] = watcher->members[--watcher->count];
}

static void on_event(ecs_iter_t *it) {
    watcher_t *watcher = it->ctx;
    if (it->event == EcsOnAdd || it->event == EcsOnSet || it->event == EcsOnRemove)
        check_fields(it);
    for (int32_t i = 0; i < it->count && watcher->watched && !watcher->has_lost_count; i++) {
        say_id(it->event == EcsOnAdd ? "  told, enters" : "  told, leaves", it->entities[i], 0);
        if (it->event == EcsOnAdd)
            enter(watcher, it->entities[i]);
        else
            leave(watcher, it->entities[i]);
    }
    if (!watcher->reaction || ecs_is_fini(scene.world)) return;
    for (int32_t i = 0; i < it->count && i < 2; i++)
        react(it->world, it->entities[i], watcher->reaction);
}

// Monitors of some terms are not told of every change: that somebody is new is no event.
static bool is_told_of_all(const ecs_query_t *query) {
    const ecs_term_t *leads = query->terms;
    if (leads->oper != EcsAnd || !ecs_term_match_this(leads)) return false;
    for (int i = 0; i < query->term_count; i++) {
        if (query->terms[i].id == ecs_childof(0)) return false;
    }
    return true;
}

static void describe_matches(watcher_t *watcher, ecs_observer_desc_t *desc) {
    make_terms(&desc->query, true);
    desc->query.cache_kind = EcsQueryCacheNone;
    watcher->query = ecs_query_init(scene.world, &desc->query);
    desc->query.cache_kind = EcsQueryCacheDefault;
    desc->events[0] = EcsMonitor;
    desc->yield_existing = true;
    watcher->watched =
        watcher->query && is_told_of_all(watcher->query) ? WATCH_MATCHES : WATCH_EVENTS;
}

static void describe_owners(watcher_t *watcher, ecs_observer_desc_t *desc) {
    static const int ids[] = { TAG_A, TAG_B, TAG_BESIDE, TAG_WITH, TAG_OVERRIDDEN, TAG_OWN };
    bool is_tag = input_flag();
    desc->query.terms[0].id =
        is_tag ? scene.tags[ids[input_below(6)]] : scene.components[input_below(C_TOGGLED)];
    desc->query.terms[0].src.id = EcsSelf;
    desc->query.flags = EcsQueryMatchPrefab | EcsQueryMatchDisabled;
    watcher->query = ecs_query_init(scene.world, &desc->query);
    desc->events[0] = EcsOnAdd, desc->events[1] = EcsOnRemove;
    desc->yield_existing = true;
    watcher->watched = WATCH_OWNERS;
}

static void describe_events(watcher_t *watcher, ecs_observer_desc_t *desc) {
    static const ecs_entity_t *const events[] = { &EcsOnAdd, &EcsOnSet, &EcsOnRemove,
        &EcsOnTableCreate, &EcsOnTableDelete };
    make_terms(&desc->query, true);
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (input_flag()) desc->events[count++] = *events[i];
    }
    if (!count) desc->events[0] = *events[input_below(5)];
    desc->yield_existing = input_flag();
    watcher->watched = WATCH_EVENTS;
}

static void begin(watcher_t *watcher) {
    ecs_observer_desc_t desc = { .callback = on_event, .ctx = watcher };
    watcher->reaction = input_flag() ? input_byte() : 0;
    switch (input_below(3)) {
    case 0: describe_matches(watcher, &desc); break;
    case 1: describe_owners(watcher, &desc); break;
    case 2: describe_events(watcher, &desc); break;
    }
    scene.reacting += watcher->reaction != 0;
    watcher->observer = ecs_observer_init(scene.world, &desc);
    if (!watcher->observer) watcher->watched = WATCH_EVENTS;
    char *text = watcher->query ? ecs_query_str(watcher->query) : NULL;
    say("observer %d of %s", (int)(watcher - watchers), text ? text : "events");
    ecs_os_free(text);
}

static void end(watcher_t *watcher) {
    watcher->watched = WATCH_EVENTS; /* its own entity may be who leaves */
    if (is_there(watcher->observer)) ecs_delete(scene.world, watcher->observer);
    scene.reacting -= watcher->reaction != 0;
    ecs_query_fini(watcher->query);
    *watcher = (watcher_t){ 0 };
}

void watcher_switch(void) {
    watcher_t *watcher = &watchers[input_below(WATCHERS)];
    if (!is_immediate()) return;
    if (watcher->observer) {
        say("observer %d ends", (int)(watcher - watchers));
        end(watcher);
    } else {
        begin(watcher);
    }
}

static void check(const watcher_t *watcher) {
    bool is_seen[MEMBERS] = { false };
    ecs_iter_t it = ecs_query_iter(scene.world, watcher->query);
    while (ecs_query_next(&it)) {
        for (int32_t row = 0; row < it.count; row++) {
            int i = find(watcher, it.entities[row]);
            if (i < 0) fail_of(watcher, "matches, and has not come", it.entities[row]);
            is_seen[i] = true;
        }
    }
    for (int i = 0; i < watcher->count; i++) {
        if (!is_seen[i]) fail_of(watcher, "does not match, and has not left", watcher->members[i]);
    }
}

void watchers_check(void) {
    for (int i = 0; i < WATCHERS; i++) {
        if (watchers[i].watched && !watchers[i].has_lost_count) check(&watchers[i]);
    }
}

void watchers_end(void) {
    for (int i = 0; i < WATCHERS; i++) {
        ecs_query_fini(watchers[i].query);
        watchers[i].query = NULL;
    }
}

void watchers_expect_none(void) {
    for (int i = 0; i < WATCHERS; i++) {
        bool counts = watchers[i].watched == WATCH_OWNERS && !watchers[i].has_lost_count;
        if (counts && watchers[i].count)
            fail("observer %d: %d have not left", i, watchers[i].count);
        watchers[i] = (watcher_t){ 0 };
    }
}
