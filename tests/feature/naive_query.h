// SPDX-License-Identifier: MIT
// naive_query: a second opinion on results. Tries each of some entities for $this and for each variable, and asks for each term what
// one entity owns, along the relationships that the term names. Knows nothing of tables, plans or caches.
#ifndef TEST_NAIVE_QUERY_H
#define TEST_NAIVE_QUERY_H

#include "graph_scene.h"

enum { NAIVE_VARS = 5, NAIVE_IDS = 64 };

typedef struct naive_ids_t {
    ecs_id_t array[NAIVE_IDS];
    int count;
} naive_ids_t;

typedef struct naive_t {
    const ecs_query_t *query;
    const ecs_entity_t *entities;
    int count;
    char vars[NAIVE_VARS][16]; /* [0] is $this */
    int var_count;
    unsigned bound; /* variables that results have */
    ecs_entity_t values[NAIVE_VARS];
} naive_t;

// ---- references ----

static inline bool naive_is_var(const ecs_term_ref_t *ref) {
    return ref->id & EcsIsVariable && (ref->name || ECS_TERM_REF_ID(ref) == EcsThis);
}

// The variable in front of a path.
static inline int naive_var(naive_t *naive, const ecs_term_ref_t *ref) {
    const char *name = ref->name ? ref->name : "this", *dot = strchr(name, '.');
    const size_t length = dot ? (size_t)(dot - name) : strlen(name);
    for (int v = 0; v < naive->var_count; v++) {
        if (!strncmp(naive->vars[v], name, length) && !naive->vars[v][length]) return v;
    }
    assert_true(naive->var_count < NAIVE_VARS && length < sizeof(naive->vars[0]));
    snprintf(naive->vars[naive->var_count], sizeof(naive->vars[0]), "%.*s", (int)length, name);
    return naive->var_count++;
}

static inline ecs_entity_t naive_entity(naive_t *naive, const ecs_term_ref_t *ref) {
    if (!naive_is_var(ref)) return ECS_TERM_REF_ID(ref);
    const ecs_entity_t value = naive->values[naive_var(naive, ref)];
    const char *dot = ref->name ? strchr(ref->name, '.') : NULL;
    return dot ? ecs_lookup_child(naive->query->real_world, value, dot + 1) : value;
}

static inline unsigned naive_vars(naive_t *naive, const ecs_term_t *term) {
    const ecs_term_ref_t *refs[] = { &term->src, &term->first, &term->second };
    unsigned vars = 0;
    for (int i = 0; i < 3; i++) {
        if (naive_is_var(refs[i])) vars |= 1u << naive_var(naive, refs[i]);
    }
    return vars;
}

// ---- one term ----

static inline ecs_id_t naive_id(naive_t *naive, const ecs_term_t *term) {
    ecs_entity_t first = naive_entity(naive, &term->first);
    if (!(term->id & ECS_PAIR)) return first;
    return ecs_pair(first, naive_entity(naive, &term->second));
}

static inline bool naive_is_passed_on(const ecs_world_t *world, ecs_id_t id) {
    ecs_entity_t first = ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id;
    return first != EcsWildcard && first != EcsAny && first != EcsChildOf && first != EcsIsA &&
           !ecs_has_pair(world, ecs_get_alive(world, first), EcsOnInstantiate, EcsDontInherit);
}

// Its own: a tree is not inherited.
static inline ecs_entity_t naive_target(
    const ecs_world_t *world, ecs_entity_t e, ecs_entity_t rel, int n) {
    bool is_beside = ecs_has_id(world, rel, EcsUnion) || ecs_has_id(world, rel, EcsDontFragment);
    if (is_beside || rel == EcsChildOf) return ecs_get_target(world, e, rel, n);
    const ecs_type_t *type = ecs_get_type(world, e);
    for (int i = 0; type && i < type->count; i++) {
        if (ECS_HAS_RELATION(type->array[i], rel) && !n--)
            return ecs_pair_second(world, type->array[i]);
    }
    return 0;
}

