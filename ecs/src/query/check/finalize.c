// SPDX-License-Identifier: MIT
// finalize: what a term leaves out, and what follows from all terms together.
//
// A term that says nothing about traversal gets self|up IsA if its id is passed on to instances,
// else self. A singleton is matched on its own component. Nothing here judges: contradictions that
// would make filling in meaningless are the only failures.
#include "query/check/finalize.h"

#include <muster/ecs/extend.h>
#include "name/lookup.h"
#include "query/parse/term.h"
#include "world/state.h"

// ---- One term: id and elements ----

// An element of a term's id as ref: alive entities get their generation, $this and wildcards are
// variables.
static ecs_term_ref_t ref_of(const ecs__checker_t *checker, uint32_t element) {
    if (element == Ecs__Wildcard || element == Ecs__Any || element == Ecs__This)
        return (ecs_term_ref_t){ .id = element | EcsIsVariable };
    return (ecs_term_ref_t){ .id = ecs__alive_entity(checker->world, element) | EcsIsEntity };
}

// Flags given with the ref stay; only what is unset is filled in.
static bool fill_ref(
    const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref, ecs_term_ref_t from) {
    ecs_entity_t id = ECS_TERM_REF_ID(ref);
    if (!id && !ref->name && !(ref->id & EcsIsEntity)) {
        ref->id = from.id | (ref->id & EcsTraverseFlags);
        return true;
    }
    if (id == ECS_TERM_REF_ID(&from)) return true;
    /* A variable stands for any value in the id, as in terms of other queries. */
    bool is_open = ECS_TERM_REF_ID(&from) == Ecs__Wildcard;
    if (is_open && ref->id & EcsIsVariable) return true;
    return ecs__check_fail(
        checker, term, NULL, "the id of the term and its parts contradict each other");
}

// "All of a list" as an id.
static void rewrite_list(ecs_term_t *term) {
    ecs_id_t list = ecs__id_list(term->id);
    if (!list || term->oper != EcsAnd) return;
    term->oper = list == ECS__OR ? EcsOrFrom : EcsAndFrom;
    term->id &= ~list;
}

static bool fill_elements(const ecs__checker_t *checker, int32_t index) {
    ecs_term_t *term = &checker->terms->array[index];
    rewrite_list(term);
    ecs_id_t id = term->id & ECS_COMPONENT_MASK;
    if (!id) return true;
    if (!(term->id & ECS__PAIR)) {
        bool is_alive =
            id == Ecs__Wildcard || id == Ecs__Any || ecs__alive_entity(checker->world, id);
        if (!is_alive)
            return ecs__check_fail(checker, index, NULL, "entity #%u is not alive", (uint32_t)id);
        return fill_ref(checker, index, &term->first, ref_of(checker, (uint32_t)id));
    }
    uint32_t first = ecs__id_first(id), second = ecs__id_second(id);
    bool is_value = (term->id & ECS__VALUE_PAIR) == ECS__VALUE_PAIR;
    ecs_term_ref_t first_ref = ref_of(checker, first);
    ecs_term_ref_t second_ref =
        is_value ? (ecs_term_ref_t){ .id = second | EcsIsEntity } : ref_of(checker, second);
    if (!ECS_TERM_REF_ID(&first_ref) || (second && !ECS_TERM_REF_ID(&second_ref))) {
        return ecs__check_fail(
            checker, index, NULL, "an element of pair (#%u, #%u) is not alive", first, second);
    }
    return fill_ref(checker, index, &term->first, first_ref) &&
           fill_ref(checker, index, &term->second, second_ref);
}

static bool has_second(const ecs_term_t *term) {
    return ECS_TERM_REF_ID(&term->second) || term->second.name || (term->second.id & EcsIsEntity);
}

// A variable stands for any value in the id.
static ecs_entity_t element_of(const ecs_term_ref_t *ref) {
    if ((ref->id & EcsIsVariable) && (ref->name || ECS_TERM_REF_ID(ref) == Ecs__This))
        return Ecs__Wildcard;
    return ECS_TERM_REF_ID(ref);
}

static void compose_id(ecs_term_t *term) {
    ecs_id_t flags = term->id & ECS_ID_FLAGS_MASK;
    if (!has_second(term)) {
        term->id = flags | (element_of(&term->first) & ECS_COMPONENT_MASK);
    } else {
        term->id = flags | ECS__MAKE_PAIR(element_of(&term->first), element_of(&term->second));
    }
}

