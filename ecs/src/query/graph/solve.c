// SPDX-License-Identifier: MIT
#include "query/graph/solve.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/assert.h"
#include "storage/search.h"

#define FIELD_BIT(field) ((ecs_termset_t)((ecs_termset_t)1 << (field)))

// ---- lifecycle ----

ecs__solver_t *ecs__solver_new(void) {
    ecs__solver_t *solver = ecs_os_malloc_t(ecs__solver_t);
    memset((char *)solver + offsetof(ecs__solver_t, key), 0,
        offsetof(ecs__solver_t, states) - offsetof(ecs__solver_t, key));
    memset(solver->own.states, 0, sizeof solver->own.states);
    return solver;
}

void ecs__solver_begin(ecs__solver_t *solver, const ecs_world_t *world, const ecs__store_t *store,
    const ecs__graph_t *graph, const ecs__plan_t *plan, const ecs__cache_t *cache,
    bool with_empty) {
    memset(solver, 0,
        offsetof(ecs__solver_t, values) + (size_t)graph->var_count * sizeof(ecs__value_t));
    solver->world = world;
    solver->store = store;
    solver->graph = graph;
    solver->plan = plan;
    solver->cache = cache;
    solver->with_empty = with_empty;
    solver->table_limit = store->next_table_id;
    ecs__eval_init(&solver->result, plan, store, 0, 0, NULL, with_empty);
    solver->changed = (ecs_termset_t) ~(ecs_termset_t)0;
    solver->shown = store->structure_stamp;
}

// Tables changed: values may be elsewhere.
static void change_all(ecs__solver_t *solver, uint64_t now) {
    solver->shown = now;
    solver->changed = (ecs_termset_t) ~(ecs_termset_t)0;
    for (int32_t i = solver->begin; i < solver->end; i++) solver->states[i].is_fresh = true;
}

ecs_termset_t ecs__solver_take_changed(ecs__solver_t *solver) {
    const uint64_t now = solver->store->structure_stamp;
    if (solver->shown != now) change_all(solver, now);
    ecs_termset_t changed = solver->changed;
    solver->changed = 0;
    return changed;
}

static void free_ids(ecs__ids_t *ids) { ecs_os_free(ids->array); }

void ecs__solver_free(ecs__solver_t *solver) {
    if (!solver) return;
    for (int32_t i = 0; i < solver->state_count; i++) {
        ecs_os_free(solver->states[i].ways);
        ecs_os_free(solver->states[i].scan);
    }
    free_ids(&solver->firsts);
    free_ids(&solver->seconds);
    free_ids(&solver->ids);
    free_ids(&solver->tables);
    free_ids(&solver->places);
    free_ids(&solver->around);
    free_ids(&solver->reached.list);
    ecs_map_fini(&solver->reached.seen);
    ecs_os_free(solver->join);
    ecs_os_free(solver);
}

// ---- values ----

static ecs__value_t value_of_row(ecs_table_t *table, int32_t row, int32_t count) {
    ecs_entity_t entity = count == 1 && row < table->count ? table->entities[row] : 0;
    return (ecs__value_t){ entity, table, row, count };
}

void ecs__solver_bind(
    ecs__solver_t *solver, int32_t var, ecs_table_t *table, int32_t row, int32_t count) {
    solver->values[var] = value_of_row(table, row, count);
}

// True if the variable has, or now gets, this value.
static bool bind(ecs__solver_t *solver, ecs__step_state_t *state, int32_t var, ecs__value_t value) {
    ecs__value_t *own = &solver->values[var];
    if (own->table) return value.entity && own->entity == value.entity;
    if (value.table->flags & ecs__solver_skip(solver, var)) return false;
    *own = value;
    state->mask |= ECS__VAR_BIT(var);
    return true;
}

static void unbind(ecs__solver_t *solver, ecs__step_state_t *state) {
    for (; state->mask; state->mask &= state->mask - 1) {
        solver->values[__builtin_ctzll(state->mask)] = (ecs__value_t){ 0 };
    }
}

