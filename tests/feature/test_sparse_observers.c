// SPDX-License-Identifier: MIT
// Observers and monitors over what entities have beside their tables: TCS-14.
#include "support/world.h"

#include "support/check.h"

static ecs_entity_t Union, Several, Beside, Tag, a, b;
static int entered[3], left[3], told;
static ecs_id_t last_id;

static void on_monitor(ecs_iter_t *it) {
    int *index = it->ctx;
    assert_int_equal(it->count, 1);
    if (it->event == EcsOnAdd)
        entered[*index]++;
    else
        left[*index]++;
}

static void expect(int index, int in, int out) {
    assert_int_equal(entered[index], in);
    assert_int_equal(left[index], out);
    entered[index] = left[index] = 0;
}

static void expect_quiet(void) {
    for (int i = 0; i < 3; i++) expect(i, 0, 0);
}

static void monitor(ecs_world_t *world, const char *expr, int index) {
    static int indices[] = { 0, 1, 2 };
    assert_true(ecs_observer(world, { .query.expr = expr,
                                        .events = { EcsMonitor },
                                        .callback = on_monitor,
                                        .ctx = &indices[index] }) != 0);
}

static void use(ecs_world_t *world) {
    memset(entered, 0, sizeof entered);
    memset(left, 0, sizeof left);
    told = 0;
    Union = ecs_entity(world, { .name = "Union" });
    Several = ecs_relationship(world, { .name = "Several", .sparse = true });
    Beside = ecs_entity(world, { .name = "Beside" });
    Tag = ecs_entity(world, { .name = "Tag" });
    ecs_add_id(world, Union, EcsUnion);
    ecs_add_id(world, Beside, EcsDontFragment);
    a = ecs_entity(world, { .name = "a" });
    b = ecs_entity(world, { .name = "b" });
}

static void monitors_judge_single_entities(void **state) {
    ecs_world_t *world = *state;
    use(world);
    monitor(world, "Tag, (Union, *)", 0);
    monitor(world, "Tag, (Several, *)", 1);
    monitor(world, "Tag, !Beside", 2);
    ecs_entity_t e = ecs_new(world), other = ecs_new(world);
    ecs_add_pair(world, e, Union, a);
    ecs_add_id(world, e, Tag);
    ecs_add_id(world, other, Tag); /* in another table, without a target */
    expect(0, 1, 0);
    expect(1, 0, 0);
    expect(2, 2, 0);
    ecs_add_pair(world, e, Several, b);
    expect(1, 1, 0);
    ecs_add_pair(world, e, Several, a); /* one more changes nothing */
    ecs_remove_pair(world, e, Several, b);
    expect_quiet();
    ecs_remove_pair(world, e, Several, a);
    expect(1, 0, 1);
    ecs_add_id(world, e, Beside);
    expect(2, 0, 1);
    ecs_remove_id(world, e, Beside);
    expect(2, 1, 0);
    ecs_add_id(world, e, ecs_new(world));
    expect_quiet();
    ecs_delete(world, a); /* the target */
    expect(0, 0, 1);
    ecs_delete(world, e);
    expect(2, 0, 1);
    expect_quiet();
}

static void on_event(ecs_iter_t *it) {
    told++;
    last_id = ecs_field_id(it, 1);
}

static void events_are_told_about_what_triggered(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_id(world, a, Beside);
    ecs_observer(world, { .query.expr = "Tag, (Several, $x), Beside($x)",
                            .events = { EcsOnAdd },
                            .callback = on_event });
    ecs_entity_t e = ecs_new_w_id(world, Tag);
    ecs_add_pair(world, e, Several, b);
    assert_int_equal(told, 0);
    ecs_add_pair(world, e, Several, a);
    assert_int_equal(told, 1);
    assert_id_equal(world, last_id, ecs_pair(Several, a));
    ecs_add_id(world, b, Beside); /* not on the entity itself */
    ecs_remove_id(world, e, Tag);
    ecs_add_id(world, e, Tag);
    assert_int_equal(told, 2);
}

static void on_delete(ecs_iter_t *it) {
    told += it->count;
    assert_true(ecs_has_id(it->world, it->entities[0], it->event_id));
}

static void deletions_are_told(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_observer(world,
        { .query.terms = { { .id = Beside } }, .events = { EcsOnDelete }, .callback = on_delete });
    ecs_observer(world, { .query.terms = { { .id = ecs_pair(Several, EcsWildcard) } },
                            .events = { EcsOnDeleteTarget },
                            .callback = on_delete });
    ecs_entity_t e = ecs_new_w_id(world, Beside), f = ecs_new_w_pair(world, Several, a);
    ecs_add_pair(world, e, Several, a);
    ecs_add_pair(world, e, Several, b);
    ecs_delete(world, a);
    assert_int_equal(told, 2);
    ecs_delete(world, f);
    ecs_remove_id(world, e, Beside);
    ecs_add_id(world, e, Beside);
    assert_int_equal(told, 2);
    ecs_delete(world, e);
    assert_int_equal(told, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(monitors_judge_single_entities),
        mini_world_test(events_are_told_about_what_triggered),
        mini_world_test(deletions_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
