// SPDX-License-Identifier: MIT
// load_expr: text as data. "Position(Bob), (Likes, Apples)(Bob)" gives Bob ids.
//
//   read     text to terms
//   resolve  names to ids, except those of entities that the text is to make; rules of single facts
//   make     the entities
//   add      the ids; what was done is undone if a fact is refused because of another one
//
// Nothing changes before the text is known to be good, apart from facts that contradict each other.
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/name.h>

#include "base/hash.h"
#include "name/lookup.h"
#include "query/check/finalize.h"
#include "query/check/resolve.h"
#include "world/path.h"
#include "world/state.h"
#include "world/write.h"

typedef struct fact_t {
    ecs_entity_t entity;
    ecs_id_t id;
    ecs_vec_t before; /* ecs_id_t: what the entity had */
} fact_t;

typedef struct load_t {
    ecs_world_t *world;
    ecs__terms_t terms;
    ecs__checker_t checker;
    ecs_map_t names; /* hash of a name -> first term that gives an entity to make something */
    ecs_vec_t made;  /* ecs_entity_t, parents first */
    ecs_vec_t added; /* fact_t */
} load_t;

static ecs_term_t *term_at(const load_t *load, int32_t index) { return &load->terms.array[index]; }

static bool fail(const load_t *load, int32_t term, const char *word, const char *sentence) {
    return ecs__check_fail(&load->checker, term, word, "%s", sentence);
}

// ---- resolve ----

static bool is_plain_name(const ecs_term_ref_t *ref) {
    return ref->name && !(ref->id & (EcsIsVariable | EcsIsName)) && !strchr("#$@", ref->name[0]);
}

// True if the name is one of an entity that the text makes.
static bool is_to_be_made(const load_t *load, const ecs_term_ref_t *ref) {
    if (!is_plain_name(ref)) return false;
    uint64_t hash = ecs__hash_bytes(ref->name, strlen(ref->name), 0);
    const ecs_map_val_t *first = ecs_map_get(&load->names, hash);
    return first && !strcmp(ref->name, term_at(load, (int32_t)*first)->src.name);
}

static void list_names(load_t *load) {
    for (int32_t i = 0; i < load->terms.count; i++) {
        const ecs_term_ref_t *src = &term_at(load, i)->src;
        if (!is_plain_name(src) || ecs__resolve_name(load->world, src->name)) continue;
        uint64_t hash = ecs__hash_bytes(src->name, strlen(src->name), 0);
        if (!ecs_map_get(&load->names, hash)) ecs_map_insert(&load->names, hash, (ecs_map_val_t)i);
    }
}

static bool check_shape(const load_t *load, int32_t index) {
    const ecs_term_t *term = term_at(load, index);
    uint64_t flags = (term->src.id | term->first.id | term->second.id) & EcsTraverseFlags;
    if (term->oper != EcsAnd || term->inout != EcsInOutDefault || flags)
        return fail(load, index, NULL, "a fact has no operator, access or traversal");
    if (!term->src.name)
        return fail(load, index, NULL, "a fact is about an entity: write Id(Entity)");
    return true;
}

static bool resolve_ref(const load_t *load, int32_t index, ecs_term_ref_t *ref) {
    if (is_to_be_made(load, ref)) return true;
    if (!ecs__resolve_ref(&load->checker, index, ref)) return false;
    ecs_entity_t id = ECS_TERM_REF_ID(ref);
    bool is_source = ref == &term_at(load, index)->src && ref->id & EcsIsEntity;
    if (ref->id & EcsIsVariable)
        return fail(load, index, ref->name, "a fact has no variables and wildcards");
    if (is_source && ecs__is_builtin(id))
        return fail(load, index, ref->name, "a fact cannot be about a builtin entity");
    return true;
}

static bool resolve(load_t *load) {
    list_names(load);
    for (int32_t i = 0; i < load->terms.count; i++) {
        ecs_term_t *term = term_at(load, i);
        if (!check_shape(load, i) || !resolve_ref(load, i, &term->first) ||
            !resolve_ref(load, i, &term->second))
            return false;
    }
    // Sources last: other terms compare names with theirs.
    for (int32_t i = 0; i < load->terms.count; i++) {
        if (!resolve_ref(load, i, &term_at(load, i)->src)) return false;
    }
    return true;
}

static bool has_names(const ecs_term_t *term) {
    return term->src.name || term->first.name || term->second.name;
}

// The entity and the id of a term without names.
static bool get_fact(const load_t *load, int32_t index, fact_t *out) {
    ecs_term_t *term = term_at(load, index);
    ecs_entity_t entity = ECS_TERM_REF_ID(&term->src);
    if (!entity || !ecs_is_alive(load->world, entity))
        return fail(load, index, NULL, "a hook or observer has deleted the entity");
    if (!ecs__finalize_term(&load->checker, index)) return false;
    *out = (fact_t){ .entity = entity, .id = term->id };
    if (ecs_id_is_valid(load->world, term->id)) return true;
    return fail(load, index, NULL, "this is no id that can be added");
}

static bool is_allowed(const load_t *load, int32_t index, const fact_t *fact) {
    bool before = ecs__refuse_as_input(true);
    bool allowed = ecs__check_add(load->world, fact->entity, fact->id);
    ecs__refuse_as_input(before);
    return allowed || fail(load, index, NULL, "this fact is not allowed, see above");
}

