// SPDX-License-Identifier: MIT
// bench_entities: making, changing, reading and deleting entities one by one.
//
// `variant` of a benchmark is the number of other components that the entities have, `size` how many entities there are; those named
// random visit them in random order. By hand entities are in table 0, with what was added in table 1.
#include "bench.h"
#include "by_hand.h"
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1000000, SOME = 10000 };

typedef struct {
    ecs_world_t *world;
    ecs_entity_t *entities; // in the order in which they are visited
    int32_t *order;
    int32_t count, others;
    bool random;
    ecs_id_t toggled; // what is added and removed
    float value;
    hand_t *hand; // the same once more
    hand_entity_t *hand_entities;
    float hand_value;
} entities_t;

// ---- Making many ----

static void fill(entities_t *state) {
    void *data[SCENE_EXTRAS + 1] = { NULL };
    ecs_bulk_desc_t desc = { .count = state->count, .ids = { ecs_id(Position) }, .data = data };
    for (int32_t i = 1; i < state->others; i++) desc.ids[i] = scene_extras[i - 1];
    const ecs_entity_t *made = ecs_bulk_init(state->world, &desc);
    for (int32_t i = 0; i < state->count; i++) {
        state->entities[i] = made[state->random ? state->order[i] : i];
    }
}

static void fill_hand(entities_t *state) {
    hand_entity_t *made = bench_array((size_t)state->count, sizeof *made);
    for (int32_t i = 0; i < state->count; i++) made[i] = hand_new(state->hand, 0, state->others);
    for (int32_t i = 0; i < state->count; i++) {
        state->hand_entities[i] = made[state->random ? state->order[i] : i];
    }
    free(made);
}

static void start(bench_run_t *run, bool random, int32_t added) {
    entities_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    state->count = bench_scale(run, (int32_t)run->bench->size);
    state->others = (int32_t)run->bench->variant;
    state->random = random;
    state->toggled = ecs_id(Velocity);
    state->order = bench_shuffled(state->count);
    state->entities = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    state->hand = hand_create(state->others, state->others + added);
    state->hand_entities = bench_array((size_t)state->count, sizeof(hand_entity_t));
    if (!state->others) return;
    fill(state);
    fill_hand(state);
}

static void set_up_new(bench_run_t *run) { start(run, false, 2); }

static void set_up(bench_run_t *run) { start(run, false, 1); }

static void set_up_random(bench_run_t *run) { start(run, true, 1); }

static void set_up_tag(bench_run_t *run) {
    start(run, false, 0);
    entities_t *state = run->state;
    state->toggled = ecs_new(state->world);
}

static void set_up_pair(bench_run_t *run) {
    start(run, false, 0);
    entities_t *state = run->state;
    ecs_entity_t relationship = ecs_new(state->world);
    state->toggled = ecs_pair(relationship, ecs_new(state->world));
}

// All of them have a base, which has something else.
static void set_up_instances(bench_run_t *run) {
    set_up_tag(run);
    const entities_t *state = run->state;
    ecs_entity_t base = ecs_new_w(state->world, Velocity);
    for (int32_t i = 0; i < state->count; i++)
        ecs_add_pair(state->world, state->entities[i], EcsIsA, base);
}

static void set_up_named(bench_run_t *run) {
    set_up_tag(run);
    const entities_t *state = run->state;
    for (int32_t i = 0; i < state->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "thing %d", (int)i);
        ecs_set_name(state->world, state->entities[i], name);
    }
}

// Each is in a state, of which its table knows only that there is one.
static void set_up_states(bench_run_t *run) {
    set_up_tag(run);
    const entities_t *state = run->state;
    ecs_entity_t relationship = ecs_new_w_id(state->world, EcsUnion), idle = ecs_new(state->world);
    for (int32_t i = 0; i < state->count; i++)
        ecs_add_pair(state->world, state->entities[i], relationship, idle);
}

static void tear_down(bench_run_t *run) {
    entities_t *state = run->state;
    ecs_fini(state->world);
    free(state->order);
    free(state->entities);
    hand_free(state->hand);
    free(state->hand_entities);
    free(state);
}

static void expect(bench_run_t *run, ecs_id_t id, int32_t count) {
    const entities_t *state = run->state;
    int32_t found = ecs_count_id(state->world, id);
    if (found != count) {
        bench_wrong(run, "%d entities have the component instead of %d", (int)found, (int)count);
    }
}

static void expect_by_hand(bench_run_t *run, uint32_t table, int32_t count) {
    const entities_t *state = run->state;
    uint32_t found = state->hand->tables[table].count;
    if (found != (uint32_t)count) {
        bench_wrong(run, "by hand %u entities are there instead of %d", found, (int)count);
    }
}

