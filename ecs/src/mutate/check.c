// SPDX-License-Identifier: MIT
#include "mutate/check.h"

#include <muster/ecs/entity.h>

#include "mutate/cleanup.h"
#include "mutate/mutate.h"
#include "mutate/report.h"
#include "mutate/sparse.h"
#include "mutate/traits.h"
#include "storage/typed.h"
#include "world/state.h"

static const ecs_table_t *table_of(const ecs_world_t *world, uint32_t entity) {
    return ecs__entity_living_table(&world->store.entities, entity);
}

static bool has_tables(const ecs_world_t *world, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    return record && (record->table_live || ecs__sparse_count(record));
}

bool ecs__id_has_tables(const ecs_world_t *world, ecs_entity_t id) {
    return has_tables(world, id) || has_tables(world, ECS__MAKE_PAIR(id, Ecs__Wildcard));
}

bool ecs__is_queried(const ecs_world_t *world, ecs_entity_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    const ecs_component_record_t *any =
        ecs__id_record_get(&world->store, ECS__MAKE_PAIR(id, Ecs__Wildcard));
    if ((record && record->query_count) || (any && any->query_count)) return true;
    const ecs_component_record_t *pair = any ? ecs__id_record_next_first(any, NULL) : NULL;
    while (pair && !pair->query_count) pair = ecs__id_record_next_first(any, pair);
    return pair;
}

static bool has_trait(const ecs_world_t *world, uint32_t entity, ecs_id_t trait) {
    const ecs_table_t *table = table_of(world, entity);
    return table && ecs__table_has(table, trait);
}

// Final concerns bases, Singleton all others that have the id; what there is must obey already.
static bool fits_holders(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t trait) {
    if (trait == Ecs__Final) return !has_tables(world, ECS__MAKE_PAIR(Ecs__IsA, entity));
    if (trait != Ecs__Singleton) return true;
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, entity);
    bool has_itself = spot.table && ecs__has_own(spot, entity);
    return ecs_count_id(world, entity) == has_itself &&
           !ecs_count_id(world, ECS__MAKE_PAIR(entity, Ecs__Wildcard));
}

static bool check_trait(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, ecs__trait_kind_t kind) {
    if (has_trait(world, (uint32_t)entity, id)) return true;
    if (id == Ecs__OrderedChildren && ecs__id_is_wildcard(entity)) {
        return ecs__refuse(world, ECS_INVALID_PARAMETER,
            "cannot add OrderedChildren to %s: it is a wildcard, which has no children",
            ECS__TEXT(world, entity));
    }
    if (kind == ECS__TRAIT_ANYTIME) {
        return fits_holders(world, entity, id) ||
               ecs__refuse(world, ECS_INVALID_OPERATION,
                   "cannot add %s to %s: it is already in use in a way that this forbids",
                   ECS__TEXT(world, id), ECS__TEXT(world, entity));
    }
    if (kind == ECS__TRAIT_UNSUPPORTED) {
        return ecs__refuse(world, ECS_UNSUPPORTED,
            "cannot add %s to %s: this version does not support it", ECS__TEXT(world, id),
            ECS__HOLDER(world, entity));
    }
    if (ecs__trait_is_of_sets(id) && entity && ecs__is_builtin(entity)) {
        return ecs__refuse(world, ECS_INVALID_OPERATION,
            "cannot add %s to %s: it is builtin, and stored as it is", ECS__TEXT(world, id),
            ECS__TEXT(world, entity));
    }
    if (ecs__id_has_tables(world, entity)) {
        return ecs__refuse(world, ECS_INVALID_OPERATION,
            "cannot add %s to %s: it is already in use; add traits before entities use it",
            ECS__TEXT(world, id), ECS__TEXT(world, entity));
    }
    if (!ECS_HAS_RELATION(id, Ecs__With) && ecs__is_queried(world, entity)) {
        return ecs__refuse(world, ECS_INVALID_OPERATION,
            "cannot add %s to %s: it is already queried for; add traits before creating queries",
            ECS__TEXT(world, id), ECS__TEXT(world, entity));
    }
    return true;
}

