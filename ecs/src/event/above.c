// SPDX-License-Identifier: MIT
#include "event/above.h"

#include "event/below.h"
#include "event/cover.h"
#include "event/match.h"
#include "event/outlook.h"
#include "event/turn.h"
#include "storage/bases.h"

// A term that looks up, for one of the ids that it stands for.
typedef struct looker_t {
    ecs__waiter_t waiter;
    ecs_term_t term;
} looker_t;

// ---- what is seen ----

static bool sees(const ecs_table_t *table, const ecs_term_t *term, ecs__found_t *found) {
    return table && ecs__search_up(table, term->id, term->trav, false, true, term->min_depth,
                        term->max_depth, found);
}

static bool owns(const ecs_table_t *table, const ecs_term_t *term) {
    return table && ecs__term_asks_self(term) && ecs__table_has(table, term->id);
}

// Of a term that minds, the one is on, and the other, which is as nothing, off.
static bool is_switched(
    const ecs__emission_t *emission, const looker_t *looker, ecs_entity_t on, ecs_entity_t off) {
    const ecs__store_t *store = emission->notice.table->store;
    const ecs__waiter_t *waiter = &looker->waiter;
    return ecs__turn_minds_switch(waiter->observer->pub.query, ecs__waiter_term(waiter)) &&
           ecs__id_is_on(store, on, looker->term.id) && !ecs__id_is_on(store, off, looker->term.id);
}

typedef enum told_t {
    TOLD_ALL,
    TOLD_REGAINED, /* the same, which the rows hid */
    TOLD_BELOW,    /* not the rows themselves, which hid it */
    TOLD_NEAR,     /* not the rows themselves, for which it is too near */
    TOLD_HEIRS     /* but their instances */
} told_t;

// What has no value is not set.
static bool is_news(const ecs__emission_t *emission, const ecs_component_record_t *record) {
    return emission->notice.event != Ecs__OnSet || record->type_info;
}

// Every id of the source that the term covers.
static void tell_of_source(
    ecs__emission_t *emission, const looker_t *looker, const ecs__found_t *found, told_t told) {
    const ecs_term_t *term = &looker->term;
    ecs_id_t pattern = ecs__id_any_to_wildcard(term->id);
    ecs__notice_t notice = emission->notice;
    notice.source = found->source;
    int32_t index = found->index;
    for (; index >= 0; index = ecs__type_match(&found->table->type, index + 1, pattern)) {
        notice.id = found->table->type.array[index];
        if (!is_news(emission, ecs__table_cr(found->table, index))) continue;
        if (!ecs__id_is_found_along(found->table->store, notice.id, term->trav)) continue;
        if (told == TOLD_HEIRS) {
            ecs__below_tell_heirs(emission, &looker->waiter, &notice);
            continue;
        }
        if (told != TOLD_BELOW && told != TOLD_NEAR)
            ecs__emission_tell(emission, &looker->waiter, &notice);
        ecs__below_tell_one(emission, &looker->waiter, &notice, found->depth, told == TOLD_BELOW);
    }
}

static bool has_mark(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    (void)base;
    return ecs__table_has(table, ECS__AUTO_OVERRIDE | *(const ecs_id_t *)ctx);
}

// New instances of the base will own the id, which is told then; monitors see them match already.
static bool is_told_when_owned(
    const looker_t *looker, const ecs__store_t *store, ecs_entity_t base, ecs_id_t id) {
    if (looker->waiter.observer->is_monitor) return false;
    const ecs_table_t *table = ecs__entity_spot(&store->entities, base).table;
    return has_mark(&id, base, table) || ecs__bases_each(table, has_mark, &id);
}

