// SPDX-License-Identifier: MIT
// Parents that keep the order of their children: the trait EcsOrderedChildren.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

enum { MANY = 40 };

static ecs_entity_t new_child(ecs_world_t *world, ecs_entity_t parent) {
    return ecs_new_w_pair(world, EcsChildOf, parent);
}

static ecs_entity_t new_parent(ecs_world_t *world) {
    ecs_entity_t parent = ecs_new(world);
    ecs_add_id(world, parent, EcsOrderedChildren);
    return parent;
}

static void check_order(
    ecs_world_t *world, ecs_entity_t parent, const ecs_entity_t *expected, int32_t count) {
    ecs_entities_t list = ecs_get_ordered_children(world, parent);
    assert_int_equal(list.count, count);
    for (int32_t i = 0; i < count; i++) assert_id_equal(world, list.ids[i], expected[i]);
    ecs_iter_t it = ecs_children(world, parent);
    if (count) {
        assert_true(ecs_children_next(&it));
        assert_int_equal(it.count, count);
        assert_null(it.table);
        assert_memory_equal(it.entities, expected, sizeof(ecs_entity_t) * (size_t)count);
    }
    assert_false(ecs_children_next(&it));
}

static void ordered_children_come_in_one_result_whatever_their_tables(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = new_parent(world), tag = ecs_new(world), es[6];
    for (int i = 0; i < 6; i++) es[i] = new_child(world, parent);
    check_order(world, parent, es, 6);
    for (int i = 0; i < 6; i += 2) ecs_add_id(world, es[i], tag);
    check_order(world, parent, es, 6);
    ecs_delete(world, es[2]);
    check_order(world, parent, (ecs_entity_t[]){ es[0], es[1], es[3], es[4], es[5] }, 5);
    ecs_entity_t back = new_child(world, parent); /* the same id, with a new generation */
    check_order(world, parent, (ecs_entity_t[]){ es[0], es[1], es[3], es[4], es[5], back }, 6);
    ecs_iter_t it = ecs_children(world, new_parent(world));
    assert_false(ecs_children_next(&it));
}

static void the_order_begins_and_ends_with_the_trait(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), tag = ecs_new(world), es[3];
    for (int i = 0; i < 3; i++) es[i] = new_child(world, parent);
    ecs_add_id(world, es[0], tag);
    expect_abort(ECS_INVALID_OPERATION, ecs_get_ordered_children(world, parent));
    expect_abort(ECS_INVALID_OPERATION, ecs_set_child_order(world, parent, es, 3));
    ecs_add_id(world, parent, EcsOrderedChildren);
    assert_int_equal(ecs_get_ordered_children(world, parent).count, 3);
    ecs_entity_t other = parent + ((ecs_entity_t)1 << 32); /* of another generation */
    expect_abort(ECS_INVALID_OPERATION, ecs_get_ordered_children(world, other));
    expect_abort(ECS_INVALID_OPERATION, ecs_set_child_order(world, other, es, 3));
    ecs_set_child_order(world, parent, es, 3);
    check_order(world, parent, es, 3);
    ecs_remove_id(world, parent, EcsOrderedChildren);
    expect_abort(ECS_INVALID_OPERATION, ecs_get_ordered_children(world, parent));
    ecs_iter_t it = ecs_children(world, parent);
    int32_t tables = 0;
    while (ecs_children_next(&it)) tables += it.table != NULL;
    assert_int_equal(tables, 2);
    ecs_add_id(world, parent, EcsOrderedChildren);
    ecs_delete(world, parent);
    assert_false(ecs_is_alive(world, es[1]));
    expect_abort(ECS_INVALID_OPERATION, ecs_get_ordered_children(world, parent));
}

// Children by component are always ordered, so the trait stays as long as there are any.
static void children_by_component_keep_the_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = new_parent(world), child = ecs_new_w_parent(world, parent, NULL);
    expect_abort(ECS_INVALID_OPERATION, ecs_remove_id(world, parent, EcsOrderedChildren));
    expect_abort(ECS_INVALID_OPERATION, ecs_defer_begin(world),
        ecs_remove_id(world, parent, EcsOrderedChildren), ecs_defer_end(world));
    check_order(world, parent, &child, 1);
    ecs_delete(world, child);
    ecs_remove_id(world, parent, EcsOrderedChildren);
    expect_abort(ECS_INVALID_OPERATION, ecs_get_ordered_children(world, parent));
}

