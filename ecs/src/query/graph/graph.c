// SPDX-License-Identifier: MIT
#include "query/graph/graph.h"

#include <string.h>

#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "query/check/anonymous.h"
#include "query/check/finalize.h"
#include "query/graph/compared.h"
#include "query/parse/term.h"
#include "storage/children.h"
#include "storage/sparse_ids.h"
#include "world/state.h"

typedef struct build_t {
    const ecs_world_t *world;
    ecs_query_t *query;
    ecs__graph_t *graph;
    const ecs__kinds_t *kinds;
    bool is_ordered; /* results have to come in an order */
    int32_t stars;   /* terms with `*` that the plan has */
    bool has_too_many;
} build_t;

// ---- which terms are goals ----

static bool is_var(const ecs_term_ref_t *ref) {
    return (ref->id & EcsIsVariable) && (ref->name || ECS_TERM_REF_ID(ref) == Ecs__This);
}

// Kinds of an entity count as the entity, unless it is final (as types are that were not declared
// inheritable) or the term says |self. Who was asked tells when it gets some (storage/id_index.c).
static bool has_kinds(const ecs_world_t *world, const ecs_term_ref_t *ref) {
    ecs_entity_t entity = ECS_TERM_REF_ID(ref);
    if (!(ref->id & EcsIsEntity) || (ref->id & EcsSelf) || !entity) return false;
    ecs__entity_index_t *index = &ecs__world_of(world)->store.entities;
    if (!ecs__entity_is_alive(index, entity)) return false;
    const uint32_t marks = ecs__entity_marks(index, entity);
    if (!(marks & ECS__ENTITY_IS_ASKED))
        ecs__entity_mark(index, (uint32_t)entity, ECS__ENTITY_IS_ASKED);
    if (!(marks & EcsEntityIsTarget)) return false;
    if (!ecs_id_in_use(world, ECS__MAKE_PAIR(Ecs__IsA, entity))) return false;
    return !ecs__has_trait(world, entity, Ecs__Final) ||
           ecs__has_trait(world, entity, Ecs__Inheritable);
}

// Builtin relationships name the very target, and so may those that `*` or a variable stands for.
static bool has_kinds_of_second(const ecs_world_t *world, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_builtin = first >= FLECS_HI_COMPONENT_ID && first < ECS__FIRST_USER_ENTITY;
    return term->first.id & EcsIsEntity && !is_builtin && has_kinds(world, &term->second);
}

static bool takes_part_in_graph(const ecs_world_t *world, const ecs_term_t *term, ecs_id_t trait) {
    bool is_open =
        (term->second.id & EcsIsEntity && ECS_TERM_REF_ID(&term->second)) || is_var(&term->second);
    if (!(term->id & ECS__PAIR) || (term->id & ECS__VALUE_PAIR) == ECS__VALUE_PAIR || !is_open)
        return false;
    if (!(term->first.id & EcsIsEntity) || term->second.id & EcsTraverseFlags) return false;
    // Who goes elsewhere for pairs takes them as they are there.
    if (term->src.id & EcsDown || (term->src.id & EcsUp && term->trav != Ecs__IsA)) return false;
    return ecs__has_trait(world, ECS_TERM_REF_ID(&term->first), trait);
}

// Why a term may need a goal later that needs none now: bits of ecs__kinds_t.
enum { KINDS_OF_FIRST = 1, KINDS_OF_SECOND = 2, HAS_PARENTS = 4, IS_ORDERED = 8, IS_BESIDE = 16 };

// What users are told about a term.
static ecs_flags16_t graph_flags(const ecs_world_t *world, const ecs_term_t *term, uint8_t kinds) {
    bool is_inherited = term->first.id & EcsIsEntity && !(term->first.id & EcsSelf) &&
                        ecs__has_trait(world, ECS_TERM_REF_ID(&term->first), Ecs__Inheritable);
    ecs_flags16_t flags = 0;
    if (is_inherited || kinds & KINDS_OF_FIRST) flags |= EcsTermIdInherited;
    if (takes_part_in_graph(world, term, Ecs__Transitive)) flags |= EcsTermTransitive;
    if (takes_part_in_graph(world, term, Ecs__Reflexive)) flags |= EcsTermReflexive;
    return flags;
}

static bool walks(const ecs_term_ref_t *ref) {
    return ref->id & (EcsUp | EcsDown | EcsCascade | EcsAll);
}

