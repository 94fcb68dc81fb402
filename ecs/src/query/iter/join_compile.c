// SPDX-License-Identifier: MIT
// join_compile: from steps of a solver to operations of a join.
#include <muster/ecs/os.h>

#include "query/graph/steps.h"
#include "query/iter/join.h"

static ecs__join_op_t *add_op(
    ecs__join_t *join, ecs__solver_t *solver, ecs__join_kind_t kind, int32_t src) {
    if (join->count == ECS__JOIN_OPS_MAX) return NULL;
    ecs__join_op_t *op = &join->ops[join->count++];
    *op = (ecs__join_op_t){ .kind = (uint8_t)kind, .src = (int8_t)src, .self = true };
    op->source = src < 0 ? &op->constant : &solver->values[src];
    op->uses = src < 0 ? 0 : ECS__VAR_BIT(src);
    bool is_found = kind < ECS__JOIN_TARGETS;
    if (is_found) op->binds = op->uses;
    return op;
}

// Where else than in its table a source may have the id, if there is such a place now.
static void set_traversal(const ecs__store_t *store, ecs__join_op_t *op, bool self,
    ecs_entity_t trav, int32_t min_depth, int32_t max_depth) {
    const ecs_component_record_t *above =
        ecs__id_record_get(store, ECS__MAKE_PAIR(trav, Ecs__Wildcard));
    op->self = self && min_depth <= 0;
    if (op->self && (!above || !above->table_live)) return;
    op->trav = trav;
    op->min_depth = min_depth;
    op->max_depth = max_depth;
}

// ---- plain terms ----

static ecs_oper_kind_t oper_of(const ecs__op_t *op) {
    if (op->code == ECS__OP_WITHOUT) return EcsNot;
    return op->code == ECS__OP_OPTIONAL ? EcsOptional : EcsAnd;
}

static bool is_single(const ecs__op_t *op) {
    const bool is_of_roots = op->code == ECS__OP_ROOT || op->code == ECS__OP_CHILD;
    return op->code != ECS__OP_EITHER && !is_of_roots && !op->wildcard && !op->by_row;
}

static bool add_plain(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__op_t *from, ecs__join_kind_t kind) {
    if (!is_single(from) || solver->plan->row_fields & FIELD_BIT(from->field)) return false;
    ecs__join_op_t *op = add_op(join, solver, kind, from->source ? -1 : ECS__VAR_THIS);
    if (!op) return false;
    op->constant.entity = from->source;
    op->oper = (uint8_t)oper_of(from);
    op->id = from->id;
    op->field = from->field;
    if (from->trav)
        set_traversal(solver->store, op, from->self, from->trav, from->min_depth, from->max_depth);
    return true;
}

// The rarest id finds tables, the others are asked for.
static bool add_plan(ecs__join_t *join, ecs__solver_t *solver, bool finds) {
    const ecs__plan_t *plan = solver->plan;
    const int32_t rarest = finds ? ecs__plan_rarest(plan, false) : -1;
    if (finds && (rarest < 0 || !add_plain(join, solver, &plan->ops[rarest], ECS__JOIN_TABLES)))
        return false;
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        if (i != rarest && !add_plain(join, solver, &plan->ops[i], ECS__JOIN_HAS)) return false;
    }
    return true;
}

static bool add_fixed(ecs__join_t *join, ecs__solver_t *solver) {
    const ecs__plan_t *plan = solver->plan;
    for (int32_t i = 0; i < plan->scan; i++) {
        if (!add_plain(join, solver, &plan->ops[i], ECS__JOIN_HAS)) return false;
    }
    return true;
}

// ---- goals ----

static ecs__join_op_t *add_goal_op(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal, ecs__join_kind_t kind) {
    const ecs_term_t *term = goal->term;
    bool is_var = goal->second.kind == ECS__REF_VAR;
    ecs__join_op_t *op =
        add_op(join, solver, kind, goal->src.kind == ECS__REF_VAR ? goal->src.var : -1);
    if (!op) return NULL;
    op->constant.entity = goal->src.entity;
    op->oper = (uint8_t)term->oper;
    op->second = is_var ? &solver->values[goal->second.var] : NULL;
    op->uses |= ecs__ref_bit(&goal->second);
    if (kind == ECS__JOIN_TARGETS) op->binds = ecs__ref_bit(&goal->second);
    op->field = term->field_index;
    op->id = goal->id;
    if (term->src.id & EcsUp)
        set_traversal(solver->store, op, term->src.id & EcsSelf, term->trav, term->min_depth,
            term->max_depth);
    return op;
}

