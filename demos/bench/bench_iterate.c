// SPDX-License-Identifier: MIT
// bench_iterate: going through the results of a query, beside the same loop over plain arrays.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

typedef struct {
    Position *positions; // a block of memory per table
    Velocity *velocities;
    int32_t count;
} span_t;

typedef struct {
    ecs_world_t *world;
    ecs_query_t *query;
    span_t *spans; // what is in each table, once more, by hand
    int32_t tables, rows, passes;
    int64_t steps, hand_steps;
} iterate_t;

enum { MOVERS = 1000000, LONE_TABLES = 10000, FEW_TABLES = 33 };

static void add_spans(iterate_t *state) {
    state->spans = bench_array((size_t)state->tables, sizeof(span_t));
    for (int32_t t = 0; t < state->tables; t++) {
        span_t *span = &state->spans[t];
        Position *positions = bench_array(2 * (size_t)state->rows, sizeof(Position));
        *span = (span_t){ positions, (Velocity *)(positions + state->rows), state->rows };
        for (int32_t i = 0; i < state->rows; i++) span->velocities[i] = (Velocity){ 1, 2 };
    }
}

static void set_up(bench_run_t *run, int32_t tables, int32_t rows, int32_t passes) {
    iterate_t *state = run->state = bench_array(1, sizeof *state);
    *state =
        (iterate_t){ .world = scene_world(), .tables = tables, .rows = rows, .passes = passes };
    state->query = scene_movers(state->world, run->bench->variant);
    scene_add_movers(state->world, tables, rows);
    add_spans(state);
}

static void set_up_rows(bench_run_t *run) {
    int32_t tables = (int32_t)run->bench->size;
    set_up(run, tables, bench_scale(run, MOVERS) / tables, run->quick ? 20 : 40);
}

static void set_up_lone(bench_run_t *run) { set_up(run, bench_scale(run, LONE_TABLES), 1, 50); }

static void tear_down(bench_run_t *run) {
    iterate_t *state = run->state;
    scene_check_movers(run, state->world, state->tables * state->rows, state->steps);
    if (state->spans[state->tables - 1].positions[0].x != (float)state->hand_steps) {
        bench_wrong(run, "the loop by hand lost steps");
    }
    ecs_query_fini(state->query);
    ecs_fini(state->world);
    for (int32_t t = 0; t < state->tables; t++) {
        free(state->spans[t].positions);
    }
    free(state->spans);
    free(state);
}

static void pass(ecs_world_t *world, const ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        scene_move(ecs_field(&it, Position, 0), ecs_field(&it, Velocity, 1), it.count);
    }
}

static double per_row(const iterate_t *state, double time_ns) {
    return time_ns / state->passes / ((double)state->tables * state->rows);
}

static double through_query(bench_run_t *run) {
    iterate_t *state = run->state;
    double start = bench_now();
    for (int32_t i = 0; i < state->passes; i++) pass(state->world, state->query);
    state->steps += state->passes;
    return per_row(state, bench_now() - start);
}

static double by_hand(bench_run_t *run) {
    iterate_t *state = run->state;
    double start = bench_now();
    for (int32_t i = 0; i < state->passes; i++) {
        for (int32_t t = 0; t < state->tables; t++) {
            const span_t *span = &state->spans[t];
            scene_move(span->positions, span->velocities, span->count);
        }
        bench_keep(i);
    }
    state->hand_steps += state->passes;
    return per_row(state, bench_now() - start);
}

// ---- Begin and end of an iteration ----
// From the cost of going through one and through many tables of one entity: what is left of the
// former without the cost of a table.

typedef struct {
    ecs_world_t *worlds[2];
    ecs_query_t *queries[2];
    span_t spans[FEW_TABLES];
} ends_t;

static void set_up_ends(bench_run_t *run) {
    ends_t *state = run->state = bench_array(1, sizeof *state);
    for (int32_t i = 0; i < 2; i++) {
        state->worlds[i] = scene_world();
        state->queries[i] = scene_movers(state->worlds[i], run->bench->variant);
        scene_add_movers(state->worlds[i], i ? FEW_TABLES : 1, 1);
    }
    for (int32_t i = 0; i < FEW_TABLES; i++) {
        Position *positions = bench_array(1, sizeof(Position));
        state->spans[i] = (span_t){ positions, bench_array(1, sizeof(Velocity)), 1 };
    }
}

