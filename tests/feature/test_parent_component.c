// SPDX-License-Identifier: MIT
// Children by the component EcsParent: what is observable is as with pairs (ChildOf, parent), except the type.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static ecs_entity_t child_of(ecs_world_t *world, ecs_entity_t parent) {
    return ecs_insert(world, ecs_value(EcsParent, { parent }));
}

static void the_component_makes_a_child(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), other = ecs_new(world);
    ecs_entity_t child = child_of(world, root), deep = child_of(world, child);
    assert_type(world, child, "Parent, (ParentDepth,@1)");
    assert_type(world, deep, "Parent, (ParentDepth,@2)");
    assert_id_equal(world, ecs_get_parent(world, child), root);
    assert_id_equal(world, ecs_get_target(world, child, EcsChildOf, 0), root);
    assert_int_equal(ecs_get_target(world, child, EcsChildOf, 1), 0);
    assert_true(ecs_has_pair(world, child, EcsChildOf, root));
    assert_true(ecs_has_pair(world, child, EcsChildOf, EcsWildcard));
    assert_false(ecs_has_pair(world, child, EcsChildOf, other));
    assert_int_equal(ecs_get_depth(world, deep, EcsChildOf), 2);
    assert_int_equal(ecs_count_id(world, ecs_childof(root)), 1);
    assert_ptr_equal(ecs_get_table(world, child), ecs_get_table(world, child_of(world, other)));
    assert_true(ecs_world_verify(world));
}

static void a_child_has_one_parent_of_either_kind(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), child = child_of(world, a);
    ecs_set(world, child, EcsParent, { b });
    assert_id_equal(world, ecs_get_parent(world, child), b);
    assert_false(ecs_has_pair(world, child, EcsChildOf, a));
    ecs_add_pair(world, child, EcsChildOf, a);
    assert_false(ecs_has(world, child, EcsParent));
    assert_id_equal(world, ecs_get_parent(world, child), a);
    ecs_set(world, child, EcsParent, { b });
    assert_type(world, child, "Parent, (ParentDepth,@1)");
    assert_int_equal(ecs_count_id(world, ecs_childof(EcsWildcard)) >= 1, 1);
    ecs_remove(world, child, EcsParent);
    assert_type(world, child, "");
    assert_int_equal(ecs_get_parent(world, child), 0);
    ecs_set(world, child, EcsParent, { b });
    ecs_remove_pair(world, child, EcsChildOf, b);
    assert_type(world, child, "");
    ecs_set(world, child, EcsParent, { b });
    ecs_remove_pair(world, child, EcsChildOf, EcsWildcard);
    assert_type(world, child, "");
    ecs_set(world, child, EcsParent, { b });
    ecs_clear(world, child);
    assert_int_equal(ecs_get_parent(world, child), 0);
    ecs_iter_t it = ecs_children(world, b);
    assert_false(ecs_children_next(&it));
}

static void check_children(
    ecs_world_t *world, ecs_entity_t parent, const ecs_entity_t *expected, int32_t count) {
    ecs_iter_t it = ecs_children(world, parent);
    assert_true(ecs_children_next(&it));
    assert_int_equal(it.count, count);
    for (int32_t i = 0; i < count; i++) assert_id_equal(world, it.entities[i], expected[i]);
    assert_false(ecs_children_next(&it));
}

static void children_are_listed_in_order_with_those_by_pair(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), es[4];
    es[0] = ecs_new_w_pair(world, EcsChildOf, parent);
    es[1] = child_of(world, parent);
    es[2] = ecs_new_w_pair(world, EcsChildOf, parent);
    es[3] = ecs_new_w_parent(world, parent, NULL);
    check_children(world, parent, es, 4);
    assert_int_equal(ecs_get_ordered_children(world, parent).count, 4);
    ecs_set_child_order(world, parent, (ecs_entity_t[]){ es[3], es[2], es[1], es[0] }, 4);
    check_children(world, parent, (ecs_entity_t[]){ es[3], es[2], es[1], es[0] }, 4);
    ecs_delete(world, es[2]);
    ecs_remove(world, es[1], EcsParent);
    check_children(world, parent, (ecs_entity_t[]){ es[3], es[0] }, 2);
    ecs_set(world, es[1], EcsParent, { parent });
    check_children(world, parent, (ecs_entity_t[]){ es[3], es[0], es[1] }, 3);
    ecs_add_pair(world, es[3], EcsChildOf, parent); /* changes its kind, and comes last */
    check_children(world, parent, (ecs_entity_t[]){ es[0], es[1], es[3] }, 3);
    ecs_set_version(world, es[1] + (3ull << 32));
    check_children(world, parent, (ecs_entity_t[]){ es[0], es[1] + (3ull << 32), es[3] }, 3);
    assert_id_equal(world, ecs_get_parent(world, es[1] + (3ull << 32)), parent);
}

