// SPDX-License-Identifier: MIT
#include "event/observer.h"

#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>

#include "event/cover.h"
#include "event/results.h"
#include "event/turn.h"
#include "event/route.h"
#include "query/graph/graph.h"
#include "query/parse/term.h"
#include "query/query.h"
#include "storage/search.h"
#include "world/state.h"

static ecs__observer_t *observer_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_ext_poly_get(ecs__world_of(world), entity, Ecs__Observer);
}

const ecs_observer_t *ecs_observer_get(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs__observer_t *observer = observer_of(world, entity);
    return observer ? &observer->pub : NULL;
}

// ---- end ----

void ecs__observer_release(ecs__observer_t *observer) {
    ecs_observer_t *pub = &observer->pub;
    ecs__query_end((ecs__query_t *)(void *)pub->query);
    ecs_ext_ctx_free(pub->ctx, pub->ctx_free);
    ecs_ext_ctx_free(pub->callback_ctx, pub->callback_ctx_free);
    ecs_ext_ctx_free(pub->run_ctx, pub->run_ctx_free);
    pub->hdr.type = 0;
    pub->query = NULL;
}

static void link_observer(ecs__events_t *events, ecs__observer_t *observer) {
    observer->previous = events->last;
    if (events->last)
        events->last->next = observer;
    else
        events->first = observer;
    events->last = observer;
    events->observer_count++;
    events->switch_count += observer->hears_switches;
    observer->number = ++events->made;
}

static void unlink_observer(ecs__events_t *events, ecs__observer_t *observer) {
    if (observer->previous)
        observer->previous->next = observer->next;
    else
        events->first = observer->next;
    if (observer->next)
        observer->next->previous = observer->previous;
    else
        events->last = observer->previous;
    events->observer_count--;
    events->switch_count -= observer->hears_switches;
    if (observer->looks_around) events->around_seen = 0;
}

void ecs__observer_end(ecs__observer_t *observer) {
    ecs__events_t *events = &observer->pub.world->events;
    unlink_observer(events, observer);
    observer->is_dead = true;
    ecs__events_outdate(events);
    observer->next = events->dead;
    events->dead = observer;
    ecs__events_sweep(events);
}

static void end_bound(ecs_poly_t *object) { ecs__observer_end(object); }

// ---- what an observer waits for ----

typedef struct wish_t {
    ecs__events_t *events;
    ecs__observer_t *observer;
    ecs_entity_t event;
    bool only_optional; /* no term asks for anything: every id counts */
    uint32_t scopes;    /* around the term: 1, and a bit for each, set if it must not hold */
    bool is_again;      /* some of it was granted before */
} wish_t;

static int32_t nots_around(const wish_t *wish) { return __builtin_popcount(wish->scopes) - 1; }

static bool listens_to(const ecs_observer_t *pub, ecs_entity_t event) {
    for (int32_t i = 0; i < pub->event_count; i++) {
        if (pub->events[i] == event) return true;
    }
    return false;
}

static bool is_root_term(const ecs_term_t *term) {
    return term->id == ECS__MAKE_PAIR(Ecs__ChildOf, 0);
}

static bool is_top_any(ecs_id_t id) {
    return !ECS_IS_PAIR(id) && (id & ECS_COMPONENT_MASK) == Ecs__Any;
}

static ecs__reach_t reach_of(const wish_t *wish, const ecs_term_t *term) {
    bool is_not = term->oper == EcsNot || term->oper == EcsNotFrom;
    bool inverted = is_not ^ is_root_term(term) ^ (nots_around(wish) & 1);
    bool up = term->src.id & (EcsUp | EcsCascade), self = ecs__term_asks_self(term);
    ecs__reach_t reach = !up ? ECS__REACH_SELF : self ? ECS__REACH_SELF_UP : ECS__REACH_UP;
    return inverted ? reach + ECS__REACH_NOT : reach;
}

