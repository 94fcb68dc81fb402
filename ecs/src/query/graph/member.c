// SPDX-License-Identifier: MIT
// member: ways in which a member of a value is an entity. Each entity has a value of its own, so that
// candidates are rows; values that instances inherit count for these.
#include <muster/ecs/component.h>
#include <muster/ecs/entity.h>

#include "query/eval/rows.h"
#include "query/graph/ways.h"
#include "storage/sparse_ids.h"

// Whose value counts for an entity: its own, or that of a base.
static ecs_entity_t holder_of(const ecs__search_t *search, ecs_entity_t entity) {
    static const ecs__instead_t as_it_is;
    const ecs_term_t *term = search->term;
    const ecs_id_t component = search->goal->component;
    const bool is_asked = term->src.id & EcsSelf && !term->min_depth;
    if (is_asked && ecs_owns_id(search->solver->world, entity, component)) return entity;
    if (!(term->src.id & EcsUp)) return 0;
    return ecs__instead_above(search->solver->store, &as_it_is, entity, component, Ecs__IsA,
        term->min_depth, term->max_depth);
}

// The entity that the member of its value holds; 0 if it has no value, or it is switched off. That is no access by the system that asks:
// its terms say what they compare.
static ecs_entity_t value_of(const ecs__search_t *search, ecs_entity_t holder) {
    const ecs__goal_t *goal = search->goal;
    const ecs__store_t *store = search->solver->store;
    const ecs__spot_t spot = ecs__entity_find(&store->entities, holder);
    const void *value = spot.table ? ecs__value_of(spot, goal->component) : NULL;
    if (!value || !ecs__id_is_on(store, holder, goal->component)) return 0;
    return *(const ecs_entity_t *)ECS_OFFSET(value, goal->offset);
}

static bool is_wanted(const ecs__search_t *search, ecs_entity_t value) {
    const ecs__ref_t *second = &search->goal->second;
    const ecs__entity_index_t *entities = &search->solver->store->entities;
    if (!value || !ecs__entity_is_alive(entities, value)) return false;
    return !ecs__ref_is_known(search->solver, second) ||
           value == ecs__ref_entity(search->solver, second);
}

static ecs__way_t *add(const ecs__search_t *search, ecs_entity_t entity, const ecs_table_t *in) {
    const ecs_entity_t holder = holder_of(search, entity), value = value_of(search, holder);
    if (!is_wanted(search, value)) return NULL;
    ecs__way_t *way = ecs__way_push(search);
    way->first = search->goal->first.entity;
    way->second = value;
    way->in = in;
    way->source = holder == entity ? 0 : holder;
    bool is_any = search->goal->second.kind == ECS__REF_ANY;
    way->id = ECS__MAKE_PAIR((uint32_t)way->first, is_any ? Ecs__Wildcard : (uint32_t)value);
    return way;
}

// False if no other row needs to be asked.
static bool add_row(ecs__search_t *search, ecs_table_t *table, int32_t row) {
    search->table = table;
    ecs__way_t *way = add(search, table->entities[row], table);
    if (way) ecs__way_take_row(way, row);
    return !way || !search->is_one;
}

// No table tells who has a value that is kept beside it.
static void collect_beside(ecs__search_t *search) {
    const ecs__solver_t *solver = search->solver;
    ecs__ways_list_places(search);
    for (int32_t i = 0; i < solver->places.count; i++) {
        const uint64_t place = solver->places.array[i];
        ecs_table_t *table = solver->store->tables[place >> 32];
        const bool is_candidate = ecs__way_is_candidate(search, table);
        if (is_candidate && !add_row(search, table, (int32_t)place)) return;
    }
}

static void collect_candidates(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs_id_t component = search->goal->component;
    solver->ids.count = 0;
    ecs__ids_push(&solver->ids, component);
    if (ecs__id_may_be_beside(ecs__id_record_get(solver->store, component))) {
        collect_beside(search);
        return;
    }
    ecs__ways_list_tables(search);
    for (int32_t i = 0; i < solver->tables.count; i++) {
        ecs_table_t *table = ecs__ways_table(solver, i);
        for (int32_t row = 0; row < table->count; row++) {
            if (!add_row(search, table, row)) return;
        }
    }
}

void ecs__member_collect(ecs__search_t *search) {
    const ecs__ref_t *src = &search->goal->src;
    if (src->kind == ECS__REF_ANY || ecs__ref_is_open(search->solver, src)) {
        collect_candidates(search);
        return;
    }
    ecs_entity_t entity = ecs__ref_entity(search->solver, src);
    const ecs_table_t *table =
        entity ? ecs__entity_table(&search->solver->store->entities, entity) : NULL;
    if (table) add(search, entity, table);
}
