// SPDX-License-Identifier: MIT
// Threads that only read search up long chains at the same time, and share what they found.
#include "support/world.h"

#include <pthread.h>

enum { THREADS = 4, LEVELS = 500, ROUNDS = 20 };

typedef struct Position {
    float x, y;
} Position;

static ECS_COMPONENT_DECLARE(Position);

static ecs_entity_t bases[LEVELS], children[LEVELS];

typedef struct reader_t {
    const ecs_world_t *world;
    ecs_query_t *query;
    ecs_entity_t root;
    int32_t wrong;
} reader_t;

static void *read_chains(void *arg) {
    reader_t *reader = arg;
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t found = 0;
        for (ecs_iter_t it = ecs_query_iter(reader->world, reader->query); ecs_query_next(&it);) {
            found += it.count;
            reader->wrong += ecs_field_src(&it, 0) != reader->root;
        }
        reader->wrong += found != LEVELS - 1;
        for (int32_t i = 1; i < LEVELS; i++)
            reader->wrong += ecs_get(reader->world, bases[i], Position)->x != 1;
    }
    return NULL;
}

static void make_chains(ecs_world_t *world) {
    ECS_COMPONENT_DEFINE(world, Position);
    bases[0] = ecs_insert(world, ecs_value(Position, { 1, 2 }));
    children[0] = ecs_insert(world, ecs_value(Position, { 3, 4 }));
    for (int32_t i = 1; i < LEVELS; i++) {
        bases[i] = ecs_new_w_pair(world, EcsIsA, bases[i - 1]);
        children[i] = ecs_new_w_pair(world, EcsChildOf, children[i - 1]);
    }
}

static void readers_find_the_same(void **state) {
    ecs_world_t *world = *state;
    pthread_t threads[THREADS];
    reader_t readers[THREADS];
    make_chains(world);
    ecs_query_t *query = ecs_query(
        world, { .terms = { { ecs_id(Position), .src.id = EcsUp, .trav = EcsChildOf } } });
    ecs_set_stage_count(world, THREADS);
    ecs_readonly_begin(world, true);
    for (int32_t i = 0; i < THREADS; i++) {
        readers[i] = (reader_t){ ecs_get_stage(world, i), query, children[0], 0 };
        pthread_create(&threads[i], NULL, read_chains, &readers[i]);
    }
    for (int32_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(readers[i].wrong, 0);
    }
    ecs_readonly_end(world);
}

int main(void) {
    const struct CMUnitTest tests[] = { mini_world_test(readers_find_the_same) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
