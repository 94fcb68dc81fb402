// SPDX-License-Identifier: MIT
// bench_joins: queries that look beyond the table they are in: down trees, from ships to planets, and from units to what they aim at.
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

enum { SHIP_FIRST, PLANET_FIRST, UP_TO_STARS }; // variants

enum { PLACES = 1000, SHIPS = 100, NO_PLANET = 10, PASSES = 20, PRESETS = 1000 };

// The ships at a place, by hand: what they are docked to and how many they are.
typedef struct {
    int32_t place, ships;
} dock_t;

typedef struct {
    ecs_world_t *world;
    ecs_query_t *query;
    int32_t places;
    int32_t planet_var;
    ecs_entity_t *entities;
    dock_t *hand;        // one per place, in the order in which tables of ships were made
    int32_t *hand_docks; // place -> its dock
    bool *hand_planets;  // place -> is it a planet?
    int32_t *hand_above; // place -> region -> star: behind the places are regions, then stars
} docks_t;

static bool is_planet(int32_t place) { return place % NO_PLANET != 0; }

// Places are in regions, and these in the realms of stars: In is transitive.
enum { REGIONS = 100, STARS = 10 };

static void add_stars(docks_t *state) {
    ecs_world_t *world = state->world;
    ecs_entity_t in = ecs_entity(world, { .name = "In", .add = ecs_ids(EcsTransitive) });
    ecs_entity_t star = ecs_entity(world, { .name = "Star" });
    ecs_entity_t regions[REGIONS], stars[STARS];
    state->hand_above = bench_array((size_t)(state->places + REGIONS), sizeof(int32_t));
    for (int32_t i = 0; i < STARS; i++) stars[i] = ecs_new_w_id(world, star);
    for (int32_t i = 0; i < REGIONS; i++) {
        regions[i] = ecs_new_w_pair(world, in, stars[i % STARS]);
        state->hand_above[state->places + i] = state->places + REGIONS + i % STARS;
    }
    for (int32_t i = 0; i < state->places; i++) {
        ecs_add_pair(world, state->entities[i], in, regions[i % REGIONS]);
        state->hand_above[i] = state->places + i % REGIONS;
    }
}

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

static void add_docks_by_hand(docks_t *state) {
    state->hand = bench_array((size_t)state->places, sizeof(dock_t));
    state->hand_docks = bench_array((size_t)state->places, sizeof(int32_t));
    state->hand_planets = bench_array((size_t)state->places, sizeof(bool));
    for (int32_t i = 0; i < state->places; i++) {
        state->hand[i] = (dock_t){ .place = i, .ships = SHIPS };
        state->hand_docks[i] = i;
        state->hand_planets[i] = is_planet(i);
    }
}

static void set_up_docks(bench_run_t *run) {
    docks_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    state->places = bench_scale(run, PLACES);
    state->entities = bench_array((size_t)state->places, sizeof(ecs_entity_t));
    add_docks(state);
    add_docks_by_hand(state);
    if (run->bench->variant == UP_TO_STARS) add_stars(state);
    static const char *const exprs[] = {
        "SpaceShip, (DockedTo, $planet), Planet($planet)",
        "Planet($planet), (DockedTo, $planet), SpaceShip",
        "SpaceShip, (DockedTo, $planet), Planet($planet), In($planet, $star), Star($star)",
    };
    state->query = ecs_query(state->world, { .expr = exprs[run->bench->variant] });
    state->planet_var = ecs_query_find_var(state->query, "planet");
}

static void tear_down_docks(bench_run_t *run) {
    docks_t *state = run->state;
    ecs_query_fini(state->query);
    ecs_fini(state->world);
    free(state->entities);
    free(state->hand);
    free(state->hand_docks);
    free(state->hand_planets);
    free(state->hand_above);
    free(state);
}

static double check_join(bench_run_t *run, double time_ns, int32_t results, int32_t ships) {
    const docks_t *state = run->state;
    int32_t planets = state->places - state->places / NO_PLANET;
    if (results != PASSES * planets || ships != results * SHIPS) {
        bench_wrong(run, "%d results with %d ships", (int)results, (int)ships);
    }
    return time_ns / (PASSES * planets);
}

