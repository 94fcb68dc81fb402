// SPDX-License-Identifier: MIT
// beside: ways in which a goal holds through what entities have beside their tables
// (storage/sparse_ids.h).
//
// Each entity may have something else there, so candidates are entities instead of tables: those in
// the sets of the ids to look for, and the rows of tables that have such ids. They come in the order
// of tables and rows if the query finds tables too, so that it does not matter who leads; else in
// the order of the one set.
#include "query/graph/ways.h"
#include "storage/sparse_ids.h"

// ---- one entity ----

static bool fits(const ecs__search_t *search, ecs_id_t id) {
    return !search->goal->base ||
           ecs__way_fits(search, ecs__id_record_get(search->solver->store, id)->type_info);
}

bool ecs__beside_add(
    const ecs__search_t *search, ecs_entity_t holder, ecs_entity_t source, ecs_id_t id) {
    bool found = false, inherited = source && search->term->trav == Ecs__IsA;
    ecs__held_t held = ecs__held(search->solver->store, &search->solver->instead, holder, id);
    while (ecs__held_next(&held)) {
        if (!ecs__way_counts(search, held.id, source, inherited) || !fits(search, held.id))
            continue;
        found |= ecs__way_add(search, held.id, id, source) != NULL;
        if (found && search->once) break;
    }
    return found;
}

// What is looked for now; 0: the second element has no value.
static ecs_id_t id_of(const ecs__search_t *search) {
    const ecs__ref_t *second = &search->goal->second;
    const ecs_id_t id = search->term->id;
    if (!(id & ECS__PAIR)) return id;
    const ecs_entity_t first = ecs__id_first(id);
    if (!ecs__ref_is_known(search->solver, second)) return ECS__MAKE_PAIR(first, Ecs__Wildcard);
    const ecs_entity_t entity = ecs__ref_entity(search->solver, second);
    return entity ? ECS__MAKE_PAIR(first, (uint32_t)entity) : 0;
}

void ecs__beside_ask(const ecs__search_t *search) {
    const ecs_id_t id = id_of(search);
    const ecs_component_record_t *record =
        id ? ecs__id_record_get(search->solver->store, id) : NULL;
    if (!record || !record->sparse) return;
    if (!ecs__id_is_wildcard(id)) {
        if (ecs__sparse_has(record, search->entity)) ecs__way_add(search, id, id, 0);
        return;
    }
    const ecs__sparse_edges_t edges = ecs__sparse_edges(record, search->entity);
    const bool is_any = search->goal->second.kind == ECS__REF_ANY; // then one is as good as all
    for (int32_t i = 0; i < edges.count; i++) {
        const ecs_id_t own = edges.items[i].id;
        if (!ecs__id_covers(id, own)) continue;
        ecs__way_add(search, is_any ? id : own, id, 0);
        if (is_any) return;
    }
}

// ---- candidates ----

// A candidate's place: position of its table, and row.
static void push_place(const ecs__search_t *search, const ecs_table_t *table, int32_t row) {
    ecs__ids_push(&search->solver->places, (uint64_t)table->index << 32 | (uint32_t)row);
}

static void push_holders(const ecs__search_t *search, const ecs_component_record_t *record) {
    const ecs__store_t *store = search->solver->store;
    if (!ecs__id_may_be_beside(record)) return;
    for (int32_t i = 0; i < ecs__sparse_count(record); i++) {
        const ecs__spot_t holder =
            ecs__entity_spot(&store->entities, ecs__sparse_holders(record)[i].entity);
        push_place(search, holder.table, holder.row);
    }
}

// Homes hold whoever has a plain id, or any pair of a relationship.
static void push_homes(const ecs__search_t *search, bool of_pairs) {
    const ecs_component_record_t *home;
    for (int32_t i = 0; (home = ecs__sparse_home(search->solver->store, i)); i++) {
        if (ECS_IS_PAIR(home->id) == of_pairs) push_holders(search, home);
    }
}

static void push_with_target(const ecs__search_t *search, ecs_id_t id) {
    const ecs_component_record_t *any = ecs__id_record_get(search->solver->store, id), *pair = NULL;
    while (any && (pair = ecs__id_record_next_second(any, pair))) push_holders(search, pair);
}

static void push_with_id(const ecs__search_t *search, ecs_id_t id) {
    bool is_pair = ECS_IS_PAIR(id);
    if (is_pair ? ecs__id_first(id) != Ecs__Wildcard : id != Ecs__Wildcard)
        push_holders(search, ecs__id_record_get(search->solver->store, id));
    else if (!is_pair || ecs__id_second(id) == Ecs__Wildcard)
        push_homes(search, is_pair);
    else
        push_with_target(search, id);
}

// An entity may be in several of the sets that are listed for this.
static bool may_be_of_several_sets(ecs_id_t id) {
    return (ECS_IS_PAIR(id) ? ecs__id_first(id) : id) == Ecs__Wildcard;
}

// Places that follow each other: mostly holders came in the order of their rows.
static bool are_in_order(const ecs__ids_t *places) {
    int32_t i = 1;
    while (i < places->count && places->array[i - 1] < places->array[i]) i++;
    return i >= places->count;
}

static void sort_places(ecs__ids_t *places) {
    if (are_in_order(places)) return;
    ecs__ids_sort(places);
    int32_t kept = 1;
    for (int32_t i = 1; i < places->count; i++) {
        if (places->array[i] != places->array[kept - 1]) places->array[kept++] = places->array[i];
    }
    places->count = kept;
}

void ecs__ways_list_places(const ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs_term_t *term = search->term;
    ecs__ids_t *places = &solver->places;
    places->count = 0;
    for (int32_t i = 0; i < solver->ids.count && term->src.id & EcsSelf; i++)
        push_with_id(search, solver->ids.array[i]);
    bool is_one_set = solver->ids.count == 1 && !may_be_of_several_sets(solver->ids.array[0]);
    int32_t before = places->count;
    if (ecs__ways_may_be_above(search))
        push_with_id(search, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard));
    ecs__ways_list_tables(search);
    for (int32_t i = 0; i < solver->tables.count; i++) {
        const ecs_table_t *table = ecs__ways_table(solver, i);
        for (int32_t row = 0; row < table->count; row++) push_place(search, table, row);
    }
    bool finds_tables = ecs__plan_finds_tables(solver->plan);
    if (!is_one_set || places->count > before || finds_tables) sort_places(places);
}

static bool is_candidate(const ecs__search_t *search, const ecs_table_t *table) {
    if (table->id >= search->solver->table_limit) return false;
    return !(table->flags & ecs__way_skip(search));
}

void ecs__beside_collect(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    ecs__step_state_t *state = search->state;
    ecs__ways_list_places(search);
    for (int32_t i = 0; i < solver->places.count; i++) {
        uint64_t place = solver->places.array[i];
        ecs_table_t *table = solver->store->tables[place >> 32];
        if (!is_candidate(search, table)) continue;
        int32_t row = (int32_t)place, first = state->count;
        search->table = table;
        search->entity = table->entities[row];
        if (ecs__way_is_own_beside(search, table))
            ecs__beside_ask(search);
        else if (!ecs__way_add_first(search))
            ecs__ways_of_entity(search, table, search->entity);
        for (int32_t w = first; w < state->count; w++) ecs__way_take_row(&state->ways[w], row);
        if (!search->is_one || !state->count) continue;
        state->count = 1;
        return;
    }
}