// Depths of the term (0 = no limit) count in its own relationship.
static inline ecs_entity_t naive_above(const ecs_world_t *world, ecs_entity_t e, ecs_id_t id,
    ecs_entity_t trav, const ecs_term_t *term, int depth) {
    ecs_entity_t target;
    if (term && term->max_depth && depth > term->max_depth) return 0;
    for (int n = 0; (target = naive_target(world, e, trav, n)); n++) {
        bool is_asked = !term || depth >= term->min_depth;
        if (is_asked && ecs_owns_id(world, target, id)) return target;
        ecs_entity_t found = 0;
        if (is_asked && trav != EcsIsA && naive_is_passed_on(world, id))
            found = naive_above(world, target, id, EcsIsA, NULL, 0);
        if (!found) found = naive_above(world, target, id, trav, term, depth + 1);
        if (found) return found;
    }
    return 0;
}

static inline bool naive_compare(naive_t *naive, const ecs_term_t *term) {
    ecs_entity_t left = naive_entity(naive, &term->src);
    const char *name = ecs_get_name(naive->query->real_world, left), *text = term->second.name;
    if (ECS_TERM_REF_ID(&term->first) == EcsPredMatch)
        return *text == '!' ? !name || !strstr(name, text + 1) : name && strstr(name, text);
    if (term->second.id & EcsIsName) return name && !strcmp(name, text);
    return left == naive_entity(naive, &term->second);
}

// Who has the id for an entity: it itself, or who is above it as the term says.
static inline ecs_entity_t naive_holder(
    const ecs_world_t *world, const ecs_term_t *term, ecs_entity_t e, ecs_id_t id) {
    if (term->src.id & EcsSelf && ecs_owns_id(world, e, id)) return e;
    bool goes_up = term->src.id & EcsUp && (term->trav != EcsIsA || naive_is_passed_on(world, id));
    return goes_up ? naive_above(world, e, id, term->trav, term, 1) : 0;
}

static inline bool naive_is_beside(const ecs_world_t *world, ecs_entity_t id) {
    return ecs_has_id(world, id, EcsUnion) || ecs_has_id(world, id, EcsDontFragment);
}

// All that a list has, in its type and beside its table.
static inline naive_ids_t naive_list(const ecs_world_t *world, ecs_entity_t list) {
    const ecs_type_t *type = ecs_get_type(world, list);
    const ecs_entities_t all = ecs_get_entities(world);
    naive_ids_t ids = { 0 };
    for (int i = 0; i < type->count; i++) {
        const ecs_id_t id = type->array[i];
        bool is_presence = !(id & ECS_ID_FLAGS_MASK) && naive_is_beside(world, id);
        if (!is_presence) ids.array[ids.count++] = id;
    }
    for (int i = 0; i < all.alive_count; i++) {
        const ecs_entity_t e = all.ids[i];
        ecs_entity_t target;
        if (!naive_is_beside(world, e)) continue;
        if (!ecs_has_id(world, e, EcsUnion) && ecs_owns_id(world, list, e))
            ids.array[ids.count++] = e;
        for (int n = 0; (target = ecs_get_target(world, list, e, n)); n++) {
            if (ecs_owns_id(world, list, ecs_pair(e, target)))
                ids.array[ids.count++] = ecs_pair(e, target);
        }
    }
    assert_true(ids.count <= NAIVE_IDS);
    return ids;
}

// Alternatives count whether they are switched on or off.
static inline bool naive_counts(
    const ecs_world_t *world, const ecs_term_t *term, ecs_entity_t holder, ecs_id_t id) {
    const ecs_entity_t first = ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id;
    bool can_be_off = term->oper != EcsOrFrom && ecs_has_id(world, first, EcsCanToggle);
    return holder && (!can_be_off || ecs_is_enabled_id(world, holder, id));
}

