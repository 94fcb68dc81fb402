// SPDX-License-Identifier: MIT
// `*` and `_`: features.md area Q-WC.
#include "query_scene.h"

static void make_likers(ecs_world_t *world) {
    make(world, "e1", "(Likes, Dogs), (Likes, Cats)");
    make(world, "e2", "(Likes, Dogs), (Eats, Apples), (Eats, Pears)");
}

// Q-WC-01, Q-ITR-08
static void a_star_gives_one_result_per_pair(void **state) {
    scene_t *scene = *state;
    make_likers(scene->world);
    assert_query(scene, "(Likes, *)", "e1: (Likes,Dogs) | e1: (Likes,Cats) | e2: (Likes,Dogs)");
}

// Q-WC-02
static void two_stars_give_every_combination(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "(Likes, Dogs), (Likes, Cats), (Eats, Apples), (Eats, Pears)");
    assert_query(scene, "(Likes, *), (Eats, *)",
        "e1: (Likes,Dogs), (Eats,Apples) | e1: (Likes,Dogs), (Eats,Pears) | "
        "e1: (Likes,Cats), (Eats,Apples) | e1: (Likes,Cats), (Eats,Pears)");
}

static int32_t count_each(ecs_world_t *world, ecs_id_t id) {
    ecs_iter_t it = ecs_each_id(world, id);
    int32_t count = 0;
    while (ecs_each_next(&it)) count += it.count;
    return count;
}

// Q-WC-03, STO-02: the same whether a target has pairs of one relationship or several, and when the second one came.
static void a_second_relationship_of_a_target_changes_nothing_else(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "e1", "(Likes, Apples)");
    make(world, "e2", "Npc, (Likes, Apples)");
    const ecs_id_t any = ecs_pair(EcsWildcard, ecs_lookup(world, "Apples"));
    assert_int_equal(ecs_count_id(world, any), 2);
    assert_int_equal(count_each(world, any), 2);
    assert_true(ecs_has_id(world, ecs_lookup(world, "e2"), any));
    assert_true(ecs_id_in_use(world, any));
    assert_int_equal(ecs_id_get_flags(world, any), ecs_id_get_flags(world, EcsWildcard));
    assert_query(scene, "Npc, (*, Apples)", "e2: Npc, (Likes,Apples)");
    make(world, "e3", "(Eats, Apples)");
    make(world, "e4", "(Likes, Pears), (Eats, Apples), (Likes, Apples)");
    assert_int_equal(ecs_count_id(world, any), 5);
    assert_int_equal(count_each(world, any), 5);
    assert_query(scene, "(*, Apples)",
        "e1: (Likes,Apples) | e2: (Likes,Apples) | e3: (Eats,Apples) | e4: (Likes,Apples) | "
        "e4: (Eats,Apples)");
    ecs_remove_all(world, any);
    assert_int_equal(ecs_count_id(world, any), 0);
    assert_int_equal(ecs_count_id(world, ecs_pair(EcsWildcard, ecs_lookup(world, "Pears"))), 1);
    assert_true(ecs_world_verify(world));
}

// Q-WC-03
static void a_star_can_stand_for_the_relationship(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "(Likes, Apples), (Eats, Apples), (Eats, Pears)");
    assert_query(scene, "(*, Apples)", "e1: (Likes,Apples) | e1: (Eats,Apples)");
}

// Q-WC-04, Q-WC-05, D-28
static void stars_for_pairs_and_for_plain_ids_are_different(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = ecs_new(scene->world);
    ecs_add(scene->world, e, Position);
    ecs_add(scene->world, e, Velocity);
    ecs_add_pair(
        scene->world, e, ecs_lookup(scene->world, "Likes"), ecs_lookup(scene->world, "Dogs"));
    ecs_query_t *q = query_expr(scene, "*, Position");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_id_t expected[] = { ecs_id(Position), ecs_id(Velocity) };
    for (int i = 0; i < 2; i++) {
        assert_true(ecs_query_next(&it));
        assert_true(ecs_field_id(&it, 0) == expected[i]);
    }
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
    q = query_expr(scene, "Position, (*, *)");
    it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_true(ECS_IS_PAIR(ecs_field_id(&it, 1)));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-WC-06
static void a_chain_of_both_stars_covers_everything(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, Tag, (Likes, Dogs)");
    assert_query(
        scene, "Tag, (Likes, *) || *", "e1: Tag, (Likes,Dogs) | e1: Tag, Position | e1: Tag, Tag");
}

// Q-WC-07
static void any_returns_an_entity_once(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, Velocity");
    assert_query(scene, "Position, _", "e1: Position, *");
}

// Q-WC-08, Q-WC-09, Q-WC-10, D-27
static void any_target_is_reported_as_star(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "(Likes, Dogs), (Likes, Cats), (Eats, Apples), (Eats, Pears)");
    assert_query(scene, "(Likes, _)", "e1: (Likes,*)");
    assert_query(scene, "(Likes, _), (Eats, _)", "e1: (Likes,*), (Eats,*)");
}

