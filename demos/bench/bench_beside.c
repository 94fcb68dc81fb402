// SPDX-License-Identifier: MIT
// bench_beside: rows of tables that are asked for what entities have beside them: tags, states and components in sets by entity.
#include "bench.h"
#include "scene.h"

#include <stdlib.h>

enum { ENTITIES = 100000, TABLES = 10, STATES = 8, PASSES = 5 };

/** Whose rows a query asks for. */
typedef enum { FEW_OUT, FEW_IN, ONE_STATE, HALF_MAYBE, HOLDERS, TARGETS } asked_t;

typedef struct {
    ecs_world_t *world;
    ecs_query_t *query;
    int32_t count;
    int32_t *places;     // by hand: place in a set of holders by entity, 0: none; or its state
    ecs_entity_t *hand;  // entities, in the order of their rows
    Position *positions; // theirs
    ecs_entity_t *set;   // holders, one behind the other
    int32_t set_count;
} beside_t;

// Every tenth is frozen, every eighth is in each state, every other has a shield.
static int32_t share_of(const bench_run_t *run) {
    static const int32_t shares[] = { 10, 10, STATES, 2, 10, 1 };
    return shares[run->bench->variant];
}

static bool is_holder(const bench_run_t *run, int32_t i) { return i % share_of(run) == 0; }

static bool is_found(const bench_run_t *run, int32_t i) {
    const asked_t asked = (asked_t)run->bench->variant;
    return asked == HALF_MAYBE || is_holder(run, i) == (asked != FEW_OUT);
}

static void add_ids(ecs_world_t *world, ecs_entity_t e, int32_t i, const ecs_entity_t *kinds,
    const ecs_entity_t *states) {
    if (i % 10 == 0) ecs_add_id(world, e, kinds[0]);
    ecs_add_pair(world, e, kinds[1], states[i % STATES]);
    if (i % 2 == 0) ecs_add_id(world, e, kinds[2]);
}

static void set_up(bench_run_t *run) {
    static const char *const exprs[] = { "Position, !Frozen", "Position, Frozen",
        "Position, (State, S0)", "Position, ?Shield", "Frozen", "State($this, $state)" };
    beside_t *state = run->state = bench_array(1, sizeof *state);
    ecs_world_t *world = state->world = scene_world();
    state->count = bench_scale(run, ENTITIES);
    ecs_entity_t kinds[] = { ecs_entity(world, { .name = "Frozen" }),
        ecs_entity(world, { .name = "State" }), ecs_entity(world, { .name = "Shield" }) };
    ecs_add_id(world, kinds[0], EcsDontFragment);
    ecs_add_id(world, kinds[1], EcsUnion);
    ecs_add_id(world, kinds[2], EcsDontFragment);
    ecs_entity_t states[STATES], tables[TABLES];
    for (int32_t s = 0; s < STATES; s++)
        states[s] = ecs_entity(world, { .name = (char[]){ 'S', (char)('0' + s), 0 } });
    for (int32_t t = 0; t < TABLES; t++) tables[t] = ecs_new(world);
    state->hand = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    state->positions = bench_array((size_t)state->count, sizeof(Position));
    for (int32_t i = 0; i < state->count; i++) {
        ecs_entity_t e = state->hand[i] = ecs_new_w(world, Position);
        ecs_add_id(world, e, tables[(int64_t)i * TABLES / state->count]);
        add_ids(world, e, i, kinds, states);
    }
    const uint32_t last = (uint32_t)state->hand[state->count - 1];
    state->places = bench_array((size_t)last + 1, sizeof(int32_t));
    state->set = bench_array((size_t)state->count, sizeof(ecs_entity_t));
    for (int32_t i = 0; i < state->count; i++) {
        state->places[(uint32_t)state->hand[i]] = is_holder(run, i) ? i + 1 : 0;
        if (is_holder(run, i)) state->set[state->set_count++] = state->hand[i];
    }
    state->query =
        ecs_query(world, { .expr = exprs[run->bench->variant], .cache_kind = EcsQueryCacheAuto });
}

static void tear_down(bench_run_t *run) {
    beside_t *state = run->state;
    double sum = 0, by_hand = 0;
    ecs_iter_t it = ecs_each(state->world, Position);
    while (ecs_each_next(&it)) {
        const Position *positions = ecs_field(&it, Position, 0);
        for (int32_t i = 0; i < it.count; i++) sum += (double)positions[i].x;
    }
    for (int32_t i = 0; i < state->count; i++) by_hand += (double)state->positions[i].x;
    if (sum != by_hand) bench_wrong(run, "entities are at %g together, not %g", sum, by_hand);
    ecs_query_fini(state->query);
    ecs_fini(state->world);
    free(state->hand);
    free(state->positions);
    free(state->places);
    free(state->set);
    free(state);
}

