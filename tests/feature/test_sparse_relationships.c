// SPDX-License-Identifier: MIT
// Relationships whose edges are kept beside tables: features.md area SPR, TCS on sparse ones; queries
// over them are tested elsewhere.
#include "support/follows.h"

#include "support/abort.h"

static void use(ecs_world_t *world, bool exclusive) {
    follows_use(world,
        (ecs_relationship_desc_t){ .exclusive = exclusive, .sparse = true, .reverse_index = true });
}

// SPR-01, SPR-02, PRF-10
static void children_of_many_parents_share_one_table(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = ecs_relationship(world, { .name = "In", .exclusive = true, .sparse = true });
    ecs_entity_t children[300], parents[300];
    for (int i = 0; i < 300; i++) {
        parents[i] = ecs_new(world);
        children[i] = ecs_new(world);
    }
    ecs_add_pair(world, children[0], in, parents[0]);
    int64_t tables = ecs_get_world_info(world)->table_count;
    for (int i = 1; i < 300; i++) ecs_add_pair(world, children[i], in, parents[i]);
    assert_int_equal(ecs_get_world_info(world)->table_count, tables);
    ecs_table_t *table = ecs_get_table(world, children[5]);
    assert_ptr_equal(table, ecs_get_table(world, children[299]));
    ecs_add_pair(world, children[5], in, parents[6]);
    assert_ptr_equal(ecs_get_table(world, children[5]), table);
    assert_id_equal(world, ecs_get_target(world, children[5], in, 0), parents[6]);
    assert_int_equal(ecs_count_id(world, ecs_pair(in, parents[6])), 2);
    assert_int_equal(ecs_count_id(world, ecs_pair(in, parents[5])), 0);
    assert_int_equal(ecs_count_id(world, ecs_pair(in, EcsWildcard)), 300);
}

// SPR-03, TCS-10, TCS-12
static void presence_is_an_id_of_the_table(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_relationship(world, { .name = "Likes", .sparse = true });
    ecs_entity_t e = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    ecs_table_t *root = ecs_get_table(world, e);
    ecs_add_pair(world, e, likes, a);
    ecs_add_pair(world, e, likes, b);
    assert_type(world, e, "Likes");
    assert_true(ecs_has_id(world, e, likes));
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_remove_pair(world, e, likes, a);
    assert_ptr_equal(ecs_get_table(world, e), table);
    ecs_remove_pair(world, e, likes, b);
    assert_ptr_equal(ecs_get_table(world, e), root);
    ecs_add_pair(world, e, likes, a);
    ecs_add_pair(world, e, likes, b);
    ecs_remove_pair(world, e, likes, EcsWildcard);
    assert_ptr_equal(ecs_get_table(world, e), root);
    assert_false(ecs_has_pair(world, e, likes, EcsWildcard));
}

static void see_edge(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    (void)world;
    ecs_entity_t *list = ctx;
    assert_true(!edge || ((const Follows *)edge)->max_distance > 0);
    while (*list) list++;
    *list = target;
}

// SPR-05, SPR-07, TCS-03
static void several_targets_have_a_value_each(void **state) {
    ecs_world_t *world = *state;
    use(world, false);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), c = ecs_new(world), e = ecs_new(world);
    char text[] = "mine";
    ecs_set_pair(world, e, Follows, b, { 1, 10, text });
    ecs_add_pair(world, e, ecs_id(Follows), c);
    ecs_set_pair(world, e, Follows, a, { 2, 20, text });
    const Follows *of_b = ecs_get_pair(world, e, Follows, b);
    ecs_set_pair(world, e, Follows, b, { 3, 30, text });
    assert_ptr_equal(ecs_get_pair(world, e, Follows, b), of_b);
    assert_near(of_b->delay, 3, 0);
    assert_near(ecs_get_pair(world, e, Follows, c)->delay, 0.5, 0); /* TCS-05 */
    assert_string_equal(ecs_get_pair(world, e, Follows, c)->note, "default");
    assert_null(ecs_get_pair(world, e, Follows, e));
    ecs_entity_t order[] = { a, b, c };
    for (int i = 0; i < 3; i++)
        assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), i), order[i]);
    ecs_entity_t seen[4] = { 0 };
    assert_int_equal(ecs_each_edge(world, e, ecs_id(Follows), see_edge, seen), 3);
    assert_memory_equal(seen, order, sizeof order);
    assert_int_equal(follows_asked, 3);
    assert_int_equal(follows_notes, 4); /* and the defaults */
    ecs_remove_pair(world, e, ecs_id(Follows), b);
    assert_int_equal(follows_notes, 3);
    assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), 1), c);
    assert_int_equal(ecs_get_target(world, e, ecs_id(Follows), 2), 0);
    assert_int_equal(ecs_count_id(world, ecs_pair_t(Follows, EcsWildcard)), 2);
}

