// SPDX-License-Identifier: MIT
// One state and one order of hooks for every number of workers and every legal order of work.
//
// Each scene runs with all worker counts and a few schedule seeds; after every tick the hash of the
// world, and the hash of everything that hooks saw so far, must equal those of one worker. Entity
// ids are part of both.
#include "support/world.h"

#include "support/check.h"
#include "support/workers.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Life {
    int32_t left;
    uint32_t pad;
} Life;
typedef struct Energy {
    double value;
} Energy;
typedef struct Owner {
    ecs_entity_t entity;
} Owner;
typedef struct Count {
    int64_t value;
} Count;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Life);
static ECS_COMPONENT_DECLARE(Energy);
static ECS_COMPONENT_DECLARE(Owner);
static ECS_COMPONENT_DECLARE(Count);
static ecs_entity_t Likes, Tired, Tags[40];

// ---- What hooks saw ----

static uint64_t hook_log;
static int64_t hook_calls;

static void log_word(uint64_t word) {
    hook_log = (hook_log ^ word) * 0x9E3779B97F4A7C15ull;
    hook_log ^= hook_log >> 29;
}

static void on_hook(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        log_word(it->event);
        log_word(it->entities[i]);
        log_word(it->event_id);
        hook_calls++;
    }
}

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Life) = 0;
    ecs_id(Energy) = ecs_id(Owner) = ecs_id(Count) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Life);
    ECS_COMPONENT_DEFINE(world, Energy);
    ECS_COMPONENT_DEFINE(world, Owner);
    ECS_COMPONENT_DEFINE(world, Count);
    Likes = ecs_entity(world, { .name = "Likes" });
    Tired = ecs_entity(world, { .name = "Tired" });
    for (size_t i = 0; i < sizeof Tags / sizeof Tags[0]; i++) Tags[i] = ecs_new(world);
    ecs_set_hooks(world, Life, { .on_add = on_hook, .on_set = on_hook, .on_remove = on_hook });
    ecs_set_hooks(world, Energy, { .on_add = on_hook, .on_set = on_hook, .on_remove = on_hook });
    hook_log = 0;
    hook_calls = 0;
}

static void workers_system(ecs_world_t *world, const char *expr, ecs_iter_action_t callback) {
    ecs_entity_t system = ecs_system(world,
        { .query.expr = expr, .phase = EcsOnUpdate, .callback = callback, .multi_threaded = true });
    assert_true(system != 0);
}

// ---- Scene: entities are born and die in workers ----

static void Spawn(ecs_iter_t *it) {
    const Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        int32_t children = (int32_t)(ecs_iter_random(it, i) % 5) - 1;
        for (int32_t c = 0; c < children; c++) {
            ecs_entity_t e = ecs_new(it->world);
            ecs_set(it->world, e, Life, { 1 + (int32_t)(ecs_iter_random(it, i) % 4), 0 });
            ecs_set(it->world, e, Owner, { it->entities[i] });
            if (c & 1) ecs_set(it->world, e, Position, { p[i].x + (float)c, p[i].y });
            if (c & 1) ecs_add_id(it->world, e, Tired);
        }
    }
}

static void Age(ecs_iter_t *it) {
    Life *life = ecs_field(it, Life, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (--life[i].left <= 0) ecs_delete(it->world, it->entities[i]);
    }
}

static void churn(ecs_world_t *world) {
    ecs_bulk_new(world, Position, 1500);
    workers_system(world, "Position, !Tired", Spawn);
    workers_system(world, "Life", Age);
}

// ---- Scene: new entities are below a scope, that of the world or one that a row leaves behind ----

static ecs_entity_t Inner;

static void MakeInScope(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t e = ecs_new_w_id(it->world, Tired);
        ecs_set(it->world, e, Life, { (int32_t)(ecs_iter_random(it, i) % 9), 0 });
        e = ecs_entity(it->world, { .add = ecs_ids(Likes) });
        if (ecs_lookup(it->world, "inner") == Inner) ecs_set(it->world, e, Owner, { Inner });
        if (ecs_iter_random(it, i) % 700 == 0) ecs_set_scope(it->world, it->entities[i]);
        if (ecs_iter_random(it, i) % 500 == 0) ecs_set_with(it->world, Tags[i % 8]);
    }
}

