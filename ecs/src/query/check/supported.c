// SPDX-License-Identifier: MIT
// supported: what queries can mean but the engine cannot evaluate yet (WLD-02).
//
// One line per feature. Teaching the engine a feature means removing its line.
#include "query/check/supported.h"

#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>

static bool is_named_variable(const ecs_term_ref_t *ref) {
    return (ref->id & EcsIsVariable) && ref->name;
}

static bool has_flags(const ecs_term_t *term, uint64_t flags) {
    return ((term->src.id | term->first.id | term->second.id) & flags) != 0;
}

/* The engine finds elements by id alone: traversal is for sources. */
static bool walks_elements(const ecs_term_t *term) {
    return ((term->first.id | term->second.id) & (EcsUp | EcsCascade | EcsDown | EcsAll)) != 0;
}

static bool uses_scope(const ecs_term_t *term) {
    return ecs__is_scope_id(ECS_TERM_REF_ID(&term->first));
}

static bool uses_comparison(const ecs_term_t *term) {
    return ecs__is_comparison_id(ECS_TERM_REF_ID(&term->first));
}

static bool is_lookup(const ecs_term_ref_t *ref) {
    return is_named_variable(ref) && strchr(ref->name, '.');
}

static bool uses_lookup_variable(const ecs_term_t *term) {
    return is_lookup(&term->src) || is_lookup(&term->first) || is_lookup(&term->second);
}

static bool uses_variable(const ecs_term_t *term) {
    return is_named_variable(&term->src) || is_named_variable(&term->first) ||
           is_named_variable(&term->second);
}

static bool is_this_ref(const ecs_term_ref_t *ref) {
    return (ref->id & EcsIsVariable) && ECS_TERM_REF_ID(ref) == Ecs__This;
}

static bool uses_this_as_element(const ecs_term_t *term) {
    return is_this_ref(&term->first) || is_this_ref(&term->second);
}

static bool uses_wildcard_source(const ecs_term_t *term) {
    return (term->src.id & EcsIsVariable) && ECS_TERM_REF_ID(&term->src) != Ecs__This;
}

static bool uses_from(const ecs_term_t *term) { return ecs__is_from(term->oper); }

static bool uses_down(const ecs_term_t *term) { return has_flags(term, EcsDown); }

static bool uses_all(const ecs_term_t *term) { return has_flags(term, EcsAll); }

static bool uses_element_traversal(const ecs_term_t *term) { return walks_elements(term); }

static bool uses_id_flags(const ecs_term_t *term) {
    return (term->id & (ECS__TOGGLE | ECS__AUTO_OVERRIDE)) != 0;
}

static bool has_trait(const ecs__checker_t *c, const ecs_term_t *term, ecs_id_t trait) {
    return ecs__check_has(c, ECS_TERM_REF_ID(&term->first), trait);
}

/* IsA is transitive and reflexive by nature. */
static bool uses_transitive(const ecs__checker_t *c, const ecs_term_t *term) {
    if (!(term->id & ECS__PAIR) || (term->second.id & EcsSelf)) return false;
    return ECS_TERM_REF_ID(&term->first) == Ecs__IsA || has_trait(c, term, Ecs__Transitive) ||
           has_trait(c, term, Ecs__Reflexive);
}

/* Kinds of an entity count as the entity, unless it is final (as types are) or the term says
 * |self. */
static bool has_kinds(const ecs__checker_t *c, const ecs_term_ref_t *ref) {
    ecs_entity_t entity = ECS_TERM_REF_ID(ref);
    if (!(ref->id & EcsIsEntity) || (ref->id & EcsSelf) || !entity) return false;
    if (ecs_get_typeid(c->world, entity) || ecs__check_has(c, entity, Ecs__Final)) return false;
    return ecs_id_in_use(c->world, ECS__MAKE_PAIR(Ecs__IsA, entity));
}

static bool uses_kinds(const ecs__checker_t *c, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_builtin = first >= FLECS_HI_COMPONENT_ID && first < ECS__FIRST_USER_ENTITY;
    return has_kinds(c, &term->first) || (!is_builtin && has_kinds(c, &term->second));
}

static bool uses_toggle(const ecs__checker_t *c, const ecs_term_t *term) {
    return has_trait(c, term, Ecs__CanToggle);
}

static bool uses_sparse(const ecs__checker_t *c, const ecs_term_t *term) {
    return has_trait(c, term, Ecs__Sparse) || has_trait(c, term, Ecs__DontFragment) ||
           has_trait(c, term, Ecs__Union);
}

static const ecs__term_rule_t features[] = {
    { .of_term = uses_scope, .text = "scopes ({ … })" },
    { .of_term = uses_comparison, .text = "comparisons (==, !=, ~=)" },
    { .of_term = uses_lookup_variable, .text = "lookup variables ($var.name)" },
    { .of_term = uses_variable, .text = "variables other than $this" },
    { .of_term = uses_this_as_element, .text = "$this as the id or target of a term" },
    { .of_term = uses_wildcard_source, .text = "wildcards as source" },
    { .of_term = uses_from, .text = "the From operators (and|, or|, not|)" },
    { .of_term = uses_down, .text = "traversal downwards (down, sub)" },
    { .of_term = uses_all, .text = "traversal that does not stop at the first match (all)" },
    { .of_term = uses_element_traversal, .text = "traversal of the id or target of a term" },
    { .of_term = uses_id_flags, .text = "ids with flags (toggle|, auto_override|)" },
    { .in_world = uses_transitive,
        .text = "transitive and reflexive relationships (Target|self matches the target alone)" },
    { .in_world = uses_kinds,
        .text = "ids that others are kinds of (Id|self matches the id alone)" },
    { .in_world = uses_toggle, .text = "components that can be toggled" },
    { .in_world = uses_sparse, .text = "sparse components" },
};

static const char *unsupported_option(const ecs__checker_t *checker) {
    const ecs_query_desc_t *desc = checker->desc;
    if (desc->order_by_callback || desc->order_by_table_callback || desc->order_by)
        return "sorting (order_by)";
    if (desc->group_by || desc->group_by_callback) return "grouping (group_by)";
    if (desc->flags & EcsQueryDetectChanges) return "change detection";
    if (desc->flags & EcsQueryAllowUnresolvedByName) return "names that do not exist yet";
    return NULL;
}

bool ecs__check_supported(const ecs__checker_t *checker) {
    for (int32_t i = 0; i < checker->terms->count; i++) {
        for (size_t f = 0; f < sizeof features / sizeof *features; f++) {
            if (ecs__rule_is_met(&features[f], checker, &checker->terms->array[i])) {
                return ecs__check_unsupported(checker, i, features[f].text);
            }
        }
    }
    const char *option = checker->desc ? unsupported_option(checker) : NULL;
    return !option || ecs__check_unsupported(checker, -1, option);
}

/* "Component.member": everything before the last dot is a component. */
const char *ecs__unsupported_name(const ecs_world_t *world, const char *name) {
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name) return NULL;
    char *owner = ecs_os_memdup(name, (ecs_size_t)(dot - name) + 1);
    owner[dot - name] = '\0';
    ecs_entity_t entity = ecs_lookup(world, owner);
    ecs_os_free(owner);
    return entity && ecs_get_typeid(world, entity) ? "members of components (Component.member)"
                                                   : NULL;
}
