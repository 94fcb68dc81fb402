// SPDX-License-Identifier: MIT
// Observers against a naive model: what changed is the difference of two sets of ids, before and after, for changes made at once
// and for batches of commands.
#include "support/world.h"

#include "support/random.h"

enum { FOO, BAR, NODE, SIZE, PAIR_A, PAIR_B, ID_COUNT };
enum { ENTITY_COUNT = 20, STEPS = 40000 };

typedef struct counts_t {
    int added[ID_COUNT], removed[ID_COUNT]; /* one observer per id */
    int pairs_added, pairs_removed;         /* (Rel, *) */
    int foo_without_bar[2];                 /* Foo, !Bar: OnAdd, OnRemove */
    int both[2];                            /* monitor of Node, Size: enter, leave */
    int node_or_size[2];                    /* monitor of Foo, Node || Size */
} counts_t;

static counts_t seen, expected;
static ecs_id_t ids[ID_COUNT];
static random_t random_state;

static int next(int limit) { return random_below(&random_state, limit); }

static void count_side(ecs_iter_t *it) {
    int *sides = it->ctx;
    sides[it->event == EcsOnRemove] += it->count;
}
static void count_id(ecs_iter_t *it) {
    for (int i = 0; i < ID_COUNT; i++) {
        if (ids[i] == it->event_id)
            (it->event == EcsOnAdd ? seen.added : seen.removed)[i] += it->count;
    }
}
static void count_pair(ecs_iter_t *it) {
    *(it->event == EcsOnAdd ? &seen.pairs_added : &seen.pairs_removed) += it->count;
}

// ---- model ----

typedef bool (*matches_t)(unsigned mask);
static bool has(unsigned mask, int id) { return mask >> id & 1; }
static bool is_foo_without_bar(unsigned mask) { return has(mask, FOO) && !has(mask, BAR); }
static bool is_both(unsigned mask) { return has(mask, NODE) && has(mask, SIZE); }
static bool is_foo_and_one(unsigned mask) {
    return has(mask, FOO) && (has(mask, NODE) || has(mask, SIZE));
}

static void expect_monitor(int *sides, matches_t matches, unsigned before, unsigned after) {
    sides[0] += matches(after) && !matches(before);
    sides[1] += matches(before) && !matches(after);
}

static void expect_change(unsigned before, unsigned after, bool is_alive) {
    unsigned added = after & ~before, removed = before & ~after;
    for (int i = 0; i < ID_COUNT; i++) {
        expected.added[i] += has(added, i);
        expected.removed[i] += has(removed, i);
    }
    expected.pairs_added += has(added, PAIR_A) + has(added, PAIR_B);
    expected.pairs_removed += has(removed, PAIR_A) + has(removed, PAIR_B);
    bool enters = has(added, FOO) || (has(removed, BAR) && is_alive);
    bool leaves = has(removed, FOO) || has(added, BAR);
    expected.foo_without_bar[0] += enters && is_foo_without_bar(after);
    expected.foo_without_bar[1] += leaves && is_foo_without_bar(before);
    expect_monitor(expected.both, is_both, before, after);
    expect_monitor(expected.node_or_size, is_foo_and_one, before, after);
}

// ---- changes ----

static unsigned change(ecs_world_t *world, ecs_entity_t entity, unsigned mask) {
    int id = next(ID_COUNT);
    switch (next(8)) {
    case 0: ecs_clear(world, entity); return 0;
    case 1:
    case 2:
    case 3: ecs_remove_id(world, entity, ids[id]); return mask & ~(1u << id);
    case 4:
        ecs_set_id(world, entity, ids[NODE], sizeof(int), &(int){ next(100) });
        return mask | 1u << NODE;
    default: ecs_add_id(world, entity, ids[id]); return mask | 1u << id;
    }
}

static void observe(ecs_world_t *world) {
    ecs_entity_t both[2] = { EcsOnAdd, EcsOnRemove };
    for (int i = 0; i < ID_COUNT; i++) {
        ecs_observer(world, { .query.terms = { { .id = ids[i] } },
                                .events = { both[0], both[1] },
                                .callback = count_id });
    }
    ecs_observer(world,
        { .query.expr = "(Rel, *)", .events = { both[0], both[1] }, .callback = count_pair });
    ecs_observer(world, { .query.expr = "Foo, !Bar",
                            .events = { both[0], both[1] },
                            .callback = count_side,
                            .ctx = seen.foo_without_bar });
    ecs_observer(world, { .query.expr = "Node, Size",
                            .events = { EcsMonitor },
                            .callback = count_side,
                            .ctx = seen.both });
    ecs_observer(world, { .query.expr = "Foo, Node || Size",
                            .events = { EcsMonitor },
                            .callback = count_side,
                            .ctx = seen.node_or_size });
}

static void run(ecs_world_t *world, int batch) {
    memset(&seen, 0, sizeof seen);
    memset(&expected, 0, sizeof expected);
    random_state = random_init(random_seed());
    ECS_TAG(world, Foo);
    ECS_TAG(world, Bar);
    ECS_TAG(world, Rel);
    ids[FOO] = Foo;
    ids[BAR] = Bar;
    ids[NODE] = ecs_component(world,
        { .entity = ecs_entity(world, { .name = "Node" }), .type = { .size = 4, .alignment = 4 } });
    ids[SIZE] = ecs_component(world,
        { .entity = ecs_entity(world, { .name = "Size" }), .type = { .size = 4, .alignment = 4 } });
    ids[PAIR_A] = ecs_pair(Rel, ecs_new(world));
    ids[PAIR_B] = ecs_pair(Rel, ecs_new(world));
    observe(world);
    ecs_entity_t entities[ENTITY_COUNT];
    unsigned masks[ENTITY_COUNT] = { 0 };
    for (int i = 0; i < ENTITY_COUNT; i++) entities[i] = ecs_new(world);
    for (int step = 0; step < STEPS; step++) {
        int e = next(ENTITY_COUNT);
        unsigned before = masks[e];
        if (!next(50)) {
            ecs_delete(world, entities[e]);
            expect_change(before, masks[e] = 0, false);
            entities[e] = ecs_new(world);
        } else {
            if (batch > 1) ecs_defer_begin(world);
            for (int i = 0; i < batch; i++) masks[e] = change(world, entities[e], masks[e]);
            if (batch > 1) ecs_defer_end(world);
            expect_change(before, masks[e], true);
        }
        assert_memory_equal(&seen, &expected, sizeof seen);
    }
    assert_true(expected.both[1] > 100 && expected.foo_without_bar[1] > 100);
}

static void changes_at_once(void **state) { run(*state, 1); }
static void changes_in_small_batches(void **state) { run(*state, 3); }
static void changes_in_large_batches(void **state) { run(*state, 12); }

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(changes_at_once),
        mini_world_test(changes_in_small_batches),
        mini_world_test(changes_in_large_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
