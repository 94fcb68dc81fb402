// SPDX-License-Identifier: MIT
#include "event/events.h"

#include <muster/ecs/os.h>
#include <muster/ecs/world.h>

#include "event/observer.h"
#include "event/route.h"
#include "event/table_events.h"
#include "query/iter/iter.h"
#include "world/state.h"

// ---- events ----

static void event_init(ecs__event_t *event, ecs_entity_t id) {
    *event = (ecs__event_t){ .id = id, .shown = &ecs__no_route };
    ecs_map_init(&event->wanted, NULL);
    for (int32_t i = 0; i < 2; i++) ecs_vec_init_t(NULL, &event->above[i], ecs__looker_t, 0);
}

static void event_fini(ecs__event_t *event) {
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        ecs__wanted_free(ecs_map_ptr(&it));
    }
    ecs_map_fini(&event->wanted);
    for (int32_t i = 0; i < 2; i++) ecs_vec_fini_t(NULL, &event->above[i], ecs__looker_t);
    if (event->teller) ecs__iter_free(event->teller);
    ecs_os_free(event->teller);
}

static uint64_t bloom_of(ecs_id_t id) { return id == Ecs__Any ? UINT64_MAX : ecs__id_bloom(id); }

static void add_bloom(ecs__event_t *event, const ecs__wanted_t *wanted) {
    if (ecs__wanted_count(wanted, false)) event->bloom |= bloom_of(wanted->id);
    if (ecs__wanted_count(wanted, true)) event->bloom_not |= bloom_of(wanted->id);
}

static void sweep_lookers(ecs_vec_t *lookers) {
    ecs__looker_t *items = ecs_vec_first_t(lookers, ecs__looker_t);
    int32_t kept = 0;
    for (int32_t i = 0; i < ecs_vec_count(lookers); i++) {
        if (!items[i].waiter.observer->is_dead) items[kept++] = items[i];
    }
    lookers->count = kept;
}

static int32_t count_waiters(const ecs__wanted_t *wanted) {
    return ecs__wanted_count(wanted, false) + ecs__wanted_count(wanted, true) +
           ecs__wanted_count_at(wanted, ECS__REACH_TABLES);
}

static void drop_unwanted(ecs__event_t *event) {
    ecs_vec_t unwanted; /* ecs_id_t */
    ecs_vec_init_t(NULL, &unwanted, ecs_id_t, 0);
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        if (!count_waiters(ecs_map_ptr(&it)))
            *ecs_vec_append_t(NULL, &unwanted, ecs_id_t) = ecs_map_key(&it);
    }
    for (int32_t i = 0; i < unwanted.count; i++)
        ecs__wanted_free(
            ecs_map_remove_ptr(&event->wanted, *ecs_vec_get_t(&unwanted, ecs_id_t, i)));
    ecs_vec_fini_t(NULL, &unwanted, ecs_id_t);
}

static void event_sweep(ecs__event_t *event) {
    event->bloom = event->bloom_not = 0;
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        ecs__wanted_t *wanted = ecs_map_ptr(&it);
        event->count -= ecs__wanted_sweep(wanted);
        add_bloom(event, wanted);
    }
    for (int32_t i = 0; i < 2; i++) sweep_lookers(&event->above[i]);
    drop_unwanted(event);
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

bool ecs__event_is_awaited(ecs__events_t *events, ecs_entity_t event) {
    const ecs__event_t *own = ecs__event_get(events, event);
    return (own && own->count) || events->wildcard.count;
}

// ---- adding and forgetting ----

static void note_low(ecs__events_t *events, ecs_id_t id) {
    if (id < FLECS_HI_COMPONENT_ID) events->set_low[id >> 6] |= 1ull << (id & 63);
    if (id == Ecs__Any || id == Ecs__Wildcard)
        memset(events->set_low, 0xff, sizeof events->set_low);
}

static void note_all_low(ecs__events_t *events, const ecs__event_t *event) {
    ecs_map_iter_t it = ecs_map_iter(&event->wanted);
    while (ecs_map_next(&it)) {
        note_low(events, ecs_map_key(&it));
    }
}

static void remember_rel(ecs__events_t *events, ecs_entity_t rel) {
    for (int32_t i = 0; i < ecs_vec_count(&events->rels); i++) {
        if (*ecs_vec_get_t(&events->rels, ecs_entity_t, i) == rel) return;
    }
    *ecs_vec_append_t(NULL, &events->rels, ecs_entity_t) = rel;
}

