// SPDX-License-Identifier: MIT
// Which systems conflict, which form groups, and which edges a schedule needs.
#include "support/world.h"

#include <stdio.h>

#include "support/random.h"

#include "schedule/graph.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Game {
    int32_t value;
} Game;

typedef Game Likes, Trusts, Loves;

static ECS_COMPONENT_DECLARE(Likes);
static ECS_COMPONENT_DECLARE(Trusts);
static ECS_COMPONENT_DECLARE(Loves);
static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Game);

#define MAX_SYSTEMS 200

typedef struct fixture_t {
    ecs_world_t *world;
    rt_system_t *systems[MAX_SYSTEMS];
    int32_t count;
    rt_graph_t graph;
} fixture_t;

static void nothing(ecs_iter_t *it) { (void)it; }

static int setup(void **state) {
    static fixture_t fixture;
    fixture = (fixture_t){ .world = ecs_init() };
    ecs_world_t *world = fixture.world;
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Game) = 0;
    ecs_id(Likes) = ecs_id(Trusts) = ecs_id(Loves) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Game);
    ecs_entity(world, { .name = "Tag" });
    ecs_entity(world, { .name = "Other" });
    ecs_entity_t parent =
        ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }));
    ecs_add_id(world, parent, ecs_lookup(world, "Tag"));
    ecs_entity_t child = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_add_id(world, child, ecs_lookup(world, "Other"));
    ecs_add_id(world, child, ecs_childof(parent));
    ecs_singleton_set(world, Game, { 0 });
    *state = &fixture;
    return 0;
}

static int teardown(void **state) {
    fixture_t *f = *state;
    rt__graph_fini(&f->graph);
    return ecs_fini(f->world);
}

static rt_system_t *add(fixture_t *f, const char *expr) {
    ecs_entity_t entity =
        ecs_system(f->world, { .query.expr = expr, .callback = nothing, .multi_threaded = true });
    rt_system_t *system = rt__system_of(f->world, entity);
    rt__matches_update(&system->matches, &system->access, system->pub.query);
    f->systems[f->count++] = system;
    return system;
}

static void connect(fixture_t *f, bool fused) {
    rt__graph_group(&f->graph, f->systems, f->count);
    for (int32_t g = 0; g < f->graph.group_count; g++) {
        f->graph.groups[g].fused = fused && f->graph.groups[g].count > 1;
    }
    rt__graph_connect(&f->graph, f->systems);
}

static void assert_conflict(fixture_t *f, const char *a, const char *b, rt_conflict_kind_t kind) {
    rt_conflict_t found = rt__conflict(add(f, a), add(f, b));
    if (found.kind != kind)
        print_error("'%s' and '%s': %d, expected %d\n", a, b, (int)found.kind, (int)kind);
    assert_int_equal(found.kind, kind);
    f->count = 0;
}

// THR-06
static void conflicts_follow_what_terms_declare(void **state) {
    fixture_t *f = *state;
    assert_conflict(f, "[in] Position", "[in] Position", RT_CONFLICT_NONE);
    assert_conflict(f, "Position", "[in] Position", RT_CONFLICT_ROWS);
    assert_conflict(f, "[in] Position", "[out] Position", RT_CONFLICT_ROWS);
    assert_conflict(f, "Position", "Velocity", RT_CONFLICT_NONE);
    assert_conflict(f, "Position, Tag", "Position, Other", RT_CONFLICT_NONE);
    assert_conflict(f, "Position", "Velocity, [filter] Position", RT_CONFLICT_NONE);
    assert_conflict(f, "Velocity", "Position, [in] Velocity(up ChildOf)", RT_CONFLICT_FULL);
    assert_conflict(f, "Velocity", "Position, [in] Velocity()", RT_CONFLICT_FULL);
    assert_conflict(f, "Velocity", "Position, [out] Velocity()", RT_CONFLICT_NONE);
    assert_conflict(f, "Position, [in] Game(Game)", "Velocity, [in] Game(Game)", RT_CONFLICT_NONE);
    assert_conflict(
        f, "Position, [inout] Game(Game)", "Velocity, [in] Game(Game)", RT_CONFLICT_FULL);
}

// THR-06: a base may be another for each instance, so that only constants that have none are known to differ.
static void constants_are_told_apart(void **state) {
    fixture_t *f = *state;
    assert_conflict(
        f, "Position, [inout] Game(Tag|self)", "Velocity, [in] Game(Other|self)", RT_CONFLICT_NONE);
    assert_conflict(
        f, "Position, [inout] Game(Tag|self)", "Velocity, [in] Game(Tag|self)", RT_CONFLICT_FULL);
    assert_conflict(
        f, "Position, [inout] Game(Tag|self)", "Velocity, [in] Game(Other)", RT_CONFLICT_FULL);
    assert_conflict(f, "Position, [inout] Game(Tag|self)", "[in] Game", RT_CONFLICT_FULL);
}