// ---- One term: source, traversal, access ----

static bool is_no_source(const ecs_term_ref_t *src) {
    return (src->id & EcsIsEntity) && !ECS_TERM_REF_ID(src) && !src->name;
}

static void set_source(const ecs__checker_t *checker, ecs_term_t *term) {
    ecs_term_ref_t *src = &term->src;
    if (ECS_TERM_REF_ID(src) || src->name || (src->id & EcsIsEntity)) return;
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_singleton =
        (term->first.id & EcsIsEntity) && ecs__has_trait(checker->world, first, Ecs__Singleton);
    src->id |= is_singleton ? first | EcsIsEntity : Ecs__This | EcsIsVariable;
}

// A walk down the relationship of the pair itself says what is meant anyway if that is transitive;
// it must not hide that it is reflexive.
static void rewrite_closure(const ecs__checker_t *checker, ecs_term_t *term) {
    const uint64_t walk = EcsSelf | EcsDown;
    const ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    const bool is_alone = !((term->src.id | term->first.id) & (EcsUp | EcsDown));
    const bool is_closure = is_alone && term->trav == first && !term->min_depth &&
                            !term->max_depth && (term->second.id & (walk | EcsUp)) == walk;
    if (!is_closure || !ecs__has_trait(checker->world, first, Ecs__Transitive) ||
        !ecs__has_trait(checker->world, first, Ecs__Reflexive))
        return;
    term->second.id &= ~(walk | EcsAll);
    term->trav = 0;
}

static void set_traversal(ecs_term_t *term, bool inheritable) {
    uint64_t *flags = &term->src.id;
    if (term->src.id & EcsCascade) *flags |= EcsUp;
    bool walks = (*flags & (EcsUp | EcsDown)) != 0;
    bool elements_walk = ((term->first.id | term->second.id) & (EcsUp | EcsDown)) != 0;
    if ((walks || elements_walk) && !term->trav) term->trav = Ecs__ChildOf;
    if (walks) return;
    const bool is_open = !(*flags & EcsTraverseFlags);
    const bool inherits = is_open && inheritable && !is_no_source(&term->src);
    if (inherits && !term->trav) term->trav = Ecs__IsA;
    *flags |= EcsSelf | (inherits && term->trav == Ecs__IsA ? EcsUp : 0);
}

static bool matches_everything(ecs_id_t id) {
    id = ecs__id_any_to_wildcard(id);
    return id == Ecs__Wildcard || id == ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard);
}

static void set_access(ecs_term_t *term) {
    if (term->inout != EcsInOutDefault) return;
    ecs_entity_t src = ECS_TERM_REF_ID(&term->src);
    bool is_any_source =
        (term->src.id & EcsIsVariable) && (src == Ecs__Wildcard || src == Ecs__Any);
    bool is_none = term->oper == EcsNot || ecs__is_from(term->oper) ||
                   matches_everything(term->id) || is_any_source ||
                   ecs__is_comparison_id(ECS_TERM_REF_ID(&term->first));
    if (is_none) term->inout = EcsInOutNone;
}

// "Not below anything" is being a root; "not below $x" is not.
static void rewrite_roots(ecs_term_t *term) {
    ecs_entity_t src = ECS_TERM_REF_ID(&term->src), second = ECS_TERM_REF_ID(&term->second);
    bool is_childless = term->id == ECS__MAKE_PAIR(Ecs__ChildOf, second) &&
                        (second == Ecs__Any || second == Ecs__Wildcard);
    if (term->oper != EcsNot || !is_childless || src == Ecs__Any || (term->src.id & EcsUp)) return;
    term->oper = EcsAnd;
    term->id = ECS__MAKE_PAIR(Ecs__ChildOf, 0);
    term->second = (ecs_term_ref_t){ .id = EcsIsEntity };
}

// Where values and ids are kept, see storage/sparse_ids.h.
static ecs_flags16_t storage_flags(const ecs__checker_t *checker, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    if (!ecs__world_of(checker->world)->store.has_sparse) return 0;
    if (!(term->first.id & EcsIsEntity) || ecs__id_marks(term->id)) return 0;
    bool is_pair = term->id & ECS__PAIR;
    bool is_beside = is_pair ? ecs__relationship_is_beside(checker->world, first)
                             : ecs__has_trait(checker->world, first, Ecs__DontFragment);
    bool is_tag = is_pair && ecs__has_trait(checker->world, first, Ecs__PairIsTag);
    if (is_beside && is_tag) return EcsTermDontFragment;
    if (is_beside) return EcsTermIsSparse | EcsTermDontFragment;
    return ecs__has_trait(checker->world, first, Ecs__Sparse) ? EcsTermIsSparse : 0;
}

