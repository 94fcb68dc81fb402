// SPDX-License-Identifier: MIT
// world/bootstrap.c: names and traits of the builtins.
#include "support/world.h"

#include "id/builtin.h"
#include "support/check.h"

static const struct {
    ecs_entity_t id;
    const char *name;
} builtins[] = {
#define BUILTIN(name, value, text) { value, text },
#define BUILTIN_COMPONENT(name, value) { value, #name },
#include "id/builtin.def"
#undef BUILTIN
#undef BUILTIN_COMPONENT
};
#define COUNT (int)(sizeof(builtins) / sizeof(builtins[0]))

static void every_builtin_has_its_id_name_and_parent(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < COUNT; i++) {
        ecs_entity_t id = builtins[i].id, parent = EcsFlecsCore;
        if (id == EcsFlecs) parent = 0;
        if (id == EcsFlecsCore) parent = EcsFlecs;
        assert_true(ecs_is_alive(world, id));
        assert_string_equal(ecs_get_name(world, id), builtins[i].name);
        assert_id_equal(world, ecs_get_parent(world, id), parent);
        assert_id_equal(world, ecs_lookup_child(world, parent, builtins[i].name), id);
    }
    assert_id_equal(world, ecs_lookup(world, "ChildOf"), EcsChildOf);
    assert_id_equal(world, ecs_lookup(world, "flecs.core.IsA"), EcsIsA);
}

static void builtin_relationships_have_their_traits(void **state) {
    ecs_world_t *world = *state;
    const struct {
        ecs_entity_t rel;
        ecs_flags32_t flags;
    } rows[] = {
        { EcsChildOf, EcsIdExclusive | EcsIdTraversable | EcsIdPairIsTag |
                          EcsIdOnDeleteTargetDelete | EcsIdOnInstantiateDontInherit },
        { EcsIsA,
            EcsIdTraversable | EcsIdPairIsTag | EcsIdIsTransitive | EcsIdOnInstantiateInherit },
        { EcsDependsOn, EcsIdTraversable | EcsIdPairIsTag | EcsIdOnInstantiateInherit },
        { EcsOnDelete, EcsIdExclusive | EcsIdOnInstantiateDontInherit },
        { EcsSlotOf, EcsIdExclusive | EcsIdPairIsTag },
    };
    for (int i = 0; i < 5; i++) {
        ecs_flags32_t flags = ecs_id_get_flags(world, ecs_pair(rows[i].rel, EcsWildcard));
        if ((flags & rows[i].flags) != rows[i].flags) fail_msg("row %d has flags %x", i, flags);
    }
    assert_true(ecs_has_pair(world, EcsTraversable, EcsWith, EcsAcyclic));
    assert_true(ecs_has_id(world, EcsFlecs, EcsModule));
    assert_true(EcsTag == EcsPairIsTag && EcsThrow == EcsPanic);
}

static void builtin_components_have_types(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(
        ecs_get(world, ecs_id(EcsComponent), EcsComponent)->size, sizeof(EcsComponent));
    assert_int_equal(
        ecs_get(world, ecs_id(EcsIdentifier), EcsComponent)->size, sizeof(EcsIdentifier));
    assert_string_equal(ecs_get_type_info(world, ecs_id(EcsComponent))->name, "Component");
}

static void the_first_ids_are_the_same_in_every_world(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(ecs_new(world), EcsFirstUserEntityId);
    assert_int_equal(ecs_new_low_id(world), EcsFirstUserComponentId);
    ecs_world_t *other = ecs_mini();
    ecs_new(other);
    ecs_new_low_id(other);
    assert_hash_equal(ecs_world_hash(world), ecs_world_hash(other));
    ecs_fini(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(every_builtin_has_its_id_name_and_parent),
        mini_world_test(builtin_relationships_have_their_traits),
        mini_world_test(builtin_components_have_types),
        mini_world_test(the_first_ids_are_the_same_in_every_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