static void scopes(ecs_world_t *world) {
    static ecs_entity_t path[2];
    ecs_entity_t outer = ecs_entity(world, { .name = "outer" });
    Inner = ecs_entity(world, { .name = "outer.inner" });
    path[0] = outer;
    ecs_bulk_new(world, Position, 3000);
    workers_system(world, "Position", MakeInScope);
    workers_system(world, "Position, ?Life", MakeInScope);
    ecs_set_scope(world, ecs_new(world));
    ecs_set_with(world, Tags[9]);
    ecs_set_lookup_path(world, path);
}

// ---- Scene: so many are born, change and die that workers share the merges, row by row ----

static void Emit(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t e = ecs_new(it->world);
        ecs_set(it->world, e, Count, { 2 + (int64_t)(ecs_iter_random(it, i) % 3) });
        ecs_set(it->world, e, Position, { (float)i, 0 });
    }
}

static void Tire(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        if (ecs_iter_random(it, i) % 8) ecs_add_id(it->world, it->entities[i], Tired);
    }
}

static void Wane(ecs_iter_t *it) {
    Count *count = ecs_field(it, Count, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (--count[i].value <= 0) ecs_delete(it->world, it->entities[i]);
    }
}

static void log_rows(ecs_iter_t *it) {
    const Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        log_word(it->entities[i]);
        log_word((uint64_t)p[i].x);
        hook_calls++;
    }
}

static void crowds(ecs_world_t *world) {
    ecs_bulk_new(world, Velocity, 3000);
    workers_system(world, "[in] Velocity, [out] Position(), [out] Count()", Emit);
    workers_system(world, "[in] Position, [in] Count, !Tired, [out] Tired()", Tire);
    workers_system(world, "Count, [in] Tired, [out] Position(), [out] Count()", Wane);
    ecs_system(world,
        { .query.expr = "[in] Position, [in] Count", .phase = EcsOnStore, .callback = log_rows });
}

// ---- Scene: components come and go ----

static void Toggle(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        uint64_t random = ecs_iter_random(it, i);
        ecs_entity_t e = it->entities[i];
        p[i].x += (float)(random & 7);
        switch (random >> 60) {
        case 0: ecs_set(it->world, e, Energy, { (double)(random & 0xFFFF) }); break;
        case 1: ecs_remove(it->world, e, Energy); break;
        case 2: ecs_set(it->world, e, Life, { (int32_t)(random & 0xFF), 0 }); break;
        case 3: ecs_remove(it->world, e, Life); break;
        case 4: ecs_add_id(it->world, e, Tired); break;
        case 5: ecs_remove_id(it->world, e, Tired); break;
        case 6: ecs_add_pair(it->world, e, Likes, Tags[random % 8]); break;
        case 7: ecs_remove_pair(it->world, e, Likes, EcsWildcard); break;
        case 8:
            ecs_set(it->world, e, Energy, { 1 });
            ecs_remove(it->world, e, Energy);
            break;
        default: break;
        }
    }
}

static void Drain(ecs_iter_t *it) {
    Energy *energy = ecs_field(it, Energy, 0);
    for (int32_t i = 0; i < it->count; i++) {
        energy[i].value *= 0.9;
        ecs_modified(it->world, it->entities[i], Energy);
    }
}

static void toggles(ecs_world_t *world) {
    for (int32_t i = 0; i < 3000; i++) ecs_insert(world, ecs_value(Position, { (float)i, 0 }));
    workers_system(world, "Position", Toggle);
    workers_system(world, "Energy", Drain);
}

// ---- Scene: values, targets and edges beside tables ----

static ecs_entity_t Mood, Knows;

static void Change(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        uint64_t random = ecs_iter_random(it, i);
        ecs_entity_t e = it->entities[i];
        p[i].x += (float)(random & 7);
        switch (random >> 60) {
        case 0: ecs_set(it->world, e, Energy, { (double)(random & 0xFFFF) }); break;
        case 1: ecs_remove(it->world, e, Energy); break;
        case 2: ecs_set(it->world, e, Life, { (int32_t)(random & 0xFF), 0 }); break;
        case 3: ecs_remove(it->world, e, Life); break;
        case 4:
        case 5: ecs_add_pair(it->world, e, Mood, Tags[random % 40]); break;
        case 6: ecs_remove_pair(it->world, e, Mood, EcsWildcard); break;
        case 7:
        case 8:
            ecs_add_pair(it->world, e, Knows, it->entities[random % (uint64_t)it->count]);
            break;
        case 9: ecs_remove_pair(it->world, e, Knows, EcsWildcard); break;
        case 10:
            if (random % 16 == 0) ecs_delete(it->world, e);
            break;
        case 11:
            if (random % 8 == 0)
                ecs_add_pair(it->world, ecs_clone(it->world, 0, e, true), Mood, Tags[0]);
            break;
        default: break;
        }
    }
}