// Every id beside the table of the source that `pattern` covers, to the rows that have none themselves.
static void tell_of_beside(ecs__emission_t *emission, const looker_t *looker, ecs_entity_t source,
    int32_t depth, ecs_id_t pattern, told_t told) {
    const ecs_term_t *term = &looker->term;
    ecs__notice_t notice = emission->notice;
    const ecs__store_t *store = notice.table->store;
    ecs__sparse_iter_t iter = ecs__sparse_iter(store, source, pattern);
    const ecs_component_record_t *record;
    bool may_own = notice.event != Ecs__OnRemove && !notice.is_inverted && term->trav == Ecs__IsA &&
                   ecs__term_asks_self(term) && told != TOLD_REGAINED &&
                   emission->events->copy != notice.table->entities[notice.row];
    notice.source = source;
    notice.count = 1;
    while ((record = ecs__sparse_next(&iter))) {
        if (!is_news(emission, record)) continue;
        if (!ecs__id_is_found_along(store, record->id, term->trav)) continue;
        if (may_own && is_told_when_owned(looker, store, source, record->id)) continue;
        notice.id = record->id;
        for (int32_t i = 0; i < emission->notice.count; i++) {
            notice.row = emission->notice.row + i;
            ecs_entity_t entity = notice.table->entities[notice.row];
            bool has_own = ecs__sparse_find(store, entity, term->id);
            if (told != TOLD_NEAR && (ecs__term_asks_self(term) ? !has_own : told != TOLD_REGAINED))
                ecs__emission_tell(emission, &looker->waiter, &notice);
            if (!has_own || ecs__term_looks_past(term))
                ecs__below_tell_one(emission, &looker->waiter, &notice, depth, false);
        }
    }
}

static void tell_of_all(ecs__emission_t *emission, const looker_t *looker, ecs_entity_t source,
    int32_t depth, told_t told) {
    const ecs__store_t *store = emission->notice.table->store;
    const ecs_term_t *term = &looker->term;
    const ecs_table_t *table = ecs__entity_spot(&store->entities, source).table;
    int32_t index = ecs__type_match(&table->type, 0, ecs__id_any_to_wildcard(term->id));
    if (index >= 0) {
        ecs__found_t found = { .source = source, .table = table, .index = index, .depth = depth };
        tell_of_source(emission, looker, &found, told);
    }
    tell_of_beside(emission, looker, source, depth, term->id, told);
}

// Whom one of the rows sees in a range of depths, as everything is, or as it was or will be instead.
static ecs_entity_t source_in(const ecs__emission_t *emission, const ecs_term_t *term,
    const ecs__instead_t *instead, int32_t from, int32_t to) {
    const ecs__notice_t *notice = &emission->notice;
    const ecs_table_t *table = instead->table;
    if (instead->is_bare && from < 2 && !to) /* mostly known */
        return table ? ecs__search_above_table(table, term->id, term->trav) : 0;
    return ecs__instead_above(notice->table->store, instead, notice->table->entities[notice->row],
        term->id, term->trav, from, to);
}

static const ecs__instead_t as_it_is;

// What the rows lost hid from those below what these see along other targets.
static void reveal_besides(ecs__emission_t *emission, const looker_t *looker) {
    ecs__notice_t notice = emission->notice;
    notice.id = looker->term.id;
    const ecs_component_record_t *record = ecs__id_record_get(notice.table->store, notice.id);
    if (record && is_news(emission, record))
        ecs__below_tell_besides(emission, &looker->waiter, &notice);
}

// Along IsA, values are told of. What rows had themselves hid it, and is told of elsewhere; what they have hides it.
static bool may_reveal_besides(const ecs__emission_t *emission, const ecs_term_t *term) {
    const ecs__notice_t *notice = &emission->notice;
    const ecs_entity_t event = term->trav == Ecs__IsA ? Ecs__OnSet : Ecs__OnAdd;
    if (notice->event != event || notice->is_inverted || !notice->other) return false;
    return !ecs__table_has(notice->table, term->id) && !ecs__table_has(notice->other, term->id);
}

// Where the source is that the row sees. Only limits ask.
static int32_t depth_of(const ecs__emission_t *emission, const ecs_term_t *term,
    const ecs__instead_t *instead, ecs_entity_t source) {
    int32_t depth = ECS_MAX(term->min_depth, 1);
    while (depth < term->max_depth && source_in(emission, term, instead, depth, depth) != source)
        depth++;
    return depth;
}

