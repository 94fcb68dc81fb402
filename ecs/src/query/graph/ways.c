// SPDX-License-Identifier: MIT
// ways: in which ways a goal holds with the values bound now.
//
// The elements of an id give a list of ids to look for: one with `*` for what is not known, or several for sets (kinds, transitive
// targets, traversal). A known source is asked for them; otherwise the tables that the index lists for them are, in order of creation.
#include <stdlib.h>
#include <string.h>

#include <muster/ecs/name.h>
#include <muster/ecs/os.h>
#include "query/check/resolve.h"
#include "query/graph/ways.h"
#include "query/parse/term.h"
#include "storage/children.h"
#include "storage/sparse_ids.h"

// ---- values ----

ecs_entity_t ecs__ref_entity(const ecs__solver_t *solver, const ecs__ref_t *ref) {
    if (ref->kind == ECS__REF_ENTITY && ref->path)
        return ecs__resolve_name(solver->world, ref->path);
    if (ref->kind == ECS__REF_ENTITY) return ref->entity;
    if (ref->kind != ECS__REF_VAR) return 0;
    ecs_entity_t entity = solver->values[ref->var].entity;
    if (!entity || !ref->path) return entity;
    return ecs_lookup_path_w_sep(solver->world, entity, ref->path, NULL, NULL, false);
}

static bool is_known(const ecs__solver_t *solver, const ecs__ref_t *ref) {
    if (ref->kind == ECS__REF_VAR) return ecs__solver_has(solver, ref->var);
    return ref->kind == ECS__REF_ENTITY;
}

static bool is_open_var(const ecs__solver_t *solver, const ecs__ref_t *ref) {
    return ref->kind == ECS__REF_VAR && !is_known(solver, ref);
}

static bool has_open_element(const ecs__search_t *search) {
    return is_open_var(search->solver, &search->goal->first) ||
           is_open_var(search->solver, &search->goal->second);
}

ecs__way_t *ecs__way_push(const ecs__search_t *search) {
    ecs__step_state_t *state = search->state;
    if (state->count == state->size) {
        state->size = state->size ? 2 * state->size : 4;
        state->ways = ecs_os_realloc_n(state->ways, ecs__way_t, state->size);
    }
    ecs__way_t *way = &state->ways[state->count++];
    *way = (ecs__way_t){ .id = search->term->id, .index = -1, .table = search->table };
    if (search->table) way->count = search->table->count;
    return way;
}

// ---- ids to look for ----

// False if the element stands for nothing. An empty list means `*`.
static bool list_element(const ecs__search_t *search, const ecs__ref_t *ref, ecs__ids_t *out) {
    ecs__solver_t *solver = search->solver;
    out->count = 0;
    if (!is_known(solver, ref)) return true;
    ecs_entity_t entity = ecs__ref_entity(solver, ref);
    if (!entity) return false;
    if (ref->with_self) ecs__ids_push(out, entity);
    const ecs_record_t *record = ecs__entity_try(&solver->store->entities, entity);
    const ecs_term_t *term = search->term;
    if (ref->with_up && record)
        ecs__expand_up(
            solver, record->table, entity, ref->trav, term->min_depth, term->max_depth, out);
    if (ref->with_down)
        ecs__expand_down(solver, entity, ref->trav, term->min_depth, term->max_depth, out);
    return out->count > 0;
}

static void list_pairs(ecs__solver_t *solver, ecs_id_t flags, uint64_t first) {
    if (!solver->seconds.count)
        ecs__ids_push(&solver->ids, flags | ECS__MAKE_PAIR(first, Ecs__Wildcard));
    for (int32_t i = 0; i < solver->seconds.count; i++) {
        ecs__ids_push(
            &solver->ids, flags | ECS__MAKE_PAIR(first, (uint32_t)solver->seconds.array[i]));
    }
}

static bool is_value_pair(const ecs_term_t *term) { return ECS_IS_VALUE_PAIR(term->id); }

