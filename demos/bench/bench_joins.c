// SPDX-License-Identifier: MIT
// bench_joins: queries that look beyond the table they are in: down trees, and from ships to planets.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

// ---- Transforms down trees ----
// Binary trees of eight levels. Position is where a node is relative to its parent, Velocity (for
// want of a better name) where it is in the world.

enum { TREES = 428, TREE_NODES = 255 };

typedef struct {
    ecs_world_t *world;
    ecs_query_t *query;
    int32_t nodes;
    int32_t *parents; // the same trees by hand, level by level; -1: none
    Velocity *places;
    Position *offsets;
} trees_t;

static void add_tree(trees_t *state, int32_t first, ecs_entity_t *nodes) {
    for (int32_t i = 0; i < TREE_NODES; i++) {
        nodes[i] = ecs_new(state->world);
        ecs_set(state->world, nodes[i], Position, { 1, 2 });
        ecs_set(state->world, nodes[i], Velocity, { 0, 0 });
        if (i) ecs_add_pair(state->world, nodes[i], EcsChildOf, nodes[(i - 1) / 2]);
        state->parents[first + i] = i ? first + (i - 1) / 2 : -1;
        state->offsets[first + i] = (Position){ 1, 2 };
    }
}

static void set_up_trees(bench_run_t *run) {
    trees_t *state = run->state = bench_array(1, sizeof *state);
    int32_t trees = bench_scale(run, TREES);
    state->nodes = trees * TREE_NODES;
    state->world = scene_world();
    state->parents = bench_array((size_t)state->nodes, sizeof(int32_t));
    state->places = bench_array((size_t)state->nodes, sizeof(Velocity));
    state->offsets = bench_array((size_t)state->nodes, sizeof(Position));
    ecs_entity_t nodes[TREE_NODES];
    for (int32_t t = 0; t < trees; t++) add_tree(state, t * TREE_NODES, nodes);
    ecs_term_t parent = { ecs_id(Velocity), .src.id = EcsCascade, .trav = EcsChildOf,
        .inout = EcsIn, .oper = EcsOptional };
    state->query = ecs_query(state->world,
        { .terms = { { ecs_id(Position), .inout = EcsIn }, { ecs_id(Velocity) }, parent },
            .instanced = true });
}

// Both have run in each repetition but the first, so this is for the end.
static void check_places(bench_run_t *run) {
    const trees_t *state = run->state;
    double sum = 0, by_hand = 0;
    ecs_iter_t it = ecs_each(state->world, Velocity);
    while (ecs_each_next(&it)) {
        const Velocity *places = ecs_field(&it, Velocity, 0);
        for (int32_t i = 0; i < it.count; i++) sum += (double)places[i].y;
    }
    for (int32_t i = 0; i < state->nodes; i++) by_hand += 2.0 * (double)state->places[i].x;
    if (sum != by_hand) bench_wrong(run, "the nodes are at %g together, not %g", sum, by_hand);
}

static void tear_down_trees(bench_run_t *run) {
    trees_t *state = run->state;
    check_places(run);
    ecs_fini(state->world);
    free(state->parents);
    free(state->places);
    free(state->offsets);
    free(state);
}

static double transform(bench_run_t *run) {
    const trees_t *state = run->state;
    double start = bench_now();
    ecs_iter_t it = ecs_query_iter(state->world, state->query);
    while (ecs_query_next(&it)) {
        const Position *offsets = ecs_field(&it, Position, 0);
        Velocity *places = ecs_field(&it, Velocity, 1);
        const Velocity *parent = ecs_field(&it, Velocity, 2);
        float x = parent ? parent->x : 0, y = parent ? parent->y : 0;
        for (int32_t i = 0; i < it.count; i++) {
            places[i] = (Velocity){ x + offsets[i].x, y + offsets[i].y };
        }
    }
    return (bench_now() - start) / state->nodes;
}

static double transform_by_hand(bench_run_t *run) {
    const trees_t *state = run->state;
    double start = bench_now();
    for (int32_t i = 0; i < state->nodes; i++) {
        const Position *offset = &state->offsets[i];
        int32_t parent = state->parents[i];
        Velocity above = parent < 0 ? (Velocity){ 0, 0 } : state->places[parent];
        state->places[i] = (Velocity){ above.x + offset->x, above.y + offset->y };
    }
    return (bench_now() - start) / state->nodes;
}

