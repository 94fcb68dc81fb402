// SPDX-License-Identifier: MIT
// Children by the component EcsParent: what is observable is as with pairs (ChildOf, parent), except the type.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

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
    ecs_add_pair(world, child, EcsChildOf, a);
    ecs_add(world, child, EcsParent); /* nobody yet */
    assert_type(world, child, "Parent");
    assert_int_equal(ecs_get_parent(world, child), 0);
    ecs_set(world, child, EcsParent, { b });
    assert_id_equal(world, ecs_get_parent(world, child), b);
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
    assert_int_equal((uint32_t)again, (uint32_t)root);
    ecs_new_w_pair(world, EcsChildOf, again);
    it = ecs_children(world, again);
    assert_true(ecs_children_next(&it) && it.table); /* and keeps no order */
    ecs_iter_fini(&it);
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

// GRT-12
typedef struct adoption_t {
    ecs_entity_t parent;
    bool leaves_first;
} adoption_t;

static void adopt(ecs_iter_t *it) {
    adoption_t *adoption = it->ctx;
    ecs_entity_t parent = adoption->parent;
    adoption->parent = 0;
    if (!parent) return;
    if (adoption->leaves_first) ecs_remove(it->world, it->entities[0], EcsParent);
    ecs_set(it->world, it->entities[0], EcsParent, { parent });
}

// Whoever is told of a child, and at once gives it to another parent, at any depth.
static void depths_are_those_of_the_last_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parents[4] = { ecs_new(world) };
    for (int i = 1; i < 4; i++) parents[i] = child_of(world, parents[i - 1]);
    adoption_t adoption = { 0 }; /* `below` comes unnoticed */
    for (int way = 0; way < 2 * 2 * 2 * 4 * 4; way++) {
        bool is_set = way & 1, deferred = way & 2, leaves_first = way & 4;
        int first = way / 8 % 4, second = way / 32;
        ecs_entity_t observer =
            ecs_observer(world, { .query.terms = { { .id = ecs_id(EcsParent) } },
                                    .events = { is_set ? EcsOnSet : EcsOnAdd },
                                    .callback = adopt,
                                    .ctx = &adoption });
        ecs_entity_t child = ecs_new(world), below = child_of(world, child);
        adoption = (adoption_t){ parents[second], leaves_first };
        if (deferred) ecs_defer_begin(world);
        ecs_set(world, child, EcsParent, { parents[first] });
        if (deferred) ecs_defer_end(world);
        assert_id_equal(world, ecs_get_parent(world, child), parents[second]);
        assert_true(ecs_owns_id(world, child, ecs_value_pair(EcsParentDepth, second + 1)));
        assert_true(ecs_owns_id(world, below, ecs_value_pair(EcsParentDepth, second + 2)));
        ecs_delete(world, observer);
        ecs_delete(world, child);
    }
}

typedef struct detour_t {
    ecs_entity_t entity, parent;
} detour_t;

static void take_detour(ecs_iter_t *it) {
    detour_t *detour = it->ctx;
    ecs_entity_t entity = detour->entity;
    detour->entity = 0;
    if (!entity) return;
    ecs_defer_suspend(it->world);
    ecs_set(it->world, entity, EcsParent, { detour->parent });
    ecs_remove(it->world, entity, EcsParent);
    ecs_defer_resume(it->world);
}

// Whoever is told of a change of the kind of parent may make the same of others at once.
static void changes_of_parents_may_lie_within_each_other(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    for (int way = 0; way < 2 * 3; way++) {
        ecs_entity_t child = way < 2 ? ecs_new_w_pair(world, EcsChildOf, a) : child_of(world, a);
        detour_t detour = { ecs_new_w_pair(world, EcsChildOf, a), b };
        ecs_entity_t other = detour.entity;
        ecs_entity_t observer =
            ecs_observer(world, { .query.terms = { { .id = ecs_pair(EcsChildOf, EcsWildcard) } },
                                    .events = { way % 2 ? EcsOnAdd : EcsOnRemove },
                                    .callback = take_detour,
                                    .ctx = &detour });
        if (way < 2)
            ecs_set(world, child, EcsParent, { b });
        else if (way < 4)
            ecs_add_pair(world, child, EcsChildOf, b);
        else
            ecs_remove(world, child, EcsParent);
        assert_id_equal(world, ecs_get_parent(world, child), way < 4 ? b : 0);
        bool is_told = way != 5; /* nothing comes then */
        assert_id_equal(world, ecs_get_parent(world, other), is_told ? 0 : a);
        ecs_delete(world, observer);
        assert_true(ecs_world_verify(world));
    }
}

