// SPDX-License-Identifier: MIT
#include "world/bootstrap.h"

#include "mutate/mutate.h"
#include "mutate/parent.h"
#include "world/component.h"
#include "world/poly.h"
#include "world/state.h"

typedef struct builtin_t {
    ecs_entity_t id;
    const char *name;
} builtin_t;

static const builtin_t builtins[] = {
#define BUILTIN(name, value, text) { value, text },
#define BUILTIN_COMPONENT(name, value) { value, #name },
#include "id/builtin.def"
#undef BUILTIN
#undef BUILTIN_COMPONENT
};

typedef struct trait_t {
    ecs_entity_t entity;
    ecs_id_t trait;
} trait_t;

#define PAIR(first, second) ECS__MAKE_PAIR(Ecs__##first, Ecs__##second)

// In this order: a relationship gets what decides about its pairs before its first pair is made.
static const trait_t traits[] = {
    { Ecs__OnInstantiate, Ecs__Exclusive },
    { Ecs__OnDelete, Ecs__Exclusive },
    { Ecs__OnDeleteTarget, Ecs__Exclusive },
    { Ecs__OneOf, Ecs__Exclusive },
    { Ecs__ChildOf, Ecs__Exclusive },
    { Ecs__SlotOf, Ecs__Exclusive },
    { Ecs__ParentDepth, Ecs__Exclusive },
    { Ecs__ChildOf, Ecs__PairIsTag },
    { Ecs__IsA, Ecs__PairIsTag },
    { Ecs__DependsOn, Ecs__PairIsTag },
    { Ecs__SlotOf, Ecs__PairIsTag },
    { Ecs__With, Ecs__PairIsTag },
    { Ecs__With, Ecs__Acyclic },
    { Ecs__ChildOf, Ecs__Traversable },
    { Ecs__IsA, Ecs__Traversable },
    { Ecs__DependsOn, Ecs__Traversable },
    { Ecs__ChildOf, Ecs__Acyclic },
    { Ecs__IsA, Ecs__Acyclic },
    { Ecs__DependsOn, Ecs__Acyclic },
    { Ecs__IsA, Ecs__Transitive },
    { Ecs__IsA, Ecs__Reflexive },
    { Ecs__Traversable, PAIR(With, Acyclic) },
    { Ecs__Transitive, PAIR(With, Traversable) },
    { Ecs__DontFragment, PAIR(With, Sparse) },
    { Ecs__ChildOf, PAIR(OnDeleteTarget, Delete) },
    { Ecs__ChildOf, PAIR(OnInstantiate, DontInherit) },
    { Ecs__IsA, PAIR(OnInstantiate, Inherit) },
    { Ecs__DependsOn, PAIR(OnInstantiate, Inherit) },
    { Ecs__OnDelete, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Identifier, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Component, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Prefab, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Disabled, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Module, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Exclusive, PAIR(OnInstantiate, DontInherit) },
    { Ecs__DontFragment, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Final, PAIR(OnInstantiate, DontInherit) },
    { Ecs__SlotOf, PAIR(OnInstantiate, DontInherit) },
    { Ecs__OrderedChildren, PAIR(OnInstantiate, Override) },
    { Ecs__System, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Query, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Observer, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Poly, PAIR(OnInstantiate, DontInherit) },
    { Ecs__Parent, PAIR(OnInstantiate, DontInherit) },
    { Ecs__ParentDepth, PAIR(OnInstantiate, DontInherit) },
    { Ecs__ChildOf, Ecs__Relationship },
    { Ecs__IsA, Ecs__Relationship },
    { Ecs__DependsOn, Ecs__Relationship },
    { Ecs__SlotOf, Ecs__Relationship },
    { Ecs__With, Ecs__Relationship },
    { Ecs__OnDelete, Ecs__Relationship },
    { Ecs__OnDeleteTarget, Ecs__Relationship },
    { Ecs__OnInstantiate, Ecs__Relationship },
    { Ecs__Identifier, Ecs__Relationship },
    { Ecs__ChildOf, Ecs__Trait },
    { Ecs__IsA, Ecs__Trait },
    { Ecs__OnDelete, Ecs__Trait },
    { Ecs__OnDeleteTarget, Ecs__Trait },
    { Ecs__OnInstantiate, Ecs__Trait },
    { Ecs__Override, Ecs__Target },
    { Ecs__Inherit, Ecs__Target },
    { Ecs__DontInherit, Ecs__Trait },
    { Ecs__Flecs, Ecs__Module },
    { Ecs__FlecsCore, Ecs__Module },
    { Ecs__Flecs, PAIR(OnDelete, Panic) },
    { Ecs__This, Ecs__NotQueryable },
    { Ecs__Wildcard, Ecs__NotQueryable },
    { Ecs__Any, Ecs__NotQueryable },
    { Ecs__Variable, Ecs__NotQueryable },
};

