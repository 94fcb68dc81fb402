// SPDX-License-Identifier: MIT
// Misuse is refused before anything changes: with checks that do not abort, calls return an error value and the world is as before.
// ENT-12, NAM-03
#include "support/world.h"

#ifdef FLECS_DEBUG

typedef struct Value {
    int32_t number;
} Value;
static ECS_COMPONENT_DECLARE(Value);

static void carry_on(void) {}

static int setup(void **state) {
    ecs_os_api.abort_ = carry_on;
    ecs_log_set_level(-5);
    if (world_setup_(state)) return -1;
    ecs_world_t *world = *state;
    ECS_COMPONENT_DEFINE(world, Value);
    return 0;
}

// Two that were alive once; the number of the first is that of another by now.
static ecs_entity_t dead_again(ecs_world_t *world) {
    ecs_entity_t dead = ecs_new(world);
    ecs_delete(world, dead);
    ecs_entity_t other = ecs_new(world);
    assert_int_equal((uint32_t)other, (uint32_t)dead);
    return dead;
}

static void who_is_dead_is_made_nothing(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t dead = dead_again(world);
    const uint64_t before = ecs_world_hash(world);
    assert_int_equal(
        ecs_component(world, { .entity = dead, .type = { .size = 4, .alignment = 4 } }), 0);
    assert_int_equal(ecs_entity(world, { .id = dead, .name = "one" }), 0);
    assert_int_equal(ecs_add_path_w_sep(world, dead, 0, "one.two", ".", NULL), 0);
    ecs_set_alias(world, dead, "other");
    ecs_set_symbol(world, dead, "symbol");
    ecs_defer_begin(world);
    ecs_set_alias(world, dead, "other");
    ecs_set_symbol(world, dead, "symbol");
    ecs_defer_end(world);
    assert_int_equal(ecs_lookup(world, "one"), 0);
    assert_int_equal(ecs_lookup(world, "other"), 0);
    assert_int_equal(ecs_lookup_symbol(world, "symbol", false, false), 0);
    assert_true(ecs_world_hash(world) == before);
}

static void what_is_no_entity_does_not_come_alive(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t wrong[] = { (uint64_t)1 << 32, UINT32_MAX, ecs_pair(EcsChildOf, EcsWorld),
        ECS_TOGGLE | ecs_id(Value), dead_again(world) };
    const uint64_t before = ecs_world_hash(world);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ecs_make_alive(world, wrong[i]);
        assert_int_equal(ecs_entity(world, { .id = wrong[i] }), 0);
        assert_null(
            ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = 1,
                                     .entities = ECS_CONST_CAST(ecs_entity_t *, &wrong[i]) }));
    }
    ecs_entity_t twice[] = { 5000, 5000 }, none = 0;
    assert_null(ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = 2, .entities = twice }));
    assert_null(ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = 1, .entities = &none }));
    assert_true(ecs_world_hash(world) == before);
}

static void nobody_is_below_a_wildcard(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(ecs_set_scope(world, EcsWildcard), 0);
    assert_int_equal(ecs_get_scope(world), 0);
    assert_int_equal(ecs_set_with(world, ecs_pair(EcsChildOf, EcsAny)), 0);
    assert_int_equal(ecs_get_with(world), 0);
    assert_int_equal(ecs_new_from_path_w_sep(world, EcsWildcard, "one", ".", NULL), 0);
    assert_int_equal(ecs_entity(world, { .name = "one", .parent = EcsWildcard }), 0);
    ecs_entity_t near = ecs_new_w_id(world, EcsSymmetric), e = ecs_new(world);
    ecs_add_pair(world, EcsWildcard, near, e);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    const ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_new_w_pair(world, EcsChildOf, prefab);
    ecs_add_pair(world, EcsAny, EcsIsA, prefab); /* whose children it would get */
    assert_false(ecs_has_pair(world, EcsAny, EcsIsA, prefab));
    assert_true(ecs_world_verify(world));
}

static void nobody_has_a_wildcard_as_a_component(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t wildcards[] = { EcsWildcard, EcsAny };
    const ecs_entity_t tag = ecs_new(world), parent = ecs_new_w_id(world, EcsOrderedChildren);
    ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_new_w_pair(world, tag, EcsChildOf);
    for (int i = 0; i < 2; i++) {
        ecs_component(world, { .entity = wildcards[i], .type = { 8, 8 } });
        ecs_set(world, wildcards[i], EcsComponent, { 4, 4 });
        assert_null(ecs_get_type_info(world, wildcards[i]));
        assert_null(ecs_get_type_info(world, ecs_pair(tag, wildcards[i])));
        ecs_add_id(world, wildcards[i], EcsOrderedChildren);
        assert_false(ecs_has_id(world, wildcards[i], EcsOrderedChildren));
        ecs_add_pair(world, wildcards[i], EcsIsA, parent);
        assert_false(ecs_has_id(world, wildcards[i], EcsOrderedChildren));
        ecs_add_id(world, wildcards[i], EcsPrefab);
        assert_true(ecs_world_verify(world));
    }
}

static void builtins_stay(void **state) {
    ecs_world_t *world = *state;
    const uint64_t before = ecs_world_hash(world);
    ecs_table_clear_entities(world, ecs_get_table(world, EcsWildcard));
    ecs_table_clear_entities(world, ecs_get_table(world, ecs_id(EcsComponent)));
    assert_true(ecs_world_hash(world) == before);
}

static int32_t told;
static void on_change(ecs_iter_t *it) { told += it->count; }

