// SPDX-License-Identifier: MIT
// bench_lifetimes: making and deleting entities with no, one, four and sixteen components, one by one and in bulk.
//
// `variant` is the number of components of 8 bytes. The tables exist before time is taken.
#include "bench.h"
#include "by_hand.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 100000, MOST = 16 };

typedef struct {
    ecs_world_t *world;
    ecs_id_t ids[MOST];
    ecs_entity_t *entities;
    int32_t count, components;
    int32_t before; // entities that are not ours
    hand_t *hand;
    hand_entity_t *hand_entities;
} lifetimes_t;

static int32_t living(const lifetimes_t *state) {
    return ecs_get_entities(state->world).alive_count - state->before;
}

static void expect(bench_run_t *run, int32_t count) {
    const lifetimes_t *state = run->state;
    int32_t found = state->components ? ecs_count_id(state->world, state->ids[0]) : living(state);
    if (found != count)
        bench_wrong(run, "there are %d entities instead of %d", (int)found, (int)count);
}

// ---- what is measured ----

static double make_one_by_one(lifetimes_t *state) {
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++) {
        ecs_entity_t entity = state->entities[i] = ecs_new(state->world);
        for (int32_t c = 0; c < state->components; c++)
            ecs_add_id(state->world, entity, state->ids[c]);
    }
    return (bench_now() - begin) / state->count;
}

static double make_in_bulk(lifetimes_t *state) {
    ecs_bulk_desc_t desc = { .count = state->count };
    for (int32_t c = 0; c < state->components; c++) desc.ids[c] = state->ids[c];
    double begin = bench_now();
    const ecs_entity_t *made = ecs_bulk_init(state->world, &desc);
    double time_ns = bench_now() - begin;
    for (int32_t i = 0; i < state->count; i++) state->entities[i] = made[i];
    return time_ns / state->count;
}

static double delete_one_by_one(lifetimes_t *state) {
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++) ecs_delete(state->world, state->entities[i]);
    return (bench_now() - begin) / state->count;
}

static double delete_in_bulk(lifetimes_t *state) {
    double begin = bench_now();
    ecs_delete_with(state->world, state->ids[0]);
    return (bench_now() - begin) / state->count;
}

// One of `make` and `end` is what the benchmark is about.
static double make(bench_run_t *run, double (*measured)(lifetimes_t *)) {
    double time_ns = measured(run->state);
    expect(run, ((lifetimes_t *)run->state)->count);
    delete_one_by_one(run->state);
    return time_ns;
}

static double end(bench_run_t *run, double (*measured)(lifetimes_t *)) {
    make_in_bulk(run->state);
    double time_ns = measured(run->state);
    expect(run, 0);
    return time_ns;
}

static double create(bench_run_t *run) { return make(run, make_one_by_one); }
static double create_bulk(bench_run_t *run) { return make(run, make_in_bulk); }
static double delete (bench_run_t *run) { return end(run, delete_one_by_one); }
static double delete_bulk(bench_run_t *run) { return end(run, delete_in_bulk); }

// ---- by hand ----

static void expect_by_hand(bench_run_t *run, int32_t count) {
    const lifetimes_t *state = run->state;
    if (state->hand->tables[0].count != (uint32_t)count)
        bench_wrong(run, "there are not %d entities by hand", (int)count);
}

static inline double make_rows(lifetimes_t *state, int32_t components) {
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++)
        state->hand_entities[i] = hand_new(state->hand, 0, components);
    return (bench_now() - begin) / state->count;
}

static inline double delete_rows(lifetimes_t *state, int32_t components) {
    double begin = bench_now();
    for (int32_t i = 0; i < state->count; i++)
        hand_delete(state->hand, state->hand_entities[i], 0, components);
    return (bench_now() - begin) / state->count;
}

// A program knows how many there are.
#define WITH_COMPONENTS(function_, state_)                 \
    ((state_)->components == 0      ? function_(state_, 0) \
        : (state_)->components == 1 ? function_(state_, 1) \
        : (state_)->components == 4 ? function_(state_, 4) \
                                    : function_(state_, MOST))

static double create_by_hand(bench_run_t *run) {
    lifetimes_t *state = run->state;
    double time_ns = WITH_COMPONENTS(make_rows, state);
    expect_by_hand(run, state->count);
    hand_clear(state->hand, 0);
    return time_ns;
}

static double create_bulk_by_hand(bench_run_t *run) {
    lifetimes_t *state = run->state;
    double begin = bench_now();
    make_rows(state, 0);
    for (int32_t c = 0; c < state->components; c++)
        memset(state->hand->tables[0].columns[c], 0, (size_t)state->count * sizeof(Position));
    double time_ns = bench_now() - begin;
    expect_by_hand(run, state->count);
    hand_clear(state->hand, 0);
    return time_ns / state->count;
}

static double delete_by_hand(bench_run_t *run) {
    lifetimes_t *state = run->state;
    make_rows(state, 0);
    double time_ns = WITH_COMPONENTS(delete_rows, state);
    expect_by_hand(run, 0);
    return time_ns;
}

static double delete_bulk_by_hand(bench_run_t *run) {
    const lifetimes_t *state = run->state;
    make_rows(run->state, 0);
    double begin = bench_now();
    hand_clear(state->hand, 0);
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 0);
    return time_ns / state->count;
}

// ---- worlds ----

static void set_up(bench_run_t *run) {
    lifetimes_t *state = run->state = bench_array(1, sizeof *state);
    state->world = ecs_mini();
    state->count = bench_scale(run, COUNT);
    state->components = (int32_t)run->bench->variant;
    state->entities = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    for (int32_t c = 0; c < state->components; c++) {
        state->ids[c] = ecs_component(state->world, { .type = { .size = 8, .alignment = 4 } });
    }
    make_one_by_one(state);
    delete_one_by_one(state);
    state->before = living(state);
    state->hand = hand_create(state->components, 0);
    state->hand_entities = bench_array((size_t)state->count, sizeof(hand_entity_t));
}

static void tear_down(bench_run_t *run) {
    lifetimes_t *state = run->state;
    ecs_fini(state->world);
    free(state->entities);
    hand_free(state->hand);
    free(state->hand_entities);
    free(state);
}

#define LIFETIMES(what_, about_, components_)                                             \
    {                                                                                     \
        .name = "lifetimes/" #what_ "_" #components_, .row = "", .unit = "ns/entity",     \
        .about = about_ " with " #components_ " components",                              \
        .limit_is = "rows of known columns, and records", .setup = set_up, .ours = what_, \
        .limit = what_##_by_hand, .teardown = tear_down, .variant = components_           \
    }

const bench_t bench_lifetimes[] = {
    LIFETIMES(create, "new entities", 0),
    LIFETIMES(create, "new entities", 1),
    LIFETIMES(create, "new entities", 4),
    LIFETIMES(create, "new entities", 16),
    LIFETIMES(create_bulk, "new entities in one call", 0),
    LIFETIMES(create_bulk, "new entities in one call", 1),
    LIFETIMES(create_bulk, "new entities in one call", 4),
    LIFETIMES(create_bulk, "new entities in one call", 16),
    LIFETIMES(delete, "deleting entities", 0),
    LIFETIMES(delete, "deleting entities", 1),
    LIFETIMES(delete, "deleting entities", 4),
    LIFETIMES(delete, "deleting entities", 16),
    LIFETIMES(delete_bulk, "deleting in one call all", 1),
    LIFETIMES(delete_bulk, "deleting in one call all", 4),
    LIFETIMES(delete_bulk, "deleting in one call all", 16),
    { 0 },
};
