// SPDX-License-Identifier: MIT
// bench_queries: making queries in a world with many tables, tables in a world with many queries, and changes above tables.
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

// By hand a component knows its tables and the queries to tell of new ones; a query goes through the shorter of two lists of tables.
typedef struct hand_query_t {
    struct hand_query_t *next, **before; // in the list of the component with fewer tables
    int32_t ids[2];
    int32_t matches;
} hand_query_t;

static double make_query_by_hand(bench_run_t *run) {
    hand_query_t *queries[2] = { NULL, NULL }; // of Position and of Work
    int32_t tables[2] = { bench_scale(run, TABLES), 0 }, passes = 2000, matched = 0;
    double start = bench_now();
    for (int32_t i = 0; i < passes; i++) {
        hand_query_t *query = calloc(1, sizeof *query);
        if (!query) abort();
        bench_keep((int64_t)(intptr_t)tables);
        int32_t key = tables[1] < tables[0];
        *query = (hand_query_t){ .next = queries[key], .before = &queries[key], .ids = { 0, 1 } };
        if (query->next) query->next->before = &query->next;
        queries[key] = query;
        for (int32_t t = 0; t < tables[key]; t++) query->matches++;
        bench_keep((int64_t)(intptr_t)query);
        matched += query->matches;
        *query->before = query->next;
        if (query->next) query->next->before = query->before;
        free(query);
    }
    double time_ns = bench_now() - start;
    if (matched) bench_wrong(run, "a query by hand has found tables");
    return time_ns / passes;
}

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

// By hand a table is an object with room for a row, which is found by its tag, and a query a list of tables.
typedef struct {
    int32_t kind, tag, count;
    ecs_entity_t entity;
    Position position;
} hand_table_row_t;

typedef struct {
    hand_table_row_t **tables;
    int32_t count, room;
} hand_matches_t;