// Whoever is told of a parent, and suspends deferring, decides.

typedef struct told_t {
    ecs_entity_t event, parent, other;
    void (*act)(ecs_world_t *world, ecs_entity_t child, const struct told_t *told);
} told_t;

static void act_once(ecs_iter_t *it) {
    told_t *told = it->ctx;
    if (!told->act || it->event != told->event) return;
    void (*act)(ecs_world_t *, ecs_entity_t, const told_t *) = told->act;
    told->act = NULL;
    ecs_defer_suspend(it->world);
    act(it->world, it->entities[0], told);
    ecs_defer_resume(it->world);
}

static void end_child(ecs_world_t *world, ecs_entity_t child, const told_t *told) {
    (void)told;
    ecs_delete(world, child);
}

static void empty_child(ecs_world_t *world, ecs_entity_t child, const told_t *told) {
    (void)told;
    ecs_clear(world, child);
}

static void free_child(ecs_world_t *world, ecs_entity_t child, const told_t *told) {
    (void)told;
    ecs_remove(world, child, EcsParent);
}

static void end_parent(ecs_world_t *world, ecs_entity_t child, const told_t *told) {
    (void)child;
    ecs_delete(world, told->parent);
}

static void take_over(ecs_world_t *world, ecs_entity_t child, const told_t *told) {
    ecs_set(world, child, EcsParent, { told->other });
}

static void take_over_by_pair(ecs_world_t *world, ecs_entity_t child, const told_t *told) {
    ecs_add_pair(world, child, EcsChildOf, told->other);
}

static void check_told(void (*act)(ecs_world_t *, ecs_entity_t, const told_t *), ecs_id_t heard,
    ecs_entity_t event, int before, bool is_deferred) {
    ecs_world_t *world = ecs_mini();
    told_t told = { .event = event, .parent = ecs_new(world), .other = ecs_new(world) };
    ecs_entity_t child = ecs_entity(world, { .name = "child" });
    if (before == 1) ecs_set(world, child, EcsParent, { told.other });
    if (before == 2) ecs_add_pair(world, child, EcsChildOf, told.other);
    ecs_observer(world, { .query.terms = { { heard } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = act_once,
                            .ctx = &told });
    told.act = act;
    if (is_deferred) ecs_defer_begin(world);
    ecs_set(world, child, EcsParent, { told.parent });
    if (is_deferred) ecs_defer_end(world);
    assert_true(ecs_world_verify(world));
    if (!ecs_is_alive(world, child)) {
        assert_true(act == end_child || act == end_parent);
    } else {
        const EcsParent *value = ecs_get(world, child, EcsParent);
        const ecs_entity_t parent = ecs_get_parent(world, child);
        assert_true(!value || value->value == parent);
        assert_id_equal(world, ecs_lookup_child(world, parent, "child"),
            ecs_get_name(world, child) ? child : 0);
        assert_true(told.act || (act != end_child && act != end_parent));
    }
    told.act = NULL;
    assert_int_equal(ecs_fini(world), 0);
}

static void whoever_is_told_of_a_parent_decides(void **state) {
    (void)state;
    void (*const acts[])(ecs_world_t *, ecs_entity_t, const told_t *) = { end_child, empty_child,
        free_child, end_parent, take_over, take_over_by_pair };
    const ecs_id_t heard[] = { ecs_id(EcsParent), ecs_childof(EcsWildcard) };
    const ecs_entity_t events[] = { EcsOnAdd, EcsOnRemove };
    for (int i = 0; i < 6 * 2 * 2 * 3 * 2; i++) {
        const int event = i / 12 % 2, before = i / 24 % 3;
        if (event && before == 2) continue; /* misuse: the row is about to move */
        check_told(acts[i % 6], heard[i / 6 % 2], events[event], before, i / 72);
    }
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
    ecs_entity_t c = ecs_new_w_pair(world, EcsChildOf, b); /* gets the id of the dead */
    assert_int_equal(ecs_get_version(c), 1);
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, root, EcsChildOf, c));
    expect_abort(ECS_CYCLE_DETECTED, ecs_set(world, root, EcsParent, { c }));
    ecs_readonly_begin(world, true);
    expect_abort(ECS_INVALID_WHILE_READONLY, ecs_new_w_parent(world, root, NULL));
    ecs_readonly_end(world);
}