// Q-WC-11
static void wildcards_combine_with_other_terms(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, (Likes, Dogs), (Eats, Dogs)");
    make(scene->world, "e2", "(Likes, Dogs)");
    assert_query(scene, "Position, (Likes, *)", "e1: Position, (Likes,Dogs)");
    assert_query(
        scene, "Position, (*, Dogs)", "e1: Position, (Likes,Dogs) | e1: Position, (Eats,Dogs)");
    assert_query(scene, "Position, *", "e1: Position, Position");
}

// Q-WC-12, Q-WC-13
static void wildcards_in_descriptors_give_the_target(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "(Likes, Dogs)");
    ecs_entity_t likes = ecs_lookup(scene->world, "Likes"), dogs = ecs_lookup(scene->world, "Dogs");
    ecs_query_desc_t descs[] = {
        { .terms = { { ecs_pair(likes, EcsWildcard) } } },
        { .terms = { { .first.id = likes, .second.id = EcsWildcard } } },
    };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query_of(scene, descs[i]);
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        assert_true(ecs_query_next(&it));
        assert_true(ecs_pair_second(scene->world, ecs_field_id(&it, 0)) == dogs);
        assert_true(ecs_field_target(&it, 0, 0) == dogs);
        ecs_iter_fini(&it);
        ecs_query_fini(q);
    }
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .terms = { { ecs_pair(likes, EcsAny) } } });
    assert_results(q, "e1: (Likes,*)");
    ecs_query_fini(q);
}