static inline bool naive_from(naive_t *naive, const ecs_term_t *term) {
    const ecs_world_t *world = naive->query->real_world;
    const ecs_entity_t src = naive_entity(naive, &term->src);
    const naive_ids_t list = naive_list(world, ECS_TERM_REF_ID(&term->first));
    int wanted = 0, held = 0;
    for (int i = 0; i < list.count; i++) {
        bool is_marked = list.array[i] & (ECS_TOGGLE | ECS_AUTO_OVERRIDE);
        if (is_marked || !naive_is_passed_on(world, list.array[i])) continue;
        wanted++;
        const ecs_entity_t holder = naive_holder(world, term, src, list.array[i]);
        held += naive_counts(world, term, holder, list.array[i]);
    }
    return term->oper == EcsAndFrom ? held == wanted : (held > 0) == (term->oper == EcsOrFrom);
}

// Along own pairs, in any number of steps.
static inline bool naive_reaches(
    naive_t *naive, ecs_entity_t from, ecs_entity_t rel, ecs_entity_t to, int steps) {
    const ecs_world_t *world = naive->query->real_world;
    if (ecs_owns_id(world, from, ecs_pair(rel, to))) return true;
    for (int i = 0; steps && i < naive->count; i++) {
        if (ecs_owns_id(world, from, ecs_pair(rel, naive->entities[i])) &&
            naive_reaches(naive, naive->entities[i], rel, to, steps - 1))
            return true;
    }
    return false;
}

// The first of these pairs may be inherited; depth 0 is the source itself.
static inline bool naive_is_placed(
    naive_t *naive, const ecs_term_t *term, ecs_entity_t from, int depth) {
    const ecs_world_t *world = naive->query->real_world;
    ecs_entity_t rel = ECS_TERM_REF_ID(&term->first), to = naive_entity(naive, &term->second), base;
    bool is_asked = depth || term->src.id & EcsSelf;
    if (is_asked && naive_reaches(naive, from, rel, to, naive->count)) return true;
    bool inherits = term->src.id & EcsUp && naive_is_passed_on(world, ecs_pair(rel, to));
    for (int n = 0; inherits && (base = naive_target(world, from, EcsIsA, n)); n++) {
        if (naive_is_placed(naive, term, base, depth + 1)) return true;
    }
    return false;
}

static inline bool naive_is_below(naive_t *naive, const ecs_term_t *term, ecs_entity_t source) {
    const ecs_world_t *world = naive->query->real_world;
    for (int i = 0; i < naive->count; i++) {
        ecs_entity_t e = naive->entities[i];
        if (!ecs_owns_id(world, e, naive_id(naive, term))) continue;
        for (int depth = 1; (e = naive_target(world, e, term->trav, 0)); depth++) {
            bool is_deep = term->max_depth && depth > term->max_depth;
            if (e == source && depth >= term->min_depth && !is_deep) return true;
        }
    }
    return false;
}

static inline bool naive_in_graph(
    const ecs_world_t *world, const ecs_term_t *term, ecs_id_t trait) {
    bool is_known = term->first.id & EcsIsEntity && term->id & ECS_PAIR;
    bool is_star = term->second.id & EcsIsVariable && !naive_is_var(&term->second);
    bool goes_elsewhere = term->src.id & (EcsUp | EcsDown) && term->trav != EcsIsA;
    return is_known && !(term->second.id & EcsTraverseFlags) && !is_star && !goes_elsewhere &&
           ecs_has_id(world, ECS_TERM_REF_ID(&term->first), trait);
}

// ---- what an element of an id stands for ----

enum { NAIVE_SET = 64 };

typedef struct naive_set_t {
    ecs_entity_t array[NAIVE_SET];
    int count;
} naive_set_t;

static inline bool naive_insert(naive_set_t *set, ecs_entity_t e) {
    for (int i = 0; i < set->count; i++) {
        if (set->array[i] == e) return false;
    }
    assert_true(set->count < NAIVE_SET);
    set->array[set->count++] = e;
    return true;
}

