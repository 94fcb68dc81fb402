// SPDX-License-Identifier: MIT
// Routes of events through the public functions: what is remembered must never be out of date.
#include "support/world.h"

#include "world/state.h"

typedef struct Node {
    int value;
} Node;
static ECS_COMPONENT_DECLARE(Node);

static ecs_world_t *begin(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Node) = 0;
    ECS_COMPONENT_DEFINE(world, Node);
    return world;
}

static void count(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

static ecs_entity_t listen(ecs_world_t *world, ecs_id_t id, ecs_entity_t event, int *told) {
    return ecs_observer(
        world, { .query.terms = { { id } }, .events = { event }, .callback = count, .ctx = told });
}

static void observers_that_come_and_go_change_the_next_event(void **state) {
    ecs_world_t *world = begin(state);
    int first = 0, second = 0;
    ecs_entity_t one = listen(world, ecs_id(Node), EcsOnAdd, &first);
    ecs_delete(world, ecs_new_w(world, Node));
    ecs_entity_t two = listen(world, ecs_id(Node), EcsOnAdd, &second);
    ecs_delete(world, ecs_new_w(world, Node));
    ecs_enable(world, one, false);
    ecs_delete(world, ecs_new_w(world, Node));
    ecs_delete(world, two);
    ecs_enable(world, one, true);
    ecs_new_w(world, Node);
    assert_int_equal(first, 3);
    assert_int_equal(second, 2);
}

// More pairs of tables than there are places, in changing order.
static void many_tables_do_not_confuse_routes(void **state) {
    enum { TAGS = 700 };
    ecs_world_t *world = begin(state);
    int added = 0, removed = 0, set = 0;
    listen(world, ecs_id(Node), EcsOnAdd, &added);
    listen(world, ecs_id(Node), EcsOnRemove, &removed);
    listen(world, ecs_id(Node), EcsOnSet, &set);
    ecs_entity_t entities[TAGS];
    for (int i = 0; i < TAGS; i++) entities[i] = ecs_new_w_id(world, ecs_new(world));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < TAGS; i++) {
            ecs_set(world, entities[i * 3 % TAGS], Node, { i });
            if (i % 2) ecs_remove(world, entities[i * 3 % TAGS], Node);
        }
        ecs_remove_all(world, ecs_id(Node));
    }
    assert_int_equal(added, 3 * TAGS);
    assert_int_equal(removed, 3 * TAGS);
    assert_int_equal(set, 3 * TAGS);
}

// A table that is made where a deleted one was is not taken for it.
static void new_tables_have_routes_of_their_own(void **state) {
    ecs_world_t *world = begin(state);
    int told = 0;
    ecs_entity_t wanted = ecs_new(world);
    listen(world, wanted, EcsOnAdd, &told);
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w_id(world, ecs_new(world));
        if (i % 2) ecs_add_id(world, e, wanted);
        ecs_delete(world, e);
        ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    }
    assert_int_equal(told, 50);
}

// Events from nothing cost nothing: nobody's route is ever worked out.
static void without_observers_nothing_is_worked_out(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w(world, Node);
        ecs_set(world, e, Node, { i });
        ecs_add_pair(world, e, EcsChildOf, ecs_new(world));
        ecs_delete(world, e);
    }
    assert_null(world->events.routes);
    assert_int_equal(world->info.observers_ran_total, 0);
}

// ---- observers inside observers ----

typedef struct nest_t {
    ecs_entity_t chain[8];
    int at, values[8];
} nest_t;

// Tells of the next entity while it is being told of one, then looks at its own again.
static void tell_of_next(ecs_iter_t *it) {
    nest_t *nest = it->ctx;
    const Node *node = ecs_field(it, Node, 0);
    int me = nest->at++;
    if (me < 7) {
        ecs_defer_suspend(it->world);
        ecs_modified(it->real_world, nest->chain[me + 1], Node);
        ecs_defer_resume(it->world);
    }
    assert_true(it->entities[0] == nest->chain[me]);
    nest->values[me] = node[0].value;
}