// The same of those below, for whom it is far enough.
static void tell_of_near(ecs__emission_t *emission, const looker_t *looker,
    const ecs__instead_t *here, const ecs__instead_t *there) {
    const ecs_term_t *term = &looker->term;
    for (int32_t depth = 1; depth < term->min_depth; depth++) {
        const ecs_entity_t near = source_in(emission, term, here, depth, depth);
        if (near && near != source_in(emission, term, there, depth, depth))
            tell_of_all(emission, looker, near, depth, TOLD_NEAR);
    }
}

// What the row sees, and did, or will, not see there; inverted: the other way round. True if it sees nothing any more, which is not inverted.
static bool tell_of_sight(ecs__emission_t *emission, const looker_t *looker,
    const ecs__instead_t *here, const ecs__instead_t *there) {
    const ecs_term_t *term = &looker->term;
    const int32_t from = term->min_depth, to = term->max_depth;
    const ecs_entity_t now = source_in(emission, term, here, from, to),
                       then = source_in(emission, term, there, from, to);
    const bool is_lost = then && !now;
    if (emission->notice.is_inverted) {
        if (is_lost)
            tell_of_all(emission, looker, then, depth_of(emission, term, there, then), TOLD_ALL);
        return false;
    }
    tell_of_near(emission, looker, here, there);
    const int32_t depth = now ? depth_of(emission, term, here, now) : 0;
    if (now && now != then)
        tell_of_all(emission, looker, now, depth, TOLD_ALL);
    else if (now && depth != depth_of(emission, term, there, then)) /* too far now for some below */
        tell_of_all(emission, looker, now, depth, TOLD_NEAR);
    return is_lost;
}

// The same where ids or targets may be beside tables.
static void forward_by_entity(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    if (owns(table, term) || owns(other, term)) return;
    /* Edges beside the table tell of themselves. */
    const ecs_entity_t entity = table->entities[emission->notice.row];
    const ecs__instead_t here = { entity, table, .is_bare = true };
    ecs__instead_t there = ecs__notice_instead(&emission->notice, entity);
    if (!emission->notice.instead.entity) there.is_bare = true;
    if (tell_of_sight(emission, looker, &here, &there) && may_reveal_besides(emission, term))
        reveal_besides(emission, looker);
}

static bool is_by_entity(const ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    return ecs__sparse_matters(emission->notice.table->store, term->id, term->trav);
}

// Those below the rows may look past what is too near for the rows.
static void forward_near(ecs__emission_t *emission, const looker_t *looker,
    const ecs_table_t *seeing, const ecs_table_t *other) {
    const ecs_term_t *term = &looker->term;
    ecs__found_t near, hidden;
    for (int32_t depth = 1; depth < term->min_depth; depth = near.depth + 1) {
        if (!ecs__search_up(
                seeing, term->id, term->trav, false, true, depth, term->min_depth - 1, &near))
            return;
        const bool was_seen = other && ecs__search_up(other, term->id, term->trav, false, true,
                                           near.depth, near.depth, &hidden);
        if (!was_seen || hidden.source != near.source)
            tell_of_source(emission, looker, &near, TOLD_NEAR);
    }
}

// What came into sight with the rows' move; or, of an absence, what was in sight, which hid that there is nothing now.
static void forward_term(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    const bool is_inverted = emission->notice.is_inverted;
    ecs__found_t told, hidden;
    if (is_by_entity(emission, looker)) {
        forward_by_entity(emission, looker);
        return;
    }
    if (owns(table, term) || owns(other, term)) return;
    if (term->min_depth > 1 && !is_inverted) forward_near(emission, looker, table, other);
    if (!sees(is_inverted ? other : table, term, &told)) return;
    bool is_hidden = sees(is_inverted ? table : other, term, &hidden);
    const bool is_same = is_hidden && hidden.source == told.source;
    if (is_same && (is_inverted || hidden.depth == told.depth)) return;
    if (is_hidden && is_inverted && !is_switched(emission, looker, told.source, hidden.source))
        return;
    if (!is_same)
        tell_of_source(emission, looker, &told, TOLD_ALL);
    else if (term->max_depth) /* it may be too far now for those below */
        tell_of_source(emission, looker, &told, TOLD_NEAR);
}

