// SPDX-License-Identifier: MIT
#include "event/outlook.h"

#include "event/decide.h"
#include "storage/search.h"
#include "storage/sparse_ids.h"

// So many entities above are looked at.
#define MOST_ABOVE 64

typedef struct climb_t {
    ecs__store_t *store;
    uint64_t seen;
    int32_t left;
} climb_t;

static uint64_t bloom_beside(ecs__store_t *store, ecs_entity_t entity) {
    uint64_t bloom = 0;
    ecs__sparse_iter_t iter = ecs__sparse_iter(store, entity, 0);
    const ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) bloom |= record->bloom;
    return bloom;
}

static void look_at(climb_t *at, ecs_entity_t entity, ecs_entity_t rel);

static void climb(climb_t *at, ecs_entity_t entity, ecs_entity_t rel) {
    ecs_entity_t target;
    for (int32_t n = 0; at->left > 0 && (target = ecs__target_of(at->store, entity, rel, n)); n++)
        look_at(at, target, rel);
}

// What is above also shows what it inherits.
static void look_at(climb_t *at, ecs_entity_t entity, ecs_entity_t rel) {
    const ecs_table_t *table = ecs__entity_table(&at->store->entities, entity);
    at->left--;
    if (!table) return;
    at->seen |= table->bloom;
    if (at->store->has_sparse) at->seen |= bloom_beside(at->store, entity);
    climb(at, entity, rel);
    if (rel != Ecs__IsA) climb(at, entity, Ecs__IsA);
}

static void look_above(climb_t *at, const ecs_table_t *table, ecs_entity_t rel) {
    ecs_entity_t target;
    for (int32_t n = 0; at->left > 0 && (target = ecs__table_target(table, rel, n)); n++)
        look_at(at, target, rel);
}

static bool differ(const ecs_table_t *table, const ecs_table_t *other, ecs_entity_t rel) {
    ecs_entity_t target;
    int32_t n = 0;
    do {
        target = ecs__table_target(table, rel, n);
        if (target != (other ? ecs__table_target(other, rel, n) : 0)) return true;
        n++;
    } while (target);
    return false;
}

// False if they do not differ.
static bool look_along(
    ecs__outlook_t *outlook, const ecs_table_t *table, const ecs_table_t *other, ecs_entity_t rel) {
    if (!differ(table, other, rel)) return false;
    climb_t at = { table->store, 0, MOST_ABOVE };
    look_above(&at, table, rel);
    if (other) look_above(&at, other, rel);
    outlook->seen |= at.seen;
    outlook->is_wide |= !at.left;
    return true;
}

ecs__outlook_t ecs__outlook(
    const ecs__events_t *events, const ecs_table_t *table, const ecs_table_t *other) {
    ecs__outlook_t outlook = { .had = other ? other->bloom : 0 };
    outlook.moves_bases = outlook.moves_one_of_several =
        look_along(&outlook, table, other, Ecs__IsA);
    for (int32_t r = 0; r < ecs_vec_count(&events->rels); r++) {
        ecs_entity_t rel = *ecs_vec_get_t(&events->rels, ecs_entity_t, r);
        const bool differs =
            rel == Ecs__IsA ? outlook.moves_bases : look_along(&outlook, table, other, rel);
        if (!differs) continue;
        if (!ecs__has_one_target(table->store, rel)) outlook.moves_one_of_several = true;
        if (outlook.rel_count == ECS__OUTLOOK_RELS)
            outlook.is_wide = true;
        else
            outlook.rels[outlook.rel_count++] = rel;
    }
    if (outlook.is_wide) outlook.seen = UINT64_MAX;
    return outlook;
}

ecs__outlook_t ecs__outlook_of_edge(ecs__store_t *store, ecs_id_t edge) {
    const ecs_entity_t rel = ecs__id_first(edge); /* pairs do not tell its generation */
    const ecs_entity_t target = ecs__pair_target(&store->entities, edge);
    climb_t at = { store, 0, MOST_ABOVE };
    if (target) look_at(&at, target, rel);
    return (
        ecs__outlook_t){ .seen = at.left ? at.seen : UINT64_MAX, .rels = { rel }, .rel_count = 1 };
}

uint32_t ecs__outlook_by(const ecs__outlook_t *outlook) {
    uint32_t by = outlook->is_wide ? ECS__BY_ABOVE : 0;
    if (outlook->moves_bases) by |= ECS__BY_BASES;
    for (int32_t i = 0; i < outlook->rel_count; i++)
        by |= outlook->rels[i] == Ecs__IsA ? ECS__BY_BASES : ECS__BY_ABOVE;
    return by;
}

bool ecs__outlook_shows(const ecs__outlook_t *outlook, const ecs__looker_t *looker) {
    if (!(looker->bloom & outlook->seen)) return false;
    if (outlook->is_wide) return true;
    int32_t i = 0;
    while (i < outlook->rel_count && (uint32_t)outlook->rels[i] != (uint32_t)looker->rel) i++;
    return i < outlook->rel_count;
}