// For loops: calls and stores may change what is read through a pointer, so that it would be read again each time, after them.
static inline entities_t copy_of(const bench_run_t *run) { return *(const entities_t *)run->state; }

// ---- Create, delete ----

static double create(bench_run_t *run) {
    const entities_t state = copy_of(run);
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) {
        ecs_entity_t entity = ecs_new(state.world);
        ecs_add(state.world, entity, Position);
        ecs_add(state.world, entity, Velocity);
    }
    double time_ns = bench_now() - begin;
    expect(run, ecs_id(Velocity), state.count);
    ecs_delete_with(state.world, ecs_id(Velocity));
    return time_ns / state.count;
}

static double describe(bench_run_t *run) {
    const entities_t state = copy_of(run);
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++)
        ecs_insert(state.world, ecs_value(Position, { 1, 2 }), ecs_value(Velocity, { 3, 4 }));
    double time_ns = bench_now() - begin;
    expect(run, ecs_id(Velocity), state.count);
    ecs_delete_with(state.world, ecs_id(Velocity));
    return time_ns / state.count;
}

static double create_by_hand(bench_run_t *run) {
    const entities_t state = copy_of(run);
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) bench_keep((int64_t)hand_new(state.hand, 1, 2));
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 1, state.count);
    hand_clear(state.hand, 1);
    return time_ns / state.count;
}

static double create_bulk(bench_run_t *run) {
    const entities_t *state = run->state;
    Position *positions = bench_array((size_t)state->count, sizeof(Position));
    Velocity *velocities = bench_array((size_t)state->count, sizeof(Velocity));
    double begin = bench_now();
    ecs_bulk_init(state->world, &(ecs_bulk_desc_t){ .count = state->count,
                                    .ids = { ecs_id(Position), ecs_id(Velocity) },
                                    .data = (void *[]){ positions, velocities } });
    double time_ns = bench_now() - begin;
    expect(run, ecs_id(Velocity), state->count);
    ecs_delete_with(state->world, ecs_id(Velocity));
    free(positions);
    free(velocities);
    return time_ns / state->count;
}

static double copy_by_hand(bench_run_t *run) {
    const entities_t *state = run->state;
    size_t bytes = (size_t)state->count * sizeof(uint64_t);
    char *from = bench_array(3, bytes), *to = bench_array(3, bytes);
    double begin = bench_now();
    memcpy(to, from, 3 * bytes); // two columns and the entities
    bench_keep(to[bytes]);
    double time_ns = bench_now() - begin;
    free(from);
    free(to);
    return time_ns / state->count;
}

static double delete_all(bench_run_t *run) {
    const entities_t state = copy_of(run);
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) ecs_delete(state.world, state.entities[i]);
    double time_ns = bench_now() - begin;
    expect(run, ecs_id(Position), 0);
    fill(run->state);
    return time_ns / state.count;
}

static double delete_by_hand(bench_run_t *run) {
    const entities_t state = copy_of(run);
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) {
        hand_delete(state.hand, state.hand_entities[i], 0, SCENE_EXTRAS);
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 0, 0);
    fill_hand(run->state);
    return time_ns / state.count;
}

// ---- Add, remove ----

static double add_and_remove(bench_run_t *run) {
    const entities_t state = copy_of(run);
    ecs_id_t id = state.toggled;
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) ecs_add_id(state.world, state.entities[i], id);
    double time_ns = bench_now() - begin;
    expect(run, id, state.count);
    begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) ecs_remove_id(state.world, state.entities[i], id);
    time_ns += bench_now() - begin;
    expect(run, id, 0);
    return time_ns / (2.0 * state.count);
}

static inline double move_by_hand(bench_run_t *run, int32_t others, int32_t added) {
    const entities_t state = copy_of(run);
    const Position zero = { 0, 0 };
    int32_t both = others + added;
    double begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) {
        hand_move(state.hand, state.hand_entities[i], 0, others, 1, both, zero);
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 1, state.count);
    begin = bench_now();
    for (int32_t i = 0; i < state.count; i++) {
        hand_move(state.hand, state.hand_entities[i], 1, both, 0, others, zero);
    }
    time_ns += bench_now() - begin;
    expect_by_hand(run, 0, state.count);
    return time_ns / (2.0 * state.count);
}

static double move_by_hand_1(bench_run_t *run) { return move_by_hand(run, 1, 1); }
static double move_by_hand_4(bench_run_t *run) { return move_by_hand(run, SCENE_EXTRAS, 1); }
static double move_by_hand_tag(bench_run_t *run) { return move_by_hand(run, 1, 0); }

