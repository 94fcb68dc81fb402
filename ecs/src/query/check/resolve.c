// SPDX-License-Identifier: MIT
// resolve: names in terms to ids.
#include "query/check/resolve.h"

#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include "name/lookup.h"
#include "query/check/suggest.h"
#include "query/parse/parser.h"
#include "world/state.h"

ecs_entity_t ecs__oneof_parent(const ecs__checker_t *checker, ecs_entity_t relationship) {
    if (!relationship || !ecs_is_alive(checker->world, relationship)) return 0;
    if (ecs__has_trait(checker->world, relationship, Ecs__OneOf)) return relationship;
    return ecs_get_target(checker->world, relationship, Ecs__OneOf, 0);
}

ecs_entity_t ecs__resolve_name(const ecs_world_t *world, const char *name) {
    ecs_entity_t found = ecs_lookup(world, name);
    return found ? found : ecs_lookup_symbol(world, name, false, false);
}

static ecs_entity_t lookup_name(
    const ecs__checker_t *checker, const char *name, ecs_entity_t scope) {
    ecs_entity_t found =
        scope ? ecs_lookup_path_w_sep(checker->world, scope, name, NULL, NULL, false) : 0;
    return found ? found : ecs__resolve_name(checker->world, name);
}

static bool fail_unresolved(
    const ecs__checker_t *checker, int32_t term, const char *what, const char *name) {
    if (checker->silent) return false;
    char *near = ecs__suggest_name(checker->world, name);
    if (near) {
        ecs__check_fail(
            checker, term, name, "unresolved %s '%s'; did you mean %s?", what, name, near);
    } else {
        ecs__check_fail(checker, term, name, "unresolved %s '%s'", what, name);
    }
    ecs_os_free(near);
    return false;
}

// The value of an enum constant; those of the relationship need no path.
static bool find_constant(
    const ecs__checker_t *checker, const ecs_term_t *term, const char *name, uint64_t *out) {
    const ecs_ext_reflection_t *reflection = ecs__world_of(checker->world)->reflection;
    bool has_scope = term->first.id & EcsIsEntity;
    ecs_entity_t constant =
        lookup_name(checker, name, has_scope ? ECS_TERM_REF_ID(&term->first) : 0);
    int64_t value;
    if (!constant || !reflection || !reflection->get_constant(checker->world, constant, &value))
        return false;
    *out = (uint64_t)value;
    return value >= 0 && value <= UINT32_MAX;
}

// "@10", "@Red": the second element of a value pair is a number.
static bool resolve_value(const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref) {
    if (ref != &checker->terms->array[term].second) {
        return ecs__check_fail(
            checker, term, ref->name, "a value can be the target of a term only");
    }
    uint64_t value = 0;
    const char *ptr = ref->name + 1;
    while (*ptr == ' ') ptr++;
    if (!strcmp(ptr, "*")) {
        checker->terms->array[term].flags_ |= ECS__TERM_IS_VALUE;
        *ref = (ecs_term_ref_t){ .id = Ecs__Wildcard | EcsIsVariable };
        return true;
    }
    if (!ecs__read_integer(ptr, UINT32_MAX, &value) &&
        !find_constant(checker, &checker->terms->array[term], ptr, &value)) {
        return ecs__check_fail(checker, term, ref->name,
            "'%s' is not a whole number of 32 bits, nor an enum constant that has one", ptr);
    }
    checker->terms->array[term].id |= ECS__VALUE_PAIR;
    *ref = (ecs_term_ref_t){ .id = value | EcsIsEntity };
    return true;
}

static bool resolve_number(
    const ecs__checker_t *checker, int32_t term, ecs_entity_t number, ecs_term_ref_t *ref) {
    ecs_entity_t entity = number ? ecs__alive_entity(checker->world, number) : 0;
    if (number && !entity) {
        return ecs__check_fail(checker, term, ref->name + 1, "entity %s is not alive", ref->name);
    }
    *ref = (ecs_term_ref_t){ .id = entity | (ref->id & EcsTraverseFlags) };
    if (!number) ref->id |= EcsIsEntity;
    return true;
}

// As in text: parts with '.' between.
static bool is_variable_name(const char *name) {
    bool in_part = false;
    for (; *name; name++) {
        bool is_dot = *name == '.';
        if (is_dot ? !in_part : !ecs__is_name_char(*name)) return false;
        in_part = !is_dot;
    }
    return in_part;
}

static bool resolve_variable(const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref) {
    const char *name = ref->name + (ref->name[0] == '$');
    if (!*name) return ecs__check_fail(checker, term, NULL, "a '$' needs a name");
    if (!is_variable_name(name))
        return ecs__check_fail(checker, term, ref->name, "'%s' is no name of a variable", name);
    bool is_this = !strcmp(name, "this") || !strcmp(name, "This");
    *ref = (ecs_term_ref_t){ .id = (ref->id & EcsTermRefFlags) | EcsIsVariable |
                                   (is_this ? Ecs__This : 0),
        .name = is_this ? NULL : name };
    return true;
}

// "Component.member" where the member has no entity yet.
static ecs_entity_t make_member(const ecs__checker_t *checker, const char *name) {
    ecs_world_t *real = ecs__world_of(checker->world);
    if (!real->reflection || !strchr(name, '.')) return 0;
    const uint64_t first_table = real->store.next_table_id;
    ecs_entity_t member = real->reflection->make_member(real, name);
    if (member)
        *ecs_vec_append_t(NULL, &checker->terms->members, ecs__made_member_t) =
            (ecs__made_member_t){ member, first_table };
    return member;
}