// Nobody above has such a pair, else it would be no direct step (may_find_above in graph/order.c).
static bool add_targets(ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal) {
    ecs__join_op_t *op = add_goal_op(join, solver, goal, ECS__JOIN_TARGETS);
    if (!op || !op->self) return false;
    op->trav = 0;
    return true;
}

// The pairs are its own, as for the targets.
static bool add_each(ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal) {
    ecs__join_op_t *op = add_goal_op(join, solver, goal, ECS__JOIN_EACH);
    if (op) op->trav = 0;
    return op != NULL;
}

// A source that is found by an open pair: its tables first, then its targets, then its rows if it is one entity.
static bool add_find(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__step_t *step) {
    const bool is_this = goal->src.var == ECS__VAR_THIS;
    ecs__join_op_t *op = add_goal_op(
        join, solver, goal, is_this || step->is_open ? ECS__JOIN_TABLES : ECS__JOIN_ROWS);
    if (!op || !step->is_open) return op != NULL;
    op->second = NULL;
    op->uses = op->binds;
    op->trav = 0;
    op->is_silent = true; // the next operation shows the pairs
    if (!add_targets(join, solver, goal)) return false;
    return is_this || add_each(join, solver, goal);
}

static bool add_ask(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__step_t *step) {
    if (!step->is_asked) return false;
    if (!step->is_open) return add_goal_op(join, solver, goal, ECS__JOIN_HAS) != NULL;
    return step->kind == ECS__STEP_ASK && add_targets(join, solver, goal);
}

static bool is_entity(const ecs__ref_t *ref) {
    bool is_var = ref->kind == ECS__REF_VAR && ref->var != ECS__VAR_THIS;
    return !ref->path && (is_var || (ref->kind == ECS__REF_ENTITY && ref->entity));
}

// Two entities are compared, of which the first is a variable. No field is filled.
static bool add_equal(ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    if (goal->kind != ECS__GOAL_EQUAL || term->second.id & EcsIsName) return false;
    if (goal->src.kind != ECS__REF_VAR || !is_entity(&goal->src) || !is_entity(&goal->second))
        return false;
    ecs__join_op_t *op = add_op(join, solver, ECS__JOIN_EQUAL, goal->src.var);
    if (!op) return false;
    op->oper = (uint8_t)term->oper;
    op->field = term->field_index;
    op->is_silent = true;
    op->constant.entity = goal->second.entity;
    op->second = &op->constant;
    if (goal->second.kind != ECS__REF_VAR) return true;
    op->second = &solver->values[goal->second.var];
    op->uses |= ECS__VAR_BIT(goal->second.var);
    return true;
}

// Any other step, as long as it mentions nothing that may have no value.
static ecs__join_op_t *add_as_it_is(ecs__join_t *join, ecs__solver_t *solver,
    const ecs__step_t *step, ecs__join_kind_t kind, int32_t src) {
    ecs__join_op_t *op = step->maybe ? NULL : add_op(join, solver, kind, src);
    if (!op) return NULL;
    op->step = (int16_t)(step - solver->steps);
    if (step->kind == ECS__STEP_ASK)
        solver->steps[op->step].kind = ECS__STEP_GOAL; // fills its field
    op->fields = ecs__step_fields(solver, step);
    op->uses = step->uses;
    op->binds = step->binds;
    op->is_silent = true;
    join->has_steps = true;
    return op;
}

// A variable has, or has not, another entity above it along a transitive relationship that is in tables only.
static bool is_about_places(const ecs__store_t *store, const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    const bool is_plain = goal->transitive && !goal->reflexive && !goal->first.trav &&
                          !goal->second.trav && goal->first.kind == ECS__REF_ENTITY;
    return is_plain && term->src.id & EcsSelf && term->oper != EcsOptional &&
           goal->src.kind == ECS__REF_VAR && !goal->src.path && is_entity(&goal->second) &&
           !ecs__id_may_be_beside(ecs__id_record_get(
               store, ECS__MAKE_PAIR((uint32_t)goal->first.entity, Ecs__Wildcard)));
}

