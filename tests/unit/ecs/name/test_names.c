// SPDX-License-Identifier: MIT
// Does the index of names follow names, parents and deletions, at once and through command queues?
#include "support/world.h"

#include "name/names.h"
#include "support/abort.h"
#include "support/check.h"
#include "support/memory.h"
#include "world/state.h"

static ecs_entity_t named(ecs_world_t *world, ecs_entity_t parent, const char *name) {
    ecs_entity_t entity = ecs_new(world);
    if (parent) ecs_add_pair(world, entity, EcsChildOf, parent);
    return ecs_set_name(world, entity, name);
}

// NAM-04
static void an_entity_without_name_has_none(void **state) {
    ecs_world_t *world = *state;
    assert_null(ecs_get_name(world, ecs_new(world)));
    assert_null(ecs_get_symbol(world, ecs_new(world)));
    assert_int_equal(ecs_lookup(world, "Nobody"), 0);
}

static void renaming_and_unnaming_move_the_index_along(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = named(world, 0, "Old");
    assert_id_equal(world, ecs_lookup(world, "Old"), e);
    assert_id_equal(world, ecs_set_name(world, e, "New"), e);
    assert_string_equal(ecs_get_name(world, e), "New");
    assert_int_equal(ecs_lookup(world, "Old"), 0);
    assert_id_equal(world, ecs_lookup(world, "New"), e);
    assert_true(ecs__names_verify(world));
    ecs_set_name(world, e, NULL);
    assert_null(ecs_get_name(world, e));
    assert_int_equal(ecs_lookup(world, "New"), 0);
    assert_true(ecs__names_verify(world));
}

// The value of the entity is allocated anew; the index writes over the text that it has.
static void another_name_needs_one_allocation(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t e = named(world, 0, "First name"), other = named(world, 0, "Other name");
    int64_t before = memory_calls();
    ecs_set_name(world, e, "Next name");
    assert_int_equal(memory_calls() - before, 1);
    ecs_delete(world, e);
    ecs_entity_t next = ecs_new(world);
    before = memory_calls();
    ecs_set_name(world, next, "Third name");
    assert_int_equal(memory_calls() - before, 1);
    assert_id_equal(world, ecs_lookup(world, "Third name"), next);
    ecs_shrink(world);
    const int64_t blocks = memory_live();
    ecs_delete(world, next);
    ecs_shrink(world); /* nothing of the name stays */
    assert_int_equal(memory_live(), blocks - 2);
    next = ecs_set_name(world, ecs_new(world), "Third name");
    assert_id_equal(world, ecs_lookup(world, "Other name"), other);
    ecs_set_name(world, next, "A name that is longer than all that were here before");
    assert_id_equal(
        world, ecs_lookup(world, "A name that is longer than all that were here before"), next);
    assert_true(ecs__names_verify(world));
}

static void of_siblings_with_one_name_the_last_named_is_found(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t first = named(world, 0, "Twin"), second = named(world, 0, "Twin");
    assert_id_equal(world, ecs_lookup(world, "Twin"), second);
    ecs_delete(world, second);
    assert_id_equal(world, ecs_lookup(world, "Twin"), first);
    assert_true(ecs__names_verify(world));

    enum { MANY = 300 }; /* the index grows meanwhile */
    ecs_entity_t many[MANY];
    for (int i = 0; i < MANY; i++) many[i] = named(world, 0, "Many");
    for (int i = 0; i < MANY; i += 2) ecs_delete(world, many[i]);
    assert_true(ecs__names_verify(world));
    for (int i = MANY - 1; i > 0; i -= 2) {
        assert_id_equal(world, ecs_lookup(world, "Many"), many[i]);
        ecs_set_name(world, many[i], "Other");
        assert_id_equal(world, ecs_lookup(world, "Other"), many[i]);
    }
    assert_int_equal(ecs_lookup(world, "Many"), 0);
    assert_true(ecs__names_verify(world));
}

// NAM-08, NAM-09
static void a_name_belongs_to_the_present_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = named(world, 0, "A"), b = named(world, 0, "B");
    ecs_entity_t in_a = named(world, a, "X"), in_b = named(world, b, "X");
    assert_id_equal(world, ecs_lookup_child(world, a, "X"), in_a);
    assert_id_equal(world, ecs_lookup_child(world, b, "X"), in_b);
    assert_int_equal(ecs_lookup_child(world, 0, "X"), 0);

    ecs_remove_pair(world, in_a, EcsChildOf, a);
    assert_id_equal(world, ecs_lookup_child(world, 0, "X"), in_a);
    ecs_delete(world, in_b);
    ecs_add_pair(world, in_a, EcsChildOf, b);
    assert_id_equal(world, ecs_lookup_child(world, b, "X"), in_a);
    assert_int_equal(ecs_lookup_child(world, 0, "X"), 0);
    assert_int_equal(ecs_lookup_child(world, a, "X"), 0);
    assert_true(ecs__names_verify(world));
}

static void deleting_a_parent_forgets_the_names_of_its_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = named(world, 0, "Parent"), child = named(world, parent, "Child");
    named(world, child, "Grandchild");
    int32_t live = world->names.live;
    ecs_delete(world, parent);
    assert_int_equal(world->names.live, live - 3);
    ecs_entity_t again = ecs_new(world); /* reuses an index */
    assert_int_equal(ecs_lookup_child(world, again, "Child"), 0);
    assert_true(ecs__names_verify(world));
}

