// SPDX-License-Identifier: MIT
// bench_commands: changes that are recorded and applied later.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

enum { MERGED = 1000000, RECORDED = 100000 };

typedef struct {
    ecs_world_t *world;
    ecs_entity_t *entities;
    int32_t count;
    float value; // last one that was set
} commands_t;

static void set_up(bench_run_t *run) {
    commands_t *state = run->state = bench_array(1, sizeof *state);
    state->world = scene_world();
    state->count = bench_scale(run, (int32_t)run->bench->size);
    size_t bytes = (size_t)state->count * sizeof(ecs_entity_t);
    state->entities = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    memcpy(state->entities, ecs_bulk_new(state->world, Position, state->count), bytes);
}

static void tear_down(bench_run_t *run) {
    commands_t *state = run->state;
    ecs_fini(state->world);
    free(state->entities);
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

// Leaves the entities in their order, with Position alone.
static void undo(const commands_t *state) { ecs_remove_all(state->world, ecs_id(Velocity)); }

// ---- One large merge ----

static double merge_adds(bench_run_t *run) {
    const commands_t *state = run->state;
    ecs_defer_begin(state->world);
    for (int32_t i = 0; i < state->count; i++) ecs_add(state->world, state->entities[i], Velocity);
    double start = bench_now();
    ecs_defer_end(state->world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state->count);
    undo(state);
    return time_ns / state->count;
}

static double add_at_once(bench_run_t *run) {
    const commands_t *state = run->state;
    double start = bench_now();
    for (int32_t i = 0; i < state->count; i++) ecs_add(state->world, state->entities[i], Velocity);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state->count);
    undo(state);
    return time_ns / state->count;
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
    const commands_t *state = run->state;
    double start = bench_now();
    ecs_defer_begin(state->world);
    for (int32_t i = 0; i < state->count; i++) ecs_add(state->world, state->entities[i], Velocity);
    ecs_defer_end(state->world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state->count);
    undo(state);
    return time_ns / state->count;
}

static double set_existing_later(bench_run_t *run) {
    commands_t *state = run->state;
    state->value++;
    double start = bench_now();
    ecs_defer_begin(state->world);
    for (int32_t i = 0; i < state->count; i++) {
        ecs_set(state->world, state->entities[i], Position, { state->value, 0 });
    }
    ecs_defer_end(state->world);
    double time_ns = bench_now() - start;
    expect_value(run, ecs_id(Position));
    return time_ns / state->count;
}

static double set_new_later(bench_run_t *run) {
    commands_t *state = run->state;
    state->value++;
    double start = bench_now();
    ecs_defer_begin(state->world);
    for (int32_t i = 0; i < state->count; i++) {
        ecs_set(state->world, state->entities[i], Velocity, { state->value, 0 });
    }
    ecs_defer_end(state->world);
    double time_ns = bench_now() - start;
    expect_value(run, ecs_id(Velocity));
    undo(state);
    return time_ns / state->count;
}

static double delete_later(bench_run_t *run) {
    const commands_t *state = run->state;
    double start = bench_now();
    ecs_defer_begin(state->world);
    for (int32_t i = 0; i < state->count; i++) ecs_delete(state->world, state->entities[i]);
    ecs_defer_end(state->world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Position), 0);
    size_t bytes = (size_t)state->count * sizeof(ecs_entity_t);
    memcpy(state->entities, ecs_bulk_new(state->world, Position, state->count), bytes);
    return time_ns / state->count;
}

static double create_later(bench_run_t *run) {
    commands_t *state = run->state;
    state->value++;
    double start = bench_now();
    ecs_defer_begin(state->world);
    for (int32_t i = 0; i < state->count; i++) {
        ecs_entity_t entity = ecs_new(state->world);
        ecs_set(state->world, entity, Position, { state->value, 0 });
        ecs_set(state->world, entity, Velocity, { state->value, 0 });
    }
    ecs_defer_end(state->world);
    double time_ns = bench_now() - start;
    expect(run, ecs_id(Velocity), state->count);
    ecs_delete_with(state->world, ecs_id(Velocity));
    return time_ns / state->count;
}

#define LATER(name_, row_, about_, goal_, ours_)                                               \
    {                                                                                          \
        .name = "commands/" name_, .row = row_, .unit = "ns/entity",                           \
        .about = about_ ", recording and applying 100 000", .goal_kind = GOAL_AT_MOST,         \
        .goal = goal_, .setup = set_up, .ours = ours_, .teardown = tear_down, .size = RECORDED \
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
    LATER("add", "20", "adding a component", 9, add_later),
    LATER("set_existing", "20", "setting a component that is there", 4, set_existing_later),
    LATER("set_new", "20", "setting a component that is not there", 14, set_new_later),
    LATER("delete", "20", "deleting", 12, delete_later),
    LATER("create", "21", "a new entity with two values", 45, create_later),
    { 0 },
};
