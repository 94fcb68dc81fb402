// SPDX-License-Identifier: MIT
// compile: terms to operations.
#include "query/plan/plan.h"

#include <muster/ecs/os.h>

#include "query/parse/term.h"

static bool is_fixed(const ecs_term_t *term) {
    return (term->src.id & EcsIsEntity) && ECS_TERM_REF_ID(&term->src);
}

// Goals are run elsewhere (graph/), and what has no source not at all.
static bool is_left_out(const ecs_term_t *term) {
    return ecs_term_match_0(term) || term->flags_ & ECS__TERM_IS_GOAL;
}

typedef struct compile_t {
    ecs__plan_t *plan;
    ecs__store_t *store;
    const ecs_world_t *world;
    int16_t tail; /* last operation of the main path */
    bool table_only;
} compile_t;

// Who is named cannot be deleted as one whom nobody knows.
static void mark(ecs__store_t *store, uint32_t element, uint32_t flag) {
    ecs_record_t *record = ecs__entity_living(&store->entities, element);
    if (record) record->row |= flag;
}

static ecs_component_record_t *hold(compile_t *compile, ecs_id_t id) {
    ecs__plan_t *plan = compile->plan;
    ecs_component_record_t *record = ecs__id_record_ensure(compile->store, id);
    if (!record->query_count++) {
        const bool is_pair = ECS_IS_PAIR(id);
        mark(compile->store, ecs__id_trait_owner(id), EcsEntityIsId);
        if (is_pair) mark(compile->store, ecs__id_second(id), EcsEntityIsTarget);
    }
    plan->held[plan->held_count++] = record;
    return record;
}

// Children by component and the like are no tables, but holders of a set.
static bool is_used(const ecs_component_record_t *record) {
    return record->query_count || record->table_live || record->listeners.count || record->sparse;
}

static void delete_if_unused(ecs__store_t *store, ecs_id_t id) {
    ecs_component_record_t *record = ecs__id_record_get(store, id);
    if (!record || is_used(record)) return;
    if (record->first_next == record && record->second_next == record)
        ecs__id_record_delete(store, record);
}

// An id that was deleted meanwhile can be used again once no query names it.
static void let_go(ecs__store_t *store, uint32_t element) {
    if (!ecs__entity_is_held(&store->entities, element)) return;
    bool is_named = ecs__id_record_get(store, element) ||
                    ecs__id_record_get(store, ECS__MAKE_PAIR(element, Ecs__Wildcard)) ||
                    ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__Wildcard, element));
    if (!is_named) ecs__entity_let_go(&store->entities, element);
}

// A pair's record hangs in the rings of its wildcards, which came with it and go with it.
static void release(ecs__store_t *store, ecs_component_record_t *record) {
    record->query_count--;
    if (is_used(record)) return;
    ecs_id_t id = record->id;
    const bool is_pair = ECS_IS_PAIR(id);
    if (is_pair && !ecs__id_is_wildcard(id)) {
        ecs__id_record_delete(store, record);
        delete_if_unused(store, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
        delete_if_unused(store, ECS__MAKE_PAIR(Ecs__Wildcard, ecs__id_second(id)));
    } else
        delete_if_unused(store, id);
    let_go(store, ecs__id_trait_owner(id));
    if (is_pair) let_go(store, ecs__id_second(id));
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
    op->trav = term->trav ? term->trav : Ecs__ChildOf;
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
    ecs_id_t presence = ecs__term_presence(compile->world, term);
    op->shown = ecs__id_any_to_wildcard(term->id);
    op->id = presence ? presence : op->shown;
    op->wildcard = ecs__id_is_wildcard(op->id);
    op->once = has_element(term->id, Ecs__Any) && !has_element(term->id, Ecs__Wildcard);
    op->record = hold(compile, op->id);
    op->by_row = !compile->table_only && is_by_row(term, aside);
    bool goes_up = term->src.id & (EcsUp | EcsCascade);
    op->self = (term->src.id & EcsSelf) || !goes_up;
    if (goes_up) compile_traversal(compile, term, op);
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
static void compile_terms(compile_t *compile, const ecs_query_t *query, bool fixed) {
    for (int32_t i = 0, n; i < query->term_count; i += n) {
        const ecs_term_t *term = &query->terms[i];
        n = ecs__chain_length(term, query->term_count - i);
        if (is_left_out(term) || is_fixed(term) != fixed) continue;
        if (n > 1)
            compile_chain(compile, term, n);
        else
            compile_condition(compile, term, false);
    }
}

// Each table once, whatever its rows are.
static void compile_stand_ins(compile_t *compile, const ecs_query_t *query, uint32_t terms) {
    compile->plan->stands_in = true;
    compile->table_only = true;
    for (; terms; terms &= terms - 1) {
        ecs__op_t *op = compile_condition(compile, &query->terms[__builtin_ctz(terms)], false);
        op->once = op->wildcard;
    }
}

static bool has_this(const ecs_query_t *query) {
    for (int32_t i = 0; i < query->term_count; i++) {
        if (ecs_term_match_this(&query->terms[i]) && !is_left_out(&query->terms[i])) return true;
    }
    return false;
}

// ---- what follows from the operations ----

static bool is_own(const ecs__op_t *op) { return op->self && !op->trav; }

static bool is_own_or_isa(const ecs__op_t *op) {
    return op->self && (!op->trav || op->trav == Ecs__IsA);
}

static void summarize(ecs__plan_t *plan) {
    plan->own = true;
    plan->plain = plan->scan == 0;
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code == ECS__OP_EITHER) {
            plan->plain = false;
            continue;
        }
        plan->own &= op->trav == 0;
        plan->by_row |= op->by_row;
        bool limited = op->min_depth || op->max_depth;
        plan->plain &= op->code == ECS__OP_WITH && !op->wildcard && !op->once && !op->by_row &&
                       is_own_or_isa(op) && !limited;
        if (op->trav == Ecs__IsA) plan->isa = op->trav_record;
    }
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_WITH) continue;
        plan->plain_fields |= FIELD_BIT(op->field);
        if (is_own(op))
            plan->bloom |= ecs__id_bloom(op->id);
        else if (is_own_or_isa(op))
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
    size_t op_bytes = (size_t)ops * sizeof(ecs__op_t);
    size_t held_bytes = (size_t)ops * sizeof(ecs_component_record_t *);
    char *block = ecs_os_calloc((ecs_size_t)(op_bytes + held_bytes + 16 * (size_t)fields));
    plan->ops = (ecs__op_t *)(void *)block;
    plan->held = (ecs_component_record_t **)(void *)(block + op_bytes);
    plan->ids = (ecs_id_t *)(void *)(block + op_bytes + held_bytes);
    plan->sources = plan->ids + fields;
}