// The trait goes with all else, and changes nothing for them.
static void a_cleared_parent_keeps_the_order_of_children_by_component(void **state) {
    ecs_world_t *world = *state;
    for (int deferred = 0; deferred < 3; deferred++) {
        ecs_entity_t parent = new_parent(world), es[3];
        for (int i = 0; i < 3; i++) es[i] = ecs_new_w_parent(world, parent, NULL);
        if (deferred) ecs_defer_begin(world);
        ecs_clear(world, parent);
        if (deferred == 2) ecs_add_id(world, parent, EcsDisabled);
        if (deferred) ecs_defer_end(world);
        assert_type(world, parent, deferred == 2 ? "Disabled" : "");
        check_order(world, parent, es, 3);
        ecs_delete(world, parent);
        assert_false(ecs_is_alive(world, es[0]));
    }
}

// Instances end what folds with what was said before, also of others: they come to their parent in order all the same.
static void a_bulk_comes_to_its_parent_in_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab), tag = ecs_new(world), es[4];
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t parent = new_parent(world);
        if (deferred) ecs_defer_begin(world);
        const ecs_entity_t *made = ecs_bulk_init(world,
            &(ecs_bulk_desc_t){ .count = 4, .ids = { tag, ecs_isa(base), ecs_childof(parent) } });
        memcpy(es, made, sizeof es);
        if (deferred) ecs_defer_end(world);
        check_order(world, parent, es, 4);
    }
}

static void children_that_change_their_parent_go_to_the_end(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = new_parent(world), b = new_parent(world), es[4];
    for (int i = 0; i < 3; i++) es[i] = new_child(world, a);
    es[3] = new_child(world, b);
    ecs_add_pair(world, es[0], EcsChildOf, b);
    check_order(world, a, (ecs_entity_t[]){ es[1], es[2] }, 2);
    check_order(world, b, (ecs_entity_t[]){ es[3], es[0] }, 2);
    ecs_remove_pair(world, es[1], EcsChildOf, a);
    ecs_add_pair(world, es[1], EcsChildOf, a); /* nobody looked in between */
    check_order(world, a, (ecs_entity_t[]){ es[2], es[1] }, 2);
    ecs_add_pair(world, es[0], EcsChildOf, a);
    ecs_add_pair(world, es[0], EcsChildOf, b);
    check_order(world, a, (ecs_entity_t[]){ es[2], es[1] }, 2);
    ecs_clear(world, es[3]);
    check_order(world, b, (ecs_entity_t[]){ es[0] }, 1);
    ecs_set_version(world, es[0] + (7ull << 32));
    check_order(world, b, (ecs_entity_t[]){ es[0] + (7ull << 32) }, 1);
}

// The instance has children already, in two tables, and gets copies into the first of them.
static void copies_of_children_by_component_come_after_other_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), tag = ecs_new(world);
    ecs_new_w_pair(world, EcsChildOf, prefab);
    ecs_new_w_parent(world, prefab, NULL);
    ecs_entity_t instance = ecs_new(world), es[4];
    for (int i = 0; i < 2; i++) es[i] = new_child(world, instance);
    ecs_add_id(world, es[1], tag);
    ecs_add_pair(world, instance, EcsIsA, prefab);
    ecs_entities_t list = ecs_get_ordered_children(world, instance);
    assert_int_equal(list.count, 4);
    for (int i = 2; i < 4; i++) es[i] = list.ids[i];
    assert_false(ecs_has_id(world, es[2], ecs_id(EcsParent)));
    assert_true(ecs_has_id(world, es[3], ecs_id(EcsParent)));
    check_order(world, instance, es, 4);
    ecs_delete(world, es[1]);
    check_order(world, instance, (ecs_entity_t[]){ es[0], es[2], es[3] }, 3);
    assert_true(ecs_world_verify(world));
}

// What children of prefabs mark to be overridden their copies own, in tables or beside them.
static void copies_of_children_own_what_is_marked(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 2; i++) {
        ecs_entity_t id = ecs_new(world), prefab = ecs_new_w_id(world, EcsPrefab);
        if (i) ecs_add_id(world, id, EcsDontFragment);
        ecs_auto_override_id(world, new_child(world, prefab), id);
        ecs_entity_t instance = ecs_new(world);
        ecs_add_id(world, instance, EcsOrderedChildren);
        ecs_add_pair(world, instance, EcsIsA, prefab);
        ecs_entities_t list = ecs_get_ordered_children(world, instance);
        assert_int_equal(list.count, 1);
        assert_true(ecs_owns_id(world, list.ids[0], id));
    }
    assert_true(ecs_world_verify(world));
}