static bool bind_entity(
    ecs__solver_t *solver, ecs__step_state_t *state, const ecs__ref_t *ref, ecs_entity_t entity) {
    if (ref->kind != ECS__REF_VAR || ref->path || ref->trav) return true; // found around its value
    const ecs_record_t *record = ecs__entity_try(&solver->store->entities, entity);
    return record && bind(solver, state, ref->var,
                         value_of_row(record->table, ECS_RECORD_TO_ROW(record->row), 1));
}

static bool is_unset(const ecs__solver_t *solver, uint64_t vars) {
    for (; vars; vars &= vars - 1) {
        if (!ecs__solver_has(solver, __builtin_ctzll(vars))) return true;
    }
    return false;
}

// ---- fields ----

static void lack_field(ecs__solver_t *solver, int32_t field) {
    ecs__eval_t *result = &solver->result;
    result->fields[field] =
        (ecs__field_found_t){ solver->plan->ids[field], solver->plan->sources[field], NULL, -1 };
    result->set_fields &= (ecs_termset_t)~FIELD_BIT(field);
    result->up_fields &= (ecs_termset_t)~FIELD_BIT(field);
    solver->changed |= FIELD_BIT(field);
}

static void unset_field(ecs__solver_t *solver, const ecs__goal_t *goal) {
    if (!goal->in_scope) lack_field(solver, goal->term->field_index);
}

static void set_field(ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__way_t *way) {
    if (goal->in_scope) return;
    if (goal->kind == ECS__GOAL_EQUAL || goal->kind == ECS__GOAL_MATCH) {
        unset_field(solver, goal);
        return;
    }
    ecs__eval_t *result = &solver->result;
    int32_t field = goal->term->field_index;
    const ecs__ref_t *src = &goal->src;
    const bool is_this = src->kind == ECS__REF_VAR && src->var == ECS__VAR_THIS && !src->path;
    ecs_entity_t source = way->source;
    if (!source && src->kind == ECS__REF_ANY) source = way->table->entities[way->row];
    if (!source && !is_this) source = ecs__ref_entity(solver, src);
    result->fields[field] = (ecs__field_found_t){ way->id, source, way->in, way->index };
    result->set_fields |= FIELD_BIT(field);
    result->up_fields &= (ecs_termset_t)~FIELD_BIT(field);
    if (way->is_above) result->up_fields |= FIELD_BIT(field);
    solver->changed |= FIELD_BIT(field);
}

static void copy_fields(ecs__solver_t *solver, const ecs__eval_t *from, ecs_termset_t fields) {
    ecs__eval_t *to = &solver->result;
    for (int32_t f = 0; f < solver->plan->field_count; f++) {
        if (fields & FIELD_BIT(f)) to->fields[f] = from->fields[f];
    }
    to->set_fields = (to->set_fields & ~fields) | (from->set_fields & fields);
    to->up_fields = (to->up_fields & ~fields) | (from->up_fields & fields);
    solver->changed |= fields;
}

// ---- plain terms ----