static void go_on(void) {}

// A parent that cannot be is refused, and the old one stays.
static void a_refused_parent_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), child = ecs_new(world), other = ecs_new(world);
    ecs_set(world, child, EcsParent, { parent });
    void (*abort)(void) = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    expect_error(ECS_INVALID_PARAMETER, "to 0", ecs_set(world, child, EcsParent, { 0 }));
    expect_error(ECS_CYCLE_DETECTED, "below", ecs_set(world, parent, EcsParent, { child }));
    expect_error(ECS_CYCLE_DETECTED, "below", ecs_set(world, child, EcsParent, { child }));
    expect_error(ECS_INVALID_PARAMETER, "to 0", ecs_set(world, other, EcsParent, { 0 }));
    ecs_entity_t by_pair = ecs_new_w_pair(world, EcsChildOf, parent), below = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add_pair(world, below, EcsChildOf, by_pair);
    ecs_set(world, by_pair, EcsParent, { below });
    expect_error(ECS_CYCLE_DETECTED, "below", ecs_defer_end(world));
    ecs_os_api.abort_ = abort;
    assert_true(ecs_get_parent(world, child) == parent);
    assert_true(ecs_get(world, child, EcsParent)->value == parent);
    assert_false(ecs_has(world, parent, EcsParent));
    assert_false(ecs_has(world, other, EcsParent));
    assert_true(ecs_has_pair(world, by_pair, EcsChildOf, parent));
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

// Children by component come at once, also to a list that is being walked.
static void children_that_come_while_others_are_walked_are_not_among_them(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), es[3];
    for (int i = 0; i < 3; i++) es[i] = ecs_new_w_parent(world, parent, NULL);
    ecs_defer_begin(world);
    ecs_iter_t it = ecs_children(world, parent);
    assert_true(ecs_children_next(&it));
    for (int i = 0; i < it.count; i++) {
        assert_id_equal(world, it.entities[i], es[i]);
        for (int n = 0; n < 10; n++) ecs_new_w_parent(world, parent, NULL);
    }
    assert_int_equal(it.count, 3);
    assert_false(ecs_children_next(&it));
    ecs_defer_end(world);
    assert_int_equal(ecs_get_ordered_children(world, parent).count, 33);
}

// DEF-01
static void no_child_comes_to_a_table_that_is_being_iterated(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world);
    ecs_new_w_parent(world, parent, NULL);
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_id(EcsParent) } } });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    expect_abort(ECS_LOCKED_STORAGE, ecs_new_w_parent(world, parent, NULL));
    expect_abort(ECS_LOCKED_STORAGE, ecs_new_w_parent(world, parent, "Name"));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// DEF-07: the parent that is taken away is that of the value set before.
static void a_parent_given_and_taken_in_one_batch_is_gone(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), tag = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        ecs_entity_t child = child_of(world, a);
        ecs_defer_begin(world);
        ecs_set(world, child, EcsParent, { b });
        ecs_remove_pair(world, child, EcsChildOf, i ? a : b);
        ecs_add_id(world, child, tag);
        ecs_defer_end(world);
        assert_int_equal(ecs_get_parent(world, child), i ? b : 0);
        assert_int_equal(ecs_has(world, child, EcsParent), i);
        assert_true(ecs_has_id(world, child, tag));
    }
}

