// SPDX-License-Identifier: MIT
// bench_commands: changes that are recorded and applied later.
#include "bench.h"
#include "by_hand.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { MERGED = 1000000, RECORDED = 100000 };

// What was recorded by hand, in order.
typedef struct {
    hand_entity_t entity;
    Position value;
} hand_command_t;

typedef struct {
    ecs_world_t *world;
    ecs_entity_t *entities;
    int32_t count;
    float value;                   // last one that was set
    ecs_entity_t is_in, states[2]; // a relationship, and its targets in turn
    int32_t turn;
    ecs_id_t pair; // that new ones begin with, or 0
    hand_t
        *hand; // the same once more: with a Position in table 0, with Velocity as well in table 1
    hand_entity_t *hand_entities;
    hand_command_t *recorded;
    int32_t recorded_count, recorded_room;
} commands_t;

static void fill_by_hand(commands_t *state) {
    for (int32_t i = 0; i < state->count; i++)
        state->hand_entities[i] = hand_new(state->hand, 0, 1);
}

static void set_up(bench_run_t *run) {
    commands_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    state->count = bench_scale(run, (int32_t)run->bench->size);
    size_t bytes = (size_t)state->count * sizeof(ecs_entity_t);
    state->entities = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    memcpy(state->entities, ecs_bulk_new(state->world, Position, state->count), bytes);
    state->hand = hand_create(1, 2);
    state->hand_entities = bench_array((size_t)state->count, sizeof(hand_entity_t));
    fill_by_hand(state);
}

static void set_up_states(bench_run_t *run, ecs_id_t trait) {
    set_up(run);
    commands_t *state = run->state;
    state->is_in = ecs_new(state->world);
    ecs_add_id(state->world, state->is_in, trait);
    for (int i = 0; i < 2; i++) state->states[i] = ecs_new(state->world);
    for (int32_t i = 0; i < state->count; i++)
        ecs_add_pair(state->world, state->entities[i], state->is_in, state->states[0]);
}

static void set_up_exclusive(bench_run_t *run) { set_up_states(run, EcsExclusive); }
static void set_up_union(bench_run_t *run) { set_up_states(run, EcsUnion); }

// All have both components.
static void set_up_both(bench_run_t *run) {
    set_up(run);
    commands_t *state = run->state;
    hand_clear(state->hand, 0);
    for (int32_t i = 0; i < state->count; i++) {
        ecs_add(state->world, state->entities[i], Velocity);
        state->hand_entities[i] = hand_new(state->hand, 1, 2);
    }
}

static void set_up_base(bench_run_t *run) {
    set_up(run);
    commands_t *state = run->state;
    ecs_entity_t base = ecs_new_w_id(state->world, EcsPrefab);
    ecs_set(state->world, base, Position, { 1, 2 });
    state->pair = ecs_isa(base);
}

static void set_up_parent(bench_run_t *run) {
    set_up(run);
    commands_t *state = run->state;
    state->pair = ecs_childof(ecs_new(state->world));
}

static void tear_down(bench_run_t *run) {
    commands_t *state = run->state;
    ecs_fini(state->world);
    free(state->entities);
    hand_free(state->hand);
    free(state->hand_entities);
    free(state->recorded);
    free(state);
}

static void expect(bench_run_t *run, ecs_id_t id, int32_t count) {
    const commands_t *state = run->state;
    int32_t found = ecs_count_id(state->world, id);
    if (found != count) {
        bench_wrong(run, "%d entities have the component instead of %d", (int)found, (int)count);
    }
}

static void expect_value(bench_run_t *run, ecs_id_t id) {
    const commands_t *state = run->state;
    for (int32_t i = 0; i < state->count; i++) {
        const Position *p = ecs_get_id(state->world, state->entities[i], id); // or Velocity
        if (!p || p->x != state->value) {
            bench_wrong(run, "a value that was recorded is not there");
            return;
        }
    }
}

// For loops: what is read through a pointer would be read again after each call.
static inline commands_t copy_of(const bench_run_t *run) { return *(const commands_t *)run->state; }

static inline commands_t next_value(bench_run_t *run) {
    ((commands_t *)run->state)->value++;
    return copy_of(run);
}

// Leaves the entities in their order, with Position alone.
static void undo(const commands_t *state) { ecs_remove_all(state->world, ecs_id(Velocity)); }

// ---- One large merge ----

