// SPDX-License-Identifier: MIT
// Which systems conflict, which form groups, and which edges a schedule needs.
#include "support/world.h"

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

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Game);

#define MAX_SYSTEMS 6

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
    assert_conflict(f, "Position", "Velocity, [in] Position(up ChildOf)",
        RT_CONFLICT_NONE); /* matches nothing */
    assert_conflict(f, "Velocity", "Position, [in] Velocity(up ChildOf)", RT_CONFLICT_FULL);
    assert_conflict(f, "Velocity", "Position, [in] Velocity()", RT_CONFLICT_FULL);
    assert_conflict(f, "Velocity", "Position, [out] Velocity()", RT_CONFLICT_NONE);
    assert_conflict(f, "Position, [in] Game(Game)", "Velocity, [in] Game(Game)", RT_CONFLICT_NONE);
    assert_conflict(
        f, "Position, [inout] Game(Game)", "Velocity, [in] Game(Game)", RT_CONFLICT_FULL);
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
        test(systems_that_meet_themselves_are_not_split),
        test(row_wise_neighbours_form_a_group),
        test(edges_that_others_imply_are_left_out),
        test(a_table_that_inherits_a_value_looks_beyond_its_rows),
        test(ids_overlap_through_wildcards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
