// SPDX-License-Identifier: MIT
// Cleanup policies: features.md area CLN.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

typedef struct Node {
    int depth;
} Node;
typedef struct Link {
    ecs_entity_t other;
} Link;

static ECS_COMPONENT_DECLARE(Node);

static void register_node(ecs_world_t *world) {
    ecs_id(Node) = 0;
    ECS_COMPONENT_DEFINE(world, Node);
}

// CLN-01, CLN-02, CLN-03
static void removing_is_the_default(void **state) {
    ecs_world_t *world = *state;
    for (int with_policy = 0; with_policy < 2; with_policy++) {
        ecs_entity_t archer = ecs_new(world), likes = ecs_new(world), e[3];
        if (with_policy) ecs_add_pair(world, archer, EcsOnDelete, EcsRemove);
        for (int i = 0; i < 3; i++) e[i] = ecs_new(world);
        ecs_add_id(world, e[0], archer);
        ecs_add_pair(world, e[1], archer, likes);
        ecs_add_pair(world, e[2], likes, archer);
        ecs_delete(world, archer);
        for (int i = 0; i < 3; i++) {
            assert_true(ecs_is_alive(world, e[i]));
            assert_type(world, e[i], "");
        }
    }
}

// CLN-04, CLN-09
static void on_delete_delete_takes_the_holders_along(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t archer = ecs_new(world), likes = ecs_new(world), other = ecs_new(world);
    ecs_add_pair(world, archer, EcsOnDelete, EcsDelete);
    ecs_entity_t tagged = ecs_new_w_id(world, archer),
                 paired = ecs_new_w_pair(world, archer, likes);
    ecs_entity_t target = ecs_new_w_pair(world, likes, archer);
    ecs_delete(world, archer);
    assert_false(ecs_is_alive(world, tagged) || ecs_is_alive(world, paired));
    assert_true(ecs_is_alive(world, target) && ecs_is_alive(world, other));
    assert_type(world, target, "");
}

// CLN-05, CLN-07
static void panic_refuses_and_deletes_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t archer = ecs_new(world), rel = ecs_new(world), target = ecs_new(world);
    ecs_add_pair(world, archer, EcsOnDelete, EcsPanic);
    ecs_add_pair(world, rel, EcsOnDeleteTarget, EcsPanic);
    ecs_entity_t e = ecs_new_w_id(world, archer), f = ecs_new_w_pair(world, rel, target);
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "cannot delete", ecs_delete(world, archer));
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "Panic", ecs_delete(world, target));
    ecs_entity_t parent = ecs_new(world);
    ecs_add_pair(world, target, EcsChildOf, parent);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_delete(world, parent)); /* also from afar */
    assert_true(ecs_is_alive(world, archer) && ecs_has_id(world, e, archer));
    assert_true(ecs_has_pair(world, f, rel, target));
    ecs_remove_pair(world, f, rel, EcsWildcard);
    ecs_delete(world, target);
    assert_false(ecs_is_alive(world, target));
}

// CLN-06, CLN-07, CLN-08
static void policies_are_per_relationship(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_new(world), owned_by = ecs_new(world), loses = ecs_new(world);
    ecs_add_pair(world, owned_by, EcsOnDeleteTarget, EcsDelete);
    ecs_add_pair(world, loses, EcsOnDeleteTarget, EcsRemove);
    ecs_entity_t p = ecs_new(world);
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, p),
                 friend = ecs_new_w_pair(world, likes, p);
    ecs_entity_t owned = ecs_new_w_pair(world, owned_by, p),
                 loser = ecs_new_w_pair(world, loses, p);
    ecs_entity_t both = ecs_new_w_pair(world, likes, p);
    ecs_add_pair(world, both, owned_by, p); /* deleting wins */
    ecs_delete(world, p);
    assert_false(
        ecs_is_alive(world, child) || ecs_is_alive(world, owned) || ecs_is_alive(world, both));
    assert_true(ecs_is_alive(world, friend) && ecs_is_alive(world, loser));
    assert_type(world, friend, "");
    assert_type(world, loser, "");
}