static double merge_adds(bench_run_t *run) {
    const commands_t state = copy_of(run);
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) ecs_add(state.world, state.entities[i], Velocity);
    double start = bench_now();
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state.count);
    undo(run->state);
    return time_ns / state.count;
}

static double add_at_once(bench_run_t *run) {
    const commands_t state = copy_of(run);
    double start = bench_now();
    for (int32_t i = 0; i < state.count; i++) ecs_add(state.world, state.entities[i], Velocity);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state.count);
    undo(run->state);
    return time_ns / state.count;
}

// What must happen at least: a column and the entities move, another column is cleared, and each
// entity learns its new place.
static double move_by_hand(bench_run_t *run) {
    const commands_t *state = run->state;
    size_t count = (size_t)state->count;
    uint64_t *from = bench_array(2 * count, sizeof(uint64_t));
    uint64_t *to = bench_array(3 * count, sizeof(uint64_t));
    uint64_t *places = bench_array(2 * count, sizeof(uint64_t));
    double start = bench_now();
    memcpy(to, from, 2 * count * sizeof *to);
    memset(to + 2 * count, 0, count * sizeof *to);
    for (size_t i = 0; i < count; i++) {
        places[2 * i] = (uint64_t)(uintptr_t)to;
        places[2 * i + 1] = i;
    }
    bench_keep((int64_t)to[count] + (int64_t)places[count]);
    double time_ns = bench_now() - start;
    free(from);
    free(to);
    free(places);
    return time_ns / (double)count;
}

// ---- Recording and applying ----

static double add_later(bench_run_t *run) {
    const commands_t state = copy_of(run);
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) ecs_add(state.world, state.entities[i], Velocity);
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state.count);
    undo(run->state);
    return time_ns / state.count;
}

static double set_existing_later(bench_run_t *run) {
    const commands_t state = next_value(run);
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) {
        ecs_set(state.world, state.entities[i], Position, { state.value, 0 });
    }
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect_value(run, ecs_id(Position));
    return time_ns / state.count;
}

static double set_new_later(bench_run_t *run) {
    const commands_t state = next_value(run);
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) {
        ecs_set(state.world, state.entities[i], Velocity, { state.value, 0 });
    }
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect_value(run, ecs_id(Velocity));
    undo(run->state);
    return time_ns / state.count;
}

static void make_anew(const commands_t *state) {
    size_t bytes = (size_t)state->count * sizeof(ecs_entity_t);
    ecs_delete_with(state->world, ecs_id(Position));
    memcpy(state->entities, ecs_bulk_new(state->world, Position, state->count), bytes);
}

static double delete_later(bench_run_t *run) {
    const commands_t state = copy_of(run);
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) ecs_delete(state.world, state.entities[i]);
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Position), 0);
    make_anew(&state);
    return time_ns / state.count;
}

// What a system decides row by row: a part ends, a part changes, and nobody knows which is next.
static double choose_later(bench_run_t *run) {
    const commands_t state = copy_of(run);
    int32_t ended = 0;
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) {
        const bool ends = (uint32_t)i * 0x9E3779B1u >> 31;
        ended += ends;
        if (ends)
            ecs_delete(state.world, state.entities[i]);
        else
            ecs_add(state.world, state.entities[i], Velocity);
    }
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Position), state.count - ended);
    expect(run, ecs_id(Velocity), state.count - ended);
    make_anew(&state);
    return time_ns / state.count;
}

static double create_later(bench_run_t *run) {
    const commands_t state = next_value(run);
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) {
        ecs_entity_t entity =
            state.pair ? ecs_new_w_id(state.world, state.pair) : ecs_new(state.world);
        ecs_set(state.world, entity, Position, { state.value, 0 });
        ecs_set(state.world, entity, Velocity, { state.value, 0 });
    }
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state.count);
    ecs_delete_with(state.world, ecs_id(Velocity));
    return time_ns / state.count;
}

// By turns, as where each that ends leaves something behind.
static double replace_later(bench_run_t *run) {
    const commands_t state = next_value(run);
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++) {
        ecs_delete(state.world, state.entities[i]);
        ecs_entity_t entity = state.entities[i] = ecs_new(state.world);
        ecs_set(state.world, entity, Position, { state.value, 0 });
        ecs_set(state.world, entity, Velocity, { state.value, 0 });
    }
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Position), state.count);
    expect_value(run, ecs_id(Velocity));
    return time_ns / state.count;
}