static double join(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PASSES; i++) {
        ecs_iter_t it = ecs_query_iter(state->world, state->query);
        while (ecs_query_next(&it)) {
            results++;
            ships += it.count;
        }
    }
    return check_join(run, bench_now() - start, results, ships);
}

// From ships to the place, and on if that is a planet.
static double join_by_hand(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PASSES; i++) {
        for (int32_t d = 0; d < state->places; d++) {
            const dock_t *dock = &state->hand[d];
            if (!state->hand_planets[dock->place]) continue;
            results++;
            ships += dock->ships;
            bench_keep(dock->place); // the result is handed out
        }
    }
    return check_join(run, bench_now() - start, results, ships);
}

// From planets to their ships.
static double join_planets_by_hand(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PASSES; i++) {
        for (int32_t p = 0; p < state->places; p++) {
            if (!state->hand_planets[p]) continue;
            results++;
            ships += state->hand[state->hand_docks[p]].ships;
            bench_keep(p);
        }
    }
    return check_join(run, bench_now() - start, results, ships);
}

// From ships to the place, and up to the star.
static double join_stars_by_hand(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PASSES; i++) {
        for (int32_t d = 0; d < state->places; d++) {
            const dock_t *dock = &state->hand[d];
            if (!state->hand_planets[dock->place]) continue;
            int32_t star = dock->place;
            while (star < state->places + REGIONS) star = state->hand_above[star];
            results++;
            ships += dock->ships;
            bench_keep(star);
        }
    }
    return check_join(run, bench_now() - start, results, ships);
}

static double check_presets(bench_run_t *run, double time_ns, int32_t results, int32_t ships) {
    const docks_t *state = run->state;
    int32_t expected = 0;
    for (int32_t i = 0; i < PRESETS; i++) expected += is_planet(i % state->places);
    if (results != expected || ships != results * SHIPS) {
        bench_wrong(run, "%d results of %d with %d ships", (int)results, (int)expected, (int)ships);
    }
    return time_ns / PRESETS;
}

static double preset(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PRESETS; i++) {
        ecs_iter_t it = ecs_query_iter(state->world, state->query);
        ecs_iter_set_var(&it, state->planet_var, state->entities[i % state->places]);
        while (ecs_query_next(&it)) {
            results++;
            ships += it.count;
        }
    }
    return check_presets(run, bench_now() - start, results, ships);
}

static double preset_by_hand(bench_run_t *run) {
    const docks_t *state = run->state;
    int32_t results = 0, ships = 0;
    double start = bench_now();
    for (int32_t i = 0; i < PRESETS; i++) {
        int32_t place = i % state->places;
        if (!state->hand_planets[place]) continue;
        results++;
        ships += state->hand[state->hand_docks[place]].ships;
        bench_keep(place);
    }
    return check_presets(run, bench_now() - start, results, ships);
}

// ---- Units and what they aim at ----
// Each aims at one other, by a relationship that is kept beside tables, lest there be a table per target.

enum { UNITS = 10000, KINDS = 20 };

typedef struct {
    ecs_world_t *world;
    ecs_query_t *query;
    int32_t count;
    ecs_entity_t *units;
    Position *positions; // by hand
    int32_t *targets;
} units_t;

static void set_up_units(bench_run_t *run) {
    units_t *state = run->state = bench_array(1, sizeof *state);
    ecs_world_t *world = state->world = scene_world();
    const int32_t count = state->count = bench_scale(run, UNITS);
    const ecs_entity_t aims =
        ecs_entity(world, { .name = "AimsAt", .add = ecs_ids(EcsDontFragment, EcsExclusive) });
    ecs_entity_t kinds[KINDS];
    for (int32_t k = 0; k < KINDS; k++) kinds[k] = ecs_new(world);
    state->units = bench_array((size_t)count, sizeof(ecs_entity_t));
    state->positions = bench_array((size_t)count, sizeof(Position));
    state->targets = bench_array((size_t)count, sizeof(int32_t));
    for (int32_t i = 0; i < count; i++) {
        state->units[i] = ecs_new_w_id(world, kinds[i % KINDS]);
        state->positions[i] = (Position){ (float)(i % 100), 1 };
        ecs_set_ptr(world, state->units[i], Position, &state->positions[i]);
    }
    for (int32_t i = 0; i < count; i++) {
        state->targets[i] = (int32_t)((i * 7919ll + 13) % count);
        ecs_add_pair(world, state->units[i], aims, state->units[state->targets[i]]);
    }
    state->query =
        ecs_query(world, { .expr = "Position, (AimsAt, $target), [in] Position($target)" });
}