// CLN-08, GRT-04: what the dying have in common with the living does not save them.
static void symmetric_pairs_save_nobody(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsUnion, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t knows = ecs_new_w_id(world, EcsSymmetric), tag = ecs_new(world);
        if (storages[i]) ecs_add_id(world, knows, storages[i]);
        ecs_entity_t p = ecs_new(world), friend = ecs_new(world);
        ecs_entity_t a = ecs_new_w_pair(world, EcsChildOf, p), b = ecs_clone(world, 0, a, true),
                     c = ecs_clone(world, 0, a, true);
        ecs_add_pair(world, a, knows, friend);
        ecs_add_pair(world, b, knows, c); /* two of the dying, in two tables */
        ecs_add_id(world, c, tag);
        ecs_delete(world, p);
        assert_false(ecs_is_alive(world, a) || ecs_is_alive(world, b) || ecs_is_alive(world, c));
        assert_true(ecs_is_alive(world, friend));
        assert_type(world, friend, "");
        assert_true(ecs_world_verify(world));
    }
}

static int heard_absence;
static void hear_absence(ecs_iter_t *it) { heard_absence += it->count; }

// CLN-06: what dies because of one pair does not lose another one first, as if it were to live on.
static void the_dying_lose_nothing_before(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsUnion, EcsDontFragment };
    ecs_entity_t tag = ecs_new(world), base = 0;
    heard_absence = 0;
    ecs_observer(world, { .query.terms = { { .id = tag, .oper = EcsNot } },
                            .events = { EcsOnAdd },
                            .callback = hear_absence });
    for (int i = 0; i < 3; i++) {
        ecs_entity_t owned_by = ecs_new(world);
        ecs_add_pair(world, owned_by, EcsOnDeleteTarget, EcsDelete);
        if (storages[i]) ecs_add_id(world, owned_by, storages[i]);
        base = ecs_new_w_id(world, tag);
        ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_add_pair(world, e, owned_by, base);
        ecs_delete(world, base);
        assert_false(ecs_is_alive(world, e));
        assert_int_equal(heard_absence, 0);
    }
}

// CLN-10: after any sequence of deletes no type names a dead entity.
static void nothing_dangles(void **state) {
    ecs_world_t *world = *state;
    enum { N = 60 };
    ecs_entity_t e[N];
    ecs_entity_t policies[] = { EcsRemove, EcsDelete };
    random_t random = random_init(random_seed());
    for (int i = 0; i < N; i++) e[i] = ecs_new(world);
    for (int i = 0; i < 8; i++) {
        ecs_add_pair(world, e[i], EcsOnDelete, policies[i & 1]);
        ecs_add_pair(world, e[i], EcsOnDeleteTarget, policies[(i >> 1) & 1]);
    }
    for (int i = 0; i < 400; i++) {
        ecs_entity_t a = e[random_below(&random, N)], b = e[random_below(&random, N)],
                     rel = e[random_below(&random, 8)];
        if (i % 3)
            ecs_add_pair(world, a, rel, b);
        else
            ecs_add_id(world, a, b);
    }
    for (int i = N - 1; i >= 0; i -= 3) {
        if (ecs_is_alive(world, e[i])) ecs_delete(world, e[i]);
        assert_true(ecs_world_verify(world));
        for (int k = 0; k < N; k++) {
            if (!ecs_is_alive(world, e[k])) continue;
            const ecs_type_t *type = ecs_get_type(world, e[k]);
            for (int t = 0; t < type->count; t++)
                assert_true(ecs_id_is_valid(world, type->array[t]));
        }
    }
}

// CLN-02, CLN-10, CMP-10: though each pair that goes moves another entity of a table with some
static void symmetric_pairs_go_with_their_relationship(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 2; i++) {
        ecs_entity_t friend = ecs_new_w_id(world, EcsSymmetric), es[6];
        for (int a = 0; a < 6; a++) {
            es[a] = ecs_new(world);
            for (int b = 0; b <= a; b++) ecs_add_pair(world, es[a], friend, es[b]);
        }
        if (i)
            ecs_delete(world, friend);
        else
            ecs_remove_all(world, ecs_pair(friend, EcsWildcard));
        for (int a = 0; a < 6; a++) assert_int_equal(ecs_get_type(world, es[a])->count, 0);
    }
}

// CLN-11
static void ids_inside_values_are_not_touched(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Link);
    ecs_entity_t other = ecs_new(world), e = ecs_new(world);
    ecs_set(world, e, Link, { other });
    ecs_delete(world, other);
    assert_true(ecs_get(world, e, Link)->other == other);
}

static int removed;
static void count_removed(ecs_iter_t *it) { removed += it->count; }