static bool refuse_loss(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    return ecs__refuse(world, ECS_INVALID_OPERATION,
        "removing components from builtin entities is not allowed (%s from %s)",
        ECS__TEXT(world, id), ECS__TEXT(world, entity));
}

// Of a trait, or of what makes it a component. What dies leaves all that have it.
static bool check_loss(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst, ecs_id_t id) {
    if (world->deleting) return true;
    if (ecs__is_builtin(entity)) return refuse_loss(world, entity, id);
    if (id == Ecs__Component) {
        dst->lock++; /* it may have what goes, and nobody has come yet */
        const bool has_values = ecs__has_values(&world->store, entity);
        dst->lock--;
        return !has_values ||
               ecs__refuse(world, ECS_ALREADY_IN_USE,
                   "cannot remove Component from %s: entities already have it, or a table with it is in use",
                   ECS__TEXT(world, entity));
    }
    if (ecs__trait_kind(id) != ECS__TRAIT_UNUSED) return true;
    const bool may_go = id == Ecs__Traversable || id == Ecs__PairIsTag;
    const bool is_queried =
        !may_go && !ECS_HAS_RELATION(id, Ecs__With) && ecs__is_queried(world, entity);
    if (!is_queried && !ecs__id_has_tables(world, entity)) return true;
    return ecs__refuse(world, ECS_INVALID_OPERATION, "cannot remove %s from %s: it is %s",
        ECS__TEXT(world, id), ECS__TEXT(world, entity), is_queried ? "queried for" : "in use");
}

bool ecs__check_remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (ECS_HAS_RELATION(id, Ecs__ChildOf) && ecs__is_builtin(entity))
        return refuse_loss(world, entity, id);
    bool is_kept = id == Ecs__OrderedChildren && has_trait(world, (uint32_t)entity, id) &&
                   ecs__sparse_count(ecs__children_record(&world->store, entity));
    return !is_kept ||
           ecs__refuse(world, ECS_INVALID_OPERATION,
               "cannot remove OrderedChildren from %s: children by the component Parent are "
               "always ordered",
               ECS__TEXT(world, entity));
}

ecs_table_t *ecs__check_loss(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, ecs_table_t *dst) {
    for (int32_t i = 0; i < src->type.count; i++) {
        ecs_id_t id = src->type.array[i];
        const bool may_matter = ecs__trait_kind(id) || id == Ecs__Component;
        if (may_matter && !ecs__table_has(dst, id) && !check_loss(world, entity, dst, id))
            dst = ecs__table_plus(dst, id);
    }
    return dst;
}

static bool check_target(ecs_world_t *world, ecs_id_t id) {
    uint32_t first = ecs__id_first(id), second = ecs__id_second(id);
    if (has_trait(world, second, Ecs__Relationship) && !has_trait(world, first, Ecs__Trait)) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "%s cannot be the target in %s: it is a relationship", ECS__TEXT(world, second),
            ECS__TEXT(world, id));
    }
    const ecs_table_t *table = table_of(world, first);
    ecs_entity_t group = 0;
    if (table && ecs__table_has(table, Ecs__OneOf))
        group = first;
    else if (table)
        group = ecs__table_target(table, Ecs__OneOf, 0);
    ecs_entity_t target = ecs__entity_alive_id(&world->store.entities, second);
    if (group && (uint32_t)ecs__parent_of(&world->store, target) != (uint32_t)group) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "%s cannot be the target in %s: it is not a child of %s", ECS__TEXT(world, second),
            ECS__TEXT(world, id), ECS__TEXT(world, group));
    }
    return true;
}

// Constraints that concern the id alone: checked when it is used for the first time.
static bool check_first_use(ecs_world_t *world, ecs_id_t id) {
    id = ecs__id_bare(id);
    uint32_t first = ecs__id_trait_owner(id);
    if (has_trait(world, first, Ecs__Target)) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "%s can only be used as the target of a pair", ECS__TEXT(world, first));
    }
    if (ECS_IS_PAIR(id)) return ECS_IS_VALUE_PAIR(id) || check_target(world, id);
    if (has_trait(world, first, Ecs__Relationship)) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "%s can only be used as the relationship of a pair", ECS__TEXT(world, id));
    }
    return true;
}

