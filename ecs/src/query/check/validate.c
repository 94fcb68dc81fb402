// SPDX-License-Identifier: MIT
// validate: rules that terms, and the terms of a query together, have to keep.
//
// A rule is a predicate that is true when the rule is broken, and the sentence to say then.
#include "query/check/validate.h"

#include <muster/ecs/extend.h>

#include "query/check/resolve.h"
#include "query/parse/term.h"
#include "storage/search.h"
#include "world/state.h"

#define WALKS (EcsUp | EcsCascade | EcsDown)

// ---- Rules for one term ----

static bool is_scope(const ecs_term_t *term) { return (term->flags_ & EcsTermIsScope) != 0; }
static bool is_comparison(const ecs_term_t *term) {
    return ecs__is_comparison_id(ECS_TERM_REF_ID(&term->first));
}

static bool has_no_id(const ecs_term_t *term) {
    return !ECS_TERM_REF_ID(&term->first) && !term->first.name;
}

static bool has_bare_variable(const ecs_term_t *term) {
    return ECS_TERM_REF_ID(&term->first) == Ecs__Variable ||
           ECS_TERM_REF_ID(&term->second) == Ecs__Variable ||
           ECS_TERM_REF_ID(&term->src) == Ecs__Variable;
}

static bool has_bad_kind(const ecs_term_t *term) {
    return term->oper < EcsAnd || term->oper > EcsNotFrom || term->inout < EcsInOutDefault ||
           term->inout > EcsOut;
}

static bool has_desc_alone(const ecs_term_t *term) {
    return (term->src.id & EcsDesc) && !(term->src.id & EcsCascade);
}

static bool has_misplaced_cascade(const ecs_term_t *term) {
    return ((term->first.id | term->second.id) & (EcsCascade | EcsDesc)) != 0;
}

static uint64_t walk_flags(const ecs_term_t *term) {
    return (term->src.id | term->first.id | term->second.id) & WALKS;
}

static bool has_idle_trav(const ecs_term_t *term) { return !walk_flags(term) && term->trav; }

static bool has_bad_depth(const ecs_term_t *term) {
    if (!term->min_depth && !term->max_depth) return false;
    bool is_reversed = term->max_depth && term->min_depth > term->max_depth;
    return !walk_flags(term) || term->min_depth < 0 || term->max_depth < 0 || is_reversed;
}

static bool has_untraversable(const ecs__checker_t *c, const ecs_term_t *term) {
    return walk_flags(term) && !ecs__has_trait(c->world, term->trav, Ecs__Traversable) &&
           !ecs__has_trait(c->world, term->trav, Ecs__Acyclic);
}

static bool inherits_uninheritable(const ecs__checker_t *c, const ecs_term_t *term) {
    return (term->src.id & EcsUp) && term->trav == Ecs__IsA &&
           !ecs__term_is_inheritable(c->world, term);
}

static bool walks_from_nowhere(const ecs_term_t *term) {
    return ecs_term_match_0(term) && (term->src.id & WALKS);
}

static bool has_from_access(const ecs_term_t *term) {
    return ecs__is_from(term->oper) && term->inout != EcsInOutNone;
}

static bool has_from_pair(const ecs_term_t *term) {
    return ecs__is_from(term->oper) &&
           (!(term->first.id & EcsIsEntity) || (term->id & ECS_ID_FLAGS_MASK));
}

static bool looks_below_from(const ecs_term_t *term) {
    return ecs__is_from(term->oper) && term->src.id & EcsDown;
}

static bool has_scope_operator(const ecs_term_t *term) {
    return is_scope(term) && ecs__is_from(term->oper);
}

// Wildcards count as variables, but have no value of their own to compare.
static bool compares_no_variable(const ecs_term_t *term) {
    const bool is_variable =
        term->src.id & EcsIsVariable && !ecs__id_is_wildcard(ECS_TERM_REF_ID(&term->src));
    return is_comparison(term) && !is_variable;
}

static bool matches_no_text(const ecs_term_t *term) {
    return ECS_TERM_REF_ID(&term->first) == Ecs__PredMatch && !(term->second.id & EcsIsName);
}

static bool compares_nothing(const ecs_term_t *term) {
    const bool is_text = term->second.id & EcsIsName;
    const ecs_entity_t right = is_text ? 0 : ECS_TERM_REF_ID(&term->second);
    const bool is_something = right ? !ecs__id_is_wildcard(right) : term->second.name != NULL;
    return is_comparison(term) && !is_something;
}

static bool is_same_ref(const ecs_term_ref_t *left, const ecs_term_ref_t *right) {
    if (left->name && right->name) return !strcmp(left->name, right->name);
    return left->name == right->name && ECS_TERM_REF_ID(left) == ECS_TERM_REF_ID(right);
}