// Facts that are complete are judged before anything is made.
static bool check_complete(const load_t *load) {
    for (int32_t i = 0; i < load->terms.count; i++) {
        ecs_term_t kept = *term_at(load, i);
        if (has_names(&kept)) continue;
        fact_t fact;
        if (!get_fact(load, i, &fact) || !is_allowed(load, i, &fact)) return false;
        *term_at(load, i) = kept;
    }
    return true;
}

// ---- make ----

static ecs_entity_t make(load_t *load, const char *path) {
    ecs_world_t *world = load->world;
    ecs_entity_t parent = ecs__path_start(world, ecs_get_scope(world), &path, NULL, NULL);
    return ecs__place_path(world, 0, parent, path, NULL, false, &load->made);
}

static void fill_in(load_t *load, ecs_term_ref_t *ref) {
    if (ref->name) *ref = (ecs_term_ref_t){ .id = make(load, ref->name) | EcsIsEntity };
}

// All entities before any id is added, which may change their paths.
static void make_all(load_t *load) {
    for (int32_t i = 0; i < load->terms.count; i++) {
        ecs_term_t *term = term_at(load, i);
        fill_in(load, &term->src);
        fill_in(load, &term->first);
        fill_in(load, &term->second);
    }
}

// ---- add ----

static void add(load_t *load, fact_t fact) {
    ecs_world_t *world = load->world;
    if (ecs_owns_id(world, fact.entity, fact.id)) return;
    ecs_ext_entity_ids(world, fact.entity, &fact.before);
    ecs_add_id(world, fact.entity, fact.id);
    *ecs_vec_append_t(NULL, &load->added, fact_t) = fact;
}

static bool add_all(load_t *load) {
    for (int32_t i = 0; i < load->terms.count; i++) {
        fact_t fact;
        if (!get_fact(load, i, &fact) || !is_allowed(load, i, &fact)) return false;
        add(load, fact);
    }
    return true;
}

static bool had(const fact_t *fact, ecs_id_t id) {
    const ecs_id_t *ids = ecs_vec_first_t(&fact->before, ecs_id_t);
    int32_t i = 0;
    while (i < ecs_vec_count(&fact->before) && ids[i] != id) i++;
    return i < ecs_vec_count(&fact->before);
}

// What came with the id goes with it, because of With or as one trait brings another.
static void take_back(ecs_world_t *world, const fact_t *fact, ecs_id_t id) {
    if (ecs_is_alive(world, fact->entity) && !had(fact, id)) ecs_remove_id(world, fact->entity, id);
}

// What an exclusive pair replaced.
static void put_back(ecs_world_t *world, const fact_t *fact, ecs_id_t id) {
    const bool was_replaced =
        ECS_IS_PAIR(fact->id) && ECS_IS_PAIR(id) && ecs__id_first(id) == ecs__id_first(fact->id);
    if (was_replaced && ecs_id_is_valid(world, id) && ecs_is_alive(world, fact->entity))
        ecs_add_id(world, fact->entity, id);
}

// Whoever hears of it may delete the entity.
static void undo_fact(ecs_world_t *world, const fact_t *fact) {
    ecs_vec_t now = { 0 };
    take_back(world, fact, fact->id);
    if (ecs_is_alive(world, fact->entity)) ecs_ext_entity_ids(world, fact->entity, &now);
    for (int32_t i = 0; i < now.count; i++)
        take_back(world, fact, *ecs_vec_get_t(&now, ecs_id_t, i));
    for (int32_t i = 0; i < fact->before.count; i++)
        put_back(world, fact, *ecs_vec_get_t(&fact->before, ecs_id_t, i));
    ecs_vec_fini_t(NULL, &now, ecs_id_t);
}

static void undo(load_t *load) {
    ecs_world_t *world = load->world;
    for (int32_t i = ecs_vec_count(&load->added) - 1; i >= 0; i--)
        undo_fact(world, ecs_vec_get_t(&load->added, fact_t, i));
    for (int32_t i = ecs_vec_count(&load->made) - 1; i >= 0; i--)
        ecs_delete(world, *ecs_vec_get_t(&load->made, ecs_entity_t, i));
}

// ---- all of it ----

static bool load_terms(load_t *load) {
    ecs_map_init(&load->names, NULL);
    ecs_vec_init_t(NULL, &load->made, ecs_entity_t, 0);
    ecs_vec_init_t(NULL, &load->added, fact_t, 0);
    bool is_good = resolve(load) && check_complete(load);
    if (is_good) make_all(load);
    bool is_done = is_good && add_all(load);
    const bool as_input = ecs__refuse_as_input(true); /* what cannot go stays, after a sentence */
    if (is_good && !is_done) undo(load);
    ecs__refuse_as_input(as_input);
    for (int32_t i = 0; i < ecs_vec_count(&load->added); i++)
        ecs_vec_fini_t(NULL, &ecs_vec_get_t(&load->added, fact_t, i)->before, ecs_id_t);
    ecs_vec_fini_t(NULL, &load->made, ecs_entity_t);
    ecs_vec_fini_t(NULL, &load->added, fact_t);
    ecs_map_fini(&load->names);
    return is_done;
}

int ecs_load_expr(ecs_world_t *world, const char *expr) {
    ECS__GIVEN(expr);
    ECS__CHECK(ecs__check_immediate(world, "load text as data"));
    world = ecs__world_of(world);
    load_t load = { .world = world };
    if (!ecs__facts_parse(world, expr, &load.terms)) return -1;
    load.checker = (ecs__checker_t){ .world = world, .terms = &load.terms };
    bool is_done = load_terms(&load);
    ecs__terms_fini(&load.terms);
    return is_done ? 0 : -1;
error:
    return -1;
}