// ---- Get, set, alive ----

static int32_t passes_of(entities_t state) { return state.count < 100000 ? 50 : 1; }

static void expect_sum(bench_run_t *run, int64_t sum, float value, int32_t passes) {
    const entities_t *state = run->state;
    if ((double)sum != (double)passes * (double)value * state->count)
        bench_wrong(run, "values are missing");
}

static double get_all(bench_run_t *run) {
    const entities_t state = copy_of(run);
    int32_t passes = passes_of(state);
    int64_t sum = 0; // stays in a register, unlike a sum of doubles
    double begin = bench_now();
    for (int32_t k = 0; k < passes; k++) {
        for (int32_t i = 0; i < state.count; i++)
            sum += (int64_t)ecs_get(state.world, state.entities[i], Position)->x;
    }
    double time_ns = bench_now() - begin;
    expect_sum(run, sum, state.value, passes);
    return time_ns / passes / state.count;
}

static double get_by_hand(bench_run_t *run) {
    const entities_t state = copy_of(run);
    int32_t passes = passes_of(state);
    int64_t sum = 0;
    double begin = bench_now();
    for (int32_t k = 0; k < passes; k++) {
        for (int32_t i = 0; i < state.count; i++) {
            const Position *p = hand_get(state.hand, state.hand_entities[i], 0, 0);
            if (p) sum += (int64_t)p->x;
        }
    }
    double time_ns = bench_now() - begin;
    expect_sum(run, sum, state.hand_value, passes);
    return time_ns / passes / state.count;
}

static double set_all(bench_run_t *run) {
    const entities_t state = copy_of(run);
    int32_t passes = passes_of(state);
    double begin = bench_now();
    for (int32_t k = 0; k < passes; k++) {
        float value = ++((entities_t *)run->state)->value;
        for (int32_t i = 0; i < state.count; i++)
            ecs_set(state.world, state.entities[i], Position, { value, 0 });
    }
    double time_ns = bench_now() - begin;
    get_all(run); // checks the sum
    return time_ns / passes / state.count;
}

static double set_by_hand(bench_run_t *run) {
    const entities_t state = copy_of(run);
    int32_t passes = passes_of(state);
    double begin = bench_now();
    for (int32_t k = 0; k < passes; k++) {
        float value = ++((entities_t *)run->state)->hand_value;
        for (int32_t i = 0; i < state.count; i++) {
            Position *p = hand_get(state.hand, state.hand_entities[i], 0, 0);
            if (p) *p = (Position){ value, 0 };
        }
    }
    double time_ns = bench_now() - begin;
    get_by_hand(run); // checks the sum
    return time_ns / passes / state.count;
}

// Asks of each whether a question is answered with yes. The questions are constants where this is inlined.
static inline double ask_all(bench_run_t *run, bool of_value) {
    const entities_t state = copy_of(run);
    int32_t passes = passes_of(state), yes = 0;
    double begin = bench_now();
    for (int32_t k = 0; k < passes; k++) {
        for (int32_t i = 0; i < state.count; i++) {
            yes += of_value ? ecs_has(state.world, state.entities[i], Position)
                            : ecs_is_alive(state.world, state.entities[i]);
        }
    }
    double time_ns = bench_now() - begin;
    if (yes != passes * state.count) bench_wrong(run, "entities died or lost their component");
    return time_ns / passes / state.count;
}

static double are_alive(bench_run_t *run) { return ask_all(run, false); }
static double has_all(bench_run_t *run) { return ask_all(run, true); }

static inline double ask_by_hand(bench_run_t *run, bool of_value) {
    const entities_t state = copy_of(run);
    int32_t passes = passes_of(state), yes = 0;
    double begin = bench_now();
    for (int32_t k = 0; k < passes; k++) {
        for (int32_t i = 0; i < state.count; i++) {
            yes += of_value ? hand_get(state.hand, state.hand_entities[i], 0, 0) != NULL
                            : hand_find(state.hand, state.hand_entities[i]) != NULL;
        }
    }
    double time_ns = bench_now() - begin;
    if (yes != passes * state.count)
        bench_wrong(run, "by hand entities died or lost their component");
    return time_ns / passes / state.count;
}

static double are_alive_by_hand(bench_run_t *run) { return ask_by_hand(run, false); }
static double have_by_hand(bench_run_t *run) { return ask_by_hand(run, true); }

