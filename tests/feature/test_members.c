// SPDX-License-Identifier: MIT
// Queries about entities in members of components: features.md area Q-MEM.
#include "support/world.h"

#include <muster/ecs/extend.h>

#include "support/abort.h"
#include "support/check.h"

ECS_STRUCT(Movement, {
    float speed;
    ecs_entity_t direction;
});
ECS_STRUCT(Thrusters, {
    ecs_entity_t left;
    ecs_entity_t right;
});

static ecs_entity_t Left, Right, Active, e[3];

static void define(ecs_world_t *world) {
    ecs_id(Movement) = ecs_id(Thrusters) = 0;
    ECS_META_COMPONENT(world, Movement);
    ECS_META_COMPONENT(world, Thrusters);
    Left = ecs_entity(world, { .name = "Left" });
    Right = ecs_entity(world, { .name = "Right" });
    Active = ecs_entity(world, { .name = "Active" });
    static const char *const names[] = { "e0", "e1", "e2" };
    for (int i = 0; i < 3; i++) e[i] = ecs_entity(world, { .name = names[i] });
    ecs_set(world, e[0], Movement, { 1, Left });
    ecs_set(world, e[1], Movement, { 2, Right });
    ecs_set(world, e[2], Movement, { 3, Left });
}

// "e0(Left) e2(Left)": entities in order, with the target of field 0.
static void assert_results(ecs_world_t *world, const char *expr, const char *expected, int line) {
    for (ecs_query_cache_kind_t kind = EcsQueryCacheAuto; kind <= EcsQueryCacheNone; kind++) {
        char seen[512] = "";
        ecs_query_t *query = ecs_query(world, { .expr = expr, .cache_kind = kind });
        assert_non_null(query);
        ecs_iter_t it = ecs_query_iter(world, query);
        while (ecs_query_next(&it)) {
            for (int i = 0; i < it.count; i++) {
                char *id = ecs_id_str(world, ecs_field_id(&it, 0));
                char *at = seen + strlen(seen);
                snprintf(at, sizeof seen - strlen(seen), "%s%s%s", at == seen ? "" : " ",
                    ecs_get_name(world, it.entities[i]), id);
                ecs_os_free(id);
            }
        }
        if (strcmp(seen, expected) != 0) {
            print_error("%s (kind %d)\ngot      %s\nexpected %s\n", expr, kind, seen, expected);
            _fail(__FILE__, line);
        }
        ecs_query_fini(query);
    }
}
#define check_results(expr, expected) assert_results(world, expr, expected, __LINE__)

// Q-MEM-01, Q-MEM-02
static void a_member_is_compared_with_an_entity(void **state) {
    ecs_world_t *world = *state;
    define(world);
    const char *expected = "e0(Movement.direction,Left) e2(Movement.direction,Left)";
    check_results("Movement.direction($this, Left)", expected);
    check_results("(Movement.direction, Left)", expected);
    check_results("(Movement.direction, Left), Movement", expected);
    check_results("(Movement.direction, Active)", "");
    check_results("(Movement.direction, #0)", "");
}

// Q-MEM-03
static void a_variable_is_bound_from_a_member(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t on = ecs_entity(world, { .name = "on" }),
                 off = ecs_entity(world, { .name = "off" });
    ecs_add_id(world, on, Active);
    ecs_set(world, e[0], Thrusters, { .left = off, .right = on });
    ecs_set(world, e[1], Thrusters, { .left = on, .right = off });
    ecs_set(world, e[2], Thrusters, { 0 });
    check_results("(Thrusters.left, $thruster), Active($thruster)", "e1(Thrusters.left,on)");
    check_results("(Thrusters.right, $t), (Thrusters.left, $t)", "");
    check_results("(Thrusters.left, $t)", "e0(Thrusters.left,off) e1(Thrusters.left,on)");
    check_results("(Thrusters.right, $t)", "e0(Thrusters.right,on) e1(Thrusters.right,off)");
    ecs_query_t *query = ecs_query(world, { .expr = "Thrusters.left($ship, on), Movement($ship)" });
    ecs_iter_t it = ecs_query_iter(world, query);
    assert_true(ecs_query_next(&it));
    assert_id_equal(world, ecs_iter_get_var(&it, ecs_query_find_var(query, "ship")), e[1]);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(query);
}