// SPR-09
static void edges_in_tables_are_visited_alike(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Follows) = 0;
    ECS_COMPONENT_DEFINE(world, Follows);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_set_pair(world, e, Follows, b, { 1, 10, NULL });
    ecs_set_pair(world, e, Follows, a, { 2, 20, NULL });
    ecs_entity_t seen[3] = { 0 }, order[] = { a, b };
    assert_int_equal(ecs_each_edge(world, e, ecs_id(Follows), see_edge, seen), 2);
    assert_memory_equal(seen, order, sizeof order);
}

// PAIR-07: whichever of the relationships beside tables has the target.
static void a_target_is_in_use_by_any_relationship(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t rels[] = { ecs_relationship(world, { .name = "First", .sparse = true }),
        ecs_relationship(world, { .name = "Second", .sparse = true }) };
    ecs_entity_t target = ecs_new(world), e = ecs_new(world);
    for (int i = 0; i < 2; i++) ecs_add_pair(world, e, rels[i], target);
    for (int i = 0; i < 2; i++) {
        ecs_remove_pair(world, e, rels[i], target);
        assert_int_equal(ecs_id_in_use(world, ecs_pair(EcsWildcard, target)), !i);
        if (!i) ecs_add_pair(world, e, rels[i], ecs_new(world));
    }
}

// STO-09
static void deleted_ids_leave_nothing_behind(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t dense = ecs_new(world), beside = ecs_new(world), target = ecs_new(world);
    ecs_entity_t likes = ecs_relationship(world, { .name = "Likes", .sparse = true });
    ecs_add_id(world, beside, EcsDontFragment);
    int64_t tables = ecs_get_world_info(world)->table_count;
    ecs_entity_t e = ecs_new_w_id(world, dense);
    ecs_add_id(world, e, beside);
    ecs_add_pair(world, e, likes, target);
    ecs_add_pair(world, e, dense, target);
    assert_true(ecs_id_in_use(world, beside) && ecs_id_in_use(world, ecs_pair(likes, target)));
    ecs_delete(world, target);
    assert_null(flecs_components_get(world, ecs_pair(likes, target)));
    assert_null(flecs_components_get(world, ecs_pair(dense, target)));
    ecs_delete(world, dense);
    ecs_delete(world, beside);
    ecs_delete(world, likes);
    const ecs_id_t ids[] = { dense, beside, likes, ecs_pair(likes, EcsWildcard) };
    for (int i = 0; i < 4; i++) {
        assert_null(flecs_components_get(world, ids[i]));
        assert_false(ecs_id_in_use(world, ids[i]));
    }
    assert_int_equal(ecs_get_world_info(world)->table_count, tables);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
}

// TCS-04, TCS-11
static void exclusive_edges_are_replaced_with_their_value(void **state) {
    ecs_world_t *world = *state;
    use(world, true);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    char text[] = "mine";
    ecs_set_pair(world, e, Follows, a, { 1, 10, text });
    ecs_add_pair(world, e, ecs_id(Follows), b);
    assert_null(ecs_get_pair(world, e, Follows, a));
    assert_near(
        ecs_get_pair(world, e, Follows, b)->delay, 0.5, 0); /* a new edge has the defaults */
    assert_int_equal(follows_notes, 2);
    ecs_defer_begin(world);
    ecs_set_pair(world, e, Follows, a, { 4, 40, text });
    ecs_set_pair(world, e, Follows, b, { 5, 50, text });
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), 0), b);
    assert_near(ecs_get_pair(world, e, Follows, b)->delay, 5, 0);
    assert_int_equal(follows_notes, 2);
    ecs_delete(world, e);
    assert_int_equal(follows_notes, 1);
}

