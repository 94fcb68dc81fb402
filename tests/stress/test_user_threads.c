// SPDX-License-Identifier: MIT
// Threads of the user read a readonly world and record on stages of their own, side by side.
//
// They iterate the same queries, cached or not, get values, look names up and record changes. What merges leave behind must be what one
// thread leaves that does all shares one after the other.
#include "support/world.h"

#include <pthread.h>

typedef struct Position {
    int64_t x;
} Position;
typedef struct Speed {
    int64_t value;
} Speed;
typedef struct Thin {
    int64_t value;
} Thin;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Speed);
static ECS_COMPONENT_DECLARE(Thin);

enum { THREADS = 6, ROUNDS = 8, ENTITIES = 600, QUERIES = 8 };

static ecs_entity_t Likes, Marked, Base, entities[ENTITIES];
static ecs_query_t *queries[QUERIES * 2];

typedef struct share_t {
    ecs_world_t *stage;
    int index;
    uint64_t sum;
} share_t;

static void make_world(ecs_world_t *world) {
    static const char *const texts[QUERIES] = { "Position, ?Speed", "Position(up ChildOf)",
        "Position, (Likes, *)", "Speed, !Marked", "Thin, Position",
        "Position, (Likes, $x), Speed($x)", "(IsA, Base), Speed", "Position(cascade ChildOf)" };
    ecs_id(Position) = ecs_id(Speed) = ecs_id(Thin) = Marked = Likes = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Speed);
    ECS_COMPONENT_DEFINE(world, Thin);
    ecs_add_id(world, ecs_id(Thin), EcsDontFragment);
    Likes = ecs_entity(world, { .name = "Likes" });
    Marked = ecs_entity(world, { .name = "Marked" });
    Base = ecs_entity(world, { .name = "Base", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, Base, Speed, { 3 });
    for (int i = 0; i < ENTITIES; i++) {
        char name[16];
        snprintf(name, sizeof name, "e%d", i);
        entities[i] = ecs_entity(world, { .name = name });
        ecs_set(world, entities[i], Position, { i });
        if (i % 2) ecs_set(world, entities[i], Speed, { i * 3 });
        if (i % 3 == 0) ecs_set(world, entities[i], Thin, { i * 5 });
        if (i > 9) ecs_add_pair(world, entities[i], EcsChildOf, entities[i % 10]);
        if (i % 5 == 0) ecs_add_pair(world, entities[i], Likes, entities[i / 2]);
        if (i % 7 == 0) ecs_add_pair(world, entities[i], EcsIsA, Base);
    }
    for (int i = 0; i < QUERIES * 2; i++) {
        queries[i] = ecs_query(world,
            { .expr = texts[i / 2], .cache_kind = i % 2 ? EcsQueryCacheAuto : EcsQueryCacheNone });
        assert_non_null(queries[i]);
    }
}

static uint64_t sum_of(const ecs_world_t *stage, const ecs_query_t *query) {
    uint64_t sum = 0;
    ecs_iter_t it = ecs_query_iter(stage, query);
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            const Position *position = ecs_get(stage, it.entities[i], Position);
            const Speed *speed = ecs_get(stage, it.entities[i], Speed);
            sum += (uint64_t)((position ? position->x : 1) + (speed ? speed->value : 2));
            const ecs_record_t *where = ecs_record_find(stage, it.entities[i]);
            sum += where->table != it.table || ECS_RECORD_TO_ROW(where->row) != it.offset + i;
        }
    }
    return sum;
}

static bool record(ecs_world_t *stage, int e, int64_t sum) {
    char name[16];
    snprintf(name, sizeof name, "e%d", e);
    ecs_set(stage, entities[e], Speed, { sum % 1000 + e });
    if (sum % 3) ecs_add_id(stage, entities[e], Marked);
    if (sum % 3 == 0) ecs_remove_id(stage, entities[e], Marked);
    ecs_set(stage, entities[e], Thin, { sum % 77 });
    return ecs_lookup(stage, name) == (e < 10 ? entities[e] : 0);
}

