// SPDX-License-Identifier: MIT
#include "event/emit.h"

#include "event/above.h"
#include "event/around.h"
#include "event/below.h"
#include "event/route.h"
#include "query/query.h"
#include "world/state.h"

static void emit(ecs_world_t *caller, ecs_entity_t event, const ecs_id_t *ids, int32_t id_count,
    ecs_table_t *table, const ecs_table_t *other, int32_t row, int32_t count, void *param) {
    ecs__emission_t emission;
    ecs__emission_init(&emission, caller, event, table, other, row, count);
    emission.notice.param = param;
    emission.ids = ids;
    emission.id_count = id_count;
    if (!ecs__emission_enter(&emission)) return;
    for (int32_t i = 0; i < id_count; i++) ecs__emission_tell_id(&emission, ids[i]);
    if (table->traversable_count) ecs__below_tell(&emission);
    ecs__emission_leave(&emission);
}

void ecs__emit(ecs_world_t *caller, ecs_entity_t event, const ecs_id_t *ids, int32_t id_count,
    ecs_table_t *table, const ecs_table_t *other, int32_t row, int32_t count, void *param) {
    /* Routes show the world, not a stage. */
    ecs_world_t *world = ecs__world_of(caller);
    bool told = caller == world && id_count == 1 && !other && count &&
                ecs__route_tell_custom(&world->events, event, table, *ids, row, count, param);
    if (!told) emit(caller, event, ids, id_count, table, other, row, count, param);
}

// ---- changes ----

// Nothing is below what goes then: children went before.
static bool is_ending(const ecs_world_t *world) { return world->flags & EcsWorldFini; }

// Ids of `table` that `other` lacks. NULL is a table without ids.
static ecs_vec_t list_ids(
    ecs__events_t *events, const ecs_table_t *table, const ecs_table_t *other) {
    static const ecs_type_t nothing;
    const ecs_type_t *type = table ? &table->type : &nothing;
    const int32_t end = other ? other->type.count : 0;
    ecs_vec_t ids = ecs__spare_take(&events->ids);
    for (int32_t i = 0, o = 0; i < type->count; i++) {
        while (o < end && other->type.array[o] < type->array[i]) o++;
        if (o < end && other->type.array[o] == type->array[i]) continue;
        *ecs_vec_append_t(NULL, &ids, ecs_id_t) = type->array[i];
    }
    return ids;
}

static bool has_traversable(const ecs_world_t *world, const ecs_vec_t *ids) {
    for (int32_t i = 0; i < ids->count; i++) {
        const ecs_id_t id = *ecs_vec_get_t(ids, ecs_id_t, i);
        if (!ECS_IS_PAIR(id)) continue;
        const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
        if (record && record->flags & EcsIdTraversable) return true;
    }
    return false;
}

static uint64_t wanted(const ecs__event_t *event) { return event ? event->bloom : 0; }
static uint64_t wanted_not(const ecs__event_t *event) { return event ? event->bloom_not : 0; }

static bool may_want(const ecs__emission_t *emission, const ecs_table_t *table) {
    return table->bloom & (wanted(emission->waiting[0]) | wanted(emission->waiting[1]));
}

static bool may_want_not(const ecs__emission_t *emission, const ecs_table_t *other) {
    return other->bloom & (wanted_not(emission->waiting[0]) | wanted_not(emission->waiting[1]));
}

// Do terms look up for an id, or for its absence?
static bool looks_above(const ecs__emission_t *emission, bool is_inverted) {
    for (int32_t w = 0; w < 2; w++) {
        if (emission->waiting[w] && ecs_vec_count(&emission->waiting[w]->above[is_inverted]))
            return true;
    }
    return false;
}

// What rows lose, those below may see elsewhere: through pairs that are beside the table of the rows, or along other targets of theirs.
static bool may_reveal(
    const ecs__events_t *events, const ecs_table_t *table, const ecs_table_t *other) {
    if (!other || !table->traversable_count) return false;
    return table->store->has_sparse ||
           (events->on_add.concerned | events->on_set.concerned) & other->bloom;
}

