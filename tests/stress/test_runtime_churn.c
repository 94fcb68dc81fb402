// SPDX-License-Identifier: MIT
// Ticks while everything changes: entities, tables, systems, workers, order. Checks invariants
// between ticks, and in the end that a world which changed workers and orders all the time equals
// one that had a single worker.
#include "support/world.h"

#include "support/check.h"
#include "support/random.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Health {
    int32_t points;
} Health;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Health);
static ecs_entity_t Tags[6], Linked;

#define SYSTEMS 12
#define TICKS 60

static void Wander(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        uint64_t random = ecs_iter_random(it, i);
        ecs_entity_t tag = Tags[random % 6];
        p[i].x += (float)(random & 15);
        if ((random >> 8 & 15) == 0) ecs_add_id(it->world, it->entities[i], tag);
        if ((random >> 8 & 15) == 1) ecs_remove_id(it->world, it->entities[i], tag);
        if ((random >> 8 & 31) == 2)
            ecs_set(it->world, it->entities[i], Health, { (int32_t)(random >> 60) });
    }
}

static void Suffer(ecs_iter_t *it) {
    Health *health = ecs_field(it, Health, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (--health[i].points > 0) continue;
        if (ecs_iter_random(it, i) % 3) {
            ecs_delete(it->world, it->entities[i]);
            continue;
        }
        ecs_remove(it->world, it->entities[i], Health);
        ecs_entity_t e = ecs_new(it->world);
        ecs_set(it->world, e, Position, { 0, 0 });
        ecs_add_pair(it->world, e, Linked, it->entities[i]);
    }
}

static void Breed(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        if (ecs_iter_random(it, i) % 40) continue;
        for (int32_t c = 0; c < 2; c++) {
            ecs_entity_t e = ecs_new_w_id(it->world, Tags[(uint32_t)c]);
            ecs_set(it->world, e, Position, { (float)c, (float)i });
        }
    }
}

static void Unlink(ecs_iter_t *it) {
    ecs_entity_t target = ecs_pair_second(it->world, ecs_field_id(it, 0));
    for (int32_t i = 0; i < it->count; i++) {
        if (ecs_iter_random(it, i) & 1) ecs_remove_pair(it->world, it->entities[i], Linked, target);
    }
}

static ecs_entity_t add_system(ecs_world_t *world, random_t *random) {
    const struct {
        const char *expr;
        ecs_iter_action_t callback;
    } kinds[] = { { "Position", Wander }, { "Health", Suffer }, { "Position, !Health", Breed },
        { "(Linked, *)", Unlink }, { "Position, [out] Health()", Wander },
        { "Health, [in] Position", Suffer } };
    int32_t kind = random_below(random, 6), threads = random_below(random, 8);
    const ecs_entity_t phases[] = { EcsPreUpdate, EcsOnUpdate, EcsPostUpdate };
    ecs_entity_t system = ecs_system(world, { .query.expr = kinds[kind].expr,
                                                .callback = kinds[kind].callback,
                                                .phase = phases[random_below(random, 3)],
                                                .multi_threaded = threads > 1,
                                                .any_thread = threads == 1 });
    assert_true(system != 0);
    return system;
}

static ecs_world_t *make_world(void) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = ecs_id(Health) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Health);
    for (int32_t i = 0; i < 6; i++) Tags[i] = ecs_new(world);
    Linked = ecs_entity(world, { .name = "Linked" });
    for (int32_t i = 0; i < 500; i++) ecs_insert(world, ecs_value(Position, { (float)i, 0 }));
    return world;
}

// The same changes in each run; `restless` also changes workers and orders, from a source of its
// own.
static uint64_t run(uint64_t seed, bool restless) {
    random_t random = random_init(seed), mood = random_init(seed ^ 1);
    ecs_world_t *world = make_world();
    ecs_entity_t systems[SYSTEMS] = { 0 };
    ecs_set_seed(world, seed);
    for (int32_t tick = 0; tick < TICKS; tick++) {
        int32_t slot = random_below(&random, SYSTEMS);
        if (systems[slot] && random_below(&random, 2)) {
            ecs_enable(world, systems[slot], random_below(&random, 2));
        } else {
            if (systems[slot]) ecs_delete(world, systems[slot]);
            systems[slot] = add_system(world, &random);
        }
        if (restless) {
            ecs_set_threads(world, 1 + random_below(&mood, 9));
            ecs_set_schedule_seed(world, random_next(&mood) & 3);
        }
        ecs_progress(world, 1);
        if (ecs_count(world, Position) > 2000) ecs_delete_with(world, Tags[0]);
        if (tick % 10 == 0) assert_true(ecs_world_verify(world));
    }
    assert_true(ecs_world_verify(world));
    uint64_t hash = ecs_world_hash(world);
    ecs_fini(world);
    return hash;
}

static void restless_worlds_end_like_quiet_ones(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (uint64_t i = 0; i < 6; i++) assert_hash_equal(run(seed + i, true), run(seed + i, false));
}

static void Leave(ecs_iter_t *it) { ecs_quit(it->world); }

// Worlds that end right after, or without, a tick; several at a time.
static void worlds_may_end_at_any_moment(void **state) {
    (void)state;
    random_t random = random_init(3);
    for (int32_t round = 0; round < 15; round++) {
        ecs_world_t *worlds[3];
        for (int32_t i = 0; i < 3; i++) {
            worlds[i] = make_world();
            ecs_set_threads(worlds[i], 1 + random_below(&random, 6));
            for (int32_t s = 0; s < 4; s++) add_system(worlds[i], &random);
            ecs_system(worlds[i], { .query.expr = "Position",
                                      .phase = EcsOnUpdate,
                                      .callback = Leave,
                                      .multi_threaded = true });
        }
        for (int32_t i = 0; i < 3; i++) {
            if ((round + i) % 3 == 0) continue;
            assert_false(ecs_progress(worlds[i], 1));
        }
        for (int32_t i = 0; i < 3; i++) ecs_fini(worlds[(i + round) % 3]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restless_worlds_end_like_quiet_ones),
        cmocka_unit_test(worlds_may_end_at_any_moment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