static bool list_ids(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs__goal_t *goal = search->goal;
    bool is_pair = search->term->id & ECS__PAIR;
    ecs_id_t flags = search->term->id & ECS_ID_FLAGS_MASK & ~ECS__PAIR;
    solver->ids.count = solver->seconds.count = 0;
    if (!list_element(search, &goal->first, &solver->firsts)) return false;
    if (is_pair && is_value_pair(search->term))
        ecs__ids_push(&solver->seconds, ecs__id_second(search->term->id));
    else if (is_pair && !list_element(search, &goal->second, &solver->seconds))
        return false;
    if (!solver->firsts.count) ecs__ids_push(&solver->firsts, Ecs__Wildcard);
    for (int32_t i = 0; i < solver->firsts.count; i++) {
        uint64_t first = solver->firsts.array[i]; /* plain ids keep their generation */
        if (is_pair)
            list_pairs(solver, flags, (uint32_t)first);
        else
            ecs__ids_push(&solver->ids, flags | first);
    }
    bool is_any = goal->first.kind == ECS__REF_ANY || goal->second.kind == ECS__REF_ANY;
    bool is_all = ecs__goal_has_star(goal);
    bool has_free = !is_known(solver, &goal->first) ||
                    (is_pair && !is_value_pair(search->term) && !is_known(solver, &goal->second));
    bool is_set = goal->first.trav || goal->second.trav;
    search->once = (is_any && !is_all && !has_open_element(search)) || (is_set && !has_free);
    return true;
}

// ---- ids of one table ----

bool ecs__way_set_elements(const ecs__search_t *search, ecs__way_t *way, ecs_id_t id) {
    const ecs__entity_index_t *entities = &search->solver->store->entities;
    const ecs__goal_t *goal = search->goal;
    bool is_pair = id & ECS__PAIR;
    way->first = ecs__entity_alive_id(entities, is_pair ? ecs__id_first(id) : (uint32_t)id);
    way->second =
        is_pair && !ECS_IS_VALUE_PAIR(id) ? ecs__entity_alive_id(entities, ecs__id_second(id)) : 0;
    bool needs_first = goal->first.kind == ECS__REF_VAR,
         needs_second = goal->second.kind == ECS__REF_VAR;
    return (!needs_first || way->first) && (!needs_second || way->second);
}

// Rows of candidates are asked when they are tried.
static bool is_on(const ecs__search_t *search, ecs_id_t id, ecs_entity_t source) {
    if (!source) source = search->entity;
    return !search->goal->by_row || !source || ecs__id_is_on(search->solver->store, source, id);
}

bool ecs__way_counts(
    const ecs__search_t *search, ecs_id_t id, ecs_entity_t source, bool inherited) {
    if (inherited && !ecs__id_is_inherited(search->solver->store, id)) return false;
    if (search->term->flags_ & ECS__TERM_IS_VALUE && !ECS_IS_VALUE_PAIR(id)) return false;
    return is_on(search, id, source);
}

// Values of a kind begin like those of its base: so says who made it, and sizes may not tell otherwise.
static bool fits_base(const ecs__search_t *search, const ecs_type_info_t *type) {
    const ecs_type_info_t *base = search->goal->base;
    return !base || (type && type->size >= base->size && type->alignment >= base->alignment);
}

static bool fits(const ecs__search_t *search, const ecs_table_t *in, int32_t index) {
    return !search->goal->base || fits_base(search, in->records[index].cr->type_info);
}

// Ids of a table that match; source 0: the source itself.
static bool add_matches(const ecs__search_t *search, const ecs_table_t *in, ecs_entity_t source,
    bool is_above, ecs_id_t id) {
    bool found = false,
         inherited = is_above && search->term->trav == Ecs__IsA && ecs__id_is_wildcard(id);
    for (int32_t i = 0; (i = ecs__type_match(&in->type, i, id)) >= 0; i++) {
        if (!ecs__way_counts(search, in->type.array[i], source, inherited) || !fits(search, in, i))
            continue;
        ecs__way_t *way = ecs__way_push(search);
        way->id = in->type.array[i];
        way->source = source;
        way->in = in;
        way->index = i;
        way->is_above = is_above;
        if (!ecs__way_set_elements(search, way, way->id)) {
            search->state->count--;
            continue;
        }
        found = true;
        if (!search->once) continue;
        if (ecs__id_is_wildcard(id)) way->id = id;
        return true;
    }
    if (!search->by_entity) return found;
    ecs_entity_t holder = source ? source : search->entity;
    return ecs__beside_add(search, holder, source, is_above, id) || found;
}