// False if nobody can be told of a move.
static bool concerns(const ecs__emission_t *emission) {
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    ecs_flags32_t flags = table->flags | (other ? other->flags : 0);
    return may_want(emission, table) || (other && may_want_not(emission, other)) ||
           ((flags & EcsTableHasPairs || may_reveal(emission->events, table, other)) &&
               (looks_above(emission, false) || looks_above(emission, true)));
}

// Ids that came or go, or with them their absence.
static void tell_ids(ecs__emission_t *emission, const ecs_vec_t *ids, bool is_inverted) {
    emission->ids = ecs_vec_first_t(ids, ecs_id_t);
    emission->id_count = ids->count;
    emission->notice.is_inverted = is_inverted;
    for (int32_t i = 0; i < ids->count; i++) ecs__emission_tell_id(emission, emission->ids[i]);
    if (emission->notice.table->traversable_count && !is_ending(emission->events->world))
        ecs__below_tell(emission);
}

static void tell_move(ecs__emission_t *emission, const ecs_vec_t *own, const ecs_vec_t *others,
    bool moves_in_tree, const ecs__outlook_t *outlook) {
    const ecs__notice_t *notice = &emission->notice;
    if (may_want(emission, notice->table)) tell_ids(emission, own, false);
    if (notice->other && may_want_not(emission, notice->other)) tell_ids(emission, others, true);
    for (int32_t i = 0; moves_in_tree && i < 2; i++) {
        emission->notice.is_inverted = i;
        if (looks_above(emission, i)) ecs__above_tell(emission, outlook);
    }
    if (moves_in_tree) ecs__above_tell_revealed(emission, outlook); /* of absences */
    emission->notice.is_inverted = false;
    if (moves_in_tree || (notice->event == Ecs__OnAdd && others->count))
        ecs__above_tell_revealed(emission, outlook);
}

static bool may_change_around(ecs_world_t *world, const ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count) {
    return !is_ending(world) && ecs__around_may_change(&world->events, table, other, row, count);
}

// All bases were looked at, if they are others.
static uint64_t lacks(const ecs_table_t *table, const ecs__outlook_t *outlook) {
    return outlook->moves_bases ? ~(table->bloom | outlook->seen) : 0;
}

// Values that come into sight: through a new pair, or because the own value that hid them is gone.
static void tell_of_inherited(ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count, const ecs__outlook_t *outlook) {
    if (!(table->flags & EcsTableHasIsA) && !table->traversable_count) return;
    if (!(world->events.listened & ECS__LISTEN_INHERITED)) return;
    ecs__emission_t emission;
    ecs__emission_init(&emission, world, Ecs__OnSet, table, before, row, count);
    emission.notice.lacks = lacks(table, outlook);
    if (!ecs__emission_enter(&emission)) return;
    ecs__above_tell_inherited(&emission, outlook);
    ecs__emission_leave(&emission);
}

// The entity of a swap as it was before it, or will be after it.
static ecs__instead_t other_side(const ecs__swap_t *swap, bool is_made) {
    return is_made ? (ecs__instead_t){ swap->entity, swap->before, swap->to, swap->from }
                   : (ecs__instead_t){ swap->entity, swap->after, swap->from, swap->to };
}

// What rows of a table, of which one may swap its parent, have instead in another.
static ecs__instead_t in_other(const ecs__events_t *events, const ecs__notice_t *notice) {
    const ecs__swap_t *swap = &events->swap;
    bool is_swapped = swap->before != swap->after && ecs__notice_entity(notice) == swap->entity;
    return is_swapped ? other_side(swap, notice->event == Ecs__OnAdd) : (ecs__instead_t){ 0 };
}