// What lists name and what has kinds may change, so which ids concern the term is asked at each event.
static ecs_id_t key_of(const wish_t *wish, const ecs_term_t *term) {
    if (wish->only_optional || is_top_any(term->id) || ecs__is_from(term->oper)) return Ecs__Any;
    if (is_root_term(term)) return ECS__MAKE_PAIR(Ecs__ChildOf, Ecs__Wildcard);
    return ecs__cover_key(wish->observer, term);
}

// Tags have no values to set: being added is all that happens to them.
static ecs_entity_t event_for_term(const wish_t *wish, const ecs_term_t *term) {
    const ecs_world_t *world = wish->observer->pub.world;
    if (wish->event != Ecs__OnSet || wish->only_optional || ecs__id_is_wildcard(term->id) ||
        ecs__is_from(term->oper))
        return wish->event;
    if (ecs__id_typeid(&world->store, term->id)) return Ecs__OnSet;
    return listens_to(&wish->observer->pub, Ecs__OnAdd) ? 0 : Ecs__OnAdd;
}

static bool inverts(ecs_entity_t event) {
    return event == Ecs__OnAdd || event == Ecs__OnRemove || event == Ecs__Wildcard;
}

// Who that is, is only known once something else has triggered.
static bool is_about_variable(const ecs_term_t *term) {
    return term->src.id & EcsIsVariable && !ecs_term_match_this(term);
}

static bool is_member(const ecs_term_t *term) { return term->flags_ & EcsTermIsMember; }

static ecs__waiter_t waiter_of(const wish_t *wish, int32_t index, bool by_set) {
    return (ecs__waiter_t){ .observer = wish->observer,
        .term = (int16_t)index,
        .by_set = by_set,
        .in_scope = wish->scopes > 1,
        .in_not = nots_around(wish) };
}

static void wait_for(const wish_t *wish, ecs__event_t *event, ecs_id_t key, ecs__reach_t reach,
    ecs__waiter_t waiter) {
    const ecs__wanted_t *wanted = wish->is_again ? ecs__event_wanted(event, key) : NULL;
    if (!wanted || !ecs__wanted_has(wanted, reach, &waiter))
        ecs__event_add(wish->events, event, key, reach, waiter);
}

// What a value holds may change whenever it is set, for better or worse.
static void wish_for_member(const wish_t *wish, int32_t index) {
    const ecs_query_t *query = wish->observer->pub.query;
    ecs_id_t component = ecs__query_of(query)->program->graph->goals[index].component;
    bool is_not = (query->terms[index].oper == EcsNot) ^ (nots_around(wish) & 1);
    wait_for(wish, ecs__event_ensure(wish->events, wish->event), component,
        is_not && inverts(wish->event) ? ECS__REACH_NOT : ECS__REACH_SELF,
        waiter_of(wish, index, false));
}

static bool stands_for_several(const wish_t *wish, const ecs_term_t *term) {
    if (wish->only_optional || is_top_any(term->id)) return false;
    return ecs__is_from(term->oper) || !ecs__cover_is_key(wish->observer, term);
}

static void wish_for_term(const wish_t *wish, int32_t index) {
    const ecs_term_t *term = &wish->observer->pub.query->terms[index];
    if (term->inout == EcsInOutFilter || ecs_term_match_0(term) || is_about_variable(term)) return;
    if (term->oper == EcsOptional && !wish->only_optional) return;
    if (is_member(term)) {
        wish_for_member(wish, index);
        return;
    }
    ecs__reach_t reach = reach_of(wish, term);
    ecs_entity_t event = event_for_term(wish, term);
    if (!event || (reach >= ECS__REACH_NOT && !inverts(event))) return;
    ecs_id_t key = key_of(wish, term);
    ecs__event_t *events = ecs__event_ensure(wish->events, event);
    ecs__waiter_t waiter = waiter_of(wish, index, stands_for_several(wish, term));
    wait_for(wish, events, key, reach, waiter);
    /* Tables tell of parents by component, before and after the pairs beside them do. */
    if (is_root_term(term)) wait_for(wish, events, Ecs__Parent, reach, waiter);
}