// A pair whose relationship is a member asks for the member's value.
static ecs_flags16_t member_flag(const ecs__checker_t *checker, const ecs_term_t *term) {
    const ecs_ext_reflection_t *reflection = ecs__world_of(checker->world)->reflection;
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    ecs_ext_member_t member;
    bool is_pair = reflection && term->first.id & EcsIsEntity && term->id & ECS__PAIR;
    if (!is_pair || first < ECS__FIRST_USER_ENTITY) return 0;
    return reflection->get_member(checker->world, first, &member) ? EcsTermIsMember : 0;
}

static void set_flags(const ecs__checker_t *checker, ecs_term_t *term) {
    ecs_entity_t src = ECS_TERM_REF_ID(&term->src);
    bool is_any = element_of(&term->first) == Ecs__Any || element_of(&term->second) == Ecs__Any;
    ecs_flags16_t flags = 0;
    if (is_any) flags |= EcsTermMatchAny;
    if (src == Ecs__Any) flags |= EcsTermMatchAnySrc;
    if (ecs__is_scope_id(ECS_TERM_REF_ID(&term->first))) flags |= EcsTermIsScope;
    if (term->id & ECS__TOGGLE ||
        ecs__has_trait(checker->world, ECS_TERM_REF_ID(&term->first), Ecs__CanToggle)) {
        flags |= EcsTermIsToggle;
    }
    flags |= storage_flags(checker, term);
    flags |= term->flags_ & EcsTermIsMember;
    bool is_this = ecs_term_match_this(term), is_member = flags & EcsTermIsMember;
    if (is_this && !is_member && !(flags & (EcsTermIsScope | EcsTermDontFragment)))
        flags |= EcsTermIsCacheable;
    bool is_one = term->oper == EcsAnd && !ecs__id_is_wildcard(term->id);
    if (flags & EcsTermIsCacheable && is_one && !(flags & EcsTermIsToggle) &&
        !(term->src.id & EcsUp)) {
        flags |= EcsTermIsTrivial;
    }
    term->flags_ = flags | (term->flags_ & ECS__TERM_IS_VALUE);
}

// A scope is an alternative of what follows its end: an Or beside its operator, where scopes have
// it, moves there.
static void close_scope(ecs_term_t *close, int32_t before) {
    ecs_term_t *term = close;
    for (int32_t depth = 1; depth && before--;) {
        ecs_entity_t first = ECS_TERM_REF_ID(&(--term)->first);
        depth += (first == Ecs__ScopeClose) - (first == Ecs__ScopeOpen);
    }
    if (ECS_TERM_REF_ID(&term->first) != Ecs__ScopeOpen || term->oper != EcsOr) return;
    term->oper = EcsAnd;
    close->oper = EcsOr;
}

// Other ways to say equal, and not equal.
static void rewrite_equality(ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_negated = first == Ecs__PredNeq && (term->oper == EcsAnd || term->oper == EcsNot);
    if (is_negated) term->oper = term->oper == EcsAnd ? EcsNot : EcsAnd;
    if (is_negated || first == Ecs__PredLookup) term->first.id = Ecs__PredEq | EcsIsEntity;
}

bool ecs__finalize_term(const ecs__checker_t *checker, int32_t index) {
    ecs_term_t *term = &checker->terms->array[index];
    rewrite_equality(term);
    if (!fill_elements(checker, index)) return false;
    compose_id(term);
    term->flags_ = (term->flags_ & ECS__TERM_IS_VALUE) | member_flag(checker, term);
    set_source(checker, term);
    rewrite_closure(checker, term);
    set_traversal(term, ecs__term_is_inheritable(checker->world, term));
    rewrite_roots(term);
    set_access(term);
    set_flags(checker, term);
    if (ECS_TERM_REF_ID(&term->first) == Ecs__ScopeClose) close_scope(term, index);
    return true;
}

// ---- The query ----