// One side of a move: rows in `table`, which is what observers see, that come from or go to `other`.
static void emit_move(ecs_world_t *world, ecs_entity_t event, ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count, bool changes_around) {
    ecs__events_t *events = &world->events;
    ecs__emission_t emission;
    ecs__emission_init(&emission, world, event, table, other, row, count);
    bool may_inherit =
        event == Ecs__OnAdd &&
        (table->flags & EcsTableHasIsA ||
            (events->listened & ECS__LISTEN_INHERITED && may_reveal(events, table, other)));
    if (!concerns(&emission) && !may_inherit && !changes_around) return;
    ecs_vec_t own = list_ids(events, table, other), others = list_ids(events, other, table);
    bool moves_in_tree = has_traversable(world, &own) || has_traversable(world, &others);
    ecs__outlook_t outlook = { 0 };
    if (ecs_vec_count(&events->rels) && (moves_in_tree || others.count))
        outlook = ecs__outlook(events, table, other);
    emission.notice.lacks = lacks(table, &outlook);
    emission.notice.instead = in_other(events, &emission.notice);
    if ((emission.waiting[0] || emission.waiting[1]) && ecs__emission_enter(&emission)) {
        tell_move(&emission, &own, &others, moves_in_tree, &outlook);
        if (changes_around) ecs__around_tell(&emission, own.array, own.count);
        if (changes_around) ecs__around_tell(&emission, others.array, others.count);
        ecs__emission_leave(&emission);
    }
    if (event == Ecs__OnAdd && (moves_in_tree || others.count))
        tell_of_inherited(world, table, other, row, count, &outlook);
    ecs__spare_give(&events->ids, others);
    ecs__spare_give(&events->ids, own);
}

static bool concerns_nobody(
    const ecs__event_t *event, const ecs_table_t *table, const ecs_table_t *other) {
    return !(event->concerned & table->bloom) && !(other && event->concerned_not & other->bloom);
}

void ecs__emit_on_add(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count) {
    ecs__events_t *events = &world->events;
    ecs__observers_follow(world, table, before, row, count);
    bool concerns_none =
        concerns_nobody(&events->on_add, table, before) && !may_reveal(events, table, before);
    /* What comes to be is no element of an id yet. */
    bool around = before && may_change_around(world, table, before, row, count);
    if ((concerns_none && !around) || is_ending(world)) return;
    bool told = !around && ecs__route_tell_move(events, &events->on_add, table, before, row, count);
    if (!told) emit_move(world, Ecs__OnAdd, table, before, row, count, around);
}

void ecs__emit_on_remove(
    ecs_world_t *world, ecs_table_t *table, const ecs_table_t *after, int32_t row, int32_t count) {
    ecs__events_t *events = &world->events;
    ecs__observers_leave(world, table, after, row, count);
    bool around = may_change_around(world, table, after, row, count);
    if (!around && concerns_nobody(&events->on_remove, table, after)) return;
    ecs__cmd_queue_t *queue = world->stage->queue;
    uint32_t kinds = ecs__queue_lose(queue);
    bool told = !around && !events->doomed && /* of whom routes do not know */
                ecs__route_tell_move(events, &events->on_remove, table, after, row, count);
    if (!told) emit_move(world, Ecs__OnRemove, table, after, row, count, around);
    ecs__queue_have_lost(queue, kinds);
}

void ecs__emit_on_set(
    ecs_world_t *world, ecs_table_t *table, ecs_id_t id, int32_t row, int32_t count) {
    if (is_ending(world)) return;
    if (ecs__route_tell_set(&world->events, table, id, row, count)) return;
    emit(world, Ecs__OnSet, &id, 1, table, NULL, row, count, NULL);
}

// ---- deletion ----

// Exactly, unless something may be seen through pairs.
static bool hears_removal(const ecs__events_t *events, const ecs_table_t *table) {
    if (concerns_nobody(&events->on_remove, table, NULL)) return false;
    if (table->flags & EcsTableHasPairs && ecs_vec_count(&events->rels)) return true;
    for (int32_t i = 0; i < table->type.count; i++) {
        if (ecs__events_heard(events, ecs__table_cr(table, i), ECS__HEARD_REMOVE)) return true;
    }
    return false;
}