static double check(bench_run_t *run, double time_ns, int64_t found) {
    const beside_t *state = run->state;
    int64_t expected = 0;
    for (int32_t i = 0; i < state->count; i++) expected += PASSES * is_found(run, i);
    if (found != expected) bench_wrong(run, "%d of %d rows", (int)found, (int)expected);
    return time_ns / ((double)PASSES * state->count);
}

static double ask(bench_run_t *run) {
    const beside_t *state = run->state;
    int64_t found = 0;
    double start = bench_now();
    for (int32_t pass = 0; pass < PASSES; pass++) {
        ecs_iter_t it = ecs_query_iter(state->world, state->query);
        while (ecs_query_next(&it)) {
            Position *positions = ecs_field(&it, Position, 0);
            float step = ecs_field_is_set(&it, 1) ? 2 : 1;
            for (int32_t i = 0; i < it.count; i++) positions[i].x += step;
            found += it.count;
        }
    }
    return check(run, bench_now() - start, found);
}

// Sets by entity as everybody writes them: an array says where an entity is among the holders.
static double ask_by_hand(bench_run_t *run) {
    beside_t *state = run->state;
    const asked_t asked = (asked_t)run->bench->variant;
    int64_t found = 0;
    double start = bench_now();
    for (int32_t pass = 0; pass < PASSES; pass++) {
        for (int32_t i = 0; i < state->count; i++) {
            const bool has = state->places[(uint32_t)state->hand[i]];
            if (asked != HALF_MAYBE && has == (asked == FEW_OUT)) continue;
            state->positions[i].x += has ? 2 : 1;
            bench_keep(i); // the result is handed out
            found++;
        }
    }
    return check(run, bench_now() - start, found);
}

static double walk(bench_run_t *run) {
    const beside_t *state = run->state;
    int64_t found = 0;
    ecs_entity_t sum = 0;
    double start = bench_now();
    for (int32_t pass = 0; pass < PASSES; pass++) {
        ecs_iter_t it = ecs_query_iter(state->world, state->query);
        while (ecs_query_next(&it)) {
            for (int32_t i = 0; i < it.count; i++) sum += it.entities[i];
            found += it.count;
        }
    }
    const double time_ns = bench_now() - start;
    for (int32_t i = 0; i < state->set_count; i++) sum -= PASSES * state->set[i];
    if (sum) bench_wrong(run, "others were found than those who have it");
    check(run, time_ns, found);
    return time_ns / (double)found;
}

static double walk_by_hand(bench_run_t *run) {
    const beside_t *state = run->state;
    double start = bench_now();
    for (int32_t pass = 0; pass < PASSES; pass++) {
        for (int32_t i = 0; i < state->set_count; i++)
            bench_keep(state->places[(uint32_t)state->set[i]]);
    }
    return (bench_now() - start) / ((double)PASSES * state->set_count);
}

#define WALK(name_, about_, asked_)                                               \
    {                                                                             \
        .name = "beside/" name_, .unit = "ns/holder", .row = "", .about = about_, \
        .limit_is = "a set, and where each is", .setup = set_up, .ours = walk,    \
        .limit = walk_by_hand, .teardown = tear_down, .variant = asked_           \
    }

#define BESIDE(name_, about_, goal_, asked_)                                    \
    {                                                                           \
        .name = "beside/" name_, .unit = "ns/row", .row = "", .about = about_,  \
        .limit_is = "an array by entity that says where it is in the set",      \
        .goal_kind = GOAL_AT_MOST, .goal = goal_, .setup = set_up, .ours = ask, \
        .limit = ask_by_hand, .teardown = tear_down, .variant = asked_          \
    }

const bench_t bench_beside[] = {
    BESIDE("without",
        "a cached query leaves out the tenth of 100 000 rows with a tag beside tables", 20,
        FEW_OUT),
    BESIDE("with", "it finds that tenth", 10, FEW_IN),
    BESIDE("state", "it finds the eighth with one target of a union", 10, ONE_STATE),
    BESIDE("maybe", "all rows, with a tag beside tables that is optional", 20, HALF_MAYBE),
    WALK("holders", "all who have a tag beside tables, and nothing else is asked for", HOLDERS),
    WALK("targets", "all with the target of their union, which a variable takes", TARGETS),
    { 0 },
};
