// SPDX-License-Identifier: MIT
// tables: steps that give $this its tables and rows: the plain terms, from the cache if there is one, and what goes through everything.
#include "query/eval/rows.h"
#include "query/graph/steps.h"

// ---- plain terms ----

static void copy_fields(ecs__solver_t *solver, const ecs__eval_t *from, ecs_termset_t fields) {
    ecs__eval_t *to = &solver->result;
    for (int32_t f = 0; f < solver->plan->field_count; f++) {
        if (fields & FIELD_BIT(f)) to->fields[f] = from->fields[f];
    }
    to->set_fields = (to->set_fields & ~fields) | (from->set_fields & fields);
    to->up_fields = (to->up_fields & ~fields) | (from->up_fields & fields);
    solver->changed |= fields;
}

bool ecs__step_fixed(ecs__solver_t *solver, bool redo) {
    const ecs__plan_t *plan = solver->plan;
    if (!redo) {
        ecs__eval_init(&solver->fixed, plan, solver->store, 0, plan->scan, NULL, false);
        solver->fixed.tallies = solver->profile ? solver->profile->ops : NULL;
    }
    if (!ecs__eval_next(&solver->fixed)) return false;
    copy_fields(solver, &solver->fixed, solver->graph->fixed_fields);
    return true;
}

static void show_match(ecs__solver_t *solver, const ecs__match_t *match) {
    const ecs__cache_t *cache = solver->cache;
    const ecs__plan_t *plan = solver->plan;
    ecs__eval_t *own = &solver->own;
    own->set_fields = match->set_fields;
    own->up_fields = 0;
    for (int32_t f = 0; f < plan->field_count; f++) {
        if (!(solver->graph->plan_fields & FIELD_BIT(f))) continue;
        ecs__field_found_t *found = &own->fields[f];
        const ecs__detail_t detail = ecs__match_detail(cache, match, f);
        *found = (ecs__field_found_t){ detail.id, detail.source, detail.table, -1 };
        if (detail.source) own->up_fields |= FIELD_BIT(f);
        int16_t column = match->columns[f];
        const ecs_table_t *then = found->table;
        ecs__found_follow(solver->store, found, solver->table_limit);
        if (column >= 0 &&
            (!found->source || ecs__table_is_same(found->table, then, solver->table_limit)))
            found->index = then->columns[column].type_index;
        else if (!(own->set_fields & FIELD_BIT(f)))
            found->table = NULL;
    }
}

// Places to visit: all, those of one group, or a cut.
static int32_t end_of_matches(const ecs__solver_t *solver) {
    if (solver->is_cut) return solver->last + 1;
    if (!solver->in_group) return ecs__cache_count(solver->cache);
    const ecs__group_t *group = ecs__groups_get(solver->cache->groups, solver->group);
    return group ? group->end : 0;
}

static int32_t begin_of_matches(const ecs__solver_t *solver) {
    if (solver->is_cut) return solver->first;
    const ecs__group_t *group =
        solver->in_group ? ecs__groups_get(solver->cache->groups, solver->group) : NULL;
    return group ? group->begin : 0;
}

// False if a cut leaves no rows of the match.
static bool cut_rows(ecs__solver_t *solver, int32_t at) {
    if (at == solver->first) solver->row += solver->first_row;
    bool is_end = at == solver->last && solver->last_row >= 0;
    if (is_end) solver->row_end = ECS_MIN(solver->row_end, solver->last_row);
    return solver->row < solver->row_end;
}

// Matches moved: go on behind the present one.
static void find_place(ecs__solver_t *solver) {
    ecs_id_t ids[FLECS_TERM_COUNT_MAX];
    for (int32_t f = 0; f < solver->plan->field_count; f++) ids[f] = solver->own.fields[f].id;
    solver->position = ecs__cache_behind(
        solver->cache, solver->number, solver->group, ids, solver->graph->plan_fields);
}

static ecs_table_t *next_match(ecs__solver_t *solver) {
    const ecs__cache_t *cache = solver->cache;
    if (cache->moved != solver->moved && solver->position && !cache->sort) {
        find_place(solver);
    }
    solver->moved = cache->moved;
    const int32_t end = end_of_matches(solver);
    while (solver->position < end) {
        const int32_t at = solver->position++;
        const ecs__place_t place = ecs__cache_place(cache, at);
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, place.match);
        if (!match->table || match->number >= solver->table_limit) continue;
        if (!match->table->count && !solver->with_empty) continue;
        solver->row = place.row;
        solver->row_end = ecs__place_end(&place, match->table);
        if (solver->is_cut && !cut_rows(solver, at)) continue;
        solver->number = match->number;
        solver->group = ecs__match_group(match);
        show_match(solver, match);
        return match->table;
    }
    return NULL;
}

// Of the plan, without the cache.
static ecs_table_t *next_of_plan(ecs__solver_t *solver, ecs_table_t *bound, bool redo) {
    if (!redo) {
        ecs__eval_init(&solver->own, solver->plan, solver->store, solver->plan->scan,
            solver->plan->count, bound, solver->with_empty);
        solver->own.scan.limit = solver->table_limit;
        solver->own.tallies = solver->profile ? solver->profile->ops : NULL;
    }
    return ecs__eval_next(&solver->own) ? solver->own.table : NULL;
}