// What must hold, or not, together: of optional scopes nothing is asked.
static void wish_for_terms(wish_t *wish) {
    const ecs_query_t *query = wish->observer->pub.query;
    const ecs_term_t *terms = query->terms;
    int32_t optional = 0;
    for (int32_t i = 0; i < query->term_count; i++) {
        ecs_entity_t first = ECS_TERM_REF_ID(&terms[i].first);
        if (first == Ecs__ScopeOpen) {
            wish->scopes = wish->scopes << 1 | (terms[i].oper == EcsNot);
            optional += optional || terms[i].oper == EcsOptional;
        } else if (first == Ecs__ScopeClose) {
            wish->scopes >>= 1;
            optional -= optional > 0;
        } else if (!optional) {
            wish_for_term(wish, i);
        }
    }
}

static bool has_only_optional(const ecs_query_t *query) {
    for (int32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].oper != EcsOptional) return false;
    }
    return true;
}

static bool is_about_tables(ecs_entity_t event) {
    return event == Ecs__OnTableCreate || event == Ecs__OnTableDelete ||
           event == Ecs__OnTableEmpty || event == Ecs__OnTableFill;
}

// No pattern, and none that may be beside tables in time, as pairs for ChildOf.
static bool is_in_tables(ecs_id_t id) {
    if (ecs__id_is_wildcard(id) || id & ECS_ID_FLAGS_MASK & ~ECS__PAIR) return false;
    return !ECS_IS_PAIR(id) || ecs__id_first(id) != Ecs__ChildOf;
}

// An operation without which no table matches, about an id that tables have themselves, or inherit; or NULL.
static const ecs__op_t *key_op(const ecs__plan_t *plan) {
    const ecs__op_t *found = NULL;
    for (int32_t i = plan->scan + 1; i < plan->count && !found; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        bool fits = op->code == ECS__OP_WITH && ecs__op_is_own_or_isa(op) && is_in_tables(op->id);
        if (fits) found = op;
    }
    return found;
}

static void wish_for_tables(ecs__observer_t *observer, ecs_entity_t event, bool is_again) {
    ecs__events_t *events = &observer->pub.world->events;
    const ecs__plan_t *plan = &ecs__query_of(observer->pub.query)->program->plan;
    const ecs__op_t *op = is_again || plan->stands_in ? NULL : key_op(plan);
    wish_t wish = { events, observer, event, false, 1, is_again };
    ecs__waiter_t waiter = { .observer = observer, .is_unsaid = true };
    ecs__event_t *of = ecs__event_ensure(events, event);
    wait_for(&wish, of, op ? op->id : Ecs__Any, ECS__REACH_TABLES, waiter);
    if (op && op->trav)
        wait_for(&wish, of, ECS__MAKE_PAIR(Ecs__IsA, Ecs__Wildcard), ECS__REACH_TABLES, waiter);
}

static void wish_for_event(ecs__observer_t *observer, ecs_entity_t event, bool is_again) {
    ecs__events_t *events = &observer->pub.world->events;
    const ecs_query_t *query = observer->pub.query;
    if (is_about_tables(event)) {
        wish_for_tables(observer, event, is_again);
        return;
    }
    wish_t wish = { events, observer, event, has_only_optional(query), 1, is_again };
    if (wish.only_optional)
        wish_for_term(&wish, 0);
    else
        wish_for_terms(&wish);
}

// To get such an id is to leave, and to lose it, to enter.
static void wish_for_unsaid(ecs__observer_t *observer, ecs_flags32_t flag, ecs_id_t id) {
    ecs__events_t *events = &observer->pub.world->events;
    ecs__waiter_t waiter = { .observer = observer, .is_unsaid = true };
    if (!(ecs__query_of(observer->pub.query)->program->plan.skip & flag)) return;
    if (!(observer->pub.query->flags & EcsQueryMatchThis)) return;
    ecs__event_add(events, &events->on_add, id, ECS__REACH_NOT, waiter);
    ecs__event_add(events, &events->on_remove, id, ECS__REACH_NOT, waiter);
}

