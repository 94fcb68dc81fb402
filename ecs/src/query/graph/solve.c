// SPDX-License-Identifier: MIT
#include "query/graph/solve.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/atomics.h"
#include "query/graph/steps.h"
#include "storage/search.h"

#ifdef FLECS_DEBUG
// ---- locks ----

static void lock(ecs_table_t *table, uint32_t by) { ecs__add_32((uint32_t *)&table->lock, by); }

void ecs__solver_lock(ecs__solver_t *solver, uint64_t given) {
    for (uint64_t left = solver->graph->walked & ~given; left; left &= left - 1) {
        ecs_table_t *table = solver->values[__builtin_ctzll(left)].table;
        if (!table || table->count < 2) continue;
        lock(table, 1);
        solver->locked[solver->locked_count++] = table;
    }
}

void ecs__solver_unlock(ecs__solver_t *solver) {
    while (solver && solver->locked_count) lock(solver->locked[--solver->locked_count], UINT32_MAX);
}
#endif

// ---- lifecycle ----

ecs__solver_t *ecs__solver_new(void) {
    ecs__solver_t *solver = ecs_os_malloc_t(ecs__solver_t);
    memset((char *)solver + offsetof(ecs__solver_t, key), 0,
        offsetof(ecs__solver_t, states) - offsetof(ecs__solver_t, key));
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
    ecs_map_clear(&solver->said);
}

// Tables changed: values may be elsewhere.
static void change_all(ecs__solver_t *solver, uint64_t now) {
    solver->shown = now;
    solver->changed = (ecs_termset_t) ~(ecs_termset_t)0;
    for (int32_t i = solver->begin; i < solver->end; i++) {
        if (solver->steps[i].kind != ECS__STEP_ASK) continue;
        ecs__step_follow(solver, &solver->steps[i]);
        solver->states[i].is_fresh = true;
    }
}

ecs_termset_t ecs__solver_take_changed(ecs__solver_t *solver) {
    const uint64_t now = solver->store->structure_stamp;
    if (solver->shown != now) change_all(solver, now);
    ecs_termset_t changed = solver->changed;
    solver->changed = 0;
    return changed;
}

static void free_ids(ecs__ids_t *ids) { ecs_os_free(ids->array); }

static void free_one(ecs__solver_t *solver) {
    for (int32_t i = 0; i < solver->state_count; i++) ecs_os_free(solver->states[i].ways);
    free_ids(&solver->firsts);
    free_ids(&solver->seconds);
    free_ids(&solver->ids);
    free_ids(&solver->tables);
    free_ids(&solver->places);
    free_ids(&solver->around);
    free_ids(&solver->along);
    free_ids(&solver->listed);
    free_ids(&solver->reached.list);
    ecs_map_fini(&solver->reached.seen);
    ecs_map_fini(&solver->said);
    ecs_map_fini(&solver->noted);
    ecs_os_free(solver->join);
    ecs_os_free(solver);
}

void ecs__solver_free(ecs__solver_t *solver) {
    for (ecs__solver_t *other; solver; solver = other) {
        other = solver->others;
        free_one(solver);
    }
}

// ---- values ----

void ecs__solver_bind(
    ecs__solver_t *solver, int32_t var, ecs_table_t *table, int32_t row, int32_t count) {
    solver->values[var] = ecs__value_of_rows(table, row, count);
}

void ecs__solver_follow(ecs__solver_t *solver) {
    const ecs__store_t *store = solver->store;
    for (int32_t var = ECS__VAR_THIS + 1; var < solver->graph->var_count; var++) {
        ecs__value_t *value = &solver->values[var];
        if (!value->table) continue;
        const ecs__spot_t spot = ecs__entity_find(&store->entities, value->entity);
        value->table = spot.table ? spot.table : store->root;
        value->row = spot.row;
    }
}

// ---- sequences ----

static void cancel_sequence(ecs__solver_t *solver, int32_t begin, int32_t end) {
    for (int32_t at = end - 1; at >= begin; at--) ecs__step_cancel(solver, at);
}

