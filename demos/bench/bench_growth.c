// SPDX-License-Identifier: MIT
// bench_growth: see bench_growth.h.
//
// An exponent is the slope of log(cost) over log(size), fitted to all sizes: 0 means that an
// operation costs the same in any world, 1 that it costs ten times as much in one ten times as
// large. Larger worlds fit smaller caches, which alone makes up to 0.35 for random access.
#include "bench_growth.h"

#include "bench.h"
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SIZES = 6, TRIES = 3 };

#define CACHES 0.35 // what a smaller share of the caches may add to an exponent

typedef struct {
    const char *name, *grows;
    double documented;                                // exponent of the cost of one operation
    double (*measure)(int32_t size, int32_t workers); // nanoseconds per operation
    int32_t sizes[MOST_SIZES];
} growth_t;

// ---- Worlds ----

typedef struct {
    ecs_world_t *world;
    ecs_entity_t *entities;
    int32_t count;
} crowd_t;

static crowd_t make_crowd(int32_t count) {
    crowd_t crowd = { scene_world(), bench_array((size_t)count, sizeof(ecs_entity_t)), count };
    const ecs_entity_t *made = ecs_bulk_new(crowd.world, Position, count);
    int32_t *order = bench_shuffled(count);
    for (int32_t i = 0; i < count; i++) crowd.entities[i] = made[order[i]];
    free(order);
    return crowd;
}

static void free_crowd(crowd_t *crowd) {
    ecs_fini(crowd->world);
    free(crowd->entities);
}

// The first time memory comes from the system, which costs more than the operation.
static void warm_up(const crowd_t *crowd) {
    ecs_defer_begin(crowd->world);
    for (int32_t i = 0; i < crowd->count; i++) {
        ecs_add(crowd->world, crowd->entities[i], Velocity);
    }
    ecs_defer_end(crowd->world);
    ecs_remove_all(crowd->world, ecs_id(Velocity));
}

// One entity with Position and Velocity in each of `count` tables.
static ecs_world_t *make_tables(int32_t count) {
    ecs_world_t *world = scene_world();
    scene_add_movers(world, count, 1);
    return world;
}

// ---- Entities ----

static double get_random(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    double sum = 0, begin = bench_now();
    for (int32_t i = 0; i < size; i++) {
        sum += (double)ecs_get(crowd.world, crowd.entities[i], Position)->x;
    }
    double time_ns = bench_now() - begin;
    bench_keep((int64_t)sum);
    free_crowd(&crowd);
    return time_ns / size;
}

static double add_all(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    warm_up(&crowd);
    double begin = bench_now();
    for (int32_t i = size - 1; i >= 0; i--) ecs_add(crowd.world, crowd.entities[i], Velocity);
    double time_ns = bench_now() - begin;
    free_crowd(&crowd);
    return time_ns / size;
}

// As a server says, or a file.
static double make_by_number(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    int32_t *order = bench_shuffled(size);
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) ecs_make_alive(world, 100000 + (ecs_entity_t)order[i]);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    free(order);
    return time_ns / size;
}

static double delete_all(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) ecs_delete(crowd.world, crowd.entities[i]);
    double time_ns = bench_now() - begin;
    free_crowd(&crowd);
    return time_ns / size;
}

static double merge_adds(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    warm_up(&crowd);
    double begin = bench_now();
    ecs_defer_begin(crowd.world);
    for (int32_t i = 0; i < size; i++) ecs_add(crowd.world, crowd.entities[i], Velocity);
    ecs_defer_end(crowd.world);
    double time_ns = bench_now() - begin;
    free_crowd(&crowd);
    return time_ns / size;
}

// ---- Chains ----

static void add_chain(ecs_world_t *world, ecs_entity_t root, int32_t size) {
    for (int32_t i = 0; i < size; i++) {
        root = ecs_new_w_pair(world, EcsChildOf, root);
        ecs_set(world, root, Velocity, { 1, 1 });
    }
}

