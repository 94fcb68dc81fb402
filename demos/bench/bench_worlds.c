// SPDX-License-Identifier: MIT
// bench_worlds: what whole worlds cost: families, trees, memory, and the beginning.
//
// Every repetition has a world of its own. Memory is what became resident of the process, after unused heap was given back; it is
// measured where /proc/self/statm exists.
#include "bench.h"
#include "by_hand_tree.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __linux__
#include <unistd.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { PARENTS = 1000, CHILDREN = 100, TREES = 11, DEPTH = 8, WIDTH = 3 };
enum { ENTITIES = 1000000, TABLES = 10000, WORLDS = 20 };

static void set_up(bench_run_t *run) { run->state = NULL; }
static void tear_down(bench_run_t *run) { (void)run; }

// ---- Families ----

typedef struct {
    ecs_world_t *world;
    ecs_entity_t parents[PARENTS];
} families_t;

typedef enum { BY_PAIR, BY_COMPONENT } families_by_t;

static double build(families_t *families, families_by_t by) {
    ecs_world_t *world = families->world;
    for (int32_t i = 0; i < PARENTS; i++) families->parents[i] = ecs_new(world);
    double begin = bench_now();
    for (int32_t i = 0; i < PARENTS; i++) {
        for (int32_t k = 0; k < CHILDREN; k++) {
            if (by == BY_PAIR)
                ecs_new_w_pair(world, EcsChildOf, families->parents[i]);
            else
                ecs_new_w_parent(world, families->parents[i], NULL);
        }
    }
    return (bench_now() - begin) / (PARENTS * CHILDREN);
}

static double drop(families_t *families) {
    double begin = bench_now();
    for (int32_t i = 0; i < PARENTS; i++) ecs_delete(families->world, families->parents[i]);
    return (bench_now() - begin) / (PARENTS * CHILDREN);
}

// Memory is warm: the second families are measured.
static void measure_families(
    bench_run_t *run, families_by_t by, double *build_ns, double *drop_ns) {
    families_t *families = bench_array(1, sizeof *families);
    families->world = ecs_mini();
    build(families, by);
    drop(families);
    *build_ns = build(families, by);
    int32_t found = ecs_count_id(families->world, ecs_pair(EcsChildOf, families->parents[1]));
    if (found != CHILDREN) bench_wrong(run, "a parent has %d children", (int)found);
    *drop_ns = drop(families);
    if (ecs_is_alive(families->world, families->parents[1])) bench_wrong(run, "a parent lives on");
    ecs_fini(families->world);
    free(families);
}

typedef enum { BUILD, DROP } families_part_t;

static double families_cost(bench_run_t *run, families_by_t by, families_part_t part) {
    double build_ns, drop_ns;
    measure_families(run, by, &build_ns, &drop_ns);
    return part == BUILD ? build_ns : drop_ns;
}

static double build_families(bench_run_t *run) { return families_cost(run, BY_PAIR, BUILD); }
static double drop_families(bench_run_t *run) { return families_cost(run, BY_PAIR, DROP); }
static double build_by_component(bench_run_t *run) {
    return families_cost(run, BY_COMPONENT, BUILD);
}
static double drop_by_component(bench_run_t *run) { return families_cost(run, BY_COMPONENT, DROP); }

static double build_by_hand(hand_tree_t *tree, hand_entity_t *parents) {
    for (int32_t i = 0; i < PARENTS; i++) parents[i] = hand_tree_add(tree, 0);
    double begin = bench_now();
    for (int32_t i = 0; i < PARENTS; i++) {
        for (int32_t k = 0; k < CHILDREN; k++) hand_tree_add(tree, parents[i]);
    }
    return (bench_now() - begin) / (PARENTS * CHILDREN);
}

static double drop_by_hand(hand_tree_t *tree, const hand_entity_t *parents) {
    double begin = bench_now();
    for (int32_t i = 0; i < PARENTS; i++) hand_tree_delete(tree, parents[i]);
    return (bench_now() - begin) / (PARENTS * CHILDREN);
}

