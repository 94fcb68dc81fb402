// SPDX-License-Identifier: MIT
// bench_observers: what it costs that somebody listens.
//
// `variant` of a benchmark is the number of observers. The base is the same work in a world without any; the limit is the same change by
// hand (table 1 has the Velocity), then a call of a function through a pointer for each observer.
#include "bench.h"
#include "by_hand.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { ADDED = 20000, INSTANCES = 10000, RECORDED = 1000000 };

typedef struct {
    ecs_world_t *world;
    ecs_entity_t *entities; // instances of `prefab`, where there is one
    ecs_entity_t prefab;
    int32_t count;
    int64_t told, expected;
} side_t;

typedef void (*hand_observer_t)(int64_t *told, const hand_entity_t *entities, int32_t count);

typedef struct {
    side_t heard, silent;
    hand_t *hand;
    hand_entity_t *hand_entities;
    hand_observer_t *hand_observers;
    int64_t hand_told, hand_expected;
    Work hand_shared; // value of the prefab
} observers_t;

static void hear(ecs_iter_t *it) { *(int64_t *)it->ctx += it->count; }

static void listen_to_both(
    side_t *side, ecs_entity_t event, ecs_id_t id, ecs_id_t beside, int32_t observers) {
    for (int32_t i = 0; i < observers; i++) {
        ecs_observer(side->world, { .query.terms = { { id }, { beside } },
                                      .events = { event },
                                      .callback = hear,
                                      .ctx = &side->told });
    }
}

static void listen(side_t *side, ecs_entity_t event, ecs_id_t id, int32_t observers) {
    listen_to_both(side, event, id, 0, observers);
}

static void start(side_t *side, int32_t count) {
    side->world = scene_world();
    side->count = count;
    side->entities = bench_array((size_t)count, sizeof(ecs_entity_t));
    const ecs_entity_t *made = ecs_bulk_new(side->world, Position, count);
    memcpy(side->entities, made, (size_t)count * sizeof(ecs_entity_t));
}

static void end(side_t *side) {
    ecs_fini(side->world);
    free(side->entities);
}

static void hear_by_hand(int64_t *told, const hand_entity_t *entities, int32_t count) {
    (void)entities;
    *told += count;
}

static void start_by_hand(bench_run_t *run) {
    observers_t *state = run->state;
    state->hand = hand_create(1, 2);
    state->hand_entities = bench_array((size_t)state->heard.count, sizeof(hand_entity_t));
    state->hand_observers = bench_array((size_t)run->bench->variant, sizeof(hand_observer_t));
    for (int32_t i = 0; i < state->heard.count; i++)
        state->hand_entities[i] = hand_new(state->hand, 0, 1);
    for (int32_t i = 0; i < run->bench->variant; i++) state->hand_observers[i] = hear_by_hand;
}

static observers_t *start_both(bench_run_t *run) {
    observers_t *state = run->state = bench_array(1, sizeof *state);
    start(&state->heard, bench_scale(run, (int32_t)run->bench->size));
    start(&state->silent, state->heard.count);
    start_by_hand(run);
    return state;
}

static void set_up_add(bench_run_t *run) {
    observers_t *state = start_both(run);
    listen(&state->heard, EcsOnAdd, ecs_id(Velocity), (int32_t)run->bench->variant);
}

static void set_up_set(bench_run_t *run) {
    observers_t *state = start_both(run);
    listen(&state->heard, EcsOnSet, ecs_id(Position), (int32_t)run->bench->variant);
}

static void set_up_enter(bench_run_t *run) {
    observers_t *state = start_both(run);
    listen_to_both(&state->heard, EcsOnAdd, ecs_id(Velocity), ecs_id(Position), 1);
}

static void set_up_set_beside(bench_run_t *run) {
    observers_t *state = start_both(run);
    const side_t *sides[] = { &state->heard, &state->silent };
    for (int32_t i = 0; i < 2 * state->heard.count; i++)
        ecs_add(sides[i % 2]->world, sides[i % 2]->entities[i / 2], Velocity);
    listen_to_both(&state->heard, EcsOnSet, ecs_id(Position), ecs_id(Velocity), 1);
}

static void add_children(const side_t *side) {
    for (int32_t i = 0; i < side->count; i++)
        ecs_new_w_pair(side->world, EcsChildOf, side->entities[i]);
}

static void set_up_parents(bench_run_t *run) {
    observers_t *state = start_both(run);
    add_children(&state->heard);
    add_children(&state->silent);
    listen(&state->heard, EcsOnSet, ecs_id(Position), 1);
}

// Observers of something else.
static void set_up_other(bench_run_t *run) {
    observers_t *state = start_both(run);
    listen(&state->heard, EcsOnAdd, ecs_id(Counter), (int32_t)run->bench->variant);
    listen(&state->heard, EcsOnRemove, ecs_id(Counter), (int32_t)run->bench->variant);
}

