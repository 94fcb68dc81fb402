// SPDX-License-Identifier: MIT
#include "support/world.h"

#include "event/events.h"
#include "event/observer.h"
#include "world/state.h"

static void nothing(ecs_iter_t *it) { (void)it; }

static ecs_entity_t observe(ecs_world_t *world, ecs_id_t id, ecs_entity_t event) {
    return ecs_observer(
        world, { .query.terms = { { .id = id } }, .events = { event }, .callback = nothing });
}

static void a_world_without_observers_listens_to_nothing(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(world->events.listened, 0);
    ecs_entity_t foo = ecs_new(world), o = observe(world, foo, EcsOnAdd);
    assert_int_equal(world->events.listened, ECS__LISTEN_ANY);
    ecs_entity_t end = observe(world, foo, EcsOnDelete);
    assert_int_equal(world->events.listened, ECS__LISTEN_ANY | ECS__LISTEN_DELETE);
    ecs_delete(world, o);
    ecs_delete(world, end);
    assert_int_equal(world->events.listened, 0);
    assert_int_equal(world->events.on_add.bloom, 0);
}

// Any event is any of entities: it is told by moves, not by tables.
static void any_event_is_none_of_tables(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t foo = ecs_new(world);
    observe(world, foo, EcsWildcard);
    assert_false(world->events.listened & ECS__LISTEN_TABLES);
    assert_null(world->store.on_table);
    ecs_new_w_id(world, foo);
    assert_int_equal(ecs_get_world_info(world)->observers_ran_total, 1);
    observe(world, foo, EcsOnTableCreate);
    assert_non_null(world->store.on_table);
}

static void the_keys_of_an_id_go_from_any_to_star(void **state) {
    (void)state;
    ecs_id_t keys[ECS__EVENT_KEYS];
    assert_int_equal(ecs__event_keys(1000, keys), 3);
    assert_true(keys[0] == Ecs__Any && keys[1] == 1000 && keys[2] == Ecs__Wildcard);
    assert_int_equal(ecs__event_keys(ECS__MAKE_PAIR(1000, 1001), keys), 5);
    assert_true(
        keys[1] == ECS__MAKE_PAIR(1000, 1001) && keys[2] == ECS__MAKE_PAIR(Ecs__Wildcard, 1001));
    assert_true(keys[3] == ECS__MAKE_PAIR(1000, Ecs__Wildcard));
    assert_true(keys[4] == ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard));
    assert_int_equal(ecs__event_keys(Ecs__Any, keys), 1);
}

static void waiters_are_filed_by_how_far_they_look(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t foo = ecs_new(world), bar = ecs_new(world);
    ecs_observer(
        world, { .query.terms = { { .id = foo, .src.id = EcsUp }, { .id = bar, .src.id = EcsSelf },
                     { .id = foo, .oper = EcsNot, .src.id = EcsSelf } },
                   .events = { EcsOnAdd },
                   .callback = nothing });
    const ecs__event_t *on_add = &world->events.on_add;
    const ecs__wanted_t *of_foo = ecs__event_wanted(on_add, foo),
                        *of_bar = ecs__event_wanted(on_add, bar);
    assert_int_equal(of_foo->lists[ECS__REACH_UP].count, 1);
    assert_int_equal(of_foo->lists[ECS__REACH_NOT].count, 1);
    assert_int_equal(of_bar->lists[ECS__REACH_SELF].count, 1);
    assert_int_equal(on_add->above[0].count, 1);
    assert_true(on_add->bloom_not == ecs__id_bloom(foo));
    assert_null(ecs__event_wanted(on_add, EcsWildcard));
}

static void observers_of_many_ids_keep_each_other_apart(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t ids[100], observers[100];
    for (int i = 0; i < 100; i++) {
        ids[i] = ecs_new(world);
        observers[i] = observe(world, ids[i], EcsOnAdd);
    }
    for (int i = 0; i < 100; i += 2) ecs_delete(world, observers[i]);
    assert_true(ecs__events_verify(&world->events));
    assert_int_equal(world->events.on_add.count - world->events.gone_count, 50);
    assert_true(world->events.gone_count <= 50 / 8);
    for (int i = 0; i < 100; i++) {
        int64_t before = ecs_get_world_info(world)->observers_ran_total;
        ecs_new_w_id(world, ids[i]);
        assert_int_equal(ecs_get_world_info(world)->observers_ran_total - before, i & 1);
    }
}

// OBS-11, with the event itself, which routes know.
static void what_nobody_waits_for_any_more_is_forgotten(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    for (int i = 0; i < 10; i++) {
        ecs_entity_t event = ecs_new(world), observer = observe(world, tag, event);
        int64_t before = ecs_get_world_info(world)->observers_ran_total;
        ecs_type_t ids = { &tag, 1 };
        for (int n = 0; n < 2; n++)
            ecs_emit(world, &(ecs_event_desc_t){ .event = event, .ids = &ids, .entity = e });
        assert_int_equal(ecs_get_world_info(world)->observers_ran_total - before, 2);
        ecs_delete(world, observer);
        ecs_emit(world, &(ecs_event_desc_t){ .event = event, .ids = &ids, .entity = e });
        assert_int_equal(ecs_get_world_info(world)->observers_ran_total - before, 2);
        ecs_delete(world, observe(world, event, EcsOnAdd));
        ecs_delete(world, event);
        assert_null(ecs__event_wanted(&world->events.on_add, event));
    }
    assert_int_equal(ecs_map_count(&world->events.custom), 0);
}