bool ecs__emit_ask_delete(const ecs__events_t *events, const ecs_table_t *table) {
    bool asks = events->listened & (ECS__LISTEN_DELETE | ECS__LISTEN_COUNTS) ||
                hears_removal(events, table) || ecs__table_may_hold_observers(table);
    if (!asks) ecs__store_64(&ECS_CONST_CAST(ecs_table_t *, table)->unheard, events->stamp);
    return asks;
}

void ecs__emit_on_delete(ecs_world_t *world, ecs_table_t *table, int32_t row, int32_t count) {
    if (!(world->events.listened & ECS__LISTEN_DELETE) || is_ending(world) || !count) return;
    emit(world, Ecs__OnDelete, table->type.array, table->type.count, table, NULL, row, count, NULL);
    for (int32_t i = row; world->store.has_sparse && i < row + count; i++) {
        ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, table->entities[i], 0);
        const ecs_component_record_t *record;
        while ((record = ecs__sparse_next(&iter)))
            ecs__emit_beside(world, Ecs__OnDelete, table->entities[i], record->id, false);
    }
}

// By variables, kinds and places; or as nothing above has an id, which comes true with the end of that.
static bool depends_on_others(const ecs__observer_t *observer) {
    const ecs_query_t *query = observer->pub.query;
    bool depends = ecs__query_program(query)->graph;
    for (int32_t i = 0; i < query->term_count && !depends; i++)
        depends = query->terms[i].oper == EcsNot && query->terms[i].src.id & EcsUp;
    return depends;
}

bool ecs__emit_may_doom(ecs_world_t *world) {
    ecs__events_t *events = &world->events;
    const uint64_t seen = events->stamp + world->store.kinds_stamp;
    if (events->doom_seen == seen) return events->hears_doom;
    events->doom_seen = seen;
    events->hears_doom = false;
    for (ecs__observer_t *o = events->first; o; o = o->next) {
        o->hears_first = o->is_monitor && depends_on_others(o);
        events->hears_doom |= o->hears_first;
    }
    return events->hears_doom;
}

// By the first id that its query asks for; without $this, by the first that it asks of one of them.
static void tell_of_doomed(
    ecs__emission_t *emission, ecs__observer_t *observer, const ecs_map_t *doomed) {
    const ecs_entity_t own = observer->pub.entity;
    if (!observer->hears_first || (own && ecs_map_get(doomed, own))) return;
    const ecs_query_t *query = observer->pub.query;
    const bool is_subject = query->flags & EcsQueryMatchThis;
    const int32_t term = is_subject ? 0 : ecs__emission_doomed_term(observer, doomed);
    if (term < 0) return;
    const ecs__waiter_t waiter = { observer, (int16_t)term, .in_scope = true,
        .is_unsaid = is_subject };
    ecs__notice_t notice = emission->notice;
    notice.id = query->terms[term].id;
    const int32_t index = ecs__table_search(notice.table, ecs__id_any_to_wildcard(notice.id));
    if (index >= 0) notice.id = notice.table->type.array[index];
    ecs__emission_tell(emission, &waiter, &notice);
}

// How many of the entities are in consecutive rows of a table, the first of them in this place.
static int32_t count_run(
    const ecs__store_t *store, const ecs_entity_t *entities, int32_t count, ecs__spot_t first) {
    int32_t run = 1;
    for (; run < count; run++) {
        const ecs__spot_t spot = ecs__entity_find(&store->entities, entities[run]);
        if (spot.table != first.table || spot.row != first.row + run) break;
    }
    return run;
}

void ecs__emit_doom(
    ecs_world_t *world, const ecs_entity_t *entities, int32_t count, const ecs_map_t *doomed) {
    ecs__events_t *events = &world->events;
    for (int32_t i = 0, run = 1; i < count; i += run) {
        const ecs__spot_t spot = ecs__entity_find(&world->store.entities, entities[i]);
        run = count_run(&world->store, &entities[i], count - i, spot);
        ecs__emission_t emission;
        if (!spot.table) continue;
        ecs__emission_init(&emission, world, Ecs__OnRemove, spot.table, NULL, spot.row, run);
        if (!ecs__emission_enter(&emission)) continue;
        for (ecs__observer_t *o = events->first; o; o = o->next)
            tell_of_doomed(&emission, o, doomed);
        ecs__emission_leave(&emission);
    }
    events->doomed = doomed;
}

