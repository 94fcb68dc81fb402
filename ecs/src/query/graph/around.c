// SPDX-License-Identifier: MIT
// around: ways in which a goal holds through what is above or below its source (`up`, `down`, `all`).
//
// For most goals the nearest above that has the id provides it, or the first below. A variable in the id takes each value for
// which it would be found: then all are asked for what they have.
#include "query/graph/ways.h"
#include "storage/sparse_ids.h"

// ---- the nearest ----

static bool add_above(const ecs__search_t *search, const ecs_table_t *table, ecs_id_t id) {
    ecs__found_t found;
    const ecs_term_t *term = search->term;
    if (search->by_entity) {
        ecs_entity_t above = ecs__instead_above(search->solver->store, &search->solver->instead,
            search->entity, id, term->trav, term->min_depth, term->max_depth);
        return above && ecs__way_add_matches(search, ecs__way_table_of(search, above), above, id);
    }
    if (!ecs__search_up(
            table, id, term->trav, false, true, term->min_depth, term->max_depth, &found))
        return false;
    return ecs__way_add_matches(search, found.table, found.source, id);
}

// The ids an entity is asked for: one, or the kinds of one, of which it counts once.
typedef struct asked_t {
    const uint64_t *ids;
    int32_t count;
} asked_t;

static bool is_found_around(const ecs__search_t *search, ecs_id_t id) {
    return ecs__id_is_wildcard(id) ||
           ecs__id_is_found_along(search->solver->store, id, search->term->trav);
}

static bool add_any(const ecs__search_t *search, ecs_entity_t entity, asked_t asked) {
    const ecs_table_t *table = ecs__way_table_of(search, entity);
    bool found = false;
    for (int32_t i = 0; i < asked.count && table && !found; i++)
        found = is_found_around(search, asked.ids[i]) &&
                ecs__way_add_matches(search, table, entity, asked.ids[i]);
    return found;
}

// Each of several entities, or the first of them, that has one of the ids.
static bool add_of(const ecs__search_t *search, const ecs__ids_t *entities, asked_t asked) {
    bool found = false, all = search->term->src.id & EcsAll;
    for (int32_t i = 0; i < entities->count && (all || !found); i++)
        found |= add_any(search, entities->array[i], asked);
    return found;
}

static bool is_way(const ecs__search_t *search, int32_t first, ecs_entity_t source, asked_t asked) {
    const ecs__step_state_t *state = search->state;
    for (; first < state->count; first++) {
        const ecs__way_t *way = &state->ways[first];
        for (int32_t i = 0; i < asked.count && way->source == source; i++)
            if (ecs_id_match(way->id, asked.ids[i])) return true;
    }
    return false;
}

// The nearest base of an entity that has none of them itself.
static ecs_entity_t base_with(const ecs__search_t *search, ecs_entity_t entity, asked_t asked) {
    const ecs__solver_t *solver = search->solver;
    const ecs__instead_t *instead = &solver->instead;
    for (int32_t i = 0; i < asked.count; i++)
        if (ecs__instead_has(solver->store, instead, entity, asked.ids[i])) return 0;
    ecs_entity_t base = 0;
    for (int32_t i = 0; i < asked.count && !base; i++)
        base = ecs__instead_above(solver->store, instead, entity, asked.ids[i], Ecs__IsA, 0, 0);
    return base;
}

// A base of several counts once.
static bool add_bases_with(const ecs__search_t *search, const ecs__ids_t *entities, int32_t count,
    asked_t asked, int32_t first) {
    bool found = false;
    for (int32_t i = 0; i < count; i++) {
        const ecs_entity_t base = base_with(search, entities->array[i], asked);
        if (base && !is_way(search, first, base, asked)) found |= add_any(search, base, asked);
    }
    return found;
}

static ecs__ids_t *begin_around(ecs__solver_t *solver) {
    solver->around.count = 0;
    return &solver->around;
}

static ecs__held_t held_by(const ecs__search_t *search, ecs_entity_t entity, ecs_id_t pattern) {
    return ecs__held(search->solver->store, &search->solver->instead, entity, pattern);
}