static void wish_for_events(ecs__observer_t *observer, bool is_again) {
    static const ecs_entity_t of_monitors[] = { Ecs__OnAdd, Ecs__OnRemove };
    const ecs_observer_t *pub = &observer->pub;
    const ecs_entity_t *events = observer->is_monitor ? of_monitors : pub->events;
    const int32_t count = observer->is_monitor ? 2 : pub->event_count;
    for (int32_t i = 0; i < count; i++) wish_for_event(observer, events[i], is_again);
}

static void start_waiting(ecs__observer_t *observer) {
    ecs__events_t *events = &observer->pub.world->events;
    wish_for_events(observer, false);
    if (observer->is_monitor) {
        wish_for_unsaid(observer, EcsTableIsDisabled, Ecs__Disabled);
        wish_for_unsaid(observer, EcsTableIsPrefab, Ecs__Prefab);
        wish_for_unsaid(observer, EcsTableNotQueryable, Ecs__NotQueryable);
    }
    ecs__events_recount(events);
}

// Pairs with themselves, whatever that is: an id cannot ask for that.
static bool is_about_itself(const ecs_term_t *term) {
    bool first = ECS_TERM_REF_ID(&term->first) == Ecs__This;
    bool second = ECS_TERM_REF_ID(&term->second) == Ecs__This;
    return first || second;
}

static bool names_variable(const ecs_term_ref_t *ref) {
    return ref->id & EcsIsVariable && ref->name;
}

static bool is_simple(const ecs__observer_t *observer) {
    const ecs_query_t *query = observer->pub.query;
    const ecs_term_t *term = &query->terms[0];
    return query->term_count == 1 && term->oper == EcsAnd && ecs_term_match_this(term) &&
           !is_root_term(term) && !is_member(term) && !is_about_itself(term) && !term->min_depth &&
           !term->max_depth && !(term->src.id & EcsDown) && !names_variable(&term->first) &&
           !names_variable(&term->second) && ecs__cover_is_key(observer, term);
}

void ecs__observers_follow_kinds(ecs_world_t *world) {
    ecs__events_t *events = &world->events;
    bool has_changed = false;
    if (events->kinds_seen == world->store.kinds_stamp) return;
    events->kinds_seen = world->store.kinds_stamp;
    for (ecs__observer_t *o = events->first; o; o = o->next) {
        if (!ecs__graph_note_kinds(world, o->pub.query, &o->kinds)) continue;
        o->is_simple = o->is_simple && is_simple(o);
        wish_for_events(o, true);
        has_changed = true;
    }
    if (has_changed) ecs__events_recount(events);
}

// ---- enabling ----

static ecs_entity_t parent_in(const ecs_table_t *table) {
    return table && table->flags & EcsTableHasChildOf ? ecs__table_target(table, Ecs__ChildOf, 0)
                                                      : 0;
}

static bool is_disabled_now(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *entities = &world->store.entities;
    int32_t limit = entities->alive_count;
    for (; entity && limit >= 0; limit--) {
        if (ecs__entity_spot(entities, entity).table->flags & EcsTableIsDisabled) return true;
        entity = ecs__parent_of(&world->store, entity);
    }
    return false;
}

static bool has_observer(const ecs_table_t *table) {
    return ecs__table_may_hold_observers(table) &&
           ecs__table_has(table, ECS__MAKE_PAIR(Ecs__Poly, Ecs__Observer));
}

static bool is_any_disabled(const ecs_world_t *world) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, Ecs__Disabled);
    int32_t from = 0;
    return record && ecs__id_record_next_table(record, &from, false);
}