// The first term of a chain speaks for it; an Or behind the last term of all is the end of the
// chain (D-23).
static void join_chain(ecs_term_t *chain, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        chain[i].inout = chain[0].inout;
        if (count == 1) continue;
        chain[i].flags_ |= EcsTermIsOr;
        chain[i].flags_ &= (ecs_flags16_t)~EcsTermIsTrivial;
    }
    chain[count - 1].oper = chain[count - 1].oper == EcsOr ? EcsAnd : chain[count - 1].oper;
}

// What relationship a pair turns out to have decides about its type: each result of `(*, Position)` tells its own.
static ecs_entity_t data_type(const ecs__checker_t *checker, const ecs_term_t *term) {
    ecs_flags16_t no_data = EcsTermIsScope | EcsTermIsMember;
    if (ECS_IS_PAIR(term->id) && ecs__id_is_wildcard(ECS_PAIR_FIRST(term->id))) return 0;
    if (term->flags_ & no_data || ecs__is_comparison_id(ECS_TERM_REF_ID(&term->first))) return 0;
    return ecs__id_typeid(ecs__store_of(ecs__world_of(checker->world)), term->id);
}

static void set_field_data(
    const ecs__checker_t *checker, const ecs_term_t *chain, int32_t count, int32_t field) {
    const ecs__store_t *store = ecs__store_of(ecs__world_of(checker->world));
    ecs_entity_t type = data_type(checker, chain);
    bool is_same = true;
    for (int32_t i = 1; i < count; i++) is_same = is_same && data_type(checker, &chain[i]) == type;
    const ecs_type_info_t *type_info = type && is_same ? ecs__type_info_get(store, type) : NULL;
    checker->query->ids[field] = is_same ? chain->id : 0;
    checker->query->sizes[field] = type_info ? type_info->size : 0;
}

// A value may be shared: then default access is reading (ACC-03, ACC-04, ACC-05).
static bool may_share(const ecs_term_t *term) {
    return !ecs_term_match_this(term) || (term->src.id & EcsUp);
}

static bool may_own(const ecs_term_t *term) {
    return ecs_term_match_this(term) && (term->src.id & EcsSelf);
}

// Alternatives of different types have no type in common, but each result has the values of its own.
static bool may_have_data(const ecs__checker_t *checker, const ecs_term_t *chain, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        bool is_scope = chain[i].flags_ & EcsTermIsScope;
        if (ecs__id_is_wildcard(chain[i].id) && !is_scope) return true;
        if (data_type(checker, &chain[i])) return true;
    }
    return false;
}

static void set_field_sets(const ecs__checker_t *checker, const ecs_term_t *chain, int32_t count,
    int32_t field, bool in_scope) {
    ecs_query_t *query = checker->query;
    ecs_termset_t bit = FIELD_BIT(field);
    bool is_constant = (chain->src.id & EcsIsEntity) && !ecs_term_match_0(chain);
    bool is_variable = (chain->src.id & EcsIsVariable) && !ecs_term_match_this(chain);
    bool is_not = chain->oper == EcsNot || chain->oper == EcsNotFrom;
    bool is_comparison = ecs__is_comparison_id(ECS_TERM_REF_ID(&chain->first));
    bool is_scope = (chain->flags_ & EcsTermIsScope) != 0;
    bool is_default = chain->inout == EcsInOutDefault;
    if (is_constant) query->fixed_fields |= bit;
    if (is_variable) query->var_fields |= bit;
    bool is_chain = count > 1 || chain->oper == EcsOrFrom;
    if (!is_chain && !ecs__id_is_wildcard(chain->id) && !is_comparison && !is_scope)
        query->static_id_fields |= bit;
    if (!is_not && !ecs_term_match_0(chain) && !is_comparison && !is_scope)
        query->set_fields |= bit;

    bool has_access = chain->inout != EcsInOutNone && chain->inout != EcsInOutFilter;
    if (is_not || in_scope || is_comparison || !may_have_data(checker, chain, count)) return;
    if (chain->flags_ & EcsTermIsSparse) query->row_fields |= bit;
    if (!has_access) return;
    query->data_fields |= bit;
    if (is_default && may_share(chain)) query->shared_readonly_fields |= bit;
    if (chain->inout != EcsIn && (!is_default || may_own(chain) || ecs_term_match_0(chain)))
        query->write_fields |= bit;
    if (chain->inout != EcsOut) query->read_fields |= bit;
}

