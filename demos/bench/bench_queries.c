// SPDX-License-Identifier: MIT
// bench_queries: making queries in a world with many tables, and tables in a world with many queries.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

enum { TABLES = 10000, CACHED_QUERIES = 1000, NEW_TABLES = 200, KINDS = CACHED_QUERIES };

// ---- A query that matches nothing ----

static void set_up_tables(bench_run_t *run) {
    ecs_world_t *world = run->state = scene_world();
    scene_add_movers(world, bench_scale(run, TABLES), 1);
}

static void tear_down_tables(bench_run_t *run) { ecs_fini(run->state); }

static double make_query(bench_run_t *run) {
    ecs_world_t *world = run->state;
    int32_t passes = 2000, matched = 0;
    double start = bench_now();
    for (int32_t i = 0; i < passes; i++) {
        ecs_query_t *query = ecs_query(world, { .terms = { { ecs_id(Position) }, { ecs_id(Work) } },
                                                  .cache_kind = EcsQueryCacheAuto });
        matched += ecs_query_is_true(query);
        ecs_query_fini(query);
    }
    double time_ns = bench_now() - start;
    if (matched) bench_wrong(run, "a query for a component that nobody has found entities");
    return time_ns / passes;
}

// ---- New tables ----
// Moves entities with Position and a kind to tables of their own, with a tag that is new as well.
// Queries ask for Position and a kind. `size` of a benchmark is how many tables are made.

typedef enum {
    ONE_MATCHES,  // all tables are of one kind, and one query asks for it
    ALL_MATCH,    // and all queries ask for it
    EACH_MATCHES, // tables are of all kinds in turn, and each query asks for another
} matching_t;

typedef struct {
    ecs_world_t *worlds[2]; // with queries and without
    ecs_entity_t kinds[2][KINDS];
    ecs_query_t *queries[CACHED_QUERIES];
    int32_t count;
    ecs_entity_t *tags, *entities; // of the tables being made
} tables_t;

static int32_t kind_of_query(const bench_run_t *run, int32_t query) {
    return run->bench->variant == ALL_MATCH ? 0 : query;
}

static int32_t kind_of_table(const bench_run_t *run, int32_t table) {
    return run->bench->variant == EACH_MATCHES ? table % KINDS : 0;
}

static void set_up_queries(bench_run_t *run) {
    tables_t *state = run->state = bench_array(1, sizeof *state);
    state->count = bench_scale(run, (int32_t)run->bench->size);
    state->tags = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    state->entities = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    for (int32_t w = 0; w < 2; w++) {
        state->worlds[w] = scene_world();
        for (int32_t k = 0; k < KINDS; k++) state->kinds[w][k] = ecs_new(state->worlds[w]);
    }
    for (int32_t q = 0; q < CACHED_QUERIES; q++) {
        ecs_id_t kind = state->kinds[0][kind_of_query(run, q)];
        state->queries[q] = ecs_query(state->worlds[0],
            { .terms = { { ecs_id(Position) }, { kind } }, .cache_kind = EcsQueryCacheAuto });
    }
}

static void tear_down_queries(bench_run_t *run) {
    tables_t *state = run->state;
    for (int32_t q = 0; q < CACHED_QUERIES; q++) ecs_query_fini(state->queries[q]);
    for (int32_t w = 0; w < 2; w++) ecs_fini(state->worlds[w]);
    free(state->tags);
    free(state->entities);
    free(state);
}

static void check_matches(bench_run_t *run) {
    const tables_t *state = run->state;
    int32_t of_kind[KINDS] = { 0 };
    for (int32_t i = 0; i < state->count; i++) of_kind[kind_of_table(run, i)]++;
    for (int32_t q = 0; q < CACHED_QUERIES; q++) {
        int32_t found = ecs_query_count(state->queries[q]).entities;
        int32_t expected = of_kind[kind_of_query(run, q)];
        if (found != expected) {
            bench_wrong(run, "query %d finds %d entities in new tables instead of %d", (int)q,
                (int)found, (int)expected);
        }
    }
}

static double make_tables(bench_run_t *run, int32_t w) {
    tables_t *state = run->state;
    ecs_world_t *world = state->worlds[w];
    for (int32_t i = 0; i < state->count; i++) {
        state->tags[i] = ecs_new(world);
        state->entities[i] = ecs_new_w_id(world, state->kinds[w][kind_of_table(run, i)]);
        ecs_add(world, state->entities[i], Position);
    }
    double start = bench_now();
    for (int32_t i = 0; i < state->count; i++) {
        ecs_add_id(world, state->entities[i], state->tags[i]);
    }
    double time_ns = bench_now() - start;
    if (w == 0) check_matches(run);
    for (int32_t i = 0; i < state->count; i++) {
        ecs_delete(world, state->entities[i]);
        ecs_delete(world, state->tags[i]); // its table goes, too
    }
    return time_ns / state->count;
}

static double make_tables_for_queries(bench_run_t *run) { return make_tables(run, 0); }

static double make_tables_alone(bench_run_t *run) { return make_tables(run, 1); }

#define NEW_TABLE(name_, about_, goal_, size_, matching_)                                    \
    {                                                                                        \
        .name = "queries/" name_, .row = "13", .unit = "ns/table", .about = about_,          \
        .base_is = "a world without queries", .goal_kind = GOAL_AT_MOST, .goal = goal_,      \
        .setup = set_up_queries, .ours = make_tables_for_queries, .base = make_tables_alone, \
        .teardown = tear_down_queries, .size = size_, .variant = matching_                   \
    }

const bench_t bench_queries[] = {
    { .name = "queries/make",
        .row = "12",
        .unit = "ns/query",
        .about = "making and ending a cached query that matches nothing, among 10 000 tables",
        .goal_kind = GOAL_AT_MOST,
        .goal = 1500,
        .setup = set_up_tables,
        .ours = make_query,
        .teardown = tear_down_tables },
    NEW_TABLE("new_table_one",
        "making a table while 1 000 cached queries share a component with it, one matches", 2000,
        NEW_TABLES, ONE_MATCHES),
    NEW_TABLE("new_table_all",
        "making a table while 1 000 cached queries share a component with it, all match", 60000,
        NEW_TABLES, ALL_MATCH),
    NEW_TABLE("new_tables",
        "making 10 000 tables among 1 000 cached queries, each matches another ten of them", 2000,
        TABLES, EACH_MATCHES),
    { 0 },
};