// What those below rows of a table see through them that the rows have not themselves; it may be too near for the rows.
static bool shows(const ecs_table_t *table, const ecs_term_t *term, ecs__found_t *found) {
    bool is_inherited =
        table && ecs__search_up(table, term->id, Ecs__IsA, false, true, 0, 0, found);
    if (is_inherited) found->depth = 0;
    return is_inherited || (table && ecs__search_up(table, term->id, term->trav, false, true, 0,
                                         term->max_depth, found));
}

// Through which an entity showed an id to those below before it moved, or will after. Edges beside tables stay, mostly.
static ecs_entity_t shown_by_other(
    const ecs__emission_t *emission, const ecs_term_t *term, ecs_entity_t entity) {
    const ecs__notice_t *notice = &emission->notice;
    ecs_entity_t base = ecs__below_shown_base(notice->other, term->id);
    if (base || ecs__events_is_losing(emission->events, notice->table, entity)) return base;
    const ecs__instead_t then = ecs__notice_instead(notice, entity);
    return ecs__instead_above(notice->table->store, &then, entity, term->id, term->trav, 0, 0);
}

static void reveal_by_entity(ecs__emission_t *emission, const looker_t *looker, bool had_own) {
    const ecs_term_t *term = &looker->term;
    ecs__notice_t notice = emission->notice;
    const ecs_table_t *table = notice.table;
    ecs_entity_t base = ecs__below_shown_base(table, term->id);
    if (notice.event == Ecs__OnRemove && !base) return;
    if (!ecs__id_is_found_along(table->store, term->id, term->trav)) return;
    int32_t end = notice.row + notice.count;
    notice.id = term->id;
    notice.count = 1;
    for (; notice.row < end; notice.row++) {
        ecs_entity_t entity = table->entities[notice.row];
        if (ecs__sparse_find(table->store, entity, term->id)) continue;
        notice.source = base ? base : ecs__search_above(table->store, entity, term->id, term->trav);
        bool was_shown = !had_own && shown_by_other(emission, term, entity) == notice.source;
        if (base && term->max_depth) was_shown = false; /* it was farther */
        if (!notice.source && had_own)
            ecs__below_tell_besides(emission, &looker->waiter, &notice);
        else if (notice.source && !was_shown)
            ecs__below_tell_one(emission, &looker->waiter, &notice, !base, true);
        else if (base)
            ecs__below_tell_heirs(emission, &looker->waiter, &notice);
    }
}

// What the rows had, themselves or from a base, hid a farther one from those below; or they have it from another base.
// (Along IsA that is told as OnSet.)
static void reveal_term(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    bool is_removal = emission->notice.event == Ecs__OnRemove;
    if (!other || ecs__table_has(table, term->id)) return;
    bool had_own = ecs__table_has(other, term->id);
    if (had_own && is_removal) return;
    if (is_by_entity(emission, looker)) {
        ecs_entity_t base = ecs__below_shown_base(table, term->id);
        if (base && !is_removal && is_told_when_owned(looker, table->store, base, term->id)) return;
        if (had_own || base != ecs__below_shown_base(other, term->id))
            reveal_by_entity(emission, looker, had_own);
        return;
    }
    ecs__found_t now, then;
    if (!shows(table, term, &now)) {
        if (!is_removal && (had_own || shows(other, term, &then))) reveal_besides(emission, looker);
        return;
    }
    if (is_removal && now.depth) return;
    bool saw = shows(other, term, &then);
    bool is_by_base = !now.depth || (saw && !then.depth),
         is_same = saw && then.source == now.source;
    bool is_nearer = !now.depth && saw && then.depth;
    bool reaches_more = is_nearer && term->max_depth;
    if (had_own || reaches_more || (is_by_base && !is_same))
        tell_of_source(emission, looker, &now, TOLD_BELOW);
    else if (is_nearer)
        tell_of_source(emission, looker, &now, TOLD_HEIRS);
}

