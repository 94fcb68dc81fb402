// SPDX-License-Identifier: MIT
// part: steps at the end of a search that use no variable of those before are run once, not again for each solution of those.
//
//   Unit, Wind($w|up), !Off($w), Player($p|up), Level($p, $l)
//      PLAN $this ─▶ PART { GOAL $w ─▶ NOT Off } ─▶ PART { GOAL $p ─▶ ASK Level }
//
// A part holds in the same ways whatever comes before it. While it is run for the first time, notes are taken: the values of its
// variables, and its fields. After that the notes are read. Ways that differ in hidden variables only are noted once.
// $this is in no part: its rows may move. A join (iter/join.h) that asks tables only has no parts: trying again costs it less than notes.
#include "query/graph/steps.h"

#include "base/assert.h"
#include "base/hash.h"

// ---- making ----

static uint64_t binds_before(const ecs__solver_t *solver, int32_t at) {
    uint64_t vars = 0;
    for (int32_t i = solver->begin; i < at; i++) vars |= solver->steps[i].binds;
    return vars;
}

static uint64_t uses_from(const ecs__solver_t *solver, int32_t at, int32_t end) {
    uint64_t vars = 0;
    for (int32_t i = at; i < end; i++) vars |= solver->steps[i].uses | solver->steps[i].binds;
    return vars;
}

// Where something is bound that no step from there on uses.
static bool may_begin(const ecs__solver_t *solver, int32_t at) {
    const uint64_t bound = binds_before(solver, at);
    return bound && !(bound & uses_from(solver, at, solver->end));
}

// It costs no more than to read notes.
static bool is_cheap(const ecs__solver_t *solver, const ecs__step_t *step) {
    if (step->kind == ECS__STEP_ALL) return true;
    bool asks_tables = step->is_found || step->kind == ECS__STEP_ASK;
    return asks_tables && !(solver->graph->goals[step->goal].term->src.id & EcsUp);
}

static bool is_part(const ecs__solver_t *solver, int32_t begin, int32_t end) {
    if (end - begin == 1 && is_cheap(solver, &solver->steps[begin])) return false;
    return !(uses_from(solver, begin, end) & ECS__THIS_BIT);
}

// Its fields are those of solver->result, which steps that ask tables themselves do not fill.
static ecs__step_t move_in(ecs__solver_t *solver, int32_t begin, int32_t end, int32_t to) {
    ecs__step_t part = { .kind = ECS__STEP_PART, .begin = (int16_t)to, .is_settled = true };
    for (int32_t at = begin; at < end; at++, to++) {
        ecs__step_t *step = &solver->steps[to];
        *step = solver->steps[at];
        part.uses |= step->uses;
        part.binds |= step->binds;
        part.is_settled &= step->is_settled || step->is_test;
        if (step->kind == ECS__STEP_ASK) step->kind = ECS__STEP_GOAL;
        part.fields |= ecs__step_fields(solver, step);
    }
    part.end = (int16_t)to;
    return part;
}

bool ecs__parts_exist(const ecs__solver_t *solver) {
    int32_t end = solver->end;
    for (int32_t at = end - 1; at > solver->begin; at--) {
        if (!may_begin(solver, at)) continue;
        if (is_part(solver, at, end)) return true;
        end = at;
    }
    return false;
}

// Steps of parts move before the outermost sequence.
void ecs__parts_make(ecs__solver_t *solver) {
    bool begins[ECS__STEPS_MAX + 1] = { 0 };
    ecs__step_t outer[ECS__STEPS_MAX];
    const int32_t last = solver->end;
    int32_t count = 0, inner = solver->begin;
    begins[last] = true;
    for (int32_t at = inner; at < last; at++) begins[at] = may_begin(solver, at);
    for (int32_t at = inner, end; at < last; at = end) {
        for (end = at + 1; !begins[end];) end++;
        if (begins[at] && is_part(solver, at, end)) {
            outer[count++] = move_in(solver, at, end, inner);
            inner += end - at;
        } else {
            for (; at < end; at++) outer[count++] = solver->steps[at];
        }
    }
    ecs__assert(inner + count <= ECS__STEPS_MAX, "there is room for the parts of a search");
    solver->begin = inner;
    solver->step_count = solver->end = inner + count;
    memcpy(&solver->steps[inner], outer, (size_t)count * sizeof *outer);
}

// ---- notes ----

#define MOST 65536 /* notes; if there are more, the part is run again */

