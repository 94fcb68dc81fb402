// SPDX-License-Identifier: MIT
#include "event/emit.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "event/propagate.h"
#include "event/route.h"
#include "query/graph/list.h"
#include "query/parse/term.h"
#include "world/state.h"

// ---- one emission ----

static const ecs__event_t *nonempty(const ecs__event_t *event) {
    return event && event->count ? event : NULL;
}

static void init(ecs__emission_t *emission, ecs_world_t *caller, ecs_entity_t event,
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
    emission->told = emission->inline_told;
    emission->told_count = 0;
    emission->told_size = ECS__TOLD_INLINE;
}

static void fini(ecs__emission_t *emission) {
    if (emission->told != emission->inline_told) ecs_os_free(emission->told);
}

static bool was_told(
    const ecs__emission_t *emission, const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs__events_t *events = emission->events;
    bool joins = events->joined == notice->event;
    const ecs__told_t *list = joins ? ecs_vec_first(&events->told) : emission->told;
    int32_t count = joins ? ecs_vec_count(&events->told) : emission->told_count;
    for (int32_t i = 0; i < count; i++) {
        const ecs__told_t *told = &list[i];
        if (told->observer != observer || told->table != notice->table) continue;
        if (notice->row >= told->row && notice->row < told->end) return true;
    }
    return false;
}

static void remember(
    ecs__emission_t *emission, const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs__told_t told = { observer, notice->table, notice->row, notice->row + notice->count };
    if (emission->events->joined == notice->event) {
        *ecs_vec_append_t(NULL, &emission->events->told, ecs__told_t) = told;
        return;
    }
    if (emission->told_count == emission->told_size) {
        ecs__told_t *old = emission->told == emission->inline_told ? NULL : emission->told;
        emission->told_size *= 2;
        emission->told = ecs_os_realloc_n(old, ecs__told_t, emission->told_size);
        if (!old) memcpy(emission->told, emission->inline_told, sizeof emission->inline_told);
    }
    emission->told[emission->told_count++] = told;
}

// ---- telling ----

static bool holds(const ecs__notice_t *notice, ecs_entity_t entity) {
    const ecs_record_t *record = ecs__entity_try(&notice->table->store->entities, entity);
    if (!record || record->table != notice->table) return false;
    int32_t row = ECS_RECORD_TO_ROW(record->row);
    return row >= notice->row && row < notice->row + notice->count;
}

// `_` on one entity is about whatever happens to it, also if that is an event without ids.
static bool is_any_of_entity(const ecs_query_t *query) {
    const ecs_term_t *term = &query->terms[0];
    return query->term_count == 1 && term->id == Ecs__Any && term->oper == EcsAnd;
}

static bool tell_of_constant(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs_query_t *query = waiter->observer->pub.query;
    ecs_entity_t source = ECS_TERM_REF_ID(&query->terms[waiter->term].src);
    if (!holds(notice, source)) return false;
    return is_any_of_entity(query) ? ecs__match_any_of(waiter->observer, notice, source)
                                   : ecs__match_constant(waiter->observer, notice, waiter->term);
}

static bool is_unnamed(const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    return ecs__is_from(term->oper) && term->first.id & EcsIsEntity &&
           !ecs__list_names(notice->table->store, ECS_TERM_REF_ID(&term->first), notice->id);
}

void ecs__emission_tell(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs__observer_t *observer = waiter->observer;
    if (observer->is_disabled || observer->is_dead) return;
    bool told;
    if (observer->is_simple) {
        told = ecs__match_simple(observer, notice);
    } else if (was_told(emission, observer, notice) || is_unnamed(waiter, notice)) {
        return;
    } else {
        // Before the call, since what it does may emit again.
        const ecs_term_t *term = &observer->pub.query->terms[waiter->term];
        told = ecs_term_match_this(term) ? ecs__match_query(observer, notice, waiter->term)
                                         : tell_of_constant(waiter, notice);
        if (told) remember(emission, observer, notice);
    }
    if (told) emission->events->world->info.observers_ran_total++;
}

// Lists may grow meanwhile; who comes later is not told.
static void tell_list(
    ecs__emission_t *emission, const ecs__waiters_t *list, const ecs__notice_t *notice) {
    int32_t count = list->count;
    for (int32_t i = 0; i < count; i++) {
        ecs__waiter_t waiter = list->items[i];
        ecs__emission_tell(emission, &waiter, notice);
    }
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
        if (wanted[0]) tell_list(emission, &wanted[0]->lists[reach], notice);
        if (wanted[1]) tell_list(emission, &wanted[1]->lists[reach], notice);
    }
}

