// SPDX-License-Identifier: MIT
#include "event/switch.h"

#include "event/cover.h"
#include "event/results.h"
#include "event/turn.h"
#include "storage/toggle.h"
#include "world/state.h"

// ---- who cares ----

bool ecs__switch_is_heard(ecs_world_t *world, ecs_id_t id) {
    ecs__events_t *events = &world->events;
    if (!events->switch_count || world->flags & EcsWorldFini) return false;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    return record && ecs__events_heard(events, record, ECS__HEARD_ADD | ECS__HEARD_REMOVE);
}

// The first of its terms that may be about the id, or -1.
static int32_t term_of(const ecs__observer_t *observer, ecs_id_t id) {
    const ecs_query_t *query = observer->pub.query;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        if (!ecs__turn_minds_switch(query, term)) continue;
        const bool stands_for_others =
            ecs__is_from(term->oper) || !ecs__cover_is_key(observer, term);
        if (stands_for_others || ecs_id_match(id, ecs__id_any_to_wildcard(term->id))) return i;
    }
    return -1;
}

// ---- telling ----

/** What a switch means for one monitor. */
typedef struct change_t {
    ecs__observer_t *observer;
    int32_t term;
    bool is_wide;          /* others than the entity may match by its id */
    int32_t before, after; /* where its matches end among those of all */
} change_t;

typedef struct flip_t {
    ecs_world_t *world;
    ecs_entity_t entity;
    ecs_id_t id;
    bool enabled;
    ecs_vec_t changes;       /* change_t */
    ecs_vec_t before, after; /* ecs_entity_t: those who match */
} flip_t;

// By what is above them, or by a constant.
static bool is_wide(const flip_t *flip, const ecs_query_t *query) {
    bool wide =
        ecs__entity_marks(&flip->world->store.entities, flip->entity) & EcsEntityIsTraversable;
    for (int32_t i = 0; i < query->term_count && !wide; i++) {
        const ecs_term_t *term = &query->terms[i];
        wide = ecs__turn_minds_switch(query, term) && !ecs_term_match_this(term);
    }
    return wide;
}

static void list_changes(flip_t *flip) {
    for (ecs__observer_t *o = flip->world->events.first; o; o = o->next) {
        if (!o->hears_switches || o->is_dead || o->is_disabled || o->bypasses_query) continue;
        const int32_t term = term_of(o, flip->id);
        if (term < 0) continue;
        *ecs_vec_append_t(NULL, &flip->changes, change_t) =
            (change_t){ .observer = o, .term = term, .is_wide = is_wide(flip, o->pub.query) };
    }
}

static void put(const flip_t *flip, bool enabled) {
    const ecs__spot_t spot = ecs__entity_find(&flip->world->store.entities, flip->entity);
    if (spot.table && ecs__toggle_get(spot.table, flip->id))
        ecs__toggle_put(spot.table, flip->id, spot.row, enabled);
}

static void list_matches(flip_t *flip, bool is_after) {
    change_t *changes = ecs_vec_first_t(&flip->changes, change_t);
    ecs_vec_t *out = is_after ? &flip->after : &flip->before;
    for (int32_t i = 0; i < ecs_vec_count(&flip->changes); i++) {
        ecs__results_list(changes[i].observer, changes[i].is_wide ? 0 : flip->entity, out);
        *(is_after ? &changes[i].after : &changes[i].before) = ecs_vec_count(out);
    }
}

static void tell(const flip_t *flip, const change_t *change, ecs_entity_t entity, bool enters) {
    ecs__events_t *events = &flip->world->events;
    const ecs__spot_t spot = ecs__entity_find(&flip->world->store.entities, entity);
    const bool is_subject = entity; /* else constants are all that it asks for */
    const ecs__waiter_t waiter = { change->observer, (int16_t)change->term };
    const ecs__notice_t notice = {
        .caller = flip->world, .event = enters ? Ecs__OnAdd : Ecs__OnRemove, .id = flip->id
    };
    if (change->observer->is_dead || change->observer->is_disabled) return;
    if (is_subject && !spot.table) return;
    if (is_subject)
        ecs__results_tell_rows(&waiter, &notice, spot.table, spot.row, 1);
    else
        ecs__results_of_constant(&waiter, &notice);
    ++*events->ran;
}

// Those who match before or after the switch.
typedef struct matches_t {
    const ecs_entity_t *entities;
    int32_t count;
} matches_t;

static matches_t matches_of(const flip_t *flip, int32_t change, bool is_after) {
    const change_t *one = ecs_vec_get_t(&flip->changes, change_t, change);
    const change_t *last = change ? one - 1 : &(change_t){ 0 };
    const int32_t from = is_after ? last->after : last->before;
    const ecs_vec_t *all = is_after ? &flip->after : &flip->before;
    const int32_t count = (is_after ? one->after : one->before) - from;
    return (matches_t){ count ? ecs_vec_get_t(all, ecs_entity_t, from) : NULL, count };
}

// Each of those who are among the ones and not among the others.
static void tell_difference(const flip_t *flip, int32_t change, bool enters) {
    const matches_t who = matches_of(flip, change, enters),
                    others = matches_of(flip, change, !enters);
    ecs_map_t *spare = &flip->world->events.visited, known = ecs__spare_take_map(spare);
    for (int32_t i = 0; i < others.count; i++) *ecs_map_ensure(&known, others.entities[i]) = true;
    for (int32_t i = 0; i < who.count; i++) {
        ecs_map_val_t *is_known = ecs_map_ensure(&known, who.entities[i]);
        if ((*is_known)++) continue;
        tell(flip, ecs_vec_get_t(&flip->changes, change_t, change), who.entities[i], enters);
    }
    ecs__spare_give_map(spare, known);
}

static void tell_all(const flip_t *flip, bool enters) {
    for (int32_t i = 0; i < ecs_vec_count(&flip->changes); i++) tell_difference(flip, i, enters);
}

// Who leaves hears of it as it still matches, as with all changes.
static void flip_told(flip_t *flip) {
    list_matches(flip, false);
    put(flip, flip->enabled);
    list_matches(flip, true);
    put(flip, !flip->enabled);
    ecs__events_enter(&flip->world->events);
    tell_all(flip, false);
    put(flip, flip->enabled);
    tell_all(flip, true);
    ecs__events_leave(&flip->world->events);
}

void ecs__switch(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled) {
    ecs__events_t *events = &world->events;
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    const bool is_on = !ecs__bitset_get(&ecs__toggle_get(spot.table, id)->off, spot.row);
    if (is_on == enabled) return;
    flip_t flip = { world, entity, id, enabled, ecs__spare_take(&events->changes),
        ecs__spare_take(&events->found), ecs__spare_take(&events->found) };
    if (ecs__switch_is_heard(world, id)) list_changes(&flip);
    if (ecs_vec_count(&flip.changes))
        flip_told(&flip);
    else
        put(&flip, enabled);
    ecs__spare_give(&events->found, flip.after);
    ecs__spare_give(&events->found, flip.before);
    ecs__spare_give(&events->changes, flip.changes);
}