bool ecs__table_is_final(const ecs_table_t *table) {
    return ecs__table_has(table, Ecs__Final) && !ecs__table_has(table, Ecs__Inheritable);
}

static bool check_base(ecs_world_t *world, ecs_entity_t entity, uint32_t base) {
    const ecs_table_t *table = table_of(world, base);
    if (!table) return true;
    if (ecs__id_is_wildcard(entity)) { /* what it would have stands for what all have */
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED, "%s is a wildcard, no instance of %s",
            ECS__TEXT(world, entity), ECS__TEXT(world, base));
    }
    if (ecs__table_is_final(table)) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "%s cannot be an instance of %s, which is final", ECS__HOLDER(world, entity),
            ECS__TEXT(world, base));
    }
    if (entity && table->flags & EcsTableIsPrefab && ecs__is_inside(&world->store, entity, base)) {
        return ecs__refuse(world, ECS_CYCLE_DETECTED,
            "%s cannot be an instance of %s: it is inside that prefab and would contain itself",
            ECS__TEXT(world, entity), ECS__TEXT(world, base));
    }
    return true;
}

// A cycle needs an entity that is a target already, so new leaves cost one flag test.
static bool may_close_cycle(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (ecs__id_second(id) == (uint32_t)entity) return true;
    const ecs__entity_index_t *index = &world->store.entities;
    return ecs__entity_living_table(index, (uint32_t)entity) &&
           ecs__entity_marks(index, entity) & EcsEntityIsTraversable;
}

static bool closes_cycle(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    uint32_t rel = ecs__id_first(id), target = ecs__id_second(id);
    if (target == (uint32_t)entity) return true;
    const ecs_component_record_t *any =
        ecs__id_record_get(&world->store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    if (ecs__id_is_beside(any)) return ecs__sparse_reaches(any, target, entity);
    if (ecs__id_may_be_beside(any)) {
        ecs_entity_t parent = ecs__entity_alive_id(&world->store.entities, target);
        return ecs__is_inside(&world->store, parent, entity);
    }
    ecs__found_t found;
    const ecs_table_t *table = table_of(world, target);
    return table &&
           ecs__search_up(table, ECS__MAKE_PAIR(rel, entity), rel, true, true, 0, 0, &found);
}

static bool check_cycle(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    bool may_be =
        may_close_cycle(world, entity, id) && has_trait(world, ecs__id_first(id), Ecs__Acyclic);
    if (!may_be || !closes_cycle(world, entity, id)) return true;
    return ecs__refuse(world, ECS_CYCLE_DETECTED, "adding %s to %s would make a cycle of %s",
        ECS__TEXT(world, id), ECS__TEXT(world, entity), ECS__TEXT(world, ecs__id_first(id)));
}

// Elsewhere builtins would go with the parent that they have there. Parents in pairs have no generation.
bool ecs__check_place(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent) {
    if (!entity || !ecs__is_builtin(entity)) return true;
    bool is_module = entity == Ecs__Flecs || entity == Ecs__FlecsCore;
    parent = ecs__entity_alive_id(&world->store.entities, (uint32_t)parent);
    return (!is_module && ecs__is_inside(&world->store, parent, Ecs__Flecs)) ||
           ecs__refuse(world, ECS_INVALID_OPERATION,
               "cannot give %s another parent: it is a builtin entity", ECS__TEXT(world, entity));
}

#define JUDGED_BY_HOLDER (EcsIdSingleton | EcsIdTraversable | ECS__ID_SYMMETRIC)

static bool check_holder(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, ecs_flags32_t flags) {
    uint32_t first = ecs__id_trait_owner(id);
    if (flags & EcsIdSingleton && first != (uint32_t)entity) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "cannot add %s to %s: it is a singleton, only to be added to itself",
            ECS__TEXT(world, id), ECS__HOLDER(world, entity));
    }
    if (flags & ECS__ID_SYMMETRIC && ECS_IS_PAIR(id) && ecs__id_is_wildcard(entity)) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "cannot add %s to %s: it is symmetric, and nobody can have a wildcard for a target",
            ECS__TEXT(world, id), ECS__HOLDER(world, entity));
    }
    if (ECS_HAS_RELATION(id, Ecs__ChildOf) && !ecs__check_place(world, entity, ecs__id_second(id)))
        return false;
    bool is_instance = first == Ecs__IsA && ecs__id_leads(id);
    return !is_instance || check_base(world, entity, ecs__id_second(id));
}

