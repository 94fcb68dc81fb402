// SPDX-License-Identifier: MIT
#include "world/bootstrap.h"

#include "base/bisect.h"
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

enum { MAX_TRAITS = 8 };
typedef struct traits_t {
    ecs_entity_t entity;
    ecs_id_t ids[MAX_TRAITS];
} traits_t;

#define PAIR(first, second) ECS__MAKE_PAIR(Ecs__##first, Ecs__##second)

// By entity. What implied traits would bring (With) is written out.
static const traits_t traits[] = {
    { Ecs__Component, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Identifier, { PAIR(OnInstantiate, DontInherit), Ecs__Relationship } },
    { Ecs__Poly, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Parent, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__ParentDepth, { Ecs__Exclusive, PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Query, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Observer, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__System, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Flecs, { Ecs__Module, Ecs__Singleton, PAIR(OnDelete, Panic) } },
    { Ecs__FlecsCore, { Ecs__Module, Ecs__Singleton } },
    { Ecs__Module, { PAIR(With, Singleton), PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Prefab, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__Disabled, { PAIR(OnInstantiate, DontInherit) } },
    { Ecs__SlotOf,
        { Ecs__Exclusive, Ecs__PairIsTag, PAIR(OnInstantiate, DontInherit), Ecs__Relationship } },
    { Ecs__Wildcard, { Ecs__NotQueryable } },
    { Ecs__Any, { Ecs__NotQueryable } },
    { Ecs__This, { Ecs__NotQueryable } },
    { Ecs__Variable, { Ecs__NotQueryable } },
    { Ecs__Transitive, { PAIR(With, Traversable), Ecs__Trait } },
    { Ecs__Reflexive, { Ecs__Trait } },
    { Ecs__Symmetric, { Ecs__Trait } },
    { Ecs__Final, { PAIR(OnInstantiate, DontInherit), Ecs__Trait } },
    { Ecs__Inheritable, { Ecs__Trait } },
    { Ecs__Singleton, { Ecs__Trait } },
    { Ecs__OnInstantiate, { Ecs__Exclusive, Ecs__Relationship, Ecs__Trait } },
    { Ecs__Override, { Ecs__Target } },
    { Ecs__Inherit, { Ecs__Target } },
    { Ecs__DontInherit, { Ecs__Trait } },
    { Ecs__PairIsTag, { Ecs__Trait } },
    { Ecs__Exclusive, { PAIR(OnInstantiate, DontInherit), Ecs__Trait } },
    { Ecs__Acyclic, { Ecs__Trait } },
    { Ecs__Traversable, { PAIR(With, Acyclic), Ecs__Trait } },
    { Ecs__With, { Ecs__PairIsTag, Ecs__Acyclic, Ecs__Relationship, Ecs__Trait } },
    { Ecs__OneOf, { Ecs__Exclusive, Ecs__Trait } },
    { Ecs__CanToggle, { Ecs__Trait } },
    { Ecs__Trait, { Ecs__Trait } },
    { Ecs__Relationship, { Ecs__Trait } },
    { Ecs__Target, { Ecs__Trait } },
    { Ecs__ChildOf, { Ecs__Exclusive, Ecs__PairIsTag, Ecs__Traversable, Ecs__Acyclic,
                        PAIR(OnDeleteTarget, Delete), PAIR(OnInstantiate, DontInherit),
                        Ecs__Relationship, Ecs__Trait } },
    { Ecs__IsA, { Ecs__PairIsTag, Ecs__Traversable, Ecs__Acyclic, Ecs__Transitive, Ecs__Reflexive,
                    PAIR(OnInstantiate, Inherit), Ecs__Relationship, Ecs__Trait } },
    { Ecs__DependsOn, { Ecs__PairIsTag, Ecs__Traversable, Ecs__Acyclic,
                          PAIR(OnInstantiate, Inherit), Ecs__Relationship } },
    { Ecs__OnDelete,
        { Ecs__Exclusive, PAIR(OnInstantiate, DontInherit), Ecs__Relationship, Ecs__Trait } },
    { Ecs__OnDeleteTarget, { Ecs__Exclusive, Ecs__Relationship, Ecs__Trait } },
    { Ecs__Sparse, { Ecs__Trait } },
    { Ecs__DontFragment, { PAIR(With, Sparse), PAIR(OnInstantiate, DontInherit), Ecs__Trait } },
    { Ecs__OrderedChildren, { PAIR(OnInstantiate, Override), Ecs__Trait } },
    { Ecs__Union, { Ecs__Trait } },
};
// They decide about the pairs of all others, and have their traits before any pair is made of them.
static const ecs_entity_t relationships[] = { Ecs__OnInstantiate, Ecs__OnDelete,
    Ecs__OnDeleteTarget, Ecs__With, Ecs__Identifier, Ecs__ChildOf };

#define COUNT_OF(array) (int32_t)(sizeof(array) / sizeof((array)[0]))

static void place_all(ecs_world_t *world) {
    for (int32_t i = 0; i < COUNT_OF(builtins); i++) ecs__create_exact(world, builtins[i].id);
}

// Ids of a type to be.
typedef struct ids_t {
    ecs_id_t array[MAX_TRAITS + 4];
    int32_t count;
} ids_t;

// They are few.
static void add_id(ids_t *ids, ecs_id_t id) {
    int32_t at = ids->count++;
    for (; at > 0 && ids->array[at - 1] > id; at--) ids->array[at] = ids->array[at - 1];
    ids->array[at] = id;
}

static void list_traits(ids_t *ids, ecs_entity_t entity) {
    ids->count = 0;
    ecs__bisect_t search = ecs__bisect(0, COUNT_OF(traits));
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(&search, traits[search.at].entity < entity);
    if (search.low == COUNT_OF(traits) || traits[search.low].entity != entity) return;
    const ecs_id_t *own = traits[search.low].ids;
    for (int32_t i = 0; i < MAX_TRAITS && own[i]; i++) add_id(ids, own[i]);
}

// The entity goes straight to the table with the ids.
static void move_to(ecs_world_t *world, ecs_entity_t entity, const ids_t *ids) {
    ecs_table_t *table = ecs__table_ensure(&world->store, ids->array, ids->count);
    ecs__transition(world, entity, table, NULL, 0);
}

static void begin_relationships(ecs_world_t *world) {
    for (int32_t i = 0; i < COUNT_OF(relationships); i++) {
        ids_t ids;
        list_traits(&ids, relationships[i]);
        move_to(world, relationships[i], &ids);
    }
}

// As if the pair was set: nobody else hears of it yet, and what its hook finds out is known.
static void set_name(ecs_world_t *world, const builtin_t *builtin, ecs_entity_t scope) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, builtin->id);
    const ecs_table_t *table = spot.table;
    const int32_t column = ecs__table_column(table, PAIR(Identifier, Name));
    const EcsIdentifier name = { .value = ECS_CONST_CAST(char *, builtin->name) };
    ecs__value_copy(
        table->columns[column].type_info, ecs__table_cell(table, column, spot.row), &name, 1);
    ecs__names_on_set(world, builtin->id, ECS__NAME, scope, builtin->name);
}