// A variable takes each value for which one inherits the id.
static bool add_bases_of(
    const ecs__search_t *search, ecs__ids_t *entities, asked_t asked, int32_t first) {
    const int32_t count = entities->count;
    const ecs_id_t pattern = asked.ids[0];
    bool found = false;
    if (asked.count > 1 || !ecs__id_is_wildcard(pattern) || !ecs__way_is_open(search))
        return add_bases_with(search, entities, count, asked, first);
    for (int32_t i = 0; i < count; i++) {
        const ecs_entity_t entity = entities->array[i];
        const ecs_table_t *table = ecs__way_table_of(search, entity);
        if (table)
            ecs__expand_up(search->solver, table, entity, ECS__ONE_ID(Ecs__IsA), 0, 0, entities);
    }
    for (int32_t i = count; i < entities->count; i++) {
        const ecs_table_t *base = ecs__way_table_of(search, entities->array[i]);
        for (int32_t k = 0; base && (k = ecs__type_match(&base->type, k, pattern)) >= 0; k++)
            found |= add_bases_with(
                search, entities, count, (asked_t){ &base->type.array[k], 1 }, first);
        ecs__held_t beside = held_by(search, entities->array[i], pattern);
        while (search->by_entity && ecs__held_next(&beside))
            found |= add_bases_with(search, entities, count, (asked_t){ &beside.id, 1 }, first);
    }
    return found;
}

bool ecs__around_add(const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity,
    const uint64_t *ids, int32_t count) {
    const asked_t asked = { ids, count };
    const ecs_term_t *term = search->term;
    ecs__solver_t *solver = search->solver;
    bool found = false;
    if (term->src.id & EcsUp && !(term->src.id & EcsAll)) {
        found = add_above(search, table, *ids);
    } else if (term->src.id & EcsUp) {
        ecs__ids_t *above = begin_around(solver);
        const int32_t first = search->state->count;
        ecs__expand_up(solver, table, entity, ECS__ONE_ID(term->trav), term->min_depth,
            term->max_depth, above);
        found = add_of(search, above, asked);
        if (term->trav != Ecs__IsA) found |= add_bases_of(search, above, asked, first);
    }
    if (term->src.id & EcsDown && entity && (!found || term->src.id & EcsAll)) {
        ecs__ids_t *below = begin_around(solver);
        ecs__expand_down(
            solver, entity, ECS__ONE_ID(term->trav), term->min_depth, term->max_depth, below);
        found |= add_of(search, below, asked);
    }
    return found;
}

// ---- everything around ----

// A variable takes any value for which the id would be found, not just those of the nearest.
bool ecs__around_takes_all(const ecs__search_t *search, ecs_id_t id) {
    const uint64_t flags = search->term->src.id;
    return flags & (EcsUp | EcsDown) && !(flags & EcsAll) && ecs__id_is_wildcard(id) &&
           ecs__way_is_open(search);
}

typedef struct around_t {
    const ecs__search_t *search;
    const ecs_table_t *table; /* of the source */
    ecs_id_t pattern;
    int32_t first; /* of the ways of the source */
    bool hides;    /* what it has itself hides what is around */
} around_t;

static bool is_open(const ecs__ref_t *ref) {
    return ref->kind == ECS__REF_STAR || ref->kind == ECS__REF_ANY;
}

// Beside a value of a variable, `*` stands for what the nearest has that has any with this value.
static ecs_id_t with_stars(const around_t *around, ecs_id_t id) {
    const ecs__goal_t *goal = around->search->goal;
    if (!(id & ECS__PAIR)) return id;
    const ecs_id_t second = is_open(&goal->second) ? around->pattern : id; // and its kind
    const uint32_t first = is_open(&goal->first) ? Ecs__Wildcard : ecs__id_first(id);
    return (second & ECS_ID_FLAGS_MASK) | ECS__MAKE_PAIR(first, ecs__id_second(second));
}

static bool is_listed(const around_t *around, ecs_id_t id) {
    const ecs__step_state_t *state = around->search->state;
    if (around->hides && ecs__table_has(around->table, id)) return true;
    for (int32_t i = around->first; i < state->count; i++) {
        if (ecs_id_match(state->ways[i].id, id)) return true;
    }
    return false;
}