// TCS-07
static void refused_edges_change_nothing(void **state) {
    ecs_world_t *world = *state;
    use(world, true);
    ecs_entity_t a = ecs_new(world), e = ecs_new(world), f = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), a);
    char text[] = "mine";
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused",
        ecs_set_pair(world, e, Follows, follows_never, { 1, 1, text }));
    assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), 0), a);
    expect_error(
        ECS_CONSTRAINT_VIOLATED, "refused", ecs_add_pair(world, f, ecs_id(Follows), follows_never));
    assert_int_equal(ecs_get_type(world, f)->count, 0);
    ecs_defer_begin(world);
    ecs_set_pair(world, f, Follows, follows_never, { 1, 1, text });
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused", ecs_defer_end(world));
    assert_int_equal(ecs_get_type(world, f)->count, 0);
    assert_int_equal(follows_notes, 2);
}

// TCS-13
static void edges_end_with_their_target_or_relationship(void **state) {
    ecs_world_t *world = *state;
    use(world, false);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), a);
    ecs_add_pair(world, e, ecs_id(Follows), b);
    ecs_delete(world, a);
    assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), 0), b);
    assert_int_equal(ecs_get_target(world, e, ecs_id(Follows), 1), 0);
    assert_int_equal(follows_notes, 2);
    ecs_entity_t again = ecs_new(world); /* the same index */
    assert_false(ecs_has_pair(world, e, ecs_id(Follows), again));
    ecs_add_pair(world, e, ecs_id(Follows), again);
    ecs_delete(world, again);
    ecs_delete(world, b);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    ecs_add_pair(world, e, ecs_id(Follows), e);
    ecs_delete(world, e);
    assert_int_equal(follows_notes, 1);
}

static int on_adds, on_removes;
static ecs_id_t last_id;
static void count_event(ecs_iter_t *it) {
    if (it->event == EcsOnAdd) on_adds += it->count;
    if (it->event == EcsOnRemove) on_removes += it->count;
    last_id = it->event_id;
}

// TCS-14
static void observers_hear_of_every_edge(void **state) {
    ecs_world_t *world = *state;
    on_adds = on_removes = 0;
    ecs_entity_t likes = ecs_relationship(world, { .name = "Likes", .sparse = true });
    ecs_observer(world, { .query.terms = { { .id = ecs_pair(likes, EcsWildcard) } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = count_event });
    ecs_entity_t e = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    ecs_add_pair(world, e, likes, a);
    ecs_add_pair(world, e, likes, a);
    ecs_add_pair(world, e, likes, b);
    assert_int_equal(on_adds, 2);
    assert_id_equal(world, last_id, ecs_pair(likes, b));
    ecs_delete(world, a);
    assert_int_equal(on_removes, 1);
    ecs_defer_begin(world);
    ecs_remove_pair(world, e, likes, b);
    ecs_add_pair(world, e, likes, e);
    ecs_defer_end(world);
    assert_true(on_adds == 3 && on_removes == 2);
    ecs_clear(world, e);
    assert_int_equal(on_removes, 3);
    ecs_add_pair(world, e, likes, b);
    ecs_delete(world, likes);
    assert_int_equal(on_removes, 4);
}

static void symmetric_and_implied_edges_follow(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t knows = ecs_relationship(world, { .name = "Knows", .sparse = true });
    ecs_entity_t loves = ecs_relationship(world, { .name = "Loves", .sparse = true });
    ecs_entity_t dense = ecs_new(world);
    ecs_add_id(world, knows, EcsSymmetric);
    ecs_add_pair(world, loves, EcsWith, knows);
    ecs_add_pair(world, dense, EcsWith, knows);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), c = ecs_new(world);
    ecs_add_pair(world, a, loves, b);
    assert_true(ecs_has_pair(world, a, knows, b) && ecs_has_pair(world, b, knows, a));
    assert_false(ecs_has_pair(world, b, loves, a));
    ecs_add_pair(world, c, dense, a);
    assert_true(ecs_has_pair(world, c, knows, a) && ecs_has_pair(world, a, knows, c));
    ecs_remove_pair(world, b, knows, a);
    assert_false(ecs_has_pair(world, a, knows, b));
    ecs_delete(world, c);
    assert_false(ecs_has_pair(world, a, knows, EcsWildcard));
    ecs_entity_t d = ecs_new_w_pair(world, dense, a);
    assert_true(ecs_has_pair(world, d, knows, a) && ecs_has_pair(world, a, knows, d));
}

