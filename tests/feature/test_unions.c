// SPDX-License-Identifier: MIT
// Union relationships: one current target, kept beside tables: features.md area UNI, without queries.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

typedef struct Speed {
    float value;
} Speed;

static ecs_entity_t Movement, Walking, Running;

static void use(ecs_world_t *world) {
    Movement = ecs_entity(world, { .name = "Movement" });
    Walking = ecs_entity(world, { .name = "Walking" });
    Running = ecs_entity(world, { .name = "Running" });
    ecs_add_id(world, Movement, EcsUnion);
}

// UNI-01, UNI-03
static void a_new_target_replaces_the_old_one_in_place(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world);
    ecs_add_pair(world, e, Movement, Running);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_add_pair(world, e, Movement, Walking);
    assert_true(ecs_has_pair(world, e, Movement, Walking));
    assert_false(ecs_has_pair(world, e, Movement, Running));
    assert_true(ecs_has_pair(world, e, Movement, EcsWildcard));
    assert_true(ecs_has_pair(world, e, EcsWildcard, Walking));
    assert_true(ecs_owns_pair(world, e, Movement, Walking));
    assert_id_equal(world, ecs_get_target(world, e, Movement, 0), Walking);
    assert_int_equal(ecs_get_target(world, e, Movement, 1), 0);
    assert_ptr_equal(ecs_get_table(world, e), table);
    assert_int_equal(ecs_count_id(world, ecs_pair(Movement, Walking)), 1);
    assert_int_equal(ecs_count_id(world, ecs_pair(Movement, Running)), 0);
    assert_int_equal(ecs_count_id(world, ecs_pair(Movement, EcsWildcard)), 1);
}

// UNI-02, PRF-10
static void targets_share_one_table(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t first = ecs_new_w_pair(world, Movement, Walking);
    int64_t tables = ecs_get_world_info(world)->table_count;
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new(world), target = ecs_new(world);
        ecs_add_pair(world, e, Movement, target);
        assert_ptr_equal(ecs_get_table(world, e), ecs_get_table(world, first));
        assert_id_equal(world, ecs_get_target(world, e, Movement, 0), target);
    }
    assert_int_equal(ecs_get_world_info(world)->table_count, tables);
    assert_int_equal(ecs_count_id(world, ecs_pair(Movement, EcsWildcard)), 101);
}

// UNI-07
static void removing_another_target_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new_w_pair(world, Movement, Walking);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_remove_pair(world, e, Movement, Running);
    assert_true(ecs_has_pair(world, e, Movement, Walking));
    assert_ptr_equal(ecs_get_table(world, e), table);
    ecs_remove_pair(world, e, Movement, Walking);
    assert_false(ecs_has_pair(world, e, Movement, EcsWildcard));
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    ecs_add_pair(world, e, Movement, Running);
    ecs_remove_pair(world, e, Movement, EcsWildcard);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    assert_int_equal(ecs_get_target(world, e, Movement, 0), 0);
}

// UNI-08
static void targets_and_relationships_can_be_deleted(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = ecs_new_w_pair(world, Movement, Walking);
    ecs_entity_t b = ecs_new_w_pair(world, Movement, Running);
    ecs_delete(world, Walking);
    assert_true(ecs_is_alive(world, a));
    assert_int_equal(ecs_get_type(world, a)->count, 0);
    assert_id_equal(world, ecs_get_target(world, b, Movement, 0), Running);
    ecs_delete(world, Movement);
    assert_int_equal(ecs_get_type(world, b)->count, 0);
    assert_true(ecs_is_alive(world, Running));
}

// UNI-08
static void holders_are_deleted_as_the_policies_say(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_pair(world, Movement, EcsOnDeleteTarget, EcsDelete);
    ecs_add_pair(world, Movement, EcsOnDelete, EcsDelete);
    ecs_entity_t a = ecs_new_w_pair(world, Movement, Walking);
    ecs_entity_t on_a = ecs_new_w_pair(world, Movement, a);
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, on_a);
    ecs_entity_t b = ecs_new_w_pair(world, Movement, Running);
    ecs_delete(world, Walking);
    assert_false(ecs_is_alive(world, a));
    assert_false(ecs_is_alive(world, on_a));
    assert_false(ecs_is_alive(world, child));
    assert_true(ecs_is_alive(world, b));
    ecs_entity_t x = ecs_new(world), y = ecs_new(world);
    ecs_add_pair(world, x, Movement, y);
    ecs_add_pair(world, y, Movement, x);
    ecs_delete(world, x);
    assert_false(ecs_is_alive(world, y));
    ecs_delete(world, Movement);
    assert_false(ecs_is_alive(world, b));
}

