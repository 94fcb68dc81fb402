// SPDX-License-Identifier: MIT
// world/entity_init.c: what a descriptor finds, makes and refuses.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

static void a_name_finds_or_makes(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_entity(world, { .name = "Game" });
    assert_id_equal(world, ecs_entity(world, { .name = "Game" }), e);
    ecs_entity_t deep = ecs_entity(world, { .name = "Sun.Earth.Moon" });
    assert_id_equal(world, ecs_get_parent(world, deep), ecs_lookup(world, "Sun.Earth"));
    assert_id_equal(world,
        ecs_entity(
            world, { .name = "Earth::Moon", .sep = "::", .parent = ecs_lookup(world, "Sun") }),
        deep);
    ecs_entity_t dotted = ecs_entity(world, { .name = "Sun.Earth", .sep = "" });
    assert_string_equal(ecs_get_name(world, dotted), "Sun.Earth");
    assert_true(ecs_entity(world, { .name = "" }) != ecs_entity(world, { .name = "" }));
}

static void an_id_is_used_as_given(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(ecs_entity(world, { .id = 1000, .name = "a" }), 1000);
    assert_int_equal(ecs_entity(world, { .id = 1000, .name = "a" }), 1000);
    assert_int_equal(ecs_entity(world, { .name = "#1000" }), 1000);
    assert_int_equal(ecs_entity(world, { .name = "#2000" }), 2000);
    assert_true(ecs_is_alive(world, 2000));
    uint64_t hash = ecs_world_hash(world);
    expect_error(ECS_INCONSISTENT_NAME, "cannot be named",
        assert_int_equal(ecs_entity(world, { .id = 1000, .name = "b" }), 0));
    expect_error(ECS_INCONSISTENT_NAME, "#1000",
        assert_int_equal(ecs_entity(world, { .id = 7, .name = "#1000" }), 0));
    assert_hash_equal(ecs_world_hash(world), hash);
}

static int moves;
static void count_moves(ecs_iter_t *it) { moves += it->count; }

static void ids_text_and_values_are_added(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ECS_TAG(world, Likes);
    ECS_TAG(world, Apples);
    ecs_set_hooks(world, Position, { .on_set = count_moves });
    moves = 0;
    ecs_entity_t e = ecs_entity(world, { .name = "Bob",
                                           .add = ecs_ids(Npc, ecs_pair(Npc, Likes)),
                                           .add_expr = "Apples, (Likes, Apples)",
                                           .set = ecs_values(ecs_value(Position, { 1, 2 }),
                                               ecs_pair_value(Position, Npc, { 3, 4 })) });
    assert_type(world, e,
        "Position, Npc, Apples, (Identifier,Name), (Position,Npc), (Npc,Likes), (Likes,Apples)");
    assert_near(ecs_get_pair(world, e, Position, Npc)->y, 4, 0);
    assert_int_equal(moves, 2);
    ecs_entity_t count = ecs_get_max_id(world);
    expect_error(ECS_INVALID_PARAMETER, "Pears",
        assert_int_equal(ecs_entity(world, { .add_expr = "Npc, (Likes, Pears)" }), 0));
    expect_error(ECS_INVALID_PARAMETER, "instead of 'Likes'",
        assert_int_equal(ecs_entity(world, { .add_expr = "Npc Likes" }), 0));
    expect_error(ECS_INVALID_PARAMETER, "no id that can be added",
        assert_int_equal(ecs_entity(world, { .add_expr = "Npc, (Likes, *)" }), 0));
    assert_int_equal(ecs_get_max_id(world), count); /* nothing was made */
    ECS_ENTITY(world, Alice, Npc, (Likes, Apples));
    assert_true(ecs_has(world, Alice, Npc) && ecs_has_pair(world, Alice, Likes, Apples));
    ECS_PREFAB(world, Form, Npc);
    assert_true(ecs_has_id(world, Form, EcsPrefab) && ecs_has(world, Form, Npc));
}

// There may be more ids than a query has terms.
static void text_may_name_any_number_of_ids(void **state) {
    ecs_world_t *world = *state;
    char text[1024] = "";
    for (int i = 0; i < 2 * FLECS_TERM_COUNT_MAX; i++) {
        char *name = text + strlen(text);
        snprintf(name, sizeof text - strlen(text), i ? ", T%d" : "T%d", i);
        ecs_entity(world, { .name = i ? name + 2 : name });
    }
    ecs_entity_t e = ecs_entity(world, { .add_expr = text });
    assert_int_equal(ecs_get_type(world, e)->count, 2 * FLECS_TERM_COUNT_MAX);
}

// NAM-12, NAM-13, NAM-14
static void scope_and_with_apply_to_new_entities(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "parent" }), tag = ecs_new(world),
                 old = ecs_entity(world, { .name = "old" });
    assert_int_equal(ecs_set_scope(world, parent), 0);
    ecs_set_with(world, tag);
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    assert_id_equal(world, ecs_get_parent(world, e), parent);
    assert_true(ecs_has_id(world, e, tag));
    assert_int_equal(ecs_get_parent(world, ecs_new(world)), 0);
    assert_id_equal(world, ecs_get_parent(world, ecs_new_w_id(world, 0)), parent);
    ecs_entity(world, { .id = old });
    assert_int_equal(ecs_get_parent(world, old), 0);
    assert_id_equal(world, ecs_get_parent(world, ecs_new_w_pair(world, EcsChildOf, old)), old);
    assert_id_equal(world, ecs_set_scope(world, 0), parent);
    ecs_set_with(world, 0);
    assert_int_equal(ecs_get_parent(world, ecs_new_w_id(world, tag)), 0);
}

