// SPDX-License-Identifier: MIT
// Text as data: ecs_load_expr.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);

static ecs_entity_t Likes, Apples;

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    Likes = ecs_entity(world, { .name = "Likes" });
    Apples = ecs_entity(world, { .name = "Apples" });
}

// QL-20: the language can be read as data.
static void terms_create_entities_with_components(void **state) {
    ecs_world_t *world = *state;
    use(world);
    assert_int_equal(ecs_load_expr(world, "Position(MyEntity)"), 0);
    assert_int_equal(ecs_load_expr(world, "Velocity(MyEntity)"), 0);
    ecs_entity_t e = ecs_lookup(world, "MyEntity");
    assert_type(world, e, "Position, Velocity, (Identifier,Name)");
    assert_int_equal(ecs_load_expr(world, "Position(A), Velocity(A), Position(B)"), 0);
    assert_true(ecs_has(world, ecs_lookup(world, "A"), Velocity));
    assert_true(ecs_has(world, ecs_lookup(world, "B"), Position));
    assert_int_equal(ecs_load_expr(ecs_get_stage(world, 0), "Position(C)"), 0);
    assert_true(ecs_has(world, ecs_lookup(world, "C"), Position));
    assert_int_equal(ecs_load_expr(world, ""), 0);
}

// D-40: sources behind pairs, and the forms of the query language.
static void pairs_name_their_entity_before_or_behind(void **state) {
    ecs_world_t *world = *state;
    use(world);
    assert_int_equal(ecs_load_expr(world, "(Likes, Apples)(Bob), Likes(Alice, Apples)"), 0);
    ecs_entity_t bob = ecs_lookup(world, "Bob"), alice = ecs_lookup(world, "Alice");
    assert_true(ecs_has_pair(world, bob, Likes, Apples));
    assert_true(ecs_has_pair(world, alice, Likes, Apples));
    /* Entities of the text may be targets, relationships and tags, before and after. */
    assert_int_equal(
        ecs_load_expr(world, "(Likes, Carol)(Bob), Eats(Carol, Bob), Position(Eats)"), 0);
    assert_true(ecs_has_pair(world, bob, Likes, ecs_lookup(world, "Carol")));
    assert_true(ecs_has_pair(world, ecs_lookup(world, "Carol"), ecs_lookup(world, "Eats"), bob));
    assert_int_equal(ecs_load_expr(world, "Likes(Bob, Alice, Carol)"), 0); /* a chain */
    assert_true(ecs_has_pair(world, alice, Likes, ecs_lookup(world, "Carol")));
    assert_true(ecs_lookup(world, "Bob") == bob);
}

static void paths_and_scopes_place_new_entities(void **state) {
    ecs_world_t *world = *state;
    use(world);
    assert_int_equal(ecs_load_expr(world, "Position(Game.Player), Velocity(Game::Player)"), 0);
    ecs_entity_t player = ecs_lookup(world, "Game.Player");
    assert_true(ecs_has(world, player, Velocity) && ecs_has(world, player, Position));
    assert_true(ecs_get_parent(world, player) == ecs_lookup(world, "Game"));
    ecs_set_scope(world, ecs_lookup(world, "Game"));
    assert_int_equal(ecs_load_expr(world, "Position(Enemy), Position(Player)"), 0);
    ecs_set_scope(world, 0);
    assert_true(ecs_lookup(world, "Game.Enemy") != 0);
    assert_int_equal(ecs_load_expr(world, "ChildOf(Enemy, Apples)"), 0);
    assert_true(ecs_lookup(world, "Apples.Enemy") != 0);
    char expr[64];
    snprintf(expr, sizeof(expr), "Velocity(#%u)", (unsigned)Apples);
    assert_int_equal(ecs_load_expr(world, expr), 0);
    assert_true(ecs_has(world, Apples, Velocity));
}

static void long_texts_are_data_too(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    for (int i = 0; i < 500; i++) ecs_strbuf_append(&buf, "%sPosition(E%d)", i ? ",\n" : "", i);
    char *text = ecs_strbuf_get(&buf);
    assert_int_equal(ecs_load_expr(world, text), 0);
    ecs_os_free(text);
    assert_int_equal(ecs_count(world, Position), 500);
}