static void tear_down_units(bench_run_t *run) {
    units_t *state = run->state;
    ecs_query_fini(state->query);
    ecs_fini(state->world);
    free(state->units);
    free(state->positions);
    free(state->targets);
    free(state);
}

static double check_aims(bench_run_t *run, double time_ns, int32_t found, double sum) {
    const units_t *state = run->state;
    double expected = 0;
    for (int32_t i = 0; i < state->count; i++) expected += (double)(state->targets[i] % 100);
    if (found != state->count || sum != expected)
        bench_wrong(run, "%d aims at %g together, not %g", (int)found, sum, expected);
    return time_ns / state->count;
}

static double aim(bench_run_t *run) {
    const units_t *state = run->state;
    int32_t found = 0;
    double sum = 0, start = bench_now();
    ecs_iter_t it = ecs_query_iter(state->world, state->query);
    while (ecs_query_next(&it)) {
        Position *own = ecs_field(&it, Position, 0);
        const Position *target = ecs_field(&it, Position, 2);
        own->y += target->x;
        sum += (double)target->x;
        found++;
    }
    return check_aims(run, bench_now() - start, found, sum);
}

static double aim_by_hand(bench_run_t *run) {
    const units_t *state = run->state;
    double sum = 0, start = bench_now();
    for (int32_t i = 0; i < state->count; i++) {
        const Position *target = &state->positions[state->targets[i]];
        state->positions[i].y += target->x;
        sum += (double)target->x;
        bench_keep(i); // the result is handed out
    }
    return check_aims(run, bench_now() - start, state->count, sum);
}

#define DOCKS(name_, row_, unit_, about_, ours_, limit_, limit_is_, goal_, variant_)            \
    {                                                                                           \
        .name = "joins/" name_, .row = row_, .unit = unit_, .about = about_,                    \
        .limit_is = limit_is_, .goal_kind = GOAL_AT_MOST, .goal = goal_, .setup = set_up_docks, \
        .ours = ours_, .limit = limit_, .teardown = tear_down_docks, .variant = variant_        \
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
    DOCKS("docked", "17", "ns/result", "ships docked at planets: 900 tables of 100 ships", join,
        join_by_hand, "groups of ships with the index of their place", 15, SHIP_FIRST),
    DOCKS("docked_planet_first", "17", "ns/result", "the same, terms in another order", join,
        join_planets_by_hand, "planets with the index of their group of ships", 15, PLANET_FIRST),
    DOCKS("preset", "18", "ns/call", "ships docked at one planet that is given", preset,
        preset_by_hand, "looking up place and ships in three arrays", 150, SHIP_FIRST),
    DOCKS("preset_planet_first", "18", "ns/call", "the same, terms in another order", preset,
        preset_by_hand, "looking up place and ships in three arrays", 150, PLANET_FIRST),
    { .name = "joins/docked_below_stars",
        .row = "",
        .unit = "ns/result",
        .about =
            "ships docked at planets, and the star of each, two steps up a transitive relationship",
        .limit_is = "the same arrays, and one of who is in what",
        .setup = set_up_docks,
        .ours = join,
        .limit = join_stars_by_hand,
        .teardown = tear_down_docks,
        .variant = UP_TO_STARS },
    { .name = "joins/aimed",
        .row = "",
        .unit = "ns/result",
        .about = "10 000 units and the position of what each aims at, which is kept beside tables",
        .limit_is = "arrays of positions and of targets",
        .setup = set_up_units,
        .ours = aim,
        .limit = aim_by_hand,
        .teardown = tear_down_units },
    { 0 },
};