// CLN-12, CLN-14
static void deleting_a_component_deletes_its_tables(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ECS_TAG(world, Npc);
    ecs_set_hooks(world, Node, { .on_remove = count_removed });
    removed = 0;
    ecs_entity_t e[10];
    for (int i = 0; i < 10; i++) {
        e[i] = ecs_new_w(world, Node);
        if (i & 1) ecs_add(world, e[i], Npc);
    }
    ecs_set_pair(world, e[0], Node, Npc, { 3 });
    ecs_singleton_set(world, Node, { 1 });
    ecs_delete(world, ecs_id(Node));
    assert_int_equal(removed, 12);
    assert_false(ecs_id_in_use(world, ecs_id(Node)));
    assert_null(ecs_get_type_info(world, ecs_id(Node)));
    for (int i = 0; i < 10; i++) assert_int_equal(ecs_get_type(world, e[i])->count, i & 1);
}

// CLN-14, UNI-08: whatever the storage of a relationship, its holders hear of its end though it dies before them.
static void what_dies_with_its_relationship_is_told_of(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { 0, EcsSparse, EcsDontFragment, EcsUnion };
    for (int i = 0; i < 4; i++) {
        ecs_entity_t rel = ecs_new(world), a = ecs_new(world), b = ecs_new(world),
                     kin = ecs_new(world);
        if (storages[i]) ecs_add_id(world, rel, storages[i]);
        ecs_add_id(world, rel, EcsSymmetric);
        ecs_entity_t observer =
            ecs_observer(world, { .query.terms = { { ecs_pair(rel, EcsWildcard) } },
                                    .events = { EcsOnRemove },
                                    .callback = count_removed });
        ecs_add_pair(world, kin, EcsOnDelete, EcsDelete);
        ecs_add_pair(world, a, rel, b);
        ecs_add_id(world, rel, kin);
        ecs_add_id(world, a, kin);
        ecs_add_id(world, b, kin);
        removed = 0;
        ecs_delete(world, kin);
        assert_false(ecs_is_alive(world, rel) || ecs_is_alive(world, a) || ecs_is_alive(world, b));
        assert_int_equal(removed, 2);
        ecs_delete(world, observer);
    }
}

static int last_depth = 1 << 30;
static void expect_children_first(ecs_iter_t *it) {
    const Node *node = ecs_field(it, Node, 0);
    for (int i = 0; i < it->count; i++) {
        assert_true(node[i].depth <= last_depth);
        last_depth = node[i].depth;
        removed++;
    }
}

// CLN-13
static void children_go_before_their_parents(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ecs_set_hooks(world, Node, { .on_remove = expect_children_first });
    removed = 0;
    last_depth = 1 << 30;
    ecs_entity_t chain[6] = { 0 };
    for (int i = 0; i < 6; i++) {
        chain[i] = ecs_new(world);
        if (i) ecs_add_pair(world, chain[i], EcsChildOf, chain[i - 1]);
        ecs_set(world, chain[i], Node, { i });
    }
    ecs_delete(world, chain[0]);
    assert_int_equal(removed, 6);
}

// CLN-15
static void cycles_end(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ecs_set_hooks(world, Node, { .on_remove = count_removed });
    removed = 0;
    ecs_entity_t rel = ecs_new(world), a = ecs_new_w(world, Node), b = ecs_new_w(world, Node);
    ecs_add_pair(world, rel, EcsOnDeleteTarget, EcsDelete);
    ecs_add_pair(world, a, rel, b);
    ecs_add_pair(world, b, rel, a);
    ecs_delete(world, a);
    assert_false(ecs_is_alive(world, a) || ecs_is_alive(world, b));
    assert_int_equal(removed, 2);
    ecs_entity_t self = ecs_new(world);
    ecs_add_pair(world, self, rel, self);
    ecs_delete(world, self);
    assert_false(ecs_is_alive(world, self));
}

// CLN-16
static void queries_forget_deleted_targets(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    ecs_entity_t target = ecs_new(world), e = ecs_new_w_pair(world, Likes, target);
    ecs_query_t *q = ecs_query(
        world, { .terms = { { ecs_pair(Likes, target) } }, .cache_kind = EcsQueryCacheAuto });
    assert_int_equal(ecs_query_count(q).entities, 1);
    ecs_delete(world, target);
    assert_int_equal(ecs_query_count(q).entities, 0);
    ecs_entity_t other = ecs_new_w_pair(world, Likes, e);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_false(ecs_query_next(&it));
    assert_true(ecs_is_alive(world, other));
    ecs_query_fini(q);
}