static void an_iterator_stays_what_it_was_while_others_are_told(void **state) {
    ecs_world_t *world = begin(state);
    nest_t nest = { .at = 0 };
    for (int i = 0; i < 8; i++) {
        nest.chain[i] = ecs_new(world);
        ecs_set(world, nest.chain[i], Node, { i });
    }
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnSet },
                            .callback = tell_of_next,
                            .ctx = &nest });
    ecs_modified(world, nest.chain[0], Node);
    assert_int_equal(nest.at, 8);
    for (int i = 0; i < 8; i++) assert_int_equal(nest.values[i], i);
}

static void listen_too(ecs_iter_t *it) {
    int *told = it->ctx;
    if (told[0]++ < 20) listen(it->real_world, ecs_id(Node), EcsOnAdd, &told[1]);
}

static void observers_made_while_others_are_told_hear_the_next_event(void **state) {
    ecs_world_t *world = begin(state);
    int told[2] = { 0 };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnAdd },
                            .callback = listen_too,
                            .ctx = told });
    for (int i = 0; i < 5; i++) ecs_new_w(world, Node);
    assert_int_equal(told[0], 5);
    assert_int_equal(told[1], 0 + 1 + 2 + 3 + 4);
}

typedef struct {
    ecs_entity_t tag;
    int told;
} change_t;

static void change_what_is_told_of(ecs_iter_t *it) {
    change_t *change = it->ctx;
    ecs_add_id(it->world, it->entities[0], change->tag);
    assert_false(ecs_has_id(it->world, it->entities[0], change->tag)); /* rows stay */
    change->told++;
}

// What an observer changes waits, also while deferring is suspended.
static void rows_stay_under_observers_of_a_suspended_world(void **state) {
    ecs_world_t *world = begin(state);
    change_t change = { ecs_new(world), 0 };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnAdd, EcsOnSet },
                            .callback = change_what_is_told_of,
                            .ctx = &change });
    for (int round = 0; round < 3; round++) {
        ecs_entity_t before = ecs_new(world), entity = ecs_new(world);
        ecs_add(world, before, Node);
        ecs_defer_begin(world);
        ecs_defer_suspend(world);
        ecs_add(world, entity, Node);
        ecs_defer_resume(world);
        ecs_defer_end(world);
        assert_true(ecs_has_id(world, before, change.tag));
        assert_true(ecs_has_id(world, entity, change.tag));
        ecs_remove_id(world, before, change.tag);
        ecs_remove_id(world, entity, change.tag);
        ecs_set(world, before, Node, { 1 });
        ecs_defer_begin(world);
        ecs_defer_suspend(world);
        ecs_set(world, entity, Node, { 2 });
        ecs_defer_resume(world);
        ecs_defer_end(world);
        assert_int_equal(change.told, 4 * (round + 1));
    }
}

typedef struct {
    ecs_entity_t event, entity;
} last_t;

static void note_last(ecs_iter_t *it) {
    *(last_t *)it->ctx = (last_t){ it->event, it->entities[0] };
    assert_true(it->event_id == ecs_id(Node) && ecs_field(it, Node, 0));
}

static void events_that_alternate_are_told_as_what_they_are(void **state) {
    ecs_world_t *world = begin(state);
    last_t last = { 0, 0 };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                            .callback = note_last,
                            .ctx = &last });
    for (int i = 0; i < 10; i++) {
        ecs_entity_t entity = ecs_new(world);
        ecs_add(world, entity, Node);
        assert_true(last.event == EcsOnAdd && last.entity == entity);
        ecs_set(world, entity, Node, { i });
        assert_true(last.event == EcsOnSet && last.entity == entity);
        ecs_remove(world, entity, Node);
        assert_true(last.event == EcsOnRemove && last.entity == entity);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(observers_that_come_and_go_change_the_next_event),
        mini_world_test(many_tables_do_not_confuse_routes),
        mini_world_test(new_tables_have_routes_of_their_own),
        mini_world_test(without_observers_nothing_is_worked_out),
        mini_world_test(an_iterator_stays_what_it_was_while_others_are_told),
        mini_world_test(observers_made_while_others_are_told_hear_the_next_event),
        mini_world_test(rows_stay_under_observers_of_a_suspended_world),
        mini_world_test(events_that_alternate_are_told_as_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