static void measure_by_hand(bench_run_t *run, double *build_ns, double *drop_ns) {
    hand_entity_t parents[PARENTS];
    hand_tree_t *tree = hand_tree_create();
    build_by_hand(tree, parents);
    drop_by_hand(tree, parents);
    *build_ns = build_by_hand(tree, parents);
    if (hand_tree_walk(tree, (uint32_t)parents[1]) != CHILDREN)
        bench_wrong(run, "children by hand are missing");
    *drop_ns = drop_by_hand(tree, parents);
    if (tree->hand->tables[0].count != 1) bench_wrong(run, "children by hand live on");
    hand_tree_free(tree);
}

static double build_families_by_hand(bench_run_t *run) {
    double build_ns, drop_ns;
    measure_by_hand(run, &build_ns, &drop_ns);
    return build_ns;
}

static double drop_families_by_hand(bench_run_t *run) {
    double build_ns, drop_ns;
    measure_by_hand(run, &build_ns, &drop_ns);
    return drop_ns;
}

// ---- Trees ----

static int32_t grow(ecs_world_t *world, ecs_entity_t parent, int32_t depth) {
    int32_t count = 0;
    for (int32_t i = 0; i < WIDTH; i++) {
        ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, parent);
        count += 1 + (depth > 1 ? grow(world, child, depth - 1) : 0);
    }
    return count;
}

static int32_t grow_trees(bench_run_t *run, ecs_world_t *world) {
    int32_t count = 0, trees = bench_scale(run, TREES);
    for (int32_t i = 0; i < trees; i++) count += 1 + grow(world, ecs_new(world), DEPTH);
    if (ecs_count_id(world, ecs_pair(EcsChildOf, EcsWildcard)) < count - trees)
        bench_wrong(run, "nodes are missing");
    return count;
}

static double grow_deep(bench_run_t *run) {
    ecs_world_t *world = ecs_mini();
    double begin = bench_now();
    int32_t count = grow_trees(run, world);
    double time_ns = bench_now() - begin;
    ecs_fini(world);
    return time_ns / count;
}

static int32_t grow_by_hand(hand_tree_t *tree, hand_entity_t parent, int32_t depth) {
    int32_t count = 0;
    for (int32_t i = 0; i < WIDTH; i++) {
        hand_entity_t child = hand_tree_add(tree, parent);
        count += 1 + (depth > 1 ? grow_by_hand(tree, child, depth - 1) : 0);
    }
    return count;
}

static int32_t grow_trees_by_hand(bench_run_t *run, hand_tree_t *tree) {
    int32_t count = 0, trees = bench_scale(run, TREES);
    for (int32_t i = 0; i < trees; i++)
        count += 1 + grow_by_hand(tree, hand_tree_add(tree, 0), DEPTH);
    if (tree->hand->tables[0].count != (uint32_t)count + 1)
        bench_wrong(run, "nodes by hand are missing");
    return count;
}

static double grow_deep_by_hand(bench_run_t *run) {
    hand_tree_t *tree = hand_tree_create();
    double begin = bench_now();
    int32_t count = grow_trees_by_hand(run, tree);
    double time_ns = bench_now() - begin;
    hand_tree_free(tree);
    return time_ns / count;
}

// ---- Memory ----

static double resident(bench_run_t *run) {
    double bytes = 0;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
#ifdef __linux__
    long total, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &total, &pages) == 2)
        bytes = (double)pages * (double)sysconf(_SC_PAGESIZE);
    if (file) fclose(file);
#endif
    if (bytes <= 0) bench_wrong(run, "the system does not tell how much memory is resident");
    return bytes;
}

static double tree_memory(bench_run_t *run) {
    double before = resident(run);
    ecs_world_t *world = ecs_mini();
    grow_trees(run, world);
    double bytes = resident(run) - before;
    ecs_fini(world);
    return bytes / 1e6;
}

static double tree_memory_by_hand(bench_run_t *run) {
    double before = resident(run);
    hand_tree_t *tree = hand_tree_create();
    grow_trees_by_hand(run, tree);
    double bytes = resident(run) - before;
    hand_tree_free(tree);
    return bytes / 1e6;
}

static double entity_memory_by_hand(bench_run_t *run) {
    int32_t count = bench_scale(run, ENTITIES);
    double before = resident(run);
    hand_t *hand = hand_create(2, 0);
    for (int32_t i = 0; i < count; i++) hand_new(hand, 0, 2);
    double bytes = resident(run) - before;
    if (hand->tables[0].count != (uint32_t)count) bench_wrong(run, "rows by hand are missing");
    hand_free(hand);
    return bytes / count;
}

