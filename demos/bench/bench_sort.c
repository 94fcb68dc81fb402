// SPDX-License-Identifier: MIT
// bench_sort: sorting the results of a query by a number, and sorting them again after changes.
//
// `size` of a benchmark is the number of entities, `variant` how many of them change between two sorts (0: all). By hand, an array of
// {number, entity} is kept in order, and an array that says where each entity is.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

enum { ENTITIES = 1000000, TABLES = 100 };

typedef struct {
    int32_t value;
} Depth;

static ECS_COMPONENT_DECLARE(Depth);

typedef struct {
    int32_t number, entity;
} item_t;

typedef struct {
    ecs_world_t *world;
    ecs_query_t *sorted, *plain;
    ecs_entity_t *entities;
    int32_t count, changes;
    uint64_t random;
    item_t *items, *spare;
    int32_t *places; // of entities among the items
} sort_t;

static int by_depth(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Depth *a = v1, *b = v2;
    (void)e1, (void)e2;
    return (a->value > b->value) - (a->value < b->value);
}

static int32_t random_number(sort_t *state) {
    state->random = state->random * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)(state->random >> 33);
}

static void make_entities(sort_t *state, int32_t tables) {
    ecs_entity_t tags[TABLES];
    for (int32_t i = 0; i < tables; i++) tags[i] = ecs_new(state->world);
    for (int32_t i = 0; i < state->count; i++) {
        ecs_entity_t e = state->entities[i] = ecs_new(state->world);
        ecs_set(state->world, e, Depth, { random_number(state) });
        if (tables) ecs_add_id(state->world, e, tags[i % tables]);
    }
}

static void note_places(sort_t *state) {
    for (int32_t i = 0; i < state->count; i++) state->places[state->items[i].entity] = i;
}

static void set_up_with(bench_run_t *run, int32_t tables, ecs_flags32_t flags) {
    sort_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    ecs_id(Depth) = 0;
    ECS_COMPONENT_DEFINE(state->world, Depth);
    state->count = bench_scale(run, (int32_t)run->bench->size);
    state->changes = run->bench->variant > 1 ? bench_scale(run, (int32_t)run->bench->variant)
                                             : (int32_t)run->bench->variant;
    size_t count = (size_t)state->count;
    state->entities = bench_array(count, sizeof *state->entities);
    state->items = bench_array(count, sizeof *state->items);
    state->spare = bench_array(count, sizeof *state->spare);
    state->places = bench_array(count, sizeof *state->places);
    for (int32_t i = 0; i < state->count; i++)
        state->items[i] = (item_t){ random_number(state), i };
    note_places(state);
    make_entities(state, tables);
    state->sorted = ecs_query(state->world, { .expr = "[in] Depth",
                                                .order_by = ecs_id(Depth),
                                                .order_by_callback = by_depth,
                                                .flags = flags });
    state->plain =
        ecs_query(state->world, { .expr = "[in] Depth", .cache_kind = EcsQueryCacheAuto });
}

static void set_up(bench_run_t *run) { set_up_with(run, 0, 0); }
#ifdef EcsQuerySortLazily
static void set_up_lazily(bench_run_t *run) { set_up_with(run, 0, EcsQuerySortLazily); }
#endif
static void set_up_tables(bench_run_t *run) { set_up_with(run, TABLES, 0); }

static void tear_down(bench_run_t *run) {
    sort_t *state = run->state;
    ecs_query_fini(state->sorted);
    ecs_query_fini(state->plain);
    ecs_fini(state->world);
    free(state->entities);
    free(state->items);
    free(state->spare);
    free(state->places);
    free(state);
}

// ---- Ours ----

static void change(sort_t *state) {
    if (state->changes) {
        for (int32_t i = 0; i < state->changes; i++) {
            ecs_entity_t e = state->entities[random_number(state) % state->count];
            ecs_set(state->world, e, Depth, { random_number(state) });
        }
        return;
    }
    ecs_query_t *q = ecs_query(state->world, { .expr = "Depth" });
    for (ecs_iter_t it = ecs_query_iter(state->world, q); ecs_query_next(&it);) {
        Depth *depths = ecs_field(&it, Depth, 0);
        for (int32_t i = 0; i < it.count; i++) depths[i].value = random_number(state);
    }
    ecs_query_fini(q);
}

