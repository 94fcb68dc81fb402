// SPDX-License-Identifier: MIT
#include "query/eval/eval.h"

#include "base/assert.h"
#include "query/eval/rows.h"

void ecs__eval_init(ecs__eval_t *eval, const ecs__plan_t *plan, const ecs__store_t *store,
    int32_t begin, int32_t end, ecs_table_t *bound, bool with_empty) {
    eval->plan = plan;
    eval->store = store;
    eval->tallies = NULL;
    eval->table = NULL;
    eval->bound = bound;
    eval->begin = begin;
    eval->end = end;
    eval->at = begin;
    eval->redo = false;
    eval->with_empty = with_empty;
    eval->scan.limit = store->next_table_id;
    eval->set_fields = eval->up_fields = 0;
    for (int32_t f = 0; f < plan->field_count; f++) ecs__eval_unset(eval, f);
}

// ---- one condition ----

static inline const ecs_table_t *source_table(const ecs__eval_t *eval, const ecs__op_t *op) {
    if (!op->source) return eval->table;
    return ecs__entity_table(&eval->store->entities, op->source);
}

// Constants are asked here whether the id is switched off, rows of $this in rows.h.
static bool counts(
    const ecs__eval_t *eval, const ecs__op_t *op, const ecs__op_state_t *state, int32_t index) {
    if (op->by_row && op->source &&
        !ecs__id_is_on(eval->store, state->source, state->table->type.array[index]))
        return false;
    // What a table inherits does not include ids that are not passed on.
    if (!state->is_above || op->trav != Ecs__IsA || !op->wildcard) return true;
    return ecs__id_is_inherited(eval->store, state->table->type.array[index]);
}

static int32_t next_index(
    const ecs__eval_t *eval, const ecs__op_t *op, const ecs__op_state_t *state, int32_t from) {
    int32_t index = from;
    while ((index = ecs__type_match(&state->table->type, index, op->id)) >= 0) {
        if (counts(eval, op, state, index)) return index;
        index++;
    }
    return -1;
}

static bool may_be_above(const ecs__op_t *op, const ecs_table_t *table) {
    if (!op->trav) return false;
    if (op->trav == Ecs__IsA) return table->flags & EcsTableHasIsA;
    if (op->trav == Ecs__ChildOf) return table->flags & EcsTableHasChildOf;
    return table->flags & EcsTableHasPairs;
}

static int32_t search_above(const ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state) {
    ecs__found_t found;
    if (!ecs__search_up(
            state->table, op->id, op->trav, false, true, op->min_depth, op->max_depth, &found))
        return -1;
    state->table = found.table;
    state->source = found.source;
    state->is_above = true;
    bool is_certain = !op->wildcard && !op->by_row;
    return is_certain ? found.index : next_index(eval, op, state, found.index);
}

static int32_t first_index(const ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state) {
    const ecs_table_t *table = source_table(eval, op);
    if (!table) return -1;
    state->table = table;
    state->source = op->source;
    state->is_above = false;
    if (op->self && op->min_depth <= 0) {
        int32_t index = ecs__table_search(table, op->id);
        if (index >= 0) return op->by_row ? next_index(eval, op, state, index) : index;
    }
    return may_be_above(op, table) ? search_above(eval, op, state) : -1;
}

// The entity that has the ids came to another table: go on behind the last one. False if it is gone.
static bool follow(const ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state) {
    const ecs_table_t *now = ecs__entity_table(&eval->store->entities, state->source);
    if (now && !ecs__table_is_same(now, state->table, eval->scan.limit))
        state->cursor = ecs__type_lower_bound(&now->type, eval->fields[op->field].id + 1);
    state->table = now;
    return now;
}

// First, or with `redo` next, way in which the source has the id: its position in state->table, or
// -1. The nearest table that has a match provides all of them.
static int32_t match(
    const ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state, bool redo) {
    int32_t index;
    if (!redo)
        index = first_index(eval, op, state);
    else if (!op->wildcard || op->once || (state->source && !follow(eval, op, state)))
        return -1;
    else
        index = next_index(eval, op, state, state->cursor);
    state->cursor = index + 1;
    return index;
}

static inline void set_field(ecs__eval_t *eval, const ecs__op_t *op, int32_t field,
    const ecs__op_state_t *state, int32_t index) {
    ecs_id_t id = op->once ? op->shown : state->table->type.array[index];
    const ecs__field_found_t found = { id, state->source, state->table, index };
    ecs__eval_set(eval, field, found, state->is_above);
}

// ---- operations ----

static bool scan(ecs__eval_t *eval, bool redo) {
    if (eval->bound) {
        eval->table = eval->bound;
        return !redo && ecs__plan_may_match(eval->plan, eval->table);
    }
    if (!redo) ecs__scan_init(&eval->scan, eval->store, eval->plan, eval->with_empty);
    while ((eval->table = ecs__scan_next(&eval->scan))) {
        if (ecs__plan_may_match(eval->plan, eval->table)) return true;
    }
    return false;
}