// That others have it, says that it may be used.
bool ecs__check_table(ecs_world_t *world, const ecs_table_t *table) {
    bool allowed = true;
    for (int32_t i = 0; allowed && i < table->type.count; i++) {
        const ecs_component_record_t *record = ecs__table_cr(table, i);
        if (record->flags & JUDGED_BY_HOLDER)
            allowed = check_holder(world, 0, record->id, record->flags);
    }
    return allowed;
}

// What decides about the add of an id; `is_first` tells that no table has it yet.
static const ecs_component_record_t *ensure_record(
    ecs_world_t *world, ecs_id_t id, bool *is_first) {
    const ecs_component_record_t *record = ecs__id_record_ensure(&world->store, id);
    *is_first = !record->table_live && !ecs__sparse_count(record);
    return record;
}

static bool check_toggle(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    id = ecs__id_bare(id);
    if (has_trait(world, ecs__id_trait_owner(id), Ecs__CanToggle)) return true;
    return ecs__refuse(world, ECS_INVALID_OPERATION,
        "cannot enable or disable %s for %s: it does not have the trait CanToggle",
        ECS__TEXT(world, id), ECS__HOLDER(world, entity));
}

static bool check_now(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const ecs_component_record_t *record) {
    if (id & ECS__TOGGLE && !check_toggle(world, entity, id)) return false;
    ecs__trait_kind_t kind = ecs__trait_kind(id);
    if (kind && !check_trait(world, entity, id, kind)) return false;
    /* Marked, it would come to instances without its mark. */
    const ecs_id_t bare = ecs__id_bare(id);
    const bool is_marked = bare != id && !ECS_IS_PAIR(bare);
    if (ecs__id_is_presence(is_marked ? ecs__id_record_ensure(&world->store, bare) : record)) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "%s can only be used as the relationship of a pair: it is kept beside tables",
            ECS__TEXT(world, id));
    }
    bool needs_check = record->flags & JUDGED_BY_HOLDER;
    return !needs_check || check_holder(world, entity, id, record->flags);
}

static bool is_acyclic_pair(ecs_id_t id, ecs_flags32_t flags) {
    return flags & EcsIdTraversable && ecs__id_leads(id);
}

bool ecs__check_add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    bool is_first;
    const ecs_component_record_t *record = ensure_record(world, id, &is_first);
    if (!check_now(world, entity, id, record)) return false;
    if (is_first && !check_first_use(world, id)) return false;
    if (is_acyclic_pair(id, record->flags) && !check_cycle(world, entity, id)) return false;
    ecs_id_t implied; /* through With */
    for (int32_t n = 0;
         record->flags & EcsIdWith && (implied = ecs__id_implied(&world->store, id, n)); n++)
        if (!ecs__check_add(world, entity, implied)) return false;
    return true;
}

// Only a singleton can have itself: who has it, is it.
static bool check_single(ecs_world_t *world, ecs_entity_t src) {
    if (!(ecs__entity_marks(&world->store.entities, src) & EcsEntityIsId) ||
        !has_trait(world, (uint32_t)src, Ecs__Singleton))
        return true;
    const ecs_id_t pairs = ECS__MAKE_PAIR(src, Ecs__Wildcard);
    return (!ecs_count_id(world, src) && !ecs_count_id(world, pairs)) ||
           ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
               "cannot clone %s: it is a singleton and has itself, which a clone may not have",
               ECS__TEXT(world, src));
}

static bool is_bare(const ecs_world_t *world, ecs_entity_t entity) {
    ecs__sparse_iter_t beside = ecs__sparse_iter(&world->store, entity, 0);
    return !ecs__entity_table(&world->store.entities, entity)->type.count &&
           !ecs__sparse_next(&beside);
}

