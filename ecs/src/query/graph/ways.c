// SPDX-License-Identifier: MIT
// ways: in which ways a goal holds with the values bound now.
//
// The elements of an id give a list of ids to look for: one with `*` for what is not known, or several for sets (kinds, transitive
// targets, traversal). A known source is asked for them; otherwise the tables that the index lists for them are, in order of creation.
#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>
#include "query/check/resolve.h"
#include "query/graph/list.h"
#include "query/graph/ways.h"
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

ecs__way_t *ecs__step_add_way(ecs__step_state_t *state) {
    if (state->count == state->size) {
        state->size = state->size ? 2 * state->size : 4;
        state->ways = ecs_os_realloc_n(state->ways, ecs__way_t, state->size);
    }
    return &state->ways[state->count++];
}

ecs__way_t *ecs__way_push(const ecs__search_t *search) {
    ecs__way_t *way = ecs__step_add_way(search->state);
    *way = (ecs__way_t){ .id = search->term->id, .index = -1, .table = search->table };
    if (!search->table) return way;
    way->count = search->table->count;
    way->origin = search->table->id;
    return way;
}

void ecs__way_take_row(ecs__way_t *way, int32_t row) {
    way->row = row;
    way->count = 1;
    way->is_row = true;
    way->origin = way->table->entities[row];
}

// ---- ids to look for ----

bool ecs__ref_list(ecs__solver_t *solver, const ecs__ref_t *ref, ecs__ids_t *out) {
    out->count = 0;
    if (!ecs__ref_is_known(solver, ref)) return true;
    ecs_entity_t entity = ecs__ref_entity(solver, ref);
    if (!entity) return false;
    if (ref->with_self) ecs__ids_push(out, entity);
    const ecs__ids_t *along = ECS__ONE_ID(ref->trav);
    const ecs_table_t *table = ecs__entity_table(&solver->store->entities, entity);
    if (ref->with_up && table)
        ecs__expand_up(solver, table, entity, along, ref->min_depth, ref->max_depth, out);
    if (ref->with_down)
        ecs__expand_down(solver, entity, along, ref->min_depth, ref->max_depth, out);
    return out->count > 0;
}

bool ecs__goal_looks_beside(ecs__solver_t *solver, const ecs__goal_t *goal) {
    ecs__ids_t *firsts = &solver->firsts;
    if (goal->kind == ECS__GOAL_FROM)
        return ecs__list_is_by_entity(
            solver->store, ecs__ref_entity(solver, &goal->first), goal->by_row);
    if (!goal->first.trav) return true; // `*`, or a variable
    if (!ecs__ref_list(solver, &goal->first, firsts)) return false;
    bool found = !firsts->count;
    for (int32_t i = 0; i < firsts->count && !found; i++) {
        const ecs_id_t first = firsts->array[i];
        const bool is_pair = goal->term->id & ECS__PAIR;
        found = ecs__id_may_be_beside(ecs__id_record_get(
            solver->store, is_pair ? ECS__MAKE_PAIR((uint32_t)first, Ecs__Wildcard) : first));
    }
    return found;
}

static void list_pairs(ecs__solver_t *solver, ecs_id_t flags, uint64_t first) {
    if (!solver->seconds.count)
        ecs__ids_push(&solver->ids, flags | ECS__MAKE_PAIR(first, Ecs__Wildcard));
    for (int32_t i = 0; i < solver->seconds.count; i++) {
        ecs__ids_push(
            &solver->ids, flags | ECS__MAKE_PAIR(first, (uint32_t)solver->seconds.array[i]));
    }
}

