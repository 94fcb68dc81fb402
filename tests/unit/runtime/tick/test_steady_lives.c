// SPDX-License-Identifier: MIT
// Ticks in which as many come and go as before ask the heap for nothing, with any number of workers: only a text that somebody new owns
// is a copy of its own.
#include <stdatomic.h>
#include <stdio.h>

#include "support/world.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Life {
    int32_t left;
} Life;
typedef struct Owned {
    int32_t value;
} Owned;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Life);
static ECS_COMPONENT_DECLARE(Owned);
static ecs_entity_t some[4]; /* what the systems of a world know */

static ECS_CTOR(Owned, ptr, { ptr->value = 1; })
static ECS_DTOR(Owned, ptr, { ptr->value = 0; })
static ECS_COPY(Owned, dst, src, { dst->value = src->value; })
static ECS_MOVE(Owned, dst, src, { dst->value = src->value; })

static void Nothing(ecs_iter_t *it) { (void)it; }

static void EndAll(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

static ecs_entity_t add_system(
    ecs_world_t *world, const char *expr, ecs_entity_t phase, ecs_iter_action_t callback) {
    return ecs_system(world,
        { .query.expr = expr, .phase = phase, .callback = callback, .multi_threaded = true });
}

// Who has Life lives for one tick.
static void build(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Life) = ecs_id(Owned) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Life);
    ECS_COMPONENT_DEFINE(world, Owned);
    ecs_set_hooks(world, Owned,
        { .ctor = ecs_ctor(Owned),
            .dtor = ecs_dtor(Owned),
            .copy = ecs_copy(Owned),
            .move = ecs_move(Owned),
            .on_add = Nothing,
            .on_set = Nothing,
            .on_remove = Nothing });
    for (int32_t i = 0; i < 2000; i++) ecs_insert(world, ecs_value(Position, { 0, 0 }));
    add_system(world, "Life", EcsPostUpdate, EndAll);
}

static void build_with(ecs_world_t *world, ecs_iter_action_t callback) {
    build(world);
    add_system(world, "Position", EcsOnUpdate, callback);
}

// ---- Families: tables of new parents ----

static ecs_entity_t new_mortal(ecs_world_t *world) {
    ecs_entity_t entity = ecs_new(world);
    ecs_set(world, entity, Life, { 1 });
    return entity;
}

static void Beget(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 200) {
        ecs_entity_t parent = new_mortal(it->world);
        ecs_set(it->world, parent, Owned, { i });
        for (int32_t k = 0; k < 3; k++) {
            ecs_entity_t child = ecs_new_w_pair(it->world, EcsChildOf, parent);
            ecs_set(it->world, child, Velocity, { 1, 2 });
        }
    }
}
static void build_families(ecs_world_t *world) { build_with(world, Beget); }

static void build_seen_families(ecs_world_t *world) {
    build_families(world);
    add_system(world, "Velocity", EcsOnStore, Nothing);
    add_system(world, "Velocity, [in] ?Life(cascade)", EcsOnStore, Nothing);
    add_system(world, "[in] Velocity, ?Position", EcsOnStore, Nothing);
}

static void BegetInOrder(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 200) {
        ecs_entity_t parent = new_mortal(it->world);
        ecs_add_id(it->world, parent, EcsOrderedChildren);
        for (int32_t k = 0; k < 6; k++) ecs_new_w_pair(it->world, EcsChildOf, parent);
    }
}
static void build_ordered_families(ecs_world_t *world) { build_with(world, BegetInOrder); }

static void BegetByComponent(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 200) {
        ecs_entity_t parent = new_mortal(it->world);
        for (int32_t k = 0; k < 3; k++) {
            ecs_entity_t child = ecs_new(it->world);
            ecs_set(it->world, child, EcsParent, { parent });
        }
    }
}
static void build_families_by_component(ecs_world_t *world) { build_with(world, BegetByComponent); }

// ---- Others ----

static void Aim(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 200)
        ecs_add_pair(it->world, it->entities[i], some[0], new_mortal(it->world));
}
static void build_targets(ecs_world_t *world) {
    some[0] = ecs_new_w_id(world, EcsExclusive);
    build(world);
    ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = Aim });
    add_system(world, "Position, ?Velocity", EcsPreUpdate, Nothing);
}