static void values_of_targets_have_the_type_of_the_target(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, int32_t);
    ecs_entity_t has = ecs_new(world), other = ecs_new(world), e = ecs_new(world);
    ecs_add_id(world, has, EcsDontFragment);
    ecs_set_pair_second(world, e, has, int32_t, { 7 });
    ecs_add_pair(world, e, has, other);
    ecs_add_id(world, e, ecs_value_pair(has, 3));
    assert_int_equal(*ecs_get_pair_second(world, e, has, int32_t), 7);
    assert_true(ecs_has_id(world, e, ecs_value_pair(has, 3)));
    assert_int_equal(ecs_count_id(world, ecs_pair(has, EcsWildcard)), 3);
    assert_type(world, e, "");
    ecs_remove_pair(world, e, has, EcsWildcard);
    assert_int_equal(ecs_count_id(world, ecs_pair(has, EcsWildcard)), 0);
}

static void count_told(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

// GRT-03, GRT-12, OBS-06: neither the other end of a pair, nor above anybody, nor counted or deleted as an entity.
static void a_number_is_nobody_beside_tables_either(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t knows = ecs_new(world), in = ecs_new(world), tag = ecs_new(world);
    const ecs_id_t traits[] = { EcsDontFragment, EcsTraversable };
    for (int i = 0; i < 2; i++) ecs_add_id(world, in, traits[i]);
    ecs_add_id(world, knows, EcsDontFragment);
    ecs_add_id(world, knows, EcsSymmetric);
    ecs_entity_t dora = ecs_new_w_id(world, tag), e = ecs_new(world), f = ecs_new(world);
    const uint32_t number = (uint32_t)dora;
    ecs_add_pair(world, f, in, dora);
    int told = 0;
    ecs_observer(world, { .query.terms = { { .id = tag, .src.id = EcsUp, .trav = in } },
                            .events = { EcsOnAdd },
                            .callback = count_told,
                            .ctx = &told });
    ecs_add_id(world, e, ecs_value_pair(in, number));
    ecs_add_id(world, e, ecs_value_pair(knows, number));
    assert_false(ecs_has_pair(world, dora, knows, EcsWildcard));
    ecs_remove_id(world, e, ecs_value_pair(knows, number));
    assert_int_equal(told, 0);
    ecs_add_pair(world, dora, in, e); /* no cycle */
    assert_int_equal(ecs_count_id(world, ecs_value_pair(EcsWildcard, number)), 1);
    assert_int_equal(ecs_count_id(world, ecs_pair(EcsWildcard, dora)), 1);
    ecs_delete_with(world, ecs_value_pair(EcsWildcard, number));
    assert_true(!ecs_is_alive(world, e) && ecs_is_alive(world, f));
    assert_true(ecs_world_verify(world));
}

// GRT-12: on ways that branch, too.
static void a_cycle_is_found_behind_branches(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = ecs_new(world), at[5];
    ecs_add_id(world, in, EcsDontFragment);
    ecs_add_id(world, in, EcsAcyclic);
    for (int i = 0; i < 5; i++) at[i] = ecs_new(world);
    for (int i = 1; i < 3; i++) {
        ecs_add_pair(world, at[0], in, at[i]);
        ecs_add_pair(world, at[i], in, at[3]);
    }
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, at[3], in, at[0]));
    ecs_add_pair(world, at[3], in, at[4]);
    ecs_remove_pair(world, at[3], in, at[4]);
    ecs_add_pair(world, at[4], in, at[0]);
    assert_id_equal(world, ecs_get_target(world, at[4], in, 0), at[0]);
}

// Edges of a relationship with data may have become tags before they were used; their init hook judges them still.
static void edges_that_became_tags_have_no_value(void **state) {
    ecs_world_t *world = *state;
    use(world, true);
    ecs_add_id(world, ecs_id(Follows), EcsPairIsTag);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_entity_t e = ecs_new_w_pair(world, ecs_id(Follows), a);
    ecs_add_pair(world, e, ecs_id(Follows), b);
    assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), 0), b);
    expect_error(
        ECS_CONSTRAINT_VIOLATED, "refused", ecs_add_pair(world, e, ecs_id(Follows), follows_never));
    assert_int_equal(follows_asked, 3);
    assert_int_equal(follows_notes, 1); /* the default */
}