static bool is_by_row(const build_t *build, const ecs_term_t *term) {
    return term->flags_ & EcsTermIsToggle && !(term->id & ECS__TOGGLE) &&
           !(term->flags_ & EcsTermIsOr) && !(build->query->flags & EcsQueryTableOnly);
}

static bool is_root(const ecs_term_t *term) { return term->id == ECS__MAKE_PAIR(Ecs__ChildOf, 0); }

// Parents may be kept beside tables, once some entity has had one by component (mutate/parent.h).
static bool is_about_parents(const ecs_world_t *world, const ecs_term_t *term) {
    if (!ecs__world_of(world)->store.has_parents) return false;
    bool is_child =
        term->id & ECS__PAIR && ECS_TERM_REF_ID(&term->first) == Ecs__ChildOf && !is_root(term);
    return is_child || (term->trav == Ecs__ChildOf && term->src.id & EcsUp);
}

// Children of a parent that keeps their order come in that order.
static bool is_ordered(const ecs_world_t *world, const ecs_term_t *term) {
    bool is_own = ecs_term_match_this(term) && !(term->src.id & (EcsUp | EcsDown));
    bool is_child = term->id & ECS__PAIR && ECS_TERM_REF_ID(&term->first) == Ecs__ChildOf &&
                    term->second.id & EcsIsEntity && ECS_TERM_REF_ID(&term->second);
    bool is_found = term->oper == EcsAnd && !(term->flags_ & EcsTermIsOr);
    return is_own && is_child && is_found &&
           ecs__children_get(&ecs__world_of(world)->store, ECS_TERM_REF_ID(&term->second));
}

// Of what `*` or a variable stands for, some may be beside tables, once something of that kind is.
static uint8_t may_be_beside(const ecs_term_t *term) {
    return term->first.id & EcsIsEntity ? 0 : ecs__beside_kind(term->id);
}

static bool looks_beside(const ecs_world_t *world, const ecs_term_t *term) {
    return may_be_beside(term) & ecs__world_of(world)->store.beside;
}

bool ecs__graph_note_kinds(
    const ecs_world_t *world, const ecs_query_t *query, ecs__kinds_t *kinds) {
    bool is_new = false;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        const uint8_t now = (has_kinds(world, &term->first) ? KINDS_OF_FIRST : 0) |
                            (has_kinds_of_second(world, term) ? KINDS_OF_SECOND : 0) |
                            (is_about_parents(world, term) ? HAS_PARENTS : 0) |
                            (is_ordered(world, term) ? IS_ORDERED : 0) |
                            (looks_beside(world, term) ? IS_BESIDE : 0);
        is_new |= now & ~kinds->terms[i];
        kinds->terms[i] |= now;
    }
    kinds->has_any |= is_new;
    return is_new;
}

static bool walks_beside(const ecs_world_t *world, const ecs_term_t *term) {
    return is_about_parents(world, term) ||
           (term->trav && ecs__relationship_is_beside(world, term->trav));
}

// What entities have beside their tables no table tells, except for the presence of a relationship.
static bool is_beside(const ecs_world_t *world, const ecs_term_t *term) {
    return term->flags_ & EcsTermDontFragment || walks_beside(world, term);
}

// The plan takes no id of tables for what a root is.
static bool is_root_goal(const ecs_term_t *term) {
    return is_root(term) && (term->oper == EcsOptional || term->flags_ & EcsTermIsOr);
}

static bool is_goal(const ecs_world_t *world, const ecs_term_t *term, uint8_t kinds) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    if (ecs__is_scope_id(first) || ecs__is_comparison_id(first) || ecs__is_from(term->oper))
        return true;
    if (term->flags_ & (EcsTermIsMember | ECS__TERM_IS_VALUE)) return true;
    if (is_var(&term->first) || is_var(&term->second)) return true;
    if ((term->src.id | term->first.id | term->second.id) & EcsIsName) return true;
    if (term->src.id & EcsIsVariable && !ecs_term_match_this(term)) return true;
    if (term->src.id & (EcsDown | EcsAll) || walks(&term->first) || walks(&term->second))
        return true;
    if (term->flags_ & (EcsTermTransitive | EcsTermReflexive)) return true;
    if (is_root_goal(term)) return true;
    bool is_told_by_table = ecs__term_presence(world, term) && !walks_beside(world, term);
    if (is_beside(world, term) && !is_told_by_table) return true;
    // Which of several ids are switched on differs from row to row.
    if (term->flags_ & EcsTermIsToggle && term->oper == EcsOptional &&
        ecs__id_is_wildcard(term->id))
        return true;
    return kinds & (KINDS_OF_FIRST | KINDS_OF_SECOND | IS_ORDERED | IS_BESIDE);
}