static void Feel(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t mood = ecs_field_target(it, 1, i);
        if (mood % 5 == 0) ecs_set(it->world, it->entities[i], Count, { (int64_t)mood });
        if (mood % 7 == 0) ecs_add_id(it->world, it->entities[i], Tired);
    }
}

static void Calm(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        Energy *energy = ecs_field_at(it, Energy, 1, i);
        energy->value *= 0.9;
        if (energy->value < 1000) ecs_remove(it->world, it->entities[i], Energy);
    }
}

static void beside_tables(ecs_world_t *world) {
    ecs_add_id(world, ecs_id(Energy), EcsDontFragment);
    ecs_add_id(world, ecs_id(Life), EcsSparse);
    Mood = ecs_entity(world, { .name = "Mood" });
    ecs_add_id(world, Mood, EcsUnion);
    Knows = ecs_relationship(world, { .name = "Knows", .sparse = true, .reverse_index = true });
    for (int32_t i = 0; i < 3000; i++) ecs_insert(world, ecs_value(Position, { (float)i, 0 }));
    workers_system(world, "Position", Change);
    workers_system(world, "Position, (Mood, *)", Feel);
    workers_system(world, "Position, Energy", Calm);
}

// ---- Scene: wildcards, of which large tables match several times ----

static void Like(ecs_iter_t *it) {
    Count *count = ecs_field(it, Count, 0);
    ecs_entity_t target = ecs_pair_second(it->world, ecs_field_id(it, 1));
    for (int32_t i = 0; i < it->count; i++) {
        count[i].value = (int64_t)((uint64_t)count[i].value * 31 + (target & 0xFFFF));
        count[i].value ^= (int64_t)(ecs_iter_random(it, i) & 0xFF);
        if (count[i].value % 97 == 0) ecs_remove_pair(it->world, it->entities[i], Likes, target);
        if (count[i].value % 89 == 0) ecs_set(it->world, ecs_new(it->world), Life, { 1000, 0 });
    }
}

static void wildcards(ecs_world_t *world) {
    for (int32_t i = 0; i < 6000; i++) {
        ecs_entity_t e = ecs_insert(world, ecs_value(Count, { i }));
        for (int32_t t = 0; t <= i % 4; t++) ecs_add_pair(world, e, Likes, Tags[t]);
    }
    workers_system(world, "Count, (Likes, *)", Like);
}

// ---- Scene: many small tables ----

static void Bump(ecs_iter_t *it) {
    Count *count = ecs_field(it, Count, 0);
    for (int32_t i = 0; i < it->count; i++) {
        count[i].value++;
        uint64_t random = ecs_iter_random(it, i);
        if (random % 31) continue;
        ecs_entity_t e = ecs_new_w_id(it->world, Tags[random % 40]);
        ecs_set(it->world, e, Count, { (int64_t)random });
        ecs_set(it->world, e, Life, { 3, 0 });
    }
}

static void small_tables(ecs_world_t *world) {
    for (int32_t i = 0; i < 900; i++) {
        ecs_entity_t e = ecs_insert(world, ecs_value(Count, { i }));
        for (int32_t bit = 0; bit < 10; bit++) {
            if ((i * 37 >> bit) & 1) ecs_add_id(world, e, Tags[bit]);
        }
    }
    workers_system(world, "Count", Bump);
    workers_system(world, "Life", Age);
}

// ---- Scenes: groups of systems that are large enough to be fused ----

static void Accelerate(ecs_iter_t *it) {
    const Position *p = ecs_field(it, Position, 0);
    Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        v[i].x += 0.01f * p[i].y;
        v[i].y -= 0.01f * p[i].x;
    }
}

static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        p[i].x += v[i].x;
        p[i].y += v[i].y;
    }
}

static void Burn(ecs_iter_t *it) {
    const Velocity *v = ecs_field(it, Velocity, 0);
    Energy *energy = ecs_field(it, Energy, 1);
    for (int32_t i = 0; i < it->count; i++) {
        energy[i].value -= (double)(v[i].x * v[i].x + v[i].y * v[i].y);
        if (ecs_iter_random(it, i) % 500 == 0) ecs_delete(it->world, it->entities[i]);
        if (ecs_iter_random(it, i) % 500 == 0) {
            ecs_entity_t e = ecs_new(it->world);
            ecs_set(it->world, e, Position, { 1, 2 });
            ecs_set(it->world, e, Velocity, { 3, 4 });
            if (i & 1) ecs_set(it->world, e, Energy, { 5 });
        }
    }
}