static void MakeInstances(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 500) {
        ecs_entity_t instance = ecs_new_w_pair(it->world, EcsIsA, some[0]);
        ecs_set(it->world, instance, Life, { 1 });
    }
}
static void build_instances(ecs_world_t *world) {
    build_with(world, MakeInstances);
    some[0] = ecs_new_w_id(world, EcsPrefab);
    for (int32_t i = 0; i < 3; i++) {
        ecs_entity_t child = ecs_new(world);
        ecs_set(world, child, EcsParent, { some[0] });
        ecs_set(world, child, Velocity, { 1, 2 });
    }
}

static void MakeInBulk(ecs_iter_t *it) {
    Life lives[5] = { { 1 } };
    void *data[] = { lives, NULL };
    ecs_bulk_init(
        it->world, &(ecs_bulk_desc_t){ .count = 5, .ids = { ecs_id(Life) }, .data = data });
}
static void build_bulk(ecs_world_t *world) {
    build(world);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = MakeInBulk, .immediate = true });
}

static void Hash(ecs_iter_t *it) { ecs_world_hash(it->world); }
static void build_hashes(ecs_world_t *world) {
    build_families(world);
    ecs_system(world, { .phase = EcsOnStore, .callback = Hash });
}

// Five new names.
static void MakeNamed(ecs_iter_t *it) {
    for (int32_t i = 0; i < 5; i++) {
        char name[] = "item_a";
        name[5] = (char)('a' + i);
        ecs_entity_t entity = ecs_entity(it->world, { .name = name, .parent = some[0] });
        ecs_set(it->world, entity, Life, { 1 });
    }
}
static void build_named(ecs_world_t *world) {
    build(world);
    some[0] = ecs_new(world);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = MakeNamed });
}

// ---- What is submitted ----

static void act(ecs_world_t *world, void *ctx) { (void)world, (void)ctx; }

static void Submit(ecs_iter_t *it) {
    const ecs_event_desc_t event = { .event = ecs_id(Life), .entity = it->entities[0] };
    ecs_event_desc_t with_value = event;
    with_value.const_param = &(Life){ 3 };
    for (int32_t i = 0; i < it->count; i += 100) {
        ecs_submit(it->world, act, NULL, NULL);
        ecs_submit_event(it->world, &event, 0);
        ecs_submit_event(it->world, &with_value, sizeof(Life));
    }
}
static void build_submits(ecs_world_t *world) {
    build_with(world, Submit);
    ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = Submit });
    ecs_observer(
        world, { .query.terms = { { EcsAny } }, .events = { ecs_id(Life) }, .callback = Nothing });
}

static void Enqueue(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 100) {
        ecs_event_desc_t event = { .event = ecs_id(Owned), .entity = it->entities[i] };
        event.const_param = &(Owned){ i };
        ecs_enqueue(it->world, &event);
    }
}
static void build_events(ecs_world_t *world) {
    build_with(world, Enqueue);
    ecs_observer(
        world, { .query.terms = { { EcsAny } }, .events = { ecs_id(Owned) }, .callback = Nothing });
}

static atomic_bool gate; /* jobs wait until it is open */

static void work_at_gate(void *ctx) {
    (void)ctx;
    while (!atomic_load(&gate)) ecs_os_sleep(0, 100000);
}

static void count_done(ecs_world_t *world, void *ctx) {
    (void)world;
    ++*(int32_t *)ctx;
}

// ---- Systems that switch others ----

// Those behind run on with what is left of another schedule.
static void SwitchSome(ecs_iter_t *it) {
    const int64_t frame = ecs_get_world_info(it->world)->frame_count_total;
    ecs_enable(it->world, some[0], frame & 1);
    ecs_enable(it->world, some[1], !(frame & 1));
}
static void SwitchOn(ecs_iter_t *it) { ecs_enable(it->world, some[0], true); }
static void SwitchOff(ecs_iter_t *it) { ecs_enable(it->world, some[0], false); }

static void build_switches(ecs_world_t *world) {
    build(world);
    ecs_system(world, { .phase = EcsOnLoad, .callback = SwitchSome });
    some[0] = add_system(world, "Position", EcsOnUpdate, Nothing);
    some[1] = ecs_entity(world, { .add = ecs_ids(EcsPhase, ecs_dependson(EcsOnUpdate)) });
    add_system(world, "Position, ?Velocity", some[1], Nothing);
    add_system(world, "[in] Position", EcsOnUpdate, Nothing);
}