static void *work(void *ctx) {
    share_t *share = ctx;
    share->sum = 0;
    for (int q = 0; q < QUERIES * 2; q++)
        share->sum =
            share->sum * 31 + sum_of(share->stage, queries[(q + share->index * 2) % (QUERIES * 2)]);
    const int64_t seen = (int64_t)(share->sum % 100000);
    for (int e = share->index; e < ENTITIES; e += THREADS)
        share->sum += record(share->stage, e, seen);
    return NULL;
}

static void run_shares(share_t *shares, void *(*run)(void *), bool side_by_side) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        if (!side_by_side)
            run(&shares[i]);
        else
            assert_int_equal(pthread_create(&threads[i], NULL, run, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS && side_by_side; i++) pthread_join(threads[i], NULL);
}

static uint64_t end_of(ecs_world_t *world, bool side_by_side, bool own_stages) {
    share_t shares[THREADS];
    uint64_t end = 0;
    make_world(world);
    if (!own_stages) ecs_set_stage_count(world, THREADS);
    for (int i = 0; i < THREADS; i++)
        shares[i] = (share_t){ own_stages ? ecs_stage_new(world) : ecs_get_stage(world, i), i, 0 };
    for (int round = 0; round < ROUNDS; round++) {
        ecs_readonly_begin(world, true);
        run_shares(shares, work, side_by_side);
        ecs_readonly_end(world);
        for (int i = 0; i < THREADS && own_stages; i++) ecs_merge(shares[i].stage);
        for (int i = 0; i < THREADS; i++) end = end * 31 + shares[i].sum;
        assert_true(ecs_world_verify(world));
    }
    for (int i = 0; i < THREADS && own_stages; i++) ecs_stage_free(shares[i].stage);
    for (int i = 0; i < QUERIES * 2; i++) {
        end = end * 31 + sum_of(world, queries[i]);
        ecs_query_fini(queries[i]);
    }
    return end * 31 + (uint64_t)ecs_count(world, Thin);
}

static void threads_of_the_user_read_and_record_side_by_side(void **state) {
    (void)state;
    uint64_t ends[4];
    for (int i = 0; i < 4; i++) {
        ecs_world_t *world = ecs_init();
        ends[i] = end_of(world, i % 2, i / 2);
        ecs_fini(world);
    }
    for (int i = 1; i < 4; i++) assert_true(ends[0] == ends[i]);
}

static ecs_entity_t Walk;

static void walk(ecs_iter_t *it) {
    Position *positions = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        positions[i].x += (int64_t)(ecs_iter_random(it, i) % 8 + ecs_iter_random(it, i) % 4);
        if (positions[i].x % 3) ecs_set(it->world, it->entities[i], Speed, { positions[i].x });
    }
}

static void *run_share(void *ctx) {
    const share_t *share = ctx;
    ecs_run_worker(share->stage, Walk, share->index, THREADS, 1, NULL);
    return NULL;
}

// THR-07: threads of the user run shares of one system by hand, also with random numbers.
static void threads_of_the_user_run_shares_of_a_system(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int side_by_side = 0; side_by_side < 2; side_by_side++) {
        ecs_world_t *world = ecs_init();
        share_t shares[THREADS];
        ecs_id(Position) = ecs_id(Speed) = 0;
        ECS_COMPONENT_DEFINE(world, Position);
        ECS_COMPONENT_DEFINE(world, Speed);
        ecs_bulk_new(world, Position, ENTITIES);
        Walk = ecs_system(
            world, { .query.expr = "Position", .callback = walk, .multi_threaded = true });
        ecs_set_stage_count(world, THREADS);
        for (int i = 0; i < THREADS; i++) shares[i] = (share_t){ ecs_get_stage(world, i), i, 0 };
        for (int round = 0; round < ROUNDS; round++) {
            ecs_readonly_begin(world, true);
            run_shares(shares, run_share, side_by_side);
            ecs_readonly_end(world);
        }
        hashes[side_by_side] = ecs_world_hash(world);
        ecs_fini(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_of_the_user_read_and_record_side_by_side),
        cmocka_unit_test(threads_of_the_user_run_shares_of_a_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