static void children_come_in_bulk_and_as_clones(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world);
    EcsParent values[] = { { root }, { root }, { root } };
    const ecs_entity_t *made = ecs_bulk_init(
        world, &(ecs_bulk_desc_t){
                   .count = 3, .ids = { ecs_id(EcsParent) }, .data = (void *[]){ values } });
    ecs_entity_t es[5] = { made[0], made[1], made[2] };
    check_children(world, root, es, 3);
    assert_type(world, es[2], "Parent, (ParentDepth,@1)");
    es[3] = ecs_clone(world, 0, es[1], true);
    check_children(world, root, es, 4);
    assert_type(world, es[3], "Parent, (ParentDepth,@1)");
    es[4] = ecs_clone(world, 0, es[1], false); /* the parent is no mere value */
    check_children(world, root, es, 5);
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

static void hear_in_place(ecs_iter_t *it) {
    const ecs_entity_t *rows = ecs_table_entities(it->table);
    assert_true(it->offset + it->count <= ecs_table_count(it->table));
    for (int i = 0; i < it->count; i++) assert_int_equal(it->entities[i], rows[it->offset + i]);
    added += it->count;
}

// Depths are told when the change is done, also while nothing else is put off.
static void a_suspended_world_keeps_rows_in_place_while_parents_change(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t by_pair = ecs_new_w_pair(world, EcsChildOf, ecs_new(world));
    ecs_entity_t below = child_of(world, by_pair), top = child_of(world, ecs_new(world));
    ecs_observer(world, { .query.terms = { { ecs_id(EcsParent) } },
                            .events = { EcsOnAdd },
                            .callback = hear_in_place });
    added = 0;
    ecs_defer_begin(world);
    ecs_defer_suspend(world);
    ecs_set(world, by_pair, EcsParent, { top });
    assert_id_equal(world, ecs_get_parent(world, by_pair), top);
    ecs_defer_resume(world);
    ecs_defer_end(world);
    assert_int_equal(added, 1);
    assert_type(world, by_pair, "Parent, (ParentDepth,@2)");
    assert_type(world, below, "Parent, (ParentDepth,@3)");
}

static ecs_entity_t born, born_below;
static void leave_child(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++)
        born = ecs_new_w_parent(it->world, born_below ? born_below : it->entities[i], "last");
    assert_true(ecs_is_alive(it->world, born));
}

// CLN-10, NAM-02: nothing refers to a parent that was deleted, whenever its children came.
static void children_that_come_while_their_parent_goes_go_too(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), stays = ecs_new(world);
    ecs_observer(
        world, { .query.terms = { { tag } }, .events = { EcsOnRemove }, .callback = leave_child });
    for (int i = 0; i < 5; i++) {
        ecs_entity_t above = ecs_new(world), parent = ecs_new_w_id(world, tag);
        born_below = i == 2 ? above : i == 4 ? stays : 0;
        if (i == 1 || i == 2) ecs_add_pair(world, parent, EcsChildOf, above);
        if (i == 3)
            ecs_delete_with(world, tag);
        else
            ecs_delete(world, i == 1 || i == 2 ? above : parent);
        assert_false(ecs_is_alive(world, parent));
        assert_int_equal(ecs_is_alive(world, born), i == 4);
        assert_true(ecs_world_verify(world));
    }
    assert_id_equal(world, ecs_lookup_child(world, stays, "last"), born);
    assert_id_equal(world, ecs_get_parent(world, born), stays);
    born_below = 0;
}