static inline void naive_insert_below(
    const ecs_world_t *world, naive_set_t *set, ecs_entity_t e, ecs_entity_t rel) {
    ecs_iter_t it = ecs_each_id(world, ecs_pair(rel, e));
    while (ecs_each_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            if (naive_insert(set, it.entities[i]))
                naive_insert_below(world, set, it.entities[i], rel);
        }
    }
}

static inline void naive_insert_above(
    const ecs_world_t *world, naive_set_t *set, ecs_entity_t e, const ecs_term_t *term, int depth) {
    ecs_entity_t target;
    if (term->max_depth && depth > term->max_depth) return;
    for (int n = 0; (target = naive_target(world, e, term->trav, n)); n++) {
        if (depth >= term->min_depth) naive_insert(set, target);
        naive_insert_above(world, set, target, term, depth + 1);
    }
}

static inline bool naive_has_kinds(const ecs_world_t *world, const ecs_term_ref_t *ref) {
    ecs_entity_t e = ECS_TERM_REF_ID(ref);
    return ref->id & EcsIsEntity && e && !(ref->id & EcsTraverseFlags) &&
           ecs_id_in_use(world, ecs_pair(EcsIsA, e));
}

static inline bool naive_is_builtin(const ecs_term_ref_t *ref) {
    return ref->id & EcsIsEntity && ECS_TERM_REF_ID(ref) < EcsFirstUserEntityId;
}

static inline naive_set_t naive_set(
    naive_t *naive, const ecs_term_t *term, const ecs_term_ref_t *ref) {
    const ecs_world_t *world = naive->query->real_world;
    const ecs_entity_t e = naive_entity(naive, ref);
    naive_set_t set = { 0 };
    bool goes_up = ref->id & EcsUp;
    if (!goes_up || ref->id & EcsSelf) naive_insert(&set, e);
    if (goes_up) naive_insert_above(world, &set, e, term, 1);
    /* A wildcard as relationship, or one of ours, means the very target. */
    bool is_target = ref == &term->second;
    bool is_named =
        is_target && (naive_is_builtin(&term->first) || !(term->first.id & EcsIsEntity));
    if (!is_named && naive_has_kinds(world, ref)) naive_insert_below(world, &set, e, EcsIsA);
    return set;
}

// ---- one term with one source ----

static inline bool naive_has_id(
    naive_t *naive, const ecs_term_t *term, ecs_entity_t source, ecs_id_t id) {
    const ecs_world_t *world = naive->query->real_world;
    const ecs_entity_t found = naive_holder(world, term, source, id);
    bool can_be_off =
        term->flags_ & EcsTermIsToggle && !(term->flags_ & EcsTermIsOr) && !(id & ECS_TOGGLE);
    if (!found && term->src.id & EcsDown) return naive_is_below(naive, term, source);
    return found && (!can_be_off || ecs_is_enabled_id(world, found, id));
}

static inline bool naive_has_any(naive_t *naive, const ecs_term_t *term, ecs_entity_t source) {
    if (term->id & ECS_TOGGLE || ECS_IS_VALUE_PAIR(term->id))
        return naive_has_id(naive, term, source, term->id);
    const naive_set_t firsts = naive_set(naive, term, &term->first);
    const bool is_pair = term->id & ECS_PAIR;
    const naive_set_t seconds =
        is_pair ? naive_set(naive, term, &term->second) : (naive_set_t){ { 0 }, 1 };
    for (int i = 0; i < firsts.count * seconds.count; i++) {
        ecs_entity_t first = firsts.array[i / seconds.count],
                     second = seconds.array[i % seconds.count];
        if (!first || (is_pair && !second)) continue;
        if (naive_has_id(naive, term, source, is_pair ? ecs_pair(first, second) : first))
            return true;
    }
    return false;
}

