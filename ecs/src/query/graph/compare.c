// SPDX-License-Identifier: MIT
// compare: ways in which comparisons hold: `$x == entity`, `$x == "name"`, `$x ~= "part of a name"`.
//
// Whoever is compared is known, or found by the one entity, or the name, that it has to be.
#include <string.h>

#include <muster/ecs/name.h>

#include "query/graph/ways.h"

static void add_row(ecs__search_t *search, ecs_table_t *table, int32_t row) {
    search->table = table;
    ecs__way_take_row(ecs__way_push(search), row);
}

static void collect_equal_entity(ecs__search_t *search, ecs_entity_t right) {
    const ecs__goal_t *goal = search->goal;
    ecs_entity_t left = ecs__ref_entity(search->solver, &goal->src);
    if (!ecs__ref_is_known(search->solver, &goal->src)) {
        const ecs__spot_t spot = ecs__entity_find(&search->solver->store->entities, right);
        if (spot.table && ecs__way_is_candidate(search, spot.table))
            add_row(search, spot.table, spot.row);
    } else if (left && (!right || left == right)) {
        ecs__way_push(search)->second = left;
    }
}

static bool has_name(const ecs__solver_t *solver, ecs_entity_t entity, const char *name) {
    const char *own = ecs_get_name(solver->world, entity);
    return own && !strcmp(own, name);
}

static void collect_named(ecs__search_t *search, const char *name) {
    const ecs__solver_t *solver = search->solver;
    const ecs_component_record_t *named =
        ecs__id_record_get(solver->store, ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name));
    ecs_table_t *table;
    for (int32_t at = 0; named && (table = ecs__id_record_next_table(named, &at, true));) {
        if (!ecs__way_is_candidate(search, table)) continue;
        for (int32_t row = 0; row < table->count; row++) {
            if (has_name(solver, table->entities[row], name)) add_row(search, table, row);
        }
    }
}

void ecs__equal_collect(ecs__search_t *search) {
    const ecs__goal_t *goal = search->goal;
    ecs__solver_t *solver = search->solver;
    if (!(search->term->second.id & EcsIsName)) {
        bool is_open = ecs__ref_is_open(solver, &goal->second);
        ecs_entity_t right = ecs__ref_entity(solver, &goal->second);
        if (right || is_open) collect_equal_entity(search, right);
        return;
    }
    ecs_entity_t left = ecs__ref_entity(solver, &goal->src);
    if (!ecs__ref_is_known(solver, &goal->src))
        collect_named(search, search->term->second.name);
    else if (left && has_name(solver, left, search->term->second.name))
        ecs__way_push(search);
}

void ecs__named_like_collect(ecs__search_t *search) {
    ecs_entity_t left = ecs__ref_entity(search->solver, &search->goal->src);
    const char *text = search->term->second.name,
               *name = left ? ecs_get_name(search->solver->world, left) : NULL;
    bool is_not = text[0] == '!';
    bool contains = name && strstr(name, text + is_not);
    if (left && contains != is_not) ecs__way_push(search);
}