static void tell_id(ecs__emission_t *emission, ecs_id_t id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    ecs__notice_t notice = emission->notice;
    ecs__reach_t from = notice.is_inverted ? ECS__REACH_NOT : ECS__REACH_SELF;
    ecs__reach_t to = notice.is_inverted ? ECS__REACH_NOT_SELF_UP : ECS__REACH_SELF_UP;
    notice.id = id;
    for (int32_t k = 0; k < count; k++) tell_key(emission, keys[k], from, to, &notice);
}

static bool enter(ecs__emission_t *emission) {
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

static void leave(ecs__emission_t *emission) {
    ecs__events_leave(emission->events);
    fini(emission);
}

void ecs__emit(ecs_world_t *caller, ecs_entity_t event, const ecs_id_t *ids, int32_t id_count,
    ecs_table_t *table, const ecs_table_t *other, int32_t row, int32_t count, void *param) {
    ecs__emission_t emission;
    init(&emission, caller, event, table, other, row, count);
    if (!emission.waiting[0] && !emission.waiting[1]) return;
    emission.notice.param = param;
    emission.ids = ids;
    emission.id_count = id_count;
    if (!enter(&emission)) return;
    for (int32_t i = 0; i < id_count; i++) tell_id(&emission, ids[i]);
    if (table->traversable_count) ecs__propagate_down(&emission);
    leave(&emission);
}

// ---- changes ----

// Nothing is below what goes then: children went before.
static bool is_ending(const ecs_world_t *world) { return world->flags & EcsWorldFini; }

// What distinguishes two types.
typedef struct diff_t {
    ecs_id_t *ids;
    int32_t count;
    ecs_id_t room[32];
} diff_t;

// Ids of `table` that `other` lacks. NULL is a table without ids.
static void diff_init(diff_t *diff, const ecs_table_t *table, const ecs_table_t *other) {
    static const ecs_type_t nothing;
    const ecs_type_t *type = table ? &table->type : &nothing;
    int32_t o = 0, end = other ? other->type.count : 0;
    diff->count = 0;
    diff->ids = type->count > 32 ? ecs_os_malloc_n(ecs_id_t, type->count) : diff->room;
    for (int32_t i = 0; i < type->count; i++) {
        while (o < end && other->type.array[o] < type->array[i]) o++;
        if (o < end && other->type.array[o] == type->array[i]) continue;
        diff->ids[diff->count++] = type->array[i];
    }
}

static void diff_fini(diff_t *diff) {
    if (diff->ids != diff->room) ecs_os_free(diff->ids);
}

static bool has_traversable(const ecs_world_t *world, const diff_t *diff) {
    for (int32_t i = 0; i < diff->count; i++) {
        if (!ECS_IS_PAIR(diff->ids[i])) continue;
        const ecs_component_record_t *record = ecs__id_record_get(&world->store, diff->ids[i]);
        if (record && record->flags & EcsIdTraversable) return true;
    }
    return false;
}

static bool may_want(const ecs__emission_t *emission, const ecs_table_t *table) {
    for (int32_t w = 0; w < 2; w++) {
        if (emission->waiting[w] && emission->waiting[w]->bloom & table->bloom) return true;
    }
    return false;
}

static bool may_want_not(const ecs__emission_t *emission, const ecs_table_t *other) {
    for (int32_t w = 0; w < 2; w++) {
        if (emission->waiting[w] && emission->waiting[w]->bloom_not & other->bloom) return true;
    }
    return false;
}

// Do terms look up for an id, or for its absence?
static bool looks_above(const ecs__emission_t *emission, bool is_inverted) {
    for (int32_t w = 0; w < 2; w++) {
        if (emission->waiting[w] && emission->waiting[w]->above[is_inverted].count) return true;
    }
    return false;
}

// False if nobody can be told of a move.
static bool concerns(const ecs__emission_t *emission) {
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    ecs_flags32_t flags = table->flags | (other ? other->flags : 0);
    return may_want(emission, table) || (other && may_want_not(emission, other)) ||
           (flags & EcsTableHasPairs &&
               (looks_above(emission, false) || looks_above(emission, true)));
}

// Ids that came or go, or with them their absence.
static void tell_diff(ecs__emission_t *emission, const diff_t *diff, bool is_inverted) {
    emission->ids = diff->ids;
    emission->id_count = diff->count;
    emission->notice.is_inverted = is_inverted;
    for (int32_t i = 0; i < diff->count; i++) tell_id(emission, diff->ids[i]);
    if (emission->notice.table->traversable_count && !is_ending(emission->events->world))
        ecs__propagate_down(emission);
}

static void tell_move(
    ecs__emission_t *emission, const diff_t *own, const diff_t *others, bool moves_in_tree) {
    const ecs__notice_t *notice = &emission->notice;
    if (may_want(emission, notice->table)) tell_diff(emission, own, false);
    if (notice->other && may_want_not(emission, notice->other)) tell_diff(emission, others, true);
    for (int32_t i = 0; moves_in_tree && i < 2; i++) {
        emission->notice.is_inverted = i;
        if (looks_above(emission, i)) ecs__propagate_forward(emission);
    }
    emission->notice.is_inverted = false;
    if (moves_in_tree || (notice->event == Ecs__OnAdd && others->count))
        ecs__propagate_revealed(emission);
}

// Values that come into sight: through a new pair, or because the own value that hid them is gone.
static void tell_of_inherited(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count) {
    if (!(table->flags & EcsTableHasIsA) || !(world->events.listened & ECS__LISTEN_INHERITED))
        return;
    ecs__emission_t emission;
    init(&emission, world, Ecs__OnSet, table, before, row, count);
    if (!enter(&emission)) return;
    ecs__propagate_inherited(&emission);
    leave(&emission);
}

// One side of a move: rows in `table`, which is what observers see, that come from or go to `other`.
static void emit_move(ecs_world_t *world, ecs_entity_t event, ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count) {
    ecs__emission_t emission;
    diff_t own, others;
    init(&emission, world, event, table, other, row, count);
    if (!concerns(&emission) && !(event == Ecs__OnAdd && table->flags & EcsTableHasIsA)) return;
    diff_init(&own, table, other);
    diff_init(&others, other, table);
    bool moves_in_tree = has_traversable(world, &own) || has_traversable(world, &others);
    if ((emission.waiting[0] || emission.waiting[1]) && enter(&emission)) {
        tell_move(&emission, &own, &others, moves_in_tree);
        leave(&emission);
    }
    if (event == Ecs__OnAdd && (moves_in_tree || others.count))
        tell_of_inherited(world, table, other, row, count);
    diff_fini(&own);
    diff_fini(&others);
}

static bool concerns_nobody(
    const ecs__event_t *event, const ecs_table_t *table, const ecs_table_t *other) {
    return !(event->concerned & table->bloom) && !(other && event->concerned_not & other->bloom);
}

void ecs__emit_on_add(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count) {
    ecs__events_t *events = &world->events;
    ecs__observers_follow(world, table, before);
    if (concerns_nobody(&events->on_add, table, before) || is_ending(world)) return;
    if (ecs__route_tell_move(events, &events->on_add, table, before, row, count)) return;
    emit_move(world, Ecs__OnAdd, table, before, row, count);
}

void ecs__emit_on_remove(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *after, int32_t row, int32_t count) {
    ecs__events_t *events = &world->events;
    ecs__observers_leave(world, table, after, row, count);
    if (concerns_nobody(&events->on_remove, table, after)) return;
    if (ecs__route_tell_move(events, &events->on_remove, table, after, row, count)) return;
    emit_move(world, Ecs__OnRemove, table, after, row, count);
}

void ecs__emit_on_set(
    ecs_world_t *world, ecs_table_t *table, ecs_id_t id, int32_t row, int32_t count) {
    if (is_ending(world)) return;
    if (ecs__route_tell_set(&world->events, table, id, row, count)) return;
    ecs__emit(world, Ecs__OnSet, &id, 1, table, NULL, row, count, NULL);
}

// ---- deletion ----

// Exactly, unless something may be seen through pairs.
static bool hears_removal(const ecs__events_t *events, const ecs_table_t *table) {
    if (concerns_nobody(&events->on_remove, table, NULL)) return false;
    if (table->flags & EcsTableHasPairs && ecs_vec_count(&events->rels)) return true;
    for (int32_t i = 0; i < table->type.count; i++) {
        if (ecs__events_heard(events, table->records[i].cr, ECS__HEARD_REMOVE)) return true;
    }
    return false;
}

bool ecs__emit_ask_delete(const ecs__events_t *events, const ecs_table_t *table) {
    bool asks = events->listened & (ECS__LISTEN_DELETE | ECS__LISTEN_COUNTS) ||
                hears_removal(events, table) ||
                table->bloom & ecs__id_bloom(ECS__MAKE_PAIR(Ecs__Poly, Ecs__Observer));
    if (!asks) ecs__store_64(&ECS_CONST_CAST(ecs_table_t *, table)->unheard, events->stamp);
    return asks;
}

void ecs__emit_on_delete(ecs_world_t *world, ecs_table_t *table, int32_t row, int32_t count) {
    if (!(world->events.listened & ECS__LISTEN_DELETE) || is_ending(world) || !count) return;
    ecs__emit(
        world, Ecs__OnDelete, table->type.array, table->type.count, table, NULL, row, count, NULL);
    for (int32_t i = row; world->store.has_sparse && i < row + count; i++) {
        ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, table->entities[i], 0);
        const ecs_component_record_t *record;
        while ((record = ecs__sparse_next(&iter)))
            ecs__emit_beside(world, Ecs__OnDelete, table->entities[i], record->id, false);
    }
}

