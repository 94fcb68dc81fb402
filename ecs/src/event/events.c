// SPDX-License-Identifier: MIT
#include "event/events.h"

#include <muster/ecs/os.h>
#include <muster/ecs/world.h>

#include "event/observer.h"
#include "event/route.h"
#include "event/table_events.h"
#include "world/state.h"

// ---- lists ----

static void append(ecs__waiters_t *list, ecs__waiter_t waiter) {
    if (list->count == list->size) {
        list->size = list->size ? list->size * 2 : 4;
        list->items = ecs_os_realloc_n(list->items, ecs__waiter_t, list->size);
    }
    list->items[list->count++] = waiter;
}

// Returns how many entries of dead observers there were.
static int32_t take_out_dead(ecs__waiters_t *list) {
    int32_t kept = 0, count = list->count;
    for (int32_t i = 0; i < count; i++) {
        if (!list->items[i].observer->is_dead) list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return count - kept;
}

static void free_list(ecs__waiters_t *list) { ecs_os_free(list->items); }

// ---- events ----

static void event_init(ecs__event_t *event, ecs_entity_t id) {
    *event = (ecs__event_t){ .id = id, .shown = &ecs__no_route };
    ecs_map_init(&event->wanted, NULL);
}

static void event_fini(ecs__event_t *event) {
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        ecs__wanted_t *wanted = ecs_map_ptr(&it);
        for (int32_t r = 0; r < ECS__REACH_COUNT; r++) free_list(&wanted->lists[r]);
        ecs_os_free(wanted);
    }
    ecs_map_fini(&event->wanted);
    for (int32_t i = 0; i < 2; i++) free_list(&event->above[i]);
    free_list(&event->all);
    ecs_os_free(event->teller);
}

static uint64_t bloom_of(ecs_id_t id) { return id == Ecs__Any ? UINT64_MAX : ecs__id_bloom(id); }

static void add_bloom(ecs__event_t *event, ecs_id_t id, ecs__reach_t reach) {
    if (reach >= ECS__REACH_NOT)
        event->bloom_not |= bloom_of(id);
    else
        event->bloom |= bloom_of(id);
}

static void event_sweep(ecs__event_t *event) {
    event->bloom = event->bloom_not = 0;
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        ecs__wanted_t *wanted = ecs_map_ptr(&it);
        for (int32_t r = 0; r < ECS__REACH_COUNT; r++) {
            event->count -= take_out_dead(&wanted->lists[r]);
            if (wanted->lists[r].count) add_bloom(event, wanted->id, (ecs__reach_t)r);
        }
    }
    for (int32_t i = 0; i < 2; i++) take_out_dead(&event->above[i]);
    event->count -= take_out_dead(&event->all);
}

static const ecs_entity_t builtin_ids[ECS__BUILTIN_EVENTS] = { Ecs__OnAdd, Ecs__OnRemove,
    Ecs__OnSet, Ecs__OnDelete, Ecs__OnDeleteTarget, Ecs__OnTableCreate, Ecs__OnTableDelete,
    Ecs__OnTableEmpty, Ecs__OnTableFill, Ecs__Wildcard };

ecs__event_t *ecs__event_get(ecs__events_t *events, ecs_entity_t event) {
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) {
        if (builtin_ids[i] == event) return &events->builtin[i];
    }
    return ecs_map_get_deref(&events->custom, ecs__event_t, event);
}

ecs__event_t *ecs__event_ensure(ecs__events_t *events, ecs_entity_t id) {
    ecs__event_t *event = ecs__event_get(events, id);
    if (event) return event;
    event = ecs_map_insert_alloc_t(&events->custom, ecs__event_t, id);
    event_init(event, id);
    return event;
}

// ---- adding and forgetting ----

static void remember_rel(ecs__events_t *events, ecs_entity_t rel) {
    for (int32_t i = 0; i < ecs_vec_count(&events->rels); i++) {
        if (*ecs_vec_get_t(&events->rels, ecs_entity_t, i) == rel) return;
    }
    *ecs_vec_append_t(NULL, &events->rels, ecs_entity_t) = rel;
}

void ecs__event_add(ecs__events_t *events, ecs__event_t *event, ecs_id_t id, ecs__reach_t reach,
    ecs__waiter_t waiter) {
    ecs__wanted_t **wanted = ecs_map_ensure_ref(&event->wanted, ecs__wanted_t, id);
    if (!*wanted) {
        *wanted = ecs_os_calloc_t(ecs__wanted_t);
        (*wanted)->id = id;
    }
    append(&(*wanted)->lists[reach], waiter);
    if (reach != ECS__REACH_SELF && reach != ECS__REACH_NOT) {
        append(&event->above[reach >= ECS__REACH_NOT], waiter);
        remember_rel(events, waiter.observer->pub.query->terms[waiter.term].trav);
    }
    event->count++;
    add_bloom(event, id, reach);
}