// A cache has a match for each combination of what the wildcards of the plan stand for.
#define STARS_MAX 4

// The plan would have too many matches, or, for a constant that holds in several ways, go through the results several times.
static bool has_star_of_goal(build_t *build, const ecs_term_t *term) {
    const uint32_t star = Ecs__Wildcard;
    bool has_star = ECS_TERM_REF_ID(&term->first) == star || ECS_TERM_REF_ID(&term->second) == star;
    if (!has_star || term->oper == EcsNot || ecs_term_match_0(term)) return false;
    return ecs_term_match_this(term) ? ++build->stars > STARS_MAX : build->is_ordered;
}

static int32_t close_of(const ecs_query_t *query, int32_t open) {
    int32_t depth = 0, i = open;
    for (;; i++) {
        ecs_entity_t first = ECS_TERM_REF_ID(&query->terms[i].first);
        depth += (first == Ecs__ScopeOpen) - (first == Ecs__ScopeClose);
        if (!depth) return i;
    }
}

static int32_t end_of_unit(const ecs_query_t *query, int32_t at) {
    return ECS_TERM_REF_ID(&query->terms[at].first) == Ecs__ScopeOpen ? close_of(query, at) : at;
}

// Alternatives are terms and scopes; the last term of each but the last has EcsOr.
static int32_t end_of_chain(const ecs_query_t *query, int32_t at) {
    int32_t end = end_of_unit(query, at);
    while (query->terms[end].oper == EcsOr && end + 1 < query->term_count)
        end = end_of_unit(query, end + 1);
    return end;
}

// What is searched for comes from no cache. The From operators are searches only here.
static void forbid_cache(ecs_term_t *term) {
    if (ecs__is_from(term->oper)) return;
    term->flags_ &= (ecs_flags16_t) ~(EcsTermIsTrivial | EcsTermIsCacheable);
}

static ecs_termset_t find_goals(build_t *build) {
    ecs_query_t *query = build->query;
    ecs_termset_t goals = 0;
    for (int32_t i = 0, end; i < query->term_count; i = end + 1) {
        end = end_of_chain(query, i);
        bool is_one = false;
        for (int32_t k = i; k <= end; k++) {
            ecs_term_t *term = &query->terms[k];
            const uint8_t kinds = build->kinds->terms[k];
            term->flags_ |= graph_flags(build->world, term, kinds);
            is_one |= is_goal(build->world, term, kinds) || has_star_of_goal(build, term);
        }
        for (int32_t k = i; k <= end && is_one; k++) {
            forbid_cache(&query->terms[k]);
            goals |= FIELD_BIT(k);
        }
    }
    if (goals) ecs__finalize_flags(query);
    return goals;
}

// ---- references ----

static int8_t add_var(build_t *build, char *name) {
    ecs__graph_t *graph = build->graph;
    if (graph->var_count == ECS__VARS_MAX) {
        build->has_too_many = true;
        ecs_os_free(name);
        return 0;
    }
    graph->names[graph->var_count] = name;
    return (int8_t)graph->var_count++;
}

static int8_t var_of(build_t *build, const char *name, size_t length) {
    if (length == 4 && (!strncmp(name, "this", 4) || !strncmp(name, "This", 4)))
        return ECS__VAR_THIS;
    const ecs__graph_t *graph = build->graph;
    for (int32_t i = 1; i < graph->var_count; i++) {
        const char *known = graph->names[i];
        if (known && strlen(known) == length && !strncmp(known, name, length)) return (int8_t)i;
    }
    char *copy = ecs_os_memdup(name, (ecs_size_t)length + 1);
    copy[length] = '\0';
    return add_var(build, copy);
}

static void set_set(ecs__ref_t *ref, const ecs_term_ref_t *from, const ecs_term_t *term) {
    ref->with_up = from->id & EcsUp;
    ref->with_down = from->id & EcsDown;
    ref->with_self = from->id & EcsSelf || !(ref->with_up || ref->with_down);
    if (!ref->with_up && !ref->with_down) return;
    ref->trav = term->trav;
    ref->min_depth = term->min_depth;
    ref->max_depth = term->max_depth;
}