static void cancel_sift(ecs__solver_t *solver, const ecs__step_t *step) {
    ecs__sift_t *sift = &solver->sift;
    if (sift->is_inside)
        cancel_sequence(solver, step->begin, step->end);
    else
        ecs__sift_give_back(solver);
    sift->is_inside = sift->may_turn = false;
    solver->values[ECS__VAR_THIS] = sift->is_listed ? (ecs__value_t){ 0 } : sift->all;
}

void ecs__step_cancel(ecs__solver_t *solver, int32_t at) {
    const ecs__step_t *step = &solver->steps[at];
    ecs__step_state_t *state = &solver->states[at];
    ecs__step_unbind(solver, state);
    if (step->kind == ECS__STEP_EACH || step->kind == ECS__STEP_PLAN)
        ecs__step_give_back(solver, state);
    if (step->kind == ECS__STEP_PART) cancel_sequence(solver, step->begin, step->end);
    if (step->kind == ECS__STEP_SIFT) cancel_sift(solver, step);
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
        const bool is_over = step->is_test || step->is_settled;
        if (is_solved ? !is_over : (step->binds & state->conflict) != 0) break;
        ecs__step_cancel(solver, back);
    }
    if (back < begin) {
        solver->reason = is_solved ? ~0ull : state->conflict;
        return -1;
    }
    if (!is_solved) solver->states[back].conflict |= state->conflict & ~solver->steps[back].binds;
    solver->is_futile = !is_solved;
    return back;
}

bool ecs__solver_run(ecs__solver_t *solver, int32_t begin, int32_t end, bool redo) {
    int32_t at = redo ? step_back(solver, begin, end, true) : begin;
    while (at >= 0 && at < end) {
        ecs__step_state_t *state = &solver->states[at];
        if (!redo) {
            state->conflict = solver->steps[at].uses;
            state->is_solved = false;
        }
        redo = !ecs__step_run(solver, at, redo);
        at = redo ? step_back(solver, begin, at, false) : at + 1;
    }
    if (at < 0 || begin == end) return false;
    for (int32_t i = begin; i < end; i++) solver->states[i].is_solved = true;
    return true;
}

static bool holds(ecs__solver_t *solver, int32_t begin, int32_t end) {
    bool found = ecs__solver_run(solver, begin, end, false);
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
    ecs__goal_unset(solver, goal);
    if (ecs__solver_lacks(solver, step->maybe)) return true;
    bool found = holds(solver, step->begin, step->end);
    state->conflict = found ? reasons_of(solver, step->begin, step->end) : solver->reason;
    if (goal->term->oper == EcsNot) return !found;
    if (found && !goal->in_scope) {
        solver->result.set_fields |= FIELD_BIT(goal->term->field_index);
        solver->result.fields[goal->term->field_index].id = goal->term->id; // which alternative
    }
    return found || goal->term->oper == EcsOptional;
}

// Some way in which an alternative holds with the present values; of several, one that found this.
static bool has_way(
    ecs__solver_t *solver, const ecs__step_t *alternative, ecs__field_found_t found) {
    const ecs__goal_t *goal = &solver->graph->goals[alternative->goal];
    const ecs__field_found_t *field = &solver->result.fields[goal->term->field_index];
    const int32_t begin = alternative->begin, end = alternative->end;
    bool holds = ecs__solver_run(solver, begin, end, false);
    while (holds && ecs__goal_has_ways(goal) &&
           !(field->source == found.source && ecs_id_match(field->id, found.id)))
        holds = ecs__solver_run(solver, begin, end, true);
    if (holds) cancel_sequence(solver, begin, end);
    return holds;
}

// It ends the chain where it holds: also where the chain finds the source itself.
static bool is_test(const ecs__solver_t *solver, const ecs__step_t *alternative) {
    const ecs__goal_t *goal = &solver->graph->goals[alternative->goal];
    const uint64_t source = ECS__THIS_BIT | ecs__ref_bit(&goal->src);
    return !(alternative->binds & ~source) && !ecs__goal_has_ways(goal);
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
        if (!counts || ecs__solver_lacks(solver, other->maybe)) continue;
        is_same = has_way(solver, other, found);
    }
    result->fields[field] = found;
    result->set_fields = set;
    result->up_fields = up;
    return is_same;
}