// Q-MEM-04
static void only_members_that_hold_an_entity_can_be_compared(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_log_set_level(-4);
    assert_null(ecs_query(world, { .expr = "(Movement.speed, Left)" }));
    assert_null(ecs_query(world, { .expr = "(Movement.nothing, Left)" }));
    assert_null(ecs_query(world, { .expr = "Movement.direction(up, Left)" }));
    ecs_log_set_level(-1);
}

// Q-MEM-05
static void the_present_value_counts(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_query_t *query =
        ecs_query(world, { .expr = "(Movement.direction, Left)", .cache_kind = EcsQueryCacheAuto });
    assert_int_equal(ecs_query_count(query).entities, 2);
    ecs_set(world, e[0], Movement, { 1, Right });
    assert_int_equal(ecs_query_count(query).entities, 1);
    ecs_set(world, e[1], Movement, { 1, Left });
    ecs_remove(world, e[2], Movement);
    check_results("(Movement.direction, Left)", "e1(Movement.direction,Left)");
    ecs_query_fini(query);
    ecs_iter_t it;
    query = ecs_query(world, { .expr = "Movement, !Movement.direction($this, Right)" });
    assert_false(ecs_query_has(query, e[0], &it));
    assert_true(ecs_query_has(query, e[1], &it));
    assert_id_equal(world, it.entities[0], e[1]);
    ecs_iter_fini(&it);
    ecs_query_fini(query);
}

// Q-MEM-06
static void a_wildcard_gives_the_value_as_target(void **state) {
    ecs_world_t *world = *state;
    define(world);
    check_results("(Movement.direction, *)",
        "e0(Movement.direction,Left) e1(Movement.direction,Right) e2(Movement.direction,Left)");
    check_results("(Movement.direction, _)",
        "e0(Movement.direction,*) e1(Movement.direction,*) e2(Movement.direction,*)");
    ecs_set(world, e[1], Movement, { 1, 0 });
    check_results(
        "(Movement.direction, *)", "e0(Movement.direction,Left) e2(Movement.direction,Left)");
    ecs_query_t *query = ecs_query(world, { .expr = "(Movement.direction, *)" });
    ecs_iter_t it = ecs_query_iter(world, query);
    assert_true(ecs_query_next(&it));
    assert_id_equal(world, ecs_field_target(&it, 0, 0), Left);
    ecs_iter_fini(&it);
    ecs_query_fini(query);
}

static void operators_apply_to_members(void **state) {
    ecs_world_t *world = *state;
    define(world);
    check_results("Movement, !(Movement.direction, Left)", "e1Movement");
    check_results("(Movement.direction, Left) || (Movement.direction, Right)",
        "e0(Movement.direction,Left) e1(Movement.direction,Right) e2(Movement.direction,Left)");
    check_results("Movement, ?(Movement.direction, Right)", "e0Movement e1Movement e2Movement");
    check_results("Movement, {(Movement.direction, Right)}", "e1Movement");
    check_results("Movement, Movement.direction(e1, Right)", "e0Movement e1Movement e2Movement");
    check_results("Movement, Movement.direction(e0, Right)", "");
    check_results("Movement, Movement.direction(_, Right)", "e0Movement e1Movement e2Movement");
}

static void values_of_bases_and_unusual_storage_count(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t base = ecs_entity(world, { .name = "base", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, base, Movement, { 1, Right });
    ecs_entity_t i = ecs_entity(world, { .name = "i" });
    ecs_add_pair(world, i, EcsIsA, base);
    check_results(
        "(Movement.direction, Right)", "e1(Movement.direction,Right) i(Movement.direction,Right)");
    ecs_entity_t beside =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "Beside" }),
                              .create_member_entities = true,
                              .members = { { .name = "to", .type = ecs_id(ecs_entity_t) } } });
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_set_id(world, e[1], beside, sizeof(ecs_entity_t), &Right);
    ecs_set_id(world, e[2], beside, sizeof(ecs_entity_t), &Left);
    check_results("(Beside.to, Left)", "e2(Beside.to,Left)");
    check_results("(Beside.to, *)", "e1(Beside.to,Right) e2(Beside.to,Left)");
}

static int count_results(ecs_world_t *world, const char *expr) {
    ecs_query_t *query = ecs_query(world, { .expr = expr });
    const int count = ecs_query_count(query).results;
    ecs_query_fini(query);
    return count;
}