static ecs__ref_t make_ref(build_t *build, const ecs_term_ref_t *from, const ecs_term_t *term) {
    ecs__ref_t ref = { .with_self = true };
    ecs_entity_t id = ECS_TERM_REF_ID(from);
    if (from->id & EcsIsName) {
        if (ecs__is_comparison_id(ECS_TERM_REF_ID(&term->first))) return ref;
        ref.kind = ECS__REF_ENTITY;
        ref.path = from->name;
    } else if (is_var(from)) {
        const char *name = from->name ? from->name : "this", *dot = strchr(name, '.');
        ref.kind = ECS__REF_VAR;
        ref.var = var_of(build, name, dot ? (size_t)(dot - name) : strlen(name));
        ref.path = dot ? dot + 1 : NULL;
    } else if (from->id & EcsIsVariable) {
        ref.kind = id == Ecs__Any ? ECS__REF_ANY : ECS__REF_STAR;
    } else if (id || from->id & EcsIsEntity) {
        ref.kind = id ? ECS__REF_ENTITY : ECS__REF_NONE;
        ref.entity = id;
    }
    set_set(&ref, from, term);
    return ref;
}

// A wildcard as source is a variable without name.
static ecs__ref_t make_source(build_t *build, const ecs_term_t *term) {
    ecs__ref_t ref = make_ref(build, &term->src, term);
    if (ref.kind == ECS__REF_STAR) {
        ref.kind = ECS__REF_VAR;
        ref.var = add_var(build, NULL);
    }
    return ref;
}

// ---- goals ----

static uint64_t lookup_bit(const ecs__ref_t *ref) { return ref->path ? ecs__ref_bit(ref) : 0; }
static uint64_t plain_bit(const ecs__ref_t *ref) { return ref->path ? 0 : ecs__ref_bit(ref); }

// What can be found are the entities around its value.
static uint64_t walked_bit(const ecs__ref_t *ref) { return ref->trav ? plain_bit(ref) : 0; }

static void add_kinds(ecs__ref_t *ref) {
    if (ref->trav) return;
    ref->with_down = true;
    ref->trav = Ecs__IsA;
}

static ecs__goal_kind_t kind_of(const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    if (first == Ecs__ScopeClose) return ECS__GOAL_NONE;
    if (first == Ecs__ScopeOpen) return ECS__GOAL_SCOPE;
    if (first == Ecs__PredEq) return ECS__GOAL_EQUAL;
    if (first == Ecs__PredMatch) return ECS__GOAL_MATCH;
    if (term->flags_ & EcsTermIsMember) return ECS__GOAL_MEMBER;
    return ecs__is_from(term->oper) ? ECS__GOAL_FROM : ECS__GOAL_ID;
}

static void make_id_goal(build_t *build, const ecs_term_t *term, uint8_t kinds, ecs__goal_t *goal) {
    goal->transitive = term->flags_ & EcsTermTransitive;
    goal->reflexive = term->flags_ & EcsTermReflexive;
    if (kinds & KINDS_OF_FIRST) add_kinds(&goal->first);
    if (goal->first.with_down && !(term->id & ECS__PAIR))
        goal->base = ecs_get_type_info(build->world, goal->first.entity);
    if (!goal->transitive && kinds & KINDS_OF_SECOND) add_kinds(&goal->second);
    uint64_t src = plain_bit(&goal->src),
             elements = plain_bit(&goal->first) | plain_bit(&goal->second);
    goal->sources = (src | elements) & ~(walked_bit(&goal->first) | walked_bit(&goal->second));
    goal->entities |= elements;
    goal->by_row = is_by_row(build, term);
    goal->is_beside = is_beside(build->world, term);
    goal->may_be_beside = goal->first.trav ? ecs__beside_kind(term->id) : may_be_beside(term);
    goal->is_ordered = kinds & IS_ORDERED;
    goal->is_root = is_root(term);
    build->graph->has_beside |= goal->is_beside;
    build->graph->has_ordered |= goal->is_ordered;
    if (term->src.id & EcsDown || goal->reflexive || goal->by_row || goal->is_beside)
        goal->entities |= src;
    // $this is looked for as a table: that cannot be compared with itself as element.
    if (src & elements & ECS__THIS_BIT || goal->src.kind == ECS__REF_ANY) {
        goal->sources &= ~ECS__THIS_BIT;
    }
}