static bool run_fixed(ecs__solver_t *solver, bool redo) {
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
    const ecs__detail_t *details = match->details < 0 ? NULL : &cache->now.details[match->details];
    ecs__eval_t *own = &solver->own;
    own->set_fields = match->set_fields;
    own->up_fields = 0;
    for (int32_t f = 0; f < plan->field_count; f++) {
        if (!(solver->graph->plan_fields & FIELD_BIT(f))) continue;
        ecs__field_found_t *found = &own->fields[f];
        *found = (ecs__field_found_t){ plan->ids[f], 0, match->table, -1 };
        if (details)
            *found = (ecs__field_found_t){ details[f].id, details[f].source, details[f].table, -1 };
        if (details && details[f].is_above) own->up_fields |= FIELD_BIT(f);
        int16_t column = match->columns[f];
        if (column >= 0)
            found->index = found->table->columns[column].type_index;
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

static ecs_table_t *next_match(ecs__solver_t *solver) {
    const ecs__cache_t *cache = solver->cache;
    if (cache->moved != solver->moved && solver->position && !cache->sort) {
        solver->position = ecs__cache_behind(cache, solver->number, solver->group);
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

// Begin with the rows of a table that meets the plan. False if conditions fail for all of them.
static bool begin_runs(ecs__solver_t *solver, const ecs__value_t *self) {
    ecs_id_t ids[FLECS_TERM_COUNT_MAX];
    ecs_entity_t sources[FLECS_TERM_COUNT_MAX];
    for (int32_t f = 0; f < solver->plan->field_count; f++) {
        ids[f] = solver->own.fields[f].id;
        sources[f] = solver->own.fields[f].source;
    }
    ecs__rows_begin(&solver->runs, self->table, self->row, self->row + self->count);
    return ecs__rows_add_all(&solver->runs, solver->plan, ids, sources);
}

static bool next_run(ecs__solver_t *solver) {
    if (!ecs__rows_next(&solver->runs)) return false;
    const ecs__rows_t *runs = &solver->runs;
    ecs_table_t *table = solver->values[ECS__VAR_THIS].table;
    solver->values[ECS__VAR_THIS] = value_of_row(table, runs->row, runs->row_end - runs->row);
    copy_fields(solver, &solver->own, solver->graph->plan_fields);
    for (int32_t f = 0; f < solver->plan->field_count; f++) {
        if (runs->unset & FIELD_BIT(f)) lack_field(solver, f);
    }
    return true;
}

static bool begin_match(
    ecs__solver_t *solver, ecs__step_state_t *state, ecs_table_t *table, bool is_bound) {
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    ecs__value_t all = value_of_row(table, solver->row, solver->row_end - solver->row);
    if (is_bound)
        *self = state->rows;
    else if (unbind(solver, state), !bind(solver, state, ECS__VAR_THIS, all))
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
static bool run_plan(ecs__solver_t *solver, ecs__step_state_t *state, bool redo) {
    if (!redo) state->rows = solver->values[ECS__VAR_THIS];
    if (redo && solver->plan->by_row && next_run(solver)) return true;
    ecs_table_t *table, *bound = state->rows.table;
    if (redo && solver->is_futile && !solver->plan->by_row) leave_table(solver, bound);
    for (; (table = next_table(solver, bound, redo)); redo = true) {
        if (begin_match(solver, state, table, bound != NULL)) return true;
    }
    unbind(solver, state);
    if (bound) solver->values[ECS__VAR_THIS] = state->rows;
    return false;
}

// ---- everything, row by row ----

// cursor: next table, row: next row of the one before.
static bool run_all(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    const ecs__store_t *store = solver->store;
    bool is_this = step->var == ECS__VAR_THIS;
    ecs_flags32_t skip = ecs__solver_skip(solver, step->var);
    unbind(solver, state);
    if (!redo) state->cursor = state->row = 0;
    for (; state->cursor < store->table_count; state->cursor++, state->row = 0) {
        ecs_table_t *table = store->tables[state->cursor];
        if (!table || table->flags & skip || table->id >= solver->table_limit) continue;
        bool is_whole = is_this && !state->row && (table->count || solver->with_empty);
        if (is_whole) {
            state->row = table->count + 1;
            return bind(solver, state, ECS__VAR_THIS, value_of_row(table, 0, table->count));
        }
        if (is_this || state->row >= table->count) continue;
        return bind(solver, state, step->var, value_of_row(table, state->row++, 1));
    }
    return false;
}

static bool run_each(ecs__solver_t *solver, ecs__step_state_t *state, bool redo) {
    ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    if (!redo) {
        state->rows = *self;
        state->row = 0;
    }
    *self = state->rows;
    if (state->row >= state->rows.count) return false;
    *self = value_of_row(state->rows.table, state->rows.row + state->row++, 1);
    return true;
}

static void end_each(ecs__solver_t *solver, const ecs__step_state_t *state) {
    solver->values[ECS__VAR_THIS] = state->rows;
}

// ---- goals ----

static bool binds_rows(const ecs__goal_t *goal) {
    uint64_t bit = ECS__VAR_BIT(ECS__VAR_THIS);
    return goal->src.kind == ECS__REF_VAR && goal->src.var == ECS__VAR_THIS &&
           !(goal->entities & bit);
}

// One row of a way's sources, or for $this all of them at once.
static bool try_way(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state,
    const ecs__way_t *way, int32_t row) {
    if (way->table && goal->src.kind == ECS__REF_VAR) {
        bool is_whole = binds_rows(goal);
        int32_t first = is_whole ? way->row : way->row + row, count = is_whole ? way->count : 1;
        if (goal->by_row && !way->source &&
            !ecs__id_is_on(solver->store, way->table->entities[first], way->id))
            return false;
        if (!bind(solver, state, goal->src.var, value_of_row(way->table, first, count)))
            return false;
    }
    if (goal->kind == ECS__GOAL_ID && !bind_entity(solver, state, &goal->first, way->first))
        return false;
    bool has_second = goal->kind == ECS__GOAL_ID && goal->term->id & ECS__PAIR;
    if (goal->kind == ECS__GOAL_MEMBER) has_second = true;
    if (goal->kind == ECS__GOAL_EQUAL && way->second) has_second = true;
    return !has_second || bind_entity(solver, state, &goal->second, way->second);
}

static int32_t rows_of(const ecs__goal_t *goal, const ecs__way_t *way) {
    bool is_single = !way->table || goal->src.kind != ECS__REF_VAR || binds_rows(goal);
    return is_single ? 1 : way->count;
}

static bool next_way(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    unbind(solver, state);
    for (; state->cursor < state->count; state->cursor++, state->row = 0) {
        const ecs__way_t *way = &state->ways[state->cursor];
        while (state->row < rows_of(goal, way)) {
            if (try_way(solver, goal, state, way, state->row++)) {
                set_field(solver, goal, way);
                return true;
            }
            unbind(solver, state);
        }
    }
    return false;
}

static bool first_way(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    ecs__ways_collect(solver, goal, state);
    state->cursor = state->row = 0;
    return next_way(solver, goal, state);
}

// A goal whose variable has no value is skipped: it holds once.
static bool skip(ecs__solver_t *solver, const ecs__goal_t *goal, ecs__step_state_t *state) {
    state->count = state->cursor = 0;
    state->done = true;
    unset_field(solver, goal);
    return true;
}

static bool run_goal(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (redo) return next_way(solver, goal, state);
    return is_unset(solver, step->maybe) ? skip(solver, goal, state)
                                         : first_way(solver, goal, state);
}

static bool run_optional(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (redo) return !state->done && next_way(solver, goal, state);
    state->done = false;
    if (is_unset(solver, step->maybe)) return skip(solver, goal, state);
    return first_way(solver, goal, state) || skip(solver, goal, state);
}

static bool run_not(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    if (redo) return false;
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    if (is_unset(solver, step->maybe)) return true;
    bool found =
        step->is_asked ? ecs__solver_ask(solver, step, false) : first_way(solver, goal, state);
    unbind(solver, state);
    unset_field(solver, goal);
    // A From operator is a Not of its own (ways.c).
    return !found;
}

// ---- sequences ----

static bool run_step(ecs__solver_t *solver, int32_t at, bool redo);

static bool run_sequence(ecs__solver_t *solver, int32_t begin, int32_t end, bool redo);
static void cancel_step(ecs__solver_t *solver, int32_t at);

static void cancel_sequence(ecs__solver_t *solver, int32_t begin, int32_t end) {
    for (int32_t at = end - 1; at >= begin; at--) cancel_step(solver, at);
}

static void cancel_step(ecs__solver_t *solver, int32_t at) {
    const ecs__step_t *step = &solver->steps[at];
    ecs__step_state_t *state = &solver->states[at];
    unbind(solver, state);
    if (step->kind == ECS__STEP_EACH) end_each(solver, state);
    if (step->kind != ECS__STEP_CHAIN || state->done) return;
    const ecs__step_t *alternative = &solver->steps[step->begin + state->alternative];
    cancel_sequence(solver, alternative->begin, alternative->end);
}

// The step to try again when the one at `at` has no more ways: the one before, if there was a solution, else the last that gave a
// value to a variable on which the failure depends. -1: none, and solver->reason is what the failure depends on.
static int32_t step_back(ecs__solver_t *solver, int32_t begin, int32_t at, bool is_end) {
    const ecs__step_state_t *state = &solver->states[at];
    const bool is_solved = is_end || state->is_solved;
    int32_t back = at - 1;
    for (; back >= begin; back--) {
        const ecs__step_t *step = &solver->steps[back];
        if (is_solved ? !step->is_test : (step->binds & state->conflict) != 0) break;
        cancel_step(solver, back);
    }
    if (back < begin) {
        solver->reason = is_solved ? ~0ull : state->conflict;
        return -1;
    }
    if (!is_solved) solver->states[back].conflict |= state->conflict & ~solver->steps[back].binds;
    solver->is_futile = !is_solved;
    return back;
}

static bool run_sequence(ecs__solver_t *solver, int32_t begin, int32_t end, bool redo) {
    int32_t at = redo ? step_back(solver, begin, end, true) : begin;
    while (at >= 0 && at < end) {
        ecs__step_state_t *state = &solver->states[at];
        if (!redo) {
            state->conflict = solver->steps[at].uses;
            state->is_solved = false;
        }
        redo = !run_step(solver, at, redo);
        at = redo ? step_back(solver, begin, at, false) : at + 1;
    }
    if (at < 0 || begin == end) return false;
    for (int32_t i = begin; i < end; i++) solver->states[i].is_solved = true;
    return true;
}

static bool holds(ecs__solver_t *solver, int32_t begin, int32_t end) {
    bool found = run_sequence(solver, begin, end, false);
    if (found) cancel_sequence(solver, begin, end);
    return found;
}

// Variables on which it depends that a sequence held.
static uint64_t reasons_of(const ecs__solver_t *solver, int32_t begin, int32_t end) {
    uint64_t vars = 0;
    for (int32_t at = begin; at < end; at++) vars |= solver->states[at].conflict;
    return vars;
}

static bool run_scope(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    if (redo) return false;
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    bool found = holds(solver, step->begin, step->end);
    state->conflict = found ? reasons_of(solver, step->begin, step->end) : solver->reason;
    unset_field(solver, goal);
    if (goal->term->oper == EcsNot) return !found;
    if (found && !goal->in_scope) solver->result.set_fields |= FIELD_BIT(goal->term->field_index);
    return found || goal->term->oper == EcsOptional;
}

static uint64_t bound_vars(const ecs__solver_t *solver, uint64_t vars) {
    uint64_t bound = 0;
    for (; vars; vars &= vars - 1) {
        int32_t var = __builtin_ctzll(vars);
        if (ecs__solver_has(solver, var)) bound |= ECS__VAR_BIT(var);
    }
    return bound;
}

// Some way in which an alternative holds with the present values; with `*`, one that found this.
static bool has_way(
    ecs__solver_t *solver, const ecs__step_t *alternative, ecs__field_found_t found) {
    const ecs__goal_t *goal = &solver->graph->goals[alternative->goal];
    const ecs__field_found_t *field = &solver->result.fields[goal->term->field_index];
    const int32_t begin = alternative->begin, end = alternative->end;
    bool holds = run_sequence(solver, begin, end, false);
    while (holds && ecs__goal_has_star(goal) &&
           !(field->source == found.source && ecs_id_match(field->id, found.id)))
        holds = run_sequence(solver, begin, end, true);
    if (holds) cancel_sequence(solver, begin, end);
    return holds;
}

// It ends the chain where it holds: also where the chain finds the source itself.
static bool is_test(const ecs__solver_t *solver, const ecs__step_t *alternative) {
    const ecs__goal_t *goal = &solver->graph->goals[alternative->goal];
    uint64_t source = ECS__VAR_BIT(ECS__VAR_THIS);
    if (goal->src.kind == ECS__REF_VAR) source |= ECS__VAR_BIT(goal->src.var);
    return !(alternative->binds & ~source) && !ecs__goal_has_star(goal);
}

// True if an alternative before the present one is a test that holds, or says the same: it binds the same variables, and holds with
// these values.
static bool is_repeated(
    ecs__solver_t *solver, const ecs__step_t *chain, const ecs__step_state_t *state) {
    const uint64_t binds = solver->steps[chain->begin + state->alternative].binds;
    ecs__eval_t *result = &solver->result;
    int32_t field = solver->graph->goals[chain->goal].term->field_index;
    ecs__field_found_t found = result->fields[field];
    ecs_termset_t set = result->set_fields, up = result->up_fields;
    bool is_same = false;
    for (int32_t i = 0; i < state->alternative && !is_same; i++) {
        const ecs__step_t *other = &solver->steps[chain->begin + i];
        bool counts = other->binds == binds || is_test(solver, other);
        if (!counts || is_unset(solver, other->maybe)) continue;
        is_same = has_way(solver, other, found);
    }
    result->fields[field] = found;
    result->set_fields = set;
    result->up_fields = up;
    return is_same;
}

// Alternatives that bind variables or have `*` all come; of the others the first that holds is the last one.
static bool run_chain(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    if (redo && state->done) return false;
    if (!redo) {
        state->alternative = 0;
        state->done = false;
    }
    int32_t skipped = 0, count = step->end - step->begin;
    for (; state->alternative < count; state->alternative++, redo = false) {
        const ecs__step_t *alternative = &solver->steps[step->begin + state->alternative];
        const ecs__goal_t *goal = &solver->graph->goals[alternative->goal];
        if (!redo && is_unset(solver, alternative->maybe)) {
            skipped++;
            continue;
        }
        uint64_t known = redo ? 0 : bound_vars(solver, goal->vars);
        bool found = run_sequence(solver, alternative->begin, alternative->end, redo);
        while (found && is_repeated(solver, step, state)) {
            found = run_sequence(solver, alternative->begin, alternative->end, true);
        }
        if (!found) continue;
        if (!redo && !ecs__goal_has_star(goal) && known == bound_vars(solver, goal->vars)) {
            // A test holds once; nothing stays behind that could be tried again.
            cancel_sequence(solver, alternative->begin, alternative->end);
            state->done = true;
        }
        return true;
    }
    state->done = true;
    if (skipped < count) return false;
    unset_field(solver, &solver->graph->goals[step->goal]);
    return true;
}

static bool run_kind(ecs__solver_t *solver, int32_t at, bool redo) {
    const ecs__step_t *step = &solver->steps[at];
    ecs__step_state_t *state = &solver->states[at];
    switch ((ecs__step_kind_t)step->kind) {
    case ECS__STEP_FIXED: return run_fixed(solver, redo);
    case ECS__STEP_PLAN: return run_plan(solver, state, redo);
    case ECS__STEP_SCAN: return ecs__solver_scan(solver, step, redo);
    case ECS__STEP_CHECK: return ecs__solver_check(solver, step);
    case ECS__STEP_ALL: return run_all(solver, step, state, redo);
    case ECS__STEP_EACH: return run_each(solver, state, redo);
    case ECS__STEP_GOAL: return run_goal(solver, step, state, redo);
    case ECS__STEP_ASK: return ecs__solver_ask(solver, step, redo);
    case ECS__STEP_FIND: return ecs__solver_find(solver, step, redo);
    case ECS__STEP_NOT: return run_not(solver, step, state, redo);
    case ECS__STEP_OPTIONAL: return run_optional(solver, step, state, redo);
    case ECS__STEP_SCOPE: return run_scope(solver, step, state, redo);
    case ECS__STEP_CHAIN: return run_chain(solver, step, state, redo);
    }
    return false;
}

static bool run_step(ecs__solver_t *solver, int32_t at, bool redo) {
    bool held = run_kind(solver, at, redo);
    const ecs__step_t *step = &solver->steps[at];
    bool has_goal = step->kind >= ECS__STEP_GOAL && step->kind != ECS__STEP_CHAIN;
    if (solver->profile && has_goal) ecs__tally(&solver->profile->goals[step->goal], held);
    return held;
}

// Lists of ways keep their memory.
static void clear_states(ecs__solver_t *solver) {
    for (int32_t i = 0; i < solver->step_count; i++) {
        ecs__step_state_t *state = &solver->states[i];
        bool is_new = i >= solver->state_count;
        *state = (ecs__step_state_t){ .ways = is_new ? NULL : state->ways,
            .size = is_new ? 0 : state->size,
            .scan = is_new ? NULL : state->scan };
    }
    solver->state_count = ECS_MAX(solver->state_count, solver->step_count);
}

static ecs__order_key_t order_key(const ecs__solver_t *solver) {
    const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    ecs__order_key_t key = { .graph = solver->graph->number,
        .structure = solver->store->structure_stamp,
        .bound = bound_vars(solver, ~0ull >> (ECS__VARS_MAX - solver->graph->var_count)) };
    key.rows = self->table && self->count != 1 ? ECS__VAR_BIT(ECS__VAR_THIS) : 0;
    key.mode = (solver->cache != NULL) | ecs__solver_goes_by_table(solver) << 1 |
               (uint64_t)solver->with_empty << 2;
    return key;
}

// What is beside tables changes without their stamp.
static bool may_keep_order(const ecs__solver_t *solver) {
    return !solver->profile && !solver->graph->has_beside && !solver->store->beside;
}

static void put_in_order(ecs__solver_t *solver, const ecs__order_key_t *key) {
    int16_t first, last;
    solver->step_count = 0;
    ecs__solver_order(solver, 0, solver->graph->count - 1, key->bound, 0, key->rows, &first, &last);
    solver->begin = first;
    solver->end = last;
    solver->is_reordered = true;
    solver->key = *key;
    if (!may_keep_order(solver)) solver->key.graph = 0;
}

bool ecs__solver_start(ecs__solver_t *solver) {
    const ecs__order_key_t key = order_key(solver);
    if (!may_keep_order(solver) || memcmp(&key, &solver->key, sizeof key) != 0)
        put_in_order(solver, &key);
    solver->has_begun = true;
    const ecs_table_t *table = solver->values[ECS__VAR_THIS].table;
    return !table || !(table->flags & solver->plan->skip);
}

static bool next(ecs__solver_t *solver) {
    if (!solver->has_begun && !ecs__solver_start(solver)) return false;
    bool redo = solver->has_run;
    if (!redo) clear_states(solver);
    solver->has_run = true;
    return run_sequence(solver, solver->begin, solver->end, redo);
}

static bool is_behind(const ecs__solver_t *solver, int32_t a, int32_t b) {
    return solver->plan->descending ? a < b : a > b;
}

// One search per depth: those of a table differ.
static bool next_by_depth(ecs__solver_t *solver) {
    const int32_t none = solver->plan->descending ? -1 : INT32_MAX;
    if (!solver->has_run) {
        solver->depth = solver->plan->descending ? INT32_MAX : 0;
        solver->next_depth = none;
    }
    for (;;) {
        while (next(solver)) {
            const ecs_entity_t entity = solver->values[ECS__VAR_THIS].entity;
            int32_t depth = ecs__depth_from(solver->store, entity, solver->plan->entity_cascade);
            if (depth == solver->depth) return true;
            if (is_behind(solver, depth, solver->depth) &&
                is_behind(solver, solver->next_depth, depth))
                solver->next_depth = depth;
        }
        if (solver->next_depth == none) return false;
        solver->depth = solver->next_depth;
        solver->next_depth = none;
        solver->has_run = false; // once more
    }
}

bool ecs__solver_next(ecs__solver_t *solver) {
    return solver->plan->entity_cascade ? next_by_depth(solver) : next(solver);
}