static const ecs_table_t *table_of(const ecs__search_t *search, ecs_entity_t entity) {
    const ecs__instead_t *instead = &search->solver->instead;
    if (entity == instead->entity) return instead->table;
    const ecs_record_t *record = ecs__entity_try(&search->solver->store->entities, entity);
    return record ? record->table : NULL;
}

static bool add_above(const ecs__search_t *search, const ecs_table_t *table, ecs_id_t id) {
    ecs__found_t found;
    const ecs_term_t *term = search->term;
    if (search->by_entity) {
        ecs_entity_t above = ecs__beside_above(search, search->entity, id);
        return above && add_matches(search, table_of(search, above), above, true, id);
    }
    if (!ecs__search_up(
            table, id, term->trav, false, true, term->min_depth, term->max_depth, &found))
        return false;
    return add_matches(search, found.table, found.source, true, id);
}

// Each of several entities, or the first of them, that has the id.
static bool add_of(const ecs__search_t *search, const ecs__ids_t *entities, ecs_id_t id) {
    bool found = false, all = search->term->src.id & EcsAll;
    for (int32_t i = 0; i < entities->count && (all || !found); i++) {
        const ecs_table_t *table = table_of(search, entities->array[i]);
        if (table) found |= add_matches(search, table, entities->array[i], true, id);
    }
    return found;
}

static ecs__ids_t *begin_around(ecs__solver_t *solver) {
    solver->around.count = 0;
    return &solver->around;
}

static bool add_around(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity, ecs_id_t id) {
    const ecs_term_t *term = search->term;
    ecs__solver_t *solver = search->solver;
    bool found = false;
    if (term->src.id & EcsUp && !(term->src.id & EcsAll)) {
        found = add_above(search, table, id);
    } else if (term->src.id & EcsUp) {
        ecs__ids_t *above = begin_around(solver);
        ecs__expand_up(solver, table, entity, term->trav, term->min_depth, term->max_depth, above);
        found = add_of(search, above, id);
    }
    if (term->src.id & EcsDown && entity && (!found || term->src.id & EcsAll)) {
        ecs__ids_t *below = begin_around(solver);
        ecs__expand_down(solver, entity, term->trav, term->min_depth, term->max_depth, below);
        found |= add_of(search, below, id);
    }
    return found;
}

// ---- variables and what is around ----

// A variable takes any value for which the id would be found, not just those of the nearest.
static bool takes_all_around(const ecs__search_t *search, ecs_id_t id) {
    const uint64_t flags = search->term->src.id;
    return flags & (EcsUp | EcsDown) && !(flags & EcsAll) && ecs__id_is_wildcard(id) &&
           has_open_element(search);
}

typedef struct around_t {
    const ecs__search_t *search;
    const ecs_table_t *table; /* of the source */
    ecs_id_t pattern;
    int32_t first; /* of the ways of the source */
    bool hides;    /* what it has itself hides what is around */
} around_t;

static bool is_listed(const around_t *around, ecs_id_t id) {
    const ecs__step_state_t *state = around->search->state;
    if (around->hides && ecs__table_has(around->table, id)) return true;
    for (int32_t i = around->first; i < state->count; i++) {
        if (state->ways[i].id == id) return true;
    }
    return false;
}

// Below, the first that has an id provides it; above, that is for the search to say.
static void add_id_around(around_t *around, ecs_entity_t entity, ecs_id_t id, bool is_above) {
    if (is_listed(around, id)) return;
    const ecs__search_t *search = around->search;
    if (is_above)
        add_above(search, around->table, id);
    else
        add_matches(search, table_of(search, entity), entity, true, id);
}