static void bad_text_leaves_the_world_as_it_was(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t color = ecs_entity(world, { .name = "Color" });
    ecs_add_id(world, color, EcsOneOf);
    ecs_add_id(world, color, EcsExclusive);
    ecs_entity_t red = ecs_entity(world, { .name = "Red", .parent = color });
    ecs_entity_t bob = ecs_entity(world, { .name = "Bob" });
    ecs_add_pair(world, bob, color, red);
    uint64_t hash = ecs_world_hash(world);
    static const struct {
        const char *text, *message;
    } rows[] = {
        { "Position(New), Position(", "expected" },
        { "Position(New), Nothing(New)", "unresolved identifier 'Nothing'" },
        { "Position(New), (Likes, Pears)(New)", "unresolved identifier 'Pears'" },
        { "Position", "about an entity" },
        { "Position(New), Velocity", "about an entity" },
        { "Position(New), !Velocity(New)", "no operator" },
        { "?Position(New)", "no operator" },
        { "Position(New) || Velocity(New)", "no operator" },
        { "[in] Position(New)", "no operator" },
        { "Position(up:New)", "no operator" },
        { "Position($x)", "variables" },
        { "*(New)", "variables" },
        { "Likes(New, *)", "variables" },
        { "Likes(New, $x)", "variables" },
        { "Position(#99999)", "not alive" },
        { "Position(New), Prefab(Prefab)", "builtin" },
        { "Position(New), (Color, Apples)(Bob)", "not a child" },
        { "Position(New), (ChildOf, A)(B), (ChildOf, B)(A)", "cycle" },
        { "(Color, Color.Red)(A), (Color, A)(Bob)", "not a child" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int result = 0;
        ecs_log_last_error();
        ecs_log_start_capture(true);
        result = ecs_load_expr(world, rows[i].text);
        char *log = ecs_log_stop_capture();
        if (result != -1 || !log || !strstr(log, rows[i].message) ||
            ecs_world_hash(world) != hash || ecs_lookup(world, "New"))
            fail_msg("%s: result %d, log: %s", rows[i].text, result, log ? log : "none");
        ecs_os_free(log);
    }
    assert_true(ecs_has_pair(world, bob, color, red));
    expect_error(ECS_INVALID_PARAMETER, "^", ecs_load_expr(world, "Position(New), Nothing(New)"));
    ecs_defer_begin(world);
    expect_abort(ECS_INVALID_OPERATION, ecs_load_expr(world, "Position(New)"));
    ecs_defer_end(world);
}

// What facts brought goes with them, unless others use it by then: that is said.
static void facts_that_contradict_each_other_leave_nothing_behind(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t acyclic = ecs_entity(world, { .name = "Ac" }),
                 rel = ecs_entity(world, { .name = "R" });
    ecs_add_id(world, acyclic, EcsAcyclic);
    ecs_entity_t a = ecs_entity(world, { .name = "a" }), e = ecs_entity(world, { .name = "e" });
    ecs_entity_t with = ecs_entity(world, { .name = "With1" }),
                 y = ecs_entity(world, { .name = "Y" });
    ecs_entity(world, { .name = "b" });
    ecs_add_pair(world, y, EcsWith, with);
    expect_error(ECS_INVALID_PARAMETER, "cycle",
        assert_int_equal(ecs_load_expr(world, "Y(e), Transitive(R), (Ac, a)(b), (Ac, b)(a)"), -1));
    assert_false(ecs_has_id(world, e, with));
    assert_false(ecs_has_id(world, rel, EcsTransitive));
    assert_false(ecs_has_id(world, rel, EcsTraversable));
    expect_error(ECS_INVALID_OPERATION, "it is in use",
        assert_int_equal(
            ecs_load_expr(world, "Exclusive(R), (R, a)(b), (Ac, a)(b), (Ac, b)(a)"), -1));
    assert_false(ecs_has_pair(world, a, acyclic, EcsWildcard));
}

// What a fact replaced, or brought beside tables, also where that is a number.
static void replaced_pairs_come_back(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rels[] = { ecs_entity(world, { .name = "One" }),
        ecs_entity(world, { .name = "Union" }), ecs_entity(world, { .name = "Number" }) };
    const ecs_entity_t traits[] = { EcsExclusive, EcsUnion, EcsExclusive };
    ecs_entity_t e = ecs_entity(world, { .name = "e" }), a = ecs_entity(world, { .name = "a" });
    ecs_entity_t with = ecs_entity(world, { .name = "With1" }),
                 y = ecs_entity(world, { .name = "Y" });
    ecs_add_id(world, with, EcsDontFragment);
    ecs_add_pair(world, y, EcsWith, with);
    ecs_entity(world, { .name = "b" });
    for (int i = 0; i < 3; i++) ecs_add_id(world, rels[i], traits[i]);
    for (int i = 0; i < 3; i++)
        ecs_add_id(world, e, i < 2 ? ecs_pair(rels[i], a) : ecs_value_pair(rels[i], 5));
    ecs_entity_t child = ecs_entity(world, { .name = "c", .parent = e });
    const uint64_t hash = ecs_world_hash(world);
    static const char *const texts[] = { "One(e, b)", "Union(e, b)", "Number(e, b)", "One(e, new)",
        "(ChildOf, a)(e.c)", "Y(e)", "One(e, a), Union(e, a)" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *text = flecs_asprintf("%s, IsA(x, y), IsA(y, x), Y(new)", texts[i]);
        expect_error(ECS_INVALID_PARAMETER, "cycle", ecs_load_expr(world, text));
        ecs_os_free(text);
        if (ecs_world_hash(world) != hash) fail_msg("%s left something behind", texts[i]);
    }
    assert_id_equal(world, ecs_get_parent(world, child), e);
}

static void end_target(ecs_iter_t *it) {
    if (it->event == EcsOnRemove) ecs_delete(it->world, ecs_pair_second(it->world, it->event_id));
}

static void end(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

// What is left is as it was.
static void an_entity_may_end_while_facts_are_added(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnAdd }, .callback = end });
    ecs_entity_t b = ecs_entity(world, { .name = "B" });
    expect_error(ECS_INVALID_PARAMETER, "has deleted the entity",
        assert_int_equal(ecs_load_expr(world, "Velocity(B), Position(A), Velocity(A)"), -1));
    assert_false(ecs_has(world, b, Velocity));
    assert_id_equal(world, ecs_lookup(world, "A"), 0);
    ecs_observer(
        world, { .query.terms = { { ecs_childof(b) } }, .events = { EcsOnAdd }, .callback = end });
    expect_error(ECS_INVALID_PARAMETER, "has deleted the entity",
        assert_int_equal(ecs_load_expr(world, "Velocity(B), Velocity(B.way.to)"), -1));
    expect_error(ECS_INVALID_PARAMETER, "no id",
        assert_int_equal(ecs_load_expr(world, "Likes(B, B.way.to), Velocity(B.way.to)"), -1));
    assert_false(ecs_has(world, b, Velocity) || ecs_has_pair(world, b, Likes, EcsWildcard));
}