static void clearing_an_entity_takes_its_name(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = named(world, 0, "Brief");
    ecs_clear(world, e);
    assert_int_equal(ecs_lookup(world, "Brief"), 0);
    assert_true(ecs__names_verify(world));
}

static void a_clone_does_not_take_the_name(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = named(world, 0, "Original");
    ecs_entity_t copy = ecs_clone(world, 0, e, true);
    assert_null(ecs_get_name(world, copy));
    assert_id_equal(world, ecs_lookup(world, "Original"), e);
    assert_true(ecs__names_verify(world));
}

static void a_deferred_name_arrives_at_the_flush(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world), parent = named(world, 0, "P");
    ecs_defer_begin(world);
    ecs_set_name(world, e, "Late");
    ecs_add_pair(world, e, EcsChildOf, parent);
    assert_null(ecs_get_name(world, e));
    ecs_defer_end(world);
    assert_string_equal(ecs_get_name(world, e), "Late");
    assert_id_equal(world, ecs_lookup_child(world, parent, "Late"), e);
    assert_true(ecs__names_verify(world));
}

static void a_path_made_while_deferred_is_found_at_once(void **state) {
    ecs_world_t *world = *state;
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_new_from_path(world, 0, "One.Two");
    assert_id_equal(world, ecs_new_from_path(world, 0, "One.Two"), e);
    assert_int_equal(world->names.pending, 2);
    ecs_defer_end(world);
    assert_int_equal(world->names.pending, 0);
    assert_id_equal(world, ecs_lookup(world, "One.Two"), e);
    assert_true(ecs__names_verify(world));
}

static void a_name_that_never_arrives_is_forgotten(void **state) {
    ecs_world_t *world = *state;
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_new_from_path(world, 0, "Doomed");
    ecs_delete(world, e);
    ecs_defer_end(world);
    assert_int_equal(world->names.pending, 0);
    assert_int_equal(ecs_lookup(world, "Doomed"), 0);
    assert_true(ecs__names_verify(world));
}

static void values_set_as_components_are_names_too(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_set_id(world, e, ecs_pair(ecs_id(EcsIdentifier), EcsName), sizeof(EcsIdentifier),
        &(EcsIdentifier){ .value = (char *)"Direct" });
    assert_id_equal(world, ecs_lookup(world, "Direct"), e);
    ecs_remove_pair(world, e, ecs_id(EcsIdentifier), EcsName);
    assert_int_equal(ecs_lookup(world, "Direct"), 0);
    assert_true(ecs__names_verify(world));
}

static void thousands_of_names_stay_in_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t entities[3000];
    char name[16];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        entities[i] = named(world, 0, name);
    }
    for (int i = 0; i < 3000; i += 2) ecs_delete(world, entities[i]);
    assert_true(ecs__names_verify(world));
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "n%d", i);
        assert_id_equal(world, ecs_lookup(world, name), i % 2 ? entities[i] : 0);
    }
}

static void symbols_and_aliases_are_global(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = named(world, 0, "Parent"), e = named(world, parent, "Child");
    ecs_set_symbol(world, e, "MyChild");
    ecs_set_alias(world, e, "Shortcut");
    assert_string_equal(ecs_get_symbol(world, e), "MyChild");
    assert_id_equal(world, ecs_lookup_symbol(world, "MyChild", false, false), e);
    assert_int_equal(ecs_lookup(world, "MyChild"), 0);
    assert_id_equal(world, ecs_lookup_symbol(world, "Parent.Child", true, false), e);
    assert_id_equal(world, ecs_lookup(world, "Shortcut"), e);
    ecs_set_symbol(world, e, "MyChild"); /* again is fine */
    ecs_set_symbol(world, e, NULL);
    assert_null(ecs_get_symbol(world, e));
    assert_int_equal(ecs_lookup_symbol(world, "MyChild", false, false), 0);
    assert_true(ecs__names_verify(world));
}

static void symbols_aliases_and_builtin_names_are_protected(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = named(world, 0, "A"), b = named(world, 0, "B");
    ecs_set_symbol(world, a, "Sym");
    ecs_set_alias(world, a, "Ali");
    expect_abort_saying(ECS_ALREADY_DEFINED, "Sym", ecs_set_symbol(world, b, "Sym"));
    expect_abort_saying(ECS_ALREADY_DEFINED, "Ali", ecs_set_alias(world, b, "Ali"));
    expect_abort_saying(ECS_INVALID_OPERATION, "builtin", ecs_set_name(world, EcsChildOf, "Kid"));
    ecs_delete(world, b);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_name(world, b, "Ghost"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(an_entity_without_name_has_none),
        mini_world_test(renaming_and_unnaming_move_the_index_along),
        mini_world_test(another_name_needs_one_allocation),
        mini_world_test(of_siblings_with_one_name_the_last_named_is_found),
        mini_world_test(a_name_belongs_to_the_present_parent),
        mini_world_test(deleting_a_parent_forgets_the_names_of_its_children),
        mini_world_test(clearing_an_entity_takes_its_name),
        mini_world_test(a_clone_does_not_take_the_name),
        mini_world_test(a_deferred_name_arrives_at_the_flush),
        mini_world_test(a_path_made_while_deferred_is_found_at_once),
        mini_world_test(a_name_that_never_arrives_is_forgotten),
        mini_world_test(values_set_as_components_are_names_too),
        mini_world_test(thousands_of_names_stay_in_order),
        mini_world_test(symbols_and_aliases_are_global),
        mini_world_test(symbols_aliases_and_builtin_names_are_protected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