static void chase(ecs_world_t *world, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t e = ecs_insert(world, ecs_value(Position, { (float)i, 1 }),
            ecs_value(Velocity, { 0, (float)(i % 7) }));
        if (i % 3) ecs_set(world, e, Energy, { (double)i });
        if (i % 5 == 0) ecs_add_id(world, e, Tags[i % 4]);
    }
    workers_system(world, "[in] Position, Velocity", Accelerate);
    workers_system(world, "Position, [in] Velocity", Move);
    workers_system(world, "[in] Velocity, Energy", Burn);
}

static void fused(ecs_world_t *world) { chase(world, 50000); }
static void fused_in_cache(ecs_world_t *world) { chase(world, 4000); }
static void too_small_to_fuse(ecs_world_t *world) { chase(world, 1000); }

static void Idle(ecs_iter_t *it) { (void)it; }

// So many that may run at the same time, and three that follow each.
static void side_by_side(ecs_world_t *world, int32_t count) {
    static const char *const exprs[] = { "Position", "Energy", "Velocity", "Count" };
    for (int32_t i = 0; i < 4000; i++)
        ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Energy, { (double)i }),
            ecs_value(Velocity, { 0, 0 }), ecs_value(Count, { 0 }));
    for (int32_t i = 0; i < 3 * count; i++) workers_system(world, exprs[i % count], Idle);
}

static void chains_in_cache(ecs_world_t *world) { side_by_side(world, 3); }
static void free_in_cache(ecs_world_t *world) { side_by_side(world, 4); }

// ---- Scene: systems of all kinds, conflicting ones and free ones ----

static void Total(ecs_iter_t *it) {
    Count *total = ecs_field(it, Count, 0);
    total->value++;
}

static void ReadTotal(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Count *total = ecs_field(it, Count, 1);
    for (int32_t i = 0; i < it->count; i++) p[i].y += (float)total->value;
}

static void OnMain(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 10) {
        ecs_set(it->world, ecs_new(it->world), Life, { 2, 0 });
        ecs_set(it->world, it->entities[i], Velocity, { (float)i, 0 });
    }
}

static void Alone(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    ecs_set(it->world, ecs_new(it->world), Life, { 3, 0 });
    ecs_defer_resume(it->world);
}

static void mixed(ecs_world_t *world) {
    ecs_add_id(world, ecs_id(Count), EcsSingleton);
    ecs_singleton_set(world, Count, { 0 });
    for (int32_t i = 0; i < 2000; i++) ecs_insert(world, ecs_value(Position, { (float)i, 0 }));
    ecs_system(world, { .query.expr = "[inout] Count(Count)",
                          .phase = EcsOnUpdate,
                          .callback = Total,
                          .any_thread = true });
    workers_system(world, "Position, [in] Count(Count)", ReadTotal);
    workers_system(world, "[in] Position, Velocity", Accelerate);
    ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = OnMain });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Alone, .immediate = true });
    workers_system(world, "Life", Age);
    workers_system(world, "Position, [in] Velocity", Move);
}

// ---- Scene: observers of what workers do, which change things themselves ----

static void OnSettled(ecs_iter_t *it) {
    on_hook(it);
    for (int32_t i = 0; i < it->count; i++) {
        ecs_set(it->world, it->entities[i], Count, { (int64_t)(hook_log & 0xFFFF) });
        if (hook_log & 1) ecs_new_w_pair(it->world, EcsChildOf, it->entities[i]);
    }
}

static void observed(ecs_world_t *world) {
    ecs_bulk_new(world, Position, 2000);
    ecs_observer(world, { .query.expr = "Energy, ?Life",
                            .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                            .callback = on_hook });
    ecs_observer(world,
        { .query.expr = "Energy, Life, !Tired", .events = { EcsMonitor }, .callback = OnSettled });
    ecs_observer(world,
        { .query.expr = "(Likes, *)", .events = { EcsOnAdd, EcsOnRemove }, .callback = on_hook });
    ecs_observer(world, { .query.expr = "Life(up)",
                            .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                            .callback = on_hook });
    workers_system(world, "Position", Toggle);
    workers_system(world, "Energy", Drain);
    workers_system(world, "Life", Age);
}

// ---- Scenes: the systems of others in fixed steps, each third in every second step ----