static void check(bench_run_t *run) {
    const sort_t *state = run->state;
    int32_t count = 0, last = -1;
    for (ecs_iter_t it = ecs_query_iter(state->world, state->sorted); ecs_query_next(&it);) {
        const Depth *depths = ecs_field(&it, Depth, 0);
        for (int32_t i = 0; i < it.count; i++, count++) {
            if (depths[i].value < last) bench_wrong(run, "results are not in order");
            last = depths[i].value;
        }
    }
    if (count != state->count) bench_wrong(run, "%d of %d entities came", count, state->count);
}

// Milliseconds per sort.
static double sort(bench_run_t *run) {
    sort_t *state = run->state;
    change(state);
    double begin = bench_now();
    ecs_iter_t it = ecs_query_iter(state->world, state->sorted);
    double time_ns = bench_now() - begin;
    ecs_iter_fini(&it);
    check(run);
    return time_ns * 1e-6;
}

// ---- By hand ----

static void radix_pass(const item_t *from, item_t *to, int32_t count, int shift) {
    int32_t starts[2048] = { 0 };
    for (int32_t i = 0; i < count; i++) starts[(uint32_t)from[i].number >> shift & 2047]++;
    for (int32_t d = 0, start = 0; d < 2048; d++) {
        int32_t of_digit = starts[d];
        starts[d] = start;
        start += of_digit;
    }
    for (int32_t i = 0; i < count; i++)
        to[starts[(uint32_t)from[i].number >> shift & 2047]++] = from[i];
}

static void swap_items(sort_t *state) {
    item_t *items = state->items;
    state->items = state->spare;
    state->spare = items;
}

static void radix_sort(sort_t *state) {
    for (int shift = 0; shift < 32; shift += 11) {
        radix_pass(state->items, state->spare, state->count, shift);
        swap_items(state);
    }
}

static int compare_items(const void *a, const void *b) {
    const item_t *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

// Items that changed are marked by a negative entity; they are at the end of the spare ones.
static void merge_changed(sort_t *state, item_t *changed, int32_t changes) {
    int32_t at = 0, next = 0;
    for (int32_t i = 0; i < state->count; i++) {
        if (state->items[i].entity < 0) continue;
        while (next < changes && changed[next].number < state->items[i].number)
            state->spare[at++] = changed[next++];
        state->spare[at++] = state->items[i];
    }
    while (next < changes) state->spare[at++] = changed[next++];
    swap_items(state);
}

static void move_one(sort_t *state, int32_t place, int32_t number) {
    item_t item = { number, state->items[place].entity };
    for (; place && state->items[place - 1].number > number; place--) {
        state->items[place] = state->items[place - 1];
        state->places[state->items[place].entity] = place;
    }
    for (; place + 1 < state->count && state->items[place + 1].number < number; place++) {
        state->items[place] = state->items[place + 1];
        state->places[state->items[place].entity] = place;
    }
    state->items[place] = item;
    state->places[item.entity] = place;
}

static void check_items(bench_run_t *run) {
    const sort_t *state = run->state;
    for (int32_t i = 0; i < state->count; i++) {
        bool is_right = state->places[state->items[i].entity] == i;
        is_right &= !i || state->items[i - 1].number <= state->items[i].number;
        if (!is_right) bench_wrong(run, "items are not in order");
    }
}

static double sort_all_by_hand(bench_run_t *run) {
    sort_t *state = run->state;
    for (int32_t i = 0; i < state->count; i++) state->items[i].number = random_number(state);
    double begin = bench_now();
    radix_sort(state);
    note_places(state);
    double time_ns = bench_now() - begin;
    check_items(run);
    return time_ns * 1e-6;
}

static double sort_some_by_hand(bench_run_t *run) {
    sort_t *state = run->state;
    radix_sort(state);
    note_places(state);
    item_t *changed = bench_array((size_t)state->changes, sizeof *changed);
    int32_t changes = 0;
    for (int32_t i = 0; i < state->changes; i++) {
        item_t *item = &state->items[random_number(state) % state->count];
        if (item->entity < 0) continue;
        changed[changes++] = (item_t){ random_number(state), item->entity };
        item->entity = -1;
    }
    double begin = bench_now();
    qsort(changed, (size_t)changes, sizeof *changed, compare_items);
    merge_changed(state, changed, changes);
    note_places(state);
    double time_ns = bench_now() - begin;
    free(changed);
    check_items(run);
    return time_ns * 1e-6;
}

static double sort_one_by_hand(bench_run_t *run) {
    sort_t *state = run->state;
    radix_sort(state);
    note_places(state);
    int32_t place = state->places[random_number(state) % state->count];
    int32_t number = state->items[random_number(state) % state->count].number;
    double begin = bench_now();
    move_one(state, place, number);
    double time_ns = bench_now() - begin;
    check_items(run);
    return time_ns * 1e-6;
}

// ---- Nothing changed ----

static double sum_of(const sort_t *state, const ecs_query_t *q, int64_t *sum) {
    double begin = bench_now();
    for (ecs_iter_t it = ecs_query_iter(state->world, q); ecs_query_next(&it);) {
        const Depth *depths = ecs_field(&it, Depth, 0);
        for (int32_t i = 0; i < it.count; i++) *sum += depths[i].value;
    }
    return (bench_now() - begin) / (double)state->count;
}

static double iterate_sorted(bench_run_t *run) {
    const sort_t *state = run->state;
    int64_t sum = 0, expected = 0;
    double time_ns = sum_of(state, state->sorted, &sum);
    sum_of(state, state->plain, &expected);
    if (sum != expected) bench_wrong(run, "sorted results are not those of the query");
    return time_ns;
}

static double iterate_by_hand(bench_run_t *run) {
    const sort_t *state = run->state;
    int64_t sum = 0, count = state->count;
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++) sum += state->places[i];
    double time_ns = bench_now() - begin;
    if (sum != count * (count - 1) / 2) bench_wrong(run, "numbers by hand are missing");
    return time_ns / (double)count;
}

