// SPDX-License-Identifier: MIT
#include "world/bootstrap.h"

#include <stdlib.h>

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

enum { MAX_TRAITS = 10 };
typedef struct traits_t {
    ecs_entity_t entity;
    ecs_id_t ids[MAX_TRAITS];
} traits_t;

#define PAIR(first, second) ECS__MAKE_PAIR(Ecs__##first, Ecs__##second)

// What implied traits would bring (With) is written out.
static const traits_t traits[] = {
    { Ecs__OnInstantiate, { Ecs__Exclusive, Ecs__Relationship, Ecs__Trait } },
    { Ecs__OnDelete,
        { Ecs__Exclusive, PAIR(OnInstantiate, DontInherit), Ecs__Relationship, Ecs__Trait } },
    { Ecs__OnDeleteTarget, { Ecs__Exclusive, Ecs__Relationship, Ecs__Trait } },
    { Ecs__With, { Ecs__PairIsTag, Ecs__Acyclic, Ecs__Relationship, Ecs__Trait } },
    { Ecs__Identifier, { PAIR(OnInstantiate, DontInherit), Ecs__Relationship } },
    { Ecs__ChildOf, { Ecs__Exclusive, Ecs__PairIsTag, Ecs__Traversable, Ecs__Acyclic,
                        PAIR(OnDeleteTarget, Delete), PAIR(OnInstantiate, DontInherit),
                        Ecs__Relationship, Ecs__Trait } },
    { Ecs__OneOf, { Ecs__Exclusive, Ecs__Trait } },
    { Ecs__SlotOf,
        { Ecs__Exclusive, Ecs__PairIsTag, PAIR(OnInstantiate, DontInherit), Ecs__Relationship } },
    { Ecs__ParentDepth, { Ecs__Exclusive, PAIR(OnInstantiate, DontInherit) } },
    { Ecs__IsA, { Ecs__PairIsTag, Ecs__Traversable, Ecs__Acyclic, Ecs__Transitive, Ecs__Reflexive,
                    PAIR(OnInstantiate, Inherit), Ecs__Relationship, Ecs__Trait } },
    { Ecs__DependsOn, { Ecs__PairIsTag, Ecs__Traversable, Ecs__Acyclic,
                          PAIR(OnInstantiate, Inherit), Ecs__Relationship } },
    { Ecs__Traversable, { PAIR(With, Acyclic), Ecs__Trait } },
    { Ecs__Transitive, { PAIR(With, Traversable), Ecs__Trait } },
    { Ecs__DontFragment, { PAIR(With, Sparse), PAIR(OnInstantiate, DontInherit), Ecs__Trait } },
    { Ecs__Component, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Prefab, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Disabled, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Module, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Exclusive, { PAIR(OnInstantiate, DontInherit), Ecs__Trait } },
    { Ecs__Final, { PAIR(OnInstantiate, DontInherit), Ecs__Trait } },
    { Ecs__OrderedChildren, { PAIR(OnInstantiate, Override), Ecs__Trait } },
    { Ecs__System, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Query, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Observer, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Poly, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Parent, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Override, { Ecs__Target } },
    { Ecs__Inherit, { Ecs__Target } },
    { Ecs__DontInherit, { Ecs__Trait } },
    { Ecs__Flecs, { Ecs__Module, PAIR(OnDelete, Panic) } },
    { Ecs__FlecsCore, { Ecs__Module } },
    { Ecs__This, { Ecs__NotQueryable } },
    { Ecs__Wildcard, { Ecs__NotQueryable } },
    { Ecs__Any, { Ecs__NotQueryable } },
    { Ecs__Variable, { Ecs__NotQueryable } },
    { Ecs__Reflexive, { Ecs__Trait } },
    { Ecs__Symmetric, { Ecs__Trait } },
    { Ecs__Inheritable, { Ecs__Trait } },
    { Ecs__Singleton, { Ecs__Trait } },
    { Ecs__PairIsTag, { Ecs__Trait } },
    { Ecs__Acyclic, { Ecs__Trait } },
    { Ecs__CanToggle, { Ecs__Trait } },
    { Ecs__Trait, { Ecs__Trait } },
    { Ecs__Relationship, { Ecs__Trait } },
    { Ecs__Target, { Ecs__Trait } },
    { Ecs__Sparse, { Ecs__Trait } },
    { Ecs__Union, { Ecs__Trait } },
};
// The first ones decide about the pairs of all others, and have their traits before any pair is made of them.
enum { RELATIONSHIPS = 6 };

#define COUNT_OF(array) (int32_t)(sizeof(array) / sizeof((array)[0]))

static void place_all(ecs_world_t *world) {
    for (int32_t i = 0; i < COUNT_OF(builtins); i++) ecs__create_exact(world, builtins[i].id);
}

static int compare_ids(const void *a, const void *b) {
    ecs_id_t left = *(const ecs_id_t *)a, right = *(const ecs_id_t *)b;
    return (left > right) - (left < right);
}

// The entity goes straight to the table with the ids.
static void move_to(ecs_world_t *world, ecs_entity_t entity, ecs_id_t *ids, int32_t count) {
    qsort(ids, (size_t)count, sizeof(ecs_id_t), compare_ids);
    ecs__transition(world, entity, ecs__table_ensure(&world->store, ids, count), NULL, 0);
}

static int32_t list_traits(ecs_entity_t entity, ecs_id_t *ids) {
    int32_t count = 0, at = 0;
    while (at < COUNT_OF(traits) && traits[at].entity != entity) at++;
    while (at < COUNT_OF(traits) && count < MAX_TRAITS && traits[at].ids[count]) {
        ids[count] = traits[at].ids[count];
        count++;
    }
    return count;
}

static void begin_relationships(ecs_world_t *world) {
    ecs_id_t ids[MAX_TRAITS];
    for (int32_t i = 0; i < RELATIONSHIPS; i++)
        move_to(world, traits[i].entity, ids, list_traits(traits[i].entity, ids));
}

static void set_values(ecs_world_t *world, const builtin_t *builtin, ecs_type_info_t *type) {
    EcsIdentifier name = { .value = ECS_CONST_CAST(char *, builtin->name),
        .length = ecs_os_strlen(builtin->name) };
    ecs__set_copy(world, builtin->id, PAIR(Identifier, Name), &name);
    if (!type) return;
    EcsComponent value = { type->size, type->alignment };
    ecs__set_copy(world, builtin->id, Ecs__Component, &value);
    type->name = ecs_os_strdup(builtin->name);
}

static void describe(ecs_world_t *world, const builtin_t *builtin) {
    ecs_entity_t entity = builtin->id;
    ecs_type_info_t *type = ecs__type_info_get(&world->store, entity);
    ecs_id_t ids[MAX_TRAITS + 4];
    int32_t count = list_traits(entity, ids);
    ids[count++] = PAIR(Identifier, Name);
    if (entity == Ecs__FlecsCore)
        ids[count++] = PAIR(ChildOf, Flecs);
    else if (entity != Ecs__Flecs)
        ids[count++] = PAIR(ChildOf, FlecsCore);
    if (type) ids[count++] = Ecs__Component;
    if (type) ids[count++] = Ecs__Final;
    move_to(world, entity, ids, count);
    set_values(world, builtin, type);
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
    begin_relationships(world);
    for (int32_t i = 0; i < COUNT_OF(builtins); i++) describe(world, &builtins[i]);
    ecs__defer_bracket_end(stage);
    world->store.entities.last_low_id = ECS__FIRST_USER_COMPONENT - 1;
    world->info.last_component_id = 0;
}
