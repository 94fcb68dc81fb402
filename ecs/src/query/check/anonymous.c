// SPDX-License-Identifier: MIT
#include "query/check/anonymous.h"

#include <string.h>

#include "query/check/finalize.h"
#include "world/state.h"

static bool is_anonymous(const ecs_term_ref_t *ref) {
    return ref->id & EcsIsVariable && ecs__is_anonymous(ref->name);
}

// "_x.child" mentions "_x".
static bool is_same(const ecs_term_ref_t *a, const ecs_term_ref_t *b) {
    size_t length = strcspn(a->name, ".");
    return is_anonymous(b) && strcspn(b->name, ".") == length && !strncmp(a->name, b->name, length);
}

static bool is_mentioned_once(const ecs__terms_t *terms, const ecs_term_ref_t *ref) {
    int32_t count = 0;
    for (int32_t i = 0; i < terms->count; i++) {
        const ecs_term_t *term = &terms->array[i];
        if (term->flags_ & EcsTermIsScope) continue; /* asks for nothing */
        count +=
            is_same(ref, &term->src) + is_same(ref, &term->first) + is_same(ref, &term->second);
    }
    return count == 1;
}

static bool forget(const ecs__terms_t *terms, ecs_term_ref_t *ref) {
    if (!is_anonymous(ref) || strchr(ref->name, '.') || !is_mentioned_once(terms, ref))
        return false;
    *ref = (ecs_term_ref_t){ .id = Ecs__Any | (ref->id & EcsTermRefFlags) };
    return true;
}

static bool forget_all(const ecs__checker_t *checker, int32_t index) {
    const ecs__terms_t *terms = checker->terms;
    ecs_term_t *term = &terms->array[index];
    if (ecs__is_comparison_id(ECS_TERM_REF_ID(&term->first))) return true;
    const bool src = forget(terms, &term->src), first = forget(terms, &term->first),
               second = forget(terms, &term->second);
    if (!src && !first && !second) return true;
    term->id &= ECS_ID_FLAGS_MASK; /* it is made of its parts */
    return ecs__finalize_term(checker, index);
}

static bool gives_values(const ecs__checker_t *checker, const ecs_term_t *term) {
    bool is_read = term->inout != EcsInOutNone && term->inout != EcsInOutFilter;
    return is_read && ecs__id_typeid(ecs__store_of(ecs__world_of(checker->world)), term->id);
}

bool ecs__check_anonymous(const ecs__checker_t *checker) {
    int32_t depth = 0; /* of scopes: these give no values */
    for (int32_t i = 0; i < checker->terms->count; i++) {
        const ecs_term_t *term = &checker->terms->array[i];
        const ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
        depth += (first == Ecs__ScopeOpen) - (first == Ecs__ScopeClose);
        if (!depth && is_anonymous(&term->src) && gives_values(checker, term)) {
            return ecs__check_fail(checker, i, term->src.name,
                "nobody can read of whom the values of an anonymous variable are; ask for [none]");
        }
        if (!forget_all(checker, i)) return false;
    }
    return true;
}