// A table asks those who wait for its ids, and those who wait for none.
static void observers_of_tables_are_filed_by_an_id(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t foo = ecs_new(world),
                 bar = ecs_new_w_pair(world, EcsOnInstantiate, EcsDontInherit);
    observe(world, foo, EcsOnTableCreate);
    observe(world, bar, EcsOnTableCreate);
    const ecs__event_t *event = &world->events.on_table_create;
    assert_int_equal(ecs__event_wanted(event, foo)->lists[ECS__REACH_TABLES].count, 1);
    assert_int_equal(ecs__event_wanted(event, bar)->lists[ECS__REACH_TABLES].count, 1);
    const ecs_id_t bases = ecs_pair(EcsIsA, EcsWildcard);
    assert_int_equal(ecs__event_wanted(event, bases)->lists[ECS__REACH_TABLES].count, 1);
    assert_null(ecs__event_wanted(event, EcsAny));
    observe(world, ecs_pair(foo, EcsWildcard), EcsOnTableCreate);
    assert_int_equal(ecs__event_wanted(event, EcsAny)->lists[ECS__REACH_TABLES].count, 1);
    assert_true(ecs__events_verify(&world->events));
}

static void memory_of_events_is_freed_when_the_world_shrinks(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), base = ecs_new(world);
    observe(world, tag, EcsOnAdd);
    ecs_new_w_pair(world, EcsIsA, base);
    ecs_add_id(world, base, tag);
    assert_true(world->events.steps.count);
    assert_int_equal(ecs_map_count(&world->events.visited), 0);
    assert_non_null(world->events.visited.entries);
    ecs_shrink(world);
    assert_int_equal(world->events.steps.count, 0);
    assert_null(world->events.visited.entries);
}

static ecs__observer_t *internals(const ecs_world_t *world, ecs_entity_t observer) {
    return (ecs__observer_t *)(uintptr_t)ecs_observer_get(world, observer);
}

// If it was asked, the other would hear again.
static void switching_an_observer_asks_no_others(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), a = observe(world, tag, EcsOnAdd),
                 b = observe(world, tag, EcsOnAdd);
    internals(world, b)->is_disabled = true;
    ecs_enable(world, a, false);
    assert_true(internals(world, a)->is_disabled && internals(world, b)->is_disabled);
    ecs_enable(world, a, true);
    assert_true(!internals(world, a)->is_disabled && internals(world, b)->is_disabled);
}

// If it was asked again, it would not; it is when observers came or went.
static void who_hears_first_of_ends_is_asked_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = observe(world, ecs_new(world), EcsMonitor), parent;
    for (int i = 0; i < 3; i++) {
        parent = ecs_new(world);
        ecs_new_w_pair(world, EcsChildOf, parent);
        ecs_delete(world, parent);
        assert_int_equal(internals(world, a)->hears_first, i == 1);
        internals(world, a)->hears_first = true;
        if (i == 1) ecs_delete(world, observe(world, ecs_new(world), EcsOnAdd));
    }
}

static bool looks_around(ecs_world_t *world) {
    ecs_entity_t e = ecs_new_w_id(world, ecs_new(world));
    ecs_add_id(world, e, ecs_new(world));
    return world->events.looks_around;
}

// If it was asked again, the first would turn out to be a monitor now.
static void who_looks_around_is_asked_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new_w_id(world, EcsTransitive);
    ecs_id_t pair = ecs_pair(rel, ecs_new(world));
    ecs__observer_t *first = internals(world, observe(world, pair, EcsOnAdd));
    assert_false(looks_around(world));
    first->is_monitor = true;
    ecs_delete(world, observe(world, pair, EcsOnAdd));
    assert_false(looks_around(world));
    first->is_monitor = false;
    ecs_entity_t monitor = observe(world, pair, EcsMonitor);
    assert_true(looks_around(world));
    ecs_delete(world, monitor);
    assert_false(looks_around(world));
}

// Who came to be told of kinds is asked again where a term names the base, and its kinds with it.
static void bases_that_nobody_names_make_no_kinds(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t foo = ecs_new(world), rel = ecs_new(world), self = ecs_new(world),
                 prefab = ecs_new_w_id(world, EcsPrefab);
    observe(world, ecs_pair(rel, foo), EcsOnAdd);
    observe(world, ecs_isa(prefab), EcsOnAdd);
    ecs_observer(world, { .query.terms = { { .first.id = self | EcsSelf } },
                            .events = { EcsOnAdd },
                            .callback = nothing });
    const uint64_t before = world->store.kinds_stamp;
    ecs_new_w_id(world, prefab);
    ecs_new_w_pair(world, EcsIsA, prefab);
    ecs_new_w_pair(world, EcsIsA, self);
    assert_int_equal(world->store.kinds_stamp, before);
    ecs_new_w_pair(world, EcsIsA, foo);
    assert_int_equal(world->store.kinds_stamp, before + 1);
    ecs_new_w_pair(world, EcsIsA, rel);
    assert_int_equal(world->store.kinds_stamp, before + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_world_without_observers_listens_to_nothing),
        mini_world_test(any_event_is_none_of_tables),
        mini_world_test(the_keys_of_an_id_go_from_any_to_star),
        mini_world_test(waiters_are_filed_by_how_far_they_look),
        mini_world_test(observers_of_many_ids_keep_each_other_apart),
        mini_world_test(what_nobody_waits_for_any_more_is_forgotten),
        mini_world_test(observers_of_tables_are_filed_by_an_id),
        mini_world_test(memory_of_events_is_freed_when_the_world_shrinks),
        mini_world_test(switching_an_observer_asks_no_others),
        mini_world_test(who_hears_first_of_ends_is_asked_once),
        mini_world_test(who_looks_around_is_asked_once),
        mini_world_test(bases_that_nobody_names_make_no_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