// CLN-16, ENT-11: also of those below who had it, when its last table goes.
static void queries_forget_what_nobody_above_has_any_more(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ECS_TAG(world, Likes);
    enum { TARGET_DIES, BASE_DIES, TABLE_GOES, WAYS };
    for (int way = 0; way < WAYS; way++) {
        ecs_entity_t target = ecs_new(world), scope = ecs_new(world),
                     base = ecs_new_w_pair(world, EcsChildOf, scope);
        ecs_id_t id = way == TARGET_DIES ? ecs_pair(Likes, target) : ecs_id(Node);
        ecs_add_id(world, base, id);
        ecs_entity_t mid = ecs_new_w_pair(world, EcsIsA, base),
                     instance = ecs_new_w_pair(world, EcsIsA, mid);
        ecs_id_t any = way == TARGET_DIES ? ecs_pair(Likes, EcsWildcard) : id;
        ecs_query_t *queries[] = { ecs_query(world,
                                       { .terms = { { id } }, .cache_kind = EcsQueryCacheAuto }),
            ecs_query(world, { .terms = { { any } }, .cache_kind = EcsQueryCacheAuto }),
            ecs_query(world, { .terms = { { any } }, .cache_kind = EcsQueryCacheNone }) };
        for (int q = 0; q < 3; q++) assert_int_equal(ecs_query_count(queries[q]).entities, 3);
        if (way == TARGET_DIES) ecs_delete(world, target);
        if (way == BASE_DIES) ecs_delete(world, scope);
        if (way == TABLE_GOES) {
            ecs_remove_id(world, base, id);
            ecs_shrink(world);
        }
        for (int q = 0; q < 3; q++) {
            assert_int_equal(ecs_query_count(queries[q]).entities, 0);
            ecs_query_fini(queries[q]);
        }
        ecs_delete(world, instance);
    }
}

static void delete_with_spares_prefabs(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), e = ecs_new_w(world, Npc);
    ecs_add(world, prefab, Npc);
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, e);
    ecs_delete_with(world, Npc);
    assert_false(ecs_is_alive(world, e) || ecs_is_alive(world, child));
    assert_true(ecs_has(world, prefab, Npc));
    ecs_remove_all(world, Npc);
    assert_true(ecs_has(world, prefab, Npc));
}

static void delete_with_spares_builtins(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), child = ecs_new_w_pair(world, EcsChildOf, parent);
    expect_abort_saying(ECS_INVALID_OPERATION, "builtin",
        ecs_delete_with(world, ecs_pair(EcsChildOf, EcsWildcard)));
    assert_true(ecs_is_alive(world, child) && ecs_is_alive(world, EcsFlecsCore));
    ecs_delete_with(world, ecs_pair(EcsChildOf, parent));
    assert_false(ecs_is_alive(world, child));
    assert_true(ecs_world_verify(world));
}

static void touch_everything(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) {
        ecs_add_id(it->world, it->entities[i], EcsDisabled);
        ecs_set(it->world, it->entities[i], Node, { 9 });
        ecs_delete(it->world, it->entities[i]);
        ecs_new_w_id(it->world, EcsDisabled);
    }
}
static void changes_by_hooks_on_the_dying_are_dropped(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ecs_set_hooks(world, Node, { .on_remove = touch_everything });
    ecs_entity_t parent = ecs_new_w(world, Node);
    for (int i = 0; i < 5; i++) ecs_add(world, ecs_new_w_pair(world, EcsChildOf, parent), Node);
    ecs_delete(world, parent);
    assert_int_equal(ecs_count(world, Node), 0);
    assert_int_equal(ecs_count_id(world, EcsDisabled), 6);
    ecs_delete_with(world, EcsDisabled);
}

static void what_queries_use_cannot_be_deleted_later_either(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_entity(world, { .name = "used" });
    ecs_query_t *q = ecs_query(world, { .terms = { { tag } } });
    expect_abort_saying(ECS_INVALID_OPERATION, "used", ecs_delete(world, tag));
    expect_abort_saying(ECS_INVALID_OPERATION, "used", {
        ecs_defer_begin(world);
        ecs_delete(world, tag);
        ecs_defer_end(world);
    });
    ecs_query_fini(q);
    ecs_delete(world, tag);
}