// Nothing waits for an observer whose entity could not be changed.
static void an_observer_without_a_place_is_none(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t entity = ecs_new_w(world, Value);
    ecs_table_t *table = ecs_get_table(world, entity);
    ecs_observer_desc_t desc = { .entity = entity,
        .query.terms = { { .id = ecs_id(Value) } },
        .events = { EcsOnAdd },
        .callback = on_change };
    told = 0;
    ecs_table_lock(world, table);
    assert_int_equal(ecs_observer_init(world, &desc), 0);
    ecs_table_unlock(world, table);
    ecs_new_w(world, Value);
    assert_int_equal(told, 0);
    assert_null(ecs_observer_get(world, entity));
    assert_int_equal(ecs_observer_init(world, &desc), entity);
    ecs_new_w(world, Value);
    assert_int_equal(told, 1);
}

static ecs_entity_t other;

static void merge_again(ecs_iter_t *it) {
    ecs_add(it->world, other, Value);
    ecs_merge(it->world);
}

// What is applied is one queue after the other.
static void merges_are_not_nested(void **state) {
    ecs_world_t *world = *state;
    other = ecs_new(world);
    ecs_entity_t tag = ecs_new(world), e = ecs_new(world), rel = ecs_new(world);
    ecs_observer(world,
        { .query.terms = { { .id = tag } }, .events = { EcsOnAdd }, .callback = merge_again });
    ecs_defer_begin(world);
    ecs_add_id(world, e, tag);
    ecs_add_pair(world, other, rel, e);
    ecs_defer_end(world);
    assert_true(ecs_has(world, other, Value) && ecs_has_pair(world, other, rel, e));
}

static void no_copy_is_made_of_nobody(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t beside = ecs_new_w_id(world, EcsDontFragment);
    const ecs_entity_t e = ecs_new_w_id(world, beside);
    ecs_readonly_begin(world, true);
    assert_int_equal(ecs_clone(ecs_get_stage(world, 0), 0, e, false), 0);
    ecs_readonly_end(world);
    assert_int_equal(ecs_count_id(world, beside), 1);
}

static void no_relationship_has_that_many_targets(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t rel = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, rel, ecs_new(world));
    assert_int_equal(ecs_get_target(world, e, rel, INT32_MAX), 0);
    assert_int_equal(ecs_table_get_target(world, ecs_get_table(world, e), rel, INT32_MAX), 0);
}

static void delete_other(ecs_iter_t *it) { ecs_delete(it->world, other); }

// Who hears of what is made on the way deletes whom it is for.
static void paths_for_the_dead_lead_nowhere(void **state) {
    ecs_world_t *world = *state;
    ecs_observer(world, { .query.terms = { { ecs_pair(ecs_id(EcsIdentifier), EcsName) } },
                            .events = { EcsOnAdd },
                            .callback = delete_other });
    other = ecs_new(world);
    assert_int_equal(ecs_add_path_w_sep(world, other, 0, "way.end", ".", NULL), 0);
    assert_false(ecs_is_alive(world, other));
    assert_int_equal(ecs_lookup(world, "way.end"), 0);
}

static void hash_world(ecs_iter_t *it) {
    told++;
    ecs_world_hash(it->world);
}

// A parent that is written, and cannot be one, gives way to the one before.
static void a_parent_that_cannot_be_leaves_the_one_before(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), child = ecs_new(world);
    ecs_set(world, child, EcsParent, { parent });
    ecs_get_mut(world, child, EcsParent)->value = child;
    ecs_modified(world, child, EcsParent);
    assert_int_equal(ecs_get(world, child, EcsParent)->value, parent);
    assert_true(ecs_has_pair(world, child, EcsChildOf, parent));
    assert_true(ecs_world_verify(world));
}

static void what_is_not_supported_cannot_be_added(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t entity = ecs_new(world);
    ecs_add_id(world, entity, ecs_id(EcsTreeSpawner));
    assert_false(ecs_has_id(world, entity, ecs_id(EcsTreeSpawner)));
}

// Who hears of it before it is judged may look.
static void worlds_with_cycles_have_a_hash(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t a = ecs_new(world), b = ecs_new(world), tag = ecs_new(world);
    ecs_observer(world,
        { .query.terms = { { .id = tag } }, .events = { EcsOnAdd }, .callback = hash_world });
    told = 0;
    ecs_defer_begin(world);
    ecs_add_pair(world, a, EcsChildOf, b);
    ecs_add_pair(world, b, EcsChildOf, a);
    ecs_add_id(world, ecs_new(world), tag);
    ecs_defer_end(world);
    assert_int_equal(told, 1);
    assert_false(ecs_has_pair(world, a, EcsChildOf, b) && ecs_has_pair(world, b, EcsChildOf, a));
}

#define T(f) cmocka_unit_test_setup_teardown(f, setup, world_teardown_)

int main(void) {
    const struct CMUnitTest tests[] = {
        T(who_is_dead_is_made_nothing),
        T(what_is_no_entity_does_not_come_alive),
        T(nobody_is_below_a_wildcard),
        T(nobody_has_a_wildcard_as_a_component),
        T(builtins_stay),
        T(merges_are_not_nested),
        T(worlds_with_cycles_have_a_hash),
        T(no_copy_is_made_of_nobody),
        T(no_relationship_has_that_many_targets),
        T(paths_for_the_dead_lead_nowhere),
        T(an_observer_without_a_place_is_none),
        T(a_parent_that_cannot_be_leaves_the_one_before),
        T(what_is_not_supported_cannot_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void) { return 0; } // without checks there is nothing to refuse
#endif