// A base brings what hides that there was nothing above those below, or goes and leaves nothing.
static void reveal_absence(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    ecs__notice_t notice = emission->notice;
    const ecs_table_t *table = notice.table, *other = notice.other;
    if (!other || ecs__table_has(table, term->id)) return;
    ecs_entity_t base = ecs__below_shown_base(other, term->id);
    if (!base || ecs__table_has(other, term->id) || ecs__below_shown_base(table, term->id)) return;
    int32_t end = notice.row + notice.count;
    notice.id = term->id;
    notice.source = base;
    notice.count = 1;
    for (; notice.row < end; notice.row++) {
        ecs_entity_t entity = table->entities[notice.row];
        if (ecs__sparse_find(table->store, entity, term->id)) continue;
        /* What is above the row is not above its instances. */
        if (ecs__search_above(table->store, entity, term->id, term->trav))
            ecs__below_tell_heirs(emission, &looker->waiter, &notice);
        else
            ecs__below_tell_one(emission, &looker->waiter, &notice, 0, false);
    }
}

static void reveal_beside(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    bool is_covered = ecs_id_match(*emission->ids, ecs__id_any_to_wildcard(term->id));
    if (term->trav != Ecs__IsA && is_covered) reveal_by_entity(emission, looker, true);
}

static void inherit_term(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    ecs__found_t now, then;
    if (is_by_entity(emission, looker)) {
        forward_by_entity(emission, looker);
        return;
    }
    if (owns(table, term)) return;
    if (!sees(table, term, &now)) {
        const bool may_show = table->traversable_count && other;
        if (may_show && (ecs__table_has(other, term->id) || sees(other, term, &then)))
            reveal_besides(emission, looker);
        return;
    }
    const bool is_same =
        !owns(other, term) && sees(other, term, &then) && then.source == now.source;
    if (!is_same)
        tell_of_source(emission, looker, &now, TOLD_ALL);
    else if (ecs__table_has(other, term->id) && !ecs__table_has(table, term->id))
        tell_of_source(emission, looker, &now, TOLD_BELOW); /* from whom the rows hid it */
}

typedef void (*action_t)(ecs__emission_t *, const looker_t *);

// Instances of the rows see what these see.
static bool has_below(ecs__emission_t *emission, ecs_entity_t rel) {
    const ecs__notice_t *notice = &emission->notice;
    if (!notice->table->traversable_count) return false;
    if (notice->count != 1) return true;
    if (emission->asked_rel == rel) return emission->has_below;
    const ecs_entity_t entity = notice->table->entities[notice->row];
    const ecs__store_t *store = notice->table->store;
    emission->asked_rel = rel;
    emission->has_below =
        ecs__is_target(store, rel, entity) || ecs__is_target(store, Ecs__IsA, entity);
    return emission->has_below;
}

// For each of the ids that a term stands for; unless its observer heard of the row already, below which nobody is.
static void tell_looker(ecs__emission_t *emission, ecs__waiter_t waiter, action_t action) {
    bool is_alone = !has_below(emission, ecs__waiter_term(&waiter)->trav);
    const bool asks_rows = is_alone && ecs_term_match_this(ecs__waiter_term(&waiter));
    if (asks_rows && (ecs__emission_is_told(emission, waiter.observer) ||
                         !ecs__match_may_be(waiter.observer, &emission->notice)))
        return;
    looker_t looker = { waiter, *ecs__waiter_term(&waiter) };
    if (!waiter.by_set) {
        action(emission, &looker);
        return;
    }
    ecs_vec_t ids;
    ecs__cover_ids(waiter.observer, waiter.term, &ids);
    for (int32_t i = 0; i < ecs_vec_count(&ids); i++) {
        looker.term.id = *ecs_vec_get_t(&ids, ecs_id_t, i);
        action(emission, &looker);
    }
    ecs__spare_give(&emission->events->ids, ids);
}

typedef bool (*filter_t)(const void *ctx, const ecs__looker_t *);

static void for_each_above(
    ecs__emission_t *emission, filter_t may_concern, const void *ctx, action_t action) {
    for (int32_t w = 0; w < 2; w++) {
        if (!emission->waiting[w]) continue;
        const ecs_vec_t *above = &emission->waiting[w]->above[emission->notice.is_inverted];
        const int32_t count = ecs_vec_count(above);
        for (int32_t i = 0; i < count; i++) {
            const ecs__looker_t *looker = ecs_vec_get_t(above, ecs__looker_t, i);
            if (may_concern(ctx, looker) && !looker->waiter.observer->is_dead)
                tell_looker(emission, looker->waiter, action);
        }
    }
}