// TCS-05, TCS-07: one that is made in bulk, or emplaced, takes the place of the default.
static void given_edges_leave_no_default_behind(void **state) {
    ecs_world_t *world = *state;
    use(world, false);
    ecs_entity_t a = ecs_new(world), e = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        Follows given[2];
        for (int n = 0; n < 2; n++) given[n] = (Follows){ n, n, ecs_os_strdup("given") };
        ecs_bulk_desc_t desc = { .count = 2, .data = (void *[]){ given } };
        desc.ids[0] = ecs_pair(ecs_id(Follows), i ? follows_never : a);
        const ecs_entity_t *made = ecs_bulk_init(world, &desc);
        const Follows *edge = ecs_get_id(world, made[1], desc.ids[0]);
        assert_true(i ? !edge : edge && edge->delay == 1);
        for (int n = 0; n < 2; n++) ecs_os_free(given[n].note);
    }
    Follows *raw = ecs_emplace_id(world, e, ecs_pair(ecs_id(Follows), a), sizeof(Follows), NULL);
    *raw = (Follows){ 3, 4, ecs_os_strdup("raw") };
    follows_notes++; /* by hand */
    assert_near(ecs_get_pair(world, e, Follows, a)->delay, 3, 0);
    ecs_delete(world, a);
    assert_int_equal(ecs_count_id(world, ecs_pair(ecs_id(Follows), EcsWildcard)), 0);
}

// Whoever puts an entity into a table with presence ids cannot make edges up.
static void tables_do_not_make_edges(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_relationship(world, { .name = "Likes", .sparse = true });
    ecs_entity_t a = ecs_new(world), tag = ecs_new(world);
    ecs_entity_t e = ecs_new_w_pair(world, likes, a), f = ecs_new(world);
    ecs_add_id(world, e, tag);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_entity_t made = ecs_new_w_table(world, table);
    assert_true(ecs_has_id(world, made, tag) && !ecs_has_id(world, made, likes));
    const ecs_entity_t *list =
        ecs_bulk_init(world, &(ecs_bulk_desc_t){ .table = table, .count = 2 });
    assert_false(ecs_has_pair(world, list[1], likes, EcsWildcard));
    ecs_defer_begin(world);
    list = ecs_bulk_init(world, &(ecs_bulk_desc_t){ .table = table, .count = 2 });
    ecs_entity_t later = list[1];
    ecs_defer_end(world);
    assert_true(ecs_has_id(world, later, tag) && !ecs_has_id(world, later, likes));
    ecs_commit(world, f, NULL, table, NULL, NULL);
    assert_true(ecs_has_id(world, f, tag) && !ecs_has_id(world, f, likes));
    ecs_add_pair(world, f, likes, a);
    assert_ptr_equal(ecs_get_table(world, f), table);
    ecs_commit(world, f, NULL, ecs_get_table(world, a), NULL, NULL);
    assert_false(ecs_has_pair(world, f, likes, a));
}

static int ended;
static void on_end(ecs_iter_t *it) { ended += it->count; }

static void the_end_of_the_world_is_told(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    use(world, false);
    ended = 0;
    ecs_set_hooks(world, Follows, { .on_remove = on_end });
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), a);
    ecs_add_pair(world, e, ecs_id(Follows), b);
    ecs_add_pair(world, ecs_new_w_pair(world, EcsChildOf, e), ecs_id(Follows), b);
    ecs_fini(world);
    assert_int_equal(ended, 3);
    assert_int_equal(follows_notes, 0);
}

static void transient_and_sparse_are_told_by_traits(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_relationship(world, { .name = "R", .sparse = true, .transient = true });
    assert_true(ecs_has_id(world, rel, EcsTransient));
    assert_true(ecs_id_get_flags(world, ecs_pair(rel, EcsWildcard)) & EcsIdDontFragment);
    ecs_entity_t e = ecs_new(world);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_add_id(world, e, rel));
}

static int count_each(ecs_iter_t it) {
    int count = 0;
    while (ecs_each_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            assert_true(ecs_has_id(it.world, it.entities[i], ecs_field_id(&it, 0)));
            count++;
        }
    }
    return count;
}

