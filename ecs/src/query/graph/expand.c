// SPDX-License-Identifier: MIT
// expand: what can be reached along relationships. Cycles end, as each entity comes once.
#include <stdlib.h>

#include <muster/ecs/os.h>
#include "query/graph/chain.h"
#include "query/graph/solve.h"
#include "storage/sparse_ids.h"

void ecs__ids_push(ecs__ids_t *ids, uint64_t id) {
    if (ids->count == ids->size) {
        ids->size = ids->size ? 2 * ids->size : 8;
        ids->array = ecs_os_realloc_n(ids->array, uint64_t, ids->size);
    }
    ids->array[ids->count++] = id;
}

void ecs__ids_resize(ecs__ids_t *ids, int32_t count) {
    if (count > ids->size) {
        ids->size = count;
        ids->array = ecs_os_realloc_n(ids->array, uint64_t, count);
    }
    ids->count = count;
}

static int compare(const void *a, const void *b) {
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

void ecs__ids_sort(ecs__ids_t *ids) {
    if (ids->count) qsort(ids->array, (size_t)ids->count, sizeof(uint64_t), compare);
}

typedef struct walk_t {
    const ecs__store_t *store;
    const ecs__instead_t *instead;
    const ecs__ids_t *along;
    const ecs_component_record_t *any; /* (R, *) of the first of them, or NULL */
    ecs__reached_t *memory;
} walk_t;

#define FEW 16 /* that are looked through one by one */

bool ecs__is_reached(const ecs__reached_t *reached, uint32_t entity) {
    const ecs__ids_t *list = &reached->list;
    if (list->count > FEW) return ecs_map_get(&reached->seen, entity);
    for (int32_t i = 0; i < list->count; i++) {
        if ((uint32_t)list->array[i] == entity) return true;
    }
    return false;
}

static void reach(walk_t *walk, ecs_entity_t entity) {
    ecs__reached_t *reached = walk->memory;
    if (!entity || ecs__is_reached(reached, (uint32_t)entity)) return;
    ecs__ids_push(&reached->list, entity);
    const int32_t count = reached->list.count;
    for (int32_t i = count == FEW + 1 ? 0 : count - 1; count > FEW && i < count; i++)
        ecs_map_insert(&reached->seen, (uint32_t)reached->list.array[i], 1);
}

static const ecs_component_record_t *any_of(const ecs__store_t *store, ecs_entity_t rel) {
    return ecs__id_record_get(store, ECS__MAKE_PAIR((uint32_t)rel, Ecs__Wildcard));
}

// Numbers of pairs are nobody.
static void reach_second(walk_t *walk, ecs_id_t pair) {
    if (ECS_IS_VALUE_PAIR(pair)) return;
    reach(walk, ecs__entity_alive_id(&walk->store->entities, ecs__id_second(pair)));
}

static bool reach_in_table(walk_t *walk, ecs_entity_t rel, const ecs_table_t *table) {
    const ecs_type_t *type = &table->type;
    const ecs_id_t first = ECS__MAKE_PAIR((uint32_t)rel, 0);
    if (!(table->bloom & ecs__id_bloom(first | Ecs__Wildcard))) return false;
    const int32_t from = ecs__type_lower_bound(type, first);
    int32_t at = from;
    for (; at < type->count && !((type->array[at] ^ first) >> 32); at++)
        reach_second(walk, type->array[at]);
    return at > from;
}

// A move to a table that has a parent ends the edge to another beside the table.
static void reach_instead(
    walk_t *walk, ecs_entity_t rel, const ecs_component_record_t *any, ecs_entity_t entity) {
    const ecs__instead_t *instead = walk->instead;
    const ecs_table_t *table = ecs__id_is_beside(any) ? NULL : instead->table;
    if ((table && reach_in_table(walk, rel, table)) || !ecs__id_may_be_beside(any)) return;
    ecs__held_t held =
        ecs__held(walk->store, instead, entity, ECS__MAKE_PAIR((uint32_t)rel, Ecs__Wildcard));
    while (ecs__held_next(&held)) reach_second(walk, held.id);
}

static void reach_targets_by(walk_t *walk, ecs_entity_t rel, const ecs_component_record_t *any,
    const ecs_table_t *table, ecs_entity_t entity) {
    if (entity && entity == walk->instead->entity) {
        reach_instead(walk, rel, any, entity);
        return;
    }
    if (ecs__id_may_be_beside(any)) {
        const ecs__sparse_edges_t edges = ecs__sparse_edges(any, entity);
        for (int32_t n = 0; n < edges.count; n++) reach_second(walk, edges.items[n].id);
    }
    reach_in_table(walk, rel, table);
}

static void reach_targets(walk_t *walk, const ecs_table_t *table, ecs_entity_t entity) {
    const ecs__ids_t *along = walk->along;
    reach_targets_by(walk, along->array[0], walk->any, table, entity);
    for (int32_t i = 1; i < along->count; i++) {
        const ecs_entity_t rel = along->array[i];
        reach_targets_by(walk, rel, any_of(walk->store, rel), table, entity);
    }
}

// Whoever is looked at as another has what that one has.
static void reach_source(walk_t *walk, ecs_entity_t source) {
    if (source != walk->instead->entity) reach(walk, source);
}

static void reach_sources_by(walk_t *walk, ecs_entity_t rel, ecs_entity_t entity) {
    const ecs_id_t pair = ECS__MAKE_PAIR((uint32_t)rel, (uint32_t)entity);
    const ecs_component_record_t *record = ecs__id_record_get(walk->store, pair);
    const ecs_entity_t other = walk->instead->entity;
    for (int32_t i = 0; i < ecs__sparse_count(record); i++)
        reach_source(walk, ecs__sparse_holders(record)[i].entity);
    const ecs_table_t *table;
    for (int32_t at = 0; record && (table = ecs__id_record_next_table(record, &at, false));) {
        for (int32_t row = 0; row < table->count; row++) reach_source(walk, table->entities[row]);
    }
    if (other && ecs__instead_has(walk->store, walk->instead, other, pair)) reach(walk, other);
}

static void reach_sources(walk_t *walk, ecs_entity_t entity) {
    if (entity == Ecs__Wildcard || entity == Ecs__Any) return; // (R, *) is everybody's
    for (int32_t i = 0; i < walk->along->count; i++)
        reach_sources_by(walk, walk->along->array[i], entity);
}

static void step(walk_t *walk, ecs_entity_t entity, bool up) {
    if (!up) {
        reach_sources(walk, entity);
        return;
    }
    const ecs_table_t *table = ecs__entity_table(&walk->store->entities, entity);
    if (table) reach_targets(walk, table, entity);
}

// Level by level; the first level has been reached.
static void finish(walk_t *walk, bool up, int32_t min, int32_t max, ecs__ids_t *out) {
    const ecs__ids_t *reached = &walk->memory->list;
    int32_t at = 0;
    for (int32_t depth = 1; at < reached->count; depth++) {
        for (int32_t end = reached->count; at < end; at++) {
            ecs_entity_t entity = reached->array[at];
            if (depth >= min) ecs__ids_push(out, entity);
            if (!max || depth < max) step(walk, entity, up);
        }
    }
}

static walk_t begin(ecs__solver_t *solver, const ecs__ids_t *along) {
    ecs_map_clear(&solver->reached.seen);
    solver->reached.list.count = 0;
    const ecs_component_record_t *any = any_of(solver->store, along->array[0]);
    return (walk_t){ solver->store, &solver->instead, along, any, &solver->reached };
}

// Pairs of the one relationship are in tables alone, and none is thought of as another.
static bool is_in_tables(
    const ecs__solver_t *solver, const ecs__ids_t *along, const ecs_component_record_t *any) {
    return along->count == 1 && !solver->instead.entity && !ecs__id_may_be_beside(any);
}

void ecs__expand_up(ecs__solver_t *solver, const ecs_table_t *table, ecs_entity_t entity,
    const ecs__ids_t *along, int32_t min, int32_t max, ecs__ids_t *out) {
    walk_t walk = begin(solver, along);
    const uint32_t rel = (uint32_t)along->array[0];
    const bool may_begin = table->bloom & ecs__id_bloom(ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    if (!may_begin && is_in_tables(solver, along, walk.any)) return;
    reach_targets(&walk, table, entity);
    finish(&walk, true, min, max, out);
}

void ecs__expand_down(ecs__solver_t *solver, ecs_entity_t root, const ecs__ids_t *along,
    int32_t min, int32_t max, ecs__ids_t *out) {
    walk_t walk = begin(solver, along);
    reach_sources(&walk, root);
    finish(&walk, false, min, max, out);
}

static bool finds(ecs__solver_t *solver, const ecs_table_t *table, ecs_entity_t entity,
    const ecs__ids_t *along, bool in_one_step, ecs_entity_t wanted) {
    walk_t walk = begin(solver, along);
    const ecs__ids_t *reached = &solver->reached.list;
    reach_targets(&walk, table, entity);
    for (int32_t at = 0; at < reached->count; at++) {
        if (reached->array[at] == wanted) return true;
        if (!in_one_step) step(&walk, reached->array[at], true);
    }
    return false;
}

bool ecs__expand_finds(ecs__solver_t *solver, const ecs_table_t *table, ecs_entity_t entity,
    const ecs__ids_t *along, bool in_one_step, ecs_entity_t wanted) {
    const ecs__store_t *store = solver->store;
    const ecs_id_t any = ECS__MAKE_PAIR((uint32_t)along->array[0], Ecs__Wildcard);
    ecs__chain_t chain = ECS__CHAIN_FORKS;
    int32_t hint = 0;
    if (is_in_tables(solver, along, ecs__id_record_get(store, any)))
        chain = ecs__follow_chain(store, table, any, in_one_step, (uint32_t)wanted, &hint);
    return chain == ECS__CHAIN_FORKS ? finds(solver, table, entity, along, in_one_step, wanted)
                                     : chain == ECS__CHAIN_FINDS;
}
