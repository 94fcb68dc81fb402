// SPDX-License-Identifier: MIT
// world/component.c: hooks that follow from others, and components that come and go.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Value {
    int n;
} Value;

static char calls[64];
static void say(char c) {
    size_t at = strlen(calls);
    calls[at] = c;
    calls[at + 1] = 0;
}
ECS_DTOR(Value, ptr, { say('d'); })
ECS_CTOR(Value, ptr, { say('c'); })
ECS_COPY(Value, dst, src, {
    say('=');
    dst->n = src->n;
})
ECS_MOVE(Value, dst, src, {
    say('m');
    dst->n = src->n;
})

static int compare(const void *a, const void *b, const ecs_type_info_t *type_info) {
    (void)type_info;
    return ((const Value *)a)->n - ((const Value *)b)->n;
}

static void a_destructor_alone_means_bytes_and_zeroes(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    ecs_set_hooks(world, Value, { .dtor = ecs_dtor(Value) });
    const ecs_type_hooks_t *hooks = ecs_get_hooks(world, Value);
    assert_true(hooks->ctor == flecs_default_ctor && !hooks->ctor_move_dtor);
    assert_true(hooks->flags & ECS_TYPE_HOOK_CTOR && hooks->flags & ECS_TYPE_HOOK_DTOR);
    assert_true(
        hooks->flags & ECS_TYPE_HOOK_CMP_ILLEGAL && hooks->flags & ECS_TYPE_HOOK_EQUALS_ILLEGAL);
    ecs_entity_t e = ecs_new_w(world, Value), tag = ecs_new(world);
    calls[0] = 0;
    ecs_add_id(world, e, tag); /* moved as bytes */
    assert_string_equal(calls, "");
    ecs_delete(world, e);
    assert_string_equal(calls, "d");
    assert_true(hooks->move_dtor && hooks->flags & ECS_TYPE_HOOK_MOVE_DTOR);
    ecs_entity_t first = ecs_new_w(world, Value);
    ecs_set(world, ecs_new_w(world, Value), Value, { 7 });
    calls[0] = 0;
    ecs_delete(world, first); /* the last row fills its place */
    assert_string_equal(calls, "d");
}

static void moves_between_tables_are_made_of_the_hooks_given(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    ecs_set_hooks(world, Value,
        { .ctor = ecs_ctor(Value),
            .dtor = ecs_dtor(Value),
            .move = ecs_move(Value),
            .copy = ecs_copy(Value) });
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), tag = ecs_new(world);
    calls[0] = 0;
    ecs_set(world, a, Value, { 1 });
    assert_string_equal(calls, "c=");
    calls[0] = 0;
    ecs_add_id(world, a, tag);
    assert_string_equal(calls, "cmd"); /* construct, move, destruct the source */
    ecs_set(world, b, Value, { 2 });
    ecs_add_id(world, b, tag);
    calls[0] = 0;
    ecs_delete(world, a); /* the last row fills the hole */
    assert_string_equal(calls, "md");
    assert_int_equal(ecs_get(world, b, Value)->n, 2);
    Value plain[2] = { { 1 }, { 2 } }, other[2];
    const ecs_type_info_t *type = ecs_get_type_info(world, ecs_id(Value));
    flecs_type_info_copy_ctor(other, plain, 2, type);
    assert_int_equal(other[1].n, 2);
    flecs_type_info_move_dtor(plain, other, 2, type);
    /* What follows from these hooks is there for everybody. */
    const ecs_type_hooks_t *hooks = ecs_get_hooks(world, Value);
    calls[0] = 0;
    hooks->copy_ctor(other, plain, 1, type);
    hooks->move_ctor(other, plain, 1, type);
    assert_string_equal(calls, "c=cm");
    assert_false(hooks->equals);
    assert_true(flecs_type_info_equals(&(int){ 1 }, &(int){ 1 }, type)); /* by bytes */
    assert_true(flecs_type_info_cmp(&(int){ 1 }, &(int){ 2 }, type) < 0);
    ecs_set_hooks(world, Value, { .cmp = compare });
    assert_true(flecs_type_info_cmp(&plain[1], &plain[0], type) > 0);
    assert_true(hooks->equals(plain, plain, type));
    other[0].n = plain[0].n + 1;
    assert_false(hooks->equals(plain, other, type));
}

static void illegal_hooks_abort_when_needed(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    ecs_set_hooks(world, Value, { .flags = ECS_TYPE_HOOK_COPY_ILLEGAL });
    ecs_entity_t e = ecs_new_w(world, Value);
    expect_abort_saying(ECS_INVALID_OPERATION, "Value", ecs_set(world, e, Value, { 1 }));
    expect_abort(ECS_INVALID_PARAMETER,
        ecs_set_hooks(
            world, Value, { .copy = ecs_copy(Value), .flags = ECS_TYPE_HOOK_COPY_ILLEGAL }));
    ecs_entity_t tag = ecs_new(world);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_hooks_id(world, tag, &(ecs_type_hooks_t){ 0 }));
}

