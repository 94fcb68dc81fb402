// SPDX-License-Identifier: MIT
// places: ways in which goals about transitive and reflexive relationships hold.
//
// A place is what can be reached along the relationship: in any number of steps if it is transitive, in none if it is reflexive. Pairs
// of the source count that it has or inherits; from there on, those that places have themselves.
#include "query/graph/ways.h"

#include <string.h>

// The relationship, or the kind of it that leads there at once.
static ecs_entity_t rel_to(const ecs__search_t *search, const ecs_table_t *in, ecs_entity_t place) {
    const ecs__ids_t *along = &search->solver->along;
    for (int32_t i = 0; i < along->count && along->count > 1; i++) {
        const ecs_id_t pair = ECS__MAKE_PAIR((uint32_t)along->array[i], (uint32_t)place);
        if (ecs__table_has(in, pair)) return along->array[i];
    }
    return search->goal->first.entity;
}

static ecs__way_t *add_place(
    const ecs__search_t *search, ecs_entity_t place, const ecs_table_t *in, ecs_entity_t source) {
    ecs__way_t *way = ecs__way_push(search);
    way->first = rel_to(search, in, place);
    way->second = place;
    way->id = ECS__MAKE_PAIR((uint32_t)way->first, (uint32_t)place);
    way->in = in;
    way->source = source;
    return way;
}

// ---- from a known source up ----

static bool is_asked_itself(const ecs__search_t *search) { return search->term->src.id & EcsSelf; }

static bool inherits(const ecs__search_t *search) { return search->term->src.id & EcsUp; }

static bool is_listed(const ecs__search_t *search, int32_t first, ecs_entity_t place) {
    const ecs__step_state_t *state = search->state;
    for (int32_t i = first; i < state->count; i++) {
        if (state->ways[i].second == place) return true;
    }
    return false;
}

// What an entity, or the base of one, reaches: all places, or the one that is asked for.
static void add_reached(const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity,
    ecs_entity_t source, int32_t first) {
    ecs__solver_t *solver = search->solver;
    const ecs__goal_t *goal = search->goal;
    const ecs_entity_t target = ecs__ref_entity(solver, &goal->second);
    const bool in_one_step = !goal->transitive;
    ecs__ids_t *places = &solver->firsts;
    places->count = 0;
    if (!target)
        ecs__expand_up(solver, table, entity, &solver->along, 0, in_one_step ? 1 : 0, places);
    else if (ecs__expand_finds(solver, table, entity, &solver->along, in_one_step, target))
        ecs__ids_push(places, target);
    for (int32_t i = 0; i < places->count; i++) {
        const ecs_entity_t place = places->array[i];
        bool is_known =
            source ? is_listed(search, first, place) : goal->reflexive && entity && place == entity;
        if (!is_known) add_place(search, place, table, source);
    }
}

void ecs__places_of_entity(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity) {
    const ecs__goal_t *goal = search->goal;
    const ecs__store_t *store = search->solver->store;
    const int32_t first = search->state->count;
    ecs_entity_t target = ecs__ref_entity(search->solver, &goal->second);
    bool is_open = goal->second.kind == ECS__REF_VAR && !goal->second.path && !target;
    if (!target && !is_open) return;
    const bool self = is_asked_itself(search);
    if (self && goal->reflexive && entity && (is_open || target == entity))
        add_place(search, entity, table, 0);
    if (self) add_reached(search, table, entity, 0, first);
    if (!inherits(search) || (target && search->state->count > first)) return;
    ecs__ids_t *bases = &search->solver->around;
    bases->count = 0;
    ecs__expand_up(search->solver, table, entity, ECS__ONE_ID(Ecs__IsA), 0, 0, bases);
    for (int32_t i = 0; i < bases->count; i++) {
        const ecs_table_t *base = ecs__entity_table(&store->entities, bases->array[i]);
        if (base) add_reached(search, base, bases->array[i], bases->array[i], first);
    }
}

// Those that may inherit are left to others.
bool ecs__places_lack(ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (!goal->transitive || goal->reflexive) return false;
    if (goal->src.kind != ECS__REF_VAR || goal->src.path) return false;
    const ecs__value_t *source = &solver->values[goal->src.var];
    const ecs_entity_t place = ecs__ref_entity(solver, &goal->second);
    if (!source->table || !place || source->table->flags & EcsTableHasIsA) return false;
    const ecs__ids_t *along = ECS__ONE_ID(goal->first.entity);
    if (goal->first.trav) {
        if (!ecs__ref_list(solver, &goal->first, &solver->along)) return false;
        along = &solver->along;
    }
    return !ecs__expand_finds(solver, source->table, source->entity, along, false, place);
}

// ---- from a known place down, or from all sources up ----