static void follow_switch(ecs__observer_t *observer) {
    const ecs_observer_t *pub = &observer->pub;
    const bool is_disabled = is_disabled_now(pub->world, pub->entity);
    if (is_disabled == observer->is_disabled) return;
    observer->is_disabled = is_disabled;
    ecs__events_outdate(&pub->world->events);
}

static bool oversees(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_marks(&world->store.entities, entity) & ECS__ENTITY_OVERSEES;
}

// Who is above somebody above an observer is marked, too.
static void mark_above(ecs_world_t *world, ecs_entity_t entity) {
    while ((entity = ecs__parent_of(&world->store, entity)) && !oversees(world, entity))
        ecs__entity_mark(&world->store.entities, (uint32_t)entity, ECS__ENTITY_OVERSEES);
}

// What is below others may be anywhere: then all are asked.
static void follow_entities(ecs_world_t *world, const ecs_entity_t *entities, int32_t count) {
    bool any_below = false;
    for (int32_t i = 0; i < count && !any_below; i++) any_below = oversees(world, entities[i]);
    for (ecs__observer_t *o = world->events.first; any_below && o; o = o->next)
        if (o->pub.entity) follow_switch(o);
    for (int32_t i = 0; i < count && !any_below; i++) {
        ecs__observer_t *observer = observer_of(world, entities[i]);
        if (observer) follow_switch(observer);
    }
}

void ecs__observers_follow_parent(ecs_world_t *world, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, entity).table;
    if (!table || (!has_observer(table) && !oversees(world, entity))) return; /* or it has ended */
    mark_above(world, entity);
    if (is_any_disabled(world)) follow_entities(world, &entity, 1);
}

// Whether an observer is disabled is said by its entity and by those above: only what disables one of them, or moves it
// to another parent, is followed.
void ecs__observers_follow(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count) {
    if (!table->traversable_count && !has_observer(table)) return;
    const ecs_flags32_t changed = table->flags ^ (before ? before->flags : 0);
    if (changed & EcsTableIsDisabled) follow_entities(world, &table->entities[row], count);
    const bool moves = parent_in(table) != parent_in(before);
    for (int32_t i = row; moves && i < row + count; i++)
        ecs__observers_follow_parent(world, table->entities[i]);
}

// ---- existing matches ----

static void yield_on_delete(ecs__observer_t *observer) {
    if (!observer->yields_on_delete || observer->is_disabled) return;
    observer->yields_on_delete = false;
    ecs__results_tell_all(observer, Ecs__OnRemove);
}

// What observers of an event are told of what exists, or 0.
static ecs_entity_t event_to_yield(ecs__observer_t *observer, ecs_entity_t event) {
    const ecs_query_t *query = observer->pub.query;
    wish_t wish = { NULL, observer, event, has_only_optional(query), 1 };
    ecs_entity_t told = 0;
    for (int32_t i = 0; i < query->term_count && told != event; i++) {
        ecs_entity_t of_term = event_for_term(&wish, &query->terms[i]);
        if (of_term) told = of_term;
    }
    return told;
}

static void yield_on_create(ecs__observer_t *observer) {
    if (!observer->yields_on_create || observer->is_disabled) return;
    const ecs_observer_t *pub = &observer->pub;
    if (observer->is_monitor) ecs__results_tell_all(observer, Ecs__OnAdd);
    for (int32_t i = 0; !observer->is_monitor && i < pub->event_count; i++) {
        ecs_entity_t event = event_to_yield(observer, pub->events[i]);
        if (event && event != Ecs__OnRemove) ecs__results_tell_all(observer, event);
    }
}

void ecs__observers_leave(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *after,
    int32_t row, int32_t count) {
    if (!has_observer(table) || (after && has_observer(after))) return;
    for (int32_t i = row; i < row + count; i++) {
        ecs__observer_t *observer = observer_of(world, table->entities[i]);
        if (observer) yield_on_delete(observer);
    }
}