// Q-MEM-01: whose value holds an entity is found wherever the values are kept.
static void sources_are_found_wherever_values_are(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_add_id(world, Left, Active);
    const ecs_entity_t kept[] = { 0, EcsSparse, EcsDontFragment };
    for (int k = 0; k < 3; k++) {
        ecs_entity_t type =
            ecs_struct(world, { .entity = ecs_entity(world, { .name = "At" }),
                                  .members = { { .name = "to", .type = ecs_id(ecs_entity_t) } } });
        if (kept[k]) ecs_add_id(world, type, kept[k]);
        ecs_entity_t base = ecs_entity(world, { .name = "base", .add = ecs_ids(EcsPrefab) });
        ecs_set_id(world, base, type, sizeof(ecs_entity_t), &Right);
        ecs_entity_t heir = ecs_entity(world, { .name = "heir" });
        ecs_add_pair(world, heir, EcsIsA, base);
        ecs_set_id(world, e[0], type, sizeof(ecs_entity_t), &Left);
        ecs_set_id(world, e[1], type, sizeof(ecs_entity_t), &Left);
        check_results("Active, At.to(_, $this)", "LeftActive");
        check_results("Active, !At.to(_, $this)", "");
        check_results("Active, !At.to($x, $this)", "");
        check_results("Active, ?At.to($x, $this)", "LeftActive LeftActive");
        check_results("Active, At.to($_x, $this)", "LeftActive");
        check_results("Active, !{ At.to(_, $this) }", "");
        assert_int_equal(count_results(world, "At.to(_, Left)"), 1);
        assert_int_equal(count_results(world, "At.to($x, Left)"), 2);
        assert_int_equal(count_results(world, "At.to(*, Right)"), 2); // base and heir
        assert_int_equal(count_results(world, "At.to($x|self, Right)"), 1);
        assert_int_equal(count_results(world, "At.to($x|up IsA, Right)"), 1);
        assert_int_equal(count_results(world, "At.to(_, Active)"), 0);
        ecs_delete(world, heir);
        ecs_delete(world, base);
        ecs_delete(world, type);
    }
}

static int compare_nothing(ecs_entity_t a, const void *ptr_a, ecs_entity_t b, const void *ptr_b) {
    (void)a, (void)ptr_a, (void)b, (void)ptr_b;
    return 0;
}

// WLD-04, Q-MEM-04: a member gets an entity when a query names it, but not for one that is refused.
static void refused_queries_leave_members_alone(void **state) {
    ecs_world_t *world = *state;
    define(world);
    const char *const refused[] = { "(Movement.direction, Left), Nope", "(Movement.speed, Left)",
        "Movement.direction($this, Left), (Thrusters.left, $t), Position()()",
        "(Movement.direction, Left), (Movement.direction, Nope)" };
    const uint64_t hash = ecs_world_hash(world);
    const ecs_ext_counts_t counts = ecs_ext_counts(world);
    ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        assert_null(ecs_query(world, { .expr = refused[i] }));
        assert_int_equal(ecs_lookup(world, "Movement.direction"), 0);
        assert_int_equal(ecs_lookup(world, "Movement.speed"), 0);
        assert_int_equal(ecs_struct_get_nth_member(world, ecs_id(Movement), 1)->member, 0);
        assert_hash_equal(ecs_world_hash(world), hash);
    }
    ecs_query_desc_t sorted = { .expr = "Movement, (Movement.direction, $x)",
        .order_by = Left,
        .order_by_callback = compare_nothing };
    assert_null(ecs_query_init(world, &sorted)); // by what is in no term
    assert_int_equal(ecs_lookup(world, "Movement.direction"), 0);
    assert_hash_equal(ecs_world_hash(world), hash);
    assert_int_equal(ecs_ext_counts(world).tables, counts.tables);
    assert_int_equal(ecs_ext_counts(world).entities, counts.entities);
    ecs_log_set_level(-1);
    check_results(
        "(Movement.direction, Left)", "e0(Movement.direction,Left) e2(Movement.direction,Left)");
    ecs_entity_t member = ecs_lookup(world, "Movement.direction");
    assert_int_equal(ecs_struct_get_nth_member(world, ecs_id(Movement), 1)->member, member);
}

