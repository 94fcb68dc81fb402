// SPDX-License-Identifier: MIT
#include "event/around.h"

#include "event/cover.h"
#include "world/state.h"

static bool is_open(const ecs__observer_t *observer) {
    const int32_t count = observer->is_monitor ? observer->pub.query->term_count : 0;
    for (int32_t term = 0; term < count; term++) {
        if (ecs__cover_is_open(observer, term)) return true;
    }
    return false;
}

// Asked again when observers came or went, or queries may have to look in other ways. Both stamps only rise.
static bool looks_around(ecs__events_t *events) {
    const uint64_t stamps = events->stamp + ecs__store_of(events->world)->kinds_stamp;
    if (events->around_seen == stamps) return events->looks_around;
    const ecs__observer_t *observer = events->first;
    while (observer && !is_open(observer)) observer = observer->next;
    events->around_seen = stamps;
    return events->looks_around = observer != NULL;
}

static bool is_element(const ecs__store_t *store, ecs_entity_t entity) {
    return ecs__entity_marks(&store->entities, entity) & (EcsEntityIsId | EcsEntityIsTarget);
}

bool ecs__around_may_change(ecs__events_t *events, const ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count) {
    if (!events->first || !looks_around(events)) return false;
    if (other && !((table->flags | other->flags) & EcsTableHasPairs)) return false;
    bool found = false;
    for (int32_t i = row; i < row + count && !found; i++)
        found = is_element(table->store, table->entities[i]);
    return found;
}

// The rows lose all they have and are.
static bool is_end(const ecs__emission_t *emission) {
    const ecs__notice_t *notice = &emission->notice;
    return notice->event == Ecs__OnRemove && !notice->other && !notice->instead.entity;
}

static bool concerns(const ecs__observer_t *observer, int32_t term, const ecs__notice_t *notice,
    const ecs_id_t *ids, int32_t count) {
    bool found = !notice->instead.table &&
                 ecs__cover_is_reflexive(observer, term, notice->table->entities[notice->row]);
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

// Whether one matches otherwise, too, is asked by who tells of it.
static void tell_found(
    ecs__emission_t *emission, ecs__observer_t *observer, int32_t term, ecs__notice_t notice) {
    const ecs__store_t *store = notice.table->store;
    const ecs__waiter_t waiter = { observer, (int16_t)term, .in_scope = true, .is_unsaid = true };
    ecs_vec_t found;
    ecs__match_list(observer, 0, &found);
    notice.other = NULL;
    notice.lacks = 0;
    for (int32_t i = 0; i < ecs_vec_count(&found); i++) {
        const ecs__spot_t spot =
            ecs__entity_find(&store->entities, *ecs_vec_get_t(&found, ecs_entity_t, i));
        if (!spot.table) continue;
        notice.table = spot.table;
        notice.row = spot.row;
        ecs__emission_tell(emission, &waiter, &notice);
    }
    ecs_vec_fini_t(NULL, &found, ecs_entity_t);
}

static void tell_of_row(
    ecs__emission_t *emission, ecs__notice_t *notice, const ecs_id_t *ids, int32_t count) {
    const ecs_entity_t entity = notice->table->entities[notice->row];
    if (!is_element(notice->table->store, entity)) return;
    notice->source = entity;
    if (!notice->instead.entity) {
        bool is_bare =
            is_end(emission) || ecs__events_is_losing(emission->events, notice->table, entity);
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