static void prefabs_have_children_by_component(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t turret = ecs_new_w_parent(world, prefab, "Turret");
    ecs_entity_t barrel = ecs_new_w_parent(world, turret, "Barrel");
    ecs_entity_t pair = ecs_entity(world, { .name = "Pair", .parent = prefab });
    ecs_add_id(world, barrel, tag);
    assert_true(ecs_has_id(world, turret, EcsPrefab) && ecs_has_id(world, barrel, EcsPrefab));
    for (int nested = 0; nested < 2; nested++) {
        ecs_entity_t instance = ecs_new(world), above = ecs_new(world);
        if (nested) ecs_set(world, instance, EcsParent, { above });
        ecs_add_pair(world, instance, EcsIsA, prefab);
        ecs_entity_t own = ecs_lookup_child(world, instance, "Turret");
        assert_true(own && own != turret);
        assert_id_equal(world, ecs_get_parent(world, own), instance);
        assert_true(ecs_has_pair(world, own, EcsIsA, turret));
        assert_false(ecs_has_id(world, own, EcsPrefab));
        assert_id_equal(world, ecs_get_target(world, instance, turret, 0), own);
        ecs_entity_t deep = ecs_lookup_child(world, own, "Barrel");
        assert_true(ecs_owns_id(world, deep, tag) || ecs_has_id(world, deep, tag));
        assert_int_equal(ecs_get_depth(world, deep, EcsChildOf), 2 + nested);
        assert_true(ecs_lookup_child(world, instance, "Pair") != 0);
        check_children(
            world, instance, (ecs_entity_t[]){ own, ecs_lookup_child(world, instance, "Pair") }, 2);
        ecs_delete(world, instance);
        assert_false(ecs_is_alive(world, own) || ecs_is_alive(world, deep));
        assert_true(ecs_world_verify(world));
    }
    assert_true(ecs_is_alive(world, pair));
    ecs_entity_t variant = ecs_new_w_id(world, EcsPrefab);
    ecs_add_pair(world, variant, EcsIsA, prefab);
    ecs_entity_t of_variant = ecs_new_w_pair(world, EcsIsA, variant);
    assert_id_equal(world, ecs_get_target(world, of_variant, turret, 0),
        ecs_lookup_child(world, of_variant, "Turret"));
    ecs_entity_t renamed = ecs_lookup_child(world, of_variant, "Turret");
    ecs_set_name(world, renamed, "Renamed"); /* its name is another's */
    ecs_new_w_parent(world, of_variant, "Turret");
    assert_id_equal(world, ecs_get_target(world, of_variant, turret, 0), renamed);
    ecs_entity_t unnamed[2], of_unnamed[2]; /* found by what they are copies of */
    ecs_entity_t plain = ecs_new_w_id(world, EcsPrefab), loose = ecs_new(world);
    for (int i = 0; i < 2; i++) unnamed[i] = child_of(world, plain);
    ecs_entity_t of_plain = ecs_new_w_pair(world, EcsIsA, plain),
                 no_copy = child_of(world, of_plain);
    for (int i = 0; i < 2; i++) {
        of_unnamed[i] = ecs_get_target(world, of_plain, unnamed[i], 0);
        assert_true(ecs_has_pair(world, of_unnamed[i], EcsIsA, unnamed[i]));
    }
    assert_int_equal(ecs_get_target(world, of_plain, unnamed[0], 1), 0);
    assert_int_equal(ecs_get_target(world, of_plain, no_copy, 0), 0);
    assert_int_equal(ecs_get_target(world, loose, unnamed[0], 0), 0);
    ecs_delete(world, of_unnamed[0]);
    assert_int_equal(ecs_get_target(world, of_plain, unnamed[0], 0), 0);
    ecs_delete(world, unnamed[1]);
    assert_int_equal(ecs_get_target(world, of_plain, unnamed[1], 0), 0);
    ecs_entity_t late = ecs_new(world); /* becomes a prefab with its children */
    ecs_entity_t child = child_of(world, late), grand_child = child_of(world, child);
    ecs_add_id(world, late, EcsPrefab);
    assert_true(ecs_has_id(world, child, EcsPrefab) && ecs_has_id(world, grand_child, EcsPrefab));
}

static void note_table(ecs_iter_t *it) { *(ecs_table_t **)it->ctx = it->table; }
static void count_values(ecs_iter_t *it) { *(int32_t *)it->ctx += it->count; }

// Copies of children are placed in the table that tells their depth, whoever waits for the value of their parent.
static void copies_are_made_where_they_stay(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), above = ecs_new(world);
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t turret = ecs_new_w_parent(world, prefab, "Turret");
    ecs_add_id(world, ecs_new_w_parent(world, turret, "Barrel"), tag);
    ecs_table_t *told = NULL;
    int32_t values = 0;
    ecs_observer(world, { .query.terms = { { tag } },
                            .events = { EcsOnAdd },
                            .callback = note_table,
                            .ctx = &told });
    for (int i = 0; i < 8; i++) {
        const bool is_heard = i & 4, is_deferred = i & 2, is_below = i & 1;
        ecs_entity_t observer =
            !is_heard ? 0
                      : ecs_observer(world, { .query.terms = { { ecs_id(EcsParent) } },
                                                .events = { EcsOnSet },
                                                .callback = count_values,
                                                .ctx = &values });
        if (is_deferred) ecs_defer_begin(world);
        ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, prefab);
        if (is_below) ecs_add_pair(world, instance, EcsChildOf, above);
        if (is_deferred) ecs_defer_end(world);
        ecs_entity_t barrel =
            ecs_lookup_path_w_sep(world, instance, "Turret.Barrel", ".", NULL, false);
        assert_int_equal(ecs_get_depth(world, barrel, EcsChildOf), is_below ? 3 : 2);
        if (is_deferred || !is_below) assert_ptr_equal(ecs_get_table(world, barrel), told);
        assert_int_equal(values, is_heard ? 2 : 0);
        values = 0;
        if (observer) ecs_delete(world, observer);
        assert_true(ecs_world_verify(world));
    }
}