static void add_looker(
    ecs__events_t *events, ecs_vec_t *lookers, ecs__waiter_t waiter, ecs_id_t id) {
    const ecs_term_t *term = ecs__waiter_term(&waiter);
    const bool is_root = term->id == ECS__MAKE_PAIR(Ecs__ChildOf, 0); /* above, nobody has this */
    const uint64_t bloom = is_root ? UINT64_MAX : bloom_of(id);
    *ecs_vec_append_t(NULL, lookers, ecs__looker_t) = (ecs__looker_t){ waiter, term->trav, bloom };
    remember_rel(events, term->trav);
    events->looks_past |= ecs__term_looks_past(term);
}

void ecs__event_add(ecs__events_t *events, ecs__event_t *event, ecs_id_t id, ecs__reach_t reach,
    ecs__waiter_t waiter) {
    ecs__wanted_t **wanted = ecs_map_ensure_ref(&event->wanted, ecs__wanted_t, id);
    if (!*wanted) *wanted = ecs__wanted_new(id);
    ecs__wanted_add(*wanted, reach, waiter);
    if (reach != ECS__REACH_SELF && reach != ECS__REACH_NOT && reach != ECS__REACH_TABLES)
        add_looker(events, &event->above[reach >= ECS__REACH_NOT], waiter, id);
    event->count++;
    add_bloom(event, *wanted);
    if (event == &events->on_set || event == &events->wildcard) note_low(events, id);
}

// What observers own goes at once; lists that they are in, when it is worth the while.
static void end_dead(ecs__events_t *events) {
    while (events->dead) {
        ecs__observer_t *observer = events->dead;
        events->dead = observer->next;
        ecs__observer_release(observer);
        observer->next = events->gone;
        events->gone = observer;
        events->gone_count++;
    }
}

static void free_gone(ecs__events_t *events) {
    while (events->gone) {
        ecs__observer_t *observer = events->gone;
        events->gone = observer->next;
        ecs_os_free(observer);
    }
    events->gone_count = 0;
}

// Events of the user that nobody waits for any more.
static void drop_events(ecs__events_t *events) {
    ecs_vec_t silent; /* ecs__event_t* */
    ecs_vec_init_t(NULL, &silent, ecs__event_t *, 0);
    ecs_map_iter_t it = ecs_map_iter(&events->custom);
    while (ecs_map_next(&it)) {
        ecs__event_t *event = ecs_map_ptr(&it);
        if (!event->count) *ecs_vec_append_t(NULL, &silent, ecs__event_t *) = event;
    }
    for (int32_t i = 0; i < silent.count; i++) {
        ecs__event_t *event = *ecs_vec_get_t(&silent, ecs__event_t *, i);
        ecs_map_remove(&events->custom, event->id);
        ecs__routes_forget(events->routes, event);
        event_fini(event);
        ecs_os_free(event);
    }
    ecs_vec_fini_t(NULL, &silent, ecs__event_t *);
}

void ecs__events_sweep(ecs__events_t *events) {
    if (events->depth || ecs_is_fini(events->world)) return;
    end_dead(events);
    if (events->gone_count <= events->observer_count / 8) return;
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++) event_sweep(&events->builtin[i]);
    ecs_map_iter_t it = ecs_map_iter(&events->custom);
    while (ecs_map_next(&it)) event_sweep(ecs_map_ptr(&it));
    drop_events(events);
    free_gone(events);
    memset(events->set_low, 0, sizeof events->set_low);
    note_all_low(events, &events->on_set);
    note_all_low(events, &events->wildcard);
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

void ecs__events_outdate(ecs__events_t *events) {
    events->stamp++;
    ecs__store_of(events->world)->plain_stamp += ECS__PLAIN_STEP;
    ecs__routes_close(events);
}