// Rows differ, so the source is one entity.
static void make_member_goal(const build_t *build, ecs__goal_t *goal) {
    const ecs_world_t *world = ecs__world_of(build->world);
    ecs_ext_member_t member = { 0 };
    world->reflection->get_member(world, goal->first.entity, &member);
    goal->component = member.component;
    goal->offset = member.offset;
    uint64_t src = plain_bit(&goal->src), second = plain_bit(&goal->second);
    goal->entities |= src | second;
    goal->sources = goal->src.kind == ECS__REF_ANY ? second : src | second;
    if (src & second) goal->sources &= ~ECS__THIS_BIT;
}

// A table tells what its entities have and what is above them, unless that is kept beside it.
static void make_from_goal(build_t *build, const ecs_term_t *term, ecs__goal_t *goal) {
    goal->is_beside = walks_beside(build->world, term);
    goal->may_be_beside = UINT8_MAX; // lists have ids of all kinds
    goal->by_row = term->oper != EcsOrFrom && !(build->query->flags & EcsQueryTableOnly);
    if (goal->is_beside) goal->entities |= plain_bit(&goal->src);
}

// `(R, #0)`: that is known, and nobody has it, unlike what is left open. Roots are another matter.
static bool names_nobody(const ecs__goal_t *goal, const ecs_term_t *term) {
    bool is_pair = term->id & ECS__PAIR && !ECS_IS_VALUE_PAIR(term->id) && !is_root(term);
    bool is_asked = goal->kind == ECS__GOAL_ID || goal->kind == ECS__GOAL_MEMBER;
    return is_pair && is_asked && goal->second.kind == ECS__REF_NONE;
}

static void make_goal(build_t *build, int32_t at) {
    ecs__goal_t *goal = &build->graph->goals[at];
    const ecs_term_t *term = &build->query->terms[at];
    goal->term = term;
    goal->kind = (uint8_t)kind_of(term);
    goal->end = (int8_t)end_of_unit(build->query, at);
    if (goal->kind == ECS__GOAL_NONE || goal->kind == ECS__GOAL_SCOPE) return;
    goal->src = make_source(build, term);
    if (goal->kind == ECS__GOAL_ID || goal->kind == ECS__GOAL_MEMBER ||
        goal->kind == ECS__GOAL_FROM)
        goal->first = make_ref(build, &term->first, term);
    goal->second = make_ref(build, &term->second, term);
    if (names_nobody(goal, term)) goal->second.kind = ECS__REF_ENTITY;
    uint64_t src = ecs__ref_bit(&goal->src), second = ecs__ref_bit(&goal->second);
    goal->vars = src | ecs__ref_bit(&goal->first) | second;
    goal->entities = goal->lookups =
        lookup_bit(&goal->src) | lookup_bit(&goal->first) | lookup_bit(&goal->second);
    if (goal->kind == ECS__GOAL_ID) make_id_goal(build, term, build->kinds->terms[at], goal);
    if (goal->kind == ECS__GOAL_MEMBER) make_member_goal(build, goal);
    if (goal->kind == ECS__GOAL_FROM) make_from_goal(build, term, goal);
    if (goal->kind == ECS__GOAL_EQUAL || goal->kind == ECS__GOAL_MATCH)
        goal->entities |= src | second;
    if (goal->kind == ECS__GOAL_EQUAL && term->oper != EcsNot) {
        goal->sources = plain_bit(&goal->src) | plain_bit(&goal->second);
    }
}

// A scope mentions what its terms mention, but finds nothing for others.
static void sum_scopes(ecs__graph_t *graph) {
    for (int32_t i = graph->count - 1; i >= 0; i--) {
        ecs__goal_t *goal = &graph->goals[i];
        if (goal->kind != ECS__GOAL_SCOPE) continue;
        for (int32_t k = i + 1; k < goal->end; k++) {
            goal->vars |= graph->goals[k].vars;
            goal->entities |= graph->goals[k].entities & ECS__THIS_BIT;
            graph->goals[k].in_scope = true;
        }
    }
}