static void tear_down(bench_run_t *run) {
    observers_t *state = run->state;
    if (state->heard.told != state->heard.expected) {
        bench_wrong(run, "observers were told of %lld entities instead of %lld",
            (long long)state->heard.told, (long long)state->heard.expected);
    }
    if (state->hand_told != state->hand_expected) bench_wrong(run, "calls by hand were lost");
    end(&state->heard);
    end(&state->silent);
    hand_free(state->hand);
    free(state->hand_entities);
    free(state->hand_observers);
    free(state);
}

static void expect(side_t *side, const bench_run_t *run) {
    side->expected += (int64_t)side->count * run->bench->variant;
}

// ---- One by one ----

static double add_all(const side_t *side) {
    double begin = bench_now();
    for (int32_t i = 0; i < side->count; i++) ecs_add(side->world, side->entities[i], Velocity);
    double time_ns = bench_now() - begin;
    ecs_remove_all(side->world, ecs_id(Velocity));
    return time_ns / side->count;
}

static double add_heard(bench_run_t *run) {
    observers_t *state = run->state;
    expect(&state->heard, run);
    return add_all(&state->heard);
}

static double add_unheard(bench_run_t *run) {
    observers_t *state = run->state;
    return add_all(&state->heard);
}

static double add_silent(bench_run_t *run) {
    observers_t *state = run->state;
    return add_all(&state->silent);
}

static double set_all(const side_t *side) {
    double begin = bench_now();
    for (int32_t i = 0; i < side->count; i++) {
        ecs_set(side->world, side->entities[i], Position, { 1, 2 });
    }
    return (bench_now() - begin) / side->count;
}

static double set_heard(bench_run_t *run) {
    observers_t *state = run->state;
    expect(&state->heard, run);
    return set_all(&state->heard);
}

static double set_silent(bench_run_t *run) {
    observers_t *state = run->state;
    return set_all(&state->silent);
}

static inline void tell_by_hand(
    observers_t *state, int32_t observers, const hand_entity_t *entities, int32_t count) {
    for (int32_t i = 0; i < observers; i++)
        state->hand_observers[i](&state->hand_told, entities, count);
}

// Nobody is told if the observers want something else.
static void add_and_tell(observers_t *state, const hand_entity_t *entities, int32_t observers) {
    for (int32_t i = 0; i < state->heard.count; i++) {
        if (hand_move(state->hand, entities[i], 0, 1, 1, 2, (Position){ 0, 0 }))
            tell_by_hand(state, observers, &entities[i], 1);
    }
    state->hand_expected += (int64_t)state->heard.count * observers;
}

static void undo_by_hand(observers_t *state) {
    for (int32_t i = 0; i < state->heard.count; i++)
        hand_move(state->hand, state->hand_entities[i], 1, 2, 0, 1, (Position){ 0, 0 });
}

static double add_by_hand(bench_run_t *run, int32_t observers) {
    observers_t *state = run->state;
    double begin = bench_now();
    add_and_tell(state, state->hand_entities, observers);
    double time_ns = bench_now() - begin;
    undo_by_hand(state);
    return time_ns / state->heard.count;
}

static double add_heard_by_hand(bench_run_t *run) {
    return add_by_hand(run, (int32_t)run->bench->variant);
}

static double add_unheard_by_hand(bench_run_t *run) { return add_by_hand(run, 0); }

static double set_by_hand(bench_run_t *run) {
    observers_t *state = run->state;
    int32_t count = state->heard.count, observers = (int32_t)run->bench->variant;
    double begin = bench_now();
    for (int32_t i = 0; i < count; i++) {
        Position *p = hand_get(state->hand, state->hand_entities[i], 0, 0);
        if (!p) continue;
        *p = (Position){ 1, 2 };
        tell_by_hand(state, observers, &state->hand_entities[i], 1);
    }
    double time_ns = bench_now() - begin;
    state->hand_expected += (int64_t)count * observers;
    return time_ns / count;
}

// ---- Commands ----

static double merge_all(const side_t *side) {
    double begin = bench_now();
    ecs_defer_begin(side->world);
    for (int32_t i = 0; i < side->count; i++) ecs_add(side->world, side->entities[i], Velocity);
    ecs_defer_end(side->world);
    double time_ns = bench_now() - begin;
    ecs_remove_all(side->world, ecs_id(Velocity));
    return time_ns / side->count;
}

static double merge_heard(bench_run_t *run) {
    observers_t *state = run->state;
    expect(&state->heard, run);
    return merge_all(&state->heard);
}

static double merge_silent(bench_run_t *run) {
    observers_t *state = run->state;
    return merge_all(&state->silent);
}

