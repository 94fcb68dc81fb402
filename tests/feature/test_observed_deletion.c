// SPDX-License-Identifier: MIT
// What observers are told when something is removed, deleted or ends: OBS-04, OBS-10, TCS-14, CLN-13, CLN-14, TDN-02, TDN-05.
#include "observer_scene.h"

// OBS-04
static void a_value_is_readable_while_it_is_removed(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node", EcsOnRemove);
    ecs_entity_t e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = ecs_new(world);
        ecs_set(world, e[i], Node, { i });
    }
    ecs_remove(world, e[0], Node);
    ecs_clear(world, e[1]);
    ecs_delete(world, e[2]);
    assert_log("OnRemove Node=0; OnRemove Node=1; OnRemove Node=2");
    ecs_set(world, e[0], Node, { 9 });
    log_clear();
}

// OBS-10, TCS-14
static void deleting_a_target_tells_every_source(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t target = named(world, "T");
    for (int i = 0; i < 3; i++) ecs_new_w_pair(world, Rel, target);
    observe(world, "(Rel, *)", EcsOnRemove);
    ecs_delete(world, target);
    assert_log("OnRemove (Rel,T); OnRemove (Rel,T); OnRemove (Rel,T)");
}

static void entities_that_are_deleted_are_told_before_they_lose_anything(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node", EcsOnDelete);
    observe(world, "Node", EcsOnRemove);
    ecs_entity_t e = ecs_new(world), parent = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=1");
    ecs_set(world, e, Node, { 2 });
    ecs_delete(world, e);
    assert_log("OnDelete Node=2; OnRemove Node=2");
    for (int i = 0; i < 2; i++)
        ecs_set(world, ecs_new_w_pair(world, EcsChildOf, parent), Node, { i });
    ecs_defer_begin(world);
    ecs_delete(world, parent);
    ecs_defer_end(world);
    assert_log("OnDelete Node x2=0; OnRemove Node x2=0");
}

static void sources_are_told_of_the_deletion_of_their_target(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t bob = named(world, "Bob"), eve = named(world, "Eve"), e = named(world, "E");
    observe(world, "(Rel, *)", EcsOnDeleteTarget);
    observe(world, "(Rel, *)", EcsOnRemove);
    ecs_add_pair(world, e, Rel, bob);
    ecs_add_pair(world, e, Rel, eve);
    ecs_remove_pair(world, e, Rel, eve);
    assert_log("OnRemove (Rel,Eve)");
    ecs_add_pair(world, eve, Rel, bob);
    ecs_delete(world, bob);
    assert_log("OnDeleteTarget (Rel,Bob) x2; OnRemove (Rel,Bob); OnRemove (Rel,Bob)");
    assert_true(ecs_is_alive(world, e));
}

static void log_names(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) log_write("%s", ecs_get_name(it->world, it->entities[i]));
}
// CLN-13
static void children_are_told_before_their_parents(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Foo", .events = { EcsOnRemove }, .callback = log_names });
    ecs_entity_t parent = named(world, "P"), child = named(world, "C"),
                 grandchild = named(world, "G");
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_add_pair(world, grandchild, EcsChildOf, child);
    ecs_add(world, parent, Foo);
    ecs_add(world, child, Foo);
    ecs_add(world, grandchild, Foo);
    ecs_delete(world, parent);
    assert_log("G; C; P");
}

// CLN-14
static void deleting_a_component_tells_each_holder_once(void **state) {
    ecs_world_t *world = begin(state);
    int count = 0;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .callback = count_observed,
                            .ctx = &count });
    for (int i = 0; i < 5; i++) {
        ecs_entity_t e = ecs_new_w(world, Node);
        if (i & 1) ecs_add(world, e, Foo);
    }
    ecs_delete(world, ecs_id(Node));
    assert_int_equal(count, 5);
}

static int told_at_end, sum_at_end, freed;
static void count_free(void *ctx) { freed += *(int *)ctx; }
static void sum_nodes(ecs_iter_t *it) {
    const Node *node = ecs_field(it, Node, 0);
    told_at_end += it->count;
    for (int i = 0; i < it->count; i++) sum_at_end += node[i].value;
}
// TDN-02, TDN-05
static void at_the_end_each_value_is_told_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t last = 0;
    for (int i = 1; i <= 10; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Node, { i });
        if (last && i & 1) ecs_add_pair(world, e, EcsChildOf, last);
        last = e;
    }
    told_at_end = sum_at_end = freed = 0;
    static int one = 1;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .callback = sum_nodes,
                            .ctx = &one,
                            .ctx_free = count_free });
    ecs_observer(world, { .query.expr = "Node, ?Size",
                            .events = { EcsOnRemove },
                            .callback = sum_nodes,
                            .global_observer = true,
                            .ctx = &one,
                            .ctx_free = count_free });
    observe(world, "Node", EcsOnAdd);
}
static int end_of_the_end(void **state) {
    int result = world_teardown_(state);
    return result || told_at_end != 20 || sum_at_end != 110 || freed != 2;
}