static void add_ids_of(around_t *around, ecs_entity_t entity, bool is_above) {
    const ecs__search_t *search = around->search;
    const ecs_table_t *table = table_of(search, entity);
    for (int32_t k = 0; table && (k = ecs__type_match(&table->type, k, around->pattern)) >= 0; k++)
        add_id_around(around, entity, table->type.array[k], is_above);
    ecs__sparse_iter_t beside = ecs__sparse_iter(search->solver->store, entity, around->pattern);
    const ecs_component_record_t *record;
    while (search->by_entity && (record = ecs__sparse_next(&beside)))
        add_id_around(around, entity, record->id, is_above);
}

static void add_all_above(around_t *around) {
    const ecs__search_t *search = around->search;
    const ecs_entity_t trav = search->term->trav;
    ecs__ids_t *above = begin_around(search->solver);
    ecs__expand_up(search->solver, around->table, search->entity, trav, 0, 0, above);
    for (int32_t i = 0, own = above->count; trav != Ecs__IsA && i < own; i++) {
        const ecs_table_t *table = table_of(search, above->array[i]);
        if (table) ecs__expand_up(search->solver, table, above->array[i], Ecs__IsA, 0, 0, above);
    }
    for (int32_t i = 0; i < above->count; i++) add_ids_of(around, above->array[i], true);
}

static void add_all_below(around_t *around, ecs_entity_t entity) {
    const ecs__search_t *search = around->search;
    const ecs_term_t *term = search->term;
    ecs__ids_t *below = begin_around(search->solver);
    ecs__expand_down(search->solver, entity, term->trav, term->min_depth, term->max_depth, below);
    for (int32_t i = 0; i < below->count; i++) add_ids_of(around, below->array[i], false);
}

static void add_all_around(around_t *around, ecs_entity_t entity) {
    const uint64_t flags = around->search->term->src.id;
    if (flags & EcsUp) add_all_above(around);
    if (flags & EcsDown && entity) add_all_below(around, entity);
}

// The position of the id that is nearest above; 0 if there is none.
static int32_t nearest_above(const ecs__search_t *search, const ecs_table_t *table) {
    const ecs_term_t *term = search->term;
    const ecs__ids_t *ids = &search->solver->ids;
    int32_t nearest = 0, depth = INT32_MAX;
    for (int32_t i = 0; i < ids->count; i++) {
        ecs__found_t found;
        if (!ecs__search_up(table, ids->array[i], term->trav, false, true, term->min_depth,
                term->max_depth, &found) ||
            found.depth >= depth)
            continue;
        nearest = i;
        depth = found.depth;
    }
    return nearest;
}

// What the source has itself comes before what is around it, for all ids.
static void add_table(const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity) {
    ecs__solver_t *solver = search->solver;
    const ecs_term_t *term = search->term;
    const bool all = term->src.id & EcsAll;
    const bool is_asked =
        (term->src.id & EcsSelf || !(term->src.id & (EcsUp | EcsDown))) && !term->min_depth;
    const int32_t first = search->state->count;
    bool is_here = false;
    for (int32_t i = 0; i < solver->ids.count && is_asked; i++) {
        ecs_id_t id = solver->ids.array[i];
        bool found = add_matches(search, table, 0, false, id);
        if (found && search->once) return;
        // What is switched off here hides what is above.
        is_here |= found || (search->goal->by_row && ecs__table_has(table, id));
    }
    bool is_set = search->once && solver->ids.count > 1;
    int32_t nearest =
        is_set && !search->by_entity && term->src.id & EcsUp ? nearest_above(search, table) : 0;
    for (int32_t i = 0; i < solver->ids.count; i++) {
        ecs_id_t id = solver->ids.array[(nearest + i) % solver->ids.count];
        if (takes_all_around(search, id))
            add_all_around(&(around_t){ search, table, id, first, is_asked }, entity);
        else if ((!is_here || all) && add_around(search, table, entity, id) && search->once)
            return;
    }
}

// ---- roots ----

