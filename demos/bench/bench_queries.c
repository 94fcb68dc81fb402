// SPDX-License-Identifier: MIT
// bench_queries: making queries in a world with many tables, and tables in a world with many queries.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

enum { TABLES = 10000, CACHED_QUERIES = 1000, NEW_TABLES = 200 };

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

// ---- A new table ----
// Moves entities with Position and `shared` to tables of their own, with a tag that is new as well.
// One query of each thousand has the tag `shared`, or all of them have.

typedef struct {
    ecs_world_t *worlds[2]; // with queries and without
    ecs_entity_t shared[2];
    ecs_query_t *queries[CACHED_QUERIES];
    ecs_entity_t tags[NEW_TABLES];
    int64_t made;
} tables_t;

static void set_up_queries(bench_run_t *run) {
    tables_t *state = run->state = bench_array(1, sizeof *state);
    for (int32_t w = 0; w < 2; w++) {
        state->worlds[w] = scene_world();
        state->shared[w] = ecs_new(state->worlds[w]);
    }
    for (int32_t q = 0; q < CACHED_QUERIES; q++) {
        bool matches = run->bench->variant || q == 0;
        ecs_id_t tag = matches ? state->shared[0] : ecs_new(state->worlds[0]);
        state->queries[q] = ecs_query(state->worlds[0],
            { .terms = { { ecs_id(Position) }, { tag } }, .cache_kind = EcsQueryCacheAuto });
    }
}

static void tear_down_queries(bench_run_t *run) {
    tables_t *state = run->state;
    for (int32_t q = 0; q < CACHED_QUERIES; q++) ecs_query_fini(state->queries[q]);
    for (int32_t w = 0; w < 2; w++) ecs_fini(state->worlds[w]);
    free(state);
}

static void check_matches(bench_run_t *run) {
    tables_t *state = run->state;
    for (int32_t q = 0; q < CACHED_QUERIES; q++) {
        int32_t found = ecs_query_count(state->queries[q]).entities;
        int32_t expected = run->bench->variant || q == 0 ? NEW_TABLES : 0;
        if (found != expected) {
            bench_wrong(run, "query %d finds %d entities in new tables instead of %d", (int)q,
                (int)found, (int)expected);
        }
    }
}

static double make_tables(bench_run_t *run, int32_t w) {
    tables_t *state = run->state;
    ecs_world_t *world = state->worlds[w];
    ecs_entity_t entities[NEW_TABLES];
    for (int32_t i = 0; i < NEW_TABLES; i++) {
        state->tags[i] = ecs_new(world);
        entities[i] = ecs_new_w_id(world, state->shared[w]);
        ecs_add(world, entities[i], Position);
    }
    double start = bench_now();
    for (int32_t i = 0; i < NEW_TABLES; i++) ecs_add_id(world, entities[i], state->tags[i]);
    double time_ns = bench_now() - start;
    if (w == 0) check_matches(run);
    for (int32_t i = 0; i < NEW_TABLES; i++) {
        ecs_delete(world, entities[i]);
        ecs_delete(world, state->tags[i]); // its table goes, too
    }
    return time_ns / NEW_TABLES;
}

static double make_tables_for_queries(bench_run_t *run) { return make_tables(run, 0); }

static double make_tables_alone(bench_run_t *run) { return make_tables(run, 1); }

#define NEW_TABLE(name_, all_, goal_)                                                          \
    {                                                                                          \
        .name = "queries/new_table_" name_, .row = "13", .unit = "ns/table",                   \
        .about = "making a table while 1 000 cached queries share a component with it, " name_ \
                 " match(es)",                                                                 \
        .base_is = "a world without queries", .goal_kind = GOAL_AT_MOST, .goal = goal_,        \
        .setup = set_up_queries, .ours = make_tables_for_queries, .base = make_tables_alone,   \
        .teardown = tear_down_queries, .variant = all_                                         \
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
    NEW_TABLE("one", false, 2000),
    NEW_TABLE("all", true, 60000),
    { 0 },
};
