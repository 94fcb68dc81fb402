// SPDX-License-Identifier: MIT
// check: parsed terms to a checked query, and texts to ids.
#include "query/check/check.h"

#include <muster/ecs/name.h>
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
    ecs__finalize_query(&checker);
    return true;
}

/* An id has no operator, no source and no variables. */
static bool is_id(const ecs_term_t *term) {
    bool has_source = ecs_term_ref_is_set(&term->src) && !ecs_term_match_this(term);
    bool has_variable = ((term->first.id | term->second.id) & EcsIsVariable) &&
                        (term->first.name || term->second.name);
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

int32_t ecs__ids_parse(const ecs_world_t *world, const char *name, const char *text,
    bool first_only, bool silent, ecs_id_t *ids, int32_t max) {
    ecs__terms_t terms;
    if (!ecs__expr_parse(world, name, text, first_only, silent, &terms)) return -1;
    const ecs__checker_t checker = {
        .world = world, .terms = &terms, .name = name, .silent = silent
    };
    int32_t count = terms.count;
    for (int32_t i = 0; i < terms.count && count >= 0; i++) {
        if (!check_id(&checker, i)) {
            count = -1;
        } else if (i < max) {
            ids[i] = terms.array[i].id;
        }
    }
    ecs__terms_fini(&terms);
    return count;
}

ecs_id_t ecs_id_from_str(const ecs_world_t *world, const char *text) {
    ecs_id_t id = 0;
    return ecs__ids_parse(world, NULL, text, true, true, &id, 1) == 1 ? id : 0;
}