static void sum_terms(build_t *build) {
    ecs__graph_t *graph = build->graph;
    ecs_query_t *query = build->query;
    uint64_t vars = 0;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        ecs_termset_t bit = FIELD_BIT(term->field_index);
        vars |= graph->goals[i].vars;
        if (term->oper != EcsNot) graph->walked |= ecs__ref_bit(&graph->goals[i].src);
        if (graph->goal_terms & FIELD_BIT(i) || ecs_term_match_0(term)) continue;
        if (ecs_term_match_this(term))
            graph->plan_fields |= bit;
        else
            graph->fixed_fields |= bit;
        if (ecs_term_match_this(term)) vars |= ECS__THIS_BIT;
    }
    for (int32_t i = 0; i < query->term_count; i++) {
        if (graph->goals[i].kind != ECS__GOAL_NONE)
            graph->goals[i].chain = (int8_t)end_of_chain(query, i);
    }
    graph->walked &= ~ECS__THIS_BIT;
    if (vars & ECS__THIS_BIT) query->flags |= EcsQueryMatchThis;
}

static void hide(ecs__graph_t *graph) {
    for (int32_t v = 1; v < graph->var_count; v++)
        if (ecs__is_anonymous(graph->names[v])) graph->hidden |= ECS__VAR_BIT(v);
    for (int32_t i = 0; i < graph->count; i++) {
        const ecs__goal_t *goal = &graph->goals[i];
        if (!(goal->vars & graph->hidden)) continue;
        const ecs_termset_t bit = FIELD_BIT(goal->term->field_index);
        graph->hidden_fields |= bit;
        if (!ecs__goal_has_star(goal) && !(goal->term->flags_ & EcsTermIsOr))
            graph->hidden_ids |= bit;
    }
}

static bool is_plain_ref(const ecs__ref_t *ref) {
    return ref->with_self && !ref->with_up && !ref->with_down && !ref->trav && !ref->path;
}

static bool is_direct_source(const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    bool is_single = goal->src.kind == ECS__REF_VAR || goal->src.kind == ECS__REF_ENTITY;
    return is_single && !goal->src.path && !(term->src.id & (EcsDown | EcsCascade | EcsAll));
}

// No sets of ids.
static bool is_one_id(const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    if (goal->kind != ECS__GOAL_ID || goal->transitive || goal->reflexive || goal->base)
        return false;
    if (goal->by_row || goal->may_be_beside || goal->is_ordered) return false;
    if (term->flags_ & ECS__TERM_IS_VALUE) return false;
    if (term->id & ECS_ID_FLAGS_MASK & ~ECS__PAIR || ECS_IS_VALUE_PAIR(term->id)) return false;
    return goal->first.kind == ECS__REF_ENTITY && is_plain_ref(&goal->first);
}

// And nothing that single entities have.
static bool is_direct(const ecs__goal_t *goal) {
    if (!is_one_id(goal) || !is_direct_source(goal) || goal->is_beside) return false;
    if (!(goal->term->id & ECS__PAIR)) return true;
    bool is_single = goal->second.kind == ECS__REF_ENTITY || goal->second.kind == ECS__REF_VAR;
    bool is_loop = goal->src.kind == goal->second.kind && goal->src.kind == ECS__REF_VAR &&
                   goal->src.var == goal->second.var;
    return is_single && !is_loop && is_plain_ref(&goal->second);
}

static bool is_own_beside(const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    if (!is_one_id(goal) || !is_direct_source(goal)) return false;
    if (!(term->flags_ & EcsTermDontFragment)) return false;
    if (term->src.id & EcsUp && (term->trav != Ecs__IsA || term->min_depth)) return false;
    if (term->src.id & EcsUp && !(term->src.id & EcsSelf)) return false;
    return !(term->id & ECS__PAIR) || is_plain_ref(&goal->second);
}

// Of the nearest that is above, and not of the source.
static bool is_above(const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    if (!is_one_id(goal) || !(term->src.id & EcsUp)) return false;
    if (term->src.id & (EcsSelf | EcsDown | EcsAll)) return false;
    if (term->trav == Ecs__IsA || term->min_depth > 1) return false;
    return !(term->id & ECS__PAIR) || is_plain_ref(&goal->second);
}

// Which may be told by its table, or by a component.
static bool is_parent(const ecs__goal_t *goal) {
    if (!is_one_id(goal) || !is_direct_source(goal) || !goal->is_beside || goal->is_root)
        return false;
    return goal->first.entity == Ecs__ChildOf && !(goal->term->src.id & EcsUp) &&
           is_plain_ref(&goal->second);
}