// All of them: what a machine of states does that share a clock.
static double switch_later(bench_run_t *run) {
    commands_t *all = run->state;
    const ecs_entity_t next = all->states[all->turn ^= 1];
    const commands_t state = *all;
    double start = bench_now();
    ecs_defer_begin(state.world);
    for (int32_t i = 0; i < state.count; i++)
        ecs_add_pair(state.world, state.entities[i], state.is_in, next);
    ecs_defer_end(state.world);
    double time_ns = bench_now() - start;
    expect(run, ecs_pair(state.is_in, next), state.count);
    return time_ns / state.count;
}

// ---- By hand ----
// One kind of command at a time, so there is nothing to find out when they are applied.

static void grow_recorded(commands_t *state) {
    int32_t room = state->recorded_room ? 2 * state->recorded_room : 1024;
    hand_command_t *larger = bench_array((size_t)room, sizeof *larger);
    if (state->recorded)
        memcpy(larger, state->recorded, (size_t)state->recorded_room * sizeof *larger);
    free(state->recorded);
    state->recorded = larger;
    state->recorded_room = room;
}

static inline void record(commands_t *state, hand_entity_t entity, float value) {
    if (state->recorded_count == state->recorded_room) grow_recorded(state);
    state->recorded[state->recorded_count++] =
        (hand_command_t){ .entity = entity, .value = { value, 0 } };
}

static commands_t record_all(bench_run_t *run, float value) {
    commands_t *state = run->state;
    const hand_entity_t *entities = state->hand_entities;
    const int32_t count = state->count;
    state->recorded_count = 0;
    for (int32_t i = 0; i < count; i++) record(state, entities[i], value);
    return *state;
}

static void expect_by_hand(bench_run_t *run, uint32_t table, int32_t count, double sum) {
    const commands_t *state = run->state;
    const hand_table_t *found = &state->hand->tables[table];
    if (found->count != (uint32_t)count || hand_sum(found, (int32_t)table) != sum)
        bench_wrong(run, "what was recorded by hand is not there");
}

static double add_by_hand(bench_run_t *run, float value) {
    double begin = bench_now();
    const commands_t state = record_all(run, value);
    for (int32_t i = 0; i < state.recorded_count; i++) {
        const hand_command_t *command = &state.recorded[i];
        hand_move(state.hand, command->entity, 0, 1, 1, 2, command->value);
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 1, state.count, (double)value * state.count);
    for (int32_t i = 0; i < state.count; i++) {
        hand_move(state.hand, state.hand_entities[i], 1, 2, 0, 1, (Position){ 0, 0 });
    }
    return time_ns / state.count;
}

static double choose_by_hand(bench_run_t *run) {
    double begin = bench_now();
    const commands_t state = record_all(run, 0);
    int32_t ended = 0;
    for (int32_t i = 0; i < state.recorded_count; i++) {
        const hand_command_t *command = &state.recorded[i];
        const bool ends = (uint32_t)i * 0x9E3779B1u >> 31;
        ended += ends;
        if (ends)
            hand_delete(state.hand, command->entity, 0, 1);
        else
            hand_move(state.hand, command->entity, 0, 1, 1, 2, command->value);
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 1, state.count - ended, 0);
    hand_clear(state.hand, 1);
    fill_by_hand(run->state);
    return time_ns / state.count;
}

static double add_later_by_hand(bench_run_t *run) { return add_by_hand(run, 0); }
static double set_new_by_hand(bench_run_t *run) { return add_by_hand(run, 1); }

static double set_existing_by_hand(bench_run_t *run) {
    double begin = bench_now();
    const commands_t state = record_all(run, 1);
    for (int32_t i = 0; i < state.recorded_count; i++) {
        const hand_command_t *command = &state.recorded[i];
        Position *p = hand_get(state.hand, command->entity, 0, 0);
        if (p) *p = command->value;
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 0, state.count, state.count);
    return time_ns / state.count;
}

static double delete_by_hand(bench_run_t *run) {
    double begin = bench_now();
    const commands_t state = record_all(run, 0);
    for (int32_t i = 0; i < state.recorded_count; i++) {
        hand_delete(state.hand, state.recorded[i].entity, 0, 1);
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 0, 0, 0);
    fill_by_hand(run->state);
    return time_ns / state.count;
}