static void note_value(const ecs__solver_t *solver, ecs__step_state_t *state, int32_t var) {
    const ecs__value_t *value = &solver->values[var];
    *ecs__step_add_way(state) =
        (ecs__way_t){ .first = value->entity, .table = value->table, .row = value->row };
}

enum { IS_SET = 1, IS_UP = 2 };

static void note_field(const ecs__solver_t *solver, ecs__step_state_t *state, int32_t f) {
    const ecs__eval_t *result = &solver->result;
    const ecs__field_found_t *found = &result->fields[f];
    *ecs__step_add_way(state) = (ecs__way_t){ .id = found->id,
        .source = found->source,
        .in = found->table,
        .index = found->index,
        .count = (result->set_fields & FIELD_BIT(f) ? IS_SET : 0) |
                 (result->up_fields & FIELD_BIT(f) ? IS_UP : 0) };
}

// As the results in iter/seen.c: what is hidden tells no ways apart.
static uint64_t key_of(
    const ecs__solver_t *solver, const ecs__step_t *step, const ecs__way_t *note) {
    const ecs__graph_t *graph = solver->graph;
    uint64_t key = ecs__hash_u64((uint64_t)(step - solver->steps));
    for (uint64_t vars = step->binds; vars; vars &= vars - 1, note++) {
        bool is_hidden = vars & -vars & graph->hidden;
        if (!is_hidden) key = ecs__hash_u64(key ^ note->first);
    }
    for (uint64_t fields = step->fields; fields; fields &= fields - 1, note++) {
        const uint64_t field = fields & -fields;
        if (!(field & graph->hidden_ids)) key = ecs__hash_u64(key ^ note->id);
        if (field & graph->hidden_fields) continue;
        key = ecs__hash_u64(ecs__hash_u64(key ^ note->source) ^ (uint64_t)note->count);
    }
    return key;
}

// False if it is noted already.
static bool take_notes(ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state) {
    const int32_t first = state->count;
    for (uint64_t vars = step->binds; vars; vars &= vars - 1)
        note_value(solver, state, __builtin_ctzll(vars));
    for (uint64_t fields = step->fields; fields; fields &= fields - 1)
        note_field(solver, state, __builtin_ctzll(fields));
    if (!(step->uses & solver->graph->hidden)) return true;
    uint64_t key = key_of(solver, step, &state->ways[first]);
    if (!(*ecs_map_ensure(&solver->noted, key))++) return true;
    state->count = first;
    return false;
}

static void read_field(ecs__solver_t *solver, const ecs__way_t *note, int32_t f) {
    ecs__eval_t *result = &solver->result;
    result->fields[f] = (ecs__field_found_t){ note->id, note->source, note->in, note->index };
    result->set_fields =
        (result->set_fields & ~FIELD_BIT(f)) | (note->count & IS_SET ? FIELD_BIT(f) : 0);
    result->up_fields =
        (result->up_fields & ~FIELD_BIT(f)) | (note->count & IS_UP ? FIELD_BIT(f) : 0);
}

static bool read_notes(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    if (!redo) state->cursor = 0;
    ecs__step_unbind(solver, state);
    if (state->cursor == state->count) return false;
    const bool is_old = state->stamp != solver->store->structure_stamp; // tables may be gone
    const ecs__way_t *note = &state->ways[state->cursor];
    for (uint64_t vars = step->binds; vars; vars &= vars - 1, note++)
        solver->values[__builtin_ctzll(vars)] =
            (ecs__value_t){ note->first, note->table, note->row, note->table != NULL };
    state->mask = step->binds;
    if (is_old) ecs__solver_follow(solver);
    for (uint64_t fields = step->fields; fields; fields &= fields - 1, note++)
        read_field(solver, note, __builtin_ctzll(fields));
    solver->changed |= step->fields;
    state->cursor = (int32_t)(note - state->ways);
    return true;
}

// ---- running ----

bool ecs__step_part(
    ecs__solver_t *solver, const ecs__step_t *step, ecs__step_state_t *state, bool redo) {
    if (state->done) return read_notes(solver, step, state, redo);
    if (!redo) state->stamp = solver->store->structure_stamp;
    bool found = ecs__solver_run(solver, step->begin, step->end, redo);
    while (found && state->count < MOST && !take_notes(solver, step, state))
        found = ecs__solver_run(solver, step->begin, step->end, true);
    if (!found || step->is_settled) state->done = state->count < MOST;
    return found;
}