static bool list_ids(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs__goal_t *goal = search->goal;
    bool is_pair = search->term->id & ECS__PAIR;
    ecs_id_t flags = search->term->id & ECS_ID_FLAGS_MASK & ~ECS__PAIR;
    solver->ids.count = solver->seconds.count = 0;
    if (!ecs__ref_list(solver, &goal->first, &solver->firsts)) return false;
    if (is_pair && ECS_IS_VALUE_PAIR(search->term->id))
        ecs__ids_push(&solver->seconds, ecs__id_second(search->term->id));
    else if (is_pair && !ecs__ref_list(solver, &goal->second, &solver->seconds))
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
    bool has_free = !ecs__ref_is_known(solver, &goal->first) ||
                    (is_pair && !ECS_IS_VALUE_PAIR(search->term->id) &&
                        !ecs__ref_is_known(solver, &goal->second));
    bool is_set = goal->first.trav || goal->second.trav;
    search->once = (is_any && !is_all && !ecs__way_is_open(search)) || (is_set && !has_free);
    return true;
}

// ---- ids of one table ----

// Values of the elements. False if one that is needed is dead.
static bool set_elements(const ecs__search_t *search, ecs__way_t *way, ecs_id_t id) {
    const ecs__entity_index_t *entities = &search->solver->store->entities;
    const ecs__goal_t *goal = search->goal;
    bool is_pair = id & ECS__PAIR;
    way->first = ecs__entity_alive_id(entities, is_pair ? ecs__id_first(id) : (uint32_t)id);
    way->second = is_pair ? ecs__pair_target(entities, id) : 0;
    bool needs_first = goal->first.kind == ECS__REF_VAR,
         needs_second = goal->second.kind == ECS__REF_VAR;
    return (!needs_first || way->first) && (!needs_second || way->second);
}

ecs__way_t *ecs__way_add(
    const ecs__search_t *search, ecs_id_t id, ecs_id_t pattern, ecs_entity_t source) {
    ecs__way_t *way = ecs__way_push(search);
    way->id = search->once && ecs__id_is_wildcard(pattern) ? pattern : id;
    way->source = source;
    if (set_elements(search, way, id)) return way;
    search->state->count--;
    return NULL;
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
bool ecs__way_fits(const ecs__search_t *search, const ecs_type_info_t *type) {
    const ecs_type_info_t *base = search->goal->base;
    return !base || (type && type->size >= base->size && type->alignment >= base->alignment);
}

static bool fits(const ecs__search_t *search, const ecs_table_t *in, int32_t index) {
    return !search->goal->base || ecs__way_fits(search, ecs__table_cr(in, index)->type_info);
}

bool ecs__way_add_matches(
    const ecs__search_t *search, const ecs_table_t *in, ecs_entity_t source, ecs_id_t id) {
    bool found = false,
         inherited = source && search->term->trav == Ecs__IsA && ecs__id_is_wildcard(id);
    for (int32_t i = 0; (i = ecs__type_match(&in->type, i, id)) >= 0; i++) {
        if (!ecs__way_counts(search, in->type.array[i], source, inherited) || !fits(search, in, i))
            continue;
        ecs__way_t *way = ecs__way_add(search, in->type.array[i], id, source);
        if (!way) continue;
        way->in = in;
        way->index = i;
        if (search->once) return true;
        found = true;
    }
    if (!search->by_entity) return found;
    ecs_entity_t holder = source ? source : search->entity;
    return ecs__beside_add(search, holder, source, id) || found;
}

// What the source has itself comes before what is around it, for all ids. Of these it has none before number `own`.
static void add_table(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity, int32_t own) {
    ecs__solver_t *solver = search->solver;
    const ecs_term_t *term = search->term;
    const bool all = term->src.id & EcsAll;
    const bool is_asked = term->src.id & EcsSelf && !term->min_depth;
    const int32_t first = search->state->count;
    bool is_here = false;
    for (int32_t i = own; i < solver->ids.count && is_asked; i++) {
        ecs_id_t id = solver->ids.array[i];
        bool found = ecs__way_add_matches(search, table, 0, id);
        if (found && search->once && !all) return;
        if (found && search->once) break; // one of several kinds; those around have theirs
        // What is switched off here hides what is above.
        is_here |= found || (search->goal->by_row && ecs__table_has(table, id));
    }
    bool is_set = search->once && solver->ids.count > 1;
    if (is_set && all) {
        ecs__around_add(search, table, entity, solver->ids.array, solver->ids.count);
        return;
    }
    int32_t nearest = is_set && term->src.id & EcsUp ? ecs__around_nearest(search, table) : 0;
    for (int32_t i = 0; i < solver->ids.count; i++) {
        const ecs_id_t id = solver->ids.array[(nearest + i) % solver->ids.count];
        if (ecs__around_takes_all(search, id))
            ecs__around_add_all(search, table, entity, id, first, is_asked);
        else if ((!is_here || all) && ecs__around_add(search, table, entity, &id, 1) &&
                 search->once)
            return;
    }
}

bool ecs__way_add_first(const ecs__search_t *search) {
    const ecs__solver_t *solver = search->solver;
    const ecs__store_t *store = solver->store;
    const ecs_term_t *term = search->term;
    if (!search->goal->is_above || !search->entity || solver->instead.entity) return false;
    if (!ecs__id_is_found_along(store, term->id, term->trav)) return false;
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard));
    const ecs_entity_t first = ecs__target_along(store, any, term->trav, search->entity, 0);
    const ecs_table_t *in = first ? ecs__entity_table(&store->entities, first) : NULL;
    const int32_t index = in ? ecs__table_search(in, term->id) : -1;
    if (index < 0) return false;
    ecs__way_t *way = ecs__way_add(search, term->id, term->id, first);
    if (!way) return true;
    way->in = in;
    way->index = index;
    return true;
}