static void build_switches_in_steps(ecs_world_t *world) {
    build(world);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.4f, 8); /* two or three in a tick */
    ecs_system(world, { .phase = EcsOnUpdate, .callback = SwitchOn, .tick_source = step });
    some[0] = add_system(world, "Position", EcsOnUpdate, Nothing);
    ecs_set_tick_source(world, some[0], step);
    ecs_set_tick_source(world, add_system(world, "Position", EcsOnUpdate, Nothing), step);
    ecs_system(world, { .phase = EcsPostUpdate, .callback = SwitchOff });
}

static void SetInterval(ecs_iter_t *it) {
    ecs_set_interval(it->world, some[0],
        (ecs_ftime_t)(1 + ecs_get_world_info(it->world)->frame_count_total % 3));
}
static void build_intervals(ecs_world_t *world) {
    build(world);
    some[0] = add_system(world, "Position", EcsOnUpdate, Nothing);
    ecs_system(world, { .phase = EcsOnLoad, .callback = SetInterval });
}

// Names given in jobs are noted beside the queue of each.
static void NameMany(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i += 100) {
        char name[32];
        snprintf(name, sizeof name, "of_%u", (uint32_t)it->entities[i]);
        ecs_entity_t entity = ecs_entity(it->world, { .name = name, .parent = some[0] });
        ecs_set(it->world, entity, Life, { 1 });
    }
}
static void build_named_in_jobs(ecs_world_t *world) {
    build(world);
    some[0] = ecs_new(world);
    add_system(world, "Position, [out] Life()", EcsOnUpdate, NameMany);
}

enum { TICKS = 20 };

static void check(void (*build_world)(ecs_world_t *), int32_t warm, int32_t per_tick) {
    for (int32_t workers = 1; workers <= 8; workers = workers * 3 - 1) { /* 1, 2, 5 */
        ecs_world_t *world = ecs_init();
        build_world(world);
        ecs_set_threads(world, workers);
        for (int32_t i = 0; i < warm; i++) ecs_progress(world, 1);
        const int64_t before = memory_calls();
        for (int32_t i = 0; i < TICKS; i++) ecs_progress(world, 1);
        assert_int_equal(memory_calls() - before, per_tick * TICKS);
        assert_true(ecs_world_verify(world));
        ecs_fini(world);
    }
}

static void new_parents_and_targets_allocate_nothing(void **state) {
    (void)state;
    check(build_families, 70, 0);
    check(build_ordered_families, 70, 0);
    check(build_families_by_component, 70, 0);
    check(build_hashes, 70, 0);
}

// What was planned stays where tables that come and go are like others.
static void new_tables_of_systems_allocate_nothing(void **state) {
    (void)state;
    check(build_seen_families, 70, 0);
    check(build_targets, 70, 0);
}

static void instances_and_bulks_allocate_nothing(void **state) {
    (void)state;
    check(build_instances, 70, 0);
    check(build_bulk, 70, 0);
}

static void names_are_copied_once(void **state) {
    (void)state;
    check(build_named, 70, 5);
    check(build_named_in_jobs, 70, 31);
}

static void what_systems_submit_allocates_nothing(void **state) {
    (void)state;
    check(build_submits, 10, 0);
    check(build_events, 10, 0);
}

static void jobs_in_the_background_allocate_nothing(void **state) {
    ecs_world_t *world = *state;
    int64_t before = 0;
    int32_t done = 0, begun = 0;
    ecs_set_background_threads(world, 1);
    for (int32_t round = 0; round < TICKS; round++) {
        const int32_t count = round ? 3 : 10; /* the thread may still hold some */
        atomic_store(&gate, false);           /* all of them wait at once */
        if (round == 1) before = memory_calls();
        for (int32_t i = 0; i < count; i++)
            ecs_run_in_background(world, work_at_gate, count_done, &done, NULL);
        atomic_store(&gate, true);
        begun += count;
        while (done < begun) ecs_progress(world, 1);
    }
    assert_int_equal(memory_calls(), before);
}

// SYNC-08: schedules of what is left come again, too.
static void systems_that_switch_others_allocate_nothing(void **state) {
    (void)state;
    check(build_switches, 20, 0);
    check(build_switches_in_steps, 20, 0);
    check(build_intervals, 20, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_parents_and_targets_allocate_nothing),
        cmocka_unit_test(new_tables_of_systems_allocate_nothing),
        cmocka_unit_test(instances_and_bulks_allocate_nothing),
        cmocka_unit_test(names_are_copied_once),
        cmocka_unit_test(what_systems_submit_allocates_nothing),
        cmocka_unit_test(systems_that_switch_others_allocate_nothing),
        world_test(jobs_in_the_background_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