static inline bool naive_has_member(naive_t *naive, const ecs_term_t *term, ecs_entity_t source) {
    const ecs_world_t *world = naive->query->real_world;
    const ecs_entity_t member = ECS_TERM_REF_ID(&term->first),
                       second = naive_entity(naive, &term->second);
    const ecs_entity_t component = ecs_get_parent(world, member);
    const ecs_entity_t holder = naive_holder(world, term, source, component);
    if (!holder) return false;
    const ecs_member_t *what = ecs_struct_get_member(
        (ecs_world_t *)(uintptr_t)world, component, ecs_get_name(world, member));
    const ecs_entity_t value =
        *(const ecs_entity_t *)ECS_OFFSET(ecs_get_id(world, holder, component), what->offset);
    bool is_open = second == EcsWildcard || second == EcsAny;
    return value && ecs_is_alive(world, value) && (is_open || value == second);
}

static inline bool naive_term_of(naive_t *naive, const ecs_term_t *term, ecs_entity_t source) {
    const ecs_world_t *world = naive->query->real_world;
    if (!source) return false;
    if (term->flags_ & EcsTermIsMember) return naive_has_member(naive, term, source);
    bool is_itself = term->src.id & EcsSelf && naive_in_graph(world, term, EcsReflexive);
    if (is_itself && source == naive_entity(naive, &term->second)) return true;
    if (naive_in_graph(world, term, EcsTransitive)) return naive_is_placed(naive, term, source, 0);
    if (term->id == ecs_pair(EcsChildOf, 0)) return !ecs_get_parent(world, source);
    return naive_has_any(naive, term, source);
}

// A wildcard as source is everyone.
static inline bool naive_has_someone(naive_t *naive, const ecs_term_t *term) {
    const ecs_world_t *world = naive->query->real_world;
    const ecs_entities_t all = ecs_get_entities(world);
    for (int i = 0; i < all.alive_count; i++) {
        if (ecs_owns_id(world, all.ids[i], EcsNotQueryable)) continue;
        if (naive_term_of(naive, term, all.ids[i])) return true;
    }
    return false;
}

static inline bool naive_term(naive_t *naive, const ecs_term_t *term) {
    const ecs_entity_t first = ECS_TERM_REF_ID(&term->first), src = ECS_TERM_REF_ID(&term->src);
    if (first == EcsPredEq || first == EcsPredMatch) return naive_compare(naive, term);
    if (term->oper > EcsOptional) return naive_from(naive, term);
    bool is_someone = term->src.id & EcsIsVariable && (src == EcsWildcard || src == EcsAny);
    return is_someone ? naive_has_someone(naive, term)
                      : naive_term_of(naive, term, naive_entity(naive, &term->src));
}

// ---- terms together ----

static inline bool naive_holds(naive_t *naive, int begin, int end, unsigned bound);

static inline bool naive_exists(naive_t *naive, int begin, int end, unsigned bound, unsigned open) {
    if (!open) return naive_holds(naive, begin, end, bound);
    int var = __builtin_ctz(open);
    for (int i = 0; i < naive->count; i++) {
        naive->values[var] = naive->entities[i];
        if (naive_exists(naive, begin, end, bound | 1u << var, open & (open - 1))) return true;
    }
    return false;
}

static inline bool naive_is(const ecs_term_t *term, ecs_entity_t first) {
    return ECS_TERM_REF_ID(&term->first) == first;
}

static inline int naive_close(const naive_t *naive, int open) {
    int depth = 0;
    for (int i = open;; i++) {
        const ecs_term_t *term = &naive->query->terms[i];
        depth += naive_is(term, EcsScopeOpen) - naive_is(term, EcsScopeClose);
        if (!depth) return i;
    }
}

static inline unsigned naive_vars_of(naive_t *naive, int begin, int end) {
    unsigned vars = 0;
    for (int i = begin; i < end; i++) vars |= naive_vars(naive, &naive->query->terms[i]);
    return vars;
}

// Variables that terms of a scope bind, those of scopes within it aside.
static inline unsigned naive_bound_in(naive_t *naive, int begin, int end) {
    unsigned vars = 0;
    for (int i = begin; i < end; i++) {
        const ecs_term_t *term = &naive->query->terms[i];
        if (naive_is(term, EcsScopeOpen))
            i = naive_close(naive, i);
        else if (term->oper == EcsAnd || term->oper == EcsOr)
            vars |= naive_vars(naive, term);
    }
    return vars;
}