// About a variable, and another or a constant; in some places it is run as it is.
static ecs__join_op_t *add_test(ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal,
    const ecs__step_t *step, ecs__join_kind_t kind) {
    ecs__join_op_t *op = add_as_it_is(join, solver, step, kind, goal->src.var);
    if (!op) return NULL;
    const bool is_var = goal->second.kind == ECS__REF_VAR;
    op->oper = (uint8_t)goal->term->oper;
    op->field = goal->term->field_index;
    op->constant.entity = goal->second.entity;
    op->second = is_var ? &solver->values[goal->second.var] : &op->constant;
    return op;
}

static bool add_reaches(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal, const ecs__step_t *step) {
    if (!is_about_places(solver->store, goal)) return false;
    ecs__join_op_t *op = add_test(join, solver, goal, step, ECS__JOIN_REACHES);
    if (op) op->id = ECS__MAKE_PAIR((uint32_t)goal->first.entity, Ecs__Wildcard);
    return op != NULL;
}

// One entity, or who is above it, has an id beside its table, a parent, or (above) an id in its table. Those who inherit, and what is there
// several times, are left to the search.
static bool is_about_nearest(const ecs__store_t *store, const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    const bool is_up = goal->is_above || goal->is_above_beside;
    if (!is_up && !goal->is_own_beside && !goal->is_parent) return false;
    if (goal->second.kind == ECS__REF_ANY || goal->src.kind != ECS__REF_VAR || goal->src.path)
        return false;
    if (goal->src.var == ECS__VAR_THIS && !(goal->entities & ECS__THIS_BIT)) return false;
    return !is_up ||
           (term->trav == Ecs__ChildOf && ecs__id_is_found_along(store, term->id, term->trav));
}

static bool add_nearest(ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal,
    const ecs__step_t *step, uint64_t bound) {
    const ecs_term_t *term = goal->term;
    const uint64_t open = step->uses & ~bound; /* at most the second element, an entity */
    if (!is_about_nearest(solver->store, goal)) return false;
    if (goal->is_above && solver->plan->row_fields & FIELD_BIT(term->field_index)) return false;
    if (open && (open != ecs__ref_bit(&goal->second) || open & ecs__ref_bit(&goal->src) ||
                    open != step->binds || open & ECS__THIS_BIT))
        return false;
    ecs__join_op_t *op = add_test(join, solver, goal, step, ECS__JOIN_NEAREST);
    if (!op) return false;
    const bool is_pair = term->id & ECS__PAIR, is_star = goal->second.kind == ECS__REF_STAR,
               is_up = goal->is_above || goal->is_above_beside;
    op->id = is_pair ? ECS__MAKE_PAIR(ecs__id_first(term->id), Ecs__Wildcard) : term->id;
    if (!is_pair || is_star) op->second = NULL;
    op->is_open = is_star || open;
    op->is_beside = !goal->is_above;
    op->is_parent = goal->is_parent;
    op->min_depth = is_up;
    op->max_depth = !is_up ? 0 : term->max_depth ? term->max_depth : INT32_MAX;
    op->structure = UINT64_MAX;
    return true;
}

static bool add_goal(ecs__join_t *join, ecs__solver_t *solver, const ecs__goal_t *goal,
    const ecs__step_t *step, uint64_t bound) {
    const bool is_known = !(step->uses & ~bound);
    if (add_nearest(join, solver, goal, step, bound)) return true;
    if (solver->plan->row_fields & FIELD_BIT(goal->term->field_index)) return false;
    if (step->is_found) return add_find(join, solver, goal, step);
    if (is_known && !step->maybe && add_equal(join, solver, goal)) return true;
    if (step->is_asked && add_ask(join, solver, goal, step)) return true;
    return is_known && add_reaches(join, solver, goal, step);
}

