// SPDX-License-Identifier: MIT
// compile: terms to operations.
#include "query/plan/plan.h"

#include <muster/ecs/os.h>

#include "query/parse/term.h"
#include "world/state.h"

static bool is_fixed(const ecs_term_t *term) {
    return (term->src.id & EcsIsEntity) && ECS_TERM_REF_ID(&term->src);
}

typedef struct compile_t {
    ecs__plan_t *plan;
    ecs__store_t *store;
    const ecs_query_t *query;
    ecs_termset_t goals;
    int16_t tail; /* last operation of the main path */
    bool table_only;
} compile_t;

// Goals are run elsewhere (graph/), and what has no source not at all.
static bool is_left_out(const compile_t *compile, const ecs_term_t *term) {
    return ecs_term_match_0(term) || compile->goals & FIELD_BIT(term - compile->query->terms);
}

static ecs_component_record_t *hold(const compile_t *compile, ecs_id_t id) {
    return ecs__plan_hold(compile->plan, compile->store, id);
}

// Appends an operation to the main path, or (`aside`) an alternative of the operation that ends it.
static ecs__op_t *add_op(compile_t *compile, ecs__op_code_t code, bool aside) {
    ecs__plan_t *plan = compile->plan;
    int16_t at = plan->count++;
    ecs__op_t *op = &plan->ops[at];
    *op = (ecs__op_t){ .code = (uint8_t)code, .field = -1, .previous = -1, .next = plan->count };
    if (aside) {
        plan->ops[compile->tail].next = plan->count;
    } else {
        op->previous = compile->tail;
        compile->tail = at;
    }
    return op;
}

static bool has_element(ecs_id_t id, uint32_t element) {
    if (!ECS_IS_PAIR(id)) return (id & ECS_COMPONENT_MASK) == element;
    return ecs__id_first(id) == element || ecs__id_second(id) == element;
}

static ecs_entity_t fixed_source(const ecs_term_t *term) {
    return is_fixed(term) ? ECS_TERM_REF_ID(&term->src) : 0;
}

static ecs__op_code_t term_code(const ecs_term_t *term) {
    if (term->oper == EcsNot) return ECS__OP_WITHOUT;
    return term->oper == EcsOptional ? ECS__OP_OPTIONAL : ECS__OP_WITH;
}

// (ChildOf, 0) is no id of a table but the absence of a parent.
static void compile_root(const ecs_term_t *term, ecs__op_t *op) {
    op->id = term->id;
    op->self = true;
    op->code = term->oper == EcsNot ? ECS__OP_CHILD : ECS__OP_ROOT;
}

// Goals have their order, too, from the tables that the rest of the plan finds.
static void compile_order(ecs__plan_t *plan, const ecs_query_t *query) {
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        if (!(term->src.id & EcsCascade)) continue;
        bool is_beside = ecs__relationship_is_beside(query->world, term->trav);
        *(is_beside ? &plan->entity_cascade : &plan->cascade) = term->trav;
        plan->own = false;
        plan->descending = term->src.id & EcsDesc;
    }
}

static void compile_traversal(compile_t *compile, const ecs_term_t *term, ecs__op_t *op) {
    op->trav = term->trav;
    op->trav_record = hold(compile, ECS__MAKE_PAIR(op->trav, Ecs__Wildcard));
    op->min_depth = term->min_depth;
    op->max_depth = term->max_depth;
}

// Alternatives are a matter of tables alone.
static bool is_by_row(const ecs_term_t *term, bool aside) {
    bool can_be_off = term->flags_ & EcsTermIsToggle && !(term->id & ECS__TOGGLE);
    return can_be_off && !aside;
}