static double delete_chain(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t root = ecs_new(world);
    add_chain(world, root, size);
    double begin = bench_now();
    ecs_delete(world, root);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

static double merge_chain(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t root = ecs_new(world);
    double begin = bench_now();
    ecs_defer_begin(world);
    add_chain(world, root, size);
    ecs_defer_end(world);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

static double chain_by_component(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t at = ecs_new(world);
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) at = ecs_new_w_parent(world, at, NULL);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

// Values of one entity that come and go.
static double merge_of_one(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t entity = ecs_new(world);
    double begin = bench_now();
    ecs_defer_begin(world);
    for (int32_t i = 0; i < size; i++) {
        ecs_set(world, entity, Position, { 1, 2 });
        if (i % 2) ecs_remove(world, entity, Velocity);
    }
    ecs_defer_end(world);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

// Everything below the root finds a value there, and loses it.
static double match_chain(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t root = ecs_new(world);
    add_chain(world, root, size);
    ecs_query_t *query =
        ecs_query(world, { .terms = { { ecs_id(Velocity) },
                               { ecs_id(Position), .src.id = EcsCascade, .trav = EcsChildOf } },
                             .cache_kind = EcsQueryCacheAuto });
    double begin = bench_now();
    ecs_set(world, root, Position, { 1, 1 });
    bench_keep(ecs_query_count(query).entities);
    ecs_remove(world, root, Position);
    bench_keep(ecs_query_count(query).entities);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

static void count_event(ecs_iter_t *it) { bench_keep(it->count); }

// Everything below the root is told of its loss.
static double delete_observed_chain(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_observer(
        world, { .query.terms = { { ecs_id(Position), .src.id = EcsUp, .trav = EcsChildOf } },
                   .events = { EcsOnRemove },
                   .callback = count_event });
    ecs_entity_t root = ecs_new(world);
    ecs_set(world, root, Position, { 1, 1 });
    add_chain(world, root, size);
    double begin = bench_now();
    ecs_delete(world, root);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

static double chain_of_instances(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_query_t *query =
        ecs_query(world, { .terms = { { ecs_id(Position) } }, .cache_kind = EcsQueryCacheAuto });
    ecs_entity_t at = ecs_new(world);
    ecs_set(world, at, Position, { 1, 1 });
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) at = ecs_new_w_pair(world, EcsIsA, at);
    bench_keep(ecs_query_count(query).entities);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

// ---- Tables ----

static double create_tables(int32_t size, int32_t workers) {
    (void)workers;
    double begin = bench_now();
    ecs_world_t *world = make_tables(size);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

static int32_t count_entities(ecs_world_t *world, const ecs_query_t *query) {
    int32_t found = 0;
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) found += it.count;
    return found;
}

static double iterate_tables(int32_t size, bool cached) {
    ecs_world_t *world = make_tables(size);
    ecs_query_t *query = scene_movers(world, cached);
    int32_t passes = 1 + 100000 / size, found = 0;
    double begin = bench_now();
    for (int32_t i = 0; i < passes; i++) found += count_entities(world, query);
    double time_ns = bench_now() - begin;
    bench_keep(found);
    ecs_fini(world);
    return time_ns / size / passes;
}

static int by_entity(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    (void)v1, (void)v2;
    return (e1 > e2) - (e1 < e2);
}

// Each table is a group.
static double sort_groups(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t team = ecs_new(world);
    for (int32_t i = 0; i < size; i++)
        ecs_add(world, ecs_new_w_pair(world, team, ecs_new(world)), Position);
    ecs_query_t *query = ecs_query(world,
        { .terms = { { ecs_id(Position) } }, .order_by_callback = by_entity, .group_by = team });
    double begin = bench_now();
    ecs_iter_t it = ecs_query_iter(world, query);
    ecs_iter_fini(&it);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / size;
}

// Each entity is of another kind.
static double iterate_kinds(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    ecs_entity_t food = ecs_new(world);
    for (int32_t i = 0; i < size; i++) ecs_new_w_id(world, ecs_new_w_pair(world, EcsIsA, food));
    ecs_query_t *query = ecs_query(world, { .terms = { { food } } });
    double begin = bench_now();
    int32_t found = count_entities(world, query);
    double time_ns = bench_now() - begin;
    bench_keep(found);
    ecs_query_fini(query);
    ecs_fini(world);
    return time_ns / size;
}

// Who is pointed at by anybody, each by another.
static double iterate_targets(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    const ecs_entity_t rel = ecs_entity(world, { .name = "Likes" });
    for (int32_t i = 0; i < size; i++) ecs_new_w_pair(world, rel, ecs_new(world));
    ecs_query_t *query = ecs_query(world, { .expr = "Likes(_, $x)" });
    const double begin = bench_now();
    const int32_t found = ecs_query_count(query).results;
    const double time_ns = bench_now() - begin;
    bench_keep(found);
    ecs_query_fini(query);
    ecs_fini(world);
    return time_ns / size;
}

static double iterate_cached(int32_t size, int32_t workers) {
    (void)workers;
    return iterate_tables(size, true);
}

static double iterate_uncached(int32_t size, int32_t workers) {
    (void)workers;
    return iterate_tables(size, false);
}

// A query that matches one table, among many that it does not match.
static double iterate_one_of_many(int32_t size, int32_t workers) {
    (void)workers;
    enum { PASSES = 100000 };
    ecs_world_t *world = make_tables(size);
    scene_add_counters(world, 1);
    ecs_query_t *query = ecs_query(world, { .terms = { { ecs_id(Counter) } } });
    int32_t found = 0;
    double begin = bench_now();
    for (int32_t i = 0; i < PASSES; i++) found += count_entities(world, query);
    double time_ns = bench_now() - begin;
    bench_keep(found);
    ecs_fini(world);
    return time_ns / PASSES;
}

// Questions that need one match of many, while entities come and go.
static double ask_queries(int32_t size, int32_t workers) {
    (void)workers;
    enum { PASSES = 10000 };
    ecs_world_t *world = make_tables(size);
    ecs_query_t *query = scene_movers(world, true);
    int32_t found = 0;
    double begin = bench_now();
    for (int32_t i = 0; i < PASSES; i++) {
        ecs_entity_t entity = ecs_new_w(world, Position);
        ecs_iter_t it;
        for (int32_t k = 0; k < 3; k++) {
            found += ecs_query_has(query, entity, &it) + ecs_query_is_true(query);
            it = ecs_query_iter(world, query);
            ecs_iter_set_var(&it, 0, entity);
            found += ecs_iter_is_true(&it);
        }
        ecs_delete(world, entity);
    }
    double time_ns = bench_now() - begin;
    bench_keep(found);
    ecs_fini(world);
    return time_ns / PASSES;
}

static double has_pair(int32_t size, int32_t workers) {
    (void)workers;
    enum { PASSES = 100000 };
    ecs_world_t *world = make_tables(size);
    ecs_entity_t rel = ecs_new(world), target = ecs_new(world);
    for (int32_t i = 0; i < size; i++) ecs_new_w_pair(world, rel, ecs_new(world));
    ecs_entity_t entity = ecs_new_w_pair(world, rel, target);
    int32_t found = 0;
    double begin = bench_now();
    for (int32_t i = 0; i < PASSES; i++) {
        found += ecs_has_pair(world, entity, rel, target);
        found += ecs_has_pair(world, entity, rel, EcsWildcard);
        found += ecs_get_target(world, entity, rel, 0) == target;
    }
    double time_ns = bench_now() - begin;
    bench_keep(found);
    ecs_fini(world);
    return time_ns / PASSES;
}

// ---- Queries ----

// A new table that one query of many matches.
static double create_table_for_one(int32_t size, int32_t workers) {
    (void)workers;
    enum { TABLES = 1000 };
    ecs_world_t *world = scene_world();
    for (int32_t i = 0; i < size; i++) {
        ecs_query(world, { .terms = { { ecs_new(world) } }, .cache_kind = EcsQueryCacheAuto });
    }
    scene_movers(world, true);
    double begin = bench_now();
    scene_add_movers(world, TABLES, 1);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / TABLES;
}

// ---- Observers ----

// One observer for each entity of a crowd.
// Observers of other ids, which instances might inherit from a base.
static double make_instances(int32_t size, int32_t workers) {
    (void)workers;
    enum { PASSES = 1000 };
    ecs_world_t *world = scene_world();
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_set(world, prefab, Position, { 1, 2 });
    ecs_add_id(world, ecs_new_w_pair(world, EcsChildOf, prefab), EcsPrefab);
    for (int32_t i = 0; i < size; i++)
        ecs_observer(world, { .query.terms = { { ecs_new(world) } },
                                .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                                .callback = count_event });
    double begin = bench_now();
    for (int32_t i = 0; i < PASSES; i++) ecs_delete(world, ecs_new_w_pair(world, EcsIsA, prefab));
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / PASSES;
}

static ecs_entity_t *observe_each(const crowd_t *crowd) {
    ecs_entity_t *observers = bench_array((size_t)crowd->count, sizeof(ecs_entity_t));
    for (int32_t i = 0; i < crowd->count; i++) {
        observers[i] = ecs_observer(
            crowd->world, { .query.terms = { { ecs_id(Position), .src.id = crowd->entities[i] } },
                              .events = { EcsOnSet },
                              .callback = count_event });
    }
    return observers;
}

static double set_observed(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    free(observe_each(&crowd));
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) ecs_set(crowd.world, crowd.entities[i], Position, { 1, 2 });
    double time_ns = bench_now() - begin;
    free_crowd(&crowd);
    return time_ns / size;
}

static double delete_observers(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    ecs_entity_t *observers = observe_each(&crowd);
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) ecs_delete(crowd.world, observers[i]);
    double time_ns = bench_now() - begin;
    free(observers);
    free_crowd(&crowd);
    return time_ns / size;
}

// ---- Bases ----

// Bases that each have a table of instances, which goes with them.
static double delete_bases(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    for (int32_t i = 0; i < size; i++) ecs_new_w_pair(crowd.world, EcsIsA, crowd.entities[i]);
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) ecs_delete(crowd.world, crowd.entities[i]);
    double time_ns = bench_now() - begin;
    free_crowd(&crowd);
    return time_ns / size;
}

// Two bases on each level, both of which are bases of both on the next: ways double, bases do not.
static double meet_again(int32_t size, int32_t workers) {
    (void)workers;
    enum { INSTANCES = 100 };
    ecs_world_t *world = scene_world();
    ecs_entity_t bases[2] = { ecs_new(world), ecs_new(world) };
    for (int32_t level = 0; level < size; level++) {
        ecs_entity_t next[2] = { ecs_new(world), ecs_new(world) };
        for (int32_t i = 0; i < 4; i++) ecs_add_pair(world, next[i / 2], EcsIsA, bases[i % 2]);
        bases[0] = next[0], bases[1] = next[1];
    }
    double begin = bench_now();
    for (int32_t i = 0; i < INSTANCES; i++) {
        ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, bases[0]);
        ecs_add_pair(world, instance, EcsIsA, bases[1]);
    }
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / INSTANCES;
}

// ---- Beside tables ----

// Each entity has a tag of its own beside its table, among as many such tags.
static double delete_beside(int32_t size, int32_t workers) {
    (void)workers;
    crowd_t crowd = make_crowd(size);
    for (int32_t i = 0; i < size; i++)
        ecs_add_id(crowd.world, crowd.entities[i], ecs_new_w_id(crowd.world, EcsDontFragment));
    double begin = bench_now();
    for (int32_t i = 0; i < size; i++) ecs_delete(crowd.world, crowd.entities[i]);
    double time_ns = bench_now() - begin;
    free_crowd(&crowd);
    return time_ns / size;
}

// ---- Ticks ----

static void count_rows(ecs_iter_t *it) {
    Counter *counters = ecs_field(it, Counter, 0);
    for (int32_t i = 0; i < it->count; i++) counters[i].count++;
}

static double tick(ecs_world_t *world, int32_t workers, int32_t ticks) {
    ecs_set_threads(world, workers);
    for (int32_t i = 0; i < 3; i++) ecs_progress(world, 1);
    double begin = bench_now();
    for (int32_t i = 0; i < ticks; i++) ecs_progress(world, 1);
    return (bench_now() - begin) / ticks;
}

static double tick_systems(int32_t size, int32_t workers) {
    ecs_world_t *world = scene_world();
    scene_add_counters(world, 1);
    for (int32_t i = 0; i < size; i++) {
        ecs_system(world, { .query.terms = { { ecs_id(Counter) } },
                              .callback = count_rows,
                              .phase = EcsOnUpdate });
    }
    double time_ns = tick(world, workers, 1 + 100000 / size);
    ecs_fini(world);
    return time_ns / size;
}

static double tick_workers(int32_t size, int32_t workers) {
    (void)workers;
    ecs_world_t *world = scene_world();
    scene_add_counters(world, 100);
    ecs_system(world, { .query.terms = { { ecs_id(Counter) } },
                          .callback = count_rows,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    double time_ns = tick(world, size, 10000);
    ecs_fini(world);
    return time_ns;
}

static void Move(ecs_iter_t *it) {
    scene_move(ecs_field(it, Position, 0), ecs_field(it, Velocity, 1), it->count);
}

// A hundred entities in each table.
static double tick_entities(int32_t size, int32_t workers) {
    ecs_world_t *world = scene_world();
    scene_add_movers(world, size / 100, 100);
    ecs_system(
        world, { .query.terms = { { ecs_id(Position) }, { ecs_id(Velocity), .inout = EcsIn } },
                   .callback = Move,
                   .phase = EcsOnUpdate,
                   .multi_threaded = true });
    double time_ns = tick(world, workers, 1 + 10000000 / size / 10);
    ecs_fini(world);
    return time_ns / size;
}

static const growth_t growths[] = {
    { "get, random", "entities", 0, get_random, { 1000, 10000, 100000, 1000000, 10000000 } },
    { "add, random", "entities", 0, add_all, { 1000, 10000, 100000, 1000000, 10000000 } },
    { "delete, random", "entities", 0, delete_all, { 1000, 10000, 100000, 1000000, 10000000 } },
    { "make alive by number, any order", "entities", 0, make_by_number,
        { 1000, 10000, 100000, 1000000 } },
    { "record and merge an add", "entities", 0, merge_adds, { 1000, 10000, 100000, 1000000 } },
    { "delete a chain, per node", "nodes", 0, delete_chain, { 100, 1000, 10000, 100000 } },
    { "merge a chain, per node", "nodes", 0, merge_chain, { 100, 1000, 10000, 100000 } },
    { "merge commands of one entity", "commands", 0, merge_of_one, { 100, 1000, 10000, 100000 } },
    { "chain by component, per node", "nodes", 0, chain_by_component,
        { 100, 1000, 10000, 100000 } },
    { "match a chain by cascade, per node", "nodes", 0, match_chain, { 100, 1000, 10000, 100000 } },
    { "delete a chain that is observed, per node", "nodes", 0, delete_observed_chain,
        { 100, 1000, 10000, 100000 } },
    { "chain of instances, per level", "levels", 0, chain_of_instances,
        { 100, 1000, 10000, 100000 } },
    { "create a table", "tables", 0, create_tables, { 100, 1000, 10000, 100000 } },
    { "iterate, cached, per table", "tables", 0, iterate_cached,
        { 1, 10, 100, 1000, 10000, 100000 } },
    { "iterate, uncached, per table", "tables", 0, iterate_uncached,
        { 1, 10, 100, 1000, 10000, 100000 } },
    { "iterate one table of many", "tables", 0, iterate_one_of_many, { 1, 100, 10000, 100000 } },
    { "sort in groups, per table", "groups", 0, sort_groups, { 100, 1000, 10000, 100000 } },
    { "iterate kinds of a tag, per kind", "kinds", 0, iterate_kinds, { 100, 1000, 10000 } },
    { "iterate targets of anybody, per target", "targets", 0, iterate_targets,
        { 100, 1000, 10000 } },
    { "ask a query about one entity", "tables", 0, ask_queries, { 1, 100, 10000, 100000 } },
    { "has pair, get target", "tables", 0, has_pair, { 1, 100, 10000, 100000 } },
    { "create a table, one query matches", "queries", 0, create_table_for_one,
        { 1, 10, 100, 1000, 10000 } },
    { "set, each entity observed", "observers", 0, set_observed, { 100, 1000, 10000, 100000 } },
    { "make and delete an instance", "observers", 1, make_instances, { 1, 10, 100, 1000, 10000 } },
    { "delete an observer", "observers", 0, delete_observers, { 100, 1000, 10000, 100000 } },
    { "delete a base with its instance", "bases", 0, delete_bases, { 100, 1000, 10000, 100000 } },
    { "instance of bases that meet again", "levels", 1, meet_again, { 4, 8, 16, 32 } },
    { "delete, a tag beside the table", "tags", 0, delete_beside, { 100, 1000, 10000 } },
    { "tick, per system", "systems", 0, tick_systems, { 1, 10, 100, 1000 } },
    { "tick of a tiny world", "workers", 0, tick_workers, { 1, 2, 4, 8, 16, 64 } },
    { "tick, 100 entities in a table, per entity", "entities", 0, tick_entities,
        { 1000, 10000, 100000, 1000000, 10000000 } },
};

// ---- Report ----

static double best_of(const growth_t *growth, int32_t size, int32_t workers) {
    double best = growth->measure(size, workers);
    for (int32_t i = 1; i < TRIES; i++) best = fmin(best, growth->measure(size, workers));
    return best;
}

static double slope(const double *x, const double *y, int32_t count) {
    double mean_x = 0, mean_y = 0, above = 0, below = 0;
    for (int32_t i = 0; i < count; i++) mean_x += x[i] / count, mean_y += y[i] / count;
    for (int32_t i = 0; i < count; i++) {
        above += (x[i] - mean_x) * (y[i] - mean_y);
        below += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return below > 0 ? above / below : 0;
}

static bool report(const growth_t *growth, const bench_options_t *options) {
    double x[MOST_SIZES], y[MOST_SIZES];
    int32_t count = 0;
    printf("%-42s %-9s", growth->name, growth->grows);
    for (; count < MOST_SIZES && growth->sizes[count]; count++) {
        int32_t size = growth->sizes[count];
        if (options->quick && count && size > 100000) break;
        double cost = best_of(growth, size, options->min_workers ? options->min_workers : 1);
        printf("  %.0e: %.3g", (double)size, cost);
        fflush(stdout);
        x[count] = log((double)size);
        y[count] = log(cost);
    }
    double exponent = slope(x, y, count);
    bool good = exponent <= growth->documented + CACHES;
    printf("\n%-42s %-9s  exponent %.2f, documented %.0f: %s\n", "", "", exponent,
        growth->documented, good ? "as documented" : "ABOVE");
    return good;
}

bool bench_growth(const bench_options_t *options) {
    bool all_good = true;
    printf("nanoseconds per operation, best of %d, at growing sizes; exponents include up to %.2f "
           "for caches\n\n",
        TRIES, CACHES);
    for (size_t i = 0; i < sizeof growths / sizeof *growths; i++) {
        if (bench_options_match(options, growths[i].name)) all_good &= report(&growths[i], options);
    }
    return all_good;
}