void ecs__event_add_all(ecs__event_t *event, ecs__waiter_t waiter) {
    append(&event->all, waiter);
    event->count++;
}

static void free_dead(ecs__events_t *events) {
    while (events->dead) {
        ecs__observer_t *observer = events->dead;
        events->dead = observer->next;
        ecs__observer_free(observer);
    }
}

void ecs__events_sweep(ecs__events_t *events) {
    if (events->depth || !events->dead || ecs_is_fini(events->world)) return;
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) event_sweep(&events->builtin[i]);
    ecs_map_iter_t it = ecs_map_iter(&events->custom);
    while (ecs_map_next(&it)) event_sweep(ecs_map_ptr(&it));
    free_dead(events);
    ecs__events_recount(events);
}

// Terms that look up may see something behind the pairs of their relationships.
static void note_concerned(ecs__events_t *events, ecs__event_t *event) {
    const ecs__event_t *wildcard = &events->wildcard;
    event->concerned = event->bloom | wildcard->bloom;
    event->concerned_not = event->bloom_not | wildcard->bloom_not;
    int32_t count = ecs_vec_count(&events->rels);
    uint64_t pairs = count ? ecs__id_bloom(ECS__MAKE_PAIR(Ecs__IsA, Ecs__Wildcard)) : 0;
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t rel = *ecs_vec_get_t(&events->rels, ecs_entity_t, i);
        pairs |= ecs__id_bloom(ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    }
    event->concerned |= pairs;
    if (event->above[1].count + wildcard->above[1].count) event->concerned_not |= pairs;
}

static int32_t count_waiters(const ecs__wanted_t *wanted) {
    int32_t count = 0;
    for (int32_t r = 0; r < ECS__REACH_COUNT; r++) count += wanted->lists[r].count;
    return count;
}

static void note_low(ecs__events_t *events, const ecs__event_t *event) {
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        ecs_id_t id = ecs_map_key(&it);
        if (!count_waiters(ecs_map_ptr(&it))) continue;
        if (id < FLECS_HI_COMPONENT_ID) events->set_low[id >> 6] |= 1ull << (id & 63);
        if (id != Ecs__Any && id != Ecs__Wildcard) continue;
        for (int32_t i = 0; i < FLECS_HI_COMPONENT_ID / 64; i++) events->set_low[i] = UINT64_MAX;
    }
}

void ecs__events_outdate(ecs__events_t *events) {
    events->stamp++;
    ecs__store_of(events->world)->plain_stamp += 2;
    ecs__routes_close(events);
}

void ecs__events_recount(ecs__events_t *events) {
    ecs__events_outdate(events);
    memset(events->set_low, 0, sizeof events->set_low);
    note_low(events, &events->on_set);
    note_low(events, &events->wildcard);
    bool any_event = events->wildcard.count;
    ecs_flags32_t listened = events->observer_count ? ECS__LISTEN_ANY : 0;
    if (events->on_set.count || any_event) listened |= ECS__LISTEN_SET;
    if (events->on_set.above[0].count || events->wildcard.above[0].count)
        listened |= ECS__LISTEN_INHERITED;
    if (events->on_delete.count || any_event) listened |= ECS__LISTEN_DELETE;
    if (events->on_delete_target.count || any_event) listened |= ECS__LISTEN_DELETE_TARGET;
    if (events->on_table_empty.count || events->on_table_fill.count) listened |= ECS__LISTEN_COUNTS;
    if (events->on_table_create.count || events->on_table_delete.count || any_event ||
        listened & ECS__LISTEN_COUNTS)
        listened |= ECS__LISTEN_TABLES;
    note_concerned(events, &events->on_add);
    note_concerned(events, &events->on_remove);
    note_concerned(events, &events->on_set);
    ecs_flags32_t changed = listened ^ events->listened;
    events->listened = listened;
    if (changed & ECS__LISTEN_TABLES) ecs__table_events_hear(events, listened & ECS__LISTEN_TABLES);
    if (changed & ECS__LISTEN_COUNTS)
        ecs__table_events_hear_counts(events, listened & ECS__LISTEN_COUNTS);
}

// ---- running ----

void ecs__events_enter(ecs__events_t *events) {
    if (events->depth++) return;
    events->began = ecs__measure_begin(events->world);
}

void ecs__events_leave(ecs__events_t *events) {
    if (--events->depth) return;
    ecs__measure_end(events->began, &events->world->info.emit_time_total);
    if (events->dead) ecs__events_sweep(events);
}

void ecs__events_begin_loss(
    ecs__events_t *events, const ecs_table_t *table, ecs_entity_t entity, bool dies) {
    events->losing = table;
    events->loser = entity;
    events->dies = dies;
    events->joined = Ecs__OnRemove;
    ecs_vec_clear(&events->told);
    ecs_vec_clear(&events->lost);
}