static ecs__op_t *compile_condition(compile_t *compile, const ecs_term_t *term, bool aside) {
    ecs__op_t *op = add_op(compile, aside ? ECS__OP_WITH : term_code(term), aside);
    op->field = term->field_index;
    op->source = fixed_source(term);
    if (term->id == ECS__MAKE_PAIR(Ecs__ChildOf, 0)) {
        compile_root(term, op);
        return op;
    }
    ecs_id_t presence = ecs__term_presence(compile->query->world, term);
    op->shown = ecs__id_any_to_wildcard(term->id);
    op->id = presence ? presence : op->shown;
    op->wildcard = ecs__id_is_wildcard(op->id);
    op->once = has_element(term->id, Ecs__Any) && !has_element(term->id, Ecs__Wildcard);
    op->record = hold(compile, op->id);
    op->by_row = !compile->table_only && is_by_row(term, aside);
    op->self = term->src.id & EcsSelf;
    if (term->src.id & EcsUp) compile_traversal(compile, term, op);
    return op;
}

static void compile_chain(compile_t *compile, const ecs_term_t *terms, int32_t count) {
    ecs__op_t *either = add_op(compile, ECS__OP_EITHER, false);
    either->field = terms->field_index;
    either->source = fixed_source(terms);
    either->count = (int16_t)count;
    for (int32_t i = 0; i < count; i++) compile_condition(compile, &terms[i], true);
}

// Terms about constants (fixed), or about $this, in the order they were written.
static void compile_terms(compile_t *compile, bool fixed) {
    const ecs_query_t *query = compile->query;
    for (int32_t i = 0, n; i < query->term_count; i += n) {
        const ecs_term_t *term = &query->terms[i];
        n = ecs__chain_length(term, query->term_count - i);
        if (is_left_out(compile, term) || is_fixed(term) != fixed) continue;
        if (n > 1)
            compile_chain(compile, term, n);
        else
            compile_condition(compile, term, false);
    }
}

// Of a term that nothing else looks for here, or whose id has more than that.
static ecs_id_t named_id(const compile_t *compile, const ecs_term_t *term) {
    const ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_left = is_left_out(compile, term);
    if (ECS_IS_PAIR(term->id))
        return is_left && ecs__id_second(term->id) ? ecs__id_any_to_wildcard(term->id) : 0;
    const bool is_id = term->first.id & EcsIsEntity && !ecs__is_scope_id(first) &&
                       !ecs__is_comparison_id(first) && !ecs__is_from(term->oper);
    return is_id && (is_left || term->id & ECS__TOGGLE) ? first : 0;
}

static ecs_entity_t component_of_member(const ecs_world_t *world, const ecs_term_t *term) {
    ecs_ext_member_t member = { 0 };
    if (term->flags_ & EcsTermIsMember)
        ecs__world_of(world)->reflection->get_member(world, ECS_TERM_REF_ID(&term->first), &member);
    return member.component;
}

// Ids are held whoever looks for them: who is named changes no traits and is not deleted, and pairs, which have no generations, would
// match who gets the ids of those they name next.
static void hold_named(const compile_t *compile) {
    const ecs_query_t *query = compile->query;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        const ecs_id_t id = named_id(compile, term);
        const ecs_entity_t component = component_of_member(query->world, term);
        if (id) hold(compile, id);
        if (component) hold(compile, component);
    }
}

// Each table once, whatever its rows are.
static void compile_stand_ins(compile_t *compile, ecs_termset_t terms) {
    compile->plan->stands_in = true;
    compile->table_only = true;
    for (; terms; terms &= terms - 1) {
        const ecs_term_t *term = &compile->query->terms[FIRST_FIELD(terms)];
        ecs__op_t *op = compile_condition(compile, term, false);
        op->once = op->wildcard;
    }
}

static bool has_this(const compile_t *compile) {
    for (int32_t i = 0; i < compile->query->term_count; i++) {
        const ecs_term_t *term = &compile->query->terms[i];
        if (ecs_term_match_this(term) && !is_left_out(compile, term)) return true;
    }
    return false;
}

// ---- what follows from the operations ----