static void names_are_found_below_the_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_entity(world, { .name = "A" }), b = ecs_entity(world, { .name = "B" });
    ecs_entity_t child = ecs_new_w_parent(world, a, "Child");
    assert_id_equal(world, ecs_new_w_parent(world, a, "Child"), child);
    assert_id_equal(world, ecs_lookup(world, "A.Child"), child);
    assert_id_equal(world, ecs_lookup_child(world, a, "Child"), child);
    char *path = ecs_get_path(world, child);
    assert_string_equal(path, "A.Child");
    ecs_os_free(path);
    ecs_set(world, child, EcsParent, { b });
    assert_int_equal(ecs_lookup(world, "A.Child"), 0);
    assert_id_equal(world, ecs_lookup(world, "B.Child"), child);
    ecs_add_pair(world, child, EcsChildOf, a);
    assert_id_equal(world, ecs_lookup(world, "A.Child"), child);
    ecs_set(world, child, EcsParent, { b });
    ecs_entity_t deep = child_of(world, child);
    ecs_set_name(world, deep, "Deep");
    assert_id_equal(world, ecs_lookup(world, "B.Child.Deep"), deep);
    ecs_remove(world, child, EcsParent);
    assert_id_equal(world, ecs_lookup(world, "Child.Deep"), deep);
    ecs_entity_t named =
        ecs_entity(world, { .name = "Named", .set = ecs_values(ecs_value(EcsParent, { a })) });
    assert_id_equal(world, ecs_lookup(world, "A.Named"), named);
    assert_true(ecs_world_verify(world));
}

static void children_are_deleted_with_their_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), a = child_of(world, root);
    ecs_entity_t b = ecs_new_w_pair(world, EcsChildOf, a), c = child_of(world, b);
    ecs_entity_t other = child_of(world, ecs_new(world));
    ecs_delete(world, c);
    c = child_of(world, b);
    ecs_delete(world, root);
    assert_false(ecs_is_alive(world, a) || ecs_is_alive(world, b) || ecs_is_alive(world, c));
    assert_true(ecs_is_alive(world, other));
    ecs_entity_t again = ecs_new(world);
    ecs_iter_t it = ecs_children(world, again); /* the id is used again */
    assert_false(ecs_children_next(&it));
    root = ecs_new(world);
    a = child_of(world, root);
    ecs_delete_with(world, ecs_childof(root));
    assert_true(ecs_is_alive(world, root) && !ecs_is_alive(world, a));
    ecs_entity_t deep = ecs_new(world), top = deep;
    for (int i = 0; i < 5000; i++) deep = child_of(world, deep);
    ecs_delete(world, top);
    assert_false(ecs_is_alive(world, deep));
}

static void depths_follow_when_parents_move(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), top = ecs_new(world);
    ecs_entity_t a = child_of(world, root), b = child_of(world, a);
    ecs_entity_t pair = ecs_new_w_pair(world, EcsChildOf, b), c = child_of(world, pair);
    assert_type(world, c, "Parent, (ParentDepth,@4)");
    ecs_set(world, root, EcsParent, { top });
    assert_type(world, b, "Parent, (ParentDepth,@3)");
    assert_type(world, c, "Parent, (ParentDepth,@5)");
    ecs_add_pair(world, a, EcsChildOf, ecs_new_w_pair(world, EcsChildOf, top));
    assert_type(world, b, "Parent, (ParentDepth,@3)");
    ecs_remove_pair(world, a, EcsChildOf, EcsWildcard);
    assert_type(world, b, "Parent, (ParentDepth,@1)");
    assert_type(world, c, "Parent, (ParentDepth,@3)");
    assert_int_equal(ecs_get_depth(world, c, EcsChildOf), 3);
    assert_int_equal(ecs_table_get_depth(world, ecs_get_table(world, c), EcsChildOf), 3);
}