static void make_stepped(ecs_world_t *world) {
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.04f, 8);
    ecs_entity_t second = ecs_set_rate(world, 0, 2, step);
    int32_t count = 0;
    ecs_iter_t it = ecs_each_id(world, ecs_dependson(EcsOnUpdate));
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            if (!ecs_system_get(world, it.entities[i])) continue;
            ecs_set_tick_source(world, it.entities[i], ++count % 3 ? step : second);
        }
    }
    assert_true(count >= 3);
}

static void mixed_steps(ecs_world_t *world) {
    mixed(world);
    churn(world);
    make_stepped(world);
}

static void fused_steps(ecs_world_t *world) {
    fused(world);
    make_stepped(world);
}

// ---- Running scenes ----

typedef struct scene_t {
    const char *name;
    void (*build)(ecs_world_t *world);
    int32_t ticks;
} scene_t;

#define MAX_TICKS 8
static uint64_t expected_hashes[MAX_TICKS], expected_logs[MAX_TICKS];
static int64_t expected_calls;

static void compare(
    const scene_t *scene, int32_t workers, uint64_t seed, int32_t tick, uint64_t hash) {
    if (hash == expected_hashes[tick] && hook_log == expected_logs[tick]) return;
    print_error("scene %s, %d workers, schedule seed %llu: %s differs after tick %d\n", scene->name,
        workers, (unsigned long long)seed,
        hash == expected_hashes[tick] ? "order of hooks" : "state", tick);
    fail();
}

static void run(const scene_t *scene, int32_t workers, uint64_t seed, bool is_reference) {
    ecs_world_t *world = ecs_init();
    use(world);
    ecs_set_seed(world, 42);
    scene->build(world);
    ecs_set_threads(world, workers);
    ecs_set_schedule_seed(world, seed);
    for (int32_t tick = 0; tick < scene->ticks; tick++) {
        ecs_progress(world, 0.1f);
        uint64_t hash = ecs_world_hash(world);
        if (is_reference) {
            expected_hashes[tick] = hash;
            expected_logs[tick] = hook_log;
            expected_calls = hook_calls;
        }
        compare(scene, workers, seed, tick, hash);
    }
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

// SYNC-06, THR-02, THR-08
static void scene_runs_alike(void **state) {
    const scene_t *scene = *state;
    run(scene, 1, 0, true);
    assert_true(expected_hashes[0] != expected_hashes[scene->ticks - 1]);
    assert_true(expected_calls > 0);
    for_each_worker_count(workers) run(scene, *workers, 0, false);
    for (uint64_t seed = 1; seed <= 6; seed++) run(scene, 1 + (int32_t)seed % 5, seed, false);
}

static void fused_groups_are_large_or_chains(void **state) {
    (void)state;
    void (*const build[])(ecs_world_t *) = { fused, fused_in_cache, chains_in_cache,
        too_small_to_fuse, free_in_cache };
    for (int32_t i = 0; i < 5; i++) {
        ecs_world_t *world = ecs_init();
        use(world);
        build[i](world);
        char *text = ecs_schedule_str(world, 0);
        bool is_fused = strstr(text, ", fused");
        if (is_fused != (i < 3)) print_error("scene %d: %s", i, text);
        assert_int_equal(is_fused, i < 3);
        ecs_os_free(text);
        ecs_fini(world);
    }
}

// Workers that come and go between ticks leave no trace either.
static void changing_the_number_of_workers(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int32_t change = 0; change < 2; change++) {
        ecs_world_t *world = ecs_init();
        use(world);
        churn(world);
        for (int32_t tick = 0; tick < 8; tick++) {
            if (change) ecs_set_threads(world, 1 + tick * 3 % 5);
            ecs_progress(world, 0.1f);
        }
        hashes[change] = ecs_world_hash(world);
        ecs_fini(world);
    }
    assert_hash_equal(hashes[1], hashes[0]);
}

static uint64_t random_sum, random_first;
static void Ask(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        uint64_t a = ecs_iter_random(it, i), b = ecs_iter_random(it, i);
        assert_true(a != b);
        random_sum ^= a * 3 + b;
        if (!random_first) random_first = a;
    }
}

// In the first tick, and last in it, something becomes what a system waits for.
static ecs_entity_t late;
static void Breed(ecs_iter_t *it) {
    bool is_first = !ecs_get_world_info(it->world)->frame_count_total;
    for (int32_t i = 0; i < it->count; i++) {
        for (int32_t k = 0; k < 20; k++) ecs_new_w_id(it->world, Tired);
        if (is_first && !i) ecs_set(it->world, late, EcsParent, { it->entities[0] });
    }
}
static void Reap(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}
static void Wait(ecs_iter_t *it) { (void)it; }