static void tell_of_target(ecs_world_t *world, const ecs_component_record_t *pair) {
    ecs_table_t *table;
    int32_t from = 0;
    while ((table = ecs__id_record_next_table(pair, &from, false))) {
        ecs__emit(world, Ecs__OnDeleteTarget, &pair->id, 1, table, NULL, 0, table->count, NULL);
    }
    for (int32_t i = ecs__sparse_count(pair) - 1; ecs__id_may_be_beside(pair) && i >= 0; i--) {
        ecs_entity_t entity = ecs__sparse_holders(pair)[i].entity;
        ecs__emit_beside(world, Ecs__OnDeleteTarget, entity, pair->id, false);
    }
}

void ecs__emit_on_delete_target(ecs_world_t *world, ecs_entity_t target) {
    if (!(world->events.listened & ECS__LISTEN_DELETE_TARGET) || is_ending(world)) return;
    const ecs_component_record_t *ring =
        ecs__id_record_get(&world->store, ECS__MAKE_PAIR(Ecs__Wildcard, target));
    const ecs_component_record_t *pair = ring ? ecs__id_record_next_second(ring, NULL) : NULL;
    for (; pair; pair = ecs__id_record_next_second(ring, pair)) tell_of_target(world, pair);
}

// What the entity has instead before a change that was made, or after one that will be.
static void note_other_side(
    ecs__notice_t *notice, const ecs__events_t *events, ecs_entity_t entity, ecs_id_t id) {
    const ecs__swap_t *swap = &events->swap;
    const ecs_component_record_t *record = ecs__id_record_get(notice->table->store, id);
    bool is_made = notice->event == Ecs__OnAdd;
    bool is_swapped = swap->entity == entity && (swap->from == record || swap->to == record);
    ecs__instead_t *instead = &notice->instead;
    *instead = (ecs__instead_t){ entity, notice->table, NULL, NULL, false };
    if (ecs__events_is_losing(events, notice->table, entity)) {
        *instead = (ecs__instead_t){ entity, notice->table->store->root, .is_bare = true };
    } else if (is_swapped) {
        instead->without = is_made ? swap->to : swap->from;
        instead->with = is_made ? swap->from : swap->to;
    } else if (notice->is_inverted) {
        instead->with = record;
    } else {
        instead->without = record;
    }
}