// Wherever it is mentioned: by terms that the plan runs, by goals, within scopes, without source.
static void what_queries_mention_is_neither_deleted_nor_given_traits(void **state) {
    ecs_world_t *world = *state;
    static const char *const texts[] = { "Other, used", "Other, !used", "Other || used",
        "used(Other)", "used($x), Other", "Other, used($x) || Other($x)", "Other, { used }",
        "Other, !{ !used }", "Other, used()", "toggle|used", "Other, !toggle|used($x)" };
    ecs_entity_t tag = ecs_entity(world, { .name = "used" });
    ecs_entity(world, { .name = "Other" });
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ecs_query_t *q = ecs_query(world, { .expr = texts[i] });
        assert_non_null(q);
        expect_abort_saying(ECS_INVALID_OPERATION, "used", ecs_delete(world, tag));
        expect_abort_saying(
            ECS_INVALID_OPERATION, "queried for", ecs_add_id(world, tag, EcsDontFragment));
        ecs_query_fini(q);
    }
    ecs_add_id(world, tag, EcsDontFragment);
    ecs_delete(world, tag);
}

static void a_change_through_a_readonly_world_is_refused_in_a_sentence(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_entity(world, { .name = "ship" });
    expect_abort_saying(ECS_INVALID_WHILE_READONLY, "add an id to ship through the world", {
        ecs_readonly_begin(world, false);
        ecs_add_id(world, e, ecs_new(world));
    });
    expect_abort_saying(ECS_INVALID_WHILE_READONLY, "cannot delete through the world", {
        ecs_readonly_begin(world, false);
        ecs_delete(world, e);
    });
}

// Records of pairs with numbers end with their relationship, also that of all pairs with a number.
static void pairs_with_numbers_leave_nothing(void **state) {
    ecs_world_t *world = *state;
    const ecs_world_info_t *info = ecs_get_world_info(world);
    ecs_entity_t stays = ecs_new(world), other = ecs_new(world), e = ecs_new(world);
    const int32_t none = info->pair_id_count;
    ecs_add_id(world, e, ecs_value_pair(stays, 7));
    ecs_add_id(world, e, ecs_value_pair(other, 7)); /* now there is a record of all pairs with 7 */
    const int32_t before = info->pair_id_count;
    for (uint32_t i = 0; i < 20; i++) {
        ecs_entity_t goes = ecs_new(world);
        ecs_add_id(world, e, ecs_value_pair(goes, i));
        assert_true(ecs_has_id(world, e, ecs_value_pair(EcsWildcard, i)));
        ecs_delete(world, goes);
        assert_int_equal(ecs_has_id(world, e, ecs_value_pair(EcsWildcard, i)), i == 7);
        assert_int_equal(info->pair_id_count, before);
    }
    ecs_delete(world, stays);
    assert_true(ecs_has_id(world, e, ecs_value_pair(EcsWildcard, 7)));
    ecs_delete(world, other);
    assert_false(ecs_has_id(world, e, ecs_value_pair(EcsWildcard, 7)));
    assert_int_equal(info->pair_id_count, none);
    assert_true(ecs_world_verify(world));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(removing_is_the_default),
        mini_world_test(on_delete_delete_takes_the_holders_along),
        mini_world_test(panic_refuses_and_deletes_nothing),
        mini_world_test(policies_are_per_relationship),
        mini_world_test(symmetric_pairs_save_nobody),
        mini_world_test(the_dying_lose_nothing_before),
        mini_world_test(nothing_dangles),
        mini_world_test(symmetric_pairs_go_with_their_relationship),
        mini_world_test(ids_inside_values_are_not_touched),
        mini_world_test(deleting_a_component_deletes_its_tables),
        mini_world_test(what_dies_with_its_relationship_is_told_of),
        mini_world_test(children_go_before_their_parents),
        mini_world_test(cycles_end),
        mini_world_test(queries_forget_deleted_targets),
        mini_world_test(queries_forget_what_nobody_above_has_any_more),
        mini_world_test(delete_with_spares_prefabs),
        mini_world_test(delete_with_spares_builtins),
        mini_world_test(changes_by_hooks_on_the_dying_are_dropped),
        mini_world_test(what_queries_use_cannot_be_deleted_later_either),
        mini_world_test(what_queries_mention_is_neither_deleted_nor_given_traits),
        mini_world_test(a_change_through_a_readonly_world_is_refused_in_a_sentence),
        mini_world_test(pairs_with_numbers_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