static void an_order_is_set_at_once_and_names_all_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = new_parent(world), es[3];
    for (int i = 0; i < 3; i++) es[i] = new_child(world, parent);
    ecs_entity_t turned[] = { es[2], es[0], es[1] };
    ecs_defer_begin(world);
    ecs_set_child_order(world, parent, turned, 3);
    check_order(world, parent, turned, 3);
    ecs_entity_t late = new_child(world, parent);
    check_order(world, parent, turned, 3);
    ecs_defer_end(world);
    check_order(world, parent, (ecs_entity_t[]){ es[2], es[0], es[1], late }, 4);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_child_order(world, parent, turned, 3));
    ecs_entity_t twice[] = { es[2], es[0], es[0], late }, other[] = { es[0], es[1], es[2], parent };
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_child_order(world, parent, twice, 4));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_child_order(world, parent, other, 4));
    ecs_readonly_begin(world, true);
    expect_abort(ECS_INVALID_WHILE_READONLY, ecs_set_child_order(world, parent, turned, 4));
    ecs_readonly_end(world);
}

static void instances_order_their_children_like_the_prefab(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), tag = ecs_new(world);
    ecs_add_id(world, prefab, EcsOrderedChildren);
    static const char *const names[] = { "a", "b", "c", "d" };
    ecs_entity_t es[4];
    for (int i = 0; i < 4; i++) es[i] = ecs_entity(world, { .parent = prefab, .name = names[i] });
    ecs_add_id(world, es[1], tag); /* another table */
    ecs_add_id(world, es[3], EcsOrderedChildren);
    ecs_entity(world, { .parent = es[3], .name = "x" });
    ecs_set_child_order(world, prefab, (ecs_entity_t[]){ es[3], es[1], es[0], es[2] }, 4);
    for (int bulk = 0; bulk < 2; bulk++) {
        ecs_entity_t instance;
        if (bulk)
            instance = ecs_bulk_new_w_id(world, ecs_pair(EcsIsA, prefab), 5)[3];
        else
            instance = ecs_new_w_pair(world, EcsIsA, prefab);
        ecs_entity_t own = new_child(world, instance);
        assert_true(ecs_owns_id(world, instance, EcsOrderedChildren));
        ecs_entity_t expected[5];
        for (int i = 0; i < 4; i++) {
            expected[i] =
                ecs_lookup_child(world, instance, (const char *[]){ "d", "b", "a", "c" }[i]);
        }
        expected[4] = own;
        check_order(world, instance, expected, 5);
        assert_int_equal(ecs_get_ordered_children(world, expected[0]).count, 1);
    }
}

// Random changes against a plain list.
static void the_order_is_that_of_a_plain_list(void **state) {
    ecs_world_t *world = *state;
    random_t random = random_init(random_seed());
    ecs_entity_t parents[2] = { new_parent(world), new_parent(world) }, tag = ecs_new(world);
    ecs_entity_t lists[2][MANY];
    int32_t counts[2] = { 0, 0 };
    for (int step = 0; step < 4000; step++) {
        int p = random_below(&random, 2);
        int32_t at = counts[p] ? random_below(&random, counts[p]) : -1;
        int32_t what = random_below(&random, 10);
        if ((what < 3 || at < 0) && counts[p] < MANY) {
            lists[p][counts[p]++] = new_child(world, parents[p]);
        } else if (what < 6 && at >= 0) {
            ecs_entity_t e = lists[p][at];
            memmove(&lists[p][at], &lists[p][at + 1],
                sizeof(ecs_entity_t) * (size_t)(--counts[p] - at));
            if (what < 5 && counts[!p] < MANY) {
                ecs_add_pair(world, e, EcsChildOf, parents[!p]);
                lists[!p][counts[!p]++] = e;
            } else {
                ecs_delete(world, e);
            }
        } else if (at >= 0) {
            if (ecs_has_id(world, lists[p][at], tag))
                ecs_remove_id(world, lists[p][at], tag);
            else
                ecs_add_id(world, lists[p][at], tag);
        }
        if (step % 7 == 0) check_order(world, parents[p], lists[p], counts[p]);
        if (step % 100 == 0) assert_true(ecs_world_verify(world));
    }
}

enum { FAMILY = 6 };
typedef struct family_t {
    ecs_entity_t parents[2], children[FAMILY];
} family_t;

static void assert_same_order(
    ecs_world_t *world, const family_t *a, const family_t *b, const ecs_entity_t parents[2]) {
    ecs_entity_t expected[FAMILY];
    const ecs_entities_t list = ecs_get_ordered_children(world, parents[0]);
    for (int32_t i = 0; i < list.count; i++) {
        int32_t c = 0;
        while (a->children[c] != list.ids[i]) c++;
        expected[i] = b->children[c];
    }
    check_order(world, parents[1], expected, list.count);
}