static void an_entity_may_end_while_facts_are_taken_back(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_id(world, Likes, EcsExclusive);
    ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnRemove }, .callback = end });
    ecs_observer(world, { .query.terms = { { ecs_pair(Likes, EcsWildcard) } },
                            .events = { EcsOnRemove },
                            .callback = end_target });
    ecs_entity_t e = ecs_entity(world, { .name = "E" }), f = ecs_entity(world, { .name = "F" });
    ecs_add_pair(world, f, Likes, Apples);
    ecs_entity(world, { .name = "G" });
    expect_error(ECS_INVALID_PARAMETER, "cycle",
        ecs_load_expr(world, "Velocity(E), Position(E), IsA(x, y), IsA(y, x)"));
    assert_false(ecs_is_alive(world, e));
    expect_error(ECS_INVALID_PARAMETER, "cycle",
        ecs_load_expr(world, "(Likes, G)(F), IsA(x, y), IsA(y, x)"));
    assert_false(ecs_is_alive(world, Apples)); /* as it was replaced */
    assert_false(ecs_has_pair(world, f, Likes, EcsWildcard));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(an_entity_may_end_while_facts_are_added),
        world_test(an_entity_may_end_while_facts_are_taken_back),
        world_test(replaced_pairs_come_back),
        world_test(facts_that_contradict_each_other_leave_nothing_behind),
        world_test(terms_create_entities_with_components),
        world_test(pairs_name_their_entity_before_or_behind),
        world_test(paths_and_scopes_place_new_entities),
        world_test(long_texts_are_data_too),
        world_test(bad_text_leaves_the_world_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