static void holders_are_visited_without_a_query(void **state) {
    ecs_world_t *world = *state;
    use(world, false);
    ECS_TAG(world, Tag);
    ecs_add_id(world, Tag, EcsDontFragment);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), dense = ecs_new(world);
    for (int i = 0; i < 5; i++) {
        ecs_entity_t e = ecs_new_w(world, Tag);
        ecs_add_pair(world, e, ecs_id(Follows), i % 2 ? a : b);
        if (i < 2) ecs_add_pair(world, e, dense, a);
        if (!i) ecs_add_pair(world, e, ecs_id(Follows), a);
    }
    assert_int_equal(count_each(ecs_each(world, Tag)), 5);
    assert_int_equal(count_each(ecs_each_id(world, ecs_pair_t(Follows, b))), 3);
    assert_int_equal(count_each(ecs_each_id(world, ecs_pair_t(Follows, EcsWildcard))), 6);
    assert_int_equal(count_each(ecs_each_id(world, ecs_pair(EcsWildcard, a))), 5);
    assert_int_equal(count_each(ecs_children_w_rel(world, ecs_id(Follows), a)), 3);
    ecs_iter_t it = ecs_each_id(world, ecs_pair_t(Follows, a));
    assert_true(ecs_each_next(&it));
    assert_near(((Follows *)ecs_field_at(&it, Follows, 0, 0))->delay, 0.5, 0);
    ecs_iter_fini(&it);
    ecs_remove_all(world, ecs_pair(EcsWildcard, a));
    assert_int_equal(count_each(ecs_each_id(world, ecs_pair(EcsWildcard, a))), 0);
    assert_int_equal(count_each(ecs_each_id(world, ecs_pair_t(Follows, EcsWildcard))), 3);
}

// 100 000 targets: no table and little memory for each.
static void targets_cost_memory_in_proportion(void **state) {
    ecs_world_t *world = *state;
    enum { COUNT = 100000 };
    ecs_entity_t in = ecs_relationship(world, { .name = "In", .exclusive = true, .sparse = true });
    ecs_entity_t *list = ecs_os_malloc_n(ecs_entity_t, COUNT);
    for (int i = 0; i < COUNT; i++) list[i] = ecs_new(world);
    int64_t tables = ecs_get_world_info(world)->table_count;
    for (int i = 0; i < COUNT; i++) ecs_add_pair(world, list[i], in, list[(i + 1) % COUNT]);
    assert_true(ecs_get_world_info(world)->table_count <= tables + 1);
    assert_int_equal(ecs_count_id(world, ecs_pair(in, EcsWildcard)), COUNT);
    for (int i = 0; i < COUNT; i += 2) ecs_delete(world, list[i]);
    assert_int_equal(ecs_count_id(world, ecs_pair(in, EcsWildcard)), 0);
    ecs_os_free(list);
}

// SPR-07: each goes without a look at all others, in checked builds, too, or this would take long.
static void many_targets_of_one_entity_go_one_by_one(void **state) {
    ecs_world_t *world = *state;
    enum { COUNT = 20000 };
    const ecs_entity_t traits[] = { EcsDontFragment, ecs_pair(EcsRelationship, EcsSparse) };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t rel = ecs_new_w_id(world, traits[i]), hub = ecs_new(world);
        const ecs_entity_t *targets = ecs_bulk_new_w_id(world, 0, COUNT);
        ecs_entity_t *kept = ecs_os_memdup_n(targets, ecs_entity_t, COUNT);
        for (int n = 0; n < COUNT; n++) ecs_add_pair(world, hub, rel, kept[n]);
        for (int n = 0; n < COUNT; n += 2) ecs_remove_pair(world, hub, rel, kept[n]);
        for (int n = 0; n < COUNT; n++)
            assert_true(ecs_has_pair(world, hub, rel, kept[n]) == n % 2);
        for (int n = 1; n < COUNT; n += 2) ecs_delete(world, kept[n]);
        assert_false(ecs_has_pair(world, hub, rel, EcsWildcard));
        ecs_os_free(kept);
    }
}