bool ecs__way_is_candidate(const ecs__search_t *search, const ecs_table_t *table) {
    const ecs__solver_t *solver = search->solver;
    if (table->id >= solver->table_limit) return false;
    bool is_this = search->goal->src.kind == ECS__REF_VAR && search->goal->src.var == ECS__VAR_THIS;
    if (!table->count && !(is_this && solver->with_empty)) return false;
    return !(table->flags & ecs__way_skip(search));
}

static void collect_roots(ecs__search_t *search) {
    const ecs__store_t *store = search->solver->store;
    for (int32_t i = 0; i < store->table_count; i++) {
        search->table = store->tables[i];
        if (search->table && ecs__way_is_candidate(search, search->table) &&
            ecs__table_is_root(search->table))
            ecs__way_push(search);
    }
}

void ecs__ways_of_entity(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity) {
    bool in_graph = search->goal->transitive || search->goal->reflexive;
    if (in_graph)
        ecs__places_of_entity(search, table, entity);
    else
        add_table(search, table, entity);
}

// ---- candidates for the source ----

static int compare_tables(const void *a, const void *b) {
    const ecs_table_t *left = (const ecs_table_t *)(uintptr_t) * (const uint64_t *)a;
    const ecs_table_t *right = (const ecs_table_t *)(uintptr_t) * (const uint64_t *)b;
    return (left->id > right->id) - (left->id < right->id);
}

static void list_tables_of(const ecs__search_t *search, ecs_id_t id) {
    ecs__solver_t *solver = search->solver;
    const ecs_component_record_t *record = ecs__id_record_get(solver->store, id);
    ecs_table_t *found;
    for (int32_t at = 0; record && (found = ecs__id_record_next_table(record, &at, true));) {
        if (ecs__way_is_candidate(search, found)) ecs__ids_push(&solver->tables, (uintptr_t)found);
    }
}

// Tables of all ids to look for, each once, in order of creation.
void ecs__ways_list_tables(const ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs_term_t *term = search->term;
    ecs__ids_t *tables = &solver->tables;
    tables->count = 0;
    bool self = term->src.id & EcsSelf || !(term->src.id & EcsUp), up = term->src.id & EcsUp;
    for (int32_t i = 0; i < solver->ids.count && self; i++)
        list_tables_of(search, solver->ids.array[i]);
    bool is_sorted = solver->ids.count < 2;
    int32_t before = tables->count;
    if (up) list_tables_of(search, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard));
    if (before && tables->count > before) is_sorted = false;
    if (is_sorted || !tables->count) return;
    qsort(tables->array, (size_t)tables->count, sizeof(uint64_t), compare_tables);
    int32_t kept = 0;
    for (int32_t i = 0; i < tables->count; i++) {
        if (!kept || tables->array[kept - 1] != tables->array[i])
            tables->array[kept++] = tables->array[i];
    }
    tables->count = kept;
}

static ecs_table_t *table_at(const ecs__ids_t *tables, int32_t i) {
    return (ecs_table_t *)(uintptr_t)tables->array[i];
}

// Some entity: the first row of each candidate, from way `from` on, that has the id switched on.
static void keep_first_rows(const ecs__search_t *search, int32_t from) {
    ecs__step_state_t *state = search->state;
    int32_t kept = from;
    for (int32_t i = from; i < state->count; i++) {
        ecs__way_t way = state->ways[i];
        bool is_asked = search->goal->by_row && !way.source;
        const ecs_entity_t *entities = search->table->entities;
        while (is_asked && way.row < way.count &&
               !ecs__id_is_on(search->solver->store, entities[way.row], way.id))
            way.row++;
        if (way.row < way.count) state->ways[kept++] = way;
    }
    state->count = kept;
}

// Whose descendants have the id: no index tells.
static void collect_everyone(ecs__search_t *search) {
    const ecs__store_t *store = search->solver->store;
    ecs__step_state_t *state = search->state;
    for (int32_t i = 0; i < store->table_count; i++) {
        ecs_table_t *table = store->tables[i];
        if (!table || !ecs__way_is_candidate(search, table)) continue;
        search->table = table;
        for (int32_t row = 0; row < table->count; row++) {
            int32_t way = state->count;
            search->entity = table->entities[row];
            ecs__ways_of_entity(search, table, search->entity);
            for (; way < state->count; way++) {
                state->ways[way].row = row;
                state->ways[way].count = 1;
            }
            if (search->is_one && state->count) return;
        }
    }
}

