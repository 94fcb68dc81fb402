// SPDX-License-Identifier: MIT
// mutate/transition.c: hooks around a move, values on the way, and what else follows.
#include "support/world.h"

#include "mutate/mutate.h"
#include "support/check.h"
#include "world/state.h"

typedef struct Value {
    int n;
} Value;

static ecs_entity_t first, second;
static char log_text[64];
static int constructed;

static void note(ecs_iter_t *it, const char *what) {
    size_t at = strlen(log_text);
    const Value *value = ecs_field(it, Value, 0);
    snprintf(log_text + at, sizeof(log_text) - at, "%s%s%d ", what,
        it->event_id == first ? "A" : "B", value->n);
}
static void on_add(ecs_iter_t *it) { note(it, "+"); }
static void on_remove(ecs_iter_t *it) { note(it, "-"); }
static void construct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int i = 0; i < count; i++) ((Value *)ptr)[i].n = 7;
    constructed += count;
}

static ecs_entity_t make_component(ecs_world_t *world) {
    ecs_type_hooks_t hooks = { .ctor = construct, .on_add = on_add, .on_remove = on_remove };
    return ecs_component(
        world, { .type = { .size = sizeof(Value), .alignment = 4, .hooks = hooks } });
}

static int setup(void **state) {
    if (mini_world_setup_(state)) return -1;
    first = make_component(*state);
    second = make_component(*state);
    log_text[0] = 0;
    constructed = 0;
    return 0;
}
#define transition_test(f) cmocka_unit_test_setup_teardown(f, setup, world_teardown_)

static void remove_hooks_come_before_add_hooks(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new_w_id(world, first);
    ecs_table_t *dst = ecs__table_after_add(world, world->store.root, second);
    ecs_defer_begin(world);
    ecs__transition(world, e, dst, NULL, 0);
    ecs_defer_end(world);
    assert_string_equal(log_text, "+A7 -A7 +B7 ");
    assert_ptr_equal(ecs_get_table(world, e), dst);
}

static void pending_values_are_there_before_add_hooks(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_table_t *dst = ecs__table_after_add(world, world->store.root, first);
    dst = ecs__table_after_add(world, dst, second);
    Value a = { 1 }, b = { 2 };
    ecs__pending_value_t values[] = { { first, &a, true }, { second, &b, false } };
    ecs_defer_begin(world);
    ecs__transition(world, e, dst, values, 2);
    ecs_defer_end(world);
    assert_string_equal(log_text, "+A1 +B2 ");
    assert_int_equal(constructed, 1); /* not the one that was moved into raw memory */
}

static void values_alone_do_not_move_the_entity(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new_w_id(world, first);
    ecs_table_t *table = ecs_get_table(world, e);
    Value a = { 5 };
    ecs__pending_value_t value = { first, &a, false };
    log_text[0] = 0;
    ecs__transition(world, e, table, &value, 1);
    assert_string_equal(log_text, "");
    assert_int_equal(((const Value *)ecs_get_id(world, e, first))->n, 5);
}

static void a_new_component_starts_with_the_inherited_value(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t base = ecs_new(world), middle = ecs_new_w_pair(world, EcsIsA, base);
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, middle);
    Value value = { 42 };
    ecs_set_id(world, base, first, sizeof(Value), &value);
    ecs_add_id(world, e, first);
    assert_int_equal(((const Value *)ecs_get_mut_id(world, e, first))->n, 42);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_entity_t sibling = ecs_new_w_table(world, table);
    assert_int_equal(((const Value *)ecs_get_mut_id(world, sibling, first))->n, 42);
}

static void tables_know_their_traversable_rows(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), tag = ecs_new(world);
    ecs_new_w_pair(world, EcsChildOf, parent);
    assert_true(ecs_table_has_traversable(world->store.root));
    int32_t in_root = world->store.root->traversable_count;
    uint64_t stamp = world->store.traverse_stamp;
    ecs_add_id(world, parent, tag);
    assert_int_equal(world->store.root->traversable_count, in_root - 1);
    assert_int_equal(ecs_get_table(world, parent)->traversable_count, 1);
    assert_true(world->store.traverse_stamp > stamp);
    assert_int_equal(
        ecs__id_record_get(&world->store, tag)->traverse_stamp, world->store.traverse_stamp);
    stamp = world->store.traverse_stamp;
    ecs_add_id(world, ecs_new(world), tag); /* no target: caches above stay valid */
    assert_int_equal(world->store.traverse_stamp, stamp);
    ecs_table_t *table = ecs_get_table(world, parent);
    ecs_delete(world, parent);
    assert_int_equal(table->traversable_count, 0);
}

static void a_name_moves_with_its_entity(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_entity(world, { .name = "a" }), b = ecs_entity(world, { .name = "b" });
    ecs_entity_t e = ecs_entity(world, { .name = "e", .parent = a });
    ecs_add_pair(world, e, EcsChildOf, b);
    assert_int_equal(ecs_lookup(world, "a.e"), 0);
    assert_id_equal(world, ecs_lookup(world, "b.e"), e);
    ecs_remove_pair(world, e, EcsChildOf, b);
    assert_id_equal(world, ecs_lookup(world, "e"), e);
}

static void add_from_hook(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) {
        ecs_add_id(it->world, it->entities[i], second);
        assert_false(ecs_has_id(it->world, it->entities[i], second)); /* queued */
    }
}

static void what_hooks_issue_is_done_before_the_call_returns(void **state) {
    ecs_world_t *world = *state;
    ecs_set_hooks_id(world, first, &(ecs_type_hooks_t){ .on_add = add_from_hook });
    ecs_entity_t e = ecs_new_w_id(world, first);
    assert_true(ecs_has_id(world, e, second));
    ecs_entity_t f = ecs_new(world);
    Value *value = ecs_ensure_id(world, f, first, sizeof(Value));
    assert_true(ecs_has_id(world, f, second));
    assert_ptr_equal(value, ecs_get_id(world, f, first)); /* where it is after the queued move */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        transition_test(remove_hooks_come_before_add_hooks),
        transition_test(pending_values_are_there_before_add_hooks),
        transition_test(values_alone_do_not_move_the_entity),
        transition_test(a_new_component_starts_with_the_inherited_value),
        transition_test(tables_know_their_traversable_rows),
        transition_test(a_name_moves_with_its_entity),
        transition_test(what_hooks_issue_is_done_before_the_call_returns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