// Scopes have fields of their own: those of the alternatives that are not shown are not set.
static void unset_fields(
    ecs__solver_t *solver, const ecs__step_t *chain, const ecs__goal_t *shown) {
    for (int32_t i = chain->begin; i < chain->end; i++) {
        const ecs__goal_t *goal = &solver->graph->goals[solver->steps[i].goal];
        bool is_shown = shown && goal->term->field_index == shown->term->field_index;
        if (!is_shown) ecs__goal_unset(solver, goal);
    }
}

// Alternatives that bind variables, or have `*` or `all`, all come; of the others the first that holds is the last one.
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
        if (!redo && ecs__solver_lacks(solver, alternative->maybe)) {
            skipped++;
            continue;
        }
        uint64_t known = redo ? 0 : ecs__solver_bound(solver, goal->vars);
        bool found = ecs__solver_run(solver, alternative->begin, alternative->end, redo);
        while (found && is_repeated(solver, step, state)) {
            found = ecs__solver_run(solver, alternative->begin, alternative->end, true);
        }
        if (!found) continue;
        unset_fields(solver, step, goal);
        if (!redo && !ecs__goal_has_ways(goal) && known == ecs__solver_bound(solver, goal->vars)) {
            // A test holds once; nothing stays behind that could be tried again.
            cancel_sequence(solver, alternative->begin, alternative->end);
            state->done = true;
        }
        return true;
    }
    state->done = true;
    if (skipped < count) return false;
    unset_fields(solver, step, NULL);
    return true;
}

static bool run_kind(ecs__solver_t *solver, int32_t at, bool redo) {
    const ecs__step_t *step = &solver->steps[at];
    ecs__step_state_t *state = &solver->states[at];
    switch ((ecs__step_kind_t)step->kind) {
    case ECS__STEP_FIXED: return ecs__step_fixed(solver, redo);
    case ECS__STEP_PLAN: return ecs__step_plan(solver, state, redo);
    case ECS__STEP_ALL: return ecs__step_all(solver, step, state, redo);
    case ECS__STEP_EACH: return ecs__step_each(solver, step, state, redo);
    case ECS__STEP_SIFT: return ecs__step_sift(solver, step, redo);
    case ECS__STEP_PART: return ecs__step_part(solver, step, state, redo);
    case ECS__STEP_GOAL: return ecs__step_goal(solver, step, state, redo);
    case ECS__STEP_ASK: return ecs__step_ask(solver, step, redo);
    case ECS__STEP_NOT: return ecs__step_not(solver, step, state, redo);
    case ECS__STEP_OPTIONAL: return ecs__step_optional(solver, step, state, redo);
    case ECS__STEP_SCOPE: return run_scope(solver, step, state, redo);
    case ECS__STEP_CHAIN: return run_chain(solver, step, state, redo);
    }
    return false;
}

// Of alternatives, scopes have fields of their own.
ecs_termset_t ecs__step_fields(const ecs__solver_t *solver, const ecs__step_t *step) {
    const ecs__graph_t *graph = solver->graph;
    if (step->kind == ECS__STEP_FIXED) return graph->fixed_fields;
    if (step->kind == ECS__STEP_PLAN) return graph->plan_fields;
    if (step->kind == ECS__STEP_SIFT) return ecs__sift_fields(&solver->sift);
    if (step->kind < ECS__STEP_GOAL) return 0;
    const ecs__goal_t *goal = &graph->goals[step->goal];
    ecs_termset_t fields = goal->in_scope ? 0 : FIELD_BIT(goal->term->field_index);
    for (int32_t i = step->begin; step->kind == ECS__STEP_CHAIN && i < step->end; i++)
        fields |= ecs__step_fields(solver, &solver->steps[i]);
    return fields;
}