static uint64_t ids_after(const int32_t *threads, int32_t ticks) {
    ecs_world_t *world = ecs_init();
    use(world);
    for (int32_t i = 0; i < 8; i++) ecs_new_w(world, Position);
    workers_system(world, "Tired", Reap);
    ecs_system(world, { .query.expr = "Energy, [in] Position(up ChildOf)",
                          .phase = EcsOnUpdate,
                          .callback = Wait });
    late = ecs_new_w(world, Energy);
    ecs_system(world, { .phase = EcsPostUpdate, .callback = Wait, .immediate = true });
    ecs_system(world, { .query.expr = "Position",
                          .phase = EcsPostUpdate,
                          .callback = Breed,
                          .multi_threaded = true });
    for (int32_t tick = 0; tick < ticks; tick++) {
        ecs_set_threads(world, threads[tick]);
        ecs_progress(world, 1);
    }
    hook_log = 0;
    ecs_entities_t all = ecs_get_entities(world);
    for (int32_t i = 0; i < all.count; i++) log_word(all.ids[i]);
    ecs_fini(world);
    return hook_log;
}

// THR-04, THR-08: also ids, and while a change of systems is noticed only in the tick to come.
static void ids_do_not_depend_on_when_the_number_of_workers_changes(void **state) {
    (void)state;
    static const int32_t steady[] = { 4, 4, 4, 4, 4 }, changing[] = { 4, 1, 4, 2, 1 };
    for (int32_t ticks = 1; ticks <= 5; ticks++)
        assert_hash_equal(ids_after(steady, ticks), ids_after(changing, ticks));
}

static void random_numbers_depend_on_seed_and_frame(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_bulk_new(world, Position, 1000);
    ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = Ask });
    uint64_t sums[3];
    for (int i = 0; i < 3; i++) {
        ecs_set_seed(world, i == 2);
        random_sum = random_first = 0;
        ecs_progress(world, 1);
        sums[i] = random_sum;
    }
    assert_true(sums[0] != sums[1] && sums[1] != sums[2] && sums[0] != sums[2]);
}

// Not on what the worker ran before, which is another one in each tick.
static void random_numbers_of_runs_by_hand_are_their_own(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_bulk_new(world, Position, 1000);
    ecs_entity_t system =
        ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = Ask });
    uint64_t sums[3];
    for (int i = 0; i < 3; i++) {
        if (!i) ecs_progress(world, 1);
        random_sum = random_first = 0;
        ecs_run(world, system, 1, NULL);
        sums[i] = random_sum;
    }
    assert_int_equal(sums[0], sums[1]);
    assert_int_equal(sums[1], sums[2]);
}

static struct CMUnitTest test_of(scene_t *scene) {
    return (struct CMUnitTest){ scene->name, scene_runs_alike, .initial_state = scene };
}

int main(void) {
    const struct CMUnitTest tests[] = {
        test_of(&(scene_t){ "births_and_deaths_in_workers", churn, 8 }),
        test_of(&(scene_t){ "births_in_scopes", scopes, 3 }),
        test_of(&(scene_t){ "crowds_that_come_and_go", crowds, 8 }),
        test_of(&(scene_t){ "adds_removes_and_sets", toggles, 8 }),
        test_of(&(scene_t){ "wildcard_matches", wildcards, 6 }),
        test_of(&(scene_t){ "runs_of_small_tables", small_tables, 8 }),
        test_of(&(scene_t){ "runs_of_beside_tables", beside_tables, 8 }),
        test_of(&(scene_t){ "fused_groups", fused, 4 }),
        test_of(&(scene_t){ "fused_groups_in_cache", fused_in_cache, 6 }),
        test_of(&(scene_t){ "systems_of_all_kinds", mixed, 6 }),
        test_of(&(scene_t){ "observers_of_what_workers_do", observed, 8 }),
        test_of(&(scene_t){ "fixed_steps_of_all_kinds", mixed_steps, 6 }),
        test_of(&(scene_t){ "fixed_steps_of_fused_groups", fused_steps, 3 }),
        cmocka_unit_test(fused_groups_are_large_or_chains),
        cmocka_unit_test(changing_the_number_of_workers),
        cmocka_unit_test(ids_do_not_depend_on_when_the_number_of_workers_changes),
        world_test(random_numbers_depend_on_seed_and_frame),
        world_test(random_numbers_of_runs_by_hand_are_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