// `dst` (0: a new one) may be above `src`.
static bool check_copied(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src,
    const ecs_component_record_t *record, bool copy_value) {
    const ecs_type_info_t *type = record->type_info;
    if (copy_value && type && !ecs__type_is_copied(type)) {
        return ecs__refuse(world, ECS_INVALID_OPERATION,
            "cannot clone %s: values of %s cannot be copied", ECS__TEXT(world, src),
            ECS__TEXT(world, record->id));
    }
    return !dst || !is_acyclic_pair(record->id, record->flags) ||
           check_cycle(world, dst, record->id);
}

bool ecs__check_clone(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value) {
    if (!check_single(world, src)) return false;
    if (dst && !is_bare(world, dst)) {
        return ecs__refuse(world, ECS_INVALID_PARAMETER, "cannot clone to %s: it has components",
            ECS__TEXT(world, dst));
    }
    const ecs_table_t *table = ecs__entity_table(&world->store.entities, src);
    for (int32_t i = 0; i < table->type.count; i++) {
        if (!check_copied(world, dst, src, ecs__table_cr(table, i), copy_value)) return false;
    }
    /* Children by component have their parent beside the table. */
    ecs__sparse_iter_t beside = ecs__sparse_iter(&world->store, src, 0);
    for (const ecs_component_record_t *record; (record = ecs__sparse_next(&beside));) {
        if (!check_copied(world, dst, src, record, copy_value)) return false;
    }
    return true;
}

// ---- queued adds ----

// What an exclusive pair takes the place of, or 0.
static ecs_id_t replaced_pair(const ecs_world_t *world, const ecs_table_t *table,
    ecs_entity_t entity, const ecs_component_record_t *record) {
    if (!(record->flags & EcsIdExclusive) || !ECS_IS_PAIR(record->id)) return 0;
    const ecs_id_t any = ECS__MAKE_PAIR(ecs__id_first(record->id), Ecs__Wildcard);
    if (ecs__id_is_beside(record)) {
        ecs__sparse_edges_t edges =
            ecs__sparse_edges(ecs__id_record_get(&world->store, any), entity);
        return edges.count ? edges.items[0].id : 0;
    }
    if (!table) table = ecs__entity_table(&world->store.entities, entity);
    return table ? ecs__table_id_like(table, any) : 0;
}

// The same as the last one, and others may follow: all get back what an exclusive pair replaced.
static bool is_doubted(const ecs_world_t *world, const ecs_component_record_t *record) {
    if (!(record->flags & EcsIdExclusive) || !ecs_vec_count(&world->suspects)) return false;
    const ecs__suspect_t *last = ecs_vec_last_t(&world->suspects, ecs__suspect_t);
    return last->is_first && last->id == record->id;
}

static void suspect(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, ecs_id_t replaced, bool is_first) {
    *ecs_vec_append_t(NULL, &world->suspects, ecs__suspect_t) = (ecs__suspect_t){ entity, id,
        replaced, world->stages[0]->system, is_first, ecs__refuses_input() };
}

bool ecs__check_add_queued(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const ecs_table_t *table) {
    bool is_first;
    const ecs_component_record_t *record = ensure_record(world, id, &is_first);
    if (!check_now(world, entity, id, record)) return false;
    if (ECS_HAS_RELATION(id, Ecs__With) && !check_cycle(world, entity, id)) return false;
    is_first |= is_doubted(world, record);
    bool may_contain_itself = ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__IsA;
    if (is_first || may_contain_itself ||
        (is_acyclic_pair(id, record->flags) && may_close_cycle(world, entity, id)))
        suspect(world, entity, id, replaced_pair(world, table, entity, record), is_first);
    ecs_id_t implied;
    for (int32_t n = 0;
         record->flags & EcsIdWith && (implied = ecs__id_implied(&world->store, id, n)); n++)
        if (!ecs__check_add_queued(world, entity, implied, table)) return false;
    return true;
}

void ecs__check_swap_queued(ecs_world_t *world, ecs_entity_t entity,
    const ecs_component_record_t *record, ecs_id_t replaced) {
    if (is_doubted(world, record)) suspect(world, entity, record->id, replaced, true);
}