// Below, the first that has an id provides it; above, that is for the search to say.
static void add_id_around(around_t *around, ecs_entity_t entity, ecs_id_t found, bool is_above) {
    const ecs_id_t id = with_stars(around, found);
    if (is_listed(around, id)) return;
    const ecs__search_t *search = around->search;
    if (is_above)
        add_above(search, around->table, id);
    else
        ecs__way_add_matches(search, ecs__way_table_of(search, entity), entity, id);
}

static void add_ids_of(around_t *around, ecs_entity_t entity, bool is_above) {
    const ecs__search_t *search = around->search;
    const ecs_table_t *table = ecs__way_table_of(search, entity);
    for (int32_t k = 0; table && (k = ecs__type_match(&table->type, k, around->pattern)) >= 0; k++)
        add_id_around(around, entity, table->type.array[k], is_above);
    ecs__held_t beside = held_by(search, entity, around->pattern);
    while (search->by_entity && ecs__held_next(&beside))
        add_id_around(around, entity, beside.id, is_above);
}

static void add_all_above(around_t *around) {
    const ecs__search_t *search = around->search;
    const ecs_entity_t trav = search->term->trav;
    ecs__ids_t *above = begin_around(search->solver);
    ecs__expand_up(search->solver, around->table, search->entity, ECS__ONE_ID(trav), 0, 0, above);
    for (int32_t i = 0, own = above->count; trav != Ecs__IsA && i < own; i++) {
        const ecs_table_t *table = ecs__way_table_of(search, above->array[i]);
        if (table)
            ecs__expand_up(
                search->solver, table, above->array[i], ECS__ONE_ID(Ecs__IsA), 0, 0, above);
    }
    for (int32_t i = 0; i < above->count; i++) add_ids_of(around, above->array[i], true);
}

static void add_all_below(around_t *around, ecs_entity_t entity) {
    const ecs__search_t *search = around->search;
    const ecs_term_t *term = search->term;
    ecs__ids_t *below = begin_around(search->solver);
    ecs__expand_down(
        search->solver, entity, ECS__ONE_ID(term->trav), term->min_depth, term->max_depth, below);
    for (int32_t i = 0; i < below->count; i++) add_ids_of(around, below->array[i], false);
}

void ecs__around_add_all(const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity,
    ecs_id_t pattern, int32_t first, bool hides) {
    const uint64_t flags = search->term->src.id;
    around_t around = { search, table, pattern, first, hides };
    if (flags & EcsUp) add_all_above(&around);
    if (flags & EcsDown && entity) add_all_below(&around, entity);
}

static bool is_above(const ecs__search_t *search, ecs_id_t id, int32_t max_depth) {
    const ecs__solver_t *solver = search->solver;
    const ecs_term_t *term = search->term;
    return ecs__instead_above(solver->store, &solver->instead, search->entity, id, term->trav,
        term->min_depth, max_depth);
}

// INT32_MAX: it is nowhere.
static int32_t depth_above(const ecs__search_t *search, const ecs_table_t *table, ecs_id_t id) {
    const ecs_term_t *term = search->term;
    if (!search->by_entity) {
        ecs__found_t found;
        bool is_there = ecs__search_up(
            table, id, term->trav, false, true, term->min_depth, term->max_depth, &found);
        return is_there ? found.depth : INT32_MAX;
    }
    if (!is_above(search, id, term->max_depth)) return INT32_MAX;
    const int32_t deepest = search->solver->store->entities.alive_count;
    int32_t depth = ECS_MAX(term->min_depth, 1);
    while (depth < deepest && !is_above(search, id, depth)) depth++;
    return depth;
}

// The position of the id that is nearest above; 0 if there is none.
int32_t ecs__around_nearest(const ecs__search_t *search, const ecs_table_t *table) {
    const ecs__ids_t *ids = &search->solver->ids;
    int32_t nearest = 0, least = INT32_MAX;
    for (int32_t i = 0; i < ids->count; i++) {
        const int32_t depth = depth_above(search, table, ids->array[i]);
        if (depth >= least) continue;
        nearest = i;
        least = depth;
    }
    return nearest;
}