// A term or scope; *next becomes the position behind it. Its free variables may have any value.
static inline bool naive_unit(naive_t *naive, int at, unsigned bound, int *next) {
    const ecs_term_t *term = &naive->query->terms[at];
    bool is_scope = naive_is(term, EcsScopeOpen), found;
    int end = is_scope ? naive_close(naive, at) : at;
    *next = end + 1;
    unsigned open = naive_vars_of(naive, at, end + 1) & ~bound;
    if (is_scope) {
        found =
            naive_exists(naive, at + 1, end, bound, naive_bound_in(naive, at + 1, end) & ~bound);
    } else if (open) {
        int var = __builtin_ctz(open), ignored;
        found = false;
        for (int i = 0; i < naive->count && !found; i++) {
            naive->values[var] = naive->entities[i];
            found = naive_unit(naive, at, bound | 1u << var, &ignored) != (term->oper == EcsNot);
        }
    } else {
        found = naive_term(naive, term);
    }
    return term->oper == EcsNot ? !found : found || term->oper == EcsOptional;
}

static inline bool naive_holds(naive_t *naive, int begin, int end, unsigned bound) {
    for (int i = begin; i < end;) {
        bool in_chain = true, found = false;
        while (in_chain) {
            int next;
            bool holds = naive_unit(naive, i, bound, &next);
            in_chain = naive->query->terms[next - 1].oper == EcsOr;
            found |= holds;
            i = next;
        }
        if (!found) return false;
    }
    return true;
}

// ---- what it does not know ----

static inline bool naive_knows_term(const ecs_world_t *world, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first), src = ECS_TERM_REF_ID(&term->src);
    if (first == EcsScopeOpen || first == EcsScopeClose) return true;
    if (ECS_IS_VALUE_PAIR(term->id) && ECS_PAIR_SECOND(term->id) == EcsWildcard) return false;
    bool is_comparison = first == EcsPredEq || first == EcsPredMatch;
    bool is_from = term->oper > EcsOptional;
    if (is_from && ecs_owns_id(world, first, ecs_pair(EcsIsA, EcsWildcard))) return false;
    if (is_comparison || is_from)
        return term->src.id & EcsIsVariable && src != EcsAny && src != EcsWildcard;
    if (term->src.id & EcsDown && term->flags_ & EcsTermIsToggle) return false;
    if (term->first.id & (EcsUp | EcsDown) || term->second.id & EcsDown) return false;
    if (term->src.id & EcsAll && term->flags_ & EcsTermIsToggle) return false;
    bool has_kinds = naive_has_kinds(world, &term->first) || naive_has_kinds(world, &term->second);
    if (term->src.id & EcsDown && (has_kinds || term->second.id & EcsUp)) return false;
    if (has_kinds && naive_in_graph(world, term, EcsReflexive)) return false;
    return !ecs_term_match_0(term);
}

static inline bool naive_looks_up(const ecs_term_t *term) {
    const ecs_term_ref_t *refs[] = { &term->src, &term->first, &term->second };
    bool found = false;
    for (int i = 0; i < 3; i++) found |= refs[i]->name && strchr(refs[i]->name, '.');
    return found;
}

// A reflexive relationship holds for others than the entities that are tried, too.
static inline bool naive_is_everyone(naive_t *naive, const ecs_term_t *term) {
    return naive_in_graph(naive->query->real_world, term, EcsReflexive) &&
           naive_vars(naive, term) & ~1u;
}