static void count_told(ecs_iter_t *it) { told_at_end += it->count; }
// TDN-05: four levels, the last of them kept longer than the rest. What is above is told of once, not once per level that goes.
static void at_the_end_what_is_above_is_lost_once(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        ecs_world_t *world = ecs_mini();
        ECS_COMPONENT_DEFINE(world, Node);
        if (kind & 1) ecs_add_id(world, ecs_id(Node), EcsSparse);
        ecs_entity_t rel = ecs_new_w_id(world, EcsTraversable);
        if (kind & 1) ecs_add_id(world, rel, EcsDontFragment);
        if (kind < 2) rel = EcsIsA;
        ecs_observer(
            world, { .query.terms = { { ecs_id(Node), .src.id = EcsSelf | EcsUp, .trav = rel } },
                       .events = { EcsOnRemove },
                       .callback = count_told });
        ecs_entity_t levels[4];
        for (int i = 0; i < 4; i++) {
            levels[i] = ecs_new_w_id(world, i < 3 ? ecs_new(world) : 0);
            if (i) ecs_add_pair(world, levels[i], rel, levels[i - 1]);
        }
        ecs_set(world, levels[0], Node, { 1 });
        ecs_component_init(world,
            &(ecs_component_desc_t){ .entity = levels[3], .type.size = 4, .type.alignment = 4 });
        told_at_end = 0;
        ecs_fini(world);
        assert_int_equal(told_at_end, 4);
    }
}

static void at_the_end_yielding_observers_tell_of_all_once(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 1; i <= 20; i++) ecs_set(world, ecs_new(world), Node, { i < 20 ? 5 : 15 });
    told_at_end = sum_at_end = 0;
    freed = 2;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .yield_existing = true,
                            .callback = sum_nodes });
}

// CLN-01, OBS-10: who observes an id does not keep it, also if the observer looks for kinds of it by now.
static void what_is_observed_can_be_deleted_when_kinds_came(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t tag = named(world, "Seen"), kind = named(world, "Kind"), e = named(world, "E");
    observe(world, "Seen", EcsOnAdd);
    observe(world, "Seen", EcsOnRemove);
    observe(world, "Seen, Node", EcsMonitor);
    ecs_add_pair(world, kind, EcsIsA, tag);
    ecs_add_id(world, e, kind);
    ecs_set(world, e, Node, { 1 });
    ecs_add_id(world, e, tag);
    ecs_delete(world, tag);
    assert_false(ecs_is_alive(world, tag));
    assert_true(ecs_is_alive(world, e) && ecs_world_verify(world));
    log_clear();
}

// OBS-02: a base that was deleted before does not hide the others.
static void instances_are_told_of_what_other_bases_have(void **state) {
    ecs_world_t *world = begin(state);
    for (int sparse = 1; sparse >= 0; sparse--) {
        ecs_entity_t thin = ecs_new(world), dying = ecs_new_w(world, Bar), stays = ecs_new(world);
        if (sparse) ecs_add_id(world, thin, EcsDontFragment);
        ecs_add_id(world, stays, thin);
        ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, dying);
        ecs_add_pair(world, instance, EcsIsA, stays);
        int count = 0;
        ecs_entity_t o =
            ecs_observer(world, { .query.terms = { { .id = thin }, { .id = Foo, .oper = EcsNot } },
                                    .events = { EcsMonitor },
                                    .callback = count_observed,
                                    .ctx = &count });
        ecs_add(world, instance, Bar);
        ecs_delete_with(world, Bar);
        assert_false(ecs_is_alive(world, instance));
        assert_int_equal(count, 1); /* it left */
        ecs_delete(world, o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_value_is_readable_while_it_is_removed),
        mini_world_test(deleting_a_target_tells_every_source),
        mini_world_test(entities_that_are_deleted_are_told_before_they_lose_anything),
        mini_world_test(sources_are_told_of_the_deletion_of_their_target),
        mini_world_test(children_are_told_before_their_parents),
        mini_world_test(deleting_a_component_tells_each_holder_once),
        mini_world_test(what_is_observed_can_be_deleted_when_kinds_came),
        mini_world_test(instances_are_told_of_what_other_bases_have),
        cmocka_unit_test_setup_teardown(
            at_the_end_each_value_is_told_once, mini_world_setup_, end_of_the_end),
        cmocka_unit_test(at_the_end_what_is_above_is_lost_once),
        cmocka_unit_test_setup_teardown(
            at_the_end_yielding_observers_tell_of_all_once, mini_world_setup_, end_of_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