void ecs__events_recount(ecs__events_t *events) {
    ecs__events_outdate(events);
    bool any_event = events->wildcard.count;
    ecs_flags32_t listened = events->observer_count ? ECS__LISTEN_ANY : 0;
    if (events->on_set.count || any_event) listened |= ECS__LISTEN_SET;
    if (events->on_set.above[0].count || events->wildcard.above[0].count)
        listened |= ECS__LISTEN_INHERITED;
    if (events->on_delete.count || any_event) listened |= ECS__LISTEN_DELETE;
    if (events->on_delete_target.count || any_event) listened |= ECS__LISTEN_DELETE_TARGET;
    if (events->on_table_empty.count || events->on_table_fill.count) listened |= ECS__LISTEN_COUNTS;
    if (events->on_table_create.count || events->on_table_delete.count ||
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

// ---- memory ----

void ecs__events_shrink(ecs__events_t *events) {
    ecs__spare_free(&events->steps);
    ecs__spare_free(&events->heard);
    ecs_map_fini(&events->heard_at);
    ecs__spare_free(&events->found);
    ecs__spare_free(&events->ids);
    ecs__spare_free(&events->changes);
    ecs_map_fini(&events->visited);
    ecs_map_fini(&events->matched);
}

// ---- running ----

void ecs__events_enter(ecs__events_t *events) {
    if (events->depth++) return;
    events->began = ecs__measure_begin(events->world);
}

void ecs__events_leave(ecs__events_t *events) {
    if (--events->depth) return;
    ecs__measure_end(
        events->began, &events->world->emit_time, &events->world->info.emit_time_total);
    if (events->dead) ecs__events_sweep(events);
}

// From now on, events of this kind count as one.
static void join(ecs__events_t *events, ecs_entity_t event) {
    events->joined = event;
    events->joined_from = ++events->emitted;
    ecs__heard_clear(&events->joint);
}

void ecs__events_begin_loss(
    ecs__events_t *events, const ecs_table_t *table, ecs_entity_t entity, bool dies) {
    if (!entity || entity == events->swap.entity) events->swap = (ecs__swap_t){ 0 }; /* it ends */
    events->losing = table;
    events->loser = entity;
    events->dies = dies;
    join(events, Ecs__OnRemove);
    ecs_vec_clear(&events->lost);
}

void ecs__events_begin_swap(ecs__events_t *events, ecs__swap_t swap) {
    events->swap = swap;
    join(events, Ecs__OnRemove);
}

void ecs__events_end_swap(ecs__events_t *events) {
    events->swap = (ecs__swap_t){ 0 };
    ecs__events_end_loss(events);
}

void ecs__events_have_lost(ecs__events_t *events) {
    events->losing = NULL;
    join(events, Ecs__OnAdd);
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
        if (!(id & ~ECS_COMPONENT_MASK) && id != Ecs__Wildcard) keys[count++] = Ecs__Wildcard;
        return count;
    }
    const ecs_id_t any_first = ecs__id_any_first(id),
                   any = ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard);
    const ecs_id_t any_second = ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard);
    if (id != any_first && id != any_second) { /* else the id itself is a wildcard */
        keys[count++] = any_first;
        keys[count++] = any_second;
    }
    if (id != any) keys[count++] = any;
    return count;
}

static bool asks(const ecs__event_t *event, const ecs_id_t *keys, int32_t count, bool absence) {
    for (int32_t i = 0; event->count && i < count; i++) {
        const ecs__wanted_t *wanted = ecs__event_wanted(event, keys[i]);
        if (wanted && ecs__wanted_count(wanted, absence)) return true;
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

// What somebody asks for may be elsewhere.
static void note_kinds(ecs__store_t *store) {
    ecs_world_t *world = store->owner;
    ecs__routes_close(&world->events);
    world->queries.is_new = true;
}

void ecs__events_init(ecs__events_t *events, ecs_world_t *world) {
    events->world = world;
    events->ran = &world->info.observers_ran_total;
    world->store.on_kinds = note_kinds;
    for (int32_t i = 0; i < ECS__BUILTIN_EVENTS; i++)
        event_init(&events->builtin[i], builtin_ids[i]);
    ecs_map_init(&events->custom, NULL);
    ecs_vec_init_t(NULL, &events->rels, ecs_entity_t, 0);
    ecs_vec_init_t(NULL, &events->counted, ecs_table_t *, 0);
    ecs_vec_init_t(NULL, &events->lost, ecs__lost_t, 0);
    ecs_vec_init_t(NULL, &events->due, ecs__observer_t *, 0);
}

void ecs__events_end_observers(ecs__events_t *events) {
    while (events->first) ecs__observer_end(events->first);
    end_dead(events);
}

void ecs__events_fini(ecs__events_t *events) {
    events->world->store.on_kinds = NULL;
    ecs__events_end_observers(events);
    free_gone(events);
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
    ecs_vec_fini_t(NULL, &events->joint.list, ecs__told_t);
    ecs_map_fini(&events->joint.at);
    ecs_vec_fini_t(NULL, &events->due, ecs__observer_t *);
    ecs__events_shrink(events);
    ecs__routes_free(events->routes);
}

static int32_t count_entries(const ecs__event_t *event) {
    int32_t count = 0;
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
    return ecs__routes_verify(events);
}