// DEF-07, DEF-10, ISA-11: the tag of a prefab's child comes, and goes to its own children, in its place among other commands.
static void children_of_prefabs_get_their_tag_in_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), other = ecs_new(world);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t e[6], past = ecs_new_w_id(world, EcsPrefab), brief = ecs_new(world);
        ecs_entity_t below = child_of(world, brief),
                     below_pair = ecs_new_w_pair(world, EcsChildOf, brief);
        for (int i = 0; i < 6; i++) e[i] = ecs_new(world);
        ecs_set(world, e[2], EcsParent, { other });
        if (deferred) ecs_defer_begin(world);
        ecs_add_id(world, e[5], prefab);
        for (int i = 0; i < 5; i++) ecs_set(world, e[i], EcsParent, { prefab });
        ecs_clear(world, e[0]);
        ecs_remove_id(world, e[1], EcsPrefab);
        ecs_set(world, e[2], EcsParent, { other }); /* the tag stays */
        ecs_add_pair(world, e[3], EcsChildOf, other);
        ecs_clear(world, past);
        ecs_add_pair(world, e[5], EcsChildOf, past);
        ecs_add_id(world, brief, EcsPrefab);
        ecs_clear(world, brief);
        if (deferred) ecs_defer_end(world);
        assert_type(world, e[0], "");
        const bool is_tagged[] = { false, false, true, true, true, false };
        for (int i = 0; i < 6; i++)
            assert_int_equal(ecs_has_id(world, e[i], EcsPrefab), is_tagged[i]);
        assert_true(
            ecs_has_id(world, below, EcsPrefab) && ecs_has_id(world, below_pair, EcsPrefab));
        const ecs_entity_t *bulk = ecs_bulk_init(
            world, &(ecs_bulk_desc_t){ .count = 2,
                       .ids = { ecs_id(EcsParent) },
                       .data = (void *[]){ (EcsParent[]){ { other }, { prefab } } } });
        assert_false(ecs_has_id(world, bulk[0], EcsPrefab));
        assert_true(ecs_has_id(world, bulk[1], EcsPrefab));
    }
}

// ---- against a naive model ----

enum { NODES = 24 };

typedef struct model_t {
    ecs_entity_t ids[NODES];
    int parents[NODES]; /* -1: none */
    bool by_component[NODES];
} model_t;

static bool is_above(const model_t *m, int above, int node) {
    for (; node >= 0; node = m->parents[node]) {
        if (node == above) return true;
    }
    return false;
}

static int depth_of(const model_t *m, int node) {
    int depth = 0;
    while ((node = m->parents[node]) >= 0) depth++;
    return depth;
}

static void step(ecs_world_t *world, model_t *m, random_t *random) {
    int node = random_below(random, NODES), to = random_below(random, NODES);
    bool may_move = m->ids[to] && !is_above(m, node, to);
    int what = random_below(random, 10);
    if (!m->ids[node]) {
        m->ids[node] = ecs_new(world);
        m->parents[node] = -1;
    } else if (what < 4 && may_move) {
        ecs_set(world, m->ids[node], EcsParent, { m->ids[to] });
        m->parents[node] = to;
        m->by_component[node] = true;
    } else if (what < 7 && may_move) {
        ecs_add_pair(world, m->ids[node], EcsChildOf, m->ids[to]);
        m->parents[node] = to;
        m->by_component[node] = false;
    } else if (what < 9 && m->parents[node] >= 0) {
        if (m->by_component[node] && what == 7)
            ecs_remove(world, m->ids[node], EcsParent);
        else
            ecs_remove_pair(world, m->ids[node], EcsChildOf, EcsWildcard);
        m->parents[node] = -1;
    } else if (what == 9) {
        ecs_delete(world, m->ids[node]);
        bool dies[NODES];
        for (int i = 0; i < NODES; i++) dies[i] = m->ids[i] && is_above(m, node, i);
        for (int i = 0; i < NODES; i++) {
            if (dies[i]) m->ids[i] = 0;
        }
    }
}