void ecs__events_begin_swap(ecs__events_t *events, ecs_entity_t entity,
    const ecs_component_record_t *from, const ecs_component_record_t *to) {
    events->swap = (ecs__swap_t){ entity, from, to };
    events->joined = Ecs__OnRemove;
    ecs_vec_clear(&events->told);
}

void ecs__events_end_swap(ecs__events_t *events) {
    events->swap = (ecs__swap_t){ 0 };
    ecs__events_end_loss(events);
}

void ecs__events_have_lost(ecs__events_t *events) {
    events->losing = NULL;
    events->joined = Ecs__OnAdd;
    ecs_vec_clear(&events->told);
}

void ecs__events_end_loss(ecs__events_t *events) {
    events->losing = NULL;
    events->dies = false;
    events->joined = 0;
}

int32_t ecs__event_keys(ecs_id_t id, ecs_id_t keys[ECS__EVENT_KEYS]) {
    int32_t count = 0;
    keys[count++] = Ecs__Any;
    if (id == Ecs__Any) return count;
    keys[count++] = id;
    if (!ECS_IS_PAIR(id)) {
        if (!(id & ~ECS_COMPONENT_MASK)) keys[count++] = Ecs__Wildcard;
        return count;
    }
    keys[count++] = ecs__id_any_first(id);
    keys[count++] = ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard);
    keys[count++] = ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard);
    return count;
}

static bool asks(const ecs__event_t *event, const ecs_id_t *keys, int32_t count, bool absence) {
    int32_t first = absence ? ECS__REACH_NOT : ECS__REACH_SELF;
    for (int32_t i = 0; event->count && i < 3 * count; i++) {
        const ecs__wanted_t *wanted = ecs__event_wanted(event, keys[i / 3]);
        if (wanted && wanted->lists[first + i % 3].count) return true;
    }
    return false;
}

ecs_flags32_t ecs__events_ask(const ecs__events_t *events, ecs_component_record_t *id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id->id, keys);
    bool any = asks(&events->wildcard, keys, count, false);
    bool any_absence = asks(&events->wildcard, keys, count, true);
    bool add = any || any_absence || asks(&events->on_add, keys, count, false) ||
               asks(&events->on_remove, keys, count, true);
    bool removal = any || any_absence || asks(&events->on_remove, keys, count, false) ||
                   asks(&events->on_add, keys, count, true);
    bool set = any || asks(&events->on_set, keys, count, false);
    ecs_flags32_t heard =
        (add ? ECS__HEARD_ADD : 0) | (removal ? ECS__HEARD_REMOVE : 0) | (set ? ECS__HEARD_SET : 0);
    ecs__store_64(&id->heard, events->stamp << ECS__HEARD_BITS | heard);
    return heard;
}

// ---- begin and end ----

void ecs__events_init(ecs__events_t *events, ecs_world_t *world) {
    events->world = world;
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++)
        event_init(&events->builtin[i], builtin_ids[i]);
    ecs_map_init(&events->custom, NULL);
    ecs_vec_init_t(NULL, &events->rels, ecs_entity_t, 0);
    ecs_vec_init_t(NULL, &events->counted, ecs_table_t *, 0);
    ecs_vec_init_t(NULL, &events->lost, ecs__lost_t, 0);
    ecs_vec_init_t(NULL, &events->told, ecs__told_t, 0);
}

void ecs__events_fini(ecs__events_t *events) {
    while (events->first) ecs__observer_end(events->first);
    free_dead(events);
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) event_fini(&events->builtin[i]);
    ecs_map_iter_t it = ecs_map_iter(&events->custom);
    while (ecs_map_next(&it)) {
        event_fini(ecs_map_ptr(&it));
        ecs_os_free(ecs_map_ptr(&it));
    }
    ecs_map_fini(&events->custom);
    ecs_vec_fini_t(NULL, &events->rels, ecs_entity_t);
    ecs_vec_fini_t(NULL, &events->counted, ecs_table_t *);
    ecs_vec_fini_t(NULL, &events->lost, ecs__lost_t);
    ecs_vec_fini_t(NULL, &events->told, ecs__told_t);
    ecs__routes_free(events->routes);
}

static int32_t count_entries(const ecs__event_t *event) {
    int32_t count = event->all.count;
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) count += count_waiters(ecs_map_ptr(&it));
    return count;
}

bool ecs__events_verify(const ecs__events_t *events) {
    if (events->depth) return true;
    int32_t count = 0;
    for (const ecs__observer_t *o = events->first; o; o = o->next) {
        if (o->previous ? o->previous->next != o : events->first != o) return false;
        count++;
    }
    if (count != events->observer_count) return false;
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) {
        if (count_entries(&events->builtin[i]) != events->builtin[i].count) return false;
    }
    return true;
}