// False if it can only be run as it is.
static bool add_operations(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__step_t *step, uint64_t bound) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    const bool finds_this = !(bound & ECS__THIS_BIT);
    switch ((ecs__step_kind_t)step->kind) {
    case ECS__STEP_FIXED: return add_fixed(join, solver);
    case ECS__STEP_PLAN:
        return (step->is_plain || !(finds_this && solver->cache)) &&
               add_plan(join, solver, finds_this);
    case ECS__STEP_ASK:
    case ECS__STEP_GOAL:
    case ECS__STEP_NOT:
    case ECS__STEP_OPTIONAL: return add_goal(join, solver, goal, step, bound);
    default: return false;
    }
}

// For a single id.
static bool asks_table(const ecs__join_op_t *op) {
    return op->kind < ECS__JOIN_STEP || op->kind == ECS__JOIN_HAS;
}

static ecs_termset_t fields_before(const ecs__join_t *join, const ecs__join_op_t *op) {
    ecs_termset_t fields = 0;
    for (const ecs__join_op_t *before = join->ops; before < op; before++)
        fields |= asks_table(before) ? FIELD_BIT(before->field) : before->fields;
    return fields;
}

// Where rows that were found are taken apart, what was shown of them is shown of one from then on.
static bool add_step(
    ecs__join_t *join, ecs__solver_t *solver, const ecs__step_t *step, uint64_t bound) {
    const int32_t count = join->count;
    if (add_operations(join, solver, step, bound)) return true;
    join->count = count;
    const bool is_sift = step->kind == ECS__STEP_SIFT;
    ecs__join_op_t *op =
        add_as_it_is(join, solver, step, is_sift ? ECS__JOIN_SIFT : ECS__JOIN_STEP, -1);
    if (op && bound & step->binds & ECS__THIS_BIT) op->before = fields_before(join, op);
    return op != NULL;
}

// ---- all ----

static bool is_tag(const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    return record && !record->type_info && !ecs__id_is_wildcard(id);
}

// What of its field differs from result to result.
static void describe_field(ecs__join_op_t *op, const ecs__store_t *store) {
    if (op->is_silent) return;
    op->shows_id = op->second;
    op->shows_source = op->src > 0;
    op->shows_values = op->second || !is_tag(store, op->id);
    op->is_silent = !op->shows_id && !op->shows_source && !op->shows_values;
}

static void describe(ecs__join_op_t *op, const ecs__solver_t *solver) {
    const ecs__plan_t *plan = solver->plan;
    const bool finds_this = op->binds & ECS__THIS_BIT;
    op->skip = !op->binds ? 0 : finds_this ? plan->skip : EcsTableNotQueryable;
    op->bloom = finds_this ? plan->bloom | plan->bloom_or_isa : 0;
    op->own_bloom = plan->bloom;
    op->is_plain = !op->trav && op->oper == EcsAnd && asks_table(op);
    describe_field(op, solver->store);
}

static void finish(ecs__join_t *join, const ecs__solver_t *solver) {
    ecs__join_op_t *end = join->ops + join->count;
    *end = (ecs__join_op_t){ .kind = ECS__JOIN_RESULT };
    join->last = NULL;
    join->jumps = solver->plan->in_ways; // of a table that leads nowhere one is enough
    join->solutions = 0;
    join->ends_with_rows = join->count && end[-1].kind == ECS__JOIN_SIFT;
    for (ecs__join_op_t *op = join->ops; op < end; op++) {
        describe(op, solver);
        op->back = join->last;
        if (op->back && !(op->back->binds & op->uses)) join->jumps = true;
        if (op->kind < ECS__JOIN_HAS) join->last = op;
    }
    for (ecs__join_op_t *op = join->ops; op <= end; op++) ecs__join_choose(op, join->jumps);
}

bool ecs__join_compile(ecs__solver_t *solver) {
    if (!solver->join) solver->join = ecs_os_malloc_t(ecs__join_t);
    ecs__join_t *join = solver->join;
    uint64_t bound = solver->key.bound;
    join->count = 0;
    join->has_steps = false;
    bool is_possible = !solver->profile && !solver->with_empty && !solver->plan->entity_cascade &&
                       !solver->graph->hidden && !solver->instead.entity;
    for (int32_t i = solver->begin; i < solver->end && is_possible; i++) {
        is_possible = add_step(join, solver, &solver->steps[i], bound);
        bound |= solver->steps[i].binds;
    }
    finish(join, solver);
    return is_possible && join->count && !(join->has_steps && ecs__parts_exist(solver));
}