void ecs__emit_end_doom(ecs_world_t *world) { world->events.doomed = NULL; }

static void tell_of_target(ecs_world_t *world, const ecs_component_record_t *pair) {
    ecs_table_t *table;
    int32_t from = 0;
    while ((table = ecs__id_record_next_table(pair, &from, false))) {
        emit(world, Ecs__OnDeleteTarget, &pair->id, 1, table, NULL, 0, table->count, NULL);
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
    bool is_swapped = swap->entity == entity && (swap->from == record || swap->to == record);
    ecs__instead_t *instead = &notice->instead;
    *instead = (ecs__instead_t){ entity, notice->table };
    if (ecs__events_is_losing(events, notice->table, entity)) {
        *instead = (ecs__instead_t){ entity, notice->table->store->root, .is_bare = true };
    } else if (is_swapped) {
        *instead = other_side(swap, notice->event == Ecs__OnAdd);
    } else if (notice->is_inverted) {
        instead->with = record;
    } else {
        instead->without = record;
    }
}

// About one id of one entity.
static void init_one(ecs__emission_t *emission, ecs_world_t *world, ecs_entity_t event,
    ecs_entity_t entity, const ecs_id_t *id) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    ecs__emission_init(emission, world, event, spot.table, NULL, spot.row, 1);
    emission->ids = id;
    emission->id_count = 1;
}

static bool is_traversable(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_marks(&world->store.entities, entity) & EcsEntityIsTraversable;
}

void ecs__emit_beside(
    ecs_world_t *world, ecs_entity_t event, ecs_entity_t entity, ecs_id_t id, bool is_inverted) {
    bool is_removal = event == Ecs__OnRemove;
    if (is_ending(world) && !is_removal) return;
    ecs__emission_t emission;
    init_one(&emission, world, event, entity, &id);
    if (!ecs__emission_enter(&emission)) return;
    emission.notice.is_inverted = is_inverted;
    note_other_side(&emission.notice, &world->events, entity, id);
    ecs__emission_tell_id(&emission, id);
    if (is_traversable(world, entity) && !is_ending(world)) ecs__below_tell(&emission);
    const bool is_change = is_removal || event == Ecs__OnAdd; /* of what is seen along the edge */
    if (is_change && ECS_IS_PAIR(id)) ecs__above_tell_edge(&emission);
    const ecs__notice_t *notice = &emission.notice;
    if (is_change && may_change_around(world, notice->table, NULL, notice->row, 1))
        ecs__around_tell(&emission, &id, 1);
    ecs__emission_leave(&emission);
}

// The own value hid that of a base, which is in sight now.
static void tell_of_regained(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, entity).table;
    if (is_ending(world) || !(table->flags & EcsTableHasIsA || table->traversable_count)) return;
    ecs__emission_t emission;
    init_one(&emission, world, Ecs__OnSet, entity, &id);
    if (!ecs__emission_enter(&emission)) return;
    ecs__above_tell_regained(&emission);
    ecs__emission_leave(&emission);
}

// It hid that of an ancestor from those below.
static void tell_of_revealed(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (!is_traversable(world, entity) || is_ending(world)) return;
    ecs__emission_t emission;
    init_one(&emission, world, Ecs__OnAdd, entity, &id);
    emission.notice.instead = (ecs__instead_t){ entity, emission.notice.table,
        .with = ecs__id_record_get(&world->store, id) };
    if (!looks_above(&emission, false) || !ecs__emission_enter(&emission)) return;
    ecs__above_tell_revealed_beside(&emission);
    ecs__emission_leave(&emission);
}

void ecs__emit_beside_removed(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, entity).table;
    if (ecs__events_is_losing(&world->events, table, entity)) return;
    ecs__emit_beside(world, Ecs__OnAdd, entity, id, true);
    tell_of_revealed(world, entity, id);
    if (world->events.listened & ECS__LISTEN_INHERITED) tell_of_regained(world, entity, id);
}