void ecs__observers_yield_all(ecs_world_t *world) {
    // What callbacks change is told to nobody who was told of the end already.
    ecs_defer_begin(world);
    ecs__events_enter(&world->events);
    for (ecs__observer_t *o = world->events.first; o; o = o->next) {
        if (!o->yields_on_delete) continue;
        yield_on_delete(o);
        o->is_dead = true;
    }
    ecs__events_leave(&world->events);
    ecs__events_outdate(&world->events); /* routes lead to those who are dead now */
    ecs_defer_end(world);
}

// ---- creation ----

static bool is_empty_expr(const char *expr) { return !expr || !expr[0] || !strcmp(expr, "0"); }

static bool has_terms(const ecs_query_desc_t *desc) {
    return !is_empty_expr(desc->expr) || ecs_term_is_initialized(&desc->terms[0]);
}

static int32_t count_events(const ecs_entity_t *events) {
    int32_t count = 0;
    while (count < FLECS_EVENT_DESC_MAX && events[count]) count++;
    return count;
}

static bool is_monitor(const ecs_entity_t *events) { return events[0] == Ecs__Monitor; }

static bool mixes_monitor(const ecs_entity_t *events) {
    int32_t count = count_events(events);
    for (int32_t i = 0; i < count; i++) {
        if (events[i] == Ecs__Monitor && count > 1) return true;
    }
    return false;
}

static void set_contexts(ecs_observer_t *pub, const ecs_observer_desc_t *desc) {
    pub->ctx = desc->ctx;
    pub->callback_ctx = desc->callback_ctx;
    pub->run_ctx = desc->run_ctx;
    pub->ctx_free = desc->ctx_free;
    pub->callback_ctx_free = desc->callback_ctx_free;
    pub->run_ctx_free = desc->run_ctx_free;
}

static bool minds_switches(const ecs_query_t *query) {
    bool minds = false;
    for (int32_t i = 0; i < query->term_count && !minds; i++)
        minds = ecs__turn_minds_switch(query, &query->terms[i]);
    return minds;
}

static ecs__observer_t *make_observer(
    ecs_world_t *world, const ecs_observer_desc_t *desc, ecs_query_t *query) {
    ecs__observer_t *observer = ecs_os_calloc_t(ecs__observer_t);
    ecs_observer_t *pub = &observer->pub;
    pub->hdr = (ecs_header_t){ .type = ECS__OBSERVER_TYPE, .refcount = 1 };
    pub->query = query;
    ecs__query_set_observers((ecs__query_t *)(void *)query);
    pub->event_count = count_events(desc->events);
    memcpy(pub->events, desc->events, sizeof pub->events);
    pub->callback = desc->callback;
    pub->run = desc->run;
    pub->observable = (ecs_observable_t *)(void *)&world->events;
    pub->world = world;
    set_contexts(pub, desc);
    observer->is_monitor = is_monitor(desc->events);
    observer->hears_switches = observer->is_monitor && minds_switches(query);
    observer->is_simple = !observer->is_monitor && is_simple(observer);
    ecs__graph_note_kinds(world, query, &observer->kinds);
    observer->bypasses_query = desc->flags_ & EcsObserverBypassQuery;
    observer->yields_on_create = desc->yield_existing || desc->flags_ & EcsObserverYieldOnCreate;
    bool on_delete = desc->yield_existing || desc->flags_ & EcsObserverYieldOnDelete;
    observer->yields_on_delete =
        on_delete && (observer->is_monitor || listens_to(pub, Ecs__OnRemove));
    return observer;
}

// Of a value that was set nobody knows what it held before.
static bool has_members(const ecs_query_t *query) {
    for (int32_t i = 0; i < query->term_count; i++) {
        if (is_member(&query->terms[i])) return true;
    }
    return false;
}

static bool has_only_variables(const ecs_query_t *query) {
    for (int32_t i = 0; i < query->term_count; i++) {
        if (!is_about_variable(&query->terms[i])) return false;
    }
    return true;
}