static void set_constant_fields(ecs__plan_t *plan, const ecs_query_t *query) {
    plan->field_count = query->field_count;
    for (int32_t f = 0; f < query->field_count; f++) {
        plan->ids[f] = ecs__id_any_to_wildcard(query->ids[f]);
    }
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        ecs_termset_t bit = FIELD_BIT(term->field_index);
        plan->sources[term->field_index] = fixed_source(term);
        if (term->flags_ & ECS__TERM_IS_GOAL) plan->goal_fields |= bit;
        if (term->flags_ & EcsTermIsSparse || !(term->first.id & EcsIsEntity))
            plan->row_fields |= bit;
    }
}

void ecs__plan_compile(
    ecs__plan_t *plan, ecs__store_t *store, const ecs_query_t *query, ecs__stand_ins_t stand_ins) {
    *plan = (ecs__plan_t){ .skip = skipped_tables(query->flags) };
    allocate(plan, query);
    set_constant_fields(plan, query);
    compile_t compile = { plan, store, query->world, -1, query->flags & EcsQueryTableOnly };
    compile_terms(&compile, query, true);
    plan->scan = plan->count;
    bool is_plain = has_this(query), is_about_this = query->flags & EcsQueryMatchThis;
    bool stands_in = !is_plain && is_about_this && (stand_ins.terms || stand_ins.is_needed);
    if (is_plain || stands_in) add_op(&compile, ECS__OP_SCAN, false);
    if (is_plain) compile_terms(&compile, query, false);
    if (stands_in) compile_stand_ins(&compile, query, stand_ins.terms);
    if (is_plain || stands_in) summarize(plan);
    compile_order(plan, query);
    plan->nothing = !plan->count && !plan->goal_fields;
}

void ecs__plan_fini(ecs__plan_t *plan, ecs__store_t *store) {
    for (int32_t i = 0; i < plan->held_count; i++) release(store, plan->held[i]);
    ecs_os_free(plan->ops);
}

// ---- choosing where to look ----

bool ecs__plan_list(const ecs__plan_t *plan) {
    if (!plan->plain || plan->count != plan->field_count + 1) return false;
    for (int32_t i = 1; i < plan->count; i++) {
        if (plan->ops[i].field != i - 1) return false;
        ecs__id_record_list(plan->ops[i].record);
    }
    return true;
}

static int64_t count_tables(const ecs__op_t *op) {
    int64_t tables = 0;
    if (op->code == ECS__OP_EITHER) {
        for (int32_t i = 1; i <= op->count; i++) tables += count_tables(op + i);
        return tables;
    }
    if (op->self) tables += op->record->table_live;
    if (op->trav_record) tables += op->trav_record->table_live;
    return tables;
}

// Tables that come to match an operation have its id, or inherit it (storage tells of both), or
// have a pair of its relationship.
static bool has_key(const ecs__op_t *op) {
    return op->code == ECS__OP_WITH && (!op->self || is_own_or_isa(op));
}

int32_t ecs__plan_rarest(const ecs__plan_t *plan, bool key) {
    int32_t best = -1;
    int64_t best_tables = INT64_MAX;
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_WITH && op->code != ECS__OP_EITHER) continue;
        if (key && !has_key(op)) continue;
        // Among equals the one with the fewest queries: new tables are then offered to few.
        int64_t tables = count_tables(op) << 32;
        if (key) tables += ecs__op_key(op)->listeners.count;
        if (tables >= best_tables) continue;
        best = i;
        best_tables = tables;
    }
    return best;
}

int64_t ecs__plan_candidates(const ecs__plan_t *plan, const ecs__store_t *store) {
    int32_t rarest = ecs__plan_rarest(plan, false);
    return rarest < 0 ? store->table_live : count_tables(&plan->ops[rarest]);
}