static double iterate_plain(bench_run_t *run) {
    int64_t sum = 0;
    double time_ns = sum_of(run->state, ((const sort_t *)run->state)->plain, &sum);
    bench_keep(sum);
    return time_ns;
}

#define SORT(case_, setup_, limit_, variant_, about_)                                              \
    .name = "sort/" case_, .unit = "ms", .about = about_,                                          \
    .limit_is = "an array of numbers and entities, sorted by hand", .setup = setup_, .ours = sort, \
    .limit = limit_, .teardown = tear_down, .size = ENTITIES, .variant = variant_

#define GOAL(goal_) .row = "22", .goal_kind = GOAL_AT_MOST, .goal = goal_

const bench_t bench_sort[] = {
    { SORT("all", set_up, sort_all_by_hand, 0, "sort a million entities by a number"), GOAL(15) },
    { SORT("one_percent", set_up, sort_some_by_hand, 10000, "sort again after one percent was set"),
        GOAL(4) },
    { SORT("one", set_up, sort_one_by_hand, 1, "sort again after one was set"), GOAL(0.4) },
#ifdef EcsQuerySortLazily
    { SORT("one_percent_lazily", set_up_lazily, sort_some_by_hand, 10000,
          "the same for a query that says that rows may wait"),
        .row = "" },
    { SORT("one_lazily", set_up_lazily, sort_one_by_hand, 1,
          "the same for a query that says that rows may wait"),
        .row = "" },
#endif
    { .name = "sort/tables",
        .row = "",
        .unit = "ms",
        .about = "sort 100 000 entities of a hundred tables, and merge them",
        .limit_is = "an array of numbers and entities, sorted by hand",
        .setup = set_up_tables,
        .ours = sort,
        .limit = sort_all_by_hand,
        .teardown = tear_down,
        .size = ENTITIES / 10 },
    { .name = "sort/unchanged",
        .row = "",
        .unit = "ns/entity",
        .about = "iterate a sorted query when nothing changed",
        .limit_is = "a loop over an array of numbers",
        .base_is = "the same query, not sorted",
        .setup = set_up,
        .ours = iterate_sorted,
        .limit = iterate_by_hand,
        .base = iterate_plain,
        .teardown = tear_down,
        .size = ENTITIES },
    { .name = NULL },
};
