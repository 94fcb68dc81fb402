// SPDX-License-Identifier: MIT
// Component and pair terms given as descriptors: features.md areas Q-NEW (terms), Q-TRM, Q-SRC,
// Q-SNG.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Mass {
    float value;
} Mass;
typedef struct SimTime {
    double value;
} SimTime;

typedef struct scene_t {
    ecs_world_t *world;
    ecs_entity_t position, velocity, mass, sim_time, npc, likes, eats, apples, pears, bob, game, e1,
        e2, e3;
} scene_t;

static scene_t make_scene(ecs_world_t *world) {
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Velocity);
    ECS_COMPONENT(world, Mass);
    ECS_COMPONENT(world, SimTime);
    scene_t s = { .world = world,
        .position = ecs_id(Position),
        .velocity = ecs_id(Velocity),
        .mass = ecs_id(Mass),
        .sim_time = ecs_id(SimTime),
        .npc = ecs_entity(world, { .name = "Npc" }),
        .likes = ecs_entity(world, { .name = "Likes" }),
        .eats = ecs_entity(world, { .name = "Eats" }),
        .apples = ecs_entity(world, { .name = "Apples" }),
        .pears = ecs_entity(world, { .name = "Pears" }),
        .bob = ecs_entity(world, { .name = "Bob" }),
        .game = ecs_entity(world, { .name = "Game" }) };
    s.e1 = ecs_entity(world, { .name = "e1", .add = ecs_ids(s.position) });
    s.e2 = ecs_entity(world,
        { .name = "e2", .add = ecs_ids(s.position, s.velocity, ecs_pair(s.likes, s.apples)) });
    s.e3 = ecs_entity(world,
        { .name = "e3",
            .add = ecs_ids(s.position, s.velocity, s.mass, s.npc, ecs_pair(s.likes, s.apples),
                ecs_pair(s.likes, s.pears), ecs_pair(s.eats, s.apples)) });
    return s;
}

// Terms (up to the first empty one) give these entities, cached and uncached.
static void assert_terms(
    const scene_t *scene, const ecs_term_t *terms, int32_t count, const char *expected) {
    for (int cached = 0; cached < 2; cached++) {
        ecs_query_desc_t desc = { .cache_kind = cached ? EcsQueryCacheAuto : EcsQueryCacheNone };
        memcpy(desc.terms, terms, sizeof *terms * (size_t)count);
        ecs_query_t *query = ecs_query_init(scene->world, &desc);
        assert_non_null(query);
        char seen[128] = "";
        ecs_iter_t it = ecs_query_iter(scene->world, query);
        while (ecs_query_next(&it)) {
            if (!it.count) strcat(seen, "true ");
            for (int i = 0; i < it.count; i++) {
                strcat(seen, ecs_get_name(scene->world, it.entities[i]));
                strcat(seen, " ");
            }
        }
        if (seen[0]) seen[strlen(seen) - 1] = '\0';
        assert_string_equal(seen, expected);
        ecs_query_fini(query);
    }
}

#define TERMS(...)                       \
    (const ecs_term_t[]){ __VA_ARGS__ }, \
        (int32_t)(sizeof((const ecs_term_t[]){ __VA_ARGS__ }) / sizeof(ecs_term_t))

static void terms_need_all_their_ids_and_no_others(void **state) {
    scene_t s = make_scene(*state);
    assert_terms(&s, TERMS({ s.position }, { s.velocity }), "e2 e3"); /* Q-TRM-01, Q-TRM-02 */
    assert_terms(&s, TERMS({ s.npc }), "e3");                         /* Q-TRM-03 */
    assert_terms(
        &s, TERMS({ .first.name = "Position" }, { .first.name = "Mass" }), "e3"); /* Q-TRM-04 */
    assert_terms(&s, TERMS({ ecs_pair(s.likes, s.apples) }, { ecs_pair(s.eats, s.apples) }),
        "e3"); /* Q-TRM-05 */
    assert_terms(&s, TERMS({ ecs_pair(s.likes, s.apples) }, { ecs_pair(s.likes, s.pears) }),
        "e3"); /* Q-TRM-06 */
    assert_terms(&s, TERMS({ s.mass }, { s.npc, .oper = EcsNot }), "");
}

// Q-NEW-04, Q-NEW-08, Q-NEW-09, Q-TRM-08
static void elements_may_be_ids_names_and_written_out(void **state) {
    scene_t s = make_scene(*state);
    assert_terms(&s, TERMS({ .id = ecs_pair(s.likes, s.pears) }), "e3");
    assert_terms(&s, TERMS({ .first.id = s.likes, .second.id = s.pears }), "e3");
    assert_terms(&s, TERMS({ .first.name = "Likes", .second.name = "Pears" }), "e3");
    assert_terms(
        &s, TERMS({ .first.id = s.likes, .second.name = "Pears", .src.id = EcsThis }), "e3");
    assert_terms(&s, TERMS({ .first.id = s.likes, .second.id = EcsAny }), "e2 e3");
    assert_terms(&s, TERMS({ .first.id = s.likes, .second.name = "*" }), "e2 e3 e3");
    assert_terms(&s, TERMS({ s.mass, .src.name = "$this" }), "e3");
}

// Q-TRM-07, NAM-01
static void a_parent_is_an_ordinary_pair(void **state) {
    scene_t s = make_scene(*state);
    ecs_add_pair(s.world, s.e1, EcsChildOf, s.e3);
    assert_terms(&s, TERMS({ ecs_pair(EcsChildOf, s.e3) }), "e1");
    assert_terms(&s, TERMS({ ecs_childof(s.e3) }), "e1");
    assert_terms(&s, TERMS({ s.position }, { ecs_pair(EcsChildOf, 0) }), "e2 e3");
    assert_terms(
        &s, TERMS({ s.position }, { ecs_pair(EcsChildOf, EcsAny), .oper = EcsNot }), "e2 e3");
}