// ---- Ships docked at planets ----
// 100 ships at each of 1 000 places; every place but each tenth is a planet. A result is a table: the ships
// at one planet.

enum { PLACES = 1000, SHIPS = 100, NO_PLANET = 10, PRESETS = 1000 };

typedef struct {
    ecs_world_t *world;
    ecs_query_t *query;
    int32_t places;
    int32_t planet_var;
    ecs_entity_t *entities;
} docks_t;

static bool is_planet(int32_t place) { return place % NO_PLANET != 0; }

static void add_docks(docks_t *state) {
    ecs_world_t *world = state->world;
    ecs_entity_t ship = ecs_entity(world, { .name = "SpaceShip" });
    ecs_entity_t planet = ecs_entity(world, { .name = "Planet" });
    ecs_entity_t docked = ecs_entity(world, { .name = "DockedTo" });
    for (int32_t i = 0; i < state->places; i++) {
        state->entities[i] = is_planet(i) ? ecs_new_w_id(world, planet) : ecs_new(world);
    }
    // Around, so that neither ships nor tables of one place are neighbours for other reasons.
    for (int32_t s = 0; s < SHIPS; s++) {
        for (int32_t i = 0; i < state->places; i++) {
            ecs_entity_t e = ecs_new_w_id(world, ship);
            ecs_add_pair(world, e, docked, state->entities[i]);
        }
    }
}

static void set_up_docks(bench_run_t *run) {
    docks_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    state->places = bench_scale(run, PLACES);
    state->entities = bench_array((size_t)state->places, sizeof(ecs_entity_t));
    add_docks(state);
    const char *expr = run->bench->variant ? "Planet($planet), (DockedTo, $planet), SpaceShip"
                                           : "SpaceShip, (DockedTo, $planet), Planet($planet)";
    state->query = ecs_query(state->world, { .expr = expr });
    state->planet_var = ecs_query_find_var(state->query, "planet");
}

static void tear_down_docks(bench_run_t *run) {
    docks_t *state = run->state;
    ecs_query_fini(state->query);
    ecs_fini(state->world);
    free(state->entities);
    free(state);
}

static double join(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t passes = 20, results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < passes; i++) {
        ecs_iter_t it = ecs_query_iter(state->world, state->query);
        while (ecs_query_next(&it)) {
            results++;
            ships += it.count;
        }
    }
    double time_ns = bench_now() - start;
    int32_t planets = state->places - state->places / NO_PLANET;
    if (results != passes * planets || ships != results * SHIPS) {
        bench_wrong(run, "%d results with %d ships", (int)results, (int)ships);
    }
    return time_ns / results;
}

static double preset(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, expected = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PRESETS; i++) {
        ecs_iter_t it = ecs_query_iter(state->world, state->query);
        ecs_iter_set_var(&it, state->planet_var, state->entities[i % state->places]);
        while (ecs_query_next(&it)) results++;
    }
    double time_ns = bench_now() - start;
    for (int32_t i = 0; i < PRESETS; i++) expected += is_planet(i % state->places);
    if (results != expected) bench_wrong(run, "%d results of %d", (int)results, (int)expected);
    return time_ns / PRESETS;
}

#define DOCKS(name_, row_, unit_, about_, ours_, goal_, planet_first_)                  \
    {                                                                                   \
        .name = "joins/" name_, .row = row_, .unit = unit_, .about = about_,            \
        .goal_kind = GOAL_AT_MOST, .goal = goal_, .setup = set_up_docks, .ours = ours_, \
        .teardown = tear_down_docks, .variant = planet_first_                           \
    }

const bench_t bench_joins[] = {
    { .name = "joins/cascade",
        .row = "16",
        .unit = "ns/node",
        .about = "places in the world of 109 140 nodes in binary trees of 8 levels, by cascade",
        .limit_is = "arrays in order of levels",
        .goal_kind = GOAL_AT_MOST,
        .goal = 8,
        .setup = set_up_trees,
        .ours = transform,
        .limit = transform_by_hand,
        .teardown = tear_down_trees },
    DOCKS("docked", "17", "ns/result", "ships docked at planets: 900 tables of 100 ships", join, 15,
        false),
    DOCKS("docked_planet_first", "17", "ns/result", "the same, terms in another order", join, 15,
        true),
    DOCKS(
        "preset", "18", "ns/call", "ships docked at one planet that is given", preset, 150, false),
    DOCKS("preset_planet_first", "18", "ns/call", "the same, terms in another order", preset, 150,
        true),
    { 0 },
};