static void panic_protects_targets_in_use(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_pair(world, Movement, EcsOnDeleteTarget, EcsPanic);
    ecs_entity_t e = ecs_new_w_pair(world, Movement, Walking);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_delete(world, Walking));
    ecs_delete(world, e);
    ecs_delete(world, Walking);
    assert_false(ecs_is_alive(world, Walking));
}

// UNI-11
static void a_value_stays_when_the_target_changes(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Speed);
    ecs_add_id(world, ecs_id(Speed), EcsUnion);
    ecs_entity_t slow = ecs_new(world), fast = ecs_new(world), e = ecs_new(world);
    ecs_set_pair(world, e, Speed, slow, { 3 });
    const Speed *speed = ecs_get_pair(world, e, Speed, slow);
    assert_near(speed->value, 3, 0);
    ecs_add_pair(world, e, ecs_id(Speed), fast);
    assert_null(ecs_get_pair(world, e, Speed, slow));
    assert_ptr_equal(ecs_get_pair(world, e, Speed, fast), speed);
    assert_near(speed->value, 3, 0);
    ecs_set_pair(world, e, Speed, slow, { 4 });
    assert_ptr_equal(ecs_get_pair(world, e, Speed, slow), speed);
    assert_near(speed->value, 4, 0);
    ecs_add_id(world, e, ecs_new(world)); /* to another table */
    assert_ptr_equal(ecs_get_pair(world, e, Speed, slow), speed);
    assert_near(ecs_ensure_pair(world, e, Speed, slow)->value, 4, 0);
}

static int live_texts;
typedef struct Text {
    char *value;
} Text;
static ECS_CTOR(Text, ptr, {
    ptr->value = ecs_os_malloc(1);
    live_texts++;
})
static ECS_DTOR(Text, ptr, {
    ecs_os_free(ptr->value);
    live_texts--;
})

// UNI-11, CMP-11: memory for the caller to construct holds no value that somebody constructed before.
static void emplacing_another_target_destructs_the_value(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Text);
    ecs_set_hooks(world, Text, { .ctor = ecs_ctor(Text), .dtor = ecs_dtor(Text) });
    ecs_add_id(world, ecs_id(Text), EcsUnion);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Text), a);
    assert_int_equal(live_texts, 1);
    bool is_new = false;
    Text *text = ecs_emplace_pair(world, e, Text, b, &is_new);
    assert_true(is_new);
    assert_int_equal(live_texts, 0);
    Text_ctor(text, 1, NULL);
    ecs_defer_begin(world);
    text = ecs_emplace_pair(world, e, Text, a, &is_new);
    Text_ctor(text, 1, NULL);
    ecs_defer_end(world);
    assert_true(ecs_has_pair(world, e, ecs_id(Text), a));
    assert_int_equal(live_texts, 1);
    ecs_delete(world, e);
    assert_int_equal(live_texts, 0);
}

static void the_relationship_is_no_component_by_itself(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Speed);
    ecs_add_id(world, ecs_id(Speed), EcsUnion);
    ecs_entity_t e = ecs_new(world);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add(world, e, Speed));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_set(world, e, Speed, { 1 }));
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_auto_override(world, e, Speed));
    ecs_set_pair(world, e, Speed, e, { 1 });
    ecs_remove(world, e, Speed); /* its presence goes with all edges */
    assert_false(ecs_has_pair(world, e, ecs_id(Speed), e));
    assert_int_equal(ecs_get_type(world, e)->count, 0);
}

static int32_t presences;
static void count_presence(ecs_iter_t *it) { presences += it->event == EcsOnAdd ? 1 : -1; }