static ecs_table_t *next_table(ecs__solver_t *solver, ecs_table_t *bound, bool redo) {
    if (solver->cache && !bound) {
        if (!redo) {
            solver->position = begin_of_matches(solver);
            solver->moved = solver->cache->moved;
        }
        return next_match(solver);
    }
    ecs_table_t *table = next_of_plan(solver, bound, redo);
    solver->row = 0;
    solver->row_end = table ? table->count : 0;
    return table;
}

// Who is taken as it is not, is still where it is (instead.h).
static bool is_otherwise(const ecs__solver_t *solver, const ecs__value_t *self) {
    return self->entity && self->entity == solver->instead.entity;
}

// Begin with the rows of a table that meets the plan. False if conditions fail for all of them.
static bool begin_runs(ecs__solver_t *solver, const ecs__value_t *self) {
    ecs__rows_begin(&solver->runs, self->table, self->row, self->row + self->count);
    if (is_otherwise(solver, self)) {
        const ecs__spot_t spot = ecs__entity_spot(&solver->store->entities, self->entity);
        ecs__rows_begin_as(&solver->runs, self->table, spot.table, spot.row, spot.row + 1);
    }
    return ecs__eval_add_rows(&solver->own, solver->plan, &solver->runs);
}

static bool next_run(ecs__solver_t *solver) {
    if (!ecs__rows_next(&solver->runs)) return false;
    const ecs__rows_t *runs = &solver->runs;
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    if (!is_otherwise(solver, self))
        *self = ecs__value_of_rows(self->table, runs->row, runs->row_end - runs->row);
    copy_fields(solver, &solver->own, solver->graph->plan_fields);
    for (int32_t f = 0; f < solver->plan->field_count; f++) {
        if (runs->unset & FIELD_BIT(f)) ecs__solver_unset(solver, f);
    }
    return true;
}

static bool begin_match(
    ecs__solver_t *solver, ecs__step_state_t *state, ecs_table_t *table, bool is_bound) {
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    ecs__value_t all = ecs__value_of_rows(table, solver->row, solver->row_end - solver->row);
    if (is_bound)
        *self = state->rows;
    else if (ecs__step_unbind(solver, state), !ecs__step_bind(solver, state, ECS__VAR_THIS, all))
        return false;
    if (solver->plan->by_row && !begin_runs(solver, self)) return false;
    if (solver->plan->by_row && self->count) return next_run(solver);
    copy_fields(solver, &solver->own, solver->graph->plan_fields);
    return true;
}

// Goals fail for all rows of the table, whatever its wildcards stand for.
static void leave_table(ecs__solver_t *solver, const ecs_table_t *bound) {
    const ecs__cache_t *cache = solver->cache;
    if (!cache || bound) {
        solver->own.at = solver->own.begin;
        return;
    }
    if (cache->sort || solver->is_cut) return; // other matches of the table may have other rows
    for (int32_t end = end_of_matches(solver); solver->position < end; solver->position++) {
        if (ecs__cache_at(cache, solver->position)->number != solver->number) break;
    }
}

// state->rows: $this, if it was bound before.
bool ecs__step_plan(ecs__solver_t *solver, ecs__step_state_t *state, bool redo) {
    if (!redo) state->rows = solver->values[ECS__VAR_THIS];
    if (redo && solver->plan->by_row && next_run(solver)) return true;
    ecs_table_t *table, *bound = state->rows.table;
    if (redo && solver->is_futile && !solver->plan->by_row) leave_table(solver, bound);
    for (; (table = next_table(solver, bound, redo)); redo = true) {
        if (begin_match(solver, state, table, bound != NULL)) return true;
    }
    ecs__step_unbind(solver, state);
    if (bound) solver->values[ECS__VAR_THIS] = state->rows;
    return false;
}

// ---- everything, row by row ----

// Tables came or went: go on in the present one, or with the next if it is gone.
static void follow_table(const ecs__store_t *store, ecs__step_state_t *state) {
    state->cursor = ecs__store_seek(store, state->stamp);
    if (!ecs__store_table(store, state->stamp)) state->row = 0;
}

// cursor: present table, its number is the stamp; row: next row of it. Who has a value already, as another alternative gave it, keeps it.
bool ecs__step_all(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    const ecs__store_t *store = solver->store;
    bool is_this = step->var == ECS__VAR_THIS;
    ecs_flags32_t skip = ecs__solver_skip(solver, step->var);
    ecs__step_unbind(solver, state);
    if (ecs__solver_has(solver, step->var)) return !redo;
    if (!redo)
        state->cursor = state->row = 0;
    else if (state->found != store->table_stamp)
        follow_table(store, state);
    state->found = store->table_stamp;
    for (; state->cursor < store->table_count; state->cursor++, state->row = 0) {
        ecs_table_t *table = store->tables[state->cursor];
        if (!table || table->flags & skip || table->id >= solver->table_limit) continue;
        state->stamp = table->id;
        bool is_whole = is_this && !state->row && (table->count || solver->with_empty);
        if (is_whole) {
            state->row = table->count + 1;
            return ecs__step_bind(
                solver, state, ECS__VAR_THIS, ecs__value_of_rows(table, 0, table->count));
        }
        if (is_this || state->row >= table->count) continue;
        return ecs__step_bind(solver, state, step->var, ecs__value_of_rows(table, state->row++, 1));
    }
    return false;
}

bool ecs__step_each(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    if (!redo) {
        state->rows = *self;
        state->row = 0;
    }
    *self = state->rows;
    if (step->with_empty && !state->rows.count) return !redo;
    if (state->row >= state->rows.count) return false;
    *self = ecs__value_of_rows(state->rows.table, state->rows.row + state->row++, 1);
    return true;
}