static void collect_candidates(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    if (search->term->src.id & EcsDown) {
        collect_everyone(search);
        return;
    }
    if (search->by_entity) {
        ecs__beside_collect(search);
        return;
    }
    ecs__ways_list_tables(search);
    for (int32_t i = 0; i < solver->tables.count; i++) {
        ecs_table_t *table = table_at(&solver->tables, i);
        const int32_t from = search->state->count;
        search->table = table;
        add_table(search, table, 0);
        if (search->goal->src.kind == ECS__REF_ANY) keep_first_rows(search, from);
        if (search->is_one && search->state->count) return;
    }
}

static const ecs_table_t *known_table(
    const ecs__solver_t *solver, const ecs__ref_t *src, ecs_entity_t *entity) {
    *entity = ecs__ref_entity(solver, src);
    if (src->kind == ECS__REF_VAR && !src->path) return solver->values[src->var].table;
    const ecs_record_t *record =
        *entity ? ecs__entity_try(&solver->store->entities, *entity) : NULL;
    return record ? record->table : NULL;
}

// Neighbours in the list that are neighbours in a table share a way.
static void collect_children(ecs__search_t *search, const ecs__children_t *list) {
    ecs__solver_t *solver = search->solver;
    ecs__step_state_t *state = search->state;
    for (int32_t i = 0; i < list->count; i++) {
        const ecs_record_t *record = ecs__entity_try(&solver->store->entities, list->ids[i]);
        if (!record || !ecs__way_is_candidate(search, record->table)) continue;
        int32_t row = ECS_RECORD_TO_ROW(record->row);
        ecs__way_t *last = state->count ? &state->ways[state->count - 1] : NULL;
        bool follows = last && last->table == record->table && last->row + last->count == row;
        if (follows && !search->by_entity) {
            last->count++;
            continue;
        }
        search->table = record->table;
        ecs__way_t *way = ecs__way_push(search);
        way->first = Ecs__ChildOf;
        way->second = list->parent;
        way->row = row;
        way->count = 1;
        way->index = ecs__table_search(record->table, way->id);
        if (way->index >= 0) way->in = record->table;
    }
}

static void collect_id(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs__goal_t *goal = search->goal;
    const ecs__children_t *list = NULL;
    if (goal->is_ordered && !is_known(solver, &goal->src))
        list = ecs__children_get((ecs__store_t *)(uintptr_t)solver->store, goal->second.entity);
    if (list) {
        collect_children(search, list);
        return;
    }
    bool in_graph = goal->transitive || goal->reflexive;
    if (!is_known(solver, &goal->src)) {
        if (goal->is_root)
            collect_roots(search);
        else if (in_graph)
            ecs__places_collect(search);
        else if (list_ids(search))
            collect_candidates(search);
        return;
    }
    ecs_entity_t entity;
    const ecs_table_t *table = known_table(solver, &goal->src, &entity);
    if (!table) return;
    search->entity = entity;
    if (goal->is_root && ecs__table_is_root(table)) ecs__way_push(search);
    if (goal->is_root) return;
    if (in_graph || list_ids(search)) ecs__ways_of_entity(search, table, entity);
}

// ---- comparisons ----

static void add_row(ecs__search_t *search, ecs_table_t *table, int32_t row) {
    search->table = table;
    ecs__way_t *way = ecs__way_push(search);
    way->row = row;
    way->count = 1;
}

static void collect_equal_entity(ecs__search_t *search, ecs_entity_t right) {
    const ecs__goal_t *goal = search->goal;
    ecs_entity_t left = ecs__ref_entity(search->solver, &goal->src);
    if (!is_known(search->solver, &goal->src)) {
        const ecs_record_t *record = ecs__entity_try(&search->solver->store->entities, right);
        if (record && ecs__way_is_candidate(search, record->table))
            add_row(search, record->table, ECS_RECORD_TO_ROW(record->row));
    } else if (left && (!right || left == right)) {
        ecs__way_push(search)->second = left;
    }
}