static double entity_memory(bench_run_t *run) {
    int32_t count = bench_scale(run, ENTITIES);
    ecs_world_t *world = scene_world();
    double before = resident(run);
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t entity = ecs_new(world);
        ecs_set(world, entity, Position, { 1, 2 });
        ecs_set(world, entity, Velocity, { 3, 4 });
    }
    double bytes = resident(run) - before;
    ecs_fini(world);
    return bytes / count;
}

// Each entity has two components and its own set of low tags.
static double table_memory(bench_run_t *run) {
    enum { TAGS = 14 };
    int32_t count = bench_scale(run, TABLES);
    ecs_entity_t tags[TAGS];
    ecs_world_t *world = scene_world();
    for (int32_t t = 0; t < TAGS; t++) tags[t] = ecs_new_low_id(world);
    double before = resident(run);
    for (int32_t i = 0; i < count; i++) {
        ecs_id_t ids[2 + TAGS] = { ecs_id(Position), ecs_id(Velocity) };
        int32_t id_count = 2;
        for (int32_t t = 0; t < TAGS; t++) {
            if (i >> t & 1) ids[id_count++] = tags[t];
        }
        ecs_new_w_table(world, ecs_table_find(world, ids, id_count));
    }
    double bytes = resident(run) - before;
    if (ecs_get_world_info(world)->table_count < count) bench_wrong(run, "tables are missing");
    ecs_fini(world);
    return bytes / count;
}

// ---- Beginning ----

static double begin_worlds(bench_run_t *run) {
    double time_ns = 0;
    for (int32_t i = 0; i < WORLDS; i++) {
        double begin = bench_now();
        ecs_world_t *world = ecs_mini();
        time_ns += bench_now() - begin;
        if (!ecs_is_alive(world, EcsChildOf)) bench_wrong(run, "a world lacks its builtins");
        ecs_fini(world);
    }
    return time_ns / WORLDS / 1000;
}

#define LINKS "links between records"

#define WORLDS_LOOK(name_, unit_, about_, ours_, limit_, limit_is_)                                \
    {                                                                                              \
        .name = "worlds/" name_, .row = "", .unit = unit_, .about = about_, .limit_is = limit_is_, \
        .setup = set_up, .ours = ours_, .limit = limit_, .teardown = tear_down                     \
    }
#define WORLDS_BENCH(name_, row_, unit_, about_, goal_, ours_, limit_, limit_is_)         \
    {                                                                                     \
        .name = "worlds/" name_, .row = row_, .unit = unit_, .about = about_,             \
        .limit_is = limit_is_, .goal_kind = GOAL_AT_MOST, .goal = goal_, .setup = set_up, \
        .ours = ours_, .limit = limit_, .teardown = tear_down                             \
    }

const bench_t bench_worlds[] = {
    WORLDS_BENCH("children", "14", "ns/child", "100 new children for each of 1 000 parents", 35,
        build_families, build_families_by_hand, LINKS),
    WORLDS_BENCH("children_delete", "14", "ns/child", "deleting those parents", 10, drop_families,
        drop_families_by_hand, LINKS),
    WORLDS_LOOK("children_component", "ns/child", "the same children by the component Parent",
        build_by_component, build_families_by_hand, LINKS),
    WORLDS_LOOK("children_component_delete", "ns/child", "deleting their parents",
        drop_by_component, drop_families_by_hand, LINKS),
    WORLDS_BENCH("trees", "15", "ns/node", "108 251 new nodes in trees of depth 8", 150, grow_deep,
        grow_deep_by_hand, LINKS),
    WORLDS_BENCH("trees_memory", "15", "MB", "memory of those trees", 60, tree_memory,
        tree_memory_by_hand, LINKS),
    WORLDS_BENCH("entity_memory", "34", "B", "memory per entity with two values of 8 bytes", 36,
        entity_memory, entity_memory_by_hand, "two columns, entities, records of 8 bytes"),
    WORLDS_BENCH("table_memory", "34", "B", "memory per table of one entity with nine ids", 500,
        table_memory, NULL, NULL),
    WORLDS_BENCH("begin", "35", "us", "beginning of a world", 60, begin_worlds, NULL, NULL),
    { 0 },
};