// Q-WC-14
static void each_pair_brings_its_own_data(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = make(scene->world, "e1", NULL);
    ecs_entity_t dogs = ecs_lookup(scene->world, "Dogs"), cats = ecs_lookup(scene->world, "Cats");
    ecs_set_pair(scene->world, e, Position, dogs, { 1, 2 });
    ecs_set_pair(scene->world, e, Position, cats, { 3, 4 });
    ecs_query_t *q = query_expr(scene, "(Position, *)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    for (int i = 0; i < 2; i++) {
        assert_true(ecs_query_next(&it));
        const Position *p = ecs_field(&it, Position, 0);
        bool is_dogs = ecs_field_target(&it, 0, 0) == dogs;
        assert_float_equal(p->x, is_dogs ? 1 : 3, 0);
    }
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-ITR-14
static void repeating_gives_the_same_order(void **state) {
    scene_t *scene = *state;
    make_likers(scene->world);
    ecs_query_t *q = query_expr(scene, "(Likes, _), ?(Eats, *)");
    const char *expected =
        "e1: (Likes,*), -(Eats,*) | e2: (Likes,*), (Eats,Apples) | e2: (Likes,*), (Eats,Pears)";
    assert_results(q, expected);
    assert_results(q, expected);
    ecs_query_fini(q);
}

// Q-WC-01, QL-19: numbers are targets like others
static void a_star_covers_value_pairs(void **state) {
    scene_t *scene = *state;
    ecs_entity_t likes = ecs_lookup(scene->world, "Likes");
    ecs_entity_t e = make(scene->world, "e", "Tag, (Likes, Apples)");
    ecs_add_id(scene->world, e, ecs_value_pair(likes, 7));
    ecs_add_id(scene->world, e, ecs_value_pair(likes, 9));
    assert_query(scene, "(Likes, *)", "e: (Likes,Apples) | e: (Likes,@7) | e: (Likes,@9)");
    assert_query(scene, "(Likes, @*)", "e: (Likes,@7) | e: (Likes,@9)");
    assert_query(scene, "(Likes, _)", "e: (Likes,*)");
    assert_query(scene, "Likes(_, *)", ": (Likes,Apples)@e | : (Likes,@7)@e | : (Likes,@9)@e");
    assert_query(scene, "Likes(_, @*)", ": (Likes,@7)@e | : (Likes,@9)@e");
    assert_query(scene, "(Likes, $x)", "e: (Likes,Apples)");
    assert_query(scene, "(*, @7)", "e: (Likes,@7)");
    assert_query(scene, "(_, @7)", "e: (*,@7)");
    assert_query(scene, "(*, @*)", "e: (Likes,@7) | e: (Likes,@9)");
    assert_query(scene, "Tag, ($r, @9)", "e: Tag, (Likes,@9)");
    assert_query(scene, "Tag, !(*, @7)", "");
    ecs_remove_id(scene->world, e, ecs_pair(likes, EcsWildcard));
    ecs_add_id(scene->world, e, ecs_value_pair(likes, 7));
    assert_query(scene, "Tag, !(Likes, *)", "");
    assert_query(scene, "Likes($x, *)", ": (Likes,@7)@e");
    assert_query(scene, "(Likes, @8)", "");
    assert_query(scene, "Tag, (Likes, @0x7), (Likes, @0b111)", "e: Tag, (Likes,@7), (Likes,@7)");
    ecs_query_t *q = query_expr(scene, "(Likes, @*)");
    char *text = ecs_query_str(q);
    assert_non_null(strstr(text, ",@*)"));
    ecs_os_free(text);
    ecs_query_fini(q);
}

// Q-WC-02, Q-VAR-16: a variable takes each value once, whoever has it, however many these are.
static void some_source_gives_each_target_once(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    enum { TARGETS = 200 };
    const ecs_entity_t likes = ecs_lookup(world, "Likes"), tag = ecs_lookup(world, "Tag");
    ecs_entity_t targets[TARGETS];
    int seen[TARGETS] = { 0 };
    for (int i = 0; i < TARGETS; i++) targets[i] = ecs_new(world);
    for (int i = 0; i < 4 * TARGETS; i++) {
        const ecs_entity_t e = ecs_new_w_pair(world, likes, targets[i * 7 % TARGETS]);
        if (i % 3) ecs_add_id(world, e, tag);
    }
    static const char *const exprs[] = { "Likes(_, $x)", "Likes(_, *)" };
    for (int k = 0; k < 2; k++) {
        ecs_query_t *q = query_expr(scene, exprs[k]);
        ecs_iter_t it = ecs_query_iter(world, q);
        int32_t count = 0;
        for (; ecs_query_next(&it); count++) {
            const ecs_entity_t target = ecs_pair_second(world, ecs_field_id(&it, 0));
            assert_true(ecs_has_pair(world, ecs_field_src(&it, 0), likes, target));
            for (int i = 0; i < TARGETS; i++) seen[i] += targets[i] == target;
        }
        assert_int_equal(count, TARGETS);
        for (int i = 0; i < TARGETS; i++) assert_int_equal(seen[i], k + 1);
        ecs_query_fini(q);
    }
}

static void Count(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

// QL-19: pairs with entities are others, wherever they are kept
static void a_star_of_values_covers_no_entities(void **state) {
    scene_t *scene = *state;
    static const ecs_entity_t *storages[] = { NULL, &EcsSparse, &EcsDontFragment, &EcsUnion };
    for (int i = 0; i < 4; i++) {
        static int told;
        told = 0;
        ecs_entity_t rel = ecs_new(scene->world), target = ecs_new(scene->world);
        ecs_set_name(scene->world, rel, "Rel");
        if (storages[i]) ecs_add_id(scene->world, rel, *storages[i]);
        ecs_entity_t observer = ecs_observer(scene->world,
            { .query.expr = "(Rel, @*)", .events = { EcsOnAdd }, .callback = Count, .ctx = &told });
        ecs_add_pair(scene->world, make(scene->world, "e", NULL), rel, target);
        assert_int_equal(told, 0);
        ecs_add_id(scene->world, make(scene->world, "f", NULL), ecs_value_pair(rel, 7));
        assert_int_equal(told, 1);
        assert_query(scene, "(Rel, @*)", "f: (Rel,@7)");
        assert_query(scene, "(Rel, _), !(Rel, @*)", "e: (Rel,*), -(Rel,*)");
        ecs_delete(scene->world, observer);
        ecs_delete(scene->world, ecs_lookup(scene->world, "e"));
        ecs_delete(scene->world, ecs_lookup(scene->world, "f"));
        ecs_delete(scene->world, rel);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(a_star_gives_one_result_per_pair),
        BOTH(a_star_of_values_covers_no_entities),
        BOTH(some_source_gives_each_target_once),
        BOTH(two_stars_give_every_combination),
        BOTH(a_second_relationship_of_a_target_changes_nothing_else),
        BOTH(a_star_can_stand_for_the_relationship),
        BOTH(stars_for_pairs_and_for_plain_ids_are_different),
        BOTH(a_chain_of_both_stars_covers_everything),
        BOTH(any_returns_an_entity_once),
        BOTH(any_target_is_reported_as_star),
        BOTH(wildcards_combine_with_other_terms),
        BOTH(wildcards_in_descriptors_give_the_target),
        BOTH(each_pair_brings_its_own_data),
        BOTH(repeating_gives_the_same_order),
        BOTH(a_star_covers_value_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