// The same once entities went between these tables with their targets, at once and queued; and whoever hears of tables is told.
static void the_relationship_comes_and_goes_with_targets_alone(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world);
    for (int i = 0; i < 6; i++) {
        if (i == 3) {
            ecs_observer(world, { .query.terms = { { .id = Movement } },
                                    .events = { EcsOnAdd, EcsOnRemove },
                                    .callback = count_presence });
        }
        presences = 0;
        ecs_add_pair(world, e, Movement, i % 2 ? Walking : Running);
        assert_int_equal(ecs_get_type(world, e)->count, 1);
        assert_int_equal(presences, i >= 3);
        ecs_remove_pair(world, e, Movement, EcsWildcard);
        assert_int_equal(ecs_get_type(world, e)->count, 0);
        assert_int_equal(presences, 0);
        expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, Movement));
        assert_int_equal(ecs_get_type(world, e)->count, 0);
    }
    ecs_add_pair(world, e, Movement, Walking);
    ecs_remove_id(world, e, Movement); /* all targets go */
    assert_false(ecs_has_pair(world, e, Movement, EcsWildcard));
    ecs_add_pair(world, e, Movement, Walking);
    ecs_defer_begin(world);
    ecs_remove_id(world, e, Movement);
    ecs_defer_end(world);
    assert_false(ecs_has_pair(world, e, Movement, EcsWildcard));
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    assert_true(ecs_world_verify(world));
}

// GRT-06: the relationship in the type brings nothing by itself.
static void what_comes_with_a_target_comes_for_that_target(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t seen = ecs_new(world);
    ecs_add_pair(world, Movement, EcsWith, seen);
    ecs_entity_t e = ecs_new_w_pair(world, Movement, Walking);
    assert_true(ecs_has_pair(world, e, seen, Walking));
    assert_false(ecs_has_id(world, e, seen));
    ecs_add_pair(world, e, Movement, Running);
    assert_true(ecs_has_pair(world, e, seen, Running) && !ecs_has_id(world, e, seen));
}

static void the_trait_comes_before_use(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new_w_pair(world, Movement, Walking), r = ecs_new(world);
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, Movement, EcsDontFragment));
    ecs_add_pair(world, e, r, Walking);
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, r, EcsUnion));
}

static void deferred_changes_are_applied_in_order(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world), tag = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add_pair(world, e, Movement, Walking);
    ecs_add_id(world, e, tag);
    ecs_add_pair(world, e, Movement, Running);
    ecs_remove_pair(world, e, Movement, Walking);
    assert_false(ecs_has_pair(world, e, Movement, Running));
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_target(world, e, Movement, 0), Running);
    assert_true(ecs_has_id(world, e, tag));
    ecs_defer_begin(world);
    ecs_clear(world, e);
    ecs_add_pair(world, e, Movement, Walking);
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_target(world, e, Movement, 0), Walking);
    assert_int_equal(ecs_get_type(world, e)->count, 1);
    ecs_defer_begin(world);
    ecs_add_pair(world, e, Movement, Running);
    ecs_clear(world, e);
    ecs_defer_end(world);
    assert_int_equal(ecs_get_target(world, e, Movement, 0), 0);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    ecs_defer_begin(world);
    ecs_delete(world, Walking);
    ecs_add_pair(world, e, Movement, Walking); /* target died: skipped */
    ecs_defer_end(world);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
}

// DEF-07: what pairs bring comes in the order of the commands, not of the ids.
static void what_deferred_pairs_bring_comes_in_order(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t plans = ecs_new_w_pair(world, EcsWith, Movement), e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add_pair(world, e, plans, Running);
    ecs_add_pair(world, e, plans, Walking);
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_target(world, e, Movement, 0), Walking);
}