// DEF-07: children that come in a queue come in its order, whatever else it says of them.
static void queued_children_come_in_the_order_of_commands(void **state) {
    ecs_world_t *world = *state;
    random_t random = random_init(random_seed());
    const ecs_entity_t tag = ecs_new(world);
    family_t families[2]; /* one changes at once */
    for (int f = 0; f < 2; f++) {
        for (int p = 0; p < 2; p++) families[f].parents[p] = new_parent(world);
        for (int c = 0; c < FAMILY; c++) families[f].children[c] = ecs_new(world);
    }
    for (int step = 0; step < 3000; step++) {
        int changes[8][3], count = 1 + random_below(&random, 8);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++) changes[i][k] = random_below(&random, k ? FAMILY : 5);
        for (int f = 0; f < 2; f++) {
            if (f) ecs_defer_begin(world);
            for (int i = 0; i < count; i++) {
                const ecs_entity_t child = families[f].children[changes[i][1]];
                const ecs_entity_t parent = families[f].parents[changes[i][2] % 2];
                switch (changes[i][0]) {
                case 0: ecs_remove_pair(world, child, EcsChildOf, parent); break;
                case 1: ecs_add_id(world, child, tag); break;
                case 2: ecs_remove_id(world, child, tag); break;
                default: ecs_add_pair(world, child, EcsChildOf, parent);
                }
            }
            if (f) ecs_defer_end(world);
        }
        for (int p = 0; p < 2; p++)
            assert_same_order(world, &families[0], &families[1],
                (ecs_entity_t[]){ families[0].parents[p], families[1].parents[p] });
    }
}

// Neither the number of nodes nor their depth is limited by anything but memory.
static void trees_of_any_size_and_depth_are_deleted(void **state) {
    ecs_world_t *world = *state;
    enum { PARENTS = 1000, CHILDREN = 1000, DEPTH = 20000 };
    ecs_entity_t root = ecs_new(world), deepest = root;
    for (int i = 0; i < PARENTS; i++) {
        ecs_entity_t parent = new_child(world, root);
        ecs_bulk_new_w_id(world, ecs_childof(parent), CHILDREN);
    }
    for (int i = 0; i < DEPTH; i++) deepest = new_child(world, deepest);
    assert_int_equal(ecs_count_id(world, ecs_childof(root)), PARENTS + 1);
    int32_t alive = ecs_get_entities(world).alive_count;
    ecs_delete(world, root);
    assert_false(ecs_is_alive(world, deepest));
    int32_t gone = alive - ecs_get_entities(world).alive_count;
    assert_int_equal(gone, 1 + PARENTS + PARENTS * CHILDREN + DEPTH);
}

// NAM-15, api/02 9: they would be deleted with a parent that they have elsewhere.
static void builtins_stay_where_they_are(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world);
    const ecs_entity_t builtins[] = { EcsFlecs, EcsFlecsCore, EcsChildOf, EcsPrefab,
        EcsOnTableCreate, EcsOnUpdate, ecs_id(EcsParent) };
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        ecs_entity_t e = builtins[i];
        expect_abort(ECS_INVALID_OPERATION, ecs_add_pair(world, e, EcsChildOf, parent));
        expect_abort(ECS_INVALID_OPERATION, ecs_set(world, e, EcsParent, { parent }));
        expect_abort(ECS_INVALID_OPERATION, ecs_defer_begin(world),
            ecs_add_pair(world, e, EcsChildOf, parent), ecs_defer_end(world));
        expect_abort(ECS_INVALID_OPERATION, ecs_remove_pair(world, e, EcsChildOf, EcsWildcard));
    }
    ecs_add_pair(world, EcsPrefab, EcsChildOf, ecs_get_parent(world, EcsSystem)); /* in flecs */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(ordered_children_come_in_one_result_whatever_their_tables),
        world_test(the_order_begins_and_ends_with_the_trait),
        world_test(children_by_component_keep_the_order),
        world_test(a_cleared_parent_keeps_the_order_of_children_by_component),
        mini_world_test(a_cleared_parent_keeps_the_order_of_children_by_component),
        world_test(copies_of_children_own_what_is_marked),
        world_test(copies_of_children_by_component_come_after_other_children),
        world_test(a_bulk_comes_to_its_parent_in_order),
        world_test(children_that_change_their_parent_go_to_the_end),
        world_test(an_order_is_set_at_once_and_names_all_children),
        world_test(instances_order_their_children_like_the_prefab),
        world_test(the_order_is_that_of_a_plain_list),
        world_test(queued_children_come_in_the_order_of_commands),
        mini_world_test(trees_of_any_size_and_depth_are_deleted),
        world_test(builtins_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