static bool check_suspect(ecs_world_t *world, const ecs__suspect_t *suspect) {
    const ecs_id_t id = suspect->id;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    if (!record || !is_acyclic_pair(id, record->flags)) return true;
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, suspect->entity);
    if (!spot.table || !ecs__has_own(spot, id)) return true;
    if (ecs__id_first(id) == Ecs__IsA && !check_base(world, suspect->entity, ecs__id_second(id)))
        return false;
    /* Of many levels that came together, each asks only whether its way up ends. */
    return ecs__ends_above(&world->store, suspect->entity, ecs__id_first(id)) ||
           check_cycle(world, suspect->entity, id);
}

// Whoever has an id that may not be used at all got it in this flush. No table is left by which it would seem to be in use.
static void take_from_all(ecs_world_t *world, ecs_id_t id) {
    ecs__remove_from_tables(world, id, 0);
    ecs__aside_remove_all(world, id, 0, NULL, NULL);
    ecs__drop_tables(world, id);
}

// Who has the id no more keeps what it has instead.
static void look_after(const ecs_world_t *world, ecs__suspect_t *suspect) {
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, suspect->entity);
    if (!spot.table || !ecs__has_own(spot, suspect->id)) suspect->replaced = 0;
}

static void put_back(ecs_world_t *world, const ecs__suspect_t *suspect) {
    const ecs_id_t pair = suspect->replaced;
    if (ECS_IS_VALUE_PAIR(pair) || ecs__pair_target(&world->store.entities, pair))
        ecs__add(world, suspect->entity, pair);
}

// Each of the suspects that share an id which may not be used at all.
static void undo_all(ecs_world_t *world, ecs_id_t id) {
    for (int32_t i = 0; i < ecs_vec_count(&world->suspects); i++) {
        ecs__suspect_t *other = ecs_vec_get_t(&world->suspects, ecs__suspect_t, i);
        if (other->id == id) look_after(world, other);
    }
    take_from_all(world, id);
    for (int32_t i = 0; i < ecs_vec_count(&world->suspects); i++) {
        ecs__suspect_t other = *ecs_vec_get_t(&world->suspects, ecs__suspect_t, i);
        if (other.id == id) put_back(world, &other);
    }
}

void ecs__check_undo(ecs_world_t *world) {
    ecs__suspect_t judged = world->judged;
    if (!judged.entity || judged.is_undone) return;
    world->judged.is_undone = true;
    look_after(world, &judged);
    if (judged.is_first)
        undo_all(world, judged.id);
    else
        ecs__remove(world, judged.entity, judged.id);
    put_back(world, &judged);
}

// `allowed` is the id that was found to be usable last: many suspects in a row may have the same.
static bool is_usable(ecs_world_t *world, ecs__suspect_t *suspect, ecs_id_t *allowed) {
    if (suspect->is_first && suspect->id != *allowed) {
        if (ecs__id_has_tables(world, suspect->id) && !check_first_use(world, suspect->id))
            return false;
        *allowed = suspect->id;
    }
    suspect->is_first = false;
    return check_suspect(world, suspect);
}

static bool judge(ecs_world_t *world, ecs__suspect_t *suspect, ecs_id_t *allowed) {
    if (!suspect->is_input) return is_usable(world, suspect, allowed);
    const bool as_input = ecs__refuse_as_input(true);
    const bool is_right = is_usable(world, suspect, allowed);
    ecs__refuse_as_input(as_input);
    return is_right;
}

// From the last to the first, so that of what makes a cycle together the last one goes.
bool ecs__check_suspects(ecs_world_t *world) {
    bool undone = false;
    ecs_id_t allowed = 0;
    while (ecs_vec_count(&world->suspects)) {
        world->judged = *ecs_vec_last_t(&world->suspects, ecs__suspect_t);
        ecs_vec_remove_last(&world->suspects); /* nobody judges it again, whatever hears of it */
        if (judge(world, &world->judged, &allowed)) continue;
        undone = true;
        allowed = 0; /* what hears of a refusal may have changed traits */
    }
    world->judged = (ecs__suspect_t){ 0 };
    return undone;
}
