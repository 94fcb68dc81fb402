// SPDX-License-Identifier: MIT
// Multithreaded systems whose queries are searches: variables, comparisons, scopes, values beside tables, kinds. Their results are shared
// out by rows of $this, and what comes of them does not depend on who ran which share. SYS, THR-01, THR-02, Q-CAC-07.
#include <stdatomic.h>

#include "support/world.h"

#include "support/workers.h"

enum { ENTITIES = 1500, TABLES = 5 };

typedef struct Sum {
    uint64_t value;
} Sum;
typedef struct Weight {
    int32_t value;
} Weight;

static ECS_COMPONENT_DECLARE(Sum);
static ECS_COMPONENT_DECLARE(Weight);

static atomic_int runs;

// What a result says goes into the value of an entity made for it, by command.
static void Note(ecs_iter_t *it) {
    atomic_fetch_add(&runs, 1);
    while (ecs_query_next(it)) {
        uint64_t says = 0;
        for (int32_t v = 1; v < it->query->var_count; v++)
            says = says * 31 + ecs_iter_get_var(it, v);
        for (int8_t f = 0; f < it->field_count; f++)
            says = says * 31 + (ecs_field_is_set(it, f) ? ecs_field_id(it, f) : 1);
        for (int32_t i = 0; i < it->count; i++) {
            ecs_entity_t made = ecs_new(it->world);
            ecs_set(it->world, made, Sum, { says * 31 + it->entities[i] });
        }
    }
}

static ecs_entity_t named(ecs_world_t *world, const char *name, const char *ids) {
    return ecs_entity(world, { .name = name, .add_expr = ids });
}

static void define(ecs_world_t *world) {
    ecs_id(Sum) = ecs_id(Weight) = 0;
    ECS_COMPONENT_DEFINE(world, Sum);
    ECS_COMPONENT_DEFINE(world, Weight);
    ecs_add_id(world, ecs_id(Weight), EcsSparse);
    named(world, "Loose", "EcsDontFragment");
    named(world, "Mood", "EcsUnion");
    named(world, "On", "EcsCanToggle");
    named(world, "Likes", NULL);
    named(world, "Unit", NULL);
    named(world, "Melee", "(IsA, Unit)");
    named(world, "Good", NULL);
    named(world, "Calm", NULL);
    named(world, "Wild", NULL);
    named(world, "x0", "Good");
    named(world, "x1", NULL);
    named(world, "x2", "Good, (Likes, x0)");
}

static void add(ecs_world_t *world, ecs_entity_t e, const char *id) {
    ecs_add_id(world, e, ecs_id_from_str(world, id));
}

static void fill(ecs_world_t *world) {
    static const char *const likes[] = { "(Likes, x0)", "(Likes, x1)", "(Likes, x2)" };
    for (int32_t i = 0; i < ENTITIES; i++) {
        ecs_entity_t e = ecs_new(world);
        add(world, e, likes[i * TABLES / ENTITIES % 3]);
        if (i % 7 == 0) add(world, e, likes[(i + 1) % 3]);
        add(world, e, i % 2 ? "Unit" : "Melee");
        if (i % 3 == 0) ecs_set(world, e, Weight, { i });
        if (i % 5 == 0) add(world, e, "Loose");
        add(world, e, i % 4 ? "(Mood, Calm)" : "(Mood, Wild)");
        add(world, e, "On");
        if (i % 9 == 0) ecs_enable_id(world, e, ecs_lookup(world, "On"), false);
    }
}

static uint64_t run_once(const char *expr, int32_t workers, int32_t *run_count) {
    ecs_world_t *world = ecs_init();
    define(world);
    fill(world);
    ecs_set_threads(world, workers);
    ecs_system(
        world, { .query.expr = expr, .phase = EcsOnUpdate, .run = Note, .multi_threaded = true });
    atomic_store(&runs, 0);
    ecs_progress(world, 1);
    *run_count = atomic_load(&runs);
    assert_true(ecs_count(world, Sum) > 0);
    uint64_t hash = ecs_world_hash(world);
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
    return hash;
}

// The results of the same query, not shared out.
static int32_t count_results(const char *expr) {
    ecs_world_t *world = ecs_init();
    define(world);
    fill(world);
    ecs_query_t *q = ecs_query(world, { .expr = expr });
    int32_t count = ecs_query_count(q).entities;
    ecs_query_fini(q);
    ecs_fini(world);
    return count;
}

static int32_t counted;

static void Count(ecs_iter_t *it) {
    while (ecs_query_next(it)) counted += it->count;
}

static int32_t count_shared(const char *expr) {
    ecs_world_t *world = ecs_init();
    define(world);
    fill(world);
    ecs_set_threads(world, 1);
    ecs_system(
        world, { .query.expr = expr, .phase = EcsOnUpdate, .run = Count, .multi_threaded = true });
    counted = 0;
    ecs_progress(world, 1);
    ecs_fini(world);
    return counted;
}

static void searches_are_shared_out(void **state) {
    (void)state;
    static const char *const exprs[] = { "(Likes, $x), Good($x)", "On, (Likes, $x), Good($x)",
        "(Likes, $x), !{ Likes($x, $y), Good($y) }", "On, ?(Likes, $x), Good($x)",
        "[in] Weight, (Likes, $x)", "(Likes, $x), Loose", "(Mood, Calm), (Likes, $x)", "Unit",
        "Unit, (Likes, x1) || (Likes, x2)", "(Likes, $x), $x != x1", "(Likes, $x), On" };
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        int32_t run_count, expected = count_results(exprs[i]);
        if (count_shared(exprs[i]) != expected)
            fail_msg("'%s' gives %d entities, not %d", exprs[i], counted, expected);
        uint64_t hash = run_once(exprs[i], 1, &run_count);
        if (run_count < 2 && i != 7) fail_msg("'%s' is not shared out", exprs[i]);
        for (int32_t workers = 2; workers <= 4; workers += 2) {
            if (run_once(exprs[i], workers, &run_count) != hash)
                fail_msg("'%s' depends on the workers", exprs[i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(searches_are_shared_out) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