// While changes are deferred somebody may be going through tables.
static void drop_tables(ecs__store_t *store, uint64_t first) {
    for (int32_t i = store->table_count - 1; i >= 0; i--) {
        ecs_table_t *table = i < store->table_count ? store->tables[i] : NULL;
        if (table && table->id >= first && !table->count && !table->lock) ecs__table_delete(table);
    }
}

void ecs__resolve_undo(const ecs_world_t *world, const ecs__terms_t *terms) {
    ecs_world_t *real = ecs__world_of(world);
    const ecs_vec_t *members = &terms->members;
    for (int32_t i = members->count - 1; i >= 0; i--) {
        const ecs__made_member_t *made = ecs_vec_get_t(members, ecs__made_member_t, i);
        real->reflection->drop_member(real, made->entity);
        if (!ecs_is_deferred(world)) drop_tables(&real->store, made->first_table);
    }
}

static bool resolve_name(
    const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref, ecs_entity_t scope) {
    const char *name = ref->name;
    ecs_entity_t number;
    if (name[0] == '$' || (ref->id & EcsIsVariable)) return resolve_variable(checker, term, ref);
    if (name[0] == '@') return resolve_value(checker, term, ref);
    name = ecs__name_in_ref(name);
    if (ecs__parse_hash_id(name, strlen(name), &number))
        return resolve_number(checker, term, number, ref);
    ecs_entity_t entity = lookup_name(checker, name, scope);
    if (!entity && ref == &checker->terms->array[term].first) entity = make_member(checker, name);
    if (!entity) {
        if (checker->desc && checker->desc->flags & EcsQueryAllowUnresolvedByName) {
            *ref = (ecs_term_ref_t){ (ref->id & EcsTermRefFlags) | EcsIsName, name };
            return true;
        }
        return fail_unresolved(checker, term, "identifier", name);
    }
    *ref = (ecs_term_ref_t){ .id = entity | (ref->id & EcsTermRefFlags) };
    return true;
}

// The target of a value pair is a number.
static bool is_value(const ecs_term_t *term, const ecs_term_ref_t *ref) {
    return ref == &term->second && ref->id & EcsIsEntity && ECS_IS_VALUE_PAIR(term->id);
}

// As in ids, an index without generation means whoever has it.
static bool set_entity(const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref) {
    const ecs_entity_t id = ECS_TERM_REF_ID(ref), entity = ecs__alive_entity(checker->world, id);
    if (!entity)
        return ecs__check_fail(checker, term, NULL, "entity #%u is not alive", (uint32_t)id);
    ref->id = entity | EcsIsEntity | (ref->id & EcsTermRefFlags);
    return true;
}

static bool resolve_ref(
    const ecs__checker_t *checker, int32_t term, ecs_term_ref_t *ref, ecs_entity_t scope) {
    if ((ref->id & EcsIsEntity) && (ref->id & EcsIsVariable)) {
        return ecs__check_fail(
            checker, term, ref->name, "a part of a term is an entity or a variable, not both");
    }
    if (ref->name && ECS_TERM_REF_ID(ref)) {
        return ecs__check_fail(checker, term, ref->name,
            "a part of a term has an id and the name '%s': give one", ref->name);
    }
    if (ref->name && !(ref->id & EcsIsName) && !resolve_name(checker, term, ref, scope))
        return false;
    const ecs_entity_t id = ECS_TERM_REF_ID(ref);
    if (!id || ref->id & EcsIsVariable || is_value(&checker->terms->array[term], ref)) return true;
    const bool is_open =
        id == Ecs__This || id == Ecs__Wildcard || id == Ecs__Any || id == Ecs__Variable;
    if (!is_open || ref->id & EcsIsEntity) return set_entity(checker, term, ref);
    ref->id |= EcsIsVariable;
    return true;
}

static bool resolve_trav(const ecs__checker_t *checker, int32_t term) {
    const char *name = checker->terms->texts[term].trav;
    if (!name) return true;
    ecs_entity_t entity = lookup_name(checker, ecs__name_in_ref(name), 0);
    if (!entity) return fail_unresolved(checker, term, "traversal relationship", name);
    checker->terms->array[term].trav = entity;
    checker->terms->texts[term].trav = NULL;
    return true;
}

bool ecs__resolve_ref(const ecs__checker_t *checker, int32_t index, ecs_term_ref_t *ref) {
    const ecs_term_t *term = &checker->terms->array[index];
    bool is_target = ref == &term->second && ref->name && (term->first.id & EcsIsEntity);
    ecs_entity_t scope = is_target ? ecs__oneof_parent(checker, ECS_TERM_REF_ID(&term->first)) : 0;
    return resolve_ref(checker, index, ref, scope);
}

bool ecs__resolve_term(const ecs__checker_t *checker, int32_t index) {
    ecs_term_t *term = &checker->terms->array[index];
    return ecs__resolve_ref(checker, index, &term->src) &&
           ecs__resolve_ref(checker, index, &term->first) &&
           ecs__resolve_ref(checker, index, &term->second) && resolve_trav(checker, index);
}