static void the_name_prefix_is_stripped(void **state) {
    ecs_world_t *world = *state;
    ecs_set_name_prefix(world, "My");
    assert_string_equal(ecs_get_name(world, ecs_entity(world, { .name = "MyThing" })), "Thing");
    assert_string_equal(ecs_get_name(world, ecs_entity(world, { .name = "My_other" })), "other");
    assert_string_equal(ecs_get_name(world, ecs_entity(world, { .name = "Mythos" })), "Mythos");
    ecs_set_name_prefix(world, NULL);
}

static void while_deferred_the_entity_is_found_at_once(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_entity(
        world, { .name = "Later.Child", .set = ecs_values(ecs_value(Position, { 1, 2 })) });
    assert_id_equal(world, ecs_lookup(world, "Later.Child"), e);
    assert_id_equal(world, ecs_entity(world, { .name = "Later.Child" }), e);
    assert_false(ecs_has(world, e, Position));
    ecs_entity_t c = ecs_component(world, { .type = { .size = 4, .alignment = 4, .name = "Now" } });
    assert_int_equal(ecs_get(world, c, EcsComponent)->size, 4); /* registered at once */
    ecs_defer_end(world);
    assert_id_equal(world, ecs_lookup(world, "Later.Child"), e);
    assert_id_equal(world, ecs_lookup(world, "Now"), c);
    assert_near(ecs_get(world, e, Position)->y, 2, 0);
}

static void go_on(void) {}

// Symbols belong to one entity in every build.
static void a_symbol_of_another_leaves_nothing_behind(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t one = ecs_entity(world, { .name = "One", .symbol = "one" });
    int32_t alive = ecs_get_entities(world).alive_count;
    int level = ecs_log_set_level(-5);
    ecs_os_api_abort_t before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    assert_id_equal(world, ecs_entity(world, { .name = "Two", .symbol = "one" }), 0);
    assert_id_equal(world, ecs_set_symbol(world, 0, "one"), 0);
    assert_id_equal(world, ecs_entity(world, { .id = one, .symbol = "other" }), 0);
    ecs_os_api.abort_ = before;
    ecs_log_set_level(level);
    assert_int_equal(ecs_get_entities(world).alive_count, alive);
    assert_id_equal(world, ecs_lookup(world, "Two"), 0);
    assert_string_equal(ecs_get_symbol(world, one), "one");
}

static ecs_entity_t insert(ecs_world_t *world, ecs_id_t id, Position value) {
    return ecs_entity(world, { .set = ecs_values({ .type = id, .ptr = &value }) });
}

// Nobody sees what has no name until it is whole, so it is made where it belongs; not while that is not allowed.
static void nameless_entities_begin_in_their_table(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), parent = ecs_new(world);
    ecs_id_t id = ecs_component(world, { .type = { .size = 8, .alignment = 4 } });
    ecs_entity_t e = ecs_entity(world, { .add = ecs_ids(tag, id) });
    assert_int_equal(ecs_get_type(world, e)->count, 2);
    ecs_defer_begin(world);
    e = insert(world, id, (Position){ 3, 4 });
    assert_false(ecs_has_id(world, e, id));
    ecs_defer_end(world);
    assert_near(((const Position *)ecs_get_id(world, e, id))->y, 4, 0);
    ecs_set_scope(world, parent);
    assert_id_equal(world, ecs_get_parent(world, insert(world, id, (Position){ 3, 4 })), parent);
    ecs_set_scope(world, 0);
    ecs_iter_t it = ecs_each_id(world, id);
    while (ecs_each_next(&it)) {
        if (ecs_table_get_type(it.table)->count == 1)
            expect_abort(ECS_LOCKED_STORAGE, insert(world, id, (Position){ 5, 6 }));
    }
    assert_true(ecs_has_id(world, insert(world, id, (Position){ 5, 6 }), id));
}

static void misuse_is_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world), dead = ecs_new(world);
    ecs_delete(world, dead);
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity(world, { ._canary = 1 }));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity_init(world, NULL));
    expect_abort(ECS_INVALID_PARAMETER, ecs_component_init(world, NULL));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity(world, { .parent = dead }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "member parent",
        ecs_entity(world, { .add = ecs_ids(ecs_childof(e)) }));
    ecs_entity(world, { .id = e, .symbol = "one" });
    expect_abort(ECS_INCONSISTENT_NAME, ecs_entity(world, { .id = e, .symbol = "two" }));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_name_finds_or_makes),
        mini_world_test(an_id_is_used_as_given),
        mini_world_test(ids_text_and_values_are_added),
        mini_world_test(text_may_name_any_number_of_ids),
        mini_world_test(scope_and_with_apply_to_new_entities),
        mini_world_test(the_name_prefix_is_stripped),
        mini_world_test(while_deferred_the_entity_is_found_at_once),
        mini_world_test(a_symbol_of_another_leaves_nothing_behind),
        mini_world_test(nameless_entities_begin_in_their_table),
        mini_world_test(misuse_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
