// SPDX-License-Identifier: MIT
// term: what follows from a term alone.
#include "query/parse/term.h"

#include "world/state.h"

bool ecs_term_ref_is_set(const ecs_term_ref_t *ref) {
    ECS__NEED_OR(ref, false);
    return ref->id != 0 || ref->name != NULL;
}

bool ecs_term_is_initialized(const ecs_term_t *term) {
    ECS__NEED_OR(term, false);
    return term->id != 0 || ecs_term_ref_is_set(&term->first) || ecs_term_ref_is_set(&term->second);
}

bool ecs_term_match_this(const ecs_term_t *term) {
    ECS__NEED_OR(term, false);
    return (term->src.id & EcsIsVariable) && ECS_TERM_REF_ID(&term->src) == Ecs__This;
}

bool ecs_term_match_0(const ecs_term_t *term) {
    ECS__NEED_OR(term, false);
    return !ECS_TERM_REF_ID(&term->src) && (term->src.id & EcsIsEntity);
}

bool ecs__term_is_inheritable(const ecs_world_t *world, const ecs_term_t *term) {
    const ecs__store_t *store = ecs__store_of(ecs__world_of(world));
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    /* What a base is an instance of is a matter of transitivity, not of inheritance. */
    if (!(term->first.id & EcsIsEntity) || first == Ecs__IsA) return false;
    if (ecs__id_marks(term->id)) return false;
    /* Of a list that is asked of each id, of a member of its component. */
    if (ecs__is_from(term->oper) || term->flags_ & EcsTermIsMember) return true;
    const ecs_table_t *table = ecs__entity_living_table(&store->entities, (uint32_t)first);
    if (!table) return false;
    if (ecs__table_has(table, ECS__MAKE_PAIR(Ecs__OnInstantiate, Ecs__Inherit))) return true;
    if (ecs__table_has(table, ECS__MAKE_PAIR(Ecs__OnInstantiate, Ecs__Wildcard))) return false;
    return store->on_instantiate == Ecs__Inherit && !ecs__table_has(table, Ecs__DontInherit);
}

bool ecs__has_trait(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t trait) {
    const ecs_table_t *table = ecs__table_of(world, entity);
    return table && ecs__table_has(table, trait);
}

static bool has_sets(const ecs_world_t *world) { return ecs__world_of(world)->store.has_sparse; }

static bool has_presence(const ecs_world_t *world, ecs_entity_t relationship) {
    return has_sets(world) &&
           (ecs__has_trait(world, relationship, Ecs__Union) ||
               ecs__has_trait(world, relationship, ECS__MAKE_PAIR(Ecs__Relationship, Ecs__Sparse)));
}

bool ecs__relationship_is_beside(const ecs_world_t *world, ecs_entity_t relationship) {
    return has_sets(world) && (has_presence(world, relationship) ||
                                  ecs__has_trait(world, relationship, Ecs__DontFragment));
}

ecs_id_t ecs__term_presence(const ecs_world_t *world, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first), second = ECS_TERM_REF_ID(&term->second);
    bool is_open = term->second.id & EcsIsVariable && !term->second.name &&
                   (second == Ecs__Any || (second == Ecs__Wildcard && term->oper == EcsNot));
    bool is_plain = term->first.id & EcsIsEntity && !(term->second.id & EcsTraverseFlags);
    if (!is_open || !is_plain || !has_presence(world, first)) return 0;
    return ecs__presence_of(&ecs__world_of(world)->store, (uint32_t)first);
}