static void list_pairs(const ecs__search_t *search, ecs_entity_t place) {
    ecs__solver_t *solver = search->solver;
    const ecs__ids_t *along = &solver->along;
    solver->ids.count = solver->seconds.count = 0;
    ecs__ids_push(&solver->seconds, place ? place : Ecs__Wildcard);
    solver->reached.list.count = 0;
    if (place && search->goal->transitive)
        ecs__expand_down(solver, place, along, 0, 0, &solver->seconds);
    for (int32_t i = 0; i < solver->seconds.count * along->count; i++) {
        const uint32_t rel = (uint32_t)along->array[i % along->count];
        const uint32_t second = (uint32_t)solver->seconds.array[i / along->count];
        const ecs_id_t pair = ECS__MAKE_PAIR(rel, second);
        const bool is_had = ecs__id_record_get(solver->store, pair);
        if (is_had || !i) ecs__ids_push(&solver->ids, pair); // the first stands for the place
    }
}

// A table has few pairs, but there may be many listed.
static bool has_listed_by(const ecs__search_t *search, const ecs_table_t *table, uint32_t rel) {
    const ecs__reached_t *reached = &search->solver->reached;
    if (ecs__table_has(table, ECS__MAKE_PAIR(rel, (uint32_t)search->solver->seconds.array[0])))
        return true;
    const ecs_id_t all = ECS__MAKE_PAIR(rel, Ecs__Wildcard);
    for (int32_t i = 0; (i = ecs__type_match(&table->type, i, all)) >= 0; i++) {
        const ecs_id_t pair = table->type.array[i];
        if (!ECS_IS_VALUE_PAIR(pair) && ecs__is_reached(reached, ecs__id_second(pair))) return true;
    }
    return false;
}

static bool has_listed(const ecs__search_t *search, const ecs_table_t *table) {
    const ecs__ids_t *along = &search->solver->along;
    int32_t i = 0;
    while (i < along->count && !has_listed_by(search, table, (uint32_t)along->array[i])) i++;
    return i < along->count;
}

// Candidates include tables that might inherit a pair: the nearest base that has one provides it.
static void add_if_there(ecs__search_t *search, ecs_table_t *table, ecs_entity_t place) {
    const ecs__ids_t *ids = &search->solver->ids;
    search->table = table;
    if (is_asked_itself(search) && has_listed(search, table)) {
        add_place(search, place, table, 0);
        return;
    }
    if (!inherits(search) || !(table->flags & EcsTableHasIsA)) return;
    const ecs_id_t id = ids->array[ecs__around_nearest(search, table)];
    ecs__found_t found;
    if (ecs__id_is_inherited(table->store, id) &&
        ecs__search_up(table, id, Ecs__IsA, false, true, 0, 0, &found))
        add_place(search, place, found.table, found.source);
}

// The way that was added last comes before those from `at` on.
static void move_last_to(ecs__step_state_t *state, int32_t at) {
    const ecs__way_t last = state->ways[state->count - 1];
    memmove(&state->ways[at + 1], &state->ways[at],
        sizeof(ecs__way_t) * (size_t)(state->count - 1 - at));
    state->ways[at] = last;
}

// One row of a way has another.
static void leave_out(const ecs__search_t *search, int32_t at, int32_t row) {
    ecs__step_state_t *state = search->state;
    ecs__way_t *way = &state->ways[at], behind = *way;
    behind.row = row + 1;
    behind.count = way->row + way->count - behind.row;
    way->count = row - way->row;
    if (behind.count) {
        *ecs__way_push(search) = behind;
        move_last_to(state, at + 1);
    }
    if (state->ways[at].count) return;
    state->count--;
    memmove(
        &state->ways[at], &state->ways[at + 1], sizeof(ecs__way_t) * (size_t)(state->count - at));
}

static bool has_row(const ecs__way_t *way, const ecs__spot_t *spot) {
    return way->table == spot->table && spot->row >= way->row && spot->row < way->row + way->count;
}

// A reflexive place is its own source, whatever it inherits, and the first one, unless it was found already.
static void add_itself(ecs__search_t *search, ecs_entity_t place) {
    ecs__step_state_t *state = search->state;
    const ecs__spot_t spot = ecs__entity_find(&search->solver->store->entities, place);
    if (!spot.table || !ecs__way_is_candidate(search, spot.table)) return;
    search->table = spot.table;
    int32_t at = 0;
    while (at < state->count && !has_row(&state->ways[at], &spot)) at++;
    if (at < state->count && !state->ways[at].source) return;
    if (at < state->count) leave_out(search, at, spot.row);
    ecs__way_take_row(add_place(search, place, spot.table, 0), spot.row);
    move_last_to(state, 0);
}

void ecs__places_collect(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs__goal_t *goal = search->goal;
    ecs_entity_t place = ecs__ref_entity(solver, &goal->second);
    bool is_open = goal->second.kind == ECS__REF_VAR && !goal->second.path && !place;
    if (!place && !is_open) return;
    if (is_open && goal->reflexive && is_asked_itself(search)) {
        ecs__ways_collect_everyone(search);
        return;
    }
    list_pairs(search, place);
    if (search->by_entity) {
        ecs__beside_collect(search);
    } else {
        ecs__ways_list_tables(search);
        for (int32_t i = 0; i < solver->tables.count; i++) {
            search->table = ecs__ways_table(solver, i);
            if (is_open)
                ecs__places_of_entity(search, search->table, 0);
            else
                add_if_there(search, search->table, place);
        }
    }
    if (place && goal->reflexive && is_asked_itself(search)) add_itself(search, place);
}