static void compare(ecs_world_t *world, const model_t *m, const ecs_query_t *q) {
    for (int i = 0; i < NODES; i++) {
        if (!m->ids[i]) continue;
        ecs_entity_t parent = m->parents[i] < 0 ? 0 : m->ids[m->parents[i]];
        assert_id_equal(world, ecs_get_parent(world, m->ids[i]), parent);
        assert_int_equal(ecs_get_depth(world, m->ids[i], EcsChildOf), depth_of(m, i));
        bool by_component = parent && m->by_component[i];
        assert_true(ecs_has(world, m->ids[i], EcsParent) == by_component);
        ecs_id_t depth = ecs_value_pair(EcsParentDepth, depth_of(m, i));
        assert_true(ecs_owns_id(world, m->ids[i], depth) == by_component);
        int32_t children = 0, found = 0, queried = 0;
        for (int k = 0; k < NODES; k++) children += m->ids[k] && m->parents[k] == i;
        for (ecs_iter_t it = ecs_children(world, m->ids[i]); ecs_children_next(&it);)
            found += it.count;
        assert_int_equal(found, children);
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_iter_set_var(&it, 1, m->ids[i]);
        while (ecs_query_next(&it)) queried += it.count;
        assert_int_equal(queried, children);
    }
    assert_true(ecs_world_verify(world));
}

static void random_trees_equal_a_naive_model(void **state) {
    ecs_world_t *world = *state;
    random_t random = random_init(random_seed());
    model_t m = { 0 };
    ecs_query_t *q = ecs_query(world, { .expr = "ChildOf($this, $p)" });
    for (int i = 0; i < 1500; i++) {
        int32_t burst = i % 3 ? 1 : 4;
        if (burst > 1) ecs_defer_begin(world);
        for (int32_t k = 0; k < burst; k++) step(world, &m, &random);
        if (burst > 1) ecs_defer_end(world);
        compare(world, &m, q);
    }
    ecs_query_fini(q);
}

// ---- observers below ----

static int32_t heard;
static void count_heard(ecs_iter_t *it) { heard += it->count; }

static int32_t heard_of(ecs_world_t *world, ecs_entity_t tag) {
    heard = 0;
    ecs_new_w_id(world, tag);
    return heard;
}

// SYS-10 for observers: those above by component disable them, too.
static void observers_follow_parents_that_are_disabled(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), module = ecs_new(world), inner = ecs_new(world);
    ecs_entity_t observer = ecs_observer(
        world, { .query.terms = { { tag } }, .events = { EcsOnAdd }, .callback = count_heard });
    ecs_set(world, inner, EcsParent, { module });
    ecs_set(world, observer, EcsParent, { inner });
    assert_int_equal(heard_of(world, tag), 1);
    ecs_enable(world, module, false);
    assert_int_equal(heard_of(world, tag), 0);
    ecs_set(world, inner, EcsParent, { ecs_new(world) });
    assert_int_equal(heard_of(world, tag), 1);
    ecs_set(world, inner, EcsParent, { module });
    assert_int_equal(heard_of(world, tag), 0);
    ecs_remove(world, observer, EcsParent);
    assert_int_equal(heard_of(world, tag), 1);
    ecs_add_pair(world, observer, EcsChildOf, inner);
    assert_int_equal(heard_of(world, tag), 0);
    ecs_enable(world, module, true);
    assert_int_equal(heard_of(world, tag), 1);
}

// ---- jobs ----

static void spawn_children(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t child = ecs_new(it->world);
        ecs_set(it->world, child, EcsParent, { it->entities[i] });
        if (i % 3 == 0) ecs_delete(it->world, it->entities[i]); /* takes it along */
    }
}