// ---- roots ----

bool ecs__way_is_candidate(const ecs__search_t *search, const ecs_table_t *table) {
    const ecs__solver_t *solver = search->solver;
    if (table->id >= solver->table_limit) return false;
    const bool is_this = ecs__ref_bit(&search->goal->src) == ECS__THIS_BIT;
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
        add_table(search, table, entity, 0);
}

// ---- candidates for the source ----

// As ecs__ways_table and ecs__ways_first read it: tables are indexed in order of creation.
static void list_tables_of(const ecs__search_t *search, ecs_id_t id, int32_t position) {
    ecs__solver_t *solver = search->solver;
    const ecs_component_record_t *record = ecs__id_record_get(solver->store, id);
    ecs_table_t *found;
    for (int32_t at = 0; record && (found = ecs__id_record_next_table(record, &at, true));) {
        if (ecs__way_is_candidate(search, found))
            ecs__ids_push(&solver->tables, (uint64_t)found->index << 32 | (uint32_t)position);
    }
}

// False if nobody has any of the ids; who is looked at as it was, or will be, may have others.
static bool may_be_found(const ecs__search_t *search) {
    const ecs__solver_t *solver = search->solver;
    bool found = solver->instead.entity;
    for (int32_t i = 0; i < solver->ids.count && !found; i++)
        found = ecs_id_in_use(solver->world, solver->ids.array[i]);
    return found;
}

static bool has_traversable_holder(
    const ecs__store_t *store, const ecs_component_record_t *record) {
    for (int32_t i = 0; i < ecs__sparse_count(record); i++) {
        const ecs_entity_t holder = ecs__sparse_holders(record)[i].entity;
        if (ecs__entity_marks(&store->entities, holder) & EcsEntityIsTraversable) return true;
    }
    return false;
}

bool ecs__way_may_be_above(const ecs__store_t *store, const ecs_term_t *term, ecs_id_t id) {
    if (!(term->src.id & EcsUp)) return false;
    if ((ECS_IS_PAIR(id) ? ecs__id_first(id) : id) == Ecs__Wildcard) return true;
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    return ecs__id_is_above_along(record, term->trav) || has_traversable_holder(store, record);
}