static void tear_down_ends(bench_run_t *run) {
    ends_t *state = run->state;
    for (int32_t i = 0; i < 2; i++) {
        ecs_query_fini(state->queries[i]);
        ecs_fini(state->worlds[i]);
    }
    for (int32_t i = 0; i < FEW_TABLES; i++) {
        free(state->spans[i].positions);
        free(state->spans[i].velocities);
    }
    free(state);
}

// Values are not touched: those of a single entity would make each pass wait for the one before.
static int32_t visit(ecs_world_t *world, const ecs_query_t *query) {
    int32_t found = 0;
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        bench_keep((int64_t)(intptr_t)ecs_field(&it, Position, 0));
        bench_keep((int64_t)(intptr_t)ecs_field(&it, Velocity, 1));
        found += it.count;
    }
    return found;
}

static double begin_and_end(bench_run_t *run) {
    ends_t *state = run->state;
    int32_t passes = 20000;
    double cost[2];
    for (int32_t i = 0; i < 2; i++) {
        double start = bench_now();
        int32_t found = 0;
        for (int32_t k = 0; k < passes; k++) found += visit(state->worlds[i], state->queries[i]);
        cost[i] = (bench_now() - start) / passes;
        if (found != passes * (i ? FEW_TABLES : 1)) bench_wrong(run, "results are missing");
    }
    return cost[0] - (cost[1] - cost[0]) / (FEW_TABLES - 1);
}

// A function, as the other is, so that it begins and ends.
static __attribute__((noinline)) int32_t visit_by_hand(const span_t *spans, int32_t count) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        bench_keep((int64_t)(intptr_t)spans[i].positions);
        bench_keep((int64_t)(intptr_t)spans[i].velocities);
        found += spans[i].count;
    }
    return found;
}

static double begin_and_end_by_hand(bench_run_t *run) {
    const ends_t *state = run->state;
    int32_t passes = 20000;
    double cost[2];
    for (int32_t i = 0; i < 2; i++) {
        double start = bench_now();
        int32_t found = 0, tables = i ? FEW_TABLES : 1;
        for (int32_t k = 0; k < passes; k++) found += visit_by_hand(state->spans, tables);
        cost[i] = (bench_now() - start) / passes;
        if (found != passes * tables) bench_wrong(run, "arrays are missing");
    }
    return cost[0] - (cost[1] - cost[0]) / (FEW_TABLES - 1);
}

#define ROWS(name_, tables_, goal_)                                                               \
    {                                                                                             \
        .name = "iterate/tables_" name_, .row = "9", .unit = "ns/entity",                         \
        .about = "p += v through a cached query, 1 000 000 entities in " name_ " table(s)",       \
        .limit_is = "the same loop over plain arrays", .goal_kind = GOAL_OF_LIMIT, .goal = goal_, \
        .setup = set_up_rows, .ours = through_query, .limit = by_hand, .teardown = tear_down,     \
        .size = tables_, .variant = true                                                          \
    }

#define LONE(name_, cached_, goal_)                                                         \
    {                                                                                       \
        .name = "iterate/lone_" name_, .row = "10", .unit = "ns/table",                     \
        .about = "a " name_ " query over 10 000 tables of one entity with two fields",      \
        .limit_is = "the same loop over a list of plain arrays", .goal_kind = GOAL_AT_MOST, \
        .goal = goal_, .setup = set_up_lone, .ours = through_query, .limit = by_hand,       \
        .teardown = tear_down, .variant = cached_                                           \
    }

#define ENDS(name_, cached_, goal_)                                                     \
    {                                                                                   \
        .name = "iterate/ends_" name_, .row = "11", .unit = "ns",                       \
        .about = "begin and end of an iteration of a " name_ " query",                  \
        .limit_is = "begin and end of a loop in a function", .goal_kind = GOAL_AT_MOST, \
        .goal = goal_, .setup = set_up_ends, .ours = begin_and_end,                     \
        .limit = begin_and_end_by_hand, .teardown = tear_down_ends, .variant = cached_  \
    }

const bench_t bench_iterate[] = {
    ROWS("1", 1, 1.03),
    ROWS("100", 100, 1.15),
    ROWS("1000", 1000, 1.15),
    ROWS("10000", 10000, 1.5),
    LONE("cached", true, 4),
    LONE("uncached", false, 6),
    ENDS("cached", true, 6),
    ENDS("uncached", false, 20),
    { 0 },
};