// THR-06, Q-CIN-08: a relationship may be a kind of two others, whose pairs are its own then.
static void pairs_of_kinds_conflict(void **state) {
    fixture_t *f = *state;
    ECS_COMPONENT_DEFINE(f->world, Likes);
    ECS_COMPONENT_DEFINE(f->world, Trusts);
    ECS_COMPONENT_DEFINE(f->world, Loves);
    assert_conflict(f, "(Position, Tag)", "(Velocity, Tag)", RT_CONFLICT_NONE);
    ecs_add_id(f->world, ecs_id(Likes), EcsInheritable);
    ecs_add_id(f->world, ecs_id(Trusts), EcsInheritable);
    ecs_add_pair(f->world, ecs_id(Loves), EcsIsA, ecs_id(Likes));
    ecs_add_pair(f->world, ecs_id(Loves), EcsIsA, ecs_id(Trusts));
    ecs_add_pair(f->world, ecs_new(f->world), ecs_id(Loves), ecs_lookup(f->world, "Tag"));
    assert_conflict(f, "(Likes, Tag)", "[in] (Loves, Tag)", RT_CONFLICT_ROWS);
    assert_conflict(f, "(Likes, Tag)", "(Trusts, Tag)", RT_CONFLICT_ROWS);
    assert_conflict(f, "(Likes, Tag)", "[in] (Trusts, *)", RT_CONFLICT_ROWS);
    assert_conflict(f, "(Likes, Tag)", "(Trusts, Other)", RT_CONFLICT_NONE);
    assert_conflict(f, "(Likes, Tag)", "Loves", RT_CONFLICT_NONE);
    ecs_add_pair(f->world, ecs_lookup(f->world, "Other"), EcsIsA, ecs_lookup(f->world, "Tag"));
    ecs_add_pair(f->world, ecs_new(f->world), ecs_id(Likes), ecs_lookup(f->world, "Other"));
    assert_conflict(f, "(Likes, Tag)", "[in] (Likes, Other)", RT_CONFLICT_ROWS);
}

static void systems_that_meet_themselves_are_not_split(void **state) {
    fixture_t *f = *state;
    assert_false(rt__conflicts_with_itself(add(f, "Position")));
    assert_true(rt__conflicts_with_itself(add(f, "Position, [inout] Game(Game)")));
    assert_true(rt__conflicts_with_itself(add(f, "Position, [in] Position(up ChildOf)")));
    assert_false(rt__conflicts_with_itself(add(f, "Position, [in] Velocity(up ChildOf)")));
}

static void row_wise_neighbours_form_a_group(void **state) {
    fixture_t *f = *state;
    add(f, "Position");
    add(f, "Position, [in] Velocity");
    add(f, "[in] Position, Velocity");
    add(f, "Position, [in] Velocity(up ChildOf)"); /* looks beyond its rows */
    add(f, "Position");
    connect(f, true);
    assert_int_equal(f->graph.group_count, 2);
    assert_int_equal(f->graph.groups[0].count, 3);
    assert_int_equal(f->graph.groups[1].count, 2);
    assert_int_equal(f->graph.node_count, 2);
    assert_int_equal(f->graph.edge_count, 1);
    assert_int_equal(f->graph.edges[0].conflict.kind, RT_CONFLICT_FULL);
}

static void edges_that_others_imply_are_left_out(void **state) {
    fixture_t *f = *state;
    add(f, "Position");
    add(f, "Position");
    add(f, "Position");
    add(f, "Velocity");
    connect(f, false);
    assert_int_equal(f->graph.node_count, 4);
    assert_int_equal(f->graph.edge_count, 2);
    for (int32_t i = 0; i < 2; i++)
        assert_int_equal(f->graph.edges[i].to - f->graph.edges[i].from, 1);
}

enum { KINDS = 40 };

static void add_random(fixture_t *f, random_t *random) {
    static const char *const access[] = { "[in] C%d", "C%d", "[in] C%d(C%d)", "[inout] C%d(C%d)",
        "[in] (Rel, C%d)", "(Rel, C%d)", "(Rel, C%d)", "[in] (Rel, *)", "(Rel, *)" };
    char expr[100];
    int32_t end = 0;
    for (int32_t i = random_below(random, 3); i >= 0; i--) {
        int32_t kind = random_below(random, KINDS);
        end += sprintf(expr + end, access[random_below(random, 4 + 5 * (kind % 2))], kind, kind);
        if (i) end += sprintf(expr + end, ", ");
    }
    add(f, expr);
}