static void set_direct(ecs__goal_t *goal) {
    const bool is_above_somewhere = is_above(goal),
               is_beside = is_above_somewhere && goal->term->flags_ & EcsTermDontFragment,
               is_open = goal->second.kind != ECS__REF_ENTITY && goal->second.kind != ECS__REF_NONE;
    goal->is_own_beside = is_own_beside(goal);
    goal->is_above = is_above_somewhere && !is_beside && !is_open;
    goal->is_above_beside = is_above_somewhere && is_beside;
    goal->is_parent = is_parent(goal);
    goal->is_direct = is_direct(goal);
    if (!goal->is_direct) return;
    bool is_var = goal->second.kind == ECS__REF_VAR;
    uint32_t first = (uint32_t)goal->first.entity,
             second = is_var ? Ecs__Wildcard : (uint32_t)goal->second.entity;
    goal->id = goal->term->id & ECS__PAIR ? ECS__MAKE_PAIR(first, second) : goal->term->id;
}

// The table of $this has the id, or inherits it, or else the goal does not hold.
static bool is_about_table(const ecs__goal_t *goal) {
    const ecs_term_t *term = goal->term;
    if (goal->kind != ECS__GOAL_ID || goal->in_scope || !ecs_term_match_this(term)) return false;
    if (term->oper != EcsAnd || term->flags_ & EcsTermIsOr) return false;
    if (goal->transitive || goal->reflexive || goal->is_beside || goal->may_be_beside) return false;
    return !(term->src.id & (EcsDown | EcsAll)) && goal->first.kind == ECS__REF_ENTITY &&
           is_plain_ref(&goal->first) && is_plain_ref(&goal->second);
}

bool ecs__graph_new(const ecs_world_t *world, ecs_query_t *query, const ecs__kinds_t *kinds,
    bool is_ordered, ecs__graph_t **out) {
    build_t build = { .world = world, .query = query, .kinds = kinds, .is_ordered = is_ordered };
    *out = NULL;
    const ecs_termset_t goals = find_goals(&build);
    if (!goals) return true;
    ecs__graph_t *graph = *out = build.graph = ecs_os_calloc_t(ecs__graph_t);
    graph->goal_terms = goals;
    graph->number = ++query->real_world->queries.graphs;
    graph->count = query->term_count;
    graph->goals = ecs_os_calloc_n(ecs__goal_t, graph->count);
    graph->var_count = 1;
    graph->names[0] = ecs_os_strdup("this");
    for (int32_t i = 0; i < graph->count; i++) {
        if (goals & FIELD_BIT(i)) make_goal(&build, i);
    }
    for (int32_t i = 0; i < graph->count; i++) set_direct(&graph->goals[i]);
    sum_scopes(graph);
    sum_terms(&build);
    hide(graph);
    for (int32_t i = 0; i < graph->count; i++)
        if (is_about_table(&graph->goals[i])) graph->table_goals |= FIELD_BIT(i);
    if (build.has_too_many)
        ecs_err_code(ECS_INVALID_PARAMETER, "a query has at most %d variables", ECS__VARS_MAX);
    if (build.has_too_many || !ecs__graph_check_compared(world, graph)) {
        ecs__graph_free(graph);
        *out = NULL;
        return false;
    }
    query->var_count = (int8_t)graph->var_count;
    query->vars = graph->names;
    return true;
}

void ecs__graph_free(ecs__graph_t *graph) {
    if (!graph) return;
    for (int32_t i = 0; i < graph->var_count; i++) ecs_os_free(graph->names[i]);
    ecs_os_free(graph->goals);
    ecs_os_free(graph);
}

void ecs__graph_str(const ecs__graph_t *graph, const ecs__tally_t *tallies,
    const ecs_world_t *world, ecs_strbuf_t *out) {
    for (int32_t i = 0; i < graph->count; i++) {
        const ecs__goal_t *goal = &graph->goals[i];
        if (goal->kind == ECS__GOAL_NONE) continue;
        char *text = ecs_term_str(world, goal->term);
        bool is_scope = goal->kind == ECS__GOAL_SCOPE;
        ecs_strbuf_append(out, "    goal      %s", is_scope ? "scope" : text);
        if (is_scope) ecs_strbuf_append(out, " of %d terms", goal->end - i - 1);
        ecs_strbuf_append(out, "  field %d", goal->term->field_index);
        if (tallies) ecs__tally_str(&tallies[i], out);
        ecs_strbuf_appendch(out, '\n');
        ecs_os_free(text);
    }
}