// Q-TRM-09, Q-SRC-02, Q-SRC-04, Q-SRC-06, Q-SRC-07, Q-SRC-08
static void a_fixed_source_is_a_test_of_one_entity(void **state) {
    scene_t s = make_scene(*state);
    assert_terms(&s, TERMS({ s.position, .src.id = s.bob }), "");
    assert_terms(&s, TERMS({ s.mass }, { s.sim_time, .src.id = s.game }), "");
    ecs_add_id(s.world, s.bob, s.position);
    ecs_add_pair(s.world, s.bob, s.likes, s.e1);
    ecs_add_id(s.world, s.game, s.sim_time);
    assert_terms(&s, TERMS({ s.position, .src.id = s.bob }), "true");
    assert_terms(&s, TERMS({ s.position, .src.name = "Bob" }), "true");
    assert_terms(&s, TERMS({ ecs_pair(s.likes, s.e1), .src.id = s.bob }), "true");
    assert_terms(&s, TERMS({ ecs_pair(s.likes, s.e2), .src.id = s.bob }), "");
    assert_terms(&s, TERMS({ s.mass }, { s.sim_time, .src.id = s.game }), "e3");
    ecs_remove_id(s.world, s.game, s.sim_time);
    assert_terms(&s, TERMS({ s.mass }, { s.sim_time, .src.id = s.game }), "");
}

// Q-SRC-05, Q-ACC-03, Q-ACC-06, Q-SRC-09
static void fields_tell_their_source_and_whether_they_are_readonly(void **state) {
    scene_t s = make_scene(*state);
    ecs_set_id(s.world, s.game, s.sim_time, sizeof(SimTime), &(SimTime){ 2.5 });
    ecs_query_t *query =
        ecs_query(s.world, { .terms = { { s.mass }, { s.sim_time, .src.id = s.game },
                                 { s.sim_time, .src.id = s.game, .inout = EcsInOut } } });
    ecs_iter_t it = ecs_query_iter(s.world, query);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field_src(&it, 0), 0);
    assert_id_equal(s.world, ecs_field_src(&it, 1), s.game);
    assert_near(ecs_field(&it, SimTime, 1)->value, 2.5, 0);
    assert_false(ecs_field_is_readonly(&it, 0));
    assert_true(ecs_field_is_readonly(&it, 1));
    assert_false(ecs_field_is_readonly(&it, 2));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(query);
}

// Q-SNG-01, Q-SNG-03, Q-SNG-04
static void a_singleton_is_its_own_source(void **state) {
    scene_t s = make_scene(*state);
    assert_terms(&s, TERMS({ s.mass }, { s.sim_time, .src.id = s.sim_time }), "");
    ecs_set_id(s.world, s.sim_time, s.sim_time, sizeof(SimTime), &(SimTime){ 1 });
    assert_terms(&s, TERMS({ s.mass }, { s.sim_time, .src.id = s.sim_time }), "e3");
    ecs_add_id(s.world, s.sim_time, EcsSingleton); /* now without saying so */
    assert_terms(&s, TERMS({ s.mass }, { s.sim_time }), "e3");
}

// Q-NEW-05, Q-NEW-06
static void array_and_text_are_one_list_of_terms(void **state) {
    scene_t s = make_scene(*state);
    ecs_query_desc_t desc = { .expr = "Velocity, (Likes, Apples)" };
    int32_t count = 0;
    desc.terms[count++] = (ecs_term_t){ s.position };
    if (s.mass) desc.terms[count++] = (ecs_term_t){ s.mass, .oper = EcsNot };
    ecs_query_t *query = ecs_query_init(s.world, &desc);
    assert_int_equal(query->term_count, 4);
    assert_id_equal(s.world, query->terms[0].id, s.position);
    assert_id_equal(s.world, query->terms[2].id, s.velocity);
    ecs_iter_t it = ecs_query_iter(s.world, query);
    assert_true(ecs_query_next(&it));
    assert_id_equal(s.world, it.entities[0], s.e2);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(query);
}

// Q-NEW-10, Q-NEW-17, Q-TRV-13
static void what_makes_no_sense_makes_no_query(void **state) {
    scene_t s = make_scene(*state);
    ecs_world_t *world = s.world;
    expect_error(ECS_INVALID_PARAMETER, "'Nobody'",
        assert_null(ecs_query(world, { .terms = { { .first.name = "Nobody" } } })));
    expect_error(ECS_INVALID_PARAMETER, "at least one term",
        assert_null(ecs_query(world, { .expr = NULL })));
    expect_error(ECS_INVALID_PARAMETER, "Traversable",
        assert_null(
            ecs_query(world, { .terms = { { s.mass, .src.id = EcsUp, .trav = s.likes } } })));
    assert_terms(&s, TERMS({ s.mass }), "e3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(terms_need_all_their_ids_and_no_others),
        mini_world_test(elements_may_be_ids_names_and_written_out),
        mini_world_test(a_parent_is_an_ordinary_pair),
        mini_world_test(a_fixed_source_is_a_test_of_one_entity),
        mini_world_test(fields_tell_their_source_and_whether_they_are_readonly),
        mini_world_test(a_singleton_is_its_own_source),
        mini_world_test(array_and_text_are_one_list_of_terms),
        mini_world_test(what_makes_no_sense_makes_no_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