// What asking all pairs of systems from the nearest backwards leads to.
static int32_t check_edges(
    const fixture_t *f, int32_t to, bool before[][MAX_SYSTEMS], int32_t edge) {
    for (int32_t from = to - 1; from >= 0; from--) {
        if (before[to][from]) continue;
        rt_conflict_t conflict = rt__conflict(f->systems[from], f->systems[to]);
        if (conflict.kind == RT_CONFLICT_NONE) continue;
        assert_true(edge < f->graph.edge_count);
        const rt_edge_t *found = &f->graph.edges[edge++];
        assert_int_equal(found->from, from);
        assert_int_equal(found->to, to);
        assert_int_equal(found->conflict.kind, conflict.kind);
        before[to][from] = true;
        for (int32_t i = 0; i < from; i++) before[to][i] |= before[from][i];
    }
    return edge;
}

static void many_systems_wait_for_those_they_conflict_with(void **state) {
    fixture_t *f = *state;
    random_t random = random_init(random_seed());
    static bool before[MAX_SYSTEMS][MAX_SYSTEMS];
    ecs_entity_t all = ecs_new(f->world), rel;
    rel = ecs_component(f->world, { .entity = ecs_entity(f->world, { .name = "Rel" }),
                                      .type = { .size = 8, .alignment = 8 } });
    for (int32_t i = 0; i < KINDS; i++) {
        char name[10];
        sprintf(name, "C%d", i);
        ecs_entity_t kind =
            ecs_component(f->world, { .entity = ecs_entity(f->world, { .name = name }),
                                        .type = { .size = 8, .alignment = 8 } });
        ecs_add_id(f->world, all, kind);
        ecs_add_id(f->world, kind, kind);
        ecs_add_pair(f->world, all, rel, kind);
    }
    while (f->count < MAX_SYSTEMS) add_random(f, &random);
    connect(f, false);
    int32_t edges = 0;
    for (int32_t to = 0; to < MAX_SYSTEMS; to++) edges = check_edges(f, to, before, edges);
    assert_int_equal(edges, f->graph.edge_count);
    for (int32_t g = 0; g < f->graph.group_count; g++)
        assert_true(f->graph.groups[g].count <= 64); /* what they hold is square in systems */
}

// The default lets values come from a base: such a table makes a reader look beyond its rows.
static void a_table_that_inherits_a_value_looks_beyond_its_rows(void **state) {
    fixture_t *f = *state;
    assert_conflict(f, "Velocity", "Position, [in] Velocity", RT_CONFLICT_ROWS);
    ecs_entity_t base = ecs_insert(f->world, ecs_value(Velocity, { 1, 1 }));
    ecs_entity_t instance = ecs_insert(f->world, ecs_value(Position, { 1, 1 }));
    ecs_add_id(f->world, instance, ecs_isa(base));
    assert_conflict(f, "Velocity", "Position, [in] Velocity", RT_CONFLICT_FULL);
}

static void ids_overlap_through_wildcards(void **state) {
    fixture_t *f = *state;
    ecs_entity_t r = ecs_new(f->world), x = ecs_new(f->world), y = ecs_new(f->world);
    assert_true(rt__ids_overlap(x, x));
    assert_false(rt__ids_overlap(x, y));
    assert_true(rt__ids_overlap(x, EcsWildcard));
    assert_true(rt__ids_overlap(ecs_pair(r, x), EcsWildcard));
    assert_true(rt__ids_overlap(ecs_pair(r, EcsWildcard), ecs_pair(r, x)));
    assert_true(rt__ids_overlap(ecs_pair(r, EcsWildcard), ecs_pair(EcsWildcard, x)));
    assert_false(rt__ids_overlap(ecs_pair(r, EcsWildcard), ecs_pair(x, EcsWildcard)));
    assert_false(rt__ids_overlap(ecs_pair(r, x), x));
}

int main(void) {
#define test(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        test(conflicts_follow_what_terms_declare),
        test(constants_are_told_apart),
        test(pairs_of_kinds_conflict),
        test(systems_that_meet_themselves_are_not_split),
        test(row_wise_neighbours_form_a_group),
        test(edges_that_others_imply_are_left_out),
        test(many_systems_wait_for_those_they_conflict_with),
        test(a_table_that_inherits_a_value_looks_beyond_its_rows),
        test(ids_overlap_through_wildcards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