static bool with(ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state, bool redo) {
    int32_t index = match(eval, op, state, redo);
    if (index < 0) return false;
    set_field(eval, op, op->field, state, index);
    return true;
}

static bool optional(ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state, bool redo) {
    if (redo && state->is_unset) return false;
    state->is_unset = false;
    if (with(eval, op, state, redo)) return true;
    if (redo) return false;
    state->is_unset = true;
    ecs__eval_unset(eval, op->field);
    return true;
}

// True if an earlier alternative gave this id of this table already. states: of EITHER and its
// alternatives.
static bool is_covered(
    const ecs__op_t *either, const ecs__op_state_t *states, int32_t alternative, ecs_id_t id) {
    for (int32_t i = 1; i <= alternative; i++) {
        if (states[i].table == states[alternative + 1].table && ecs_id_match(id, either[i].id))
            return true;
    }
    return false;
}

// The first alternative that holds wins, so that an entity comes once. Only alternatives with `*`
// have several ways by nature: all of theirs come, and then those of later alternatives up to the
// first that holds without `*`, except for ids that an earlier one covered.
static bool either(ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state, bool redo) {
    if (!redo) state->alternative = 0;
    for (; state->alternative < op->count; state->alternative++, redo = false) {
        const ecs__op_t *alternative = &op[1 + state->alternative];
        ecs__op_state_t *own = &state[1 + state->alternative];
        bool is_last = !alternative->wildcard || alternative->once;
        int32_t index;
        for (; !(redo && is_last); redo = true) {
            if ((index = match(eval, alternative, own, redo)) < 0) break;
            if (is_covered(op, state, state->alternative, own->table->type.array[index])) continue;
            set_field(eval, alternative, op->field, own, index);
            return true;
        }
        if (redo && is_last) return false;
        if (!redo) own->table = NULL;
    }
    return false;
}

static bool root(ecs__eval_t *eval, const ecs__op_t *op, bool redo) {
    const ecs_table_t *table = source_table(eval, op);
    if (redo || !table || !ecs__table_is_root(table)) return false;
    eval->set_fields |= FIELD_BIT(op->field);
    return true;
}

static bool child(const ecs__eval_t *eval, const ecs__op_t *op, bool redo) {
    const ecs_table_t *table = source_table(eval, op);
    return !redo && table && !ecs__table_is_root(table);
}

static bool without(ecs__eval_t *eval, const ecs__op_t *op, ecs__op_state_t *state, bool redo) {
    if (redo) return false;
    if (match(eval, op, state, false) < 0) return true;
    return op->by_row && !op->source && state->table->toggles;
}

static bool run(ecs__eval_t *eval, int32_t at, bool redo) {
    const ecs__op_t *op = &eval->plan->ops[at];
    ecs__op_state_t *state = &eval->states[at];
    switch ((ecs__op_code_t)op->code) {
    case ECS__OP_SCAN: return scan(eval, redo);
    case ECS__OP_WITH: return with(eval, op, state, redo);
    case ECS__OP_WITHOUT: return without(eval, op, state, redo);
    case ECS__OP_OPTIONAL: return optional(eval, op, state, redo);
    case ECS__OP_EITHER: return either(eval, op, state, redo);
    case ECS__OP_ROOT: return root(eval, op, redo);
    case ECS__OP_CHILD: return child(eval, op, redo);
    }
    ecs__assert(false, "operation %d does not exist", op->code);
    return false;
}

// Where to go on when an operation found nothing, the first time or again.
static int32_t step_back(const ecs__plan_t *plan, int32_t at, bool was_redone) {
    if (was_redone) return plan->ops[at].previous;
    return at > plan->scan ? plan->scan : -1;
}

bool ecs__eval_next(ecs__eval_t *eval) {
    const ecs__plan_t *plan = eval->plan;
    int32_t at = eval->at, last = eval->begin;
    bool redo = eval->redo;
    while (at >= eval->begin && at < eval->end) {
        last = at;
        bool was_redone = redo;
        redo = !run(eval, at, redo);
        if (eval->tallies) ecs__tally(&eval->tallies[at], !redo);
        at = redo ? step_back(plan, at, was_redone) : plan->ops[at].next;
    }
    bool found = at >= eval->end && eval->end > eval->begin;
    if (eval->begin == plan->scan && !plan->in_ways)
        last = plan->scan; /* the next is another table */
    eval->at = found ? last : eval->begin - 1;
    eval->redo = true;
    return found;
}

bool ecs__eval_add_rows(const ecs__eval_t *eval, const ecs__plan_t *plan, ecs__rows_t *rows) {
    ecs_id_t ids[FLECS_TERM_COUNT_MAX];
    ecs_entity_t sources[FLECS_TERM_COUNT_MAX];
    for (int32_t f = 0; f < plan->field_count; f++) {
        ids[f] = eval->fields[f].id;
        sources[f] = eval->fields[f].source;
    }
    return ecs__rows_add_all(rows, plan, ids, sources);
}
