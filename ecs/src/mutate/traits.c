// SPDX-License-Identifier: MIT
#include "mutate/traits.h"

#include "event/observer.h"
#include "mutate/edge.h"
#include "mutate/mutate.h"
#include "world/state.h"

// ---- which ids are traits ----

static ecs__trait_kind_t pair_kind(ecs_id_t id) {
    switch (ecs__id_first(id)) {
    case Ecs__OnInstantiate:
    case Ecs__Relationship: /* (Relationship, Sparse): made by ecs_relationship_init */
    case Ecs__With: return ECS__TRAIT_UNUSED;
    case Ecs__OneOf:
    case Ecs__OnDelete:
    case Ecs__OnDeleteTarget: return ECS__TRAIT_ANYTIME;
    default: return ECS__NO_TRAIT;
    }
}

ecs__trait_kind_t ecs__trait_kind(ecs_id_t id) {
    if (ecs__id_marks(id)) return ECS__NO_TRAIT;
    if (ECS_IS_PAIR(id)) return pair_kind(id);
    switch (id) {
    case Ecs__Exclusive:
    case Ecs__PairIsTag:
    case Ecs__Traversable:
    case Ecs__Acyclic:
    case Ecs__Transitive:
    case Ecs__Reflexive:
    case Ecs__Symmetric:
    case Ecs__Inheritable:
    case Ecs__CanToggle:
    case Ecs__Sparse:
    case Ecs__DontFragment:
    case Ecs__Union:
    case Ecs__DontInherit: return ECS__TRAIT_UNUSED;
    case Ecs__Final:
    case Ecs__Singleton:
    case Ecs__OneOf:
    case Ecs__OrderedChildren:
    case Ecs__Module:
    case Ecs__Trait:
    case Ecs__Relationship:
    case Ecs__Target: return ECS__TRAIT_ANYTIME;
    case Ecs__TreeSpawner: return ECS__TRAIT_UNSUPPORTED;
    default: return ECS__NO_TRAIT;
    }
}

// ---- marks ----

static void mark(ecs__store_t *store, uint32_t entity, uint32_t flag) {
    if (ecs__entity_living_table(&store->entities, entity))
        ecs__entity_mark(&store->entities, entity, flag);
}

static void mark_traversable(ecs__store_t *store, uint32_t entity) {
    ecs_table_t *table = ecs__entity_living_table(&store->entities, entity);
    if (!table || ecs__entity_marks(&store->entities, entity) & EcsEntityIsTraversable) return;
    ecs__entity_mark(&store->entities, entity, EcsEntityIsTraversable);
    ecs__store_add_traversable(store, table);
}

static void mark_pair(ecs__store_t *store, const ecs_component_record_t *record) {
    ecs_id_t id = record->id;
    mark(store, ecs__id_first(id), EcsEntityIsId);
    if (ECS_IS_VALUE_PAIR(ecs__id_bare(id))) return;
    mark(store, ecs__id_second(id), EcsEntityIsTarget);
    if (record->flags & EcsIdTraversable) mark_traversable(store, ecs__id_second(id));
}

void ecs__traits_mark_id(ecs__store_t *store, const ecs_component_record_t *record) {
    if (ECS_IS_PAIR(ecs__id_bare(record->id)))
        mark_pair(store, record);
    else
        mark(store, (uint32_t)record->id, EcsEntityIsId);
}

static void on_table_create(ecs__table_listener_t *listener, ecs_table_t *table) {
    (void)listener;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        ecs__traits_mark_id(table->store, ecs__table_cr(table, i));
        if (ecs__trait_kind(id) || id == Ecs__Component) table->flags |= ECS__TABLE_HAS_TRAITS;
        if (ecs__edge_is_known(table->store->owner, id)) table->flags |= ECS__TABLE_HAS_EDGES;
        if (ecs__table_cr(table, i)->flags & ECS__ID_SYMMETRIC)
            table->flags |= ECS__TABLE_HAS_SYMMETRIC;
    }
    if (table->flags & EcsTableHasChildOf) ecs__children_mark_table(table);
    if (table->flags & EcsTableHasIsA) ecs__observers_follow_kinds(table->store->owner);
}

static void on_table_delete(ecs__table_listener_t *listener, ecs_table_t *table) {
    (void)listener;
    (void)table;
}

void ecs__traits_init(ecs_world_t *world) {
    world->table_marker = (ecs__table_listener_t){ on_table_create, on_table_delete, 0 };
    ecs__listener_add(&world->store, &world->store.listeners, &world->table_marker);
}

static const ecs_table_t *table_of(const ecs_world_t *world, uint32_t entity) {
    return ecs__entity_living_table(&world->store.entities, entity);
}

ecs_id_t ecs__id_implied(const ecs__store_t *store, ecs_id_t id, int32_t n) {
    const ecs_table_t *table = ecs__entity_living_table(&store->entities, ecs__id_trait_owner(id));
    ecs_entity_t other = table ? ecs__table_target(table, Ecs__With, n) : 0;
    return other && ECS_IS_PAIR(id) ? ecs__id_with_first(id, other) : other;
}

// Their parents list them whether they have the trait or not.
static bool has_children_by_component(const ecs__store_t *store, ecs_entity_t entity) {
    return ecs__sparse_count(ecs__children_record(store, entity));
}

// What modules lie in are modules, so that these outlive ordinary entities when the world ends.
// From the top on: each finds that its parent is one already, and does not go on from there.
static void follow_module(ecs_world_t *world, ecs_entity_t module) {
    ecs_vec_t parents; /* ecs_entity_t */
    ecs_vec_init_t(NULL, &parents, ecs_entity_t, 0);
    while ((module = ecs__parent_of(&world->store, module)) &&
           !ecs__table_has(table_of(world, (uint32_t)module), Ecs__Module))
        *ecs_vec_append_t(NULL, &parents, ecs_entity_t) = module;
    for (int32_t i = parents.count - 1; i >= 0; i--)
        ecs__add(world, *ecs_vec_get_t(&parents, ecs_entity_t, i), Ecs__Module);
    ecs_vec_fini_t(NULL, &parents, ecs_entity_t);
}

bool ecs__trait_is_of_sets(ecs_id_t id) {
    return id == Ecs__Sparse || id == Ecs__DontFragment || id == Ecs__Union ||
           id == ECS__MAKE_PAIR(Ecs__Relationship, Ecs__Sparse);
}

static bool has_trait_of_sets(const ecs_table_t *table) {
    int32_t i = 0;
    while (i < table->type.count && !ecs__trait_is_of_sets(table->type.array[i])) i++;
    return i < table->type.count;
}

void ecs__traits_changed(ecs_world_t *world, ecs_entity_t entity) {
    ecs__store_t *store = &world->store;
    store->plain_stamp += ECS__PLAIN_STEP;
    ecs_component_record_t *record = ecs__id_record_get(store, entity);
    if (!record && ecs__id_record_get(store, ECS__MAKE_PAIR(entity, Ecs__Wildcard))) {
        record = ecs__id_record_ensure(store, entity);
    }
    if (record) ecs__id_record_refresh(store, record);
    const ecs_table_t *table = table_of(world, (uint32_t)entity);
    store->has_sparse |= table && has_trait_of_sets(table);
    if (table && ecs__table_has(table, Ecs__OrderedChildren))
        ecs__children_begin(store, entity);
    else if (!table || !has_children_by_component(store, entity))
        ecs__children_end(store, entity);
    if (table && table->flags & EcsTableHasModule) follow_module(world, entity);
}