// Variables of Optional and Or terms, and those below which a name is looked up (unless nobody's may have the id), must be bound by
// terms about $this that have to hold: others depend on them.
static inline bool naive_knows(naive_t *naive) {
    int depth = 0;
    unsigned maybe = 0, certain = 0;
    naive_var(naive, &(ecs_term_ref_t){ .id = EcsThis | EcsIsVariable });
    for (int i = 0; i < naive->query->term_count; i++) {
        const ecs_term_t *term = &naive->query->terms[i];
        if (!naive_knows_term(naive->query->real_world, term)) return false;
        depth += naive_is(term, EcsScopeOpen) - naive_is(term, EcsScopeClose);
        if (depth && naive_is_everyone(naive, term)) return false;
        bool in_chain = term->oper == EcsOr || (i && term[-1].oper == EcsOr);
        if (naive_looks_up(term) && term->oper != EcsNot) maybe |= naive_vars(naive, term) & ~1u;
        if (depth || naive_is(term, EcsScopeClose) || term->oper == EcsNot) continue;
        unsigned vars = naive_vars(naive, term);
        if (in_chain || term->oper == EcsOptional)
            maybe |= vars & ~1u;
        else
            naive->bound |= vars;
        if (!in_chain && term->oper == EcsAnd && vars & 1u) certain |= vars;
        if (in_chain) naive->bound |= vars & 1u;
    }
    return !(maybe & ~certain);
}

// ---- results ----

static inline void naive_add(naive_t *naive, lines_t *lines) {
    const ecs_world_t *world = naive->query->real_world;
    assert_true(lines->count < LINES);
    char *line = lines->array[lines->count++];
    int length =
        snprintf(line, LINE, "%s", naive->bound & 1 ? short_name(world, naive->values[0]) : ".");
    for (int v = 1; v < naive->query->var_count; v++) {
        const char *name = ecs_query_var_name(naive->query, v);
        ecs_entity_t value = 0;
        for (int k = 1; name && k < naive->var_count; k++) {
            if (!strcmp(naive->vars[k], name) && naive->bound >> k & 1) value = naive->values[k];
        }
        if (!name) continue;
        length += snprintf(
            line + length, (size_t)(LINE - length), " %s=%s", name, short_name(world, value));
    }
}

// $this is no prefab, and not disabled, unless the query mentions that.
static inline bool naive_is_skipped(const naive_t *naive) {
    const ecs_world_t *world = naive->query->real_world;
    ecs_flags32_t flags = naive->query->flags;
    return (!(flags & EcsQueryMatchPrefab) && ecs_owns_id(world, naive->values[0], EcsPrefab)) ||
           (!(flags & EcsQueryMatchDisabled) && ecs_owns_id(world, naive->values[0], EcsDisabled));
}

static inline void naive_try(naive_t *naive, unsigned open, lines_t *lines) {
    if (!open) {
        if (naive_holds(naive, 0, naive->query->term_count, naive->bound)) naive_add(naive, lines);
        return;
    }
    int var = __builtin_ctz(open);
    for (int i = 0; i < naive->count; i++) {
        naive->values[var] = naive->entities[i];
        if (!var && naive_is_skipped(naive)) continue;
        naive_try(naive, open & (open - 1), lines);
    }
}

/** Sort lines, and keep each once. */
static inline void keep_unique(lines_t *lines) {
    qsort(lines->array, (size_t)lines->count, LINE, compare_lines);
    int kept = 0;
    for (int i = 0; i < lines->count; i++) {
        if (!kept || strcmp(lines->array[kept - 1], lines->array[i]))
            memmove(lines->array[kept++], lines->array[i], LINE);
    }
    lines->count = kept;
}

static inline char *unique_lines(lines_t *lines) {
    keep_unique(lines);
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    for (int i = 0; i < lines->count; i++)
        ecs_strbuf_append(&out, "%s%s", i ? " | " : "", lines->array[i]);
    char *text = ecs_strbuf_get(&out);
    return text ? text : ecs_os_strdup("");
}

/** Results with these entities as values, each line once; NULL if the query says what this does not know. The caller frees it. */
static inline char *naive_results(
    const ecs_query_t *query, const ecs_entity_t *entities, int count) {
    static lines_t lines;
    naive_t naive = { .query = query, .entities = entities, .count = count };
    lines.count = 0;
    if (!naive_knows(&naive)) return NULL;
    naive_try(&naive, naive.bound, &lines);
    return unique_lines(&lines);
}

#endif