// Entities that are traits themselves say so.
static const ecs_entity_t trait_entities[] = { Ecs__Transitive, Ecs__Reflexive, Ecs__Symmetric,
    Ecs__Final, Ecs__Inheritable, Ecs__Singleton, Ecs__PairIsTag, Ecs__Exclusive, Ecs__Acyclic,
    Ecs__Traversable, Ecs__With, Ecs__OneOf, Ecs__CanToggle, Ecs__Trait, Ecs__Relationship,
    Ecs__Target, Ecs__Sparse, Ecs__DontFragment, Ecs__OrderedChildren, Ecs__Union };

#define COUNT_OF(array) (int32_t)(sizeof(array) / sizeof((array)[0]))

static void place_all(ecs_world_t *world) {
    for (int32_t i = 0; i < COUNT_OF(builtins); i++) ecs__create_exact(world, builtins[i].id);
}

static void add_traits(ecs_world_t *world) {
    for (int32_t i = 0; i < COUNT_OF(traits); i++)
        ecs__add(world, traits[i].entity, traits[i].trait);
    for (int32_t i = 0; i < COUNT_OF(trait_entities); i++) {
        ecs__add(world, trait_entities[i], Ecs__Trait);
    }
}

static void set_component(ecs_world_t *world, ecs_entity_t component) {
    const ecs_type_info_t *type = ecs__type_info_get(&world->store, component);
    EcsComponent value = { type->size, type->alignment };
    ecs__set_copy(world, component, Ecs__Component, &value);
    ecs__add(world, component, Ecs__Final);
}

static void set_name(ecs_world_t *world, const builtin_t *builtin) {
    EcsIdentifier name = { .value = ECS_CONST_CAST(char *, builtin->name),
        .length = ecs_os_strlen(builtin->name) };
    ecs__set_copy(world, builtin->id, PAIR(Identifier, Name), &name);
    ecs_type_info_t *type = ecs__type_info_get(&world->store, builtin->id);
    if (type) type->name = ecs_os_strdup(builtin->name);
}

static void set_names(ecs_world_t *world) {
    for (int32_t i = 0; i < COUNT_OF(builtins); i++) {
        ecs_entity_t id = builtins[i].id;
        if (id == Ecs__FlecsCore)
            ecs__add(world, id, PAIR(ChildOf, Flecs));
        else if (id != Ecs__Flecs)
            ecs__add(world, id, PAIR(ChildOf, FlecsCore));
        set_name(world, &builtins[i]);
    }
}

void ecs__bootstrap(ecs_world_t *world) {
    ecs_stage_t *stage = world->stages[0];
    ecs__defer_bracket_begin(stage);
    place_all(world);
    ecs__component_bootstrap(world);
    ecs__names_bootstrap(world);
    ecs__poly_bootstrap(world);
    ecs__parent_bootstrap(world);
    ecs_type_info_t *hint = ecs__type_info_ensure(&world->store, Ecs__DefaultChildComponent);
    hint->size = ECS_SIZEOF(EcsDefaultChildComponent);
    hint->alignment = (ecs_size_t)ECS_ALIGNOF(EcsDefaultChildComponent);
    add_traits(world);
    set_component(world, Ecs__Component);
    set_component(world, Ecs__Identifier);
    set_component(world, Ecs__Poly);
    set_component(world, Ecs__Parent);
    set_component(world, Ecs__DefaultChildComponent);
    set_names(world);
    ecs__defer_bracket_end(stage);
    world->store.entities.last_low_id = ECS__FIRST_USER_COMPONENT - 1;
    world->info.last_component_id = 0;
}