void ecs__emit_beside(
    ecs_world_t *world, ecs_entity_t event, ecs_entity_t entity, ecs_id_t id, bool is_inverted) {
    bool is_removal = event == Ecs__OnRemove;
    if (!world->events.listened || (is_ending(world) && !is_removal)) return;
    const ecs_record_t *record = ecs__entity_get(&world->store.entities, entity);
    ecs__emission_t emission;
    init(&emission, world, event, record->table, NULL, ECS_RECORD_TO_ROW(record->row), 1);
    if ((!emission.waiting[0] && !emission.waiting[1]) || !enter(&emission)) return;
    emission.ids = &id;
    emission.id_count = 1;
    emission.notice.is_inverted = is_inverted;
    note_other_side(&emission.notice, &world->events, entity, id);
    tell_id(&emission, id);
    if (record->row & EcsEntityIsTraversable && !is_ending(world)) ecs__propagate_down(&emission);
    if (ECS_IS_PAIR(id) && looks_above(&emission, is_inverted)) ecs__propagate_edge(&emission);
    leave(&emission);
}

// The own value hid that of a base, which is in sight now.
static void tell_of_regained(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_record_t *record = ecs__entity_get(&world->store.entities, entity);
    if (!(record->table->flags & EcsTableHasIsA) || is_ending(world)) return;
    ecs__emission_t emission;
    init(&emission, world, Ecs__OnSet, record->table, NULL, ECS_RECORD_TO_ROW(record->row), 1);
    emission.ids = &id;
    emission.id_count = 1;
    if (!enter(&emission)) return;
    ecs__propagate_regained(&emission);
    leave(&emission);
}