static bool has_name(const ecs__solver_t *solver, ecs_entity_t entity, const char *name) {
    const char *own = ecs_get_name(solver->world, entity);
    return own && !strcmp(own, name);
}

static void collect_named(ecs__search_t *search, const char *name) {
    ecs__solver_t *solver = search->solver;
    solver->tables.count = 0;
    list_tables_of(search, ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name));
    for (int32_t i = 0; i < solver->tables.count; i++) {
        ecs_table_t *table = table_at(&solver->tables, i);
        for (int32_t row = 0; row < table->count; row++) {
            if (has_name(solver, table->entities[row], name)) add_row(search, table, row);
        }
    }
}

static void collect_equal(ecs__search_t *search) {
    const ecs__goal_t *goal = search->goal;
    ecs__solver_t *solver = search->solver;
    if (!(search->term->second.id & EcsIsName)) {
        bool is_open = goal->second.kind == ECS__REF_VAR && !is_known(solver, &goal->second);
        ecs_entity_t right = ecs__ref_entity(solver, &goal->second);
        if (right || is_open) collect_equal_entity(search, right);
        return;
    }
    ecs_entity_t left = ecs__ref_entity(solver, &goal->src);
    if (!is_known(solver, &goal->src))
        collect_named(search, search->term->second.name);
    else if (left && has_name(solver, left, search->term->second.name))
        ecs__way_push(search);
}

static void collect_match(ecs__search_t *search) {
    ecs_entity_t left = ecs__ref_entity(search->solver, &search->goal->src);
    const char *text = search->term->second.name,
               *name = left ? ecs_get_name(search->solver->world, left) : NULL;
    bool is_not = text[0] == '!';
    bool contains = name && strstr(name, text + is_not);
    if (left && contains != is_not) ecs__way_push(search);
}

// ---- From operators ----

static bool has_or_inherits(const ecs_table_t *table, ecs_id_t id, ecs__found_t *found) {
    return ecs__search_up(table, id, Ecs__IsA, true, true, 0, 0, found);
}

/* A list, and the lists it is in. */
typedef struct list_t {
    const struct list_t *outer;
    ecs_entity_t entity;
    bool is_all;
} list_t;

static bool is_in(const list_t *list, ecs_entity_t entity) {
    for (; list; list = list->outer) {
        if (list->entity == entity) return true;
    }
    return false;
}

// True if a table has all, or one, of the ids of a list; *first becomes the first that it has. Ids
// that instances do not get do not count, nor does a list within itself.
static bool has_list(const ecs_table_t *table, const list_t *list, ecs_id_t *first) {
    const ecs__store_t *store = table->store;
    const ecs_record_t *record = ecs__entity_try(&store->entities, list->entity);
    int32_t wanted = 0, held = 0;
    for (int32_t i = 0; record && i < record->table->type.count; i++) {
        ecs__found_t found;
        ecs_id_t id = record->table->type.array[i], had = id, mark = ecs__id_list(id);
        const list_t inner = { list, ecs__id_bare(id), mark == ECS__AND };
        if (mark ? is_in(list, inner.entity) : !ecs__id_is_inherited(store, id)) continue;
        wanted++;
        bool has = mark ? has_list(table, &inner, &had) : has_or_inherits(table, id, &found);
        if (has && !held++) *first = had;
    }
    return list->is_all ? record && held == wanted : held > 0;
}

static bool names(const ecs__store_t *store, const list_t *list, ecs_id_t id) {
    const ecs_record_t *record = ecs__entity_try(&store->entities, list->entity);
    for (int32_t i = 0; record && i < record->table->type.count; i++) {
        ecs_id_t named = record->table->type.array[i];
        const list_t inner = { list, ecs__id_bare(named), false };
        bool is_list = ecs__id_list(named);
        if (is_list && !is_in(list, inner.entity) && names(store, &inner, id)) return true;
        if (!is_list && named == id) return ecs__id_is_inherited(store, id);
    }
    return false;
}