static void set_component(ecs_world_t *world, const builtin_t *builtin, ecs_type_info_t *type) {
    EcsComponent value = { type->size, type->alignment };
    ecs__set_copy(world, builtin->id, Ecs__Component, &value);
    type->name = ecs_os_strdup(builtin->name);
}

static void describe(ecs_world_t *world, const builtin_t *builtin) {
    ecs_entity_t entity = builtin->id;
    ecs_type_info_t *type = ecs__type_info_get(&world->store, entity);
    const ecs_entity_t scope = entity == Ecs__Flecs       ? 0
                               : entity == Ecs__FlecsCore ? Ecs__Flecs
                                                          : Ecs__FlecsCore;
    ids_t ids;
    list_traits(&ids, entity);
    add_id(&ids, PAIR(Identifier, Name));
    if (scope) add_id(&ids, ECS__MAKE_PAIR(Ecs__ChildOf, scope));
    if (type) add_id(&ids, Ecs__Component);
    if (type) add_id(&ids, Ecs__Final);
    move_to(world, entity, &ids);
    set_name(world, builtin, scope);
    if (type) set_component(world, builtin, type);
}

void ecs__bootstrap(ecs_world_t *world) {
    ecs_stage_t *stage = world->stages[0];
    ecs__defer_bracket_begin(stage);
    place_all(world);
    ecs__component_bootstrap(world);
    ecs__names_bootstrap(world);
    ecs__poly_bootstrap(world);
    ecs__parent_bootstrap(world);
    ecs__type_info_declare_t(&world->store, Ecs__DefaultChildComponent, EcsDefaultChildComponent);
    begin_relationships(world);
    for (int32_t i = 0; i < COUNT_OF(builtins); i++) describe(world, &builtins[i]);
    ecs__defer_bracket_end(stage);
    world->store.entities.last_low_id = ECS__FIRST_USER_COMPONENT - 1;
    world->info.last_component_id = 0;
}