bool ecs__ways_may_be_above(const ecs__search_t *search) {
    const ecs__solver_t *solver = search->solver;
    if (solver->instead.entity) return search->term->src.id & EcsUp;
    for (int32_t i = 0; i < solver->ids.count; i++) {
        if (ecs__way_may_be_above(solver->store, search->term, solver->ids.array[i])) return true;
    }
    return false;
}

// Tables of all ids to look for, each once, in order of creation.
void ecs__ways_list_tables(const ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs_term_t *term = search->term;
    ecs__ids_t *tables = &solver->tables;
    tables->count = 0;
    for (int32_t i = 0; i < solver->ids.count && term->src.id & EcsSelf; i++)
        list_tables_of(search, solver->ids.array[i], i);
    bool is_sorted = solver->ids.count < 2;
    int32_t before = tables->count;
    if (may_be_found(search) && ecs__ways_may_be_above(search))
        list_tables_of(search, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard), solver->ids.count);
    if (before && tables->count > before) is_sorted = false;
    if (is_sorted) return;
    ecs__ids_sort(tables);
    int32_t kept = 0;
    for (int32_t i = 0; i < tables->count; i++) {
        if (!kept || (tables->array[kept - 1] ^ tables->array[i]) >> 32)
            tables->array[kept++] = tables->array[i];
    }
    tables->count = kept;
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
        if (way.row == way.count) continue;
        ecs__way_take_row(&way, way.row);
        state->ways[kept++] = way;
    }
    state->count = kept;
}

void ecs__ways_collect_everyone(ecs__search_t *search) {
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
            for (; way < state->count; way++) ecs__way_take_row(&state->ways[way], row);
            if (search->is_one && state->count) return;
        }
    }
}

static void collect_candidates(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    if (search->term->src.id & EcsDown) { // whose descendants have the id no index tells
        if (may_be_found(search)) ecs__ways_collect_everyone(search);
        return;
    }
    if (search->by_entity) {
        ecs__beside_collect(search);
        return;
    }
    ecs__ways_list_tables(search);
    for (int32_t i = 0; i < solver->tables.count; i++) {
        ecs_table_t *table = ecs__ways_table(solver, i);
        const int32_t from = search->state->count;
        search->table = table;
        add_table(search, table, 0, ecs__ways_first(solver, i));
        if (search->goal->src.kind == ECS__REF_ANY) keep_first_rows(search, from);
        if (search->is_one && search->state->count) return;
    }
}

static const ecs_table_t *known_table(
    const ecs__solver_t *solver, const ecs__ref_t *src, ecs_entity_t *entity) {
    *entity = ecs__ref_entity(solver, src);
    if (*entity && *entity == solver->instead.entity) return solver->instead.table;
    if (src->kind == ECS__REF_VAR && !src->path) return solver->values[src->var].table;
    return *entity ? ecs__entity_table(&solver->store->entities, *entity) : NULL;
}

static bool follow_source(const ecs__solver_t *solver, ecs__way_t *way) {
    if (way->is_row) {
        const ecs__spot_t spot = ecs__entity_find(&solver->store->entities, way->origin);
        way->row = spot.row;
        return spot.table && spot.table == way->table && spot.table->id < solver->table_limit;
    }
    if (!ecs__store_table(solver->store, way->origin)) return false;
    way->count = ECS_MAX(ECS_MIN(way->count, way->table->count - way->row), 0);
    return true;
}

bool ecs__way_follow(const ecs__solver_t *solver, const ecs__goal_t *goal, ecs__way_t *way) {
    if (way->table && !follow_source(solver, way)) return false;
    if (!way->in || (way->table && !way->source))
        return true; // nowhere in particular, or in that table
    ecs_entity_t known;
    way->in = way->source ? ecs__entity_table(&solver->store->entities, way->source)
                          : known_table(solver, &goal->src, &known);
    if (!way->in || way->index < 0 || ecs__id_is_wildcard(way->id)) return way->in;
    way->index = ecs__table_search(way->in, way->id);
    return way->index >= 0;
}