static void clones_and_clears_include_targets(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Speed);
    use(world);
    ecs_add_id(world, ecs_id(Speed), EcsUnion);
    ecs_entity_t e = ecs_new_w_pair(world, Movement, Walking);
    ecs_set_pair(world, e, Speed, Walking, { 5 });
    ecs_entity_t copy = ecs_clone(world, 0, e, true), bare = ecs_clone(world, 0, e, false);
    assert_id_equal(world, ecs_get_target(world, copy, Movement, 0), Walking);
    assert_near(ecs_get_pair(world, copy, Speed, Walking)->value, 5, 0);
    assert_near(ecs_get_pair(world, bare, Speed, Walking)->value, 0, 0);
    assert_ptr_equal(ecs_get_table(world, copy), ecs_get_table(world, e));
    ecs_clear(world, e);
    assert_false(ecs_has_pair(world, e, Movement, Walking));
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    ecs_delete(world, copy);
    assert_int_equal(ecs_count_id(world, ecs_pair(Movement, EcsWildcard)), 1);
    ecs_remove_all(world, ecs_pair(Movement, Walking));
    assert_int_equal(ecs_count_id(world, ecs_pair(Movement, EcsWildcard)), 0);
    ecs_delete_with(world, ecs_pair(ecs_id(Speed), EcsWildcard));
    assert_false(ecs_is_alive(world, bare));
}

static void instances_see_or_own_the_target_of_their_base(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t Stance = ecs_new(world);
    ecs_add_id(world, Stance, EcsUnion);
    ecs_add_pair(world, Stance, EcsOnInstantiate, EcsOverride);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_add_pair(world, base, Movement, Walking);
    ecs_add_pair(world, base, Stance, Walking);
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, base);
    ecs_set_name(world, child, "child");
    ecs_add_pair(world, child, Movement, Running);
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_has_pair(world, e, Movement, Walking));
    assert_false(ecs_owns_pair(world, e, Movement, Walking));
    assert_id_equal(world, ecs_get_target(world, e, Movement, 0), Walking);
    assert_true(ecs_owns_pair(world, e, Stance, Walking));
    ecs_add_pair(world, e, Stance, Running);
    assert_id_equal(world, ecs_get_target(world, base, Stance, 0), Walking);
    ecs_entity_t copy = ecs_lookup_child(world, e, "child");
    assert_id_equal(world, ecs_get_target(world, copy, Movement, 0), Running);
    assert_true(ecs_owns_pair(world, copy, Movement, Running));
}

// UNI-12
static void targets_can_be_walked_upwards(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Speed);
    use(world);
    ecs_add_id(world, Movement, EcsTraversable);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), c = ecs_new(world);
    ecs_add_pair(world, b, Movement, a);
    ecs_add_pair(world, c, Movement, b);
    ecs_set(world, a, Speed, { 1 });
    assert_id_equal(world, ecs_get_target_for(world, c, Movement, Speed), a);
    assert_int_equal(ecs_get_depth(world, c, Movement), 2);
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, a, Movement, c));
    ecs_add_pair(world, c, Movement, a);
    assert_int_equal(ecs_get_depth(world, c, Movement), 1);
}

static void equal_worlds_have_equal_hashes(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_add_pair(world, a, Movement, Walking);
    ecs_add_pair(world, b, Movement, Running);
    uint64_t hash = ecs_world_hash(world);
    ecs_add_pair(world, a, Movement, Running);
    assert_true(ecs_world_hash(world) != hash);
    ecs_remove_pair(world, b, Movement, Running);
    ecs_add_pair(world, b, Movement, Running);
    ecs_add_pair(world, a, Movement, Walking);
    assert_hash_equal(ecs_world_hash(world), hash);
}

enum { HOLDERS = 40, TARGETS = 5 };

// Two worlds to which the same is done; in one somebody hears of it.
typedef struct Twin {
    ecs_world_t *world;
    ecs_entity_t movement, holders[HOLDERS], targets[TARGETS];
    int32_t told;
} Twin;

static void count_told(ecs_iter_t *it) { ((Twin *)it->ctx)->told += it->count; }

static void begin_twin(Twin *twin, bool is_heard) {
    *twin = (Twin){ .world = ecs_mini() };
    twin->movement = ecs_new(twin->world);
    ecs_add_id(twin->world, twin->movement, EcsUnion);
    ecs_entity_t other = ecs_new(twin->world);
    ecs_id_t id = ecs_pair(is_heard ? twin->movement : other, EcsWildcard);
    ecs_observer(twin->world, { .query.terms = { { id } },
                                  .events = { EcsOnAdd, EcsOnRemove },
                                  .callback = count_told,
                                  .ctx = twin });
    for (int i = 0; i < HOLDERS; i++) twin->holders[i] = ecs_new(twin->world);
    for (int i = 0; i < TARGETS; i++) twin->targets[i] = ecs_new(twin->world);
}