#define ENTITIES(name_, row_, about_, goal_, set_up_, ours_, limit_, limit_is_, size_, others_)  \
    {                                                                                            \
        .name = "entities/" name_, .row = row_, .unit = "ns/entity", .about = about_,            \
        .limit_is = limit_is_, .goal_kind = GOAL_AT_MOST, .goal = goal_, .setup = set_up_,       \
        .ours = ours_, .limit = limit_, .teardown = tear_down, .size = size_, .variant = others_ \
    }

const bench_t bench_entities[] = {
    ENTITIES("create", "1", "a new entity and two adds, memory warm", 20, set_up_new, create,
        create_by_hand, "a row with both values at once, and a record", MANY, 0),
    { .name = "entities/describe",
        .row = "",
        .unit = "ns/entity",
        .about = "a new entity from a descriptor of two values, memory warm",
        .limit_is = "a row with both values at once, and a record",
        .setup = set_up_new,
        .ours = describe,
        .limit = create_by_hand,
        .teardown = tear_down,
        .size = MANY },
    ENTITIES("create_bulk", "2", "1 000 000 new entities with two values in one call", 2.5,
        set_up_new, create_bulk, copy_by_hand, "copying two columns and the entities", MANY, 0),
    ENTITIES("delete", "3", "deleting 1 000 000 with four components, in order", 12, set_up,
        delete_all, delete_by_hand, "closing a row of known columns", MANY, 4),
    ENTITIES("delete_random", "3", "deleting 1 000 000 with four components, random", 60,
        set_up_random, delete_all, delete_by_hand, "closing a row of known columns", MANY, 4),
    ENTITIES("add_remove", "4", "adding or removing a component, one other", 8, set_up,
        add_and_remove, move_by_hand_1, "moving a row between two known tables", MANY, 1),
    ENTITIES("add_remove_tag", "4", "adding or removing a tag, one other", 8, set_up_tag,
        add_and_remove, move_by_hand_tag, "moving a row between two known tables", MANY, 1),
    ENTITIES("add_remove_pair", "4", "adding or removing a pair of tags, one other", 8, set_up_pair,
        add_and_remove, move_by_hand_tag, "moving a row between two known tables", MANY, 1),
    ENTITIES("add_remove_instance", "4", "adding or removing a tag of instances, one other", 8,
        set_up_instances, add_and_remove, move_by_hand_tag, "moving a row between two known tables",
        MANY, 1),
    { .name = "entities/add_remove_named",
        .row = "",
        .unit = "ns/entity",
        .about = "adding or removing a tag of 10 000 with names, one other",
        .limit_is = "moving a row between two known tables",
        .setup = set_up_named,
        .ours = add_and_remove,
        .limit = move_by_hand_tag,
        .teardown = tear_down,
        .size = SOME,
        .variant = 1 },
    { .name = "entities/add_remove_state",
        .row = "",
        .unit = "ns/entity",
        .about = "adding or removing a tag of 10 000 with a union pair, one other",
        .limit_is = "moving a row between two known tables",
        .setup = set_up_states,
        .ours = add_and_remove,
        .limit = move_by_hand_tag,
        .teardown = tear_down,
        .size = SOME,
        .variant = 1 },
    ENTITIES("add_remove_4", "4", "adding or removing a component, four others", 11, set_up,
        add_and_remove, move_by_hand_4, "moving a row between two known tables", MANY, 4),
    ENTITIES("add_remove_random", "5", "adding or removing a component, four others, random", 35,
        set_up_random, add_and_remove, move_by_hand_4, "moving a row between two known tables",
        MANY, 4),
    ENTITIES("get", "6", "reading a component of 10 000, random", 2, set_up_random, get_all,
        get_by_hand, "record, then a known column", SOME, 1),
    ENTITIES("get_many", "6", "reading a component of 1 000 000, random", 12, set_up_random,
        get_all, get_by_hand, "record, then a known column", MANY, 1),
    ENTITIES("set", "7", "writing a component of 10 000, random", 3.5, set_up_random, set_all,
        set_by_hand, "record, then a known column", SOME, 1),
    ENTITIES("set_many", "7", "writing a component of 1 000 000, random", 14, set_up_random,
        set_all, set_by_hand, "record, then a known column", MANY, 1),
    { .name = "entities/has",
        .row = "",
        .unit = "ns/entity",
        .about = "asking whether one of 10 000 has a component, random",
        .limit_is = "record, then a known column",
        .setup = set_up_random,
        .ours = has_all,
        .limit = have_by_hand,
        .teardown = tear_down,
        .size = SOME,
        .variant = 1 },
    ENTITIES("alive", "8", "asking whether one of 1 000 000 is alive, random", 5, set_up_random,
        are_alive, are_alive_by_hand, "comparing generations", MANY, 1),
    { 0 },
};