bool ecs__list_names(const ecs__store_t *store, ecs_entity_t list, ecs_id_t id) {
    return names(store, &(list_t){ NULL, list, false }, id);
}

static void collect_from(ecs__search_t *search) {
    const ecs__solver_t *solver = search->solver;
    const int16_t oper = search->term->oper;
    ecs_entity_t entity;
    const list_t list = { NULL, ecs__ref_entity(solver, &search->goal->first), oper == EcsAndFrom };
    const ecs_table_t *table = known_table(solver, &search->goal->src, &entity);
    ecs_id_t first;
    if (!table || !ecs__entity_try(&solver->store->entities, list.entity)) return;
    if (has_list(table, &list, &first) == (oper == EcsNotFrom)) return;
    ecs__way_t *way = ecs__way_push(search);
    if (oper == EcsOrFrom) way->id = first;
    way->in = table;
}

// ---- `_` and kinds ----

static bool is_any(const ecs__ref_t *ref) { return ref->kind == ECS__REF_ANY; }

// True if two ways give all variables the same values.
static bool is_repeated(const ecs__goal_t *goal, const ecs__way_t *a, const ecs__way_t *b) {
    if (!is_any(&goal->src) && (a->table != b->table || a->row != b->row)) return false;
    return (goal->first.kind != ECS__REF_VAR || a->first == b->first) &&
           (goal->second.kind != ECS__REF_VAR || a->second == b->second);
}

// What `_` and kinds stand for makes no results of its own. Ways of one table come together.
static void keep_distinct(const ecs__search_t *search) {
    const ecs__goal_t *goal = search->goal;
    ecs__step_state_t *state = search->state;
    int32_t kept = 0, first = 0;
    for (int32_t i = 0; i < state->count; i++) {
        ecs__way_t *way = &state->ways[i];
        if (!is_any(&goal->src) && kept && state->ways[kept - 1].table != way->table) first = kept;
        int32_t other = kept - 1;
        while (other >= first && !is_repeated(goal, &state->ways[other], way)) other--;
        if (other >= first) continue;
        const bool is_pair = way->id & ECS__PAIR;
        if (is_pair && is_any(&goal->first))
            way->id = ECS__MAKE_PAIR(Ecs__Wildcard, ecs__id_second(way->id));
        if (is_pair && is_any(&goal->second))
            way->id = ECS__MAKE_PAIR(ecs__id_first(way->id), Ecs__Wildcard);
        state->ways[kept++] = *way;
    }
    state->count = kept;
}

// Elements that stand for several ids hold once for each value of the variables.
static bool holds_once(const ecs__search_t *search) {
    const ecs__goal_t *goal = search->goal;
    if (is_any(&goal->src)) return true;
    if (!has_open_element(search)) return false;
    if (is_any(&goal->first) || is_any(&goal->second)) return true;
    const bool is_set = goal->first.trav || goal->second.trav;
    return is_set && !ecs__goal_has_star(goal) && !goal->by_row && !(search->term->src.id & EcsAll);
}

void ecs__ways_collect(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    ecs__search_t search = { .solver = solver, .goal = goal, .term = goal->term, .state = state };
    search.by_entity = ecs__goal_is_by_entity(solver->store, goal);
    search.is_one = is_any(&goal->src) && !has_open_element(&search);
    state->count = 0;
    switch ((ecs__goal_kind_t)goal->kind) {
    case ECS__GOAL_ID: collect_id(&search); break;
    case ECS__GOAL_MEMBER: ecs__member_collect(&search); break;
    case ECS__GOAL_EQUAL: collect_equal(&search); break;
    case ECS__GOAL_MATCH: collect_match(&search); break;
    case ECS__GOAL_FROM: collect_from(&search); break;
    case ECS__GOAL_SCOPE:
    case ECS__GOAL_NONE: break;
    }
    if (holds_once(&search)) keep_distinct(&search);
}