// Handles are given out when they are recorded, here by one thread: a row that waits is a row of the table.
static double create_by_hand(bench_run_t *run) {
    commands_t *state = run->state;
    double begin = bench_now();
    state->recorded_count = 0;
    for (int32_t i = 0; i < state->count; i++) {
        hand_entity_t entity = hand_new(state->hand, 1, 0);
        record(state, entity, 1);
        record(state, entity, 2);
    }
    for (int32_t i = 0; i < state->recorded_count; i++) {
        const hand_command_t *command = &state->recorded[i];
        Position *p = hand_get(state->hand, command->entity, 1, i % 2);
        if (p) *p = command->value;
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 1, state->count, 2.0 * state->count);
    hand_clear(state->hand, 1);
    return time_ns / state->count;
}

static double replace_by_hand(bench_run_t *run) {
    commands_t *state = run->state;
    double begin = bench_now();
    state->recorded_count = 0;
    for (int32_t i = 0; i < state->count; i++) {
        record(state, state->hand_entities[i], 0);
        hand_entity_t entity = state->hand_entities[i] = hand_new(state->hand, 1, 0);
        record(state, entity, 1);
        record(state, entity, 2);
    }
    for (int32_t i = 0; i < state->recorded_count; i += 3) {
        const hand_command_t *command = &state->recorded[i];
        hand_delete(state->hand, command->entity, 1, 2);
        for (int32_t c = 0; c < 2; c++) {
            Position *p = hand_get(state->hand, command[c + 1].entity, 1, c);
            if (p) *p = command[c + 1].value;
        }
    }
    double time_ns = bench_now() - begin;
    expect_by_hand(run, 1, state->count, 2.0 * state->count);
    return time_ns / state->count;
}

#define LATER(name_, row_, about_, goal_, ours_, limit_)                                         \
    {                                                                                            \
        .name = "commands/" name_, .row = row_, .unit = "ns/entity",                             \
        .about = about_ ", recording and applying 100 000", .goal_kind = GOAL_AT_MOST,           \
        .goal = goal_, .limit_is = "an array of entities and values, applied to known tables",   \
        .setup = set_up, .ours = ours_, .limit = limit_, .teardown = tear_down, .size = RECORDED \
    }

#define MAKING(name_, about_, setup_, ours_, limit_)                                             \
    {                                                                                            \
        .name = "commands/" name_, .row = "", .unit = "ns/entity",                               \
        .about = about_ ", recording and applying 100 000",                                      \
        .limit_is = "an array of entities and values, applied to known tables", .setup = setup_, \
        .ours = ours_, .limit = limit_, .teardown = tear_down, .size = RECORDED                  \
    }

#define SWITCHING(name_, about_, setup_, limit_)                                       \
    {                                                                                  \
        .name = "commands/" name_, .row = "", .unit = "ns/entity",                     \
        .about = about_ ", recording and applying 100 000",                            \
        .limit_is = "an array of entities, applied to a known table, or to an array",  \
        .setup = setup_, .ours = switch_later, .limit = limit_, .teardown = tear_down, \
        .size = RECORDED                                                               \
    }

const bench_t bench_commands[] = {
    { .name = "commands/merge_adds",
        .row = "",
        .unit = "ns/entity",
        .about = "applying 1 000 000 recorded adds of a component",
        .limit_is = "moving two columns, clearing one, noting the places",
        .base_is = "the same adds without deferring",
        .setup = set_up,
        .ours = merge_adds,
        .limit = move_by_hand,
        .base = add_at_once,
        .teardown = tear_down,
        .size = MERGED },
    LATER("add", "20", "adding a component", 9, add_later, add_later_by_hand),
    LATER("set_existing", "20", "setting a component that is there", 4, set_existing_later,
        set_existing_by_hand),
    LATER("set_new", "20", "setting a component that is not there", 14, set_new_later,
        set_new_by_hand),
    LATER("delete", "20", "deleting", 12, delete_later, delete_by_hand),
    LATER("create", "21", "a new entity with two values", 45, create_later, create_by_hand),
    MAKING("choose", "a half is deleted, a half gets a component, at random", set_up, choose_later,
        choose_by_hand),
    MAKING("replace", "one is deleted and one with two values made by turns", set_up_both,
        replace_later, replace_by_hand),
    MAKING("create_instance", "a new instance with two values, one its base has too", set_up_base,
        create_later, create_by_hand),
    MAKING(
        "create_child", "a new child with two values", set_up_parent, create_later, create_by_hand),
    SWITCHING("switch", "another target of an exclusive pair", set_up_exclusive, add_later_by_hand),
    SWITCHING("switch_union", "another target of a union", set_up_union, set_existing_by_hand),
    { 0 },
};