static ecs_flags32_t term_flags(const ecs_term_t *term) {
    ecs_flags32_t flags = 0;
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_this = ecs_term_match_this(term);
    bool is_tag = !(term->id & ECS__PAIR) && (term->src.id & EcsSelf);
    if (is_this) flags |= EcsQueryMatchThis | EcsQueryHasTableThisVar;
    if (is_this && is_tag && first == Ecs__Prefab) flags |= EcsQueryMatchPrefab;
    if (is_this && is_tag && first == Ecs__Disabled) flags |= EcsQueryMatchDisabled;
    if (!is_this || (term->src.id & EcsUp)) flags |= EcsQueryHasRefs;
    if (ecs__id_is_wildcard(term->id)) flags |= EcsQueryMatchWildcards;
    if (term->inout == EcsOut)
        flags |= is_this ? EcsQueryHasOutTerms : EcsQueryHasOutTerms | EcsQueryHasNonThisOutTerms;
    if (term->oper != EcsAnd) flags |= EcsQueryHasCondSet;
    if (term->flags_ & EcsTermIsScope) flags |= EcsQueryHasScopes;
    if (ecs__is_comparison_id(first)) flags |= EcsQueryHasPred;
    if (term->flags_ & EcsTermIsCacheable) flags |= EcsQueryHasCacheable;
    if (term->flags_ & EcsTermIsToggle) flags |= EcsQueryCacheWithFilter;
    return flags;
}

void ecs__finalize_flags(ecs_query_t *query) {
    ecs_flags32_t flags = 0;
    bool only_this = true, only_self = true, cacheable = true, trivial = true, nothing = true;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        bool is_this = ecs_term_match_this(term);
        flags |= term_flags(term);
        only_this = only_this && is_this;
        only_self = only_self && (!is_this || !(term->src.id & (EcsUp | EcsDown)));
        cacheable = cacheable && (term->flags_ & EcsTermIsCacheable);
        nothing = nothing && ecs_term_match_0(term);
        trivial = trivial && (term->flags_ & EcsTermIsTrivial);
        if (term->flags_ & EcsTermIsTrivial) query->bloom_filter |= ecs__id_bloom(term->id);
    }
    if (only_this) flags |= EcsQueryMatchOnlyThis;
    if (only_self) flags |= EcsQueryMatchOnlySelf;
    if (nothing) flags |= EcsQueryMatchNothing;
    if (cacheable) flags |= EcsQueryIsCacheable;
    if (trivial) flags |= EcsQueryIsTrivial;
    const ecs_flags32_t of_terms = EcsQueryHasCacheable | EcsQueryIsCacheable | EcsQueryIsTrivial;
    query->flags = (query->flags & ~of_terms) | flags | EcsQueryValid;
}

static void set_data(const ecs__checker_t *checker) {
    const ecs_query_t *query = checker->query;
    int32_t field = 0, scope_depth = 0;
    for (int32_t i = 0, count; i < query->term_count; i += count, field++) {
        const ecs_term_t *chain = &query->terms[i];
        ecs_entity_t first = ECS_TERM_REF_ID(&chain->first);
        count = ecs__chain_length(chain, query->term_count - i);
        if (first == Ecs__ScopeOpen) scope_depth++;
        if (first == Ecs__ScopeClose) scope_depth--;
        set_field_data(checker, chain, count, field);
        set_field_sets(checker, chain, count, field, scope_depth > 0);
    }
}

void ecs__finalize_data(ecs_query_t *query) {
    set_data(&(ecs__checker_t){ .world = query->world, .query = query });
}

bool ecs__finalize_query(const ecs__checker_t *checker) {
    ecs_query_t *query = checker->query;
    ecs__terms_t *terms = checker->terms;
    query->terms = terms->array;
    query->term_count = (int8_t)terms->count;
    query->ids = ecs_os_try_calloc(ECS_SIZEOF(ecs_id_t) * terms->count);
    query->sizes = ecs_os_try_calloc(ECS_SIZEOF(int32_t) * terms->count);
    if (!query->ids || !query->sizes) {
        ecs_err_code(ECS_OUT_OF_MEMORY, "out of memory for the fields of a query");
        return false;
    }
    int32_t field = 0;
    for (int32_t i = 0, count; i < terms->count; i += count, field++) {
        ecs_term_t *chain = &terms->array[i];
        count = ecs__chain_length(chain, terms->count - i);
        join_chain(chain, count);
        for (int32_t n = 0; n < count; n++) chain[n].field_index = (int8_t)field;
    }
    query->field_count = (int8_t)field;
    set_data(checker);
    ecs__finalize_flags(query);
    return true;
}