static bool compares_with_itself(const ecs_term_t *term) {
    return is_comparison(term) && term->second.id & EcsIsVariable &&
           is_same_ref(&term->src, &term->second);
}

static bool compares_with_operator(const ecs_term_t *term) {
    if (term->oper == EcsOr && ECS_TERM_REF_ID(&term->first) == Ecs__PredNeq) return true;
    return is_comparison(term) && (term->oper == EcsOptional || ecs__is_from(term->oper));
}

static bool holds_no_entity(const ecs__checker_t *c, const ecs_term_t *term) {
    ecs_ext_member_t member;
    return term->flags_ & EcsTermIsMember &&
           !(ecs__world_of(c->world)->reflection->get_member(
                 c->world, ECS_TERM_REF_ID(&term->first), &member) &&
               member.component);
}

static bool walks_from_member(const ecs_term_t *term) {
    bool inherits = term->trav == Ecs__IsA && !(term->src.id & (EcsCascade | EcsDown));
    return term->flags_ & EcsTermIsMember && walk_flags(term) && !inherits;
}

static bool cannot_be_its_own_target(const ecs__checker_t *c, const ecs_term_t *term) {
    const ecs_term_ref_t *left = &term->src, *right = &term->second;
    bool is_variable = left->id & right->id & EcsIsVariable && term->first.id & EcsIsEntity;
    if (!is_variable || !is_same_ref(left, right)) return false;
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first), value = ECS_TERM_REF_ID(left);
    return value != Ecs__Wildcard && value != Ecs__Any &&
           ecs__has_trait(c->world, first, Ecs__Acyclic) &&
           !ecs__has_trait(c->world, first, Ecs__Reflexive);
}

static bool is_target_of_none(const ecs__checker_t *c, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first), second = ECS_TERM_REF_ID(&term->second);
    bool is_constant = term->first.id & term->second.id & EcsIsEntity && term->id & ECS__PAIR;
    if (!is_constant || !second || ECS_IS_VALUE_PAIR(term->id)) return false;
    ecs_entity_t parent = ecs__oneof_parent(c, first);
    return parent && ecs__parent_of(ecs__store_of(ecs__world_of(c->world)), second) != parent;
}

// A predicate over terms, with or without a look at the world, and what to say when it is true.
static const struct {
    bool (*of_term)(const ecs_term_t *term);
    bool (*in_world)(const ecs__checker_t *checker, const ecs_term_t *term);
    const char *text;
    bool is_missing; /* it would make sense, but is not supported */
} term_rules[] = {
    { .of_term = has_no_id, .text = "a term needs an id" },
    { .of_term = has_bare_variable, .text = "a '$' needs a name" },
    { .of_term = has_bad_kind, .text = "the operator or the access of the term is no valid value" },
    { .of_term = has_desc_alone, .text = "'desc' needs 'cascade'" },
    { .of_term = has_misplaced_cascade,
        .text = "'cascade' and 'desc' are for the source of a term" },
    { .of_term = has_idle_trav,
        .text = "a relationship to traverse needs 'up', 'down' or 'cascade'" },
    { .of_term = has_bad_depth,
        .text = "depth limits need 'up', 'down' or 'cascade', and the smaller one first" },
    { .of_term = walks_from_nowhere, .text = "a term without source cannot traverse" },
    { .in_world = has_untraversable, .text = "the relationship to traverse has to be Traversable" },
    { .in_world = inherits_uninheritable,
        .text = "instances do not inherit this id, so it cannot be found up IsA" },
    { .in_world = holds_no_entity,
        .text = "a member that is compared has to hold an entity, aligned" },
    { .of_term = walks_from_member,
        .text = "members are those of the source itself: no traversal",
        .is_missing = true },
    { .of_term = has_from_pair, .text = "the From operators need an entity whose ids are meant" },
    { .of_term = has_from_access, .text = "the From operators give no values to access" },
    { .of_term = looks_below_from,
        .text = "the From operators do not look down",
        .is_missing = true },
    { .of_term = has_scope_operator, .text = "a scope can have the operators '!' and '?' only" },
    { .of_term = compares_no_variable,
        .text = "the left side of a comparison has to be a variable" },
    { .of_term = matches_no_text, .text = "the right side of '~=' has to be a text in quotes" },
    { .of_term = compares_nothing,
        .text = "the right side of a comparison has to be an entity, a variable or a text" },
    { .of_term = compares_with_itself, .text = "both sides of the comparison are the same" },
    { .of_term = compares_with_operator, .text = "cannot mix operator with equality expression" },
    { .in_world = cannot_be_its_own_target,
        .text = "the relationship is acyclic: nothing is its own target" },
    { .in_world = is_target_of_none,
        .text = "the target is none that the relationship can have (OneOf)" },
};