static ecs_query_t *make_query(ecs_world_t *world, const ecs_observer_desc_t *desc) {
    ecs_query_desc_t wanted = desc->query;
    if (is_empty_expr(wanted.expr)) wanted.expr = NULL;
    wanted.entity = 0;
    wanted.storage = NULL;
    /* The bits of a query are the same. */
    wanted.flags |= desc->flags_ & (EcsObserverMatchPrefab | EcsObserverMatchDisabled);
    ecs_query_t *query = ecs_query_init(world, &wanted);
    if (!query) return NULL;
    if (is_monitor(desc->events) && has_members(query)) {
        ecs_err_code(ECS_UNSUPPORTED,
            "a monitor cannot ask for members of values: what they held before is not known; use "
            "EcsOnSet");
        ecs_query_fini(query);
        return NULL;
    }
    bool has_trigger = !has_only_variables(query);
    if (!has_trigger) ecs_query_fini(query);
    ecs_check(has_trigger, ECS_UNSUPPORTED,
        "an observer needs a term about $this or a known entity: nothing else could trigger it");
    return query;
error:
    return NULL;
}

static ecs_entity_t entity_for(ecs_world_t *world, const ecs_observer_desc_t *desc) {
    return desc->entity ? desc->entity : ecs_entity_init(world, &(ecs_entity_desc_t){ 0 });
}

// What was changed until now is there already, for those who are told of that.
static void begin_to_hear(ecs__observer_t *observer) {
    ecs_world_t *world = observer->pub.world;
    if (observer->is_dead) return;
    observer->is_disabled = observer->pub.entity && is_disabled_now(world, observer->pub.entity);
    ecs__events_outdate(&world->events);
}

// The entity could not get it, which was said: contexts stay with the caller.
static void give_up(ecs__observer_t *observer, const ecs_observer_desc_t *desc) {
    ecs_observer_t *pub = &observer->pub;
    ecs__query_t *query = (ecs__query_t *)(void *)pub->query;
    pub->ctx_free = pub->callback_ctx_free = pub->run_ctx_free = NULL;
    query->ctx_free = query->binding_ctx_free = NULL;
    if (!desc->entity) ecs_delete(pub->world, pub->entity);
}

// Whoever hears of the entity may delete it: that comes when the observer is whole, in events that hold what ended.
static ecs__observer_t *create(ecs_world_t *world, const ecs_observer_desc_t *desc) {
    ecs_query_t *query = make_query(world, desc);
    if (!query) return NULL;
    ecs_entity_t entity = desc->global_observer ? 0 : entity_for(world, desc);
    if (!entity && !desc->global_observer) {
        ecs_query_fini(query);
        return NULL;
    }
    ecs__observer_t *observer = make_observer(world, desc, query);
    bool deferred = ecs__defer_bracket_begin(world->stage);
    link_observer(&world->events, observer);
    if (entity) {
        observer->pub.entity = entity;
        // Bound first: an observer does not hear of its own beginning.
        ecs_ext_poly_bind(world, entity, Ecs__Observer, observer, end_bound);
        mark_above(world, entity);
        observer->is_disabled = true;
    }
    if (observer->is_dead)
        give_up(observer, desc);
    else
        start_waiting(observer);
    if (!deferred) ecs__defer_bracket_end(world->stage);
    begin_to_hear(observer);
    return observer;
}

#define CHECK_CANARY(desc)                                 \
    ecs_check((desc)->_canary == 0, ECS_INVALID_PARAMETER, \
        "the observer descriptor is not initialised: set it to zero first")