static void what_cannot_be_a_parent_is_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), a = child_of(world, root), b = child_of(world, a);
    ecs_entity_t dead = ecs_new(world);
    ecs_delete(world, dead);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set(world, b, EcsParent, { 0 }));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set(world, b, EcsParent, { dead }));
    expect_abort(ECS_INVALID_PARAMETER, ecs_new_w_parent(world, dead, NULL));
    expect_abort(ECS_CYCLE_DETECTED, ecs_set(world, b, EcsParent, { b }));
    expect_abort(ECS_CYCLE_DETECTED, ecs_set(world, root, EcsParent, { b }));
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, root, EcsChildOf, b));
    ecs_readonly_begin(world, true);
    expect_abort(ECS_INVALID_WHILE_READONLY, ecs_new_w_parent(world, root, NULL));
    ecs_readonly_end(world);
}

static void commands_make_the_same_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_entity(world, { .name = "Root" }), doomed = ecs_new(world);
    ecs_defer_begin(world);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), lost = ecs_new(world);
    ecs_set(world, a, EcsParent, { root });
    ecs_set(world, b, EcsParent, { a });
    ecs_set_name(world, b, "B");
    ecs_delete(world, doomed);
    ecs_set(world, lost, EcsParent, { doomed });
    ecs_entity_t now = ecs_new_w_parent(world, root, "Now");
    assert_id_equal(world, ecs_get_parent(world, now), root);
    assert_id_equal(world, ecs_lookup(world, "Root.Now"), now);
    assert_int_equal(ecs_get_parent(world, a), 0);
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_parent(world, b), a);
    assert_type(world, b, "Parent, (Identifier,Name), (ParentDepth,@2)");
    assert_false(ecs_is_alive(world, lost)); /* its parent died first */
    assert_id_equal(world, ecs_lookup_child(world, a, "B"), b);
    check_children(world, root, (ecs_entity_t[]){ now, a }, 2);
}

static void children_come_in_bulk_and_as_clones(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world);
    EcsParent values[] = { { root }, { root }, { root } };
    const ecs_entity_t *made = ecs_bulk_init(
        world, &(ecs_bulk_desc_t){
                   .count = 3, .ids = { ecs_id(EcsParent) }, .data = (void *[]){ values } });
    ecs_entity_t es[4] = { made[0], made[1], made[2] };
    check_children(world, root, es, 3);
    assert_type(world, es[2], "Parent, (ParentDepth,@1)");
    es[3] = ecs_clone(world, 0, es[1], true);
    check_children(world, root, es, 4);
    assert_type(world, es[3], "Parent, (ParentDepth,@1)");
    assert_true(ecs_world_verify(world));
}

static int32_t added, removed;
static void hear(ecs_iter_t *it) {
    assert_true(ECS_HAS_RELATION(it->event_id, EcsChildOf));
    *(it->event == EcsOnAdd ? &added : &removed) += it->count;
}

static void events_are_those_of_the_pair(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_observer(world, { .query.terms = { { ecs_childof(EcsWildcard) } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = hear });
    added = removed = 0;
    ecs_entity_t child = child_of(world, a);
    assert_int_equal(added, 1);
    ecs_set(world, child, EcsParent, { a });
    assert_int_equal(added, 1);
    ecs_set(world, child, EcsParent, { b });
    assert_true(added == 2 && removed == 1);
    ecs_remove(world, child, EcsParent);
    assert_true(added == 2 && removed == 2);
    child = child_of(world, a);
    ecs_delete(world, child);
    assert_true(added == 3 && removed == 3);
    child = child_of(world, a);
    ecs_delete(world, a);
    assert_true(added == 4 && removed == 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(the_component_makes_a_child),
        world_test(a_child_has_one_parent_of_either_kind),
        world_test(children_are_listed_in_order_with_those_by_pair),
        world_test(names_are_found_below_the_parent),
        world_test(children_are_deleted_with_their_parent),
        world_test(depths_follow_when_parents_move),
        world_test(what_cannot_be_a_parent_is_refused),
        world_test(commands_make_the_same_children),
        world_test(children_come_in_bulk_and_as_clones),
        world_test(events_are_those_of_the_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