static void replace_entity(ecs_world_t *world, ecs_entity_t *entity) {
    ecs_delete(world, *entity);
    *entity = ecs_new(world);
}

static void change_twin(Twin *twin, random_t *random) {
    ecs_entity_t *holder = &twin->holders[random_below(random, HOLDERS)];
    ecs_entity_t *target = &twin->targets[random_below(random, TARGETS)];
    switch (random_below(random, 16)) {
    case 0: ecs_remove_pair(twin->world, *holder, twin->movement, *target); break;
    case 1: ecs_remove_pair(twin->world, *holder, twin->movement, EcsWildcard); break;
    case 2: replace_entity(twin->world, holder); break;
    case 3:
        if (!ecs_is_deferred(twin->world)) replace_entity(twin->world, target);
        break;
    default: ecs_add_pair(twin->world, *holder, twin->movement, *target);
    }
}

static void change_often(Twin *twin, uint64_t seed) {
    random_t random = random_init(seed);
    const int32_t count = random_below(&random, 30);
    const bool is_deferred = random_below(&random, 2);
    if (is_deferred) ecs_defer_begin(twin->world);
    for (int32_t i = 0; i < count; i++) change_twin(twin, &random);
    if (is_deferred) ecs_defer_end(twin->world);
}

static void assert_twins(const Twin *a, const Twin *b) {
    for (int i = 0; i < HOLDERS; i++) {
        assert_int_equal(ecs_get_target(a->world, a->holders[i], a->movement, 0),
            ecs_get_target(b->world, b->holders[i], b->movement, 0));
    }
    for (int i = 0; i < TARGETS; i++) {
        ecs_iter_t x = ecs_each_id(a->world, ecs_pair(a->movement, a->targets[i]));
        ecs_iter_t y = ecs_each_id(b->world, ecs_pair(b->movement, b->targets[i]));
        while (ecs_each_next(&x)) {
            assert_true(ecs_each_next(&y));
            assert_int_equal(x.entities[0], y.entities[0]);
        }
        assert_false(ecs_each_next(&y));
    }
}

// UNI-01: in the same order, too
static void targets_change_alike_whether_somebody_hears_of_it(void **state) {
    (void)state;
    for (int try = 0; try < random_tries(20); try++) {
        const uint64_t seed = random_seed() + (uint64_t)try;
        Twin quiet, heard;
        begin_twin(&quiet, false);
        begin_twin(&heard, true);
        for (int step = 0; step < 40; step++) {
            change_often(&quiet, seed * 100 + (uint64_t)step);
            change_often(&heard, seed * 100 + (uint64_t)step);
            assert_twins(&quiet, &heard);
        }
        assert_int_equal(quiet.told, 0);
        assert_true(heard.told > 0);
        ecs_fini(quiet.world);
        ecs_fini(heard.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_new_target_replaces_the_old_one_in_place),
        mini_world_test(targets_share_one_table),
        mini_world_test(removing_another_target_changes_nothing),
        mini_world_test(targets_and_relationships_can_be_deleted),
        mini_world_test(holders_are_deleted_as_the_policies_say),
        mini_world_test(panic_protects_targets_in_use),
        mini_world_test(a_value_stays_when_the_target_changes),
        mini_world_test(emplacing_another_target_destructs_the_value),
        mini_world_test(the_relationship_is_no_component_by_itself),
        mini_world_test(the_relationship_comes_and_goes_with_targets_alone),
        mini_world_test(what_comes_with_a_target_comes_for_that_target),
        mini_world_test(the_trait_comes_before_use),
        mini_world_test(deferred_changes_are_applied_in_order),
        mini_world_test(what_deferred_pairs_bring_comes_in_order),
        mini_world_test(clones_and_clears_include_targets),
        mini_world_test(instances_see_or_own_the_target_of_their_base),
        mini_world_test(targets_can_be_walked_upwards),
        mini_world_test(equal_worlds_have_equal_hashes),
        cmocka_unit_test(targets_change_alike_whether_somebody_hears_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
