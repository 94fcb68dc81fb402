// SPDX-License-Identifier: MIT
// check: parsed terms to a checked query, and texts to ids.
#include "query/check/check.h"

#include <muster/ecs/name.h>
#include "name/from_string.h"
#include "query/check/anonymous.h"
#include "query/check/finalize.h"
#include "query/check/resolve.h"
#include "query/check/validate.h"

bool ecs__query_check(const ecs_world_t *world, const ecs_query_desc_t *desc, ecs_query_t *query,
    ecs__terms_t *terms) {
    const ecs__checker_t checker = { .world = world,
        .desc = desc,
        .query = query,
        .terms = terms,
        .name = desc->entity ? ecs_get_name(world, desc->entity) : NULL };
    for (int32_t i = 0; i < terms->count; i++) {
        if (!ecs__resolve_term(&checker, i) || !ecs__finalize_term(&checker, i)) return false;
    }
    if (!ecs__validate_terms(&checker) || !ecs__check_anonymous(&checker)) return false;
    return ecs__finalize_query(&checker);
}

// Wildcards are held as variables without name; so is This, which stands for nothing in an id.
static bool is_variable(const ecs_term_ref_t *ref) {
    return ref->id & EcsIsVariable && (ref->name || ECS_TERM_REF_ID(ref) == Ecs__This);
}

// An id has no operator, no source and no variables.
static bool is_id(const ecs_term_t *term) {
    bool has_source = ecs_term_ref_is_set(&term->src) && !ecs_term_match_this(term);
    bool has_variable = is_variable(&term->first) || is_variable(&term->second);
    bool has_flags = ((term->src.id | term->first.id | term->second.id) & EcsTraverseFlags) != 0;
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_special = ecs__is_scope_id(first) || ecs__is_comparison_id(first);
    return term->oper == EcsAnd && term->inout == EcsInOutDefault && !has_source && !has_variable &&
           !has_flags && !is_special;
}

static bool check_id(const ecs__checker_t *checker, int32_t index) {
    if (!ecs__resolve_term(checker, index)) return false;
    if (!is_id(&checker->terms->array[index])) {
        return ecs__check_fail(
            checker, index, NULL, "an id has no operator, access, source, variables or traversal");
    }
    return ecs__finalize_term(checker, index);
}

bool ecs__ids_parse(
    const ecs_world_t *world, const char *text, bool first_only, bool silent, ecs_vec_t *ids) {
    ecs__terms_t terms;
    if (!ecs__expr_parse(world, NULL, text, first_only, silent, &terms)) return false;
    const ecs__checker_t checker = { .world = world, .terms = &terms, .silent = silent };
    bool is_good = true;
    for (int32_t i = 0; is_good && i < terms.count; i++) {
        is_good = check_id(&checker, i);
        if (is_good) *ecs_vec_append_t(NULL, ids, ecs_id_t) = terms.array[i].id;
    }
    if (!is_good) ecs__resolve_undo(world, &terms);
    ecs__terms_fini(&terms);
    return is_good;
}

ecs_id_t ecs_id_from_str(const ecs_world_t *world, const char *text) {
    ecs_vec_t ids = { 0 };
    ecs_id_t id = text ? ecs__id_read(world, text) : 0;
    if (!id && ecs__ids_parse(world, text, true, true, &ids) && ids.count == 1)
        id = *ecs_vec_get_t(&ids, ecs_id_t, 0);
    ecs_vec_fini_t(NULL, &ids, ecs_id_t);
    return id;
}