typedef struct {
    ecs_world_t *worlds[2]; // with queries and without
    ecs_entity_t kinds[2][KINDS];
    ecs_query_t *queries[CACHED_QUERIES];
    int32_t count;
    ecs_entity_t *tags, *entities; // of the tables being made
    hand_matches_t hand[CACHED_QUERIES];
    hand_table_row_t **hand_tables; // by tag
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
    state->hand_tables = bench_array((size_t)state->count, sizeof *state->hand_tables);
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
    for (int32_t q = 0; q < CACHED_QUERIES; q++) free(state->hand[q].tables);
    free(state->hand_tables);
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

static void match_by_hand(hand_matches_t *query, hand_table_row_t *table) {
    if (query->count == query->room) {
        query->room = query->room ? 2 * query->room : 4;
        query->tables = realloc(query->tables, (size_t)query->room * sizeof *query->tables);
        if (!query->tables) abort();
    }
    query->tables[query->count++] = table;
}

// Queries are found by their kind: number `kind`, or, if all ask for kind 0, all.
static double make_tables_by_hand(bench_run_t *run) {
    tables_t *state = run->state;
    bool all = run->bench->variant == ALL_MATCH;
    int64_t matches = 0;
    double start = bench_now();
    for (int32_t i = 0; i < state->count; i++) {
        hand_table_row_t *table = state->hand_tables[i];
        if (!table) table = state->hand_tables[i] = malloc(sizeof *table);
        if (!table) abort();
        *table = (hand_table_row_t){ kind_of_table(run, i), i, 1, (ecs_entity_t)i + 1, { 0, 0 } };
        int32_t last = all ? CACHED_QUERIES - 1 : table->kind;
        for (int32_t q = table->kind; q <= last; q++) match_by_hand(&state->hand[q], table);
    }
    double time_ns = bench_now() - start;
    for (int32_t q = 0; q < CACHED_QUERIES; q++) {
        matches += state->hand[q].count;
        state->hand[q].count = 0;
    }
    for (int32_t i = 0; i < state->count; i++) {
        free(state->hand_tables[i]);
        state->hand_tables[i] = NULL;
    }
    if (matches != state->count * (all ? CACHED_QUERIES : 1))
        bench_wrong(run, "queries by hand miss tables");
    return time_ns / state->count;
}

static double make_tables_alone(bench_run_t *run) { return make_tables(run, 1); }

// ---- Changes above tables ----
// Each child has a table of its own. Parents gain and lose the component for which a cached query looks up.

enum { PARENTS = 1000, CHILD_TABLES = 10 };

typedef struct {
    ecs_world_t *worlds[2]; // with the query and without
    ecs_entity_t parents[2][PARENTS];
    ecs_query_t *query;
    int32_t count; // parents
    // By hand: the places of the tables of children among the matches, and whose each match is.
    int32_t places[PARENTS * CHILD_TABLES], matches[PARENTS * CHILD_TABLES], matched;
} families_t;

static void match_children(families_t *state, int32_t parent) {
    for (int32_t t = parent * CHILD_TABLES; t < (parent + 1) * CHILD_TABLES; t++) {
        state->places[t] = state->matched;
        state->matches[state->matched++] = t;
    }
}

static void unmatch_children(families_t *state, int32_t parent) {
    for (int32_t t = parent * CHILD_TABLES; t < (parent + 1) * CHILD_TABLES; t++) {
        int32_t last = state->matches[--state->matched];
        state->matches[state->places[t]] = last;
        state->places[last] = state->places[t];
    }
}

static void set_up_families(bench_run_t *run) {
    families_t *state = run->state = bench_array(1, sizeof *state);
    state->count = bench_scale(run, PARENTS);
    for (int32_t w = 0; w < 2; w++) {
        ecs_world_t *world = state->worlds[w] = scene_world();
        ecs_entity_t kinds[CHILD_TABLES];
        for (int32_t k = 0; k < CHILD_TABLES; k++) kinds[k] = ecs_new(world);
        for (int32_t p = 0; p < state->count; p++) {
            ecs_entity_t parent = state->parents[w][p] = ecs_new_w(world, Position);
            for (int32_t k = 0; k < CHILD_TABLES; k++)
                ecs_add_pair(world, ecs_new_w_id(world, kinds[k]), EcsChildOf, parent);
        }
    }
    for (int32_t p = 0; p < state->count; p++) match_children(state, p);
    state->query = ecs_query(state->worlds[0],
        { .terms = { { ecs_id(Position), .src.id = EcsUp } }, .cache_kind = EcsQueryCacheAuto });
}

static void tear_down_families(bench_run_t *run) {
    families_t *state = run->state;
    ecs_query_fini(state->query);
    for (int32_t w = 0; w < 2; w++) ecs_fini(state->worlds[w]);
    free(state);
}

static bool holds(const families_t *state, int32_t w) {
    return w == 1 || ecs_query_is_true(state->query);
}

static void check_families(bench_run_t *run, int32_t parents) {
    const families_t *state = run->state;
    int32_t found = ecs_query_count(state->query).entities, expected = parents * CHILD_TABLES;
    if (found != expected)
        bench_wrong(run, "%d children see the component instead of %d", (int)found, (int)expected);
}

// Half of the parents lose the component one by one, then they get it back.
static double change_parents(bench_run_t *run, int32_t w) {
    families_t *state = run->state;
    ecs_world_t *world = state->worlds[w];
    int32_t changes = 2 * state->count, half = state->count / 2;
    bool all_hold = true;
    double start = bench_now();
    for (int32_t i = 0; i < changes; i++) {
        ecs_entity_t parent = state->parents[w][i % half];
        if (i / half % 2)
            ecs_add(world, parent, Position);
        else
            ecs_remove(world, parent, Position);
        all_hold &= holds(state, w);
    }
    double time_ns = bench_now() - start;
    if (!all_hold) bench_wrong(run, "no child sees the component");
    if (w == 0) check_families(run, state->count);
    ecs_remove(world, state->parents[w][0], Position);
    if (w == 0) check_families(run, state->count - 1);
    ecs_add(world, state->parents[w][0], Position);
    return time_ns / changes;
}

static double change_by_hand(bench_run_t *run) {
    families_t *state = run->state;
    int32_t changes = 2 * state->count, half = state->count / 2;
    bool all_hold = true;
    double start = bench_now();
    for (int32_t i = 0; i < changes; i++) {
        if (i / half % 2)
            match_children(state, i % half);
        else
            unmatch_children(state, i % half);
        all_hold &= state->matched > 0;
    }
    double time_ns = bench_now() - start;
    if (!all_hold || state->matched != state->count * CHILD_TABLES)
        bench_wrong(run, "tables by hand are missing");
    return time_ns / changes;
}

static double change_above_query(bench_run_t *run) { return change_parents(run, 0); }

static double change_alone(bench_run_t *run) { return change_parents(run, 1); }

#define NEW_TABLE(name_, about_, goal_, size_, matching_)                                       \
    {                                                                                           \
        .name = "queries/" name_, .row = "13", .unit = "ns/table", .about = about_,             \
        .limit_is = "an object, and its address in lists of queries",                           \
        .base_is = "a world without queries", .goal_kind = GOAL_AT_MOST, .goal = goal_,         \
        .setup = set_up_queries, .ours = make_tables_for_queries, .limit = make_tables_by_hand, \
        .base = make_tables_alone, .teardown = tear_down_queries, .size = size_,                \
        .variant = matching_                                                                    \
    }

const bench_t bench_queries[] = {
    { .name = "queries/make",
        .row = "12",
        .unit = "ns/query",
        .about = "making and ending a cached query that matches nothing, among 10 000 tables",
        .limit_is = "an object in the list of a component that no table has",
        .goal_kind = GOAL_AT_MOST,
        .goal = 1500,
        .setup = set_up_tables,
        .ours = make_query,
        .limit = make_query_by_hand,
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
    { .name = "queries/change_above",
        .row = "",
        .unit = "ns/change",
        .about =
            "a cached query that looks up follows one of 1 000 parents, among 10 000 tables of children",
        .limit_is = "ten tables leave or enter a list that knows their places",
        .base_is = "the change without a query",
        .setup = set_up_families,
        .ours = change_above_query,
        .limit = change_by_hand,
        .base = change_alone,
        .teardown = tear_down_families },
    { 0 },
};