// GRT-12: each link is checked for cycles, without memory as long as nobody follows several.
static void a_train_is_coupled_anew_without_memory(void **state) {
    ecs_world_t *world = *state;
    enum { WAGONS = 30 };
    ecs_entity_t wagons[WAGONS], follows = ecs_new_w_id(world, EcsAcyclic);
    ecs_add_id(world, follows, EcsDontFragment);
    ecs_add_id(world, follows, EcsExclusive);
    for (int i = 0; i < WAGONS; i++) wagons[i] = ecs_new(world);
    int64_t before = 0;
    for (int round = 0; round < 8; round++) {
        if (round == 4) before = memory_calls();
        for (int i = 2; i < WAGONS; i++)
            ecs_add_pair(world, wagons[i], follows, wagons[i - 1 - round % 2]);
    }
    assert_int_equal(memory_calls() - before, 0);
    expect_abort(ECS_CYCLE_DETECTED, ecs_add_pair(world, wagons[0], follows, wagons[28]));
}

#ifdef FLECS_DEBUG
static void go_on(void) {}

// DEF-01: the presence id would come, or go, with the edge.
static void edges_stay_while_their_table_is_iterated(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_relationship(world, { .name = "Likes", .sparse = true });
    ecs_entity_t moves = ecs_new_w_id(world, EcsUnion), tag = ecs_new(world);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_entity_t e = ecs_new_w_pair(world, likes, a), other = ecs_new_w_id(world, tag);
    ecs_add_pair(world, e, moves, a);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_table_lock(world, table);
    ecs_table_lock(world, ecs_get_table(world, other));
    ecs_os_api_abort_t before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    expect_error(ECS_LOCKED_STORAGE, "iterated", ecs_remove_pair(world, e, likes, a));
    expect_error(ECS_LOCKED_STORAGE, "iterated", ecs_remove_pair(world, e, moves, EcsWildcard));
    expect_error(ECS_LOCKED_STORAGE, "iterated", ecs_remove_pair(world, e, EcsWildcard, a));
    expect_error(ECS_LOCKED_STORAGE, "iterated", ecs_delete(world, a));
    expect_error(ECS_LOCKED_STORAGE, "iterated", ecs_add_pair(world, other, moves, a));
    ecs_add_pair(world, e, likes, b); /* these move nothing */
    ecs_add_pair(world, e, moves, b);
    ecs_remove_pair(world, e, likes, b);
    expect_error(ECS_LOCKED_STORAGE, "iterated", ecs_remove_pair(world, e, likes, EcsWildcard));
    ecs_os_api.abort_ = before;
    assert_true(ecs_is_alive(world, a) && ecs_has_pair(world, e, likes, a));
    assert_id_equal(world, ecs_get_target(world, e, moves, 0), b);
    assert_false(ecs_has_pair(world, other, moves, EcsWildcard));
    assert_ptr_equal(ecs_get_table(world, e), table);
    assert_true(ecs_world_verify(world));
    ecs_table_unlock(world, table);
    ecs_table_unlock(world, ecs_get_table(world, other));
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(children_of_many_parents_share_one_table),
        mini_world_test(presence_is_an_id_of_the_table),
        mini_world_test(several_targets_have_a_value_each),
        mini_world_test(edges_in_tables_are_visited_alike),
        mini_world_test(a_target_is_in_use_by_any_relationship),
        mini_world_test(deleted_ids_leave_nothing_behind),
        mini_world_test(exclusive_edges_are_replaced_with_their_value),
        mini_world_test(refused_edges_change_nothing),
        mini_world_test(edges_end_with_their_target_or_relationship),
        mini_world_test(observers_hear_of_every_edge),
        mini_world_test(symmetric_and_implied_edges_follow),
        mini_world_test(values_of_targets_have_the_type_of_the_target),
        mini_world_test(a_number_is_nobody_beside_tables_either),
        mini_world_test(a_cycle_is_found_behind_branches),
        mini_world_test(edges_that_became_tags_have_no_value),
        mini_world_test(given_edges_leave_no_default_behind),
        mini_world_test(tables_do_not_make_edges),
        mini_world_test(the_end_of_the_world_is_told),
        mini_world_test(transient_and_sparse_are_told_by_traits),
        mini_world_test(holders_are_visited_without_a_query),
        mini_world_test(targets_cost_memory_in_proportion),
        mini_world_test(many_targets_of_one_entity_go_one_by_one),
        mini_world_test(a_train_is_coupled_anew_without_memory),
#ifdef FLECS_DEBUG
        mini_world_test(edges_stay_while_their_table_is_iterated),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