static void summarize(ecs__plan_t *plan) {
    plan->own = true;
    plan->plain = plan->scan == 0;
    for (int32_t i = 0; i < plan->scan; i++)
        plan->holds_in_ways |= plan->ops[i].wildcard && !plan->ops[i].once;
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        const ecs__op_t *op = &plan->ops[i];
        plan->in_ways |= op->wildcard && !op->once;
        if (op->code == ECS__OP_EITHER) {
            plan->plain = false;
            continue;
        }
        plan->own &= op->trav == 0;
        plan->by_row |= op->by_row;
        bool limited = op->min_depth || op->max_depth;
        plan->plain &= op->code == ECS__OP_WITH && !op->wildcard && !op->once && !op->by_row &&
                       ecs__op_is_own_or_isa(op) && !limited;
        if (op->trav == Ecs__IsA) plan->isa = op->trav_record;
    }
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_WITH) continue;
        plan->plain_fields |= FIELD_BIT(op->field);
        if (op->self && !op->trav)
            plan->bloom |= ecs__id_bloom(op->id);
        else if (ecs__op_is_own_or_isa(op))
            plan->bloom_or_isa |= ecs__id_bloom(op->id);
    }
}

static ecs_flags32_t skipped_tables(ecs_flags32_t flags) {
    ecs_flags32_t skip = EcsTableNotQueryable;
    if (!(flags & EcsQueryMatchPrefab)) skip |= EcsTableIsPrefab;
    if (!(flags & EcsQueryMatchDisabled)) skip |= EcsTableIsDisabled;
    return skip;
}

static void allocate(ecs__plan_t *plan, const ecs_query_t *query) {
    int32_t ops = 2 * query->term_count + 1, fields = query->field_count;
    int32_t held =
        3 * query->term_count; /* by a stand-in, or itself; what it goes up; what it names */
    size_t op_bytes = (size_t)ops * sizeof(ecs__op_t);
    size_t held_bytes = (size_t)held * sizeof(ecs_component_record_t *);
    char *block = ecs_os_calloc((ecs_size_t)(op_bytes + held_bytes + 16 * (size_t)fields));
    plan->ops = (ecs__op_t *)(void *)block;
    plan->held = (ecs_component_record_t **)(void *)(block + op_bytes);
    plan->ids = (ecs_id_t *)(void *)(block + op_bytes + held_bytes);
    plan->sources = plan->ids + fields;
}

static void set_constant_fields(ecs__plan_t *plan, const ecs_query_t *query, ecs_termset_t goals) {
    plan->field_count = query->field_count;
    for (int32_t f = 0; f < query->field_count; f++) {
        plan->ids[f] = ecs__id_any_to_wildcard(query->ids[f]);
    }
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        ecs_termset_t bit = FIELD_BIT(term->field_index);
        plan->sources[term->field_index] = fixed_source(term);
        bool is_goal = goals & FIELD_BIT(i);
        if (is_goal) plan->goal_fields |= bit;
        if (term->oper == EcsNot || ecs__is_from(term->oper)) continue; /* no data */
        bool has_kinds = is_goal && term->flags_ & EcsTermIdInherited;
        if (term->flags_ & EcsTermIsSparse || !(term->first.id & EcsIsEntity) || has_kinds)
            plan->row_fields |= bit;
    }
}

void ecs__plan_compile(ecs__plan_t *plan, ecs__store_t *store, const ecs_query_t *query,
    ecs_termset_t goals, ecs__stand_ins_t stand_ins) {
    *plan = (ecs__plan_t){ .skip = skipped_tables(query->flags) };
    allocate(plan, query);
    set_constant_fields(plan, query, goals);
    compile_t compile = { plan, store, query, goals, -1, query->flags & EcsQueryTableOnly };
    compile_terms(&compile, true);
    plan->scan = plan->count;
    bool is_plain = has_this(&compile), is_about_this = query->flags & EcsQueryMatchThis;
    bool stands_in = !is_plain && is_about_this && (stand_ins.terms || stand_ins.is_needed);
    if (is_plain || stands_in) add_op(&compile, ECS__OP_SCAN, false);
    if (is_plain) compile_terms(&compile, false);
    if (stands_in) compile_stand_ins(&compile, stand_ins.terms);
    hold_named(&compile);
    if (is_plain || stands_in) summarize(plan);
    compile_order(plan, query);
    plan->nothing = !plan->count && !plan->goal_fields;
}

void ecs__plan_fini(ecs__plan_t *plan, ecs__store_t *store) {
    ecs__plan_release(plan, store);
    ecs_os_free(plan->ops);
}
