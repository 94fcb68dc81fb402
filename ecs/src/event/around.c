// SPDX-License-Identifier: MIT
#include "event/around.h"

#include "event/cover.h"
#include "event/results.h"
#include "world/state.h"

static uint64_t list_bit(ecs_entity_t list) { return 1ull << (list & 63); }

static void note_terms(ecs__events_t *events, ecs__observer_t *observer) {
    const ecs_query_t *query = observer->pub.query;
    for (int32_t i = 0; i < query->term_count; i++) {
        const bool lists = ecs__is_from(query->terms[i].oper);
        if (lists) events->lists |= list_bit(ECS_TERM_REF_ID(&query->terms[i].first));
        observer->looks_around |= lists || ecs__cover_is_open(observer, i);
    }
    events->looks_around |= observer->looks_around;
}

// Only those who came since are asked; all of them if queries may have to look in other ways, or one of those who do went.
static void ask_monitors(ecs__events_t *events, uint64_t kinds) {
    const bool is_again = events->around_kinds != kinds || !events->around_seen;
    const uint64_t known = is_again ? 0 : events->around_seen - kinds;
    if (is_again) {
        events->looks_around = false;
        events->lists = 0;
    }
    for (ecs__observer_t *o = events->last; o && o->number > known; o = o->previous)
        if (o->is_monitor) note_terms(events, o);
    events->around_seen = events->made + kinds;
    events->around_kinds = kinds;
}

static bool looks_around(ecs__events_t *events) {
    const uint64_t kinds = ecs__store_of(events->world)->kinds_stamp;
    if (events->around_seen != events->made + kinds) ask_monitors(events, kinds);
    return events->looks_around;
}

// Lists within others are ids.
static bool is_element(const ecs__events_t *events, ecs_entity_t entity) {
    const ecs__entity_index_t *entities = &events->world->store.entities;
    return events->lists & list_bit(entity) ||
           ecs__entity_marks(entities, entity) & (EcsEntityIsId | EcsEntityIsTarget);
}

bool ecs__around_may_change(ecs__events_t *events, const ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count) {
    if (!looks_around(events)) return false;
    bool may_matter = !other || events->lists || (table->flags | other->flags) & EcsTableHasPairs;
    if (!may_matter) return false;
    bool found = false;
    for (int32_t i = row; i < row + count && !found; i++)
        found = is_element(events, table->entities[i]);
    return found;
}

static bool concerns(const ecs__observer_t *observer, int32_t term, const ecs__notice_t *notice,
    const ecs_id_t *ids, int32_t count) {
    const ecs_entity_t entity = notice->table->entities[notice->row];
    const bool is_gone = !notice->instead.table;
    bool found = (is_gone && ecs__cover_is_reflexive(observer, term, entity)) ||
                 ((is_gone || count) && ecs__cover_lists(observer, term, entity));
    for (int32_t i = 0; i < count && !found; i++)
        found = ECS_IS_PAIR(ids[i]) && ecs__cover_follows(observer, term, ecs__id_first(ids[i]));
    return found;
}

// The first of its terms that may stand for other ids now, or -1.
static int32_t term_of(const ecs__observer_t *observer, const ecs__notice_t *notice,
    const ecs_id_t *ids, int32_t count) {
    const ecs_query_t *query = observer->pub.query;
    int32_t term = 0;
    while (term < query->term_count && (query->terms[term].oper == EcsOptional ||
                                           !concerns(observer, term, notice, ids, count)))
        term++;
    return term < query->term_count ? term : -1;
}

// The query asks for constants only: it is told as one of them.
static void tell_constant(
    ecs__emission_t *emission, ecs__observer_t *observer, ecs__notice_t notice) {
    const ecs_query_t *query = observer->pub.query;
    ecs__spot_t spot = { NULL, 0 };
    int32_t term = -1;
    while (!spot.table && ++term < query->term_count) {
        const ecs_term_ref_t *source = &query->terms[term].src;
        if (!(source->id & EcsIsVariable))
            spot = ecs__entity_find(&notice.table->store->entities, ECS_TERM_REF_ID(source));
    }
    if (!spot.table) return;
    notice.table = spot.table;
    notice.row = spot.row;
    const ecs__waiter_t waiter = { observer, (int16_t)term, .in_scope = true, .in_not = true };
    ecs__emission_tell(emission, &waiter, &notice);
}

// Whether one matches otherwise, too, is asked by who tells of it.
static void tell_found(
    ecs__emission_t *emission, ecs__observer_t *observer, int32_t term, ecs__notice_t notice) {
    const ecs__store_t *store = notice.table->store;
    const ecs__waiter_t waiter = { observer, (int16_t)term, .in_scope = true, .is_unsaid = true };
    notice.other = NULL;
    notice.lacks = 0;
    if (!(observer->pub.query->flags & EcsQueryMatchThis)) {
        tell_constant(emission, observer, notice);
        return;
    }
    ecs_vec_t found = ecs__spare_take(&emission->events->found);
    ecs__results_list(observer, 0, &found);
    for (int32_t i = 0; i < ecs_vec_count(&found); i++) {
        const ecs__spot_t spot =
            ecs__entity_find(&store->entities, *ecs_vec_get_t(&found, ecs_entity_t, i));
        if (!spot.table) continue;
        notice.table = spot.table;
        notice.row = spot.row;
        ecs__emission_tell(emission, &waiter, &notice);
    }
    ecs__spare_give(&emission->events->found, found);
}

static void tell_of_row(
    ecs__emission_t *emission, ecs__notice_t *notice, const ecs_id_t *ids, int32_t count) {
    const ecs_entity_t entity = notice->table->entities[notice->row];
    if (!is_element(emission->events, entity)) return;
    notice->source = entity;
    if (!notice->instead.entity) {
        const bool is_end = notice->event == Ecs__OnRemove && !notice->other;
        const bool is_bare =
            is_end || ecs__events_is_losing(emission->events, notice->table, entity);
        notice->instead = (ecs__instead_t){ entity, notice->other, .is_bare = is_bare };
    }
    for (ecs__observer_t *o = emission->events->first; o; o = o->next) {
        if (!o->is_monitor || o->is_dead || o->is_disabled) continue;
        const int32_t term = term_of(o, notice, ids, count);
        if (term >= 0) tell_found(emission, o, term, *notice);
    }
}

void ecs__around_tell(ecs__emission_t *emission, const ecs_id_t *ids, int32_t count) {
    ecs__notice_t notice = emission->notice;
    notice.count = 1;
    notice.is_inverted = false;
    notice.id = count ? ids[0] : 0;
    const int32_t end = notice.row + emission->notice.count;
    for (; notice.row < end; notice.row++) {
        notice.instead = emission->notice.instead;
        tell_of_row(emission, &notice, ids, count);
    }
}