static bool validate_term(const ecs__checker_t *checker, int32_t index) {
    const ecs_term_t *term = &checker->terms->array[index];
    for (size_t r = 0; r < sizeof term_rules / sizeof *term_rules; r++) {
        bool is_broken = term_rules[r].of_term ? term_rules[r].of_term(term)
                                               : term_rules[r].in_world(checker, term);
        if (is_broken && term_rules[r].is_missing)
            return ecs__check_unsupported(checker, index, term_rules[r].text);
        if (is_broken) return ecs__check_fail(checker, index, NULL, "%s", term_rules[r].text);
    }
    return true;
}

// ---- Rules for terms together ----

static bool is_same_source(const ecs_term_t *a, const ecs_term_t *b) {
    uint64_t flags = EcsIsEntity | EcsIsVariable;
    if (ECS_TERM_REF_ID(&a->src) != ECS_TERM_REF_ID(&b->src) ||
        (a->src.id & flags) != (b->src.id & flags))
        return false;
    return a->src.name && b->src.name ? !strcmp(a->src.name, b->src.name)
                                      : a->src.name == b->src.name;
}

// Chains: every member but the last is an Or, the rest are plain, on one source, with the access of
// the first.
static bool validate_chain_link(const ecs__checker_t *checker, int32_t index) {
    const ecs_term_t *previous = &checker->terms->array[index - 1], *term = previous + 1;
    if (previous->oper != EcsOr) return true;
    const char *sentence = NULL;
    if (ECS_TERM_REF_ID(&term->first) == Ecs__ScopeClose) {
        sentence = "an OR expression begins and ends within its scope";
    } else if (term->oper != EcsOr && term->oper != EcsAnd) {
        sentence = "a term after an OR expression cannot have another operator";
    } else if (!is_scope(previous) && !is_scope(term) && !is_same_source(previous, term)) {
        sentence = "the terms of an OR expression need the same source";
    } else if ((previous->src.id | term->src.id) & EcsCascade) {
        return ecs__check_unsupported(
            checker, index, "'cascade' cannot be part of an OR expression");
    } else if (term->inout != EcsInOutDefault && term->inout != EcsInOutNone &&
               term->inout != previous->inout) {
        sentence = "the access of an OR expression stands before its first term";
    }
    return !sentence || ecs__check_fail(checker, index, NULL, "%s", sentence);
}

static bool validate_cascade(const ecs__checker_t *checker) {
    int32_t count = 0;
    for (int32_t i = 0; i < checker->terms->count; i++) {
        if (!(checker->terms->array[i].src.id & EcsCascade)) continue;
        if (++count > 1)
            return ecs__check_unsupported(checker, i, "a query can cascade over one term");
    }
    return true;
}

static bool validate_scopes(const ecs__checker_t *checker) {
    int32_t depth = 0;
    int16_t opers[FLECS_QUERY_SCOPE_NESTING_MAX] = { 0 }; // of the scopes that are open
    for (int32_t i = 0; i < checker->terms->count; i++) {
        const ecs_term_t *term = &checker->terms->array[i];
        ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
        const char *sentence = NULL;
        if (first == Ecs__ScopeOpen && depth + 1 >= FLECS_QUERY_SCOPE_NESTING_MAX)
            sentence = "scopes nest too deep";
        else if (first == Ecs__ScopeOpen)
            opers[depth++] = term->oper;
        if (first == Ecs__ScopeClose) {
            if (--depth < 0)
                sentence = "this scope was never opened";
            else if (ECS_TERM_REF_ID(&term[-1].first) == Ecs__ScopeOpen)
                sentence = "a scope cannot be empty";
            else if (term->oper == EcsOr && opers[depth] != EcsAnd)
                sentence = "cannot mix operators in || expression";
        }
        if (sentence) return ecs__check_fail(checker, i, NULL, "%s", sentence);
    }
    return !depth || ecs__check_fail(checker, -1, NULL, "a scope is not closed");
}

bool ecs__validate_terms(const ecs__checker_t *checker) {
    const char *expr = checker->desc->expr;
    bool is_empty_by_text = expr && !strcmp(expr, "0");
    if (!checker->terms->count && !is_empty_by_text)
        return ecs__check_fail(checker, -1, NULL, "a query needs at least one term");
    for (int32_t i = 0; i < checker->terms->count; i++) {
        if (!validate_term(checker, i) || (i && !validate_chain_link(checker, i))) return false;
    }
    return validate_scopes(checker) && validate_cascade(checker);
}