static bool may_create(const ecs_world_t *world, const ecs_observer_desc_t *desc) {
    ecs_check(world != NULL && desc != NULL, ECS_INVALID_PARAMETER,
        "an observer needs a world and a descriptor");
    ecs_check(!ecs__is_stage(world), ECS_INVALID_PARAMETER,
        "observers are made in a world, not in a stage");
    CHECK_CANARY(desc);
    ecs_check(!(world->flags & EcsWorldFini), ECS_INVALID_OPERATION,
        "cannot make an observer while the world ends");
    ecs_check(!(world->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot make an observer while the world is readonly");
    ecs_check(desc->callback || desc->run, ECS_INVALID_PARAMETER,
        "an observer needs a callback or a run function");
    ecs_check(desc->events[0], ECS_INVALID_PARAMETER, "an observer needs at least one event");
    ecs_check(!mixes_monitor(desc->events), ECS_INVALID_PARAMETER,
        "EcsMonitor cannot be mixed with other events");
    ecs_check(
        has_terms(&desc->query), ECS_INVALID_PARAMETER, "an observer needs at least one term");
    ecs_check(!desc->yield_existing ||
                  !(desc->flags_ & (EcsObserverYieldOnCreate | EcsObserverYieldOnDelete)),
        ECS_INVALID_PARAMETER,
        "yield_existing is both of EcsObserverYieldOnCreate and EcsObserverYieldOnDelete");
    ecs_check(!desc->entity || ecs_is_alive(world, desc->entity), ECS_INVALID_PARAMETER,
        "entity %u that is to be the observer is not alive", (uint32_t)desc->entity);
    ecs_check(!desc->entity || !observer_of(world, desc->entity), ECS_ALREADY_DEFINED,
        "entity %u is an observer already; use ecs_observer_update", (uint32_t)desc->entity);
    return true;
error:
    return false;
}

// An observer must be whole when this returns, also where changes are deferred.
ecs_entity_t ecs_observer_init(ecs_world_t *world, const ecs_observer_desc_t *desc) {
    if (!may_create(world, desc)) return 0;
    ecs__events_enter(&world->events);
    bool suspend = ecs_is_deferred(world);
    if (suspend) ecs_defer_suspend(world);
    ecs__observer_t *observer = create(world, desc);
    if (suspend) ecs_defer_resume(world);
    if (observer && !observer->is_dead) yield_on_create(observer);
    ecs_entity_t entity = observer && !observer->is_dead ? observer->pub.entity : 0;
    ecs__events_leave(&world->events);
    return entity;
}

// ---- update ----

ecs_entity_t ecs_observer_update(
    ecs_world_t *world, ecs_entity_t entity, const ecs_observer_desc_t *desc) {
    ecs__observer_t *observer = observer_of(ecs__world_of(world), entity);
    ecs_check(
        observer && desc, ECS_INVALID_PARAMETER, "entity %u is no observer", (uint32_t)entity);
    ECS__CHECK(ecs__check_alone(world, "change an observer"));
    CHECK_CANARY(desc);
    ecs_observer_t *pub = &observer->pub;
    if (desc->callback || desc->run) {
        pub->callback = desc->callback;
        pub->run = desc->run;
    }
    ecs_ext_ctx_replace(&pub->ctx, &pub->ctx_free, desc->ctx, desc->ctx_free);
    ecs_ext_ctx_replace(
        &pub->callback_ctx, &pub->callback_ctx_free, desc->callback_ctx, desc->callback_ctx_free);
    ecs_ext_ctx_replace(&pub->run_ctx, &pub->run_ctx_free, desc->run_ctx, desc->run_ctx_free);
    ecs__routes_update(&pub->world->events, observer);
    return entity;
error:
    return 0;
}

ecs_entity_t ecs_observer_define_(ecs_world_t *world, ecs_entity_t id, const char *name,
    ecs_iter_action_t callback, ecs_entity_t event, const char *expr) {
    ecs_entity_t entity = ecs_entity_init(world, &(ecs_entity_desc_t){ .id = id, .name = name });
    ecs_observer_desc_t desc = {
        .entity = entity, .query.expr = expr, .events = { event }, .callback = callback
    };
    entity = ecs_observer_init(world, &desc);
    ecs_always_assert(entity, ECS_INVALID_PARAMETER, "observer '%s' is not valid", name);
    return entity;
}