// Neighbours in the list that are neighbours in a table share a way.
static void collect_children(ecs__search_t *search, const ecs__children_t *list) {
    ecs__solver_t *solver = search->solver;
    ecs__step_state_t *state = search->state;
    for (int32_t i = 0; i < list->count; i++) {
        const ecs__spot_t spot = ecs__entity_find(&solver->store->entities, list->ids[i]);
        if (!spot.table || !ecs__way_is_candidate(search, spot.table)) continue;
        int32_t row = spot.row;
        ecs__way_t *last = state->count ? &state->ways[state->count - 1] : NULL;
        bool follows = last && last->table == spot.table && last->row + last->count == row;
        if (follows && !search->by_entity) {
            last->count++;
            last->is_row = false;
            last->origin = spot.table->id;
            continue;
        }
        search->table = spot.table;
        ecs__way_t *way = ecs__way_push(search);
        way->first = Ecs__ChildOf;
        way->second = list->parent;
        ecs__way_take_row(way, row);
        way->index = ecs__table_search(spot.table, way->id);
        if (way->index >= 0) way->in = spot.table;
    }
}

static void collect_id(ecs__search_t *search) {
    ecs__solver_t *solver = search->solver;
    const ecs__goal_t *goal = search->goal;
    const ecs__children_t *list = NULL;
    if (goal->is_ordered && !ecs__ref_is_known(solver, &goal->src))
        list = ecs__children_get((ecs__store_t *)(uintptr_t)solver->store, goal->second.entity);
    if (list) {
        collect_children(search, list);
        return;
    }
    bool in_graph = goal->transitive || goal->reflexive;
    if (!ecs__ref_is_known(solver, &goal->src)) {
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
    if (ecs__way_is_own_beside(search, table)) {
        ecs__beside_ask(search);
        return;
    }
    if (goal->is_root && ecs__table_is_root(table)) ecs__way_push(search);
    if (goal->is_root || ecs__way_add_first(search)) return;
    if (in_graph || list_ids(search)) ecs__ways_of_entity(search, table, entity);
}

// ---- From operators ----

static bool is_any(const ecs__ref_t *ref) { return ref->kind == ECS__REF_ANY; }

static bool add_from(
    const ecs__search_t *search, const ecs_table_t *table, ecs_entity_t entity, ecs_entity_t list) {
    const int16_t oper = search->term->oper;
    const ecs__asked_t asked = { table, entity, &search->solver->instead, search->term,
        search->by_entity, search->goal->by_row };
    ecs__list_found_t first;
    if (ecs__list_has(&asked, list, oper == EcsAndFrom, &first) == (oper == EcsNotFrom))
        return false;
    ecs__way_t *way = ecs__way_push(search);
    way->in = table;
    if (oper != EcsOrFrom) return true;
    way->id = first.id;
    way->source = first.source;
    if (first.source) way->in = ecs__way_table_of(search, first.source);
    return true;
}

// Some entity: the first that is found.
static void collect_from_any(ecs__search_t *search, ecs_entity_t list) {
    const ecs__store_t *store = search->solver->store;
    ecs__step_state_t *state = search->state;
    for (int32_t i = 0; i < store->table_count; i++) {
        ecs_table_t *table = search->table = store->tables[i];
        if (!table || !ecs__way_is_candidate(search, table)) continue;
        for (int32_t row = 0, rows = search->by_entity ? table->count : 1; row < rows; row++) {
            if (!add_from(search, table, table->entities[row], list)) continue;
            ecs__way_take_row(state->ways, row);
            return;
        }
    }
}

static void collect_from(ecs__search_t *search) {
    const ecs__solver_t *solver = search->solver;
    const ecs__ref_t *src = &search->goal->src;
    const ecs_entity_t list = ecs__ref_entity(solver, &search->goal->first);
    if (!ecs__way_table_of(search, list)) return;
    ecs_entity_t entity;
    const ecs_table_t *table = known_table(solver, src, &entity);
    if (is_any(src))
        collect_from_any(search, list);
    else if (table)
        add_from(search, table, entity, list);
}

// ---- `_` and kinds ----

static bool takes_values(const ecs__ref_t *ref) {
    return ref->kind == ECS__REF_VAR || ref->kind == ECS__REF_STAR;
}

#define IS_NUMBER (1ull << 63)

// What a way gives to variables, and `*`, which also stands for numbers.
static uint64_t values_of(const ecs__goal_t *goal, const ecs__way_t *way) {
    const uint32_t first = takes_values(&goal->first) ? (uint32_t)way->first : 0;
    const uint64_t values = (uint64_t)first << 32;
    if (!takes_values(&goal->second)) return values;
    if (ECS_IS_VALUE_PAIR(way->id)) return values | IS_NUMBER | ecs__id_second(way->id);
    return values | (uint32_t)way->second;
}

// Ways of one source come together; whoever is one of `_` counts as the same.
static bool is_repeated(const ecs__search_t *search, int32_t kept, const ecs__way_t *way) {
    const ecs__goal_t *goal = search->goal;
    const uint64_t values = values_of(goal, way);
    if (is_any(&goal->src)) return (*ecs_map_ensure(&search->solver->reached.seen, values))++;
    const ecs__way_t *ways = search->state->ways;
    for (int32_t i = kept - 1; i >= 0; i--) {
        if (ways[i].table != way->table || ways[i].row != way->row) return false;
        if (values_of(goal, &ways[i]) == values) return true;
    }
    return false;
}

// What `_` and kinds stand for makes no results of its own.
static void keep_distinct(const ecs__search_t *search) {
    const ecs__goal_t *goal = search->goal;
    ecs__step_state_t *state = search->state;
    int32_t kept = 0;
    ecs_map_clear(&search->solver->reached.seen);
    for (int32_t i = 0; i < state->count; i++) {
        ecs__way_t *way = &state->ways[i];
        if (is_repeated(search, kept, way)) continue;
        const bool is_pair = way->id & ECS__PAIR;
        if (is_pair && is_any(&goal->first)) way->id = ecs__id_any_first(way->id);
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
    if (!ecs__way_is_open(search)) return false;
    if (is_any(&goal->first) || is_any(&goal->second)) return true;
    const bool is_set = goal->first.trav || goal->second.trav;
    return is_set && !ecs__goal_has_star(goal) && !goal->by_row && !(search->term->src.id & EcsAll);
}

// Mostly one relationship, without kinds.
static bool list_along(ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (goal->first.trav) return ecs__ref_list(solver, &goal->first, &solver->along);
    solver->along.count = 0;
    ecs__ids_push(&solver->along, goal->first.entity);
    return true;
}

void ecs__ways_collect(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    ecs__search_t search = { .solver = solver, .goal = goal, .term = goal->term, .state = state };
    const bool in_graph = goal->transitive || goal->reflexive;
    search.by_entity = ecs__goal_is_by_entity(solver, goal) || solver->instead.entity;
    search.is_one = is_any(&goal->src) && !ecs__way_is_open(&search) && !ecs__goal_has_star(goal);
    state->count = 0;
    if (in_graph && !list_along(solver, goal)) return;
    switch ((ecs__goal_kind_t)goal->kind) {
    case ECS__GOAL_ID: collect_id(&search); break;
    case ECS__GOAL_MEMBER: ecs__member_collect(&search); break;
    case ECS__GOAL_EQUAL: ecs__equal_collect(&search); break;
    case ECS__GOAL_MATCH: ecs__named_like_collect(&search); break;
    case ECS__GOAL_FROM: collect_from(&search); break;
    case ECS__GOAL_SCOPE:
    case ECS__GOAL_NONE: break;
    }
    if (holds_once(&search)) keep_distinct(&search);
}