// It hid that of an ancestor from those below.
static void tell_of_revealed(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_record_t *record = ecs__entity_get(&world->store.entities, entity);
    if (!(record->row & EcsEntityIsTraversable) || is_ending(world)) return;
    ecs__emission_t emission;
    init(&emission, world, Ecs__OnAdd, record->table, NULL, ECS_RECORD_TO_ROW(record->row), 1);
    emission.ids = &id;
    emission.id_count = 1;
    emission.notice.instead =
        (ecs__instead_t){ entity, record->table, .with = ecs__id_record_get(&world->store, id) };
    if (!looks_above(&emission, false) || !enter(&emission)) return;
    ecs__propagate_revealed_beside(&emission);
    leave(&emission);
}

void ecs__emit_beside_removed(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_table_t *table = ecs__entity_get(&world->store.entities, entity)->table;
    if (ecs__events_is_losing(&world->events, table, entity)) return;
    ecs__emit_beside(world, Ecs__OnAdd, entity, id, true);
    tell_of_revealed(world, entity, id);
    if (world->events.listened & ECS__LISTEN_INHERITED) tell_of_regained(world, entity, id);
}

// ---- tables ----

// Tables are made in the middle of other changes, so that nothing may be applied before those are done.
static void tell_of_table(ecs__events_t *events, ecs_table_t *table, ecs_entity_t event) {
    ecs_world_t *world = events->world;
    ecs__emission_t emission;
    if (is_ending(world)) return;
    init(&emission, world, event, table, NULL, 0, 0);
    if (!enter(&emission)) return;
    int32_t defer = world->stages[0]->defer;
    if (!defer) world->stages[0]->defer = 1;
    for (int32_t w = 0; w < 2; w++) {
        if (!emission.waiting[w]) continue;
        const ecs__waiters_t *all = &emission.waiting[w]->all;
        int32_t count = all->count;
        for (int32_t i = 0; i < count; i++) {
            const ecs__observer_t *observer = all->items[i].observer;
            if (observer->is_disabled || observer->is_dead) continue;
            if (ecs__match_table(observer, &emission.notice)) world->info.observers_ran_total++;
        }
    }
    world->stages[0]->defer = defer;
    leave(&emission);
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

void ecs__emit_hear_tables(ecs__events_t *events, bool hear) {
    ecs__listener_list_t *listeners = &events->world->store.listeners;
    events->table_listener.on_create = on_create;
    events->table_listener.on_delete = on_delete;
    if (hear)
        ecs__listener_add(listeners, &events->table_listener);
    else
        ecs__listener_remove(listeners, &events->table_listener);
}

// Rows are being moved when a table tells, so observers are told later.
static void on_count(ecs__store_t *store, ecs_table_t *table) {
    ecs_world_t *world = store->owner;
    if (is_ending(world)) return;
    if (!ecs_vec_count(&world->events.counted)) world->events.tell_later(world);
    *ecs_vec_append_t(NULL, &world->events.counted, ecs_table_t *) = table;
}

void ecs__emit_counted(ecs_world_t *world) {
    ecs__events_t *events = &world->events;
    for (int32_t i = 0; i < ecs_vec_count(&events->counted); i++) {
        ecs_table_t *table = *ecs_vec_get_t(&events->counted, ecs_table_t *, i);
        if (!table) continue;
        tell_of_table(events, table, table->count ? Ecs__OnTableFill : Ecs__OnTableEmpty);
    }
    ecs_vec_clear(&events->counted);
}

void ecs__emit_hear_counts(ecs__events_t *events, bool hear) {
    ecs__passages_end(&events->world->store);
    events->world->store.on_count = hear ? on_count : NULL;
}