static void jobs_make_the_same_children(void **state) {
    (void)state;
    uint64_t hashes[2];
    int32_t counts[2];
    for (int threads = 1; threads <= 2; threads++) {
        ecs_world_t *world = ecs_init();
        ecs_entity_t tag = ecs_new(world);
        ecs_bulk_new_w_id(world, tag, 3000);
        ecs_system(
            world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                       .query.terms = { { tag } },
                       .callback = spawn_children,
                       .multi_threaded = true });
        ecs_set_threads(world, threads);
        for (int tick = 0; tick < 3; tick++) ecs_progress(world, 1);
        hashes[threads - 1] = ecs_world_hash(world);
        counts[threads - 1] = ecs_count_id(world, ecs_childof(EcsWildcard));
        assert_true(ecs_world_verify(world));
        ecs_fini(world);
    }
    assert_true(counts[0] > 2000 && counts[0] == counts[1]);
    assert_true(hashes[0] == hashes[1]);
}

static void descriptors_find_children_as_they_are(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), child = ecs_new_w_parent(world, parent, "child");
    const ecs_table_t *table = ecs_get_table(world, child);
    assert_id_equal(world, ecs_entity(world, { .name = "child", .parent = parent }), child);
    assert_id_equal(world, ecs_entity(world, { .id = child, .parent = parent }), child);
    assert_ptr_equal(ecs_get_table(world, child), table);
    ecs_entity_t other = ecs_new(world);
    ecs_entity(world, { .id = child, .parent = other });
    assert_true(ecs_owns_pair(world, child, EcsChildOf, other));
    assert_false(ecs_has(world, child, EcsParent));
}

// 01 section 8: a parent that was written into the value counts from ecs_modified on, also as a command.
static void a_parent_that_is_written_counts_when_that_is_said(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t first = ecs_new(world), second = ecs_new(world);
    for (int i = 0; i < 3; i++) {
        ecs_entity_t child = child_of(world, first);
        if (i) ecs_defer_begin(world);
        EcsParent *parent =
            i == 2 ? ecs_ensure(world, child, EcsParent) : ecs_get_mut(world, child, EcsParent);
        parent->value = second;
        ecs_modified(world, child, EcsParent);
        if (i) ecs_defer_end(world);
        assert_true(ecs_has_pair(world, child, EcsChildOf, second));
        assert_false(ecs_has_pair(world, child, EcsChildOf, first));
        assert_int_equal(ecs_count_id(world, ecs_childof(second)), i + 1);
        assert_true(ecs_world_verify(world));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(the_component_makes_a_child),
        world_test(a_parent_that_is_written_counts_when_that_is_said),
        world_test(a_child_has_one_parent_of_either_kind),
        world_test(children_are_listed_in_order_with_those_by_pair),
        world_test(names_are_found_below_the_parent),
        world_test(children_are_deleted_with_their_parent),
        world_test(depths_follow_when_parents_move),
        world_test(depths_are_those_of_the_last_parent),
        world_test(changes_of_parents_may_lie_within_each_other),
        world_test(what_cannot_be_a_parent_is_refused),
        world_test(a_refused_parent_changes_nothing),
        world_test(commands_make_the_same_children),
        world_test(children_that_come_while_others_are_walked_are_not_among_them),
        world_test(no_child_comes_to_a_table_that_is_being_iterated),
        world_test(a_parent_given_and_taken_in_one_batch_is_gone),
        world_test(children_come_in_bulk_and_as_clones),
        world_test(events_are_those_of_the_pair),
        world_test(a_suspended_world_keeps_rows_in_place_while_parents_change),
        world_test(children_that_come_while_their_parent_goes_go_too),
        world_test(prefabs_have_children_by_component),
        world_test(copies_are_made_where_they_stay),
        world_test(children_of_prefabs_get_their_tag_in_order),
        world_test(random_trees_equal_a_naive_model),
        cmocka_unit_test(whoever_is_told_of_a_parent_decides),
        cmocka_unit_test(jobs_make_the_same_children),
        mini_world_test(observers_follow_parents_that_are_disabled),
        mini_world_test(descriptors_find_children_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