static double merge_by_hand(bench_run_t *run) {
    observers_t *state = run->state;
    hand_entity_t *recorded = bench_array((size_t)state->heard.count, sizeof *recorded);
    double begin = bench_now();
    for (int32_t i = 0; i < state->heard.count; i++) {
        recorded[i] = state->hand_entities[i];
        bench_keep(i); // one by one
    }
    add_and_tell(state, recorded, (int32_t)run->bench->variant);
    double time_ns = bench_now() - begin;
    undo_by_hand(state);
    free(recorded);
    return time_ns / state->heard.count;
}

// ---- Prefabs ----

static void instantiate(side_t *side) {
    side->prefab = ecs_new_w_id(side->world, EcsPrefab);
    ecs_set(side->world, side->prefab, Work, { 0 });
    for (int32_t i = 0; i < side->count; i++) {
        ecs_add_pair(side->world, side->entities[i], EcsIsA, side->prefab);
    }
}

static void set_up_prefab(bench_run_t *run) {
    observers_t *state = start_both(run);
    instantiate(&state->heard);
    instantiate(&state->silent);
    listen(&state->heard, EcsOnSet, ecs_id(Work), (int32_t)run->bench->variant);
}

static double set_prefab(bench_run_t *run) {
    observers_t *state = run->state;
    expect(&state->heard, run);
    double begin = bench_now();
    ecs_set(state->heard.world, state->heard.prefab, Work, { 1 });
    return bench_now() - begin;
}

static double set_silent_prefab(bench_run_t *run) {
    observers_t *state = run->state;
    double begin = bench_now();
    ecs_set(state->silent.world, state->silent.prefab, Work, { 1 });
    return bench_now() - begin;
}

static double set_prefab_by_hand(bench_run_t *run) {
    observers_t *state = run->state;
    int32_t observers = (int32_t)run->bench->variant;
    double begin = bench_now();
    state->hand_shared = (Work){ 1 };
    tell_by_hand(state, observers, state->hand_entities, state->heard.count);
    double time_ns = bench_now() - begin;
    state->hand_expected += (int64_t)state->heard.count * observers;
    return time_ns;
}

#define OBSERVERS(name_, about_, goal_, set_up_, ours_, limit_, base_, size_, observers_) \
    {                                                                                     \
        .name = "observers/" name_, .row = "19", .unit = "ns", .about = about_,           \
        .limit_is = "the change by hand and calls through pointers",                      \
        .base_is = "without observers", .goal_kind = goal_ ? GOAL_OVER_BASE : GOAL_NONE,  \
        .goal = goal_, .setup = set_up_, .ours = ours_, .limit = limit_, .base = base_,   \
        .teardown = tear_down, .size = size_, .variant = observers_                       \
    }

const bench_t bench_observers[] = {
    OBSERVERS("add_other", "an add that no observer wants, 100 observers of something else", 1,
        set_up_other, add_unheard, add_unheard_by_hand, add_silent, ADDED, 100),
    OBSERVERS("add_1", "an add with one observer", 6, set_up_add, add_heard, add_heard_by_hand,
        add_silent, ADDED, 1),
    OBSERVERS("add_10", "an add with 10 observers", 33, set_up_add, add_heard, add_heard_by_hand,
        add_silent, ADDED, 10),
    OBSERVERS("add_100", "an add with 100 observers", 303, set_up_add, add_heard, add_heard_by_hand,
        add_silent, ADDED, 100),
    OBSERVERS("set_1", "a set with one observer", 6, set_up_set, set_heard, set_by_hand, set_silent,
        ADDED, 1),
    OBSERVERS("set_10", "a set with 10 observers", 33, set_up_set, set_heard, set_by_hand,
        set_silent, ADDED, 10),
    OBSERVERS("set_100", "a set with 100 observers", 303, set_up_set, set_heard, set_by_hand,
        set_silent, ADDED, 100),
    OBSERVERS("add_1_of_two", "an add with one observer, of two terms", 0, set_up_enter, add_heard,
        add_heard_by_hand, add_silent, ADDED, 1),
    OBSERVERS("set_1_of_two", "a set with one observer, of two terms", 0, set_up_set_beside,
        set_heard, set_by_hand, set_silent, ADDED, 1),
    OBSERVERS("set_1_of_parent", "a set of an entity with a child, one observer", 0, set_up_parents,
        set_heard, set_by_hand, set_silent, ADDED, 1),
    OBSERVERS("merge_1", "recording and merging 1 000 000 adds with one observer, each", 0,
        set_up_add, merge_heard, merge_by_hand, merge_silent, RECORDED, 1),
    OBSERVERS("prefab", "setting a value that 10 000 instances share, one observer", 0,
        set_up_prefab, set_prefab, set_prefab_by_hand, set_silent_prefab, INSTANCES, 1),
    { 0 },
};