static void members_of_packed_structs_are_not_asked_for(void **state) {
    ecs_world_t *world = *state;
    const ecs_member_t to = { "to", ecs_id(ecs_entity_t), .offset = 4 }, at = { "to", to.type };
    ecs_entity_t far = ecs_entity(world, { .name = "Far" });
    ecs_struct(world, { .entity = far, .members = { to } });
    expect_error(ECS_INVALID_PARAMETER, "aligned",
        assert_null(ecs_query(world, { .expr = "(Far.to, flecs)" })));
    ecs_entity_t packed = ecs_component(world, { .entity = ecs_entity(world, { .name = "Packed" }),
                                                   .type = { .size = 9, .alignment = 1 } });
    ecs_struct(world, { .entity = packed, .members = { at } });
    expect_error(ECS_INVALID_PARAMETER, "aligned",
        assert_null(ecs_query(world, { .expr = "(Packed.to, flecs)" })));
}

// The component of a member is asked for, too, whoever has it.
static void components_of_members_are_locked(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Movement) = 0;
    ECS_META_COMPONENT(world, Movement);
    ecs_query_t *q = ecs_query(world, { .expr = "(Movement.direction, $x)" });
    expect_abort_saying(
        ECS_INVALID_OPERATION, "queried for", ecs_add_id(world, ecs_id(Movement), EcsDontFragment));
    expect_abort_saying(
        ECS_INVALID_OPERATION, "in use by queries", ecs_delete(world, ecs_id(Movement)));
    ecs_query_fini(q);
    ecs_delete(world, ecs_id(Movement));
}

// Equal worlds have equal hashes, whatever their values point to.
static void strings_are_hashed_by_their_text(void **state) {
    ecs_world_t *world = *state, *other = ecs_init();
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        ecs_world_t *w = i ? other : world;
        if (i == 2) {
            ecs_fini(other);
            w = other = ecs_init();
        }
        ecs_entity_t type =
            ecs_struct(w, { .entity = ecs_entity(w, { .name = "T" }),
                              .members = { { .name = "s", .type = ecs_id(ecs_string_t) } } });
        char *text = ecs_os_strdup(i < 2 ? "text" : "Text");
        ecs_entity_t holder = ecs_new(w);
        ecs_set_id(w, holder, type, sizeof(char *), &text);
        ecs_os_free(text);
        hashes[i] = ecs_world_hash(w);
    }
    assert_hash_equal(hashes[1], hashes[0]);
    assert_true(hashes[2] != hashes[0]);
    ecs_fini(other);
}

// A member is compared in the value that the source has, or inherits, as the term says.
static void values_of_bases_are_found_up(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t inst = ecs_entity(world, { .name = "inst", .add_expr = "(IsA, e0)" });
    check_results("Movement.direction($this|self, Left)",
        "e0(Movement.direction,Left) e2(Movement.direction,Left)");
    check_results("Movement.direction($this|up IsA, Left)", "inst(Movement.direction,Left)");
    ecs_query_t *q = ecs_query(world, { .expr = "(Movement.direction, Left)" });
    ecs_iter_t it;
    assert_true(ecs_query_has(q, inst, &it));
    assert_int_equal(ecs_field_src(&it, 0), e[0]);
    ecs_iter_fini(&it);
    assert_true(ecs_query_has(q, e[0], &it));
    assert_int_equal(ecs_field_src(&it, 0), 0);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    ecs_entity(world, { .name = "far", .add_expr = "(IsA, inst)" }); /* Q-TRV-16, Q-TRV-17 */
    check_results("Movement.direction($this|up(IsA, 1), Left)", "inst(Movement.direction,Left)");
    check_results(
        "Movement.direction($this|self|up(IsA, 2, 3), Left)", "far(Movement.direction,Left)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(sources_are_found_wherever_values_are),
        world_test(values_of_bases_are_found_up),
        world_test(a_member_is_compared_with_an_entity),
        world_test(a_variable_is_bound_from_a_member),
        world_test(only_members_that_hold_an_entity_can_be_compared),
        world_test(the_present_value_counts),
        world_test(a_wildcard_gives_the_value_as_target),
        world_test(operators_apply_to_members),
        world_test(values_of_bases_and_unusual_storage_count),
        world_test(refused_queries_leave_members_alone),
        world_test(members_of_packed_structs_are_not_asked_for),
        world_test(components_of_members_are_locked),
        world_test(strings_are_hashed_by_their_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