bool ecs__step_run(ecs__solver_t *solver, int32_t at, bool redo) {
    bool held = run_kind(solver, at, redo);
    const ecs__step_t *step = &solver->steps[at];
    bool has_goal = step->kind >= ECS__STEP_GOAL && step->kind != ECS__STEP_CHAIN;
    if (solver->profile && has_goal) ecs__tally(&solver->profile->goals[step->goal], held);
    return held;
}

void ecs__solver_clear_states(ecs__solver_t *solver) {
    for (int32_t i = 0; i < solver->step_count; i++) {
        ecs__step_state_t *state = &solver->states[i];
        bool is_new = i >= solver->state_count;
        *state = (ecs__step_state_t){ .ways = is_new ? NULL : state->ways,
            .size = is_new ? 0 : state->size };
    }
    ecs_map_clear(&solver->noted);
    solver->state_count = ECS_MAX(solver->state_count, solver->step_count);
}

static ecs__order_key_t order_key(const ecs__solver_t *solver) {
    const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    ecs__order_key_t key = { .graph = solver->graph->number,
        .structure = solver->store->structure_stamp,
        .bound = ecs__solver_bound(solver, ~0ull >> (64 - solver->graph->var_count)) };
    key.rows = self->table && self->count != 1 ? ECS__THIS_BIT : 0;
    key.mode = (solver->cache != NULL) | ecs__solver_goes_by_table(solver) << 1 |
               (uint64_t)solver->with_empty << 2 | (uint64_t)(solver->instead.entity != 0) << 3;
    return key;
}

// What is beside tables changes without their stamp.
static bool may_keep_order(const ecs__solver_t *solver) {
    return !solver->profile && !solver->graph->has_beside && !solver->store->beside;
}

static bool is_hidden(const ecs__solver_t *solver, const ecs__step_t *step) {
    const ecs__graph_t *graph = solver->graph;
    if (step->binds & ~graph->hidden) return false;
    if (step->kind < ECS__STEP_GOAL) return step->kind == ECS__STEP_ALL;
    const ecs_termset_t hidden = graph->hidden_fields & graph->hidden_ids;
    return hidden & FIELD_BIT(graph->goals[step->goal].term->field_index);
}

// A step that shows nothing, and gives values only to hidden variables, which no step from the next on that shows something uses.
static void settle(ecs__solver_t *solver) {
    uint64_t later = 0, needed = 0;
    for (int32_t at = solver->end - 1; at >= solver->begin; at--) {
        ecs__step_t *step = &solver->steps[at];
        later |= step->uses;
        step->is_settled = is_hidden(solver, step) && !(step->binds & needed);
        if (!step->is_settled && !step->is_test) needed = later;
    }
}

static void put_in_order(ecs__solver_t *solver, const ecs__order_key_t *key) {
    int16_t first, last;
    solver->step_count = 0;
    ecs__solver_order(solver, 0, solver->graph->count - 1, key->bound, 0, key->rows, &first, &last);
    solver->begin = first;
    solver->end = last;
    ecs__sift_make(solver);
    settle(solver);
    solver->is_reordered = true;
    solver->key = *key;
    if (!may_keep_order(solver)) solver->key.graph = 0;
}

bool ecs__solver_start(ecs__solver_t *solver) {
    const ecs__order_key_t key = order_key(solver);
    if (!may_keep_order(solver) || memcmp(&key, &solver->key, sizeof key) != 0)
        put_in_order(solver, &key);
    solver->has_begun = true;
    if (solver->shown != solver->store->structure_stamp) ecs__solver_follow(solver);
    const ecs_table_t *table = solver->values[ECS__VAR_THIS].table;
    return !table || !(table->flags & solver->plan->skip);
}

static bool next(ecs__solver_t *solver) {
    if (!solver->has_begun && !ecs__solver_start(solver)) return false;
    bool redo = solver->has_run;
    if (!redo) ecs__solver_clear_states(solver);
    if (redo && solver->shown != solver->store->structure_stamp) ecs__solver_follow(solver);
    solver->has_run = true;
    return ecs__solver_run(solver, solver->begin, solver->end, redo);
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