// Hooks that follow from others do not undo what is marked, before or behind them; so hooks can be given on as they are.
static void what_is_illegal_follows_from_nothing(void **state) {
    ecs_world_t *world = *state;
    const ecs_flags32_t illegal =
        ECS_TYPE_HOOK_CTOR_ILLEGAL | ECS_TYPE_HOOK_COPY_CTOR_ILLEGAL |
        ECS_TYPE_HOOK_MOVE_CTOR_ILLEGAL | ECS_TYPE_HOOK_MOVE_DTOR_ILLEGAL |
        ECS_TYPE_HOOK_CTOR_MOVE_DTOR_ILLEGAL | ECS_TYPE_HOOK_EQUALS_ILLEGAL;
    for (int behind = 0; behind < 2; behind++) {
        ecs_entity_t first = ecs_component(world, { .type = { 4, 4 } });
        ecs_type_hooks_t given = { .dtor = ecs_dtor(Value),
            .copy = ecs_copy(Value),
            .move = ecs_move(Value),
            .cmp = compare };
        if (!behind) given.flags = illegal;
        ecs_set_hooks_id(world, first, &given);
        if (behind) ecs_set_hooks_id(world, first, &(ecs_type_hooks_t){ .flags = illegal });
        ecs_set_hooks_id(world, first, &(ecs_type_hooks_t){ .ctx = calls }); /* changes none */
        const ecs_type_hooks_t hooks = *ecs_get_hooks_id(world, first);
        assert_true(hooks.dtor && hooks.copy && hooks.move && hooks.cmp);
        assert_false(hooks.ctor || hooks.copy_ctor || hooks.move_ctor || hooks.move_dtor ||
                     hooks.ctor_move_dtor || hooks.equals);
        ecs_entity_t second = ecs_component(world, { .type = { 4, 4, .hooks = hooks } });
        assert_int_equal(ecs_get_hooks_id(world, second)->flags, hooks.flags);
        ecs_set_hooks_id(world, second, &(ecs_type_hooks_t){ .ctor = ecs_ctor(Value) });
        assert_false(ecs_get_hooks_id(world, second)->flags & ECS_TYPE_HOOK_CTOR_ILLEGAL);
    }
}

// Those for users do for types without hooks what hooks would do.
static void types_without_hooks_are_bytes(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    const ecs_type_info_t *type = ecs_get_type_info(world, ecs_id(Value));
    Value from[2] = { { 1 }, { 2 } }, to[2];
    flecs_type_info_move_ctor(to, from, 2, type);
    assert_true(flecs_type_info_equals(to, from, type));
    from[1].n = 3;
    flecs_type_info_ctor_move_dtor(to, from, 2, type);
    assert_int_equal(to[1].n, 3);
    calls[0] = 0;
    ecs_set_hooks(world, Value, { .move_ctor = ecs_move(Value), .cmp = compare });
    flecs_type_info_move_ctor(to, from, 1, type);
    flecs_type_info_ctor_move_dtor(to, from, 1, type);
    assert_string_equal(calls, "mm");
    assert_true(flecs_type_info_equals(to, from, type));
}

static void a_component_can_be_made_and_unmade(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t c = ecs_new(world), e = ecs_new(world);
    ecs_set(world, c, EcsComponent, { 4, 4 }); /* what registration does */
    int value = 3;
    ecs_set_id(world, e, c, sizeof value, &value);
    expect_abort(ECS_ALREADY_IN_USE, ecs_remove(world, c, EcsComponent));
    ecs_remove_id(world, e, c);
    ecs_remove(world, c, EcsComponent);
    assert_null(ecs_get_type_info(world, c));
    ecs_add_id(world, e, c);
    assert_int_equal(ecs_table_column_count(ecs_get_table(world, e)), 0); /* a tag now */
    ecs_delete(world, c);
    ecs_entity_t again =
        ecs_component(world, { .entity = ecs_new(world), .type = { .size = 8, .alignment = 8 } });
    assert_int_equal((uint32_t)again, (uint32_t)c);
    assert_int_equal(ecs_get_type_info(world, again)->size, 8);
}

static void a_component_with_high_id_and_generation_works(void **state) {
    ecs_world_t *world = *state;
    ecs_delete(world, ecs_new(world));
    ecs_entity_t c =
        ecs_component(world, { .entity = ecs_new(world), .type = { .size = 4, .alignment = 4 } });
    assert_int_equal(ecs_get_version(c), 1);
    ecs_entity_t e = ecs_new(world), target = ecs_new(world);
    int value = 3;
    ecs_set_id(world, e, c, sizeof value, &value);
    ecs_set_id(world, e, ecs_pair(c, target), sizeof value, &value);
    assert_id_equal(world, ecs_get_typeid(world, ecs_pair(c, target)), c);
    ecs_delete(world, c);
    assert_type(world, e, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_destructor_alone_means_bytes_and_zeroes),
        mini_world_test(moves_between_tables_are_made_of_the_hooks_given),
        mini_world_test(illegal_hooks_abort_when_needed),
        mini_world_test(what_is_illegal_follows_from_nothing),
        mini_world_test(types_without_hooks_are_bytes),
        mini_world_test(a_component_can_be_made_and_unmade),
        mini_world_test(a_component_with_high_id_and_generation_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