static bool is_shown(const void *ctx, const ecs__looker_t *looker) {
    return ecs__outlook_shows(ctx, looker);
}

void ecs__above_tell(ecs__emission_t *emission, const ecs__outlook_t *outlook) {
    if (outlook->rel_count) for_each_above(emission, is_shown, outlook, forward_term);
}

// ---- edges beside tables ----

// The edge comes or goes, and what is seen through it gives way to, or takes the place of, what is seen along others.
static void forward_edge(ecs__emission_t *emission, const looker_t *looker) {
    const ecs__notice_t *notice = &emission->notice;
    const ecs_term_t *term = &looker->term;
    const ecs__spot_t spot = { notice->table, notice->row };
    if (ecs__term_asks_self(term) && ecs__has_own(spot, term->id)) return;
    /* Who loses everything loses several edges, of which each would be told. */
    if (tell_of_sight(emission, looker, &as_it_is, &notice->instead) &&
        notice->event == Ecs__OnAdd && emission->events->joined != Ecs__OnAdd)
        reveal_besides(emission, looker);
}

// True if some term ever looked up a relationship; of `besides`, another one.
static bool looks_along(const ecs__events_t *events, ecs_entity_t rel, bool besides) {
    for (int32_t i = 0; i < ecs_vec_count(&events->rels); i++) {
        const ecs_entity_t other = *ecs_vec_get_t(&events->rels, ecs_entity_t, i);
        if (((uint32_t)other == (uint32_t)rel) != besides) return true;
    }
    return false;
}

static void for_each_along(ecs__emission_t *emission, action_t action) {
    if (!looks_along(emission->events, ecs__id_first(*emission->ids), false)) return;
    ecs__store_t *store = emission->notice.table->store;
    const ecs__outlook_t outlook = ecs__outlook_of_edge(store, *emission->ids);
    for_each_above(emission, is_shown, &outlook, action);
}

void ecs__above_tell_edge(ecs__emission_t *emission) {
    const bool is_swap = emission->events->swap.entity == emission->notice.instead.entity;
    const bool is_absence = emission->notice.is_inverted;
    for_each_along(emission, forward_edge);
    emission->notice.is_inverted = false;
    if (is_absence && !is_swap) for_each_along(emission, forward_edge);
}

static bool is_revealed(const void *ctx, const ecs__looker_t *looker) {
    return ecs__outlook_reveals(ctx, looker);
}

void ecs__above_tell_revealed(ecs__emission_t *emission, const ecs__outlook_t *outlook) {
    if (!emission->notice.table->traversable_count) return;
    if (!looks_along(emission->events, Ecs__IsA, true)) return;
    action_t action = emission->notice.is_inverted ? reveal_absence : reveal_term;
    for_each_above(emission, is_revealed, outlook, action);
}

// Of one id.
static bool asks_for(const void *ctx, const ecs__looker_t *looker) {
    return looker->bloom & ecs__id_bloom_covers(*(const ecs_id_t *)ctx);
}

void ecs__above_tell_revealed_beside(ecs__emission_t *emission) {
    if (looks_along(emission->events, Ecs__IsA, true))
        for_each_above(emission, asks_for, emission->ids, reveal_beside);
}

static bool is_inherited(const void *ctx, const ecs__looker_t *looker) {
    return ecs__outlook_inherits(ctx, looker);
}

void ecs__above_tell_inherited(ecs__emission_t *emission, const ecs__outlook_t *outlook) {
    for_each_above(emission, is_inherited, outlook, inherit_term);
}

static void regain_term(ecs__emission_t *emission, const looker_t *looker) {
    const ecs_term_t *term = &looker->term;
    ecs_id_t id = *emission->ids;
    bool is_covered = ecs_id_match(id, ecs__id_any_to_wildcard(term->id));
    if (term->trav != Ecs__IsA || !is_covered) return;
    ecs_entity_t base = ecs__search_above_table(emission->notice.table, id, Ecs__IsA);
    if (base) tell_of_beside(emission, looker, base, 1, id, TOLD_REGAINED);
}

void ecs__above_tell_regained(ecs__emission_t *emission) {
    for_each_above(emission, asks_for, emission->ids, regain_term);
}
